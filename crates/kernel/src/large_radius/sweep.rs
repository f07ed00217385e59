//! Sweeps: one generation of rows of a grid, and what it takes to compute them.

use super::lane_layout::LaneLayout;
use crate::simd::InstructionSet;
use grid::State;
use std::ops::Range;

/// One generation of some rows of a grid.
#[derive(Debug)]
pub struct GridSweep<'a> {
    /// The generation of `now`.
    pub generation: u64,
    /// Whether the grid's first column is odd, and its first row.
    pub corner: (bool, bool),
    /// The first output row; `next` says how many there are.
    pub first: usize,
    /// Whether to continue the sweep that was interrupted last.
    pub goes_on: bool,
    /// All ones where a row has cells of the grid, zeros elsewhere.
    pub mask: &'a [u8],
    /// The cells of the grid, row by row.
    pub now: &'a [State],
    /// Room for the rows that are to be computed.
    pub next: &'a mut [State],
}

/// Writes a row of states with its padding, zeros elsewhere. The row may lie above the grid
/// or below it.
pub(crate) type RowFiller<'a> = &'a (dyn Fn(i64, &mut [State]) + Sync);

/// A sweep and what it needs to run.
pub(super) struct SweepRun<'a> {
    pub(super) set: InstructionSet,
    pub(super) lanes: LaneLayout,
    pub(super) sweep: GridSweep<'a>,
    pub(super) fill: RowFiller<'a>,
    pub(super) go_on: &'a mut dyn FnMut() -> bool,
    /// Rows between two calls of `go_on`.
    pub(super) check_interval: usize,
}

/// Steps rows in turn. Returns the row at which it was interrupted, or the end.
#[inline(always)]
pub(super) fn step_rows(
    rows: Range<i64>,
    check_interval: usize,
    go_on: &mut dyn FnMut() -> bool,
    mut step: impl FnMut(i64),
) -> i64 {
    let (first, end) = (rows.start, rows.end);
    for y in rows {
        // Some rows are done before the first check, so that every call makes progress.
        if y > first && (y - first) % check_interval as i64 == 0 && !go_on() {
            return y;
        }
        step(y);
    }
    end
}
