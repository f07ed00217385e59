//! Bots that the server's owner allowed. What they do in a cage is told in `tests/bots`.

use super::{TableTestPage, make, post};
use crate::client::{TestServer, options};
use serde_json::json;
use web::{AllowedBot, Options};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_allowed_bot_that_does_not_play_loses_and_the_game_says_why() {
    // what a bot's process needs is not in a test's: it is a bot that does not start
    let server = TestServer::start(Options {
        bots: vec![AllowedBot {
            name: "broken".into(),
            entrant: "cmd[text]:./no-such-program".parse().unwrap(),
        }],
        ..options()
    });
    let address = server.address;
    let wanted = json!({ "game": "tictactoe", "seats": ["me", "bot:broken"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    assert_eq!(page.table["seats"][1]["name"], "bot:broken");
    page.play("B2").await;
    page.until(|page| !page.table["outcome"].is_null()).await;
    assert_eq!(
        (&page.table["outcome"], &page.table["ending"]),
        (&json!("first"), &json!("fault"))
    );
    let words = page.table["words"].as_str().unwrap();
    assert!(words.starts_with("O wins: X did not start"), "{words}");
    // the replay says it too, and is right
    let kept = super::replay(address, &id).await.record;
    assert_eq!(kept.ending.kind(), "not-started");
    server.stop().unwrap();
}

#[tokio::test]
async fn there_are_only_so_many_bots() {
    let server = TestServer::start(Options {
        bots: vec![AllowedBot {
            name: "mine".into(),
            entrant: "cmd[text]:true".parse().unwrap(),
        }],
        ..options()
    });
    let address = server.address;
    let wanted = json!({ "game": "stones", "seats": ["me", "bot:mine"] });
    let mut last = None;
    for _ in 0..8 {
        last = Some(make(address, wanted.clone()).await);
    }
    let refused = post(address, &wanted).await;
    assert_eq!(refused.code, 503);
    assert_eq!(
        refused.json()["error"],
        "8 bots play already, which is the most"
    );
    // a game that ends gives its place back
    let (id, key) = last.unwrap();
    let mut page = TableTestPage::open(address, &id, &key).await;
    page.expect_ok(json!({ "do": "resign" })).await;
    loop {
        // on a thread of its own
        if post(address, &wanted).await.code == 200 {
            break;
        }
        tokio::task::yield_now().await;
    }
    server.stop().unwrap();
}
