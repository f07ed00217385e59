//! Life over rows of words: three rows share a row's sums, which stay in registers down a column.
//! Machine code of its circuit reads each row three times, and takes 1.6 times as long.

use super::life::LifeRow;
use crate::backend::PlaneLayout;
use crate::simd::{SimdElement, SimdTask, Vector, prefetch};

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
    /// that the row sums need not change registers, which makes it a third faster. What is left
    /// of the rows begins at the column, so that going down a row is one comparison.
    #[inline(always)]
    fn column<V: Vector<u64>>(&mut self, top: usize, bottom: usize, at: usize) {
        let PlaneLayout { stride, margin, .. } = self.layout;
        let at = margin + at;
        let mut seen = ColumnRows {
            stride,
            rest: &self.seen[top * stride + at - 1..(bottom + 2) * stride],
            is_line_start: (at - 1).is_multiple_of(LINE),
        };
        let mut next = &mut self.next[top * stride + at..bottom * stride];
        let (mut above, mut here) = (seen.next_sums::<V>(), seen.next_sums::<V>());
        for _ in 0..(bottom - top) / 4 {
            let a = seen.next_sums();
            store(here.next(above, a), &mut next, stride);
            let b = seen.next_sums();
            store(a.next(here, b), &mut next, stride);
            let c = seen.next_sums();
            store(b.next(a, c), &mut next, stride);
            let d = seen.next_sums();
            store(c.next(b, d), &mut next, stride);
            (above, here) = (c, d);
        }
        for _ in 0..(bottom - top) % 4 {
            let below = seen.next_sums();
            store(here.next(above, below), &mut next, stride);
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

/// The rows of a column that are still to be summed.
struct ColumnRows<'a> {
    stride: usize,
    /// From the word west of the column's first, in the next row.
    rest: &'a [u64],
    /// Whether that word begins a cache line.
    is_line_start: bool,
}

impl ColumnRows<'_> {
    /// The row sums of a vector of the next row.
    #[inline(always)]
    fn next_sums<V: Vector<u64>>(&mut self) -> LifeRow<V> {
        // Down a column, the hardware prefetcher brings a row's next cache line too late.
        if V::LANES < LINE
            && self.is_line_start
            && let Some(next) = self.rest.get(2 * LINE + 1)
        {
            prefetch(next);
        }
        let sums = row_sums(self.rest, 1);
        self.rest = self.rest.get(self.stride..).unwrap_or_default();
        sums
    }
}

/// The row sums of a vector of a row, from word `at` on.
#[inline(always)]
fn row_sums<V: Vector<u64>>(row: &[u64], at: usize) -> LifeRow<V> {
    let words = &row[at - 1..at + V::LANES + 1];
    LifeRow::sum(V::load(words), V::load(&words[1..]), V::load(&words[2..]))
}

/// Stores a vector, and goes on to the next row.
#[inline(always)]
fn store<V: Vector<u64>>(states: V, rest: &mut &mut [u64], stride: usize) {
    states.store(rest);
    *rest = std::mem::take(rest).get_mut(stride..).unwrap_or_default();
}
