//! Drawing of the laser screen: a top line, the board, and two lines at the bottom.

use super::{LaserPanel, LaserScreen, MIN_SIZE};
use crate::bar::{self, BarPiece};
use crate::ink::Ink;
use ::laser::play::describe_tile;
use models::counted;
use models::laser::{LaserLevel, sensor_words, solution_words};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use render::laser::{Glyph, LaserTileMark};

impl LaserScreen {
    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        if (screen.width, screen.height) != self.state.size {
            self.resize((screen.width, screen.height));
        }
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        self.draw_board(buffer, ink);
        self.draw_top(buffer, ink);
        self.draw_state(buffer, ink);
        self.draw_status(buffer, ink);
        let area = self.board_area();
        let best = self.best();
        match &mut self.panel {
            None => None,
            Some(LaserPanel::Help(help)) => {
                help.draw(buffer, area, ink);
                None
            }
            Some(LaserPanel::List(list)) => Some(list.draw(buffer, area, &self.levels, &best, ink)),
        }
    }

    /// The number of moves in which each level was solved.
    fn best(&self) -> Vec<Option<u32>> {
        let plays = self.plays.iter().enumerate().map(|(level, play)| {
            let play = if level == self.at {
                Some(&self.play)
            } else {
                play.as_ref()
            };
            play?.best()
        });
        plays.collect()
    }

    /// Which of the levels that can be solved this is; nothing for one of another kind.
    fn level_number(&self) -> String {
        let is_counted = |level: &&LaserLevel| level.fewest.is_some();
        let number = self.levels[..=self.at].iter().filter(is_counted).count();
        match self.levels[self.at].fewest {
            Some(_) => format!(
                "level {number} of {}",
                self.levels.iter().filter(is_counted).count()
            ),
            None => String::new(),
        }
    }

    fn draw_board(&self, buffer: &mut Buffer, ink: Ink) {
        let place = self.place();
        let play = &self.play;
        let mut drawing = place.drawing(play);
        if let Some(hint) = play.hint() {
            drawing.mark(hint.from, LaserTileMark::HintFrom);
            drawing.mark(hint.to, LaserTileMark::HintTo);
        }
        drawing.mark(self.cursor, LaserTileMark::Cursor);
        if let Some(selected) = play.selected() {
            drawing.mark(selected, LaserTileMark::Selected);
        }
        let area = place.area;
        for (glyphs, y) in drawing.rows().zip(area.y..area.bottom()) {
            for (glyph, x) in glyphs.iter().zip(area.x..area.right()) {
                buffer[(x, y)]
                    .set_char(glyph.sign)
                    .set_style(style(glyph, ink));
            }
        }
        // The terminal's cursor marks the tile that the next key applies to.
        if let Some((column, row)) = drawing.corner(self.cursor) {
            let own = Rect::new(area.x + column as u16, area.y + row as u16, 2, 1);
            buffer.set_style(
                own.intersection(area),
                Style::new().add_modifier(Modifier::REVERSED),
            );
        }
    }

    /// Draws the level's name, or once it is solved the result.
    fn draw_top(&self, buffer: &mut Buffer, ink: Ink) {
        let row = Rect::new(0, 0, self.state.size.0, 1);
        let level = &self.levels[self.at];
        let number = self.level_number();
        if self.play.is_solved() {
            let has_next = self.at + 1 < self.levels.len();
            let star = if self.play.moves() > 0 { "★ " } else { "" };
            let words = format!("{star}{}", solution_words(&self.play));
            let pieces = vec![
                BarPiece::left(0, words, ink.chosen()),
                BarPiece::right(1, if has_next { "n next level" } else { "" }, ink.chosen()),
                BarPiece::right(2, level.name.clone(), ink.chosen()),
            ];
            bar::draw(buffer, row, pieces, ink);
            return buffer.set_style(row, ink.chosen());
        }
        let pieces = vec![
            BarPiece::left(2, "laser", ink.accent()),
            BarPiece::left(0, level.name.clone(), ink.strong()),
            BarPiece::left(3, level.about.clone(), ink.soft()),
            BarPiece::right(1, number, ink.soft()),
        ];
        bar::draw(buffer, row, pieces, ink);
    }

    /// Draws the first line of the footer: the state of the level.
    fn draw_state(&self, buffer: &mut Buffer, ink: Ink) {
        let play = &self.play;
        let style = if play.is_solved() {
            ink.accent()
        } else {
            ink.strong()
        };
        let fewest = match play.fewest() {
            _ if play.status().sensors == 0 => String::new(),
            _ if play.is_solvable() == Some(false) => "cannot be solved".into(),
            fewest => match (fewest.proven(), fewest.at_least) {
                (Some(moves), _) => format!("fewest {moves}"),
                (None, 0) => String::new(),
                (None, least) => format!("at least {least}"),
            },
        };
        let is_searching = play.board_to_solve().is_some();
        let best = play.best().filter(|&best| best > 0);
        let place = self.place();
        let board = play.board();
        let is_part =
            place.part.width < board.width().into() || place.part.height < board.height().into();
        let seen = is_part.then(|| format!("board {} x {}", board.width(), board.height()));
        let pieces = vec![
            BarPiece::left(0, sensor_words(play), style),
            BarPiece::left(1, counted(play.moves(), "move"), ink.text()),
            BarPiece::left(2, fewest, ink.text()),
            BarPiece::left(5, if is_searching { "searching" } else { "" }, ink.soft()),
            BarPiece::right(
                4,
                best.map(|best| format!("your best {best}"))
                    .unwrap_or_default(),
                ink.soft(),
            ),
            BarPiece::right(3, seen.unwrap_or_default(), ink.soft()),
        ];
        bar::draw(
            buffer,
            Rect::new(0, self.state.size.1 - 2, self.state.size.0, 1),
            pieces,
            ink,
        );
    }

    /// Draws the second line of the footer: the tile at the cursor, and messages.
    fn draw_status(&self, buffer: &mut Buffer, ink: Ink) {
        let here = self.cursor;
        let tile = self.play.board().at(here);
        let tile = tile.map_or_else(String::new, describe_tile);
        let mut pieces = vec![BarPiece::left(
            3,
            format!("{},{} {tile}", here.x, here.y),
            ink.strong(),
        )];
        if let Some(selected) = self.play.selected() {
            let piece = self.play.board().at(selected);
            let piece = piece.map_or("", |tile| tile.text());
            let words = format!("{piece} at {},{} in hand", selected.x, selected.y);
            pieces.push(BarPiece::left(2, words, ink.accent()));
        }
        if let Some(note) = &self.state.note {
            pieces.push(BarPiece::left(0, note.words.clone(), note.style(ink)));
        }
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(5, "h hint", ink.soft()));
        pieces.push(BarPiece::right(6, "u undo", ink.soft()));
        pieces.push(BarPiece::right(4, "q leave", ink.soft()));
        pieces.push(BarPiece::right(7, "o levels", ink.soft()));
        bar::draw(
            buffer,
            Rect::new(0, self.state.size.1 - 1, self.state.size.0, 1),
            pieces,
            ink,
        );
    }
}

/// The style of a glyph.
fn style(glyph: &Glyph, ink: Ink) -> Style {
    let (colour, is_bold) = glyph.style(&ink.theme);
    let mut style = ink.on(colour, ink.theme.sheet);
    if is_bold {
        style = style.add_modifier(Modifier::BOLD);
    }
    if !ink.has_colour() && glyph.mark.is_none() && glyph.role.is_faint() {
        style = style.add_modifier(Modifier::DIM);
    }
    // Where brackets do not fit, marks are underlined.
    match glyph.mark {
        Some(LaserTileMark::Selected | LaserTileMark::HintFrom | LaserTileMark::HintTo) => {
            style.add_modifier(Modifier::UNDERLINED)
        }
        Some(LaserTileMark::Cursor) | None => style,
    }
}
