//! Gliders that fly away from everything are taken out of a plane, and watched. Own method.

use super::wake::FEW_TILES;
use super::{ABSENT, COUNTED, GliderHeading, PairWatch, SoupPlane, TilePlace, WATCHED};
use crate::settle::tile::{
    CORE, CORE_COLUMNS, MARGIN, MarginedRows, OWN_ROWS, TileRows, seen_from, words_with_margin,
};
use grid::Point;

/// A glider that was taken out of the plane. Everything alive was behind it along one axis at
/// least, by more than [`CLEARANCE`]: for one that flies south-east, further west or further
/// north. So nothing can meet it that does not first enter the quadrant before it, which moves
/// along with it. The tiles there are watched, and what comes within [`TOUCHING`] cells is noted
/// ([`SoupPlane::is_escape_doubtful`]): then the soup is run again without taking gliders out
/// (12 soups of 10,000), or the glider is put back, which nothing has touched so far. Two such
/// gliders cannot meet: along one axis at least they fly apart or side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Escape {
    generation: u64,
    /// The nine bits of its box.
    block: usize,
    /// The cell of its box that is furthest back.
    x: i64,
    y: i64,
    dx: i64,
    dy: i64,
    /// Whether something came near it.
    is_doubtful: bool,
}

/// Cells that lie further than this behind a glider that flies away do not touch it in the next two
/// generations: with two columns or rows between them they do not in the first, and by then they
/// have come one nearer at most.
pub(crate) const TOUCHING: i64 = 3;

/// How far everything is behind a glider that is taken out: further, so that little comes after
/// it.
pub(crate) const CLEARANCE: i64 = 12;

/// A tile of a stream of gliders has no more cells.
const MOST_IN_STREAM: u32 = 40;

impl Escape {
    pub(super) fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }
}

impl SoupPlane {
    /// The gliders that were taken out: when, and their cells then.
    pub(crate) fn escaped_gliders(&self) -> impl Iterator<Item = (u64, Vec<Point>)> + '_ {
        self.escapes.iter().map(|escape| {
            let left = escape.x - if escape.dx > 0 { 0 } else { 2 };
            let top = escape.y - if escape.dy > 0 { 0 } else { 2 };
            let live = (0..9).filter(|at| escape.block >> at & 1 == 1);
            let points = live.map(|at| Point::new(left + at % 3, top + at / 3));
            (escape.generation, points.collect())
        })
    }

    /// How often gliders were put back: then the others may have new places in the list of
    /// [`SoupPlane::escaped_gliders`].
    pub(crate) fn returns(&self) -> usize {
        self.returns
    }

    /// Whether all cells between two columns and two rows of a tile are further behind a glider
    /// that was taken out than so many cells.
    fn is_behind(&self, escape: &Escape, tile: u32, cells: [[i32; 2]; 2], clearance: i64) -> bool {
        let flown = (self.generation - escape.generation) as i64 / 4;
        let place = &self.places[tile as usize];
        let is_behind = |at: i64, d: i64, corner: i32, [low, high]: [i32; 2]| {
            let front = i64::from(CORE * corner + if d > 0 { high } else { low });
            (at + d * flown - front) * d > clearance
        };
        is_behind(escape.x, escape.dx, place.x, cells[0])
            || is_behind(escape.y, escape.dy, place.y, cells[1])
    }

    /// The columns and rows of a tile between which its live cells are; none when it is empty.
    pub(super) fn live_box(&self, tile: u32) -> Option<[[i32; 2]; 2]> {
        let tile = &self.rows[tile as usize];
        let rows = tile.own_rows();
        let columns = tile.0.iter().fold(0, |all, row| all | row) >> MARGIN;
        let top = rows.iter().position(|&row| row != 0)? as i32;
        let bottom = rows.iter().rposition(|&row| row != 0)? as i32;
        let columns = [columns.trailing_zeros() as i32, columns.ilog2() as i32];
        Some([columns, [top, bottom]])
    }

    /// A tile in which something could reach a glider that was taken out is watched from now on.
    pub(super) fn watch_if_ahead(&mut self, tile: u32) {
        let all = [0, CORE - 1];
        let is_behind = |escape| self.is_behind(escape, tile, [all, all], TOUCHING);
        if !self.escapes.iter().all(is_behind) {
            self.flags[tile as usize] |= WATCHED;
            self.watched_few.put(tile);
        }
    }

    /// Notes when something in a watched tile comes near a glider that was taken out. A tile that
    /// all of them have left behind is not watched any longer.
    pub(super) fn watch(&mut self, tile: u32) {
        let all = [0, CORE - 1];
        let is_behind = |escape: &Escape| self.is_behind(escape, tile, [all, all], TOUCHING);
        if self.escapes.iter().all(is_behind) {
            self.flags[tile as usize] &= !WATCHED;
            self.watched_few.remove(tile);
            return;
        }
        let Some(live) = self.live_box(tile) else {
            return;
        };
        for i in 0..self.escapes.len() {
            if !self.is_behind(&self.escapes[i], tile, live, TOUCHING) {
                self.escapes[i].is_doubtful = true;
                self.is_escape_doubtful = true;
            }
        }
    }

    /// Puts the gliders back that something came near, in the last two generations. It has not
    /// touched them, and they have not touched it: before these it was further away than
    /// [`TOUCHING`].
    pub(super) fn return_doubtful(&mut self, watch: PairWatch) {
        if !self.is_escape_doubtful || !self.returns_gliders {
            return;
        }
        // half of the phases are known
        let generation = self.generation;
        let comes_back = |escape: &Escape| {
            escape.is_doubtful && (generation - escape.generation).is_multiple_of(2)
        };
        let (doubtful, sure): (Vec<Escape>, Vec<Escape>) =
            self.escapes.iter().partition(|escape| comes_back(escape));
        self.is_escape_doubtful = sure.iter().any(|escape| escape.is_doubtful);
        self.escapes = sure;
        self.returns += 1;
        for escape in doubtful {
            self.put_back(escape, watch);
        }
    }

    /// Puts back a glider that was taken out.
    fn put_back(&mut self, escape: Escape, watch: PairWatch) {
        let age = self.generation - escape.generation;
        let flown = age as i64 / 4;
        let corner = |back: i64, d: i64| back + if d > 0 { 0 } else { -2 } + d * flown;
        let mut corner = (corner(escape.x, escape.dx), corner(escape.y, escape.dy));
        let mut block = escape.block;
        if age % 4 == 2 {
            let heading = self.headings[block];
            let (dx, dy) = heading.later_by;
            corner = (corner.0 + i64::from(dx), corner.1 + i64::from(dy));
            block = usize::from(heading.later);
        }
        let mut tiles = Vec::new();
        for (x, y) in cells_of_box((corner.0 as i32, corner.1 as i32), block) {
            let tile = self.tile_at(x.div_euclid(CORE), y.div_euclid(CORE));
            let bit = 1 << (x.rem_euclid(CORE) as usize + MARGIN);
            let row = y.rem_euclid(CORE) as usize;
            *self.rows[tile as usize].row_mut(row) |= bit;
            match watch {
                PairWatch::Nothing => {}
                PairWatch::Envelope => {
                    self.envelopes.resize(self.places.len(), TileRows::EMPTY);
                    *self.envelopes[tile as usize].row_mut(row) |= bit;
                }
                PairWatch::Populations => {
                    self.tile_populations.resize(self.places.len(), [0; 2]);
                    for generation in 0..2 {
                        self.tile_populations[tile as usize][generation] += 1;
                        self.population_sums[generation] += 1;
                    }
                }
            }
            tiles.push(tile);
        }
        for tile in tiles {
            self.count_again(tile);
            self.make_due(tile);
            let seen = seen_from(&self.rows[tile as usize]);
            for side in (0..8).filter(|side| seen >> side & 1 == 1) {
                let near = match self.near[tile as usize][side] {
                    ABSENT => self.make_neighbour(tile, side),
                    near => near,
                };
                self.make_due(near);
            }
        }
        if watch == PairWatch::Envelope {
            self.envelopes.resize(self.places.len(), TileRows::EMPTY);
        }
    }

    /// A tile is to be counted when the population is asked for.
    fn count_again(&mut self, tile: u32) {
        if tile < FEW_TILES as u32 {
            self.uncounted_few.put(tile);
        } else if self.flags[tile as usize] & COUNTED != 0 {
            self.flags[tile as usize] &= !COUNTED;
            self.uncounted[self.uncounted_count] = tile;
            self.uncounted_count += 1;
        }
    }

    fn make_due(&mut self, tile: u32) {
        if !self.due[..self.due_count].contains(&tile) {
            self.due[self.due_count] = tile;
            self.due_count += 1;
        }
    }

    pub(super) fn let_gliders_escape(&mut self) {
        for i in 0..self.due_count {
            let tile = self.due[i];
            if self.places[tile as usize].population == 5 {
                self.let_glider_escape(tile);
            }
        }
    }

    /// Takes the glider of a tile out, if it is one and flies away from everything.
    fn let_glider_escape(&mut self, tile: u32) {
        let rows = self.rows[tile as usize].own_rows();
        let place = &self.places[tile as usize];
        let Some(top) = (0..OWN_ROWS).find(|&y| rows[y] != 0) else {
            return;
        };
        if top > 23 {
            return;
        }
        let columns = (rows[top] | rows[top + 1] | rows[top + 2]) & CORE_COLUMNS;
        let left = columns.trailing_zeros();
        if columns >> left > 7 {
            return;
        }
        let three = |y: usize| ((rows[y] & CORE_COLUMNS) >> left & 7) as usize;
        let block = three(top) | three(top + 1) << 3 | three(top + 2) << 6;
        let GliderHeading { dx, dy, .. } = self.headings[block];
        let (dx, dy) = (i32::from(dx), i32::from(dy));
        if dx == 0 {
            return;
        }
        let (x, y) = (
            place.x * CORE + left as i32 - MARGIN as i32,
            place.y * CORE + top as i32,
        );
        let escape = Escape {
            generation: self.generation,
            block,
            x: i64::from(if dx > 0 { x } else { x + 2 }),
            y: i64::from(if dy > 0 { y } else { y + 2 }),
            dx: i64::from(dx),
            dy: i64::from(dy),
            is_doubtful: false,
        };
        let clearance = |other| if other == tile { i64::MIN } else { CLEARANCE };
        if self.has_free_way(tile, &escape, clearance) {
            self.take_out(tile, escape);
            self.erase_tile(tile);
        }
    }

    /// Whether everything alive is further behind the glider of a tile than so many cells, which
    /// `clearance` gives for each tile.
    fn has_free_way(&mut self, tile: u32, escape: &Escape, clearance: impl Fn(u32) -> i64) -> bool {
        let place = &self.places[tile as usize];
        let (x, y) = (escape.x, escape.y);
        let (dx, dy) = (escape.dx as i32, escape.dy as i32);
        // tiles ahead of its own, along each axis
        let ahead = |other: &TilePlace| ((other.x - place.x) * dx, (other.y - place.y) * dy);
        let is_before = |other: &TilePlace| {
            let (x, y) = ahead(other);
            x > 0 && y > 0 && other.population > 0
        };
        // most often what was in the way is still there
        let quadrant = usize::from(dx > 0) + 2 * usize::from(dy > 0);
        let known = self.places.get(self.in_the_way[quadrant]);
        if known.is_some_and(is_before) {
            return false;
        }
        if let Some(found) = self.places.iter().position(is_before) {
            self.in_the_way[quadrant] = found;
            return false;
        }
        let is_free = (1..self.places.len() as u32).all(|other| {
            let place = &self.places[other as usize];
            let (x, y) = ahead(place);
            let is_behind = |live| self.is_behind(escape, other, live, clearance(other));
            x < -1 || y < -1 || place.population == 0 || self.live_box(other).is_none_or(is_behind)
        });
        let is_behind_others = self.escapes.iter().all(|other| {
            let flown = (self.generation - other.generation) as i64 / 4;
            (other.x + other.dx * flown - x) * other.dx > 4
                || (other.y + other.dy * flown - y) * other.dy > 4
        });
        is_free && is_behind_others
    }

    /// Notes a glider that is taken out of a tile, and watches over what is ahead of it.
    fn take_out(&mut self, tile: u32, escape: Escape) {
        let place = self.places[tile as usize].clone();
        let (dx, dy) = (escape.dx as i32, escape.dy as i32);
        for (i, (flags, other)) in self.flags.iter_mut().zip(&self.places).enumerate() {
            if (other.x - place.x) * dx >= 0 && (other.y - place.y) * dy >= 0 {
                *flags |= WATCHED;
                self.watched_few.put(i as u32);
            }
        }
        self.escapes.push(escape);
    }

    /// Empties a tile of its glider. No cell beside it depends on it: it is far from the edges
    /// behind it, and in front of it everything is empty.
    fn erase_tile(&mut self, tile: u32) {
        // it stays due: a neighbour may have changed beside it
        self.rows[tile as usize] = TileRows::EMPTY;
        let place = &mut self.places[tile as usize];
        self.population -= u64::from(place.population);
        place.population = 0;
    }

    /// Takes out the gliders that fly away, those of streams too: as long as one leads in its tile,
    /// and everything is behind it. (Soups have few streams, and the search for them costs more.)
    /// Everything is further behind than `clearance`, which is [`CLEARANCE`], or [`TOUCHING`] for
    /// what is likely to send out streams.
    pub(crate) fn let_streams_escape(&mut self, clearance: i64) {
        let _ = self.population();
        if !self.takes_gliders || self.headings.is_empty() {
            return;
        }
        loop {
            let taken = self.escapes.len();
            for i in 0..self.due_count {
                let tile = self.due[i];
                let population = self.places[tile as usize].population;
                if !(1..=MOST_IN_STREAM).contains(&population) {
                    continue;
                }
                while self.let_leader_escape(tile, clearance) {}
            }
            if self.escapes.len() == taken {
                break;
            }
        }
    }

    /// Takes a glider out whose box has its middle in a tile, if it flies away from everything, and
    /// nothing lies before its rows or beside them. Whether there was one.
    fn let_leader_escape(&mut self, tile: u32, clearance: i64) -> bool {
        let near = &self.near[tile as usize];
        let rows = words_with_margin(&self.rows, tile as usize, near);
        // up and down
        [false, true].into_iter().any(|is_down| {
            let leader = leader_of(&rows, is_down);
            leader.is_some_and(|leader| self.let_escape(tile, leader, is_down, clearance))
        })
    }

    /// Takes a glider out of the box there, if there is one that flies away from everything.
    fn let_escape(
        &mut self,
        tile: u32,
        (left, top, block): (usize, usize, usize),
        is_down: bool,
        clearance: i64,
    ) -> bool {
        let GliderHeading { dx, dy, .. } = self.headings[block];
        if dx == 0 || (dy > 0) != is_down {
            return false;
        }
        let place = &self.places[tile as usize];
        let margin = MARGIN as i32;
        let (x, y) = (
            place.x * CORE + left as i32 - margin,
            place.y * CORE + top as i32 - margin,
        );
        let escape = Escape {
            generation: self.generation,
            block,
            x: i64::from(if dx > 0 { x } else { x + 2 }),
            y: i64::from(if dy > 0 { y } else { y + 2 }),
            dx: dx.into(),
            dy: dy.into(),
            is_doubtful: false,
        };
        let mut own = vec![tile];
        for (x, y) in cells_of_box((x, y), block) {
            own.push(self.flip(x, y));
        }
        let behind = |other| match own.contains(&other) {
            true => TOUCHING,
            false => clearance,
        };
        if !self.has_free_way(tile, &escape, behind) {
            for (x, y) in cells_of_box((x, y), block) {
                self.flip(x, y);
            }
            return false;
        }
        self.take_out(tile, escape);
        for other in 1..self.places.len() as u32 {
            self.watch_if_ahead(other);
        }
        for tile in own {
            self.make_due(tile);
        }
        true
    }

    /// Changes the state of a cell of a plane whose tiles are counted; its tile, which is there.
    fn flip(&mut self, x: i32, y: i32) -> u32 {
        let tile = self.find(x.div_euclid(CORE), y.div_euclid(CORE));
        let bit = 1 << (x.rem_euclid(CORE) as usize + MARGIN);
        let row = self.rows[tile as usize].row_mut(y.rem_euclid(CORE) as usize);
        *row ^= bit;
        let place = &mut self.places[tile as usize];
        match *row & bit {
            0 => {
                place.population -= 1;
                self.population -= 1;
            }
            _ => {
                place.population += 1;
                self.population += 1;
            }
        }
        tile
    }
}

/// The live cells of a box of 3 x 3 with its upper left corner there.
fn cells_of_box((left, top): (i32, i32), block: usize) -> impl Iterator<Item = (i32, i32)> {
    let live = (0..9).filter(move |at| block >> at & 1 == 1);
    live.map(move |at| (left + at % 3, top + at / 3))
}

/// The last three live rows of a tile and what is near it, or the first ones: the upper left corner
/// in the box and the nine bits of it, if they fit one whose middle is the tile's own.
fn leader_of(rows: &MarginedRows, is_down: bool) -> Option<(usize, usize, usize)> {
    let top = match is_down {
        true => rows.iter().rposition(|&row| row != 0)?.checked_sub(2)?,
        false => rows.iter().position(|&row| row != 0)?,
    };
    let middles = MARGIN - 1..MARGIN - 1 + OWN_ROWS;
    if !middles.contains(&top) {
        return None;
    }
    let columns = rows[top] | rows[top + 1] | rows[top + 2];
    let left = columns.trailing_zeros() as usize;
    if columns >> left > 7 || !middles.contains(&left) {
        return None;
    }
    let three = |row: usize| (rows[row] >> left & 7) as usize;
    Some((
        left,
        top,
        three(top) | three(top + 1) << 3 | three(top + 2) << 6,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{NaiveWorld, World};
    use grid::State;
    use pattern::{Cells, Run};
    use std::collections::BTreeSet;

    fn figure(text: &str, (x, y): (i32, i32), turns: u32) -> Vec<(i32, i32)> {
        let cells = pattern::Pattern::from_text(text).unwrap().cells;
        let mut found = Vec::new();
        cells.for_each_run(&mut |run: Run| {
            for at in 0..run.length as i32 {
                let (mut a, mut b) = (run.x as i32 + at, run.y as i32);
                for _ in 0..turns {
                    (a, b) = (-b, a);
                }
                found.push((x + a, y + b));
            }
        });
        found
    }

    /// How often gliders were taken out, and put back, of a plane that is run on in each way, and
    /// is what the naive world is.
    fn check(cells: &[(i32, i32)], clearance: i64, rounds: u32) -> (usize, usize) {
        let rule: rule::Rule = "B3/S23".parse().unwrap();
        let mut plane = SoupPlane::new(&rule).unwrap();
        plane.return_gliders(true);
        plane.load(cells);
        let mut world = NaiveWorld::new(rule);
        let run = |&(x, y): &(i32, i32)| Run {
            y: y.into(),
            x: x.into(),
            length: 1,
            state: 1,
        };
        let start = Cells::from_runs(cells.iter().map(run).collect());
        world.load(&start).unwrap();
        let mut taken = 0;
        for round in 0..rounds {
            let before = plane.escapes.len();
            plane.let_streams_escape(clearance);
            taken += plane.escapes.len() - before;
            let mut populations = Vec::new();
            match round % 4 {
                0 => plane.advance(12),
                1 => plane.advance_with_envelope(12),
                _ => plane.advance_with_populations(12, &mut populations),
            }
            for generation in 0..12 {
                world.advance(&1_u8.into(), &mut |_| true).unwrap();
                if let Some(&population) = populations.get(generation) {
                    assert_eq!(world.population(), population.into(), "{round}");
                }
            }
            assert!(!plane.is_escape_doubtful());
            let mut all: BTreeSet<(i32, i32)> = BTreeSet::new();
            plane.for_each_cell(|x, y| {
                assert!(all.insert((x, y)));
            });
            for (then, points) in plane.escaped_gliders() {
                let mut glider = NaiveWorld::new("B3/S23".parse().unwrap());
                let run = |p: &Point| Run {
                    y: p.y,
                    x: p.x,
                    length: 1,
                    state: 1 as State,
                };
                let cells = Cells::from_runs(points.iter().map(run).collect());
                glider.load(&cells).unwrap();
                let age = plane.generation() - then;
                glider.advance(&age.into(), &mut |_| true).unwrap();
                all.extend(cells_of(&glider));
            }
            assert_eq!(all, cells_of(&world), "{round}");
            assert_eq!(plane.population(), all.len() as u64, "{round}");
        }
        (taken, plane.returns())
    }

    fn cells_of(world: &dyn World) -> BTreeSet<(i32, i32)> {
        let mut cells = BTreeSet::new();
        world.cells().for_each_run(&mut |run: Run| {
            let columns = run.x as i32..run.x as i32 + run.length as i32;
            cells.extend(columns.map(|x| (x, run.y as i32)));
        });
        cells
    }

    const GLIDER: &str = "bo$2bo$3o!";
    const SHIP: &str = "bo2bo$o$o3bo$4o!";

    #[test]
    fn a_glider_is_put_back_when_a_ship_overtakes_it() {
        for turns in 0..4 {
            let far = [(-40, 50), (-50, -40), (40, -50), (50, 40)][turns as usize];
            let cells = [
                figure(GLIDER, (0, 0), turns),
                figure(SHIP, far, turns + 2), // it flies to the left as it is written
            ];
            let (taken, returns) = check(&cells.concat(), CLEARANCE, 30);
            assert!(taken >= 1 && returns >= 1, "{turns}: {taken} {returns}");
        }
    }

    #[test]
    fn gliders_leave_and_come_back_as_in_the_naive_world() {
        let (mut taken, mut returns) = (0, 0);
        for seed in 0..4 {
            let mut dice = dice::Dice::new(seed);
            let mut cells = Vec::new();
            for i in 0..24 {
                // in places of their own
                let at = |dice: &mut dice::Dice, i: i32| 40 * i + dice.below(28) as i32;
                let place = (at(&mut dice, i % 5), at(&mut dice, i / 5));
                let text = [GLIDER, GLIDER, GLIDER, SHIP, "2o$2o!", "b2o$2o$bo!"];
                let text = text[dice.below(6) as usize];
                cells.extend(figure(text, place, dice.below(4)));
            }
            let clearance = [CLEARANCE, TOUCHING][seed as usize % 2];
            let found = check(&cells, clearance, 20);
            (taken, returns) = (taken + found.0, returns + found.1);
        }
        assert!(taken > 5 && returns > 0, "{taken} {returns}");
    }
}
