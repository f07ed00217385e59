use crate::interrupt::Checkpoints;
use crate::rows::RunTable;
use crate::{Bounds, Run, Tree};
use grid::{CellHash, State};
use num_bigint::BigUint;
use std::ops::ControlFlow;

/// A set of live cells: as runs (16 bytes each and 16 a row, or bits where a row is dense), or as a
/// shared quadtree.
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
    ///
    /// ```
    /// use pattern::{Cells, Run};
    ///
    /// let row = Run { y: 0, x: 0, length: 9, state: 1 };
    /// let hole = Run { y: 0, x: 4, length: 1, state: 0 };
    /// assert_eq!(Cells::from_runs(vec![row, hole]).population(), 8_u8.into());
    /// ```
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
    ///
    /// ```
    /// use pattern::{Cells, Node, Tree};
    ///
    /// let leaf = Node::Leaf2([0, 1, 0, 0]); // the rows 0 and 1, the columns -1 and 0
    /// let root = Node::Branch([0, 0, 1, 0]);
    /// let tree = Tree { nodes: vec![Node::Empty, leaf, root], root: 2, level: 2 };
    /// let rect = Cells::from_tree(tree).bounds().unwrap().to_rect().unwrap();
    /// assert_eq!((rect.x, rect.y), (-1, 1));
    /// ```
    #[must_use]
    pub fn from_tree(tree: Tree) -> Self {
        Self {
            storage: PatternStorage::Tree(tree),
        }
    }

    /// The quadtree, if that is how the cells are held.
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// assert!(Pattern::from_text("3o!")?.cells.as_tree().is_none(), "RLE is read as runs");
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn as_tree(&self) -> Option<&Tree> {
        match &self.storage {
            PatternStorage::Tree(tree) => Some(tree),
            PatternStorage::Rows(_) => None,
        }
    }

    /// The cells as a quadtree with shared nodes: of [`crate::Node::Leaf8`]s if there is no
    /// state above 1, else of [`crate::Node::Leaf2`]s. A tree is returned as it is.
    ///
    /// ```
    /// use pattern::{Node, Pattern};
    ///
    /// let tree = Pattern::from_text("3o!")?.cells.to_tree();
    /// assert!(tree.nodes.iter().any(|node| matches!(node, Node::Leaf8(_))));
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
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
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// let mut runs = Vec::new();
    /// Pattern::from_text("2ob3o$o!")?.cells.for_each_run(&mut |run| runs.push((run.y, run.x, run.length)));
    /// assert_eq!(runs, [(0, 0, 2), (0, 3, 3), (1, 0, 1)]);
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    pub fn for_each_run(&self, f: &mut dyn FnMut(Run)) {
        let _ = self.try_for_each_run(&mut |run| {
            f(run);
            ControlFlow::Continue(())
        });
    }

    /// The same, until `f` breaks; returns its last answer. A small tree can have more runs
    /// than can be enumerated.
    ///
    /// ```
    /// use pattern::Pattern;
    /// use std::ops::ControlFlow;
    ///
    /// let cells = Pattern::from_text("o$o$o!")?.cells;
    /// let first = cells.try_for_each_run(&mut |run| match run.y {
    ///     0 => ControlFlow::Break(()),
    ///     _ => panic!("stopped after the first"),
    /// });
    /// assert!(first.is_break());
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    pub fn try_for_each_run(&self, f: &mut dyn FnMut(Run) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut checkpoints = Checkpoints::new();
        let mut f = |run| {
            checkpoints.step();
            f(run)
        };
        match &self.storage {
            PatternStorage::Rows(rows) => rows.try_for_each_run(&mut f),
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
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// let line = Pattern::from_text("1000000o!")?.cells;
    /// assert!(line.bytes() < 1000, "one run");
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.bytes(),
            PatternStorage::Tree(tree) => size_of_val(tree.nodes.as_slice()) as u64,
        }
    }

    /// Whether no cell is live.
    ///
    /// ```
    /// use pattern::{Cells, Pattern};
    ///
    /// assert!(Cells::default().is_empty());
    /// assert!(!Pattern::from_text("o!")?.cells.is_empty());
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.is_empty(),
            PatternStorage::Tree(tree) => tree.is_empty(),
        }
    }

    /// How many cells are live.
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// assert_eq!(Pattern::from_text("bo$2bo$3o!")?.cells.population(), 5_u8.into());
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn population(&self) -> BigUint {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.population().into(),
            PatternStorage::Tree(tree) => tree.population(),
        }
    }

    /// The box around the live cells; none when there are none.
    ///
    /// ```
    /// use grid::Rect;
    /// use pattern::Pattern;
    ///
    /// let glider = Pattern::from_text("bo$2bo$3o!")?;
    /// assert_eq!(glider.cells.bounds(), Some(Rect::new(0, 0, 3, 3).into()));
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.bounds(),
            PatternStorage::Tree(tree) => tree.bounds(),
        }
    }

    /// The greatest state.
    ///
    /// ```
    /// use pattern::{Cells, Pattern};
    ///
    /// assert_eq!(Pattern::from_text(".2AC!")?.cells.max_state(), 3);
    /// assert_eq!(Cells::default().max_state(), 0);
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn max_state(&self) -> State {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.max_state(),
            PatternStorage::Tree(tree) => tree.max_state(),
        }
    }

    /// The states that live cells are in, each once, in order.
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// assert_eq!(Pattern::from_text("CA.2A!")?.cells.states(), [1, 3]);
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
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
    ///
    /// ```
    /// use pattern::Pattern;
    ///
    /// let glider = Pattern::from_text("bo$2bo$3o!")?.cells;
    /// assert_eq!(glider.hash(), glider.translated(100, -7).hash());
    /// assert_eq!(glider.hash(), pattern::Cells::from_tree(glider.to_tree()).hash());
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
    #[must_use]
    pub fn hash(&self) -> CellHash {
        match &self.storage {
            PatternStorage::Rows(rows) => rows.hash(),
            PatternStorage::Tree(tree) => tree.hash(),
        }
    }

    /// The same cells, all moved. Runs that would leave the range of `i64` are left out.
    ///
    /// ```
    /// use grid::Rect;
    /// use pattern::Pattern;
    ///
    /// let moved = Pattern::from_text("3o!")?.cells.translated(5, -2);
    /// assert_eq!(moved.bounds(), Some(Rect::new(5, -2, 3, 1).into()));
    /// # Ok::<(), pattern::ReadError>(())
    /// ```
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
