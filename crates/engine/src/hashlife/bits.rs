use super::grain::Grain;
use super::store::fold;
use crate::kernel::{BitKernel, Leaf};
use grid::{CellHash, Shift, State};

/// Leaves of 16 x 16 cells of two states, two rows a word: cell (x, y) is bit
/// `16 * (y % 2) + x` of word `y / 2`.
pub(super) struct Bits {
    kernel: BitKernel,
    /// The hash of every half of a row: 8 cells in the west, or in the east.
    halves: [Vec<CellHash>; 2],
    /// A row down.
    down: Shift,
}

impl Bits {
    pub(super) fn new(kernel: BitKernel) -> Self {
        let half = |left: i64| {
            let cell = |x: i64, bits: i64| CellHash::cell(left + x, 0, (bits >> x & 1) as State);
            let cells = |bits: i64| (0..8).map(move |x| cell(x, bits));
            let hash = |bits: i64| cells(bits).fold(CellHash::EMPTY, |hash, cell| hash + cell);
            (0..256).map(hash).collect()
        };
        Self {
            kernel,
            halves: [half(0), half(8)],
            down: Shift::modular(0, 1),
        }
    }
}

/// Row `y` of a leaf.
#[inline]
fn row(leaf: &Leaf, y: usize) -> u32 {
    leaf[y / 2] >> (16 * (y % 2)) & 0xffff
}

impl Grain for Bits {
    type Leaf = Leaf;

    fn level(&self) -> u32 {
        4
    }

    fn slowness(&self) -> u32 {
        0
    }

    fn time_period(&self) -> u64 {
        self.kernel.time_period() as u64
    }

    fn empty(&self) -> Leaf {
        [0; 8]
    }

    #[inline]
    fn is_empty(&self, leaf: &Leaf) -> bool {
        *leaf == [0; 8]
    }

    #[inline]
    fn mix(&self, leaf: &Leaf) -> u64 {
        let four = |i: usize| u64::from(leaf[i]) | u64::from(leaf[i + 1]) << 32;
        fold(four(0) ^ four(4).rotate_left(23), four(2)) ^ fold(four(4), four(6))
    }

    fn words(&self) -> usize {
        4
    }

    #[inline(always)]
    fn word(&self, leaf: &Leaf, k: usize) -> u64 {
        u64::from(leaf[2 * k]) | u64::from(leaf[2 * k + 1]) << 32
    }

    #[inline(always)]
    fn leaf_of(&self, word: impl Fn(usize) -> u64) -> Leaf {
        std::array::from_fn(|i| (word(i / 2) >> (32 * (i % 2))) as u32)
    }

    fn get(&self, leaf: &Leaf, x: usize, y: usize) -> State {
        (row(leaf, y) >> x & 1) as State
    }

    fn set(&self, leaf: &mut Leaf, x: usize, y: usize, state: State) {
        let bit = 16 * (y % 2) + x;
        leaf[y / 2] = leaf[y / 2] & !(1 << bit) | u32::from(state) << bit;
    }

    fn step(&self, four: [&Leaf; 4], phase: u64, generations: u32) -> Leaf {
        let mut middle = [[0; 8]];
        let fours = [four.map(|leaf| *leaf)];
        self.kernel
            .middles(phase as usize, generations, &fours, &mut middle);
        middle[0]
    }

    fn steps(&self, fours: &[[Leaf; 4]], phase: u64, generations: u32, out: &mut Vec<Leaf>) {
        let known = out.len();
        out.resize(known + fours.len(), [0; 8]);
        self.kernel
            .middles(phase as usize, generations, fours, &mut out[known..]);
    }

    fn paint8(&self, leaf: &mut Leaf, x: usize, y: usize, bits: u64) {
        for dy in 0..8 {
            let eight = (bits >> (8 * dy) & 0xff) as u32;
            leaf[(y + dy) / 2] |= eight << (16 * (dy % 2) + x);
        }
    }

    fn bits8(&self, leaf: &Leaf, x: usize, y: usize) -> u64 {
        let eight = |dy: usize| u64::from(row(leaf, y + dy) >> x & 0xff) << (8 * dy);
        (0..8).map(eight).sum()
    }

    fn live8(&self, leaf: &Leaf, x: usize, y: usize) -> u8 {
        (row(leaf, y) >> x) as u8
    }

    fn population(&self, leaf: &Leaf) -> u64 {
        leaf.iter().map(|rows| u64::from(rows.count_ones())).sum()
    }

    fn margins(&self, leaf: &Leaf) -> [u32; 4] {
        let columns = (0..16).fold(0, |columns, y| columns | row(leaf, y));
        let is_live = |y: &u32| row(leaf, *y as usize) != 0;
        let top = (0..16).find(is_live).unwrap_or(16);
        let bottom = (0..16).rev().find(is_live).map_or(16, |y| 15 - y);
        let left = columns.trailing_zeros().min(16);
        [left, columns.leading_zeros() - 16, top, bottom]
    }

    fn hash(&self, leaf: &Leaf) -> CellHash {
        let [west, east] = &self.halves;
        let rows = (0..16).rev().map(|y| row(leaf, y) as usize);
        rows.fold(CellHash::EMPTY, |below, row| {
            below.moved(self.down) + west[row & 0xff] + east[row >> 8]
        })
    }

    fn describe(&self) -> String {
        format!("{} in leaves of 16 x 16 cells", self.kernel.describe())
    }
}
