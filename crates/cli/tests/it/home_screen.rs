//! `gridpaper` alone on a terminal: the rooms, and the way in and back.

use crate::play_screen::play_to_the_end;
use crate::terminal::Terminal;
use crate::{CliTestFolder, with_input};

#[test]
fn one_goes_from_room_to_room_and_comes_back() {
    let mut terminal = Terminal::start(&[], 80, 24);
    terminal.wait_for(&["gridpaper", "worlds", "replays", "arena", "classroom"]);
    terminal.press("l");
    terminal.wait_for(&["laser   simple-mirror"]);
    // what is pressed while one room goes and the next comes is not lost
    terminal.press("qp");
    terminal.wait_for(&["who plays what", "tictactoe", "perfect"]);
    terminal.press("\r");
    terminal.wait_for(&["you move"]);
    let end = play_to_the_end(&mut terminal);
    assert!(!end.contains("you have won"), "{end}");
    terminal.press("q");
    terminal.wait_for(&["worlds on squared paper"]);
    terminal.press("c");
    terminal.wait_for(&["round 0", "stays dead"]);
    terminal.press("\r");
    terminal.wait_for(&["round 1"]);
    terminal.press("qw");
    terminal.wait_for(&["B3/S23"]);
    terminal.press("q");
    terminal.wait_for(&["worlds on squared paper"]);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn files_are_offered_and_one_that_is_not_there_is_told() {
    let mut terminal = Terminal::start(&[], 80, 24);
    terminal.wait_for(&["worlds on squared paper"]);
    terminal.press("r");
    terminal.wait_for(&["games kept by"]);
    terminal.press("/nowhere.replay\r");
    terminal.wait_for(&["no such file or directory"]);
    terminal.press("\x1b");
    terminal.wait_for(&["worlds on squared paper"]);
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_terminal_that_is_closed_ends_it_without_a_panic() {
    for line in [&[][..], &["play", "tictactoe"], &["view"]] {
        let terminal = Terminal::start(line, 80, 24);
        terminal.wait_for(&["? help"]);
        assert_ne!(terminal.close("j"), 101, "{line:?}");
    }
}

#[test]
fn without_a_terminal_it_is_help() {
    let output = with_input(&[], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: gridpaper"));
}

#[test]
fn a_tournament_is_watched_and_its_table_stays() {
    let folder = CliTestFolder::new();
    let players = "[[player]]\nname = \"dice\"\nplayer = \"random\"\n\n\
                   [[player]]\nname = \"greedy\"\nplayer = \"material\"\n";
    let plan = |pairs: u32| format!("game = \"stones\"\npairs = {pairs}\n\n{players}");
    let file = folder.write("cup.toml", plan(3));
    let terminal = Terminal::start(&["tournament", &file], 100, 24);
    let table = terminal.wait_for(&["rating", "greedy"]);
    assert!(table.contains("dice"), "{table}");
    assert_eq!(terminal.end(), 0);
    // one that has no end soon is stopped
    let file = folder.write("long.toml", plan(1_000_000));
    let mut terminal = Terminal::start(&["tournament", &file], 100, 24);
    terminal.wait_for(&["arena", "of 2000000 games", "q stop"]);
    terminal.press("q");
    terminal.wait_for(&["interrupted: stopped after", "the same command goes on"]);
    assert_eq!(terminal.end(), 130);
}

#[test]
fn a_tournament_that_is_over_is_still_looked_at_from_the_rooms() {
    let folder = CliTestFolder::new();
    let players = "[[player]]\nname = \"dice\"\nplayer = \"random\"\n\n\
                   [[player]]\nname = \"greedy\"\nplayer = \"material\"\n";
    let file = folder.write(
        "cup.toml",
        format!("game = \"tictactoe\"\npairs = 2\n\n{players}"),
    );
    let mut terminal = Terminal::start(&[], 100, 24);
    terminal.wait_for(&["worlds on squared paper"]);
    terminal.press("a");
    terminal.wait_for(&["tournaments: who plays what"]);
    terminal.press(&format!("{file}\r"));
    terminal.wait_for(&["rating", "greedy", "4 of 4 games", "over", "q leave"]);
    terminal.press("q");
    let list = terminal.wait_for(&["tournaments: who plays what"]);
    assert!(!list.contains("stopped"), "{list}");
    terminal.press("\x1b");
    terminal.wait_for(&["worlds on squared paper"]);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_terminal_that_only_prints_lines_is_no_screen() {
    let line = ["play", "tictactoe", "--first", "human"];
    let mut terminal = Terminal::start_as("dumb", &line, 80, 24);
    terminal.wait_for(&["   A B C", "O to move, such as "]);
    terminal.press("q\r");
    assert_eq!(terminal.end(), 0);
    let mut terminal = Terminal::start_as("dumb", &["laser", "play"], 80, 24);
    terminal.wait_for(&["> "]);
    terminal.press("q\r");
    assert_eq!(terminal.end(), 0);
}
