use grid::{CellHash, State};

/// The smallest squares of a hashed quadtree: what a leaf holds, and how four of them
/// move on.
///
/// A leaf is `2^level` cells wide. Light crosses at most `2^slowness` cells in a
/// generation, so four leaves side by side know their middle leaf for
/// `2^(level - 1 - slowness)` generations ahead.
pub(super) trait Grain: Send + Sync {
    /// A leaf's cells.
    type Leaf: Clone + Eq + Send + Sync;

    /// The leaf's width is 2 to this power; at least 2, and at least 3 for rules of two
    /// states.
    fn level(&self) -> u32;

    /// 2 to this power is at least the rule's radius.
    fn slowness(&self) -> u32;

    /// After how many generations the rule's tables repeat: 1 or 2.
    fn time_period(&self) -> u64;

    /// A leaf with no live cell.
    fn empty(&self) -> Self::Leaf;

    /// Whether no cell is live.
    fn is_empty(&self, leaf: &Self::Leaf) -> bool;

    /// A well-mixed hash.
    fn mix(&self, leaf: &Self::Leaf) -> u64;

    /// Words that a leaf's cells take.
    fn words(&self) -> usize;

    /// One of them; all are 0 only where no cell is live.
    fn word(&self, leaf: &Self::Leaf, k: usize) -> u64;

    /// The leaf with these words.
    fn leaf_of(&self, word: impl Fn(usize) -> u64) -> Self::Leaf;

    /// A cell, 0 <= x, y < width.
    fn get(&self, leaf: &Self::Leaf, x: usize, y: usize) -> State;

    /// Sets a cell.
    fn set(&self, leaf: &mut Self::Leaf, x: usize, y: usize, state: State);

    /// The middle of four leaves (north-west, north-east, south-west, south-east) after
    /// `generations`, at most `2^(level - 1 - slowness)`; 0 is allowed. `phase` is the
    /// generation that is left, modulo the time period.
    fn step(&self, four: [&Self::Leaf; 4], phase: u64, generations: u32) -> Self::Leaf;

    /// [`Grain::step`] for many fours at once, copied out of the table: one result is
    /// appended for each.
    fn steps(
        &self,
        fours: &[[Self::Leaf; 4]],
        phase: u64,
        generations: u32,
        out: &mut Vec<Self::Leaf>,
    ) {
        let step = |four: &[Self::Leaf; 4]| self.step(four.each_ref(), phase, generations);
        out.extend(fours.iter().map(step));
    }

    /// Paints 8 x 8 cells of states 0 and 1, bit `8 * y + x`, with their corner at
    /// (`x`, `y`), both multiples of 8; the leaf is empty there, and wide enough.
    fn paint8(&self, leaf: &mut Self::Leaf, x: usize, y: usize, bits: u64) {
        for bit in 0..64 {
            if bits >> bit & 1 == 1 {
                self.set(leaf, x + bit % 8, y + bit / 8, 1);
            }
        }
    }

    /// The 8 x 8 cells with their corner at (`x`, `y`), multiples of 8: bit
    /// `8 * y + x` set for state 1. The leaf is wide enough.
    fn bits8(&self, leaf: &Self::Leaf, x: usize, y: usize) -> u64 {
        let cell = |bit: usize| u64::from(self.get(leaf, x + bit % 8, y + bit / 8) == 1) << bit;
        (0..64).map(cell).sum()
    }

    /// The 8 cells of a row from (`x`, `y`) on, or those up to its end: bit i is set where
    /// the i-th lives.
    fn live8(&self, leaf: &Self::Leaf, x: usize, y: usize) -> u8 {
        let columns = (x..1 << self.level()).take(8);
        let bits = columns.enumerate();
        bits.fold(0, |all, (i, x)| {
            all | u8::from(self.get(leaf, x, y) != 0) << i
        })
    }

    /// How many cells are live.
    fn population(&self, leaf: &Self::Leaf) -> u64;

    /// How many columns at the left and at the right, and rows at the top and at the
    /// bottom, have no live cell. The leaf has one.
    fn margins(&self, leaf: &Self::Leaf) -> [u32; 4];

    /// The hash of the live cells, as seen from the leaf's corner.
    fn hash(&self, leaf: &Self::Leaf) -> CellHash;

    /// What moves the cells on, in words.
    fn describe(&self) -> String;
}
