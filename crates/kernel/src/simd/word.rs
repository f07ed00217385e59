//! Words as vectors of one lane.

use super::Vector;
use crate::BitVector;

macro_rules! word {
    ($word:ty) => {
        impl BitVector for $word {
            const ZERO: Self = 0;
            const ONES: Self = !0;
        }

        impl Vector<$word> for $word {
            const LANES: usize = 1;

            #[inline(always)]
            fn load(from: &[$word]) -> Self {
                from[0]
            }

            #[inline(always)]
            fn load_front(from: &[$word]) -> Self {
                from[0]
            }

            #[inline(always)]
            fn load_back(from: &[$word]) -> Self {
                from[0]
            }

            #[inline(always)]
            fn all_words(word: $word) -> Self {
                word
            }

            #[inline(always)]
            fn store(self, to: &mut [$word]) {
                to[0] = self;
            }

            #[inline(always)]
            fn west(self) -> Self {
                self << 1
            }

            #[inline(always)]
            fn east(self) -> Self {
                self >> 1
            }

            #[inline(always)]
            fn above(self, before: Self) -> Self {
                before
            }

            #[inline(always)]
            fn below(self, after: Self) -> Self {
                after
            }

            #[inline(always)]
            fn last_byte(self) -> Self {
                self >> (Self::BITS - 8)
            }

            #[inline(always)]
            fn first_byte(self) -> Self {
                self << (Self::BITS - 8)
            }

            #[inline(always)]
            fn last_bit(self) -> Self {
                self >> (Self::BITS - 1)
            }

            #[inline(always)]
            fn first_bit(self) -> Self {
                self << (Self::BITS - 1)
            }

            #[inline(always)]
            fn first_word(self) -> $word {
                self
            }

            #[inline(always)]
            fn last_word(self) -> $word {
                self
            }

            #[inline(always)]
            fn with_first(self, word: $word) -> Self {
                word
            }

            #[inline(always)]
            fn with_last(self, word: $word) -> Self {
                word
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                self == 0
            }
        }
    };
}

word!(u32);
word!(u64);
