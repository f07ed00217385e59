//! The next state of cells from their states and their sums, a row at a time.

use super::sum::SumInteger;
use crate::arch::{InstructionSet, SimdElement, SimdTask, Vector};
use grid::State;
use rule::TransitionRow;

/// The next state from a cell's state and its sum.
#[derive(Clone, Debug)]
pub(super) enum SumTransition<T> {
    /// Conditions, each tried on all cells: the compiler makes vectors of them.
    Terms(Vec<TransitionTerm<T>>),
    /// One entry a state and sum, the sums of a state `1 << shift` apart.
    Dense { shift: u32, next: Vec<State> },
    /// The rule's own rows, where the others would take too much time and memory.
    Rows(Vec<TransitionRow>),
}

/// What happens to cells of some states with some sums. Where several terms hold, the
/// last decides; where none does, the cell becomes 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct TransitionTerm<T> {
    /// The least state, and how far the greatest is above it.
    state: T,
    states: T,
    /// The least sum, and how far the greatest is above it.
    sum: T,
    sums: T,
    /// All ones if `add` is added to the cell's state, else 0: then it is the next state.
    keep: T,
    add: T,
}

/// Terms up to which trying them all is quicker than looking up a table: about 0.05 ns a
/// term and cell against 0.5 ns.
const TERMS: usize = 12;

/// Entries up to which a choice is dense.
const DENSE: usize = 1 << 20;

/// Cells on which a term is tried before the next one.
const BLOCK: usize = 256;

impl<T: SumInteger> SumTransition<T> {
    /// From one row a state, and how many sums there are.
    pub(super) fn new(rows: &[TransitionRow], entries: usize) -> Self {
        let terms = terms(rows);
        if terms.len() <= TERMS {
            return Self::Terms(terms);
        }
        let each = entries.next_power_of_two();
        if rows.len() * each > DENSE {
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

    /// Writes the next states of a row: of every other cell from `first` on, if that is
    /// given, else of all. With a mask, the row is a multiple of 64 cells, `first` is not
    /// given, and what the mask has no bit of becomes 0.
    pub(super) fn row(
        &self,
        set: InstructionSet,
        states: &[State],
        sums: &[T],
        mask: Option<&[State]>,
        first: Option<usize>,
        out: &mut [State],
    ) {
        let choice = self;
        u64::run_in(
            set,
            TransitionRowTask {
                choice,
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
    choice: &'a SumTransition<T>,
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
            choice,
            states,
            sums,
            mask,
            first,
            out,
        } = self;
        let (start, step) = first.map_or((0, 1), |first| (first, 2));
        match choice {
            SumTransition::Terms(terms) if first.is_none() => match terms[..] {
                [] => out.fill(0),
                [a] => return try_few([a], states, sums, mask, out),
                [a, b] => return try_few([a, b], states, sums, mask, out),
                [a, b, c] => return try_few([a, b, c], states, sums, mask, out),
                [a, b, c, d] => return try_few([a, b, c, d], states, sums, mask, out),
                _ => try_many(terms, states, sums, out),
            },
            SumTransition::Terms(terms) => {
                let blocks = states.chunks(BLOCK).zip(sums.chunks(BLOCK));
                for ((states, sums), out) in blocks.zip(out.chunks_mut(BLOCK)) {
                    try_all(terms, states, sums, out, start);
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

/// Few terms: all are tried on a cell in registers. Memory that was written through a mask
/// cannot be read again at once.
#[inline(always)]
fn try_few<T: SumInteger, const N: usize>(
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

/// More terms, four at a time.
#[inline(always)]
fn try_many<T: SumInteger>(
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

/// What becomes of a cell by some terms, after what came of those before.
#[inline(always)]
fn next_of<T: SumInteger, const N: usize>(
    terms: &[TransitionTerm<T>; N],
    cell: T,
    sum: T,
    before: T,
) -> T {
    let mut next = before;
    for term in terms {
        let of_state = cell.minus(term.state) <= term.states;
        let of_sum = sum.minus(term.sum) <= term.sums;
        let then = cell.and(term.keep).plus(term.add);
        next = if of_state & of_sum { then } else { next };
    }
    next
}

/// Every other cell from `first` on, of at most [`BLOCK`].
#[inline(always)]
fn try_all<T: SumInteger>(
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
            let of_state = cell.minus(term.state) <= term.states;
            let of_sum = sum.minus(term.sum) <= term.sums;
            let then = cell.and(term.keep).plus(term.add);
            *next = if of_state & of_sum { then } else { *next };
        }
    }
    let cells = out.iter_mut().zip(&next);
    for (out, &next) in cells.skip(first).step_by(2) {
        *out = next.index() as State;
    }
}

fn terms<T: SumInteger>(rows: &[TransitionRow]) -> Vec<TransitionTerm<T>> {
    let mut terms: Vec<TransitionTerm<T>> = Vec::new();
    // The last run of states that do not look at the sum, as first state, last state,
    // and the first one's next state: they move on together, or become the same.
    let mut aging: Option<(usize, usize, State)> = None;
    for (state, row) in rows.iter().enumerate() {
        match row {
            TransitionRow::Constant(next) => match &mut aging {
                Some((first, last, then))
                    if *last + 1 == state
                        && usize::from(*next) == usize::from(*then) + (state - *first) =>
                {
                    *last = state;
                }
                _ => {
                    terms.extend(aging.map(aged));
                    aging = (*next != 0).then_some((state, state, *next));
                }
            },
            TransitionRow::By(by) => terms.extend(intervals(state, by)),
        }
    }
    terms.extend(aging.map(aged));
    terms
}

/// States that become others by one and the same difference.
fn aged<T: SumInteger>((first, last, then): (usize, usize, State)) -> TransitionTerm<T> {
    TransitionTerm {
        state: T::of(first as i64),
        states: T::of((last - first) as i64),
        sum: T::default(),
        sums: T::MOST,
        keep: T::MOST,
        add: T::of(i64::from(then) - first as i64),
    }
}

/// One state by its sums: what happens most often (by runs of sums) everywhere, then the
/// other runs.
fn intervals<T: SumInteger>(state: usize, by: &[State]) -> Vec<TransitionTerm<T>> {
    let mut runs = [0; 256];
    for run in by.chunk_by(|a, b| a == b) {
        runs[usize::from(run[0])] += 1;
    }
    let most = (0..=State::MAX).rev().max_by_key(|&s| runs[usize::from(s)]);
    let most = most.expect("there are states");
    let term = |sum: usize, sums: T, next: State| TransitionTerm {
        state: T::of(state as i64),
        states: T::default(),
        sum: T::of(sum as i64),
        sums,
        keep: T::default(),
        add: T::of(next.into()),
    };
    let mut terms = Vec::new();
    if most != 0 {
        terms.push(term(0, T::MOST, most));
    }
    let mut sum = 0;
    for run in by.chunk_by(|a, b| a == b) {
        if run[0] != most {
            terms.push(term(sum, T::of(run.len() as i64 - 1), run[0]));
        }
        sum += run.len();
    }
    terms
}
