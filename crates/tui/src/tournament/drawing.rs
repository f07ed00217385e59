//! Drawing of the tournament screen: a top line, the standings, the running games, a board, and
//! two lines at the bottom.

use super::TournamentScreen;
use crate::bar::{self, BarPiece, cut};
use crate::ink::Ink;
use crate::screens::board::{BoardMarks, GameBoardArea, stone};
use games::{DiagramMark, Seat};
use matches::LivePosition;
use models::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 8);
/// The minimum width of the standings beside a board.
const TABLE: u16 = 44;

impl TournamentScreen {
    /// Draws the screen.
    pub fn draw(&mut self, buffer: &mut Buffer) {
        let screen = buffer.area;
        let Some(ink) = self.state.begin(buffer, MIN_SIZE) else {
            return;
        };
        let area = Rect::new(0, 1, screen.width, screen.height - 3);
        self.draw_top(buffer, ink);
        let position = self.positions.get(self.watched).cloned().flatten();
        let beside = position.as_ref().map_or(0, |position| {
            let wide = GameBoardArea::usual_width(&position.diagram).max(22) + 2;
            if screen.width >= TABLE + wide {
                wide
            } else {
                0
            }
        });
        match position {
            Some(position) if self.is_board => self.draw_position(buffer, area, &position, ink),
            Some(position) if beside > 0 => {
                let left = Rect::new(0, area.y, area.width - beside, area.height);
                let right = Rect::new(area.width - beside, area.y, beside, area.height);
                self.draw_table(buffer, left, ink);
                self.draw_position(buffer, right, &position, ink);
            }
            _ => self.draw_table(buffer, area, ink),
        }
        self.draw_bars(buffer, ink);
        self.state.draw_help(buffer, ink);
    }

    fn draw_top(&self, buffer: &mut Buffer, ink: Ink) {
        let mut pieces = vec![
            BarPiece::left(1, "arena", ink.accent()),
            BarPiece::left(0, self.title.clone(), ink.strong()),
            BarPiece::left(2, self.game.clone(), ink.soft()),
        ];
        let round = self.model.as_ref().and_then(|model| model.round);
        if let Some((round, rounds)) = round.filter(|(round, _)| *round > 0) {
            let words = format!("round {round} of {rounds}");
            pieces.push(BarPiece::right(3, words, ink.soft()));
        }
        bar::draw(buffer, Rect::new(0, 0, self.state.size.0, 1), pieces, ink);
    }

    /// Draws the standings, and the running games below them.
    fn draw_table(&mut self, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let columns = usize::from(area.width).saturating_sub(2);
        let Some(model) = &self.model else {
            buffer.set_stringn(1, area.y + 1, "the first games begin", columns, ink.soft());
            return;
        };
        let text = model.standings.text(columns);
        let mut lines = text.lines();
        let title = lines.next().unwrap_or_default();
        buffer.set_stringn(1, area.y, title, columns, ink.soft());
        let rows: Vec<&str> = lines.collect();
        // Running games get the rows that the standings leave.
        let spare = usize::from(area.height).saturating_sub(rows.len() + 3);
        let playing = match self.is_over {
            true => 0,
            false => model.running_games.len().min(spare),
        };
        let below = if playing > 0 { playing + 2 } else { 0 };
        let seen = usize::from(area.height).saturating_sub(1 + below);
        self.first = self.first.min(rows.len().saturating_sub(seen));
        let mut y = area.y + 1;
        for row in rows.iter().skip(self.first).take(seen) {
            buffer.set_stringn(1, y, row, columns, ink.text());
            y += 1;
        }
        if playing == 0 {
            return;
        }
        y += 1;
        buffer.set_stringn(1, y, "now", columns, ink.accent());
        for [a, b] in model.running_games.iter().take(playing) {
            y += 1;
            let line = cut(&format!("{a} and {b}"), columns);
            buffer.set_stringn(1, y, line, columns, ink.text());
        }
    }

    /// Draws a running game.
    fn draw_position(&self, buffer: &mut Buffer, area: Rect, position: &LivePosition, ink: Ink) {
        let diagram = &position.diagram;
        let columns = usize::from(area.width).saturating_sub(1);
        let head = Seat::BOTH.map(|seat| {
            let sign = stone(diagram, DiagramMark::of(seat)).unwrap_or(' ');
            format!("{sign} {}", position.players[seat.index()])
        });
        let head = format!("{}   {}", head[0], head[1]);
        buffer.set_stringn(area.x, area.y, cut(&head, columns), columns, ink.strong());
        let mut words = counted(position.turns, "turn");
        for fact in &diagram.facts {
            words += &format!("   {} {}", fact.name, fact.values.join(":"));
        }
        buffer.set_stringn(
            area.x,
            area.y + 1,
            cut(&words, columns),
            columns,
            ink.soft(),
        );
        let available = Rect::new(
            area.x,
            area.y + 2,
            area.width,
            area.height.saturating_sub(2),
        );
        let middle = (diagram.columns.len() / 2, diagram.rows.len() / 2);
        let place = GameBoardArea::of(diagram, available, middle, None);
        place.draw(buffer, diagram, &BoardMarks::default(), ink);
    }

    fn draw_bars(&self, buffer: &mut Buffer, ink: Ink) {
        let row =
            |from_below: u16| Rect::new(0, self.state.size.1 - from_below, self.state.size.0, 1);
        let mut pieces = Vec::new();
        if let Some(model) = &self.model {
            let all = match model.planned {
                Some(planned) => format!(" of {planned}"),
                None => String::new(),
            };
            let seconds = model.elapsed.as_secs_f64();
            let rate = match seconds > 0.0 {
                true => model.played as f64 / seconds,
                false => 0.0,
            };
            pieces.push(BarPiece::left(
                0,
                format!("{}{all} games", model.games),
                ink.strong(),
            ));
            if self.is_over {
                pieces.push(BarPiece::left(1, "over", ink.chosen()));
            } else if model.played > 0 {
                pieces.push(BarPiece::left(2, format!("{rate:.1} a second"), ink.soft()));
            }
            if let Some(planned) = model.planned.filter(|&planned| planned > 0) {
                let wide = 20_u64;
                let done = (model.games * wide / planned).min(wide) as usize;
                let line = format!("{}{}", "━".repeat(done), "─".repeat(wide as usize - done));
                pieces.push(BarPiece::right(3, line, ink.accent()));
            }
        }
        bar::draw(buffer, row(2), pieces, ink);
        let mut pieces = Vec::new();
        if self.positions.len() > 1 {
            let words = format!(
                "game {} of {} that run",
                self.watched + 1,
                self.positions.len()
            );
            pieces.push(BarPiece::left(3, words, ink.text()));
            pieces.push(BarPiece::right(4, "tab another game", ink.soft()));
        }
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        let leaves = if self.is_over { "q leave" } else { "q stop" };
        pieces.push(BarPiece::right(0, leaves, ink.soft()));
        pieces.push(BarPiece::right(2, "b board", ink.soft()));
        bar::draw(buffer, row(1), pieces, ink);
    }
}
