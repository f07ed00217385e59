//! When nodes were last asked for: known only where the tables cannot grow, so that a
//! collection can keep what is in use.
//!
//! What the world and the recursion hold is not what they will ask for next. A gun's stream is
//! a few thousand nodes that are met once in each period, and nothing that is held refers to them.
//! So the results that were used last are kept.

use super::nodes::ROOM;
use std::mem::take;
use std::ops::Range;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// References that a line of nodes has, of which the last stands for nothing.
const PLACES: usize = ROOM + 1;

/// So many sixteenths of the table are kept at first, at least and at most.
const FIRST_SHARE: usize = 9;
const LEAST_SHARE: usize = 3;
const MOST_SHARE: usize = 11;

/// So many hundredths of what was kept may have been kept for nothing.
const IDLE: usize = 40;

/// Ages that are told apart between two collections.
const TICKS: usize = 64;

/// The first age of those since the last collection. An age of 0 is a place's that is free
/// or was not asked for.
const SINCE: usize = 256 - TICKS;

/// A byte for each place of a node, the greater the later it was asked for; or nothing as long
/// as nobody has to know.
pub(super) struct NodeAges {
    ages: Vec<AtomicU8>,
    /// How many nodes of a known age the last collection kept.
    kept: usize,
    /// So many sixteenths of the table are to be kept by the next one.
    share: usize,
}

impl Default for NodeAges {
    fn default() -> Self {
        Self {
            ages: Vec::new(),
            kept: 0,
            share: FIRST_SHARE,
        }
    }
}

impl NodeAges {
    /// Bytes beside each line of nodes.
    pub(super) const BYTES_A_LINE: u64 = PLACES as u64;

    /// Whether they are known.
    pub(super) fn are_known(&self) -> bool {
        !self.ages.is_empty()
    }

    /// From now on they are known, for so many lines of nodes. Those before are taken to be in
    /// the order of their making.
    pub(super) fn begin(&mut self, lines: usize) {
        let (known, all) = (self.ages.len(), PLACES * lines);
        let age = |place: usize| match place % PLACES {
            ..ROOM => SINCE + TICKS * place / all,
            // No node's.
            _ => 0,
        };
        let ages = (known..all).map(|place| AtomicU8::new(age(place) as u8));
        self.ages.extend(ages);
    }

    /// Nodes were asked for, where so many of so many lines have been filled since the last
    /// collection.
    pub(super) fn touch(&self, nodes: &[u32], filled: usize, lines: usize) {
        let now = SINCE + (TICKS * filled / lines).min(TICKS - 1);
        for &node in nodes {
            self.ages[node as usize].store(now as u8, Relaxed);
        }
    }

    /// After a collection, the nodes of some lines are older, and the places of those that were
    /// not kept are free.
    pub(super) fn pass(&mut self, lines: Range<usize>, is_kept: impl Fn(u32) -> bool) {
        if !self.are_known() {
            return;
        }
        for node in PLACES * lines.start..PLACES * lines.end {
            let age = self.ages[node].load(Relaxed);
            let older = match age {
                1.. if is_kept(node as u32) => age.saturating_sub(TICKS as u8).max(1),
                _ => 0,
            };
            self.kept += usize::from(older > 0);
            self.ages[node].store(older, Relaxed);
        }
    }

    /// Before a collection: keeps more where most of what the last one kept was asked for, and
    /// less where not.
    pub(super) fn weigh(&mut self) {
        let idle: usize = self.count()[1..SINCE].iter().sum();
        let kept = take(&mut self.kept);
        if kept > 0 {
            let is_worth_it = idle * 100 < kept * IDLE;
            self.share = if is_worth_it {
                (self.share + 3).min(MOST_SHARE)
            } else {
                (self.share - 1).max(LEAST_SHARE)
            };
        }
    }

    /// So many sixteenths of the table are worth keeping for having been asked for.
    pub(super) fn share(&self) -> usize {
        self.share
    }

    /// How many places have each age.
    pub(super) fn count(&self) -> [usize; 256] {
        let mut counts = [0; 256];
        for age in &self.ages {
            counts[usize::from(age.load(Relaxed))] += 1;
        }
        counts
    }

    /// Those of some places whose age is one of these.
    pub(super) fn of_age(
        &self,
        places: Range<usize>,
        ages: Range<usize>,
    ) -> impl Iterator<Item = u32> {
        let within =
            move |place: &usize| ages.contains(&usize::from(self.ages[*place].load(Relaxed)));
        let places = places.start.min(self.ages.len())..places.end.min(self.ages.len());
        places.filter(within).map(|place| place as u32)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.ages.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_last_is_the_youngest() {
        let mut ages = NodeAges::default();
        assert!(!ages.are_known());
        ages.begin(100);
        let of = |ages: &NodeAges, node: usize| ages.ages[node].load(Relaxed);
        assert!(of(&ages, 4) < of(&ages, 200) && of(&ages, 200) < of(&ages, 398));
        ages.touch(&[8], 0, 100);
        ages.touch(&[4, 5], 50, 100);
        ages.touch(&[398], 100, 100);
        assert!(of(&ages, 8) < of(&ages, 4) && of(&ages, 4) < of(&ages, 398));
        assert_eq!((of(&ages, 4), of(&ages, 398)), (of(&ages, 5), 255));
        // A collection later, all that stays is older than what is asked for then.
        ages.pass(0..100, |node| node != 5);
        ages.touch(&[9], 0, 100);
        assert!(of(&ages, 398) < of(&ages, 9) && of(&ages, 5) == 0);
        let youngest: Vec<u32> = ages.of_age(0..1000, SINCE..256).collect();
        assert_eq!(youngest, [9]);
        // However often, it does not become a free place's.
        for _ in 0..9 {
            ages.pass(0..100, |node| node != 5);
        }
        assert_eq!((of(&ages, 4), of(&ages, 5)), (1, 0));
        assert_eq!(ages.count()[..2], [101, 299]);
        ages.begin(150);
        assert_eq!((ages.bytes(), of(&ages, 4)), (600, 1));
    }
}
