//! Read access to worlds: rows of cells are passed as words to a visitor, which makes of them
//! what is wanted, such as the bits of a rectangle or the counts of a view's pixels.
//!
//! Bit b of word w of a row is the cell in column 64 w + b, counted from the origin, so pixels
//! up to 64 cells wide never straddle two words.

mod bitmap;
mod extent;
mod hash;
mod interleaving;
mod packed_snapshot;
mod pixels;

pub(crate) use bitmap::Bitmap;
pub(crate) use extent::LiveExtent;
pub(crate) use hash::LiveHash;
pub(crate) use interleaving::{deinterleave, interleave};
pub(crate) use packed_snapshot::{BlockCells, PackedSnapshot};
pub(crate) use pixels::{PixelCounter, PixelRowCounts, for_each_pixel, rows_of_pixels};

use kernel::simd::{SimdElement, SimdTask, Vector};

/// Adjacent words in each row of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordSegment {
    /// The first word; its first cell is in column 64 times this.
    pub(crate) first: i64,
    /// The number of words.
    pub(crate) words: usize,
}

impl WordSegment {
    /// The words that contain the columns from `x` up to but not including `end`.
    pub(crate) fn over(x: i64, end: i64) -> Self {
        let first = x >> 6;
        let words = if end > x {
            ((end - 1) >> 6).abs_diff(first) as usize + 1
        } else {
            0
        };
        Self { first, words }
    }

    /// One past the last word.
    pub(crate) fn end(&self) -> i64 {
        self.first + self.words as i64
    }
}

/// A visitor of a world's rows.
///
/// It visits all rows with live cells in the region that it asked for, from the top. Rows may
/// contain cells beside that region, and rows between may contain others; the visitor has to
/// ignore them.
pub(crate) trait LiveRowVisitor {
    /// Announces the segments, from left to right, of the rows up to the next band.
    fn band(&mut self, segments: &[WordSegment]);

    /// Visits a row: the words of its segments, one after the other.
    fn row(&mut self, y: i64, words: &[u64]);
}

/// Bit i of a byte as the lowest bit of byte i.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut i = 0;
        while i < 8 {
            spread[byte] |= (byte as u64 >> i & 1) << (8 * i);
            i += 1;
        }
        byte += 1;
    }
    spread
};

/// Adds `1 << plane` to the state of each cell, starting with cell `first`, whose bit is set.
pub(crate) fn add_plane(words: &[u64], first: usize, plane: usize, states: &mut [u8]) {
    for (k, eight) in states.chunks_mut(8).enumerate() {
        let at = first + 8 * k;
        let (word, bit) = (at / 64, at % 64);
        let mut bits = words[word] >> bit;
        if bit > 56
            && let Some(next) = words.get(word + 1)
        {
            bits |= next << (64 - bit);
        }
        let bits = SPREAD[(bits & 0xff) as usize] << plane;
        for (state, bit) in eight.iter_mut().zip(bits.to_le_bytes()) {
            *state |= bit;
        }
    }
}

/// A bit for each cell that is not in state 0.
pub(crate) fn pack(states: &[u8], words: &mut Vec<u64>) {
    words.clear();
    words.extend(states.chunks(64).map(pack_word));
}

/// [`pack`] for up to 64 cells.
#[inline]
pub(crate) fn pack_word(states: &[u8]) -> u64 {
    let bits = states.iter().enumerate();
    bits.fold(0, |all, (i, state)| all | u64::from(*state != 0) << i)
}

/// The number of set bits in the words under `mask`.
pub(crate) fn ones(words: &[u64], mask: u64) -> u64 {
    let mut ones = 0;
    u64::dispatch(PopcountTask {
        words,
        mask,
        ones: &mut ones,
    });
    ones
}

/// Dispatched to a version with the population count instruction where there is one.
struct PopcountTask<'a> {
    words: &'a [u64],
    mask: u64,
    ones: &'a mut u64,
}

impl SimdTask<u64> for PopcountTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let counts = self
            .words
            .iter()
            .map(|word| (word & self.mask).count_ones());
        *self.ones = counts.map(u64::from).sum();
    }
}

/// The mask of those bits in the `k`-th word of a row that are cells from `from` up to but not
/// including `to`.
#[inline]
pub(crate) fn mask(k: usize, from: usize, to: usize) -> u64 {
    let before = |x: usize| {
        let bits = x.saturating_sub(64 * k).min(64) as u32;
        u64::MAX.checked_shr(64 - bits).unwrap_or(0)
    };
    before(to) & !before(from)
}

/// The words read from bit `first` on, which may be negative; zeros are beyond them.
pub(crate) fn shifted(words: &[u64], first: i64, to: &mut [u64]) {
    let (at, by) = (first.div_euclid(64), first.rem_euclid(64));
    let word = |i: i64| {
        let word = usize::try_from(i).ok().and_then(|i| words.get(i));
        word.copied().unwrap_or(0)
    };
    for (i, to) in (at..).zip(to) {
        *to = if by == 0 {
            word(i)
        } else {
            word(i) >> by | word(i + 1) << (64 - by)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifted_words_begin_elsewhere() {
        let words = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210];
        let bit = |x: i64| {
            let inside = (0..128).contains(&x);
            inside && words[x as usize / 64] >> (x % 64) & 1 == 1
        };
        for first in [-130, -64, -63, -1, 0, 1, 31, 63, 64, 65, 127, 128, 200] {
            let mut to = [7; 3];
            shifted(&words, first, &mut to);
            for x in 0..192 {
                let shown = to[x as usize / 64] >> (x % 64) & 1 == 1;
                assert_eq!(shown, bit(first + x), "{x} from {first}");
            }
        }
    }

    #[test]
    fn planes_make_states_and_states_make_bits() {
        let planes = [[0xf0f0_1234_5678_9abc_u64, 5], [0x0123_4567_89ab_cdef, 6]];
        for (first, length) in [(0, 128), (1, 64), (3, 7), (60, 9), (63, 65), (120, 8)] {
            let mut states = vec![0; length];
            for (plane, words) in planes.iter().enumerate() {
                add_plane(words, first, plane, &mut states);
            }
            let state = |x: usize| {
                let bit = |p: usize| (planes[p][x / 64] >> (x % 64) & 1) as u8;
                bit(0) | bit(1) << 1
            };
            let expected: Vec<u8> = (first..first + length).map(state).collect();
            assert_eq!(states, expected);
            let mut live = Vec::new();
            pack(&states, &mut live);
            for (i, state) in states.iter().enumerate() {
                assert_eq!(live[i / 64] >> (i % 64) & 1 == 1, *state != 0);
            }
        }
    }

    #[test]
    fn stretches_are_the_words_of_their_columns() {
        for (x, end, first, words) in [
            (0, 64, 0, 1),
            (0, 65, 0, 2),
            (-1, 1, -1, 2),
            (-64, 0, -1, 1),
            (63, 64, 0, 1),
            (5, 5, 0, 0),
        ] {
            assert_eq!(WordSegment::over(x, end), WordSegment { first, words });
        }
    }
}
