//! Cuts ash into clusters: cells that may have touched each other while they were watched.
//!
//! A cluster is a connected part of the envelope, the cells that were alive at any time, with
//! the cells in it that live at the end. The neighbourhood is apgsearch's (facts only). Own
//! method: the plane as rows of bits, and each part filled in a window of words.

use super::plane::SoupPlane;
use super::tile::{CORE, CORE_COLUMNS, MARGIN};

/// Rows of the window that small clusters are filled in.
const WINDOW: usize = 32;

/// Columns of the window before that of the first cell.
const BEFORE: usize = 28;

/// Planes with more words than this are cut cell by cell.
const MOST_WORDS: usize = 1 << 21;

/// Which cells count as touching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TouchReach {
    /// Those within the square root of five.
    Rounded,
    /// All of the 5 x 5 around, for rules in which two cells at opposite corners give birth
    /// between them.
    Square,
}

/// A cluster's live cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CutCells<'a> {
    /// Rows of bits from its upper left corner, which lies at a column and a row.
    Rows(i32, i32, &'a [u64]),
    /// Cells of a large one.
    Cells(&'a [(i32, i32)]),
}

/// Cuts planes into clusters. It keeps its buffers.
#[derive(Clone, Debug)]
pub(crate) struct ClusterCutter {
    reach: TouchReach,
    live: Vec<u64>,
    envelope: Vec<u64>,
    width: usize,
    left: i32,
    top: i32,
    cells: Vec<(i32, i32)>,
    open: Vec<(i32, i32)>,
}

impl ClusterCutter {
    pub(crate) fn new(reach: TouchReach) -> Self {
        Self {
            reach,
            live: Vec::new(),
            envelope: Vec::new(),
            width: 0,
            left: 0,
            top: 0,
            cells: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Calls `f` with each cluster of the plane that has live cells, row by row of their first
    /// cells. The plane has just been advanced with its envelope. False when the plane is
    /// too large to be cut.
    pub(crate) fn cut(&mut self, plane: &SoupPlane, mut f: impl FnMut(CutCells<'_>)) -> bool {
        let Some(rows) = self.gather(plane) else {
            return false;
        };
        // below the last row lie the empty ones of the window
        for y in 4..rows - WINDOW {
            for word in 1..self.width - 1 {
                loop {
                    let bits = self.envelope[y * self.width + word];
                    if bits == 0 {
                        break;
                    }
                    let x = 64 * word + bits.trailing_zeros() as usize;
                    self.fill(x, y, &mut f);
                }
            }
        }
        true
    }

    /// The plane as rows of bits, with a word to the left and right, four rows above and a
    /// window below. How many rows there are; None when there would be too many.
    fn gather(&mut self, plane: &SoupPlane) -> Option<usize> {
        let (mut left, mut top, mut right, mut bottom) = (i32::MAX, i32::MAX, i32::MIN, i32::MIN);
        plane.for_each_tile(|x, y, _, _| {
            (left, top) = (left.min(x), top.min(y));
            (right, bottom) = (right.max(x + CORE), bottom.max(y + CORE));
        });
        self.live.clear();
        self.envelope.clear();
        if left > right {
            (left, right, top, bottom) = (0, 0, 0, 0);
        }
        (self.left, self.top) = (left - 64, top - 4);
        self.width = (right - left) as usize / 64 + 4;
        let rows = (bottom - top) as usize + 4 + WINDOW;
        if rows * self.width > MOST_WORDS {
            return None;
        }
        self.live.resize(rows * self.width, 0);
        self.envelope.resize(rows * self.width, 0);
        plane.for_each_tile(|x, y, live, envelope| {
            let column = (x - self.left) as usize;
            let (word, shift) = (column / 64, column % 64);
            let first = (y - self.top) as usize * self.width + word;
            let put = |to: &mut [u64], rows: &[u32]| {
                for (i, row) in rows.iter().enumerate() {
                    let bits = u64::from((row & CORE_COLUMNS) >> MARGIN);
                    let at = first + i * self.width;
                    to[at] |= bits << shift;
                    if shift > 64 - CORE as usize {
                        to[at + 1] |= bits >> (64 - shift);
                    }
                }
            };
            put(&mut self.live, live);
            put(&mut self.envelope, envelope);
        });
        Some(rows)
    }

    fn window_row(bits: &[u64], width: usize, x: usize, y: usize) -> u64 {
        let at = y * width + x / 64;
        match x % 64 {
            0 => bits[at],
            shift => bits[at] >> shift | bits[at + 1] << (64 - shift),
        }
    }

    /// The cluster whose first cell, in the order of rows, is given: it is taken out of the
    /// envelope and handed on.
    fn fill(&mut self, x: usize, y: usize, f: &mut impl FnMut(CutCells<'_>)) {
        let left = x - BEFORE;
        // two rows of nothing above and below, so that rows that far away can be read
        let mut filled = [0_u64; WINDOW + 4];
        filled[2] = 1 << BEFORE;
        let mut last = 0;
        let mut rows = [0_u64; WINDOW];
        let mut loaded = 0;
        loop {
            let mut has_grown = false;
            let mut row = 0;
            while row <= last + 2 && row < WINDOW {
                if row >= loaded {
                    rows[row] = Self::window_row(&self.envelope, self.width, left, y + row);
                    loaded = row + 1;
                }
                let at = row + 2;
                let near = filled[at - 1] | filled[at + 1];
                let far = filled[at - 2] | filled[at + 2];
                let from_far = match self.reach {
                    TouchReach::Rounded => one_aside(far),
                    TouchReach::Square => two_aside(far),
                };
                let before = filled[at];
                let mut now = before | rows[row] & (two_aside(near | before) | from_far);
                loop {
                    let more = now | rows[row] & two_aside(now);
                    if more == now {
                        break;
                    }
                    now = more;
                }
                if now != before {
                    filled[at] = now;
                    has_grown = true;
                    last = last.max(row);
                }
                row += 1;
            }
            if !has_grown {
                break;
            }
        }
        let columns = filled.iter().fold(0, |all, row| all | row);
        if last + 2 >= WINDOW || columns & 0xc000_0000_0000_0003 != 0 {
            self.fill_large(x, y, f);
            return;
        }
        let mut live = [0_u64; WINDOW];
        let mut columns = 0;
        for row in 0..=last {
            let cells = filled[row + 2];
            if cells == 0 {
                continue;
            }
            live[row] = cells & Self::window_row(&self.live, self.width, left, y + row);
            columns |= live[row];
            let at = (y + row) * self.width + left / 64;
            let shift = left % 64;
            self.envelope[at] &= !(cells << shift);
            if shift > 0 {
                self.envelope[at + 1] &= !(cells >> (64 - shift));
            }
        }
        if columns == 0 {
            return;
        }
        let aside = columns.trailing_zeros();
        let first = live.iter().position(|&row| row != 0).unwrap_or(0);
        let end = live.iter().rposition(|&row| row != 0).unwrap_or(0) + 1;
        for row in &mut live[first..end] {
            *row >>= aside;
        }
        f(CutCells::Rows(
            self.left + (left + aside as usize) as i32,
            self.top + (y + first) as i32,
            &live[first..end],
        ));
    }

    /// The same, cell by cell.
    fn fill_large(&mut self, x: usize, y: usize, f: &mut impl FnMut(CutCells<'_>)) {
        self.cells.clear();
        self.open.clear();
        self.open.push((x as i32, y as i32));
        self.take(x, y);
        while let Some((x, y)) = self.open.pop() {
            let at = y as usize * self.width + x as usize / 64;
            if self.live[at] >> (x % 64) & 1 == 1 {
                self.cells.push((x + self.left, y + self.top));
            }
            for dy in -2..=2_i32 {
                for dx in -2..=2_i32 {
                    let touches = self.reach == TouchReach::Square || dx * dx + dy * dy <= 5;
                    let (x, y) = (x + dx, y + dy);
                    if touches && self.take(x as usize, y as usize) {
                        self.open.push((x, y));
                    }
                }
            }
        }
        if !self.cells.is_empty() {
            self.cells.sort_unstable_by_key(|&(x, y)| (y, x));
            f(CutCells::Cells(&self.cells));
        }
    }

    /// Takes a cell out of the envelope; whether it was there.
    fn take(&mut self, x: usize, y: usize) -> bool {
        let word = &mut self.envelope[y * self.width + x / 64];
        let was = *word >> (x % 64) & 1 == 1;
        *word &= !(1 << (x % 64));
        was
    }
}

#[inline]
fn one_aside(bits: u64) -> u64 {
    bits | bits << 1 | bits >> 1
}

#[inline]
fn two_aside(bits: u64) -> u64 {
    one_aside(one_aside(bits))
}
