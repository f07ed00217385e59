//! `gridpaper play`, as a person at the keyboard or a script meets it.

use crate::{CliTestCase, out_with, text, with_input};

const EMPTY: &str = "   A B C\n 1 . . .\n 2 . . .\n 3 . . .\n";

/// Two people share the keyboard: everything that comes out is known.
#[test]
fn a_game_between_people_scrolls_by() {
    let line = ["play", "tictactoe", "--first", "human", "--second", "human"];
    let out = out_with(&line, "a1\nB1\na2\nb2\na3\nn\n");
    let boards: Vec<&str> = out.split("\n\n").collect();
    assert_eq!(boards.len(), 7, "{out}");
    assert_eq!(format!("{}\n", boards[0]), EMPTY);
    assert_eq!(boards[5], "   A B C\n 1 O X .\n 2 O X .\n 3 O . .");
    assert_eq!(boards[6], "O has won\n");
}

#[test]
fn wrong_input_is_asked_again_with_the_reason() {
    CliTestCase {
        line: &["play", "tictactoe", "--first", "human", "--second", "human"],
        input: "b2\nB2\nE5\nhello\n1\n\nmoves\n?\nback\nq\n",
        code: 0,
        out: &["A1 B1 C1 A2 C2 A3 B3 C3\n", "take your last move back"],
        talk: &[
            "note: B2 is taken",
            "note: E5 is off the board, which goes from A1 to C3",
            "note: `hello` is no move; give a column letter and a row number, such as B2",
            "note: `1` is no move",
        ],
    }
    .check();
}

#[test]
fn a_move_is_taken_back_with_the_answer_to_it() {
    let line = ["play", "tictactoe", "--second", "random", "--seed", "1"];
    let out = out_with(&line, "back\nA1\nback\nC3\nback\nq\n");
    let boards = out.matches(EMPTY).count();
    assert_eq!(boards, 3, "at the start and after each `back`: {out}");
    let output = with_input(&line, b"back\nq\n");
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        talk.contains("there is no move of yours to take back"),
        "{talk}"
    );
}

#[test]
fn the_computer_says_its_move_and_goes_first_when_one_plays_x() {
    let out = out_with(&["play", "tictactoe", "--seed", "5"], "X\nq\n");
    assert!(out.starts_with(EMPTY), "{out}");
    assert_eq!(out.matches("Computer move: ").count(), 1, "{out}");
    let out = out_with(&["play", "tictactoe"], "z\no\nq\n");
    assert_eq!(out.matches("Computer move: ").count(), 0, "{out}");
}

#[test]
fn the_end_of_the_input_ends_the_game_quietly() {
    for input in ["", "o\n", "o\nb2\n", "o\nb2"] {
        let output = with_input(&["play", "tictactoe"], input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{input:?}");
        assert!(output.stderr.is_empty(), "{input:?}: {output:?}");
    }
}

#[test]
fn it_is_played_again_until_nobody_wants_to() {
    let line = [
        "play",
        "mnk:1,1,1",
        "--first",
        "human",
        "--second",
        "random",
    ];
    let out = out_with(&line, "a1\ny\na1\nperhaps\nn\n");
    assert_eq!(out.matches("you have won").count(), 2, "{out}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let line = [
        "play",
        "mnk:5,5,4",
        "--first",
        "random",
        "--second",
        "random",
    ];
    let with = |seed| out_with(&[&line[..], &["--seed", seed]].concat(), "");
    assert_eq!(with("1"), with("1"));
    assert_ne!(with("1"), with("2"));
}

#[test]
fn games_and_players_that_do_not_exist_are_told() {
    let rows: [(&[&str], &str); 3] = [
        (
            &["play", "chess"],
            "there is no game `chess`; the games are tictactoe, ",
        ),
        (
            &["play", "mnk:20,3,3"],
            "mnk: `20`: the columns are a number from 1 to 19",
        ),
        (
            &["play", "tictactoe", "--first", "nobody"],
            "tictactoe has no player `nobody`; its players are random, ",
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

#[test]
fn the_computer_says_why() {
    let out = out_with(&["play", "tictactoe"], "O\nb2\nwhy\nhint\nq\n");
    assert!(out.contains("Computer move: A1\n"), "{out}");
    assert!(out.contains("\nproven: a draw; "), "{out}");
    assert!(out.contains("perfect would play "), "{out}");
}

/// The spec's first turn: cells come and go, mana is paid, and both views are there.
#[test]
fn a_column_is_entered_and_both_views_are_seen() {
    let line = ["play", "duel", "--first", "human", "--second", "human"];
    let input = "1 1 1 0 0 0 0 0\n00000000\n11111111\n00000000\n0000000x\nq\n";
    let output = with_input(&line, input.as_bytes());
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(out.matches("O's view").count(), 2, "{out}");
    assert!(
        out.contains(" 1 O O . . . . . .     1 . . . . . . . ."),
        "{out}"
    );
    assert!(
        out.contains(" 6 . . . . . . . .     6 . . . . . . O O"),
        "{out}"
    );
    assert!(out.contains("mana: O 5, X 6"), "{out}");
    assert!(
        talk.contains("note: that costs 8 mana, and there is 5"),
        "{talk}"
    );
    assert!(talk.contains("note: `0000000x` is no move"), "{talk}");
}

#[test]
fn a_bot_that_fails_has_lost_and_one_may_play_again() {
    let bot = "cmd:sh -c 'read a; exit 3'";
    let line = ["play", "stones", "--second", bot, "--cage", "off"];
    let output = with_input(&line, b"d4\ny\nd4\nn\n");
    let talk = text(&output.stderr);
    assert!(output.status.success(), "{talk}");
    let said = text(&output.stdout);
    let lost = "has lost by a fault: its process ended: exit code 3";
    assert_eq!(said.matches(lost).count(), 2, "{said} {talk}");
}

#[test]
fn a_bot_that_is_not_there_is_told_before_the_game() {
    CliTestCase {
        line: &["play", "stones", "--second", "cmd:/nowhere/bot"],
        input: "d3\n",
        code: 2,
        out: &[],
        talk: &["error: cmd:/nowhere/bot: there is no program /nowhere/bot"],
    }
    .check();
}

/// The rules of a game, and the list of games, by option and in the conversation.
#[test]
fn the_rules_are_printed() {
    for line in [
        &["play", "--rules", "stones"][..],
        &["play", "stones", "--rules"],
    ] {
        let rules = crate::out(line);
        assert!(rules.starts_with("stones: Life on a go board\n"), "{rules}");
        assert!(rules.lines().count() <= 22, "{rules}");
    }
    let list = crate::out(&["play", "--rules"]);
    let row = list.lines().find(|line| line.ends_with("mnk:15,15,5"));
    assert!(
        row.is_some_and(|row| row.starts_with("5 in a row on 15 x 15 ")),
        "{list}"
    );
    let line = ["play", "tictactoe", "--first", "human", "--second", "human"];
    let told = crate::out_with(&line, "rules\n");
    assert!(told.contains("3 of your own in a row"), "{told}");
}
