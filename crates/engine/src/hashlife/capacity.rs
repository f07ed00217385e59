//! Growth of the tables, and garbage collection when they cannot grow.
//!
//! Memory is taken before nodes are evicted: evicting first keeps tables small, and took up to ten
//! times as long for what had to be computed again. The exception is a table of 40 MiB or more of
//! which a thirtieth or less is in use: it is emptied and filled again. Where tables cannot grow, a
//! collection retains recently used results too, dear ones longest (`ages`), and batches are smaller,
//! so that the recursion goes deep in time before it comes to the next nodes. Leaves that were made
//! while nothing was freed take up to a third of a bound; once fewer are used, those that stay are
//! moved together and the nodes get the rest.

use super::store::ages::{NodeAges, SMALL_TABLE};
use super::store::collection::{GarbageCollection, RetentionPolicy};
use super::store::index::{BucketIndex, BucketProbe};
use super::store::leaves::LeafTable;
use super::store::maintenance::StoreMaintenance;
use super::store::nodes::{EMPTY, NODES_PER_LINE, SLOTS_PER_LINE};
use super::store::{LEAF, NodeStore, hash_leaf};
use std::ops::Range;
use std::thread;

/// If a collection leaves more than this many sixteenths of the table of nodes, or of leaves, the
/// next one would follow too soon.
const MAX_SURVIVING_SIXTEENTHS: usize = 14;
const MAX_SURVIVING_LEAF_SIXTEENTHS: usize = 15;

/// Node lines from which on tables grow by half instead of doubling, since their indices would
/// be too large.
const LARGE_LINES: usize = 3 << 19;

/// Nodes or lines that are indexed together.
const BATCH: usize = 32;

/// Node lines from which on a collection is tried before the tables grow far: some 40 MiB with
/// their index.
const COLLECT_FIRST_LINES: usize = 1 << 19;

/// A collection that leaves at most one in this many nodes is preferred to growth. Patterns had
/// to recompute two to twelve times what a collection had left.
const SMALL_SHARE: usize = 30;

/// Hundredths of the leaves that there are, to which their table grows at the cost of nodes.
const LEAST_LEAF_PERCENT: usize = 110;
const MOST_LEAF_PERCENT: usize = 150;

/// Node lines that make it worthwhile to start a thread to index them.
const MIN_LINES_PER_THREAD: usize = 1 << 12;

/// The outcome of a request for more capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrowthOutcome {
    /// There is free space.
    Available,
    /// It takes longer, and the caller interrupted it.
    Interrupted,
    /// There cannot be enough to make progress.
    Insufficient,
}

impl NodeStore {
    /// Makes space for more nodes within `memory` bytes: grows the tables if possible, and else
    /// frees what neither the roots nor the nodes in flight need.
    ///
    /// Memoised results are worth their memory, even once they have been used: tables that were
    /// kept small by evicting them took several times as long. Yet what has to be recomputed
    /// after a collection is a small multiple of what it left, so where it leaves little of a
    /// large table, it is cheaper than growth.
    pub(super) fn ensure_capacity(
        &mut self,
        memory: u64,
        roots: Vec<u32>,
        in_flight: Vec<u32>,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> GrowthOutcome {
        let is_full = (self.nodes.is_full(), self.leaves.is_full());
        self.is_crowded = false;
        if self.collect_before_growing && is_full.0 {
            let before = self.collections;
            self.collect_before_growing = false;
            self.collect(
                roots.clone(),
                in_flight.clone(),
                RetentionPolicy::AllIfSmall,
            );
            if !self.run_maintenance(keep_going) {
                return GrowthOutcome::Interrupted;
            }
            if self.collections > before {
                return GrowthOutcome::Available;
            }
        }
        // Where memory was full before, what a table of leaves has given back is little.
        let least = if self.is_scarce() { 110 } else { 120 };
        if !self.grow_within(is_full, memory, least) {
            self.ages.start_tracking(&self.nodes);
            self.ages.adjust_share();
            if self.may_keep_old() {
                self.collect(roots.clone(), in_flight.clone(), RetentionPolicy::Minor);
                if !self.run_maintenance(keep_going) {
                    return GrowthOutcome::Interrupted;
                }
                if !self.is_crowded {
                    return GrowthOutcome::Available;
                }
            }
            let policy = if self.collections < self.strict_until {
                RetentionPolicy::RootsAndRecent
            } else {
                RetentionPolicy::AllAndRecent
            };
            self.collect(roots, in_flight, policy);
        }
        if !self.run_maintenance(keep_going) {
            return GrowthOutcome::Interrupted;
        }
        if self.is_crowded && !self.grow_within(is_full, memory, 110) {
            return GrowthOutcome::Insufficient;
        }
        if self.run_maintenance(keep_going) {
            GrowthOutcome::Available
        } else {
            GrowthOutcome::Interrupted
        }
    }

    /// Whether a minor collection is worth its while.
    fn may_keep_old(&self) -> bool {
        let old = self.old_marks.as_ref();
        !self.ages.is_small() && old.is_some_and(|old| old.allow_minor(self))
    }

    /// The capacities of the tables: lines of nodes, and leaves.
    pub(super) fn capacity(&self) -> (usize, usize) {
        (self.nodes.lines(), self.leaves.capacity())
    }

    /// Starts a collection that retains what the roots reach, and the nodes in flight with
    /// their results.
    pub(super) fn collect(
        &mut self,
        roots: Vec<u32>,
        in_flight: Vec<u32>,
        policy: RetentionPolicy,
    ) {
        let collection = GarbageCollection::new(self, roots, in_flight, policy);
        self.maintenance = Some(StoreMaintenance::for_collection(collection));
    }

    /// Whether this many nodes are a small share of the table.
    pub(super) fn is_small_share(&self, nodes: usize) -> bool {
        nodes <= NODES_PER_LINE * self.nodes.lines() / SMALL_SHARE
    }

    /// Whether the last collection left so much that the next one would follow soon.
    pub(super) fn left_too_much(&self) -> bool {
        let (nodes, leaves) = self.survivors;
        nodes > NODES_PER_LINE * self.nodes.lines() * MAX_SURVIVING_SIXTEENTHS / 16
            || leaves > self.leaves.capacity() * MAX_SURVIVING_LEAF_SIXTEENTHS / 16
    }

    /// Grows the tables by half, whatever the budget.
    pub(super) fn grow(&mut self) {
        self.resize_tables(self.nodes.lines() * 3 / 2, self.leaves.capacity() * 3 / 2);
        self.run_maintenance(&mut || true);
    }

    /// Grows the tables that are full, by `least` hundredths to twice their size, provided that
    /// they fit in memory when they are full again.
    fn grow_within(
        &mut self,
        (no_nodes, no_leaves): (bool, bool),
        memory: u64,
        least: usize,
    ) -> bool {
        let (lines, leaves) = (self.nodes.lines(), self.leaves.capacity());
        let used_leaves = self.leaves.used_slots().max(4);
        let used_lines = (self.nodes.bytes() / 64).max(4) as usize;
        let plan = |percent: usize| {
            let wanted = |is_full: bool, room: usize, used: usize| {
                let wanted = used * percent / 100;
                if is_full { wanted.max(room + 1) } else { room }
            };
            (
                wanted(no_nodes, lines, used_lines),
                wanted(no_leaves, leaves, used_leaves),
            )
        };
        let fits = |percent: &usize| {
            let (lines, leaves) = plan(*percent);
            // Leaves become more as nodes do.
            let leaves_then = used_leaves * percent / 100;
            let lines_then = lines.min(used_lines * percent / 100);
            let indices = BucketIndex::bytes_for(NODES_PER_LINE * lines)
                + BucketIndex::bytes_for(leaves.max(leaves_then));
            self.bytes_of(lines_then, leaves_then) + self.use_bytes(lines, leaves) + indices
                <= memory
        };
        // Lines for which the index is large enough already.
        let named = self.node_index.capacity() / NODES_PER_LINE;
        if no_nodes && !no_leaves && named > lines {
            let indices = 64 * (self.node_index.len() + self.leaf_index.len()) as u64;
            if self.bytes_of(named, leaves) + self.use_bytes(named, leaves) + indices <= memory {
                self.resize_tables(named, leaves);
                return true;
            }
        }
        let most = if lines < LARGE_LINES { 200 } else { 150 };
        let Some(percent) = (least..=most).rev().find(fits) else {
            let is_large = used_lines >= SMALL_TABLE;
            return no_leaves && !no_nodes && is_large && self.give_room_to_leaves(memory);
        };
        let (lines, leaves) = plan(percent);
        self.resize_tables(lines, leaves);
        true
    }

    /// Bytes for what is known of the use of so many lines of nodes, for the marks of a collection, and
    /// for summaries.
    fn use_bytes(&self, lines: usize, leaves: usize) -> u64 {
        let summaries = SLOTS_PER_LINE as u64 * self.summary_bytes_an_id;
        NodeAges::bytes_of(lines) + summaries * lines as u64 + (lines / 2 + leaves / 8) as u64
    }

    /// Bytes of this many lines of nodes and this many leaves, each with an entry of the free list.
    fn bytes_of(&self, lines: usize, leaves: usize) -> u64 {
        let leaf = LeafTable::bytes_of(self.leaves.leaf_words()) + 4;
        64 * lines as u64 + leaf * leaves as u64
    }

    /// Where the leaves are full: ends the table of nodes where none has been made yet, and grows that
    /// of leaves by as much. Whether that is worthwhile. `waterbear` in a half of its memory lacked a
    /// tenth of its leaves, and took four times as long as with them.
    fn give_room_to_leaves(&mut self, memory: u64) -> bool {
        let lines = (self.nodes.bytes() / 64) as usize;
        let used = self.leaves.used_slots();
        let named = NODES_PER_LINE * lines;
        let fits = |percent: &usize| {
            let leaves = used * percent / 100;
            let indices = BucketIndex::bytes_for(named) + BucketIndex::bytes_for(leaves);
            self.bytes_of(lines, leaves) + self.use_bytes(lines, leaves) + indices <= memory
        };
        let percent = (LEAST_LEAF_PERCENT..=MOST_LEAF_PERCENT).rev().find(fits);
        let Some(percent) = percent.filter(|_| lines < self.nodes.lines()) else {
            return false;
        };
        self.old_marks = None;
        self.nodes.truncate(lines);
        self.ages.truncate(lines);
        self.node_index.shrink(named);
        self.leaves.grow(used * percent / 100);
        self.leaf_index.grow(used * percent / 100);
        self.maintenance = Some(StoreMaintenance::after_growth(true, true));
        true
    }

    /// Resizes the tables. A large node table first grows a little only; a collection is then
    /// tried before the rest.
    fn resize_tables(&mut self, lines: usize, leaves: usize) {
        self.old_marks = None;
        let (mut more_nodes, mut more_leaves) = (false, false);
        let before = self.nodes.lines();
        if lines > before {
            more_nodes = NODES_PER_LINE * lines > self.node_index.capacity();
            self.collect_before_growing = more_nodes && before >= COLLECT_FIRST_LINES;
            let first = if self.collect_before_growing {
                before * 6 / 5
            } else {
                lines
            };
            self.nodes.grow(lines.min(first));
            if self.is_scarce() {
                self.ages.start_tracking(&self.nodes);
            }
        }
        if leaves > self.leaves.capacity() {
            self.leaves.grow(leaves);
            more_leaves = leaves > self.leaf_index.capacity();
        }
        if more_nodes {
            self.node_index.grow(NODES_PER_LINE * lines);
        }
        if more_leaves {
            self.leaf_index.grow(leaves);
        }
        self.maintenance = Some(StoreMaintenance::after_growth(more_nodes, more_leaves));
    }

    /// Inserts the nodes of some lines into the index.
    pub(super) fn index_nodes(&self, lines: Range<usize>) {
        let piece = lines.len().div_ceil(self.threads).max(MIN_LINES_PER_THREAD);
        if piece >= lines.len() {
            return self.index_lines(lines);
        }
        thread::scope(|scope| {
            for start in (lines.start + piece..lines.end).step_by(piece) {
                let piece = start..(start + piece).min(lines.end);
                let own = piece.clone();
                let help = move || self.index_lines(piece);
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    self.index_lines(own);
                }
            }
            self.index_lines(lines.start..lines.start + piece);
        });
    }

    fn index_lines(&self, lines: Range<usize>) {
        let mut nodes = [0; NODES_PER_LINE * BATCH];
        let mut pairs = [EMPTY; NODES_PER_LINE * BATCH];
        let mut probes = [BucketProbe::default(); NODES_PER_LINE * BATCH];
        for start in lines.clone().step_by(BATCH) {
            let some = start..(start + BATCH).min(lines.end);
            let count = self.nodes.list_nodes(some, &mut nodes, &mut pairs);
            self.node_index.probe_all(&pairs[..count], &mut probes);
            self.node_index
                .insert_all(&probes[..count], &nodes[..count]);
        }
    }

    /// Inserts the leaves in some slots into the index.
    pub(super) fn index_leaves(&self, slots: Range<usize>, is_present: impl Fn(u32) -> bool) {
        let mut leaves = [0; BATCH];
        let mut probes = [BucketProbe::default(); BATCH];
        for start in slots.clone().step_by(BATCH) {
            let mut count = 0;
            for slot in start..(start + BATCH).min(slots.end) {
                let leaf = LEAF | slot as u32;
                if is_present(leaf) {
                    let probe = self.leaf_index.probe(hash_leaf(&self.leaf(leaf)));
                    self.leaf_index.prefetch_bucket(probe);
                    (leaves[count], probes[count]) = (leaf, probe);
                    count += 1;
                }
            }
            self.leaf_index
                .insert_all(&probes[..count], &leaves[..count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitLeafKind;
    use super::*;
    use dice::Dice;
    use kernel::BitKernel;

    /// Nodes are found again after the tables have grown several times.
    #[test]
    fn squares_stay_where_they_are_and_are_found_where_tables_grow() {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), 1 << 20);
        let mut made: Vec<(u32, [u32; 4], [u64; 4])> = Vec::new();
        let mut dice = Dice::new(1);
        let mut grown = 0;
        for i in 0..20_000_u64 {
            let word = dice.word();
            let cells = [
                word & 0xffff_ffff | i << 32,
                7,
                1 | 2 << 32,
                3 | word >> 32 << 32,
            ];
            let below = made.get((word >> 40) as usize % (made.len() + 1));
            let below = below.map_or(0, |&(node, ..)| node);
            let children = [0, below, (word >> 33) as u32, 0];
            let both = loop {
                if let (Ok(leaf), Ok(node)) =
                    (store.intern_leaf(&cells), store.intern_node(children))
                {
                    break (leaf, node);
                }
                store.grow();
                grown += 1;
            };
            made.push((both.0, [0; 4], cells));
            made.push((both.1, children, [0; 4]));
        }
        assert!(grown > 4, "{grown}");
        for &(node, children, cells) in &made {
            if cells == [0; 4] {
                assert_eq!(store.children(node), children);
                assert_eq!(store.intern_node(children), Ok(node));
            } else {
                assert_eq!(store.leaf(node)[..], cells);
                assert_eq!(store.intern_leaf(&cells), Ok(node));
            }
        }
        assert_eq!(
            store.nodes.all().count() + store.leaves.used_slots(),
            40_000
        );
    }

    /// A store with large tables that are full of parents of leaves, and these nodes.
    fn filled() -> (NodeStore, Vec<u32>) {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), 1 << 30);
        let leaf = |k: u32| store.intern_leaf(&[u64::from(k) + 1, 0, 0, 0]).unwrap();
        let leaves: Vec<u32> = (0..60).map(leaf).collect();
        let mut made = Vec::new();
        fill(&mut store, &leaves, &mut made, |store| {
            let is_large = store.collect_before_growing;
            if !is_large {
                store.grow();
            }
            !is_large
        });
        (store, made)
    }

    /// Makes nodes until the tables are full and `more` gives up.
    fn fill(
        store: &mut NodeStore,
        leaves: &[u32],
        made: &mut Vec<u32>,
        mut more: impl FnMut(&mut NodeStore) -> bool,
    ) {
        loop {
            let digit = |k: u32| leaves[made.len() / 60_usize.pow(k) % 60];
            match store.intern_node(std::array::from_fn(|k| digit(k as u32))) {
                Ok(node) => made.push(node),
                Err(_) => {
                    if !more(store) {
                        return;
                    }
                }
            }
        }
    }

    /// Where memory ends, the table of nodes does not take what leaves need as they become more.
    #[test]
    fn leaves_get_their_share_of_the_last_room() {
        let (mut store, mut made) = filled();
        let intern = |store: &NodeStore, k: usize| store.intern_leaf(&[0, k as u64 + 1, 0, 0]);
        let most = store.leaves.capacity();
        let leaves: Vec<u32> = (0..most * 15 / 16)
            .map(|k| intern(&store, k).unwrap())
            .collect();
        let (memory, lines) = (store.bytes() * 3 / 2, store.nodes.lines());
        fill(&mut store, &leaves[..60], &mut made, |store| {
            store.grow_within((true, false), memory, 120) && store.run_maintenance(&mut || true)
        });
        assert!(store.nodes.lines() > lines && store.leaves.capacity() == most);
        let full = (0..).find(|&k| intern(&store, k).is_err());
        assert!(full.is_some_and(|k| k > leaves.len()), "{full:?}");
        assert!(store.grow_within((false, true), memory, 110));
    }

    #[test]
    fn large_tables_are_emptied_before_they_grow_where_little_stays() {
        let (mut store, mut made) = filled();
        let lines = store.nodes.lines();
        let kept: Vec<u32> = made.iter().copied().step_by(1000).collect();
        let children: Vec<_> = kept.iter().map(|&node| store.children(node)).collect();
        let keep_going: &mut dyn FnMut() -> bool = &mut || true;
        let room = store.ensure_capacity(1 << 30, kept.clone(), Vec::new(), keep_going);
        assert_eq!(
            (room, store.collections(), store.nodes.lines()),
            (GrowthOutcome::Available, 1, lines)
        );
        for (&node, &children) in kept.iter().zip(&children) {
            assert_eq!(store.children(node), children);
            assert_eq!(store.intern_node(children), Ok(node));
        }
        // The second time, they grow.
        let leaves: Vec<u32> = (0..60).map(|k| LEAF | k).collect();
        fill(&mut store, &leaves, &mut made, |_| false);
        assert_eq!(
            store.ensure_capacity(1 << 30, kept, Vec::new(), keep_going),
            GrowthOutcome::Available
        );
        assert_eq!(store.collections(), 1);
        assert!(store.nodes.lines() > lines);
    }

    /// Of results that nothing refers to, recently used ones are retained with their
    /// descendants; others are freed. A minor collection leaves what is old as it is.
    #[test]
    fn what_was_used_of_late_stays_where_memory_is_full() {
        const MEMORY: u64 = 1 << 20;
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), MEMORY);
        let leaf = |store: &NodeStore, k: u32| store.intern_leaf(&[u64::from(k) + 1, 0, 0, 0]);
        let leaves: Vec<u32> = (0..60).map(|k| leaf(&store, k).unwrap()).collect();
        let keep_going: &mut dyn FnMut() -> bool = &mut || true;
        let mut made = Vec::new();
        // When memory is full for the first time, usage is not tracked yet.
        for round in 0..2 {
            fill(&mut store, &leaves, &mut made, |store| {
                let is_scarce = store.is_scarce();
                if !is_scarce {
                    let room = store.ensure_capacity(MEMORY, Vec::new(), Vec::new(), keep_going);
                    assert_eq!(room, GrowthOutcome::Available);
                }
                !is_scarce && !store.is_scarce()
            });
            assert_eq!(store.collections(), 1, "round {round}");
            if round == 0 {
                made.clear();
            }
        }
        let used: Vec<u32> = made.iter().copied().step_by(7).collect();
        let unused = made.iter().filter(|node| !used.contains(node));
        let unused: Vec<u32> = unused.copied().collect();
        for &node in &made {
            store.nodes.memoise(node, 1, leaves[0]);
        }
        let children: Vec<_> = used.iter().map(|&node| store.children(node)).collect();
        store.ages.note_results(&used, 5);
        let room = store.ensure_capacity(MEMORY, Vec::new(), Vec::new(), keep_going);
        assert_eq!((room, store.collections()), (GrowthOutcome::Available, 2));
        for (&node, &children) in used.iter().zip(&children) {
            assert_eq!(store.intern_node(children), Ok(node));
            assert_eq!(store.nodes.live_result(node), Some(leaves[0]));
        }
        let stay = unused
            .iter()
            .filter(|&&node| store.nodes.live_result(node).is_some());
        assert_eq!(stay.count(), 0);
        assert!(!unused.is_empty() && store.bytes() < MEMORY + 4096);
        // A minor collection retains what is old, used or not, and of the rest what was used.
        let before = made.len();
        fill(&mut store, &leaves, &mut made, |_| false);
        let young = &made[before..];
        for &node in young {
            store.nodes.memoise(node, 1, leaves[1]);
        }
        let late: Vec<u32> = young.iter().copied().step_by(20).collect();
        store.ages.note_results(&late, 0);
        store.collect(Vec::new(), Vec::new(), RetentionPolicy::Minor);
        assert!(store.run_maintenance(keep_going));
        for (&node, &children) in used.iter().zip(&children) {
            assert_eq!(store.intern_node(children), Ok(node));
            assert_eq!(store.nodes.live_result(node), Some(leaves[0]));
        }
        for (i, &node) in young.iter().enumerate() {
            let left = (i % 20 == 0).then_some(leaves[1]);
            assert_eq!(store.nodes.live_result(node), left);
        }
        assert!(young.len() > 1000);
    }

    /// Where more leaves were made once than are used since, those that stay are moved together,
    /// and the rest of their table is given back.
    #[test]
    fn leaves_are_moved_together_where_few_are_left() {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), 1 << 24);
        store.nodes.grow(1 << 15);
        let capacity = store.leaves.capacity();
        let cells = |k: usize| [k as u64 + 1, 2, 3, k as u64];
        let mut kept = Vec::new();
        for k in 0..capacity * 2 / 3 {
            let leaf = store.intern_leaf(&cells(k)).unwrap();
            if k % 40 == 0 {
                let node = store.intern_node([0, leaf, 0, leaf]).unwrap();
                let above = store.intern_node([node, 0, 0, 0]).unwrap();
                store.nodes.memoise(node, 1, leaf);
                kept.push((k, node, above));
            }
        }
        store.ages.start_tracking(&store.nodes);
        assert_eq!(store.ages.count_classes()[1], kept.len());
        assert_eq!(store.ages.count_classes()[0x11], kept.len());
        let roots: Vec<u32> = kept
            .iter()
            .flat_map(|&(_, node, above)| [node, above])
            .collect();
        let mut asked = 0;
        for round in 0..2 {
            let in_flight = roots.clone();
            store.collect(roots.clone(), in_flight, RetentionPolicy::RootsOnly);
            while !store.run_maintenance(&mut || false) {
                asked += 1;
                // In the midst of it, the world is whole.
                for &(k, node, _) in &kept {
                    let [_, leaf, _, other] = store.children(node);
                    assert_eq!((store.leaf(leaf)[..] == cells(k), leaf), (true, other));
                }
            }
            let less = store.leaves.capacity() < capacity / 4;
            assert_eq!(less, round == 1, "{} leaves", store.leaves.capacity());
        }
        assert!(asked > 10);
        assert_eq!(store.leaves.count(), kept.len());
        for &(k, node, above) in &kept {
            let leaf = store.intern_leaf(&cells(k)).unwrap();
            assert_eq!(store.intern_node([0, leaf, 0, leaf]), Ok(node));
            assert_eq!(store.intern_node([node, 0, 0, 0]), Ok(above));
            assert_eq!(store.nodes.live_result(node), Some(leaf));
        }
        assert_eq!(store.leaves.count(), kept.len());
        // What is free is used again, and what was given back can be had again.
        let free = store.leaves.capacity() - kept.len();
        for k in 0..free {
            assert!(store.intern_leaf(&[9, 9, 9, k as u64]).is_ok());
        }
        assert!(store.intern_leaf(&[8; 4]).is_err());
        store.grow();
        assert!(store.intern_leaf(&[8; 4]).is_ok());
        for &(k, node, _) in &kept {
            assert_eq!(store.leaf(store.children(node)[1])[..], cells(k));
        }
    }

    #[test]
    fn large_tables_grow_where_much_stays() {
        let (mut store, made) = filled();
        let lines = store.nodes.lines();
        let kept: Vec<u32> = made.into_iter().step_by(20).collect();
        // However often it is interrupted.
        let mut asked = 0;
        let mut keep_going = || {
            asked += 1;
            asked % 3 == 0
        };
        let mut room = store.ensure_capacity(1 << 30, kept.clone(), Vec::new(), &mut keep_going);
        while room == GrowthOutcome::Interrupted {
            if store.run_maintenance(&mut keep_going) {
                room = store.ensure_capacity(1 << 30, kept.clone(), Vec::new(), &mut keep_going);
            }
        }
        assert_eq!((room, store.collections()), (GrowthOutcome::Available, 0));
        assert!(store.nodes.lines() > lines);
    }
}
