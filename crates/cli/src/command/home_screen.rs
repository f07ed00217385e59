//! `gridpaper` alone on a terminal: the rooms to choose from, each of which is a command.

use super::{CliArguments, CliCommand};
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::output;
use clap::Parser as _;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use tui::screens::{FilePicker, Menu, MenuChoice};
use tui::{ScreenExit, TerminalProfile};

/// Whether there is a screen, and keys that can be had. A terminal that says it can only
/// print lines is none.
pub(super) fn has_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    !is_dumb && tui::check().is_ok()
}

/// Whether somebody sits in front of a screen and at its keys, and not a file or a program at
/// either end.
pub(super) fn has_person() -> bool {
    io::stdin().is_terminal() && has_screen()
}

/// Whether the program was started without a word, by somebody at a terminal.
pub(super) fn are_wanted() -> bool {
    std::env::args_os().len() <= 1 && has_person()
}

/// How the terminal looks, as far as it tells.
pub(super) fn look() -> TerminalProfile {
    TerminalProfile::of(|name| std::env::var_os(name))
}

/// What a screen's end means for the command that showed it.
pub(super) fn ended(ended: Result<ScreenExit, tui::TerminalError>) -> Result<(), CliFailure> {
    match ended.map_err(CliFailure::wrong)? {
        ScreenExit::Left => Ok(()),
        ScreenExit::Stopped => Err(CliFailure::Interrupted {
            message: "stopped from outside".into(),
        }),
    }
}

/// Writes what a room gives into a file that is not there yet.
pub(super) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if path.exists() {
        return Err(format!("{} is there already", path.display()));
    }
    let written = output::to_file(path, |out| {
        let written = out.write_all(bytes);
        written.map_err(|e| CliFailure::io(path.display(), &e))
    });
    written.map_err(|failure| match failure {
        CliFailure::Wrong { message, .. } => message,
        _ => format!("{} cannot be written", path.display()),
    })
}

/// Shows the rooms until the person leaves.
pub(super) fn run() -> Result<(), CliFailure> {
    let mut menu = Menu::new((80, 24), look());
    loop {
        let heed = InterruptGuard::new();
        ended(tui::screens::run(&mut menu, &|| heed.asked_to_stop()))?;
        drop(heed);
        let Some(choice) = menu.take_choice() else {
            return Ok(());
        };
        let went = match choice {
            MenuChoice::Worlds => go(&["view"]),
            MenuChoice::Play => go(&["play"]),
            MenuChoice::Laser => go(&["laser", "play"]),
            MenuChoice::Classroom => go(&["classroom"]),
            MenuChoice::Replays => open(&REPLAYS),
            MenuChoice::Arena => open(&ARENA),
        };
        match went {
            Ok(()) => {}
            Err(failure) if InterruptGuard::new().asked_to_stop() => return Err(failure),
            Err(CliFailure::Interrupted { message } | CliFailure::Wrong { message, .. }) => {
                menu.tell(message);
            }
            Err(failure) => return Err(failure),
        }
    }
}

/// Runs a command as if it were typed, but for what it would print: the next screen would
/// hide that.
fn go(words: &[&str]) -> Result<(), CliFailure> {
    let line = std::iter::once("gridpaper").chain(words.iter().copied());
    match CliArguments::try_parse_from(line)?.command {
        CliCommand::Tournament(tournament) => tournament.in_a_room().run(),
        command => command.run(),
    }
}

/// A room that opens a file.
struct FileMenuScreen {
    title: &'static str,
    about: &'static str,
    /// How the files' names end.
    end: &'static str,
    /// The command that opens one.
    command: &'static str,
    /// Where they lie, besides the folder that one is in.
    folder: &'static str,
}

const REPLAYS: FileMenuScreen = FileMenuScreen {
    title: "replays",
    about: "games kept by gridpaper match --record, or saved while playing",
    end: "replay",
    command: "replay",
    folder: "replays",
};

const ARENA: FileMenuScreen = FileMenuScreen {
    title: "arena",
    about: "tournaments: who plays what, in a file",
    end: "toml",
    command: "tournament",
    folder: "tournaments",
};

/// Lets a person choose a file and opens it, until there is none to open any more.
fn open(files: &FileMenuScreen) -> Result<(), CliFailure> {
    let paths = found(files);
    let mut shelf = FilePicker::new(files.title, files.about, paths, look());
    loop {
        let heed = InterruptGuard::new();
        ended(tui::screens::choose(&mut shelf, &|| heed.asked_to_stop()))?;
        drop(heed);
        let Some(path) = shelf.take_choice() else {
            return Ok(());
        };
        match go(&[files.command, "--", &path]) {
            Err(failure) if InterruptGuard::new().asked_to_stop() => return Err(failure),
            Err(CliFailure::Interrupted { message } | CliFailure::Wrong { message, .. }) => {
                shelf.tell(message);
            }
            ended => ended?,
        }
    }
}

/// The files that lie here and in the folder that is made for them, by their names.
fn found(files: &FileMenuScreen) -> Vec<String> {
    let mut paths = Vec::new();
    for folder in [Path::new(""), Path::new(files.folder)] {
        let place = if folder == Path::new("") {
            Path::new(".")
        } else {
            folder
        };
        // a folder that cannot be read has nothing to offer
        let Ok(entries) = std::fs::read_dir(place) else {
            continue;
        };
        let mut names: Vec<String> = entries
            .flatten()
            .map(|entry| folder.join(entry.file_name()))
            .filter(|path| path.extension().is_some_and(|end| end == files.end))
            .filter(|path| path.is_file())
            .filter(|path| files.end != "toml" || is_plan(path))
            .filter_map(|path| path.to_str().map(str::to_string))
            .collect();
        names.sort();
        paths.extend(names);
    }
    paths
}

/// Whether a TOML file is a tournament's: Rust's and Python's projects have such files too.
fn is_plan(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.contains("[[player]]")
}
