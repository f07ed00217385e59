//! Pipes that break, colour, signals.

use crate::{CliTestFolder, command, text, with_input};
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

#[test]
fn a_broken_pipe_is_no_error() {
    let lines: &[&[&str]] = &[
        &["run", "r-pentomino", "--gens", "10^6", "--every", "1"],
        &["random", "2000x2000"],
        &["rules"],
        &["patterns", "--json"],
        &["completions", "bash"],
        &["--help"],
    ];
    for line in lines {
        let mut child = command(line)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let talk = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{line:?}: {talk}");
        assert!(
            !talk.contains("panic") && !talk.contains("error"),
            "{line:?}: {talk}"
        );
    }
}

#[test]
fn no_colour_reaches_a_pipe() {
    let output = with_input(&["run", "nonsense", "--gens", "1"], b"");
    assert!(!output.stderr.contains(&0x1b));
    assert!(text(&output.stderr).starts_with("error: nonsense: "));
}

/// Issue 31: an address was called a file that does not exist.
#[test]
fn an_address_in_place_of_a_file_is_not_fetched() {
    let address = "https://example.org/gun";
    let lines: &[&[&str]] = &[
        &["run", address, "--gens", "1"],
        &["info", address],
        &["convert", address, "gun.mc"],
        &["render", address, "gun.png"],
        &["run", "glider", "--gens", "1", "--rule", address],
        &["serve", address],
        &["laser", "solve", address],
        &["replay", address],
        &["tournament", address],
        &["classroom", "base", address],
    ];
    for line in lines {
        let output = with_input(line, b"");
        let talk = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{line:?}: {talk}");
        assert!(
            talk.contains("https://example.org/gun is an address")
                && talk.contains("hint: save the file"),
            "{line:?}: {talk}"
        );
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_stops_at_a_whole_generation_and_leaves_no_file() {
    let folder = CliTestFolder::new();
    let out = folder.path("out.rle");
    let line = [
        "run",
        "r-pentomino",
        "--gens",
        "10^9",
        "--engine",
        "naive",
        "--every",
        "1",
    ];
    let mut child = command(&[&line[..], &["--out", &out]].concat())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // It is stepping once the first line is here.
    assert_eq!(lines.next().unwrap().unwrap(), "generation 1  population 6");
    let killed = std::process::Command::new("kill")
        .args(["-s", "INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let last = lines.map_while(Result::ok).last();
    let output = child.wait_with_output().unwrap();
    let talk = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{talk}");
    assert!(
        talk.starts_with("interrupted: stopped at generation "),
        "{talk}"
    );
    assert!(last.is_none_or(|line| line.starts_with("generation ")));
    assert_eq!(folder.names(), [""; 0]);
}
