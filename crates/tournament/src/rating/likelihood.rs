//! The likelihood behind a fit: its summit, its curvature, and the spread of the results
//! around it. [`super::Fit`] says what the model is.

use super::Meeting;
use super::bradley_terry::NINETY_FIVE;
use super::linear::Matrix;
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

/// What the results of a tournament say of its players, in natural units. The last strength
/// is the advantage of the first seat.
pub(super) struct Summit {
    pub(super) strengths: Vec<f64>,
    pub(super) covariance: Matrix,
    /// The spread of the pairs' results over that of independent games without draws.
    pub(super) spread: f64,
}

/// Finds the most likely strengths of so many players, who form so many groups.
pub(super) fn summit(players: usize, groups: usize, edges: &[Edge]) -> Summit {
    let fitted = players - groups;
    let mut likelihood = Likelihood {
        size: players + 1,
        edges,
        prior: PRIOR,
    };
    let first_guess = likelihood.climb(vec![0.0; players + 1]);
    let spread = likelihood.rough_spread(&first_guess, fitted);
    likelihood.prior = PRIOR * spread.clamp(LEAST_PRIOR, 1.0);
    let strengths = likelihood.climb(first_guess);
    let (mut covariance, spread) = likelihood.covariance(&strengths);
    let pairs = edges.iter().map(Edge::count).sum();
    covariance.scale(caution(pairs, fitted).powi(2));
    Summit {
        strengths,
        covariance,
        spread,
    }
}

/// The likelihood of the strengths, the last of which is the seat's.
struct Likelihood<'a> {
    size: usize,
    edges: &'a [Edge],
    /// How many prior games everyone has.
    prior: f64,
}

/// The curvature of the likelihood along one edge: along the difference of strengths, along
/// the seat's advantage (both the same), and between the two.
struct Curve {
    along: f64,
    between: f64,
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
        let seat = strengths[self.size - 1];
        for edge in self.edges {
            let difference = strengths[edge.a] - strengths[edge.b];
            for (points, x) in edge
                .points
                .iter()
                .zip([difference + seat, difference - seat])
            {
                height += points * ln_share(x) + (edge.pairs - points) * ln_share(-x);
            }
        }
        height
    }

    fn slope(&self, strengths: &[f64]) -> Vec<f64> {
        let prior = |&x: &f64| self.prior * (0.5 - share(x));
        let mut slope: Vec<f64> = strengths.iter().map(prior).collect();
        for edge in self.edges {
            let shares = edge.shares(strengths);
            let first = edge.points[0] - edge.pairs * shares[0];
            let second = edge.points[1] - edge.pairs * shares[1];
            slope[edge.a] += first + second;
            slope[edge.b] -= first + second;
            slope[self.size - 1] += first - second;
        }
        slope
    }

    fn curves(&self, strengths: &[f64]) -> Vec<Curve> {
        let curve = |edge: &Edge| {
            let [first, second] = edge.shares(strengths).map(|s| edge.pairs * s * (1.0 - s));
            Curve {
                along: first + second,
                between: first - second,
            }
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
    fn solve(&self, strengths: &[f64], curves: &[Curve], slope: &[f64]) -> Vec<f64> {
        let seat = self.size - 1;
        let prior: Vec<f64> = strengths.iter().map(|&x| self.prior_curve(x)).collect();
        let mut diagonal = prior.clone();
        for (edge, curve) in self.edges.iter().zip(curves) {
            diagonal[edge.a] += curve.along;
            diagonal[edge.b] += curve.along;
            diagonal[seat] += curve.along;
        }
        let curved = |x: &[f64]| {
            let mut product: Vec<f64> = x.iter().zip(&prior).map(|(x, p)| x * p).collect();
            for (edge, curve) in self.edges.iter().zip(curves) {
                let difference = x[edge.a] - x[edge.b];
                let pull = curve.along * difference + curve.between * x[seat];
                product[edge.a] += pull;
                product[edge.b] -= pull;
                product[seat] += curve.between * difference + curve.along * x[seat];
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
        let expected: f64 = self.curves(strengths).iter().map(|c| c.along).sum();
        let squares = |edge: &Edge| edge.squares(strengths)[0];
        let seen: f64 = self.edges.iter().map(squares).sum();
        (seen + INDEPENDENT) / (expected * left + INDEPENDENT)
    }

    /// The covariance of the fitted strengths, and the spread of the pairs' results over
    /// that of independent games without draws.
    fn covariance(&self, strengths: &[f64]) -> (Matrix, f64) {
        let seat = self.size - 1;
        let curves = self.curves(strengths);
        let mut curvature = Matrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            curvature.add(i, i, self.prior_curve(strength));
        }
        for (edge, curve) in self.edges.iter().zip(&curves) {
            put(
                &mut curvature,
                edge,
                seat,
                [curve.along, curve.between, curve.along],
            );
        }
        let inverse = curvature.inverse();

        // the squares of the residuals in each meeting, and what they are expected to be
        let squares: Vec<[f64; 3]> = self
            .edges
            .iter()
            .map(|edge| edge.squares(strengths))
            .collect();
        let expected = |(edge, curve): (&Edge, &Curve)| {
            let (a, b) = (edge.a, edge.b);
            let between = inverse.at(a, a) - 2.0 * inverse.at(a, b) + inverse.at(b, b);
            let taken = (curve.along / edge.pairs * between).min(1.0);
            curve.along * (1.0 - taken)
        };
        let expected: Vec<f64> = self.edges.iter().zip(&curves).map(expected).collect();
        let spread_of = |which: usize| {
            let seen: f64 = squares.iter().map(|squares| squares[which]).sum();
            (seen + INDEPENDENT) / (expected.iter().sum::<f64>() + INDEPENDENT)
        };
        let (spread, seat_spread) = (spread_of(0), spread_of(2));

        let mut middle = Matrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            middle.add(i, i, self.prior_curve(strength));
        }
        for (i, edge) in self.edges.iter().enumerate() {
            // the meeting's own spread in the share in which it has been seen; enlarging it
            // by along / expected first would divide by what may be 0
            let own = curves[i].along / (expected[i] + SHARED);
            let shared = SHARED / (expected[i] + SHARED);
            let of_league = [
                spread * curves[i].along,
                (spread * seat_spread).sqrt() * curves[i].between,
                seat_spread * curves[i].along,
            ];
            let both = |j: usize| own * squares[i][j] + shared * of_league[j];
            put(&mut middle, edge, seat, [both(0), both(1), both(2)]);
        }
        (inverse.around(&middle), spread)
    }
}

/// All pairs of two players, `a` before `b`.
pub(super) struct Edge {
    pub(super) a: usize,
    pub(super) b: usize,
    meeting: Meeting,
    /// Pairs, and the points of `a` from the first seat and from the second.
    pairs: f64,
    points: [f64; 2],
}

impl Edge {
    pub(super) fn count(&self) -> u64 {
        self.meeting.count()
    }

    /// The share that `a` is expected to take from the first seat and from the second.
    fn shares(&self, strengths: &[f64]) -> [f64; 2] {
        let difference = strengths[self.a] - strengths[self.b];
        let seat = strengths[strengths.len() - 1];
        [share(difference + seat), share(difference - seat)]
    }

    /// Sums over the pairs: of the square of the points that `a` took beyond expectation, of
    /// their product with those of the first seat, and of the square of the latter.
    fn squares(&self, strengths: &[f64]) -> [f64; 3] {
        let shares = self.shares(strengths);
        let mut squares = [0.0; 3];
        for (first, seconds) in self.meeting.pairs.iter().enumerate() {
            for (second, &count) in seconds.iter().enumerate() {
                let first = first as f64 / 2.0 - shares[0];
                let second = second as f64 / 2.0 - shares[1];
                let (both, seat) = (first + second, first - second);
                squares[0] += count as f64 * both * both;
                squares[1] += count as f64 * both * seat;
                squares[2] += count as f64 * seat * seat;
            }
        }
        squares
    }
}

/// Meetings put together, each two players once, sorted: whatever the order was, from here
/// on it is the same, to the last bit.
pub(super) fn edges(players: usize, meetings: &[Meeting]) -> Vec<Edge> {
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
        let mut half_points = [0; 2];
        for (first, seconds) in meeting.pairs.iter().enumerate() {
            for (second, &count) in seconds.iter().enumerate() {
                half_points[0] += count * first as u64;
                half_points[1] += count * second as u64;
            }
        }
        Edge {
            a,
            b,
            pairs: meeting.count() as f64,
            points: half_points.map(|half_points| half_points as f64 / 2.0),
            meeting,
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

/// Adds an edge's two by two numbers (difference, between, seat) where they belong.
fn put(matrix: &mut Matrix, edge: &Edge, seat: usize, [along, between, of_seat]: [f64; 3]) {
    let (a, b) = (edge.a, edge.b);
    matrix.add(a, a, along);
    matrix.add(b, b, along);
    matrix.add(a, b, -along);
    matrix.add(b, a, -along);
    for (i, value) in [(a, between), (b, -between)] {
        matrix.add(i, seat, value);
        matrix.add(seat, i, value);
    }
    matrix.add(seat, seat, of_seat);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn added(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}
