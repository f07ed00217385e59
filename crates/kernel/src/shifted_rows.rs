//! Rows of words for circuits whose cells see neighbours in the same word: each row has three
//! lines, the cells, those shifted by a cell to see their western neighbours, and those shifted
//! to see their eastern ones.
//!
//! ```text
//! line 0   .#..##.#     the cells, west first
//! line 1   ?.#..##.     the western neighbour of each
//! line 2   #..##.#?     the eastern neighbour of each
//! ```
//!
//! A circuit that is compiled for these lines ([`Circuit::over_lines`]) reads three planes
//! straight down, so that the same interpreter and the same machine code serve rows that are
//! strided through memory and rows that lie in single words. Own method.
//!
//! [`Circuit::over_lines`]: super::circuit::Circuit::over_lines

use super::interpreter::CircuitProgram;
use crate::backend::PlaneLayout;
use crate::simd::Vector;
use std::cell::RefCell;
use std::ops::Range;

/// The lines of a row.
pub(super) const LINES: usize = 3;

/// The cells of some rows now, and room for those of the next generation.
#[derive(Default)]
pub(super) struct ShiftedRows {
    now: LineAlignedWords,
    next: LineAlignedWords,
    /// Words of a line.
    stride: usize,
}

/// Words whose first one begins a cache line, so that no vector lies in two.
#[derive(Default)]
struct LineAlignedWords {
    words: Vec<u64>,
    start: usize,
}

/// Words of a cache line.
const CACHE_LINE: usize = 8;

impl LineAlignedWords {
    /// Room for so many words, at least.
    fn reserve(&mut self, words: usize) {
        if self.words().len() < words {
            self.words.resize(words + CACHE_LINE, 0);
            let start = self.words.as_ptr().align_offset(8 * CACHE_LINE);
            // where that is not known, the words are where they are
            self.start = if start < CACHE_LINE { start } else { 0 };
        }
    }

    #[inline(always)]
    fn words(&self) -> &[u64] {
        &self.words[self.start..]
    }

    #[inline(always)]
    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words[self.start..]
    }
}

thread_local! {
    /// What was given back.
    static UNUSED: RefCell<ShiftedRows> = RefCell::default();
}

impl ShiftedRows {
    /// Some rows of `stride` words, a multiple of 8, with any contents. They are this thread's
    /// own from the last time, if they were given back.
    pub(super) fn borrow(rows: usize, stride: usize) -> Self {
        let mut this = UNUSED.take();
        let words = rows * LINES * stride;
        this.now.reserve(words);
        this.next.reserve(words);
        this.stride = stride;
        this
    }

    /// Keeps the memory for the next time.
    pub(super) fn give_back(self) {
        UNUSED.set(self);
    }

    /// The cells of a row.
    #[inline(always)]
    pub(super) fn row(&self, y: usize) -> &[u64] {
        &self.now.words()[y * LINES * self.stride..][..self.stride]
    }

    /// The same, to be written. What is written has to be shifted.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, y: usize) -> &mut [u64] {
        &mut self.now.words_mut()[y * LINES * self.stride..][..self.stride]
    }

    /// Computes the shifted lines of some rows, of so many words.
    #[inline(always)]
    pub(super) fn shift<V: Vector<u64>>(&mut self, rows: Range<usize>, words: usize) {
        let stride = self.stride;
        for y in rows {
            // as slices of a vector each, whose bounds need no check: these took a third of the
            // time of a rule of few gates
            let row = &mut self.now.words_mut()[y * LINES * stride..][..LINES * stride];
            let (cells, shifted) = row.split_at_mut(stride);
            let (west, east) = shifted.split_at_mut(stride);
            let west = west[..words].chunks_exact_mut(V::LANES);
            let east = east[..words].chunks_exact_mut(V::LANES);
            let cells = cells[..words].chunks_exact(V::LANES);
            for ((cells, west), east) in cells.zip(west).zip(east) {
                let cells = V::load(cells);
                cells.west().store(west);
                cells.east().store(east);
            }
        }
    }

    /// Steps all of these rows but the first and the last, of so many words: a multiple of 8.
    pub(super) fn step(&mut self, program: &CircuitProgram, rows: Range<usize>, words: usize) {
        let row = LINES * self.stride;
        let layout = PlaneLayout {
            stride: self.stride,
            margin: 0,
            words,
            corner: (false, false),
        };
        let seen = &self.now.words()[rows.start * row..rows.end * row];
        let next = &mut self.next.words_mut()[(rows.start + 1) * row..(rows.end - 1) * row];
        program.rows(layout, seen, next);
        std::mem::swap(&mut self.now, &mut self.next);
    }
}
