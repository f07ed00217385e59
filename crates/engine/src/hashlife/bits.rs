use super::grain::Grain;
use super::store::fold;
use crate::kernel::BitKernel;
use grid::{CellHash, State};

/// Leaves of 16 x 16 cells of two states, four rows a word: cell (x, y) is bit
/// `16 * (y % 4) + x` of word `y / 4`.
pub(super) struct Bits {
    kernel: BitKernel,
    /// The hash of every row of 8 cells.
    rows: Vec<CellHash>,
}

impl Bits {
    pub(super) fn new(kernel: BitKernel) -> Self {
        let row = |bits: u32| {
            let cells = (0..8).map(|x| CellHash::cell(x, 0, (bits >> x & 1) as State));
            cells.fold(CellHash::EMPTY, |hash, cell| hash + cell)
        };
        let rows = (0..256).map(row).collect();
        Self { kernel, rows }
    }
}

/// Row `y` of a leaf.
#[inline]
fn row(leaf: &[u64; 4], y: usize) -> u32 {
    (leaf[y / 4] >> (16 * (y % 4))) as u32 & 0xffff
}

impl Grain for Bits {
    type Leaf = [u64; 4];

    fn level(&self) -> u32 {
        4
    }

    fn slowness(&self) -> u32 {
        0
    }

    fn time_period(&self) -> u64 {
        self.kernel.time_period() as u64
    }

    fn empty(&self) -> [u64; 4] {
        [0; 4]
    }

    fn is_empty(&self, leaf: &[u64; 4]) -> bool {
        *leaf == [0; 4]
    }

    fn mix(&self, leaf: &[u64; 4]) -> u64 {
        fold(leaf[0] ^ leaf[2].rotate_left(23), leaf[1]) ^ fold(leaf[2], leaf[3])
    }

    fn words(&self) -> usize {
        4
    }

    #[inline(always)]
    fn word(&self, leaf: &[u64; 4], k: usize) -> u64 {
        leaf[k]
    }

    #[inline(always)]
    fn from_words(&self, word: impl Fn(usize) -> u64) -> [u64; 4] {
        std::array::from_fn(word)
    }

    fn get(&self, leaf: &[u64; 4], x: usize, y: usize) -> State {
        (row(leaf, y) >> x & 1) as State
    }

    fn set(&self, leaf: &mut [u64; 4], x: usize, y: usize, state: State) {
        let bit = 16 * (y % 4) + x;
        leaf[y / 4] = leaf[y / 4] & !(1 << bit) | u64::from(state) << bit;
    }

    fn step(&self, four: [&[u64; 4]; 4], phase: u64, generations: u32) -> [u64; 4] {
        // Rows 1 to 32 are the square's; rows 0 and 33 stay dead. What is wrong near the
        // border creeps in by one cell a generation and never reaches the middle.
        let mut rows = [0u32; 34];
        for y in 0..16 {
            rows[1 + y] = row(four[0], y) | row(four[1], y) << 16;
            rows[17 + y] = row(four[2], y) | row(four[3], y) << 16;
        }
        let mut next = [0u32; 32];
        let period = self.kernel.time_period();
        for generation in 0..generations as usize {
            let west = rows.map(|r| r << 1);
            let east = rows.map(|r| r >> 1);
            let table = (phase as usize + generation) % period;
            self.kernel.column(table, &west, &rows, &east, &mut next);
            rows[1..33].copy_from_slice(&next);
        }
        std::array::from_fn(|word| {
            let y = 9 + 4 * word;
            let middle = |y: usize| u64::from(rows[y] >> 8 & 0xffff);
            middle(y) | middle(y + 1) << 16 | middle(y + 2) << 32 | middle(y + 3) << 48
        })
    }

    fn paint8(&self, leaf: &mut [u64; 4], x: usize, y: usize, bits: u64) {
        for dy in 0..8 {
            let eight = bits >> (8 * dy) & 0xff;
            leaf[(y + dy) / 4] |= eight << (16 * ((y + dy) % 4) + x);
        }
    }

    fn bits8(&self, leaf: &[u64; 4], x: usize, y: usize) -> u64 {
        let eight = |dy: usize| u64::from(row(leaf, y + dy) >> x & 0xff) << (8 * dy);
        (0..8).map(eight).sum()
    }

    fn live8(&self, leaf: &[u64; 4], x: usize, y: usize) -> u8 {
        (row(leaf, y) >> x) as u8
    }

    fn population(&self, leaf: &[u64; 4]) -> u64 {
        leaf.iter().map(|rows| u64::from(rows.count_ones())).sum()
    }

    fn margins(&self, leaf: &[u64; 4]) -> [u32; 4] {
        let columns = (0..16).fold(0, |columns, y| columns | row(leaf, y));
        let is_live = |y: &u32| row(leaf, *y as usize) != 0;
        let top = (0..16).find(is_live).unwrap_or(16);
        let bottom = (0..16).rev().find(is_live).map_or(16, |y| 15 - y);
        let left = columns.trailing_zeros().min(16);
        [left, columns.leading_zeros() - 16, top, bottom]
    }

    fn hash(&self, leaf: &[u64; 4]) -> CellHash {
        let rows = (0..16).rev().map(|y| row(leaf, y) as usize);
        rows.fold(CellHash::EMPTY, |below, row| {
            let [west, east] = [self.rows[row & 0xff], self.rows[row >> 8]];
            below.shifted_modular(0, 1) + west + east.shifted_modular(8, 0)
        })
    }

    fn describe(&self) -> String {
        format!("{} in leaves of 16 x 16 cells", self.kernel.describe())
    }
}
