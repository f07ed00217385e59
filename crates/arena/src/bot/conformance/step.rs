//! What is told of each step of a check.

use std::fmt;
use std::time::Duration;

/// How good or bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingSeverity {
    /// As it should be.
    Ok,
    /// It loses no game here, but could elsewhere, or on a busy machine.
    Warning,
    /// It departs from the protocol, and loses games.
    Wrong,
}

impl fmt::Display for FindingSeverity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Wrong => "wrong",
        })
    }
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is; [`FindingSeverity::Ok`] for what is only good to know.
    pub verdict: FindingSeverity,
    /// What it is.
    pub words: String,
}

/// One step of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckStep {
    /// What was done: `the first turn`.
    pub title: String,
    /// What the bot was told, line by line.
    pub said: Vec<String>,
    /// The lines that came back; control characters in them as a program writes them, `\u{1b}`.
    pub heard: Vec<String>,
    /// How long it took to answer, where an answer was due.
    pub spent: Option<Duration>,
    /// How long it may have taken.
    pub limit: Option<Duration>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl CheckStep {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// The worst of its findings.
    #[must_use]
    pub fn verdict(&self) -> FindingSeverity {
        let verdicts = self.findings.iter().map(|finding| finding.verdict);
        verdicts.max().unwrap_or(FindingSeverity::Ok)
    }

    pub(super) fn find(&mut self, verdict: FindingSeverity, words: impl Into<String>) {
        let words = words.into();
        self.findings.push(Finding { verdict, words });
    }
}
