//! A bot at the board: its process, and the language that it speaks.

use super::{BotSpec, BotSpecError, Protocol};
use crate::{Aftermath, Conditions, Fault, Pace, Reply, Side};
use games::duel::{Board, Duel};
use games::mnk::Mnk;
use games::stones::Stones;
use games::{Outcome, Seat};
use players::{Roster, Watch};

/// A game that bots can play, and what an arena needs to know of it besides its rules.
pub trait Hosted: Roster {
    /// What its bots speak; the first where nothing else is asked for.
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Text];

    /// How long its bots may think, where nothing else is said.
    fn pace(&self) -> Pace {
        Pace::of_milliseconds(5000, 1000)
    }

    /// A language, fresh for one process. It is one of [`Hosted::PROTOCOLS`].
    fn language(&self, protocol: Protocol) -> Box<dyn Language<Self>>;
}

/// How a game is told to a bot and how its answers are read: one for each process.
pub trait Language<G: Hosted>: Send {}

impl<const WORDS: usize> Hosted for Mnk<WORDS> {
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Gomocup, Protocol::Text];

    fn language(&self, _: Protocol) -> Box<dyn Language<Self>> {
        Box::new(Mute)
    }
}

impl<B: Board> Hosted for Duel<B> {
    const PROTOCOLS: &'static [Protocol] = &[Protocol::Contest, Protocol::Text];

    /// The contest's: a second for the first turn, then 50 ms.
    fn pace(&self) -> Pace {
        Pace::of_milliseconds(1000, 50)
    }

    fn language(&self, _: Protocol) -> Box<dyn Language<Self>> {
        Box::new(Mute)
    }
}

impl Hosted for Stones {
    fn language(&self, _: Protocol) -> Box<dyn Language<Self>> {
        Box::new(Mute)
    }
}

struct Mute;

impl<G: Hosted> Language<G> for Mute {}

/// A bot at the board.
#[derive(Debug)]
pub struct Bot {
    spec: BotSpec,
}

impl BotSpec {
    /// A side of this bot. Its process starts with its first game.
    ///
    /// # Errors
    /// Bots of this game do not speak its protocol.
    pub fn open<G: Hosted>(&self, game: &G, _: &Conditions) -> Result<Bot, BotSpecError> {
        let protocol = self.protocol.unwrap_or(G::PROTOCOLS[0]);
        if !G::PROTOCOLS.contains(&protocol) {
            let known: Vec<_> = G::PROTOCOLS.iter().map(|p| p.name()).collect();
            return Err(BotSpecError::Protocol {
                game: game.name(),
                known: known.join(" and "),
                protocol,
            });
        }
        Ok(Bot { spec: self.clone() })
    }
}

impl<G: Hosted> Side<G> for Bot {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn begin(&mut self, _: &G, _: &G::State, _: Seat, _: u64) -> Result<(), Fault> {
        Err(Fault::NotStarted("bots come later".into()))
    }

    fn think(
        &mut self,
        _: &G,
        _: &G::State,
        _: Seat,
        _: &mut dyn Watch<G::Move>,
    ) -> Reply<G::Move> {
        Reply {
            thought: Err(Fault::Closed),
            spent: std::time::Duration::ZERO,
        }
    }

    fn end(&mut self, _: &G, _: &G::State, _: Outcome) -> Aftermath {
        Aftermath::default()
    }
}
