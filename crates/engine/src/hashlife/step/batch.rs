//! Working memory for a batch of nodes.

use super::super::store::index::BucketProbe;
use super::super::store::lookup::{NodeLookups, PrefixVec, prefix_mut};

/// Working memory for a batch of nodes. The vectors never shrink, so they need not be filled
/// again; counts say how much of each is valid.
#[derive(Default)]
pub(super) struct NodeBatch {
    /// Nodes to look up.
    pub(super) lookups: NodeLookups,
    /// Index probes of leaves.
    pub(super) probes: Vec<BucketProbe>,
    /// The ids found.
    pub(super) found: Vec<u32>,
    /// Valid parts and results.
    pub(super) count: usize,
    /// The parts of the first half of the step while the second is computed, and their number.
    pub(super) nine_parts: Vec<u32>,
    pub(super) nine_count: usize,
    /// Sub-nodes whose results are needed: nine for each node, later four.
    pub(super) parts: Vec<u32>,
    /// Their results.
    pub(super) results: Vec<u32>,
    /// Positions of results that are still missing.
    pub(super) missing: PrefixVec<u32>,
    /// Bits of positions, all clear.
    position_bits: Vec<u64>,
    /// Those of the parts that this batch has claimed.
    pub(super) claimed: PrefixVec<u32>,
    /// The cells of leaves to step in fours, and of the stepped ones.
    pub(super) fours: Vec<u64>,
    pub(super) leaves: Vec<u64>,
}

impl NodeBatch {
    /// Makes `all` parts and results valid; empty until they are looked up.
    #[inline(always)]
    pub(super) fn resize(&mut self, all: usize) {
        prefix_mut(&mut self.parts, all).fill(0);
        prefix_mut(&mut self.results, all).fill(0);
        self.missing.resize(all);
    }

    /// Puts the missing positions in order.
    pub(super) fn sort_missing(&mut self) {
        for &position in self.missing.iter() {
            let at = position as usize / 64;
            if self.position_bits.len() <= at {
                self.position_bits.resize(at + 1, 0);
            }
            self.position_bits[at] |= 1 << (position % 64);
        }
        let mut sorted = self.missing.iter_mut();
        for (at, bits) in self.position_bits.iter_mut().enumerate() {
            let mut bits = std::mem::take(bits);
            while bits != 0 {
                if let Some(position) = sorted.next() {
                    *position = 64 * at as u32 + bits.trailing_zeros();
                }
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;

    #[test]
    fn missing_positions_are_put_in_order() {
        let mut dice = Dice::new(7);
        let mut batch = NodeBatch::default();
        for all in [1, 64, 1000, 5, 150_000] {
            let mut shuffled: Vec<u32> = (0..all).filter(|_| dice.below(9) > 0).collect();
            for i in (1..shuffled.len()).rev() {
                shuffled.swap(i, dice.below(i as u32 + 1) as usize);
            }
            let missing = batch.missing.resize(shuffled.len());
            missing.copy_from_slice(&shuffled);
            shuffled.sort_unstable();
            batch.sort_missing();
            assert_eq!(batch.missing[..], shuffled, "{all}");
        }
    }
}
