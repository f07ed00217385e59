use super::Sheet;
use crate::kernel::{BitKernel, Layout, PlaneKernel};
use crate::sight::{Contents, add_plane, fold, mask, ones, unfold};
use grid::{Point, Rect, State};
use rule::Topology;
use std::ops::Range;

/// Cells as bits, in strided rows: those of two states a bit each, others a bit in each of
/// several planes.
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
/// A line of memory is a plane's part of a row: as many words west of the first word as a
/// cell sees far, the words, and as many east of the last; a row is its planes' lines.
/// There are some rows above the grid and as many below it. All of these are the margin.
/// Bits that stand for no cell hold anything.
///
/// Several generations go through the caches together, a wave of bands down the sheet:
/// each generation follows behind the one before, as many rows as a cell sees far. On a
/// torus the margin is that many rows deep for each generation that goes along, and each
/// has so many rows less of it to compute at either end; on a plane it stays dead.
pub(super) struct BitSheet {
    kernel: Kernel,
    /// How far a cell sees.
    radius: usize,
    planes: usize,
    width: usize,
    height: usize,
    /// Words of cells in a row.
    words: usize,
    /// Bits of a word that are in use, 1 to 64.
    depth: usize,
    edges: Edges,
    /// Whether the grid's first column is odd, and its first row.
    corner: (bool, bool),
    /// Rows above the grid, and below it.
    margin: usize,
    /// Generations that may go together.
    together: usize,
    /// Whether a cell was set since the margin was filled.
    stale: bool,
    now: Buffer,
    next: Buffer,
    /// Words of a line.
    stride: usize,
}

/// What steps the rows.
pub(super) enum Kernel {
    /// Two states, neighbours that touch.
    Bit(BitKernel),
    /// Any other rule that is logic over planes.
    Plane(PlaneKernel),
}

impl Kernel {
    fn planes(&self) -> usize {
        match self {
            Self::Bit(_) => 1,
            Self::Plane(kernel) => kernel.planes(),
        }
    }

    fn radius(&self) -> usize {
        match self {
            Self::Bit(_) => 1,
            // Rows follow each other by at least one, even where no cell sees another.
            Self::Plane(kernel) => kernel.radius().max(1),
        }
    }

    /// Rows that are stepped together.
    fn block(&self) -> usize {
        match self {
            Self::Bit(_) => BitKernel::ROW_UNIT,
            Self::Plane(kernel) => kernel.block(),
        }
    }

    fn by_place(&self) -> bool {
        match self {
            Self::Bit(_) => false,
            Self::Plane(kernel) => kernel.by_place(),
        }
    }

    fn time_period(&self) -> usize {
        match self {
            Self::Bit(kernel) => kernel.time_period(),
            Self::Plane(kernel) => kernel.time_period(),
        }
    }

    fn rows(&self, phase: usize, layout: Layout, seen: &[u64], next: &mut [u64]) {
        match self {
            Self::Bit(kernel) => kernel.rows(phase, layout.stride, layout.words, seen, next),
            Self::Plane(kernel) => {
                // It takes no rows but those that its cells see.
                let spare = self.radius() - kernel.radius();
                let spare = spare * layout.stride * kernel.planes();
                kernel.rows(phase, layout, &seen[spare..seen.len() - spare], next);
            }
        }
    }
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
    /// The rows above and below the grid, each from its first column to its last.
    above: Vec<Option<Bit>>,
    below: Vec<Option<Bit>>,
    /// The columns before and after the grid, nearest first, in each row from the first
    /// above it to the last below.
    west: Vec<Option<Bit>>,
    east: Vec<Option<Bit>>,
}

/// Cells beyond the end of a row, the nearest first.
type Beyond = [u64; FURTHEST];

/// How far a cell may see.
const FURTHEST: usize = 8;

/// Where a cell is held: its bit in plane 0.
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
    pub(super) fn bytes(width: u64, height: u64, kernel: &Kernel) -> u64 {
        let unit = BitKernel::ROW_UNIT as u64;
        let words = width.div_ceil(64).next_multiple_of(unit) + 2 * unit;
        let margin = (TOGETHER * kernel.radius()) as u64;
        words
            .saturating_mul(height + 2 * margin)
            .saturating_mul(8 * kernel.planes() as u64)
    }

    /// An empty sheet. The grid's sides are finite.
    pub(super) fn new(kernel: Kernel, topology: Topology, rect: Rect) -> Self {
        let (width, height) = (rect.width as usize, rect.height as usize);
        let (planes, radius) = (kernel.planes(), kernel.radius());
        let words = width.div_ceil(64).next_multiple_of(BitKernel::ROW_UNIT);
        let stride = words + (2 * radius).next_multiple_of(BitKernel::ROW_UNIT);
        let joined = matches!(topology, Topology::Torus { shift: None, .. });
        let dead = matches!(topology, Topology::Plane { .. });
        let together = match stride * height * planes {
            ..=SMALL => 1,
            // Rows beyond an edge would not be as even or odd as the ones they copy.
            _ if joined && kernel.by_place() && height % 2 == 1 => 1,
            // A deep margin beside a few rows would be most of the work.
            _ if joined => (height / (32 * radius)).clamp(1, TOGETHER),
            _ if dead => TOGETHER,
            _ => 1,
        };
        let margin = if joined { together * radius } else { radius };
        let mut sheet = Self {
            kernel,
            radius,
            planes,
            width,
            height,
            words,
            depth: width.div_ceil(words),
            edges: if joined { Edges::Joined } else { Edges::Dead },
            corner: (rect.x & 1 == 1, rect.y & 1 == 1),
            margin,
            together,
            stale: true,
            now: Buffer::new(stride * planes, height + 2 * margin, radius),
            next: Buffer::new(stride * planes, height + 2 * margin, radius),
            stride,
        };
        if !joined && !dead {
            sheet.edges = Edges::Listed(Box::new(sheet.list(topology, rect)));
        }
        sheet
    }

    fn list(&self, topology: Topology, rect: Rect) -> Margin {
        let r = self.radius as i64;
        let at = |x: i64, y: i64| {
            let seen = topology.resolve(Point::new(x, y))?;
            Some(self.bit((seen.x - rect.x) as usize, (seen.y - rect.y) as usize))
        };
        let rows = |first: i64| {
            let row = |y: i64| (rect.x..rect.right()).map(move |x| (x, y));
            let cells = (first..first + r).flat_map(row);
            cells.map(|(x, y)| at(x, y)).collect()
        };
        let columns = |x: &dyn Fn(i64) -> i64| {
            let mut column = Vec::new();
            for y in rect.y - r..rect.bottom() + r {
                column.extend((0..r).map(|k| at(x(k), y)));
            }
            column
        };
        Margin {
            above: rows(rect.y - r),
            below: rows(rect.bottom()),
            west: columns(&|k| rect.x - 1 - k),
            east: columns(&|k| rect.right() + k),
        }
    }

    fn bit(&self, x: usize, y: usize) -> Bit {
        Bit {
            word: (y + self.margin) * self.now.stride + self.radius + x % self.words,
            bit: (x / self.words) as u32,
        }
    }

    /// The words of cells of a plane in a row of the grid.
    fn line(&self, y: usize, plane: usize) -> &[u64] {
        let row = self.now.row(y + self.margin);
        &row[plane * self.stride + self.radius..][..self.words]
    }

    /// The bits of each word that hold cells: those of the first words, those of the
    /// rest, and how many the first ones are.
    fn masks(&self) -> (u64, u64, usize) {
        let low = |bits: usize| u64::MAX.checked_shr(64 - bits as u32).unwrap_or(0);
        let first = self.width - self.words * (self.depth - 1);
        (low(self.depth), low(self.depth - 1), first)
    }

    /// Leaves of a row's words those that have cells, and no other bits.
    fn cut(&self, cells: &mut Vec<u64>) {
        cells.truncate(self.width.div_ceil(64));
        if let Some(last) = cells.last_mut() {
            *last &= u64::MAX >> (self.width.wrapping_neg() % 64);
        }
    }

    /// Moves `generations` on, at most as many as go together, from `now` to `next` and
    /// back again. The rows above and below the grid are then to be filled again.
    fn wave(&self, begun: u64, generations: usize, now: &mut Buffer, next: &mut Buffer) {
        let stride = now.stride;
        let r = self.radius;
        let band = (BAND / stride).max(2 * r);
        let band = band.next_multiple_of(self.kernel.block());
        let rows = |generation: usize| {
            let deep = match self.edges {
                Edges::Joined => r * (generations - 1 - generation),
                Edges::Dead | Edges::Listed(_) => 0,
            };
            self.margin - deep..self.margin + self.height + deep
        };
        let first = rows(0);
        let mut top = first.start;
        // The last generation is the furthest behind.
        while top < first.end + r * (generations - 1) {
            for generation in 0..generations {
                let rows = rows(generation);
                let from = rows.start.max(top.saturating_sub(r * generation));
                let to = rows.end.min((top + band).saturating_sub(r * generation));
                if from < to {
                    let (now, next) = if generation % 2 == 0 {
                        (&*now, &mut *next)
                    } else {
                        (&*next, &mut *now)
                    };
                    let phase = (begun as usize + generation) % self.kernel.time_period();
                    let down = (from ^ self.margin) & 1 == 1;
                    let layout = Layout {
                        stride: self.stride,
                        margin: r,
                        words: self.words,
                        corner: (self.corner.0, self.corner.1 ^ down),
                    };
                    let seen = &now.words()[(from - r) * stride..(to + r) * stride];
                    let out = &mut next.words_mut()[from * stride..to * stride];
                    self.kernel.rows(phase, layout, seen, out);
                    self.close_rows(next, from, to);
                }
            }
            top += band;
        }
    }

    /// Fills what lies west and east of a line from the cells there.
    #[inline]
    fn close(&self, line: &mut [u64], west: &Beyond, east: &Beyond) {
        let (r, words) = (self.radius, self.words);
        // The cells east of the last take the next free places...
        for (k, cell) in east[..r].iter().enumerate() {
            let (word, bit) = ((self.width + k) % words, (self.width + k) / words);
            if bit < 64 {
                line[r + word] = line[r + word] & !(1 << bit) | cell << bit;
            }
        }
        // ...and the words beyond an end are those at the other, a bit further.
        for k in 0..r {
            let east_end = line[r + k] >> 1;
            let past = (64 * words + k).checked_sub(self.width);
            let last = past.filter(|&past| past < r).map_or(0, |past| east[past]);
            line[r + words + k] = east_end | last << 63;
            line[r - 1 - k] = line[r + words - 1 - k] << 1 | west[k];
        }
    }

    /// Fills the ends of the rows of memory `from` up to `to`, where that needs no other
    /// row.
    fn close_rows(&self, buffer: &mut Buffer, from: usize, to: usize) {
        let (mut west, mut east) = (Beyond::default(), Beyond::default());
        // Where the cells seen there are in a line, as word and bit.
        let place = |x: usize| (self.radius + x % self.words, x / self.words);
        let mut places = [((0, 0), (0, 0)); FURTHEST];
        if let Edges::Joined = self.edges {
            for (k, place_of) in places[..self.radius].iter_mut().enumerate() {
                let back = self.width - 1 - k % self.width;
                *place_of = (place(back), place(k % self.width));
            }
        }
        for y in from..to {
            for line in buffer.row_mut(y).chunks_exact_mut(self.stride) {
                match self.edges {
                    Edges::Dead => {}
                    Edges::Joined => {
                        for k in 0..self.radius {
                            let ((a, i), (b, j)) = places[k];
                            west[k] = line[a] >> i & 1;
                            east[k] = line[b] >> j & 1;
                        }
                    }
                    Edges::Listed(_) => return,
                }
                self.close(line, &west, &east);
            }
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
                let below = self.margin + self.height;
                for (first, cells) in [(0, &margin.above), (below, &margin.below)] {
                    for (y, row) in cells.chunks_exact(self.width).enumerate() {
                        buffer.row_mut(first + y).fill(0);
                        for (x, bit) in row.iter().enumerate() {
                            for plane in 0..self.planes {
                                let start = plane * self.stride;
                                let live = buffer.bit(*bit, start);
                                let word = start + self.radius + x % self.words;
                                buffer.row_mut(first + y)[word] |= live << (x / self.words);
                            }
                        }
                    }
                }
                let west = margin.west.chunks_exact(self.radius);
                let ends = west.zip(margin.east.chunks_exact(self.radius));
                for (y, ends) in ends.enumerate() {
                    for plane in 0..self.planes {
                        let start = plane * self.stride;
                        let mut beyond = [Beyond::default(); 2];
                        for (beyond, end) in beyond.iter_mut().zip([ends.0, ends.1]) {
                            for (cell, bit) in beyond.iter_mut().zip(end) {
                                *cell = buffer.bit(*bit, start);
                            }
                        }
                        let line = &mut buffer.row_mut(y)[start..start + self.stride];
                        self.close(line, &beyond[0], &beyond[1]);
                    }
                }
            }
        }
    }
}

impl Sheet for BitSheet {
    fn get(&self, x: usize, y: usize) -> State {
        let bit = Some(self.bit(x, y));
        let planes = (0..self.planes).rev();
        planes.fold(0, |state, p| {
            state << 1 | self.now.bit(bit, p * self.stride)
        }) as State
    }

    fn put(&mut self, x: usize, y: usize, state: State) {
        let Bit { word, bit } = self.bit(x, y);
        for plane in 0..self.planes {
            let word = &mut self.now.words_mut()[word + plane * self.stride];
            *word = *word & !(1 << bit) | u64::from(state >> plane & 1) << bit;
        }
        self.stale = true;
    }

    fn advance(&mut self, phase: u64, generations: u64) {
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
            self.wave(phase + done, together as usize, &mut now, &mut next);
            if together % 2 == 1 {
                std::mem::swap(&mut now, &mut next);
            }
            self.close_sheet(&mut now);
            done += together;
        }
        (self.now, self.next) = (now, next);
    }

    fn patience(&self) -> u64 {
        let words = (self.words * self.height * self.planes) as u64;
        let quick = (1 << 23) / words;
        let together = ((1 << 27) / words).min(self.together as u64);
        quick.max(together).max(1)
    }

    fn runs(&self, y: usize, from: usize, to: usize, f: &mut dyn FnMut(usize, usize, State)) {
        let (first, rest, split) = self.masks();
        let or = |words: &[u64]| words.iter().fold(0, |all, word| all | word);
        let lines: Vec<&[u64]> = (0..self.planes).map(|p| self.line(y, p)).collect();
        let used = lines.iter().fold(0, |all, line| {
            all | or(&line[..split]) & first | or(&line[split..]) & rest
        });
        let mut begun = (0, 0);
        let mut change = |x: usize, state: State| {
            let (start, of) = begun;
            if of != state {
                if of != 0 {
                    f(start, x - start, of);
                }
                begun = (x, state);
            }
        };
        // Cells x to x + words are one bit of all words: nothing there is nothing at all.
        for bit in from / self.words..to.div_ceil(self.words) {
            let cells = (bit * self.words).max(from)..((bit + 1) * self.words).min(to);
            if used >> bit & 1 == 0 {
                change(cells.start, 0);
                continue;
            }
            for x in cells {
                let word = x - bit * self.words;
                let planes = lines.iter().rev();
                let state = planes.fold(0, |state, line| state << 1 | line[word] >> bit & 1);
                change(x, state as State);
            }
        }
        change(to, 0);
    }

    fn live(&self, y: usize, words: &mut Vec<u64>) {
        words.clear();
        words.resize(self.words, 0);
        if self.planes == 1 {
            unfold(self.line(y, 0), words);
        } else {
            let mut live = self.line(y, 0).to_vec();
            for plane in 1..self.planes {
                for (live, word) in live.iter_mut().zip(self.line(y, plane)) {
                    *live |= word;
                }
            }
            unfold(&live, words);
        }
        self.cut(words);
    }

    fn states(&self, y: usize, from: usize, states: &mut [State]) {
        let mut words = vec![0; self.words];
        for plane in 0..self.planes {
            unfold(self.line(y, plane), &mut words);
            add_plane(&words, from, plane, states);
        }
    }

    fn erase(&mut self, rows: Range<usize>, from: usize, to: usize) {
        let mut cells = vec![0; self.words];
        for (k, word) in cells.iter_mut().enumerate() {
            *word = mask(k, from, to);
        }
        let mut gone = vec![0; self.words];
        fold(&cells, &mut gone);
        let (lead, stride) = (self.radius, self.stride);
        for y in rows {
            let row = self.now.row_mut(y + self.margin);
            for line in row.chunks_exact_mut(stride) {
                for (word, gone) in line[lead..].iter_mut().zip(&gone) {
                    *word &= !gone;
                }
            }
        }
        self.stale = true;
    }

    fn pack(&self) -> Contents {
        let line = self.width.div_ceil(64);
        let mut all = Vec::with_capacity(line * self.planes * self.height);
        let mut words = vec![0; self.words];
        for y in 0..self.height {
            for plane in 0..self.planes {
                words.resize(self.words, 0);
                unfold(self.line(y, plane), &mut words);
                self.cut(&mut words);
                all.extend_from_slice(&words);
            }
        }
        Contents::Bits {
            planes: self.planes,
            words: all,
        }
    }

    fn unpack(&mut self, contents: &Contents) -> bool {
        let Contents::Bits { planes, words } = contents else {
            return false;
        };
        if *planes != self.planes {
            return false;
        }
        let (lead, stride, words_of) = (self.radius, self.stride, self.words);
        let mut cells = vec![0; self.words];
        let line = self.width.div_ceil(64);
        let mut lines = words.chunks_exact(line);
        for y in 0..self.height {
            let row = self.now.row_mut(y + self.margin);
            for (to, from) in row
                .chunks_exact_mut(stride)
                .zip(lines.by_ref().take(*planes))
            {
                cells[..line].copy_from_slice(from);
                fold(&cells, &mut to[lead..lead + words_of]);
            }
        }
        self.stale = true;
        true
    }

    fn population(&self) -> u64 {
        let (first, rest, split) = self.masks();
        let mut live = vec![0; self.words];
        let mut of_row = |y: usize| {
            live.copy_from_slice(self.line(y, 0));
            for plane in 1..self.planes {
                for (live, word) in live.iter_mut().zip(self.line(y, plane)) {
                    *live |= word;
                }
            }
            ones(&live[..split], first) + ones(&live[split..], rest)
        };
        (0..self.height).map(&mut of_row).sum()
    }

    fn describe(&self) -> String {
        match &self.kernel {
            Kernel::Bit(kernel) => kernel.describe(),
            Kernel::Plane(kernel) => kernel.describe(),
        }
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
    /// Cells begin after `lead` words of a row.
    fn new(stride: usize, rows: usize, lead: usize) -> Self {
        /// Words in a cache line.
        const LINE: usize = 8;
        let length = stride * rows;
        let all = vec![0; length + LINE];
        // Where alignment cannot be known (in an interpreter) any start is right.
        let aligned = all.as_ptr().align_offset(size_of::<u64>() * LINE);
        let start = if aligned == usize::MAX {
            0
        } else {
            (aligned + LINE - lead % LINE) % LINE
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

    /// The bit of a cell, in the line that begins `start` words after that of plane 0.
    fn bit(&self, at: Option<Bit>, start: usize) -> u64 {
        at.map_or(0, |Bit { word, bit }| self.words()[word + start] >> bit & 1)
    }
}
