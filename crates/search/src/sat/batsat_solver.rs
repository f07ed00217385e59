//! The solver of the crate `batsat` (MiniSat 2.2 by Eén and Sörensson, in Rust), with a proof.

use super::solver::{PartialModel, SatControl, SatEffort, SatOutcome, SatSolver};
use batsat::{
    Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, Theory, TheoryArg, Var, lbool,
};
use std::cell::Cell;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::rc::Rc;

/// How many steps of propagation lie between two questions whether to stop.
const STEPS_PER_CONTROL: u32 = 1024;

/// How much of a variable's weight is left after a conflict. With saved phases, seven questions of
/// `docs/search.md` took a third less than with MiniSat's 0.95 (geometric mean of medians of seven
/// seeds).
const VARIABLE_DECAY: f64 = 0.85;

/// MiniSat 2.2 in Rust.
pub(crate) struct BatsatSolver {
    solver: Solver<Trace>,
    stop: Rc<Cell<bool>>,
    clause: Vec<Lit>,
    literals: u64,
    guess: lbool,
}

impl BatsatSolver {
    /// A solver without clauses that guesses `guess` for all variables, or else what each was last.
    /// The seed makes some of its guesses random; the proof goes where it is told.
    pub(crate) fn new(
        guess: Option<bool>,
        seed: Option<u64>,
        proof: Option<Box<dyn Write + Send>>,
    ) -> Self {
        let mut options = SolverOpts {
            var_decay: VARIABLE_DECAY,
            ..SolverOpts::default()
        };
        if let Some(seed) = seed {
            // its generator wants a number from 1 to 2^31 - 2
            options.random_seed = (dice::mix(seed) % 2_147_483_646) as f64 + 1.0;
            options.random_var_freq = 0.01;
            options.rnd_init_act = true;
        }
        let stop = Rc::new(Cell::new(false));
        let trace = Trace {
            stop: Rc::clone(&stop),
            literals: 0,
            proof,
            error: None,
            line: String::new(),
        };
        Self {
            solver: Solver::new(options, trace),
            stop,
            clause: Vec::new(),
            literals: 0,
            guess: guess.map_or(lbool::UNDEF, lbool::new),
        }
    }

    fn literal(&mut self, literal: i32) -> Lit {
        let index = literal.unsigned_abs() - 1;
        while self.solver.num_vars() <= index {
            self.solver.new_var(self.guess, true);
        }
        Lit::new(Var::unsafe_from_idx(index), literal > 0)
    }
}

impl SatSolver for BatsatSolver {
    fn add_clause(&mut self, literals: &[i32]) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(literals.iter().map(|&literal| self.literal(literal)));
        self.solver.add_clause_reuse(&mut clause);
        self.clause = clause;
        self.literals += literals.len() as u64;
    }

    fn solve(&mut self, assumptions: &[i32], control: &mut SatControl<'_>) -> SatOutcome {
        let assumptions: Vec<Lit> = assumptions.iter().map(|&l| self.literal(l)).collect();
        self.stop.set(false);
        let mut watch = Watch {
            control,
            stop: Rc::clone(&self.stop),
            literals: self.literals,
            conflicts: self.solver.num_conflicts(),
            steps: 0,
            levels: 0,
        };
        let outcome = self.solver.solve_limited_th(&mut watch, &assumptions);
        if outcome == lbool::TRUE {
            SatOutcome::Satisfied
        } else if outcome == lbool::FALSE {
            if assumptions.is_empty() {
                self.solver.cb_mut().finish();
            }
            SatOutcome::Unsatisfied
        } else {
            SatOutcome::Stopped
        }
    }

    fn value(&self, variable: i32) -> bool {
        let variable = Var::unsafe_from_idx(variable.unsigned_abs() - 1);
        self.solver.value_var(variable) == lbool::TRUE
    }

    fn proof(&mut self) -> Option<io::Result<()>> {
        let trace = self.solver.cb_mut();
        trace.proof.as_ref()?;
        Some(match trace.error.take() {
            Some(error) => Err(error),
            None => Ok(()),
        })
    }
}

/// Writes learnt clauses down as a DRAT proof in text (Heule, "The DRAT format and DRAT-trim
/// checker", 2016): a line is a clause, or `d` and a clause that is given up.
struct Trace {
    stop: Rc<Cell<bool>>,
    literals: i64,
    proof: Option<Box<dyn Write + Send>>,
    error: Option<io::Error>,
    line: String,
}

impl Trace {
    fn write(&mut self, prefix: &str, clause: &[Lit]) {
        let Some(proof) = &mut self.proof else { return };
        if self.error.is_some() {
            return;
        }
        self.line.clear();
        self.line.push_str(prefix);
        for literal in clause {
            let variable = i64::from(literal.var().idx()) + 1;
            let signed = if literal.sign() { variable } else { -variable };
            // a string takes everything
            let _ = write!(self.line, "{signed} ");
        }
        self.line.push_str("0\n");
        if let Err(error) = proof.write_all(self.line.as_bytes()) {
            self.error = Some(error);
            self.stop.set(true);
        }
    }

    /// The empty clause, which ends a proof.
    fn finish(&mut self) {
        self.write("", &[]);
        if let Some(Err(error)) = self.proof.as_mut().map(|proof| proof.flush()) {
            self.error = Some(error);
        }
    }
}

impl Callbacks for Trace {
    fn on_new_clause(&mut self, clause: &[Lit], _: ClauseKind) {
        self.literals += clause.len() as i64;
        self.write("", clause);
    }

    fn on_delete_clause(&mut self, clause: &[Lit]) {
        self.literals -= clause.len() as i64;
        self.write("d ", clause);
    }

    fn stop(&self) -> bool {
        self.stop.get()
    }
}

/// A theory without content: the solver calls it after every step of propagation, with the
/// values that its variables have then.
struct Watch<'a, 'b> {
    control: &'a mut SatControl<'b>,
    stop: Rc<Cell<bool>>,
    literals: u64,
    conflicts: u64,
    steps: u32,
    levels: usize,
}

impl Theory for Watch<'_, '_> {
    fn final_check(&mut self, _: &mut TheoryArg) {}

    fn create_level(&mut self) {
        self.levels += 1;
    }

    fn pop_levels(&mut self, levels: usize) {
        // levels are given up after a conflict, and at a restart
        self.conflicts += 1;
        self.levels -= levels;
    }

    fn n_levels(&self) -> usize {
        self.levels
    }

    fn partial_check(&mut self, solver: &mut TheoryArg) {
        self.steps += 1;
        if self.steps < STEPS_PER_CONTROL {
            return;
        }
        self.steps = 0;
        let effort = SatEffort {
            conflicts: self.conflicts,
            assigned: solver.model().len() as u64,
            bytes: self.literals * 8,
        };
        let value = |variable: i32| match solver.value(Var::unsafe_from_idx(variable as u32 - 1)) {
            value if value == lbool::TRUE => Some(true),
            value if value == lbool::FALSE => Some(false),
            _ => None,
        };
        let model: PartialModel<'_> = &value;
        if (self.control)(effort, model) {
            self.stop.set(true);
        }
    }

    fn explain_propagation(&mut self, _: Lit) -> &[Lit] {
        &[]
    }
}
