//! Reasons for ending a command early and their exit codes, decided in this one place.

use anstyle::{AnsiColor, Style};
use source::rule_file::RuleResolutionError;
use source::{PatternSourceError, address_hint, address_words, io_words, is_address};
use std::{fmt, io, io::Write as _, process::ExitCode};

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum CliFailure {
    /// The answer is no: exit code 1.
    No {
        /// The message.
        message: String,
        /// A hint.
        hint: Option<String>,
    },
    /// Wrong arguments, or input that cannot be read: exit code 2.
    Wrong {
        /// The problem, with its position in text.
        message: String,
        /// A hint.
        hint: Option<String>,
    },
    /// From clap: help and version are success, anything else is exit code 2.
    Arguments(clap::Error),
    /// A limit that was given ended it: exit code 3.
    Limit {
        /// The limit, and the progress so far.
        message: String,
    },
    /// Ctrl-C: exit code 130, as shells have it.
    Interrupted {
        /// The progress so far.
        message: String,
    },
    /// The reader of the output has closed it: not an error.
    ReaderGone,
}

impl CliFailure {
    pub(crate) fn wrong(message: impl fmt::Display) -> Self {
        Self::Wrong {
            message: message.to_string(),
            hint: None,
        }
    }

    /// The user stopped it.
    pub(crate) fn interrupted(message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self::Interrupted { message }
    }

    /// It ended at a limit, and the answer is open.
    pub(crate) fn limit(message: impl fmt::Display) -> Self {
        let message = message.to_string();
        Self::Limit { message }
    }

    pub(crate) fn with_hint(self, hint: impl Into<Option<String>>) -> Self {
        match (self, hint.into()) {
            (Self::Wrong { message, .. }, Some(hint)) => Self::Wrong {
                message,
                hint: Some(hint),
            },
            (other, _) => other,
        }
    }

    /// A file's or stream's error, with its name.
    pub(crate) fn io(name: impl fmt::Display, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::ReaderGone;
        }
        let name = name.to_string();
        if error.kind() == io::ErrorKind::NotFound && is_address(&name) {
            return Self::address(&name);
        }
        Self::wrong(format_args!("{name}: {}", io_words(error)))
    }

    /// An address in place of a file's name.
    pub(crate) fn address(address: &str) -> Self {
        let hint = address_hint(address).to_string();
        Self::wrong(address_words(address)).with_hint(hint)
    }

    /// Prints it to standard error and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Self::No { message, hint } => {
                say("no", AnsiColor::Yellow, message);
                hint.iter().for_each(self::hint);
                ExitCode::from(1)
            }
            Self::Wrong { message, hint } => {
                say("error", AnsiColor::Red, message);
                hint.iter().for_each(self::hint);
                ExitCode::from(2)
            }
            Self::Arguments(error) => {
                // A reader that went away, of help or of an error, changes nothing.
                let _ = error.print();
                ExitCode::from(if error.use_stderr() { 2 } else { 0 })
            }
            Self::Limit { message } => {
                say("stopped", AnsiColor::Yellow, message);
                ExitCode::from(3)
            }
            Self::Interrupted { message } => {
                say("interrupted", AnsiColor::Yellow, message);
                ExitCode::from(130)
            }
            Self::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

impl From<clap::Error> for CliFailure {
    fn from(error: clap::Error) -> Self {
        Self::Arguments(error)
    }
}

impl From<PatternSourceError> for CliFailure {
    fn from(error: PatternSourceError) -> Self {
        match &error {
            PatternSourceError::Io { name, error } => Self::io(name, error),
            _ => Self::wrong(&error).with_hint(error.hint()),
        }
    }
}

impl From<RuleResolutionError> for CliFailure {
    fn from(error: RuleResolutionError) -> Self {
        match &error {
            RuleResolutionError::Io { path, error } => Self::io(path.display(), error),
            _ => Self::wrong(&error).with_hint(error.hint()),
        }
    }
}

/// Prints a note, which is no error, to standard error.
pub(crate) fn note(message: impl fmt::Display) {
    say("note", AnsiColor::Blue, message);
}

/// Prints a hint that belongs to a note.
pub(crate) fn hint(message: impl fmt::Display) {
    say("hint", AnsiColor::Cyan, message);
}

fn say(label: &str, colour: AnsiColor, message: impl fmt::Display) {
    let style = Style::new().bold().fg_color(Some(colour.into()));
    // An unwritable standard error cannot be reported.
    let _ = writeln!(anstream::stderr(), "{style}{label}:{style:#} {message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn io_errors_are_in_our_own_tone() {
        let error = io::Error::from_raw_os_error(2);
        let CliFailure::Wrong { message, .. } = CliFailure::io("glider.rle", &error) else {
            panic!("a missing file is wrong input");
        };
        assert_eq!(message, "glider.rle: no such file or directory");
    }

    #[test]
    fn a_broken_pipe_is_no_error() {
        let error = io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(matches!(
            CliFailure::io("-", &error),
            CliFailure::ReaderGone
        ));
    }
}
