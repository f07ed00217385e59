//! Columns of words inside a [`Task`](crate::arch::Task): for engines that go through many
//! small pieces and choose the instruction set once for all of them.

use super::BitKernel;
use super::bit::Program;
use super::count::{Counts, Life, Local, Moore, Some8};
use super::diagram::{BLOCK, Diagram};
use crate::arch::Vector;

/// N rows of cells, a word each, in which west and east are neighbouring bits.
struct Column<'a, const N: usize> {
    west: &'a [u64; N],
    centre: &'a [u64; N],
    east: &'a [u64; N],
    next: &'a mut [u64; N],
}

/// Rows of cells, a word each, with west in the bit below, and the same rows moved by a
/// cell to either side.
///
/// These are made first, for several pieces, and looked at later: a load that reaches
/// over two stores has to wait until both have left for the cache, and that wait was half
/// of the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<const N: usize> {
    west: [u64; N],
    east: [u64; N],
}

impl<const N: usize> Sides<N> {
    pub(crate) const EMPTY: Self = Self {
        west: [0; N],
        east: [0; N],
    };

    #[inline(always)]
    pub(crate) fn set(&mut self, centre: &[u64; N]) {
        for i in 0..N {
            self.west[i] = centre[i] << 1;
            self.east[i] = centre[i] >> 1;
        }
    }
}

impl BitKernel {
    /// The next states of N rows of cells. The first and the last row of `next` stay as they
    /// are, and its first and last bits mean nothing. N is at least ten.
    // The vector code below has no closures: the compiler does not always inline those, and
    // what is not inlined is not compiled for the vectors.
    #[inline(always)]
    pub(crate) fn column_in<V: Vector<u64>, const N: usize>(
        &self,
        phase: usize,
        centre: &[u64; N],
        sides: &Sides<N>,
        next: &mut [u64; N],
    ) {
        let column = Column {
            west: &sides.west,
            centre,
            east: &sides.east,
            next,
        };
        match self.program(phase) {
            Program::Life => column.count::<V, _>(&Life),
            Program::Counts(counts) if counts.counted == Counts::MOORE => {
                column.count::<V, _>(&Moore(counts.chooser()));
            }
            Program::Counts(counts) => column.count::<V, _>(&Some8::new(*counts)),
            Program::Any(diagram) => column.choose::<V>(diagram),
        }
    }
}

impl<const N: usize> Column<'_, N> {
    #[inline(always)]
    fn count<V: Vector<u64>, L: Local<V>>(self, local: &L) {
        let last = N - 2 - V::LANES;
        let mut start = 0;
        while start < N - 2 {
            let at = start.min(last);
            let above = self.row::<V, L>(local, at);
            let here = self.row::<V, L>(local, at + 1);
            let below = self.row::<V, L>(local, at + 2);
            local
                .next(above, here, below)
                .store(&mut self.next[at + 1..]);
            start += V::LANES;
        }
    }

    #[inline(always)]
    fn row<V: Vector<u64>, L: Local<V>>(&self, local: &L, at: usize) -> L::Row {
        local.row(
            V::load(&self.west[at..]),
            V::load(&self.centre[at..]),
            V::load(&self.east[at..]),
        )
    }

    #[inline(always)]
    fn choose<V: Vector<u64>>(self, diagram: &Diagram) {
        let last = N - 2 - V::LANES;
        let mut registers = diagram.registers::<V>();
        let mut start = 0;
        while start < N - 2 {
            let mut inputs = [[V::ZERO; BLOCK]; 9];
            for i in 0..BLOCK {
                let at = (start + i * V::LANES).min(last);
                for y in 0..3 {
                    inputs[3 * y][i] = V::load(&self.west[at + y..]);
                    inputs[3 * y + 1][i] = V::load(&self.centre[at + y..]);
                    inputs[3 * y + 2][i] = V::load(&self.east[at + y..]);
                }
            }
            let results = diagram.block(&mut registers, inputs.each_ref());
            for (i, result) in results.into_iter().enumerate() {
                let at = (start + i * V::LANES).min(last);
                result.store(&mut self.next[at + 1..]);
            }
            start += BLOCK * V::LANES;
        }
    }
}
