//! Tiles of bits, for two-state rules of radius 1.
//!
//! A tile owns 60 x [`TALL`] cells. Around them it keeps a copy of the two nearest rings of
//! its neighbours, so that a row is one word and a tile can be moved two generations on
//! without asking anybody. Whatever is the same after two generations, and so all that
//! blinks with period 2 too, sleeps: only tiles that changed, and those whose copied rings
//! did, are stepped again. When a world stands between two pairs, the odd generation is
//! worked out tile by tile where somebody looks, and held nowhere.

use super::pair::{Pair, spread};
use super::sheet::{NONE, Sheet, Tile, lay};
use super::spots::Spots;
use super::{Plane, Progress, Runs};
use crate::Interrupted;
use crate::arch::Element;
use crate::kernel::BitKernel;
use crate::sight::{Contents, Sight, ones};
use grid::{CellHash, Point, Rect, State};
use pattern::Run;
use rule::Rule;

/// Columns that a tile owns.
const WIDE: i64 = 60;
/// Rows that a tile owns.
pub(super) const TALL: usize = 60;
/// Rows that a tile keeps: its own, and two from above and below.
pub(super) const ROWS: usize = TALL + 4;
/// The bits of the tile's own columns.
pub(super) const OWN: u64 = ((1 << WIDE) - 1) << 2;

#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct BitTile {
    /// Own cells in rows 2 to `TALL + 1`, columns in bits 2 to 61; the rest is copied.
    pub(super) rows: [u64; ROWS],
    pub(super) near: [u32; 8],
    pub(super) place: (i64, i64),
    /// Whether it will be stepped next.
    pub(super) queued: bool,
}

impl BitTile {
    pub(super) fn new(place: (i64, i64)) -> Self {
        Self {
            rows: [0; ROWS],
            near: [NONE; 8],
            place,
            queued: false,
        }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.rows.iter().fold(0, |all, row| all | row) == 0
    }
}

impl Tile for BitTile {
    fn near(&mut self) -> &mut [u32; 8] {
        &mut self.near
    }

    fn place(&self) -> (i64, i64) {
        self.place
    }
}

/// A plane of bit tiles.
#[derive(Clone, Debug)]
pub(super) struct BitTiles {
    kernel: BitKernel,
    sheet: Sheet<BitTile>,
    /// Tiles to step next.
    work: Vec<u32>,
    /// Whether the world stands one generation after what the tiles hold.
    half: bool,
    /// Scratch: tiles whose edges changed, and to which sides.
    moved: Vec<(u32, u8)>,
    /// Scratch: tiles that may have become empty.
    fallen: Vec<u32>,
}

impl BitTiles {
    pub(super) fn compile(rule: &Rule) -> Option<Self> {
        Some(Self {
            kernel: BitKernel::compile(rule)?,
            sheet: Sheet::default(),
            work: Vec::new(),
            half: false,
            moved: Vec::new(),
            fallen: Vec::new(),
        })
    }

    /// A tile's own cells at the present generation, column 0 in bit 0.
    fn own(&self, i: u32, odd: bool) -> [u64; TALL] {
        let rows = &self.sheet.tiles[i as usize].rows;
        let mut shown = [0; ROWS];
        let shown = if self.half {
            // The tiles hold the generation before this one.
            single(&self.kernel, phase(&self.kernel, !odd), rows, &mut shown);
            &shown
        } else {
            rows
        };
        std::array::from_fn(|row| (shown[row + 2] & OWN) >> 2)
    }

    /// The tiles that have cells of `rect`, row by row.
    fn found(&self, rect: Rect) -> Vec<u32> {
        if rect.is_empty() {
            return Vec::new();
        }
        let tall = TALL as i64;
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        self.sheet.within(
            (rect.x.div_euclid(WIDE), right.div_euclid(WIDE)),
            (rect.y.div_euclid(tall), bottom.div_euclid(tall)),
        )
    }

    /// Makes the tiles hold the present generation, if they hold the one before.
    fn settle(&mut self, odd: bool) {
        if !self.half {
            return;
        }
        self.half = false;
        let all: Vec<u32> = self.sheet.indices().collect();
        let phase = phase(&self.kernel, !odd);
        for i in &all {
            let tile = &mut self.sheet.tiles[*i as usize];
            let mut next = [0; ROWS];
            single(&self.kernel, phase, &tile.rows, &mut next);
            for (row, new) in tile.rows[2..TALL + 2].iter_mut().zip(&next[2..]) {
                *row = *row & !OWN | new & OWN;
            }
        }
        for i in all {
            spread(&mut self.sheet, &mut self.work, i, u8::MAX);
        }
        self.wake_all();
    }

    fn wake_all(&mut self) {
        let all: Vec<u32> = self.sheet.indices().collect();
        for i in all {
            self.wake(i);
        }
    }

    fn wake(&mut self, i: u32) {
        let tile = &mut self.sheet.tiles[i as usize];
        if !tile.queued {
            tile.queued = true;
            self.work.push(i);
        }
    }

    /// Moves the tiles two generations on, from one of the given parity.
    fn pair(&mut self, odd: bool) {
        let first = phase(&self.kernel, odd);
        let second = phase(&self.kernel, !odd);
        u64::dispatch(Pair {
            kernel: &self.kernel,
            phases: [first, second],
            sheet: &mut self.sheet,
            work: &mut self.work,
            moved: &mut self.moved,
            fallen: &mut self.fallen,
        });
        while let Some(i) = self.fallen.pop() {
            let tile = &self.sheet.tiles[i as usize];
            if !tile.queued && tile.is_blank() {
                self.sheet.remove(i);
            }
        }
    }
}

impl Plane for BitTiles {
    fn describe(&self) -> String {
        format!("{}, two generations at a time", self.kernel.describe())
    }

    fn tile(&self) -> (u64, u64, u64) {
        (WIDE as u64, TALL as u64, size_of::<BitTile>() as u64)
    }

    fn before_time_changes(&mut self, odd: bool) {
        if self.kernel.time_period() > 1 {
            self.settle(odd);
            self.wake_all();
        }
    }

    fn get(&self, p: Point, odd: bool) -> State {
        let (place, column, row) = split(p);
        let Some(i) = self.sheet.find(place) else {
            return 0;
        };
        (self.own(i, odd)[row] >> column & 1) as State
    }

    fn write(&mut self, runs: &mut Runs<'_>, odd: bool) {
        self.settle(odd);
        let mut touched = Vec::new();
        let mut last = ((0, 0), NONE);
        runs(&mut |run| {
            let mut x = run.x;
            let mut left = run.length;
            while left > 0 {
                let (place, column, row) = split(Point::new(x, run.y));
                let part = left.min((WIDE as usize - column) as u64);
                if last.0 != place || last.1 == NONE {
                    let found = self.sheet.find(place);
                    if found.is_none() && run.state == 0 {
                        x += part as i64;
                        left -= part;
                        continue;
                    }
                    let i = found.unwrap_or_else(|| self.sheet.add(BitTile::new(place)));
                    last = (place, i);
                }
                let tile = &mut self.sheet.tiles[last.1 as usize];
                let bits = (u64::MAX >> (64 - part)) << (column + 2);
                let word = &mut tile.rows[row + 2];
                *word = if run.state == 0 {
                    *word & !bits
                } else {
                    *word | bits
                };
                if !tile.queued {
                    tile.queued = true;
                    self.work.push(last.1);
                }
                if touched.last() != Some(&last.1) {
                    touched.push(last.1);
                }
                x += part as i64;
                left -= part;
            }
        });
        touched.sort_unstable();
        touched.dedup();
        for i in touched {
            spread(&mut self.sheet, &mut self.work, i, u8::MAX);
        }
    }

    fn advance(&mut self, progress: &mut Progress<'_, '_>) -> Result<(), Interrupted> {
        /// Tiles stepped between two questions: some milliseconds of work.
        const PATIENCE: u64 = 30_000;
        if progress.left() > 0 && !self.work.is_empty() {
            progress.room_for(self.sheet.len())?;
        }
        if self.half && progress.left() > 0 {
            self.pair(!progress.odd());
            self.half = false;
            progress.done(1);
        }
        let mut stepped = 0;
        while progress.left() > 1 {
            if self.work.is_empty() {
                // Nothing will ever change again but with period 2.
                progress.all_pairs_done();
                break;
            }
            progress.room_for(self.sheet.len())?;
            stepped += self.work.len() as u64 + 1;
            self.pair(progress.odd());
            progress.done(2);
            if stepped > PATIENCE {
                stepped = 0;
                progress.ask()?;
            }
        }
        if progress.left() == 1 {
            self.half = true;
            progress.done(1);
        }
        Ok(())
    }

    fn population(&self, odd: bool) -> u64 {
        let count = |i| ones(&self.own(i, odd), u64::MAX);
        self.sheet.in_order().map(count).sum()
    }

    fn bounds(&self, odd: bool) -> Option<Rect> {
        let mut bounds: Option<(Point, Point)> = None;
        for i in self.sheet.indices() {
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
        let mut places = Vec::with_capacity(WIDE as usize * TALL);
        for y in 0..TALL as i64 {
            let mut cell = CellHash::cell(0, y, 1);
            for _ in 0..WIDE {
                places.push(cell);
                cell = cell.shifted(1, 0);
            }
        }
        let mut sum = CellHash::EMPTY;
        for i in self.sheet.indices() {
            let mut tile = CellHash::EMPTY;
            for (row, places) in self
                .own(i, odd)
                .into_iter()
                .zip(places.chunks(WIDE as usize))
            {
                let mut bits = row;
                while bits != 0 {
                    tile += places[bits.trailing_zeros() as usize];
                    bits &= bits - 1;
                }
            }
            if tile != CellHash::EMPTY {
                let (x, y) = self.sheet.tiles[i as usize].place;
                sum += tile.shifted(x * WIDE, y * TALL as i64);
            }
        }
        sum
    }

    fn show(&self, rect: Rect, odd: bool, sight: &mut dyn Sight) {
        let found = self.found(rect);
        let place = |i: &u32| self.sheet.tiles[*i as usize].place;
        let (mut stretches, mut words) = (Vec::new(), Vec::new());
        for band in found.chunk_by(|a, b| place(a).1 == place(b).1) {
            let columns = band.iter().map(|i| place(i).0 * WIDE);
            let starts = lay(columns, WIDE, &mut stretches);
            let rows: Vec<_> = band.iter().map(|i| self.own(*i, odd)).collect();
            words.clear();
            words.resize(stretches.iter().map(|s| s.words).sum(), 0);
            sight.band(&stretches);
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
                sight.row(y, &words);
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

    fn count(&self, odd: bool, spots: &mut Spots) {
        let size = (WIDE, TALL as i64);
        for i in self.sheet.in_order() {
            let (x, y) = self.sheet.tiles[i as usize].place;
            let (x, y) = (x * WIDE, y * TALL as i64);
            if !spots.sees(x, y, size) {
                continue;
            }
            let cells = self.own(i, odd);
            spots.add(x, y, size, |columns, rows| {
                let mask = u64::MAX >> (64 - columns.len()) << columns.start;
                ones(&cells[rows], mask)
            });
        }
    }

    fn erase(&mut self, rect: Rect, odd: bool) {
        let found = self.found(rect);
        if found.is_empty() {
            return;
        }
        self.settle(odd);
        for &i in &found {
            let tile = &mut self.sheet.tiles[i as usize];
            let corner = (tile.place.0 * WIDE, tile.place.1 * TALL as i64);
            let here = Rect::new(corner.0, corner.1, WIDE as u64, TALL as u64).intersection(&rect);
            let (column, row) = (here.x - corner.0, (here.y - corner.1) as usize);
            let mask = u64::MAX >> (64 - here.width) << (column + 2);
            for cells in &mut tile.rows[row + 2..row + 2 + here.height as usize] {
                *cells &= !mask;
            }
            self.wake(i);
        }
        for i in found {
            spread(&mut self.sheet, &mut self.work, i, u8::MAX);
        }
    }

    fn clear(&mut self) {
        self.sheet = Sheet::default();
        self.work.clear();
        self.half = false;
    }

    fn pack(&self, odd: bool) -> (Vec<Point>, Contents) {
        let mut corners = Vec::new();
        let mut words = Vec::new();
        for i in self.sheet.in_order() {
            let rows = self.own(i, odd);
            if rows.iter().any(|row| *row != 0) {
                let (x, y) = self.sheet.tiles[i as usize].place;
                corners.push(Point::new(x * WIDE, y * TALL as i64));
                words.extend_from_slice(&rows);
            }
        }
        (corners, Contents::Bits { planes: 1, words })
    }

    fn unpack(&mut self, corners: &[Point], contents: &Contents) -> bool {
        let Contents::Bits { planes: 1, words } = contents else {
            return false;
        };
        self.clear();
        for (corner, rows) in corners.iter().zip(words.chunks_exact(TALL)) {
            let (place, ..) = split(*corner);
            let mut tile = BitTile::new(place);
            for (to, row) in tile.rows[2..TALL + 2].iter_mut().zip(rows) {
                *to = row << 2;
            }
            self.sheet.add(tile);
        }
        for i in 0..corners.len() as u32 {
            spread(&mut self.sheet, &mut self.work, i, u8::MAX);
        }
        self.wake_all();
        true
    }

    fn tiles(&self) -> usize {
        self.sheet.len()
    }

    fn runs(&self, rect: Rect, odd: bool, f: &mut dyn FnMut(Run)) {
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        let found = self.found(rect);
        let place = |i: &u32| self.sheet.tiles[*i as usize].place;
        for band in found.chunk_by(|a, b| place(a).1 == place(b).1) {
            let tiles: Vec<_> = band
                .iter()
                .map(|i| (place(i).0 * WIDE, self.own(*i, odd)))
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

/// The tile that holds a cell, and its column and row there.
fn split(p: Point) -> ((i64, i64), usize, usize) {
    let tall = TALL as i64;
    let place = (p.x.div_euclid(WIDE), p.y.div_euclid(tall));
    let inside = (p.x.rem_euclid(WIDE), p.y.rem_euclid(tall));
    (place, inside.0 as usize, inside.1 as usize)
}

fn phase(kernel: &BitKernel, odd: bool) -> usize {
    usize::from(odd) % kernel.time_period()
}

/// One generation on: all but the outermost ring of `next` is right.
fn single(kernel: &BitKernel, phase: usize, rows: &[u64; ROWS], next: &mut [u64; ROWS]) {
    let west = rows.map(|row| row << 1);
    let east = rows.map(|row| row >> 1);
    kernel.column(phase, &west, rows, &east, &mut next[1..ROWS - 1]);
}
