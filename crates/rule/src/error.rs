use std::fmt;
use thiserror::Error;

/// Why a rule's text was refused.
///
/// ```
/// use rule::{Rule, RuleProblem};
///
/// let error = "B3/S29".parse::<Rule>().unwrap_err();
/// assert_eq!(error.offset, 5);
/// assert!(matches!(error.problem, RuleProblem::OutOfRange { value: 9, most: 8, .. }));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The text as given.
    pub text: String,
    /// Where in it, in bytes.
    pub offset: usize,
    /// What was wrong, and what was expected.
    pub problem: RuleProblem,
    /// What to try instead: a name that is spelt alike, say.
    pub hint: Option<String>,
}

impl RuleError {
    /// Whether the text is in no notation and names no known rule: a `.rule` file may
    /// still have that name.
    ///
    /// ```
    /// let error = "HighLive".parse::<rule::Rule>().unwrap_err();
    /// assert!(error.is_unknown_name());
    /// assert!(error.hint.unwrap().contains("HighLife"));
    /// ```
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        self.problem == RuleProblem::UnknownName
    }
}

/// How much of the text a message repeats: some rules are megabytes long.
const SHOWN: usize = 60;

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_unknown_name() {
            return write!(f, "{} `{}`", self.problem, clipped(&self.text));
        }
        let (problem, offset) = (&self.problem, self.offset);
        write!(
            f,
            "{problem} at offset {offset} of `{}`",
            clipped(&self.text)
        )
    }
}

impl std::error::Error for RuleError {}

/// The start of a text, short enough for a message.
fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// What a rule's text got wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// Something else should stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A number lies outside what this place takes.
    #[error("{what} is {value}, expected {least} to {most}")]
    OutOfRange {
        /// What the number is for.
        what: &'static str,
        /// The number as given.
        value: i64,
        /// The least that is taken.
        least: i64,
        /// The greatest that is taken.
        most: i64,
    },
    /// A number has too many digits.
    #[error("the number is too long")]
    LongNumber,
    /// A range that ends before it starts.
    #[error("the range goes down, from {from} to {to}")]
    Backwards {
        /// Its start.
        from: i64,
        /// Its end.
        to: i64,
    },
    /// A Hensel letter that does not exist for this number of neighbours.
    #[error("the letter {letter} does not go with {count} neighbours, expected {allowed}")]
    Letter {
        /// The letter.
        letter: char,
        /// How many neighbours it was written after.
        count: u32,
        /// The letters that go with that count.
        allowed: &'static str,
    },
    /// Too many or too few digits of a neighbourhood's matrix.
    #[error("{what} takes {expected} hexadecimal digits, here are {found}")]
    Digits {
        /// What the digits give.
        what: &'static str,
        /// How many are needed.
        expected: String,
        /// How many there are.
        found: usize,
    },
    /// The digits of a MAP rule fit no neighbourhood.
    #[error(
        "MAP takes 86 base64 digits (eight neighbours), 22 (hexagonal) or 6 (von Neumann), here are {found}"
    )]
    Base64 {
        /// How many there are.
        found: usize,
    },
    /// B0 of two states beside more states, whose plane is another.
    #[error(
        "birth with no neighbours (B0) turns the plane over, which the other rule's further \
         states do not follow; expected a rule without it"
    )]
    BackgroundStates,
    /// A table would be too large to hold.
    #[error("the sums reach over {0} values, more than a table takes")]
    TooManySums(u64),
    /// A grid's edges cannot be joined so.
    #[error("{0}")]
    Edges(&'static str),
    /// A Margolus rule under which a uniform plane does not stay uniform.
    #[error("the empty block must stay empty, or become the full one that comes back or stays")]
    EmptyBlock,
    /// A rule that cannot be undone.
    #[error("two blocks become the same, so the rule cannot run backwards")]
    NotReversible,
    /// Two rules that cannot take turns.
    #[error("{0}")]
    Alternation(&'static str),
    /// A suffix for labels on a rule that cannot carry them.
    #[error("{0} states need a rule of two states and radius 1, the same at all times and places")]
    Labels(&'static str),
    /// A known notation that is not supported.
    #[error("{0} is not taken yet")]
    NotTaken(&'static str),
    /// No notation, and no known name.
    #[error("no rule is named")]
    UnknownName,
}

/// A problem at an offset within a part of the text; [`RuleFault::within`] makes it a
/// [`RuleError`].
#[derive(Debug)]
pub(crate) struct RuleFault {
    pub(crate) offset: usize,
    pub(crate) problem: RuleProblem,
    pub(crate) hint: Option<String>,
}

impl RuleFault {
    pub(crate) fn new(offset: usize, problem: RuleProblem) -> Self {
        Self {
            offset,
            problem,
            hint: None,
        }
    }

    pub(crate) fn expected(offset: usize, what: &'static str) -> Self {
        Self::new(offset, RuleProblem::Expected(what))
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Moves the fault to where its part starts in the whole text.
    pub(crate) fn within(self, text: &str, start: usize) -> RuleError {
        RuleError {
            text: text.into(),
            offset: start + self.offset,
            problem: self.problem,
            hint: self.hint,
        }
    }
}
