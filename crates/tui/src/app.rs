//! The world screen as a value: a session, its open panels, and the handling of events.

mod floating_paste;
mod mouse;
mod world_tabs;

use crate::bar::BarPiece;
use crate::ink::{ColourDepth, Ink};
use crate::keys::{TerminalAction, TerminalKeyMeaning, meaning};
use crate::line::{CommandFailure, CommandLine, CommandLineOutcome};
use crate::panel::{
    AboutPanel, CensusPanel, CommandHelp, CommandHistoryEntry, HistoryPanel, Library, PanelContext,
    PanelRequest, PlotPanel, RuleBox, SearchPanel, SettingsList, WorldList, WorldPanel,
};
use crate::picture_export::{ExportState, PictureExport, PictureExportError, PictureRequest};
use crate::sheet;
use floating_paste::floating_text;
use grid::{Point, Rect as Area};
use models::worker_pool::WorkerPool;
use mouse::Drag;
use num_traits::ToPrimitive as _;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use session::command::{Group, SelectionChange, entry};
use session::{Command, CommandRefusal, CommandReply, Session, Viewer};
use std::time::Duration;
pub use world_tabs::SessionMaker;
use world_tabs::WorldTabs;

/// The properties of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TerminalProfile {
    /// How many colours it has.
    pub depth: ColourDepth,
    /// Whether it is dark, for themes that leave the choice to the user interface.
    pub is_dark: bool,
}

impl TerminalProfile {
    /// Detects the properties from environment variables, which `variable` looks up.
    pub fn of(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Self {
        Self {
            depth: ColourDepth::of(&variable),
            is_dark: crate::ink::is_dark(&variable),
        }
    }
}

/// The world screen: a pure function of its events and the elapsed time.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect};
/// use session::{Session, file_access::FileAccess};
/// let session = Session::new(FileAccess::default(), 0);
/// let mut app = tui::App::new(session, (80, 24), tui::TerminalProfile::default());
/// app.send("open glider");
/// let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
/// app.draw(&mut buffer);
/// assert_eq!(app.session().status(app.viewer()).population, "5");
/// ```
pub struct App {
    pub(crate) session: Session,
    pub(crate) viewer: Viewer,
    pub(crate) size: (u16, u16),
    pub(crate) profile: TerminalProfile,
    pub(crate) panel: Option<WorldPanel>,
    pub(crate) line: Option<CommandLine>,
    pub(crate) question: Option<ConfirmPrompt>,
    pub(crate) note: Option<AppNotice>,
    /// The history of the command line, oldest first.
    line_history: Vec<String>,
    /// The commands that were done, oldest first.
    pub(crate) history: Vec<CommandHistoryEntry>,
    pub(crate) drag: Drag,
    /// The fixed corner of a selection by keys.
    pub(crate) anchor: Option<Point>,
    /// The corner of the cells that float until they are pasted.
    pub(crate) floating: Option<Point>,
    /// Whether keys have moved the cell cursor, so that it is drawn.
    pub(crate) has_cell_cursor: bool,
    clip: Option<String>,
    /// The worlds that are open.
    pub(crate) worlds: WorldTabs,
    /// A picture or a film that is being made, and whether it may overwrite a file.
    pub(crate) export: Option<(PictureExport, bool)>,
    /// A thread to identify patterns on, if one was lent.
    pool: Option<WorkerPool>,
    is_leaving: bool,
    is_stale: bool,
    /// The session's revision at the last drawing.
    drawn: u64,
}

/// A question for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConfirmPrompt {
    pub(crate) words: String,
    /// The label of yes.
    pub(crate) yes: &'static str,
    /// The command that yes sends; `None` for leaving.
    command: Option<String>,
}

/// A message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AppNotice {
    pub(crate) words: String,
    pub(crate) is_error: bool,
}

/// The smallest supported screen, in columns and rows.
pub(crate) const MIN_SIZE: (u16, u16) = (40, 10);

/// The most remembered commands.
const MAX_HISTORY: usize = 500;

/// Whether a command belongs into the history although it is not an edit.
fn is_recorded(command: &Command) -> bool {
    use Command as C;
    match command {
        C::Anyway(command) | C::Seen(command) => is_recorded(command),
        command => matches!(
            command,
            C::Run
                | C::Step(_)
                | C::Back(_)
                | C::Reset
                | C::GoTo(_)
                | C::Undo(_)
                | C::Redo(_)
                | C::Save { .. }
        ),
    }
}

/// The words of a typed `picture`, or of a `save` whose name ends as pictures do; and whether a file
/// may be overwritten.
fn picture_words(text: &str) -> Option<(&str, bool)> {
    let (text, overwrites) = match text.strip_prefix("anyway ") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let words = match text.strip_prefix("save ") {
        Some(words) => {
            let name = words.split(' ').next()?;
            let is_picture = [".png", ".svg", ".gif", ".apng"]
                .iter()
                .any(|ending| name.ends_with(ending));
            is_picture.then_some(words)?
        }
        None => text.strip_prefix("picture ")?,
    };
    Some((words, overwrites))
}

impl App {
    /// A screen for a session, with its size in columns and rows.
    #[must_use]
    pub fn new(session: Session, size: (u16, u16), profile: TerminalProfile) -> Self {
        let mut viewer = Viewer::new(1, 1);
        viewer.is_dark = profile.is_dark;
        let mut app = Self {
            worlds: WorldTabs::new(session.file_access().limits.memory),
            session,
            viewer,
            size,
            profile,
            panel: None,
            line: None,
            question: None,
            note: None,
            line_history: Vec::new(),
            history: Vec::new(),
            drag: Drag::Nothing,
            anchor: None,
            floating: None,
            has_cell_cursor: false,
            clip: None,
            export: None,
            pool: None,
            is_leaving: false,
            is_stale: true,
            drawn: 0,
        };
        app.resize(size);
        app
    }

    /// The session.
    #[must_use]
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The viewer of this screen.
    #[must_use]
    pub fn viewer(&self) -> &Viewer {
        &self.viewer
    }

    /// Whether the session is running, so that time matters.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.session.is_busy()
    }

    /// Whether the session is on its way to a generation.
    #[must_use]
    pub fn is_going(&self) -> bool {
        self.session.status(&self.viewer).going.is_some()
    }

    /// Whether the screen has to be redrawn.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.is_stale || self.drawn != self.session.revision()
    }

    /// Whether the user has left.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.is_leaving
    }

    /// A draft of unsaved work; `None` where everything is saved.
    #[must_use]
    pub fn draft(&self) -> Option<Vec<u8>> {
        self.draft_of(self.world_ids().0)
    }

    /// Restores a draft.
    ///
    /// # Errors
    /// When the bytes are not a draft, or malformed. Nothing has changed in that case.
    pub fn restore(&mut self, draft: &[u8]) -> Result<(), CommandRefusal> {
        self.session.restore_draft(&mut self.viewer, draft)?;
        self.update_view();
        self.show_message(
            "unsaved work of last time · ctrl-s saves it, ctrl-n makes an empty world",
        );
        Ok(())
    }

    /// Opens a pattern before the first frame; `pattern` is resolved as by `open`.
    ///
    /// # Errors
    /// When there is no such pattern, or it cannot be opened.
    pub fn open(&mut self, pattern: &str) -> Result<(), CommandRefusal> {
        let command = Command::Open(pattern.into());
        let reply = self.session.apply(&mut self.viewer, &command)?;
        self.after_opening(reply);
        Ok(())
    }

    /// As [`App::open`], from the bytes of a file.
    ///
    /// # Errors
    /// When they are not a pattern, or cannot be opened.
    pub fn load(&mut self, name: &str, bytes: &[u8]) -> Result<(), CommandRefusal> {
        let reply = self
            .session
            .load(&mut self.viewer, name, bytes, None, true)?;
        self.after_opening(reply);
        Ok(())
    }

    /// Sets another rule, as if the pattern had named it.
    ///
    /// # Errors
    /// When the text is not a rule, or the pattern does not fit it.
    pub fn use_rule(&mut self, rule: &str) -> Result<(), CommandRefusal> {
        let was_unsaved = self.session.is_unsaved();
        let command = Command::Anyway(Box::new(Command::Rule(rule.into())));
        let reply = self.session.apply(&mut self.viewer, &command)?;
        if !was_unsaved {
            self.session.mark_saved();
        }
        self.after_opening(reply);
        Ok(())
    }

    /// Opens a running glider gun for users who name no pattern.
    ///
    /// # Errors
    /// When the library does not have it.
    pub fn welcome(&mut self) -> Result<(), CommandRefusal> {
        self.open("gosper-glider-gun")?;
        self.send("run");
        self.show_message("draw on the paper with the mouse, or with shift, arrows and .");
        Ok(())
    }

    fn after_opening(&mut self, reply: CommandReply) {
        self.update_view();
        self.note = reply.note.map(|words| AppNotice {
            words,
            is_error: false,
        });
        self.is_stale = true;
    }

    /// Lends threads on which patterns are identified.
    pub fn lend(&mut self, pool: WorkerPool) {
        self.pool = Some(pool);
    }

    fn open_about(&mut self) {
        let about = AboutPanel::open(&self.session, self.pool.as_ref());
        self.panel = Some(WorldPanel::About(about));
    }

    /// Searches with the selection.
    fn open_search(&mut self, words: &str) -> Result<(), CommandFailure> {
        let status = self.session.status(&self.viewer);
        let opened = SearchPanel::open(words, &self.session, &status, self.pool.as_ref());
        let search = opened.map_err(|why| CommandFailure { why, hint: None })?;
        self.panel = Some(WorldPanel::Search(search));
        Ok(())
    }

    /// Whether a panel waits for what another thread finds.
    pub(crate) fn is_waiting(&self) -> bool {
        match &self.panel {
            Some(WorldPanel::About(about)) => about.is_looking(),
            Some(WorldPanel::Search(search)) => search.is_searching(),
            Some(WorldPanel::Census(census)) => census.is_counting(),
            _ => self.export.is_some(),
        }
    }

    /// Has the screen drawn again.
    pub(crate) fn mark_stale(&mut self) {
        self.is_stale = true;
    }

    /// Takes the text for the system's clipboard, if there is one.
    pub fn take_clipboard_text(&mut self) -> Option<String> {
        self.clip.take()
    }

    /// Begins to write a picture or a film.
    fn begin_export(&mut self, words: &str, overwrites: bool) -> Result<(), CommandFailure> {
        let failed = |error: PictureExportError| CommandFailure {
            why: error.to_string(),
            hint: None,
        };
        let request = PictureRequest::parse(words).map_err(failed)?;
        let pool = self.pool.as_ref();
        let export = PictureExport::start(request, &self.session, &self.viewer, pool);
        self.export = Some((export.map_err(failed)?, overwrites));
        self.poll_export();
        Ok(())
    }

    /// Writes the picture or film where it is made, and says how far it is where it is not.
    pub(crate) fn poll_export(&mut self) {
        let Some((export, overwrites)) = self.export.take() else {
            return;
        };
        let name = export.request.name.clone();
        match export.state() {
            ExportState::Making(done, all) => {
                self.show_message(format!("{name}: {done} of {all} pictures · esc stops it"));
                self.export = Some((export, overwrites));
            }
            ExportState::Made(bytes) => match self.session.write_file(&name, &bytes, overwrites) {
                Ok(()) => self.show_message(format!("wrote {name}, {} bytes", bytes.len())),
                Err(error) if error.is_question() => {
                    self.question = Some(ConfirmPrompt {
                        words: error.to_string(),
                        yes: "overwrite it",
                        command: Some(format!("anyway picture {}", export.request.words)),
                    });
                }
                Err(error) => self.show_failure(CommandFailure {
                    why: error.to_string(),
                    hint: None,
                }),
            },
            ExportState::Failed(error) => self.show_failure(CommandFailure {
                why: error.to_string(),
                hint: None,
            }),
        }
    }

    /// Advances the session by the elapsed time; `go_on` is called now and then and can end the
    /// work early.
    pub fn tick(&mut self, elapsed: Duration, go_on: &mut dyn FnMut() -> bool) {
        if self.session.tick(elapsed, go_on) {
            self.is_stale = true;
        }
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.pasted(text),
            Event::Resize(columns, rows) => self.resize((*columns, *rows)),
            _ => {}
        }
    }

    /// Sends a command as text, as the command line does. Returns whether it was done.
    pub fn send(&mut self, text: &str) -> bool {
        match self.send_text(text) {
            Ok(()) => true,
            Err(refused) => {
                self.show_failure(refused);
                false
            }
        }
    }

    /// Shows a message.
    pub fn show_message(&mut self, words: impl Into<String>) {
        self.is_stale = true;
        self.note = Some(AppNotice {
            words: words.into(),
            is_error: false,
        });
    }

    /// Leaves, or asks first where unsaved work would be lost.
    pub fn leave(&mut self) {
        let unsaved = self.unsaved_worlds();
        if unsaved > 0 {
            self.question = Some(ConfirmPrompt {
                words: match self.worlds.count() {
                    1 => "there are changes that no file has".into(),
                    count => format!("{unsaved} of {count} worlds have changes that no file has"),
                },
                yes: "leave and discard them",
                command: None,
            });
        } else {
            self.is_leaving = true;
        }
    }

    pub(crate) fn ink(&self) -> Ink {
        Ink {
            depth: self.profile.depth,
            theme: self.session.palette(&self.viewer).theme,
        }
    }

    /// The part of the screen that shows the plane.
    pub(crate) fn sheet_area(&self) -> Rect {
        let (columns, rows) = self.size;
        Rect::new(0, 1, columns, rows.saturating_sub(3).max(1))
    }

    pub(crate) fn was_drawn(&mut self) {
        self.is_stale = false;
        self.drawn = self.session.revision();
    }

    fn resize(&mut self, size: (u16, u16)) {
        self.size = (size.0.max(1), size.1.max(1));
        let (width, height) = sheet::pixels(self.sheet_area());
        self.viewer.resize(width, height);
        self.update_view();
    }

    /// Updates the view after each command: moves to an opened pattern, and aligns rows of cells
    /// with rows of characters.
    fn update_view(&mut self) {
        // Panning by nothing moves the viewer to a pattern that was opened.
        let here = Command::Pan(0, 0);
        let _ = self.session.apply(&mut self.viewer, &here);
        self.viewer.viewport = sheet::aligned(&self.viewer.viewport);
    }

    fn send_text(&mut self, text: &str) -> Result<(), CommandFailure> {
        self.note = None;
        match text {
            "help" => self.panel = Some(WorldPanel::Help(CommandHelp::default())),
            "library" => self.open_library(""),
            "settings" => self.panel = Some(WorldPanel::Settings(SettingsList::default())),
            "plot" => self.panel = Some(WorldPanel::Plot(PlotPanel::default())),
            "about" => self.open_about(),
            "past" => self.panel = Some(WorldPanel::History(HistoryPanel::default())),
            "search" => self.line = Some(CommandLine::new("search ")),
            "census" => {
                let census = CensusPanel::open(&self.session, self.pool.as_ref());
                let census = census.map_err(|why| CommandFailure { why, hint: None })?;
                self.panel = Some(WorldPanel::Census(census));
            }
            "picture" => self.line = Some(CommandLine::new("picture ")),
            "worlds" => self.panel = Some(WorldPanel::Worlds(WorldList::new(self.worlds.at()))),
            "leave" | "quit" | "exit" => self.leave(),
            text => {
                if let Some(words) = text.strip_prefix("search ") {
                    return self.open_search(words.trim());
                }
                if let Some((words, overwrites)) = picture_words(text) {
                    return self.begin_export(words, overwrites);
                }
                if let Some(outcome) = self.apply_to_worlds(text) {
                    return outcome;
                }
                let command: Command = text.parse().map_err(|error| {
                    let error = CommandRefusal::Command(error);
                    CommandFailure {
                        why: error.to_string(),
                        hint: error.hint(),
                    }
                })?;
                return self.apply(&command);
            }
        }
        Ok(())
    }

    fn apply(&mut self, command: &Command) -> Result<(), CommandFailure> {
        self.is_stale = true;
        self.note = None;
        let before = self.session.content();
        let generation = self.session.world().generation().to_string();
        let outcome = self.session.apply(&mut self.viewer, command);
        self.update_view();
        match outcome {
            Ok(reply) => {
                self.take_reply(reply);
                if is_recorded(command) || self.session.content() != before {
                    self.record(command, generation);
                }
            }
            Err(CommandRefusal::Asks {
                question,
                command,
                yes,
            }) => {
                self.question = Some(ConfirmPrompt {
                    words: question,
                    yes,
                    command: Some(command),
                });
            }
            Err(CommandRefusal::NoFile) if matches!(command, Command::Save { name: None, .. }) => {
                self.line = Some(CommandLine::new("save "));
            }
            Err(refusal) => {
                return Err(CommandFailure {
                    why: refusal.to_string(),
                    hint: refusal.hint(),
                });
            }
        }
        match command {
            Command::Nudge(..) | Command::Cursor(Some(_)) => self.has_cell_cursor = true,
            Command::Cursor(None) => self.has_cell_cursor = false,
            _ => {}
        }
        Ok(())
    }

    fn record(&mut self, command: &Command, generation: String) {
        if matches!(command, Command::Draw { more: true, .. }) {
            return;
        }
        let command = match command {
            Command::Seen(command) => command,
            command => command,
        };
        // Long commands are shortened to their first and last part.
        let words = command.to_string();
        let words = match words.char_indices().nth(60) {
            Some((end, _)) => format!("{}…", &words[..end]),
            None => words,
        };
        if self.history.len() >= MAX_HISTORY {
            self.history.remove(0);
        }
        self.history.push(CommandHistoryEntry { generation, words });
    }

    /// Applies a command that is always accepted; an error is shown all the same.
    pub(crate) fn carry_out(&mut self, command: &Command) {
        if let Err(refused) = self.apply(command) {
            self.show_failure(refused);
        }
    }

    fn take_reply(&mut self, reply: CommandReply) {
        self.clip = reply.clip.or(self.clip.take());
        if let Some(words) = reply.note {
            let words = match reply.undo {
                true => format!("{words} · ctrl-z takes it back"),
                false => words,
            };
            self.show_message(words);
        }
    }

    fn show_failure(&mut self, refused: CommandFailure) {
        let hint = refused.hint.map(|hint| format!(" · {hint}"));
        self.note = Some(AppNotice {
            words: format!("{}{}", refused.why, hint.unwrap_or_default()),
            is_error: true,
        });
    }

    fn key(&mut self, event: &KeyEvent) {
        let is_control = event.modifiers.contains(KeyModifiers::CONTROL);
        let is_interrupt = is_control && event.code == KeyCode::Char('c');
        if self.question.is_some() {
            return self.answer(event, is_interrupt);
        }
        if is_interrupt && (self.line.is_some() || self.panel.is_some()) {
            (self.line, self.panel) = (None, None);
            return;
        }
        if self.line.is_some() {
            return self.key_on_line(event);
        }
        if self.panel.is_some() {
            return self.key_on_panel(event);
        }
        if self.floating.is_some() && self.key_on_paste(event) {
            return;
        }
        if is_interrupt && self.session.status(&self.viewer).selection.is_none() {
            return self.leave();
        }
        match meaning(event) {
            Some(TerminalKeyMeaning::Command(command)) => self.key_command(command),
            Some(TerminalKeyMeaning::Action(action)) => self.perform(action),
            None => {}
        }
    }

    fn answer(&mut self, event: &KeyEvent, is_interrupt: bool) {
        let Some(question) = self.question.take() else {
            return;
        };
        // Asking to leave twice confirms it.
        let insists = is_interrupt && question.command.is_none();
        match event.code {
            _ if insists => self.is_leaving = true,
            KeyCode::Char('y' | 'Y') => match question.command {
                Some(command) => {
                    if self.send(&command) {
                        self.panel = None;
                    }
                }
                None => self.is_leaving = true,
            },
            KeyCode::Char('n' | 'N') | KeyCode::Esc => {}
            _ if is_interrupt => {}
            _ => self.question = Some(question),
        }
    }

    fn key_on_line(&mut self, event: &KeyEvent) {
        let Some(line) = &mut self.line else { return };
        match line.key(event, &self.line_history, self.session.file_access()) {
            CommandLineOutcome::Continue => {}
            CommandLineOutcome::Close => self.line = None,
            CommandLineOutcome::Sent(text) => {
                if self.line_history.last() != Some(&text) {
                    self.line_history.push(text.clone());
                }
                let line_history = self.line.take();
                let outcome = match floating_text(&text) {
                    Some(words) => self.begin_paste(words),
                    None => self.send_text(&text),
                };
                if let Err(refused) = outcome {
                    let mut line = line_history.unwrap_or_default();
                    line.refused = Some(refused);
                    self.line = Some(line);
                }
            }
        }
    }

    fn key_on_panel(&mut self, event: &KeyEvent) {
        let Some(mut panel) = self.panel.take() else {
            return;
        };
        let request = self.with_context(|context| panel.key(event, context));
        self.handle_request(panel, request);
    }

    /// Fulfils a panel's request.
    pub(crate) fn handle_request(&mut self, panel: WorldPanel, request: PanelRequest) {
        match request {
            PanelRequest::Stay => self.panel = Some(panel),
            PanelRequest::Close => self.note = None,
            PanelRequest::Send(command) => {
                self.send(&command);
                self.panel.get_or_insert(panel);
            }
            PanelRequest::SendAndClose(command) => {
                // Where a question is asked, no returns to the panel.
                let is_done = self.send(&command) && self.question.is_none();
                if !is_done {
                    self.panel = Some(panel);
                }
            }
        }
    }

    fn key_command(&mut self, command: &'static str) {
        match command {
            "rule " => self.panel = Some(WorldPanel::Rule(RuleBox::default())),
            "cancel" if self.export.take().is_some() => self.show_message("stopped"),
            "cancel" if self.anchor.take().is_some() => {}
            "cancel" => {
                self.has_cell_cursor = false;
                self.send(command);
            }
            // In place: the word typed opens one beside.
            "new" => self.carry_out(&Command::New),
            "paste" => self.float(None),
            wanting if wanting.ends_with(' ') => self.line = Some(CommandLine::new(wanting)),
            command => {
                let name = command.split(' ').next().unwrap_or_default();
                let group = entry(name).map(|entry| entry.group);
                match group {
                    Some(Group::Draw | Group::Select) => self.send(&format!("seen {command}")),
                    _ => self.send(command),
                };
            }
        }
        if command.starts_with("nudge") {
            self.select_from_anchor();
        }
    }

    fn perform(&mut self, action: TerminalAction) {
        self.note = None;
        match action {
            TerminalAction::Line => self.line = Some(CommandLine::default()),
            TerminalAction::FlipHere => {
                if self.ensure_cursor().is_some() {
                    self.carry_out(&Command::Seen(Box::new(Command::Flip(None))));
                }
            }
            TerminalAction::Mark if self.anchor.take().is_some() => {}
            TerminalAction::Mark => {
                self.anchor = self.ensure_cursor();
                self.select_from_anchor();
            }
            TerminalAction::NextPen => self.change_pen(1),
            TerminalAction::PreviousPen => self.change_pen(-1),
            TerminalAction::Library => self.open_library(""),
            TerminalAction::Settings => {
                self.panel = Some(WorldPanel::Settings(SettingsList::default()))
            }
            TerminalAction::Plot => self.panel = Some(WorldPanel::Plot(PlotPanel::default())),
            TerminalAction::History => {
                self.panel = Some(WorldPanel::History(HistoryPanel::default()))
            }
            TerminalAction::About => self.open_about(),
            TerminalAction::NewWorld
            | TerminalAction::Census
            | TerminalAction::Picture
            | TerminalAction::Search
            | TerminalAction::Worlds
            | TerminalAction::NextWorld
            | TerminalAction::PreviousWorld => {
                self.send(action.word());
            }
            TerminalAction::Leave => self.leave(),
        }
    }

    fn open_library(&mut self, word: &str) {
        let library = self.with_context(|context| Library::new(word, context));
        self.panel = Some(WorldPanel::Library(library));
    }

    pub(crate) fn with_context<T>(&self, f: impl FnOnce(&PanelContext<'_>) -> T) -> T {
        f(&PanelContext {
            session: &self.session,
            status: &self.session.status(&self.viewer),
            history: &self.history,
            worlds: &self.world_summaries(),
            ink: self.ink(),
        })
    }

    /// The cell at the cursor, which is put in the middle where there is none.
    fn ensure_cursor(&mut self) -> Option<Point> {
        let is_new = self.viewer.cursor.is_none() || !self.has_cell_cursor;
        if is_new {
            self.carry_out(&Command::Nudge(0, 0));
        }
        let (x, y) = self.viewer.cursor.as_ref()?;
        Some(Point::new(x.to_i64()?, y.to_i64()?))
    }

    fn select_from_anchor(&mut self) {
        let Some(anchor) = self.anchor else { return };
        if let Some(here) = self.ensure_cursor() {
            let cells = SelectionChange::Cells(Area::from_corners(anchor, here));
            self.carry_out(&Command::Select(cells));
        }
    }

    fn change_pen(&mut self, by: i16) {
        let states = i32::from(self.session.world().rule().states());
        let pen = (i32::from(self.viewer.pen) + i32::from(by)).rem_euclid(states);
        self.carry_out(&Command::Pen(pen as u8));
        self.show_message(match pen {
            0 => "drawing with state 0, which erases".into(),
            pen => format!("drawing with state {pen}"),
        });
    }

    fn pasted(&mut self, text: &str) {
        if self.question.is_some() {
            return;
        }
        if let Some(line) = &mut self.line {
            line.input.insert(text);
        } else if let Some(mut panel) = self.panel.take() {
            self.with_context(|context| panel.paste(text, context));
            self.panel = Some(panel);
        } else {
            self.float(Some(text));
        }
    }

    /// Begins a paste, or says why not.
    fn float(&mut self, text: Option<&str>) {
        if let Err(refused) = self.begin_paste(text) {
            self.show_failure(refused);
        }
    }

    /// The message for the left end of the status line.
    pub(crate) fn note_piece(&self, message: Option<&str>) -> Option<BarPiece> {
        let ink = self.ink();
        if let Some(note) = &self.note {
            let style = if note.is_error {
                ink.wrong()
            } else {
                ink.text()
            };
            return Some(BarPiece::left(0, note.words.clone(), style));
        }
        message.map(|words| BarPiece::left(0, words, ink.wrong()))
    }
}
