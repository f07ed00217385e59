//! Lookup trees that index by all cells of a row at once.
//!
//! A tree over nine single cells costs nine dependent loads. In row order, three adjacent
//! cells make one index, and three loads remain; nodes grow to the cube of the number of
//! states, which only rules of few states can afford.

use crate::hasher::MixMap;
use rule::LookupTree;

/// A tree over groups of cells.
#[derive(Clone, Debug)]
pub(super) struct RowTree {
    pub(super) groups: Vec<CellGroup>,
    /// A node has an entry for each combination of the states of a group's cells, the first
    /// cell the most significant: the start of the next group's node, or the next state.
    pub(super) entries: Vec<u32>,
    pub(super) root: u32,
}

/// Adjacent cells of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CellGroup {
    /// The offset of the first cell.
    pub(super) dx: i32,
    pub(super) dy: i32,
    /// The levels of the original tree that read them; at most three.
    pub(super) levels: Vec<usize>,
}

/// The most entries of a tree: a megabyte, which fits a core's second-level cache.
const MAX_ENTRIES: usize = 1 << 18;

/// The most entries of one node.
const MAX_NODE_ENTRIES: usize = 1 << 12;

/// The most intermediate nodes and memoised results: some tens of milliseconds.
const MAX_WORK: usize = 1 << 16;

impl RowTree {
    /// Converts `tree`, which reads `offsets` one by one; none where the result would
    /// be too large, or gain nothing.
    pub(super) fn compile(
        tree: &LookupTree,
        offsets: &[(i32, i32)],
        states: usize,
    ) -> Option<Self> {
        let longest = (1..=3).rfind(|&n| states.pow(n) <= MAX_NODE_ENTRIES)? as usize;
        let groups = groups(offsets, longest);
        if groups.len() == offsets.len() {
            return None;
        }
        let mut builder = RowTreeBuilder {
            tree,
            states,
            levels: offsets.len(),
            groups,
            nodes: Vec::new(),
            node_ids: MixMap::default(),
            converted: MixMap::default(),
            restricted: MixMap::default(),
            emitted: MixMap::default(),
            entries: Vec::new(),
        };
        let root_function = builder.convert(tree.root, 0)?;
        let root = builder.emit(root_function, 0)?;
        Some(Self {
            groups: builder.groups,
            entries: builder.entries,
            root,
        })
    }
}

/// Groups adjacent cells, at most `longest` together.
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

/// A function of the remaining cells: a next state, or from `states` on a node.
type RowTreeRef = u32;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct RowTreeNode {
    /// The level of the original tree that it reads; irrelevant levels are left out.
    level: usize,
    below: Box<[RowTreeRef]>,
}

struct RowTreeBuilder<'a> {
    tree: &'a LookupTree,
    states: usize,
    levels: usize,
    groups: Vec<CellGroup>,
    nodes: Vec<RowTreeNode>,
    node_ids: MixMap<RowTreeNode, RowTreeRef>,
    converted: MixMap<(u32, usize), RowTreeRef>,
    /// Memoised results of [`RowTreeBuilder::restrict`].
    restricted: MixMap<(RowTreeRef, usize, usize), RowTreeRef>,
    emitted: MixMap<(RowTreeRef, usize), u32>,
    entries: Vec<u32>,
}

impl RowTreeBuilder<'_> {
    /// Converts a node of the original tree.
    fn convert(&mut self, at: u32, level: usize) -> Option<RowTreeRef> {
        if level == self.levels {
            return Some(at);
        }
        if let Some(&function) = self.converted.get(&(at, level)) {
            return Some(function);
        }
        let tree = self.tree;
        let node = &tree.entries[at as usize..][..self.states];
        let below: Option<Vec<RowTreeRef>> =
            node.iter().map(|&at| self.convert(at, level + 1)).collect();
        let function = self.intern(level, below?)?;
        self.converted.insert((at, level), function);
        Some(function)
    }

    fn intern(&mut self, level: usize, below: Vec<RowTreeRef>) -> Option<RowTreeRef> {
        if below.iter().all(|function| *function == below[0]) {
            return Some(below[0]);
        }
        let node = RowTreeNode {
            level,
            below: below.into(),
        };
        if let Some(&function) = self.node_ids.get(&node) {
            return Some(function);
        }
        if self.nodes.len() * self.states > MAX_WORK * 4 {
            return None;
        }
        let function = (self.states + self.nodes.len()) as RowTreeRef;
        self.nodes.push(node.clone());
        self.node_ids.insert(node, function);
        Some(function)
    }

    /// Restricts a function to a state of one level's cell: its cofactor.
    fn restrict(&mut self, function: RowTreeRef, level: usize, state: usize) -> Option<RowTreeRef> {
        let Some(i) = (function as usize).checked_sub(self.states) else {
            return Some(function);
        };
        let node = &self.nodes[i];
        if node.level >= level {
            let here = node.level == level;
            return Some(if here { node.below[state] } else { function });
        }
        if let Some(&cofactor) = self.restricted.get(&(function, level, state)) {
            return Some(cofactor);
        }
        if self.restricted.len() > MAX_WORK {
            return None;
        }
        let (own, below) = (node.level, node.below.clone());
        let below: Option<Vec<RowTreeRef>> = below
            .iter()
            .map(|&b| self.restrict(b, level, state))
            .collect();
        let cofactor = self.intern(own, below?)?;
        self.restricted.insert((function, level, state), cofactor);
        Some(cofactor)
    }

    /// Emits the node of a function from a group on, and returns its start.
    fn emit(&mut self, function: RowTreeRef, group: usize) -> Option<u32> {
        if group == self.groups.len() {
            return Some(function);
        }
        if let Some(&at) = self.emitted.get(&(function, group)) {
            return Some(at);
        }
        let mut functions = vec![function];
        for level in self.groups[group].levels.clone() {
            let mut longer = Vec::with_capacity(functions.len() * self.states);
            for function in functions {
                for state in 0..self.states {
                    longer.push(self.restrict(function, level, state)?);
                }
            }
            functions = longer;
        }
        let node: Option<Vec<u32>> = functions.iter().map(|&p| self.emit(p, group + 1)).collect();
        let at = self.entries.len();
        self.entries.extend(node?);
        if self.entries.len() > MAX_ENTRIES {
            return None;
        }
        self.emitted.insert((function, group), at as u32);
        Some(at as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rule::{Rule, Site, Transition};

    /// The tree of a rule file.
    fn compile(text: &str) -> Option<RowTree> {
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
            let tree = compile(&text).unwrap();
            let groups = tree.groups.iter().map(|g| (g.dx, g.dy, g.levels.len()));
            assert_eq!(groups.collect::<Vec<_>>(), wanted, "{name}");
        }
    }

    #[test]
    fn nodes_that_would_be_too_large_stay_as_they_are() {
        let text = |states: u32| {
            format!("@RULE X\n@TABLE\nn_states:{states}\nneighborhood:Moore\nsymmetries:none")
        };
        assert!(compile(&text(65)).is_none(), "pairs of 65 states");
    }
}
