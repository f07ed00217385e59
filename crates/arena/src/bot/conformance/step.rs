//! The report of one step of a conformance check.

use std::fmt;
use std::time::Duration;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingSeverity {
    /// As it should be.
    Ok,
    /// Harmless here, but could lose games elsewhere or on a busy machine.
    Warning,
    /// A violation of the protocol, which loses games.
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

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its severity; [`FindingSeverity::Ok`] for mere information.
    pub severity: FindingSeverity,
    /// Its description.
    pub message: String,
}

/// One step of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckStep {
    /// What was done: `the first turn`.
    pub title: String,
    /// Lines sent to the bot.
    pub sent: Vec<String>,
    /// Lines received; control characters are escaped, `\u{1b}`.
    pub received: Vec<String>,
    /// Its response time, where an answer was due.
    pub spent: Option<Duration>,
    /// The time limit.
    pub limit: Option<Duration>,
    /// The findings.
    pub findings: Vec<Finding>,
}

impl CheckStep {
    pub(super) fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            ..Self::default()
        }
    }

    /// The worst severity of its findings.
    ///
    /// ```
    /// use arena::bot::{CheckStep, Finding, FindingSeverity};
    ///
    /// let found = |severity| Finding { severity, message: "seen".into() };
    /// let findings = vec![found(FindingSeverity::Warning), found(FindingSeverity::Wrong)];
    /// let step = CheckStep { findings, ..CheckStep::default() };
    /// assert_eq!(step.severity(), FindingSeverity::Wrong);
    /// ```
    #[must_use]
    pub fn severity(&self) -> FindingSeverity {
        let severities = self.findings.iter().map(|finding| finding.severity);
        severities.max().unwrap_or(FindingSeverity::Ok)
    }

    pub(super) fn find(&mut self, severity: FindingSeverity, message: impl Into<String>) {
        let message = message.into();
        self.findings.push(Finding { severity, message });
    }
}
