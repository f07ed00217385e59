//! Moves: columns of ones and zeros.

use crate::{Dice, MoveError};
use std::sync::LazyLock;

/// A move: bit r is row r of the seat's own view, from the top; a 1 puts a cell into the
/// seat's own column.
pub type Column = u32;

/// Numbers of ways to choose: `CHOOSE[n][k]`, n up to 32.
const CHOOSE: [[u32; 33]; 33] = {
    let mut table = [[0; 33]; 33];
    let mut n = 0;
    while n < 33 {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of columns of `rows` rows with at most `ones` ones: `WITHIN[rows][ones]`.
const WITHIN: [[u64; 33]; 33] = {
    let mut table = [[0; 33]; 33];
    let mut n = 0;
    while n < 33 {
        let mut total = 0;
        let mut k = 0;
        while k < 33 {
            total += CHOOSE[n][k] as u64;
            table[n][k] = total;
            k += 1;
        }
        n += 1;
    }
    table
};

/// All columns of eight rows, those with few ones first: the legal ones are a beginning of
/// this list, whatever the mana is.
const OF_EIGHT: [u8; 256] = {
    let mut table = [0; 256];
    let mut place = 0;
    while place < 256 {
        table[place] = nth(8, place as u32) as u8;
        place += 1;
    }
    table
};

/// The same for sixteen rows, built when first needed. Random players soon have little mana, so
/// only a short prefix of it is read.
static OF_SIXTEEN: LazyLock<Vec<u16>> =
    LazyLock::new(|| (0..1 << 16).map(|place| nth(16, place) as u16).collect());

/// How many columns cost no more than `mana`.
#[inline]
pub(super) fn count(rows: u32, mana: u32) -> u64 {
    WITHIN[rows as usize][mana.min(32) as usize]
}

/// The columns by their numbers in the combinatorial number system (Knuth, The Art of Computer
/// Programming 7.2.1.3): in order of their cost, and those of one cost in order of their bits: the
/// one with `n` before it.
const fn nth(rows: u32, mut n: u32) -> Column {
    let choose = &CHOOSE[rows as usize];
    let mut ones = 0;
    while ones < 32 && n >= choose[ones] {
        n -= choose[ones];
        ones += 1;
    }
    // the highest one is the last row that leaves few enough columns before this one
    let mut column = 0;
    let mut row = rows as usize;
    while ones > 0 {
        row -= 1;
        if n >= CHOOSE[row][ones] {
            n -= CHOOSE[row][ones];
            ones -= 1;
            column |= 1 << row;
        }
    }
    column
}

/// One of the columns that cost no more than `mana`, each as likely as the others.
#[inline(always)]
pub(super) fn random(rows: u32, mana: u32, dice: &mut Dice) -> Column {
    let Ok(bound) = u32::try_from(count(rows, mana)) else {
        // all columns of 32 rows
        return dice.word() as u32;
    };
    let n = dice.below(bound);
    match rows {
        8 => Column::from(OF_EIGHT[n as usize]),
        16 => Column::from(OF_SIXTEEN[n as usize]),
        _ => nth(rows, n),
    }
}

/// Every column that costs no more than `mana`, in the order of [`nth`].
pub(super) fn list(rows: u32, mana: u32, into: &mut Vec<Column>) {
    into.clear();
    into.push(0);
    let end = 1u64 << rows;
    for ones in 1..=mana.min(rows) {
        let mut column = (1u64 << ones) - 1;
        while column < end {
            into.push(column as Column);
            // the next larger number with as many ones (HAKMEM, item 175, Gosper 1972)
            let low = column & column.wrapping_neg();
            let ripple = column + low;
            column = ripple | (((column ^ ripple) >> 2) / low);
        }
    }
}

/// How many ones a column has.
#[inline]
pub(super) fn cost(rows: u32, column: Column) -> u32 {
    // without a popcount instruction counting takes a dozen steps; a table lookup takes one
    const ONES: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).count_ones() as u8;
            byte += 1;
        }
        table
    };
    match rows {
        0..=8 => u32::from(ONES[column as usize & 0xff]),
        9..=16 => {
            let [low, high] = [column as u8, (column >> 8) as u8].map(usize::from);
            u32::from(ONES[low]) + u32::from(ONES[high])
        }
        _ => column.count_ones(),
    }
}

/// The rows from the top down, in the other order.
#[inline]
pub(super) fn mirrored(rows: u32, column: Column) -> Column {
    column.reverse_bits() >> (32 - rows)
}

/// A column as text: `00111110`, the top row first.
pub(super) fn write(rows: u32, column: Column) -> String {
    let digit = |row| if column >> row & 1 == 1 { '1' } else { '0' };
    (0..rows).map(digit).collect()
}

/// A column from text: digits 0 and 1 for the rows from the top down, in one word or each
/// in a word of its own.
pub(super) fn parse(rows: u32, text: &str) -> Result<Column, MoveError> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    match words[..] {
        [word] => {
            let digits: Vec<&str> = word.split("").filter(|sign| !sign.is_empty()).collect();
            read(rows, text, &digits)
        }
        _ => read(rows, text, &words),
    }
}

/// A column from the line of a bot: one word for each row, each exactly `0` or `1`.
pub(super) fn parse_words(rows: u32, text: &str) -> Result<Column, MoveError> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    read(rows, text, &words)
}

fn read(rows: u32, text: &str, digits: &[&str]) -> Result<Column, MoveError> {
    let unreadable = |problem| MoveError::unreadable(text, problem);
    if digits.is_empty() {
        let example = write(rows, 0b0111_1100);
        return Err(unreadable(format!(
            "give a digit 0 or 1 for each row from the top down, such as {example}"
        )));
    }
    let mut column = 0;
    for (row, digit) in digits.iter().enumerate() {
        match *digit {
            "0" => {}
            "1" if row < rows as usize => column |= 1 << row,
            "1" => {}
            other => {
                let other: String = other.chars().take(8).collect();
                return Err(unreadable(format!(
                    "row {row} is `{other}`, and each row is 0 or 1"
                )));
            }
        }
    }
    if digits.len() != rows as usize {
        let given = digits.len();
        return Err(unreadable(format!(
            "it has {given} digits, and the board has {rows} rows"
        )));
    }
    Ok(column)
}

/// What is left of a column that may cost `mana` at most: ones go from the bottom row up.
pub(super) fn truncated(column: Column, mana: u32) -> Column {
    let mut kept = column;
    while kept.count_ones() > mana {
        kept &= !(1 << kept.ilog2());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_listed_once_and_found_by_number() {
        for rows in 1..=12 {
            for mana in 0..=rows + 1 {
                let mut listed = Vec::new();
                list(rows, mana, &mut listed);
                assert_eq!(listed.len() as u64, count(rows, mana));
                for (n, &column) in listed.iter().enumerate() {
                    assert_eq!(nth(rows, n as u32), column, "{rows} rows, number {n}");
                }
                let mut sorted = listed.clone();
                sorted.sort_unstable();
                let all = 0..1u32 << rows;
                let expected: Vec<u32> = all.filter(|c| c.count_ones() <= mana).collect();
                assert_eq!(sorted, expected);
            }
        }
        let mut listed = Vec::new();
        list(32, 2, &mut listed);
        assert_eq!(listed.len(), 1 + 32 + 496);
        assert_eq!(listed.last(), Some(&0xc000_0000));
        assert_eq!(count(32, 40), 1 << 32);
        assert_eq!(nth(32, u32::MAX), u32::MAX);
    }

    #[test]
    fn chance_finds_each_column_as_often() {
        for (rows, mana) in [(8, 0), (8, 2), (8, 6), (5, 3), (16, 1)] {
            let mut seen = std::collections::BTreeMap::new();
            let mut dice = Dice::new(5);
            let bound = count(rows, mana);
            for _ in 0..bound * 1000 {
                *seen.entry(random(rows, mana, &mut dice)).or_insert(0) += 1;
            }
            assert_eq!(seen.len() as u64, bound);
            // seven standard deviations of a count whose mean is 1000
            assert!(seen.values().all(|n| (780..=1220).contains(n)), "{seen:?}");
        }
        let high = (0..100).map(|seed| random(32, 32, &mut Dice::new(seed)).leading_zeros());
        assert_eq!(high.min(), Some(0));
    }

    #[test]
    fn ones_go_from_the_bottom_up() {
        assert_eq!(truncated(0b1011_0110, 3), 0b0001_0110);
        assert_eq!(truncated(0b1011_0110, 5), 0b1011_0110);
        assert_eq!(truncated(u32::MAX, 0), 0);
    }
}
