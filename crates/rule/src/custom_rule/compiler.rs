//! Compiles a function of a cell's state and of several counts to one table over one weighted
//! sum. (Own method.)
//!
//! States that no count distinguishes form a class. Cells of the class of state 0 are worth 0,
//! those of the other classes 1, b, b^2, … where b exceeds the greatest sum of any class: the
//! digits of a cell's sum in base b are then the sums of each class, and the rest of the
//! neighbourhood is of the class of state 0.

use crate::{CountTable, Neighbourhood, TransitionRow};
use grid::State;

/// The most entries of a table, all states together.
pub(super) const MAX_ENTRIES: u64 = 1 << 24;

/// The most steps to evaluate the next states of all cases: some seconds.
pub(super) const MAX_STEPS: u64 = 1 << 30;

/// Why there is no table.
#[derive(Debug)]
pub(super) enum CompileObstacle<E> {
    /// It would have this many entries.
    TooLarge(u64),
    /// This many cases, of this many parts each.
    TooLong(u64, u64),
    /// What an empty plane becomes.
    Background(State),
    /// The function failed.
    Next(E),
}

/// Evaluates `next` for every state with all counts that a neighbourhood can have.
///
/// `counted[k][state]` says whether the k-th count takes in that state. The next states
/// must be below `states`. `parts` is about how many steps it takes to ask.
pub(super) fn table<E>(
    neighbourhood: Neighbourhood,
    states: u16,
    counted: &[Vec<bool>],
    parts: usize,
    mut next: impl FnMut(State, &[i64]) -> Result<State, E>,
) -> Result<CountTable, CompileObstacle<E>> {
    let classes = StateClasses::new(states, counted);
    let weights = || neighbourhood.cells().iter().map(|c| i64::from(c.weight));
    let lowest: i64 = weights().filter(|&w| w < 0).sum();
    let highest: i64 = weights().filter(|&w| w > 0).sum();
    let base = highest - lowest + 1;
    let digits = classes.members.len() - 1;

    let entries = (base as u64)
        .saturating_pow(digits as u32)
        .saturating_mul(u64::from(states));
    if entries > MAX_ENTRIES {
        return Err(CompileObstacle::TooLarge(entries));
    }
    // b^0, b^1, … for all classes but the first
    let worth: Vec<i64> = (0..digits).map(|k| base.pow(k as u32)).collect();
    let values: Vec<i64> = classes
        .of
        .iter()
        .map(|&class| if class == 0 { 0 } else { worth[class - 1] })
        .collect();
    let greatest = worth.last().copied().unwrap_or(0);
    let least = lowest * greatest;
    let span = ((highest - lowest) * greatest + 1) as usize;

    let own_weight = neighbourhood
        .cells()
        .iter()
        .find(|c| (c.dx, c.dy) == (0, 0));
    let own_weight = own_weight.map_or(0, |c| i64::from(c.weight));
    let others = weights_of_others(&neighbourhood);
    let sums = ReachableSums::new(&others, &worth, span);

    let class_counts = classes.of_counts(counted.len());
    let parts = class_counts.iter().fold(parts as u64, |parts, classes| {
        parts.saturating_add(1 + classes.len() as u64)
    });
    let cases = (sums.iter().count() as u64).saturating_mul(u64::from(states));
    if cases.saturating_mul(parts) > MAX_STEPS {
        return Err(CompileObstacle::TooLong(cases, parts));
    }

    // what to add to a sum so that all its digits are at least 0
    let lift = -lowest * worth.iter().sum::<i64>();
    let mut around = vec![0; digits + 1];
    let mut counts = vec![0; counted.len()];
    let mut rows = Vec::with_capacity(usize::from(states));
    for own in 0..states {
        let own = own as State;
        let own_part = own_weight * values[usize::from(own)] - (own_weight * greatest).min(0);
        let mut row = vec![0; span];
        let mut constant = None;
        let mut is_constant = true;
        let mut filled = 0;
        for index in sums.iter().map(|index| index + own_part as usize) {
            let mut rest = index as i64 + least + lift;
            let mut all = lowest + highest;
            for digit in &mut around[1..] {
                *digit = rest % base + lowest;
                rest /= base;
                all -= *digit;
            }
            around[0] = all;
            for (count, members) in counts.iter_mut().zip(&class_counts) {
                *count = members.iter().map(|&class| around[class]).sum();
            }
            let state = next(own, &counts).map_err(CompileObstacle::Next)?;
            // sums that never occur go with the sum before: long runs make short kernels
            let before = if filled == 0 { state } else { row[filled - 1] };
            row[filled..index].fill(before);
            row[index] = state;
            filled = index + 1;
            is_constant &= *constant.get_or_insert(state) == state;
        }
        let last = if filled == 0 { 0 } else { row[filled - 1] };
        row[filled..].fill(last);
        rows.push(match constant {
            Some(state) if is_constant => TransitionRow::Constant(state),
            _ => TransitionRow::By(row),
        });
    }
    let empty = rows[0].get(-least as usize);
    // a plane of two states may change as a whole: cells are then shown relative to it
    if empty != 0 && rows.len() > 2 {
        return Err(CompileObstacle::Background(empty));
    }
    Ok(CountTable {
        neighbourhood,
        values: values.into_iter().map(|value| value as i32).collect(),
        least,
        rows,
    })
}

fn weights_of_others(neighbourhood: &Neighbourhood) -> Vec<i64> {
    let others = neighbourhood
        .cells()
        .iter()
        .filter(|c| (c.dx, c.dy) != (0, 0));
    others.map(|c| i64::from(c.weight)).collect()
}

/// The classes of states that are distinguished.
struct StateClasses {
    /// By state; 0 is the class of state 0.
    of: Vec<usize>,
    /// Which counts take in each class.
    members: Vec<Vec<bool>>,
}

impl StateClasses {
    fn new(states: u16, counted: &[Vec<bool>]) -> Self {
        let mut members: Vec<Vec<bool>> = Vec::new();
        let mut of = Vec::with_capacity(usize::from(states));
        for state in 0..usize::from(states) {
            let own: Vec<bool> = counted.iter().map(|set| set[state]).collect();
            let class = members.iter().position(|m| *m == own);
            of.push(class.unwrap_or_else(|| {
                members.push(own);
                members.len() - 1
            }));
        }
        Self { of, members }
    }

    /// The classes that each of the counts includes.
    fn of_counts(&self, counts: usize) -> Vec<Vec<usize>> {
        let members = &self.members;
        let classes = |k: usize| (0..members.len()).filter(|&c| members[c][k]).collect();
        (0..counts).map(classes).collect()
    }
}

/// The sums that can occur, less the least one: a bit each.
struct ReachableSums(Vec<u64>);

impl ReachableSums {
    fn new(weights: &[i64], worth: &[i64], span: usize) -> Self {
        let mut sums = Self(vec![0; span.div_ceil(64)]);
        sums.0[0] = 1;
        let mut weights = weights.to_vec();
        weights.sort_unstable();
        for same in weights.chunk_by(|a, b| a == b) {
            let size = same[0].unsigned_abs() as usize;
            match *worth {
                [] => {}
                // n cells that are worth 0 or 1: 0 to n of them, doubled up
                [_] => {
                    let mut covered = 0;
                    while covered < same.len() {
                        let step = (covered + 1).min(same.len() - covered);
                        sums.widen(&[step * size]);
                        covered += step;
                    }
                }
                _ => {
                    let greatest = worth[worth.len() - 1];
                    // seen from the least that the cell can add
                    let steps: Vec<usize> = [0]
                        .iter()
                        .chain(worth)
                        .map(|&w| if same[0] > 0 { w } else { greatest - w })
                        .map(|w| size * w as usize)
                        .filter(|&step| step > 0)
                        .collect();
                    for _ in same {
                        sums.widen(&steps);
                    }
                }
            }
        }
        sums
    }

    /// Each sum may also be larger by one of these.
    fn widen(&mut self, steps: &[usize]) {
        let used = self.0.iter().rposition(|&word| word != 0);
        let before = self.0[..used.map_or(0, |last| last + 1)].to_vec();
        for &step in steps {
            let (words, bits) = (step / 64, step % 64);
            for (i, &word) in before.iter().enumerate() {
                self.set(i + words, word << bits);
                if bits > 0 {
                    self.set(i + words + 1, word >> (64 - bits));
                }
            }
        }
    }

    fn set(&mut self, word: usize, bits: u64) {
        if let Some(word) = self.0.get_mut(word) {
            *word |= bits;
        }
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = left.trailing_zeros() as usize;
                left &= left.checked_sub(1)?;
                Some(i * 64 + bit)
            })
        })
    }
}
