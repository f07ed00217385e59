//! Two generations on for many bit tiles at once: each by itself, then what their
//! neighbours see of it.

use super::bit::{BitTile, OWN, ROWS, TALL};
use super::sheet::{AROUND, NONE, Sheet};
use crate::arch::{Task, Vector};
use crate::kernel::BitKernel;

/// Tiles that are stepped before it is asked what changed: a branch that was guessed
/// wrong would throw away what the processor has begun of the next ones.
const TOGETHER: usize = 32;

/// The directions as bits, as [`AROUND`] orders them.
const NORTH: u8 = 0b0000_0111;
const SOUTH: u8 = 0b1110_0000;
const WEST: u8 = 0b0010_1001;
const EAST: u8 = 0b1001_0100;
const UPRIGHT: u8 = 1 << 1 | 1 << 6;
const LEVEL: u8 = 1 << 3 | 1 << 4;
const CORNERS: u8 = !(UPRIGHT | LEVEL);

/// Two generations on for all tiles that have work, first each by itself, then what they
/// tell each other.
pub(super) struct Pair<'a> {
    pub(super) kernel: &'a BitKernel,
    pub(super) phases: [usize; 2],
    pub(super) sheet: &'a mut Sheet<BitTile>,
    /// In: tiles to step. Out: those that changed.
    pub(super) work: &'a mut Vec<u32>,
    /// Tiles whose edges changed, and to which sides.
    pub(super) moved: &'a mut Vec<(u32, u8)>,
    /// Tiles that did not change and are empty.
    pub(super) fallen: &'a mut Vec<u32>,
}

impl Task<u64> for Pair<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let [first, second] = self.phases;
        let mut registers = [first, second].map(|phase| self.kernel.registers::<V>(phase));
        let (mut between, mut next) = ([0; ROWS], [0; ROWS]);
        let mut changes = [Change::default(); TOGETHER];
        let mut kept = 0;
        for start in (0..self.work.len()).step_by(TOGETHER) {
            let count = TOGETHER.min(self.work.len() - start);
            for (k, change) in changes[..count].iter_mut().enumerate() {
                let tile = &mut self.sheet.tiles[self.work[start + k] as usize];
                self.kernel
                    .column_in(first, &mut registers[0], &tile.rows, &mut between);
                self.kernel
                    .column_in(second, &mut registers[1], &between, &mut next);
                *change = store(&mut tile.rows, &next);
            }
            for (k, change) in changes[..count].iter().enumerate() {
                let i = self.work[start + k];
                if change.all != 0 {
                    self.work[kept] = i;
                    kept += 1;
                    let sides = change.sides();
                    if sides != 0 {
                        self.moved.push((i, sides));
                    }
                    continue;
                }
                let tile = &mut self.sheet.tiles[i as usize];
                tile.queued = false;
                if tile.is_blank() {
                    self.fallen.push(i);
                }
            }
        }
        self.work.truncate(kept);
        for k in 0..self.moved.len() {
            let (i, sides) = self.moved[k];
            spread(self.sheet, self.work, i, sides);
        }
        self.moved.clear();
    }
}

/// Copies a tile's edges to the tiles around, on the given sides, and puts those that saw
/// something new to work. A tile is made where there was none and something lives.
#[inline(always)]
pub(super) fn spread(sheet: &mut Sheet<BitTile>, work: &mut Vec<u32>, i: u32, sides: u8) {
    macro_rules! to {
        ($d:literal) => {
            if sides >> $d & 1 == 1 {
                const DX: i64 = AROUND[$d].0;
                const DY: i64 = AROUND[$d].1;
                let there = sheet.tiles[i as usize].near[$d];
                let there = if there == NONE {
                    make(sheet, i, DX, DY)
                } else {
                    there
                };
                if there != NONE {
                    let [from, to] = sheet
                        .tiles
                        .get_disjoint_mut([i as usize, there as usize])
                        .expect("a tile is not its own neighbour");
                    if copy::<DX, DY>(&from.rows, &mut to.rows) && !to.queued {
                        to.queued = true;
                        work.push(there);
                    }
                }
            }
        };
    }
    to!(0);
    to!(1);
    to!(2);
    to!(3);
    to!(4);
    to!(5);
    to!(6);
    to!(7);
}

/// Makes a tile's neighbour, if there is something to see from there.
#[cold]
fn make(sheet: &mut Sheet<BitTile>, i: u32, dx: i64, dy: i64) -> u32 {
    let tile = &sheet.tiles[i as usize];
    if strip(&tile.rows, dx, dy) == 0 {
        return NONE;
    }
    let (x, y) = tile.place;
    sheet.add(BitTile::new((x + dx, y + dy)))
}

/// Which of a tile's own cells changed, seen from above.
#[derive(Clone, Copy, Default)]
struct Change {
    /// In any row.
    all: u64,
    /// In the first two.
    top: u64,
    /// In the last two.
    bottom: u64,
}

impl Change {
    /// The directions in which a neighbour sees it.
    #[inline(always)]
    fn sides(self) -> u8 {
        columns(self.all) & LEVEL
            | (side(self.top, NORTH) | side(self.bottom, SOUTH)) & UPRIGHT
            | columns(self.top) & NORTH & CORNERS
            | columns(self.bottom) & SOUTH & CORNERS
    }
}

/// Takes over the own cells of `next`.
#[inline(always)]
fn store(rows: &mut [u64; ROWS], next: &[u64; ROWS]) -> Change {
    let mut all = 0;
    let mut changed = [0; ROWS];
    for i in 0..ROWS {
        changed[i] = (rows[i] ^ next[i]) & const { in_own_rows(OWN) }[i];
        all |= changed[i];
        rows[i] ^= changed[i];
    }
    Change {
        all,
        top: changed[2] | changed[3],
        bottom: changed[TALL] | changed[TALL + 1],
    }
}

#[inline(always)]
fn side(bits: u64, mask: u8) -> u8 {
    if bits == 0 { 0 } else { mask }
}

#[inline(always)]
fn columns(bits: u64) -> u8 {
    const FIRST: u64 = 3 << 2;
    const LAST: u64 = 3 << 60;
    side(bits & FIRST, WEST) | side(bits & LAST, EAST)
}

/// The rows of a tile that the neighbour in direction `dy` copies: the first here, the
/// first there, and how many.
const fn rows_seen(dy: i64) -> (usize, usize, usize) {
    match dy {
        -1 => (2, TALL + 2, 2),
        1 => (TALL, 0, 2),
        _ => (2, 2, TALL),
    }
}

/// The bits of a row that the neighbour in direction `dx` copies.
const fn bits_seen(dx: i64) -> u64 {
    match dx {
        -1 => 3 << 2,
        1 => 3 << 60,
        _ => OWN,
    }
}

/// What lives where the neighbour in a direction would see it.
fn strip(rows: &[u64; ROWS], dx: i64, dy: i64) -> u64 {
    let (from, _, count) = rows_seen(dy);
    let all = rows[from..from + count]
        .iter()
        .fold(0, |all, row| all | row);
    all & bits_seen(dx)
}

/// Copies the edge that the neighbour `to`, in the given direction, sees. Whether it
/// saw something new.
#[inline(always)]
fn copy<const DX: i64, const DY: i64>(from: &[u64; ROWS], to: &mut [u64; ROWS]) -> bool {
    let mut new = 0;
    if DY == 0 {
        // All rows and a mask are quicker than the own ones, which lie across cache lines.
        for i in 0..ROWS {
            let changed = (to[i] ^ shown::<DX>(from[i])) & const { in_own_rows(mask(DX)) }[i];
            to[i] ^= changed;
            new |= changed;
        }
        return new != 0;
    }
    let (source, target, count) = const { rows_seen(DY) };
    for i in 0..count {
        let to = &mut to[target + i];
        let changed = (*to ^ shown::<DX>(from[source + i])) & const { mask(DX) };
        *to ^= changed;
        new |= changed;
    }
    new != 0
}

/// A row as the neighbour in direction `DX` sees it: the last two columns here stand
/// before the first one there, and the other way.
#[inline(always)]
const fn shown<const DX: i64>(row: u64) -> u64 {
    match DX {
        1 => row >> 60,
        -1 => row << 60,
        _ => row,
    }
}

/// Where in its rows the neighbour in direction `dx` keeps its copies.
const fn mask(dx: i64) -> u64 {
    match dx {
        1 => bits_seen(1) >> 60,
        -1 => bits_seen(-1) << 60,
        _ => OWN,
    }
}

/// A mask for each row: none outside the own ones.
const fn in_own_rows(mask: u64) -> [u64; ROWS] {
    let mut rows = [mask; ROWS];
    rows[0] = 0;
    rows[1] = 0;
    rows[ROWS - 2] = 0;
    rows[ROWS - 1] = 0;
    rows
}
