//! What a solver of formulas has to do. Own method.

/// The stand of a solver under way: conflicts so far, variables that have a value, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SatEffort {
    /// Conflicts in all calls together.
    pub conflicts: u64,
    /// Variables that have a value just now, or 0.
    pub assigned: u64,
    /// Bytes of its clauses, about.
    pub bytes: u64,
}

/// What a solver ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SatOutcome {
    /// There is a model; [`SatSolver::value`] tells it.
    Satisfied,
    /// There is none under the assumptions.
    Unsatisfied,
    /// It was stopped.
    Stopped,
}

/// The value of a variable that has one just now.
pub(super) type PartialModel<'a> = &'a dyn Fn(i32) -> Option<bool>;

/// Asked now and then. Its answer says whether to stop.
pub(super) type SatControl<'a> = dyn FnMut(SatEffort, PartialModel<'_>) -> bool + 'a;

/// A solver of propositional formulas, clause by clause. Literals are those of DIMACS: a variable
/// is a number from 1 on, its negation the negative number.
pub(super) trait SatSolver {
    /// Adds a clause. Clauses may be added between calls of [`Self::solve`].
    fn add_clause(&mut self, literals: &[i32]);

    /// Searches for a model in which all of the assumptions are true.
    fn solve(&mut self, assumptions: &[i32], control: &mut SatControl<'_>) -> SatOutcome;

    /// The value of a variable in the model that was found last.
    fn value(&self, variable: i32) -> bool;

    /// What went wrong in writing the proof, and whether one is written at all: `None` where it
    /// is not.
    fn proof(&mut self) -> Option<std::io::Result<()>>;
}
