//! The cells of a tile, and what its neighbours see of it.
//!
//! A tile is 32 words of 32 cells, of which the inner 28 x 28 are its own. The rest is empty, and
//! filled with the neighbours' edges while the tile is stepped: two cells all round, as far as
//! two generations look. The even rows come first, then the odd ones: so the row above or below is
//! in the other half, mostly in the same lane, and two rows that are summed up for both are too. (Copies of edges that are kept up to date lost: two thirds of the time
//! went into them. Four generations at a time with 24 x 24 cells lost too: as many tiles to step,
//! each at a higher cost.) A rule of more than two states has a tile for each bit plane. Own method.

use kernel::simd::{SimdElement, SimdTask, Vector};

/// Rows and columns of a tile, its margin among them.
pub(crate) const TILE_ROWS: usize = 32;

/// Rows and columns that are a tile's own.
pub(crate) const CORE: i32 = 28;

/// Cells of the margin, on each side.
pub(crate) const MARGIN: usize = 2;

/// The columns that are a tile's own.
pub(crate) const CORE_COLUMNS: u32 = 0x3fff_fffc;

/// The own columns that the neighbour in the west sees.
const WEST_EDGE: u32 = 0xc;

/// The tile that stands for all that are not there; it stays empty.
pub(crate) const ABSENT: u32 = 0;

/// The neighbours of a tile; the opposite of side `i` is `i ^ 4`.
pub(crate) type NearTiles = [u32; 8];

pub(crate) const NORTH: usize = 0;
pub(crate) const NORTH_WEST: usize = 1;
pub(crate) const NORTH_EAST: usize = 2;
pub(crate) const WEST: usize = 3;
pub(crate) const SOUTH: usize = 4;
pub(crate) const SOUTH_EAST: usize = 5;
pub(crate) const SOUTH_WEST: usize = 6;
pub(crate) const EAST: usize = 7;

/// The cells of a tile: bit x of the word of its row. The last two words of each half are the
/// margin's.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TileRows(pub(crate) [u32; TILE_ROWS]);

/// Words of the even rows, and of the odd ones.
pub(crate) const HALF: usize = TILE_ROWS / 2;

/// Rows of a tile that are its own.
pub(crate) const OWN_ROWS: usize = CORE as usize;

/// The word of one of a tile's own rows.
const fn word_of(row: usize) -> usize {
    row % 2 * HALF + row / 2
}

/// The words, in each half, of the first two rows and of the last two.
const FIRST_WORD: usize = 0;
pub(crate) const LAST_WORD: usize = OWN_ROWS / 2 - 1;

impl TileRows {
    pub(crate) const EMPTY: Self = Self([0; TILE_ROWS]);

    /// One of the tile's own rows.
    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> u32 {
        self.0[word_of(row)]
    }

    #[inline(always)]
    pub(crate) fn row_mut(&mut self, row: usize) -> &mut u32 {
        &mut self.0[word_of(row)]
    }

    /// The tile's own rows from the top.
    #[inline]
    pub(crate) fn own_rows(&self) -> [u32; OWN_ROWS] {
        std::array::from_fn(|row| self.row(row))
    }
}

/// Set in what is told of a step when anything changed. Below it is a bit for each neighbour that
/// sees some of it.
pub(crate) const CHANGED: u32 = 1 << 8;

/// Which neighbours see cells of a tile, or changes of them.
#[inline(always)]
pub(crate) fn seen_from(cells: &TileRows) -> u32 {
    let north = cells.row(0) | cells.row(1);
    let south = cells.row(OWN_ROWS - 2) | cells.row(OWN_ROWS - 1);
    seen_by(north, south, cells.0.iter().fold(0, |all, row| all | row))
}

/// The same, and [`CHANGED`] when there are any, of the cells in the first two rows, in the last
/// two and in all. What is not empty carries into the bit of the neighbour that sees it, for north
/// and south at once. (Nine comparisons were made vectors of, and took longer.)
#[inline(always)]
pub(crate) fn seen_by(north: u32, south: u32, all: u32) -> u32 {
    let both = u64::from(north) | u64::from(south) << 32;
    let twice = |north: u32, south: u32| u64::from(south) << 32 | u64::from(north);
    let straight = (both + twice(0x7fff_ffff, 0x7fff_ffff)) >> (31 - NORTH);
    let west = ((both & twice(WEST_EDGE, WEST_EDGE)) + twice(0xc, 0x1c)) >> (4 - NORTH_WEST);
    let east = ((both >> 27 & twice(6, 6)) + twice(0xe, 6)) >> (4 - NORTH_EAST);
    let seen = straight & twice(1 << NORTH, 1 << (SOUTH - 4))
        | west & twice(1 << NORTH_WEST, 1 << (SOUTH_WEST - 4))
        | east & twice(1 << NORTH_EAST, 1 << (SOUTH_EAST - 4));
    let aside = ((all & WEST_EDGE) + 0xc) >> (4 - WEST) & 1 << WEST
        | ((all >> 24 & 0x30) + 0x70) & 1 << EAST;
    seen as u32 | (seen >> 28) as u32 | aside | (u32::from(all != 0) * CHANGED)
}

/// Vectors of a tile: of four rows each, or fewer of more.
pub(crate) const TILE_VECTORS: usize = TILE_ROWS / 4;

/// A tile's rows with the edges of its neighbours around them.
#[inline(always)]
pub(crate) fn with_margin<V: Vector<u32>>(
    tiles: &[TileRows],
    tile: usize,
    near: &NearTiles,
) -> [V; TILE_VECTORS] {
    let at = |side: usize| &tiles[near[side] as usize].0;
    let (own, west, east) = (&tiles[tile].0, at(WEST), at(EAST));
    let (north, north_west, north_east) = (at(NORTH), at(NORTH_WEST), at(NORTH_EAST));
    let (south, south_west, south_east) = (at(SOUTH), at(SOUTH_WEST), at(SOUTH_EAST));
    let mut here = [0; TILE_ROWS];
    for (y, row) in here.iter_mut().enumerate() {
        *row = own[y] | west[y] >> CORE | east[y] << CORE;
    }
    let mut rows = [V::ZERO; TILE_VECTORS];
    let count = TILE_ROWS / V::LANES;
    for (i, rows) in rows.iter_mut().enumerate().take(count) {
        *rows = V::load(&here[i * V::LANES..]);
    }
    for half in 0..2 {
        // the two rows below, then those above: a row of each in either half
        let y = half * HALF + FIRST_WORD;
        let below = south[y] | south_west[y] >> CORE | south_east[y] << CORE;
        let y = half * HALF + LAST_WORD;
        let above = north[y] | north_west[y] >> CORE | north_east[y] << CORE;
        let last = (half + 1) * count / 2 - 1;
        rows[last] = rows[last] | V::load_back(&[0, 0, below, above]);
    }
    rows
}

/// A tile's rows with the edges of its neighbours around them, from the top.
pub(crate) type MarginedRows = [u32; TILE_ROWS];

/// The same, word by word.
pub(crate) fn words_with_margin(tiles: &[TileRows], tile: usize, near: &NearTiles) -> MarginedRows {
    let at = |side: usize| &tiles[near[side] as usize];
    let own = &tiles[tile];
    let row = |y: usize| {
        let (here, west, east, y) = match y {
            ..MARGIN => {
                let y = y + OWN_ROWS - MARGIN;
                (at(NORTH), at(NORTH_WEST), at(NORTH_EAST), y)
            }
            y if y >= OWN_ROWS + MARGIN => {
                let y = y - OWN_ROWS - MARGIN;
                (at(SOUTH), at(SOUTH_WEST), at(SOUTH_EAST), y)
            }
            y => (own, at(WEST), at(EAST), y - MARGIN),
        };
        here.row(y) | west.row(y) >> CORE | east.row(y) << CORE
    };
    std::array::from_fn(row)
}

/// The tile's own cells.
pub(crate) const OWN: TileRows = {
    let mut rows = [0; TILE_ROWS];
    let mut row = 0;
    while row < OWN_ROWS {
        rows[word_of(row)] = CORE_COLUMNS;
        row += 1;
    }
    TileRows(rows)
};

/// Counts the live cells of some tiles. A task, since the widest instruction sets count bits of
/// vectors.
struct TileCount<'a> {
    tiles: &'a [TileRows],
    which: &'a [u32],
    counts: &'a mut [u32],
}

impl SimdTask<u32> for TileCount<'_> {
    #[inline(always)]
    fn run<V: Vector<u32>>(self) {
        for (&tile, count) in self.which.iter().zip(self.counts) {
            let mut live = 0;
            for row in self.tiles[tile as usize].0 {
                live += row.count_ones();
            }
            *count = live;
        }
    }
}

/// How many cells are alive in each of the tiles of `which`.
pub(crate) fn count_cells(tiles: &[TileRows], which: &[u32], counts: &mut [u32]) {
    u32::dispatch(TileCount {
        tiles,
        which,
        counts,
    });
}

/// The cells of a tile that are not in state 0, of its bit planes.
#[inline(always)]
pub(crate) fn live_rows(planes: &[TileRows]) -> TileRows {
    let mut live = planes[0];
    for plane in &planes[1..] {
        for (row, more) in live.0.iter_mut().zip(plane.0) {
            *row |= more;
        }
    }
    live
}

/// Two generations of some tiles, or one.
pub(crate) struct TileStep<'a> {
    pub(crate) generations: usize,
    /// All tiles, the bit planes of each together.
    pub(crate) tiles: &'a [TileRows],
    /// Where the tiles that are due go.
    pub(crate) next: &'a mut [TileRows],
    /// The neighbours of each tile.
    pub(crate) near: &'a [NearTiles],
    /// What all states on the way are added to.
    pub(crate) envelopes: Option<&'a mut [TileRows]>,
    /// Where the live cells of the tiles that are due are counted, after one generation and after
    /// two.
    pub(crate) populations: Option<&'a mut [[u32; 2]]>,
    /// The tiles to step.
    pub(crate) due: &'a [u32],
    /// What changed in each of them: [`CHANGED`], and which neighbours see it.
    pub(crate) changes: &'a mut [u32],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_see_what_lies_within_two_cells() {
        let mut dice = dice::Dice::new(3);
        for round in 0..2000 {
            let mut tile = TileRows::EMPTY;
            for _ in 0..round % 5 {
                let (x, y) = (dice.below(28), dice.below(28));
                *tile.row_mut(y as usize) |= 1 << (x as usize + MARGIN);
            }
            let mut expected = 0;
            for (y, row) in tile.own_rows().into_iter().enumerate() {
                for x in (0..CORE as usize).filter(|x| row >> (x + MARGIN) & 1 == 1) {
                    let (north, south) = (y < MARGIN, y >= OWN_ROWS - MARGIN);
                    let (west, east) = (x < MARGIN, x >= OWN_ROWS - MARGIN);
                    let sides = [
                        (NORTH, north),
                        (NORTH_WEST, north && west),
                        (NORTH_EAST, north && east),
                        (WEST, west),
                        (SOUTH, south),
                        (SOUTH_EAST, south && east),
                        (SOUTH_WEST, south && west),
                        (EAST, east),
                    ];
                    let seen = sides.iter().filter(|(_, is_seen)| *is_seen);
                    expected |= seen.fold(CHANGED, |all, (side, _)| all | 1 << side);
                }
            }
            assert_eq!(seen_from(&tile), expected, "{tile:?}");
        }
    }
}
