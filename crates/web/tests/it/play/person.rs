//! What persons do at a table besides moving.

use super::{TableTestPage, make, replay};
use crate::client::{TestServer, options};
use games::Seat;
use matches::Ending;
use serde_json::json;

#[tokio::test]
async fn who_comes_back_with_the_key_has_the_seat() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "tictactoe", "seats": ["me", "open"] }),
    )
    .await;
    let mut first = TableTestPage::open(address, &id, &key).await;
    let mut second = TableTestPage::open(address, &id, "").await;
    second.expect_ok(json!({ "do": "sit", "seat": 1 })).await;
    first.play("B2").await;
    second.turns(1).await;
    // the connection is cut, without a word
    drop(second.socket);
    first
        .until(|page| page.table["seats"][1]["here"] == false)
        .await;
    assert_eq!(first.table["seats"][1]["kind"], "person");
    let mut second = TableTestPage::open(address, &id, &second.key).await;
    assert_eq!(second.seat, 1);
    assert_eq!(second.history(), ["B2"]);
    second.play("A1").await;
    first.turns(2).await;
    assert_eq!(first.table["seats"][1]["here"], true);
    // a second tab of the same person has the seat too
    let mut tab = TableTestPage::open(address, &id, &second.key).await;
    drop(second.socket);
    assert_eq!(
        tab.table["watchers"], 0,
        "who has a seat does not only watch"
    );
    first.play("A2").await;
    tab.turns(3).await;
    tab.play("C2").await;
    assert_eq!(first.table["seats"][1]["here"], true);
    // a wrong key has none
    let stranger = TableTestPage::open(address, &id, &"0".repeat(32)).await;
    assert!(stranger.seat.is_null());
    server.stop().unwrap();
}

#[tokio::test]
async fn a_move_is_taken_back_when_the_other_agrees() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "tictactoe", "seats": ["me", "open"] }),
    )
    .await;
    let mut first = TableTestPage::open(address, &id, &key).await;
    let mut second = TableTestPage::open(address, &id, "").await;
    second.expect_ok(json!({ "do": "sit", "seat": 1 })).await;
    first.play("B2").await;
    second.turns(1).await;
    second.play("A1").await;
    first.turns(2).await;
    first.expect_ok(json!({ "do": "back" })).await;
    second
        .until(|page| page.table["ask"] == json!({ "what": "back", "from": 0 }))
        .await;
    assert_eq!(
        first.refused(json!({ "do": "agree" })).await,
        "you asked that yourself"
    );
    second.expect_ok(json!({ "do": "decline" })).await;
    first.until(|page| page.table["ask"].is_null()).await;
    assert_eq!(first.history().len(), 2);
    assert_eq!(
        second.refused(json!({ "do": "agree" })).await,
        "nothing is asked"
    );
    first.expect_ok(json!({ "do": "back" })).await;
    second.until(|page| page.table["ask"].is_object()).await;
    second.expect_ok(json!({ "do": "agree" })).await;
    first.turns(0).await;
    assert_eq!(first.table["turn"], "first");
    // a move that was meant for another position is refused
    let version = first.table["version"].clone();
    first.play("A1").await;
    second.turns(1).await;
    let stale = second
        .refused(json!({ "do": "move", "text": "C3", "version": version }))
        .await;
    assert_eq!(stale, "the position is another by now");
    let version = second.table["version"].clone();
    // one who only came to watch makes no move stale
    let _watcher = TableTestPage::open(address, &id, "").await;
    second
        .expect_ok(json!({ "do": "move", "text": "C3", "version": version }))
        .await;
    server.stop().unwrap();
}

#[tokio::test]
async fn a_game_is_resigned_and_another_begun_with_the_seats_exchanged() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "stones", "seats": ["open", "me"] }),
    )
    .await;
    let mut second = TableTestPage::open(address, &id, &key).await;
    assert_eq!(second.seat, 1);
    let mut first = TableTestPage::open(address, &id, "").await;
    first.expect_ok(json!({ "do": "sit", "seat": 0 })).await;
    let legal = first.legal();
    first.play(&legal[0]).await;
    second.turns(1).await;
    let early = second.refused(json!({ "do": "rematch" })).await;
    assert_eq!(early, "the game is not over");
    second.expect_ok(json!({ "do": "resign" })).await;
    first.until(|page| page.table["outcome"] == "first").await;
    assert_eq!(first.table["ending"], "resigned");
    assert_eq!(first.table["words"], "black wins: white resigned");
    assert!(first.table["turn"].is_null());
    let kept = replay(address, &id).await.record;
    assert_eq!(kept.ending, Ending::Resigned(Seat::Second));
    let late = first.refused(json!({ "do": "move", "text": "d4" })).await;
    assert_eq!(late, "the game is over");
    let late = first.refused(json!({ "do": "resign" })).await;
    assert_eq!(late, "the game is over");
    first.expect_ok(json!({ "do": "rematch" })).await;
    second
        .until(|page| page.table["ask"]["what"] == "rematch")
        .await;
    // to ask for the same is to agree
    second.expect_ok(json!({ "do": "rematch" })).await;
    first.turns(0).await;
    assert_eq!(
        (first.seat.clone(), second.seat.clone()),
        (json!(1), json!(0))
    );
    let legal = second.legal();
    second.play(&legal[0]).await;
    first.turns(1).await;
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn against_a_player_moves_are_taken_back_at_once() {
    let server = TestServer::start(options());
    let address = server.address;
    let wanted = json!({ "game": "tictactoe", "seats": ["me", "perfect"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    page.play("A1").await;
    page.turns(2).await;
    page.expect_ok(json!({ "do": "back" })).await;
    page.turns(0).await;
    page.play("B2").await;
    page.turns(2).await;
    assert_eq!(page.history()[0], "B2");
    // a hint is what the champion would do, and is not played
    let hint = page.expect_ok(json!({ "do": "hint" })).await;
    assert_eq!(
        (hint["what"].clone(), hint["seat"].clone()),
        (json!("hint"), json!(0))
    );
    assert!(
        page.legal()
            .contains(&hint["choice"].as_str().unwrap().to_string()),
        "{hint}"
    );
    assert!(
        hint["value"].as_str().unwrap().starts_with("proven"),
        "{hint}"
    );
    let action = json!({ "do": "analyse", "player": "mcts:playouts=200", "ms": 500 });
    let analysis = page.expect_ok(action).await;
    assert_eq!(analysis["what"], "analysis");
    assert!(analysis["share"].is_number(), "{analysis}");
    assert_eq!(page.history().len(), 2);
    page.expect_ok(json!({ "do": "resign" })).await;
    assert_eq!(
        page.refused(json!({ "do": "hint" })).await,
        "the game is over"
    );
    page.expect_ok(json!({ "do": "rematch" })).await;
    page.until(|page| page.seat == 1 && page.history().len() == 1)
        .await;
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thought_that_nobody_wants_any_more_is_stopped() {
    let server = TestServer::start(options());
    let address = server.address;
    let wanted = json!({ "game": "stones", "seats": ["me", "strong:ms=10000"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    let legal = page.legal();
    for text in legal.iter().take(3) {
        page.play(text).await;
        page.until(|page| page.table["seats"][1]["thinking"] == true)
            .await;
        page.expect_ok(json!({ "do": "back" })).await;
        page.turns(0).await;
        assert_eq!(page.table["seats"][1]["thinking"], false);
    }
    // another player takes the seat, and finds a thread
    page.play(&legal[3]).await;
    page.expect_ok(json!({ "do": "player", "seat": 1, "player": "random" }))
        .await;
    page.turns(2).await;
    assert_eq!(page.history()[0], legal[3]);
    server.stop().unwrap();
}

/// Where both move at once, what a player found for a turn that was taken back meanwhile is
/// forgotten by the player too.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_goes_on_after_a_move_was_taken_back_while_it_thought() {
    let server = TestServer::start(options());
    let address = server.address;
    let wanted = json!({ "game": "duel", "seats": ["me", "strong:ms=500"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    page.until(|page| page.table["seats"][1]["thinking"] == true)
        .await;
    page.play("11000000").await;
    page.expect_ok(json!({ "do": "back" })).await;
    page.until(|page| {
        page.table["moved"] == json!([false, true]) || page.table["ending"] != json!(null)
    })
    .await;
    assert!(page.table["ending"].is_null(), "{}", page.table["words"]);
    page.play("11100000").await;
    page.turns(1).await;
    assert!(page.history()[0].starts_with("11100000/"));
    server.stop().unwrap();
}

#[tokio::test]
async fn between_two_persons_there_are_no_hints_unless_both_want_them() {
    let server = TestServer::start(options());
    let address = server.address;
    for (hints, works) in [(false, false), (true, true)] {
        let wanted = json!({ "game": "tictactoe", "seats": ["me", "open"], "hints": hints });
        let (id, key) = make(address, wanted).await;
        let mut first = TableTestPage::open(address, &id, &key).await;
        // with nobody opposite there is nobody to be unfair to
        first.expect_ok(json!({ "do": "hint" })).await;
        let mut second = TableTestPage::open(address, &id, "").await;
        second.expect_ok(json!({ "do": "sit", "seat": 1 })).await;
        first
            .until(|page| page.table["seats"][1]["kind"] == "person")
            .await;
        let mut watcher = TableTestPage::open(address, &id, "").await;
        for (page, what) in [(&mut first, "hint"), (&mut watcher, "analyse")] {
            let (kind, answer) = page.ask(json!({ "do": what })).await;
            assert_eq!(kind == "advice", works, "{what}: {answer}");
        }
        let turn = second.refused(json!({ "do": "hint" })).await;
        assert!(["it is not your turn", "hints are off at this table"].contains(&turn.as_str()));
    }
    server.stop().unwrap();
}

#[tokio::test]
async fn a_seat_is_given_up_and_taken() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "tictactoe", "seats": ["me", "open"] }),
    )
    .await;
    let mut first = TableTestPage::open(address, &id, &key).await;
    let mut other = TableTestPage::open(address, &id, "").await;
    assert_eq!(
        other.refused(json!({ "do": "sit", "seat": 0 })).await,
        "the first seat is taken"
    );
    first
        .expect_ok(json!({ "do": "name", "name": "Ada" }))
        .await;
    other
        .until(|page| page.table["seats"][0]["name"] == "Ada")
        .await;
    let long = first
        .refused(json!({ "do": "name", "name": "x".repeat(41) }))
        .await;
    assert_eq!(long, "a name has 40 characters at most");
    first.expect_ok(json!({ "do": "leave" })).await;
    assert!(first.seat.is_null());
    let refused = first.refused(json!({ "do": "move", "text": "B2" })).await;
    assert!(refused.starts_with("you watch"), "{refused}");
    other
        .expect_ok(json!({ "do": "sit", "seat": 0, "name": "Bea" }))
        .await;
    other.play("B2").await;
    let twice = other.refused(json!({ "do": "sit", "seat": 1 })).await;
    assert_eq!(twice, "you sit at this table already");
    // the old key opens nothing any more
    let again = TableTestPage::open(address, &id, &key).await;
    assert!(again.seat.is_null());
    let person = other
        .refused(json!({ "do": "player", "seat": 0, "player": "random" }))
        .await;
    assert_eq!(person, "a person sits in the first seat");
    server.stop().unwrap();
}
