//! Tiles of bytes, for the rules that bit tiles do not take: more than two states, larger
//! radius, cells that follow the colour of a checkerboard.
//!
//! A tile holds the last two generations, by parity. A cell that sees only cells that are
//! as they were two generations ago will be as it was one generation ago, which is what
//! the other buffer already holds; so only the box of cells within reach of a change is
//! worked out, and a world of period 1 or 2 sleeps.

use super::sheet::{AROUND, NONE, Sheet, Tile};
use super::{Progress, Runs};
use crate::Interrupted;
use crate::kernel::CellKernel;
use grid::{CellHash, Point, Rect, State};
use pattern::Run;
use rule::Rule;
use std::ops::Range;

#[derive(Clone, Debug)]
struct ByteTile {
    /// The last two generations, `side * side` states each, row by row.
    cells: [Box<[State]>; 2],
    near: [u32; 8],
    place: (i64, i64),
    /// Cells that differ from two generations ago.
    changed: Patch,
    /// Cells to work out in this step.
    due: Patch,
}

impl Tile for ByteTile {
    fn near(&mut self) -> &mut [u32; 8] {
        &mut self.near
    }

    fn place(&self) -> (i64, i64) {
        self.place
    }
}

/// A rectangle of a tile's cells; empty when `right <= left`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Patch {
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl Patch {
    fn cell(x: i32, y: i32) -> Self {
        Self {
            left: x,
            top: y,
            right: x + 1,
            bottom: y + 1,
        }
    }

    fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    fn join(self, other: Self) -> Self {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    fn meet(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    fn grown(self, by: i32) -> Self {
        Self {
            left: self.left - by,
            top: self.top - by,
            right: self.right + by,
            bottom: self.bottom + by,
        }
    }

    fn moved(self, dx: i32, dy: i32) -> Self {
        Self {
            left: self.left + dx,
            top: self.top + dy,
            right: self.right + dx,
            bottom: self.bottom + dy,
        }
    }

    fn width(self) -> usize {
        (self.right - self.left) as usize
    }

    fn height(self) -> usize {
        (self.bottom - self.top) as usize
    }

    fn rows(self) -> Range<i32> {
        self.top..self.bottom
    }
}

/// A plane of byte tiles.
#[derive(Clone, Debug)]
pub(super) struct ByteTiles {
    kernel: CellKernel,
    time_period: usize,
    /// Columns and rows of a tile: at least twice the radius.
    side: i32,
    sheet: Sheet<ByteTile>,
    /// Which buffer holds the present.
    now: usize,
    /// Tiles with changed cells.
    changed: Vec<u32>,
    /// Cells that were written from outside: what they would be by the rule is not known,
    /// so they are worked out twice, whatever they see. In the next step, the first does
    /// it as they count as changed; these wait for the step after it.
    written: Vec<(u32, Patch)>,
    /// Those of the step before.
    written_before: Vec<(u32, Patch)>,
    /// Steps until the plane is next searched for empty tiles.
    until_sweep: usize,
    padded: Vec<State>,
    next: Vec<State>,
}

impl ByteTiles {
    pub(super) fn describe(&self) -> String {
        self.kernel.describe()
    }

    /// A tile's width in cells, and the bytes that it takes: two generations of it.
    pub(super) fn tile(&self) -> (u64, u64) {
        let side = self.side as u64;
        (side, 2 * side * side)
    }

    pub(super) fn compile(rule: &Rule) -> Self {
        let kernel = CellKernel::compile(rule);
        // With tiles of twice the radius a cell sees no further than the next tile, and
        // the margin at most quadruples what must be gathered.
        let side = (2 * kernel.radius() as usize).next_power_of_two().max(64);
        Self {
            time_period: rule.time_period(),
            kernel,
            side: side as i32,
            sheet: Sheet::default(),
            now: 0,
            changed: Vec::new(),
            written: Vec::new(),
            written_before: Vec::new(),
            until_sweep: 0,
            padded: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Before the parity of time is changed from outside.
    pub(super) fn before_time_changes(&mut self) {
        if self.time_period > 1 {
            for i in self.sheet.indices().collect::<Vec<_>>() {
                self.wake(i, self.whole());
            }
        }
    }

    pub(super) fn get(&self, p: Point) -> State {
        let (place, x, y) = self.split(p);
        let Some(i) = self.sheet.find(place) else {
            return 0;
        };
        self.sheet.tiles[i as usize].cells[self.now][y * self.side as usize + x]
    }

    /// Sets cells to states, as runs.
    pub(super) fn write(&mut self, runs: &mut Runs<'_>) {
        runs(&mut |run| {
            let (mut x, mut left) = (run.x, run.length);
            while left > 0 {
                let (place, column, row) = self.split(Point::new(x, run.y));
                let part = left.min((self.side as usize - column) as u64);
                self.write_part(place, column, row, part as usize, run.state);
                x += part as i64;
                left -= part;
            }
        });
    }

    fn write_part(&mut self, place: (i64, i64), x: usize, y: usize, length: usize, state: State) {
        let Some(i) = self
            .sheet
            .find(place)
            .or_else(|| (state != 0).then(|| self.add(place)))
        else {
            return;
        };
        let from = y * self.side as usize + x;
        self.sheet.tiles[i as usize].cells[self.now][from..from + length].fill(state);
        let mut patch = Patch::cell(x as i32, y as i32);
        patch.right = (x + length) as i32;
        self.wake(i, patch);
    }

    /// Counts cells as changed, and as written from outside.
    fn wake(&mut self, i: u32, patch: Patch) {
        let tile = &mut self.sheet.tiles[i as usize];
        if tile.changed.is_empty() {
            self.changed.push(i);
        }
        tile.changed = tile.changed.join(patch);
        match self.written.last_mut() {
            Some((last, joined)) if *last == i => *joined = joined.join(patch),
            _ => self.written.push((i, patch)),
        }
    }

    fn add(&mut self, place: (i64, i64)) -> u32 {
        let cells = vec![0; (self.side * self.side) as usize].into_boxed_slice();
        self.sheet.add(ByteTile {
            cells: [cells.clone(), cells],
            near: [NONE; 8],
            place,
            changed: Patch::default(),
            due: Patch::default(),
        })
    }

    pub(super) fn advance(&mut self, progress: &mut Progress<'_, '_>) -> Result<(), Interrupted> {
        /// Cells gathered between two questions: some milliseconds of work.
        const PATIENCE: usize = 1 << 20;
        let mut work = 0;
        while progress.left() > 0 {
            if self.changed.is_empty() && self.written.is_empty() && self.written_before.is_empty()
            {
                // Nothing will ever change again but with period 2.
                progress.all_pairs_done();
                if progress.left() == 1 {
                    progress.done(1);
                    self.now ^= 1;
                }
                break;
            }
            work += self.step(progress.odd()) + 1;
            progress.done(1);
            if work > PATIENCE {
                work = 0;
                progress.ask()?;
            }
        }
        Ok(())
    }

    /// One generation on, from one of the given parity. Returns how many cells were looked
    /// at.
    fn step(&mut self, odd: bool) -> usize {
        if self.until_sweep == 0 {
            self.sweep();
            self.until_sweep = 64.max(self.sheet.len() / 64);
        }
        self.until_sweep -= 1;
        let due = self.due();
        let mut work = 0;
        for i in due {
            work += self.step_tile(i, odd);
        }
        self.now ^= 1;
        work
    }

    /// Collects what must be worked out in this step: all within reach of a change.
    fn due(&mut self) -> Vec<u32> {
        let (side, whole) = (self.side, self.whole());
        let reach = self.kernel.radius() as i32;
        let mut due = Vec::new();
        let mut want = |tile: &mut ByteTile, i: u32, patch: Patch| {
            if tile.due.is_empty() {
                due.push(i);
            }
            tile.due = tile.due.join(patch);
        };
        for (i, patch) in std::mem::take(&mut self.written_before) {
            want(&mut self.sheet.tiles[i as usize], i, patch);
        }
        self.written_before = std::mem::take(&mut self.written);
        for i in std::mem::take(&mut self.changed) {
            let tile = &mut self.sheet.tiles[i as usize];
            let changed = std::mem::take(&mut tile.changed);
            let grown = changed.grown(reach);
            want(tile, i, grown.meet(whole));
            for (d, (dx, dy)) in AROUND.into_iter().enumerate() {
                let (dx, dy) = (dx as i32 * side, dy as i32 * side);
                let patch = grown.moved(-dx, -dy).meet(whole);
                if patch.is_empty() {
                    continue;
                }
                let tile = &self.sheet.tiles[i as usize];
                let mut there = tile.near[d];
                if there == NONE {
                    // What of this tile the one that is not there could see.
                    let seen = whole.moved(dx, dy).grown(reach).meet(whole);
                    let now = &tile.cells[self.now];
                    let live = |y: i32| now[span(side, seen, y)].iter().any(|s| *s != 0);
                    if !seen.rows().any(live) {
                        continue;
                    }
                    let (x, y) = tile.place;
                    there = self.add((x + AROUND[d].0, y + AROUND[d].1));
                }
                want(&mut self.sheet.tiles[there as usize], there, patch);
            }
        }
        due
    }

    fn step_tile(&mut self, i: u32, odd: bool) -> usize {
        let tile = &mut self.sheet.tiles[i as usize];
        let due = std::mem::take(&mut tile.due);
        let (tx, ty) = tile.place;
        let mut padded = std::mem::take(&mut self.padded);
        let mut next = std::mem::take(&mut self.next);
        self.gather(i, due.grown(self.kernel.radius() as i32), &mut padded);
        next.clear();
        next.resize(due.width() * due.height(), 0);
        let side = i64::from(self.side);
        let origin = Point::new(
            tx * side + i64::from(due.left),
            ty * side + i64::from(due.top),
        );
        let generation = u64::from(odd);
        let (width, height) = (due.width(), due.height());
        self.kernel
            .step(generation, origin, width, height, &padded, &mut next);

        let tile = &mut self.sheet.tiles[i as usize];
        let then = &mut tile.cells[self.now ^ 1];
        let mut changed = Patch::default();
        for (y, new) in due.rows().zip(next.chunks(width)) {
            let old = &mut then[span(self.side, due, y)];
            let Some((first, last)) = differing(old, new) else {
                continue;
            };
            changed = changed.join(Patch {
                left: due.left + first as i32,
                right: due.left + last as i32 + 1,
                top: y,
                bottom: y + 1,
            });
            old.copy_from_slice(new);
        }
        tile.changed = changed;
        if !changed.is_empty() {
            self.changed.push(i);
        }
        let work = padded.len();
        self.padded = padded;
        self.next = next;
        work
    }

    /// Copies the present states of a patch that may reach into the tiles around.
    fn gather(&self, i: u32, patch: Patch, padded: &mut Vec<State>) {
        padded.clear();
        padded.resize(patch.width() * patch.height(), 0);
        let (side, whole) = (self.side, self.whole());
        let tile = &self.sheet.tiles[i as usize];
        let around = AROUND.into_iter().zip(tile.near);
        for ((dx, dy), there) in around.chain([((0, 0), i)]) {
            if there == NONE {
                continue;
            }
            let (dx, dy) = (dx as i32 * side, dy as i32 * side);
            let part = patch.moved(-dx, -dy).meet(whole);
            if part.is_empty() {
                continue;
            }
            let from = &self.sheet.tiles[there as usize].cells[self.now];
            let column = (part.left + dx - patch.left) as usize;
            for y in part.rows() {
                let row = (y + dy - patch.top) as usize;
                let at = row * patch.width() + column;
                padded[at..at + part.width()].copy_from_slice(&from[span(side, part, y)]);
            }
        }
    }

    /// Drops the tiles that are empty in both generations and that no cell can come to
    /// life in before one around changes.
    fn sweep(&mut self) {
        let mut busy = vec![false; self.sheet.tiles.len()];
        let written = self.written.iter().chain(&self.written_before);
        for i in written.map(|(i, _)| i).chain(&self.changed) {
            busy[*i as usize] = true;
        }
        let mut empty = vec![false; self.sheet.tiles.len()];
        for i in self.sheet.indices() {
            let buffers = &self.sheet.tiles[i as usize].cells;
            empty[i as usize] = buffers.iter().all(|b| b.iter().all(|s| *s == 0));
        }
        for i in self.sheet.indices().collect::<Vec<_>>() {
            let quiet = |i: u32| i == NONE || (empty[i as usize] && !busy[i as usize]);
            let near = self.sheet.tiles[i as usize].near;
            if quiet(i) && near.into_iter().all(quiet) {
                self.sheet.remove(i);
            }
        }
    }

    pub(super) fn population(&self) -> u64 {
        let count = |i: u32| {
            let cells = &self.sheet.tiles[i as usize].cells[self.now];
            cells.iter().filter(|s| **s != 0).count() as u64
        };
        self.sheet.indices().map(count).sum()
    }

    pub(super) fn bounds(&self) -> Option<Rect> {
        let side = i64::from(self.side);
        let mut bounds: Option<Rect> = None;
        for i in self.sheet.indices() {
            let tile = &self.sheet.tiles[i as usize];
            let (x, y) = (tile.place.0 * side, tile.place.1 * side);
            let mut patch = Patch::default();
            for (row, cells) in (0..).zip(tile.cells[self.now].chunks(self.side as usize)) {
                let live = |s: &State| *s != 0;
                let (Some(first), Some(last)) =
                    (cells.iter().position(live), cells.iter().rposition(live))
                else {
                    continue;
                };
                patch = patch.join(Patch {
                    left: first as i32,
                    right: last as i32 + 1,
                    top: row,
                    bottom: row + 1,
                });
            }
            if !patch.is_empty() {
                let here = Rect::new(
                    x + i64::from(patch.left),
                    y + i64::from(patch.top),
                    patch.width() as u64,
                    patch.height() as u64,
                );
                bounds = Some(bounds.map_or(here, |b| b.union(&here)));
            }
        }
        bounds
    }

    /// The hash of all cells, relative to the origin.
    pub(super) fn hash(&self) -> CellHash {
        let mut sum = CellHash::EMPTY;
        self.runs(super::everywhere(), &mut |run| {
            sum += CellHash::run(run.x, run.y, run.length, run.state);
        });
        sum
    }

    /// The live cells as runs, cut to `rect`, row by row and left to right.
    pub(super) fn runs(&self, rect: Rect, f: &mut dyn FnMut(Run)) {
        if rect.is_empty() {
            return;
        }
        let side = i64::from(self.side);
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        let found = self.sheet.within(
            (rect.x.div_euclid(side), right.div_euclid(side)),
            (rect.y.div_euclid(side), bottom.div_euclid(side)),
        );
        let tile = |i: &u32| &self.sheet.tiles[*i as usize];
        for band in found.chunk_by(|a, b| tile(a).place.1 == tile(b).place.1) {
            let top = tile(&band[0]).place.1 * side;
            for y in top.max(rect.y)..=bottom.min(top + side - 1) {
                let mut open: Option<Run> = None;
                for i in band {
                    let at = tile(i).place.0 * side;
                    let start = ((y - top) * side) as usize;
                    let row = &tile(i).cells[self.now][start..start + side as usize];
                    let from = if at < rect.x { rect.x - at } else { 0 };
                    let to = right.saturating_sub(at).saturating_add(1).min(side);
                    let mut x = at + from;
                    for part in row[from as usize..to as usize].chunk_by(|a, b| a == b) {
                        let length = part.len() as u64;
                        let state = part[0];
                        match &mut open {
                            _ if state == 0 => {}
                            Some(run) if run.x + run.length as i64 == x && run.state == state => {
                                run.length += length;
                            }
                            _ => {
                                let run = Run {
                                    y,
                                    x,
                                    length,
                                    state,
                                };
                                open.replace(run).into_iter().for_each(&mut *f);
                            }
                        }
                        x += length as i64;
                    }
                }
                open.into_iter().for_each(&mut *f);
            }
        }
    }

    /// All cells of a tile.
    fn whole(&self) -> Patch {
        Patch {
            left: 0,
            top: 0,
            right: self.side,
            bottom: self.side,
        }
    }

    /// The tile that holds a cell, and its column and row there.
    fn split(&self, p: Point) -> ((i64, i64), usize, usize) {
        let side = i64::from(self.side);
        let place = (p.x.div_euclid(side), p.y.div_euclid(side));
        let inside = (p.x.rem_euclid(side), p.y.rem_euclid(side));
        (place, inside.0 as usize, inside.1 as usize)
    }
}

/// Where the cells of a patch in row `y` stand in a buffer.
fn span(side: i32, patch: Patch, y: i32) -> Range<usize> {
    let start = (y * side) as usize;
    start + patch.left as usize..start + patch.right as usize
}

/// The first and the last place where two rows differ.
fn differing(old: &[State], new: &[State]) -> Option<(usize, usize)> {
    /// Compared at once.
    const CHUNK: usize = 32;
    let mut pieces = old.chunks(CHUNK).zip(new.chunks(CHUNK));
    let first = pieces.clone().position(|(a, b)| a != b)?;
    let last = pieces.rposition(|(a, b)| a != b)?;
    let cell = |(a, b): (&State, &State)| a != b;
    let inside = |chunk: usize| {
        let range = chunk * CHUNK..old.len().min((chunk + 1) * CHUNK);
        old[range.clone()].iter().zip(&new[range])
    };
    let first = first * CHUNK + inside(first).position(cell)?;
    Some((first, last * CHUNK + inside(last).rposition(cell)?))
}
