//! This program's own protocol, version 1: lines of plain text, any game.
//!
//! `docs/bots.md` has all of it. In short, the arena's lines and the bot's (`<`):
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
//! The bot always sees itself in the first seat; `seat` tells who it is all the same. Its
//! lines that begin with `#` are remarks.

use super::post_mortem::cut;
use super::refused;
use super::{BotGame, Language, LineTransport, Setting};
use crate::{Fault, TimeControl};
use games::{Outcome, Seat};
use std::fmt::Write as _;

/// The version that is spoken here.
pub(super) const VERSION: u32 = 1;
/// The most legal moves that are listed.
pub(super) const MOST_MOVES: u64 = 1024;

/// Our own language.
#[derive(Debug)]
pub(super) struct TextLanguage {
    /// Whether the process plays many games.
    again: bool,
    /// Whether it wants the legal moves.
    moves: bool,
    seat: Seat,
    pace: TimeControl,
    /// How many moves it has made in this game.
    made: u64,
    text: String,
}

impl TextLanguage {
    pub(super) fn new() -> Self {
        Self {
            again: false,
            moves: false,
            seat: Seat::First,
            pace: TimeControl::of_milliseconds(0, 0),
            made: 0,
            text: String::new(),
        }
    }

    /// The next line that is no remark.
    fn hear(talk: &mut dyn LineTransport) -> Result<String, Fault> {
        loop {
            let line = talk.hear()?;
            if !line.starts_with('#') {
                return Ok(line);
            }
            talk.remark(&line);
        }
    }
}

impl<G: BotGame> Language<G> for TextLanguage {
    fn greet(&mut self, _: &G, talk: &mut dyn LineTransport) -> Result<(), Fault> {
        talk.say(&format!("gridpaper {VERSION}\n"))?;
        let line = Self::hear(talk).map_err(|fault| match fault {
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
        talk.note("name", name);
        for word in words {
            match word {
                "again" => self.again = true,
                "moves" => self.moves = true,
                _ => talk.note("unknown word", word),
            }
        }
        Ok(())
    }

    fn begin(
        &mut self,
        game: &G,
        _: &G::State,
        setting: &Setting,
        talk: &mut dyn LineTransport,
    ) -> Result<(), Fault> {
        self.seat = setting.seat;
        self.pace = setting.pace;
        self.made = 0;
        let (first, each) = (self.pace.first.as_millis(), self.pace.each.as_millis());
        talk.say(&format!(
            "game {}\nseat {}\npace {first} {each}\nseed {}\n",
            game.name(),
            setting.seat,
            setting.seed
        ))
    }

    fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        talk: &mut dyn LineTransport,
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
        if self.moves {
            text.push_str("moves");
            let breadth = game.breadth(&view, Seat::First);
            if breadth > MOST_MOVES {
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
        let _ = writeln!(text, "go {}", self.pace.limit(self.made).as_millis());
        talk.say(&self.text)?;
        let line = Self::hear(talk)?;
        let m = game.parse_move(&view, Seat::First, &line);
        let m = m.map_err(|error| refused(&line, error))?;
        self.made += 1;
        Ok(game.view_move(m, self.seat))
    }

    fn end(&mut self, _: &G, _: &G::State, outcome: Outcome, talk: &mut dyn LineTransport) -> bool {
        let word = match outcome.half_points(self.seat) {
            2 => "win",
            1 => "draw",
            _ => "loss",
        };
        talk.say(&format!("end {word}\n")).is_ok() && self.again
    }
}
