//! The classroom as a page meets it.

use crate::client::{DEADLINE, TestServer, options};
use futures_util::{SinkExt as _, StreamExt as _};
use models::classroom::{ClassroomBoards, ClassroomRule, MapReadOptions};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

struct ClassroomTestPage(WebSocketStream<TcpStream>);

impl ClassroomTestPage {
    async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let url = format!("ws://{address}/classroom/live");
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        let mut page = Self(socket);
        assert_eq!(
            page.receive("welcome").await["rules"][3]["name"],
            "weighted"
        );
        page
    }

    /// Says something, and hears the answer of this name.
    async fn ask(&mut self, message: Value, name: &str) -> Value {
        let text = Message::text(message.to_string());
        self.0.send(text).await.unwrap();
        self.receive(name).await
    }

    async fn receive(&mut self, name: &str) -> Value {
        loop {
            let next = timeout(DEADLINE, self.0.next()).await;
            match next.expect("nothing is said") {
                Some(Ok(Message::Text(text))) => {
                    let received: Value = serde_json::from_str(&text).unwrap();
                    match received.get(name) {
                        Some(value) => return value.clone(),
                        None => panic!("{received} and not {name}"),
                    }
                }
                Some(Ok(_)) => {}
                end => panic!("closed before {name}: {end:?}"),
            }
        }
    }
}

fn texts(boards: &ClassroomBoards) -> Value {
    json!(ClassroomRule::ALL.map(|rule| boards.text(rule)))
}

#[tokio::test]
async fn a_page_is_told_what_a_lesson_does() {
    let server = TestServer::start(options());
    let mut page = ClassroomTestPage::open(server.address).await;
    let mut boards = ClassroomBoards::new(25, 25).unwrap();
    for (_, map) in ClassroomBoards::maps() {
        boards.open(map.name).unwrap();
        let view = page.ask(json!({ "open": map.name }), "view").await;
        assert_eq!(view["boards"], texts(&boards), "{}", map.name);
        boards.step(9);
        let view = page.ask(json!({ "step": 9 }), "view").await;
        assert_eq!(
            (&view["boards"], &view["round"]),
            (&texts(&boards), &json!(9))
        );
    }
    boards.draw(ClassroomRule::Colorised, 3, 4, 3).unwrap();
    let stroke = json!({ "rule": "colorised", "cells": [[3, 4]], "state": 3 });
    let view = page.ask(json!({ "draw": stroke }), "view").await;
    assert_eq!(view["boards"], texts(&boards));
    let why = page.ask(json!({ "why": { "x": 4, "y": 4 } }), "why").await;
    for (rule, received) in ClassroomRule::ALL
        .into_iter()
        .zip(why["reasons"].as_array().unwrap())
    {
        let explanation = boards.explain(rule, 4, 4);
        assert_eq!(
            (&received["words"], &received["count"]),
            (&json!(explanation.words), &json!(explanation.count))
        );
        assert_eq!(
            received["looks"].as_array().unwrap().len(),
            explanation.neighbours.len()
        );
    }
    // a page that lost its connection brings what it was told
    let left = page.ask(json!({ "step": 1 }), "view").await;
    drop(page);
    let mut again = ClassroomTestPage::open(server.address).await;
    let kept = json!({ "size": [25, 25], "round": left["round"], "boards": left["boards"], "start": left["start"] });
    let view = again.ask(json!({ "resume": kept }), "view").await;
    for field in ["boards", "start", "round", "width", "height"] {
        assert_eq!(view[field], left[field], "{field}");
    }
    boards.restart();
    let view = again.ask(json!({ "restart": true }), "view").await;
    assert_eq!(view["boards"], texts(&boards));
}

#[tokio::test]
async fn what_is_wrong_is_refused_with_its_place_and_has_bounds() {
    let server = TestServer::start(options());
    let mut page = ClassroomTestPage::open(server.address).await;
    let read = |text: &str| json!({ "read": { "text": text } });
    let before = page.ask(read("OO\n"), "view").await;
    let received = page.ask(read("OO\n.Q\n"), "refused").await;
    assert_eq!(
        (&received["line"], &received["column"]),
        (&json!(2), &json!(2))
    );
    let same = page.ask(json!({ "restart": true }), "view").await;
    assert_eq!(same["boards"], before["boards"]);
    let mut boards = ClassroomBoards::new(25, 25).unwrap();
    let cs100 = MapReadOptions {
        cs100: true,
        centre: true,
        ..MapReadOptions::default()
    };
    boards.read(b"! a\nRB\n", &cs100).unwrap();
    let how = json!({ "read": { "text": "! a\nRB\n", "cs100": true, "centre": true } });
    assert_eq!(page.ask(how, "view").await["boards"], texts(&boards));
    for wrong in [
        json!({ "size": [65, 3] }),
        json!({ "size": [0, 3] }),
        json!({ "open": "gosper-glider-gun" }),
        json!({ "open": "/etc/passwd" }),
        json!({ "draw": { "rule": "base", "cells": [[25, 0]], "state": 1 } }),
        json!({ "draw": { "rule": "base", "cells": [[0, 0]], "state": 9 } }),
        json!({ "resume": { "size": [2, 2], "round": 1, "boards": ["OOO", "", "", "", ""], "start": ["", "", "", "", ""] } }),
    ] {
        let received = page.ask(wrong.clone(), "refused").await;
        assert!(!received["words"].as_str().unwrap().is_empty(), "{wrong}");
    }
    assert_eq!(
        page.ask(json!({ "restart": true }), "view").await["boards"],
        texts(&boards)
    );
    // a message goes so far and no further
    let view = page.ask(json!({ "step": 4_000_000_000_u32 }), "view").await;
    assert_eq!(view["round"], 1000);
    let view = page.ask(json!({ "size": [64, 64] }), "view").await;
    assert_eq!((&view["width"], &view["round"]), (&json!(64), &json!(0)));
    page.ask(json!({ "step": 1000 }), "view").await;
    page.ask(json!({ "play": 1 }), "error").await;
}
