//! Builds a quadtree from runs, in time that depends on the number of runs and not on the
//! number of cells.
//!
//! A row of nodes is a list of runs of equal nodes. Two adjacent rows are joined into a row of
//! nodes of twice the width, again as runs of equal nodes; and so on up to the root. A run of
//! 2^50 cells is one run on every level. (Own method.)

use super::{Interner, Node, Tree};
use crate::rows::RunTable;

/// A run of equal nodes: columns `first..=last`, counted in node widths. At level 0 `what` is a
/// state; below the leaf level it is the cells so far; above, the index of a node. 0 is empty
/// on every level.
#[derive(Clone, Copy)]
struct NodeRun {
    first: i64,
    last: i64,
    what: u64,
}

/// A row of nodes. Its `y` is an `i128` because the middle of the root lies one row below row
/// 0.
struct NodeRow {
    y: i128,
    runs: Vec<NodeRun>,
}

#[derive(Clone, Copy, PartialEq)]
enum TreeLeafSize {
    Two,
    Eight,
}

impl Tree {
    pub(crate) fn from_rows(rows: &RunTable) -> Self {
        let leaves = if rows.max_state() > 1 {
            TreeLeafSize::Two
        } else {
            TreeLeafSize::Eight
        };
        let least = match leaves {
            TreeLeafSize::Two => 1,
            TreeLeafSize::Eight => 3,
        };
        let mut interner = Interner::new();
        // Rows in the same leaves are joined while the rows are read: all rows as runs together
        // would double the memory.
        let mut bands: Vec<NodeRow> = Vec::new();
        let mut pending: Vec<NodeRow> = Vec::new();
        for (y, runs) in rows.rows() {
            let runs = runs.map(|run| NodeRun {
                first: run.x,
                last: run.x.saturating_add_unsigned(run.length - 1),
                what: run.state.into(),
            });
            let band = NodeRow {
                y: i128::from(y) - 1,
                runs: runs.collect(),
            };
            if pending[..]
                .first()
                .is_some_and(|first| first.y >> least != band.y >> least)
            {
                bands.extend(join_rows(&mut pending, leaves, least, &mut interner));
            }
            pending.push(band);
        }
        bands.extend(join_rows(&mut pending, leaves, least, &mut interner));
        let mut level = least;
        while !around_middle(&bands) {
            level += 1;
            bands = join_pairs(bands, level, leaves, &mut interner);
        }
        let mut quarters = [0; 4];
        for band in &bands {
            for run in &band.runs {
                for x in run.first..=run.last {
                    let quarter = 2 * usize::from(band.y == 0) + usize::from(x == 0);
                    quarters[quarter] = run.what as u32;
                }
            }
        }
        let root = interner.add(Node::Branch(quarters));
        Self {
            nodes: interner.nodes,
            root,
            level: level + 1,
        }
    }
}

/// Whether all nodes touch the middle, so that they are the quarters of the root.
fn around_middle(bands: &[NodeRow]) -> bool {
    let mut runs = bands.iter().flat_map(|band| &band.runs);
    bands.iter().all(|band| band.y == 0 || band.y == -1)
        && runs.all(|run| run.first >= -1 && run.last <= 0)
}

/// Joins rows of cells within one row of nodes of level `least` to that row.
fn join_rows(
    rows: &mut Vec<NodeRow>,
    leaves: TreeLeafSize,
    least: u32,
    interner: &mut Interner,
) -> Option<NodeRow> {
    if leaves == TreeLeafSize::Eight
        && let Some(band) = join_leaf_rows(rows, interner)
    {
        rows.clear();
        return Some(band);
    }
    let mut bands = std::mem::take(rows);
    for level in 1..=least {
        bands = join_pairs(bands, level, leaves, interner);
    }
    bands.pop()
}

/// The same for 8 x 8 leaves, run by run, where few of them are empty or part of long runs:
/// there joining runs three times is slower.
fn join_leaf_rows(rows: &[NodeRow], interner: &mut Interner) -> Option<NodeRow> {
    let y = rows.first()?.y >> 3;
    let runs = || rows.iter().flat_map(|row| &row.runs);
    let first = runs().map(|run| run.first >> 3).min()?;
    let last = runs().map(|run| run.last >> 3).max()?;
    let wide = last.abs_diff(first).saturating_add(1);
    if wide > 4 * runs().count() as u64 + 16 {
        return None;
    }
    let mut leaves = vec![0_u64; wide as usize];
    for row in rows {
        let line = 8 * (row.y & 7) as u32;
        for run in &row.runs {
            interner.checkpoints.step();
            let (from, to) = (run.first >> 3, run.last >> 3);
            for at in from..=to {
                let left = if at == from { run.first & 7 } else { 0 };
                let right = if at == to { run.last & 7 } else { 7 };
                let cells = (0xff_u64 << left) & (0xff >> (7 - right));
                leaves[at.abs_diff(first) as usize] |= cells << line;
            }
        }
    }
    let mut runs: Vec<NodeRun> = Vec::new();
    for (x, cells) in (first..).zip(leaves) {
        let what = u64::from(interner.add(Node::Leaf8(cells)));
        match runs.last_mut() {
            _ if what == 0 => {}
            Some(before) if before.what == what && before.last + 1 == x => before.last = x,
            _ => runs.push(NodeRun {
                first: x,
                last: x,
                what,
            }),
        }
    }
    Some(NodeRow { y, runs })
}

/// Joins pairs of rows to rows of nodes of `level`.
fn join_pairs(
    bands: Vec<NodeRow>,
    level: u32,
    leaves: TreeLeafSize,
    interner: &mut Interner,
) -> Vec<NodeRow> {
    let mut joined: Vec<NodeRow> = Vec::with_capacity(bands.len() / 2 + 1);
    let mut waiting = bands.into_iter().peekable();
    while let Some(band) = waiting.next() {
        let next = waiting.next_if(|next| next.y >> 1 == band.y >> 1);
        joined.push(match next {
            Some(next) => join(Some(band), Some(next), level, leaves, interner),
            None => join_unpaired(band, level, leaves, interner),
        });
    }
    joined
}

fn join_unpaired(
    band: NodeRow,
    level: u32,
    leaves: TreeLeafSize,
    interner: &mut Interner,
) -> NodeRow {
    if band.y & 1 == 0 {
        join(Some(band), None, level, leaves, interner)
    } else {
        join(None, Some(band), level, leaves, interner)
    }
}

/// Joins two rows, at least one of which exists, to a row of nodes of `level`.
fn join(
    north: Option<NodeRow>,
    south: Option<NodeRow>,
    level: u32,
    leaves: TreeLeafSize,
    interner: &mut Interner,
) -> NodeRow {
    let y = north
        .as_ref()
        .or(south.as_ref())
        .map_or(0, |band| band.y >> 1);
    let mut north = NodeRunCursor::new(north);
    let mut south = NodeRunCursor::new(south);
    let mut runs: Vec<NodeRun> = Vec::new();
    let mut known: Option<([u64; 4], u64)> = None;
    while let Some(x) = match (north.next_pair(), south.next_pair()) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    } {
        interner.checkpoints.step();
        let (nw, ne, to_north) = north.pair(x);
        let (sw, se, to_south) = south.pair(x);
        let last = to_north.min(to_south);
        let quarters = [nw, ne, sw, se];
        let what = match known {
            Some((before, what)) if before == quarters => what,
            _ => combine(quarters, level, leaves, interner),
        };
        known = Some((quarters, what));
        match runs.last_mut() {
            Some(before) if before.what == what && before.last + 1 == x => before.last = last,
            _ => runs.push(NodeRun {
                first: x,
                last,
                what,
            }),
        }
        north.skip_to(last);
        south.skip_to(last);
    }
    NodeRow { y, runs }
}

/// A cursor over a row, which returns its nodes in pairs.
struct NodeRunCursor {
    runs: std::vec::IntoIter<NodeRun>,
    head: Option<NodeRun>,
}

impl NodeRunCursor {
    fn new(band: Option<NodeRow>) -> Self {
        let mut runs = band.map_or(Vec::new(), |band| band.runs).into_iter();
        let head = runs.next();
        Self { runs, head }
    }

    /// The next column of node pairs that is not empty.
    fn next_pair(&self) -> Option<i64> {
        self.head.map(|head| head.first >> 1)
    }

    /// The left and the right node of pair `x`, and the last pair for which they are the same.
    /// All pairs before `x` have been skipped.
    fn pair(&self, x: i64) -> (u64, u64, i64) {
        let Some(head) = self.head else {
            return (0, 0, i64::MAX);
        };
        let (left, right) = (2 * x, 2 * x + 1);
        if head.first > right {
            return (0, 0, (head.first >> 1) - 1);
        }
        if head.first <= left && head.last >= right {
            // The last pair with both its nodes in the run.
            let last = if head.last & 1 == 1 {
                head.last >> 1
            } else {
                (head.last >> 1) - 1
            };
            return (head.what, head.what, last);
        }
        if head.first > left {
            return (0, head.what, x);
        }
        // The run ends at the left node; the right one may start the next run.
        let beside = self.runs.as_slice().first();
        let what = beside
            .filter(|next| next.first == right)
            .map_or(0, |next| next.what);
        (head.what, what, x)
    }

    /// Skips all pairs up to and including `x`.
    fn skip_to(&mut self, x: i64) {
        while let Some(head) = &mut self.head {
            if head.first >> 1 > x {
                return;
            }
            if head.last >> 1 > x {
                head.first = 2 * x + 2;
                return;
            }
            self.head = self.runs.next();
        }
    }
}

fn combine(quarters: [u64; 4], level: u32, leaves: TreeLeafSize, interner: &mut Interner) -> u64 {
    if leaves == TreeLeafSize::Two && level == 1 {
        return interner
            .add(Node::Leaf2(quarters.map(|state| state as u8)))
            .into();
    }
    if leaves == TreeLeafSize::Two || level > 3 {
        return interner
            .add(Node::Branch(quarters.map(|node| node as u32)))
            .into();
    }
    // Cells so far, row by row: `half` bits a row in the quarters, twice that here.
    let half = 1 << (level - 1);
    let mut cells = 0u64;
    for (quarter, bits) in quarters.into_iter().enumerate() {
        let (left, top) = (quarter as u32 % 2 * half, quarter as u32 / 2 * half);
        for row in 0..half {
            let part = bits >> (row * half) & ((1 << half) - 1);
            cells |= part << ((top + row) * 2 * half + left);
        }
    }
    if level == 3 {
        interner.add(Node::Leaf8(cells)).into()
    } else {
        cells
    }
}
