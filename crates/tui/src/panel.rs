//! Panels over the plane: help, library, settings, rule, plot, facts, history.

mod about;
mod census;
mod help;
mod history;
mod library;
mod plot;
mod rule;
mod search;
mod settings;
mod worlds;

pub(crate) use about::AboutPanel;
pub(crate) use census::CensusPanel;
pub(crate) use help::CommandHelp;
pub(crate) use history::{CommandHistoryEntry, HistoryPanel};
pub(crate) use library::Library;
pub(crate) use plot::PlotPanel;
pub(crate) use rule::RuleBox;
pub(crate) use search::SearchPanel;
pub(crate) use settings::{SettingsList, zoom_words};
pub(crate) use worlds::{WorldList, WorldListEntry};

use crate::ink::Ink;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use session::{Session, Status};

/// An open panel.
pub(crate) enum WorldPanel {
    /// Commands and keys.
    Help(CommandHelp),
    /// The built-in patterns.
    Library(Library),
    /// Switches and values.
    Settings(SettingsList),
    /// The rule input.
    Rule(RuleBox),
    /// Quantities of the run over time.
    Plot(PlotPanel),
    /// Facts about the pattern.
    About(AboutPanel),
    /// The history of commands.
    History(HistoryPanel),
    /// The open worlds.
    Worlds(WorldList),
    /// A search with the selection.
    Search(SearchPanel),
    /// A census of the rule.
    Census(CensusPanel),
}

/// A panel's request after a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PanelRequest {
    /// None.
    Stay,
    /// Close the panel.
    Close,
    /// Send a command, and keep the panel open.
    Send(String),
    /// Send a command, and close the panel if it succeeds.
    SendAndClose(String),
}

/// Everything that a panel may read.
pub(crate) struct PanelContext<'a> {
    pub(crate) session: &'a Session,
    pub(crate) status: &'a Status,
    /// The commands that were done, oldest first.
    pub(crate) history: &'a [CommandHistoryEntry],
    /// The open worlds, in order.
    pub(crate) worlds: &'a [WorldListEntry],
    pub(crate) ink: Ink,
}

impl WorldPanel {
    /// Handles a key.
    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        if event.code == KeyCode::Esc {
            return PanelRequest::Close;
        }
        match self {
            Self::Help(help) => help.key(event),
            Self::Library(library) => library.key(event, context),
            Self::Settings(list) => list.key(event, context),
            Self::Rule(rule_box) => rule_box.key(event, context),
            Self::Plot(plot) => plot.key(event, context),
            Self::About(about) => about.key(event),
            Self::History(history) => history.key(event, context),
            Self::Worlds(list) => list.key(event, context),
            Self::Search(search) => search.key(event),
            Self::Census(census) => census.key(event),
        }
    }

    /// Handles pasted text.
    pub(crate) fn paste(&mut self, text: &str, context: &PanelContext<'_>) {
        match self {
            Self::Help(help) => help.filter.insert(text),
            Self::Library(library) => library.paste(text, context),
            Self::Rule(rule_box) => rule_box.paste(text),
            _ => {}
        }
    }

    /// Handles the mouse wheel, by a number of rows.
    pub(crate) fn scroll(&mut self, rows: i32, context: &PanelContext<'_>) {
        match self {
            Self::Help(help) => help.rows.by(rows),
            Self::Library(library) => library.choose(rows, context),
            Self::Settings(list) => list.choose(rows),
            Self::Rule(rule_box) => rule_box.choose(rows, context),
            Self::Plot(_) | Self::Search(_) | Self::Census(_) => {}
            Self::About(about) => about.rows.by(rows),
            Self::History(history) => history.rows.by(rows),
            Self::Worlds(list) => list.choose(rows, context),
        }
    }

    /// Handles a click: on a row it selects it, on the selected row it acts as Enter.
    pub(crate) fn click(&mut self, at: Position, context: &PanelContext<'_>) -> PanelRequest {
        let is_again = match self {
            Self::Library(library) => library.click(at, context),
            Self::Settings(list) => list.click(at),
            Self::Rule(rule_box) => rule_box.click(at),
            Self::History(history) => history.click(at, context),
            Self::Worlds(list) => list.click(at, context),
            _ => false,
        };
        match is_again {
            true => self.key(&KeyEvent::from(KeyCode::Enter), context),
            false => PanelRequest::Stay,
        }
    }

    /// Draws the panel. Returns the position of the input cursor, if it has an input.
    pub(crate) fn draw(
        &mut self,
        buffer: &mut Buffer,
        area: Rect,
        context: &PanelContext<'_>,
    ) -> Option<Position> {
        match self {
            Self::Help(help) => Some(help.draw(buffer, area, context.ink)),
            Self::Library(library) => Some(library.draw(buffer, area, context)),
            Self::Settings(list) => {
                list.draw(buffer, area, context);
                None
            }
            Self::Rule(rule_box) => Some(rule_box.draw(buffer, area, context)),
            Self::Worlds(list) => {
                list.draw(buffer, area, context);
                None
            }
            Self::Plot(plot) => {
                plot.draw(buffer, area, context);
                None
            }
            Self::About(about) => {
                about.draw(buffer, area, context);
                None
            }
            Self::Search(search) => {
                search.draw(buffer, area, context);
                None
            }
            Self::Census(census) => {
                census.draw(buffer, area, context);
                None
            }
            Self::History(history) => {
                history.draw(buffer, area, context);
                None
            }
        }
    }
}

/// The scroll state of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScrollRows {
    /// The first visible row.
    first: usize,
    /// The area of the last drawing.
    area: Rect,
}

impl ScrollRows {
    /// Scrolls by a number of rows.
    pub(crate) fn by(&mut self, rows: i32) {
        self.first = self.first.saturating_add_signed(rows as isize);
    }

    /// The rows of a page.
    pub(crate) fn page(&self) -> i32 {
        i32::from(self.area.height.max(2)) - 1
    }

    /// Handles a scroll key. Returns whether it was one.
    pub(crate) fn scroll_key(&mut self, event: &KeyEvent) -> bool {
        match event.code {
            KeyCode::Up => self.by(-1),
            KeyCode::Down => self.by(1),
            KeyCode::PageUp => self.by(-self.page()),
            KeyCode::PageDown => self.by(self.page()),
            _ => return false,
        }
        true
    }

    /// The first row to draw; the last page is kept full.
    pub(crate) fn scrolled(&mut self, area: Rect, rows: usize) -> usize {
        self.area = area;
        self.first = self.first.min(rows.saturating_sub(area.height.into()));
        self.first
    }

    /// The first row to draw so that a given row is visible.
    pub(crate) fn showing(&mut self, row: usize, area: Rect, rows: usize) -> usize {
        let least = (row + 1).saturating_sub(area.height.into());
        self.first = self.first.min(row).max(least);
        self.scrolled(area, rows)
    }

    /// The row at a screen position.
    pub(crate) fn at(&self, at: Position, rows: usize) -> Option<usize> {
        let row = usize::from(at.y.checked_sub(self.area.y)?) + self.first;
        (self.area.contains(at) && row < rows).then_some(row)
    }
}

/// The chosen row of a list, and its scroll state.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChoiceRows {
    pub(crate) chosen: usize,
    rows: ScrollRows,
}

impl ChoiceRows {
    pub(crate) fn new(chosen: usize) -> Self {
        let rows = ScrollRows::default();
        Self { chosen, rows }
    }

    /// Moves the choice by a number of rows, of `all`.
    pub(crate) fn by(&mut self, rows: i32, all: usize) {
        let chosen = self.chosen.saturating_add_signed(rows as isize);
        self.chosen = chosen.min(all.saturating_sub(1));
    }

    /// Handles a key that moves the choice. Returns whether it was one.
    pub(crate) fn key(&mut self, event: &KeyEvent, all: usize) -> bool {
        match event.code {
            KeyCode::Up | KeyCode::BackTab => self.by(-1, all),
            KeyCode::Down | KeyCode::Tab => self.by(1, all),
            KeyCode::PageUp => self.by(-self.rows.page(), all),
            KeyCode::PageDown => self.by(self.rows.page(), all),
            _ => return false,
        }
        true
    }

    /// Chooses the row at a screen position. Returns whether it was chosen before; `None` where
    /// there is no row.
    pub(crate) fn click(&mut self, at: Position, all: usize) -> Option<bool> {
        let row = self.rows.at(at, all)?;
        Some(std::mem::replace(&mut self.chosen, row) == row)
    }

    /// The first row to draw so that the chosen one is visible.
    pub(crate) fn first(&mut self, area: Rect, all: usize) -> usize {
        self.rows.showing(self.chosen, area, all)
    }

    /// Draws a list of lines.
    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, lines: &[String], ink: Ink) {
        let first = self.first(area, lines.len());
        let columns = usize::from(area.width);
        let lines = lines.iter().enumerate().skip(first);
        for ((row, line), y) in lines.zip(area.y..area.bottom()) {
            let style = match row == self.chosen {
                true => ink.chosen(),
                false => ink.text(),
            };
            buffer.set_string(area.x, y, " ".repeat(columns), style);
            buffer.set_stringn(area.x, y, crate::bar::cut(line, columns), columns, style);
        }
    }
}

/// Draws a window of at most this size: centred, or at the right of a wide screen. Returns the
/// area within its border.
pub(crate) fn window(
    buffer: &mut Buffer,
    area: Rect,
    size: (u16, u16),
    titles: (&str, &str),
    ink: Ink,
) -> Rect {
    let (width, height) = (size.0.min(area.width), size.1.min(area.height));
    let is_wide = area.width >= width.saturating_mul(3) / 2;
    let x = match is_wide {
        true => area.right() - width,
        false => area.x + (area.width - width) / 2,
    };
    let y = match is_wide {
        true => area.y,
        false => area.y + (area.height - height) / 2,
    };
    let height = if is_wide { area.height } else { height };
    let outer = Rect::new(x, y, width, height);
    for row in outer.rows() {
        let blank = " ".repeat(usize::from(row.width));
        let style = ink.text();
        for column in row.columns() {
            buffer[(column.x, column.y)].reset();
        }
        buffer.set_string(row.x, row.y, blank, style);
    }
    let line = "─".repeat(usize::from(width.saturating_sub(2)));
    let (last_column, last_row) = (outer.right() - 1, outer.bottom() - 1);
    buffer.set_string(x, y, format!("╭{line}╮"), ink.soft());
    buffer.set_string(x, last_row, format!("╰{line}╯"), ink.soft());
    for row in y + 1..last_row {
        buffer.set_string(x, row, "│", ink.soft());
        buffer.set_string(last_column, row, "│", ink.soft());
    }
    let (title, hint) = titles;
    let available = usize::from(width).saturating_sub(4);
    buffer.set_stringn(x + 2, y, format!(" {title} "), available, ink.strong());
    if !hint.is_empty() && crate::bar::width(hint) + 2 <= available {
        buffer.set_stringn(x + 2, last_row, format!(" {hint} "), available, ink.soft());
    }
    Rect::new(
        x + 2,
        y + 1,
        width.saturating_sub(4),
        height.saturating_sub(2),
    )
}

/// Draws a labelled input field. Returns the position of the input cursor.
pub(crate) fn field(
    buffer: &mut Buffer,
    area: Rect,
    label: &str,
    input: &crate::input::TextInput,
    empty: &str,
    ink: Ink,
) -> Position {
    buffer.set_stringn(area.x, area.y, label, area.width.into(), ink.accent());
    let start = area.x + crate::bar::width(label) as u16;
    let available = usize::from(area.right().saturating_sub(start)).max(1);
    if input.text().is_empty() {
        buffer.set_stringn(start, area.y, empty, available, ink.soft());
    }
    // The end of the input is always visible.
    let mut before = input.before();
    while crate::bar::width(before) >= available {
        let mut letters = before.chars();
        letters.next();
        before = letters.as_str();
    }
    let after = &input.text()[input.before().len()..];
    buffer.set_stringn(
        start,
        area.y,
        format!("{before}{after}"),
        available,
        ink.text(),
    );
    Position::new(start + crate::bar::width(before) as u16, area.y)
}

/// Wraps a text at a number of columns.
pub(crate) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(8);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            let mut word = word.to_string();
            if !line.is_empty() && crate::bar::width(&line) + 1 + crate::bar::width(&word) > columns
            {
                lines.push(std::mem::take(&mut line));
            }
            // A word that is longer than a line is broken.
            while crate::bar::width(&word) > columns {
                let cut = word.char_indices().nth(columns).map_or(word.len(), |c| c.0);
                let rest = word.split_off(cut);
                lines.push(std::mem::replace(&mut word, rest));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word);
        }
        lines.push(line);
    }
    lines
}
