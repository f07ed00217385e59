//! What can be reached is marked, a piece at a time.

use super::nodes::NO_RESULT;
use super::store::{LEAF, Store};
use std::mem::take;

/// Squares that are looked at together.
const BATCH: usize = 64;

/// What stays of the squares that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// All of them and their results; if that is not little, nothing is freed.
    Little,
    /// All of them and their results, unless that is too much.
    Enough,
    /// Only they, with those results that name what stays anyway.
    Squares,
}

/// What a collection knows by now.
pub(super) struct Collection {
    /// What nothing may be taken from.
    roots: Vec<u32>,
    /// What was on the way: its results are wanted too.
    held: Vec<u32>,
    pub(super) keep: Keep,
    /// A bit for each place of a node, and of a leaf.
    nodes: Vec<u64>,
    leaves: Vec<u64>,
    /// Nodes that are marked, and whose quadrants are not.
    pending: Vec<u32>,
    /// How many nodes are marked.
    pub(super) marked: usize,
    /// How many nodes stay, of those that were swept.
    pub(super) left: usize,
}

impl Collection {
    /// One that is to begin.
    pub(super) fn new(store: &Store, roots: Vec<u32>, held: Vec<u32>, keep: Keep) -> Self {
        let mut collection = Self {
            roots: Vec::new(),
            held: Vec::new(),
            keep,
            nodes: vec![0; (4 * store.nodes.lines()).div_ceil(64)],
            leaves: vec![0; store.leaves.room().div_ceil(64)],
            pending: Vec::new(),
            marked: 0,
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
    pub(super) fn stricter(&mut self, store: &Store) -> Self {
        let (roots, held) = (take(&mut self.roots), take(&mut self.held));
        Self::new(store, roots, held, Keep::Squares)
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
            self.leaves[place / 64] |= 1 << (place % 64);
        } else if square != 0 && self.nodes[place / 64] >> (place % 64) & 1 == 0 {
            self.nodes[place / 64] |= 1 << (place % 64);
            self.marked += 1;
            self.pending.push(square);
        }
    }

    /// Marks what so many of the marked ones are made of. Whether all is marked.
    pub(super) fn spread(&mut self, store: &Store, count: usize) -> bool {
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
                if self.keep != Keep::Squares && tag != NO_RESULT {
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
}
