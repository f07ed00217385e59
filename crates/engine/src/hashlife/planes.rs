use super::leaf_kind::LeafKind;
use grid::{CellHash, HashShift, State};
use kernel::PlaneLeafKernel;

/// Leaves of 8 x 8 cells of several states in bit planes: bit `8 * y + x` of word p is bit p of
/// the state of cell (x, y). For rules that compile to a circuit.
pub(super) struct PlaneLeafKind<const P: usize> {
    kernel: PlaneLeafKernel,
    /// The hash of a cell in each state.
    cells: Vec<CellHash>,
}

impl<const P: usize> PlaneLeafKind<P> {
    /// For a kernel of P planes.
    pub(super) fn new(kernel: PlaneLeafKernel) -> Self {
        let cell = |state| CellHash::cell(0, 0, state);
        Self {
            kernel,
            cells: (0..=State::MAX).map(cell).collect(),
        }
    }

    fn live(leaf: &[u64]) -> u64 {
        leaf.iter().fold(0, |live, plane| live | plane)
    }
}

impl<const P: usize> LeafKind for PlaneLeafKind<P> {
    fn level(&self) -> u32 {
        3
    }

    fn speed_exponent(&self) -> u32 {
        0
    }

    fn time_period(&self) -> u64 {
        self.kernel.time_period() as u64
    }

    fn words(&self) -> usize {
        P
    }

    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State {
        let bits = leaf.iter().enumerate();
        bits.map(|(p, plane)| ((plane >> (8 * y + x) & 1) as State) << p)
            .sum()
    }

    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State) {
        let bit = 8 * y + x;
        for (p, plane) in leaf.iter_mut().enumerate() {
            *plane = *plane & !(1 << bit) | u64::from(state >> p & 1) << bit;
        }
    }

    fn advance(&self, fours: &[u64], phase: u64, generations: u32, leaf_results: &mut [u64]) {
        let fours = fours.as_chunks::<P>().0.as_chunks().0;
        let leaf_results = leaf_results.as_chunks_mut().0;
        self.kernel
            .leaf_results::<P>(phase as usize, generations, fours, leaf_results);
    }

    fn paint8(&self, leaf: &mut [u64], _x: usize, _y: usize, bits: u64) {
        leaf[0] |= bits;
    }

    fn bits8(&self, leaf: &[u64], _x: usize, _y: usize) -> u64 {
        leaf[1..].iter().fold(leaf[0], |ones, plane| ones & !plane)
    }

    fn live8(&self, leaf: &[u64], x: usize, y: usize) -> u8 {
        (Self::live(leaf) >> (8 * y)) as u8 >> x
    }

    fn population(&self, leaf: &[u64]) -> u64 {
        Self::live(leaf).count_ones().into()
    }

    fn margins(&self, leaf: &[u64]) -> [u32; 4] {
        let live = Self::live(leaf);
        let rows = live.to_le_bytes().into_iter();
        let columns = rows.fold(0, |columns, row| columns | row);
        let ends = [columns.trailing_zeros(), columns.leading_zeros()];
        [
            ends[0],
            ends[1],
            live.trailing_zeros() / 8,
            live.leading_zeros() / 8,
        ]
    }

    fn hash(&self, leaf: &[u64]) -> CellHash {
        let (right, down) = (HashShift::modular(1, 0), HashShift::modular(0, 1));
        let mut hash = CellHash::EMPTY;
        for y in (0..8).rev() {
            let mut line = CellHash::EMPTY;
            for x in (0..8).rev() {
                let state = self.get(leaf, x, y);
                line = line.moved(right) + self.cells[usize::from(state)];
            }
            hash = hash.moved(down) + line;
        }
        hash
    }

    fn describe(&self) -> String {
        format!("{} in leaves of 8 x 8 cells", self.kernel.describe())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use kernel::InterpreterOnly;
    use kernel::simd::with_each_width;
    use rule::Rule;

    fn check<const P: usize>(rule: &Rule) {
        let mut dice = Dice::new(3);
        let states = u32::from(rule.states());
        let mut leaf = || -> [u64; P] {
            let mut leaf = [0; P];
            for bit in 0..64 {
                let state = u64::from(dice.below(states));
                for (p, plane) in leaf.iter_mut().enumerate() {
                    *plane |= (state >> p & 1) << bit;
                }
            }
            leaf
        };
        let fours: Vec<[[u64; P]; 4]> = (0..70).map(|_| std::array::from_fn(|_| leaf())).collect();
        let interpreted = PlaneLeafKernel::compile(rule, 1000, &InterpreterOnly).unwrap();
        for generations in [1, 3, 4] {
            let mut expected = vec![[0; P]; fours.len()];
            interpreted.leaf_results(0, generations, &fours, &mut expected);
            with_each_width(|| {
                let compiled = PlaneLeafKernel::compile(rule, 1000, jit::backend()).unwrap();
                for squares in 0..=fours.len() {
                    let mut got = vec![[7; P]; squares];
                    compiled.leaf_results(0, generations, &fours[..squares], &mut got);
                    assert_eq!(got, expected[..squares], "{rule}: {squares} squares");
                }
            });
        }
    }

    /// For every number of squares, and where the parity of cells matters.
    #[test]
    fn machine_code_of_planes_agrees_with_the_interpreter() {
        check::<2>(&"wireworld".parse().unwrap());
        check::<2>(&"1/2/4LE".parse().unwrap());
        check::<4>(&"2/3/10LE".parse().unwrap());
        check::<5>(&"12/34/24".parse().unwrap());
    }
}
