//! The binary as a person or a script meets it: command lines in, and what comes out of
//! standard output, standard error and the exit code.
#![allow(
    clippy::unwrap_used,
    reason = "clippy knows tests by their attribute, and not the functions they share"
)]

mod bot;
mod census;
mod classroom;
mod contest;
mod convert;
mod data;
mod desktop;
mod information;
mod laser;
mod laser_screen;

mod custom_rule;
mod home_screen;
mod identify;
mod map;
mod mnk;
mod play;
mod play_screen;
mod random;
mod reference;
mod render;
mod replay;
mod rule_file;
mod run;
mod search;
mod serve;
mod sprt;
mod streams;
mod terminal;
mod tournament;
mod tutorial;
mod view;

use serde_json::Value;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// A command line and what must come of it.
struct CliTestCase<'a> {
    line: &'a [&'a str],
    input: &'a str,
    code: i32,
    /// Each must be somewhere in standard output.
    out: &'a [&'a str],
    /// Each must be somewhere in standard error.
    talk: &'a [&'a str],
}

impl CliTestCase<'_> {
    fn check(&self) {
        let output = with_input(self.line, self.input.as_bytes());
        let (out, talk) = (text(&output.stdout), text(&output.stderr));
        let said = format!("{:?}\n--- stdout\n{out}\n--- stderr\n{talk}", self.line);
        assert_eq!(output.status.code(), Some(self.code), "{said}");
        for piece in self.out {
            assert!(out.contains(piece), "no {piece:?} in stdout of {said}");
        }
        for piece in self.talk {
            assert!(talk.contains(piece), "no {piece:?} in stderr of {said}");
        }
        if self.code != 0 {
            assert!(out.is_empty(), "talk belongs to stderr: {said}");
        }
    }
}

fn command(line: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gridpaper"));
    command.args(line).env_remove("NO_COLOR");
    command
}

fn with_input(line: &[&str], input: &[u8]) -> Output {
    let mut child = command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read its input closes it; that is no matter here.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Standard output of a command line that must go well.
fn out(line: &[&str]) -> String {
    out_with(line, "")
}

fn out_with(line: &[&str], input: &str) -> String {
    let output = with_input(line, input.as_bytes());
    let talk = text(&output.stderr);
    assert!(output.status.success(), "{line:?}: {talk}");
    text(&output.stdout)
}

/// The last line of standard output as JSON.
fn json(line: &[&str]) -> Value {
    let out = out(line);
    let last = out.lines().last().unwrap_or_default();
    serde_json::from_str(last).unwrap_or_else(|e| panic!("{line:?}: {e} in {out:?}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder of its own for a test, empty at first.
struct CliTestFolder(tempfile::TempDir);

impl CliTestFolder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_string()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// The names of all files in it.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}
