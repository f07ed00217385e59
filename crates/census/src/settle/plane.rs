//! The endless plane of one soup: tiles from an arena that the next soup takes again.
//!
//! Own method. Tiles step two generations at a time, so that what has period 2 costs nothing:
//! a tile in which nothing changed sleeps until a neighbour's edge does. A glider that flies
//! away from everything is taken out, and watched: see [`Escape`]. (Taking out every glider with
//! nothing near it, and putting it back in time, lost: that is half a tile less of eight that are
//! due, and the checks cost more.)

pub(crate) mod copy;
pub(crate) mod escape;
mod wake;

use super::step::TileStepper;
use super::tile::{
    ABSENT, CORE, CORE_COLUMNS, EAST, MARGIN, NORTH, NORTH_EAST, NORTH_WEST, NearTiles, SOUTH,
    SOUTH_EAST, SOUTH_WEST, TileRows, TileStep, WEST, count_cells, live_rows, seen_from,
};
use escape::Escape;
use grid::State;
use rule::Rule;
use std::collections::HashMap;
use wake::{FEW_TILES, NearBits, TileBits, WORD_TILES};

/// Tiles this far from the origin are found in a table.
const NEAR: i32 = 32;

/// Offsets of the neighbours; the opposite of `i` is `i ^ 4`.
const AROUND: [(i32, i32); 8] = {
    let mut around = [(0, 0); 8];
    around[NORTH] = (0, -1);
    around[NORTH_WEST] = (-1, -1);
    around[NORTH_EAST] = (1, -1);
    around[WEST] = (-1, 0);
    around[SOUTH] = (0, 1);
    around[SOUTH_EAST] = (1, 1);
    around[SOUTH_WEST] = (-1, 1);
    around[EAST] = (1, 0);
    around
};

/// Where a tile lies, and what is known of it.
#[derive(Clone, Debug, Default)]
struct TilePlace {
    x: i32,
    y: i32,
    /// As of the last count.
    population: u32,
}

/// Whether a tile's population is that of the last count; 1, so that it can be added.
const COUNTED: u8 = 1;

/// Whether a glider was taken out of a tile.
const WATCHED: u8 = 2;

/// Where a glider flies, by how it is in its box.
#[derive(Clone, Copy, Debug, Default)]
struct GliderHeading {
    dx: i8,
    dy: i8,
    /// The nine bits of its box two generations later, and how far that has moved then.
    later: u16,
    later_by: (i8, i8),
}

/// What is noted of the generations on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PairWatch {
    Nothing,
    Envelope,
    Populations,
}

/// A soup's cells on an endless plane.
#[derive(Clone, Debug)]
pub(crate) struct SoupPlane {
    stepper: TileStepper,
    /// Bit planes of a tile.
    planes: usize,
    /// The bit planes of each tile, one after the other.
    rows: Vec<TileRows>,
    /// The same tiles two generations later, or earlier. Those that sleep are equal in both.
    other_rows: Vec<TileRows>,
    envelopes: Vec<TileRows>,
    near: Vec<NearTiles>,
    near_bits: [Vec<NearBits>; 2],
    /// The sides on which a tile has no neighbour, a bit for each.
    lacking: Vec<u8>,
    places: Vec<TilePlace>,
    /// The last round that each tile was due in.
    due_rounds: Vec<u32>,
    /// [`COUNTED`] and [`WATCHED`].
    flags: Vec<u8>,
    /// The first `due_count` of it; there is room for all tiles, and one.
    due: Vec<u32>,
    due_count: usize,
    next_due: Vec<u32>,
    /// Tiles of the last round that need more than to be due, with what they changed.
    special: Vec<(u32, u32)>,
    round: u32,
    changes: Vec<u32>,
    table: Vec<u32>,
    far: HashMap<(i32, i32), u32>,
    generation: u64,
    population: u64,
    /// The first `uncounted_count` of it.
    uncounted: Vec<u32>,
    uncounted_count: usize,
    /// Others of the first [`FEW_TILES`].
    uncounted_few: TileBits,
    /// Those of the first [`FEW_TILES`] that are watched.
    watched_few: TileBits,
    counts: Vec<u32>,
    /// By the nine bits of a box of 3 x 3; empty when the rule has no gliders.
    headings: Vec<GliderHeading>,
    takes_gliders: bool,
    escapes: Vec<Escape>,
    /// The populations of each tile, after the first and the second generation of its last step.
    tile_populations: Vec<[u32; 2]>,
    /// Their sums, and the generation that they were taken in; else they are to be taken anew.
    population_sums: [u64; 2],
    summed_generation: Option<u64>,
    /// For each way that gliders fly, a tile that was in the way of one.
    in_the_way: [usize; 4],
    is_escape_doubtful: bool,
    /// Whether gliders in doubt are put back, and how often that was done.
    returns_gliders: bool,
    returns: usize,
}

impl SoupPlane {
    /// An empty plane. None when the rule looks further than one cell, needs too large a circuit,
    /// or fills the plane.
    pub(crate) fn new(rule: &Rule) -> Option<Self> {
        let stepper = TileStepper::new(rule)?;
        let mut plane = Self {
            planes: stepper.planes(),
            stepper,
            rows: Vec::new(),
            other_rows: Vec::new(),
            due_rounds: Vec::new(),
            flags: Vec::new(),
            due_count: 0,
            uncounted_count: 0,
            counts: Vec::new(),
            envelopes: Vec::new(),
            near: Vec::new(),
            near_bits: [Vec::new(), Vec::new()],
            lacking: Vec::new(),
            uncounted_few: TileBits::default(),
            watched_few: TileBits::default(),
            places: Vec::new(),
            due: Vec::new(),
            next_due: Vec::new(),
            special: Vec::new(),
            round: 0,
            changes: Vec::new(),
            table: vec![ABSENT; (4 * NEAR * NEAR) as usize],
            far: HashMap::new(),
            generation: 0,
            population: 0,
            uncounted: Vec::new(),
            headings: Vec::new(),
            takes_gliders: true,
            escapes: Vec::new(),
            tile_populations: Vec::new(),
            population_sums: [0; 2],
            summed_generation: None,
            in_the_way: [0; 4],
            is_escape_doubtful: false,
            returns_gliders: false,
            returns: 0,
        };
        plane.headings = plane.find_gliders();
        Some(plane)
    }

    /// Which boxes of 3 x 3 are gliders: by running them.
    fn find_gliders(&mut self) -> Vec<GliderHeading> {
        let mut headings = vec![GliderHeading::default(); 512];
        let mut found = 0;
        if self.planes > 1 {
            self.clear();
            return Vec::new();
        }
        for (block, heading) in headings.iter_mut().enumerate() {
            if block.count_ones() != 5 {
                continue;
            }
            let mut cells: Vec<_> = (0..9)
                .filter(|i| block >> i & 1 == 1)
                .map(|i| (10 + i % 3, 10 + i / 3))
                .collect();
            cells.sort_unstable();
            let mut after = |generations: u64| {
                self.clear();
                self.load(&cells);
                self.advance(generations);
                let mut after = Vec::new();
                self.for_each_cell(|x, y| after.push((x, y)));
                after.sort_unstable();
                after
            };
            let moved = after(4);
            for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let is_moved =
                    |(from, to): (&(i32, i32), &(i32, i32))| (from.0 + dx, from.1 + dy) == *to;
                if moved.len() != cells.len() || !cells.iter().zip(&moved).all(is_moved) {
                    continue;
                }
                let later = after(2);
                let corner = |at: fn(&(i32, i32)) -> i32| later.iter().map(at).min().unwrap_or(0);
                let (left, top) = (corner(|p| p.0), corner(|p| p.1));
                if later.iter().any(|&(x, y)| x > left + 2 || y > top + 2) {
                    continue;
                }
                let bit = |&(x, y): &(i32, i32)| 1 << (x - left + 3 * (y - top));
                *heading = GliderHeading {
                    dx: dx as i8,
                    dy: dy as i8,
                    later: later.iter().map(bit).sum(),
                    later_by: ((left - 10) as i8, (top - 10) as i8),
                };
                found += 1;
            }
        }
        self.clear();
        if found == 16 { headings } else { Vec::new() }
    }

    /// Empties the plane, and goes back to generation 0.
    pub(crate) fn clear(&mut self) {
        for place in self.places.iter().skip(1) {
            if let Some(slot) = slot_of(place.x, place.y) {
                self.table[slot] = ABSENT;
            }
        }
        self.far.clear();
        self.rows.clear();
        self.other_rows.clear();
        self.envelopes.clear();
        self.near.clear();
        self.near_bits.iter_mut().for_each(Vec::clear);
        self.lacking.clear();
        self.uncounted_few = TileBits::default();
        self.watched_few = TileBits::default();
        self.due_rounds.clear();
        self.flags.clear();
        self.places.clear();
        self.push_tile(TilePlace::default(), [ABSENT; 8]);
        self.flags[0] = COUNTED;
        (self.due_count, self.uncounted_count) = (0, 0);
        self.escapes.clear();
        self.summed_generation = None;
        self.generation = 0;
        self.population = 0;
        self.round = 1;
        self.is_escape_doubtful = false;
    }

    /// Whether gliders that fly away are taken out.
    pub(crate) fn take_gliders(&mut self, take: bool) {
        self.takes_gliders = take;
    }

    /// Whether a glider that was taken out is put back when something comes near it. Then no
    /// escape is ever doubtful.
    pub(crate) fn return_gliders(&mut self, puts_back: bool) {
        self.returns_gliders = puts_back;
    }

    /// Bit planes of the states.
    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    /// The bit planes of a tile.
    fn tile_planes(&self, tile: usize) -> &[TileRows] {
        &self.rows[tile * self.planes..][..self.planes]
    }

    /// The state of a cell.
    pub(crate) fn state(&self, x: i32, y: i32) -> State {
        let tile = self.find(x.div_euclid(CORE), y.div_euclid(CORE)) as usize;
        let bit = x.rem_euclid(CORE) as usize + MARGIN;
        let row = y.rem_euclid(CORE) as usize;
        let planes = (0..).zip(self.tile_planes(tile));
        planes.fold(0, |state, (plane, rows)| {
            state | ((rows.row(row) >> bit & 1) << plane) as State
        })
    }

    /// Adds cells of state 1.
    pub(crate) fn load(&mut self, cells: &[(i32, i32)]) {
        for &(x, y) in cells {
            let (tx, ty) = (x.div_euclid(CORE), y.div_euclid(CORE));
            let tile = self.tile_at(tx, ty);
            let bit = x.rem_euclid(CORE) as usize + MARGIN;
            let first = tile as usize * self.planes;
            *self.rows[first].row_mut(y.rem_euclid(CORE) as usize) |= 1 << bit;
        }
        self.touch_all();
    }

    /// Adds a square of 16 x 16 cells; the plane was empty.
    pub(crate) fn load_square(&mut self, square: &[u16; 16]) {
        let first = self.tile_at(0, 0) as usize * self.planes;
        for (row, &bits) in (6..).zip(square) {
            *self.rows[first].row_mut(row) = u32::from(bits) << 8;
        }
        self.touch_all();
    }

    /// Every tile is due, and the neighbours that see something of it.
    fn touch_all(&mut self) {
        self.due_count = 0;
        for tile in 1..self.places.len() {
            let seen = seen_from(&live_rows(self.tile_planes(tile)));
            for side in (0..8).filter(|side| seen >> side & 1 == 1) {
                if self.near[tile][side] == ABSENT {
                    self.make_neighbour(tile as u32, side);
                }
            }
        }
        self.make_all_due();
    }

    fn make_all_due(&mut self) {
        self.round = self.round.wrapping_add(1);
        self.due_count = 0;
        for tile in 1..self.places.len() {
            self.due_rounds[tile] = self.round;
            self.due[self.due_count] = tile as u32;
            self.due_count += 1;
        }
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// The cells of the box around all live ones, those that were taken out left out.
    pub(crate) fn box_area(&self) -> u64 {
        let (mut left, mut top, mut right, mut bottom) = (i32::MAX, i32::MAX, i32::MIN, i32::MIN);
        for (tile, place) in (0..).zip(&self.places) {
            if let Some([columns, rows]) = self.live_box(tile) {
                let (x, y) = (CORE * place.x, CORE * place.y);
                (left, right) = (left.min(x + columns[0]), right.max(x + columns[1]));
                (top, bottom) = (top.min(y + rows[0]), bottom.max(y + rows[1]));
            }
        }
        match left <= right {
            true => u64::from(right.abs_diff(left) + 1) * u64::from(bottom.abs_diff(top) + 1),
            false => 0,
        }
    }

    /// How many tiles are stepped.
    pub(crate) fn due_tiles(&self) -> usize {
        self.due_count
    }

    /// How many tiles there are, empty ones among them.
    pub(crate) fn tiles(&self) -> usize {
        self.places.len()
    }

    /// Whether nothing is left but what has period 1 or 2, and gliders taken out.
    pub(crate) fn is_quiet(&self) -> bool {
        self.due_count == 0
    }

    /// How many gliders were taken out.
    pub(crate) fn escaped(&self) -> u64 {
        self.escapes.len() as u64
    }

    /// Whether something entered the quadrant of a glider that was taken out.
    pub(crate) fn is_escape_doubtful(&self) -> bool {
        self.is_escape_doubtful
    }

    /// Advances by an even number of generations.
    pub(crate) fn advance(&mut self, generations: u64) {
        for _ in 0..generations / 2 {
            if self.due_count == 0 {
                self.generation += 2;
                continue;
            }
            self.step_due(2, PairWatch::Nothing);
            self.return_doubtful(PairWatch::Nothing);
        }
    }

    /// Advances by one generation: all tiles, under a rule that does not alternate.
    pub(crate) fn advance_once(&mut self) {
        self.make_all_due();
        self.step_due(1, PairWatch::Nothing);
        // what sleeps was as it is two generations ago
        self.make_all_due();
    }

    /// Advances by an even number of generations, and adds the population after each to a list.
    pub(crate) fn advance_with_populations(
        &mut self,
        generations: u64,
        populations: &mut Vec<u64>,
    ) {
        if self.summed_generation != Some(self.generation) {
            self.tile_populations.clear();
            self.population_sums = [0; 2];
            self.make_all_due();
        }
        for _ in 0..generations / 2 {
            if self.due_count == 0 {
                self.generation += 2;
            } else {
                self.tile_populations.resize(self.places.len(), [0; 2]);
                let stepped = self.due_count;
                for &tile in &self.due[..stepped] {
                    let [first, second] = self.tile_populations[tile as usize];
                    self.population_sums[0] -= u64::from(first);
                    self.population_sums[1] -= u64::from(second);
                }
                self.step_due(2, PairWatch::Populations);
                // the lists have changed places
                for &tile in &self.next_due[..stepped] {
                    let [first, second] = self.tile_populations[tile as usize];
                    self.population_sums[0] += u64::from(first);
                    self.population_sums[1] += u64::from(second);
                }
                self.return_doubtful(PairWatch::Populations);
            }
            let escaped = 5 * self.escapes.len() as u64;
            populations.extend(self.population_sums.map(|sum| sum + escaped));
        }
        self.summed_generation = Some(self.generation);
    }

    /// Advances and collects the cells that are alive at any time, the first and the last among
    /// them.
    pub(crate) fn advance_with_envelope(&mut self, generations: u64) {
        self.envelopes.clear();
        self.envelopes.resize(self.places.len(), TileRows::EMPTY);
        self.make_all_due();
        for _ in 0..generations / 2 {
            if self.due_count == 0 {
                self.generation += 2;
                continue;
            }
            self.step_due(2, PairWatch::Envelope);
            self.return_doubtful(PairWatch::Envelope);
        }
    }

    fn step_due(&mut self, generations: usize, watch: PairWatch) {
        self.changes.resize(self.due.len(), 0);
        let (envelopes, populations) = match watch {
            PairWatch::Nothing => (None, None),
            PairWatch::Envelope => (Some(&mut self.envelopes[..]), None),
            PairWatch::Populations => (None, Some(&mut self.tile_populations[..])),
        };
        self.stepper.step(TileStep {
            generations,
            tiles: &self.rows,
            next: &mut self.other_rows,
            near: &self.near,
            envelopes,
            populations,
            due: &self.due[..self.due_count],
            changes: &mut self.changes,
        });
        std::mem::swap(&mut self.rows, &mut self.other_rows);
        self.wake_changed();
        self.generation += generations as u64;
        std::mem::swap(&mut self.due, &mut self.next_due);
        if watch == PairWatch::Envelope {
            self.envelopes.resize(self.places.len(), TileRows::EMPTY);
        }
    }

    fn make_neighbour(&mut self, tile: u32, side: usize) -> u32 {
        let (dx, dy) = AROUND[side];
        let place = &self.places[tile as usize];
        self.make(place.x + dx, place.y + dy)
    }

    fn find(&self, x: i32, y: i32) -> u32 {
        match slot_of(x, y) {
            Some(slot) => self.table[slot],
            None => self.far.get(&(x, y)).copied().unwrap_or(ABSENT),
        }
    }

    fn tile_at(&mut self, x: i32, y: i32) -> u32 {
        match self.find(x, y) {
            ABSENT => self.make(x, y),
            tile => tile,
        }
    }

    #[cold]
    fn make(&mut self, x: i32, y: i32) -> u32 {
        let tile = self.places.len() as u32;
        let near = AROUND.map(|(dx, dy)| self.find(x + dx, y + dy));
        if tile as usize == WORD_TILES {
            self.near_bits[1].resize(WORD_TILES, NearBits::NONE);
        }
        for (side, &other) in near.iter().enumerate() {
            if other != ABSENT {
                self.near[other as usize][side ^ 4] = tile;
                if (tile as usize) < FEW_TILES {
                    let bits = &mut self.near_bits[tile as usize / WORD_TILES];
                    bits[other as usize].put(side ^ 4, tile);
                }
                self.lacking[other as usize] &= !(1 << (side ^ 4));
            }
        }
        match slot_of(x, y) {
            Some(slot) => self.table[slot] = tile,
            None => {
                self.far.insert((x, y), tile);
            }
        }
        self.push_tile(
            TilePlace {
                x,
                y,
                population: 0,
            },
            near,
        );
        self.uncounted[self.uncounted_count] = tile;
        self.uncounted_count += 1;
        self.watch_if_ahead(tile);
        tile
    }

    fn push_tile(&mut self, place: TilePlace, near: NearTiles) {
        for _ in 0..self.planes {
            self.rows.push(TileRows::EMPTY);
            self.other_rows.push(TileRows::EMPTY);
        }
        let mut lacking = u8::MAX;
        for (side, &other) in near.iter().enumerate() {
            if other != ABSENT {
                lacking &= !(1 << side);
            }
        }
        self.lacking.push(lacking);
        self.push_bits(&near);
        self.near.push(near);
        self.places.push(place);
        self.due_rounds.push(0);
        self.flags.push(0);
        let room = self.places.len() + 1;
        if self.due.len() < room {
            self.due.resize(2 * room, 0);
            self.next_due.resize(2 * room, 0);
            // a few may be there twice
            self.uncounted.resize(2 * room + FEW_TILES, 0);
        }
    }

    /// The population of the whole plane, gliders that were taken out among it. Takes out those
    /// that can be.
    pub(crate) fn population(&mut self) -> u64 {
        for tile in self.uncounted_few.take_all() {
            self.uncounted[self.uncounted_count] = tile;
            self.uncounted_count += 1;
        }
        let uncounted = &self.uncounted[..self.uncounted_count];
        self.counts.resize(self.uncounted.len(), 0);
        match self.planes {
            1 => count_cells(&self.rows, uncounted, &mut self.counts),
            planes => {
                for (&tile, count) in uncounted.iter().zip(&mut self.counts) {
                    let live = live_rows(&self.rows[tile as usize * planes..][..planes]);
                    *count = live.0.iter().map(|row| row.count_ones()).sum();
                }
            }
        }
        for (&tile, &now) in uncounted.iter().zip(&self.counts) {
            let place = &mut self.places[tile as usize];
            self.flags[tile as usize] |= COUNTED;
            self.population += u64::from(now);
            self.population -= u64::from(place.population);
            place.population = now;
        }
        self.uncounted_count = 0;
        if self.takes_gliders && !self.headings.is_empty() {
            self.let_gliders_escape();
        }
        self.population + 5 * self.escapes.len() as u64
    }

    /// Calls `f` with every live cell.
    pub(crate) fn for_each_cell(&self, mut f: impl FnMut(i32, i32)) {
        let tiles = self.rows.chunks_exact(self.planes).map(live_rows);
        for (place, rows) in self.places.iter().zip(tiles) {
            for (y, row) in rows.own_rows().into_iter().enumerate() {
                let mut bits = (row & CORE_COLUMNS) >> MARGIN;
                while bits != 0 {
                    f(
                        place.x * CORE + bits.trailing_zeros() as i32,
                        place.y * CORE + y as i32,
                    );
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Calls `f` with each tile that has cells in its envelope: the column and row of its
    /// corner, its live cells and its envelope.
    pub(crate) fn for_each_tile(&self, mut f: impl FnMut(i32, i32, &[u32], &[u32])) {
        let tiles = self.rows.chunks_exact(self.planes);
        for ((place, planes), envelope) in self.places.iter().zip(tiles).zip(&self.envelopes) {
            if envelope.0.iter().any(|&row| row != 0) {
                f(
                    place.x * CORE,
                    place.y * CORE,
                    &live_rows(planes).own_rows(),
                    &envelope.own_rows(),
                );
            }
        }
    }
}

#[inline]
fn slot_of(x: i32, y: i32) -> Option<usize> {
    let is_near = (-NEAR..NEAR).contains(&x) && (-NEAR..NEAR).contains(&y);
    is_near.then(|| ((y + NEAR) * 2 * NEAR + x + NEAR) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{NaiveWorld, World};
    use kernel::simd::with_each_width;
    use pattern::{Cells, Run};
    use std::collections::BTreeSet;

    fn soup(seed: u64) -> Vec<(i32, i32)> {
        let mut dice = dice::Dice::new(seed);
        let mut cells = Vec::new();
        for y in -20..20 {
            for x in -20..20 {
                if dice.below(3) == 0 {
                    cells.push((x, y));
                }
            }
        }
        cells
    }

    fn cells_of(world: &dyn World) -> BTreeSet<(i32, i32, State)> {
        let mut cells = BTreeSet::new();
        world.cells().for_each_run(&mut |run: Run| {
            let columns = run.x as i32..run.x as i32 + run.length as i32;
            cells.extend(columns.map(|x| (x, run.y as i32, run.state)));
        });
        cells
    }

    #[test]
    fn planes_step_as_the_naive_world_does() {
        let rules = [
            "B3/S23",
            "B36/S23",
            "B2/S",
            "B2-a/S12",
            "B2n3-y4c/S23-a4i",
            "B0/S8",
            "B3/S12H",
            "B3/S023V",
            "345/2/4",
            "B2/S/C3",
            "B2/S3/C6H",
            "WireWorld",
        ];
        with_each_width(|| {
            for rule in rules {
                let rule: Rule = rule.parse().unwrap();
                let mut plane = SoupPlane::new(&rule).unwrap();
                plane.take_gliders(false);
                let cells = soup(7);
                plane.load(&cells);
                let run = |&(x, y): &(i32, i32)| Run {
                    y: y.into(),
                    x: x.into(),
                    length: 1,
                    state: 1,
                };
                let mut world = NaiveWorld::new(rule.clone());
                world
                    .load(&Cells::from_runs(cells.iter().map(run).collect()))
                    .unwrap();
                for _ in 0..12 {
                    plane.advance(4);
                    world.advance(&4_u8.into(), &mut |_| true).unwrap();
                    let mut found = BTreeSet::new();
                    plane.for_each_cell(|x, y| {
                        found.insert((x, y, plane.state(x, y)));
                    });
                    assert_eq!(found, cells_of(&world), "{rule}");
                    assert_eq!(plane.population(), found.len() as u64, "{rule}");
                }
            }
        });
    }

    /// Every generation's population, gliders that were taken out among it, and every cell after
    /// an odd number of generations.
    #[test]
    fn each_generation_is_known() {
        with_each_width(|| {
            for (rule, seed) in [("B3/S23", 0), ("B36/S23", 1), ("B2n3/S23-q", 2)] {
                let rule: Rule = rule.parse().unwrap();
                let mut plane = SoupPlane::new(&rule).unwrap();
                let mut world = NaiveWorld::new(rule.clone());
                let cells: Vec<_> = soup(seed).into_iter().filter(|c| c.0 > 0).collect();
                plane.load(&cells);
                let run = |&(x, y): &(i32, i32)| Run {
                    y: y.into(),
                    x: x.into(),
                    length: 1,
                    state: 1,
                };
                let start = Cells::from_runs(cells.iter().map(run).collect());
                world.load(&start).unwrap();
                for part in 0..8 {
                    let mut populations = Vec::new();
                    plane.advance_with_populations(20, &mut populations);
                    for population in populations {
                        world.advance(&1_u8.into(), &mut |_| true).unwrap();
                        let expected = world.population();
                        assert_eq!(expected, population.into(), "{rule} {seed} {part}");
                    }
                    if part % 4 == 3 {
                        plane.advance_once();
                        world.advance(&1_u8.into(), &mut |_| true).unwrap();
                        let mut found = BTreeSet::new();
                        plane.for_each_cell(|x, y| {
                            found.insert((x, y, 1));
                        });
                        let lost = 5 * plane.escaped() as usize;
                        assert_eq!(found.len() + lost, cells_of(&world).len());
                        assert!(found.is_subset(&cells_of(&world)));
                    }
                    plane.population();
                    assert!(!plane.is_escape_doubtful());
                }
                assert_eq!(plane.generation(), 162);
            }
        });
    }

    #[test]
    fn a_glider_that_flies_away_is_taken_out_and_counted() {
        let mut plane = SoupPlane::new(&"B3/S23".parse().unwrap()).unwrap();
        plane.load(&[
            (1, 0),
            (2, 1),
            (0, 2),
            (1, 2),
            (2, 2),
            (-9, 0),
            (-8, 0),
            (-9, 1),
            (-8, 1),
        ]);
        for _ in 0..40 {
            plane.advance(12);
            assert_eq!(plane.population(), 9);
        }
        assert!(plane.is_quiet());
        assert_eq!((plane.escaped(), plane.is_escape_doubtful()), (1, false));
    }
}
