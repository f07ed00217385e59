use super::SOUTH_HALF_Y;
use super::leaf_kind::LeafKind;
use bytemuck::{cast_slice, cast_slice_mut};
use grid::{CellHash, HashShift, Point, State};
use kernel::CellKernel;

/// Leaves of byte cells, row by row: for rules that fit no smaller kind.
pub(super) struct ByteLeafKind {
    kernel: CellKernel,
    time_period: u64,
    level: u32,
    speed_exponent: u32,
    /// The hash of a cell in each state.
    cells: Vec<CellHash>,
}

impl ByteLeafKind {
    pub(super) fn new(kernel: CellKernel, time_period: usize) -> Self {
        let speed_exponent = kernel.radius().max(1).next_power_of_two().ilog2();
        Self {
            kernel,
            time_period: time_period as u64,
            level: (speed_exponent + 1).max(3),
            speed_exponent,
            cells: (0..=State::MAX)
                .map(|state| CellHash::cell(0, 0, state))
                .collect(),
        }
    }

    fn side(&self) -> usize {
        1 << self.level
    }

    /// The centre of four leaves after some generations.
    fn middle(&self, four: &[State], phase: u64, generations: u32, middle: &mut [State]) {
        let side = self.side();
        let leaf = |i: usize| &four[i * side * side..(i + 1) * side * side];
        let mut now = Vec::with_capacity(4 * side * side);
        for pair in [[leaf(0), leaf(1)], [leaf(2), leaf(3)]] {
            for y in 0..side {
                for leaf in pair {
                    now.extend_from_slice(&leaf[y * side..(y + 1) * side]);
                }
            }
        }
        // Each generation loses one radius on each side. The square's corner has an even column
        // and an odd row, so a position relative to it is enough for rules that depend on the
        // parity of cells.
        let radius = self.kernel.radius() as usize;
        let mut width = 2 * side;
        let mut corner = 0;
        for generation in 0..u64::from(generations) {
            width -= 2 * radius;
            corner += radius as i64;
            let mut next = vec![0; width * width];
            let origin = Point::new(corner, corner + SOUTH_HALF_Y);
            let time = (phase + generation) % self.time_period;
            self.kernel
                .step(time, origin, width, width, &now, &mut next);
            now = next;
        }
        let margin = (width - side) / 2;
        for (y, row) in middle.chunks_exact_mut(side).enumerate() {
            let start = (y + margin) * width + margin;
            row.copy_from_slice(&now[start..start + side]);
        }
    }
}

/// The states of a leaf's cells.
fn states(leaf: &[u64]) -> &[State] {
    cast_slice(leaf)
}

impl LeafKind for ByteLeafKind {
    fn level(&self) -> u32 {
        self.level
    }

    fn speed_exponent(&self) -> u32 {
        self.speed_exponent
    }

    fn time_period(&self) -> u64 {
        self.time_period
    }

    fn words(&self) -> usize {
        // At least 8 x 8 bytes.
        self.side() * self.side() / 8
    }

    fn get(&self, leaf: &[u64], x: usize, y: usize) -> State {
        states(leaf)[y * self.side() + x]
    }

    fn set(&self, leaf: &mut [u64], x: usize, y: usize, state: State) {
        cast_slice_mut(leaf)[y * self.side() + x] = state;
    }

    fn advance(&self, fours: &[u64], phase: u64, generations: u32, leaf_results: &mut [u64]) {
        let leaf = self.words();
        let fours = fours.chunks_exact(4 * leaf);
        for (four, middle) in fours.zip(leaf_results.chunks_exact_mut(leaf)) {
            self.middle(states(four), phase, generations, cast_slice_mut(middle));
        }
    }

    fn population(&self, leaf: &[u64]) -> u64 {
        // Counted in bytes first, in chunks that cannot overflow.
        let counts = states(leaf).chunks(128).map(|chunk| {
            let live = chunk.iter().map(|&state| u8::from(state != 0));
            live.sum::<u8>()
        });
        counts.map(u64::from).sum()
    }

    fn margins(&self, leaf: &[u64]) -> [u32; 4] {
        let side = self.side();
        let live = |states: &[State]| states.iter().position(|&state| state != 0);
        let rows = || states(leaf).chunks_exact(side);
        let last = |row: &[State]| row.iter().rev().position(|&state| state != 0);
        let ends = [
            rows().filter_map(live).min(),
            rows().filter_map(last).min(),
            rows().position(|row| live(row).is_some()),
            rows().rev().position(|row| live(row).is_some()),
        ];
        ends.map(|end| end.unwrap_or(side) as u32)
    }

    fn hash(&self, leaf: &[u64]) -> CellHash {
        let (right, down) = (HashShift::modular(1, 0), HashShift::modular(0, 1));
        let mut hash = CellHash::EMPTY;
        for row in states(leaf).chunks_exact(self.side()).rev() {
            hash = hash.moved(down);
            if row.iter().all(|&state| state == 0) {
                continue;
            }
            let mut line = CellHash::EMPTY;
            for &state in row.iter().rev() {
                line = line.moved(right) + self.cells[usize::from(state)];
            }
            hash += line;
        }
        hash
    }

    fn describe(&self) -> String {
        let (kernel, side) = (self.kernel.describe(), self.side());
        format!("{kernel}, in leaves of {side} x {side} cells")
    }
}
