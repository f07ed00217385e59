//! `gridpaper view`: the workbench as a screen in the terminal.

use crate::argument::MemoryArgument;
use crate::failure::{CliFailure, hint, note};
use crate::interrupt::InterruptGuard;
use crate::rule_file::RuleFolder;
use clap::{Args, ValueHint};
use session::Session;
use session::draft::DraftFile;
use session::file_access::FileAccess;
use std::ffi::OsString;
use std::io::{self, Read as _};
use std::time::Instant;
use tui::{App, ScreenExit, TerminalError, TerminalProfile};

/// Open a world in this terminal
#[derive(Debug, Args)]
#[command(after_help = "in it, ? shows the keys and : takes commands\n\n\
    what was not saved is kept in ~/.local/state/gridpaper/view.draft, or under \
    $XDG_STATE_HOME, a moment after each change; after a crash the next `gridpaper view` \
    without a PATTERN goes on from there")]
pub(crate) struct ViewArgs {
    /// Files of any known format, - , built-in patterns' names, apgcodes, or RLE text, each
    /// in a world of its own; without any what a crash left behind, or a gun
    #[arg(value_name = "PATTERN", value_hint = ValueHint::FilePath)]
    patterns: Vec<OsString>,

    /// Run this rule instead of the one the pattern names: a notation, a name, or the path
    /// of a .rule or .gridrule file
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    rules: RuleFolder,

    /// Send this command first, as if it were typed after a colon; may be given again
    #[arg(long = "do", value_name = "COMMAND")]
    commands: Vec<String>,

    /// How much memory all that is held may take: the world, which has half of it, what can be
    /// undone and gone back to, and the clipboard
    #[arg(long, value_name = "BYTES", default_value = "4G")]
    memory: MemoryArgument,

    /// Keep no draft of the work
    #[arg(long)]
    no_autosave: bool,
}

impl ViewArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        tui::check().map_err(no_screen)?;
        let mut file_access = FileAccess::for_terminal();
        file_access.limits.memory = self.memory.0;
        if let Some(rules) = self.rules.folder()? {
            file_access.rules.insert(0, rules.to_path_buf());
        }
        let started = Instant::now();
        let make_session = move |file_access| {
            let mut session = Session::new(file_access, super::serve::seed());
            session.set_clock(move || started.elapsed());
            session
        };
        let session = make_session(file_access);
        let look = TerminalProfile::of(|name| std::env::var_os(name));
        let mut app = App::new(session, (80, 24), look);
        app.lend_sessions(Box::new(make_session));
        let mut place = self.place(self.patterns.is_empty());
        self.begin(&mut app)?;
        self.go_on(&mut app, &mut place);
        for command in &self.commands {
            if !app.send(command) {
                break;
            }
        }
        let interrupts = InterruptGuard::new();
        let path = place.as_ref().map(|place| place.path().to_path_buf());
        let claim = || self.place(false);
        let ended = tui::run(&mut app, place, &claim, &|| interrupts.asked_to_stop());
        match ended.map_err(no_screen)? {
            ScreenExit::Left => Ok(()),
            ScreenExit::Stopped => {
                let kept = path.filter(|_| app.session().is_unsaved());
                let kept = kept.map(|path| format!("; the draft is in {}", path.display()));
                Err(CliFailure::interrupted(format_args!(
                    "stopped from outside{}",
                    kept.unwrap_or_default()
                )))
            }
        }
    }

    /// Puts on the sheet what there is to begin with.
    fn begin(&self, app: &mut App) -> Result<(), CliFailure> {
        let began = match self.patterns.first() {
            Some(pattern) if pattern == "-" => {
                let mut bytes = Vec::new();
                let read = io::stdin().lock().read_to_end(&mut bytes);
                read.map_err(|e| CliFailure::io("standard input", &e))?;
                app.load("standard input", &bytes)
            }
            Some(pattern) => app.open(&pattern.to_string_lossy()),
            None if self.rule.is_some() || !self.commands.is_empty() => Ok(()),
            None => app.welcome(),
        };
        let began = began.and_then(|()| match &self.rule {
            Some(rule) => app.use_rule(rule),
            None => Ok(()),
        });
        let began = began.and_then(|()| {
            for pattern in self.patterns.iter().skip(1) {
                app.open_beside(Some(&pattern.to_string_lossy()))?;
            }
            app.show_world(0);
            Ok(())
        });
        began.map_err(|refusal| CliFailure::wrong(&refusal).with_hint(refusal.hint()))
    }

    /// Takes up what a crash left behind, unless something else was asked for. A draft that
    /// cannot be read stays where it is.
    fn go_on(&self, app: &mut App, place: &mut Option<DraftFile>) {
        if !self.patterns.is_empty() {
            return;
        }
        let Some(found) = place else { return };
        let problem = match found.read() {
            Ok(None) => return,
            Ok(Some(draft)) => match app.restore(&draft) {
                Ok(()) => return,
                Err(refusal) => refusal.to_string(),
            },
            Err(error) => error.to_string(),
        };
        let path = found.path().display();
        app.show_message(format!("the draft in {path} cannot be taken up: {problem}"));
        *place = self.place(false);
    }

    /// The folder for drafts. If there is none, a note is printed and the session starts
    /// anyway.
    fn place(&self, wants_draft: bool) -> Option<DraftFile> {
        let folder = super::serve::own_state().filter(|_| !self.no_autosave)?;
        match DraftFile::claim(&folder, "view", wants_draft) {
            Ok(place) => Some(place),
            Err(error) => {
                note(format_args!(
                    "no draft is kept: {}: {error}",
                    folder.display()
                ));
                hint("--no-autosave keeps this quiet");
                None
            }
        }
    }
}

fn no_screen(error: TerminalError) -> CliFailure {
    let hint = match &error {
        TerminalError::NoTerminal(_) => {
            Some("gridpaper run and gridpaper render need none".to_string())
        }
        TerminalError::Terminal(_) => None,
    };
    CliFailure::wrong(error).with_hint(hint)
}
