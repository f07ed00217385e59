use super::TOP;
use super::grain::Grain;
use super::store::fold;
use crate::kernel::CellKernel;
use grid::{CellHash, Point, State};

/// Leaves of 4 x 4 byte cells, row by row: for rules of several states and radius 1.
///
/// What such rules are used for repeats in small pieces, signals along wires above all, so
/// that small leaves are met again where large ones are new: a loop that copies itself runs
/// many times as fast as with leaves of 8 x 8.
pub(super) struct Patches {
    kernel: CellKernel,
    time_period: u64,
    /// The hash of a cell of every state.
    cells: Vec<CellHash>,
}

/// Cells along a leaf's side.
const SIDE: usize = 4;

impl Patches {
    /// For a kernel of radius 1.
    pub(super) fn new(kernel: CellKernel, time_period: usize) -> Self {
        Self {
            kernel,
            time_period: time_period as u64,
            cells: (0..=State::MAX)
                .map(|state| CellHash::cell(0, 0, state))
                .collect(),
        }
    }

    /// The inner cells of a square a generation on; its corner lies `corner` cells right
    /// of an even column and as many below an odd row.
    fn inner<const WIDE: usize, const AREA: usize>(
        &self,
        time: u64,
        corner: i64,
        now: &[State],
    ) -> [State; AREA] {
        let mut next = [0; AREA];
        let origin = Point::new(corner + 1, corner + 1 + TOP);
        self.kernel
            .step(time % self.time_period, origin, WIDE, WIDE, now, &mut next);
        next
    }
}

impl Grain for Patches {
    type Leaf = [State; SIDE * SIDE];

    fn level(&self) -> u32 {
        2
    }

    fn slowness(&self) -> u32 {
        0
    }

    fn time_period(&self) -> u64 {
        self.time_period
    }

    fn empty(&self) -> Self::Leaf {
        [0; SIDE * SIDE]
    }

    fn is_empty(&self, leaf: &Self::Leaf) -> bool {
        u128::from_le_bytes(*leaf) == 0
    }

    fn mix(&self, leaf: &Self::Leaf) -> u64 {
        let cells = u128::from_le_bytes(*leaf);
        fold(cells as u64, (cells >> 64) as u64)
    }

    fn words(&self) -> usize {
        2
    }

    #[inline(always)]
    fn word(&self, leaf: &Self::Leaf, k: usize) -> u64 {
        (u128::from_le_bytes(*leaf) >> (64 * k)) as u64
    }

    #[inline(always)]
    fn from_words(&self, word: impl Fn(usize) -> u64) -> Self::Leaf {
        (u128::from(word(0)) | u128::from(word(1)) << 64).to_le_bytes()
    }

    fn get(&self, leaf: &Self::Leaf, x: usize, y: usize) -> State {
        leaf[y * SIDE + x]
    }

    fn set(&self, leaf: &mut Self::Leaf, x: usize, y: usize, state: State) {
        leaf[y * SIDE + x] = state;
    }

    fn step(&self, four: [&Self::Leaf; 4], phase: u64, generations: u32) -> Self::Leaf {
        let mut now = [0; 4 * SIDE * SIDE];
        for (i, row) in now.chunks_exact_mut(SIDE).enumerate() {
            let (y, east) = (i / 2, i % 2);
            let leaf = four[2 * (y / SIDE) + east];
            row.copy_from_slice(&leaf[y % SIDE * SIDE..][..SIDE]);
        }
        let middle = |cells: &[State], side: usize| {
            let edge = (side - SIDE) / 2;
            std::array::from_fn(|i| cells[(i / SIDE + edge) * side + i % SIDE + edge])
        };
        if generations == 0 {
            return middle(&now, 8);
        }
        let once: [State; 36] = self.inner::<6, 36>(phase, 0, &now);
        if generations == 1 {
            return middle(&once, 6);
        }
        self.inner::<4, 16>(phase + 1, 1, &once)
    }

    fn population(&self, leaf: &Self::Leaf) -> u64 {
        leaf.iter().map(|&state| u64::from(state != 0)).sum()
    }

    fn margins(&self, leaf: &Self::Leaf) -> [u32; 4] {
        let live = |x: usize, y: usize| leaf[y * SIDE + x] != 0;
        let column = |&x: &usize| (0..SIDE).any(|y| live(x, y));
        let row = |&y: &usize| (0..SIDE).any(|x| live(x, y));
        let first = |at: Option<usize>| at.unwrap_or(SIDE) as u32;
        let last = |at: Option<usize>| at.map_or(SIDE, |at| SIDE - 1 - at) as u32;
        [
            first((0..SIDE).find(column)),
            last((0..SIDE).rfind(column)),
            first((0..SIDE).find(row)),
            last((0..SIDE).rfind(row)),
        ]
    }

    fn hash(&self, leaf: &Self::Leaf) -> CellHash {
        leaf.chunks_exact(SIDE)
            .rev()
            .fold(CellHash::EMPTY, |below, row| {
                let cells = row.iter().rev();
                let line = cells.fold(CellHash::EMPTY, |right, &state| {
                    right.shifted_modular(1, 0) + self.cells[usize::from(state)]
                });
                below.shifted_modular(0, 1) + line
            })
    }

    fn describe(&self) -> String {
        format!("{}, in leaves of 4 x 4 cells", self.kernel.describe())
    }
}
