//! Most items of a text in RLE are plain: no count or one of a few digits, and a sign. They are
//! read without a branch for each byte, of which a processor foresees too few: where the signs
//! are among 64 bytes is found for all at once, and a dead run is written like a live one, over
//! which the next is written.
//!
//! Own method; digits are told from other bytes as in H. S. Warren, "Hacker's Delight", on tests
//! of all bytes of a word.

use super::{OTHER, Reader, SIGNS};
use crate::rows::{RUN_WORDS, run_words};

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// The most digits of a plain count.
const MAX_DIGITS: usize = 9;

/// Which bytes are no digits: byte `k` as bit `k`.
fn signs(block: &[u8; BLOCK]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const ZEROS: u64 = 0x3030_3030_3030_3030;
    /// What a value of ten or more overflows with.
    const OVER_NINE: u64 = 0x7676_7676_7676_7676;
    /// Brings the lowest bits of eight bytes together in the highest one.
    const TOGETHER: u64 = 0x0102_0408_1020_4080;
    let mut mask = 0;
    for (k, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
        let values = u64::from_le_bytes(*bytes) ^ ZEROS;
        let other = (((values & LOW) + OVER_NINE) | values) & !LOW;
        mask |= ((other >> 7).wrapping_mul(TOGETHER) >> 56) << (8 * k);
    }
    mask
}

/// The most columns that a block of plain items goes on, counts of more digits apart.
const MAX_COLUMNS: u64 = 9 * BLOCK as u64;

/// The state of no run, for none to go on with.
const NONE: u8 = 0;

impl Reader<'_> {
    /// Reads plain items from offset `at` on, and returns the offset of one that is not, or that
    /// has too few bytes after it.
    pub(super) fn read_plain_items(&mut self, bytes: &[u8], mut at: usize) -> usize {
        // runs of the row, two words each
        let mut runs = [[0; RUN_WORDS]; BLOCK];
        let (mut row, mut reach) = self.row();
        while let Some(block) = bytes[at..].first_chunk::<BLOCK>() {
            if self.x.saturating_add(MAX_COLUMNS) > reach {
                break;
            }
            let mut signs = signs(block);
            let mut x = self.x;
            // the runs, where the item begins, and the state of the last run if it can go on
            let (mut used, mut begin, mut last) = (0, 0, NONE);
            let mut is_plain = true;
            while signs != 0 {
                let mut end = signs.trailing_zeros() as usize;
                signs &= signs - 1;
                let digits = end - begin;
                let mut state = SIGNS[usize::from(block[end])];
                // of one digit; where there is none its place may be anything
                let digit = block[end.wrapping_sub(1) % BLOCK].wrapping_sub(b'0');
                let mut count = u64::from(if digits == 0 { 1 } else { digit });
                if (digits > 1) | (state == OTHER) | (count == 0) {
                    let Some(long) = plain_count(&block[begin..end]) else {
                        is_plain = false;
                        break;
                    };
                    count = long;
                    if state == OTHER {
                        match block[end] {
                            b'$' => {
                                let Some(below) = self.y.checked_add(count) else {
                                    is_plain = false;
                                    break;
                                };
                                self.rows.push_words(row, runs[..used].as_flattened());
                                (self.x, self.y) = (0, below);
                                (row, reach) = self.row();
                                (x, used, last, begin) = (0, 0, NONE, end + 1);
                                if reach < MAX_COLUMNS {
                                    is_plain = false;
                                    break;
                                }
                                continue;
                            }
                            b'\n' | b'\r' | b' ' | b'\t'
                                if digits == 0 && bytes.get(at + end + 1) != Some(&b'#') =>
                            {
                                begin = end + 1;
                                continue;
                            }
                            _ => match two_letters(&block[end..]) {
                                Some(high) => state = high,
                                None => {
                                    is_plain = false;
                                    break;
                                }
                            },
                        }
                        end += 1;
                        signs &= signs - 1;
                    }
                    if x + count + MAX_COLUMNS > reach {
                        is_plain = false;
                        break;
                    }
                }
                // a run that goes on
                if (state == last) & (state != 0) {
                    runs[used - 1][1] += run_words(0, count, 0)[1];
                } else {
                    runs[used % BLOCK] =
                        run_words(self.origin.x.wrapping_add_unsigned(x), count, state);
                    used += usize::from(state != 0);
                }
                (x, last, begin) = (x + count, state, end + 1);
            }
            self.rows.push_words(row, runs[..used].as_flattened());
            self.x = x;
            at += begin;
            if !is_plain || begin == 0 {
                break;
            }
        }
        at
    }
}

/// The count of an item, 1 where there are no digits; none where it is none or a long one.
fn plain_count(digits: &[u8]) -> Option<u64> {
    match digits {
        [] => Some(1),
        [b'0', ..] => None,
        _ if digits.len() > MAX_DIGITS => None,
        _ => Some(
            digits
                .iter()
                .fold(0, |count, digit| 10 * count + u64::from(digit - b'0')),
        ),
    }
}

/// The state of two letters, of which the first is `p` to `y`.
fn two_letters(letters: &[u8]) -> Option<u8> {
    match letters {
        [high @ b'p'..=b'y', low @ b'A'..=b'X', ..] => {
            u8::try_from(24 * u16::from(high - b'p' + 1) + u16::from(low - b'A' + 1)).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read_in_parts;
    use super::*;
    use crate::budget::ReadBudget;

    #[test]
    fn signs_are_what_is_no_digit() {
        for first in 0..=u8::MAX {
            let block: [u8; BLOCK] = std::array::from_fn(|k| first.wrapping_add((7 * k) as u8));
            for (k, byte) in block.iter().enumerate() {
                let is_sign = signs(&block) >> k & 1 == 1;
                assert_eq!(is_sign, !byte.is_ascii_digit(), "{byte} at {k}");
            }
        }
    }

    /// Texts of all kinds of items, and the same in parts of which none has a block.
    #[test]
    fn items_are_read_as_one_by_one() {
        let plain = ["b", "o", "2b", "3o", "9b", "4o", "o", "b", "$", "\n"];
        let others = [
            "12b",
            "40o",
            "123456789b",
            "7$",
            "\r\n",
            " ",
            "\t",
            "C",
            "2X",
            ".",
            "pA",
            "3yO",
            "oo",
            "99999999999o",
            "5z",
            "r",
            "12345678901234567890b",
        ];
        let faults = ["0b", "3\n", "yX", "?", "9999999999999999999b", "7", "#"];
        let mut dice = dice::Dice::new(9);
        let (mut read_well, mut refused) = (0, 0);
        for round in 0..2000 {
            let mut text = String::from("x = 9, y = 9\n");
            let share = [1000, 40, 6][round % 3];
            for _ in 0..dice.below(400) {
                let items: &[&str] = match dice.below(share) {
                    0 if dice.below(40) == 0 => &faults,
                    0 => &others,
                    _ => &plain,
                };
                text.push_str(items[dice.below(items.len() as u32) as usize]);
            }
            let bytes = text.as_bytes();
            let whole = super::super::read(bytes, &mut ReadBudget::new(1 << 30));
            let (first, mut rest) = bytes.split_at(bytes.len().min(BLOCK - 1));
            let length = bytes.len() as u64;
            let mut budget = ReadBudget::new(1 << 30);
            let parts = read_in_parts(first.to_vec(), &mut rest, length, &mut budget).unwrap();
            match (whole, parts) {
                (Ok(whole), Ok(parts)) => {
                    assert_eq!(whole, parts, "{text}");
                    read_well += 1;
                }
                (Err(whole), Err(parts)) => {
                    assert_eq!(whole.problem, parts.problem, "{text}");
                    refused += 1;
                }
                (whole, parts) => panic!("{whole:?}, in parts {parts:?}: {text}"),
            }
        }
        assert!(read_well > 500 && refused > 100, "{read_well}, {refused}");
    }
}
