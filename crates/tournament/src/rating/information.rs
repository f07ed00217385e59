//! Pair selection by information gain.

use super::BradleyTerryFit;
use super::likelihood::share;
use super::matrix::DenseMatrix;
use std::cmp::Ordering;

/// Two players and the information gain of a pair of games between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct InformationGain {
    /// The players' numbers, the lower first.
    pub(crate) players: [usize; 2],
    /// Expected reduction of the entropy of all ratings, in nats.
    gain: f64,
}

/// Selects pairs of players by the information gain of their next pair of games, one after the
/// other, counting each as finished. Ties are broken by fewer games, then by lower numbers.
///
/// The gain is the expected reduction of the entropy of the ratings (Lindley, 1956; for normal
/// distributions half the logarithm of one plus information times variance). It is large for
/// two whose difference is uncertain and whose games are open: equals rather than a strong and
/// a weak one, newcomers rather than veterans, players of groups that have not met rather than
/// of one. The variance that a fit leaves hardly depends on the next result, so pairs that are
/// under way count as finished.
///
/// Time is quadratic in the number of players, for each selection and each pair under way.
pub(crate) struct PairSelector<'a> {
    fit: &'a BradleyTerryFit,
    covariance: DenseMatrix,
}

impl<'a> PairSelector<'a> {
    pub(crate) fn new(fit: &'a BradleyTerryFit, under_way: &[[usize; 2]]) -> Self {
        let mut selector = Self {
            fit,
            covariance: fit.covariance().clone(),
        };
        for &players in under_way {
            selector.count(players);
        }
        selector
    }

    /// Counts a pair of games as finished: a rank-one update of the covariance.
    pub(crate) fn count(&mut self, [a, b]: [usize; 2]) {
        let variance = self.variance([a, b]);
        let information = information(self.fit, [a, b], variance);
        let rows = self.covariance.row(a).iter().zip(self.covariance.row(b));
        let column: Vec<f64> = rows.map(|(a, b)| a - b).collect();
        let factor = information / (1.0 + information * variance);
        self.covariance.lessen(factor, &column);
    }

    /// The pair of the largest gain among these players. Most pairs are skipped by an upper bound:
    /// information is largest for equal players.
    pub(crate) fn best(&self, players: &[usize]) -> Option<InformationGain> {
        let max_information = 0.5 / self.fit.spread();
        let mut best: Option<InformationGain> = None;
        for (i, &a) in players.iter().enumerate() {
            for &b in &players[i + 1..] {
                let players = [a.min(b), a.max(b)];
                // slightly enlarged against rounding
                let bound = 0.5 * (max_information * self.variance(players)).ln_1p() * (1.0 + 1e-9);
                if best.is_some_and(|best| bound < best.gain) {
                    continue;
                }
                let candidate = self.gain(players);
                if best.is_none_or(|best| self.compare(&candidate, &best).is_lt()) {
                    best = Some(candidate);
                }
            }
        }
        best
    }

    fn gain(&self, players: [usize; 2]) -> InformationGain {
        let variance = self.variance(players);
        let information = information(self.fit, players, variance);
        InformationGain {
            players,
            gain: 0.5 * (information * variance).ln_1p(),
        }
    }

    fn variance(&self, [a, b]: [usize; 2]) -> f64 {
        let at = |i, j| self.covariance.at(i, j);
        (at(a, a) - 2.0 * at(a, b) + at(b, b)).max(0.0)
    }

    /// The better one first.
    fn compare(&self, x: &InformationGain, y: &InformationGain) -> Ordering {
        let games = |pair: &InformationGain| -> u64 {
            pair.players.iter().map(|&i| self.fit.games(i)).sum()
        };
        let gain = y.gain.total_cmp(&x.gain);
        gain.then_with(|| games(x).cmp(&games(y)))
            .then_with(|| x.players.cmp(&y.players))
    }
}

/// The information of a pair of games about the difference of two strengths, which has this
/// variance: the mean over the difference by three-point Gauss-Hermite quadrature.
fn information(fit: &BradleyTerryFit, [a, b]: [usize; 2], variance: f64) -> f64 {
    let difference = fit.natural_difference(a, b);
    let at = |offset: f64| {
        let x = difference + offset * variance.sqrt();
        2.0 * share(x) * share(-x)
    };
    let far = 3f64.sqrt();
    (at(-far) + 4.0 * at(0.0) + at(far)) / 6.0 / fit.spread()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Meeting;
    use games::{Outcome, Seat};

    const FIRST: Outcome = Outcome::Win(Seat::First);
    const SECOND: Outcome = Outcome::Win(Seat::Second);

    /// Pairs that the first player won, drew and lost.
    fn meeting(players: [usize; 2], [won, even, lost]: [u64; 3]) -> Meeting {
        let mut meeting = Meeting::between(players);
        for (count, outcomes) in [
            (won, [FIRST, SECOND]),
            (even, [FIRST, FIRST]),
            (lost, [SECOND, FIRST]),
        ] {
            (0..count).for_each(|_| meeting.add(outcomes));
        }
        meeting
    }

    /// All pairs, sorted: what [`PairSelector::best`] is tested against.
    fn most_informative(fit: &BradleyTerryFit, under_way: &[[usize; 2]]) -> Vec<InformationGain> {
        let selector = PairSelector::new(fit, under_way);
        let mut gains = Vec::new();
        for a in 0..fit.players() {
            for b in a + 1..fit.players() {
                gains.push(selector.gain([a, b]));
            }
        }
        gains.sort_by(|x, y| selector.compare(x, y));
        gains
    }

    fn rank(gains: &[InformationGain], players: [usize; 2]) -> usize {
        gains
            .iter()
            .position(|gain| gain.players == players)
            .unwrap()
    }

    #[test]
    fn close_and_uncertain_players_teach_more_than_far_and_certain_ones() {
        // 0 and 1 are level and have played little; 2 is far above 3, as many games show
        let fit = BradleyTerryFit::new(
            4,
            &[
                meeting([0, 1], [1, 1, 1]),
                meeting([0, 2], [0, 1, 2]),
                meeting([1, 3], [2, 1, 0]),
                meeting([2, 3], [90, 9, 1]),
            ],
        );
        let gains = most_informative(&fit, &[]);
        assert_eq!(gains.len(), 6);
        assert_eq!(rank(&gains, [0, 1]), 0, "{gains:?}");
        assert_eq!(rank(&gains, [2, 3]), 5, "{gains:?}");
        assert!(gains[0].gain > 3.0 * gains[5].gain, "{gains:?}");
    }

    #[test]
    fn the_selected_pair_is_the_most_informative() {
        let mut dice = games::Dice::new(4);
        for _ in 0..40 {
            let players = 2 + dice.below(12) as usize;
            let mut meetings = Vec::new();
            for _ in 0..dice.below(20) {
                let (a, b) = (dice.below(players as u32), dice.below(players as u32));
                let counts = [(); 3].map(|()| u64::from(dice.below(9)));
                if a != b {
                    meetings.push(meeting([a as usize, b as usize], counts));
                }
            }
            let fit = BradleyTerryFit::new(players, &meetings);
            // not all of them are there, and in any order
            let mut there: Vec<usize> = (0..players).collect();
            dice.shuffle(&mut there);
            there.truncate(2 + dice.below(players as u32 - 1) as usize);
            let mut selector = PairSelector::new(&fit, &[]);
            let mut counted = Vec::new();
            for _ in 0..8 {
                let all = most_informative(&fit, &counted);
                let mut own = all.iter();
                let first = own.find(|gain| gain.players.iter().all(|p| there.contains(p)));
                let best = selector.best(&there);
                assert_eq!(best.as_ref(), first);
                let players = best.unwrap().players;
                selector.count(players);
                counted.push(players);
            }
        }
    }

    #[test]
    fn newcomers_come_first() {
        let fit = BradleyTerryFit::new(
            4,
            &[
                meeting([0, 1], [4, 5, 6]),
                meeting([1, 2], [4, 5, 6]),
                meeting([0, 2], [4, 5, 6]),
            ],
        );
        let gains = most_informative(&fit, &[]);
        assert!(
            gains[..3].iter().all(|gain| gain.players[1] == 3),
            "{gains:?}"
        );
        let none = most_informative(&BradleyTerryFit::new(3, &[]), &[]);
        assert_eq!(none[0].players, [0, 1]);
    }

    #[test]
    fn a_pair_in_progress_is_less_informative() {
        let fit = BradleyTerryFit::new(4, &[]);
        let gains = most_informative(&fit, &[[0, 1]]);
        assert_eq!(gains[0].players, [2, 3]);
        assert_eq!(gains[5].players, [0, 1]);
        // one after the other, a league of nothing but newcomers meets all round
        let mut under_way = Vec::new();
        for _ in 0..6 {
            under_way.push(most_informative(&fit, &under_way)[0].players);
        }
        under_way.sort_unstable();
        under_way.dedup();
        assert_eq!(under_way.len(), 6, "{under_way:?}");
    }

    #[test]
    fn groups_that_have_not_met_are_joined() {
        let fit = BradleyTerryFit::new(
            4,
            &[meeting([0, 1], [5, 10, 5]), meeting([2, 3], [5, 10, 5])],
        );
        let first = most_informative(&fit, &[])[0];
        assert_ne!(fit.group(first.players[0]), fit.group(first.players[1]));
    }
}
