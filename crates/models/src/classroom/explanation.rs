//! Explains why a cell lives, dies or is born, in the homework's words.

use super::ClassroomRule;
use grid::State;
use std::fmt::Write as _;

/// What happens to a cell in the next round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellOutcome {
    /// It is alive and keeps its state.
    Lives,
    /// It is alive and dies.
    Dies,
    /// It is dead and is born.
    Born,
    /// It is dead and stays dead.
    StaysDead,
    /// It is alive and ages by one state.
    Ages,
}

impl CellOutcome {
    /// The outcome in words.
    ///
    /// ```
    /// use models::classroom::CellOutcome;
    ///
    /// assert_eq!(CellOutcome::Born.words(), "is born");
    /// ```
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Lives => "lives",
            Self::Dies => "dies",
            Self::Born => "is born",
            Self::StaysDead => "stays dead",
            Self::Ages => "ages",
        }
    }
}

/// A cell in the rule's neighbourhood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedNeighbour {
    /// Columns to the right of the explained cell.
    pub dx: i64,
    /// Rows below the explained cell.
    pub dy: i64,
    /// Its weight in the sum when it is alive.
    pub weight: u32,
    /// Its state.
    pub state: State,
}

/// Why a cell has its next state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellExplanation {
    /// The rule.
    pub rule: ClassroomRule,
    /// The homework's letter for the sum: `n`, or `F` where it is weighted.
    pub letter: char,
    /// The sum of the weights of the live neighbours.
    pub count: u32,
    /// All neighbours, row by row.
    pub neighbours: Vec<WeightedNeighbour>,
    /// The current state of the cell.
    pub before: State,
    /// Its state in the next round.
    pub after: State,
    /// What happens to the cell.
    pub outcome: CellOutcome,
    /// The condition that decided it: `survival with 2 or 3`.
    pub condition: &'static str,
    /// The explanation in one line: `n = 3: is born (birth with 3)`.
    pub words: String,
}

impl CellExplanation {
    /// Explains a cell from the states around it, given by offsets to the right and down; its own
    /// state is at (0, 0).
    pub(super) fn of(rule: ClassroomRule, state: impl Fn(i64, i64) -> State) -> Self {
        let reach = match rule {
            ClassroomRule::Extended | ClassroomRule::Weighted => 2,
            _ => 1,
        };
        let mut neighbours = Vec::new();
        for dy in -reach..=reach {
            for dx in -reach..=reach {
                if (dx, dy) != (0, 0) {
                    neighbours.push(WeightedNeighbour {
                        dx,
                        dy,
                        weight: weight(rule, dx, dy),
                        state: state(dx, dy),
                    });
                }
            }
        }
        let live = neighbours.iter().filter(|neighbour| neighbour.state != 0);
        let count = live.map(|neighbour| neighbour.weight).sum();
        let before = state(0, 0);
        let (after, outcome, condition) = next(rule, before, count, &neighbours);
        let letter = if rule == ClassroomRule::Weighted {
            'F'
        } else {
            'n'
        };
        let mut explanation = Self {
            rule,
            letter,
            count,
            neighbours,
            before,
            after,
            outcome,
            condition,
            words: String::new(),
        };
        explanation.words = words(&explanation);
        explanation
    }
}

fn weight(rule: ClassroomRule, dx: i64, dy: i64) -> u32 {
    match rule {
        ClassroomRule::Weighted if dx.abs() + dy.abs() <= 2 => 2,
        _ => 1,
    }
}

const BORN: &str = "birth with 3";
const LIVES: &str = "survival with 2 or 3";

fn next(
    rule: ClassroomRule,
    before: State,
    count: u32,
    neighbours: &[WeightedNeighbour],
) -> (State, CellOutcome, &'static str) {
    let survives = matches!(count, 2 | 3);
    match (rule, before) {
        (ClassroomRule::Weighted, 0) if matches!(count, 5 | 6) => {
            (1, CellOutcome::Born, "birth with 5 or 6")
        }
        (ClassroomRule::Weighted, 0) => (0, CellOutcome::StaysDead, "birth with 5 or 6"),
        (ClassroomRule::Weighted, _) if (4..=6).contains(&count) => {
            (1, CellOutcome::Lives, "survival with 4 to 6")
        }
        (ClassroomRule::Weighted, _) => (0, CellOutcome::Dies, "survival with 4 to 6"),
        (_, 0) if count != 3 => (0, CellOutcome::StaysDead, BORN),
        (ClassroomRule::Colorised, 0) => {
            let colour = if count_red(neighbours) >= 2 { 2 } else { 3 };
            (
                colour,
                CellOutcome::Born,
                "birth with 3, in the majority's colour",
            )
        }
        (_, 0) => (1, CellOutcome::Born, BORN),
        (ClassroomRule::Generations, 1) if survives => (1, CellOutcome::Lives, LIVES),
        (ClassroomRule::Generations, 1) => (2, CellOutcome::Ages, LIVES),
        (ClassroomRule::Generations, 7) => (0, CellOutcome::Dies, "7 is the last state"),
        (ClassroomRule::Generations, age) => (
            age + 1,
            CellOutcome::Ages,
            "from state 2 on a cell always ages",
        ),
        (ClassroomRule::Colorised, colour) if survives => (
            colour,
            CellOutcome::Lives,
            "survival with 2 or 3, colour kept",
        ),
        (_, state) if survives => (state, CellOutcome::Lives, LIVES),
        _ => (0, CellOutcome::Dies, LIVES),
    }
}

fn count_red(neighbours: &[WeightedNeighbour]) -> usize {
    neighbours
        .iter()
        .filter(|neighbour| neighbour.state == 2)
        .count()
}

fn words(explanation: &CellExplanation) -> String {
    let CellExplanation {
        rule,
        letter,
        count,
        outcome,
        condition,
        after,
        ..
    } = explanation;
    let mut words = format!("{letter} = {count}");
    if *rule == ClassroomRule::Colorised && *count > 0 {
        let red = count_red(&explanation.neighbours);
        // Writing to a String cannot fail.
        let _ = write!(words, ", {red} red and {} blue", *count as usize - red);
    }
    let _ = write!(words, ": {}", outcome.words());
    match (rule, outcome) {
        (ClassroomRule::Colorised, CellOutcome::Born) => {
            words += if *after == 2 { " red" } else { " blue" }
        }
        (_, CellOutcome::Ages) => {
            let _ = write!(words, " to {after}");
        }
        _ => {}
    }
    let _ = write!(words, " ({condition})");
    words
}
