//! Drawing of the play screen: a top line, the board, facts beside it, and two lines at the
//! bottom.

use super::{BoardViewpoint, PlayScreen};
use crate::bar::{self, BarPiece, cut};
use crate::ink::Ink;
use crate::panel::{field, wrapped};
use crate::screens::board::{BoardMarks, GameBoardArea, facts, stone};
use games::{Diagram, DiagramMark, Input, Seat, Turn};
use models::counted;
use models::play::TableGameEnd;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

/// The smallest supported screen.
const MIN_SIZE: (u16, u16) = (40, 8);
/// The minimum and maximum width of the column beside the board.
const BESIDE: (u16, u16) = (18, 30);

impl PlayScreen {
    /// Draws the screen. Returns the position of the terminal's cursor, if it is visible.
    pub fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let screen = buffer.area;
        let ink = self.state.begin(buffer, MIN_SIZE)?;
        let area = Rect::new(0, 1, screen.width, screen.height - 3);
        self.draw_top(buffer, ink);
        let mut cursor = None;
        if let Some(setup) = &mut self.setup {
            cursor = setup.draw(buffer, area, ink);
            let wrong = setup.wrong.clone();
            self.draw_setup_bars(buffer, wrong, ink);
        } else if self.session.is_some() {
            if let Some((_, place)) = self.boards().first() {
                self.corner = place.first();
            }
            self.draw_boards(buffer, ink);
            if let Some(beside) = self.beside() {
                self.draw_beside(buffer, beside, ink);
            }
            self.draw_state(buffer, ink);
            cursor = self.draw_status(buffer, ink);
        }
        match self.state.draw_help(buffer, ink) {
            true => None,
            false => cursor,
        }
    }

    fn row(&self, from_below: u16) -> Rect {
        Rect::new(0, self.state.size.1 - from_below, self.state.size.0, 1)
    }

    fn draw_top(&self, buffer: &mut Buffer, ink: Ink) {
        let row = Rect::new(0, 0, self.state.size.0, 1);
        let mut pieces = vec![BarPiece::left(1, "play", ink.accent())];
        match &self.session {
            Some(session) if self.setup.is_none() => {
                let [a, b] =
                    Seat::BOTH.map(|seat| format!("{} {}", session.sign(seat), session.name(seat)));
                pieces.push(BarPiece::left(0, session.game.game().title(), ink.strong()));
                pieces.push(BarPiece::left(2, format!("{a}   {b}"), ink.soft()));
                let turns = counted(session.game.table().turns(), "turn");
                pieces.push(BarPiece::right(3, turns, ink.soft()));
            }
            _ => pieces.push(BarPiece::left(0, "who plays what", ink.strong())),
        }
        bar::draw(buffer, row, pieces, ink);
    }

    fn draw_setup_bars(&self, buffer: &mut Buffer, wrong: Option<String>, ink: Ink) {
        let words = "← → choose · e types a game or a player, also cmd:./my-bot";
        let state = vec![BarPiece::left(0, words, ink.text())];
        bar::draw(buffer, self.row(2), state, ink);
        let mut pieces = Vec::new();
        if let Some(words) = wrong {
            pieces.push(BarPiece::left(0, words, ink.wrong()));
        }
        let leaves = match self.session {
            Some(_) => "q back to the game",
            None => "q leave",
        };
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(2, "i rules", ink.soft()));
        pieces.push(BarPiece::right(2, leaves, ink.soft()));
        pieces.push(BarPiece::right(3, "x exchange the seats", ink.soft()));
        bar::draw(buffer, self.row(1), pieces, ink);
    }

    /// The seats whose views are shown.
    fn seats(&self) -> Vec<Seat> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let own = session.view_seat();
        match self.view {
            _ if !session.has_two_views() => vec![own],
            BoardViewpoint::Own => vec![own],
            BoardViewpoint::Other => vec![own.other()],
            BoardViewpoint::Both if self.has_room_for_both() => vec![own, own.other()],
            BoardViewpoint::Both => vec![own],
        }
    }

    pub(super) fn has_room_for_both(&self) -> bool {
        let Some(session) = &self.session else {
            return false;
        };
        let diagram = session.game.table().diagram(Seat::First);
        self.state.size.0 >= 2 * GameBoardArea::least_width(&diagram) + 3
    }

    /// The widths of the boards and of the column beside them.
    fn split(&self) -> (u16, u16) {
        let width = self.state.size.0;
        let Some(session) = &self.session else {
            return (width, 0);
        };
        let diagram = session.game.table().diagram(Seat::First);
        let boards = self.seats().len() as u16;
        let usual = boards * (GameBoardArea::usual_width(&diagram) + 1);
        let least = boards * (GameBoardArea::least_width(&diagram) + 1);
        for wanted in [usual, least] {
            if width >= wanted + BESIDE.0 {
                let beside = (width - wanted).min(BESIDE.1);
                return (width - beside, beside);
            }
        }
        (width, 0)
    }

    fn beside(&self) -> Option<Rect> {
        let (boards, beside) = self.split();
        let area = Rect::new(boards, 1, beside, self.state.size.1.saturating_sub(3));
        (beside > 0).then_some(area)
    }

    /// The board area of each shown seat.
    pub(super) fn boards(&self) -> Vec<(Seat, GameBoardArea)> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let (width, _) = self.split();
        let seats = self.seats();
        let each = width / (seats.len().max(1) as u16);
        let height = self.state.size.1.saturating_sub(3);
        let places = seats.iter().enumerate().map(|(at, &seat)| {
            // With two views each has a title.
            let title = u16::from(session.has_two_views() && height > 8);
            let available = Rect::new(
                at as u16 * each,
                1 + title,
                each,
                height.saturating_sub(title).max(1),
            );
            let diagram = session.diagram(seat);
            (
                seat,
                GameBoardArea::of(&diagram, available, session.cursor, Some(self.corner)),
            )
        });
        places.collect()
    }

    fn draw_boards(&self, buffer: &mut Buffer, ink: Ink) {
        let Some(session) = &self.session else { return };
        let acting = session.acting();
        for (seat, place) in self.boards() {
            let diagram = session.diagram(seat);
            let is_own = acting == Some(seat) || (acting.is_some() && !session.has_two_views());
            let mut marks = BoardMarks {
                last: session.last(seat),
                ..BoardMarks::default()
            };
            if is_own && session.back.is_none() {
                marks.cursor = Some(session.cursor);
                if self.shows_preview {
                    marks.after = session.preview();
                }
                if let Input::Column(column) = session.game.table().input() {
                    let across = diagram.columns.len();
                    let rows = session.column.iter().enumerate();
                    let rows = rows.filter(|(_, is_chosen)| **is_chosen);
                    let chosen =
                        rows.map(|(row, _)| (row * across + column, DiagramMark::of(seat)));
                    marks.chosen = chosen.collect();
                }
                if let Some(hint) = &session.hint {
                    marks.hint = session.move_cells(hint.seat, &hint.advice.choice);
                }
            }
            place.draw(buffer, &diagram, &marks, ink);
            if session.has_two_views() && place.area.y > 1 {
                let people = session.people().count();
                let whose = match (people, session.view_seat() == seat) {
                    (1, true) => "your view".to_string(),
                    (1, false) => "the other's view".to_string(),
                    _ => format!("{}'s view", session.sign(seat)),
                };
                let available = usize::from(place.area.width);
                buffer.set_stringn(place.area.x, place.area.y - 1, whose, available, ink.soft());
            }
        }
    }

    fn draw_beside(&self, buffer: &mut Buffer, area: Rect, ink: Ink) {
        let Some(session) = &self.session else { return };
        let columns = usize::from(area.width).saturating_sub(2);
        let mut lines: Vec<(String, Style)> = Vec::new();
        let diagram = session.diagram(Seat::First);
        for seat in Seat::BOTH {
            let is_next = session.game.awaits(seat);
            let sign = if is_next { '›' } else { ' ' };
            let line = format!("{sign}{} {}", session.sign(seat), session.name(seat));
            let style = match is_next {
                true => ink.strong(),
                false => ink.text(),
            };
            lines.push((line, style));
        }
        lines.push((String::new(), ink.text()));
        for (name, [a, b]) in facts(&diagram) {
            lines.push((format!("{name:<8}{a:>4}{b:>4}"), ink.text()));
        }
        if self.shows_why {
            lines.push((String::new(), ink.text()));
            lines.push(("thought".into(), ink.accent()));
            for line in self.thought_lines(columns) {
                lines.push((line, ink.text()));
            }
        }
        lines.push((String::new(), ink.text()));
        lines.push(("moves".into(), ink.accent()));
        lines.truncate(usize::from(area.height));
        let available = usize::from(area.height) - lines.len();
        for line in self.moves(columns, available) {
            lines.push((line, ink.text()));
        }
        for ((line, style), y) in lines.iter().zip(area.y..area.bottom()) {
            buffer.set_stringn(area.x + 1, y, cut(line, columns), columns, *style);
        }
    }

    /// The last analysis in lines.
    fn thought_lines(&self, columns: usize) -> Vec<String> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let Some(thought) = session.thought() else {
            return vec!["nothing yet".into()];
        };
        let whose = match session.hint.is_some() {
            true => format!("a hint for {}", session.sign(thought.seat)),
            false => format!(
                "{} at turn {}",
                session.sign(thought.seat),
                thought.turns + 1
            ),
        };
        let words = thought.advice.to_string();
        let mut lines = wrapped(&format!("{whose}: {}", thought.advice.choice), columns);
        for part in words.split("; ") {
            let mut part = part.to_string();
            // A long variation is truncated.
            if let Some(line) = part.strip_prefix("line ") {
                let turns: Vec<&str> = line.split(' ').collect();
                if turns.len() > 8 {
                    part = format!("line {} …", turns[..8].join(" "));
                }
            }
            lines.extend(wrapped(&part, columns));
        }
        lines
    }

    /// The last turns that fit, and the index of the shown one among them.
    fn moves(&self, columns: usize, available: usize) -> Vec<String> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let history = session.game.table().history();
        let here = session.at();
        let widest = history.iter().map(|text| text.len()).max().unwrap_or(0);
        // Two turns per row where the seats alternate.
        let is_paired = widest * 2 + 6 <= columns && !history.iter().any(|t| t.contains('/'));
        let each = if is_paired { 2 } else { 1 };
        let rows = history.len().div_ceil(each);
        let shown = here.saturating_sub(1) / each;
        let first = (shown + 1).saturating_sub(available).min(rows);
        let row = |row: usize| {
            let mut line = format!("{:>3}", row * each + 1);
            for (at, text) in history.iter().enumerate().skip(row * each).take(each) {
                let sign = if at + 1 == here { '›' } else { ' ' };
                line += &format!("{sign}{text:<widest$} ");
            }
            line.trim_end().to_string()
        };
        (first..rows).take(available).map(row).collect()
    }

    /// Draws the first line of the footer: who is to move, or the result.
    fn draw_state(&self, buffer: &mut Buffer, ink: Ink) {
        let Some(session) = &self.session else { return };
        let seconds = session.thinking.as_secs();
        let time = if seconds > 0 {
            format!(" {seconds} s")
        } else {
            String::new()
        };
        let mut pieces = Vec::new();
        let turn = session.game.turn();
        let is_over = matches!(turn, Turn::Over(_));
        let words = match turn {
            Turn::Over(outcome) => {
                let how = match session.game.end() {
                    Some(TableGameEnd::Resigned(seat)) => {
                        format!(" · {} has resigned", session.side(*seat))
                    }
                    Some(TableGameEnd::Fault(seat, fault)) => {
                        format!(" · {}: {fault}", session.name(*seat))
                    }
                    None => {
                        let reason = session.game.table().reason();
                        reason.map_or_else(String::new, |reason| format!(" · {reason}"))
                    }
                };
                format!("{}{how}", session.result(outcome))
            }
            _ if session.is_hint_pending() => format!("looking for a hint{time}"),
            _ if session.is_paused => "waiting · space goes on".into(),
            _ => match (session.acting(), session.query()) {
                (Some(seat), _) => self.asked(seat),
                (None, Some(wanted)) => {
                    let (sign, name) = (session.sign(wanted.seat), session.name(wanted.seat));
                    format!("{sign} {name} is thinking{time}")
                }
                (None, None) => String::new(),
            },
        };
        let style = if is_over { ink.chosen() } else { ink.strong() };
        pieces.push(BarPiece::left(0, words, style));
        if let Some(at) = session.back {
            let words = format!("turn {at} of {} · esc back", session.game.table().turns());
            pieces.push(BarPiece::left(1, words, ink.accent()));
        }
        if is_over {
            pieces.push(BarPiece::right(2, "n play again", ink.soft()));
        }
        if self.beside().is_none() {
            let diagram = session.diagram(Seat::First);
            for (rank, (name, values)) in facts(&diagram).into_iter().enumerate() {
                let words = format!("{name} {}", values.join(":"));
                pieces.push(BarPiece::right(3 + rank as u8, words, ink.soft()));
            }
        }
        bar::draw(buffer, self.row(2), pieces, ink);
    }

    /// What the person is asked to do.
    fn asked(&self, seat: Seat) -> String {
        let Some(session) = &self.session else {
            return String::new();
        };
        let sign = session.sign(seat);
        let is_alone = session.people().count() == 1;
        let who = match is_alone {
            true => format!("{sign} you move"),
            false => format!("{sign} to move"),
        };
        let Input::Column(column) = session.game.table().input() else {
            return who;
        };
        let label = session.game.table().diagram(seat).columns[column].clone();
        let chosen = session
            .column
            .iter()
            .filter(|&&is_chosen| is_chosen)
            .count();
        let waits = match session.game.table().has_moved(seat.other()) {
            true if !is_alone => format!(" · {} has moved", session.sign(seat.other())),
            _ => String::new(),
        };
        format!("{who}: column {label}, {chosen} marked, enter sends{waits}")
    }

    /// Draws the second line of the footer: the move at the cursor, the input, or a message.
    fn draw_status(&self, buffer: &mut Buffer, ink: Ink) -> Option<Position> {
        let row = self.row(1);
        if let Some(typed) = &self.typed {
            let label = if typed.is_file { "save as " } else { "move " };
            buffer.set_style(row, ink.text());
            let inner = Rect::new(row.x + 1, row.y, row.width - 2, 1);
            let empty = if typed.is_file {
                "a file's name"
            } else {
                "such as B2"
            };
            return Some(field(buffer, inner, label, &typed.line, empty, ink));
        }
        let mut pieces = Vec::new();
        if let Some(words) = self.here() {
            pieces.push(BarPiece::left(2, words, ink.strong()));
        }
        match &self.state.note {
            Some(note) => pieces.push(BarPiece::left(0, note.words.clone(), note.style(ink))),
            // Without a column beside the board the analysis is shown here.
            None if self.shows_why && (self.beside().is_none() || self.state.size.1 < 16) => {
                if let Some(thought) = self.session.as_ref().and_then(|s| s.thought()) {
                    pieces.push(BarPiece::left(0, thought.advice.to_string(), ink.text()));
                }
            }
            None => {}
        }
        let marks = self.session.as_ref().is_some_and(|session| {
            session.acting().is_some() && matches!(session.game.table().input(), Input::Column(_))
        });
        if marks {
            pieces.push(BarPiece::right(3, "space marks", ink.soft()));
        }
        pieces.push(BarPiece::right(6, "w why", ink.soft()));
        pieces.push(BarPiece::right(4, "h hint", ink.soft()));
        pieces.push(BarPiece::right(5, "u back", ink.soft()));
        pieces.push(BarPiece::right(1, "? help", ink.soft()));
        pieces.push(BarPiece::right(2, "q leave", ink.soft()));
        bar::draw(buffer, row, pieces, ink);
        None
    }

    /// The move at the cursor, and its effect: `d4: ● 11 to 13, ■ 11 to 10`.
    fn here(&self) -> Option<String> {
        let session = self.session.as_ref()?;
        let (seat, text) = session.move_in_hand()?;
        if session.back.is_some() || session.game.table().input() != Input::Cell {
            return None;
        }
        if !self.shows_preview {
            return Some(text);
        }
        let Some(after) = session.preview() else {
            return Some(text);
        };
        let before = session.game.table().diagram(seat);
        let count = |diagram: &Diagram, mark| diagram.cells.iter().filter(|&&m| m == mark).count();
        let mut parts = Vec::new();
        for mark in [DiagramMark::First, DiagramMark::Second] {
            let (from, to) = (count(&before, mark), count(&after, mark));
            let own = mark == DiagramMark::of(seat);
            // Only the placed stone itself: not worth showing.
            if from != to && !(own && to == from + 1) {
                let sign = stone(&before, mark).unwrap_or(' ');
                parts.push(format!("{sign} {from} to {to}"));
            }
        }
        match parts.is_empty() {
            true => Some(text),
            false => Some(format!("{text}: {}", parts.join(", "))),
        }
    }
}
