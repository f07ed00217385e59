//! Builds lookup trees from a fold over the neighbours: equal fold states share a node.
//! (Own method.)

use super::lookup::{LookupTable, LookupTree};
use super::node_table::{TreeNodeTable, WordMixState};
use grid::State;
use std::collections::HashMap;
use std::hash::Hash;

/// A rule as a fold over its cells. `Seen` is the fold state; the fewer states, the smaller the
/// tree.
pub(crate) trait NeighbourFold {
    type Seen: Clone + Eq + Hash;

    /// After a look at the cell itself.
    fn begin(&self, own: State) -> Self::Seen;

    /// After a look at one more cell, the one at `place` in the order in which they come.
    fn see(&self, seen: Self::Seen, place: usize, state: State) -> Self::Seen;

    /// The next state, when all have been looked at.
    fn end(&self, seen: &Self::Seen) -> State;
}

impl LookupTable {
    /// The table of a fold over the cell itself and then the cells `around` it.
    pub(crate) fn from_fold<F: NeighbourFold>(
        fold: &F,
        around: &[(i32, i32)],
        states: u16,
    ) -> Self {
        let offsets: Vec<(i32, i32)> = [(0, 0)].into_iter().chain(around.iter().copied()).collect();
        let mut builder = Builder {
            fold,
            states,
            depth: around.len(),
            pending: Vec::new(),
            known: vec![HashMap::default(); around.len()],
            nodes: TreeNodeTable::new(states),
        };
        for own in 0..states {
            let below = builder.entry(0, fold.begin(own as State));
            builder.pending.push(below);
        }
        let root = builder.node(0);
        let tree = LookupTree {
            entries: builder.nodes.into_entries().into(),
            root,
        };
        Self::from_tree(&offsets, states, tree)
    }
}

struct Builder<'a, F: NeighbourFold> {
    fold: &'a F,
    states: u16,
    /// How many cells are looked at after the cell itself.
    depth: usize,
    /// The entries of the nodes that are being made, those further down behind the others.
    pending: Vec<u32>,
    /// For each level, the node of each fold state.
    known: Vec<HashMap<F::Seen, u32, WordMixState>>,
    nodes: TreeNodeTable,
}

impl<F: NeighbourFold> Builder<'_, F> {
    /// The entry after `level` neighbours: the start of a node, or the next state.
    fn entry(&mut self, level: usize, seen: F::Seen) -> u32 {
        if level == self.depth {
            return self.fold.end(&seen).into();
        }
        if let Some(&node) = self.known[level].get(&seen) {
            return node;
        }
        let start = self.pending.len();
        for state in 0..self.states {
            let next = self.fold.see(seen.clone(), level, state as State);
            let below = self.entry(level + 1, next);
            self.pending.push(below);
        }
        let node = self.node(start);
        self.known[level].insert(seen, node);
        node
    }

    /// Interns the node that is pending from `start` on, and returns the index of its first entry.
    fn node(&mut self, start: usize) -> u32 {
        let node = self.nodes.intern(&self.pending[start..]);
        self.pending.truncate(start);
        node.expect("a fold has few states, and its tree is small")
    }
}
