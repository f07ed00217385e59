use crate::error::{RuleFault, RuleProblem};

/// A parser's position in the text of a rule.
#[derive(Clone, Debug)]
pub(crate) struct RuleTextCursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> RuleTextCursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at == self.text.len()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The next character in lower case, without taking it.
    pub(crate) fn peek_lower(&self) -> Option<char> {
        self.peek().map(|c| c.to_ascii_lowercase())
    }

    pub(crate) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Takes `bytes` bytes, which must end at the end of a character.
    pub(crate) fn skip(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Takes `what` if it stands here, in either case.
    pub(crate) fn eat(&mut self, what: &str) -> bool {
        let here = self.rest().get(..what.len());
        let found = here.is_some_and(|h| h.eq_ignore_ascii_case(what));
        if found {
            self.at += what.len();
        }
        found
    }

    /// Takes `what`, or fails with the error that it was expected.
    pub(crate) fn need(&mut self, what: &str, name: &'static str) -> Result<(), RuleFault> {
        if self.eat(what) {
            return Ok(());
        }
        Err(self.expected(name))
    }

    /// Takes the longest prefix whose characters all satisfy `pass`.
    pub(crate) fn take_while(&mut self, pass: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !pass(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// An unsigned number; `None` when no digit stands here.
    pub(crate) fn number(&mut self) -> Result<Option<i64>, RuleFault> {
        let start = self.at;
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        match digits.parse() {
            Ok(n) if n < i64::MAX / 4 => Ok(Some(n)),
            _ => Err(RuleFault::new(start, RuleProblem::LongNumber)),
        }
    }

    /// An unsigned number within bounds.
    pub(crate) fn number_within(
        &mut self,
        what: &'static str,
        least: i64,
        most: i64,
    ) -> Result<i64, RuleFault> {
        let start = self.at;
        let value = self
            .number()?
            .ok_or_else(|| RuleFault::expected(start, what))?;
        if value < least || value > most {
            let problem = RuleProblem::OutOfRange {
                what,
                value,
                least,
                most,
            };
            return Err(RuleFault::new(start, problem));
        }
        Ok(value)
    }

    pub(crate) fn expected(&self, what: &'static str) -> RuleFault {
        RuleFault::expected(self.at, what)
    }

    /// Fails unless the text ends here.
    pub(crate) fn finish(&self, what: &'static str) -> Result<(), RuleFault> {
        if self.is_done() {
            return Ok(());
        }
        Err(self.expected(what))
    }
}
