mod buffer;
mod edges;
mod rest_flags;
mod sheet_part;
mod wave;

use super::TorusSheet;
use crate::arch::ForkJoinPool;
use crate::fingerprint::Fingerprint;
use crate::query::{BlockCells, add_plane, deinterleave, interleave, mask, ones};
use buffer::{BitPosition, RowBuffer};
use edges::MarginFill;
use grid::{Rect, State};
use kernel::simd::vector_bits;
use kernel::{PlaneKernel, PlaneLayout, ROW_UNIT};
use pattern::interrupt::checkpoint;
use rest_flags::RowRestFlags;
use rule::{Rule, Topology};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Mutex;

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
/// Several generations go through the caches together. On a torus the margin is as many
/// rows deep for each of them as a cell sees far, and each has so many rows less of it to
/// compute at either end; on a plane it stays dead; where edges are twisted it is filled for
/// each generation.
pub(super) struct BitSheet {
    kernel: SheetKernel,
    /// How far a cell sees.
    radius: usize,
    planes: usize,
    width: usize,
    height: usize,
    /// Words of cells in a row.
    words: usize,
    /// Bits of a word that are in use, 1 to 64.
    depth: usize,
    edges: MarginFill,
    /// Whether the grid's first column is odd, and its first row.
    corner: (bool, bool),
    /// Rows above the grid, and below it.
    margin: usize,
    /// Generations that may go together.
    generations_per_pass: usize,
    /// Whether a cell was set since the margin was filled.
    stale: bool,
    /// The cells, then what the next generation is written over, and so on: what was written
    /// longest ago.
    buffers: Vec<RowBuffer>,
    /// The generation of which some rows are in the second buffer, and the first that is not.
    partial_step: Option<(u64, usize)>,
    /// How many of the other buffers hold nothing that led to this generation: the first.
    unknown: usize,
    /// Words of a line.
    stride: usize,
    threads: usize,
    /// The threads, from the first pass on that they share.
    pool: Mutex<Option<ForkJoinPool>>,
    /// Scratch: two rows of words.
    scratch: [Vec<u64>; 2],
}

/// What steps the rows: a rule that is logic over planes.
pub(super) struct SheetKernel(PlaneKernel);

impl SheetKernel {
    /// None for rules that are none.
    pub(super) fn compile(rule: &Rule) -> Option<Self> {
        PlaneKernel::within(PlaneKernel::FURTHEST, rule, jit::backend()).map(Self)
    }

    fn planes(&self) -> usize {
        self.0.planes()
    }

    /// Rows follow each other by at least one, even where no cell sees another.
    fn radius(&self) -> usize {
        self.0.radius().max(1)
    }

    /// Words of a band, about. What is quick must lie in a first-level cache with what comes
    /// of it; for others it is worth more that few rows are seen by two bands, as it is in
    /// narrower vectors: by 8 % in those of 128 bits on 16384 columns, and by 20 % in 256.
    fn band(&self) -> usize {
        match self.0.work() * vector_bits() / 512 {
            0..=QUICK if vector_bits() < 512 => 1 << 14,
            0..=QUICKEST => 1 << 11,
            _ => 1 << 13,
        }
    }

    /// Units of work for a row of so many words, see [`QUANTUM`].
    fn work(&self, words: usize) -> usize {
        // What is done to the ends of a row, too.
        self.0.work() * words.div_ceil(ROW_UNIT) + 8 * self.radius() * self.planes()
    }

    /// Whether a row costs so much that it is worth to see if it rests. A rule that goes by the
    /// generation is none: its clock may be set, and what was then is not what will be.
    fn is_worth_watching(&self) -> bool {
        // To compare takes more of narrower vectors, too.
        let costly = COSTLY * self.planes() * 512 / vector_bits();
        let is_costly = self.0.is_compiled() && self.0.work() >= costly;
        is_costly && self.0.time_period() == 1
    }

    fn rows(&self, phase: usize, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        // It takes no rows but those that its cells see.
        let spare = self.radius() - self.0.radius();
        let spare = spare * layout.stride * self.planes();
        self.0
            .rows(phase, layout, &seen[spare..seen.len() - spare], next);
    }
}

/// Instructions up to which a kernel is quick, see [`SheetKernel::band`].
const QUICK: usize = 20;

/// Those of Life's own rows. Machine code of a circuit reads each row three times: two-state
/// rules of 11 and 13 instructions run 3 to 6 % faster in large bands.
const QUICKEST: usize = 8;

/// How far a cell may see.
const FURTHEST: usize = PlaneKernel::FURTHEST as usize;

/// Generations that go together at most. With 16384 columns their bands take about a
/// fifth of a second-level cache of 1 MiB.
const MAX_GENERATIONS_PER_PASS: usize = 16;

/// Words of a buffer up to which both lie in a first-level cache as they are.
const SMALL: usize = 1 << 11;

/// Instructions of machine code for each plane of 512 cells from which on rows are watched for
/// rest: to compare them with what they were takes four or five.
const COSTLY: usize = 128;

/// Buffers where rows are watched: what repeats after 1, 2 or 4 generations rests. Small loops
/// that turn in four are what soups of such rules leave.
const WATCHED: usize = 4;

/// Words of a buffer up to which there may be so many.
const KEPT: usize = 1 << 25;

/// Work between two looks at the outside: about 20 ms. A unit is an instruction on 512 bits
/// of cells, 0.4 ns.
const QUANTUM: usize = 45 << 20;

impl BitSheet {
    /// How many bytes one of the two buffers takes.
    pub(super) fn bytes(width: u64, height: u64, kernel: &SheetKernel) -> u64 {
        let unit = ROW_UNIT as u64;
        let words = width.div_ceil(64).next_multiple_of(unit) + 2 * unit;
        let margin = (MAX_GENERATIONS_PER_PASS * kernel.radius()) as u64;
        words
            .saturating_mul(height + 2 * margin)
            .saturating_mul(8 * kernel.planes() as u64)
    }

    /// An empty sheet. The grid's sides are finite.
    pub(super) fn new(kernel: SheetKernel, topology: Topology, rect: Rect) -> Self {
        let mut sheet = Self::unwatched(kernel, topology, rect);
        let words = sheet.row() * (sheet.height + 2 * sheet.margin);
        let can_watch = !matches!(sheet.edges, MarginFill::Listed(_)) && words <= KEPT;
        if can_watch && sheet.kernel.is_worth_watching() {
            sheet.watch();
        }
        sheet
    }

    /// One whose rows are all stepped, whether they rest or not.
    fn unwatched(kernel: SheetKernel, topology: Topology, rect: Rect) -> Self {
        let (width, height) = (rect.width as usize, rect.height as usize);
        let (planes, radius) = (kernel.planes(), kernel.radius());
        let words = width.div_ceil(64).next_multiple_of(ROW_UNIT);
        let stride = words + (2 * radius).next_multiple_of(ROW_UNIT);
        let joined = matches!(topology, Topology::Torus { shift: None, .. });
        let dead = matches!(topology, Topology::Plane { .. });
        let work = kernel.work(words) * height;
        let wanted = (QUANTUM / work).clamp(1, MAX_GENERATIONS_PER_PASS);
        let generations_per_pass = match stride * height * planes {
            ..=SMALL => 1,
            // Rows beyond an edge would not be as even or odd as the ones they copy.
            _ if joined && kernel.0.depends_on_parity() && height % 2 == 1 => 1,
            // A deep margin beside a few rows would be most of the work.
            _ if joined => (height / (32 * radius)).clamp(1, wanted),
            _ if height < 8 * radius => 1,
            _ => wanted,
        };
        let margin = if joined {
            generations_per_pass * radius
        } else {
            radius
        };
        let mut sheet = Self {
            kernel,
            radius,
            planes,
            width,
            height,
            words,
            depth: width.div_ceil(words),
            edges: if joined {
                MarginFill::Joined
            } else {
                MarginFill::Dead
            },
            corner: (rect.x & 1 == 1, rect.y & 1 == 1),
            margin,
            generations_per_pass,
            stale: true,
            buffers: Vec::new(),
            partial_step: None,
            unknown: 0,
            stride,
            threads: 1,
            pool: Mutex::default(),
            scratch: Default::default(),
        };
        let length = height + 2 * margin;
        sheet.buffers = (0..2)
            .map(|_| RowBuffer::new(stride * planes, length, radius))
            .collect();
        if !joined && !dead {
            let margin = sheet.list(topology, rect);
            if !margin.folds {
                sheet.generations_per_pass = 1;
            }
            sheet.edges = MarginFill::Listed(Box::new(margin));
        }
        sheet
    }

    /// Sees to it that rows that rest are told, and not stepped. The edges are joined or dead.
    fn watch(&mut self) {
        let (rows, margin) = (self.height + 2 * self.margin, self.margin);
        self.buffers = (0..WATCHED)
            .map(|_| RowBuffer::new(self.row(), rows, self.radius))
            .collect();
        for buffer in &mut self.buffers {
            buffer.rest = RowRestFlags::new(rows);
            // What is dead beyond an edge stays so.
            let dead = matches!(self.edges, MarginFill::Dead);
            let beyond = (0..margin).chain(rows - margin..rows);
            beyond.for_each(|row| buffer.rest.set(row, dead));
        }
    }

    /// Words of a row of all planes.
    fn row(&self) -> usize {
        self.stride * self.planes
    }

    /// Whether what the given generation of a pass is written over was the world as many
    /// generations before as there are buffers.
    fn followed(&self, generation: usize) -> bool {
        generation >= self.unknown
    }

    fn bit(&self, x: usize, y: usize) -> BitPosition {
        BitPosition {
            word: (y + self.margin) * self.row() + self.radius + x % self.words,
            bit: (x / self.words) as u32,
        }
    }

    /// Units of work for so many rows, see [`QUANTUM`].
    fn work(&self, rows: usize) -> usize {
        self.kernel.work(self.words) * rows
    }

    /// The words of cells of a plane in a row of the grid.
    fn line(&self, y: usize, plane: usize) -> &[u64] {
        let row = self.buffers[0].row(y + self.margin);
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
}

/// Rows that are copied between two checkpoints.
const ROWS_A_CHECKPOINT: usize = 1 << 9;

impl TorusSheet for BitSheet {
    fn get(&self, x: usize, y: usize) -> State {
        let bit = Some(self.bit(x, y));
        let planes = (0..self.planes).rev();
        planes.fold(0, |state, p| {
            state << 1 | self.buffers[0].bit(bit, p * self.stride)
        }) as State
    }

    fn put(&mut self, x: usize, y: usize, state: State) {
        let BitPosition { word, bit } = self.bit(x, y);
        for plane in 0..self.planes {
            let word = &mut self.buffers[0].words_mut()[word + plane * self.stride];
            *word = *word & !(1 << bit) | u64::from(state >> plane & 1) << bit;
        }
        self.stale = true;
    }

    fn advance(
        &mut self,
        phase: u64,
        generations: u64,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> u64 {
        let mut ring = std::mem::take(&mut self.buffers);
        if self.stale {
            let rows = self.margin * self.row()..(self.margin + self.height) * self.row();
            self.close_rows(&mut ring[0].words_mut()[rows]);
            self.close_sheet(&mut ring[0]);
            self.stale = false;
            self.unknown = ring.len() - 1;
            self.partial_step = None;
        }
        let mut done = 0;
        while done < generations {
            let generations_per_pass = (generations - done).min(self.generations_per_pass as u64);
            let partial_step = self
                .partial_step
                .take()
                .filter(|(of, _)| *of == phase + done);
            if generations_per_pass > 1 {
                self.pass(phase + done, generations_per_pass as usize, &mut ring);
            } else {
                let from = partial_step.map_or(self.margin, |(_, row)| row);
                let row = self.single(phase + done, from, &mut ring, keep_going);
                if row < self.margin + self.height {
                    // Some of it is written over.
                    self.unknown = self.unknown.max(1);
                    self.partial_step = Some((phase + done, row));
                    break;
                }
            }
            done += generations_per_pass;
            let length = ring.len();
            ring.rotate_left(generations_per_pass as usize % length);
            self.unknown = self.unknown.saturating_sub(generations_per_pass as usize);
            if generations_per_pass == 1 || !matches!(self.edges, MarginFill::Listed(_)) {
                self.close_sheet(&mut ring[0]);
            }
            // What is written over is looked at again beyond the edges, too.
            for buffer in ring[1..].iter_mut().filter(|buffer| buffer.rest.is_kept()) {
                self.close_sheet(buffer);
            }
        }
        self.buffers = ring;
        done
    }

    fn generations_per_poll(&self) -> u64 {
        let quick = QUANTUM / self.work(self.height);
        // Whole passes, if it can be.
        let passes = quick / self.generations_per_pass * self.generations_per_pass;
        (if passes > 0 { passes } else { quick }).max(1) as u64
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
        self.pool = Mutex::default();
    }

    fn runs(&self, y: usize, from: usize, to: usize, f: &mut dyn FnMut(usize, usize, State)) {
        let (first, rest, split) = self.masks();
        let or = |words: &[u64]| words.iter().fold(0, |all, word| all | word);
        let lines: SmallVec<[&[u64]; 8]> = (0..self.planes).map(|p| self.line(y, p)).collect();
        let used = lines.iter().fold(0, |all, line| {
            all | or(&line[..split]) & first | or(&line[split..]) & rest
        });
        let mut partial_step = (0, 0);
        let mut change = |x: usize, state: State| {
            let (start, of) = partial_step;
            if of != state {
                if of != 0 {
                    f(start, x - start, of);
                }
                partial_step = (x, state);
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
            deinterleave(self.line(y, 0), words);
        } else {
            let mut live = self.line(y, 0).to_vec();
            for plane in 1..self.planes {
                for (live, word) in live.iter_mut().zip(self.line(y, plane)) {
                    *live |= word;
                }
            }
            deinterleave(&live, words);
        }
        self.cut(words);
    }

    fn states(&self, y: usize, from: usize, states: &mut [State]) {
        let mut words = vec![0; self.words];
        for plane in 0..self.planes {
            deinterleave(self.line(y, plane), &mut words);
            add_plane(&words, from, plane, states);
        }
    }

    fn erase(&mut self, rows: Range<usize>, from: usize, to: usize) {
        let [cells, gone] = &mut self.scratch;
        cells.clear();
        cells.extend((0..self.words).map(|k| mask(k, from, to)));
        gone.resize(self.words, 0);
        interleave(cells, gone);
        let (lead, stride) = (self.radius, self.stride);
        for y in rows {
            let row = self.buffers[0].row_mut(y + self.margin);
            for line in row.chunks_exact_mut(stride) {
                for (word, gone) in line[lead..].iter_mut().zip(&*gone) {
                    *word &= !gone;
                }
            }
        }
        self.stale = true;
    }

    fn print(&self, print: &mut Fingerprint) {
        let (first, rest, split) = self.masks();
        for (y, plane) in (0..self.height).flat_map(|y| (0..self.planes).map(move |p| (y, p))) {
            let line = self.line(y, plane);
            print.add(&line[..split], first);
            print.add(&line[split..], rest);
        }
    }

    fn pack(&self) -> BlockCells {
        let line = self.width.div_ceil(64);
        let mut all = Vec::with_capacity(line * self.planes * self.height);
        let mut words = vec![0; self.words];
        for y in 0..self.height {
            if y % ROWS_A_CHECKPOINT == 0 {
                checkpoint();
            }
            for plane in 0..self.planes {
                words.resize(self.words, 0);
                deinterleave(self.line(y, plane), &mut words);
                self.cut(&mut words);
                all.extend_from_slice(&words);
            }
        }
        BlockCells::Bits {
            planes: self.planes,
            words: all,
        }
    }

    fn unpack(&mut self, contents: &BlockCells) -> bool {
        let BlockCells::Bits { planes, words } = contents else {
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
            if y % ROWS_A_CHECKPOINT == 0 {
                checkpoint();
            }
            let row = self.buffers[0].row_mut(y + self.margin);
            for (to, from) in row
                .chunks_exact_mut(stride)
                .zip(lines.by_ref().take(*planes))
            {
                cells[..line].copy_from_slice(from);
                interleave(&cells, &mut to[lead..lead + words_of]);
            }
        }
        self.stale = true;
        true
    }

    fn population(&self) -> u64 {
        let (first, rest, split) = self.masks();
        if self.planes == 1 {
            let of_row = |y: usize| {
                let live = self.line(y, 0);
                ones(&live[..split], first) + ones(&live[split..], rest)
            };
            return (0..self.height).map(of_row).sum();
        }
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

    fn bytes(&self) -> u64 {
        let words = self
            .buffers
            .iter()
            .map(|buffer| buffer.words().len() as u64);
        8 * words.sum::<u64>()
    }

    fn describe(&self) -> String {
        self.kernel.0.describe()
    }
}
