//! A game's board on squared paper, as large as there is room for it: what its [`Diagram`]
//! says, and marks over it.

use crate::bar::width;
use crate::ink::Ink;
use games::{Diagram, DiagramMark};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use render::Rgb;
use std::ops::Range;

/// How far cells are from each other, in columns and rows.
const PITCHES: [(u16, u16); 3] = [(4, 2), (3, 1), (2, 1)];

/// A board's area on the screen, and its visible part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GameBoardArea {
    /// The whole area, with labels.
    pub(crate) area: Rect,
    /// The top left of the cells.
    cells: (u16, u16),
    pitch: (u16, u16),
    columns: Range<usize>,
    rows: Range<usize>,
}

/// Marks on a board besides its stones. Cells are numbered row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BoardMarks {
    /// The cell at the cursor.
    pub(crate) cursor: Option<(usize, usize)>,
    /// The cells that the last turn placed.
    pub(crate) last: Vec<usize>,
    /// The cells of a hint.
    pub(crate) hint: Vec<usize>,
    /// Cells that are marked for an unfinished move, with their future contents.
    pub(crate) chosen: Vec<(usize, DiagramMark)>,
    /// The board after the unfinished move.
    pub(crate) after: Option<Diagram>,
}

/// The facts beside the board: those of the game, else the number of stones.
pub(crate) fn facts(diagram: &Diagram) -> Vec<(&'static str, [String; 2])> {
    let own = diagram.facts.iter();
    let mut facts: Vec<_> = own.map(|fact| (fact.name, fact.values.clone())).collect();
    if facts.is_empty() {
        let count = |mark| {
            diagram
                .cells
                .iter()
                .filter(|&&m| m == mark)
                .count()
                .to_string()
        };
        facts.push((
            "stones",
            [count(DiagramMark::First), count(DiagramMark::Second)],
        ));
    }
    facts
}

/// The width of the widest label.
fn widest(labels: &[String]) -> u16 {
    labels.iter().map(|label| width(label)).max().unwrap_or(0) as u16
}

impl GameBoardArea {
    /// Centres the board in an area, as large as fits. A clipped board shows the given cell, in
    /// the middle, or with the least change from the previously first cell.
    pub(crate) fn of(
        diagram: &Diagram,
        available: Rect,
        cell: (usize, usize),
        before: Option<(usize, usize)>,
    ) -> Self {
        let margin = widest(&diagram.rows) + 1;
        let label = widest(&diagram.columns);
        let (across, down) = (diagram.columns.len(), diagram.rows.len());
        let extent = |(wide, high): (u16, u16), across: usize, down: usize| {
            let line = u16::from(high > 1);
            (
                (across as u16).saturating_mul(wide) + line + margin,
                (down as u16).saturating_mul(high) + line + 1,
            )
        };
        let fits = |&&pitch: &&(u16, u16)| {
            let (columns, rows) = extent(pitch, across, down);
            columns <= available.width && rows <= available.height && label < pitch.0
        };
        let fitting = PITCHES.iter().find(fits);
        let pitch = fitting.copied().unwrap_or((2.max(label + 1), 1));
        let seen = |available: u16, pitch: u16, all: usize| {
            (usize::from(available / pitch.max(1))).clamp(1, all.max(1))
        };
        let (seen_across, seen_down) = match fitting {
            Some(_) => (across, down),
            None => (
                seen(available.width.saturating_sub(margin), pitch.0, across),
                seen(available.height.saturating_sub(1), pitch.1, down),
            ),
        };
        let part = |at: usize, before: Option<usize>, seen: usize, all: usize| {
            let first = match before {
                None => at.saturating_sub(seen / 2),
                Some(before) => before.clamp((at + 1).saturating_sub(seen), at),
            };
            let first = first.min(all.saturating_sub(seen));
            first..(first + seen).min(all)
        };
        let (columns, rows) = extent(pitch, seen_across, seen_down);
        let area = Rect::new(
            available.x + available.width.saturating_sub(columns) / 2,
            available.y + available.height.saturating_sub(rows) / 2,
            columns.min(available.width),
            rows.min(available.height),
        );
        Self {
            area,
            cells: (area.x + margin, area.y + 1),
            pitch,
            columns: part(cell.0, before.map(|b| b.0), seen_across, across),
            rows: part(cell.1, before.map(|b| b.1), seen_down, down),
        }
    }

    /// The first visible cell.
    pub(crate) fn first(&self) -> (usize, usize) {
        (self.columns.start, self.rows.start)
    }

    /// The minimum width of an unclipped board, in columns.
    pub(crate) fn least_width(diagram: &Diagram) -> u16 {
        let pitch = 2.max(widest(&diagram.columns) + 1);
        diagram.columns.len() as u16 * pitch + widest(&diagram.rows) + 1
    }

    /// The width of a board whose cells have room for brackets, in columns.
    pub(crate) fn usual_width(diagram: &Diagram) -> u16 {
        let pitch = 3.max(widest(&diagram.columns) + 1);
        diagram.columns.len() as u16 * pitch + widest(&diagram.rows) + 1
    }

    fn has_lines(&self) -> bool {
        self.pitch.1 > 1
    }

    /// The cell at a screen position.
    pub(crate) fn cell_at(&self, x: u16, y: u16) -> Option<(usize, usize)> {
        let (dx, dy) = (x.checked_sub(self.cells.0)?, y.checked_sub(self.cells.1)?);
        let at = (
            self.columns.start + usize::from(dx / self.pitch.0),
            self.rows.start + usize::from(dy / self.pitch.1),
        );
        let is_seen = self.columns.contains(&at.0) && self.rows.contains(&at.1);
        is_seen.then_some(at)
    }

    /// The column whose label is at a screen position.
    pub(crate) fn label_at(&self, x: u16, y: u16) -> Option<usize> {
        if y != self.area.y {
            return None;
        }
        let (column, _) = self.cell_at(x, self.cells.1)?;
        Some(column)
    }

    /// The position of a cell's character.
    fn spot(&self, column: usize, row: usize) -> (u16, u16) {
        let (dx, dy) = (column - self.columns.start, row - self.rows.start);
        let line = u16::from(self.has_lines());
        // In wide cells the character is in the middle.
        let inset = if self.pitch.0 > 2 { 1 } else { 0 };
        (
            self.cells.0 + dx as u16 * self.pitch.0 + line + inset,
            self.cells.1 + dy as u16 * self.pitch.1 + line,
        )
    }

    /// Draws the board.
    pub(crate) fn draw(
        &self,
        buffer: &mut Buffer,
        diagram: &Diagram,
        marks: &BoardMarks,
        ink: Ink,
    ) {
        let sheet = ink.on(ink.theme.text, ink.theme.sheet);
        let soft = ink.soft();
        let cells = Rect::new(
            self.cells.0,
            self.cells.1,
            self.area.right().saturating_sub(self.cells.0),
            self.area.bottom().saturating_sub(self.cells.1),
        );
        buffer.set_style(cells, sheet);
        if self.has_lines() {
            self.lines(buffer, ink);
        }
        let at = |column: usize| self.spot(column, self.rows.start).0;
        for column in self.columns.clone() {
            let label = &diagram.columns[column];
            let x = at(column).saturating_sub((width(label) as u16).saturating_sub(1));
            let is_here = marks.cursor.is_some_and(|(here, _)| here == column);
            let style = if is_here { ink.strong() } else { soft };
            buffer.set_stringn(x, self.area.y, label, 4, style);
        }
        for row in self.rows.clone() {
            let label = &diagram.rows[row];
            let y = self.spot(self.columns.start, row).1;
            let x = self.cells.0.saturating_sub(1 + width(label) as u16);
            let is_here = marks.cursor.is_some_and(|(_, here)| here == row);
            let style = if is_here { ink.strong() } else { soft };
            buffer.set_stringn(x, y, label, 4, style);
            for column in self.columns.clone() {
                self.cell(buffer, diagram, marks, (column, row), ink);
            }
        }
    }

    /// Draws the grid lines.
    fn lines(&self, buffer: &mut Buffer, ink: Ink) {
        let mut style = ink.on(ink.theme.rule_bold, ink.theme.sheet);
        if !ink.has_colour() {
            style = style.add_modifier(Modifier::DIM);
        }
        let (wide, high) = (self.columns.len() as u16, self.rows.len() as u16);
        for dy in 0..=high * self.pitch.1 {
            for dx in 0..=wide * self.pitch.0 {
                let is_corner = (
                    dx.is_multiple_of(self.pitch.0),
                    dy.is_multiple_of(self.pitch.1),
                );
                let (left, right) = (dx == 0, dx == wide * self.pitch.0);
                let (top, bottom) = (dy == 0, dy == high * self.pitch.1);
                let sign = match is_corner {
                    (false, false) => continue,
                    (true, false) => '│',
                    (false, true) => '─',
                    (true, true) => match (left, right, top, bottom) {
                        (true, _, true, _) => '┌',
                        (true, _, _, true) => '└',
                        (_, true, true, _) => '┐',
                        (_, true, _, true) => '┘',
                        (true, ..) => '├',
                        (_, true, ..) => '┤',
                        (_, _, true, _) => '┬',
                        (_, _, _, true) => '┴',
                        _ => '┼',
                    },
                };
                let (x, y) = (self.cells.0 + dx, self.cells.1 + dy);
                if buffer.area.contains((x, y).into()) {
                    buffer[(x, y)].set_char(sign).set_style(style);
                }
            }
        }
    }

    fn cell(
        &self,
        buffer: &mut Buffer,
        diagram: &Diagram,
        marks: &BoardMarks,
        (column, row): (usize, usize),
        ink: Ink,
    ) {
        let index = row * diagram.columns.len() + column;
        let here = diagram.mark(column, row);
        let chosen = marks.chosen.iter().find(|(cell, _)| *cell == index);
        let after = marks.after.as_ref().map(|after| after.mark(column, row));
        let is_goal = diagram.is_goal(column, row);
        let (sign, shown) = match (chosen, after) {
            (Some(&(_, mark)), _) => (stone(diagram, mark), mark),
            (None, Some(after)) if after != here => (Some(becomes(diagram, after)), after),
            _ => (stone(diagram, here), here),
        };
        let sign = match sign {
            Some(sign) => sign,
            None if is_goal => ':',
            None if self.has_lines() => ' ',
            None => '·',
        };
        let theme = &ink.theme;
        let shown = if shown == DiagramMark::Empty {
            here
        } else {
            shown
        };
        let colour = match shown {
            DiagramMark::First => theme.red,
            DiagramMark::Second => theme.blue,
            DiagramMark::Empty if is_goal || marks.cursor == Some((column, row)) => theme.text,
            DiagramMark::Empty => theme.rule_bold,
        };
        let paper = if is_goal { theme.rule } else { theme.sheet };
        let mut style = ink.on(colour, paper);
        match shown {
            DiagramMark::Empty if !ink.has_colour() && !is_goal => {
                style = style.add_modifier(Modifier::DIM);
            }
            DiagramMark::Empty => {}
            _ => style = style.add_modifier(Modifier::BOLD),
        }
        // Without colour an occupied goal is underlined.
        if is_goal && shown != DiagramMark::Empty && !ink.has_colour() {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let changes = after.is_some_and(|after| after != here) && chosen.is_none();
        if is_black_and_white(diagram) && ink.has_colour() && !changes {
            style = match shown {
                DiagramMark::First => ink.on(WHITE, BLACK).add_modifier(Modifier::BOLD),
                DiagramMark::Second => ink.on(BLACK, WHITE).add_modifier(Modifier::BOLD),
                DiagramMark::Empty => style,
            };
        }
        let is_filled = |mark: Option<DiagramMark>| mark.is_some_and(|m| m != DiagramMark::Empty);
        if changes && is_filled(Some(here)) && is_filled(after) {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let is_here = marks.cursor == Some((column, row));
        let has_won = diagram.winning.contains(&index);
        let brackets = if is_here {
            Some(('[', ']'))
        } else if has_won {
            Some(('*', '*'))
        } else if marks.hint.contains(&index) {
            Some(('{', '}'))
        } else if chosen.is_some() {
            Some(('<', '>'))
        } else if marks.last.contains(&index) {
            Some(('(', ')'))
        } else {
            None
        };
        let (x, y) = self.spot(column, row);
        let is_wide = self.pitch.0 > 2;
        let spare = brackets.is_some() && !is_wide && !is_here;
        if spare {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        let own = if is_here || has_won {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style
        };
        put(buffer, (x, y), sign, own);
        if !is_wide {
            return;
        }
        let (left, right) = brackets.unwrap_or((' ', ' '));
        let around = match brackets {
            Some(_) if is_here => own,
            Some(_) => ink.on(theme.accent, paper).add_modifier(Modifier::BOLD),
            None => Style::new().bg(ink.colour(paper)),
        };
        put(buffer, (x.saturating_sub(1), y), left, around);
        put(buffer, (x + 1, y), right, around);
    }
}

fn put(buffer: &mut Buffer, at: (u16, u16), sign: char, style: Style) {
    if buffer.area.contains(at.into()) {
        buffer[at].set_char(sign).set_style(style);
    }
}

/// The sign of a seat, as in the rules and in all text.
pub(crate) fn stone(diagram: &Diagram, mark: DiagramMark) -> Option<char> {
    match mark {
        DiagramMark::Empty => None,
        DiagramMark::First => Some(diagram.signs[0]),
        DiagramMark::Second => Some(diagram.signs[1]),
    }
}

/// The character of a cell that changes: the small letter of who has it then, a cross where
/// nobody has.
fn becomes(diagram: &Diagram, after: DiagramMark) -> char {
    stone(diagram, after).map_or('×', |sign| sign.to_ascii_lowercase())
}

/// The colours of black and white stones, which are the same in both themes.
const BLACK: Rgb = Rgb::hex(0x17191e);
const WHITE: Rgb = Rgb::hex(0xfffefa);

fn is_black_and_white(diagram: &Diagram) -> bool {
    diagram.names == ["black", "white"]
}

/// The symbols for help.
pub(crate) const SIGNS: &[(&str, &str)] = &[
    ("O  X", "the first seat's, in red; the second's, in blue"),
    ("B  W", "black, the first seat's; white, the second's"),
    (":", "an empty goal"),
    (
        "[ ]  ( )  { }  < >",
        "the cursor; the last move; a hint; what is chosen",
    ),
    ("* *", "the row that has won"),
    (
        "o x  b w",
        "what a move brings about; underlined, what changes hands",
    ),
    ("×", "what it ends"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn diagram(columns: usize, rows: usize) -> Diagram {
        Diagram {
            columns: (0..columns)
                .map(|i| ((b'a' + i as u8) as char).into())
                .collect(),
            rows: (1..=rows).map(|i| i.to_string()).collect(),
            cells: vec![DiagramMark::Empty; columns * rows],
            goals: Vec::new(),
            winning: Vec::new(),
            signs: ['B', 'W'],
            names: ["black", "white"],
            facts: Vec::new(),
        }
    }

    #[test]
    fn signs_and_the_winning_row_are_drawn() {
        let mut diagram = diagram(3, 1);
        diagram.cells[0] = DiagramMark::First;
        diagram.cells[1] = DiagramMark::Second;
        diagram.winning = vec![0];
        let area = Rect::new(0, 0, 40, 2);
        let marks = BoardMarks {
            after: Some(Diagram {
                cells: vec![DiagramMark::First, DiagramMark::First, DiagramMark::Second],
                ..diagram.clone()
            }),
            ..BoardMarks::default()
        };
        let drawn = |marks: &BoardMarks| {
            let mut buffer = Buffer::empty(area);
            let ink = Ink {
                depth: crate::ColourDepth::None,
                theme: render::Theme::PAPER,
            };
            GameBoardArea::of(&diagram, area, (0, 0), None).draw(&mut buffer, &diagram, marks, ink);
            let row = (0..40).map(|x| buffer[(x, 1)].symbol().to_string());
            row.collect::<String>().trim().to_string()
        };
        assert_eq!(drawn(&BoardMarks::default()), "1 *B* W  ·");
        assert_eq!(drawn(&marks), "1 *B* b  w");
    }

    #[test]
    fn every_cell_is_found_where_it_is_drawn() {
        for (columns, rows) in [(1, 1), (3, 3), (8, 8), (16, 16), (19, 19), (19, 3)] {
            let diagram = diagram(columns, rows);
            for available in [(40, 9), (80, 21), (120, 50)] {
                let available = Rect::new(0, 1, available.0, available.1);
                for around in [(0, 0), (columns - 1, rows - 1), (columns / 2, rows / 2)] {
                    let place = GameBoardArea::of(&diagram, available, around, None);
                    assert!(available.union(place.area) == available, "{place:?}");
                    let (x, y) = place.spot(around.0, around.1);
                    assert_eq!(place.cell_at(x, y), Some(around), "{place:?}");
                    assert!(place.area.contains((x, y).into()));
                    // A visible cell is selected without scrolling.
                    let still =
                        GameBoardArea::of(&diagram, available, place.first(), Some(place.first()));
                    assert_eq!(still, place);
                }
            }
        }
    }
}
