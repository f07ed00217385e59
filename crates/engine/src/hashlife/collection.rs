//! What stays is marked, a piece at a time: what can be reached, and, where memory is scarce,
//! what was used of late.

use super::nodes::{NO_RESULT, ROOM};
use super::store::{LEAF, NodeStore};
use std::mem::take;
use std::ops::Range;

/// So many sixteenths of a table may be kept because they can be reached by results: more
/// leave too little to what was used of late.
const MANY: usize = 8;

/// Squares that are looked at together.
const BATCH: usize = 64;

/// What stays of the squares that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetentionPolicy {
    /// All of them and their results; if that is not little, nothing is freed.
    Little,
    /// All of them and their results, unless that is too much; and what was used of late.
    Enough,
    /// Only they, and what was used of late.
    Recent,
    /// Only they.
    Squares,
}

/// What a collection knows by now.
pub(super) struct GarbageCollection {
    /// What nothing may be taken from.
    roots: Vec<u32>,
    /// What was on the way: its results are wanted too.
    held: Vec<u32>,
    pub(super) keep: RetentionPolicy,
    /// A bit for each place of a node, and of a leaf.
    nodes: Vec<u64>,
    leaves: Vec<u64>,
    /// Nodes that are marked, and whose quadrants are not.
    pending: Vec<u32>,
    /// Whether the results of marked nodes are marked too.
    with_results: bool,
    /// How many nodes are marked, and leaves.
    pub(super) marked: usize,
    marked_leaves: usize,
    /// The ages that are being looked through, and how many nodes have each.
    ages: Range<usize>,
    counts: [usize; 256],
    /// How many nodes stay, of those that were swept.
    pub(super) left: usize,
}

impl GarbageCollection {
    /// One that is to begin.
    pub(super) fn new(
        store: &NodeStore,
        roots: Vec<u32>,
        held: Vec<u32>,
        keep: RetentionPolicy,
    ) -> Self {
        let mut collection = Self {
            roots: Vec::new(),
            held: Vec::new(),
            keep,
            nodes: vec![0; (4 * store.nodes.lines()).div_ceil(64)],
            leaves: vec![0; store.leaves.room().div_ceil(64)],
            pending: Vec::new(),
            with_results: matches!(keep, RetentionPolicy::Little | RetentionPolicy::Enough),
            marked: 0,
            marked_leaves: 0,
            ages: 256..256,
            counts: [0; 256],
            left: 0,
        };
        for &square in roots.iter().chain(&held) {
            collection.mark(square);
        }
        for &square in held.iter().filter(|&&square| square & LEAF == 0) {
            let (tag, result) = store.nodes.result(square);
            if tag != NO_RESULT {
                collection.mark(result);
            }
        }
        (collection.roots, collection.held) = (roots, held);
        collection
    }

    /// The same again, without the results of all.
    pub(super) fn stricter(&mut self, store: &NodeStore) -> Self {
        let (roots, held) = (take(&mut self.roots), take(&mut self.held));
        Self::new(store, roots, held, RetentionPolicy::Recent)
    }

    /// Whether a square stays, once all are marked.
    pub(super) fn keeps(&self, square: u32) -> bool {
        let place = (square & !LEAF) as usize;
        let marks = if square & LEAF == 0 {
            &self.nodes
        } else {
            &self.leaves
        };
        marks[place / 64] >> (place % 64) & 1 == 1
    }

    fn mark(&mut self, square: u32) {
        let place = (square & !LEAF) as usize;
        if square & LEAF != 0 {
            self.marked_leaves += usize::from(!self.keeps(square));
            self.leaves[place / 64] |= 1 << (place % 64);
        } else if square != 0 && self.nodes[place / 64] >> (place % 64) & 1 == 0 {
            self.nodes[place / 64] |= 1 << (place % 64);
            self.marked += 1;
            self.pending.push(square);
        }
    }

    /// Marks what so many of the marked ones are made of. Whether all is marked.
    pub(super) fn spread(&mut self, store: &NodeStore, count: usize) -> bool {
        let nodes = &store.nodes;
        let mut quadrants = Vec::with_capacity(5 * BATCH);
        for _ in 0..count.div_ceil(BATCH) {
            let rest = self.pending.len().saturating_sub(BATCH);
            self.pending[rest..]
                .iter()
                .for_each(|&node| nodes.fetch(node));
            quadrants.clear();
            for &node in &self.pending[rest..] {
                quadrants.extend(nodes.children(node));
                let (tag, result) = nodes.result(node);
                if self.with_results && tag != NO_RESULT {
                    quadrants.push(result);
                }
            }
            self.pending.truncate(rest);
            for &square in &quadrants {
                self.mark(square);
            }
            if self.pending.is_empty() {
                break;
            }
        }
        self.pending.is_empty()
    }

    /// Whether so many sixteenths of a table are marked.
    fn is_at(&self, store: &NodeStore, sixteenths: usize) -> bool {
        self.marked > ROOM * store.nodes.lines() / 16 * sixteenths
            || self.marked_leaves > store.leaves.room() / 16 * sixteenths
    }

    /// Whether what can be reached is too much, and less is enough.
    pub(super) fn is_too_much(&self, store: &NodeStore) -> bool {
        self.keep == RetentionPolicy::Enough && self.is_at(store, MANY)
    }

    /// Goes on to what was used of late: results that are known, from the youngest on, as long
    /// as there is room. Looks through so many places, from one on, or marks what they are made
    /// of. Where to go on, if anything is left to do.
    pub(super) fn spread_recent(
        &mut self,
        store: &NodeStore,
        from: usize,
        count: usize,
    ) -> Option<usize> {
        if !store.is_scarce()
            || !matches!(self.keep, RetentionPolicy::Enough | RetentionPolicy::Recent)
        {
            return None;
        }
        if self.ages.start == 256 {
            self.with_results = false;
            self.counts = store.ages.count();
            self.younger(store)?;
        }
        if !self.pending.is_empty() {
            self.spread(store, count);
            return Some(from);
        }
        for node in store.ages.of_age(from..from + count, self.ages.clone()) {
            if self.keeps(node) {
                continue;
            }
            if let Some(result) = store.nodes.known(node) {
                self.mark(node);
                self.mark(result);
                if self.is_at(store, store.ages.share()) {
                    self.ages = 0..0;
                    break;
                }
            }
        }
        if !self.pending.is_empty() || from + count < 4 * store.nodes.used_lines() {
            return Some(from + count);
        }
        self.younger(store)
    }

    /// The next ages to look through: as many as there is room for, one at least. From which
    /// place on.
    fn younger(&mut self, store: &NodeStore) -> Option<usize> {
        let most = ROOM * store.nodes.lines() / 16 * store.ages.share();
        let end = self.ages.start;
        let mut room = most.checked_sub(self.marked)?;
        let mut start = end;
        while start > 1 {
            match room.checked_sub(self.counts[start - 1]) {
                Some(less) => room = less,
                None if start == end => room = 0,
                None => break,
            }
            start -= 1;
        }
        self.ages = start..end;
        (start < end).then_some(0)
    }
}
