//! The arena's own protocol, version 1: plain text lines, for any game.
//!
//! `docs/bots.md` specifies it. In short, the arena's lines and the bot's (`<`):
//!
//! ```text
//! gridpaper 1
//! < name my-bot again moves
//! game tictactoe
//! seat second
//! pace 5000 1000
//! seed 17
//! position 4
//! ...
//! moves A1 B1 C1 A2
//! go 5000
//! < B1
//! end win
//! ```
//!
//! The bot always sees itself in the first seat; `seat` names the real one. Its lines that
//! begin with `#` are comments.

use super::post_mortem::cut;
use super::refused;
use super::{BotGame, BotGameSetup, Language, LineTransport};
use games::{Outcome, Seat};
use matches::{Fault, TimeControl};
use std::fmt::Write as _;

/// The protocol version.
pub(super) const VERSION: u32 = 1;
/// Maximum number of legal moves that are listed.
pub(super) const MAX_LISTED_MOVES: u64 = 1024;

/// The protocol's state for one process.
#[derive(Debug)]
pub(super) struct TextLanguage {
    /// Whether the process plays many games.
    plays_many_games: bool,
    /// Whether it requested lists of legal moves.
    wants_moves: bool,
    seat: Seat,
    time_control: TimeControl,
    /// Number of its moves in this game.
    moves_made: u64,
    text: String,
}

impl TextLanguage {
    pub(super) fn new() -> Self {
        Self {
            plays_many_games: false,
            wants_moves: false,
            seat: Seat::First,
            time_control: TimeControl::from_millis(0, 0),
            moves_made: 0,
            text: String::new(),
        }
    }

    /// Receives the next line that is not a comment.
    fn receive_answer(transport: &mut dyn LineTransport) -> Result<String, Fault> {
        loop {
            let line = transport.receive()?;
            if !line.starts_with('#') {
                return Ok(line);
            }
            transport.comment(&line);
        }
    }
}

impl<G: BotGame> Language<G> for TextLanguage {
    fn greet(&mut self, _: &G, transport: &mut dyn LineTransport) -> Result<(), Fault> {
        transport.send(&format!("gridpaper {VERSION}\n"))?;
        let line = Self::receive_answer(transport).map_err(|fault| match fault {
            Fault::Late { limit } => {
                let limit = limit.as_millis();
                Fault::NotStarted(format!("no greeting in {limit} ms; it says `name NAME`"))
            }
            fault => fault,
        })?;
        let mut words = line.split_ascii_whitespace();
        let (Some("name"), Some(name)) = (words.next(), words.next()) else {
            let problem = format!("greeted with `{}` instead of `name NAME`", cut(&line));
            return Err(Fault::NotStarted(problem));
        };
        transport.set_property("name", name);
        for word in words {
            match word {
                "again" => self.plays_many_games = true,
                "moves" => self.wants_moves = true,
                _ => transport.set_property("unknown word", word),
            }
        }
        Ok(())
    }

    fn begin(
        &mut self,
        game: &G,
        _: &G::State,
        setup: &BotGameSetup,
        transport: &mut dyn LineTransport,
    ) -> Result<(), Fault> {
        self.seat = setup.seat;
        self.time_control = setup.time_control;
        self.moves_made = 0;
        let (first, each) = (
            self.time_control.first.as_millis(),
            self.time_control.each.as_millis(),
        );
        transport.send(&format!(
            "game {}\nseat {}\npace {first} {each}\nseed {}\n",
            game.name(),
            setup.seat,
            setup.seed
        ))
    }

    fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        transport: &mut dyn LineTransport,
    ) -> Result<G::Move, Fault> {
        let view = game.view(state, self.seat);
        let position = game.write_state(&view);
        let text = &mut self.text;
        text.clear();
        // writing to a string cannot fail
        let _ = writeln!(text, "position {}", position.lines().count());
        text.push_str(&position);
        if !position.ends_with('\n') {
            text.push('\n');
        }
        if self.wants_moves {
            text.push_str("moves");
            let breadth = game.breadth(&view, Seat::First);
            if breadth > MAX_LISTED_MOVES {
                let _ = write!(text, " many {breadth}");
            } else {
                let mut moves = Vec::new();
                game.moves(&view, Seat::First, &mut moves);
                for m in moves {
                    text.push(' ');
                    text.push_str(&game.write_move(m, Seat::First));
                }
            }
            text.push('\n');
        }
        let _ = writeln!(
            text,
            "go {}",
            self.time_control.limit(self.moves_made).as_millis()
        );
        transport.send(&self.text)?;
        let line = Self::receive_answer(transport)?;
        let m = game.parse_move(&view, Seat::First, &line);
        let m = m.map_err(|error| refused(&line, error))?;
        self.moves_made += 1;
        Ok(game.view_move(m, self.seat))
    }

    fn end(
        &mut self,
        _: &G,
        _: &G::State,
        outcome: Outcome,
        transport: &mut dyn LineTransport,
    ) -> bool {
        let word = match outcome.half_points(self.seat) {
            2 => "win",
            1 => "draw",
            _ => "loss",
        };
        transport.send(&format!("end {word}\n")).is_ok() && self.plays_many_games
    }
}
