//! `gridpaper random`.

use crate::{CliTestCase, out, out_with};
use serde_json::Value;

#[test]
fn the_same_seed_gives_the_same_soup() {
    let first = out(&["random", "40x30", "--seed", "7"]);
    assert_eq!(first, out(&["random", "40x30", "--seed", "7"]));
    assert_ne!(first, out(&["random", "40x30", "--seed", "8"]));
    assert!(first.contains("x = 40, y = 30, rule = B3/S23"), "{first}");
    assert!(first.contains("seed 7"), "{first}");
}

/// The soup of this seed, for ever and on every machine.
#[test]
fn a_soup_does_not_change_between_versions() {
    let soup = out(&["random", "16x2", "--seed", "7"]);
    assert!(soup.contains("\n2o3b2obob2ob2o$5ob4ob2o2bo!\n"), "{soup}");
}

#[test]
fn counts_are_exact() {
    for (line, expected) in [
        (&["random", "20x20", "--count", "123"][..], 123),
        (&["random", "20x20", "--count", "0"], 0),
        (&["random", "20x20", "--count", "400"], 400),
        (
            &["random", "21x21", "--count", "37", "--symmetry", "D8"],
            37,
        ),
        (&["random", "9x9", "--density", "1"], 81),
        (
            &[
                "random", "9x9", "--states", "4", "--count", "50", "--rule", "345/2/4",
            ],
            50,
        ),
    ] {
        let soup = out(line);
        let report = out_with(&["run", "-", "--gens", "0", "--json"], &soup);
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["population"], expected, "{line:?}");
    }
}

#[test]
fn what_cannot_be_made_is_refused() {
    let rows: &[(&[&str], &[&str])] = &[
        (&["random", "9x9", "--density", "1.5"], &["--density 1.5"]),
        (&["random", "9x9", "--count", "82"], &["81 cells"]),
        (
            &["random", "4x4", "--symmetry", "C2", "--count", "3"],
            &["C2", "3 live", "hint:"],
        ),
        (&["random", "4x5", "--symmetry", "C4"], &["square"]),
        (&["random", "4x4", "--symmetry", "D9"], &["D4x", "D8"]),
        (
            &["random", "4x4", "--states", "3", "--rule", "B3/S23"],
            &["2 states"],
        ),
        (&["random", "4x4", "--states", "1"], &["--states"]),
        (&["random", "100000x100000"], &["cells"]),
        (
            &["random", "9x9", "--density", "0.1", "--count", "3"],
            &["cannot be used with"],
        ),
        (&["random", "0x9"], &["at least 1"]),
    ];
    for (line, talk) in rows {
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk,
        }
        .check();
    }
}

#[test]
fn the_seed_is_told() {
    CliTestCase {
        line: &["random", "4x4"],
        input: "",
        code: 0,
        out: &["x = 4, y = 4"],
        talk: &["seed 0"],
    }
    .check();
}
