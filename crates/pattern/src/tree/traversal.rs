//! Enumerates the runs of a tree in reading order, without collecting them. (Own
//! method.)

use super::{Node, Tree};
use crate::Run;
use crate::interrupt::Checkpoints;
use crate::rows::clipped;
use grid::State;
use std::ops::ControlFlow;

/// A node of a strip, or several adjacent nodes whose cells are all in one state.
#[derive(Clone, Copy)]
struct StripSegment {
    first: i128,
    last: i128,
    node: u32,
    /// Not 0 where all cells from `first` to `last` are in this state.
    state: State,
}

/// The longest list of segments: 1.5 MB for each level.
const MAX_SEGMENTS: usize = 1 << 15;

/// Merges adjacent segments in reading order into runs.
struct RunJoiner<'a> {
    emit: &'a mut dyn FnMut(Run) -> ControlFlow<()>,
    /// What the callback returned for the last run.
    flow: ControlFlow<()>,
    y: i64,
    first: i128,
    last: i128,
    state: State,
    /// Counts segments: a very long run is emitted once, and consists of very many.
    checkpoints: Checkpoints,
}

impl RunJoiner<'_> {
    fn add(&mut self, y: i64, first: i128, last: i128, state: State) {
        self.checkpoints.step();
        if self.state == state && self.y == y && self.last + 1 == first {
            self.last = last;
            return;
        }
        self.flush();
        (self.y, self.first, self.last, self.state) = (y, first, last, state);
    }

    fn flush(&mut self) {
        if self.state != 0
            && self.flow.is_continue()
            && let Some(run) = clipped(self.y, self.first, self.last, self.state)
        {
            self.flow = (self.emit)(run);
        }
        self.state = 0;
    }
}

struct TreeWalk<'a> {
    tree: &'a Tree,
    live: Vec<bool>,
    /// The one state of all cells of a node, or 0.
    uniform: Vec<State>,
    /// A list for each level, so that they are not allocated for each strip.
    lists: Vec<Vec<StripSegment>>,
    out: RunJoiner<'a>,
}

impl Tree {
    pub(crate) fn try_for_each_run(
        &self,
        f: &mut dyn FnMut(Run) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let levels = self.levels();
        let top = levels.get(self.root as usize).copied().unwrap_or(0);
        if top == 0 {
            return ControlFlow::Continue(());
        }
        // Only the middle of a tree larger than the coordinate range is enumerated.
        let mut quarters = match self.node(self.root) {
            Node::Branch(children) => children,
            _ => return ControlFlow::Continue(()),
        };
        let mut level = top - 1;
        while level > 64 {
            for (quarter, node) in quarters.iter_mut().enumerate() {
                *node = self.quarters(*node)[3 - quarter];
            }
            level -= 1;
        }
        let mut walk = TreeWalk {
            tree: self,
            live: levels.iter().map(|&level| level > 0).collect(),
            uniform: self.uniform(),
            lists: vec![Vec::new(); level as usize + 1],
            out: RunJoiner {
                emit: f,
                flow: ControlFlow::Continue(()),
                y: 0,
                first: 0,
                last: 0,
                state: 0,
                checkpoints: Checkpoints::new(),
            },
        };
        let width = 1i128 << level;
        for (y, [west, east]) in [
            (1 - width, [quarters[0], quarters[1]]),
            (1, [quarters[2], quarters[3]]),
        ] {
            let mut strip = Vec::new();
            walk.add_node(&mut strip, -width, width, west);
            walk.add_node(&mut strip, 0, width, east);
            walk.walk_strip(level, y, &strip);
        }
        walk.out.flush();
        walk.out.flow
    }

    /// See [`Tree::for_each_leaf`].
    pub(super) fn walk_leaves(&self, f: &mut dyn FnMut(i64, i64, u64)) -> bool {
        if self.level > 62 || self.has_leaf2() {
            return false;
        }
        let mut checkpoints = Checkpoints::new();
        let half = 1i64 << self.level.saturating_sub(1);
        let mut pending = vec![(self.root, self.level, -half, 1 - half)];
        while let Some((node, level, x, y)) = pending.pop() {
            checkpoints.step();
            match self.node(node) {
                Node::Leaf8(cells) => f(x, y, cells),
                Node::Branch(children) => {
                    let half = 1i64 << (level - 1);
                    for (quarter, child) in children.into_iter().enumerate().rev() {
                        if child != 0 {
                            let (dx, dy) = (quarter as i64 % 2 * half, quarter as i64 / 2 * half);
                            pending.push((child, level - 1, x + dx, y + dy));
                        }
                    }
                }
                Node::Empty | Node::Leaf2(_) => {}
            }
        }
        true
    }

    fn uniform(&self) -> Vec<State> {
        let mut uniform: Vec<State> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let state = match *node {
                Node::Leaf8(u64::MAX) => 1,
                Node::Leaf2([state, a, b, c]) if [a, b, c] == [state; 3] => state,
                Node::Branch(children) => {
                    let [state, a, b, c] = children.map(|child| uniform[child as usize]);
                    if [a, b, c] == [state; 3] { state } else { 0 }
                }
                _ => 0,
            };
            uniform.push(state);
        }
        uniform
    }
}

impl TreeWalk<'_> {
    fn add_node(&self, strip: &mut Vec<StripSegment>, x: i128, width: i128, node: u32) {
        if !self.live[node as usize] {
            return;
        }
        let segment = StripSegment {
            first: x,
            last: x + width - 1,
            node,
            state: self.uniform[node as usize],
        };
        push_segment(strip, segment);
    }

    /// Emits all rows of a strip that begins at row `y` and is as high as its nodes.
    fn walk_strip(&mut self, level: u32, y: i128, segments: &[StripSegment]) {
        let height = 1i128 << level;
        let outside = y + height <= i64::MIN.into() || y > i64::MAX.into();
        if segments.is_empty() || outside || self.out.flow.is_break() {
            return;
        }
        if segments.iter().all(|segment| segment.state != 0) {
            return self.uniform_rows(y, height, segments);
        }
        let leaf = segments.iter().find(|segment| segment.state == 0);
        match leaf.map(|segment| self.tree.node(segment.node)) {
            Some(Node::Leaf8(_)) => return self.leaf_rows(y, 8, segments),
            Some(Node::Leaf2(_)) => return self.leaf_rows(y, 2, segments),
            _ => {}
        }
        if segments.len() > MAX_SEGMENTS {
            return self.walk_rows(level, y, segments);
        }
        let half = height / 2;
        let mut strip = std::mem::take(&mut self.lists[level as usize]);
        for (dy, west, east) in [(0, 0, 1), (half, 2, 3)] {
            strip.clear();
            for segment in segments {
                if segment.state != 0 {
                    push_segment(&mut strip, *segment);
                    continue;
                }
                let quarters = self.tree.quarters(segment.node);
                self.add_node(&mut strip, segment.first, half, quarters[west]);
                self.add_node(&mut strip, segment.first + half, half, quarters[east]);
            }
            self.walk_strip(level - 1, y + dy, &strip);
        }
        self.lists[level as usize] = strip;
    }

    fn uniform_rows(&mut self, y: i128, height: i128, segments: &[StripSegment]) {
        let from = y.max(i64::MIN.into());
        let to = (y + height - 1).min(i64::MAX.into());
        for row in from..=to {
            for segment in segments {
                self.out
                    .add(row as i64, segment.first, segment.last, segment.state);
            }
            if self.out.flow.is_break() {
                return;
            }
        }
    }

    fn leaf_rows(&mut self, y: i128, height: u32, segments: &[StripSegment]) {
        for dy in 0..height {
            let Ok(row) = i64::try_from(y + i128::from(dy)) else {
                continue;
            };
            for segment in segments {
                if segment.state == 0 {
                    self.leaf_row(row, segment.first, self.tree.node(segment.node), dy);
                } else {
                    self.out
                        .add(row, segment.first, segment.last, segment.state);
                }
            }
        }
    }

    /// One row of a leaf whose first column is `x`.
    #[inline]
    fn leaf_row(&mut self, row: i64, mut x: i128, leaf: Node, dy: u32) {
        match leaf {
            Node::Leaf8(cells) => {
                let mut bits = (cells >> (8 * dy)) as u8;
                while bits != 0 {
                    let skip = bits.trailing_zeros();
                    bits >>= skip;
                    let length = bits.trailing_ones();
                    bits = bits.checked_shr(length).unwrap_or(0);
                    x += i128::from(skip);
                    self.out.add(row, x, x + i128::from(length) - 1, 1);
                    x += i128::from(length);
                }
            }
            Node::Leaf2(cells) => {
                for dx in 0..2 {
                    let state = cells[2 * dy as usize + dx];
                    if state != 0 {
                        let x = x + dx as i128;
                        self.out.add(row, x, x, state);
                    }
                }
            }
            Node::Empty | Node::Branch(_) => {}
        }
    }

    /// Does the same as [`TreeWalk::walk_strip`] without further lists, which could be as long
    /// as a row has runs: each row descends the tree by itself.
    fn walk_rows(&mut self, level: u32, y: i128, segments: &[StripSegment]) {
        let from = y.max(i64::MIN.into());
        let to = (y + (1i128 << level) - 1).min(i64::MAX.into());
        for row in from..=to {
            for segment in segments {
                if segment.state == 0 {
                    self.walk_row(row as i64, row - y, level, segment.first, segment.node);
                } else {
                    self.out
                        .add(row as i64, segment.first, segment.last, segment.state);
                }
                if self.out.flow.is_break() {
                    return;
                }
            }
        }
    }

    /// Emits the row `dy` of a node, whose level is 64 at most.
    fn walk_row(&mut self, row: i64, dy: i128, level: u32, x: i128, node: u32) {
        if !self.live[node as usize] || self.out.flow.is_break() {
            return;
        }
        let state = self.uniform[node as usize];
        if state != 0 {
            return self.out.add(row, x, x + (1i128 << level) - 1, state);
        }
        let Node::Branch([nw, ne, sw, se]) = self.tree.node(node) else {
            return self.leaf_row(row, x, self.tree.node(node), dy as u32);
        };
        let half = 1i128 << (level - 1);
        let (west, east, dy) = match dy < half {
            true => (nw, ne, dy),
            false => (sw, se, dy - half),
        };
        self.walk_row(row, dy, level - 1, x, west);
        self.walk_row(row, dy, level - 1, x + half, east);
    }
}

fn push_segment(strip: &mut Vec<StripSegment>, segment: StripSegment) {
    if segment.state != 0
        && let Some(before) = strip.last_mut()
        && before.state == segment.state
        && before.last + 1 == segment.first
    {
        before.last = segment.last;
        return;
    }
    strip.push(segment);
}
