//! Batched interning of nodes.
//!
//! To hide memory latency, all buckets of a batch are prefetched before the first is read, then
//! all nodes that they name.

use super::index::BucketProbe;
use super::nodes::{NodeReservation, NodeTableRef, QuadrantPairs};
use super::{NodeStore, StoreCapacityError};
use crate::arch::{find_mismatches, run_apart};
use std::ops::{Deref, DerefMut};

/// The first `count` elements of a vector that never shrinks, so that it need not be filled
/// again.
#[inline(always)]
pub(in crate::hashlife) fn prefix_mut<T: Copy + Default>(
    list: &mut Vec<T>,
    count: usize,
) -> &mut [T] {
    if list.len() < count {
        list.resize(count, T::default());
    }
    &mut list[..count]
}

/// A vector that never shrinks, with the number of its valid elements.
#[derive(Debug, Default)]
pub(in crate::hashlife) struct PrefixVec<T> {
    all: Vec<T>,
    count: usize,
}

impl<T: Copy + Default> PrefixVec<T> {
    /// Makes the first `count` elements valid, whatever they hold.
    #[inline(always)]
    pub(in crate::hashlife) fn resize(&mut self, count: usize) -> &mut [T] {
        self.count = count;
        prefix_mut(&mut self.all, count)
    }

    /// Limits the number of valid elements.
    #[inline(always)]
    pub(in crate::hashlife) fn truncate(&mut self, count: usize) {
        self.count = count.min(self.count);
    }

    #[inline(always)]
    pub(in crate::hashlife) fn push(&mut self, item: T) {
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

/// The nodes to look up. Empty ones are left out: their id is 0.
#[derive(Default)]
pub(in crate::hashlife) struct NodeLookups {
    /// The children of each, and the caller's position for it.
    wanted: Vec<QuadrantPairs>,
    positions: Vec<u32>,
    count: usize,
    /// The index probe of each, and the most likely id.
    probes: Vec<BucketProbe>,
    candidates: Vec<u32>,
    /// Those that need a full look-up.
    unresolved: Vec<u32>,
}

/// Collects the nodes to look up.
pub(in crate::hashlife) struct NodeLookupCollector<'a> {
    wanted: &'a mut [QuadrantPairs],
    positions: &'a mut [u32],
    count: usize,
    all: &'a mut usize,
}

impl NodeLookupCollector<'_> {
    /// Adds the node with these children.
    #[inline(always)]
    pub(in crate::hashlife) fn push(&mut self, wanted: QuadrantPairs, positions: usize) {
        self.wanted[self.count] = wanted;
        self.positions[self.count] = positions as u32;
        self.count += usize::from(wanted[0] | wanted[1] != 0);
    }

    /// Ends the list.
    #[inline(always)]
    pub(in crate::hashlife) fn finish(self) {
        *self.all = self.count;
    }
}

impl NodeLookups {
    /// Starts a new list of up to `most` nodes.
    #[inline(always)]
    pub(in crate::hashlife) fn collector(&mut self, most: usize) -> NodeLookupCollector<'_> {
        NodeLookupCollector {
            wanted: prefix_mut(&mut self.wanted, most),
            positions: prefix_mut(&mut self.positions, most),
            count: 0,
            all: &mut self.count,
        }
    }

    /// Interns them all; calls `found` with each id and its position.
    #[inline(always)]
    pub(in crate::hashlife) fn intern_all(
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
        let missing = &unresolved[..missing];
        // A loop of their own makes the branches predictable.
        run_apart(|| {
            index.prefetch_overflows(probes, missing);
            for &i in missing {
                let i = i as usize;
                candidates[i] = store.intern_new_node_at(wanted[i], probes[i], reservation)?;
            }
            Ok(())
        })?;
        let wrong = find_mismatches(nodes.lines(), candidates, wanted, unresolved);
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
