//! A stored game: everything needed to show and replay it.

use crate::replay::{CheckError, ReplayPart, play_turn};
use crate::{Ending, ProcessReport};
use games::{AnyGame, Game, Outcome, with_game};
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
    /// The record of a [`crate::Table`]'s game: its name, players, opening and turns with their
    /// times. It is replayed to compute the last position and, where the rules decide, the
    /// outcome. Seed and pair are 0.
    ///
    /// # Errors
    /// There is no such game, a turn cannot be played, or the ending contradicts the last
    /// position.
    pub fn from_table(
        game: String,
        players: [String; 2],
        opening: Vec<String>,
        turns: Vec<RecordedTurn>,
        ending: Ending,
    ) -> Result<Self, CheckError> {
        let rules: AnyGame = game.parse().map_err(|error| CheckError {
            part: ReplayPart::Game,
            problem: crate::replay::CheckProblem::Game(error),
        })?;
        let mut record = Self {
            game,
            players,
            seed: 0,
            pair: 0,
            opening,
            turns,
            outcome: Outcome::Draw,
            ending,
            hash: 0,
            reports: Default::default(),
        };
        with_game!(&rules, |game| record.compute_end(game))?;
        Ok(record)
    }

    /// Computes hash and outcome from the turns.
    fn compute_end<G: Game>(&mut self, game: &G) -> Result<(), CheckError> {
        let mut state = game.start();
        for (i, text) in self.opening.iter().enumerate() {
            play_turn(game, &mut state, text, ReplayPart::Opening(i))?;
        }
        for (i, turn) in self.turns.iter().enumerate() {
            play_turn(game, &mut state, &turn.text, ReplayPart::Turn(i))?;
        }
        self.hash = game.hash(&state);
        self.outcome = match crate::replay::compute_outcome(game, &state, self)? {
            Some(outcome) => outcome,
            None => Outcome::Draw,
        };
        Ok(())
    }

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
