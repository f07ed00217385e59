//! `docs/tutorial.md`, run from its own text: the files that it says to save are saved, its
//! commands are run in an empty folder, one after the other, and what they print is held
//! against what stands under them.
//!
//! Three habits of the text make that possible. "Save this as `NAME`:" is followed by a block
//! with the file; "In `NAME`, replace" by a block that stands in the file once, and one that
//! takes its place; and in a `console` block a line with `$ ` is a command, and what comes
//! after it all that the command prints. `...` stands for anything within a line, and alone in
//! a line for any number of lines.

use crate::CliTestFolder;
use prerequisite::{Prerequisite, is_met};
use std::process::{Command, Stdio};

/// What the text says to do.
#[derive(Debug, PartialEq)]
enum TutorialStep {
    Save {
        name: String,
        text: String,
    },
    Replace {
        name: String,
        old: String,
        new: String,
    },
    Run {
        command: String,
        prints: Vec<String>,
    },
}

/// The steps of a text, each with the number of its line.
fn steps(text: &str) -> Vec<(usize, TutorialStep)> {
    let mut steps = Vec::new();
    let mut lines = text.lines().zip(1..);
    let mut save = None;
    let mut replace = None;
    while let Some((line, number)) = lines.next() {
        let last_name = || line.split('`').nth_back(1).map(str::to_owned);
        if line.contains("ave this as `") && line.ends_with("`:") {
            save = last_name();
        } else if line.starts_with("In `") && line.ends_with("`, replace") {
            replace = last_name().map(|name| (name, None));
        }
        let Some(language) = line.strip_prefix("```") else {
            continue;
        };
        let block: Vec<_> = lines
            .by_ref()
            .map(|(line, _)| line)
            .take_while(|line| *line != "```")
            .collect();
        if language == "console" {
            steps.extend(commands(&block).map(|(at, step)| (number + 1 + at, step)));
            continue;
        }
        let text: String = block.iter().flat_map(|line| [*line, "\n"]).collect();
        if let Some(name) = save.take() {
            steps.push((number, TutorialStep::Save { name, text }));
        } else if let Some((name, old)) = replace.take() {
            match old {
                None => replace = Some((name, Some(text))),
                Some(old) => {
                    let new = text;
                    steps.push((number, TutorialStep::Replace { name, old, new }));
                }
            }
        }
    }
    assert_eq!((save, replace), (None, None), "a block is missing");
    steps
}

/// The commands of a console block and what they print, each with the line's place in it.
fn commands(block: &[&str]) -> impl Iterator<Item = (usize, TutorialStep)> {
    let mut found: Vec<(usize, String, Vec<String>)> = Vec::new();
    for (at, line) in block.iter().enumerate() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(command), _) => found.push((at, command.to_owned(), Vec::new())),
            (None, Some((_, _, prints))) => prints.push((*line).to_owned()),
            (None, None) => panic!("a console block begins with a command, not with {line:?}"),
        }
    }
    found
        .into_iter()
        .map(|(at, command, prints)| (at, TutorialStep::Run { command, prints }))
}

/// Whether lines are as a text has them.
fn are_as_said(said: &[String], lines: &[&str]) -> bool {
    match said.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|left_out| are_as_said(rest, &lines[left_out..]))
        }
        Some((first, rest)) => {
            let is_first = lines.first().is_some_and(|line| is_as_said(first, line));
            is_first && are_as_said(rest, &lines[1..])
        }
    }
}

/// Whether a line is as a text has it, where `...` stands for anything.
fn is_as_said(said: &str, line: &str) -> bool {
    let Some((before, after)) = said.split_once("...") else {
        return said == line;
    };
    line.strip_prefix(before).is_some_and(|rest| {
        (0..=rest.len())
            .filter(|at| rest.is_char_boundary(*at))
            .any(|at| is_as_said(after, &rest[at..]))
    })
}

/// Runs a command as a person would type it; what it printed, to both streams.
fn run(folder: &CliTestFolder, command: &str) -> String {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_gridpaper"));
    let ours = program.parent().unwrap().to_path_buf();
    let others = std::env::var_os("PATH").unwrap();
    let places = std::iter::once(ours).chain(std::env::split_paths(&others));
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1; {command}")])
        .current_dir(folder.path(""))
        .env("PATH", std::env::join_paths(places).unwrap())
        .env_remove("COLUMNS")
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_tutorial_does_what_it_says() {
    let tools = [Prerequisite::Rustc, Prerequisite::Cc, Prerequisite::Python3];
    if !tools.map(is_met).iter().all(|met| *met) {
        return;
    }
    let text = include_str!("../../../../docs/tutorial.md");
    let folder = CliTestFolder::new();
    let mut runs = 0;
    for (line, step) in steps(text) {
        match step {
            TutorialStep::Save { name, text } => {
                folder.write(&name, text);
            }
            TutorialStep::Replace { name, old, new } => {
                let file = std::fs::read_to_string(folder.path(&name)).unwrap();
                let times = file.matches(&old).count();
                assert_eq!(
                    times, 1,
                    "docs/tutorial.md:{line}: so often in {name}: {old}"
                );
                folder.write(&name, file.replace(&old, &new));
            }
            TutorialStep::Run { command, prints } => {
                runs += 1;
                let printed = run(&folder, &command);
                // A slow machine gets lines of progress, `games 32 of 40`; a person has a bar.
                let is_progress = |line: &&str| line.starts_with("games ") && line.contains(" of ");
                let lines: Vec<_> = printed.lines().filter(|line| !is_progress(line)).collect();
                assert!(
                    are_as_said(&prints, &lines),
                    "docs/tutorial.md:{line}: {command}\n--- the text says\n{}\n--- it printed\n{printed}",
                    prints.join("\n")
                );
            }
        }
    }
    assert!(runs > 30, "only {runs} commands were found");
}

#[test]
fn steps_are_cut_out_of_the_text() {
    let text = "Then save this as `a.py`:\n\n```python\nx\n```\n\nIn `a.py`, replace\n\n```python\nx\n```\n\nwith\n\n```python\ny\n```\n\n```toml\nno = 1\n```\n\n```console\n$ one\nout\n...\n$ two\n```\n";
    let owned = |text: &str| text.to_owned();
    let expected = [
        (
            3,
            TutorialStep::Save {
                name: owned("a.py"),
                text: owned("x\n"),
            },
        ),
        (
            15,
            TutorialStep::Replace {
                name: owned("a.py"),
                old: owned("x\n"),
                new: owned("y\n"),
            },
        ),
        (
            24,
            TutorialStep::Run {
                command: owned("one"),
                prints: vec![owned("out"), owned("...")],
            },
        ),
        (
            27,
            TutorialStep::Run {
                command: owned("two"),
                prints: vec![],
            },
        ),
    ];
    assert_eq!(steps(text), expected);
}

#[test]
fn dots_stand_for_what_may_differ_and_for_nothing_else() {
    let rows: [(&str, &str, bool); 8] = [
        ("a\nb", "a\nb", true),
        ("a", "a\nb", false),
        ("a\n...", "a\nb\nc", true),
        ("...\nc", "a\nb\nc", true),
        ("...\nb", "a\nb\nc", false),
        ("took ... ms", "took 0.3 ms", true),
        ("took ... ms", "took 0.3 s", false),
        ("..., ... s", "a, b, 3 s", true),
    ];
    for (said, printed, expected) in rows {
        let said: Vec<_> = said.lines().map(str::to_owned).collect();
        let lines: Vec<_> = printed.lines().collect();
        assert_eq!(
            are_as_said(&said, &lines),
            expected,
            "{said:?}: {printed:?}"
        );
    }
}
