use crate::budget::ReadBudget;
use crate::error::PatternProblem;
use crate::interrupt::Checkpoints;
use crate::{Bounds, Run};
use grid::{CellHash, State};
use std::collections::BinaryHeap;

/// Runs in reading order, a table of rows over 16 bytes a run.
///
/// Runs do not overlap, and adjacent runs of one state are merged, so two tables are equal when
/// their cells are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunTable {
    rows: Vec<RunRow>,
    runs: Vec<PackedRun>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunRow {
    y: i64,
    /// Index of its first run; it ends where the next row begins.
    first: usize,
}

/// A run without its row: the length in the upper 56 bits, the state in the lowest 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedRun {
    x: i64,
    length_and_state: u64,
}

/// Longer runs are held as several; at most 256 of them fill a whole row.
pub(crate) const MAX_RUN: u64 = (1 << 56) - 1;

impl PackedRun {
    fn new(x: i64, length: u64, state: State) -> Self {
        Self {
            x,
            length_and_state: length << 8 | u64::from(state),
        }
    }

    fn length(self) -> u64 {
        self.length_and_state >> 8
    }

    fn state(self) -> State {
        self.length_and_state as State
    }
}

impl RunTable {
    /// An empty table with capacity for the expected number of runs; see [`RunTable::fitted`].
    pub(crate) fn with_budget(runs: usize, budget: &mut ReadBudget) -> Self {
        Self {
            rows: Vec::new(),
            runs: budget.list(runs),
        }
    }

    /// Reserves capacity for one run and one row, and for all pieces of a long run.
    #[inline]
    pub(crate) fn reserve_run(
        &mut self,
        length: u64,
        budget: &mut ReadBudget,
    ) -> Result<(), PatternProblem> {
        let full =
            self.runs.len() == self.runs.capacity() || self.rows.len() == self.rows.capacity();
        if full || length > MAX_RUN {
            let pieces = length / MAX_RUN + 1;
            return self.reserve(pieces as usize, 1, budget);
        }
        Ok(())
    }

    /// Reserves capacity for more pieces of runs, and for more rows.
    pub(crate) fn reserve(
        &mut self,
        runs: usize,
        rows: usize,
        budget: &mut ReadBudget,
    ) -> Result<(), PatternProblem> {
        budget.reserve(&mut self.runs, runs)?;
        budget.reserve(&mut self.rows, rows)
    }

    /// The number of runs that can be pushed without reallocation, each in a row of its own or
    /// every other one.
    pub(crate) fn free(&self) -> usize {
        let runs = self.runs.capacity() - self.runs.len();
        let rows = self.rows.capacity() - self.rows.len();
        runs.min(2 * rows)
    }

    /// The same without much unused room.
    pub(crate) fn fitted(mut self) -> Self {
        if self.runs.len() < self.runs.capacity() / 2 {
            self.runs.shrink_to_fit();
        }
        self
    }

    /// The bytes that [`RunTable::from_runs`] needs for each run, besides the list of runs itself.
    ///
    /// A run may be cut in two by a later one, and lists may have twice the room they need.
    pub(crate) const SORTING_BYTES: usize = size_of::<OrderedRun>()
        + size_of::<(usize, i64, State)>()
        + 4 * size_of::<PackedRun>()
        + 2 * size_of::<RunRow>();

    /// Runs in any order; where they overlap, the later one wins, and state 0 erases.
    pub(crate) fn from_runs(mut runs: Vec<Run>) -> Self {
        for run in &mut runs {
            run.length = run.length.min(max_length(run.x));
        }
        let apart = |a: &Run, b: &Run| {
            a.y < b.y || a.y == b.y && a.x < b.x && a.x.abs_diff(b.x) >= a.length
        };
        let mut sorted = Self::default();
        let mut checkpoints = Checkpoints::new();
        if runs.windows(2).all(|pair| apart(&pair[0], &pair[1])) {
            for run in runs {
                checkpoints.step();
                sorted.push(run);
            }
            return sorted;
        }
        let mut layers: Vec<OrderedRun> = Vec::with_capacity(runs.len());
        for (order, run) in runs.into_iter().enumerate() {
            checkpoints.step();
            if run.length > 0 {
                layers.push(OrderedRun { run, order });
            }
        }
        layers.sort_unstable_by_key(|layer| {
            checkpoints.step();
            (layer.run.y, layer.run.x, layer.order)
        });
        for row in layers.chunk_by(|a, b| a.run.y == b.run.y) {
            checkpoints.step();
            sorted.push_layers(row);
        }
        sorted
    }

    /// Adds runs of one row, sorted by their left ends, that may lie over each other.
    fn push_layers(&mut self, layers: &[OrderedRun]) {
        let y = layers[0].run.y;
        let mut at = layers[0].run.x;
        let mut waiting = layers.iter().peekable();
        // By order: the top of the heap is the latest of the runs that cover `at`.
        let mut open: BinaryHeap<(usize, i64, State)> = BinaryHeap::new();
        loop {
            while let Some(layer) = waiting.next_if(|layer| layer.run.x <= at) {
                open.push((layer.order, last_column(&layer.run), layer.run.state));
            }
            while open.peek().is_some_and(|&(_, last, _)| last < at) {
                open.pop();
            }
            let next = waiting.peek().map(|layer| layer.run.x);
            let Some(&(_, last, state)) = open.peek() else {
                match next {
                    Some(x) => at = x,
                    None => return,
                }
                continue;
            };
            let until = next.map_or(last, |x| last.min(x - 1));
            self.push(Run {
                y,
                x: at,
                length: at.abs_diff(until) + 1,
                state,
            });
            if until == i64::MAX {
                return;
            }
            at = until + 1;
        }
    }

    /// Adds a run that comes after all the others in reading order. State 0 adds nothing.
    // A call for each run of a file is an eighth of the time that reading takes.
    #[inline(always)]
    pub(crate) fn push(&mut self, run: Run) {
        if run.state == 0 || run.length == 0 {
            return;
        }
        let begun = self.rows.last().is_some_and(|row| row.y == run.y);
        if !begun {
            debug_assert!(self.rows.last().is_none_or(|row| row.y < run.y));
            self.rows.push(RunRow {
                y: run.y,
                first: self.runs.len(),
            });
        } else if let Some(last) = self.runs.last_mut()
            && last.state() == run.state
            && last.x.wrapping_add_unsigned(last.length()) == run.x
            && last.length() + run.length.min(MAX_RUN) <= MAX_RUN
        {
            *last = PackedRun::new(last.x, last.length() + run.length, run.state);
            return;
        }
        if run.length <= MAX_RUN {
            self.runs.push(PackedRun::new(run.x, run.length, run.state));
        } else {
            self.push_long(run);
        }
    }

    #[cold]
    fn push_long(&mut self, mut run: Run) {
        while run.length > 0 {
            let length = run.length.min(MAX_RUN);
            self.runs.push(PackedRun::new(run.x, length, run.state));
            run.x = run.x.saturating_add_unsigned(length);
            run.length -= length;
        }
    }

    /// Every row that has cells, top to bottom, with its runs from left to right.
    pub(crate) fn rows(
        &self,
    ) -> impl DoubleEndedIterator<Item = (i64, impl DoubleEndedIterator<Item = Run> + '_)> + '_
    {
        self.rows.iter().enumerate().map(|(index, row)| {
            let end = self
                .rows
                .get(index + 1)
                .map_or(self.runs.len(), |next| next.first);
            let y = row.y;
            let runs = self.runs[row.first..end].iter().map(move |packed| Run {
                y,
                x: packed.x,
                length: packed.length(),
                state: packed.state(),
            });
            (y, runs)
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Run> + '_ {
        self.rows().flat_map(|(_, runs)| runs)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many runs there are; very long ones count as several.
    pub(crate) fn pieces(&self) -> usize {
        self.runs.len()
    }

    /// Bytes used, without unused capacity.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.rows.as_slice()) + size_of_val(self.runs.as_slice())) as u64
    }

    pub(crate) fn population(&self) -> u128 {
        self.runs.iter().map(|run| u128::from(run.length())).sum()
    }

    pub(crate) fn max_state(&self) -> State {
        self.runs.iter().map(|run| run.state()).max().unwrap_or(0)
    }

    /// For each state whether a cell is in it.
    pub(crate) fn states(&self) -> [bool; 256] {
        let mut seen = [false; 256];
        for run in &self.runs {
            seen[usize::from(run.state())] = true;
        }
        seen
    }

    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let (top, bottom) = (self.rows.first()?.y, self.rows.last()?.y);
        let (mut left, mut right) = (i64::MAX, i64::MIN);
        for (_, mut runs) in self.rows() {
            let first = runs.next()?;
            let last = runs.next_back().unwrap_or(first);
            left = left.min(first.x);
            right = right.max(last_column(&last));
        }
        let side = |low: i64, high: i64| u128::from(high.abs_diff(low)) + 1;
        Some(Bounds {
            x: left.into(),
            y: top.into(),
            width: side(left, right).into(),
            height: side(top, bottom).into(),
        })
    }

    /// By Horner's rule from the last cell to the first, because small moves are cheap.
    pub(crate) fn hash(&self) -> CellHash {
        let Some(left) = self
            .rows()
            .filter_map(|(_, mut runs)| runs.next())
            .map(|r| r.x)
            .min()
        else {
            return CellHash::EMPTY;
        };
        let mut all = CellHash::EMPTY;
        let mut below = None;
        let mut checkpoints = Checkpoints::new();
        for (y, runs) in self.rows().rev() {
            let mut row = CellHash::EMPTY;
            let mut beside = None;
            for run in runs.rev() {
                checkpoints.step();
                let gap = beside.map_or(0, |x: i64| x.abs_diff(run.x));
                row = row.shifted_modular(modular(gap), 0)
                    + CellHash::run(0, 0, run.length, run.state);
                beside = Some(run.x);
            }
            let indent = beside.map_or(0, |x| x.abs_diff(left));
            let gap = below.map_or(0, |row: i64| row.abs_diff(y));
            all = all.shifted_modular(0, modular(gap)) + row.shifted_modular(modular(indent), 0);
            below = Some(y);
        }
        all
    }

    /// Moved; what would leave the range of `i64` is left out.
    pub(crate) fn translated(&self, dx: i64, dy: i64) -> Self {
        let mut moved = Self::default();
        let mut checkpoints = Checkpoints::new();
        for run in self.iter() {
            checkpoints.step();
            let Some(y) = run.y.checked_add(dy) else {
                continue;
            };
            let first = i128::from(run.x) + i128::from(dx);
            let last = first + i128::from(run.length) - 1;
            moved.push_wide(y, first, last, run.state);
        }
        moved
    }

    /// Moved up and to the left, by no more than what the runs lie below and right of the
    /// least coordinates.
    pub(crate) fn moved_back(mut self, dx: u64, dy: u64) -> Self {
        for row in &mut self.rows {
            row.y = row.y.wrapping_sub_unsigned(dy);
        }
        for run in &mut self.runs {
            run.x = run.x.wrapping_sub_unsigned(dx);
        }
        self
    }

    /// Adds the cells `first..=last` of a row, as far as `i64` reaches.
    pub(crate) fn push_wide(&mut self, y: i64, first: i128, last: i128, state: State) {
        if let Some(run) = clipped(y, first, last, state) {
            self.push(run);
        }
    }
}

/// The cells `first..=last` of a row, as far as `i64` reaches.
pub(crate) fn clipped(y: i64, first: i128, last: i128, state: State) -> Option<Run> {
    let first = first.max(i64::MIN.into());
    let last = last.min(i64::MAX.into());
    if last < first {
        return None;
    }
    Some(Run {
        y,
        x: i64::try_from(first).ok()?,
        length: u64::try_from(last - first + 1).unwrap_or(u64::MAX),
        state,
    })
}

fn modular(distance: u64) -> u64 {
    distance % CellHash::ORDER
}

/// A run and its place among those that were given.
struct OrderedRun {
    run: Run,
    order: usize,
}

/// How many cells a run that begins at `x` can have.
fn max_length(x: i64) -> u64 {
    i64::MAX.abs_diff(x).saturating_add(1)
}

fn last_column(run: &Run) -> i64 {
    run.x.saturating_add_unsigned(run.length - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(y: i64, x: i64, length: u64, state: State) -> Run {
        Run {
            y,
            x,
            length,
            state,
        }
    }

    fn check(given: &[Run], expected: &[Run]) {
        let rows = RunTable::from_runs(given.to_vec());
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected, "{given:?}");
    }

    #[test]
    fn later_runs_win() {
        check(&[], &[]);
        check(&[run(0, 0, 3, 1), run(0, 3, 2, 1)], &[run(0, 0, 5, 1)]);
        check(
            &[run(1, 0, 1, 1), run(0, 9, 1, 2)],
            &[run(0, 9, 1, 2), run(1, 0, 1, 1)],
        );
        check(
            &[run(0, 0, 10, 1), run(0, 3, 2, 2)],
            &[run(0, 0, 3, 1), run(0, 3, 2, 2), run(0, 5, 5, 1)],
        );
        check(&[run(0, 3, 2, 2), run(0, 0, 10, 1)], &[run(0, 0, 10, 1)]);
        check(
            &[run(0, 0, 4, 1), run(0, 1, 2, 0)],
            &[run(0, 0, 1, 1), run(0, 3, 1, 1)],
        );
        check(
            &[run(0, 5, 1, 1), run(0, 5, 1, 1), run(0, 5, 0, 3)],
            &[run(0, 5, 1, 1)],
        );
    }

    #[test]
    fn runs_end_where_coordinates_do() {
        check(&[run(0, i64::MAX, 9, 1)], &[run(0, i64::MAX, 1, 1)]);
        check(
            &[run(0, i64::MAX - 1, 2, 1), run(0, i64::MAX - 1, 1, 2)],
            &[run(0, i64::MAX - 1, 1, 2), run(0, i64::MAX, 1, 1)],
        );
        let row = RunTable::from_runs(vec![run(7, i64::MIN, u64::MAX, 1)]);
        assert_eq!(row.population(), u128::from(u64::MAX));
        assert!(row.runs.len() <= 257);
    }

    #[test]
    fn the_hash_is_the_sum_of_the_cells() {
        let runs = vec![
            run(-3, 5, 4, 2),
            run(-3, -9, 1, 1),
            run(0, 0, 70, 1),
            run(8, 2, 1, 255),
        ];
        let mut sum = CellHash::EMPTY;
        for r in &runs {
            sum += CellHash::run(r.x, r.y, r.length, r.state);
        }
        assert_eq!(RunTable::from_runs(runs).hash(), sum.relative_to(-9, -3));
    }
}
