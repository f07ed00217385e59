//! How long a player's moves took: percentiles of millions of them in little memory.

use std::collections::BTreeMap;
use std::time::Duration;

/// How many durations are kept as they are.
const EXACT: usize = 256;
/// Buckets for each doubling of the duration, as a power of two.
const FINENESS: u32 = 7;

/// Durations, counted.
///
/// Up to 256 of them are kept as they are. Beyond that they are counted in buckets of whole
/// nanoseconds, 128 to each doubling, as in the HDR histogram (Tene, 2012): a percentile is
/// then the upper end of its bucket, never too small and too large by less than 1 in 128.
/// The largest and the sum are always exact. What is held depends on the durations alone
/// and not on their order, so timings add up in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timing {
    count: u64,
    sum: u128,
    largest: u64,
    /// All of them while there are few, sorted; empty then.
    exact: Vec<u64>,
    buckets: BTreeMap<u32, u64>,
}

impl Timing {
    /// The percentiles that tables show. The last is the slowest.
    pub const PERCENTILES: [f64; 4] = [50.0, 90.0, 99.0, 100.0];

    /// Counts a duration. Beyond 584 years all are the same.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let mut timing = tournament::rating::Timing::default();
    /// for milliseconds in [1, 2, 9] {
    ///     timing.add(Duration::from_millis(milliseconds));
    /// }
    /// assert_eq!(timing.count(), 3);
    /// ```
    pub fn add(&mut self, duration: Duration) {
        let nanos = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        self.count += 1;
        self.sum += u128::from(nanos);
        self.largest = self.largest.max(nanos);
        if self.buckets.is_empty() && self.exact.len() < EXACT {
            let place = self.exact.partition_point(|&other| other <= nanos);
            self.exact.insert(place, nanos);
            return;
        }
        self.pour();
        *self.buckets.entry(bucket(nanos)).or_default() += 1;
    }

    /// How many durations there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let mut timing = tournament::rating::Timing::default();
    /// for milliseconds in [1, 2, 9] {
    ///     timing.add(Duration::from_millis(milliseconds));
    /// }
    /// assert_eq!(timing.total(), Duration::from_millis(12));
    /// ```
    #[must_use]
    pub fn total(&self) -> Duration {
        const SECOND: u128 = 1_000_000_000;
        let seconds = u64::try_from(self.sum / SECOND).unwrap_or(u64::MAX);
        Duration::new(seconds, (self.sum % SECOND) as u32)
    }

    /// Their mean; `None` where there are none.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let mut timing = tournament::rating::Timing::default();
    /// for milliseconds in [1, 2, 9] {
    ///     timing.add(Duration::from_millis(milliseconds));
    /// }
    /// assert_eq!(timing.mean(), Some(Duration::from_millis(4)));
    /// ```
    #[must_use]
    pub fn mean(&self) -> Option<Duration> {
        let mean = self.sum.checked_div(u128::from(self.count))?;
        Some(Duration::from_nanos(
            u64::try_from(mean).unwrap_or(u64::MAX),
        ))
    }

    /// The smallest of them that is not below `percent` of all (nearest rank); `None` where
    /// there are none. 50 is the median, 100 the largest.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let mut timing = tournament::rating::Timing::default();
    /// for milliseconds in [1, 2, 9] {
    ///     timing.add(Duration::from_millis(milliseconds));
    /// }
    /// assert_eq!(timing.percentile(50.0), Some(Duration::from_millis(2)));
    /// assert_eq!(timing.percentile(100.0), Some(Duration::from_millis(9)));
    /// ```
    #[must_use]
    pub fn percentile(&self, percent: f64) -> Option<Duration> {
        if self.count == 0 {
            return None;
        }
        // 99.9 % of 1000 is 999, though not in floating point
        let rank = (percent / 100.0 * self.count as f64 - 1e-9).ceil();
        let rank = (rank.max(1.0) as u64).min(self.count);
        if self.buckets.is_empty() {
            return Some(Duration::from_nanos(self.exact[rank as usize - 1]));
        }
        if rank == self.count {
            return Some(Duration::from_nanos(self.largest));
        }
        let mut seen = 0;
        let bucket = self.buckets.iter().find(|(_, count)| {
            seen += **count;
            seen >= rank
        });
        let end = bucket.map_or(self.largest, |(&bucket, _)| upper_end(bucket));
        Some(Duration::from_nanos(end.min(self.largest)))
    }

    /// The percentiles of [`Timing::PERCENTILES`]; `None` where there are no durations.
    #[must_use]
    pub(crate) fn percentiles(&self) -> Option<[Duration; 4]> {
        let [a, b, c, d] = Self::PERCENTILES.map(|percent| self.percentile(percent));
        Some([a?, b?, c?, d?])
    }

    /// Puts those that were kept as they are into buckets.
    fn pour(&mut self) {
        for nanos in std::mem::take(&mut self.exact) {
            *self.buckets.entry(bucket(nanos)).or_default() += 1;
        }
    }
}

impl std::ops::AddAssign<&Self> for Timing {
    fn add_assign(&mut self, other: &Self) {
        self.count += other.count;
        self.sum += other.sum;
        self.largest = self.largest.max(other.largest);
        self.exact.extend(&other.exact);
        self.exact.sort_unstable();
        for (&bucket, count) in &other.buckets {
            *self.buckets.entry(bucket).or_default() += count;
        }
        if self.exact.len() > EXACT || !self.buckets.is_empty() {
            self.pour();
        }
    }
}

impl Extend<Duration> for Timing {
    fn extend<I: IntoIterator<Item = Duration>>(&mut self, durations: I) {
        durations
            .into_iter()
            .for_each(|duration| self.add(duration));
    }
}

impl FromIterator<Duration> for Timing {
    fn from_iter<I: IntoIterator<Item = Duration>>(durations: I) -> Self {
        let mut timing = Self::default();
        timing.extend(durations);
        timing
    }
}

/// The number of a duration's bucket: below 256 each has its own; above, the highest eight
/// bits and how many follow them.
fn bucket(nanos: u64) -> u32 {
    let shift = (u64::BITS - nanos.leading_zeros()).saturating_sub(FINENESS + 1);
    (shift << FINENESS) + (nanos >> shift) as u32
}

/// The largest duration in a bucket.
fn upper_end(bucket: u32) -> u64 {
    let shift = (bucket >> FINENESS).saturating_sub(1);
    let head = u64::from(bucket - (shift << FINENESS));
    (head << shift) | ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Dice;

    fn nanos(percentile: Option<Duration>) -> u64 {
        percentile.unwrap().as_nanos() as u64
    }

    #[test]
    fn few_are_exact() {
        let timing: Timing = (1..=200).rev().map(Duration::from_millis).collect();
        for (percent, millis) in [(0.0, 1), (0.5, 1), (50.0, 100), (90.0, 180), (99.0, 198)] {
            let expected = Some(Duration::from_millis(millis));
            assert_eq!(timing.percentile(percent), expected, "{percent}");
        }
        assert_eq!(timing.percentile(100.0), Some(Duration::from_millis(200)));
        assert_eq!(timing.percentile(99.5), Some(Duration::from_millis(199)));
        assert_eq!(timing.mean(), Some(Duration::from_micros(100_500)));
        assert_eq!(Timing::default().percentiles(), None);
        assert_eq!(Timing::default().mean(), None);
    }

    #[test]
    fn every_duration_lies_in_its_bucket_and_near_the_end_of_it() {
        let mut last = None;
        let edges = (0..64).flat_map(|bit| {
            let power = 1u64 << bit;
            [power - 1, power, power + 1, power + (power >> 1)]
        });
        let mut values: Vec<u64> = edges.chain([u64::MAX]).collect();
        values.sort_unstable();
        for value in values {
            let bucket = bucket(value);
            let end = upper_end(bucket);
            assert!(end >= value && end - value <= value / 128, "{value} {end}");
            assert!(last <= Some(bucket), "{value}");
            last = Some(bucket);
        }
    }

    /// Against the plain way: all of them in a list, sorted.
    #[test]
    fn percentiles_of_many_are_never_too_small() {
        let mut dice = Dice::new(7);
        // from 100 ns to 10 s, each decade as likely
        let draw = || 100.0 * 10f64.powf(8.0 * dice.unit());
        let mut all: Vec<u64> = std::iter::repeat_with(draw)
            .map(|x| x as u64)
            .take(50_000)
            .collect();
        let timing: Timing = all.iter().copied().map(Duration::from_nanos).collect();
        all.sort_unstable();
        for percent in [1.0, 10.0, 50.0, 90.0, 99.0, 99.9, 100.0] {
            let rank = (percent * 500.0f64).round() as usize;
            let (exact, reported) = (all[rank - 1], nanos(timing.percentile(percent)));
            assert!(
                reported >= exact && reported <= exact + exact / 128,
                "{percent}: {reported} {exact}"
            );
        }
        assert_eq!(nanos(timing.percentile(100.0)), *all.last().unwrap());
        assert_eq!(
            timing.total().as_nanos(),
            all.iter().map(|&x| u128::from(x)).sum()
        );
        assert!(timing.buckets.len() < 128 * 28, "{}", timing.buckets.len());
    }

    #[test]
    fn timings_add_up_in_any_order() {
        for counts in [
            [100, 100, 20],
            [100, 100, 57],
            [300, 1, 300],
            [255, 1, 0],
            [0, 0, 257],
        ] {
            let mut dice = Dice::new(3);
            let mut part = |count| -> Vec<Duration> {
                let draw = || Duration::from_nanos(dice.word() >> 40);
                std::iter::repeat_with(draw).take(count).collect()
            };
            let parts = counts.map(&mut part);
            let whole: Timing = parts.iter().flatten().copied().collect();
            for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
                let mut sum = Timing::default();
                for i in order {
                    sum += &parts[i].iter().copied().collect();
                }
                assert_eq!(sum, whole, "{counts:?} {order:?}");
            }
        }
    }
}
