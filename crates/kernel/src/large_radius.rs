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

mod bit_sum;
mod decision;
mod lane_layout;
mod lanes;
mod plan;
mod stencil;
mod sum_class;
mod sweep;

use super::sum_integer::SumInteger;
use super::sum_transition::SumTransition;
use crate::simd::InstructionSet;
use bit_sum::BitSumProgram;
use decision::{StateValues, SumDecision};
use grid::State;
pub use lane_layout::LaneLayout;
use lanes::LANES;
pub use lanes::LaneRow;
use plan::{RunningSum, SumChain};
use rule::{Rule, Site};
use stencil::{StencilBatch, batches};
pub use sweep::GridSweep;
use sweep::{RowFiller, SweepRun, step_rows};

/// A kernel of rules that depend on weighted sums, for rows of one width.
#[derive(Clone, Debug)]
pub struct LargeRadiusKernel {
    lanes: LaneLayout,
    sums: LargeRadiusSums,
}

#[derive(Clone, Debug)]
enum LargeRadiusSums {
    Bits(Box<BitSumProgram>),
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
        Self::compile_as(rule, width, None)
    }

    /// The same, with sums in bit planes where these are asked for and possible; without a wish,
    /// where they are quicker.
    fn compile_as(rule: &Rule, width: usize, in_bits: Option<bool>) -> Option<Self> {
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
        let bytes = match span {
            0..=0xff => size_of::<u8>(),
            0x100..=0xffff => size_of::<u16>(),
            _ => size_of::<u32>(),
        };
        for table in phases.iter_mut().flatten() {
            table.chains = plan::plan(&table.neighbourhood, bytes);
        }
        let sums = if let Some(program) = bit_sums(&phases, bytes, &lanes, in_bits) {
            LargeRadiusSums::Bits(Box::new(program))
        } else if span <= u8::MAX.into() {
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
        let (across, down) = (self.lanes.across, self.lanes.down);
        let reach = match across == down {
            true => format!("radius {across}"),
            false => format!("{across} columns and {down} rows to each side"),
        };
        if let LargeRadiusSums::Bits(program) = &self.sums {
            let (planes, cells) = (program.planes(), program.outline_cells());
            return format!(
                "a byte a cell, sums in {planes} bit planes, {reach}: {cells} cells of an outline for each"
            );
        }
        let (bits, offset_count, runs) = self.size();
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
        self.step_by(sweep, fill, go_on, self.patience())
    }

    /// The same, with so many rows between two calls of `go_on`.
    fn step_by(
        &mut self,
        sweep: GridSweep<'_>,
        fill: RowFiller<'_>,
        go_on: &mut dyn FnMut() -> bool,
        check_interval: usize,
    ) -> bool {
        let run = SweepRun {
            set: InstructionSet::widest(),
            lanes: self.lanes,
            sweep,
            fill,
            go_on,
            check_interval,
        };
        match &mut self.sums {
            LargeRadiusSums::Bits(program) => program.run(run),
            LargeRadiusSums::Byte(program) => run.run(program),
            LargeRadiusSums::Short(program) => run.run(program),
            LargeRadiusSums::Long(program) => run.run(program),
        }
    }

    /// The bits of a sum, the stencil offsets read and the running sums per cell.
    fn size(&self) -> (u32, usize, usize) {
        match &self.sums {
            LargeRadiusSums::Bits(program) => program.size(),
            LargeRadiusSums::Byte(program) => program.size(8),
            LargeRadiusSums::Short(program) => program.size(16),
            LargeRadiusSums::Long(program) => program.size(32),
        }
    }
}

/// The program that counts in bit planes, where that is quicker.
fn bit_sums(
    phases: &[Vec<SumDecision<'_>>],
    bytes: usize,
    lanes: &LaneLayout,
    wish: Option<bool>,
) -> Option<BitSumProgram> {
    let [tables] = phases else { return None };
    let [table] = &tables[..] else { return None };
    let offsets = plan::outline(&table.neighbourhood);
    let program = BitSumProgram::new(table, &offsets, lanes)?;
    let chains = table.chains.iter().map(|chain| plan::cost(chain, bytes));
    wish.unwrap_or(program.cost() < chains.sum())
        .then_some(program)
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
        let chains = || tables.iter().flat_map(|table| &table.chains);
        let offsets = || chains().flat_map(|chain| &chain.offsets);
        let lowest = offsets().map(|offset| offset.dy).max().unwrap_or(0);
        let highest = offsets().map(|offset| offset.dy).min().unwrap_or(0);
        let greatest = values.of.iter().copied().max().unwrap_or(0);
        let mut made = Vec::new();
        let mut kept = [0, 0];
        for table in tables {
            let compile_chain = |chain: &SumChain| {
                CompiledChain::new(chain, greatest, size_of::<T>() == 1, lanes, &mut kept)
            };
            let mut chains: Vec<CompiledChain> = table.chains.iter().map(compile_chain).collect();
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
        chain: &SumChain,
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
        program.stopped = step_rows(from..end, check_interval, go_on, |y| {
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
        });
        program.stopped == end
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::with_each_width;
    use dice::Dice;

    /// Three generations of a soup on a plane with edges, by the kernel.
    fn run(kernel: &mut LargeRadiusKernel, soup: &[u8], width: usize, pause: bool) -> Vec<u8> {
        let lanes = kernel.lanes();
        let (bytes, height) = (lanes.bytes(), soup.len() / width);
        let mask = lanes.mask();
        let mut now = vec![0; bytes * height];
        let place = |i: usize| i / width * bytes + lanes.place((i % width) as isize);
        for (i, state) in soup.iter().enumerate() {
            now[place(i)] = *state;
        }
        for generation in 0..3 {
            let mut next = vec![0; now.len()];
            let fill = |y: i64, row: &mut [u8]| match usize::try_from(y) {
                Ok(y) if y < height => row.copy_from_slice(&now[y * bytes..(y + 1) * bytes]),
                _ => row.fill(0),
            };
            let mut goes_on = false;
            loop {
                let sweep = GridSweep {
                    generation,
                    corner: (false, false),
                    first: 0,
                    goes_on,
                    mask: &mask,
                    now: &now,
                    next: &mut next,
                };
                if kernel.step_by(sweep, &fill, &mut || !pause, 1 + 2 * usize::from(pause)) {
                    break;
                }
                goes_on = true;
            }
            now = next;
        }
        (0..soup.len()).map(|i| now[place(i)]).collect()
    }

    #[test]
    fn bit_planes_count_as_bytes_do() {
        let mut dice = Dice::new(36);
        let mut answers = 0;
        for shape in ["C", "M", "N", "2", "H", "+", "*"] {
            for radius in [1, 2, 3, 6, 11, 30, 100] {
                let cells = match shape {
                    "+" => 4 * radius + 1,
                    "*" => 8 * radius + 1,
                    "C" | "2" => 3 * radius * radius,
                    "N" => 2 * radius * (radius + 1),
                    _ => 3 * radius * (radius + 1),
                };
                let mut below = |n: u64| u64::from(dice.below(n as u32));
                let width = [1, 7, 63, 64, 65, 127, 200, 611][below(8) as usize];
                let height = 1 + below(40) as usize;
                let live = [10, 45, 60][below(3) as usize];
                // As many as a cell in the middle of the grid sees, about a third of them live.
                let side = 2 * radius + 1;
                let seen = cells * side.min(width as u64) / side * side.min(height as u64) / side;
                let states = [0, 2, 3, 4, 5][below(5) as usize];
                let middle = below(2);
                let (s, b) = (seen / 5 + below(3), 1 + seen / 6 + below(seen / 8 + 1));
                let (s1, b1) = (s + seen / 3 + 1, b + seen / 4);
                let rule = format!("R{radius},C{states},M{middle},S{s}..{s1},B{b}..{b1},N{shape}");
                let rule: Rule = rule.parse().unwrap_or_else(|e| panic!("{rule}: {e}"));
                let mut soup = vec![0; width * height];
                for state in &mut soup {
                    if below(100) < live {
                        *state = 1 + below(u64::from(rule.states()) - 1) as u8;
                    }
                }
                let in_bytes = LargeRadiusKernel::compile_as(&rule, width, Some(false));
                let wanted = run(&mut in_bytes.expect("a sum"), &soup, width, false);
                let in_bits = LargeRadiusKernel::compile_as(&rule, width, Some(true));
                let in_bits = in_bits.expect("a sum");
                assert!(matches!(in_bits.sums, LargeRadiusSums::Bits(_)), "{rule}");
                answers += usize::from(wanted.iter().any(|state| *state != 0));
                with_each_width(|| {
                    for pause in [false, true] {
                        let got = run(&mut in_bits.clone(), &soup, width, pause);
                        assert_eq!(got, wanted, "{rule} on {width} x {height}");
                    }
                });
            }
        }
        assert!(answers > 20, "{answers} of the soups were alive at the end");
    }

    #[test]
    fn only_what_is_ragged_is_counted_in_bits() {
        for (rule, expected) in [
            ("R50,C0,M1,S2210..3770,B2210..2930,NC", true),
            ("R10,C4,M0,S90..155,B90..120,NC", true),
            ("R50,C0,M1,S2869..4893,B2869..3795,NM", false),
            ("R50,C0,M1,S1500..2550,B1500..1980,NN", false),
            ("R7,C0,M1,S1..99,B1..99,NG", false),
        ] {
            let kernel = LargeRadiusKernel::compile(&rule.parse().expect("a rule"), 300);
            let sums = kernel.expect("a sum").sums;
            assert_eq!(matches!(sums, LargeRadiusSums::Bits(_)), expected, "{rule}");
        }
    }
}
