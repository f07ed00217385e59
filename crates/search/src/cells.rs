//! Backtracking over cells in a fixed order: the way of D. I. Bell's `lifesrc` (1992), which goes
//! back to D. Hickerson. A cell is guessed, all that follows is concluded, and where something
//! cannot be, the last guess is turned round. What is concluded, and how, stands in `core`; how a
//! problem becomes variables, in `encoding`.

mod core;
mod encoding;
mod front;
mod options;
mod order;
mod state;
mod table;

pub use front::narrow_problem;
pub(crate) use front::{compare_fewer_cells, narrow_formula};
pub use options::{CellGuess, CellOrder, CellSearchOptions};
pub use state::{CellSearchState, CellSearchStateError};

use self::core::{Cause, Core, FALSE, Literal, UNKNOWN};
use crate::{
    ProblemSolver, SearchAnswer, SearchControl, SearchFlow, SearchProblem, SearchProgress,
};
use dice::mix;
use encoding::CellVariables;
use grid::State;

/// The engine that goes from cell to cell.
///
/// ```
/// use search::{CellSearch, CellSearchOptions, PeriodicQuestion};
/// use search::{ProblemSolver, SearchFlow, SearchAnswer};
///
/// let glider = PeriodicQuestion::new("B3/S23".parse()?, 4, 4, 4).moving(1, 1);
/// let mut search = CellSearch::new(glider.problem()?, CellSearchOptions::default());
/// let answer = search.solve(&mut |_, _| SearchFlow::Continue);
/// assert!(matches!(answer, SearchAnswer::Found(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CellSearch {
    options: CellSearchOptions,
    core: Core,
    cells: CellVariables,
    unknowns: u32,
    /// Variables in the order in which they are guessed, and what is tried first.
    order: Vec<(u32, bool)>,
    /// The variables of the order before this one have values.
    next: usize,
    /// For each guess the place in the order.
    next_of_guess: Vec<u32>,
    nodes: u64,
    /// The answer before was found after so many retreats: it is to be left.
    found_at: Option<u64>,
}

/// The control is asked after so many guesses.
const NODES_BETWEEN: u64 = 1 << 12;

impl CellSearch {
    /// From the beginning. Where a question asks for one of all images of a solution,
    /// [`narrow_problem`] makes a problem of it that is solved sooner.
    #[must_use]
    pub fn new(problem: SearchProblem, options: CellSearchOptions) -> Self {
        let unknowns = order::order_unknowns(&problem, options.order);
        let (core, cells) = encoding::encode(&problem);
        let states = problem.rule.states();
        let mut order = Vec::new();
        for unknown in unknowns {
            let is_random_live = mix(options.seed ^ u64::from(unknown) << 32) & 1 == 1;
            let is_live = match options.guess {
                CellGuess::Dead => false,
                CellGuess::Live => true,
                CellGuess::Random => is_random_live,
            };
            if states == 2 {
                order.push((cells.is_state(unknown, 1).variable(), is_live));
                continue;
            }
            let mut of_states: Vec<State> = (0..states as State).collect();
            if is_live {
                of_states.swap(0, 1);
            }
            let literals = of_states.into_iter().map(|s| cells.is_state(unknown, s));
            order.extend(literals.map(|literal| (literal.variable(), true)));
        }
        Self {
            options,
            core,
            cells,
            unknowns: problem.unknowns() as u32,
            order,
            next: 0,
            next_of_guess: Vec::new(),
            nodes: 0,
            found_at: None,
        }
    }

    /// Where it is, to go on from there later.
    #[must_use]
    pub fn state(&self) -> CellSearchState {
        CellSearchState {
            options: self.options,
            nodes: self.nodes,
            is_found: self.found_at == Some(self.core.retreats()),
            path: self
                .core
                .path()
                .map(|(variable, value, cause)| (variable, value, cause == Cause::Guessed))
                .collect(),
        }
    }

    /// Goes on from a state of the same problem. What had been excluded is to be excluded again,
    /// before or after.
    ///
    /// ```
    /// use search::{CellSearch, CellSearchOptions, PeriodicQuestion};
    /// use search::{ProblemSolver, SearchFlow};
    ///
    /// let problem = PeriodicQuestion::new("B3/S23".parse()?, 1, 5, 5).problem()?;
    /// let mut search = CellSearch::new(problem.clone(), CellSearchOptions::default());
    /// search.solve(&mut |_, _| SearchFlow::Continue);
    /// let mut other = CellSearch::resume(problem, &search.state())?;
    /// let (a, b) = (
    ///     search.solve(&mut |_, _| SearchFlow::Continue),
    ///     other.solve(&mut |_, _| SearchFlow::Continue),
    /// );
    /// assert_eq!(a, b);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A state that names variables which the problem does not have.
    pub fn resume(
        problem: SearchProblem,
        state: &CellSearchState,
    ) -> Result<Self, CellSearchStateError> {
        let mut search = Self::new(problem, state.options);
        let most = search.core.variables() as u32;
        if let Some(&(variable, ..)) = state.path.iter().find(|step| step.0 >= most) {
            return Err(CellSearchStateError::Variable(variable));
        }
        search.nodes = state.nodes;
        for &(variable, is_true, is_guess) in &state.path {
            if search.core.is_refuted() {
                return Ok(search);
            }
            let cause = if is_guess {
                Cause::Guessed
            } else {
                Cause::Flipped
            };
            if is_guess && search.core.value(variable) == UNKNOWN {
                search.next_of_guess.push(0);
            }
            // what was possible then may have been excluded since: the rest of the path lies in
            // a part that is empty
            let is_possible =
                search.core.repeat(variable, is_true, cause) && search.core.propagate();
            if !is_possible {
                search.retreat();
                return Ok(search);
            }
        }
        if state.is_found {
            search.found_at = Some(search.core.retreats());
        }
        Ok(search)
    }

    /// Takes the next value of the last guess; false where nothing is left.
    fn retreat(&mut self) -> bool {
        let is_open = self.core.retreat();
        self.take_back_next();
        is_open
    }

    /// The place in the order that belongs to the guesses that are left.
    fn take_back_next(&mut self) {
        let guesses = self.core.guesses();
        if guesses < self.next_of_guess.len() {
            self.next = self.next_of_guess[guesses] as usize;
            self.next_of_guess.truncate(guesses);
        }
    }

    /// Guesses the next cell; false where all have states.
    fn guess(&mut self) -> bool {
        while let Some(&(variable, is_true)) = self.order.get(self.next) {
            if self.core.value(variable) == UNKNOWN {
                self.next_of_guess.push(self.next as u32);
                self.core.guess(variable, is_true);
                return true;
            }
            self.next += 1;
        }
        false
    }

    fn progress(&self) -> SearchProgress {
        let (mut done, mut part) = (0.0, 1.0);
        for (.., cause) in self.core.path() {
            part /= 2.0;
            if cause == Cause::Flipped {
                done += part;
            }
        }
        SearchProgress {
            nodes: self.nodes,
            depth: self.core.assigned() as u64,
            share: Some(done),
            bytes: self.core.bytes(),
        }
    }
}

impl ProblemSolver for CellSearch {
    fn name(&self) -> &'static str {
        "cells"
    }

    fn solve(&mut self, control: &mut SearchControl<'_>) -> SearchAnswer {
        if self.found_at.take() == Some(self.core.retreats()) && !self.retreat() {
            return SearchAnswer::Exhausted;
        }
        while !self.core.is_refuted() {
            if !self.core.propagate() {
                self.retreat();
                continue;
            }
            self.nodes += 1;
            if self.nodes.is_multiple_of(NODES_BETWEEN) {
                let state = |unknown: u32| self.cells.state(&self.core, unknown);
                if control(&self.progress(), &state) == SearchFlow::Stop {
                    return SearchAnswer::Stopped;
                }
            }
            if !self.guess() {
                self.found_at = Some(self.core.retreats());
                let state = |unknown| self.cells.state(&self.core, unknown);
                let states = (0..self.unknowns).map(|unknown| state(unknown).unwrap_or(0));
                return SearchAnswer::Found(states.collect());
            }
        }
        SearchAnswer::Exhausted
    }

    fn state(&self) -> Option<String> {
        Some(Self::state(self).to_string())
    }

    fn exclude(&mut self, states: &[(u32, State)]) {
        let differs = |&(unknown, state): &(u32, State)| {
            let literal = self.cells.is_state(unknown, state);
            Literal::new(literal.variable(), literal.value() == FALSE)
        };
        self.core.add_clause(states.iter().map(differs).collect());
        self.take_back_next();
    }
}
