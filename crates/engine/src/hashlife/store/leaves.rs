//! The table of leaves, in order of creation.

use super::super::leaf_kind::LeafCells;
use super::lookup::prefix_mut;
use super::nodes::CachePadded;
use super::{LEAF, StoreCapacityError};
use crate::arch::{MappedArray, WordLine};
use kernel::simd::prefetch;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Words in a cache line.
const LINE: usize = 8;

/// The table. The empty leaf has id 0, and is not here.
pub(in crate::hashlife) struct LeafTable {
    words: MappedArray<WordLine>,
    /// Words of a leaf.
    leaf_words: usize,
    /// Words from one leaf to the next: a power of two up to a cache line, or whole lines.
    stride: usize,
    /// Leaves that fit.
    capacity: usize,
    /// The next slot that has never been used.
    next: CachePadded<AtomicUsize>,
    /// The free list: slots that are free again.
    free: Vec<u32>,
    /// How many entries of the free list have been reused.
    reused: CachePadded<AtomicUsize>,
}

/// Leaves that have been copied from the end of the table to free slots before it.
pub(in crate::hashlife) struct MovedLeaves {
    /// The slot at which the table is to end.
    pub(in crate::hashlife) capacity: usize,
    /// For each slot from there on, the slot of the copy.
    pub(in crate::hashlife) slots: Vec<u32>,
}

impl MovedLeaves {
    /// In place of a slot: there was no leaf to copy.
    pub(in crate::hashlife) const FREED: u32 = u32::MAX;

    /// The new id of a leaf; others stay as they are.
    #[inline(always)]
    pub(in crate::hashlife) fn renamed(&self, id: u32) -> u32 {
        if id & LEAF == 0 {
            return id;
        }
        let beyond = ((id & !LEAF) as usize).checked_sub(self.capacity);
        match beyond.and_then(|at| self.slots.get(at)) {
            Some(&slot) if slot != Self::FREED => LEAF | slot,
            _ => id,
        }
    }
}

impl LeafTable {
    /// A table for leaves of `leaf_words` words: `leaves` of them, which can grow to `most`.
    pub(in crate::hashlife) fn new(leaf_words: usize, leaves: usize, most: usize) -> Self {
        let stride = Self::stride(leaf_words);
        let lines = |leaves: usize| (leaves * stride).div_ceil(LINE);
        Self {
            words: MappedArray::new(lines(leaves), lines(most)),
            leaf_words,
            stride,
            capacity: leaves,
            next: CachePadded(AtomicUsize::new(0)),
            free: Vec::new(),
            reused: CachePadded(AtomicUsize::new(0)),
        }
    }

    fn stride(leaf_words: usize) -> usize {
        if leaf_words <= LINE {
            leaf_words.next_power_of_two()
        } else {
            leaf_words.next_multiple_of(LINE)
        }
    }

    /// Bytes that a leaf of this many words takes.
    pub(in crate::hashlife) fn bytes_of(leaf_words: usize) -> u64 {
        8 * Self::stride(leaf_words) as u64
    }

    /// Words of a leaf.
    pub(in crate::hashlife) fn leaf_words(&self) -> usize {
        self.leaf_words
    }

    /// Leaves that fit.
    pub(in crate::hashlife) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Whether no slot is free.
    pub(in crate::hashlife) fn is_full(&self) -> bool {
        self.next.0.load(Relaxed) >= self.capacity && self.reused.0.load(Relaxed) >= self.free.len()
    }

    /// Slots that have ever been used.
    pub(in crate::hashlife) fn used_slots(&self) -> usize {
        self.next.0.load(Relaxed).min(self.capacity)
    }

    /// Leaves that are in use.
    pub(in crate::hashlife) fn count(&self) -> usize {
        let reused = self.reused.0.load(Relaxed).min(self.free.len());
        self.used_slots() + reused - self.free.len()
    }

    /// After a sweep: copies the leaves from slot `capacity` on to free slots before it, of which
    /// there must be enough. They are in both places until [`LeafTable::truncate`].
    pub(in crate::hashlife) fn evacuate(
        &mut self,
        capacity: usize,
        is_kept: impl Fn(u32) -> bool,
    ) -> MovedLeaves {
        let mut slots = Vec::new();
        for from in capacity..self.used_slots() {
            if !is_kept(LEAF | from as u32) {
                slots.push(MovedLeaves::FREED);
                continue;
            }
            // The free list ends with the first slots.
            let to = self
                .free
                .pop()
                .expect("as many slots are free as leaves are moved");
            for k in 0..self.leaf_words {
                let word = self.word(from, k).load(Relaxed);
                self.word(to as usize, k).store(word, Relaxed);
            }
            slots.push(to);
        }
        self.free.retain(|&slot| (slot as usize) < capacity);
        MovedLeaves { capacity, slots }
    }

    /// Ends the table at this slot, and gives back the memory behind it.
    pub(in crate::hashlife) fn truncate(&mut self, capacity: usize) {
        self.words.shrink((capacity * self.stride).div_ceil(LINE));
        self.next.0.fetch_min(capacity, Relaxed);
        self.capacity = capacity;
    }

    /// Grows the table to this many leaves.
    pub(in crate::hashlife) fn grow(&mut self, leaves: usize) {
        self.words.grow((leaves * self.stride).div_ceil(LINE));
        self.capacity = leaves;
    }

    /// Bytes that have ever been used.
    pub(in crate::hashlife) fn bytes(&self) -> u64 {
        (8 * self.stride * self.used_slots() + 4 * self.free.capacity()) as u64
    }

    #[inline(always)]
    fn word(&self, slot: usize, k: usize) -> &std::sync::atomic::AtomicU64 {
        self.words.word(slot * self.stride + k)
    }

    /// Prefetches a leaf's cache line.
    #[inline(always)]
    pub(in crate::hashlife) fn prefetch_leaf(&self, leaf: u32) {
        let at = (leaf & !LEAF) as usize * self.stride;
        if let Some(line) = self.words.get(at / LINE) {
            prefetch(line);
        }
    }

    /// The cells of a leaf.
    pub(in crate::hashlife) fn get(&self, leaf: u32) -> LeafCells {
        let mut cells = LeafCells::from_elem(0, self.leaf_words);
        self.read_into(leaf, &mut cells);
        cells
    }

    /// Copies the cells of a leaf.
    #[inline(always)]
    pub(in crate::hashlife) fn read_into(&self, leaf: u32, cells: &mut [u64]) {
        if leaf == 0 {
            return cells.fill(0);
        }
        let slot = (leaf & !LEAF) as usize;
        self.words.copy_words(slot * self.stride, cells);
    }

    /// Copies the cells of `count` groups of four leaves into a list, one leaf after the other.
    pub(in crate::hashlife) fn gather<'l>(
        &self,
        count: usize,
        fours: impl Iterator<Item = [u32; 4]>,
        list: &'l mut Vec<u64>,
    ) -> &'l [u64] {
        let cells = prefix_mut(list, 4 * self.leaf_words * count);
        match self.leaf_words {
            2 => self.gather_by::<2>(fours, cells),
            3 => self.gather_by::<3>(fours, cells),
            4 => self.gather_by::<4>(fours, cells),
            5 => self.gather_by::<5>(fours, cells),
            leaf_words => {
                for (four, cells) in fours.zip(cells.chunks_exact_mut(4 * leaf_words)) {
                    for (leaf, cells) in four.into_iter().zip(cells.chunks_exact_mut(leaf_words)) {
                        self.read_into(leaf, cells);
                    }
                }
            }
        }
        cells
    }

    /// [`LeafTable::gather`] for leaves of W words.
    #[inline(always)]
    fn gather_by<const W: usize>(&self, fours: impl Iterator<Item = [u32; 4]>, cells: &mut [u64]) {
        let (leaves, _) = cells.as_chunks_mut::<W>();
        let (cells, _) = leaves.as_chunks_mut::<4>();
        for (four, cells) in fours.zip(cells) {
            for (leaf, cells) in four.into_iter().zip(cells) {
                self.read_into(leaf, cells);
            }
        }
    }

    /// Whether a leaf has these cells.
    #[inline(always)]
    pub(in crate::hashlife) fn has_cells(&self, leaf: u32, cells: &[u64]) -> bool {
        let slot = (leaf & !LEAF) as usize;
        self.words.has_words(slot * self.stride, cells)
    }

    /// Allocates a leaf with these cells.
    pub(in crate::hashlife) fn allocate(&self, cells: &[u64]) -> Result<u32, StoreCapacityError> {
        let reused = self.reused.0.fetch_add(1, Relaxed);
        let slot = match self.free.len().checked_sub(reused + 1) {
            Some(last) => self.free[last] as usize,
            None => {
                self.reused.0.store(self.free.len(), Relaxed);
                self.next.0.fetch_add(1, Relaxed)
            }
        };
        if slot >= self.capacity {
            self.next.0.store(self.capacity, Relaxed);
            return Err(StoreCapacityError);
        }
        for (k, word) in cells.iter().enumerate() {
            self.word(slot, k).store(*word, Relaxed);
        }
        Ok(LEAF | slot as u32)
    }

    /// Frees all leaves that are not marked. Returns how many are left.
    pub(in crate::hashlife) fn sweep(&mut self, kept: impl Fn(u32) -> bool) -> usize {
        let touched = self.used_slots();
        self.free.clear();
        for slot in (0..touched as u32).rev() {
            if !kept(LEAF | slot) {
                self.free.push(slot);
            }
        }
        self.reused.0.store(0, Relaxed);
        touched - self.free.len()
    }
}
