//! Compact copies of a world's cells.

use num_bigint::BigInt;
use pattern::Cells;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// The cells of a world at one generation, to come back to: see
/// [`World::snapshot`](crate::World::snapshot) and
/// [`World::restore`](crate::World::restore).
///
/// Cells are held as the engine holds them, without what it needs to step them, so that
/// one is taken and put back in the time that copying takes. Every engine takes those of
/// every other, by way of [`Snapshot::cells`]. A clone shares the cells.
///
/// ```
/// use engine::{Tiles, Torus, World};
/// use grid::Point;
/// let mut world = Tiles::new("B3/S23".parse()?)?;
/// for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
///     world.set(Point::new(x, y), 1)?;
/// }
/// let before = world.snapshot();
/// world.advance(&100u32.into(), &mut |_| true)?;
/// world.restore(&before)?;
/// assert_eq!(world.cells(), before.cells());
/// assert_eq!(*world.generation(), 0.into());
///
/// let mut other = Torus::new("B3/S23:T20,20".parse()?)?;
/// other.restore(&before)?;
/// assert_eq!(other.cells(), before.cells());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Snapshot {
    generation: BigInt,
    held: Arc<dyn SnapshotCells>,
}

/// Cells in an engine's own representation.
pub(crate) trait SnapshotCells: Any + Send + Sync {
    /// The live cells.
    fn cells(&self) -> Cells;

    /// Approximate size in bytes.
    fn bytes(&self) -> u64;

    /// Whether these are the same cells in the same representation, where that is quickly told.
    fn is_equal(&self, _other: &dyn Any) -> bool {
        false
    }
}

impl Snapshot {
    pub(crate) fn new(generation: BigInt, held: impl SnapshotCells) -> Self {
        Self {
            generation,
            held: Arc::new(held),
        }
    }

    /// From cells, as files hold them: for what was never in a world.
    ///
    /// ```
    /// # use engine::Snapshot;
    /// let empty = Snapshot::from_cells(5.into(), pattern::Cells::default());
    /// assert!(empty.cells().is_empty());
    /// assert_eq!(*empty.generation(), 5.into());
    /// ```
    #[must_use]
    pub fn from_cells(generation: BigInt, cells: Cells) -> Self {
        Self::new(generation, cells)
    }

    /// The generation of the snapshot.
    #[must_use]
    pub fn generation(&self) -> &BigInt {
        &self.generation
    }

    /// The same cells at another generation.
    #[must_use]
    pub fn with_generation(self, generation: BigInt) -> Self {
        Self { generation, ..self }
    }

    /// The live cells.
    #[must_use]
    pub fn cells(&self) -> Cells {
        self.held.cells()
    }

    /// Approximate memory use in bytes. Clones share the cells.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.held.bytes()
    }

    /// Whether the cells are equal; generations may differ. Quick for two snapshots of one world.
    pub(crate) fn has_same_cells(&self, other: &Self) -> bool {
        self.held.is_equal(other.held.as_ref()) || self.cells() == other.cells()
    }

    /// The cells in this engine's representation, if they are held in it.
    pub(crate) fn held<H: SnapshotCells>(&self) -> Option<&H> {
        (self.held.as_ref() as &dyn Any).downcast_ref()
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("generation", &self.generation)
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

/// Cells as runs or as a quadtree.
impl SnapshotCells for Cells {
    fn cells(&self) -> Cells {
        self.clone()
    }

    fn bytes(&self) -> u64 {
        self.bytes()
    }
}
