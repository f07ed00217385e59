use super::TOP;
use super::grain::Grain;
use super::store::fold;
use crate::kernel::CellKernel;
use grid::{CellHash, Point, Shift, State};

/// Leaves of byte cells, row by row: for every rule that does not fit smaller ones.
pub(super) struct Bytes {
    kernel: CellKernel,
    time_period: u64,
    level: u32,
    slowness: u32,
    /// The hash of a cell of every state.
    cells: Vec<CellHash>,
}

impl Bytes {
    pub(super) fn new(kernel: CellKernel, time_period: usize) -> Self {
        let slowness = kernel.radius().max(1).next_power_of_two().ilog2();
        Self {
            kernel,
            time_period: time_period as u64,
            level: (slowness + 1).max(3),
            slowness,
            cells: (0..=State::MAX)
                .map(|state| CellHash::cell(0, 0, state))
                .collect(),
        }
    }

    fn side(&self) -> usize {
        1 << self.level
    }
}

impl Grain for Bytes {
    type Leaf = Box<[State]>;

    fn level(&self) -> u32 {
        self.level
    }

    fn slowness(&self) -> u32 {
        self.slowness
    }

    fn time_period(&self) -> u64 {
        self.time_period
    }

    fn empty(&self) -> Box<[State]> {
        vec![0; self.side() * self.side()].into()
    }

    fn is_empty(&self, leaf: &Box<[State]>) -> bool {
        leaf.iter().all(|&state| state == 0)
    }

    fn mix(&self, leaf: &Box<[State]>) -> u64 {
        // A leaf is a whole number of words: at least 8 x 8 bytes.
        let words = leaf.chunks_exact(8).map(|chunk| {
            let eight = chunk.try_into().expect("chunks of 8 have 8 bytes");
            u64::from_le_bytes(eight)
        });
        words.fold(0, |hash, word| fold(hash ^ word, !word))
    }

    fn words(&self) -> usize {
        // At least 8 x 8 bytes.
        self.side() * self.side() / 8
    }

    fn word(&self, leaf: &Box<[State]>, k: usize) -> u64 {
        let eight = leaf[8 * k..8 * k + 8].try_into();
        u64::from_le_bytes(eight.expect("eight bytes are eight bytes"))
    }

    fn leaf_of(&self, word: impl Fn(usize) -> u64) -> Box<[State]> {
        let words = 0..self.words();
        words.flat_map(|k| word(k).to_le_bytes()).collect()
    }

    fn get(&self, leaf: &Box<[State]>, x: usize, y: usize) -> State {
        leaf[y * self.side() + x]
    }

    fn set(&self, leaf: &mut Box<[State]>, x: usize, y: usize, state: State) {
        leaf[y * self.side() + x] = state;
    }

    fn step(&self, four: [&Box<[State]>; 4], phase: u64, generations: u32) -> Box<[State]> {
        let side = self.side();
        let mut now = Vec::with_capacity(4 * side * side);
        for pair in [[four[0], four[1]], [four[2], four[3]]] {
            for y in 0..side {
                for leaf in pair {
                    now.extend_from_slice(&leaf[y * side..(y + 1) * side]);
                }
            }
        }
        // Each generation knows one radius less on each side. The square's corner stands in
        // an even column and an odd row, so the distance from such a place is all that a
        // checkered rule asks.
        let radius = self.kernel.radius() as usize;
        let mut width = 2 * side;
        let mut corner = 0;
        for generation in 0..u64::from(generations) {
            width -= 2 * radius;
            corner += radius as i64;
            let mut next = vec![0; width * width];
            let origin = Point::new(corner, corner + TOP);
            let time = (phase + generation) % self.time_period;
            self.kernel
                .step(time, origin, width, width, &now, &mut next);
            now = next;
        }
        let margin = (width - side) / 2;
        let rows = (margin..margin + side).map(|y| y * width + margin);
        rows.flat_map(|start| now[start..start + side].iter().copied())
            .collect()
    }

    fn population(&self, leaf: &Box<[State]>) -> u64 {
        // Counted in bytes first, as many as cannot overflow.
        let counts = leaf.chunks(128).map(|chunk| {
            let live = chunk.iter().map(|&state| u8::from(state != 0));
            live.sum::<u8>()
        });
        counts.map(u64::from).sum()
    }

    fn margins(&self, leaf: &Box<[State]>) -> [u32; 4] {
        let side = self.side();
        let live = |states: &[State]| states.iter().position(|&state| state != 0);
        let rows = || leaf.chunks_exact(side);
        let last = |row: &[State]| row.iter().rev().position(|&state| state != 0);
        let ends = [
            rows().filter_map(live).min(),
            rows().filter_map(last).min(),
            rows().position(|row| live(row).is_some()),
            rows().rev().position(|row| live(row).is_some()),
        ];
        ends.map(|end| end.unwrap_or(side) as u32)
    }

    fn hash(&self, leaf: &Box<[State]>) -> CellHash {
        let (right, down) = (Shift::modular(1, 0), Shift::modular(0, 1));
        let mut hash = CellHash::EMPTY;
        for row in leaf.chunks_exact(self.side()).rev() {
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
