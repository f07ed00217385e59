use grid::State;
use std::fmt;
use thiserror::Error;

/// Why the text of a rule of one's own was refused, and where.
///
/// Printed as `line:column: what was wrong`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomRuleError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What was wrong, and what was expected.
    pub problem: CustomRuleProblem,
    /// What to try instead.
    pub hint: Option<String>,
}

impl fmt::Display for CustomRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl std::error::Error for CustomRuleError {}

/// What the text of a rule of one's own got wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CustomRuleProblem {
    /// Something else should stand here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What should.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A character that means nothing here.
    #[error("the character `{0}` means nothing here")]
    Character(char),
    /// A word that names nothing.
    #[error("nothing is called `{0}`")]
    UnknownName(String),
    /// A name or a letter is given to two things.
    #[error("`{0}` is taken already")]
    NameTaken(String),
    /// A name that has another meaning.
    #[error("`{0}` cannot be a name here: it is a word of the language")]
    Reserved(String),
    /// The rule's name is that of another rule.
    #[error("the name `{0}` already means the rule {1}")]
    NameOfRule(String, String),
    /// The states do not count 0, 1, 2, …
    #[error("state {found} stands where state {expected} is expected")]
    Order {
        /// As given.
        found: i64,
        /// The next in order.
        expected: usize,
    },
    /// Too few or too many states.
    #[error("{0} states, expected 2 to 256")]
    StateCount(usize),
    /// A state that the rule does not have.
    #[error("there is no state {state}, the states are 0 to {last}")]
    NoState {
        /// As given.
        state: i64,
        /// The last one.
        last: usize,
    },
    /// A number with too many digits.
    #[error("the number is too large, expected {0} at most")]
    LongNumber(i64),
    /// A radius out of its bounds.
    #[error("the radius is {0}, expected 1 to {1}")]
    Radius(i64, i64),
    /// A row of a drawing is longer or shorter than the first.
    #[error("this row has {found} weights, the first one has {expected}")]
    Ragged {
        /// In this row.
        found: usize,
        /// In the first.
        expected: usize,
    },
    /// A drawing without the cell itself.
    #[error("no `x` marks the cell itself in this drawing")]
    NoCentre,
    /// A drawing with two of it.
    #[error("a second `x`: one cell alone is the cell itself")]
    SecondCentre,
    /// A drawing too large to use.
    #[error("the drawing reaches {0} cells from the `x`, expected {1} at most")]
    WideDrawing(usize, i64),
    /// A choice that does not say what happens otherwise.
    #[error("this `if` has no `else`")]
    NoElse,
    /// A number where a condition belongs.
    #[error("`{0}` is a number, and a condition is expected here")]
    NotACondition(String),
    /// A condition where a number belongs.
    #[error("`{0}` is a condition, and a number is expected here")]
    NotANumber(String),
    /// Two comparisons in a row.
    #[error("two comparisons in a row")]
    Chain,
    /// A comparison that can never come true.
    #[error("this never happens: {left}, and {right}")]
    NeverTrue {
        /// The left side as written, and its values.
        left: String,
        /// The right side as written, and its values.
        right: String,
    },
    /// A range that ends before it starts.
    #[error("the range goes down, from {0} to {1}")]
    Backwards(i64, i64),
    /// The next state is none of the states.
    #[error(
        "the next state can become {value} (for a cell of state {own}), the states are 0 to {last}"
    )]
    Outcome {
        /// What comes out.
        value: i64,
        /// The name of the cell's state.
        own: String,
        /// The last state.
        last: usize,
    },
    /// State 0 does not stay by itself.
    #[error(
        "an empty plane would not stay empty: a cell of state 0 with only such cells around it becomes {0}"
    )]
    Background(String),
    /// The table would be too large to hold.
    #[error("the rule tells {entries} cases apart, a table takes {most}")]
    TooLarge {
        /// The number of states times the number of sums.
        entries: u64,
        /// As many as are taken.
        most: u64,
    },
    /// The expression would have to be worked out too often.
    #[error(
        "the rule tells {cases} cases apart and has {parts} words for each, which takes more \
         than {most} steps"
    )]
    TooLong {
        /// The states times the sums that can occur.
        cases: u64,
        /// The words of the expression, and what it counts.
        parts: u64,
        /// The most steps that are taken.
        most: u64,
    },
    /// Brackets within brackets within brackets.
    #[error("more than {0} brackets and choices within each other")]
    TooDeep(usize),
}

/// Why an [`Automaton`](super::Automaton) cannot be made a rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AutomatonError {
    /// The name cannot stand for a rule.
    #[error("`{0}` is no name for a rule: letters, digits, `-` and `_` are")]
    Name(String),
    /// The name is that of another rule.
    #[error("the name `{0}` already means the rule {1}")]
    NameOfRule(String, String),
    /// Too few or too many states.
    #[error("{0} states, expected 2 to 256")]
    StateCount(u16),
    /// A state is counted that the rule does not have.
    #[error("state {0} is counted, and there is no such state")]
    Counted(State),
    /// The next state is none of the states.
    #[error("a cell of state {own} that counts {counts:?} becomes {next}, which is no state")]
    Outcome {
        /// The cell's state.
        own: State,
        /// What it counts.
        counts: Vec<i64>,
        /// What comes out.
        next: State,
    },
    /// State 0 does not stay by itself.
    #[error(
        "an empty plane would not stay empty: a cell of state 0 with only such cells around it becomes {0}"
    )]
    Background(State),
    /// The table would be too large to hold.
    #[error("the rule tells {entries} cases apart, a table takes {most}")]
    TooLarge {
        /// The number of states times the number of sums.
        entries: u64,
        /// As many as are taken.
        most: u64,
    },
    /// It counts too much for as many cases.
    #[error(
        "the rule tells {cases} cases apart and counts {parts} things for each, which takes more \
         than {most} steps"
    )]
    TooLong {
        /// The states times the sums that can occur.
        cases: u64,
        /// What it counts.
        parts: u64,
        /// The most steps that are taken.
        most: u64,
    },
}

/// A problem at an offset, before it is turned into a line and a column.
#[derive(Debug)]
pub(super) struct CustomRuleFault {
    pub(super) offset: usize,
    pub(super) problem: CustomRuleProblem,
    pub(super) hint: Option<String>,
}

impl CustomRuleFault {
    pub(super) fn new(offset: usize, problem: CustomRuleProblem) -> Self {
        Self {
            offset,
            problem,
            hint: None,
        }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(super) fn within(self, text: &str) -> CustomRuleError {
        let before = &text[..self.offset.min(text.len())];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        CustomRuleError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: self.problem,
            hint: self.hint,
        }
    }
}

/// `did you mean …?` for the name that is spelt most alike, if one is near.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // longer words are not worth measuring, which takes the product of both lengths
    const LONGEST: usize = 60;
    if word.len() > LONGEST {
        return None;
    }
    let lower = word.to_lowercase();
    let most = 1 + word.chars().count() / 4;
    let names = names.into_iter().filter(|name| name.len() <= LONGEST);
    let rated = names.map(|name| {
        let distance = strsim::damerau_levenshtein(&lower, &name.to_lowercase());
        (distance, name)
    });
    let best = rated.min_by_key(|rated| rated.0)?;
    (best.0 <= most).then(|| format!("did you mean `{}`?", best.1))
}
