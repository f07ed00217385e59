//! A rule on whole rows of a strip: the row that follows from three, and for two rows all third
//! rows, sorted by what follows. The second kind is made when it is first asked for. Own method.

use super::question::RowSymmetry;
use crate::BlockRule;

/// A row: the cell at the axis or the left edge is the lowest bit.
pub(super) type Row = u16;

const NO_SLOT: u32 = u32::MAX;

pub(super) struct RowRule {
    width: u32,
    symmetry: RowSymmetry,
    /// Four cells of the next generation by six cells of each of three rows.
    quads: Vec<u8>,
    /// Each row with two cells more on either side.
    wide: Vec<u32>,
    /// By the upper two rows, where their third rows stand.
    slots: Vec<u32>,
    /// For each pair of rows: where the third rows for each next row begin, and these.
    third_rows: Vec<Row>,
    /// For each pair of rows, a bit for each next row that some third row gives: what is asked most
    /// lies close together.
    reached: Vec<u64>,
    most_slots: usize,
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
        let each = 2 * (2 << width) + 2;
        Self {
            width,
            symmetry,
            quads: (0..1 << 18).map(quad).collect(),
            wide: (0..rows).map(widen).collect(),
            slots: vec![NO_SLOT; 1 << (2 * width)],
            third_rows: Vec::new(),
            reached: Vec::new(),
            most_slots: (memory / each).max(1024) as usize,
        }
    }

    /// The next row, where no cell beside the strip is born.
    pub(super) fn next(&self, a: Row, b: Row, c: Row) -> Option<Row> {
        let [a, b, c] = [a, b, c].map(|row| self.wide[usize::from(row)]);
        let mut next = 0_u32;
        let mut x = 0;
        while x < self.width + 2 {
            let index = (a >> x & 63) << 12 | (b >> x & 63) << 6 | c >> x & 63;
            next |= u32::from(self.quads[index as usize]) << x;
            x += 4;
        }
        // the lowest bit is the cell left of the strip: what it is, symmetry says
        let beside = match self.symmetry {
            RowSymmetry::Odd | RowSymmetry::Even => next >> (self.width + 1) & 1,
            RowSymmetry::None | RowSymmetry::Gutter => next >> (self.width + 1) & 1 | next & 1,
        };
        (beside == 0).then_some((next >> 1) as Row & ((1 << self.width) - 1))
    }

    /// Forgets tables where they are too many. To be called where no slot is held.
    pub(super) fn limit_memory(&mut self) {
        if self.third_rows.len() / self.slot_length() >= self.most_slots {
            self.third_rows.clear();
            self.reached.clear();
            self.slots.fill(NO_SLOT);
        }
    }

    /// Where the tables of two rows stand.
    #[inline]
    pub(super) fn slot(&mut self, a: Row, b: Row) -> usize {
        let index = usize::from(a) << self.width | usize::from(b);
        match self.slots[index] {
            NO_SLOT => self.add_slot(index, a, b),
            slot => slot as usize,
        }
    }

    /// The third rows with which a slot's two have this next row.
    #[inline]
    pub(super) fn third_rows(&self, slot: usize, next: Row) -> &[Row] {
        let slot = slot * self.slot_length();
        let begin = usize::from(self.third_rows[slot + usize::from(next)]);
        let end = usize::from(self.third_rows[slot + usize::from(next) + 1]);
        let rows = slot + (1 << self.width) + 1;
        &self.third_rows[rows + begin..rows + end]
    }

    /// Whether there is such a third row.
    #[inline]
    pub(super) fn has_third_row(&self, slot: usize, next: Row) -> bool {
        let word = self.reached[slot * self.reached_words() + usize::from(next >> 6)];
        word >> (next & 63) & 1 == 1
    }

    fn reached_words(&self) -> usize {
        (1_usize << self.width).div_ceil(64)
    }

    /// How many different rows there are.
    pub(super) fn rows(&self) -> usize {
        1 << self.width
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.third_rows.capacity() * 2 + self.slots.len() * 4 + self.quads.len()) as u64
    }

    fn slot_length(&self) -> usize {
        (2 << self.width) + 1
    }

    #[cold]
    fn add_slot(&mut self, index: usize, a: Row, b: Row) -> usize {
        let rows = 1_usize << self.width;
        let slot = self.third_rows.len();
        self.slots[index] = (slot / self.slot_length()) as u32;
        self.third_rows.resize(slot + self.slot_length(), 0);
        let nexts: Vec<Option<Row>> = (0..rows).map(|c| self.next(a, b, c as Row)).collect();
        let reached = self.reached.len();
        self.reached.resize(reached + self.reached_words(), 0);
        for &next in nexts.iter().flatten() {
            self.reached[reached + usize::from(next >> 6)] |= 1 << (next & 63);
        }
        let table = &mut self.third_rows[slot..];
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
        slot / self.slot_length()
    }
}
