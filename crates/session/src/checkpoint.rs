//! Checkpoints: the state of a world, to return to.

use engine::Snapshot;
use grid::Rect;
use rule::Rule;

/// A rule, the cells of one generation, and the selection.
#[derive(Clone, Debug)]
pub(crate) struct WorldCheckpoint {
    pub(crate) rule: Rule,
    pub(crate) cells: Snapshot,
    pub(crate) selection: Option<Rect>,
}

impl WorldCheckpoint {
    /// Approximate memory use in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        self.cells.bytes() + 256
    }
}
