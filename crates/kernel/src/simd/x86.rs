#[cfg(any(test, feature = "each-width"))]
use super::portable_vector::PortableVector;
use super::{SimdElement, SimdTask, Vector};
use crate::BitVector;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_and_si128, _mm_castpd_si128, _mm_castps_si128, _mm_castsi128_pd,
    _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_cvtsi32_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si32,
    _mm_cvtsi128_si64, _mm_insert_epi16, _mm_loadu_si128, _mm_move_ss, _mm_movemask_epi8,
    _mm_or_si128, _mm_set1_epi32, _mm_set1_epi64x, _mm_setzero_si128, _mm_shuffle_pd,
    _mm_slli_epi32, _mm_slli_epi64, _mm_slli_si128, _mm_srli_epi32, _mm_srli_epi64, _mm_srli_si128,
    _mm_storeu_si128, _mm_unpacklo_epi64, _mm_xor_si128, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_extract_epi32, _mm256_extract_epi64, _mm256_insert_epi32, _mm256_insert_epi64,
    _mm256_inserti128_si256, _mm256_loadu_si256, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_slli_epi32,
    _mm256_slli_epi64, _mm256_srli_epi32, _mm256_srli_epi64, _mm256_storeu_si256,
    _mm256_testz_si256, _mm256_xor_si256, _mm256_zextsi128_si256, _mm512_alignr_epi32,
    _mm512_alignr_epi64, _mm512_and_si512, _mm512_castsi512_si128, _mm512_cvtsi512_si32,
    _mm512_loadu_si512, _mm512_mask_set1_epi32, _mm512_mask_set1_epi64,
    _mm512_maskz_broadcast_i32x4, _mm512_or_si512, _mm512_set1_epi32, _mm512_set1_epi64,
    _mm512_slli_epi32, _mm512_slli_epi64, _mm512_srli_epi32, _mm512_srli_epi64,
    _mm512_storeu_si512, _mm512_ternarylogic_epi64, _mm512_test_epi64_mask, _mm512_xor_si512,
    _mm512_zextsi128_si512,
};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// An AVX-512 vector. Only `dispatch` makes code that uses it, behind its check.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx512(__m512i);

/// An AVX2 vector. Only `dispatch` makes code that uses it, behind its check.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Avx2(__m256i);

/// An SSE2 vector, which every processor of this architecture has.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Sse2(__m128i);

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vpopcntdq,popcnt")]
fn in_avx512<W, T: SimdTask<W>>(task: T)
where
    Avx512: Vector<W>,
{
    task.run::<Avx512>();
}

#[target_feature(enable = "sse2")]
fn in_sse2<W, T: SimdTask<W>>(task: T)
where
    Sse2: Vector<W>,
{
    task.run::<Sse2>();
}

/// The path of other architectures, compiled here for tests only.
#[cfg(any(test, feature = "each-width"))]
fn in_words<W, V: Vector<W>, T: SimdTask<W>>(task: T) {
    task.run::<V>();
}

#[target_feature(enable = "avx2,popcnt")]
fn in_avx2<W, T: SimdTask<W>>(task: T)
where
    Avx2: Vector<W>,
{
    task.run::<Avx2>();
}

/// An instruction set. One beyond SSE2 comes only from [`InstructionSet::widest`], which has
/// checked that the processor has it.
#[derive(Clone, Copy, Debug)]
pub struct InstructionSet(SimdLevel);

#[derive(Clone, Copy, Debug)]
enum SimdLevel {
    #[cfg(any(test, feature = "each-width"))]
    Words,
    Sse2,
    Avx2,
    Avx512,
}

impl InstructionSet {
    /// The widest set that this processor has and the limit allows.
    ///
    /// ```
    /// use kernel::simd::{InstructionSet, SimdElement as _, SimdTask, Vector, vector_bits};
    ///
    /// struct CountLanes<'a>(&'a mut usize);
    ///
    /// impl SimdTask<u64> for CountLanes<'_> {
    ///     fn run<V: Vector<u64>>(self) {
    ///         *self.0 = V::LANES;
    ///     }
    /// }
    ///
    /// let mut lanes = 0;
    /// u64::run_in(InstructionSet::widest(), CountLanes(&mut lanes));
    /// assert_eq!(64 * lanes, vector_bits());
    /// ```
    #[inline]
    pub fn widest() -> Self {
        if super::is_width_allowed(512)
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("popcnt")
        {
            Self(SimdLevel::Avx512)
        } else if super::is_width_allowed(256)
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
        {
            Self(SimdLevel::Avx2)
        } else {
            #[cfg(any(test, feature = "each-width"))]
            if !super::is_width_allowed(128) {
                return Self(SimdLevel::Words);
            }
            Self(SimdLevel::Sse2)
        }
    }
}

macro_rules! element {
    ($word:ty, $lanes:literal) => {
        impl SimdElement for $word {
            #[inline]
            fn run_in(set: InstructionSet, task: impl SimdTask<Self>) {
                match set.0 {
                    // SAFETY: only `InstructionSet::widest` makes this value, when it has found
                    // the processor to have every feature that the function is compiled for.
                    SimdLevel::Avx512 => unsafe { in_avx512(task) },
                    // SAFETY: only `InstructionSet::widest` makes this value, when it has found
                    // AVX2 and POPCNT.
                    SimdLevel::Avx2 => unsafe { in_avx2(task) },
                    // SAFETY: every processor of this kind has SSE2.
                    SimdLevel::Sse2 => unsafe { in_sse2(task) },
                    #[cfg(any(test, feature = "each-width"))]
                    SimdLevel::Words => in_words::<Self, PortableVector<Self, $lanes>, _>(task),
                }
            }
        }
    };
}

element!(u32, 4);
element!(u64, 2);

/// Implements bitwise logic for a vector type by the named intrinsics.
macro_rules! implement_logic {
    ($vector:ident, $and:ident, $or:ident, $xor:ident, $($more:tt)*) => {
        impl BitAnd for $vector {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $and(self.0, other.0) })
            }
        }

        impl BitOr for $vector {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $or(self.0, other.0) })
            }
        }

        impl BitXor for $vector {
            type Output = Self;
            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $xor(self.0, other.0) })
            }
        }

        impl Not for $vector {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                self ^ Self::ONES
            }
        }

        impl BitVector for $vector {
            // SAFETY: a vector of integers may hold any bits.
            const ZERO: Self = Self(unsafe { std::mem::zeroed() });
            // SAFETY: the array has the vector's size, and a vector of integers may hold any
            // bits.
            const ONES: Self = unsafe {
                std::mem::transmute::<[u8; size_of::<$vector>()], Self>([!0; size_of::<$vector>()])
            };

            $($more)*
        }
    };
}

implement_logic! {
    Avx512, _mm512_and_si512, _mm512_or_si512, _mm512_xor_si512,

    const HAS_TERNARY: bool = true;

    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self.ternary::<0x96>(b, c)
    }

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        self.ternary::<0xe8>(b, c)
    }

    #[inline(always)]
    fn choose(self, high: Self, low: Self) -> Self {
        self.ternary::<0xca>(high, low)
    }

    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        // SAFETY: values of this type exist only behind the check in `dispatch`.
        Self(unsafe { _mm512_ternarylogic_epi64::<TABLE>(self.0, b.0, c.0) })
    }
}

implement_logic! { Sse2, _mm_and_si128, _mm_or_si128, _mm_xor_si128, }

implement_logic! { Avx2, _mm256_and_si256, _mm256_or_si256, _mm256_xor_si256, }

/// Implements [`Vector`] for a vector type and a word type by the named intrinsics.
macro_rules! implement_vector {
    ($vector:ident, $word:ty, $load:ident, $store:ident,
     $left:ident, $right:ident, $before:ident, $after:ident,
     $first:ident, $last:ident, $zero:ident, $splat:ident, $most:literal, $one:ident,
     $front:ident, $back:ident) => {
        impl Vector<$word> for $vector {
            const LANES: usize = size_of::<$vector>() / size_of::<$word>();

            #[inline(always)]
            fn load(from: &[$word]) -> Self {
                let from = &from[..<Self as Vector<$word>>::LANES];
                // SAFETY: the slice is as long as the vector, integers may be read as any
                // others, and the load asks for no alignment. The processor was checked
                // by `dispatch`, outside which nothing can name this type.
                Self(unsafe { $load(from.as_ptr().cast()) })
            }

            #[inline(always)]
            fn load_front(from: &[$word]) -> Self {
                let from = &from[..16 / size_of::<$word>()];
                // SAFETY: as in `load`; the slice is sixteen bytes long.
                Self(unsafe { $front(_mm_loadu_si128(from.as_ptr().cast())) })
            }

            #[inline(always)]
            fn load_back(from: &[$word]) -> Self {
                let from = &from[..16 / size_of::<$word>()];
                // SAFETY: as in `load`; the slice is sixteen bytes long.
                Self(unsafe { $back(_mm_loadu_si128(from.as_ptr().cast())) })
            }

            #[inline(always)]
            fn all_words(word: $word) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $splat(word.cast_signed()) })
            }

            #[inline(always)]
            fn store(self, to: &mut [$word]) {
                let to = &mut to[..<Self as Vector<$word>>::LANES];
                // SAFETY: the slice has just been cut to the vector's length, the store asks for
                // no alignment, and values of this type exist only behind the check in
                // `dispatch`.
                unsafe { $store(to.as_mut_ptr().cast(), self.0) }
            }

            #[inline(always)]
            fn west(self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $left::<1>(self.0) })
            }

            #[inline(always)]
            fn east(self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $right::<1>(self.0) })
            }

            #[inline(always)]
            fn above(self, before: Self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $before(self.0, before.0) })
            }

            #[inline(always)]
            fn below(self, after: Self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $after(self.0, after.0) })
            }

            #[inline(always)]
            fn last_byte(self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $right::<$most>(self.0) })
            }

            #[inline(always)]
            fn first_byte(self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $left::<$most>(self.0) })
            }

            #[inline(always)]
            fn last_bit(self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $right::<{ $most + 7 }>(self.0) })
            }

            #[inline(always)]
            fn first_bit(self) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $left::<{ $most + 7 }>(self.0) })
            }

            #[inline(always)]
            fn first_word(self) -> $word {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                unsafe { $one(self.0) }.cast_unsigned()
            }

            #[inline(always)]
            fn last_word(self) -> $word {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                unsafe { $one($before(self.0, self.0)) }.cast_unsigned()
            }

            #[inline(always)]
            fn with_first(self, word: $word) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $first(self.0, word) })
            }

            #[inline(always)]
            fn with_last(self, word: $word) -> Self {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                Self(unsafe { $last(self.0, word) })
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                // SAFETY: values of this type exist only behind the check in `dispatch`.
                unsafe { $zero(self.0) }
            }
        }
    };
}

/// Defines the lane shifts of [`Vector::above`] and [`Vector::below`]: a window of one vector
/// over two consecutive ones.
macro_rules! lane_shifts {
    ($features:literal, $vector:ty, $before:ident, $after:ident, |$low:ident, $high:ident| $last:expr, $first:expr) => {
        /// The last word of the vector before, then all of this one but its last.
        #[target_feature(enable = $features)]
        #[inline]
        fn $before($high: $vector, $low: $vector) -> $vector {
            $last
        }

        /// All of this vector but its first word, then the first of the vector after.
        #[target_feature(enable = $features)]
        #[inline]
        fn $after($low: $vector, $high: $vector) -> $vector {
            $first
        }
    };
}

lane_shifts!(
    "avx512f",
    __m512i,
    before_512_64,
    after_512_64,
    |low, high| _mm512_alignr_epi64::<7>(high, low),
    _mm512_alignr_epi64::<1>(high, low)
);
lane_shifts!(
    "avx512f",
    __m512i,
    before_512_32,
    after_512_32,
    |low, high| _mm512_alignr_epi32::<15>(high, low),
    _mm512_alignr_epi32::<1>(high, low)
);
lane_shifts!(
    "sse2",
    __m128i,
    before_128_64,
    after_128_64,
    |low, high| _mm_castpd_si128(_mm_shuffle_pd::<0b01>(
        _mm_castsi128_pd(low),
        _mm_castsi128_pd(high)
    )),
    _mm_castpd_si128(_mm_shuffle_pd::<0b01>(
        _mm_castsi128_pd(low),
        _mm_castsi128_pd(high)
    ))
);
lane_shifts!(
    "sse2",
    __m128i,
    before_128_32,
    after_128_32,
    |low, high| _mm_or_si128(_mm_slli_si128::<4>(high), _mm_srli_si128::<12>(low)),
    _mm_or_si128(_mm_srli_si128::<4>(low), _mm_slli_si128::<12>(high))
);
// The intrinsic shifts within 128-bit halves, so the two halves that meet are joined first.
lane_shifts!(
    "avx2",
    __m256i,
    before_256_64,
    after_256_64,
    |low, high| _mm256_alignr_epi8::<8>(high, _mm256_permute2x128_si256::<0x21>(low, high)),
    _mm256_alignr_epi8::<8>(_mm256_permute2x128_si256::<0x21>(low, high), low)
);
lane_shifts!(
    "avx2",
    __m256i,
    before_256_32,
    after_256_32,
    |low, high| _mm256_alignr_epi8::<12>(high, _mm256_permute2x128_si256::<0x21>(low, high)),
    _mm256_alignr_epi8::<4>(_mm256_permute2x128_si256::<0x21>(low, high), low)
);

/// Defines the functions that replace the first and the last word of a vector.
macro_rules! replace_word {
    ($features:literal, $vector:ty, $word:ty, $first:ident, $last:ident, |$cells:ident, $new:ident| $in_first:expr, $in_last:expr) => {
        /// With another first word.
        #[target_feature(enable = $features)]
        #[inline]
        fn $first($cells: $vector, $new: $word) -> $vector {
            $in_first
        }

        /// With another last word.
        #[target_feature(enable = $features)]
        #[inline]
        fn $last($cells: $vector, $new: $word) -> $vector {
            $in_last
        }
    };
}

replace_word!(
    "avx512f",
    __m512i,
    u64,
    first_512_64,
    last_512_64,
    |cells, new| _mm512_mask_set1_epi64(cells, 1, new.cast_signed()),
    _mm512_mask_set1_epi64(cells, 1 << 7, new.cast_signed())
);
replace_word!(
    "avx512f",
    __m512i,
    u32,
    first_512_32,
    last_512_32,
    |cells, new| _mm512_mask_set1_epi32(cells, 1, new.cast_signed()),
    _mm512_mask_set1_epi32(cells, 1 << 15, new.cast_signed())
);
replace_word!(
    "avx2",
    __m256i,
    u64,
    first_256_64,
    last_256_64,
    |cells, new| _mm256_insert_epi64::<0>(cells, new.cast_signed()),
    _mm256_insert_epi64::<3>(cells, new.cast_signed())
);
replace_word!(
    "avx2",
    __m256i,
    u32,
    first_256_32,
    last_256_32,
    |cells, new| _mm256_insert_epi32::<0>(cells, new.cast_signed()),
    _mm256_insert_epi32::<7>(cells, new.cast_signed())
);

replace_word!(
    "sse2",
    __m128i,
    u64,
    first_128_64,
    last_128_64,
    |cells, new| _mm_castpd_si128(_mm_shuffle_pd::<0b10>(
        _mm_castsi128_pd(_mm_cvtsi64_si128(new.cast_signed())),
        _mm_castsi128_pd(cells)
    )),
    _mm_unpacklo_epi64(cells, _mm_cvtsi64_si128(new.cast_signed()))
);
replace_word!(
    "sse2",
    __m128i,
    u32,
    first_128_32,
    last_128_32,
    |cells, new| _mm_castps_si128(_mm_move_ss(
        _mm_castsi128_ps(cells),
        _mm_castsi128_ps(_mm_cvtsi32_si128(new.cast_signed()))
    )),
    _mm_insert_epi16::<7>(_mm_insert_epi16::<6>(cells, new as i32), (new >> 16) as i32)
);

/// Defines the function that reads the first word of a vector.
macro_rules! first_word {
    ($features:literal, $name:ident, $vector:ty, $word:ty, |$cells:ident| $value:expr) => {
        /// The first word.
        #[target_feature(enable = $features)]
        #[inline]
        fn $name($cells: $vector) -> $word {
            $value
        }
    };
}

first_word!("avx512f", one_512_64, __m512i, i64, |cells| {
    _mm_cvtsi128_si64(_mm512_castsi512_si128(cells))
});
first_word!("avx512f", one_512_32, __m512i, i32, |cells| {
    _mm512_cvtsi512_si32(cells)
});
first_word!("avx2", one_256_64, __m256i, i64, |cells| {
    _mm256_extract_epi64::<0>(cells)
});
first_word!("avx2", one_256_32, __m256i, i32, |cells| {
    _mm256_extract_epi32::<0>(cells)
});
first_word!("sse2", one_128_64, __m128i, i64, |cells| {
    _mm_cvtsi128_si64(cells)
});
first_word!("sse2", one_128_32, __m128i, i32, |cells| {
    _mm_cvtsi128_si32(cells)
});

/// Sixteen bytes as the first of a vector; the others are zero.
#[target_feature(enable = "avx512f")]
#[inline]
fn front_512(words: __m128i) -> __m512i {
    _mm512_zextsi128_si512(words)
}

/// Sixteen bytes as the last of a vector; the others are zero.
#[target_feature(enable = "avx512f")]
#[inline]
fn back_512(words: __m128i) -> __m512i {
    _mm512_maskz_broadcast_i32x4(0xf000, words)
}

/// Sixteen bytes as the first of a vector; the others are zero.
#[target_feature(enable = "avx2")]
#[inline]
fn front_256(words: __m128i) -> __m256i {
    _mm256_zextsi128_si256(words)
}

/// Sixteen bytes as the last of a vector; the others are zero.
#[target_feature(enable = "avx2")]
#[inline]
fn back_256(words: __m128i) -> __m256i {
    _mm256_inserti128_si256::<1>(_mm256_setzero_si256(), words)
}

/// Sixteen bytes are the whole vector.
#[target_feature(enable = "sse2")]
#[inline]
fn front_128(words: __m128i) -> __m128i {
    words
}

/// Sixteen bytes are the whole vector.
#[target_feature(enable = "sse2")]
#[inline]
fn back_128(words: __m128i) -> __m128i {
    words
}

/// Whether no bit is set.
#[target_feature(enable = "sse2")]
#[inline]
fn zero_128(cells: __m128i) -> bool {
    _mm_movemask_epi8(_mm_cmpeq_epi32(cells, _mm_setzero_si128())) == 0xffff
}

/// Whether no bit is set.
#[target_feature(enable = "avx512f")]
#[inline]
fn zero_512(cells: __m512i) -> bool {
    _mm512_test_epi64_mask(cells, cells) == 0
}

/// Whether no bit is set.
#[target_feature(enable = "avx2")]
#[inline]
fn zero_256(cells: __m256i) -> bool {
    _mm256_testz_si256(cells, cells) == 1
}

implement_vector!(
    Avx512,
    u64,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_slli_epi64,
    _mm512_srli_epi64,
    before_512_64,
    after_512_64,
    first_512_64,
    last_512_64,
    zero_512,
    _mm512_set1_epi64,
    56,
    one_512_64,
    front_512,
    back_512
);
implement_vector!(
    Avx512,
    u32,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_slli_epi32,
    _mm512_srli_epi32,
    before_512_32,
    after_512_32,
    first_512_32,
    last_512_32,
    zero_512,
    _mm512_set1_epi32,
    24,
    one_512_32,
    front_512,
    back_512
);
implement_vector!(
    Avx2,
    u64,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_slli_epi64,
    _mm256_srli_epi64,
    before_256_64,
    after_256_64,
    first_256_64,
    last_256_64,
    zero_256,
    _mm256_set1_epi64x,
    56,
    one_256_64,
    front_256,
    back_256
);
implement_vector!(
    Avx2,
    u32,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_slli_epi32,
    _mm256_srli_epi32,
    before_256_32,
    after_256_32,
    first_256_32,
    last_256_32,
    zero_256,
    _mm256_set1_epi32,
    24,
    one_256_32,
    front_256,
    back_256
);
implement_vector!(
    Sse2,
    u64,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_slli_epi64,
    _mm_srli_epi64,
    before_128_64,
    after_128_64,
    first_128_64,
    last_128_64,
    zero_128,
    _mm_set1_epi64x,
    56,
    one_128_64,
    front_128,
    back_128
);
implement_vector!(
    Sse2,
    u32,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_slli_epi32,
    _mm_srli_epi32,
    before_128_32,
    after_128_32,
    first_128_32,
    last_128_32,
    zero_128,
    _mm_set1_epi32,
    24,
    one_128_32,
    front_128,
    back_128
);
