use super::{Node, Tree};
use crate::interrupt::Checkpoints;

/// Hash-consing of nodes (Ershov, 1958): equal nodes get one index. Node 0 is the empty node.
#[derive(Debug)]
pub(crate) struct Interner {
    pub(crate) nodes: Vec<Node>,
    /// Indices of nodes, an open-addressed hash table; 0 is a free slot. At most half are used.
    /// (A hash map of nodes would hold each twice.)
    slots: Vec<u32>,
    pub(super) checkpoints: Checkpoints,
}

impl Interner {
    pub(crate) fn new() -> Self {
        Self::for_nodes(256)
    }

    /// An empty interner with capacity for `nodes` nodes.
    fn for_nodes(nodes: usize) -> Self {
        let mut all = Vec::with_capacity(nodes + 1);
        all.push(Node::Empty);
        Self {
            nodes: all,
            slots: vec![0; (2 * nodes + 2).next_power_of_two()],
            checkpoints: Checkpoints::new(),
        }
    }

    /// The index of a node whose children have been added before.
    pub(crate) fn add(&mut self, node: Node) -> u32 {
        if matches!(
            node,
            Node::Empty | Node::Leaf8(0) | Node::Leaf2([0, 0, 0, 0]) | Node::Branch([0, 0, 0, 0])
        ) {
            return 0;
        }
        let mut slot = self.first_slot(node);
        while self.slots[slot] != 0 {
            let found = self.slots[slot];
            if self.nodes[found as usize] == node {
                return found;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        let next = u32::try_from(self.nodes.len()).expect("a tree of 2^32 nodes fills no machine");
        self.nodes.push(node);
        self.slots[slot] = next;
        if 2 * self.nodes.len() > self.slots.len() {
            self.widen();
        }
        next
    }

    /// The slot that a node is looked for in first.
    #[inline]
    fn first_slot(&self, node: Node) -> usize {
        let pair = |a: u32, b: u32| u64::from(a) | u64::from(b) << 32;
        let (a, b) = match node {
            Node::Empty => (0, 0),
            Node::Leaf8(cells) => (cells, 1),
            Node::Leaf2(cells) => (u32::from_le_bytes(cells).into(), 2),
            Node::Branch([nw, ne, sw, se]) => (pair(nw, ne), pair(sw, se)),
        };
        // Resistance against collision attacks is not needed.
        let a = u128::from(a ^ 0x9e6c_63d0_876a_3f6d);
        let product = a * u128::from(b.rotate_left(19) ^ 0xd1b5_4a32_d192_ed03);
        (product as u64 ^ (product >> 64) as u64) as usize & (self.slots.len() - 1)
    }

    fn widen(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for index in 1..self.nodes.len() {
            self.checkpoints.step();
            let mut slot = self.first_slot(self.nodes[index]);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = index as u32;
        }
    }

    /// An 8 x 8 leaf as 2 x 2 leaves and branches.
    fn add_small(&mut self, cells: u64) -> u32 {
        let bit = |x: u32, y: u32| (cells >> (8 * y + x) & 1) as u8;
        let mut fours = [0; 4];
        for (quarter, four) in fours.iter_mut().enumerate() {
            let (x, y) = (quarter as u32 % 2 * 4, quarter as u32 / 2 * 4);
            let pairs = [(0, 0), (2, 0), (0, 2), (2, 2)].map(|(dx, dy)| {
                let (x, y) = (x + dx, y + dy);
                self.add(Node::Leaf2([
                    bit(x, y),
                    bit(x + 1, y),
                    bit(x, y + 1),
                    bit(x + 1, y + 1),
                ]))
            });
            *four = self.add(Node::Branch(pairs));
        }
        self.add(Node::Branch(fours))
    }

    /// Adds all that a tree's root leads to; gives the root. With `small`, 8 x 8 leaves
    /// are taken apart.
    pub(crate) fn add_tree(&mut self, tree: &Tree, small: bool) -> u32 {
        let reached = tree.reached();
        let mut places = vec![0; tree.nodes.len()];
        for (index, node) in tree.nodes.iter().enumerate() {
            if !reached[index] {
                continue;
            }
            places[index] = match *node {
                Node::Leaf8(cells) if small => self.add_small(cells),
                Node::Branch(children) => {
                    self.add(Node::Branch(children.map(|child| places[child as usize])))
                }
                leaf => self.add(leaf),
            };
        }
        places.get(tree.root as usize).copied().unwrap_or(0)
    }
}

impl Tree {
    /// The smallest tree with the same cells and kind of leaves: shared nodes, no unreachable
    /// node, no empty border.
    pub(crate) fn canonical(&self) -> Self {
        let mut interner = Interner::for_nodes(self.nodes.len());
        let root = interner.add_tree(self, false);
        let mut tree = Self {
            nodes: interner.nodes,
            root,
            level: self.level,
        };
        if root == 0 {
            return tree;
        }
        let mut trimmed = false;
        while let Some(inner) = tree.central_quarters() {
            tree.root = tree.push(Node::Branch(inner));
            tree.level -= 1;
            trimmed = true;
        }
        if trimmed {
            // The outer squares are left behind.
            let mut interner = Interner::for_nodes(tree.nodes.len());
            tree.root = interner.add_tree(&tree, false);
            tree.nodes = interner.nodes;
        }
        tree
    }

    /// The children of the central node of half the width, if everything else is empty.
    fn central_quarters(&self) -> Option<[u32; 4]> {
        let children = self.quarters(self.root);
        let mut inner = [0; 4];
        for (quarter, child) in children.into_iter().enumerate() {
            if matches!(self.node(child), Node::Leaf8(_) | Node::Leaf2(_)) {
                return None;
            }
            let quarters = self.quarters(child);
            let innermost = 3 - quarter;
            if (0..4).any(|q| q != innermost && quarters[q] != 0) {
                return None;
            }
            inner[quarter] = quarters[innermost];
        }
        Some(inner)
    }

    /// Whether two trees hold the same cells.
    pub(crate) fn same_cells(&self, other: &Self) -> bool {
        let small = self.has_leaf2() || other.has_leaf2();
        let mut interner = Interner::for_nodes(self.nodes.len() + other.nodes.len());
        let mut sides = [self, other].map(|tree| (interner.add_tree(tree, small), tree.level));
        if sides[0].0 == 0 || sides[1].0 == 0 {
            return sides[0].0 == sides[1].0;
        }
        // Bring the larger one down to the level of the other.
        sides.sort_by_key(|side| side.1);
        let [(low_root, low), (mut root, mut level)] = sides;
        let mut tree = Self {
            nodes: std::mem::take(&mut interner.nodes),
            root,
            level,
        };
        while level > low {
            tree.root = root;
            let Some(inner) = tree.central_quarters() else {
                return false;
            };
            // Only the node to compare with can be meant, so no other is looked for.
            if level - 1 == low {
                return tree.quarters(low_root) == inner && tree.node(low_root) != Node::Empty;
            }
            root = tree.push(Node::Branch(inner));
            level -= 1;
        }
        root == low_root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_node_once() {
        let mut interner = Interner::new();
        let node = |k: u32| match k % 3 {
            0 => Node::Leaf8(u64::from(k) + 1),
            1 => Node::Leaf2((k + 1).to_le_bytes()),
            _ => Node::Branch([k, 0, k / 2, 1]),
        };
        // Well past the first slots.
        let places: Vec<u32> = (0..3000).map(|k| interner.add(node(k))).collect();
        assert_eq!(places, (1..=3000).collect::<Vec<_>>());
        let again: Vec<u32> = (0..3000).map(|k| interner.add(node(k))).collect();
        assert_eq!(again, places);
        assert_eq!(interner.nodes.len(), 3001);
        assert_eq!(interner.add(Node::Branch([0; 4])), 0);
    }
}
