//! What readers of line-based formats share.

use crate::budget::ReadBudget;
use crate::error::{FoundText, PatternFault, PatternProblem};
use crate::rows::RunTable;
use crate::{Cells, Pattern, Run};

/// A line without its end, and where it begins.
#[derive(Clone, Copy)]
pub(crate) struct PatternLine<'a> {
    pub(crate) offset: usize,
    pub(crate) bytes: &'a [u8],
}

impl<'a> PatternLine<'a> {
    /// The text after a mark such as `#C`, without blanks around it.
    pub(crate) fn after(&self, mark: &str) -> Option<String> {
        let rest = self.bytes.strip_prefix(mark.as_bytes())?;
        Some(lossy(rest).trim().to_string())
    }

    /// Words between blanks, each with its offset in the file.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, &'a str)> {
        let (offset, bytes) = (self.offset, self.bytes);
        let mut at = 0;
        std::iter::from_fn(move || {
            while bytes.get(at)?.is_ascii_whitespace() {
                at += 1;
            }
            let begin = at;
            while bytes.get(at).is_some_and(|b| !b.is_ascii_whitespace()) {
                at += 1;
            }
            let word = std::str::from_utf8(&bytes[begin..at]).unwrap_or("\u{fffd}");
            Some((offset + begin, word))
        })
    }

    /// The offset of its end.
    pub(crate) fn end(&self) -> usize {
        self.offset + self.bytes.len()
    }
}

/// The lines of a text; `\n` and `\r\n` end them, and the last needs no end.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = PatternLine<'_>> {
    lines_from(bytes, 0)
}

/// The lines from an offset on.
pub(crate) fn lines_from(bytes: &[u8], mut at: usize) -> impl Iterator<Item = PatternLine<'_>> {
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        let offset = at;
        let end = line_end(bytes, at);
        at = end + 1;
        let line = &bytes[offset..end];
        Some(PatternLine {
            offset,
            bytes: line.strip_suffix(b"\r").unwrap_or(line),
        })
    })
}

/// Where the line that `at` stands on ends.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    at + rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len())
}

pub(crate) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A comment's text: what follows the mark, one blank between left out.
pub(crate) fn comment(bytes: &[u8]) -> String {
    let text = lossy(bytes.strip_prefix(b" ").unwrap_or(bytes));
    text.trim_end().to_string()
}

/// A whole number.
pub(crate) fn integer(offset: usize, word: &str) -> Result<i64, PatternFault> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(unexpected_word("a whole number", offset, word));
    }
    let too_large = || PatternFault::new(offset, PatternProblem::NumberTooLarge(shortened(word)));
    word.parse().map_err(|_| too_large())
}

pub(crate) fn unexpected_word(expected: &'static str, offset: usize, word: &str) -> PatternFault {
    let found = FoundText::Word(shortened(word));
    PatternFault::new(offset, PatternProblem::Expected { expected, found })
}

/// A word shortened for an error message.
pub(crate) fn shortened(word: &str) -> String {
    const MAX_LENGTH: usize = 40;
    match word.char_indices().nth(MAX_LENGTH) {
        Some((cut, _)) => format!("{}…", &word[..cut]),
        None => word.to_string(),
    }
}

/// Takes in a line of free text: formats without marks for a name and an author carry them
/// as `Name: …` and `Author: …`.
pub(crate) fn absorb(pattern: &mut Pattern, text: String) {
    for (mark, field) in [
        ("Name:", &mut pattern.name),
        ("Author:", &mut pattern.author),
    ] {
        if field.is_none()
            && let Some(rest) = text.strip_prefix(mark)
            && !rest.trim().is_empty()
        {
            *field = Some(rest.trim().to_string());
            return;
        }
    }
    pattern.comments.push(text);
}

/// The inverse: the lines that [`absorb`] reads.
pub(crate) fn free_text(pattern: &Pattern) -> Vec<String> {
    let named = |mark: &str, field: &Option<String>| {
        field
            .as_deref()
            .map(|text| format!("{mark} {}", one_line(text)))
    };
    let mut lines = Vec::new();
    lines.extend(named("Name:", &pattern.name));
    lines.extend(named("Author:", &pattern.author));
    for comment in &pattern.comments {
        lines.extend(
            comment
                .split('\n')
                .map(|line| one_line(line).trim_end().to_string()),
        );
    }
    lines
}

/// A text that must not break a line of a file.
pub(crate) fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Adds a live cell that stands at `offset` to runs in any order.
pub(crate) fn push_cell(
    runs: &mut Vec<Run>,
    run: Run,
    budget: &mut ReadBudget,
    offset: usize,
) -> Result<(), PatternFault> {
    if let Some(last) = runs.last_mut()
        && last.y == run.y
        && last.state == run.state
        && last.x.checked_add_unsigned(last.length) == Some(run.x)
    {
        last.length += run.length;
        return Ok(());
    }
    if runs.len() == runs.capacity() {
        let reserved = budget.reserve(runs, 1);
        reserved.map_err(|problem| PatternFault::new(offset, problem))?;
    }
    runs.push(run);
    Ok(())
}

/// The cells of runs in any order, which were read up to `offset`.
pub(crate) fn cells(
    runs: Vec<Run>,
    budget: &mut ReadBudget,
    offset: usize,
) -> Result<Cells, PatternFault> {
    budget.take_at(runs.len().saturating_mul(RunTable::SORTING_BYTES), offset)?;
    Ok(Cells::from_runs(runs))
}
