//! The history panel: the commands that were done, to return to.

use super::{PanelContext, PanelRequest, ScrollRows, window};
use crate::bar::grouped;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;

/// A command that was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandHistoryEntry {
    /// The generation at which it was done.
    pub(crate) generation: String,
    /// The command as text.
    pub(crate) words: String,
}

/// The list of commands, newest first.
#[derive(Debug, Default)]
pub(crate) struct HistoryPanel {
    pub(crate) rows: ScrollRows,
}

impl HistoryPanel {
    pub(crate) fn key(&mut self, event: &KeyEvent) -> PanelRequest {
        if self.rows.scroll_key(event) {
            return PanelRequest::Stay;
        }
        match event.code {
            KeyCode::Left | KeyCode::Backspace => PanelRequest::Send("undo".into()),
            KeyCode::Right => PanelRequest::Send("redo".into()),
            KeyCode::Char('u' | 'q') | KeyCode::Enter => PanelRequest::Close,
            _ => PanelRequest::Stay,
        }
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let ink = context.ink;
        let hint = "← undo · → redo · ↑ ↓ scroll · esc closes";
        let inner = window(buffer, area, (52, 24), ("past", hint), ink);
        let can = &context.status.can;
        let columns = usize::from(inner.width);
        let line = |what, step: Option<&str>| format!("{what} {}", step.unwrap_or("nothing"));
        buffer.set_stringn(
            inner.x,
            inner.y,
            line("← undo", can.undo),
            columns,
            ink.accent(),
        );
        let half = columns / 2;
        let x = inner.x + half as u16;
        buffer.set_stringn(
            x,
            inner.y,
            line("→ redo", can.redo),
            columns - half,
            ink.accent(),
        );
        let list = Rect {
            y: inner.y + 2,
            height: inner.height.saturating_sub(2),
            ..inner
        };
        let first = self.rows.scrolled(list, context.history.len());
        if context.history.is_empty() {
            let words = "nothing was done yet";
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
