//! Who should meet next.

use super::Fit;
use super::likelihood::share;

/// Two players, and what a pair of games between them would tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// The players' numbers, the lower first.
    pub players: [usize; 2],
    /// By how many nats the pair is expected to narrow what is believed about all ratings.
    pub gain: f64,
}

/// All twos of players, those first whose next pair of games would tell the most about the
/// ratings; where two would tell the same, those with fewer games, and then lower numbers,
/// come first.
///
/// What a pair tells is the expected fall of the entropy of the ratings (Lindley, 1956;
/// for normal distributions half the logarithm of one plus information times variance). It
/// is large for two whose difference is uncertain and whose games are open: equals rather
/// than a strong and a weak one, newcomers rather than veterans, players of groups that have
/// not met rather than of one. The variance that a fit leaves is nearly the same whatever
/// the next result is, so pairs that are `under_way` are counted as if they were over.
///
/// The time it takes grows with the square of the number of players, for each pair under way
/// once more.
#[must_use]
pub fn most_informative(fit: &Fit, under_way: &[[usize; 2]]) -> Vec<Lesson> {
    let mut covariance = fit.covariance().clone();
    let variance_of = |covariance: &super::linear::Matrix, [a, b]: [usize; 2]| {
        (covariance.at(a, a) - 2.0 * covariance.at(a, b) + covariance.at(b, b)).max(0.0)
    };
    for &[a, b] in under_way {
        let variance = variance_of(&covariance, [a, b]);
        let information = information(fit, [a, b], variance);
        let rows = covariance.row(a).iter().zip(covariance.row(b));
        let column: Vec<f64> = rows.map(|(a, b)| a - b).collect();
        covariance.lessen(information / (1.0 + information * variance), &column);
    }
    let mut lessons = Vec::new();
    for a in 0..fit.players() {
        for b in a + 1..fit.players() {
            let variance = variance_of(&covariance, [a, b]);
            let information = information(fit, [a, b], variance);
            lessons.push(Lesson {
                players: [a, b],
                gain: 0.5 * (information * variance).ln_1p(),
            });
        }
    }
    let games = |lesson: &Lesson| -> u64 { lesson.players.iter().map(|&i| fit.games(i)).sum() };
    lessons.sort_by(|x, y| {
        let gain = y.gain.total_cmp(&x.gain);
        gain.then_with(|| games(x).cmp(&games(y)))
            .then_with(|| x.players.cmp(&y.players))
    });
    lessons
}

/// How much a pair of games says about the difference of two strengths, which is known with
/// this variance: the mean over where the difference may lie, by three points that have the
/// moments of a normal distribution (Gauss and Hermite's).
fn information(fit: &Fit, [a, b]: [usize; 2], variance: f64) -> f64 {
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

    /// Pairs that the first player won, that were even, and that it lost.
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

    fn rank(lessons: &[Lesson], players: [usize; 2]) -> usize {
        lessons
            .iter()
            .position(|lesson| lesson.players == players)
            .unwrap()
    }

    #[test]
    fn close_and_uncertain_players_teach_more_than_far_and_certain_ones() {
        // 0 and 1 are level and have played little; 2 is far above 3, as many games show
        let fit = Fit::new(
            4,
            &[
                meeting([0, 1], [1, 1, 1]),
                meeting([0, 2], [0, 1, 2]),
                meeting([1, 3], [2, 1, 0]),
                meeting([2, 3], [90, 9, 1]),
            ],
        );
        let lessons = most_informative(&fit, &[]);
        assert_eq!(lessons.len(), 6);
        assert_eq!(rank(&lessons, [0, 1]), 0, "{lessons:?}");
        assert_eq!(rank(&lessons, [2, 3]), 5, "{lessons:?}");
        assert!(lessons[0].gain > 3.0 * lessons[5].gain, "{lessons:?}");
    }

    #[test]
    fn newcomers_come_first() {
        let fit = Fit::new(
            4,
            &[
                meeting([0, 1], [4, 5, 6]),
                meeting([1, 2], [4, 5, 6]),
                meeting([0, 2], [4, 5, 6]),
            ],
        );
        let lessons = most_informative(&fit, &[]);
        assert!(
            lessons[..3].iter().all(|lesson| lesson.players[1] == 3),
            "{lessons:?}"
        );
        let none = most_informative(&Fit::new(3, &[]), &[]);
        assert_eq!(none[0].players, [0, 1]);
    }

    #[test]
    fn what_is_under_way_need_not_be_asked_again() {
        let fit = Fit::new(4, &[]);
        let lessons = most_informative(&fit, &[[0, 1]]);
        assert_eq!(lessons[0].players, [2, 3]);
        assert_eq!(lessons[5].players, [0, 1]);
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
        let fit = Fit::new(
            4,
            &[meeting([0, 1], [5, 10, 5]), meeting([2, 3], [5, 10, 5])],
        );
        let first = most_informative(&fit, &[])[0];
        assert_ne!(fit.group(first.players[0]), fit.group(first.players[1]));
    }
}
