use crate::interrupt::Checkpoints;
use crate::rows::RunTable;
use crate::{Bounds, Tree};
use grid::{CellHash, State};
use num_bigint::BigUint;
use std::ops::ControlFlow;

/// A horizontal run of live cells in one state.
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

/// A set of live cells: as runs (16 bytes each and 16 a row), or as a shared quadtree.
///
/// Two sets are equal when the same cells are live in the same states, whichever representation
/// they use.
///
/// ```
/// use pattern::{Cells, Run};
/// let run = |y, x, length| Run { y, x, length, state: 1 };
/// let glider = Cells::from_runs(vec![run(2, 0, 3), run(1, 2, 1), run(0, 1, 1)]);
/// assert_eq!(glider.population(), 5u8.into());
/// assert_eq!(glider, Cells::from_tree(glider.to_tree()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cells {
    storage: PatternStorage,
}

#[derive(Clone, Debug)]
enum PatternStorage {
    Rows(RunTable),
    Tree(Tree),
}

impl Default for PatternStorage {
    fn default() -> Self {
        Self::Rows(RunTable::default())
    }
}

impl Cells {
    /// From runs in any order. Where they overlap, the later one wins; state 0 erases what
    /// was there. Cells past the greatest coordinate are left out.
    #[must_use]
    pub fn from_runs(runs: Vec<Run>) -> Self {
        Self::from_rows(RunTable::from_runs(runs))
    }

    pub(crate) fn from_rows(rows: RunTable) -> Self {
        Self {
            storage: PatternStorage::Rows(rows),
        }
    }

    /// From a quadtree.
    #[must_use]
    pub fn from_tree(tree: Tree) -> Self {
        Self {
            storage: PatternStorage::Tree(tree),
        }
    }

    /// The quadtree, if that is how the cells are held.
    #[must_use]
    pub fn as_tree(&self) -> Option<&Tree> {
        match &self.storage {
            PatternStorage::Tree(tree) => Some(tree),
            PatternStorage::Rows(_) => None,
        }
    }

    /// The cells as a quadtree with shared nodes: of [`crate::Node::Leaf8`]s if there is no
    /// state above 1, else of [`crate::Node::Leaf2`]s. A tree is returned as it is.
    #[must_use]
    pub fn to_tree(&self) -> Tree {
        match &self.storage {
            PatternStorage::Tree(tree) => tree.clone(),
            PatternStorage::Rows(rows) => Tree::from_rows(rows),
        }
    }

    /// Every run once, row by row from the top, each row from the left; touching runs of
    /// one state come as one. Cells further out than `i64` reaches are left out.
    ///
    /// The memory that this takes follows the runs in one row, not the area.
    pub fn for_each_run(&self, f: &mut dyn FnMut(Run)) {
        let _ = self.try_for_each_run(&mut |run| {
            f(run);
            ControlFlow::Continue(())
        });
    }

    /// The same, until `f` breaks; returns its last answer. A small tree can have more runs
    /// than can be enumerated.
    pub fn try_for_each_run(&self, f: &mut dyn FnMut(Run) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut checkpoints = Checkpoints::new();
        let mut f = |run| {
            checkpoints.step();
            f(run)
        };
        match &self.storage {
            PatternStorage::Rows(rows) => rows.iter().try_for_each(f),
            PatternStorage::Tree(tree) => tree.try_for_each_run(&mut f),
        }
    }

    /// An estimate of the steps needed to enumerate all runs: the number of runs, or the number
    /// of non-empty leaves of the tree, counted with multiplicity (at most [`u128::MAX`]). It
    /// is computed in one pass over the nodes: a tree of a kilobyte can have more leaves than
    /// can be enumerated.
    ///
    /// ```
    /// let (pattern, _) = pattern::read(b"[M2] (x)\n$*$\n4 1 1 1 1\n5 2 2 2 2\n")?;
    /// assert_eq!(pattern.cells.walk_length(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn walk_length(&self) -> u128 {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.pieces() as u128,
            PatternStorage::Tree(tree) => tree.live_leaves(),
        }
    }

    /// Bytes of memory that they use, approximately.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.bytes(),
            PatternStorage::Tree(tree) => size_of_val(tree.nodes.as_slice()) as u64,
        }
    }

    /// Whether no cell is live.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.is_empty(),
            PatternStorage::Tree(tree) => tree.is_empty(),
        }
    }

    /// How many cells are live.
    #[must_use]
    pub fn population(&self) -> BigUint {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.population().into(),
            PatternStorage::Tree(tree) => tree.population(),
        }
    }

    /// The box around the live cells; none when there are none.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.bounds(),
            PatternStorage::Tree(tree) => tree.bounds(),
        }
    }

    /// The greatest state.
    #[must_use]
    pub fn max_state(&self) -> State {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.max_state(),
            PatternStorage::Tree(tree) => tree.max_state(),
        }
    }

    /// The states that live cells are in, each once, in order.
    #[must_use]
    pub fn states(&self) -> Vec<State> {
        let seen = match &self.storage {
            PatternStorage::Rows(rows) => rows.states(),
            PatternStorage::Tree(tree) => tree.states(),
        };
        (1..=State::MAX)
            .filter(|&state| seen[usize::from(state)])
            .collect()
    }

    /// The hash of the cells relative to the corner of their bounds.
    #[must_use]
    pub fn hash(&self) -> CellHash {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.hash(),
            PatternStorage::Tree(tree) => tree.hash(),
        }
    }

    /// The same cells, all moved. Runs that would leave the range of `i64` are left out.
    #[must_use]
    pub fn translated(&self, dx: i64, dy: i64) -> Self {
        if (dx, dy) == (0, 0) {
            return self.clone();
        }
        match &self.storage {
            PatternStorage::Rows(rows) => Self::from_rows(rows.translated(dx, dy)),
            PatternStorage::Tree(tree) => Self::from_tree(tree.translated(dx, dy)),
        }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        match (&self.storage, &other.storage) {
            (PatternStorage::Rows(a), PatternStorage::Rows(b)) => a == b,
            (PatternStorage::Tree(a), PatternStorage::Tree(b)) => a.same_cells(b),
            (PatternStorage::Rows(rows), PatternStorage::Tree(tree))
            | (PatternStorage::Tree(tree), PatternStorage::Rows(rows)) => {
                Tree::from_rows(rows).same_cells(tree)
            }
        }
    }
}

impl Eq for Cells {}
