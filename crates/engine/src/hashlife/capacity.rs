//! More room, and what is done when there cannot be any.

use super::ages::NodeAges;
use super::collection::{GarbageCollection, RetentionPolicy};
use super::index::{BucketIndex, BucketProbe};
use super::leaves::LeafTable;
use super::maintenance::StoreMaintenance;
use super::nodes::{EMPTY, ROOM};
use super::store::{LEAF, NodeStore, hash_of};
use std::ops::Range;
use std::thread;

/// So many sixteenths of a table that are needed leave too little for the next collection to be worth it.
const SCARCE: usize = 13;

/// Lines of nodes from which on tables grow by half: their indices would be too large.
const LARGE: usize = 3 << 19;

/// Squares, or lines of them, that are named together.
const BATCH: usize = 32;

/// Lines of nodes from which on tables are weighed before they grow far: with their index,
/// some 40 MiB.
const WEIGHED: usize = 1 << 19;

/// One of so many squares is little. Patterns had to find out anew two to twelve times what
/// a collection left.
const LITTLE: usize = 30;

/// Lines of nodes that are worth a thread to name them.
const LEAST: usize = 1 << 12;

/// What became of the wish for more room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrowthOutcome {
    /// There is some.
    Made,
    /// It takes longer; who waits did not want to.
    Later,
    /// There cannot be enough for it to be worth going on.
    None,
}

impl NodeStore {
    /// Makes room for more squares in `memory` bytes: in more memory if there is, else by
    /// giving up what neither the roots nor what is held hold.
    ///
    /// Futures that were found out are worth their room, even those that have been used:
    /// tables that were kept small by giving them up took several times as long. What has to
    /// be found anew after a collection is some times as much as it left, though, so where
    /// that is little beside a large table it is cheaper than more memory.
    pub(super) fn make_room(
        &mut self,
        memory: u64,
        roots: Vec<u32>,
        held: Vec<u32>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> GrowthOutcome {
        let is_full = (self.nodes.is_full(), self.leaves.is_full());
        self.is_crowded = false;
        if self.is_to_weigh && is_full.0 {
            let before = self.collections;
            self.is_to_weigh = false;
            self.collect(roots.clone(), held.clone(), RetentionPolicy::Little);
            if !self.carry_on(go_on) {
                return GrowthOutcome::Later;
            }
            if self.collections > before {
                return GrowthOutcome::Made;
            }
        }
        if !self.grow_within(is_full, memory, 12) {
            self.ages.begin(self.nodes.lines());
            self.ages.weigh();
            self.collect(roots, held, RetentionPolicy::Enough);
        }
        if !self.carry_on(go_on) {
            return GrowthOutcome::Later;
        }
        if self.is_crowded && !self.grow_within(is_full, memory, 11) {
            return GrowthOutcome::None;
        }
        if self.carry_on(go_on) {
            GrowthOutcome::Made
        } else {
            GrowthOutcome::Later
        }
    }

    /// Lines of nodes and leaves that there is room for.
    pub(super) fn room(&self) -> (usize, usize) {
        (self.nodes.lines(), self.leaves.room())
    }

    /// Begins to free what cannot be reached from the roots, or from what is held and its
    /// results.
    pub(super) fn collect(&mut self, roots: Vec<u32>, held: Vec<u32>, keep: RetentionPolicy) {
        let collection = GarbageCollection::new(self, roots, held, keep);
        self.upkeep = Some(StoreMaintenance::collecting(collection));
    }

    /// Whether so many nodes are few beside the tables.
    pub(super) fn is_little(&self, nodes: usize) -> bool {
        nodes <= ROOM * self.nodes.lines() / LITTLE
    }

    /// Whether the last collection left so much that the next one will be soon.
    pub(super) fn leaves_little(&self) -> bool {
        let (nodes, leaves) = self.left;
        nodes > ROOM * self.nodes.lines() / 16 * SCARCE || leaves > self.leaves.room() / 16 * SCARCE
    }

    /// Half as much room again, whatever it takes.
    pub(super) fn grow(&mut self) {
        self.lay(self.nodes.lines() * 3 / 2, self.leaves.room() * 3 / 2);
        self.carry_on(&mut || true);
    }

    /// More room for what is full: by so many tenths at least and twice as much at most,
    /// as long as all of it, once it is used, fits.
    fn grow_within(
        &mut self,
        (no_nodes, no_leaves): (bool, bool),
        memory: u64,
        least: usize,
    ) -> bool {
        let (lines, leaves) = (self.nodes.lines(), self.leaves.room());
        let used_leaves = self.leaves.places().max(4);
        let used_lines = (self.nodes.bytes() / 64).max(4) as usize;
        let plan = |tenths: usize| {
            let wanted = |is_full: bool, room: usize, used: usize| {
                let wanted = used * tenths / 10;
                if is_full { wanted.max(room + 1) } else { room }
            };
            (
                wanted(no_nodes, lines, used_lines),
                wanted(no_leaves, leaves, used_leaves),
            )
        };
        // with its place in the list of those that are free
        let leaf = LeafTable::bytes_of(self.leaves.wide()) + 4;
        let bytes = |lines: usize, leaves: usize| 64 * lines as u64 + leaf * leaves as u64;
        let ages = |lines: usize| NodeAges::BYTES_A_LINE * lines as u64;
        let fits = |tenths: &usize| {
            let (lines, leaves) = plan(*tenths);
            let leaves_then = leaves.min(used_leaves * tenths / 10);
            let lines_then = lines.min(used_lines * tenths / 10);
            let indices = BucketIndex::bytes_for(ROOM * lines) + BucketIndex::bytes_for(leaves);
            bytes(lines_then, leaves_then) + ages(lines) + indices <= memory
        };
        // Lines that the index has names for already.
        let named = self.node_index.most() / ROOM;
        if no_nodes && !no_leaves && named > lines {
            let indices = 64 * (self.node_index.lines() + self.leaf_index.lines()) as u64;
            if bytes(named, leaves) + ages(named) + indices <= memory {
                self.lay(named, leaves);
                return true;
            }
        }
        let most = if lines < LARGE { 20 } else { 15 };
        let Some(tenths) = (least..=most).rev().find(fits) else {
            return false;
        };
        let (lines, leaves) = plan(tenths);
        self.lay(lines, leaves);
        true
    }

    /// Lays the tables out for so much. Of many lines, a few come first, after which it is
    /// weighed whether the rest is needed.
    fn lay(&mut self, lines: usize, leaves: usize) {
        let (mut more_nodes, mut more_leaves) = (false, false);
        let before = self.nodes.lines();
        if lines > before {
            more_nodes = ROOM * lines > self.node_index.most();
            self.is_to_weigh = more_nodes && before >= WEIGHED;
            let first = if self.is_to_weigh {
                before * 6 / 5
            } else {
                lines
            };
            self.nodes.grow(lines.min(first));
            if self.is_scarce() {
                self.ages.begin(self.nodes.lines());
            }
        }
        if leaves > self.leaves.room() {
            self.leaves.grow(leaves);
            more_leaves = leaves > self.leaf_index.most();
        }
        if more_nodes {
            self.node_index.grow(ROOM * lines);
        }
        if more_leaves {
            self.leaf_index.grow(leaves);
        }
        self.upkeep = Some(StoreMaintenance::grown(more_nodes, more_leaves));
    }

    /// Names the nodes of some lines, which the index does not.
    pub(super) fn name_nodes(&self, lines: Range<usize>) {
        let piece = lines.len().div_ceil(self.threads).max(LEAST);
        if piece >= lines.len() {
            return self.name_lines(lines);
        }
        thread::scope(|scope| {
            for start in (lines.start + piece..lines.end).step_by(piece) {
                let piece = start..(start + piece).min(lines.end);
                let own = piece.clone();
                let help = move || self.name_lines(piece);
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    self.name_lines(own);
                }
            }
            self.name_lines(lines.start..lines.start + piece);
        });
    }

    fn name_lines(&self, lines: Range<usize>) {
        let mut nodes = [0; ROOM * BATCH];
        let mut pairs = [EMPTY; ROOM * BATCH];
        let mut spots = [BucketProbe::default(); ROOM * BATCH];
        for start in lines.clone().step_by(BATCH) {
            let some = start..(start + BATCH).min(lines.end);
            let count = self.nodes.list(some, &mut nodes, &mut pairs);
            self.node_index.find_spots(&pairs[..count], &mut spots);
            for (&node, &spot) in nodes[..count].iter().zip(&spots) {
                self.node_index.put(spot, node);
            }
        }
    }

    /// Names those leaves of some places that are there.
    pub(super) fn name_leaves(&self, places: Range<usize>, is_there: impl Fn(u32) -> bool) {
        let mut batch = [(0, BucketProbe::default()); BATCH];
        for start in places.clone().step_by(BATCH) {
            let mut count = 0;
            for place in start..(start + BATCH).min(places.end) {
                let leaf = LEAF | place as u32;
                if is_there(leaf) {
                    let spot = self.leaf_index.spot(hash_of(&self.leaf(leaf)));
                    self.leaf_index.expect(spot);
                    batch[count] = (leaf, spot);
                    count += 1;
                }
            }
            for &(leaf, spot) in &batch[..count] {
                self.leaf_index.put(spot, leaf);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitLeafKind;
    use super::*;
    use crate::kernel::BitKernel;

    /// Squares that are looked up again, after the tables have grown several times.
    #[test]
    fn squares_stay_where_they_are_and_are_found_where_tables_grow() {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), 1 << 20);
        let mut made: Vec<(u32, [u32; 4], [u64; 4])> = Vec::new();
        let mut seed = 1_u64;
        let mut grown = 0;
        for i in 0..20_000_u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i);
            let cells = [
                seed & 0xffff_ffff | i << 32,
                7,
                1 | 2 << 32,
                3 | seed >> 32 << 32,
            ];
            let below = made.get((seed >> 40) as usize % (made.len() + 1));
            let below = below.map_or(0, |&(square, ..)| square);
            let children = [0, below, (seed >> 33) as u32, 0];
            let both = loop {
                if let (Ok(leaf), Ok(node)) = (store.intern(&cells), store.node(children)) {
                    break (leaf, node);
                }
                store.grow();
                grown += 1;
            };
            made.push((both.0, [0; 4], cells));
            made.push((both.1, children, [0; 4]));
        }
        assert!(grown > 4, "{grown}");
        for &(square, children, cells) in &made {
            if cells == [0; 4] {
                assert_eq!(store.children(square), children);
                assert_eq!(store.node(children), Ok(square));
            } else {
                assert_eq!(store.leaf(square)[..], cells);
                assert_eq!(store.intern(&cells), Ok(square));
            }
        }
        assert_eq!(store.nodes.all().count() + store.leaves.places(), 40_000);
    }

    /// A store whose tables are large, and full of nodes of leaves; and the nodes.
    fn filled() -> (NodeStore, Vec<u32>) {
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), 1 << 30);
        let leaf = |k: u32| store.intern(&[u64::from(k) + 1, 0, 0, 0]).unwrap();
        let leaves: Vec<u32> = (0..60).map(leaf).collect();
        let mut made = Vec::new();
        fill(&mut store, &leaves, &mut made, |store| {
            let is_large = store.is_to_weigh;
            if !is_large {
                store.grow();
            }
            !is_large
        });
        (store, made)
    }

    /// Makes nodes until the tables are full and `more` does not help.
    fn fill(
        store: &mut NodeStore,
        leaves: &[u32],
        made: &mut Vec<u32>,
        mut more: impl FnMut(&mut NodeStore) -> bool,
    ) {
        loop {
            let digit = |k: u32| leaves[made.len() / 60_usize.pow(k) % 60];
            match store.node(std::array::from_fn(|k| digit(k as u32))) {
                Ok(node) => made.push(node),
                Err(_) => {
                    if !more(store) {
                        return;
                    }
                }
            }
        }
    }

    #[test]
    fn large_tables_are_emptied_before_they_grow_where_little_stays() {
        let (mut store, mut made) = filled();
        let lines = store.nodes.lines();
        let kept: Vec<u32> = made.iter().copied().step_by(1000).collect();
        let children: Vec<_> = kept.iter().map(|&node| store.children(node)).collect();
        let go_on: &mut dyn FnMut() -> bool = &mut || true;
        let room = store.make_room(1 << 30, kept.clone(), Vec::new(), go_on);
        assert_eq!(
            (room, store.collections(), store.nodes.lines()),
            (GrowthOutcome::Made, 1, lines)
        );
        for (&node, &children) in kept.iter().zip(&children) {
            assert_eq!(store.children(node), children);
            assert_eq!(store.node(children), Ok(node));
        }
        // The second time they grow.
        let leaves: Vec<u32> = (0..60).map(|k| LEAF | k).collect();
        fill(&mut store, &leaves, &mut made, |_| false);
        assert_eq!(
            store.make_room(1 << 30, kept, Vec::new(), go_on),
            GrowthOutcome::Made
        );
        assert_eq!(store.collections(), 1);
        assert!(store.nodes.lines() > lines);
    }

    /// Of results that nothing holds, those that were asked for last stay, and what they are
    /// made of; others make room.
    #[test]
    fn what_was_used_of_late_stays_where_memory_is_full() {
        const MEMORY: u64 = 1 << 20;
        let rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule).unwrap();
        let mut store = NodeStore::new(Box::new(BitLeafKind::new(kernel)), MEMORY);
        let leaf = |store: &NodeStore, k: u32| store.intern(&[u64::from(k) + 1, 0, 0, 0]);
        let leaves: Vec<u32> = (0..60).map(|k| leaf(&store, k).unwrap()).collect();
        let go_on: &mut dyn FnMut() -> bool = &mut || true;
        let mut made = Vec::new();
        // the first time that memory is full, nobody knows what is used
        for round in 0..2 {
            fill(&mut store, &leaves, &mut made, |store| {
                let is_scarce = store.is_scarce();
                if !is_scarce {
                    let room = store.make_room(MEMORY, Vec::new(), Vec::new(), go_on);
                    assert_eq!(room, GrowthOutcome::Made);
                }
                !is_scarce && !store.is_scarce()
            });
            assert_eq!(store.collections(), 1, "round {round}");
            if round == 0 {
                made.clear();
            }
        }
        let used: Vec<u32> = made.iter().copied().step_by(7).collect();
        let unused = made.iter().filter(|node| !used.contains(node));
        let unused: Vec<u32> = unused.copied().collect();
        for &node in &made {
            store.nodes.remember(node, 1, leaves[0]);
        }
        let children: Vec<_> = used.iter().map(|&node| store.children(node)).collect();
        store.touch(&used);
        let room = store.make_room(MEMORY, Vec::new(), Vec::new(), go_on);
        assert_eq!((room, store.collections()), (GrowthOutcome::Made, 2));
        for (&node, &children) in used.iter().zip(&children) {
            assert_eq!(store.node(children), Ok(node));
            assert_eq!(store.nodes.known(node), Some(leaves[0]));
        }
        let stay = unused
            .iter()
            .filter(|&&node| store.nodes.known(node).is_some());
        assert_eq!(stay.count(), 0);
        assert!(!unused.is_empty() && store.bytes() < MEMORY + 4096);
    }

    #[test]
    fn large_tables_grow_where_much_stays() {
        let (mut store, made) = filled();
        let lines = store.nodes.lines();
        let kept: Vec<u32> = made.into_iter().step_by(20).collect();
        // However often it is asked to stop meanwhile.
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked % 3 == 0
        };
        let mut room = store.make_room(1 << 30, kept.clone(), Vec::new(), &mut go_on);
        while room == GrowthOutcome::Later {
            if store.carry_on(&mut go_on) {
                room = store.make_room(1 << 30, kept.clone(), Vec::new(), &mut go_on);
            }
        }
        assert_eq!((room, store.collections()), (GrowthOutcome::Made, 0));
        assert!(store.nodes.lines() > lines);
    }
}
