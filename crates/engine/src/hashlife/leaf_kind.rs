use grid::{CellHash, State};
use smallvec::SmallVec;

/// The cells of a leaf: as many words as its kind says. All are 0 where no cell is live.
pub(super) type LeafCells = SmallVec<[u64; 8]>;

/// What the leaves of a hashed quadtree hold, and how four of them move on.
///
/// A leaf is `2^level` cells wide, and is a few words to all that stores and finds it. What is
/// called for each leaf of a step takes many at once ([`LeafKind::advance`]), so that nothing
/// but the kernels has to be compiled for each kind: seven copies of the whole tree were a
/// quarter of this crate's time to build.
///
/// A change spreads by at most `2^speed_exponent` cells in a generation, so four leaves side by side
/// know their middle leaf for `2^(level - 1 - speed_exponent)` generations ahead.
pub(super) trait LeafKind: Send + Sync {
    /// The leaf's width is 2 to this power; at least 2, and at least 3 for rules of two
    /// states.
    fn level(&self) -> u32;

    /// 2 to this power is at least the rule's radius.
    fn speed_exponent(&self) -> u32;

    /// After how many generations the rule's tables repeat: 1, 2 or 4.
    fn time_period(&self) -> u64;

    /// Words that a leaf's cells take.
    fn words(&self) -> usize;

    /// A leaf with no live cell.
    fn empty(&self) -> LeafCells {
        SmallVec::from_elem(0, self.words())
    }

    /// A cell, 0 <= x, y < width.
    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State;

    /// Sets a cell.
    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State);

    /// The middles of fours of leaves (north-west, north-east, south-west, south-east, one
    /// after the other) after `generations`, at most `2^(level - 1 - speed_exponent)`; 0 is allowed.
    /// `phase` is the generation that is left, modulo the time period. `middles` has a leaf for
    /// each four.
    fn advance(&self, fours: &[u64], phase: u64, generations: u32, middles: &mut [u64]);

    /// Paints 8 x 8 cells of states 0 and 1, bit `8 * y + x`, with their corner at
    /// (`x`, `y`), both multiples of 8; the leaf is empty there, and wide enough.
    fn paint8(&self, leaf: &mut [u64], x: usize, y: usize, bits: u64) {
        for bit in 0..64 {
            if bits >> bit & 1 == 1 {
                self.set(leaf, x + bit % 8, y + bit / 8, 1);
            }
        }
    }

    /// The 8 x 8 cells with their corner at (`x`, `y`), multiples of 8: bit
    /// `8 * y + x` set for state 1. The leaf is wide enough.
    fn bits8(&self, leaf: &[u64], x: usize, y: usize) -> u64 {
        let cell = |bit: usize| u64::from(self.get(leaf, x + bit % 8, y + bit / 8) == 1) << bit;
        (0..64).map(cell).sum()
    }

    /// The 8 cells of a row from (`x`, `y`) on, or those up to its end: bit i is set where
    /// the i-th lives.
    fn live8(&self, leaf: &[u64], x: usize, y: usize) -> u8 {
        let columns = (x..1 << self.level()).take(8);
        let bits = columns.enumerate();
        bits.fold(0, |all, (i, x)| {
            all | u8::from(self.get(leaf, x, y) != 0) << i
        })
    }

    /// How many cells are live.
    fn population(&self, leaf: &[u64]) -> u64;

    /// How many columns at the left and at the right, and rows at the top and at the
    /// bottom, have no live cell. The leaf has one.
    fn margins(&self, leaf: &[u64]) -> [u32; 4];

    /// The hash of the live cells, as seen from the leaf's corner.
    fn hash(&self, leaf: &[u64]) -> CellHash;

    /// What moves the cells on, in words.
    fn describe(&self) -> String;
}
