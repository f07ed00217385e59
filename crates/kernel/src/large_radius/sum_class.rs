//! What a rule asks of a sum, as few bits: whether it lies in these intervals or those.

use super::decision::SumDecision;
use crate::sum_transition::SumTransition;
use grid::State;
use rule::TransitionRow;

/// The most functions of the sum that a rule may ask for.
pub(super) const MAX_CLASSES: usize = 6;

/// The most bounds at which these may change.
const MAX_BOUNDS: usize = 48;

/// What a rule wants to know of a sum: a bit for each function of it.
#[derive(Clone, Debug)]
pub(super) struct SumClasses {
    pub(super) number: usize,
    /// The bits at sum 0.
    pub(super) first: [bool; MAX_CLASSES],
    /// Sums from which on bits are other than before, and which bits.
    pub(super) bounds: Vec<(u32, u8)>,
    pub(super) outcome: ClassOutcome,
}

#[derive(Clone, Debug)]
pub(super) enum ClassOutcome {
    /// Cells of two states: the class that tells the next state of dead cells, and of live ones.
    Bits([usize; 2]),
    /// Next states by the number that the bits make.
    Bytes(SumTransition<u8>),
}

impl SumClasses {
    pub(super) fn new(decision: &SumDecision<'_>) -> Option<Self> {
        // Each function of the sum, with the two states that it leads to.
        let mut functions: Vec<(&[State], [State; 2])> = Vec::new();
        let mut of_state: Vec<Option<usize>> = Vec::new();
        let constants = [[0], [1]];
        let is_binary = decision.rows.len() == 2 && decision.values.only == Some(1);
        for row in decision.rows {
            let by = match row {
                TransitionRow::By(by) => &by[..],
                // Two states have no table of states that could say so.
                TransitionRow::Constant(state) if is_binary => {
                    &constants[usize::from(*state).min(1)][..]
                }
                TransitionRow::Constant(_) => {
                    of_state.push(None);
                    continue;
                }
            };
            let found = functions.iter().position(|(other, _)| *other == by);
            of_state.push(Some(found.unwrap_or(functions.len())));
            if found.is_none() {
                let first = *by.first()?;
                let other = by.iter().copied().find(|state| *state != first);
                let outcomes = [first, other.unwrap_or(first)];
                if by.iter().any(|state| !outcomes.contains(state)) {
                    return None;
                }
                functions.push((by, outcomes));
            }
        }
        let number = functions.len();
        if number > MAX_CLASSES {
            return None;
        }
        let mut first = [false; MAX_CLASSES];
        let mut bounds: std::collections::BTreeMap<u32, u8> = std::collections::BTreeMap::new();
        for (class, (by, outcomes)) in functions.iter().enumerate() {
            // In bits a class is the next state itself.
            first[class] = is_binary && outcomes[0] == 1;
            for (sum, pair) in (1..).zip(by.windows(2)) {
                if pair[0] != pair[1] {
                    *bounds.entry(sum).or_default() |= 1 << class;
                }
            }
        }
        if bounds.len() > MAX_BOUNDS {
            return None;
        }
        let outcome = if is_binary {
            ClassOutcome::Bits([of_state[0]?, of_state[1]?])
        } else {
            let rows: Vec<TransitionRow> = decision
                .rows
                .iter()
                .zip(&of_state)
                .map(|(row, class)| match class {
                    Some(class) => {
                        let outcomes = functions[*class].1;
                        let next = |answers: usize| outcomes[answers >> class & 1];
                        TransitionRow::By((0..1 << number).map(next).collect())
                    }
                    None => row.clone(),
                })
                .collect();
            ClassOutcome::Bytes(SumTransition::new(&rows, 1 << number))
        };
        Some(Self {
            number,
            first,
            bounds: bounds.into_iter().collect(),
            outcome,
        })
    }
}
