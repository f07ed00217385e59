//! The server as a person starts and stops it: one line to standard output, and no error
//! when Ctrl-C ends it.

use crate::{CliTestCase, command};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

struct ServeProcess {
    child: Child,
    address: String,
}

impl ServeProcess {
    fn start(arguments: &[&str]) -> Self {
        let line = [&["serve", "--port", "0"], arguments].concat();
        let mut child = command(&line)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .strip_prefix("http://")
            .and_then(|line| line.split('/').next());
        let address = address
            .unwrap_or_else(|| panic!("no address: {line:?}"))
            .to_string();
        Self { child, address }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for ServeProcess {
    fn drop(&mut self) {
        // It may have ended by itself, which is what most tests are about.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
#[cfg(unix)]
fn it_serves_a_pattern_until_it_is_asked_to_end() {
    let mut serving = ServeProcess::start(&["--no-autosave", "glider", "--rule", "B36/S23"]);
    let saved = serving.get("/save?format=rle&name=x");
    assert!(
        saved.contains("rule = B36/S23") && saved.contains("3o!"),
        "{saved}"
    );
    assert!(serving.get("/").contains("<!doctype html>"));
    let id = serving.child.id().to_string();
    let asked = std::process::Command::new("kill")
        .args(["-TERM", &id])
        .status();
    assert!(asked.unwrap().success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(0));
    let mut rest = String::new();
    serving
        .child
        .stdout
        .as_mut()
        .unwrap()
        .read_to_string(&mut rest)
        .unwrap();
    assert_eq!(rest, "", "one line is all");
}

#[test]
fn files_next_to_the_pattern_can_be_opened_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.rle");
    std::fs::write(&path, "x = 2, y = 1, rule = B3/S23\n2o!").unwrap();
    let serving = ServeProcess::start(&["--no-autosave", path.to_str().unwrap()]);
    assert!(serving.get("/save?format=rle&name=x").contains("2o!"));
}

#[test]
fn what_cannot_be_served_is_told_before() {
    for (line, talk) in [
        (
            &["serve", "--no-autosave", "--port", "0", "no-such-pattern"][..],
            "no-such-pattern",
        ),
        (
            &["serve", "--no-autosave", "--port", "0", "--rule", "B3/Z"],
            "B3/Z",
        ),
        (
            &[
                "serve",
                "--no-autosave",
                "--port",
                "0",
                "--folder",
                "/no/such",
            ],
            "/no/such",
        ),
        (
            &["serve", "--no-autosave", "--port", "0", "--address", "here"],
            "127.0.0.1",
        ),
        (&["serve", "--no-autosave", "--port", "70000"], "70000"),
    ] {
        let talk = &[talk];
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
fn a_second_server_does_not_take_the_state_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let state = state.to_str().unwrap();
    let _first = ServeProcess::start(&["--state", state]);
    let told = format!("error: {state}: another server keeps its work there");
    CliTestCase {
        line: &["serve", "--port", "0", "--state", state],
        input: "",
        code: 2,
        out: &[],
        talk: &[
            &told,
            "hint: --state names another folder, --no-autosave none",
        ],
    }
    .check();
}
