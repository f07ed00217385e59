//! Screens: one before, what a person does, one after, each in a file of `screens`.
//!
//! A file opens with lines such as `size 80x24`, and with what is done before anybody looks;
//! then come the three texts. GRIDPAPER_REFRESH=1 writes the first and the last anew.

use crate::script::play;
use crate::{app, text};
use session::Session;
use session::file_access::FileAccess;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tui::{App, TerminalProfile};

const BEFORE: &str = "--- before\n";
const KEYS: &str = "--- keys\n";
const AFTER: &str = "--- after\n";

#[test]
fn screens_become_what_their_files_say() {
    hold("screens", played);
}

/// Holds every file of a folder to what comes of it, or writes it anew.
pub(crate) fn hold(folder: &str, played: impl Fn(&str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it")
        .join(folder);
    let files = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 8, "{files:?}");
    let is_refreshed = std::env::var_os("GRIDPAPER_REFRESH").is_some();
    let mut wrong = String::new();
    for file in files {
        let told = std::fs::read_to_string(&file).unwrap();
        let found = played(&told);
        if is_refreshed {
            std::fs::write(&file, found).unwrap();
        } else if told != found {
            let name = file.file_name().unwrap().to_string_lossy();
            writeln!(wrong, "{name} should be\n{told}\nand is\n{found}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The file's text with the screens as they are.
fn played(told: &str) -> String {
    let (head, keys) = parts(told);
    let mut size = (60, 16);
    let mut app = app(size.0, size.1);
    let mut said = head.lines().filter(|line| !line.starts_with('#'));
    if let Some(line) = said.next() {
        play(&mut app, &mut size, line);
    }
    said.for_each(|line| play(&mut app, &mut size, line));
    let before = text(&mut app, size.0, size.1);
    for line in keys.lines().filter(|line| !line.starts_with('#')) {
        play(&mut app, &mut size, line);
        // each is seen by a person
        text(&mut app, size.0, size.1);
    }
    let after = text(&mut app, size.0, size.1);
    whole(head, &before, keys, &after)
}

/// What is done before anybody looks, and what is done then.
pub(crate) fn parts(told: &str) -> (&str, &str) {
    let (head, rest) = told.split_once(BEFORE).expect("before");
    let (_, rest) = rest.split_once(KEYS).expect("keys");
    let (keys, _) = rest.split_once(AFTER).expect("after");
    (head, keys)
}

/// A file's text with these screens.
pub(crate) fn whole(head: &str, before: &str, keys: &str, after: &str) -> String {
    format!("{head}{BEFORE}{before}{KEYS}{keys}{AFTER}{after}")
}

/// Issue 31: a large pattern opens with a step size that suits it, and the screen says so.
#[test]
fn a_large_pattern_opens_with_long_steps() {
    let mut session = Session::new(FileAccess::default(), 7);
    session.set_clock(|| Duration::ZERO);
    let mut app = App::new(session, (100, 24), TerminalProfile::default());
    app.open("3o99994b3o!").unwrap();
    let screen = text(&mut app, 100, 24);
    assert!(screen.contains("steps of 128 generations"), "{screen}");
    assert!(screen.contains("step 128"), "{screen}");
}

/// A label of a pattern's script stands at its cell, and goes with it.
#[test]
fn labels_of_a_script_stand_at_their_cells() {
    let mut app = app(60, 16);
    app.open("#C [[ LABEL 0 4 8 \"a row\" ZOOM 1 ]]\nx = 3, y = 1\n3o!")
        .unwrap();
    let place = |app: &mut App| {
        let screen = text(app, 60, 16);
        let row = screen.lines().position(|line| line.contains("a row"));
        let row = row.unwrap_or_else(|| panic!("{screen}"));
        (screen.lines().nth(row).unwrap().find("a row").unwrap(), row)
    };
    let (column, row) = place(&mut app);
    app.send("pan 10,4");
    assert_eq!(place(&mut app), (column - 10, row - 2));
    app.send("set 0,0 0; set 1,0 0; set 2,0 0");
    app.send("zoom 1:8");
    assert!(!text(&mut app, 60, 16).contains("a row"));
}
