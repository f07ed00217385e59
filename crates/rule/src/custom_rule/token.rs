//! The words of an expression.

use std::ops::Range;

/// Words that cannot be names.
pub(super) const WORDS: [&str; 11] = [
    "let", "if", "else", "self", "count", "and", "or", "not", "in", "min", "max",
];

/// Where a piece of the text stands, in bytes.
pub(super) type SourceSpan = Range<usize>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SourceToken<'a> {
    /// Digits; those that fit no number are the greatest one.
    Number(i64),
    Word(&'a str),
    /// One of [`MARKS`].
    Mark(&'static str),
    /// Nothing that belongs here.
    Stray(char),
    End,
}

/// The longer ones first.
const MARKS: [&str; 17] = [
    "==", "!=", "<=", ">=", "..", "<", ">", "+", "-", "*", "(", ")", "{", "}", ",", "=", "//",
];

/// All words from `start` to the end of the text, and the end itself.
pub(super) fn tokens(text: &str, start: usize) -> Vec<(SourceSpan, SourceToken<'_>)> {
    let mut tokens = Vec::new();
    let mut at = start;
    loop {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else {
            // what is missing at the end is missing after the last word
            let end = tokens
                .last()
                .map_or(start, |(span, _): &(SourceSpan, _)| span.end);
            tokens.push((end..end, SourceToken::End));
            return tokens;
        };
        let while_in = |pass: fn(char) -> bool| rest.find(|c| !pass(c)).unwrap_or(rest.len());
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, token) = if first.is_ascii_digit() {
            let length = while_in(|c| c.is_ascii_digit());
            (
                length,
                SourceToken::Number(rest[..length].parse().unwrap_or(i64::MAX)),
            )
        } else if is_name_start(first) {
            let length = while_in(is_name_part);
            (length, SourceToken::Word(&rest[..length]))
        } else {
            match MARKS.into_iter().find(|mark| rest.starts_with(mark)) {
                Some("//") => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                Some(mark) => (mark.len(), SourceToken::Mark(mark)),
                None => (first.len_utf8(), SourceToken::Stray(first)),
            }
        };
        tokens.push((at..at + length, token));
        at += length;
    }
}

pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(super) fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
