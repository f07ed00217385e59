//! Tiles of bytes, for the rules that no bits take.

use super::field::{TileCells, TileNeighbourhood};
use super::map::AROUND;
use super::rect::TileRect;
use crate::query::{BlockCells, pack_word};
use grid::{Point, State};
use kernel::CellKernel;
use rule::Rule;
use std::ops::Range;

/// Cells of any rule, a byte each, row by row.
#[derive(Clone, Debug)]
pub(super) struct ByteTileCells {
    kernel: CellKernel,
    time_period: usize,
    /// Columns and rows of a tile.
    side: usize,
    padded: Vec<State>,
    next: Vec<State>,
}

impl ByteTileCells {
    pub(super) fn compile(rule: &Rule) -> Self {
        let kernel = CellKernel::compile(rule);
        // With tiles of twice the radius a cell sees no further than the next tile, and
        // the margin at most quadruples what must be gathered.
        let side = (2 * kernel.radius() as usize).next_power_of_two().max(64);
        Self {
            time_period: rule.time_period(),
            kernel,
            side,
            padded: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Copies the present states of a patch that may reach into the tiles around.
    fn gather(&mut self, seen: &TileNeighbourhood<'_, Box<[State]>>, patch: TileRect) {
        self.padded.clear();
        self.padded.resize(patch.width() * patch.height(), 0);
        let side = self.side as i32;
        let (before, after) = AROUND.split_at(4);
        let places = before.iter().chain(&[(0, 0)]).chain(after);
        for ((dx, dy), from) in places.zip(seen) {
            let Some(from) = from else { continue };
            let (dx, dy) = (*dx as i32 * side, *dy as i32 * side);
            let part = patch.moved(-dx, -dy).meet(TileRect::whole(self.size()));
            if part.is_empty() {
                continue;
            }
            let column = (part.left + dx - patch.left) as usize;
            for y in part.rows() {
                let row = (y + dy - patch.top) as usize;
                let at = row * patch.width() + column;
                let source = span(self.side, part, y);
                self.padded[at..at + part.width()].copy_from_slice(&from[source]);
            }
        }
    }
}

impl TileCells for ByteTileCells {
    type Cells = Box<[State]>;

    fn size(&self) -> (i32, i32) {
        (self.side as i32, self.side as i32)
    }

    fn reach(&self) -> i32 {
        self.kernel.radius() as i32
    }

    fn time_period(&self) -> usize {
        self.time_period
    }

    fn describe(&self) -> String {
        self.kernel.describe()
    }

    fn bytes(&self) -> u64 {
        (self.side * self.side) as u64
    }

    fn blank(&self) -> Box<[State]> {
        vec![0; self.side * self.side].into_boxed_slice()
    }

    fn get(&self, cells: &Box<[State]>, x: usize, y: usize) -> State {
        cells[y * self.side + x]
    }

    fn fill(&self, cells: &mut Box<[State]>, columns: Range<usize>, y: usize, state: State) {
        cells[y * self.side..][columns].fill(state);
    }

    fn is_live(&self, cells: &Box<[State]>, patch: TileRect) -> bool {
        let live = |y: i32| cells[span(self.side, patch, y)].iter().any(|s| *s != 0);
        patch.rows().any(live)
    }

    fn runs(
        &self,
        cells: &Box<[State]>,
        columns: Range<usize>,
        y: usize,
        f: &mut dyn FnMut(usize, usize, State),
    ) {
        let mut x = columns.start;
        let row = &cells[y * self.side..][columns];
        for run in row.chunk_by(|a, b| a == b) {
            if run[0] != 0 {
                f(x, run.len(), run[0]);
            }
            x += run.len();
        }
    }

    fn live_words(&self, cells: &Box<[State]>, y: usize, words: &mut [u64]) {
        let row = cells[y * self.side..(y + 1) * self.side].chunks(64);
        for (word, cells) in words.iter_mut().zip(row) {
            *word = pack_word(cells);
        }
    }

    fn states(&self, cells: &Box<[State]>, columns: Range<usize>, y: usize, states: &mut [State]) {
        states.copy_from_slice(&cells[y * self.side..][columns]);
    }

    fn no_contents(&self) -> BlockCells {
        BlockCells::Bytes(Vec::new())
    }

    fn pack(&self, cells: &Box<[State]>, inside: TileRect, contents: &mut BlockCells) {
        let BlockCells::Bytes(bytes) = contents else {
            return;
        };
        let start = bytes.len();
        bytes.resize(start + cells.len(), 0);
        for y in inside.rows() {
            let span = span(self.side, inside, y);
            bytes[start + span.start..start + span.end].copy_from_slice(&cells[span]);
        }
    }

    fn unpack(&self, contents: &BlockCells, tile: usize) -> Option<Box<[State]>> {
        let BlockCells::Bytes(bytes) = contents else {
            return None;
        };
        let size = self.side * self.side;
        Some(bytes.get(tile * size..(tile + 1) * size)?.into())
    }

    fn population(&self, cells: &Box<[State]>, patch: TileRect) -> u64 {
        let count = |y: i32| {
            let row = &cells[span(self.side, patch, y)];
            row.iter().filter(|s| **s != 0).count() as u64
        };
        patch.rows().map(count).sum()
    }

    fn bounds(&self, cells: &Box<[State]>, patch: TileRect) -> TileRect {
        let mut bounds = TileRect::default();
        for y in patch.rows() {
            let row = &cells[span(self.side, patch, y)];
            let live = |s: &State| *s != 0;
            let first = row.iter().position(live);
            let last = row.iter().rposition(live);
            if let (Some(first), Some(last)) = (first, last) {
                bounds = bounds.join(TileRect {
                    left: patch.left + first as i32,
                    right: patch.left + last as i32 + 1,
                    top: y,
                    bottom: y + 1,
                });
            }
        }
        bounds
    }

    fn step(
        &mut self,
        seen: &TileNeighbourhood<'_, Box<[State]>>,
        then: &mut Box<[State]>,
        due: TileRect,
        corner: Point,
        generation: u64,
    ) -> TileRect {
        self.gather(seen, due.grown(self.reach()));
        let (width, height) = (due.width(), due.height());
        self.next.clear();
        self.next.resize(width * height, 0);
        let origin = corner.offset(due.left.into(), due.top.into());
        self.kernel.step(
            generation,
            origin,
            width,
            height,
            &self.padded,
            &mut self.next,
        );
        let mut changed = TileRect::default();
        for (y, new) in due.rows().zip(self.next.chunks(width)) {
            let old = &mut then[span(self.side, due, y)];
            let Some((first, last)) = differing(old, new) else {
                continue;
            };
            changed = changed.join(TileRect {
                left: due.left + first as i32,
                right: due.left + last as i32 + 1,
                top: y,
                bottom: y + 1,
            });
            old.copy_from_slice(new);
        }
        changed
    }
}

/// Where the cells of a patch in row `y` stand in a buffer.
fn span(side: usize, patch: TileRect, y: i32) -> Range<usize> {
    let start = y as usize * side;
    start + patch.left as usize..start + patch.right as usize
}

/// The first and the last place where two rows differ.
fn differing(old: &[State], new: &[State]) -> Option<(usize, usize)> {
    /// Compared at once.
    const CHUNK: usize = 32;
    let mut pieces = old.chunks(CHUNK).zip(new.chunks(CHUNK));
    let first = pieces.clone().position(|(a, b)| a != b)?;
    let last = pieces.rposition(|(a, b)| a != b)?;
    let cell = |(a, b): (&State, &State)| a != b;
    let inside = |chunk: usize| {
        let range = chunk * CHUNK..old.len().min((chunk + 1) * CHUNK);
        old[range.clone()].iter().zip(&new[range])
    };
    let first = first * CHUNK + inside(first).position(cell)?;
    Some((first, last * CHUNK + inside(last).rposition(cell)?))
}
