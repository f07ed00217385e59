use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Some cells, a bit each. Bit 0, the least significant, is the leftmost cell.
pub(crate) trait Word:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Send
    + Sync
    + 'static
{
    /// No bit set.
    const ZERO: Self;
    /// Every bit set.
    const ONES: Self;

    /// All bits equal to `bit`.
    #[inline(always)]
    fn all(bit: bool) -> Self {
        if bit { Self::ONES } else { Self::ZERO }
    }

    /// Where an odd number of the three is set: the sum bit of a full adder.
    #[inline(always)]
    fn xor3(self, b: Self, c: Self) -> Self {
        self ^ b ^ c
    }

    /// Where two or three of the three are set: the carry of a full adder.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        (self & b) | (c & (self ^ b))
    }

    /// `high` where this is set, `low` elsewhere.
    #[inline(always)]
    fn choose(self, high: Self, low: Self) -> Self {
        low ^ (self & (high ^ low))
    }
}

impl Word for u32 {
    const ZERO: Self = 0;
    const ONES: Self = !0;
}

impl Word for u64 {
    const ZERO: Self = 0;
    const ONES: Self = !0;
}
