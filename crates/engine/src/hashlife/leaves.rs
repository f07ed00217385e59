//! The leaves, in the order in which they were first met.

use super::grain::Grain;
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
    next: AtomicUsize,
    /// Places where leaves have been.
    free: Vec<u32>,
    /// How many of these have been taken again.
    taken: AtomicUsize,
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
            next: AtomicUsize::new(0),
            free: Vec::new(),
            taken: AtomicUsize::new(0),
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
        self.next.load(Relaxed) >= self.room && self.taken.load(Relaxed) >= self.free.len()
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
        self.next.load(Relaxed).min(self.room)
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
        let taken = self.taken.fetch_add(1, Relaxed);
        let place = match self.free.len().checked_sub(taken + 1) {
            Some(last) => self.free[last] as usize,
            None => {
                self.taken.store(self.free.len(), Relaxed);
                self.next.fetch_add(1, Relaxed)
            }
        };
        if place >= self.room {
            self.next.store(self.room, Relaxed);
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
        self.taken.store(0, Relaxed);
        touched - self.free.len()
    }

    /// All leaves, by reference, those that are free among them.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        let mut free = vec![0_u64; self.touched().div_ceil(64)];
        let taken = self.taken.load(Relaxed).min(self.free.len());
        for &place in &self.free[..self.free.len() - taken] {
            free[place as usize / 64] |= 1 << (place % 64);
        }
        let places = 0..self.touched() as u32;
        let is_used = move |place: &u32| free[*place as usize / 64] >> (place % 64) & 1 == 0;
        places.filter(is_used).map(|place| LEAF | place)
    }
}
