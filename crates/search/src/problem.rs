//! The cells of a question as unknowns, and what must hold between them. Every engine but the one
//! that goes by rows works on this and on nothing else, so what a box, a symmetry, a velocity or a
//! torus means stands once, in the modules that make a problem of a question.

use crate::{BLOCK_ARRANGEMENTS, BlockRule, PartialAssignment};
use dice::mix;
use grid::State;

/// A cell of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CellTerm {
    /// Its state is known.
    Known(State),
    /// Its state is that of an unknown, by number.
    Unknown(u32),
}

/// A set of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AllowedStates([u64; 4]);

impl AllowedStates {
    /// The first so many states.
    ///
    /// ```
    /// let states = search::AllowedStates::below(3);
    /// assert!(states.contains(2) && !states.contains(3));
    /// ```
    #[must_use]
    pub fn below(states: u16) -> Self {
        let mut set = Self([0; 4]);
        for state in 0..states {
            set.0[usize::from(state / 64)] |= 1 << (state % 64);
        }
        set
    }

    /// One state.
    #[must_use]
    pub fn only(state: State) -> Self {
        let mut set = Self([0; 4]);
        set.0[usize::from(state / 64)] = 1 << (state % 64);
        set
    }

    /// The states that are in both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Whether a state is in it.
    #[must_use]
    pub fn contains(self, state: State) -> bool {
        self.0[usize::from(state / 64)] >> (state % 64) & 1 == 1
    }

    /// Whether no state is in it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// Its only state, where it has just one.
    #[must_use]
    pub fn single(self) -> Option<State> {
        let count: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        let word = self.0.iter().position(|&word| word != 0)?;
        (count == 1).then(|| (word as u32 * 64 + self.0[word].trailing_zeros()) as State)
    }
}

/// One cell of one generation follows from the block around it in the generation before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransitionConstraint {
    /// The generation before the step: it selects the table of the rule.
    pub generation: u32,
    /// The block, row by row; the cell itself is the fifth.
    pub block: [CellTerm; 9],
    /// The cell in the next generation.
    pub next: CellTerm,
}

/// Bounds of the number of live cells. A cell is live where its state is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PopulationLimits {
    /// In every generation of a period at least so many.
    pub least: Option<u32>,
    /// In one generation of a period at most so many.
    pub most: Option<u32>,
}

/// Unknown cells and what must hold between them.
///
/// A solution gives each unknown a state of its domain so that every constraint holds.
#[derive(Clone, Debug)]
pub struct SearchProblem {
    /// The rule.
    pub rule: BlockRule,
    /// Which states each unknown may have.
    pub domains: Vec<AllowedStates>,
    /// What follows from what.
    pub transitions: Vec<TransitionConstraint>,
    /// In each list one unknown at least is not in state 0.
    pub some_live: Vec<Vec<u32>>,
    /// In each list one pair at least has two different states.
    pub some_differ: Vec<Vec<(CellTerm, CellTerm)>>,
    /// Pairs of lists of which the first is not greater than the second, compared from the front
    /// by state: of images of one solution one is left. May be left out without losing any; only
    /// where solutions are not counted.
    pub not_greater: Vec<(Vec<CellTerm>, Vec<CellTerm>)>,
    /// Bounds of the population.
    pub population: PopulationLimits,
    /// Whether the upper bound holds in the first generation, and not just in any.
    pub most_in_first: bool,
    /// The cells of each generation of the period, row by row. What is asked for is the first.
    pub generations: Vec<CellTable>,
    /// A generation for each unknown, the column and the row where it first stands.
    pub places: Vec<(u32, u32, u32)>,
}

/// The cells of one generation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellTable {
    /// Columns.
    pub width: u32,
    /// Row by row.
    pub cells: Vec<CellTerm>,
}

impl CellTable {
    /// The cells as text while they are searched, a line a row: `.` and `o`, letters from `b` on
    /// for further states, and `?` for those that are open.
    #[must_use]
    pub fn partial(&self, state: PartialAssignment<'_>) -> String {
        let letter = |term: &CellTerm| {
            let state = match *term {
                CellTerm::Known(state) => Some(state),
                CellTerm::Unknown(unknown) => state(unknown),
            };
            match state {
                None => '?',
                Some(0) => '.',
                Some(1) => 'o',
                Some(state) => char::from(b'a' + (state - 1).min(25)),
            }
        };
        let rows = self.cells.chunks(self.width as usize);
        let rows: Vec<String> = rows.map(|row| row.iter().map(letter).collect()).collect();
        rows.join("\n")
    }

    /// Rows.
    #[must_use]
    pub(crate) fn height(&self) -> i64 {
        (self.cells.len() / self.width.max(1) as usize) as i64
    }

    /// A cell; outside all are dead.
    #[must_use]
    pub(crate) fn term(&self, x: i64, y: i64) -> CellTerm {
        let width = i64::from(self.width);
        if (0..width).contains(&x) && (0..self.height()).contains(&y) {
            self.cells[(y * width + x) as usize]
        } else {
            CellTerm::Known(0)
        }
    }

    /// The states of its cells under an assignment, row by row.
    #[must_use]
    pub fn states(&self, assignment: &[State]) -> Vec<State> {
        let state = |term: &CellTerm| match *term {
            CellTerm::Known(state) => state,
            CellTerm::Unknown(unknown) => assignment[unknown as usize],
        };
        self.cells.iter().map(state).collect()
    }
}

impl SearchProblem {
    /// How many cells are unknown.
    #[must_use]
    pub fn unknowns(&self) -> usize {
        self.domains.len()
    }

    /// The state of a cell under an assignment.
    #[must_use]
    pub fn state(term: CellTerm, assignment: &[State]) -> State {
        match term {
            CellTerm::Known(state) => state,
            CellTerm::Unknown(unknown) => assignment[unknown as usize],
        }
    }

    /// A number that tells apart what is drawn or fixed, in problems whose questions read alike.
    ///
    /// ```
    /// use search::{AllowedStates, PredecessorQuestion};
    ///
    /// let digest = |states: [u8; 2]| {
    ///     let target = states.map(AllowedStates::only).to_vec();
    ///     let question = PredecessorQuestion::new("B3/S23".parse()?, 2, target);
    ///     Ok::<_, Box<dyn std::error::Error>>(question.problem()?.digest())
    /// };
    /// assert_eq!(digest([1, 0])?, digest([1, 0])?);
    /// assert_ne!(digest([1, 0])?, digest([0, 1])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn digest(&self) -> u64 {
        let word = |term: CellTerm| match term {
            CellTerm::Known(state) => u64::from(state),
            CellTerm::Unknown(unknown) => 1 << 32 | u64::from(unknown),
        };
        let domains = self.domains.iter().flat_map(|domain| domain.0);
        let steps = self.transitions.iter().flat_map(|step| {
            let block = step.block.into_iter().chain([step.next]);
            block.map(word).chain([u64::from(step.generation)])
        });
        domains.chain(steps).fold(0, |all, word| mix(all ^ word))
    }

    /// The unknowns of the first generation with their states under an assignment.
    #[must_use]
    pub fn first_generation(&self, assignment: &[State]) -> Vec<(u32, State)> {
        let cells = self.generations[0].cells.iter();
        let unknown = cells.filter_map(|term| match *term {
            CellTerm::Unknown(unknown) => Some((unknown, assignment[unknown as usize])),
            CellTerm::Known(_) => None,
        });
        let mut unknown: Vec<(u32, State)> = unknown.collect();
        unknown.sort_unstable();
        unknown.dedup();
        unknown
    }

    /// Whether an assignment of all unknowns is a solution: the oracle of every engine. The order
    /// among images ([`Self::not_greater`]) is not asked for.
    #[must_use]
    pub fn is_solved_by(&self, assignment: &[State]) -> bool {
        let state = |term| Self::state(term, assignment);
        let in_domains = || {
            let pairs = self.domains.iter().zip(assignment);
            pairs
                .into_iter()
                .all(|(domain, &state)| domain.contains(state))
        };
        let follows = |step: &TransitionConstraint| {
            let bits = step.block.iter().fold(0, |bits, &term| {
                bits << 1 | usize::from(self.rule.is_counted(state(term)))
            });
            debug_assert!(bits < BLOCK_ARRANGEMENTS);
            let next = self
                .rule
                .next(step.generation as usize, state(step.block[4]), bits);
            next == state(step.next)
        };
        in_domains()
            && self.transitions.iter().all(follows)
            && self.some_live.iter().all(|list| {
                list.iter()
                    .any(|&unknown| assignment[unknown as usize] != 0)
            })
            && self
                .some_differ
                .iter()
                .all(|list| list.iter().any(|&(a, b)| state(a) != state(b)))
            && self.has_population(assignment)
    }

    fn has_population(&self, assignment: &[State]) -> bool {
        let mut populations = self.generations.iter().map(|table| {
            let states = table.states(assignment);
            states.iter().filter(|&&state| state != 0).count() as u32
        });
        let least = self.population.least.unwrap_or(0);
        let most = self.population.most.unwrap_or(u32::MAX);
        if self.most_in_first && populations.clone().next().is_some_and(|first| first > most) {
            return false;
        }
        populations.clone().all(|population| population >= least)
            && populations.any(|population| population <= most)
    }
}
