use crate::budget::ReadBudget;
use crate::error::PatternProblem;
use crate::interrupt::Checkpoints;
use crate::{Bounds, Run};
use grid::{CellHash, State};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Runs in reading order, a table of rows over two words a run, or over bits where a row is dense:
/// of a soup's row, runs take 32 times as much.
///
/// Runs do not overlap, and adjacent runs of one state are merged, so two tables are equal when
/// their runs are.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunTable {
    rows: Vec<RunRow>,
    /// Two words a run, see [`PackedRun`]; of a row of bits the column of the first one, and then
    /// the bits.
    words: Vec<u64>,
    /// How many runs there are.
    pieces: usize,
}

#[derive(Clone, Copy, Debug)]
struct RunRow {
    y: i64,
    /// Twice the index of its first word, and 1 more where it is bits; it ends where the next
    /// row begins.
    place: usize,
}

impl RunRow {
    fn first(self) -> usize {
        self.place >> 1
    }

    fn is_bits(self) -> bool {
        self.place & 1 == 1
    }
}

/// A run without its row: the length in the upper 56 bits, the state in the lowest 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PackedRun {
    x: i64,
    length_and_state: u64,
}

/// The words of a run.
pub(crate) const RUN_WORDS: usize = 2;

/// The words of a run, for [`RunTable::push_words`].
#[inline]
pub(crate) fn run_words(x: i64, length: u64, state: State) -> [u64; RUN_WORDS] {
    PackedRun::new(x, length, state).to_words()
}

/// A row becomes bits where they take at most one part in so many of what the runs take.
const MIN_GAIN: usize = 4;

/// Longer runs are held as several; at most 256 of them fill a whole row.
pub(crate) const MAX_RUN: u64 = (1 << 56) - 1;

impl PackedRun {
    fn new(x: i64, length: u64, state: State) -> Self {
        Self {
            x,
            length_and_state: length << 8 | u64::from(state),
        }
    }

    fn from_words(words: &[u64]) -> Self {
        Self {
            x: words[0] as i64,
            length_and_state: words[1],
        }
    }

    fn to_words(self) -> [u64; RUN_WORDS] {
        [self.x as u64, self.length_and_state]
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
            words: budget.list(RUN_WORDS * runs),
            ..Self::default()
        }
    }

    /// Reserves capacity for one run and one row, and for all pieces of a long run.
    #[inline]
    pub(crate) fn reserve_run(
        &mut self,
        length: u64,
        budget: &mut ReadBudget,
    ) -> Result<(), PatternProblem> {
        let full = self.words.capacity() - self.words.len() < RUN_WORDS
            || self.rows.len() == self.rows.capacity();
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
        budget.reserve(&mut self.words, RUN_WORDS * runs)?;
        budget.reserve(&mut self.rows, rows)
    }

    /// The number of runs that can be pushed without reallocation, each in a row of its own or
    /// every other one.
    pub(crate) fn free(&self) -> usize {
        let runs = (self.words.capacity() - self.words.len()) / RUN_WORDS;
        let rows = self.rows.capacity() - self.rows.len();
        runs.min(2 * rows)
    }

    /// The same without much unused room.
    pub(crate) fn fitted(mut self) -> Self {
        self.pack_last_row();
        if self.words.len() < self.words.capacity() / 2 {
            self.words.shrink_to_fit();
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
            self.begin_row(run.y);
        } else if let Some(words) = self.words.last_chunk_mut::<RUN_WORDS>()
            && let last = PackedRun::from_words(words)
            && last.state() == run.state
            && last.x.wrapping_add_unsigned(last.length()) == run.x
            && last.length() + run.length.min(MAX_RUN) <= MAX_RUN
        {
            *words = PackedRun::new(last.x, last.length() + run.length, run.state).to_words();
            return;
        }
        if run.length <= MAX_RUN {
            self.push_piece(run.x, run.length, run.state);
        } else {
            self.push_long(run);
        }
    }

    /// Adds runs of a row that come after all the others, of at most [`MAX_RUN`] cells each. None
    /// goes on with the one before it, but for the first.
    pub(crate) fn push_words(&mut self, y: i64, words: &[u64]) {
        let Some((first, rest)) = words.split_first_chunk::<RUN_WORDS>() else {
            return;
        };
        let first = PackedRun::from_words(first);
        self.push(Run {
            y,
            x: first.x,
            length: first.length(),
            state: first.state(),
        });
        self.pieces += rest.len() / RUN_WORDS;
        self.words.extend_from_slice(rest);
    }

    #[inline]
    fn push_piece(&mut self, x: i64, length: u64, state: State) {
        self.pieces += 1;
        let words = PackedRun::new(x, length, state).to_words();
        self.words.extend_from_slice(&words);
    }

    fn begin_row(&mut self, y: i64) {
        debug_assert!(self.rows.last().is_none_or(|row| row.y < y));
        self.pack_last_row();
        self.rows.push(RunRow {
            y,
            place: 2 * self.words.len(),
        });
    }

    /// Makes bits of the last row if it is of one state and they take much less. No run may be
    /// added to it after that.
    fn pack_last_row(&mut self) {
        let Some(row) = self.rows.last_mut().filter(|row| !row.is_bits()) else {
            return;
        };
        let first = row.first();
        let runs = &self.words[first..];
        let Some(last) = runs.last_chunk::<RUN_WORDS>() else {
            return;
        };
        let last = PackedRun::from_words(last);
        let left = runs[0] as i64;
        let width = u128::from(last.x.abs_diff(left)) + u128::from(last.length());
        let most = (runs.len() / MIN_GAIN) as u128;
        if 1 + width.div_ceil(64) > most {
            return;
        }
        let mut bits = vec![0; width.div_ceil(64) as usize];
        let mut others = 0;
        for &[x, length_and_state] in runs.as_chunks::<RUN_WORDS>().0 {
            others |= length_and_state ^ 1;
            let (begin, length) = (x.wrapping_sub(left as u64), length_and_state >> 8);
            set_bits(&mut bits, begin, length);
        }
        if others as u8 != 0 {
            return;
        }
        row.place |= 1;
        self.words.truncate(first + 1);
        self.words.extend_from_slice(&bits);
    }

    #[cold]
    fn push_long(&mut self, mut run: Run) {
        while run.length > 0 {
            let length = run.length.min(MAX_RUN);
            self.push_piece(run.x, length, run.state);
            run.x = run.x.saturating_add_unsigned(length);
            run.length -= length;
        }
    }

    /// Every row that has cells, top to bottom, with its runs from left to right.
    pub(crate) fn rows(&self) -> impl DoubleEndedIterator<Item = (i64, RowRuns<'_>)> + '_ {
        (0..self.rows.len()).map(|index| (self.rows[index].y, self.row(index)))
    }

    fn row(&self, index: usize) -> RowRuns<'_> {
        let row = self.rows[index];
        let next = self.rows.get(index + 1);
        let end = next.map_or(self.words.len(), |next| next.first());
        let words = &self.words[row.first()..end];
        RowRuns {
            y: row.y,
            left: row.is_bits().then(|| words[0] as i64),
            words: &words[usize::from(row.is_bits())..],
            at: 0,
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Run> + '_ {
        self.rows().flat_map(|(_, runs)| runs)
    }

    /// Calls `f` with each run until it breaks: quicker than one after the other.
    pub(crate) fn try_for_each_run(
        &self,
        f: &mut impl FnMut(Run) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.rows().try_for_each(|(_, runs)| runs.try_each(f))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many runs there are; very long ones count as several.
    pub(crate) fn pieces(&self) -> usize {
        self.pieces
    }

    /// Bytes used, without unused capacity.
    pub(crate) fn bytes(&self) -> u64 {
        (size_of_val(self.rows.as_slice()) + size_of_val(self.words.as_slice())) as u64
    }

    pub(crate) fn population(&self) -> u128 {
        self.rows().map(|(_, runs)| runs.population()).sum()
    }

    pub(crate) fn max_state(&self) -> State {
        let seen = self.states();
        (0..=State::MAX)
            .rfind(|&state| seen[usize::from(state)])
            .unwrap_or(0)
    }

    /// For each state whether a cell is in it.
    pub(crate) fn states(&self) -> [bool; 256] {
        let mut seen = [false; 256];
        for (_, runs) in self.rows() {
            runs.mark_states(&mut seen);
        }
        seen
    }

    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let (top, bottom) = (self.rows.first()?.y, self.rows.last()?.y);
        let (mut left, mut right) = (i64::MAX, i64::MIN);
        for (_, runs) in self.rows() {
            let (first, last) = runs.columns()?;
            left = left.min(first);
            right = right.max(last);
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
            .filter_map(|(_, runs)| runs.columns())
            .map(|(first, _)| first)
            .min()
        else {
            return CellHash::EMPTY;
        };
        let mut all = CellHash::EMPTY;
        let mut below = None;
        let mut checkpoints = Checkpoints::new();
        let mut in_row = Vec::new();
        for (y, runs) in self.rows().rev() {
            let mut row = CellHash::EMPTY;
            let mut beside = None;
            in_row.clear();
            in_row.extend(runs);
            for run in in_row.iter().rev() {
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
        let mut end = self.words.len();
        for row in self.rows.iter_mut().rev() {
            row.y = row.y.wrapping_sub_unsigned(dy);
            let words = &mut self.words[row.first()..end];
            let places = if row.is_bits() { 1 } else { words.len() };
            for x in words[..places].iter_mut().step_by(RUN_WORDS) {
                *x = x.wrapping_sub(dx);
            }
            end = row.first();
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

impl PartialEq for RunTable {
    fn eq(&self, other: &Self) -> bool {
        self.pieces == other.pieces && self.iter().eq(other.iter())
    }
}

impl Eq for RunTable {}

/// The runs of one row, from left to right.
#[derive(Clone, Debug)]
pub(crate) struct RowRuns<'a> {
    y: i64,
    /// The column of the first bit; none where the row is held as runs.
    left: Option<i64>,
    words: &'a [u64],
    /// The word of the next run, or the bit from which on it is looked for.
    at: usize,
}

impl RowRuns<'_> {
    /// The first and the last column that has a cell; none where the row is empty.
    fn columns(&self) -> Option<(i64, i64)> {
        let last = self.words.last()?;
        Some(match self.left {
            Some(left) => {
                let width = 64 * self.words.len() as u64 - u64::from(last.leading_zeros());
                (left, left.wrapping_add_unsigned(width - 1))
            }
            None => {
                let last = PackedRun::from_words(self.words.last_chunk::<RUN_WORDS>()?);
                let last = last.x.saturating_add_unsigned(last.length() - 1);
                (self.words[0] as i64, last)
            }
        })
    }

    fn population(&self) -> u128 {
        let each = self.words.iter();
        match self.left {
            Some(_) => each.map(|bits| u128::from(bits.count_ones())).sum(),
            None => each
                .skip(1)
                .step_by(RUN_WORDS)
                .map(|word| u128::from(word >> 8))
                .sum(),
        }
    }

    fn mark_states(&self, seen: &mut [bool; 256]) {
        if self.left.is_some() {
            seen[1] = true;
            return;
        }
        for word in self.words.iter().skip(1).step_by(RUN_WORDS) {
            seen[usize::from(*word as State)] = true;
        }
    }
}

impl RowRuns<'_> {
    /// Calls `f` with each run until it breaks.
    fn try_each(mut self, f: &mut impl FnMut(Run) -> ControlFlow<()>) -> ControlFlow<()> {
        let Some(left) = self.left else {
            return self.try_for_each(f);
        };
        let y = self.y;
        let mut run = |from: usize, to: usize| {
            f(Run {
                y,
                x: left.wrapping_add_unsigned(from as u64),
                length: (to - from) as u64,
                state: 1,
            })
        };
        // where the last change was, and whether a run began there
        let (mut from, mut is_live, mut before) = (0, false, 0);
        for (k, &bits) in self.words.iter().enumerate() {
            let mut changes = bits ^ (bits << 1 | before);
            before = bits >> 63;
            while changes != 0 {
                let at = 64 * k + changes.trailing_zeros() as usize;
                changes &= changes - 1;
                if is_live {
                    run(from, at)?;
                }
                (from, is_live) = (at, !is_live);
            }
        }
        match is_live {
            true => run(from, 64 * self.words.len()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Iterator for RowRuns<'_> {
    type Item = Run;

    #[inline]
    fn next(&mut self) -> Option<Run> {
        let Some(left) = self.left else {
            let run = self.words.get(self.at..self.at + RUN_WORDS)?;
            let run = PackedRun::from_words(run);
            self.at += RUN_WORDS;
            return Some(Run {
                y: self.y,
                x: run.x,
                length: run.length(),
                state: run.state(),
            });
        };
        let begin = next_bit(self.words, self.at, 0)?;
        self.at = next_bit(self.words, begin, u64::MAX).unwrap_or(64 * self.words.len());
        Some(Run {
            y: self.y,
            x: left.wrapping_add_unsigned(begin as u64),
            length: (self.at - begin) as u64,
            state: 1,
        })
    }
}

/// The first bit from `at` on that is set, once all are exchanged that `flipped` has.
#[inline]
fn next_bit(words: &[u64], at: usize, flipped: u64) -> Option<usize> {
    let mut index = at / 64;
    let mut bits = (words.get(index)? ^ flipped) & u64::MAX << (at % 64);
    while bits == 0 {
        index += 1;
        bits = words.get(index)? ^ flipped;
    }
    Some(64 * index + bits.trailing_zeros() as usize)
}

/// Sets bits of a row, at least one.
#[inline]
fn set_bits(words: &mut [u64], begin: u64, length: u64) {
    let (mut index, shift) = ((begin / 64) as usize, begin % 64);
    if shift + length <= 64 {
        words[index] |= u64::MAX >> (64 - length) << shift;
        return;
    }
    words[index] |= u64::MAX << shift;
    let mut left = length - (64 - shift);
    while left > 0 {
        index += 1;
        let count = left.min(64);
        words[index] |= u64::MAX >> (64 - count);
        left -= count;
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
        assert!(row.pieces() <= 257);
    }

    /// Dense rows are held as bits: the same runs come out, at edges of words too.
    #[test]
    fn rows_of_bits_hold_the_same_runs() {
        let mut dice = dice::Dice::new(5);
        for width in [1, 40, 63, 64, 65, 127, 128, 129, 1000] {
            for (least, share) in [(i64::MIN, 2), (-7, 3), (i64::MAX - width, 9)] {
                let mut runs = Vec::new();
                for y in [-3, 0, 1] {
                    let cells: Vec<bool> = (0..width).map(|_| dice.below(share) > 0).collect();
                    let live = (0..width).filter(|&x| cells[x as usize]);
                    let one = |x| run(y, least.wrapping_add(x), 1, 1);
                    runs.extend(live.map(one));
                }
                let table = RunTable::from_runs(runs.clone()).fitted();
                let dense = table.rows.iter().any(|row| row.is_bits());
                assert!(dense || width < 127 || share == 9, "{width} {share}");
                let each = table.iter().flat_map(|r| {
                    (0..r.length).map(move |x| run(r.y, r.x.wrapping_add_unsigned(x), 1, r.state))
                });
                assert_eq!(each.collect::<Vec<_>>(), runs, "{width} {share}");
                assert_eq!(table.population(), runs.len() as u128);
                assert_eq!(table.pieces(), table.iter().count());
                assert_eq!(
                    table.max_state(),
                    runs.iter().map(|r| r.state).max().unwrap_or(0)
                );
                let bounds = table.bounds().unwrap();
                let all = runs.iter().map(|r| r.x);
                let (left, right) = (all.clone().min().unwrap(), all.max().unwrap());
                assert_eq!(bounds.x, left.into());
                assert_eq!(bounds.width, (u128::from(right.abs_diff(left)) + 1).into());
                if least == -7 {
                    let sums = runs.iter().map(|r| CellHash::run(r.x, r.y, 1, 1));
                    let sum = sums.fold(CellHash::EMPTY, |all, one| all + one);
                    assert_eq!(table.hash(), sum.relative_to(left, runs[0].y));
                    let back = table.clone().moved_back(3, 1);
                    assert_eq!(back, table.translated(-3, -1));
                }
            }
        }
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
