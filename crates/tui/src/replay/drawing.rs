//! Drawing of the replay screen: a top line, the board, facts beside it, and two lines at the
//! bottom.

use super::{ReplayPanel, ReplayScreen, SPEEDS};
use crate::bar::{self, BarPiece, cut};
use crate::ink::Ink;
use crate::panel::{field, window, wrapped};
use crate::screens::board::{BoardMarks, GameBoardArea, facts, stone};
use games::{AnyGame, Diagram, DiagramMark, Seat};
use matches::replay::{ReplayFrame, result};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use std::time::Duration;

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 8);
/// The minimum and maximum width of the column beside the board.
const BESIDE: (u16, u16) = (18, 30);

impl ReplayScreen {
    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let area = Rect::new(0, 1, screen.width, screen.height - 3);
        self.draw_top(buffer, ink);
        self.draw_boards(buffer, area, ink);
        self.draw_track(buffer, ink);
        let mut cursor = self.draw_status(buffer, ink);
        let said = match self.panel {
            Some(ReplayPanel::Said(_)) => {
                self.said(usize::from(area.width.min(78)).saturating_sub(4))
            }
            _ => Vec::new(),
        };
        let titles: Vec<String> = match self.panel {
            Some(ReplayPanel::List(_)) => {
                (0..self.games.len()).map(|at| self.title_of(at)).collect()
            }
            _ => Vec::new(),
        };
        match &mut self.panel {
            None => return cursor,
            Some(ReplayPanel::Help(help)) => help.draw(buffer, area, ink),
            Some(ReplayPanel::Said(rows)) => {
                let titles = ("what bots said", "↑ ↓ scroll · esc closes");
                let inner = window(buffer, area, (78, 46), titles, ink);
                let first = rows.scrolled(inner, said.len());
                for (line, y) in said.iter().skip(first).zip(inner.y..inner.bottom()) {
                    buffer.set_stringn(inner.x, y, line, inner.width.into(), ink.text());
                }
            }
            Some(ReplayPanel::List(list)) => {
                let hint = "↑ ↓ choose · enter shows it · esc closes";
                let inner = window(buffer, area, (78, 46), ("games", hint), ink);
                list.draw(buffer, inner, &titles, ink);
            }
        }
        cursor = None;
        cursor
    }

    /// The title of a game in the list.
    fn title_of(&self, game: usize) -> String {
        let record = &self.games[game].record;
        format!("{:>4}  {}: {}", game + 1, record.game, result(record))
    }

    fn draw_top(&self, buffer: &mut Buffer, ink: Ink) {
        let record = &self.replay().record;
        let title = record.game.parse().map(|game: AnyGame| game.title());
        let title = title.unwrap_or_else(|_| record.game.clone());
        let number = format!("game {} of {}", self.game + 1, self.games.len());
        let pieces = vec![
            BarPiece::left(1, "replays", ink.accent()),
            BarPiece::left(0, title, ink.strong()),
            BarPiece::left(2, self.title.clone(), ink.soft()),
            BarPiece::right(1, number, ink.soft()),
        ];
        bar::draw(buffer, Rect::new(0, 0, self.state.size.0, 1), pieces, ink);
    }

    /// The shown seats with their diagrams.
    fn views<'a>(&self, frame: &'a ReplayFrame) -> Vec<(Seat, &'a Diagram)> {
        let of = |seat| match (seat, &frame.second) {
            (Seat::Second, Some(second)) => second,
            _ => &frame.diagram,
        };
        let has_room = self.state.size.0 >= 2 * GameBoardArea::least_width(&frame.diagram) + 3;
        let seats = match self.shows_both && has_room && self.has_two_views() {
            true => vec![self.seat, self.seat.other()],
            false => vec![self.seat],
        };
        seats.into_iter().map(|seat| (seat, of(seat))).collect()
    }

    fn draw_boards(&self, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let Some(frame) = self.frame() else {
            let words = match &self.wrong {
                Some(error) => error.to_string(),
                None => String::new(),
            };
            buffer.set_stringn(2, 2, words, usize::from(area.width) - 2, ink.wrong());
            return;
        };
        let views = self.views(frame);
        let boards = views.len() as u16;
        let wanted = [GameBoardArea::usual_width, GameBoardArea::least_width]
            .map(|width| boards * (width(&frame.diagram) + 1));
        let wanted = wanted
            .into_iter()
            .find(|width| area.width >= width + BESIDE.0);
        let beside = wanted.map_or(0, |wanted| (area.width - wanted).min(BESIDE.1));
        let each = (area.width - beside) / boards.max(1);
        let title = u16::from(self.has_two_views() && area.height > 6);
        let before = self.at.checked_sub(1).and_then(|at| self.frames.get(at));
        for (at, (seat, diagram)) in views.into_iter().enumerate() {
            let available = Rect::new(
                area.x + at as u16 * each,
                area.y + title,
                each,
                area.height - title,
            );
            let middle = (diagram.columns.len() / 2, diagram.rows.len() / 2);
            let last = self.last_cells(frame, before, seat);
            let across = diagram.columns.len();
            let around = last
                .first()
                .map_or(middle, |cell| (cell % across, cell / across));
            let place = GameBoardArea::of(diagram, available, around, None);
            let marks = BoardMarks {
                last,
                ..BoardMarks::default()
            };
            place.draw(buffer, diagram, &marks, ink);
            if title > 0 {
                let sign = stone(diagram, DiagramMark::of(seat)).unwrap_or(' ');
                let whose = format!("{sign}'s view");
                let wide = usize::from(place.area.width);
                buffer.set_stringn(place.area.x, place.area.y - 1, whose, wide, ink.soft());
            }
        }
        if beside > 0 {
            let area = Rect::new(area.right() - beside, area.y, beside, area.height);
            self.draw_beside(buffer, area, frame, ink);
        }
    }

    /// The cell of the last turn, if it names one; else, after simultaneous moves, the new cells
    /// of the seat's own column.
    fn last_cells(
        &self,
        frame: &ReplayFrame,
        before: Option<&ReplayFrame>,
        seat: Seat,
    ) -> Vec<usize> {
        let Some(text) = &frame.text else {
            return Vec::new();
        };
        let diagram = match (seat, &frame.second) {
            (Seat::Second, Some(second)) => second,
            _ => &frame.diagram,
        };
        let is_one = !text.contains('/') && before.is_some();
        let cell = is_one.then(|| diagram.find(text));
        cell.flatten().into_iter().collect()
    }

    fn draw_beside(&self, buffer: &mut Buffer, area: Rect, frame: &ReplayFrame, ink: Ink) {
        let columns = usize::from(area.width).saturating_sub(2);
        let mut lines: Vec<(String, Style)> = Vec::new();
        let record = &self.replay().record;
        let diagram = &frame.diagram;
        for seat in Seat::BOTH {
            let sign = stone(diagram, DiagramMark::of(seat)).unwrap_or(' ');
            let name = &record.players[seat.index()];
            lines.push((format!("{sign} {name}"), ink.strong()));
            if let Some(spent) = frame.spent[seat.index()] {
                lines.push((format!("  {}", milliseconds(spent)), ink.soft()));
            }
        }
        lines.push((String::new(), ink.text()));
        for (name, [a, b]) in facts(diagram) {
            lines.push((format!("{name:<8}{a:>4}{b:>4}"), ink.text()));
        }
        lines.push((String::new(), ink.text()));
        let verdict = wrapped(&result(record), columns);
        let available = usize::from(area.height).saturating_sub(lines.len() + verdict.len() + 2);
        // The turns around the shown one.
        let first = (self.at + 1).saturating_sub(available / 2);
        let first = first
            .min((self.last() + 1).saturating_sub(available))
            .max(1);
        for frame in self.frames.iter().skip(first).take(available) {
            let sign = if frame.turn == self.at { '›' } else { ' ' };
            let text = frame.text.as_deref().unwrap_or_default();
            let opening = if frame.is_opening { " opening" } else { "" };
            let style = match frame.turn == self.at {
                true => ink.strong(),
                false => ink.soft(),
            };
            lines.push((format!("{sign}{:>4} {text}{opening}", frame.turn), style));
        }
        lines.push((String::new(), ink.text()));
        lines.extend(verdict.into_iter().map(|line| (line, ink.text())));
        for ((line, style), y) in lines.iter().zip(area.y..area.bottom()) {
            buffer.set_stringn(area.x + 1, y, cut(line, columns), columns, *style);
        }
    }

    /// The column where the track begins, and its width.
    pub(super) fn track(&self) -> (u16, usize) {
        let words = self.last().to_string().len() * 2 + 12;
        let first = words as u16 + 3;
        (
            first,
            usize::from(self.state.size.0.saturating_sub(first + 10)),
        )
    }

    /// Draws the first line of the footer: the track.
    fn draw_track(&self, buffer: &mut Buffer, ink: Ink) {
        let y = self.state.size.1 - 2;
        let (first, wide) = self.track();
        let sign = if self.is_playing { '▶' } else { '‖' };
        let words = format!("{sign} turn {} of {}", self.at, self.last());
        buffer.set_stringn(1, y, words, usize::from(first) - 1, ink.strong());
        let here = self.at * wide.saturating_sub(1) / self.last().max(1);
        for column in 0..wide {
            let (sign, style) = match column == here {
                true => ('●', ink.accent()),
                false if column < here => ('━', ink.accent()),
                false => ('─', ink.soft()),
            };
            buffer[(first + column as u16, y)]
                .set_char(sign)
                .set_style(style);
        }
        let speed = format!("{} a second", SPEEDS[self.speed]);
        let available =
            usize::from(self.state.size.0).saturating_sub(usize::from(first) + wide + 1);
        let speed = if available >= speed.len() {
            speed
        } else {
            format!("{}/s", SPEEDS[self.speed])
        };
        buffer.set_stringn(first + wide as u16 + 1, y, speed, available, ink.soft());
    }

    /// Draws the second line of the footer: the turn, and messages.
    fn draw_status(&self, buffer: &mut Buffer, ink: Ink) -> Option<Position> {
        let row = Rect::new(0, self.state.size.1 - 1, self.state.size.0, 1);
        if let Some(typed) = &self.typed {
            let inner = Rect::new(1, row.y, row.width - 2, 1);
            let empty = format!("0 to {}", self.last());
            return Some(field(buffer, inner, "turn ", typed, &empty, ink));
        }
        let mut pieces = Vec::new();
        let is_end = self.at == self.last();
        match (&self.state.note, &self.wrong, self.frame()) {
            (Some(note), ..) => {
                pieces.push(BarPiece::left(0, note.words.clone(), note.style(ink)));
            }
            (_, Some(error), _) if is_end => {
                pieces.push(BarPiece::left(0, error.to_string(), ink.wrong()));
            }
            (_, _, Some(_)) if is_end => {
                pieces.push(BarPiece::left(
                    0,
                    result(&self.replay().record),
                    ink.strong(),
                ));
            }
            (_, _, Some(frame)) => {
                let text = frame.text.clone().unwrap_or_else(|| "start".into());
                let times: Vec<String> = frame
                    .spent
                    .iter()
                    .flatten()
                    .copied()
                    .map(milliseconds)
                    .collect();
                let opening = if frame.is_opening { ", opening" } else { "" };
                // The columns of both seats may be wider than the screen.
                let words = cut(
                    &format!("{text}{opening}"),
                    usize::from(self.state.size.0) - 12,
                );
                pieces.push(BarPiece::left(0, words, ink.strong()));
                pieces.push(BarPiece::left(3, times.join(" and "), ink.soft()));
            }
            (_, _, None) => {}
        }
        let has_said = self
            .replay()
            .record
            .reports
            .iter()
            .any(|a| !a.stderr.is_empty());
        if has_said {
            pieces.push(BarPiece::right(3, "e what bots said", ink.soft()));
        }
        if self.games.len() > 1 {
            pieces.push(BarPiece::right(4, "n next game", ink.soft()));
            pieces.push(BarPiece::right(5, "o games", ink.soft()));
        }
        if self.has_two_views() {
            pieces.push(BarPiece::right(6, "v views", ink.soft()));
        }
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(2, "q leave", ink.soft()));
        bar::draw(buffer, row, pieces, ink);
        None
    }

    /// Facts about the players, and their output.
    fn said(&self, columns: usize) -> Vec<String> {
        let record = &self.replay().record;
        let mut lines = Vec::new();
        for seat in Seat::BOTH {
            let report = &record.reports[seat.index()];
            lines.push(format!("{seat}: {}", record.players[seat.index()]));
            for (key, value) in &report.about {
                lines.extend(wrapped(&format!("  {key}: {value}"), columns));
            }
            for note in &report.notes {
                lines.extend(wrapped(&format!("  {note}"), columns));
            }
            if report.stderr.is_empty() {
                lines.push("  printed nothing to standard error".into());
            }
            for line in report.stderr.lines() {
                // Control characters are removed.
                let plain: String = line.chars().filter(|sign| !sign.is_control()).collect();
                lines.push(cut(&format!("  {plain}"), columns));
            }
            lines.push(String::new());
        }
        lines
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
