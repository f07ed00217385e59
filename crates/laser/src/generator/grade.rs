//! The difficulty of a level, measured by the solver's effort to prove that it has one
//! solution.
//!
//! A search that tries few choices is one in which most positions follow from what is known, as
//! they do for a person. The measure is logarithmic in the choices, since a search grows by a
//! factor with every piece; and each piece counts besides, for it is one more to move. (The
//! size of the board was rejected as a measure: a large board with long beams and many sensors
//! can be plain to see.)

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
    ///
    /// ```
    /// use laser::generator::Grade;
    ///
    /// assert_eq!(Grade::VeryHard.name(), "very-hard");
    /// assert_eq!("very-hard".parse(), Ok(Grade::VeryHard));
    /// ```
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

/// The effort of the proof that a level has exactly one solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEffort {
    /// Choices that the solver tried.
    pub nodes: u64,
    /// Pieces on the board.
    pub pieces: u32,
}

impl ProofEffort {
    /// One number to order levels by, higher for harder: ten for each doubling of the
    /// choices tried, with straight lines between, and five for each piece.
    ///
    /// ```
    /// use laser::generator::ProofEffort;
    ///
    /// let effort = |nodes| ProofEffort { nodes, pieces: 4 };
    /// assert_eq!(effort(64).score(), 10 * 6 + 5 * 4);
    /// assert_eq!(effort(128).score(), effort(64).score() + 10);
    /// ```
    #[must_use]
    pub fn score(self) -> u32 {
        let nodes = self.nodes.max(1);
        let doublings = nodes.ilog2();
        let beyond = (u128::from(nodes - (1 << doublings)) * 10) >> doublings;
        10 * doublings + beyond as u32 + 5 * self.pieces
    }

    /// The grade of a level that took this. With four pieces it is easy up to 31 choices,
    /// medium up to 511, hard up to 8191: each grade takes sixteen times what the one before
    /// took, and a piece more stands for 1.4 times as many.
    ///
    /// ```
    /// use laser::generator::{Grade, ProofEffort};
    ///
    /// let grade = |nodes| ProofEffort { nodes, pieces: 4 }.grade();
    /// assert_eq!([31, 511, 8191].map(grade), [Grade::Easy, Grade::Medium, Grade::Hard]);
    /// ```
    #[must_use]
    pub fn grade(self) -> Grade {
        match self.score() {
            0..70 => Grade::Easy,
            70..110 => Grade::Medium,
            110..150 => Grade::Hard,
            _ => Grade::VeryHard,
        }
    }

    /// The least effort with this many pieces: each is placed once at least.
    #[must_use]
    pub(super) fn least(pieces: u32) -> Self {
        let nodes = u64::from(pieces);
        Self { nodes, pieces }
    }

    /// The most choices, up to `limit`, with which a level with this many pieces is no harder
    /// than this grade; 0 where it has too many pieces for that.
    #[must_use]
    pub(super) fn most_nodes(grade: Grade, pieces: u32, limit: u64) -> u64 {
        let (mut low, mut high) = (0, limit);
        while low < high {
            let nodes = low + (high - low).div_ceil(2);
            match (Self { nodes, pieces }).grade() <= grade {
                true => low = nodes,
                false => high = nodes - 1,
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_score_grows_by_ten_with_each_doubling() {
        let score = |nodes, pieces| ProofEffort { nodes, pieces }.score();
        for (nodes, expected) in [(0, 0), (1, 0), (2, 10), (3, 15), (4, 20), (1024, 100)] {
            assert_eq!(score(nodes, 0), expected, "{nodes}");
            assert_eq!(score(nodes, 4), expected + 20, "{nodes}");
        }
        assert_eq!(score(u64::MAX, 0), 639);
        assert!((0..5000).is_sorted_by_key(|nodes| score(nodes, 3)));
    }

    #[test]
    fn the_grades_lie_sixteen_times_apart() {
        let grade = |nodes| ProofEffort { nodes, pieces: 4 }.grade();
        for (nodes, below, above) in [
            (32, Grade::Easy, Grade::Medium),
            (512, Grade::Medium, Grade::Hard),
            (8192, Grade::Hard, Grade::VeryHard),
        ] {
            assert_eq!((grade(nodes - 1), grade(nodes)), (below, above));
        }
    }

    #[test]
    fn a_grade_has_its_most_nodes() {
        for (grade, most) in [
            (Grade::Easy, 31),
            (Grade::Medium, 511),
            (Grade::Hard, 8191),
            (Grade::VeryHard, 10_000),
        ] {
            assert_eq!(ProofEffort::most_nodes(grade, 4, 10_000), most);
            assert_eq!(ProofEffort::most_nodes(grade, 4, 20), 20);
        }
        assert_eq!(ProofEffort::most_nodes(Grade::Easy, 14, 10_000), 0);
    }

    #[test]
    fn a_grade_is_read_as_it_is_written() {
        for grade in Grade::ALL {
            assert_eq!(grade.to_string().parse(), Ok(grade));
        }
        let error = "tricky".parse::<Grade>().unwrap_err().to_string();
        assert_eq!(
            error,
            "expected easy, medium, hard or very-hard, and not `tricky`"
        );
    }
}
