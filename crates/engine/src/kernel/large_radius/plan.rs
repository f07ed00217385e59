//! A neighbourhood as few looks at cells and some sums that run on from cell to cell.
//!
//! Where a sum differs from that of the cell before by few cells, it is kept and moved
//! on. In the words of polynomials: the weights times 1 - x, x to the right, are what a sum
//! has more than the one to its left, and times 1 - y more than the one above; a square
//! times both leaves its four corners, and so do its kin by the diagonals. Which products
//! pay is found by trying them.
//!
//! ```text
//! a square   . . . . .     times 1 - x   . . . . . .    times 1 - y   - . . + . .
//!            . 1 1 1 .                   - . . + . .                  . . . . . .
//!            . 1 1 1 .                   - . . + . .                  . . . . . .
//!            . 1 1 1 .                   - . . + . .                  + . . - . .
//! ```

use rule::Neighbourhood;

/// A look at a cell, seen from the one whose sum it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StencilOffset {
    pub(super) dx: i32,
    pub(super) dy: i32,
    pub(super) factor: i32,
}

/// A sum that runs on from another cell's: it keeps what that one had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunningSum {
    /// From the cell `step` to the left, 1 or 2.
    Across { step: usize },
    /// From the cell `step` rows above, 1 or 2, and `shift` columns to the left, -1 to 1.
    Down { shift: i32, step: usize },
}

impl RunningSum {
    /// Where the cell stands that it runs on to, seen from the one that it comes from.
    fn way(self) -> (i32, i32) {
        match self {
            Self::Across { step } => (step as i32, 0),
            Self::Down { shift, step } => (shift, step as i32),
        }
    }
}

/// Looks that are added up, and sums that run over what comes of it, one over the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SumChain {
    pub(super) taps: Vec<StencilOffset>,
    pub(super) runs: Vec<RunningSum>,
    /// How far the sums may be from 0 for cells that are worth 1: of the looks, and then of
    /// each run.
    pub(super) bounds: Vec<i64>,
}

const RIGHT: RunningSum = RunningSum::Across { step: 1 };
const DOWN: RunningSum = RunningSum::Down { shift: 0, step: 1 };
const FALLING: RunningSum = RunningSum::Down { shift: 1, step: 1 };
const RISING: RunningSum = RunningSum::Down { shift: -1, step: 1 };

/// What is tried on a whole neighbourhood. What runs along a row comes first: its sums are
/// the smallest then.
const PRODUCTS: [&[RunningSum]; 19] = [
    &[],
    &[DOWN],
    &[RIGHT],
    &[RIGHT, DOWN],
    &[FALLING],
    &[RISING],
    &[FALLING, RISING],
    &[RIGHT, FALLING],
    &[RIGHT, RISING],
    &[FALLING, DOWN],
    &[RISING, DOWN],
    &[
        RunningSum::Across { step: 2 },
        RunningSum::Down { shift: 0, step: 2 },
    ],
    &[RIGHT, FALLING, RISING],
    &[RIGHT, FALLING, DOWN],
    &[RIGHT, RISING, DOWN],
    &[FALLING, RISING, DOWN],
    &[RunningSum::Across { step: 2 }, FALLING, RISING],
    &[RIGHT, RIGHT, DOWN, DOWN],
    &[RIGHT, FALLING, RISING, DOWN],
];

/// The runs of a product reach so many cells to a side at most.
pub(super) const SPILL: usize = 4;

/// The chains whose sums together are the neighbourhood's; `bytes` is what a sum takes.
pub(super) fn plan(neighbourhood: &Neighbourhood, bytes: usize) -> Vec<SumChain> {
    let weights = WeightGrid::of(neighbourhood);
    let mut best: Option<(usize, Vec<SumChain>)> = None;
    let mut offer = |chains: Vec<SumChain>| {
        let cost = chains.iter().map(|chain| cost(chain, bytes)).sum();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, chains));
        }
    };
    // A cell that does not count itself is a hole, which is filled here and emptied after.
    let own = weights.at(0, 0);
    let mut centres = vec![own, weights.at(1, 0), weights.at(1, 1)];
    centres.sort_unstable();
    centres.dedup();
    for centre in centres {
        let hole = (centre != own).then(|| SumChain {
            taps: vec![StencilOffset {
                dx: 0,
                dy: 0,
                factor: own - centre,
            }],
            runs: Vec::new(),
            bounds: vec![i64::from(own - centre).abs()],
        });
        let mut filled = weights.clone();
        filled.put(0, 0, centre);
        for runs in PRODUCTS {
            let chain = filled.clone().chain(runs);
            if chain.taps.len() > 8 * weights.side && !runs.is_empty() {
                continue;
            }
            let mut chains = vec![chain];
            chains.extend(hole.clone());
            offer(chains);
        }
    }
    if weights.live() <= 8 * weights.side {
        offer(weights.lines());
    }
    best.expect("no product at all is one of them").1
}

/// What a chain costs, in loads of 64 bytes for 64 cells.
fn cost(chain: &SumChain, bytes: usize) -> usize {
    let runs = chain.runs.iter().map(|run| match run {
        RunningSum::Across { .. } => 5 * bytes,
        RunningSum::Down { .. } => 3 * bytes,
    });
    chain.taps.len() + 2 * bytes + runs.sum::<usize>()
}

/// The weights around a cell.
#[derive(Clone)]
struct WeightGrid {
    /// How far they go to each side.
    reach: i32,
    side: usize,
    all: Vec<i32>,
}

impl WeightGrid {
    fn of(neighbourhood: &Neighbourhood) -> Self {
        let reach = neighbourhood.radius() as i32 + SPILL as i32;
        let side = 2 * reach as usize + 1;
        let mut weights = Self {
            reach,
            side,
            all: vec![0; side * side],
        };
        for cell in neighbourhood.cells() {
            weights.put(cell.dx, cell.dy, cell.weight);
        }
        weights
    }

    fn index(&self, dx: i32, dy: i32) -> usize {
        (dy + self.reach) as usize * self.side + (dx + self.reach) as usize
    }

    fn at(&self, dx: i32, dy: i32) -> i32 {
        self.all[self.index(dx, dy)]
    }

    fn put(&mut self, dx: i32, dy: i32, weight: i32) {
        let i = self.index(dx, dy);
        self.all[i] = weight;
    }

    fn live(&self) -> usize {
        self.all.iter().filter(|w| **w != 0).count()
    }

    /// What a sum has more than the one that it runs on from.
    fn times(&mut self, run: RunningSum) {
        let (dx, dy) = run.way();
        let ahead = (dy * self.side as i32 + dx) as usize;
        // Beyond the last rows and columns nothing has weight: they are a spill wide.
        let from = self.all.clone();
        for (weight, gone) in self.all.iter_mut().zip(&from[ahead..]) {
            *weight -= gone;
        }
    }

    /// The weights as runs over what is left of them.
    fn chain(mut self, runs: &[RunningSum]) -> SumChain {
        let mut bounds = vec![self.bound()];
        for &run in runs.iter().rev() {
            self.times(run);
            bounds.push(self.bound());
        }
        bounds.reverse();
        SumChain {
            taps: self.taps(),
            runs: runs.to_vec(),
            bounds,
        }
    }

    /// How far the weighted sum of cells that are worth 0 or 1 may be from 0.
    fn bound(&self) -> i64 {
        let (mut plus, mut minus) = (0, 0);
        for &weight in &self.all {
            let weight = i64::from(weight);
            plus += weight.max(0);
            minus -= weight.min(0);
        }
        plus.max(minus)
    }

    fn taps(&self) -> Vec<StencilOffset> {
        let mut taps = Vec::new();
        for (dy, row) in (-self.reach..).zip(self.all.chunks_exact(self.side)) {
            for (dx, &factor) in (-self.reach..).zip(row) {
                if factor != 0 {
                    taps.push(StencilOffset { dx, dy, factor });
                }
            }
        }
        taps
    }

    /// Each cell in the longest line of equal weights that goes through it, the lines of
    /// one direction in one chain.
    fn lines(&self) -> Vec<SumChain> {
        /// Cells in a line that is worth a sum.
        const WORTH: usize = 4;
        let ways = [RIGHT, DOWN, FALLING, RISING];
        let mut left = self.clone();
        let mut chains = Vec::new();
        let mut parts = vec![self.emptied(); ways.len()];
        for tap in self.taps() {
            let length = |run: RunningSum| {
                let (x, y) = run.way();
                let alike = |i: i32| {
                    let (dx, dy) = (tap.dx + x * i, tap.dy + y * i);
                    let inside = dx.abs() <= self.reach && dy.abs() <= self.reach;
                    inside && self.at(dx, dy) == tap.factor
                };
                let ahead = (1..).take_while(|&i| alike(i)).count();
                1 + ahead + (1..).take_while(|&i| alike(-i)).count()
            };
            let lengths = ways.map(length);
            let longest = lengths.into_iter().max().unwrap_or(0);
            if longest < WORTH {
                continue;
            }
            let way = lengths.iter().position(|l| *l == longest);
            let way = way.expect("the longest is one of them");
            parts[way].put(tap.dx, tap.dy, tap.factor);
            left.put(tap.dx, tap.dy, 0);
        }
        for (part, run) in parts.into_iter().zip(ways) {
            let chain = part.chain(&[run]);
            if !chain.taps.is_empty() {
                chains.push(chain);
            }
        }
        let single = left.chain(&[]);
        if !single.taps.is_empty() || chains.is_empty() {
            chains.push(single);
        }
        chains
    }

    fn emptied(&self) -> Self {
        Self {
            all: vec![0; self.all.len()],
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights that chains amount to, by running them over one live cell.
    fn undone(chains: &[SumChain], radius: i32) -> Vec<(i32, i32, i64)> {
        let reach = radius + 2 * SPILL as i32;
        let side = 2 * reach + 1;
        let at = |x: i32, y: i32| ((y + reach) * side + x + reach) as usize;
        let mut all = vec![0_i64; (side * side) as usize];
        for chain in chains {
            let mut sums = vec![0_i64; (side * side) as usize];
            for tap in &chain.taps {
                // The cell (0, 0) is seen from where it stands at the tap's offset.
                sums[at(-tap.dx, -tap.dy)] += i64::from(tap.factor);
            }
            for run in &chain.runs {
                let (dx, dy) = run.way();
                for y in -reach..=reach {
                    for x in -reach..=reach {
                        let (from_x, from_y) = (x - dx, y - dy);
                        if from_x.abs() <= reach && from_y >= -reach {
                            sums[at(x, y)] += sums[at(from_x, from_y)];
                        }
                    }
                }
            }
            for (all, sum) in all.iter_mut().zip(sums) {
                *all += sum;
            }
        }
        let mut found = Vec::new();
        for y in -reach..=reach {
            for x in -reach..=reach {
                let weight = all[at(-x, -y)];
                if weight != 0 {
                    found.push((x, y, weight));
                }
            }
        }
        found
    }

    /// Holds a plan against the weights, and says how many looks it takes.
    fn looks(name: &str, radius: u32, weight: impl Fn(i32, i32) -> i32) -> usize {
        let neighbourhood = Neighbourhood::from_weights(radius, weight);
        let chains = plan(&neighbourhood, 2);
        let cells = neighbourhood.cells().iter();
        let mut expected: Vec<_> = cells.map(|c| (c.dx, c.dy, i64::from(c.weight))).collect();
        expected.sort_by_key(|&(dx, dy, _)| (dy, dx));
        assert_eq!(
            undone(&chains, radius as i32),
            expected,
            "{name} of radius {radius}: {chains:?}"
        );
        chains.iter().map(|chain| chain.taps.len()).sum()
    }

    #[test]
    fn looks_do_not_grow_with_the_radius_where_edges_are_straight() {
        type WeightPattern = fn(i32, i32, i32) -> bool;
        let straight: [(&str, WeightPattern); 10] = [
            ("square", |_, _, _| true),
            ("diamond", |r, x, y| x.abs() + y.abs() <= r),
            ("odd", |_, x, y| (x + y) % 2 != 0),
            ("even", |_, x, y| (x + y) % 2 == 0),
            ("cross", |_, x, y| x == 0 || y == 0),
            ("saltire", |_, x, y| x.abs() == y.abs()),
            ("star", |_, x, y| x == 0 || y == 0 || x.abs() == y.abs()),
            ("hash", |_, x, y| x.abs() == 1 || y.abs() == 1),
            ("hexagon", |r, x, y| (x - y).abs() <= r),
            ("asterisk", |_, x, y| x == 0 || y == 0 || x == y),
        ];
        for (name, inside) in straight {
            for centre in [false, true] {
                let looks = [1, 2, 3, 7, 20, 40].map(|radius| {
                    let weight = |x: i32, y: i32| {
                        let counts = if (x, y) == (0, 0) {
                            centre
                        } else {
                            inside(radius as i32, x, y)
                        };
                        i32::from(counts)
                    };
                    looks(name, radius, weight)
                });
                assert!(looks[5] <= 24 && looks[5] == looks[4], "{name}: {looks:?}");
            }
        }
        let pyramid = [20, 40].map(|radius| {
            let i = radius as i32;
            looks("pyramid", radius, |x, y| {
                (i + 1 - x.abs()) * (i + 1 - y.abs())
            })
        });
        assert_eq!(pyramid, [9; 2]);
    }

    #[test]
    fn looks_follow_the_edge_where_it_is_round_or_ragged() {
        for radius in [1, 2, 3, 7, 20] {
            let (r, side) = (radius as i32, 2 * radius as usize + 1);
            let circle = looks("circle", radius, |x, y| {
                i32::from(x * x + y * y <= r * r && (x, y) != (0, 0))
            });
            assert!(circle <= 2 * side + 4 || radius < 20, "{circle} looks");
            let any = looks("any", radius, |x, y| {
                (x * 7919 + y * 104_729).rem_euclid(11) - 5
            });
            assert!(any <= side * side, "{any} looks");
            assert_eq!(looks("nothing", radius, |_, _| 0), 0);
        }
    }
}
