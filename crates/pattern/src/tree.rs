mod builder;
mod interner;
mod measurement;
mod translation;
mod traversal;

pub(crate) use interner::Interner;

use grid::State;

/// A shared quadtree of cells, as macrocell files and hashed worlds hold them.
///
/// A node of level `k` is 2^k cells wide. The root's columns are -2^(k-1) to 2^(k-1) - 1 and
/// its rows 1 - 2^(k-1) to 2^(k-1): the cell (0, 0) is the **bottom-left cell of its
/// north-east child**, and the top-left cell of the south-east child is (0, 1). That is
/// where macrocell files put it. Child before parent; node 0 is empty, of any level.
///
/// ```
/// use pattern::{Node, Pattern};
///
/// let tree = Pattern::from_text("o!")?.cells.to_tree();
/// let Node::Branch([_, north_east, ..]) = tree.nodes[tree.root as usize] else {
///     panic!("a root has children");
/// };
/// assert_eq!(tree.nodes[north_east as usize], Node::Leaf8(1 << (8 * 7))); // its bottom left
/// # Ok::<(), pattern::ReadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The nodes; `nodes[0]` is always [`Node::Empty`].
    pub nodes: Vec<Node>,
    /// The root's index.
    pub root: u32,
    /// The root's level; at least 4 where there are [`Node::Leaf8`]s, at least 2 else.
    pub level: u32,
}

/// A node of a [`Tree`]. Children are given as north-west, north-east, south-west,
/// south-east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// No live cell.
    Empty,
    /// 8 x 8 cells of states 0 and 1 (level 3): bit `8 * y + x`.
    Leaf8(u64),
    /// 2 x 2 cells of any state (level 1).
    Leaf2([State; 4]),
    /// Four nodes of the level below.
    Branch([u32; 4]),
}

impl Tree {
    /// Levels above this are refused by the reader: 2^2048 cells should be enough.
    pub(crate) const HIGHEST: u32 = 2048;

    /// Calls `f` with each occurrence of a non-empty 8 x 8 leaf: the coordinates of its
    /// top-left cell, and its cells as in [`Node::Leaf8`]; in quadtree order, not row by row.
    /// Returns whether it did: false for trees of more than two states and for trees wider than
    /// 2^62 cells, without a call.
    ///
    /// ```
    /// let (pattern, _) = pattern::read(b"[M2] (x)\n$*$\n4 0 0 0 1\n")?;
    /// let mut leaves = Vec::new();
    /// let tree = pattern.cells.as_tree().expect("macrocell files hold trees");
    /// assert!(tree.for_each_leaf(&mut |x, y, cells| leaves.push((x, y, cells))));
    /// assert_eq!(leaves, [(0, 1, 1 << 8)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn for_each_leaf(&self, f: &mut dyn FnMut(i64, i64, u64)) -> bool {
        self.walk_leaves(f)
    }

    pub(crate) fn node(&self, index: u32) -> Node {
        self.nodes
            .get(index as usize)
            .copied()
            .unwrap_or(Node::Empty)
    }

    /// The four quarters of a branch; those of an empty node are empty.
    pub(crate) fn quarters(&self, index: u32) -> [u32; 4] {
        match self.node(index) {
            Node::Branch(children) => children,
            _ => [0; 4],
        }
    }

    /// Whether the root leads to 2 x 2 leaves.
    pub(crate) fn has_leaf2(&self) -> bool {
        let reached = self.reached();
        let mut nodes = self.nodes.iter().zip(reached);
        nodes.any(|(node, reached)| reached && matches!(node, Node::Leaf2(_)))
    }

    /// Which nodes the root leads to.
    fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        if let Some(root) = reached.get_mut(self.root as usize) {
            *root = true;
        }
        for index in (1..self.nodes.len()).rev() {
            if !reached[index] {
                continue;
            }
            if let Node::Branch(children) = self.nodes[index] {
                for child in children {
                    reached[child as usize] = true;
                }
            }
        }
        reached
    }
}
