//! Steps columns of words inside a [`SimdTask`](crate::arch::SimdTask): for engines that process
//! many small pieces and choose the instruction set once for all of them.
//!
//! A column is 64 rows of cells, a word each, west in the less significant bit. Adjacent rows
//! are eight words apart: row y is word `8 * (y % 8) + y / 8`. So the rows above and
//! below those of a vector are two other vectors, and only at the ends of a run of eight
//! rows must a vector be joined from two. With rows in natural order every vector was, which
//! took a third of the logic's time; portable words gain nothing by either order.

use super::BitKernel;
use super::bit::BitProgram;
use super::count::{
    BitCountRule, LifeCounter, MooreCounter, NeighbourCounter, SubsetCounter, VectorJoin,
};
use super::diagram::{BLOCK, DecisionDiagram};
use crate::arch::Vector;

/// Rows of a column.
const ROWS: usize = 64;

/// The distance in rows of adjacent words, and in words of adjacent rows.
pub(crate) const STEP: usize = 8;

/// A column of cells, in the order that the module's documentation describes.
pub(crate) type BitColumn = [u64; ROWS];

/// The index of a row in its column.
#[inline(always)]
pub(crate) const fn word_of_row(y: usize) -> usize {
    y % STEP * STEP + y / STEP
}

/// A phase of a kernel, prepared for vectors of one type.
pub(crate) trait ColumnStep<V> {
    /// Computes the next states of a column's cells. The outermost ring of `next` is undefined.
    fn step(&mut self, rows: &BitColumn, next: &mut BitColumn);
}

/// A computation with two phases of a kernel.
pub(crate) trait PhasePairTask<V> {
    /// Runs it.
    fn run<S: ColumnStep<V>>(self, phases: [S; 2]);
}

impl BitKernel {
    /// Runs a computation with two phases. For Life it is monomorphised; matching on the phase
    /// for each column is a twentieth slower.
    #[inline(always)]
    pub(crate) fn steps<V: Vector<u64>>(&self, phases: [usize; 2], task: impl PhasePairTask<V>) {
        if self.is_life() {
            task.run([LifeCounter, LifeCounter]);
        } else {
            task.run([self.prepare(phases[0]), self.prepare(phases[1])]);
        }
    }

    #[inline(always)]
    fn prepare<V: Vector<u64>>(&self, phase: usize) -> ColumnPhase<'_, V> {
        match self.program(phase) {
            BitProgram::Life => ColumnPhase::Life,
            BitProgram::Count(counts) if counts.counted == BitCountRule::MOORE => {
                ColumnPhase::Moore(MooreCounter(counts.masks()))
            }
            BitProgram::Count(counts) => ColumnPhase::Subset(SubsetCounter::new(*counts)),
            BitProgram::Diagram(diagram) => ColumnPhase::Diagram(diagram, diagram.registers()),
        }
    }
}

/// A phase of any kernel.
enum ColumnPhase<'a, V> {
    Life,
    Moore(MooreCounter<V>),
    Subset(SubsetCounter<V>),
    Diagram(&'a DecisionDiagram, Vec<[V; BLOCK]>),
}

impl<V: Vector<u64>> ColumnStep<V> for ColumnPhase<'_, V> {
    // The vector code below has no closures: the compiler does not always inline those, and
    // what is not inlined is not compiled for the instruction set.
    #[inline(always)]
    fn step(&mut self, rows: &BitColumn, next: &mut BitColumn) {
        match self {
            Self::Life => run_counter::<V, _>(&LifeCounter, rows, next),
            Self::Moore(counter) => run_counter::<V, _>(counter, rows, next),
            Self::Subset(counter) => run_counter::<V, _>(counter, rows, next),
            Self::Diagram(diagram, registers) => run_diagram::<V>(diagram, registers, rows, next),
        }
    }
}

impl<V: Vector<u64>> ColumnStep<V> for LifeCounter {
    #[inline(always)]
    fn step(&mut self, rows: &BitColumn, next: &mut BitColumn) {
        run_counter::<V, _>(self, rows, next);
    }
}

#[inline(always)]
fn run_counter<V: Vector<u64>, L: NeighbourCounter<V>>(
    counter: &L,
    rows: &BitColumn,
    next: &mut BitColumn,
) {
    let mut last_before = counter.row(V::ZERO, V::ZERO, V::ZERO);
    let mut first = row(counter, V::load(rows));
    let mut at = 0;
    while at < STEP {
        let last = row(counter, V::load(&rows[(STEP - 1) * STEP + at..]));
        let first_after = if at + V::LANES < STEP {
            row(counter, V::load(&rows[at + V::LANES..]))
        } else {
            first
        };
        let mut above = L::join::<ColumnAboveJoin>(last, last_before);
        let mut here = first;
        for j in 0..STEP {
            let below = if j + 2 < STEP {
                row(counter, V::load(&rows[(j + 1) * STEP + at..]))
            } else if j + 1 < STEP {
                last
            } else {
                L::join::<ColumnBelowJoin>(first, first_after)
            };
            counter
                .next(above, here, below)
                .store(&mut next[j * STEP + at..]);
            (above, here) = (here, below);
        }
        (last_before, first) = (last, first_after);
        at += V::LANES;
    }
}

#[inline(always)]
fn row<V: Vector<u64>, L: NeighbourCounter<V>>(counter: &L, centre: V) -> L::Row {
    counter.row(centre.west(), centre, centre.east())
}

#[allow(clippy::needless_range_loop, reason = "no closures, see above")]
#[inline(always)]
fn run_diagram<V: Vector<u64>>(
    diagram: &DecisionDiagram,
    registers: &mut [[V; BLOCK]],
    rows: &BitColumn,
    next: &mut BitColumn,
) {
    const { assert!(BLOCK == STEP) };
    let mut last_before = V::ZERO;
    let mut at = 0;
    while at < STEP {
        let last = V::load(&rows[(STEP - 1) * STEP + at..]);
        let first = V::load(&rows[at..]);
        let first_after = if at + V::LANES < STEP {
            V::load(&rows[at + V::LANES..])
        } else {
            V::ZERO
        };
        let mut inputs = [[V::ZERO; BLOCK]; 9];
        let (mut above, mut here) = (last.above(last_before), first);
        for j in 0..STEP {
            let below = if j + 1 < STEP {
                V::load(&rows[(j + 1) * STEP + at..])
            } else {
                first.below(first_after)
            };
            let seen = [above, here, below];
            for y in 0..3 {
                inputs[3 * y][j] = seen[y].west();
                inputs[3 * y + 1][j] = seen[y];
                inputs[3 * y + 2][j] = seen[y].east();
            }
            (above, here) = (here, below);
        }
        let results = diagram.block(registers, inputs.each_ref());
        for j in 0..STEP {
            results[j].store(&mut next[j * STEP + at..]);
        }
        last_before = last;
        at += V::LANES;
    }
}

/// The rows above those of a vector, given the vector before.
struct ColumnAboveJoin;

impl<V: Vector<u64>> VectorJoin<V> for ColumnAboveJoin {
    #[inline(always)]
    fn join(here: V, before: V) -> V {
        here.above(before)
    }
}

/// The rows below those of a vector, given the vector after.
struct ColumnBelowJoin;

impl<V: Vector<u64>> VectorJoin<V> for ColumnBelowJoin {
    #[inline(always)]
    fn join(here: V, after: V) -> V {
        here.below(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{SimdElement, SimdTask, with_each_width};

    struct ColumnTestTask<'a> {
        kernel: &'a BitKernel,
        phase: usize,
        rows: &'a BitColumn,
        next: &'a mut BitColumn,
    }

    impl SimdTask<u64> for ColumnTestTask<'_> {
        #[inline(always)]
        fn run<V: Vector<u64>>(self) {
            let (kernel, phases) = (self.kernel, [self.phase; 2]);
            kernel.steps::<V>(phases, self);
        }
    }

    impl<V: Vector<u64>> PhasePairTask<V> for ColumnTestTask<'_> {
        #[inline(always)]
        fn run<S: super::ColumnStep<V>>(self, [mut first, _]: [S; 2]) {
            first.step(self.rows, self.next);
        }
    }

    #[test]
    fn every_row_has_a_word_of_its_own() {
        let mut words: Vec<usize> = (0..ROWS).map(word_of_row).collect();
        assert_eq!(words[..9], [0, 8, 16, 24, 32, 40, 48, 56, 1]);
        words.sort_unstable();
        assert!(words.into_iter().eq(0..ROWS));
    }

    #[test]
    fn rows_that_meet_in_registers_are_rows_in_memory() {
        for rule in [
            "B3/S23",
            "B36/S23",
            "B2/S34H",
            "B2n3-y4c/S23-a4i",
            "B03/S23",
        ] {
            let kernel = BitKernel::compile(&rule.parse().unwrap()).unwrap();
            let rows: [u64; ROWS] = std::array::from_fn(|i| {
                let product = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                product.rotate_left(i as u32) ^ product >> 7
            });
            let mut column = [0; ROWS];
            for (y, row) in rows.into_iter().enumerate() {
                column[word_of_row(y)] = row;
            }
            for phase in 0..kernel.time_period() {
                let (west, east) = (rows.map(|row| row << 1), rows.map(|row| row >> 1));
                let mut expected = [0; ROWS - 2];
                kernel.column(phase, &west, &rows, &east, &mut expected);
                with_each_width(|| {
                    let mut next = [0; ROWS];
                    u64::dispatch(ColumnTestTask {
                        kernel: &kernel,
                        phase,
                        rows: &column,
                        next: &mut next,
                    });
                    for (y, expected) in (1..ROWS - 1).zip(expected) {
                        let wrong = (next[word_of_row(y)] ^ expected) << 1 >> 2;
                        assert_eq!(wrong, 0, "{rule}, phase {phase}, row {y}");
                    }
                });
            }
        }
    }
}
