//! Sums over wide neighbourhoods on grids, a cell a byte in lanes.
//!
//! With n vectors of 64 lanes in a row, cell x is in lane x / n of vector x mod n. A sum that
//! runs along the row of cells then runs from vector to vector, with nothing carried from
//! lane to lane: that is what makes the cost of wide windows independent of their width.
//! A cell further on is in the vector further on, or in a lane further on: both are a load
//! from another place.
//!
//! ```text
//! lane       0        1        2    ...
//! vector 0   cell 0   cell n   cell 2n
//! vector 1   cell 1   cell n+1 cell 2n+1
//! ```
//!
//! A row has the cells of the grid, on both sides as many as a cell sees far, and beyond
//! these zeros: so many that what is read past a row's end, which is another lane's or
//! another row's, is zero as well. With that the sums can begin at nothing, left of all and
//! above all.

mod lane_layout;
mod lanes;
mod plan;
mod stencil;

use super::sum::{SumInteger, span};
use super::sum_transition::SumTransition;
use crate::arch::{InstructionSet, SimdElement, SimdTask, Vector};
use grid::State;
pub(crate) use lane_layout::LaneLayout;
use lanes::LANES;
pub(crate) use lanes::LaneRow;
use plan::{RunningSum, SumChain};
use rule::{Neighbourhood, Rule, Site, Transition, TransitionRow};
use stencil::{StencilBatch, batches};

/// Rules that decide by sums, for rows of one width.
#[derive(Clone, Debug)]
pub(crate) struct LargeRadiusKernel {
    lanes: LaneLayout,
    sums: LargeRadiusSums,
}

#[derive(Clone, Debug)]
enum LargeRadiusSums {
    Byte(Box<SumProgram<u8>>),
    Short(Box<SumProgram<u16>>),
    Long(Box<SumProgram<u32>>),
}

/// What is worked out, and where.
#[derive(Clone, Debug)]
struct SumProgram<T: SumInteger> {
    /// One a generation, until they repeat.
    phases: Vec<SumPhase<T>>,
    scratch: SweepScratch<T>,
    /// The row that comes next where a sweep was stopped: sums lie ready for it.
    stopped: i64,
}

/// The tables of a generation.
#[derive(Clone, Debug)]
struct SumPhase<T> {
    /// What a cell of each state is worth; none where that is its state.
    values: Option<StateValues>,
    /// The lowest row that is looked at, and how many there are up to the highest.
    lowest: i32,
    rows: usize,
    /// One a place, as the rule counts them.
    tables: Vec<ChainTable<T>>,
    /// Rows of sums that are kept, of signed bytes and of others.
    kept: [usize; 2],
}

#[derive(Clone, Debug)]
struct StateValues {
    of: [u8; 256],
    /// The one state that is worth anything, if there is just one.
    only: Option<State>,
}

#[derive(Clone, Debug)]
struct ChainTable<T> {
    strands: Vec<CompiledChain>,
    least: T,
    choice: SumTransition<T>,
}

/// A chain, as it is worked out.
#[derive(Clone, Debug)]
struct CompiledChain {
    batches: Vec<StencilBatch>,
    /// Each with the first of the rows of sums that it has for itself: those whose sums are
    /// signed bytes, and then the others.
    small: Vec<(RunningSum, usize)>,
    large: Vec<(RunningSum, usize)>,
}

/// What is worked out on the way, kept to spare the allocator.
#[derive(Clone, Debug)]
struct SweepScratch<T: SumInteger> {
    /// What the cells of some rows are worth, row after row.
    ring: LaneRow<u8>,
    bytes: LaneRow<u8>,
    /// Sums that go from row to row, and those of chains.
    small: Vec<LaneRow<u8>>,
    kept: Vec<LaneRow<T>>,
    work: LaneRow<T>,
    sums: LaneRow<T>,
    next: LaneRow<State>,
}

/// A generation of some rows of a grid.
#[derive(Debug)]
pub(crate) struct GridSweep<'a> {
    pub(crate) generation: u64,
    /// Whether the grid's first column is odd, and its first row.
    pub(crate) corner: (bool, bool),
    /// The first row that comes out; there are as many as `next` has.
    pub(crate) first: usize,
    /// Whether this is the sweep that was stopped last, to be gone on with.
    pub(crate) goes_on: bool,
    /// All ones where a row has cells of the grid, zeros elsewhere.
    pub(crate) mask: &'a [u8],
    pub(crate) now: &'a [State],
    pub(crate) next: &'a mut [State],
}

/// Writes a row of states with those that are seen beside it, zeros elsewhere. The row may
/// lie above the grid or below it.
pub(crate) type RowFiller<'a> = &'a (dyn Fn(i64, &mut [State]) + Sync);

impl LargeRadiusKernel {
    /// For rules that decide by sums of small numbers; none for others.
    pub(crate) fn compile(rule: &Rule, width: usize) -> Option<Self> {
        let site = |generation: usize, place: usize| Site {
            generation: generation as u64,
            x: (place % 2) as i64,
            y: (place / 2) as i64,
        };
        let places = rule.places();
        let mut phases = Vec::new();
        for generation in 0..rule.time_period() {
            let tables = (0..places).map(|place| rule.transition(site(generation, place)));
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

    /// How many bytes a row of cells would take.
    pub(crate) fn row_bytes(rule: &Rule, width: u64) -> u64 {
        LaneLayout::bytes_about(width, rule.radius().into())
    }

    pub(crate) fn lanes(&self) -> LaneLayout {
        self.lanes
    }

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
        let (bits, looks, runs) = self.size();
        let (across, down) = (self.lanes.across, self.lanes.down);
        let reach = match across == down {
            true => format!("radius {across}"),
            false => format!("{across} columns and {down} rows to each side"),
        };
        format!(
            "a byte a cell, sums of {bits} bits, {reach}: {looks} looks and {runs} running sums \
             for each"
        )
    }

    /// Cells times rows between two looks at the outside: some 10 ms.
    pub(crate) fn patience(&self) -> usize {
        let (bits, looks, runs) = self.size();
        let each = looks + bits as usize * runs + 2 * bits as usize;
        ((1 << 28) / (each * self.lanes.bytes())).max(1)
    }

    /// Moves rows of a grid on by a generation, and asks now and then whether to; whether it
    /// came to the end. If not, it can be gone on with.
    pub(crate) fn step(
        &mut self,
        sweep: GridSweep<'_>,
        fill: RowFiller<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        let turn = SweepRun {
            set: InstructionSet::widest(),
            lanes: self.lanes,
            sweep,
            fill,
            go_on,
            patience: self.patience(),
        };
        match &mut self.sums {
            LargeRadiusSums::Byte(machine) => turn.run(machine),
            LargeRadiusSums::Short(machine) => turn.run(machine),
            LargeRadiusSums::Long(machine) => turn.run(machine),
        }
    }

    /// Bits of a sum, looks at cells and running sums.
    fn size(&self) -> (u32, usize, usize) {
        match &self.sums {
            LargeRadiusSums::Byte(machine) => machine.size(8),
            LargeRadiusSums::Short(machine) => machine.size(16),
            LargeRadiusSums::Long(machine) => machine.size(32),
        }
    }
}

/// A table of a rule that decides by a sum.
struct SumDecision<'a> {
    neighbourhood: std::borrow::Cow<'a, Neighbourhood>,
    values: StateValues,
    least: i64,
    rows: &'a [TransitionRow],
    entries: usize,
    /// The greatest sum less the least one.
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
    /// None where a sum of one would not be a signed byte.
    fn of(values: impl Iterator<Item = i32>) -> Option<Self> {
        let mut of = [0; 256];
        for (of, value) in of.iter_mut().zip(values) {
            *of = u8::try_from(value).ok().filter(|&v| v <= i8::MAX as u8)?;
        }
        let mut worthy = (0..=State::MAX).filter(|&state| of[usize::from(state)] != 0);
        let only = worthy.next().filter(|_| worthy.next().is_none());
        Some(Self { of, only })
    }

    /// From states to what they are worth.
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

/// Cells of one state become its worth, all others nothing.
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

    /// Bits, looks at cells and running sums, the most that a cell has.
    fn size(&self, bits: u32) -> (u32, usize, usize) {
        let strands = |table: &ChainTable<T>| {
            let looks = table.strands.iter().flat_map(|s| &s.batches);
            let looks: usize = looks.map(StencilBatch::number).sum();
            let runs = table.strands.iter();
            let runs: usize = runs.map(|s| s.small.len() + s.large.len()).sum();
            (looks, runs)
        };
        let tables = self.phases.iter().flat_map(|phase| &phase.tables);
        let (looks, runs) = tables.map(strands).max().unwrap_or((0, 0));
        (bits, looks, runs)
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
        let taps = || plans.iter().flatten().flat_map(|chain| &chain.taps);
        let lowest = taps().map(|tap| tap.dy).max().unwrap_or(0);
        let highest = taps().map(|tap| tap.dy).min().unwrap_or(0);
        let greatest = values.of.iter().copied().max().unwrap_or(0);
        let mut made = Vec::new();
        let mut kept = [0, 0];
        for (table, chains) in tables.iter().zip(plans) {
            let strand =
                |chain| CompiledChain::new(chain, greatest, size_of::<T>() == 1, lanes, &mut kept);
            let mut strands: Vec<CompiledChain> = chains.into_iter().map(strand).collect();
            // What runs is summed first, then what is only looked at is added.
            strands.sort_by_key(CompiledChain::is_still);
            made.push(ChainTable {
                strands,
                least: T::of(table.least),
                choice: SumTransition::new(table.rows, table.entries),
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
    /// `kept` counts the rows of sums. With `wrapping`, signed bytes are all that is asked for.
    fn new(
        chain: SumChain,
        greatest: u8,
        wrapping: bool,
        lanes: &LaneLayout,
        kept: &mut [usize; 2],
    ) -> Self {
        let batches = batches(&chain.taps, greatest, lanes);
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

    fn is_still(&self) -> bool {
        self.small.is_empty() && self.large.is_empty()
    }
}

/// Rows of sums that a run needs.
fn rows_of(run: RunningSum) -> usize {
    match run {
        RunningSum::Across { .. } => 1,
        // In their own place where they go straight down.
        RunningSum::Down { shift: 0, step } => step,
        RunningSum::Down { .. } => 2,
    }
}

/// Rows of a grid, and how they are gone through.
struct SweepRun<'a> {
    set: InstructionSet,
    lanes: LaneLayout,
    sweep: GridSweep<'a>,
    fill: RowFiller<'a>,
    go_on: &'a mut dyn FnMut() -> bool,
    /// Rows between two questions.
    patience: usize,
}

impl SweepRun<'_> {
    /// Moves the rows on. Whether all was done.
    fn run<T: SumInteger>(self, machine: &mut SumProgram<T>) -> bool {
        let Self {
            set,
            lanes,
            sweep,
            fill,
            go_on,
            patience,
        } = self;
        let number = machine.phases.len() as u64;
        let phase = &machine.phases[(sweep.generation % number) as usize];
        let scratch = &mut machine.scratch;
        let row = lanes.bytes();
        let down = lanes.down as i64;
        let lowest = i64::from(phase.lowest);
        // Rows by their number, from the first that could see anything but zeros.
        let (first, height) = (sweep.first as i64, sweep.next.len() / row);
        let from = if sweep.goes_on {
            machine.stopped
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
        machine.stopped = end;
        for y in from..end {
            // Some rows are done whatever the answer, so that many stops come to an end too.
            if y > from && (y - from) % patience as i64 == 0 && !go_on() {
                machine.stopped = y;
                return false;
            }
            let seen = y + lowest;
            let slot = seen.rem_euclid(phase.rows as i64) as usize * row;
            let come = &mut scratch.ring.row_mut()[slot..slot + row];
            fill(seen, come);
            if let Some(values) = &phase.values {
                values.apply(set, come);
            }
            for (place, table) in phase.tables.iter().enumerate() {
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
                            .choice
                            .row(set, states, sums, Some(sweep.mask), None, next);
                        continue;
                    }
                    // Cells before the grid's first one are an even number, and so are
                    // vectors: those of even number hold columns like the first.
                    2 => place ^ usize::from(odd_row) ^ odd_column,
                    _ if place / 2 != usize::from(odd_row) => continue,
                    _ => (place % 2) ^ odd_column,
                };
                let own_next = scratch.next.row_mut();
                table
                    .choice
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
    /// Sums the row `y`, less the least there can be: into the kept row that is returned, or
    /// into `scratch.sums`.
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
        for strand in &self.strands {
            // Where the sums are that the next run takes: rows of signed bytes, or others.
            if let [batch] = &strand.batches[..] {
                batch.gather(set, ring, lanes, slots, y, bytes);
            }
            let mut last: Option<usize> = None;
            let mut fused = false;
            for (i, &(run, own)) in strand.small.iter().enumerate() {
                // A run along the row needs no row of its own where what comes of it is added
                // to what is above.
                fused = i + 1 == strand.small.len()
                    && matches!(run, RunningSum::Across { .. })
                    && matches!(
                        strand.large.first(),
                        Some((RunningSum::Down { shift: 0, .. }, _))
                    );
                if fused {
                    break;
                }
                last = Some(match last {
                    None => go(set, run, own, lanes, y, bytes, small),
                    Some(last) => {
                        let (before, after) = small.split_at_mut(own);
                        let from: &[u8] = before[last].row();
                        own + go(set, run, 0, lanes, y, from, after)
                    }
                });
            }
            let from = last.map_or(&bytes[..], |last| small[last].row());
            let Some((&(first, own), others)) = strand.large.split_first() else {
                // What is a signed byte goes to the sums as it is.
                match &strand.batches[..] {
                    [batch] => lanes::settle(set, from, batch.factor, fresh, sums),
                    batches => {
                        for (i, batch) in batches.iter().enumerate() {
                            batch.gather(set, ring, lanes, slots, y, bytes);
                            lanes::settle(set, bytes, batch.factor, fresh && i == 0, sums);
                        }
                    }
                }
                fresh &= strand.batches.is_empty();
                continue;
            };
            let mut at;
            if let RunningSum::Down { shift: 0, step } = first {
                // What goes straight down is added to what was above.
                at = own + y.rem_euclid(step as i64) as usize;
                let to = kept[at].row_mut();
                match (&strand.batches[..], strand.small.last()) {
                    (_, Some(&(RunningSum::Across { step }, _))) if fused => {
                        lanes::across_and_settle(set, step, from, to);
                    }
                    ([batch], _) => lanes::settle(set, from, batch.factor, false, to),
                    (batches, _) => {
                        for batch in batches {
                            batch.gather(set, ring, lanes, slots, y, bytes);
                            lanes::settle(set, bytes, batch.factor, false, to);
                        }
                    }
                }
            } else {
                match &strand.batches[..] {
                    [batch] => lanes::settle(set, from, batch.factor, true, work),
                    batches => {
                        for (i, batch) in batches.iter().enumerate() {
                            batch.gather(set, ring, lanes, slots, y, bytes);
                            lanes::settle(set, bytes, batch.factor, i == 0, work);
                        }
                    }
                }
                at = go(set, first, own, lanes, y, work, kept);
            }
            for &(run, own) in others {
                let (before, after) = kept.split_at_mut(own);
                at = own + go(set, run, 0, lanes, y, before[at].row(), after);
            }
            if self.strands.len() == 1 && self.least == T::default() {
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

/// Lets sums run on over a row; returns which of the kept rows they are in.
fn go<T: SumInteger>(
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
            lanes::across(set, step, from, kept[own].row_mut());
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
            for (vectors, start) in lanes.looks(-shift) {
                let range = vectors.start * LANES..vectors.end * LANES;
                let above = &above[LANES.strict_add_signed(start)..][..range.len()];
                lanes::add_two(set, above, &from[range.clone()], &mut to[range]);
            }
            own + odd
        }
    }
}
