use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How hard a level is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// A few looks.
    Easy,
    /// Some trial.
    Medium,
    /// Some thought.
    Hard,
    /// An evening.
    VeryHard,
}

impl Grade {
    /// All of them, the easiest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::VeryHard];

    /// As one types it: `easy`, `medium`, `hard`, `very-hard`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::VeryHard => "very-hard",
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is no grade.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("expected easy, medium, hard or very-hard, and not `{0}`")]
pub struct GradeError(pub String);

impl FromStr for Grade {
    type Err = GradeError;

    fn from_str(text: &str) -> Result<Self, GradeError> {
        let is_it = |grade: &Self| grade.name() == text;
        let grade = Self::ALL.into_iter().find(is_it);
        grade.ok_or_else(|| GradeError(text.to_string()))
    }
}

/// What it took to prove that a level has one solution and no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Tiles that the solver decided on the way.
    pub nodes: u64,
    /// Pieces on the board.
    pub pieces: u32,
}

impl Effort {
    /// One number to order levels by: higher is harder.
    #[must_use]
    pub fn score(self) -> u32 {
        10 * (64 - self.nodes.leading_zeros()) + 10 * self.pieces
    }

    /// The grade of a level that took this.
    #[must_use]
    pub fn grade(self) -> Grade {
        match self.score() {
            0..100 => Grade::Easy,
            100..150 => Grade::Medium,
            150..200 => Grade::Hard,
            _ => Grade::VeryHard,
        }
    }
}
