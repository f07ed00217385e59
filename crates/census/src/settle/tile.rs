//! The cells of a tile, and what its neighbours see of it.
//!
//! A tile is 32 words of 32 cells, of which the inner 28 x 28 are its own. The rest is empty, and
//! filled with the neighbours' edges while the tile is stepped: two cells all round, as far as
//! two generations look. (Copies of edges that are kept up to date lost: two thirds of the time
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

/// The own columns that the neighbours west and east see.
pub(crate) const WEST_EDGE: u32 = 0xc;
pub(crate) const EAST_EDGE: u32 = 0x3000_0000;

/// The tile that stands for all that are not there; it stays empty.
pub(crate) const ABSENT: u32 = 0;

/// The neighbours of a tile, from the north clockwise.
pub(crate) type NearTiles = [u32; 8];

pub(crate) const NORTH: usize = 0;
pub(crate) const NORTH_EAST: usize = 1;
pub(crate) const EAST: usize = 2;
pub(crate) const SOUTH_EAST: usize = 3;
pub(crate) const SOUTH: usize = 4;
pub(crate) const SOUTH_WEST: usize = 5;
pub(crate) const WEST: usize = 6;
pub(crate) const NORTH_WEST: usize = 7;

/// The cells of a tile: bit x of word y.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TileRows(pub(crate) [u32; TILE_ROWS]);

impl TileRows {
    pub(crate) const EMPTY: Self = Self([0; TILE_ROWS]);
}

/// Set in what is told of a step when anything changed. Below it is a bit for each neighbour that
/// sees some of it.
pub(crate) const CHANGED: u32 = 1 << 8;

/// Which neighbours see cells of a tile, or changes of them.
#[inline(always)]
pub(crate) fn seen_from(cells: &TileRows) -> u32 {
    let columns = cells.0.iter().fold(0, |all, row| all | row);
    seen_by(cells, columns & WEST_EDGE != 0, columns & EAST_EDGE != 0)
}

#[inline(always)]
pub(crate) fn seen_by(cells: &TileRows, west: bool, east: bool) -> u32 {
    let two = |y: usize| u64::from(cells.0[y]) | u64::from(cells.0[y + 1]) << 32;
    let twice = |columns: u32| u64::from(columns) << 32 | u64::from(columns);
    let (north, south) = (two(MARGIN), two(TILE_ROWS - 2 * MARGIN));
    u32::from(north != 0) << NORTH
        | u32::from(north & twice(EAST_EDGE) != 0) << NORTH_EAST
        | u32::from(east) << EAST
        | u32::from(south & twice(EAST_EDGE) != 0) << SOUTH_EAST
        | u32::from(south != 0) << SOUTH
        | u32::from(south & twice(WEST_EDGE) != 0) << SOUTH_WEST
        | u32::from(west) << WEST
        | u32::from(north & twice(WEST_EDGE) != 0) << NORTH_WEST
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
    // of four rows each, two are empty
    let (mut above, mut below) = ([0; 4], [0; 4]);
    for (k, row) in above.iter_mut().enumerate() {
        let y = TILE_ROWS - 2 * MARGIN + k;
        *row = north[y] | north_west[y] >> CORE | north_east[y] << CORE;
    }
    for (y, row) in below.iter_mut().enumerate() {
        *row = south[y] | south_west[y] >> CORE | south_east[y] << CORE;
    }
    let mut rows = [V::ZERO; TILE_VECTORS];
    let count = TILE_ROWS / V::LANES;
    for (i, rows) in rows.iter_mut().enumerate().take(count) {
        *rows = V::load(&here[i * V::LANES..]);
    }
    rows[0] = rows[0] | V::load_front(&above);
    rows[count - 1] = rows[count - 1] | V::load_back(&below);
    rows
}

/// The same, word by word.
pub(crate) fn words_with_margin(tiles: &[TileRows], tile: usize, near: &NearTiles) -> TileRows {
    let at = |side: usize| &tiles[near[side] as usize].0;
    let own = &tiles[tile].0;
    let row = |y: usize| {
        let (here, west, east, y) = match y {
            ..MARGIN => (at(NORTH), at(NORTH_WEST), at(NORTH_EAST), y + CORE as usize),
            y if y >= TILE_ROWS - MARGIN => {
                (at(SOUTH), at(SOUTH_WEST), at(SOUTH_EAST), y - CORE as usize)
            }
            y => (own, at(WEST), at(EAST), y),
        };
        here[y] | west[y] >> CORE | east[y] << CORE
    };
    TileRows(std::array::from_fn(row))
}

/// The tile's own cells.
pub(crate) const OWN: TileRows = {
    let mut rows = [CORE_COLUMNS; TILE_ROWS];
    let mut i = 0;
    while i < MARGIN {
        rows[i] = 0;
        rows[TILE_ROWS - 1 - i] = 0;
        i += 1;
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

/// How many of a tile's own cells are alive.
#[inline(always)]
pub(crate) fn own_population(rows: &TileRows) -> u32 {
    rows.0
        .iter()
        .zip(OWN.0)
        .map(|(row, own)| (row & own).count_ones())
        .sum()
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
