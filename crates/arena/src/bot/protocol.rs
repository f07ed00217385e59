//! The interfaces between games, protocols and transports.

use super::Protocol;
use games::{Outcome, Seat};
use matches::{Fault, TimeControl};
use players::Roster;

/// A game that bots can play, with its protocols and time control.
pub trait BotGame: Roster {
    /// Its protocols; the first is the default.
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Text];

    /// The default time control.
    fn time_control(&self) -> TimeControl {
        TimeControl::from_millis(5000, 1000)
    }

    /// Creates the protocol state for one process. It is one of [`BotGame::PROTOCOLS`].
    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>>;
}

/// A protocol's implementation, one instance per process: encodes the game and decodes the
/// bot's answers.
///
/// It knows neither clock nor process: it uses a [`LineTransport`], which has the deadline, and
/// passes on the transport's faults.
pub trait Language<G: BotGame>: Send {
    /// Greets a newly started process and learns its properties.
    ///
    /// # Errors
    /// The answer is not the protocol's greeting.
    fn greet(&mut self, game: &G, transport: &mut dyn LineTransport) -> Result<(), Fault>;

    /// Announces a game that begins in this position, which an opening may have led to.
    ///
    /// # Errors
    /// The transport's, or the bot rejects the game.
    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        setup: &BotGameSetup,
        transport: &mut dyn LineTransport,
    ) -> Result<(), Fault>;

    /// Sends the position, in which its seat is to move, and reads its move. Between two calls
    /// the other seat has moved, or both have.
    ///
    /// # Errors
    /// The answer is not a legal move, or missing.
    fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        transport: &mut dyn LineTransport,
    ) -> Result<G::Move, Fault>;

    /// Announces the end of the game, if the protocol does; returns whether the process can
    /// play another game.
    fn end(
        &mut self,
        game: &G,
        state: &G::State,
        outcome: Outcome,
        transport: &mut dyn LineTransport,
    ) -> bool;
}

/// A game's parameters for a bot, besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BotGameSetup {
    /// Its seat.
    pub seat: Seat,
    /// A seed for its random numbers.
    pub seed: u64,
    /// Its time control.
    pub time_control: TimeControl,
}

/// Sends lines to a bot and receives its lines. The transport has a deadline, and all faults of
/// the process (late, crashed, flood, ...) come from here.
pub trait LineTransport {
    /// Sends lines, each with its line feed.
    ///
    /// # Errors
    /// It has ended, closed its input, or does not read.
    fn send(&mut self, lines: &str) -> Result<(), Fault>;

    /// Receives the next line, without line feed and carriage return.
    ///
    /// # Errors
    /// None came in time.
    fn receive(&mut self) -> Result<String, Fault>;

    /// Records a comment line together with the bot's stderr.
    fn comment(&mut self, line: &str) {
        let _ = line;
    }

    /// Records a property of the bot: its name, its version.
    fn set_property(&mut self, key: &str, value: &str);
}
