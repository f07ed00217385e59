//! The added-up results of a match.

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

/// The results of a match so far. Addition is commutative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The score of the match's first player, in either seat.
    pub score: Score,
    /// Number of games won by each seat.
    pub seat_wins: [u64; 2],
    /// Pairs of games by the first player's half points in both, from 0 to 4.
    pub pairs: [u64; 5],
    /// Total thinking time of each player.
    pub time: [Duration; 2],
    /// Longest thinking time of each player for one move.
    pub slowest: [Duration; 2],
    /// Number of moves of each player.
    pub moves: [u64; 2],
    /// Number of games each player lost by a fault, or would have lost if the other had none.
    pub faults: [u64; 2],
}

impl Tally {
    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.score.wins + self.score.draws + self.score.losses
    }

    /// The first player's share of the points, from 0 to 1; `None` before the first game.
    ///
    /// ```
    /// use matches::{Score, Tally};
    ///
    /// let tally = Tally { score: Score { wins: 1, draws: 2, losses: 1 }, ..Tally::default() };
    /// assert_eq!(tally.share(), Some(0.5));
    /// assert_eq!(Tally::default().share(), None);
    /// ```
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        let games = self.games();
        let points = self.score.wins as f64 + self.score.draws as f64 / 2.0;
        (games > 0).then(|| points / games as f64)
    }

    /// The first player's Elo difference.
    #[must_use]
    pub fn elo(&self) -> Elo {
        Elo::from_pairs(&self.pairs)
    }

    /// Mean number of moves per game, without the opening; 0 before the first game.
    ///
    /// ```
    /// use matches::{Score, Tally};
    ///
    /// let score = Score { wins: 2, ..Score::default() };
    /// assert_eq!(Tally { score, moves: [6, 5], ..Tally::default() }.mean_plies(), 5.5);
    /// ```
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        let plies: u64 = self.moves.iter().sum();
        plies as f64 / self.games().max(1) as f64
    }

    /// Adds a game in which the first player had `seat`; returns its half points.
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
