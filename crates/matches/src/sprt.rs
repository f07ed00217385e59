//! Sequential probability ratio test: is one player better than another by a given difference?
//! Evaluated after every pair of games, it stops as soon as the result is significant.

use crate::Elo;
use std::fmt;

/// Pseudo-count added to each result, so that no result has probability 0 because it has not
/// been seen yet.
const PSEUDO_COUNT: f64 = 1e-3;

/// A sequential probability ratio test over pairs of games (Wald, 1945).
///
/// Two hypotheses about the difference in strength on Elo's scale: H0 says that it is
/// `elo0`, H1 that it is `elo1`. After each pair the log-likelihood ratio of the two is
/// looked at; the test ends when it leaves the interval from `ln(β / (1 - α))` to
/// `ln((1 - β) / α)`. Where H0 is true (or the difference is smaller still), H1 is accepted
/// in at most a share of about `α` of all tests; where H1 is true (or the difference is
/// larger), H0 is accepted in at most about `β`. In between, either may be.
///
/// **The model.** A pair gives 0 to 4 half points with five probabilities of which nothing
/// is assumed: not how often games are drawn, not that the games of a pair are independent.
/// Each hypothesis says only what the expected share of the points is,
/// `1 / (1 + 10^(-elo/400))`, and is given the most likely probabilities with that
/// expectation (Owen's empirical likelihood, 1988). Their ratio is that of a generalised
/// test, as Van den Bergh worked it out in "The generalized maximum likelihood ratio for the
/// expectation value of a distribution" and as chess programs are tested.
///
/// **Its limits.** α and β are met nearly and not exactly, for three reasons. The ratio
/// jumps over a bound instead of meeting it, which makes the true rates smaller: most so
/// where a single pair weighs much, in tests with hundreds of points between the hypotheses.
/// The five probabilities have to be estimated, which makes the rates a little larger: of
/// 4000 simulated tests each, with differences of 30 to 200 between the hypotheses, few to
/// many draws, and pairs whose games agree or oppose each other, at most 5.6 % erred where
/// 5 % were allowed. And pairs must be independent of each other: two players who play the
/// same game after every opening give a ratio without meaning.
///
/// ```
/// use matches::{Sprt, SprtVerdict};
/// let test = Sprt::new(0.0, 10.0, 0.05, 0.05)?;
/// // pairs by the first player's half points, 0 to 4
/// let state = test.state(&[50, 220, 700, 300, 90]);
/// assert_eq!(state.verdict, Some(SprtVerdict::H1));
/// # Ok::<(), matches::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// Why a test cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are not in order.
    #[error("elo0 is {elo0} and elo1 is {elo1}: elo0 must be the smaller")]
    Hypotheses {
        /// That of H0.
        elo0: f64,
        /// That of H1.
        elo1: f64,
    },
    /// The difference is too large to be distinguished from winning every game.
    #[error("a difference of {0} is more than games can show: at most {MAX_ELO}")]
    TooLarge(f64),
    /// An error rate is out of range.
    #[error("{name} is {rate}: it must lie between 0 and 0.5")]
    Rate {
        /// `alpha` or `beta`.
        name: &'static str,
        /// Its value.
        rate: f64,
    },
}

/// The largest difference of a hypothesis.
const MAX_ELO: f64 = 1000.0;

/// The hypothesis that a test has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The difference is not as large as `elo1`.
    H0,
    /// The difference is larger than `elo0`.
    H1,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// The log-likelihood ratio of H1 to H0, in nats.
    pub llr: f64,
    /// The bound at which H0 is accepted.
    pub lower: f64,
    /// The bound at which H1 is accepted.
    pub upper: f64,
    /// The accepted hypothesis, if any.
    pub verdict: Option<SprtVerdict>,
}

impl fmt::Display for SprtState {
    /// `llr 1.20 (-2.94 to 2.94), not decided` or `llr 2.97 (-2.94 to 2.94), H1 accepted`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            llr, lower, upper, ..
        } = self;
        write!(f, "llr {llr:.2} ({lower:.2} to {upper:.2}), ")?;
        match self.verdict {
            Some(verdict) => write!(f, "{verdict} accepted"),
            None => write!(f, "not decided"),
        }
    }
}

impl Sprt {
    /// A test of H0, "the first player is stronger by `elo0`", against H1, "by `elo1`", that
    /// wrongly accepts H1 with probability `alpha` and H0 with probability `beta`.
    ///
    /// # Errors
    /// The hypotheses are in the wrong order or too large, or the error rates are not between 0
    /// and 0.5.
    ///
    /// ```
    /// use matches::{Sprt, SprtError};
    ///
    /// assert!(Sprt::new(0.0, 10.0, 0.05, 0.05).is_ok());
    /// assert!(matches!(Sprt::new(10.0, 0.0, 0.05, 0.05), Err(SprtError::Hypotheses { .. })));
    /// ```
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if elo0.is_nan() || elo1.is_nan() || elo0 >= elo1 {
            return Err(SprtError::Hypotheses { elo0, elo1 });
        }
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > MAX_ELO) {
            return Err(SprtError::TooLarge(elo));
        }
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(SprtError::Rate { name, rate });
            }
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The test's state given the numbers of pairs that gave 0 to 4 half points to the first
    /// player.
    ///
    /// ```
    /// let state = matches::Sprt::new(0.0, 100.0, 0.05, 0.05)?.state(&[0, 1, 2, 1, 0]);
    /// assert_eq!(state.verdict, None, "four pairs decide nothing");
    /// assert!(state.lower < state.llr && state.llr < 0.0, "they speak for H0");
    /// # Ok::<(), matches::SprtError>(())
    /// ```
    #[must_use]
    pub fn state(&self, pairs: &[u64; 5]) -> SprtState {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let llr = self.log_likelihood_ratio(pairs);
        let verdict = match llr {
            llr if llr >= upper => Some(SprtVerdict::H1),
            llr if llr <= lower => Some(SprtVerdict::H0),
            _ => None,
        };
        SprtState {
            llr,
            lower,
            upper,
            verdict,
        }
    }

    fn log_likelihood_ratio(&self, pairs: &[u64; 5]) -> f64 {
        if pairs.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| count as f64 + PSEUDO_COUNT);
        let h0 = TiltedDistribution::new(&counts, Elo::expected_share(self.elo0));
        let h1 = TiltedDistribution::new(&counts, Elo::expected_share(self.elo1));
        // with p = f / (1 + tilt (a - mean)), the logarithm of p1 / p0
        let gain = |i: usize| counts[i] * (h0.divisor(i).ln() - h1.divisor(i).ln());
        (0..5).map(gain).sum()
    }
}

/// The share of the points of a pair's result.
fn share_of_points(result: usize) -> f64 {
    result as f64 / 4.0
}

/// The maximum-likelihood distribution of pair results with a given mean (Owen's empirical
/// likelihood): each frequency is divided by `1 + tilt * (share_of_points - mean)`.
struct TiltedDistribution {
    tilt: f64,
    mean: f64,
}

impl TiltedDistribution {
    /// All counts are positive and the mean is between 0 and 1.
    ///
    /// The tilt is where the weighted sum of `(share_of_points - mean) / (1 + tilt * (share_of_points - mean))`
    /// is 0. That sum falls all the way between the tilts that would make a probability
    /// infinite, so Newton's steps are kept inside an interval that only shrinks.
    fn new(counts: &[f64; 5], mean: f64) -> Self {
        let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
        let mut tilt = 0.0;
        for _ in 0..200 {
            let (mut sum, mut slope) = (0.0, 0.0);
            for (i, count) in counts.iter().enumerate() {
                let part = (share_of_points(i) - mean) / (1.0 + tilt * (share_of_points(i) - mean));
                sum += count * part;
                slope -= count * part * part;
            }
            if sum > 0.0 {
                low = tilt;
            } else {
                high = tilt;
            }
            let newton = tilt - sum / slope;
            let next = if newton > low && newton < high {
                newton
            } else {
                (low + high) / 2.0
            };
            let has_converged = (next - tilt).abs() <= 1e-13 * (1.0 + tilt.abs());
            tilt = next;
            if has_converged {
                break;
            }
        }
        Self { tilt, mean }
    }

    /// The divisor of a result's frequency.
    fn divisor(&self, result: usize) -> f64 {
        1.0 + self.tilt * (share_of_points(result) - self.mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    /// The joint distribution of a simulated pair's games.
    #[derive(Clone, Copy, Debug)]
    struct SimulatedPairModel {
        draws: f64,
        /// How often the second game copies the first: won by the same player (positive) or by
        /// the same seat (negative).
        correlation: f64,
    }

    impl SimulatedPairModel {
        const fn new(draws: f64, correlation: f64) -> Self {
            Self { draws, correlation }
        }

        /// Half points in two games with this expected share of the points.
        fn pair(self, share: f64, dice: &mut Dice) -> usize {
            let draws = self.draws.min(1.9 * share.min(1.0 - share));
            let wins = share - draws / 2.0;
            let game = |chance: f64| match chance {
                x if x < wins => 2,
                x if x < wins + draws => 1,
                _ => 0,
            };
            let (first, second) = (dice.unit(), dice.unit());
            let is_copied = dice.unit() < self.correlation.abs();
            let second = match is_copied {
                true if self.correlation > 0.0 => first,
                true => 1.0 - first,
                false => second,
            };
            game(first) + game(second)
        }
    }

    /// The share of tests that accept H1 where this is the truth, and their mean length.
    fn simulate(test: &Sprt, elo: f64, model: SimulatedPairModel, times: u64) -> (f64, f64) {
        let share = Elo::expected_share(elo);
        let (mut accepted, mut played) = (0, 0);
        for part in 0..times {
            let mut dice = Dice::of_part(2026, part);
            let mut pairs = [0; 5];
            let verdict = loop {
                pairs[model.pair(share, &mut dice)] += 1;
                played += 1;
                if let Some(verdict) = test.state(&pairs).verdict {
                    break verdict;
                }
            };
            accepted += u64::from(verdict == SprtVerdict::H1);
        }
        let times = times as f64;
        (accepted as f64 / times, played as f64 / times)
    }

    const MODELS: [SimulatedPairModel; 5] = [
        SimulatedPairModel::new(0.0, 0.0),
        SimulatedPairModel::new(0.3, 0.0),
        SimulatedPairModel::new(0.9, 0.0),
        SimulatedPairModel::new(0.3, 0.6),
        SimulatedPairModel::new(0.3, -0.6),
    ];

    /// True differences as the hypotheses have them: wrong answers are as rare as was asked,
    /// give or take three standard deviations of their number.
    #[test]
    fn wrong_answers_are_as_rare_as_was_asked() {
        const TIMES: u64 = 600;
        let allowed = |rate: f64| rate + 3.0 * (rate * (1.0 - rate) / TIMES as f64).sqrt();
        for (elo0, elo1, alpha, beta) in [
            (0.0, 60.0, 0.05, 0.05),
            (-60.0, 20.0, 0.02, 0.1),
            (100.0, 180.0, 0.1, 0.05),
        ] {
            let test = Sprt::new(elo0, elo1, alpha, beta).unwrap();
            for model in MODELS {
                let (wrong, _) = simulate(&test, elo0, model, TIMES);
                assert!(
                    wrong < allowed(alpha),
                    "{test:?} {model:?}: {wrong} accept H1"
                );
                let (right, _) = simulate(&test, elo1, model, TIMES);
                assert!(
                    1.0 - right < allowed(beta),
                    "{test:?} {model:?}: {right} accept H1"
                );
            }
        }
    }

    /// Wald's approximation for normal steps: bound over drift, and the drift is the square
    /// of the distance of the hypotheses over twice the variance of a pair.
    #[test]
    fn tests_are_about_as_long_as_theory_says() {
        let test = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
        for (draws, correlation) in [(0.0, 0.0), (0.3, 0.0), (0.3, 0.6)] {
            let variance = (1.0 - draws) / 4.0 * (1.0 + correlation) / 2.0;
            let distance = Elo::expected_share(60.0) - 0.5;
            let bound = 0.9 * 19f64.ln();
            let theory = bound * 2.0 * variance / (distance * distance);
            let model = SimulatedPairModel::new(draws, correlation);
            let (_, length) = simulate(&test, 0.0, model, 600);
            assert!(
                (0.85..1.25).contains(&(length / theory)),
                "{model:?}: {length} {theory}"
            );
        }
    }

    /// Outside of the hypotheses the answer is surer still; halfway it may be either.
    #[test]
    fn larger_differences_end_a_test_sooner() {
        let test = Sprt::new(0.0, 60.0, 0.05, 0.05).unwrap();
        let model = SimulatedPairModel::new(0.3, 0.0);
        let (below, short) = simulate(&test, -60.0, model, 300);
        let (between, long) = simulate(&test, 30.0, model, 300);
        let (above, _) = simulate(&test, 120.0, model, 300);
        assert!(below < 0.01 && above > 0.99, "{below} {above}");
        assert!((0.4..0.6).contains(&between), "{between}");
        assert!(long > 2.5 * short, "{long} {short}");
    }

    #[test]
    fn the_ratio_is_that_of_the_most_likely_distributions() {
        // with two results only, the mean says all: a binomial likelihood, by hand
        let (elo0, elo1) = (-30.0, 40.0);
        let test = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        let (p0, p1) = (Elo::expected_share(elo0), Elo::expected_share(elo1));
        let by_hand = 700.0 * (p1 / p0).ln() + 500.0 * ((1.0 - p1) / (1.0 - p0)).ln();
        let llr = test.state(&[500, 0, 0, 0, 700]).llr;
        assert!((llr - by_hand).abs() < 0.02, "{llr} {by_hand}");

        // many pairs near the hypotheses: the normal approximation
        let pairs = [100, 900, 2000, 1000, 120];
        let n: f64 = pairs.iter().sum::<u64>() as f64;
        let mean = (0..5)
            .map(|i| pairs[i] as f64 * share_of_points(i))
            .sum::<f64>()
            / n;
        let squares = (0..5)
            .map(|i| pairs[i] as f64 * share_of_points(i).powi(2))
            .sum::<f64>()
            / n;
        let variance = squares - mean * mean;
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        let (s0, s1) = (0.5, Elo::expected_share(10.0));
        let normal = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let llr = test.state(&pairs.map(|count: u64| count)).llr;
        assert!((llr - normal).abs() < 0.03 * normal.abs(), "{llr} {normal}");
    }

    #[test]
    fn the_other_player_sees_the_opposite_test() {
        let mut dice = Dice::new(4);
        for _ in 0..200 {
            let pairs: [u64; 5] = std::array::from_fn(|_| u64::from(dice.below(40)));
            let mut turned = pairs;
            turned.reverse();
            let test = Sprt::new(-5.0, 15.0, 0.05, 0.1).unwrap();
            let other = Sprt::new(-15.0, 5.0, 0.1, 0.05).unwrap();
            let (state, opposite) = (test.state(&pairs), other.state(&turned));
            assert!((state.llr + opposite.llr).abs() < 1e-9, "{pairs:?}");
            assert!((state.upper + opposite.lower).abs() < 1e-12);
        }
    }

    #[test]
    fn few_and_uniform_results_decide_nothing_at_once() {
        let test = Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap();
        let state = test.state(&[0; 5]);
        assert_eq!((state.llr, state.verdict), (0.0, None));
        for i in 0..5 {
            let mut pairs = [0; 5];
            pairs[i] = 3;
            let state = test.state(&pairs);
            assert!(
                state.llr.abs() < 0.2 && state.verdict.is_none(),
                "{i} {state}"
            );
            pairs[i] = 1_000_000;
            let verdict = if i > 2 {
                SprtVerdict::H1
            } else {
                SprtVerdict::H0
            };
            assert_eq!(test.state(&pairs).verdict, Some(verdict), "{i}");
        }
        assert_eq!(
            test.state(&[10, 20, 40, 20, 10]).to_string(),
            "llr -0.14 (-2.94 to 2.94), not decided"
        );
    }

    #[test]
    fn a_test_that_cannot_be_made_says_why() {
        for (test, words) in [
            (
                Sprt::new(5.0, 5.0, 0.05, 0.05),
                "elo0 is 5 and elo1 is 5: elo0 must be the smaller",
            ),
            (
                Sprt::new(f64::NAN, 5.0, 0.05, 0.05),
                "elo0 is NaN and elo1 is 5: elo0 must be the smaller",
            ),
            (
                Sprt::new(0.0, 4000.0, 0.05, 0.05),
                "a difference of 4000 is more than games can show: at most 1000",
            ),
            (
                Sprt::new(0.0, 5.0, 0.0, 0.05),
                "alpha is 0: it must lie between 0 and 0.5",
            ),
            (
                Sprt::new(0.0, 5.0, 0.05, f64::NAN),
                "beta is NaN: it must lie between 0 and 0.5",
            ),
        ] {
            assert_eq!(test.unwrap_err().to_string(), words);
        }
    }
}
