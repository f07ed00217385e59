//! The solver of the crate `cadical`: CaDiCaL by Armin Biere, in C++. About twice as quick as
//! the other, and behind a feature, since it needs a C++ compiler and a minute to build.

use super::solver::{SatControl, SatEffort, SatOutcome, SatSolver};
use std::io;

/// Conflicts between two questions whether to stop.
const CONFLICTS_PER_CONTROL: i32 = 2000;

/// CaDiCaL.
pub(crate) struct CadicalSolver {
    solver: cadical::Solver,
    conflicts: u64,
    literals: u64,
}

impl CadicalSolver {
    /// A solver without clauses.
    pub(crate) fn new() -> Self {
        Self {
            solver: cadical::Solver::new(),
            conflicts: 0,
            literals: 0,
        }
    }
}

impl SatSolver for CadicalSolver {
    fn add_clause(&mut self, literals: &[i32]) {
        self.literals += literals.len() as u64;
        self.solver.add_clause(literals.iter().copied());
    }

    fn solve(&mut self, assumptions: &[i32], control: &mut SatControl<'_>) -> SatOutcome {
        loop {
            // the name is one of those that it knows
            let _ = self.solver.set_limit("conflicts", CONFLICTS_PER_CONTROL);
            match self.solver.solve_with(assumptions.iter().copied()) {
                Some(true) => return SatOutcome::Satisfied,
                Some(false) => return SatOutcome::Unsatisfied,
                None => self.conflicts += CONFLICTS_PER_CONTROL as u64,
            }
            let effort = SatEffort {
                conflicts: self.conflicts,
                assigned: 0,
                bytes: self.literals * 8,
            };
            if control(effort, &|_| None) {
                return SatOutcome::Stopped;
            }
        }
    }

    fn value(&self, variable: i32) -> bool {
        // a variable that no clause has is not known there
        variable <= self.solver.max_variable() && self.solver.value(variable) == Some(true)
    }

    fn proof(&mut self) -> Option<io::Result<()>> {
        None
    }
}
