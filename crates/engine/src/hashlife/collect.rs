//! What nobody holds is freed, and the rest stays where it is.

use super::grain::Grain;
use super::nodes::NO_RESULT;
use super::store::{LEAF, Store};
use std::sync::PoisonError;

/// Squares that are looked at together.
const BATCH: usize = 64;

impl<G: Grain> Store<G> {
    /// Frees what cannot be reached from the roots, or from what is held and its results.
    /// Results stay where the square that they name stays; with `all_results`, those of all
    /// squares that can be reached do. How many nodes and leaves are left.
    pub(super) fn collect(
        &mut self,
        roots: &[u32],
        held: &[u32],
        all_results: bool,
    ) -> (usize, usize) {
        let mut marks = Marks {
            store: self,
            all_results,
            leaves: vec![0; self.leaves.room().div_ceil(64)],
            pending: Vec::new(),
        };
        for &square in roots.iter().chain(held) {
            marks.mark(square);
        }
        for &square in held.iter().filter(|&&square| square & LEAF == 0) {
            let (tag, result) = self.nodes.result(square);
            if tag != NO_RESULT {
                marks.mark(result);
            }
        }
        marks.spread();
        let leaves = marks.leaves;
        let is_kept = |leaf: u32| {
            let place = (leaf & !LEAF) as usize;
            leaves[place / 64] >> (place % 64) & 1 == 1
        };
        let nodes_left = self.nodes.sweep(|square| {
            if square & LEAF == 0 {
                self.nodes.is_marked(square)
            } else {
                is_kept(square)
            }
        });
        let leaves_left = self.leaves.sweep(is_kept);
        let places = self.places.get_mut();
        *places.unwrap_or_else(PoisonError::into_inner) = Default::default();
        self.node_index.clear();
        self.index_nodes();
        self.leaf_index.clear();
        self.index_leaves();
        self.collections += 1;
        (nodes_left, leaves_left)
    }
}

struct Marks<'a, G: Grain> {
    store: &'a Store<G>,
    all_results: bool,
    /// A bit for each place of a leaf.
    leaves: Vec<u64>,
    /// Nodes that are marked, and whose quadrants are not.
    pending: Vec<u32>,
}

impl<G: Grain> Marks<'_, G> {
    fn mark(&mut self, square: u32) {
        if square & LEAF != 0 {
            let place = (square & !LEAF) as usize;
            self.leaves[place / 64] |= 1 << (place % 64);
        } else if square != 0 && self.store.nodes.mark(square) {
            self.pending.push(square);
        }
    }

    /// Marks all that the marked ones are made of.
    fn spread(&mut self) {
        let nodes = &self.store.nodes;
        let mut quadrants = Vec::with_capacity(5 * BATCH);
        while !self.pending.is_empty() {
            let rest = self.pending.len().saturating_sub(BATCH);
            quadrants.clear();
            for &node in &self.pending[rest..] {
                quadrants.extend(nodes.children(node));
                let (tag, result) = nodes.result(node);
                if self.all_results && tag != NO_RESULT {
                    quadrants.push(result);
                }
            }
            self.pending.truncate(rest);
            let below = quadrants.iter().filter(|&&square| square & LEAF == 0);
            below.for_each(|&node| nodes.fetch(node));
            for &square in &quadrants {
                self.mark(square);
            }
        }
    }
}
