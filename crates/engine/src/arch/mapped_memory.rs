//! Large tables: memory that costs nothing until it is touched, in huge pages where the
//! system has them, and asked for before it is looked at.

use super::sync::{NativePrimitives, SyncPrimitives};
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// A line of memory as processors move it: 64 bytes.
#[repr(C, align(64))]
pub(crate) struct NodeLine<P: SyncPrimitives = NativePrimitives> {
    /// Three pairs of words, see [`NodeLineView::pair`].
    pairs: [[P::U64; 2]; 3],
    /// Three halves of words.
    pub(crate) halves: [P::U32; 3],
    /// Four bytes.
    pub(crate) bytes: [P::U8; 4],
}

/// A pair of words of a line, and the half of a word and the byte that belong to it.
pub(crate) struct NodeFields<'a, P: SyncPrimitives = NativePrimitives> {
    pub(crate) pair: &'a [P::U64; 2],
    pub(crate) half: &'a P::U32,
    pub(crate) byte: &'a P::U8,
}

impl<P: SyncPrimitives> NodeLine<P> {
    /// The fields in slot 0, 1 or 2.
    #[inline(always)]
    pub(crate) fn fields(&self, at: usize) -> NodeFields<'_, P> {
        NodeFields {
            pair: &self.pairs[at],
            half: &self.halves[at],
            byte: &self.bytes[at],
        }
    }
}

// What is laid over a line by `NodeLineView::pair`.
const _: () = assert!(size_of::<NodeLine>() == 64 && std::mem::offset_of!(NodeLine, pairs) == 0);

/// A line of words.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct WordLine(pub(crate) [AtomicU64; 8]);

/// A line of an index.
#[repr(C, align(64))]
pub(crate) struct IndexBucket<P: SyncPrimitives = NativePrimitives> {
    /// Twelve references.
    pub(crate) squares: [P::U32; 12],
    /// A byte for each of the first eight, and then of the last four; in the rest of the
    /// second word, what there is to say of all.
    pub(crate) prints: [P::U64; 2],
}

/// Values of which zero bytes are one.
///
/// # Safety
/// All bytes zero are a valid value, and it needs no drop.
pub(crate) unsafe trait ZeroableValue: Sync + Send {}

// SAFETY: atomic integers of the standard library, for which zero is a value and which need
// no drop, and structures of them.
unsafe impl ZeroableValue for NodeLine {}
// SAFETY: atomic integers, as in `NodeLine`.
unsafe impl ZeroableValue for WordLine {}
// SAFETY: atomic integers, as in `NodeLine`.
unsafe impl ZeroableValue for IndexBucket {}

/// Values in memory of their own, all zero at first.
pub(crate) struct MappedArray<T: ZeroableValue> {
    start: NonNull<T>,
    length: usize,
    held: ArrayBacking,
}

enum ArrayBacking {
    /// Nothing at all.
    Nothing,
    /// Of the allocator.
    Allocated(Layout),
    /// Pages of the system.
    #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
    Mapped(memmap2::MmapMut),
}

// SAFETY: it owns what it points to, as a boxed slice does, and `ZeroableValue` values are `Send`.
unsafe impl<T: ZeroableValue> Send for MappedArray<T> {}
// SAFETY: shared, it gives shared references to its values, and these are `Sync`.
unsafe impl<T: ZeroableValue> Sync for MappedArray<T> {}

/// Bytes from which on whole pages are asked of the system.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
const LARGE: usize = 1 << 20;

impl<T: ZeroableValue> MappedArray<T> {
    /// So many zeros, of a table that may have to grow to `most`.
    pub(crate) fn new(length: usize, most: usize) -> Self {
        let layout = |length| Layout::array::<T>(length).expect("tables are smaller than memory");
        if length == 0 {
            return Self {
                start: NonNull::dangling(),
                length: 0,
                held: ArrayBacking::Nothing,
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
                    held: ArrayBacking::Mapped(map),
                };
            }
        }
        let _ = most;
        let layout = layout(length);
        // SAFETY: the layout is not empty: the length is not zero, as was asked above, and no
        // `ZeroableValue` type is empty.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Self {
            start: start.cast(),
            length,
            held: ArrayBacking::Allocated(layout),
        }
    }

    /// Adds zeros until there are so many values.
    pub(crate) fn grow(&mut self, length: usize) {
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        if let ArrayBacking::Mapped(map) = &self.held
            && length * size_of::<T>() <= map.len()
        {
            self.length = length;
            return;
        }
        let grown = Self::new(length, length);
        let both = self.length.min(length);
        // SAFETY: both are that long, and lie apart since `grown` has just been allocated.
        // `ZeroableValue` values are without drop, and the old ones are not used again: nobody else
        // looks at them, as `self` is borrowed mutably.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), grown.start.as_ptr(), both) };
        *self = grown;
    }
}

impl MappedArray<NodeLine> {
    /// All of them, to look at many in a loop that does not ask anew where they are.
    #[inline(always)]
    pub(crate) fn lines(&self) -> NodeLineView<'_> {
        NodeLineView {
            start: self.start,
            quarters: 4 * self.length,
            pages: PhantomData,
        }
    }
}

/// Lines, by their quarters: the first three of each hold a pair of words, a half and a byte
/// each; what is told of the last one means nothing.
#[derive(Clone, Copy)]
pub(crate) struct NodeLineView<'a> {
    start: NonNull<NodeLine>,
    quarters: usize,
    pages: PhantomData<&'a [NodeLine]>,
}

impl<'a> NodeLineView<'a> {
    /// Asks for the line that a quarter lies in.
    #[inline(always)]
    pub(crate) fn fetch(self, quarter: u32) {
        let pairs = self.start.as_ptr().cast::<[AtomicU64; 2]>();
        prefetch(pairs.wrapping_add(quarter as usize));
    }

    /// The line that a quarter lies in.
    ///
    /// # Panics
    /// When there is no such line.
    #[inline(always)]
    pub(crate) fn line(self, quarter: u32) -> &'a NodeLine {
        let quarter = quarter as usize;
        assert!(quarter < self.quarters);
        // SAFETY: `MappedArray::lines` gave the start of so many lines, four quarters each, which
        // are initialised and borrowed for 'a; this is one of them by the check above.
        unsafe { self.start.add(quarter / 4).as_ref() }
    }

    /// The pair in a quarter.
    ///
    /// # Panics
    /// When there is no such line, or it is the last quarter of one.
    #[inline(always)]
    pub(crate) fn pair(self, quarter: u32) -> &'a [AtomicU64; 2] {
        let index = quarter as usize;
        assert!(index < self.quarters && quarter & 3 != 3);
        // SAFETY: the pair is inside the lines, as for `line`. A line is four times as large
        // as a pair and begins with three of them (asserted where it is defined), and by the
        // check above this is one of the three.
        unsafe { self.start.cast::<[AtomicU64; 2]>().add(index).as_ref() }
    }

    /// The pair in a quarter, and what belongs to it.
    ///
    /// # Panics
    /// As [`NodeLineView::pair`] does.
    #[inline(always)]
    pub(crate) fn fields(self, quarter: u32) -> NodeFields<'a> {
        self.line(quarter).fields((quarter & 3) as usize)
    }
}

impl<T: ZeroableValue> Deref for MappedArray<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `new` and `grow` keep `start` and `length` to memory of theirs in which so
        // many values lie, aligned (by the layout, or as pages of the system are), each valid
        // from the beginning, since zeros are, and for as long as `self` lives. They are
        // changed through shared references only as atomics are.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: ZeroableValue> Drop for MappedArray<T> {
    fn drop(&mut self) {
        if let ArrayBacking::Allocated(layout) = self.held {
            // SAFETY: `new` allocated it with the layout that it wrote down beside it, and
            // after this drop nothing points to it.
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
    // SAFETY: every x86-64 processor has SSE, and a prefetch is a hint for any address: it
    // reads nothing into the program and never faults.
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
        // SAFETY: these are SSE2, which every x86-64 processor has.
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
    use std::panic::catch_unwind;
    use std::sync::atomic::Ordering;

    impl<P: SyncPrimitives> Default for NodeLine<P> {
        fn default() -> Self {
            Self {
                pairs: Default::default(),
                halves: Default::default(),
                bytes: Default::default(),
            }
        }
    }

    impl<P: SyncPrimitives> Default for IndexBucket<P> {
        fn default() -> Self {
            Self {
                squares: Default::default(),
                prints: Default::default(),
            }
        }
    }

    #[test]
    fn what_is_not_in_the_lines_is_refused() {
        for quarter in 0..16 {
            let pages = MappedArray::<NodeLine>::new(3, 3);
            let is_there = quarter < 12 && quarter % 4 != 3;
            let pair = || std::ptr::from_ref(pages.lines().pair(quarter)).addr();
            let fields = || std::ptr::from_ref(pages.lines().fields(quarter).pair).addr();
            let expected = pages.as_ptr().addr() + 16 * quarter as usize;
            assert_eq!(catch_unwind(pair).ok(), is_there.then_some(expected));
            assert_eq!(catch_unwind(fields).ok(), is_there.then_some(expected));
        }
    }

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
            let mut pages = MappedArray::<NodeLine>::new(length, 2 * length);
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
