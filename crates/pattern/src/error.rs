use crate::limit::{ReadLimits, size};
use std::fmt;
use thiserror::Error;

/// Why bytes could not be read as a pattern, and where in them.
///
/// ```
/// use pattern::Pattern;
///
/// let error = Pattern::from_text("x = 3, y = 1\n2o?").unwrap_err();
/// let place = error.place.unwrap();
/// assert_eq!((place.line, place.column), (2, 3));
/// assert_eq!(error.to_string(), "2:3: expected a cell, `$` or `!`, found `?`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct ReadError {
    /// Where; none where the fault is not at one place, as in broken compression.
    pub place: Option<TextPosition>,
    /// What is wrong there.
    pub problem: PatternProblem,
}

/// A place in a text, both numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for ReadError {
    /// `line:column: problem`, so that a file's name goes in front of it with a colon.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some(place) => write!(f, "{place}: {}", self.problem),
            None => self.problem.fmt(f),
        }
    }
}

/// What is wrong in a pattern file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PatternProblem {
    /// No format's marks are there.
    #[error("not in any pattern format that is known here")]
    UnknownFormat,
    /// Something else stands where something was expected.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What is there.
        found: FoundText,
    },
    /// A number that no count or coordinate can have.
    #[error("the number {0} is too large")]
    NumberTooLarge(String),
    /// A count that begins with 0.
    #[error("a count cannot begin with 0")]
    LeadingZero,
    /// A count that nothing follows on its line.
    #[error("the count {0} has no cell, `$` or `!` right after it")]
    CountAlone(u64),
    /// A state above 255.
    #[error("state {0} is above 255, the highest there is")]
    StateTooHigh(u64),
    /// Cells further out than coordinates go.
    #[error("cells lie further out than coordinates reach (2^63)")]
    OutOfReach,
    /// A macrocell node that names one that comes later, or never.
    #[error("node {named} is named before it is given; {given} have been given so far")]
    NodeNotGiven {
        /// The node's number.
        named: u64,
        /// How many there are so far.
        given: u64,
    },
    /// A macrocell node whose child is of another level than the one below it.
    #[error("node {child} is of level {found}, a child of level {expected} was expected")]
    WrongLevel {
        /// The child's number.
        child: u64,
        /// The level below the node's own.
        expected: u64,
        /// The child's level.
        found: u64,
    },
    /// A macrocell node larger than any world here.
    #[error("level {0} is above 2048, the highest taken here")]
    LevelTooHigh(u64),
    /// Two-state and multistate leaves in one macrocell file.
    #[error("8 x 8 leaves and 2 x 2 leaves cannot be in one file")]
    MixedLeaves,
    /// A leaf or row with more than there is room for.
    #[error("{what} has more than {most}")]
    TooMany {
        /// What has too much.
        what: &'static str,
        /// What it has room for.
        most: &'static str,
    },
    /// A map with more rows than its board.
    #[error("row {row} is one too many, the board has {board}")]
    TooManyRows {
        /// The row's number, from 1.
        row: u64,
        /// The board's rows.
        board: u64,
    },
    /// A map's row with more cells than its board.
    #[error("row {row} has {cells} cells, the board has {board} columns")]
    TooManyColumns {
        /// The row's number, from 1.
        row: u64,
        /// Its cells.
        cells: u64,
        /// The board's columns.
        board: u64,
    },
    /// A cell in a state that the classroom rule does not have.
    #[error("`{cell}` is no state of the rule `{rule}`")]
    ForeignState {
        /// The cell as written.
        cell: char,
        /// The rule's name.
        rule: &'static str,
    },
    /// An apgcode that gives a name but no cells.
    #[error("a code that begins with `{0}` does not tell the cells")]
    NoCells(String),
    /// Compressed data that cannot be unpacked.
    #[error("the gzip data is broken or cut off")]
    BrokenCompression,
    /// Compressed data that would fill the memory.
    #[error("unpacks to more than {}", size((*.0).into()))]
    UnpacksTooLarge(u64),
    /// Compressed data whose compression ratio is higher than that of any pattern.
    #[error(
        "unpacks to more than {ratio} times its size, and to more than {}",
        size(ReadLimits::FREE_BYTES.into())
    )]
    UnpacksTooFar {
        /// How many times its size it may unpack to.
        ratio: u64,
    },
    /// More cells, or more text, than there is memory for.
    #[error("the pattern needs more than {}", size((*.0).into()))]
    NeedsMemory(u64),
}

/// What stands at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundText {
    /// A character, or a byte that is none.
    Character(char),
    /// Several characters that belong together.
    Word(String),
    /// Nothing more on this line.
    EndOfLine,
    /// Nothing more at all.
    EndOfFile,
}

impl fmt::Display for FoundText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(c) if c.is_control() => write!(f, "`{}`", c.escape_default()),
            Self::Character(c) => write!(f, "`{c}`"),
            Self::Word(word) => write!(f, "`{word}`"),
            Self::EndOfLine => f.write_str("the end of the line"),
            Self::EndOfFile => f.write_str("the end of the file"),
        }
    }
}

/// Why a pattern could not be written.
///
/// ```
/// use pattern::{Format, FormatLoss, Pattern, WriteError};
///
/// let wires = Pattern::from_text("ABC!")?;
/// let error = pattern::write(&wires, Format::Plaintext, &mut Vec::new()).unwrap_err();
/// assert!(matches!(error, WriteError::CannotHold { loss: FormatLoss::States, .. }));
/// # Ok::<(), pattern::ReadError>(())
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format cannot represent some cells.
    #[error("{format} cannot hold this pattern: {loss}")]
    CannotHold {
        /// The format's name.
        format: &'static str,
        /// What it cannot hold.
        loss: crate::FormatLoss,
    },
    /// The file would be longer than it may be.
    #[error("as {format} this takes more than {}; macrocell may do", size((*.most).into()))]
    TooLarge {
        /// The format's name.
        format: &'static str,
        /// The most bytes that are written.
        most: u64,
    },
    /// The format writes each cell by itself, and these are too many.
    #[error(
        "as {format} {extent} would take {}, and at most {} are written; rle or macrocell may do",
        size(*.bytes),
        size((*.most).into())
    )]
    TooManyCells {
        /// The format's name.
        format: &'static str,
        /// The cells that are written one by one.
        extent: CellExtent,
        /// How long the file would be.
        bytes: u128,
        /// The most bytes that are written.
        most: u64,
    },
    /// Only read, never written.
    #[error("{format} is read here, not written")]
    NotWritten {
        /// The format's name.
        format: &'static str,
    },
    /// An apgcode begins with the period, which a pattern does not contain.
    #[error("an apgcode tells the period, which has to be found first")]
    PeriodUnknown,
    /// The file could not be written to.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The cells that a format writes one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellExtent {
    /// All of a box.
    Area {
        /// Its columns.
        width: u64,
        /// Its rows.
        height: u64,
    },
    /// The live ones.
    Live(u128),
}

impl fmt::Display for CellExtent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Area { width, height } => write!(f, "{width} x {height} cells"),
            Self::Live(cells) => write!(f, "{cells} live cells"),
        }
    }
}

/// A [`PatternProblem`] at a byte offset; converted to a [`ReadError`] in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternFault {
    pub(crate) offset: usize,
    pub(crate) problem: PatternProblem,
}

impl PatternFault {
    pub(crate) fn new(offset: usize, problem: PatternProblem) -> Self {
        Self { offset, problem }
    }

    /// Something else than `expected` stands at `offset`.
    pub(crate) fn expected(expected: &'static str, bytes: &[u8], offset: usize) -> Self {
        let found = found_at(bytes, offset);
        Self::new(offset, PatternProblem::Expected { expected, found })
    }

    pub(crate) fn locate(self, bytes: &[u8]) -> ReadError {
        let before = &bytes[..self.offset.min(bytes.len())];
        let begin = before
            .iter()
            .rposition(|&b| b == b'\n')
            .map_or(0, |i| i + 1);
        let line = before[..begin].iter().filter(|&&b| b == b'\n').count() as u64 + 1;
        // Bytes that go on with a character of UTF-8 are no columns of their own.
        let column = before[begin..]
            .iter()
            .filter(|&&b| b & 0xc0 != 0x80)
            .count() as u64
            + 1;
        ReadError {
            place: Some(TextPosition { line, column }),
            problem: self.problem,
        }
    }
}

/// What stands at a byte, for an error message.
fn found_at(bytes: &[u8], offset: usize) -> FoundText {
    let Some(rest) = bytes.get(offset..).filter(|rest| !rest.is_empty()) else {
        return FoundText::EndOfFile;
    };
    if rest[0] == b'\n' || rest.starts_with(b"\r\n") {
        return FoundText::EndOfLine;
    }
    let width = rest.len().min(4);
    let first = match std::str::from_utf8(&rest[..width]) {
        Ok(text) => text.chars().next(),
        Err(error) => {
            let valid = &rest[..error.valid_up_to()];
            std::str::from_utf8(valid)
                .ok()
                .and_then(|text| text.chars().next())
        }
    };
    FoundText::Character(first.unwrap_or(char::REPLACEMENT_CHARACTER))
}
