//! Two generations of a tile at once.
//!
//! A tile is 32 words of 32 cells, of which the inner 28 x 28 are its own. The rest is empty, and
//! filled with the neighbours' edges while the tile is stepped: two cells all round, as far as
//! two generations look. (Copies of edges that are kept up to date lost: two thirds of the time
//! went into them.) Own method; Life's logic is the seven three-input tables of the crate
//! `kernel`, for vectors of 32-bit words.

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

/// The own columns that the neighbours west and east see.
const WEST_EDGE: u32 = 0xc;
const EAST_EDGE: u32 = 0x3000_0000;

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
fn seen_by(cells: &TileRows, west: bool, east: bool) -> u32 {
    let north = cells.0[2] | cells.0[3];
    let south = cells.0[28] | cells.0[29];
    u32::from(north != 0) << NORTH
        | u32::from(north & EAST_EDGE != 0) << NORTH_EAST
        | u32::from(east) << EAST
        | u32::from(south & EAST_EDGE != 0) << SOUTH_EAST
        | u32::from(south != 0) << SOUTH
        | u32::from(south & WEST_EDGE != 0) << SOUTH_WEST
        | u32::from(west) << WEST
        | u32::from(north & WEST_EDGE != 0) << NORTH_WEST
}

/// A tile with the edges of its neighbours west and east beside it, and those of the others as
/// the two rows above and the two below.
#[inline(always)]
fn with_margin(tiles: &[TileRows], tile: usize, near: &NearTiles) -> (TileRows, [u32; 4]) {
    let at = |side: usize| &tiles[near[side] as usize].0;
    let (own, west, east) = (&tiles[tile].0, at(WEST), at(EAST));
    let mut rows = TileRows::EMPTY;
    for y in 0..TILE_ROWS {
        rows.0[y] = own[y] | west[y] >> CORE | east[y] << CORE;
    }
    let (north, north_west, north_east) = (at(NORTH), at(NORTH_WEST), at(NORTH_EAST));
    let (south, south_west, south_east) = (at(SOUTH), at(SOUTH_WEST), at(SOUTH_EAST));
    let above = |y: usize| north[y] | north_west[y] >> CORE | north_east[y] << CORE;
    let below = |y: usize| south[y] | south_west[y] >> CORE | south_east[y] << CORE;
    (rows, [above(28), above(29), below(2), below(3)])
}

/// Where the rows above and below a tile go.
const MARGIN_ROWS: [usize; 4] = [0, 1, 30, 31];

/// All bits of one row each, those of [`MARGIN_ROWS`].
const ROW_MASKS: [TileRows; 4] = {
    let mut masks = [TileRows::EMPTY; 4];
    let mut i = 0;
    while i < 4 {
        masks[i].0[MARGIN_ROWS[i]] = u32::MAX;
        i += 1;
    }
    masks
};

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
    /// A rule of sums, in even and in odd generations.
    Sums(InstructionSet, [SumRule; 2]),
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
        if let [Some(even), Some(odd)] = [SumRule::new(&tables[0]), SumRule::new(&tables[1])] {
            return Some(Self::Sums(InstructionSet::widest(), [even, odd]));
        }
        Some(Self::Tables(tables))
    }

    /// Steps the tiles of `step.due` two generations on from an even one.
    pub(crate) fn step(&self, step: TileStep<'_>) {
        match self {
            Self::Life(set) => u32::run_in(
                *set,
                VectorStep {
                    step,
                    rule: LifeRule,
                },
            ),
            Self::Sums(set, rules) => u32::run_in(*set, VectorStep { step, rule: *rules }),
            Self::Tables(tables) => step_by_tables(tables, step),
        }
    }
}

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

/// Two generations of some tiles.
pub(crate) struct TileStep<'a> {
    /// All tiles.
    pub(crate) tiles: &'a [TileRows],
    /// Where the tiles that are due go.
    pub(crate) next: &'a mut [TileRows],
    /// The neighbours of each tile.
    pub(crate) near: &'a [NearTiles],
    /// What all states on the way are added to.
    pub(crate) envelopes: Option<&'a mut [TileRows]>,
    /// The tiles to step.
    pub(crate) due: &'a [u32],
    /// What changed in each of them: [`CHANGED`], and which neighbours see it.
    pub(crate) changes: &'a mut [u32],
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

#[inline(never)]
fn step_by_tables(tables: &[[u8; 512]; 2], mut step: TileStep<'_>) {
    for (&tile, change) in step.due.iter().zip(step.changes) {
        let tile = tile as usize;
        let (mut old, margin) = with_margin(step.tiles, tile, &step.near[tile]);
        for (y, row) in MARGIN_ROWS.into_iter().zip(margin) {
            old.0[y] = row;
        }
        let first = next_by_table(&tables[0], &old);
        let second = next_by_table(&tables[1], &first);
        let mut differing = TileRows::EMPTY;
        let mut all = 0;
        for y in 0..TILE_ROWS {
            differing.0[y] = (second.0[y] ^ old.0[y]) & OWN.0[y];
            all |= differing.0[y];
            step.next[tile].0[y] = second.0[y] & OWN.0[y];
            if let Some(envelopes) = &mut step.envelopes {
                envelopes[tile].0[y] |= (old.0[y] | first.0[y] | second.0[y]) & OWN.0[y];
            }
        }
        *change = seen_from(&differing) | if all != 0 { CHANGED } else { 0 };
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

/// What a cell becomes, by what three cells side by side sum up to: in its row, and in those above
/// and below. A sum is its bits of weight one and two.
trait RowSumRule: Copy {
    /// `odd` is 1 in odd generations, else 0.
    fn next<V: BitVector>(
        self,
        odd: usize,
        above: (V, V),
        here: (V, V),
        below: (V, V),
        cell: V,
    ) -> V;
}

/// Conway's Life.
#[derive(Clone, Copy)]
struct LifeRule;

impl RowSumRule for LifeRule {
    #[inline(always)]
    fn next<V: BitVector>(
        self,
        _odd: usize,
        above: (V, V),
        here: (V, V),
        below: (V, V),
        cell: V,
    ) -> V {
        life_of_sums(above, here, below, cell)
    }
}

/// Bit n of each: whether a cell that is dead, or alive, is alive next with n live cells among the
/// nine of its block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SumRule {
    births: u32,
    survivals: u32,
}

impl SumRule {
    /// Of a table by the nine cells, if it looks at their sum and the middle one alone.
    fn new(table: &[u8; 512]) -> Option<Self> {
        let mut rule = Self {
            births: 0,
            survivals: 0,
        };
        let is_alive = |block: usize| block >> 4 & 1 == 1;
        for (block, &next) in table.iter().enumerate() {
            let bits = u32::from(next) << block.count_ones();
            match is_alive(block) {
                true => rule.survivals |= bits,
                false => rule.births |= bits,
            }
        }
        let fits = |(block, &next): (usize, &u8)| {
            let bits = if is_alive(block) {
                rule.survivals
            } else {
                rule.births
            };
            bits >> block.count_ones() & 1 == u32::from(next)
        };
        table.iter().enumerate().all(fits).then_some(rule)
    }
}

impl RowSumRule for [SumRule; 2] {
    #[inline(always)]
    fn next<V: BitVector>(
        self,
        odd: usize,
        above: (V, V),
        here: (V, V),
        below: (V, V),
        cell: V,
    ) -> V {
        let ones = above.0.xor3(here.0, below.0);
        let carry = above.0.majority(here.0, below.0);
        let some_twos = above.1.xor3(here.1, below.1);
        let some_fours = above.1.majority(here.1, below.1);
        let twos = some_twos ^ carry;
        let more_fours = some_twos & carry;
        let fours = some_fours ^ more_fours;
        let eights = some_fours & more_fours;
        let mut next = V::ZERO;
        for sum in 0..=9 {
            let is_set = |bits: u32| V::all(bits >> sum & 1 == 1);
            let digit = |bits: V, weight: i32| if sum & weight == 0 { !bits } else { bits };
            let is_sum = digit(ones, 1) & digit(twos, 2) & digit(fours, 4) & digit(eights, 8);
            let state = cell.choose(is_set(self[odd].survivals), is_set(self[odd].births));
            next = next | (is_sum & state);
        }
        next
    }
}

/// A step by vectors, of any width.
struct VectorStep<'a, R> {
    step: TileStep<'a>,
    rule: R,
}

impl<R: RowSumRule> SimdTask<u32> for VectorStep<'_, R> {
    #[inline(always)]
    fn run<V: Vector<u32>>(self) {
        self.step.run::<V, R>(self.rule);
    }
}

impl TileStep<'_> {
    #[inline(always)]
    fn run<V: Vector<u32>, R: RowSumRule>(mut self, rule: R) {
        for (&tile, change) in self.due.iter().zip(self.changes) {
            let tile = tile as usize;
            let (rows, margin) = with_margin(self.tiles, tile, &self.near[tile]);
            let mut old = [V::ZERO; TILE_ROWS];
            for (i, old) in old.iter_mut().enumerate().take(TILE_ROWS / V::LANES) {
                let at = i * V::LANES;
                *old = V::load(&rows.0[at..]);
                // not stored and loaded: a load waits for narrower stores
                for (k, row) in MARGIN_ROWS.into_iter().enumerate() {
                    if (at..at + V::LANES).contains(&row) {
                        let mask = V::load(&ROW_MASKS[k].0[at..]);
                        *old = *old | (V::all_words(margin[k]) & mask);
                    }
                }
            }
            let first = next_rows::<V, R>(rule, 0, &old);
            let second = next_rows::<V, R>(rule, 1, &first);
            let mut differing = TileRows::EMPTY;
            let mut all = V::ZERO;
            for i in 0..TILE_ROWS / V::LANES {
                let at = i * V::LANES;
                let own = V::load(&OWN.0[at..]);
                let cells = (second[i] ^ old[i]) & own;
                all = all | cells;
                cells.store(&mut differing.0[at..]);
                (second[i] & own).store(&mut self.next[tile].0[at..]);
                if let Some(envelopes) = &mut self.envelopes {
                    let envelope = &mut envelopes[tile].0[at..];
                    let alive = (old[i] | first[i] | second[i]) & own;
                    (V::load(envelope) | alive).store(envelope);
                }
            }
            let has = |columns| !(all & V::all_words(columns)).is_zero();
            *change = seen_by(&differing, has(WEST_EDGE), has(EAST_EDGE))
                | (u32::from(!all.is_zero()) * CHANGED);
        }
    }
}

/// The next generation of all rows but the first and the last.
#[inline(always)]
fn next_rows<V: Vector<u32>, R: RowSumRule>(
    rule: R,
    odd: usize,
    rows: &[V; TILE_ROWS],
) -> [V; TILE_ROWS] {
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
        next[i] = rule.next(odd, above, (ones[i], twos[i]), below, rows[i]);
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
