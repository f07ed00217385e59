//! What is asked of a search by rows.

use crate::{BlockRule, BlockRuleError, BoxSymmetry, keeps_symmetry};
use grid::Symmetry;
use rule::Rule;
use std::{fmt, str::FromStr};
use thiserror::Error;

/// How a ship's left half determines its right one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RowSymmetry {
    /// Not at all.
    #[default]
    None,
    /// Mirrored in a column of cells.
    Odd,
    /// Mirrored in the line between two columns.
    Even,
    /// Mirrored in a column of cells that stay dead.
    Gutter,
}

/// The text names no symmetry.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no symmetry of rows: none, odd, even or gutter")]
pub struct RowSymmetryError(pub String);

impl RowSymmetry {
    /// All four.
    pub const ALL: [Self; 4] = [Self::None, Self::Odd, Self::Even, Self::Gutter];
}

impl fmt::Display for RowSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Odd => "odd",
            Self::Even => "even",
            Self::Gutter => "gutter",
        })
    }
}

impl FromStr for RowSymmetry {
    type Err = RowSymmetryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL
            .into_iter()
            .find(|symmetry| symmetry.to_string() == text);
        named.ok_or_else(|| RowSymmetryError(text.to_owned()))
    }
}

/// A ship of any height that moves up.
#[derive(Clone, Debug)]
pub struct RowQuestion {
    /// The rule, of two states.
    pub rule: Rule,
    /// Generations until it repeats.
    pub period: u32,
    /// Rows that it moves in a period.
    pub offset: u32,
    /// Columns; with a symmetry, those of one half, a column at the axis among them.
    pub width: u32,
    /// How the halves belong together.
    pub symmetry: RowSymmetry,
    /// Whether ships are searched for that have something behind them: without it the search goes no
    /// further where all that follows may be dead, so that what it finds begins with no other ship.
    pub tagalongs: bool,
    /// Bytes that the search may hold.
    pub memory: u64,
}

/// What a [`RowQuestion`] asks cannot be.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowQuestionError {
    /// The rule cannot be searched.
    #[error(transparent)]
    Rule(#[from] BlockRuleError),
    /// Not two states, or dead cells come alive by themselves.
    #[error(
        "{0} cannot be searched by rows: it needs two states, and dead cells that stay dead without neighbours"
    )]
    States(String),
    /// Too slow or too fast.
    #[error(
        "{offset} rows in {period} generations: a search by rows is for ships that move, and slower than one row a generation"
    )]
    Velocity {
        /// Rows.
        offset: u32,
        /// Generations.
        period: u32,
    },
    /// A width that the tables do not reach.
    #[error(
        "a search by rows is for 1 to {most} columns, or as many on each side of an axis, and not for {width}"
    )]
    Width {
        /// Columns asked for.
        width: u32,
        /// The most.
        most: u32,
    },
    /// A period so long that a state does not fit.
    #[error("a search by rows is for periods of up to {most}, and not of {period}")]
    Period {
        /// Generations asked for.
        period: u32,
        /// The most.
        most: u32,
    },
    /// The rule does not look the same in the mirror.
    #[error("{0} does not look the same in the mirror: search it with the symmetry none")]
    Asymmetric(String),
    /// Rows that are too wide, or fewer than are needed.
    #[error("the saved search by rows is of another question")]
    State,
}

/// The most columns of a search by rows.
pub const MAX_ROW_WIDTH: u32 = 12;
/// The longest period of a search by rows.
pub const MAX_ROW_PERIOD: u32 = 32;

impl RowQuestion {
    /// The rule's table, where all is as it should be.
    pub(super) fn check(&self) -> Result<BlockRule, RowQuestionError> {
        let rule = BlockRule::new(&self.rule)?;
        if rule.states() != 2 || rule.time_period() != 1 || rule.next(0, 0, 0) != 0 {
            return Err(RowQuestionError::States(self.rule.to_string()));
        }
        if self.offset == 0 || self.offset >= self.period {
            let (offset, period) = (self.offset, self.period);
            return Err(RowQuestionError::Velocity { offset, period });
        }
        if !(1..=MAX_ROW_WIDTH).contains(&self.width) {
            let (width, most) = (self.width, MAX_ROW_WIDTH);
            return Err(RowQuestionError::Width { width, most });
        }
        if self.period > MAX_ROW_PERIOD {
            let (period, most) = (self.period, MAX_ROW_PERIOD);
            return Err(RowQuestionError::Period { period, most });
        }
        if self.symmetry != RowSymmetry::None && !keeps_symmetry(&rule, Symmetry::MirrorX) {
            return Err(RowQuestionError::Asymmetric(self.rule.to_string()));
        }
        Ok(rule)
    }

    /// The symmetry that what is found has.
    #[must_use]
    pub fn box_symmetry(&self) -> BoxSymmetry {
        match self.symmetry {
            RowSymmetry::None => BoxSymmetry::C1,
            _ => BoxSymmetry::D2Vertical,
        }
    }
}
