//! Advances columns of words inside a [`SimdTask`](crate::simd::SimdTask): for engines that
//! process many small pieces and choose the instruction set once for all of them.
//!
//! A column is 64 rows of cells, a word each, west in the less significant bit. Adjacent rows
//! are eight words apart: row y is word `8 * (y % 8) + y / 8`. So the rows above and
//! below those of a vector are two other vectors, and only at the ends of a run of eight
//! rows must a vector be joined from two. With rows in natural order every vector was, which
//! took a third of the logic's time; portable words gain nothing by either order. Own method.

use super::bit::{BitKernel, BitKernelForm};
use super::interpreter::CircuitProgram;
use super::life::LifeRow;
use super::shifted_rows::{SHIFTED, ShiftedRows};
use crate::simd::{SimdElement, SimdTask, Vector};

/// Rows of a column.
const ROWS: usize = 64;

/// The distance in rows of adjacent words, and in words of adjacent rows.
pub const STEP: usize = 8;

/// A column of cells: 64 rows, a word each. Adjacent rows are eight words apart, so that the rows
/// above and below those of a vector are whole vectors too.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct BitColumn(pub [u64; ROWS]);

impl BitColumn {
    /// No live cells.
    pub const BLANK: Self = Self([0; ROWS]);

    /// The word of row `y`, west in the less significant bit.
    #[inline(always)]
    pub fn row(&self, y: usize) -> u64 {
        self.0[word_of_row(y)]
    }

    /// The same, to be written.
    #[inline(always)]
    pub fn row_mut(&mut self, y: usize) -> &mut u64 {
        &mut self.0[word_of_row(y)]
    }
}

/// The index of a row in its column.
#[inline(always)]
pub const fn word_of_row(y: usize) -> usize {
    y % STEP * STEP + y / STEP
}

/// Columns that circuits advance together.
pub const MAX_COLUMNS: usize = 8;

/// Advances columns by a few generations, some of them at a time: takes them in, advances
/// them, and gives back what became of each. With each generation one more
/// ring of the cells around a column is undefined.
pub trait ColumnAdvance<V> {
    /// The columns that go together, as they are before.
    type Columns: AsMut<[BitColumn]>;

    /// Room for as many columns as go together.
    fn columns() -> Self::Columns;

    /// Takes in a column.
    fn take_in(&mut self, column: usize, rows: &BitColumn);

    /// Advances the first `columns` that were taken in.
    fn advance(&mut self, columns: usize, generations: usize);

    /// What became of a column that was taken in as `rows`.
    fn give_back(&mut self, column: usize, rows: &BitColumn, next: &mut BitColumn);
}

/// A computation that advances columns.
pub trait ColumnTask<V> {
    /// Runs it.
    fn run<A: ColumnAdvance<V>>(self, advance: &mut A);
}

impl BitKernel {
    /// Runs a computation with the phases of two generations, which alternate. It is compiled
    /// for Life by itself, and once for all other rules.
    ///
    /// ```
    /// use kernel::simd::{SimdElement as _, SimdTask, Vector};
    /// use kernel::{BitColumn, BitKernel, ColumnAdvance, ColumnTask, InterpreterOnly};
    ///
    /// struct TwoGenerations<'a>(&'a BitKernel, &'a mut BitColumn);
    ///
    /// impl SimdTask<u64> for TwoGenerations<'_> {
    ///     fn run<V: Vector<u64>>(self) {
    ///         self.0.with_columns::<V>([0, 0], self);
    ///     }
    /// }
    ///
    /// impl<V: Vector<u64>> ColumnTask<V> for TwoGenerations<'_> {
    ///     fn run<A: ColumnAdvance<V>>(self, advance: &mut A) {
    ///         let before = *self.1;
    ///         advance.take_in(0, &before);
    ///         advance.advance(1, 2);
    ///         advance.give_back(0, &before, self.1);
    ///     }
    /// }
    ///
    /// let kernel = BitKernel::compile(&"B3/S23".parse()?, &InterpreterOnly).expect("two states");
    /// let mut column = BitColumn::BLANK;
    /// *column.row_mut(30) = 0b111 << 20;
    /// u64::dispatch(TwoGenerations(&kernel, &mut column));
    /// assert_eq!(column.row(30), 0b111 << 20, "a blinker after two generations");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn with_columns<V: Vector<u64>>(&self, phases: [usize; 2], task: impl ColumnTask<V>) {
        match self.form() {
            BitKernelForm::Life => task.run(&mut LifeColumn {
                generations: 0,
                odd: BitColumn::BLANK,
                even: BitColumn::BLANK,
            }),
            BitKernelForm::Circuits(programs) => {
                let mut columns = CircuitColumns {
                    programs: [&programs[phases[0]], &programs[phases[1]]],
                    rows: ShiftedRows::borrow(STEP + 2),
                };
                task.run(&mut columns);
                columns.rows.give_back();
            }
        }
    }

    /// Advances 64 rows of a word each, in natural order, by a generation: all but the outermost
    /// ring of cells is valid.
    ///
    /// ```
    /// use kernel::{BitKernel, InterpreterOnly};
    ///
    /// let kernel = BitKernel::compile(&"B3/S23".parse()?, &InterpreterOnly).expect("two states");
    /// let mut rows = [0; 64];
    /// rows[30] = 0b111 << 20;
    /// assert_eq!(kernel.advance_word(0, &rows)[29..32], [0b010 << 20; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance_word(&self, phase: usize, rows: &[u64; ROWS]) -> [u64; ROWS] {
        let mut column = BitColumn::BLANK;
        for (y, row) in rows.iter().enumerate() {
            *column.row_mut(y) = *row;
        }
        let mut next = BitColumn::BLANK;
        u64::dispatch(SingleColumnTask {
            kernel: self,
            phase,
            rows: &column,
            next: &mut next,
        });
        std::array::from_fn(|y| next.row(y))
    }
}

/// [`BitKernel::advance_word`] as a task.
struct SingleColumnTask<'a> {
    kernel: &'a BitKernel,
    phase: usize,
    rows: &'a BitColumn,
    next: &'a mut BitColumn,
}

impl SimdTask<u64> for SingleColumnTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        self.kernel.with_columns::<V>([self.phase; 2], self);
    }
}

impl<V: Vector<u64>> ColumnTask<V> for SingleColumnTask<'_> {
    #[inline(always)]
    fn run<A: ColumnAdvance<V>>(self, advance: &mut A) {
        advance.take_in(0, self.rows);
        advance.advance(1, 1);
        advance.give_back(0, self.rows, self.next);
    }
}

/// A column of Life, which is stepped when it is given back.
struct LifeColumn {
    generations: usize,
    /// Scratch: after an odd number of generations, and after an even one.
    odd: BitColumn,
    even: BitColumn,
}

impl<V: Vector<u64>> ColumnAdvance<V> for LifeColumn {
    type Columns = [BitColumn; 1];

    #[inline(always)]
    fn columns() -> Self::Columns {
        [BitColumn::BLANK]
    }

    #[inline(always)]
    fn take_in(&mut self, _column: usize, _rows: &BitColumn) {}

    #[inline(always)]
    fn advance(&mut self, _columns: usize, generations: usize) {
        self.generations = generations;
    }

    #[inline(always)]
    fn give_back(&mut self, _column: usize, rows: &BitColumn, next: &mut BitColumn) {
        let Self {
            generations,
            odd,
            even,
        } = self;
        if *generations == 0 {
            *next = *rows;
        }
        let mut done = 0;
        // Written once for two generations: each step is inlined where it stands.
        while done < *generations {
            let from = if done == 0 { rows } else { &*even };
            if done + 1 == *generations {
                step_life::<V>(from, next);
                return;
            }
            step_life::<V>(from, odd);
            done += 2;
            let to = if done == *generations {
                &mut *next
            } else {
                &mut *even
            };
            step_life::<V>(odd, to);
        }
    }
}

#[inline(always)]
fn step_life<V: Vector<u64>>(rows: &BitColumn, next: &mut BitColumn) {
    let mut last_before = LifeRow::<V>::EMPTY;
    let mut first = row_sums(V::load(&rows.0));
    let mut at = 0;
    while at < STEP {
        let last = row_sums(V::load(&rows.0[(STEP - 1) * STEP + at..]));
        let first_after = if at + V::LANES < STEP {
            row_sums(V::load(&rows.0[at + V::LANES..]))
        } else {
            first
        };
        let mut above = last.above(last_before);
        let mut here = first;
        for j in 0..STEP {
            let below = if j + 2 < STEP {
                row_sums(V::load(&rows.0[(j + 1) * STEP + at..]))
            } else if j + 1 < STEP {
                last
            } else {
                first.below(first_after)
            };
            here.next(above, below).store(&mut next.0[j * STEP + at..]);
            (above, here) = (here, below);
        }
        (last_before, first) = (last, first_after);
        at += V::LANES;
    }
}

#[inline(always)]
fn row_sums<V: Vector<u64>>(centre: V) -> LifeRow<V> {
    LifeRow::sum(centre.west(), centre, centre.east())
}

/// Columns of any other rule, side by side: row j of the buffer, from 1 on, has the words of
/// rows j - 1, j + 7, j + 15 and so on of each column.
struct CircuitColumns<'a> {
    programs: [&'a CircuitProgram; 2],
    rows: ShiftedRows<{ MAX_COLUMNS * STEP }, 1, SHIFTED>,
}

impl<V: Vector<u64>> ColumnAdvance<V> for CircuitColumns<'_> {
    type Columns = [BitColumn; MAX_COLUMNS];

    #[inline(always)]
    fn columns() -> Self::Columns {
        [BitColumn::BLANK; MAX_COLUMNS]
    }

    #[inline(always)]
    fn take_in(&mut self, column: usize, rows: &BitColumn) {
        for j in 0..STEP {
            let to = &mut self.rows.rows_mut()[j + 1][0][0][column * STEP..][..STEP];
            to.copy_from_slice(&rows.0[j * STEP..][..STEP]);
        }
    }

    #[inline(always)]
    fn advance(&mut self, columns: usize, generations: usize) {
        let words = columns * STEP;
        for generation in 0..generations {
            for column in 0..columns {
                self.surround::<V>(column * STEP);
            }
            self.rows.shift::<V>(0..STEP + 2, words);
            self.rows
                .step(self.programs[generation % 2], 0..STEP + 2, words);
        }
    }

    #[inline(always)]
    fn give_back(&mut self, column: usize, _rows: &BitColumn, next: &mut BitColumn) {
        for j in 0..STEP {
            let from = &self.rows.rows()[j + 1][0][0][column * STEP..][..STEP];
            next.0[j * STEP..][..STEP].copy_from_slice(from);
        }
    }
}

impl CircuitColumns<'_> {
    /// Fills the rows above and below those of a column: its last ones a word further, and its
    /// first ones a word earlier.
    #[inline(always)]
    fn surround<V: Vector<u64>>(&mut self, at: usize) {
        let (mut first, mut last) = ([0; STEP], [0; STEP]);
        first.copy_from_slice(&self.rows.rows()[1][0][0][at..at + STEP]);
        last.copy_from_slice(&self.rows.rows()[STEP][0][0][at..at + STEP]);
        let (mut above, mut below) = ([0; STEP], [0; STEP]);
        let mut before = V::ZERO;
        for k in (0..STEP).step_by(V::LANES) {
            let last = V::load(&last[k..]);
            last.above(before).store(&mut above[k..]);
            before = last;
        }
        for k in (0..STEP).step_by(V::LANES) {
            let after = if k + V::LANES < STEP {
                V::load(&first[k + V::LANES..])
            } else {
                V::ZERO
            };
            let first = V::load(&first[k..]);
            first.below(after).store(&mut below[k..]);
        }
        self.rows.rows_mut()[0][0][0][at..at + STEP].copy_from_slice(&above);
        self.rows.rows_mut()[STEP + 1][0][0][at..at + STEP].copy_from_slice(&below);
    }
}
