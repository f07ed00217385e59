//! Loops over rows of lanes, which the compiler vectorises.
//!
//! A row consists of vectors of [`LANES`] numbers. The cells of one lane are contiguous in the
//! grid, so a prefix sum along a row of cells runs from vector to vector, in all lanes at
//! once.
//!
//! Each loop is a [`SimdTask`] of its own: a row is long enough that dispatching on the
//! instruction set costs nothing, and LLVM gets small functions.

use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use crate::sum_integer::SumInteger;

/// Numbers in a vector: a cache line of bytes.
pub(super) const LANES: usize = 64;

/// A row aligned to a cache line, with a vector of zeros on both sides. Loads that cross a
/// cache line take twice as long.
#[derive(Debug)]
pub struct LaneRow<T> {
    all: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Clone + Default> LaneRow<T> {
    /// A row of zeros.
    ///
    /// ```
    /// let row = kernel::LaneRow::<u8>::new(128);
    /// assert_eq!(row.row(), [0; 128]);
    /// ```
    pub fn new(length: usize) -> Self {
        let all = vec![T::default(); length + 3 * LANES];
        // Where the alignment is not known (in an interpreter) any start is right.
        let aligned = all[LANES..].as_ptr().align_offset(LANES);
        let start = if aligned < LANES {
            LANES + aligned
        } else {
            LANES
        };
        Self { all, start, length }
    }

    /// The row.
    /// The lanes of the row, its padding included.
    #[inline(always)]
    pub fn row(&self) -> &[T] {
        &self.all[self.start..self.start + self.length]
    }

    /// The same, to be written.
    #[inline(always)]
    pub fn row_mut(&mut self) -> &mut [T] {
        &mut self.all[self.start..self.start + self.length]
    }

    /// The row with the vectors of zeros on both sides.
    #[inline(always)]
    pub(super) fn with_ends(&self) -> &[T] {
        &self.all[self.start - LANES..self.start + self.length + LANES]
    }
}

impl<T: Clone + Default> Clone for LaneRow<T> {
    /// A copy with an alignment of its own.
    fn clone(&self) -> Self {
        let mut line = Self::new(self.length);
        line.row_mut().clone_from_slice(self.row());
        line
    }
}

/// Vectors of a prefix sum between two accesses to its accumulators in memory.
const UNROLL: usize = 8;

/// The most rows that are added, and that are subtracted, in one pass.
pub(super) const MAX_ROWS: usize = 4;

/// Sets `to[i]` to the sum of all `added[i]` minus the sum of all `subtracted[i]`, or adds that
/// to it.
#[inline(always)]
pub(super) fn gather(added: &[&[u8]], subtracted: &[&[u8]], fresh: bool, to: &mut [u8]) {
    match added.len() {
        0 => gather_added::<0>(added, subtracted, fresh, to),
        1 => gather_added::<1>(added, subtracted, fresh, to),
        2 => gather_added::<2>(added, subtracted, fresh, to),
        3 => gather_added::<3>(added, subtracted, fresh, to),
        _ => gather_added::<MAX_ROWS>(added, subtracted, fresh, to),
    }
}

#[inline(always)]
fn gather_added<const P: usize>(added: &[&[u8]], subtracted: &[&[u8]], fresh: bool, to: &mut [u8]) {
    match subtracted.len() {
        0 => gather_exact::<P, 0>(added, subtracted, fresh, to),
        1 => gather_exact::<P, 1>(added, subtracted, fresh, to),
        2 => gather_exact::<P, 2>(added, subtracted, fresh, to),
        3 => gather_exact::<P, 3>(added, subtracted, fresh, to),
        _ => gather_exact::<P, MAX_ROWS>(added, subtracted, fresh, to),
    }
}

#[inline(always)]
fn gather_exact<const P: usize, const M: usize>(
    added: &[&[u8]],
    subtracted: &[&[u8]],
    fresh: bool,
    to: &mut [u8],
) {
    let (Some(added), Some(subtracted)) = (added.first_chunk::<P>(), subtracted.first_chunk::<M>())
    else {
        return;
    };
    let to = vectors_mut(to);
    let count = to.len();
    let mut plus = [&[[0; LANES]; 0][..]; P];
    for i in 0..P {
        plus[i] = &vectors(added[i])[..count];
    }
    let mut minus = [&[[0; LANES]; 0][..]; M];
    for i in 0..M {
        minus[i] = &vectors(subtracted[i])[..count];
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

/// Adds signed bytes times a factor to sums, or overwrites the sums with them.
pub(super) fn accumulate<T: SumInteger>(
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

// Rows are processed in whole vectors: loops of another length would get scalar tails.
#[inline(always)]
fn vectors<T>(row: &[T]) -> &[[T; LANES]] {
    row.as_chunks().0
}

#[inline(always)]
fn vectors_mut<T>(row: &mut [T]) -> &mut [[T; LANES]] {
    row.as_chunks_mut().0
}

/// `to[i] += from[i]`
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

/// `to[i] = a[i] + b[i]`
pub(super) fn add_rows<T: SumInteger>(set: InstructionSet, a: &[T], b: &[T], to: &mut [T]) {
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

/// `sums[i] -= least`
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

/// Prefix sums along the cells of a row: each is `from` at that cell plus the sum `step` cells
/// before, 1 or 2.
pub(super) fn prefix_sum<T: SumInteger>(
    set: InstructionSet,
    step: usize,
    from: &[T],
    to: &mut [T],
) {
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
        let mut sums = lane_starts::<T, STEP>(from);
        let most = UNROLL * LANES;
        let (whole, rest) = from.split_at(from.len() / most * most);
        let (whole_to, rest_to) = to.split_at_mut(whole.len());
        let blocks = whole
            .chunks_exact(most)
            .zip(whole_to.chunks_exact_mut(most));
        for (from, to) in blocks {
            write_prefix_sums::<T, STEP, UNROLL>(from, to, &mut sums);
        }
        let blocks = rest.chunks_exact(2 * LANES);
        for (from, to) in blocks.zip(rest_to.chunks_exact_mut(2 * LANES)) {
            write_prefix_sums::<T, STEP, 2>(from, to, &mut sums);
        }
    }
}

/// Prefix sums of signed bytes, which are added to `to`.
pub(super) fn accumulate_prefix_sum<T: SumInteger>(
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
        let mut sums = lane_starts::<u8, STEP>(from);
        let most = UNROLL * LANES;
        let (whole, rest) = from.split_at(from.len() / most * most);
        let (whole_to, rest_to) = to.split_at_mut(whole.len());
        let blocks = whole
            .chunks_exact(most)
            .zip(whole_to.chunks_exact_mut(most));
        for (from, to) in blocks {
            add_prefix_sums::<T, STEP, UNROLL>(from, to, &mut sums);
        }
        let blocks = rest.chunks_exact(2 * LANES);
        for (from, to) in blocks.zip(rest_to.chunks_exact_mut(2 * LANES)) {
            add_prefix_sums::<T, STEP, 2>(from, to, &mut sums);
        }
    }
}

/// The sums before the first vector: each lane starts with the total of all lanes before it.
#[inline(always)]
fn lane_starts<T: SumInteger, const STEP: usize>(from: &[T]) -> [[T; LANES]; STEP] {
    let mut lane_starts = [[T::default(); LANES]; STEP];
    let most = UNROLL * LANES;
    let (whole, rest) = from.split_at(from.len() / most * most);
    for block in whole.chunks_exact(most) {
        add_to_totals::<T, STEP, UNROLL>(block, &mut lane_starts);
    }
    for block in rest.chunks_exact(2 * LANES) {
        add_to_totals::<T, STEP, 2>(block, &mut lane_starts);
    }
    for lane_starts in &mut lane_starts {
        let mut sum = T::default();
        for start in lane_starts {
            let total = *start;
            *start = sum;
            sum = sum.plus(total);
        }
    }
    lane_starts
}

/// Adds N vectors to the totals of each lane.
#[inline(always)]
fn add_to_totals<T: SumInteger, const STEP: usize, const N: usize>(
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

/// Writes the prefix sums of N vectors.
#[inline(always)]
fn write_prefix_sums<T: SumInteger, const STEP: usize, const N: usize>(
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

/// Adds the prefix sums of N vectors to `to`.
#[inline(always)]
fn add_prefix_sums<T: SumInteger, const STEP: usize, const N: usize>(
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
