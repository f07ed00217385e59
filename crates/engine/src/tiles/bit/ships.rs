//! Spaceships that fly alone: their future is known, so they are not stepped.
//!
//! Nine tenths of the tile steps of a methuselah are escaping gliders. A ship whose cells are
//! all that its tile sees is removed together with the tile, and recorded by its shape and
//! velocity. It holds the positions of all tiles that its cells, or a ring of [`RING`] around
//! them, lie in. There are no tiles at these positions, so for a round nothing can meet the
//! ship. Whenever it is about to enter another position, that has to be free. If it is not, or
//! if a tile is added at a position that it holds, the ship lands: its cells are written to
//! tiles again, which are stepped as any others.
//!
//! All ships land before a call of `advance` ends, so no other code has to know of them.
//!
//! Own method.

use super::{BitTiles, OWN, RING, ROWS, TALL, WIDE, phase, slot, split};
use grid::Point;
use kernel::BitColumn;
use kernel::hasher::MixMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rounds between two scans of the tiles for ships.
const SCAN_INTERVAL: u64 = 8;

/// Remaining generations from which on a scan pays.
const ENOUGH: u64 = 128;

/// Ships in flight, and the positions that they hold.
#[derive(Clone, Debug, Default)]
pub(in crate::tiles) struct Ships {
    ships: Vec<Option<Ship>>,
    free: Vec<u32>,
    /// The ship that holds a position.
    holders: MixMap<(i64, i64), u32>,
    /// When ships are about to enter other positions; may include ships that have landed since.
    due: BinaryHeap<Reverse<(u64, u32)>>,
    /// Ships at whose positions tiles have been added.
    to_land: Vec<u32>,
    /// Rounds since all had landed.
    round: u64,
}

#[derive(Clone, Debug)]
struct Ship {
    /// Its cells, row by row from its first, its first column in bit 0.
    rows: Box<[u64]>,
    wide: u32,
    /// Columns and rows that it moves in a round.
    pace: (i64, i64),
    /// Its first column and row at the round `since`.
    corner: (i64, i64),
    since: u64,
    holds: TileRange,
    /// The first round that needs positions which it does not hold.
    until: u64,
}

/// A rectangle of tile positions, bounds included.
#[derive(Clone, Copy, Debug, Default)]
struct TileRange {
    x: (i64, i64),
    y: (i64, i64),
}

impl TileRange {
    fn each(self) -> impl Iterator<Item = (i64, i64)> {
        let Self { x, y } = self;
        (y.0..=y.1).flat_map(move |ty| (x.0..=x.1).map(move |tx| (tx, ty)))
    }

    fn holds(self, (x, y): (i64, i64)) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }
}

impl Ship {
    /// The ship in a tile's cells, if they are the same a round later but for a translation,
    /// and have space around them. Its position is relative to the tile, and it holds nothing
    /// yet. The caller checks that the tile sees nothing else.
    fn find(before: &BitColumn, after: &BitColumn) -> Option<Self> {
        let rows = |tile: &BitColumn| -> [u64; TALL] { std::array::from_fn(|y| own(tile, y)) };
        let (before, after) = (rows(before), rows(after));
        let (old, new) = (ShipBounds::of(&before)?, ShipBounds::of(&after)?);
        let is_inside = |from: usize, to: usize, length: usize| from >= RING && to < length - RING;
        if (old.wide(), old.tall()) != (new.wide(), new.tall())
            || !is_inside(new.left, new.right, WIDE as usize)
            || !is_inside(new.top, new.bottom, TALL)
        {
            return None;
        }
        let lines = |rows: &[u64; TALL], extent: ShipBounds| -> Box<[u64]> {
            let rows = rows[extent.top..=extent.bottom].iter();
            rows.map(|row| row >> extent.left).collect()
        };
        let cells = lines(&after, new);
        let far = |from: usize, to: usize| to as i64 - from as i64;
        let pace = (far(old.left, new.left), far(old.top, new.top));
        (pace != (0, 0) && lines(&before, old) == cells).then(|| Self {
            rows: cells,
            wide: new.wide() as u32,
            pace,
            corner: (new.left as i64, new.top as i64),
            since: 0,
            holds: TileRange::default(),
            until: 0,
        })
    }

    /// The position of its first column and row.
    fn corner(&self, round: u64) -> (i64, i64) {
        let rounds = (round - self.since) as i64;
        let (x, y) = self.corner;
        (x + rounds * self.pace.0, y + rounds * self.pace.1)
    }

    /// The positions that it needs during the following round.
    fn needs(&self, round: u64) -> TileRange {
        let (x, y) = self.corner(round);
        let ring = RING as i64;
        let tall = TALL as i64;
        let along = |from: i64, length: i64, tile: i64| {
            let (first, last) = (from - ring, from + length - 1 + ring);
            (first.div_euclid(tile), last.div_euclid(tile))
        };
        TileRange {
            x: along(x, self.wide.into(), WIDE),
            y: along(y, self.rows.len() as i64, tall),
        }
    }

    /// Notes that it is where it is, and holds what it needs.
    fn settle(&mut self, round: u64) {
        self.corner = self.corner(round);
        self.since = round;
        self.holds = self.needs(round);
        let (ring, tall) = (RING as i64, TALL as i64);
        // Rounds after which it is over an edge of what it holds.
        let over = |(from, length): (i64, i64), pace: i64, (first, last): (i64, i64), tile| {
            let room = match pace {
                0 => return u64::MAX,
                1.. => (last + 1) * tile - (from + length + ring),
                _ => from - ring - first * tile,
            };
            (room / pace.abs() + 1) as u64
        };
        let (x, y) = self.corner;
        let across = over((x, self.wide.into()), self.pace.0, self.holds.x, WIDE);
        let down = over((y, self.rows.len() as i64), self.pace.1, self.holds.y, tall);
        self.until = round.saturating_add(across.min(down));
    }
}

/// A row of a tile's own cells, its first column in bit 0.
fn own(tile: &BitColumn, y: usize) -> u64 {
    (tile.row(y + RING) & OWN) >> RING
}

/// The first and the last columns and rows of some cells.
#[derive(Clone, Copy)]
struct ShipBounds {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl ShipBounds {
    fn of(rows: &[u64; TALL]) -> Option<Self> {
        let top = rows.iter().position(|row| *row != 0)?;
        let bottom = rows.iter().rposition(|row| *row != 0)?;
        let all = rows[top..=bottom].iter().fold(0, |all, row| all | row);
        Some(Self {
            left: all.trailing_zeros() as usize,
            right: 63 - all.leading_zeros() as usize,
            top,
            bottom,
        })
    }

    fn wide(self) -> usize {
        self.right - self.left + 1
    }

    fn tall(self) -> usize {
        self.bottom - self.top + 1
    }
}

impl Ships {
    /// The number of ships.
    pub(in crate::tiles) fn len(&self) -> usize {
        self.ships.len() - self.free.len()
    }

    /// Whether to scan for ships after the next round, given the remaining generations.
    pub(in crate::tiles) fn should_scan(&self, left: u64) -> bool {
        left >= ENOUGH && self.round.is_multiple_of(SCAN_INTERVAL)
    }

    /// Advances the clock by some rounds.
    pub(in crate::tiles) fn advance_clock(&mut self, rounds: u64) {
        self.round += rounds;
    }

    /// Rounds until a ship is about to enter another position; none if there is no ship.
    pub(in crate::tiles) fn rounds_left(&mut self) -> Option<u64> {
        while let Some(&Reverse((round, id))) = self.due.peek() {
            if self.is_due(id, round) {
                return Some(round - self.round);
            }
            self.due.pop();
        }
        None
    }

    /// A tile was added: the ship that holds its position has to land.
    pub(in crate::tiles) fn tile_added(&mut self, place: (i64, i64)) {
        self.to_land.extend(self.holders.get(&place));
    }

    fn is_due(&self, id: u32, round: u64) -> bool {
        let ship = self.ships[id as usize].as_ref();
        ship.is_some_and(|ship| ship.until == round)
    }

    fn launch(&mut self, mut ship: Ship) {
        ship.since = self.round;
        ship.settle(self.round);
        let (until, holds) = (ship.until, ship.holds);
        let id = if let Some(id) = self.free.pop() {
            self.ships[id as usize] = Some(ship);
            id
        } else {
            self.ships.push(Some(ship));
            self.ships.len() as u32 - 1
        };
        self.hold(id, holds, until);
    }

    fn hold(&mut self, id: u32, places: TileRange, until: u64) {
        for place in places.each() {
            self.holders.insert(place, id);
        }
        self.due.push(Reverse((until, id)));
    }

    /// Releases the positions of a ship, except those that another ship has taken over.
    fn release(&mut self, id: u32, places: TileRange) {
        for place in places.each() {
            if self.holders.get(&place) == Some(&id) {
                self.holders.remove(&place);
            }
        }
    }

    fn take(&mut self, id: u32) -> Option<Ship> {
        let ship = self.ships[id as usize].take()?;
        self.free.push(id);
        self.release(id, ship.holds);
        Some(ship)
    }

    /// The next ship that is about to enter another position now.
    fn next_due(&mut self) -> Option<u32> {
        if self.rounds_left()? > 0 {
            return None;
        }
        self.due.pop().map(|Reverse((_, id))| id)
    }

    /// Whether no other ship needs a position. One that has left it may still hold it.
    fn is_free(&self, place: (i64, i64), own: u32) -> bool {
        let holder = self.holders.get(&place).filter(|id| **id != own);
        let holder = holder.and_then(|id| self.ships[*id as usize].as_ref());
        holder.is_none_or(|other| !other.needs(self.round).holds(place))
    }
}

impl BitTiles {
    /// Converts tiles to ships where a ship is all that the tile sees, at a generation of the
    /// given parity.
    pub(in crate::tiles) fn launch(&mut self, slots: impl Iterator<Item = u32>, odd: bool) {
        for slot in slots {
            let cells = |which: usize| &self.cells.at(which)[slot as usize];
            let Some(mut ship) = Ship::find(cells(self.now ^ 1), cells(self.now)) else {
                continue;
            };
            let i = slot - 1;
            if !self.is_alone(i, ship.pace, odd) {
                continue;
            }
            let (x, y) = self.sheet.tiles[i as usize].place;
            ship.corner.0 += x * WIDE;
            ship.corner.1 += y * TALL as i64;
            self.remove(i);
            self.awake.sleep(slot as usize);
            self.ships.launch(ship);
        }
    }

    /// Whether a tile sees only its own cells, and they move by this much in every round.
    fn is_alone(&self, i: u32, (dx, dy): (i64, i64), odd: bool) -> bool {
        let seen = self.padded_rows(i);
        let own = RING..TALL + RING;
        let is_own = |(y, row): (usize, &u64)| *row & !OWN == 0 && (own.contains(&y) || *row == 0);
        if !seen.iter().enumerate().all(is_own) {
            return false;
        }
        let mut rows = seen;
        for k in 0..RING {
            let phase = phase(&self.kernel, odd ^ (k % 2 == 1));
            rows = self.kernel.advance_word(phase, &rows);
            // what comes out there depends on the vectors' width, and nothing gets so far
            (rows[0], rows[ROWS - 1]) = (0, 0);
        }
        rows.iter().zip(0_i64..).all(|(row, y)| {
            let before = usize::try_from(y - dy).ok().and_then(|y| seen.get(y));
            let before = before.copied().unwrap_or(0);
            let moved = if dx < 0 { before >> -dx } else { before << dx };
            *row == moved
        })
    }

    /// Moves ships that are about to enter other positions, and lands those that cannot.
    pub(in crate::tiles) fn advance_due(&mut self) {
        while let Some(id) = self.ships.next_due() {
            self.keep_going(id);
        }
        self.land_those_told();
    }

    fn land_those_told(&mut self) {
        while let Some(id) = self.ships.to_land.pop() {
            self.land(id);
        }
    }

    fn keep_going(&mut self, id: u32) {
        let Ships { ships, round, .. } = &self.ships;
        let Some(ship) = &ships[id as usize] else {
            return;
        };
        let (held, needs) = (ship.holds, ship.needs(*round));
        let is_free = |place| self.sheet.find(place).is_none() && self.ships.is_free(place, id);
        if !needs.each().all(is_free) {
            self.ships.to_land.push(id);
            return;
        }
        self.ships.release(id, held);
        let round = self.ships.round;
        if let Some(ship) = &mut self.ships.ships[id as usize] {
            ship.settle(round);
            let until = ship.until;
            self.ships.hold(id, needs, until);
        }
    }

    /// Writes a ship's cells to tiles.
    fn land(&mut self, id: u32) {
        let Some(ship) = self.ships.take(id) else {
            return;
        };
        let (x, y) = ship.corner(self.ships.round);
        let mut tiles = Vec::new();
        for (y, &row) in (y..).zip(&*ship.rows) {
            let ((tx, ty), column, line) = split(Point::new(x, y));
            let wide = WIDE as usize;
            let parts = [row << column & OWN >> RING, row >> (wide - column)];
            for (tx, bits) in (tx..).zip(parts) {
                if bits == 0 {
                    continue;
                }
                let i = match self.sheet.find((tx, ty)) {
                    Some(i) => i,
                    None => self.add((tx, ty)),
                };
                *self.cells.at_mut(self.now)[slot(i)].row_mut(line + RING) |= bits << RING;
                if !tiles.contains(&i) {
                    tiles.push(i);
                }
            }
        }
        for i in tiles {
            self.wake_around(i);
        }
    }

    /// Lets all ships land.
    pub(in crate::tiles) fn land_all(&mut self) {
        let all = 0..self.ships.ships.len() as u32;
        self.ships.to_land.extend(all);
        self.land_those_told();
        self.ships = Ships::default();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{AdvanceProgress, TilePlane};
    use super::*;
    use crate::{Tiles, World, open_hashlife};
    use dice::Dice;
    use grid::{Rect, State};
    use num_bigint::BigUint;
    use pattern::{Cells, Run};

    const GLIDER: &str = "bo$2bo$3o!";
    const LWSS: &str = "bo2bo$o$o3bo$4o!";
    const HWSS: &str = "3b2o$bo4bo$o$o5bo$6o!";
    const STRIDES: [u32; 7] = [128, 1, 515, 200, 3, 999, 4000];

    fn read(rle: &str) -> Vec<(i64, i64)> {
        let (pattern, _) = pattern::read(format!("x = 0, y = 0\n{rle}\n").as_bytes()).unwrap();
        let mut cells = Vec::new();
        pattern.cells.for_each_run(&mut |run: Run| {
            cells.extend((run.x..run.x + run.length as i64).map(|x| (x, run.y)));
        });
        cells
    }

    /// One of the eight ways to lay cells, moved.
    fn laid(cells: &[(i64, i64)], way: u64, dx: i64, dy: i64) -> Vec<(i64, i64)> {
        let turn = |(x, y): &(i64, i64)| {
            let (x, y) = if way & 1 == 1 { (*y, *x) } else { (*x, *y) };
            let x = if way & 2 == 2 { -x } else { x };
            let y = if way & 4 == 4 { -y } else { y };
            (x + dx, y + dy)
        };
        cells.iter().map(turn).collect()
    }

    fn cells(points: impl IntoIterator<Item = (i64, i64)>) -> Cells {
        let mut points: Vec<_> = points.into_iter().map(|(x, y)| (y, x)).collect();
        points.sort_unstable();
        points.dedup();
        let run = |(y, x)| Run {
            y,
            x,
            length: 1,
            state: 1 as State,
        };
        Cells::from_runs(points.into_iter().map(run).collect())
    }

    fn world(rule: &str, cells: &Cells) -> Tiles {
        let mut world = Tiles::new(rule.parse().unwrap()).unwrap();
        world.load(cells).unwrap();
        world
    }

    /// Another engine, to hold this one against.
    fn hashed(rule: &str, cells: &Cells) -> Box<dyn World> {
        let mut world = open_hashlife(rule.parse().unwrap(), 256 << 20).unwrap();
        world.load(cells).unwrap();
        world
    }

    fn advance(world: &mut dyn World, n: u32) {
        world.advance(&n.into(), &mut |_| true).unwrap();
    }

    /// Moves tiles on by a number of rounds, and tells how many ships are under way then.
    fn rounds(cells: &Cells, n: u32) -> (BitTiles, usize) {
        let mut tiles = BitTiles::compile(&"B3/S23".parse().unwrap()).unwrap();
        tiles.write(&mut |f| cells.for_each_run(f), false);
        let n = BigUint::from(RING as u32 * n);
        let mut yes = |_: &BigUint| true;
        let mut progress = AdvanceProgress::new(&n, false, &mut yes);
        tiles.rounds(&mut progress).unwrap();
        let Ships { ships, round, .. } = &tiles.ships;
        for (id, ship) in (0..).zip(ships) {
            for place in ship.iter().flat_map(|ship| ship.needs(*round).each()) {
                assert_eq!(tiles.ships.holders.get(&place), Some(&id));
                assert!(tiles.sheet.find(place).is_none());
            }
        }
        let ships = tiles.ships.len();
        (tiles, ships)
    }

    #[test]
    fn ships_are_known_as_such_and_go_their_way() {
        for (rle, pace) in [(GLIDER, (1, 1)), (LWSS, (-2, 0)), (HWSS, (-2, 0))] {
            for way in 0..8 {
                let start = laid(&read(rle), way, 25, 27);
                let pace = laid(&[pace], way, 0, 0)[0];
                for n in [40, 41, 57, 700] {
                    let (mut tiles, ships) = rounds(&cells(start.clone()), n);
                    assert_eq!(ships, 1, "{rle} {way} after {n}");
                    assert_eq!(tiles.population(false), 0, "it is in no tile");
                    tiles.land_all();
                    assert_eq!(tiles.ships.len(), 0);
                    let n = i64::from(n);
                    let moved = start.iter().map(|(x, y)| (x + n * pace.0, y + n * pace.1));
                    let mut runs = Vec::new();
                    let far = Rect::new(-10_000, -10_000, 20_000, 20_000);
                    tiles.runs(far, false, &mut |run| runs.push(run));
                    assert!(
                        Cells::from_runs(runs) == cells(moved),
                        "{rle} {way} after {n}"
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_not_alone_is_stepped() {
        let glider = read(GLIDER);
        let beside = |dx: i64, dy: i64, block: bool| {
            let other = if block {
                vec![(0, 0), (1, 0), (0, 1), (1, 1)]
            } else {
                glider.clone()
            };
            let mut all = laid(&glider, 0, 20, 20);
            all.extend(laid(&other, 0, 20 + dx, 20 + dy));
            rounds(&cells(all), 80).1
        };
        // A block behind it, in its tile or beside it, is left behind.
        assert_eq!(beside(-10, -12, true), 1);
        // Two that fly side by side are one ship, or two in two tiles.
        assert_eq!(beside(9, 0, false), 1);
        assert_eq!(beside(150, 0, false), 2);
        // A block that its tile sees, in the tile beside it, and one that it does not see.
        let block = |x| [(x, 20), (x + 1, 20), (x, 21), (x + 1, 21)];
        for (x, ships) in [(56, 0), (59, 0), (60, 1)] {
            let all = laid(&glider, 0, 8, 8).into_iter().chain(block(x));
            assert_eq!(rounds(&cells(all), 33).1, ships, "a block at {x}");
        }
        // A row of ten becomes a pentadecathlon, which stays where it is.
        assert_eq!(rounds(&cells((20..30).map(|x| (x, 20))), 40).1, 0);
    }

    /// One takes over what the one before it has left, and holds still.
    #[test]
    fn ships_in_a_row_hold_what_they_need() {
        for far in [70, 80, 95] {
            let row = (0..30).flat_map(|k| laid(&read(GLIDER), 0, far * k, far * k));
            let row = cells(row);
            for n in (32..100).step_by(3) {
                let (mut tiles, ships) = rounds(&row, n);
                assert!(ships > 5, "{ships} of those {far} apart");
                tiles.land_all();
                assert_eq!(tiles.population(false), 150);
            }
        }
    }

    #[test]
    fn two_that_meet_do_as_if_they_had_been_stepped() {
        let (glider, lwss) = (read(GLIDER), read(LWSS));
        let mut met = 0;
        for lane in -4..=8 {
            for (other, way, far) in [(&glider, 6, 330), (&lwss, 0, 600), (&glider, 2, 400)] {
                let mut all = laid(&glider, 0, 11, 7);
                let down = if way == 2 {
                    0
                } else {
                    far / if way == 6 { 1 } else { 3 }
                };
                all.extend(laid(other, way, 11 + far, 7 + down + lane));
                let all = cells(all);
                let mut hashed = hashed("B3/S23", &all);
                let mut tiles = world("B3/S23", &all);
                for n in STRIDES {
                    advance(&mut *hashed, n);
                    advance(&mut tiles, n);
                    assert_eq!(tiles.hash(), hashed.hash(), "lane {lane}, way {way}");
                }
                met += u32::from(tiles.population() != all.population());
            }
        }
        assert!(met > 15, "{met}");
    }

    /// Gliders and lightweight spaceships by the dozen, among blocks and blinkers.
    #[test]
    fn crowds_do_as_hashing_says() {
        let mut dice = Dice::new(5);
        let things = ["2o$2o!", "3o!", GLIDER, GLIDER, GLIDER, LWSS].map(read);
        for rule in ["B3/S23", "B38/S23", "B2/S"] {
            for (count, wide) in [(12, 500), (120, 1100), (900, 6000)] {
                let mut all = Vec::new();
                for _ in 0..count {
                    let thing = &things[dice.below(6) as usize];
                    let mut place = || i64::from(dice.below(wide)) - i64::from(wide) / 2;
                    let (dx, dy) = (place(), place());
                    all.extend(laid(thing, dice.below(8).into(), dx, dy));
                }
                let all = cells(all);
                let spans = if rule == "B2/S" { &[200][..] } else { &STRIDES };
                let mut hashed = hashed(rule, &all);
                let mut one = world(rule, &all);
                let mut two = world(rule, &all).with_threads(2);
                for &n in spans {
                    advance(&mut *hashed, n);
                    advance(&mut one, n);
                    advance(&mut two, n);
                    assert_eq!(one.hash(), hashed.hash(), "{rule}, {count} things");
                    assert_eq!(two.hash(), hashed.hash(), "{rule}, {count} things");
                }
            }
        }
    }

    #[test]
    fn one_that_is_stopped_has_lost_none() {
        let mut all = Vec::new();
        for k in 0..40 {
            all.extend(laid(&read(GLIDER), k as u64 % 8, 97 * k, 61 * k));
        }
        let all = cells(all);
        let n = BigUint::from(400_000_u32);
        let mut whole = world("B3/S23", &all);
        whole.advance(&n, &mut |_| true).unwrap();
        let mut parts = world("B3/S23", &all);
        let (mut asked, mut stops) = (0, 0);
        while *parts.generation() < 400_000.into() {
            let left = &n - parts.generation().to_biguint().unwrap();
            let result = parts.advance(&left, &mut |_| {
                asked += 1;
                asked % 2 == 1
            });
            stops += u32::from(result.is_err());
            assert!(parts.population() > 0_u32.into());
        }
        assert!(stops > 0);
        assert_eq!(parts.hash(), whole.hash());
    }

    #[test]
    fn a_lone_ship_goes_as_far_as_it_is_told() {
        let glider = cells(laid(&read(GLIDER), 0, 0, 0));
        let mut world = world("B3/S23", &glider);
        let far = 40_000_000_u32;
        advance(&mut world, far);
        let moved = glider.translated(i64::from(far / 4), i64::from(far / 4));
        assert!(world.cells() == moved);
    }
}
