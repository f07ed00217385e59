//! The other side of the table: one of our players as a bot in somebody else's arena, in any
//! of the three protocols.
//!
//! [`external_player`] reads what the other arena says and answers until it has nothing more to say.
//! Which protocol that is shows in the first line, where nobody has named one: our own
//! begins with `gridpaper`, the contest's with a number, Gomocup's with a word in capitals.
//!
//! ```
//! use arena::bot::{ExternalPlayer, sit};
//! let said = "gridpaper 1\ngame tictactoe\nseat first\npace 1000 1000\nseed 7\n\
//!     position 4\nOO.\nXX.\n...\nO to move\ngo 1000\nend win\n";
//! let mut answers = Vec::new();
//! sit(&ExternalPlayer::new("heuristic"), said.as_bytes(), &mut answers)?;
//! assert_eq!(answers, b"name heuristic again\nC1\n");
//! # Ok::<(), arena::bot::SitError>(())
//! ```

mod contest;
mod gomocup;
mod text;

use super::post_mortem::clean;
use super::{BotGame, Protocol};
use games::{AnyGame, GameNameError, StateProblem, with_game};
use players::{Player, PlayerError, Roster, SearchObserver};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use thiserror::Error;

/// One of our players, away from home.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalPlayer {
    /// The player, as [`players::open`] reads it. One without a limit of its own gets what
    /// time the other arena gives, less a margin for the way.
    pub player: String,
    /// The game that it has been seated for. Where a protocol does not tell all rules, the
    /// rest comes from here: `column=` and `rules=` of a duel, how many in a row win.
    pub game: Option<AnyGame>,
    /// What is spoken; `None` to tell by the first line.
    pub protocol: Option<Protocol>,
    /// Where chance starts from in the first game, where the protocol has no seed; 1 more in
    /// each game after it.
    pub seed: u64,
}

impl ExternalPlayer {
    /// A player for whatever game comes, with seed 0.
    #[must_use]
    pub fn new(player: &str) -> Self {
        Self {
            player: player.trim().into(),
            game: None,
            protocol: None,
            seed: 0,
        }
    }
}

/// Why a player left the table.
#[derive(Debug, Error)]
pub enum SitError {
    /// The other arena said something that its protocol does not have.
    #[error("line {line}: {problem}")]
    Said {
        /// The line, from 1.
        line: u64,
        /// What is wrong there.
        problem: SitProblem,
    },
    /// There is no such player, or it cannot play the game that came up.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The named game is not played in the protocol.
    #[error("{game} is not played in the protocol {protocol}")]
    Protocol {
        /// The game.
        game: String,
        /// The protocol.
        protocol: Protocol,
    },
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// What is wrong with a line of the other arena's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SitProblem {
    /// The input ends too early.
    #[error("the input ends where {0} should stand")]
    Ended(&'static str),
    /// A line that should be another.
    #[error("`{given}` stands where {expected} should")]
    Line {
        /// The line, cut.
        given: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// A number that is too large.
    #[error("{what} is {given}, and the most is {most}")]
    TooMuch {
        /// What it counts.
        what: &'static str,
        /// What was said.
        given: u64,
        /// What it may be.
        most: u64,
    },
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameNameError),
    /// Another game than the player has been seated for.
    #[error("the game is {told}, and the player was seated for {named}")]
    OtherGame {
        /// The game that was said.
        told: String,
        /// The one that was named.
        named: String,
    },
    /// A position that cannot be read.
    #[error("character {column}: {problem}")]
    State {
        /// The character in the line, from 1.
        column: u32,
        /// What is wrong there.
        problem: StateProblem,
    },
    /// A move is asked for where there is none to be made.
    #[error("a move is asked for where the game is over or the other seat is to move")]
    NotToMove,
}

/// Sits down and plays until the other side has nothing more to say.
///
/// # Errors
/// The player cannot play what comes up, the other side breaks its protocol, or reading or
/// writing fails. What an engine of Gomocup's protocol answers with `ERROR` is no error here.
pub fn sit(
    guest: &ExternalPlayer,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), SitError> {
    let mut table = ArenaConnection {
        input: &mut input,
        output: &mut output,
        read: 0,
        kept: None,
    };
    if let Some(game) = &guest.game {
        // a name that is wrong shows before anybody has said a word
        players::check(game, &guest.player)?;
    }
    let protocol = match guest.protocol {
        Some(protocol) => protocol,
        None => match table.next()? {
            Some(line) => {
                let protocol = recognise(&line);
                table.kept = Some(line);
                protocol
            }
            None => return Ok(()),
        },
    };
    if let Some(game) = &guest.game {
        let protocols = with_game!(game, |game| protocols(game));
        if !protocols.contains(&protocol) {
            let game = game.to_string();
            return Err(SitError::Protocol { game, protocol });
        }
    }
    match protocol {
        Protocol::Text => text::sit(guest, &mut table),
        Protocol::Contest => contest::sit(guest, &mut table),
        Protocol::Gomocup => gomocup::sit(guest, &mut table),
    }
}

fn protocols<G: BotGame>(_: &G) -> &'static [Protocol] {
    G::PROTOCOLS
}

/// The protocol that begins with this line.
fn recognise(line: &str) -> Protocol {
    let word = line.split_ascii_whitespace().next().unwrap_or_default();
    if word == "gridpaper" {
        Protocol::Text
    } else if word.parse::<u32>().is_ok() {
        Protocol::Contest
    } else {
        Protocol::Gomocup
    }
}

/// Lines from the other arena and to it.
struct ArenaConnection<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// How many lines have been read.
    read: u64,
    /// The first line, which was looked at.
    kept: Option<String>,
}

impl ArenaConnection<'_> {
    /// The next line without what ends it; `None` where the input ends.
    fn next(&mut self) -> Result<Option<String>, SitError> {
        if let Some(line) = self.kept.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.read += 1;
        let line = String::from_utf8_lossy(&bytes);
        Ok(Some(line.trim_end().into()))
    }

    /// The next line, where one has to come.
    fn expect(&mut self, what: &'static str) -> Result<String, SitError> {
        let line = self.next()?;
        line.ok_or_else(|| SitError::Said {
            line: self.read + 1,
            problem: SitProblem::Ended(what),
        })
    }

    /// Says a line, at once.
    fn say(&mut self, line: &str) -> Result<(), SitError> {
        // in one piece, so that nobody reads half of it
        self.output.write_all(format!("{line}\n").as_bytes())?;
        Ok(self.output.flush()?)
    }

    /// An error about the last line that was read.
    fn error(&self, problem: impl Into<SitProblem>) -> SitError {
        SitError::Said {
            line: self.read,
            problem: problem.into(),
        }
    }

    /// An error about the last line, which should be something else.
    fn unexpected(&self, line: &str, expected: &'static str) -> SitError {
        self.error(SitProblem::Line {
            given: clean(&format!("{line:.40}")),
            expected,
        })
    }
}

/// Makes the player: with the time that it is given, where its text sets no limit and it
/// takes one.
fn open<G: Roster>(
    game: &G,
    text: &str,
    limit: Duration,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    if !has_limit(text) {
        let sign = if text.contains(':') { ',' } else { ':' };
        let milliseconds = allowed(limit).as_millis().max(1);
        if let Ok(player) = players::open(game, &format!("{text}{sign}ms={milliseconds}")) {
            return Ok(player);
        }
    }
    players::open(game, text)
}

/// Whether a player's text says how long it may think.
fn has_limit(text: &str) -> bool {
    let options = text.split_once(':').map_or("", |(_, options)| options);
    let keys = options.split(',').filter_map(|item| item.split_once('='));
    keys.into_iter()
        .any(|(key, _)| ["ms", "nodes", "playouts", "depth"].contains(&key.trim()))
}

/// What of a limit a player may use itself: the rest is for the way there and back, and for
/// a machine that is busy. 40 of 50 ms, 880 of 1000.
fn allowed(limit: Duration) -> Duration {
    let margin = (limit / 5).min(Duration::from_millis(100) + limit / 50);
    (limit - margin).max(Duration::from_millis(1))
}

/// Stops a player when its time is up, whatever its own limits are.
struct MoveDeadline(Instant);

impl MoveDeadline {
    /// From now on.
    fn within(limit: Duration) -> Self {
        Self(Instant::now() + allowed(limit))
    }
}

impl<M> SearchObserver<M> for MoveDeadline {
    fn goes_on(&mut self) -> bool {
        Instant::now() < self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_margin_is_kept() {
        for (limit, expected) in [(50, 40), (1000, 880), (30_000, 29_300), (0, 1)] {
            let limit = Duration::from_millis(limit);
            assert_eq!(allowed(limit), Duration::from_millis(expected));
        }
    }

    #[test]
    fn limits_of_ones_own_are_seen() {
        for text in ["mcts:ms=50", "alphabeta:depth=4", "mcts:c=2, playouts=10"] {
            assert!(has_limit(text), "{text}");
        }
        for text in ["random", "mcts:c=2", "heuristic:as-published", "ms=50"] {
            assert!(!has_limit(text), "{text}");
        }
    }
}
