mod builder;

pub use builder::WorldBuilder;

use crate::{Error, Pattern};
use engine::{
    AdvancePlan, EngineChoice, OpenedWorld, Options, Snapshot, UnsupportedError, View, open,
    open_backward, open_endless, place_pattern,
};
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use pattern::{Bounds, Cells, Run};
use rule::Rule;
use std::ffi::OsStr;
use std::ops::ControlFlow;

/// A live cell: its column, its row (downwards) and its state.
pub type LiveCell = (i64, i64, State);

/// How the cells of a pattern meet those that are there.
///
/// ```
/// use gridpaper::{Pattern, PutMode, World};
///
/// let row = Pattern::parse("3o!")?;
/// let populations = [PutMode::Or, PutMode::Copy, PutMode::Xor].map(|mode| {
///     let mut world = World::new(&row).expect("Life");
///     world.put(&row, (1, 0), mode).expect("state 1");
///     world.population()
/// });
/// assert_eq!(populations, [4_u32, 4, 2].map(Into::into));
/// # Ok::<(), gridpaper::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PutMode {
    /// Live cells of the pattern are written, the others stay as they are.
    #[default]
    Or,
    /// The pattern's box replaces what was there.
    Copy,
    /// A live cell of the pattern empties a live cell, and fills an empty one.
    Xor,
}

/// How far [`World::run_with`] has come.
///
/// ```
/// use gridpaper::World;
/// use std::ops::ControlFlow;
///
/// let mut calls = 0;
/// World::open("acorn")?.run_with(5206_u64, |progress| {
///     assert!(*progress.done <= 5206_u32.into());
///     calls += 1;
///     ControlFlow::Continue(())
/// })?;
/// assert!(calls > 0);
/// # Ok::<(), gridpaper::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RunProgress<'a> {
    /// Generations done since the call began.
    pub done: &'a BigUint,
}

/// Cells, a rule and a generation, and the engine that moves them on.
///
/// Coordinates are `i64`, x to the right and y down. State 0 is dead, or empty; states are those
/// that are shown, relative to the background where a rule has B0.
///
/// ```
/// use gridpaper::World;
///
/// let mut world = World::open("r-pentomino")?;
/// world.run(1103_u64)?;
/// assert_eq!(world.population(), 116_u32.into());
/// assert_eq!(world.bounds().unwrap().width, 501_u32.into()); // gliders fly away
/// # Ok::<(), gridpaper::Error>(())
/// ```
pub struct World {
    world: Box<dyn engine::World>,
    choice: EngineChoice,
    engine_reason: String,
    options: Options,
}

impl World {
    /// A world with the pattern that `text` means: see [`Pattern::open`].
    ///
    /// # Errors
    /// [`Error::Pattern`], [`Error::Rule`] or [`Error::Unsupported`].
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::open("glider")?;
    /// world.run(4_u64)?;
    /// assert_eq!(world.population(), 5_u32.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn open(text: impl AsRef<OsStr>) -> Result<Self, Error> {
        Self::new(&Pattern::open(text)?)
    }

    /// A world with this pattern, by the rule that the pattern names.
    ///
    /// # Errors
    /// [`Error::Rule`] or [`Error::Unsupported`].
    ///
    /// ```
    /// use gridpaper::{Pattern, World};
    ///
    /// let replicator = Pattern::parse("x = 3, y = 3, rule = B36/S23\nb2o$obo$2o!")?;
    /// assert_eq!(World::new(&replicator)?.rule().to_string(), "B36/S23");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn new(pattern: &Pattern) -> Result<Self, Error> {
        Self::builder().pattern(pattern).build()
    }

    /// A world with settings of one's own.
    ///
    /// ```
    /// use gridpaper::{Engine, Pattern, World};
    ///
    /// let world = World::builder()
    ///     .pattern(&Pattern::open("acorn")?)
    ///     .rule("B36/S23:T64,64")
    ///     .engine(Engine::Torus)
    ///     .threads(2)
    ///     .memory(1 << 30)
    ///     .build()?;
    /// assert_eq!(world.engine(), "torus");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Moves `generations` on: a `u64`, a `BigUint`, or another unsigned integer.
    ///
    /// # Errors
    /// [`Error::Memory`] when the world would outgrow its memory. It then stands at a whole
    /// generation with all of its cells.
    ///
    /// ```
    /// use gridpaper::World;
    /// use num_bigint::BigUint;
    ///
    /// let mut world = World::open("glider")?;
    /// world.run(BigUint::from(10_u32).pow(30))?;
    /// let bounds = world.bounds().unwrap();
    /// assert_eq!(bounds.x, num_bigint::BigInt::from(10).pow(30) / 4); // a cell in four generations
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn run(&mut self, generations: impl Into<BigUint>) -> Result<(), Error> {
        self.run_with(generations, |_| ControlFlow::Continue(()))
    }

    /// The same; `progress` is called now and then, and can stop the run.
    ///
    /// # Errors
    /// As [`World::run`], and [`Error::Stopped`] when `progress` breaks. The world stands at a
    /// whole generation.
    ///
    /// ```
    /// use gridpaper::{Engine, Error, World};
    /// use std::ops::ControlFlow;
    ///
    /// let builder = World::builder().pattern_text("acorn")?;
    /// let mut world = builder.engine(Engine::Tiles).build()?;
    /// let stopped = world.run_with(1_000_000_u64, |_| ControlFlow::Break(()));
    /// assert!(matches!(stopped, Err(Error::Stopped)));
    /// assert!(*world.generation() < 1_000_000.into());
    /// # Ok::<(), Error>(())
    /// ```
    pub fn run_with(
        &mut self,
        generations: impl Into<BigUint>,
        mut progress: impl FnMut(RunProgress<'_>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let mut go_on = |done: &BigUint| progress(RunProgress { done }).is_continue();
        match self.world.advance(&generations.into(), &mut go_on) {
            Ok(()) => Ok(()),
            Err(_) => Err(self
                .world
                .memory_limit_error()
                .map_or(Error::Stopped, Error::Memory)),
        }
    }

    /// Goes `generations` back, where another rule undoes this one.
    ///
    /// # Errors
    /// [`Error::Backward`] when no rule does; else as [`World::run`]. The world is as it was then.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::open("2o$2o!")?;
    /// assert!(world.run_back(1_u64).is_err(), "Life forgets");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn run_back(&mut self, generations: impl Into<BigUint>) -> Result<(), Error> {
        let generations = generations.into();
        let pattern = pattern::Pattern {
            cells: self.world.cells(),
            position: Some(Point::new(0, 0)),
            generation: self.world.generation().clone(),
            ..pattern::Pattern::default()
        };
        let (rule, options) = (self.world.rule(), &self.options);
        let opened = open_backward(self.choice, rule, &pattern, Some(&generations), options)?;
        let mut back = opened.world;
        match back.advance(&generations, &mut |_| true) {
            Ok(()) => self.restore(&back.snapshot()),
            Err(_) => Err(back
                .memory_limit_error()
                .map_or(Error::Stopped, Error::Memory)),
        }
    }

    /// Generations since the pattern as loaded, plus the generation that its file gives.
    #[must_use]
    pub fn generation(&self) -> &BigInt {
        self.world.generation()
    }

    /// How many cells are not in state 0.
    #[must_use]
    pub fn population(&self) -> BigUint {
        self.world.population()
    }

    /// The smallest box around the live cells; none where nothing lives.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        self.world.bounds()
    }

    /// A hash of the live cells relative to the corner of their box: the same from every engine.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::open("glider")?;
    /// let before = world.hash();
    /// world.run(1_u64)?;
    /// assert_ne!(world.hash(), before);
    /// world.run(3_u64)?;
    /// assert_eq!(world.hash(), before); // the same shape, elsewhere
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn hash(&self) -> CellHash {
        self.world.hash()
    }

    /// The state of a cell; 0 outside a bounded grid.
    #[must_use]
    pub fn get(&self, x: i64, y: i64) -> State {
        self.world.get(Point::new(x, y))
    }

    /// Sets a cell.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when it lies outside the grid, or the rule lacks the state. Nothing
    /// has changed then.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::builder().rule("B3/S23:P8,8").build()?;
    /// world.set(2, 1, 1)?;
    /// assert_eq!(world.get(2, 1), 1);
    /// assert!(world.set(100, 0, 1).is_err(), "outside the grid");
    /// assert!(world.set(0, 0, 2).is_err(), "Life has no state 2");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn set(&mut self, x: i64, y: i64, state: State) -> Result<(), Error> {
        Ok(self.world.set(Point::new(x, y), state)?)
    }

    /// Puts a pattern into the world, so that the corner of its box lies at `at`. Cells outside
    /// a bounded grid are dropped.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the rule lacks a state of the pattern.
    ///
    /// ```
    /// use gridpaper::{Pattern, PutMode, World};
    ///
    /// let block = Pattern::parse("2o$2o!")?;
    /// let mut world = World::new(&block)?;
    /// world.put(&block, (1, 1), PutMode::Xor)?;
    /// assert_eq!(world.population(), 6_u32.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn put(&mut self, pattern: &Pattern, at: (i64, i64), mode: PutMode) -> Result<(), Error> {
        let Some(rect) = pattern.bounds().as_ref().and_then(Bounds::to_rect) else {
            return Ok(());
        };
        let cells = pattern.cells().translated(at.0 - rect.x, at.1 - rect.y);
        let rect = Rect::new(at.0, at.1, rect.width, rect.height);
        match mode {
            PutMode::Or => {}
            PutMode::Copy => self.clear(rect),
            PutMode::Xor => return self.toggle(&cells),
        }
        Ok(self.world.load(&cells)?)
    }

    fn toggle(&mut self, cells: &Cells) -> Result<(), Error> {
        let mut toggled = Vec::new();
        cells.for_each_run(&mut |run| {
            for x in run.x..run.x + run.length as i64 {
                let p = Point::new(x, run.y);
                let was_live = self.world.get(p) != 0;
                toggled.push((p, if was_live { 0 } else { run.state }));
            }
        });
        for (p, state) in toggled {
            if self.world.rule().topology().contains(p) {
                self.world.set(p, state)?;
            }
        }
        Ok(())
    }

    /// Empties the cells of a rectangle. The cost follows what lives there, not the area.
    ///
    /// ```
    /// use gridpaper::{Rect, World};
    ///
    /// let mut world = World::open("bo$2bo$3o!")?;
    /// world.clear(Rect::new(0, 2, 3, 1));
    /// assert_eq!(world.population(), 2_u32.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn clear(&mut self, rect: Rect) {
        self.world.erase(rect);
    }

    /// What its cells are: still life, oscillator, spaceship, gun, methuselah; with period, speed,
    /// symmetry and name, or with the objects that they settle into. They are looked at as a
    /// pattern of generation 0, and the world stays as it is.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    ///
    /// ```
    /// use gridpaper::{PatternKind, World};
    ///
    /// let pulsar = World::open("pulsar")?.identify(&Default::default())?;
    /// assert_eq!((pulsar.kind, pulsar.period), (PatternKind::Oscillator, Some(3)));
    /// let boat = World::open("b2o$obo$bo!")?.identify(&Default::default())?;
    /// assert_eq!(boat.name.as_deref(), Some("boat"));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[cfg(feature = "census")]
    pub fn identify(
        &self,
        options: &census::IdentifyOptions,
    ) -> Result<census::Identification, Error> {
        let cells = self.world.cells();
        Ok(census::identify(
            self.world.rule(),
            &cells,
            options,
            &mut |_| true,
        )?)
    }

    /// All live cells, row by row from the top. They are listed first: for worlds of some
    /// millions.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let world = World::open("bo$2bo$3o!")?;
    /// assert_eq!(world.cells().map(|(x, y, _)| x + y).sum::<i64>(), 13);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn cells(&self) -> impl Iterator<Item = LiveCell> + use<> {
        let mut runs = Vec::new();
        self.world.cells().for_each_run(&mut |run| runs.push(run));
        each_cell(runs)
    }

    /// The live cells of a rectangle, row by row from the top.
    ///
    /// ```
    /// use gridpaper::{Rect, World};
    ///
    /// let world = World::open("bo$2bo$3o!")?;
    /// let bottom: Vec<_> = world.live_in(Rect::new(0, 2, 2, 1)).collect();
    /// assert_eq!(bottom, [(0, 2, 1), (1, 2, 1)]);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn live_in(&self, rect: Rect) -> impl Iterator<Item = LiveCell> + use<> {
        let mut runs = Vec::new();
        self.world.runs_in(rect, &mut |run| runs.push(run));
        each_cell(runs)
    }

    /// Words that a row of `width` cells takes in [`World::read_bits`].
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// assert_eq!([1, 64, 65].map(World::words_of_row), [1, 1, 2]);
    /// ```
    #[must_use]
    pub fn words_of_row(width: u64) -> usize {
        width.div_ceil(64) as usize
    }

    /// Writes into `bits` which cells of `rect` live: row by row from the top, each row in
    /// [`World::words_of_row`] words; the cell in column `c` of the rectangle is bit `c % 64` of
    /// word `c / 64` of its row. Bits beyond the width are 0.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when `bits` has another length.
    ///
    /// ```
    /// use gridpaper::{Rect, World};
    ///
    /// let world = World::open("bo$2bo$3o!")?;
    /// let mut bits = [0; 3];
    /// world.read_bits(Rect::new(0, 0, 3, 3), &mut bits)?;
    /// assert_eq!(bits, [0b010, 0b100, 0b111]);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn read_bits(&self, rect: Rect, bits: &mut [u64]) -> Result<(), Error> {
        let row = Self::words_of_row(rect.width);
        check_length(bits.len(), row * rect.height as usize)?;
        bits.fill(0);
        self.world.runs_in(rect, &mut |run| {
            let words = &mut bits[run.y.abs_diff(rect.y) as usize * row..][..row];
            set_bits(words, run.x.abs_diff(rect.x), run.length);
        });
        Ok(())
    }

    /// Makes the cells of `rect` those of `bits`, laid out as in [`World::read_bits`]: state 1
    /// where a bit is set, else 0. Bits beyond the width are not looked at, and cells outside a
    /// bounded grid are dropped.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when `bits` has another length; [`Error::Unsupported`] when a cell
    /// lies further out than the engine reaches.
    ///
    /// ```
    /// use gridpaper::{Rect, World};
    ///
    /// let mut world = World::builder().build()?;
    /// world.write_bits(Rect::new(-1, 0, 3, 1), &[0b111])?;
    /// world.run(1_u64)?;
    /// assert!(world.cells().eq([(0, -1, 1), (0, 0, 1), (0, 1, 1)])); // a blinker
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn write_bits(&mut self, rect: Rect, bits: &[u64]) -> Result<(), Error> {
        let row = Self::words_of_row(rect.width);
        check_length(bits.len(), row * rect.height as usize)?;
        Ok(self.world.write_bits(rect, bits)?)
    }

    /// Writes the states of the cells of `rect` into `states`, a byte each, row by row from the
    /// top; 0 outside a bounded grid.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when `states` has another length.
    ///
    /// ```
    /// use gridpaper::{Rect, World};
    ///
    /// let mut world = World::builder().rule("B2/S/C3").build()?; // Brian's Brain
    /// world.write_states(Rect::new(0, 0, 2, 1), &[1, 1])?;
    /// world.run(1_u64)?;
    /// let mut states = [0; 6];
    /// world.read_states(Rect::new(0, -1, 2, 3), &mut states)?;
    /// assert_eq!(states, [1, 1, 2, 2, 1, 1]);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn read_states(&self, rect: Rect, states: &mut [State]) -> Result<(), Error> {
        let width = rect.width as usize;
        check_length(states.len(), width * rect.height as usize)?;
        states.fill(0);
        self.world.runs_in(rect, &mut |run| {
            let first = run.y.abs_diff(rect.y) as usize * width + run.x.abs_diff(rect.x) as usize;
            states[first..first + run.length as usize].fill(run.state);
        });
        Ok(())
    }

    /// Makes the cells of `rect` those of `states`, laid out as in [`World::read_states`]. Cells
    /// outside a bounded grid are dropped.
    ///
    /// # Errors
    /// [`Error::BufferLength`] when `states` has another length; [`Error::Unsupported`] when the
    /// rule lacks a state, or a cell lies further out than the engine reaches.
    ///
    /// ```
    /// use gridpaper::{Rect, World};
    ///
    /// let mut world = World::builder().rule("WireWorld").build()?;
    /// world.write_states(Rect::new(0, 0, 4, 1), &[2, 1, 3, 3])?; // tail, head, two of copper
    /// world.run(1_u64)?;
    /// assert_eq!([0, 1, 2, 3].map(|x| world.get(x, 0)), [3, 2, 1, 3]);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn write_states(&mut self, rect: Rect, states: &[State]) -> Result<(), Error> {
        let width = rect.width as usize;
        check_length(states.len(), width * rect.height as usize)?;
        let mut runs = Vec::new();
        for (y, row) in (rect.y..).zip(states.chunks(width.max(1))) {
            let mut x = rect.x;
            for same in row.chunk_by(|a, b| a == b) {
                let (length, state) = (same.len() as u64, same[0]);
                if state != 0 {
                    runs.push(Run {
                        x,
                        y,
                        length,
                        state,
                    });
                }
                x += length as i64;
            }
        }
        let cells = Cells::from_runs(runs);
        // Before anything is erased.
        let (engine, rule) = (self.world.engine(), self.world.rule());
        UnsupportedError::check_state(engine, rule, cells.max_state())?;
        self.clear(rect);
        Ok(self.world.load(&cells)?)
    }

    /// What a view from far off shows: for each of its pixels that has live cells, its column, its
    /// row, and how many live cells it has.
    ///
    /// ```
    /// use gridpaper::{View, World};
    ///
    /// let world = World::open("gosper-glider-gun")?;
    /// let view = View::fitting(&world.bounds().unwrap(), 9, 9);
    /// let mut live = 0.0;
    /// world.density(&view, |_column, _row, cells| live += cells);
    /// assert_eq!(live, 36.0);
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn density(&self, view: &View, mut f: impl FnMut(u32, u32, f64)) {
        self.world.density(view, &mut f);
    }

    /// The cells and the generation, to come back to.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let world = World::open("acorn")?;
    /// assert_eq!(world.snapshot().cells().population(), 7_u32.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.world.snapshot()
    }

    /// Goes back to a snapshot: its cells and its generation.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when it is of another world, and the rule lacks one of its states.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::open("acorn")?;
    /// let start = world.snapshot();
    /// world.run(5206_u64)?;
    /// assert_eq!(world.population(), 633_u32.into());
    /// world.restore(&start)?;
    /// assert_eq!((world.population(), world.generation()), (7_u32.into(), &0.into()));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        Ok(self.world.restore(snapshot)?)
    }

    /// Begins again with another pattern by the same rule: what was compiled for the rule is kept,
    /// and so is the engine's memory. A small soup after a small soup, with
    /// [`World::write_bits`], allocates nothing on the plane and on small grids.
    ///
    /// # Errors
    /// [`Error::Unsupported`] when the rule lacks a state of the pattern.
    ///
    /// ```
    /// use gridpaper::{Pattern, World};
    ///
    /// let mut world = World::open("glider")?;
    /// world.run(100_u64)?;
    /// world.reset(&Pattern::parse("3o!")?)?;
    /// assert_eq!((world.population(), world.generation()), (3_u32.into(), &0.into()));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn reset(&mut self, pattern: &Pattern) -> Result<(), Error> {
        let pattern = &pattern.source().pattern;
        let cells = place_pattern(pattern, self.world.rule().topology());
        Ok(self.world.replace_cells(&cells, &pattern.generation)?)
    }

    /// Another world with the same cells, rule, generation and settings.
    ///
    /// # Errors
    /// [`Error::Unsupported`]: not where this world was made without.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let world = World::open("r-pentomino")?;
    /// let mut ahead = world.fork()?;
    /// ahead.run(1103_u64)?;
    /// assert_eq!((world.population(), ahead.population()), (5_u32.into(), 116_u32.into()));
    ///
    /// let mut gun = World::open("gosper-glider-gun")?;
    /// gun.run(1_000_000_000_000_u64)?; // more cells than any engine but one has room for
    /// assert_eq!(gun.fork()?.hash(), gun.hash());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn fork(&self) -> Result<Self, Error> {
        // With its cells at once: an engine that suits an empty world may have no room for them.
        let pattern = pattern::Pattern {
            cells: self.world.cells(),
            position: Some(Point::new(0, 0)),
            generation: self.world.generation().clone(),
            ..pattern::Pattern::default()
        };
        let opened = open_world(self.choice, self.rule(), &pattern, &self.options)?;
        Ok(Self::of(opened, self.choice, self.options.clone()))
    }

    /// The world as a pattern, to be written: its cells where they are, its rule and its
    /// generation.
    ///
    /// ```
    /// use gridpaper::{Format, World};
    ///
    /// let mut world = World::open("glider")?;
    /// world.run(4_u64)?;
    /// let rle = String::from_utf8(world.pattern().write(Format::Rle)?).unwrap();
    /// assert!(rle.contains("#CXRLE Pos=1,1 Gen=4"), "{rle}");
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[must_use]
    pub fn pattern(&self) -> Pattern {
        let words = pattern::Pattern::default();
        source::snapshot(self.world.as_ref(), &words).into()
    }

    /// Counts generations from another number on; the cells stay. Rules that depend on the
    /// generation go on as at that one.
    ///
    /// ```
    /// use gridpaper::World;
    ///
    /// let mut world = World::open("glider")?;
    /// world.set_generation(100.into());
    /// world.run(4_u64)?;
    /// assert_eq!(world.generation(), &104.into());
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    pub fn set_generation(&mut self, generation: BigInt) {
        self.world.set_generation(generation);
    }

    /// The rule, with its topology.
    #[must_use]
    pub fn rule(&self) -> &Rule {
        self.world.rule()
    }

    /// The name of the engine that runs it now: `naive`, `torus`, `tiles` or `hashlife`.
    #[must_use]
    pub fn engine(&self) -> &'static str {
        self.world.engine()
    }

    /// Why this engine, in a clause.
    #[must_use]
    pub fn why(&self) -> &str {
        self.world.engine_reason().unwrap_or(&self.engine_reason)
    }

    /// What compiled form of the rule the engine steps with, in words.
    #[must_use]
    pub fn kernel(&self) -> String {
        self.world.kernel()
    }

    /// What a viewport shows: states of cells from near, densities from far off.
    ///
    /// ```
    /// use gridpaper::{World, render::Viewport};
    ///
    /// let world = World::open("bo$2bo$3o!")?;
    /// let frame = world.frame(&Viewport::fitting(&world.bounds().unwrap(), 64, 48));
    /// assert_eq!((frame.state(0, 0), frame.state(1, 0)), (0, 1));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[cfg(feature = "render")]
    #[must_use]
    pub fn frame(&self, viewport: &render::Viewport) -> render::Frame {
        render::Frame::of(self.world.as_ref(), viewport)
    }

    /// All live cells in a picture of so many pixels, with the colours of the rule.
    ///
    /// ```
    /// use gridpaper::{World, render::Theme};
    ///
    /// let picture = World::open("bo$2bo$3o!")?.picture(60, 40, &Theme::PAPER);
    /// assert_eq!((picture.width, picture.height), (60, 40));
    /// # Ok::<(), gridpaper::Error>(())
    /// ```
    #[cfg(feature = "render")]
    #[must_use]
    pub fn picture(&self, width: u32, height: u32, theme: &render::Theme) -> render::Picture {
        let viewport = match self.bounds() {
            Some(bounds) => {
                let lattice = self.rule().lattice();
                render::Viewport::fitting_on(lattice, &bounds, width, height)
            }
            None => render::Viewport::new(width, height),
        };
        let frame = self.frame(&viewport);
        let palette = render::Palette::of(self.rule(), theme);
        frame.paint(&palette, &render::PictureStyle::default())
    }

    fn of(opened: OpenedWorld, choice: EngineChoice, options: Options) -> Self {
        Self {
            world: opened.world,
            choice,
            engine_reason: opened.engine_reason,
            options,
        }
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("rule", &self.rule().to_string())
            .field("engine", &self.engine())
            .field("generation", self.generation())
            .finish_non_exhaustive()
    }
}

fn open_world(
    choice: EngineChoice,
    rule: &Rule,
    pattern: &pattern::Pattern,
    options: &Options,
) -> Result<OpenedWorld, Error> {
    let mut opened = match choice {
        EngineChoice::Auto => open_endless(choice, None, rule, pattern, options)?,
        _ => open(choice, rule, pattern, None, options)?,
    };
    opened.world.set_plan(&AdvancePlan::Job);
    Ok(opened)
}

fn each_cell(runs: Vec<Run>) -> impl Iterator<Item = LiveCell> {
    let cells = |run: Run| (run.x..run.x + run.length as i64).map(move |x| (x, run.y, run.state));
    runs.into_iter().flat_map(cells)
}

fn check_length(found: usize, expected: usize) -> Result<(), Error> {
    match found == expected {
        true => Ok(()),
        false => Err(Error::BufferLength { found, expected }),
    }
}

/// Sets `length` bits from bit `first` on.
fn set_bits(words: &mut [u64], first: u64, length: u64) {
    let (mut first, end) = (first, first + length);
    while first < end {
        let bit = first % 64;
        let count = (64 - bit).min(end - first);
        words[(first / 64) as usize] |= u64::MAX >> (64 - count) << bit;
        first += count;
    }
}
