//! Games that bots play, and the languages in which they are told.

use super::Protocol;
use super::contest::ContestLanguage;
use super::gomocup::GomocupLanguage;
use super::text::TextLanguage;
use crate::{Fault, TimeControl};
use games::duel::{Duel, DuelBoard};
use games::mnk::Mnk;
use games::stones::Stones;
use games::{Outcome, Seat};
use players::{PlayerFactory, Roster};

/// A game that bots can play, and what an arena needs to know of it besides its rules.
pub trait BotGame: Roster {
    /// What its bots speak; the first where nothing else is asked for.
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Text];

    /// How long its bots may think, where nothing else is said.
    fn pace(&self) -> TimeControl {
        TimeControl::of_milliseconds(5000, 1000)
    }

    /// A language, fresh for one process. It is one of [`BotGame::PROTOCOLS`].
    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>>;
}

/// How a game is told to a bot and how its answers are read: one for each process.
///
/// A language knows no clock and no process. It speaks through a [`LineTransport`], which has the
/// deadline, and passes on the faults that come from there.
pub trait Language<G: BotGame>: Send {
    /// Greets a process that has just been started, and learns what it can.
    ///
    /// # Errors
    /// It does not greet back as it should.
    fn greet(&mut self, game: &G, talk: &mut dyn LineTransport) -> Result<(), Fault>;

    /// Tells it that a game begins in this position, which an opening may have led to.
    ///
    /// # Errors
    /// It does not take it.
    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        setting: &Setting,
        talk: &mut dyn LineTransport,
    ) -> Result<(), Fault>;

    /// Tells it the position, in which its seat is to move, and reads its move. Between two
    /// calls the other seat has moved, or both have.
    ///
    /// # Errors
    /// What it answers is no legal move, or nothing.
    fn ask(
        &mut self,
        game: &G,
        state: &G::State,
        talk: &mut dyn LineTransport,
    ) -> Result<G::Move, Fault>;

    /// Tells it that the game has ended, if that is told at all; whether the process can
    /// play another game.
    fn end(
        &mut self,
        game: &G,
        state: &G::State,
        outcome: Outcome,
        talk: &mut dyn LineTransport,
    ) -> bool;
}

/// What a bot is told of a game besides the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where it sits.
    pub seat: Seat,
    /// A seed for its chance, if it wants one.
    pub seed: u64,
    /// How long it may think.
    pub pace: TimeControl,
}

/// Lines to a bot and from it. Whoever gives it to a [`Language`] has set a deadline, and
/// every fault that comes of the process (late, crashed, flood, ...) comes from here.
pub trait LineTransport {
    /// Tells it some lines, each with its line feed.
    ///
    /// # Errors
    /// It has ended, closed its input, or does not read.
    fn say(&mut self, lines: &str) -> Result<(), Fault>;

    /// Its next line, without line feed and carriage return.
    ///
    /// # Errors
    /// There is none in time.
    fn hear(&mut self) -> Result<String, Fault>;

    /// Keeps a line that is no answer where its complaints are kept.
    fn remark(&mut self, line: &str) {
        let _ = line;
    }

    /// Keeps a word about it for the record: its name, its version.
    fn note(&mut self, key: &str, value: &str);
}

impl<const WORDS: usize> BotGame for Mnk<WORDS>
where
    Mnk<WORDS>: PlayerFactory,
{
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Gomocup, Protocol::Text];

    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>> {
        match protocol {
            Protocol::Gomocup => Box::new(GomocupLanguage::default()),
            _ => Box::new(TextLanguage::new()),
        }
    }
}

impl<B: DuelBoard> BotGame for Duel<B>
where
    Duel<B>: PlayerFactory,
{
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Contest, Protocol::Text];

    /// The contest's: a second for the first turn, then 50 ms.
    fn pace(&self) -> TimeControl {
        TimeControl::of_milliseconds(1000, 50)
    }

    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>> {
        match protocol {
            Protocol::Contest => Box::new(ContestLanguage::new()),
            _ => Box::new(TextLanguage::new()),
        }
    }
}

impl BotGame for Stones {
    fn language(&self, _: Protocol) -> Box<dyn Language<Self>> {
        Box::new(TextLanguage::new())
    }
}
