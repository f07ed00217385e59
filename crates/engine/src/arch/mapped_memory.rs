//! Large zeroed arrays: memory that costs nothing until it is touched, in huge pages where the
//! system has them, and cache-line prefetch.

use super::sync::{NativePrimitives, SyncPrimitives};
#[cfg(target_arch = "wasm32")]
use super::wasm_pages::PageRange;
use kernel::simd::prefetch;
use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;
#[cfg(not(target_arch = "wasm32"))]
use std::sync::atomic::Ordering::Relaxed;

/// A cache line of 64 bytes with the fields of three nodes.
#[repr(C, align(64))]
pub(crate) struct NodeLine<P: SyncPrimitives = NativePrimitives> {
    /// Three keys, see [`NodeLineView::pair`].
    pairs: [[P::U64; 2]; 3],
    /// Three 32-bit fields.
    pub(crate) halves: [P::U32; 3],
    /// Four 8-bit fields, of which three are used.
    pub(crate) bytes: [P::U8; 4],
}

/// The fields of one node in a line: its key, a 32-bit field and a byte.
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

// The layout that `NodeLineView::pair` relies on.
const _: () = assert!(size_of::<NodeLine>() == 64 && std::mem::offset_of!(NodeLine, pairs) == 0);

/// A cache line of eight words.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub(crate) struct WordLine(pub(crate) [AtomicU64; 8]);

/// A bucket of the node index, one cache line.
#[repr(C, align(64))]
pub(crate) struct IndexBucket<P: SyncPrimitives = NativePrimitives> {
    /// Twelve node ids.
    pub(crate) ids: [P::U32; 12],
    /// A fingerprint byte for each of the first eight ids, then for the last four; the rest of
    /// the second word holds flags of the whole bucket.
    pub(crate) fingerprints: [P::U64; 2],
}

/// Types for which all bytes zero are a valid value.
///
/// # Safety
/// All bytes zero are a valid value of the type, and it needs no drop.
pub(crate) unsafe trait ZeroableValue: Sync + Send {}

// SAFETY: atomic integers of the standard library, for which zero is a value and which need
// no drop, and structures of them.
unsafe impl ZeroableValue for NodeLine {}
// SAFETY: atomic integers, as in `NodeLine`.
unsafe impl ZeroableValue for WordLine {}
// SAFETY: atomic integers, as in `NodeLine`.
unsafe impl ZeroableValue for IndexBucket {}

/// An array in memory of its own, zeroed at first.
pub(crate) struct MappedArray<T: ZeroableValue> {
    start: NonNull<T>,
    length: usize,
    /// The length that it is expected to grow to at most.
    most: usize,
    backing: ArrayBacking,
}

enum ArrayBacking {
    /// No memory: the array is empty.
    Nothing,
    /// Memory of the allocator.
    Allocated(Layout),
    /// Pages mapped by the system.
    #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
    Mapped(memmap2::MmapMut),
    /// Pages of WebAssembly's memory.
    #[cfg(target_arch = "wasm32")]
    Paged(PageRange),
}

// SAFETY: it owns what it points to, as a boxed slice does, and `ZeroableValue` values are `Send`.
unsafe impl<T: ZeroableValue> Send for MappedArray<T> {}
// SAFETY: shared, it gives shared references to its values, and these are `Sync`.
unsafe impl<T: ZeroableValue> Sync for MappedArray<T> {}

/// Size in bytes from which memory is mapped instead of allocated.
#[cfg(any(
    target_arch = "wasm32",
    all(target_arch = "x86_64", target_os = "linux", not(miri))
))]
const LARGE: usize = 1 << 20;

/// The size of a page in bytes.
#[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
const PAGE: usize = 4096;

impl<T: ZeroableValue> MappedArray<T> {
    /// An array of `length` zeros that can grow in place to `most` values if it is mapped.
    pub(crate) fn new(length: usize, most: usize) -> Self {
        let layout = |length| Layout::array::<T>(length).expect("tables are smaller than memory");
        if length == 0 {
            return Self {
                start: NonNull::dangling(),
                length: 0,
                most,
                backing: ArrayBacking::Nothing,
            };
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        if layout(most).size() >= LARGE {
            // Reserving addresses costs nothing; memory comes with the first touch.
            let mut options = memmap2::MmapOptions::new();
            options
                .len(layout(most.max(length)).size())
                .no_reserve_swap();
            if let Ok(mut map) = options.map_anon() {
                // Where the system refuses, pages are small, and access is slower.
                let _ = map.advise(memmap2::Advice::HugePage);
                let start = NonNull::new(map.as_mut_ptr()).expect("a map is somewhere");
                return Self {
                    start: start.cast(),
                    length,
                    most,
                    backing: ArrayBacking::Mapped(map),
                };
            }
        }
        let layout = layout(length);
        #[cfg(target_arch = "wasm32")]
        if layout.size() >= LARGE
            && let Some(mut range) =
                PageRange::take(layout.size(), most.saturating_mul(size_of::<T>()))
        {
            clear_dirty(&mut range, 0, layout.size());
            let start = NonNull::new(range.start()).expect("pages do not begin at zero");
            return Self {
                start: start.cast(),
                length,
                most,
                backing: ArrayBacking::Paged(range),
            };
        }
        // SAFETY: the layout is not empty: the length is not zero, as was asked above, and no
        // `ZeroableValue` type is empty.
        let start = unsafe { alloc_zeroed(layout) };
        let Some(start) = NonNull::new(start) else {
            handle_alloc_error(layout)
        };
        Self {
            start: start.cast(),
            length,
            most,
            backing: ArrayBacking::Allocated(layout),
        }
    }

    /// Appends zeros up to this length.
    pub(crate) fn grow(&mut self, length: usize) {
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        if let ArrayBacking::Mapped(map) = &self.backing
            && length * size_of::<T>() <= map.len()
        {
            self.length = length;
            return;
        }
        #[cfg(target_arch = "wasm32")]
        if let ArrayBacking::Paged(range) = &mut self.backing
            && length * size_of::<T>() <= range.bytes()
        {
            clear_dirty(range, self.length * size_of::<T>(), length * size_of::<T>());
            self.length = length;
            return;
        }
        let grown = Self::new(length, self.most.max(length));
        let both = self.length.min(length);
        // SAFETY: both are that long, and do not overlap since `grown` has just been allocated.
        // `ZeroableValue` types need no drop, and the old values are not used again: nothing else
        // refers to them, as `self` is borrowed mutably.
        unsafe { std::ptr::copy_nonoverlapping(self.start.as_ptr(), grown.start.as_ptr(), both) };
        *self = grown;
    }

    /// Grows to this length, with values of which nothing is known: the old ones, or zeros.
    pub(crate) fn grow_anew(&mut self, length: usize) {
        let is_moved = match &self.backing {
            ArrayBacking::Allocated(_) => true,
            #[cfg(target_arch = "wasm32")]
            ArrayBacking::Paged(range) => length * size_of::<T>() > range.bytes(),
            _ => false,
        };
        if is_moved {
            // the old one is given back before: it need not be copied
            *self = Self::new(0, 0);
            *self = Self::new(length, length);
        } else {
            self.grow(length);
        }
    }

    /// Drops all values from this length on, and gives back the memory that they take alone. If
    /// the array grows again, some of them may be there again.
    pub(crate) fn shrink(&mut self, length: usize) {
        self.length = self.length.min(length);
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        if let ArrayBacking::Mapped(map) = &self.backing {
            let end = (self.length * size_of::<T>()).next_multiple_of(PAGE);
            if end < map.len() {
                // SAFETY: whole pages from `end` on become zeros. The map is private and owned by
                // this array, borrowed mutably; nothing refers to values past `length`, and bytes
                // of zero are a valid `ZeroableValue`.
                let _ = unsafe {
                    map.unchecked_advise_range(
                        memmap2::UncheckedAdvice::DontNeed,
                        end,
                        map.len() - end,
                    )
                };
            }
        }
    }
}

impl MappedArray<NodeLine> {
    /// A view of all lines whose base address stays in a register, for loops over many nodes.
    #[inline(always)]
    pub(crate) fn lines(&self) -> NodeLineView<'_> {
        NodeLineView {
            start: self.start,
            ids: 4 * self.length,
            marker: PhantomData,
        }
    }
}

/// Words in a line.
const LINE: usize = 8;

impl MappedArray<WordLine> {
    /// The word with this index.
    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> &AtomicU64 {
        &self[at / LINE].0[at % LINE]
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl MappedArray<WordLine> {
    /// Copies the words from one on.
    ///
    /// # Panics
    /// When there are not as many.
    #[inline(always)]
    pub(crate) fn copy_words(&self, at: usize, to: &mut [u64]) {
        for (k, word) in to.iter_mut().enumerate() {
            *word = self.word(at + k).load(Relaxed);
        }
    }

    /// Whether the words from one on are these.
    ///
    /// # Panics
    /// When there are not as many.
    #[inline(always)]
    pub(crate) fn has_words(&self, at: usize, words: &[u64]) -> bool {
        let mut words = words.iter().enumerate();
        words.all(|(k, word)| self.word(at + k).load(Relaxed) == *word)
    }
}

/// WebAssembly's programs have one thread, and vectors for what is not atomic.
#[cfg(target_arch = "wasm32")]
impl MappedArray<WordLine> {
    /// The word with this index, and those behind it.
    fn words(&self, at: usize, count: usize) -> *const u64 {
        assert!(at + count <= LINE * self.length);
        self.start.as_ptr().cast::<u64>().wrapping_add(at)
    }

    /// Copies the words from one on.
    ///
    /// # Panics
    /// When there are not as many.
    #[inline(always)]
    pub(crate) fn copy_words(&self, at: usize, to: &mut [u64]) {
        let from = self.words(at, to.len());
        // SAFETY: `words` has checked that all of them are there, initialised as all of an array
        // is; no other thread writes to them: there is none.
        let word = |k: usize| unsafe { from.add(k).read() };
        match to {
            // Browsers copy memory by calls, which take longer than so few words.
            [a, b] => [*a, *b] = [word(0), word(1)],
            [a, b, c, d] => [*a, *b, *c, *d] = [word(0), word(1), word(2), word(3)],
            _ => to.iter_mut().enumerate().for_each(|(k, to)| *to = word(k)),
        }
    }

    /// Whether the words from one on are these.
    ///
    /// # Panics
    /// When there are not as many.
    #[inline(always)]
    pub(crate) fn has_words(&self, at: usize, words: &[u64]) -> bool {
        let stored = self.words(at, words.len());
        // SAFETY: as in `copy_words`.
        let differ = |(k, word): (usize, &u64)| unsafe { stored.add(k).read() } ^ word;
        words
            .iter()
            .enumerate()
            .map(differ)
            .fold(0, |all, word| all | word)
            == 0
    }
}

impl MappedArray<IndexBucket> {
    /// Clears some buckets.
    pub(crate) fn clear(&self, buckets: Range<usize>) {
        let buckets = &self[buckets];
        #[cfg(target_arch = "wasm32")]
        // SAFETY: the slice allows to write to its atomic integers, for which zero is a value. No
        // other thread reads them meanwhile: there is none.
        unsafe {
            buckets.as_ptr().cast_mut().write_bytes(0, buckets.len());
        }
        #[cfg(not(target_arch = "wasm32"))]
        for bucket in buckets {
            bucket
                .fingerprints
                .iter()
                .for_each(|fingerprint| fingerprint.store(0, Relaxed));
            bucket.ids.iter().for_each(|id| id.store(0, Relaxed));
        }
    }
}

/// Lines addressed by node id: id `4 * line + slot`, where slots 0 to 2 hold the fields of a
/// node and slot 3 is not used.
#[derive(Clone, Copy)]
pub(crate) struct NodeLineView<'a> {
    start: NonNull<NodeLine>,
    ids: usize,
    marker: PhantomData<&'a [NodeLine]>,
}

impl<'a> NodeLineView<'a> {
    /// Prefetches the line that a node lies in.
    #[inline(always)]
    pub(crate) fn fetch(self, id: u32) {
        let pairs = self.start.as_ptr().cast::<[AtomicU64; 2]>();
        prefetch(pairs.wrapping_add(id as usize));
    }

    /// The line that a node lies in.
    ///
    /// # Panics
    /// When there is no such line.
    #[inline(always)]
    pub(crate) fn line(self, id: u32) -> &'a NodeLine {
        let id = id as usize;
        assert!(id < self.ids);
        // SAFETY: `MappedArray::lines` gave the start of `ids / 4` lines, four ids each, which
        // are initialised and borrowed for 'a; this is one of them by the check above.
        unsafe { self.start.add(id / 4).as_ref() }
    }

    /// The key of a node.
    ///
    /// # Panics
    /// When there is no such line, or the id is that of slot 3.
    #[inline(always)]
    pub(crate) fn pair(self, id: u32) -> &'a [AtomicU64; 2] {
        let index = id as usize;
        assert!(index < self.ids && id & 3 != 3);
        // SAFETY: the pair is inside the lines, as for `line`. A line is four times as large
        // as a pair and begins with three of them (asserted where it is defined), and by the
        // check above this is one of the three.
        unsafe { self.start.cast::<[AtomicU64; 2]>().add(index).as_ref() }
    }

    /// The fields of a node.
    ///
    /// # Panics
    /// As [`NodeLineView::pair`] does.
    #[inline(always)]
    pub(crate) fn fields(self, id: u32) -> NodeFields<'a> {
        self.line(id).fields((id & 3) as usize)
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
        #[cfg(target_arch = "wasm32")]
        if let ArrayBacking::Paged(_) = self.backing
            && let ArrayBacking::Paged(range) =
                std::mem::replace(&mut self.backing, ArrayBacking::Nothing)
        {
            return range.give_back();
        }
        if let ArrayBacking::Allocated(layout) = self.backing {
            // SAFETY: `new` allocated it with the layout that it wrote down beside it, and
            // after this drop nothing points to it.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) }
        }
    }
}

/// Makes the bytes from `start` to `end` zero, as an array that they come to expects them.
#[cfg(target_arch = "wasm32")]
fn clear_dirty(range: &mut PageRange, start: usize, end: usize) {
    let dirty = end.min(range.clean()).saturating_sub(start);
    // SAFETY: the bytes are inside the range, which the caller has alone, and which ends after `end`:
    // `take` and the comparisons of `grow` say so.
    unsafe { range.start().add(start).write_bytes(0, dirty) };
    range.use_up_to(end);
}

/// A mask of the sixteen bytes, eight in each word, that equal `byte`.
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
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    {
        use std::arch::wasm32::{u8x16_bitmask, u8x16_eq, u8x16_splat, u64x2};
        let same = u8x16_eq(u64x2(words[0], words[1]), u8x16_splat(byte));
        u32::from(u8x16_bitmask(same))
    }
    #[cfg(not(any(
        all(target_arch = "x86_64", not(miri)),
        all(target_arch = "wasm32", target_feature = "simd128")
    )))]
    {
        equal_bytes_of_words(words, byte)
    }
}

/// [`equal_bytes`] without vectors.
#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", not(miri)),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))
))]
#[inline(always)]
fn equal_bytes_of_words(words: [u64; 2], byte: u8) -> u32 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let [low, high] = words.map(|word| {
        let differ = word ^ (u64::from(byte) * 0x0101_0101_0101_0101);
        // the highest bit of each byte that differs nowhere, with no carry between bytes
        let same = !(((differ & LOW) + LOW) | differ | LOW);
        ((same >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32
    });
    low | high << 8
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
                ids: Default::default(),
                fingerprints: Default::default(),
            }
        }
    }

    #[test]
    fn ids_outside_the_array_are_refused() {
        for id in 0..16 {
            let array = MappedArray::<NodeLine>::new(3, 3);
            let is_there = id < 12 && id % 4 != 3;
            let pair = || std::ptr::from_ref(array.lines().pair(id)).addr();
            let fields = || std::ptr::from_ref(array.lines().fields(id).pair).addr();
            let expected = array.as_ptr().addr() + 16 * id as usize;
            assert_eq!(catch_unwind(pair).ok(), is_there.then_some(expected));
            assert_eq!(catch_unwind(fields).ok(), is_there.then_some(expected));
        }
    }

    #[test]
    fn equal_bytes_gives_a_bit_per_byte() {
        let words = [0x0102_0304_0502_0000, 0x0200_0000_0000_ff02];
        assert_eq!(equal_bytes(words, 2), 1 << 2 | 1 << 6 | 1 << 8 | 1 << 15);
        assert_eq!(equal_bytes(words, 0xff), 1 << 9);
        assert_eq!(equal_bytes(words, 9), 0);
        let mut state = 1_u64;
        for _ in 0..4000 {
            let words = [0, 1].map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                // few bits, so that bytes are equal often
                state >> 11 & 0x8101_0180_0100_8101
            });
            for byte in [0, 1, 0x80, 0x81, 0xff] {
                let bytes = words.into_iter().flat_map(u64::to_le_bytes).enumerate();
                let expected = bytes.fold(0, |all, (i, b)| all | u32::from(b == byte) << i);
                assert_eq!(equal_bytes(words, byte), expected, "{words:x?} {byte}");
                assert_eq!(
                    equal_bytes_of_words(words, byte),
                    expected,
                    "{words:x?} {byte}"
                );
            }
        }
    }

    #[test]
    fn arrays_of_every_size_are_zero_and_keep_values() {
        for length in [0, 1, 3, 1000, 1 << 15] {
            let mut array = MappedArray::<NodeLine>::new(length, 2 * length);
            assert_eq!(array.len(), length);
            for line in array.iter() {
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
            for (i, line) in array.iter().enumerate() {
                prefetch(line);
                line.pairs[i % 3][0].store(i as u64 + 1, Ordering::Relaxed);
            }
            for larger in [length, 3 * length / 2, 4 * length] {
                array.grow(larger);
                assert_eq!(array.len(), larger);
                for (i, line) in array.iter().enumerate() {
                    let expected = if i < length { i as u64 + 1 } else { 0 };
                    assert_eq!(line.pairs[i % 3][0].load(Ordering::Relaxed), expected);
                }
            }
        }
    }
}
