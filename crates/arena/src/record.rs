//! A game as it is kept: everything that is needed to show it and to play it again.

use crate::replay::{CheckError, ReplayPart, step};
use crate::{Ending, ProcessReport};
use games::{AnyGame, Game, Outcome, with_game};
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
    /// The random turns that it began with, as [`RecordedTurn::text`] has them.
    pub opening: Vec<String>,
    /// What was played then.
    pub turns: Vec<RecordedTurn>,
    /// Who won. A game that was not finished says `Draw` here, which means nothing: see
    /// [`Record::result`].
    pub outcome: Outcome,
    /// How it came to its end.
    pub ending: Ending,
    /// [`games::Game::hash`] of the last position.
    pub hash: u64,
    /// What is known of each seat's player after the game.
    pub aftermath: [ProcessReport; 2],
}

impl Record {
    /// A game that people sat at ([`crate::Table`]): its name, who sat there, the turns that
    /// it began with and those that were played then, with their times. It is played again
    /// for its last position and, where the rules decide, for who has won. It has no seed and
    /// no pair: both are 0.
    ///
    /// # Errors
    /// There is no such game, a turn cannot be played, or the end does not fit the last
    /// position: said to be by the rules, and they let it go on.
    pub fn of_table(
        game: String,
        players: [String; 2],
        opening: Vec<String>,
        turns: Vec<RecordedTurn>,
        ending: Ending,
    ) -> Result<Self, CheckError> {
        let rules: AnyGame = game.parse().map_err(|error| CheckError {
            place: ReplayPart::Game,
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
            aftermath: Default::default(),
        };
        with_game!(&rules, |game| record.played(game))?;
        Ok(record)
    }

    /// Fills in what comes of the turns.
    fn played<G: Game>(&mut self, game: &G) -> Result<(), CheckError> {
        let mut state = game.start();
        for (i, text) in self.opening.iter().enumerate() {
            step(game, &mut state, text, ReplayPart::Opening(i))?;
        }
        for (i, turn) in self.turns.iter().enumerate() {
            step(game, &mut state, &turn.text, ReplayPart::Turn(i))?;
        }
        self.hash = game.hash(&state);
        self.outcome = match crate::replay::come_to(game, &state, self)? {
            Some(outcome) => outcome,
            None => Outcome::Draw,
        };
        Ok(())
    }

    /// Who won, or that it was a draw; `None` for a game that was not finished.
    #[must_use]
    pub fn result(&self) -> Option<Outcome> {
        (self.ending != Ending::Unfinished).then_some(self.outcome)
    }
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTurn {
    /// The move, `d4`; both seats' with a stroke between them, `00110/10000`, where both
    /// move at once. Each seat's move is as that seat writes it.
    pub text: String,
    /// How long each seat thought, in whole microseconds; `None` for a seat that was not
    /// asked, or whose moves are too quick to be timed one by one.
    pub spent: [Option<Duration>; 2],
}
