//! Sets of unit numbers, written as people write them: `17,40-43`. Own method.

use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A set of unit numbers.
///
/// ```
/// let set: parts::UnitSet = "40-43,17,42-45".parse()?;
/// assert_eq!(set.to_string(), "17,40-45");
/// assert!(set.contains(17) && !set.contains(18));
/// # Ok::<(), parts::UnitSetError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    /// First and last numbers, in order, with a gap between any two.
    runs: Vec<(u64, u64)>,
}

/// Why a text is no set of units.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no unit: expected numbers and ranges from 0 on, such as 17,40-43")]
pub struct UnitSetError(String);

impl UnitSet {
    /// The numbers of some runs, each from its first to its last, in any order.
    ///
    /// ```
    /// let set = parts::UnitSet::new(vec![(3, 4), (0, 1), (2, 2), (9, 8)]);
    /// assert_eq!(set.to_string(), "0-4");
    /// ```
    #[must_use]
    pub fn new(mut runs: Vec<(u64, u64)>) -> Self {
        runs.retain(|(first, last)| first <= last);
        runs.sort_unstable();
        let mut joined: Vec<(u64, u64)> = Vec::new();
        for (first, last) in runs {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => joined.push((first, last)),
            }
        }
        Self { runs: joined }
    }

    /// The first and last number of each run, in order.
    #[must_use]
    pub fn runs(&self) -> &[(u64, u64)] {
        &self.runs
    }

    /// Whether no number is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// How many numbers are in it.
    ///
    /// ```
    /// assert_eq!(parts::UnitSet::new(vec![(0, 9), (20, 20)]).count(), 11);
    /// ```
    #[must_use]
    pub fn count(&self) -> u64 {
        let lengths = self.runs.iter().map(|(first, last)| last - first);
        lengths.fold(0, |sum: u64, length| {
            sum.saturating_add(length.saturating_add(1))
        })
    }

    /// Whether a number is in it.
    ///
    /// ```
    /// let set: parts::UnitSet = "17,40-43".parse()?;
    /// assert!(set.contains(43) && !set.contains(44));
    /// # Ok::<(), parts::UnitSetError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        let behind = self.runs.partition_point(|(first, _)| *first <= number);
        behind > 0 && self.runs[behind - 1].1 >= number
    }

    /// The numbers below `units` that are not in it.
    ///
    /// ```
    /// let set = parts::UnitSet::new(vec![(1, 2), (5, 5)]);
    /// assert_eq!(set.missing(8).to_string(), "0,3-4,6-7");
    /// assert!(set.missing(0).is_empty());
    /// ```
    #[must_use]
    pub fn missing(&self, units: u64) -> Self {
        let mut runs = Vec::new();
        let mut from = 0;
        for &(first, last) in &self.runs {
            if from < first.min(units) {
                runs.push((from, first.min(units) - 1));
            }
            from = last.saturating_add(1);
        }
        if from < units {
            runs.push((from, units - 1));
        }
        Self { runs }
    }
}

impl FromIterator<u64> for UnitSet {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        Self::new(numbers.into_iter().map(|number| (number, number)).collect())
    }
}

impl fmt::Display for UnitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (first, last)) in self.runs.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for UnitSet {
    type Err = UnitSetError;

    fn from_str(text: &str) -> Result<Self, UnitSetError> {
        let runs = text.split(',').map(|word| {
            let word = word.trim();
            let (first, last) = word.split_once('-').unwrap_or((word, word));
            match (first.parse(), last.parse()) {
                (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
                _ => Err(UnitSetError(word.into())),
            }
        });
        Ok(Self::new(runs.collect::<Result<_, _>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sets_are_those_of_the_standard_library() {
        for seed in 0..200 {
            let mut dice = dice::Dice::new(seed);
            let numbers: BTreeSet<u64> =
                (0..dice.below(20)).map(|_| dice.below(30).into()).collect();
            let set: UnitSet = numbers.iter().rev().copied().collect();
            assert_eq!(set.count(), numbers.len() as u64);
            let missing = set.missing(25);
            for number in 0..40 {
                assert_eq!(set.contains(number), numbers.contains(&number));
                let is_missing = number < 25 && !numbers.contains(&number);
                assert_eq!(missing.contains(number), is_missing, "{set} {number}");
            }
            if !set.is_empty() {
                assert_eq!(set.to_string().parse(), Ok(set));
            }
        }
    }

    #[test]
    fn what_is_no_set_is_refused() {
        for text in [
            "",
            "a",
            "3-",
            "-3",
            "5-4",
            "1,,2",
            "1-2-3",
            "18446744073709551616",
        ] {
            assert!(text.parse::<UnitSet>().is_err(), "{text}");
        }
        let all: UnitSet = "0-18446744073709551615".parse().unwrap();
        assert_eq!((all.count(), all.missing(u64::MAX).count()), (u64::MAX, 0));
    }
}
