//! Conversion between the store and a file's quadtree, and access to single cells and
//! rectangles.

use super::post_order::{MAX_RECURSIVE_LEVEL, PostOrder};
use super::store::{LEAF, NodeStore, StoreCapacityError};
use grid::{Point, Rect, State};
use pattern::interrupt::Checkpoints;
use pattern::{Node, Run, Tree};
use std::collections::HashMap;

/// Interns a file's quadtree.
pub(super) struct Reader<'a> {
    store: &'a NodeStore,
    tree: &'a Tree,
    memo: Vec<Option<u32>>,
    checkpoints: Checkpoints,
}

impl<'a> Reader<'a> {
    pub(super) fn new(store: &'a NodeStore, tree: &'a Tree) -> Self {
        let memo = vec![None; tree.nodes.len()];
        let checkpoints = Checkpoints::new();
        Self {
            store,
            tree,
            memo,
            checkpoints,
        }
    }

    /// Interns a subtree, which is at least as wide as a leaf.
    pub(super) fn intern_subtree(
        &mut self,
        tree_node: u32,
        level: u32,
    ) -> Result<u32, StoreCapacityError> {
        let mut order = PostOrder::new((tree_node, level));
        while let Some(((tree_node, level), is_ready)) = order.next() {
            if is_ready {
                self.intern_low_subtree(tree_node, level)?;
            } else if level > MAX_RECURSIVE_LEVEL
                && self.memo[tree_node as usize].is_none()
                && let Node::Branch(children) = self.tree.nodes[tree_node as usize]
            {
                for child in children.into_iter().rev() {
                    order.add_child((child, level - 1));
                }
            }
        }
        self.intern_low_subtree(tree_node, level)
    }

    /// [`Reader::intern_subtree`] at a low level, or where those of the next level were interned.
    fn intern_low_subtree(
        &mut self,
        tree_node: u32,
        level: u32,
    ) -> Result<u32, StoreCapacityError> {
        if let Some(node) = self.memo[tree_node as usize] {
            return Ok(node);
        }
        self.checkpoints.step();
        let node = match self.tree.nodes[tree_node as usize] {
            Node::Empty => 0,
            Node::Branch(children) if level > self.store.leaf_kind.level() => {
                let mut four = [0; 4];
                for (node, child) in four.iter_mut().zip(children) {
                    *node = self.intern_low_subtree(child, level - 1)?;
                }
                self.store.intern_node(four)?
            }
            Node::Leaf8(bits) if level > self.store.leaf_kind.level() => {
                let corners = [(0, 0), (4, 0), (0, 4), (4, 4)];
                let mut four = [0; 4];
                for (node, corner) in four.iter_mut().zip(corners) {
                    *node = self.intern_quarter(bits, corner)?;
                }
                self.store.intern_node(four)?
            }
            _ => {
                let mut leaf = self.store.leaf_kind.empty();
                self.paint(&mut leaf, tree_node, level, 0, 0);
                self.store.intern_leaf(&leaf)?
            }
        };
        self.memo[tree_node as usize] = Some(node);
        Ok(node)
    }

    /// Interns a quarter of 8 x 8 cells as a leaf of 4 x 4.
    fn intern_quarter(
        &mut self,
        bits: u64,
        (left, top): (usize, usize),
    ) -> Result<u32, StoreCapacityError> {
        let mut leaf = self.store.leaf_kind.empty();
        for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
            if bits >> (8 * (top + y) + left + x) & 1 == 1 {
                self.store.leaf_kind.set(&mut leaf, x, y, 1);
            }
        }
        self.store.intern_leaf(&leaf)
    }

    fn paint(&self, leaf: &mut [u64], tree_node: u32, level: u32, x: usize, y: usize) {
        match self.tree.nodes[tree_node as usize] {
            Node::Empty => {}
            Node::Leaf8(bits) => self.store.leaf_kind.paint8(leaf, x, y, bits),
            Node::Leaf2(states) => {
                for (i, state) in states.into_iter().enumerate() {
                    self.store.leaf_kind.set(leaf, x + i % 2, y + i / 2, state);
                }
            }
            Node::Branch(children) => {
                let half = 1 << (level - 1);
                for (i, child) in children.into_iter().enumerate() {
                    let (dx, dy) = (i % 2 * half, i / 2 * half);
                    self.paint(leaf, child, level - 1, x + dx, y + dy);
                }
            }
        }
    }
}

/// Exports a node as a file's quadtree. `two_state` chooses the kind of leaf.
pub(super) fn export_tree(store: &NodeStore, root: u32, level: u32, two_state: bool) -> Tree {
    let mut writer = Writer {
        store,
        two_state,
        tree: Tree {
            nodes: vec![Node::Empty],
            root: 0,
            level,
        },
        exported: HashMap::new(),
        shared: HashMap::new(),
        checkpoints: Checkpoints::new(),
    };
    writer.tree.root = writer.export_root(root, level);
    writer.tree
}

struct Writer<'a> {
    store: &'a NodeStore,
    two_state: bool,
    tree: Tree,
    /// Exported nodes, by id in the store.
    exported: HashMap<u32, u32>,
    /// Exported parts of leaves, which the store does not share.
    shared: HashMap<Node, u32>,
    checkpoints: Checkpoints,
}

impl Writer<'_> {
    fn export_root(&mut self, root: u32, level: u32) -> u32 {
        let mut order = PostOrder::new((root, level));
        while let Some(((node, level), is_ready)) = order.next() {
            if is_ready {
                self.export_node(node);
            } else if level > MAX_RECURSIVE_LEVEL && node != 0 && !self.exported.contains_key(&node)
            {
                for child in self.store.children(node).into_iter().rev() {
                    order.add_child((child, level - 1));
                }
            }
        }
        self.export_node(root)
    }

    /// Exports a node of a low level, or one whose children were exported.
    fn export_node(&mut self, node: u32) -> u32 {
        if node == 0 {
            return 0;
        }
        if let Some(&tree_node) = self.exported.get(&node) {
            return tree_node;
        }
        self.checkpoints.step();
        let tree_node = if node & LEAF != 0 {
            let level = self.store.leaf_kind.level();
            self.export_leaf_part(&self.store.leaf(node), level, 0, 0)
        } else {
            let children = self
                .store
                .children(node)
                .map(|child| self.export_node(child));
            self.push(Node::Branch(children))
        };
        self.exported.insert(node, tree_node);
        tree_node
    }

    /// Exports a part of a leaf, 2^level cells wide, with its top-left cell at (x, y).
    fn export_leaf_part(&mut self, leaf: &[u64], level: u32, x: usize, y: usize) -> u32 {
        let half = 1 << (level - 1);
        let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
        let tree_node = if self.two_state && level == 3 {
            Node::Leaf8(self.store.leaf_kind.bits8(leaf, x, y))
        } else if level == 1 {
            Node::Leaf2(corners.map(|(x, y)| self.store.leaf_kind.get(leaf, x, y)))
        } else {
            Node::Branch(corners.map(|(x, y)| self.export_leaf_part(leaf, level - 1, x, y)))
        };
        if matches!(
            tree_node,
            Node::Leaf8(0) | Node::Leaf2([0, 0, 0, 0]) | Node::Branch([0, 0, 0, 0])
        ) {
            return 0;
        }
        if let Some(&memo) = self.shared.get(&tree_node) {
            return memo;
        }
        let i = self.push(tree_node);
        self.shared.insert(tree_node, i);
        i
    }

    fn push(&mut self, tree_node: Node) -> u32 {
        self.tree.nodes.push(tree_node);
        self.tree.nodes.len() as u32 - 1
    }
}

impl NodeStore {
    /// Appends the live cells of a node that are in `rect`, as unordered runs. The node's
    /// top-left cell is (`x`, `y`).
    pub(super) fn runs(
        &self,
        node: u32,
        level: u32,
        (x, y): (i64, i64),
        rect: &Rect,
        out: &mut Vec<Run>,
        checkpoints: &mut Checkpoints,
    ) {
        let side = 1u64 << level;
        let visible = Rect::new(x, y, side, side).intersection(rect);
        if node == 0 || visible.is_empty() {
            return;
        }
        if node & LEAF == 0 {
            let half = 1i64 << (level - 1);
            let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
            for (child, corner) in self.children(node).into_iter().zip(corners) {
                self.runs(child, level - 1, corner, rect, out, checkpoints);
            }
            return;
        }
        checkpoints.step();
        let leaf = &self.leaf(node);
        for row in visible.y..visible.bottom() {
            let mut column = visible.x;
            while column < visible.right() {
                let state = |c: i64| {
                    self.leaf_kind
                        .get(leaf, (c - x) as usize, (row - y) as usize)
                };
                let start = (column, state(column));
                while column < visible.right() && state(column) == start.1 {
                    column += 1;
                }
                if start.1 != 0 {
                    out.push(Run {
                        y: row,
                        x: start.0,
                        length: column.abs_diff(start.0),
                        state: start.1,
                    });
                }
            }
        }
    }

    /// Calls `f` for the leaves of a node that overlap `rect`, with their top-left cells. The
    /// node's own is (`x`, `y`).
    pub(super) fn leaves_in(
        &self,
        node: u32,
        level: u32,
        (x, y): (i64, i64),
        rect: &Rect,
        f: &mut dyn FnMut(&[u64], i64, i64),
    ) {
        let side = 1u64 << level;
        if node == 0 || Rect::new(x, y, side, side).intersection(rect).is_empty() {
            return;
        }
        if node & LEAF != 0 {
            return f(&self.leaf(node), x, y);
        }
        let half = 1i64 << (level - 1);
        let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
        for (child, corner) in self.children(node).into_iter().zip(corners) {
            self.leaves_in(child, level - 1, corner, rect, f);
        }
    }

    /// The state of the cell `x` columns and `y` rows from the node's top-left cell.
    pub(super) fn state(&self, node: u32, level: u32, x: u64, y: u64) -> State {
        if node == 0 {
            return 0;
        }
        if node & LEAF != 0 {
            return self.leaf_kind.get(&self.leaf(node), x as usize, y as usize);
        }
        let half = 1 << (level - 1);
        let corner = usize::from(x >= half) + 2 * usize::from(y >= half);
        let child = self.children(node)[corner];
        self.state(child, level - 1, x % half, y % half)
    }

    /// The node with one cell set.
    pub(super) fn with_cell(
        &self,
        node: u32,
        level: u32,
        x: u64,
        y: u64,
        state: State,
    ) -> Result<u32, StoreCapacityError> {
        if level == self.leaf_kind.level() {
            let mut leaf = self.leaf(node);
            self.leaf_kind.set(&mut leaf, x as usize, y as usize, state);
            return self.intern_leaf(&leaf);
        }
        let half = 1 << (level - 1);
        let corner = usize::from(x >= half) + 2 * usize::from(y >= half);
        let mut children = self.children(node);
        children[corner] =
            self.with_cell(children[corner], level - 1, x % half, y % half, state)?;
        self.intern_node(children)
    }

    /// The node with the cells in `rect` only; its top-left cell is `corner`.
    pub(super) fn clip(
        &self,
        node: u32,
        level: u32,
        corner: (i64, i64),
        rect: &Rect,
    ) -> Result<u32, StoreCapacityError> {
        self.clip_memoised(node, level, corner, rect, true, &mut HashMap::new())
    }

    /// The node without the cells in `rect`; its top-left cell is `corner`.
    pub(super) fn erase(
        &self,
        node: u32,
        level: u32,
        corner: (i64, i64),
        rect: &Rect,
    ) -> Result<u32, StoreCapacityError> {
        self.clip_memoised(node, level, corner, rect, false, &mut HashMap::new())
    }

    /// The node with only the cells inside `rect`, or only those outside it.
    fn clip_memoised(
        &self,
        node: u32,
        level: u32,
        (x, y): (i64, i64),
        rect: &Rect,
        keep_inside: bool,
        memo: &mut HashMap<(u32, Rect), u32>,
    ) -> Result<u32, StoreCapacityError> {
        let side = 1u64 << level;
        let whole = Rect::new(x, y, side, side);
        let inside = whole.intersection(rect);
        if node == 0 {
            return Ok(0);
        }
        if inside.is_empty() {
            return Ok(if keep_inside { 0 } else { node });
        }
        if inside == whole {
            return Ok(if keep_inside { node } else { 0 });
        }
        // Equal nodes that are clipped alike are clipped once.
        let cut = Rect {
            x: inside.x - x,
            y: inside.y - y,
            ..inside
        };
        if let Some(&clipped) = memo.get(&(node, cut)) {
            return Ok(clipped);
        }
        let clipped = if node & LEAF != 0 {
            let mut leaf = self.leaf(node);
            for (row, column) in (0..side).flat_map(|row| (0..side).map(move |c| (row, c))) {
                if cut.contains(Point::new(column as i64, row as i64)) != keep_inside {
                    self.leaf_kind
                        .set(&mut leaf, column as usize, row as usize, 0);
                }
            }
            self.intern_leaf(&leaf)?
        } else {
            let half = 1i64 << (level - 1);
            let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
            let mut four = self.children(node);
            for (child, corner) in four.iter_mut().zip(corners) {
                *child = self.clip_memoised(*child, level - 1, corner, rect, keep_inside, memo)?;
            }
            self.intern_node(four)?
        };
        memo.insert((node, cut), clipped);
        Ok(clipped)
    }

    /// Two nodes overlaid; where both have a live cell, `above` wins.
    pub(super) fn overlay(
        &self,
        below: u32,
        above: u32,
        level: u32,
        memo: &mut HashMap<(u32, u32), u32>,
        checkpoints: &mut Checkpoints,
    ) -> Result<u32, StoreCapacityError> {
        let mut order = PostOrder::new((below, above, level));
        while let Some(((below, above, level), is_ready)) = order.next() {
            if is_ready {
                self.overlay_low(below, above, level, memo, checkpoints)?;
            } else if level > MAX_RECURSIVE_LEVEL
                && below != 0
                && above != 0
                && !memo.contains_key(&(below, above))
            {
                let (b, a) = (self.children(below), self.children(above));
                for (b, a) in b.into_iter().zip(a).rev() {
                    order.add_child((b, a, level - 1));
                }
            }
        }
        self.overlay_low(below, above, level, memo, checkpoints)
    }

    /// [`NodeStore::overlay`] at a low level, or where those of the next level are known.
    fn overlay_low(
        &self,
        below: u32,
        above: u32,
        level: u32,
        memo: &mut HashMap<(u32, u32), u32>,
        checkpoints: &mut Checkpoints,
    ) -> Result<u32, StoreCapacityError> {
        if below == 0 || above == 0 {
            return Ok(below | above);
        }
        if let Some(&node) = memo.get(&(below, above)) {
            return Ok(node);
        }
        checkpoints.step();
        let node = if level == self.leaf_kind.level() {
            let mut leaf = self.leaf(below);
            let above = &self.leaf(above);
            let side = 1 << level;
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                let state = self.leaf_kind.get(above, x, y);
                if state != 0 {
                    self.leaf_kind.set(&mut leaf, x, y, state);
                }
            }
            self.intern_leaf(&leaf)?
        } else {
            let (b, a) = (self.children(below), self.children(above));
            let mut four = [0; 4];
            for i in 0..4 {
                four[i] = self.overlay_low(b[i], a[i], level - 1, memo, checkpoints)?;
            }
            self.intern_node(four)?
        };
        memo.insert((below, above), node);
        Ok(node)
    }
}
