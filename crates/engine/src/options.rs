use crate::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::{fmt, str::FromStr};
use thiserror::Error;

/// The choice of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// Chosen by the rule, the pattern and the number of generations.
    #[default]
    Auto,
    /// The oracle, cell by cell.
    Naive,
    /// Every cell of a bounded grid.
    Torus,
    /// Unbounded, in tiles, of which only active ones are stepped.
    Tiles,
    /// Unbounded, a hashed quadtree.
    Hashlife,
    /// Every cell of a bounded grid, on a graphics processor; see [`crate::register_gpu`].
    Gpu,
}

impl EngineChoice {
    /// All of them, `auto` first.
    pub const ALL: [Self; 6] = [
        Self::Auto,
        Self::Naive,
        Self::Torus,
        Self::Tiles,
        Self::Hashlife,
        Self::Gpu,
    ];

    /// The name of the engine on the command line.
    ///
    /// ```
    /// use engine::EngineChoice;
    ///
    /// for engine in EngineChoice::ALL {
    ///     assert_eq!(engine.name().parse(), Ok(engine));
    /// }
    /// assert_eq!(EngineChoice::Hashlife.name(), "hashlife");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Naive => "naive",
            Self::Torus => "torus",
            Self::Tiles => "tiles",
            Self::Hashlife => "hashlife",
            Self::Gpu => "gpu",
        }
    }
}

impl fmt::Display for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no engine's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no engine: expected auto, naive, torus, tiles, hashlife or gpu")]
pub struct UnknownEngine(pub String);

impl FromStr for EngineChoice {
    type Err = UnknownEngine;

    fn from_str(text: &str) -> Result<Self, UnknownEngine> {
        let wanted = |c: &Self| c.name().eq_ignore_ascii_case(text);
        let known = Self::ALL.into_iter().find(wanted);
        known.ok_or_else(|| UnknownEngine(text.into()))
    }
}

/// Counts the garbage collections of HashLife worlds since their memory was full. Frequent
/// collections during a run mean that it has too little memory.
#[derive(Clone, Debug, Default)]
pub struct CollectionCounter(Arc<AtomicU64>);

impl CollectionCounter {
    /// The number of collections.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.load(Relaxed)
    }

    pub(crate) fn add_one(&self) {
        self.0.fetch_add(1, Relaxed);
    }
}

/// Resource limits of an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The memory limit of a world in bytes. A world that would exceed it stops, see
    /// [`World::memory_limit_error`]; a grid that would exceed it is refused.
    pub memory: u64,
    /// The number of threads; the naive engine uses one.
    pub threads: usize,
    /// The counter for worlds opened with these options.
    pub collections: CollectionCounter,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            memory: 4 << 30,
            threads: 1,
            collections: CollectionCounter::default(),
        }
    }
}

/// A world that is ready to run, and the reason for its engine.
pub struct OpenedWorld {
    /// The world, with its pattern loaded and its generation set.
    pub world: Box<dyn World>,
    /// The reason for this engine: a short clause.
    pub engine_reason: String,
}

impl fmt::Debug for OpenedWorld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenedWorld")
            .field("engine", &self.world.engine())
            .field("engine_reason", &self.engine_reason)
            .finish()
    }
}
