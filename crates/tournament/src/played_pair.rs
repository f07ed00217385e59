//! A pair of games that a tournament has played.

use arena::GamePairing;
use matches::Record;
use std::time::{Duration, SystemTime};

/// A played pair of games.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedPair {
    /// The numbers of those who met; the first had the first seat in the first game.
    pub players: [usize; 2],
    /// The number of the pair among theirs, and where its chance came from.
    pub pairing: GamePairing,
    /// Both games.
    pub records: Vec<Record>,
    /// When the first game began.
    pub started: SystemTime,
    /// How long both took.
    pub spent: Duration,
}
