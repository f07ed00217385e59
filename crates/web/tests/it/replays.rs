//! The replays page's API: readable and damaged files.

use crate::client::{HttpAnswer, TestServer, options, request};
use arena::Match;
use matches::replay;
use matches::{Opening, Record};
use serde_json::Value;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Games between players that are the same from the same seed.
pub(crate) fn games(game: &str, players: [&str; 2], games: u64) -> Vec<Record> {
    let contest = Match {
        games,
        seed: 7,
        opening: Opening::Turns(2..=2),
        is_recorded: true,
        ..Match::new(game.parse().unwrap(), players.map(|p| p.parse().unwrap()))
    };
    let mut kept = Vec::new();
    let received = &mut |_: &_, records: &[Record]| {
        kept.extend_from_slice(records);
        ControlFlow::Continue(())
    };
    contest.run(&AtomicBool::new(false), received).unwrap();
    kept
}

async fn read(address: SocketAddr, query: &str, file: &str) -> HttpAnswer {
    let head = format!("POST /replays/read{query} HTTP/1.1");
    request(address, &head, file.as_bytes()).await
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_position_is_the_one_that_the_arena_has() {
    let server = TestServer::start(options());
    let records = games("duel:8x8", ["material", "random"], 2);
    let file: String = records
        .iter()
        .map(replay::text)
        .collect::<Vec<_>>()
        .join("\n");
    let received = read(server.address, "?game=2", &file).await.json();
    assert_eq!(received["games"].as_array().unwrap().len(), 2);
    let shown = &received["shown"];
    assert_eq!(
        (&shown["number"], &shown["opening"]),
        (&2.into(), &2.into())
    );
    assert_eq!(shown["check"]["ok"], true);
    assert_eq!(shown["players"][0], "random");
    let frames = shown["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 201);
    let mut differ = 0;
    for (frame, own) in frames.iter().zip(replay::positions(&records[1]).unwrap()) {
        let own = own.unwrap();
        assert_eq!(text(&frame["hash"]), format!("{:016x}", own.hash));
        let marks = |diagram: &games::Diagram| -> String {
            let sign = |mark: &games::DiagramMark| match mark {
                games::DiagramMark::Empty => '.',
                games::DiagramMark::First => '1',
                games::DiagramMark::Second => '2',
            };
            diagram.cells.iter().map(sign).collect()
        };
        assert_eq!(text(&frame["cells"]), marks(&own.diagram));
        assert_eq!(
            frame["second"].as_str().map(str::to_string),
            own.second.as_ref().map(marks)
        );
        differ += usize::from(own.second.is_some());
    }
    assert!(differ > 100, "both views were told");
    // the game alone, as text, is that game
    let again: Vec<_> = replay::read_text(text(&shown["text"])).collect();
    assert_eq!(again[0].as_ref().unwrap().record, records[1]);
    // which opening it has is found out again
    assert!(
        text(&shown["check"]["opening"]).contains("seed"),
        "{}",
        shown["check"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn damage_is_told_with_its_place_and_what_is_good_is_shown() {
    let server = TestServer::start(options());
    let records = games("tictactoe", ["random", "random"], 4);
    let texts: Vec<String> = records.iter().map(replay::text).collect();
    let broken = texts[0].replacen("result ", "result nobody ", 1);
    let line = broken
        .lines()
        .position(|line| line.starts_with("result"))
        .unwrap()
        + 1;
    let file = format!(
        "{broken}\n{}\n{}",
        texts[1],
        &texts[2][..texts[2].len() / 2]
    );
    let received = read(server.address, "", &file).await.json();
    let games = received["games"].as_array().unwrap();
    assert_eq!(games.len(), 3, "{received}");
    assert_eq!(
        (games[0]["line"].as_u64(), games[0]["column"].as_u64()),
        (Some(line as u64), Some(8))
    );
    assert!(text(&games[0]["error"]).contains("nobody"), "{}", games[0]);
    assert_eq!(received["shown"]["number"], 2);
    assert!(games[2]["error"].is_string());

    // a game that reads and is not what it says: shown up to there
    let mut wrong = records[3].clone();
    wrong.turns[2].text = wrong.turns[0].text.clone();
    let received = read(server.address, "", &replay::text(&wrong)).await.json();
    let shown = &received["shown"];
    assert_eq!(shown["check"]["ok"], false);
    assert_eq!(shown["problem"]["line"], shown["check"]["line"]);
    assert_eq!(shown["frames"].as_array().unwrap().len(), 2 + 2 + 1);

    // no game at all is no error of the server's
    for nothing in ["", "hello", "\0\0\0"] {
        let answer = read(server.address, "", nothing).await;
        assert_eq!(answer.code, 200);
        assert!(answer.json()["shown"].is_null());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_a_bound() {
    let server = TestServer::start(options());
    let answer = read(server.address, "", &"x".repeat((16 << 20) + 1)).await;
    assert_eq!(answer.code, 413);
    assert!(text(&answer.json()["error"]).contains("at most 16777216"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_goes_on_and_is_said_to_be_over_is_found_out() {
    let server = TestServer::start(options());
    let mut record = games("duel:8x8", ["random", "random"], 1).remove(0);
    record.game = "duel:8x8,turns=9999".into();
    let nothing = matches::RecordedTurn {
        text: "00000000/00000000".into(),
        spent: [None; 2],
    };
    record.opening.clear();
    record.turns = vec![nothing; 200];
    let received = read(server.address, "", &replay::text(&record))
        .await
        .json();
    assert_eq!(
        received["shown"]["frames"].as_array().unwrap().len(),
        201,
        "{}",
        received["shown"]["problem"]
    );
    assert_eq!(
        received["shown"]["check"]["ok"], false,
        "it goes on, and is said to be over"
    );
}
