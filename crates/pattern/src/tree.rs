use grid::State;

/// A shared quadtree of cells, as macrocell files and hashed worlds hold them.
///
/// A node of level `k` is 2^k cells wide. The root is centred: the cell (0, 0) is the
/// top-left cell of its south-east child. Child before parent; node 0 is empty, of any
/// level.
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
