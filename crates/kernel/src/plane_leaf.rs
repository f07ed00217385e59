//! Rules of a few states over bit planes, in leaves of 8 x 8 cells: what
//! [`BitKernel::leaf_results`](crate::BitKernel::leaf_results) is for two states.
//!
//! Four leaves are a square of 16 x 16 cells, which determine their middle for four generations.
//! Of four squares, a row is one word. A leaf has a row in a byte, so the rows of eight leaves are
//! the bytes of their words transposed.
//!
//! Leaves of 16 x 16 cells need fewer nodes, but four times the logic each: `primes` of WireWorld
//! took a fifth more instructions. Own method.

use super::bit::ROWS_TOGETHER;
use super::interpreter::CircuitProgram;
use super::shifted_rows::{SHIFTED, ShiftedRow, ShiftedRows};
use super::synthesis;
use crate::backend::{CircuitBackend, CircuitShape};
use crate::simd::{SimdElement, SimdTask, Vector};
use rule::Rule;

/// 8 x 8 cells in P planes: bit `8 * y + x` of word p is bit p of the state of cell (x, y).
pub type PlaneLeaf<const P: usize> = [u64; P];

/// Squares whose rows are one word.
const PER_WORD: usize = 4;

/// Words of a row of the squares that are stepped together. Rows of several planes fill the cache
/// sooner than those of one.
const STRIDE: usize = 8;

/// Groups of lines in a row: three shifts of each plane, and the parity of columns and rows.
const GROUPS: usize = SHIFTED + 1;

/// Rows of a square, and of its middle.
const SIDE: usize = 16;
const MIDDLE: std::ops::Range<usize> = 4..12;

/// The generations for which the middle is determined.
const MAX_GENERATIONS: u32 = 4;

/// The planes that leaves may have.
const PLANES: std::ops::RangeInclusive<usize> = 2..=5;

type PlaneSquareRows<const P: usize> = [ShiftedRow<STRIDE, P, GROUPS>; SIDE];

/// A rule of radius 1 and three states or more, a bit of each state in each plane.
#[derive(Clone, Debug)]
pub struct PlaneLeafKernel {
    planes: usize,
    is_checkered: bool,
    /// One program a phase.
    programs: Vec<CircuitProgram>,
    what: &'static str,
}

impl PlaneLeafKernel {
    /// Compiles rules of radius 1 and of 3 to 32 states whose circuit has at most `most` steps; none
    /// for others.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneLeafKernel};
    ///
    /// let rule = "345/2/4".parse()?;
    /// assert!(PlaneLeafKernel::compile(&rule, 100, &InterpreterOnly).is_some());
    /// assert!(PlaneLeafKernel::compile(&rule, 3, &InterpreterOnly).is_none(), "it takes more steps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(rule: &Rule, most: usize, backend: &dyn CircuitBackend) -> Option<Self> {
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        if rule.radius() != 1 || !PLANES.contains(&planes) {
            return None;
        }
        let mut programs = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let made = synthesis::synthesise(rule, generation, planes)?;
            if made.circuit.cost(&made.next) > most {
                return None;
            }
            what = made.what;
            let shape = CircuitShape {
                planes: GROUPS * planes,
                radius: 1,
                height: Some(ROWS_TOGETHER),
            };
            let circuit = made.circuit.over_lines(planes as u8);
            programs.push(CircuitProgram::compile(
                &circuit, &made.next, shape, backend,
            ));
        }
        Some(Self {
            planes,
            is_checkered: rule.is_checkered(),
            programs,
            what,
        })
    }

    /// The number of bits of a state.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of generations after which the rule repeats.
    pub fn time_period(&self) -> usize {
        self.programs.len()
    }

    /// A description for users.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneLeafKernel};
    ///
    /// let kernel = PlaneLeafKernel::compile(&"345/2/4".parse()?, 100, &InterpreterOnly);
    /// let what = kernel.expect("a small circuit").describe();
    /// assert!(what.starts_with("2 bit planes, "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let steps: Vec<String> = self.programs.iter().map(CircuitProgram::describe).collect();
        let (planes, what) = (self.planes, self.what);
        format!("{planes} bit planes, {what} by {}", steps.join(" and "))
    }

    /// The middles of squares of four leaves (north-west, north-east, south-west, south-east)
    /// after at most four generations, the first of the given phase. The corner of a square is in
    /// an even column and an odd row.
    ///
    /// # Panics
    /// When there are not as many middles as squares, or the leaves have other planes.
    ///
    /// ```
    /// use kernel::{InterpreterOnly, PlaneLeaf, PlaneLeafKernel};
    ///
    /// let brian = PlaneLeafKernel::compile(&"/2/3".parse()?, 100, &InterpreterOnly);
    /// let north_west: PlaneLeaf<2> = [0b11 << (8 * 6 + 5), 0]; // two cells in row 6
    /// let mut middle = [[0; 2]];
    /// let square = [north_west, [0; 2], [0; 2], [0; 2]];
    /// brian.expect("a small circuit").leaf_results(0, 1, &[square], &mut middle);
    /// // the middle begins at column 4 and row 4: above and below, two are born, and they are dying
    /// assert_eq!(middle[0][0], 0b11 << (8 + 1) | 0b11 << (3 * 8 + 1));
    /// assert_eq!(middle[0][1], 0b11 << (2 * 8 + 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leaf_results<const P: usize>(
        &self,
        phase: usize,
        generations: u32,
        fours: &[[PlaneLeaf<P>; 4]],
        leaf_results: &mut [PlaneLeaf<P>],
    ) {
        debug_assert!(
            generations <= MAX_GENERATIONS,
            "the middle is known for four"
        );
        assert_eq!(P, self.planes, "the planes of the rule");
        assert_eq!(fours.len(), leaf_results.len(), "a middle for each four");
        u64::dispatch(PlaneLeavesTask {
            kernel: self,
            phase,
            generations: generations as usize,
            fours,
            leaf_results,
        });
    }
}

/// Many squares side by side, and with each generation two rows less of them. Cells that are
/// shifted from a square to the next are as wrong as all at its border.
struct PlaneLeavesTask<'a, const P: usize> {
    kernel: &'a PlaneLeafKernel,
    phase: usize,
    generations: usize,
    fours: &'a [[PlaneLeaf<P>; 4]],
    leaf_results: &'a mut [PlaneLeaf<P>],
}

impl<const P: usize> SimdTask<u64> for PlaneLeavesTask<'_, P> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let programs = &self.kernel.programs;
        let mut rows = ShiftedRows::<STRIDE, P, GROUPS>::borrow(SIDE);
        if self.kernel.is_checkered {
            for rows in rows.both_mut() {
                fill_parity(rows);
            }
        }
        let groups = self.fours.chunks(PER_WORD * STRIDE);
        for (fours, leaf_results) in groups.zip(self.leaf_results.chunks_mut(PER_WORD * STRIDE)) {
            let square_rows = rows.rows_mut().first_chunk_mut();
            let square_rows = square_rows.expect("the rows of a square");
            for (word, squares) in fours.chunks(PER_WORD).enumerate() {
                put_squares(squares, word, square_rows);
            }
            let used = fours.len().div_ceil(PER_WORD);
            for generation in 0..self.generations {
                let left = self.generations - generation;
                let seen = MIDDLE.start - left..MIDDLE.end + left;
                let program = &programs[(self.phase + generation) % programs.len()];
                let words = used.next_multiple_of(program.words());
                rows.shift::<V>(seen.clone(), words.next_multiple_of(V::LANES));
                rows.step(program, seen, words);
            }
            let square_rows = rows.rows().first_chunk().expect("the rows of a square");
            for (word, middles) in leaf_results.chunks_mut(PER_WORD).enumerate() {
                take_middles(square_rows, word, middles);
            }
        }
        rows.give_back();
    }
}

/// Puts up to four squares of four leaves into a word of each row.
#[inline(always)]
fn put_squares<const P: usize>(
    squares: &[[PlaneLeaf<P>; 4]],
    word: usize,
    rows: &mut PlaneSquareRows<P>,
) {
    assert!(word < STRIDE, "one of a row's words");
    for p in 0..P {
        for half in 0..2 {
            let mut leaves = [0; 8];
            for (pair, square) in leaves.as_chunks_mut::<2>().0.iter_mut().zip(squares) {
                *pair = [square[2 * half][p], square[2 * half + 1][p]];
            }
            for (y, row) in transposed(leaves).into_iter().enumerate() {
                rows[8 * half + y][0][p][word] = row;
            }
        }
    }
}

/// The middles of up to four squares in a word of each row.
#[inline(always)]
fn take_middles<const P: usize>(
    rows: &PlaneSquareRows<P>,
    word: usize,
    middles: &mut [PlaneLeaf<P>],
) {
    assert!(word < STRIDE, "one of a row's words");
    for p in 0..P {
        let mut bytes = [0; 8];
        for (y, row) in bytes.iter_mut().enumerate() {
            *row = rows[MIDDLE.start + y][0][p][word] >> MIDDLE.start;
        }
        // every other column of bytes is of cells beside the middles
        let columns = transposed(bytes);
        for (middle, [column, _]) in middles.iter_mut().zip(columns.as_chunks::<2>().0) {
            middle[p] = *column;
        }
    }
}

/// Byte i of word k becomes byte k of word i: Hacker's Delight (H. S. Warren, 2nd edition,
/// section 7-3) with bytes in place of bits.
#[inline(always)]
fn transposed(mut words: [u64; 8]) -> [u64; 8] {
    /// Exchanges the high parts of the first of two words with the low ones of the second.
    macro_rules! exchange {
        ($($a:literal $b:literal),* by $bits:literal: $low:literal) => {$(
            let differing = (words[$a] >> $bits ^ words[$b]) & $low;
            words[$a] ^= differing << $bits;
            words[$b] ^= differing;
        )*};
    }
    exchange!(0 4, 1 5, 2 6, 3 7 by 32: 0x0000_0000_ffff_ffff);
    exchange!(0 2, 1 3, 4 6, 5 7 by 16: 0x0000_ffff_0000_ffff);
    exchange!(0 1, 2 3, 4 5, 6 7 by 8: 0x00ff_00ff_00ff_00ff);
    words
}

/// Fills the lines that say which cells are in odd columns, and which in odd rows.
fn fill_parity<const P: usize>(rows: &mut [ShiftedRow<STRIDE, P, GROUPS>]) {
    const ODD_COLUMNS: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    for (y, row) in rows.iter_mut().enumerate().take(SIDE) {
        let odd_row = if y % 2 == 0 { u64::MAX } else { 0 };
        let lines = row[SHIFTED].iter_mut();
        for (line, parity) in lines.zip([ODD_COLUMNS, odd_row]) {
            line.fill(parity);
        }
    }
}
