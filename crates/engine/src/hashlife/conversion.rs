//! Between the store and the quadtree that files hold, and cells one by one.

use super::store::{LEAF, NodeStore, StoreCapacityError};
use grid::{Point, Rect, State};
use pattern::interrupt::Checkpoints;
use pattern::{Node, Run, Tree};
use std::collections::HashMap;

/// Interns a file's quadtree.
pub(super) struct Reader<'a> {
    store: &'a NodeStore,
    tree: &'a Tree,
    known: Vec<Option<u32>>,
    checkpoints: Checkpoints,
}

impl<'a> Reader<'a> {
    pub(super) fn new(store: &'a NodeStore, tree: &'a Tree) -> Self {
        let known = vec![None; tree.nodes.len()];
        let checkpoints = Checkpoints::new();
        Self {
            store,
            tree,
            known,
            checkpoints,
        }
    }

    /// The square for a node of the tree, which is at least as wide as a leaf.
    pub(super) fn square(&mut self, node: u32, level: u32) -> Result<u32, StoreCapacityError> {
        if let Some(square) = self.known[node as usize] {
            return Ok(square);
        }
        self.checkpoints.step();
        let square = match self.tree.nodes[node as usize] {
            Node::Empty => 0,
            Node::Branch(children) if level > self.store.leaf_kind.level() => {
                let mut four = [0; 4];
                for (square, child) in four.iter_mut().zip(children) {
                    *square = self.square(child, level - 1)?;
                }
                self.store.node(four)?
            }
            Node::Leaf8(bits) if level > self.store.leaf_kind.level() => {
                let corners = [(0, 0), (4, 0), (0, 4), (4, 4)];
                let mut four = [0; 4];
                for (square, corner) in four.iter_mut().zip(corners) {
                    *square = self.quarter(bits, corner)?;
                }
                self.store.node(four)?
            }
            _ => {
                let mut leaf = self.store.leaf_kind.empty();
                self.paint(&mut leaf, node, level, 0, 0);
                self.store.intern(&leaf)?
            }
        };
        self.known[node as usize] = Some(square);
        Ok(square)
    }

    /// The leaf of 4 x 4 cells for a quarter of 8 x 8 cells.
    fn quarter(
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
        self.store.intern(&leaf)
    }

    fn paint(&self, leaf: &mut [u64], node: u32, level: u32, x: usize, y: usize) {
        match self.tree.nodes[node as usize] {
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

/// The quadtree of a square, as files hold it. `two_state` chooses the kind of leaf.
pub(super) fn tree_of(store: &NodeStore, root: u32, level: u32, two_state: bool) -> Tree {
    let mut writer = Writer {
        store,
        two_state,
        tree: Tree {
            nodes: vec![Node::Empty],
            root: 0,
            level,
        },
        squares: HashMap::new(),
        shared: HashMap::new(),
        checkpoints: Checkpoints::new(),
    };
    writer.tree.root = writer.square(root);
    writer.tree
}

struct Writer<'a> {
    store: &'a NodeStore,
    two_state: bool,
    tree: Tree,
    /// By square of the store.
    squares: HashMap<u32, u32>,
    /// By node of the tree: parts of leaves, which the store does not share.
    shared: HashMap<Node, u32>,
    checkpoints: Checkpoints,
}

impl Writer<'_> {
    fn square(&mut self, square: u32) -> u32 {
        if square == 0 {
            return 0;
        }
        if let Some(&node) = self.squares.get(&square) {
            return node;
        }
        self.checkpoints.step();
        let node = if square & LEAF != 0 {
            let level = self.store.leaf_kind.level();
            self.part(&self.store.leaf(square), level, 0, 0)
        } else {
            let children = self.store.children(square).map(|child| self.square(child));
            self.push(Node::Branch(children))
        };
        self.squares.insert(square, node);
        node
    }

    /// A part of a leaf, 2^level cells wide, its corner at (x, y).
    fn part(&mut self, leaf: &[u64], level: u32, x: usize, y: usize) -> u32 {
        let half = 1 << (level - 1);
        let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
        let node = if self.two_state && level == 3 {
            Node::Leaf8(self.store.leaf_kind.bits8(leaf, x, y))
        } else if level == 1 {
            Node::Leaf2(corners.map(|(x, y)| self.store.leaf_kind.get(leaf, x, y)))
        } else {
            Node::Branch(corners.map(|(x, y)| self.part(leaf, level - 1, x, y)))
        };
        if matches!(
            node,
            Node::Leaf8(0) | Node::Leaf2([0, 0, 0, 0]) | Node::Branch([0, 0, 0, 0])
        ) {
            return 0;
        }
        if let Some(&known) = self.shared.get(&node) {
            return known;
        }
        let i = self.push(node);
        self.shared.insert(node, i);
        i
    }

    fn push(&mut self, node: Node) -> u32 {
        self.tree.nodes.push(node);
        self.tree.nodes.len() as u32 - 1
    }
}

impl NodeStore {
    /// The live cells of a square that lie in `rect`, as runs in no order. The square's
    /// corner is at (`x`, `y`).
    pub(super) fn runs(
        &self,
        square: u32,
        level: u32,
        (x, y): (i64, i64),
        rect: &Rect,
        out: &mut Vec<Run>,
        checkpoints: &mut Checkpoints,
    ) {
        let side = 1u64 << level;
        let seen = Rect::new(x, y, side, side).intersection(rect);
        if square == 0 || seen.is_empty() {
            return;
        }
        if square & LEAF == 0 {
            let half = 1i64 << (level - 1);
            let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
            for (child, corner) in self.children(square).into_iter().zip(corners) {
                self.runs(child, level - 1, corner, rect, out, checkpoints);
            }
            return;
        }
        checkpoints.step();
        let leaf = &self.leaf(square);
        for row in seen.y..seen.bottom() {
            let mut column = seen.x;
            while column < seen.right() {
                let state = |c: i64| {
                    self.leaf_kind
                        .get(leaf, (c - x) as usize, (row - y) as usize)
                };
                let start = (column, state(column));
                while column < seen.right() && state(column) == start.1 {
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

    /// Gives the leaves of a square that have cells of `rect`, with their corners. The
    /// square's corner is at (`x`, `y`).
    pub(super) fn leaves_in(
        &self,
        square: u32,
        level: u32,
        (x, y): (i64, i64),
        rect: &Rect,
        f: &mut dyn FnMut(&[u64], i64, i64),
    ) {
        let side = 1u64 << level;
        if square == 0 || Rect::new(x, y, side, side).intersection(rect).is_empty() {
            return;
        }
        if square & LEAF != 0 {
            return f(&self.leaf(square), x, y);
        }
        let half = 1i64 << (level - 1);
        let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
        for (child, corner) in self.children(square).into_iter().zip(corners) {
            self.leaves_in(child, level - 1, corner, rect, f);
        }
    }

    /// The state of a cell `x` columns and `y` rows from the square's corner.
    pub(super) fn state(&self, square: u32, level: u32, x: u64, y: u64) -> State {
        if square == 0 {
            return 0;
        }
        if square & LEAF != 0 {
            return self
                .leaf_kind
                .get(&self.leaf(square), x as usize, y as usize);
        }
        let half = 1 << (level - 1);
        let corner = usize::from(x >= half) + 2 * usize::from(y >= half);
        let child = self.children(square)[corner];
        self.state(child, level - 1, x % half, y % half)
    }

    /// The square with one cell set.
    pub(super) fn with_cell(
        &self,
        square: u32,
        level: u32,
        x: u64,
        y: u64,
        state: State,
    ) -> Result<u32, StoreCapacityError> {
        if level == self.leaf_kind.level() {
            let mut leaf = self.leaf(square);
            self.leaf_kind.set(&mut leaf, x as usize, y as usize, state);
            return self.intern(&leaf);
        }
        let half = 1 << (level - 1);
        let corner = usize::from(x >= half) + 2 * usize::from(y >= half);
        let mut children = self.children(square);
        children[corner] =
            self.with_cell(children[corner], level - 1, x % half, y % half, state)?;
        self.node(children)
    }

    /// The square with the cells of `rect` alone; its corner is at (`x`, `y`).
    pub(super) fn clipped(
        &self,
        square: u32,
        level: u32,
        corner: (i64, i64),
        rect: &Rect,
    ) -> Result<u32, StoreCapacityError> {
        self.cut(square, level, corner, rect, true, &mut HashMap::new())
    }

    /// The square without the cells of `rect`; its corner is at (`x`, `y`).
    pub(super) fn emptied(
        &self,
        square: u32,
        level: u32,
        corner: (i64, i64),
        rect: &Rect,
    ) -> Result<u32, StoreCapacityError> {
        self.cut(square, level, corner, rect, false, &mut HashMap::new())
    }

    /// The square with the cells that lie inside `rect`, or outside it.
    fn cut(
        &self,
        square: u32,
        level: u32,
        (x, y): (i64, i64),
        rect: &Rect,
        keeps: bool,
        known: &mut HashMap<(u32, Rect), u32>,
    ) -> Result<u32, StoreCapacityError> {
        let side = 1u64 << level;
        let whole = Rect::new(x, y, side, side);
        let inside = whole.intersection(rect);
        if square == 0 {
            return Ok(0);
        }
        if inside.is_empty() {
            return Ok(if keeps { 0 } else { square });
        }
        if inside == whole {
            return Ok(if keeps { square } else { 0 });
        }
        // Equal squares that are cut alike are cut once.
        let cut = Rect {
            x: inside.x - x,
            y: inside.y - y,
            ..inside
        };
        if let Some(&clipped) = known.get(&(square, cut)) {
            return Ok(clipped);
        }
        let clipped = if square & LEAF != 0 {
            let mut leaf = self.leaf(square);
            for (row, column) in (0..side).flat_map(|row| (0..side).map(move |c| (row, c))) {
                if cut.contains(Point::new(column as i64, row as i64)) != keeps {
                    self.leaf_kind
                        .set(&mut leaf, column as usize, row as usize, 0);
                }
            }
            self.intern(&leaf)?
        } else {
            let half = 1i64 << (level - 1);
            let corners = [(x, y), (x + half, y), (x, y + half), (x + half, y + half)];
            let mut four = self.children(square);
            for (child, corner) in four.iter_mut().zip(corners) {
                *child = self.cut(*child, level - 1, corner, rect, keeps, known)?;
            }
            self.node(four)?
        };
        known.insert((square, cut), clipped);
        Ok(clipped)
    }

    /// Two squares laid on each other; where both have a live cell, `above` wins.
    pub(super) fn overlaid(
        &self,
        below: u32,
        above: u32,
        level: u32,
        known: &mut HashMap<(u32, u32), u32>,
        checkpoints: &mut Checkpoints,
    ) -> Result<u32, StoreCapacityError> {
        if below == 0 || above == 0 {
            return Ok(below | above);
        }
        if let Some(&square) = known.get(&(below, above)) {
            return Ok(square);
        }
        checkpoints.step();
        let square = if level == self.leaf_kind.level() {
            let mut leaf = self.leaf(below);
            let above = &self.leaf(above);
            let side = 1 << level;
            for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                let state = self.leaf_kind.get(above, x, y);
                if state != 0 {
                    self.leaf_kind.set(&mut leaf, x, y, state);
                }
            }
            self.intern(&leaf)?
        } else {
            let (b, a) = (self.children(below), self.children(above));
            let mut four = [0; 4];
            for i in 0..4 {
                four[i] = self.overlaid(b[i], a[i], level - 1, known, checkpoints)?;
            }
            self.node(four)?
        };
        known.insert((below, above), square);
        Ok(square)
    }
}
