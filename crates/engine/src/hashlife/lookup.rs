//! Squares that are looked up together.
//!
//! Memory answers side by side: all lines of the index are asked for before the first is
//! looked at, then all squares that they name.

use super::index::BucketProbe;
use super::nodes::{NodeReservation, NodeTableRef, QuadrantPairs};
use super::store::{NodeStore, StoreCapacityError};
use crate::arch::find_wrong;
use std::ops::{Deref, DerefMut};

/// A list that is never made shorter, so that it need not be filled again: how much of it
/// counts is told apart.
#[inline(always)]
pub(super) fn prefix_mut<T: Copy + Default>(list: &mut Vec<T>, count: usize) -> &mut [T] {
    if list.len() < count {
        list.resize(count, T::default());
    }
    &mut list[..count]
}

/// Such a list that tells how much of it counts.
#[derive(Debug, Default)]
pub(super) struct PrefixVec<T> {
    all: Vec<T>,
    count: usize,
}

impl<T: Copy + Default> PrefixVec<T> {
    /// So many count, whatever they are.
    #[inline(always)]
    pub(super) fn resize(&mut self, count: usize) -> &mut [T] {
        self.count = count;
        prefix_mut(&mut self.all, count)
    }

    /// No more than so many count.
    #[inline(always)]
    pub(super) fn truncate(&mut self, count: usize) {
        self.count = count.min(self.count);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, item: T) {
        self.count += 1;
        prefix_mut(&mut self.all, self.count)[self.count - 1] = item;
    }
}

impl<T> Deref for PrefixVec<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.all[..self.count]
    }
}

impl<T> DerefMut for PrefixVec<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.all[..self.count]
    }
}

/// What is looked up. Empty squares are not: whoever asks for one has it.
#[derive(Default)]
pub(super) struct NodeLookups {
    /// What each is made of, and which it is to whoever asks.
    wanted: Vec<QuadrantPairs>,
    positions: Vec<u32>,
    count: usize,
    /// Where in the index it is named, and the square that is most likely meant.
    probes: Vec<BucketProbe>,
    candidates: Vec<u32>,
    /// Those that have to be looked for closely.
    unresolved: Vec<u32>,
}

/// Takes squares to look up.
pub(super) struct NodeLookupCollector<'a> {
    wanted: &'a mut [QuadrantPairs],
    positions: &'a mut [u32],
    count: usize,
    all: &'a mut usize,
}

impl NodeLookupCollector<'_> {
    /// The square with these quadrants is to be looked up.
    #[inline(always)]
    pub(super) fn push(&mut self, wanted: QuadrantPairs, positions: usize) {
        self.wanted[self.count] = wanted;
        self.positions[self.count] = positions as u32;
        self.count += usize::from(wanted[0] | wanted[1] != 0);
    }

    /// These are all.
    #[inline(always)]
    pub(super) fn finish(self) {
        *self.all = self.count;
    }
}

impl NodeLookups {
    /// Takes up to so many, in the place of those before.
    #[inline(always)]
    pub(super) fn collector(&mut self, most: usize) -> NodeLookupCollector<'_> {
        NodeLookupCollector {
            wanted: prefix_mut(&mut self.wanted, most),
            positions: prefix_mut(&mut self.positions, most),
            count: 0,
            all: &mut self.count,
        }
    }

    /// Finds them, or makes them, and tells each, and which it is.
    #[inline(always)]
    pub(super) fn intern_all(
        &mut self,
        store: &NodeStore,
        reservation: &mut NodeReservation,
        mut found: impl FnMut(NodeTableRef<'_>, u32, usize),
    ) -> Result<(), StoreCapacityError> {
        let count = self.count;
        let index = &store.node_index;
        let nodes = store.nodes.view();
        let wanted = &self.wanted[..count];
        let probes = prefix_mut(&mut self.probes, count);
        let candidates = prefix_mut(&mut self.candidates, count);
        let unresolved = prefix_mut(&mut self.unresolved, count);
        index.probe_all(wanted, probes);
        let missing = index.find_candidates(nodes, probes, candidates, unresolved);
        // Looked for apart from the rest, they do not surprise the processor.
        for &i in &unresolved[..missing] {
            index.prefetch_overflow(probes[i as usize]);
        }
        for &i in &unresolved[..missing] {
            let i = i as usize;
            candidates[i] = store.intern_new_node_at(wanted[i], probes[i], reservation)?;
        }
        let wrong = find_wrong(nodes.lines(), candidates, wanted, unresolved);
        for &i in &unresolved[..wrong] {
            let i = i as usize;
            candidates[i] = store.intern_node_at(wanted[i], probes[i], reservation)?;
        }
        for (&node, &positions) in candidates.iter().zip(&self.positions) {
            found(nodes, node, positions as usize);
        }
        Ok(())
    }
}
