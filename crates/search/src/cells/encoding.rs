//! A problem as variables of two values: one for each cell where the rule has two states, else one
//! for each state that a cell may have and, where several states count, one for being counted.
//! Own method.

use super::core::{CellCounts, Core, FALSE, Literal, POSITIONS, TRUE, TableShape};
use super::table::ConstraintTable;
use crate::{BLOCK_ARRANGEMENTS, BlockRule, CellTerm, SearchProblem, TransitionConstraint};
use grid::State;
use std::collections::HashMap;

/// The variables of a problem's cells.
pub(super) struct CellVariables {
    states: u16,
    /// By unknown, then by state; with two states, one for each unknown.
    variables: Vec<u32>,
    /// By unknown, where several states count.
    counted: Vec<u32>,
    /// Constants.
    always: u32,
    never: u32,
}

impl CellVariables {
    /// That an unknown has a state.
    pub(super) fn is_state(&self, unknown: u32, state: State) -> Literal {
        if self.states == 2 {
            return Literal::new(self.variables[unknown as usize], state == 1);
        }
        let index = unknown as usize * usize::from(self.states) + usize::from(state);
        Literal::new(self.variables[index], true)
    }

    /// The state of an unknown, where it is known.
    pub(super) fn state(&self, core: &Core, unknown: u32) -> Option<State> {
        (0..self.states as State).find(|&state| {
            let literal = self.is_state(unknown, state);
            core.value(literal.variable()) == literal.value()
        })
    }

    fn term_is_state(&self, term: CellTerm, state: State) -> u32 {
        match term {
            CellTerm::Known(known) => self.constant(known == state),
            CellTerm::Unknown(unknown) => self.is_state(unknown, state).variable(),
        }
    }

    fn term_is_counted(&self, rule: &BlockRule, term: CellTerm) -> u32 {
        match term {
            CellTerm::Known(known) => self.constant(rule.is_counted(known)),
            CellTerm::Unknown(unknown) => match self.counted.get(unknown as usize) {
                Some(&variable) => variable,
                None => {
                    let state = (0..self.states as State).find(|&state| rule.is_counted(state));
                    state.map_or(self.never, |state| self.is_state(unknown, state).variable())
                }
            },
        }
    }

    fn constant(&self, is_true: bool) -> u32 {
        if is_true { self.always } else { self.never }
    }
}

/// Which transitions a table is for: the rule's table, the own state, the state that follows.
type TransitionKind = (usize, State, State);

struct Encoder<'a> {
    problem: &'a SearchProblem,
    core: Core,
    cells: CellVariables,
    shapes: HashMap<TransitionKind, TableShape>,
    relations: HashMap<&'static str, TableShape>,
}

/// The variables and constraints of a problem.
pub(super) fn encode(problem: &SearchProblem) -> (Core, CellVariables) {
    let rule = &problem.rule;
    let states = rule.states();
    let mut core = Core::default();
    let each = if states == 2 { 1 } else { usize::from(states) };
    let variables = (0..problem.unknowns() * each).map(|_| core.new_variable());
    let variables = variables.collect();
    let counted_states = (0..states).filter(|&state| rule.is_counted(state as State));
    let has_counted = states > 2 && counted_states.count() > 1;
    let counted = if has_counted { problem.unknowns() } else { 0 };
    let counted = (0..counted).map(|_| core.new_variable()).collect();
    let (always, never) = (core.new_variable(), core.new_variable());
    let mut encoder = Encoder {
        problem,
        core,
        cells: CellVariables {
            states,
            variables,
            counted,
            always,
            never,
        },
        shapes: HashMap::new(),
        relations: HashMap::new(),
    };
    encoder.encode_states();
    for step in &problem.transitions {
        if states == 2 {
            encoder.encode_pair_transition(step);
        } else {
            encoder.encode_transition(step);
        }
    }
    encoder.encode_differences();
    encoder.encode_orders();
    encoder.encode_population();
    for list in &problem.some_live {
        encoder.encode_some_live(list);
    }
    encoder.core.finish();
    let Encoder { core, cells, .. } = encoder;
    (core, cells)
}

impl Encoder<'_> {
    /// Each unknown has one of the states of its domain, and the constants their values.
    fn encode_states(&mut self) {
        self.force(self.cells.always, TRUE);
        self.force(self.cells.never, FALSE);
        let states = self.cells.states;
        for (unknown, domain) in self.problem.domains.iter().enumerate() {
            let unknown = unknown as u32;
            for state in (0..states as State).filter(|&state| !domain.contains(state)) {
                let literal = self.cells.is_state(unknown, state);
                self.force(literal.variable(), FALSE + TRUE - literal.value());
            }
            if states == 2 {
                continue;
            }
            let of_states: Vec<u32> = (0..states as State)
                .map(|state| self.cells.is_state(unknown, state).variable())
                .collect();
            if of_states.len() <= POSITIONS {
                self.relate("one", &of_states, &|bits| bits.count_ones() == 1);
            } else {
                for (i, &a) in of_states.iter().enumerate() {
                    for &b in &of_states[..i] {
                        self.relate("not both", &[a, b], &|bits| bits != 0b11);
                    }
                }
                let literals = of_states.iter().map(|&v| Literal::new(v, true)).collect();
                self.core.add_clause(literals);
            }
            if let Some(&counted) = self.cells.counted.get(unknown as usize) {
                for state in 0..states as State {
                    let variable = self.cells.is_state(unknown, state).variable();
                    if self.problem.rule.is_counted(state) {
                        self.relate("counted", &[variable, counted], &|bits| bits != 0b01);
                    } else {
                        self.relate("not both", &[variable, counted], &|bits| bits != 0b11);
                    }
                }
            }
        }
    }

    fn force(&mut self, variable: u32, value: u8) {
        if !self.core.assign(variable, value) {
            self.core.refute();
        }
    }

    /// A relation by name: the same name is always the same relation of as many variables.
    fn relate(&mut self, name: &'static str, variables: &[u32], holds: &dyn Fn(u32) -> bool) {
        let core = &mut self.core;
        let shape = self.relations.entry(name).or_insert_with(|| {
            let positions: Vec<usize> = (0..variables.len()).collect();
            let table = ConstraintTable::of_relation(&positions, holds);
            table.shape(core.add_table(&table.entries))
        });
        let at = |position: usize| variables.get(position).copied();
        core.add_constraint(shape, std::array::from_fn(at));
    }

    /// With two states: the next state is a function of the block.
    fn encode_pair_transition(&mut self, step: &TransitionConstraint) {
        let rule = &self.problem.rule;
        let generation = step.generation as usize % rule.time_period();
        let core = &mut self.core;
        let shape = self.shapes.entry((generation, 0, 0)).or_insert_with(|| {
            let next = |own: bool, arrangement: usize| {
                rule.next(generation, State::from(own), arrangement) == 1
            };
            let table = transition_table(&next, &|own, value, next| next == value(own));
            table.shape(core.add_table(&table.entries))
        });
        let variable = |term: CellTerm| match term {
            CellTerm::Known(state) => self.cells.constant(state == 1),
            CellTerm::Unknown(unknown) => self.cells.variables[unknown as usize],
        };
        let at = |position: usize| match position {
            9 => variable(step.next),
            _ => variable(step.block[position]),
        };
        let variables = std::array::from_fn(|position| {
            (shape.weights[position] != [0; 2]).then(|| at(position))
        });
        core.add_constraint(shape, variables);
    }

    /// With more states: for each own state, whether each state follows.
    fn encode_transition(&mut self, step: &TransitionConstraint) {
        let rule = &self.problem.rule;
        let generation = step.generation as usize % rule.time_period();
        for own in 0..rule.states() as State {
            let table = rule.table(generation, own);
            let own_variable = self.cells.term_is_state(step.block[4], own);
            if own_variable == self.cells.never {
                continue;
            }
            let follows = |next: State| table.contains(&next);
            let several = (0..rule.states() as State)
                .filter(|&next| follows(next))
                .count()
                > 1;
            for next in 0..rule.states() as State {
                let next_variable = self.cells.term_is_state(step.next, next);
                if !follows(next) {
                    let pair = [own_variable, next_variable];
                    self.relate("not both", &pair, &|bits| bits != 0b11);
                } else if several {
                    let core = &mut self.core;
                    let kind = (generation, own, next);
                    let shape = self.shapes.entry(kind).or_insert_with(|| {
                        let is_next = |_: bool, arrangement: usize| table[arrangement] == next;
                        let table = transition_table(&is_next, &|own, value, next| {
                            !own || next == value(true)
                        });
                        table.shape(core.add_table(&table.entries))
                    });
                    let variables = std::array::from_fn(|position| {
                        let variable = match position {
                            4 => own_variable,
                            9 => next_variable,
                            _ => self.cells.term_is_counted(rule, step.block[position]),
                        };
                        (shape.weights[position] != [0; 2]).then_some(variable)
                    });
                    core.add_constraint(shape, variables);
                }
            }
        }
    }

    fn encode_some_live(&mut self, list: &[u32]) {
        let is_live = |&unknown: &u32| {
            let dead = self.cells.is_state(unknown, 0);
            Literal::new(dead.variable(), dead.value() == FALSE)
        };
        let literals = list.iter().map(is_live).collect();
        self.core.add_clause(literals);
    }

    /// A variable for each pair that says whether it differs, and a clause of them.
    fn encode_differences(&mut self) {
        let states = self.cells.states;
        for list in &self.problem.some_differ {
            let known = |&(a, b): &(CellTerm, CellTerm)| match (a, b) {
                (CellTerm::Known(a), CellTerm::Known(b)) => a != b,
                _ => false,
            };
            if list.iter().any(known) {
                continue;
            }
            let pairs = list.iter().filter(|&&(a, b)| a != b);
            let differing: Vec<u32> =
                pairs
                    .map(|&(a, b)| {
                        let differs = self.core.new_variable();
                        for state in if states == 2 { 1 } else { 0 }..states as State {
                            let a = self.term_variable(a, state);
                            let b = self.term_variable(b, state);
                            if states == 2 {
                                self.relate("differs", &[a, b, differs], &|bits| {
                                    (bits >> 2 == 1) == matches!(bits & 3, 1 | 2)
                                });
                            } else {
                                self.relate("state differs", &[a, b, differs], &|bits| match bits
                                    & 3
                                {
                                    0 => true,
                                    3 => bits >> 2 == 0,
                                    _ => bits >> 2 == 1,
                                });
                            }
                        }
                        differs
                    })
                    .collect();
            let literals = differing
                .into_iter()
                .map(|v| Literal::new(v, true))
                .collect();
            self.core.add_clause(literals);
        }
    }

    /// The variable that says whether a cell has a state; with two states, whether it is live.
    fn term_variable(&self, term: CellTerm, state: State) -> u32 {
        self.cells.term_is_state(term, state)
    }

    /// Of images of one solution one is left. Only with two states.
    fn encode_orders(&mut self) {
        if self.cells.states != 2 {
            return;
        }
        for (lesser, greater) in &self.problem.not_greater {
            let pairs = greater.iter().zip(lesser).filter(|(a, b)| a != b);
            let pairs = pairs.map(|(&a, &b)| (self.term_variable(a, 1), self.term_variable(b, 1)));
            self.core.add_order(pairs.collect());
        }
    }

    fn encode_population(&mut self) {
        let limits = self.problem.population;
        if limits.least.is_none() && limits.most.is_none() {
            return;
        }
        let generations = &self.problem.generations;
        let mut counts = CellCounts {
            least: limits.least.unwrap_or(0),
            most: limits.most.unwrap_or(u32::MAX),
            most_in_first: self.problem.most_in_first,
            open: vec![0; generations.len()],
            live: vec![0; generations.len()],
            members: Vec::new(),
        };
        counts.members.resize(self.core.variables(), None);
        for (generation, table) in generations.iter().enumerate() {
            for &term in &table.cells {
                match term {
                    CellTerm::Known(0) => {}
                    CellTerm::Known(_) => {
                        counts.open[generation] += 1;
                        counts.live[generation] += 1;
                    }
                    CellTerm::Unknown(unknown) => {
                        counts.open[generation] += 1;
                        let dead = self.cells.is_state(unknown, 0);
                        let member = &mut counts.members[dead.variable() as usize];
                        let cells = member.map_or(0, |(_, cells, _)| cells);
                        let live = FALSE + TRUE - dead.value();
                        *member = Some((generation as u32, cells + 1, live));
                    }
                }
            }
        }
        self.core.set_counts(counts);
    }
}

/// Gets the own bit, what the rule says of an own bit, and the next bit.
type TransitionRelation = dyn Fn(bool, &dyn Fn(bool) -> bool, bool) -> bool;

/// The table of a transition: by counts where only the number of counted neighbours matters, else
/// by all arrangements of those that matter.
fn transition_table(
    next: &dyn Fn(bool, usize) -> bool,
    holds: &TransitionRelation,
) -> ConstraintTable {
    const CENTRE: usize = 1 << 4;
    let arrangements = || (0..BLOCK_ARRANGEMENTS).filter(|bits| bits & CENTRE == 0);
    // a live cell counts itself: its arrangement has the bit of the centre
    let next_of = |own: bool, bits: usize| next(own, bits | if own { CENTRE } else { 0 });
    let matters = |&position: &usize| {
        let bit = 1 << (8 - position);
        arrangements().any(|bits| {
            [false, true]
                .iter()
                .any(|&own| next_of(own, bits) != next_of(own, bits ^ bit))
        })
    };
    let neighbours = (0..9).filter(|&position| position != 4);
    let counted: Vec<usize> = neighbours.filter(matters).collect();
    let mask: usize = counted.iter().map(|position| 1 << (8 - position)).sum();
    let first_bits = |count: u32| {
        let first = counted.iter().take(count as usize);
        first.map(|position| 1 << (8 - position)).sum::<usize>()
    };
    let is_by_count = arrangements().all(|bits| {
        let same = first_bits((bits & mask).count_ones());
        [false, true]
            .iter()
            .all(|&own| next_of(own, bits) == next_of(own, same))
    });
    if is_by_count {
        return ConstraintTable::of_count(&counted, 4, 9, &|count, own, next| {
            holds(own, &|own| next_of(own, first_bits(count)), next)
        });
    }
    let mut positions = counted;
    positions.extend([4, 9]);
    let places = positions.len();
    ConstraintTable::of_relation(&positions, &|bits| {
        let set = (0..places - 2).filter(|i| bits >> i & 1 == 1);
        let arrangement = set.map(|i| 1 << (8 - positions[i])).sum::<usize>();
        let own = bits >> (places - 2) & 1 == 1;
        let next = bits >> (places - 1) & 1 == 1;
        holds(own, &|own| next_of(own, arrangement), next)
    })
}
