//! Tables of exact states: a walk down a tree for each cell, a level for all cells of a
//! block at a time, so that the processor waits for many loads at once.

use grid::State;
use rule::LookupTable;

/// A table that decides by the exact states of some cells.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    table: LookupTable,
    /// How far the padding goes.
    margin: usize,
}

/// Cells that go down the tree together.
const BLOCK: usize = 64;

impl Walk {
    pub(super) fn new(table: &LookupTable, margin: usize) -> Self {
        Self {
            table: table.clone(),
            margin,
        }
    }

    /// Steps rows of `width` cells.
    pub(super) fn step(&self, width: usize, padded: &[State], next: &mut [State]) {
        let stride = width + 2 * self.margin;
        for (y, out) in next.chunks_exact_mut(width).enumerate() {
            let centre = (y + self.margin) * stride + self.margin;
            for (block, out) in out.chunks_mut(BLOCK).enumerate() {
                self.block(centre + block * BLOCK, stride, padded, out);
            }
        }
    }

    /// The cells from `centre` on, at most [`BLOCK`].
    fn block(&self, centre: usize, stride: usize, padded: &[State], out: &mut [State]) {
        let start = |dx: i32, dy: i32| {
            let row = centre as isize + dy as isize * stride as isize;
            (row + dx as isize) as usize
        };
        let Some(tree) = self.table.tree() else {
            for (x, out) in out.iter_mut().enumerate() {
                *out = self.table.next(|dx, dy| padded[start(dx, dy) + x]);
            }
            return;
        };
        let entries = &tree.entries[..];
        let mut at = [tree.root; BLOCK];
        let at = &mut at[..out.len()];
        for &(dx, dy) in self.table.offsets() {
            let cells = &padded[start(dx, dy)..][..at.len()];
            for (at, &state) in at.iter_mut().zip(cells) {
                *at = entries[*at as usize + usize::from(state)];
            }
        }
        for (out, at) in out.iter_mut().zip(at) {
            *out = *at as State;
        }
    }
}
