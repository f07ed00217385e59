//! `gridpaper laser`, but for its screen: see `laser_screen`.

use crate::{CliTestCase, CliTestFolder, json, out, out_with, with_input};
use serde_json::{Value, json};

/// Solved as it stands, as the format's description has it.
const SOLVED: &str = "5 4\nW W SvW W \nW . . . W \nL>. M/. W \nW W W W W \n";
/// One move away.
const ONE_MOVE: &str = "5 4\nW W SvW W\nW . . . W\nL>. . M/W\nW W W W W\n";
/// The sensor looks at a wall.
const NEVER: &str = "5 4\nW W W W W\nW . . S>W\nL>. . M/W\nW W W W W\n";
/// No sensor at all.
const BLIND: &str = "4 1\nL>. M/W\n";
/// Two mirrors of a kind, two rows in which they can stand.
const TWICE: &str = "6 5\nW W SvW W W\nW . . . . W\nL>. . . . W\nW . M/. M\\W\nW W W W W W\n";

fn solve(level: &str, options: &[&str]) -> Value {
    let line = [&["laser", "solve", "-", "--json"], options].concat();
    let output = with_input(&line, level.as_bytes());
    let out = String::from_utf8(output.stdout).unwrap();
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{line:?}: {error} in {out:?}"))
}

#[test]
fn a_level_is_checked() {
    let folder = CliTestFolder::new();
    let file = folder.write("solved.level", SOLVED);
    let report = json(&["laser", "check", &file, "--json"]);
    for (field, value) in [
        ("width", json!(5)),
        ("height", json!(4)),
        ("pieces", json!(1)),
        ("sensors", json!(1)),
        ("lit", json!(1)),
        ("solved", json!(true)),
    ] {
        assert_eq!(report[field], value, "{field} of {report}");
    }
    for (level, solved) in [
        (SOLVED, "solved   yes\n"),
        (ONE_MOVE, "solved   no\n"),
        (BLIND, "solved   never: there is no sensor\n"),
    ] {
        let said = out_with(&["laser", "check", "-"], level);
        assert!(said.ends_with(solved), "{said}");
    }
}

#[test]
fn broken_levels_are_refused_with_their_place() {
    let folder = CliTestFolder::new();
    for (name, text, place) in [
        ("size", "", ":1:1: "),
        ("zero", "0 3\n", ":1:1: "),
        ("short", "3 2\n. . .\n. .\n", ":3:4: "),
        ("long", "3 2\n. . . .\n. . .\n", ":2:7: "),
        ("letter", "3 1\n. Q .\n", ":2:3: "),
        ("end", "3 1\n. . M", ":2:6: "),
        ("trailing", "1 1\n.\nW\n", ":3:1: "),
    ] {
        let file = folder.write(name, text);
        for task in ["check", "show", "play", "solve", "hint"] {
            CliTestCase {
                line: &["laser", task, &file],
                input: "",
                code: 2,
                out: &[],
                talk: &["error: ", &format!("{file}{place}")],
            }
            .check();
        }
    }
    let rows = [
        CliTestCase {
            line: &["laser", "check", "no such level"],
            input: "",
            code: 2,
            out: &[],
            talk: &["no such file", "hint: gridpaper laser levels"],
        },
        CliTestCase {
            line: &["laser", "check", "exampel"],
            input: "",
            code: 2,
            out: &[],
            talk: &["no such file", "hint: did you mean example?"],
        },
        // no level, and no end of it either
        #[cfg(unix)]
        CliTestCase {
            line: &["laser", "check", "/dev/zero"],
            input: "",
            code: 2,
            out: &[],
            talk: &["/dev/zero: more than 128 MiB"],
        },
        CliTestCase {
            line: &["laser", "solve", "-"],
            input: "3 1\nL>. X\n",
            code: 2,
            out: &[],
            talk: &["standard input:2:5: `X` is no tile"],
        },
    ];
    rows.iter().for_each(CliTestCase::check);
    let packed = folder.write("packed.level.gz", b"\x1f\x8b\x08\0");
    CliTestCase {
        line: &["laser", "check", &packed],
        input: "",
        code: 2,
        out: &[],
        talk: &[":1:1: ", "hint: it is compressed"],
    }
    .check();
}

#[test]
fn a_folder_hides_no_built_in_level() {
    let folder = CliTestFolder::new();
    std::fs::create_dir(folder.path("easy-01")).unwrap();
    let mut command = crate::command(&["laser", "check", "easy-01"]);
    let output = command.current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
fn levels_are_solved() {
    for (level, options, expected) in [
        (
            ONE_MOVE,
            &["--fewest-moves"] as &[&str],
            json!({
                "solvable": true,
                "moves": [{ "from": [3, 2], "to": [2, 2] }],
                "proved_fewest": true,
            }),
        ),
        (
            ONE_MOVE,
            &["--all"],
            json!({ "solvable": true, "solutions": 1 }),
        ),
        (SOLVED, &[], json!({ "solvable": true, "moves": [] })),
        (
            SOLVED,
            &["--all", "--nodes", "0"],
            json!({ "solvable": true, "solutions": 0, "all_found": false }),
        ),
        (
            SOLVED,
            &["--all", "--fewest-moves"],
            json!({ "solutions": 1, "moves": [], "proved_fewest": true }),
        ),
        (
            NEVER,
            &[],
            json!({ "solvable": false, "moves": null, "proved_fewest": false }),
        ),
        (
            NEVER,
            &["--all"],
            json!({ "solvable": false, "solutions": 0 }),
        ),
        (
            BLIND,
            &["--all"],
            json!({ "solvable": false, "solutions": 0 }),
        ),
        (
            TWICE,
            &["--nodes", "1"],
            json!({ "solvable": null, "moves": null, "proved_fewest": false }),
        ),
    ] {
        let report = solve(level, options);
        for (field, value) in expected.as_object().unwrap() {
            assert_eq!(&report[field], value, "{field} of {report}");
        }
        assert!(report["nodes"].is_u64() && report["seconds"].is_number());
    }
}

#[test]
fn two_questions_have_one_patience() {
    for nodes in ["1", "60", "200"] {
        let line = ["laser", "solve", "cycle", "--json", "--all"];
        let report = with_input(
            &[&line[..], &["--fewest-moves", "--nodes", nodes]].concat(),
            b"",
        );
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        let most: u64 = nodes.parse().unwrap();
        assert!(report["nodes"].as_u64().unwrap() <= most, "{report}");
    }
}

#[test]
fn what_the_solver_says_in_words() {
    let rows = [
        CliTestCase {
            line: &["laser", "solve", "-", "--fewest-moves"],
            input: ONE_MOVE,
            code: 0,
            out: &[
                "moves    1, the fewest there are\n",
                "1.  M/ from 3,2 to 2,2\n",
            ],
            talk: &[],
        },
        CliTestCase {
            line: &["laser", "solve", "-"],
            input: NEVER,
            code: 1,
            out: &[],
            talk: &["no: standard input cannot be solved: every way was tried"],
        },
        CliTestCase {
            line: &["laser", "solve", "-"],
            input: BLIND,
            code: 1,
            out: &[],
            talk: &["no: standard input has no sensor, so it is never solved"],
        },
        CliTestCase {
            line: &["laser", "solve", "cycle"],
            input: "",
            code: 0,
            out: &["level    cycle\n"],
            talk: &["note: it is not proven that fewer moves will not do\n"],
        },
        CliTestCase {
            line: &["laser", "solve", "-", "--nodes", "1"],
            input: TWICE,
            code: 1,
            out: &[],
            talk: &["no: not known after 1 node\n", "hint: "],
        },
        CliTestCase {
            line: &["laser", "hint", "-"],
            input: ONE_MOVE,
            code: 0,
            out: &["M/ from 3,2 to 2,2; it is solved with this\n"],
            talk: &[],
        },
        CliTestCase {
            line: &["laser", "hint", "-"],
            input: SOLVED,
            code: 0,
            out: &["it is solved\n"],
            talk: &[],
        },
        CliTestCase {
            line: &["laser", "hint", "-"],
            input: NEVER,
            code: 1,
            out: &[],
            talk: &["cannot be solved"],
        },
    ];
    rows.iter().for_each(CliTestCase::check);
}

#[test]
fn a_level_is_made_again_from_its_seed() {
    let line = ["laser", "generate", "--size", "7x7", "--pieces", "3"];
    let seeded = |seed| out(&[&line[..], &["--seed", seed]].concat());
    let level = seeded("5");
    assert_eq!(level, seeded("5"));
    assert_ne!(level, seeded("6"));
    assert!(level.starts_with("7 7\n"), "{level}");
    let report = solve(&level, &["--all", "--fewest-moves"]);
    assert_eq!(report["solutions"], 1, "{level}: {report}");
    assert!(!report["moves"].as_array().unwrap().is_empty(), "{report}");

    let made = json(&[&line[..], &["--seed", "5", "--json"]].concat());
    assert_eq!(made["level"], level);
    assert_eq!(
        made["fewest_moves"],
        report["moves"].as_array().unwrap().len()
    );

    let kinds = out(&["laser", "generate", "--size", "8x8", "--pieces", r"2M/,M\"]);
    let report = out_with(&["laser", "check", "-"], &kinds);
    assert!(report.contains("3: 1 M\\, 2 M/\n"), "{report}");
}

#[test]
fn a_difficulty_alone_makes_a_level() {
    for grade in ["easy", "medium", "hard", "very-hard"] {
        let made = json(&["laser", "generate", "--difficulty", grade, "--json"]);
        assert_eq!(made["grade"], grade, "{made}");
    }
}

#[test]
fn recipes_that_cannot_be_followed() {
    for (options, talk) in [
        (&["--size", "2x9"] as &[&str], "3 to 32 columns and rows"),
        (&["--size", "99999999999x9"], "a side is at most"),
        (&["--size", "4x4", "--pieces", "9"], "have no room"),
        (&["--pieces", "0"], "at least one piece"),
        (&["--pieces", "2Q"], "kinds like"),
        (&["--walls", "99"], "percent"),
        (&["--difficulty", "silly"], "very-hard"),
        (
            &["--pieces", "9", "--difficulty", "easy"],
            "9 pieces is never easy, which takes 7 pieces at most",
        ),
    ] {
        CliTestCase {
            line: &[&["laser", "generate"], options].concat(),
            input: "",
            code: 2,
            out: &[],
            talk: &[talk],
        }
        .check();
    }
}

/// Issue 27, item 3.6: nothing came of it in twenty seconds.
#[test]
fn a_large_level_is_made_and_what_is_out_of_reach_is_said() {
    let made = json(&[
        "laser", "generate", "--size", "18x18", "--pieces", "9", "--json",
    ]);
    assert_eq!((&made["pieces"], &made["width"]), (&9.into(), &18.into()));
    assert_eq!(made["solution"].as_array().unwrap().len(), 9);
    CliTestCase {
        line: &[
            "laser", "generate", "--size", "20x20", "--pieces", "60", "--walls", "0",
        ],
        input: "",
        code: 1,
        out: &[],
        talk: &[
            "60 pieces are out of reach on 20 x 20",
            "hint: fewer --pieces",
        ],
    }
    .check();
}

#[test]
fn the_built_in_levels_are_listed() {
    let report = json(&["laser", "levels", "--json"]);
    let levels = report["levels"].as_array().unwrap();
    let named = |name: &str| levels.iter().any(|level| level["name"] == name);
    assert!(named("threeway") && named("easy-01") && named("very-hard-25"));
    assert!(levels.len() >= 116, "{}", levels.len());
    let said = out(&["laser", "levels", "very-hard"]);
    assert_eq!(said.lines().count(), 25, "{said}");
    assert!(said.starts_with("very-hard-01  "), "{said}");
    CliTestCase {
        line: &["laser", "levels", "xyzzy"],
        input: "",
        code: 1,
        out: &[],
        talk: &["no built-in level has the word xyzzy"],
    }
    .check();
}

/// What a level says that is played through a pipe.
fn played(level: &str, lines: &str) -> String {
    let folder = CliTestFolder::new();
    let file = folder.write("a.level", level);
    out_with(&["laser", "play", &file], lines)
}

#[test]
fn a_level_is_played_through_a_pipe() {
    let said = played(
        ONE_MOVE,
        "hint\nmove 3,2 1,1\nundo\n3,2 2,2\nundo\nredo\nquit\n",
    );
    let mut rest = said.as_str();
    for wanted in [
        "a.level: 5 x 4, 1 piece to move",
        "0 of 1 sensors lit, moves 0\n",
        "move M/ from 3,2 to 2,2, the last move\n",
        "moved M/ from 3,2 to 1,1\n",
        "moves 1\n",
        "undone",
        "moves 0\n",
        "1 of 1 sensors lit, moves 1\n",
        "solved in 1 move, and fewer will not do\n",
        "undone",
        "redone",
        "solved in 1 move",
    ] {
        let place = rest.find(wanted);
        let place = place.unwrap_or_else(|| panic!("no {wanted:?} left in {said}"));
        rest = &rest[place + wanted.len()..];
    }
    // the end of the input is as good as quit
    assert!(played(SOLVED, "").contains("it is solved as it stands\n"));
    assert!(played(BLIND, "").contains("there is no sensor"));
}

#[test]
fn what_cannot_be_played_is_told() {
    let folder = CliTestFolder::new();
    let file = folder.write("a.level", NEVER);
    CliTestCase {
        line: &["laser", "play", &file],
        input: "fly\nmove 0,0 1,1\nmove 3,2 3,2\nmove 3,2 9,9\nmove 3,2 0,2\nundo\nhint\nmove\n",
        code: 0,
        out: &["0 of 1 sensors lit, moves 0\n"],
        talk: &[
            "`fly` is no command",
            "at 0,0 is a wall, which cannot be moved",
            "from 3,2 to itself is no move",
            "there is no cell 9,9 on the board",
            "at 0,2 is a laser, which stays where it is",
            "there is no move to take back",
            "cannot be solved",
            "move needs two places",
        ],
    }
    .check();
}

#[test]
fn a_level_is_drawn() {
    let small = out_with(
        &["laser", "show", "-", "--size", "small", "--no-rulers"],
        SOLVED,
    );
    assert_eq!(small, "▒▒▒▒*v▒▒▒▒\n▒▒ · │ ·▒▒\nL>──M/ ·▒▒\n▒▒▒▒▒▒▒▒▒▒\n");
    let solved = out_with(
        &[
            "laser",
            "show",
            "-",
            "--size",
            "small",
            "--no-rulers",
            "--solved",
        ],
        ONE_MOVE,
    );
    assert_eq!(solved, small);
    let text = out_with(&["laser", "show", "-", "--text"], ONE_MOVE);
    assert_eq!(out_with(&["laser", "show", "-", "--text"], &text), text);
    CliTestCase {
        line: &["laser", "show", "-"],
        input: SOLVED,
        code: 0,
        out: &["0   1   2   3   4"],
        talk: &["the sensor is lit: solved"],
    }
    .check();
}
