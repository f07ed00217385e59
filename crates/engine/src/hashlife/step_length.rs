//! The length of a macro step, as the recursion needs it.
//!
//! A step of any length is one macro step, or two. Nodes of a level are advanced by as many
//! generations as they can, or by the rest of the step. A long step that is no power of two is cut
//! at the roundest generation that it passes, so that later steps find its results. A node memoises
//! one result, tagged with the step that it is for, so the whole parts of a level are computed before
//! its rests. Where that cannot be (on a torus, with several threads, with little memory, after an
//! interruption) a step goes in its powers of two.
//!
//! Steps of powers of two are Gosper's (1984); the two macro steps for any length are our own method.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Generations from which on a step is split at a round generation; two short steps take longer
/// than one.
const MIN_SPLIT_LENGTH: u32 = 512;

/// The number of generations of a macro step, never 0.
///
/// A node that can advance by 2^k generations is asked for either all of them or for the
/// remainder of the step: `n` is a multiple of 2^k and a remainder from 1 to 2^k. So each level
/// has two kinds of results at most, however long and odd the step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepLength {
    generations: BigUint,
    /// Whether the remainder comes before the multiple, and not after it.
    remainder_first: bool,
    /// `generations - 1`. The remainder is its lower bits plus one, so that it is never 0.
    minus_one: BigUint,
    /// The number of trailing ones of `minus_one`.
    trailing_ones: u64,
}

impl StepLength {
    /// `n` generations, at least one.
    fn new(n: BigUint, remainder_first: bool) -> Self {
        let minus_one = &n - BigUint::one();
        Self {
            generations: n,
            remainder_first,
            trailing_ones: minus_one.trailing_ones(),
            minus_one,
        }
    }

    /// Splits `n` generations from `start` on. A long step that is no power of two is split at
    /// the roundest generation that it passes, so that the multiples in both parts begin at
    /// multiples of their lengths, and results are shared with other steps wherever these
    /// began.
    pub(super) fn split(start: &BigInt, n: &BigUint) -> Vec<Self> {
        if n.is_zero() {
            return Vec::new();
        }
        let whole = Self::new(n.clone(), false);
        // Powers of two begin at multiples of their length, relative to where the first began.
        if whole.is_short() || whole.is_power_of_two() {
            return vec![whole];
        }
        // The distance to the next multiple of 2^power, if it is not negative.
        let to_multiple = |power: u64| {
            let unit = BigInt::one() << power;
            let past = ((start % &unit) + &unit) % &unit;
            ((&unit - past) % unit).to_biguint()
        };
        let mut heads = (0..=n.bits() + 1).rev().filter_map(to_multiple);
        let head = heads.find(|head| head <= n).unwrap_or_default();
        let tail = n - &head;
        let steps = [(head, true), (tail, false)].into_iter();
        let steps = steps.filter(|(n, _)| !n.is_zero());
        steps.map(|(n, is_head)| Self::new(n, is_head)).collect()
    }

    pub(super) fn generations(&self) -> &BigUint {
        &self.generations
    }

    /// Whether the remainder comes first.
    #[inline(always)]
    pub(super) fn remainder_first(&self) -> bool {
        self.remainder_first
    }

    /// The exponent of the least power of two that is at least as long.
    pub(super) fn exponent(&self) -> u32 {
        self.minus_one.bits() as u32
    }

    /// Whether it is too short to be split.
    pub(super) fn is_short(&self) -> bool {
        self.generations < MIN_SPLIT_LENGTH.into()
    }

    /// Whether it is a power of two: then each level needs one kind of result only.
    #[inline(always)]
    pub(super) fn is_power_of_two(&self) -> bool {
        self.trailing_ones == self.minus_one.bits()
    }

    /// The same length as powers of two.
    pub(super) fn powers(&self) -> Vec<Self> {
        let bits = (0..self.generations.bits()).filter(|&bit| self.generations.bit(bit));
        let mut powers: Vec<Self> = bits.map(Self::power_of_two).collect();
        if !self.remainder_first {
            powers.reverse();
        }
        powers
    }

    /// The same length in shorter steps, which need less memory; none for one generation.
    pub(super) fn shorter_steps(&self) -> Vec<Self> {
        if !self.is_power_of_two() {
            return self.powers();
        }
        let half = self.minus_one.bits().checked_sub(1).map(Self::power_of_two);
        half.map_or(Vec::new(), |half| vec![half.clone(), half])
    }

    fn power_of_two(power: u64) -> Self {
        Self::new(BigUint::one() << power, false)
    }

    /// Whether the remainder is a full 2^power generations.
    #[inline(always)]
    pub(super) fn is_whole(&self, power: u32) -> bool {
        u64::from(power) <= self.trailing_ones
    }

    /// Whether the remainder is more than half of 2^power generations.
    #[inline(always)]
    pub(super) fn exceeds_half(&self, power: u32) -> bool {
        power > 0 && self.minus_one.bit(u64::from(power) - 1)
    }

    /// The remainder, for nodes that can advance by 2^power generations; `power` is small.
    pub(super) fn remainder(&self, power: u32) -> u32 {
        let low = self.minus_one.iter_u32_digits().next().unwrap_or(0);
        (low & ((1 << power) - 1)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The remainder at a level is the remainder one level below, with or without a whole half.
    #[test]
    fn the_rest_is_made_of_a_half_and_the_rest_below() {
        for n in 1..200_u32 {
            let step = StepLength::new(n.into(), n % 3 == 0);
            assert_eq!(1 << step.exponent(), n.next_power_of_two());
            assert_eq!(step.remainder(step.exponent()), n);
            for power in 1..10 {
                let half = u32::from(step.exceeds_half(power)) << (power - 1);
                assert_eq!(
                    step.remainder(power),
                    half + step.remainder(power - 1),
                    "{n}"
                );
                assert_eq!(step.is_whole(power), step.remainder(power) == 1 << power);
            }
            assert_eq!(step.is_power_of_two(), n.is_power_of_two());
            let parts = step.shorter_steps();
            assert_eq!(parts.is_empty(), n == 1);
            assert!(parts.iter().all(StepLength::is_power_of_two));
            let all: BigUint = parts.iter().map(StepLength::generations).sum();
            assert_eq!(all, BigUint::from(if n == 1 { 0 } else { n }));
        }
    }

    #[test]
    fn steps_meet_at_the_roundest_generation() {
        let lengths = |start: i32, n: u32| {
            let steps = StepLength::split(&start.into(), &n.into());
            let length = |step: &StepLength| (step.generations().to_string(), step.remainder_first);
            steps.iter().map(length).collect::<Vec<_>>()
        };
        let head = |n: u32| (n.to_string(), true);
        let tail = |n: u32| (n.to_string(), false);
        assert_eq!(lengths(5, 0), []);
        assert_eq!(lengths(5, 511), [tail(511)]);
        assert_eq!(lengths(5, 1024), [tail(1024)]);
        assert_eq!(lengths(0, 1000), [tail(1000)]);
        assert_eq!(lengths(24, 1000), [head(1000)]);
        assert_eq!(lengths(1000, 1000), [head(24), tail(976)]);
        assert_eq!(lengths(-1000, 1001), [head(1000), tail(1)]);
        assert_eq!(lengths(-5000, 1000), [head(904), tail(96)]);
        for (start, n) in (-70..70).flat_map(|start| (512..600).map(move |n| (start, n))) {
            let steps = lengths(start, n);
            let all: u32 = steps.iter().map(|(n, _)| n.parse::<u32>().unwrap()).sum();
            assert_eq!(all, n);
        }
    }
}
