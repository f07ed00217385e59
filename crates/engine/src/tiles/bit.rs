//! Tiles of bits, for two-state rules of radius 1.
//!
//! A tile owns 56 x 56 cells. With the four nearest rings of its neighbours' cells, which are
//! gathered before a step, a row is one word, and a tile can advance by four generations
//! without further exchange. Whatever is the same after four generations, which includes all
//! that has period 2, sleeps: only tiles that changed, and those that see them, are stepped
//! again. When the world is between two such rounds, its current generation is computed on
//! demand: tile by tile for a few tiles, else once for all, and kept until the world advances.
//!
//! Cells are double-buffered. A sleeping tile is the same in both buffers, so nothing is
//! copied, tiles may be stepped in any order by many threads, and a round may be cancelled.
//! Three alternatives were measured and rejected. Halos stored beside the cells and updated by
//! the neighbours: the updates took a third of the time. Rounds of two generations: gathering
//! took as long as stepping. Tiles of 56 x 24 cells in vectors of half the width: changes touch
//! more tiles, soups took a seventh to a third longer, and methuselahs as long as before.

pub(super) mod double_buffer;
pub(super) mod frontier_pass;
pub(super) mod ships;

use super::coarse_pixels::CoarsePixelCounter;
use super::links::TileLinks;
use super::map::{AROUND, FoundTiles, LinkedTile, NONE, TileMap, lay};
use super::wake_flags::WakeFlags;
use super::{AdvanceProgress, CellRunSource, TilePlane};
use crate::AdvanceInterruption;
use crate::query::{BlockCells, LiveHash, LiveRowVisitor, ones};
use double_buffer::TileDoubleBuffer;
use frontier_pass::{
    FrontierPass, FrontierPassSlice, FrontierPassTask, PassFollowUp, is_seen, outer_rows,
};
use grid::{CellHash, Point, Rect, State};
use kernel::simd::SimdElement;
use kernel::{BitColumn, BitKernel};
use pattern::interrupt::{Checkpoints, checkpoint};
use pattern::{Run, Tree};
use rule::Rule;
use ships::Ships;
use smallvec::SmallVec;
use std::cell::RefCell;

/// Generations of a round, and so the rings of neighbouring cells that a tile sees.
pub(super) const RING: usize = 4;
/// Columns that a tile owns.
pub(super) const WIDE: i64 = 56;
/// Rows that a tile owns.
pub(super) const TALL: usize = 56;
/// Rows that a tile sees.
pub(super) const ROWS: usize = TALL + 2 * RING;
/// The bits of the tile's own columns.
pub(super) const OWN: u64 = ((1 << WIDE) - 1) << RING;

/// The position of a tile, and its neighbours.
#[derive(Clone, Debug)]
pub(super) struct BitTile {
    near: [u32; 8],
    pub(super) place: (i64, i64),
}

impl LinkedTile for BitTile {
    fn near(&mut self) -> &mut [u32; 8] {
        &mut self.near
    }

    fn place(&self) -> (i64, i64) {
        self.place
    }
}

/// The slot of a tile's cells. Slot 0 is always empty: it stands for all missing tiles.
#[inline(always)]
pub(super) const fn slot(i: u32) -> usize {
    const { assert!(NONE == u32::MAX) };
    i.wrapping_add(1) as usize
}

/// The cells of all tiles between two rounds, by slot.
#[derive(Clone, Debug, Default)]
struct IntermediateRows {
    rows: Vec<BitColumn>,
    is_known: bool,
}

/// Tiles whose memory a world keeps when it is cleared, for soups one after the other.
const KEPT_TILES: usize = 1 << 10;

/// Tiles that are computed between two polls.
const BATCH: usize = 4096;

/// A plane of bit tiles.
#[derive(Clone, Debug)]
pub(super) struct BitTiles {
    pub(super) kernel: BitKernel,
    pub(super) sheet: TileMap<BitTile>,
    /// The neighbours of each tile, by slot.
    pub(super) links: Vec<TileLinks>,
    /// The cells of the tiles, by slot, now and a round before: their own in rows 4 to 59,
    /// columns in bits 4 to 59. The rest means nothing.
    pub(super) cells: TileDoubleBuffer,
    /// Which of the two buffers is current.
    pub(super) now: usize,
    /// Tiles to step next, by slot.
    pub(super) awake: WakeFlags,
    /// Generations by which the world is ahead of the tiles' cells: less than a round.
    pub(super) ahead: usize,
    /// The cells at that generation, computed on demand.
    present: RefCell<IntermediateRows>,
    /// Tiles up to which memory suffices for that.
    most_present: usize,
    /// Ships in flight; only during a call of `advance`.
    pub(super) ships: Ships,
    pub(super) threads: usize,
    /// How often in turn a round was cancelled.
    pub(super) cancelled_rounds: u32,
    /// Scratch: slots that are being stepped.
    pub(super) work: Vec<u32>,
    /// Scratch: what each thread found.
    pub(super) found: Vec<PassFollowUp>,
    /// Scratch: tiles that are being written.
    touched: Vec<u32>,
}

impl BitTiles {
    pub(super) fn compile(rule: &Rule) -> Option<Self> {
        let mut tiles = Self {
            kernel: BitKernel::compile(rule, jit::backend())?,
            sheet: TileMap::default(),
            links: Vec::new(),
            cells: TileDoubleBuffer::default(),
            now: 0,
            awake: WakeFlags::default(),
            ahead: 0,
            present: RefCell::default(),
            most_present: usize::MAX,
            ships: Ships::default(),
            threads: 1,
            cancelled_rounds: 0,
            work: Vec::new(),
            found: Vec::new(),
            touched: Vec::new(),
        };
        tiles.clear();
        Some(tiles)
    }

    /// A tile's own cells at the current generation, column 0 in bit 0.
    fn own(&self, i: u32, odd: bool) -> [u64; TALL] {
        let present = self.present.borrow();
        let own = |row: u64| (row & OWN) >> RING;
        if self.ahead > 0 && !present.is_known {
            let shown = self.present_rows(i, odd);
            return std::array::from_fn(|row| own(shown[row + RING]));
        }
        let held = match self.ahead {
            0 => self.cells.at(self.now),
            _ => &present.rows,
        };
        std::array::from_fn(|row| own(held[slot(i)].row(row + RING)))
    }

    /// Before this many tiles are read: if they are many, computes the current generation of
    /// all tiles.
    fn prepare_present(&self, tiles: usize, odd: bool) {
        let all = self.sheet.len();
        if self.ahead == 0 || tiles < all / 4 || all > self.most_present {
            return;
        }
        let mut present = self.present.borrow_mut();
        if present.is_known {
            return;
        }
        let slots: Vec<u32> = self.sheet.indices().map(|i| slot(i) as u32).collect();
        present.rows.resize(self.links.len(), BitColumn::BLANK);
        self.compute_rows(&slots, odd, &mut present.rows);
        present.is_known = true;
    }

    /// Computes the current generation of some tiles. It can be interrupted.
    fn compute_rows(&self, slots: &[u32], odd: bool, rows: &mut [BitColumn]) {
        let odd = odd ^ (self.ahead % 2 == 1);
        let round = FrontierPass {
            kernel: &self.kernel,
            phases: [phase(&self.kernel, odd), phase(&self.kernel, !odd)],
            links: &self.links,
            awake: &self.awake,
            now: self.cells.at(self.now),
            looks: false,
            generations: self.ahead,
        };
        for slots in slots.chunks(BATCH) {
            checkpoint();
            let part = FrontierPassSlice {
                slots,
                sink: self.awake.sink(0),
                start: 0,
                next: rows,
                found: &mut PassFollowUp::default(),
            };
            u64::dispatch(FrontierPassTask(&round, part));
        }
    }

    /// Sets how many generations the world is ahead of the tiles' cells.
    pub(super) fn set_ahead(&mut self, ahead: usize) {
        self.ahead = ahead;
        self.present.get_mut().is_known = false;
    }

    /// What a tile would hold if it held the present generation.
    fn present_rows(&self, i: u32, odd: bool) -> [u64; ROWS] {
        let mut rows = self.padded_rows(i);
        for left in (1..=self.ahead).rev() {
            let before = odd ^ (left % 2 == 1);
            rows = self.kernel.advance_word(phase(&self.kernel, before), &rows);
        }
        rows
    }

    /// A tile's rows with the cells that it sees around it.
    pub(super) fn padded_rows(&self, i: u32) -> [u64; ROWS] {
        let near = &self.links[slot(i)].near;
        let cells = self.cells.at(self.now);
        let [own, west, east] = [slot(i) as u32, near[3], near[4]].map(|k| &cells[k as usize]);
        let outer = outer_rows(cells, near);
        let mut seen = std::array::from_fn(|y| {
            let outside = west.row(y) >> WIDE | east.row(y) << WIDE;
            own.row(y) & OWN | outside & !OWN
        });
        seen[..RING].copy_from_slice(&outer[..RING]);
        seen[TALL + RING..].copy_from_slice(&outer[RING..]);
        seen
    }

    /// Adds an empty tile at a free position.
    pub(super) fn add(&mut self, place: (i64, i64)) -> u32 {
        self.ships.tile_added(place);
        let i = self.sheet.add(BitTile {
            near: [NONE; 8],
            place,
        });
        let slots = self.links.len();
        if slot(i) == slots {
            self.cells.push();
            self.links.push(TileLinks::default());
            self.awake.extend_to(slots + 1);
        } else {
            for which in 0..2 {
                self.cells.at_mut(which)[slot(i)] = BitColumn::BLANK;
            }
        }
        self.link(i);
        for near in self.sheet.tiles[i as usize].near {
            if near != NONE {
                self.link(near);
            }
        }
        i
    }

    /// Removes an empty tile.
    pub(super) fn remove(&mut self, i: u32) {
        let near = self.sheet.tiles[i as usize].near;
        self.sheet.remove(i);
        for near in near {
            if near != NONE {
                self.link(near);
            }
        }
    }

    /// Updates the links of a tile.
    fn link(&mut self, i: u32) {
        let near = self.sheet.tiles[i as usize].near;
        self.links[slot(i)] = TileLinks::new(slot(i), near.map(|i| slot(i) as u32));
    }

    /// Adds the missing neighbours of a tile that would see some of its cells, and wakes them.
    pub(super) fn surround(&mut self, i: u32, sides: u8) {
        for d in (0..8).filter(|d| sides >> d & 1 == 1) {
            let tile = &self.sheet.tiles[i as usize];
            if tile.near[d] == NONE && is_seen(&self.cells.at(self.now)[slot(i)], d) {
                let (x, y) = tile.place;
                let (dx, dy) = AROUND[d];
                let there = self.add((x + dx, y + dy));
                self.awake.wake(slot(there));
            }
        }
    }

    /// After a tile's cells were edited: wakes all tiles that may see it.
    pub(super) fn wake_around(&mut self, i: u32) {
        self.surround(i, u8::MAX);
        self.awake.wake(slot(i));
        for near in self.links[slot(i)].near {
            self.awake.wake(near as usize);
        }
    }

    /// The tiles that overlap `rect`, row by row.
    fn tiles_in(&self, rect: Rect) -> FoundTiles {
        if rect.is_empty() {
            return FoundTiles::new();
        }
        let tall = TALL as i64;
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        self.sheet.within(
            (rect.x.div_euclid(WIDE), right.div_euclid(WIDE)),
            (rect.y.div_euclid(tall), bottom.div_euclid(tall)),
        )
    }

    /// Advances the tiles' cells to the current generation, if they are behind it. It can be
    /// interrupted: until all tiles are done none has changed, and tiles that are awake
    /// recompute what was overwritten.
    fn finish_pending_work(&mut self, odd: bool) {
        if self.ahead == 0 {
            return;
        }
        self.prepare_present(self.sheet.len(), odd);
        let all: Vec<u32> = self.sheet.indices().collect();
        let mut checkpoints = Checkpoints::new();
        for &i in &all {
            checkpoints.step();
            let next = self.own(i, odd);
            self.awake.wake(slot(i));
            let rows = &mut self.cells.at_mut(self.now ^ 1)[slot(i)];
            for (y, row) in next.into_iter().enumerate() {
                *rows.row_mut(y + RING) = row << RING;
            }
        }
        self.set_ahead(0);
        self.now ^= 1;
        for i in all {
            self.wake_around(i);
        }
    }

    fn wake_all(&mut self) {
        for i in self.sheet.indices() {
            self.awake.wake(slot(i));
        }
    }
}

impl TilePlane for BitTiles {
    fn describe(&self) -> String {
        format!("{}, four generations at a time", self.kernel.describe())
    }

    fn tile(&self) -> (u64, u64, u64) {
        let bytes = size_of::<BitTile>() + size_of::<TileLinks>() + 2 * size_of::<BitColumn>();
        (WIDE as u64, TALL as u64, bytes as u64)
    }

    fn before_time_changes(&mut self, odd: bool) {
        if self.kernel.time_period() > 1 {
            self.finish_pending_work(odd);
            self.wake_all();
        }
    }

    fn finish_pending_work(&mut self, odd: bool) {
        self.finish_pending_work(odd);
    }

    fn get(&self, p: Point, odd: bool) -> State {
        let (place, column, row) = split(p);
        let Some(i) = self.sheet.find(place) else {
            return 0;
        };
        (self.own(i, odd)[row] >> column & 1) as State
    }

    fn reserve(&mut self, tiles: usize) {
        self.cells.reserve(tiles);
    }

    fn write(&mut self, runs: &mut CellRunSource<'_>, odd: bool) {
        self.finish_pending_work(odd);
        let (mut touched, mut checkpoints) =
            (std::mem::take(&mut self.touched), Checkpoints::new());
        touched.clear();
        let mut last = ((0, 0), NONE);
        runs(&mut |run| {
            let mut x = run.x;
            let mut left = run.length;
            while left > 0 {
                let (place, column, row) = split(Point::new(x, run.y));
                let part = left.min((WIDE as usize - column) as u64);
                checkpoints.step();
                if last.0 != place || last.1 == NONE {
                    let found = self.sheet.find(place);
                    if found.is_none() && run.state == 0 {
                        x += part as i64;
                        left -= part;
                        continue;
                    }
                    let i = found.unwrap_or_else(|| self.add(place));
                    last = (place, i);
                }
                let bits = (u64::MAX >> (64 - part)) << (column + RING);
                let word = self.cells.at_mut(self.now)[slot(last.1)].row_mut(row + RING);
                *word = if run.state == 0 {
                    *word & !bits
                } else {
                    *word | bits
                };
                if touched.last() != Some(&last.1) {
                    touched.push(last.1);
                }
                x += part as i64;
                left -= part;
            }
        });
        touched.sort_unstable();
        touched.dedup();
        for &i in &touched {
            checkpoints.step();
            self.wake_around(i);
        }
        if touched.capacity() <= KEPT_TILES {
            self.touched = touched;
        }
    }

    fn write_tree(&mut self, tree: &Tree, odd: bool) -> bool {
        self.finish_pending_work(odd);
        let mut touched = Vec::new();
        let mut last = ((0, 0), NONE);
        let is_written = tree.for_each_leaf(&mut |x, y, cells| {
            let mut row = 0;
            while row < 8 {
                // a tile is some squares wide, and one lies in it or in the one below as well
                let (place, column, top) = split(Point::new(x, y + row));
                let rows = (TALL - top).min(8 - row as usize);
                if last.0 != place || last.1 == NONE {
                    let found = self.sheet.find(place);
                    last = (place, found.unwrap_or_else(|| self.add(place)));
                    touched.push(last.1);
                }
                let tile = &mut self.cells.at_mut(self.now)[slot(last.1)];
                for k in 0..rows {
                    let bits = cells >> (8 * (row as usize + k)) & 0xff;
                    *tile.row_mut(top + k + RING) |= bits << (column + RING);
                }
                row += rows as i64;
            }
        });
        touched.sort_unstable();
        touched.dedup();
        let mut checkpoints = Checkpoints::new();
        for i in touched {
            checkpoints.step();
            self.wake_around(i);
        }
        is_written
    }

    fn advance(
        &mut self,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption> {
        if progress.left() > 0 && !self.awake.is_idle() {
            progress.check_capacity(self.sheet.len())?;
        }
        let result = self.rounds(progress);
        self.land_all();
        // a tile with its present takes half as much again
        self.most_present = progress.most / 3 * 2;
        result?;
        self.set_ahead(self.ahead + progress.left() as usize);
        progress.done(progress.left());
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let links = (self.links.capacity() * size_of::<TileLinks>()) as u64;
        let present = self.present.borrow().rows.capacity() * size_of::<BitColumn>();
        self.sheet.bytes() + self.cells.bytes() + links + present as u64
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn population(&self, odd: bool) -> u64 {
        self.prepare_present(self.sheet.len(), odd);
        let mut checkpoints = Checkpoints::new();
        let count = |i| {
            checkpoints.step();
            ones(&self.own(i, odd), u64::MAX)
        };
        self.sheet.in_order().map(count).sum()
    }

    fn bounds(&self, odd: bool) -> Option<Rect> {
        self.prepare_present(self.sheet.len(), odd);
        let mut bounds: Option<(Point, Point)> = None;
        let mut checkpoints = Checkpoints::new();
        for i in self.sheet.indices() {
            checkpoints.step();
            let (tx, ty) = self.sheet.tiles[i as usize].place;
            let (x, y) = (tx * WIDE, ty * TALL as i64);
            if let Some((a, b)) = bounds
                && x >= a.x
                && y >= a.y
                && x + WIDE - 1 <= b.x
                && y + TALL as i64 - 1 <= b.y
            {
                continue;
            }
            let rows = self.own(i, odd);
            let all = rows.iter().fold(0, |all, row| all | row);
            if all == 0 {
                continue;
            }
            let live = |row: &u64| *row != 0;
            let top = rows.iter().position(live).unwrap_or(0) as i64;
            let bottom = rows.iter().rposition(live).unwrap_or(0) as i64;
            let left = i64::from(all.trailing_zeros());
            let right = 63 - i64::from(all.leading_zeros());
            let (a, b) = bounds.unwrap_or((
                Point::new(i64::MAX, i64::MAX),
                Point::new(i64::MIN, i64::MIN),
            ));
            bounds = Some((
                Point::new(a.x.min(x + left), a.y.min(y + top)),
                Point::new(b.x.max(x + right), b.y.max(y + bottom)),
            ));
        }
        bounds.map(|(a, b)| Rect::from_corners(a, b))
    }

    fn hash(&self, odd: bool) -> CellHash {
        let mut hash = LiveHash::new();
        self.visit_rows(super::whole_plane(), odd, &mut hash);
        hash.sum()
    }

    fn visit_rows(&self, rect: Rect, odd: bool, visitor: &mut dyn LiveRowVisitor) {
        let found = self.tiles_in(rect);
        self.prepare_present(found.len(), odd);
        let place = |i: &u32| self.sheet.tiles[*i as usize].place;
        let (mut segments, mut words) = (Vec::new(), Vec::new());
        let mut checkpoints = Checkpoints::new();
        for band in found.chunk_by(|a, b| place(a).1 == place(b).1) {
            let columns = band.iter().map(|i| place(i).0 * WIDE);
            let starts = lay(columns, WIDE, &mut segments);
            let own = |i: &u32| {
                checkpoints.step();
                self.own(*i, odd)
            };
            let rows: Vec<_> = band.iter().map(own).collect();
            words.clear();
            words.resize(segments.iter().map(|s| s.words).sum(), 0);
            visitor.band(&segments);
            let top = place(&band[0]).1 * TALL as i64;
            let seen = top.max(rect.y)..(top + TALL as i64).min(rect.bottom());
            for y in seen {
                words.fill(0);
                let row = (y - top) as usize;
                for (cells, (word, bit)) in rows.iter().zip(&starts) {
                    words[*word] |= cells[row] << bit;
                    if *bit > 64 - WIDE as u32 {
                        words[word + 1] |= cells[row] >> (64 - bit);
                    }
                }
                visitor.row(y, &words);
            }
        }
    }

    fn states(&self, rect: Rect, odd: bool, states: &mut [State]) {
        self.runs(rect, odd, &mut |run| {
            let row = run.y.abs_diff(rect.y) as usize * rect.width as usize;
            let first = row + run.x.abs_diff(rect.x) as usize;
            states[first..first + run.length as usize].fill(1);
        });
    }

    fn count(&self, odd: bool, counter: &mut CoarsePixelCounter) {
        let size = (WIDE, TALL as i64);
        let mut checkpoints = Checkpoints::new();
        let mut seen = Vec::new();
        for i in self.sheet.in_order() {
            checkpoints.step();
            let (x, y) = self.sheet.tiles[i as usize].place;
            let (x, y) = (x * WIDE, y * TALL as i64);
            if counter.sees(x, y, size) {
                seen.push((i, x, y));
            }
        }
        self.prepare_present(seen.len(), odd);
        for (i, x, y) in seen {
            checkpoints.step();
            let cells = self.own(i, odd);
            counter.add(x, y, size, |columns, rows| {
                let mask = u64::MAX >> (64 - columns.len()) << columns.start;
                ones(&cells[rows], mask)
            });
        }
    }

    fn erase(&mut self, rect: Rect, odd: bool) {
        let found = self.tiles_in(rect);
        if found.is_empty() {
            return;
        }
        self.finish_pending_work(odd);
        for &i in &found {
            let (tx, ty) = self.sheet.tiles[i as usize].place;
            let corner = (tx * WIDE, ty * TALL as i64);
            let here = Rect::new(corner.0, corner.1, WIDE as u64, TALL as u64).intersection(&rect);
            let (column, row) = ((here.x - corner.0) as usize, (here.y - corner.1) as usize);
            let mask = u64::MAX >> (64 - here.width) << (column + RING);
            let rows = &mut self.cells.at_mut(self.now)[slot(i)];
            for y in row..row + here.height as usize {
                *rows.row_mut(y + RING) &= !mask;
            }
        }
        for i in found {
            self.wake_around(i);
        }
    }

    fn clear(&mut self) {
        self.sheet.clear(KEPT_TILES);
        self.cells.clear(KEPT_TILES);
        self.cells.push();
        self.links.clear();
        self.links.push(TileLinks::default());
        self.awake.clear();
        self.set_ahead(0);
        let present = self.present.get_mut();
        present.is_known = false;
        if present.rows.capacity() > KEPT_TILES {
            present.rows = Vec::new();
        }
    }

    fn pack(&self, odd: bool) -> (Vec<Point>, BlockCells) {
        self.prepare_present(self.sheet.len(), odd);
        let mut corners = Vec::new();
        let (mut words, mut checkpoints) = (Vec::new(), Checkpoints::new());
        for i in self.sheet.in_order() {
            checkpoints.step();
            let rows = self.own(i, odd);
            if rows.iter().any(|row| *row != 0) {
                let (x, y) = self.sheet.tiles[i as usize].place;
                corners.push(Point::new(x * WIDE, y * TALL as i64));
                words.extend_from_slice(&rows);
            }
        }
        (corners, BlockCells::Bits { planes: 1, words })
    }

    fn unpack(&mut self, corners: &[Point], contents: &BlockCells) -> bool {
        let BlockCells::Bits { planes: 1, words } = contents else {
            return false;
        };
        self.clear();
        self.cells.reserve(corners.len());
        let mut checkpoints = Checkpoints::new();
        for (corner, rows) in corners.iter().zip(words.chunks_exact(TALL)) {
            checkpoints.step();
            let (place, ..) = split(*corner);
            let i = self.add(place);
            let to = &mut self.cells.at_mut(self.now)[slot(i)];
            for (y, row) in rows.iter().enumerate() {
                *to.row_mut(y + RING) = row << RING;
            }
        }
        for i in 0..corners.len() as u32 {
            checkpoints.step();
            self.wake_around(i);
        }
        true
    }

    fn tiles(&self) -> usize {
        self.sheet.len()
    }

    fn runs(&self, rect: Rect, odd: bool, f: &mut dyn FnMut(Run)) {
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        let found = self.tiles_in(rect);
        self.prepare_present(found.len(), odd);
        let place = |i: &u32| self.sheet.tiles[*i as usize].place;
        let mut checkpoints = Checkpoints::new();
        for band in found.chunk_by(|a, b| place(a).1 == place(b).1) {
            let tiles: SmallVec<[(i64, [u64; TALL]); 4]> = band
                .iter()
                .map(|i| {
                    checkpoints.step();
                    (place(i).0 * WIDE, self.own(*i, odd))
                })
                .collect();
            for row in 0..TALL {
                let y = place(&band[0]).1 * TALL as i64 + row as i64;
                if y < rect.y || y > bottom {
                    continue;
                }
                let mut open: Option<Run> = None;
                for (at, rows) in &tiles {
                    let mut bits = rows[row];
                    // Columns outside the rectangle, of the tiles that it cuts.
                    if *at < rect.x {
                        bits &= u64::MAX << (rect.x - at);
                    }
                    if right.saturating_sub(*at) < WIDE {
                        bits &= u64::MAX >> (63 - (right - at));
                    }
                    while bits != 0 {
                        let from = bits.trailing_zeros();
                        let length = (bits >> from).trailing_ones();
                        bits &= !((u64::MAX >> (64 - length)) << from);
                        let x = at + i64::from(from);
                        match &mut open {
                            Some(run) if run.x + run.length as i64 == x => {
                                run.length += u64::from(length);
                            }
                            _ => {
                                let run = Run {
                                    y,
                                    x,
                                    length: length.into(),
                                    state: 1,
                                };
                                open.replace(run).into_iter().for_each(&mut *f);
                            }
                        }
                    }
                }
                open.into_iter().for_each(&mut *f);
            }
        }
    }
}

/// The position of the tile that owns a cell, and the cell's column and row in it.
pub(super) fn split(p: Point) -> ((i64, i64), usize, usize) {
    let tall = TALL as i64;
    let place = (p.x.div_euclid(WIDE), p.y.div_euclid(tall));
    let inside = (p.x.rem_euclid(WIDE), p.y.rem_euclid(tall));
    (place, inside.0 as usize, inside.1 as usize)
}

pub(super) fn phase(kernel: &BitKernel, odd: bool) -> usize {
    usize::from(odd) % kernel.time_period()
}
