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
    now: Vec<u64>,
    next: Vec<u64>,
    /// Words of a line.
    stride: usize,
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
        if this.now.len() < words {
            this.now.resize(words, 0);
            this.next.resize(words, 0);
        }
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
        &self.now[y * LINES * self.stride..][..self.stride]
    }

    /// The same, to be written. What is written has to be shifted.
    #[inline(always)]
    pub(super) fn row_mut(&mut self, y: usize) -> &mut [u64] {
        &mut self.now[y * LINES * self.stride..][..self.stride]
    }

    /// Computes the shifted lines of some rows, of so many words.
    #[inline(always)]
    pub(super) fn shift<V: Vector<u64>>(&mut self, rows: Range<usize>, words: usize) {
        let stride = self.stride;
        for y in rows {
            let row = &mut self.now[y * LINES * stride..][..LINES * stride];
            for at in (0..words).step_by(V::LANES) {
                let cells = V::load(&row[at..]);
                cells.west().store(&mut row[stride + at..]);
                cells.east().store(&mut row[2 * stride + at..]);
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
        let seen = &self.now[rows.start * row..rows.end * row];
        let next = &mut self.next[(rows.start + 1) * row..(rows.end - 1) * row];
        program.rows(layout, seen, next);
        std::mem::swap(&mut self.now, &mut self.next);
    }
}
