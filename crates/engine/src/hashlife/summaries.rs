//! Summaries of nodes that are computed from those of their children: population, hash, bounds
//! and density.
//!
//! Each node is summarised once, however often it occurs. The hash of a node by those of its
//! children is our own method (see `grid::CellHash`).

use super::SOUTH_HALF_Y;
use super::post_order::{MAX_RECURSIVE_LEVEL, PostOrder};
use super::store::{LEAF, NodeStore};
use crate::View;
use grid::{CellHash, HashShift};
use kernel::hasher::MixMap;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive};
use pattern::Bounds;

/// Memoised populations and hashes of nodes, so that a world that has changed a little is
/// summarised quickly. Populations outlive a collection with their nodes, hashes do not.
///
/// Populations stand in arrays by the ids of their nodes: a map of them took three times as
/// long, a quarter of the time in which a page steps and shows the `caterpillar`.
#[derive(Default)]
pub(super) struct NodeSummaries {
    /// [`NodeStore::collections`] when they were computed.
    collections: u64,
    /// By id, in parts of [`PART`]: [`UNKNOWN`], or the population of a node up to
    /// [`MAX_COUNTED_LEVEL`], or from [`WIDE`] on its place in `wide`.
    populations: Vec<Vec<u32>>,
    /// Populations of [`WIDE`] and more.
    wide: Vec<u128>,
    /// How often there were more nodes than before.
    growths: u32,
    /// Populations of nodes above [`MAX_COUNTED_LEVEL`].
    huge: MixMap<u32, BigUint>,
    /// Hashes relative to the node's top-left cell.
    hashes: MixMap<u32, CellHash>,
}

/// The highest level whose nodes have fewer cells than 128 bits can count.
const MAX_COUNTED_LEVEL: u32 = 63;

/// Nodes whose populations stand together. What grows by parts is never copied, and of a part the
/// system lends no memory before it is written to.
const PART: usize = 1 << PART_BITS;
const PART_BITS: u32 = 14;

/// No population, as only the empty node has none.
const UNKNOWN: u32 = 0;
/// The least population that has a place of its own: a breeder that runs for long has as many of them
/// as it has nodes.
const WIDE: u32 = 1 << 31;

/// Places that are made at once.
const MIN_WIDE: usize = 64;

/// Bytes of a number of more than 128 bits, with what is around it.
const BYTES_A_NUMBER: usize = 48;

impl NodeSummaries {
    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        // Of a hash map's slots an eighth is free, and each has a control byte.
        let hashes = self.hashes.capacity() * (size_of::<(u32, CellHash)>() + 1) * 8 / 7;
        let huge = self.huge.capacity() * (size_of::<(u32, BigUint)>() + 1) * 8 / 7;
        let huge = huge + self.huge.len() * BYTES_A_NUMBER;
        (self.population_bytes() + huge + hashes) as u64
    }

    fn population_bytes(&self) -> usize {
        self.populations.len() * PART * size_of::<u32>() + self.wide.capacity() * size_of::<u128>()
    }

    /// Bytes that they are going to take for an id: of a world that is looked at again and again
    /// while it grows. What is asked once, at the end, takes memory when nothing else does.
    pub(super) fn bytes_an_id(&self) -> u64 {
        match self.growths > 2 {
            true => self
                .population_bytes()
                .div_ceil(self.populations.len() * PART) as u64,
            false => 0,
        }
    }

    /// The population of a node 2^level cells wide.
    pub(super) fn population(&mut self, store: &NodeStore, node: u32, level: u32) -> BigUint {
        self.refresh(store);
        self.population_of(store, node, level)
    }

    fn population_of(&mut self, store: &NodeStore, node: u32, level: u32) -> BigUint {
        if level <= MAX_COUNTED_LEVEL || node == 0 {
            return self.count(store, node).into();
        }
        let mut order = PostOrder::new((node, level));
        while let Some(((node, level), is_ready)) = order.next() {
            if self.huge.contains_key(&node) {
                continue;
            }
            let mut all = BigUint::ZERO;
            for quadrant in store.children(node) {
                if level - 1 <= MAX_COUNTED_LEVEL || quadrant == 0 {
                    if is_ready {
                        all += self.count(store, quadrant);
                    }
                } else if !is_ready {
                    order.add_child((quadrant, level - 1));
                } else if let Some(part) = self.huge.get(&quadrant) {
                    all += part;
                }
            }
            if is_ready {
                self.huge.insert(node, all);
            }
        }
        self.huge.get(&node).cloned().unwrap_or_default()
    }

    /// The population of a node of at most [`MAX_COUNTED_LEVEL`].
    fn count(&mut self, store: &NodeStore, node: u32) -> u128 {
        if node == 0 {
            return 0;
        }
        if node & LEAF != 0 {
            return store.leaf_kind.population(&store.leaf(node)).into();
        }
        let (part, place) = ((node >> PART_BITS) as usize, node as usize % PART);
        match self.populations[part][place] {
            UNKNOWN => {}
            wide if wide >= WIDE => return self.wide[(wide - WIDE) as usize],
            known => return known.into(),
        }
        let quadrants = store.children(node);
        for &quadrant in &quadrants {
            if quadrant & LEAF != 0 {
                store.leaves.prefetch_leaf(quadrant);
            } else {
                let (part, place) = ((quadrant >> PART_BITS) as usize, quadrant as usize % PART);
                if self.populations[part][place] == UNKNOWN {
                    store.nodes.prefetch(quadrant);
                }
            }
        }
        let counts = quadrants.map(|quadrant| self.count(store, quadrant));
        let count = counts.iter().sum::<u128>();
        self.populations[part][place] = match u32::try_from(count) {
            Ok(count) if count < WIDE => count,
            _ => self.put_wide(count),
        };
        count
    }

    /// The entry of a population of [`WIDE`] or more.
    fn put_wide(&mut self, population: u128) -> u32 {
        let place = self.wide.len();
        if place == self.wide.capacity() {
            self.wide.reserve_exact(place / 8 + MIN_WIDE);
        }
        self.wide.push(population);
        WIDE + place as u32
    }

    /// The bounding box of a world whose root is 2^level cells wide.
    pub(super) fn bounds(store: &NodeStore, root: u32, level: u32) -> Option<Bounds> {
        if root == 0 {
            return None;
        }
        let [left, right, top, bottom] =
            [LEFT, RIGHT, TOP_SIDE, BOTTOM].map(|side| margin(store, root, level, &side));
        let size = BigUint::one() << level;
        let half = BigInt::one() << (level - 1);
        Some(Bounds {
            x: BigInt::from(left.clone()) - &half,
            y: BigInt::from(top.clone()) - half + SOUTH_HALF_Y,
            width: &size - left - right,
            height: size - top - bottom,
        })
    }

    /// The hash of a node's live cells, relative to the corner of their bounding box.
    pub(super) fn hash(&mut self, store: &NodeStore, root: u32, level: u32) -> CellHash {
        if root == 0 {
            return CellHash::EMPTY;
        }
        self.refresh(store);
        let double = |width: &u64| Some(width * 2 % CellHash::ORDER);
        let widths = std::iter::successors(Some(1), double);
        let moves =
            widths.map(|width| [HashShift::modular(width, 0), HashShift::modular(0, width)]);
        let moves: Vec<[HashShift; 2]> = moves.take(level as usize).collect();
        let back = |side: &QuadrantSide| {
            let margin = margin(store, root, level, side) % CellHash::ORDER;
            let margin = margin.to_u64().expect("a rest is less than its divisor");
            (CellHash::ORDER - margin) % CellHash::ORDER
        };
        let here = self.hash_from_corner(store, root, &moves);
        here.shifted_modular(back(&LEFT), back(&TOP_SIDE))
    }

    /// The hash relative to the node's top-left cell; `moves` ends with the shifts by half the
    /// node's width, right and down.
    fn hash_from_corner(
        &mut self,
        store: &NodeStore,
        node: u32,
        moves: &[[HashShift; 2]],
    ) -> CellHash {
        let most = MAX_RECURSIVE_LEVEL as usize;
        let mut order = PostOrder::new((node, moves.len()));
        while let Some(((node, level), is_ready)) = order.next() {
            if is_ready {
                self.hash_by_children(store, node, &moves[..level]);
            } else if level > most && !self.is_hash_known(node) {
                for quadrant in store.children(node) {
                    order.add_child((quadrant, level - 1));
                }
            }
        }
        self.hash_by_children(store, node, moves)
    }

    fn is_hash_known(&self, node: u32) -> bool {
        node == 0 || self.hashes.contains_key(&node)
    }

    /// [`NodeSummaries::hash_from_corner`] for a node of a low level, or of one whose children's are
    /// known.
    fn hash_by_children(
        &mut self,
        store: &NodeStore,
        node: u32,
        moves: &[[HashShift; 2]],
    ) -> CellHash {
        if node == 0 {
            return CellHash::EMPTY;
        }
        if node & LEAF != 0 {
            return store.leaf_kind.hash(&store.leaf(node));
        }
        if let Some(&known) = self.hashes.get(&node) {
            return known;
        }
        let (&[right, down], below) = moves.split_last().expect("a node is wider than a cell");
        let quadrants = prefetched_children(store, node);
        let [nw, ne, sw, se] =
            quadrants.map(|quadrant| self.hash_by_children(store, quadrant, below));
        let hash = nw + ne.moved(right) + (sw + se.moved(right)).moved(down);
        self.hashes.insert(node, hash);
        hash
    }

    /// Calls `f` for the pixels that a view shows of a world whose root is 2^level cells wide.
    pub(super) fn density(
        &mut self,
        store: &NodeStore,
        root: u32,
        level: u32,
        view: &View,
        f: &mut dyn FnMut(u32, u32, f64),
    ) {
        self.refresh(store);
        let mut traversal = ViewTraversal {
            summaries: self,
            store,
            view,
            f,
        };
        // Positions in pixels, relative to the view. The quadrants of a root that is smaller
        // than a pixel each fall into a pixel of their own.
        let (column, row) = (-&view.column, -&view.row);
        let half = level - 1;
        let back = BigInt::one() << half.saturating_sub(view.scale);
        for (i, quadrant) in store.children(root).into_iter().enumerate() {
            let x = if i % 2 == 0 {
                &column - &back
            } else {
                column.clone()
            };
            let y = if i / 2 == 0 {
                &row - &back
            } else {
                row.clone()
            };
            traversal.visit_far(quadrant, half, x, y);
        }
    }

    /// Forgets nodes that have been freed, and makes room for those that there are.
    fn refresh(&mut self, store: &NodeStore) {
        if self.collections != store.collections() {
            match store.survivors_since(self.collections) {
                Some(survivors) => self.retain(survivors),
                None => {
                    *self = Self {
                        growths: self.growths,
                        ..Self::default()
                    }
                }
            }
            self.hashes = MixMap::default();
            self.collections = store.collections();
        }
        let needed = store.nodes.used_slots().div_ceil(PART);
        if self.populations.len() < needed {
            self.growths += 1;
            self.populations.resize_with(needed, || vec![UNKNOWN; PART]);
        }
    }

    /// Retains the populations of nodes that have a bit.
    fn retain(&mut self, survivors: &[u64]) {
        let words = survivors.iter().copied().chain(std::iter::repeat(0));
        let words_of_nodes = self
            .populations
            .iter_mut()
            .flat_map(|part| part.chunks_mut(64));
        let mut wide = Vec::new();
        for (populations, word) in words_of_nodes.zip(words) {
            if word == 0 {
                populations.fill(UNKNOWN);
                continue;
            }
            for (k, population) in populations.iter_mut().enumerate() {
                if word >> k & 1 == 0 {
                    *population = UNKNOWN;
                } else if *population >= WIDE {
                    wide.push(self.wide[(*population - WIDE) as usize]);
                    *population = WIDE + (wide.len() - 1) as u32;
                }
            }
        }
        self.wide = wide;
        let survives = |node: usize| {
            survivors
                .get(node / 64)
                .is_some_and(|w| w >> (node % 64) & 1 == 1)
        };
        self.huge.retain(|&node, _| survives(node as usize));
    }
}

/// The children of a node, all prefetched before the first is read.
fn prefetched_children(store: &NodeStore, node: u32) -> [u32; 4] {
    let quadrants = store.children(node);
    for &quadrant in &quadrants {
        if quadrant & LEAF == 0 {
            store.nodes.prefetch(quadrant);
        } else {
            store.leaves.prefetch_leaf(quadrant);
        }
    }
    quadrants
}

/// The traversal of the nodes that a view shows.
struct ViewTraversal<'a> {
    summaries: &'a mut NodeSummaries,
    store: &'a NodeStore,
    view: &'a View,
    f: &'a mut dyn FnMut(u32, u32, f64),
}

impl ViewTraversal<'_> {
    /// Visits a node whose corner is at pixel (`x`, `y`), however far away.
    fn visit_far(&mut self, node: u32, level: u32, x: BigInt, y: BigInt) {
        let mut pending = vec![(node, level, x, y)];
        while let Some((node, level, x, y)) = pending.pop() {
            let pixels = level.saturating_sub(self.view.scale);
            let outside = |at: &BigInt, most: u32| {
                *at >= most.into()
                    || (at + (BigInt::one() << pixels)).sign() != num_bigint::Sign::Plus
            };
            if node == 0 || outside(&x, self.view.width) || outside(&y, self.view.height) {
                continue;
            }
            if let (Some(x), Some(y), ..=60) = (x.to_i64(), y.to_i64(), pixels) {
                self.visit(node, level, x, y);
                continue;
            }
            let half = BigInt::one() << (pixels - 1);
            let quadrants = self.store.children(node).into_iter().enumerate();
            for (i, quadrant) in quadrants.rev() {
                let x = if i % 2 == 0 { x.clone() } else { &x + &half };
                let y = if i / 2 == 0 { y.clone() } else { &y + &half };
                pending.push((quadrant, level - 1, x, y));
            }
        }
    }

    fn visit(&mut self, node: u32, level: u32, x: i64, y: i64) {
        let pixels = level.saturating_sub(self.view.scale);
        let side = 1i64 << pixels;
        let outside = |at: i64, most: u32| at >= most.into() || at.saturating_add(side) <= 0;
        if node == 0 || outside(x, self.view.width) || outside(y, self.view.height) {
            return;
        }
        if pixels == 0 {
            let live = if level <= MAX_COUNTED_LEVEL {
                self.summaries.count(self.store, node) as f64
            } else {
                let population = self.summaries.population_of(self.store, node, level);
                population.to_f64().unwrap_or(f64::MAX).min(f64::MAX)
            };
            (self.f)(x as u32, y as u32, live);
        } else if node & LEAF != 0 {
            self.visit_leaf(node, x, y);
        } else {
            let half = side / 2;
            for (i, quadrant) in self.store.children(node).into_iter().enumerate() {
                let (right, down) = ((i % 2) as i64, (i / 2) as i64);
                self.visit(quadrant, level - 1, x + right * half, y + down * half);
            }
        }
    }

    /// Visits a leaf that is larger than a pixel.
    fn visit_leaf(&mut self, node: u32, x: i64, y: i64) {
        let kind = &self.store.leaf_kind;
        let leaf = &self.store.leaf(node);
        // In blocks of 8 x 8 cells, of the leaf's 4 x 4, or of a pixel if that is larger.
        let wide = 3.min(kind.level()).max(self.view.scale);
        let pixels = 1i64 << (wide - self.view.scale);
        let blocks = 1usize << (kind.level() - wide);
        let side = 1usize << wide;
        for block in 0..blocks * blocks {
            let (column, row) = (block % blocks, block / blocks);
            let (left, top) = (column * side, row * side);
            let (x, y) = (x + column as i64 * pixels, y + row as i64 * pixels);
            let outside = |at: i64, most: u32| at >= most.into() || at + pixels <= 0;
            if outside(x, self.view.width) || outside(y, self.view.height) {
                continue;
            }
            let eight = |x: usize, y: usize| {
                let row = |k: usize| u64::from(kind.live8(leaf, x, y + k)) << (8 * k);
                (0..8.min(side)).map(row).sum::<u64>()
            };
            if pixels == 1 {
                let parts = (0..side).step_by(8);
                let parts = parts.flat_map(|y| (0..side).step_by(8).map(move |x| (x, y)));
                let live: u32 = parts
                    .map(|(x, y)| eight(left + x, top + y).count_ones())
                    .sum();
                if live > 0 {
                    (self.f)(x as u32, y as u32, live.into());
                }
                continue;
            }
            let bits = eight(left, top);
            if bits == 0 {
                continue;
            }
            let counts = count_pixels(bits, self.view.scale);
            for (row, counts) in (y..y + pixels).zip(counts) {
                if !(0..i64::from(self.view.height)).contains(&row) {
                    continue;
                }
                let traversal = (x..x + pixels).zip(counts);
                for (column, live) in traversal.filter(|(_, live)| *live > 0) {
                    if (0..i64::from(self.view.width)).contains(&column) {
                        (self.f)(column as u32, row as u32, live.into());
                    }
                }
            }
        }
    }
}

/// The live cells in each pixel of 8 x 8 cells, for pixels of one to four cells a side.
fn count_pixels(bits: u64, scale: u32) -> [[u8; 8]; 8] {
    if scale == 0 {
        return std::array::from_fn(|y| std::array::from_fn(|x| (bits >> (8 * y + x) & 1) as u8));
    }
    // Counts in fields of four bits: two cells side by side, then two rows; even pixels and odd
    // ones.
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let two_rows = |pairs: u64| {
        let fields = pairs & 0x3333_3333_3333_3333;
        fields + (fields >> 8)
    };
    let (even, odd) = (two_rows(pairs), two_rows(pairs >> 2));
    let mut counts = [[0; 8]; 8];
    for (y, row) in counts[..4].iter_mut().enumerate() {
        let (even, odd) = ((even >> (16 * y)) as u8, (odd >> (16 * y)) as u8);
        row[..4].copy_from_slice(&[even & 0xf, odd & 0xf, even >> 4, odd >> 4]);
    }
    if scale == 1 {
        return counts;
    }
    let four = |y: usize, x: usize| {
        let [above, below] = [counts[2 * y], counts[2 * y + 1]];
        above[2 * x] + above[2 * x + 1] + below[2 * x] + below[2 * x + 1]
    };
    let [a, b, c, d] = [four(0, 0), four(0, 1), four(1, 0), four(1, 1)];
    let row = |left, right| [left, right, 0, 0, 0, 0, 0, 0];
    let mut counts = [[0; 8]; 8];
    (counts[0], counts[1]) = (row(a, b), row(c, d));
    counts
}

/// The quadrants at one side of a node, and those behind them.
struct QuadrantSide {
    near: [usize; 2],
    far: [usize; 2],
    /// The index of this side in [`LeafKind::margins`](super::leaf_kind::LeafKind::margins).
    margin: usize,
}

const LEFT: QuadrantSide = QuadrantSide {
    near: [0, 2],
    far: [1, 3],
    margin: 0,
};
const RIGHT: QuadrantSide = QuadrantSide {
    near: [1, 3],
    far: [0, 2],
    margin: 1,
};
const TOP_SIDE: QuadrantSide = QuadrantSide {
    near: [0, 1],
    far: [2, 3],
    margin: 2,
};
const BOTTOM: QuadrantSide = QuadrantSide {
    near: [2, 3],
    far: [0, 1],
    margin: 3,
};

/// The number of empty rows or columns at a side of a node that is not empty.
///
/// Follows the outermost distinct nodes down, level by level; what lies behind them is never
/// read.
fn margin(store: &NodeStore, root: u32, mut level: u32, side: &QuadrantSide) -> BigUint {
    let mut margin = BigUint::ZERO;
    let mut outermost = vec![root];
    while level > store.leaf_kind.level() {
        level -= 1;
        let children = |which: [usize; 2]| -> Vec<u32> {
            let of = |&node: &u32| which.map(|quadrant| store.children(node)[quadrant]);
            let mut found: Vec<u32> = outermost.iter().flat_map(of).collect();
            found.retain(|&child| child != 0);
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
    }
    let leaves = outermost.iter().map(|&leaf| store.leaf(leaf));
    let within = leaves.map(|leaf| store.leaf_kind.margins(&leaf)[side.margin]);
    margin + within.min().expect("a square that is not 0 has live cells")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use crate::hashlife::HashlifeWorld;
    use crate::hashlife::bits::BitLeafKind;
    use crate::hashlife::store::collection::RetentionPolicy;
    use dice::Dice;
    use grid::Point;
    use kernel::BitKernel;
    use pattern::soup::SoupRecipe;

    /// With so little memory that one collection follows the other, what is retained and what
    /// is counted anew makes the population of the cells.
    #[test]
    fn populations_outlive_collections_with_their_nodes() {
        let rule: rule::Rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let leaf_kind = Box::new(BitLeafKind::new(kernel));
        let mut world = HashlifeWorld::new(rule, leaf_kind, None, 1 << 20);
        let soup = SoupRecipe {
            seed: 3,
            ..SoupRecipe::new(150, 150)
        };
        world.load(&soup.pattern().unwrap().cells).unwrap();
        let (mut single, mut retained, mut forgotten) = (0, 0, 0);
        let known = |world: &HashlifeWorld| {
            let summaries = world.summaries.borrow();
            let populations = summaries.populations.iter().flatten();
            populations
                .filter(|&&population| population != UNKNOWN)
                .count()
        };
        for generation in 0..300 {
            let (before, collections) = (known(&world), world.store.collections());
            world.advance(&1u32.into(), &mut |_| true).unwrap();
            if world.store.collections() == collections + 1 {
                single += 1;
                world.summaries.borrow_mut().refresh(&world.store);
                let after = known(&world);
                retained += after;
                forgotten += before - after;
            }
            let counted = world.cells().population();
            assert_eq!(world.population(), counted, "generation {generation}");
        }
        assert!(single > 4, "{single} collections one by one");
        assert!(retained > 100 && forgotten > 100, "{retained}, {forgotten}");
    }

    /// Each node has three times the cells of its quadrants: up to 2^31, beyond, and beyond 128 bits.
    #[test]
    fn populations_of_any_size_are_counted_and_retained() {
        let rule: rule::Rule = "B3/S23".parse().unwrap();
        let mut text = "[M2] (gridpaper)\n$$$.**$.**$$$$\n".to_string();
        for level in 4..=120 {
            let child = level - 3;
            text += &format!("{level} {child} {child} 0 {child}\n");
        }
        let (pattern, _) = pattern::read(text.as_bytes()).unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let leaf_kind = Box::new(BitLeafKind::new(kernel));
        let mut world = HashlifeWorld::new(rule, leaf_kind, None, 1 << 24);
        world.load(&pattern.cells).unwrap();
        let mut expected = BigUint::from(4_u32) * BigUint::from(3_u32).pow(117);
        for round in 0..4 {
            assert_eq!(world.population(), expected, "round {round}");
            let before = world.summaries.borrow().wide.len();
            let mut points = (5..).map(|x| Point::new(x, 5));
            let empty = points.find(|&p| world.get(p) == 0).unwrap();
            world.set(empty, 1).unwrap();
            expected += 1_u32;
            assert_eq!(world.population(), expected, "round {round}");
            let more = world.summaries.borrow().wide.len();
            assert!(before > 30 && more > before, "{before}, {more}");
            // the nodes around the cell before are freed, with their places
            let roots = world.roots();
            world
                .store
                .collect(roots, Vec::new(), RetentionPolicy::RootsOnly);
            assert!(world.store.run_maintenance(&mut || true));
            let mut summaries = world.summaries.borrow_mut();
            summaries.refresh(&world.store);
            assert!(summaries.huge.len() > 50);
            let populations = summaries.populations.iter().flatten();
            let places = populations.filter(|&&entry| entry >= WIDE).count();
            assert_eq!(places, summaries.wide.len());
            assert_eq!(places < more, round > 0, "{places} of {more}");
            let mut anew = NodeSummaries::default();
            anew.population(&world.store, world.root, world.level);
            let of = |summaries: &NodeSummaries| -> Vec<u128> {
                let entries = summaries.populations.iter().flatten();
                let population = |&entry: &u32| match entry >= WIDE {
                    true => summaries.wide[(entry - WIDE) as usize],
                    false => entry.into(),
                };
                entries.map(population).collect()
            };
            assert_eq!(of(&summaries), of(&anew));
        }
    }

    /// What a world takes for its populations is part of its memory, where it is looked at again and
    /// again.
    #[test]
    fn a_world_that_is_looked_at_stays_within_its_memory() {
        let rule: rule::Rule = "B3/S23".parse().unwrap();
        let soup = SoupRecipe {
            seed: 5,
            ..SoupRecipe::new(200, 200)
        };
        let cells = soup.pattern().unwrap().cells;
        for memory in [30, 35, 40].map(|tenths: u64| (tenths << 20) / 10) {
            let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
            let leaf_kind = Box::new(BitLeafKind::new(kernel));
            let mut world = HashlifeWorld::new(rule.clone(), leaf_kind, None, memory);
            world.load(&cells).unwrap();
            let (mut most, mut generation) = (0, 0);
            while world.store.collections() < 3 {
                // an odd step has no results of others
                world.advance(&3u32.into(), &mut |_| true).unwrap();
                assert_ne!(world.population(), BigUint::ZERO);
                most = most.max(world.bytes());
                generation += 3;
                assert!(generation < 10_000, "it never fills its memory");
            }
            let part = (PART * size_of::<u32>()) as u64;
            assert!(most <= memory + part, "{most} of {memory}");
        }
    }

    #[test]
    fn pixels_of_a_block_are_counted() {
        let mut dice = Dice::new(1);
        for _ in 0..200 {
            let bits = dice.word();
            let bits = bits | bits << 7;
            for scale in 0..3 {
                let counts = count_pixels(bits, scale);
                let mut expected = [[0; 8]; 8];
                for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
                    expected[y >> scale][x >> scale] += (bits >> (8 * y + x) & 1) as u8;
                }
                assert_eq!(counts, expected, "{bits:#x} at {scale}");
            }
        }
    }
}
