//! Limits of memory and size for reading and writing, and the budget that tracks them.

use crate::error::{PatternFault, PatternProblem};

/// The limits of a reader.
///
/// ```
/// use pattern::{ReadLimits, read_within};
/// let limits = ReadLimits { memory: 1 << 20, ..ReadLimits::default() };
/// let rows = "o$".repeat(1 << 20);
/// let error = read_within(rows.as_bytes(), limits).unwrap_err();
/// assert_eq!(error.problem.to_string(), "the pattern needs more than 1 MiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// The most bytes that compressed input may unpack to.
    pub unpacked: u64,
    /// The greatest compression ratio after the first [`ReadLimits::FREE`] bytes. It is checked
    /// throughout the stream and not only at its end, so that a decompression bomb costs no
    /// more than the free part.
    pub ratio: u64,
    /// The most bytes that reading may hold: text that was unpacked, cells in the form that
    /// they are collected in and in the one that they end in, and comments. What would pass
    /// it is refused before it is allocated. Text that is passed in is not counted.
    pub memory: u64,
}

impl ReadLimits {
    /// The bytes that may be unpacked at any ratio.
    pub const FREE: u64 = 16 << 20;
}

impl Default for ReadLimits {
    /// 1 GiB, a ratio of 200, and no limit of memory.
    ///
    /// Deflate's greatest ratio is 1032. Of 355 patterns of Golly's and other collections,
    /// which are run-length encoded or hashed already, the one that packs best has a ratio
    /// of 45, and what is larger than a megabyte has 3.4 at most.
    fn default() -> Self {
        Self {
            unpacked: 1 << 30,
            ratio: 200,
            memory: u64::MAX,
        }
    }
}

/// The memory that a reader has allocated, and its limit.
///
/// Lists grow through [`ReadBudget::reserve`], in the place of `Vec`'s own doubling, so that the
/// count is that of capacities.
#[derive(Debug)]
pub(crate) struct ReadBudget {
    most: u64,
    used: u64,
}

impl ReadBudget {
    pub(crate) fn new(most: u64) -> Self {
        Self { most, used: 0 }
    }

    /// Counts bytes that are about to be allocated.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), PatternProblem> {
        let used = self.used.saturating_add(bytes as u64);
        if used > self.most {
            return Err(PatternProblem::NeedsMemory(self.most));
        }
        self.used = used;
        Ok(())
    }

    /// The same, for what a line at `offset` needs.
    pub(crate) fn take_at(&mut self, bytes: usize, offset: usize) -> Result<(), PatternFault> {
        self.take(bytes)
            .map_err(|problem| PatternFault::new(offset, problem))
    }

    /// Counts a line of free text that is kept, at `offset`.
    pub(crate) fn take_line(&mut self, line: &[u8], offset: usize) -> Result<(), PatternFault> {
        // What is no UTF-8 becomes a character of three bytes. The string itself stands in a
        // list that may have twice the room, and allocators round up.
        let text = if line.is_ascii() { 1 } else { 3 } * line.len();
        self.take_at(text + 2 * size_of::<String>() + 16, offset)
    }

    /// Reserves capacity for `more` further elements: doubles it, or grows less where the limit
    /// is near.
    pub(crate) fn reserve<T>(
        &mut self,
        list: &mut Vec<T>,
        more: usize,
    ) -> Result<(), PatternProblem> {
        let free = list.capacity() - list.len();
        if free >= more {
            return Ok(());
        }
        let least = more - free;
        let size = size_of::<T>();
        let left = (self.most - self.used) / size as u64;
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let added = least.max(list.capacity()).min(left).max(least);
        self.take(added.saturating_mul(size))?;
        list.reserve_exact(free + added);
        Ok(())
    }

    /// A list with capacity for the expected number of elements, or for half of what the budget
    /// has left.
    pub(crate) fn list<T>(&mut self, likely: usize) -> Vec<T> {
        let left = (self.most - self.used) / 2 / size_of::<T>() as u64;
        let likely = likely.min(usize::try_from(left).unwrap_or(usize::MAX));
        match self.take(likely.saturating_mul(size_of::<T>())) {
            Ok(()) => Vec::with_capacity(likely),
            Err(_) => Vec::new(),
        }
    }
}

/// A number of bytes for people: `64 MiB`, `1.5 GiB`, `17 bytes`.
pub(crate) fn size(bytes: u128) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (1..=UNITS.len())
        .rev()
        .find(|power| bytes >> (10 * power) > 0);
    let Some(power) = power else {
        return format!("{bytes} bytes");
    };
    let unit = UNITS[power - 1];
    let (whole, rest) = (bytes >> (10 * power), bytes & ((1 << (10 * power)) - 1));
    match (rest * 10) >> (10 * power) {
        0 => format!("{whole} {unit}"),
        tenths if whole < 100 => format!("{whole}.{tenths} {unit}"),
        _ => format!("{whole} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_words() {
        for (bytes, words) in [
            (17, "17 bytes"),
            (1 << 10, "1 KiB"),
            (64 << 20, "64 MiB"),
            (3 << 29, "1.5 GiB"),
            ((1 << 31) + 1, "2 GiB"),
            (u128::from(u64::MAX), "15.9 EiB"),
            (1 << 90, "1073741824 EiB"),
        ] {
            assert_eq!(size(bytes), words);
        }
    }

    #[test]
    fn lists_grow_up_to_the_limit() {
        let mut budget = ReadBudget::new(1000);
        let mut list: Vec<u64> = budget.list(1 << 40);
        assert_eq!(list.capacity(), 62);
        for n in 0.. {
            if budget.reserve(&mut list, 1).is_err() {
                break;
            }
            list.push(n);
        }
        assert_eq!((list.len(), list.capacity()), (125, 125));
        assert_eq!(budget.take(1), Err(PatternProblem::NeedsMemory(1000)));
    }
}
