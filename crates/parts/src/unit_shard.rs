//! Shares of units, written as people write them: `1/3`. Own method.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// One share of the units: unit `u` belongs to shard `u mod shards`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitShard {
    /// From 0.
    number: u64,
    /// How many shards there are, at least 1.
    shards: u64,
}

/// Why a text is no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("expected a shard such as 1/3, the first of three; there are at most a million")]
pub struct UnitShardError;

/// The most shards.
const MAX_SHARDS: u64 = 1_000_000;

impl UnitShard {
    /// All units.
    pub const WHOLE: Self = Self {
        number: 0,
        shards: 1,
    };

    /// Its number, from 0.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// How many shards there are.
    #[must_use]
    pub fn shards(&self) -> u64 {
        self.shards
    }

    /// Whether a unit belongs to it.
    ///
    /// ```
    /// let second: parts::UnitShard = "2/3".parse()?;
    /// assert!(second.contains(4) && !second.contains(3));
    /// # Ok::<(), parts::UnitShardError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, unit: u64) -> bool {
        unit % self.shards == self.number
    }
}

impl fmt::Display for UnitShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number + 1, self.shards)
    }
}

impl FromStr for UnitShard {
    type Err = UnitShardError;

    fn from_str(text: &str) -> Result<Self, UnitShardError> {
        let (number, shards) = text.split_once('/').ok_or(UnitShardError)?;
        let read = |text: &str| text.trim().parse::<u64>().map_err(|_| UnitShardError);
        let (number, shards) = (read(number)?, read(shards)?);
        if number == 0 || number > shards || shards > MAX_SHARDS {
            return Err(UnitShardError);
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
    fn shards_are_read_as_they_are_written() {
        for text in ["0/3", "4/3", "1", "1/0", "a/b", "", "1/9999999"] {
            assert!(text.parse::<UnitShard>().is_err(), "{text}");
        }
        let written = "2/3".parse().map(|shard: UnitShard| shard.to_string());
        assert_eq!(written, Ok("2/3".into()));
    }
}
