//! What came of a match's games, added up.

use crate::Elo;
use games::{Outcome, Seat};
use std::time::Duration;

/// Wins, draws and losses of the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    fn count(&mut self, half_points: u32) {
        match half_points {
            2 => self.wins += 1,
            1 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// The results of a match so far. Adding two gives those of both, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Of the match's first player, in whichever seat.
    pub score: Score,
    /// How many games each seat has won.
    pub seat_wins: [u64; 2],
    /// Pairs of games by the first player's half points in both, from 0 to 4.
    pub pairs: [u64; 5],
    /// How long each player thought, all in all.
    pub time: [Duration; 2],
    /// The longest that each player thought about one move.
    pub slowest: [Duration; 2],
    /// How many moves each player made.
    pub moves: [u64; 2],
    /// How many games each player lost by a fault, or would have lost if the other had not
    /// had one too.
    pub faults: [u64; 2],
}

impl Tally {
    /// How many games there were.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.score.wins + self.score.draws + self.score.losses
    }

    /// The first player's share of the points, from 0 to 1; `None` before the first game.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let games = self.games();
        let points = self.score.wins as f64 + self.score.draws as f64 / 2.0;
        (games > 0).then(|| points / games as f64)
    }

    /// How much stronger the first player is.
    #[must_use]
    pub fn elo(&self) -> Elo {
        Elo::of_pairs(&self.pairs)
    }

    /// The players' moves in a game, on average, without those of the opening; 0 before the
    /// first game.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        let plies: u64 = self.moves.iter().sum();
        plies as f64 / self.games().max(1) as f64
    }

    /// Adds a game in which the first player sat in `seat`; gives its half points.
    pub(crate) fn count(&mut self, outcome: Outcome, seat: Seat) -> u32 {
        let half_points = outcome.half_points(seat);
        self.score.count(half_points);
        if let Outcome::Win(winner) = outcome {
            self.seat_wins[winner.index()] += 1;
        }
        half_points
    }
}

impl std::ops::AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.score.wins += other.score.wins;
        self.score.draws += other.score.draws;
        self.score.losses += other.score.losses;
        for i in 0..2 {
            self.seat_wins[i] += other.seat_wins[i];
            self.time[i] += other.time[i];
            self.slowest[i] = self.slowest[i].max(other.slowest[i]);
            self.moves[i] += other.moves[i];
            self.faults[i] += other.faults[i];
        }
        for (all, more) in self.pairs.iter_mut().zip(other.pairs) {
            *all += more;
        }
    }
}
