use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Bits that logic operates on in parallel: a word of cells, or a vector of such words.
pub trait BitVector:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// No bit set.
    const ZERO: Self;
    /// Every bit set.
    const ONES: Self;
    /// Whether [`BitVector::ternary`] is a single instruction.
    const HAS_TERNARY: bool = false;

    /// All bits equal to `bit`.
    #[inline(always)]
    fn all(bit: bool) -> Self {
        if bit { Self::ONES } else { Self::ZERO }
    }

    /// The sum bit of a full adder: where an odd number of the three is set.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// The carry bit of a full adder: where two or three of the three are set.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | (c & (self ^ b))
    }

    /// `high` where this is set, `low` elsewhere.
    #[inline(always)]
    fn choose(self, high: Self, low: Self) -> Self {
        low ^ (self & (high ^ low))
    }

    /// Any function of three bits: bit 4a + 2b + c of `TABLE`.
    #[inline(always)]
    fn ternary<const TABLE: i32>(self, b: Self, c: Self) -> Self {
        let entry = |index: i32| Self::all(TABLE >> index & 1 == 1);
        let by_c = |index| c.choose(entry(index + 1), entry(index));
        let by_b = |index| b.choose(by_c(index + 2), by_c(index));
        self.choose(by_b(4), by_b(0))
    }
}
