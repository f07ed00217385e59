//! Batched lookups in the node index: hash, probe and compare many keys at once.
//!
//! A lookup is a handful of steps on words at unpredictable addresses, and stepping a hashed
//! quadtree is little else. Vectors of newer processors speed up each of these steps.
//!
//! Several threads may insert nodes meanwhile. A reader acquires an id, and so sees the pair
//! that it stands for (see `hashlife/index.rs`). Vectors are loaded by inline assembly, since
//! the language has no atomic loads of vectors, and an ordinary load would be a data race.
//! Each such load stands for relaxed loads of the integers in it, and where ids come of it, an
//! acquire fence follows: it costs no instruction on these processors, whose loads stay in
//! order, and keeps the compiler from moving later loads before it.

use super::sync::{AtomicValue, SyncPrimitives};
use super::{IndexBucket, NodeLineView};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use kernel::simd::prefetch;
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::arch::{asm, x86_64::__m128i};
#[cfg(all(target_arch = "x86_64", not(miri)))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

/// Node ids in a bucket of the index.
pub(crate) const BUCKET_IDS: usize = 12;

/// Salts that are added to the four halves of a key.
const SALT: [u32; 4] = [0x9e37_79b9, 0xd1b5_4a32, 0xaef1_7502, 0xb492_b66f];

/// The multiplier that spreads the hash: odd, otherwise arbitrary.
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// Hashes a key of two words. The upper bits are the better ones.
///
/// The salted halves of each word are multiplied, as in the hash NH (J. Black, S. Halevi,
/// H. Krawczyk, T. Krovetz, P. Rogaway, "UMAC: fast and secure message authentication",
/// 1999); the sum is spread by a multiplication.
#[inline(always)]
pub(crate) fn hash_key([a, b]: [u64; 2]) -> u64 {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::hash_key([a, b]);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    hash_key_of_words([a, b])
}

/// [`hash_key`] without vectors.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn hash_key_of_words([a, b]: [u64; 2]) -> u64 {
    let product = |word: u64, k: usize| {
        let low = (word as u32).wrapping_add(SALT[k]);
        let high = ((word >> 32) as u32).wrapping_add(SALT[k + 1]);
        u64::from(low) * u64::from(high)
    };
    product(a, 0)
        .wrapping_add(product(b, 2))
        .wrapping_mul(FACTOR)
}

/// Where a hash is looked up: the bucket in the upper half, the fingerprint in the lowest
/// byte.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub(crate) struct BucketProbe(u64);

impl BucketProbe {
    /// The probe of a hash in an index with this many buckets.
    #[inline(always)]
    pub(crate) fn new(hash: u64, buckets: usize) -> Self {
        let bucket = (hash >> 32) * buckets as u64;
        Self(bucket & !0xffff_ffff | hash >> 24 & 0xff)
    }

    #[inline(always)]
    pub(crate) fn bucket(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    pub(crate) fn fingerprint(self) -> u8 {
        self.0 as u8
    }
}

/// The first id in a bucket with this fingerprint, or 0. The
/// fingerprint may be of another key, so the caller compares the node.
#[inline(always)]
pub(crate) fn first_candidate<P: SyncPrimitives>(bucket: &IndexBucket<P>, fingerprint: u8) -> u32 {
    let words = [
        bucket.fingerprints[0].load(Acquire),
        bucket.fingerprints[1].load(Acquire),
    ];
    let matches = super::equal_bytes(words, fingerprint);
    let slot = first_match(matches);
    let node = bucket.ids[slot].load(Acquire);
    if matches >> slot & 1 == 0 { 0 } else { node }
}

/// The first slot whose bit is set, or the last one.
#[inline(always)]
fn first_match(matches: u32) -> usize {
    (matches | 1 << (BUCKET_IDS - 1)).trailing_zeros() as usize
}

/// Computes the probes of keys, and prefetches their buckets.
#[inline]
pub(crate) fn compute_probes(
    buckets: &[IndexBucket],
    pairs: &[[u64; 2]],
    probes: &mut [BucketProbe],
) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match width() {
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Avx512 => return unsafe { avx512::compute_probes(buckets, pairs, probes) },
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Avx2 => return unsafe { avx2::compute_probes(buckets, pairs, probes) },
        GatherWidth::Scalar => {}
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::compute_probes(buckets, pairs, probes);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    for (probe, &pair) in probes.iter_mut().zip(pairs) {
        *probe = BucketProbe::new(hash_key(pair), buckets.len());
        prefetch(buckets.as_ptr().wrapping_add(probe.bucket()));
    }
}

/// Looks up the first id with each probe's fingerprint in its bucket, or 0, and prefetches the
/// nodes found. The positions of the zeros are written to `missing`; returns their number.
#[inline]
pub(crate) fn find_ids(
    buckets: &[IndexBucket],
    nodes: NodeLineView<'_>,
    probes: &[BucketProbe],
    ids: &mut [u32],
    missing: &mut [u32],
) -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match width() {
        GatherWidth::Avx512 => {
            // SAFETY: `width` has found every feature that the function is compiled for.
            return unsafe { avx512::find_ids(buckets, nodes, probes, ids, missing) };
        }
        GatherWidth::Avx2 => {
            // SAFETY: `width` has found every feature that the function is compiled for.
            return unsafe { avx2::find_ids(buckets, nodes, probes, ids, missing) };
        }
        GatherWidth::Scalar => {}
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    {
        let _ = nodes;
        return wasm::find_ids(buckets, probes, ids, missing);
    }
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    find_each_id(buckets, nodes, probes, ids, missing)
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
fn find_each_id(
    buckets: &[IndexBucket],
    nodes: NodeLineView<'_>,
    probes: &[BucketProbe],
    ids: &mut [u32],
    missing: &mut [u32],
) -> usize {
    let mut absent = 0;
    for (i, (id, probe)) in ids.iter_mut().zip(probes).enumerate() {
        *id = first_candidate(&buckets[probe.bucket()], probe.fingerprint());
        nodes.fetch(*id);
        missing[absent] = i as u32;
        absent += usize::from(*id == 0);
    }
    absent
}

/// Compares the nodes with the keys. Writes the positions that differ to `wrong`, and returns
/// their number.
#[inline]
pub(crate) fn find_mismatches(
    nodes: NodeLineView<'_>,
    ids: &[u32],
    pairs: &[[u64; 2]],
    wrong: &mut [u32],
) -> usize {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    match width() {
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Avx512 => return unsafe { avx512::find_mismatches(nodes, ids, pairs, wrong) },
        // SAFETY: `width` has found every feature that the function is compiled for.
        GatherWidth::Avx2 => return unsafe { avx2::find_mismatches(nodes, ids, pairs, wrong) },
        GatherWidth::Scalar => {}
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return wasm::find_mismatches(nodes, ids, pairs, wrong);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    collect_mismatches(nodes, ids, pairs, wrong, 0, 0)
}

/// Where there is no prefetch: reads the lines of the nodes' children, many at once.
#[inline(always)]
pub(crate) fn touch_children(nodes: NodeLineView<'_>, ids: &[u32]) {
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    wasm::touch_children(nodes, ids);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    let _ = (nodes, ids);
}

#[inline(always)]
fn collect_mismatches(
    nodes: NodeLineView<'_>,
    ids: &[u32],
    pairs: &[[u64; 2]],
    wrong: &mut [u32],
    first: usize,
    mut count: usize,
) -> usize {
    for (i, (&id, pair)) in ids.iter().zip(pairs).enumerate() {
        let [a, b] = nodes.pair(id);
        let differ = a.load(Relaxed) ^ pair[0] | b.load(Relaxed) ^ pair[1];
        wrong[count] = (first + i) as u32;
        count += usize::from(differ != 0);
    }
    count
}

/// The instruction set for lookups.
#[cfg(all(target_arch = "x86_64", not(miri)))]
enum GatherWidth {
    Avx512,
    Avx2,
    Scalar,
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn width() -> GatherWidth {
    if kernel::simd::is_width_allowed(512)
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq")
    {
        GatherWidth::Avx512
    } else if kernel::simd::is_width_allowed(256)
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
    {
        GatherWidth::Avx2
    } else {
        GatherWidth::Scalar
    }
}

/// Loads a pair that other threads may read or write: stands for a relaxed load of each of
/// its words.
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
mod avx2 {
    use super::{
        BucketProbe, FACTOR, IndexBucket, NodeLineView, SALT, collect_mismatches, first_match,
        hash_key, load_pair,
    };
    use kernel::simd::prefetch;
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
    pub(super) fn compute_probes(
        buckets: &[IndexBucket],
        pairs: &[[u64; 2]],
        probes: &mut [BucketProbe],
    ) {
        let [a, b, c, d] = SALT.map(|salt| salt as i32);
        let salt = _mm256_setr_epi32(a, b, c, d, a, b, c, d);
        let factor = [FACTOR, FACTOR >> 32].map(|avx2| _mm256_set1_epi64x(avx2 as i64));
        let count = _mm256_set1_epi64x(buckets.len() as i64);
        // Four probes, of four pairs in two vectors.
        let probes_of = |words: [__m256i; 2]| {
            let [first, second] = words.map(|words| {
                let salted = _mm256_add_epi32(words, salt);
                _mm256_mul_epu32(salted, _mm256_srli_epi64::<32>(salted))
            });
            let sum = _mm256_add_epi64(
                _mm256_unpacklo_epi64(first, second),
                _mm256_unpackhi_epi64(first, second),
            );
            // Times the factor, in halves.
            let across = _mm256_add_epi64(
                _mm256_mul_epu32(sum, factor[1]),
                _mm256_mul_epu32(_mm256_srli_epi64::<32>(sum), factor[0]),
            );
            let hash = _mm256_add_epi64(
                _mm256_mul_epu32(sum, factor[0]),
                _mm256_slli_epi64::<32>(across),
            );
            let bucket = _mm256_mul_epu32(_mm256_srli_epi64::<32>(hash), count);
            let probe = _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<24>(hash), bucket);
            _mm256_permute4x64_epi64::<0b11_01_10_00>(probe)
        };
        let probes = &mut probes[..pairs.len()];
        let (fours, rest) = pairs.as_chunks::<4>();
        let (some, more) = probes.as_chunks_mut::<4>();
        for (four, probes) in fours.iter().zip(some) {
            let words = [0, 2].map(|at| {
                // SAFETY: the chunk is four pairs, as long as the two vectors that are read
                // from its pairs 0 and 2 on, and they need no alignment.
                unsafe { _mm256_loadu_si256(four.as_ptr().add(at).cast()) }
            });
            // SAFETY: the chunk is four probes of a word each (`BucketProbe` is transparent), as
            // long as the vector, which needs no alignment and may hold any bits, as probes may.
            unsafe { _mm256_storeu_si256(probes.as_mut_ptr().cast(), probes_of(words)) };
            for probe in probes {
                prefetch(buckets.as_ptr().wrapping_add(probe.bucket()));
            }
        }
        for (probe, &pair) in more.iter_mut().zip(rest) {
            *probe = BucketProbe::new(hash_key(pair), buckets.len());
            prefetch(buckets.as_ptr().wrapping_add(probe.bucket()));
        }
    }

    #[target_feature(enable = "avx2,bmi1")]
    pub(super) fn find_ids(
        buckets: &[IndexBucket],
        nodes: NodeLineView<'_>,
        probes: &[BucketProbe],
        ids: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        let ids = &mut ids[..probes.len()];
        let missing = &mut missing[..probes.len()];
        let mut absent = 0;
        for (i, (id, &probe)) in ids.iter_mut().zip(probes).enumerate() {
            let bucket = &buckets[probe.bucket()];
            let matches = equal_fingerprints(bucket, probe.fingerprint());
            let slot = first_match(matches);
            let node = bucket.ids[slot].load(Acquire);
            *id = if matches >> slot & 1 == 0 { 0 } else { node };
            nodes.fetch(*id);
            // SAFETY: at most `i` ids were absent before this one, and `i` is less than the length
            // of both slices, which were cut to it above.
            unsafe { *missing.get_unchecked_mut(absent) = i as u32 };
            absent += usize::from(*id == 0);
        }
        absent
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn find_mismatches(
        nodes: NodeLineView<'_>,
        ids: &[u32],
        pairs: &[[u64; 2]],
        wrong: &mut [u32],
    ) -> usize {
        let wrong = &mut wrong[..ids.len()];
        let pairs = &pairs[..ids.len()];
        let mut count = 0;
        let (ids, more_ids) = ids.as_chunks::<4>();
        let (pairs, more_pairs) = pairs.as_chunks::<4>();
        for (i, (ids, four)) in ids.iter().zip(pairs).enumerate() {
            let [a, b, c, d] = std::array::from_fn(|k| {
                // SAFETY: the reference allows to read the 16 bytes, which need no alignment.
                let wanted = unsafe { _mm_loadu_si128(four[k].as_ptr().cast()) };
                _mm_xor_si128(load_pair(nodes.pair(ids[k])), wanted)
            });
            let differ = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d));
            if _mm_testz_si128(differ, differ) == 0 {
                count = collect_mismatches(nodes, ids, four, wrong, 4 * i, count);
            }
        }
        let first = 4 * ids.len();
        collect_mismatches(nodes, more_ids, more_pairs, wrong, first, count)
    }

    /// A mask of the bucket's sixteen bytes that equal the fingerprint; other threads may be
    /// writing to them. Stands for a relaxed load of both words.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn equal_fingerprints(bucket: &IndexBucket, fingerprint: u8) -> u32 {
        let same: __m128i;
        // SAFETY: the reference allows to read both words, which lie side by side, aligned to
        // 16 bytes (`IndexBucket` is aligned to 64, and they are its last 16); `avx2` is enabled
        // here. Nothing is written. Each word is read in one access, as in `load_pair`.
        unsafe {
            asm!(
                "vpcmpeqb {same}, {fingerprint}, xmmword ptr [{bucket} + {fingerprints}]",
                bucket = in(reg) std::ptr::from_ref(bucket),
                fingerprint = in(xmm_reg) _mm_set1_epi8(fingerprint as i8),
                same = lateout(xmm_reg) same,
                fingerprints = const std::mem::offset_of!(IndexBucket, fingerprints),
                options(nostack, preserves_flags, readonly),
            );
        }
        _mm_movemask_epi8(same) as u32
    }
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod avx512 {
    use super::{
        BUCKET_IDS, BucketProbe, FACTOR, IndexBucket, NodeLineView, SALT, collect_mismatches,
        load_pair,
    };
    use kernel::simd::prefetch;
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

    /// A bit for each id of a bucket.
    const ALL: u32 = (1 << BUCKET_IDS) - 1;

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn compute_probes(
        buckets: &[IndexBucket],
        pairs: &[[u64; 2]],
        probes: &mut [BucketProbe],
    ) {
        let salt = SALT.map(|salt| salt as i32);
        let salt = _mm512_broadcast_i32x4(_mm_setr_epi32(salt[0], salt[1], salt[2], salt[3]));
        let factor = _mm512_set1_epi64(FACTOR as i64);
        let count = _mm512_set1_epi64(buckets.len() as i64);
        let upper = _mm512_set1_epi64(0xffff_ffff << 32);
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        // Eight probes, of eight pairs in two vectors.
        let probes_of = |words: [__m512i; 2]| {
            let [first, second] = words.map(|words| {
                let salted = _mm512_add_epi32(words, salt);
                _mm512_mul_epu32(salted, _mm512_srli_epi64::<32>(salted))
            });
            let sum = _mm512_add_epi64(
                _mm512_unpacklo_epi64(first, second),
                _mm512_unpackhi_epi64(first, second),
            );
            let hash = _mm512_mullo_epi64(sum, factor);
            let bucket = _mm512_mul_epu32(_mm512_srli_epi64::<32>(hash), count);
            // The upper half of `bucket`, the lower half of the shifted hash.
            let probe =
                _mm512_ternarylogic_epi64::<0xca>(upper, bucket, _mm512_srli_epi64::<24>(hash));
            _mm512_permutexvar_epi64(order, probe)
        };
        let probes = &mut probes[..pairs.len()];
        let (eights, rest) = pairs.as_chunks::<8>();
        let (some, more) = probes.as_chunks_mut::<8>();
        for (eight, probes) in eights.iter().zip(some) {
            let words = [0, 4].map(|at| {
                // SAFETY: the chunk is eight pairs, as long as the two vectors that are read
                // from its pairs 0 and 4 on, and they need no alignment.
                unsafe { _mm512_loadu_si512(eight.as_ptr().add(at).cast()) }
            });
            // SAFETY: the array is eight probes of a word each (`BucketProbe` is transparent), as
            // long as the vector, which needs no alignment and may hold any bits, as probes may.
            unsafe { _mm512_storeu_si512(probes.as_mut_ptr().cast(), probes_of(words)) };
            for probe in probes {
                prefetch(buckets.as_ptr().wrapping_add(probe.bucket()));
            }
        }
        if !rest.is_empty() {
            let bits = 0xffff_u16 >> (16 - 2 * rest.len());
            let words = [0, 1].map(|avx2| {
                let from = rest.as_ptr().wrapping_add(4 * avx2);
                // SAFETY: `bits` has as many ones as `rest` has words, and words whose bit is zero
                // are not read.
                unsafe { _mm512_maskz_loadu_epi64((bits >> (8 * avx2)) as u8, from.cast()) }
            });
            let mut eight = [BucketProbe::default(); 8];
            // SAFETY: the array is eight probes of a word each (`BucketProbe` is transparent), as
            // long as the vector, which needs no alignment and may hold any bits, as probes may.
            unsafe { _mm512_storeu_si512(eight.as_mut_ptr().cast(), probes_of(words)) };
            for (probe, &found) in more.iter_mut().zip(&eight) {
                *probe = found;
                prefetch(buckets.as_ptr().wrapping_add(found.bucket()));
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn find_ids(
        buckets: &[IndexBucket],
        nodes: NodeLineView<'_>,
        probes: &[BucketProbe],
        ids: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        let ids = &mut ids[..probes.len()];
        let missing = &mut missing[..probes.len()];
        let mut absent = 0;
        for (i, (id, &probe)) in ids.iter_mut().zip(probes).enumerate() {
            let bucket = load(&buckets[probe.bucket()]);
            let fingerprints = _mm512_extracti32x4_epi32::<3>(bucket);
            let matches = _mm_mask_cmpeq_epi8_mask(
                ALL as u16,
                fingerprints,
                _mm_set1_epi8(probe.fingerprint() as i8),
            );
            *id = _mm512_cvtsi512_si32(_mm512_maskz_compress_epi32(matches, bucket)) as u32;
            nodes.fetch(*id);
            missing[absent] = i as u32;
            absent += usize::from(*id == 0);
        }
        // Acquires the nodes together with their ids.
        fence(Acquire);
        absent
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
    pub(super) fn find_mismatches(
        nodes: NodeLineView<'_>,
        ids: &[u32],
        pairs: &[[u64; 2]],
        wrong: &mut [u32],
    ) -> usize {
        let wrong = &mut wrong[..ids.len()];
        let pairs = &pairs[..ids.len()];
        let mut count = 0;
        let (ids, more_ids) = ids.as_chunks::<4>();
        let (pairs, more_pairs) = pairs.as_chunks::<4>();
        for (i, (ids, four)) in ids.iter().zip(pairs).enumerate() {
            // SAFETY: the chunk is four pairs, as long as the vector, which needs no alignment.
            let wanted = unsafe { _mm512_loadu_si512(four.as_ptr().cast()) };
            let [a, b, c, d] = ids.map(|id| load_pair(nodes.pair(id)));
            let stored = _mm512_castsi128_si512(a);
            let stored = _mm512_inserti32x4::<1>(stored, b);
            let stored = _mm512_inserti32x4::<2>(stored, c);
            let stored = _mm512_inserti32x4::<3>(stored, d);
            if _mm512_cmpneq_epi64_mask(stored, wanted) != 0 {
                count = collect_mismatches(nodes, ids, four, wrong, 4 * i, count);
            }
        }
        let first = 4 * ids.len();
        collect_mismatches(nodes, more_ids, more_pairs, wrong, first, count)
    }

    /// Loads a bucket that other threads may write to. Stands for a relaxed load of each of its
    /// integers.
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn load(bucket: &IndexBucket) -> __m512i {
        let loaded: __m512i;
        // SAFETY: the reference allows to read the bucket, which is 64 bytes long and aligned to
        // as many, and `avx512f` is enabled here. Nothing is written. Processors read at least
        // a word of eight aligned bytes in one access, and so each integer, as in `load_pair`.
        unsafe {
            asm!(
                "vmovdqa64 {loaded}, zmmword ptr [{bucket}]",
                bucket = in(reg) std::ptr::from_ref(bucket),
                loaded = lateout(zmm_reg) loaded,
                options(nostack, preserves_flags, readonly),
            );
        }
        loaded
    }
}

/// WebAssembly has no prefetch and small pages, so a look-up waits for memory and for its address.
/// Many wait at once where a loop does little else than to read: so a word of each line is read
/// first, a block of look-ups at a time. What is read is looked up by functions of their own, which
/// browsers compile to better loops than parts of a large one.
///
/// Programs have one thread: loads are of plain vectors.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm {
    use super::{
        BucketProbe, FACTOR, IndexBucket, NodeLineView, SALT, collect_mismatches, first_match,
    };
    use std::arch::wasm32::{
        i32x4_shuffle, u8x16_bitmask, u8x16_eq, u8x16_splat, u32x4, u32x4_add, u32x4_splat, u64x2,
        u64x2_add, u64x2_extmul_high_u32x4, u64x2_extmul_low_u32x4, u64x2_extract_lane, u64x2_mul,
        u64x2_shl, u64x2_shr, u64x2_splat, v128, v128_and, v128_any_true, v128_load, v128_or,
        v128_store, v128_xor,
    };
    use std::hint::black_box;
    use std::sync::atomic::Ordering::Relaxed;

    /// Look-ups whose lines are read together: they stay in the first cache.
    const BLOCK: usize = 256;

    /// Reads a word for each of some look-ups.
    #[inline(always)]
    fn touch_each<T>(all: &[T], word: impl Fn(&T) -> u32) {
        let (eights, rest) = all.as_chunks::<8>();
        let mut both = 0;
        for eight in eights {
            both = eight.iter().fold(both, |both, one| both ^ word(one));
        }
        black_box(rest.iter().fold(both, |both, one| both ^ word(one)));
    }

    fn load(pair: &[u64; 2]) -> v128 {
        // SAFETY: the reference allows to read the sixteen bytes, which need no alignment.
        unsafe { v128_load(pair.as_ptr().cast()) }
    }

    /// See [`super::hash_key`]. The compiler makes products of 64 bits of the scalar ones.
    #[inline(always)]
    pub(super) fn hash_key([a, b]: [u64; 2]) -> u64 {
        let salted = u32x4_add(u64x2(a, b), u32x4(SALT[0], SALT[1], SALT[2], SALT[3]));
        let even = i32x4_shuffle::<0, 2, 0, 2>(salted, salted);
        let odd = i32x4_shuffle::<1, 3, 1, 3>(salted, salted);
        let products = u64x2_extmul_low_u32x4(even, odd);
        u64x2_extract_lane::<0>(products)
            .wrapping_add(u64x2_extract_lane::<1>(products))
            .wrapping_mul(FACTOR)
    }

    /// Reads a line of each child of these nodes.
    #[inline(never)]
    pub(super) fn touch_children(nodes: NodeLineView<'_>, ids: &[u32]) {
        let mut all = 0;
        for &id in ids {
            for word in nodes.pair(id) {
                let two = word.load(Relaxed);
                all ^= nodes.pair(two as u32)[0].load(Relaxed);
                all ^= nodes.pair((two >> 32) as u32)[0].load(Relaxed);
            }
        }
        black_box(all);
    }

    #[inline(never)]
    pub(super) fn compute_probes(
        buckets: &[IndexBucket],
        pairs: &[[u64; 2]],
        probes: &mut [BucketProbe],
    ) {
        let salt = u32x4(SALT[0], SALT[1], SALT[2], SALT[3]);
        let count = u32x4_splat(buckets.len() as u32);
        let bucket_bits = u64x2_splat(!0xffff_ffff);
        let probes = &mut probes[..pairs.len()];
        let (twos, rest) = pairs.as_chunks::<2>();
        let (some, more) = probes.as_chunks_mut::<2>();
        for ([first, second], probes) in twos.iter().zip(some) {
            let (first, second) = (u32x4_add(load(first), salt), u32x4_add(load(second), salt));
            // The halves 0 and 2 of both keys in turn, and the halves 1 and 3.
            let even = i32x4_shuffle::<0, 5, 2, 7>(first, u64x2_shl(second, 32));
            let odd = i32x4_shuffle::<0, 5, 2, 7>(u64x2_shr(first, 32), second);
            let sums = u64x2_add(
                u64x2_extmul_low_u32x4(even, odd),
                u64x2_extmul_high_u32x4(even, odd),
            );
            let hashes = u64x2_mul(sums, u64x2_splat(FACTOR));
            // As `BucketProbe::new` makes it.
            let upper = i32x4_shuffle::<1, 3, 1, 3>(hashes, hashes);
            let bucket = v128_and(u64x2_extmul_low_u32x4(upper, count), bucket_bits);
            let fingerprint = v128_and(u64x2_shr(hashes, 24), u64x2_splat(0xff));
            // SAFETY: the chunk is two probes of a word each (`BucketProbe` is transparent), as
            // long as the vector, which needs no alignment and may hold any bits, as probes may.
            unsafe { v128_store(probes.as_mut_ptr().cast(), v128_or(bucket, fingerprint)) };
        }
        for (probe, &pair) in more.iter_mut().zip(rest) {
            *probe = BucketProbe::new(hash_key(pair), buckets.len());
        }
    }

    #[inline(never)]
    pub(super) fn find_ids(
        buckets: &[IndexBucket],
        probes: &[BucketProbe],
        ids: &mut [u32],
        missing: &mut [u32],
    ) -> usize {
        let ids = &mut ids[..probes.len()];
        let missing = &mut missing[..probes.len()];
        let mut absent = 0;
        let mut at = 0;
        for (probes, ids) in probes.chunks(BLOCK).zip(ids.chunks_mut(BLOCK)) {
            touch_each(probes, |probe| buckets[probe.bucket()].ids[0].load(Relaxed));
            for (id, &probe) in ids.iter_mut().zip(probes) {
                let bucket = &buckets[probe.bucket()];
                // SAFETY: the reference allows to read both words, which lie side by side. No
                // thread writes to them meanwhile: there is one.
                let fingerprints = unsafe { v128_load(bucket.fingerprints.as_ptr().cast()) };
                let same = u8x16_eq(fingerprints, u8x16_splat(probe.fingerprint()));
                let matches = u32::from(u8x16_bitmask(same));
                let slot = first_match(matches);
                // No branch, which half of the look-ups would mispredict.
                let is_there = 0_u32.wrapping_sub(matches >> slot & 1);
                *id = bucket.ids[slot].load(Relaxed) & is_there;
                // SAFETY: at most `at` ids were absent before this one, and `at` is less than the
                // length of both slices, which were cut to it above.
                unsafe { *missing.get_unchecked_mut(absent) = at };
                at += 1;
                absent += usize::from(*id == 0);
            }
        }
        absent
    }

    #[inline(never)]
    pub(super) fn find_mismatches(
        nodes: NodeLineView<'_>,
        ids: &[u32],
        pairs: &[[u64; 2]],
        wrong: &mut [u32],
    ) -> usize {
        let wrong = &mut wrong[..ids.len()];
        let pairs = &pairs[..ids.len()];
        let mut count = 0;
        for (block, (ids, pairs)) in ids.chunks(BLOCK).zip(pairs.chunks(BLOCK)).enumerate() {
            touch_each(ids, |&id| nodes.line(id).halves[0].load(Relaxed));
            let first = BLOCK * block;
            let (ids, more_ids) = ids.as_chunks::<4>();
            let (pairs, more_pairs) = pairs.as_chunks::<4>();
            for (i, (ids, four)) in ids.iter().zip(pairs).enumerate() {
                let differ = |k: usize| {
                    let stored: *const _ = nodes.pair(ids[k]);
                    // SAFETY: the reference allows to read the pair. No thread writes to it
                    // meanwhile: there is one.
                    v128_xor(unsafe { v128_load(stored.cast()) }, load(&four[k]))
                };
                let [a, b, c, d] = [differ(0), differ(1), differ(2), differ(3)];
                if v128_any_true(v128_or(v128_or(a, b), v128_or(c, d))) {
                    count = collect_mismatches(nodes, ids, four, wrong, first + 4 * i, count);
                }
            }
            let first = first + 4 * ids.len();
            count = collect_mismatches(nodes, more_ids, more_pairs, wrong, first, count);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MappedArray, NodeLine};
    use super::*;
    use dice::Dice;
    use kernel::simd::with_each_width;

    /// Words that look like node references: small ones, large ones, and zeros.
    fn pairs(count: usize) -> Vec<[u64; 2]> {
        let mut dice = Dice::new(1);
        let mut next = || match dice.below(8) {
            0 => 0,
            _ => dice.word() & 0xffff_80ff_ffff,
        };
        (0..count).map(|_| [next(), next()]).collect()
    }

    #[test]
    fn all_widths_hash_a_pair_to_the_same_probe() {
        for buckets in [2, 3, 1000, 65_537] {
            let index = MappedArray::<IndexBucket>::new(buckets, buckets);
            for count in (0..40).chain([500]) {
                let pairs = pairs(count);
                with_each_width(|| {
                    // The probe after the last pair stays as it is.
                    let mut probes = vec![BucketProbe(u64::MAX); count + 1];
                    compute_probes(&index, &pairs, &mut probes[..]);
                    assert_eq!(probes[count].0, u64::MAX);
                    for (probe, &pair) in probes.iter().zip(&pairs) {
                        let one = BucketProbe::new(hash_key(pair), buckets);
                        assert_eq!(
                            (probe.bucket(), probe.fingerprint()),
                            (one.bucket(), one.fingerprint())
                        );
                        assert!(probe.bucket() < buckets);
                    }
                });
            }
        }
    }

    #[test]
    fn buckets_and_fingerprints_are_used_evenly() {
        let buckets = 1 << 10;
        // Keys like those of nodes: neighbours have similar children.
        for step in [1, 3, 4, 12] {
            let mut counts = vec![0; buckets];
            let mut fingerprints = [0; 256];
            for i in 0..12 << 10_u64 {
                let (a, b) = (4 * i, 4 * i + step);
                let probe = BucketProbe::new(hash_key([a | b << 32, b | (a + 8) << 32]), buckets);
                counts[probe.bucket()] += 1;
                fingerprints[usize::from(probe.fingerprint())] += 1;
            }
            // Twelve each and 48 each on the average.
            assert!(counts.iter().all(|&count| count < 40), "{step}: {counts:?}");
            assert!(
                fingerprints.iter().all(|&count| (12..120).contains(&count)),
                "{fingerprints:?}"
            );
        }
    }

    #[test]
    fn the_first_id_with_the_fingerprint_is_found_and_missing_ones_are_listed() {
        let (buckets, count) = (37, 300);
        let index = MappedArray::<IndexBucket>::new(buckets, buckets);
        let nodes = MappedArray::<NodeLine>::new(count, count);
        for (at, bucket) in index.iter().enumerate() {
            for k in 0..at % (BUCKET_IDS + 1) {
                bucket.ids[k].store((4 * (at + k)) as u32, Relaxed);
                // Some fingerprints twice in a bucket, and unused slots above, to be ignored.
                let fingerprint = ((at + k / 2) % 7) as u64;
                bucket.fingerprints[k / 8].fetch_or(fingerprint << (8 * (k % 8)), Relaxed);
            }
            bucket.fingerprints[1].fetch_or(3 << 32 | 1 << 40, Relaxed);
        }
        let probes: Vec<BucketProbe> = (0..count as u64)
            .map(|i| BucketProbe(((i % buckets as u64) << 32) + i % 11 + ((i * i % 997) << 8)))
            .collect();
        with_each_width(|| {
            for count in [0, 1, 7, count] {
                let (mut ids, mut missing) = (vec![9; count], vec![0; count]);
                let probes = &probes[..count];
                let absent = find_ids(&index, nodes.lines(), probes, &mut ids, &mut missing);
                let slow = |probe: &BucketProbe| {
                    first_candidate(&index[probe.bucket()], probe.fingerprint())
                };
                assert_eq!(ids, probes.iter().map(slow).collect::<Vec<_>>());
                let zeros = (0..count as u32).filter(|&i| ids[i as usize] == 0);
                assert_eq!(missing[..absent], zeros.collect::<Vec<_>>());
            }
        });
    }

    #[test]
    fn mismatched_nodes_are_listed() {
        let count = 203;
        let nodes = MappedArray::<NodeLine>::new(count, count);
        let mut pairs = pairs(count);
        let ids: Vec<u32> = (0..count as u32).map(|i| 4 * i + i % 3).collect();
        for (&id, pair) in ids.iter().zip(&pairs) {
            let stored = nodes.lines().pair(id);
            stored[0].store(pair[0], Relaxed);
            stored[1].store(pair[1], Relaxed);
        }
        let changed = [0, 5, 6, 7, 100, 199, 200, 202];
        for &i in &changed {
            pairs[i as usize][i as usize % 2] ^= 1 << (i % 64);
        }
        with_each_width(|| {
            for count in [0, 3, 8, count] {
                let mut wrong = vec![0; count];
                let (ids, pairs) = (&ids[..count], &pairs[..count]);
                let found = find_mismatches(nodes.lines(), ids, pairs, &mut wrong);
                let some = changed.iter().filter(|&&i| (i as usize) < count);
                assert_eq!(wrong[..found], some.copied().collect::<Vec<_>>());
            }
        });
    }
}
