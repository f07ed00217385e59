//! Builds lookup trees from a fold over the neighbours: equal fold states share a node.
//! (Own method.)

use super::lookup::{LookupTable, LookupTree};
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
            entries: Vec::new(),
            known: vec![HashMap::new(); around.len()],
            nodes: HashMap::new(),
        };
        let below = (0..states).map(|own| builder.entry(0, fold.begin(own as State)));
        let root: Vec<u32> = below.collect();
        let root = builder.node(root);
        let tree = LookupTree {
            entries: builder.entries.into(),
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
    entries: Vec<u32>,
    /// For each level, the node of each fold state.
    known: Vec<HashMap<F::Seen, u32>>,
    nodes: HashMap<Vec<u32>, u32>,
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
        let below = (0..self.states)
            .map(|state| {
                let next = self.fold.see(seen.clone(), level, state as State);
                self.entry(level + 1, next)
            })
            .collect();
        let node = self.node(below);
        self.known[level].insert(seen, node);
        node
    }

    /// Interns a node and returns the index of its first entry.
    fn node(&mut self, below: Vec<u32>) -> u32 {
        if let Some(&node) = self.nodes.get(&below) {
            return node;
        }
        let start = self.entries.len() as u32;
        self.entries.extend(&below);
        self.nodes.insert(below, start);
        start
    }
}
