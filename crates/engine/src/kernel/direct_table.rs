//! Tables, unrolled: the states of all cells that a cell looks at are the digits of a number,
//! and that is the place of its next state. Where it only counts which cells are in one state,
//! as electrons' heads are in WireWorld, the digits are ones and noughts, and the cell's own
//! state comes before them.
//!
//! A walk down a tree waits for one load after the other; here there is one, and the next
//! cell's does not wait for it. Five cells of eight states, as loops have them, are 32 KiB,
//! nine of four states 256 KiB, WireWorld is 2 KiB: what a core's own cache holds. It is made
//! in a millisecond, where a circuit for the same rule takes fifty.

use grid::State;
use rule::{ConfigurationTable, LookupTable, LookupTree, Rule, Site, Transition};

/// A rule of radius 1 over few cells of few states.
#[derive(Clone, Debug)]
pub(crate) struct DirectTableKernel {
    /// How many cells are looked at.
    cells: usize,
    /// What the cells' digits are.
    digits: IndexDigits,
    /// As many as numbers of 16 bits tell apart, or 2 to the power of [`MOST_BITS`].
    next: Box<[State]>,
}

#[derive(Clone, Copy, Debug)]
enum IndexDigits {
    /// Their states. What each of the nine cells, row by row, is worth: nothing where it is not
    /// looked at.
    States([u64; 9]),
    /// Whether they are in this state, the first cell worth most; above them the cell's own.
    Counted(State),
}

/// Bits of a number at most: a megabyte, most of which nothing looks at.
const MOST_BITS: u32 = 20;

/// A square of 4 x 4 cells, row by row.
pub(crate) type StateBlock = [[State; SIDE]; SIDE];

const SIDE: usize = 4;

/// Generations that the middle of four patches is known for.
const FURTHEST: u32 = 2;

/// Cells along the side of four patches.
const WIDE: usize = 2 * SIDE;

/// How many ways there are for nine cells to be counted or not.
const ARRANGEMENTS: usize = 1 << 9;

/// A row of cells in words, far enough apart that there is room for a number in the place of
/// each: every `G`-th of them is in the same word, in lanes of `G` bytes.
type DigitLanes<const G: usize> = [u64; G];

impl DirectTableKernel {
    /// For tables that are the same at all places and times; none where the table would be
    /// large, and for other rules.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        if rule.radius() > 1 || rule.time_period() > 1 || rule.places() > 1 {
            return None;
        }
        match rule.transition(Site::default()) {
            Transition::Lookup(table) => Self::of_states(table),
            Transition::Configuration(table) => Self::of_arrangements(table),
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
            MOST_BITS
        };
        if all > 1 << bits {
            return None;
        }
        let mut next = vec![0; 1 << bits].into_boxed_slice();
        let unrolled = TreeUnroller {
            tree: table.tree()?,
            states: states as usize,
            all: all as usize,
        };
        unrolled.fill(unrolled.tree.root, 0, 1, &mut next);
        let mut worth = [0; 9];
        let mut digit = 1;
        for &(dx, dy) in table.offsets() {
            worth[(3 * (dy + 1) + dx + 1) as usize] = digit;
            digit *= u64::from(states);
        }
        Some(Self {
            cells,
            digits: IndexDigits::States(worth),
            next,
        })
    }

    fn of_arrangements(table: &ConfigurationTable) -> Option<Self> {
        let mut counted = (0..).zip(&table.counted).filter(|(_, counted)| **counted);
        let (Some((state, _)), None) = (counted.next(), counted.next()) else {
            return None;
        };
        let mut next = vec![0; 1 << u16::BITS].into_boxed_slice();
        let all = table.rows.len() * ARRANGEMENTS;
        if all > next.len() {
            return None;
        }
        for (row, next) in table.rows.iter().zip(next.chunks_exact_mut(ARRANGEMENTS)) {
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

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
        let cells = self.cells;
        format!("a byte a cell, through a table over {cells} cells")
    }

    /// The middles of squares of four patches (north-west, north-east, south-west,
    /// south-east) after at most two generations.
    ///
    /// # Panics
    /// When there are not as many middles as fours.
    pub(crate) fn middles(
        &self,
        generations: u32,
        fours: &[[StateBlock; 4]],
        middles: &mut [StateBlock],
    ) {
        debug_assert!(generations <= FURTHEST, "the middle is known for two");
        assert_eq!(fours.len(), middles.len(), "a middle for each four");
        // Numbers of 16 bits stand four in a word, longer ones two.
        let is_short = self.next.len() == 1 << u16::BITS;
        let next = &self.next;
        match self.digits {
            IndexDigits::Counted(state) => {
                through::<2, _>(next, &CountDigits(state), generations, fours, middles);
            }
            IndexDigits::States(worth) => {
                let is_cross = [0, 2, 6, 8].iter().all(|&corner| worth[corner] == 0);
                let (cross, block): (&VonNeumannDigits, &MooreDigits) =
                    (&StateDigits(worth), &StateDigits(worth));
                match (is_short, is_cross) {
                    (true, true) => through::<2, _>(next, cross, generations, fours, middles),
                    (true, false) => through::<2, _>(next, block, generations, fours, middles),
                    (false, true) => through::<4, _>(next, cross, generations, fours, middles),
                    (false, false) => through::<4, _>(next, block, generations, fours, middles),
                }
            }
        }
    }
}

/// How a number is made of what nine cells hold, row by row.
trait IndexEncoding {
    /// Which of them are looked at.
    const LOOKS: u16;

    /// The digits of cells, in lanes of so many bytes.
    fn digits<const G: usize>(&self, states: DigitLanes<G>) -> DigitLanes<G>;

    /// What digits are worth in the number of a cell that sees them in this direction.
    fn weigh(&self, digits: u64, look: usize) -> u64;

    /// What a cell's own state is worth beside.
    fn own(&self, states: u64) -> u64;
}

/// By their states: of the cells that share a side, and of all.
type VonNeumannDigits = StateDigits<0b010_111_010>;
type MooreDigits = StateDigits<0b111_111_111>;

struct StateDigits<const LOOKS: u16>([u64; 9]);

/// By whether they are in this state.
struct CountDigits(State);

impl<const LOOKS: u16> IndexEncoding for StateDigits<LOOKS> {
    const LOOKS: u16 = LOOKS;

    #[inline(always)]
    fn digits<const G: usize>(&self, states: DigitLanes<G>) -> DigitLanes<G> {
        states
    }

    #[inline(always)]
    fn weigh(&self, digits: u64, look: usize) -> u64 {
        digits * self.0[look]
    }

    #[inline(always)]
    fn own(&self, _states: u64) -> u64 {
        0
    }
}

impl IndexEncoding for CountDigits {
    const LOOKS: u16 = 0b111_111_111;

    #[inline(always)]
    fn digits<const G: usize>(&self, states: DigitLanes<G>) -> DigitLanes<G> {
        let ones = u64::MAX / (u64::MAX >> (64 - 8 * G));
        let high = ones << (8 * G - 1);
        // What does not differ leaves the highest bit of its lane, and no lane borrows.
        states.map(|states| (high - (states ^ (ones * u64::from(self.0)))) >> (8 * G - 1) & ones)
    }

    #[inline(always)]
    fn weigh(&self, digits: u64, look: usize) -> u64 {
        digits << (8 - look)
    }

    #[inline(always)]
    fn own(&self, states: u64) -> u64 {
        states * ARRANGEMENTS as u64
    }
}

/// See [`DirectTableKernel::middles`].
fn through<const G: usize, N: IndexEncoding>(
    next: &[State],
    numbers: &N,
    generations: u32,
    fours: &[[StateBlock; 4]],
    middles: &mut [StateBlock],
) {
    for ([nw, ne, sw, se], middle) in fours.iter().zip(middles) {
        let mut now = [[0; G]; WIDE];
        for y in 0..SIDE {
            now[y] = apart(nw[y], ne[y]);
            now[SIDE + y] = apart(sw[y], se[y]);
        }
        // At the border cells are missing: each generation leaves one more there out.
        if generations > 0 {
            now = step::<G, 1, N>(next, numbers, &now);
        }
        if generations > 1 {
            now = step::<G, 2, N>(next, numbers, &now);
        }
        for (cells, lanes) in middle.iter_mut().zip(&now[SIDE / 2..]) {
            *cells = [2, 3, 4, 5].map(|x| lane(lanes, x) as State);
        }
    }
}

/// The next generation, but for some cells at each side.
#[inline(always)]
fn step<const G: usize, const EDGE: usize, N: IndexEncoding>(
    next: &[State],
    numbers: &N,
    now: &[DigitLanes<G>; WIDE],
) -> [DigitLanes<G>; WIDE] {
    let digits = now.map(|row| numbers.digits(row));
    let mut then = [[0; G]; WIDE];
    for y in EDGE..WIDE - EDGE {
        let mut sums = now[y].map(|states| numbers.own(states));
        let mut add = |look: usize| {
            if N::LOOKS >> look & 1 == 0 {
                return;
            }
            let row = &digits[y + look / 3 - 1];
            for (k, sum) in sums.iter_mut().enumerate() {
                let seen = match look % 3 {
                    0 if k == 0 => row[G - 1] << (8 * G),
                    0 => row[k - 1],
                    1 => row[k],
                    _ if k == G - 1 => row[0] >> (8 * G),
                    _ => row[k + 1],
                };
                // No number leaves its lane.
                *sum += numbers.weigh(seen, look);
            }
        };
        // One by one: as loops these took twice as long.
        add(0);
        add(1);
        add(2);
        add(3);
        add(4);
        add(5);
        add(6);
        add(7);
        add(8);
        let mut look_up = |x: usize| {
            if (EDGE..WIDE - EDGE).contains(&x) {
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

/// The cells of a row in lanes, from its western and its eastern half.
#[inline(always)]
fn apart<const G: usize>(west: [State; SIDE], east: [State; SIDE]) -> DigitLanes<G> {
    let [west, east] = [west, east].map(|half| u64::from(u32::from_le_bytes(half)));
    let row = west | east << 32;
    let cells = u64::MAX / (u64::MAX >> (64 - 8 * G)) * 0xff;
    std::array::from_fn(|k| row >> (8 * k) & cells)
}

/// What is in the place of a cell.
#[inline(always)]
fn lane<const G: usize>(lanes: &DigitLanes<G>, x: usize) -> usize {
    (lanes[x % G] >> (x / G * 8 * G) & u64::MAX >> (64 - 8 * G)) as usize
}

struct TreeUnroller<'a> {
    tree: &'a LookupTree,
    states: usize,
    /// How many numbers there are.
    all: usize,
}

impl TreeUnroller<'_> {
    /// All that the node at `at` leads to: of the cells before, `number` is known, and the
    /// next one's state is worth a `digit`.
    fn fill(&self, at: u32, number: usize, digit: usize, next: &mut [State]) {
        let node = &self.tree.entries[at as usize..][..self.states];
        for (state, &entry) in node.iter().enumerate() {
            let number = number + state * digit;
            if digit * self.states == self.all {
                next[number] = entry as State;
            } else {
                self.fill(entry, number, digit * self.states, next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of generations of two random squares against the rule, cell by cell.
    fn check(rule: &Rule) {
        let kernel = DirectTableKernel::compile(rule).unwrap();
        let mut seed = 7_u64;
        let mut state = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((seed >> 33) % u64::from(rule.states())) as State
        };
        let mut random = || {
            let mut patch = [[0; SIDE]; SIDE];
            patch.iter_mut().flatten().for_each(|cell| *cell = state());
            patch
        };
        let fours: Vec<[StateBlock; 4]> = (0..2)
            .map(|_| [random(), random(), random(), random()])
            .collect();
        for generations in 0..=FURTHEST {
            let mut expected = Vec::new();
            for four in &fours {
                let mut now = [[0; WIDE]; WIDE];
                for (y, row) in now.iter_mut().enumerate() {
                    for (x, cell) in row.iter_mut().enumerate() {
                        *cell = four[y / SIDE * 2 + x / SIDE][y % SIDE][x % SIDE];
                    }
                }
                for _ in 0..generations {
                    let mut next = now;
                    for y in 1..WIDE - 1 {
                        for x in 1..WIDE - 1 {
                            next[y][x] = rule.next(Site::default(), |dx, dy| {
                                now[y.strict_add_signed(dy as isize)]
                                    [x.strict_add_signed(dx as isize)]
                            });
                        }
                    }
                    now = next;
                }
                let mut middle = [[0; SIDE]; SIDE];
                for (y, row) in middle.iter_mut().enumerate() {
                    row.copy_from_slice(&now[y + SIDE / 2][SIDE / 2..SIDE / 2 + SIDE]);
                }
                expected.push(middle);
            }
            let mut got = vec![[[9; SIDE]; SIDE]; 2];
            kernel.middles(generations, &fours, &mut got);
            assert_eq!(got, expected, "{generations} generations");
        }
    }

    #[test]
    fn squares_follow_the_table() {
        let all: Vec<String> = (0..16).map(|state| state.to_string()).collect();
        for (neighbourhood, states, line) in [
            ("oneDimensional", 3, "0,1,a,2"),
            ("vonNeumann", 8, "a,b,1,c,5,7"),
            ("vonNeumann", 9, "a,8,b,c,d,3"),
            ("vonNeumann", 10, "9,a,b,c,8,9"),
            ("vonNeumann", 16, "a,15,b,c,d,14"),
            ("Moore", 4, "0,1,a,b,c,d,3,2,1,2"),
            ("hexagonal", 4, "1,a,2,b,c,d,3,0"),
        ] {
            let mut text =
                format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{neighbourhood}\n");
            text += "symmetries:rotate2\n";
            for name in ["a", "b", "c", "d"] {
                text += &format!("var {name}={{{}}}\n", all[..states].join(","));
            }
            if neighbourhood == "oneDimensional" {
                text = text.replace("rotate2", "none");
            }
            let rule = Rule::from_file(&(text + line)).unwrap_or_else(|e| panic!("{e}"));
            check(&rule);
        }
    }

    #[test]
    fn squares_follow_what_is_counted() {
        for rule in ["WireWorld", "2-i34q/3-k/9", "2-i34q/3-k/128"] {
            check(&rule.parse().unwrap_or_else(|e| panic!("{rule}: {e}")));
        }
    }

    #[test]
    fn large_tables_stay_trees() {
        let text = |states: u32| {
            format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:Moore\nsymmetries:none")
        };
        let compiled =
            |states| DirectTableKernel::compile(&Rule::from_file(&text(states)).unwrap());
        assert!(compiled(4).is_some());
        assert!(compiled(5).is_none());
        let text = text(17).replace("Moore", "vonNeumann");
        assert!(DirectTableKernel::compile(&Rule::from_file(&text).unwrap()).is_none());
        for rule in ["345/2/4", "2-i34q/3-k/129"] {
            assert!(DirectTableKernel::compile(&rule.parse().unwrap()).is_none());
        }
    }
}
