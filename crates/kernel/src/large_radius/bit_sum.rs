//! Sums of cells that count as 1, in bit planes: what a straight edge does not help.
//!
//! The sum of a cell differs from that of the cell above by the cells along the lower outline of
//! the neighbourhood minus those along the upper one. A circle of radius 50 has 101 in each, and
//! hardly a straight piece among them. They are counted by full adders, which take three bits to
//! two (a carry-save adder), on as many cells at once as a vector has bits: about five operations
//! for each cell of the outline. Sums stay in bit planes, one of each weight, from row to row, and
//! so do comparisons with the bounds at which the rule changes its mind.
//!
//! A word of bits has the order of a vector of lanes: cell x is bit x / n of word x mod n. Each
//! row is held with words on both sides that repeat its others, shifted by as many lanes, so that
//! a cell at any distance is the same bit of a word at that distance.
//!
//! Adders in trees over sixteen inputs: S. Harley's, in H. S. Warren, "Hacker's Delight" (2002),
//! section 5-1; outlines of any shape are our own method.

use super::decision::SumDecision;
use super::lane_layout::LaneLayout;
use super::lanes::{LANES, LaneRow};
use super::plan::StencilOffset;
use super::sum_class::{ClassOutcome, SumClasses};
use super::sweep::{SweepRun, step_rows};
use crate::BitVector;
use crate::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use grid::State;

/// Words of the widest vector: rows have room for one more than they need.
const WIDEST: usize = 8;

/// The most bits of the number of cells in an outline.
const COUNT_PLANES: usize = 12;

/// Inputs of a tree of adders.
const TREE: usize = 16;

/// A rule whose cells count as 0 or 1, with its outlines and its bounds.
#[derive(Clone, Debug)]
pub(super) struct BitSumProgram {
    /// The only state that counts.
    counted: State,
    /// The outline whose cells are added to the sum above, and the one whose are subtracted.
    /// Each is where its words begin in the ring if the row itself is the ring's first.
    outlines: [Vec<usize>; 2],
    /// Planes of a count of one of them.
    count_planes: usize,
    /// The lowest row that is read, relative to the output, and the number of rows read.
    lowest: i32,
    rows: usize,
    /// Bits of a sum, and the sum of dead cells.
    planes: usize,
    nothing: u32,
    classes: SumClasses,
    scratch: BitSumScratch,
    /// Where the last sweep was interrupted: the next row, for which the sums are ready.
    stopped: i64,
}

/// Scratch memory of a sweep.
#[derive(Clone, Debug)]
struct BitSumScratch {
    incoming: LaneRow<u8>,
    /// Words before the first of a row, and words from row to row.
    before: usize,
    row: usize,
    /// A ring buffer of the last rows of cells.
    ring: Vec<u64>,
    /// Words of a row of sums.
    stride: usize,
    /// The planes of the sums of the first eight words, then those of the next eight.
    sums: Vec<u64>,
    /// What is asked of them, or the next cells.
    answers: Vec<u64>,
    mask: Vec<u64>,
    numbers: LaneRow<u8>,
    /// How many cells of each outline are set: the planes of the first vector, then those of the
    /// next.
    counts: [Vec<u64>; 2],
    /// What fills a tree.
    zeros: Vec<u64>,
}

impl BitSumProgram {
    /// None where cells have other values than 0 and 1, or where the rule asks for more than a few
    /// functions of the sum. `offsets` is what a sum has more than the one above.
    pub(super) fn new(
        decision: &SumDecision<'_>,
        offsets: &[StencilOffset],
        lanes: &LaneLayout,
    ) -> Option<Self> {
        let counted = decision.values.only?;
        if decision.values.of[usize::from(counted)] != 1 || decision.span > u32::MAX.into() {
            return None;
        }
        let classes = SumClasses::new(decision)?;
        let lowest = offsets
            .iter()
            .map(|offset| offset.dy)
            .max()
            .unwrap_or(0)
            .max(0);
        let highest = offsets
            .iter()
            .map(|offset| offset.dy)
            .min()
            .unwrap_or(0)
            .min(0);
        let rows = (lowest - highest + 1) as usize;
        let planes = (64 - decision.span.leading_zeros()).max(1) as usize;
        let across = lanes.across.next_multiple_of(WIDEST);
        let stride = lanes.vectors().next_multiple_of(WIDEST);
        let row = stride + 2 * across;
        let mut outlines = [Vec::new(), Vec::new()];
        for offset in offsets {
            let times = offset.factor.unsigned_abs() as usize;
            let slot = offset.dy.rem_euclid(rows as i32) as usize;
            let place = (slot * row + across).strict_add_signed(offset.dx as isize);
            outlines[usize::from(offset.factor < 0)].extend(std::iter::repeat_n(place, times));
        }
        // Each tree of sixteen adds a carry to the high planes.
        let trees = outlines
            .iter()
            .map(|outline| outline.len().div_ceil(TREE))
            .max()?;
        let count_planes = 4 + (usize::BITS - trees.leading_zeros()) as usize;
        if count_planes > COUNT_PLANES {
            return None;
        }
        Some(Self {
            counted,
            outlines,
            count_planes,
            lowest,
            rows,
            planes,
            nothing: (-decision.least) as u32,
            scratch: BitSumScratch {
                incoming: LaneRow::new(lanes.bytes()),
                before: across,
                row,
                ring: vec![0; rows * row],
                stride,
                sums: vec![0; planes * stride],
                answers: vec![0; classes.number.max(1) * stride],
                mask: vec![0; lanes.vectors()],
                numbers: LaneRow::new(lanes.bytes()),
                counts: std::array::from_fn(|_| vec![0; COUNT_PLANES * stride]),
                zeros: vec![0; stride],
            },
            classes,
            stopped: 0,
        })
    }

    /// The bits of a sum.
    pub(super) fn planes(&self) -> usize {
        self.planes
    }

    /// The number of cells in the outlines.
    pub(super) fn outline_cells(&self) -> usize {
        self.outlines.iter().map(Vec::len).sum()
    }

    /// The bits of a sum, and what a cell costs in looks of other sums and in running ones.
    pub(super) fn size(&self) -> (u32, usize, usize) {
        (self.planes as u32, self.cost(), 0)
    }

    /// The cost, in loads of 64 bytes for 64 cells: counted in instructions on grids 2,048 wide.
    pub(super) fn cost(&self) -> usize {
        self.outline_cells() / 3 + self.planes + 7
    }

    /// Steps the rows of a sweep. Returns whether it finished.
    pub(super) fn run(&mut self, run: SweepRun<'_>) -> bool {
        let SweepRun {
            set,
            lanes,
            sweep,
            fill,
            go_on,
            check_interval,
        } = run;
        let lanes = &lanes;
        let row = lanes.bytes();
        let (first, height) = (sweep.first as i64, sweep.next.len() / row);
        let lowest = i64::from(self.lowest);
        let from = if sweep.goes_on {
            self.stopped
        } else {
            self.begin(sweep.mask);
            first - lanes.down as i64 - lowest
        };
        let end = first + height as i64;
        self.stopped = step_rows(from..end, check_interval, go_on, |y| {
            let seen = y + lowest;
            fill(seen, self.scratch.incoming.row_mut());
            self.take_row(set, lanes, seen);
            let out = usize::try_from(y - first).ok();
            self.sum(set, y, out.is_some());
            let Some(out) = out else {
                return;
            };
            let line = sweep.first + out;
            let next = &mut sweep.next[out * row..(out + 1) * row];
            let BitSumScratch {
                stride,
                answers,
                mask,
                numbers,
                ..
            } = &mut self.scratch;
            match &self.classes.outcome {
                ClassOutcome::Bits(_) => spread(set, &[answers], Some(mask), next),
                ClassOutcome::Bytes(transition) => {
                    let answers: Vec<&[u64]> = answers.chunks_exact(*stride).collect();
                    spread(set, &answers, None, numbers.row_mut());
                    let states = &sweep.now[line * row..(line + 1) * row];
                    let numbers = numbers.row();
                    transition.row(set, states, numbers, Some(sweep.mask), None, next);
                }
            }
        });
        self.stopped == end
    }

    /// Forgets all rows; the sums are those of dead cells.
    fn begin(&mut self, mask: &[u8]) {
        let scratch = &mut self.scratch;
        scratch.ring.fill(0);
        // Vectors of every width have the same words of a plane side by side, eight at a time.
        for (i, sums) in scratch.sums.chunks_exact_mut(WIDEST).enumerate() {
            let plane = i % self.planes;
            sums.fill(u64::all(self.nothing >> plane & 1 == 1));
        }
        for (word, bytes) in scratch.mask.iter_mut().zip(mask.as_chunks().0) {
            *word = pack(bytes, u8::MAX);
        }
    }

    /// Puts the incoming row into the ring.
    fn take_row(&mut self, set: InstructionSet, lanes: &LaneLayout, y: i64) {
        let BitSumScratch {
            incoming,
            before,
            row,
            ring,
            ..
        } = &mut self.scratch;
        let slot = y.rem_euclid(self.rows as i64) as usize;
        let to = &mut ring[slot * *row..(slot + 1) * *row];
        let n = lanes.vectors();
        let (left, rest) = to.split_at_mut(*before);
        let (own, right) = rest.split_at_mut(n);
        let task = PackTask {
            bytes: incoming.row(),
            counted: self.counted,
            to: own,
        };
        u64::run_in(set, task);
        // Further to the left is the cell one lane before, and so on.
        for (shift, words) in (1..).zip(left.rchunks_mut(n)) {
            let from = &own[n - words.len()..];
            for (word, from) in words.iter_mut().zip(from) {
                *word = from.checked_shl(shift).unwrap_or(0);
            }
        }
        for (shift, words) in (1..).zip(right.chunks_mut(n)) {
            for (word, from) in words.iter_mut().zip(&*own) {
                *word = from.checked_shr(shift).unwrap_or(0);
            }
        }
    }

    /// Makes the sums of row `y` of those above, and answers what the rule asks of them.
    fn sum(&mut self, set: InstructionSet, y: i64, is_output: bool) {
        let BitSumScratch {
            before,
            row,
            ring,
            stride,
            sums,
            answers,
            counts,
            zeros,
            ..
        } = &mut self.scratch;
        let first = y.rem_euclid(self.rows as i64) as usize * *row;
        let length = *stride;
        for (counts, outline) in counts.iter_mut().zip(&self.outlines) {
            if outline.is_empty() {
                counts.fill(0);
            }
            for (i, tree) in outline.chunks(TREE).enumerate() {
                // What fills the last tree of adders is zero.
                let mut rows = [&zeros[..]; TREE];
                for (words, place) in rows.iter_mut().zip(tree) {
                    let at = first + place;
                    let at = at.checked_sub(ring.len()).unwrap_or(at);
                    *words = &ring[at..at + length];
                }
                let high = self.count_planes - 4;
                let task = TreeTask {
                    rows,
                    is_first: i == 0,
                    counts,
                    high,
                };
                u64::run_in(set, task);
            }
        }
        let task = BitSumTask {
            own: &ring[first + *before..][..length],
            counts: counts.each_ref().map(|count| &count[..]),
            counted: self.planes.min(self.count_planes),
            sums,
            planes: self.planes,
            classes: is_output.then_some(&self.classes),
            answers,
            stride: length,
        };
        u64::run_in(set, task);
    }
}

/// A bit for each cell of one state.
struct PackTask<'a> {
    bytes: &'a [u8],
    counted: State,
    to: &'a mut [u64],
}

impl SimdTask<u64> for PackTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        for (word, bytes) in self.to.iter_mut().zip(self.bytes.as_chunks().0) {
            *word = pack(bytes, self.counted);
        }
    }
}

/// A bit for each cell of one state, the first in the lowest.
#[inline(always)]
fn pack(bytes: &[u8; LANES], counted: State) -> u64 {
    let mut ones = [0; LANES];
    for (one, byte) in ones.iter_mut().zip(bytes) {
        *one = u8::from(*byte == counted);
    }
    let mut word = 0;
    for (i, ones) in ones.as_chunks::<8>().0.iter().enumerate() {
        // Byte k, which is 0 or 1, comes to bit 56 + k.
        let bits = u64::from_le_bytes(*ones).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= bits << (8 * i);
    }
    word
}

/// Makes bytes of bits: of several rows of them, the first of which has the lowest.
fn spread(set: InstructionSet, rows: &[&[u64]], mask: Option<&[u64]>, to: &mut [u8]) {
    for (bit, row) in rows.iter().enumerate() {
        let mask = mask.unwrap_or(row);
        u64::run_in(set, SpreadTask { row, mask, bit, to });
    }
}

struct SpreadTask<'a> {
    row: &'a [u64],
    mask: &'a [u64],
    bit: usize,
    to: &'a mut [u8],
}

impl SimdTask<u64> for SpreadTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        const ONE: u64 = 0x0101_0101_0101_0101;
        const DIAGONAL: u64 = 0x8040_2010_0804_0201;
        let words = self.row.iter().zip(self.mask);
        let to = self.to.as_chunks_mut::<LANES>().0;
        for (to, (word, mask)) in to.iter_mut().zip(words) {
            let bytes = (word & mask).to_le_bytes();
            for (to, byte) in to.as_chunks_mut::<8>().0.iter_mut().zip(bytes) {
                let bits = (u64::from(byte) * ONE) & DIAGONAL;
                // Each byte has one bit at most: its highest is set by a carry out of that.
                let ones = (bits + (u64::MAX / 255 * 0x7f)) >> 7 & ONE;
                let before = match self.bit {
                    0 => 0,
                    _ => u64::from_le_bytes(*to),
                };
                *to = (before | ones << self.bit).to_le_bytes();
            }
        }
    }
}

/// Counts the bits of sixteen rows of words, on top of those that were counted before.
struct TreeTask<'a> {
    rows: [&'a [u64]; TREE],
    /// Whether nothing was counted before.
    is_first: bool,
    /// The planes of the first vector's count, then of the next one's.
    counts: &'a mut [u64],
    high: usize,
}

impl SimdTask<u64> for TreeTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        match V::LANES {
            1 => self.run_blocks::<V, 1>(),
            2 => self.run_blocks::<V, 2>(),
            4 => self.run_blocks::<V, 4>(),
            _ => self.run_blocks::<V, WIDEST>(),
        }
    }
}

impl TreeTask<'_> {
    /// `LANES` is that of the vector: what is so long can be loaded unseen.
    #[inline(always)]
    fn run_blocks<V: Vector<u64>, const LANES: usize>(self) {
        let Self {
            rows,
            is_first,
            counts,
            high,
        } = self;
        let counts = counts.as_chunks_mut::<LANES>().0;
        let counts = counts.as_chunks_mut::<COUNT_PLANES>().0;
        let number = counts.len();
        let mut from = [&[[0; LANES]; 0][..]; TREE];
        for i in 0..TREE {
            from[i] = &rows[i].as_chunks().0[..number];
        }
        let high = high.min(COUNT_PLANES - 4);
        for (block, to) in counts.iter_mut().enumerate() {
            if is_first {
                for plane in &mut to[..4 + high] {
                    V::ZERO.store(plane);
                }
            }
            let mut ones = V::load(&to[0]);
            let mut twos = V::load(&to[1]);
            let mut fours = V::load(&to[2]);
            let mut eights = V::load(&to[3]);
            macro_rules! bits {
                ($i:literal) => {
                    V::load(&from[$i][block])
                };
            }
            let two_a = add(&mut ones, bits!(0), bits!(1));
            let two_b = add(&mut ones, bits!(2), bits!(3));
            let four_a = add(&mut twos, two_a, two_b);
            let two_a = add(&mut ones, bits!(4), bits!(5));
            let two_b = add(&mut ones, bits!(6), bits!(7));
            let four_b = add(&mut twos, two_a, two_b);
            let eight_a = add(&mut fours, four_a, four_b);
            let two_a = add(&mut ones, bits!(8), bits!(9));
            let two_b = add(&mut ones, bits!(10), bits!(11));
            let four_a = add(&mut twos, two_a, two_b);
            let two_a = add(&mut ones, bits!(12), bits!(13));
            let two_b = add(&mut ones, bits!(14), bits!(15));
            let four_b = add(&mut twos, two_a, two_b);
            let eight_b = add(&mut fours, four_a, four_b);
            let mut carry = add(&mut eights, eight_a, eight_b);
            ones.store(&mut to[0]);
            twos.store(&mut to[1]);
            fours.store(&mut to[2]);
            eights.store(&mut to[3]);
            for plane in &mut to[4..4 + high] {
                let before = V::load(plane);
                (before ^ carry).store(plane);
                carry = before & carry;
            }
        }
    }
}

/// The sums of a row.
struct BitSumTask<'a> {
    /// The row's own cells.
    own: &'a [u64],
    /// What is added and what is subtracted, in so many planes.
    counts: [&'a [u64]; 2],
    counted: usize,
    /// The planes of the first vectors' sums, then of the next ones'.
    sums: &'a mut [u64],
    planes: usize,
    /// None where nobody asks.
    classes: Option<&'a SumClasses>,
    answers: &'a mut [u64],
    stride: usize,
}

impl SimdTask<u64> for BitSumTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        match V::LANES {
            1 => self.run_blocks::<V, 1, 8>(),
            2 => self.run_blocks::<V, 2, 4>(),
            4 => self.run_blocks::<V, 4, 2>(),
            _ => self.run_blocks::<V, WIDEST, 1>(),
        }
    }
}

impl BitSumTask<'_> {
    /// Takes `N` vectors of `LANES` words at a time, so that bits of a bound are looked at once.
    #[inline(always)]
    fn run_blocks<V: Vector<u64>, const LANES: usize, const N: usize>(self) {
        let Self {
            own,
            counts,
            counted,
            sums,
            planes,
            classes,
            answers,
            stride,
        } = self;
        let counts = counts.map(|counts| {
            let counts = counts.as_chunks::<LANES>().0;
            counts.as_chunks::<COUNT_PLANES>().0.as_chunks::<N>().0
        });
        let sums = sums.as_chunks_mut::<LANES>().0.as_chunks_mut::<N>().0;
        for (block, sums) in sums.chunks_exact_mut(planes).enumerate() {
            let (plus, minus) = (&counts[0][block], &counts[1][block]);
            let (mut carry, mut borrow) = ([V::ZERO; N], [V::ZERO; N]);
            let (low, high) = sums.split_at_mut(counted.min(COUNT_PLANES));
            for (plane, sums) in low.iter_mut().enumerate() {
                for i in 0..N {
                    let (plus, minus) = (V::load(&plus[i][plane]), V::load(&minus[i][plane]));
                    let before = V::load(&sums[i]);
                    let more = before.xor3(plus, carry[i]);
                    carry[i] = before.majority(plus, carry[i]);
                    more.xor3(minus, borrow[i]).store(&mut sums[i]);
                    borrow[i] = (!more).majority(minus, borrow[i]);
                }
            }
            for sums in high {
                for i in 0..N {
                    let before = V::load(&sums[i]);
                    let more = before ^ carry[i];
                    carry[i] = before & carry[i];
                    let now = more ^ borrow[i];
                    now.store(&mut sums[i]);
                    borrow[i] = borrow[i] & now;
                }
            }
            let Some(classes) = classes else {
                continue;
            };
            let mut answer = classes.first.map(|first| [V::all(first); N]);
            for &(bound, changed) in &classes.bounds {
                let mut is_reached = [V::ONES; N];
                let lowest = bound.trailing_zeros();
                let mut bits = bound >> lowest;
                for sums in &sums[lowest as usize..] {
                    if bits & 1 == 1 {
                        for i in 0..N {
                            is_reached[i] = is_reached[i] & V::load(&sums[i]);
                        }
                    } else {
                        for i in 0..N {
                            is_reached[i] = is_reached[i] | V::load(&sums[i]);
                        }
                    }
                    bits >>= 1;
                }
                for (class, answer) in answer.iter_mut().enumerate().take(classes.number) {
                    if changed >> class & 1 == 1 {
                        for i in 0..N {
                            answer[i] = answer[i] ^ is_reached[i];
                        }
                    }
                }
            }
            let at = block * WIDEST;
            match classes.outcome {
                ClassOutcome::Bits([dead, live]) => {
                    let next = answer[live].iter().zip(answer[dead]);
                    for (i, (&live, dead)) in next.enumerate() {
                        let at = at + i * LANES;
                        let is_live = V::load(&own[at..]);
                        is_live.choose(live, dead).store(&mut answers[at..]);
                    }
                }
                ClassOutcome::Bytes(_) => {
                    for (class, answer) in answer.iter().enumerate().take(classes.number) {
                        for (i, answer) in answer.iter().enumerate() {
                            let at = class * stride + at + i * LANES;
                            answer.store(&mut answers[at..]);
                        }
                    }
                }
            }
        }
    }
}

/// A full adder: adds two bits to `sum`, and returns the carry.
#[inline(always)]
fn add<V: BitVector>(sum: &mut V, a: V, b: V) -> V {
    let carry = sum.majority(a, b);
    *sum = sum.xor3(a, b);
    carry
}
