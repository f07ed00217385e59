//! All that a change may change, to come back to.

use engine::Snapshot;
use grid::Rect;
use pattern::Cells;
use rule::Rule;

/// A rule and cells at a generation, and what was selected.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) rule: Rule,
    pub(crate) cells: Snapshot,
    pub(crate) selection: Option<Rect>,
}

impl Scene {
    /// Bytes that it takes, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.cells.bytes() + 256
    }
}

/// Bytes that cells take as files hold them, about.
pub(crate) fn bytes_of(cells: &Cells) -> u64 {
    /// Of a run, and of a row.
    const EACH: u64 = 16;
    if let Some(tree) = cells.as_tree() {
        return size_of_val(tree.nodes.as_slice()) as u64;
    }
    let (mut runs, mut rows, mut last) = (0, 0, None);
    cells.for_each_run(&mut |run| {
        runs += 1;
        rows += u64::from(last.replace(run.y) != Some(run.y));
    });
    EACH * (runs + rows)
}
