use super::leaf_kind::LeafKind;
use grid::{CellHash, HashShift, State};
use kernel::{STACK, SquareKernel};

/// Leaves of 8 x 8 cells of several states in bit planes: bit `8 * y + x` of word p is bit p of
/// the state of cell (x, y). For rules that compile to a circuit.
pub(super) struct PlaneLeafKind<const P: usize> {
    kernel: SquareKernel,
    /// The hash of a cell in each state.
    cells: Vec<CellHash>,
}

impl<const P: usize> PlaneLeafKind<P> {
    /// For a kernel of P planes.
    pub(super) fn new(kernel: SquareKernel) -> Self {
        let cell = |state| CellHash::cell(0, 0, state);
        Self {
            kernel,
            cells: (0..=State::MAX).map(cell).collect(),
        }
    }

    /// Advances a stack of groups of four leaves together.
    fn stack(
        &self,
        fours: &[[[u64; P]; 4]],
        phase: u64,
        generations: u32,
        leaf_results: &mut [[u64; P]],
    ) {
        let mut stack = [[0; 16 * STACK]; P];
        for (p, plane) in stack.iter_mut().enumerate() {
            for (rows, [nw, ne, sw, se]) in plane.chunks_exact_mut(16).zip(fours) {
                let pairs = |west: u64, east: u64| {
                    let rows = west.to_le_bytes().into_iter().zip(east.to_le_bytes());
                    rows.map(|(west, east)| u16::from_le_bytes([west, east]))
                };
                let all = pairs(nw[p], ne[p]).chain(pairs(sw[p], se[p]));
                for (row, cells) in rows.iter_mut().zip(all) {
                    *row = cells;
                }
            }
        }
        self.kernel
            .advance(phase as usize, generations, fours.len(), &mut stack);
        for (s, middle) in leaf_results.iter_mut().enumerate() {
            for (word, plane) in middle.iter_mut().zip(&stack) {
                let rows = &plane[16 * s + 4..16 * s + 12];
                *word = u64::from_le_bytes(std::array::from_fn(|y| (rows[y] >> 4) as u8));
            }
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
        let (fours, leaf_results) = (
            fours.as_chunks::<P>().0,
            leaf_results.as_chunks_mut::<P>().0,
        );
        let fours = fours.as_chunks::<4>().0.chunks(STACK);
        for (fours, leaf_results) in fours.zip(leaf_results.chunks_mut(STACK)) {
            self.stack(fours, phase, generations, leaf_results);
        }
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
