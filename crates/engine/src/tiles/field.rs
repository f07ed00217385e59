//! A plane of tiles that hold the last two generations, whatever their cells are made of.
//!
//! A cell that sees only cells that are as they were two generations ago will be as it was
//! one generation ago, which is what the other buffer already holds; so only the box of
//! cells within reach of a change is worked out, and a world of period 1 or 2 sleeps.
//!
//! A world with edges is the same plane. Where edges are joined, the cells just outside
//! are *ghosts*: they are never worked out, but follow the cells that are seen there, so
//! that they change, wake others and sleep as all cells do. Cost follows what changes,
//! never the area or the length of an edge.
//!
//! Own method; the box of changes replaces a list of changed cells.

use super::coarse_pixels::CoarsePixelCounter;
use super::edges::TileEdges;
use super::map::{AROUND, FoundTiles, LinkedTile, NONE, TileMap, lay};
use super::prints::TilePrints;
use super::rect::TileRect;
use super::{AdvanceProgress, CellRunSource, TilePlane};
use crate::AdvanceInterruption;
use crate::fingerprint::Fingerprint;
use crate::query::{BlockCells, LiveRowVisitor, mask};
use grid::{CellHash, Point, Rect, State};
use pattern::Run;
use pattern::interrupt::Checkpoints;
use rule::Topology;
use std::fmt::Debug;
use std::ops::Range;

/// The representation of a tile's cells, and their kernel.
pub(super) trait TileCells: Clone + Debug + Send {
    /// One generation of a tile. The default is a placeholder that holds nothing.
    type Cells: Clone + Debug + Default + Send;

    /// Columns and rows of a tile: even, and at least twice the reach.
    fn size(&self) -> (i32, i32);

    /// The radius of the rule.
    fn reach(&self) -> i32;

    /// The period of the rule in generations.
    fn time_period(&self) -> usize;

    /// Describes the kernel.
    fn describe(&self) -> String;

    /// Bytes of one generation of a tile.
    fn bytes(&self) -> u64;

    /// A tile without a live cell.
    fn blank(&self) -> Self::Cells;

    fn get(&self, cells: &Self::Cells, x: usize, y: usize) -> State;

    /// Sets some cells of a row.
    fn fill(&self, cells: &mut Self::Cells, columns: Range<usize>, y: usize, state: State);

    /// Whether any cell of a patch is live.
    fn is_live(&self, cells: &Self::Cells, patch: TileRect) -> bool;

    /// The live cells of a part of a row as runs, from left to right: column, length and
    /// state. Those of one state that touch may come in parts.
    fn runs(
        &self,
        cells: &Self::Cells,
        columns: Range<usize>,
        y: usize,
        f: &mut dyn FnMut(usize, usize, State),
    );

    /// The live cells of a row: bit b of word w is cell 64 w + b.
    fn live_words(&self, cells: &Self::Cells, y: usize, words: &mut [u64]);

    /// The states of a part of a row.
    fn states(&self, cells: &Self::Cells, columns: Range<usize>, y: usize, states: &mut [State]);

    /// Nothing packed.
    fn no_contents(&self) -> BlockCells;

    /// Appends all cells of a tile, without those outside a patch.
    fn pack(&self, cells: &Self::Cells, inside: TileRect, contents: &mut BlockCells);

    /// What of one of the tiles in `contents`. None if it holds no such tiles.
    fn unpack(&self, contents: &BlockCells, tile: usize) -> Option<Self::Cells>;

    /// How many cells of a patch are live.
    fn population(&self, cells: &Self::Cells, patch: TileRect) -> u64;

    /// The box around the live cells of a patch.
    fn bounds(&self, cells: &Self::Cells, patch: TileRect) -> TileRect;

    /// Works out the cells of a patch, and writes them over what is in `then`. `corner` is
    /// the world cell at the tile's top left, `generation` the one that is left. Returns
    /// the box of those that differ from what they were.
    fn step(
        &mut self,
        seen: &TileNeighbourhood<'_, Self::Cells>,
        then: &mut Self::Cells,
        due: TileRect,
        corner: Point,
        generation: u64,
    ) -> TileRect;
}

/// A tile and the eight around it, row by row; the tile itself is in the middle.
pub(super) type TileNeighbourhood<'a, C> = [Option<&'a C>; 9];

#[derive(Clone, Debug)]
struct FieldTile<C> {
    /// The last two generations.
    cells: [C; 2],
    near: [u32; 8],
    place: (i64, i64),
    /// Its cells that lie on the grid.
    inside: TileRect,
    /// Cells that differ from two generations ago.
    changed: TileRect,
    /// Cells to work out in this step.
    due: TileRect,
}

impl<C> LinkedTile for FieldTile<C> {
    fn near(&mut self) -> &mut [u32; 8] {
        &mut self.near
    }

    fn place(&self) -> (i64, i64) {
        self.place
    }
}

/// Cells computed between two polls: some milliseconds of work.
const PATIENCE: usize = 1 << 19;

/// A plane of such tiles.
#[derive(Clone, Debug)]
pub(super) struct TileField<F: TileCells> {
    fabric: F,
    edges: TileEdges,
    /// Columns and rows of a tile.
    size: (i32, i32),
    sheet: TileMap<FieldTile<F::Cells>>,
    /// Which buffer holds the present.
    now: usize,
    /// Tiles with changed cells.
    changed: Vec<u32>,
    /// Cells that were written from outside: what they would be by the rule is not known,
    /// so they are worked out twice, whatever they see. In the next step, the first does
    /// it as they count as changed; these wait for the step after it.
    written: Vec<(u32, TileRect)>,
    /// Those of the step before.
    written_before: Vec<(u32, TileRect)>,
    /// Cells that the step under way works out, and of how many tiles it has. Nothing is due
    /// between two steps.
    due: Vec<(u32, TileRect)>,
    done: usize,
    /// What had changed when a step was given up. It is written over by then, so that who
    /// works it out again sees no change.
    lost: Vec<(u32, TileRect)>,
    /// Steps until the plane is next searched for empty tiles.
    until_sweep: usize,
    /// Scratch: ghosts, and the states that they are to show.
    ghosts: Vec<(Point, State)>,
    /// Fingerprints, from the first time on that they are asked for.
    prints: Option<TilePrints>,
}

impl<F: TileCells> TileField<F> {
    pub(super) fn new(fabric: F, topology: Topology) -> Self {
        Self {
            edges: TileEdges::new(topology, fabric.reach()),
            size: fabric.size(),
            fabric,
            sheet: TileMap::default(),
            now: 0,
            changed: Vec::new(),
            written: Vec::new(),
            written_before: Vec::new(),
            due: Vec::new(),
            done: 0,
            lost: Vec::new(),
            until_sweep: 0,
            ghosts: Vec::new(),
            prints: None,
        }
    }

    fn write_part(&mut self, place: (i64, i64), x: usize, y: usize, length: usize, state: State) {
        let Some(i) = self
            .sheet
            .find(place)
            .or_else(|| (state != 0).then(|| self.add(place)))
        else {
            return;
        };
        let cells = &mut self.sheet.tiles[i as usize].cells[self.now];
        self.fabric.fill(cells, x..x + length, y, state);
        let patch = TileRect {
            left: x as i32,
            top: y as i32,
            right: (x + length) as i32,
            bottom: y as i32 + 1,
        };
        self.wake(i, patch);
        if self.edges.are_joined() {
            self.cast(i, patch, self.now);
        }
    }

    /// Copies the cells of a tile to their ghosts, in one of the two buffers.
    fn cast(&mut self, i: u32, patch: TileRect, buffer: usize) {
        let tile = &self.sheet.tiles[i as usize];
        let patch = patch.meet(tile.inside);
        if patch.is_empty() {
            return;
        }
        let corner = self.corner(i);
        let here = Rect::new(
            corner.x + i64::from(patch.left),
            corner.y + i64::from(patch.top),
            patch.width() as u64,
            patch.height() as u64,
        );
        let mut ghosts = std::mem::take(&mut self.ghosts);
        for band in self.edges.bands(here) {
            for y in band.y..band.bottom() {
                for x in band.x..band.right() {
                    let at = ((x - corner.x) as usize, (y - corner.y) as usize);
                    let state = self.fabric.get(&tile.cells[buffer], at.0, at.1);
                    let p = Point::new(x, y);
                    self.edges.images(p, &mut |q| ghosts.push((q, state)));
                }
            }
        }
        for (p, state) in ghosts.drain(..) {
            let (place, x, y) = self.split(p);
            let there = match self.sheet.find(place) {
                Some(there) => there,
                None if state == 0 => continue,
                None => self.add(place),
            };
            let cells = &mut self.sheet.tiles[there as usize].cells[buffer];
            if self.fabric.get(cells, x, y) == state {
                continue;
            }
            self.fabric.fill(cells, x..x + 1, y, state);
            let patch = TileRect {
                left: x as i32,
                top: y as i32,
                right: x as i32 + 1,
                bottom: y as i32 + 1,
            };
            self.note(there, patch);
        }
        self.ghosts = ghosts;
    }

    /// Marks cells as changed, and as edited.
    fn wake(&mut self, i: u32, patch: TileRect) {
        self.note(i, patch);
        match self.written.last_mut() {
            Some((last, joined)) if *last == i => *joined = joined.join(patch),
            _ => self.written.push((i, patch)),
        }
    }

    /// Marks cells as changed.
    fn note(&mut self, i: u32, patch: TileRect) {
        if let Some(prints) = &mut self.prints {
            prints.invalidate(i);
        }
        let tile = &mut self.sheet.tiles[i as usize];
        if tile.changed.is_empty() {
            self.changed.push(i);
        }
        tile.changed = tile.changed.join(patch);
    }

    fn add(&mut self, place: (i64, i64)) -> u32 {
        self.sheet.add(FieldTile {
            cells: [self.fabric.blank(), self.fabric.blank()],
            near: [NONE; 8],
            place,
            inside: self.edges.inside(self.top_left(place), self.size),
            changed: TileRect::default(),
            due: TileRect::default(),
        })
    }

    /// One generation on, from one of the given parity, or the rest of it. `work` counts the
    /// cells that were worked out since it was asked whether to go on.
    fn step(
        &mut self,
        work: &mut usize,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption> {
        if self.due.is_empty() {
            if self.until_sweep == 0 {
                self.sweep();
                self.until_sweep = 64.max(self.sheet.len() / 64);
            }
            self.until_sweep -= 1;
            self.due = self.collect_due();
            self.done = 0;
        }
        while let Some(&(i, patch)) = self.due.get(self.done) {
            if *work > PATIENCE {
                *work = 0;
                progress.poll()?;
            }
            self.step_tile(i, patch, progress.odd());
            self.done += 1;
            let cells = patch.width() * patch.height();
            *work += cells;
            progress.worked += cells as u64;
            progress.work += cells as u64;
        }
        self.due.clear();
        for (i, changed) in std::mem::take(&mut self.lost) {
            self.note(i, changed);
        }
        if self.edges.are_joined() {
            for k in 0..self.changed.len() {
                let i = self.changed[k];
                let changed = self.sheet.tiles[i as usize].changed;
                self.cast(i, changed, self.now ^ 1);
            }
        }
        self.now ^= 1;
        Ok(())
    }

    /// Whether all that is left has period 1 or 2.
    fn is_still(&self) -> bool {
        let written = [&self.written, &self.written_before, &self.due];
        self.changed.is_empty() && written.into_iter().all(Vec::is_empty)
    }

    /// Before cells are edited while a generation is partly computed: marks its cells for
    /// recomputation.
    fn give_up_step(&mut self) {
        if self.due.is_empty() {
            return;
        }
        for i in self.changed.drain(..) {
            let changed = &mut self.sheet.tiles[i as usize].changed;
            self.lost.push((i, std::mem::take(changed)));
        }
        // As if all that is due had been written a generation ago.
        self.written = std::mem::take(&mut self.written_before);
        self.written_before = std::mem::take(&mut self.due);
    }

    /// Collects what must be worked out in this step: all within reach of a change.
    fn collect_due(&mut self) -> Vec<(u32, TileRect)> {
        let (wide, tall) = self.size;
        let whole = TileRect::whole(self.size);
        let reach = self.fabric.reach();
        let mut due = Vec::new();
        let mut want = |tile: &mut FieldTile<F::Cells>, i: u32, patch: TileRect| {
            let patch = patch.meet(tile.inside);
            if patch.is_empty() {
                return;
            }
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
            if grown.meet(whole) == grown {
                continue;
            }
            for (d, (dx, dy)) in AROUND.into_iter().enumerate() {
                let (dx, dy) = (dx as i32 * wide, dy as i32 * tall);
                let patch = grown.moved(-dx, -dy).meet(whole);
                if patch.is_empty() {
                    continue;
                }
                let tile = &self.sheet.tiles[i as usize];
                let mut there = tile.near[d];
                if there == NONE {
                    // What of this tile the one that is not there could see.
                    let seen = whole.moved(dx, dy).grown(reach).meet(whole);
                    if !self.fabric.is_live(&tile.cells[self.now], seen) {
                        continue;
                    }
                    let (x, y) = tile.place;
                    let place = (x + AROUND[d].0, y + AROUND[d].1);
                    let inside = self.edges.inside(self.top_left(place), self.size);
                    if patch.meet(inside).is_empty() {
                        continue;
                    }
                    there = self.add(place);
                }
                want(&mut self.sheet.tiles[there as usize], there, patch);
            }
        }
        let patch = |i: u32| std::mem::take(&mut self.sheet.tiles[i as usize].due);
        let tiles = due.iter().copied();
        tiles.clone().zip(tiles.map(patch)).collect()
    }

    fn step_tile(&mut self, i: u32, due: TileRect, odd: bool) {
        let then = self.now ^ 1;
        let tile = &mut self.sheet.tiles[i as usize];
        let mut next = std::mem::take(&mut tile.cells[then]);
        let corner = self.corner(i);
        let near = self.sheet.tiles[i as usize].near;
        let tiles = &self.sheet.tiles;
        let cells = |i: u32| tiles.get(i as usize).map(|tile| &tile.cells[self.now]);
        // No tile is the `NONE`th.
        let seen = std::array::from_fn(|k| match k {
            0..4 => cells(near[k]),
            4 => cells(i),
            _ => cells(near[k - 1]),
        });
        let changed = self.fabric.step(&seen, &mut next, due, corner, odd.into());
        let tile = &mut self.sheet.tiles[i as usize];
        tile.cells[then] = next;
        if !changed.is_empty() {
            self.note(i, changed);
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
        let whole = TileRect::whole(self.size);
        let mut empty = vec![false; self.sheet.tiles.len()];
        for i in self.sheet.indices() {
            let buffers = &self.sheet.tiles[i as usize].cells;
            empty[i as usize] = !buffers.iter().any(|b| self.fabric.is_live(b, whole));
        }
        for i in self.sheet.indices().collect::<Vec<_>>() {
            let quiet = |i: u32| i == NONE || (empty[i as usize] && !busy[i as usize]);
            let near = self.sheet.tiles[i as usize].near;
            if quiet(i) && near.into_iter().all(quiet) {
                self.sheet.remove(i);
            }
        }
    }

    /// The tiles that overlap `rect`, row by row.
    fn found(&self, rect: Rect) -> FoundTiles {
        if rect.is_empty() {
            return FoundTiles::new();
        }
        let (wide, tall) = (i64::from(self.size.0), i64::from(self.size.1));
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        self.sheet.within(
            (rect.x.div_euclid(wide), right.div_euclid(wide)),
            (rect.y.div_euclid(tall), bottom.div_euclid(tall)),
        )
    }

    /// The cells of a tile that lie on the grid and in `rect`.
    fn patch(&self, i: u32, rect: Rect) -> TileRect {
        let corner = self.corner(i);
        let from = |edge: i64, at: i64, most: i32| {
            let ahead = i128::from(edge) - i128::from(at);
            ahead.clamp(0, most.into()) as i32
        };
        let patch = TileRect {
            left: from(rect.x, corner.x, self.size.0),
            top: from(rect.y, corner.y, self.size.1),
            right: from(rect.right(), corner.x, self.size.0),
            bottom: from(rect.bottom(), corner.y, self.size.1),
        };
        patch.meet(self.sheet.tiles[i as usize].inside)
    }

    /// The world cell at a tile's top left.
    fn corner(&self, i: u32) -> Point {
        self.top_left(self.sheet.tiles[i as usize].place)
    }

    fn top_left(&self, (x, y): (i64, i64)) -> Point {
        let (wide, tall) = self.size;
        Point::new(x * i64::from(wide), y * i64::from(tall))
    }

    /// The tile that holds a cell, and its column and row there.
    fn split(&self, p: Point) -> ((i64, i64), usize, usize) {
        let (wide, tall) = (i64::from(self.size.0), i64::from(self.size.1));
        let place = (p.x.div_euclid(wide), p.y.div_euclid(tall));
        let inside = (p.x.rem_euclid(wide), p.y.rem_euclid(tall));
        (place, inside.0 as usize, inside.1 as usize)
    }
}

impl<F: TileCells> TilePlane for TileField<F> {
    fn describe(&self) -> String {
        self.fabric.describe()
    }

    fn tile(&self) -> (u64, u64, u64) {
        let (wide, tall) = self.size;
        (wide as u64, tall as u64, 2 * self.fabric.bytes())
    }

    fn before_time_changes(&mut self, _odd: bool) {
        if self.fabric.time_period() > 1 {
            self.give_up_step();
            for i in self.sheet.indices().collect::<Vec<_>>() {
                let inside = self.sheet.tiles[i as usize].inside;
                if !inside.is_empty() {
                    self.wake(i, inside);
                }
            }
        }
    }

    fn get(&self, p: Point, _odd: bool) -> State {
        let (place, x, y) = self.split(p);
        let found = self.sheet.find(place);
        let found = found.filter(|_| self.edges.grid().contains(p));
        found.map_or(0, |i| {
            let cells = &self.sheet.tiles[i as usize].cells[self.now];
            self.fabric.get(cells, x, y)
        })
    }

    fn write(&mut self, runs: &mut CellRunSource<'_>, _odd: bool) {
        self.give_up_step();
        let mut checkpoints = Checkpoints::new();
        runs(&mut |run| {
            let (mut x, mut left) = (run.x, run.length);
            while left > 0 {
                checkpoints.step();
                let (place, column, row) = self.split(Point::new(x, run.y));
                let part = left.min((self.size.0 as usize - column) as u64);
                self.write_part(place, column, row, part as usize, run.state);
                x += part as i64;
                left -= part;
            }
        });
    }

    fn advance(
        &mut self,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut work = 0;
        while progress.left() > 0 {
            if self.is_still() {
                progress.skip_rounds(2);
                if progress.left() == 1 {
                    progress.done(1);
                    self.now ^= 1;
                }
                break;
            }
            progress.check_capacity(self.sheet.len())?;
            self.step(&mut work, progress)?;
            work += 1;
            progress.done(1);
            if progress.worked >= progress.enough {
                break;
            }
        }
        Ok(())
    }

    fn population(&self, _odd: bool) -> u64 {
        let mut checkpoints = Checkpoints::new();
        let count = |i: u32| {
            checkpoints.step();
            let tile = &self.sheet.tiles[i as usize];
            if tile.inside.is_empty() {
                return 0;
            }
            self.fabric.population(&tile.cells[self.now], tile.inside)
        };
        self.sheet.in_order().map(count).sum()
    }

    fn bounds(&self, _odd: bool) -> Option<Rect> {
        let mut bounds: Option<Rect> = None;
        let mut checkpoints = Checkpoints::new();
        for i in self.sheet.indices() {
            checkpoints.step();
            let tile = &self.sheet.tiles[i as usize];
            if tile.inside.is_empty() {
                continue;
            }
            let patch = self.fabric.bounds(&tile.cells[self.now], tile.inside);
            if !patch.is_empty() {
                let corner = self.corner(i);
                let here = Rect::new(
                    corner.x + i64::from(patch.left),
                    corner.y + i64::from(patch.top),
                    patch.width() as u64,
                    patch.height() as u64,
                );
                bounds = Some(bounds.map_or(here, |b| b.union(&here)));
            }
        }
        bounds
    }

    fn hash(&self, odd: bool) -> CellHash {
        let mut sum = CellHash::EMPTY;
        self.runs(super::whole_plane(), odd, &mut |run| {
            sum += CellHash::run(run.x, run.y, run.length, run.state);
        });
        sum
    }

    fn fingerprint(&mut self, _odd: bool) -> u64 {
        let mut prints = self.prints.take().unwrap_or_else(|| {
            let mut prints = TilePrints::default();
            let tiles = self.sheet.in_order();
            tiles.for_each(|i| prints.invalidate(i));
            prints
        });
        let sum = prints.sum(self.now, |i| {
            let FieldTile {
                cells,
                place,
                inside,
                ..
            } = &self.sheet.tiles[i as usize];
            let mut contents = self.fabric.no_contents();
            self.fabric.pack(&cells[self.now], *inside, &mut contents);
            if contents.is_blank() {
                return 0;
            }
            let mut print = Fingerprint::new();
            contents.print(&mut print);
            print.add(&[place.0 as u64, place.1 as u64], u64::MAX);
            print.finish()
        });
        self.prints = Some(prints);
        sum
    }

    fn visit_rows(&self, rect: Rect, _odd: bool, visitor: &mut dyn LiveRowVisitor) {
        let rect = rect.intersection(&self.edges.grid());
        let found = self.found(rect);
        let (wide, tall) = (i64::from(self.size.0), i64::from(self.size.1));
        let each = wide as usize / 64;
        let tile = |i: &u32| &self.sheet.tiles[*i as usize];
        let (mut segments, mut words) = (Vec::new(), Vec::new());
        let mut checkpoints = Checkpoints::new();
        for band in found.chunk_by(|a, b| tile(a).place.1 == tile(b).place.1) {
            let columns = band.iter().map(|i| tile(i).place.0 * wide);
            let starts = lay(columns, wide, &mut segments);
            words.clear();
            words.resize(segments.iter().map(|s| s.words).sum(), 0);
            visitor.band(&segments);
            let top = tile(&band[0]).place.1 * tall;
            for y in top.max(rect.y)..(top + tall).min(rect.bottom()) {
                let row = (y - top) as usize;
                for (i, (word, _)) in band.iter().zip(&starts) {
                    checkpoints.step();
                    let (tile, own) = (tile(i), &mut words[*word..word + each]);
                    self.fabric.live_words(&tile.cells[self.now], row, own);
                    if tile.inside.width() < wide as usize {
                        cut(own, tile.inside.columns());
                    }
                }
                visitor.row(y, &words);
            }
        }
    }

    fn states(&self, rect: Rect, _odd: bool, states: &mut [State]) {
        let seen = rect.intersection(&self.edges.grid());
        for i in self.found(seen) {
            let (corner, patch) = (self.corner(i), self.patch(i, seen));
            if patch.is_empty() {
                continue;
            }
            let cells = &self.sheet.tiles[i as usize].cells[self.now];
            let left = (corner.x + i64::from(patch.left)).abs_diff(rect.x) as usize;
            for y in patch.rows() {
                let row = (corner.y + i64::from(y)).abs_diff(rect.y) as usize;
                let start = row * rect.width as usize + left;
                let to = &mut states[start..start + patch.width()];
                self.fabric.states(cells, patch.columns(), y as usize, to);
            }
        }
    }

    fn count(&self, _odd: bool, counter: &mut CoarsePixelCounter) {
        let size = (i64::from(self.size.0), i64::from(self.size.1));
        let mut checkpoints = Checkpoints::new();
        for i in self.sheet.in_order() {
            checkpoints.step();
            let (corner, tile) = (self.corner(i), &self.sheet.tiles[i as usize]);
            if tile.inside.is_empty() || !counter.sees(corner.x, corner.y, size) {
                continue;
            }
            counter.add(corner.x, corner.y, size, |columns, rows| {
                let patch = TileRect {
                    left: columns.start as i32,
                    top: rows.start as i32,
                    right: columns.end as i32,
                    bottom: rows.end as i32,
                };
                let patch = patch.meet(tile.inside);
                if patch.is_empty() {
                    return 0;
                }
                self.fabric.population(&tile.cells[self.now], patch)
            });
        }
    }

    fn erase(&mut self, rect: Rect, _odd: bool) {
        self.give_up_step();
        let rect = rect.intersection(&self.edges.grid());
        for i in self.found(rect) {
            let patch = self.patch(i, rect);
            let tile = &mut self.sheet.tiles[i as usize];
            let cells = &mut tile.cells[self.now];
            if patch.is_empty() || !self.fabric.is_live(cells, patch) {
                continue;
            }
            for y in patch.rows() {
                self.fabric.fill(cells, patch.columns(), y as usize, 0);
            }
            self.wake(i, patch);
            if self.edges.are_joined() {
                self.cast(i, patch, self.now);
            }
        }
    }

    fn clear(&mut self) {
        self.sheet = TileMap::default();
        self.changed.clear();
        self.written.clear();
        self.written_before.clear();
        self.due.clear();
        self.lost.clear();
        self.until_sweep = 0;
        self.prints = None;
    }

    fn pack(&self, _odd: bool) -> (Vec<Point>, BlockCells) {
        let mut corners = Vec::new();
        let mut contents = self.fabric.no_contents();
        let mut checkpoints = Checkpoints::new();
        for i in self.sheet.in_order() {
            checkpoints.step();
            let FieldTile { cells, inside, .. } = &self.sheet.tiles[i as usize];
            let cells = &cells[self.now];
            if !inside.is_empty() && self.fabric.is_live(cells, *inside) {
                corners.push(self.corner(i));
                self.fabric.pack(cells, *inside, &mut contents);
            }
        }
        (corners, contents)
    }

    fn unpack(&mut self, corners: &[Point], contents: &BlockCells) -> bool {
        if !corners.is_empty() && self.fabric.unpack(contents, 0).is_none() {
            return false;
        }
        self.clear();
        let mut checkpoints = Checkpoints::new();
        for (k, corner) in corners.iter().enumerate() {
            checkpoints.step();
            let (place, ..) = self.split(*corner);
            if let Some(cells) = self.fabric.unpack(contents, k) {
                let i = self.add(place);
                self.sheet.tiles[i as usize].cells[self.now] = cells;
            }
        }
        // Ghosts come after all cells.
        for i in self.sheet.indices().collect::<Vec<_>>() {
            checkpoints.step();
            let inside = self.sheet.tiles[i as usize].inside;
            self.wake(i, inside);
            if self.edges.are_joined() {
                self.cast(i, inside, self.now);
            }
        }
        true
    }

    fn set_threads(&mut self, _threads: usize) {}

    fn bytes(&self) -> u64 {
        let prints = self.prints.as_ref().map_or(0, TilePrints::bytes);
        self.sheet.bytes() + prints + 2 * self.fabric.bytes() * self.sheet.tiles.len() as u64
    }

    fn tiles(&self) -> usize {
        self.sheet.len()
    }

    fn runs(&self, rect: Rect, _odd: bool, f: &mut dyn FnMut(Run)) {
        let rect = rect.intersection(&self.edges.grid());
        let (wide, tall) = (i64::from(self.size.0), i64::from(self.size.1));
        let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
        let found = self.found(rect);
        let tile = |i: &u32| &self.sheet.tiles[*i as usize];
        let mut checkpoints = Checkpoints::new();
        for band in found.chunk_by(|a, b| tile(a).place.1 == tile(b).place.1) {
            let top = tile(&band[0]).place.1 * tall;
            for y in top.max(rect.y)..=bottom.min(top + tall - 1) {
                let mut open: Option<Run> = None;
                for i in band {
                    checkpoints.step();
                    let at = tile(i).place.0 * wide;
                    let from = if at < rect.x { rect.x - at } else { 0 };
                    let to = right.saturating_sub(at).saturating_add(1).min(wide);
                    let cells = &tile(i).cells[self.now];
                    let columns = from as usize..to as usize;
                    let row = (y - top) as usize;
                    self.fabric
                        .runs(cells, columns, row, &mut |x, length, state| {
                            let (x, length) = (at + x as i64, length as u64);
                            match &mut open {
                                Some(run)
                                    if run.x + run.length as i64 == x && run.state == state =>
                                {
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
                        });
                }
                open.into_iter().for_each(&mut *f);
            }
        }
    }
}

/// Leaves the bits of some cells of a row, and no others.
fn cut(words: &mut [u64], columns: Range<usize>) {
    for (k, word) in words.iter_mut().enumerate() {
        *word &= mask(k, columns.start, columns.end);
    }
}
