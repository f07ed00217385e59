use super::Sheet;
use crate::kernel::BitKernel;
use grid::{Point, Rect, State};
use rule::Topology;

/// Two-state cells, a bit each, in strided rows.
///
/// With n words in a row, cell x is bit x / n of word x mod n, so that the neighbours of
/// all the cells in a word are the words before and after it: no shifts but at the ends.
///
/// ```text
///            word 0   word 1   word 2   word 3          10 cells in 4 words
/// bit 0         0        1        2        3
/// bit 1         4        5        6        7
/// bit 2         8        9       (e)                    e: the cell east of the last
/// ```
///
/// A row of memory is one word west of the first word, the words, and one word east of
/// the last; there are some rows above the grid and as many below it. All of these are the
/// margin. Bits that stand for no cell hold anything.
///
/// Several generations go through the caches together, a wave of bands down the sheet:
/// each generation follows one row behind the one before. On a torus the margin is as many
/// rows deep as generations go together, and each has one row less of it to compute at
/// either end; on a plane it stays dead.
pub(super) struct BitSheet {
    kernel: BitKernel,
    width: usize,
    height: usize,
    /// Words of cells in a row.
    words: usize,
    /// Bits of a word that are in use, 1 to 64.
    depth: usize,
    edges: Edges,
    /// Rows above the grid, and below it.
    margin: usize,
    /// Generations that may go together.
    together: usize,
    /// Whether a cell was set since the margin was filled.
    stale: bool,
    now: Buffer,
    next: Buffer,
}

/// What the margin is filled with.
enum Edges {
    /// Death.
    Dead,
    /// The opposite edge.
    Joined,
    /// Cells that were looked up once.
    Listed(Box<Margin>),
}

/// Where each cell of the margin is a copy from; none where death is.
struct Margin {
    /// The rows above and below the grid, from its first column to its last.
    above: Vec<Option<Bit>>,
    below: Vec<Option<Bit>>,
    /// The columns before and after the grid, from the row above it to the row below.
    west: Vec<Option<Bit>>,
    east: Vec<Option<Bit>>,
}

/// Where a cell is held.
#[derive(Clone, Copy)]
struct Bit {
    word: usize,
    bit: u32,
}

/// Generations that go together at most. With 16384 columns their bands take about a
/// fifth of a second-level cache of 1 MiB.
const TOGETHER: usize = 16;

/// Words of a band, about: what lies well in a first-level cache.
const BAND: usize = 1 << 12;

/// Words of a buffer up to which both lie in a second-level cache as they are.
const SMALL: usize = 1 << 15;

impl BitSheet {
    /// How many bytes one of the two buffers takes.
    pub(super) fn bytes(width: u64, height: u64) -> u64 {
        let unit = BitKernel::ROW_UNIT as u64;
        let words = width.div_ceil(64).next_multiple_of(unit) + unit;
        words
            .saturating_mul(height + 2 * TOGETHER as u64)
            .saturating_mul(8)
    }

    /// An empty sheet. The grid's sides are finite.
    pub(super) fn new(kernel: BitKernel, topology: Topology, rect: Rect) -> Self {
        let (width, height) = (rect.width as usize, rect.height as usize);
        let words = width.div_ceil(64).next_multiple_of(BitKernel::ROW_UNIT);
        let stride = words + BitKernel::ROW_UNIT;
        let joined = matches!(topology, Topology::Torus { shift: None, .. });
        let dead = matches!(topology, Topology::Plane { .. });
        let together = match stride * height {
            ..=SMALL => 1,
            // A deep margin beside a few rows would be most of the work.
            _ if joined => (height / 32).clamp(1, TOGETHER),
            _ if dead => TOGETHER,
            _ => 1,
        };
        let margin = if joined { together } else { 1 };
        let mut sheet = Self {
            kernel,
            width,
            height,
            words,
            depth: width.div_ceil(words),
            edges: if joined { Edges::Joined } else { Edges::Dead },
            margin,
            together,
            stale: true,
            now: Buffer::new(stride, height + 2 * margin),
            next: Buffer::new(stride, height + 2 * margin),
        };
        if !joined && !dead {
            sheet.edges = Edges::Listed(Box::new(sheet.list(topology, rect)));
        }
        sheet
    }

    fn list(&self, topology: Topology, rect: Rect) -> Margin {
        let at = |x: i64, y: i64| {
            let seen = topology.resolve(Point::new(x, y))?;
            Some(self.bit((seen.x - rect.x) as usize, (seen.y - rect.y) as usize))
        };
        let row = |y: i64| (rect.x..rect.right()).map(|x| at(x, y)).collect();
        let column = |x: i64| (rect.y - 1..=rect.bottom()).map(|y| at(x, y)).collect();
        Margin {
            above: row(rect.y - 1),
            below: row(rect.bottom()),
            west: column(rect.x - 1),
            east: column(rect.right()),
        }
    }

    fn bit(&self, x: usize, y: usize) -> Bit {
        Bit {
            word: (y + self.margin) * self.now.stride + 1 + x % self.words,
            bit: (x / self.words) as u32,
        }
    }

    /// The bits of each word that hold cells: those of the first words, those of the
    /// rest, and how many the first ones are.
    fn masks(&self) -> (u64, u64, usize) {
        let low = |bits: usize| u64::MAX.checked_shr(64 - bits as u32).unwrap_or(0);
        let first = self.width - self.words * (self.depth - 1);
        (low(self.depth), low(self.depth - 1), first)
    }

    /// Moves `generations` on, at most as many as go together, from `now` to `next` and
    /// back again. The rows above and below the grid are then to be filled again.
    fn wave(&self, parity: u64, generations: usize, now: &mut Buffer, next: &mut Buffer) {
        let stride = now.stride;
        let band = (BAND / stride).next_multiple_of(BitKernel::ROW_UNIT);
        let rows = |generation: usize| {
            let deep = match self.edges {
                Edges::Joined => generations - 1 - generation,
                Edges::Dead | Edges::Listed(_) => 0,
            };
            self.margin - deep..self.margin + self.height + deep
        };
        let first = rows(0);
        let mut top = first.start;
        // The last generation is the furthest behind.
        while top < first.end + generations - 1 {
            for generation in 0..generations {
                let rows = rows(generation);
                let from = rows.start.max(top.saturating_sub(generation));
                let to = rows.end.min((top + band).saturating_sub(generation));
                if from < to {
                    let (now, next) = if generation % 2 == 0 {
                        (&*now, &mut *next)
                    } else {
                        (&*next, &mut *now)
                    };
                    let phase = (parity as usize + generation) % self.kernel.time_period();
                    let seen = &now.words()[(from - 1) * stride..(to + 1) * stride];
                    let out = &mut next.words_mut()[from * stride..to * stride];
                    self.kernel.rows(phase, stride, self.words, seen, out);
                    self.close_rows(next, from, to);
                }
            }
            top += band;
        }
    }

    /// Fills what lies west and east of a row of memory from the cells there.
    fn close(&self, row: &mut [u64], west: u64, east: u64) {
        row[0] = row[self.words] << 1 | west;
        let past = self.width % self.words;
        if past > 0 {
            let bit = self.width / self.words;
            row[1 + past] = row[1 + past] & !(1 << bit) | east << bit;
        }
        let last = self.depth - 1;
        row[self.words + 1] = row[1] >> 1 & !(1 << last);
        if past == 0 {
            row[self.words + 1] |= east << last;
        }
    }

    /// Fills the ends of the rows of memory `from` up to `to`, where that needs no other
    /// row.
    fn close_rows(&self, buffer: &mut Buffer, from: usize, to: usize) {
        let last = self.width - 1;
        for y in from..to {
            let row = buffer.row_mut(y);
            let (west, east) = match self.edges {
                Edges::Dead => (0, 0),
                Edges::Joined => (
                    row[1 + last % self.words] >> (last / self.words) & 1,
                    row[1] & 1,
                ),
                Edges::Listed(_) => return,
            };
            self.close(row, west, east);
        }
    }

    /// Fills the rows above and below the grid, and all ends that are listed.
    fn close_sheet(&self, buffer: &mut Buffer) {
        match &self.edges {
            Edges::Dead => {}
            Edges::Joined => {
                // A grid may have fewer rows than the margin.
                let (margin, height) = (self.margin, self.height);
                for y in 0..margin {
                    let above = (y + height - margin % height) % height;
                    buffer.copy_row(margin + above, y);
                    buffer.copy_row(margin + y % height, margin + height + y);
                }
            }
            Edges::Listed(margin) => {
                for (y, row) in [(0, &margin.above), (self.height + 1, &margin.below)] {
                    buffer.row_mut(y).fill(0);
                    for (x, bit) in row.iter().enumerate() {
                        let live = buffer.bit(*bit);
                        buffer.row_mut(y)[1 + x % self.words] |= live << (x / self.words);
                    }
                }
                let ends = margin.west.iter().zip(&margin.east);
                for (y, (west, east)) in ends.enumerate() {
                    let (west, east) = (buffer.bit(*west), buffer.bit(*east));
                    self.close(buffer.row_mut(y), west, east);
                }
            }
        }
    }
}

impl Sheet for BitSheet {
    fn get(&self, x: usize, y: usize) -> State {
        self.now.bit(Some(self.bit(x, y))) as State
    }

    fn put(&mut self, x: usize, y: usize, state: State) {
        let Bit { word, bit } = self.bit(x, y);
        let word = &mut self.now.words_mut()[word];
        *word = *word & !(1 << bit) | u64::from(state & 1) << bit;
        self.stale = true;
    }

    fn advance(&mut self, parity: u64, generations: u64) {
        let mut now = std::mem::take(&mut self.now);
        let mut next = std::mem::take(&mut self.next);
        if self.stale {
            self.close_rows(&mut now, self.margin, self.margin + self.height);
            self.close_sheet(&mut now);
            self.stale = false;
        }
        let mut done = 0;
        while done < generations {
            let together = (generations - done).min(self.together as u64);
            self.wave(parity ^ done & 1, together as usize, &mut now, &mut next);
            if together % 2 == 1 {
                std::mem::swap(&mut now, &mut next);
            }
            self.close_sheet(&mut now);
            done += together;
        }
        (self.now, self.next) = (now, next);
    }

    fn patience(&self) -> u64 {
        let words = (self.words * self.height) as u64;
        let quick = (1 << 23) / words;
        let together = ((1 << 27) / words).min(self.together as u64);
        quick.max(together).max(1)
    }

    fn runs(&self, y: usize, from: usize, to: usize, f: &mut dyn FnMut(usize, usize, State)) {
        let row = &self.now.row(y + self.margin)[1..=self.words];
        let (first, rest, split) = self.masks();
        let or = |words: &[u64]| words.iter().fold(0, |all, word| all | word);
        let used = or(&row[..split]) & first | or(&row[split..]) & rest;
        let mut begun = None;
        // Cells x to x + words are one bit of all words: nothing there is nothing at all.
        for bit in from / self.words..to.div_ceil(self.words) {
            let cells = (bit * self.words).max(from)..((bit + 1) * self.words).min(to);
            if used >> bit & 1 == 0 {
                if let Some(start) = begun.take() {
                    f(start, cells.start - start, 1);
                }
                continue;
            }
            for x in cells {
                let live = row[x - bit * self.words] >> bit & 1 == 1;
                match begun {
                    None if live => begun = Some(x),
                    Some(start) if !live => {
                        f(start, x - start, 1);
                        begun = None;
                    }
                    _ => {}
                }
            }
        }
        if let Some(start) = begun {
            f(start, to - start, 1);
        }
    }

    fn population(&self) -> u64 {
        let (first, rest, split) = self.masks();
        let count = |words: &[u64], mask: u64| -> u64 {
            let ones = words
                .iter()
                .map(|word| u64::from((word & mask).count_ones()));
            ones.sum()
        };
        let of_row = |y: usize| {
            let row = &self.now.row(y + self.margin)[1..=self.words];
            count(&row[..split], first) + count(&row[split..], rest)
        };
        (0..self.height).map(of_row).sum()
    }
}

/// Rows of words, their cells aligned to a cache line.
#[derive(Default)]
struct Buffer {
    all: Vec<u64>,
    start: usize,
    stride: usize,
    length: usize,
}

impl Buffer {
    fn new(stride: usize, rows: usize) -> Self {
        /// Words in a cache line.
        const LINE: usize = 8;
        let length = stride * rows;
        let all = vec![0; length + LINE];
        // Where alignment cannot be known (in an interpreter) any start is right.
        let aligned = all.as_ptr().align_offset(size_of::<u64>() * LINE);
        let start = if aligned == usize::MAX {
            0
        } else {
            (aligned + LINE - 1) % LINE
        };
        Self {
            all,
            start,
            stride,
            length,
        }
    }

    fn words(&self) -> &[u64] {
        &self.all[self.start..self.start + self.length]
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.all[self.start..self.start + self.length]
    }

    fn row(&self, y: usize) -> &[u64] {
        &self.words()[y * self.stride..(y + 1) * self.stride]
    }

    fn row_mut(&mut self, y: usize) -> &mut [u64] {
        let stride = self.stride;
        &mut self.words_mut()[y * stride..(y + 1) * stride]
    }

    fn copy_row(&mut self, from: usize, to: usize) {
        let stride = self.stride;
        let from = from * stride..(from + 1) * stride;
        self.words_mut().copy_within(from, to * stride);
    }

    fn bit(&self, at: Option<Bit>) -> u64 {
        at.map_or(0, |Bit { word, bit }| self.words()[word] >> bit & 1)
    }
}
