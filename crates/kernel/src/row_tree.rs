//! Lookup trees that index by all cells of a row at once.
//!
//! A tree over nine single cells costs nine dependent loads. In row order, three adjacent
//! cells make one index, and three loads remain; nodes grow to the cube of the number of
//! states, which only rules of few states can afford.

use crate::hasher::{MixHasher, MixMap};
use rule::LookupTree;
use std::hash::Hasher;

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
        // With four loads for five a step takes as long as before, with three a fifth less.
        if 4 * groups.len() > 3 * offsets.len() {
            return None;
        }
        let mut builder = RowTreeBuilder {
            tree,
            levels: offsets.len(),
            groups,
            functions: RowFunctions::new(states),
            pending: Vec::new(),
            converted: MixMap::default(),
            cofactors: Vec::new(),
            cofactor_lists: MixMap::default(),
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

/// The functions that have been made, equal ones once: a decision diagram in two vectors.
struct RowFunctions {
    states: usize,
    /// The level of the original tree that each node reads; irrelevant levels are left out.
    levels: Vec<u32>,
    /// The functions below each node, one a state, node after node.
    below: Vec<RowTreeRef>,
    /// Nodes by the hash of their level and what is below, with linear probing; a power of
    /// two places, at least half of them [`FREE`].
    index: Vec<u32>,
}

const FREE: u32 = u32::MAX;

impl RowFunctions {
    fn new(states: usize) -> Self {
        Self {
            states,
            levels: Vec::new(),
            below: Vec::new(),
            index: vec![FREE; 64],
        }
    }

    /// The number of a function's node; none where it is a next state.
    fn node(&self, function: RowTreeRef) -> Option<usize> {
        (function as usize).checked_sub(self.states)
    }

    fn below(&self, node: usize) -> &[RowTreeRef] {
        &self.below[node * self.states..][..self.states]
    }

    /// Interns the function that reads a cell at `level` and goes on with `below`; none
    /// where there are too many.
    fn intern(&mut self, level: u32, below: &[RowTreeRef]) -> Option<RowTreeRef> {
        if below.iter().all(|function| *function == below[0]) {
            return Some(below[0]);
        }
        let mut place = hash(level, below) as usize & (self.index.len() - 1);
        while self.index[place] != FREE {
            let node = self.index[place] as usize;
            if self.levels[node] == level && self.below(node) == below {
                return Some((self.states + node) as RowTreeRef);
            }
            place = (place + 1) & (self.index.len() - 1);
        }
        let node = self.levels.len();
        if self.below.len() > MAX_WORK * 4 {
            return None;
        }
        self.levels.push(level);
        self.below.extend_from_slice(below);
        self.index[place] = node as u32;
        if 2 * self.levels.len() > self.index.len() {
            self.grow_index();
        }
        Some((self.states + node) as RowTreeRef)
    }

    fn grow_index(&mut self) {
        let mut index = vec![FREE; 4 * self.index.len()];
        for (node, &level) in self.levels.iter().enumerate() {
            let mut place = hash(level, self.below(node)) as usize & (index.len() - 1);
            while index[place] != FREE {
                place = (place + 1) & (index.len() - 1);
            }
            index[place] = node as u32;
        }
        self.index = index;
    }
}

fn hash(level: u32, below: &[RowTreeRef]) -> u64 {
    let mut hasher = MixHasher::default();
    hasher.write_u32(level);
    let (pairs, rest) = below.as_chunks::<2>();
    for &[first, second] in pairs {
        hasher.write_u64(u64::from(first) << 32 | u64::from(second));
    }
    for &function in rest {
        hasher.write_u32(function);
    }
    hasher.finish()
}

/// What remains of a function for each state of a cell that it may read further down.
#[derive(Clone, Copy)]
enum Cofactors {
    /// It does not read the cell.
    Same(RowTreeRef),
    /// It reads the cell first: what is below this node.
    Below(usize),
    /// The list that starts here in [`RowTreeBuilder::cofactors`].
    Listed(usize),
}

struct RowTreeBuilder<'a> {
    tree: &'a LookupTree,
    levels: usize,
    groups: Vec<CellGroup>,
    functions: RowFunctions,
    /// What is below the nodes that are being made, those further down behind the others.
    pending: Vec<RowTreeRef>,
    converted: MixMap<(u32, usize), RowTreeRef>,
    /// Lists of cofactors, one a state.
    cofactors: Vec<RowTreeRef>,
    /// Where the list of a function for a level starts.
    cofactor_lists: MixMap<(RowTreeRef, u32), usize>,
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
        let start = self.pending.len();
        let mut last = None;
        for &at in &tree.entries[at as usize..][..self.functions.states] {
            // States that are taken alike often stand side by side.
            let below = match last {
                Some((same, below)) if same == at => below,
                _ => self.convert(at, level + 1)?,
            };
            last = Some((at, below));
            self.pending.push(below);
        }
        let function = self
            .functions
            .intern(level as u32, &self.pending[start..])?;
        self.pending.truncate(start);
        self.converted.insert((at, level), function);
        Some(function)
    }

    /// The cofactors of a function by the cell at `level`.
    fn restrict(&mut self, function: RowTreeRef, level: u32) -> Option<Cofactors> {
        let Some(node) = self.functions.node(function) else {
            return Some(Cofactors::Same(function));
        };
        let own = self.functions.levels[node];
        if own >= level {
            return Some(match own == level {
                true => Cofactors::Below(node),
                false => Cofactors::Same(function),
            });
        }
        if let Some(&start) = self.cofactor_lists.get(&(function, level)) {
            return Some(Cofactors::Listed(start));
        }
        if self.cofactors.len() > MAX_WORK {
            return None;
        }
        let states = self.functions.states;
        // runs of states with the same function below: how many, and its cofactors
        let mut runs: Vec<(usize, Cofactors)> = Vec::new();
        let mut last = None;
        for state in 0..states {
            let below = self.functions.below(node)[state];
            match runs.last_mut() {
                Some(run) if last == Some(below) => run.0 += 1,
                _ => runs.push((1, self.restrict(below, level)?)),
            }
            last = Some(below);
        }
        let start = self.cofactors.len();
        let pending = self.pending.len();
        for state in 0..states {
            let alike = |&(_, cofactors): &(usize, Cofactors)| {
                self.cofactor(cofactors, state) == self.cofactor(cofactors, state - 1)
            };
            if state > 0 && runs.iter().all(alike) {
                self.cofactors.extend_from_within(start + state - 1..);
                continue;
            }
            for &(length, cofactors) in &runs {
                let cofactor = self.cofactor(cofactors, state);
                self.pending.extend(std::iter::repeat_n(cofactor, length));
            }
            let cofactor = self.functions.intern(own, &self.pending[pending..])?;
            self.pending.truncate(pending);
            self.cofactors.push(cofactor);
        }
        self.cofactor_lists.insert((function, level), start);
        Some(Cofactors::Listed(start))
    }

    fn cofactor(&self, cofactors: Cofactors, state: usize) -> RowTreeRef {
        match cofactors {
            Cofactors::Same(function) => function,
            Cofactors::Below(node) => self.functions.below(node)[state],
            Cofactors::Listed(start) => self.cofactors[start + state],
        }
    }

    /// Emits the node of a function from a group on, and returns its start.
    fn emit(&mut self, function: RowTreeRef, group: usize) -> Option<u32> {
        if group == self.groups.len() {
            return Some(function);
        }
        if let Some(&at) = self.emitted.get(&(function, group)) {
            return Some(at);
        }
        let states = self.functions.states;
        let mut functions = vec![function];
        for i in 0..self.groups[group].levels.len() {
            let level = self.groups[group].levels[i] as u32;
            let mut longer = Vec::with_capacity(functions.len() * states);
            for &function in &functions {
                let cofactors = self.restrict(function, level)?;
                longer.extend((0..states).map(|state| self.cofactor(cofactors, state)));
            }
            functions = longer;
        }
        for run in functions.chunk_by_mut(|one, other| one == other) {
            let below = self.emit(run[0], group + 1)?;
            run.fill(below);
        }
        let at = self.entries.len();
        self.entries.extend(functions);
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
                "hexagonal",
                17,
                vec![(-1, -1, 2), (-1, 0, 2), (1, 0, 1), (0, 1, 2)],
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
        let text = text(17).replace("Moore", "vonNeumann");
        assert!(compile(&text).is_none(), "four loads for five");
    }
}
