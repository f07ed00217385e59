//! A rule on whole rows of a strip. Which third rows two rows and the next row have is put together
//! of parts of six cells that overlap by two: their tables are small enough to stay in the cache,
//! whatever the width, and a set of rows is an operation a word. Which rows follow from two at all
//! is a table of pairs, made when it is first asked for, by any thread. Own method.

use super::question::RowSymmetry;
use crate::BlockRule;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A row: the cell at the axis or the left edge is the lowest bit.
pub(super) type Row = u16;

/// Tables of so many pairs of rows lie together.
const GROUP_BITS: u32 = 6;
const GROUP: usize = 1 << GROUP_BITS;

/// Cells of a row in one part; the next part has the last two of them, too.
const PART: u32 = 6;
const PART_CELLS: usize = (1 << PART) - 1;

/// For two bits of a word's index in which of its places they are set: the sets of 16 rows that
/// differ in the four lowest cells.
const SPREAD: [u64; 16] = {
    let mut words = [0; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut place = 0;
        while place < 4 {
            if bits >> place & 1 == 1 {
                words[bits] |= 0xFFFF << (16 * place);
            }
            place += 1;
        }
        bits += 1;
    }
    words
};

pub(super) struct RowRule {
    width: u32,
    symmetry: RowSymmetry,
    /// Four cells of the next generation by six cells of each of three rows.
    quads: Vec<u8>,
    /// Each row with two cells more on either side.
    wide: Vec<u32>,
    /// For pairs that differ in the lowest bits only, a set of rows each: those that follow with some
    /// third row.
    reached: Vec<OnceLock<Box<[u64]>>>,
    /// Cells 0 to 5 of the third row as a set, by those of two rows and by the cells 0 to 4 of the
    /// next, or all where there are no more than six.
    low: Vec<u64>,
    low_bits: u32,
    /// Cells 4 to 9, by those of two rows and by the cells 5 to 8 of the next.
    middle: Vec<u64>,
    /// Cells 8 to 11, by those of two rows and by the cells 9 to 11 of the next.
    top: Vec<u16>,
    /// Bytes in the tables.
    bytes: AtomicU64,
    most_bytes: u64,
}

impl RowRule {
    pub(super) fn new(rule: &BlockRule, width: u32, symmetry: RowSymmetry, memory: u64) -> Self {
        let next = |a: usize, b: usize, c: usize, x: usize| {
            // the left cell is the lowest bit here and the highest in an arrangement
            let turned = |row: usize| [0, 4, 2, 6, 1, 5, 3, 7][row >> x & 7];
            let own = (b >> (x + 1) & 1) as u8;
            rule.next(0, own, turned(a) << 6 | turned(b) << 3 | turned(c))
        };
        let quad = |index: usize| {
            let (a, b, c) = (index >> 12, index >> 6 & 63, index & 63);
            (0..4).map(|x| next(a, b, c, x) << x).sum::<u8>()
        };
        let rows = 1_u32 << width;
        let widen = |row: u32| {
            let left = match symmetry {
                RowSymmetry::None => 0,
                RowSymmetry::Odd => row & 2,
                RowSymmetry::Even => (row & 1) << 1,
                RowSymmetry::Gutter => row & 1,
            };
            row << 2 | left
        };
        let groups = ((1_usize << (2 * width)) >> GROUP_BITS).max(1);
        let mut rule = Self {
            width,
            symmetry,
            quads: (0..1 << 18).map(quad).collect(),
            wide: (0..rows).map(widen).collect(),
            reached: (0..groups).map(|_| OnceLock::new()).collect(),
            low: Vec::new(),
            low_bits: if width <= PART { width } else { PART - 1 },
            middle: Vec::new(),
            top: Vec::new(),
            bytes: AtomicU64::new(0),
            most_bytes: memory,
        };
        rule.tabulate_parts();
        rule
    }

    /// Makes the tables of parts.
    fn tabulate_parts(&mut self) {
        let width = self.width;
        let is_outside = |next: u32| next >> (width + 1) & 1 == 1;
        let mut low = vec![0; 1 << (2 * PART + self.low_bits)];
        for (a, b, c) in triples(width.min(PART)) {
            let next = self.wide_next(a, b, c);
            if next & 1 == 1 || width <= PART && is_outside(next) {
                continue;
            }
            let cells = (next >> 1) as usize & ((1 << self.low_bits) - 1);
            low[(a << PART | b) << self.low_bits | cells] |= 1 << c;
        }
        self.low = low;
        if width <= PART {
            return;
        }
        let mut middle = vec![0; 1 << (2 * PART + 4)];
        let has_top = width > 9;
        for (a, b, c) in triples((width - 4).min(PART)) {
            let next = self.wide_next(a << 4, b << 4, c << 4);
            if has_top || !is_outside(next) {
                let cells = (next >> 6) as usize & ((1 << (width - 5).min(4)) - 1);
                middle[(a << PART | b) << 4 | cells] |= 1 << c;
            }
        }
        self.middle = middle;
        if !has_top {
            return;
        }
        let mut top = vec![0; 1 << (4 + 4 + 3)];
        for (a, b, c) in triples(width - 8) {
            let next = self.wide_next(a << 8, b << 8, c << 8);
            if !is_outside(next) {
                let cells = (next >> 10) as usize & ((1 << (width - 9)) - 1);
                top[(a << 4 | b) << 3 | cells] |= 1 << c;
            }
        }
        self.top = top;
    }

    /// The third rows with which two rows have this next row, as a set.
    #[inline]
    pub(super) fn third_rows<const WORDS: usize>(&self, a: Row, b: Row, next: Row) -> [u64; WORDS] {
        let (a, b, next) = (usize::from(a), usize::from(b), usize::from(next));
        let cells = next & ((1 << self.low_bits) - 1);
        let pair = (a & PART_CELLS) << PART | b & PART_CELLS;
        let low = self.low[pair << self.low_bits | cells];
        if WORDS == 1 && self.middle.is_empty() {
            return [low; WORDS];
        }
        let pair = (a >> 4 & PART_CELLS) << PART | b >> 4 & PART_CELLS;
        let middle = self.middle[pair << 4 | next >> 5 & 15];
        let spread = |word: usize| low & SPREAD[(middle >> (4 * (word & 15))) as usize & 15];
        if WORDS <= 8 {
            return std::array::from_fn(spread);
        }
        let top = self.top[(a >> 8 << 4 | b >> 8) << 3 | next >> 9];
        std::array::from_fn(|word| match top >> (word >> 2) & 1 {
            1 => spread(word),
            _ => 0,
        })
    }

    /// Whether two rows and a dead third one have this next row.
    pub(super) fn may_end(&self, a: Row, b: Row, next: Row) -> bool {
        // the lowest place of a set is that of the dead row
        match self.words() {
            1 => self.third_rows::<1>(a, b, next)[0] & 1 == 1,
            2..=8 => self.third_rows::<2>(a, b, next)[0] & 1 == 1,
            _ => self.third_rows::<16>(a, b, next)[0] & 1 == 1,
        }
    }

    /// The cells of the next row, from the one left of the strip to the one right of it.
    fn wide_next(&self, a: usize, b: usize, c: usize) -> u32 {
        let [a, b, c] = [a, b, c].map(|row| self.wide[row]);
        let mut next = 0_u32;
        let mut x = 0;
        while x < self.width + 2 {
            let index = (a >> x & 63) << 12 | (b >> x & 63) << 6 | c >> x & 63;
            next |= u32::from(self.quads[index as usize]) << x;
            x += 4;
        }
        let cells = next & ((4 << self.width) - 1);
        // what the cell left of the strip is, the other half says where it is a mirror image
        match self.symmetry {
            RowSymmetry::Odd | RowSymmetry::Even => cells & !1,
            RowSymmetry::None | RowSymmetry::Gutter => cells,
        }
    }

    /// The next row, where no cell beside the strip is born.
    fn narrow(&self, next: u32) -> Option<Row> {
        let beside = 1 | 2 << self.width;
        (next & beside == 0).then_some((next >> 1) as Row)
    }

    /// How many cells of the next row the first table of [`halves`](Self::halves) tells.
    fn low_width(&self) -> u32 {
        (self.width / 2).min(6)
    }

    /// The cells of the next row by the lower cells of the third row, and by its upper ones: the
    /// two that stand beside the border are among both.
    fn halves(&self, a: usize, b: usize) -> (Vec<u32>, Vec<u32>) {
        let low = self.low_width();
        let low_cells = (2 << low) - 1;
        let lower = (0..2_usize << low).map(|c| self.wide_next(a, b, c) & low_cells);
        let upper = (0..2_usize << (self.width - low))
            .map(|c| self.wide_next(a, b, c << (low - 1)) & !low_cells);
        (lower.collect(), upper.collect())
    }

    /// Forgets the tables where they are too large.
    pub(super) fn limit_memory(&mut self) {
        if *self.bytes.get_mut() > self.most_bytes {
            let reached = self.reached.iter_mut();
            reached.for_each(|group| *group = OnceLock::new());
            *self.bytes.get_mut() = 0;
        }
    }

    /// The set of rows that follow from two with some third row.
    #[inline]
    pub(super) fn reached<const WORDS: usize>(&self, a: Row, b: Row) -> &[u64; WORDS] {
        let pair = self.pair(a, b);
        let group = self.reached[pair >> GROUP_BITS].get_or_init(|| self.make_group(pair));
        &group.as_chunks::<WORDS>().0[pair & (GROUP - 1)]
    }

    #[inline]
    fn pair(&self, a: Row, b: Row) -> usize {
        usize::from(a) << self.width | usize::from(b)
    }

    /// How many words a set of rows takes.
    pub(super) fn words(&self) -> usize {
        (1_usize << self.width).div_ceil(64)
    }

    /// How many different rows there are.
    pub(super) fn rows(&self) -> usize {
        1 << self.width
    }

    /// Bytes that the tables hold.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
            + (self.reached.len() * size_of::<OnceLock<Box<[u64]>>>()
                + self.quads.len()
                + (self.low.len() + self.middle.len()) * 8) as u64
    }

    /// Bytes that the table of one pair of rows takes.
    pub(super) fn pair_bytes(&self) -> u64 {
        self.words() as u64 * 8
    }

    #[cold]
    fn make_group(&self, pair: usize) -> Box<[u64]> {
        let words = self.words();
        let rows = 1_usize << self.width;
        let mut reached = vec![0_u64; words * GROUP];
        let first = pair & !(GROUP - 1);
        let pairs = (rows * rows).min(first + GROUP) - first;
        for (place, set) in reached.chunks_mut(words).enumerate().take(pairs) {
            let (a, b) = ((first + place) >> self.width, (first + place) & (rows - 1));
            self.list_reached(a, b, set);
        }
        let bytes = reached.len() as u64 * 8;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        reached.into()
    }

    /// Adds the rows that follow from two with any third row to a set.
    fn list_reached(&self, a: usize, b: usize, set: &mut [u64]) {
        let low = self.low_width();
        if low < 2 {
            let all = (0..1 << self.width).map(|c| self.wide_next(a, b, c));
            for next in all.filter_map(|next| self.narrow(next)) {
                set[usize::from(next >> 6)] |= 1 << (next & 63);
            }
            return;
        }
        let (lower, upper) = self.halves(a, b);
        // the lower cells that are possible, by the two cells that both halves know
        let mut lower_cells = [0_u64; 4];
        for (c, &next) in lower.iter().enumerate() {
            if let Some(next) = self.narrow(next) {
                lower_cells[c >> (low - 1)] |= 1 << next;
            }
        }
        for (c, &next) in upper.iter().enumerate() {
            if let Some(next) = self.narrow(next) {
                set[usize::from(next >> 6)] |= lower_cells[c & 3] << (next & 63);
            }
        }
    }
}

/// Three times so many cells, in all arrangements.
fn triples(cells: u32) -> impl Iterator<Item = (usize, usize, usize)> {
    let mask = (1 << cells) - 1;
    (0..1_usize << (3 * cells)).map(move |bits| {
        let of = |place: u32| bits >> (place * cells) & mask;
        (of(2), of(1), of(0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rule::Rule;

    #[test]
    fn tables_hold_what_follows_from_three_rows() {
        let life: Rule = "B3/S23".parse().expect("Life");
        let skew: Rule = "MAPARYXfhZofugWaH7oaIDogBZofuhogOiAaIDogIAAgAAWaH7oaIDogGiA6ICAAIAAaIDogIAAgACAAIAAAAAAAA"
            .parse()
            .expect("Life as a map");
        for (rule, width, symmetry) in [
            (&life, 1, RowSymmetry::None),
            (&life, 3, RowSymmetry::Even),
            (&life, 4, RowSymmetry::Odd),
            (&skew, 5, RowSymmetry::Gutter),
            (&life, 6, RowSymmetry::None),
            (&life, 7, RowSymmetry::None),
            (&skew, 9, RowSymmetry::Gutter),
            (&life, 10, RowSymmetry::Even),
            (&skew, 11, RowSymmetry::None),
            (&life, 12, RowSymmetry::Odd),
        ] {
            let block = BlockRule::new(rule).expect("a rule");
            let tables = RowRule::new(&block, width, symmetry, 1 << 30);
            let rows = 1 << width;
            let pairs = (0..rows).flat_map(|a| (0..rows).map(move |b| (a, b)));
            // of the wide ones some pairs, and some next rows
            for (a, b) in pairs.step_by(37 + rows * rows / 40) {
                let mut third_rows = vec![Vec::new(); rows];
                for c in 0..rows {
                    if let Some(next) = next(&block, [a, b, c], width, symmetry) {
                        third_rows[next].push(c as Row);
                    }
                }
                for (next, third_rows) in third_rows.iter().enumerate().step_by(1 + rows / 90) {
                    let [a, b, next] = [a, b, next].map(|row| row as Row);
                    let name = format!("{width} {symmetry} {a} {b} {next}");
                    let (reached, third) = match tables.words() {
                        1 => rows_of::<1>(&tables, a, b, next),
                        2 => rows_of::<2>(&tables, a, b, next),
                        8 => rows_of::<8>(&tables, a, b, next),
                        16 => rows_of::<16>(&tables, a, b, next),
                        32 => rows_of::<32>(&tables, a, b, next),
                        _ => rows_of::<64>(&tables, a, b, next),
                    };
                    assert_eq!(reached, !third_rows.is_empty(), "{name}");
                    assert_eq!(&third, third_rows, "{name}");
                }
            }
        }
    }

    /// Whether a row follows from two, and with which third rows.
    fn rows_of<const WORDS: usize>(
        tables: &RowRule,
        a: Row,
        b: Row,
        next: Row,
    ) -> (bool, Vec<Row>) {
        let has = |set: &[u64; WORDS], row: usize| set[row / 64] >> (row % 64) & 1 == 1;
        let third = tables.third_rows::<WORDS>(a, b, next);
        let rows = (0..tables.rows()).filter(|&row| has(&third, row));
        let reached = has(tables.reached(a, b), usize::from(next));
        (reached, rows.map(|row| row as Row).collect())
    }

    /// Cell by cell, in the whole row of both halves.
    fn next(
        rule: &BlockRule,
        rows: [usize; 3],
        width: u32,
        symmetry: RowSymmetry,
    ) -> Option<usize> {
        let width = i64::from(width);
        let cell = |row: usize, x: i64| {
            let x = match symmetry {
                _ if x >= 0 => x,
                RowSymmetry::None => return 0,
                RowSymmetry::Odd => -x,
                RowSymmetry::Even => -1 - x,
                RowSymmetry::Gutter if x == -1 => return 0,
                RowSymmetry::Gutter => -2 - x,
            };
            if x < width { row >> x & 1 } else { 0 }
        };
        let next = |x: i64| {
            let block =
                rows.map(|row| cell(row, x - 1) << 2 | cell(row, x) << 1 | cell(row, x + 1));
            let own = cell(rows[1], x) as u8;
            usize::from(rule.next(0, own, block[0] << 6 | block[1] << 3 | block[2]))
        };
        let is_narrow = next(width) == 0
            && match symmetry {
                RowSymmetry::Odd | RowSymmetry::Even => true,
                RowSymmetry::None | RowSymmetry::Gutter => next(-1) == 0,
            };
        is_narrow.then(|| (0..width).map(|x| next(x) << x).sum())
    }
}
