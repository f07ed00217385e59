//! How long a step is, as the recursion sees it.

use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

/// Generations from which on a step is cut at a round one: two short ones take longer.
const MIN_SPLIT_LENGTH: u32 = 512;

/// A number of generations that a step takes at once, any but 0.
///
/// A square that can move on by 2^k generations is asked for either all of them or the rest
/// of the step: `n` is so many times 2^k, and the rest. So there are two questions at each
/// level, however long and odd the step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StepLength {
    generations: BigUint,
    /// Whether the rest comes before the whole parts, not after them.
    remainder_first: bool,
    /// `generations - 1`: the rest is what its lower bits say, and one more, so that it is
    /// never nothing.
    minus_one: BigUint,
    /// How many bits of it are ones, from the lowest on.
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

    /// `n` generations from `start` on, in order: where they are many and no power of two, two
    /// that meet at the roundest generation there is, so that the whole parts of both begin at
    /// multiples of their lengths: what another step has found out, wherever it began, is known
    /// to this one.
    pub(super) fn split(start: &BigInt, n: &BigUint) -> Vec<Self> {
        if n.is_zero() {
            return Vec::new();
        }
        let whole = Self::new(n.clone(), false);
        // Powers of two begin at multiples of their length, seen from where the first began.
        if whole.is_short() || whole.is_power_of_two() {
            return vec![whole];
        }
        // How far the next multiple of 2^power is, for the highest that is there.
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

    /// Whether the rest comes first.
    #[inline(always)]
    pub(super) fn remainder_first(&self) -> bool {
        self.remainder_first
    }

    /// The least power of two that is as long is 2 to this.
    pub(super) fn exponent(&self) -> u32 {
        self.minus_one.bits() as u32
    }

    /// Whether it is too short to be cut.
    pub(super) fn is_short(&self) -> bool {
        self.generations < MIN_SPLIT_LENGTH.into()
    }

    /// Whether it is a power of two: each level is asked for either whole parts or the rest.
    #[inline(always)]
    pub(super) fn is_power_of_two(&self) -> bool {
        self.trailing_ones == self.minus_one.bits()
    }

    /// As long, as powers of two.
    pub(super) fn powers(&self) -> Vec<Self> {
        let bits = (0..self.generations.bits()).filter(|&bit| self.generations.bit(bit));
        let mut powers: Vec<Self> = bits.map(Self::power_of_two).collect();
        if !self.remainder_first {
            powers.reverse();
        }
        powers
    }

    /// As long, in shorter ones that take less memory; one generation has none.
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

    /// Whether the rest of it, for squares that can move on by 2^power generations, is just
    /// as much.
    #[inline(always)]
    pub(super) fn is_whole(&self, power: u32) -> bool {
        u64::from(power) <= self.trailing_ones
    }

    /// Whether the rest is more than half of what these squares can.
    #[inline(always)]
    pub(super) fn exceeds_half(&self, power: u32) -> bool {
        power > 0 && self.minus_one.bit(u64::from(power) - 1)
    }

    /// The rest, for squares that can do little.
    pub(super) fn remainder(&self, power: u32) -> u32 {
        let low = self.minus_one.iter_u32_digits().next().unwrap_or(0);
        (low & ((1 << power) - 1)) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rest below is the rest itself, or what is left of it beside a whole half.
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
