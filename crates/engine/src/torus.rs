//! Bounded grids: every cell in every generation, at the speed of memory.
//!
//! Rules with a circuit of reasonable size are held as bits, in planes if they have more than
//! two states; all others as bytes. A margin around the grid holds what lies beyond its edges
//! and is filled for each generation, so the kernels are independent of the topology.

mod bits;
mod bytes;
mod large_radius;

use crate::cycle::FingerprintedWorld;
use crate::fingerprint::Fingerprint;
use crate::query::{
    Bitmap, BlockCells, LiveExtent, LiveHash, LiveRowVisitor, PackedSnapshot, PixelCounter,
    PixelRowCounts, WordSegment, for_each_pixel, shifted,
};
use crate::{
    AdvanceCallback, AdvanceInterruption, Snapshot, UnsupportedError, View, World, phase, world,
};
use bits::{BitSheet, SheetKernel};
use bytes::ByteSheet;
use grid::{CellHash, Point, Rect, State};
use kernel::{CellKernel, LargeRadiusKernel};
use large_radius::LargeRadiusSheet;
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use pattern::interrupt::{Checkpoints, checkpoint};
use pattern::{Bounds, Cells, Run};
use rule::{Rule, Topology};
use std::{fmt, ops::Range};

/// A world with edges: a plane, a torus, a Klein bottle, a cross-surface or a sphere of
/// finite size.
///
/// ```
/// use engine::{Torus, World};
/// use grid::Point;
/// let mut world = Torus::new("B3/S23:T8,8".parse()?)?;
/// for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
///     world.set(Point::new(x, y), 1)?;
/// }
/// let start = world.cells();
/// world.advance(&32u32.into(), &mut |_| true)?; // the glider goes once around
/// assert_eq!(world.cells(), start);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Torus {
    rule: Rule,
    rect: Rect,
    generation: BigInt,
    sheet: Box<dyn TorusSheet>,
}

/// The largest buffer in bytes; a world has two, or four small ones.
const MAX_BUFFER_BYTES: u64 = 1 << 32;

/// Cells to read between two checkpoints: some milliseconds.
const CELLS_PER_CHECKPOINT: u64 = 1 << 22;

/// Bytes up to which bits are used even if bytes would take less: a very narrow grid uses few
/// bits of each word.
const SMALL_BYTES: u64 = 1 << 26;

/// Storage of a grid's cells, with its kernel. Columns and rows count from the grid's top-left
/// cell.
trait TorusSheet: Send {
    fn get(&self, x: usize, y: usize) -> State;

    fn put(&mut self, x: usize, y: usize, state: State);

    /// Advances by some generations; `phase` is the first one modulo the rule's period. During
    /// long generations `keep_going` is polled; returns the number of generations done before
    /// it returned false. A partial generation is kept until a cell is set, so that repeated
    /// interruptions do not prevent progress.
    fn advance(
        &mut self,
        phase: u64,
        generations: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> u64;

    /// Generations between two polls: at most 20 milliseconds of work, or one.
    fn generations_per_poll(&self) -> u64;

    /// Sets the number of threads, at least 1.
    fn set_threads(&mut self, threads: usize);

    /// The live cells of row `y` from `from` up to but not including `to`, as runs: start,
    /// length and state.
    fn runs(&self, y: usize, from: usize, to: usize, f: &mut dyn FnMut(usize, usize, State));

    /// The live cells of row `y`: bit b of word w is cell 64 w + b; all other bits are 0.
    fn live(&self, y: usize, words: &mut Vec<u64>);

    /// The states of the cells of row `y` from `from` on; `states` holds zeros.
    fn states(&self, y: usize, from: usize, states: &mut [State]);

    /// Empties the cells of some rows from `from` up to but not including `to`.
    fn erase(&mut self, rows: Range<usize>, from: usize, to: usize);

    /// Adds all cells.
    fn print(&self, print: &mut Fingerprint);

    /// All cells, row by row.
    fn pack(&self) -> BlockCells;

    /// Replaces the cells by those that a sheet of this size has packed. Whether it can.
    fn unpack(&mut self, contents: &BlockCells) -> bool;

    fn population(&self) -> u64;

    /// Bytes of its buffers.
    fn bytes(&self) -> u64;

    /// Describes the kernel.
    fn describe(&self) -> String;
}

impl Torus {
    /// An empty world at generation 0.
    ///
    /// # Errors
    /// When the rule's topology has an infinite side, or the grid is too large to be held cell
    /// by cell.
    pub fn new(rule: Rule) -> Result<Self, UnsupportedError> {
        Self::with_memory_limit(rule, u64::MAX)
    }

    /// The same with a limit on the size of its buffers.
    ///
    /// # Errors
    /// When they would exceed it, and as [`Torus::new`].
    ///
    /// ```
    /// use engine::Torus;
    ///
    /// let rule: rule::Rule = "B3/S23:T4096,4096".parse()?;
    /// assert!(Torus::with_memory_limit(rule.clone(), 1 << 30).is_ok());
    /// let error = Torus::with_memory_limit(rule, 1 << 20).err().unwrap();
    /// assert!(error.to_string().ends_with("it would not fit 1 MiB"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_memory_limit(rule: Rule, bytes: u64) -> Result<Self, UnsupportedError> {
        let refuse = |what: String| UnsupportedError {
            engine: "torus",
            what,
        };
        let topology = *rule.topology();
        let Some(rect) = topology.rect() else {
            return Err(refuse(match topology {
                Topology::Unbounded => {
                    "an unbounded plane: it needs a grid, as in `:T100,50`".into()
                }
                _ => format!("a grid with an infinite side, as in `{topology}`"),
            }));
        };
        let cells = rect.width.saturating_mul(rect.height);
        let largest = MAX_BUFFER_BYTES.min(bytes / 2);
        let bits = SheetKernel::compile(&rule).filter(|kernel| {
            let bytes = BitSheet::bytes(rect.width, rect.height, kernel);
            let is_less =
                bytes <= SMALL_BYTES.max(cells.min(MAX_BUFFER_BYTES)) || cells > MAX_BUFFER_BYTES;
            is_less && bytes <= largest
        });
        let sheet: Box<dyn TorusSheet> = match bits {
            Some(kernel) => Box::new(BitSheet::new(kernel, topology, rect)),
            None if cells <= largest => match Self::large_radius_kernel(&rule, rect, largest) {
                Some(kernel) => Box::new(LargeRadiusSheet::new(kernel, topology, rect)),
                None => Box::new(ByteSheet::new(CellKernel::compile(&rule), topology, rect)),
            },
            None => {
                let (w, h) = (rect.width, rect.height);
                let room = match largest {
                    MAX_BUFFER_BYTES => String::new(),
                    _ => format!(": it would not fit {} MiB", bytes >> 20),
                };
                return Err(refuse(format!(
                    "a grid as large as {w} x {h} under this rule{room}"
                )));
            }
        };
        Ok(Self {
            rule,
            rect,
            generation: BigInt::ZERO,
            sheet,
        })
    }

    /// The same world, stepped by this many threads; 0 means 1. Small grids use fewer.
    ///
    /// ```
    /// use engine::{Torus, World};
    /// use grid::Point;
    ///
    /// let mut world = Torus::new("B3/S23:T8,8".parse()?)?.with_threads(2);
    /// world.set(Point::new(0, 0), 1)?;
    /// world.advance(&1u32.into(), &mut |_| true)?;
    /// assert_eq!(world.population(), 0u32.into()); // a lone cell dies
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.sheet.set_threads(threads.max(1));
        self
    }

    /// A kernel for sums of large neighbourhoods, if the rule depends on such sums and the grid
    /// is wide enough to fill its vector lanes.
    fn large_radius_kernel(rule: &Rule, rect: Rect, largest: u64) -> Option<LargeRadiusKernel> {
        let bytes = LargeRadiusKernel::row_bytes(rule, rect.width).saturating_mul(rect.height);
        let cells = rect.width.saturating_mul(rect.height);
        (bytes <= SMALL_BYTES.max(cells.saturating_mul(2)) && bytes <= largest)
            .then(|| LargeRadiusKernel::compile(rule, rect.width as usize))
            .flatten()
    }

    /// Visits all rows of the grid that overlap `rect`.
    fn visit_rows(&self, rect: Rect, visitor: &mut dyn LiveRowVisitor) {
        let inside = rect.intersection(&self.rect);
        if inside.is_empty() {
            return;
        }
        let segment = WordSegment::over(inside.x, inside.right());
        visitor.band(&[segment]);
        let first = 64 * segment.first - self.rect.x;
        let (mut cells, mut words) = (Vec::new(), vec![0; segment.words]);
        for y in inside.y..inside.bottom() {
            self.sheet.live((y - self.rect.y) as usize, &mut cells);
            shifted(&cells, first, &mut words);
            visitor.row(y, &words);
        }
    }

    /// Columns and rows of the grid.
    fn size(&self) -> (usize, usize) {
        (self.rect.width as usize, self.rect.height as usize)
    }

    /// Column and row of a cell of the grid.
    fn place(&self, p: Point) -> Option<(usize, usize)> {
        let inside = self.rect.contains(p);
        inside.then(|| ((p.x - self.rect.x) as usize, (p.y - self.rect.y) as usize))
    }
}

impl fmt::Debug for Torus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Torus")
            .field("rule", &self.rule.to_string())
            .field("generation", &self.generation)
            .finish_non_exhaustive()
    }
}

impl FingerprintedWorld for Torus {
    fn fingerprint(&mut self) -> u64 {
        let mut print = Fingerprint::new();
        self.sheet.print(&mut print);
        print.finish()
    }
}

impl World for Torus {
    fn engine(&self) -> &'static str {
        "torus"
    }

    fn kernel(&self) -> String {
        self.sheet.describe()
    }

    fn rule(&self) -> &Rule {
        &self.rule
    }

    fn generation(&self) -> &BigInt {
        &self.generation
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.generation = generation;
    }

    fn get(&self, p: Point) -> State {
        self.place(p).map_or(0, |(x, y)| self.sheet.get(x, y))
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state("torus", &self.rule, state)?;
        let Some((x, y)) = self.place(p) else {
            return Err(UnsupportedError {
                engine: "torus",
                what: format!("the cell {}, {}: it lies outside the grid", p.x, p.y),
            });
        };
        self.sheet.put(x, y, state);
        Ok(())
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        UnsupportedError::check_state("torus", &self.rule, cells.max_state())?;
        UnsupportedError::check_run_count("torus", cells)?;
        let mut checkpoints = Checkpoints::new();
        cells.for_each_run(&mut |run| {
            let inside = Rect::new(run.x, run.y, run.length, 1).intersection(&self.rect);
            if inside.is_empty() {
                return;
            }
            let y = (run.y - self.rect.y) as usize;
            let first = (inside.x - self.rect.x) as usize;
            for x in first..first + inside.width as usize {
                checkpoints.step();
                self.sheet.put(x, y, run.state);
            }
        });
        Ok(())
    }

    fn cells(&self) -> Cells {
        let mut runs = Vec::new();
        self.runs_in(self.rect, &mut |run| runs.push(run));
        Cells::from_runs(runs)
    }

    fn runs_in(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        let inside = rect.intersection(&self.rect);
        if inside.is_empty() {
            return;
        }
        let from = (inside.x - self.rect.x) as usize;
        let to = from + inside.width as usize;
        let mut looked = 0;
        for y in inside.y..inside.bottom() {
            looked += inside.width;
            if looked > CELLS_PER_CHECKPOINT {
                looked = 0;
                checkpoint();
            }
            let row = (y - self.rect.y) as usize;
            self.sheet.runs(row, from, to, &mut |x, length, state| {
                f(Run {
                    y,
                    x: self.rect.x + x as i64,
                    length: length as u64,
                    state,
                });
            });
        }
    }

    fn bits_in(&self, rect: Rect, bits: &mut Vec<u8>) {
        self.visit_rows(rect, &mut Bitmap::new(rect, bits));
    }

    fn states_in(&self, rect: Rect, states: &mut Vec<State>) {
        states.clear();
        states.resize((rect.width * rect.height) as usize, 0);
        let inside = rect.intersection(&self.rect);
        if inside.is_empty() {
            return;
        }
        let (width, from) = (rect.width as usize, inside.x.abs_diff(rect.x) as usize);
        let column = (inside.x - self.rect.x) as usize;
        for y in inside.y..inside.bottom() {
            let start = y.abs_diff(rect.y) as usize * width + from;
            let row = &mut states[start..start + inside.width as usize];
            self.sheet.states((y - self.rect.y) as usize, column, row);
        }
    }

    fn density(&self, view: &View, f: &mut dyn FnMut(u32, u32, f64)) {
        let Some(seen) = view.cells() else { return };
        let mut each = |row: u32, counted: PixelRowCounts<'_>| for_each_pixel(row, counted, f);
        let mut pixels = PixelCounter::new(view, &mut each);
        self.visit_rows(seen, &mut pixels);
        pixels.finish();
    }

    fn density_rows(&self, view: &View, f: &mut dyn FnMut(u32, &[f32])) {
        let Some(seen) = view.cells() else { return };
        let mut scratch = Vec::new();
        let mut each = |row: u32, counted: PixelRowCounts<'_>| f(row, counted.single(&mut scratch));
        let mut pixels = PixelCounter::new(view, &mut each);
        self.visit_rows(seen, &mut pixels);
        pixels.finish();
    }

    fn write_bits(&mut self, rect: Rect, bits: &[u64]) -> Result<(), UnsupportedError> {
        self.erase(rect);
        let (grid, sheet) = (self.rect, &mut self.sheet);
        let mut checkpoints = Checkpoints::new();
        world::for_each_bit_run(rect, bits, &mut |run| {
            let inside = Rect::new(run.x, run.y, run.length, 1).intersection(&grid);
            if run.state == 0 || inside.is_empty() {
                return;
            }
            let (x, y) = ((inside.x - grid.x) as usize, (inside.y - grid.y) as usize);
            for x in x..x + inside.width as usize {
                checkpoints.step();
                sheet.put(x, y, 1);
            }
        });
        Ok(())
    }

    fn erase(&mut self, rect: Rect) {
        let inside = rect.intersection(&self.rect);
        if inside.is_empty() {
            return;
        }
        let column = (inside.x - self.rect.x) as usize;
        let row = (inside.y - self.rect.y) as usize;
        let rows = row..row + inside.height as usize;
        self.sheet
            .erase(rows, column, column + inside.width as usize);
    }

    fn snapshot(&self) -> Snapshot {
        let (width, height) = self.size();
        let packed = PackedSnapshot {
            states: self.rule.states(),
            topology: *self.rule.topology(),
            width,
            height,
            corners: vec![Point::new(self.rect.x, self.rect.y)],
            contents: self.sheet.pack(),
        };
        Snapshot::new(self.generation.clone(), packed)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        if let Some(packed) = snapshot.held::<PackedSnapshot>()
            && packed.fits(self.rule.states(), *self.rule.topology(), self.size())
            && self.sheet.unpack(&packed.contents)
        {
            self.generation = snapshot.generation().clone();
            return Ok(());
        }
        world::restore(self, snapshot)
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut done = BigUint::ZERO;
        let period = self.rule.time_period() as u64;
        let mut phase = phase(&self.generation, period as u32);
        while done < *n {
            let left = (n - &done).to_u64().unwrap_or(u64::MAX);
            let batch = left.min(self.sheet.generations_per_poll());
            let moved = self.sheet.advance(phase, batch, &mut || control(&done));
            phase = (phase + moved % period) % period;
            done += moved;
            self.generation += moved;
            if moved < batch {
                return Err(AdvanceInterruption);
            }
            if done < *n && !control(&done) {
                return Err(AdvanceInterruption);
            }
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.sheet.bytes()
    }

    fn population(&self) -> BigUint {
        self.sheet.population().into()
    }

    fn bounds(&self) -> Option<Bounds> {
        let mut extent = LiveExtent::default();
        self.visit_rows(self.rect, &mut extent);
        extent.rect().map(Bounds::from)
    }

    fn hash(&self) -> CellHash {
        if self.rule.states() > 2 {
            return self.cells().hash();
        }
        let mut extent = LiveExtent::default();
        self.visit_rows(self.rect, &mut extent);
        let mut hash = LiveHash::new();
        self.visit_rows(self.rect, &mut hash);
        let relative = |bounds: Rect| hash.sum().relative_to(bounds.x, bounds.y);
        extent.rect().map_or(CellHash::EMPTY, relative)
    }
}
