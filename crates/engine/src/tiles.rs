//! The plane, with or without edges, cut into tiles; only tiles where something changes are stepped.
//!
//! The decision that shapes this engine: a tile is as still as the world is after *two*
//! generations, so that ash costs nothing, blinkers included. Comparing neighbouring
//! generations is simpler and lost, since a settled soup is full of blinkers. What moves and
//! meets nothing is gliders, and they are not stepped either: see `ships`.
//!
//! Three representations: tiles of bits that are moved on by four generations at once, for
//! two-state rules of radius 1; tiles of bit planes for other rules that make a small
//! circuit; and tiles of bytes for the rest. The latter two are one [`TileField`].

mod bit;
mod byte;
mod coarse_pixels;
mod double_buffer;
mod edges;
mod field;
mod frontier_pass;
mod links;
mod map;
mod plane;
mod rect;
mod scheduler;
mod ships;
mod wake_flags;

use crate::query::{
    self, Bitmap, BlockCells, LiveRowVisitor, PackedSnapshot, PixelCounter, PixelRowCounts,
    for_each_pixel,
};
use crate::{
    AdvanceCallback, AdvanceInterruption, MemoryLimitError, Snapshot, UnsupportedError, View, World,
};
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

/// Cells are taken up to this far out, so that growing past `i64` would take longer than
/// any computer lasts.
const MAX_COORDINATE: i64 = 1 << 62;

/// Bytes that the tiles of a pattern may take unless told otherwise.
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
    /// Whether the last run stopped for want of room.
    is_out_of_memory: bool,
    /// Cells that are still worked out from a table, before the rule's circuit is made.
    before_circuit: Option<u64>,
}

/// Cells that a table works out about while a circuit is made. Circuits of rule tables take some
/// hundredths of a second to make, and are quicker from then on: small jobs are over by then.
const CELLS_BEFORE_CIRCUIT: u64 = 1 << 20;

/// A pattern of more cells is worth a circuit at once.
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

/// An unbounded plane of tiles of some kind. `odd` is the parity of the present
/// generation.
trait TilePlane {
    /// The kernel, in words.
    fn describe(&self) -> String;

    /// A tile's columns and rows, and the bytes that it takes.
    fn tile(&self) -> (u64, u64, u64);

    /// Before the parity of time is changed from outside.
    fn before_time_changes(&mut self, odd: bool);

    /// See [`World::settle`].
    fn settle(&mut self, _odd: bool) {}

    fn get(&self, p: Point, odd: bool) -> State;

    /// So many tiles come: makes room for them at once, where more and more of it would be taken
    /// while what there is is copied.
    fn reserve(&mut self, _tiles: usize) {}

    /// Sets cells to states, as runs.
    fn write(&mut self, runs: &mut CellRunSource<'_>, odd: bool);

    /// Sets the cells of a quadtree that live, where it can square by square; whether it can.
    fn write_tree(&mut self, _tree: &Tree, _odd: bool) -> bool {
        false
    }

    /// Moves on by up to `progress.left` generations; stops when told to.
    fn advance(
        &mut self,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption>;

    fn population(&self, odd: bool) -> u64;

    fn bounds(&self, odd: bool) -> Option<Rect>;

    /// The hash of all cells, relative to the origin.
    fn hash(&self, odd: bool) -> CellHash;

    /// The live cells as runs, cut to `rect`, row by row and left to right.
    fn runs(&self, rect: Rect, odd: bool, f: &mut dyn FnMut(Run));

    /// Shows all rows of tiles that have cells of `rect`.
    fn visit_rows(&self, rect: Rect, odd: bool, visitor: &mut dyn LiveRowVisitor);

    /// The states of the cells of `rect`, a byte each; `states` holds zeros.
    fn states(&self, rect: Rect, odd: bool, states: &mut [State]);

    /// Counts the cells of all tiles that are seen.
    fn count(&self, odd: bool, counter: &mut CoarsePixelCounter);

    /// Empties the cells of `rect`.
    fn erase(&mut self, rect: Rect, odd: bool);

    /// Takes all tiles away.
    fn clear(&mut self);

    /// The tiles that live, by their top-left cells, with their cells.
    fn pack(&self, odd: bool) -> (Vec<Point>, BlockCells);

    /// Takes cells over that a plane of such tiles gave, in place of its own. Whether it
    /// can.
    fn unpack(&mut self, corners: &[Point], contents: &BlockCells) -> bool;

    /// How many tiles are held.
    fn tiles(&self) -> usize;

    /// Bytes that they take, with the room that there is for more.
    fn bytes(&self) -> u64;

    /// How many threads may step it.
    fn set_threads(&mut self, threads: usize);
}

impl Tiles {
    /// An empty world at generation 0.
    ///
    /// # Errors
    /// When the rule changes with more than two generations, or brings life where nothing
    /// was.
    pub fn new(rule: Rule) -> Result<Self, UnsupportedError> {
        UnsupportedError::unless_empty_stays(NAME, &rule)?;
        // On a grid such a rule can run, but leaves no tile asleep.
        if rule.fills_plane() {
            return Err(unsupported(format!(
                "{rule}: it brings life where nothing was; the torus engine does"
            )));
        }
        // Tiles that sleep count on what comes back after two generations.
        if rule.time_period() > 2 {
            return Err(unsupported(format!(
                "a rule that changes with {} generations",
                rule.time_period()
            )));
        }
        let topology = *rule.topology();
        // Edges are looked at between any two generations.
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
        })
    }

    /// The same, ready sooner: where the rule's circuit would take long to make, it is made once
    /// there is enough to do for it.
    ///
    /// # Errors
    /// As [`Tiles::new`].
    pub fn ready_soon(rule: Rule) -> Result<Self, UnsupportedError> {
        let is_soon = rule.states() == 2;
        if is_soon || rule.fills_plane() || rule.time_period() > 2 {
            return Self::new(rule);
        }
        UnsupportedError::unless_empty_stays(NAME, &rule)?;
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
        })
    }

    /// Goes on with the rule's circuit, if it has one; `odd` is the parity of the generation.
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

    /// The same world, which loads no pattern whose tiles would take more than `bytes`,
    /// and stops when its tiles have come to take more: see [`World::exhausted`].
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self {
            room: bytes,
            ..self
        }
    }

    /// The same world, moved on by so many threads. The results are the same.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.representation.plane_mut().set_threads(threads);
        self
    }

    /// What of a run lies on the grid.
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

    /// Whether a pattern's tiles fit the room that there is. Gives how many they are, where they
    /// are many.
    fn check_capacity_for(&self, cells: &Cells) -> Result<usize, UnsupportedError> {
        let (wide, tall, bytes) = self.representation.plane().tile();
        let most = self.room / bytes;
        let mut at_most = 0_u64;
        let mut places = HashSet::new();
        let mut last = None;
        if let Some(all) = tiles_around(cells, wide, tall).filter(|all| *all <= most) {
            // most of them are needed where that many cells live
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

    /// Refuses what lives too much for the tiles that there is room for. Of a quadtree with more
    /// cells than anybody could list this is soon told.
    fn check_population(&self, cells: &Cells) -> Result<(), UnsupportedError> {
        let (wide, tall, bytes) = self.representation.plane().tile();
        // What lies outside a grid takes no room.
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

    /// Tiles up to which there is room for a step.
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
        UnsupportedError::unless_state(NAME, &self.rule, state)?;
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
        UnsupportedError::unless_listable(NAME, cells)?;
        let is_known = UnsupportedError::unless_state(NAME, &self.rule, cells.max_state()).is_ok();
        if !is_known || !cells.bounds().is_none_or(|bounds| is_within_reach(&bounds)) {
            let mut problem = Ok(());
            cells.for_each_run(&mut |run| {
                if problem.is_ok() {
                    problem = UnsupportedError::unless_state(NAME, &self.rule, run.state)
                        .and_then(|()| self.cut(run).map_or(Ok(()), check_place));
                }
            });
            problem?;
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

    fn erase(&mut self, rect: Rect) {
        let odd = self.odd();
        let is_out_of_memory = self.is_out_of_memory;
        let plane = self.representation.plane_mut();
        plane.erase(rect, odd);
        if is_out_of_memory {
            // Empty tiles are given up at once, so that the world can go on.
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
        query::restore(self, snapshot)
    }

    fn exhausted(&self) -> Option<MemoryLimitError> {
        self.is_out_of_memory.then_some(MemoryLimitError {
            engine: NAME,
            allowed: self.room,
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
        self.generation += BigInt::from(progress.total());
        result
    }

    fn allow(&mut self, bytes: u64) {
        self.room = bytes;
    }

    fn settle(&mut self) {
        let odd = self.odd();
        self.representation.plane_mut().settle(odd);
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

/// Gives runs of cells, one after another.
type CellRunSource<'a> = dyn FnMut(&mut dyn FnMut(Run)) + 'a;

/// How far a call of [`World::advance`] has come.
struct AdvanceProgress<'a, 'c> {
    /// Generations to go, without those in `beyond`. At least [`FEW`] while there are any.
    left: u64,
    beyond: BigUint,
    /// Generations done, without those in `counted`.
    recent: u64,
    counted: BigUint,
    /// Whether the present generation is odd.
    odd: bool,
    /// Tiles up to which there is room for a step.
    most: usize,
    /// Whether there was none.
    is_out_of_memory: bool,
    /// Cells that were worked out, and after how many of them no further step is begun: some
    /// planes count them.
    worked: u64,
    enough: u64,
    control: &'a mut AdvanceCallback<'c>,
}

/// Generations that may be done at once, at most.
const FEW: u64 = 4;

impl<'a, 'c> AdvanceProgress<'a, 'c> {
    fn new(n: &BigUint, odd: bool, control: &'a mut AdvanceCallback<'c>) -> Self {
        let mut progress = Self {
            left: 0,
            beyond: n.clone(),
            recent: 0,
            counted: BigUint::zero(),
            odd,
            most: usize::MAX,
            is_out_of_memory: false,
            worked: 0,
            enough: u64::MAX,
            control,
        };
        progress.refill();
        progress
    }

    fn refill(&mut self) {
        /// Room above it for the few generations that may be left.
        const MOST: u64 = 1 << 62;
        if self.left < FEW && !self.beyond.is_zero() {
            let part = self.beyond.to_u64().map_or(MOST, |b| b.min(MOST));
            self.beyond -= part;
            self.left += part;
        }
    }

    /// Generations to go: all of them when fewer than [`FEW`], and at least so many when
    /// there are more.
    fn left(&self) -> u64 {
        self.left
    }

    fn odd(&self) -> bool {
        self.odd
    }

    fn done(&mut self, generations: u64) {
        self.left -= generations;
        self.recent += generations;
        self.odd ^= generations % 2 == 1;
        if self.left < FEW {
            self.counted += std::mem::take(&mut self.recent);
            self.refill();
        }
    }

    /// As if all that is left had been done but what is less than a round of so many
    /// generations, which are even.
    fn skip_rounds(&mut self, generations: u64) {
        let rest = std::mem::take(&mut self.beyond) + self.left;
        let left = &rest % generations;
        self.left = left.to_u64().expect("a rest is smaller than its divisor");
        self.counted += rest - self.left;
    }

    fn total(&self) -> BigUint {
        &self.counted + self.recent
    }

    /// Before a step of so many tiles: whether there is room for what it may bring.
    fn check_capacity(&mut self, tiles: usize) -> Result<(), AdvanceInterruption> {
        self.is_out_of_memory = tiles > self.most;
        if self.is_out_of_memory {
            Err(AdvanceInterruption)
        } else {
            Ok(())
        }
    }

    fn poll(&mut self) -> Result<(), AdvanceInterruption> {
        let total = self.total();
        if (self.control)(&total) {
            Ok(())
        } else {
            Err(AdvanceInterruption)
        }
    }
}

fn unsupported(what: String) -> UnsupportedError {
    UnsupportedError { engine: NAME, what }
}

/// Whether all cells of a box may be taken.
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

/// Room for every cell that a world can have.
fn whole_plane() -> Rect {
    Rect::new(-i64::MAX, -i64::MAX, u64::MAX - 1, u64::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_beyond_a_word() {
        for n in [0_u32, 1, 2, 4, 7].map(|k| (BigUint::from(1_u32) << 200) + k) {
            let mut yes = |_: &BigUint| true;
            let mut progress = AdvanceProgress::new(&n, false, &mut yes);
            progress.done(1);
            progress.done(2);
            progress.skip_rounds(4);
            assert_eq!(progress.total() + progress.left(), n);
            assert_eq!(BigUint::from(progress.left()), (n - 3_u32) % 4_u32);
            assert!(progress.odd());
        }
    }

    #[test]
    fn progress_goes_from_part_to_part() {
        let n = (BigUint::from(1_u32) << 63) + 1_u32;
        let mut yes = |_: &BigUint| true;
        let mut progress = AdvanceProgress::new(&n, true, &mut yes);
        while progress.left() > 1 {
            progress.done(progress.left() & !1);
        }
        assert_eq!(progress.left(), 1);
        progress.done(1);
        assert_eq!((progress.left(), progress.total()), (0, n));
    }
}
