//! Gliders that fly away from everything are taken out of a plane, and watched. Own method.

use super::{FEW_TILES, GliderHeading, SoupPlane, TilePlace, WATCHED};
use crate::settle::tile::{CORE, CORE_COLUMNS, MARGIN, OWN_ROWS, TileRows};
use grid::Point;

/// A glider that was taken out of the plane. Everything alive was behind it along one axis at
/// least, by more than [`CLEARANCE`]: for one that flies south-east, further west or further
/// north. So nothing can meet it that does not first enter the quadrant before it, which moves
/// along with it. The tiles there are watched, and what comes within [`TOUCHING`] cells is noted
/// ([`SoupPlane::is_escape_doubtful`]): then the soup is run again without taking gliders out
/// (12 soups of 10,000). Two such gliders cannot meet: along one axis at least they fly apart or
/// side by side.
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
            self.watched_few |= u64::from(tile < FEW_TILES as u32) << (tile % 64);
        }
    }

    /// Notes when something in a watched tile comes near a glider that was taken out. A tile that
    /// all of them have left behind is not watched any longer.
    pub(super) fn watch(&mut self, tile: u32) {
        let all = [0, CORE - 1];
        let is_behind = |escape: &&Escape| self.is_behind(escape, tile, [all, all], TOUCHING);
        let mut near = self
            .escapes
            .iter()
            .filter(|escape| !is_behind(escape))
            .peekable();
        if near.peek().is_none() {
            self.flags[tile as usize] &= !WATCHED;
            self.watched_few &= !(u64::from(tile < FEW_TILES as u32) << (tile % 64));
            return;
        }
        if let Some(live) = self.live_box(tile) {
            let is_doubtful = near.any(|escape| !self.is_behind(escape, tile, live, TOUCHING));
            self.is_escape_doubtful |= is_doubtful;
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
        let GliderHeading { dx, dy } = self.headings[block];
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
        };
        if self.has_free_way(tile, &escape, CLEARANCE) {
            self.take_out(tile, escape);
            self.erase_tile(tile);
        }
    }

    /// Whether everything alive outside of its tile is further behind a glider than so many cells.
    fn has_free_way(&mut self, tile: u32, escape: &Escape, clearance: i64) -> bool {
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
            let is_behind = |live| self.is_behind(escape, other, live, clearance);
            x < -1
                || y < -1
                || place.population == 0
                || other == tile
                || self.live_box(other).is_none_or(is_behind)
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
                self.watched_few |= u64::from(i < FEW_TILES) << (i % 64);
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
                for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
                    self.let_leader_escape(tile, dx, dy, clearance);
                }
            }
            if self.escapes.len() == taken {
                break;
            }
        }
    }

    /// Takes the foremost glider of a tile out, if it is one that flies that way, away from
    /// everything.
    fn let_leader_escape(&mut self, tile: u32, dx: i8, dy: i8, clearance: i64) {
        let population = self.places[tile as usize].population;
        if !(5..=MOST_IN_STREAM).contains(&population) {
            return;
        }
        let Some([_, [first, last]]) = self.live_box(tile) else {
            return;
        };
        // the three rows in front hold nothing else
        let (top, rest) = match dy {
            1 => (last - 2, [0, last - 3]),
            _ => (first, [first + 3, CORE - 1]),
        };
        if !(0..=CORE - 3).contains(&top) {
            return;
        }
        let own = |y: i32| (self.rows[tile as usize].row(y as usize) & CORE_COLUMNS) >> MARGIN;
        let columns = own(top) | own(top + 1) | own(top + 2);
        let left = columns.trailing_zeros();
        if columns >> left > 7 {
            return;
        }
        let three = |y: i32| (own(y) >> left & 7) as usize;
        let block = three(top) | three(top + 1) << 3 | three(top + 2) << 6;
        let heading = self.headings[block];
        if (heading.dx, heading.dy) != (dx, dy) {
            return;
        }
        let place = &self.places[tile as usize];
        let (x, y) = (place.x * CORE + left as i32, place.y * CORE + top);
        let escape = Escape {
            generation: self.generation,
            block,
            x: i64::from(if dx > 0 { x } else { x + 2 }),
            y: i64::from(if dy > 0 { y } else { y + 2 }),
            dx: dx.into(),
            dy: dy.into(),
        };
        let rows = (rest[0]..=rest[1]).filter(|&y| own(y) != 0);
        let rest = rows.clone().min().zip(rows.max());
        let is_behind = rest.is_none_or(|(first, last)| {
            let columns = (first..=last).fold(0, |all, y| all | own(y));
            let columns = [columns.trailing_zeros() as i32, columns.ilog2() as i32];
            self.is_behind(&escape, tile, [columns, [first, last]], TOUCHING)
        });
        if !is_behind || !self.has_free_way(tile, &escape, clearance) {
            return;
        }
        self.take_out(tile, escape);
        // it stays due
        for y in top..top + 3 {
            *self.rows[tile as usize].row_mut(y as usize) &= !(7 << left << MARGIN);
        }
        self.places[tile as usize].population -= 5;
        self.population -= 5;
    }
}
