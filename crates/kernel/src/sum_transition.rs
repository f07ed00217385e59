//! Transitions by a cell's state and its weighted sum, a row at a time.

use super::sum_integer::SumInteger;
use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use grid::State;
use rule::TransitionRow;

/// A function from a cell's state and sum to its next state.
#[derive(Clone, Debug)]
pub(super) enum SumTransition<T> {
    /// Conditions, each evaluated for all cells; the compiler vectorises that.
    Terms(Vec<TransitionTerm<T>>),
    /// A table with one entry per state and sum, `1 << shift` entries per state.
    Dense { shift: u32, next: Vec<State> },
    /// The rule's own rows, where the other forms would take too much time or memory.
    Rows(Vec<TransitionRow>),
}

/// The next state of cells of some states with some sums. Where several terms apply, the
/// last one does; where none does, the cell becomes 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransitionTerm<T> {
    /// The least state, and the greatest minus the least.
    state: T,
    states: T,
    /// The least sum, and the greatest minus the least.
    sum: T,
    sums: T,
    /// All ones if `add` is added to the cell's state, else 0: then `add` is the next state.
    keep: T,
    add: T,
}

/// The most terms that are quicker than a table lookup: about 0.05 ns a term and cell against
/// 0.5 ns.
const MAX_TERMS: usize = 12;

/// The most entries of a dense table.
const MAX_DENSE: usize = 1 << 20;

/// Cells for which a term is evaluated before the next one.
const BLOCK: usize = 256;

impl<T: SumInteger> SumTransition<T> {
    /// Compiles the rows, one per state, for `entries` different sums.
    pub(super) fn new(rows: &[TransitionRow], entries: usize) -> Self {
        let terms = terms(rows);
        if terms.len() <= MAX_TERMS {
            return Self::Terms(terms);
        }
        let each = entries.next_power_of_two();
        if rows.len() * each > MAX_DENSE {
            return Self::Rows(rows.to_vec());
        }
        let mut next = vec![0; rows.len() * each];
        for (row, out) in rows.iter().zip(next.chunks_exact_mut(each)) {
            match row {
                TransitionRow::Constant(state) => out.fill(*state),
                TransitionRow::By(by) => out[..by.len()].copy_from_slice(by),
            }
        }
        Self::Dense {
            shift: each.trailing_zeros(),
            next,
        }
    }

    /// Writes the next states of a row: of every other cell from `first` on if that is given, else
    /// of all. With a mask, the row must be a multiple of 64 cells and `first` none; cells are
    /// ANDed with the mask.
    pub(super) fn row(
        &self,
        set: InstructionSet,
        states: &[State],
        sums: &[T],
        mask: Option<&[State]>,
        first: Option<usize>,
        out: &mut [State],
    ) {
        let transition = self;
        u64::run_in(
            set,
            TransitionRowTask {
                transition,
                states,
                sums,
                mask,
                first,
                out,
            },
        );
    }
}

/// [`SumTransition::row`] as a task.
struct TransitionRowTask<'a, T> {
    transition: &'a SumTransition<T>,
    states: &'a [State],
    sums: &'a [T],
    mask: Option<&'a [State]>,
    first: Option<usize>,
    out: &'a mut [State],
}

impl<T: SumInteger> SimdTask<u64> for TransitionRowTask<'_, T> {
    // Loops and no closures: the compiler does not always inline those, and what is not
    // inlined is not compiled for the vectors.
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self {
            transition,
            states,
            sums,
            mask,
            first,
            out,
        } = self;
        let (start, step) = first.map_or((0, 1), |first| (first, 2));
        match transition {
            SumTransition::Terms(terms) if first.is_none() => match terms[..] {
                [] => out.fill(0),
                [a] => return apply_few([a], states, sums, mask, out),
                [a, b] => return apply_few([a, b], states, sums, mask, out),
                [a, b, c] => return apply_few([a, b, c], states, sums, mask, out),
                [a, b, c, d] => return apply_few([a, b, c, d], states, sums, mask, out),
                _ => apply_many(terms, states, sums, out),
            },
            SumTransition::Terms(terms) => {
                let blocks = states.chunks(BLOCK).zip(sums.chunks(BLOCK));
                for ((states, sums), out) in blocks.zip(out.chunks_mut(BLOCK)) {
                    apply_alternate(terms, states, sums, out, start);
                }
            }
            SumTransition::Dense { shift, next } => {
                let cells = states.iter().zip(sums).zip(&mut *out);
                for ((&state, &sum), out) in cells.skip(start).step_by(step) {
                    *out = next[usize::from(state) << shift | sum.index()];
                }
            }
            SumTransition::Rows(rows) => {
                let cells = states.iter().zip(sums).zip(&mut *out);
                for ((&state, &sum), out) in cells.skip(start).step_by(step) {
                    *out = rows[usize::from(state)].get(sum.index());
                }
            }
        }
        if let Some(mask) = mask {
            for (out, mask) in out.iter_mut().zip(mask) {
                *out &= mask;
            }
        }
    }
}

/// Cells in a vector of bytes.
const LANES: usize = 64;

/// Evaluates few terms for a cell in registers: memory that was written through a mask
/// cannot be read again at once.
#[inline(always)]
fn apply_few<T: SumInteger, const N: usize>(
    terms: [TransitionTerm<T>; N],
    states: &[State],
    sums: &[T],
    mask: Option<&[State]>,
    out: &mut [State],
) {
    if let Some(mask) = mask {
        let (states, _) = states.as_chunks::<LANES>();
        let (sums, _) = sums.as_chunks::<LANES>();
        let (mask, _) = mask.as_chunks::<LANES>();
        let (out, _) = out.as_chunks_mut::<LANES>();
        for (((states, sums), mask), out) in states.iter().zip(sums).zip(mask).zip(out) {
            if size_of::<T>() > 1 {
                apply_narrowed(&terms, states, sums, mask, out);
                continue;
            }
            for i in 0..LANES {
                let next = next_of(&terms, T::of(states[i].into()), sums[i], T::default());
                out[i] = next.index() as State & mask[i];
            }
        }
        return;
    }
    let (states, last_states) = states.as_chunks::<LANES>();
    let (sums, last_sums) = sums.as_chunks::<LANES>();
    let (out, last_out) = out.as_chunks_mut::<LANES>();
    for ((states, sums), out) in states.iter().zip(sums).zip(out) {
        for i in 0..LANES {
            let next = next_of(&terms, T::of(states[i].into()), sums[i], T::default());
            out[i] = next.index() as State;
        }
    }
    for ((&state, &sum), out) in last_states.iter().zip(last_sums).zip(last_out) {
        let next = next_of(&terms, T::of(state.into()), sum, T::default());
        *out = next.index() as State;
    }
}

/// Evaluates few terms for a vector of cells. Only the sums are compared in their own width: what
/// follows from that is a byte, as states are.
#[inline(always)]
fn apply_narrowed<T: SumInteger, const N: usize>(
    terms: &[TransitionTerm<T>; N],
    states: &[State; LANES],
    sums: &[T; LANES],
    mask: &[State; LANES],
    out: &mut [State; LANES],
) {
    let mut next = [0; LANES];
    for term in terms {
        let mut matches = [0; LANES];
        for i in 0..LANES {
            let sum_matches = sums[i].minus(term.sum) <= term.sums;
            matches[i] = if sum_matches { State::MAX } else { 0 };
        }
        let (state, span) = (term.state.index() as State, term.states.index() as State);
        let (keep, add) = (term.keep.index() as State, term.add.index() as State);
        for i in 0..LANES {
            let state_matches = states[i].wrapping_sub(state) <= span;
            let then = (states[i] & keep).wrapping_add(add);
            next[i] = if state_matches & (matches[i] != 0) {
                then
            } else {
                next[i]
            };
        }
    }
    for i in 0..LANES {
        out[i] = next[i] & mask[i];
    }
}

/// Evaluates more terms, four at a time.
#[inline(always)]
fn apply_many<T: SumInteger>(
    terms: &[TransitionTerm<T>],
    states: &[State],
    sums: &[T],
    out: &mut [State],
) {
    let (few, rest) = terms.as_chunks::<4>();
    let cells = states.chunks(LANES).zip(sums.chunks(LANES));
    for ((states, sums), out) in cells.zip(out.chunks_mut(LANES)) {
        let mut next = [T::default(); LANES];
        let mut cells = [T::default(); LANES];
        let mut given = [T::default(); LANES];
        for (cell, &state) in cells.iter_mut().zip(states) {
            *cell = T::of(state.into());
        }
        given[..sums.len()].copy_from_slice(sums);
        for terms in few {
            for i in 0..LANES {
                next[i] = next_of(terms, cells[i], given[i], next[i]);
            }
        }
        for term in rest {
            for i in 0..LANES {
                next[i] = next_of(&[*term], cells[i], given[i], next[i]);
            }
        }
        for (out, &next) in out.iter_mut().zip(&next) {
            *out = next.index() as State;
        }
    }
}

/// Applies terms to a cell, whose next state by earlier terms is `before`.
#[inline(always)]
fn next_of<T: SumInteger, const N: usize>(
    terms: &[TransitionTerm<T>; N],
    cell: T,
    sum: T,
    before: T,
) -> T {
    let mut next = before;
    for term in terms {
        let state_matches = cell.minus(term.state) <= term.states;
        let sum_matches = sum.minus(term.sum) <= term.sums;
        let then = cell.and(term.keep).plus(term.add);
        next = if state_matches & sum_matches {
            then
        } else {
            next
        };
    }
    next
}

/// Evaluates terms for every other cell from `first` on, of at most [`BLOCK`].
#[inline(always)]
fn apply_alternate<T: SumInteger>(
    terms: &[TransitionTerm<T>],
    states: &[State],
    sums: &[T],
    out: &mut [State],
    first: usize,
) {
    let mut cells = [T::default(); BLOCK];
    let mut next = [T::default(); BLOCK];
    for (cell, &state) in cells.iter_mut().zip(states) {
        *cell = T::of(state.into());
    }
    for term in terms {
        for ((next, &cell), &sum) in next.iter_mut().zip(&cells).zip(sums) {
            let state_matches = cell.minus(term.state) <= term.states;
            let sum_matches = sum.minus(term.sum) <= term.sums;
            let then = cell.and(term.keep).plus(term.add);
            *next = if state_matches & sum_matches {
                then
            } else {
                *next
            };
        }
    }
    let cells = out.iter_mut().zip(&next);
    for (out, &next) in cells.skip(first).step_by(2) {
        *out = next.index() as State;
    }
}

fn terms<T: SumInteger>(rows: &[TransitionRow]) -> Vec<TransitionTerm<T>> {
    let mut terms: Vec<TransitionTerm<T>> = Vec::new();
    // The last run of states whose transition does not depend on the sum, as first state, last
    // state, and the first one's next state: they all change by the same difference.
    let mut shift_run: Option<(usize, usize, State)> = None;
    for (state, row) in rows.iter().enumerate() {
        match row {
            TransitionRow::Constant(next) => match &mut shift_run {
                Some((first, last, then))
                    if *last + 1 == state
                        && usize::from(*next) == usize::from(*then) + (state - *first) =>
                {
                    *last = state;
                }
                _ => {
                    terms.extend(shift_run.map(shift_term));
                    shift_run = (*next != 0).then_some((state, state, *next));
                }
            },
            TransitionRow::By(by) => terms.extend(interval_terms(state, by)),
        }
    }
    terms.extend(shift_run.map(shift_term));
    terms
}

/// The term of states that change by one difference.
fn shift_term<T: SumInteger>((first, last, then): (usize, usize, State)) -> TransitionTerm<T> {
    TransitionTerm {
        state: T::of(first as i64),
        states: T::of((last - first) as i64),
        sum: T::default(),
        sums: T::MOST,
        keep: T::MOST,
        add: T::of(i64::from(then) - first as i64),
    }
}

/// The terms of one state: its most frequent outcome (by runs of sums) everywhere, then the
/// other runs.
fn interval_terms<T: SumInteger>(state: usize, by: &[State]) -> Vec<TransitionTerm<T>> {
    let mut runs = [0; 256];
    for run in by.chunk_by(|a, b| a == b) {
        runs[usize::from(run[0])] += 1;
    }
    let most_frequent = (0..=State::MAX).rev().max_by_key(|&s| runs[usize::from(s)]);
    let most_frequent = most_frequent.expect("there are states");
    let term = |sum: usize, sums: T, next: State| TransitionTerm {
        state: T::of(state as i64),
        states: T::default(),
        sum: T::of(sum as i64),
        sums,
        keep: T::default(),
        add: T::of(next.into()),
    };
    let mut terms = Vec::new();
    if most_frequent != 0 {
        terms.push(term(0, T::MOST, most_frequent));
    }
    let mut sum = 0;
    for run in by.chunk_by(|a, b| a == b) {
        if run[0] != most_frequent {
            terms.push(term(sum, T::of(run.len() as i64 - 1), run[0]));
        }
        sum += run.len();
    }
    terms
}
