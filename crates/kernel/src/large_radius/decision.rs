//! What a rule decides by: a weighted sum, and the value of each state in it.

use super::plan::SumChain;
use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use crate::sum::span;
use grid::State;
use rule::{Neighbourhood, Transition, TransitionRow};

/// A table of a rule that depends on a weighted sum.
pub(super) struct SumDecision<'a> {
    pub(super) neighbourhood: std::borrow::Cow<'a, Neighbourhood>,
    /// How its sums are made.
    pub(super) chains: Vec<SumChain>,
    pub(super) values: StateValues,
    pub(super) least: i64,
    pub(super) rows: &'a [TransitionRow],
    pub(super) entries: usize,
    /// The greatest sum minus the least.
    pub(super) span: u64,
}

impl<'a> SumDecision<'a> {
    pub(super) fn of(transition: &'a Transition) -> Option<Self> {
        use std::borrow::Cow;
        let span = span(transition);
        let entries = span as usize + 1;
        match transition {
            Transition::Configuration(table) => {
                let block = Neighbourhood::from_weights(1, |dx, dy| 256 >> ((dy + 1) * 3 + dx + 1));
                let counted = table.counted.iter().map(|&c| i32::from(c));
                Some(Self {
                    neighbourhood: Cow::Owned(block),
                    chains: Vec::new(),
                    values: StateValues::of(counted)?,
                    least: 0,
                    rows: &table.rows,
                    entries,
                    span,
                })
            }
            Transition::Count(table) => Some(Self {
                neighbourhood: Cow::Borrowed(&table.neighbourhood),
                chains: Vec::new(),
                values: StateValues::of(table.values.iter().copied())?,
                least: table.least,
                rows: &table.rows,
                entries,
                span,
            }),
            Transition::Lookup(_) => None,
        }
    }
}

impl StateValues {
    /// None where a value is not a non-negative signed byte.
    fn of(values: impl Iterator<Item = i32>) -> Option<Self> {
        let mut of = [0; 256];
        for (of, value) in of.iter_mut().zip(values) {
            *of = u8::try_from(value).ok().filter(|&v| v <= i8::MAX as u8)?;
        }
        let mut nonzero = (0..=State::MAX).filter(|&state| of[usize::from(state)] != 0);
        let only = nonzero.next().filter(|_| nonzero.next().is_none());
        Some(Self { of, only })
    }

    /// Replaces states by their values.
    pub(super) fn apply(&self, set: InstructionSet, row: &mut [u8]) {
        if let Some(only) = self.only {
            let value = self.of[usize::from(only)];
            u64::run_in(set, SingleStateTask { only, value, row });
        } else {
            for cell in row {
                *cell = self.of[usize::from(*cell)];
            }
        }
    }
}

/// Replaces one state by its value and all others by zero.
struct SingleStateTask<'a> {
    pub(super) only: State,
    value: u8,
    row: &'a mut [u8],
}

impl SimdTask<u64> for SingleStateTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        for cell in self.row {
            *cell = if *cell == self.only { self.value } else { 0 };
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct StateValues {
    pub(super) of: [u8; 256],
    /// The only state of nonzero value, if there is exactly one.
    pub(super) only: Option<State>,
}
