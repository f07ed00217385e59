//! The likelihood of a fit: its maximum, its curvature, and the spread of the results around
//! it. [`super::BradleyTerryFit`] documents the model.

use super::Meeting;
use super::matrix::DenseMatrix;
use matches::Elo;
use std::collections::BTreeMap;

/// Maximum weight of the prior: drawn games of each player with one of strength 0.
const PRIOR: f64 = 1.0;
/// Minimum weight of a prior game, where results hardly spread: with much less, a billion equal
/// results would reduce it to rounding errors.
const MIN_PRIOR: f64 = 0.05;
/// Variance of the points of an even pair of independent games without draws: the unit of the
/// next two constants.
const EVEN_PAIR: f64 = 0.5;
/// Weight of the overall spread in the spread of one meeting.
const SHARED: f64 = 4.0 * EVEN_PAIR;
/// Weight of independent games' spread in the overall spread.
const INDEPENDENT: f64 = EVEN_PAIR;

/// The maximum-likelihood fit, in natural units.
pub(super) struct LikelihoodFit {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: DenseMatrix,
    /// The spread of the pairs' results over that of independent games without draws.
    pub(super) spread: f64,
}

/// Finds the maximum-likelihood strengths of `players` players in `groups` groups.
pub(super) fn maximize(
    players: usize,
    groups: usize,
    meeting_totals: &[MeetingTotals],
) -> LikelihoodFit {
    let fitted = players - groups;
    let mut likelihood = Likelihood {
        size: players,
        meeting_totals,
        prior: PRIOR,
    };
    let first_guess = likelihood.newton(vec![0.0; players]);
    let spread = likelihood.estimate_spread(&first_guess, fitted);
    likelihood.prior = PRIOR * spread.clamp(MIN_PRIOR, 1.0);
    let strengths = likelihood.newton(first_guess);
    let (mut covariance, spread) = likelihood.covariance(&strengths);
    let pairs = meeting_totals.iter().map(MeetingTotals::count).sum();
    covariance.scale(interval_factor(pairs, fitted).powi(2));
    LikelihoodFit {
        strengths,
        covariance,
        spread,
    }
}

/// The log-likelihood function of the strengths.
struct Likelihood<'a> {
    size: usize,
    meeting_totals: &'a [MeetingTotals],
    /// Number of prior games of each player.
    prior: f64,
}

impl Likelihood<'_> {
    /// Maximises the likelihood by Newton's method. It is concave, so the maximum is unique and
    /// overshooting steps need only be halved.
    fn newton(&self, mut strengths: Vec<f64>) -> Vec<f64> {
        let mut value = self.log_likelihood(&strengths);
        for _ in 0..100 {
            let gradient = self.gradient(&strengths);
            let curvatures = self.curvatures(&strengths);
            let mut step = self.solve(&strengths, &curvatures, &gradient);
            let longest_step = step
                .iter()
                .fold(0.0f64, |longest_step, s| longest_step.max(s.abs()));
            let mut next = sum_of(&strengths, &step);
            // below this, values differ by rounding only
            if longest_step > 1e-6 {
                let mut new_value = self.log_likelihood(&next);
                while new_value < value && longest_step > 1e-6 {
                    step.iter_mut().for_each(|s| *s /= 2.0);
                    if step.iter().all(|s| s.abs() < 1e-9) {
                        break;
                    }
                    next = sum_of(&strengths, &step);
                    new_value = self.log_likelihood(&next);
                }
                value = new_value;
            }
            strengths = next;
            if longest_step < 1e-10 {
                break;
            }
        }
        strengths
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        // ln σ(x), without overflow
        let ln_share = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
        let prior = |&x: &f64| self.prior / 2.0 * (ln_share(x) + ln_share(-x));
        let mut value: f64 = strengths.iter().map(prior).sum();
        for totals in self.meeting_totals {
            let x = strengths[totals.a] - strengths[totals.b];
            value +=
                totals.points * ln_share(x) + (2.0 * totals.pairs - totals.points) * ln_share(-x);
        }
        value
    }

    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let prior = |&x: &f64| self.prior * (0.5 - share(x));
        let mut gradient: Vec<f64> = strengths.iter().map(prior).collect();
        for totals in self.meeting_totals {
            let more = totals.points - 2.0 * totals.pairs * totals.share(strengths);
            gradient[totals.a] += more;
            gradient[totals.b] -= more;
        }
        gradient
    }

    /// The curvature of the likelihood along the difference of each meeting's players; it is
    /// also the variance that their points would have if all games were independent.
    fn curvatures(&self, strengths: &[f64]) -> Vec<f64> {
        let curvature = |totals: &MeetingTotals| {
            let share = totals.share(strengths);
            2.0 * totals.pairs * share * (1.0 - share)
        };
        self.meeting_totals.iter().map(curvature).collect()
    }

    fn prior_curvature(&self, strength: f64) -> f64 {
        let share = share(strength);
        self.prior * share * (1.0 - share)
    }

    /// Solves `curvature * step = gradient` by conjugate gradients (Hestenes and Stiefel, 1952)
    /// with diagonal preconditioning: a few passes over the meetings, where a factorisation
    /// would take cubic time in the number of players.
    fn solve(&self, strengths: &[f64], curvatures: &[f64], gradient: &[f64]) -> Vec<f64> {
        let prior: Vec<f64> = strengths.iter().map(|&x| self.prior_curvature(x)).collect();
        let mut diagonal = prior.clone();
        for (totals, curvature) in self.meeting_totals.iter().zip(curvatures) {
            diagonal[totals.a] += curvature;
            diagonal[totals.b] += curvature;
        }
        let apply_curvature = |x: &[f64]| {
            let mut product: Vec<f64> = x.iter().zip(&prior).map(|(x, p)| x * p).collect();
            for (totals, curvature) in self.meeting_totals.iter().zip(curvatures) {
                let pull = curvature * (x[totals.a] - x[totals.b]);
                product[totals.a] += pull;
                product[totals.b] -= pull;
            }
            product
        };
        let preconditioned =
            |x: &[f64]| -> Vec<f64> { x.iter().zip(&diagonal).map(|(x, d)| x / d).collect() };

        let mut step = vec![0.0; self.size];
        let mut rest = gradient.to_vec();
        let mut direction = preconditioned(&rest);
        let mut size = dot(&rest, &direction);
        let tolerance = size * 1e-24;
        for _ in 0..10 * self.size + 50 {
            if size <= tolerance || size == 0.0 {
                break;
            }
            let image = apply_curvature(&direction);
            let length = size / dot(&direction, &image);
            for i in 0..self.size {
                step[i] += length * direction[i];
                rest[i] -= length * image[i];
            }
            let preconditioned = preconditioned(&rest);
            let next = dot(&rest, &preconditioned);
            for i in 0..self.size {
                direction[i] = preconditioned[i] + next / size * direction[i];
            }
            size = next;
        }
        step
    }

    /// A quick estimate of the spread of the pairs' results over that of independent games
    /// without draws, where `fitted` strengths were free; exact enough for the prior.
    fn estimate_spread(&self, strengths: &[f64], fitted: usize) -> f64 {
        let pairs: f64 = self.meeting_totals.iter().map(|totals| totals.pairs).sum();
        let left = (1.0 - fitted as f64 / pairs.max(1.0)).max(0.0);
        let expected: f64 = self.curvatures(strengths).iter().sum();
        let seen: f64 = self
            .meeting_totals
            .iter()
            .map(|totals| totals.squares(strengths))
            .sum();
        (seen + INDEPENDENT) / (expected * left + INDEPENDENT)
    }

    /// The covariance of the fitted strengths, and the spread of the pairs' results over
    /// that of independent games without draws.
    fn covariance(&self, strengths: &[f64]) -> (DenseMatrix, f64) {
        let curvatures = self.curvatures(strengths);
        let mut hessian = DenseMatrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            hessian.add(i, i, self.prior_curvature(strength));
        }
        for (totals, &curvature) in self.meeting_totals.iter().zip(&curvatures) {
            add_difference(&mut hessian, totals, curvature);
        }
        let inverse = hessian.inverse();

        // the squares of the residuals in each meeting, and what they are expected to be
        let squares = self
            .meeting_totals
            .iter()
            .map(|totals| totals.squares(strengths));
        let squares: Vec<f64> = squares.collect();
        let expected = |(totals, curvature): (&MeetingTotals, &f64)| {
            let (a, b) = (totals.a, totals.b);
            let between = inverse.at(a, a) - 2.0 * inverse.at(a, b) + inverse.at(b, b);
            let taken = (curvature / totals.pairs * between).min(1.0);
            curvature * (1.0 - taken)
        };
        let expected: Vec<f64> = self
            .meeting_totals
            .iter()
            .zip(&curvatures)
            .map(expected)
            .collect();
        let (seen, all) = (squares.iter().sum::<f64>(), expected.iter().sum::<f64>());
        let spread = (seen + INDEPENDENT) / (all + INDEPENDENT);

        let mut middle = DenseMatrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            middle.add(i, i, self.prior_curvature(strength));
        }
        for (i, totals) in self.meeting_totals.iter().enumerate() {
            // the meeting's own spread, squares / expected, has the weight expected / (expected
            // + SHARED)
            let own_and_shared = squares[i] + SHARED * spread;
            add_difference(
                &mut middle,
                totals,
                curvatures[i] * own_and_shared / (expected[i] + SHARED),
            );
        }
        (inverse.around(&middle), spread)
    }
}

/// The pairs of games of two players, `a` before `b`.
pub(super) struct MeetingTotals {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Pairs by the half points of `a` in both games.
    by_points: [u64; 5],
    /// Number of pairs.
    pairs: f64,
    /// The points of `a` in all of them.
    points: f64,
}

impl MeetingTotals {
    pub(super) fn count(&self) -> u64 {
        self.by_points.iter().sum()
    }

    /// Expected share of the points for `a`.
    fn share(&self, strengths: &[f64]) -> f64 {
        share(strengths[self.a] - strengths[self.b])
    }

    /// Sum over the pairs of the squared difference of the points of `a` from their
    /// expectation.
    fn squares(&self, strengths: &[f64]) -> f64 {
        let expected = 2.0 * self.share(strengths);
        let counts = self.by_points.iter().enumerate();
        let squares = counts.map(|(i, &count)| count as f64 * (i as f64 / 2.0 - expected).powi(2));
        squares.sum()
    }
}

/// Merges meetings of the same players and sorts them, so that the result is bitwise
/// independent of the order.
pub(super) fn meeting_totals(players: usize, meetings: &[Meeting]) -> Vec<MeetingTotals> {
    let mut sums: BTreeMap<[usize; 2], Meeting> = BTreeMap::new();
    for meeting in meetings {
        let [a, b] = meeting.players;
        assert!(
            a != b && a.max(b) < players,
            "a meeting of {a} and {b} among {players} players"
        );
        let reversed = (a > b).then(|| meeting.reversed());
        let meeting = reversed.as_ref().unwrap_or(meeting);
        let sum = sums.entry(meeting.players);
        *sum.or_insert_with(|| Meeting::between(meeting.players)) += meeting;
    }
    let meeting_totals = sums.into_iter().filter(|(_, meeting)| meeting.count() > 0);
    let totals = |([a, b], meeting): ([usize; 2], Meeting)| {
        let by_points = meeting.by_points();
        let half_points = (0..).zip(by_points).map(|(points, count)| points * count);
        MeetingTotals {
            a,
            b,
            by_points,
            pairs: meeting.count() as f64,
            points: half_points.sum::<u64>() as f64 / 2.0,
        }
    };
    meeting_totals.map(totals).collect()
}

/// The factor by which intervals grow because the spread is estimated from few pairs: the
/// quantile of Student's distribution over the normal one (Cornish and Fisher's expansion,
/// 1938). One more pair than was played enters the spread.
fn interval_factor(pairs: u64, fitted: usize) -> f64 {
    let free = (pairs + 1).saturating_sub(fitted as u64).max(2) as f64;
    let z2 = Elo::Z_95 * Elo::Z_95;
    let first = (z2 + 1.0) / 4.0;
    let second = (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / 96.0;
    let third = (3.0 * z2 * z2 * z2 + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / 384.0;
    1.0 + first / free + second / (free * free) + third / (free * free * free)
}

/// The logistic function.
pub(super) fn share(strength: f64) -> f64 {
    1.0 / (1.0 + (-strength).exp())
}

/// Adds to the four cells of the difference of two strengths.
fn add_difference(matrix: &mut DenseMatrix, totals: &MeetingTotals, value: f64) {
    let (a, b) = (totals.a, totals.b);
    matrix.add(a, a, value);
    matrix.add(b, b, value);
    matrix.add(a, b, -value);
    matrix.add(b, a, -value);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sum_of(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
