//! What results are worth: tracked only where the tables cannot grow, so that a collection can
//! retain those that are likely to be used again and would take long to compute again.
//!
//! What the world and the recursion refer to is not what they need next: a gun's stream is a
//! few thousand nodes that are used once a period, and nothing refers to them in between. A
//! high node's result costs many of the levels below where these are lost too, and hardly more
//! than its own look-ups where they are not; and what has not been used for long may be what a
//! period comes round to, or may be over. So nothing of this is assumed: results are told
//! apart by height and by the collections since their last use, it is counted how many of each class
//! are used until the next collection, and how many of each height are computed.
//!
//! A use sets a bit, in an array that the caches hold; the next collection counts them. Runs of `nick-gotts-1` in a half of its memory
//! took a tenth longer when each use wrote a byte of the node's own.
//!
//! Classes by age with measured hits are those of N. Beckmann, H. Chen and A. Cidon, "LHD: improving
//! cache hit rate by maximizing hit density" (2018); costs from the counts of computed results are
//! our own method. Kept by credits that grow sixfold with each level instead, a run of
//! `metapixel-p216-gun` in a quarter of its memory computed eleven times what it needed, and now
//! three times.

use super::LEAF;
use super::nodes::{NODES_PER_LINE, NodeTable, SLOTS_PER_LINE};
use std::mem::take;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU32};

/// The share of the table to retain, in sixteenths: at least, at least where that is used, and at
/// most, which is the first. It counts as used if one in so many results is until the next
/// collection.
const MIN_SHARE: usize = 5;
const USEFUL_SHARE: usize = 10;
const MAX_SHARE: usize = 12;
const OFTEN_USED: f64 = 4.0;

/// Lines from which on a table is large enough to retain more than the least share. In a small
/// one, one step's nodes need most of the room.
pub(in crate::hashlife) const SMALL_TABLE: usize = 1 << 14;

/// How many levels above the nodes of four leaves a result counts as high.
const HIGH: usize = 5;

/// If fewer than one in so many computed results are high, a run computes the same low ones again
/// and again: the share is raised. It is lowered again where more than one in so many are.
const TOO_FEW_HIGH: usize = 16;
const ENOUGH_HIGH: usize = 5;

/// So much less is retained while results are high, but for so many collections after they were not.
const SHARE_STEP: usize = 3;
const PATIENCE: usize = 20;

/// Heights above the nodes of four leaves that are told apart; all higher ones are the last.
pub(in crate::hashlife) const HEIGHTS: usize = 16;

/// Numbers of results by height.
pub(in crate::hashlife) type ResultCounts = [usize; HEIGHTS];

/// Ages that are told apart, from 1: used since the last collection. 0 is for slots without a
/// result.
const AGES: usize = 16;

/// One in so many results of an age is a step older after each collection.
const STAY: [u32; AGES] = [1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 9, 12, 16, 24, 32, 32];

/// Of what was counted, so much is left after each collection.
const MEMORY: f64 = 0.9;

/// So much is a use worth that comes a collection later; and where only low results are computed
/// again and again: what a run needs is retained most surely by retaining the same for long.
const DISCOUNT: f64 = 0.9;
const LONG_DISCOUNT: f64 = 0.98;

/// Before any are counted, results are taken to be used with this probability until the next
/// collection, as if that had been found of so many.
const PRIOR: f64 = 0.05;
const PRIOR_WEIGHT: f64 = 50.0;

/// What stepping four leaves costs, in terms of a result that is put together of results.
const LEAF_COST: f64 = 0.3;

/// The results that one is put together of, at most: nine, then four.
const MOST_PARTS: f64 = 13.0;

/// The class of a result that has just been used.
#[inline(always)]
fn fresh(height: u32) -> u8 {
    (height.min(HEIGHTS as u32 - 1) << 4) as u8 | 1
}

/// What is known of a class.
#[derive(Default)]
struct UsageClass {
    /// Results of it that were used since the last collection.
    used_now: u32,
    /// Results that the last collection left in it.
    left_now: u32,
    /// The same in all intervals, of which older ones count less.
    used: f64,
    left: f64,
}

/// A byte for each node slot: the class of its result. Empty while usage is not tracked.
pub(in crate::hashlife) struct NodeAges {
    slots: Vec<AtomicU8>,
    /// A bit for each node slot: whether it was used since the last collection.
    used: Vec<AtomicU32>,
    classes: Vec<UsageClass>,
    /// Results computed, of which older ones count less.
    made: [f64; HEIGHTS],
    /// Differs from collection to collection.
    round: u32,
    /// Sixteenths of the table that the next full collection retains.
    share: usize,
    /// Good collections to wait for before the share is lowered.
    patience: usize,
    /// Results computed since the last collection, and the high ones among them.
    computed: usize,
    high: usize,
}

impl Default for NodeAges {
    fn default() -> Self {
        let mut classes = Vec::new();
        classes.resize_with(HEIGHTS * AGES, UsageClass::default);
        Self {
            slots: Vec::new(),
            used: Vec::new(),
            classes,
            made: [0.0; HEIGHTS],
            round: 0,
            share: MIN_SHARE,
            patience: 0,
            computed: 0,
            high: 0,
        }
    }
}

impl NodeAges {
    /// Bytes for so many lines of nodes.
    pub(in crate::hashlife) fn bytes_of(lines: usize) -> u64 {
        let slots = SLOTS_PER_LINE * lines;
        (slots + 4 * slots.div_ceil(32)) as u64
    }

    /// Whether usage is tracked.
    pub(in crate::hashlife) fn is_tracking(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Tracks usage from now on. Nodes that exist are taken to have been used just now; their
    /// height is found from their children.
    pub(in crate::hashlife) fn start_tracking(&mut self, nodes: &NodeTable) {
        let was_tracking = self.is_tracking();
        let slots = SLOTS_PER_LINE * nodes.lines();
        if self.slots.len() < slots {
            self.slots.resize_with(slots, AtomicU8::default);
            self.used
                .resize_with(slots.div_ceil(32), AtomicU32::default);
        }
        if was_tracking {
            return;
        }
        self.share = self.most_share();
        let above = |class: u8| fresh(u32::from(class >> 4) + 1);
        let known = |child: u32| self.slots[child as usize].load(Relaxed);
        let mut path = Vec::new();
        for at in 0..nodes.used_lines() {
            for node in nodes.nodes_of_line(at) {
                path.push(node);
                while let Some(&lowest) = path.last() {
                    let children = nodes.children(lowest);
                    let has_leaves = children.iter().any(|&child| child & LEAF != 0);
                    let class = if has_leaves {
                        fresh(0)
                    } else {
                        // Of those below, all that are not empty are of the same height.
                        match children.map(known).into_iter().max() {
                            Some(below) if below > 0 => above(below),
                            _ => {
                                path.extend(children.iter().find(|&&child| child != 0));
                                continue;
                            }
                        }
                    };
                    self.slots[lowest as usize].store(class, Relaxed);
                    path.pop();
                }
            }
        }
    }

    /// Marks nodes as used now.
    #[inline(always)]
    pub(in crate::hashlife) fn touch(&self, nodes: &[u32]) {
        let used = self.used.as_slice();
        for &node in nodes {
            let (used, bit) = (&used[node as usize / 32], 1 << (node % 32));
            let before = used.load(Relaxed);
            // A bit that another thread overwrites is lost, which matters little.
            used.store(before | bit, Relaxed);
        }
    }

    /// Notes that results of these nodes were computed just now, so many levels above those of four
    /// leaves.
    #[inline(always)]
    pub(in crate::hashlife) fn note_results(&self, nodes: &[u32], height: u32) {
        let class = fresh(height);
        for &node in nodes {
            self.slots[node as usize].store(class, Relaxed);
        }
    }

    /// Before a collection: makes the results that were used as young as new ones, and counts them.
    fn take_uses(&mut self) {
        for (at, used) in self.used.iter_mut().enumerate() {
            let mut bits = take(used.get_mut());
            while bits != 0 {
                let node = 32 * at + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let class = self.slots[node].get_mut();
                if *class & 15 > 1 {
                    self.classes[usize::from(*class)].used_now += 1;
                    *class = *class & 0xf0 | 1;
                }
            }
        }
    }

    /// Counts results that were computed.
    pub(in crate::hashlife) fn count_results(&mut self, computed: &ResultCounts) {
        self.computed += computed.iter().sum::<usize>();
        self.high += computed[HIGH..].iter().sum::<usize>();
        for (made, &more) in self.made.iter_mut().zip(computed) {
            *made += more as f64;
        }
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
                let sum = |of: fn(&UsageClass) -> f64| self.classes.iter().map(of).sum::<f64>();
                let is_used = sum(|class| class.used) * OFTEN_USED > sum(|class| class.left);
                let least = if is_used { USEFUL_SHARE } else { MIN_SHARE };
                self.share = (self.share - SHARE_STEP).max(least).min(self.most_share());
            }
        }
    }

    /// Whether the table is small.
    pub(in crate::hashlife) fn is_small(&self) -> bool {
        self.slots.len() < SLOTS_PER_LINE * SMALL_TABLE
    }

    fn most_share(&self) -> usize {
        if self.is_small() {
            MIN_SHARE
        } else {
            MAX_SHARE
        }
    }

    /// Sixteenths of the table that a full collection retains for use.
    pub(in crate::hashlife) fn share(&self) -> usize {
        self.share
    }

    /// Before a collection: the classes, those of the greatest worth first. To a collection that
    /// frees `only_young` results, others are of no concern.
    pub(in crate::hashlife) fn rank_classes(&mut self, only_young: bool) -> Vec<u8> {
        for class in &mut self.classes {
            let used = take(&mut class.used_now);
            class.used = class.used * MEMORY + f64::from(used);
            class.left = class.left * MEMORY + f64::from(take(&mut class.left_now));
        }
        let discount = if self.share == MAX_SHARE {
            LONG_DISCOUNT
        } else {
            DISCOUNT
        };
        let mut worth = Vec::new();
        let mut cost = LEAF_COST;
        for height in 0..HEIGHTS {
            if height > 0 {
                // Results of the level below that had to be computed for one of this.
                let [below, here] = [self.made[height - 1], self.made[height]];
                let parts = if here > 0.0 { below / here } else { MOST_PARTS };
                cost = 1.0 + parts.min(MOST_PARTS) * cost;
            }
            let mut older = PRIOR;
            for age in (1..AGES).rev() {
                let class = &self.classes[height << 4 | age];
                let chance = (class.used + PRIOR * PRIOR_WEIGHT) / (class.left + PRIOR_WEIGHT);
                let chance = chance.min(1.0);
                // The uses to come are worth what they are now, or a collection later at this age
                // or the next.
                let stays = (1.0 - chance) * discount;
                let moves = 1.0 / f64::from(STAY[age]);
                older = (chance + stays * moves * older) / (1.0 - stays * (1.0 - moves));
                worth.push((older * cost, (height << 4 | age) as u8));
            }
        }
        for made in &mut self.made {
            *made *= MEMORY;
        }
        if only_young {
            worth.retain(|(_, class)| class & 15 == 1);
        }
        worth.sort_by(|a, b| b.0.total_cmp(&a.0));
        worth.into_iter().map(|(_, class)| class).collect()
    }

    /// Before the sweep of a collection.
    pub(in crate::hashlife) fn begin_aging(&mut self) {
        self.take_uses();
        self.round = self.round.wrapping_add(1).wrapping_mul(0x85eb_ca6b);
    }

    /// After the sweep of a line, in which `known` has a bit for each node that is left with a
    /// result: makes these older, and forgets the others.
    #[inline(always)]
    pub(in crate::hashlife) fn age_line(&mut self, at: usize, known: u8) {
        let Some(line) = self.slots.as_chunks::<SLOTS_PER_LINE>().0.get(at) else {
            return;
        };
        for (k, slot) in line[..NODES_PER_LINE].iter().enumerate() {
            let class = slot.load(Relaxed);
            // Multiples of the golden ratio are spread evenly; each round has others.
            let node = (SLOTS_PER_LINE * at + k) as u32;
            let random = (node ^ self.round).wrapping_mul(0x9e37_79b9) >> 16;
            let age = usize::from(class & 15);
            let moves = age + 1 < AGES && random * STAY[age] < 1 << 16;
            let stays = known >> k & u8::from(class > 0);
            let older = (class + u8::from(moves)) * stays;
            self.classes[usize::from(older)].left_now += u32::from(stays);
            slot.store(older, Relaxed);
        }
    }

    /// After a sweep: nodes in flight are about to be used, which tells nothing.
    pub(in crate::hashlife) fn refresh(&mut self, nodes: &[u32]) {
        for &node in nodes.iter().filter(|&&node| node & LEAF == 0) {
            if let Some(slot) = self.slots.get_mut(node as usize)
                && *slot.get_mut() > 0
            {
                *slot.get_mut() = *slot.get_mut() & 0xf0 | 1;
            }
        }
    }

    /// The number of slots of each class, with what was used until now.
    pub(in crate::hashlife) fn count_classes(&mut self) -> [usize; HEIGHTS * AGES] {
        self.take_uses();
        // In turns, since a count is not ready when its neighbour's class is the same.
        let mut counts = [[0; HEIGHTS * AGES]; 2];
        for slots in self.slots.as_chunks::<2>().0 {
            for (counts, slot) in counts.iter_mut().zip(slots) {
                counts[usize::from(slot.load(Relaxed))] += 1;
            }
        }
        std::array::from_fn(|class| counts[0][class] + counts[1][class])
    }

    /// Lists those of some slots whose class is wanted.
    pub(in crate::hashlife) fn list_slots(
        &self,
        slots: Range<usize>,
        is_wanted: &[bool; HEIGHTS * AGES],
        list: &mut Vec<u32>,
    ) {
        let slots = slots.start.min(self.slots.len())..slots.end.min(self.slots.len());
        list.resize(slots.len() + 1, 0);
        let mut count = 0;
        for (slot, class) in slots.clone().zip(&self.slots[slots]) {
            list[count] = slot as u32;
            count += usize::from(is_wanted[usize::from(class.load(Relaxed))]);
        }
        list.truncate(count);
    }

    /// Ends the list where a table of so many lines does.
    pub(in crate::hashlife) fn truncate(&mut self, lines: usize) {
        let slots = SLOTS_PER_LINE * lines;
        self.slots.truncate(slots);
        self.slots.shrink_to_fit();
        self.used.truncate(slots.div_ceil(32));
        self.used.shrink_to_fit();
    }

    pub(in crate::hashlife) fn bytes(&self) -> u64 {
        (self.slots.len() + 4 * self.used.len()) as u64
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

    fn age(ages: &mut NodeAges, lines: usize, known: u8) {
        ages.begin_aging();
        (0..lines).for_each(|at| ages.age_line(at, known));
    }

    #[test]
    fn results_grow_older_until_they_are_used_or_freed() {
        let mut ages = tracking(100);
        let of = |ages: &NodeAges, node: usize| ages.slots[node].load(Relaxed);
        ages.note_results(&[4, 5], 0);
        ages.note_results(&[8, 9], 1);
        ages.note_results(&[12], 40);
        assert_eq!(
            [16, 4, 8, 12].map(|node| of(&ages, node)),
            [0, 1, 0x11, 0xf1]
        );
        for _ in 0..3 {
            // Only those in slots 0 of their lines are left.
            age(&mut ages, 100, 0b001);
        }
        assert_eq!(
            [4, 5, 8, 9, 12].map(|node| of(&ages, node)),
            [4, 0, 0x14, 0, 0xf4]
        );
        // What has no result is of no age, used or not.
        ages.touch(&[4, 5, 4]);
        ages.take_uses();
        assert_eq!(ages.classes[4].used_now, 1);
        ages.refresh(&[12, 16, LEAF | 3]);
        assert_eq!([4, 5, 12, 16].map(|node| of(&ages, node)), [1, 0, 0xf1, 0]);
        let mut wanted = [false; HEIGHTS * AGES];
        (wanted[1], wanted[0x14]) = (true, true);
        let mut list = Vec::new();
        ages.list_slots(0..1000, &wanted, &mut list);
        assert_eq!(list, [4, 8]);
        assert_eq!(ages.count_classes()[..2], [397, 1]);
        for _ in 0..2000 {
            age(&mut ages, 100, 0b111);
        }
        assert_eq!([4, 8, 12].map(|node| of(&ages, node)), [15, 0x1f, 0xff]);
        assert_eq!((ages.bytes(), NodeAges::bytes_of(100)), (452, 452));
        ages.truncate(2);
        assert_eq!((ages.bytes(), NodeAges::bytes_of(2)), (12, 12));
    }

    /// Before anything is known, what is high comes first; then what is used again does, and
    /// what its parts are computed for.
    #[test]
    fn what_is_used_again_and_dear_is_worth_most() {
        let mut ages = tracking(500);
        let place = |order: &[u8], class: u8| order.iter().position(|&at| at == class).unwrap();
        let order = ages.rank_classes(false);
        assert_eq!(order.len(), HEIGHTS * (AGES - 1));
        assert!(
            place(&order, 0xf1) < place(&order, 0x31) && place(&order, 0x31) < place(&order, 1)
        );
        assert!(ages.rank_classes(true).iter().all(|class| class & 15 == 1));
        // Where all parts are known, a high result costs no more than others.
        ages.count_results(&[1000; HEIGHTS]);
        let low: Vec<u32> = (1..200).filter(|node| node % 4 < 3).collect();
        let high: Vec<u32> = (201..400).filter(|node| node % 4 < 3).collect();
        for _ in 0..4 {
            ages.note_results(&low, 2);
            for &node in &high {
                ages.slots[node as usize].store(fresh(4), Relaxed);
            }
            age(&mut ages, 500, 0b111);
            ages.touch(&low);
            ages.take_uses();
            let order = ages.rank_classes(false);
            assert!(place(&order, 0x22) < place(&order, 0x42));
        }
        // Where they have to be computed each time, it does.
        let mut made = [0; HEIGHTS];
        (made[2], made[3], made[4]) = (1_000_000, 100_000, 10_000);
        ages.count_results(&made);
        let order = ages.rank_classes(false);
        assert!(place(&order, 0x41) < place(&order, 0x21), "{order:?}");
    }

    #[test]
    fn more_is_retained_where_only_low_results_are_computed() {
        let mut ages = tracking(SMALL_TABLE);
        let mut collect = |high: usize| {
            let mut computed = [0; HEIGHTS];
            (computed[0], computed[HIGH]) = (1000 - high, high);
            ages.count_results(&computed);
            ages.adjust_share();
            ages.share()
        };
        let shares = [500, 500, 500, 2, 2, 500].map(&mut collect);
        assert_eq!(shares, [9, 6, 5, 7, 9, 9]);
        for _ in 0..PATIENCE + 3 {
            collect(500);
        }
        assert_eq!(collect(500), MIN_SHARE);
        // What is used is retained, and again after it was not.
        (ages.classes[1].used, ages.classes[1].left) = (100.0, 300.0);
        for share in [MAX_SHARE, MIN_SHARE] {
            ages.share = share;
            let shares = [0; 2].map(|_| {
                let mut computed = [0; HEIGHTS];
                computed[HIGH] = 1000;
                ages.count_results(&computed);
                ages.adjust_share();
                ages.share()
            });
            assert_eq!(shares, [USEFUL_SHARE; 2], "from {share}");
        }
        let mut small = tracking(100);
        assert!(small.is_small());
        small.adjust_share();
        assert_eq!(small.share(), MIN_SHARE);
    }
}
