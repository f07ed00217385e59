//! Direct tables: the states of all cells of the neighbourhood are the digits of an index into
//! a table of next states. Where a rule only depends on which cells are in one state, as isotropic
//! Generations do on live ones, the digits are bits, and the cell's own state comes above them.
//!
//! A tree walk waits for one load after the other; here there is one, and it is independent of
//! the next cell's. Five cells of eight states, as in self-replicating loops, are 32 KiB,
//! nine of four states 256 KiB, nine by whether they live 2 KiB for four states: a core's own cache
//! holds that. The table is built in a millisecond, where a circuit for the same rule takes fifty.

use grid::State;
use rule::{ConfigurationTable, LookupTable, LookupTree, Rule, Site, Transition};

/// A rule of radius 1 over few cells with few states.
#[derive(Clone, Debug)]
pub struct DirectTableKernel {
    /// The number of cells in the neighbourhood.
    cells: usize,
    /// How cells are encoded as digits.
    digits: IndexDigits,
    /// The next states, `1 << 16` or `1 <<` [`MAX_BITS`] of them.
    next: Box<[State]>,
}

#[derive(Clone, Copy, Debug)]
enum IndexDigits {
    /// By their states. The place value of each of the nine cells, row by row; 0 for cells outside
    /// the neighbourhood.
    States([u64; 9]),
    /// By whether they are in this state, the first cell the most significant; the cell's own state
    /// above these bits.
    Counted(State),
}

/// The most bits of an index: a megabyte, most of which is never read.
const MAX_BITS: u32 = 20;

/// A block of 4 x 4 cells, row by row.
pub type StateBlock = [[State; SIDE]; SIDE];

const SIDE: usize = 4;

/// The generations for which the middle of four blocks is determined.
const MAX_GENERATIONS: u32 = 2;

/// Side of a square of four blocks.
const SQUARE_SIDE: usize = 2 * SIDE;

/// The number of subsets of nine cells.
const CONFIGURATIONS: usize = 1 << 9;

/// A row of cells in words, spread so that an index fits in place of each cell: every `G`-th
/// cell is in the same word, in lanes of `G` bytes.
type DigitLanes<const G: usize> = [u64; G];

impl DirectTableKernel {
    /// Compiles lookup and configuration tables that are the same at all positions and times; none
    /// where the table would be large, and for other rules.
    ///
    /// ```
    /// use kernel::DirectTableKernel;
    ///
    /// assert!(DirectTableKernel::compile(&"2-i34q/3-k/4".parse()?).is_some());
    /// assert!(DirectTableKernel::compile(&"R5,C0,M1,S34..58,B34..45,NM".parse()?).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(rule: &Rule) -> Option<Self> {
        if rule.radius() > 1 || rule.time_period() > 1 || rule.phases() > 1 {
            return None;
        }
        match rule.transition(Site::default()) {
            Transition::Lookup(table) => Self::of_states(table),
            Transition::Configuration(table) => Self::of_configurations(table),
            Transition::Count(_) => None,
        }
    }

    fn of_states(table: &LookupTable) -> Option<Self> {
        let cells = table.offsets().len();
        let states = u32::from(table.states());
        let all = states.checked_pow(cells as u32)?;
        let bits = if all <= 1 << u16::BITS {
            u16::BITS
        } else {
            MAX_BITS
        };
        if all > 1 << bits {
            return None;
        }
        let mut next = vec![0; 1 << bits].into_boxed_slice();
        let unroller = TreeUnroller {
            tree: table.tree()?,
            states: states as usize,
            all: all as usize,
        };
        unroller.fill(unroller.tree.root, 0, 1, &mut next);
        let mut place_values = [0; 9];
        let mut digit = 1;
        for &(dx, dy) in table.offsets() {
            place_values[(3 * (dy + 1) + dx + 1) as usize] = digit;
            digit *= u64::from(states);
        }
        Some(Self {
            cells,
            digits: IndexDigits::States(place_values),
            next,
        })
    }

    fn of_configurations(table: &ConfigurationTable) -> Option<Self> {
        let mut counted = (0..).zip(&table.counted).filter(|(_, counted)| **counted);
        let (Some((state, _)), None) = (counted.next(), counted.next()) else {
            return None;
        };
        let mut next = vec![0; 1 << u16::BITS].into_boxed_slice();
        let all = table.rows.len() * CONFIGURATIONS;
        if all > next.len() {
            return None;
        }
        for (row, next) in table.rows.iter().zip(next.chunks_exact_mut(CONFIGURATIONS)) {
            for (index, next) in next.iter_mut().enumerate() {
                *next = row.get(index);
            }
        }
        Some(Self {
            cells: 9,
            digits: IndexDigits::Counted(state),
            next,
        })
    }

    /// A description for users.
    ///
    /// ```
    /// let kernel = kernel::DirectTableKernel::compile(&"2-i34q/3-k/4".parse()?).expect("a small table");
    /// assert_eq!(kernel.describe(), "a byte a cell, through a table over 9 cells");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let cells = self.cells;
        format!("a byte a cell, through a table over {cells} cells")
    }

    /// The middles of squares of four blocks (north-west, north-east, south-west,
    /// south-east) after at most two generations.
    ///
    /// # Panics
    /// When there are not as many middles as squares.
    ///
    /// ```
    /// // a live cell that sees no other, in the row above the middle of four blocks
    /// let kernel = kernel::DirectTableKernel::compile(&"2-i34q/3-k/4".parse()?).expect("a small table");
    /// let mut west = [[0; 4]; 4];
    /// west[3][3] = 1;
    /// let mut middle = [[[0; 4]; 4]];
    /// kernel.leaf_results(1, &[[west, [[0; 4]; 4], [[0; 4]; 4], [[0; 4]; 4]]], &mut middle);
    /// assert_eq!(middle[0][1], [0, 2, 0, 0]); // it begins to die
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn leaf_results(
        &self,
        generations: u32,
        fours: &[[StateBlock; 4]],
        leaf_results: &mut [StateBlock],
    ) {
        debug_assert!(
            generations <= MAX_GENERATIONS,
            "the middle is known for two"
        );
        assert_eq!(fours.len(), leaf_results.len(), "a middle for each four");
        // Indices of 16 bits are packed four to a word, longer ones two.
        let is_short = self.next.len() == 1 << u16::BITS;
        let next = &self.next;
        match self.digits {
            IndexDigits::Counted(state) => {
                step_middles::<2, _>(next, &CountDigits(state), generations, fours, leaf_results);
            }
            IndexDigits::States(place_values) => {
                let is_von_neumann = [0, 2, 6, 8].iter().all(|&corner| place_values[corner] == 0);
                let (von_neumann, moore): (&VonNeumannDigits, &MooreDigits) =
                    (&StateDigits(place_values), &StateDigits(place_values));
                match (is_short, is_von_neumann) {
                    (true, true) => {
                        step_middles::<2, _>(next, von_neumann, generations, fours, leaf_results)
                    }
                    (true, false) => {
                        step_middles::<2, _>(next, moore, generations, fours, leaf_results)
                    }
                    (false, true) => {
                        step_middles::<4, _>(next, von_neumann, generations, fours, leaf_results)
                    }
                    (false, false) => {
                        step_middles::<4, _>(next, moore, generations, fours, leaf_results)
                    }
                }
            }
        }
    }
}

/// How an index is computed from nine cells, row by row.
trait IndexEncoding {
    /// A mask of the cells in the neighbourhood.
    const NEIGHBOURS: u16;

    /// The digits of cells, in lanes of `G` bytes.
    fn digits<const G: usize>(&self, states: DigitLanes<G>) -> DigitLanes<G>;

    /// Multiplies digits by the place value of the cells that are seen in this direction.
    fn weighted(&self, digits: u64, direction: usize) -> u64;

    /// What a cell's own state adds to the index.
    fn own_part(&self, states: u64) -> u64;
}

/// Digits are states: of the von Neumann neighbourhood, and of the Moore neighbourhood.
type VonNeumannDigits = StateDigits<0b010_111_010>;
type MooreDigits = StateDigits<0b111_111_111>;

struct StateDigits<const NEIGHBOURS: u16>([u64; 9]);

/// Digits are bits: whether a cell is in this state.
struct CountDigits(State);

impl<const NEIGHBOURS: u16> IndexEncoding for StateDigits<NEIGHBOURS> {
    const NEIGHBOURS: u16 = NEIGHBOURS;

    #[inline(always)]
    fn digits<const G: usize>(&self, states: DigitLanes<G>) -> DigitLanes<G> {
        states
    }

    #[inline(always)]
    fn weighted(&self, digits: u64, direction: usize) -> u64 {
        digits * self.0[direction]
    }

    #[inline(always)]
    fn own_part(&self, _states: u64) -> u64 {
        0
    }
}

impl IndexEncoding for CountDigits {
    const NEIGHBOURS: u16 = 0b111_111_111;

    #[inline(always)]
    fn digits<const G: usize>(&self, states: DigitLanes<G>) -> DigitLanes<G> {
        let ones = u64::MAX / (u64::MAX >> (64 - 8 * G));
        let high = ones << (8 * G - 1);
        // Equal lanes keep their highest bit, and no lane borrows from the next.
        states.map(|states| (high - (states ^ (ones * u64::from(self.0)))) >> (8 * G - 1) & ones)
    }

    #[inline(always)]
    fn weighted(&self, digits: u64, direction: usize) -> u64 {
        digits << (8 - direction)
    }

    #[inline(always)]
    fn own_part(&self, states: u64) -> u64 {
        states * CONFIGURATIONS as u64
    }
}

/// See [`DirectTableKernel::leaf_results`].
fn step_middles<const G: usize, N: IndexEncoding>(
    next: &[State],
    encoding: &N,
    generations: u32,
    fours: &[[StateBlock; 4]],
    leaf_results: &mut [StateBlock],
) {
    for ([nw, ne, sw, se], middle) in fours.iter().zip(leaf_results) {
        let mut now = [[0; G]; SQUARE_SIDE];
        for y in 0..SIDE {
            now[y] = spread(nw[y], ne[y]);
            now[SIDE + y] = spread(sw[y], se[y]);
        }
        // Cells beyond the border are missing: each generation leaves one more ring out.
        if generations > 0 {
            now = step::<G, 1, N>(next, encoding, &now);
        }
        if generations > 1 {
            now = step::<G, 2, N>(next, encoding, &now);
        }
        for (cells, lanes) in middle.iter_mut().zip(&now[SIDE / 2..]) {
            *cells = [2, 3, 4, 5].map(|x| lane(lanes, x) as State);
        }
    }
}

/// The next generation, without `EDGE` cells at each side.
#[inline(always)]
fn step<const G: usize, const EDGE: usize, N: IndexEncoding>(
    next: &[State],
    encoding: &N,
    now: &[DigitLanes<G>; SQUARE_SIDE],
) -> [DigitLanes<G>; SQUARE_SIDE] {
    let digits = now.map(|row| encoding.digits(row));
    let mut then = [[0; G]; SQUARE_SIDE];
    for y in EDGE..SQUARE_SIDE - EDGE {
        let mut sums = now[y].map(|states| encoding.own_part(states));
        let mut add_direction = |direction: usize| {
            if N::NEIGHBOURS >> direction & 1 == 0 {
                return;
            }
            let row = &digits[y + direction / 3 - 1];
            for (k, sum) in sums.iter_mut().enumerate() {
                let seen = match direction % 3 {
                    0 if k == 0 => row[G - 1] << (8 * G),
                    0 => row[k - 1],
                    1 => row[k],
                    _ if k == G - 1 => row[0] >> (8 * G),
                    _ => row[k + 1],
                };
                // No index overflows its lane.
                *sum += encoding.weighted(seen, direction);
            }
        };
        // Unrolled by hand: as loops these took twice as long.
        add_direction(0);
        add_direction(1);
        add_direction(2);
        add_direction(3);
        add_direction(4);
        add_direction(5);
        add_direction(6);
        add_direction(7);
        add_direction(8);
        let mut look_up = |x: usize| {
            if (EDGE..SQUARE_SIDE - EDGE).contains(&x) {
                let state = u64::from(next[lane(&sums, x)]);
                then[y][x % G] |= state << (x / G * 8 * G);
            }
        };
        look_up(1);
        look_up(2);
        look_up(3);
        look_up(4);
        look_up(5);
        look_up(6);
    }
    then
}

/// Spreads the cells of a row over lanes, from its western and its eastern half.
#[inline(always)]
fn spread<const G: usize>(west: [State; SIDE], east: [State; SIDE]) -> DigitLanes<G> {
    let [west, east] = [west, east].map(|half| u64::from(u32::from_le_bytes(half)));
    let row = west | east << 32;
    let cells = u64::MAX / (u64::MAX >> (64 - 8 * G)) * 0xff;
    std::array::from_fn(|k| row >> (8 * k) & cells)
}

/// The value in a cell's lane.
#[inline(always)]
fn lane<const G: usize>(lanes: &DigitLanes<G>, x: usize) -> usize {
    (lanes[x % G] >> (x / G * 8 * G) & u64::MAX >> (64 - 8 * G)) as usize
}

struct TreeUnroller<'a> {
    tree: &'a LookupTree,
    states: usize,
    /// The number of indices.
    all: usize,
}

impl TreeUnroller<'_> {
    /// Fills the entries below the node at `at`: `index` is the index of the cells so far, and
    /// `digit` the place value of the next one.
    fn fill(&self, at: u32, index: usize, digit: usize, next: &mut [State]) {
        let node = &self.tree.entries[at as usize..][..self.states];
        for (state, &entry) in node.iter().enumerate() {
            let index = index + state * digit;
            if digit * self.states == self.all {
                next[index] = entry as State;
            } else {
                self.fill(entry, index, digit * self.states, next);
            }
        }
    }
}
