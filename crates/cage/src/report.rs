//! Reports on a sandbox: its layers, what it refused, and how the program ended.

use std::fmt;
use std::io;
use std::time::Duration;
use thiserror::Error;

/// One layer of the cage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// A process group of its own, in a session without a terminal.
    Group,
    /// Limits of memory, time and files.
    Limits,
    /// No new privileges, and none of the old ones that a superuser has.
    Privileges,
    /// Landlock: files that it may read, and none that it may write.
    Files,
    /// Seccomp: no sockets, no processes besides its own, no signals to others.
    Calls,
}

impl Layer {
    /// All of them, in the order in which they are laid on.
    pub const ALL: [Self; 5] = [
        Self::Group,
        Self::Limits,
        Self::Privileges,
        Self::Files,
        Self::Calls,
    ];
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Group => "process group",
            Self::Limits => "resource limits",
            Self::Privileges => "no new privileges",
            Self::Files => "landlock",
            Self::Calls => "seccomp",
        })
    }
}

/// The state of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayerState {
    /// It is active.
    Holds,
    /// It was not requested.
    Off,
    /// This machine does not have it, and why.
    Missing(String),
}

/// Something that the program tried and the sandbox refused.
///
/// ```
/// let refusal = cage::CageRefusal { what: "to open a socket".into(), times: 3 };
/// assert_eq!(refusal.to_string(), "tried to open a socket, 3 times: refused");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CageRefusal {
    /// What it tried, in words: `to open a socket`, `to read /etc/shadow`.
    pub what: String,
    /// How often, as far as it was counted.
    pub times: u64,
}

impl fmt::Display for CageRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times {
            1 => write!(f, "tried {}: refused", self.what),
            times => write!(f, "tried {}, {times} times: refused", self.what),
        }
    }
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitCause {
    /// By itself, with this exit code.
    Code(i32),
    /// By a signal that the caller did not request: one of its own, or the kill for exceeding
    /// the process limit, which the refusals then name.
    Signal(i32),
    /// It was still running and was killed.
    Killed,
}

/// How a program ended and which resources it used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExitReport {
    /// The cause.
    pub cause: ExitCause,
    /// Number of descendants that were still running and were killed.
    pub killed_descendants: u32,
    /// Peak resident memory of its own process in bytes; 0 if unknown. A few MiB may belong to
    /// the sandbox, which ran in that process before the program was executed.
    pub peak_memory: u64,
    /// CPU time of the program and all its descendants.
    pub cpu: Duration,
    /// Refusals that
    /// [`SandboxedProcess::take_refusals`](crate::SandboxedProcess::take_refusals) has not
    /// returned yet.
    pub refusals: Vec<CageRefusal>,
}

/// Why a program was not started.
#[derive(Debug, Error)]
pub enum CageError {
    /// There is no such program, or it cannot be run.
    #[error("{program}: {}", why(error))]
    Program {
        /// Its name.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// A layer that the mode requires is missing.
    #[error("the cage lacks {layer}: {why}")]
    Lacks {
        /// The layer.
        layer: Layer,
        /// Why this machine does not have it.
        why: String,
    },
    /// [`run_supervisor_if_requested`](crate::run_supervisor_if_requested) is not called at the
    /// start of `main`.
    #[error(
        "this program runs no supervisor: call cage::run_supervisor_if_requested first in main"
    )]
    NoSupervisor,
}

/// The message for a system error.
fn why(error: &io::Error) -> String {
    if error.get_ref().is_some() {
        // an error of this crate has its own message
        return error.to_string();
    }
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such program".into(),
        io::ErrorKind::PermissionDenied => {
            "it may not be run: make it executable (chmod +x), or name what runs it (python3 ...)"
                .into()
        }
        _ => {
            let words = error.to_string();
            let words = words.split(" (os error").next().unwrap_or_default();
            words.to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_told_to_whoever_named_the_program() {
        let rows = [
            (
                io::ErrorKind::NotFound.into(),
                "bot: there is no such program",
            ),
            (
                io::Error::from_raw_os_error(2),
                "bot: there is no such program",
            ),
            (
                io::ErrorKind::PermissionDenied.into(),
                "bot: it may not be run: make it executable (chmod +x), or name what runs it \
                 (python3 ...)",
            ),
            (io::Error::other("it is no file"), "bot: it is no file"),
        ];
        for (error, words) in rows {
            let program = "bot".into();
            assert_eq!(CageError::Program { program, error }.to_string(), words);
        }
        #[cfg(target_os = "linux")]
        assert_eq!(
            why(&io::Error::from_raw_os_error(24)),
            "too many open files"
        );
    }
}
