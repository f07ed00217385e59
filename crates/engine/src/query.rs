//! How worlds are looked at: cells pass by as rows of words, and whoever looks makes of
//! them what is wanted, bits of a rectangle or counts for the pixels of a view.
//!
//! Bit b of word w of a row is the cell in column 64 w + b, counted from the origin, so
//! that pixels up to 64 cells wide never lie across two words.

mod bitmap;
mod extent;
mod fallback;
mod hash;
mod interleaving;
mod packed_snapshot;
mod pixels;

pub(crate) use bitmap::Bitmap;
pub(crate) use extent::LiveExtent;
pub(crate) use fallback::{around, bits, erase, restore, states};
pub(crate) use hash::LiveHash;
pub(crate) use interleaving::{deinterleave, interleave};
pub(crate) use packed_snapshot::{BlockCells, PackedSnapshot};
pub(crate) use pixels::{PixelCounter, PixelRowCounts, for_each_pixel, rows_of_pixels};

use crate::arch::{SimdElement, SimdTask, Vector};

/// Words that lie side by side in each row of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordSegment {
    /// The first word: its first cell is in column 64 times this.
    pub(crate) first: i64,
    /// How many.
    pub(crate) words: usize,
}

impl WordSegment {
    /// The words that have the columns from `x` up to, and without, `end`.
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

/// What looks at a world.
///
/// It is shown all rows that have live cells in what it wants to see, from the top; beside
/// and between what it asked for may be other cells, which it has to leave out itself.
pub(crate) trait LiveRowVisitor {
    /// The rows to come, up to the next band, are made of these stretches, from left to
    /// right.
    fn band(&mut self, segments: &[WordSegment]);

    /// A row: the words of its stretches, one after the other.
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

/// Adds `1 << plane` to the state of each cell, from the `first` on, whose bit is set.
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

/// How many bits of the words are set, of those that are set in `mask`.
pub(crate) fn ones(words: &[u64], mask: u64) -> u64 {
    let mut ones = 0;
    u64::dispatch(PopcountTask {
        words,
        mask,
        ones: &mut ones,
    });
    ones
}

/// Counting is one instruction where there is one.
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

/// The bits of the `k`-th word of a row that are cells from `from` up to, and without, `to`.
#[inline]
pub(crate) fn mask(k: usize, from: usize, to: usize) -> u64 {
    let before = |x: usize| {
        let bits = x.saturating_sub(64 * k).min(64) as u32;
        u64::MAX.checked_shr(64 - bits).unwrap_or(0)
    };
    before(to) & !before(from)
}

/// Words read from another first bit on, which may lie before them; zeros are beyond.
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
