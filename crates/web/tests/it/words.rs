//! The words of page and terminal: the field's own, the same in both, and the README's first lines.

use std::path::{Path, PathBuf};

/// What page and terminal once said, and say no more (issue 31, 7 and 20).
const OLD: [&str; 11] = [
    "lose them",
    "leave it",
    "turns the cell",
    "where cells have been",
    "ways back",
    "whichever fits",
    "took {",
    "scattered",
    "colony",
    "colonies",
    "a ply ",
];

/// What they say instead.
const NEW: [&str; 9] = [
    "discard",
    "cancel",
    "toggle",
    "step",
    "history",
    "undo",
    "automatic",
    "ready to paste",
    "filled at random",
];

/// The crates that have words for people, and the page.
const FACES: [&str; 7] = [
    "crates/cli/src",
    "crates/models/src",
    "crates/session/src",
    "crates/tui/src",
    "crates/web/page",
    "crates/web/src",
    "crates/wire/src",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder with one of these endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => found.extend(files(&path, endings)),
            Some(end) if endings.contains(&&*end.to_string_lossy()) => found.push(path),
            _ => {}
        }
    }
    found
}

/// What stands between quotes in a line of a program, or all of a line of a document.
fn quoted(line: &str, is_program: bool) -> Vec<&str> {
    match is_program {
        false => vec![line],
        true if line.trim_start().starts_with("//") => Vec::new(),
        true => ['"', '`']
            .iter()
            .flat_map(|quote| line.split(*quote).skip(1).step_by(2))
            .collect(),
    }
}

/// Whether a text speaks of plies. Names of elements and of options are no texts.
fn names_plies(text: &str) -> bool {
    let mut words = text.split(|c: char| c.is_whitespace() || c == '/');
    text.contains(' ') && words.any(|word| word == "ply" || word == "plies")
}

#[test]
fn page_and_terminal_say_what_the_field_says() {
    let mut paths = vec![root().join("README.md")];
    for folder in FACES {
        paths.extend(files(&root().join(folder), &["rs", "js", "html"]));
    }
    paths.extend(files(&root().join("docs"), &["md"]));
    let mut wrong = Vec::new();
    let mut missing = NEW.to_vec();
    for path in paths.iter().filter(|path| !path.ends_with("texts/de.js")) {
        let contents = std::fs::read_to_string(path).unwrap();
        let ending = path.extension().unwrap().to_string_lossy();
        let is_document = ending == "md";
        for (number, line) in contents.lines().enumerate() {
            for text in quoted(line, matches!(&*ending, "rs" | "js")) {
                let text = text.to_lowercase();
                missing.retain(|word| is_document || !text.contains(word));
                // the protocol of bots has a line with `ply`, and code of theirs may take time
                if OLD.iter().any(|old| text.contains(old)) || (!is_document && names_plies(&text))
                {
                    wrong.push(format!("{}:{}: {text}", path.display(), number + 1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(missing.is_empty(), "nobody says {missing:?}");
    // a command of that name there is; prose calls it a step
    for command in session::command::ALL {
        assert!(!command.help.contains("stride"), "{}", command.help);
    }
}

#[test]
fn the_readme_begins_with_what_everybody_knows() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let first: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(first[0], "# Gridpaper");
    assert!(first[1].contains("Conway's Game of Life, and everything after it"));
    assert!(first[2].contains("runs the Game of Life"));
}
