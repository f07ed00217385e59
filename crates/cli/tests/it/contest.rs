//! `gridpaper match`.

use crate::{CliTestCase, json, out};

#[test]
fn a_match_is_counted_in_all_ways() {
    let line = [
        "match",
        "tictactoe",
        "random",
        "random",
        "--games",
        "201",
        "--json",
    ];
    let report = json(&line);
    let number = |name: &str| report[name].as_u64().unwrap_or_else(|| panic!("{name}"));
    assert_eq!((number("games"), number("seed")), (201, 0));
    let results = number("first_wins") + number("second_wins") + number("draws");
    assert_eq!(results, 201);
    let seats = number("first_seat_wins") + number("second_seat_wins");
    assert_eq!(seats + number("draws"), 201);
    assert_eq!(
        (&report["first"], &report["second"]),
        (&"random".into(), &"random".into())
    );
    for name in ["elo", "elo_error", "mean_plies", "seconds"] {
        assert!(report[name].is_number(), "{name}: {report}");
    }
}

#[test]
fn seeds_and_jobs_keep_what_they_promise() {
    let line = |more: &[&'static str]| {
        let line = [
            "match",
            "mnk:4,4,3",
            "random",
            "random",
            "--games",
            "40",
            "--json",
        ];
        let mut report = json(&[&line[..], more].concat());
        for name in ["seconds", "first_ms_a_move", "second_ms_a_move"] {
            report.as_object_mut().unwrap().remove(name).unwrap();
        }
        report
    };
    let one = line(&[]);
    assert_eq!(one, line(&["--jobs", "3"]));
    assert_ne!(one["pairs"], line(&["--seed", "9"])["pairs"]);
}

#[test]
fn where_every_game_is_won_there_is_a_bound_and_no_elo() {
    let line = [
        "match",
        "mnk:3,3,3",
        "random",
        "random",
        "--games",
        "2",
        "--opening",
        "0",
    ];
    let text = out(&line);
    assert!(
        text.starts_with("tictactoe: 2 games, seed 0\nrandom  "),
        "{text}"
    );
    let line = [
        "match",
        "mnk:1,1,1",
        "random",
        "random",
        "--games",
        "1",
        "--json",
    ];
    let report = json(&line);
    assert!(
        report["elo"].is_null() && report["elo_error"].is_null(),
        "{report}"
    );
    assert_eq!(report["first_wins"], 1);
}

#[test]
fn wrong_arguments_are_told() {
    let rows: [(&[&str], &str); 4] = [
        (
            &["match", "tictactoe", "random", "nobody"],
            "has no player `nobody`",
        ),
        (
            &["match", "tictactoe", "random:x", "random"],
            "random: `x`: this player has no such option",
        ),
        (
            &[
                "match",
                "tictactoe",
                "random",
                "random",
                "--opening",
                "5..2",
            ],
            "give a number of turns",
        ),
        (
            &["match", "tictactoe", "random", "random", "--games", "0"],
            "0 is not in 1..",
        ),
    ];
    for (line, expected) in rows {
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk: &[expected],
        }
        .check();
    }
}

/// All points to one side: the report says what that means, and counts turns.
#[test]
fn a_match_that_one_player_won_is_said_in_words() {
    let line = [
        "match",
        "stones",
        "material",
        "random",
        "--opening",
        "0",
        "--games",
    ];
    let few = crate::out(&[&line[..], &["2"]].concat());
    assert!(
        few.contains("material won every game, but 2 are too few to tell"),
        "{few}"
    );
    assert!(
        few.contains(" turns a game") && !few.contains("plies"),
        "{few}"
    );
    let many = crate::out(&[&line[..], &["60"]].concat());
    assert!(
        many.contains("material won every game: it is more than "),
        "{many}"
    );
    assert!(many.contains(" Elo above random (at 95 %)"), "{many}");
    let reverse = [
        "match",
        "stones",
        "random",
        "material",
        "--opening",
        "0",
        "--games",
        "60",
    ];
    let reverse = crate::out(&reverse);
    assert!(
        reverse.contains("material won every game: it is more than "),
        "{reverse}"
    );
}

/// Standard error is a pipe here: a match that takes more than a second says how far it is.
#[test]
fn a_long_match_tells_its_progress_in_a_pipe() {
    let player = "mcts:ms=50";
    CliTestCase {
        line: &["match", "mnk:5,5,5", player, player, "--games", "4"],
        input: "",
        code: 0,
        out: &["4 games"],
        talk: &["games ", " of 4\n"],
    }
    .check();
}
