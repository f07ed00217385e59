//! The endless plane of one soup: tiles from an arena that the next soup takes again.
//!
//! Own method. Tiles step two generations at a time, so that what has period 2 costs nothing:
//! a tile in which nothing changed sleeps until a neighbour's edge does. A glider that flies
//! away from everything is taken out, and watched: see [`Escape`].

use super::step::{
    ABSENT, CORE, CORE_COLUMNS, MARGIN, NearTiles, TILE_ROWS, TileChange, TileRows, TileStepper,
};
use rule::Rule;
use std::collections::HashMap;

/// Tiles this far from the origin are found in a table.
const NEAR: i32 = 64;

/// Offsets of the neighbours; the opposite of `i` is `i ^ 4`.
const AROUND: [(i32, i32); 8] = [
    (0, -1),
    (1, -1),
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
];
/// Where a tile lies, and what is known of it.
#[derive(Clone, Debug, Default)]
struct TilePlace {
    x: i32,
    y: i32,
    /// The last round that it was put on the list of.
    due: u32,
    /// As of the last count.
    population: u32,
    is_counted: bool,
    /// Whether a glider was taken out of it.
    is_watched: bool,
}

/// A glider that was taken out of the plane. It was alone in its tile, and nothing else was on
/// its side of the two lines behind it: for one that flies south-east, everything else was
/// further west or further north. So nothing can meet it that does not first enter that
/// quadrant, which moves along with it; a tile that is made or woken there is noted
/// ([`SoupPlane::is_escape_doubtful`]), and the soup is run again without taking gliders out.
/// Two such gliders cannot meet: along one axis at least they fly apart or side by side.
#[derive(Clone, Copy, Debug)]
struct Escape {
    generation: u64,
    /// The cell of its box that is furthest back.
    x: i64,
    y: i64,
    dx: i64,
    dy: i64,
}

/// Where a glider is in its box, and where it flies.
#[derive(Clone, Copy, Debug, Default)]
struct GliderHeading {
    dx: i8,
    dy: i8,
}

/// A soup's cells on an endless plane.
#[derive(Clone, Debug)]
pub(crate) struct SoupPlane {
    stepper: TileStepper,
    rows: Vec<TileRows>,
    envelopes: Vec<TileRows>,
    near: Vec<NearTiles>,
    places: Vec<TilePlace>,
    due: Vec<u32>,
    next_due: Vec<u32>,
    round: u32,
    changes: Vec<TileChange>,
    table: Vec<u32>,
    far: HashMap<(i32, i32), u32>,
    generation: u64,
    population: u64,
    uncounted: Vec<u32>,
    /// By the nine bits of a box of 3 x 3; empty when the rule has no gliders.
    headings: Vec<GliderHeading>,
    takes_gliders: bool,
    escapes: Vec<Escape>,
    is_escape_doubtful: bool,
}

impl SoupPlane {
    /// An empty plane. None when the rule has more than two states, looks further than one
    /// cell, or fills the plane.
    pub(crate) fn new(rule: &Rule) -> Option<Self> {
        let mut plane = Self {
            stepper: TileStepper::new(rule)?,
            rows: Vec::new(),
            envelopes: Vec::new(),
            near: Vec::new(),
            places: Vec::new(),
            due: Vec::new(),
            next_due: Vec::new(),
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
            is_escape_doubtful: false,
        };
        plane.headings = plane.find_gliders();
        Some(plane)
    }

    /// Which boxes of 3 x 3 are gliders: by running them.
    fn find_gliders(&mut self) -> Vec<GliderHeading> {
        let mut headings = vec![GliderHeading::default(); 512];
        let mut found = 0;
        for (block, heading) in headings.iter_mut().enumerate() {
            if block.count_ones() != 5 {
                continue;
            }
            let cells: Vec<_> = (0..9)
                .filter(|i| block >> i & 1 == 1)
                .map(|i| (10 + i % 3, 10 + i / 3))
                .collect();
            self.clear();
            self.load(&cells);
            self.advance(4);
            let mut after = Vec::new();
            self.for_each_cell(|x, y| after.push((x, y)));
            after.sort_unstable();
            for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let mut moved: Vec<_> = cells.iter().map(|(x, y)| (x + dx, y + dy)).collect();
                moved.sort_unstable();
                if moved == after {
                    let (dx, dy) = (dx as i8, dy as i8);
                    *heading = GliderHeading { dx, dy };
                    found += 1;
                }
            }
        }
        self.clear();
        if found == 16 { headings } else { Vec::new() }
    }

    /// Whether the rule has Life's glider.
    pub(crate) fn has_gliders(&self) -> bool {
        !self.headings.is_empty()
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
        self.envelopes.clear();
        self.near.clear();
        self.places.clear();
        self.rows.push(TileRows::EMPTY);
        self.near.push([ABSENT; 8]);
        self.places.push(TilePlace {
            is_counted: true,
            ..TilePlace::default()
        });
        self.due.clear();
        self.uncounted.clear();
        self.escapes.clear();
        self.generation = 0;
        self.population = 0;
        self.round = 1;
        self.is_escape_doubtful = false;
    }

    /// Whether gliders that fly away are taken out.
    pub(crate) fn take_gliders(&mut self, take: bool) {
        self.takes_gliders = take;
    }

    /// Adds cells.
    pub(crate) fn load(&mut self, cells: &[(i32, i32)]) {
        for &(x, y) in cells {
            let (tx, ty) = (x.div_euclid(CORE), y.div_euclid(CORE));
            let tile = self.tile_at(tx, ty);
            let bit = x.rem_euclid(CORE) as usize + MARGIN;
            self.rows[tile as usize].0[y.rem_euclid(CORE) as usize + MARGIN] |= 1 << bit;
        }
        self.touch_all();
    }

    /// Adds a square of 16 x 16 cells; the plane was empty.
    pub(crate) fn load_square(&mut self, square: &[u16; 16]) {
        let tile = self.tile_at(0, 0) as usize;
        for (row, &bits) in self.rows[tile].0[8..].iter_mut().zip(square) {
            *row = u32::from(bits) << 8;
        }
        self.touch_all();
    }

    /// Every tile is due, and the neighbours that see something of it.
    fn touch_all(&mut self) {
        self.round += 1;
        self.next_due.clear();
        for tile in 1..self.places.len() as u32 {
            self.mark(tile);
            let change = TileChange::of_all(&self.rows[tile as usize]);
            self.wake(tile, change.seen);
        }
        std::mem::swap(&mut self.due, &mut self.next_due);
        self.next_due.clear();
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Whether nothing is left but what has period 1 or 2, and gliders taken out.
    pub(crate) fn is_quiet(&self) -> bool {
        self.due.is_empty()
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
            if self.due.is_empty() {
                self.generation += 2;
                continue;
            }
            self.advance_pair(false);
        }
    }

    /// Advances and collects the cells that are alive at any time, the first and the last among
    /// them.
    pub(crate) fn advance_with_envelope(&mut self, generations: u64) {
        self.envelopes.clear();
        self.envelopes.resize(self.rows.len(), TileRows::EMPTY);
        self.due.clear();
        self.round += 1;
        for tile in 1..self.places.len() as u32 {
            self.places[tile as usize].due = self.round;
            self.due.push(tile);
        }
        for _ in 0..generations / 2 {
            if self.due.is_empty() {
                self.generation += 2;
                continue;
            }
            self.advance_pair(true);
        }
    }

    fn advance_pair(&mut self, with_envelope: bool) {
        if self.changes.len() < self.due.len() {
            self.changes.resize(self.due.len(), TileChange::NONE);
        }
        self.stepper.step(
            &self.rows,
            &self.near,
            with_envelope.then_some(&mut self.envelopes[..]),
            &self.due,
            &mut self.changes,
        );
        self.round = self.round.wrapping_add(1);
        for i in 0..self.due.len() {
            let change = &self.changes[i];
            if !change.any {
                continue;
            }
            let tile = self.due[i];
            let rows = &mut self.rows[tile as usize].0;
            for (row, cells) in rows.iter_mut().zip(&change.cells.0) {
                *row ^= cells;
            }
            let seen = change.seen;
            let place = &mut self.places[tile as usize];
            if place.is_counted {
                place.is_counted = false;
                self.uncounted.push(tile);
            }
            self.mark(tile);
            self.wake(tile, seen);
        }
        self.generation += 2;
        std::mem::swap(&mut self.due, &mut self.next_due);
        self.next_due.clear();
        if with_envelope {
            self.envelopes.resize(self.rows.len(), TileRows::EMPTY);
        }
    }

    #[inline]
    fn mark(&mut self, tile: u32) {
        let place = &mut self.places[tile as usize];
        if place.due != self.round {
            place.due = self.round;
            self.next_due.push(tile);
        }
    }

    /// The neighbours of a tile that see a change are due.
    #[inline]
    fn wake(&mut self, tile: u32, seen: u32) {
        let mut sides = seen;
        while sides != 0 {
            self.neighbour(tile, sides.trailing_zeros() as usize);
            sides &= sides - 1;
        }
    }

    /// The neighbour on a side is due; it is made if need be.
    #[inline]
    fn neighbour(&mut self, tile: u32, side: usize) {
        let mut other = self.near[tile as usize][side];
        if other == ABSENT {
            let (dx, dy) = AROUND[side];
            let place = &self.places[tile as usize];
            other = self.make(place.x + dx, place.y + dy);
        }
        let place = &self.places[other as usize];
        if place.is_watched {
            self.watch_escapes(place.x, place.y);
        }
        self.mark(other);
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
        for (side, &other) in near.iter().enumerate() {
            if other != ABSENT {
                self.near[other as usize][side ^ 4] = tile;
            }
        }
        match slot_of(x, y) {
            Some(slot) => self.table[slot] = tile,
            None => {
                self.far.insert((x, y), tile);
            }
        }
        self.rows.push(TileRows::EMPTY);
        self.near.push(near);
        self.places.push(TilePlace {
            x,
            y,
            due: 0,
            population: 0,
            is_counted: false,
            is_watched: false,
        });
        self.uncounted.push(tile);
        if !self.escapes.is_empty() {
            self.watch_escapes(x, y);
        }
        tile
    }

    /// Notes a tile that comes to life where it could reach a glider that was taken out.
    fn watch_escapes(&mut self, x: i32, y: i32) {
        for escape in &self.escapes {
            let flown = (self.generation - escape.generation) as i64 / 4;
            let is_behind = |tile: i32, at: i64, d: i64| {
                let front = i64::from(CORE * tile) + if d > 0 { i64::from(CORE) - 1 } else { 0 };
                (at + d * flown - front) * d > 4
            };
            if !is_behind(x, escape.x, escape.dx) && !is_behind(y, escape.y, escape.dy) {
                self.is_escape_doubtful = true;
            }
        }
    }

    /// The population of the whole plane, gliders that were taken out among it. Takes out those
    /// that can be.
    pub(crate) fn population(&mut self) -> u64 {
        while let Some(tile) = self.uncounted.pop() {
            let now = self.rows[tile as usize].population();
            let place = &mut self.places[tile as usize];
            place.is_counted = true;
            self.population += u64::from(now);
            self.population -= u64::from(place.population);
            place.population = now;
        }
        if self.takes_gliders && !self.headings.is_empty() {
            self.let_gliders_escape();
        }
        self.population + 5 * self.escapes.len() as u64
    }

    fn let_gliders_escape(&mut self) {
        let mut i = 0;
        while i < self.due.len() {
            let tile = self.due[i];
            if self.places[tile as usize].population == 5 && self.let_glider_escape(tile) {
                self.due.swap_remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// Takes the glider of a tile out, if it is one and flies away from everything.
    fn let_glider_escape(&mut self, tile: u32) -> bool {
        let rows = &self.rows[tile as usize].0;
        let place = &self.places[tile as usize];
        let Some(top) = (MARGIN..TILE_ROWS - MARGIN).find(|&y| rows[y] & CORE_COLUMNS != 0) else {
            return false;
        };
        if top > 25 {
            return false;
        }
        let columns = (rows[top] | rows[top + 1] | rows[top + 2]) & CORE_COLUMNS;
        let left = columns.trailing_zeros();
        if columns >> left > 7 {
            return false;
        }
        let three = |y: usize| ((rows[y] & CORE_COLUMNS) >> left & 7) as usize;
        let block = three(top) | three(top + 1) << 3 | three(top + 2) << 6;
        let GliderHeading { dx, dy } = self.headings[block];
        let (dx, dy) = (i32::from(dx), i32::from(dy));
        // four cells between it and the tiles behind
        let (x, y) = (left as i32 - 2, top as i32 - 2);
        let is_inside = |at: i32, d: i32| if d > 0 { at >= 4 } else { at <= CORE - 7 };
        if dx == 0 || !is_inside(x, dx) || !is_inside(y, dy) {
            return false;
        }
        let is_free = self.places.iter().skip(1).all(|other| {
            (other.x - place.x) * dx < 0
                || (other.y - place.y) * dy < 0
                || (other.x, other.y) == (place.x, place.y)
        });
        let (x, y) = (place.x * CORE + x, place.y * CORE + y);
        let is_behind_others = self.escapes.iter().all(|escape| {
            let flown = (self.generation - escape.generation) as i64 / 4;
            (escape.x + escape.dx * flown - i64::from(x)) * escape.dx > 4
                || (escape.y + escape.dy * flown - i64::from(y)) * escape.dy > 4
        });
        if !is_free || !is_behind_others {
            return false;
        }
        self.escapes.push(Escape {
            generation: self.generation,
            x: i64::from(if dx > 0 { x } else { x + 2 }),
            y: i64::from(if dy > 0 { y } else { y + 2 }),
            dx: i64::from(dx),
            dy: i64::from(dy),
        });
        self.erase_tile(tile);
        true
    }

    /// Empties a tile of its glider. No neighbour saw it: it is far from the edges behind it, and
    /// a tile in front of it would not have let it go.
    fn erase_tile(&mut self, tile: u32) {
        for row in &mut self.rows[tile as usize].0[MARGIN..TILE_ROWS - MARGIN] {
            *row &= !CORE_COLUMNS;
        }
        let place = &mut self.places[tile as usize];
        self.population -= u64::from(place.population);
        place.population = 0;
        place.is_watched = true;
    }

    /// Calls `f` with every live cell.
    pub(crate) fn for_each_cell(&self, mut f: impl FnMut(i32, i32)) {
        for (place, rows) in self.places.iter().zip(&self.rows) {
            for (y, row) in rows.0[MARGIN..TILE_ROWS - MARGIN].iter().enumerate() {
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
        for ((place, rows), envelope) in self.places.iter().zip(&self.rows).zip(&self.envelopes) {
            let own = MARGIN..TILE_ROWS - MARGIN;
            if envelope.0[own.clone()].iter().any(|&row| row != 0) {
                f(
                    place.x * CORE,
                    place.y * CORE,
                    &rows.0[own.clone()],
                    &envelope.0[own],
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
