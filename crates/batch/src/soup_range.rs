//! Ranges of soups.

use std::fmt;

/// The soups from `first` on, `soups` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SoupRange {
    /// The index of the first soup.
    pub first: u64,
    /// How many there are.
    pub soups: u64,
}

impl SoupRange {
    /// A range; one that would pass the largest index ends there.
    ///
    /// ```
    /// assert_eq!(batch::SoupRange::new(10, 5).end(), 15);
    /// ```
    #[must_use]
    pub fn new(first: u64, soups: u64) -> Self {
        let first = first.min(MAX_INDEX);
        Self {
            first,
            soups: soups.min(MAX_INDEX - first),
        }
    }

    /// The first index behind the range.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.soups)
    }

    /// What is left of the range when others are taken away, in order. The others are in order
    /// and do not overlap.
    ///
    /// ```
    /// use batch::SoupRange;
    ///
    /// let left = SoupRange::new(5, 25).without(&[SoupRange::new(10, 7)]);
    /// assert_eq!(left, [SoupRange::new(5, 5), SoupRange::new(17, 13)]);
    /// ```
    #[must_use]
    pub fn without(&self, others: &[Self]) -> Vec<Self> {
        let mut left = Vec::new();
        let mut from = self.first;
        let beyond = Self::new(self.end(), 0);
        for other in others.iter().chain([&beyond]) {
            let end = other.first.min(self.end());
            if from < end {
                left.push(Self::new(from, end - from));
            }
            from = from.max(other.end());
        }
        left
    }
}

impl fmt::Display for SoupRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.soups {
            1 => write!(f, "soup {}", self.first),
            _ => write!(
                f,
                "soups {} to {}",
                self.first,
                self.end().saturating_sub(1)
            ),
        }
    }
}

/// The largest index that SQLite's integers hold.
const MAX_INDEX: u64 = i64::MAX as u64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_what_is_left() {
        let range = SoupRange::new;
        let rows: &[(SoupRange, &[SoupRange], &[SoupRange])] = &[
            (range(0, 20), &[], &[range(0, 20)]),
            (range(0, 0), &[], &[]),
            (range(0, 20), &[range(0, 20)], &[]),
            (range(5, 10), &[range(0, 7)], &[range(7, 8)]),
            (range(0, 10), &[range(20, 10)], &[range(0, 10)]),
            (range(10, 10), &[range(0, 10)], &[range(10, 10)]),
            (
                range(0, 30),
                &[range(3, 1), range(4, 20)],
                &[range(0, 3), range(24, 6)],
            ),
        ];
        for (whole, others, expected) in rows {
            assert_eq!(whole.without(others), *expected, "{whole} {others:?}");
        }
    }
}
