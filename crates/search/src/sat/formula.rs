//! A problem as a formula. Two encodings of a step of the rule:
//!
//! - *implicants*: all prime implicants of "the next state is wrong", in the variables of the
//!   block and of the next cell. No variables beside, strong propagation; 330 clauses for a cell
//!   of Life. It fits any rule.
//! - *counts*: the number of live neighbours in unary, with the sums of columns shared between
//!   the cells beside them (after Knuth, *The Art of Computer Programming*, 7.2.2.2, exercise
//!   65). A quarter of the clauses, for rules that count the eight neighbours.
//!
//! A cell of two possible states is one variable; of more, a variable for each state.

use super::clauses::{ClauseStore, TRUE};
use super::implicant::{Cube, prime_implicants};
use super::unary::UnaryAdder;
use crate::{
    AllowedStates, BLOCK_ARRANGEMENTS, BlockRule, CellTerm, SearchProblem, TransitionConstraint,
};
use grid::State;
use std::collections::HashMap;
use std::rc::Rc;

/// From so many states on, at most one of them is said by a chain instead of by pairs.
const CHAIN_STATES: usize = 7;

/// The literals of the unknowns.
pub(crate) struct StateLiterals {
    /// For each unknown its possible states, in order, each with the literal that says so.
    states: Vec<Vec<(State, i32)>>,
    /// For each unknown the literal that says that it is counted as a neighbour.
    counted: Vec<i32>,
    /// Which states are counted.
    counts: Vec<bool>,
}

impl StateLiterals {
    /// A variable for each of them, or more.
    pub(crate) fn new(problem: &SearchProblem, store: &mut ClauseStore) -> Self {
        let rule = &problem.rule;
        let counts: Vec<bool> = (0..rule.states())
            .map(|state| rule.is_counted(state as State))
            .collect();
        let mut literals = Self {
            states: Vec::with_capacity(problem.unknowns()),
            counted: Vec::with_capacity(problem.unknowns()),
            counts,
        };
        for domain in &problem.domains {
            let states = state_literals(domain, rule.states(), store);
            literals
                .counted
                .push(any_of(&states, &literals.counts, store));
            literals.states.push(states);
        }
        literals
    }

    /// Whether an unknown is in a state.
    pub(crate) fn is(&self, unknown: u32, state: State) -> i32 {
        let states = &self.states[unknown as usize];
        let place = states.binary_search_by_key(&state, |&(state, _)| state);
        place.map_or(-TRUE, |place| states[place].1)
    }

    /// The states that a cell may have, with their literals.
    fn states_of(&self, term: CellTerm) -> Vec<(State, i32)> {
        match term {
            CellTerm::Known(state) => vec![(state, TRUE)],
            CellTerm::Unknown(unknown) => self.states[unknown as usize].clone(),
        }
    }

    /// Whether a cell is in a state.
    fn is_state(&self, term: CellTerm, state: State) -> i32 {
        match term {
            CellTerm::Known(known) if known == state => TRUE,
            CellTerm::Known(_) => -TRUE,
            CellTerm::Unknown(unknown) => self.is(unknown, state),
        }
    }

    /// Whether a cell is counted as a neighbour.
    fn is_counted(&self, term: CellTerm) -> i32 {
        match term {
            CellTerm::Known(state) if self.counts[usize::from(state)] => TRUE,
            CellTerm::Known(_) => -TRUE,
            CellTerm::Unknown(unknown) => self.counted[unknown as usize],
        }
    }

    /// Whether a cell is not in state 0.
    fn is_live(&self, term: CellTerm) -> i32 {
        -self.is_state(term, 0)
    }

    /// The state of an unknown in a model.
    pub(crate) fn state(&self, unknown: u32, model: &dyn Fn(i32) -> Option<bool>) -> Option<State> {
        let states = &self.states[unknown as usize];
        if let [(state, _)] = states[..] {
            return Some(state);
        }
        let holds = |literal: i32| model(literal.abs()).map(|value| value == (literal > 0));
        let found = states
            .iter()
            .find(|&&(_, literal)| holds(literal) == Some(true));
        found.map(|&(state, _)| state)
    }
}

/// A literal for each state of a domain, of which one is true.
fn state_literals(
    domain: &AllowedStates,
    states: u16,
    store: &mut ClauseStore,
) -> Vec<(State, i32)> {
    let states: Vec<State> = (0..states)
        .map(|state| state as State)
        .filter(|&state| domain.contains(state))
        .collect();
    match states[..] {
        [] => {
            store.add([]);
            Vec::new()
        }
        [state] => vec![(state, TRUE)],
        [low, high] => {
            let variable = store.variable();
            vec![(low, -variable), (high, variable)]
        }
        _ => {
            let literals: Vec<(State, i32)> = states
                .iter()
                .map(|&state| (state, store.variable()))
                .collect();
            store.add(literals.iter().map(|&(_, literal)| literal));
            add_at_most_one(&literals, store);
            literals
        }
    }
}

fn add_at_most_one(literals: &[(State, i32)], store: &mut ClauseStore) {
    if literals.len() < CHAIN_STATES {
        for (index, &(_, a)) in literals.iter().enumerate() {
            for &(_, b) in &literals[..index] {
                store.add([-a, -b]);
            }
        }
        return;
    }
    // the chain says whether one of the literals so far is true
    let mut before = -TRUE;
    for &(_, literal) in literals {
        store.add([-before, -literal]);
        let now = store.variable();
        store.add([-before, now]);
        store.add([-literal, now]);
        before = now;
    }
}

/// Whether one of the states that are marked is taken.
fn any_of(states: &[(State, i32)], marked: &[bool], store: &mut ClauseStore) -> i32 {
    let is_marked = |state: State| marked[usize::from(state)];
    let chosen = |wanted: bool| -> Vec<i32> {
        let states = states
            .iter()
            .filter(|&&(state, _)| is_marked(state) == wanted);
        states.map(|&(_, literal)| literal).collect()
    };
    let (taken, other) = (chosen(true), chosen(false));
    match (&taken[..], &other[..]) {
        ([], _) => -TRUE,
        (_, []) => TRUE,
        ([literal], _) => *literal,
        (_, [literal]) => -*literal,
        _ => {
            let any = store.variable();
            for &literal in &taken {
                store.add([-literal, any]);
            }
            store.add(taken.iter().copied().chain([-any]));
            any
        }
    }
}

/// Whether the cells of a block, and the next one as the tenth, are counted.
type CellValues<'a> = &'a dyn Fn(usize) -> bool;

/// The block of a step, reduced to what its implicants depend on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct StepShape {
    table: usize,
    /// The cell's own state and the next one, where they are chosen by literals of their own.
    choice: Option<(State, State)>,
    /// For each cell of the block, and the next one: 0 and 1 are constants, an even number from 2
    /// on is a variable of the shape, an odd one its negation.
    cells: [u8; 10],
}

/// The constraints of a problem on their way to clauses.
pub(crate) struct FormulaState {
    counts_neighbours: bool,
    /// Steps of the rule that have their clauses.
    steps: usize,
    is_whole: bool,
    adder: UnaryAdder,
    implicants: HashMap<StepShape, Rc<Vec<Cube>>>,
}

impl FormulaState {
    /// Before the first one.
    pub(crate) fn new(counts_neighbours: bool) -> Self {
        Self {
            counts_neighbours,
            steps: 0,
            is_whole: false,
            adder: UnaryAdder::default(),
            implicants: HashMap::new(),
        }
    }

    /// Writes all the clauses that are missing; false once `goes_on` says no, which is asked every
    /// few milliseconds.
    pub(crate) fn write(
        &mut self,
        problem: &SearchProblem,
        store: &mut ClauseStore,
        literals: &StateLiterals,
        goes_on: &mut dyn FnMut(&ClauseStore) -> bool,
    ) -> bool {
        if !self.is_whole {
            let builder = FormulaBuilder {
                problem,
                store,
                literals,
                state: self,
            };
            self.is_whole = builder.finish(goes_on);
            if self.is_whole {
                // nothing else is added
                (self.adder, self.implicants) = Default::default();
            }
        }
        self.is_whole
    }
}

/// So many steps of the rule are written between two questions whether to go on.
const STEPS_PER_CONTROL: usize = 16;

/// Writes the constraints of a problem as clauses.
struct FormulaBuilder<'a> {
    problem: &'a SearchProblem,
    store: &'a mut ClauseStore,
    literals: &'a StateLiterals,
    state: &'a mut FormulaState,
}

impl FormulaBuilder<'_> {
    /// All constraints.
    fn finish(mut self, goes_on: &mut dyn FnMut(&ClauseStore) -> bool) -> bool {
        let problem = self.problem;
        let is_binary = self.literals.counts == [false, true];
        let open = &problem.transitions[self.state.steps..];
        for (step, done) in open.iter().zip(1_usize..) {
            self.state.steps += 1;
            if self.state.counts_neighbours {
                self.add_step_by_counts(step);
            } else if is_binary {
                self.add_binary_step(step);
            } else {
                self.add_step(step);
            }
            // who is always stopped comes to an end, too
            if done.is_multiple_of(STEPS_PER_CONTROL) && !goes_on(self.store) {
                return false;
            }
        }
        for list in &problem.some_live {
            let live = |&unknown: &u32| self.literals.is_live(CellTerm::Unknown(unknown));
            self.store.add(list.iter().map(live));
        }
        for list in &problem.some_differ {
            self.add_some_differ(list);
        }
        for (a, b) in &problem.not_greater {
            self.add_not_greater(a, b);
        }
        self.add_population();
        true
    }

    /// Two states: the block and the next cell in one set of variables.
    fn add_binary_step(&mut self, step: &TransitionConstraint) {
        let cells: [i32; 10] = std::array::from_fn(|index| {
            let term = *step.block.get(index).unwrap_or(&step.next);
            self.literals.is_counted(term)
        });
        let rule = &self.problem.rule;
        let table = step.generation as usize % rule.time_period();
        let is_wrong = |values: CellValues<'_>| {
            let arrangement = arrangement_of(values);
            let own = State::from(values(4));
            rule.next(table, own, arrangement) != State::from(values(9))
        };
        let (shape, variables) = shape_of(table, None, &cells);
        for &cube in self.implicants(shape, variables.len(), &is_wrong).iter() {
            self.store.add(excluded(cube, &variables));
        }
    }

    /// More states: for each own state and each next one the arrangements that lead to it.
    fn add_step(&mut self, step: &TransitionConstraint) {
        let rule = &self.problem.rule;
        let table = step.generation as usize % rule.time_period();
        for (own, is_own) in self.literals.states_of(step.block[4]) {
            let own_counts = if rule.is_counted(own) { TRUE } else { -TRUE };
            let cells: [i32; 10] = std::array::from_fn(|index| match step.block.get(index) {
                // the cell itself, or an image of it
                Some(&term) if term == step.block[4] => own_counts,
                Some(&term) => self.literals.is_counted(term),
                None => -TRUE,
            });
            for next in distinct_states(rule.table(table, own)) {
                let (shape, variables) = shape_of(table, Some((own, next)), &cells);
                let leads =
                    |values: CellValues<'_>| rule.next(table, own, arrangement_of(values)) == next;
                let is_next = self.literals.is_state(step.next, next);
                for &cube in self.implicants(shape, variables.len(), &leads).iter() {
                    let others = excluded(cube, &variables);
                    self.store.add(others.chain([-is_own, is_next]));
                }
            }
        }
    }

    /// The prime implicants of a property of the ten cells of a shape.
    fn implicants(
        &mut self,
        shape: StepShape,
        variables: usize,
        holds: &dyn Fn(CellValues<'_>) -> bool,
    ) -> Rc<Vec<Cube>> {
        if let Some(known) = self.state.implicants.get(&shape) {
            return Rc::clone(known);
        }
        let cells = shape.cells;
        let cubes = prime_implicants(variables as u32, |point| {
            holds(&|cell| match cells[cell] {
                constant @ 0..=1 => constant == 1,
                code => (point >> (code / 2 - 1) & 1 == 1) == (code % 2 == 0),
            })
        });
        let cubes = Rc::new(cubes);
        self.state.implicants.insert(shape, Rc::clone(&cubes));
        cubes
    }

    /// A rule that counts neighbours: for each own state the runs of counts with one outcome.
    fn add_step_by_counts(&mut self, step: &TransitionConstraint) {
        let rule = &self.problem.rule;
        let table = step.generation as usize % rule.time_period();
        let block = step.block.map(|term| self.literals.is_counted(term));
        let own_states = self.literals.states_of(step.block[4]);
        let runs = own_states.iter().map(|&(own, _)| runs_of(rule, table, own));
        let runs: Vec<Vec<CountRun>> = runs.collect();
        let highest = runs
            .iter()
            .flatten()
            .map(|run| run.first)
            .max()
            .unwrap_or(0);
        let mut column = |top: usize, middle: Option<usize>, bottom: usize| {
            let number = |cell: usize| {
                if block[cell] == -TRUE {
                    vec![]
                } else {
                    vec![block[cell]]
                }
            };
            let (top, bottom) = (number(top), number(bottom));
            let pair = self.state.adder.add(self.store, &top, &bottom, 2);
            match middle {
                Some(middle) => self.state.adder.add(self.store, &pair, &number(middle), 3),
                None => pair,
            }
        };
        let (left, middle, right) = (
            column(0, Some(3), 6),
            column(1, None, 7),
            column(2, Some(5), 8),
        );
        let sides = self.state.adder.add(self.store, &left, &right, highest);
        let sum = self.state.adder.add(self.store, &sides, &middle, highest);
        let at_least = |count: usize| match count {
            0 => TRUE,
            count => sum.get(count - 1).copied().unwrap_or(-TRUE),
        };
        for (&(_, is_own), runs) in own_states.iter().zip(&runs) {
            for run in runs {
                let after = if run.last == 8 {
                    -TRUE
                } else {
                    at_least(run.last + 1)
                };
                let is_next = self.literals.is_state(step.next, run.next);
                self.store
                    .add([-is_own, -at_least(run.first), after, is_next]);
            }
        }
    }

    fn add_some_differ(&mut self, list: &[(CellTerm, CellTerm)]) {
        let mut clause = Vec::new();
        for &(a, b) in list {
            clause.push(self.differs(a, b));
        }
        self.store.add(clause);
    }

    /// A literal that is true only where two cells have different states.
    fn differs(&mut self, a: CellTerm, b: CellTerm) -> i32 {
        match (a, b) {
            (CellTerm::Known(a), CellTerm::Known(b)) => {
                if a == b {
                    -TRUE
                } else {
                    TRUE
                }
            }
            (CellTerm::Known(state), term) | (term, CellTerm::Known(state)) => {
                -self.literals.is_state(term, state)
            }
            _ => {
                let differ = self.store.variable();
                for (state, is_state) in self.literals.states_of(a) {
                    let same = self.literals.is_state(b, state);
                    self.store.add([-differ, -is_state, -same]);
                }
                differ
            }
        }
    }

    /// The first list is not greater than the second, cell by cell as long as they are equal.
    fn add_not_greater(&mut self, a: &[CellTerm], b: &[CellTerm]) {
        let mut equal = TRUE;
        for (&a, &b) in a.iter().zip(b) {
            if a == b {
                continue;
            }
            let (states_a, states_b) = (self.literals.states_of(a), self.literals.states_of(b));
            for &(state, is_state) in &states_a {
                let not_less = states_b.iter().filter(|&&(other, _)| other >= state);
                let not_less = not_less.map(|&(_, literal)| literal);
                self.store.add(not_less.chain([-equal, -is_state]));
            }
            let still = self.store.variable();
            for &(state, is_state) in &states_a {
                let same = self.literals.is_state(b, state);
                self.store.add([-equal, -is_state, -same, still]);
            }
            equal = still;
        }
    }

    fn add_population(&mut self) {
        let problem = self.problem;
        let limits = problem.population;
        let lives = |literals: &StateLiterals, cells: &[CellTerm]| -> Vec<i32> {
            cells.iter().map(|&term| literals.is_live(term)).collect()
        };
        if let Some(least) = limits.least {
            for table in &problem.generations {
                let live = lives(self.literals, &table.cells);
                self.add_least(&live, least as usize);
            }
        }
        let Some(most) = limits.most else { return };
        let most = most as usize;
        let chosen = if problem.most_in_first {
            1
        } else {
            problem.generations.len()
        };
        let mut fits = Vec::new();
        for table in &problem.generations[..chosen.min(problem.generations.len())] {
            let live = lives(self.literals, &table.cells);
            let count = self.state.adder.count(self.store, &live, most + 1);
            let exceeds = count.get(most).copied().unwrap_or(-TRUE);
            fits.push(-exceeds);
        }
        self.store.add(fits);
    }

    /// At least so many of the literals are true.
    fn add_least(&mut self, live: &[i32], least: usize) {
        if least == 0 {
            return;
        }
        let count = self.state.adder.count(self.store, live, least);
        let reached = count.get(least - 1).copied().unwrap_or(-TRUE);
        self.store.add([reached]);
    }
}

/// The live cells of the first generation, counted up to all of them.
pub(crate) fn first_population(
    problem: &SearchProblem,
    literals: &StateLiterals,
    store: &mut ClauseStore,
) -> Vec<i32> {
    let cells = problem
        .generations
        .first()
        .map_or(&[][..], |table| &table.cells);
    let live: Vec<i32> = cells.iter().map(|&term| literals.is_live(term)).collect();
    UnaryAdder::default().count(store, &live, live.len())
}

/// Whether the next state depends on the own one and the number of live neighbours alone.
pub(crate) fn counts_neighbours(rule: &BlockRule) -> bool {
    (0..rule.time_period()).all(|table| {
        (0..rule.states()).all(|own| {
            let own = own as State;
            let centre = if rule.is_counted(own) { 1 << 4 } else { 0 };
            (0..BLOCK_ARRANGEMENTS).all(|arrangement| {
                let others = arrangement & !(1 << 4);
                let count = others.count_ones() as usize;
                rule.next(table, own, others | centre)
                    == rule.next(table, own, first_with(count) | centre)
            })
        })
    })
}

/// An arrangement of so many neighbours.
fn first_with(count: usize) -> usize {
    let bits = (0..9).filter(|&bit| bit != 4).take(count);
    bits.map(|bit| 1 << bit).sum()
}

/// Counts of neighbours that follow each other and have one outcome.
struct CountRun {
    first: usize,
    last: usize,
    next: State,
}

fn runs_of(rule: &BlockRule, table: usize, own: State) -> Vec<CountRun> {
    let centre = if rule.is_counted(own) { 1 << 4 } else { 0 };
    let mut runs: Vec<CountRun> = Vec::new();
    for count in 0..=8 {
        let next = rule.next(table, own, first_with(count) | centre);
        match runs.last_mut() {
            Some(run) if run.next == next => run.last = count,
            _ => runs.push(CountRun {
                first: count,
                last: count,
                next,
            }),
        }
    }
    runs
}

/// The arrangement of the nine cells of a block.
fn arrangement_of(values: CellValues<'_>) -> usize {
    (0..9).fold(0, |bits, cell| bits << 1 | usize::from(values(cell)))
}

fn distinct_states(states: &[State]) -> Vec<State> {
    let mut states = states.to_vec();
    states.sort_unstable();
    states.dedup();
    states
}

/// The shape of a step, and the variables that its cells are.
fn shape_of(
    table: usize,
    choice: Option<(State, State)>,
    cells: &[i32; 10],
) -> (StepShape, Vec<i32>) {
    let mut variables: Vec<i32> = Vec::new();
    let cells = cells.map(|literal| {
        if literal.abs() == TRUE {
            return u8::from(literal == TRUE);
        }
        let variable = literal.abs();
        let slot = variables
            .iter()
            .position(|&v| v == variable)
            .unwrap_or_else(|| {
                variables.push(variable);
                variables.len() - 1
            });
        2 + 2 * slot as u8 + u8::from(literal < 0)
    });
    let shape = StepShape {
        table,
        choice,
        cells,
    };
    (shape, variables)
}

/// The clause that no point of a cube satisfies.
fn excluded(cube: Cube, variables: &[i32]) -> impl Iterator<Item = i32> {
    let asked = variables.iter().enumerate();
    let asked = asked.filter(move |&(slot, _)| cube.care >> slot & 1 == 1);
    asked.map(move |(slot, &variable)| {
        if cube.value >> slot & 1 == 1 {
            -variable
        } else {
            variable
        }
    })
}
