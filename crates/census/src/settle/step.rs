//! Two generations of tiles at once: Life's logic is the seven three-input tables of the crate
//! `kernel`, for vectors of 32-bit words; other rules of sums, and those that have a circuit.
//! Own method.

use super::circuit_step::TileCircuit;
use super::tile::{
    HALF, LAST_WORD, OWN, TILE_ROWS, TILE_VECTORS, TileRows, TileStep, seen_by, with_margin,
};
use kernel::BitVector;
use kernel::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use rule::{Rule, Site};

/// A rule, compiled for tiles.
#[derive(Clone, Debug)]
pub(crate) enum TileStepper {
    /// Conway's Life.
    Life(InstructionSet),
    /// A rule of sums, in even and in odd generations.
    Sums(InstructionSet, [SumRule; 2]),
    /// Any other, of two states or more.
    Circuit(TileCircuit),
}

impl TileStepper {
    /// Of a rule on the square lattice that looks no further than one cell and alternates at most
    /// between two tables.
    pub(crate) fn new(rule: &Rule) -> Option<Self> {
        let fits = rule.radius() <= 1
            && !rule.is_checkered()
            && rule.time_period() <= 2
            && rule.topology().rect().is_none()
            && !rule.fills_plane();
        if !fits {
            return None;
        }
        if rule.states() == 2 {
            let tables = [0, 1].map(|generation| nine_cell_table(rule, generation));
            let life = nine_cell_table(&"B3/S23".parse().ok()?, 0);
            if tables.iter().all(|table| *table == life) {
                return Some(Self::Life(InstructionSet::widest()));
            }
            if let [Some(even), Some(odd)] = [SumRule::new(&tables[0]), SumRule::new(&tables[1])] {
                return Some(Self::Sums(InstructionSet::widest(), [even, odd]));
            }
        }
        TileCircuit::compile(rule).map(Self::Circuit)
    }

    /// Bit planes of a tile.
    pub(crate) fn planes(&self) -> usize {
        match self {
            Self::Life(_) | Self::Sums(..) => 1,
            Self::Circuit(circuit) => circuit.planes(),
        }
    }

    /// Steps the tiles of `step.due` on from an even generation, or from any under a rule that does
    /// not alternate.
    pub(crate) fn step(&self, mut step: TileStep<'_>) {
        match self {
            Self::Life(set) => step_rows(*set, &mut step, LifeRule),
            Self::Sums(set, rules) => step_rows(*set, &mut step, *rules),
            Self::Circuit(circuit) => circuit.step(step),
        }
    }
}

fn step_rows<R: RowSumRule>(set: InstructionSet, step: &mut TileStep<'_>, rule: R) {
    match step.envelopes.is_some() || step.populations.is_some() {
        true => u32::run_in(set, VectorStep::<R, true>::new(step, rule)),
        false => u32::run_in(set, VectorStep::<R, false>::new(step, rule)),
    }
}

/// The next state by the nine cells: bit 3 * row + column, from the north-west.
pub(crate) fn nine_cell_table(rule: &Rule, generation: u64) -> [u8; 512] {
    std::array::from_fn(|block| {
        let site = Site {
            generation,
            ..Site::default()
        };
        rule.next(site, |dx, dy| (block >> (3 * (dy + 1) + dx + 1) & 1) as u8)
    })
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

    /// The same of two cells, one above the other; with the sums above, of both, and below.
    #[inline(always)]
    fn next_two<V: BitVector>(self, odd: usize, sums: [(V, V); 4], cells: [V; 2]) -> [V; 2] {
        let [above, upper, lower, below] = sums;
        [
            self.next(odd, above, upper, lower, cells[0]),
            self.next(odd, upper, lower, below, cells[1]),
        ]
    }
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

    /// Without ternary logic the sum of the two rows is worth being used twice.
    #[inline(always)]
    fn next_two<V: BitVector>(self, odd: usize, sums: [(V, V); 4], cells: [V; 2]) -> [V; 2] {
        let [above, upper, lower, below] = sums;
        if V::HAS_TERNARY {
            return [
                self.next(odd, above, upper, lower, cells[0]),
                self.next(odd, upper, lower, below, cells[1]),
            ];
        }
        let both = RowPair::new(upper, lower);
        [both.life(above, cells[0]), both.life(below, cells[1])]
    }
}

/// The sum of six cells, three above three: its bits of weight one, two and four.
#[derive(Clone, Copy)]
struct RowPair<V> {
    ones: V,
    twos: V,
    fours: V,
}

impl<V: BitVector> RowPair<V> {
    #[inline(always)]
    fn new(upper: (V, V), lower: (V, V)) -> Self {
        let carry = upper.0 & lower.0;
        let odd = upper.1 ^ lower.1;
        Self {
            ones: upper.0 ^ lower.0,
            twos: odd ^ carry,
            fours: (upper.1 & lower.1) | (odd & carry),
        }
    }

    /// What Life makes of a cell among the six, by the sum of three more: it is alive at 3, and
    /// keeps its state at 4.
    #[inline(always)]
    fn life(self, third: (V, V), cell: V) -> V {
        let ones = self.ones ^ third.0;
        let carry = self.ones & third.0;
        let odd = self.twos ^ third.1;
        let twos = odd ^ carry;
        // 8 and 9 are like 0 and 1
        let fours = self.fours ^ ((self.twos & third.1) | (odd & carry));
        // with either two or four: three of the former, or exactly the latter
        (twos ^ fours) & !(ones ^ twos) & (twos | cell)
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

/// A step by vectors, of any width; with what is told of the generation between, or without.
struct VectorStep<'s, 'a, R, const WATCHES: bool> {
    step: &'s mut TileStep<'a>,
    rule: R,
    /// Not a constant: the compiler would take the loop apart, and do one tile after the other.
    generations: usize,
}

impl<R: RowSumRule, const WATCHES: bool> SimdTask<u32> for VectorStep<'_, '_, R, WATCHES> {
    #[inline(always)]
    fn run<V: Vector<u32>>(mut self) {
        // Two at a time where there are registers enough: a processor finds something to do while
        // it waits for either.
        let pairs = match V::LANES {
            16.. => self.step.due.len() / 2,
            _ => 0,
        };
        let generations = self.generations;
        for i in 0..pairs {
            self.step_group::<V, 2>(2 * i, generations);
        }
        for i in 2 * pairs..self.step.due.len() {
            self.step_group::<V, 1>(i, generations);
        }
    }
}

impl<'s, 'a, R: RowSumRule, const WATCHES: bool> VectorStep<'s, 'a, R, WATCHES> {
    fn new(step: &'s mut TileStep<'a>, rule: R) -> Self {
        Self {
            generations: std::hint::black_box(step.generations),
            step,
            rule,
        }
    }

    /// Steps so many of the tiles that are due, from one on.
    #[inline(always)]
    fn step_group<V: Vector<u32>, const N: usize>(&mut self, first: usize, generations: usize) {
        let step = &mut self.step;
        let mut old = [[V::ZERO; TILE_VECTORS]; N];
        for (old, &tile) in old.iter_mut().zip(&step.due[first..][..N]) {
            let tile = tile as usize;
            *old = with_margin::<V>(step.tiles, tile, &step.near[tile]);
        }
        let mut now = old;
        let mut alive = old;
        for generation in 0..generations {
            for k in 0..N {
                now[k] = next_rows::<V, R>(self.rule, generation, &now[k]);
                if WATCHES {
                    for i in 0..TILE_ROWS / V::LANES {
                        alive[k][i] = alive[k][i] | now[k][i];
                    }
                    if let Some(populations) = &mut step.populations {
                        let tile = step.due[first + k] as usize;
                        populations[tile][generation] = population_of(&now[k]);
                    }
                }
            }
        }
        for k in 0..N {
            let tile = step.due[first + k] as usize;
            let next = &mut step.next[tile];
            let count = TILE_ROWS / V::LANES;
            let mut differing = [V::ZERO; TILE_VECTORS];
            let mut all = V::ZERO;
            for i in 0..count {
                let at = i * V::LANES;
                let own = V::load(&OWN.0[at..]);
                differing[i] = (now[k][i] ^ old[k][i]) & own;
                all = all | differing[i];
                (now[k][i] & own).store(&mut next.0[at..]);
            }
            let north = (differing[0] | differing[count / 2]).first_word();
            let last = LAST_WORD / V::LANES;
            let south = words_of(differing[last] | differing[count / 2 + last]);
            let all = words_of(all)[..V::LANES]
                .iter()
                .fold(0, |all, word| all | word);
            step.changes[first + k] = seen_by(north, south[LAST_WORD % V::LANES], all);
            if WATCHES && let Some(envelopes) = &mut step.envelopes {
                let envelope = &mut envelopes[tile].0;
                for i in 0..TILE_ROWS / V::LANES {
                    let at = i * V::LANES;
                    let alive = alive[k][i] & V::load(&OWN.0[at..]);
                    (V::load(&envelope[at..]) | alive).store(&mut envelope[at..]);
                }
            }
        }
    }
}

/// A vector's words, which are the first ones.
#[inline(always)]
fn words_of<V: Vector<u32>>(vector: V) -> [u32; HALF] {
    let mut words = [0; HALF];
    vector.store(&mut words);
    words
}

/// How many of a tile's own cells are alive.
#[inline(always)]
fn population_of<V: Vector<u32>>(rows: &[V; TILE_VECTORS]) -> u32 {
    let mut words = TileRows::EMPTY;
    for (i, rows) in rows.iter().enumerate().take(TILE_ROWS / V::LANES) {
        let at = i * V::LANES;
        (*rows & V::load(&OWN.0[at..])).store(&mut words.0[at..]);
    }
    // two rows at a time: half as many instructions where a processor counts word by word
    let (pairs, _) = words.0.as_chunks::<2>();
    let two = |[low, high]: &[u32; 2]| u64::from(*low) | u64::from(*high) << 32;
    pairs.iter().map(|pair| two(pair).count_ones()).sum()
}

/// The next generation of all rows but the first and the last of the margin.
#[inline(always)]
fn next_rows<V: Vector<u32>, R: RowSumRule>(
    rule: R,
    generation: usize,
    rows: &[V; TILE_VECTORS],
) -> [V; TILE_VECTORS] {
    let half = HALF / V::LANES;
    let mut ones = [V::ZERO; TILE_VECTORS];
    let mut twos = [V::ZERO; TILE_VECTORS];
    let mut next = [V::ZERO; TILE_VECTORS];
    for i in 0..2 * half {
        let (west, east) = (rows[i].west(), rows[i].east());
        ones[i] = west.xor3(rows[i], east);
        twos[i] = west.majority(rows[i], east);
    }
    for even in 0..half {
        let odd = half + even;
        // the margin comes last, so that the row above the first is the last
        let (before, after) = (half + (even + half - 1) % half, (even + 1) % half);
        let above = (ones[odd].above(ones[before]), twos[odd].above(twos[before]));
        let below = (ones[even].below(ones[after]), twos[even].below(twos[after]));
        let sums = [
            above,
            (ones[even], twos[even]),
            (ones[odd], twos[odd]),
            below,
        ];
        [next[even], next[odd]] = rule.next_two(generation, sums, [rows[even], rows[odd]]);
    }
    next
}

/// With all nine cells counted, a cell is alive at 3, and keeps its state at 4. For vectors that
/// have ternary logic.
#[inline(always)]
fn life_of_sums<V: BitVector>(above: (V, V), here: (V, V), below: (V, V), centre: V) -> V {
    let g0 = below.0.ternary::<0x36>(here.1, here.0);
    let g1 = below.0 ^ here.0;
    let g2 = g1.ternary::<0xc6>(g0, above.0);
    let g3 = g1.ternary::<0xd6>(centre, above.0);
    let g4 = g2.ternary::<0x9e>(below.1, above.1);
    let g5 = g4.ternary::<0xf2>(g3, g2);
    g5.ternary::<0x0e>(g3, g0)
}
