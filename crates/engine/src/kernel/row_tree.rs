//! Lookup trees that take the cells of a row at once.
//!
//! A tree that asks for nine cells one by one waits for nine loads, each of which needs the
//! one before. Asked in the order of the rows, three cells side by side make one index, and
//! three loads are left; the nodes grow to the cube of the number of states, which only
//! rules of few states can pay.

use crate::hasher::MixMap;
use rule::LookupTree;

/// A tree over groups of cells.
#[derive(Clone, Debug)]
pub(super) struct RowTree {
    pub(super) groups: Vec<CellGroup>,
    /// Nodes have an entry for each of the states of a group's cells together, the first
    /// cell the most significant: where the next group's node starts, or the next state.
    pub(super) entries: Vec<u32>,
    pub(super) root: u32,
}

/// Cells side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellGroup {
    /// The first cell.
    pub(super) dx: i32,
    pub(super) dy: i32,
    /// Which levels of the first tree ask for them; at most three.
    pub(super) levels: Vec<usize>,
}

/// Entries of a tree: a megabyte, which a core's own cache holds.
const MOST_ENTRIES: usize = 1 << 18;

/// Entries of one node.
const MOST_ENTRIES_EACH: usize = 1 << 12;

/// Nodes and answers on the way: some tens of milliseconds.
const MOST_WORK: usize = 1 << 16;

impl RowTree {
    /// The same rule as `tree`, which asks for `offsets` one by one; none where it would
    /// be too large, or gain nothing.
    pub(super) fn compile(
        tree: &LookupTree,
        offsets: &[(i32, i32)],
        states: usize,
    ) -> Option<Self> {
        let longest = (1..=3).rfind(|&n| states.pow(n) <= MOST_ENTRIES_EACH)? as usize;
        let groups = groups(offsets, longest);
        if groups.len() == offsets.len() {
            return None;
        }
        let mut reorder = RowTreeBuilder {
            tree,
            states,
            levels: offsets.len(),
            groups,
            nodes: Vec::new(),
            numbers: MixMap::default(),
            read: MixMap::default(),
            fixed: MixMap::default(),
            placed: MixMap::default(),
            entries: Vec::new(),
        };
        let whole = reorder.read(tree.root, 0)?;
        let root = reorder.place(whole, 0)?;
        Some(Self {
            groups: reorder.groups,
            entries: reorder.entries,
            root,
        })
    }
}

/// Cells side by side, at most `longest` together.
fn groups(offsets: &[(i32, i32)], longest: usize) -> Vec<CellGroup> {
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_unstable_by_key(|&level| (offsets[level].1, offsets[level].0));
    let mut groups: Vec<CellGroup> = Vec::new();
    for level in order {
        let (dx, dy) = offsets[level];
        match groups.last_mut() {
            Some(last)
                if last.dy == dy
                    && last.dx + last.levels.len() as i32 == dx
                    && last.levels.len() < longest =>
            {
                last.levels.push(level);
            }
            _ => groups.push(CellGroup {
                dx,
                dy,
                levels: vec![level],
            }),
        }
    }
    groups
}

/// A function of the cells not yet asked for: a next state, or from `states` on a node.
type RowTreeRef = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct RowTreeNode {
    /// The level of the first tree that it asks for; levels that make no difference are
    /// left out.
    level: usize,
    below: Box<[RowTreeRef]>,
}

struct RowTreeBuilder<'a> {
    tree: &'a LookupTree,
    states: usize,
    levels: usize,
    groups: Vec<CellGroup>,
    nodes: Vec<RowTreeNode>,
    numbers: MixMap<RowTreeNode, RowTreeRef>,
    read: MixMap<(u32, usize), RowTreeRef>,
    /// What is left of a part when a level's cell has a state.
    fixed: MixMap<(RowTreeRef, usize, usize), RowTreeRef>,
    placed: MixMap<(RowTreeRef, usize), u32>,
    entries: Vec<u32>,
}

impl RowTreeBuilder<'_> {
    /// A node of the first tree as a part.
    fn read(&mut self, at: u32, level: usize) -> Option<RowTreeRef> {
        if level == self.levels {
            return Some(at);
        }
        if let Some(&part) = self.read.get(&(at, level)) {
            return Some(part);
        }
        let tree = self.tree;
        let node = &tree.entries[at as usize..][..self.states];
        let below: Option<Vec<RowTreeRef>> =
            node.iter().map(|&at| self.read(at, level + 1)).collect();
        let part = self.part(level, below?)?;
        self.read.insert((at, level), part);
        Some(part)
    }

    fn part(&mut self, level: usize, below: Vec<RowTreeRef>) -> Option<RowTreeRef> {
        if below.iter().all(|part| *part == below[0]) {
            return Some(below[0]);
        }
        let node = RowTreeNode {
            level,
            below: below.into(),
        };
        if let Some(&part) = self.numbers.get(&node) {
            return Some(part);
        }
        if self.nodes.len() * self.states > MOST_WORK * 4 {
            return None;
        }
        let part = (self.states + self.nodes.len()) as RowTreeRef;
        self.nodes.push(node.clone());
        self.numbers.insert(node, part);
        Some(part)
    }

    /// What is left when the cell of a level has that state.
    fn fix(&mut self, part: RowTreeRef, level: usize, state: usize) -> Option<RowTreeRef> {
        let Some(i) = (part as usize).checked_sub(self.states) else {
            return Some(part);
        };
        let node = &self.nodes[i];
        if node.level >= level {
            let here = node.level == level;
            return Some(if here { node.below[state] } else { part });
        }
        if let Some(&left) = self.fixed.get(&(part, level, state)) {
            return Some(left);
        }
        if self.fixed.len() > MOST_WORK {
            return None;
        }
        let (own, below) = (node.level, node.below.clone());
        let below: Option<Vec<RowTreeRef>> =
            below.iter().map(|&b| self.fix(b, level, state)).collect();
        let left = self.part(own, below?)?;
        self.fixed.insert((part, level, state), left);
        Some(left)
    }

    /// Where the node of a part starts, from a group on.
    fn place(&mut self, part: RowTreeRef, group: usize) -> Option<u32> {
        if group == self.groups.len() {
            return Some(part);
        }
        if let Some(&at) = self.placed.get(&(part, group)) {
            return Some(at);
        }
        let mut parts = vec![part];
        for level in self.groups[group].levels.clone() {
            let mut longer = Vec::with_capacity(parts.len() * self.states);
            for part in parts {
                for state in 0..self.states {
                    longer.push(self.fix(part, level, state)?);
                }
            }
            parts = longer;
        }
        let node: Option<Vec<u32>> = parts.iter().map(|&p| self.place(p, group + 1)).collect();
        let at = self.entries.len();
        self.entries.extend(node?);
        if self.entries.len() > MOST_ENTRIES {
            return None;
        }
        self.placed.insert((part, group), at as u32);
        Some(at as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rule::{Rule, Site, Transition};

    /// The tree of a rule in a file, and where its groups begin.
    fn compiled(text: &str) -> Option<RowTree> {
        let rule = Rule::from_file(text).unwrap();
        let Transition::Lookup(table) = rule.transition(Site::default()) else {
            panic!("files hold lookup tables");
        };
        let tree = table.tree().unwrap();
        RowTree::compile(tree, table.offsets(), table.states().into())
    }

    #[test]
    fn neighbourhoods_fall_into_rows() {
        let rows = [
            ("oneDimensional", 2, vec![(-1, 0, 3)]),
            ("vonNeumann", 3, vec![(0, -1, 1), (-1, 0, 3), (0, 1, 1)]),
            ("hexagonal", 4, vec![(-1, -1, 2), (-1, 0, 3), (0, 1, 2)]),
            ("Moore", 16, vec![(-1, -1, 3), (-1, 0, 3), (-1, 1, 3)]),
            (
                "vonNeumann",
                17,
                vec![(0, -1, 1), (-1, 0, 2), (1, 0, 1), (0, 1, 1)],
            ),
        ];
        for (name, states, wanted) in rows {
            let text =
                format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:{name}\nsymmetries:none");
            let tree = compiled(&text).unwrap();
            let groups = tree.groups.iter().map(|g| (g.dx, g.dy, g.levels.len()));
            assert_eq!(groups.collect::<Vec<_>>(), wanted, "{name}");
        }
    }

    #[test]
    fn nodes_that_would_be_too_large_stay_as_they_are() {
        let text = |states: u32| {
            format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:Moore\nsymmetries:none")
        };
        assert!(compiled(&text(65)).is_none(), "pairs of 65 states");
    }
}
