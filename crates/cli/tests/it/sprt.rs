//! `gridpaper sprt`.

use crate::{text, with_input};
use serde_json::Value;

fn run(line: &[&str]) -> (Option<i32>, Value, String) {
    let output = with_input(&[&["sprt", "tictactoe"], line].concat(), b"");
    let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), report, text(&output.stderr))
}

#[test]
fn the_stronger_player_is_found_out_and_the_weaker_too() {
    let (code, report, _) = run(&["heuristic", "random", "--elo1", "50", "--json"]);
    assert_eq!(code, Some(0), "{report}");
    assert_eq!(report["accepted"], "H1");
    let games = report["games"].as_u64().unwrap();
    assert!((2..=400).contains(&games), "{games}");
    let won = report["first_wins"].as_u64().unwrap();
    let lost = report["second_wins"].as_u64().unwrap();
    assert!(won > lost && won + lost + report["draws"].as_u64().unwrap() == games);

    let (code, report, talk) = run(&["random", "heuristic", "--elo1", "50", "--json"]);
    assert_eq!((code, &report["accepted"]), (Some(1), &"H0".into()));
    let expected = "no: random is not stronger than heuristic by 50";
    assert!(talk.contains(expected), "{talk}");
}

#[test]
fn without_enough_games_there_is_no_answer() {
    let line = ["random", "random", "--elo1", "1", "--games", "20", "--json"];
    let (code, report, talk) = run(&line);
    assert_eq!((code, &report["accepted"]), (Some(1), &Value::Null));
    assert!(talk.contains("not decided after 20 games"), "{talk}");
}

#[test]
fn claims_that_are_none_are_refused() {
    let rows = [
        (["--elo0", "10", "--elo1", "5"], "elo0 must be the smaller"),
        (["--alpha", "0.7", "--elo1", "5"], "alpha is 0.7"),
        (
            ["--elo0", "-2000", "--elo1", "5"],
            "more than games can show",
        ),
    ];
    for (line, expected) in rows {
        let (code, _, talk) = run(&[&["random", "random"], &line[..]].concat());
        assert_eq!(code, Some(2), "{talk}");
        assert!(talk.contains(expected), "{talk}");
    }
}
