//! Runs a [`BitProgram`] over words in memory, in the widest vectors of the processor.

use super::CellWord;
use super::bit::BitProgram;
use super::count::{BitCountRule, LifeCounter, MooreCounter, NeighbourCounter, SubsetCounter};
use super::diagram::{BLOCK, DecisionDiagram};
use crate::arch::{SimdElement, SimdTask, Vector, prefetch};
use std::slice::{ChunksExact, ChunksExactMut};

impl BitProgram {
    /// See `BitKernel::eval`.
    pub(super) fn eval<W: CellWord>(&self, seen: [&[W]; 9], next: &mut [W]) {
        let n = next.len();
        let seen = seen.map(|slice| &slice[..n]);
        let program = self;
        W::dispatch(BitSliceTask {
            program,
            seen,
            next,
        });
    }

    /// See `BitKernel::rows`.
    pub(super) fn rows(&self, stride: usize, words: usize, seen: &[u64], next: &mut [u64]) {
        u64::dispatch(BitRowTask {
            program: self,
            rows: StridedRows {
                stride,
                words,
                seen,
                next,
            },
        });
    }

    /// Calls the visitor with the logic of this program.
    #[inline(always)]
    fn apply<W, V: Vector<W>>(&self, visitor: impl BitProgramVisitor<W, V>) {
        match self {
            Self::Life => visitor.run_counter(&LifeCounter),
            Self::Count(counts) if counts.counted == BitCountRule::MOORE => {
                visitor.run_counter(&MooreCounter(counts.masks()));
            }
            Self::Count(counts) => visitor.run_counter(&SubsetCounter::new(*counts)),
            Self::Diagram(diagram) => visitor.run_diagram(diagram),
        }
    }
}

/// A computation that differs by kind of program.
trait BitProgramVisitor<W, V: Vector<W>> {
    fn run_counter(self, counter: &impl NeighbourCounter<V>);
    fn run_diagram(self, diagram: &DecisionDiagram);
}

/// [`BitProgram::eval`] as a task: nine slices of words in, one out.
struct BitSliceTask<'a, W> {
    program: &'a BitProgram,
    seen: [&'a [W]; 9],
    next: &'a mut [W],
}

impl<W: CellWord> SimdTask<W> for BitSliceTask<'_, W> {
    #[inline(always)]
    fn run<V: Vector<W>>(self) {
        let Self {
            program,
            seen,
            next,
        } = self;
        if next.len() >= V::LANES {
            program.apply::<W, V>(NeighbourSlices { seen, next });
        } else {
            program.apply::<W, W>(NeighbourSlices { seen, next });
        }
    }
}

#[inline(always)]
fn row<W: CellWord, V: Vector<W>, L: NeighbourCounter<V>>(
    counter: &L,
    seen: [&[W]; 3],
    at: usize,
) -> L::Row {
    let [west, centre, east] = seen;
    counter.row(
        V::load(&west[at..]),
        V::load(&centre[at..]),
        V::load(&east[at..]),
    )
}

/// At least as many words as a vector holds. The remainder at the end is computed by
/// one more vector that overlaps the last; the results are the same.
struct NeighbourSlices<'a, W> {
    seen: [&'a [W]; 9],
    next: &'a mut [W],
}

impl<W: CellWord, V: Vector<W>> BitProgramVisitor<W, V> for NeighbourSlices<'_, W> {
    #[inline(always)]
    fn run_counter(self, counter: &impl NeighbourCounter<V>) {
        let Some(last) = self.next.len().checked_sub(V::LANES) else {
            return;
        };
        for start in (0..self.next.len()).step_by(V::LANES) {
            // no closures: they would not be compiled for this instruction set
            let at = start.min(last);
            let seen = &self.seen;
            let above = row(counter, [seen[0], seen[1], seen[2]], at);
            let here = row(counter, [seen[3], seen[4], seen[5]], at);
            let below = row(counter, [seen[6], seen[7], seen[8]], at);
            counter.next(above, here, below).store(&mut self.next[at..]);
        }
    }

    #[inline(always)]
    fn run_diagram(self, diagram: &DecisionDiagram) {
        let Some(last) = self.next.len().checked_sub(V::LANES) else {
            return;
        };
        let mut registers = diagram.registers::<V>();
        for start in (0..self.next.len()).step_by(BLOCK * V::LANES) {
            let at = |i: usize| (start + i * V::LANES).min(last);
            let mut inputs = [[V::ZERO; BLOCK]; 9];
            for (slice, input) in self.seen.iter().zip(&mut inputs) {
                for (i, value) in input.iter_mut().enumerate() {
                    *value = V::load(&slice[at(i)..]);
                }
            }
            let results = diagram.block(&mut registers, inputs.each_ref());
            for (i, result) in results.into_iter().enumerate() {
                result.store(&mut self.next[at(i)..]);
            }
        }
    }
}

/// [`BitProgram::rows`] as a task: rows of words, with the words before and after as neighbours.
struct BitRowTask<'a> {
    program: &'a BitProgram,
    rows: StridedRows<'a>,
}

impl SimdTask<u64> for BitRowTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        self.program.apply::<u64, V>(self.rows);
    }
}

struct StridedRows<'a> {
    stride: usize,
    words: usize,
    seen: &'a [u64],
    next: &'a mut [u64],
}

impl StridedRows<'_> {
    /// The number of output rows.
    #[inline(always)]
    fn height(&self) -> usize {
        self.next.len().div_ceil(self.stride)
    }

    /// Loads the west, centre and east of a vector of words, `at` words into row `y`.
    #[inline(always)]
    fn triple<V: Vector<u64>>(&self, y: usize, at: usize) -> [V; 3] {
        let start = y * self.stride + at;
        let words = &self.seen[start..start + V::LANES + 2];
        [V::load(words), V::load(&words[1..]), V::load(&words[2..])]
    }

    /// Steps a column of vectors through whole rows. The loop is unrolled by four rows, so that
    /// the row sums need not change registers; Life runs a third faster.
    #[inline(always)]
    fn column<V: Vector<u64>>(
        &mut self,
        counter: &impl NeighbourCounter<V>,
        top: usize,
        bottom: usize,
        at: usize,
    ) {
        let stride = self.stride;
        let mut rows = self.seen[top * stride..(bottom + 2) * stride].chunks_exact(stride);
        let mut next = self.next[top * stride..bottom * stride].chunks_exact_mut(stride);
        let (Some(mut above), Some(mut here)) = (
            next_row_sums(counter, &mut rows, at),
            next_row_sums(counter, &mut rows, at),
        ) else {
            return;
        };
        for _ in 0..(bottom - top) / 4 {
            let Some(a) = next_row_sums(counter, &mut rows, at) else {
                return;
            };
            store(counter.next(above, here, a), &mut next, at);
            let Some(b) = next_row_sums(counter, &mut rows, at) else {
                return;
            };
            store(counter.next(here, a, b), &mut next, at);
            let Some(c) = next_row_sums(counter, &mut rows, at) else {
                return;
            };
            store(counter.next(a, b, c), &mut next, at);
            let Some(d) = next_row_sums(counter, &mut rows, at) else {
                return;
            };
            store(counter.next(b, c, d), &mut next, at);
            (above, here) = (c, d);
        }
        while let Some(below) = next_row_sums(counter, &mut rows, at) {
            store(counter.next(above, here, below), &mut next, at);
            (above, here) = (here, below);
        }
    }

    #[inline(always)]
    fn store_vector<V: Vector<u64>>(&mut self, y: usize, at: usize, next: V) {
        next.store(&mut self.next[y * self.stride + at + 1..]);
    }
}

/// Words in a cache line.
const LINE: usize = 8;

/// The row sums of a vector of the next row.
#[inline(always)]
fn next_row_sums<V: Vector<u64>, L: NeighbourCounter<V>>(
    counter: &L,
    rows: &mut ChunksExact<'_, u64>,
    at: usize,
) -> Option<L::Row> {
    let row = rows.next()?;
    // Down a column, the hardware prefetcher brings a row's next cache line too late.
    if V::LANES < LINE
        && at.is_multiple_of(LINE)
        && let Some(next) = row.get(at + 2 * LINE)
    {
        prefetch(next);
    }
    let row = &row[at..at + V::LANES + 2];
    Some(counter.row(V::load(row), V::load(&row[1..]), V::load(&row[2..])))
}

/// Stores a vector to the next row.
#[inline(always)]
fn store<V: Vector<u64>>(states: V, rows: &mut ChunksExactMut<'_, u64>, at: usize) {
    if let Some(row) = rows.next() {
        states.store(&mut row[at + 1..]);
    }
}

/// Rows in a band; two more are summed for each band.
const BAND: usize = 64;

/// Rows are processed in bands, so that a row's sums are shared by the three rows that
/// need them.
impl<V: Vector<u64>> BitProgramVisitor<u64, V> for StridedRows<'_> {
    #[inline(always)]
    fn run_counter(mut self, counter: &impl NeighbourCounter<V>) {
        let (height, stride) = (self.height(), self.stride);
        // The last row may end after its words.
        let whole = height.min(self.next.len() / stride);
        let whole = whole.min((self.seen.len() / stride).saturating_sub(2));
        for top in (0..whole).step_by(BAND) {
            let bottom = whole.min(top + BAND);
            for at in (0..self.words).step_by(V::LANES) {
                self.column(counter, top, bottom, at);
            }
        }
        for y in whole..height {
            for at in (0..self.words).step_by(V::LANES) {
                let [west, centre, east] = self.triple(y, at);
                let above = counter.row(west, centre, east);
                let [west, centre, east] = self.triple(y + 1, at);
                let here = counter.row(west, centre, east);
                let [west, centre, east] = self.triple(y + 2, at);
                let below = counter.row(west, centre, east);
                self.store_vector(y, at, counter.next(above, here, below));
            }
        }
    }

    #[inline(always)]
    fn run_diagram(mut self, diagram: &DecisionDiagram) {
        let height = self.height();
        let mut registers = diagram.registers::<V>();
        for top in (0..height).step_by(BLOCK) {
            let bottom = height.min(top + BLOCK);
            for at in (0..self.words).step_by(V::LANES) {
                let mut around = [[V::ZERO; BLOCK + 2]; 3];
                for (i, y) in (top..bottom + 2).enumerate() {
                    let triple = self.triple(y, at);
                    for (column, value) in around.iter_mut().zip(triple) {
                        column[i] = value;
                    }
                }
                let inputs = std::array::from_fn(|k| {
                    let rows = around[k % 3][k / 3..].first_chunk();
                    rows.expect("a column is two longer than a block")
                });
                let results = diagram.block(&mut registers, inputs);
                for (y, result) in (top..bottom).zip(results) {
                    self.store_vector(y, at, result);
                }
            }
        }
    }
}
