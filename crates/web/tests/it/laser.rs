//! The puzzle's room as a page meets it: its game, the way back to it, the editor's verdicts,
//! levels made to order, and what is refused.

use crate::client::{DEADLINE, TestServer, options};
use futures_util::{SinkExt as _, StreamExt as _};
use laser::generator::{LevelRecipe, Pieces, generate};
use laser::solver::{Aim, Question, solve};
use laser::{Board, Light, level};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

struct LaserTestPage(WebSocketStream<TcpStream>);

impl LaserTestPage {
    async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.unwrap();
        let url = format!("ws://{address}/laser/live");
        let (socket, _) = tokio_tungstenite::client_async(url, stream).await.unwrap();
        let mut page = Self(socket);
        let welcome = page.receive("welcome").await;
        assert_eq!(
            welcome["levels"].as_array().unwrap().len(),
            level::all().len()
        );
        page
    }

    async fn send(&mut self, message: Value) {
        self.0
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
    }

    /// The next message of this name.
    async fn receive(&mut self, name: &str) -> Value {
        loop {
            let next = timeout(DEADLINE, self.0.next()).await;
            match next.expect("nothing is said") {
                Some(Ok(Message::Text(text))) => {
                    let received: Value = serde_json::from_str(&text).unwrap();
                    if let Some(value) = received.get(name) {
                        return value.clone();
                    }
                }
                Some(Ok(_)) => {}
                end => panic!("closed before {name}: {end:?}"),
            }
        }
    }

    async fn until(&mut self, name: &str, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let received = self.receive(name).await;
            if holds(&received) {
                return received;
            }
        }
    }

    async fn verdict(&mut self, id: u64, text: &str) -> Value {
        self.send(json!({ "draft": { "id": id, "text": text } }))
            .await;
        self.until("verdict", |received| {
            received["id"] == id && received["done"] == true
        })
        .await
    }
}

fn expected_halves(board: &Board) -> String {
    let light = Light::of(board);
    let digits = (0..board.cells()).map(|cell| {
        let bits = light.half_beams(board, cell).bits();
        char::from_digit(bits.into(), 16).unwrap()
    });
    digits.collect()
}

#[tokio::test]
async fn a_game_goes_on_where_it_was_left() {
    let server = TestServer::start(options());
    let mut page = LaserTestPage::open(server.address).await;
    page.send(json!({ "play": { "level": "Easy 03" } })).await;
    let view = page.receive("view").await;
    assert_eq!(
        (&view["name"], &view["moves"]),
        (&json!("easy-03"), &json!(0))
    );
    let mut board = level::find("easy-03").unwrap().board();
    let way = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    let way = way.moves.unwrap();
    assert_eq!(view["fewest"], way.len());
    assert_eq!(view["text"], board.to_string());
    for step in &way {
        page.send(json!({ "do": format!("move {step}") })).await;
        board.apply(*step).unwrap();
        let view = page.receive("view").await;
        assert_eq!(view["halves"], expected_halves(&board));
    }
    page.send(json!({ "do": "undo" })).await;
    let left = page.receive("view").await;
    assert_eq!(left["solved"], false);
    drop(page);
    let mut again = LaserTestPage::open(server.address).await;
    let wanted =
        json!({ "level": "easy-03", "made": left["made"], "taken_back": left["taken_back"] });
    again.send(json!({ "play": wanted })).await;
    let view = again.receive("view").await;
    for field in ["tiles", "halves", "made", "taken_back", "moves"] {
        assert_eq!(view[field], left[field], "{field}");
    }
    again.send(json!({ "do": "redo" })).await;
    let view = again.receive("view").await;
    assert_eq!(view["solved"], true);
    assert!(view["state"].as_str().unwrap().starts_with("solved in"));
    // moves that cannot be made end the way, and nothing more
    again
        .send(json!({ "play": { "level": "easy-03", "made": ["0,0 1,1", "nonsense"] } }))
        .await;
    assert_eq!(again.receive("view").await["moves"], 0);
}

#[tokio::test]
async fn hints_and_previews_are_the_puzzles_own() {
    let server = TestServer::start(options());
    let mut page = LaserTestPage::open(server.address).await;
    page.send(json!({ "play": { "text": level::find("mirrors").unwrap().text, "name": "mine" } }))
        .await;
    page.send(json!({ "do": "hint" })).await;
    let view = page.until("view", |view| !view["hint"].is_null()).await;
    let numbers: Vec<u32> = serde_json::from_value(view["hint"].clone()).unwrap();
    let [x, y, to_x, to_y] = numbers[..] else {
        panic!()
    };
    page.send(json!({ "preview": { "from": [x, y], "to": [to_x, to_y] } }))
        .await;
    let preview = page.receive("preview").await;
    let step = format!("{x},{y} {to_x},{to_y}");
    page.send(json!({ "do": format!("move {step}") })).await;
    let view = page.until("view", |view| view["moves"] == 1).await;
    assert_eq!(view["halves"], preview["halves"]);
    let words = view["words"].as_str().unwrap();
    assert!(words.ends_with("u takes it back"), "{words}");
    // words for what cannot be done are the terminal's
    page.send(json!({ "do": "move 0,0 1,1" })).await;
    let view = page.until("view", |view| view["wrong"] == true).await;
    assert!(view["words"].as_str().unwrap().contains("wall"), "{view}");
    page.send(json!({ "do": "undp" })).await;
    let view = page.until("view", |view| view["wrong"] == true).await;
    assert_eq!(view["words"], "`undp` is no command · did you mean undo?");
}

#[tokio::test]
async fn verdicts_are_what_the_solver_proves() {
    let server = TestServer::start(options());
    let mut page = LaserTestPage::open(server.address).await;
    let unique = level::find("medium-03").unwrap();
    let received = page.verdict(1, unique.text).await;
    assert_eq!(
        (&received["solvable"], &received["unique"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(received["fewest"], json!(unique.fewest));
    assert_eq!(received["grade"], "medium");
    // the only mirror is walled in with the laser
    let unsolvable = "5 3\nL>. W . S<\n. M/W . .\n. . W . .\n";
    let received = page.verdict(2, unsolvable).await;
    assert_eq!(
        (&received["solvable"], &received["unique"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(received["words"], "this level cannot be solved");
    // the mirror is in nobody's way wherever it stands but on the beam
    let several = "4 3\nL>. . S<\n. M/. .\n. . . .\n";
    let received = page.verdict(3, several).await;
    assert_eq!(received["solvable"], true, "{received}");
    assert!(
        received["words"]
            .as_str()
            .unwrap()
            .starts_with("solved as it stands"),
        "{received}"
    );
    // two mirrors take the light down one row or the next
    let two = "4 3\nL>. . W\n. . . .\nM\\M\\. S<\n";
    let received = page.verdict(7, two).await;
    assert_eq!(
        (
            &received["solvable"],
            &received["unique"],
            &received["grade"]
        ),
        (&json!(true), &json!(false), &Value::Null)
    );
    let words = received["words"].as_str().unwrap();
    assert!(words.starts_with("2 solutions · "), "{received}");
    let received = page.verdict(4, "2 1\nM/. \n").await;
    assert_eq!(
        (&received["solvable"], &received["words"]),
        (&json!(false), &json!("no sensor, so nothing to solve"))
    );
    for (text, line, column) in [("3 2\nW W W\nW ? W\n", 3, 3), ("0 2\n", 1, 1), ("", 1, 1)] {
        page.send(json!({ "draft": { "id": 5, "text": text } }))
            .await;
        let received = page.receive("undrawn").await;
        assert_eq!(
            (&received["line"], &received["column"]),
            (&json!(line), &json!(column)),
            "{received}"
        );
    }
    let large = Board::new(65, 2).unwrap().to_string();
    page.send(json!({ "draft": { "id": 6, "text": large } }))
        .await;
    let received = page.receive("undrawn").await;
    assert!(
        received["words"].as_str().unwrap().contains("at most 64"),
        "{received}"
    );
}

fn order(side: u32, pieces: &str, difficulty: Option<&str>) -> Value {
    json!({ "generate": {
        "width": side, "height": side, "pieces": pieces, "walls": 20, "seed": 7, "difficulty": difficulty,
    }})
}

#[tokio::test]
async fn levels_are_made_as_the_generator_makes_them() {
    let server = TestServer::start(options());
    let mut page = LaserTestPage::open(server.address).await;
    page.send(order(7, "3", Some("easy"))).await;
    let made = page.receive("made").await;
    let recipe = LevelRecipe {
        width: 7,
        height: 7,
        pieces: Pieces::Number(3),
        walls: 20,
        seed: 7,
        difficulty: Some("easy".parse().unwrap()),
    };
    let expected = generate(&recipe, &mut |_| true).unwrap();
    assert_eq!(made["text"], expected.board.to_string());
    for (wrong, words) in [
        (order(99, "3", None), "3 to 32"),
        (order(7, "lots", None), "`lots`"),
        (order(7, "90", None), "no room"),
        (order(7, "3", Some("tricky")), "`tricky`"),
    ] {
        page.send(wrong).await;
        let received = page.receive("unmade").await;
        assert!(
            received["words"].as_str().unwrap().contains(words),
            "{received}"
        );
    }
}

/// A board on which the solver is busy for as long as it may.
fn endless() -> Value {
    let order = order(32, "40", Some("very-hard"));
    assert!(order["generate"].is_object());
    order
}

#[tokio::test]
async fn searches_of_pages_that_are_gone_make_room() {
    let server = TestServer::start(options());
    // if they stayed, two at a time for ten seconds each, what comes after them would not be
    // made before the deadline
    for _ in 0..24 {
        let mut page = LaserTestPage::open(server.address).await;
        page.send(endless()).await;
    }
    let mut page = LaserTestPage::open(server.address).await;
    // asked anew again and again: only the last one counts
    for _ in 0..20 {
        page.send(endless()).await;
    }
    page.send(order(6, "2", None)).await;
    page.receive("made").await;
    // and a server ends with a search on the way
    page.send(endless()).await;
    page.receive("making").await;
    server.stop().unwrap();
}

#[tokio::test]
async fn what_is_no_message_is_told_and_too_much_of_it_ends() {
    let server = TestServer::start(options());
    let mut page = LaserTestPage::open(server.address).await;
    page.send(json!({ "start": "cmd:sh" })).await;
    let received = page.receive("error").await;
    assert!(
        received
            .as_str()
            .unwrap()
            .starts_with("no message that is known here")
    );
    page.send(json!({ "play": { "level": "no such" } })).await;
    let received = page.receive("unopened").await;
    assert_eq!(received["words"], "there is no level called `no such`");
    // without a game there is nothing to do anything to
    page.send(json!({ "do": "undo" })).await;
    page.send(json!({ "preview": { "from": [0, 0], "to": [9_999_999, 1] } }))
        .await;
    page.send(json!({ "play": { "level": "empty" } })).await;
    assert_eq!(page.receive("view").await["state"], "no sensor to light");
    for _ in 0..20 {
        page.0.send(Message::text("[]")).await.unwrap();
    }
    loop {
        match timeout(DEADLINE, page.0.next())
            .await
            .expect("it is closed")
        {
            Some(Ok(Message::Text(_) | Message::Ping(_))) => {}
            Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            Some(Ok(other)) => panic!("{other:?}"),
        }
    }
}
