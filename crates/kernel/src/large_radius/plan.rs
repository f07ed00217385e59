//! Plans: a weighted neighbourhood as few stencil offsets and some running sums.
//!
//! Where a sum differs from that of the cell before by few cells, it is kept and updated.
//! In terms of polynomials: the weights times 1 - x, x to the right, are the difference of a
//! sum and the one to its left, and times 1 - y of it and the one above; a square times both
//! leaves its four corners, and diamonds do likewise with the diagonals. Which products
//! pay is found by trying them.
//!
//! For a square this is the box filter of M. J. McDonnell, "Box-filtering techniques" (1981); plans
//! for any neighbourhood are our own method.
//!
//! ```text
//! a square   . . . . .     times 1 - x   . . . . . .    times 1 - y   - . . + . .
//!            . 1 1 1 .                   - . . + . .                  . . . . . .
//!            . 1 1 1 .                   - . . + . .                  . . . . . .
//!            . 1 1 1 .                   - . . + . .                  + . . - . .
//! ```

use rule::Neighbourhood;

/// The offset of a cell from the one whose sum it enters, and its factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StencilOffset {
    pub(super) dx: i32,
    pub(super) dy: i32,
    pub(super) factor: i32,
}

/// A running sum: each cell's sum includes that of an earlier cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunningSum {
    /// From the cell `step` to the left, 1 or 2.
    Across { step: usize },
    /// From the cell `step` rows above, 1 or 2, and `shift` columns to the left, -1 to 1.
    Down { shift: i32, step: usize },
}

impl RunningSum {
    /// The offset from the earlier cell to the later one.
    fn direction(self) -> (i32, i32) {
        match self {
            Self::Across { step } => (step as i32, 0),
            Self::Down { shift, step } => (shift, step as i32),
        }
    }
}

/// A weighted sum of offsets, and running sums that are applied to it one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SumChain {
    pub(super) offsets: Vec<StencilOffset>,
    pub(super) runs: Vec<RunningSum>,
    /// Bounds of the absolute values of the sums for cells of value 1: of the weighted sum, then
    /// of each running sum.
    pub(super) bounds: Vec<i64>,
}

const RIGHT: RunningSum = RunningSum::Across { step: 1 };
const DOWN: RunningSum = RunningSum::Down { shift: 0, step: 1 };
const FALLING: RunningSum = RunningSum::Down { shift: 1, step: 1 };
const RISING: RunningSum = RunningSum::Down { shift: -1, step: 1 };

/// The products that are tried on a whole neighbourhood. Running sums along a row come first:
/// their sums are the smallest then.
const RUN_PRODUCTS: [&[RunningSum]; 19] = [
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

/// The running sums of a product extend the weights by at most this many cells to a side.
pub(super) const SPILL: usize = 4;

/// The cheapest chains that add up to the neighbourhood's sum; `bytes` is the size of a sum.
pub(super) fn plan(neighbourhood: &Neighbourhood, bytes: usize) -> Vec<SumChain> {
    let weights = WeightGrid::of(neighbourhood);
    let mut best: Option<(usize, Vec<SumChain>)> = None;
    let mut offer = |chains: Vec<SumChain>| {
        let cost = chains.iter().map(|chain| cost(chain, bytes)).sum();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, chains));
        }
    };
    // A neighbourhood without its centre has a hole, which is filled here and subtracted after.
    let own = weights.at(0, 0);
    let mut centres = vec![own, weights.at(1, 0), weights.at(1, 1)];
    centres.sort_unstable();
    centres.dedup();
    for centre in centres {
        let hole = (centre != own).then(|| SumChain {
            offsets: vec![StencilOffset {
                dx: 0,
                dy: 0,
                factor: own - centre,
            }],
            runs: Vec::new(),
            bounds: vec![i64::from(own - centre).abs()],
        });
        let mut filled = weights.clone();
        filled.put(0, 0, centre);
        for runs in RUN_PRODUCTS {
            let chain = filled.clone().chain(runs);
            if chain.offsets.len() > 8 * weights.side && !runs.is_empty() {
                continue;
            }
            let mut chains = vec![chain];
            chains.extend(hole.clone());
            offer(chains);
        }
    }
    if weights.nonzero_count() <= 8 * weights.side {
        offer(weights.line_chains());
    }
    best.expect("no product at all is one of them").1
}

/// What the sum of a cell has more than that of the cell above, and less: the outline of a
/// neighbourhood without weights.
pub(super) fn outline(neighbourhood: &Neighbourhood) -> Vec<StencilOffset> {
    WeightGrid::of(neighbourhood).chain(&[DOWN]).offsets
}

/// The cost of a chain, in loads of 64 bytes for 64 cells.
pub(super) fn cost(chain: &SumChain, bytes: usize) -> usize {
    let runs = chain.runs.iter().map(|run| match run {
        RunningSum::Across { .. } => 5 * bytes,
        RunningSum::Down { .. } => 3 * bytes,
    });
    chain.offsets.len() + 2 * bytes + runs.sum::<usize>()
}

/// The weights around a cell.
#[derive(Clone)]
struct WeightGrid {
    /// The extent to each side.
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

    fn nonzero_count(&self) -> usize {
        self.all.iter().filter(|w| **w != 0).count()
    }

    /// Replaces the weights by the difference to those of the cell that the sum runs on from.
    fn take_difference(&mut self, run: RunningSum) {
        let (dx, dy) = run.direction();
        let ahead = (dy * self.side as i32 + dx) as usize;
        // The outermost rows and columns, `SPILL` wide, have no weight.
        let from = self.all.clone();
        for (weight, earlier) in self.all.iter_mut().zip(&from[ahead..]) {
            *weight -= earlier;
        }
    }

    /// The weights as running sums over their differences.
    fn chain(mut self, runs: &[RunningSum]) -> SumChain {
        let mut bounds = vec![self.bound()];
        for &run in runs.iter().rev() {
            self.take_difference(run);
            bounds.push(self.bound());
        }
        bounds.reverse();
        SumChain {
            offsets: self.offsets(),
            runs: runs.to_vec(),
            bounds,
        }
    }

    /// A bound of the absolute value of the weighted sum of cells of value 0 or 1.
    fn bound(&self) -> i64 {
        let (mut plus, mut minus) = (0, 0);
        for &weight in &self.all {
            let weight = i64::from(weight);
            plus += weight.max(0);
            minus -= weight.min(0);
        }
        plus.max(minus)
    }

    fn offsets(&self) -> Vec<StencilOffset> {
        let mut offsets = Vec::new();
        for (dy, row) in (-self.reach..).zip(self.all.chunks_exact(self.side)) {
            for (dx, &factor) in (-self.reach..).zip(row) {
                if factor != 0 {
                    offsets.push(StencilOffset { dx, dy, factor });
                }
            }
        }
        offsets
    }

    /// Assigns each cell to the longest line of equal weights through it; the lines of one
    /// direction make one chain.
    fn line_chains(&self) -> Vec<SumChain> {
        /// The least length of a line for which a running sum pays.
        const MIN_LENGTH: usize = 4;
        let directions = [RIGHT, DOWN, FALLING, RISING];
        let mut left = self.clone();
        let mut chains = Vec::new();
        let mut by_direction = vec![self.zeroed(); directions.len()];
        for offset in self.offsets() {
            let length = |run: RunningSum| {
                let (x, y) = run.direction();
                let is_equal = |i: i32| {
                    let (dx, dy) = (offset.dx + x * i, offset.dy + y * i);
                    let inside = dx.abs() <= self.reach && dy.abs() <= self.reach;
                    inside && self.at(dx, dy) == offset.factor
                };
                let ahead = (1..).take_while(|&i| is_equal(i)).count();
                1 + ahead + (1..).take_while(|&i| is_equal(-i)).count()
            };
            let lengths = directions.map(length);
            let longest = lengths.into_iter().max().unwrap_or(0);
            if longest < MIN_LENGTH {
                continue;
            }
            let direction = lengths.iter().position(|l| *l == longest);
            let direction = direction.expect("the longest is one of them");
            by_direction[direction].put(offset.dx, offset.dy, offset.factor);
            left.put(offset.dx, offset.dy, 0);
        }
        for (part, run) in by_direction.into_iter().zip(directions) {
            let chain = part.chain(&[run]);
            if !chain.offsets.is_empty() {
                chains.push(chain);
            }
        }
        let single = left.chain(&[]);
        if !single.offsets.is_empty() || chains.is_empty() {
            chains.push(single);
        }
        chains
    }

    fn zeroed(&self) -> Self {
        Self {
            all: vec![0; self.all.len()],
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The weights that chains amount to, by applying them to one live cell.
    fn expand(chains: &[SumChain], radius: i32) -> Vec<(i32, i32, i64)> {
        let reach = radius + 2 * SPILL as i32;
        let side = 2 * reach + 1;
        let at = |x: i32, y: i32| ((y + reach) * side + x + reach) as usize;
        let mut all = vec![0_i64; (side * side) as usize];
        for chain in chains {
            let mut sums = vec![0_i64; (side * side) as usize];
            for offset in &chain.offsets {
                // The cell (0, 0) enters the sum of the cell at the negated offset.
                sums[at(-offset.dx, -offset.dy)] += i64::from(offset.factor);
            }
            for run in &chain.runs {
                let (dx, dy) = run.direction();
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

    /// Tests a plan against the weights, and returns the number of its offsets.
    fn offset_count(name: &str, radius: u32, weight: impl Fn(i32, i32) -> i32) -> usize {
        let neighbourhood = Neighbourhood::from_weights(radius, weight);
        let chains = plan(&neighbourhood, 2);
        let cells = neighbourhood.cells().iter();
        let mut expected: Vec<_> = cells.map(|c| (c.dx, c.dy, i64::from(c.weight))).collect();
        expected.sort_by_key(|&(dx, dy, _)| (dy, dx));
        assert_eq!(
            expand(&chains, radius as i32),
            expected,
            "{name} of radius {radius}: {chains:?}"
        );
        chains.iter().map(|chain| chain.offsets.len()).sum()
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
                let offset_count = [1, 2, 3, 7, 20, 40].map(|radius| {
                    let weight = |x: i32, y: i32| {
                        let counts = if (x, y) == (0, 0) {
                            centre
                        } else {
                            inside(radius as i32, x, y)
                        };
                        i32::from(counts)
                    };
                    offset_count(name, radius, weight)
                });
                assert!(
                    offset_count[5] <= 24 && offset_count[5] == offset_count[4],
                    "{name}: {offset_count:?}"
                );
            }
        }
        let pyramid = [20, 40].map(|radius| {
            let i = radius as i32;
            offset_count("pyramid", radius, |x, y| {
                (i + 1 - x.abs()) * (i + 1 - y.abs())
            })
        });
        assert_eq!(pyramid, [9; 2]);
    }

    #[test]
    fn looks_follow_the_edge_where_it_is_round_or_ragged() {
        for radius in [1, 2, 3, 7, 20] {
            let (r, side) = (radius as i32, 2 * radius as usize + 1);
            let circle = offset_count("circle", radius, |x, y| {
                i32::from(x * x + y * y <= r * r && (x, y) != (0, 0))
            });
            assert!(circle <= 2 * side + 4 || radius < 20, "{circle} looks");
            let any = offset_count("any", radius, |x, y| {
                (x * 7919 + y * 104_729).rem_euclid(11) - 5
            });
            assert!(any <= side * side, "{any} looks");
            assert_eq!(offset_count("nothing", radius, |_, _| 0), 0);
        }
    }
}
