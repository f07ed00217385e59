//! Games to their end.

use super::{TableTestPage, make, replay};
use crate::client::{TestServer, get, options};
use games::Outcome;
use matches::Ending;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_play_stones_to_the_end_and_who_watches_misses_nothing() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "stones:plies=40", "seats": ["me", "open"], "name": "Ada" }),
    )
    .await;
    let mut first = TableTestPage::open(address, &id, &key).await;
    assert_eq!(first.seat, 0);
    let mut second = TableTestPage::open(address, &id, "").await;
    assert!(second.seat.is_null());
    second
        .expect_ok(json!({ "do": "sit", "seat": 1, "name": "Bea" }))
        .await;
    assert_eq!((second.seat.clone(), second.key.len()), (json!(1), 32));
    let mut watchers = Vec::new();
    for _ in 0..4 {
        watchers.push(TableTestPage::open(address, &id, "").await);
    }
    let mut turns = 0;
    while first.table["outcome"].is_null() {
        let (mover, other) = match first.table["turn"].as_str().unwrap() {
            "first" => (&mut first, &mut second),
            _ => (&mut second, &mut first),
        };
        let legal = mover.legal();
        // another one each time, so that the board changes
        mover.play(&legal[turns * 7 % legal.len()]).await;
        turns += 1;
        mover.turns(turns).await;
        other.turns(turns).await;
        assert_eq!(first.table, second.table);
    }
    for watcher in &mut watchers {
        watcher
            .until(|page| page.table["version"] == first.table["version"])
            .await;
        assert!(watcher.missed_nothing(), "{:?}", watcher.versions);
        assert_eq!(watcher.table, first.table);
        let refused = watcher.refused(json!({ "do": "move", "text": "d4" })).await;
        assert!(refused.starts_with("you watch"), "{refused}");
    }
    assert!(first.missed_nothing() && second.missed_nothing());
    assert_eq!(first.table["ending"], "rules");
    let times = first.table["times"].as_array().unwrap();
    assert!(
        times
            .iter()
            .enumerate()
            .all(|(i, time)| { time[i % 2].is_u64() && time[1 - i % 2].is_null() })
    );
    let kept = replay(address, &id).await.record;
    assert_eq!(kept.players, ["human:Ada", "human:Bea"]);
    assert_eq!((kept.turns.len(), kept.ending), (turns, Ending::Rules));
    server.stop().unwrap();
}

#[tokio::test]
async fn a_duel_is_played_by_both_at_once() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "duel:turns=3", "seats": ["me", "open"], "hints": true }),
    )
    .await;
    let mut first = TableTestPage::open(address, &id, &key).await;
    assert_eq!(first.table["both"], true);
    assert_eq!(first.table["turn"], "both");
    assert_eq!(first.table["input"], json!({ "column": 0 }));
    let mut second = TableTestPage::open(address, &id, "").await;
    second.expect_ok(json!({ "do": "sit", "seat": 1 })).await;
    first.play("11100000").await;
    second
        .until(|page| page.table["moved"] == json!([true, false]))
        .await;
    // what the other put there is not told before both have moved
    assert_eq!(second.table["history"], json!([]));
    assert_eq!(second.table["views"][0]["cells"], ".".repeat(64));
    let again = first
        .refused(json!({ "do": "move", "text": "00000000" }))
        .await;
    assert_eq!(again, "the first seat has moved already");
    let preview = second
        .refused(json!({ "do": "preview", "text": "00000000" }))
        .await;
    assert!(preview.starts_with("both seats move at once"), "{preview}");
    // and so it can be taken back without asking
    first.expect_ok(json!({ "do": "back" })).await;
    second
        .until(|page| page.table["moved"] == json!([false, false]))
        .await;
    assert!(second.table["ask"].is_null());
    first.play("11100000").await;
    second.play("00000111").await;
    first.turns(1).await;
    assert_eq!(first.history(), ["11100000/00000111"]);
    // the second seat sees its own on its own side
    assert!(first.table["views"][1].is_object());
    let lasts = &first.table["lasts"];
    assert_eq!(lasts[0], first.table["last"]);
    assert_ne!(lasts[0], json!([]));
    let turned = lasts[0].as_array().unwrap().iter().rev();
    let turned: Vec<u64> = turned.map(|cell| 63 - cell.as_u64().unwrap()).collect();
    assert_eq!(lasts[1], json!(turned));
    for turn in 2..=3 {
        second.play("00000000").await;
        first.play("00000000").await;
        first.turns(turn).await;
        second.turns(turn).await;
    }
    assert!(first.table["turn"].is_null());
    let kept = replay(address, &id).await.record;
    assert_eq!(
        first.table["outcome"],
        match kept.outcome {
            Outcome::Win(seat) => seat.to_string(),
            Outcome::Draw => "draw".into(),
        }
    );
    let timed = kept
        .turns
        .iter()
        .all(|turn| turn.spent.iter().all(Option::is_some));
    assert!(timed, "{:?}", kept.turns);
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thought_does_not_tell_a_move_that_is_hidden() {
    let server = TestServer::start(options());
    let address = server.address;
    let wanted = json!({ "game": "duel:turns=9", "seats": ["me", "random"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    let waits = |page: &TableTestPage| page.table["moved"] == json!([false, true]);
    page.until(waits).await;
    let refused = page.refused(json!({ "do": "thought" })).await;
    assert_eq!(refused, "no player of the program has moved yet");
    for turn in 1..=5 {
        page.play("00000000").await;
        page.turns(turn).await;
        page.until(waits).await;
        // the next move is found, and what is told is the last one still
        let thought = page.expect_ok(json!({ "do": "thought" })).await;
        let (_, made) = page.history()[turn - 1].split_once('/').unwrap();
        assert_eq!(thought["choice"], made);
    }
    // a turn that is taken back takes the thought of the waiting move with it
    page.expect_ok(json!({ "do": "back" })).await;
    page.turns(4).await;
    page.until(waits).await;
    let refused = page.refused(json!({ "do": "thought" })).await;
    assert_eq!(refused, "no player of the program has moved yet");
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_perfect_player_never_loses() {
    let server = TestServer::start(options());
    let address = server.address;
    for (mine, seats) in [(0, ["me", "perfect"]), (1, ["perfect", "me"])] {
        // the same person's choices at each ply, counted up
        for choice in [0, 1, 2] {
            let (id, key) = make(address, json!({ "game": "tictactoe", "seats": seats })).await;
            let mut page = TableTestPage::open(address, &id, &key).await;
            loop {
                page.until(|page| {
                    let own = if mine == 0 { "first" } else { "second" };
                    !page.table["outcome"].is_null() || page.table["turn"] == own
                })
                .await;
                if !page.table["outcome"].is_null() {
                    break;
                }
                let legal = page.legal();
                page.play(&legal[choice % legal.len()]).await;
            }
            let own = if mine == 0 { "first" } else { "second" };
            assert_ne!(page.table["outcome"], own, "{:?}", page.history());
            let thought = page.expect_ok(json!({ "do": "thought" })).await;
            assert_eq!(thought["seat"], 1 - mine);
            let share = match thought["value"].as_str().unwrap() {
                "proven: a draw" => 0.5,
                value if value == ["proven: second wins", "proven: first wins"][mine] => 1.0,
                _ => panic!("{thought}"),
            };
            assert_eq!(thought["share"], share, "{thought}");
        }
    }
    server.stop().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_nobody_watches_waits() {
    let server = TestServer::start(options());
    let address = server.address;
    let player = "mcts:ms=100";
    let wanted = json!({ "game": "tictactoe", "seats": [player, player], "public": true });
    let (waits, _) = make(address, wanted.clone()).await;
    let mut page = TableTestPage::open(address, &waits, "").await;
    page.until(|page| !page.history().is_empty()).await;
    drop(page);
    let left = loop {
        let listed = get(address, "/play/tables.json").await.json();
        if listed["tables"][0]["watchers"] == 0 {
            break listed["tables"][0]["turns"].as_u64().unwrap();
        }
    };
    // longer than the rest of it would take
    let (watched, _) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &watched, "").await;
    page.until(|page| !page.table["outcome"].is_null()).await;
    assert_eq!(page.table["watchers"], 1);
    // the move that was thought about is made, and no other
    let turns = replay(address, &waits).await.record.turns.len() as u64;
    assert!(
        turns <= left + 1,
        "{turns} turns, and {left} when it was left"
    );
    // until somebody comes
    let mut page = TableTestPage::open(address, &waits, "").await;
    page.until(|page| !page.table["outcome"].is_null()).await;
    server.stop().unwrap();
}

#[tokio::test]
async fn what_a_stone_would_cause_is_what_it_causes() {
    let server = TestServer::start(options());
    let address = server.address;
    let (id, key) = make(
        address,
        json!({ "game": "stones", "seats": ["me", "open"] }),
    )
    .await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    let legal = page.legal();
    assert_eq!(legal.len(), 81);
    // a move that was meant for another position is none
    let stale = json!({ "do": "move", "text": legal[0], "turns": 1 });
    let refused = page.refused(stale).await;
    assert_eq!(refused, "the position is another by now");
    for text in legal.iter().take(3) {
        let before = page.table["views"][0]["cells"].clone();
        let preview = page
            .expect_ok(json!({ "do": "preview", "text": text }))
            .await;
        assert_eq!(page.table["views"][0]["cells"], before);
        page.play(text).await;
        page.turns(1).await;
        assert_eq!(page.table["views"][0]["cells"], preview["cells"]);
        // all that changed is in there, once or twice
        let changes = preview["changes"].as_array().unwrap();
        let placed = changes
            .iter()
            .filter(|change| change[1] == "placed")
            .count();
        assert_eq!(placed, 1, "{changes:?}");
        for cell in page.table["last"].as_array().unwrap() {
            assert!(
                changes.iter().any(|change| change[0] == *cell),
                "{cell}: {changes:?}"
            );
        }
        let past = page.expect_ok(json!({ "do": "past", "turns": 0 })).await;
        assert_eq!(past["views"][0]["cells"], before);
        page.expect_ok(json!({ "do": "back" })).await;
        page.turns(0).await;
    }
    // what a change is called, by the board before and after it
    let before = page.table["views"][0]["cells"].as_str().unwrap().to_owned();
    let before = before.as_bytes();
    let mut seen = BTreeSet::new();
    for text in &legal {
        let preview = page
            .expect_ok(json!({ "do": "preview", "text": text }))
            .await;
        let after = preview["cells"].as_str().unwrap().as_bytes();
        let (column, row) = text.split_at(1);
        let column = usize::from(column.as_bytes()[0] - b'a');
        let rows = page.table["views"][0]["rows"].as_array().unwrap();
        let at = rows.iter().position(|label| label.as_str() == Some(row));
        let own = at.unwrap() * 19 + column;
        let mut expected = Vec::new();
        for cell in 0..361 {
            if cell == own {
                expected.push((cell, "placed"));
            }
            let was = if cell == own { b'1' } else { before[cell] };
            match (was, after[cell]) {
                (was, is) if was == is => {}
                (b'.', _) => expected.push((cell, "born")),
                (_, b'.') => expected.push((cell, "died")),
                _ => expected.push((cell, "turned")),
            }
        }
        let own = expected.iter().filter(|(cell, _)| *cell == own);
        seen.insert(own.map(|(_, what)| *what).collect::<Vec<_>>());
        seen.extend(expected.iter().map(|(_, what)| vec![*what]));
        assert_eq!(preview["changes"], json!(expected), "{text}");
    }
    let kinds = [
        vec!["born"],
        vec!["died"],
        vec!["placed"],
        vec!["placed", "died"],
        vec!["placed", "turned"],
        vec!["turned"],
    ];
    assert_eq!(seen, BTreeSet::from(kinds));
    let taken = page.refused(json!({ "do": "preview", "text": "d3" })).await;
    assert_eq!(taken, "d3 is taken");
    let past = page.refused(json!({ "do": "past", "turns": 1 })).await;
    assert_eq!(past, "there were only 0 turns");
    server.stop().unwrap();
}

#[tokio::test]
async fn a_game_begins_where_another_stood() {
    let server = TestServer::start(options());
    let address = server.address;
    let wanted = json!({ "game": "tictactoe", "seats": ["me", "open"], "turns": ["b2", "A1"] });
    let (id, key) = make(address, wanted).await;
    let mut page = TableTestPage::open(address, &id, &key).await;
    assert_eq!(page.history(), ["B2", "A1"]);
    assert_eq!(page.table["opening"], 2);
    // what it began with is not taken back
    let refused = page.refused(json!({ "do": "back" })).await;
    assert_eq!(refused, "there is no move of yours to take back");
    page.play("C3").await;
    page.expect_ok(json!({ "do": "back" })).await;
    page.turns(2).await;
    page.play("A3").await;
    let kept = replay(address, &id).await.record;
    assert_eq!(kept.opening, ["B2", "A1"]);
    assert_eq!(kept.turns[0].text, "A3");
    assert_eq!(kept.ending, Ending::Unfinished);
    // a rematch begins there too; the seat that is open has no word in it
    page.expect_ok(json!({ "do": "resign" })).await;
    page.expect_ok(json!({ "do": "rematch" })).await;
    page.until(|page| page.seat == 1).await;
    assert_eq!(page.history(), ["B2", "A1"]);
    assert_eq!(page.table["turn"], "first");
    let wanted = json!({ "game": "tictactoe", "seats": ["me", "open"], "turns": ["B2", "B2"] });
    let refused = super::post(address, &wanted).await;
    assert_eq!(refused.code, 422);
    assert_eq!(refused.json()["error"], "turn 2: B2 is taken");
    server.stop().unwrap();
}

#[tokio::test]
async fn games_and_tables_are_listed() {
    let server = TestServer::start(options());
    let address = server.address;
    let games = get(address, "/play/games.json").await.json();
    let names: Vec<&Value> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|g| &g["name"])
        .collect();
    assert!(names.contains(&&json!("stones:adjacency=off")), "{names:?}");
    assert_eq!(games["bots"], json!([]));
    make(
        address,
        json!({ "game": "stones", "seats": ["me", "open"] }),
    )
    .await;
    let listed = json!({ "game": "duel", "seats": ["me", "open"], "public": true });
    let (id, key) = make(address, listed).await;
    let tables = get(address, "/play/tables.json").await.json();
    assert_eq!(tables["tables"].as_array().unwrap().len(), 1, "{tables}");
    assert_eq!(tables["tables"][0]["id"], id);
    assert!(!tables.to_string().contains(&key));
    // the document, for a table that is there and for one that is not
    for id in [id.as_str(), "abcdefghij"] {
        let page = get(address, &format!("/play/{id}")).await;
        assert_eq!(
            (page.code, page.header("content-type").unwrap()),
            (200, "text/html; charset=utf-8")
        );
    }
    server.stop().unwrap();
}
