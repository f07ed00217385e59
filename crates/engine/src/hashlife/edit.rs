//! Changing cells: what was not touched keeps its nodes, and so their results.

use super::conversion::Reader;
use super::store::{NodeStore, StoreCapacityError};
use super::{HashlifeWorld, Quadrant};
use grid::{Point, State};
use pattern::{Node, Tree};

impl HashlifeWorld {
    /// Imports a quadtree; returns its root and its level.
    pub(super) fn import_tree(&mut self, tree: &Tree) -> Result<(u32, u32), StoreCapacityError> {
        let padded;
        let least = self.store.leaf_kind.level() + 2;
        let tree = if tree.level < least {
            padded = padded_tree(tree, least);
            &padded
        } else {
            tree
        };
        let root = Reader::new(&self.store, tree).intern_subtree(tree.root, tree.level)?;
        Ok((root, tree.level))
    }

    /// The node with one cell set. The node's corner opposite to `corner` touches the origin.
    pub(super) fn with_cell_near_origin(
        &self,
        node: u32,
        level: u32,
        corner: usize,
        p: Point,
        state: State,
    ) -> Result<u32, StoreCapacityError> {
        let inner = 3 - corner;
        let (mut node, mut ancestors) = (node, Vec::new());
        for _ in 61..level {
            let children = self.store.children(node);
            node = children[inner];
            ancestors.push(children);
        }
        let level = level.min(61);
        let side = 1i64 << level;
        let within = |c: i64| if c < 0 { c + side } else { c } as u64;
        let mut changed = self
            .store
            .with_cell(node, level, within(p.x), within(p.y), state)?;
        for mut children in ancestors.into_iter().rev() {
            children[inner] = changed;
            changed = self.store.intern_node(children)?;
        }
        Ok(changed)
    }

    /// Replaces the nodes of [`HashlifeWorld::central_quadrants`]. What lies further out is
    /// kept or emptied.
    pub(super) fn replace_central(
        &mut self,
        outer_stays: bool,
        mut change: impl FnMut(&NodeStore, u32, u32, (i64, i64)) -> Result<u32, StoreCapacityError>,
    ) {
        self.root =
            self.retry_growing(|world| world.with_central_replaced(outer_stays, &mut change));
        self.retry_growing(Self::shrink);
        self.invalidate_array();
    }

    fn with_central_replaced(
        &self,
        outer_stays: bool,
        change: &mut impl FnMut(&NodeStore, u32, u32, (i64, i64)) -> Result<u32, StoreCapacityError>,
    ) -> Result<u32, StoreCapacityError> {
        let (level, near) = self.central_quadrants();
        let store = &self.store;
        let mut four = [0; 4];
        for (changed, Quadrant { node, corner }) in four.iter_mut().zip(near) {
            *changed = change(store, node, level, corner)?;
        }
        // The ancestors of the central quadrants, outermost first.
        let mut outer = vec![store.children(self.root)];
        for _ in level + 1..self.level {
            let last = outer[outer.len() - 1];
            let inner = |i: usize| store.children(last[i])[3 - i];
            outer.push(std::array::from_fn(inner));
        }
        outer.pop();
        for around in outer.into_iter().rev() {
            for (i, node) in four.iter_mut().enumerate() {
                let mut children = if outer_stays {
                    store.children(around[i])
                } else {
                    [0; 4]
                };
                children[3 - i] = *node;
                *node = store.intern_node(children)?;
            }
        }
        store.intern_node(four)
    }
}

/// The same tree in a root 2^level cells wide.
fn padded_tree(tree: &Tree, level: u32) -> Tree {
    let mut padded = tree.clone();
    while padded.level < level {
        if let Node::Branch([nw, ne, sw, se]) = padded.nodes[padded.root as usize] {
            let first = padded.nodes.len() as u32;
            padded.nodes.push(Node::Branch([0, 0, 0, nw]));
            padded.nodes.push(Node::Branch([0, 0, ne, 0]));
            padded.nodes.push(Node::Branch([0, sw, 0, 0]));
            padded.nodes.push(Node::Branch([se, 0, 0, 0]));
            padded
                .nodes
                .push(Node::Branch([first, first + 1, first + 2, first + 3]));
            padded.root = first + 4;
        }
        padded.level += 1;
    }
    padded
}
