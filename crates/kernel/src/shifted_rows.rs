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

/// The groups of lines of a row: the cells, those shifted to see their western neighbours, and
/// their eastern ones.
pub(super) const SHIFTED: usize = 3;

/// The lines of a row, one for each of P planes in each of G groups: the [`SHIFTED`] ones, and more
/// whose contents stay.
pub(super) type ShiftedRow<const STRIDE: usize, const P: usize, const G: usize> =
    [[[u64; STRIDE]; P]; G];

/// Rows of `STRIDE` words, a multiple of 8: their cells now, and room for those of the next
/// generation.
pub(super) struct ShiftedRows<const STRIDE: usize, const P: usize, const G: usize>(RowBuffers);

/// What the rows lie in.
#[derive(Default)]
struct RowBuffers {
    now: LineAlignedWords,
    next: LineAlignedWords,
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
    static UNUSED: RefCell<RowBuffers> = RefCell::default();
}

impl<const STRIDE: usize, const P: usize, const G: usize> ShiftedRows<STRIDE, P, G> {
    /// Words of a row.
    const ROW: usize = G * P * STRIDE;

    /// So many rows, at least, with any contents. They are this thread's own from the last time,
    /// if they were given back.
    pub(super) fn borrow(rows: usize) -> Self {
        let mut buffers = UNUSED.take();
        buffers.now.reserve(rows * Self::ROW);
        buffers.next.reserve(rows * Self::ROW);
        Self(buffers)
    }

    /// Keeps the memory for the next time.
    pub(super) fn give_back(self) {
        UNUSED.set(self.0);
    }

    /// The rows.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[ShiftedRow<STRIDE, P, G>] {
        let (lines, _) = self.0.now.words().as_chunks();
        lines.as_chunks().0.as_chunks().0
    }

    /// The rows, to be written. Cells that are written have to be shifted.
    #[inline(always)]
    pub(super) fn rows_mut(&mut self) -> &mut [ShiftedRow<STRIDE, P, G>] {
        let (lines, _) = self.0.now.words_mut().as_chunks_mut();
        lines.as_chunks_mut().0.as_chunks_mut().0
    }

    /// The rows of this generation and of the next, to write the lines that stay.
    pub(super) fn both_mut(&mut self) -> [&mut [ShiftedRow<STRIDE, P, G>]; 2] {
        let RowBuffers { now, next } = &mut self.0;
        [now, next].map(|rows| {
            let (lines, _) = rows.words_mut().as_chunks_mut();
            lines.as_chunks_mut().0.as_chunks_mut().0
        })
    }

    /// Computes the shifted lines of some rows, of so many words.
    #[inline(always)]
    pub(super) fn shift<V: Vector<u64>>(&mut self, rows: Range<usize>, words: usize) {
        assert!(words <= STRIDE, "as many as there are");
        // a loop over few words of a known number is none
        let words = if STRIDE <= CACHE_LINE { STRIDE } else { words };
        for row in &mut self.rows_mut()[rows] {
            let Some(([cells, west, east], _)) = row.split_first_chunk_mut::<SHIFTED>() else {
                return;
            };
            for ((cells, west), east) in cells.iter().zip(west).zip(east) {
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
    }

    /// Steps all of these rows but the first and the last, of so many words: a multiple of what
    /// the program steps together.
    pub(super) fn step(&mut self, program: &CircuitProgram, rows: Range<usize>, words: usize) {
        let row = Self::ROW;
        let layout = PlaneLayout {
            stride: STRIDE,
            margin: 0,
            words,
            corner: (false, false),
        };
        let RowBuffers { now, next } = &mut self.0;
        let seen = &now.words()[rows.start * row..rows.end * row];
        let stepped = &mut next.words_mut()[(rows.start + 1) * row..(rows.end - 1) * row];
        program.rows(layout, seen, stepped);
        std::mem::swap(now, next);
    }
}
