//! The searchable list of levels.

use crate::bar::{cut, width};
use crate::ink::Ink;
use crate::input::TextInput;
use crate::panel::{ChoiceRows, field, window};
use models::laser::LaserLevel;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::{Position, Rect};

/// The levels that match the filter, and the selected one.
pub(super) struct LevelList {
    filter: TextInput,
    /// The indices of the matching levels.
    found: Vec<usize>,
    rows: ChoiceRows,
}

/// The list's request after a key or a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LevelListRequest {
    /// None.
    Stay,
    /// Close the list.
    Close,
    /// Go to a level, and close the list.
    Go(usize),
}

impl LevelList {
    /// A list of all levels, one of them selected.
    pub(super) fn new(levels: &[LaserLevel], at: usize) -> Self {
        Self {
            filter: TextInput::new(""),
            found: (0..levels.len()).collect(),
            rows: ChoiceRows::new(at),
        }
    }

    pub(super) fn key(&mut self, event: &KeyEvent, levels: &[LaserLevel]) -> LevelListRequest {
        match event.code {
            KeyCode::Esc => return LevelListRequest::Close,
            KeyCode::Enter => return self.go(),
            _ if self.rows.key(event, self.found.len()) => {}
            _ => {
                self.filter.key(event);
                self.search(levels);
            }
        }
        LevelListRequest::Stay
    }

    pub(super) fn choose(&mut self, by: i32) {
        self.rows.by(by, self.found.len());
    }

    /// Handles a click: on a row it selects it, on the selected row it goes to the level.
    pub(super) fn click(&mut self, at: Position) -> LevelListRequest {
        match self.rows.click(at, self.found.len()) {
            Some(true) => self.go(),
            _ => LevelListRequest::Stay,
        }
    }

    /// Draws the list; `best` has the number of moves in which each level was solved. Returns the
    /// position of the input cursor.
    pub(super) fn draw(
        &mut self,
        buffer: &mut Buffer,
        area: Rect,
        levels: &[LaserLevel],
        best: &[Option<u32>],
        ink: Ink,
    ) -> Position {
        let hint = "type to search · ↑ ↓ choose · enter plays it · esc closes";
        let inner = window(buffer, area, (78, 46), ("levels", hint), ink);
        let at = field(buffer, inner, "⌕ ", &self.filter, "search", ink);
        let list = Rect {
            y: inner.y + 2,
            height: inner.height.saturating_sub(2),
            ..inner
        };
        let names = levels.iter().map(|level| width(&level.name));
        let widest = names.max().unwrap_or(0).min(24);
        let first = self.rows.first(list, self.found.len());
        let rows = self.found.iter().enumerate().skip(first);
        for ((row, &index), y) in rows.zip(list.y..list.bottom()) {
            let level = &levels[index];
            let (strong, soft) = match row == self.rows.chosen {
                true => (ink.chosen(), ink.chosen()),
                false => (ink.strong(), ink.soft()),
            };
            let columns = usize::from(list.width);
            buffer.set_string(list.x, y, " ".repeat(columns), soft);
            let done = best[index]
                .map(|moves| format!("★ {moves}"))
                .unwrap_or_default();
            buffer.set_stringn(list.x, y, cut(&level.name, widest), widest, strong);
            let available = columns.saturating_sub(widest + 4 + width(&done));
            let x = list.x + widest as u16 + 2;
            buffer.set_stringn(x, y, cut(&level.about, available), available, soft);
            let x = list.right() - width(&done) as u16;
            buffer.set_stringn(x, y, done, 8, strong);
        }
        at
    }

    fn go(&self) -> LevelListRequest {
        self.found
            .get(self.rows.chosen)
            .map_or(LevelListRequest::Stay, |&at| LevelListRequest::Go(at))
    }

    fn search(&mut self, levels: &[LaserLevel]) {
        let wanted = self.filter.text().trim().to_lowercase();
        let here = self.found.get(self.rows.chosen).copied();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let found = levels.iter().enumerate();
        let found = found.filter(|(_, level)| has(&level.name) || has(&level.about));
        self.found = found.map(|(index, _)| index).collect();
        let kept = self.found.iter().position(|&index| Some(index) == here);
        self.rows = ChoiceRows::new(kept.unwrap_or(0));
    }
}
