//! Weighted sums over large neighbourhoods on grids, a byte per cell in interleaved lanes.
//!
//! With n vectors of 64 lanes in a row, cell x is in lane x / n of vector x mod n. A prefix sum
//! along the row of cells then runs from vector to vector, with no carry from lane to lane:
//! that makes the cost of large windows independent of their width. A cell at a horizontal
//! offset is in another vector of the same lane, or in another lane: both are a load
//! from another address.
//!
//! ```text
//! lane       0        1        2    ...
//! vector 0   cell 0   cell n   cell 2n
//! vector 1   cell 1   cell n+1 cell 2n+1
//! ```
//!
//! A row holds the cells of the grid, one radius of padding on each side, and beyond
//! that enough zeros that what is read past a row's end, which is another lane's or
//! another row's, is zero too. So sums can start from zero to the left of all cells and
//! above them.
//!
//! The order of cells is that of T. Henretty and others, "Data layout transformation for stencil
//! computations on short-vector SIMD architectures" (2011); the zeros around them are our own
//! method.

mod lane_layout;
mod lanes;
mod plan;
mod stencil;

use super::sum::span;
use super::sum_integer::SumInteger;
use super::sum_transition::SumTransition;
use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use grid::State;
pub use lane_layout::LaneLayout;
use lanes::LANES;
pub use lanes::LaneRow;
use plan::{RunningSum, SumChain};
use rule::{Neighbourhood, Rule, Site, Transition, TransitionRow};
use stencil::{StencilBatch, batches};

/// A kernel of rules that depend on weighted sums, for rows of one width.
#[derive(Clone, Debug)]
pub struct LargeRadiusKernel {
    lanes: LaneLayout,
    sums: LargeRadiusSums,
}

#[derive(Clone, Debug)]
enum LargeRadiusSums {
    Byte(Box<SumProgram<u8>>),
    Short(Box<SumProgram<u16>>),
    Long(Box<SumProgram<u32>>),
}

/// The compiled sums of all phases, and their scratch memory.
#[derive(Clone, Debug)]
struct SumProgram<T: SumInteger> {
    /// One phase per generation, until they repeat.
    phases: Vec<SumPhase<T>>,
    scratch: SweepScratch<T>,
    /// Where the last sweep was interrupted: the next row, for which the sums are ready.
    stopped: i64,
}

/// The tables of one generation.
#[derive(Clone, Debug)]
struct SumPhase<T> {
    /// The value of each state; none where values equal states.
    values: Option<StateValues>,
    /// The lowest row that is read, relative to the output, and the number of rows read.
    lowest: i32,
    rows: usize,
    /// One table per sublattice of the rule.
    tables: Vec<ChainTable<T>>,
    /// The number of rows of running sums: of signed bytes, and of `T`.
    kept: [usize; 2],
}

#[derive(Clone, Debug)]
struct StateValues {
    of: [u8; 256],
    /// The only state of nonzero value, if there is exactly one.
    only: Option<State>,
}

#[derive(Clone, Debug)]
struct ChainTable<T> {
    chains: Vec<CompiledChain>,
    least: T,
    transition: SumTransition<T>,
}

/// A chain, compiled for a row layout.
#[derive(Clone, Debug)]
struct CompiledChain {
    batches: Vec<StencilBatch>,
    /// Running sums with the first of their own rows of sums: those whose sums are signed
    /// bytes, then the others.
    small: Vec<(RunningSum, usize)>,
    large: Vec<(RunningSum, usize)>,
}

/// Scratch memory of a sweep, kept to spare the allocator.
#[derive(Clone, Debug)]
struct SweepScratch<T: SumInteger> {
    /// A ring buffer of the last rows of cell values.
    ring: LaneRow<u8>,
    bytes: LaneRow<u8>,
    /// Running sums that are carried from row to row, and those of chains.
    small: Vec<LaneRow<u8>>,
    kept: Vec<LaneRow<T>>,
    work: LaneRow<T>,
    sums: LaneRow<T>,
    next: LaneRow<State>,
}

/// One generation of some rows of a grid.
#[derive(Debug)]
pub struct GridSweep<'a> {
    /// The generation of `now`.
    pub generation: u64,
    /// Whether the grid's first column is odd, and its first row.
    pub corner: (bool, bool),
    /// The first output row; `next` says how many there are.
    pub first: usize,
    /// Whether to continue the sweep that was interrupted last.
    pub goes_on: bool,
    /// All ones where a row has cells of the grid, zeros elsewhere.
    pub mask: &'a [u8],
    /// The cells of the grid, row by row.
    pub now: &'a [State],
    /// Room for the rows that are to be computed.
    pub next: &'a mut [State],
}

/// Writes a row of states with its padding, zeros elsewhere. The row may lie above the grid
/// or below it.
pub(crate) type RowFiller<'a> = &'a (dyn Fn(i64, &mut [State]) + Sync);

impl LargeRadiusKernel {
    /// Compiles rules that depend on sums of small numbers; none for others.
    ///
    /// ```
    /// use kernel::LargeRadiusKernel;
    ///
    /// assert!(LargeRadiusKernel::compile(&"R5,C0,M1,S34..58,B34..45,NM".parse()?, 100).is_some());
    /// assert!(LargeRadiusKernel::compile(&"wireworld".parse()?, 100).is_some(), "it counts heads");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(rule: &Rule, width: usize) -> Option<Self> {
        let site = |generation: usize, sublattice: usize| Site {
            generation: generation as u64,
            x: (sublattice % 2) as i64,
            y: (sublattice / 2) as i64,
        };
        let sublattices = rule.phases();
        let mut phases = Vec::new();
        for generation in 0..rule.time_period() {
            let tables =
                (0..sublattices).map(|sublattice| rule.transition(site(generation, sublattice)));
            phases.push(tables.map(SumDecision::of).collect::<Option<Vec<_>>>()?);
        }
        let all = || phases.iter().flatten();
        let (mut across, mut down) = (0, 0);
        for cell in all().flat_map(|table| table.neighbourhood.cells()) {
            across = across.max(cell.dx.unsigned_abs() as usize);
            down = down.max(cell.dy.unsigned_abs() as usize);
        }
        let lanes = LaneLayout::new(width, across, down);
        let span = all().map(|table| table.span).max().unwrap_or(0);
        let sums = if span <= u8::MAX.into() {
            LargeRadiusSums::Byte(Box::new(SumProgram::new(&phases, &lanes)?))
        } else if span <= u16::MAX.into() {
            LargeRadiusSums::Short(Box::new(SumProgram::new(&phases, &lanes)?))
        } else {
            LargeRadiusSums::Long(Box::new(SumProgram::new(&phases, &lanes)?))
        };
        Some(Self { lanes, sums })
    }

    /// The approximate number of bytes of a row of cells.
    pub fn row_bytes(rule: &Rule, width: u64) -> u64 {
        LaneLayout::bytes_about(width, rule.radius().into())
    }

    /// How the cells of a row lie in memory.
    pub fn lanes(&self) -> LaneLayout {
        self.lanes
    }

    /// A description for users.
    ///
    /// ```
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// assert!(kernel.describe().starts_with("a byte a cell, sums of 8 bits, radius 5: "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let (bits, offset_count, runs) = self.size();
        let (across, down) = (self.lanes.across, self.lanes.down);
        let reach = match across == down {
            true => format!("radius {across}"),
            false => format!("{across} columns and {down} rows to each side"),
        };
        format!(
            "a byte a cell, sums of {bits} bits, {reach}: {offset_count} looks and {runs} running sums \
             for each"
        )
    }

    /// The number of rows between two checks for interruption: some 10 ms.
    ///
    /// ```
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// assert!(kernel.patience() >= 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn patience(&self) -> usize {
        let (bits, offset_count, runs) = self.size();
        let each = offset_count + bits as usize * runs + 2 * bits as usize;
        ((1 << 28) / (each * self.lanes.bytes())).max(1)
    }

    /// Steps rows of a grid by a generation, and calls `go_on` now and then. Returns whether it
    /// finished; if not, the sweep can be continued.
    ///
    /// ```
    /// use kernel::GridSweep;
    ///
    /// let bugs = "R5,C0,M1,S34..58,B34..45,NM".parse()?;
    /// let mut kernel = kernel::LargeRadiusKernel::compile(&bugs, 100).expect("a sum");
    /// let lanes = kernel.lanes();
    /// // 20 rows of 100 cells, which all live
    /// let live: Vec<u8> = lanes.mask().iter().map(|bits| bits & 1).collect();
    /// let now = live.repeat(20);
    /// let mut next = vec![0; now.len()];
    /// let sweep = GridSweep {
    ///     generation: 0,
    ///     corner: (false, false),
    ///     first: 0,
    ///     goes_on: false,
    ///     mask: &lanes.mask(),
    ///     now: &now,
    ///     next: &mut next,
    /// };
    /// let fill = |y: i64, row: &mut [u8]| match y {
    ///     0..20 => row.copy_from_slice(&live),
    ///     _ => row.fill(0),
    /// };
    /// assert!(kernel.step(sweep, &fill, &mut || true));
    /// let cell = |x, y| next[y * lanes.bytes() + lanes.place(x)];
    /// assert_eq!((cell(0, 0), cell(50, 10)), (1, 0), "36 of 121 live around a corner");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn step(
        &mut self,
        sweep: GridSweep<'_>,
        fill: RowFiller<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        let run = SweepRun {
            set: InstructionSet::widest(),
            lanes: self.lanes,
            sweep,
            fill,
            go_on,
            check_interval: self.patience(),
        };
        match &mut self.sums {
            LargeRadiusSums::Byte(program) => run.run(program),
            LargeRadiusSums::Short(program) => run.run(program),
            LargeRadiusSums::Long(program) => run.run(program),
        }
    }

    /// The bits of a sum, the stencil offsets read and the running sums per cell.
    fn size(&self) -> (u32, usize, usize) {
        match &self.sums {
            LargeRadiusSums::Byte(program) => program.size(8),
            LargeRadiusSums::Short(program) => program.size(16),
            LargeRadiusSums::Long(program) => program.size(32),
        }
    }
}

/// A table of a rule that depends on a weighted sum.
struct SumDecision<'a> {
    neighbourhood: std::borrow::Cow<'a, Neighbourhood>,
    values: StateValues,
    least: i64,
    rows: &'a [TransitionRow],
    entries: usize,
    /// The greatest sum minus the least.
    span: u64,
}

impl<'a> SumDecision<'a> {
    fn of(transition: &'a Transition) -> Option<Self> {
        use std::borrow::Cow;
        let span = span(transition);
        let entries = span as usize + 1;
        match transition {
            Transition::Configuration(table) => {
                let block = Neighbourhood::from_weights(1, |dx, dy| 256 >> ((dy + 1) * 3 + dx + 1));
                let counted = table.counted.iter().map(|&c| i32::from(c));
                Some(Self {
                    neighbourhood: Cow::Owned(block),
                    values: StateValues::of(counted)?,
                    least: 0,
                    rows: &table.rows,
                    entries,
                    span,
                })
            }
            Transition::Count(table) => Some(Self {
                neighbourhood: Cow::Borrowed(&table.neighbourhood),
                values: StateValues::of(table.values.iter().copied())?,
                least: table.least,
                rows: &table.rows,
                entries,
                span,
            }),
            Transition::Lookup(_) => None,
        }
    }
}

impl StateValues {
    /// None where a value is not a non-negative signed byte.
    fn of(values: impl Iterator<Item = i32>) -> Option<Self> {
        let mut of = [0; 256];
        for (of, value) in of.iter_mut().zip(values) {
            *of = u8::try_from(value).ok().filter(|&v| v <= i8::MAX as u8)?;
        }
        let mut nonzero = (0..=State::MAX).filter(|&state| of[usize::from(state)] != 0);
        let only = nonzero.next().filter(|_| nonzero.next().is_none());
        Some(Self { of, only })
    }

    /// Replaces states by their values.
    fn apply(&self, set: InstructionSet, row: &mut [u8]) {
        if let Some(only) = self.only {
            let value = self.of[usize::from(only)];
            u64::run_in(set, SingleStateTask { only, value, row });
        } else {
            for cell in row {
                *cell = self.of[usize::from(*cell)];
            }
        }
    }
}

/// Replaces one state by its value and all others by zero.
struct SingleStateTask<'a> {
    only: State,
    value: u8,
    row: &'a mut [u8],
}

impl SimdTask<u64> for SingleStateTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        for cell in self.row {
            *cell = if *cell == self.only { self.value } else { 0 };
        }
    }
}

impl<T: SumInteger> SumProgram<T> {
    fn new(phases: &[Vec<SumDecision<'_>>], lanes: &LaneLayout) -> Option<Self> {
        let mut made = Vec::new();
        let (mut small, mut kept) = (0, 0);
        for tables in phases {
            let phase = SumPhase::new(tables, lanes)?;
            small = small.max(phase.kept[0]);
            kept = kept.max(phase.kept[1]);
            made.push(phase);
        }
        let row = lanes.bytes();
        let slots = made.iter().map(|phase| phase.rows).max().unwrap_or(1);
        Some(Self {
            phases: made,
            stopped: 0,
            scratch: SweepScratch {
                ring: LaneRow::new(slots * row),
                bytes: LaneRow::new(row),
                small: vec![LaneRow::new(row); small],
                kept: vec![LaneRow::new(row); kept],
                work: LaneRow::new(row),
                sums: LaneRow::new(row),
                next: LaneRow::new(row),
            },
        })
    }

    /// The bits of a sum, and the most stencil offsets and running sums of a table.
    fn size(&self, bits: u32) -> (u32, usize, usize) {
        let chains = |table: &ChainTable<T>| {
            let offset_count = table.chains.iter().flat_map(|s| &s.batches);
            let offset_count: usize = offset_count.map(StencilBatch::number).sum();
            let runs = table.chains.iter();
            let runs: usize = runs.map(|s| s.small.len() + s.large.len()).sum();
            (offset_count, runs)
        };
        let tables = self.phases.iter().flat_map(|phase| &phase.tables);
        let (offset_count, runs) = tables.map(chains).max().unwrap_or((0, 0));
        (bits, offset_count, runs)
    }
}

impl<T: SumInteger> SumPhase<T> {
    fn new(tables: &[SumDecision<'_>], lanes: &LaneLayout) -> Option<Self> {
        let values = &tables.first()?.values;
        if tables.iter().any(|table| table.values.of != values.of) {
            return None;
        }
        let plans: Vec<Vec<SumChain>> = tables
            .iter()
            .map(|table| plan::plan(&table.neighbourhood, size_of::<T>()))
            .collect();
        let offsets = || plans.iter().flatten().flat_map(|chain| &chain.offsets);
        let lowest = offsets().map(|offset| offset.dy).max().unwrap_or(0);
        let highest = offsets().map(|offset| offset.dy).min().unwrap_or(0);
        let greatest = values.of.iter().copied().max().unwrap_or(0);
        let mut made = Vec::new();
        let mut kept = [0, 0];
        for (table, chains) in tables.iter().zip(plans) {
            let compile_chain =
                |chain| CompiledChain::new(chain, greatest, size_of::<T>() == 1, lanes, &mut kept);
            let mut chains: Vec<CompiledChain> = chains.into_iter().map(compile_chain).collect();
            // Chains with running sums first, then those without are added.
            chains.sort_by_key(CompiledChain::has_no_runs);
            made.push(ChainTable {
                chains,
                least: T::of(table.least),
                transition: SumTransition::new(table.rows, table.entries),
            });
        }
        let states = |value: (usize, &u8)| usize::from(*value.1) == value.0;
        let rows = tables.iter().map(|table| table.rows.len()).max()?;
        let plain = values.of.iter().enumerate().take(rows).all(states);
        Some(Self {
            values: (!plain).then(|| values.clone()),
            lowest,
            rows: (lowest - highest + 1) as usize,
            tables: made,
            kept,
        })
    }
}

impl CompiledChain {
    /// `kept` counts the rows of sums. With `wrapping`, only the sums modulo 256 are needed.
    fn new(
        chain: SumChain,
        greatest: u8,
        wrapping: bool,
        lanes: &LaneLayout,
        kept: &mut [usize; 2],
    ) -> Self {
        let batches = batches(&chain.offsets, greatest, lanes);
        let fits = |bound: i64| wrapping || bound * i64::from(greatest) <= i8::MAX.into();
        let simple = matches!(&batches[..], [batch] if batch.factor == 1);
        let mut small = Vec::new();
        let mut large = Vec::new();
        let after = chain.bounds.iter().skip(1);
        for (&run, &bound) in chain.runs.iter().zip(after) {
            let is_small = simple && large.is_empty() && fits(bound);
            let of = usize::from(!is_small);
            [&mut small, &mut large][of].push((run, kept[of]));
            kept[of] += rows_of(run);
        }
        Self {
            batches,
            small,
            large,
        }
    }

    fn has_no_runs(&self) -> bool {
        self.small.is_empty() && self.large.is_empty()
    }
}

/// The number of rows of sums that a running sum needs.
fn rows_of(run: RunningSum) -> usize {
    match run {
        RunningSum::Across { .. } => 1,
        // Straight down, sums are updated in place.
        RunningSum::Down { shift: 0, step } => step,
        RunningSum::Down { .. } => 2,
    }
}

/// A sweep and what it needs to run.
struct SweepRun<'a> {
    set: InstructionSet,
    lanes: LaneLayout,
    sweep: GridSweep<'a>,
    fill: RowFiller<'a>,
    go_on: &'a mut dyn FnMut() -> bool,
    /// Rows between two calls of `go_on`.
    check_interval: usize,
}

impl SweepRun<'_> {
    /// Steps the rows. Returns whether it finished.
    fn run<T: SumInteger>(self, program: &mut SumProgram<T>) -> bool {
        let Self {
            set,
            lanes,
            sweep,
            fill,
            go_on,
            check_interval,
        } = self;
        let number = program.phases.len() as u64;
        let phase = &program.phases[(sweep.generation % number) as usize];
        let scratch = &mut program.scratch;
        let row = lanes.bytes();
        let down = lanes.down as i64;
        let lowest = i64::from(phase.lowest);
        // Row numbers, from the first that could depend on anything but zeros.
        let (first, height) = (sweep.first as i64, sweep.next.len() / row);
        let from = if sweep.goes_on {
            program.stopped
        } else {
            scratch.ring.row_mut().fill(0);
            for small in &mut scratch.small {
                small.row_mut().fill(0);
            }
            for kept in &mut scratch.kept {
                kept.row_mut().fill(T::default());
            }
            first - down - lowest
        };
        let end = first + height as i64;
        program.stopped = end;
        for y in from..end {
            // Some rows are done before the first check, so that every call makes progress.
            if y > from && (y - from) % check_interval as i64 == 0 && !go_on() {
                program.stopped = y;
                return false;
            }
            let seen = y + lowest;
            let slot = seen.rem_euclid(phase.rows as i64) as usize * row;
            let incoming = &mut scratch.ring.row_mut()[slot..slot + row];
            fill(seen, incoming);
            if let Some(values) = &phase.values {
                values.apply(set, incoming);
            }
            for (sublattice, table) in phase.tables.iter().enumerate() {
                let own = table.sum(set, &lanes, phase.rows, y, scratch);
                let Ok(out) = usize::try_from(y - first) else {
                    continue;
                };
                let line = sweep.first + out;
                let sums = own.map_or(scratch.sums.row(), |own| scratch.kept[own].row());
                let states = &sweep.now[line * row..(line + 1) * row];
                let next = &mut sweep.next[out * row..(out + 1) * row];
                let odd_row = sweep.corner.1 ^ (line % 2 == 1);
                let odd_column = usize::from(sweep.corner.0);
                let parity = match phase.tables.len() {
                    1 => {
                        table
                            .transition
                            .row(set, states, sums, Some(sweep.mask), None, next);
                        continue;
                    }
                    // Both the cells before the grid's first one and the vectors are even in
                    // number: vectors of even index hold columns with the parity of the first.
                    2 => sublattice ^ usize::from(odd_row) ^ odd_column,
                    _ if sublattice / 2 != usize::from(odd_row) => continue,
                    _ => (sublattice % 2) ^ odd_column,
                };
                let own_next = scratch.next.row_mut();
                table
                    .transition
                    .row(set, states, sums, Some(sweep.mask), None, own_next);
                let vectors = next.chunks_exact_mut(LANES);
                let vectors = vectors.zip(scratch.next.row().chunks_exact(LANES));
                for (next, from) in vectors.skip(parity).step_by(2) {
                    next.copy_from_slice(from);
                }
            }
        }
        true
    }
}

impl<T: SumInteger> ChainTable<T> {
    /// Computes the sums of row `y` minus the least possible sum: into the row of running sums
    /// whose index is returned, or into `scratch.sums`.
    fn sum(
        &self,
        set: InstructionSet,
        lanes: &LaneLayout,
        slots: usize,
        y: i64,
        scratch: &mut SweepScratch<T>,
    ) -> Option<usize> {
        let SweepScratch {
            ring,
            bytes,
            small,
            kept,
            work,
            sums,
            ..
        } = scratch;
        let ring = ring.with_ends();
        let (bytes, work, sums) = (bytes.row_mut(), work.row_mut(), sums.row_mut());
        let mut fresh = true;
        for compile_chain in &self.chains {
            // The input of the next running sum: a row of signed bytes, or of `T`.
            if let [batch] = &compile_chain.batches[..] {
                batch.gather(set, ring, lanes, slots, y, bytes);
            }
            let mut last: Option<usize> = None;
            let mut is_fused = false;
            for (i, &(run, own)) in compile_chain.small.iter().enumerate() {
                // A running sum along the row needs no row of its own if it is only added to the
                // sums above.
                is_fused = i + 1 == compile_chain.small.len()
                    && matches!(run, RunningSum::Across { .. })
                    && matches!(
                        compile_chain.large.first(),
                        Some((RunningSum::Down { shift: 0, .. }, _))
                    );
                if is_fused {
                    break;
                }
                last = Some(match last {
                    None => advance_run(set, run, own, lanes, y, bytes, small),
                    Some(last) => {
                        let (before, after) = small.split_at_mut(own);
                        let from: &[u8] = before[last].row();
                        own + advance_run(set, run, 0, lanes, y, from, after)
                    }
                });
            }
            let from = last.map_or(&bytes[..], |last| small[last].row());
            let Some((&(first, own), others)) = compile_chain.large.split_first() else {
                // Signed bytes are accumulated directly.
                match &compile_chain.batches[..] {
                    [batch] => lanes::accumulate(set, from, batch.factor, fresh, sums),
                    batches => {
                        for (i, batch) in batches.iter().enumerate() {
                            batch.gather(set, ring, lanes, slots, y, bytes);
                            lanes::accumulate(set, bytes, batch.factor, fresh && i == 0, sums);
                        }
                    }
                }
                fresh &= compile_chain.batches.is_empty();
                continue;
            };
            let mut at;
            if let RunningSum::Down { shift: 0, step } = first {
                // A running sum straight down is added to the row above.
                at = own + y.rem_euclid(step as i64) as usize;
                let to = kept[at].row_mut();
                match (&compile_chain.batches[..], compile_chain.small.last()) {
                    (_, Some(&(RunningSum::Across { step }, _))) if is_fused => {
                        lanes::accumulate_prefix_sum(set, step, from, to);
                    }
                    ([batch], _) => lanes::accumulate(set, from, batch.factor, false, to),
                    (batches, _) => {
                        for batch in batches {
                            batch.gather(set, ring, lanes, slots, y, bytes);
                            lanes::accumulate(set, bytes, batch.factor, false, to);
                        }
                    }
                }
            } else {
                match &compile_chain.batches[..] {
                    [batch] => lanes::accumulate(set, from, batch.factor, true, work),
                    batches => {
                        for (i, batch) in batches.iter().enumerate() {
                            batch.gather(set, ring, lanes, slots, y, bytes);
                            lanes::accumulate(set, bytes, batch.factor, i == 0, work);
                        }
                    }
                }
                at = advance_run(set, first, own, lanes, y, work, kept);
            }
            for &(run, own) in others {
                let (before, after) = kept.split_at_mut(own);
                at = own + advance_run(set, run, 0, lanes, y, before[at].row(), after);
            }
            if self.chains.len() == 1 && self.least == T::default() {
                return Some(at);
            }
            let from = kept[at].row();
            if fresh {
                sums.copy_from_slice(from);
            } else {
                lanes::add(set, from, sums);
            }
            fresh = false;
        }
        if fresh {
            sums.fill(T::default());
        }
        if self.least != T::default() {
            lanes::subtract(set, self.least, sums);
        }
        None
    }
}

/// Advances a running sum by a row; returns the index of the row of sums that holds it.
fn advance_run<T: SumInteger>(
    set: InstructionSet,
    run: RunningSum,
    own: usize,
    lanes: &LaneLayout,
    y: i64,
    from: &[T],
    kept: &mut [LaneRow<T>],
) -> usize {
    match run {
        RunningSum::Across { step } => {
            lanes::prefix_sum(set, step, from, kept[own].row_mut());
            own
        }
        RunningSum::Down { shift: 0, step } => {
            let at = own + y.rem_euclid(step as i64) as usize;
            lanes::add(set, from, kept[at].row_mut());
            at
        }
        RunningSum::Down { shift, .. } => {
            let odd = y.rem_euclid(2) as usize;
            let (even_row, odd_row) = kept[own..own + 2].split_at_mut(1);
            let (above, to) = match odd {
                0 => (odd_row[0].with_ends(), even_row[0].row_mut()),
                _ => (even_row[0].with_ends(), odd_row[0].row_mut()),
            };
            for (vectors, start) in lanes.sources(-shift) {
                let range = vectors.start * LANES..vectors.end * LANES;
                let above = &above[LANES.strict_add_signed(start)..][..range.len()];
                lanes::add_rows(set, above, &from[range.clone()], &mut to[range]);
            }
            own + odd
        }
    }
}
