//! Errors in replay files.

use super::CheckError;
use std::io;
use thiserror::Error;

/// An error in a replay file. Lines are counted over the whole file.
#[derive(Debug, Error)]
#[error("{line}:{column}: {problem}")]
pub struct ReplayError {
    /// The line, from 1.
    pub line: u64,
    /// The character in the line, from 1.
    pub column: u32,
    /// The problem.
    pub problem: ReplayProblem,
}

/// A problem of a replay file.
#[derive(Debug, Error)]
pub enum ReplayProblem {
    /// It cannot be read at all.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// A line is not UTF-8.
    #[error("this is no text")]
    Encoding,
    /// A line is too long.
    #[error("this line is longer than {most} bytes")]
    Long {
        /// The maximum length.
        most: usize,
    },
    /// Not a replay.
    #[error("a replay begins with `gridpaper replay 1`")]
    Title,
    /// An unsupported format version.
    #[error("this replay is of version {0}, and only version 1 can be read")]
    Version(String),
    /// An unexpected line.
    #[error("a line with `{expected}` should stand here")]
    Line {
        /// The expected keyword.
        expected: &'static str,
    },
    /// An unexpected word or number.
    #[error("`{given}` stands where {expected} should")]
    Word {
        /// The given text, truncated for a message.
        given: String,
        /// What was expected.
        expected: &'static str,
    },
    /// An invalid escape.
    #[error("a backslash stands before \\, n, r, t, s, e or u{{…}}")]
    Escape,
    /// A seat has a second fault.
    #[error("the {0} seat has its fault already")]
    Twice(games::Seat),
    /// More moves than announced.
    #[error("{expected} were announced, and here are more")]
    Surplus {
        /// The announced number.
        expected: usize,
    },
    /// The checksum fails for this line, or for one since the last mark.
    #[error("this is not as it was written{}", to_line(*.to))]
    Changed {
        /// The last line of the damaged range, if it is more than one line.
        to: Option<u64>,
    },
    /// The file ends in a game.
    #[error("the file ends before the game does")]
    End,
    /// The game is contradictory.
    #[error("{0}")]
    Check(Box<CheckError>),
}

fn to_line(to: Option<u64>) -> String {
    to.map_or(String::new(), |line| {
        format!(", here or further on up to line {line}")
    })
}
