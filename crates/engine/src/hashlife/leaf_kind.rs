use grid::{CellHash, State};
use smallvec::SmallVec;

/// The cells of a leaf, in as many words as its kind needs. All are 0 in an empty leaf.
pub(super) type LeafCells = SmallVec<[u64; 8]>;

/// The representation of a quadtree's leaves, and how four of them advance.
///
/// A leaf is `2^level` cells wide; the store sees it as a few words. [`LeafKind::advance`]
/// takes many leaves at once, so a virtual call is cheap, and the tree is compiled once: seven
/// copies of it took a quarter of this crate's build time.
///
/// A change spreads by at most `2^speed_exponent` cells a generation (the speed of light), so
/// four adjacent leaves determine their centre for `2^(level - 1 - speed_exponent)`
/// generations.
pub(super) trait LeafKind: Send + Sync {
    /// The width of a leaf is 2 to this power; at least 2, and at least 3 for rules of two
    /// states.
    fn level(&self) -> u32;

    /// Exponent of the speed of light: 2 to this power is at least the rule's radius.
    fn speed_exponent(&self) -> u32;

    /// The period of the rule in generations: 1, 2 or 4.
    fn time_period(&self) -> u64;

    /// Words of a leaf.
    fn words(&self) -> usize;

    /// An empty leaf.
    fn empty(&self) -> LeafCells {
        SmallVec::from_elem(0, self.words())
    }

    /// The state of a cell, 0 <= x, y < width.
    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State;

    /// Sets the state of a cell.
    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State);

    /// The centres of groups of four leaves (north-west, north-east, south-west, south-east,
    /// one after the other) after `generations`, at most `2^(level - 1 - speed_exponent)`; 0 is
    /// allowed. `phase` is the starting generation modulo the time period. `leaf_results` takes a
    /// leaf for each group.
    fn advance(&self, fours: &[u64], phase: u64, generations: u32, leaf_results: &mut [u64]);

    /// Paints 8 x 8 cells of states 0 and 1, bit `8 * y + x`, with their top-left cell at (`x`,
    /// `y`), both multiples of 8. The leaf is empty there, and wide enough.
    fn paint8(&self, leaf: &mut [u64], x: usize, y: usize, bits: u64) {
        for bit in 0..64 {
            if bits >> bit & 1 == 1 {
                self.set(leaf, x + bit % 8, y + bit / 8, 1);
            }
        }
    }

    /// The 8 x 8 cells whose top-left cell is (`x`, `y`), multiples of 8: bit `8 * y + x` is
    /// set for state 1. The leaf is wide enough.
    fn bits8(&self, leaf: &[u64], x: usize, y: usize) -> u64 {
        let cell = |bit: usize| u64::from(self.get(leaf, x + bit % 8, y + bit / 8) == 1) << bit;
        (0..64).map(cell).sum()
    }

    /// Up to 8 cells of a row from (`x`, `y`) on: bit i is set where the i-th is live.
    fn live8(&self, leaf: &[u64], x: usize, y: usize) -> u8 {
        let columns = (x..1 << self.level()).take(8);
        let bits = columns.enumerate();
        bits.fold(0, |all, (i, x)| {
            all | u8::from(self.get(leaf, x, y) != 0) << i
        })
    }

    /// Makes a cell part of the border of a plane, or not: it stays dead. Only leaves that have a
    /// border can; see [`super::border`].
    fn set_border(&self, _leaf: &mut [u64], _x: usize, _y: usize, _is_border: bool) {}

    /// The number of live cells.
    fn population(&self, leaf: &[u64]) -> u64;

    /// Empty columns at the left and at the right, and empty rows at the top and at the bottom.
    /// The leaf is not empty.
    fn margins(&self, leaf: &[u64]) -> [u32; 4];

    /// The hash of the live cells, relative to the top-left cell.
    fn hash(&self, leaf: &[u64]) -> CellHash;

    /// The kernel and the size of the leaves, in words.
    fn describe(&self) -> String;
}
