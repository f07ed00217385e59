//! What a table costs at most, and what bad company costs it.

use super::load::{LoadLength, LoadPlan};
use super::{TableTestPage, make, post};
use crate::client::{DEADLINE, TabEvent, TestServer, get, options};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

#[tokio::test]
async fn what_is_no_message_is_told_so_and_too_much_of_it_ends_it() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "tictactoe", "seats": ["me", "open"] }),
    )
    .await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    for text in ["", "null", "[]", "{}", "{\"do\":1}", "{\"do\":\"move\""] {
        page.send(text).await;
        loop {
            let TabEvent::Told(received) = page.receive().await else {
                panic!("closed by {text:?}");
            };
            if received["error"].is_string() {
                break;
            }
        }
    }
    // what reads as a wish and is none costs nothing but an answer
    for action in [
        json!({ "do": "fly" }),
        json!({ "do": "move" }),
        json!({ "do": "move", "text": "Z9" }),
        json!({ "do": "sit", "seat": 7 }),
        json!({ "do": "past", "turns": 1e30 }),
        json!({ "do": "analyse", "ms": 100_000 }),
        json!({ "do": "analyse", "player": "mcts:ms=100000" }),
        json!({ "do": "player", "seat": 1, "player": "mcts:ms=10001" }),
        json!({ "do": "player", "seat": 1, "player": "x".repeat(5000) }),
    ] {
        page.refused(action).await;
    }
    page.play("B2").await;
    // the server may close it before the last of them is sent
    for _ in 0..20 {
        page.try_send("no message").await;
    }
    let heard = page.closing().await;
    assert!(heard.iter().all(|received| received.get("gone").is_none()));
    // too long a message ends it as well, and nobody else notices
    let mut page = TableTestPage::open(address, &id, &key).await;
    let long = json!({ "do": "name", "name": "x".repeat(70_000) });
    page.send(long.to_string()).await;
    page.closing().await;
    let page = TableTestPage::open(address, &id, &key).await;
    assert_eq!(page.history(), ["B2"]);
    server.stop().unwrap();
}

#[tokio::test]
async fn tables_that_cannot_be_are_refused_with_words() {
    let server = TestServer::start(options());
    let address = server.address;
    let rows: &[(Value, u16, &str)] = &[
        (json!([]), 400, "this describes no table"),
        (json!({ "game": "stones" }), 400, "this describes no table"),
        (
            json!({ "game": "chess", "seats": ["me", "open"] }),
            422,
            "there is no game `chess`",
        ),
        (
            json!({ "game": "stones", "seats": ["me", "me"] }),
            422,
            "a person sits in one seat",
        ),
        (
            json!({ "game": "stones", "seats": ["me", "perfect"] }),
            422,
            "stones has no player",
        ),
        (
            json!({ "game": "mnk:19,19,5", "seats": ["me", "perfect"] }),
            422,
            "perfect cannot play",
        ),
        (
            json!({ "game": "stones", "seats": ["me", "strong:ms=10001"] }),
            422,
            "a player may think 10000 ms",
        ),
        (
            json!({ "game": "stones", "seats": ["me", "open"], "name": "x".repeat(41) }),
            422,
            "a name has 40 characters",
        ),
        (
            json!({ "game": "stones:plies=2001", "seats": ["me", "open"] }),
            422,
            "a game has 2000 turns at most here",
        ),
        (
            json!({ "game": "x".repeat(201), "seats": ["me", "open"] }),
            422,
            "`game` is longer than 200",
        ),
        (
            json!({ "game": "stones", "seats": ["me", "open"], "turns": vec!["d4"; 2001] }),
            422,
            "a game may begin with 2000 turns",
        ),
        (
            json!({ "game": "stones", "seats": ["me", "open"], "turns": vec!["x".repeat(70_000)] }),
            413,
            "these are",
        ),
    ];
    for (wanted, code, words) in rows {
        let refused = post(address, wanted).await;
        let error = refused.json()["error"].as_str().unwrap().to_string();
        assert_eq!(refused.code, *code, "{error}");
        assert!(error.starts_with(words), "{error}");
    }
    // and there are only so many in a minute
    let wanted = json!({ "game": "tictactoe", "seats": ["open", "open"] });
    for _ in 0..60 {
        assert_eq!(post(address, &wanted).await.code, 200);
    }
    let refused = post(address, &wanted).await;
    assert_eq!(refused.code, 429);
    assert_eq!(refused.json()["hint"], "try again in a minute");
    assert_eq!(get(address, "/play/nothinghere/replay").await.code, 404);
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_does_not_read_is_closed_and_nobody_waits() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "stones", "seats": ["me", "open"] }),
    )
    .await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    let mut slow = TableTestPage::open(address, &id, "").await;
    page.until(|page| page.table["watchers"] == 1).await;
    let legal = page.legal();
    // each move and each take back is a table for everybody; the one who does not read has
    // what the system holds for it, and then 256
    let mut rounds = 0;
    while page.table["watchers"] != 0 {
        page.expect_ok(json!({ "do": "move", "text": legal[rounds % legal.len()] }))
            .await;
        page.expect_ok(json!({ "do": "back" })).await;
        rounds += 1;
        assert!(rounds < 20_000, "nobody was closed");
    }
    assert!(page.missed_nothing());
    // it is told why, or finds itself cut off
    timeout(DEADLINE, slow.closing()).await.unwrap();
    assert!(slow.missed_nothing());
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_and_goes_all_the_time_is_not_told_to_all_each_time() {
    const TIMES: usize = 100;
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "stones", "seats": ["me", "open"] }),
    )
    .await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    for _ in 0..TIMES {
        // it is told how things stand, with itself
        let passing = TableTestPage::open(address, &id, "").await;
        assert!(passing.table["watchers"].as_u64() >= Some(1));
    }
    let watcher = TableTestPage::open(address, &id, "").await;
    // and so is everybody, soon
    page.until(|page| page.table["watchers"] == 1).await;
    assert!(page.missed_nothing());
    assert!(page.versions.len() < TIMES, "{}", page.versions.len());
    drop(watcher);
    page.until(|page| page.table["watchers"] == 0).await;
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_games_and_many_who_watch_miss_nothing() {
    let server = TestServer::start(options());
    let load = LoadPlan {
        games: 8,
        watchers: 4,
        length: LoadLength::Moves(12),
        pause: Duration::ZERO,
    };
    let found = load.run(server.address).await;
    // who missed something has said so
    assert_eq!(found.trips.len(), 8 * 12);
    assert!(
        found.heard > 6 * found.trips.len() as u64,
        "{}",
        found.heard
    );
    server.stop().unwrap();
}
