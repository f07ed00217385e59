//! `gridpaper mnk`.

use crate::{CliTestCase, command, json};
use serde_json::Value;

#[test]
fn boards_are_solved() {
    let rows = [
        ("3,3,3", "draw"),
        ("4,3,3", "first"),
        ("4,4,3", "first"),
        ("4,4,4", "draw"),
        ("5,4,4", "draw"),
        ("tictactoe", "draw"),
    ];
    for (board, value) in rows {
        let report = json(&["mnk", "solve", board, "--json"]);
        assert_eq!(report["value"], value, "{board}: {report}");
        assert!(report["nodes"].as_u64().is_some_and(|n| n > 0), "{report}");
        assert!(report["seconds"].is_number(), "{report}");
    }
}

#[test]
fn mnk_says_what_it_finds() {
    let rows = [
        CliTestCase {
            line: &["mnk", "solve", "4,3,3"],
            input: "",
            code: 0,
            out: &["value    the first player wins\n", "line     C2 "],
            talk: &[],
        },
        CliTestCase {
            line: &["mnk", "solve", "8,8,5", "--limit", "0.05"],
            input: "",
            code: 1,
            out: &[],
            talk: &["not known after ", "hint: "],
        },
        CliTestCase {
            line: &["mnk", "solve", "15,15,5"],
            input: "",
            code: 2,
            out: &[],
            talk: &["the board has more than 64 cells"],
        },
        CliTestCase {
            line: &["mnk", "solve", "3,3"],
            input: "",
            code: 2,
            out: &[],
            talk: &["the stones in a row are missing"],
        },
        CliTestCase {
            line: &["mnk", "verify"],
            input: "",
            code: 0,
            out: &[
                "heuristic moving first   392 lines won  184 drawn  0 lost\n",
                "heuristic moving second  656 lines won  472 drawn  0 lost\n",
            ],
            talk: &[],
        },
        CliTestCase {
            line: &["mnk", "verify", "--player", "perfect", "--as-published"],
            input: "",
            code: 2,
            out: &[],
            talk: &["perfect has no list"],
        },
        CliTestCase {
            line: &["mnk", "verify", "--player", "random"],
            input: "",
            code: 2,
            out: &[],
            talk: &["heuristic:as-published"],
        },
    ];
    rows.iter().for_each(CliTestCase::check);
}

/// What is lost is told as data as well as by the exit code.
#[test]
fn lost_lines_are_counted() {
    let rows: [(&[&str], u64, u64); 4] = [
        (&["heuristic"], 0, 0),
        (&["perfect"], 0, 0),
        (&["heuristic", "--as-published"], 0, 400),
        (&["heuristic:as-published"], 0, 400),
    ];
    for (player, first, second) in rows {
        let line = [&["mnk", "verify", "--json", "--player"], player].concat();
        let output = command(&line).output().unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["moving_first"]["lost"], first, "{report}");
        assert_eq!(report["moving_second"]["lost"], second, "{report}");
        assert_eq!(report["lost"], first + second, "{report}");
        let code = i32::from(first + second > 0);
        assert_eq!(output.status.code(), Some(code), "{report}");
    }
}

#[test]
fn what_is_not_known_is_null() {
    let line = ["mnk", "solve", "8,8,5", "--limit", "0.05", "--json"];
    let output = command(&line).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["value"], Value::Null);
    assert_eq!(output.status.code(), Some(1));
}
