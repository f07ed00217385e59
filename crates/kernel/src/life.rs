//! Conway's Life as logic of its own: the row sums of a whole vector are added once and used by
//! three rows.
//!
//! All other rules are circuits. Life is what people run most, and inside a loop over vectors
//! that stay in registers this is quicker than a circuit, whose values go through memory.

use super::BitVector;
use crate::simd::Vector;

/// The sum of three cells side by side, and the middle one of them.
#[derive(Clone, Copy)]
pub(super) struct LifeRow<V> {
    ones: V,
    twos: V,
    centre: V,
}

impl<V: BitVector> LifeRow<V> {
    /// Of no live cells.
    pub(super) const EMPTY: Self = Self {
        ones: V::ZERO,
        twos: V::ZERO,
        centre: V::ZERO,
    };

    /// Sums words of cells and their western and eastern neighbours.
    #[inline(always)]
    pub(super) fn sum(west: V, centre: V, east: V) -> Self {
        Self {
            ones: west.xor3(centre, east),
            twos: west.majority(centre, east),
            centre,
        }
    }

    /// The next states of a row, given the sums of those above and below it.
    ///
    /// With all nine cells counted, a cell is alive at 3, and keeps its state at 4.
    #[inline(always)]
    pub(super) fn next(self, above: Self, below: Self) -> V {
        if V::HAS_TERNARY {
            return self.in_seven_tables(above, below);
        }
        let ones = above.ones.xor3(self.ones, below.ones);
        let carry = above.ones.majority(self.ones, below.ones);
        // Four bits of weight two.
        let odd = above.twos.xor3(self.twos, below.twos);
        let fours = above.twos.majority(self.twos, below.twos);
        // 3 is a one and exactly one two; 4 is no one and exactly two twos.
        let one_or_three = odd ^ carry;
        let one_two = one_or_three & !fours;
        let two_twos = ((odd & carry) ^ fours) & !one_or_three;
        ones.choose(one_two, two_twos & self.centre)
    }

    /// The same in seven three-input lookup tables, the minimum from the rows' sums: found
    /// by an exhaustive search and tested against the rule.
    #[inline(always)]
    fn in_seven_tables(self, above: Self, below: Self) -> V {
        let g0 = below.ones.ternary::<0x36>(self.twos, self.ones);
        let g1 = below.ones ^ self.ones;
        let g2 = g1.ternary::<0xc6>(g0, above.ones);
        let g3 = g1.ternary::<0xd6>(self.centre, above.ones);
        let g4 = g2.ternary::<0x9e>(below.twos, above.twos);
        let g5 = g4.ternary::<0xf2>(g3, g2);
        g5.ternary::<0x0e>(g3, g0)
    }

    /// The sums a lane further up: the last of `before`, then these without their last.
    #[inline(always)]
    pub(super) fn above<W>(self, before: Self) -> Self
    where
        V: Vector<W>,
    {
        Self {
            ones: self.ones.above(before.ones),
            twos: self.twos.above(before.twos),
            centre: self.centre.above(before.centre),
        }
    }

    /// The sums a lane further down: these without their first, then the first of `after`.
    #[inline(always)]
    pub(super) fn below<W>(self, after: Self) -> Self
    where
        V: Vector<W>,
    {
        Self {
            ones: self.ones.below(after.ones),
            twos: self.twos.below(after.twos),
            centre: self.centre.below(after.centre),
        }
    }
}

/// A row as [`LifeRow`] has it, and the sum of the western and the eastern cell.
///
/// With eight cells counted, without the middle one, a cell is alive at 3, and at 2 if it is so:
/// 21 operations without lookup tables for the 26 of [`LifeRow`], for six values a row that it needs
/// at once instead of three.
#[cfg(any(test, target_arch = "wasm32"))]
#[derive(Clone, Copy)]
pub(super) struct LifeNeighbours<V> {
    side_ones: V,
    side_twos: V,
    row: LifeRow<V>,
}

#[cfg(any(test, target_arch = "wasm32"))]
impl<V: BitVector> LifeNeighbours<V> {
    /// See [`LifeRow::sum`].
    #[inline(always)]
    pub(super) fn sum(west: V, centre: V, east: V) -> Self {
        let (side_ones, side_twos) = (west ^ east, west & east);
        Self {
            side_ones,
            side_twos,
            row: LifeRow {
                ones: side_ones ^ centre,
                twos: side_twos | (side_ones & centre),
                centre,
            },
        }
    }

    /// The sum of all three.
    #[inline(always)]
    pub(super) fn row(self) -> LifeRow<V> {
        self.row
    }

    /// The next states of a row, given the sums of those above and below it.
    #[inline(always)]
    pub(super) fn next(self, above: LifeRow<V>, below: LifeRow<V>) -> V {
        let outer = above.ones ^ below.ones;
        let ones = outer ^ self.side_ones;
        let carry = (above.ones & below.ones) | (outer & self.side_ones);
        // Four bits of weight two, of which one is to be set.
        let outer = above.twos ^ below.twos;
        let odd = outer ^ self.side_twos ^ carry;
        let fours = (above.twos & below.twos) | (outer & self.side_twos);
        odd & !fours & (ones | self.row.centre)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 512 squares of three by three cells, side by side in words.
    #[test]
    fn eight_neighbours_and_nine_cells_give_the_same_next_state() {
        for first in (0..512_u64).step_by(64) {
            let cell = |bit: u32| {
                let is_live = |square: u64| (first + square) >> bit & 1;
                (0..64).fold(0, |word, square| word | is_live(square) << square)
            };
            let row = |k: u32| (cell(k), cell(k + 1), cell(k + 2));
            let [above, here, below] = [0, 3, 6].map(row);
            let sum = |(west, centre, east)| LifeRow::<u64>::sum(west, centre, east);
            let neighbours = LifeNeighbours::sum(here.0, here.1, here.2);
            assert_eq!(
                neighbours.next(sum(above), sum(below)),
                sum(here).next(sum(above), sum(below)),
                "from {first}"
            );
            let (one, other) = (neighbours.row(), sum(here));
            assert_eq!((one.ones, one.twos), (other.ones, other.twos));
        }
    }
}
