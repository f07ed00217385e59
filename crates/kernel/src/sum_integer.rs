/// The integer type of sums.
pub(super) trait SumInteger: Copy + Default + PartialEq + PartialOrd + Send + Sync {
    const MOST: Self;
    fn of(value: i64) -> Self;
    fn and(self, mask: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn index(self) -> usize;
}

macro_rules! sum {
    ($word:ty) => {
        impl SumInteger for $word {
            const MOST: Self = Self::MAX;

            #[inline(always)]
            fn and(self, mask: Self) -> Self {
                self & mask
            }

            #[inline(always)]
            fn of(value: i64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }

            #[inline(always)]
            fn index(self) -> usize {
                self as usize
            }
        }
    };
}

sum!(u8);
sum!(u16);
sum!(u32);
