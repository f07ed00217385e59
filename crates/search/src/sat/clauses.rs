//! Clauses on their way to a solver: constants are folded, and what a proof needs is kept.

use super::solver::SatSolver;

/// The literal that is always true; its negative is always false.
pub(crate) const TRUE: i32 = i32::MAX;

/// A solver, its variables, and its clauses where they are kept.
pub(crate) struct ClauseStore {
    pub(crate) solver: Box<dyn SatSolver>,
    variables: i32,
    clauses: u64,
    literals: u64,
    kept: Option<Vec<i32>>,
    clause: Vec<i32>,
}

impl ClauseStore {
    /// Without variables and clauses.
    pub(crate) fn new(solver: Box<dyn SatSolver>, keeps_clauses: bool) -> Self {
        Self {
            solver,
            variables: 0,
            clauses: 0,
            literals: 0,
            kept: keeps_clauses.then(Vec::new),
            clause: Vec::new(),
        }
    }

    /// A new variable.
    pub(crate) fn variable(&mut self) -> i32 {
        self.variables += 1;
        self.variables
    }

    /// How many variables there are.
    pub(crate) fn variables(&self) -> i32 {
        self.variables
    }

    /// How many clauses were added.
    pub(crate) fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Bytes that are held for them, about: batsat takes 135 for a clause of counts, with what the
    /// sums remember; CaDiCaL twice as many.
    pub(crate) fn bytes(&self) -> u64 {
        4 * self.literals + 128 * self.clauses
    }

    /// The clauses, where they are kept, each ended by 0.
    pub(crate) fn kept(&self) -> Option<&[i32]> {
        self.kept.as_deref()
    }

    /// Adds a clause of literals and constants.
    pub(crate) fn add(&mut self, literals: impl IntoIterator<Item = i32>) {
        self.clause.clear();
        for literal in literals {
            if literal == TRUE {
                return;
            }
            if literal != -TRUE && !self.clause.contains(&literal) {
                self.clause.push(literal);
            }
        }
        if self
            .clause
            .iter()
            .any(|&literal| self.clause.contains(&-literal))
        {
            return;
        }
        self.clauses += 1;
        self.literals += self.clause.len() as u64;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(&self.clause);
            kept.push(0);
        }
        self.solver.add_clause(&self.clause);
    }
}
