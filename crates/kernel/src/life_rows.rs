//! Life over rows of words, where there is no machine code for its circuit.

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
        let height = self.next.len().div_ceil(self.layout.stride);
        for top in (0..height).step_by(BAND) {
            let bottom = height.min(top + BAND);
            for at in (0..self.layout.words).step_by(V::LANES) {
                self.column::<V>(top, bottom, at);
            }
        }
    }
}

impl LifeRowsTask<'_> {
    /// Steps a column of vectors from one row to another. The loop is unrolled by four rows, so
    /// that the row sums need not change registers, which makes it a third faster.
    #[inline(always)]
    fn column<V: Vector<u64>>(&mut self, top: usize, bottom: usize, at: usize) {
        let mut above = self.sums::<V>(top, at);
        let mut here = self.sums::<V>(top + 1, at);
        let mut y = top;
        while y + 4 <= bottom {
            let a = self.sums::<V>(y + 2, at);
            self.store(y, at, here.next(above, a));
            let b = self.sums::<V>(y + 3, at);
            self.store(y + 1, at, a.next(here, b));
            let c = self.sums::<V>(y + 4, at);
            self.store(y + 2, at, b.next(a, c));
            let d = self.sums::<V>(y + 5, at);
            self.store(y + 3, at, c.next(b, d));
            (above, here) = (c, d);
            y += 4;
        }
        while y < bottom {
            let below = self.sums::<V>(y + 2, at);
            self.store(y, at, here.next(above, below));
            (above, here) = (here, below);
            y += 1;
        }
    }

    /// The sums of a vector of a row, `at` words into it.
    #[inline(always)]
    fn sums<V: Vector<u64>>(&self, y: usize, at: usize) -> LifeRow<V> {
        let start = y * self.layout.stride + self.layout.margin - 1 + at;
        // Down a column, the hardware prefetcher brings a row's next cache line too late.
        if V::LANES < LINE
            && at.is_multiple_of(LINE)
            && let Some(next) = self.seen.get(start + 2 * LINE)
        {
            prefetch(next);
        }
        let words = &self.seen[start..start + V::LANES + 2];
        LifeRow::sum(V::load(words), V::load(&words[1..]), V::load(&words[2..]))
    }

    #[inline(always)]
    fn store<V: Vector<u64>>(&mut self, y: usize, at: usize, states: V) {
        let start = y * self.layout.stride + self.layout.margin + at;
        states.store(&mut self.next[start..]);
    }
}
