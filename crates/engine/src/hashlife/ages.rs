//! When nodes were last asked for: known only where the tables cannot grow, so that a
//! collection can keep what is in use.
//!
//! What the world and the recursion hold is not what they will ask for next. A gun's stream is
//! a few thousand nodes that are met once in each period, and nothing that is held refers to them.
//! So the results that were used last are kept.

use super::nodes::NODES_PER_LINE;
use std::mem::take;
use std::ops::Range;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// References that a line of nodes has, of which the last stands for nothing.
const SLOTS_PER_LINE: usize = NODES_PER_LINE + 1;

/// So many sixteenths of the table are kept at first, at least and at most.
const INITIAL_SHARE: usize = 9;
const MIN_SHARE: usize = 3;
const MAX_SHARE: usize = 11;

/// So many hundredths of what was kept may have been kept for nothing.
const MAX_IDLE_PERCENT: usize = 40;

/// Ages that are told apart between two collections.
const TICKS: usize = 64;

/// The first age of those since the last collection. An age of 0 is a place's that is free
/// or was not asked for.
const FIRST_RECENT_AGE: usize = 256 - TICKS;

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
            share: INITIAL_SHARE,
        }
    }
}

impl NodeAges {
    /// Bytes beside each line of nodes.
    pub(super) const BYTES_A_LINE: u64 = SLOTS_PER_LINE as u64;

    /// Whether they are known.
    pub(super) fn is_tracking(&self) -> bool {
        !self.ages.is_empty()
    }

    /// From now on they are known, for so many lines of nodes. Those before are taken to be in
    /// the order of their making.
    pub(super) fn start_tracking(&mut self, lines: usize) {
        let (known, all) = (self.ages.len(), SLOTS_PER_LINE * lines);
        let age = |slot: usize| match slot % SLOTS_PER_LINE {
            ..NODES_PER_LINE => FIRST_RECENT_AGE + TICKS * slot / all,
            // No node's.
            _ => 0,
        };
        let ages = (known..all).map(|slot| AtomicU8::new(age(slot) as u8));
        self.ages.extend(ages);
    }

    /// Nodes were asked for, where so many of so many lines have been filled since the last
    /// collection.
    pub(super) fn touch(&self, nodes: &[u32], filled: usize, lines: usize) {
        let now = FIRST_RECENT_AGE + (TICKS * filled / lines).min(TICKS - 1);
        for &node in nodes {
            self.ages[node as usize].store(now as u8, Relaxed);
        }
    }

    /// After a collection, the nodes of some lines are older, and the places of those that were
    /// not kept are free.
    pub(super) fn age_lines(&mut self, lines: Range<usize>, is_kept: impl Fn(u32) -> bool) {
        if !self.is_tracking() {
            return;
        }
        for node in SLOTS_PER_LINE * lines.start..SLOTS_PER_LINE * lines.end {
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
    pub(super) fn adjust_share(&mut self) {
        let idle: usize = self.counts_by_age()[1..FIRST_RECENT_AGE].iter().sum();
        let kept = take(&mut self.kept);
        if kept > 0 {
            let is_worth_it = idle * 100 < kept * MAX_IDLE_PERCENT;
            self.share = if is_worth_it {
                (self.share + 3).min(MAX_SHARE)
            } else {
                (self.share - 1).max(MIN_SHARE)
            };
        }
    }

    /// So many sixteenths of the table are worth keeping for having been asked for.
    pub(super) fn share(&self) -> usize {
        self.share
    }

    /// How many places have each age.
    pub(super) fn counts_by_age(&self) -> [usize; 256] {
        let mut counts = [0; 256];
        for age in &self.ages {
            counts[usize::from(age.load(Relaxed))] += 1;
        }
        counts
    }

    /// Those of some places whose age is one of these.
    pub(super) fn nodes_of_age(
        &self,
        slots: Range<usize>,
        ages: Range<usize>,
    ) -> impl Iterator<Item = u32> {
        let within =
            move |slot: &usize| ages.contains(&usize::from(self.ages[*slot].load(Relaxed)));
        let slots = slots.start.min(self.ages.len())..slots.end.min(self.ages.len());
        slots.filter(within).map(|slot| slot as u32)
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
        assert!(!ages.is_tracking());
        ages.start_tracking(100);
        let of = |ages: &NodeAges, node: usize| ages.ages[node].load(Relaxed);
        assert!(of(&ages, 4) < of(&ages, 200) && of(&ages, 200) < of(&ages, 398));
        ages.touch(&[8], 0, 100);
        ages.touch(&[4, 5], 50, 100);
        ages.touch(&[398], 100, 100);
        assert!(of(&ages, 8) < of(&ages, 4) && of(&ages, 4) < of(&ages, 398));
        assert_eq!((of(&ages, 4), of(&ages, 398)), (of(&ages, 5), 255));
        // A collection later, all that stays is older than what is asked for then.
        ages.age_lines(0..100, |node| node != 5);
        ages.touch(&[9], 0, 100);
        assert!(of(&ages, 398) < of(&ages, 9) && of(&ages, 5) == 0);
        let youngest: Vec<u32> = ages.nodes_of_age(0..1000, FIRST_RECENT_AGE..256).collect();
        assert_eq!(youngest, [9]);
        // However often, it does not become a free place's.
        for _ in 0..9 {
            ages.age_lines(0..100, |node| node != 5);
        }
        assert_eq!((of(&ages, 4), of(&ages, 5)), (1, 0));
        assert_eq!(ages.counts_by_age()[..2], [101, 299]);
        ages.start_tracking(150);
        assert_eq!((ages.bytes(), of(&ages, 4)), (600, 1));
    }
}
