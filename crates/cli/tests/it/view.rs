//! `gridpaper view` where there is no terminal: the screen itself is held in its own crate.

use crate::CliTestCase;

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
