//! Pages of WebAssembly's memory for large arrays, beside the allocator.
//!
//! New pages are zero, and take nothing before they are touched. The allocator cannot know which of
//! its memory is new: it clears all of it, and what a table grows to is copied and touched before it
//! is used. So a range here knows from where on it is zero, and tables get more than they ask for,
//! to grow in place.

#[cfg(target_arch = "wasm32")]
use std::arch::wasm32::{memory_grow, memory_size};
#[cfg(target_arch = "wasm32")]
use std::sync::{Mutex, PoisonError};

/// Bytes of a page.
#[cfg(target_arch = "wasm32")]
const PAGE: usize = 1 << 16;

/// A table that grows gets so many times what it asks for, the first of these for which there is
/// room, and so many bytes at least. Pages that are not used take nothing, and a table that grows in
/// place is not copied.
#[cfg(target_arch = "wasm32")]
const SPARE: [usize; 2] = [4, 2];
#[cfg(target_arch = "wasm32")]
const LEAST_WITH_SPARE: usize = 16 << 20;

/// Memory grows by half as much again, and by so many bytes at least and at most unless more is
/// asked for: a browser collects its garbage for nearly every time that a large memory grows.
#[cfg(target_arch = "wasm32")]
const LEAST_GROWTH: usize = 48 << 20;
#[cfg(target_arch = "wasm32")]
const MOST_GROWTH: usize = 64 << 20;

/// Bytes of all memory up to which tables get more than they ask for.
#[cfg(target_arch = "wasm32")]
const MOST_WITH_SPARE: usize = 512 << 20;

/// Some pages that nobody else has.
#[derive(Debug)]
pub(super) struct PageRange {
    start: usize,
    bytes: usize,
    /// All bytes from this one on are zero.
    clean: usize,
}

/// Pages that were given back.
#[cfg(target_arch = "wasm32")]
static FREE: Mutex<Vec<PageRange>> = Mutex::new(Vec::new());

#[cfg(target_arch = "wasm32")]
impl PageRange {
    /// Pages for so many bytes at least, and usually for more, where there may ever be as many as
    /// `most`; nothing where memory is full.
    pub(super) fn take(bytes: usize, most: usize) -> Option<Self> {
        let least = bytes.checked_next_multiple_of(PAGE)?;
        let most = most.min(MOST_WITH_SPARE).max(least);
        let memory = memory_size::<0>() * PAGE;
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let sizes = SPARE.map(|times| least.saturating_mul(times).max(LEAST_WITH_SPARE).min(most));
        let sizes = sizes.into_iter().chain([least]);
        for size in
            sizes.filter(|&size| size == least || memory.saturating_add(size) <= MOST_WITH_SPARE)
        {
            if let Some(range) = take_free(&mut free, size) {
                return Some(range);
            }
            let growth = (memory / 2).clamp(LEAST_GROWTH, MOST_GROWTH);
            let growth = growth.next_multiple_of(PAGE).max(size);
            if let Some(range) = Self::new(growth).or_else(|| Self::new(size)) {
                put_free(&mut free, range);
                return take_free(&mut free, size);
            }
        }
        None
    }

    /// Pages that nobody had before.
    fn new(bytes: usize) -> Option<Self> {
        let page = memory_grow::<0>(bytes / PAGE);
        (page != usize::MAX).then(|| Self {
            start: page * PAGE,
            bytes,
            clean: 0,
        })
    }

    /// The first byte.
    pub(super) fn start(&self) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.start)
    }

    /// How many bytes there are.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The byte from which on all are zero.
    pub(super) fn clean(&self) -> usize {
        self.clean
    }

    /// Notes that bytes before this one will be written to.
    pub(super) fn use_up_to(&mut self, end: usize) {
        self.clean = self.clean.max(end);
    }

    /// Gives the pages back.
    pub(super) fn give_back(self) {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        put_free(&mut free, self);
    }
}

/// Adds a range to the free ones, which are in order and do not touch each other.
fn put_free(free: &mut Vec<PageRange>, range: PageRange) {
    let at = free.partition_point(|other| other.start < range.start);
    free.insert(at, range);
    // First with the one behind it, then with the one before.
    for at in [Some(at), at.checked_sub(1)].into_iter().flatten() {
        let [first, second] = match free.get_mut(at..) {
            Some([first, second, ..]) => [first, second],
            _ => continue,
        };
        if first.start + first.bytes == second.start {
            if second.clean > 0 {
                first.clean = first.bytes + second.clean;
            }
            first.bytes += second.bytes;
            free.remove(at + 1);
        }
    }
}

/// The smallest of the free ranges that has so many bytes.
fn take_free(free: &mut Vec<PageRange>, bytes: usize) -> Option<PageRange> {
    let fits = free
        .iter()
        .enumerate()
        .filter(|(_, range)| range.bytes >= bytes);
    let (at, _) = fits.min_by_key(|(_, range)| range.bytes)?;
    let range = &mut free[at];
    let taken = PageRange {
        start: range.start,
        bytes,
        clean: range.clean.min(bytes),
    };
    range.start += bytes;
    range.bytes -= bytes;
    range.clean -= taken.clean;
    if range.bytes == 0 {
        free.remove(at);
    }
    Some(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;

    /// Against bytes of which each has an owner, and is marked once somebody had it.
    #[test]
    fn ranges_are_taken_once_and_what_is_said_to_be_zero_is() {
        const BYTES: usize = 300;
        let mut dice = Dice::new(1);
        let mut owners = [None; BYTES];
        let mut is_dirty = [false; BYTES];
        let mut free = Vec::new();
        // Memory that grows in three steps, the second of which touches the first.
        for (start, bytes) in [(0, 100), (100, 50), (200, 100)] {
            let clean = 0;
            put_free(
                &mut free,
                PageRange {
                    start,
                    bytes,
                    clean,
                },
            );
        }
        assert_eq!(free.len(), 2);
        let mut taken: Vec<PageRange> = Vec::new();
        let mut refused = 0;
        for round in 0..3000 {
            if dice.coin() && !taken.is_empty() {
                let range = taken.swap_remove(dice.below(taken.len() as u32) as usize);
                owners[range.start..range.start + range.bytes].fill(None);
                put_free(&mut free, range);
            } else if let Some(mut range) = take_free(&mut free, 1 + dice.below(40) as usize) {
                let end = range.start + range.bytes;
                for owner in &mut owners[range.start..end] {
                    assert_eq!(owner.replace(round), None, "in round {round}");
                }
                assert!(range.clean <= range.bytes);
                assert!(!is_dirty[range.start + range.clean..end].contains(&true));
                // Not all of it is used.
                let used = dice.below(range.bytes as u32 + 1) as usize;
                is_dirty[range.start..range.start + used].fill(true);
                range.clean = range.clean.max(used);
                taken.push(range);
            } else {
                refused += 1;
            }
            let all = |ranges: &[PageRange]| ranges.iter().map(|range| range.bytes).sum::<usize>();
            assert_eq!(all(&free) + all(&taken), 250);
            assert!(free.is_sorted_by(|a, b| a.start + a.bytes < b.start));
        }
        assert!(refused > 10, "{refused}");
        // Whoever had them: together again, they are the two that there were.
        for range in taken {
            put_free(&mut free, range);
        }
        let ends: Vec<_> = free
            .iter()
            .map(|range| (range.start, range.bytes))
            .collect();
        assert_eq!(ends, [(0, 150), (200, 100)]);
    }
}
