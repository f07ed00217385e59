//! Ratings from all results at once.

use super::Meeting;
use super::linear::Matrix;
use std::collections::BTreeMap;

/// Natural units of strength in one point of Elo's scale: 400 points for odds of ten to one.
pub(super) const UNIT: f64 = std::f64::consts::LN_10 / 400.0;
/// Standard deviations to either side that hold 95 % of a normal distribution.
const NINETY_FIVE: f64 = 1.959_963_984_540_054;
/// How many drawn games with a player of strength 0 everyone is held to have played.
const PRIOR: f64 = 1.0;
/// Variance of the points of an even pair of independent games without draws: the unit in
/// which the next two numbers of pairs are counted.
const EVEN_PAIR: f64 = 0.5;
/// With how many even pairs the league's spread enters the spread of one meeting.
const SHARED: f64 = 4.0 * EVEN_PAIR;
/// With how many even pairs the spread of independent games enters the league's.
const INDEPENDENT: f64 = EVEN_PAIR;

/// Strengths of all players, fitted to all their pairs of games by maximum likelihood.
///
/// **The model** is Bradley and Terry's (1952): a player who is stronger by `x` (natural
/// units; 400 points of Elo are `ln 10`) takes a share of `σ(x + h)` of the points from the
/// first seat and `σ(x - h)` from the second, where `σ` is the logistic function and `h` the
/// advantage of the first seat, fitted too. A draw is half a win and half a loss. The fit
/// makes everyone's expected points equal to the points that were made, so the order of the
/// games cannot matter.
///
/// **Draws.** Models that give draws a probability of their own (Rao and Kupper, 1967;
/// Davidson, 1970) were weighed and lost: their unit is the odds of a win against a loss
/// with draws put aside. Where 85 % of games are drawn, a player who takes 52.5 % of the
/// points would be shown 120 ahead in a table, where a match of the same two says 17. Here
/// one unit serves matches, tests and tables, and how often draws happen enters where it
/// belongs, in the spread of the results.
///
/// **The intervals** are made of the spread of whole pairs (a sandwich: White, 1982, with
/// pairs as clusters as in Liang and Zeger, 1986), because two games from one opening are
/// not independent. A meeting's own spread counts as far as it has been seen; below that the
/// spread of all meetings together stands in, so that ten wins out of ten do not pass for
/// certainty. Residuals are enlarged by what the fit took from them.
///
/// **The prior**: everyone is held to have drawn one game with a player of strength 0, and
/// so has the first seat with the second. That is Jeffreys's prior of a share, and keeps
/// those who have won everything at a finite rating.
///
/// **Groups.** Players who have not met, not even through others, cannot be compared: each
/// group has a mean of 0 of its own, and nothing is said across.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// Strengths by player in natural units, the mean of each group 0.
    strengths: Vec<f64>,
    /// Half widths of their intervals.
    errors: Vec<f64>,
    /// Of the strengths before their mean was taken out; the last is the seat's.
    covariance: Matrix,
    /// The advantage of the first seat in natural units.
    seat: f64,
    /// Each player's group.
    group: Vec<usize>,
    groups: Vec<Vec<usize>>,
    games: Vec<u64>,
    spread: f64,
}

/// A rating or a difference of two on Elo's scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// How strong.
    pub elo: f64,
    /// Half the width of the interval that holds the truth in 95 of 100 tournaments.
    pub error: f64,
}

impl std::fmt::Display for Rating {
    /// `+35 ± 12`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // no `-0`
        let elo = self.elo.round() + 0.0;
        f.pad(&format!("{elo:+.0} ± {:.0}", self.error))
    }
}

impl Fit {
    /// Fits the strengths of so many players to all their meetings, given in any order and
    /// told by either player.
    ///
    /// # Panics
    /// A meeting names a player whose number is not below `players`, or the same one twice.
    #[must_use]
    pub fn new(players: usize, meetings: &[Meeting]) -> Self {
        let edges = edges(players, meetings);
        let mut games = vec![0; players];
        for edge in &edges {
            games[edge.a] += 2 * edge.count();
            games[edge.b] += 2 * edge.count();
        }
        let (group, groups) = components(players, &edges);
        let model = Model {
            size: players + 1,
            edges: &edges,
        };
        let mut strengths = model.fit();
        let (covariance, spread) = model.covariance(&strengths);
        let seat = strengths.pop().unwrap_or_default();

        let mut errors = vec![0.0; players];
        for members in &groups {
            let count = members.len() as f64;
            let mean = members.iter().map(|&i| strengths[i]).sum::<f64>() / count;
            let with_all = |i: usize| {
                let row = covariance.row(i);
                members.iter().map(|&j| row[j]).sum::<f64>() / count
            };
            let rows: Vec<f64> = members.iter().map(|&i| with_all(i)).collect();
            let all = rows.iter().sum::<f64>() / count;
            for (&i, with_all) in members.iter().zip(&rows) {
                strengths[i] -= mean;
                let variance = covariance.at(i, i) - 2.0 * with_all + all;
                errors[i] = NINETY_FIVE * variance.max(0.0).sqrt();
            }
        }
        Self {
            strengths,
            errors,
            covariance,
            seat,
            group,
            groups,
            games,
            spread,
        }
    }

    /// How many players there are.
    #[must_use]
    pub fn players(&self) -> usize {
        self.strengths.len()
    }

    /// How many games a player has played.
    #[must_use]
    pub fn games(&self, player: usize) -> u64 {
        self.games[player]
    }

    /// A player's rating, where 0 is the mean of the player's group; `None` before its first
    /// game.
    #[must_use]
    pub fn rating(&self, player: usize) -> Option<Rating> {
        (self.games[player] > 0).then(|| Rating {
            elo: self.strengths[player] / UNIT,
            error: self.errors[player] / UNIT,
        })
    }

    /// How much stronger one player is than another; `None` for players of different groups.
    ///
    /// Its error is not the sum of the ratings' errors: those are errors against the mean.
    #[must_use]
    pub fn difference(&self, player: usize, other: usize) -> Option<Rating> {
        (self.group[player] == self.group[other]).then(|| Rating {
            elo: (self.strengths[player] - self.strengths[other]) / UNIT,
            error: NINETY_FIVE * self.variance_between(player, other).sqrt() / UNIT,
        })
    }

    /// The probability that one player is stronger than another, from 0 to 1; `None` for
    /// players of different groups and for a player beside itself.
    #[must_use]
    pub fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        if player == other || self.group[player] != self.group[other] {
            return None;
        }
        let difference = self.strengths[player] - self.strengths[other];
        let deviation = self.variance_between(player, other).sqrt();
        Some(0.5 * libm::erfc(-difference / (deviation * std::f64::consts::SQRT_2)))
    }

    /// [`Fit::superiority`] of each player (the rows) over each (the columns).
    #[must_use]
    pub fn superiorities(&self) -> Vec<Vec<Option<f64>>> {
        let row = |i| {
            (0..self.players())
                .map(|j| self.superiority(i, j))
                .collect()
        };
        (0..self.players()).map(row).collect()
    }

    /// The advantage of the first seat; the second's is its opposite. `None` before the
    /// first game.
    #[must_use]
    pub fn first_seat(&self) -> Option<Rating> {
        let last = self.players();
        (self.games.iter().any(|&games| games > 0)).then(|| Rating {
            elo: self.seat / UNIT,
            error: NINETY_FIVE * self.covariance.at(last, last).sqrt() / UNIT,
        })
    }

    /// Those who can be compared with each other, the largest group first. One group is all
    /// players of an ordinary tournament; a player without games is alone.
    #[must_use]
    pub fn groups(&self) -> &[Vec<usize>] {
        &self.groups
    }

    /// The number of a player's group in [`Fit::groups`].
    #[must_use]
    pub fn group(&self, player: usize) -> usize {
        self.group[player]
    }

    /// The spread of the pairs' results beside that of independent games without draws: 1 is
    /// as much, less where there are draws or where openings favour a seat, more where both
    /// games of a pair tend to be won by the same player.
    #[must_use]
    pub fn spread(&self) -> f64 {
        self.spread
    }

    /// The covariance of all strengths in natural units, the prior's mean being 0.
    pub(super) fn covariance(&self) -> &Matrix {
        &self.covariance
    }

    /// The advantage of the first seat in natural units.
    pub(super) fn seat(&self) -> f64 {
        self.seat
    }

    /// The difference of two strengths in natural units.
    pub(super) fn natural_difference(&self, player: usize, other: usize) -> f64 {
        self.strengths[player] - self.strengths[other]
    }

    /// Of the difference of two strengths, in natural units.
    fn variance_between(&self, a: usize, b: usize) -> f64 {
        let c = &self.covariance;
        (c.at(a, a) - 2.0 * c.at(a, b) + c.at(b, b)).max(0.0)
    }
}

/// All pairs of two players, `a` before `b`.
struct Edge {
    a: usize,
    b: usize,
    meeting: Meeting,
    /// Pairs, and the points of `a` from the first seat and from the second.
    pairs: f64,
    points: [f64; 2],
}

impl Edge {
    fn count(&self) -> u64 {
        self.meeting.count()
    }

    /// The share that `a` is expected to take from the first seat and from the second.
    fn shares(&self, strengths: &[f64]) -> [f64; 2] {
        let difference = strengths[self.a] - strengths[self.b];
        let seat = strengths[strengths.len() - 1];
        [share(difference + seat), share(difference - seat)]
    }
}

/// The logistic function.
pub(super) fn share(strength: f64) -> f64 {
    1.0 / (1.0 + (-strength).exp())
}

/// Meetings put together, each two players once, sorted: whatever the order was, from here
/// on it is the same, to the last bit.
fn edges(players: usize, meetings: &[Meeting]) -> Vec<Edge> {
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

/// Each player's group, and the groups: the largest first, then by their first player.
fn components(players: usize, edges: &[Edge]) -> (Vec<usize>, Vec<Vec<usize>>) {
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let mut parent: Vec<usize> = (0..players).collect();
    for edge in edges {
        let (a, b) = (root(&mut parent, edge.a), root(&mut parent, edge.b));
        parent[a.max(b)] = a.min(b);
    }
    let mut members = vec![Vec::new(); players];
    for i in 0..players {
        members[root(&mut parent, i)].push(i);
    }
    members.retain(|members| !members.is_empty());
    members.sort_by_key(|members| std::cmp::Reverse(members.len()));
    let mut group = vec![0; players];
    for (number, members) in members.iter().enumerate() {
        members.iter().for_each(|&i| group[i] = number);
    }
    (group, members)
}

/// The likelihood of the strengths, the last of which is the seat's.
struct Model<'a> {
    size: usize,
    edges: &'a [Edge],
}

/// The curvature of the likelihood along one edge: along the difference of strengths, along
/// the seat's advantage (both the same), and between the two.
struct Curve {
    along: f64,
    between: f64,
}

impl Model<'_> {
    /// The strengths of the highest likelihood, by Newton's method. The likelihood is
    /// concave, so there is one summit and steps that overshoot need only be shortened.
    fn fit(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.size];
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
        let prior = |&x: &f64| PRIOR / 2.0 * (ln_share(x) + ln_share(-x));
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
        let prior = |&x: &f64| PRIOR * (0.5 - share(x));
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

    fn prior_curve(strength: f64) -> f64 {
        let share = share(strength);
        PRIOR * share * (1.0 - share)
    }

    /// The step with `curvature * step = slope`, by conjugate gradients (Hestenes and
    /// Stiefel, 1952) with the diagonal as a first guess: a few passes over the meetings,
    /// where a factorisation would take the cube of the number of players.
    fn solve(&self, strengths: &[f64], curves: &[Curve], slope: &[f64]) -> Vec<f64> {
        let seat = self.size - 1;
        let prior: Vec<f64> = strengths.iter().map(|&x| Self::prior_curve(x)).collect();
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

    /// The covariance of the fitted strengths, and the spread of the pairs' results over
    /// that of independent games without draws.
    fn covariance(&self, strengths: &[f64]) -> (Matrix, f64) {
        let seat = self.size - 1;
        let curves = self.curves(strengths);
        let mut curvature = Matrix::zero(self.size);
        for (i, &strength) in strengths.iter().enumerate() {
            curvature.add(i, i, Self::prior_curve(strength));
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
            middle.add(i, i, Self::prior_curve(strength));
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

impl Edge {
    /// Sums over the pairs: of the square of the points that `a` took beyond expectation, of
    /// the square of the first seat's, and of their product between the two.
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
