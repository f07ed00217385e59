//! Why a command was not done.

use crate::command::CommandError;
use crate::file_access::FileAccessError;
use engine::UnsupportedError;
use num_bigint::{BigInt, BigUint};
use pattern::WriteError;
use pattern::soup::{SoupError, UnknownSymmetry};
use source::rule_file::RuleResolutionError;
use source::{PatternSourceError, bytes_words};
use thiserror::Error;

/// Why a command was not done. Nothing has changed then.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CommandRefusal {
    /// Something would be lost, so it is asked first.
    #[error("{question}")]
    Asks {
        /// What would be lost.
        question: String,
        /// The command that says yes.
        command: String,
        /// What yes means, for a button: `start anew`.
        yes: &'static str,
    },
    /// The text is no command.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The engine does not take it.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedError),
    /// A pattern that cannot be written so.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file or a name that leads nowhere.
    #[error(transparent)]
    Source(#[from] PatternSourceError),
    /// A text that is no rule.
    #[error(transparent)]
    Rule(#[from] RuleResolutionError),
    /// What the desk does not reach, or does not take.
    #[error(transparent)]
    Desk(#[from] FileAccessError),
    /// Bytes that are no draft.
    #[error(transparent)]
    Draft(#[from] crate::draft::DraftError),
    /// No such soup.
    #[error(transparent)]
    Soup(#[from] SoupError),
    /// No such symmetry.
    #[error("symmetry {name}: {error}")]
    Symmetry {
        /// What was said.
        name: String,
        /// What there is.
        error: UnknownSymmetry,
    },
    /// Nothing is selected.
    #[error("nothing is selected")]
    NothingSelected,
    /// Nothing lives there.
    #[error("nothing lives {0}")]
    NothingLives(&'static str),
    /// The clipboard is empty.
    #[error("the clipboard is empty")]
    NothingToPaste,
    /// Nothing to take back.
    #[error("nothing to undo")]
    NothingToUndo,
    /// Nothing to make again.
    #[error("nothing to redo")]
    NothingToRedo,
    /// A generation that is not known.
    #[error("generation {0} lies before the start")]
    BeforeStart(BigInt),
    /// More cells than can be handled one by one.
    #[error("{what}: {cells} cells are too many, {most} is the most")]
    TooMany {
        /// What was to be done.
        what: &'static str,
        /// How many it would be.
        cells: u128,
        /// How many can be.
        most: u64,
    },
    /// A quadtree of more cells than anybody waits for is to be written one run after the other.
    #[error("save: {cells} live cells, one run after the other, would take very long")]
    TooLong {
        /// How many live.
        cells: BigUint,
    },
    /// A state that the rule does not have.
    #[error("{rule} has {states} states, 0 to {}, and no {state}", states - 1)]
    NoSuchState {
        /// The rule.
        rule: String,
        /// How many it has.
        states: u16,
        /// What was asked for.
        state: u8,
    },
    /// A cell outside the grid.
    #[error("{x},{y} lies outside the grid")]
    OutsideGrid {
        /// Column.
        x: i64,
        /// Row.
        y: i64,
    },
    /// A cell further out than cells can be drawn.
    #[error("this is too far out to draw")]
    TooFar,
    /// More memory than the session may give a world.
    #[error("{} is more than the {} that a world may take here", bytes_words(*bytes), bytes_words(*most))]
    TooMuchMemory {
        /// Bytes that were asked for.
        bytes: u64,
        /// Bytes that there are.
        most: u64,
    },
    /// It was told to stop on the way.
    #[error("{0} was stopped, and nothing was changed")]
    Stopped(&'static str),
    /// More memory than all may take that a session holds.
    #[error(
        "{what}: this would take more than the {} that everything here may take together",
        bytes_words(*most)
    )]
    NoRoom {
        /// What was to be done.
        what: &'static str,
        /// Bytes that there are.
        most: u64,
    },
    /// Nowhere to save to.
    #[error("it has no file yet")]
    NoFile,
}

impl CommandRefusal {
    /// What may help.
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
            Self::NothingSelected => Some("select some cells first".into()),
            Self::NothingToPaste => Some("copy some cells, or take rle in with clipboard".into()),
            Self::NoRoom { .. } => {
                Some("--memory gives it more, and new begins with nothing".into())
            }
            Self::NoFile => Some("save NAME gives it one".into()),
            Self::BeforeStart(_) => Some("reset goes to the start".into()),
            _ => None,
        }
    }
}
