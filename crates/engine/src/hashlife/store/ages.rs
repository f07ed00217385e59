//! What nodes are worth: tracked only where the tables cannot grow, so that a collection can
//! retain results that were used of late and would take long to compute again.
//!
//! What the world and the recursion refer to is not what they need next: a gun's stream is a
//! few thousand nodes that are used once a period, and nothing refers to them in between. A
//! result of a high node costs many of the levels below, so it is worth many of them: kept by
//! last use alone, a run whose inner loop did not fit came round to nothing but what had just
//! been freed (`puzzle` in a quarter of its memory took over twenty times as long, and now a few).
//!
//! A node has a credit that is its cost when it is used. A collection frees those of least
//! credit, and lowers all others by as much as the dearest that it freed. That is the algorithm
//! GreedyDual of N. E. Young ("On-line caching as cache size varies", 1991), with costs that grow
//! with the level; the byte that holds the logarithm of a credit, and is lowered by chance, is our
//! own method.

use super::LEAF;
use super::nodes::{NODES_PER_LINE, NodeTable};
use std::mem::take;
use std::ops::Range;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

/// Ids that a line of nodes spans; the last stands for no node.
const SLOTS_PER_LINE: usize = NODES_PER_LINE + 1;

/// The share of the table to retain, in sixteenths: at least, and at most, which is the first.
const MIN_SHARE: usize = 5;
const MAX_SHARE: usize = 12;

/// How many levels above the nodes of four leaves a result counts as high.
pub(in crate::hashlife) const HIGH: u32 = 5;

/// If fewer than one in so many computed results are high, a run computes the same low ones again
/// and again: the share is raised. It is lowered again where more than one in so many are.
const TOO_FEW_HIGH: usize = 16;
const ENOUGH_HIGH: usize = 5;

/// Slots from which on a table is large enough to retain more than the least share.
const SMALL_TABLE: usize = 1 << 16;

/// So much less is retained while results are high, but for so many collections after they were not.
const SHARE_STEP: usize = 3;
const PATIENCE: usize = 20;

/// A result is taken to cost so many times as much as one of a node a level below. Anything from
/// four to ten does as well.
const COST_RATIO: f64 = 6.0;

/// Credits are told apart in so many steps for a level.
const STEPS_PER_LEVEL: u8 = 8;

/// The credit of a node of four leaves that has just been used. Slots without a node have 0.
const LEAST_CREDIT: u8 = 8;

/// The credit of a node that is so many levels above those of four leaves, when it is used.
#[inline(always)]
fn full_credit(height: u32) -> u8 {
    (u32::from(LEAST_CREDIT) + u32::from(STEPS_PER_LEVEL) * height).min(255) as u8
}

/// A byte for each node slot: its credit, as a logarithm. Empty while usage is not tracked.
pub(in crate::hashlife) struct NodeAges {
    credits: Vec<AtomicU8>,
    /// During a collection: what becomes of each credit. It is lowered to the first, and to one
    /// more in as many of 256 nodes as the second says.
    lowered: Vec<(u8, u8)>,
    /// Differs from collection to collection.
    round: u32,
    /// Sixteenths of the table that the next collection retains.
    share: usize,
    /// Good collections to wait for before the share is lowered.
    patience: usize,
    /// Results computed since the last collection, and the high ones among them.
    computed: usize,
    high: usize,
}

impl Default for NodeAges {
    fn default() -> Self {
        Self {
            credits: Vec::new(),
            lowered: Vec::new(),
            round: 0,
            share: MIN_SHARE,
            patience: 0,
            computed: 0,
            high: 0,
        }
    }
}

impl NodeAges {
    /// Bytes for each line of nodes.
    pub(in crate::hashlife) const BYTES_A_LINE: u64 = SLOTS_PER_LINE as u64;

    /// Whether usage is tracked.
    pub(in crate::hashlife) fn is_tracking(&self) -> bool {
        !self.credits.is_empty()
    }

    /// Tracks usage from now on. Nodes that exist are taken to have been used just now: their
    /// credit is that of their level, which is found from their children.
    pub(in crate::hashlife) fn start_tracking(&mut self, nodes: &NodeTable) {
        let was_tracking = self.is_tracking();
        let slots = SLOTS_PER_LINE * nodes.lines();
        if self.credits.len() < slots {
            self.credits.resize_with(slots, AtomicU8::default);
        }
        if was_tracking {
            return;
        }
        self.share = self.most_share();
        let used = (SLOTS_PER_LINE * nodes.used_lines()) as u32;
        let mut path = Vec::new();
        for node in (1..used).filter(|&node| nodes.is_used(node)) {
            let mut lowest = node;
            let mut credit = loop {
                let known = self.credits[lowest as usize].load(Relaxed);
                if known > 0 {
                    break known.saturating_add(STEPS_PER_LEVEL);
                }
                path.push(lowest);
                let mut children = nodes.children(lowest).into_iter();
                match children.find(|&child| child != 0) {
                    Some(child) if child & LEAF == 0 => lowest = child,
                    _ => break LEAST_CREDIT,
                }
            };
            while let Some(node) = path.pop() {
                self.credits[node as usize].store(credit, Relaxed);
                credit = credit.saturating_add(STEPS_PER_LEVEL);
            }
        }
    }

    /// Marks nodes as used now, so many levels above those of four leaves.
    pub(in crate::hashlife) fn touch(&self, nodes: &[u32], height: u32) {
        let credit = full_credit(height);
        for &node in nodes {
            self.credits[node as usize].store(credit, Relaxed);
        }
    }

    /// Counts results that were computed, and the high ones among them.
    pub(in crate::hashlife) fn count_results(&mut self, computed: usize, high: usize) {
        self.computed += computed;
        self.high += high;
    }

    /// Before a collection: retains more if what was computed since the last one was hardly
    /// anything but low results, and less if it was not.
    pub(in crate::hashlife) fn adjust_share(&mut self) {
        let (computed, high) = (take(&mut self.computed), take(&mut self.high));
        if high * TOO_FEW_HIGH < computed {
            self.share = (self.share + 2).min(self.most_share());
            self.patience = PATIENCE;
        } else if high * ENOUGH_HIGH > computed {
            if self.patience > 0 {
                self.patience -= 1;
            } else {
                self.share = (self.share - SHARE_STEP).max(MIN_SHARE);
            }
        }
    }

    /// The most to retain. In a small table, one step's nodes need most of the room.
    fn most_share(&self) -> usize {
        if self.credits.len() < SMALL_TABLE {
            MIN_SHARE
        } else {
            MAX_SHARE
        }
    }

    /// Sixteenths of the table to retain for recent use.
    pub(in crate::hashlife) fn share(&self) -> usize {
        self.share
    }

    /// Prepares [`NodeAges::age_lines`] where nodes below this credit were freed.
    pub(in crate::hashlife) fn begin_aging(&mut self, freed_below: usize) {
        let (least, steps) = (f64::from(LEAST_CREDIT), f64::from(STEPS_PER_LEVEL));
        let cost = |credit: f64| COST_RATIO.powf((credit - least) / steps);
        let spent = cost(freed_below as f64 - 1.0);
        let lowered = |credit: u8| {
            let left = (cost(f64::from(credit)) - spent).max(f64::MIN_POSITIVE);
            let credit = (least + steps * left.log(COST_RATIO)).clamp(1.0, 255.0);
            (credit as u8, (credit.fract() * 256.0) as u8)
        };
        self.lowered = (0..=u8::MAX).map(lowered).collect();
        self.round = self.round.wrapping_add(1).wrapping_mul(0x85eb_ca6b);
    }

    /// After a collection: lowers the credit of the nodes of some lines, and clears that of those
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
            let credit = self.credits[node].load(Relaxed);
            if credit == 0 {
                continue;
            }
            let left = if is_kept(node as u32) {
                let (lower, chance) = self.lowered[usize::from(credit)];
                // Multiples of the golden ratio are spread evenly; each round has others.
                let random = (node as u32 ^ self.round).wrapping_mul(0x9e37_79b9);
                let random = (random >> 24) as u8;
                lower + u8::from(random < chance)
            } else {
                0
            };
            self.credits[node].store(left, Relaxed);
        }
    }

    /// The number of slots of each credit.
    pub(in crate::hashlife) fn counts_by_credit(&self) -> [usize; 256] {
        let mut counts = [0; 256];
        for credit in &self.credits {
            counts[usize::from(credit.load(Relaxed))] += 1;
        }
        counts
    }

    /// Those of some slots whose credit is in this range.
    pub(in crate::hashlife) fn nodes_of_credit(
        &self,
        slots: Range<usize>,
        credits: Range<usize>,
    ) -> impl Iterator<Item = u32> {
        let within =
            move |slot: &usize| credits.contains(&usize::from(self.credits[*slot].load(Relaxed)));
        let slots = slots.start.min(self.credits.len())..slots.end.min(self.credits.len());
        slots.filter(within).map(|slot| slot as u32)
    }

    pub(in crate::hashlife) fn bytes(&self) -> u64 {
        self.credits.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tracking(lines: usize) -> NodeAges {
        let mut ages = NodeAges::default();
        assert!(!ages.is_tracking());
        ages.start_tracking(&NodeTable::new(lines, lines));
        assert!(ages.is_tracking());
        ages
    }

    #[test]
    fn what_was_used_and_is_dear_keeps_its_credit_longest() {
        let mut ages = tracking(100);
        let of = |ages: &NodeAges, node: usize| ages.credits[node].load(Relaxed);
        ages.touch(&[4, 5], 0);
        ages.touch(&[8, 9], 1);
        ages.touch(&[12], 40);
        assert_eq!((of(&ages, 16), of(&ages, 4), of(&ages, 12)), (0, 8, 255));
        // Whatever cost as little as what was freed has nothing left, dearer nodes have.
        for _ in 0..3 {
            ages.begin_aging(9);
            ages.age_lines(0..100, |node| node != 9);
        }
        let after = [4, 8, 9, 12].map(|node| of(&ages, node));
        assert!(after[0] == 1 && after[1] > 8 && after[1] < 16, "{after:?}");
        assert_eq!(after[2..], [0, 255]);
        // What is used again has all of it, and what is freed none.
        ages.touch(&[4], 0);
        assert_eq!(of(&ages, 4), 8);
        let dearest: Vec<u32> = ages.nodes_of_credit(0..1000, 9..256).collect();
        assert_eq!(dearest, [8, 12]);
        assert_eq!(ages.counts_by_credit()[..2], [396, 1]);
        // However much is spent, the credit of a node stays above that of a free slot.
        ages.begin_aging(255);
        ages.age_lines(0..100, |_| true);
        assert_eq!([4, 5, 8].map(|node| of(&ages, node)), [1, 1, 1]);
        assert_eq!(ages.bytes(), 400);
    }

    /// On average, a credit falls by what was spent.
    #[test]
    fn a_credit_is_spent_after_as_many_collections_as_it_is_worth() {
        let mut ages = tracking(500);
        let nodes: Vec<u32> = (1..2000).filter(|node| node % 4 < 3).collect();
        ages.touch(&nodes, 2);
        let mut collections = 0;
        while ages.nodes_of_credit(0..2000, 9..256).count() > nodes.len() / 2 && collections < 99 {
            ages.begin_aging(9);
            ages.age_lines(0..500, |_| true);
            collections += 1;
        }
        // 36 times as much as a node of four leaves.
        assert!((24..50).contains(&collections), "{collections}");
    }

    #[test]
    fn more_is_retained_where_only_low_results_are_computed() {
        let mut ages = tracking(SMALL_TABLE / 4);
        let mut shares = Vec::new();
        for high in [500, 500, 500, 500, 2, 2, 2, 2, 500] {
            ages.count_results(1000, high);
            ages.adjust_share();
            shares.push(ages.share());
        }
        assert_eq!(shares, [9, 6, 5, 5, 7, 9, 11, 12, 12]);
        for _ in 0..PATIENCE + 3 {
            ages.count_results(1000, 500);
            ages.adjust_share();
        }
        assert_eq!(ages.share(), MIN_SHARE);
    }
}
