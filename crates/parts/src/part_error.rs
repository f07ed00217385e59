//! Why parts cannot be read, written or added.

use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why parts cannot be read, written or added.
#[derive(Debug, Error)]
pub enum PartError {
    /// The system refuses something.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The first line is no plan of this kind of work.
    #[error("{}: this is no part of a {work}: its first line is not a plan", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The work: `census`.
        work: &'static str,
    },
    /// A line is not as it was written.
    #[error("{}: line {line} is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The part is one of another plan, program or rule.
    #[error("{}: the {what} of this part is {kept}, and not {wanted} as in {other}", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// What differs: `rule`.
        what: String,
        /// Its value in the file.
        kept: String,
        /// The other value.
        wanted: String,
        /// Where that is from.
        other: String,
    },
    /// One unit has two results.
    #[error("unit {unit} ({name}) has two different results: in {} and in {other}", path.display())]
    TwoResults {
        /// The unit.
        unit: u64,
        /// What it is: `soups 40 to 49`.
        name: String,
        /// The first file.
        path: PathBuf,
        /// The second file, or `this run`.
        other: String,
    },
    /// Another program appends to the part.
    #[error("{}: another program is writing this part", .0.display())]
    Busy(PathBuf),
}

impl PartError {
    /// A hint, if there is one.
    ///
    /// ```
    /// let error = parts::PartError::Busy("1-of-2.gpart".into());
    /// assert_eq!(error.hint(), Some("give each process a share of its own with --shard"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Busy(_) => Some("give each process a share of its own with --shard"),
            Self::OtherPlan { .. } => Some("keep the parts of each plan in a folder of their own"),
            Self::Foreign { work, .. } if *work != "tournament" => {
                Some("parts of a tournament are added by `gridpaper tournament merge`")
            }
            Self::Damaged { .. } => Some("remove the line; what is missing can be done again"),
            Self::TwoResults { .. } => {
                Some("one of the machines is faulty: `--check` with each file alone tells which")
            }
            Self::File { .. } | Self::Foreign { .. } => None,
        }
    }

    /// Makes an error of what the system says of a file.
    pub(crate) fn of_file(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self::File {
            path: path.clone(),
            error,
        }
    }
}
