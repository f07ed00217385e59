//! Reproducible random numbers: the same from the same seed, on every machine.
//!
//! Games, players and puzzle generators draw random numbers, and promise that a seed always
//! gives the same result. So the steps from random words to choices are written here once,
//! where no new version of a library can change them; the words come from a generator crate.
//! (Calling `rand` everywhere was rejected: its methods may give other numbers with each new
//! version.)
//!
//! Main type: [`Dice`].
//!
//! ```
//! use dice::Dice;
//! let throws = |seed| -> Vec<u32> {
//!     let mut dice = Dice::new(seed);
//!     (0..5).map(|_| dice.below(6)).collect()
//! };
//! assert_eq!(throws(2026), [2, 3, 4, 5, 0]);
//! ```
#![forbid(unsafe_code)]

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// A fast seeded random number generator.
///
/// Xoshiro256++ (Blackman and Vigna, *Scrambled Linear Pseudorandom Number Generators*, 2018) gives
/// the words; its state comes from the seed by SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dice(Xoshiro256PlusPlus);

impl Dice {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A generator for one part of a larger whole, for example game 17 of a match with this
    /// seed. The streams of neighbouring parts are independent.
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// let first_words = [0, 1, 2].map(|game| Dice::of_part(7, game).word());
    /// assert!(first_words[0] != first_words[1] && first_words[1] != first_words[2]);
    /// ```
    #[must_use]
    pub fn of_part(seed: u64, part: u64) -> Self {
        Self::new(mix(seed ^ mix(part.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// 64 random bits.
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// assert_eq!(Dice::new(7).word(), Dice::new(7).word());
    /// assert_ne!(Dice::new(7).word(), Dice::new(8).word());
    /// ```
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number from 0 to `bound` - 1 (Lemire, *Fast Random Integer Generation in an
    /// Interval*, 2019). `bound` is at least 1.
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// let mut dice = Dice::new(1);
    /// assert!((0..1000).all(|_| dice.below(6) < 6));
    /// ```
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0, "there is no number below 0");
        let mut product = (self.word() >> 32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = (self.word() >> 32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// Heads or tails.
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// let mut dice = Dice::new(1);
    /// let heads = (0..1000).filter(|_| dice.coin()).count();
    /// assert!((400..600).contains(&heads));
    /// ```
    #[inline]
    pub fn coin(&mut self) -> bool {
        self.word() >> 63 == 1
    }

    /// A uniformly chosen item; `None` where there is none.
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// let mut dice = Dice::new(1);
    /// assert!(["red", "black"].contains(&dice.pick(&["red", "black"]).unwrap()));
    /// assert_eq!(dice.pick::<u8>(&[]), None);
    /// ```
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() {
            return None;
        }
        Some(items[self.below(items.len() as u32) as usize])
    }

    /// Puts the items into a random order (Fisher and Yates, 1938; Durstenfeld, 1964).
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// let mut cards = [1, 2, 3, 4, 5];
    /// Dice::new(1).shuffle(&mut cards);
    /// cards.sort();
    /// assert_eq!(cards, [1, 2, 3, 4, 5]);
    /// ```
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// A number from 0 up to, but not, 1, in steps of 2^-53.
    ///
    /// ```
    /// use dice::Dice;
    ///
    /// let mut dice = Dice::new(1);
    /// assert!((0..1000).all(|_| (0.0..1.0).contains(&dice.unit())));
    /// ```
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Spreads every bit of a word over all of it: the last steps of SplitMix64 (Steele, Lea
/// and Flood, 2014). One to one, so different words stay different.
///
/// ```
/// assert_ne!(dice::mix(1), dice::mix(2));
/// assert!(dice::mix(1).abs_diff(dice::mix(2)) > 1 << 32, "neighbours are far apart");
/// ```
#[inline]
#[must_use]
pub fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_falls_the_same_way_for_ever() {
        let mut dice = Dice::new(2026);
        let throws: Vec<u32> = (0..12).map(|_| dice.below(6)).collect();
        assert_eq!(throws, GOLDEN);
    }

    /// Written down once: a change here would change what every seed means.
    const GOLDEN: [u32; 12] = [2, 3, 4, 5, 0, 5, 4, 5, 4, 2, 5, 3];

    #[test]
    fn every_number_is_as_likely_as_the_others() {
        let mut dice = Dice::new(1);
        for bound in [1, 2, 3, 7, 81, 1000] {
            let mut seen = vec![0u32; bound as usize];
            for _ in 0..bound * 1000 {
                seen[dice.below(bound) as usize] += 1;
            }
            // seven standard deviations of a count whose mean is 1000
            assert!(seen.iter().all(|&n| (780..=1220).contains(&n)), "{bound}");
        }
    }

    #[test]
    fn a_shuffle_keeps_everything() {
        let mut items: Vec<u32> = (0..100).collect();
        Dice::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn parts_of_a_seed_differ() {
        let firsts: std::collections::HashSet<u64> = (0..1000)
            .map(|part| Dice::of_part(1, part).word())
            .collect();
        assert_eq!(firsts.len(), 1000);
        assert_ne!(Dice::of_part(1, 0).word(), Dice::of_part(2, 0).word());
    }
}
