//! The counts in a line of a part, read in one pass without a copy. Own method.
//!
//! A part is millions of lines of one fixed form, so the reader takes that form alone: numbers
//! without leading zeros, keys in order, texts without escapes. Whatever else there is, also what
//! is written rightly and has an escape in it, is left to the slow reader of [`crate::UnitPart`],
//! which reads JSON and compares what it would write.

use std::ops::Range;

/// A unit's counts, of texts in its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UnitLineView<'a> {
    pub(crate) unit: u64,
    pub(crate) plan: &'a str,
    pub(crate) version: &'a str,
    pub(crate) first: u64,
    pub(crate) soups: u64,
    pub(crate) tally: Vec<(&'a str, u64)>,
    samples: Vec<(&'a str, Range<usize>)>,
    sample_soups: Vec<u64>,
    pub(crate) lifespans: Vec<(u64, u64)>,
    pub(crate) lifespan_sum: u64,
    /// Index, lifespan and population.
    pub(crate) long_lived: Vec<(u64, u64, u64)>,
    pub(crate) odd: Vec<(u64, &'a str)>,
}

impl<'a> UnitLineView<'a> {
    /// The counts of a line up to its digest, where they stand in the usual form.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let mut at = LineCursor { text, at: 0 };
        let mut view = Self {
            unit: at.take("{\"unit\":")?.number()?,
            plan: at.take(",\"plan\":")?.text()?,
            version: at.take(",\"version\":")?.text()?,
            first: at.take(",\"first\":")?.number()?,
            soups: at.take(",\"soups\":")?.number()?,
            ..Self::default()
        };
        at.take(",\"tally\":")?;
        at.list(["{", "}"], |at| {
            let code = at.text()?;
            let is_next = view.tally.last().is_none_or(|last| last.0 < code);
            view.tally.push((code, at.take(":")?.number()?));
            is_next.then_some(())
        })?;
        at.take(",\"samples\":")?;
        at.list(["{", "}"], |at| {
            let code = at.text()?;
            let is_next = view.samples.last().is_none_or(|last| last.0 < code);
            let from = view.sample_soups.len();
            at.take(":")?.list(["[", "]"], |at| {
                view.sample_soups.push(at.number()?);
                Some(())
            })?;
            view.samples.push((code, from..view.sample_soups.len()));
            is_next.then_some(())
        })?;
        at.take(",\"lifespans\":")?;
        at.list(["{", "}"], |at| {
            let bin = at.take("\"")?.number()?;
            let is_next = view.lifespans.last().is_none_or(|last| last.0 < bin);
            view.lifespans.push((bin, at.take("\":")?.number()?));
            is_next.then_some(())
        })?;
        view.lifespan_sum = at.take(",\"lifespan_sum\":")?.number()?;
        at.take(",\"long_lived\":")?;
        at.list(["[", "]"], |at| {
            let index = at.take("[")?.number()?;
            let lifespan = at.take(",")?.number()?;
            let population = at.take(",")?.number()?;
            view.long_lived.push((index, lifespan, population));
            at.take("]").map(drop)
        })?;
        at.take(",\"odd\":")?;
        at.list(["[", "]"], |at| {
            let index = at.take("[")?.number()?;
            view.odd.push((index, at.take(",")?.text()?));
            at.take("]").map(drop)
        })?;
        (at.at == text.len()).then_some(view)
    }

    /// The soups in which objects come.
    pub(crate) fn samples(&self) -> impl Iterator<Item = (&'a str, &[u64])> {
        let samples = self.samples.iter();
        samples.map(|(code, range)| (*code, &self.sample_soups[range.clone()]))
    }
}

/// A place in a line.
struct LineCursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> LineCursor<'a> {
    /// Goes past a text that must stand here.
    fn take(&mut self, word: &str) -> Option<&mut Self> {
        let rest = &self.text.as_bytes()[self.at..];
        rest.starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
            self
        })
    }

    /// An integer without a sign or leading zeros.
    fn number(&mut self) -> Option<u64> {
        let rest = &self.text.as_bytes()[self.at..];
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 || (rest[0] == b'0' && digits > 1) {
            return None;
        }
        let value = rest[..digits].iter().try_fold(0_u64, |value, digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))
        })?;
        self.at += digits;
        Some(value)
    }

    /// A text in quotes in which nothing is escaped.
    fn text(&mut self) -> Option<&'a str> {
        self.take("\"")?;
        let from = self.at;
        let rest = &self.text.as_bytes()[from..];
        let length = rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\') || *byte < 0x20)?;
        self.at += length;
        self.take("\"")?;
        Some(&self.text[from..from + length])
    }

    /// Items between brackets.
    fn list(
        &mut self,
        [open, close]: [&str; 2],
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.take(open)?;
        if self.take(close).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.take(close).is_some() {
                return Some(());
            }
            self.take(",")?;
        }
    }
}
