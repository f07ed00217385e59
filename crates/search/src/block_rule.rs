//! A rule as searches need it: the next state from a cell's own state and from which of the nine
//! cells of its block are counted. Own method.

use grid::State;
use rule::{Rule, Site, Transition};
use thiserror::Error;

/// How many arrangements of counted cells a 3 x 3 block has.
pub const BLOCK_ARRANGEMENTS: usize = 512;

/// The rule cannot be searched.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BlockRuleError {
    /// Its cells see further than the cells beside them.
    #[error("{rule} looks {radius} cells far: a search needs a rule that looks one cell far")]
    Radius {
        /// The rule.
        rule: String,
        /// How far it looks.
        radius: u32,
    },
    /// Its cells tell more than two kinds of neighbours apart.
    #[error(
        "{0} tells more than two kinds of neighbours apart: a search needs a rule that asks only which are live"
    )]
    NeighbourKinds(String),
    /// Not every cell has the same table.
    #[error("{0} has different tables at different places: a search needs one for all cells")]
    Checkered(String),
    /// It has a topology of its own.
    #[error("{0} has a topology: a search says its own box or torus")]
    Topology(String),
}

/// The next state of a cell by its own state and by which of nine cells are counted.
///
/// The arrangement has nine bits in the order of [`rule::ConfigurationTable::OFFSETS`], the most
/// significant for the north-west cell, the cell itself among them.
///
/// ```
/// use search::BlockRule;
///
/// let life = BlockRule::new(&"B3/S23".parse()?)?;
/// assert_eq!(life.next(0, 0, 0b111_000_000), 1); // three live neighbours above a dead cell
/// assert_eq!(life.next(0, 1, 0b000_010_000), 0); // a lonely cell dies
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockRule {
    counted: Vec<bool>,
    /// By generation modulo their number, then by the cell's own state.
    tables: Vec<Vec<Vec<State>>>,
}

impl BlockRule {
    /// # Errors
    /// A rule whose next state depends on more than which of the nine cells are counted.
    pub fn new(rule: &Rule) -> Result<Self, BlockRuleError> {
        if rule.topology() != &rule::Topology::Unbounded {
            return Err(BlockRuleError::Topology(rule.to_string()));
        }
        if rule.is_checkered() {
            return Err(BlockRuleError::Checkered(rule.to_string()));
        }
        let mut counted = None;
        let mut tables = Vec::new();
        for generation in 0..rule.time_period() as u64 {
            let transition = rule.transition(Site {
                generation,
                ..Site::default()
            });
            if transition.radius() > 1 {
                return Err(BlockRuleError::Radius {
                    rule: rule.to_string(),
                    radius: transition.radius(),
                });
            }
            let here = counted_states(transition, rule.states())
                .filter(|here| counted.as_ref().is_none_or(|before| before == here))
                .ok_or_else(|| BlockRuleError::NeighbourKinds(rule.to_string()))?;
            tables.push(tabulate(transition, &here));
            counted = Some(here);
        }
        Ok(Self {
            counted: counted.unwrap_or_default(),
            tables,
        })
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> u16 {
        self.counted.len() as u16
    }

    /// Whether a neighbour of this state is counted.
    #[must_use]
    pub fn is_counted(&self, state: State) -> bool {
        self.counted[usize::from(state)]
    }

    /// How many tables follow each other in time: 1, 2 or 4.
    #[must_use]
    pub fn time_period(&self) -> usize {
        self.tables.len()
    }

    /// The next state of a cell of state `own` at a generation.
    #[must_use]
    pub fn next(&self, generation: usize, own: State, arrangement: usize) -> State {
        self.tables[generation % self.tables.len()][usize::from(own)][arrangement]
    }

    /// The next states of cells of state `own` at a generation, by arrangement.
    #[must_use]
    pub fn table(&self, generation: usize, own: State) -> &[State] {
        &self.tables[generation % self.tables.len()][usize::from(own)]
    }
}

/// Which states count, where that is all that a cell sees of its neighbours.
fn counted_states(transition: &Transition, states: u16) -> Option<Vec<bool>> {
    match transition {
        Transition::Configuration(table) => Some(table.counted.clone()),
        Transition::Count(table) => {
            let live = *table.values.iter().find(|&&value| value != 0)?;
            let plain = table.values[0] == 0
                && table
                    .values
                    .iter()
                    .all(|&value| value == 0 || value == live);
            plain.then(|| table.values.iter().map(|&value| value != 0).collect())
        }
        Transition::Lookup(_) => (states == 2).then(|| vec![false, true]),
    }
}

/// The next state for each own state and arrangement; where the two contradict each other (the
/// middle bit says counted, the state is not) the own state decides.
fn tabulate(transition: &Transition, counted: &[bool]) -> Vec<Vec<State>> {
    let live = counted.iter().position(|&counts| counts).unwrap_or(0) as State;
    let states = 0..counted.len();
    let next = |own: usize, arrangement: usize| {
        transition.next(|dx, dy| {
            if (dx, dy) == (0, 0) {
                return own as State;
            }
            // it looks one cell far: the place of ConfigurationTable::OFFSETS, from the last on
            let is_set = arrangement >> (4 - (3 * dy + dx)) & 1 == 1;
            if is_set { live } else { 0 }
        })
    };
    states
        .map(|own| {
            (0..BLOCK_ARRANGEMENTS)
                .map(|index| next(own, index))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block_rule(text: &str) -> Result<BlockRule, BlockRuleError> {
        BlockRule::new(&text.parse().expect("a rule"))
    }

    #[test]
    fn tables_are_those_of_the_rule() {
        for text in [
            "B3/S23",
            "B2/S34H",
            "B2-a3/S12",
            "B036/S125",
            "345/2/4",
            "R1,C0,M1,S3..4,B3..3,NM",
        ] {
            let rule: Rule = text.parse().expect("a rule");
            let table = BlockRule::new(&rule).expect("radius 1");
            for generation in 0..table.time_period() {
                let site = Site {
                    generation: generation as u64,
                    ..Site::default()
                };
                for own in 0..rule.states() as State {
                    for arrangement in 0..BLOCK_ARRANGEMENTS {
                        let state = |dx: i32, dy: i32| {
                            if (dx, dy) == (0, 0) {
                                return own;
                            }
                            let bit = 4 - (dy * 3 + dx);
                            (arrangement >> bit & 1) as State
                        };
                        let expected = rule.next(site, state);
                        assert_eq!(
                            table.next(generation, own, arrangement),
                            expected,
                            "{text} {own} {arrangement:b}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn rules_that_see_more_are_refused() {
        for (text, words) in [
            ("R2,C2,S2-4,B3,NN", "looks 2 cells far"),
            ("B3/S23:T8,8", "has a topology"),
            ("JvN29", "more than two kinds"),
        ] {
            let error = block_rule(text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
