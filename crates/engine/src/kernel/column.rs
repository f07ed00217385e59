//! Columns of words inside a [`Task`](crate::arch::Task): for engines that go through many
//! small pieces and choose the instruction set once for all of them.

use super::BitKernel;
use super::bit::Program;
use super::count::{Counts, Join, Life, Local, Moore, Some8};
use super::diagram::{BLOCK, Diagram};
use crate::arch::Vector;

/// Vectors that programs of choices keep between their steps.
pub(crate) type Registers<V> = Vec<[V; BLOCK]>;

impl BitKernel {
    /// Registers for a phase.
    pub(crate) fn registers<V: Vector<u64>>(&self, phase: usize) -> Registers<V> {
        match self.program(phase) {
            Program::Any(diagram) => diagram.registers(),
            _ => Vec::new(),
        }
    }

    /// The next states of N rows of cells, a word each, with west in the bit below. The
    /// outermost ring of `next` means nothing. N is a multiple of 64.
    ///
    /// Rows meet in registers and never in memory: a load that reaches over two stores
    /// has to wait until both have left for the cache, which took half of the time.
    // The vector code below has no closures: the compiler does not always inline those, and
    // what is not inlined is not compiled for the vectors.
    #[inline(always)]
    pub(crate) fn column_in<V: Vector<u64>, const N: usize>(
        &self,
        phase: usize,
        registers: &mut Registers<V>,
        rows: &[u64; N],
        next: &mut [u64; N],
    ) {
        match self.program(phase) {
            Program::Life => count::<V, _, N>(&Life, rows, next),
            Program::Counts(counts) if counts.counted == Counts::MOORE => {
                count::<V, _, N>(&Moore(counts.chooser()), rows, next);
            }
            Program::Counts(counts) => count::<V, _, N>(&Some8::new(*counts), rows, next),
            Program::Any(diagram) => choose::<V, N>(diagram, registers, rows, next),
        }
    }
}

#[inline(always)]
fn count<V: Vector<u64>, L: Local<V>, const N: usize>(
    local: &L,
    rows: &[u64; N],
    next: &mut [u64; N],
) {
    let mut before = local.row(V::ZERO, V::ZERO, V::ZERO);
    let mut here = row(local, V::load(rows));
    let mut at = 0;
    while at < N {
        let after = if at + V::LANES < N {
            row(local, V::load(&rows[at + V::LANES..]))
        } else {
            before
        };
        let above = L::join::<Above>(here, before);
        let below = L::join::<Below>(here, after);
        local.next(above, here, below).store(&mut next[at..]);
        (before, here) = (here, after);
        at += V::LANES;
    }
}

#[inline(always)]
fn row<V: Vector<u64>, L: Local<V>>(local: &L, centre: V) -> L::Row {
    local.row(centre.west(), centre, centre.east())
}

#[allow(clippy::needless_range_loop, reason = "no closures, see above")]
#[inline(always)]
fn choose<V: Vector<u64>, const N: usize>(
    diagram: &Diagram,
    registers: &mut Registers<V>,
    rows: &[u64; N],
    next: &mut [u64; N],
) {
    let mut before = V::ZERO;
    let mut here = V::load(rows);
    let mut start = 0;
    while start < N {
        let mut inputs = [[V::ZERO; BLOCK]; 9];
        for i in 0..BLOCK {
            let following = start + (i + 1) * V::LANES;
            let after = if following < N {
                V::load(&rows[following..])
            } else {
                V::ZERO
            };
            let seen = [here.above(before), here, here.below(after)];
            for y in 0..3 {
                inputs[3 * y][i] = seen[y].west();
                inputs[3 * y + 1][i] = seen[y];
                inputs[3 * y + 2][i] = seen[y].east();
            }
            (before, here) = (here, after);
        }
        let results = diagram.block(registers, inputs.each_ref());
        for i in 0..BLOCK {
            results[i].store(&mut next[start + i * V::LANES..]);
        }
        start += BLOCK * V::LANES;
    }
}

/// The rows above, from some rows and those before them.
struct Above;

impl<V: Vector<u64>> Join<V> for Above {
    #[inline(always)]
    fn join(here: V, before: V) -> V {
        here.above(before)
    }
}

/// The rows below, from some rows and those after them.
struct Below;

impl<V: Vector<u64>> Join<V> for Below {
    #[inline(always)]
    fn join(here: V, after: V) -> V {
        here.below(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::{Element, Task, with_each_width};

    struct Step<'a> {
        kernel: &'a BitKernel,
        phase: usize,
        rows: &'a [u64; 64],
        next: &'a mut [u64; 64],
    }

    impl Task<u64> for Step<'_> {
        #[inline(always)]
        fn run<V: Vector<u64>>(self) {
            let mut registers = self.kernel.registers::<V>(self.phase);
            self.kernel
                .column_in(self.phase, &mut registers, self.rows, self.next);
        }
    }

    #[test]
    fn rows_that_meet_in_registers_are_rows_in_memory() {
        for rule in [
            "B3/S23",
            "B36/S23",
            "B2/S34H",
            "B2n3-y4c/S23-a4i",
            "B03/S23",
        ] {
            let kernel = BitKernel::compile(&rule.parse().unwrap()).unwrap();
            let rows: [u64; 64] = std::array::from_fn(|i| {
                let product = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                product.rotate_left(i as u32) ^ product >> 7
            });
            for phase in 0..kernel.time_period() {
                let (west, east) = (rows.map(|row| row << 1), rows.map(|row| row >> 1));
                let mut expected = [0; 62];
                kernel.column(phase, &west, &rows, &east, &mut expected);
                with_each_width(|| {
                    let mut next = [0; 64];
                    u64::dispatch(Step {
                        kernel: &kernel,
                        phase,
                        rows: &rows,
                        next: &mut next,
                    });
                    for (y, (next, expected)) in next[1..].iter().zip(expected).enumerate() {
                        let wrong = (next ^ expected) << 1 >> 2;
                        assert_eq!(wrong, 0, "{rule}, phase {phase}, row {}", y + 1);
                    }
                });
            }
        }
    }
}
