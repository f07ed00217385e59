//! The protocol of Gomocup, the five-in-a-row tournament: for m,n,k games.
//!
//! Its managers and engines (*brains*) exchange lines of capitals: `START 15`, `TURN 7,7`,
//! `BOARD` and stones up to `DONE`. Source: "Gomoku AI protocol" of Petr Laštovička and
//! Martin Petříček, as of March 2023. Columns are x and rows y, both from 0.
//!
//! Engines assume five in a row. Another length is announced first with a key of this program,
//! [`WIN_LENGTH_KEY`], which other engines ignore, as the protocol demands of unknown keys.

use super::post_mortem::cut;
use super::{BotGameSetup, Language, LineTransport};
use games::mnk::{Cell, Mnk, MnkPosition};
use games::{DiagramMark, Game, JointMove, Outcome, Seat};
use matches::Fault;
use players::PlayerFactory;
use std::time::Duration;

/// The key of `INFO` for the winning row length where that is not five.
pub(super) const WIN_LENGTH_KEY: &str = "gridpaper_line";

/// The value of `INFO time_left` when only single moves are limited.
const NO_LIMIT: &str = "2147483647";

/// The protocol's state for one process.
pub(super) struct GomocupLanguage<const WORDS: usize> {
    seat: Seat,
    /// The position as the process knows it: after its own last move.
    known: Option<MnkPosition<WORDS>>,
    limits: [Duration; 2],
    sent_limit: Option<Duration>,
}

impl<const WORDS: usize> Default for GomocupLanguage<WORDS> {
    fn default() -> Self {
        Self {
            seat: Seat::First,
            known: None,
            limits: [Duration::ZERO; 2],
            sent_limit: None,
        }
    }
}

/// An engine's replies that are not moves.
enum GomocupReply {
    Ok,
    /// It does not know the command.
    Unknown,
    /// It cannot do what the command asks.
    Error,
    Suggestion(String),
    Other,
}

impl GomocupReply {
    fn parse(line: &str) -> Self {
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        match word.to_ascii_uppercase().as_str() {
            "OK" => Self::Ok,
            "UNKNOWN" => Self::Unknown,
            "ERROR" => Self::Error,
            "SUGGEST" => Self::Suggestion(rest.trim().into()),
            _ => Self::Other,
        }
    }
}

/// Receives the next relevant line: skips empty lines, and `MESSAGE` and `DEBUG`, which are
/// comments.
fn receive_reply(transport: &mut dyn LineTransport) -> Result<String, Fault> {
    loop {
        let line = transport.receive()?;
        let line = line.trim();
        if is_comment(line) {
            transport.comment(line);
        } else if !line.is_empty() {
            return Ok(line.into());
        }
    }
}

/// Whether a line is a comment.
fn is_comment(line: &str) -> bool {
    let word = line.split([' ', '\t']).next().unwrap_or_default();
    ["MESSAGE", "DEBUG"]
        .iter()
        .any(|w| word.eq_ignore_ascii_case(w))
}

impl<const WORDS: usize> Language<Mnk<WORDS>> for GomocupLanguage<WORDS>
where
    Mnk<WORDS>: PlayerFactory,
{
    fn greet(&mut self, game: &Mnk<WORDS>, transport: &mut dyn LineTransport) -> Result<(), Fault> {
        let (columns, rows) = (game.columns(), game.rows());
        let mut lines = String::new();
        if game.line() != 5 {
            lines += &format!("INFO {WIN_LENGTH_KEY} {}\r\n", game.line());
        }
        lines += "ABOUT\r\n";
        lines += &if columns == rows {
            format!("START {columns}\r\n")
        } else {
            format!("RECTSTART {columns},{rows}\r\n")
        };
        transport.send(&lines)?;
        // old engines may not answer `ABOUT`, which is allowed; lines before the reply to the
        // start are the reply to `ABOUT`
        let mut before = lines.lines().count() - 1;
        loop {
            let line = receive_reply(transport)?;
            match GomocupReply::parse(&line) {
                GomocupReply::Ok => return Ok(()),
                GomocupReply::Unknown if before > 0 => before -= 1,
                GomocupReply::Unknown | GomocupReply::Error => {
                    let size = format!("{columns}x{rows}");
                    let said = cut(&line);
                    return Err(Fault::NotStarted(format!(
                        "it does not play on {size}: `{said}`"
                    )));
                }
                _ => {
                    record_about(&line, transport);
                    before = 0;
                }
            }
        }
    }

    fn begin(
        &mut self,
        game: &Mnk<WORDS>,
        _: &MnkPosition<WORDS>,
        setup: &BotGameSetup,
        transport: &mut dyn LineTransport,
    ) -> Result<(), Fault> {
        let time_control = setup.time_control;
        self.seat = setup.seat;
        self.known = Some(game.start());
        self.limits = [time_control.first.min(time_control.each), time_control.each];
        self.sent_limit = None;
        transport.send("INFO timeout_match 0\r\nINFO game_type 1\r\nINFO rule 0\r\n")
    }

    fn ask(
        &mut self,
        game: &Mnk<WORDS>,
        state: &MnkPosition<WORDS>,
        transport: &mut dyn LineTransport,
    ) -> Result<Cell, Fault> {
        let limit = self.limits[usize::from(self.sent_limit.is_some())];
        let mut lines = String::new();
        if self.sent_limit != Some(limit) {
            self.sent_limit = Some(limit);
            lines += &format!("INFO timeout_turn {}\r\n", limit.as_millis());
        }
        lines += &format!("INFO time_left {NO_LIMIT}\r\n");
        lines += &self.position_command(game, state);
        transport.send(&lines)?;
        let mut line = receive_reply(transport)?;
        if let GomocupReply::Suggestion(place) = GomocupReply::parse(&line) {
            // a manager may reject a suggestion; this arena accepts it
            transport.send(&format!("PLAY {place}\r\n"))?;
            line = receive_reply(transport)?;
        }
        let cell = parse_reply(game, state, &line)?;
        let mut known = *state;
        game.apply(&mut known, JointMove::One(cell));
        self.known = Some(known);
        Ok(cell)
    }

    /// Sends `RESTART`, which not every engine supports.
    fn end(
        &mut self,
        _: &Mnk<WORDS>,
        _: &MnkPosition<WORDS>,
        _: Outcome,
        transport: &mut dyn LineTransport,
    ) -> bool {
        self.known = None;
        let is_ready = transport.send("RESTART\r\n").is_ok()
            && receive_reply(transport)
                .is_ok_and(|line| matches!(GomocupReply::parse(&line), GomocupReply::Ok));
        if !is_ready {
            // it may have exited already, which is no fault
            let _ = transport.send("END\r\n");
        }
        is_ready
    }
}

impl<const WORDS: usize> GomocupLanguage<WORDS> {
    /// The command that updates the process's board to this position: the other's move alone,
    /// if nothing else changed.
    fn position_command(&self, game: &Mnk<WORDS>, state: &MnkPosition<WORDS>) -> String {
        if state.count() == 0 {
            return "BEGIN\r\n".into();
        }
        let other = self.seat.other();
        if let Some(known) = &self.known
            && let Some(cell) = new_stone(game, known, state, other)
        {
            let (x, y) = place(game, cell);
            return format!("TURN {x},{y}\r\n");
        }
        let mut text = String::from("BOARD\r\n");
        // the order of the moves is not known; so one of each by turns, as if it had been so
        let mut stones = Seat::BOTH.map(|seat| {
            let cells = 0..game.cells() as Cell;
            cells.filter(move |&cell| state.mark(cell) == DiagramMark::of(seat))
        });
        loop {
            let next = stones.each_mut().map(Iterator::next);
            if next == [None, None] {
                break;
            }
            for (seat, cell) in Seat::BOTH.into_iter().zip(next) {
                if let Some(cell) = cell {
                    let (x, y) = place(game, cell);
                    let whose = if seat == self.seat { 1 } else { 2 };
                    text += &format!("{x},{y},{whose}\r\n");
                }
            }
        }
        text + "DONE\r\n"
    }
}

/// The cell of the seat's only new stone, if nothing else is new.
fn new_stone<const WORDS: usize>(
    game: &Mnk<WORDS>,
    before: &MnkPosition<WORDS>,
    after: &MnkPosition<WORDS>,
    seat: Seat,
) -> Option<Cell> {
    if after.count() != before.count() + 1 {
        return None;
    }
    let mut changed = (0..game.cells() as Cell).filter(|&c| before.mark(c) != after.mark(c));
    let cell = changed.next()?;
    let is_all = changed.next().is_none();
    (is_all && before.mark(cell) == DiagramMark::Empty && after.mark(cell) == DiagramMark::of(seat))
        .then_some(cell)
}

/// Column and row, from 0.
fn place<const WORDS: usize>(game: &Mnk<WORDS>, cell: Cell) -> (u32, u32) {
    let cell = u32::from(cell);
    (cell % game.columns(), cell / game.columns())
}

/// Parses a move.
fn parse_reply<const WORDS: usize>(
    game: &Mnk<WORDS>,
    state: &MnkPosition<WORDS>,
    line: &str,
) -> Result<Cell, Fault> {
    let malformed = |problem: &str| Fault::Malformed {
        line: cut(line),
        problem: problem.into(),
    };
    match GomocupReply::parse(line) {
        GomocupReply::Unknown | GomocupReply::Error => {
            return Err(malformed("it does not take the command"));
        }
        GomocupReply::Suggestion(_) => return Err(malformed("a suggestion was accepted already")),
        GomocupReply::Ok => return Err(malformed("a move was due, such as 7,8")),
        GomocupReply::Other => {}
    }
    let (x, y) = numbers(line)
        .ok_or_else(|| malformed("write a move as column and row from 0, such as 7,8"))?;
    let illegal = |problem: String| Fault::Illegal {
        text: cut(line),
        problem,
    };
    if x >= game.columns() || y >= game.rows() {
        let (last_x, last_y) = (game.columns() - 1, game.rows() - 1);
        return Err(illegal(format!(
            "that is off the board, which goes from 0,0 to {last_x},{last_y}"
        )));
    }
    let cell = game.cell(x, y);
    if state.mark(cell) != DiagramMark::Empty {
        return Err(illegal("a stone stands there".into()));
    }
    Ok(cell)
}

/// `7,8`: two numbers without signs.
pub(super) fn numbers(text: &str) -> Option<(u32, u32)> {
    let (x, y) = text.split_once(',')?;
    let number = |text: &str| {
        let text = text.trim();
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| text.parse().ok()).flatten()
    };
    Some((number(x)?, number(y)?))
}

/// Records what an engine says about itself: `name="Knot", version="1.2"`, or anything else.
fn record_about(line: &str, transport: &mut dyn LineTransport) {
    let mut rest = line;
    let mut is_read = false;
    while let Some((key, after)) = rest.split_once("=\"")
        && let Some((value, after)) = after.split_once('"')
    {
        let key = key.trim_start_matches([',', ' ', '\t']).trim();
        let key = key.to_ascii_lowercase();
        if key == "name" || key == "version" {
            transport.set_property(&key, &cut(value));
            is_read = true;
        }
        rest = after;
    }
    if !is_read {
        transport.set_property("about", &cut(line));
    }
}
