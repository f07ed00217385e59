//! The results of two players against each other.

use games::{Outcome, Seat};
use matches::Score;

/// The pairs of games of two players, counted by result.
///
/// A pair is one opening played twice with the seats exchanged; nine counters hold any number
/// of them, without their order. Several meetings of the same two players can be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The players' numbers, from 0; two different ones.
    pub players: [usize; 2],
    /// Number of pairs by the half points (0 to 2) of the first of [`Meeting::players`]: in the
    /// game where it had the first seat, and in the game where it had the second.
    pub pairs: [[u64; 3]; 3],
}

impl Meeting {
    /// A meeting without games.
    ///
    /// ```
    /// let meeting = tournament::rating::Meeting::between([3, 5]);
    /// assert_eq!((meeting.players, meeting.count()), ([3, 5], 0));
    /// ```
    #[must_use]
    pub fn between(players: [usize; 2]) -> Self {
        Self {
            players,
            pairs: [[0; 3]; 3],
        }
    }

    /// Counts a pair: the outcome of the game in which the first of [`Meeting::players`] sat
    /// in the first seat, and that of the game in which it sat in the second.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::Meeting;
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// assert_eq!(meeting.pairs[2][1], 1, "two half points and one");
    /// ```
    pub fn add(&mut self, outcomes: [Outcome; 2]) {
        let [first, second] = outcomes;
        let first = first.half_points(Seat::First) as usize;
        let second = second.half_points(Seat::Second) as usize;
        self.pairs[first][second] += 1;
    }

    /// Number of pairs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.pairs.iter().flatten().sum()
    }

    /// Pairs by the first player's half points in both games, from 0 to 4: what
    /// [`matches::Elo::from_pairs`] takes.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::Meeting;
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// assert_eq!(meeting.by_points(), [0, 0, 0, 1, 0]);
    /// ```
    #[must_use]
    pub fn by_points(&self) -> [u64; 5] {
        let mut pairs = [0; 5];
        for (first, seconds) in self.pairs.iter().enumerate() {
            for (second, count) in seconds.iter().enumerate() {
                pairs[first + second] += count;
            }
        }
        pairs
    }

    /// Wins, draws and losses of the first player.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::Meeting;
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// let score = meeting.score();
    /// assert_eq!((score.wins, score.draws, score.losses), (1, 1, 0));
    /// ```
    #[must_use]
    pub fn score(&self) -> Score {
        let by = |half_points: usize| {
            let first: u64 = self.pairs[half_points].iter().sum();
            let second: u64 = self.pairs.iter().map(|row| row[half_points]).sum();
            first + second
        };
        Score {
            wins: by(2),
            draws: by(1),
            losses: by(0),
        }
    }

    /// The same from the other player's view.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use tournament::rating::Meeting;
    ///
    /// let mut meeting = Meeting::between([0, 1]);
    /// meeting.add([Outcome::Win(Seat::First), Outcome::Draw]);
    /// let reversed = meeting.reversed();
    /// assert_eq!((reversed.players, reversed.score().losses), ([1, 0], 1));
    /// ```
    #[must_use]
    pub fn reversed(&self) -> Self {
        let [a, b] = self.players;
        let mut reversed = Self::between([b, a]);
        for (first, seconds) in self.pairs.iter().enumerate() {
            for (second, count) in seconds.iter().enumerate() {
                reversed.pairs[2 - second][2 - first] += count;
            }
        }
        reversed
    }
}

impl std::ops::AddAssign<&Self> for Meeting {
    /// Adds pairs of the same two players, named in the same order.
    fn add_assign(&mut self, other: &Self) {
        debug_assert_eq!(self.players, other.players, "these are other players");
        for (all, more) in self.pairs.iter_mut().zip(other.pairs) {
            for (all, more) in all.iter_mut().zip(more) {
                *all += more;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_views_of_a_meeting_agree() {
        let mut meeting = Meeting::between([3, 1]);
        let (first, second) = (Outcome::Win(Seat::First), Outcome::Win(Seat::Second));
        meeting.add([first, second]); // player 3 wins both
        meeting.add([first, first]); // the first seat wins both
        meeting.add([Outcome::Draw, second]); // a draw, and a win of player 3
        assert_eq!(meeting.by_points(), [0, 0, 1, 1, 1]);
        let score = meeting.score();
        assert_eq!((score.wins, score.draws, score.losses), (4, 1, 1));

        let reversed = meeting.reversed();
        assert_eq!(reversed.players, [1, 3]);
        assert_eq!(reversed.by_points(), [1, 1, 1, 0, 0]);
        // the first seat's wins are the same games, from either view
        assert_eq!(reversed.pairs[2][0], 1);
        // the game that player 1 began was lost, that which it did not begin was drawn
        assert_eq!(reversed.pairs[0][1], 1);
        assert_eq!(reversed.reversed(), meeting);
        assert_eq!(meeting.count(), 3);
    }
}
