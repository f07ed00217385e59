//! The engine that makes a formula of a problem and asks a solver of formulas. It is the strongest
//! where boxes are compact and periods high, and for proofs that there is none.

mod batsat_solver;
#[cfg(feature = "cadical")]
mod cadical_solver;
mod clauses;
mod formula;
mod implicant;
mod solver;
mod unary;

use crate::{
    ProblemSolver, SearchAnswer, SearchControl, SearchFlow, SearchProblem, SearchProgress,
};
use batsat_solver::BatsatSolver;
use clauses::ClauseStore;
use formula::{FormulaState, StateLiterals, counts_neighbours, first_population};
use grid::State;
use solver::{SatEffort, SatOutcome, SatSolver};
use std::io::{self, Write};

/// From so many steps on, neighbours are counted where the rule does, for implicants take 12 KB a
/// step. Below, implicants are quicker: the parent of 40 x 40 cells takes batsat 8 seconds, and
/// with counts more than 40; CaDiCaL 2 and 11.
const STEPS_TO_COUNT: usize = 6000;

/// Which solver of formulas is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SatBackend {
    /// The crate `batsat`, in Rust alone; the only one that writes proofs.
    #[cfg_attr(not(feature = "cadical"), default)]
    Batsat,
    /// The crate `cadical`, about twice as quick: what is asked where it is there.
    #[cfg(feature = "cadical")]
    #[default]
    Cadical,
}

/// How a step of the rule becomes clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SatEncoding {
    /// By counts in large boxes, where the rule counts neighbours.
    #[default]
    Auto,
    /// Prime implicants of the rule.
    Implicants,
    /// Shared counts of neighbours; implicants where the rule does not count.
    Counts,
}

/// The state that `batsat` tries first in a cell that it has to guess. CaDiCaL decides for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SatGuess {
    /// The one that the cell had last, and dead at first (phase saving: Pipatsrisawat and Darwiche,
    /// "A lightweight component caching scheme for satisfiability solvers", 2007). What there is, is
    /// found soonest; proofs took a third to one and a half times as long as with `Live`.
    #[default]
    Last,
    /// Live.
    Live,
    /// Dead.
    Dead,
}

/// How a problem is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SatOptions {
    /// The solver.
    pub backend: SatBackend,
    /// The clauses.
    pub encoding: SatEncoding,
    /// What is guessed.
    pub guess: SatGuess,
    /// Makes some guesses of `batsat` random.
    pub seed: Option<u64>,
}

/// Solves a problem as a formula.
///
/// ```
/// use search::{PeriodicQuestion, ProblemSolver, SatOptions, SatSearch, SearchFlow, SearchAnswer};
///
/// let glider = PeriodicQuestion::new("B3/S23".parse()?, 4, 4, 4).moving(1, 1);
/// let mut solver = SatSearch::new(glider.problem()?, SatOptions::default());
/// let answer = solver.solve(&mut |_, _| SearchFlow::Continue);
/// assert!(matches!(answer, SearchAnswer::Found(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SatSearch {
    problem: SearchProblem,
    store: ClauseStore,
    literals: StateLiterals,
    formula: FormulaState,
    /// The population of the first generation in unary, once it was asked for.
    population: Option<Vec<i32>>,
}

impl SatSearch {
    /// Without clauses: the first call of [`ProblemSolver::solve`] writes them, and may be stopped.
    #[must_use]
    pub fn new(problem: SearchProblem, options: SatOptions) -> Self {
        let solver: Box<dyn SatSolver> = match options.backend {
            SatBackend::Batsat => Box::new(batsat_solver(options, None)),
            #[cfg(feature = "cadical")]
            SatBackend::Cadical => Box::new(cadical_solver::CadicalSolver::new()),
        };
        Self::with_solver(problem, options, solver, false)
    }

    /// The same with `batsat`, and a DRAT proof in text of what it concludes. The proof belongs to
    /// the formula that [`Self::write_formula`] writes once the search has ended; it is complete
    /// when the answer is [`SearchAnswer::Exhausted`].
    ///
    /// ```
    /// use search::{PeriodicQuestion, ProblemSolver, SatOptions, SatSearch, SearchFlow, SearchAnswer};
    ///
    /// let question = PeriodicQuestion::new("B3/S23".parse()?, 3, 3, 3);
    /// let proof = Box::new(std::io::sink());
    /// let mut solver = SatSearch::with_proof(question.problem()?, SatOptions::default(), proof);
    /// let answer = solver.solve(&mut |_, _| SearchFlow::Continue);
    /// assert_eq!(answer, SearchAnswer::Exhausted);
    /// assert!(solver.proof_error().is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_proof(
        problem: SearchProblem,
        options: SatOptions,
        proof: Box<dyn Write + Send>,
    ) -> Self {
        let solver = Box::new(batsat_solver(options, Some(proof)));
        Self::with_solver(problem, options, solver, true)
    }

    fn with_solver(
        problem: SearchProblem,
        options: SatOptions,
        solver: Box<dyn SatSolver>,
        keeps_clauses: bool,
    ) -> Self {
        let mut store = ClauseStore::new(solver, keeps_clauses);
        let counts = match options.encoding {
            SatEncoding::Auto => problem.transitions.len() >= STEPS_TO_COUNT,
            SatEncoding::Implicants => false,
            SatEncoding::Counts => true,
        };
        let counts = counts && counts_neighbours(&problem.rule);
        let literals = StateLiterals::new(&problem, &mut store);
        Self {
            problem,
            store,
            literals,
            formula: FormulaState::new(counts),
            population: None,
        }
    }

    /// How many variables the formula has, once it was asked.
    #[must_use]
    pub fn variables(&self) -> u64 {
        self.store.variables() as u64
    }

    /// How many clauses the formula has, once it was asked.
    #[must_use]
    pub fn clauses(&self) -> u64 {
        self.store.clauses()
    }

    /// From now on the first generation has at least so many live cells: a search for the densest
    /// asks for one more each time, until there is none.
    ///
    /// ```
    /// use search::{PeriodicQuestion, ProblemSolver, SatOptions, SatSearch, SearchFlow, SearchAnswer};
    ///
    /// // OEIS A055397: 6 cells in a box of 3 x 3
    /// let still = PeriodicQuestion::new("B3/S23".parse()?, 1, 3, 3);
    /// let mut solver = SatSearch::new(still.problem()?, SatOptions::default());
    /// let mut densest = 0;
    /// while let SearchAnswer::Found(states) = solver.solve(&mut |_, _| SearchFlow::Continue) {
    ///     densest = states.iter().filter(|&&state| state != 0).count();
    ///     solver.require_least(densest as u32 + 1);
    /// }
    /// assert_eq!(densest, 6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn require_least(&mut self, least: u32) {
        if least == 0 {
            return;
        }
        let Self {
            problem,
            store,
            literals,
            population,
            ..
        } = self;
        let count = population.get_or_insert_with(|| first_population(problem, literals, store));
        let reached = count.get(least as usize - 1).copied();
        store.add(reached);
    }

    /// Writes the formula in DIMACS format: the clauses of the problem, of what was excluded and of
    /// what was required since, each cell's variables in comments. Only a search with a proof
    /// keeps them; another writes nothing.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write_formula(&self, out: &mut dyn Write, comments: &[&str]) -> io::Result<()> {
        let Some(clauses) = self.store.kept() else {
            return Ok(());
        };
        for line in comments {
            writeln!(out, "c {line}")?;
        }
        let unknowns = (0..).zip(&self.problem.places);
        for (unknown, (generation, x, y)) in unknowns {
            for state in (0..self.problem.rule.states()).map(|state| state as State) {
                let literal = self.literals.is(unknown, state);
                if literal.abs() != clauses::TRUE {
                    let place = format!("generation {generation}, column {x}, row {y}");
                    writeln!(out, "c {literal}: {place} is in state {state}")?;
                }
            }
        }
        writeln!(
            out,
            "p cnf {} {}",
            self.store.variables(),
            self.store.clauses()
        )?;
        for clause in clauses.split_inclusive(|&literal| literal == 0) {
            for literal in &clause[..clause.len() - 1] {
                write!(out, "{literal} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }

    /// Why the proof could not be written, where it could not; the search stops then.
    pub fn proof_error(&mut self) -> Option<io::Error> {
        self.store.solver.proof()?.err()
    }

    fn assignment(&self, model: &dyn Fn(i32) -> Option<bool>) -> Vec<State> {
        let unknowns = 0..self.problem.unknowns() as u32;
        let state = |unknown| self.literals.state(unknown, model);
        unknowns
            .map(|unknown| state(unknown).unwrap_or(0))
            .collect()
    }
}

fn batsat_solver(options: SatOptions, proof: Option<Box<dyn Write + Send>>) -> BatsatSolver {
    let guess = match options.guess {
        SatGuess::Last => None,
        SatGuess::Live => Some(true),
        SatGuess::Dead => Some(false),
    };
    BatsatSolver::new(guess, options.seed, proof)
}

impl ProblemSolver for SatSearch {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn solve(&mut self, control: &mut SearchControl<'_>) -> SearchAnswer {
        let Self {
            problem,
            literals,
            store,
            formula,
            ..
        } = self;
        let unknowns = problem.unknowns() as u64;
        let is_written = formula.write(problem, store, literals, &mut |store| {
            let progress = SearchProgress {
                bytes: store.bytes(),
                ..SearchProgress::default()
            };
            control(&progress, &|_| None) == SearchFlow::Continue
        });
        if !is_written {
            return SearchAnswer::Stopped;
        }
        let written = store.bytes();
        let outcome = store.solver.solve(&[], &mut |effort: SatEffort, model| {
            let progress = SearchProgress {
                nodes: effort.conflicts,
                depth: effort.assigned.min(unknowns),
                share: None,
                bytes: effort.bytes.max(written),
            };
            control(&progress, &|unknown| literals.state(unknown, model)) == SearchFlow::Stop
        });
        match outcome {
            SatOutcome::Satisfied => {
                let model = |variable| Some(self.store.solver.value(variable));
                let states = self.assignment(&model);
                debug_assert!(self.problem.is_solved_by(&states), "a model is a solution");
                SearchAnswer::Found(states)
            }
            SatOutcome::Unsatisfied => SearchAnswer::Exhausted,
            SatOutcome::Stopped => SearchAnswer::Stopped,
        }
    }

    fn exclude(&mut self, states: &[(u32, State)]) {
        let literals = states
            .iter()
            .map(|&(unknown, state)| -self.literals.is(unknown, state));
        self.store.add(literals);
    }
}

#[cfg(test)]
mod tests;
