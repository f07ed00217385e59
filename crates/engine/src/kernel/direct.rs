//! Tables of exact states, unrolled: the states of all cells that a cell looks at, side by
//! side, are the place of its next state.
//!
//! A walk down a tree waits for one load after the other; here there is one, and the next
//! cell's does not wait for it. Five cells of eight states, as loops have them, are 32 KiB,
//! nine of four states 256 KiB: what a core's own cache holds. It is made in a millisecond,
//! where a circuit for the same rule takes fifty.

use grid::State;
use rule::{LookupTree, Rule, Site, Transition};

/// A rule of radius 1 over few cells of few states.
#[derive(Clone, Debug)]
pub(crate) struct DirectKernel {
    /// Which of the nine cells are looked at, row by row; the k-th at `bits * k` in the
    /// index.
    looks: Vec<usize>,
    bits: u32,
    next: Box<[State]>,
}

/// Bits of an index at most: a megabyte, most of which nothing looks at, as states are
/// rarely as many as bits can tell.
const MOST_BITS: u32 = 20;

/// A square of 4 x 4 cells, row by row.
pub(crate) type Patch = [[State; SIDE]; SIDE];

const SIDE: usize = 4;

/// Generations that the middle of four patches is known for.
const FURTHEST: u32 = 2;

/// Cells along the side of four patches: a row of them is a word, a cell a byte.
const WIDE: usize = 2 * SIDE;

impl DirectKernel {
    /// For lookup trees that are the same at all places and times; none where the table
    /// would be large, and for other rules.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        if rule.radius() > 1 || rule.time_period() > 1 || rule.places() > 1 {
            return None;
        }
        let Transition::Lookup(table) = rule.transition(Site::default()) else {
            return None;
        };
        let bits = u16::BITS - (rule.states() - 1).leading_zeros();
        let all = bits * table.offsets().len() as u32;
        if all > MOST_BITS {
            return None;
        }
        let mut next = vec![0; 1 << all].into_boxed_slice();
        let unrolled = Unrolled {
            tree: table.tree()?,
            states: table.states().into(),
            bits,
        };
        unrolled.fill(unrolled.tree.root, 0, 0, &mut next);
        let place = |&(dx, dy): &(i32, i32)| (3 * (dy + 1) + dx + 1) as usize;
        Some(Self {
            looks: table.offsets().iter().map(place).collect(),
            bits,
            next,
        })
    }

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
        let cells = self.looks.len();
        format!("a byte a cell, through a table over {cells} cells")
    }

    /// The middles of squares of four patches (north-west, north-east, south-west,
    /// south-east) after at most two generations.
    ///
    /// # Panics
    /// When there are not as many middles as fours.
    pub(crate) fn middles(&self, generations: u32, fours: &[[Patch; 4]], middles: &mut [Patch]) {
        debug_assert!(generations <= FURTHEST, "the middle is known for two");
        assert_eq!(fours.len(), middles.len(), "a middle for each four");
        // Indices of 16 bits stand four in a word, longer ones two.
        if self.next.len() <= 1 << 16 {
            self.in_lanes::<2>(generations, fours, middles);
        } else {
            self.in_lanes::<4>(generations, fours, middles);
        }
    }

    /// Indices in lanes of G bytes.
    fn in_lanes<const G: usize>(
        &self,
        generations: u32,
        fours: &[[Patch; 4]],
        middles: &mut [Patch],
    ) {
        for ([nw, ne, sw, se], middle) in fours.iter().zip(middles) {
            let row = |west: [State; SIDE], east: [State; SIDE]| {
                let [west, east] = [west, east].map(u32::from_le_bytes);
                u64::from(west) | u64::from(east) << 32
            };
            let mut now = [0; WIDE];
            for y in 0..SIDE {
                now[y] = row(nw[y], ne[y]);
                now[SIDE + y] = row(sw[y], se[y]);
            }
            // At the border cells are missing: each generation leaves one more there out.
            for edge in 1..=generations as usize {
                let before = now;
                for y in edge..WIDE - edge {
                    let three = [before[y - 1], before[y], before[y + 1]];
                    now[y] = self.row::<G>(three, edge);
                }
            }
            for (row, cells) in middle.iter_mut().zip(&now[SIDE / 2..]) {
                *row = ((cells >> (8 * SIDE / 2)) as u32).to_le_bytes();
            }
        }
    }

    /// The next states of the middle of three rows, but for some at each end.
    #[inline]
    fn row<const G: usize>(&self, three: [u64; 3], ends: usize) -> u64 {
        let around = three.map(|row| [row << 8, row, row >> 8]);
        let around = around.as_flattened();
        let lane = u64::MAX >> (64 - 8 * G);
        let cells = u64::MAX / lane * 0xff;
        let mut index = [0; G];
        let mut shift = 0;
        for &look in &self.looks {
            let seen = around[look];
            for (k, index) in index.iter_mut().enumerate() {
                *index |= (seen >> (8 * k) & cells) << shift;
            }
            shift += self.bits;
        }
        let mut next = 0;
        for x in ends..WIDE - ends {
            let at = index[x % G] >> (x / G * 8 * G) & lane;
            next |= u64::from(self.next[at as usize]) << (8 * x);
        }
        next
    }
}

struct Unrolled<'a> {
    tree: &'a LookupTree,
    states: usize,
    bits: u32,
}

impl Unrolled<'_> {
    /// All that the node at `at` leads to; `index` are the states of the cells before, in
    /// `known` bits.
    fn fill(&self, at: u32, index: usize, known: u32, next: &mut [State]) {
        let node = &self.tree.entries[at as usize..][..self.states];
        for (state, &entry) in node.iter().enumerate() {
            let index = index | state << known;
            if 1 << (known + self.bits) == next.len() {
                next[index] = entry as State;
            } else {
                self.fill(entry, index, known + self.bits, next);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers of generations of two random squares against the rule, cell by cell.
    fn check(rule: &Rule) {
        let kernel = DirectKernel::compile(rule).unwrap();
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
        let fours: Vec<[Patch; 4]> = (0..2)
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
        let all: Vec<String> = (0..9).map(|state| state.to_string()).collect();
        for (neighbourhood, states, line) in [
            ("oneDimensional", 3, "0,1,a,2"),
            ("vonNeumann", 8, "a,b,1,c,5,7"),
            ("vonNeumann", 9, "a,8,b,c,d,3"),
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
    fn large_tables_stay_trees() {
        let text = |states: u32| {
            format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:Moore\nsymmetries:none")
        };
        let compiled = |states| DirectKernel::compile(&Rule::from_file(&text(states)).unwrap());
        assert!(compiled(4).is_some());
        assert!(compiled(5).is_none());
        assert!(DirectKernel::compile(&"345/2/4".parse().unwrap()).is_none());
    }
}
