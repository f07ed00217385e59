//! Nodes after their descendants, for trees that are deeper than the thread's stack.
//!
//! A root after 10^3000 generations is ten thousand levels above the leaves. What is computed from
//! the children of a node is computed by recursion in the lowest levels, which is quicker, and in
//! this order above them. Own method.

/// Levels up to which a recursion may use the thread's stack.
pub(super) const MAX_RECURSIVE_LEVEL: u32 = 64;

/// An iterator over nodes, each of which comes twice: first for its children to be added, and then
/// when these have been completed.
///
/// ```text
/// let mut order = PostOrder::new(root);
/// while let Some((node, is_ready)) = order.next() { … }
/// ```
pub(super) struct PostOrder<T> {
    /// The nodes to come, the next one last, and whether their children were added.
    pending: Vec<(T, bool)>,
}

impl<T: Copy> PostOrder<T> {
    pub(super) fn new(root: T) -> Self {
        Self {
            pending: vec![(root, false)],
        }
    }

    /// Adds children of the node that has just come for the first time. The last one comes first.
    pub(super) fn add_child(&mut self, child: T) {
        self.pending.push((child, false));
    }
}

impl<T: Copy> Iterator for PostOrder<T> {
    /// A node, and whether its children are complete.
    type Item = (T, bool);

    fn next(&mut self) -> Option<(T, bool)> {
        let (node, were_added) = self.pending.last_mut()?;
        let next = (*node, *were_added);
        if next.1 {
            self.pending.pop();
        } else {
            *were_added = true;
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_node_is_ready_after_its_children() {
        let (mut order, mut ready) = (PostOrder::new(1), Vec::new());
        while let Some((node, is_ready)) = order.next() {
            if is_ready {
                ready.push(node);
            } else if node < 4 {
                order.add_child(2 * node + 1);
                order.add_child(2 * node);
            }
        }
        assert_eq!(ready, [4, 5, 2, 6, 7, 3, 1]);
    }
}
