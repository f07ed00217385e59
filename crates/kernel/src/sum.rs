//! Weighted sums of neighbourhoods, row by row, a byte per cell.
//!
//! All arithmetic wraps: partial sums may leave the range of the type, but the sum minus
//! the least sum fits it, and only that is used. Loops run along rows with no dependency from
//! one cell to the next, so that the compiler vectorises them.

use super::sum_integer::SumInteger;
use super::sum_transition::SumTransition;
use crate::simd::InstructionSet;
use grid::State;
use rule::{ConfigurationTable, CountTable, Neighbourhood, Shape, Transition, TransitionRow};

/// A table by a weighted sum. A configuration is a sum of powers of two.
#[derive(Clone, Debug)]
pub(super) struct WeightedSumTable<T> {
    /// The value of each state.
    values: [T; 256],
    /// The only state of nonzero value, if there is exactly one, and its value.
    only: Option<(State, T)>,
    /// The width of the padding: the rule's radius, perhaps larger than the table's.
    margin: usize,
    shape: SumShape<T>,
    least: T,
    transition: SumTransition<T>,
}

/// The shape of the neighbourhood.
#[derive(Clone, Debug)]
enum SumShape<T> {
    /// All cells up to `radius` away, without the centre if `hollow`.
    Square {
        radius: usize,
        hollow: bool,
        /// The passes that sum the window over the columns.
        passes: Vec<WindowPass>,
    },
    /// Runs of adjacent cells in a row with one weight.
    Rows(Vec<WeightedSegment<T>>),
}

#[derive(Clone, Debug)]
struct WeightedSegment<T> {
    /// Row and first column, from the corner of the padding around a cell.
    row: usize,
    column: usize,
    length: usize,
    weight: T,
}

/// The sublattice of cells that a table writes.
#[derive(Clone, Copy, Debug)]
pub(super) enum SublatticeMask {
    All,
    /// Every other cell, as on a chequerboard: from this column (0 or 1) on in the first row.
    Chequered(usize),
    /// Every other cell of every other row, from this column and row (0 or 1) on.
    Lattice {
        column: usize,
        row: usize,
    },
}

/// Segments up to this length are added cell by cell, longer ones as a difference of prefix
/// sums.
const SHORT_SEGMENT: usize = 2;

/// Intermediate rows, kept from call to call to spare the allocator.
#[derive(Clone, Debug, Default)]
pub(super) struct SumScratch<T> {
    cell_values: Vec<T>,
    running: Vec<T>,
    window: [Vec<T>; 2],
    columns: Vec<T>,
    sums: Vec<T>,
}

/// The greatest sum of a table minus the least.
pub(super) fn span(transition: &Transition) -> u64 {
    match transition {
        Transition::Configuration(_) => 511,
        Transition::Lookup(_) => 0,
        Transition::Count(table) => {
            let entries = table.rows.iter().map(|row| match row {
                TransitionRow::By(next) => next.len() as u64,
                TransitionRow::Constant(_) => 0,
            });
            entries.max().unwrap_or(0).saturating_sub(1)
        }
    }
}

impl<T: SumInteger> WeightedSumTable<T> {
    pub(super) fn compile(transition: &Transition, margin: usize) -> Self {
        match transition {
            Transition::Configuration(table) => Self::of_configuration(table, margin),
            Transition::Count(table) => Self::of_count(table, margin),
            Transition::Lookup(_) => unreachable!("the cell kernel walks the rules of files"),
        }
    }

    fn of_configuration(table: &ConfigurationTable, margin: usize) -> Self {
        let block = Neighbourhood::from_weights(1, |dx, dy| 256 >> ((dy + 1) * 3 + dx + 1));
        let values: Vec<i32> = table.counted.iter().map(|&c| i32::from(c)).collect();
        Self::new(&block, &values, 0, &table.rows, 512, margin)
    }

    fn of_count(table: &CountTable, margin: usize) -> Self {
        let entries = table.rows.iter().map(|row| match row {
            TransitionRow::By(next) => next.len(),
            TransitionRow::Constant(_) => 1,
        });
        let entries = entries.max().unwrap_or(1);
        Self::new(
            &table.neighbourhood,
            &table.values,
            table.least,
            &table.rows,
            entries,
            margin,
        )
    }

    fn new(
        neighbourhood: &Neighbourhood,
        values: &[i32],
        least: i64,
        rows: &[TransitionRow],
        entries: usize,
        margin: usize,
    ) -> Self {
        let mut cell_values = [T::default(); 256];
        for (state, &value) in values.iter().enumerate() {
            cell_values[state] = T::of(value.into());
        }
        let mut nonzero = (0..values.len()).filter(|&state| values[state] != 0);
        let only = match (nonzero.next(), nonzero.next()) {
            (Some(state), None) => Some((state as State, cell_values[state])),
            _ => None,
        };
        Self {
            values: cell_values,
            only,
            margin,
            shape: SumShape::new(neighbourhood, margin),
            least: T::of(least),
            transition: SumTransition::new(rows, entries),
        }
    }

    /// Steps rows of `width` cells, and writes those of the sublattice.
    #[inline(always)]
    pub(super) fn step(
        &self,
        set: InstructionSet,
        scratch: &mut SumScratch<T>,
        width: usize,
        padded: &[State],
        next: &mut [State],
        sublattice: SublatticeMask,
    ) {
        let stride = width + 2 * self.margin;
        self.look_up_values(padded, &mut scratch.cell_values);
        if let SumShape::Rows(shape) = &self.shape
            && shape.iter().any(|part| part.length > SHORT_SEGMENT)
        {
            prefix_sums(&scratch.cell_values, stride, &mut scratch.running);
        }
        scratch.sums.resize(width, T::default());
        for (y, out) in next.chunks_exact_mut(width).enumerate() {
            let (written, first) = match sublattice {
                SublatticeMask::All => (true, None),
                SublatticeMask::Chequered(column) => (true, Some((column + y) % 2)),
                SublatticeMask::Lattice { column, row } => {
                    ((row + y).is_multiple_of(2), Some(column))
                }
            };
            match &self.shape {
                // its column sums are carried from row to row
                SumShape::Square {
                    radius,
                    hollow,
                    passes,
                } => {
                    self.square(scratch, y, stride, *radius, *hollow, passes);
                }
                SumShape::Rows(shape) if written => self.rows(scratch, y, stride, shape),
                SumShape::Rows(_) => {}
            }
            if !written {
                continue;
            }
            let centre = (y + self.margin) * stride + self.margin;
            let states = &padded[centre..centre + width];
            self.transition
                .row(set, states, &scratch.sums, None, first, out);
        }
    }

    /// The value of each cell.
    #[inline(always)]
    fn look_up_values(&self, states: &[State], cell_values: &mut Vec<T>) {
        cell_values.resize(states.len(), T::default());
        let cells = cell_values.iter_mut().zip(states);
        if let Some((only, value)) = self.only {
            for (cell, &state) in cells {
                *cell = if state == only { value } else { T::default() };
            }
        } else {
            for (cell, &state) in cells {
                *cell = self.values[usize::from(state)];
            }
        }
    }

    /// The sums of a row by column sums, which are updated from row to row, and a window over
    /// them.
    #[inline(always)]
    fn square(
        &self,
        scratch: &mut SumScratch<T>,
        y: usize,
        stride: usize,
        radius: usize,
        hollow: bool,
        passes: &[WindowPass],
    ) {
        let side = 2 * radius + 1;
        let inset = self.margin - radius;
        let used = inset..stride - inset;
        let SumScratch {
            cell_values,
            columns,
            window,
            sums,
            ..
        } = scratch;
        let line = |y: usize| &cell_values[y * stride..(y + 1) * stride][used.clone()];
        if y == 0 {
            columns.clear();
            columns.resize(used.len(), T::default());
            for row in 0..side {
                add(columns, line(inset + row));
            }
        } else {
            let rows = line(inset + y + side - 1).iter().zip(line(inset + y - 1));
            for (column, (&added, &removed)) in columns.iter_mut().zip(rows) {
                *column = column.plus(added).minus(removed);
            }
        }
        window_sums(
            columns,
            passes,
            T::default().minus(self.least),
            window,
            sums,
        );
        if hollow {
            let centre = (y + self.margin) * stride + self.margin;
            for (sum, &own) in sums.iter_mut().zip(&cell_values[centre..]) {
                *sum = sum.minus(own);
            }
        }
    }

    #[inline(always)]
    fn rows(
        &self,
        scratch: &mut SumScratch<T>,
        y: usize,
        stride: usize,
        shape: &[WeightedSegment<T>],
    ) {
        let SumScratch {
            cell_values,
            running,
            sums,
            ..
        } = scratch;
        sums.fill(T::default().minus(self.least));
        let one = T::of(1);
        for part in shape {
            if part.length > SHORT_SEGMENT {
                let start = (y + part.row) * (stride + 1) + part.column;
                let low = &running[start..start + sums.len()];
                let high = &running[start + part.length..][..sums.len()];
                for ((sum, &low), &high) in sums.iter_mut().zip(low).zip(high) {
                    *sum = sum.plus(high.minus(low).times(part.weight));
                }
                continue;
            }
            for i in 0..part.length {
                let start = (y + part.row) * stride + part.column + i;
                let cells = &cell_values[start..start + sums.len()];
                if part.weight == one {
                    add(sums, cells);
                } else {
                    for (sum, &cell) in sums.iter_mut().zip(cells) {
                        *sum = sum.plus(cell.times(part.weight));
                    }
                }
            }
        }
    }
}

impl<T: SumInteger> SumShape<T> {
    fn new(neighbourhood: &Neighbourhood, margin: usize) -> Self {
        if let Shape::Square { centre } = neighbourhood.shape() {
            return Self::Square {
                radius: neighbourhood.radius() as usize,
                hollow: !centre,
                passes: passes(2 * neighbourhood.radius() as usize + 1).1,
            };
        }
        let mut shape: Vec<WeightedSegment<T>> = Vec::new();
        for cell in neighbourhood.cells() {
            let row = (margin as i64 + i64::from(cell.dy)) as usize;
            let column = (margin as i64 + i64::from(cell.dx)) as usize;
            let weight = T::of(cell.weight.into());
            match shape.last_mut() {
                Some(last)
                    if last.row == row
                        && last.column + last.length == column
                        && last.weight == weight =>
                {
                    last.length += 1;
                }
                _ => shape.push(WeightedSegment {
                    row,
                    column,
                    length: 1,
                    weight,
                }),
            }
        }
        Self::Rows(shape)
    }
}

#[inline(always)]
fn add<T: SumInteger>(sums: &mut [T], cells: &[T]) {
    for (sum, &cell) in sums.iter_mut().zip(cells) {
        *sum = sum.plus(cell);
    }
}

/// Prefix sums of each row of `stride` cells: the sums of its first 0, 1, ... `stride` cells.
#[inline(always)]
fn prefix_sums<T: SumInteger>(cells: &[T], stride: usize, running: &mut Vec<T>) {
    running.clear();
    for row in cells.chunks_exact(stride) {
        let mut sum = T::default();
        running.push(sum);
        running.extend(row.iter().map(|&cell| {
            sum = sum.plus(cell);
            sum
        }));
    }
}

/// A pass of the window sum: adds `times` adjacent windows of `size` columns and `rest` single
/// columns behind them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WindowPass {
    size: usize,
    times: usize,
    rest: usize,
}

/// The most windows that a pass adds.
const MAX_WINDOWS: usize = 6;

/// The cheapest passes that make a window of `length` columns from single ones, and their cost
/// in loads and stores.
fn passes(length: usize) -> (usize, Vec<WindowPass>) {
    let mut best: Option<(usize, Vec<WindowPass>)> = None;
    for times in 1..=MAX_WINDOWS {
        let (size, rest) = (length / times, length % times);
        if size == 0 || rest > 1 || (times == 1 && length > 1) {
            continue;
        }
        let (before, mut made) = if size == 1 {
            (0, Vec::new())
        } else {
            passes(size)
        };
        let cost = before + times + rest + 1;
        if best.as_ref().is_none_or(|b| cost < b.0) {
            made.push(WindowPass { size, times, rest });
            best = Some((cost, made));
        }
    }
    best.expect("a window is two halves and perhaps one column more")
}

/// Sets `sums[i]` to `base` plus the columns of the window from `columns[i]` on.
///
/// Each pass adds windows of the pass before: no sum is carried along the row, and
/// the cost of a pass does not depend on the width of its windows.
#[inline(always)]
fn window_sums<T: SumInteger>(
    columns: &[T],
    passes: &[WindowPass],
    base: T,
    window: &mut [Vec<T>; 2],
    sums: &mut [T],
) {
    let [now, next] = window;
    let last = passes.len().saturating_sub(1);
    for (i, pass) in passes.iter().enumerate() {
        let from = if pass.size == 1 { columns } else { &now[..] };
        // The last pass writes the sums themselves. A single call, as it is inlined.
        let (base, to) = if i == last {
            (base, &mut *sums)
        } else {
            let length = pass.size * pass.times + pass.rest;
            next.resize(columns.len() + 1 - length, T::default());
            (T::default(), &mut next[..])
        };
        run_pass(from, columns, *pass, base, to);
        std::mem::swap(now, next);
    }
}

/// Runs one pass.
#[inline(always)]
fn run_pass<T: SumInteger>(from: &[T], columns: &[T], pass: WindowPass, base: T, wide: &mut [T]) {
    match pass.times {
        1 => run_pass_of::<T, 1>(from, columns, pass, base, wide),
        2 => run_pass_of::<T, 2>(from, columns, pass, base, wide),
        3 => run_pass_of::<T, 3>(from, columns, pass, base, wide),
        4 => run_pass_of::<T, 4>(from, columns, pass, base, wide),
        5 => run_pass_of::<T, 5>(from, columns, pass, base, wide),
        _ => run_pass_of::<T, MAX_WINDOWS>(from, columns, pass, base, wide),
    }
}

#[inline(always)]
fn run_pass_of<T: SumInteger, const N: usize>(
    from: &[T],
    columns: &[T],
    pass: WindowPass,
    base: T,
    wide: &mut [T],
) {
    let count = wide.len();
    let mut shape = [&from[..0]; N];
    for (i, part) in shape.iter_mut().enumerate() {
        *part = &from[i * pass.size..][..count];
    }
    if pass.rest == 0 {
        for (i, wide) in wide.iter_mut().enumerate() {
            let mut sum = base;
            for part in shape {
                sum = sum.plus(part[i]);
            }
            *wide = sum;
        }
    } else {
        let behind = &columns[N * pass.size..][..count];
        for (i, wide) in wide.iter_mut().enumerate() {
            let mut sum = base.plus(behind[i]);
            for part in shape {
                sum = sum.plus(part[i]);
            }
            *wide = sum;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_every_length() {
        let columns: Vec<u16> = (0..1300).map(|i: u32| (i * 7919 % 251) as u16).collect();
        for length in (1..400).step_by(2).chain([1001]) {
            let (_, passes) = passes(length);
            let mut sums = vec![9; columns.len() + 1 - length];
            let mut window = [Vec::new(), Vec::new()];
            window_sums(&columns, &passes, 3, &mut window, &mut sums);
            for (i, &sum) in sums.iter().enumerate() {
                let window = columns[i..i + length].iter();
                let expected = window.fold(3_u16, |sum, &c| sum.wrapping_add(c));
                assert_eq!(sum, expected, "{length} columns from {i} on by {passes:?}");
            }
        }
    }
}
