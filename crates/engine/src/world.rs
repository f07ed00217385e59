mod bit_runs;
mod fallback;
mod forward;

pub(crate) use bit_runs::{for_each_bit_run, write_bits};
pub(crate) use fallback::{around, restore};
pub(crate) use forward::forward_queries;

use crate::{Snapshot, View, query};
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Cells, Run};
use rule::{Rule, Topology};
use thiserror::Error;

/// An engine does not support a rule, a topology or a cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{engine} does not take {what}")]
pub struct UnsupportedError {
    /// The engine.
    pub engine: &'static str,
    /// What it does not support.
    pub what: String,
}

impl UnsupportedError {
    /// Rejects a rule under which empty cells come to life on an unbounded plane.
    pub(crate) fn check_background(engine: &'static str, rule: &Rule) -> Result<(), Self> {
        if rule.topology().rect().is_some() || !rule.fills_plane() {
            return Ok(());
        }
        let what = format!(
            "{rule} in an endless world: with B0 it fills all of it at once; it needs a grid, as \
             in `:T100,50`"
        );
        Err(Self { engine, what })
    }

    /// Rejects a pattern of too many parts for an engine that takes cells one run at a time.
    /// Runs that are listed in memory are never too many.
    pub(crate) fn check_run_count(engine: &'static str, cells: &Cells) -> Result<(), Self> {
        /// Leaves of a quadtree that take some seconds to list.
        const MOST: u128 = 1 << 26;
        if cells.as_tree().is_none() || cells.walk_length() <= MOST {
            return Ok(());
        }
        let what = format!(
            "a quadtree of {} live cells in more than {MOST} places",
            cells.population()
        );
        Err(Self { engine, what })
    }

    /// Rejects cells further than `farthest` from the origin along an infinite side of the grid,
    /// for an engine that takes cells one run at a time: those beyond the reach of `i64` are not
    /// among the runs, and would be lost. Along a finite side they are outside the grid.
    pub(crate) fn check_reach(
        engine: &'static str,
        topology: &Topology,
        cells: &Cells,
        farthest: i64,
    ) -> Result<(), Self> {
        let Some(bounds) = cells.bounds() else {
            return Ok(());
        };
        let far = BigInt::from(farthest);
        let is_within = |low: &BigInt, side: &BigUint| {
            *low >= -&far && low + BigInt::from(side.clone()) <= &far + 1
        };
        let (width, height) = topology.size();
        if (width > 0 || is_within(&bounds.x, &bounds.width))
            && (height > 0 || is_within(&bounds.y, &bounds.height))
        {
            return Ok(());
        }
        let what = format!(
            "cells in a box of {} x {} with its corner at ({}, {}): one of them is further than \
             {farthest} cells from the origin",
            bounds.width, bounds.height, bounds.x, bounds.y
        );
        Err(Self { engine, what })
    }

    /// Rejects a state that the rule does not have, on behalf of the engine of that name.
    ///
    /// # Errors
    /// When the rule has no more than `state` states.
    ///
    /// ```
    /// use engine::UnsupportedError;
    ///
    /// let life = "B3/S23".parse()?;
    /// assert!(UnsupportedError::check_state("tiles", &life, 1).is_ok());
    /// let error = UnsupportedError::check_state("tiles", &life, 2).unwrap_err();
    /// assert_eq!(error.to_string(), "tiles does not take state 2: the rule B3/S23 has 2 states");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_state(engine: &'static str, rule: &Rule, state: State) -> Result<(), Self> {
        let states = rule.states();
        if u16::from(state) < states {
            return Ok(());
        }
        let what = format!("state {state}: the rule {rule} has {states} states");
        Err(Self { engine, what })
    }
}

/// Advancing was interrupted. The world is at a whole generation, which [`World::generation`]
/// returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the end")]
pub struct AdvanceInterruption;

/// The next generation needs more memory than the world may use. The world is at a whole
/// generation, with all of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{engine} has no room for the next generation in the {} MiB that it may take",
    limit >> 20
)]
pub struct MemoryLimitError {
    /// The engine.
    pub engine: &'static str,
    /// The limit in bytes.
    pub limit: u64,
}

/// What a world is known to repeat.
///
/// ```
/// use engine::{EngineChoice, Options, open};
///
/// let rule = "B3/S23:P20,20".parse()?;
/// let row = pattern::Pattern::from_text("3o!")?; // a blinker
/// let mut world = open(EngineChoice::Torus, &rule, &row, None, &Options::default())?.world;
/// let far = num_bigint::BigUint::from(10u32).pow(30);
/// world.advance(&far, &mut |_| true)?;
/// assert_eq!(world.cycle().unwrap().period, 2);
/// assert_eq!(*world.generation(), far.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateCycle {
    /// The fewest generations after which all cells are as they were.
    pub period: u64,
    /// The generation at which that was known: some time after the cycle was entered.
    pub found_at: BigInt,
}

/// How a world is going to be advanced, as far as that is known: see [`World::set_plan`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdvancePlan {
    /// To the end of each [`World::advance`], as a batch job.
    #[default]
    Job,
    /// By this many generations each time, again and again, for a viewer.
    Steps(BigUint),
    /// As far as possible, again and again.
    Endless,
}

/// A callback polled while a world advances; returning `false` interrupts it.
///
/// Its argument is the number of generations done since the call began, as far as known.
pub type AdvanceCallback<'a> = dyn FnMut(&BigUint) -> bool + 'a;

/// Cells, a rule, and a generation.
///
/// States are those that are displayed, see [`rule::Rule`]: 0 is the empty state.
pub trait World: Send {
    /// The engine's name: `naive`, `torus`, `tiles`, `hashlife`.
    fn engine(&self) -> &'static str;

    /// Describes the kernel that the rule gets, and why.
    fn kernel(&self) -> String;

    /// The reason for this engine, where the engine may change during a run.
    fn engine_reason(&self) -> Option<&str> {
        None
    }

    /// Announces how the world is going to be advanced, for worlds that choose their engine
    /// during a run. It does not affect the cells.
    fn set_plan(&mut self, _plan: &AdvancePlan) {}

    /// The cycle that the cells are known to be on; rounds of it are skipped.
    fn cycle(&self) -> Option<&StateCycle> {
        None
    }

    /// The rule, with its topology.
    fn rule(&self) -> &Rule;

    /// The generation that the pattern was loaded at, plus the generations since.
    fn generation(&self) -> &BigInt;

    /// Sets the generation. It matters for rules that depend on its parity.
    fn set_generation(&mut self, generation: BigInt);

    /// The state of a cell; 0 outside a bounded grid.
    fn get(&self, p: Point) -> State;

    /// Sets a cell.
    ///
    /// # Errors
    /// When the cell lies outside the grid or the engine's range, or the rule has no such
    /// state. The world is then unchanged.
    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError>;

    /// Adds the cells of a pattern at their positions. Cells outside a bounded grid are
    /// dropped.
    ///
    /// # Errors
    /// When the rule lacks a state, or a cell is outside the engine's range. The contents of
    /// the world are then unspecified.
    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError>;

    /// Makes the cells of `rect` those of `bits`: state 1 where a bit is set, else 0. Each row has
    /// `rect.width.div_ceil(64)` words of its own, the rows follow each other from the top, and
    /// the cell in column c of the rectangle is bit c % 64 of word c / 64 of its row. Bits beyond
    /// the width are ignored. Cells outside a bounded grid are dropped.
    ///
    /// # Errors
    /// When a cell is outside the engine's range.
    ///
    /// # Panics
    /// May panic when `bits` has fewer words than that.
    ///
    /// ```
    /// use engine::{Tiles, World};
    /// use grid::Rect;
    /// let mut world = Tiles::new("B3/S23".parse()?)?;
    /// for soup in [[0b011, 0b110, 0b010], [0b010, 0b010, 0b010]] {
    ///     world.write_bits(Rect::new(0, 0, 3, 3), &soup)?;
    ///     world.advance(&100u32.into(), &mut |_| true)?;
    ///     println!("{} cells after {}", world.population(), world.generation());
    ///     world.replace_cells(&pattern::Cells::default(), &0.into())?;
    /// }
    /// assert_eq!(world.population(), 0u32.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_bits(&mut self, rect: Rect, bits: &[u64]) -> Result<(), UnsupportedError> {
        bit_runs::write_bits(self, rect, bits)
    }

    /// Replaces all cells and the generation. What was compiled for the rule is kept, and so is
    /// memory for the next cells, so that a small soup after a small soup costs no allocation.
    /// Cells outside a bounded grid are dropped.
    ///
    /// # Errors
    /// As [`World::restore`].
    fn replace_cells(
        &mut self,
        cells: &Cells,
        generation: &BigInt,
    ) -> Result<(), UnsupportedError> {
        fallback::replace_cells(self, cells, generation)
    }

    /// Empties the cells of `rect`. The cost depends on the live cells there, not on the area.
    fn erase(&mut self, rect: Rect) {
        fallback::erase(self, rect);
    }

    /// Empties all cells outside `rect`, at any distance; all cells if it is empty.
    fn keep_only(&mut self, rect: Rect) {
        for side in fallback::around(rect) {
            self.erase(side);
        }
    }

    /// The cells and the generation, for [`World::restore`].
    fn snapshot(&self) -> Snapshot {
        Snapshot::from_cells(self.generation().clone(), self.cells())
    }

    /// Replaces the cells and the generation by those of a snapshot, which may be of another
    /// world and another engine. Cells outside a bounded grid are dropped.
    ///
    /// # Errors
    /// As [`World::load`]. When the rule lacks a state the world is unchanged, else it is
    /// empty.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        fallback::restore(self, snapshot)
    }

    /// All live cells.
    fn cells(&self) -> Cells;

    /// The live cells inside `rect`, as runs clipped to it, row by row.
    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run));

    /// The live cells of `rect`, a bit each, row by row. Rows are padded to whole bytes; the
    /// first cell of a row is the highest bit of its first byte. A bit is set where the state
    /// is not 0, and clear outside a bounded grid. Replaces the contents of `bits` by
    /// `rect.width.div_ceil(8) * rect.height` bytes.
    ///
    /// For rectangles of some million cells at most.
    ///
    /// ```
    /// use engine::{NaiveWorld, World};
    /// use grid::{Point, Rect};
    /// let mut world = NaiveWorld::new("B3/S23".parse()?);
    /// world.set(Point::new(0, 0), 1)?;
    /// world.set(Point::new(9, 1), 1)?;
    /// let mut bits = Vec::new();
    /// world.bits_in(Rect::new(0, 0, 10, 2), &mut bits);
    /// assert_eq!(bits, [0b1000_0000, 0, 0, 0b0100_0000]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn bits_in(&self, rect: Rect, bits: &mut Vec<u8>) {
        fallback::bits(self, rect, bits);
    }

    /// The states of the cells of `rect`, a byte each, row by row; 0 outside a bounded grid.
    /// Replaces the contents of `states` by `rect.width * rect.height` bytes.
    ///
    /// For rectangles of some million cells at most.
    fn states_in(&self, rect: Rect, states: &mut Vec<State>) {
        fallback::states(self, rect, states);
    }

    /// The population of each pixel of a zoomed-out view. Calls `f` once for each pixel that
    /// has live cells, in no order, with its column and row in the view and its number of live
    /// cells (exact up to 2^53, at most [`f64::MAX`]).
    ///
    /// Works for views of any part of a world of any size. The cost depends on the pixels, or
    /// on the runs in the view where an engine has nothing better.
    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        view.by_runs(|rect, run| self.runs_in(rect, run), f);
    }

    /// What [`World::density`] tells, a row of pixels at a time: which row from the top it
    /// is, and how many live cells each of its pixels has (exact up to 2^24, at most
    /// [`f32::MAX`]). From the top down, without rows in which nothing lives, though some
    /// of these may come too. Quicker than pixel by pixel where much lives.
    ///
    /// ```
    /// use engine::{Torus, View, World};
    /// use grid::Point;
    /// let mut world = Torus::new("B3/S23:T64,64".parse()?)?;
    /// for (x, y) in [(0, 1), (1, 1), (5, 2)] {
    ///     world.set(Point::new(x, y), 1)?;
    /// }
    /// let view = View::over(&0.into(), &1.into(), 3, 2, 1);
    /// let mut seen = Vec::new();
    /// world.density_rows(&view, &mut |row, live| seen.push((row, live.to_vec())));
    /// assert_eq!(seen[0], (0, vec![2.0, 0.0, 1.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn density_rows(&self, view: &View, f: &mut dyn FnMut(u32, &[f32])) {
        query::rows_of_pixels(view, |g| self.density(view, g), f);
    }

    /// Advances by `n` generations.
    ///
    /// # Errors
    /// [`AdvanceInterruption`] when `control` returned false, or when the world would exceed
    /// its memory limit: then [`World::memory_limit_error`] reports it.
    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption>;

    /// The memory limit that stopped the last [`World::advance`], if one did.
    fn memory_limit_error(&self) -> Option<MemoryLimitError> {
        None
    }

    /// Changes the memory limit in bytes. A grid that is held cell by cell has a fixed size.
    fn set_memory_limit(&mut self, _bytes: u64) {}

    /// Does pending work that edits would otherwise have to wait for. It can be interrupted,
    /// see [`pattern::interrupt`], and changes nothing visible.
    fn finish_pending_work(&mut self) {}

    /// What the engine has computed since it was made, if it counts that, in a unit of its own:
    /// results of HashLife, tiles or cells that were stepped. It depends on what was asked of the world, never on the machine.
    fn work(&self) -> Option<u64> {
        None
    }

    /// Approximate memory use in bytes, of the cells and of what is needed to step them.
    fn bytes(&self) -> u64;

    /// The number of cells that are not in state 0.
    fn population(&self) -> BigUint;

    /// The bounding box of the live cells, if there are any.
    fn bounds(&self) -> Option<Bounds>;

    /// A hash of the live cells and their states, relative to the corner of their bounding box.
    /// It is the same in all engines.
    fn hash(&self) -> CellHash {
        self.cells().hash()
    }
}
