//! Tiles of bit planes, for the rules that make a small circuit.
//!
//! A line is a plane's part of a row: [`WIDE`] cells in [`WORDS`] words, which are a vector
//! of the widest kind. Cell x is bit x / `WORDS` of word x mod `WORDS`, so that the cells
//! before and after all those of a word are the words before and after it, and what lies
//! beyond an end is the other end moved by a bit, with the neighbour's bit put in:
//!
//! ```text
//!          word 0  word 1  …  word 7
//! bit 0       0       1          7      west of word 0: word 7 moved up, and the last bit
//! bit 1       8       9         15      of the western tile's word 7
//!  …
//! bit 63    504     505        511
//! ```
//!
//! The order of cells is that of T. Henretty and others, "Data layout transformation for stencil
//! computations on short-vector SIMD architectures" (2011), for one bit a cell.

use super::field::{TileCells, TileNeighbourhood};
use super::rect::TileRect;
use crate::query::{BlockCells, add_plane, deinterleave, interleave, ones};
use grid::{Point, State};
use kernel::simd::{SimdElement, SimdTask, Vector};
use kernel::{PlaneKernel, PlaneLayout};
use rule::Rule;
use std::ops::Range;

/// Words of a line.
const WORDS: usize = 8;
/// Columns of a tile.
const WIDE: usize = 64 * WORDS;
/// Rows of a tile.
const TALL: usize = 64;

/// A plane's part of a row.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct TilePlaneRow([u64; WORDS]);

/// A row without a live cell.
const BLANK: TilePlaneRow = TilePlaneRow([0; WORDS]);

/// Cells of several states, a bit in each of some planes.
#[derive(Clone, Debug)]
pub(super) struct PlaneTileCells {
    kernel: PlaneKernel,
    planes: usize,
    stride: usize,
    margin: usize,
    /// A tile without a live cell, for where there is none.
    empty: Box<[TilePlaneRow]>,
    /// Rows with what is seen around them.
    padded: AlignedWords,
    next: AlignedWords,
}

impl PlaneTileCells {
    /// For rules that make a circuit of reasonable size; none for others.
    pub(super) fn compile(rule: &Rule) -> Option<Self> {
        let kernel = PlaneKernel::compile(rule, jit::backend())?;
        let margin = if kernel.radius() <= NarrowMarginGather::MARGIN {
            NarrowMarginGather::MARGIN
        } else {
            WideMarginGather::MARGIN
        };
        let planes = kernel.planes();
        let stride = WORDS + 2 * margin;
        let rows = TALL + 2 * kernel.radius();
        Some(Self {
            planes,
            stride,
            margin,
            empty: vec![BLANK; planes * TALL].into_boxed_slice(),
            padded: AlignedWords::new(rows * planes * stride, margin),
            next: AlignedWords::new(TALL * planes * stride, margin),
            kernel,
        })
    }

    /// All planes' lines of a row.
    fn row<'a>(&self, cells: &'a [TilePlaneRow], y: usize) -> &'a [TilePlaneRow] {
        &cells[y * self.planes..(y + 1) * self.planes]
    }

    /// The cells of a row that are live.
    fn live(&self, cells: &[TilePlaneRow], y: usize) -> TilePlaneRow {
        let mut live = BLANK;
        for line in self.row(cells, y) {
            live.join(line);
        }
        live
    }
}

impl TileCells for PlaneTileCells {
    type Cells = Box<[TilePlaneRow]>;

    fn size(&self) -> (i32, i32) {
        (WIDE as i32, TALL as i32)
    }

    fn reach(&self) -> i32 {
        self.kernel.radius() as i32
    }

    fn time_period(&self) -> usize {
        self.kernel.time_period()
    }

    fn describe(&self) -> String {
        self.kernel.describe()
    }

    fn bytes(&self) -> u64 {
        (self.planes * TALL * size_of::<TilePlaneRow>()) as u64
    }

    fn blank(&self) -> Box<[TilePlaneRow]> {
        vec![BLANK; self.planes * TALL].into_boxed_slice()
    }

    fn get(&self, cells: &Box<[TilePlaneRow]>, x: usize, y: usize) -> State {
        state(self.row(cells, y), x % WORDS, x / WORDS)
    }

    fn fill(&self, cells: &mut Box<[TilePlaneRow]>, columns: Range<usize>, y: usize, state: State) {
        let mask = mask(columns);
        let row = &mut cells[y * self.planes..(y + 1) * self.planes];
        for (plane, line) in row.iter_mut().enumerate() {
            for (word, mask) in line.0.iter_mut().zip(mask.0) {
                *word = if state >> plane & 1 == 1 {
                    *word | mask
                } else {
                    *word & !mask
                };
            }
        }
    }

    fn is_live(&self, cells: &Box<[TilePlaneRow]>, patch: TileRect) -> bool {
        let mut all = BLANK;
        for y in patch.rows() {
            all.join(&self.live(cells, y as usize));
        }
        all.cut(&mask(patch.columns()));
        all.0 != BLANK.0
    }

    fn runs(
        &self,
        cells: &Box<[TilePlaneRow]>,
        columns: Range<usize>,
        y: usize,
        f: &mut dyn FnMut(usize, usize, State),
    ) {
        let row = self.row(cells, y);
        let mut live = self.live(cells, y);
        live.cut(&mask(columns.clone()));
        // The cells of one bit of all words lie side by side.
        let mut used = live.0.iter().fold(0, |all, word| all | word);
        let mut open: Option<(usize, usize, State)> = None;
        while used != 0 {
            let bit = used.trailing_zeros() as usize;
            used &= used - 1;
            for word in (0..WORDS).filter(|&word| live.0[word] >> bit & 1 == 1) {
                let (x, of) = (bit * WORDS + word, state(row, word, bit));
                match &mut open {
                    Some((start, length, s)) if *start + *length == x && *s == of => *length += 1,
                    _ => {
                        if let Some((start, length, s)) = open.replace((x, 1, of)) {
                            f(start, length, s);
                        }
                    }
                }
            }
        }
        if let Some((start, length, s)) = open {
            f(start, length, s);
        }
    }

    fn live_words(&self, cells: &Box<[TilePlaneRow]>, y: usize, words: &mut [u64]) {
        deinterleave(&self.live(cells, y).0, words);
    }

    fn states(
        &self,
        cells: &Box<[TilePlaneRow]>,
        columns: Range<usize>,
        y: usize,
        states: &mut [State],
    ) {
        let mut words = [0; WORDS];
        for (plane, line) in self.row(cells, y).iter().enumerate() {
            deinterleave(&line.0, &mut words);
            add_plane(&words, columns.start, plane, states);
        }
    }

    fn no_contents(&self) -> BlockCells {
        BlockCells::Bits {
            planes: self.planes,
            words: Vec::new(),
        }
    }

    fn pack(&self, cells: &Box<[TilePlaneRow]>, inside: TileRect, contents: &mut BlockCells) {
        let BlockCells::Bits { words: all, .. } = contents else {
            return;
        };
        let mask = mask(inside.columns());
        let mut words = [0; WORDS];
        for y in 0..TALL {
            for line in self.row(cells, y) {
                let mut line = *line;
                line.cut(if inside.rows().contains(&(y as i32)) {
                    &mask
                } else {
                    &BLANK
                });
                deinterleave(&line.0, &mut words);
                all.extend_from_slice(&words);
            }
        }
    }

    fn unpack(&self, contents: &BlockCells, tile: usize) -> Option<Box<[TilePlaneRow]>> {
        let BlockCells::Bits { planes, words } = contents else {
            return None;
        };
        if *planes != self.planes {
            return None;
        }
        let size = TALL * planes * WORDS;
        let words = words.get(tile * size..(tile + 1) * size)?;
        let mut cells = self.blank();
        for (line, words) in cells.iter_mut().zip(words.chunks_exact(WORDS)) {
            interleave(words, &mut line.0);
        }
        Some(cells)
    }

    fn population(&self, cells: &Box<[TilePlaneRow]>, patch: TileRect) -> u64 {
        let mask = mask(patch.columns());
        let count = |y: i32| {
            let mut live = self.live(cells, y as usize);
            live.cut(&mask);
            ones(&live.0, u64::MAX)
        };
        patch.rows().map(count).sum()
    }

    fn bounds(&self, cells: &Box<[TilePlaneRow]>, patch: TileRect) -> TileRect {
        let mask = mask(patch.columns());
        let mut marks = TileCellMask::default();
        for y in patch.rows() {
            let mut live = self.live(cells, y as usize);
            live.cut(&mask);
            marks.add(y as usize, &live);
        }
        marks.bounds()
    }

    fn step(
        &mut self,
        seen: &TileNeighbourhood<'_, Box<[TilePlaneRow]>>,
        then: &mut Box<[TilePlaneRow]>,
        due: TileRect,
        _corner: Point,
        generation: u64,
    ) -> TileRect {
        let (stride, margin) = (self.stride, self.margin);
        let layout = PlaneLayout {
            stride,
            margin,
            words: WORDS,
            corner: (false, due.top & 1 == 1),
        };
        let line = stride * self.planes;
        let rows = due.height() + 2 * self.kernel.radius();
        let padded = &mut self.padded.words_mut()[..rows * line];
        let next = &mut self.next.words_mut()[..due.height() * line];
        let gather = PaddedRowGather {
            seen,
            first: due.top - self.kernel.radius() as i32,
            planes: self.planes,
            blank: &self.empty,
            padded,
        };
        if margin == NarrowMarginGather::MARGIN {
            u64::dispatch(NarrowMarginGather(gather));
        } else {
            u64::dispatch(WideMarginGather(gather));
        }
        let phase = generation as usize % self.kernel.time_period();
        self.kernel.rows(phase, layout, padded, next);
        let top = due.top as usize;
        let mut marks = TileCellMask::default();
        u64::dispatch(MaskedTileStore {
            next,
            layout,
            planes: self.planes,
            then: &mut then[top * self.planes..due.bottom as usize * self.planes],
            top,
            mask: mask(due.columns()),
            marks: &mut marks,
        });
        marks.bounds()
    }
}

impl TilePlaneRow {
    #[inline(always)]
    fn join(&mut self, other: &Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word |= other;
        }
    }

    fn cut(&mut self, mask: &Self) {
        for (word, mask) in self.0.iter_mut().zip(mask.0) {
            *word &= mask;
        }
    }
}

/// The state of the cell at a bit of a word.
fn state(row: &[TilePlaneRow], word: usize, bit: usize) -> State {
    let planes = row.iter().rev();
    planes.fold(0, |state, line| {
        state << 1 | (line.0[word] >> bit & 1) as State
    })
}

/// The bits of some cells of a row.
fn mask(columns: Range<usize>) -> TilePlaneRow {
    let mut mask = BLANK;
    for (k, word) in mask.0.iter_mut().enumerate() {
        // Bits of the cells before a column.
        let before = |x: usize| match (x + WORDS - 1 - k) / WORDS {
            bits @ 0..64 => (1 << bits) - 1,
            _ => u64::MAX,
        };
        *word = before(columns.end) & !before(columns.start);
    }
    mask
}

/// Some cells of a tile, to find the box around them.
struct TileCellMask {
    /// The rows between the first that has any and the last.
    rows: Range<usize>,
    /// The columns that have any in some row.
    all: TilePlaneRow,
}

impl Default for TileCellMask {
    fn default() -> Self {
        Self {
            rows: Range {
                start: TALL,
                end: 0,
            },
            all: BLANK,
        }
    }
}

impl TileCellMask {
    /// Takes in the next row from above.
    fn add(&mut self, y: usize, line: &TilePlaneRow) {
        if line.0 != BLANK.0 {
            self.rows = self.rows.start.min(y)..y + 1;
            self.all.join(line);
        }
    }

    fn bounds(&self) -> TileRect {
        if self.rows.is_empty() {
            return TileRect::default();
        }
        let words = self.all.0.iter().enumerate();
        let words = words.filter(|(_, bits)| **bits != 0);
        let cell = |k: usize, bit: u32| bit as usize * WORDS + k;
        let left = words
            .clone()
            .map(|(k, bits)| cell(k, bits.trailing_zeros()));
        let right = words.map(|(k, bits)| cell(k, 63 - bits.leading_zeros()));
        TileRect {
            left: left.min().unwrap_or(0) as i32,
            right: right.max().unwrap_or(0) as i32 + 1,
            top: self.rows.start as i32,
            bottom: self.rows.end as i32,
        }
    }
}

/// Copies rows and what is seen around them from nine tiles.
struct PaddedRowGather<'a> {
    seen: &'a TileNeighbourhood<'a, Box<[TilePlaneRow]>>,
    /// The first row, as the middle tile counts them.
    first: i32,
    planes: usize,
    /// A tile without a live cell.
    blank: &'a [TilePlaneRow],
    padded: &'a mut [u64],
}

/// A margin for radius 1 to 4.
struct NarrowMarginGather<'a>(PaddedRowGather<'a>);

/// A margin for radius 5 to 7.
struct WideMarginGather<'a>(PaddedRowGather<'a>);

impl NarrowMarginGather<'_> {
    const MARGIN: usize = 4;
}

impl WideMarginGather<'_> {
    const MARGIN: usize = 8;
}

impl SimdTask<u64> for NarrowMarginGather<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        self.0.rows::<V, 4, 16>();
    }
}

impl SimdTask<u64> for WideMarginGather<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        self.0.rows::<V, 8, 24>();
    }
}

impl PaddedRowGather<'_> {
    // Loops of a fixed length over whole lines: the compiler makes vectors of them.
    #[allow(
        clippy::needless_range_loop,
        reason = "three lines go side by side, at places of their own"
    )]
    #[inline(always)]
    fn rows<V: Vector<u64>, const MARGIN: usize, const STRIDE: usize>(self) {
        let (mut lines, _) = self.padded.as_chunks_mut::<STRIDE>();
        let mut row = self.first;
        while !lines.is_empty() {
            // The rows that lie in one tile, with those to both sides of it.
            let band = (row.div_euclid(TALL as i32) + 1) as usize;
            let first = row.rem_euclid(TALL as i32) as usize * self.planes;
            let number = lines.len().min(self.blank.len() - first);
            row += (number / self.planes) as i32;
            let here;
            (here, lines) = lines.split_at_mut(number);
            let [west, own, east] = [0, 1, 2].map(|k| {
                let cells = self.seen[3 * band + k].map_or(self.blank, |cells| &cells[..]);
                &cells[first..first + number]
            });
            for (((line, own), west), east) in here.iter_mut().zip(own).zip(west).zip(east) {
                let (own, west, east) = (&own.0, &west.0, &east.0);
                line[MARGIN..MARGIN + WORDS].copy_from_slice(own);
                if V::LANES <= MARGIN {
                    // Vectors by name: the compiler makes double shifts of words of this, which
                    // are microcode on many processors.
                    for k in (0..MARGIN).step_by(V::LANES) {
                        let from = WORDS - MARGIN + k;
                        let (own, west) = (V::load(&own[from..]), V::load(&west[from..]));
                        (own.west() | west.last_bit()).store(&mut line[k..]);
                    }
                    for k in (0..MARGIN).step_by(V::LANES) {
                        let (own, east) = (V::load(&own[k..]), V::load(&east[k..]));
                        let to = &mut line[MARGIN + WORDS + k..];
                        (own.east() | east.first_bit()).store(to);
                    }
                    continue;
                }
                for k in 0..MARGIN {
                    let from = WORDS - MARGIN + k;
                    line[k] = own[from] << 1 | west[from] >> 63;
                    line[MARGIN + WORDS + k] = own[k] >> 1 | east[k] << 63;
                }
            }
        }
    }
}

/// Takes over the cells of `next` that lie in the mask, and marks those that are new.
struct MaskedTileStore<'a> {
    next: &'a [u64],
    layout: PlaneLayout,
    planes: usize,
    then: &'a mut [TilePlaneRow],
    /// The first of the rows.
    top: usize,
    mask: TilePlaneRow,
    marks: &'a mut TileCellMask,
}

impl SimdTask<u64> for MaskedTileStore<'_> {
    // Loops of a fixed length and no closures: left to itself the compiler took seven times as
    // many instructions.
    #[allow(clippy::needless_range_loop, reason = "vectors of several arrays")]
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let PlaneLayout { stride, margin, .. } = self.layout;
        let vectors = WORDS / V::LANES;
        let mut mask = [V::ZERO; WORDS];
        let mut all = [V::ZERO; WORDS];
        for i in 0..vectors {
            mask[i] = V::load(&self.mask.0[i * V::LANES..]);
        }
        let rows = self.then.chunks_exact_mut(self.planes);
        let new = self.next.chunks_exact(stride * self.planes);
        for (y, (old, new)) in (self.top..).zip(rows.zip(new)) {
            let mut changed = [V::ZERO; WORDS];
            for (old, new) in old.iter_mut().zip(new.chunks_exact(stride)) {
                let Some(new) = new[margin..].first_chunk::<WORDS>() else {
                    continue;
                };
                for i in 0..vectors {
                    let at = i * V::LANES;
                    let before = V::load(&old.0[at..]);
                    let change = (before ^ V::load(&new[at..])) & mask[i];
                    (before ^ change).store(&mut old.0[at..]);
                    changed[i] = changed[i] | change;
                }
            }
            let mut any = V::ZERO;
            for i in 0..vectors {
                any = any | changed[i];
                all[i] = all[i] | changed[i];
            }
            if !any.is_zero() {
                self.marks.rows.start = self.marks.rows.start.min(y);
                self.marks.rows.end = y + 1;
            }
        }
        for i in 0..vectors {
            all[i].store(&mut self.marks.all.0[i * V::LANES..]);
        }
    }
}

/// Words of which those after a lead begin a cache line.
#[derive(Debug)]
struct AlignedWords {
    all: Vec<u64>,
    start: usize,
    length: usize,
    lead: usize,
}

impl AlignedWords {
    fn new(length: usize, lead: usize) -> Self {
        let all = vec![0; length + WORDS];
        // Where alignment cannot be known (in an interpreter) any start is right.
        let aligned = all.as_ptr().align_offset(align_of::<TilePlaneRow>());
        let start = if aligned == usize::MAX {
            0
        } else {
            (aligned + WORDS - lead % WORDS) % WORDS
        };
        Self {
            all,
            start,
            length,
            lead,
        }
    }

    fn words_mut(&mut self) -> &mut [u64] {
        &mut self.all[self.start..self.start + self.length]
    }
}

impl Clone for AlignedWords {
    /// What it held is of no use to anybody.
    fn clone(&self) -> Self {
        Self::new(self.length, self.lead)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_the_cells_of_the_columns() {
        for (from, to) in [
            (0, 512),
            (0, 1),
            (511, 512),
            (7, 9),
            (8, 16),
            (63, 130),
            (5, 5),
        ] {
            let mask = mask(from..to);
            for x in 0..WIDE {
                let bit = mask.0[x % WORDS] >> (x / WORDS) & 1;
                assert_eq!(bit == 1, (from..to).contains(&x), "{x} of {from}..{to}");
            }
        }
    }

    #[test]
    fn marks_have_a_box() {
        let mut marks = TileCellMask::default();
        assert!(marks.bounds().is_empty());
        for (x, y) in [(9, 3), (17, 5), (300, 60)] {
            marks.add(y, &mask(x..x + 1));
            marks.add(y + 1, &BLANK);
        }
        let TileRect {
            left,
            top,
            right,
            bottom,
        } = marks.bounds();
        assert_eq!((left, top, right, bottom), (9, 3, 301, 61));
    }
}
