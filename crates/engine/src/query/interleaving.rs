//! Conversion between interleaved words and words of adjacent cells.
//!
//! Bit-packed grids and tiles hold cell x of a line as bit x / n of word x mod n (n words, a
//! multiple of 8). Visitors need cell x as bit x mod 64 of word x / 64. Both are a bit matrix,
//! read by rows or by columns, so the conversion transposes square blocks, halves first (H. S.
//! Warren, "Hacker's Delight", 2nd edition, 7-3).

use kernel::simd::{SimdElement, SimdTask, Vector};

/// The cells of a line as words of 64 adjacent cells.
///
/// # Panics
/// When the lengths differ or are no multiple of 8.
pub(crate) fn deinterleave(line: &[u64], cells: &mut [u64]) {
    assert_eq!(line.len(), cells.len(), "a line has as many words as cells");
    u64::dispatch(LineDeinterleaver { line, cells });
}

/// The inverse of [`deinterleave`].
///
/// # Panics
/// As [`deinterleave`].
pub(crate) fn interleave(cells: &[u64], line: &mut [u64]) {
    assert_eq!(line.len(), cells.len(), "a line has as many words as cells");
    u64::dispatch(LineInterleaver { cells, line });
}

struct LineDeinterleaver<'a> {
    line: &'a [u64],
    cells: &'a mut [u64],
}

struct LineInterleaver<'a> {
    cells: &'a [u64],
    line: &'a mut [u64],
}

impl SimdTask<u64> for LineDeinterleaver<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self { line, cells } = self;
        let (squares, rest) = line.as_chunks::<64>();
        if rest.is_empty() {
            let across = squares.len();
            for (k, square) in squares.iter().enumerate() {
                let turned = transpose(square);
                for (row, to) in turned.iter().zip(cells[k..].iter_mut().step_by(across)) {
                    *to = *row;
                }
            }
            return;
        }
        // Byte by byte: 8 words have a byte of every row of the matrix.
        let across = line.len() / 8;
        let (eights, _) = line.as_chunks::<8>();
        cells.fill(0);
        for (k, eight) in eights.iter().enumerate() {
            for (j, word) in transpose_bytes(*eight).into_iter().enumerate() {
                for (i, byte) in word.to_le_bytes().into_iter().enumerate() {
                    let at = (8 * i + j) * across + k;
                    cells[at / 8] |= u64::from(byte) << (8 * (at % 8));
                }
            }
        }
    }
}

impl SimdTask<u64> for LineInterleaver<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self { cells, line } = self;
        let across = line.len() / 64;
        let (squares, rest) = line.as_chunks_mut::<64>();
        if rest.is_empty() {
            for (k, square) in squares.iter_mut().enumerate() {
                let mut rows = [0; 64];
                for (row, from) in rows.iter_mut().zip(cells[k..].iter().step_by(across)) {
                    *row = *from;
                }
                *square = transpose(&rows);
            }
            return;
        }
        let across = line.len() / 8;
        let (eights, _) = line.as_chunks_mut::<8>();
        for (k, eight) in eights.iter_mut().enumerate() {
            let mut rows = [0; 8];
            for (j, word) in rows.iter_mut().enumerate() {
                for i in 0..8 {
                    let at = (8 * i + j) * across + k;
                    *word |= (cells[at / 8] >> (8 * (at % 8)) & 0xff) << (8 * i);
                }
            }
            *eight = transpose_bytes(rows);
        }
    }
}

/// Swaps the bits of `mask` in the words of one half with those `BY` higher in the other, in
/// all groups of `2 * BY` words.
#[inline(always)]
fn swap_bits<const N: usize, const BY: usize>(rows: &mut [u64; N], mask: u64) {
    for group in rows.chunks_exact_mut(2 * BY) {
        let (low, high) = group.split_at_mut(BY);
        for (low, high) in low.iter_mut().zip(high) {
            let swapped = (*low >> BY ^ *high) & mask;
            *high ^= swapped;
            *low ^= swapped << BY;
        }
    }
}

/// Transposes a matrix of 64 x 64 bits.
#[inline(always)]
fn transpose(rows: &[u64; 64]) -> [u64; 64] {
    let mut rows = *rows;
    swap_bits::<64, 32>(&mut rows, 0x0000_0000_ffff_ffff);
    swap_bits::<64, 16>(&mut rows, 0x0000_ffff_0000_ffff);
    swap_bits::<64, 8>(&mut rows, 0x00ff_00ff_00ff_00ff);
    swap_bits::<64, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap_bits::<64, 2>(&mut rows, 0x3333_3333_3333_3333);
    swap_bits::<64, 1>(&mut rows, 0x5555_5555_5555_5555);
    rows
}

/// Transposes eight matrices of 8 x 8 bits, each in one byte of every word.
#[inline(always)]
fn transpose_bytes(mut rows: [u64; 8]) -> [u64; 8] {
    swap_bits::<8, 4>(&mut rows, 0x0f0f_0f0f_0f0f_0f0f);
    swap_bits::<8, 2>(&mut rows, 0x3333_3333_3333_3333);
    swap_bits::<8, 1>(&mut rows, 0x5555_5555_5555_5555);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;
    use kernel::simd::with_each_width;

    #[test]
    fn cells_are_where_they_should_be_and_go_back() {
        with_each_width(|| {
            let mut dice = Dice::new(1);
            for words in [8, 16, 24, 56, 64, 72, 128, 192] {
                let line: Vec<u64> = (0..words).map(|_| dice.word()).collect();
                let mut cells = vec![3; words];
                deinterleave(&line, &mut cells);
                for x in 0..64 * words {
                    let there = line[x % words] >> (x / words) & 1;
                    assert_eq!(cells[x / 64] >> (x % 64) & 1, there, "{x} of {words} words");
                }
                let mut back = vec![5; words];
                interleave(&cells, &mut back);
                assert_eq!(back, line, "{words} words");
            }
        });
    }
}
