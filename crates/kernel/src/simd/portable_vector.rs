//! Vectors for processors without a module of their own: arrays of a few words, for which the
//! compiler uses the 128-bit registers that nearly all processors have.

use super::{SimdElement, Vector};
use crate::BitVector;
use std::ops::{BitAnd, BitOr, BitXor, Not};

/// An array of words with the operations of a [`Vector`].
#[derive(Clone, Copy)]
pub(super) struct PortableVector<W, const N: usize>([W; N]);

macro_rules! logic {
    ($trait:ident, $method:ident) => {
        impl<W: SimdElement, const N: usize> $trait for PortableVector<W, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for (word, other) in self.0.iter_mut().zip(other.0) {
                    *word = word.$method(other);
                }
                self
            }
        }
    };
}

logic!(BitAnd, bitand);
logic!(BitOr, bitor);
logic!(BitXor, bitxor);

impl<W: SimdElement, const N: usize> Not for PortableVector<W, N> {
    type Output = Self;

    #[inline(always)]
    fn not(mut self) -> Self {
        for word in &mut self.0 {
            *word = !*word;
        }
        self
    }
}

impl<W: SimdElement, const N: usize> BitVector for PortableVector<W, N> {
    const ZERO: Self = Self([W::ZERO; N]);
    const ONES: Self = Self([W::ONES; N]);
}

impl<W: SimdElement, const N: usize> Vector<W> for PortableVector<W, N> {
    const LANES: usize = N;

    #[inline(always)]
    fn load(from: &[W]) -> Self {
        let mut words = [W::ZERO; N];
        words.copy_from_slice(&from[..N]);
        Self(words)
    }

    #[inline(always)]
    fn load_front(from: &[W]) -> Self {
        let mut words = [W::ZERO; N];
        let count = N.min(16 / size_of::<W>());
        words[..count].copy_from_slice(&from[..count]);
        Self(words)
    }

    #[inline(always)]
    fn load_back(from: &[W]) -> Self {
        let mut words = [W::ZERO; N];
        let count = N.min(16 / size_of::<W>());
        words[N - count..].copy_from_slice(&from[..count]);
        Self(words)
    }

    #[inline(always)]
    fn all_words(word: W) -> Self {
        Self([word; N])
    }

    #[inline(always)]
    fn store(self, to: &mut [W]) {
        to[..N].copy_from_slice(&self.0);
    }

    #[inline(always)]
    fn west(mut self) -> Self {
        for word in &mut self.0 {
            *word = word.west();
        }
        self
    }

    #[inline(always)]
    fn east(mut self) -> Self {
        for word in &mut self.0 {
            *word = word.east();
        }
        self
    }

    #[inline(always)]
    fn above(self, before: Self) -> Self {
        let mut words = [before.0[N - 1]; N];
        words[1..].copy_from_slice(&self.0[..N - 1]);
        Self(words)
    }

    #[inline(always)]
    fn below(self, after: Self) -> Self {
        let mut words = [after.0[0]; N];
        words[..N - 1].copy_from_slice(&self.0[1..]);
        Self(words)
    }

    #[inline(always)]
    fn last_byte(mut self) -> Self {
        for word in &mut self.0 {
            *word = word.last_byte();
        }
        self
    }

    #[inline(always)]
    fn first_byte(mut self) -> Self {
        for word in &mut self.0 {
            *word = word.first_byte();
        }
        self
    }

    #[inline(always)]
    fn last_bit(mut self) -> Self {
        for word in &mut self.0 {
            *word = word.last_bit();
        }
        self
    }

    #[inline(always)]
    fn first_bit(mut self) -> Self {
        for word in &mut self.0 {
            *word = word.first_bit();
        }
        self
    }

    #[inline(always)]
    fn first_word(self) -> W {
        self.0[0]
    }

    #[inline(always)]
    fn last_word(self) -> W {
        self.0[N - 1]
    }

    #[inline(always)]
    fn with_first(mut self, word: W) -> Self {
        self.0[0] = word;
        self
    }

    #[inline(always)]
    fn with_last(mut self, word: W) -> Self {
        self.0[N - 1] = word;
        self
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.iter().all(|word| word.is_zero())
    }
}
