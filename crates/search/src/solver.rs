//! What every engine that solves a problem can do.

use grid::State;

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchProgress {
    /// Guesses or conflicts so far.
    pub nodes: u64,
    /// Cells that are decided just now, or rows.
    pub depth: u64,
    /// How much of the tree has been searched, where that is known: 0 to 1.
    pub share: Option<f64>,
    /// Bytes that the search holds.
    pub bytes: u64,
}

/// Where a search paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchFlow {
    /// Go on.
    Continue,
    /// Stop here.
    Stop,
}

/// What a solver ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchAnswer {
    /// The states of all unknowns.
    Found(Vec<State>),
    /// There is none, or none but those that were found and excluded before.
    Exhausted,
    /// It was stopped; calling again goes on.
    Stopped,
}

/// The view of the cells under way: the state of each unknown that is decided just now.
pub type PartialAssignment<'a> = &'a dyn Fn(u32) -> Option<State>;

/// Asked now and then: how far the search is, and the cells that are decided. Its answer says
/// whether to go on.
pub type SearchControl<'a> = dyn FnMut(&SearchProgress, PartialAssignment<'_>) -> SearchFlow + 'a;

/// An engine that solves a [`SearchProblem`](crate::SearchProblem).
///
/// With the same problem and the same seed it finds the same solutions in the same order.
pub trait ProblemSolver {
    /// The name of the engine.
    fn name(&self) -> &'static str;

    /// Searches for a solution other than those excluded.
    fn solve(&mut self, control: &mut SearchControl<'_>) -> SearchAnswer;

    /// Never again a solution with these states of these unknowns, all at once. A list that is
    /// empty excludes everything.
    fn exclude(&mut self, states: &[(u32, State)]);

    /// Where it is, as text, if it can go on from there.
    fn state(&self) -> Option<String> {
        None
    }
}
