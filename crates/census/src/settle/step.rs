//! Two generations of a tile at once.
//!
//! A tile is 32 words of 32 cells, of which the inner 28 x 28 are its own and the rest are
//! copies of its neighbours' edges: two cells all round, as far as two generations look. Own
//! method; Life's logic is the seven three-input tables of the crate `kernel`, for vectors of
//! 32-bit words.

use kernel::BitVector;
use kernel::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use rule::{Rule, Site};

/// Rows and columns of a tile, its margin among them.
pub(crate) const TILE_ROWS: usize = 32;

/// Rows and columns that are a tile's own.
pub(crate) const CORE: i32 = 28;

/// Cells of the margin, on each side.
pub(crate) const MARGIN: usize = 2;

/// The columns that are a tile's own.
pub(crate) const CORE_COLUMNS: u32 = 0x3fff_fffc;

/// The own columns that are copied to the neighbours west and east.
const EDGE_COLUMNS: u32 = 0x3000_000c;

/// The cells of a tile: bit x of word y.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TileRows(pub(crate) [u32; TILE_ROWS]);

/// What two generations changed in a tile.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct TileChange {
    /// The cells whose states differ.
    pub(crate) cells: TileRows,
    /// Whether there are any.
    pub(crate) any: bool,
    /// Whether there are any in the columns that the neighbours west and east see.
    pub(crate) at_sides: bool,
}

impl TileRows {
    pub(crate) const EMPTY: Self = Self([0; TILE_ROWS]);

    /// How many of the tile's own cells are alive.
    pub(crate) fn population(&self) -> u32 {
        self.0[MARGIN..TILE_ROWS - MARGIN]
            .iter()
            .map(|row| (row & CORE_COLUMNS).count_ones())
            .sum()
    }
}

impl TileChange {
    pub(crate) const NONE: Self = Self {
        cells: TileRows::EMPTY,
        any: false,
        at_sides: false,
    };
}

/// The tile's own cells.
const OWN: TileRows = {
    let mut rows = [CORE_COLUMNS; TILE_ROWS];
    let mut i = 0;
    while i < MARGIN {
        rows[i] = 0;
        rows[TILE_ROWS - 1 - i] = 0;
        i += 1;
    }
    TileRows(rows)
};

/// A rule of two states, compiled for tiles.
#[derive(Clone, Debug)]
pub(crate) enum TileStepper {
    /// Conway's Life.
    Life(InstructionSet),
    /// Any other: what 3 x 3 cells become, in even and in odd generations.
    Tables(Box<[[u8; 512]; 2]>),
}

impl TileStepper {
    /// Of a rule on the square lattice, of two states, that looks no further than one cell and
    /// alternates at most between two tables.
    pub(crate) fn new(rule: &Rule) -> Option<Self> {
        let fits = rule.states() == 2
            && rule.radius() <= 1
            && !rule.is_checkered()
            && rule.time_period() <= 2
            && rule.topology().rect().is_none()
            && !rule.fills_plane();
        if !fits {
            return None;
        }
        let tables = Box::new([0, 1].map(|generation| table_of(rule, generation)));
        let life = table_of(&"B3/S23".parse().ok()?, 0);
        if tables.iter().all(|table| *table == life) {
            return Some(Self::Life(InstructionSet::widest()));
        }
        Some(Self::Tables(tables))
    }

    /// Steps the tiles of `due` from an even generation to the next, each for itself, and notes
    /// what changed. With envelopes, all states on the way are added to them.
    pub(crate) fn step(
        &self,
        tiles: &mut [TileRows],
        envelopes: Option<&mut [TileRows]>,
        due: &[u32],
        changes: &mut [TileChange],
    ) {
        match (self, envelopes) {
            (Self::Life(set), envelopes) => u32::run_in(
                *set,
                LifeTiles {
                    tiles,
                    envelopes,
                    due,
                    changes,
                },
            ),
            (Self::Tables(tables), envelopes) => {
                step_by_tables(tables, tiles, envelopes, due, changes);
            }
        }
    }
}

/// The next state by the nine cells: bit 3 * row + column, from the north-west.
fn table_of(rule: &Rule, generation: u64) -> [u8; 512] {
    std::array::from_fn(|block| {
        let site = Site {
            generation,
            ..Site::default()
        };
        rule.next(site, |dx, dy| (block >> (3 * (dy + 1) + dx + 1) & 1) as u8)
    })
}

fn step_by_tables(
    tables: &[[u8; 512]; 2],
    tiles: &mut [TileRows],
    mut envelopes: Option<&mut [TileRows]>,
    due: &[u32],
    changes: &mut [TileChange],
) {
    for (&tile, change) in due.iter().zip(changes) {
        let old = tiles[tile as usize];
        let first = next_by_table(&tables[0], &old);
        let second = next_by_table(&tables[1], &first);
        let mut all = 0;
        for y in 0..TILE_ROWS {
            let cells = (second.0[y] ^ old.0[y]) & OWN.0[y];
            change.cells.0[y] = cells;
            tiles[tile as usize].0[y] ^= cells;
            all |= cells;
            if let Some(envelopes) = &mut envelopes {
                envelopes[tile as usize].0[y] |= (old.0[y] | first.0[y] | second.0[y]) & OWN.0[y];
            }
        }
        change.any = all != 0;
        change.at_sides = all & EDGE_COLUMNS != 0;
    }
}

fn next_by_table(table: &[u8; 512], rows: &TileRows) -> TileRows {
    let mut next = TileRows::EMPTY;
    for y in 1..TILE_ROWS - 1 {
        let (above, here, below) = (rows.0[y - 1], rows.0[y], rows.0[y + 1]);
        if above | here | below == 0 && table[0] == 0 {
            continue;
        }
        for x in 1..31 {
            let three = |row: u32| (row >> (x - 1) & 7) as usize;
            let block = three(above) | three(here) << 3 | three(below) << 6;
            next.0[y] |= u32::from(table[block]) << x;
        }
    }
    next
}

/// Steps tiles of Life, as a task for all vector widths.
struct LifeTiles<'a> {
    tiles: &'a mut [TileRows],
    envelopes: Option<&'a mut [TileRows]>,
    due: &'a [u32],
    changes: &'a mut [TileChange],
}

impl SimdTask<u32> for LifeTiles<'_> {
    #[inline(always)]
    fn run<V: Vector<u32>>(mut self) {
        for (&tile, change) in self.due.iter().zip(self.changes.iter_mut()) {
            let rows = &mut self.tiles[tile as usize].0;
            let mut old = [V::ZERO; TILE_ROWS];
            for i in 0..TILE_ROWS / V::LANES {
                old[i] = V::load(&rows[i * V::LANES..]);
            }
            let first = next_life::<V>(&old);
            let second = next_life::<V>(&first);
            let mut all = V::ZERO;
            for i in 0..TILE_ROWS / V::LANES {
                let own = V::load(&OWN.0[i * V::LANES..]);
                let cells = (second[i] ^ old[i]) & own;
                all = all | cells;
                cells.store(&mut change.cells.0[i * V::LANES..]);
                (old[i] ^ cells).store(&mut rows[i * V::LANES..]);
                if let Some(envelopes) = &mut self.envelopes {
                    let envelope = &mut envelopes[tile as usize].0[i * V::LANES..];
                    let alive = (old[i] | first[i] | second[i]) & own;
                    (V::load(envelope) | alive).store(envelope);
                }
            }
            change.any = !all.is_zero();
            change.at_sides = !(all & V::all_words(EDGE_COLUMNS)).is_zero();
        }
    }
}

/// The next generation of all rows but the first and the last.
#[inline(always)]
fn next_life<V: Vector<u32>>(rows: &[V; TILE_ROWS]) -> [V; TILE_ROWS] {
    let count = TILE_ROWS / V::LANES;
    let mut ones = [V::ZERO; TILE_ROWS];
    let mut twos = [V::ZERO; TILE_ROWS];
    let mut next = [V::ZERO; TILE_ROWS];
    for i in 0..count {
        let (west, east) = (rows[i].west(), rows[i].east());
        ones[i] = west.xor3(rows[i], east);
        twos[i] = west.majority(rows[i], east);
    }
    for i in 0..count {
        let before = if i == 0 {
            (V::ZERO, V::ZERO)
        } else {
            (ones[i - 1], twos[i - 1])
        };
        let after = if i + 1 == count {
            (V::ZERO, V::ZERO)
        } else {
            (ones[i + 1], twos[i + 1])
        };
        let above = (ones[i].above(before.0), twos[i].above(before.1));
        let below = (ones[i].below(after.0), twos[i].below(after.1));
        next[i] = life_of_sums(above, (ones[i], twos[i]), below, rows[i]);
    }
    next
}

/// With all nine cells counted, a cell is alive at 3, and keeps its state at 4.
#[inline(always)]
fn life_of_sums<V: BitVector>(above: (V, V), here: (V, V), below: (V, V), centre: V) -> V {
    if V::HAS_TERNARY {
        let g0 = below.0.ternary::<0x36>(here.1, here.0);
        let g1 = below.0 ^ here.0;
        let g2 = g1.ternary::<0xc6>(g0, above.0);
        let g3 = g1.ternary::<0xd6>(centre, above.0);
        let g4 = g2.ternary::<0x9e>(below.1, above.1);
        let g5 = g4.ternary::<0xf2>(g3, g2);
        return g5.ternary::<0x0e>(g3, g0);
    }
    let ones = above.0.xor3(here.0, below.0);
    let carry = above.0.majority(here.0, below.0);
    let odd = above.1.xor3(here.1, below.1);
    let fours = above.1.majority(here.1, below.1);
    let one_or_three = odd ^ carry;
    let one_two = one_or_three & !fours;
    let two_twos = ((odd & carry) ^ fours) & !one_or_three;
    ones.choose(one_two, two_twos & centre)
}
