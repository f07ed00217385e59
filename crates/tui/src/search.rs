//! The search screen: patterns with a property are looked for while one watches.
//!
//! [`SearchScreen`] is a value, as [`App`](crate::App) is; [`run()`] is its event loop. The search
//! itself is `models::search_job`, on a thread of the screen's own.

use crate::app::TerminalProfile;
use crate::bar::{self, BarPiece, cut};
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use crate::input::TextInput;
use crate::panel::{ChoiceRows, field};
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{ScreenKey, is_interrupt, key, meaning};
use models::search_job::{SearchFind, SearchJob, SearchRequest, SearchTask, SearchView};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Runs the search screen in this terminal until the user leaves or opens something, or
/// `is_stopped` returns true.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut SearchScreen,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    show(screen, is_stopped)
}

/// The search screen.
pub struct SearchScreen {
    request: SearchRequest,
    /// What each task was given last: it is kept while others are asked for.
    period: String,
    velocity: String,
    generations: String,
    pool: WorkerPool,
    job: Option<SearchJob>,
    view: SearchView,
    rows: ChoiceRows,
    typed: Option<(SearchField, TextInput)>,
    choice: Option<SearchChoice>,
    help: Option<ScreenHelp>,
    state: ScreenState,
}

/// What is to be opened: cells, under a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchChoice {
    /// Run-length encoded, on one line without a header.
    pub cells: String,
    /// The rule of the search.
    pub rule: String,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchField {
    Rule,
    Period,
    Size,
    Symmetry,
    MostCells,
    Drawing,
    Margin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchKeyAction {
    Go,
    Task,
    Type(SearchField),
    All,
    Open,
    Help,
    Leave,
}

#[rustfmt::skip]
const KEYS: &[ScreenKey<SearchKeyAction>] = &[
    key("Space", SearchKeyAction::Go, "search, or stop"),
    key("t", SearchKeyAction::Task, "what is looked for: oscillators, spaceships, still lifes, predecessors, an orphan"),
    key("r", SearchKeyAction::Type(SearchField::Rule), "the rule"),
    key("p", SearchKeyAction::Type(SearchField::Period), "the period, the velocity, or the generations before"),
    key("b", SearchKeyAction::Type(SearchField::Size), "the box: columns x rows"),
    key("y", SearchKeyAction::Type(SearchField::Symmetry), "the symmetry: C1, D2|, D8"),
    key("m", SearchKeyAction::Type(SearchField::MostCells), "live cells at most"),
    key("d", SearchKeyAction::Type(SearchField::Drawing), "what is known: o is live, . is dead, ? is free, $ ends a row"),
    key("f", SearchKeyAction::Type(SearchField::Margin), "free rows and columns around the live cells that are known"),
    key("a", SearchKeyAction::All, "list all, or one"),
    key("Enter", SearchKeyAction::Open, "open the chosen pattern"),
    key("?", SearchKeyAction::Help, "this help"),
    key("q", SearchKeyAction::Leave, "leave"),
    key("Escape", SearchKeyAction::Leave, ""),
];

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 10);

/// How often a running search is looked at.
const PACE: Duration = Duration::from_millis(100);

impl SearchScreen {
    /// A screen on which nothing is searched yet.
    #[must_use]
    pub fn new(profile: TerminalProfile) -> Self {
        Self {
            request: SearchRequest::in_box(SearchTask::Oscillator { period: 3 }, (7, 7)),
            period: "3".into(),
            velocity: "c/3".into(),
            generations: "1".into(),
            pool: WorkerPool::new(Arc::default()),
            job: None,
            view: SearchView::default(),
            rows: ChoiceRows::default(),
            typed: None,
            choice: None,
            help: None,
            state: ScreenState::new((80, 24), profile),
        }
    }

    /// Takes what is to be opened, if there is something; the screen can be shown again afterwards.
    pub fn take_choice(&mut self) -> Option<SearchChoice> {
        self.state.is_leaving = false;
        self.state.is_stale = true;
        self.choice.take()
    }

    /// Shows a message in the status line: why a pattern could not be opened.
    pub fn show_message(&mut self, words: impl Into<String>) {
        self.state.show_message(words, true);
    }

    fn is_searching(&self) -> bool {
        self.job.is_some() && self.view.end.is_none()
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        let all = self.view.found.len();
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key, all),
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
                        self.open();
                    }
                }
                _ => {}
            },
            Event::Resize(columns, rows) => self.state.size = (*columns, *rows),
            _ => {}
        }
    }

    fn key(&mut self, event: &KeyEvent, all: usize) {
        if let Some(help) = &mut self.help {
            if !help.key(event) {
                self.help = None;
            }
            return;
        }
        if let Some((field, mut typed)) = self.typed.take() {
            match event.code {
                KeyCode::Enter => self.enter(field, typed.text().trim()),
                KeyCode::Esc => {}
                _ if is_interrupt(event) => {}
                _ => {
                    typed.key(event);
                    self.typed = Some((field, typed));
                }
            }
            return;
        }
        self.state.note = None;
        if is_interrupt(event) {
            self.state.is_leaving = true;
        } else if let Some(action) = meaning(KEYS, event) {
            self.apply(action);
        } else {
            self.rows.key(event, all);
        }
    }

    /// What the period's key types, by task.
    fn pace(&self) -> &String {
        match self.request.task {
            SearchTask::Ship { .. } => &self.velocity,
            SearchTask::Predecessor { .. } => &self.generations,
            _ => &self.period,
        }
    }

    fn text_of(&self, field: SearchField) -> String {
        let number = |number: Option<u32>| number.map(|number| number.to_string());
        let (width, height) = self.request.size;
        match field {
            SearchField::Rule => self.request.rule.clone(),
            SearchField::Period => self.pace().clone(),
            SearchField::Size => format!("{width}x{height}"),
            SearchField::Symmetry => self.request.symmetry.clone(),
            SearchField::MostCells => number(self.request.max_cells).unwrap_or_default(),
            SearchField::Drawing => self.request.drawing.clone(),
            SearchField::Margin => number(self.request.free_margin).unwrap_or_default(),
        }
    }

    fn label(&self, field: SearchField) -> &'static str {
        match (field, &self.request.task) {
            (SearchField::Rule, _) => "rule ",
            (SearchField::Period, SearchTask::Ship { .. }) => "velocity ",
            (SearchField::Period, SearchTask::Predecessor { .. }) => "generations before ",
            (SearchField::Period, _) => "period ",
            (SearchField::Size, _) => "box ",
            (SearchField::Symmetry, _) => "symmetry ",
            (SearchField::MostCells, _) => "cells at most ",
            (SearchField::Drawing, _) => "known ",
            (SearchField::Margin, _) => "free around it ",
        }
    }

    fn enter(&mut self, field: SearchField, text: &str) {
        let refusal = |what: &str| Some(format!("{text}: that is no {what}"));
        let number = |most: &mut Option<u32>| match (text, text.parse()) {
            ("", _) => {
                *most = None;
                None
            }
            (_, Ok(number)) => {
                *most = Some(number);
                None
            }
            _ => refusal("number"),
        };
        let refused = match field {
            SearchField::Rule => {
                self.request.rule = text.into();
                None
            }
            SearchField::Symmetry => {
                self.request.symmetry = text.into();
                None
            }
            SearchField::Drawing => {
                self.request.drawing = text.into();
                None
            }
            SearchField::MostCells => number(&mut self.request.max_cells),
            SearchField::Margin => number(&mut self.request.free_margin),
            SearchField::Size => {
                let sides = text.split_once('x').and_then(|(width, height)| {
                    width.trim().parse().ok().zip(height.trim().parse().ok())
                });
                self.request.size = sides.unwrap_or(self.request.size);
                sides.map_or_else(|| refusal("box: columns x rows"), |_| None)
            }
            SearchField::Period => self.enter_pace(text),
        };
        if let Some(words) = refused {
            self.state.refuse(words);
        }
    }

    fn enter_pace(&mut self, text: &str) -> Option<String> {
        let Self {
            request,
            period,
            velocity,
            generations,
            ..
        } = self;
        let (kept, is_number) = match request.task {
            SearchTask::Ship { .. } => (velocity, false),
            SearchTask::Predecessor { .. } => (generations, true),
            _ => (period, true),
        };
        if is_number && text.parse::<u32>().is_err() {
            return Some(format!("{text}: that is no number of generations"));
        }
        *kept = text.into();
        self.request.task = self.task_like(&self.request.task);
        None
    }

    /// A task of this kind, with what was typed for it.
    fn task_like(&self, task: &SearchTask) -> SearchTask {
        let number = |text: &String| text.parse().unwrap_or(1);
        match task {
            SearchTask::Oscillator { .. } => SearchTask::Oscillator {
                period: number(&self.period),
            },
            SearchTask::Ship { .. } => SearchTask::Ship {
                velocity: self.velocity.clone(),
            },
            SearchTask::Predecessor { .. } => SearchTask::Predecessor {
                generations: number(&self.generations),
            },
            SearchTask::Still | SearchTask::Orphan => task.clone(),
        }
    }

    fn apply(&mut self, action: SearchKeyAction) {
        match action {
            SearchKeyAction::Go => self.go(),
            SearchKeyAction::Task => {
                let next = match self.request.task {
                    SearchTask::Oscillator { .. } => SearchTask::Ship {
                        velocity: String::new(),
                    },
                    SearchTask::Ship { .. } => SearchTask::Still,
                    SearchTask::Still => SearchTask::Predecessor { generations: 1 },
                    SearchTask::Predecessor { .. } => SearchTask::Orphan,
                    SearchTask::Orphan => SearchTask::Oscillator { period: 1 },
                };
                self.request.task = self.task_like(&next);
            }
            SearchKeyAction::Type(field) => {
                self.typed = Some((field, TextInput::new(self.text_of(field))));
            }
            SearchKeyAction::All => self.request.all = !self.request.all,
            SearchKeyAction::Open => self.open(),
            SearchKeyAction::Help => {
                let sections = vec![HelpSection::keys("keys", KEYS)];
                self.help = Some(ScreenHelp::new(sections));
            }
            SearchKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    fn go(&mut self) {
        if let Some(job) = self.job.as_ref().filter(|_| self.is_searching()) {
            job.stop();
            return;
        }
        if self.pool.threads() == 0
            && let Err(error) = self.pool.spawn("search", 1)
        {
            self.state.refuse(error.to_string());
            return;
        }
        match SearchJob::start(&self.pool, self.request.clone(), None) {
            Ok(job) => {
                self.view = job.view();
                self.job = Some(job);
                self.rows = ChoiceRows::default();
            }
            Err(error) => self.state.refuse(error.to_string()),
        }
    }

    fn open(&mut self) {
        let found = self.view.found.get(self.rows.chosen);
        let Some((find, job)) = found.zip(self.job.as_ref()) else {
            self.state.inform("nothing is found yet: space begins");
            return;
        };
        let body = find.rle.lines().filter(|line| {
            let is_header = line.starts_with('#') || line.contains('=');
            !is_header
        });
        self.choice = Some(SearchChoice {
            cells: body.collect(),
            rule: job.request().rule.clone(),
        });
        self.state.is_leaving = true;
    }

    /// Looks how far the search is.
    pub fn update(&mut self) {
        if !self.is_searching() {
            return;
        }
        if let Some(job) = &self.job {
            let view = job.view();
            if view != self.view {
                self.view = view;
                self.state.is_stale = true;
            }
        }
    }

    /// What is asked, in a line.
    fn asked(&self) -> String {
        let SearchRequest {
            task,
            size: (width, height),
            symmetry,
            ..
        } = &self.request;
        let in_box = match self.request.drawing.is_empty() {
            true => format!("{width}x{height} {symmetry}"),
            false => format!("as drawn, {symmetry}"),
        };
        match task {
            SearchTask::Still => format!("still life {in_box}"),
            SearchTask::Oscillator { period } => format!("oscillator of period {period} {in_box}"),
            SearchTask::Ship { velocity } => format!("spaceship {velocity} {in_box}"),
            SearchTask::Predecessor { generations } => {
                let before = models::counted(*generations, "generation");
                format!("what becomes the drawing in {before}")
            }
            SearchTask::Orphan => "whether the drawing is an orphan".into(),
        }
    }

    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let row = |y: u16| Rect::new(0, y, screen.width, 1);
        let how_many = if self.request.all { "all" } else { "one" };
        let top = vec![
            BarPiece::left(0, "search", ink.accent()),
            BarPiece::left(2, self.request.rule.clone(), ink.strong()),
            BarPiece::left(1, self.asked(), ink.text()),
            BarPiece::right(3, how_many, ink.soft()),
        ];
        bar::draw(buffer, row(0), top, ink);
        let inner = Rect::new(1, 1, screen.width - 2, 1);
        let cursor = self.typed.as_ref().map(|(what, typed)| {
            let hint = match what {
                SearchField::Drawing => "3?$?o?$3?!",
                _ => "",
            };
            field(buffer, inner, self.label(*what), typed, hint, ink)
        });
        // the cells lie beside the list, where there is room
        let across = (screen.width - 2) / 2;
        let height = screen.height.saturating_sub(5);
        let list = Rect::new(1, 2, across, height);
        let lines: Vec<String> = self.view.found.iter().map(line).collect();
        if lines.is_empty() {
            let words = match (self.job.is_some(), self.is_searching()) {
                (false, _) => "space searches",
                (true, true) => "nothing is found yet",
                (true, false) => "nothing was found",
            };
            buffer.set_stringn(list.x, list.y, words, list.width.into(), ink.soft());
        }
        self.rows.draw(buffer, list, &lines, ink);
        let cells = match self.view.found.get(self.rows.chosen) {
            Some(find) if !self.is_searching() => &find.rows,
            _ => &self.view.partial,
        };
        let rows = (0..height).zip(cells);
        for (y, text) in rows {
            let x = list.right() + 1;
            let room = usize::from(screen.width.saturating_sub(x + 1));
            buffer.set_stringn(x, 2 + y, text, room, ink.text());
        }
        let words = match self.job.is_some() {
            true => self.view.words(),
            false => String::new(),
        };
        let words = vec![BarPiece::left(0, words, ink.text())];
        bar::draw(buffer, row(screen.height - 2), words, ink);
        let mut pieces = Vec::new();
        if let Some(note) = &self.state.note {
            pieces.push(BarPiece::left(0, note.words.clone(), note.style(ink)));
        }
        let go = if self.is_searching() {
            "space stops"
        } else {
            "space searches"
        };
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(2, "enter opens it", ink.soft()));
        pieces.push(BarPiece::right(3, go, ink.soft()));
        bar::draw(buffer, row(screen.height - 1), pieces, ink);
        if let Some(help) = &mut self.help {
            let area = Rect::new(0, 1, screen.width, screen.height - 3);
            help.draw(buffer, area, ink);
            return None;
        }
        cursor
    }
}

fn line(find: &SearchFind) -> String {
    let cells = models::counted(find.population, "cell");
    let code = find.code.as_deref().filter(|&code| code != find.title());
    let text = format!(
        "{:<24} {cells:>10} {}",
        cut(find.title(), 24),
        code.unwrap_or("")
    );
    text.trim_end().into()
}

impl FullScreenApp for SearchScreen {
    fn event(&mut self, event: &Event) {
        SearchScreen::event(self, event);
    }

    fn update(&mut self, _elapsed: Duration) -> io::Result<()> {
        SearchScreen::update(self);
        Ok(())
    }

    fn poll_interval(&self) -> Duration {
        match self.is_searching() {
            true => PACE,
            false => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        SearchScreen::draw(self, buffer)
    }

    fn state(&self) -> &ScreenState {
        &self.state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_arrives_and_means_one_thing() {
        crate::screens::check_keys(KEYS);
    }
}
