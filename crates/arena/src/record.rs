//! A game as it is kept: everything that is needed to show it and to play it again.

use crate::{Aftermath, Ending};
use games::Outcome;
use std::time::Duration;

/// One game that was played, in words that no game's types are needed for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game with its options, as [`games::AnyGame`] reads it.
    pub game: String,
    /// Who sat in the first seat and who in the second, as [`crate::Entrant`] reads them.
    pub players: [String; 2],
    /// The seed of the match or tournament.
    pub seed: u64,
    /// The number of the opening, from 0. With the seed it says what the opening was.
    pub pair: u64,
    /// The random turns that it began with, as [`Turned::text`] has them.
    pub opening: Vec<String>,
    /// What was played then.
    pub turns: Vec<Turned>,
    /// Who won.
    pub outcome: Outcome,
    /// How it came to its end.
    pub ending: Ending,
    /// [`games::Game::hash`] of the last position.
    pub hash: u64,
    /// What is known of each seat's player after the game.
    pub aftermath: [Aftermath; 2],
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turned {
    /// The move, `d4`; both seats' with a stroke between them, `00110/10000`, where both
    /// move at once. Each seat's move is as that seat writes it.
    pub text: String,
    /// How long each seat thought, in whole microseconds; `None` for a seat that was not
    /// asked, or whose moves are too quick to be timed one by one.
    pub spent: [Option<Duration>; 2],
}
