//! Why a file is not read, and where.

use super::CheckError;
use std::io;
use thiserror::Error;

/// What is wrong with a file of replays, and where. Lines are counted over the whole file.
#[derive(Debug, Error)]
#[error("{line}:{column}: {problem}")]
pub struct ReplayError {
    /// The line, from 1.
    pub line: u64,
    /// The character in it, from 1.
    pub column: u32,
    /// What is wrong there.
    pub problem: ReplayProblem,
}

/// What is wrong with a file of replays.
#[derive(Debug, Error)]
pub enum ReplayProblem {
    /// It cannot be read at all.
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    /// A line is not UTF-8.
    #[error("this is no text")]
    Encoding,
    /// A line is longer than any that is written.
    #[error("this line is longer than {most} bytes")]
    Long {
        /// The longest that is read.
        most: usize,
    },
    /// What is here is no replay.
    #[error("a replay begins with `gridpaper replay 1`")]
    Title,
    /// It was written by another version of this program.
    #[error("this replay is of version {0}, and only version 1 can be read")]
    Version(String),
    /// Another line should stand here.
    #[error("a line with `{expected}` should stand here")]
    Line {
        /// What the line should begin with.
        expected: &'static str,
    },
    /// A word or a number that should be another.
    #[error("`{given}` stands where {expected} should")]
    Word {
        /// What is there, cut to what fits into a message.
        given: String,
        /// What should be.
        expected: &'static str,
    },
    /// A backslash that means nothing.
    #[error("a backslash stands before \\, n, r, t, s, e or u{{…}}")]
    Escape,
    /// A seat has more than one of what it can have once.
    #[error("the {0} seat has its fault already")]
    Twice(games::Seat),
    /// More or fewer moves than announced.
    #[error("{expected} were announced, and here are more")]
    Surplus {
        /// How many moves were announced.
        expected: usize,
    },
    /// A line of moves is not as it was written, or one before it since the last.
    #[error("this is not as it was written{}", to_line(*.to))]
    Changed {
        /// The last of the lines among which the change is, where there are several.
        to: Option<u64>,
    },
    /// The file ends in a game.
    #[error("the file ends before the game does")]
    End,
    /// The game is read, and is not what it is said to be.
    #[error("{0}")]
    Check(Box<CheckError>),
}

fn to_line(to: Option<u64>) -> String {
    to.map_or(String::new(), |line| {
        format!(", here or further on up to line {line}")
    })
}
