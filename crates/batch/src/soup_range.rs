//! Ranges of soups, and how they are cut into units.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

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

    /// What is left of the range when others are taken away, cut at the multiples of `unit`. The
    /// others are in order and do not overlap.
    ///
    /// ```
    /// use batch::SoupRange;
    ///
    /// let left = SoupRange::new(5, 25).without(&[SoupRange::new(10, 7)], 10);
    /// assert_eq!(left, [SoupRange::new(5, 5), SoupRange::new(17, 3), SoupRange::new(20, 10)]);
    /// ```
    #[must_use]
    pub fn without(&self, others: &[Self], unit: u64) -> Vec<Self> {
        let mut left = Vec::new();
        let mut from = self.first;
        let beyond = Self::new(self.end(), 0);
        for other in others.iter().chain([&beyond]) {
            let gap_end = other.first.min(self.end());
            while from < gap_end {
                let next_cut = (from / unit.max(1) + 1).saturating_mul(unit.max(1));
                let end = next_cut.min(gap_end);
                left.push(Self::new(from, end - from));
                from = end;
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

/// One share of a census: unit `u` belongs to shard `u mod shards`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CensusShard {
    /// From 0.
    number: u64,
    /// How many shards there are, at least 1.
    shards: u64,
}

/// Why a text is no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a shard such as 1/3: the first of three")]
pub struct CensusShardError;

impl CensusShard {
    /// The whole census.
    pub const WHOLE: Self = Self {
        number: 0,
        shards: 1,
    };

    /// Whether a unit belongs to the shard, where units are `unit` soups long.
    ///
    /// ```
    /// use batch::{CensusShard, SoupRange};
    ///
    /// let second: CensusShard = "2/3".parse()?;
    /// assert!(second.has(SoupRange::new(10, 10), 10));
    /// assert!(!second.has(SoupRange::new(20, 10), 10));
    /// # Ok::<(), batch::CensusShardError>(())
    /// ```
    #[must_use]
    pub fn has(&self, range: SoupRange, unit: u64) -> bool {
        range.first / unit.max(1) % self.shards == self.number
    }
}

impl FromStr for CensusShard {
    type Err = CensusShardError;

    fn from_str(text: &str) -> Result<Self, CensusShardError> {
        let (number, shards) = text.split_once('/').ok_or(CensusShardError)?;
        let read = |text: &str| text.trim().parse::<u64>().map_err(|_| CensusShardError);
        let (number, shards) = (read(number)?, read(shards)?);
        if number == 0 || number > shards {
            return Err(CensusShardError);
        }
        Ok(Self {
            number: number - 1,
            shards,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_at_multiples_and_around_what_is_there() {
        let range = SoupRange::new;
        let rows: &[(SoupRange, &[SoupRange], u64, &[SoupRange])] = &[
            (range(0, 20), &[], 10, &[range(0, 10), range(10, 10)]),
            (range(0, 5), &[], 10, &[range(0, 5)]),
            (range(0, 0), &[], 10, &[]),
            (range(0, 20), &[range(0, 20)], 10, &[]),
            (
                range(5, 10),
                &[range(0, 7)],
                10,
                &[range(7, 3), range(10, 5)],
            ),
            (range(0, 10), &[range(20, 10)], 10, &[range(0, 10)]),
            (
                range(0, 30),
                &[range(3, 1), range(4, 20)],
                10,
                &[range(0, 3), range(24, 6)],
            ),
        ];
        for (whole, others, unit, expected) in rows {
            assert_eq!(
                whole.without(others, *unit),
                *expected,
                "{whole} {others:?}"
            );
        }
    }

    #[test]
    fn shards_are_read_and_part_the_units() {
        for text in ["0/3", "4/3", "1", "1/0", "a/b", ""] {
            assert!(text.parse::<CensusShard>().is_err(), "{text}");
        }
        let shards: Vec<CensusShard> = ["1/3", "2/3", "3/3"]
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        for first in (0..200).step_by(10) {
            let unit = SoupRange::new(first, 10);
            assert_eq!(shards.iter().filter(|shard| shard.has(unit, 10)).count(), 1);
        }
    }
}
