//! `gridpaper` without arguments in a terminal: the start menu, whose entries are commands.

use super::{CliArguments, CliCommand};
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::output;
use clap::Parser as _;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use tui::screens::{ChoiceScreen, FilePicker, Menu, MenuChoice};
use tui::{JobScreen, JobScreenModel, ScreenExit, TerminalProfile};

/// Whether a full-screen display with keyboard is possible. Not with `TERM=dumb`.
pub(super) fn has_screen() -> bool {
    let is_dumb = std::env::var_os("TERM").is_some_and(|kind| kind == "dumb");
    !is_dumb && tui::check().is_ok()
}

/// Whether both standard input and the screen are an interactive terminal.
pub(super) fn has_person() -> bool {
    io::stdin().is_terminal() && has_screen()
}

/// Whether the program was started without arguments in an interactive terminal.
pub(super) fn is_requested() -> bool {
    std::env::args_os().len() <= 1 && has_person()
}

/// The terminal's capabilities from the environment.
pub(super) fn terminal_profile() -> TerminalProfile {
    TerminalProfile::of(|name| std::env::var_os(name))
}

/// Converts a screen's exit to the command's result.
pub(super) fn to_result(ended: Result<ScreenExit, tui::TerminalError>) -> Result<(), CliFailure> {
    match ended.map_err(CliFailure::wrong)? {
        ScreenExit::Left => Ok(()),
        ScreenExit::Stopped => Err(CliFailure::interrupted("stopped from outside")),
    }
}

/// Writes a screen's data to a new file.
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

/// Shows a screen, and opens what is chosen on it, until the user leaves.
pub(super) fn show_choices<S: ChoiceScreen>(
    mut screen: S,
    open: impl Fn(S::Choice) -> Result<(), CliFailure>,
) -> Result<(), CliFailure> {
    loop {
        let interrupts = InterruptGuard::new();
        to_result(tui::show(&mut screen, &|| interrupts.asked_to_stop()))?;
        drop(interrupts);
        let Some(choice) = screen.take_choice() else {
            return Ok(());
        };
        match open(choice) {
            Err(failure) if InterruptGuard::new().asked_to_stop() => return Err(failure),
            Err(CliFailure::Interrupted { message } | CliFailure::Wrong { message, .. }) => {
                screen.show_message(&message);
            }
            ended => ended?,
        }
    }
}

/// Shows the screen of a command without a task, and opens the patterns that are chosen on it.
/// `example` is a command with a task, for where there is nobody to look at a screen.
pub(super) fn show_job<M: JobScreenModel>(example: &str) -> Result<(), CliFailure> {
    if !has_person() {
        return Err(CliFailure::Wrong {
            message: format!("{}: which task? The screen needs a terminal", M::NAME),
            hint: Some(example.into()),
        });
    }
    show_choices(JobScreen::<M>::new(terminal_profile()), |choice| {
        run_command(&["view", "--rule", &choice.rule, "--", &choice.pattern])
    })
}

/// Shows the menu until the user leaves.
pub(super) fn run() -> Result<(), CliFailure> {
    show_choices(
        Menu::new((80, 24), terminal_profile()),
        |choice| match choice {
            MenuChoice::Worlds => run_command(&["view"]),
            MenuChoice::Play => run_command(&["play"]),
            MenuChoice::Laser => run_command(&["laser", "play"]),
            MenuChoice::Classroom => run_command(&["classroom"]),
            MenuChoice::Census => run_command(&["census"]),
            MenuChoice::Search => run_command(&["search"]),
            MenuChoice::Replays => open(&REPLAYS),
            MenuChoice::Arena => open(&ARENA),
        },
    )
}

/// Runs a command as if it were typed, but without its output, which the next screen would
/// hide.
pub(super) fn run_command(words: &[&str]) -> Result<(), CliFailure> {
    let line = std::iter::once("gridpaper").chain(words.iter().copied());
    match CliArguments::try_parse_from(line)?.command {
        CliCommand::Tournament(tournament) => tournament.without_printing().run(),
        command => command.run(),
    }
}

/// A menu entry that opens a file.
struct FileMenuScreen {
    title: &'static str,
    about: &'static str,
    /// The files' extension.
    end: &'static str,
    /// The command that opens one.
    command: &'static str,
    /// The folder that is searched besides the current one.
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

/// Lets the user choose and open files until they leave.
fn open(files: &FileMenuScreen) -> Result<(), CliFailure> {
    let picker = FilePicker::new(files.title, files.about, found(files), terminal_profile());
    show_choices(picker, |path| run_command(&[files.command, "--", &path]))
}

/// The files here and in the dedicated folder, by name.
fn found(files: &FileMenuScreen) -> Vec<String> {
    let mut paths = Vec::new();
    for folder in [Path::new(""), Path::new(files.folder)] {
        let place = if folder == Path::new("") {
            Path::new(".")
        } else {
            folder
        };
        // unreadable folders are skipped
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

/// Whether a TOML file is a tournament's plan: Rust and Python projects have TOML files too.
fn is_plan(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.contains("[[player]]")
}
