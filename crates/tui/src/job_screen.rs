//! The screen of a long job: what it is asked is typed field by field, the job runs on a thread of
//! the screen's own, and what it has found stands in a list, from which a pattern can be opened.
//!
//! [`JobScreen`] is a value, as [`App`](crate::App) is. What a job asks and shows is a
//! [`JobScreenModel`]: the [census](crate::census) and the [search](crate::search).

use crate::app::TerminalProfile;
use crate::bar::{self, BarPiece};
use crate::event_loop::FullScreenApp;
use crate::ink::Ink;
use crate::input::TextInput;
use crate::panel::{ChoiceRows, field};
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{ChoiceScreen, ScreenKey, is_interrupt, meaning};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// What is to be opened: a pattern, under a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternChoice {
    /// The pattern's name or its cells, as a PATTERN of the command line.
    pub pattern: String,
    /// The rule of the job.
    pub rule: String,
}

/// What a [`JobScreen`] asks, runs and shows.
pub trait JobScreenModel: Default + 'static {
    /// What can be typed.
    type Field: Copy + 'static;
    /// What a key changes without typing.
    type Change: Copy + 'static;

    /// The name of the screen, and of the job's thread.
    const NAME: &'static str;
    /// What the job does, in the third person.
    const VERB: &'static str;
    /// The message where there is nothing to open.
    const NOTHING: &'static str;
    /// The keys, with their help.
    const KEYS: &'static [ScreenKey<JobKeyAction<Self::Field, Self::Change>>];

    /// Whether the job runs.
    fn is_running(&self) -> bool;

    /// Begins the job that was asked for, or says why that cannot be.
    fn start(&mut self, pool: &WorkerPool) -> Result<(), String>;

    /// Stops the job.
    fn stop(&self);

    /// Looks how far the running job is. Returns whether something is new, or why the job failed.
    fn update(&mut self) -> Result<bool, String>;

    /// The text of a field when it is opened.
    fn text(&self, field: Self::Field) -> String;

    /// The label before the field.
    fn label(&self, field: Self::Field) -> &'static str;

    /// What an empty field shows.
    fn hint(&self, field: Self::Field) -> &'static str;

    /// Sets a field, or says why its text means nothing.
    fn enter(&mut self, field: Self::Field, text: &str) -> Result<(), String>;

    /// Whether the field filters the list, so that each key counts.
    fn is_filter(_: Self::Field) -> bool {
        false
    }

    /// Changes what is asked.
    fn change(&mut self, change: Self::Change);

    /// The number of rows in the list.
    fn listed(&self) -> usize;

    /// What the chosen row opens.
    fn choice(&self, row: usize, what: RowPart) -> Option<PatternChoice>;

    /// What is asked, for the top of the screen.
    fn question(&self, ink: Ink) -> Vec<BarPiece>;

    /// Draws the list, below the top and the input.
    fn draw_list(&self, rows: &mut ChoiceRows, buffer: &mut Buffer, area: Rect, ink: Ink);

    /// How far the job is.
    fn words(&self) -> String;
}

/// What of a row is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowPart {
    /// The pattern of the row.
    Pattern,
    /// The soup that it comes from.
    Soup,
}

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKeyAction<F, C> {
    /// Begin, or stop.
    Go,
    /// Type a field.
    Type(F),
    /// Change what is asked.
    Change(C),
    /// Open the chosen row.
    Open(RowPart),
    /// Show the help.
    Help,
    /// Leave the screen.
    Leave,
}

/// The screen of a job: a pure function of its events, but for the job itself.
pub struct JobScreen<M: JobScreenModel> {
    model: M,
    pool: WorkerPool,
    rows: ChoiceRows,
    typed: Option<(M::Field, TextInput)>,
    choice: Option<PatternChoice>,
    state: ScreenState,
}

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 10);

/// How often a running job is looked at.
const PACE: Duration = Duration::from_millis(100);

impl<M: JobScreenModel> JobScreen<M> {
    /// A screen on which no job has been begun yet.
    #[must_use]
    pub fn new(profile: TerminalProfile) -> Self {
        Self {
            model: M::default(),
            pool: WorkerPool::new(Arc::default()),
            rows: ChoiceRows::default(),
            typed: None,
            choice: None,
            state: ScreenState::new((80, 24), profile),
        }
    }

    fn key(&mut self, event: &KeyEvent) {
        if self.state.help_key(event) {
            return;
        }
        if let Some((field, mut typed)) = self.typed.take() {
            match event.code {
                KeyCode::Enter => self.enter(field, typed.text().trim()),
                KeyCode::Esc => {}
                _ if is_interrupt(event) => {}
                _ => {
                    typed.key(event);
                    if M::is_filter(field) {
                        self.enter(field, typed.text().trim());
                    }
                    self.typed = Some((field, typed));
                }
            }
            return;
        }
        self.state.note = None;
        if is_interrupt(event) {
            self.state.is_leaving = true;
        } else if let Some(action) = meaning(M::KEYS, event) {
            self.apply(action);
        } else {
            self.rows.key(event, self.model.listed());
        }
    }

    fn enter(&mut self, field: M::Field, text: &str) {
        if M::is_filter(field) {
            self.rows = ChoiceRows::default();
        }
        if let Err(words) = self.model.enter(field, text) {
            self.state.refuse(words);
        }
    }

    fn apply(&mut self, action: JobKeyAction<M::Field, M::Change>) {
        match action {
            JobKeyAction::Go => self.go(),
            JobKeyAction::Type(field) => {
                self.typed = Some((field, TextInput::new(self.model.text(field))));
            }
            JobKeyAction::Change(change) => self.model.change(change),
            JobKeyAction::Open(what) => self.open(what),
            JobKeyAction::Help => {
                let sections = vec![HelpSection::keys("keys", M::KEYS)];
                self.state.help = Some(ScreenHelp::new(sections));
            }
            JobKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    fn go(&mut self) {
        if self.model.is_running() {
            self.model.stop();
            return;
        }
        if self.pool.threads() == 0
            && let Err(error) = self.pool.spawn(M::NAME, 1)
        {
            self.state.refuse(error.to_string());
            return;
        }
        match self.model.start(&self.pool) {
            Ok(()) => self.rows = ChoiceRows::default(),
            Err(words) => self.state.refuse(words),
        }
    }

    fn open(&mut self, what: RowPart) {
        if self.rows.chosen >= self.model.listed() {
            self.state.inform(M::NOTHING);
            return;
        }
        self.choice = self.model.choice(self.rows.chosen, what);
        self.state.is_leaving = self.choice.is_some();
    }
}

impl<M: JobScreenModel> FullScreenApp for JobScreen<M> {
    fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        let all = self.model.listed();
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Paste(text) => {
                if let Some((_, typed)) = &mut self.typed {
                    typed.insert(text);
                }
            }
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::ScrollUp => self.rows.by(-1, all),
                MouseEventKind::ScrollDown => self.rows.by(1, all),
                MouseEventKind::Down(MouseButton::Left) => {
                    let at = Position::new(mouse.column, mouse.row);
                    if self.rows.click(at, all) == Some(true) {
                        self.open(RowPart::Pattern);
                    }
                }
                _ => {}
            },
            Event::Resize(columns, rows) => self.state.size = (*columns, *rows),
            _ => {}
        }
    }

    fn update(&mut self, _elapsed: Duration) -> io::Result<()> {
        if self.model.is_running() {
            match self.model.update() {
                Ok(is_new) => self.state.is_stale |= is_new,
                Err(words) => self.state.show_message(words, true),
            }
        }
        Ok(())
    }

    fn poll_interval(&self) -> Duration {
        match self.model.is_running() {
            true => PACE,
            false => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let row = |y: u16| Rect::new(0, y, screen.width, 1);
        let mut top = vec![BarPiece::left(0, M::NAME, ink.accent())];
        top.extend(self.model.question(ink));
        bar::draw(buffer, row(0), top, ink);
        let inner = Rect::new(1, 1, screen.width - 2, 1);
        let cursor = self.typed.as_ref().map(|(what, typed)| {
            let (label, hint) = (self.model.label(*what), self.model.hint(*what));
            field(buffer, inner, label, typed, hint, ink)
        });
        let list = Rect::new(1, 2, screen.width - 2, screen.height - 5);
        self.model.draw_list(&mut self.rows, buffer, list, ink);
        let words = vec![BarPiece::left(0, self.model.words(), ink.text())];
        bar::draw(buffer, row(screen.height - 2), words, ink);
        let go = match self.model.is_running() {
            true => "space stops".into(),
            false => format!("space {}", M::VERB),
        };
        let footer = self.state.footer(ink, ["? help", "enter opens it", &go]);
        bar::draw(buffer, row(screen.height - 1), footer, ink);
        match self.state.draw_help(buffer, ink) {
            true => None,
            false => cursor,
        }
    }

    fn state(&self) -> &ScreenState {
        &self.state
    }
}

impl<M: JobScreenModel> ChoiceScreen for JobScreen<M> {
    type Choice = PatternChoice;

    fn parts(&mut self) -> (&mut Option<PatternChoice>, &mut ScreenState) {
        (&mut self.choice, &mut self.state)
    }
}
