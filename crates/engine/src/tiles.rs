//! The plane, with or without edges, in tiles, of which only active ones are stepped.
//!
//! A tile sleeps when it equals itself *two* generations ago, so ash costs nothing, blinkers
//! included. Comparing successive generations is simpler but was rejected, since settled soups
//! are full of blinkers. What moves without meeting anything is mostly gliders, which are not
//! stepped either: see `ships`.
//!
//! There are three representations: tiles of bits, advanced by four generations at a time, for
//! two-state rules of radius 1; tiles of bit planes for other rules with a small circuit; and
//! tiles of bytes for the rest. The latter two are a [`TileField`] each.
//!
//! That tiles of period 2 sleep is from Alan Hensel's Life applet: a comment in its source
//! (`LifeGen.java`, 1996) lists its hibernating blocks as of period 1 or 2. The source of Golly's
//! QuickLife (`qlifealgo.cpp`) names that applet as what inspired it. The three representations are
//! our own method.

mod advance_progress;
mod bit;
mod byte;
mod coarse_pixels;
mod edges;
mod field;
mod links;
mod map;
mod plane;
mod prints;
mod rect;
mod scheduler;
mod wake_flags;

use crate::cycle::FingerprintedWorld;
use crate::fingerprint::Fingerprint;
use crate::query::{
    self, Bitmap, BlockCells, LiveRowVisitor, PackedSnapshot, PixelCounter, PixelRowCounts,
    for_each_pixel,
};
use crate::{
    AdvanceCallback, AdvanceInterruption, MemoryLimitError, Snapshot, UnsupportedError, View,
    World, world,
};
use advance_progress::AdvanceProgress;
use bit::BitTiles;
use byte::ByteTileCells;
use coarse_pixels::CoarsePixelCounter;
use field::TileField;
use grid::{CellHash, Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use pattern::{Bounds, Cells, Run, Tree};
use plane::PlaneTileCells;
use rule::{Rule, Topology};
use std::collections::HashSet;

const NAME: &str = "tiles";

/// Cells are accepted up to this far out, so that reaching the limits of `i64` would take
/// longer than any computer lasts.
const MAX_COORDINATE: i64 = 1 << 62;

/// The default memory limit in bytes.
const DEFAULT_BYTES: u64 = 4 << 30;

/// The engine that steps only what is active, on the unbounded plane and on every grid,
/// however large.
///
/// ```
/// use engine::{Tiles, World};
/// use grid::Point;
/// let mut world = Tiles::new("B3/S23".parse()?)?;
/// for (x, y) in [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)] {
///     world.set(Point::new(x, y), 1)?;
/// }
/// world.advance(&1103u32.into(), &mut |_| true)?;
/// assert_eq!(world.population(), 116u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tiles {
    rule: Rule,
    generation: BigInt,
    representation: TileRepresentation,
    room: u64,
    /// Whether the last run stopped because memory was exhausted.
    is_out_of_memory: bool,
    /// Remaining cells to compute from a table before the rule's circuit is compiled.
    before_circuit: Option<u64>,
    /// See [`World::work`]: tiles stepped, or cells.
    work: u64,
}

/// Cells that a table computes in about the time of compiling a circuit. Compiling takes some
/// hundredths of a second, by which time small jobs are done.
const CELLS_BEFORE_CIRCUIT: u64 = 1 << 20;

/// Patterns of more cells are worth a circuit at once.
const CELLS_WORTH_A_CIRCUIT: u64 = 1 << 13;

#[derive(Clone, Debug)]
enum TileRepresentation {
    Bits(BitTiles),
    Planes(TileField<PlaneTileCells>),
    Bytes(TileField<ByteTileCells>),
}

impl TileRepresentation {
    fn plane(&self) -> &dyn TilePlane {
        match self {
            Self::Bits(plane) => plane,
            Self::Planes(plane) => plane,
            Self::Bytes(plane) => plane,
        }
    }

    fn plane_mut(&mut self) -> &mut dyn TilePlane {
        match self {
            Self::Bits(plane) => plane,
            Self::Planes(plane) => plane,
            Self::Bytes(plane) => plane,
        }
    }
}

/// An unbounded plane of tiles of one representation. `odd` is the parity of the current
/// generation.
trait TilePlane {
    /// Describes the kernel.
    fn describe(&self) -> String;

    /// The columns, rows and bytes of a tile.
    fn tile(&self) -> (u64, u64, u64);

    /// To be called before the parity of the generation is changed from outside.
    fn before_time_changes(&mut self, odd: bool);

    /// See [`World::finish_pending_work`].
    fn finish_pending_work(&mut self, _odd: bool) {}

    fn get(&self, p: Point, odd: bool) -> State;

    /// Reserves capacity for this many tiles, which avoids repeated growth.
    fn reserve(&mut self, _tiles: usize) {}

    /// Sets the states of runs of cells.
    fn write(&mut self, runs: &mut CellRunSource<'_>, odd: bool);

    /// Sets the live cells of a quadtree, if this representation can do so node by node.
    /// Whether it did.
    fn write_tree(&mut self, _tree: &Tree, _odd: bool) -> bool {
        false
    }

    /// Advances by up to `progress.left` generations, or until interrupted.
    fn advance(
        &mut self,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption>;

    fn population(&self, odd: bool) -> u64;

    fn bounds(&self, odd: bool) -> Option<Rect>;

    /// The hash of all cells, relative to the origin.
    fn hash(&self, odd: bool) -> CellHash;

    /// See [`FingerprintedWorld::fingerprint`].
    fn fingerprint(&mut self, odd: bool) -> u64 {
        let (corners, contents) = self.pack(odd);
        let mut print = Fingerprint::new();
        for corner in corners {
            print.add(&[corner.x as u64, corner.y as u64], u64::MAX);
        }
        contents.print(&mut print);
        print.finish()
    }

    /// The live cells as runs, clipped to `rect`, row by row and left to right.
    fn runs(&self, rect: Rect, odd: bool, f: &mut dyn FnMut(Run));

    /// Visits all rows of tiles that overlap `rect`.
    fn visit_rows(&self, rect: Rect, odd: bool, visitor: &mut dyn LiveRowVisitor);

    /// Writes the states of the cells of `rect`, a byte each; `states` holds zeros.
    fn states(&self, rect: Rect, odd: bool, states: &mut [State]);

    /// Counts the cells of all tiles in view.
    fn count(&self, odd: bool, counter: &mut CoarsePixelCounter);

    /// Empties the cells of `rect`.
    fn erase(&mut self, rect: Rect, odd: bool);

    /// Removes all tiles.
    fn clear(&mut self);

    /// The live tiles: their top-left cells, and their cells.
    fn pack(&self, odd: bool) -> (Vec<Point>, BlockCells);

    /// Replaces all cells by those that a plane with the same kind of tiles has packed. Whether
    /// it can.
    fn unpack(&mut self, corners: &[Point], contents: &BlockCells) -> bool;

    /// The number of tiles.
    fn tiles(&self) -> usize;

    /// Memory use in bytes, including spare capacity.
    fn bytes(&self) -> u64;

    /// Sets the number of threads.
    fn set_threads(&mut self, threads: usize);
}

impl Tiles {
    /// An empty world at generation 0.
    ///
    /// # Errors
    /// When the rule's period exceeds two generations, or empty cells come to life under it.
    ///
    /// ```
    /// use engine::{Tiles, World};
    ///
    /// assert_eq!(Tiles::new("B3/S23".parse()?)?.engine(), "tiles");
    /// assert!(Tiles::new("B03/S23".parse()?).is_ok()); // its background blinks
    /// let error = Tiles::new("012345678/0/3".parse()?).err().unwrap(); // Generations with B0
    /// assert!(error.to_string().contains("it fills all of it at once"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(rule: Rule) -> Result<Self, UnsupportedError> {
        UnsupportedError::check_background(NAME, &rule)?;
        // It could run such a rule on a grid, but no tile would sleep.
        if rule.fills_plane() {
            return Err(unsupported(format!(
                "{rule}: it brings life where nothing was; the torus engine does"
            )));
        }
        // Sleeping tiles rely on a period of two generations.
        if rule.time_period() > 2 {
            return Err(unsupported(format!(
                "a rule that changes with {} generations",
                rule.time_period()
            )));
        }
        let topology = *rule.topology();
        // Edges have to be updated between any two generations.
        let bits = (topology == Topology::Unbounded).then(|| BitTiles::compile(&rule));
        let held = if let Some(bits) = bits.flatten() {
            TileRepresentation::Bits(bits)
        } else if let Some(planes) = PlaneTileCells::compile(&rule) {
            TileRepresentation::Planes(TileField::new(planes, topology))
        } else {
            TileRepresentation::Bytes(TileField::new(ByteTileCells::compile(&rule), topology))
        };
        Ok(Self {
            rule,
            generation: BigInt::zero(),
            representation: held,
            room: DEFAULT_BYTES,
            is_out_of_memory: false,
            before_circuit: None,
            work: 0,
        })
    }

    /// The same, available sooner: a circuit that takes long to compile is compiled once there
    /// is enough work for it.
    ///
    /// # Errors
    /// As [`Tiles::new`].
    ///
    /// ```
    /// use engine::{Tiles, World};
    /// use grid::Point;
    ///
    /// let mut world = Tiles::with_deferred_circuit("WireWorld".parse()?)?;
    /// for (x, state) in [(0, 2), (1, 1), (2, 3), (3, 3)] {
    ///     world.set(Point::new(x, 0), state)?; // a tail, a head, two of copper
    /// }
    /// world.advance(&1u32.into(), &mut |_| true)?;
    /// assert_eq!([0, 1, 2, 3].map(|x| world.get(Point::new(x, 0))), [3, 2, 1, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_deferred_circuit(rule: Rule) -> Result<Self, UnsupportedError> {
        let is_soon = rule.states() == 2;
        if is_soon || rule.fills_plane() || rule.time_period() > 2 {
            return Self::new(rule);
        }
        UnsupportedError::check_background(NAME, &rule)?;
        Ok(Self {
            representation: TileRepresentation::Bytes(TileField::new(
                ByteTileCells::compile(&rule),
                *rule.topology(),
            )),
            generation: BigInt::zero(),
            rule,
            room: DEFAULT_BYTES,
            is_out_of_memory: false,
            before_circuit: Some(CELLS_BEFORE_CIRCUIT),
            work: 0,
        })
    }

    /// Switches to the rule's circuit, if it has one; `odd` is the parity of the generation.
    fn make_circuit(&mut self, odd: bool) {
        self.before_circuit = None;
        let Some(planes) = PlaneTileCells::compile(&self.rule) else {
            return;
        };
        let mut runs = Vec::new();
        let plane = self.representation.plane();
        plane.runs(whole_plane(), odd, &mut |run| runs.push(run));
        let mut field = TileField::new(planes, *self.rule.topology());
        field.write(&mut |f| runs.iter().copied().for_each(&mut *f), odd);
        self.representation = TileRepresentation::Planes(field);
    }

    /// The same world with a memory limit: it refuses patterns whose tiles would exceed it, and
    /// stops when its tiles do, see [`World::memory_limit_error`].
    ///
    /// ```
    /// use engine::{Tiles, World};
    /// use grid::Point;
    ///
    /// let rule = "B1/S012345678".parse()?;
    /// let mut world = Tiles::new(rule)?.with_memory_limit(1 << 21);
    /// world.set(Point::new(0, 0), 1)?;
    /// assert!(world.advance(&100_000u32.into(), &mut |_| true).is_err()); // it grows without end
    /// assert_eq!(world.memory_limit_error().unwrap().limit, 1 << 21);
    /// assert!(world.population() > 2u32.into()); // at the last generation that fits
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_memory_limit(self, bytes: u64) -> Self {
        Self {
            room: bytes,
            ..self
        }
    }

    /// The same world, stepped by this many threads. The results are the same.
    ///
    /// ```
    /// use engine::{Tiles, World};
    /// use grid::Point;
    ///
    /// let mut world = Tiles::new("B3/S23".parse()?)?.with_threads(2);
    /// for (x, y) in [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)] {
    ///     world.set(Point::new(x, y), 1)?;
    /// }
    /// world.advance(&1103u32.into(), &mut |_| true)?;
    /// assert_eq!(world.population(), 116u32.into()); // as with one thread
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.representation.plane_mut().set_threads(threads);
        self
    }

    /// The part of a run that lies on the grid.
    fn cut(&self, run: Run) -> Option<Run> {
        if *self.rule.topology() == Topology::Unbounded {
            return Some(run);
        }
        let grid = edges::grid(*self.rule.topology());
        let inside = Rect::new(run.x, run.y, run.length, 1).intersection(&grid);
        (!inside.is_empty()).then_some(Run {
            x: inside.x,
            length: inside.width,
            ..run
        })
    }

    /// Checks that a pattern's tiles fit in memory. Returns their number if they are many.
    fn check_capacity_for(&self, cells: &Cells) -> Result<usize, UnsupportedError> {
        let (wide, tall, bytes) = self.representation.plane().tile();
        let most = self.room / bytes;
        let mut at_most = 0_u64;
        let mut places = HashSet::new();
        let mut last = None;
        if let Some(all) = tiles_around(cells, wide, tall).filter(|all| *all <= most) {
            // most of them are needed if that many cells live
            let is_dense = cells.population() / 64_u64 >= all.into();
            return Ok(if is_dense { all as usize } else { 0 });
        }
        cells.for_each_run(&mut |run| {
            let Some(run) = self.cut(run) else { return };
            at_most = at_most.saturating_add(run.length / wide + 2);
        });
        if at_most <= most {
            return Ok(0);
        }
        cells.for_each_run(&mut |run| {
            let Some(run) = self.cut(run) else { return };
            let (wide, tall) = (wide as i64, tall as i64);
            let right = run.x.saturating_add_unsigned(run.length - 1);
            for x in run.x.div_euclid(wide)..=right.div_euclid(wide) {
                let place = (x, run.y.div_euclid(tall));
                if places.len() as u64 > most {
                    break;
                }
                if last != Some(place) {
                    places.insert(place);
                    last = Some(place);
                }
            }
        });
        if places.len() as u64 <= most {
            return Ok(places.len());
        }
        Err(self.too_large(cells))
    }

    /// Refuses a population too large for the tiles that fit. It is quick even for quadtrees
    /// with more cells than could be listed.
    fn check_population(&self, cells: &Cells) -> Result<(), UnsupportedError> {
        let (wide, tall, bytes) = self.representation.plane().tile();
        // Cells outside a grid take no memory.
        let is_endless = *self.rule.topology() == Topology::Unbounded;
        if is_endless && cells.population() / (wide * tall) > (self.room / bytes).into() {
            return Err(self.too_large(cells));
        }
        Ok(())
    }

    fn too_large(&self, cells: &Cells) -> UnsupportedError {
        let (_, _, bytes) = self.representation.plane().tile();
        unsupported(format!(
            "a pattern of {} live cells in more than {} tiles: they would not fit {} MiB",
            cells.population(),
            self.room / bytes,
            self.room >> 20
        ))
    }

    fn odd(&self) -> bool {
        self.generation.bit(0)
    }

    /// Columns and rows of a tile.
    fn tile_size(&self) -> (usize, usize) {
        let (wide, tall, _) = self.representation.plane().tile();
        (wide as usize, tall as usize)
    }

    /// Tiles up to which a step fits in memory.
    fn max_tiles(&self) -> usize {
        let (_, _, bytes) = self.representation.plane().tile();
        usize::try_from(self.room / bytes).unwrap_or(usize::MAX)
    }

    /// Whether no tile is larger than a pixel.
    fn tiles_fit_in_pixels(&self, view: &View) -> bool {
        let (wide, tall, _) = self.representation.plane().tile();
        view.scale >= wide.max(tall).next_power_of_two().ilog2()
    }
}

impl FingerprintedWorld for Tiles {
    fn fingerprint(&mut self) -> u64 {
        let odd = self.odd();
        self.representation.plane_mut().fingerprint(odd)
    }
}

impl World for Tiles {
    fn engine(&self) -> &'static str {
        NAME
    }

    fn kernel(&self) -> String {
        let later = self
            .before_circuit
            .and_then(|_| PlaneTileCells::compile(&self.rule));
        match later {
            Some(planes) => TileField::new(planes, *self.rule.topology()).describe(),
            None => self.representation.plane().describe(),
        }
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        let odd = self.odd();
        if generation.bit(0) != odd {
            self.representation.plane_mut().before_time_changes(odd);
        }
        self.generation = generation;
    }

    fn get(&self, p: Point) -> State {
        self.representation.plane().get(p, self.odd())
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state(NAME, &self.rule, state)?;
        let run = Run {
            y: p.y,
            x: p.x,
            length: 1,
            state,
        };
        check_place(run)?;
        if !self.rule.topology().contains(p) {
            let what = format!("the cell {}, {}: it lies outside the grid", p.x, p.y);
            return Err(unsupported(what));
        }
        let odd = self.odd();
        self.representation.plane_mut().write(&mut |f| f(run), odd);
        Ok(())
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        if self.before_circuit.is_some() && cells.population() > CELLS_WORTH_A_CIRCUIT.into() {
            self.make_circuit(self.odd());
        }
        self.check_population(cells)?;
        UnsupportedError::check_run_count(NAME, cells)?;
        let is_known = UnsupportedError::check_state(NAME, &self.rule, cells.max_state()).is_ok();
        if !is_known || !cells.bounds().is_none_or(|bounds| is_within_reach(&bounds)) {
            let mut problem = Ok(());
            cells.for_each_run(&mut |run| {
                if problem.is_ok() {
                    problem = UnsupportedError::check_state(NAME, &self.rule, run.state)
                        .and_then(|()| self.cut(run).map_or(Ok(()), check_place));
                }
            });
            problem?;
            let topology = self.rule.topology();
            UnsupportedError::check_reach(NAME, topology, cells, MAX_COORDINATE)?;
        }
        let tiles = self.check_capacity_for(cells)?;
        self.representation.plane_mut().reserve(tiles);
        let odd = self.odd();
        if *self.rule.topology() == Topology::Unbounded {
            let plane = self.representation.plane_mut();
            let tree = cells.as_tree();
            if !tree.is_some_and(|tree| plane.write_tree(tree, odd)) {
                plane.write(&mut |f| cells.for_each_run(f), odd);
            }
        } else {
            let mut kept = Vec::new();
            cells.for_each_run(&mut |run| kept.extend(self.cut(run)));
            let plane = self.representation.plane_mut();
            plane.write(&mut |f| kept.iter().copied().for_each(&mut *f), odd);
        }
        Ok(())
    }

    fn cells(&self) -> Cells {
        let mut runs = Vec::new();
        self.runs_in(whole_plane(), &mut |run| runs.push(run));
        Cells::from_runs(runs)
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        self.representation.plane().runs(rect, self.odd(), f);
    }

    fn bits_in(&self, rect: Rect, bits: &mut Vec<u8>) {
        let mut bitmap = Bitmap::new(rect, bits);
        self.representation
            .plane()
            .visit_rows(rect, self.odd(), &mut bitmap);
    }

    fn states_in(&self, rect: Rect, states: &mut Vec<State>) {
        states.clear();
        states.resize((rect.width * rect.height) as usize, 0);
        self.representation.plane().states(rect, self.odd(), states);
    }

    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        let Some(seen) = view.cells() else { return };
        if self.tiles_fit_in_pixels(view) {
            let plane = self.representation.plane();
            let mut counter = CoarsePixelCounter::new(view, plane.tiles());
            plane.count(self.odd(), &mut counter);
            counter.finish(f);
            return;
        }
        let mut each = |row: u32, counted: PixelRowCounts<'_>| for_each_pixel(row, counted, f);
        let mut pixels = PixelCounter::new(view, &mut each);
        self.representation
            .plane()
            .visit_rows(seen, self.odd(), &mut pixels);
        pixels.finish();
    }

    fn density_rows(&self, view: &View, f: &mut dyn FnMut(u32, &[f32])) {
        if self.tiles_fit_in_pixels(view) {
            return query::rows_of_pixels(view, |g| self.density(view, g), f);
        }
        let Some(seen) = view.cells() else { return };
        let mut scratch = Vec::new();
        let mut each = |row: u32, counted: PixelRowCounts<'_>| f(row, counted.single(&mut scratch));
        let mut pixels = PixelCounter::new(view, &mut each);
        self.representation
            .plane()
            .visit_rows(seen, self.odd(), &mut pixels);
        pixels.finish();
    }

    fn write_bits(&mut self, rect: Rect, bits: &[u64]) -> Result<(), UnsupportedError> {
        let (wide, tall, bytes) = self.representation.plane().tile();
        let tiles = (rect.width / wide + 2).saturating_mul(rect.height / tall + 2);
        let is_bounded = *self.rule.topology() != Topology::Unbounded;
        if is_bounded || self.is_out_of_memory || tiles > self.room / bytes || rect.is_empty() {
            return world::write_bits(self, rect, bits);
        }
        for y in [rect.y, rect.bottom() - 1] {
            check_place(Run {
                y,
                x: rect.x,
                length: rect.width,
                state: 0,
            })?;
        }
        let odd = self.odd();
        let plane = self.representation.plane_mut();
        plane.write(&mut |f| world::for_each_bit_run(rect, bits, f), odd);
        Ok(())
    }

    fn keep_only(&mut self, rect: Rect) {
        if rect.is_empty() {
            return self.representation.plane_mut().clear();
        }
        for side in world::around(rect) {
            self.erase(side);
        }
    }

    fn erase(&mut self, rect: Rect) {
        let odd = self.odd();
        let is_out_of_memory = self.is_out_of_memory;
        let plane = self.representation.plane_mut();
        plane.erase(rect, odd);
        if is_out_of_memory {
            // Frees empty tiles, so that the world can continue.
            let (corners, contents) = plane.pack(odd);
            plane.unpack(&corners, &contents);
        }
    }

    fn snapshot(&self) -> Snapshot {
        let (width, height) = self.tile_size();
        let (corners, contents) = self.representation.plane().pack(self.odd());
        let packed = PackedSnapshot {
            states: self.rule.states(),
            topology: *self.rule.topology(),
            width,
            height,
            corners,
            contents,
        };
        Snapshot::new(self.generation.clone(), packed)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        let size = self.tile_size();
        if let Some(packed) = snapshot.held::<PackedSnapshot>()
            && packed.fits(self.rule.states(), *self.rule.topology(), size)
            && self
                .representation
                .plane_mut()
                .unpack(&packed.corners, &packed.contents)
        {
            self.generation = snapshot.generation().clone();
            return Ok(());
        }
        world::restore(self, snapshot)
    }

    fn memory_limit_error(&self) -> Option<MemoryLimitError> {
        self.is_out_of_memory.then_some(MemoryLimitError {
            engine: NAME,
            limit: self.room,
        })
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut progress = AdvanceProgress::new(n, self.odd(), control);
        let result = loop {
            progress.most = self.max_tiles();
            progress.enough = self.before_circuit.unwrap_or(u64::MAX);
            let result = self.representation.plane_mut().advance(&mut progress);
            let Some(left) = &mut self.before_circuit else {
                break result;
            };
            *left = left.saturating_sub(std::mem::take(&mut progress.worked));
            let is_over = result.is_err() || progress.left() == 0;
            if is_over && !progress.is_out_of_memory {
                break result;
            }
            self.make_circuit(progress.odd());
        };
        self.is_out_of_memory = progress.is_out_of_memory;
        self.work += progress.work;
        self.generation += BigInt::from(progress.total());
        result
    }

    fn set_memory_limit(&mut self, bytes: u64) {
        self.room = bytes;
    }

    fn work(&self) -> Option<u64> {
        Some(self.work)
    }

    fn finish_pending_work(&mut self) {
        let odd = self.odd();
        self.representation.plane_mut().finish_pending_work(odd);
    }

    fn bytes(&self) -> u64 {
        self.representation.plane().bytes()
    }

    fn population(&self) -> BigUint {
        self.representation.plane().population(self.odd()).into()
    }

    fn bounds(&self) -> Option<Bounds> {
        self.representation
            .plane()
            .bounds(self.odd())
            .map(Bounds::from)
    }

    fn hash(&self) -> CellHash {
        let (plane, odd) = (self.representation.plane(), self.odd());
        plane
            .bounds(odd)
            .map_or(CellHash::EMPTY, |b| plane.hash(odd).relative_to(b.x, b.y))
    }
}

/// A source of runs of cells.
type CellRunSource<'a> = dyn FnMut(&mut dyn FnMut(Run)) + 'a;

fn unsupported(what: String) -> UnsupportedError {
    UnsupportedError { engine: NAME, what }
}

/// Whether all cells of a box are within the accepted range.
fn is_within_reach(bounds: &Bounds) -> bool {
    let far = BigInt::from(MAX_COORDINATE);
    let within =
        |low: &BigInt, side: &BigUint| *low >= -&far && low + BigInt::from(side.clone()) <= far;
    within(&bounds.x, &bounds.width) && within(&bounds.y, &bounds.height)
}

/// The most tiles that cells in such a box can lie in.
fn tiles_around(cells: &Cells, wide: u64, tall: u64) -> Option<u64> {
    let Some(bounds) = cells.bounds() else {
        return Some(0);
    };
    let across = bounds.width.to_u64()? / wide + 2;
    across.checked_mul(bounds.height.to_u64()? / tall + 2)
}

fn check_place(run: Run) -> Result<(), UnsupportedError> {
    let end = i128::from(run.x) + i128::from(run.length) - 1;
    let near = |c: i128| c.abs() <= i128::from(MAX_COORDINATE);
    if near(run.x.into()) && near(end) && near(run.y.into()) {
        return Ok(());
    }
    Err(unsupported(format!(
        "the cell ({}, {}): it reaches 2^62 cells from the origin",
        if near(run.x.into()) {
            end
        } else {
            run.x.into()
        },
        run.y
    )))
}

/// A rectangle that contains every cell a world can have.
fn whole_plane() -> Rect {
    Rect::new(-i64::MAX, -i64::MAX, u64::MAX - 1, u64::MAX - 1)
}
