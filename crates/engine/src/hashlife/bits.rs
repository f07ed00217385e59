use super::leaf_kind::LeafKind;
use bytemuck::{cast_slice, cast_slice_mut};
use grid::{CellHash, HashShift, State};
use kernel::{BitKernel, Leaf};

/// Leaves of 16 x 16 cells of two states, two rows in each half of a word: cell (x, y) is bit
/// `16 * (y % 2) + x` of half `y / 2`.
pub(super) struct BitLeafKind {
    kernel: BitKernel,
    /// The hash of each half of a row: the 8 western cells, and the 8 eastern ones.
    halves: [Vec<CellHash>; 2],
    /// The shift of a hash by a row down.
    down: HashShift,
}

impl BitLeafKind {
    pub(super) fn new(kernel: BitKernel) -> Self {
        let half = |left: u32| (0..256).map(|bits| CellHash::word(bits << left)).collect();
        Self {
            kernel,
            halves: [half(0), half(8)],
            down: HashShift::modular(0, 1),
        }
    }
}

/// A leaf's words as halves.
fn halves(leaf: &[u64]) -> &[u32] {
    cast_slice(leaf)
}

/// Row `y` of a leaf.
#[inline]
fn row(leaf: &[u32], y: usize) -> u32 {
    leaf[y / 2] >> (16 * (y % 2)) & 0xffff
}

impl LeafKind for BitLeafKind {
    fn level(&self) -> u32 {
        4
    }

    fn speed_exponent(&self) -> u32 {
        0
    }

    fn time_period(&self) -> u64 {
        self.kernel.time_period() as u64
    }

    fn words(&self) -> usize {
        size_of::<Leaf>() / 8
    }

    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State {
        (row(halves(leaf), y) >> x & 1) as State
    }

    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State) {
        let bit = 16 * (y % 2) + x;
        let half = &mut cast_slice_mut::<u64, u32>(leaf)[y / 2];
        *half = *half & !(1 << bit) | u32::from(state) << bit;
    }

    fn advance(&self, fours: &[u64], phase: u64, generations: u32, leaf_results: &mut [u64]) {
        let (fours, leaf_results) = (cast_slice(fours), cast_slice_mut(leaf_results));
        self.kernel
            .leaf_results(phase as usize, generations, fours, leaf_results);
    }

    fn paint8(&self, leaf: &mut [u64], x: usize, y: usize, bits: u64) {
        let leaf: &mut [u32] = cast_slice_mut(leaf);
        for dy in 0..8 {
            let eight = (bits >> (8 * dy) & 0xff) as u32;
            leaf[(y + dy) / 2] |= eight << (16 * (dy % 2) + x);
        }
    }

    fn bits8(&self, leaf: &[u64], x: usize, y: usize) -> u64 {
        let leaf = halves(leaf);
        let eight = |dy: usize| u64::from(row(leaf, y + dy) >> x & 0xff) << (8 * dy);
        (0..8).map(eight).sum()
    }

    fn live8(&self, leaf: &[u64], x: usize, y: usize) -> u8 {
        (row(halves(leaf), y) >> x) as u8
    }

    fn population(&self, leaf: &[u64]) -> u64 {
        leaf.iter().map(|rows| u64::from(rows.count_ones())).sum()
    }

    fn margins(&self, leaf: &[u64]) -> [u32; 4] {
        let leaf = halves(leaf);
        let columns = (0..16).fold(0, |columns, y| columns | row(leaf, y));
        let is_live = |y: &u32| row(leaf, *y as usize) != 0;
        let top = (0..16).find(is_live).unwrap_or(16);
        let bottom = (0..16).rev().find(is_live).map_or(16, |y| 15 - y);
        let left = columns.trailing_zeros().min(16);
        [left, columns.leading_zeros() - 16, top, bottom]
    }

    fn hash(&self, leaf: &[u64]) -> CellHash {
        let ([west, east], leaf) = (&self.halves, halves(leaf));
        let rows = (0..16).rev().map(|y| row(leaf, y) as usize);
        rows.fold(CellHash::EMPTY, |below, row| {
            below.moved(self.down) + west[row & 0xff] + east[row >> 8]
        })
    }

    fn describe(&self) -> String {
        format!("{} in leaves of 16 x 16 cells", self.kernel.describe())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use kernel::InterpreterOnly;
    use kernel::simd::with_each_width;
    use rule::Rule;

    /// For every number of squares, of which some are stepped together.
    #[test]
    fn machine_code_agrees_with_the_interpreter() {
        let mut dice = Dice::new(3);
        let mut leaf = || -> Leaf { std::array::from_fn(|_| dice.word() as u32) };
        let fours: Vec<[Leaf; 4]> = (0..70).map(|_| std::array::from_fn(|_| leaf())).collect();
        for text in ["B36/S23", "B2n3-y4c/S23-a4i", "B03/S23"] {
            let rule: Rule = text.parse().unwrap();
            let interpreted = BitKernel::compile(&rule, &InterpreterOnly).unwrap();
            for generations in [1, 7, 8] {
                let mut expected = vec![[0; 8]; fours.len()];
                interpreted.leaf_results(0, generations, &fours, &mut expected);
                with_each_width(|| {
                    let compiled = BitKernel::compile(&rule, jit::backend()).unwrap();
                    for squares in 0..=fours.len() {
                        let mut got = vec![[7; 8]; squares];
                        compiled.leaf_results(0, generations, &fours[..squares], &mut got);
                        assert_eq!(got, expected[..squares], "{text}: {squares} squares");
                    }
                });
            }
        }
    }
}
