//! Elo difference with an error. The scale is that of A. E. Elo, "The rating of chessplayers, past
//! and present" (1978); the error comes from pairs of games, which is our own method.

/// Elo's scale: 400 points for odds of ten to one.
const SCALE: f64 = 400.0;

/// A difference in strength on Elo's scale, from the pairs of a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; `None` where all points or none were won (it is infinite) and where
    /// there are no pairs.
    pub difference: Option<f64>,
    /// Half the width of the 95 % confidence interval.
    pub error: Option<f64>,
    /// The 95 % confidence interval of the share of points: it exists where the difference does
    /// not.
    pub share: (f64, f64),
}

impl Elo {
    /// Standard deviations to either side that hold 95 % of a normal distribution.
    pub const Z_95: f64 = 1.959_963_984_540_054;

    /// Computes it from the numbers of pairs that gave 0 to 4 half points.
    ///
    /// A pair's games share an opening, so they are not independent; pairs are, and the
    /// variance of their results gives the error. One maximally uneven pair is added to the
    /// variance, so that a few equal results do not pass for certainty. The interval of the
    /// share is Wilson's (1927) for the number of observations that has this variance; the
    /// error of the difference follows from the slope of Elo's curve.
    ///
    /// ```
    /// use matches::Elo;
    ///
    /// // of 60 pairs 10 were lost, 30 even, 20 won: 58 % of the points
    /// let elo = Elo::from_pairs(&[10, 0, 30, 0, 20]);
    /// assert_eq!(elo.to_string(), "+58 ± 63");
    /// assert_eq!(Elo::from_pairs(&[0, 0, 0, 0, 9]).difference, None, "all were won");
    /// ```
    #[must_use]
    pub fn from_pairs(pairs: &[u64; 5]) -> Self {
        let count: u64 = pairs.iter().sum();
        if count == 0 {
            return Self {
                difference: None,
                error: None,
                share: (0.0, 1.0),
            };
        }
        let n = count as f64;
        let share_of_points = |i: usize| i as f64 / 4.0;
        let mean = (0..5)
            .map(|i| pairs[i] as f64 * share_of_points(i))
            .sum::<f64>()
            / n;
        let squares = (0..5).map(|i| pairs[i] as f64 * (share_of_points(i) - mean).powi(2));
        let variance = (squares.sum::<f64>() + 0.25) / (n + 1.0);
        let error = (variance / n).sqrt();

        // Bernoulli trials with this mean and variance: at least as many as there are pairs
        let trials = (mean * (1.0 - mean) / (error * error)).max(n);
        let z2 = Self::Z_95 * Self::Z_95;
        let centre = (mean + z2 / (2.0 * trials)) / (1.0 + z2 / trials);
        let spread = mean * (1.0 - mean) / trials + z2 / (4.0 * trials * trials);
        let half = Self::Z_95 * spread.sqrt() / (1.0 + z2 / trials);
        let share = ((centre - half).max(0.0), (centre + half).min(1.0));

        let has_difference = mean > 0.0 && mean < 1.0;
        let slope = SCALE / std::f64::consts::LN_10 / (mean * (1.0 - mean));
        Self {
            difference: has_difference.then(|| Self::difference_for(mean)),
            error: has_difference.then_some(Self::Z_95 * error * slope),
            share,
        }
    }

    /// The difference for a share of the points between 0 and 1, exclusive.
    #[must_use]
    pub fn difference_for(share: f64) -> f64 {
        SCALE * (share / (1.0 - share)).log10()
    }

    /// The expected share of the points for a difference.
    #[must_use]
    pub fn expected_share(difference: f64) -> f64 {
        1.0 / (1.0 + 10f64.powf(-difference / SCALE))
    }
}

impl std::fmt::Display for Elo {
    /// `+35 ± 12`, or a bound where all points were won or lost: `more than +442`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (low, high) = self.share;
        match (self.difference, self.error) {
            (Some(difference), Some(error)) if error < 9.95 => {
                write!(f, "{difference:+.1} ± {error:.1}")
            }
            (Some(difference), Some(error)) => write!(f, "{difference:+.0} ± {error:.0}"),
            _ if low > 0.0 => write!(f, "more than {:+.0}", Self::difference_for(low)),
            _ if high < 1.0 => write!(f, "less than {:+.0}", Self::difference_for(high)),
            _ => f.pad("not known"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    #[test]
    fn known_shares_have_known_differences() {
        for (share, elo) in [(0.5, 0.0), (10.0 / 11.0, 400.0), (0.75, 190.848_5)] {
            assert!((Elo::difference_for(share) - elo).abs() < 1e-3, "{share}");
            assert!((Elo::expected_share(elo) - share).abs() < 1e-6, "{elo}");
        }
    }

    #[test]
    fn an_even_match_is_even_and_uncertain() {
        let elo = Elo::from_pairs(&[25, 0, 50, 0, 25]);
        assert_eq!(elo.difference, Some(0.0));
        let error = elo.error.unwrap();
        // the pairs' variance is 1/8, near enough: 1.96 * sqrt(1/8/100) * 695 = 48
        assert!((47.0..51.0).contains(&error), "{error}");
    }

    #[test]
    fn all_points_give_a_bound_and_no_difference() {
        let elo = Elo::from_pairs(&[0, 0, 0, 0, 200]);
        assert_eq!((elo.difference, elo.error), (None, None));
        assert!(elo.share.0 > 0.97 && elo.share.0 < 1.0, "{:?}", elo.share);
        assert!(elo.to_string().starts_with("more than +6"), "{elo}");
        assert!(
            Elo::from_pairs(&[9, 0, 0, 0, 0])
                .to_string()
                .starts_with("less than -")
        );
        assert_eq!(Elo::from_pairs(&[0; 5]).to_string(), "not known");
    }

    #[test]
    fn a_small_error_has_a_decimal() {
        assert_eq!(
            Elo::from_pairs(&[0, 0, 2500, 0, 0]).to_string(),
            "+0.0 ± 0.3"
        );
        assert_eq!(
            Elo::from_pairs(&[10, 10, 20, 10, 10]).to_string(),
            "+0 ± 57"
        );
    }

    /// Simulated matches between players of a known difference: the interval holds it in
    /// 95 of 100, within sampling error.
    #[test]
    fn the_interval_covers_the_truth_as_often_as_it_says() {
        for (wins, draws) in [(0.5, 0.2), (0.7, 0.1), (0.3, 0.0), (0.05, 0.9)] {
            let truth = wins + draws / 2.0;
            let mut dice = Dice::new(5);
            let mut covered = [0, 0];
            for _ in 0..1000 {
                let mut pairs = [0u64; 5];
                for _ in 0..100 {
                    let game = |dice: &mut Dice| match dice.unit() {
                        x if x < wins => 2,
                        x if x < wins + draws => 1,
                        _ => 0,
                    };
                    pairs[game(&mut dice) + game(&mut dice)] += 1;
                }
                let elo = Elo::from_pairs(&pairs);
                let (difference, error) = (elo.difference.unwrap(), elo.error.unwrap());
                let off = (difference - Elo::difference_for(truth)).abs();
                covered[0] += u32::from(off <= error);
                covered[1] += u32::from(elo.share.0 <= truth && truth <= elo.share.1);
            }
            for covered in covered {
                assert!((930..=985).contains(&covered), "{wins} {draws}: {covered}");
            }
        }
    }
}
