use engine::{BackwardError, MemoryLimitError, UnsupportedError};
use pattern::WriteError;
use source::{PatternSourceError, RuleResolutionError};
use thiserror::Error as ThisError;

/// Why a world or a pattern cannot be had, or not be moved on.
///
/// ```
/// use gridpaper::{Error, World};
///
/// let fault = World::open("glidre").unwrap_err();
/// assert!(matches!(fault, Error::Pattern(_)));
/// assert!(fault.to_string().contains("glidre"));
/// ```
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A pattern's name, file or text is none, with the place of the fault.
    #[error(transparent)]
    Pattern(#[from] PatternSourceError),
    /// A rule's text or file is none, with the place of the fault.
    #[error(transparent)]
    Rule(#[from] RuleResolutionError),
    /// No engine takes the rule, its topology or a cell.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedError),
    /// The world would outgrow its memory; it stands at a whole generation.
    #[error(transparent)]
    Memory(#[from] MemoryLimitError),
    /// The caller stopped the run; the world stands at a whole generation.
    #[error("stopped before the end")]
    Stopped,
    /// The rule cannot be run backwards.
    #[error(transparent)]
    Backward(#[from] BackwardError),
    /// A pattern does not fit the format that it was to be written in.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A buffer of the caller's is of another length than the rectangle needs.
    #[error("the buffer has {found} elements, and {expected} are needed")]
    BufferLength {
        /// Elements that the buffer has.
        found: usize,
        /// Elements that it needs.
        expected: usize,
    },
}
