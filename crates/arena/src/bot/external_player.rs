//! The other side of the protocols: a built-in player as a bot in another arena, in any of the
//! three protocols.
//!
//! [`serve`] reads the other arena's lines and answers until the input ends. Without an explicit
//! protocol the first line decides: this program's own begins with `gridpaper`, the contest's
//! with a number, Gomocup's with a word in capitals.
//!
//! ```
//! use arena::bot::{ExternalPlayer, serve};
//! let said = "gridpaper 1\ngame tictactoe\nseat first\npace 1000 1000\nseed 7\n\
//!     position 4\nOO.\nXX.\n...\nO to move\ngo 1000\nend win\n";
//! let mut answers = Vec::new();
//! serve(&ExternalPlayer::new("heuristic"), said.as_bytes(), &mut answers)?;
//! assert_eq!(answers, b"name heuristic again\nC1\n");
//! # Ok::<(), arena::bot::ServeError>(())
//! ```

mod contest;
mod gomocup;
mod text;

use super::post_mortem::clean;
use super::{BotGame, Protocol};
use games::{AnyGame, GameNameError, StateProblem, with_game};
use players::{Clock, Player, PlayerError, Roster, SearchObserver};
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A built-in player and how it plays in another arena.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalPlayer {
    /// The player, as [`players::open`] reads it. Without a limit of its own it uses the other
    /// arena's time, less a margin for communication.
    pub player: String,
    /// The expected game. It supplies the rules that a protocol does not send: `column=` and
    /// `rules=` of a duel, the winning row length.
    pub game: Option<AnyGame>,
    /// The protocol; `None` to detect it from the first line.
    pub protocol: Option<Protocol>,
    /// The random seed of the first game, where the protocol has none; incremented for each
    /// further game.
    pub seed: u64,
}

impl ExternalPlayer {
    /// A player for any game, with seed 0.
    ///
    /// ```
    /// let player = arena::bot::ExternalPlayer::new(" mcts:ms=50 ");
    /// assert_eq!((player.player.as_str(), player.game), ("mcts:ms=50", None));
    /// ```
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

/// Why a session ended early.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The other arena sent something that violates its protocol.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// The problem.
        problem: ServeProblem,
    },
    /// There is no such player, or it cannot play the requested game.
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

/// A problem with a line of the other arena.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServeProblem {
    /// The input ends too early.
    #[error("the input ends where {0} should stand")]
    Ended(&'static str),
    /// A line that should be another.
    #[error("`{given}` stands where {expected} should")]
    Line {
        /// The line, cut.
        given: String,
        /// What was expected.
        expected: &'static str,
    },
    /// A number that is too large.
    #[error("{what} is {given}, and the most is {most}")]
    TooMuch {
        /// What it counts.
        what: &'static str,
        /// The given value.
        given: u64,
        /// The maximum.
        most: u64,
    },
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameNameError),
    /// Not the expected game.
    #[error("the game is {told}, and the player was seated for {named}")]
    OtherGame {
        /// The requested game.
        told: String,
        /// The expected game.
        named: String,
    },
    /// A position that cannot be read.
    #[error("character {column}: {problem}")]
    State {
        /// The character in the line, from 1.
        column: u32,
        /// The problem.
        problem: StateProblem,
    },
    /// A move is requested where none can be made.
    #[error("a move is asked for where the game is over or the other seat is to move")]
    NotToMove,
}

/// Plays until the input ends.
///
/// # Errors
/// The player cannot play the game, the other side violates its protocol, or reading or writing
/// fails. A Gomocup command that is answered with `ERROR` is no error here.
///
/// ```
/// use arena::bot::{ExternalPlayer, serve};
///
/// // the first line shows that it is Gomocup's protocol
/// let mut answers = Vec::new();
/// serve(&ExternalPlayer::new("random"), "START 15\nBEGIN\nEND\n".as_bytes(), &mut answers)?;
/// assert!(answers.starts_with(b"OK"));
/// # Ok::<(), arena::bot::ServeError>(())
/// ```
pub fn serve(
    external: &ExternalPlayer,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    let mut arena = ArenaConnection {
        input: &mut input,
        output: &mut output,
        lines_read: 0,
        peeked: None,
    };
    if let Some(game) = &external.game {
        // a wrong name is reported before any line is read
        players::check(game, &external.player)?;
    }
    let protocol = match external.protocol {
        Some(protocol) => protocol,
        None => match arena.next_line()? {
            Some(line) => {
                let protocol = recognise(&line);
                arena.peeked = Some(line);
                protocol
            }
            None => return Ok(()),
        },
    };
    if let Some(game) = &external.game {
        let protocols = with_game!(game, |game| protocols(game));
        if !protocols.contains(&protocol) {
            let game = game.to_string();
            return Err(ServeError::Protocol { game, protocol });
        }
    }
    match protocol {
        Protocol::Text => text::serve(external, &mut arena),
        Protocol::Contest => contest::serve(external, &mut arena),
        Protocol::Gomocup => gomocup::serve(external, &mut arena),
    }
}

fn protocols<G: BotGame>(_: &G) -> &'static [Protocol] {
    G::PROTOCOLS
}

/// Detects the protocol from its first line.
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

/// The line connection to the other arena.
struct ArenaConnection<'a> {
    input: &'a mut dyn BufRead,
    output: &'a mut dyn Write,
    /// Number of lines read.
    lines_read: u64,
    /// The first line, which was read to detect the protocol.
    peeked: Option<String>,
}

impl ArenaConnection<'_> {
    /// The next line without its line ending; `None` at the end of input.
    fn next_line(&mut self) -> Result<Option<String>, ServeError> {
        if let Some(line) = self.peeked.take() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        if self.input.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.lines_read += 1;
        let line = String::from_utf8_lossy(&bytes);
        Ok(Some(line.trim_end().into()))
    }

    /// The next line, which has to exist.
    fn expect(&mut self, what: &'static str) -> Result<String, ServeError> {
        let line = self.next_line()?;
        line.ok_or_else(|| ServeError::Line {
            line: self.lines_read + 1,
            problem: ServeProblem::Ended(what),
        })
    }

    /// Sends a line and flushes.
    fn send(&mut self, line: &str) -> Result<(), ServeError> {
        // in one write, so that no partial line is read
        self.output.write_all(format!("{line}\n").as_bytes())?;
        Ok(self.output.flush()?)
    }

    /// An error about the last line.
    fn error(&self, problem: impl Into<ServeProblem>) -> ServeError {
        ServeError::Line {
            line: self.lines_read,
            problem: problem.into(),
        }
    }

    /// An error about an unexpected last line.
    fn unexpected(&self, line: &str, expected: &'static str) -> ServeError {
        self.error(ServeProblem::Line {
            given: clean(&format!("{line:.40}")),
            expected,
        })
    }
}

/// Opens the player, with the given time limit if it takes one and its text sets none.
fn open_player<G: Roster>(
    game: &G,
    text: &str,
    limit: Duration,
) -> Result<Box<dyn Player<G>>, PlayerError> {
    let clock = Clock::system();
    if !has_limit(text) {
        let sign = if text.contains(':') { ',' } else { ':' };
        let milliseconds = usable_time(limit).as_millis().max(1);
        if let Ok(player) = players::open(game, &format!("{text}{sign}ms={milliseconds}"), &clock) {
            return Ok(player);
        }
    }
    players::open(game, text, &clock)
}

/// Whether a player's text sets a limit of its own.
fn has_limit(text: &str) -> bool {
    let options = text.split_once(':').map_or("", |(_, options)| options);
    let keys = options.split(',').filter_map(|item| item.split_once('='));
    keys.into_iter()
        .any(|(key, _)| ["ms", "nodes", "playouts", "depth"].contains(&key.trim()))
}

/// The part of a time limit that the player may use; the rest is a margin for communication and
/// a busy machine. 40 of 50 ms, 880 of 1000.
fn usable_time(limit: Duration) -> Duration {
    let margin = (limit / 5).min(Duration::from_millis(100) + limit / 50);
    (limit - margin).max(Duration::from_millis(1))
}

/// Stops a player at its deadline, whatever its own limits are.
struct MoveDeadline(Instant);

impl MoveDeadline {
    /// A deadline this long from now.
    fn within(limit: Duration) -> Self {
        Self(Instant::now() + usable_time(limit))
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
            assert_eq!(usable_time(limit), Duration::from_millis(expected));
        }
    }

    #[test]
    fn own_limits_are_recognised() {
        for text in ["mcts:ms=50", "alphabeta:depth=4", "mcts:c=2, playouts=10"] {
            assert!(has_limit(text), "{text}");
        }
        for text in ["random", "mcts:c=2", "heuristic:as-published", "ms=50"] {
            assert!(!has_limit(text), "{text}");
        }
    }
}
