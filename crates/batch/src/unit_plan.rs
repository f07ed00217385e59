//! Which units are to be counted, in order.

use crate::SoupRange;
use parts::UnitShard;

/// The units that ranges of soups are cut into, one after the other: a census of 10^15 soups has
/// too many for a list.
#[derive(Clone, Debug)]
pub struct UnitPlan {
    /// The ranges, the next one last.
    ranges: Vec<SoupRange>,
    /// Soups in a unit, at least 1.
    unit: u64,
    shard: UnitShard,
}

impl UnitPlan {
    /// Cuts ranges at the multiples of `unit`, which is at least 1. The ranges are in order and do
    /// not overlap.
    ///
    /// ```
    /// use batch::{SoupRange, UnitPlan};
    ///
    /// let units: Vec<SoupRange> = UnitPlan::new(vec![SoupRange::new(5, 25)], 10).collect();
    /// assert_eq!(units, [SoupRange::new(5, 5), SoupRange::new(10, 10), SoupRange::new(20, 10)]);
    /// ```
    #[must_use]
    pub fn new(mut ranges: Vec<SoupRange>, unit: u64) -> Self {
        ranges.reverse();
        Self {
            ranges,
            unit: unit.max(1),
            shard: UnitShard::WHOLE,
        }
    }

    /// Only the units of a shard.
    ///
    /// ```
    /// use batch::{SoupRange, UnitPlan};
    ///
    /// let plan = UnitPlan::new(vec![SoupRange::new(0, 50)], 10).of_shard("2/3".parse()?);
    /// assert_eq!(plan.soups(), 20);
    /// let units: Vec<SoupRange> = plan.collect();
    /// assert_eq!(units, [SoupRange::new(10, 10), SoupRange::new(40, 10)]);
    /// # Ok::<(), parts::UnitShardError>(())
    /// ```
    #[must_use]
    pub fn of_shard(mut self, shard: UnitShard) -> Self {
        self.shard = shard;
        self
    }

    /// How many soups are left.
    ///
    /// ```
    /// use batch::{SoupRange, UnitPlan};
    ///
    /// let mut plan = UnitPlan::new(vec![SoupRange::new(0, 25)], 10);
    /// plan.next();
    /// assert_eq!(plan.soups(), 15);
    /// ```
    #[must_use]
    pub fn soups(&self) -> u64 {
        let ranges = self.ranges.iter();
        ranges
            .map(|range| self.soups_before(range.end()) - self.soups_before(range.first))
            .sum()
    }

    /// How many soups of the shard have a smaller index.
    fn soups_before(&self, index: u64) -> u64 {
        let (number, shards) = (self.shard.number(), self.shard.shards());
        let (units, rest) = (index / self.unit, index % self.unit);
        let (rounds, last) = (units / shards, units % shards);
        let whole = rounds + u64::from(last > number);
        whole * self.unit + if last == number { rest } else { 0 }
    }
}

impl Iterator for UnitPlan {
    type Item = SoupRange;

    fn next(&mut self) -> Option<SoupRange> {
        let (number, shards) = (self.shard.number(), self.shard.shards());
        loop {
            let range = self.ranges.pop()?;
            let at = range.first / self.unit;
            // the next unit of the shard, this one or later
            let ahead = (number + shards - at % shards) % shards;
            let begin = match ahead {
                0 => range.first,
                _ => at.saturating_add(ahead).saturating_mul(self.unit),
            };
            if begin >= range.end() {
                continue;
            }
            let next_cut = (begin / self.unit + 1).saturating_mul(self.unit);
            let end = next_cut.min(range.end());
            if end < range.end() {
                self.ranges.push(SoupRange::new(end, range.end() - end));
            }
            return Some(SoupRange::new(begin, end - begin));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_at_multiples() {
        let range = SoupRange::new;
        let rows: &[(&[SoupRange], u64, &[SoupRange])] = &[
            (&[range(0, 20)], 10, &[range(0, 10), range(10, 10)]),
            (&[range(0, 5)], 10, &[range(0, 5)]),
            (&[], 10, &[]),
            (&[range(0, 0), range(7, 0)], 10, &[]),
            (
                &[range(7, 8), range(24, 6)],
                10,
                &[range(7, 3), range(10, 5), range(24, 6)],
            ),
            (&[range(0, 3)], 0, &[range(0, 1), range(1, 1), range(2, 1)]),
        ];
        for (ranges, unit, expected) in rows {
            let plan = UnitPlan::new(ranges.to_vec(), *unit);
            let soups: u64 = expected.iter().map(|unit| unit.soups).sum();
            assert_eq!(plan.soups(), soups);
            assert_eq!(plan.collect::<Vec<_>>(), *expected, "{ranges:?}");
        }
    }

    #[test]
    fn shards_part_the_units() {
        let ranges = vec![SoupRange::new(3, 40), SoupRange::new(55, 61)];
        for unit in [1, 7, 10, 1000] {
            let whole = UnitPlan::new(ranges.clone(), unit);
            let mut of_shards = Vec::new();
            for text in ["1/3", "2/3", "3/3"] {
                let part = whole.clone().of_shard(text.parse().unwrap());
                let soups = part.soups();
                let units: Vec<SoupRange> = part.collect();
                assert_eq!(
                    soups,
                    units.iter().map(|unit| unit.soups).sum::<u64>(),
                    "{text} {unit}"
                );
                of_shards.extend(units);
            }
            of_shards.sort();
            assert_eq!(of_shards, whole.collect::<Vec<_>>(), "{unit}");
        }
    }

    #[test]
    fn a_census_may_be_endless() {
        let plan = UnitPlan::new(vec![SoupRange::new(17, u64::MAX)], 10);
        let mut last = plan.clone().of_shard("999999/1000000".parse().unwrap());
        assert_eq!(plan.soups(), i64::MAX as u64 - 17);
        assert_eq!(last.next(), Some(SoupRange::new(9_999_980, 10)));
    }
}
