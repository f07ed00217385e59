//! The population at each of many generations that are equally far apart, by HashLife's memo: R. W.
//! Gosper, "Exploiting regularities in large cellular spaces" (1984). A node of 2^k x 2^k cells
//! remembers what its middle is after 2^(k-2) generations, and how many cells live there at each of
//! the generations on the way. Those of the first half are the sums of four nodes within it, those
//! of the second half the sums of the four that its middle is made of. So what repeats in space or
//! in time is counted once: of a replicator, most of it. Own method.

use crate::settle::step::nine_cell_table;
use kernel::hasher::MixMap;
use rule::Rule;

/// Leaves are 8 x 8 cells.
const LEAF_LEVEL: usize = 3;

/// Nodes of this level are stepped cell by cell where every generation is counted.
const STEPPED_LEVEL: usize = 5;

/// The largest node, with the cells around its centre.
const WORLD_LEVEL: usize = 23;

/// The most generations as a power of two.
pub(super) const LONGEST_LOG: usize = WORLD_LEVEL - 3;

/// More nodes, or more populations in all, say that little repeats.
const MOST_NODES: usize = 1 << 19;
const MOST_POPULATIONS: usize = 1 << 22;

const NONE: u32 = u32::MAX;

/// A square of cells, once for all places and times that it is found at.
#[derive(Clone, Copy, Debug)]
struct MemoNode {
    level: usize,
    population: u64,
    /// The quarters: north-west, north-east, south-west, south-east.
    parts: [u32; 4],
    /// Of a leaf, its rows of 8 cells, the first in the lowest bits.
    cells: u64,
    /// The middle, later.
    result: u32,
    /// Where the populations of the middle are.
    series: u32,
}

/// Cells whose populations are asked for, and all that is known of squares of them.
pub(super) struct PopulationMemo {
    /// Of 4 x 4 cells, the 2 x 2 in the middle after a generation.
    blocks: Vec<u8>,
    nodes: Vec<MemoNode>,
    leaves: MixMap<u64, u32>,
    index: MixMap<(u64, u64), u32>,
    /// The node without live cells of each level from that of leaves on.
    empty: Vec<u32>,
    /// Generations between two populations, as a power of two.
    spacing_log: usize,
    /// Populations of middles at those generations.
    series: Vec<Vec<u64>>,
    /// How many populations are in them.
    known: usize,
}

impl PopulationMemo {
    /// For a rule of two states that looks no further than one cell and leaves empty cells empty.
    pub(super) fn new(rule: &Rule) -> Self {
        let table = nine_cell_table(rule, 0);
        let block = |cells: usize| {
            let three = |x: usize, y: usize| cells >> (4 * y + x) & 7;
            let next = |x: usize, y: usize| {
                table[three(x, y) | three(x, y + 1) << 3 | three(x, y + 2) << 6]
            };
            next(0, 0) | next(1, 0) << 1 | next(0, 1) << 2 | next(1, 1) << 3
        };
        let mut memo = Self {
            blocks: (0..1 << 16).map(block).collect(),
            nodes: Vec::new(),
            leaves: MixMap::default(),
            index: MixMap::default(),
            empty: Vec::new(),
            spacing_log: 0,
            series: Vec::new(),
            known: 0,
        };
        let mut empty = memo.leaf(0);
        memo.empty.push(empty);
        for _ in LEAF_LEVEL..WORLD_LEVEL {
            empty = memo.node([empty; 4]);
            memo.empty.push(empty);
        }
        memo
    }

    /// The populations of cells in the first 2^`end_log` generations, which are 2^[`LONGEST_LOG`] at
    /// most, from the first on: of each, or of those that 2^`spacing_log` divides, which is at least 3.
    /// None when too little repeats, when a cell is as far from the origin as there are generations, or
    /// when `keep_going` returns false.
    pub(super) fn populations(
        &mut self,
        cells: &[(i32, i32)],
        spacing_log: usize,
        end_log: usize,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<u64>> {
        // so the middle of the world has room for all that they become
        let is_near = |&(x, y): &(i32, i32)| x.abs() < 1 << end_log && y.abs() < 1 << end_log;
        if !cells.iter().all(is_near) {
            return None;
        }
        self.series.clear();
        self.known = 0;
        self.nodes.iter_mut().for_each(|node| node.series = NONE);
        self.spacing_log = spacing_log;
        let world = self.world(cells, end_log + 3);
        let mut populations = vec![0; 1 + (1 << (end_log - spacing_log))];
        populations[0] = cells.len() as u64;
        for part in self.inner(world) {
            self.solve_series(part, keep_going)?;
            self.add_series(part, &mut populations[1..]);
        }
        Some(populations)
    }

    /// The node of a level with the cells around its centre.
    fn world(&mut self, cells: &[(i32, i32)], world_level: usize) -> u32 {
        let half = 1 << (world_level - 1);
        let mut squares: MixMap<(u64, u64), u64> = MixMap::default();
        for &(x, y) in cells {
            let (x, y) = ((x + half) as u64, (y + half) as u64);
            *squares
                .entry((x >> LEAF_LEVEL, y >> LEAF_LEVEL))
                .or_default() |= 1 << (8 * (y % 8) + x % 8);
        }
        let mut nodes: MixMap<(u64, u64), u32> = MixMap::default();
        for (place, cells) in squares {
            nodes.insert(place, self.leaf(cells));
        }
        for level in LEAF_LEVEL..world_level {
            let mut parts: MixMap<(u64, u64), [u32; 4]> = MixMap::default();
            let empty = self.empty[level - LEAF_LEVEL];
            for ((x, y), node) in nodes {
                let part = (x % 2 + 2 * (y % 2)) as usize;
                parts.entry((x / 2, y / 2)).or_insert([empty; 4])[part] = node;
            }
            nodes = MixMap::default();
            for (place, parts) in parts {
                nodes.insert(place, self.node(parts));
            }
        }
        let empty = self.empty[world_level - LEAF_LEVEL];
        nodes.into_values().next().unwrap_or(empty)
    }

    fn leaf(&mut self, cells: u64) -> u32 {
        let new = self.nodes.len() as u32;
        let found = *self.leaves.entry(cells).or_insert(new);
        if found == new {
            self.nodes.push(MemoNode {
                level: LEAF_LEVEL,
                population: cells.count_ones().into(),
                parts: [NONE; 4],
                cells,
                result: NONE,
                series: NONE,
            });
        }
        found
    }

    fn node(&mut self, parts: [u32; 4]) -> u32 {
        let two = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
        let key = (two(parts[0], parts[1]), two(parts[2], parts[3]));
        let new = self.nodes.len() as u32;
        let found = *self.index.entry(key).or_insert(new);
        if found == new {
            let part = |part: u32| &self.nodes[part as usize];
            self.nodes.push(MemoNode {
                level: part(parts[0]).level + 1,
                population: parts.map(|at| part(at).population).iter().sum(),
                parts,
                cells: 0,
                result: NONE,
                series: NONE,
            });
        }
        found
    }

    fn parts(&self, node: u32) -> [u32; 4] {
        self.nodes[node as usize].parts
    }

    /// The 4 x 4 quarters of quarters, row by row.
    fn sixteen(&self, node: u32) -> [[u32; 4]; 4] {
        let quarters = self.parts(node).map(|part| self.parts(part));
        std::array::from_fn(|y| {
            std::array::from_fn(|x| quarters[2 * (y / 2) + x / 2][2 * (y % 2) + x % 2])
        })
    }

    /// The four nodes, half as wide, that cover the middle while the first half of the time passes.
    fn inner(&mut self, node: u32) -> [u32; 4] {
        let sixteen = self
            .sixteen(node)
            .map(|row| row.map(|part| self.parts(part)));
        let at = |x: usize, y: usize| sixteen[y / 2][x / 2][2 * (y % 2) + x % 2];
        let mut quarter = |x: usize, y: usize| {
            let parts = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            self.node(parts)
        };
        let half = [(1, 1), (3, 1), (1, 3), (3, 3)]
            .map(|(x, y)| [(0, 0), (2, 0), (0, 2), (2, 2)].map(|(dx, dy)| quarter(x + dx, y + dy)));
        half.map(|parts| self.node(parts))
    }

    /// The same when the first half of the time has passed.
    fn middle(&mut self, node: u32) -> Option<[u32; 4]> {
        let parts = self.sixteen(node);
        let mut results = [[NONE; 3]; 3];
        for (y, row) in results.iter_mut().enumerate() {
            for (x, result) in row.iter_mut().enumerate() {
                let (upper, lower) = (parts[y], parts[y + 1]);
                let square = self.node([upper[x], upper[x + 1], lower[x], lower[x + 1]]);
                *result = self.result(square)?;
            }
        }
        Some([(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| {
            let (upper, lower) = (results[y], results[y + 1]);
            self.node([upper[x], upper[x + 1], lower[x], lower[x + 1]])
        }))
    }

    /// The middle after all of the time; None when there are too many nodes.
    fn result(&mut self, node: u32) -> Option<u32> {
        let MemoNode {
            level,
            population,
            result,
            ..
        } = self.nodes[node as usize];
        if population == 0 {
            return Some(self.empty[level - 1 - LEAF_LEVEL]);
        }
        if result != NONE {
            return Some(result);
        }
        if self.nodes.len() > MOST_NODES {
            return None;
        }
        let result = if level == LEAF_LEVEL + 1 {
            let cells = self.parts(node).map(|part| self.nodes[part as usize].cells);
            let next = self.next_leaf(cells);
            self.leaf(next)
        } else {
            let middle = self.middle(node)?;
            let mut results = [NONE; 4];
            for (result, part) in results.iter_mut().zip(middle) {
                *result = self.result(part)?;
            }
            self.node(results)
        };
        self.nodes[node as usize].result = result;
        Some(result)
    }

    /// The middle of four leaves after four generations.
    fn next_leaf(&self, leaves: [u64; 4]) -> u64 {
        let mut rows = [0; 32];
        put_leaves(&mut rows, 0, 0, leaves);
        self.run(&mut rows, 16, &mut |_| {});
        let middle = rows[4..12].iter().rev();
        middle.fold(0, |cells, row| cells << 8 | (row >> 4 & 0xff))
    }

    /// The populations of the middle of 32 x 32 cells, in eight generations.
    fn stepped_populations(&self, node: u32) -> Vec<u64> {
        let mut rows = [0; 32];
        for (quarter, part) in self.parts(node).into_iter().enumerate() {
            let leaves = self.parts(part).map(|leaf| self.nodes[leaf as usize].cells);
            put_leaves(&mut rows, 16 * (quarter % 2), 16 * (quarter / 2), leaves);
        }
        let mut populations = Vec::new();
        self.run(&mut rows, 32, &mut |rows| {
            let middle = rows[8..24].iter();
            let count = middle.map(|row| (row >> 8 & 0xffff).count_ones());
            populations.push(count.sum::<u32>().into());
        });
        populations
    }

    /// Steps a square, as far as its middle is known. Of the rows and columns, one less on each side
    /// is known each time.
    fn run(&self, rows: &mut [u64; 32], size: usize, each: &mut dyn FnMut(&[u64; 32])) {
        for first in 1..=size / 4 {
            let mut next = [0; 32];
            for y in (first..size - first).step_by(2) {
                let four = [rows[y - 1], rows[y], rows[y + 1], rows[y + 2]];
                let mut two = [0; 2];
                if four != [0; 4] {
                    for x in (first..size - first).step_by(2) {
                        let part = four.map(|row| row >> (x - 1) & 15);
                        let block = part[0] | part[1] << 4 | part[2] << 8 | part[3] << 12;
                        let now = u64::from(self.blocks[block as usize]);
                        two[0] |= (now & 3) << x;
                        two[1] |= (now >> 2) << x;
                    }
                }
                [next[y], next[y + 1]] = two;
            }
            *rows = next;
            each(rows);
        }
    }

    /// Finds the populations of a node's middle.
    fn solve_series(&mut self, node: u32, keep_going: &mut dyn FnMut() -> bool) -> Option<()> {
        let MemoNode {
            level,
            population,
            series,
            ..
        } = self.nodes[node as usize];
        if population == 0 || series != NONE {
            return Some(());
        }
        let mut populations = vec![0; 1 << (level - 2 - self.spacing_log)];
        self.known += populations.len();
        if self.known > MOST_POPULATIONS || !keep_going() {
            return None;
        }
        if level == STEPPED_LEVEL && self.spacing_log == 0 {
            populations = self.stepped_populations(node);
        } else if populations.len() == 1 {
            let result = self.result(node)?;
            populations[0] = self.nodes[result as usize].population;
        } else {
            let (early, late) = populations.split_at_mut(1 << (level - 3 - self.spacing_log));
            for part in self.inner(node) {
                self.solve_series(part, keep_going)?;
                self.add_series(part, early);
            }
            for part in self.middle(node)? {
                self.solve_series(part, keep_going)?;
                self.add_series(part, late);
            }
        }
        self.nodes[node as usize].series = self.series.len() as u32;
        self.series.push(populations);
        Some(())
    }

    /// Adds the populations of a node's middle, which have been found.
    fn add_series(&self, node: u32, sums: &mut [u64]) {
        let node = &self.nodes[node as usize];
        if node.population > 0 {
            let series = &self.series[node.series as usize];
            for (sum, population) in sums.iter_mut().zip(series) {
                *sum += population;
            }
        }
    }
}

/// Puts four leaves into rows of cells.
fn put_leaves(rows: &mut [u64; 32], left: usize, top: usize, leaves: [u64; 4]) {
    for (part, leaf) in leaves.into_iter().enumerate() {
        let (left, top) = (left + 8 * (part % 2), top + 8 * (part / 2));
        for (y, row) in rows[top..top + 8].iter_mut().enumerate() {
            *row |= (leaf >> (8 * y) & 0xff) << left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::{NaiveWorld, World, open_hashlife};
    use pattern::Pattern;

    fn points_of(pattern: &Pattern) -> Vec<(i32, i32)> {
        let mut points = Vec::new();
        pattern.cells.for_each_run(&mut |run| {
            points.extend((run.x..run.x + run.length as i64).map(|x| (x as i32, run.y as i32)));
        });
        points
    }

    #[test]
    fn populations_are_those_of_other_engines() {
        for (rule, text) in [
            ("B36/S23", "3o$o2bo$o3bo$bo2bo$2b3o!"),
            ("B3/S23", "b2o$2o$bo!"),
            ("B2n3/S23-q", "bobo2$2o$b4o!"),
            ("B3/S12H", "3o$bo!"),
            ("B1357/S1357", "obo$2o$bo!"),
        ] {
            let pattern = Pattern::from_text(text).unwrap();
            let rule: Rule = rule.parse().unwrap();
            let points = points_of(&pattern);
            let mut memo = PopulationMemo::new(&rule);
            let each = memo.populations(&points, 0, 7, &mut || true).unwrap();
            let mut world = NaiveWorld::new(rule.clone());
            world.load(&pattern.cells).unwrap();
            for (at, population) in each.iter().enumerate() {
                assert_eq!(world.population(), (*population).into(), "{rule} {at}");
                world.advance(&1_u8.into(), &mut |_| true).unwrap();
            }
            let spaced = memo.populations(&points, 6, 9, &mut || true).unwrap();
            let mut world = open_hashlife(rule.clone(), 1 << 28).unwrap();
            for &(x, y) in &points {
                world.set(grid::Point::new(x.into(), y.into()), 1).unwrap();
            }
            for (at, population) in spaced.iter().enumerate() {
                assert_eq!(world.population(), (*population).into(), "{rule} {at}");
                world.advance(&64_u8.into(), &mut |_| true).unwrap();
            }
            assert_eq!((each.len(), spaced.len()), (129, 9));
        }
    }

    #[test]
    fn too_much_is_given_up() {
        let mut memo = PopulationMemo::new(&"B36/S23".parse().unwrap());
        let blinker = [(0, 0), (1, 0), (2, 0)];
        assert_eq!(memo.populations(&[(512, 0)], 6, 9, &mut || true), None);
        assert_eq!(memo.populations(&blinker, 6, 9, &mut || false), None);
        let none = memo.populations(&[], 6, 9, &mut || false);
        assert_eq!(none, Some(vec![0; 9]));
        let one = memo.populations(&blinker, 6, LONGEST_LOG, &mut || true);
        assert_eq!(one, Some(vec![3; 1 + (1 << (LONGEST_LOG - 6))]));
    }
}
