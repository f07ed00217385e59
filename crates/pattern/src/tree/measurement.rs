//! Properties of a tree that take one pass over its nodes. (Own method.)

use super::{Node, Tree};
use crate::Bounds;
use crate::interrupt::Checkpoints;
use grid::{CellHash, HashShift, State};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};
use std::collections::HashMap;

/// Which quarters lie at a side, and which behind them.
struct BoundsSide {
    near: [usize; 2],
    far: [usize; 2],
    /// The least row or column of an 8 x 8 leaf that has a cell, counted from the side.
    leaf8: fn(u64) -> u32,
    /// The same for a 2 x 2 leaf.
    leaf2: fn([State; 4]) -> u32,
}

const LEFT: BoundsSide = BoundsSide {
    near: [0, 2],
    far: [1, 3],
    leaf8: |cells| columns(cells).trailing_zeros(),
    leaf2: |c| u32::from(c[0] == 0 && c[2] == 0),
};
const RIGHT: BoundsSide = BoundsSide {
    near: [1, 3],
    far: [0, 2],
    leaf8: |cells| columns(cells).leading_zeros(),
    leaf2: |c| u32::from(c[1] == 0 && c[3] == 0),
};
const TOP: BoundsSide = BoundsSide {
    near: [0, 1],
    far: [2, 3],
    leaf8: |cells| cells.trailing_zeros() / 8,
    leaf2: |c| u32::from(c[0] == 0 && c[1] == 0),
};
const BOTTOM: BoundsSide = BoundsSide {
    near: [2, 3],
    far: [0, 1],
    leaf8: |cells| cells.leading_zeros() / 8,
    leaf2: |c| u32::from(c[2] == 0 && c[3] == 0),
};

/// Which columns of an 8 x 8 leaf have a cell.
fn columns(cells: u64) -> u8 {
    cells
        .to_le_bytes()
        .into_iter()
        .fold(0, |all, row| all | row)
}

impl Tree {
    pub(crate) fn is_empty(&self) -> bool {
        self.levels()
            .get(self.root as usize)
            .is_none_or(|&level| level == 0)
    }

    /// Every node's level; 0 for those without a live cell.
    pub(crate) fn levels(&self) -> Vec<u32> {
        let mut levels: Vec<u32> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let level = match *node {
                Node::Empty | Node::Leaf8(0) | Node::Leaf2([0, 0, 0, 0]) => 0,
                Node::Leaf8(_) => 3,
                Node::Leaf2(_) => 1,
                Node::Branch(children) => {
                    let below = children.map(|child| levels[child as usize]);
                    let highest = below.into_iter().max().unwrap_or(0);
                    if highest == 0 { 0 } else { highest + 1 }
                }
            };
            levels.push(level);
        }
        levels
    }

    pub(crate) fn live_leaves(&self) -> u128 {
        let mut counts: Vec<u128> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            counts.push(match *node {
                Node::Empty => 0,
                Node::Leaf8(cells) => u128::from(cells != 0),
                Node::Leaf2(cells) => u128::from(cells != [0; 4]),
                Node::Branch(children) => children
                    .into_iter()
                    .fold(0, |sum, child| sum.saturating_add(counts[child as usize])),
            });
        }
        counts.get(self.root as usize).copied().unwrap_or(0)
    }

    pub(crate) fn population(&self) -> BigUint {
        // Nearly all counts fit 128 bits; the few that do not are kept apart.
        let mut counts: Vec<Option<u128>> = Vec::with_capacity(self.nodes.len());
        let mut large: HashMap<u32, BigUint> = HashMap::new();
        let mut checkpoints = Checkpoints::new();
        for node in &self.nodes {
            checkpoints.step();
            let count = match *node {
                Node::Empty => Some(0),
                Node::Leaf8(cells) => Some(cells.count_ones().into()),
                Node::Leaf2(cells) => Some(cells.iter().filter(|&&cell| cell != 0).count() as u128),
                Node::Branch(children) => {
                    let below = children.map(|child| counts[child as usize]);
                    let sum = below
                        .into_iter()
                        .try_fold(0u128, |sum, n| sum.checked_add(n?));
                    if sum.is_none() {
                        let one = |child: u32| match counts[child as usize] {
                            Some(count) => count.into(),
                            None => large[&child].clone(),
                        };
                        let all = children.into_iter().map(one).sum();
                        large.insert(counts.len() as u32, all);
                    }
                    sum
                }
            };
            counts.push(count);
        }
        match counts.get(self.root as usize) {
            None => BigUint::default(),
            Some(Some(count)) => (*count).into(),
            Some(None) => large.remove(&self.root).unwrap_or_default(),
        }
    }

    /// For each state whether a cell is in it; nothing is said of state 0.
    pub(crate) fn states(&self) -> [bool; 256] {
        let mut seen = [false; 256];
        let nodes = self.nodes.iter().zip(self.reached());
        for (node, _) in nodes.filter(|(_, reached)| *reached) {
            match *node {
                Node::Empty | Node::Branch(_) => {}
                Node::Leaf8(cells) => seen[1] |= cells != 0,
                Node::Leaf2(cells) => cells
                    .map(usize::from)
                    .into_iter()
                    .for_each(|s| seen[s] = true),
            }
        }
        seen
    }

    pub(crate) fn max_state(&self) -> State {
        let seen = self.states();
        (1..=State::MAX)
            .rfind(|&state| seen[usize::from(state)])
            .unwrap_or(0)
    }

    pub(crate) fn bounds(&self) -> Option<Bounds> {
        let levels = self.levels();
        let level = *levels.get(self.root as usize)?;
        if level == 0 {
            return None;
        }
        let [left, right, top, bottom] =
            [LEFT, RIGHT, TOP, BOTTOM].map(|side| self.margin(&levels, &side));
        let size = BigUint::one() << level;
        let half = BigInt::one() << (level - 1);
        Some(Bounds {
            x: BigInt::from(left.clone()) - &half,
            y: BigInt::from(top.clone()) - half + 1,
            width: &size - left - right,
            height: size - top - bottom,
        })
    }

    /// How many rows or columns at a side of the root are empty. It must not be empty
    /// itself.
    ///
    /// Follows the outermost nodes level by level, each at most once; only the requested
    /// coordinate is computed, bit by bit.
    fn margin(&self, levels: &[u32], side: &BoundsSide) -> BigUint {
        let mut margin = BigUint::default();
        let mut level = levels[self.root as usize];
        let mut outermost = vec![self.root];
        loop {
            let leaf = outermost
                .iter()
                .filter_map(|&index| match self.node(index) {
                    Node::Leaf8(cells) => Some((side.leaf8)(cells)),
                    Node::Leaf2(cells) => Some((side.leaf2)(cells)),
                    Node::Empty | Node::Branch(_) => None,
                });
            if let Some(within) = leaf.min() {
                return margin + within;
            }
            level -= 1;
            let children = |which: [usize; 2]| -> Vec<u32> {
                let of = |&index: &u32| which.map(|quarter| self.quarters(index)[quarter]);
                let mut found: Vec<u32> = outermost.iter().flat_map(of).collect();
                found.retain(|&child| levels[child as usize] > 0);
                found.sort_unstable();
                found.dedup();
                found
            };
            let near = children(side.near);
            outermost = if near.is_empty() {
                margin.set_bit(level.into(), true);
                children(side.far)
            } else {
                near
            };
            if outermost.is_empty() {
                return margin; // only a tree whose levels do not fit comes here
            }
        }
    }

    pub(crate) fn hash(&self) -> CellHash {
        let levels = self.levels();
        let Some(&level) = levels.get(self.root as usize) else {
            return CellHash::EMPTY;
        };
        if level == 0 {
            return CellHash::EMPTY;
        }
        let moves = moves(level);
        let one_down = moves[0][1];
        let bytes: Vec<CellHash> = (0..=255).map(CellHash::word).collect();
        let reached = self.reached();
        let mut hashes: Vec<CellHash> = Vec::with_capacity(self.nodes.len());
        let mut checkpoints = Checkpoints::new();
        for (index, node) in self.nodes.iter().enumerate() {
            checkpoints.step();
            let hash = match *node {
                _ if !reached[index] || levels[index] == 0 => CellHash::EMPTY,
                Node::Empty => CellHash::EMPTY,
                Node::Leaf8(cells) => {
                    let rows = cells.to_le_bytes().into_iter().rev();
                    rows.fold(CellHash::EMPTY, |below, row| {
                        below.moved(one_down) + bytes[usize::from(row)]
                    })
                }
                Node::Leaf2([nw, ne, sw, se]) => {
                    let cell = CellHash::cell;
                    cell(0, 0, nw) + cell(1, 0, ne) + cell(0, 1, sw) + cell(1, 1, se)
                }
                Node::Branch(children) => {
                    let [right, down] = moves[levels[index] as usize - 1];
                    let [nw, ne, sw, se] = children.map(|child| hashes[child as usize]);
                    nw + ne.moved(right) + (sw + se.moved(right)).moved(down)
                }
            };
            hashes.push(hash);
        }
        let back = |margin: BigUint| {
            let margin = (margin % CellHash::ORDER).to_u64().unwrap_or(0);
            if margin == 0 {
                0
            } else {
                CellHash::ORDER - margin
            }
        };
        hashes[self.root as usize].shifted_modular(
            back(self.margin(&levels, &LEFT)),
            back(self.margin(&levels, &TOP)),
        )
    }
}

/// Moves by 2^k columns, and by 2^k rows, for k up to `level`.
fn moves(level: u32) -> Vec<[HashShift; 2]> {
    let double = |width: &u64| Some(width * 2 % CellHash::ORDER);
    std::iter::successors(Some(1), double)
        .take(level as usize + 1)
        .map(|width| [HashShift::modular(width, 0), HashShift::modular(0, width)])
        .collect()
}
