//! Translation of a tree: each node of the result is a window on a 2 x 2 block of old nodes.
//! (Own method.)

use super::{Interner, Node, Tree};
use std::collections::HashMap;

struct TranslationWindow<'a> {
    tree: &'a Tree,
    known: HashMap<(u32, [u32; 4]), u32>,
    out: Interner,
    /// The offset of the window from the corner of the four nodes; the lower bits are used at
    /// lower levels.
    x: u128,
    y: u128,
}

impl Tree {
    pub(crate) fn translated(&self, dx: i64, dy: i64) -> Self {
        // A root so large that the moved cells stay inside: neither the cells nor the move
        // take more than a quarter of its width to each side.
        let mut tree = self.clone();
        if tree.nodes.is_empty() {
            return tree;
        }
        let distance = dx.unsigned_abs().max(dy.unsigned_abs());
        let enough = tree.level.max(64 - distance.leading_zeros()) + 2;
        while tree.level < enough {
            tree.surround();
        }
        let mut window = TranslationWindow {
            tree: &tree,
            known: HashMap::new(),
            out: Interner::new(),
            x: (-i128::from(dx)) as u128,
            y: (-i128::from(dy)) as u128,
        };
        // The four nodes of the root's size at whose corner the window lies. A negative offset
        // in two's complement is one node further left, and up.
        let root = tree.root;
        let squares = match (dx > 0, dy > 0) {
            (false, false) => [root, 0, 0, 0],
            (true, false) => [0, root, 0, 0],
            (false, true) => [0, 0, root, 0],
            (true, true) => [0, 0, 0, root],
        };
        let root = window.at(tree.level, squares);
        let nodes = window.out.nodes;
        Self {
            nodes,
            root,
            level: tree.level,
        }
    }

    /// Twice the width, the cells where they were.
    pub(crate) fn surround(&mut self) {
        let [nw, ne, sw, se] = self.quarters(self.root);
        let mut outer = [0; 4];
        for (quarter, child) in [nw, ne, sw, se].into_iter().enumerate() {
            if child == 0 {
                continue;
            }
            let mut children = [0; 4];
            children[3 - quarter] = child;
            outer[quarter] = self.push(Node::Branch(children));
        }
        self.root = if outer == [0; 4] {
            0
        } else {
            self.push(Node::Branch(outer))
        };
        self.level += 1;
    }

    /// Adds a node without interning it.
    pub(super) fn push(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }
}

impl TranslationWindow<'_> {
    fn bit(offset: u128, level: u32) -> usize {
        // Above bit 127 there are only copies of the sign.
        (offset >> level.min(127) & 1) as usize
    }

    /// The node of `level` that the window selects from a 2 x 2 block of that level.
    fn at(&mut self, level: u32, squares: [u32; 4]) -> u32 {
        if squares == [0; 4] {
            return 0;
        }
        if let Some(&known) = self.known.get(&(level, squares)) {
            return known;
        }
        self.out.checkpoints.step();
        let leaf = squares.map(|square| self.tree.node(square));
        let node = if leaf.iter().any(|node| matches!(node, Node::Leaf8(_))) {
            self.leaf8(leaf)
        } else if leaf.iter().any(|node| matches!(node, Node::Leaf2(_))) {
            self.leaf2(leaf)
        } else {
            // 4 x 4 nodes of the level below; the window starts in one of the first 2 x 2.
            let children = squares.map(|square| self.tree.quarters(square));
            let below = level - 1;
            let (left, top) = (Self::bit(self.x, below), Self::bit(self.y, below));
            let child = |column: usize, row: usize| {
                children[row / 2 * 2 + column / 2][row % 2 * 2 + column % 2]
            };
            let mut quarters = [0; 4];
            for (quarter, place) in quarters.iter_mut().enumerate() {
                let (column, row) = (left + quarter % 2, top + quarter / 2);
                let four = [
                    child(column, row),
                    child(column + 1, row),
                    child(column, row + 1),
                    child(column + 1, row + 1),
                ];
                *place = self.at(below, four);
            }
            Node::Branch(quarters)
        };
        let index = self.out.add(node);
        self.known.insert((level, squares), index);
        index
    }

    fn leaf8(&self, leaves: [Node; 4]) -> Node {
        let cells = leaves.map(|leaf| match leaf {
            Node::Leaf8(cells) => cells,
            _ => 0,
        });
        let (left, top) = ((self.x & 7) as usize, (self.y & 7) as usize);
        let mut seen = [0; 8];
        for (row, bits) in seen.iter_mut().enumerate() {
            let from = 2 * ((row + top) / 8);
            let byte = |cells: u64| u16::from(cells.to_le_bytes()[(row + top) % 8]);
            *bits = ((byte(cells[from]) | byte(cells[from + 1]) << 8) >> left) as u8;
        }
        Node::Leaf8(u64::from_le_bytes(seen))
    }

    fn leaf2(&self, leaves: [Node; 4]) -> Node {
        let cells = leaves.map(|leaf| match leaf {
            Node::Leaf2(cells) => cells,
            _ => [0; 4],
        });
        let (left, top) = ((self.x & 1) as usize, (self.y & 1) as usize);
        let mut seen = [0; 4];
        for (quarter, state) in seen.iter_mut().enumerate() {
            let (column, row) = (left + quarter % 2, top + quarter / 2);
            *state = cells[row / 2 * 2 + column / 2][row % 2 * 2 + column % 2];
        }
        Node::Leaf2(seen)
    }
}
