//! `gridpaper play` and `gridpaper replay` in a real terminal: keys in, a screen out.

use crate::terminal::Terminal;
use crate::{CliTestFolder, out};

const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const END: &str = "\x1b[F";
const HOME: &str = "\x1b[H";
const SHIFT_RIGHT: &str = "\x1b[1;2C";
const ENTER: &str = "\r";

/// How many turns the screen says were played.
pub(crate) fn turns(screen: &str) -> usize {
    let line = screen.lines().next().unwrap_or_default();
    let before = line.split(" turn").next().unwrap_or_default();
    let number = before.rsplit(' ').next().unwrap_or_default();
    number.parse().unwrap_or(0)
}

/// Plays a game of tic-tac-toe to its end with typed moves; the screen at its end.
pub(crate) fn play_to_the_end(terminal: &mut Terminal) -> String {
    let cells = ["B2", "A1", "C3", "A3", "C1", "B1", "A2", "C2", "B3"];
    let mut played = 0;
    for cell in cells {
        terminal.press(&format!(":{cell}{ENTER}"));
        let screen = terminal.wait_until(|screen| {
            let is_answered = turns(screen) >= played + 2 && screen.contains("you move");
            let is_taken = screen.contains(&format!("{cell} is taken"));
            is_answered || is_taken || screen.contains("play again")
        });
        if screen.contains("play again") {
            return screen;
        }
        played = turns(&screen);
    }
    panic!("the game goes on");
}

#[test]
fn a_game_is_played_to_its_end_and_saved() {
    let folder = CliTestFolder::new();
    let path = folder.path("mine.replay");
    let line = ["play", "tictactoe", "--second", "perfect", "--seed", "1"];
    let mut terminal = Terminal::start(&line, 80, 24);
    terminal.wait_for(&["tic-tac-toe", "O you move"]);
    let end = play_to_the_end(&mut terminal);
    assert!(!end.contains("you have won"), "{end}");
    terminal.press("s");
    terminal.wait_for(&["save as game.replay"]);
    terminal.press(&format!("\x15{path}{ENTER}"));
    terminal.wait_for(&["saved as "]);
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    assert_eq!(
        out(&["replay", &path, "--check"]),
        "1 game: as they are said to be\n"
    );
}

#[test]
fn a_long_thought_does_not_freeze_the_screen() {
    let line = ["play", "stones", "--second", "mcts:ms=600000"];
    let mut terminal = Terminal::start(&line, 80, 24);
    terminal.wait_for(&["you move"]);
    terminal.press(&format!(":d4{ENTER}"));
    terminal.wait_for(&["is thinking", "1 turn"]);
    terminal.press("u");
    terminal.wait_for(&["you move", "0 turns"]);
    terminal.press(&format!(":d4{ENTER}"));
    terminal.wait_for(&["is thinking"]);
    terminal.press("\x03");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn plain_text_is_as_it_was() {
    let line = [
        "play",
        "tictactoe",
        "--plain",
        "--first",
        "human",
        "--second",
        "human",
    ];
    let mut terminal = Terminal::start(&line, 80, 24);
    terminal.wait_for(&["   A B C", " 1 . . .", "O to move, such as "]);
    terminal.press("b2\r");
    terminal.wait_for(&[" 2 . O .", "X to move"]);
    terminal.press("q\r");
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_replay_is_scrubbed() {
    let folder = CliTestFolder::new();
    let path = folder.path("games.replay");
    let line = ["match", "stones", "random", "random", "--games", "2"];
    out(&[&line[..], &["--seed", "3", "--record", &path]].concat());
    let mut terminal = Terminal::start(&["replay", &path], 80, 24);
    terminal.wait_for(&["replays", "stones", "game 1 of 2", "turn 0 of "]);
    for (key, wanted) in [
        (RIGHT, "turn 1 of "),
        (SHIFT_RIGHT, "turn 11 of "),
        (LEFT, "turn 10 of "),
        (HOME, "turn 0 of "),
        ("g7\r", "turn 7 of "),
        ("n", "game 2 of 2"),
        (END, " wins: "),
        ("o", "enter shows it"),
    ] {
        terminal.press(key);
        terminal.wait_for(&[wanted]);
    }
    terminal.press("\x1b");
    terminal.wait_until(|screen| !screen.contains("enter shows it"));
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
    let mut plain = Terminal::start(&["replay", &path, "--plain"], 80, 24);
    plain.wait_for(&["turn 0 of", "(Enter, ? for help)"]);
    plain.press("q\r");
    assert_eq!(plain.end(), 0);
}
