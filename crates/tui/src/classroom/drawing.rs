//! Drawing of the classroom screen: a top line, the boards, explanations for the cell at the
//! cursor, and two lines at the bottom.
//!
//! With colour a character shows two cells, one above the other; without it, and where counts are
//! shown, each cell has its own character.

use super::{ClassroomScreen, SPEEDS};
use crate::bar::{self, BarPiece, cut};
use crate::ink::Ink;
use crate::panel::{field, window};
use crate::screen_state::ink;
use models::classroom::{ClassroomBoards, ClassroomRule};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;
use render::Rgb;

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 10);

/// A board's area on the screen, and its visible part.
pub(super) struct ClassroomBoardArea {
    rule: usize,
    /// The area of its cells.
    area: Rect,
    /// The first visible cell.
    first: (u32, u32),
}

impl ClassroomScreen {
    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        self.draw_top(buffer, ink);
        let places = self.places();
        if let Some(place) = places.first() {
            self.corner = place.first;
        }
        for place in places {
            self.draw_board(buffer, &place, ink);
        }
        self.draw_explanations(buffer, ink);
        self.draw_state(buffer, ink);
        let cursor = self.draw_status(buffer, ink);
        let area = Rect::new(0, 1, screen.width, screen.height - 3);
        if self.state.draw_help(buffer, ink) {
            return None;
        }
        if let Some(maps) = &mut self.maps {
            let all = ClassroomBoards::maps();
            let hint = "↑ ↓ choose · enter opens it · : a file · esc closes";
            let inner = window(buffer, area, (78, 46), ("maps", hint), ink);
            let lines = all.iter().map(|(rule, entry)| {
                let (name, about) = (entry.name, entry.description());
                format!("{name:<22} {rule:<12} {about}")
            });
            let lines: Vec<String> = lines.collect();
            maps.draw(buffer, inner, &lines, ink);
        }
        cursor
    }

    /// Whether each cell has its own character.
    fn has_signs(&self) -> bool {
        self.shows_counts || !ink(self.state.profile).has_colour()
    }

    /// The number of rows for explanations.
    fn explanation_rows(&self) -> u16 {
        // On small screens only one rule is explained.
        match self.state.size.1 {
            0..20 => 1,
            _ => ClassroomRule::ALL.len() as u16,
        }
    }

    /// The areas of as many boards as fit, including the one that keys apply to.
    pub(super) fn places(&self) -> Vec<ClassroomBoardArea> {
        let (wide, high) = (self.boards.width() as u16, self.boards.height() as u16);
        let room_high = self
            .state
            .size
            .1
            .saturating_sub(3 + self.explanation_rows() + 1);
        let rows = if self.has_signs() {
            high
        } else {
            high.div_ceil(2)
        };
        let across = (self.state.size.0 / (wide + 1)).clamp(1, 5);
        let down = (room_high / (rows + 1)).max(1);
        let all = ClassroomRule::ALL.len() as u16;
        let seen = (across * down).min(all);
        let first = (self.rule as u16 + 1).saturating_sub(seen).min(all - seen);
        let across = across.min(seen);
        let pitch = self.state.size.0 / across;
        let board = |at: u16| {
            let (column, row) = (at % across, at / across);
            let columns = wide.min(pitch.saturating_sub(1)).max(1);
            let x = column * pitch + (pitch - columns) / 2;
            let y = 2 + row * (rows + 1);
            let rows = rows.min(room_high.saturating_sub(1).max(1));
            let seen_down = if self.has_signs() { rows } else { rows * 2 };
            // The visible part changes as little as possible.
            let part = |at: u32, before: u32, seen: u16, all: u16| {
                let (seen, all) = (u32::from(seen), u32::from(all));
                let first = before.clamp((at + 1).saturating_sub(seen), at);
                first.min(all.saturating_sub(seen))
            };
            let mut top = part(self.cursor.1, self.corner.1, seen_down, high);
            // Two cells share a character, so the first row must be even.
            if !self.has_signs() && !top.is_multiple_of(2) {
                if top == self.cursor.1 {
                    top -= 1;
                } else {
                    top += 1;
                }
            }
            ClassroomBoardArea {
                rule: usize::from(first + at),
                area: Rect::new(x, y, columns, rows),
                first: (part(self.cursor.0, self.corner.0, columns, wide), top),
            }
        };
        (0..seen).map(board).collect()
    }

    /// The rule and the cell at a screen position.
    pub(super) fn cell_at(&self, x: u16, y: u16) -> Option<(usize, (u32, u32))> {
        let places = self.places();
        let place = places
            .iter()
            .find(|place| place.area.contains((x, y).into()))?;
        let each = if self.has_signs() { 1 } else { 2 };
        let cell = (
            place.first.0 + u32::from(x - place.area.x),
            place.first.1 + u32::from(y - place.area.y) * each,
        );
        let is_on_board = cell.0 < self.boards.width() && cell.1 < self.boards.height();
        is_on_board.then_some((place.rule, cell))
    }

    fn draw_top(&self, buffer: &mut Buffer, ink: Ink) {
        let size = format!("{} x {}", self.boards.width(), self.boards.height());
        let pieces = vec![
            BarPiece::left(1, "classroom", ink.accent()),
            BarPiece::left(0, self.map.clone(), ink.strong()),
            BarPiece::right(2, size, ink.soft()),
        ];
        bar::draw(buffer, Rect::new(0, 0, self.state.size.0, 1), pieces, ink);
    }

    fn draw_board(&self, buffer: &mut Buffer, place: &ClassroomBoardArea, ink: Ink) {
        let rule = ClassroomRule::ALL[place.rule];
        let is_here = place.rule == self.rule;
        let style = if is_here { ink.accent() } else { ink.soft() };
        let area = place.area;
        let sign = if is_here { "›" } else { " " };
        let name = format!("{sign}{}", rule.name());
        let columns = usize::from(area.width);
        buffer.set_stringn(area.x, area.y - 1, cut(&name, columns), columns, style);
        let states = self.boards.states(rule);
        let (wide, high) = (self.boards.width(), self.boards.height());
        let state = |x: u32, y: u32| {
            let is_on_board = x < wide && y < high;
            is_on_board.then(|| states[(y * wide + x) as usize])
        };
        let theme = &ink.theme;
        for (dy, row) in (area.y..area.bottom()).enumerate() {
            for (dx, column) in (area.x..area.right()).enumerate() {
                let x = place.first.0 + dx as u32;
                if self.has_signs() {
                    let y = place.first.1 + dy as u32;
                    let Some(state) = state(x, y) else { continue };
                    let sign = match self.shows_counts {
                        true => self.count(rule, x, y),
                        false => signed(rule, state),
                    };
                    let colour = if state == 0 {
                        theme.text_soft
                    } else {
                        colour(rule, state, ink)
                    };
                    let mut style = ink.on(colour, theme.sheet);
                    match state {
                        0 if !ink.has_colour() => style = style.add_modifier(Modifier::DIM),
                        0 => {}
                        _ => style = style.add_modifier(Modifier::BOLD),
                    }
                    if (x, y) == self.cursor {
                        style = style.add_modifier(Modifier::REVERSED);
                    }
                    buffer[(column, row)].set_char(sign).set_style(style);
                    continue;
                }
                let y = place.first.1 + 2 * dy as u32;
                let paint = |y: u32| match state(x, y) {
                    None => theme.surround,
                    Some(_) if (x, y) == self.cursor => theme.selection,
                    Some(0) => theme.sheet,
                    Some(state) => colour(rule, state, ink),
                };
                let style = ink.on(paint(y), paint(y + 1));
                buffer[(column, row)].set_char('▀').set_style(style);
            }
        }
    }

    /// The character for the sum that the rule counts around a cell.
    fn count(&self, rule: ClassroomRule, x: u32, y: u32) -> char {
        let count = self.boards.explain(rule, x, y).count;
        char::from_digit(count.min(35), 36).unwrap_or('?')
    }

    /// Draws the explanations for the cell at the cursor under each rule.
    fn draw_explanations(&self, buffer: &mut Buffer, ink: Ink) {
        let rows = self.explanation_rows();
        let columns = usize::from(self.state.size.0).saturating_sub(2);
        let first = self.state.size.1.saturating_sub(2 + rows);
        let (x, y) = self.cursor;
        let rules: Vec<usize> = match rows {
            1 => vec![self.rule],
            _ => (0..ClassroomRule::ALL.len()).collect(),
        };
        for (row, at) in (first..).zip(rules) {
            let rule = ClassroomRule::ALL[at];
            let explanation = self.boards.explain(rule, x, y);
            let is_here = at == self.rule;
            let style = if is_here { ink.strong() } else { ink.text() };
            let sign = if is_here { '›' } else { ' ' };
            let state = signed(rule, explanation.before);
            let line = format!("{sign}{:<12}{state}  {}", rule.name(), explanation.words);
            buffer.set_stringn(1, row, cut(&line, columns), columns, style);
        }
    }

    fn draw_state(&self, buffer: &mut Buffer, ink: Ink) {
        let round = format!("round {}", self.boards.round());
        let (x, y) = self.cursor;
        let runs = match self.is_running {
            true => format!("runs, {} a second", SPEEDS[self.speed]),
            false => "stands".into(),
        };
        let pieces = vec![
            BarPiece::left(0, round, ink.strong()),
            BarPiece::left(2, runs, ink.soft()),
            BarPiece::left(1, format!("{x},{y}"), ink.text()),
            BarPiece::right(3, self.rule().about(), ink.soft()),
        ];
        bar::draw(
            buffer,
            Rect::new(0, self.state.size.1 - 2, self.state.size.0, 1),
            pieces,
            ink,
        );
    }

    fn draw_status(&self, buffer: &mut Buffer, ink: Ink) -> Option<Position> {
        let row = Rect::new(0, self.state.size.1 - 1, self.state.size.0, 1);
        if let Some(typed) = &self.typed {
            let label = if typed.is_saving { "save as " } else { "open " };
            let inner = Rect::new(1, row.y, row.width - 2, 1);
            return Some(field(
                buffer,
                inner,
                label,
                &typed.line,
                "a file's name",
                ink,
            ));
        }
        let mut pieces = self.state.footer(ink, []);
        for (rank, words) in [
            (5, "enter steps"),
            (6, "r runs"),
            (4, "tab another rule"),
            (7, "c counts"),
            (8, "o maps"),
            (1, "? help"),
            (2, "q leave"),
        ] {
            pieces.push(BarPiece::right(rank, words, ink.soft()));
        }
        bar::draw(buffer, row, pieces, ink);
        None
    }
}

/// The character of a state: that of the homework's maps, and a dot for a dead cell.
fn signed(rule: ClassroomRule, state: u8) -> char {
    match state {
        0 => '·',
        state => rule.sign(state),
    }
}

fn colour(rule: ClassroomRule, state: u8, ink: Ink) -> Rgb {
    let theme = &ink.theme;
    match (rule, state) {
        (ClassroomRule::Colorised, 2) => theme.red,
        (ClassroomRule::Colorised, _) => theme.blue,
        // Old cells are pencil grey.
        (ClassroomRule::Generations, state) => theme
            .ink
            .mix(theme.pencil, f32::from(state.saturating_sub(1)) / 6.0),
        _ => theme.ink,
    }
}
