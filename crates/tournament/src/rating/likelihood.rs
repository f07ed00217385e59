//! The likelihood behind a fit: its summit, its curvature, and the spread of the results
//! around it. [`super::BradleyTerryFit`] says what the model is.

use super::Meeting;
use super::bradley_terry::NINETY_FIVE;
use super::matrix::DenseMatrix;
use std::collections::BTreeMap;

/// How many drawn games with a player of strength 0 everyone is held to have played, at most.
const PRIOR: f64 = 1.0;
/// The least that a prior game counts, where results hardly spread at all: with much less,
/// a billion equal results would leave nothing of it but rounding errors.
const LEAST_PRIOR: f64 = 0.05;
/// Variance of the points of an even pair of independent games without draws: the unit in
/// which the next two numbers of pairs are counted.
const EVEN_PAIR: f64 = 0.5;
/// With how many even pairs the league's spread enters the spread of one meeting.
const SHARED: f64 = 4.0 * EVEN_PAIR;
/// With how many even pairs the spread of independent games enters the league's.
const INDEPENDENT: f64 = EVEN_PAIR;

/// What the results of a tournament say of its players, in natural units.
pub(super) struct LikelihoodFit {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: DenseMatrix,
    /// The spread of the pairs' results over that of independent games without draws.
    pub(super) spread: f64,
}

/// Finds the most likely strengths of so many players, who form so many groups.
pub(super) fn summit(players: usize, groups: usize, edges: &[MeetingTotals]) -> LikelihoodFit {
    let fitted = players - groups;
    let mut likelihood = Likelihood {
        size: players,
        edges,
        prior: PRIOR,
    };
    let first_guess = likelihood.climb(vec![0.0; players]);
    let spread = likelihood.rough_spread(&first_guess, fitted);
    likelihood.prior = PRIOR * spread.clamp(LEAST_PRIOR, 1.0);
    let strengths = likelihood.climb(first_guess);
    let (mut covariance, spread) = likelihood.covariance(&strengths);
    let pairs = edges.iter().map(MeetingTotals::count).sum();
    covariance.scale(caution(pairs, fitted).powi(2));
    LikelihoodFit {
        strengths,
        covariance,
        spread,
    }
}

/// The likelihood of the strengths.
struct Likelihood<'a> {
    size: usize,
    edges: &'a [MeetingTotals],
    /// How many prior games everyone has.
    prior: f64,
}

impl Likelihood<'_> {
    /// The strengths of the highest likelihood, by Newton's method. The likelihood is
    /// concave, so there is one summit and steps that overshoot need only be shortened.
    fn climb(&self, mut strengths: Vec<f64>) -> Vec<f64> {
        let mut height = self.height(&strengths);
        for _ in 0..100 {
            let slope = self.slope(&strengths);
            let curves = self.curves(&strengths);
            let mut step = self.solve(&strengths, &curves, &slope);
            let longest = step.iter().fold(0.0f64, |longest, s| longest.max(s.abs()));
            let mut next = added(&strengths, &step);
            // below this, heights differ by rounding only
            if longest > 1e-6 {
                let mut higher = self.height(&next);
                while higher < height && longest > 1e-6 {
                    step.iter_mut().for_each(|s| *s /= 2.0);
                    if step.iter().all(|s| s.abs() < 1e-9) {
                        break;
                    }
                    next = added(&strengths, &step);
                    higher = self.height(&next);
                }
                height = higher;
            }
            strengths = next;
            if longest < 1e-10 {
                break;
            }
        }
        strengths
    }

    fn height(&self, strengths: &[f64]) -> f64 {
        // ln σ(x), without overflow
        let ln_share = |x: f64| x.min(0.0) - (-x.abs()).exp().ln_1p();
        let prior = |&x: &f64| self.prior / 2.0 * (ln_share(x) + ln_share(-x));
        let mut height: f64 = strengths.iter().map(prior).sum();
        for edge in self.edges {
            let x = strengths[edge.a] - strengths[edge.b];
            height += edge.points * ln_share(x) + (2.0 * edge.pairs - edge.points) * ln_share(-x);
        }
        height
    }

    fn slope(&self, strengths: &[f64]) -> Vec<f64> {
        let prior = |&x: &f64| self.prior * (0.5 - share(x));
        let mut slope: Vec<f64> = strengths.iter().map(prior).collect();
        for edge in self.edges {
            let more = edge.points - 2.0 * edge.pairs * edge.share(strengths);
            slope[edge.a] += more;
            slope[edge.b] -= more;
        }
        slope
    }

    /// The curvature of the likelihood along the difference of each two who have met; it is
    /// also the variance that their points would have if all games were independent.
    fn curves(&self, strengths: &[f64]) -> Vec<f64> {
        let curve = |edge: &MeetingTotals| {
            let share = edge.share(strengths);
            2.0 * edge.pairs * share * (1.0 - share)
        };
        self.edges.iter().map(curve).collect()
    }

    fn prior_curve(&self, strength: f64) -> f64 {
        let share = share(strength);
        self.prior * share * (1.0 - share)
    }

    /// The step with `curvature * step = slope`, by conjugate gradients (Hestenes and
    /// Stiefel, 1952) with the diagonal as a first guess: a few passes over the meetings,
    /// where a factorisation would take the cube of the number of players.
    fn solve(&self, strengths: &[f64], curves: &[f64], slope: &[f64]) -> Vec<f64> {
        let prior: Vec<f64> = strengths.iter().map(|&x| self.prior_curve(x)).collect();
        let mut diagonal = prior.clone();
        for (edge, curve) in self.edges.iter().zip(curves) {
            diagonal[edge.a] += curve;
            diagonal[edge.b] += curve;
        }
        let curved = |x: &[f64]| {
            let mut product: Vec<f64> = x.iter().zip(&prior).map(|(x, p)| x * p).collect();
            for (edge, curve) in self.edges.iter().zip(curves) {
                let pull = curve * (x[edge.a] - x[edge.b]);
                product[edge.a] += pull;
                product[edge.b] -= pull;
            }
            product
        };
        let eased =
            |x: &[f64]| -> Vec<f64> { x.iter().zip(&diagonal).map(|(x, d)| x / d).collect() };

        let mut step = vec![0.0; self.size];
        let mut rest = slope.to_vec();
        let mut direction = eased(&rest);
        let mut size = dot(&rest, &direction);
        let enough = size * 1e-24;
        for _ in 0..10 * self.size + 50 {
            if size <= enough || size == 0.0 {
                break;
            }
            let image = curved(&direction);
            let length = size / dot(&direction, &image);
            for i in 0..self.size {
                step[i] += length * direction[i];
                rest[i] -= length * image[i];
            }
            let eased = eased(&rest);
            let next = dot(&rest, &eased);
            for i in 0..self.size {
                direction[i] = eased[i] + next / size * direction[i];
            }
            size = next;
        }
        step
    }

    /// The spread of the pairs' results over that of independent games without draws, where
    /// `fitted` strengths were free: exact enough for the prior, and quick.
    fn rough_spread(&self, strengths: &[f64], fitted: usize) -> f64 {
        let pairs: f64 = self.edges.iter().map(|edge| edge.pairs).sum();
        let left = (1.0 - fitted as f64 / pairs.max(1.0)).max(0.0);
        let expected: f64 = self.curves(strengths).iter().sum();
        let seen: f64 = self.edges.iter().map(|edge| edge.squares(strengths)).sum();
        (seen + INDEPENDENT) / (expected * left + INDEPENDENT)
    }

    /// The covariance of the fitted strengths, and the spread of the pairs' results over
    /// that of independent games without draws.
    fn covariance(&self, strengths: &[f64]) -> (DenseMatrix, f64) {
        let curves = self.curves(strengths);
        let mut curvature = DenseMatrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            curvature.add(i, i, self.prior_curve(strength));
        }
        for (edge, &curve) in self.edges.iter().zip(&curves) {
            put(&mut curvature, edge, curve);
        }
        let inverse = curvature.inverse();

        // the squares of the residuals in each meeting, and what they are expected to be
        let squares = self.edges.iter().map(|edge| edge.squares(strengths));
        let squares: Vec<f64> = squares.collect();
        let expected = |(edge, curve): (&MeetingTotals, &f64)| {
            let (a, b) = (edge.a, edge.b);
            let between = inverse.at(a, a) - 2.0 * inverse.at(a, b) + inverse.at(b, b);
            let taken = (curve / edge.pairs * between).min(1.0);
            curve * (1.0 - taken)
        };
        let expected: Vec<f64> = self.edges.iter().zip(&curves).map(expected).collect();
        let (seen, all) = (squares.iter().sum::<f64>(), expected.iter().sum::<f64>());
        let spread = (seen + INDEPENDENT) / (all + INDEPENDENT);

        let mut middle = DenseMatrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            middle.add(i, i, self.prior_curve(strength));
        }
        for (i, edge) in self.edges.iter().enumerate() {
            // the meeting's own spread, squares / expected, in the share in which it has been
            // seen, expected / (expected + SHARED); one is divided by what the other is
            let own_and_shared = squares[i] + SHARED * spread;
            put(
                &mut middle,
                edge,
                curves[i] * own_and_shared / (expected[i] + SHARED),
            );
        }
        (inverse.around(&middle), spread)
    }
}

/// All pairs of two players, `a` before `b`.
pub(super) struct MeetingTotals {
    pub(super) a: usize,
    pub(super) b: usize,
    /// Pairs by the half points of `a` in both games.
    by_points: [u64; 5],
    /// Their number.
    pairs: f64,
    /// The points of `a` in all of them.
    points: f64,
}

impl MeetingTotals {
    pub(super) fn count(&self) -> u64 {
        self.by_points.iter().sum()
    }

    /// The share of the points that `a` is expected to take.
    fn share(&self, strengths: &[f64]) -> f64 {
        share(strengths[self.a] - strengths[self.b])
    }

    /// The sum over the pairs of the square of the points that `a` took beyond expectation.
    fn squares(&self, strengths: &[f64]) -> f64 {
        let expected = 2.0 * self.share(strengths);
        let counts = self.by_points.iter().enumerate();
        let squares = counts.map(|(i, &count)| count as f64 * (i as f64 / 2.0 - expected).powi(2));
        squares.sum()
    }
}

/// Meetings put together, each two players once, sorted: whatever the order was, from here
/// on it is the same, to the last bit.
pub(super) fn edges(players: usize, meetings: &[Meeting]) -> Vec<MeetingTotals> {
    let mut sums: BTreeMap<[usize; 2], Meeting> = BTreeMap::new();
    for meeting in meetings {
        let [a, b] = meeting.players;
        assert!(
            a != b && a.max(b) < players,
            "a meeting of {a} and {b} among {players} players"
        );
        let turned = (a > b).then(|| meeting.turned());
        let meeting = turned.as_ref().unwrap_or(meeting);
        let sum = sums.entry(meeting.players);
        *sum.or_insert_with(|| Meeting::between(meeting.players)) += meeting;
    }
    let edges = sums.into_iter().filter(|(_, meeting)| meeting.count() > 0);
    let edge = |([a, b], meeting): ([usize; 2], Meeting)| {
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
    edges.map(edge).collect()
}

/// By how much intervals grow because the spread itself is known from so many pairs only:
/// the ends of Student's distribution over those of the normal one (Cornish and Fisher's
/// expansion, 1938). One more pair than was played enters the spread.
fn caution(pairs: u64, fitted: usize) -> f64 {
    let free = (pairs + 1).saturating_sub(fitted as u64).max(2) as f64;
    let z2 = NINETY_FIVE * NINETY_FIVE;
    let first = (z2 + 1.0) / 4.0;
    let second = (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / 96.0;
    let third = (3.0 * z2 * z2 * z2 + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / 384.0;
    1.0 + first / free + second / (free * free) + third / (free * free * free)
}

/// The logistic function.
pub(super) fn share(strength: f64) -> f64 {
    1.0 / (1.0 + (-strength).exp())
}

/// Adds to the four cells that a difference of two strengths concerns.
fn put(matrix: &mut DenseMatrix, edge: &MeetingTotals, value: f64) {
    let (a, b) = (edge.a, edge.b);
    matrix.add(a, a, value);
    matrix.add(b, b, value);
    matrix.add(a, b, -value);
    matrix.add(b, a, -value);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn added(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
