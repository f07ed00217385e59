//! More room, and what is done when there cannot be any.

use super::grain::Grain;
use super::index::Index;
use super::leaves::Leaves;
use super::nodes::{ROOM, mix};
use super::store::Store;

/// So many sixteenths of a table that may be needed are more than can be kept...
const MANY: usize = 8;
/// ...and so many that are needed leave too little for the next collection to be worth it.
const SCARCE: usize = 13;

/// Lines of nodes from which on tables grow by half: their indices would be too large.
const LARGE: usize = 1 << 19;

/// Squares that are named together.
const BATCH: usize = 64;

impl<G: Grain> Store<G> {
    /// Makes room for more squares in `memory` bytes: in more memory if there is, else by
    /// giving up what neither the roots nor what is held hold. Whether it is worth going on.
    ///
    /// Futures that were found out are worth their room, even those that have been used:
    /// tables that were kept small by giving them up first took several times as long.
    pub(super) fn make_room(&mut self, memory: u64, roots: &[u32], held: &[u32]) -> bool {
        let is_full = (self.nodes.is_full(), self.leaves.is_full());
        if self.grow_within(is_full, memory, 12) {
            return true;
        }
        // First only what no future of the world is made of, as far as it is known.
        let left = self.collect(roots, held, true);
        if self.is_left(left, MANY) {
            let left = self.collect(roots, held, false);
            return !self.is_left(left, SCARCE) || self.grow_within(is_full, memory, 11);
        }
        true
    }

    /// Whether more than so many sixteenths of a table are taken.
    fn is_left(&self, (nodes, leaves): (usize, usize), sixteenths: usize) -> bool {
        nodes > ROOM * self.nodes.lines() / 16 * sixteenths
            || leaves > self.leaves.room() / 16 * sixteenths
    }

    /// Half as much room again, whatever it takes.
    pub(super) fn grow(&mut self) {
        self.lay(self.nodes.lines() * 3 / 2, self.leaves.room() * 3 / 2);
    }

    /// More room for what is full: by so many tenths at least and twice as much at most,
    /// as long as all of it, once it is used, fits.
    fn grow_within(
        &mut self,
        (no_nodes, no_leaves): (bool, bool),
        memory: u64,
        least: usize,
    ) -> bool {
        let (lines, leaves) = (self.nodes.lines(), self.leaves.room());
        let used_leaves = self.leaves.places().max(4);
        let used_lines = (self.nodes.bytes() / 64).max(4) as usize;
        let plan = |tenths: usize| {
            let wanted = |is_full: bool, room: usize, used: usize| {
                let wanted = used * tenths / 10;
                if is_full { wanted.max(room + 1) } else { room }
            };
            (
                wanted(no_nodes, lines, used_lines),
                wanted(no_leaves, leaves, used_leaves),
            )
        };
        let leaf = Leaves::bytes_of(self.grain.words());
        let fits = |tenths: &usize| {
            let (lines, leaves) = plan(*tenths);
            let leaves_then = leaves.min(used_leaves * tenths / 10) as u64;
            let lines_then = lines.min(used_lines * tenths / 10) as u64;
            let indices = Index::bytes_for(ROOM * lines) + Index::bytes_for(leaves);
            64 * lines_then + leaf * leaves_then + indices <= memory
        };
        let most = if lines < LARGE { 20 } else { 15 };
        let Some(tenths) = (least..=most).rev().find(fits) else {
            return false;
        };
        let (lines, leaves) = plan(tenths);
        self.lay(lines, leaves);
        true
    }

    /// Lays the tables out for so much.
    fn lay(&mut self, lines: usize, leaves: usize) {
        if lines > self.nodes.lines() {
            self.nodes.grow(lines);
            if ROOM * lines > self.node_index.most() {
                self.node_index.grow(ROOM * lines);
                self.index_nodes();
            }
        }
        if leaves > self.leaves.room() {
            self.leaves.grow(leaves);
            if leaves > self.leaf_index.most() {
                self.leaf_index.grow(leaves);
                self.index_leaves();
            }
        }
    }

    /// Names all nodes in an empty index.
    pub(super) fn index_nodes(&self) {
        let mut all = self.nodes.all();
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            for node in all.by_ref().take(BATCH) {
                let hash = mix(self.nodes.pairs(node));
                self.node_index.expect(hash);
                batch.push((node, hash));
            }
            if batch.is_empty() {
                return;
            }
            for &(node, hash) in &batch {
                self.node_index.put(hash, node);
            }
        }
    }

    /// Names all leaves in an empty index.
    pub(super) fn index_leaves(&self) {
        let mut all = self.leaves.all();
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            batch.clear();
            for leaf in all.by_ref().take(BATCH) {
                let hash = self.grain.mix(&self.leaf(leaf));
                self.leaf_index.expect(hash);
                batch.push((leaf, hash));
            }
            if batch.is_empty() {
                return;
            }
            for &(leaf, hash) in &batch {
                self.leaf_index.put(hash, leaf);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::Bits;
    use super::*;
    use crate::kernel::BitKernel;

    /// Squares that are looked up again, after the tables have grown several times.
    #[test]
    fn squares_stay_where_they_are_and_are_found_where_tables_grow() {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule).unwrap();
        let mut store = Store::new(Bits::new(kernel), 1 << 20);
        let mut made: Vec<(u32, [u32; 4], [u32; 8])> = Vec::new();
        let mut seed = 1_u64;
        let mut grown = 0;
        for i in 0..20_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i);
            let cells = [seed as u32, i as u32, 7, 0, 1, 2, 3, (seed >> 32) as u32];
            let below = made.get((seed >> 40) as usize % (made.len() + 1));
            let below = below.map_or(0, |&(square, ..)| square);
            let children = [0, below, (seed >> 33) as u32, 0];
            let both = loop {
                if let (Ok(leaf), Ok(node)) = (store.intern(&cells), store.node(children)) {
                    break (leaf, node);
                }
                store.grow();
                grown += 1;
            };
            made.push((both.0, [0; 4], cells));
            made.push((both.1, children, [0; 8]));
        }
        assert!(grown > 4, "{grown}");
        for &(square, children, cells) in &made {
            if cells == [0; 8] {
                assert_eq!(store.children(square), children);
                assert_eq!(store.node(children), Ok(square));
            } else {
                assert_eq!(store.leaf(square), cells);
                assert_eq!(store.intern(&cells), Ok(square));
            }
        }
        assert_eq!(
            store.nodes.all().count() + store.leaves.all().count(),
            40_000
        );
    }
}
