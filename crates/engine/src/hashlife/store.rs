//! The tables: every square that differs is held once.

use super::grain::Grain;
use std::collections::HashSet;

/// Marks a reference to a leaf. Without it, a reference is to a node; 0 is the empty
/// square of any size.
pub(super) const LEAF: u32 = 1 << 31;

/// Bytes that a node takes, its share of the index included.
pub(super) const NODE_BYTES: u64 = 24 + 24;

/// Two words mixed into one: the two halves of their product, folded.
#[inline]
pub(super) fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

/// A square above the leaves: its quadrants (north-west, north-east, south-west,
/// south-east) and what was last found out about its future.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) children: [u32; 4],
    /// The middle, half as wide, some generations on.
    pub(super) result: u32,
    /// Which future that is, see [`Store::remember`]; 0 for none. The top two bits are
    /// [`MARK`] and [`FREE`].
    tag: u32,
}

/// In a tag: reached by the collection under way.
const MARK: u32 = 1 << 31;

/// In a tag: nothing, in the chain of free nodes.
const FREE: u32 = 1 << 30;

/// All squares of a world, each held once.
pub(super) struct Store<G: Grain> {
    pub(super) grain: G,
    nodes: Vec<Node>,
    node_index: Index,
    /// First of the chain of free nodes, linked through their first child; 0 ends it.
    free_node: u32,
    leaves: Vec<G::Leaf>,
    leaf_index: Index,
    free_leaves: Vec<u32>,
    live_nodes: usize,
    collections: u64,
}

impl<G: Grain> Store<G> {
    pub(super) fn new(grain: G) -> Self {
        let nothing = Node {
            children: [0; 4],
            result: 0,
            tag: 0,
        };
        let no_cells = grain.empty();
        Self {
            grain,
            nodes: vec![nothing],
            node_index: Index::default(),
            free_node: 0,
            leaves: vec![no_cells],
            leaf_index: Index::default(),
            free_leaves: Vec::new(),
            live_nodes: 0,
            collections: 0,
        }
    }

    /// One more than the highest place in which a node stands.
    pub(super) fn places(&self) -> usize {
        self.nodes.len()
    }

    /// How often squares were freed: a reference found before is another square's after.
    pub(super) fn collections(&self) -> u64 {
        self.collections
    }

    /// The quadrants of a node; all empty for the empty one.
    #[inline]
    pub(super) fn children(&self, node: u32) -> [u32; 4] {
        self.nodes[node as usize].children
    }

    /// The cells of a leaf.
    #[inline]
    pub(super) fn leaf(&self, leaf: u32) -> &G::Leaf {
        &self.leaves[(leaf & !LEAF) as usize]
    }

    /// The one node with these quadrants.
    #[inline]
    pub(super) fn node(&mut self, children: [u32; 4]) -> u32 {
        self.hashed_node(children, mix(children))
    }

    /// [`Store::node`] for several at once: all slots are asked for, then all nodes that
    /// they name, before any is looked at, so that memory answers side by side. Waiting
    /// for one after the other is most of what a deep run costs.
    #[inline]
    pub(super) fn nodes<const N: usize>(&mut self, wanted: [[u32; 4]; N]) -> [u32; N] {
        let hashes = wanted.map(mix);
        let guesses = hashes.map(|hash| self.node_index.guess(hash));
        let seen = guesses.map(|guess| self.nodes[guess as usize].children);
        std::array::from_fn(|i| {
            if seen[i] == wanted[i] && guesses[i] != 0 {
                guesses[i]
            } else {
                self.hashed_node(wanted[i], hashes[i])
            }
        })
    }

    fn hashed_node(&mut self, children: [u32; 4], hash: u64) -> u32 {
        if children == [0; 4] {
            return 0;
        }
        let nodes = &self.nodes;
        let same = |i: u32| nodes[i as usize].children == children;
        if let Some(found) = self.node_index.find(hash, same) {
            return found;
        }
        let node = Node {
            children,
            result: 0,
            tag: 0,
        };
        if self.node_index.is_full() {
            self.node_index.widen();
            self.index_nodes();
        }
        let i = if self.free_node == 0 {
            self.nodes.push(node);
            self.nodes.len() as u32 - 1
        } else {
            let i = self.free_node;
            self.free_node = self.nodes[i as usize].children[0];
            self.nodes[i as usize] = node;
            i
        };
        self.live_nodes += 1;
        self.node_index.insert(hash, i);
        i
    }

    /// Fills an empty index with all nodes that are not free, in the order of memory.
    fn index_nodes(&mut self) {
        for (i, node) in self.nodes.iter().enumerate().skip(1) {
            if node.tag & FREE == 0 {
                self.node_index.insert(mix(node.children), i as u32);
            }
        }
    }

    /// The one leaf with these cells.
    pub(super) fn intern(&mut self, leaf: G::Leaf) -> u32 {
        if self.grain.is_empty(&leaf) {
            return 0;
        }
        let hash = self.grain.mix(&leaf);
        let leaves = &self.leaves;
        if let Some(found) = self.leaf_index.find(hash, |i| leaves[i as usize] == leaf) {
            return LEAF | found;
        }
        let i = if let Some(i) = self.free_leaves.pop() {
            self.leaves[i as usize] = leaf;
            i
        } else {
            self.leaves.push(leaf);
            self.leaves.len() as u32 - 1
        };
        if self.leaf_index.is_full() {
            self.leaf_index.widen();
            let free: HashSet<u32> = self.free_leaves.iter().copied().collect();
            for (k, leaf) in self.leaves.iter().enumerate().skip(1) {
                let k = k as u32;
                if k != i && !free.contains(&k) {
                    self.leaf_index.insert(self.grain.mix(leaf), k);
                }
            }
        }
        self.leaf_index.insert(hash, i);
        LEAF | i
    }

    /// What was found out about `node` for this tag, if that is what was asked last.
    #[inline]
    pub(super) fn recall(&self, node: u32, tag: u32) -> Option<u32> {
        let node = &self.nodes[node as usize];
        (node.tag == tag).then_some(node.result)
    }

    /// Keeps a result. The tag carries the step and the phase, so that a change of step
    /// neither clears nor walks the table: a node whose last result was for another step
    /// simply does not answer. Tags are at least 1.
    #[inline]
    pub(super) fn remember(&mut self, node: u32, tag: u32, result: u32) {
        let node = &mut self.nodes[node as usize];
        (node.result, node.tag) = (result, tag);
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let live_leaves = (self.leaves.len() - self.free_leaves.len()) as u64;
        self.live_nodes as u64 * NODE_BYTES + live_leaves * self.grain.leaf_bytes()
    }

    /// Frees what cannot be reached from the roots. Results stay where the square that
    /// they name stays.
    pub(super) fn collect(&mut self, roots: impl Iterator<Item = u32>) {
        self.collections += 1;
        let mut leaf_marks = vec![false; self.leaves.len()];
        let mut pending: Vec<u32> = roots.collect();
        while let Some(i) = pending.pop() {
            if i & LEAF != 0 {
                leaf_marks[(i & !LEAF) as usize] = true;
                continue;
            }
            let node = &mut self.nodes[i as usize];
            if i != 0 && node.tag & MARK == 0 {
                node.tag |= MARK;
                pending.extend(node.children.into_iter().filter(|&c| c != 0));
            }
        }

        for i in 1..self.nodes.len() {
            let Node { result, tag, .. } = self.nodes[i];
            let kept = match result {
                0 => true,
                leaf if leaf & LEAF != 0 => leaf_marks[(leaf & !LEAF) as usize],
                node => self.nodes[node as usize].tag & MARK != 0,
            };
            if tag & MARK != 0 && !kept {
                (self.nodes[i].result, self.nodes[i].tag) = (0, MARK);
            }
        }

        self.node_index.clear();
        self.free_node = 0;
        self.live_nodes = 0;
        for i in (1..self.nodes.len()).rev() {
            let node = &mut self.nodes[i];
            if node.tag & MARK == 0 {
                node.children = [self.free_node, 0, 0, 0];
                node.tag = FREE;
                self.free_node = i as u32;
            } else {
                node.tag &= !MARK;
                self.live_nodes += 1;
            }
        }
        self.index_nodes();

        self.leaf_index.clear();
        self.free_leaves.clear();
        for i in (1..self.leaves.len()).rev() {
            if !leaf_marks[i] {
                self.free_leaves.push(i as u32);
                continue;
            }
            let hash = self.grain.mix(&self.leaves[i]);
            self.leaf_index.insert(hash, i as u32);
        }
    }
}

#[inline]
fn mix(c: [u32; 4]) -> u64 {
    let pair = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
    fold(pair(c[0], c[1]), pair(c[2], c[3]).rotate_left(19))
}

/// An open-addressed index: slots hold half a hash and a position, 0 when vacant.
struct Index {
    slots: Vec<u64>,
    used: usize,
}

impl Default for Index {
    fn default() -> Self {
        Self {
            slots: vec![0; 1 << 10],
            used: 0,
        }
    }
}

impl Index {
    #[inline]
    fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Option<u32> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot == 0 {
                return None;
            }
            if slot >> 32 == hash >> 32 && same(slot as u32) {
                return Some(slot as u32);
            }
            at = (at + 1) & mask;
        }
    }

    /// The position in the first slot that a hash is looked for in, if it has the same half
    /// hash; else 0.
    #[inline]
    fn guess(&self, hash: u64) -> u32 {
        let slot = self.slots[hash as usize & (self.slots.len() - 1)];
        if slot >> 32 == hash >> 32 {
            slot as u32
        } else {
            0
        }
    }

    /// Half full is full: at three quarters, a search that finds nothing looks at eight
    /// slots instead of two.
    fn is_full(&self) -> bool {
        2 * (self.used + 1) > self.slots.len()
    }

    /// Twice the slots, and nothing in them.
    fn widen(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        self.used = 0;
    }

    /// Adds a position, not 0, that is not there yet, where there is room.
    #[inline]
    fn insert(&mut self, hash: u64, position: u32) {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = hash >> 32 << 32 | u64::from(position);
        self.used += 1;
    }

    fn clear(&mut self) {
        self.slots.fill(0);
        self.used = 0;
    }
}
