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
pub(super) fn first<T: Copy + Default>(list: &mut Vec<T>, count: usize) -> &mut [T] {
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
    pub(super) fn room(&mut self, count: usize) -> &mut [T] {
        self.count = count;
        first(&mut self.all, count)
    }

    /// No more than so many count.
    #[inline(always)]
    pub(super) fn keep(&mut self, count: usize) {
        self.count = count.min(self.count);
    }

    #[inline(always)]
    pub(super) fn push(&mut self, item: T) {
        self.count += 1;
        first(&mut self.all, self.count)[self.count - 1] = item;
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
    which: Vec<u32>,
    count: usize,
    /// Where in the index it is named, and the square that is most likely meant.
    spots: Vec<BucketProbe>,
    guesses: Vec<u32>,
    /// Those that have to be looked for closely.
    doubts: Vec<u32>,
}

/// Takes squares to look up.
pub(super) struct NodeLookupCollector<'a> {
    wanted: &'a mut [QuadrantPairs],
    which: &'a mut [u32],
    count: usize,
    all: &'a mut usize,
}

impl NodeLookupCollector<'_> {
    /// The square with these quadrants is to be looked up.
    #[inline(always)]
    pub(super) fn ask(&mut self, wanted: QuadrantPairs, which: usize) {
        self.wanted[self.count] = wanted;
        self.which[self.count] = which as u32;
        self.count += usize::from(wanted[0] | wanted[1] != 0);
    }

    /// These are all.
    #[inline(always)]
    pub(super) fn end(self) {
        *self.all = self.count;
    }
}

impl NodeLookups {
    /// Takes up to so many, in the place of those before.
    #[inline(always)]
    pub(super) fn begin(&mut self, most: usize) -> NodeLookupCollector<'_> {
        NodeLookupCollector {
            wanted: first(&mut self.wanted, most),
            which: first(&mut self.which, most),
            count: 0,
            all: &mut self.count,
        }
    }

    /// Finds them, or makes them, and tells each, and which it is.
    #[inline(always)]
    pub(super) fn look_up(
        &mut self,
        store: &NodeStore,
        places: &mut NodeReservation,
        mut found: impl FnMut(NodeTableRef<'_>, u32, usize),
    ) -> Result<(), StoreCapacityError> {
        let count = self.count;
        let index = &store.node_index;
        let squares = store.nodes.squares();
        let wanted = &self.wanted[..count];
        let spots = first(&mut self.spots, count);
        let guesses = first(&mut self.guesses, count);
        let doubts = first(&mut self.doubts, count);
        index.find_spots(wanted, spots);
        let missing = index.find_names(squares, spots, guesses, doubts);
        // Looked for apart from the rest, they do not surprise the processor.
        for &i in &doubts[..missing] {
            index.expect_more(spots[i as usize]);
        }
        for &i in &doubts[..missing] {
            let i = i as usize;
            guesses[i] = store.seek_new(wanted[i], spots[i], places)?;
        }
        let wrong = find_wrong(squares.lines(), guesses, wanted, doubts);
        for &i in &doubts[..wrong] {
            let i = i as usize;
            guesses[i] = store.seek(wanted[i], spots[i], places)?;
        }
        for (&square, &which) in guesses.iter().zip(&self.which) {
            found(squares, square, which as usize);
        }
        Ok(())
    }
}
