//! When nodes were last used. Tracked only where the tables cannot grow, so that a collection
//! can retain recently used results.
//!
//! What the world and the recursion refer to is not what they need next: a gun's stream is a
//! few thousand nodes that are used once a period, and nothing refers to them in between.
//!
//! Own method: a rough order of last use, by epochs.

use super::nodes::NODES_PER_LINE;
use std::mem::take;
use std::ops::Range;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// Ids that a line of nodes spans; the last stands for no node.
const SLOTS_PER_LINE: usize = NODES_PER_LINE + 1;

/// The share of the table to retain, in sixteenths: at first, at least and at most.
const INITIAL_SHARE: usize = 9;
const MIN_SHARE: usize = 3;
const MAX_SHARE: usize = 11;

/// The percentage of retained nodes that may remain unused until the next collection.
const MAX_IDLE_PERCENT: usize = 40;

/// Ages that are told apart between two collections.
const TICKS: usize = 64;

/// The lowest age since the last collection. Age 0 is of slots that are free or were not used.
const FIRST_RECENT_AGE: usize = 256 - TICKS;

/// A byte for each node slot, the greater the later it was used; empty while usage is not
/// tracked.
pub(in crate::hashlife) struct NodeAges {
    ages: Vec<AtomicU8>,
    /// Nodes with an age that the last collection retained.
    kept: usize,
    /// Sixteenths of the table that the next collection retains.
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
    /// Bytes for each line of nodes.
    pub(in crate::hashlife) const BYTES_A_LINE: u64 = SLOTS_PER_LINE as u64;

    /// Whether usage is tracked.
    pub(in crate::hashlife) fn is_tracking(&self) -> bool {
        !self.ages.is_empty()
    }

    /// Tracks usage from now on, for this many lines of nodes. Those that exist are taken to
    /// have been used in order of creation.
    pub(in crate::hashlife) fn start_tracking(&mut self, lines: usize) {
        let (known, all) = (self.ages.len(), SLOTS_PER_LINE * lines);
        let age = |slot: usize| match slot % SLOTS_PER_LINE {
            ..NODES_PER_LINE => FIRST_RECENT_AGE + TICKS * slot / all,
            // No node has this id.
            _ => 0,
        };
        let ages = (known..all).map(|slot| AtomicU8::new(age(slot) as u8));
        self.ages.extend(ages);
    }

    /// Marks nodes as used now, when `filled` of the `lines` have been filled since the last
    /// collection.
    pub(in crate::hashlife) fn touch(&self, nodes: &[u32], filled: usize, lines: usize) {
        let now = FIRST_RECENT_AGE + (TICKS * filled / lines).min(TICKS - 1);
        for &node in nodes {
            self.ages[node as usize].store(now as u8, Relaxed);
        }
    }

    /// After a collection: makes the nodes of some lines older, and clears the ages of those
    /// that were freed.
    pub(in crate::hashlife) fn age_lines(
        &mut self,
        lines: Range<usize>,
        is_kept: impl Fn(u32) -> bool,
    ) {
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

    /// Before a collection: raises the share to retain if most of what the last one retained
    /// was used, and lowers it if not.
    pub(in crate::hashlife) fn adjust_share(&mut self) {
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

    /// Sixteenths of the table to retain for recent use.
    pub(in crate::hashlife) fn share(&self) -> usize {
        self.share
    }

    /// The number of slots of each age.
    pub(in crate::hashlife) fn counts_by_age(&self) -> [usize; 256] {
        let mut counts = [0; 256];
        for age in &self.ages {
            counts[usize::from(age.load(Relaxed))] += 1;
        }
        counts
    }

    /// Those of some slots whose age is in this range.
    pub(in crate::hashlife) fn nodes_of_age(
        &self,
        slots: Range<usize>,
        ages: Range<usize>,
    ) -> impl Iterator<Item = u32> {
        let within =
            move |slot: &usize| ages.contains(&usize::from(self.ages[*slot].load(Relaxed)));
        let slots = slots.start.min(self.ages.len())..slots.end.min(self.ages.len());
        slots.filter(within).map(|slot| slot as u32)
    }

    pub(in crate::hashlife) fn bytes(&self) -> u64 {
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
        // After a collection, survivors are older than what is used since.
        ages.age_lines(0..100, |node| node != 5);
        ages.touch(&[9], 0, 100);
        assert!(of(&ages, 398) < of(&ages, 9) && of(&ages, 5) == 0);
        let youngest: Vec<u32> = ages.nodes_of_age(0..1000, FIRST_RECENT_AGE..256).collect();
        assert_eq!(youngest, [9]);
        // However often that happens, their age stays above that of free slots.
        for _ in 0..9 {
            ages.age_lines(0..100, |node| node != 5);
        }
        assert_eq!((of(&ages, 4), of(&ages, 5)), (1, 0));
        assert_eq!(ages.counts_by_age()[..2], [101, 299]);
        ages.start_tracking(150);
        assert_eq!((ages.bytes(), of(&ages, 4)), (600, 1));
    }
}
