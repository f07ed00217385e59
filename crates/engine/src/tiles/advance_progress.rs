//! How far a call of [`World::advance`](crate::World::advance) has come: of any number of
//! generations, a word at a time.

use crate::{AdvanceCallback, AdvanceInterruption};
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

/// The progress of a call of [`World::advance`](crate::World::advance).
pub(super) struct AdvanceProgress<'a, 'c> {
    /// Remaining generations, without those in `beyond`. At least [`FEW`] while there are any.
    left: u64,
    beyond: BigUint,
    /// Generations done, without those in `counted`.
    recent: u64,
    counted: BigUint,
    /// Whether the current generation is odd.
    odd: bool,
    /// Tiles up to which a step fits in memory.
    pub(super) most: usize,
    /// Whether one did not fit.
    pub(super) is_out_of_memory: bool,
    /// Cells computed, and the number after which no further step begins; only some planes
    /// count them.
    pub(super) worked: u64,
    pub(super) enough: u64,
    /// Tiles stepped, or cells computed: what the time goes into.
    pub(super) work: u64,
    control: &'a mut AdvanceCallback<'c>,
}

/// Generations that may be done together, at most.
const FEW: u64 = 4;

impl<'a, 'c> AdvanceProgress<'a, 'c> {
    pub(super) fn new(n: &BigUint, odd: bool, control: &'a mut AdvanceCallback<'c>) -> Self {
        let mut progress = Self {
            left: 0,
            beyond: n.clone(),
            recent: 0,
            counted: BigUint::zero(),
            odd,
            most: usize::MAX,
            is_out_of_memory: false,
            worked: 0,
            enough: u64::MAX,
            work: 0,
            control,
        };
        progress.refill();
        progress
    }

    fn refill(&mut self) {
        /// Leaves a margin for the few generations that may remain.
        const MOST: u64 = 1 << 62;
        if self.left < FEW && !self.beyond.is_zero() {
            let part = self.beyond.to_u64().map_or(MOST, |b| b.min(MOST));
            self.beyond -= part;
            self.left += part;
        }
    }

    /// Remaining generations: exact when fewer than [`FEW`], and else a lower bound.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn odd(&self) -> bool {
        self.odd
    }

    pub(super) fn done(&mut self, generations: u64) {
        self.left -= generations;
        self.recent += generations;
        self.odd ^= generations % 2 == 1;
        if self.left < FEW {
            self.counted += std::mem::take(&mut self.recent);
            self.refill();
        }
    }

    /// Skips all whole rounds of this many generations, which is even.
    pub(super) fn skip_rounds(&mut self, generations: u64) {
        let rest = std::mem::take(&mut self.beyond) + self.left;
        let left = &rest % generations;
        self.left = left.to_u64().expect("a rest is smaller than its divisor");
        self.counted += rest - self.left;
    }

    pub(super) fn total(&self) -> BigUint {
        &self.counted + self.recent
    }

    /// Before a step of this many tiles: checks that the tiles it may add fit in memory.
    pub(super) fn check_capacity(&mut self, tiles: usize) -> Result<(), AdvanceInterruption> {
        self.is_out_of_memory = tiles > self.most;
        if self.is_out_of_memory {
            Err(AdvanceInterruption)
        } else {
            Ok(())
        }
    }

    pub(super) fn poll(&mut self) -> Result<(), AdvanceInterruption> {
        let total = self.total();
        if (self.control)(&total) {
            Ok(())
        } else {
            Err(AdvanceInterruption)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_beyond_a_word() {
        for n in [0_u32, 1, 2, 4, 7].map(|k| (BigUint::from(1_u32) << 200) + k) {
            let mut yes = |_: &BigUint| true;
            let mut progress = AdvanceProgress::new(&n, false, &mut yes);
            progress.done(1);
            progress.done(2);
            progress.skip_rounds(4);
            assert_eq!(progress.total() + progress.left(), n);
            assert_eq!(BigUint::from(progress.left()), (n - 3_u32) % 4_u32);
            assert!(progress.odd());
        }
    }

    #[test]
    fn progress_goes_from_part_to_part() {
        let n = (BigUint::from(1_u32) << 63) + 1_u32;
        let mut yes = |_: &BigUint| true;
        let mut progress = AdvanceProgress::new(&n, true, &mut yes);
        while progress.left() > 1 {
            progress.done(progress.left() & !1);
        }
        assert_eq!(progress.left(), 1);
        progress.done(1);
        assert_eq!((progress.left(), progress.total()), (0, n));
    }
}
