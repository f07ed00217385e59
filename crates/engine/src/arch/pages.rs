//! Large tables: memory that costs nothing until it is touched, in huge pages where the
//! system has them, and asked for before it is looked at.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

/// A line of memory as processors move it: 64 bytes.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Line {
    /// Three pairs of words, see [`Pages::pair`].
    pairs: [[AtomicU64; 2]; 3],
    /// Three halves of words.
    pub(crate) halves: [AtomicU32; 3],
    /// Four bytes.
    pub(crate) bytes: [AtomicU8; 4],
}

/// Where the halves of a line begin, in halves, and its bytes, in bytes.
const HALVES: usize = std::mem::offset_of!(Line, halves) / 4;
const BYTES: usize = std::mem::offset_of!(Line, bytes);

/// A line of words.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Words(pub(crate) [AtomicU64; 8]);

/// A line of an index.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct Slots {
    /// Twelve references.
    pub(crate) squares: [AtomicU32; 12],
    /// A byte for each of the first eight, and then of the last four; in the rest of the
    /// second word, what there is to say of all.
    pub(crate) prints: [AtomicU64; 2],
}

/// Values of which zero bytes are one.
///
/// # Safety
/// All bytes zero are a valid value, and it needs no drop.
pub(crate) unsafe trait Zeroed: Sync + Send {}

// SAFETY: atomic integers, of which zero is one, and structures of them.
unsafe impl Zeroed for Line {}
// SAFETY: as above.
unsafe impl Zeroed for Words {}
// SAFETY: as above.
unsafe impl Zeroed for Slots {}

/// Values in memory of their own, all zero at first.
pub(crate) struct Pages<T: Zeroed> {
    start: NonNull<T>,
    length: usize,
    held: Held,
}

enum Held {
    /// Nothing at all.
    Nothing,
    /// Of the allocator.
    Allocated(Layout),
    /// Pages of the system.
    #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
    Mapped(memmap2::MmapMut),
}

// SAFETY: it owns what it points to, as a boxed slice does.
unsafe impl<T: Zeroed> Send for Pages<T> {}
// SAFETY: as above.
unsafe impl<T: Zeroed> Sync for Pages<T> {}

/// Bytes from which on whole pages are asked of the system.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
const LARGE: usize = 1 << 20;

impl<T: Zeroed> Pages<T> {
    /// So many zeros, of a table that may have to grow to `most`.
    pub(crate) fn new(length: usize, most: usize) -> Self {
        let layout = |length| Layout::array::<T>(length).expect("tables are smaller than memory");
        if length == 0 {
            return Self {
                start: NonNull::dangling(),
                length: 0,
                held: Held::Nothing,
            };
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        if layout(most).size() >= LARGE {
            // Addresses cost nothing; memory comes with the first touch.
            let mut options = memmap2::MmapOptions::new();
            options
                .len(layout(most.max(length)).size())
                .no_reserve_swap();
            if let Ok(mut map) = options.map_anon() {
                // Where the system does not heed it, pages are small, and all is slower.
                let _ = map.advise(memmap2::Advice::HugePage);
                let start = NonNull::new(map.as_mut_ptr()).expect("a map is somewhere");
                return Self {
                    start: start.cast(),
                    length,
                    held: Held::Mapped(map),
                };
            }
        }
        let _ = most;
        let layout = layout(length);
        // SAFETY: the layout is not empty.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Self {
            start: start.cast(),
            length,
            held: Held::Allocated(layout),
        }
    }

    /// Adds zeros until there are so many values.
    pub(crate) fn grow(&mut self, length: usize) {
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        if let Held::Mapped(map) = &self.held
            && length * size_of::<T>() <= map.len()
        {
            self.length = length;
            return;
        }
        let grown = Self::new(length, length);
        let both = self.length.min(length);
        // SAFETY: both are that long and lie apart; the values are bytes that may be copied,
        // and nobody else has them, as `self` is borrowed alone.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), grown.start.as_ptr(), both) };
        *self = grown;
    }
}

impl Pages<Line> {
    /// All of them, to look at many in a loop that does not ask anew where they are.
    #[inline(always)]
    pub(crate) fn lines(&self) -> Lines<'_> {
        Lines {
            start: self.start,
            quarters: 4 * self.length,
            pages: PhantomData,
        }
    }
}

/// Lines, by their quarters: the first three of each hold a pair of words, a half and a byte
/// each; what is told of the last one means nothing.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'a> {
    start: NonNull<Line>,
    quarters: usize,
    pages: PhantomData<&'a [Line]>,
}

impl<'a> Lines<'a> {
    #[inline(always)]
    fn check(self, quarter: u32) -> usize {
        let quarter = quarter as usize;
        assert!(quarter < self.quarters);
        quarter
    }

    /// Asks for the line that a quarter lies in.
    #[inline(always)]
    pub(crate) fn fetch(self, quarter: u32) {
        let pairs = self.start.as_ptr().cast::<[AtomicU64; 2]>();
        prefetch(pairs.wrapping_add(quarter as usize));
    }

    /// The line that a quarter lies in.
    #[inline(always)]
    pub(crate) fn line(self, quarter: u32) -> &'a Line {
        // SAFETY: one of the lines; they live so long.
        unsafe { self.start.add(self.check(quarter) / 4).as_ref() }
    }

    /// The pair in a quarter.
    #[inline(always)]
    pub(crate) fn pair(self, quarter: u32) -> &'a [AtomicU64; 2] {
        debug_assert!(quarter % 4 != 3, "the last quarter is no pair");
        let quarter = self.check(quarter);
        // SAFETY: inside the lines, aligned; all of a line are atomic integers, and those of
        // the last quarter, of other sizes, are never looked at in this way.
        unsafe { self.start.cast::<[AtomicU64; 2]>().add(quarter).as_ref() }
    }

    /// The half of a word, and the byte, that belong to the pair in a quarter.
    #[inline(always)]
    pub(crate) fn more(self, quarter: u32) -> (&'a AtomicU32, &'a AtomicU8) {
        let (_, half, byte) = self.all(quarter);
        (half, byte)
    }

    /// The pair in a quarter, and what belongs to it.
    #[inline(always)]
    pub(crate) fn all(self, quarter: u32) -> (&'a [AtomicU64; 2], &'a AtomicU32, &'a AtomicU8) {
        debug_assert!(quarter % 4 != 3, "nothing belongs to the last quarter");
        let line = std::ptr::from_ref(self.line(quarter));
        let at = (quarter & 3) as usize;
        // SAFETY: inside the line, aligned: there are four bytes, and where a fourth pair and
        // a fourth half would be are the halves and the bytes, never looked at in this way.
        unsafe {
            let pair = line.cast::<[AtomicU64; 2]>().add(at);
            let half = line.cast::<AtomicU32>().add(HALVES + at);
            let byte = line.cast::<AtomicU8>().add(BYTES + at);
            (&*pair, &*half, &*byte)
        }
    }
}

impl<T: Zeroed> Deref for Pages<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: so many values lie there, aligned (pages are more than any value asks),
        // each valid from the beginning, and for as long as `self` lives.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Zeroed> Drop for Pages<T> {
    fn drop(&mut self) {
        if let Held::Allocated(layout) = self.held {
            // SAFETY: it was allocated with this layout, and is given back once.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) }
        }
    }
}

/// Asks for a value's line of memory, and does not wait for it: into the second cache, which can
/// be asked for more at once than the first, and so a batch is there a quarter sooner where
/// memory is slow. Where there is no such place, nothing happens.
#[inline(always)]
pub(crate) fn prefetch<T>(at: *const T) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a hint that reads nothing and never fails.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T1 }>(at.cast());
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = at;
}

/// Which of sixteen bytes, eight in each word, are this one: a bit for each.
#[inline(always)]
pub(crate) fn equal_bytes(words: [u64; 2], byte: u8) -> u32 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_set_epi64x, _mm_set1_epi8};
        // SAFETY: every processor of this kind has these.
        unsafe {
            let bytes = _mm_set_epi64x(words[1] as i64, words[0] as i64);
            let same = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte as i8));
            _mm_movemask_epi8(same) as u32
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        let bytes = words.into_iter().flat_map(u64::to_le_bytes).enumerate();
        bytes.fold(0, |all, (i, b)| all | u32::from(b == byte) << i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn equal_bytes_are_told_by_their_places() {
        let words = [0x0102_0304_0502_0000, 0x0200_0000_0000_ff02];
        assert_eq!(equal_bytes(words, 2), 1 << 2 | 1 << 6 | 1 << 8 | 1 << 15);
        assert_eq!(equal_bytes(words, 0xff), 1 << 9);
        assert_eq!(equal_bytes(words, 9), 0);
    }

    #[test]
    fn pages_of_every_size_are_zero_and_hold_what_is_written() {
        for length in [0, 1, 3, 1000, 1 << 15] {
            let mut pages = Pages::<Line>::new(length, 2 * length);
            assert_eq!(pages.len(), length);
            for line in pages.iter() {
                assert_eq!(std::ptr::from_ref(line).align_offset(64), 0);
                assert!(
                    line.pairs
                        .as_flattened()
                        .iter()
                        .all(|w| w.load(Ordering::Relaxed) == 0)
                );
                assert!(line.halves.iter().all(|w| w.load(Ordering::Relaxed) == 0));
                assert!(line.bytes.iter().all(|w| w.load(Ordering::Relaxed) == 0));
            }
            for (i, line) in pages.iter().enumerate() {
                prefetch(line);
                line.pairs[i % 3][0].store(i as u64 + 1, Ordering::Relaxed);
            }
            for larger in [length, 3 * length / 2, 4 * length] {
                pages.grow(larger);
                assert_eq!(pages.len(), larger);
                for (i, line) in pages.iter().enumerate() {
                    let expected = if i < length { i as u64 + 1 } else { 0 };
                    assert_eq!(line.pairs[i % 3][0].load(Ordering::Relaxed), expected);
                }
            }
        }
    }
}
