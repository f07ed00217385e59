//! The mark phase of the garbage collector, which is incremental: marks what can be reached
//! and, where memory is scarce, what was used recently and is worth most.
//!
//! Mark and sweep is J. McCarthy's ("Recursive functions of symbolic expressions and their
//! computation by machine, part I", 1960). A minor collection retains all that the one before did:
//! nodes that survived keep their marks, so only what was made since is looked at. That is the
//! sticky mark bit of A. Demers, M. Weiser, B. Hayes, H. Boehm, D. Bobrow and S. Shenker ("Combining
//! generational and conservative garbage collection: framework and implementations", 1990). It takes
//! a third of the time, so a full one follows only when a little more has been retained.

use super::leaves::MovedLeaves;
use super::nodes::{NO_RESULT, NODES_PER_LINE};
use super::{LEAF, NodeStore};
use std::mem::take;
use std::sync::Arc;

/// Sixteenths of a table that may be kept for being reachable through results: more leave too
/// little to recently used nodes.
const MAX_REACHABLE_SIXTEENTHS: usize = 8;

/// Sixteenths of the table of leaves that may be retained for use, and that a minor collection may
/// begin with.
const MAX_LEAF_SIXTEENTHS: usize = 14;
const MAX_OLD_LEAF_SIXTEENTHS: usize = 13;

/// A minor collection retains so many more sixteenths of a table, up to so many more than a full one
/// does, and up to so many in all.
const MINOR_STEP: usize = 1;
const MINOR_STEPS: usize = 4;
const MAX_OLD_SIXTEENTHS: usize = 12;

/// Nodes that are prefetched together, and how far ahead in a list.
const BATCH: usize = 64;
const PREFETCH_DISTANCE: usize = 8;

/// What a collection retains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hashlife) enum RetentionPolicy {
    /// All that can be reached, results included; if that is not a small part of the tables,
    /// nothing is freed.
    AllIfSmall,
    /// All that can be reached, results included, unless that is too much; and what was used
    /// recently.
    AllAndRecent,
    /// What the last collection retained, what can be reached without results, and what was used
    /// since.
    Minor,
    /// What can be reached without results, and what was used recently.
    RootsAndRecent,
    /// What can be reached without results.
    RootsOnly,
}

/// What a collection has marked: bits for nodes and leaves, and their numbers.
pub(in crate::hashlife) struct SurvivorMarks {
    nodes: Arc<Vec<u64>>,
    leaves: Vec<u64>,
    marked: usize,
    marked_leaves: usize,
}

impl SurvivorMarks {
    /// Bytes in use, without the bits of nodes, which the store has too.
    pub(in crate::hashlife) fn bytes(&self) -> u64 {
        8 * self.leaves.len() as u64
    }

    /// Whether little enough is retained for a minor collection.
    pub(in crate::hashlife) fn allow_minor(&self, store: &NodeStore) -> bool {
        let most = (store.ages.share() + MINOR_STEP * (MINOR_STEPS - 1)).min(MAX_OLD_SIXTEENTHS);
        let leaves = store.leaves.capacity() * MAX_OLD_LEAF_SIXTEENTHS / 16;
        self.marked <= sixteenths_of(store, most) && self.marked_leaves <= leaves
    }
}

/// So many sixteenths of the table of nodes.
fn sixteenths_of(store: &NodeStore, sixteenths: usize) -> usize {
    NODES_PER_LINE * store.nodes.lines() * sixteenths / 16
}

/// The state of a collection.
pub(in crate::hashlife) struct GarbageCollection {
    /// Nodes to retain with all their descendants.
    roots: Vec<u32>,
    /// Nodes of an interrupted step: their results are retained too.
    in_flight: Vec<u32>,
    pub(in crate::hashlife) policy: RetentionPolicy,
    /// Mark bits, one for each slot of the nodes and of the leaves.
    nodes: Vec<u64>,
    leaves: Vec<u64>,
    /// Marked nodes whose children have not been marked yet (grey, in tri-colour terms).
    unscanned: Vec<u32>,
    /// Whether the results of marked nodes are marked too.
    with_results: bool,
    /// How many nodes and leaves are marked.
    pub(in crate::hashlife) marked: usize,
    marked_leaves: usize,
    /// How many nodes may be marked for their use.
    most_used: usize,
    /// The classes of nodes, those worth most first, once they are needed; how many of them have been
    /// scanned or are, which these are, and the number of nodes of each class.
    ranked: Option<Vec<u8>>,
    next_rank: usize,
    is_scanned: [bool; 256],
    counts: [usize; 256],
    /// Nodes of these classes.
    list: Vec<u32>,
    /// Whether what was marked for its use fills the share that it may take.
    has_filled_share: bool,
    /// Nodes retained, among those that were swept.
    pub(in crate::hashlife) survivors: usize,
    /// Leaves that have been copied to where the table is to end before them.
    pub(in crate::hashlife) moved: Option<MovedLeaves>,
}

impl GarbageCollection {
    /// A new collection; marks the roots.
    pub(in crate::hashlife) fn new(
        store: &NodeStore,
        roots: Vec<u32>,
        in_flight: Vec<u32>,
        policy: RetentionPolicy,
    ) -> Self {
        let mut collection = Self {
            roots: Vec::new(),
            in_flight: Vec::new(),
            policy,
            nodes: vec![0; (4 * store.nodes.lines()).div_ceil(64)],
            leaves: vec![0; store.leaves.capacity().div_ceil(64)],
            unscanned: Vec::new(),
            with_results: matches!(
                policy,
                RetentionPolicy::AllIfSmall | RetentionPolicy::AllAndRecent
            ),
            marked: 0,
            marked_leaves: 0,
            most_used: sixteenths_of(store, store.ages.share()),
            ranked: None,
            next_rank: 0,
            is_scanned: [false; 256],
            counts: [0; 256],
            list: Vec::new(),
            has_filled_share: false,
            survivors: 0,
            moved: None,
        };
        // The empty node, so that it need not be told from others.
        collection.nodes[0] |= 1;
        if policy == RetentionPolicy::Minor
            && let Some(old) = &store.old_marks
        {
            collection.nodes[..old.nodes.len()].copy_from_slice(&old.nodes);
            collection.leaves[..old.leaves.len()].copy_from_slice(&old.leaves);
            (collection.marked, collection.marked_leaves) = (old.marked, old.marked_leaves);
            let more = old.marked + sixteenths_of(store, MINOR_STEP);
            collection.most_used = collection.most_used.max(more);
        }
        for &node in roots.iter().chain(&in_flight) {
            collection.mark(node);
        }
        for &node in in_flight.iter().filter(|&&node| node & LEAF == 0) {
            let (tag, result) = store.nodes.result(node);
            if tag != NO_RESULT {
                collection.mark(result);
            }
        }
        (collection.roots, collection.in_flight) = (roots, in_flight);
        collection
    }

    /// Starts again, without the results of all.
    pub(in crate::hashlife) fn restart_stricter(&mut self, store: &NodeStore) -> Self {
        let (roots, in_flight) = (take(&mut self.roots), take(&mut self.in_flight));
        Self::new(store, roots, in_flight, RetentionPolicy::RootsAndRecent)
    }

    /// Whether a node is retained, once marking is complete.
    pub(in crate::hashlife) fn is_marked(&self, node: u32) -> bool {
        let slot = (node & !LEAF) as usize;
        let marks = if node & LEAF == 0 {
            &self.nodes
        } else {
            &self.leaves
        };
        marks[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// Where leaves are to be moved: marks the copies instead of them. Not where a root is a leaf.
    pub(in crate::hashlife) fn move_leaves(&mut self, store: &mut NodeStore, capacity: usize) {
        if self.roots.iter().any(|&root| root & LEAF != 0) {
            return;
        }
        let moved = store.leaves.evacuate(capacity, |leaf| self.is_marked(leaf));
        for &slot in moved
            .slots
            .iter()
            .filter(|&&slot| slot != MovedLeaves::FREED)
        {
            self.leaves[slot as usize / 64] |= 1 << (slot % 64);
        }
        self.moved = Some(moved);
    }

    /// A bit for each slot of a line of nodes: whether it is retained.
    #[inline(always)]
    pub(in crate::hashlife) fn marked_slots(&self, line: usize) -> u8 {
        (self.nodes[line / 16] >> (line % 16 * 4)) as u8
    }

    /// The bits of nodes, one for each id, once all were swept.
    pub(in crate::hashlife) fn take_node_marks(&mut self) -> Vec<u64> {
        take(&mut self.nodes)
    }

    /// The nodes that were in flight.
    pub(in crate::hashlife) fn in_flight(&self) -> &[u32] {
        &self.in_flight
    }

    /// What a collection that is complete has marked, these nodes among it, if ids are what they
    /// were.
    pub(in crate::hashlife) fn into_marks(self, nodes: &Arc<Vec<u64>>) -> Option<SurvivorMarks> {
        self.moved.is_none().then_some(SurvivorMarks {
            nodes: Arc::clone(nodes),
            leaves: self.leaves,
            marked: self.marked,
            marked_leaves: self.marked_leaves,
        })
    }

    #[inline]
    fn mark(&mut self, id: u32) {
        if id & LEAF != 0 {
            self.mark_leaf(id);
        } else if self.mark_node(id) {
            self.unscanned.push(id);
            self.marked += 1;
        }
    }

    #[inline(always)]
    fn mark_leaf(&mut self, leaf: u32) {
        let slot = (leaf & !LEAF) as usize;
        let (word, bit) = (&mut self.leaves[slot / 64], 1 << (slot % 64));
        self.marked_leaves += usize::from(*word & bit == 0);
        *word |= bit;
    }

    /// Whether it was not marked. New ones are counted where they are put among the unscanned: counted
    /// here, rustc 1.95 left the count out of some builds, and a collection retained all that there was.
    #[inline(always)]
    fn mark_node(&mut self, node: u32) -> bool {
        let slot = node as usize;
        let (word, bit) = (&mut self.nodes[slot / 64], 1 << (slot % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Marks the children of up to `count` marked nodes. Whether marking is complete.
    pub(in crate::hashlife) fn mark_pending(&mut self, store: &NodeStore, count: usize) -> bool {
        let nodes = &store.nodes;
        let mut batch = [0; BATCH];
        for _ in 0..count.div_ceil(BATCH) {
            let rest = self.unscanned.len().saturating_sub(BATCH);
            let some = &mut batch[..self.unscanned.len() - rest];
            some.copy_from_slice(&self.unscanned[rest..]);
            some.iter().for_each(|&node| nodes.prefetch(node));
            self.unscanned.resize(rest + 5 * BATCH, 0);
            let mut end = rest;
            for &node in &*some {
                let [nw, ne, sw, se] = nodes.children(node);
                let result = match nodes.result(node) {
                    (tag, result) if self.with_results && tag != NO_RESULT => result,
                    _ => 0,
                };
                let below = [nw, ne, sw, se, result];
                // If one is a leaf, all are that are not empty.
                if (nw | ne | sw | se) & LEAF != 0 {
                    for &leaf in below.iter().filter(|&&leaf| leaf != 0) {
                        self.mark_leaf(leaf);
                    }
                    continue;
                }
                for node in below {
                    self.unscanned[end] = node;
                    end += usize::from(self.mark_node(node));
                }
            }
            self.unscanned.truncate(end);
            self.marked += end - rest;
            if self.unscanned.is_empty() {
                break;
            }
        }
        self.unscanned.is_empty()
    }

    /// Whether more than this many sixteenths of a table are marked.
    fn exceeds_share(&self, store: &NodeStore, sixteenths: usize) -> bool {
        let (nodes, leaves) = self.room(store, sixteenths);
        self.marked > nodes || self.marked_leaves > leaves
    }

    /// So many sixteenths of the tables: nodes and leaves.
    fn room(&self, store: &NodeStore, sixteenths: usize) -> (usize, usize) {
        (
            sixteenths_of(store, sixteenths),
            store.leaves.capacity() * sixteenths / 16,
        )
    }

    /// Whether too much can be reached for this policy, so that a stricter one should be used.
    pub(in crate::hashlife) fn exceeds_limit(&self, store: &NodeStore) -> bool {
        self.policy == RetentionPolicy::AllAndRecent
            && self.exceeds_share(store, MAX_REACHABLE_SIXTEENTHS)
    }

    /// Whether the classes of nodes have been ranked, if they are needed.
    pub(in crate::hashlife) fn is_ranked(&self) -> bool {
        self.ranked.is_some()
            || matches!(
                self.policy,
                RetentionPolicy::AllIfSmall | RetentionPolicy::RootsOnly
            )
    }

    /// Ranks the classes of nodes by what their results are worth.
    pub(in crate::hashlife) fn rank(&mut self, store: &mut NodeStore) {
        self.with_results = false;
        self.counts = store.ages.count_classes();
        self.ranked = Some(
            store
                .ages
                .rank_classes(self.policy == RetentionPolicy::Minor),
        );
    }

    /// Marks nodes that have results, those worth most first, as long as they fit. Scans `count` slots
    /// starting with `from`, or marks children. Returns the slot to continue with, or nothing
    /// when it is complete.
    pub(in crate::hashlife) fn mark_recent(
        &mut self,
        store: &NodeStore,
        from: usize,
        count: usize,
    ) -> Option<usize> {
        if self.next_rank == 0 {
            self.choose_classes()?;
        }
        if !self.unscanned.is_empty() {
            self.mark_pending(store, count);
            return Some(from);
        }
        if self.has_filled_share {
            return None;
        }
        let leaf_share = if store.ages.is_small() {
            store.ages.share()
        } else {
            MAX_LEAF_SIXTEENTHS
        };
        let (_, most_leaves) = self.room(store, leaf_share);
        let mut list = take(&mut self.list);
        let slots = from..from + count;
        store.ages.list_slots(slots, &self.is_scanned, &mut list);
        for (i, &node) in list.iter().enumerate() {
            if let Some(&ahead) = list.get(i + PREFETCH_DISTANCE) {
                store.nodes.prefetch(ahead);
            }
            if let Some(result) = store.nodes.live_result(node) {
                self.mark(node);
                self.mark(result);
                if self.unscanned.len() >= BATCH {
                    // What they bring along counts too.
                    self.mark_pending(store, count);
                }
                if self.marked > self.most_used || self.marked_leaves > most_leaves {
                    self.has_filled_share = true;
                    break;
                }
            }
        }
        self.list = list;
        if !self.unscanned.is_empty() || from + count < 4 * store.nodes.used_lines() {
            return Some(from + count);
        }
        self.choose_classes()
    }

    /// Chooses the next classes to scan: as many as will most likely fit, one at least. Nodes bring
    /// their descendants along, so these are as many as would fill two thirds of what is left.
    /// Returns the first slot.
    fn choose_classes(&mut self) -> Option<usize> {
        let left = self.most_used.checked_sub(self.marked)?;
        if left < self.most_used / 32 {
            return None;
        }
        let mut budget = left / 3 * 2;
        self.is_scanned = [false; 256];
        let first = self.next_rank;
        let ranked = self.ranked.as_deref()?;
        while let Some(&class) = ranked.get(self.next_rank) {
            match budget.checked_sub(self.counts[usize::from(class)]) {
                Some(less) => budget = less,
                None if self.next_rank == first => budget = 0,
                None => break,
            }
            self.is_scanned[usize::from(class)] = true;
            self.next_rank += 1;
        }
        (self.next_rank > first).then_some(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hashlife::bits::BitLeafKind;
    use dice::Dice;
    use kernel::BitKernel;

    /// All that is marked is counted: a collection ends where that fills the share that it may take.
    #[test]
    fn what_is_marked_is_counted() {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), 1 << 20);
        let mut dice = Dice::new(1);
        let mut nodes = Vec::new();
        for _ in 0..1000 {
            let leaf = store.intern_leaf(&[dice.word(); 4]).unwrap();
            let node = store.intern_node([leaf, 0, 0, leaf]).unwrap();
            store.nodes.memoise(node, 1, leaf);
            nodes.push(node);
        }
        let above = store
            .intern_node([nodes[0], nodes[1], nodes[2], 0])
            .unwrap();
        let count = |collection: &GarbageCollection| {
            let bits = collection.nodes.iter().map(|word| word.count_ones());
            // the empty node is marked too
            bits.sum::<u32>() as usize - 1
        };
        let in_flight = nodes[100..400].to_vec();
        let policy = RetentionPolicy::AllAndRecent;
        let mut collection = GarbageCollection::new(&store, vec![above], in_flight, policy);
        assert_eq!((collection.marked, count(&collection)), (301, 301));
        assert!(collection.mark_pending(&store, 1000));
        assert_eq!((collection.marked, count(&collection)), (304, 304));
        store.ages.start_tracking(&store.nodes);
        collection.most_used = 500;
        collection.rank(&mut store);
        let mut from = 0;
        while let Some(next) = collection.mark_recent(&store, from, 100) {
            assert_eq!(collection.marked, count(&collection), "from {from}");
            from = next;
        }
        assert_eq!((collection.marked, count(&collection)), (501, 501));
    }
}
