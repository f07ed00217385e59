//! Results of squares of four leaves: the middle 16 x 16 of 32 x 32 cells, which they determine
//! for eight generations.
//!
//! The 32 rows of such a square are stored as two arrays of 16 words, the even rows and the odd
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
//! Sixteen transposed squares, each in a lane, would save the two shifts and the rows
//! that are no longer needed, a third of the work, but only for sixteen at a time.

use super::bit::{BitKernel, BitProgram};
use super::count::{
    BitCountRule, LifeCounter, MooreCounter, NeighbourCounter, SubsetCounter, VectorJoin,
};
use super::diagram::{BLOCK, DecisionDiagram};
use crate::arch::{SimdElement, SimdTask, Vector};

/// 16 x 16 cells, two rows a word: cell (x, y) is bit `16 * (y % 2) + x` of word `y / 2`.
pub(crate) type Leaf = [u32; 8];

/// The generations for which the middle is determined.
const MAX_GENERATIONS: u32 = 8;

impl BitKernel {
    /// The middles of squares of four leaves (north-west, north-east, south-west,
    /// south-east) after at most eight generations, the first of the given phase.
    ///
    /// # Panics
    /// When there are not as many middles as squares.
    pub(crate) fn leaf_results(
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
        u32::dispatch(LeafResultTask {
            kernel: self,
            phase,
            generations,
            fours,
            leaf_results,
        });
    }
}

struct LeafResultTask<'a> {
    kernel: &'a BitKernel,
    phase: usize,
    generations: u32,
    fours: &'a [[Leaf; 4]],
    leaf_results: &'a mut [Leaf],
}

impl SimdTask<u32> for LeafResultTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u32>>(self) {
        match V::LANES {
            16 => self.in_vectors::<V, 1>(),
            8 => self.in_vectors::<V, 2>(),
            _ => self.in_vectors::<u32, 16>(),
        }
    }
}

impl LeafResultTask<'_> {
    #[inline(always)]
    fn in_vectors<V: Vector<u32>, const N: usize>(self) {
        // With a single program, the loop over squares is inside it.
        if let [BitProgram::Life] = self.kernel.programs() {
            return self.run_counter::<V, N>(&LifeCounter);
        }
        if let [BitProgram::Count(counts)] = *self.kernel.programs() {
            return if counts.counted == BitCountRule::MOORE {
                self.run_counter::<V, N>(&MooreCounter(counts.masks()))
            } else {
                self.run_counter::<V, N>(&SubsetCounter::new(counts))
            };
        }
        let programs = self.kernel.programs();
        let mut registers: Vec<_> = Vec::with_capacity(programs.len());
        for program in programs {
            registers.push(match program {
                BitProgram::Diagram(diagram) => diagram.registers::<V>(),
                BitProgram::Life | BitProgram::Count(_) => Vec::new(),
            });
        }
        let chunks = self.fours.chunks(GROUP);
        for (fours, leaf_results) in chunks.zip(self.leaf_results.chunks_mut(GROUP)) {
            // Missing squares of the group are empty, and their results are ignored.
            let mut group = [LeafQuad::<V, N>::EMPTY; GROUP];
            for (square, four) in group.iter_mut().zip(fours) {
                *square = LeafQuad::of(four);
            }
            for generation in 0..self.generations as usize {
                let program = (self.phase + generation) % programs.len();
                match &programs[program] {
                    BitProgram::Life => step_each(&LifeCounter, &mut group[..fours.len()]),
                    BitProgram::Count(counts) => {
                        step_each(&SubsetCounter::new(*counts), &mut group[..fours.len()]);
                    }
                    BitProgram::Diagram(diagram) => {
                        step_by_diagram(diagram, &mut registers[program], &mut group, fours.len());
                    }
                }
            }
            for (middle, square) in leaf_results.iter_mut().zip(&group) {
                *middle = square.middle();
            }
        }
    }

    #[inline(always)]
    fn run_counter<V: Vector<u32>, const N: usize>(self, counter: &impl NeighbourCounter<V>) {
        for (four, middle) in self.fours.iter().zip(self.leaf_results) {
            let mut square = LeafQuad::<V, N>::of(four);
            for _ in 0..self.generations {
                square.step(counter);
            }
            *middle = square.middle();
        }
    }
}

/// Squares that a decision diagram processes together: a block of the widest vectors.
const GROUP: usize = BLOCK / 2;

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
    fn of([nw, ne, sw, se]: &[Leaf; 4]) -> Self {
        let (mut even, mut odd) = ([0; 16], [0; 16]);
        for i in 0..8 {
            even[i] = nw[i] & 0xffff | ne[i] << 16;
            odd[i] = nw[i] >> 16 | ne[i] & 0xffff_0000;
            even[8 + i] = sw[i] & 0xffff | se[i] << 16;
            odd[8 + i] = sw[i] >> 16 | se[i] & 0xffff_0000;
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

    #[inline(always)]
    fn step<L: NeighbourCounter<V>>(&mut self, counter: &L) {
        // Loops and no closures, as in `DecisionDiagram::block`.
        let mut even = [counter.row(V::ZERO, V::ZERO, V::ZERO); N];
        let mut odd = even;
        for i in 0..N {
            let (a, b) = (self.even[i], self.odd[i]);
            even[i] = counter.row(a.west(), a, a.east());
            odd[i] = counter.row(b.west(), b, b.east());
        }
        for i in 0..N {
            let above = L::join::<LeafAboveJoin>(odd[i], odd[(i + N - 1) % N]);
            let below = L::join::<LeafBelowJoin>(even[i], even[(i + 1) % N]);
            self.even[i] = counter.next(above, even[i], odd[i]);
            self.odd[i] = counter.next(even[i], odd[i], below);
        }
    }

    /// Vector `i` of the even rows (from N on, of the odd ones) with those above and below it.
    #[inline(always)]
    fn column(&self, i: usize) -> [V; 3] {
        let (even, odd, k) = (&self.even, &self.odd, i % N);
        if i < N {
            [odd[k].above(odd[(k + N - 1) % N]), even[k], odd[k]]
        } else {
            [even[k], odd[k], even[k].below(even[(k + 1) % N])]
        }
    }
}

/// Shifts in the last word of the vector before.
struct LeafAboveJoin;

/// Shifts in the first word of the vector after.
struct LeafBelowJoin;

impl<V: Vector<u32>> VectorJoin<V> for LeafAboveJoin {
    #[inline(always)]
    fn join(a: V, before: V) -> V {
        a.above(before)
    }
}

impl<V: Vector<u32>> VectorJoin<V> for LeafBelowJoin {
    #[inline(always)]
    fn join(a: V, after: V) -> V {
        a.below(after)
    }
}

#[inline(always)]
fn step_each<V: Vector<u32>, const N: usize>(
    counter: &impl NeighbourCounter<V>,
    group: &mut [LeafQuad<V, N>],
) {
    for square in group {
        square.step(counter);
    }
}

/// Steps the first squares by a decision diagram, a block of vectors at a time.
#[inline(always)]
fn step_by_diagram<V: Vector<u32>, const N: usize>(
    diagram: &DecisionDiagram,
    registers: &mut [[V; BLOCK]],
    group: &mut [LeafQuad<V, N>; GROUP],
    squares: usize,
) {
    let now = *group;
    for start in (0..2 * N * squares).step_by(BLOCK) {
        let mut around = [[V::ZERO; BLOCK]; 9];
        for (i, at) in (start..start + BLOCK).enumerate() {
            let column = now[at / (2 * N)].column(at % (2 * N));
            for (y, row) in column.into_iter().enumerate() {
                around[3 * y][i] = row.west();
                around[3 * y + 1][i] = row;
                around[3 * y + 2][i] = row.east();
            }
        }
        let results = diagram.block(registers, around.each_ref());
        for (i, result) in results.into_iter().enumerate() {
            let at = start + i;
            let square = &mut group[at / (2 * N)];
            let k = at % (2 * N);
            if k < N {
                square.even[k] = result;
            } else {
                square.odd[k - N] = result;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::with_each_width;
    use dice::Dice;
    use rule::{Rule, Site};

    fn get(leaf: &Leaf, x: usize, y: usize) -> u8 {
        (leaf[y / 2] >> (16 * (y % 2) + x) & 1) as u8
    }

    /// Tests all numbers of generations, and of squares around a group, against the rule, cell by
    /// cell.
    fn check(text: &str) {
        let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let kernel = BitKernel::compile(&rule).unwrap();
        let mut dice = Dice::new(7);
        let mut random = || (dice.word() & dice.word()) as u32;
        let fours: Vec<[Leaf; 4]> = (0..9)
            .map(|_| std::array::from_fn(|_| std::array::from_fn(|_| random())))
            .collect();
        for phase in 0..kernel.time_period() {
            // by generation and four
            let mut expected: Vec<Vec<Leaf>> = vec![Vec::new(); 9];
            for four in &fours {
                let mut now = [[0; 32]; 32];
                for (y, x) in (0..32).flat_map(|y| (0..32).map(move |x| (y, x))) {
                    now[y][x] = get(&four[y / 16 * 2 + x / 16], x % 16, y % 16);
                }
                for (generation, leaf_results) in expected.iter_mut().enumerate() {
                    let cell = |x: usize, y: usize| u32::from(now[y + 8][x + 8]);
                    let row = |y: usize| (0..16).map(|x| cell(x, y) << x).sum::<u32>();
                    leaf_results.push(std::array::from_fn(|i| row(2 * i) | row(2 * i + 1) << 16));
                    let mut next = now;
                    for (y, x) in (1..31).flat_map(|y| (1..31).map(move |x| (y, x))) {
                        let site = Site {
                            generation: (phase + generation) as u64,
                            ..Site::default()
                        };
                        next[y][x] = rule.next(site, |dx, dy| {
                            now[y.strict_add_signed(dy as isize)][x.strict_add_signed(dx as isize)]
                        });
                    }
                    now = next;
                }
            }
            with_each_width(|| {
                for (generations, leaf_results) in expected.iter().enumerate() {
                    for squares in [0, 1, 2, 3, 4, 5, 9] {
                        let mut got = vec![[7; 8]; squares];
                        kernel.leaf_results(phase, generations as u32, &fours[..squares], &mut got);
                        assert_eq!(
                            got,
                            leaf_results[..squares],
                            "{text}: {squares} squares, {generations} generations from {phase}"
                        );
                    }
                }
            });
        }
    }

    #[test]
    fn middles_follow_the_rule() {
        for rule in [
            "B3/S23",
            "B36/S23",
            "B2/S34H",
            "B13/S012V",
            "B2-a/S12",
            "B2n3-y4c/S23-a4i",
            "W30",
            // Two phases, of which one or both are of other kinds than counts.
            "B03/S23",
            "B3/S23|B36/S23",
            "B3/S23|B2n3-y4c/S23-a4i",
        ] {
            check(rule);
        }
    }
}
