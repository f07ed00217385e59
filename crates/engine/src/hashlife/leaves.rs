//! The leaves, in the order in which they were first met.

use super::leaf_kind::LeafCells;
use super::lookup::first;
use super::nodes::CachePadded;
use super::store::{LEAF, StoreCapacityError};
use crate::arch::{MappedArray, WordLine, prefetch};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Words in a line of memory.
const LINE: usize = 8;

/// All of them. A leaf without live cells is reference 0, and not here.
pub(super) struct LeafTable {
    words: MappedArray<WordLine>,
    /// Words of a leaf.
    wide: usize,
    /// Words from one leaf to the next: a power of two up to a line, or whole lines.
    stride: usize,
    /// How many there is room for.
    room: usize,
    /// The place of the next, where none has been.
    next: CachePadded<AtomicUsize>,
    /// Places where leaves have been.
    free: Vec<u32>,
    /// How many of these have been taken again.
    taken: CachePadded<AtomicUsize>,
}

impl LeafTable {
    /// For leaves of so many words: so many at first, and so many at most.
    pub(super) fn new(wide: usize, leaves: usize, most: usize) -> Self {
        let stride = Self::stride(wide);
        let lines = |leaves: usize| (leaves * stride).div_ceil(LINE);
        Self {
            words: MappedArray::new(lines(leaves), lines(most)),
            wide,
            stride,
            room: leaves,
            next: CachePadded(AtomicUsize::new(0)),
            free: Vec::new(),
            taken: CachePadded(AtomicUsize::new(0)),
        }
    }

    fn stride(wide: usize) -> usize {
        if wide <= LINE {
            wide.next_power_of_two()
        } else {
            wide.next_multiple_of(LINE)
        }
    }

    /// Bytes that a leaf of so many words takes.
    pub(super) fn bytes_of(wide: usize) -> u64 {
        8 * Self::stride(wide) as u64
    }

    /// Words of a leaf.
    pub(super) fn wide(&self) -> usize {
        self.wide
    }

    /// How many there is room for.
    pub(super) fn room(&self) -> usize {
        self.room
    }

    /// Whether all of it is used.
    pub(super) fn is_full(&self) -> bool {
        self.next.0.load(Relaxed) >= self.room && self.taken.0.load(Relaxed) >= self.free.len()
    }

    /// How many places have ever been used.
    pub(super) fn places(&self) -> usize {
        self.touched()
    }

    /// Makes them more.
    pub(super) fn grow(&mut self, leaves: usize) {
        self.words.grow((leaves * self.stride).div_ceil(LINE));
        self.room = leaves;
    }

    /// How many places have ever been used.
    fn touched(&self) -> usize {
        self.next.0.load(Relaxed).min(self.room)
    }

    /// Bytes that have ever been used.
    pub(super) fn bytes(&self) -> u64 {
        (8 * self.stride * self.touched() + 4 * self.free.capacity()) as u64
    }

    #[inline(always)]
    fn word(&self, place: usize, k: usize) -> &std::sync::atomic::AtomicU64 {
        let at = place * self.stride + k;
        &self.words[at / LINE].0[at % LINE]
    }

    /// Asks for a leaf's line.
    #[inline(always)]
    pub(super) fn fetch(&self, leaf: u32) {
        let at = (leaf & !LEAF) as usize * self.stride;
        if let Some(line) = self.words.get(at / LINE) {
            prefetch(line);
        }
    }

    /// The cells of a leaf.
    pub(super) fn get(&self, leaf: u32) -> LeafCells {
        let mut cells = LeafCells::from_elem(0, self.wide);
        self.read(leaf, &mut cells);
        cells
    }

    /// Writes the cells of a leaf.
    #[inline(always)]
    pub(super) fn read(&self, leaf: u32, cells: &mut [u64]) {
        if leaf == 0 {
            return cells.fill(0);
        }
        let place = (leaf & !LEAF) as usize;
        for (k, word) in cells.iter_mut().enumerate() {
            *word = self.word(place, k).load(Relaxed);
        }
    }

    /// The cells of so many fours of leaves, one leaf after the other, over those in a list.
    pub(super) fn gather<'l>(
        &self,
        count: usize,
        fours: impl Iterator<Item = [u32; 4]>,
        list: &'l mut Vec<u64>,
    ) -> &'l [u64] {
        let cells = first(list, 4 * self.wide * count);
        match self.wide {
            2 => self.gather_by::<2>(fours, cells),
            3 => self.gather_by::<3>(fours, cells),
            4 => self.gather_by::<4>(fours, cells),
            5 => self.gather_by::<5>(fours, cells),
            wide => {
                for (four, cells) in fours.zip(cells.chunks_exact_mut(4 * wide)) {
                    for (leaf, cells) in four.into_iter().zip(cells.chunks_exact_mut(wide)) {
                        self.read(leaf, cells);
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
                self.read(leaf, cells);
            }
        }
    }

    /// Whether a leaf has these cells.
    #[inline(always)]
    pub(super) fn is(&self, leaf: u32, cells: &[u64]) -> bool {
        let place = (leaf & !LEAF) as usize;
        let mut words = cells.iter().enumerate();
        words.all(|(k, word)| self.word(place, k).load(Relaxed) == *word)
    }

    /// A new leaf with these cells.
    pub(super) fn make(&self, cells: &[u64]) -> Result<u32, StoreCapacityError> {
        let taken = self.taken.0.fetch_add(1, Relaxed);
        let place = match self.free.len().checked_sub(taken + 1) {
            Some(last) => self.free[last] as usize,
            None => {
                self.taken.0.store(self.free.len(), Relaxed);
                self.next.0.fetch_add(1, Relaxed)
            }
        };
        if place >= self.room {
            self.next.0.store(self.room, Relaxed);
            return Err(StoreCapacityError);
        }
        for (k, word) in cells.iter().enumerate() {
            self.word(place, k).store(*word, Relaxed);
        }
        Ok(LEAF | place as u32)
    }

    /// Frees all leaves but those that are kept. How many are left.
    pub(super) fn sweep(&mut self, kept: impl Fn(u32) -> bool) -> usize {
        let touched = self.touched();
        self.free.clear();
        for place in (0..touched as u32).rev() {
            if !kept(LEAF | place) {
                self.free.push(place);
            }
        }
        self.taken.0.store(0, Relaxed);
        touched - self.free.len()
    }
}
