//! The lines and words of a `.rule` file, each with its place.

use super::{RuleFileError, RuleFileProblem};

/// One line, and which one it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleFileLine<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) text: &'a str,
}

impl<'a> RuleFileLine<'a> {
    /// Without a comment and the blanks around; `None` if nothing is left.
    pub(super) fn content(self) -> Option<&'a str> {
        let text = self.text.split('#').next().unwrap_or_default().trim();
        (!text.is_empty()).then_some(text)
    }

    /// A problem at a part of this line.
    pub(super) fn at(self, part: &str, problem: RuleFileProblem) -> RuleFileError {
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let before = self.text.get(..start).unwrap_or_default();
        RuleFileError {
            line: self.number,
            column: before.chars().count() + 1,
            problem,
        }
    }

    pub(super) fn expected(self, part: &str, what: &'static str) -> RuleFileError {
        self.at(part, RuleFileProblem::Expected(what))
    }

    /// A whole number; words that are too long for one count as the largest.
    pub(super) fn number(self, part: &str, what: &'static str) -> Result<u64, RuleFileError> {
        if part.is_empty() || !part.bytes().all(|b| b.is_ascii_digit()) {
            return Err(self.expected(part, what));
        }
        Ok(part.parse().unwrap_or(u64::MAX))
    }

    /// How many states a rule says it has.
    pub(super) fn state_count(self, part: &str) -> Result<u16, RuleFileError> {
        let count = self.number(part, "the number of states")?;
        match u16::try_from(count) {
            Ok(count @ 2..=256) => Ok(count),
            _ => Err(self.at(part, RuleFileProblem::StateCount(part.into()))),
        }
    }
}

/// A section: what follows its `@` line up to the next one.
#[derive(Clone, Debug)]
pub(super) struct RuleFileSection<'a> {
    /// The line with the `@`.
    pub(super) head: RuleFileLine<'a>,
    pub(super) lines: Vec<RuleFileLine<'a>>,
}

/// The sections in the order of the file. What stands before the first is left out.
pub(super) fn sections(text: &str) -> Vec<RuleFileSection<'_>> {
    let mut sections: Vec<RuleFileSection<'_>> = Vec::new();
    for (i, text) in text.lines().enumerate() {
        let line = RuleFileLine {
            number: i + 1,
            text,
        };
        let is_head = text
            .strip_prefix('@')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        match sections.last_mut() {
            _ if is_head => sections.push(RuleFileSection {
                head: line,
                lines: Vec::new(),
            }),
            Some(section) => section.lines.push(line),
            None => {}
        }
    }
    sections
}

impl<'a> RuleFileSection<'a> {
    /// `@TABLE` and the like.
    pub(super) fn kind(&self) -> &'a str {
        let mut words = self.head.text.split_whitespace();
        words.next().unwrap_or_default()
    }
}
