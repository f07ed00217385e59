//! A rule on whole rows of a strip: the row that follows from three, and for two rows all third
//! rows, sorted by what follows. Tables are made when they are first asked for, by any thread, and
//! what is asked most, whether two rows have a third one at all, lies close together. Own method.

use super::question::RowSymmetry;
use crate::BlockRule;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A row: the cell at the axis or the left edge is the lowest bit.
pub(super) type Row = u16;

/// Tables of so many pairs of rows lie together.
const GROUP_BITS: u32 = 6;
const GROUP: usize = 1 << GROUP_BITS;

/// For each pair of rows where the third rows for each next row begin, and these.
type ThirdRows = [OnceLock<Box<[Row]>>; GROUP];

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
    third_rows: Vec<OnceLock<Box<ThirdRows>>>,
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
        Self {
            width,
            symmetry,
            quads: (0..1 << 18).map(quad).collect(),
            wide: (0..rows).map(widen).collect(),
            reached: (0..groups).map(|_| OnceLock::new()).collect(),
            third_rows: (0..groups).map(|_| OnceLock::new()).collect(),
            bytes: AtomicU64::new(0),
            most_bytes: memory,
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
            let third_rows = self.third_rows.iter_mut();
            third_rows.for_each(|group| *group = OnceLock::new());
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

    /// The third rows with which two rows have this next row.
    #[inline]
    pub(super) fn third_rows(&self, a: Row, b: Row, next: Row) -> &[Row] {
        let pair = self.pair(a, b);
        let group = self.third_rows[pair >> GROUP_BITS].get_or_init(|| {
            let bytes = size_of::<ThirdRows>() as u64;
            self.bytes.fetch_add(bytes, Ordering::Relaxed);
            Box::new([const { OnceLock::new() }; GROUP])
        });
        let table = group[pair & (GROUP - 1)].get_or_init(|| self.list_third_rows(a, b));
        let begin = usize::from(table[usize::from(next)]);
        let end = usize::from(table[usize::from(next) + 1]);
        let rows = (1 << self.width) + 1;
        &table[rows + begin..rows + end]
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
            + (self.reached.len() * 2 * size_of::<OnceLock<Box<[u64]>>>() + self.quads.len()) as u64
    }

    /// Bytes that the tables of one pair of rows take at most.
    pub(super) fn pair_bytes(&self) -> u64 {
        (self.words() * 8 + size_of::<OnceLock<Box<[Row]>>>()) as u64 + (4 << self.width) + 2
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

    #[cold]
    fn list_third_rows(&self, a: Row, b: Row) -> Box<[Row]> {
        let rows = 1_usize << self.width;
        let (a, b) = (usize::from(a), usize::from(b));
        let nexts: Vec<Option<Row>> = if self.low_width() < 2 {
            let all = (0..rows).map(|c| self.wide_next(a, b, c));
            all.map(|next| self.narrow(next)).collect()
        } else {
            let (lower, upper) = self.halves(a, b);
            let low = self.low_width();
            let next = |c: usize| lower[c & ((2 << low) - 1)] | upper[c >> (low - 1)];
            (0..rows).map(|c| self.narrow(next(c))).collect()
        };
        let count = nexts.iter().flatten().count();
        let mut table = vec![0; rows + 1 + count];
        for &next in nexts.iter().flatten() {
            table[usize::from(next) + 1] += 1;
        }
        for next in 0..rows {
            table[next + 1] += table[next];
        }
        let mut cursors = table[..rows].to_vec();
        for (c, next) in nexts.into_iter().enumerate() {
            if let Some(next) = next {
                let cursor = &mut cursors[usize::from(next)];
                table[rows + 1 + usize::from(*cursor)] = c as Row;
                *cursor += 1;
            }
        }
        self.bytes
            .fetch_add(table.len() as u64 * 2, Ordering::Relaxed);
        table.into()
    }
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
            (&life, 7, RowSymmetry::None),
        ] {
            let block = BlockRule::new(rule).expect("a rule");
            let tables = RowRule::new(&block, width, symmetry, 1 << 30);
            let rows = 1 << width;
            let pairs = (0..rows).flat_map(|a| (0..rows).map(move |b| (a, b)));
            for (a, b) in pairs.step_by(37) {
                let mut third_rows = vec![Vec::new(); rows];
                for c in 0..rows {
                    if let Some(next) = next(&block, [a, b, c], width, symmetry) {
                        third_rows[next].push(c as Row);
                    }
                }
                for (next, third_rows) in third_rows.iter().enumerate() {
                    let [a, b, next] = [a, b, next].map(|row| row as Row);
                    let set = match tables.words() {
                        1 => tables.reached::<1>(a, b)[0],
                        _ => tables.reached::<2>(a, b)[usize::from(next >> 6)],
                    };
                    let name = format!("{width} {symmetry} {a} {b} {next}");
                    assert_eq!(
                        set >> (next & 63) & 1 == 1,
                        !third_rows.is_empty(),
                        "{name}"
                    );
                    assert_eq!(tables.third_rows(a, b, next), third_rows, "{name}");
                }
            }
        }
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
