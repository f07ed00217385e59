//! All that a change may change, to come back to.

use engine::Snapshot;
use grid::Rect;
use rule::Rule;

/// A rule and cells at a generation, and what was selected.
#[derive(Clone, Debug)]
pub(crate) struct WorldCheckpoint {
    pub(crate) rule: Rule,
    pub(crate) cells: Snapshot,
    pub(crate) selection: Option<Rect>,
}

impl WorldCheckpoint {
    /// Bytes that it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.cells.bytes() + 256
    }
}
