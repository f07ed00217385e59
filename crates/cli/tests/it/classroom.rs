//! `gridpaper classroom`, with what a person would type on standard input.

use crate::{CliTestCase, CliTestFolder, command, out_with, text, with_input};
use std::process::Stdio;

/// A map of three in a row on a board of five by four, played by `input`.
fn played(input: &str, expected: &str) {
    let folder = CliTestFolder::new();
    let map = folder.write("map.cells", "! three\n.....\n.OOO.\n");
    let out = out_with(&["classroom", "base", &map, "--size", "5x4"], input);
    assert_eq!(out, expected, "{input:?}");
}

const START: &str = "round 0\n.....\n.OOO.\n.....\n.....\n";
const NEXT: &str = "round 1\n..O..\n..O..\n..O..\n.....\n";

#[test]
fn each_frame_is_the_round_and_the_board() {
    played("", START);
    played("q\n", START);
    played("\n", &format!("{START}{NEXT}"));
    played("\nq\n\n", &format!("{START}{NEXT}"));
    played("Step\nQUIT\n", &format!("{START}{NEXT}"));
    played(
        "\r\n\r\nq\r\n",
        &format!("{START}{NEXT}{}", START.replace("round 0", "round 2")),
    );
    // without a newline at the end
    played("\nq", &format!("{START}{NEXT}"));
    // a number steps so often, and shows what came of it
    for (input, frame, round) in [("10^3\n", START, 1000), ("101\n", NEXT, 101)] {
        let (_, rows) = frame.split_once('\n').unwrap();
        played(input, &format!("{START}round {round}\n{rows}"));
    }
}

#[test]
fn wrong_commands_are_told_and_change_nothing() {
    CliTestCase {
        line: &["classroom", "extended", "2o$2o!", "--size", "3x3"],
        input: "x\n-1\n\n",
        code: 0,
        out: &["round 0\nOO.\nOO.\n...\nround 1\nOO.\nOO.\n...\n"],
        talk: &["`x` is no command: Enter steps", "`-1` is no command"],
    }
    .check();
}

#[test]
fn s_saves_the_board_under_a_name() {
    let folder = CliTestFolder::new();
    let map = folder.write("map.cells", ".....\n.OOO.\n");
    let line = ["classroom", "base", &map, "--size", "5x4"];
    let saved = folder.path("after.cells");
    let plain = folder.path("plain");
    let rle = folder.path("after.rle");
    let input = format!("\ns\n{saved}\ns {plain}\nsave {rle}\ns\n\ns\n/no/folder/x\nq\n");
    let output = with_input(&line, input.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), format!("{START}{NEXT}"));
    let rows = NEXT.strip_prefix("round 1\n").unwrap();
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&saved), rows);
    assert_eq!(read(&format!("{plain}.cells")), rows);
    assert!(
        read(&rle).contains("rule = base:P5,4\no$o$o!"),
        "{}",
        read(&rle)
    );
    let talk = text(&output.stderr);
    for words in [
        "saved ",
        "no name was given",
        "there is no folder /no/folder",
    ] {
        assert!(talk.contains(words), "no {words} in {talk}");
    }
    // what was saved goes on where it was
    let again = out_with(&["classroom", "base", &saved, "--size", "5x4"], "\n");
    assert!(
        again.ends_with(&START.replace("round 0", "round 1")),
        "{again}"
    );
    // end of input instead of a name
    let output = with_input(&line, b"s\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn maps_are_chosen_by_number_name_or_file() {
    let folder = CliTestFolder::new();
    let map = folder.write("map.cells", "O\n");
    let line = ["classroom", "weighted", "--size", "4x4"];
    let block = "round 0\n....\n.OO.\n.OO.\n....\n";
    let plus = "round 0\n.O..\nOOO.\n.O..\n....\n";
    let rows = [
        ("1\n", block),
        ("weighted-plus\nq\n", plus),
        (&format!("{map}\n"), "round 0\nO...\n....\n....\n....\n"),
        // what cannot be had is told, and asked for again
        ("\n7\nnonsense\n2\n", plus),
        ("q\n", ""),
    ];
    for (input, expected) in rows {
        let output = with_input(&line, input.as_bytes());
        let talk = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{talk}");
        assert_eq!(text(&output.stdout), expected, "{input:?}");
        for words in ["  1  weighted-block", "  2  weighted-plus"] {
            assert!(talk.contains(words), "no {words} in {talk}");
        }
    }
    for rule in ["base", "colorised", "extended", "weighted", "generations"] {
        let output = with_input(&["classroom", rule], b"1\nq\n");
        let out = text(&output.stdout);
        assert_eq!(out.lines().count(), 26, "{rule}: {out}");
    }
}

#[test]
fn options_place_and_bend_the_map() {
    let folder = CliTestFolder::new();
    let red = folder.write("red.cells", "! two\n.R\n");
    let rows: &[(&[&str], &str)] = &[
        (&["colorised", &red], ".R..\n....\n....\n"),
        (&["Coloured", &red, "--cs100"], "....\n.R..\n....\n"),
        (&["colorised", &red, "--centre"], "....\n..R.\n....\n"),
        (&["base", &red, "--lenient"], ".O..\n....\n....\n"),
        (&["generations", &red, "--lenient"], "0100\n0000\n0000\n"),
        (&["colorised", "2o$o!", "--lenient"], "RR..\nR...\n....\n"),
        (&["base", "2o$o!", "--centre"], ".OO.\n.O..\n....\n"),
        (
            &["base", "#CXRLE Pos=-1,0\nx=1,y=1\no!"],
            "....\n.O..\n....\n",
        ),
    ];
    for (words, expected) in rows {
        let line = [&["classroom"], *words, &["--size", "4x3"]].concat();
        assert_eq!(
            out_with(&line, ""),
            format!("round 0\n{expected}"),
            "{words:?}"
        );
    }
}

#[test]
fn what_cannot_be_played_is_refused_with_its_place() {
    let folder = CliTestFolder::new();
    let red = folder.write("red.cells", "..\n.R\n");
    let wide = folder.write("wide.cells", ".....\n");
    let rows: &[(&[&str], &[&str])] = &[
        (
            &["base", &red],
            &["red.cells:2:2: `R` is no state of the rule `base`"],
        ),
        (
            &["base", &wide],
            &["wide.cells:1:5: row 1 has 5 cells, the board has 4 columns"],
        ),
        (&["base", "5o!"], &["5 columns", "hint: --size"]),
        (
            &["base", "#CXRLE Pos=9,0\nx=1,y=1\no!"],
            &["outside the board", "hint: --centre"],
        ),
        (
            &["colorised", "o!"],
            &["state 1 is no state", "hint: --lenient"],
        ),
        (&["base", "-"], &["standard input is read for what to do"]),
        (
            &["B3/S23", &red],
            &["none of the classroom's rules", "hint: take base"],
        ),
        (&["bass", &red], &["no rule is named"]),
        (&["base:P9,9", &red], &["RULE gives a size too"]),
        (&["base", "no/such.cells"], &["no such file"]),
    ];
    for (words, talk) in rows {
        let line = &[&["classroom"], *words, &["--size", "4x3"]].concat();
        CliTestCase {
            line,
            input: "\n",
            code: 2,
            out: &[],
            talk,
        }
        .check();
    }
    CliTestCase {
        line: &["classroom", "base:T9,9", "o!"],
        input: "",
        code: 2,
        out: &[],
        talk: &["dead surroundings"],
    }
    .check();
}

#[test]
fn no_control_codes_reach_a_pipe_and_a_closed_one_is_no_error() {
    let mut line = command(&["classroom", "colorised", "colorised-meeting"]);
    let mut child = line
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
    assert!(text(&output.stdout).contains(".R"));
    let mut child = command(&["classroom", "colorised", "colorised-meeting"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    drop(child.stdin.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

/// A pipe has nobody to choose: the message says what to give.
#[test]
fn a_pipe_is_told_what_to_give() {
    for (line, message, hint) in [
        (
            &["classroom"][..],
            "error: without a terminal, a RULE and a MAP must be given",
            "hint: RULE is base, colorised, extended, weighted or generations: gridpaper",
        ),
        (
            &["classroom", "base"],
            "error: no MAP was given",
            "hint: for example: gridpaper classroom base base-",
        ),
    ] {
        CliTestCase {
            line,
            input: "",
            code: 2,
            out: &[],
            talk: &[message, hint],
        }
        .check();
    }
}
