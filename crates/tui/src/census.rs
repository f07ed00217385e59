//! The census screen: soups are run while one watches, and what they leave stands in a table.
//!
//! [`CensusScreen`] is a value, as [`App`](crate::App) is; [`run()`] is its event loop. The census
//! itself is `models::census_run`, on a thread of the screen's own.

use crate::app::TerminalProfile;
use crate::bar::{self, BarPiece, cut};
use crate::event_loop::{FullScreenApp, ScreenExit, TerminalError, show};
use crate::input::TextInput;
use crate::panel::{ChoiceRows, field};
use crate::screen_state::ScreenState;
use crate::screens::help::{HelpSection, ScreenHelp};
use crate::screens::{ScreenKey, is_interrupt, key, meaning};
use models::census_run::{CensusRequest, CensusRow, CensusRun, CensusView};
use models::worker_pool::WorkerPool;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use std::io;
use std::sync::Arc;
use std::time::Duration;

/// Runs the census screen in this terminal until the user leaves or opens something, or
/// `is_stopped` returns true.
///
/// # Errors
/// As [`crate::check`], or when the terminal cannot be read or written.
pub fn run(
    screen: &mut CensusScreen,
    is_stopped: &dyn Fn() -> bool,
) -> Result<ScreenExit, TerminalError> {
    show(screen, is_stopped)
}

/// The census screen.
pub struct CensusScreen {
    request: CensusRequest,
    pool: WorkerPool,
    census: Option<CensusRun>,
    view: CensusView,
    /// Only objects whose name, kind or code has this are listed.
    search: String,
    rows: ChoiceRows,
    typed: Option<(CensusField, TextInput)>,
    choice: Option<CensusChoice>,
    help: Option<ScreenHelp>,
    state: ScreenState,
}

/// What is to be opened: a pattern, under a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CensusChoice {
    /// An apgcode, or the name of a soup.
    pub pattern: String,
    /// The rule of the census.
    pub rule: String,
}

/// What is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CensusField {
    Rule,
    Symmetry,
    Root,
    Soups,
    Search,
}

impl CensusField {
    fn label(self) -> &'static str {
        match self {
            Self::Rule => "rule ",
            Self::Symmetry => "symmetry ",
            Self::Root => "root ",
            Self::Soups => "soups ",
            Self::Search => "⌕ ",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CensusKeyAction {
    Go,
    Type(CensusField),
    Open,
    OpenSoup,
    Help,
    Leave,
}

#[rustfmt::skip]
const KEYS: &[ScreenKey<CensusKeyAction>] = &[
    key("Space", CensusKeyAction::Go, "count, or stop"),
    key("r", CensusKeyAction::Type(CensusField::Rule), "the rule"),
    key("y", CensusKeyAction::Type(CensusField::Symmetry), "the symmetry of the soups: C1, D8_4"),
    key("t", CensusKeyAction::Type(CensusField::Root), "the text that the soups are made of"),
    key("n", CensusKeyAction::Type(CensusField::Soups), "how many soups"),
    key("/", CensusKeyAction::Type(CensusField::Search), "search the objects"),
    key("Enter", CensusKeyAction::Open, "open the chosen object"),
    key("o", CensusKeyAction::OpenSoup, "open a soup that leaves it"),
    key("?", CensusKeyAction::Help, "this help"),
    key("q", CensusKeyAction::Leave, "leave"),
    key("Escape", CensusKeyAction::Leave, ""),
];

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 10);

/// How often a running census is looked at.
const PACE: Duration = Duration::from_millis(100);

impl CensusScreen {
    /// A screen on which nothing is counted yet.
    #[must_use]
    pub fn new(profile: TerminalProfile) -> Self {
        Self {
            request: CensusRequest {
                rule: "B3/S23".into(),
                symmetry: "C1".into(),
                root: "gridpaper".into(),
                soups: 10_000,
            },
            pool: WorkerPool::new(Arc::default()),
            census: None,
            view: CensusView::default(),
            search: String::new(),
            rows: ChoiceRows::default(),
            typed: None,
            choice: None,
            help: None,
            state: ScreenState::new((80, 24), profile),
        }
    }

    /// Takes what is to be opened, if there is something; the screen can be shown again afterwards.
    pub fn take_choice(&mut self) -> Option<CensusChoice> {
        self.state.is_leaving = false;
        self.state.is_stale = true;
        self.choice.take()
    }

    /// Shows a message in the status line: why a pattern could not be opened.
    pub fn show_message(&mut self, words: impl Into<String>) {
        self.state.show_message(words, true);
    }

    fn is_counting(&self) -> bool {
        self.census.is_some() && !self.view.is_over
    }

    fn listed(&self) -> Vec<&CensusRow> {
        let search = self.search.to_lowercase();
        let found = |row: &&CensusRow| {
            let name = row.name.unwrap_or_default();
            row.code.contains(&search) || name.contains(&search) || row.kind.contains(&search)
        };
        self.view.rows.iter().filter(found).collect()
    }

    /// Handles a terminal event.
    pub fn event(&mut self, event: &Event) {
        self.state.is_stale = true;
        let all = self.listed().len();
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
                        self.apply(CensusKeyAction::Open);
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
                    if field == CensusField::Search {
                        self.search_for(typed.text().trim());
                    }
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

    fn search_for(&mut self, text: &str) {
        self.search = text.into();
        self.rows = ChoiceRows::default();
    }

    fn enter(&mut self, field: CensusField, text: &str) {
        match field {
            CensusField::Rule => self.request.rule = text.into(),
            CensusField::Symmetry => self.request.symmetry = text.into(),
            CensusField::Root => self.request.root = text.into(),
            CensusField::Search => self.search_for(text),
            CensusField::Soups => {
                let digits: String = text.chars().filter(|&c| c != '_' && c != ',').collect();
                match digits.parse() {
                    Ok(soups) => self.request.soups = soups,
                    Err(_) => self
                        .state
                        .refuse(format!("{text}: that is no number of soups")),
                }
            }
        }
    }

    fn apply(&mut self, action: CensusKeyAction) {
        match action {
            CensusKeyAction::Go => self.go(),
            CensusKeyAction::Type(field) => {
                let text = match field {
                    CensusField::Rule => self.request.rule.clone(),
                    CensusField::Symmetry => self.request.symmetry.clone(),
                    CensusField::Root => self.request.root.clone(),
                    CensusField::Soups => self.request.soups.to_string(),
                    CensusField::Search => self.search.clone(),
                };
                self.typed = Some((field, TextInput::new(text)));
            }
            CensusKeyAction::Open | CensusKeyAction::OpenSoup => self.open(action),
            CensusKeyAction::Help => {
                let sections = vec![HelpSection::keys("keys", KEYS)];
                self.help = Some(ScreenHelp::new(sections));
            }
            CensusKeyAction::Leave => self.state.is_leaving = true,
        }
    }

    fn go(&mut self) {
        if let Some(census) = self.census.as_ref().filter(|_| self.is_counting()) {
            census.stop();
            return;
        }
        if self.pool.threads() == 0
            && let Err(error) = self.pool.spawn("census", 1)
        {
            self.state.refuse(error.to_string());
            return;
        }
        match CensusRun::start(&self.pool, self.request.clone(), None) {
            Ok(census) => {
                self.view = census.view();
                self.census = Some(census);
                self.rows = ChoiceRows::default();
            }
            Err(error) => self.state.refuse(error.to_string()),
        }
    }

    fn open(&mut self, action: CensusKeyAction) {
        let listed = self.listed();
        let Some(row) = listed.get(self.rows.chosen) else {
            self.state.inform("nothing is counted yet: space begins");
            return;
        };
        let pattern = match action {
            CensusKeyAction::OpenSoup => row.soup.clone(),
            _ => Some(row.code.clone()),
        };
        let rule = self
            .census
            .as_ref()
            .map(|census| census.request().rule.clone());
        self.choice = pattern
            .zip(rule)
            .map(|(pattern, rule)| CensusChoice { pattern, rule });
        self.state.is_leaving = self.choice.is_some();
    }

    /// Looks how far the census is.
    pub fn update(&mut self) {
        if !self.is_counting() {
            return;
        }
        if let Some(census) = &self.census {
            let view = census.view();
            if view != self.view {
                self.view = view;
                self.state.is_stale = true;
            }
        }
        if let Some(error) = &self.view.error {
            self.state.refuse(error.clone());
        }
    }

    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let row = |y: u16| Rect::new(0, y, screen.width, 1);
        let CensusRequest {
            rule,
            symmetry,
            root,
            soups,
        } = &self.request;
        let top = vec![
            BarPiece::left(0, "census", ink.accent()),
            BarPiece::left(1, rule.clone(), ink.strong()),
            BarPiece::left(2, format!("{symmetry}/{root}"), ink.text()),
            BarPiece::right(1, models::counted(*soups, "soup"), ink.soft()),
        ];
        bar::draw(buffer, row(0), top, ink);
        let inner = Rect::new(1, 1, screen.width - 2, 1);
        let cursor = self.typed.as_ref().map(|(what, typed)| {
            let hint = match what {
                CensusField::Search => "a name, a kind or a code",
                _ => "",
            };
            field(buffer, inner, what.label(), typed, hint, ink)
        });
        let list = Rect::new(1, 3, screen.width - 2, screen.height.saturating_sub(6));
        let lines: Vec<String> = self
            .listed()
            .iter()
            .map(|row| line(row, self.view.soups, list.width.into()))
            .collect();
        let heading = columns(
            ["object", "kind", "count", "per soup", "code"],
            list.width.into(),
        );
        buffer.set_stringn(list.x, 2, heading, list.width.into(), ink.soft());
        if lines.is_empty() {
            let words = match (self.census.is_some(), self.search.is_empty()) {
                (false, _) => "space counts what these soups leave",
                (true, false) => "no object has these words",
                (true, true) => "the first soups are run",
            };
            buffer.set_stringn(list.x, list.y, words, list.width.into(), ink.soft());
        }
        self.rows.draw(buffer, list, &lines, ink);
        let words = vec![BarPiece::left(0, self.words(), ink.text())];
        bar::draw(buffer, row(screen.height - 2), words, ink);
        let mut pieces = Vec::new();
        if let Some(note) = &self.state.note {
            pieces.push(BarPiece::left(0, note.words.clone(), note.style(ink)));
        }
        let go = if self.is_counting() {
            "space stops"
        } else {
            "space counts"
        };
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(2, "enter opens it", ink.soft()));
        pieces.push(BarPiece::right(3, go, ink.soft()));
        bar::draw(buffer, row(screen.height - 1), pieces, ink);
        if let Some(help) = &mut self.help {
            help.draw(
                buffer,
                Rect::new(0, 1, screen.width, screen.height - 3),
                ink,
            );
            return None;
        }
        cursor
    }

    fn words(&self) -> String {
        let view = &self.view;
        if self.census.is_none() {
            return String::new();
        }
        let soups = match view.is_over {
            true => models::counted(view.soups, "soup"),
            false => format!("{} of {} soups", view.soups, view.planned),
        };
        let kinds = models::counted(view.rows.len() as u64, "kind");
        let objects = models::counted(view.objects, "object");
        format!(
            "{soups} · {objects} of {kinds} · {:.0} a second",
            view.soups_per_second
        )
    }
}

/// The columns of the table, as many as there is room for.
fn columns(cells: [&str; 5], width: usize) -> String {
    let [name, kind, count, rate, code] = cells;
    let mut text = format!("{:<24} {count:>12}", cut(name, 24));
    if width >= 60 {
        text += &format!(" {rate:>10}");
    }
    if width >= 76 {
        text += &format!("  {kind:<13}");
    }
    if width >= 100 {
        text += &format!(" {code}");
    }
    cut(&text, width)
}

fn line(row: &CensusRow, soups: u64, width: usize) -> String {
    let name = row.name.unwrap_or(&row.code);
    let rate = row.count as f64 / soups.max(1) as f64;
    let rate = format!("{rate:.5}");
    columns(
        [name, &row.kind, &row.count.to_string(), &rate, &row.code],
        width,
    )
}

impl FullScreenApp for CensusScreen {
    fn event(&mut self, event: &Event) {
        CensusScreen::event(self, event);
    }

    fn update(&mut self, _elapsed: Duration) -> io::Result<()> {
        CensusScreen::update(self);
        Ok(())
    }

    fn poll_interval(&self) -> Duration {
        match self.is_counting() {
            true => PACE,
            false => Duration::MAX,
        }
    }

    fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        CensusScreen::draw(self, buffer)
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
