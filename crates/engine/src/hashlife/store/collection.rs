//! The mark phase of the garbage collector, which is incremental: marks what can be reached
//! and, where memory is scarce, what was used recently.
//!
//! Mark and sweep is J. McCarthy's ("Recursive functions of symbolic expressions and their
//! computation by machine, part I", 1960).

use super::leaves::MovedLeaves;
use super::nodes::{NO_RESULT, NODES_PER_LINE};
use super::{LEAF, NodeStore};
use std::mem::take;
use std::ops::Range;

/// Sixteenths of a table that may be kept for being reachable through results: more leave too
/// little to recently used nodes.
const MAX_REACHABLE_SIXTEENTHS: usize = 8;

/// Nodes that are prefetched together.
const BATCH: usize = 64;

/// What a collection retains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hashlife) enum RetentionPolicy {
    /// All that can be reached, results included; if that is not a small part of the tables,
    /// nothing is freed.
    AllIfSmall,
    /// All that can be reached, results included, unless that is too much; and what was used
    /// recently.
    AllAndRecent,
    /// What can be reached without results, and what was used recently.
    RootsAndRecent,
    /// What can be reached without results.
    RootsOnly,
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
    /// The range of credits that is being scanned, and the number of nodes of each credit.
    credits: Range<usize>,
    counts: [usize; 256],
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
            credits: 256..256,
            counts: [0; 256],
            has_filled_share: false,
            survivors: 0,
            moved: None,
        };
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

    fn mark(&mut self, node: u32) {
        let slot = (node & !LEAF) as usize;
        if node & LEAF != 0 {
            self.marked_leaves += usize::from(!self.is_marked(node));
            self.leaves[slot / 64] |= 1 << (slot % 64);
        } else if node != 0 && self.nodes[slot / 64] >> (slot % 64) & 1 == 0 {
            self.nodes[slot / 64] |= 1 << (slot % 64);
            self.marked += 1;
            self.unscanned.push(node);
        }
    }

    /// Marks the children of up to `count` marked nodes. Whether marking is complete.
    pub(in crate::hashlife) fn mark_pending(&mut self, store: &NodeStore, count: usize) -> bool {
        let nodes = &store.nodes;
        let mut quadrants = Vec::with_capacity(5 * BATCH);
        for _ in 0..count.div_ceil(BATCH) {
            let rest = self.unscanned.len().saturating_sub(BATCH);
            self.unscanned[rest..]
                .iter()
                .for_each(|&node| nodes.prefetch(node));
            quadrants.clear();
            for &node in &self.unscanned[rest..] {
                quadrants.extend(nodes.children(node));
                let (tag, result) = nodes.result(node);
                if self.with_results && tag != NO_RESULT {
                    quadrants.push(result);
                }
            }
            self.unscanned.truncate(rest);
            for &node in &quadrants {
                self.mark(node);
            }
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
            NODES_PER_LINE * store.nodes.lines() * sixteenths / 16,
            store.leaves.capacity() * sixteenths / 16,
        )
    }

    /// Whether too much can be reached for this policy, so that a stricter one should be used.
    pub(in crate::hashlife) fn exceeds_limit(&self, store: &NodeStore) -> bool {
        self.policy == RetentionPolicy::AllAndRecent
            && self.exceeds_share(store, MAX_REACHABLE_SIXTEENTHS)
    }

    /// Marks nodes that have results and were used, the greatest credit first, as long as they fit.
    /// Scans `count` slots starting with `from`, or marks children. Returns the slot to
    /// continue with, or nothing when it is complete.
    pub(in crate::hashlife) fn mark_recent(
        &mut self,
        store: &NodeStore,
        from: usize,
        count: usize,
    ) -> Option<usize> {
        if !store.is_scarce()
            || !matches!(
                self.policy,
                RetentionPolicy::AllAndRecent | RetentionPolicy::RootsAndRecent
            )
        {
            return None;
        }
        if self.credits.start == 256 && !self.has_filled_share {
            self.with_results = false;
            self.counts = store.ages.counts_by_credit();
            self.select_credits(store)?;
        }
        if !self.unscanned.is_empty() {
            self.mark_pending(store, count);
            return Some(from);
        }
        if self.has_filled_share {
            return None;
        }
        let most = self.room(store, store.ages.share());
        for node in store
            .ages
            .nodes_of_credit(from..from + count, self.credits.clone())
        {
            if self.is_marked(node) {
                continue;
            }
            if let Some(result) = store.nodes.live_result(node) {
                self.mark(node);
                self.mark(result);
                if self.unscanned.len() >= BATCH {
                    // What they bring along counts too.
                    self.mark_pending(store, count);
                }
                if self.marked > most.0 || self.marked_leaves > most.1 {
                    self.has_filled_share = true;
                    self.credits.start = self.credits.end;
                    break;
                }
            }
        }
        if !self.unscanned.is_empty() || from + count < 4 * store.nodes.used_lines() {
            return Some(from + count);
        }
        self.select_credits(store)
    }

    /// Nodes below this credit were not retained for their use; 0 where none was.
    pub(in crate::hashlife) fn freed_below(&self) -> usize {
        self.credits.start % 256
    }

    /// Chooses the next credits to scan: as many as will surely fit, one at least. Nodes bring
    /// their descendants along, so these are as many as would fill half of what is left. Returns
    /// the first slot.
    fn select_credits(&mut self, store: &NodeStore) -> Option<usize> {
        let (most, _) = self.room(store, store.ages.share());
        let left = most.checked_sub(self.marked)?;
        if left < most / 32 {
            return None;
        }
        let end = self.credits.start;
        let mut budget = left / 2;
        let mut start = end;
        while start > 1 {
            match budget.checked_sub(self.counts[start - 1]) {
                Some(less) => budget = less,
                None if start == end => budget = 0,
                None => break,
            }
            start -= 1;
        }
        self.credits = start..end;
        (start < end).then_some(0)
    }
}
