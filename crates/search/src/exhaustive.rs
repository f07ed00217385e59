//! The oracle of the solvers: it tries every assignment, cell by cell, and looks at a constraint
//! when the last of its cells has a state. Nothing is concluded. Own method.

use crate::{
    CellTerm, ProblemSolver, SearchAnswer, SearchControl, SearchFlow, SearchProblem,
    SearchProgress, TransitionConstraint,
};
use grid::State;

/// Tries every assignment of a small problem, the first unknown outermost.
///
/// ```
/// use search::{Exhaustive, PeriodicQuestion, ProblemSolver, SearchFlow, SearchAnswer};
///
/// let blinker = PeriodicQuestion::new("B3/S23".parse()?, 2, 3, 3);
/// let mut solver = Exhaustive::new(blinker.problem()?);
/// let answer = solver.solve(&mut |_, _| SearchFlow::Continue);
/// assert!(matches!(answer, SearchAnswer::Found(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Exhaustive {
    problem: SearchProblem,
    /// For each unknown the constraints of which it is the last.
    complete: Vec<Vec<usize>>,
    /// The states of the first unknowns; the last of them is to be tried next.
    states: Vec<usize>,
    excluded: Vec<Vec<(u32, State)>>,
    nodes: u64,
    is_done: bool,
}

impl Exhaustive {
    /// From the first assignment on.
    #[must_use]
    pub fn new(problem: SearchProblem) -> Self {
        let mut complete = vec![Vec::new(); problem.unknowns()];
        for (index, step) in problem.transitions.iter().enumerate() {
            let unknowns = step
                .block
                .iter()
                .chain([&step.next])
                .filter_map(|term| match term {
                    CellTerm::Unknown(unknown) => Some(*unknown),
                    CellTerm::Known(_) => None,
                });
            if let Some(last) = unknowns.max() {
                complete[last as usize].push(index);
            }
        }
        Self {
            problem,
            complete,
            states: vec![0],
            excluded: Vec::new(),
            nodes: 0,
            is_done: false,
        }
    }

    /// Whether the state of the last unknown that has one is possible.
    fn is_possible(&self) -> bool {
        let last = self.states.len() - 1;
        let state = |term| match term {
            CellTerm::Known(state) => state,
            CellTerm::Unknown(unknown) => self.states[unknown as usize] as State,
        };
        let holds = |step: &TransitionConstraint| {
            let arrangement = step.block.iter().fold(0, |bits, &term| {
                bits << 1 | usize::from(self.problem.rule.is_counted(state(term)))
            });
            let own = state(step.block[4]);
            self.problem
                .rule
                .next(step.generation as usize, own, arrangement)
                == state(step.next)
        };
        self.problem.domains[last].contains(self.states[last] as State)
            && self.complete[last]
                .iter()
                .all(|&index| holds(&self.problem.transitions[index]))
    }

    /// The next assignment to try: deeper where this one is possible, else beside it.
    fn go_on(&mut self, is_possible: bool) {
        if is_possible && self.states.len() < self.problem.unknowns() {
            self.states.push(0);
            return;
        }
        while let Some(state) = self.states.pop() {
            if state + 1 < usize::from(self.problem.rule.states()) {
                self.states.push(state + 1);
                return;
            }
        }
        self.is_done = true;
    }
}

impl ProblemSolver for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn solve(&mut self, control: &mut SearchControl<'_>) -> SearchAnswer {
        if self.problem.unknowns() == 0 && !std::mem::replace(&mut self.is_done, true) {
            let is_solved = self.excluded.is_empty() && self.problem.is_solved_by(&[]);
            return if is_solved {
                SearchAnswer::Found(Vec::new())
            } else {
                SearchAnswer::Exhausted
            };
        }
        while !self.is_done {
            self.nodes += 1;
            if self.nodes.is_multiple_of(4096) {
                let progress = SearchProgress {
                    nodes: self.nodes,
                    depth: self.states.len() as u64,
                    ..SearchProgress::default()
                };
                let state = |unknown: u32| self.states.get(unknown as usize).map(|&s| s as State);
                if control(&progress, &state) == SearchFlow::Stop {
                    return SearchAnswer::Stopped;
                }
            }
            let is_possible = self.is_possible();
            let all = self.states.iter().map(|&state| state as State);
            let found = is_possible && self.states.len() == self.problem.unknowns();
            let assignment: Vec<State> = if found { all.collect() } else { Vec::new() };
            self.go_on(is_possible);
            let is_excluded = || {
                self.excluded.iter().any(|list| {
                    list.iter()
                        .all(|&(unknown, state)| assignment[unknown as usize] == state)
                })
            };
            if found && self.problem.is_solved_by(&assignment) && !is_excluded() {
                return SearchAnswer::Found(assignment);
            }
        }
        SearchAnswer::Exhausted
    }

    fn exclude(&mut self, states: &[(u32, State)]) {
        self.excluded.push(states.to_vec());
    }
}
