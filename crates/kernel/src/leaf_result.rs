//! Results of squares of four leaves: the middle 16 x 16 of 32 x 32 cells, which they determine
//! for eight generations.
//!
//! Of Life, the 32 rows of such a square are stored as two arrays of 16 words, the even rows and the odd
//! ones:
//!
//! ```text
//! even   0 2 4 ... 30      the row above an odd row has the same index, and
//! odd    1 3 5 ... 31      the row above an even one has an index one lower
//! ```
//!
//! So half of the rows need no shift to reach their neighbours, and all 1024 cells are two
//! vectors of 512 bits. Leaves hold pairs of rows in a word each, which makes this order
//! that of memory. Rows that leave the square at the top re-enter at the bottom: both are
//! wrong, and errors at the border spread by a cell a generation.
//!
//! Other rules are circuits, over rows of many squares side by side. The order of rows is our own
//! method.

use super::bit::{BitKernel, BitKernelForm};
use super::interpreter::CircuitProgram;
#[cfg(target_arch = "wasm32")]
use super::life::LifeNeighbours;
#[cfg(not(target_arch = "wasm32"))]
use super::life::LifeRow;
use super::shifted_rows::{SHIFTED, ShiftedRow, ShiftedRows};
use crate::simd::{SimdElement, SimdTask, Vector};

/// 16 x 16 cells, two rows a word: cell (x, y) is bit `16 * (y % 2) + x` of word `y / 2`.
pub type Leaf = [u32; 8];

/// The generations for which the middle is determined.
const MAX_GENERATIONS: u32 = 8;

impl BitKernel {
    /// The middles of squares of four leaves (north-west, north-east, south-west,
    /// south-east) after at most eight generations, the first of the given phase.
    ///
    /// # Panics
    /// When there are not as many middles as squares.
    ///
    /// ```
    /// use kernel::{BitKernel, InterpreterOnly, Leaf};
    ///
    /// let kernel = BitKernel::compile(&"B3/S23".parse()?, &InterpreterOnly).expect("two states");
    /// let mut north_west: Leaf = [0; 8];
    /// north_west[6] = 0b111 << 11; // a blinker in row 12
    /// let mut middle = [[0; 8]];
    /// kernel.leaf_results(0, 1, &[[north_west, [0; 8], [0; 8], [0; 8]]], &mut middle);
    /// // the middle begins at column 8 and row 8
    /// let row = |y: usize| middle[0][y / 2] >> (16 * (y % 2)) & 0xffff;
    /// assert_eq!([3, 4, 5].map(row), [1 << 4; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leaf_results(
        &self,
        phase: usize,
        generations: u32,
        fours: &[[Leaf; 4]],
        leaf_results: &mut [Leaf],
    ) {
        debug_assert!(
            generations <= MAX_GENERATIONS,
            "the middle is known for eight"
        );
        assert_eq!(fours.len(), leaf_results.len(), "a middle for each four");
        match self.form() {
            BitKernelForm::Life => u32::dispatch(LifeLeavesTask {
                generations,
                fours,
                leaf_results,
            }),
            BitKernelForm::Circuits(programs) => u64::dispatch(CircuitLeavesTask {
                programs,
                phase,
                generations: generations as usize,
                fours,
                leaf_results,
            }),
        }
    }
}

struct LifeLeavesTask<'a> {
    generations: u32,
    fours: &'a [[Leaf; 4]],
    leaf_results: &'a mut [Leaf],
}

impl SimdTask<u32> for LifeLeavesTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u32>>(self) {
        #[cfg(target_arch = "wasm32")]
        return self.in_vectors::<V, 4>();
        #[cfg(not(target_arch = "wasm32"))]
        match V::LANES {
            16 => self.in_vectors::<V, 1>(),
            8 => self.in_vectors::<V, 2>(),
            // of x86 only processors without AVX2 are left, which take words as soon
            4 if cfg!(not(target_arch = "x86_64")) => self.in_vectors::<V, 4>(),
            _ => self.in_vectors::<u32, 16>(),
        }
    }
}

impl LifeLeavesTask<'_> {
    #[inline(always)]
    fn in_vectors<V: Vector<u32>, const N: usize>(self) {
        for (four, middle) in self.fours.iter().zip(self.leaf_results) {
            let mut square = LeafQuad::<V, N>::of(four);
            for _ in 0..self.generations {
                square.step();
            }
            *middle = square.middle();
        }
    }
}

/// The squares that circuits step together: of two and two, a row is one word.
const TOGETHER: usize = 32;

/// Rows of a square.
const SIDE: usize = 32;

/// Words of a row of all that are stepped together.
const STRIDE: usize = TOGETHER / 2;

/// The rows of squares that are stepped together.
type BitSquareRows = [ShiftedRow<STRIDE, 1, SHIFTED>; SIDE];

/// The rows of a square's middle.
const MIDDLE: std::ops::Range<usize> = 8..24;

/// Leaves by a circuit: many squares side by side, and with each generation two rows less of
/// them. Cells that are shifted from a square to the next are as wrong as all at its border.
struct CircuitLeavesTask<'a> {
    programs: &'a [CircuitProgram],
    phase: usize,
    generations: usize,
    fours: &'a [[Leaf; 4]],
    leaf_results: &'a mut [Leaf],
}

impl SimdTask<u64> for CircuitLeavesTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let mut rows = ShiftedRows::<STRIDE, 1, SHIFTED>::borrow(SIDE);
        let groups = self.fours.chunks(TOGETHER);
        for (fours, leaf_results) in groups.zip(self.leaf_results.chunks_mut(TOGETHER)) {
            let square_rows = rows.rows_mut().first_chunk_mut();
            let square_rows = square_rows.expect("the rows of a square");
            for (word, pair) in fours.chunks(2).enumerate() {
                let [west, east] = [&pair[0], pair.get(1).unwrap_or(&pair[0])];
                put_pair(west, east, word, square_rows);
            }
            let pairs = fours.len().div_ceil(2);
            for generation in 0..self.generations {
                let left = self.generations - generation;
                let seen = MIDDLE.start - left..MIDDLE.end + left;
                let program = &self.programs[(self.phase + generation) % self.programs.len()];
                let words = pairs.next_multiple_of(program.words());
                rows.shift::<V>(seen.clone(), words.next_multiple_of(V::LANES));
                rows.step(program, seen, words);
            }
            let square_rows = rows.rows().first_chunk().expect("the rows of a square");
            for (word, pair) in leaf_results.chunks_mut(2).enumerate() {
                for (middle, bits) in pair.iter_mut().zip([0, SIDE]) {
                    *middle = take_middle(square_rows, word, bits + MIDDLE.start);
                }
            }
        }
        rows.give_back();
    }
}

/// Puts two squares of four leaves into a word of each row.
#[inline(always)]
fn put_pair(west: &[Leaf; 4], east: &[Leaf; 4], word: usize, rows: &mut BitSquareRows) {
    assert!(word < STRIDE, "one of a row's words");
    for half in 0..2 {
        for i in 0..8 {
            let y = 16 * half + 2 * i;
            let [even, odd] = two_rows(west, half, i);
            let [east_even, east_odd] = two_rows(east, half, i);
            rows[y][0][0][word] = u64::from(even) | u64::from(east_even) << SIDE;
            rows[y + 1][0][0][word] = u64::from(odd) | u64::from(east_odd) << SIDE;
        }
    }
}

/// The middle of a square, which begins at this bit of a word of each row.
#[inline(always)]
fn take_middle(rows: &BitSquareRows, word: usize, bit: usize) -> Leaf {
    assert!(word < STRIDE, "one of a row's words");
    let row = |y: usize| (rows[MIDDLE.start + y][0][0][word] >> bit) as u32;
    std::array::from_fn(|i| row(2 * i) & 0xffff | row(2 * i + 1) << 16)
}

/// An even row of a square and the next: in the northern half or the southern, row `2 * i` of it.
#[inline(always)]
fn two_rows(four: &[Leaf; 4], half: usize, i: usize) -> [u32; 2] {
    let (west, east) = (four[2 * half][i], four[2 * half + 1][i]);
    [west & 0xffff | east << 16, west >> 16 | east & 0xffff_0000]
}

/// 32 x 32 cells.
#[derive(Clone, Copy)]
struct LeafQuad<V, const N: usize> {
    even: [V; N],
    odd: [V; N],
}

impl<V: Vector<u32>, const N: usize> LeafQuad<V, N> {
    const EMPTY: Self = Self {
        even: [V::ZERO; N],
        odd: [V::ZERO; N],
    };

    #[inline(always)]
    fn of(four: &[Leaf; 4]) -> Self {
        let (mut even, mut odd) = ([0; 16], [0; 16]);
        for half in 0..2 {
            for i in 0..8 {
                let [e, o] = two_rows(four, half, i);
                even[8 * half + i] = e;
                odd[8 * half + i] = o;
            }
        }
        let mut square = Self::EMPTY;
        for i in 0..N {
            square.even[i] = V::load(&even[i * V::LANES..]);
            square.odd[i] = V::load(&odd[i * V::LANES..]);
        }
        square
    }

    #[inline(always)]
    fn middle(&self) -> Leaf {
        let (mut even, mut odd) = ([0; 16], [0; 16]);
        for i in 0..N {
            self.even[i].store(&mut even[i * V::LANES..]);
            self.odd[i].store(&mut odd[i * V::LANES..]);
        }
        let mut leaf = [0; 8];
        for i in 0..8 {
            leaf[i] = even[4 + i] >> 8 & 0xffff | odd[4 + i] << 8 & 0xffff_0000;
        }
        leaf
    }

    /// Written out for four vectors: of a loop with so long a body the compiler keeps the arrays in
    /// memory.
    #[cfg(target_arch = "wasm32")]
    #[inline(always)]
    fn step(&mut self) {
        const { assert!(N == 4) };
        let sum = |row: V| LifeNeighbours::sum(row.west(), row, row.east());
        let first = sum(self.even[0]);
        let last = sum(self.odd[3]);
        let (mut even, mut odd_before) = (first, last.row());
        macro_rules! step {
            ($i:literal, $odd:expr, $even_after:expr) => {
                let odd = $odd;
                self.even[$i] = even.next(odd.row().above(odd_before), odd.row());
                let even_after = $even_after;
                self.odd[$i] = odd.next(even.row(), even.row().below(even_after.row()));
                (even, odd_before) = (even_after, odd.row());
            };
        }
        step!(0, sum(self.odd[0]), sum(self.even[1]));
        step!(1, sum(self.odd[1]), sum(self.even[2]));
        step!(2, sum(self.odd[2]), sum(self.even[3]));
        step!(3, last, first);
        let _ = (even, odd_before);
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[inline(always)]
    fn step(&mut self) {
        // Loops and no closures: the compiler does not always inline those.
        let mut even = [LifeRow::EMPTY; N];
        let mut odd = even;
        for i in 0..N {
            let (a, b) = (self.even[i], self.odd[i]);
            even[i] = LifeRow::sum(a.west(), a, a.east());
            odd[i] = LifeRow::sum(b.west(), b, b.east());
        }
        for i in 0..N {
            let above = odd[i].above(odd[(i + N - 1) % N]);
            let below = even[i].below(even[(i + 1) % N]);
            self.even[i] = even[i].next(above, odd[i]);
            self.odd[i] = odd[i].next(even[i], below);
        }
    }
}
