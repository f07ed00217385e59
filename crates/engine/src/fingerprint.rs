//! A quick hash of a world's cells, to see whether they may be as they were.

use bytemuck::pod_read_unaligned;

/// Words that are mixed side by side, so that no multiplication waits for another.
const LANES: usize = 8;

/// An odd number with no pattern: 2^64 divided by the golden ratio.
const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;

/// Another one, from which the lanes begin: none at 0, and none where another was or will be.
const SEED: u64 = 0xd1b5_4a32_d192_ed03;

/// A hash of words, in their order, at about a word a cycle.
pub(crate) struct Fingerprint {
    lanes: [u64; LANES],
    /// The lane of the next word outside a whole group.
    next: usize,
}

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self {
            lanes: std::array::from_fn(|lane| (lane as u64 + 1).wrapping_mul(SEED)),
            next: 0,
        }
    }

    /// Adds words, of which the bits in `mask` count.
    pub(crate) fn add(&mut self, words: &[u64], mask: u64) {
        let (groups, rest) = words.as_chunks::<LANES>();
        for group in groups {
            for (lane, word) in self.lanes.iter_mut().zip(group) {
                *lane = mixed(*lane, word & mask);
            }
        }
        for word in rest {
            let lane = &mut self.lanes[self.next % LANES];
            *lane = mixed(*lane, word & mask);
            self.next += 1;
        }
    }

    /// Adds bytes; those of the last word are followed by zeros.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut group = [0; LANES];
        for words in words.chunks(LANES) {
            for (to, word) in group.iter_mut().zip(words) {
                *to = pod_read_unaligned(word);
            }
            self.add(&group[..words.len()], u64::MAX);
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.add(&[u64::from_le_bytes(last)], u64::MAX);
        }
    }

    pub(crate) fn finish(&self) -> u64 {
        let all = self.lanes.iter();
        let mixed = all.fold(self.next as u64, |all, lane| mixed(all, *lane));
        mixed ^ mixed >> 29
    }
}

impl Default for Fingerprint {
    fn default() -> Self {
        Self::new()
    }
}

#[inline(always)]
fn mixed(lane: u64, word: u64) -> u64 {
    // The multiplication moves bits up only.
    let product = (lane ^ word).wrapping_mul(MULTIPLIER);
    product ^ product >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Each bit counts at each place, and only bits of the mask count.
    #[test]
    fn every_bit_at_every_place_counts() {
        for length in [1, 7, 8, 9, 40] {
            let mut seen = HashSet::new();
            for bit in 0..64 * length {
                let mut words = vec![0_u64; length];
                words[bit / 64] |= 1 << (bit % 64);
                let mut all = Fingerprint::new();
                all.add(&words, u64::MAX);
                assert!(seen.insert(all.finish()), "bit {bit} of {length} words");
                let mut bytes = Fingerprint::new();
                let states: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                bytes.add_bytes(&states);
                assert_eq!(bytes.finish(), all.finish(), "bit {bit} of {length} words");
                let mut none = Fingerprint::new();
                none.add(&words, !(1 << (bit % 64)));
                let mut zeros = Fingerprint::new();
                zeros.add(&vec![0; length], u64::MAX);
                assert_eq!(none.finish(), zeros.finish());
            }
        }
        let print = |bytes: &[u8]| {
            let mut print = Fingerprint::new();
            print.add_bytes(bytes);
            print.finish()
        };
        assert_ne!(print(&[1, 2, 3]), print(&[1, 2, 4]));
    }
}
