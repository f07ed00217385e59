//! Loops over rows of lanes, which the compiler makes vectors of.
//!
//! A row is some vectors of [`LANES`] numbers one after the other; the cells of one lane lie
//! side by side on the sheet, so what runs along a row of cells runs from vector to vector,
//! in all lanes at once.
//!
//! Each loop is a [`SimdTask`] of its own: a row is long enough that choosing the instruction set
//! for it costs nothing, and LLVM gets small functions.

use crate::arch::{InstructionSet, SimdElement, SimdTask, Vector};
use crate::kernel::sum::SumInteger;

/// Numbers in a vector: a cache line of bytes.
pub(super) const LANES: usize = 64;

/// A row that begins at a cache line, with a vector of zeros on both sides: what crosses a
/// line takes twice as long to load.
#[derive(Debug)]
pub(crate) struct LaneRow<T> {
    all: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Clone + Default> LaneRow<T> {
    /// Zeros.
    pub(crate) fn new(length: usize) -> Self {
        let all = vec![T::default(); length + 3 * LANES];
        // Where alignment cannot be known (in an interpreter) any start is right.
        let aligned = all[LANES..].as_ptr().align_offset(LANES);
        let start = if aligned < LANES {
            LANES + aligned
        } else {
            LANES
        };
        Self { all, start, length }
    }

    /// The row.
    #[inline(always)]
    pub(crate) fn row(&self) -> &[T] {
        &self.all[self.start..self.start + self.length]
    }

    #[inline(always)]
    pub(crate) fn row_mut(&mut self) -> &mut [T] {
        &mut self.all[self.start..self.start + self.length]
    }

    /// The row with the zeros on both sides.
    #[inline(always)]
    pub(super) fn with_ends(&self) -> &[T] {
        &self.all[self.start - LANES..self.start + self.length + LANES]
    }
}

impl<T: Clone + Default> Clone for LaneRow<T> {
    /// The same row, perhaps elsewhere in a cache line.
    fn clone(&self) -> Self {
        let mut line = Self::new(self.length);
        line.row_mut().clone_from_slice(self.row());
        line
    }
}

/// Vectors that running sums go along between two looks at memory.
const AT_ONCE: usize = 8;

/// Bytes added, and others taken away, at most at once.
pub(super) const MOST: usize = 4;

/// `to[i]` becomes, or gets added, the sum of all `come[i]` less that of all `gone[i]`.
#[inline(always)]
pub(super) fn gather(come: &[&[u8]], gone: &[&[u8]], fresh: bool, to: &mut [u8]) {
    match come.len() {
        0 => gather_by::<0>(come, gone, fresh, to),
        1 => gather_by::<1>(come, gone, fresh, to),
        2 => gather_by::<2>(come, gone, fresh, to),
        3 => gather_by::<3>(come, gone, fresh, to),
        _ => gather_by::<MOST>(come, gone, fresh, to),
    }
}

#[inline(always)]
fn gather_by<const P: usize>(come: &[&[u8]], gone: &[&[u8]], fresh: bool, to: &mut [u8]) {
    match gone.len() {
        0 => gather_all::<P, 0>(come, gone, fresh, to),
        1 => gather_all::<P, 1>(come, gone, fresh, to),
        2 => gather_all::<P, 2>(come, gone, fresh, to),
        3 => gather_all::<P, 3>(come, gone, fresh, to),
        _ => gather_all::<P, MOST>(come, gone, fresh, to),
    }
}

#[inline(always)]
fn gather_all<const P: usize, const M: usize>(
    come: &[&[u8]],
    gone: &[&[u8]],
    fresh: bool,
    to: &mut [u8],
) {
    let (Some(come), Some(gone)) = (come.first_chunk::<P>(), gone.first_chunk::<M>()) else {
        return;
    };
    let to = vectors_mut(to);
    let count = to.len();
    let mut plus = [&[[0; LANES]; 0][..]; P];
    for i in 0..P {
        plus[i] = &vectors(come[i])[..count];
    }
    let mut minus = [&[[0; LANES]; 0][..]; M];
    for i in 0..M {
        minus[i] = &vectors(gone[i])[..count];
    }
    for (i, to) in to.iter_mut().enumerate() {
        for lane in 0..LANES {
            let mut sum = if fresh { 0 } else { to[lane] };
            for plus in plus {
                sum = sum.wrapping_add(plus[i][lane]);
            }
            for minus in minus {
                sum = sum.wrapping_sub(minus[i][lane]);
            }
            to[lane] = sum;
        }
    }
}

/// Signed bytes, times a factor: added to sums, or in their place.
pub(super) fn settle<T: SumInteger>(
    set: InstructionSet,
    bytes: &[u8],
    factor: i32,
    fresh: bool,
    to: &mut [T],
) {
    u64::run_in(
        set,
        ScaledAccumulateTask {
            bytes,
            factor,
            fresh,
            to,
        },
    );
}

struct ScaledAccumulateTask<'a, T> {
    bytes: &'a [u8],
    factor: i32,
    fresh: bool,
    to: &'a mut [T],
}

impl<T: SumInteger> SimdTask<u64> for ScaledAccumulateTask<'_, T> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let by = T::of(self.factor.into());
        let vectors = vectors_mut(self.to).iter_mut().zip(vectors(self.bytes));
        match (self.fresh, self.factor) {
            (true, 1) => {
                for (to, bytes) in vectors {
                    for lane in 0..LANES {
                        to[lane] = signed(bytes[lane]);
                    }
                }
            }
            (true, _) => {
                for (to, bytes) in vectors {
                    for lane in 0..LANES {
                        to[lane] = signed::<T>(bytes[lane]).times(by);
                    }
                }
            }
            (false, 1) => {
                for (to, bytes) in vectors {
                    for lane in 0..LANES {
                        to[lane] = to[lane].plus(signed(bytes[lane]));
                    }
                }
            }
            (false, _) => {
                for (to, bytes) in vectors {
                    for lane in 0..LANES {
                        to[lane] = to[lane].plus(signed::<T>(bytes[lane]).times(by));
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn signed<T: SumInteger>(byte: u8) -> T {
    T::of(i64::from(byte as i8))
}

// Rows are taken vector by vector: loops of another length would end in single numbers.
#[inline(always)]
fn vectors<T>(row: &[T]) -> &[[T; LANES]] {
    row.as_chunks().0
}

#[inline(always)]
fn vectors_mut<T>(row: &mut [T]) -> &mut [[T; LANES]] {
    row.as_chunks_mut().0
}

/// `to[i]` gets `from[i]` added.
pub(super) fn add<T: SumInteger>(set: InstructionSet, from: &[T], to: &mut [T]) {
    u64::run_in(set, LaneAddTask { from, to });
}

struct LaneAddTask<'a, T> {
    from: &'a [T],
    to: &'a mut [T],
}

impl<T: SumInteger> SimdTask<u64> for LaneAddTask<'_, T> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        for (to, from) in vectors_mut(self.to).iter_mut().zip(vectors(self.from)) {
            for lane in 0..LANES {
                to[lane] = to[lane].plus(from[lane]);
            }
        }
    }
}

/// `to[i]` becomes `a[i] + b[i]`.
pub(super) fn add_two<T: SumInteger>(set: InstructionSet, a: &[T], b: &[T], to: &mut [T]) {
    u64::run_in(set, LaneSumTask { a, b, to });
}

struct LaneSumTask<'a, T> {
    a: &'a [T],
    b: &'a [T],
    to: &'a mut [T],
}

impl<T: SumInteger> SimdTask<u64> for LaneSumTask<'_, T> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let from = vectors(self.a).iter().zip(vectors(self.b));
        for (to, (a, b)) in vectors_mut(self.to).iter_mut().zip(from) {
            for lane in 0..LANES {
                to[lane] = a[lane].plus(b[lane]);
            }
        }
    }
}

/// `sums[i]` becomes less by `least`.
pub(super) fn subtract<T: SumInteger>(set: InstructionSet, least: T, sums: &mut [T]) {
    u64::run_in(set, LaneSubtractTask { least, sums });
}

struct LaneSubtractTask<'a, T> {
    least: T,
    sums: &'a mut [T],
}

impl<T: SumInteger> SimdTask<u64> for LaneSubtractTask<'_, T> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        for sum in self.sums {
            *sum = sum.minus(self.least);
        }
    }
}

/// Sums that run along the cells of a row, from the first to the last: each is `from` there
/// and the sum `step` cells before, 1 or 2.
pub(super) fn across<T: SumInteger>(set: InstructionSet, step: usize, from: &[T], to: &mut [T]) {
    match step {
        1 => u64::run_in(set, PrefixSumTask::<T, 1> { from, to }),
        _ => u64::run_in(set, PrefixSumTask::<T, 2> { from, to }),
    }
}

struct PrefixSumTask<'a, T, const STEP: usize> {
    from: &'a [T],
    to: &'a mut [T],
}

impl<T: SumInteger, const STEP: usize> SimdTask<u64> for PrefixSumTask<'_, T, STEP> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self { from, to } = self;
        let mut sums = starts::<T, STEP>(from);
        let most = AT_ONCE * LANES;
        let (whole, rest) = from.split_at(from.len() / most * most);
        let (whole_to, rest_to) = to.split_at_mut(whole.len());
        let blocks = whole
            .chunks_exact(most)
            .zip(whole_to.chunks_exact_mut(most));
        for (from, to) in blocks {
            run_on::<T, STEP, AT_ONCE>(from, to, &mut sums);
        }
        let blocks = rest.chunks_exact(2 * LANES);
        for (from, to) in blocks.zip(rest_to.chunks_exact_mut(2 * LANES)) {
            run_on::<T, STEP, 2>(from, to, &mut sums);
        }
    }
}

/// The same with bytes, whose sums are signed bytes and are added to others.
pub(super) fn across_and_settle<T: SumInteger>(
    set: InstructionSet,
    step: usize,
    from: &[u8],
    to: &mut [T],
) {
    match step {
        1 => u64::run_in(set, WideningPrefixSum::<T, 1> { from, to }),
        _ => u64::run_in(set, WideningPrefixSum::<T, 2> { from, to }),
    }
}

struct WideningPrefixSum<'a, T, const STEP: usize> {
    from: &'a [u8],
    to: &'a mut [T],
}

impl<T: SumInteger, const STEP: usize> SimdTask<u64> for WideningPrefixSum<'_, T, STEP> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self { from, to } = self;
        let mut sums = starts::<u8, STEP>(from);
        let most = AT_ONCE * LANES;
        let (whole, rest) = from.split_at(from.len() / most * most);
        let (whole_to, rest_to) = to.split_at_mut(whole.len());
        let blocks = whole
            .chunks_exact(most)
            .zip(whole_to.chunks_exact_mut(most));
        for (from, to) in blocks {
            run_on_and_settle::<T, STEP, AT_ONCE>(from, to, &mut sums);
        }
        let blocks = rest.chunks_exact(2 * LANES);
        for (from, to) in blocks.zip(rest_to.chunks_exact_mut(2 * LANES)) {
            run_on_and_settle::<T, STEP, 2>(from, to, &mut sums);
        }
    }
}

/// The sums before the first vector: what all lanes before one amount to is where it starts.
#[inline(always)]
fn starts<T: SumInteger, const STEP: usize>(from: &[T]) -> [[T; LANES]; STEP] {
    let mut starts = [[T::default(); LANES]; STEP];
    let most = AT_ONCE * LANES;
    let (whole, rest) = from.split_at(from.len() / most * most);
    for block in whole.chunks_exact(most) {
        total::<T, STEP, AT_ONCE>(block, &mut starts);
    }
    for block in rest.chunks_exact(2 * LANES) {
        total::<T, STEP, 2>(block, &mut starts);
    }
    for starts in &mut starts {
        let mut sum = T::default();
        for start in starts {
            let total = *start;
            *start = sum;
            sum = sum.plus(total);
        }
    }
    starts
}

/// Adds N vectors to totals.
#[inline(always)]
fn total<T: SumInteger, const STEP: usize, const N: usize>(
    from: &[T],
    totals: &mut [[T; LANES]; STEP],
) {
    let from = &from[..N * LANES];
    for (step, totals) in totals.iter_mut().enumerate() {
        for (lane, total) in totals.iter_mut().enumerate() {
            let mut sum = *total;
            for i in 0..N / STEP {
                sum = sum.plus(from[(i * STEP + step) * LANES + lane]);
            }
            *total = sum;
        }
    }
}

/// Writes the running sums of N vectors.
#[inline(always)]
fn run_on<T: SumInteger, const STEP: usize, const N: usize>(
    from: &[T],
    to: &mut [T],
    sums: &mut [[T; LANES]; STEP],
) {
    let from = &from[..N * LANES];
    let to = &mut to[..N * LANES];
    for (step, sums) in sums.iter_mut().enumerate() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let mut now = *sum;
            for i in 0..N / STEP {
                let at = (i * STEP + step) * LANES + lane;
                now = now.plus(from[at]);
                to[at] = now;
            }
            *sum = now;
        }
    }
}

/// Adds the running sums of N vectors to others.
#[inline(always)]
fn run_on_and_settle<T: SumInteger, const STEP: usize, const N: usize>(
    from: &[u8],
    to: &mut [T],
    sums: &mut [[u8; LANES]; STEP],
) {
    let from = &from[..N * LANES];
    let to = &mut to[..N * LANES];
    for (step, sums) in sums.iter_mut().enumerate() {
        for (lane, sum) in sums.iter_mut().enumerate() {
            let mut now = *sum;
            for i in 0..N / STEP {
                let at = (i * STEP + step) * LANES + lane;
                now = now.wrapping_add(from[at]);
                to[at] = to[at].plus(signed(now));
            }
            *sum = now;
        }
    }
}
