//! Sets of cells as bits: one type for 8x8, one for 16x16, and one for any size.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DuelSize {
    /// From 1 to 32.
    pub rows: u32,
    /// From 1 to 64.
    pub columns: u32,
}

impl DuelSize {
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

/// The same word of the cells of both seats: every operation is applied to both, so that the
/// compiler can vectorise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatWordPair(pub [u64; 2]);

impl SeatWordPair {
    /// With the seats exchanged.
    #[inline(always)]
    #[must_use]
    pub fn exchanged(self) -> Self {
        Self([self.0[1], self.0[0]])
    }
}

/// Implements an operator of words for pairs of words.
macro_rules! on_pairs {
    ($($operator:ident $name:ident $sign:tt $right:ty, $of:expr;)*) => {$(
        impl $operator<$right> for SeatWordPair {
            type Output = Self;
            #[inline(always)]
            fn $name(self, right: $right) -> Self {
                let of: fn($right) -> [_; 2] = $of;
                let right = of(right);
                Self([self.0[0] $sign right[0], self.0[1] $sign right[1]])
            }
        }
    )*};
}

on_pairs! {
    BitAnd bitand & Self, |pair| pair.0;
    BitOr bitor | Self, |pair| pair.0;
    BitXor bitxor ^ Self, |pair| pair.0;
    BitAnd bitand & u64, |word| [word; 2];
    Shl shl << u32, |by| [by; 2];
    Shr shr >> u32, |by| [by; 2];
}

impl Not for SeatWordPair {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self([!self.0[0], !self.0[1]])
    }
}

/// The neighbours of a word's cells, each seat's own, counted a line at a time: a column of
/// the boards of one size, a row of the board of any. Each count is two words, its ones and
/// its twos, a bit a cell.
#[derive(Clone, Copy, Debug)]
pub struct DuelNeighbourCounts {
    /// The three in the line before.
    pub before: [SeatWordPair; 2],
    /// The two beside the cell in its own line.
    pub beside: [SeatWordPair; 2],
    /// The three in the line after.
    pub after: [SeatWordPair; 2],
}

impl DuelNeighbourCounts {
    /// The counts of a word's own line: of the two beside each cell, and of the three with
    /// the cell itself, which the lines before and after look at.
    #[inline(always)]
    fn in_line(
        one: SeatWordPair,
        here: SeatWordPair,
        other: SeatWordPair,
    ) -> ([SeatWordPair; 2], [SeatWordPair; 2]) {
        let odd = one ^ other;
        let both = one & other;
        ([odd, both], [odd ^ here, both | odd & here])
    }
}

/// A set of cells. A type for one size ignores the `size` that it is given, so that masks
/// become constants.
///
/// Row 0 is at the top, column 0 on the left; the bottom row lies above the top row, but
/// left and right are edges.
///
/// ```
/// use games::duel::{Board8, DuelBoard as _, DuelSize};
///
/// let size = DuelSize { rows: 8, columns: 8 };
/// let edge = Board8::first_column(size, 0b101);
/// assert_eq!([0, 1, 2].map(|row| edge.row(row)), [1, 0, 1]);
/// assert_eq!(edge.turned(size), Board8::last_column(size, 0b101));
/// assert_eq!((edge | edge.mirrored(size)).count(), 4);
/// ```
pub trait DuelBoard:
    Copy + Debug + Eq + Hash + BitAnd<Output = Self> + BitOr<Output = Self> + Send + Sync + 'static
{
    /// No cells.
    const NONE: Self;

    /// Whether this type can hold a board of that size.
    fn holds(size: DuelSize) -> bool;

    /// The size, a constant where the type has only one.
    fn sized(size: DuelSize) -> DuelSize;

    /// The cells of each row, column 0 in the lowest bit.
    fn from_rows(size: DuelSize, row: impl FnMut(u32) -> u64) -> Self;

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
    fn first_column(size: DuelSize, rows: u32) -> Self;

    /// The same, turned by 180 degrees: the last column, bit 0 is the bottom row.
    fn last_column(size: DuelSize, rows: u32) -> Self;

    /// Turned by 180 degrees.
    #[must_use]
    fn turned(self, size: DuelSize) -> Self;

    /// Mirrored, the top row to the bottom.
    #[must_use]
    fn mirrored(self, size: DuelSize) -> Self {
        Self::from_rows(size, |row| self.row(size.rows - 1 - row))
    }

    /// The number of cells of each seat in `places`.
    fn counts(sets: &[Self; 2], places: &Self) -> [u32; 2] {
        [(sets[0] & *places).count(), (sets[1] & *places).count()]
    }

    /// Computes new sets word by word, two for each result of the rule, from the cells of
    /// both seats and their neighbours. What the rule puts off the board is dropped.
    fn map<const N: usize>(
        sets: &[Self; 2],
        size: DuelSize,
        rule: impl Fn(SeatWordPair, DuelNeighbourCounts) -> [SeatWordPair; N],
    ) -> [[Self; 2]; N];

    /// The words that hold the cells, for hashing.
    fn words(&self) -> &[u64];
}

/// The lowest eight bits in the other order.
#[inline]
fn reversed_byte(bits: u32) -> u64 {
    const REVERSED: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).reverse_bits();
            byte += 1;
        }
        table
    };
    u64::from(REVERSED[bits as usize & 0xff])
}

/// Implements the operators of sets of cells, word by word.
macro_rules! on_words {
    ($($board:ident $operator:ident $name:ident $sign:tt;)*) => {$(
        impl $operator for $board {
            type Output = Self;
            #[inline]
            fn $name(self, other: Self) -> Self {
                Self(std::array::from_fn(|w| self.0[w] $sign other.0[w]))
            }
        }
    )*};
}

on_words! {
    Board8 BitAnd bitand &;
    Board8 BitOr bitor |;
    Board16 BitAnd bitand &;
    Board16 BitOr bitor |;
    BoardAny BitAnd bitand &;
    BoardAny BitOr bitor |;
}

/// Eight columns of eight rows in one word, column by column: bit 8c + r is row r, column c.
/// So the players' columns are the first and the last byte, and nothing comes in where the
/// word is shifted by a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board8(pub [u64; 1]);

const EIGHT: DuelSize = DuelSize {
    rows: 8,
    columns: 8,
};
const TOP_OF_8: u64 = 0x0101_0101_0101_0101;
/// A copy of bit r at bit 7r of each byte: gathers and spreads a bit of each byte.
const SPREAD_8: u64 = 0x0102_0408_1020_4080;

impl DuelBoard for Board8 {
    const NONE: Self = Self([0]);

    fn holds(size: DuelSize) -> bool {
        size == EIGHT
    }

    #[inline]
    fn sized(_: DuelSize) -> DuelSize {
        EIGHT
    }

    fn from_rows(_: DuelSize, mut row: impl FnMut(u32) -> u64) -> Self {
        let mut word = 0;
        for r in 0..8 {
            let cells = row(r);
            for c in 0..8 {
                word |= (cells >> c & 1) << (8 * c + r);
            }
        }
        Self([word])
    }

    #[inline]
    fn row(&self, row: u32) -> u64 {
        // the row's bits, eight apart, meet in the last byte
        (self.0[0] >> row & TOP_OF_8).wrapping_mul(SPREAD_8) >> 56
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
    fn first_column(_: DuelSize, rows: u32) -> Self {
        Self([u64::from(rows)])
    }

    #[inline]
    fn last_column(_: DuelSize, rows: u32) -> Self {
        Self([reversed_byte(rows) << 56])
    }

    #[inline]
    fn turned(self, _: DuelSize) -> Self {
        Self([self.0[0].reverse_bits()])
    }

    #[inline(always)]
    fn map<const N: usize>(
        sets: &[Self; 2],
        _: DuelSize,
        rule: impl Fn(SeatWordPair, DuelNeighbourCounts) -> [SeatWordPair; N],
    ) -> [[Self; 2]; N] {
        let cells = SeatWordPair([sets[0].0[0], sets[1].0[0]]);
        let up = cells >> 1 & !(TOP_OF_8 << 7) | cells << 7 & TOP_OF_8 << 7;
        let down = cells << 1 & !TOP_OF_8 | cells >> 7 & TOP_OF_8;
        let (beside, three) = DuelNeighbourCounts::in_line(up, cells, down);
        let near = DuelNeighbourCounts {
            before: [three[0] << 8, three[1] << 8],
            beside,
            after: [three[0] >> 8, three[1] >> 8],
        };
        let words = rule(cells, near);
        std::array::from_fn(|n| [Self([words[n].0[0]]), Self([words[n].0[1]])])
    }

    fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Sixteen columns of sixteen rows in four words. Word w holds columns w, w + 4, w + 8 and
/// w + 12, in this order: so the columns before and after a word's columns are the words
/// before and after it, and only the first and the last word need a shift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board16(pub [u64; 4]);

const SIXTEEN: DuelSize = DuelSize {
    rows: 16,
    columns: 16,
};
const TOP_OF_16: u64 = 0x0001_0001_0001_0001;

impl DuelBoard for Board16 {
    const NONE: Self = Self([0; 4]);

    fn holds(size: DuelSize) -> bool {
        size == SIXTEEN
    }

    #[inline]
    fn sized(_: DuelSize) -> DuelSize {
        SIXTEEN
    }

    fn from_rows(_: DuelSize, mut row: impl FnMut(u32) -> u64) -> Self {
        let mut words = [0; 4];
        for r in 0..16 {
            let cells = row(r);
            for c in 0..16 {
                words[c % 4] |= (cells >> c & 1) << (c / 4 * 16 + r as usize);
            }
        }
        Self(words)
    }

    #[inline]
    fn row(&self, row: u32) -> u64 {
        // of each word four bits, sixteen apart, meet four apart in the highest bits
        let mut cells = 0;
        for (w, word) in self.0.iter().enumerate() {
            let bits = word >> row & TOP_OF_16;
            let fourths = bits | bits >> 12 | bits >> 24 | bits >> 36;
            cells |= (fourths & 0x1111) << w;
        }
        cells
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
    fn first_column(_: DuelSize, rows: u32) -> Self {
        Self([u64::from(rows), 0, 0, 0])
    }

    #[inline]
    fn last_column(_: DuelSize, rows: u32) -> Self {
        let reversed = reversed_byte(rows) << 8 | reversed_byte(rows >> 8);
        Self([0, 0, 0, reversed << 48])
    }

    #[inline]
    fn turned(self, _: DuelSize) -> Self {
        Self(std::array::from_fn(|w| self.0[3 - w].reverse_bits()))
    }

    #[inline(always)]
    fn map<const N: usize>(
        sets: &[Self; 2],
        _: DuelSize,
        rule: impl Fn(SeatWordPair, DuelNeighbourCounts) -> [SeatWordPair; N],
    ) -> [[Self; 2]; N] {
        let cells = |w: usize| SeatWordPair([sets[0].0[w], sets[1].0[w]]);
        let line = |w| {
            let cells = cells(w);
            let up = cells >> 1 & !(TOP_OF_16 << 15) | cells << 15 & TOP_OF_16 << 15;
            let down = cells << 1 & !TOP_OF_16 | cells >> 15 & TOP_OF_16;
            DuelNeighbourCounts::in_line(up, cells, down)
        };
        let lines = [line(0), line(1), line(2), line(3)];
        let three = |w: usize| lines[w].1;
        let mut next = [[Self::NONE; 2]; N];
        for (w, line) in lines.iter().enumerate() {
            let near = DuelNeighbourCounts {
                before: match w {
                    0 => [three(3)[0] << 16, three(3)[1] << 16],
                    _ => three(w - 1),
                },
                beside: line.0,
                after: match w {
                    3 => [three(0)[0] >> 16, three(0)[1] >> 16],
                    _ => three(w + 1),
                },
            };
            let words = rule(cells(w), near);
            for n in 0..N {
                next[n][0].0[w] = words[n].0[0];
                next[n][1].0[w] = words[n].0[1];
            }
        }
        next
    }

    #[inline]
    fn counts(sets: &[Self; 2], places: &Self) -> [u32; 2] {
        // most words have no goal
        let mut counts = [0; 2];
        for w in 0..4 {
            if places.0[w] != 0 {
                counts[0] += (sets[0].0[w] & places.0[w]).count_ones();
                counts[1] += (sets[1].0[w] & places.0[w]).count_ones();
            }
        }
        counts
    }

    fn words(&self) -> &[u64] {
        &self.0
    }
}

/// Up to 32 rows of up to 64 columns, a word a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardAny(pub [u64; 32]);

impl DuelBoard for BoardAny {
    const NONE: Self = Self([0; 32]);

    fn holds(size: DuelSize) -> bool {
        (1..=32).contains(&size.rows) && (1..=64).contains(&size.columns)
    }

    #[inline]
    fn sized(size: DuelSize) -> DuelSize {
        size
    }

    fn from_rows(size: DuelSize, mut row: impl FnMut(u32) -> u64) -> Self {
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

    fn first_column(_: DuelSize, rows: u32) -> Self {
        Self(std::array::from_fn(|r| u64::from(rows >> r & 1)))
    }

    fn last_column(size: DuelSize, rows: u32) -> Self {
        Self::from_rows(size, |r| {
            u64::from(rows >> (size.rows - 1 - r) & 1) << (size.columns - 1)
        })
    }

    fn turned(self, size: DuelSize) -> Self {
        Self::from_rows(size, |r| {
            self.row(size.rows - 1 - r).reverse_bits() >> (64 - size.columns)
        })
    }

    fn map<const N: usize>(
        sets: &[Self; 2],
        size: DuelSize,
        rule: impl Fn(SeatWordPair, DuelNeighbourCounts) -> [SeatWordPair; N],
    ) -> [[Self; 2]; N] {
        let rows = (size.rows as usize).min(32);
        let cells = |r: usize| SeatWordPair([sets[0].0[r], sets[1].0[r]]);
        let line = |r| DuelNeighbourCounts::in_line(cells(r) << 1, cells(r), cells(r) >> 1);
        // the rows before, here and after, each looked at once
        let mut before = line(rows - 1);
        let mut here = line(0);
        let mut next = [[Self::NONE; 2]; N];
        for r in 0..rows {
            let after = line(if r + 1 == rows { 0 } else { r + 1 });
            let near = DuelNeighbourCounts {
                before: before.1,
                beside: here.0,
                after: after.1,
            };
            let words = rule(cells(r), near);
            for n in 0..N {
                next[n][0].0[r] = words[n].0[0] & size.row_mask();
                next[n][1].0[r] = words[n].0[1] & size.row_mask();
            }
            (before, here) = (here, after);
        }
        next
    }

    fn counts(sets: &[Self; 2], places: &Self) -> [u32; 2] {
        // most rows have no goal
        let mut counts = [0; 2];
        for (r, places) in places.0.iter().enumerate() {
            if *places != 0 {
                counts[0] += (sets[0].0[r] & places).count_ones();
                counts[1] += (sets[1].0[r] & places).count_ones();
            }
        }
        counts
    }

    fn words(&self) -> &[u64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;

    /// Compares columns, rotations and mirrors of one type with rows of plain numbers.
    fn check<B: DuelBoard>(rows: u32, columns: u32) {
        let size = DuelSize { rows, columns };
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
