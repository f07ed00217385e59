use super::{Node, Tree};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Collects nodes, each different one once. What has no live cell is node 0.
#[derive(Debug)]
pub(crate) struct Interner {
    pub(crate) nodes: Vec<Node>,
    known: HashMap<Node, u32, BuildHasherDefault<Mixer>>,
}

impl Interner {
    pub(crate) fn new() -> Self {
        Self {
            nodes: vec![Node::Empty],
            known: HashMap::default(),
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
        let next = u32::try_from(self.nodes.len()).expect("a tree of 2^32 nodes fills no machine");
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            next
        })
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
    /// The smallest tree with the same cells and kind of leaves: each different square
    /// once, no node that the root does not lead to, no empty border.
    pub(crate) fn canonical(&self) -> Self {
        let mut interner = Interner::new();
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
        while let Some(inner) = tree.inner() {
            tree.root = tree.push(Node::Branch(inner));
            tree.level -= 1;
            trimmed = true;
        }
        if trimmed {
            // The outer squares are left behind.
            let mut interner = Interner::new();
            tree.root = interner.add_tree(&tree, false);
            tree.nodes = interner.nodes;
        }
        tree
    }

    /// The children of the square of half the width in the middle, if all else is empty.
    fn inner(&self) -> Option<[u32; 4]> {
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
        let mut interner = Interner::new();
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
            let Some(inner) = tree.inner() else {
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

/// A quick hash for nodes; nobody profits from making them collide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e6c_63d0_876a_3f6d);
    }
}

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u32(&mut self, n: u32) {
        self.mix(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.mix(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.mix(n as u64);
    }
}
