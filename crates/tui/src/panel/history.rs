//! The history panel: the changes, any of which can be returned to, and the commands that were
//! done.

use super::{ChoiceRows, PanelContext, PanelRequest, ScrollRows, window};
use crate::bar::{grouped, width};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use session::{ChangeEntry, ChangeList};

/// A command that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandHistoryEntry {
    /// The generation at which it was done.
    pub(crate) generation: String,
    /// The command as text.
    pub(crate) words: String,
}

/// The lists of changes and of commands, newest first.
#[derive(Debug, Default)]
pub(crate) struct HistoryPanel {
    /// The chosen state of the world; until a key chooses one, it is the present one.
    chosen: Option<ChoiceRows>,
    pub(crate) rows: ScrollRows,
}

impl HistoryPanel {
    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        let changes = &context.status.changes;
        let mut choice = self.choice(changes);
        match event.code {
            KeyCode::Up | KeyCode::Down => {
                choice.key(event, rows(changes));
                self.chosen = Some(choice);
            }
            KeyCode::Enter => match command(changes, choice.chosen) {
                Some(command) => {
                    self.chosen = None;
                    return PanelRequest::Send(command);
                }
                None => return PanelRequest::Close,
            },
            KeyCode::PageUp => self.rows.by(-self.rows.page()),
            KeyCode::PageDown => self.rows.by(self.rows.page()),
            KeyCode::Left | KeyCode::Backspace => {
                self.chosen = None;
                return PanelRequest::Send("undo".into());
            }
            KeyCode::Right => {
                self.chosen = None;
                return PanelRequest::Send("redo".into());
            }
            KeyCode::Char('u' | 'q') => return PanelRequest::Close,
            _ => {}
        }
        PanelRequest::Stay
    }

    /// Handles a click. Returns whether it was on the chosen row.
    pub(crate) fn click(&mut self, at: Position, context: &PanelContext<'_>) -> bool {
        let mut choice = self.choice(&context.status.changes);
        let is_again = choice.click(at, rows(&context.status.changes));
        self.chosen = Some(choice);
        is_again == Some(true)
    }

    fn choice(&self, changes: &ChangeList) -> ChoiceRows {
        self.chosen
            .unwrap_or_else(|| ChoiceRows::new(changes.undone.len()))
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "↑ ↓ enter go there · ← undo · → redo";
        let inner = window(buffer, area, (52, 24), ("history", hint), ink);
        let changes = &context.status.changes;
        let columns = usize::from(inner.width);
        let lines: Vec<String> = (0..rows(changes))
            .map(|row| line(changes, row, columns))
            .collect();
        let height = (lines.len() as u16).min(inner.height / 2).max(1);
        let mut choice = self.choice(changes);
        choice.draw(buffer, Rect { height, ..inner }, &lines, ink);
        if self.chosen.is_some() {
            self.chosen = Some(choice);
        }
        let list = Rect {
            y: inner.y + height + 1,
            height: inner.height.saturating_sub(height + 1),
            ..inner
        };
        let first = self.rows.scrolled(list, context.history.len());
        if context.history.is_empty() && list.height > 0 {
            let words = "no commands yet";
            buffer.set_stringn(list.x, list.y, words, columns, ink.soft());
        }
        let seen = context.history.iter().rev().skip(first);
        for (action, y) in seen.zip(list.y..list.bottom()) {
            let generation = grouped(&action.generation);
            buffer.set_stringn(list.x, y, format!("{generation:>11}"), 11, ink.soft());
            let available = columns.saturating_sub(13);
            buffer.set_stringn(list.x + 13, y, &action.words, available, ink.text());
        }
    }
}

/// The number of states: one after each change, and one before all of them.
fn rows(changes: &ChangeList) -> usize {
    changes.undone.len() + changes.done.len() + 1
}

/// The command that goes to a state; nothing where the world is there.
fn command(changes: &ChangeList, row: usize) -> Option<String> {
    match row.checked_sub(changes.undone.len()) {
        None => Some(format!("redo {}", changes.undone.len() - row)),
        Some(0) => None,
        Some(count) => Some(format!("undo {count}")),
    }
}

fn line(changes: &ChangeList, row: usize, columns: usize) -> String {
    let present = changes.undone.len();
    let mark = if row == present { "▸" } else { " " };
    let words = |change: &ChangeEntry| {
        let cells = match change.cells {
            None => String::new(),
            Some(1) => ", 1 cell".to_string(),
            Some(count) => format!(", {count} cells"),
        };
        let words = format!("{mark} {}{cells}", change.name);
        let place = format!("generation {}", grouped(&change.generation));
        let gap = columns.saturating_sub(width(&words) + width(&place));
        format!("{words}{}{place}", " ".repeat(gap))
    };
    match row.checked_sub(present) {
        None => words(&changes.undone[present - 1 - row]),
        Some(index) => changes.done.get(index).map_or_else(
            || match changes.older {
                0 => format!("{mark} before all changes"),
                older => format!("{mark} after {older} earlier changes"),
            },
            words,
        ),
    }
}
