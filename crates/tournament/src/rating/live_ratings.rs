//! Ratings that are updated after every game.

use games::{Outcome, Seat};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin};

/// Glicko-2 and Weng-Lin ratings of all players, updated game by game.
///
/// They are for live display, for players whose strength changes (a league that runs for
/// months, bots under development), and for comparison with sites that use them. They depend on
/// the order of the games, and their deviations assume that the games of a pair are
/// independent; a tournament's final ratings come from [`super::BradleyTerryFit`].
///
/// Both come from the `skillratings` crate. **Glicko-2** (Glickman, 2012): starts at 1500
/// with a deviation of 350 and a volatility of 0.06, τ is 0.5, and each game is a rating
/// period of its own. **Weng-Lin** (Weng and Lin, 2011, the Bradley-Terry form): starts at
/// 25 with a deviation of 25/3, β is 25/6. Neither knows seats.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveRatings {
    glicko: Vec<Glicko2Rating>,
    weng_lin: Vec<WengLinRating>,
}

/// A live rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingEstimate {
    /// On the scale of its method.
    pub rating: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

impl LiveRatings {
    /// Ratings of `players` new players.
    ///
    /// ```
    /// let live = tournament::rating::LiveRatings::new(2);
    /// assert_eq!((live.glicko(0).rating, live.weng_lin(0).rating), (1500.0, 25.0));
    /// ```
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self {
            glicko: vec![Glicko2Rating::new(); players],
            weng_lin: vec![WengLinRating::new(); players],
        }
    }

    /// Updates the ratings with a game; `seated` are the numbers of the players in the first
    /// and the second seat. Unknown numbers, and all lower ones, are added as new players.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    ///
    /// let mut live = tournament::rating::LiveRatings::new(2);
    /// live.add_game([0, 1], Outcome::Win(Seat::First));
    /// assert!(live.glicko(0).rating > live.glicko(1).rating);
    /// assert!(live.glicko(0).deviation < 350.0);
    /// ```
    pub fn add_game(&mut self, seated: [usize; 2], outcome: Outcome) {
        let [a, b] = seated;
        let players = self.glicko.len().max(a + 1).max(b + 1);
        self.glicko.resize(players, Glicko2Rating::new());
        self.weng_lin.resize(players, WengLinRating::new());
        let outcome = match outcome {
            Outcome::Win(Seat::First) => Outcomes::WIN,
            Outcome::Win(Seat::Second) => Outcomes::LOSS,
            Outcome::Draw => Outcomes::DRAW,
        };
        let tau = Glicko2Config {
            tau: 0.5,
            ..Glicko2Config::new()
        };
        (self.glicko[a], self.glicko[b]) =
            glicko2(&self.glicko[a], &self.glicko[b], &outcome, &tau);
        let beta = WengLinConfig {
            beta: 25.0 / 6.0,
            ..WengLinConfig::new()
        };
        (self.weng_lin[a], self.weng_lin[b]) =
            weng_lin(&self.weng_lin[a], &self.weng_lin[b], &outcome, &beta);
    }

    /// A player's Glicko-2 rating; that of a new player for an unknown number.
    ///
    /// ```
    /// let newcomer = tournament::rating::LiveRatings::new(0).glicko(7);
    /// assert_eq!((newcomer.rating, newcomer.deviation), (1500.0, 350.0));
    /// ```
    #[must_use]
    pub fn glicko(&self, player: usize) -> RatingEstimate {
        let rating = self.glicko.get(player).copied().unwrap_or_default();
        RatingEstimate {
            rating: rating.rating,
            deviation: rating.deviation,
        }
    }

    /// A player's Weng-Lin rating; that of a new player for an unknown number.
    ///
    /// ```
    /// let newcomer = tournament::rating::LiveRatings::new(0).weng_lin(7);
    /// assert_eq!((newcomer.rating, newcomer.deviation), (25.0, 25.0 / 3.0));
    /// ```
    #[must_use]
    pub fn weng_lin(&self, player: usize) -> RatingEstimate {
        let rating = self.weng_lin.get(player).copied().unwrap_or_default();
        RatingEstimate {
            rating: rating.rating,
            deviation: rating.uncertainty,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_follow_the_results() {
        let mut live = LiveRatings::new(2);
        for _ in 0..30 {
            live.add_game([0, 1], Outcome::Win(Seat::First));
            live.add_game([1, 0], Outcome::Win(Seat::Second));
        }
        let (strong, weak) = (live.glicko(0), live.glicko(1));
        assert!(
            strong.rating > 1700.0 && weak.rating < 1300.0,
            "{strong:?} {weak:?}"
        );
        assert!(strong.deviation < 200.0, "{strong:?}");
        let (strong, weak) = (live.weng_lin(0), live.weng_lin(1));
        assert!(
            strong.rating > 30.0 && weak.rating < 20.0,
            "{strong:?} {weak:?}"
        );
        assert!(strong.deviation < 6.0, "{strong:?}");
    }

    #[test]
    fn a_draw_between_equals_changes_certainty_only() {
        let mut live = LiveRatings::new(0);
        live.add_game([2, 0], Outcome::Draw);
        for player in [0, 2] {
            assert_eq!(live.glicko(player).rating, 1500.0);
            assert!(live.glicko(player).deviation < 350.0);
            assert_eq!(live.weng_lin(player).rating, 25.0);
            assert!(live.weng_lin(player).deviation < 25.0 / 3.0);
        }
        for unknown in [1, 77] {
            assert_eq!(live.glicko(unknown).deviation, 350.0);
            assert_eq!(live.weng_lin(unknown).deviation, 25.0 / 3.0);
        }
    }
}
