//! `gridpaper replay`, and the files that `gridpaper match --record` keeps.

use crate::{CliTestCase, CliTestFolder, json, out, text, with_input};

/// Four games of tic-tac-toe, kept.
fn recorded(folder: &CliTestFolder) -> String {
    let path = folder.path("games.replay");
    let line = ["match", "tictactoe", "random", "perfect", "--games", "4"];
    out(&[&line[..], &["--seed", "3", "--record", &path]].concat());
    path
}

#[test]
fn a_match_is_kept_shown_and_checked() {
    let folder = CliTestFolder::new();
    let path = recorded(&folder);
    assert_eq!(folder.names(), ["games.replay"], "no temporary file stays");
    assert_eq!(
        out(&["replay", &path, "--check"]),
        "4 games: as they are said to be\n"
    );
    let shown = out(&["replay", &path]);
    for expected in [
        "game 1: tictactoe, seed 3, opening 0",
        "game 4: tictactoe, seed 3, opening 1",
        "first   random",
        "second  perfect",
        "\nstart\n",
        "\nturn 1: ",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    // the second game of a pair has the same opening and the seats exchanged
    let games: Vec<_> = (1..=2u32)
        .map(|game| json(&["replay", &path, "--json", "--game", &game.to_string()]))
        .collect();
    assert_eq!(games[0]["opening"], games[1]["opening"]);
    assert_eq!(games[0]["first"], games[1]["second"]);
    assert_eq!(
        (&games[0]["pair"], &games[0]["seed"]),
        (&0.into(), &3.into())
    );
}

#[test]
fn what_was_changed_is_refused_with_its_place() {
    let folder = CliTestFolder::new();
    let path = recorded(&folder);
    let kept = std::fs::read_to_string(&path).unwrap();
    let changed = folder.write("changed.replay", kept.replacen("seed 3", "seed 4", 1));
    let output = with_input(&["replay", &changed], b"");
    assert_eq!(output.status.code(), Some(2));
    let talk = text(&output.stderr);
    assert!(talk.contains("changed.replay:"), "{talk}");

    let cut = folder.write("cut.replay", &kept.as_bytes()[..kept.len() / 2]);
    let output = with_input(&["replay", &cut, "--check"], b"");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn files_that_hold_nothing_are_told() {
    let folder = CliTestFolder::new();
    let empty = folder.write("empty.replay", "");
    let rows = [
        (vec!["replay", empty.as_str()], "there is no game in it"),
        (vec!["replay", "nowhere.replay"], "no such file"),
    ];
    for (line, expected) in rows {
        let output = with_input(&line, b"");
        assert_eq!(output.status.code(), Some(2), "{line:?}");
        let talk = text(&output.stderr);
        assert!(talk.contains(expected), "{line:?}: {talk}");
    }
    let path = recorded(&folder);
    let output = with_input(&["replay", &path, "--game", "5"], b"");
    assert!(text(&output.stderr).contains("there is no game 5: the file has 4 games"));
}

#[test]
fn a_replay_comes_through_a_pipe_too() {
    let folder = CliTestFolder::new();
    let path = recorded(&folder);
    let kept = std::fs::read(&path).unwrap();
    let output = with_input(&["replay", "-", "--check"], &kept);
    assert_eq!(text(&output.stdout), "4 games: as they are said to be\n");
}

#[test]
fn games_go_from_a_match_to_a_check_through_a_pipe() {
    let line = ["match", "tictactoe", "random", "random", "--games", "6"];
    let output = with_input(&[&line[..], &["--record", "-"]].concat(), b"");
    assert!(text(&output.stderr).contains("6 games, seed 0"));
    let checked = with_input(&["replay", "-", "--check"], &output.stdout);
    assert_eq!(text(&checked.stdout), "6 games: as they are said to be\n");
}

#[test]
fn games_that_come_with_the_program_need_no_file() {
    for name in ["stones", "duel"] {
        let checked = out(&["replay", name, "--check"]);
        assert_eq!(checked, "1 game: as they are said to be\n");
    }
}

#[test]
fn a_folder_is_no_replay() {
    let folder = CliTestFolder::new();
    let path = folder.path("");
    CliTestCase {
        line: &["replay", &path],
        input: "",
        code: 2,
        out: &[],
        talk: &[
            &format!("error: {path}: is a directory\n"),
            "hint: name a file in it",
        ],
    }
    .check();
}
