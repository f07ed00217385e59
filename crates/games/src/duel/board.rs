//! Sets of cells as bits: one type for 8x8, one for 16x16, and one for any size.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr};

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// From 1 to 32.
    pub rows: u32,
    /// From 1 to 64.
    pub columns: u32,
}

impl Size {
    /// How many cells.
    #[must_use]
    pub const fn cells(self) -> u32 {
        self.rows * self.columns
    }

    /// The columns of one row as bits.
    #[inline]
    const fn row_mask(self) -> u64 {
        !0 >> (64 - self.columns)
    }
}

/// The neighbours of a word's cells, of one colour, counted a row at a time. Each count is
/// two words: its ones and its twos, a bit a cell.
#[derive(Clone, Copy, Debug)]
pub struct Near {
    /// The three above.
    pub above: [u64; 2],
    /// The two to the left and the right.
    pub beside: [u64; 2],
    /// The three below.
    pub below: [u64; 2],
}

impl Near {
    /// The counts of a word's own row: of the two beside each cell, and of the three with
    /// the cell itself, which the rows above and below look at.
    #[inline]
    fn in_row(left: u64, here: u64, right: u64) -> ([u64; 2], [u64; 2]) {
        let odd = left ^ right;
        let both = left & right;
        ([odd, both], [odd ^ here, both | odd & here])
    }
}

/// A set of cells. Which sizes it can hold is its own affair; a type for one size ignores
/// the `size` that it is given, so that masks become constants.
///
/// Row 0 is at the top, column 0 on the left; the bottom row lies above the top row, but
/// left and right are edges.
pub trait Board:
    Copy + Debug + Eq + Hash + BitAnd<Output = Self> + BitOr<Output = Self> + Send + Sync + 'static
{
    /// No cells.
    const NONE: Self;

    /// Whether this type can hold a board of that size.
    fn holds(size: Size) -> bool;

    /// The size, known to the compiler where there is but one.
    fn sized(size: Size) -> Size;

    /// The cells of each row, column 0 in the lowest bit.
    fn from_rows(size: Size, row: impl FnMut(u32) -> u64) -> Self;

    /// The cells of one row, column 0 in the lowest bit.
    fn row(&self, row: u32) -> u64;

    /// The cells that are not in `other`.
    #[must_use]
    fn without(self, other: Self) -> Self;

    /// How many cells.
    fn count(&self) -> u32;

    /// Whether there are no cells.
    fn is_empty(&self) -> bool;

    /// Column 0 with the rows whose bits are set: bit 0 is the top row.
    fn first_column(size: Size, rows: u32) -> Self;

    /// The same, turned by 180 degrees: the last column, bit 0 is the bottom row.
    fn last_column(size: Size, rows: u32) -> Self;

    /// Turned by 180 degrees.
    #[must_use]
    fn turned(self, size: Size) -> Self;

    /// Mirrored, the top row to the bottom.
    #[must_use]
    fn mirrored(self, size: Size) -> Self {
        Self::from_rows(size, |row| self.row(size.rows - 1 - row))
    }

    /// Computes new sets word by word from the cells of two and their neighbours. What the
    /// rule puts off the board is dropped.
    fn map<const N: usize>(
        sets: [&Self; 2],
        size: Size,
        rule: impl Fn([u64; 2], [Near; 2]) -> [u64; N],
    ) -> [Self; N];

    /// The words that hold the cells, for hashing.
    fn words(&self) -> &[u64];
}

/// Eight rows of eight columns in one word, row by row: bit 8r + c is row r, column c.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board8(pub [u64; 1]);

const EIGHT: Size = Size {
    rows: 8,
    columns: 8,
};
const LEFT_OF_8: u64 = 0x0101_0101_0101_0101;

impl BitAnd for Board8 {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0]])
    }
}

impl BitOr for Board8 {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self([self.0[0] | other.0[0]])
    }
}

impl Board for Board8 {
    const NONE: Self = Self([0]);

    fn holds(size: Size) -> bool {
        size == EIGHT
    }

    #[inline]
    fn sized(_: Size) -> Size {
        EIGHT
    }

    fn from_rows(_: Size, mut row: impl FnMut(u32) -> u64) -> Self {
        Self([(0..8).fold(0, |word, r| word | (row(r) & 0xff) << (8 * r))])
    }

    #[inline]
    fn row(&self, row: u32) -> u64 {
        self.0[0] >> (8 * row) & 0xff
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        Self([self.0[0] & !other.0[0]])
    }

    #[inline]
    fn count(&self) -> u32 {
        self.0[0].count_ones()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0[0] == 0
    }

    #[inline]
    fn first_column(_: Size, rows: u32) -> Self {
        // a copy of the bits in each byte, where bit r is kept in byte r; what is not 0
        // then carries into the byte's highest bit, and that moves to the lowest
        let kept = (u64::from(rows) * LEFT_OF_8) & 0x8040_2010_0804_0201;
        Self([(kept + 0x7f * LEFT_OF_8) >> 7 & LEFT_OF_8])
    }

    #[inline]
    fn last_column(_: Size, rows: u32) -> Self {
        // bit r goes to 63 - 8r: copies lie nine apart, so none meets another
        Self([u64::from(rows).wrapping_mul(0x8040_2010_0804_0201) & LEFT_OF_8 << 7])
    }

    #[inline]
    fn turned(self, _: Size) -> Self {
        Self([self.0[0].reverse_bits()])
    }

    fn mirrored(self, _: Size) -> Self {
        Self([self.0[0].swap_bytes()])
    }

    #[inline]
    fn map<const N: usize>(
        sets: [&Self; 2],
        _: Size,
        rule: impl Fn([u64; 2], [Near; 2]) -> [u64; N],
    ) -> [Self; N] {
        let cells = sets.map(|set| set.0[0]);
        let near = cells.map(|word| {
            let left = word << 1 & !LEFT_OF_8;
            let right = word >> 1 & !(LEFT_OF_8 << 7);
            let (beside, three) = Near::in_row(left, word, right);
            Near {
                above: three.map(|count| count.rotate_left(8)),
                beside,
                below: three.map(|count| count.rotate_right(8)),
            }
        });
        rule(cells, near).map(|word| Self([word]))
    }

    fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Sixteen rows of sixteen columns in four words. Word w holds rows w, w + 4, w + 8 and
/// w + 12, in this order: so the rows above and below a word's rows are the words before
/// and after it, and only the first and the last word need a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board16(pub [u64; 4]);

const SIXTEEN: Size = Size {
    rows: 16,
    columns: 16,
};
const LEFT_OF_16: u64 = 0x0001_0001_0001_0001;
/// Every fourth bit of sixteen.
const FOURTHS: u32 = 0x1111;

impl BitAnd for Board16 {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|w| self.0[w] & other.0[w]))
    }
}

impl BitOr for Board16 {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|w| self.0[w] | other.0[w]))
    }
}

impl Board for Board16 {
    const NONE: Self = Self([0; 4]);

    fn holds(size: Size) -> bool {
        size == SIXTEEN
    }

    #[inline]
    fn sized(_: Size) -> Size {
        SIXTEEN
    }

    fn from_rows(_: Size, mut row: impl FnMut(u32) -> u64) -> Self {
        let mut words = [0; 4];
        for r in 0..16 {
            words[r as usize % 4] |= (row(r) & 0xffff) << (r / 4 * 16);
        }
        Self(words)
    }

    #[inline]
    fn row(&self, row: u32) -> u64 {
        self.0[row as usize % 4] >> (row / 4 * 16) & 0xffff
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|w| self.0[w] & !other.0[w]))
    }

    #[inline]
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    #[inline]
    fn first_column(_: Size, rows: u32) -> Self {
        // of every fourth bit, the i-th goes from 4i to 16i; copies meet only where nothing
        // is kept and carries end before they reach what is
        Self(std::array::from_fn(|w| {
            let fourths = u64::from(rows >> w & FOURTHS);
            fourths.wrapping_mul(1 | 1 << 12 | 1 << 24 | 1 << 36) & LEFT_OF_16
        }))
    }

    #[inline]
    fn last_column(_: Size, rows: u32) -> Self {
        // row r from the top is bit 15 - r: the i-th fourth goes from 4i to 63 - 16i
        Self(std::array::from_fn(|w| {
            let fourths = u64::from(rows >> (3 - w) & FOURTHS);
            fourths.wrapping_mul(1 << 3 | 1 << 23 | 1 << 43 | 1 << 63) & LEFT_OF_16 << 15
        }))
    }

    #[inline]
    fn turned(self, _: Size) -> Self {
        Self(std::array::from_fn(|w| self.0[3 - w].reverse_bits()))
    }

    #[inline]
    fn map<const N: usize>(
        sets: [&Self; 2],
        _: Size,
        rule: impl Fn([u64; 2], [Near; 2]) -> [u64; N],
    ) -> [Self; N] {
        let mut beside = [[[0; 2]; 2]; 4];
        let mut three = [[[0; 2]; 2]; 4];
        for w in 0..4 {
            for seat in 0..2 {
                let word = sets[seat].0[w];
                let left = word << 1 & !LEFT_OF_16;
                let right = word >> 1 & !(LEFT_OF_16 << 15);
                (beside[w][seat], three[w][seat]) = Near::in_row(left, word, right);
            }
        }
        let mut next = [Self::NONE; N];
        for w in 0..4 {
            let cells = sets.map(|set| set.0[w]);
            let near = std::array::from_fn(|seat| Near {
                above: match w {
                    0 => three[3][seat].map(|count| count.rotate_left(16)),
                    _ => three[w - 1][seat],
                },
                beside: beside[w][seat],
                below: match w {
                    3 => three[0][seat].map(|count| count.rotate_right(16)),
                    _ => three[w + 1][seat],
                },
            });
            let words = rule(cells, near);
            for (set, word) in next.iter_mut().zip(words) {
                set.0[w] = word;
            }
        }
        next
    }

    fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Up to 32 rows of up to 64 columns, a word a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardAny(pub [u64; 32]);

impl BitAnd for BoardAny {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(std::array::from_fn(|r| self.0[r] & other.0[r]))
    }
}

impl BitOr for BoardAny {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(std::array::from_fn(|r| self.0[r] | other.0[r]))
    }
}

impl Board for BoardAny {
    const NONE: Self = Self([0; 32]);

    fn holds(size: Size) -> bool {
        (1..=32).contains(&size.rows) && (1..=64).contains(&size.columns)
    }

    #[inline]
    fn sized(size: Size) -> Size {
        size
    }

    fn from_rows(size: Size, mut row: impl FnMut(u32) -> u64) -> Self {
        let mut rows = [0; 32];
        for (r, word) in (0..size.rows).zip(&mut rows) {
            *word = row(r) & size.row_mask();
        }
        Self(rows)
    }

    #[inline]
    fn row(&self, row: u32) -> u64 {
        self.0[row as usize]
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|r| self.0[r] & !other.0[r]))
    }

    #[inline]
    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == [0; 32]
    }

    fn first_column(_: Size, rows: u32) -> Self {
        Self(std::array::from_fn(|r| u64::from(rows >> r & 1)))
    }

    fn last_column(size: Size, rows: u32) -> Self {
        Self::from_rows(size, |r| {
            u64::from(rows >> (size.rows - 1 - r) & 1) << (size.columns - 1)
        })
    }

    fn turned(self, size: Size) -> Self {
        Self::from_rows(size, |r| {
            self.row(size.rows - 1 - r).reverse_bits() >> (64 - size.columns)
        })
    }

    fn map<const N: usize>(
        sets: [&Self; 2],
        size: Size,
        rule: impl Fn([u64; 2], [Near; 2]) -> [u64; N],
    ) -> [Self; N] {
        let rows = (size.rows as usize).min(32);
        let mut beside = [[[0; 2]; 2]; 32];
        let mut three = [[[0; 2]; 2]; 32];
        let pairs = sets[0].0.iter().zip(&sets[1].0).take(rows);
        for (r, (&first, &second)) in pairs.enumerate() {
            for (seat, word) in [first, second].into_iter().enumerate() {
                (beside[r][seat], three[r][seat]) = Near::in_row(word << 1, word, word >> 1);
            }
        }
        let mut next = [Self::NONE; N];
        for (r, beside) in beside.into_iter().enumerate().take(rows) {
            let above = if r == 0 { rows - 1 } else { r - 1 };
            let below = if r + 1 == rows { 0 } else { r + 1 };
            let near = std::array::from_fn(|seat| Near {
                above: three[above][seat],
                beside: beside[seat],
                below: three[below][seat],
            });
            let words = rule(sets.map(|set| set.0[r]), near);
            for (set, word) in next.iter_mut().zip(words) {
                set.0[r] = word & size.row_mask();
            }
        }
        next
    }

    fn words(&self) -> &[u64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;

    /// Columns, turns and mirrors of one type, held against rows of plain numbers.
    fn check<B: Board>(rows: u32, columns: u32) {
        let size = Size { rows, columns };
        assert!(B::holds(size));
        assert_eq!(B::sized(size), size);
        let mut dice = Dice::new(u64::from(rows * 100 + columns));
        for _ in 0..200 {
            let mask = size.row_mask();
            let cells: Vec<u64> = (0..rows).map(|_| dice.word() & mask).collect();
            let board = B::from_rows(size, |r| cells[r as usize]);
            let flip = |word: u64| word.reverse_bits() >> (64 - columns);
            let (turned, mirrored) = (board.turned(size), board.mirrored(size));
            let bits = dice.word() as u32 & (!0 >> (32 - rows));
            let (first, last) = (B::first_column(size, bits), B::last_column(size, bits));
            for r in 0..rows {
                let across = cells[(rows - 1 - r) as usize];
                assert_eq!(board.row(r), cells[r as usize]);
                assert_eq!(turned.row(r), flip(across));
                assert_eq!(mirrored.row(r), across);
                assert_eq!(first.row(r), u64::from(bits >> r & 1));
                assert_eq!(last.row(r), flip(first.row(rows - 1 - r)));
            }
            let total: u32 = cells.iter().map(|word| word.count_ones()).sum();
            assert_eq!(board.count(), total);
            assert!(board.without(board).is_empty() && B::NONE.is_empty());
            assert_eq!(board.is_empty(), total == 0);
        }
    }

    #[test]
    fn boards_hold_rows() {
        check::<Board8>(8, 8);
        check::<Board16>(16, 16);
        for (rows, columns) in [
            (1, 1),
            (1, 64),
            (32, 1),
            (32, 64),
            (5, 63),
            (8, 8),
            (31, 33),
        ] {
            check::<BoardAny>(rows, columns);
        }
    }
}
