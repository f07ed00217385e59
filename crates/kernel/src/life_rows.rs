//! Life over rows of words, where there is no machine code for its circuit.

use super::life::LifeRow;
use crate::backend::PlaneLayout;
use crate::simd::{SimdElement, SimdTask, Vector, prefetch};
use std::slice::{ChunksExact, ChunksExactMut};

/// Steps rows of words, see `PlaneKernel::rows`; a row has one word on either side.
pub(super) fn step(layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
    u64::dispatch(LifeRowsTask { layout, seen, next });
}

struct LifeRowsTask<'a> {
    layout: PlaneLayout,
    seen: &'a [u64],
    next: &'a mut [u64],
}

/// Rows in a band; two more are summed for each band.
const BAND: usize = 64;

/// Words in a cache line.
const LINE: usize = 8;

impl SimdTask<u64> for LifeRowsTask<'_> {
    // Loops and no closures: the compiler does not always inline those, and what is not
    // inlined is not compiled for the instruction set.
    #[inline(always)]
    fn run<V: Vector<u64>>(mut self) {
        let PlaneLayout { stride, words, .. } = self.layout;
        let height = self.next.len().div_ceil(stride);
        // The last row may end after its words.
        let whole = (self.next.len() / stride).min((self.seen.len() / stride).saturating_sub(2));
        for top in (0..whole).step_by(BAND) {
            let bottom = whole.min(top + BAND);
            for at in (0..words).step_by(V::LANES) {
                self.column::<V>(top, bottom, at);
            }
        }
        for y in whole..height {
            for at in (0..words).step_by(V::LANES) {
                self.single::<V>(y, at);
            }
        }
    }
}

impl LifeRowsTask<'_> {
    /// Steps a column of vectors from one row to another. The loop is unrolled by four rows, so
    /// that the row sums need not change registers, which makes it a third faster.
    #[inline(always)]
    fn column<V: Vector<u64>>(&mut self, top: usize, bottom: usize, at: usize) {
        let PlaneLayout { stride, margin, .. } = self.layout;
        let mut rows = self.seen[top * stride..(bottom + 2) * stride].chunks_exact(stride);
        let mut next = self.next[top * stride..bottom * stride].chunks_exact_mut(stride);
        let at = margin + at;
        let (Some(mut above), Some(mut here)) = (
            next_row_sums::<V>(&mut rows, at),
            next_row_sums::<V>(&mut rows, at),
        ) else {
            return;
        };
        for _ in 0..(bottom - top) / 4 {
            let Some(a) = next_row_sums(&mut rows, at) else {
                return;
            };
            store(here.next(above, a), &mut next, at);
            let Some(b) = next_row_sums(&mut rows, at) else {
                return;
            };
            store(a.next(here, b), &mut next, at);
            let Some(c) = next_row_sums(&mut rows, at) else {
                return;
            };
            store(b.next(a, c), &mut next, at);
            let Some(d) = next_row_sums(&mut rows, at) else {
                return;
            };
            store(c.next(b, d), &mut next, at);
            (above, here) = (c, d);
        }
        while let Some(below) = next_row_sums(&mut rows, at) {
            store(here.next(above, below), &mut next, at);
            (above, here) = (here, below);
        }
    }

    /// Steps a vector of a row.
    #[inline(always)]
    fn single<V: Vector<u64>>(&mut self, y: usize, at: usize) {
        let PlaneLayout { stride, margin, .. } = self.layout;
        let mut sums = [LifeRow::EMPTY; 3];
        for (row, sums) in sums.iter_mut().enumerate() {
            *sums = row_sums(&self.seen[(y + row) * stride..], margin + at);
        }
        let [above, here, below] = sums;
        let states: V = here.next(above, below);
        states.store(&mut self.next[y * stride + margin + at..]);
    }
}

/// The row sums of a vector of the next row, from word `at` on.
#[inline(always)]
fn next_row_sums<V: Vector<u64>>(rows: &mut ChunksExact<'_, u64>, at: usize) -> Option<LifeRow<V>> {
    let row = rows.next()?;
    // Down a column, the hardware prefetcher brings a row's next cache line too late.
    if V::LANES < LINE
        && (at - 1).is_multiple_of(LINE)
        && let Some(next) = row.get(at + 2 * LINE)
    {
        prefetch(next);
    }
    Some(row_sums(row, at))
}

/// The row sums of a vector of a row, from word `at` on.
#[inline(always)]
fn row_sums<V: Vector<u64>>(row: &[u64], at: usize) -> LifeRow<V> {
    let words = &row[at - 1..at + V::LANES + 1];
    LifeRow::sum(V::load(words), V::load(&words[1..]), V::load(&words[2..]))
}

/// Stores a vector to the next row.
#[inline(always)]
fn store<V: Vector<u64>>(states: V, rows: &mut ChunksExactMut<'_, u64>, at: usize) {
    if let Some(row) = rows.next() {
        states.store(&mut row[at..]);
    }
}
