//! Many look-ups in a hashed index at once.
//!
//! A look-up is a handful of steps on words that lie nowhere in particular, and a step of a
//! hashed quadtree is little else. What newer processors have for it, they have here.
//!
//! Several threads may add names meanwhile. Who reads a name acquires it, and so sees the
//! pair that it names (see `hashlife/index.rs`). Vectors are loaded by inline assembly, since
//! the language has no atomic loads of vectors, and an ordinary load would be a data race.
//! Each such load stands for relaxed loads of the integers that lie there, and where names
//! come of it, an acquire fence follows: it costs no instruction on these processors, whose
//! loads stay in order, and keeps the compiler from moving later loads before it.

use super::sync::{AtomicValue, SyncPrimitives};
use super::{IndexBucket, NodeLineView, prefetch};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::{asm, x86_64::__m128i};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// Names in a line of an index.
pub(crate) const NAMES: usize = 12;

/// A bit for each of them.
const ALL: u32 = (1 << NAMES) - 1;

/// Added to the four halves of what is hashed.
const SALT: [u32; 4] = [0x9e37_79b9, 0xd1b5_4a32, 0xaef1_7502, 0xb492_b66f];

/// Odd, and else without a pattern.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// Two words mixed into one, of which the upper bits are the better ones.
///
/// The halves of each are multiplied, salted, as in the hash NH (J. Black, S. Halevi,
/// H. Krawczyk, T. Krovetz, P. Rogaway, "UMAC: fast and secure message authentication",
/// 1999); what comes of it is spread by a factor.
#[inline(always)]
pub(crate) fn mix([a, b]: [u64; 2]) -> u64 {
    let product = |word: u64, k: usize| {
        let low = (word as u32).wrapping_add(SALT[k]);
        let high = ((word >> 32) as u32).wrapping_add(SALT[k + 1]);
        u64::from(low) * u64::from(high)
    };
    product(a, 0)
        .wrapping_add(product(b, 2))
        .wrapping_mul(FACTOR)
}

/// Where a hash is looked for: the line in the upper half, and in the lowest byte the one by
/// which it is known there.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct BucketProbe(u64);

impl BucketProbe {
    /// Where a hash is looked for among so many lines.
    #[inline(always)]
    pub(crate) fn new(hash: u64, lines: usize) -> Self {
        let line = (hash >> 32) * lines as u64;
        Self(line & !0xffff_ffff | hash >> 24 & 0xff)
    }

    #[inline(always)]
    pub(crate) fn line(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    pub(crate) fn print(self) -> u8 {
        self.0 as u8
    }
}

/// The first of a line's names that is known by the spot's byte; 0 if none is.
#[inline(always)]
pub(crate) fn guess<P: SyncPrimitives>(line: &IndexBucket<P>, print: u8) -> u32 {
    let words = [line.prints[0].load(Acquire), line.prints[1].load(Acquire)];
    let alike = super::equal_bytes(words, print);
    let slot = first_of(alike);
    let square = line.squares[slot].load(Acquire);
    if alike >> slot & 1 == 0 { 0 } else { square }
}

/// The first of the names whose bits are set, or the last one.
#[inline(always)]
fn first_of(alike: u32) -> usize {
    (alike | 1 << (NAMES - 1)).trailing_zeros() as usize
}

/// Where pairs are looked for among lines, which are asked for.
#[inline]
pub(crate) fn find_spots(lines: &[IndexBucket], pairs: &[[u64; 2]], spots: &mut [BucketProbe]) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match width() {
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Wide => return unsafe { wide::find_spots(lines, pairs, spots) },
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Half => return unsafe { half::find_spots(lines, pairs, spots) },
        GatherWidth::Plain => {}
    }
    for (spot, &pair) in spots.iter_mut().zip(pairs) {
        *spot = BucketProbe::new(mix(pair), lines.len());
        prefetch(lines.as_ptr().wrapping_add(spot.line()));
    }
}

/// The first name that is known by each spot's byte in its line, or 0; what is named is asked
/// for. Which got 0 is told in `missing`, as so many.
#[inline]
pub(crate) fn find_names(
    lines: &[IndexBucket],
    named: NodeLineView<'_>,
    spots: &[BucketProbe],
    names: &mut [u32],
    missing: &mut [u32],
) -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match width() {
        GatherWidth::Wide => {
            // SAFETY: `width` has found every feature that the function is compiled for.
            return unsafe { wide::find_names(lines, named, spots, names, missing) };
        }
        GatherWidth::Half => {
            // SAFETY: `width` has found every feature that the function is compiled for.
            return unsafe { half::find_names(lines, named, spots, names, missing) };
        }
        GatherWidth::Plain => {}
    }
    let mut absent = 0;
    for (i, (name, spot)) in names.iter_mut().zip(spots).enumerate() {
        *name = guess(&lines[spot.line()], spot.print());
        named.fetch(*name);
        missing[absent] = i as u32;
        absent += usize::from(*name == 0);
    }
    absent
}

/// Which names are not those of the pairs: told in `wrong`, as so many.
#[inline]
pub(crate) fn find_wrong(
    named: NodeLineView<'_>,
    names: &[u32],
    pairs: &[[u64; 2]],
    wrong: &mut [u32],
) -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match width() {
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Wide => return unsafe { wide::find_wrong(named, names, pairs, wrong) },
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Half => return unsafe { half::find_wrong(named, names, pairs, wrong) },
        GatherWidth::Plain => {}
    }
    some_wrong(named, names, pairs, wrong, 0, 0)
}

#[inline(always)]
fn some_wrong(
    named: NodeLineView<'_>,
    names: &[u32],
    pairs: &[[u64; 2]],
    wrong: &mut [u32],
    first: usize,
    mut count: usize,
) -> usize {
    for (i, (&name, pair)) in names.iter().zip(pairs).enumerate() {
        let [a, b] = named.pair(name);
        let differ = a.load(Relaxed) ^ pair[0] | b.load(Relaxed) ^ pair[1];
        wrong[count] = (first + i) as u32;
        count += usize::from(differ != 0);
    }
    count
}

/// Vectors for look-ups: of 512 bits, of 256, or none.
#[cfg(all(target_arch = "x86_64", not(miri)))]
enum GatherWidth {
    Wide,
    Half,
    Plain,
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn width() -> GatherWidth {
    if super::allowed(512)
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
    {
        GatherWidth::Wide
    } else if super::allowed(256)
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
    {
        GatherWidth::Half
    } else {
        GatherWidth::Plain
    }
}

/// A pair that others may be reading too, or writing to: it stands for a relaxed load of each
/// of its words.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[target_feature(enable = "avx")]
#[inline]
fn load_pair(pair: &[AtomicU64; 2]) -> __m128i {
    let loaded: __m128i;
    // SAFETY: the reference allows to read the pair, which is 16 bytes long and aligned to as
    // many, and `avx` is enabled here. Nothing is written. Each word is read in one access,
    // as by a relaxed load (Intel's manual, volume 3A, "Guaranteed Atomic Operations"; AMD's,
    // volume 2, "Access Atomicity").
    unsafe {
        asm!(
            "vmovdqa {loaded}, xmmword ptr [{pair}]",
            pair = in(reg) std::ptr::from_ref(pair),
            loaded = lateout(xmm_reg) loaded,
            options(nostack, preserves_flags, readonly),
        );
    }
    loaded
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod half {
    use super::super::prefetch;
    use super::{
        BucketProbe, FACTOR, IndexBucket, NodeLineView, SALT, first_of, load_pair, mix, some_wrong,
    };
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_loadu_si128, _mm_movemask_epi8, _mm_or_si128, _mm_set1_epi8,
        _mm_testz_si128, _mm_xor_si128, _mm256_add_epi32, _mm256_add_epi64, _mm256_blend_epi32,
        _mm256_loadu_si256, _mm256_mul_epu32, _mm256_permute4x64_epi64, _mm256_set1_epi64x,
        _mm256_setr_epi32, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256,
        _mm256_unpackhi_epi64, _mm256_unpacklo_epi64,
    };
    use std::sync::atomic::Ordering::Acquire;

    #[target_feature(enable = "avx2")]
    pub(super) fn find_spots(lines: &[IndexBucket], pairs: &[[u64; 2]], spots: &mut [BucketProbe]) {
        let [a, b, c, d] = SALT.map(|salt| salt as i32);
        let salt = _mm256_setr_epi32(a, b, c, d, a, b, c, d);
        let factor = [FACTOR, FACTOR >> 32].map(|half| _mm256_set1_epi64x(half as i64));
        let count = _mm256_set1_epi64x(lines.len() as i64);
        // Four spots, of four pairs in two vectors.
        let spots_of = |words: [__m256i; 2]| {
            let [first, second] = words.map(|words| {
                let salted = _mm256_add_epi32(words, salt);
                _mm256_mul_epu32(salted, _mm256_srli_epi64::<32>(salted))
            });
            let sum = _mm256_add_epi64(
                _mm256_unpacklo_epi64(first, second),
                _mm256_unpackhi_epi64(first, second),
            );
            // By the factor, in halves.
            let across = _mm256_add_epi64(
                _mm256_mul_epu32(sum, factor[1]),
                _mm256_mul_epu32(_mm256_srli_epi64::<32>(sum), factor[0]),
            );
            let hash = _mm256_add_epi64(
                _mm256_mul_epu32(sum, factor[0]),
                _mm256_slli_epi64::<32>(across),
            );
            let line = _mm256_mul_epu32(_mm256_srli_epi64::<32>(hash), count);
            let spot = _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<24>(hash), line);
            _mm256_permute4x64_epi64::<0b11_01_10_00>(spot)
        };
        let spots = &mut spots[..pairs.len()];
        let (fours, rest) = pairs.as_chunks::<4>();
        let (some, more) = spots.as_chunks_mut::<4>();
        for (four, spots) in fours.iter().zip(some) {
            let words = [0, 2].map(|at| {
                // SAFETY: the chunk is four pairs, as long as the two vectors that are read
                // from its pairs 0 and 2 on, and they need no alignment.
                unsafe { _mm256_loadu_si256(four.as_ptr().add(at).cast()) }
            });
            // SAFETY: the chunk is four spots of a word each (`BucketProbe` is transparent), as long as
            // the vector, which needs no alignment and may hold any bits, as spots may.
            unsafe { _mm256_storeu_si256(spots.as_mut_ptr().cast(), spots_of(words)) };
            for spot in spots {
                prefetch(lines.as_ptr().wrapping_add(spot.line()));
            }
        }
        for (spot, &pair) in more.iter_mut().zip(rest) {
            *spot = BucketProbe::new(mix(pair), lines.len());
            prefetch(lines.as_ptr().wrapping_add(spot.line()));
        }
    }

    #[target_feature(enable = "avx2,bmi1")]
    pub(super) fn find_names(
        lines: &[IndexBucket],
        named: NodeLineView<'_>,
        spots: &[BucketProbe],
        names: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        let names = &mut names[..spots.len()];
        let missing = &mut missing[..spots.len()];
        let mut absent = 0;
        for (i, (name, &spot)) in names.iter_mut().zip(spots).enumerate() {
            let line = &lines[spot.line()];
            let alike = equal_prints(line, spot.print());
            let slot = first_of(alike);
            let square = line.squares[slot].load(Acquire);
            *name = if alike >> slot & 1 == 0 { 0 } else { square };
            named.fetch(*name);
            // SAFETY: no more are absent than were looked for before this one, `i`, which is
            // less than the length of both lists, as they were cut to it above.
            unsafe { *missing.get_unchecked_mut(absent) = i as u32 };
            absent += usize::from(*name == 0);
        }
        absent
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn find_wrong(
        named: NodeLineView<'_>,
        names: &[u32],
        pairs: &[[u64; 2]],
        wrong: &mut [u32],
    ) -> usize {
        let wrong = &mut wrong[..names.len()];
        let pairs = &pairs[..names.len()];
        let mut count = 0;
        let (names, more_names) = names.as_chunks::<4>();
        let (pairs, more_pairs) = pairs.as_chunks::<4>();
        for (i, (names, four)) in names.iter().zip(pairs).enumerate() {
            let [a, b, c, d] = std::array::from_fn(|k| {
                // SAFETY: the reference allows to read the 16 bytes, which need no alignment.
                let wanted = unsafe { _mm_loadu_si128(four[k].as_ptr().cast()) };
                _mm_xor_si128(load_pair(named.pair(names[k])), wanted)
            });
            let differ = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
            if _mm_testz_si128(differ, differ) == 0 {
                count = some_wrong(named, names, four, wrong, 4 * i, count);
            }
        }
        let first = 4 * names.len();
        some_wrong(named, more_names, more_pairs, wrong, first, count)
    }

    /// Which of a line's sixteen bytes, that others may be writing to, are this one. It
    /// stands for a relaxed load of both words.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn equal_prints(line: &IndexBucket, print: u8) -> u32 {
        let same: __m128i;
        // SAFETY: the reference allows to read both words, which lie side by side, aligned to
        // 16 bytes (`IndexBucket` is aligned to 64, and they are its last 16); `avx2` is enabled
        // here. Nothing is written. Each word is read in one access, as in `load_pair`.
        unsafe {
            asm!(
                "vpcmpeqb {same}, {print}, xmmword ptr [{line} + {prints}]",
                line = in(reg) std::ptr::from_ref(line),
                print = in(xmm_reg) _mm_set1_epi8(print as i8),
                same = lateout(xmm_reg) same,
                prints = const std::mem::offset_of!(IndexBucket, prints),
                options(nostack, preserves_flags, readonly),
            );
        }
        _mm_movemask_epi8(same) as u32
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod wide {
    use super::super::prefetch;
    use super::{ALL, BucketProbe, FACTOR, IndexBucket, NodeLineView, SALT, load_pair, some_wrong};
    use std::arch::asm;
    use std::arch::x86_64::{
        __m512i, _mm_mask_cmpeq_epi8_mask, _mm_set1_epi8, _mm_setr_epi32, _mm512_add_epi32,
        _mm512_add_epi64, _mm512_broadcast_i32x4, _mm512_castsi128_si512, _mm512_cmpneq_epi64_mask,
        _mm512_cvtsi512_si32, _mm512_extracti32x4_epi32, _mm512_inserti32x4, _mm512_loadu_si512,
        _mm512_maskz_compress_epi32, _mm512_maskz_loadu_epi64, _mm512_mul_epu32,
        _mm512_mullo_epi64, _mm512_permutexvar_epi64, _mm512_set1_epi64, _mm512_setr_epi64,
        _mm512_srli_epi64, _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_unpackhi_epi64,
        _mm512_unpacklo_epi64,
    };
    use std::sync::atomic::{Ordering::Acquire, fence};

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn find_spots(lines: &[IndexBucket], pairs: &[[u64; 2]], spots: &mut [BucketProbe]) {
        let salt = SALT.map(|salt| salt as i32);
        let salt = _mm512_broadcast_i32x4(_mm_setr_epi32(salt[0], salt[1], salt[2], salt[3]));
        let factor = _mm512_set1_epi64(FACTOR as i64);
        let count = _mm512_set1_epi64(lines.len() as i64);
        let upper = _mm512_set1_epi64(0xffff_ffff << 32);
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        // Eight spots, of eight pairs in two vectors.
        let spots_of = |words: [__m512i; 2]| {
            let [first, second] = words.map(|words| {
                let salted = _mm512_add_epi32(words, salt);
                _mm512_mul_epu32(salted, _mm512_srli_epi64::<32>(salted))
            });
            let sum = _mm512_add_epi64(
                _mm512_unpacklo_epi64(first, second),
                _mm512_unpackhi_epi64(first, second),
            );
            let hash = _mm512_mullo_epi64(sum, factor);
            let line = _mm512_mul_epu32(_mm512_srli_epi64::<32>(hash), count);
            // The upper half of the one, the lower of the other.
            let spot =
                _mm512_ternarylogic_epi64::<0xca>(upper, line, _mm512_srli_epi64::<24>(hash));
            _mm512_permutexvar_epi64(order, spot)
        };
        let spots = &mut spots[..pairs.len()];
        let (eights, rest) = pairs.as_chunks::<8>();
        let (some, more) = spots.as_chunks_mut::<8>();
        for (eight, spots) in eights.iter().zip(some) {
            let words = [0, 4].map(|at| {
                // SAFETY: the chunk is eight pairs, as long as the two vectors that are read
                // from its pairs 0 and 4 on, and they need no alignment.
                unsafe { _mm512_loadu_si512(eight.as_ptr().add(at).cast()) }
            });
            // SAFETY: the array is eight spots of a word each (`BucketProbe` is transparent), as long as
            // the vector, which needs no alignment and may hold any bits, as spots may.
            unsafe { _mm512_storeu_si512(spots.as_mut_ptr().cast(), spots_of(words)) };
            for spot in spots {
                prefetch(lines.as_ptr().wrapping_add(spot.line()));
            }
        }
        if !rest.is_empty() {
            let bits = 0xffff_u16 >> (16 - 2 * rest.len());
            let words = [0, 1].map(|half| {
                let from = rest.as_ptr().wrapping_add(4 * half);
                // SAFETY: `bits` has as many ones as `rest` has words, and words whose bit is zero
                // are not read.
                unsafe { _mm512_maskz_loadu_epi64((bits >> (8 * half)) as u8, from.cast()) }
            });
            let mut eight = [BucketProbe::default(); 8];
            // SAFETY: the array is eight spots of a word each (`BucketProbe` is transparent), as long as
            // the vector, which needs no alignment and may hold any bits, as spots may.
            unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), spots_of(words)) };
            for (spot, &found) in more.iter_mut().zip(&eight) {
                *spot = found;
                prefetch(lines.as_ptr().wrapping_add(found.line()));
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn find_names(
        lines: &[IndexBucket],
        named: NodeLineView<'_>,
        spots: &[BucketProbe],
        names: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        let names = &mut names[..spots.len()];
        let missing = &mut missing[..spots.len()];
        let mut absent = 0;
        for (i, (name, &spot)) in names.iter_mut().zip(spots).enumerate() {
            let line = load(&lines[spot.line()]);
            let prints = _mm512_extracti32x4_epi32::<3>(line);
            let alike =
                _mm_mask_cmpeq_epi8_mask(ALL as u16, prints, _mm_set1_epi8(spot.print() as i8));
            *name = _mm512_cvtsi512_si32(_mm512_maskz_compress_epi32(alike, line)) as u32;
            named.fetch(*name);
            missing[absent] = i as u32;
            absent += usize::from(*name == 0);
        }
        // With the names, what they name is acquired.
        fence(Acquire);
        absent
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn find_wrong(
        named: NodeLineView<'_>,
        names: &[u32],
        pairs: &[[u64; 2]],
        wrong: &mut [u32],
    ) -> usize {
        let wrong = &mut wrong[..names.len()];
        let pairs = &pairs[..names.len()];
        let mut count = 0;
        let (names, more_names) = names.as_chunks::<4>();
        let (pairs, more_pairs) = pairs.as_chunks::<4>();
        for (i, (names, four)) in names.iter().zip(pairs).enumerate() {
            // SAFETY: the chunk is four pairs, as long as the vector, which needs no alignment.
            let wanted = unsafe { _mm512_loadu_si512(four.as_ptr().cast()) };
            let [a, b, c, d] = names.map(|name| load_pair(named.pair(name)));
            let there = _mm512_castsi128_si512(a);
            let there = _mm512_inserti32x4::<1>(there, b);
            let there = _mm512_inserti32x4::<2>(there, c);
            let there = _mm512_inserti32x4::<3>(there, d);
            if _mm512_cmpneq_epi64_mask(there, wanted) != 0 {
                count = some_wrong(named, names, four, wrong, 4 * i, count);
            }
        }
        let first = 4 * names.len();
        some_wrong(named, more_names, more_pairs, wrong, first, count)
    }

    /// A line that others may be writing to. It stands for a relaxed load of each of its
    /// integers.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(line: &IndexBucket) -> __m512i {
        let loaded: __m512i;
        // SAFETY: the reference allows to read the line, which is 64 bytes long and aligned to
        // as many, and `avx512f` is enabled here. Nothing is written. Processors read at least
        // a word of eight aligned bytes in one access, and so each integer, as in `load_pair`.
        unsafe {
            asm!(
                "vmovdqa64 {loaded}, zmmword ptr [{line}]",
                line = in(reg) std::ptr::from_ref(line),
                loaded = lateout(zmm_reg) loaded,
                options(nostack, preserves_flags, readonly),
            );
        }
        loaded
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MappedArray, NodeLine, with_each_width};
    use super::*;

    /// Words that look like references: small ones, large ones, and none.
    fn pairs(count: usize) -> Vec<[u64; 2]> {
        let mut word = 1_u64;
        let mut next = || {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (low, high) = (word >> 40, word >> 34 & 0xffff);
            if word >> 61 == 0 {
                0
            } else {
                low | high << 32 | (word & 1) << 31
            }
        };
        (0..count).map(|_| [next(), next()]).collect()
    }

    #[test]
    fn a_pair_is_looked_for_in_the_same_place_whoever_hashes_it() {
        for lines in [2, 3, 1000, 65_537] {
            let index = MappedArray::<IndexBucket>::new(lines, lines);
            for count in (0..40).chain([500]) {
                let pairs = pairs(count);
                with_each_width(|| {
                    // One more than there are pairs stays as it is.
                    let mut spots = vec![BucketProbe(u64::MAX); count + 1];
                    find_spots(&index, &pairs, &mut spots[..]);
                    assert_eq!(spots[count].0, u64::MAX);
                    for (spot, &pair) in spots.iter().zip(&pairs) {
                        let one = BucketProbe::new(mix(pair), lines);
                        assert_eq!((spot.line(), spot.print()), (one.line(), one.print()));
                        assert!(spot.line() < lines);
                    }
                });
            }
        }
    }

    #[test]
    fn lines_of_an_index_are_used_alike() {
        let lines = 1 << 10;
        // As nodes are: what is near is made of what is near.
        for step in [1, 3, 4, 12] {
            let mut counts = vec![0; lines];
            let mut prints = [0; 256];
            for i in 0..12 << 10_u64 {
                let (a, b) = (4 * i, 4 * i + step);
                let spot = BucketProbe::new(mix([a | b << 32, b | (a + 8) << 32]), lines);
                counts[spot.line()] += 1;
                prints[usize::from(spot.print())] += 1;
            }
            // Twelve each and 48 each on the average.
            assert!(counts.iter().all(|&count| count < 40), "{step}: {counts:?}");
            assert!(
                prints.iter().all(|&count| (12..120).contains(&count)),
                "{prints:?}"
            );
        }
    }

    #[test]
    fn the_first_name_that_a_spot_may_mean_is_found_and_those_without_are_told() {
        let (lines, count) = (37, 300);
        let index = MappedArray::<IndexBucket>::new(lines, lines);
        let nodes = MappedArray::<NodeLine>::new(count, count);
        for (at, line) in index.iter().enumerate() {
            for k in 0..at % (NAMES + 1) {
                line.squares[k].store((4 * (at + k)) as u32, Relaxed);
                // Some prints twice in a line, and what is above them is not looked at.
                let print = ((at + k / 2) % 7) as u64;
                line.prints[k / 8].fetch_or(print << (8 * (k % 8)), Relaxed);
            }
            line.prints[1].fetch_or(3 << 32 | 1 << 40, Relaxed);
        }
        let spots: Vec<BucketProbe> = (0..count as u64)
            .map(|i| BucketProbe(((i % lines as u64) << 32) + i % 11 + ((i * i % 997) << 8)))
            .collect();
        with_each_width(|| {
            for count in [0, 1, 7, count] {
                let (mut names, mut missing) = (vec![9; count], vec![0; count]);
                let spots = &spots[..count];
                let absent = find_names(&index, nodes.lines(), spots, &mut names, &mut missing);
                let slow = |spot: &BucketProbe| guess(&index[spot.line()], spot.print());
                assert_eq!(names, spots.iter().map(slow).collect::<Vec<_>>());
                let zeros = (0..count as u32).filter(|&i| names[i as usize] == 0);
                assert_eq!(missing[..absent], zeros.collect::<Vec<_>>());
            }
        });
    }

    #[test]
    fn names_that_are_not_the_right_ones_are_told() {
        let count = 203;
        let nodes = MappedArray::<NodeLine>::new(count, count);
        let mut pairs = pairs(count);
        let names: Vec<u32> = (0..count as u32).map(|i| 4 * i + i % 3).collect();
        for (&name, pair) in names.iter().zip(&pairs) {
            let there = nodes.lines().pair(name);
            there[0].store(pair[0], Relaxed);
            there[1].store(pair[1], Relaxed);
        }
        let changed = [0, 5, 6, 7, 100, 199, 200, 202];
        for &i in &changed {
            pairs[i as usize][i as usize % 2] ^= 1 << (i % 64);
        }
        with_each_width(|| {
            for count in [0, 3, 8, count] {
                let mut wrong = vec![0; count];
                let (names, pairs) = (&names[..count], &pairs[..count]);
                let found = find_wrong(nodes.lines(), names, pairs, &mut wrong);
                let some = changed.iter().filter(|&&i| (i as usize) < count);
                assert_eq!(wrong[..found], some.copied().collect::<Vec<_>>());
            }
        });
    }
}
