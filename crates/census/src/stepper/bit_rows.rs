//! One generation of a box of two states by words of 64 cells, for rules that look at the number
//! of live cells among the eight around. Own method; the sums are those of full adders.

use crate::StateBox;
use grid::State;

/// The rows of one box, and of the next. It keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct BitRows {
    /// For each word of each row, the cells, and the sums of three side by side: their bits of
    /// weight one and two.
    sums: Vec<[u64; 3]>,
    next: Vec<u64>,
}

/// Bit n: whether a cell is alive next when n of the nine cells of its block are, itself among
/// them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NineSums {
    pub(super) births: u32,
    pub(super) survivals: u32,
}

impl NineSums {
    /// The next state of 64 cells, by the sums of the rows above, here and below.
    fn next(self, [above, here, below]: [[u64; 3]; 3]) -> u64 {
        let majority = |a: u64, b: u64, c: u64| a & b | c & (a | b);
        let ones = above[1] ^ here[1] ^ below[1];
        let carry = majority(above[1], here[1], below[1]);
        let some_twos = above[2] ^ here[2] ^ below[2];
        let some_fours = majority(above[2], here[2], below[2]);
        let twos = some_twos ^ carry;
        let more_fours = some_twos & carry;
        let fours = some_fours ^ more_fours;
        let eights = some_fours & more_fours;
        let cell = here[0];
        let mut next = 0;
        let mut wanted = self.births | self.survivals;
        while wanted != 0 {
            let sum = wanted.trailing_zeros();
            wanted &= wanted - 1;
            let digit = |bits: u64, weight: u32| if sum & weight == 0 { !bits } else { bits };
            let is_sum = digit(ones, 1) & digit(twos, 2) & digit(fours, 4) & digit(eights, 8);
            let all = |bits: u32| 0u64.wrapping_sub(u64::from(bits >> sum & 1));
            next |= is_sum & (cell & all(self.survivals) | !cell & all(self.births));
        }
        next
    }
}

impl BitRows {
    /// The cells one generation later.
    pub(super) fn step(&mut self, cells: &StateBox, rule: NineSums) -> StateBox {
        let (width, height) = (cells.width(), cells.height());
        // the cells and the next ones lie in the same columns, with one more on each side
        let words = (width + 2).div_ceil(64);
        self.sums.clear();
        self.sums.resize((height + 4) * words, [0; 3]);
        for (row, states) in cells.states().chunks_exact(width).enumerate() {
            let sums = &mut self.sums[(row + 2) * words..][..words];
            for (at, bytes) in states.chunks(8).enumerate() {
                let bit = 8 * at + 1;
                let bits = packed(bytes);
                sums[bit / 64][0] |= bits << (bit % 64);
                if bit % 64 > 56 && bit / 64 + 1 < words {
                    sums[bit / 64 + 1][0] |= bits >> (64 - bit % 64);
                }
            }
            for word in 0..words {
                let before = if word == 0 { 0 } else { sums[word - 1][0] };
                let after = sums.get(word + 1).map_or(0, |sums| sums[0]);
                let own = sums[word][0];
                let (left, right) = (own << 1 | before >> 63, own >> 1 | after << 63);
                sums[word][1] = left ^ own ^ right;
                sums[word][2] = left & own | right & (left | own);
            }
        }
        self.next.clear();
        for row in 1..height + 3 {
            let rows = [row - 1, row, row + 1].map(|row| &self.sums[row * words..][..words]);
            let next = (0..words).map(|word| rule.next(rows.map(|row| row[word])));
            self.next.extend(next);
        }
        // beyond the last column there are no cells
        let beyond = words * 64 - (width + 2);
        for last in self.next.iter_mut().skip(words - 1).step_by(words) {
            *last &= u64::MAX >> beyond;
        }
        self.trimmed(cells.x - 1, cells.y - 1, words)
    }

    /// What is next, without an empty margin; the first bit of all lies in (`x`, `y`).
    fn trimmed(&self, x: i64, y: i64, words: usize) -> StateBox {
        let is_live = |row: &[u64]| row.iter().any(|&word| word != 0);
        let rows = || self.next.chunks_exact(words);
        let Some(top) = rows().position(is_live) else {
            return StateBox::default();
        };
        let bottom = rows().rposition(is_live).unwrap_or(top);
        let column = |word: usize| rows().fold(0, |all, row| all | row[word]);
        let (mut left, mut right) = (usize::MAX, 0);
        for word in 0..words {
            let live = column(word);
            if live != 0 {
                left = left.min(64 * word + live.trailing_zeros() as usize);
                right = 64 * word + live.ilog2() as usize;
            }
        }
        let width = right - left + 1;
        let mut states: Vec<State> = Vec::with_capacity((bottom - top + 1) * width + 8);
        for row in rows().take(bottom + 1).skip(top) {
            let end = states.len() + width;
            for bit in (left..=right).step_by(8) {
                let (word, shift) = (bit / 64, bit % 64);
                let mut bits = row[word] >> shift;
                if shift > 56 && word + 1 < words {
                    bits |= row[word + 1] << (64 - shift);
                }
                states.extend_from_slice(&unpacked(bits as u8));
            }
            states.truncate(end);
        }
        StateBox::from_trimmed(x + left as i64, y + top as i64, width, states)
    }
}

/// Up to eight states, 0 or 1, as bits.
fn packed(states: &[State]) -> u64 {
    let mut bytes = [0; 8];
    bytes[..states.len()].copy_from_slice(states);
    u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Eight bits as states.
fn unpacked(bits: u8) -> [State; 8] {
    let each = (u64::from(bits) * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    ((each + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_states() {
        for bits in 0..=255_u8 {
            assert_eq!(packed(&unpacked(bits)), u64::from(bits));
            assert_eq!(unpacked(bits)[5], bits >> 5 & 1);
        }
        assert_eq!(packed(&[1, 0, 1]), 5);
    }
}
