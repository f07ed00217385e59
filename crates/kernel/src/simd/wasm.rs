//! Vectors of WebAssembly, in programs that are compiled for them.
//!
//! Of arrays (`portable_vector.rs`) the compiler makes vectors where loops are simple, and words where
//! lanes move: a leaf of Life takes 1160 ns for eight generations in words, 640 in arrays, and 203 so
//! (Node 20, one core of an AMD EPYC).

use super::Vector;
use crate::BitVector;
use std::arch::wasm32::{
    i32x4_shuffle, i64x2_shuffle, u32x4_extract_lane, u32x4_replace_lane, u32x4_shl, u32x4_shr,
    u32x4_splat, u64x2, u64x2_extract_lane, u64x2_replace_lane, u64x2_shl, u64x2_shr, u64x2_splat,
    v128, v128_and, v128_any_true, v128_bitselect, v128_load, v128_not, v128_or, v128_store,
    v128_xor,
};
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Four words of 32 bits, or two of 64.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct WasmVector(v128);

impl BitAnd for WasmVector {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(v128_and(self.0, other.0))
    }
}

impl BitOr for WasmVector {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(v128_or(self.0, other.0))
    }
}

impl BitXor for WasmVector {
    type Output = Self;

    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(v128_xor(self.0, other.0))
    }
}

impl Not for WasmVector {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(v128_not(self.0))
    }
}

impl BitVector for WasmVector {
    const ZERO: Self = Self(u64x2(0, 0));
    const ONES: Self = Self(u64x2(!0, !0));

    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self ^ b).choose(c, self)
    }

    #[inline(always)]
    fn choose(self, high: Self, low: Self) -> Self {
        Self(v128_bitselect(high.0, low.0, self.0))
    }
}

macro_rules! vector {
    ($word:ty, $lanes:literal, $last:literal, $splat:ident, $shl:ident, $shr:ident, $extract:ident, $replace:ident, $above:expr, $below:expr) => {
        impl Vector<$word> for WasmVector {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn load(from: &[$word]) -> Self {
                let words: &[$word; $lanes] = &from.as_chunks().0[0];
                // SAFETY: the array is sixteen bytes long, and the load needs no alignment.
                Self(unsafe { v128_load(std::ptr::from_ref(words).cast()) })
            }

            #[inline(always)]
            fn load_front(from: &[$word]) -> Self {
                <Self as Vector<$word>>::load(from)
            }

            #[inline(always)]
            fn load_back(from: &[$word]) -> Self {
                <Self as Vector<$word>>::load(from)
            }

            #[inline(always)]
            fn all_words(word: $word) -> Self {
                Self($splat(word))
            }

            #[inline(always)]
            fn store(self, to: &mut [$word]) {
                let words: &mut [$word; $lanes] = &mut to.as_chunks_mut().0[0];
                // SAFETY: the array is sixteen bytes long and borrowed mutably, and the store needs
                // no alignment.
                unsafe { v128_store(std::ptr::from_mut(words).cast(), self.0) }
            }

            #[inline(always)]
            fn west(self) -> Self {
                Self($shl(self.0, 1))
            }

            #[inline(always)]
            fn east(self) -> Self {
                Self($shr(self.0, 1))
            }

            #[inline(always)]
            fn above(self, before: Self) -> Self {
                Self($above(before.0, self.0))
            }

            #[inline(always)]
            fn below(self, after: Self) -> Self {
                Self($below(self.0, after.0))
            }

            #[inline(always)]
            fn last_byte(self) -> Self {
                Self($shr(self.0, <$word>::BITS - 8))
            }

            #[inline(always)]
            fn first_byte(self) -> Self {
                Self($shl(self.0, <$word>::BITS - 8))
            }

            #[inline(always)]
            fn last_bit(self) -> Self {
                Self($shr(self.0, <$word>::BITS - 1))
            }

            #[inline(always)]
            fn first_bit(self) -> Self {
                Self($shl(self.0, <$word>::BITS - 1))
            }

            #[inline(always)]
            fn first_word(self) -> $word {
                $extract::<0>(self.0)
            }

            #[inline(always)]
            fn last_word(self) -> $word {
                $extract::<$last>(self.0)
            }

            #[inline(always)]
            fn with_first(self, word: $word) -> Self {
                Self($replace::<0>(self.0, word))
            }

            #[inline(always)]
            fn with_last(self, word: $word) -> Self {
                Self($replace::<$last>(self.0, word))
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                !v128_any_true(self.0)
            }
        }
    };
}

vector!(
    u32,
    4,
    3,
    u32x4_splat,
    u32x4_shl,
    u32x4_shr,
    u32x4_extract_lane,
    u32x4_replace_lane,
    i32x4_shuffle::<3, 4, 5, 6>,
    i32x4_shuffle::<1, 2, 3, 4>
);
vector!(
    u64,
    2,
    1,
    u64x2_splat,
    u64x2_shl,
    u64x2_shr,
    u64x2_extract_lane,
    u64x2_replace_lane,
    i64x2_shuffle::<1, 2>,
    i64x2_shuffle::<1, 2>
);
