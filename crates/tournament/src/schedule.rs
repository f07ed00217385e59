//! Scheduling: pure functions of what was played.
//!
//! There is no state between calls. Finished pairs and those in progress are in a
//! [`MeetingHistory`]; the result is the next pairs of games. So it does not matter whether a
//! tournament was interrupted, nor how many games run in parallel.
//!
//! Two players' pairs of games are numbered from 0, and a pair's opening and random numbers
//! depend only on the two names and that number ([`pairing_seed`]): a replayed pair is the same.

mod matching;
mod swiss;

pub(crate) use swiss::{Round, SwissSeed, next_in_round, pair_round};

use crate::plan::{Participant, TournamentKind};
use arena::GamePairing;
use games::Dice;
use std::collections::{BTreeMap, BTreeSet};

/// A pair of games to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScheduledPair {
    /// The numbers of the two, the lower first.
    pub players: [usize; 2],
    /// The number of the pair among theirs.
    pub pair: u64,
}

/// The pairs of games that were played or are in progress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MeetingHistory {
    meetings: BTreeMap<[usize; 2], PairNumberSet>,
}

/// A set of numbers with few gaps below its maximum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PairNumberSet {
    /// All numbers below this are contained.
    below: u64,
    /// Further numbers, all above it.
    above: BTreeSet<u64>,
}

impl PairNumberSet {
    fn has(&self, number: u64) -> bool {
        number < self.below || self.above.contains(&number)
    }

    fn add(&mut self, number: u64) -> bool {
        if self.has(number) {
            return false;
        }
        self.above.insert(number);
        while self.above.remove(&self.below) {
            self.below += 1;
        }
        true
    }

    #[cfg(test)]
    fn count(&self) -> u64 {
        self.below + self.above.len() as u64
    }
}

fn key([a, b]: [usize; 2]) -> [usize; 2] {
    [a.min(b), a.max(b)]
}

impl MeetingHistory {
    /// Adds a pair of games; returns whether it is new. The order of the players does not
    /// matter.
    pub(crate) fn insert(&mut self, players: [usize; 2], pair: u64) -> bool {
        self.meetings.entry(key(players)).or_default().add(pair)
    }

    /// Whether a pair of games was played or is in progress.
    #[must_use]
    pub(crate) fn contains(&self, players: [usize; 2], pair: u64) -> bool {
        let numbers = self.meetings.get(&key(players));
        numbers.is_some_and(|numbers| numbers.has(pair))
    }

    /// Number of pairs of two players.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn count(&self, players: [usize; 2]) -> u64 {
        self.meetings
            .get(&key(players))
            .map_or(0, PairNumberSet::count)
    }

    /// Number of pairs of two players with numbers below a limit.
    #[must_use]
    pub(crate) fn count_below(&self, players: [usize; 2], limit: u64) -> u64 {
        let numbers = self.meetings.get(&key(players));
        numbers.map_or(0, |numbers| {
            numbers.below.min(limit) + numbers.above.range(..limit).count() as u64
        })
    }

    /// The lowest unused pair number of two players.
    #[must_use]
    pub(crate) fn next_number(&self, players: [usize; 2]) -> u64 {
        self.meetings.get(&key(players)).map_or(0, |n| n.below)
    }
}

/// The meetings of a round robin or a gauntlet in playing order; in a league, all possible
/// meetings. Empty for a Swiss tournament, where they depend on the results.
///
/// `players` are the numbers of those who play, in the plan's order.
#[must_use]
pub(crate) fn meetings(kind: &TournamentKind, players: &[usize]) -> Vec<[usize; 2]> {
    match kind {
        TournamentKind::RoundRobin | TournamentKind::League => circle_method(players),
        TournamentKind::Gauntlet { champions } => {
            let is_champion = |place: &usize| champions.contains(place);
            let others: Vec<_> = (0..players.len()).filter(|p| !is_champion(p)).collect();
            let mut meetings = Vec::new();
            for &other in &others {
                for &champion in champions {
                    meetings.push(key([players[champion], players[other]]));
                }
            }
            meetings
        }
        TournamentKind::Swiss { .. } => Vec::new(),
    }
}

/// The circle method for round robins (in É. Lucas, "Récréations mathématiques", volume 2, 1883):
/// one player is fixed, the others rotate, and opposite players meet. In each round everybody meets
/// somebody else, so that all have about as many games at any time.
fn circle_method(players: &[usize]) -> Vec<[usize; 2]> {
    let mut seats: Vec<_> = players.iter().copied().map(Some).collect();
    if seats.len() % 2 == 1 {
        // the player opposite `None` has a bye
        seats.push(None);
    }
    let places = seats.len();
    let mut meetings = Vec::new();
    for _ in 1..places {
        for (i, &one) in seats[..places / 2].iter().enumerate() {
            if let (Some(a), Some(b)) = (one, seats[places - 1 - i]) {
                meetings.push(key([a, b]));
            }
        }
        seats[1..].rotate_right(1);
    }
    meetings
}

/// The next pairs of games if all `meetings` have `pairs` of them: first everybody's first,
/// then everybody's second; at most `most`. Empty when none are left.
#[must_use]
pub(crate) fn next_pairs(
    meetings: &[[usize; 2]],
    pairs: u64,
    history: &MeetingHistory,
    most: usize,
) -> Vec<ScheduledPair> {
    let free = meetings.iter().map(|&players| history.next_number(players));
    let least = free.min().unwrap_or(pairs);
    let mut next = Vec::new();
    for pair in least..pairs {
        for &players in meetings {
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

/// The random seed of two players' games: from the plan's seed and their names, in either
/// order.
#[must_use]
pub(crate) fn pairing_seed(seed: u64, names: [&str; 2]) -> u64 {
    let [first, second] = [names[0].min(names[1]), names[0].max(names[1])];
    // FNV-1a (Fowler, Noll, Vo) of the names, with what is in no text between them
    let bytes = first.bytes().chain([0xff]).chain(second.bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    Dice::of_part(seed, hash).word()
}

/// The games of a pair, and those who meet: the alphabetically first one has the first seat first,
/// so that the plan's order does not matter.
#[must_use]
pub(crate) fn pairing<'a>(
    seed: u64,
    mut players: [usize; 2],
    participant: impl Fn(usize) -> &'a Participant,
    pair: u64,
) -> ([usize; 2], GamePairing) {
    let [first, second] = players.map(&participant);
    if first.name > second.name {
        players.reverse();
    }
    let entrants = players.map(|player| participant(player).entrant.clone());
    let pairing = GamePairing {
        entrants,
        seed: pairing_seed(seed, [&first.name, &second.name]),
        pair,
        is_whole: true,
    };
    (players, pairing)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tournament that is stopped again and again, with games that end in any order and
    /// some that are lost on the way; gives how often each pair of games was kept.
    fn play(
        meetings: &[[usize; 2]],
        pairs: u64,
        dice: &mut Dice,
    ) -> BTreeMap<([usize; 2], u64), u32> {
        let mut kept = BTreeMap::new();
        let mut is_over = false;
        while !is_over {
            // a run: what was kept is all that it knows
            let mut history = MeetingHistory::default();
            for &(players, pair) in kept.keys() {
                assert!(history.insert(players, pair));
            }
            let jobs = 1 + dice.below(5) as usize;
            let dies_after = dice.below(40);
            let mut under_way = Vec::new();
            for step in 0.. {
                if step == dies_after {
                    break;
                }
                let most = (2 * jobs).saturating_sub(under_way.len());
                for next in next_pairs(meetings, pairs, &history, most) {
                    assert!(history.insert(next.players, next.pair), "{next:?} twice");
                    under_way.push(next);
                }
                if under_way.is_empty() {
                    is_over = true;
                    break;
                }
                let at = dice.below(under_way.len() as u32) as usize;
                let ScheduledPair { players, pair } = under_way.swap_remove(at);
                *kept.entry((players, pair)).or_insert(0) += 1;
            }
        }
        kept
    }

    #[test]
    fn each_pair_is_played_once_after_any_interruption() {
        let mut dice = Dice::new(11);
        for _ in 0..2000 {
            let players: Vec<usize> = {
                let mut numbers: Vec<usize> = (0..2 + dice.below(8) as usize).collect();
                dice.shuffle(&mut numbers);
                numbers
            };
            let pairs = 1 + u64::from(dice.below(4));
            let champions = 1 + dice.below(players.len() as u32 - 1) as usize;
            let kind = match dice.coin() {
                true => TournamentKind::RoundRobin,
                false => TournamentKind::Gauntlet {
                    champions: (0..champions).collect(),
                },
            };
            let meetings = meetings(&kind, &players);
            let count = match kind {
                TournamentKind::RoundRobin => players.len() * (players.len() - 1) / 2,
                _ => champions * (players.len() - champions),
            };
            assert_eq!(meetings.len(), count);
            let unique: BTreeSet<_> = meetings.iter().collect();
            assert_eq!(unique.len(), count);
            assert!(meetings.iter().all(|[a, b]| a < b));
            let kept = play(&meetings, pairs, &mut dice);
            assert_eq!(kept.len() as u64, count as u64 * pairs);
            assert!(kept.values().all(|&n| n == 1));
            assert!(
                kept.keys()
                    .all(|&(players, pair)| meetings.contains(&players) && pair < pairs)
            );
        }
    }

    #[test]
    fn champions_meet_all_others_and_nobody_else_meets() {
        let kind = TournamentKind::Gauntlet {
            champions: vec![1, 2],
        };
        let met = meetings(&kind, &[7, 5, 6, 9]);
        assert_eq!(met, [[5, 7], [6, 7], [5, 9], [6, 9]]);
    }

    #[test]
    fn in_a_round_robin_all_play_about_as_often_at_any_time() {
        for count in 2..12 {
            let players: Vec<_> = (0..count).collect();
            let meetings = meetings(&TournamentKind::RoundRobin, &players);
            let mut history = MeetingHistory::default();
            while let [next, ..] = next_pairs(&meetings, 3, &history, 1)[..] {
                assert!(history.insert(next.players, next.pair));
                let games = players.iter().map(|&player| {
                    let own = meetings.iter().filter(|players| players.contains(&player));
                    own.map(|&players| history.count(players)).sum::<u64>()
                });
                let (least, most) = (games.clone().min(), games.max());
                assert!(
                    most.unwrap() - least.unwrap() <= 2,
                    "{count}: {least:?} {most:?}"
                );
            }
            for &players in &meetings {
                assert_eq!(history.count(players), 3);
            }
        }
    }

    #[test]
    fn latecomers_catch_up() {
        let mut history = MeetingHistory::default();
        for pair in 0..4 {
            history.insert([0, 1], pair);
        }
        let meetings = meetings(&TournamentKind::RoundRobin, &[0, 1, 2]);
        let next = next_pairs(&meetings, 5, &history, 100);
        assert_eq!(next.len(), 11);
        assert!(
            next[..10]
                .iter()
                .all(|next| next.players[1] == 2 || next.pair == 4)
        );
    }

    #[test]
    fn a_pairing_seed_depends_on_both_names() {
        let one = pairing_seed(7, ["deep", "wide"]);
        assert_eq!(one, pairing_seed(7, ["wide", "deep"]));
        let others = [
            pairing_seed(8, ["deep", "wide"]),
            pairing_seed(7, ["deep", "wid"]),
            pairing_seed(7, ["dee", "pwide"]),
            pairing_seed(7, ["deepw", "ide"]),
        ];
        assert!(others.iter().all(|&other| other != one));
        // written down once: a change here would change every tournament
        assert_eq!(one, GOLDEN);
    }

    const GOLDEN: u64 = 17_794_926_801_805_896_764;

    #[test]
    fn gaps_are_filled_first() {
        let mut history = MeetingHistory::default();
        for pair in [0, 1, 3, 6] {
            assert!(history.insert([2, 1], pair));
            assert!(!history.insert([1, 2], pair));
        }
        assert_eq!((history.next_number([1, 2]), history.count([1, 2])), (2, 4));
        let next = next_pairs(&[[1, 2]], 8, &history, 10);
        let pairs: Vec<_> = next.iter().map(|next| next.pair).collect();
        assert_eq!(pairs, [2, 4, 5, 7]);
    }
}
