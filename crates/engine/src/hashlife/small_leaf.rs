use super::SOUTH_HALF_Y;
use super::leaf_kind::LeafKind;
use bytemuck::{cast_slice, cast_slice_mut};
use grid::{CellHash, HashShift, Point, State};
use kernel::{CellKernel, DirectTableKernel, StateBlock, TreeLeafKernel};

/// Leaves of 4 x 4 byte cells, row by row: for rules of several states and radius 1.
///
/// Patterns in such rules repeat in small pieces, above all signals along wires, so small
/// leaves recur where large ones are new. That holds even where a cell's next state is a single
/// table look-up: with leaves of 8 x 8, a loop of 10,000 generations spent a quarter less time
/// in the tree and ten times as long in its leaves.
pub(super) struct SmallLeafKind {
    kernel: SmallLeafKernel,
    time_period: u64,
    /// The hash of a cell in each state.
    cells: Vec<CellHash>,
}

/// Cells along a leaf's side.
const SIDE: usize = 4;

/// Cells of the square that four leaves form.
const AREA: usize = 4 * SIDE * SIDE;

enum SmallLeafKernel {
    Cell(CellKernel),
    Direct(DirectTableKernel),
    Tree(TreeLeafKernel),
}

impl SmallLeafKind {
    /// For a kernel of radius 1.
    pub(super) fn new(kernel: CellKernel, time_period: usize) -> Self {
        Self::with(SmallLeafKernel::Cell(kernel), time_period as u64)
    }

    /// For a rule that is a direct table.
    pub(super) fn direct(kernel: DirectTableKernel) -> Self {
        Self::with(SmallLeafKernel::Direct(kernel), 1)
    }

    /// For a rule that is a lookup tree.
    pub(super) fn tree(kernel: TreeLeafKernel) -> Self {
        Self::with(SmallLeafKernel::Tree(kernel), 1)
    }

    fn with(kernel: SmallLeafKernel, time_period: u64) -> Self {
        Self {
            kernel,
            time_period,
            cells: (0..=State::MAX)
                .map(|state| CellHash::cell(0, 0, state))
                .collect(),
        }
    }

    /// The centre of four leaves, one generation after the other.
    fn middle(
        &self,
        kernel: &CellKernel,
        four: &[StateBlock; 4],
        phase: u64,
        generations: u32,
    ) -> StateBlock {
        let (mut now, mut next) = ([0; AREA], [0; AREA]);
        for (i, row) in now.chunks_exact_mut(SIDE).enumerate() {
            let (y, east) = (i / 2, i % 2);
            row.copy_from_slice(&four[2 * (y / SIDE) + east][y % SIDE]);
        }
        // The square's corner has an even column and an odd row, and each generation loses one
        // cell on each side.
        let mut wide = 2 * SIDE;
        for generation in 0..u64::from(generations) {
            let inner = wide - 2;
            let corner = generation as i64 + 1;
            kernel.step(
                (phase + generation) % self.time_period,
                Point::new(corner, corner + SOUTH_HALF_Y),
                inner,
                inner,
                &now[..wide * wide],
                &mut next[..inner * inner],
            );
            std::mem::swap(&mut now, &mut next);
            wide = inner;
        }
        let edge = (wide - SIDE) / 2;
        std::array::from_fn(|y| std::array::from_fn(|x| now[(y + edge) * wide + x + edge]))
    }
}

/// The states of a leaf's cells.
fn cells(leaf: &[u64]) -> &StateBlock {
    &cast_slice(leaf)[0]
}

impl LeafKind for SmallLeafKind {
    fn level(&self) -> u32 {
        2
    }

    fn speed_exponent(&self) -> u32 {
        0
    }

    fn time_period(&self) -> u64 {
        self.time_period
    }

    fn words(&self) -> usize {
        size_of::<StateBlock>() / 8
    }

    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State {
        cells(leaf)[y][x]
    }

    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State) {
        cast_slice_mut::<u64, StateBlock>(leaf)[0][y][x] = state;
    }

    fn advance(&self, fours: &[u64], phase: u64, generations: u32, leaf_results: &mut [u64]) {
        let fours: &[[StateBlock; 4]] = cast_slice(fours);
        let leaf_results: &mut [StateBlock] = cast_slice_mut(leaf_results);
        match &self.kernel {
            SmallLeafKernel::Cell(kernel) => {
                for (four, middle) in fours.iter().zip(leaf_results) {
                    *middle = self.middle(kernel, four, phase, generations);
                }
            }
            SmallLeafKernel::Direct(kernel) => {
                kernel.leaf_results(generations, fours, leaf_results)
            }
            SmallLeafKernel::Tree(kernel) => kernel.leaf_results(generations, fours, leaf_results),
        }
    }

    fn population(&self, leaf: &[u64]) -> u64 {
        let cells = cells(leaf).as_flattened().iter();
        cells.map(|&state| u64::from(state != 0)).sum()
    }

    fn margins(&self, leaf: &[u64]) -> [u32; 4] {
        let leaf = cells(leaf);
        let column = |&x: &usize| leaf.iter().any(|row| row[x] != 0);
        let row = |&y: &usize| leaf[y] != [0; SIDE];
        let first = |at: Option<usize>| at.unwrap_or(SIDE) as u32;
        let last = |at: Option<usize>| at.map_or(SIDE, |at| SIDE - 1 - at) as u32;
        [
            first((0..SIDE).find(column)),
            last((0..SIDE).rfind(column)),
            first((0..SIDE).find(row)),
            last((0..SIDE).rfind(row)),
        ]
    }

    fn hash(&self, leaf: &[u64]) -> CellHash {
        let (right, down) = (HashShift::modular(1, 0), HashShift::modular(0, 1));
        cells(leaf)
            .iter()
            .rev()
            .fold(CellHash::EMPTY, |below, row| {
                let cells = row.iter().rev();
                let line = cells.fold(CellHash::EMPTY, |line, &state| {
                    line.moved(right) + self.cells[usize::from(state)]
                });
                below.moved(down) + line
            })
    }

    fn describe(&self) -> String {
        let kernel = match &self.kernel {
            SmallLeafKernel::Cell(kernel) => kernel.describe(),
            SmallLeafKernel::Direct(kernel) => kernel.describe(),
            SmallLeafKernel::Tree(kernel) => kernel.describe(),
        };
        format!("{kernel}, in leaves of {SIDE} x {SIDE} cells")
    }
}
