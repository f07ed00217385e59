//! A stored game: everything needed to show and replay it.

use crate::{Ending, ProcessReport};
use games::Outcome;
use std::time::Duration;

/// One game as text, independent of the game's types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The game with its options, as [`games::AnyGame`] reads it.
    pub game: String,
    /// The players of the first and the second seat, as text: `mcts:ms=50`, or a bot's command.
    pub players: [String; 2],
    /// The seed of the match or tournament.
    pub seed: u64,
    /// The number of the opening, from 0. Together with the seed it determines the opening.
    pub pair: u64,
    /// The random turns of the opening, as in [`RecordedTurn::text`].
    pub opening: Vec<String>,
    /// The turns after the opening.
    pub turns: Vec<RecordedTurn>,
    /// The outcome. For an unfinished game this is `Draw`, which means nothing: see
    /// [`Record::result`].
    pub outcome: Outcome,
    /// How it ended.
    pub ending: Ending,
    /// [`games::Game::hash`] of the last position.
    pub hash: u64,
    /// Each seat's report.
    pub reports: [ProcessReport; 2],
}

impl Record {
    /// The outcome; `None` for an unfinished game.
    #[must_use]
    pub fn result(&self) -> Option<Outcome> {
        (self.ending != Ending::Unfinished).then_some(self.outcome)
    }
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTurn {
    /// The move, `d4`; both seats' moves separated by a slash, `00110/10000`, where both move
    /// simultaneously, each in its seat's notation.
    pub text: String,
    /// Thinking time of each seat in whole microseconds; `None` for a seat that was not to move
    /// or was not timed.
    pub spent: [Option<Duration>; 2],
}
