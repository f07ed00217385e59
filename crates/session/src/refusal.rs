//! Why a command was refused.

use crate::command::CommandError;
use crate::file_access::FileAccessError;
use engine::UnsupportedError;
use num_bigint::{BigInt, BigUint};
use pattern::WriteError;
use pattern::soup::{SoupError, UnknownSymmetry};
use source::rule_file::RuleResolutionError;
use source::{PatternSourceError, bytes_words};
use thiserror::Error;

/// Why a command was refused. Nothing has changed in that case.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandRefusal {
    /// Something would be lost, so the user has to confirm.
    #[error("{question}")]
    Asks {
        /// The question: what would be lost.
        question: String,
        /// The command that confirms.
        command: String,
        /// The label of a button that confirms: `start rebuild_world`.
        yes: &'static str,
    },
    /// The text is not a command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The engine rejected it.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedError),
    /// The pattern cannot be written in this format.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A pattern could not be found or read.
    #[error(transparent)]
    Source(#[from] PatternSourceError),
    /// The text is not a rule.
    #[error(transparent)]
    Rule(#[from] RuleResolutionError),
    /// File access or a size limit does not allow it.
    #[error(transparent)]
    Desk(#[from] FileAccessError),
    /// The bytes are not a draft.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// The soup's recipe is invalid.
    #[error(transparent)]
    Soup(#[from] SoupError),
    /// There is no such symmetry.
    #[error("symmetry {name}: {error}")]
    Symmetry {
        /// The name as given.
        name: String,
        /// The error, with the known names.
        error: UnknownSymmetry,
    },
    /// There is no selection.
    #[error("nothing is selected")]
    NothingSelected,
    /// There are no live cells.
    #[error("no live cells {0}")]
    NothingLives(&'static str),
    /// The clipboard is empty.
    #[error("the clipboard is empty")]
    NothingToPaste,
    /// The pasted text has no more patterns.
    #[error("there are no more patterns in the text")]
    NoMorePatterns,
    /// The undo history is empty.
    #[error("nothing to undo")]
    NothingToUndo,
    /// There is nothing to redo.
    #[error("nothing to redo")]
    NothingToRedo,
    /// The generation lies before the first checkpoint.
    #[error("generation {0} lies before the start")]
    BeforeStart(BigInt),
    /// There are too many cells to edit one by one.
    #[error("{what}: {cells} cells are too many, {most} is the most")]
    TooMany {
        /// The command's name.
        what: &'static str,
        /// The number of cells.
        cells: u128,
        /// The limit.
        most: u64,
    },
    /// The pattern has too many live cells to be written as runs.
    #[error("save: {cells} live cells, one run after the other, would take very long")]
    TooLong {
        /// The number of live cells.
        cells: BigUint,
    },
    /// The rule does not have this state.
    #[error("{rule} has {states} states, 0 to {}, and no {state}", states - 1)]
    NoSuchState {
        /// The rule.
        rule: String,
        /// The number of its states.
        states: u16,
        /// The requested state.
        state: u8,
    },
    /// The cell lies outside the grid.
    #[error("{x},{y} lies outside the grid")]
    OutsideGrid {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
    },
    /// The word cannot name a bookmark.
    #[error("`{name}` cannot name a bookmark: one word of letters, digits and hyphens can")]
    BookmarkName {
        /// The word.
        name: String,
    },
    /// There is no such bookmark.
    #[error("there is no bookmark {name}")]
    NoBookmark {
        /// The name as given.
        name: String,
        /// The names that there are, with commas between them.
        known: String,
    },
    /// The pattern has no heading.
    #[error("{ship} does not move: it has no heading")]
    NoHeading {
        /// The pattern's name.
        ship: String,
    },
    /// The ship cannot head there.
    #[error("{ship} cannot head {heading}: it goes {possible}")]
    WrongHeading {
        /// The ship's name.
        ship: String,
        /// The heading as given.
        heading: &'static str,
        /// Where it can head.
        possible: &'static str,
    },
    /// The phase lies too many generations ahead.
    #[error("a phase of {phase} generations is too far ahead: {most} is the most")]
    TooFarPhase {
        /// The phase as given.
        phase: u64,
        /// The limit.
        most: u64,
    },
    /// The cells to fill go on without end.
    #[error("the cells to fill have no border: they go on beyond all that lives")]
    NoBorder,
    /// The cell's coordinates are too large for drawing.
    #[error("this is too far out to draw")]
    TooFar,
    /// The requested memory exceeds the limit for a world.
    #[error("{} is more than the {} that a world may take here", bytes_words(*bytes), bytes_words(*most))]
    TooMuchMemory {
        /// The requested bytes.
        bytes: u64,
        /// The limit in bytes.
        most: u64,
    },
    /// The command was stopped.
    #[error("{0} was stopped, and nothing was changed")]
    Stopped(&'static str),
    /// The session's memory limit is reached.
    #[error(
        "{what}: this would take more than the {} that everything here may take together",
        bytes_words(*most)
    )]
    NoRoom {
        /// The command's name.
        what: &'static str,
        /// The limit in bytes.
        most: u64,
    },
    /// There is no file to save to.
    #[error("it has no file yet")]
    NoFile,
}

impl CommandRefusal {
    /// A hint for the user.
    ///
    /// ```
    /// use session::{Session, Viewer, file_access::FileAccess};
    ///
    /// let (mut session, mut viewer) = (Session::new(FileAccess::default(), 0), Viewer::new(9, 9));
    /// let refused = session.apply(&mut viewer, &"cut".parse()?).unwrap_err();
    /// assert_eq!(refused.hint().as_deref(), Some("select some cells first"));
    /// # Ok::<(), session::command::CommandError>(())
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Command(error) => error.hint(),
            Self::Source(error) => error.hint(),
            Self::Rule(error) => error.hint(),
            Self::Desk(error) => error.hint(),
            Self::Soup(error) => error.hint().map(str::to_string),
            Self::Write(WriteError::CannotHold { .. }) => {
                Some("rle holds all states, macrocell any distance too".into())
            }
            Self::TooLong { .. } => Some("save NAME as macrocell keeps it as it is held".into()),
            Self::NoBookmark { known, .. } if known.is_empty() => {
                Some("bookmark NAME makes one".into())
            }
            Self::NoBookmark { known, .. } => Some(format!("there are {known}")),
            Self::NoBorder => Some("a selection is a border too".into()),
            Self::NothingSelected => Some("select some cells first".into()),
            Self::NothingToPaste => {
                Some("copy some cells, or give RLE to the command clipboard".into())
            }
            Self::NoRoom { .. } => {
                Some("--memory gives it more, and new makes an empty world".into())
            }
            Self::NoFile => Some("save NAME gives it one".into()),
            Self::BeforeStart(_) => Some("reset goes to the start".into()),
            _ => None,
        }
    }
}

/// Why bytes are not a valid draft.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DraftError {
    /// The first line is missing.
    #[error("this is no draft")]
    Foreign,
    /// The header cannot be read.
    #[error("the draft's head cannot be read: {0}")]
    Head(String),
}
