//! The socket: what is said, what is answered, and what frames cost.

use crate::client::{ReceivedFrame, TabEvent, TestServer, TestTab, generation, get, options};
use crate::worlds::placed;
use futures_util::SinkExt as _;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame as Wire;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};

#[tokio::test]
async fn a_tab_is_welcomed_with_all_there_is_to_do() {
    let server = TestServer::start(options());
    let mut tab = TestTab::open(server.address).await;
    let names = |list: &Value, name: &str| -> BTreeSet<String> {
        let rows = list.as_array().unwrap().iter();
        rows.map(|row| row[name].as_str().unwrap().to_string())
            .collect()
    };
    let commands = names(&tab.welcome["commands"], "name");
    let known = session::command::ALL
        .iter()
        .map(|entry| entry.name.to_string())
        // the page's own
        .chain(["compare".to_string()])
        .collect();
    assert_eq!(commands, known);
    assert_eq!(
        names(&tab.welcome["keys"], "keys").len(),
        session::command::KEYS
            .iter()
            .map(|key| key.keys)
            .collect::<BTreeSet<_>>()
            .len()
    );
    assert!(names(&tab.welcome["formats"], "extension").contains("rle"));
    assert_eq!(tab.look["states"].as_array().unwrap().len(), 2);
    assert_eq!(tab.look["density"].as_array().unwrap().len(), 256);
    // every shape is one that the command takes
    tab.expect_ok("stop").await;
    tab.expect_ok("anyway new").await;
    for shape in names(&tab.welcome["topologies"], "usage") {
        let text = shape.replace("WxH", "6x6").replace("WxW", "6x6");
        tab.expect_ok(&format!("anyway resize {text}")).await;
    }
}

#[tokio::test]
async fn each_first_visit_sees_a_gun_run() {
    let server = TestServer::start(options());
    let mut tabs = vec![TestTab::of(server.address, 640, 480).await];
    // of browsers that have no world, and one that is gone; the first world is taken
    for query in ["", "last=", "last=0123"] {
        let (world, _) = placed(&server, query).await;
        let mut tab = TestTab::open_at(server.address, &format!("world={world}")).await;
        tab.send(json!({ "size": [640, 480] })).await;
        tabs.push(tab);
    }
    for tab in &mut tabs {
        let status = tab.status_with(|status| generation(status) > 2).await;
        assert_eq!(status["title"], "Gosper glider gun");
        assert_eq!(status["running"], true);
    }
    // who has a world already gets paper
    let (world, _) = placed(&server, "new=1").await;
    let (other, _) = placed(&server, &format!("last={world}")).await;
    assert_eq!(world, other);
    let mut tab = TestTab::open_at(server.address, &format!("world={world}")).await;
    tab.status_with(|status| status["title"] == "untitled")
        .await;
}

#[tokio::test]
async fn a_glider_lies_where_it_should_after_four_generations() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("anyway new").await;
    tab.expect_ok("zoom 8").await;
    tab.expect_ok("centre 0,0").await;
    for cell in ["1,0", "2,1", "0,2", "1,2", "2,2"] {
        assert_eq!(tab.expect_ok(&format!("flip {cell}")).await["undo"], true);
    }
    let glider = [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)];
    assert_eq!(tab.frame().await.live(), glider);
    tab.expect_ok("step 4").await;
    tab.status_with(|status| generation(status) == 4).await;
    tab.expect_ok("cursor 0,0").await;
    let frame = tab.frame().await;
    assert_eq!(
        (&frame.header["generation"], &frame.header["population"]),
        (&"4".into(), &"5".into())
    );
    assert_eq!(frame.live(), glider.map(|(x, y)| (x + 1, y + 1)));
}

#[tokio::test]
async fn no_frame_comes_without_credit() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("speed max").await;
    tab.expect_ok("run").await;
    let now = generation(&tab.status);
    tab.status_with(|status| generation(status) > now + 500)
        .await;
    assert!(tab.frames.is_empty(), "a frame without credit");
    tab.send(json!({ "credit": 1 })).await;
    tab.next_frame().await;
    let now = generation(&tab.status);
    tab.status_with(|status| generation(status) > now + 500)
        .await;
    assert_eq!(tab.frames.len(), 1, "one was paid for");
    // credit cannot be heaped up
    for _ in 0..50 {
        tab.send(json!({ "credit": 1000 })).await;
    }
    tab.expect_ok("pan 1,0").await;
    let now = generation(&tab.status);
    tab.status_with(|status| generation(status) > now + 500)
        .await;
    let more = tab.frames.len() - 1;
    assert!(
        (1..=8).contains(&more),
        "{more} frames for a heap of credit"
    );
}

#[tokio::test]
async fn frames_tell_which_command_they_show() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("stop").await;
    let left = |frame: &ReceivedFrame| {
        frame.header["left"]
            .as_str()
            .unwrap()
            .parse::<i64>()
            .unwrap()
    };
    let before = tab.frame().await;
    tab.expect_ok("pan 37,0").await;
    let after = tab.frame().await;
    assert_eq!(left(&after) - left(&before), 37);
    let ids = [&before, &after].map(|frame| frame.header["id"].as_u64().unwrap());
    assert_eq!(ids[1] - ids[0], 1);
    // nothing changed since: no further frame for the next credit
    let frames = tab.frames.len();
    tab.send(json!({ "credit": 1 })).await;
    tab.send(json!({ "plot": true })).await;
    loop {
        if let TabEvent::Told(received) = tab.receive().await
            && received.get("plot").is_some()
        {
            break;
        }
    }
    assert_eq!(tab.frames.len(), frames);
}

#[tokio::test]
async fn two_tabs_see_the_same() {
    let server = TestServer::start(options());
    let mut one = TestTab::of(server.address, 640, 480).await;
    let mut two = TestTab::of(server.address, 640, 480).await;
    one.expect_ok("anyway new").await;
    for tab in [&mut one, &mut two] {
        tab.expect_ok("zoom 8").await;
        tab.expect_ok("centre 0,0").await;
    }
    one.expect_ok("draw 1 0,0 4,0 4,4").await;
    two.expect_ok("set 2,2 1").await;
    let (first, second) = (one.frame().await, two.frame().await);
    // the first may have been made before the other tab drew
    let first = if first.live().len() < 10 {
        one.frame().await
    } else {
        first
    };
    assert_eq!(first.live().len(), 10);
    assert_eq!(first.planes, second.planes);
    // each has a view of its own
    two.expect_ok("zoom 1:2").await;
    assert_eq!(two.frame().await.header["kind"], "density");
    one.expect_ok("cursor 1,1").await;
    assert_eq!(one.frame().await.header["kind"], "bits");
}

#[tokio::test]
async fn a_tab_that_comes_back_is_where_it_was() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("stop").await;
    tab.expect_ok("zoom 5").await;
    tab.expect_ok("centre 100,-70").await;
    let before = tab.frame().await;
    drop(tab);
    let mut tab = TestTab::of(server.address, 640, 480).await;
    let after = tab.frame().await;
    for name in ["left", "top", "zoom"] {
        assert_eq!(before.header[name], after.header[name], "{name}");
    }
}

#[tokio::test]
async fn what_is_no_message_is_told_and_then_ends() {
    let server = TestServer::start(options());
    let mut good = TestTab::of(server.address, 640, 480).await;
    let mut bad = TestTab::open(server.address).await;
    let messages = ["", "{", "[]", "{\"do\":1}", "{\"size\":[0,0]}", "\u{0}"];
    for message in messages.iter().cycle().take(19) {
        bad.socket.send(Message::text(*message)).await.unwrap();
        loop {
            if let TabEvent::Told(received) = bad.receive().await
                && received.get("error").is_some()
            {
                break;
            }
        }
    }
    // bytes are the twentieth
    bad.socket
        .send(Message::binary(vec![1, 2, 3]))
        .await
        .unwrap();
    assert_eq!(bad.closing().await.unwrap().code, CloseCode::Policy);

    let mut long = TestTab::open(server.address).await;
    let text = format!("{{\"do\":\"clipboard {}\",\"id\":1}}", "b".repeat(2 << 20));
    // it may be closed before all of it is sent
    let _ = long.socket.send(Message::text(text)).await;
    long.closing().await;

    let mut foreign = TestTab::open(server.address).await;
    let frame = Wire::message(vec![0xff, 0xfe], OpCode::Data(Data::Text), true);
    foreign.socket.send(Message::Frame(frame)).await.unwrap();
    foreign.closing().await;

    good.expect_ok("stop").await;
    good.frame().await;
}

#[tokio::test]
async fn refusals_and_what_can_be_undone_are_told() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    let reply = tab.command("hurry up").await;
    assert_eq!(reply["ok"], false);
    assert!(
        reply["error"].as_str().unwrap().contains("hurry"),
        "{reply}"
    );
    tab.expect_ok("stop").await;
    tab.expect_ok("flip 100,100").await;
    tab.status_with(|status| status["unsaved"] == true).await;
    let reply = tab.expect_ok("new").await;
    assert_eq!(reply["undo"], true, "{reply}");
    tab.status_with(|status| status["population"] == "0").await;
    tab.expect_ok("undo").await;
    tab.status_with(|status| status["unsaved"] == true).await;
}

#[tokio::test]
async fn a_pattern_of_many_letters_can_be_pasted() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    tab.expect_ok("anyway new").await;
    let rows = "o".repeat(500_000);
    tab.expect_ok(&format!("paste 0,0 or {rows}!")).await;
    let status = tab
        .status_with(|status| status["population"] == "500000")
        .await;
    assert_eq!(status["bounds"]["width"], "500000");
}

#[tokio::test]
async fn a_server_says_goodbye() {
    let server = TestServer::start(options());
    let mut tab = TestTab::of(server.address, 640, 480).await;
    let address = server.address;
    let stopped = std::thread::spawn(move || server.stop());
    assert_eq!(tab.closing().await.unwrap().code, CloseCode::Away);
    stopped.join().unwrap().unwrap();
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn there_are_only_so_many_tabs() {
    let server = TestServer::start(options());
    let mut tabs = Vec::new();
    for _ in 0..64 {
        tabs.push(TestTab::open(server.address).await);
    }
    assert!(TestTab::with(server.address, &[]).await.is_err());
    tabs.truncate(60);
    // those that went make room
    loop {
        if let Ok(tab) = TestTab::with(server.address, &[]).await {
            tabs.push(tab);
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(get(server.address, "/library.json").await.code, 200);
}
