use crate::{Snapshot, View, query};
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Cells, Run};
use rule::Rule;
use thiserror::Error;

/// Why an engine does not take a rule, a topology or a cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{engine} does not take {what}")]
pub struct UnsupportedError {
    /// The engine.
    pub engine: &'static str,
    /// What it does not take.
    pub what: String,
}

impl UnsupportedError {
    /// Refuses a rule that fills an endless world by itself.
    pub(crate) fn unless_empty_stays(engine: &'static str, rule: &Rule) -> Result<(), Self> {
        if rule.topology().rect().is_some() || !rule.fills_plane() {
            return Ok(());
        }
        let what = format!(
            "{rule} in an endless world: with B0 it fills all of it at once; it needs a grid, as \
             in `:T100,50`"
        );
        Err(Self { engine, what })
    }

    /// Refuses a pattern of more parts than anybody can wait for, where cells are taken one run
    /// after the other. Runs that are listed in memory are never too many.
    pub(crate) fn unless_listable(engine: &'static str, cells: &Cells) -> Result<(), Self> {
        /// Of the leaves of a quadtree: some seconds.
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

    /// Refuses a state that the rule does not have.
    pub(crate) fn unless_state(
        engine: &'static str,
        rule: &Rule,
        state: State,
    ) -> Result<(), Self> {
        let states = rule.states();
        if u16::from(state) < states {
            return Ok(());
        }
        let what = format!("state {state}: the rule {rule} has {states} states");
        Err(Self { engine, what })
    }
}

/// Advancing was stopped before its end. The world stands at a whole generation, the one
/// that [`World::generation`] tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the end")]
pub struct AdvanceInterruption;

/// What was to be done needs more memory than the world may take. The world stands at a
/// whole generation, with all of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "{engine} has no room for the next generation in the {} MiB that it may take",
    allowed >> 20
)]
pub struct MemoryLimitError {
    /// The engine.
    pub engine: &'static str,
    /// Bytes that it may take.
    pub allowed: u64,
}

/// How a world is going to be moved on, as far as that is known: see [`World::expect`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AdvancePlan {
    /// To the end of each [`World::advance`], whatever comes after that.
    #[default]
    Job,
    /// By so many generations each time, again and again: somebody looks on.
    Steps(BigUint),
    /// As far as it comes, again and again.
    Endless,
}

/// Asked now and then while a world advances; `false` stops it.
///
/// It is given the number of generations done since the call began, as far as known.
pub type AdvanceCallback<'a> = dyn FnMut(&BigUint) -> bool + 'a;

/// Cells, a rule, and a generation.
///
/// States are as shown, see [`rule::Rule`]: 0 is the empty plane.
pub trait World: Send {
    /// The engine's name: `naive`, `torus`, `tiles`, `hashlife`.
    fn engine(&self) -> &'static str;

    /// What moves the cells on, in words: which kernel the rule gets, and why.
    fn kernel(&self) -> String;

    /// Why this engine, where it was chosen on the way.
    fn why(&self) -> Option<&str> {
        None
    }

    /// Says how it is going to be moved on: a world whose engine is chosen on the way looks at
    /// it. The cells are the same however it is moved on.
    fn expect(&mut self, _course: &AdvancePlan) {}

    /// The rule, with its topology.
    fn rule(&self) -> &Rule;

    /// Generations since the pattern as loaded, plus the generation that it was loaded at.
    fn generation(&self) -> &BigInt;

    /// Says what generation this is. Rules that look at the parity of time look at this.
    fn set_generation(&mut self, generation: BigInt);

    /// The state of a cell; 0 outside a bounded grid.
    fn get(&self, p: Point) -> State;

    /// Sets a cell.
    ///
    /// # Errors
    /// When the cell lies outside the grid (or further out than this engine reaches), or
    /// the rule has no such state. Nothing has changed then.
    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError>;

    /// Adds the cells of a pattern to the world, as they lie. Cells outside a bounded grid
    /// are dropped.
    ///
    /// # Errors
    /// When a state is too high for the rule, or a cell further out than this engine
    /// reaches. What the world then holds is not specified.
    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError>;

    /// Empties the cells of `rect`. What that costs follows what lives there, not the area.
    fn erase(&mut self, rect: Rect) {
        query::erase(self, rect);
    }

    /// Empties all cells but those of `rect`, however far out they are; of an empty
    /// rectangle, all.
    fn keep_only(&mut self, rect: Rect) {
        for side in query::around(rect) {
            self.erase(side);
        }
    }

    /// The cells and the generation, to come back to.
    fn snapshot(&self) -> Snapshot {
        Snapshot::of_cells(self.generation().clone(), self.cells())
    }

    /// Goes back to what a snapshot has: its cells, in place of those that live, and its
    /// generation. It may have been taken of another world, and by another engine; cells
    /// outside a bounded grid are dropped.
    ///
    /// # Errors
    /// As [`World::load`]. When the rule lacks a state nothing has changed, else the world
    /// is empty.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        query::restore(self, snapshot)
    }

    /// All live cells.
    fn cells(&self) -> Cells;

    /// The live cells inside `rect`, as runs cut to it, row by row.
    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run));

    /// Which cells of `rect` live: a bit each, row by row. Rows are padded to whole bytes;
    /// the first cell of a row is the highest bit of its first byte. A bit is set where
    /// the state is not 0, outside a bounded grid nowhere. What `bits` held before is
    /// gone; it has `rect.width.div_ceil(8) * rect.height` bytes after.
    ///
    /// For what can be seen at once: some million cells.
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
        query::bits(self, rect, bits);
    }

    /// The states of the cells of `rect`, a byte each, row by row; 0 outside a bounded
    /// grid. What `states` held before is gone; it has `rect.width * rect.height` bytes
    /// after.
    ///
    /// For what can be seen at once: some million cells.
    fn states_in(&self, rect: Rect, states: &mut Vec<State>) {
        query::states(self, rect, states);
    }

    /// What a view from far off shows: for each of its pixels that has live cells, once and
    /// in no order, how many pixels from the left and from the top it lies, and how many
    /// live cells it has (exact up to 2^53, at most [`f64::MAX`]).
    ///
    /// Any part of a world of any size can be seen; what it costs follows the pixels, or
    /// the runs in the view where an engine has nothing better.
    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        view.by_runs(self, f);
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

    /// Moves `n` generations on.
    ///
    /// # Errors
    /// [`AdvanceInterruption`] when `control` said to stop, or when the world would outgrow the
    /// memory that it may take: then [`World::exhausted`] says so.
    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption>;

    /// Whether the last [`World::advance`] stopped since there was no room for more.
    fn exhausted(&self) -> Option<MemoryLimitError> {
        None
    }

    /// Lets the world take so many bytes from now on. A grid that is held cell by cell takes what
    /// it takes.
    fn allow(&mut self, _bytes: u64) {}

    /// Finishes what changes by hand would have to wait for. It can be stopped on the way, see
    /// [`pattern::interrupt`]; nothing that can be seen changes by it.
    fn settle(&mut self) {}

    /// Bytes that it takes in memory, about: its cells, and what it needs to step them.
    fn bytes(&self) -> u64;

    /// How many cells are not in state 0.
    fn population(&self) -> BigUint;

    /// The box around the live cells; none when there are none.
    fn bounds(&self) -> Option<Bounds>;

    /// A hash of the live cells and their states, relative to the corner of the bounds: the
    /// same from every engine.
    fn hash(&self) -> CellHash {
        self.cells().hash()
    }
}
