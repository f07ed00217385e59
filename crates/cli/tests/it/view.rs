//! `gridpaper view` where there is no terminal: the screen itself is held in its own crate.

use crate::CliTestCase;
use crate::terminal::Terminal;

#[test]
fn a_screen_needs_a_terminal() {
    for line in [
        &["view"] as &[&str],
        &["view", "glider"],
        &["view", "no such pattern"],
    ] {
        CliTestCase {
            line,
            input: "bo$2bo$3o!",
            code: 2,
            out: &[],
            talk: &[
                "needs a terminal, and standard output is none",
                "hint: gridpaper run",
            ],
        }
        .check();
    }
}

#[test]
fn help_says_where_drafts_are() {
    CliTestCase {
        line: &["view", "--help"],
        input: "",
        code: 0,
        out: &[
            "--no-autosave",
            "view.draft",
            "--do <COMMAND>",
            "--rules <FOLDER>",
        ],
        talk: &[],
    }
    .check();
}

/// Issue 31: several patterns are opened side by side.
#[test]
fn patterns_are_opened_beside_each_other() {
    let line = ["view", "--no-autosave", "glider", "acorn"];
    let mut terminal = Terminal::start(&line, 80, 24);
    terminal.wait_for(&["1 Glider", "2 Acorn", "population 5"]);
    // Ctrl-PageDown
    terminal.press("\x1b[6;5~");
    terminal.wait_for(&["population 7"]);
    terminal.press(":close\r");
    terminal.wait_until(|screen| screen.contains("population 5") && !screen.contains("2 Acorn"));
    terminal.press("q");
    assert_eq!(terminal.end(), 0);
}
