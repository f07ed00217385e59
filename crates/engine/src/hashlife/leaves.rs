//! The leaves, in the order in which they were first met.

use super::grain::Grain;
use super::nodes::Apart;
use super::store::{Full, LEAF};
use crate::arch::{Pages, Words, prefetch};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// Words in a line of memory.
const LINE: usize = 8;

/// All of them. A leaf without live cells is reference 0, and not here.
pub(super) struct Leaves {
    words: Pages<Words>,
    /// Words from one leaf to the next: a power of two up to a line, or whole lines.
    stride: usize,
    /// How many there is room for.
    room: usize,
    /// The place of the next, where none has been.
    next: Apart<AtomicUsize>,
    /// Places where leaves have been.
    free: Vec<u32>,
    /// How many of these have been taken again.
    taken: Apart<AtomicUsize>,
}

impl Leaves {
    /// For leaves of so many words: so many at first, and so many at most.
    pub(super) fn new(wide: usize, leaves: usize, most: usize) -> Self {
        let stride = Self::stride(wide);
        let lines = |leaves: usize| (leaves * stride).div_ceil(LINE);
        Self {
            words: Pages::new(lines(leaves), lines(most)),
            stride,
            room: leaves,
            next: Apart(AtomicUsize::new(0)),
            free: Vec::new(),
            taken: Apart(AtomicUsize::new(0)),
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
    #[cfg(test)]
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
    #[inline(always)]
    pub(super) fn get<G: Grain>(&self, grain: &G, leaf: u32) -> G::Leaf {
        if leaf == 0 {
            return grain.empty();
        }
        let place = (leaf & !LEAF) as usize;
        grain.leaf_of(|k| self.word(place, k).load(Relaxed))
    }

    /// Whether a leaf has these cells.
    #[inline(always)]
    pub(super) fn is<G: Grain>(&self, grain: &G, leaf: u32, cells: &G::Leaf) -> bool {
        let place = (leaf & !LEAF) as usize;
        (0..grain.words()).all(|k| self.word(place, k).load(Relaxed) == grain.word(cells, k))
    }

    /// A new leaf with these cells.
    pub(super) fn make<G: Grain>(&self, grain: &G, cells: &G::Leaf) -> Result<u32, Full> {
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
            return Err(Full);
        }
        for k in 0..grain.words() {
            self.word(place, k).store(grain.word(cells, k), Relaxed);
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
