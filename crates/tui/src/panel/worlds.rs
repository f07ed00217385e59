//! The list of open worlds.

use super::{ChoiceRows, PanelContext, PanelRequest, window};
use crate::bar::{cut, grouped};
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};
use session::{Session, Viewer};

/// What the list of worlds shows of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorldListEntry {
    pub(crate) title: String,
    pub(crate) is_unsaved: bool,
    pub(crate) generation: String,
    pub(crate) population: String,
}

impl WorldListEntry {
    pub(crate) fn of(session: &Session, viewer: &Viewer) -> Self {
        let status = session.status(viewer);
        Self {
            title: status.title,
            is_unsaved: status.unsaved,
            generation: status.generation,
            population: status.population,
        }
    }

    /// Its title, with a dot where it has changes that no file has.
    pub(crate) fn label(&self) -> String {
        let dot = if self.is_unsaved { " ●" } else { "" };
        format!("{}{dot}", self.title)
    }
}

/// The open worlds, one of them chosen.
#[derive(Debug)]
pub(crate) struct WorldList {
    rows: ChoiceRows,
}

impl WorldList {
    pub(crate) fn new(at: usize) -> Self {
        Self {
            rows: ChoiceRows::new(at),
        }
    }

    pub(crate) fn key(&mut self, event: &KeyEvent, context: &PanelContext<'_>) -> PanelRequest {
        match event.code {
            KeyCode::Enter => PanelRequest::SendAndClose(format!("world {}", self.rows.chosen + 1)),
            KeyCode::Char('n') => PanelRequest::SendAndClose("new".into()),
            KeyCode::Char('q') => PanelRequest::Close,
            _ => {
                self.rows.key(event, context.worlds.len());
                PanelRequest::Stay
            }
        }
    }

    pub(crate) fn choose(&mut self, rows: i32, context: &PanelContext<'_>) {
        self.rows.by(rows, context.worlds.len());
    }

    /// Handles a click. Returns whether it was on the selected row.
    pub(crate) fn click(&mut self, at: Position, context: &PanelContext<'_>) -> bool {
        self.rows.click(at, context.worlds.len()) == Some(true)
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer, area: Rect, context: &PanelContext<'_>) {
        let hint = "enter shows it · n a new one · esc closes";
        let inner = window(buffer, area, (64, 20), ("worlds", hint), context.ink);
        let columns = usize::from(inner.width);
        let line = |(index, world): (usize, &WorldListEntry)| {
            let facts = format!(
                "generation {}, population {}",
                grouped(&world.generation),
                grouped(&world.population)
            );
            let title = format!("{:>2}  {}", index + 1, world.label());
            let room = columns.saturating_sub(facts.chars().count() + 2);
            format!("{:<room$}  {facts}", cut(&title, room))
        };
        let lines: Vec<String> = context.worlds.iter().enumerate().map(line).collect();
        self.rows.draw(buffer, inner, &lines, context.ink);
    }
}
