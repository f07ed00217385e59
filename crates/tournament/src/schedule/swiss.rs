//! Swiss pairing: everybody meets somebody with about as many points.
//!
//! That the upper half of equals meets the lower half is the first choice of FIDE's Dutch system
//! (FIDE Handbook, C.04.3); the rest is our own method, over a perfect matching that is kept
//! (`matching`).

use super::matching::GraphMatching;
use super::{MeetingHistory, ScheduledPair};
use std::collections::BTreeMap;

/// A player before a round. Ties keep the given order, which is the plan's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwissSeed {
    /// The player's number.
    pub player: usize,
    /// Its half points, byes included.
    pub half_points: u64,
    /// Number of its byes.
    pub byes: u32,
}

/// The pairings of a round: two numbers, or one and `None` for a bye.
pub(crate) type Round = Vec<(usize, Option<usize>)>;

/// Pairs a round. `met` returns how often two players have met in earlier rounds.
///
/// Rematches and second byes are avoided as long as possible. Within this, the players choose
/// from the top: each takes one of equal points, the first of the upper half the first of the
/// lower half; a player left over is paired with those with fewer points, and the last one has
/// the bye. A choice that would force others into a rematch is skipped.
#[must_use]
pub(crate) fn pair_round(seeds: &[SwissSeed], met: &dyn Fn(usize, usize) -> u32) -> Round {
    pair_counted(seeds, met, &|| ())
}

/// The same; `on_lookup` is called for each examined pair, to count the work.
fn pair_counted(
    seeds: &[SwissSeed],
    met: &dyn Fn(usize, usize) -> u32,
    on_lookup: &impl Fn(),
) -> Round {
    let mut order: Vec<&SwissSeed> = seeds.iter().collect();
    // stable, so that the plan's order decides among equals
    order.sort_by_key(|seed| std::cmp::Reverse(seed.half_points));
    // an odd number of players is completed by a bye
    let places = order.len().next_multiple_of(2);
    let times = |a: usize, b: usize| match (order.get(a), order.get(b)) {
        (Some(a), Some(b)) => met(a.player, b.player),
        (Some(alone), None) | (None, Some(alone)) => alone.byes,
        (None, None) => 0,
    };
    let table: Vec<u32> = (0..places * places)
        .map(|at| times(at / places, at % places))
        .collect();
    let times = |a: usize, b: usize| table[a * places + b];
    let most = table.iter().copied().max().unwrap_or(0);
    for limit in 0..=most {
        let may = |a: usize, b: usize| {
            on_lookup();
            a != b && times(a, b) <= limit
        };
        let matching = GraphMatching::largest(places, &may);
        if matching.is_perfect() {
            return choose_pairs(&order, matching, &times);
        }
    }
    // with the last limit everybody may meet everybody
    Vec::new()
}

fn choose_pairs<F: Fn(usize, usize) -> bool>(
    order: &[&SwissSeed],
    mut matching: GraphMatching<'_, F>,
    times: &dyn Fn(usize, usize) -> u32,
) -> Round {
    let mut rest: Vec<usize> = (0..order.len().next_multiple_of(2)).collect();
    let mut round = Round::new();
    while !rest.is_empty() {
        let one = rest.remove(0);
        let mut preferred = preferences(order, one, &rest);
        preferred.sort_by_key(|&other| times(one, other));
        let Some(other) = preferred
            .into_iter()
            .find(|&other| matching.leave(one, other))
        else {
            break;
        };
        rest.retain(|&place| place != other);
        let other = order.get(other).map(|seed| seed.player);
        round.push((order[one].player, other));
    }
    round
}

/// The opponents of the best remaining player in order of preference.
fn preferences(order: &[&SwissSeed], one: usize, rest: &[usize]) -> Vec<usize> {
    let points = |place: usize| order.get(place).map(|seed| seed.half_points);
    let equals = rest
        .iter()
        .take_while(|&&place| points(place) == points(one));
    let (equals, lower) = rest.split_at(equals.count());
    // with `one`, the group has one more; its lower half begins here
    let (upper, half) = equals.split_at(equals.len().div_ceil(2).saturating_sub(1));
    let preferred = half.iter().chain(upper.iter().rev()).chain(lower);
    preferred.copied().collect()
}

/// The next pairs of games of a round, each meeting having `pairs` of them; at most `most`.
/// `rounds` are all rounds up to this one: a rematch continues with the following pair numbers.
#[must_use]
pub(crate) fn next_in_round(
    rounds: &[Round],
    pairs: u64,
    history: &MeetingHistory,
    most: usize,
) -> Vec<ScheduledPair> {
    let Some((round, earlier)) = rounds.split_last() else {
        return Vec::new();
    };
    let both = |&(a, b): &(usize, Option<usize>)| Some(super::key([a, b?]));
    let mut meetings: Vec<_> = round.iter().filter_map(both).map(|key| (key, 0)).collect();
    let places: BTreeMap<_, _> = meetings.iter().map(|&(key, _)| key).zip(0..).collect();
    for key in earlier.iter().flatten().filter_map(both) {
        if let Some(&place) = places.get(&key) {
            let (_, met): &mut (_, u64) = &mut meetings[place];
            *met += 1;
        }
    }
    let mut next = Vec::new();
    for number in 0..pairs {
        for &(players, met) in &meetings {
            let pair = met * pairs + number;
            if next.len() == most {
                return next;
            }
            if !history.contains(players, pair) {
                next.push(ScheduledPair { players, pair });
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;
    use std::cell::Cell;

    /// Whether all can be paired without anybody meeting again, by trying everything.
    fn is_avoidable(rest: &[usize], may: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((&first, rest)) = rest.split_first() else {
            return true;
        };
        (0..rest.len()).any(|i| {
            let mut others = rest.to_vec();
            others.remove(i);
            may(first, rest[i]) && is_avoidable(&others, may)
        })
    }

    fn key(a: usize, b: usize) -> [usize; 2] {
        super::super::key([a, b])
    }

    #[test]
    fn all_meet_somebody_new_while_that_can_be() {
        let mut dice = Dice::new(17);
        for tournament in 0..1500 {
            let count = 2 + dice.below(if tournament % 10 == 0 { 40 } else { 9 }) as usize;
            let rounds = 1 + dice.below(count as u32 + 3) as usize;
            let mut seeds: Vec<_> = (0..count)
                .map(|player| SwissSeed {
                    player,
                    half_points: 0,
                    byes: 0,
                })
                .collect();
            let nobody = count;
            let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
            for number in 0..rounds {
                let times = |a: usize, b: usize| met.get(&key(a, b)).copied().unwrap_or(0);
                let round = pair_round(&seeds, &times);
                let mut seen: Vec<_> = round
                    .iter()
                    .flat_map(|&(a, b)| [Some(a), b])
                    .flatten()
                    .collect();
                seen.sort_unstable();
                assert!(
                    seen.into_iter().eq(0..count),
                    "{count} players, round {number}"
                );
                let worst = round
                    .iter()
                    .map(|&(a, b)| times(a, b.unwrap_or(nobody)))
                    .max();
                let worst = worst.unwrap_or(0);
                // with fewer than half of the others met, a pairing always exists (Dirac)
                assert!(worst == 0 || 2 * number >= count.next_multiple_of(2));
                if worst > 0 && count < 10 {
                    let places: Vec<_> = (0..count.next_multiple_of(2)).collect();
                    let better = |a: usize, b: usize| times(a, b) < worst;
                    assert!(!is_avoidable(&places, &better), "{count}: {met:?}");
                }
                for &(a, b) in &round {
                    *met.entry(key(a, b.unwrap_or(nobody))).or_default() += 1;
                    let points = u64::from(dice.below(5));
                    match b {
                        None => {
                            seeds[a].half_points += 4;
                            seeds[a].byes += 1;
                        }
                        Some(b) => {
                            seeds[a].half_points += points;
                            seeds[b].half_points += 4 - points;
                        }
                    }
                }
            }
        }
    }

    fn seeds(half_points: &[u64]) -> Vec<SwissSeed> {
        let seed = |(player, &half_points)| SwissSeed {
            player,
            half_points,
            byes: 0,
        };
        half_points.iter().enumerate().map(seed).collect()
    }

    #[test]
    fn equals_meet_the_upper_half_the_lower() {
        let never = |_: usize, _: usize| 0;
        let round = pair_round(&seeds(&[0; 8]), &never);
        assert_eq!(
            round,
            [(0, Some(4)), (1, Some(5)), (2, Some(6)), (3, Some(7))]
        );
        // three with four points: one goes down; the last has nobody
        let round = pair_round(&seeds(&[4, 0, 4, 2, 4, 2, 0]), &never);
        assert_eq!(round, [(0, Some(2)), (4, Some(3)), (5, Some(1)), (6, None)]);
        // who had nobody before has somebody now
        let mut seeds = seeds(&[4, 0, 4, 2, 4, 2, 0]);
        seeds[6].byes = 1;
        let round = pair_round(&seeds, &never);
        assert_eq!(round, [(0, Some(2)), (4, Some(3)), (5, Some(6)), (1, None)]);
    }

    #[test]
    fn a_round_of_many_is_paired_quickly() {
        let mut dice = Dice::new(2);
        let points: Vec<_> = (0..500).map(|_| u64::from(dice.below(12))).collect();
        let met = |a: usize, b: usize| u32::from((31 * (a + b)).is_multiple_of(17));
        let looks = Cell::new(0_u64);
        let on_lookup = || looks.set(looks.get() + 1);
        let round = pair_counted(&seeds(&points), &met, &on_lookup);
        assert_eq!(round.len(), 250);
        assert!(round.iter().all(|&(a, b)| met(a, b.unwrap()) == 0));
        // A few times the pairs that there are; their cube would be 125 million.
        assert!(looks.get() < 1_000_000, "{}", looks.get());
    }

    #[test]
    fn a_rematch_continues_the_pair_numbers() {
        let rounds: Vec<Round> = vec![
            vec![(0, Some(1)), (2, None)],
            vec![(2, Some(0)), (1, None)],
            vec![(1, Some(0)), (2, None)],
        ];
        let mut history = MeetingHistory::default();
        let next = next_in_round(&rounds[..1], 2, &history, 9);
        assert_eq!(next.iter().map(|n| n.pair).collect::<Vec<_>>(), [0, 1]);
        for next in next {
            history.insert(next.players, next.pair);
        }
        assert_eq!(next_in_round(&rounds[..1], 2, &history, 9), []);
        let next = next_in_round(&rounds, 2, &history, 9);
        let pair = |pair| ScheduledPair {
            players: [0, 1],
            pair,
        };
        assert_eq!(next, [pair(2), pair(3)]);
    }
}
