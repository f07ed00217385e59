//! Errors in moves and positions that are given as text.

use thiserror::Error;

/// Why a text is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// It does not read as a move of this game.
    #[error("`{text}` is no move; {expected}")]
    Unreadable {
        /// What was given, at most its first 40 characters.
        text: String,
        /// What a move looks like here: `give a column letter and a row number, such as B2`.
        expected: String,
    },
    /// The place is not on the board.
    #[error("{place} is off the board, which goes from {from} to {to}")]
    OffBoard {
        /// The place as it was given.
        place: String,
        /// A corner of the board.
        from: String,
        /// The opposite corner.
        to: String,
    },
    /// Something stands there.
    #[error("{place} is taken")]
    Taken {
        /// The place.
        place: String,
    },
    /// The stone would stand alone, and the rules ask for a neighbour.
    #[error("{place} has no stone beside it")]
    NoNeighbour {
        /// The place.
        place: String,
    },
    /// It costs more than the seat has.
    #[error("that costs {cost} mana, and there is {mana}")]
    TooDear {
        /// What it costs.
        cost: u32,
        /// What the seat has.
        mana: u32,
    },
    /// This seat is not to move.
    #[error("it is not your turn")]
    NotToMove,
    /// The game has ended.
    #[error("the game is over")]
    Over,
}

impl MoveError {
    /// An unreadable move, its text cut to what fits in a message.
    ///
    /// ```
    /// use games::MoveError;
    ///
    /// let error = MoveError::unreadable("  pass ", "give a cell, such as B2");
    /// assert_eq!(error.to_string(), "`pass` is no move; give a cell, such as B2");
    /// ```
    #[must_use]
    pub fn unreadable(text: &str, expected: impl Into<String>) -> Self {
        Self::Unreadable {
            text: text.trim().chars().take(40).collect(),
            expected: expected.into(),
        }
    }
}

/// Why a text is no position, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}:{column}: {problem}")]
pub struct StateError {
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
    /// What is wrong there.
    pub problem: StateProblem,
}

/// What is wrong with the text of a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateProblem {
    /// The text ends too early, or a line is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// There is more than a position.
    #[error("nothing is expected here")]
    Surplus,
    /// A row of another length than the board's.
    #[error("this row has {given} cells, the board has {expected}")]
    Length {
        /// Cells in the row.
        given: usize,
        /// Columns of the board.
        expected: usize,
    },
    /// A sign that stands for no cell.
    #[error("`{0}` is no cell")]
    Cell(char),
    /// A number or a word that should be another.
    #[error("{what} is `{given}`, but {expected}")]
    Word {
        /// The meaning of the word.
        what: &'static str,
        /// The word.
        given: String,
        /// What it may be.
        expected: String,
    },
}
