//! `gridpaper search`.

use crate::{CliTestCase, CliTestFolder, command, json, out, text, with_input};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn check(line: &[&str], code: i32, out: &[&str], talk: &[&str]) {
    let line: Vec<&str> = ["search"].iter().chain(line).copied().collect();
    CliTestCase {
        line: &line,
        input: "",
        code,
        out,
        talk,
    }
    .check();
}

/// All lines of standard output as JSON.
fn rows(line: &[&str]) -> Vec<Value> {
    let line: Vec<&str> = ["search"]
        .iter()
        .chain(line)
        .chain(&["--json"])
        .copied()
        .collect();
    let lines = out(&line);
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn what_is_found_is_named_and_what_is_not_there_is_proven() {
    let ship = |velocity, size| ["ship", "--velocity", velocity, "--size", size];
    check(
        &["osc", "--period", "3", "--size", "5x5"],
        1,
        &[],
        &["no oscillator of period 3 in a 5 x 5 box, C1, B3/S23"],
    );
    check(
        &ship("(1,1)c/4", "4x4"),
        0,
        &["#C xq4_153: glider", "rule = B3/S23"],
        &[],
    );
    check(
        &ship("c/3", "16x5"),
        0,
        &["xq3_16614e8o4aa82cc2: 25P3H1V0.1"],
        &[],
    );
    check(
        &ship("c/2", "8x6"),
        1,
        &[],
        &["no spaceship of c/2 in a 8 x 6 box"],
    );
    // in a box that is no square both ways are gone
    let found = rows(&ship("2c/4", "7x5"));
    assert_eq!(found.len(), 1);
    let ship = &found[0];
    assert_eq!(
        (&ship["apgcode"], &ship["kind"]),
        (&"xq4_6frc".into(), &"spaceship".into())
    );
    assert_eq!(
        (&ship["period"], &ship["dx"], &ship["dy"]),
        (&4.into(), &2.into(), &0.into())
    );
    assert_eq!(
        (&ship["population"], &ship["box"]),
        (&9.into(), &vec![7, 5].into())
    );
    // its RLE runs
    let run = with_input(
        &["identify", "-", "--json"],
        ship["rle"].as_str().unwrap().as_bytes(),
    );
    assert!(text(&run.stdout).contains("lightweight spaceship"));
}

#[test]
fn all_are_told_once_by_every_engine() {
    for engine in ["sat", "cells"] {
        let found = rows(&["still", "--size", "4x4", "--all", "--engine", engine]);
        let mut codes: Vec<&str> = found
            .iter()
            .map(|row| row["apgcode"].as_str().unwrap())
            .collect();
        codes.sort_unstable();
        let expected = "xs4_252 xs4_33 xs5_253 xs6_25a4 xs6_356 xs6_39c xs6_696 xs6_bd xs7_178c \
                        xs7_2596 xs7_25ac xs8_35ac xs8_6996";
        assert_eq!(
            codes,
            expected.split_whitespace().collect::<Vec<_>>(),
            "{engine}"
        );
        let gliders = rows(&[
            "ship",
            "--velocity",
            "c/4 diagonal",
            "--size",
            "4x4",
            "--all",
            "--engine",
            engine,
        ]);
        assert_eq!(gliders.len(), 1, "{engine}");
    }
    assert_eq!(rows(&["still", "--size", "4x4", "--limit", "5"]).len(), 5);
}

#[test]
fn counts_are_those_of_the_encyclopedia_of_sequences() {
    // OEIS A136278 and A055397
    for (size, count, densest) in [
        ("1x1", 1, 0),
        ("3x3", 12, 6),
        ("5x5", 417, 16),
        ("6x6", 3928, 18),
    ] {
        let counted = json(&["search", "still", "--size", size, "--count", "--json"]);
        assert_eq!(
            counted,
            serde_json::json!({"count": count, "complete": true})
        );
        assert_eq!(
            json(&["search", "still", "--size", size, "--densest", "--json"])["densest"],
            densest
        );
    }
    check(
        &["still", "--size", "4x4", "--count"],
        0,
        &["83 still lifes lie in a 4 x 4 box"],
        &[],
    );
    check(
        &["still", "--size", "4x4", "--count", "--symmetry", "C2"],
        2,
        &[],
        &["--count and --densest are of all"],
    );
}

#[test]
fn still_lifes_of_few_cells_are_as_many_as_published() {
    // OEIS A019473 and A056613, 4 to 10 cells
    let found = rows(&["still", "--max-cells", "10", "--all"]);
    let of = |kind: &str| found.iter().filter(|row| row["kind"] == kind).count();
    assert_eq!(of("still_life"), 2 + 1 + 5 + 4 + 9 + 10 + 25);
    assert_eq!(of("pseudo_still_life"), 1 + 1 + 7);
    check(&["still"], 2, &[], &["--size"]);
    check(
        &["still", "--max-cells", "3"],
        1,
        &[],
        &["no still life has 0 to 3 cells"],
    );
}

#[test]
fn ships_of_any_height_go_row_by_row() {
    let by_rows = |velocity, width, symmetry| {
        [
            "ship",
            "--velocity",
            velocity,
            "--width",
            width,
            "--symmetry",
            symmetry,
        ]
    };
    check(
        &by_rows("c/3", "6", "even"),
        0,
        &["xq3_3u0228mc53bgzof0882d6koq1: turtle"],
        &[],
    );
    check(
        &by_rows("c/4", "5", "even"),
        1,
        &[],
        &["of any height", "rows has gone through all"],
    );
    check(
        &by_rows("(1,1)c/4", "5", "even"),
        2,
        &[],
        &["along columns", "--size"],
    );
    check(
        &by_rows("c/3", "6", "D2|"),
        2,
        &[],
        &["`D2|` is no symmetry of rows: none, odd, even or gutter"],
    );
    let all = by_rows("c/3", "6", "even");
    let all = |more: &[&'static str]| all.iter().chain(more).copied().collect::<Vec<_>>();
    check(
        &all(&["--all"]),
        0,
        &["turtle"],
        &["these are all: 1; what may follow behind a ship was not searched"],
    );
    check(
        &all(&["--all", "--tagalongs"]),
        0,
        &["turtle"],
        &["these are all: 1\n"],
    );
    let in_box = ["ship", "--velocity", "c/3", "--size", "5x5", "--tagalongs"];
    check(&in_box, 2, &[], &["--tagalongs"]);
}

/// CaDiCaL is the solver where it is built in.
#[cfg(feature = "cadical")]
#[test]
fn cadical_finds_and_excludes_what_cells_does() {
    let questions: [&[&str]; 3] = [
        &["osc", "--period", "2", "--size", "5x5"],
        &["still", "--size", "4x5"],
        &["ship", "--velocity", "c/4 diagonal", "--size", "5x5"],
    ];
    for question in questions {
        let codes = |engine: &str| {
            let line = [question, &["--all", "--engine", engine]].concat();
            let found = rows(&line);
            let codes = found.iter().map(|row| row["apgcode"].to_string());
            codes.collect::<BTreeSet<_>>()
        };
        let by_cells = codes("cells");
        assert!(!by_cells.is_empty(), "{question:?}");
        assert_eq!(codes("sat"), by_cells, "{question:?}");
    }
    let none = ["osc", "--period", "3", "--size", "5x5", "--engine", "sat"];
    check(
        &none,
        1,
        &[],
        &["the engine sat has gone through all of it"],
    );
}

#[test]
fn a_proof_is_written_and_holds() {
    let folder = CliTestFolder::new();
    let (proof, formula) = (folder.path("p.drat"), folder.path("p.cnf"));
    let question = ["osc", "--period", "3", "--size", "4x4", "--proof", &proof];
    check(&question, 1, &[], &["the proof is in", "search verify"]);
    check(&["verify", &formula, &proof], 0, &["the proof holds"], &[]);
    let shorter: String = std::fs::read_to_string(&proof)
        .unwrap()
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(&proof, shorter).unwrap();
    check(
        &["verify", &formula, &proof],
        2,
        &[],
        &["without a contradiction"],
    );
    let both = [
        "ship",
        "--velocity",
        "2c/4",
        "--size",
        "4x5",
        "--proof",
        &proof,
    ];
    check(
        &both,
        2,
        &[],
        &[
            "--proof is of one direction, and 2 are asked for",
            "(0,1)c/3",
        ],
    );
    let cells = [
        "osc", "--period", "3", "--size", "4x4", "--engine", "cells", "--proof", &proof,
    ];
    check(&cells, 2, &[], &["the engine sat writes proofs"]);
}

#[test]
fn a_stopped_search_goes_on() {
    let folder = CliTestFolder::new();
    let saved = folder.path("saved");
    let of = |period| {
        [
            "osc",
            "--period",
            period,
            "--size",
            "13x13",
            "--symmetry",
            "D8",
        ]
    };
    let question = ["search"].into_iter().chain(of("4"));
    let question: Vec<&str> = question.chain(["--engine", "cells"]).collect();
    let line = |more: &[&str]| {
        let line: Vec<String> = question
            .iter()
            .chain(more)
            .map(ToString::to_string)
            .collect();
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        with_input(&line, b"")
    };
    let stopped = line(&["--time", "0.001", "--save", &saved]);
    assert_eq!(stopped.status.code(), Some(3), "{}", text(&stopped.stderr));
    assert!(text(&stopped.stderr).contains("--resume goes on"));
    let first = std::fs::read_to_string(&saved).unwrap();
    let head = "gridpaper search 2\nquestion search osc: period 4 in a 13 x 13 box, D8, B3/S23\n";
    assert!(first.starts_with(head), "{first}");
    let went_on = line(&["--resume", &saved]);
    assert_eq!(went_on.status.code(), Some(1), "{}", text(&went_on.stderr));
    let refused = |period, words: &[&str]| {
        let line: Vec<&str> = of(period).into_iter().chain(["--resume", &saved]).collect();
        check(&line, 2, &[], words);
    };
    refused(
        "3",
        &[
            "saved from another question",
            "it is of: search osc: period 4",
        ],
    );
    std::fs::write(&saved, first.replace("search 2", "search 7")).unwrap();
    refused("4", &["another version"]);
    std::fs::write(&saved, "something else").unwrap();
    refused("4", &["no saved search"]);
    // the words are the same, and the drawing is not
    let drawing = folder.path("drawing");
    let fill = |cells: &str, more: &[&str]| {
        std::fs::write(&drawing, cells).unwrap();
        let line = ["search", "fill", &drawing, "--period", "2"];
        let line: Vec<&str> = line.iter().chain(more).copied().collect();
        with_input(&line, b"")
    };
    let free = "6?$6?$6?$6?$6?$6?!";
    let stopped = fill(free, &["--all", "--time", "0.001", "--save", &saved]);
    assert_eq!(stopped.status.code(), Some(3), "{}", text(&stopped.stderr));
    assert_eq!(fill(free, &["--resume", &saved]).status.code(), Some(0));
    let other = fill("6?$6?$2?2o2?$6?$6?$6?!", &["--resume", &saved]);
    assert_eq!(other.status.code(), Some(2), "{}", text(&other.stderr));
    assert!(text(&other.stderr).contains("the cells that it is about are not"));
}

/// The codes in the lines of a search with `--json`.
fn codes(lines: &[u8]) -> BTreeSet<String> {
    let rows = text(lines);
    let rows = rows.lines().map(|line| {
        let row: Value = serde_json::from_str(line).unwrap();
        row["apgcode"].as_str().unwrap().to_owned()
    });
    rows.collect()
}

/// Killed, and ended with Ctrl-C.
#[cfg(unix)]
#[test]
fn a_search_that_was_ended_goes_on_to_the_same_end() {
    let folder = CliTestFolder::new();
    let question = [
        "search",
        "ship",
        "--velocity",
        "c/3",
        "--width",
        "8",
        "--symmetry",
        "odd",
        "--all",
        "--json",
        "--threads",
        "1",
    ];
    let whole = codes(out(&question).as_bytes());
    for (signal, code) in [("KILL", None), ("INT", Some(130))] {
        // one that ended before the signal came is started again
        let ended = (0..50).find_map(|number| {
            let saved = folder.path(&format!("saved {signal} {number}"));
            let mut child = command(&question)
                .args(["--save", &saved, "--save-every", "0.000001"])
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            while !Path::new(&saved).exists() && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            // it may have ended by itself
            let _ = std::process::Command::new("kill")
                .args(["-s", signal, &child.id().to_string()])
                .stderr(Stdio::null())
                .status();
            let output = child.wait_with_output().unwrap();
            (output.status.code() == code).then_some((saved, output))
        });
        let (saved, output) = ended.expect("it takes longer than to be saved once");
        let talk = text(&output.stderr);
        assert!(
            code.is_none() || talk.contains("--resume goes on"),
            "{talk}"
        );
        let told = output.stdout;
        let whole_lines = told.iter().rposition(|&byte| byte == b'\n');
        let mut found = codes(&told[..whole_lines.map_or(0, |end| end + 1)]);
        let rest: Vec<&str> = question
            .iter()
            .copied()
            .chain(["--resume", &saved])
            .collect();
        let rest = with_input(&rest, b"");
        assert_eq!(rest.status.code(), Some(0), "{}", text(&rest.stderr));
        assert!(text(&rest.stderr).contains(&format!("these are all: {}", whole.len())));
        found.extend(codes(&rest.stdout));
        assert_eq!(found, whole);
    }
}

#[test]
fn what_repeats_is_counted_in_its_box() {
    for engine in ["auto", "cells"] {
        let osc = |size, more: &[&str]| {
            let line = [
                "search", "osc", "--size", size, "--count", "--json", "--engine", engine,
            ];
            let line: Vec<&str> = line.iter().chain(more).copied().collect();
            json(&line)["count"].clone()
        };
        assert_eq!(osc("5x5", &["--period", "2"]), 86, "{engine}");
        assert_eq!(osc("4x4", &["--period", "1"]), 83, "A136278, {engine}");
        let with_still_lifes = osc("4x4", &["--period", "2", "--subperiod"]);
        assert_eq!(
            with_still_lifes,
            83 + osc("4x4", &["--period", "2"]).as_i64().unwrap()
        );
    }
    // four phases of a glider in 4 x 4, in one direction or in all four
    let gliders = |velocity| {
        let line = [
            "search",
            "ship",
            "--velocity",
            velocity,
            "--size",
            "4x4",
            "--count",
            "--json",
        ];
        json(&line)["count"].as_i64().unwrap()
    };
    assert!(gliders("(1,1)c/4") > 0);
    check(
        &[
            "osc",
            "--period",
            "2",
            "--size",
            "4x4",
            "--count",
            "--max-cells",
            "3",
        ],
        2,
        &[],
        &["--max-cells"],
    );
}

#[test]
fn cubes_together_are_the_search() {
    let question = ["osc", "--period", "2", "--size", "6x6", "--all"];
    let whole: BTreeSet<String> = rows(&question)
        .iter()
        .map(|row| row["apgcode"].to_string())
        .collect();
    let with = |more: &[&str]| -> Vec<String> {
        let line = ["search"].iter().chain(&question).chain(more);
        line.map(ToString::to_string).collect()
    };
    let count = with(&["--cubes", "3", "--json"]);
    let count: Vec<&str> = count.iter().map(String::as_str).collect();
    assert_eq!(json(&count)["cubes"], 8);
    let mut found = BTreeSet::new();
    for number in 0..3 {
        let cube = format!("{number}/3");
        let line = with(&["--cubes", "3", "--cube", &cube, "--json"]);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let lines = text(&with_input(&line, b"").stdout);
        found.extend(lines.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            row["apgcode"].to_string()
        }));
    }
    assert_eq!(found, whole);
    let none = [
        "osc", "--period", "3", "--size", "5x5", "--cubes", "2", "--cube",
    ];
    let none = |cube| none.iter().copied().chain([cube]).collect::<Vec<_>>();
    check(&none("1/2"), 1, &[], &["in the cubes 1/2 of 4"]);
    check(&none("5/2"), 2, &[], &["with K below N"]);
    check(&none("5/9"), 2, &[], &["there are 4 cubes"]);
}

#[test]
fn parents_become_their_children_and_orphans_have_none() {
    for pattern in ["glider", "block", "pulsar"] {
        let found = rows(&["predecessor", pattern]);
        assert_eq!(found[0]["kind"], "predecessor");
    }
    let fewest = rows(&["predecessor", "xs4_33", "--fewest"]);
    assert_eq!(fewest[0]["population"], 3);
    let count = json(&[
        "search",
        "predecessor",
        "o!",
        "--count",
        "--margin",
        "0",
        "--json",
    ]);
    assert_eq!(count["count"], 140);
    // a cell that is not asked for leaves three cells of the parents open
    let free = |pattern: &str| {
        let line = ["predecessor", pattern, "--count", "--margin", "0"];
        rows(&line)[0]["count"].clone()
    };
    assert_eq!((free("o?!"), free("?!")), ((140 * 8).into(), 512.into()));
    assert_eq!(rows(&["predecessor", "?o$oo!"]).len(), 1);
    check(&["predecessor", "?o!oo!"], 2, &[], &["a single generation"]);
    check(
        &["predecessor", "?;!"],
        2,
        &[],
        &["the pattern: line 1, column 2"],
    );
    // nothing is born in this rule, so a live cell has only itself to come from
    check(
        &["predecessor", "3o!", "--rule", "B/S0"],
        1,
        &[],
        &["nothing becomes the pattern in one generation"],
    );
    check(
        &["orphan", "--size", "2x2", "--rule", "B/S"],
        0,
        &["search orphan"],
        &[],
    );
    check(
        &["orphan", "--size", "3x3", "--beam", "4"],
        3,
        &[],
        &["that proves nothing"],
    );
}

#[test]
fn tori_and_drawings_are_filled() {
    let agar = rows(&["agar", "--period", "2", "--torus", "4x4"]);
    assert_eq!(
        (&agar[0]["rule"], &agar[0]["period"]),
        (&"B3/S23:T4,4".into(), &2.into())
    );
    check(
        &["agar", "--torus", "4"],
        2,
        &[],
        &["such as 4x4, or 4x3+1"],
    );
    let folder = CliTestFolder::new();
    let file = folder.path("f.rle");
    std::fs::write(&file, "3?$3?$3?!\n.o.$.o.$.o.!").unwrap();
    check(&["fill", &file], 0, &["3o!"], &[]);
    std::fs::write(&file, "x = 4, y = 4\n4?$?oo?$4?$4?!").unwrap();
    check(&["fill", &file, "--period", "1"], 0, &["#C xs"], &[]);
    check(&["fill", &file], 2, &[], &["one generation is drawn"]);
    std::fs::write(&file, "o;").unwrap();
    check(
        &["fill", &file, "--period", "1"],
        2,
        &[],
        &["line 1, column 2: `;` is no cell"],
    );
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let rows: &[(&[&str], &str)] = &[
        (
            &[
                "osc",
                "--period",
                "2",
                "--size",
                "4x4",
                "--min-cells",
                "7",
                "--max-cells",
                "6",
            ],
            "no pattern has 7 cells or more and 6 or fewer",
        ),
        (
            &["still", "--min-cells", "7", "--max-cells", "6"],
            "no pattern has 7 cells or more and 6 or fewer",
        ),
        (
            &[
                "agar",
                "--period",
                "2",
                "--torus",
                "4x4",
                "--min-cells",
                "7",
                "--max-cells",
                "6",
            ],
            "no pattern has 7 cells or more and 6 or fewer",
        ),
        (
            &["ship", "--velocity", "3c/4", "--size", "5x5"],
            "cannot be reached: in Life",
        ),
        (
            &["ship", "--velocity", "c", "--size", "5x5"],
            "`c` is no velocity",
        ),
        (
            &[
                "ship",
                "--velocity",
                "c/3",
                "--size",
                "5x5",
                "--symmetry",
                "C4",
            ],
            "a pattern of symmetry C4 cannot move at c/3",
        ),
        (
            &[
                "ship",
                "--velocity",
                "c/3",
                "--period",
                "4",
                "--size",
                "5x5",
            ],
            "--period 4 is not the period",
        ),
        (
            &["osc", "--period", "4", "--size", "4x5", "--symmetry", "D8"],
            "D8 needs a square box",
        ),
        (
            &[
                "osc",
                "--period",
                "4",
                "--size",
                "4x5",
                "--transform",
                "R90",
            ],
            "R90 needs a square box",
        ),
        (&["osc", "--period", "0", "--size", "4x5"], "0 is not in"),
        (
            &["osc", "--period", "4", "--size", "5000x5000"],
            "more than",
        ),
        (
            &[
                "osc",
                "--period",
                "2",
                "--size",
                "5x5",
                "--rule",
                "R2,C2,S2-4,B3,NN",
            ],
            "looks 2 cells far",
        ),
        (
            &["osc", "--period", "3", "--size", "5x5", "--rule", "B0/S"],
            "is no multiple",
        ),
        (
            &[
                "osc", "--period", "3", "--size", "5x5", "--resume", "nowhere",
            ],
            "nowhere: ",
        ),
        (
            &[
                "osc",
                "--period",
                "3",
                "--size",
                "5x5",
                "--save",
                "no/such/folder",
            ],
            "there is no folder",
        ),
        (&["verify", "a", "b"], "a: "),
        (
            &["orphan", "--size", "3x3", "--cubes", "2"],
            "--cubes: a search for an orphan goes without it",
        ),
        (&["orphan", "--size", "3x3", "--all"], "ends with the first"),
        (
            &["predecessor", "o!", "--count", "--cubes", "2"],
            "--cubes: --count goes without it",
        ),
        (
            &["predecessor", "o!", "--fewest", "--save", "a"],
            "--save: --fewest goes without it",
        ),
        (
            &["still", "--size", "4x4", "--densest", "--proof", "a"],
            "--proof: --densest goes without it",
        ),
        (
            &["still", "--max-cells", "5", "--cubes", "2"],
            "--cubes: a list of still lifes goes without it",
        ),
    ];
    for (line, words) in rows {
        check(line, 2, &[], &[words]);
    }
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut child = command(&["search", "still", "--size", "5x5", "--all"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// A plan of some cubes, in whatever shares and by whatever threads, has the bytes of one run.
#[test]
fn parts_of_a_search_merge_into_the_same_bytes() {
    let folder = CliTestFolder::new();
    let plan = folder.path("osc.toml");
    std::fs::write(
        &plan,
        "search = 'osc'\nperiod = 2\nsize = '5x5'\ncubes = 4\n",
    )
    .unwrap();
    let parts = |name: &str| folder.path(name);
    let go = |name: &str, more: &[&str]| {
        let line = ["search", "run", &plan, "--out", &parts(name)];
        out(&[&line[..], more].concat())
    };
    let result = |name: &str| out(&["merge", &parts(name), "-o", "-"]);
    assert!(go("one", &["--threads", "1"]).ends_with("1-of-1.gpart: 16 new units\n"));
    let expected = result("one");
    let words: Value = serde_json::from_str(&expected).unwrap();
    let found = words["found"].as_array().unwrap();
    let all = rows(&["osc", "--period", "2", "--size", "5x5", "--all"]);
    let sorted = |rows: &[Value]| -> BTreeSet<String> {
        let codes = rows.iter().map(|row| row["apgcode"].as_str().unwrap());
        codes.map(str::to_string).collect()
    };
    assert_eq!(sorted(found), sorted(&all));
    assert_eq!(found.len(), all.len());
    // the same command finds nothing to do
    assert!(go("one", &[]).ends_with("1-of-1.gpart: 0 new units\n"));

    go("some", &["--shard", "2/3"]);
    go("some", &["--units", "0,3-4"]);
    let merge = ["merge", &parts("some"), "-o", &folder.path("result")];
    let output = with_input(&merge, b"");
    assert_eq!(output.status.code(), Some(1));
    // the second of three shares has 1, 4, 7, 10 and 13
    assert_eq!(text(&output.stdout), "2,5-6,8-9,11-12,14-15\n");
    assert!(text(&output.stderr).contains("`gridpaper search run` with --units"));
    go("some", &["--shard", "1/2", "--threads", "2"]);
    go("some", &["--shard", "2/2"]);
    assert_eq!(result("some"), expected);
    // any hundredth again gives the same
    out(&["merge", &parts("one"), &parts("some"), "--check", "30%"]);
    let part = format!("{}/1-of-1.gpart", parts("one"));
    let shown = out(&["merge", &part]);
    assert!(
        shown.contains("xp2_7 ") && shown.contains("blinker"),
        "{shown}"
    );

    // parts of another plan, and a census, are refused by name
    let other = folder.path("other.toml");
    std::fs::write(
        &other,
        "search = 'osc'\nperiod = 3\nsize = '5x5'\ncubes = 1\n",
    )
    .unwrap();
    let refused = |line: &[&str], words: &str| {
        let output = with_input(line, b"");
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
        assert!(
            text(&output.stderr).contains(words),
            "{}",
            text(&output.stderr)
        );
    };
    let line = ["search", "run", &other, "--out", &parts("one")];
    refused(
        &line,
        "the cubes of this part is 4, and not 1 as in the plan",
    );
    out(&["search", "run", &other, "--out", &parts("none")]);
    refused(
        &["merge", &part, &parts("none")],
        "the cubes of this part is 1, and not 4 as in",
    );
    std::fs::write(&other, "search = 'osc'\nsize = '5x5'\n").unwrap();
    refused(&["search", "run", &other], "missing field `cubes`");
    // nothing to be found is an answer
    let output = with_input(&["merge", &parts("none")], b"");
    assert_eq!(output.status.code(), Some(1));
    let words = "there is none: all 2 units were gone through";
    assert!(
        text(&output.stderr).contains(words),
        "{}",
        text(&output.stderr)
    );
}
