//! Compiles the transitions of a table to a decision tree that examines each cell once: a
//! multi-valued decision diagram with shared nodes (Srinivasan, Kam, Malik and Brayton, *Algorithms
//! for Discrete Function Manipulation*, 1990).
//!
//! How it is built is our own method. A node is memoised by the list of transitions that may still match: for each transition that
//! agrees with the cells seen so far, its constraint on the remaining cells. Two paths with the
//! same list share a node, so that the tree is not much larger than the table. The alternative,
//! a tree from every configuration, is out of reach for more than a few states (17 states
//! around nine cells), however small the result.

use super::lookup::{LookupTable, LookupTransition, LookupTree};
use super::neighbours::{TableNeighbourhood, TableSymmetry};
use super::node_table::{TreeNodeTable, WordMixState};
use super::states::StateSet;
use super::table::{RuleFileTable, TableTransition, TransitionEntry};
use super::{RuleFileProblem, text};
use crate::RuleFileError;
use grid::State;
use std::collections::HashMap;

/// The most transitions after binding the variables and expanding the symmetry.
const MAX_TRANSITIONS: usize = 1 << 19;

/// The most list entries created while compiling: some tenths of a second, and 256 MiB.
const MAX_WORK: usize = 1 << 25;

/// The cost of a set in such entries: it takes as much memory, and is held twice.
const SET_COST: usize = 2 * size_of::<StateSet>() / size_of::<ConstrainedTransition>();

/// Compiles a table to `tables[time][phase]`, as a rule holds them.
pub(super) fn compile(
    table: &RuleFileTable,
    place: text::RuleFileLine<'_>,
) -> Result<Vec<Vec<LookupTable>>, RuleFileError> {
    let offsets = table.neighbours.offsets();
    let seen_from = |first: usize| {
        let view = TransitionView::new(offsets, first);
        let too_many = || {
            let problem = RuleFileProblem::TooManyTransitions(MAX_TRANSITIONS);
            place.at(place.text, problem)
        };
        let lines = expand_transitions(table, &view).ok_or_else(too_many)?;
        Ok(
            match Builder::new(table.states, offsets.len()).tree(&lines) {
                Some(tree) => LookupTable::from_tree(&view.offsets, table.states, tree),
                None => LookupTable::from_lines(&view.offsets, table.states, lines),
            },
        )
    };
    Ok(match table.neighbours {
        TableNeighbourhood::Blocks(path) => {
            let depends_on_parity: Vec<_> = (0..4).map(seen_from).collect::<Result<_, _>>()?;
            let at = |(x, y): (usize, usize)| {
                let place = move |place: usize| (place & 1 ^ x) + 2 * (place >> 1 ^ y);
                (0..4)
                    .map(|site| depends_on_parity[place(site)].clone())
                    .collect()
            };
            path.corners().iter().map(|&corner| at(corner)).collect()
        }
        TableNeighbourhood::TriangularVonNeumann | TableNeighbourhood::TriangularMoore => {
            let point_above = seen_from(0)?;
            vec![vec![point_above.turned(), point_above]]
        }
        _ => vec![vec![seen_from(0)?]],
    })
}

/// The cells of a transition in the order in which one of them sees them, itself first.
pub(super) struct TransitionView {
    /// Which place of a transition each cell stands at.
    order: Vec<usize>,
    pub(super) offsets: Vec<(i32, i32)>,
}

impl TransitionView {
    pub(super) fn new(offsets: &[(i32, i32)], first: usize) -> Self {
        let others = (0..offsets.len()).filter(|&place| place != first);
        let order: Vec<usize> = [first].into_iter().chain(others).collect();
        let (x, y) = offsets[first];
        let seen = |&place: &usize| (offsets[place].0 - x, offsets[place].1 - y);
        Self {
            offsets: order.iter().map(seen).collect(),
            order,
        }
    }
}

/// The transitions with variables bound and symmetries expanded, in file order, as seen by one
/// cell; `None` if there are too many.
pub(super) fn expand_transitions(
    table: &RuleFileTable,
    view: &TransitionView,
) -> Option<Vec<LookupTransition>> {
    let blocks = table.neighbours.outputs() > 1;
    let permute = table.symmetry == TableSymmetry::Permute && !blocks;
    let ways = table.neighbours.ways(table.symmetry);
    let mut lines = Vec::new();
    for transition in &table.transitions {
        for_each_binding(table, transition, &mut |inputs, next| {
            let of_this_binding = lines.len();
            for way in &ways {
                let seen = view.order.iter().map(|&place| inputs[way[place]]);
                let inputs: Box<[StateSet]> = seen.collect();
                let next = next[if blocks { way[view.order[0]] } else { 0 }];
                let known = lines[of_this_binding..].iter();
                if !known
                    .clone()
                    .any(|line: &LookupTransition| line.inputs == inputs)
                {
                    lines.push(LookupTransition {
                        inputs,
                        next,
                        permute,
                    });
                }
            }
            lines.len() <= MAX_TRANSITIONS
        })
        .then_some(())?;
    }
    Some(lines)
}

/// Calls `each` with the input sets and the next states for each binding of the variables that
/// occur more than once. Returns whether `each` always returned true.
fn for_each_binding(
    table: &RuleFileTable,
    transition: &TableTransition,
    each: &mut impl FnMut(&[StateSet], &[State]) -> bool,
) -> bool {
    let entries = || transition.inputs.iter().chain(&transition.outputs);
    let mut bound: Vec<usize> = Vec::new();
    for entry in entries() {
        if let TransitionEntry::Variable(i) = *entry
            && !bound.contains(&i)
            && (entries().filter(|e| *e == entry).count() > 1 || transition.outputs.contains(entry))
        {
            bound.push(i);
        }
    }
    let choices: Vec<Vec<State>> = bound
        .iter()
        .map(|&i| table.variables[i].iter().collect())
        .collect();
    let mut at = vec![0; bound.len()];
    loop {
        let value = |i: usize| {
            let k = bound.iter().position(|&b| b == i)?;
            Some(choices[k][at[k]])
        };
        let set = |entry: &TransitionEntry| match *entry {
            TransitionEntry::State(state) => StateSet::one(state),
            TransitionEntry::Variable(i) => value(i).map_or(table.variables[i], StateSet::one),
        };
        let inputs: Vec<StateSet> = transition.inputs.iter().map(set).collect();
        let state = |entry: &TransitionEntry| match *entry {
            TransitionEntry::State(state) => state,
            TransitionEntry::Variable(i) => value(i).unwrap_or(0),
        };
        let next: Vec<State> = transition.outputs.iter().map(state).collect();
        if !each(&inputs, &next) {
            return false;
        }
        // the next choice, the last variable's first
        let Some(k) = (0..at.len()).rev().find(|&k| at[k] + 1 < choices[k].len()) else {
            return true;
        };
        at[k] += 1;
        at[k + 1..].fill(0);
    }
}

/// The index of a constraint on the cells not yet seen in [`Builder::known`].
type ConstraintId = u32;

/// A list element: the remaining constraint, and the next state if it holds.
type ConstrainedTransition = (ConstraintId, State);

/// Several collections of sets: the cells satisfy one of them, each cell a set of its own.
/// Sorted.
type SetCollections = Vec<Vec<StateSet>>;

#[derive(Debug)]
struct ConstraintRecord {
    /// Whether all states satisfy it.
    accepts_all: bool,
    /// The states of the next cell that can satisfy it.
    allowed: StateSet,
    /// The constraint after the next cell, where it does not depend on that cell's state.
    then: Option<ConstraintId>,
    /// For a constraint in any order.
    around: SetCollections,
}

/// The constraint on no cells.
const NO_CELLS: ConstraintId = 0;

struct Builder {
    states: u16,
    levels: usize,
    full: StateSet,
    known: Vec<ConstraintRecord>,
    /// Constraints in order: the set of the next cell and the constraint on the cells after it.
    in_order: HashMap<(StateSet, ConstraintId), ConstraintId, WordMixState>,
    any_order: HashMap<SetCollections, ConstraintId, WordMixState>,
    /// For constraints in any order.
    after: HashMap<(ConstraintId, State), ConstraintId, WordMixState>,
    lists: HashMap<Box<[ConstrainedTransition]>, u32, WordMixState>,
    nodes: TreeNodeTable,
    /// The lists of the nodes that are being made, those further down behind the others.
    pending: Vec<ConstrainedTransition>,
    /// For each level the lists of [`Builder::successors`], whose memory is used again.
    below: Vec<Vec<Vec<ConstrainedTransition>>>,
    work: usize,
}

impl Builder {
    fn new(states: u16, levels: usize) -> Self {
        let no_cells = ConstraintRecord {
            accepts_all: true,
            allowed: StateSet::default(),
            then: None,
            around: Vec::new(),
        };
        Self {
            states,
            levels,
            full: StateSet::all(states),
            known: vec![no_cells],
            in_order: HashMap::default(),
            any_order: HashMap::default(),
            after: HashMap::default(),
            lists: HashMap::default(),
            nodes: TreeNodeTable::new(states),
            pending: Vec::new(),
            below: vec![vec![Vec::new(); states.into()]; levels],
            work: 0,
        }
    }

    /// `None` if it is too large.
    fn tree(mut self, lines: &[LookupTransition]) -> Option<LookupTree> {
        let mut list = Vec::with_capacity(lines.len());
        for line in lines {
            let (own, around) = (line.inputs[0], &line.inputs[1..]);
            let around = if line.permute {
                let mut around = around.to_vec();
                around.sort_unstable();
                self.any_order(vec![around])
            } else {
                let sets = around.iter().rev();
                sets.fold(NO_CELLS, |then, &set| self.in_order(set, then))
            };
            list.push((self.in_order(own, around), line.next));
        }
        let accepts_all = self.free(self.levels - 1);
        // The first level is the cell itself, which stays as it is where nothing fits.
        let below = self.successors(0, &list)?;
        let mut root = Vec::with_capacity(self.states.into());
        for (own, below) in below.iter().enumerate() {
            self.pending.extend_from_slice(below);
            self.pending.push((accepts_all, own as State));
            root.push(self.node(1, 0)?);
        }
        let root = self.nodes.intern(&root)?;
        Some(LookupTree {
            entries: self.nodes.into_entries().into(),
            root,
        })
    }

    /// The node for a list whose last element accepts everything: what is pending from `start`
    /// on, which is taken away.
    fn node(&mut self, level: usize, start: usize) -> Option<u32> {
        self.normalize(start);
        let list = &self.pending[start..];
        if level == self.levels {
            let next = list[0].1;
            self.pending.truncate(start);
            return Some(next.into());
        }
        if let Some(&node) = self.lists.get(list) {
            self.pending.truncate(start);
            return Some(node);
        }
        let mut node: Vec<u32> = Vec::with_capacity(self.states.into());
        if let &[(rest, next)] = list
            && let Some(then) = self.known[rest as usize].then
        {
            // only an element that accepts everything stands alone
            self.pending.push((then, next));
            let below = self.node(level + 1, start + 1)?;
            node.resize(self.states.into(), below);
        } else {
            let list: Box<[ConstrainedTransition]> = list.into();
            let below = self.successors(level, &list)?;
            for (state, list) in below.iter().enumerate() {
                // States that are taken alike often stand side by side.
                if state > 0 && *list == below[state - 1] {
                    node.push(node[state - 1]);
                    continue;
                }
                let start = self.pending.len();
                self.pending.extend_from_slice(list);
                node.push(self.node(level + 1, start)?);
            }
            self.below[level] = below;
        }
        let node = self.nodes.intern(&node)?;
        self.lists.insert(self.pending[start..].into(), node);
        self.pending.truncate(start);
        Some(node)
    }

    /// The lists after the next cell, by its state. Whoever has read them gives them back to
    /// [`Builder::below`].
    fn successors(
        &mut self,
        level: usize,
        list: &[ConstrainedTransition],
    ) -> Option<Vec<Vec<ConstrainedTransition>>> {
        let mut below = std::mem::take(&mut self.below[level]);
        below.iter_mut().for_each(Vec::clear);
        // states after which something fits whatever else is seen: no later element counts
        let mut settled = StateSet::default();
        for &(rest, next) in list {
            let ConstraintRecord { allowed, then, .. } = self.known[rest as usize];
            let allowed = allowed.without(settled);
            if let Some(then) = then {
                for state in allowed.iter() {
                    below[usize::from(state)].push((then, next));
                    self.work += 1;
                }
                if self.known[then as usize].accepts_all {
                    settled = settled.union(allowed);
                }
                if self.work > MAX_WORK {
                    return None;
                }
                continue;
            }
            for state in allowed.iter() {
                let then = self.advance(rest, state);
                below[usize::from(state)].push((then, next));
                self.work += 1;
                if self.work > MAX_WORK {
                    return None;
                }
                if self.known[then as usize].accepts_all {
                    settled.insert(state);
                }
            }
        }
        self.work += below.len();
        (self.work <= MAX_WORK).then_some(below)
    }

    /// Normalises the list that is pending from `start` on, so that most lists with the same
    /// meaning share a node.
    fn normalize(&mut self, start: usize) {
        let list = &self.pending[start..];
        let accepts_all = list
            .iter()
            .position(|open| self.known[open.0 as usize].accepts_all);
        if let Some(last) = accepts_all {
            // elements just before the last one with the same next state are redundant
            let open = list[last];
            let kept = list[..last].iter().rposition(|before| before.1 != open.1);
            self.pending
                .truncate(start + kept.map_or(0, |kept| kept + 1));
            self.pending.push(open);
        }
        // the order among equal next states makes no difference
        self.pending[start..]
            .chunk_by_mut(|a, b| a.1 == b.1)
            .for_each(<[ConstrainedTransition]>::sort_unstable);
        let mut kept = start;
        for i in start..self.pending.len() {
            if kept == start || self.pending[i] != self.pending[kept - 1] {
                self.pending[kept] = self.pending[i];
                kept += 1;
            }
        }
        self.pending.truncate(kept);
    }

    /// What is left of a constraint in any order after a cell of this state.
    fn advance(&mut self, rest: ConstraintId, state: State) -> ConstraintId {
        if let Some(&then) = self.after.get(&(rest, state)) {
            return then;
        }
        let mut left = SetCollections::new();
        for sets in &self.known[rest as usize].around {
            for i in 0..sets.len() {
                if sets[i].contains(state) {
                    let mut sets = sets.clone();
                    sets.remove(i);
                    left.push(sets);
                }
            }
        }
        left.sort_unstable();
        left.dedup();
        self.work += SET_COST * left.iter().map(Vec::len).sum::<usize>();
        let then = self.any_order(left);
        self.after.insert((rest, state), then);
        then
    }

    /// Interns the constraint that the next cell is in `set`, and the cells after it satisfy
    /// `then`.
    fn in_order(&mut self, set: StateSet, then: ConstraintId) -> ConstraintId {
        let next = self.known.len() as ConstraintId;
        let id = *self.in_order.entry((set, then)).or_insert(next);
        if id == next {
            self.known.push(ConstraintRecord {
                accepts_all: set == self.full && self.known[then as usize].accepts_all,
                allowed: set,
                then: Some(then),
                around: Vec::new(),
            });
        }
        id
    }

    /// Interns the constraint that so many cells may be in any state.
    fn free(&mut self, cells: usize) -> ConstraintId {
        (0..cells).fold(NO_CELLS, |then, _| self.in_order(self.full, then))
    }

    fn any_order(&mut self, around: SetCollections) -> ConstraintId {
        // a collection of full sets accepts everything, whatever its order
        let is_free = |sets: &&Vec<StateSet>| sets.iter().all(|set| *set == self.full);
        if let Some(free) = around.iter().find(is_free) {
            return self.free(free.len());
        }
        if let Some(&id) = self.any_order.get(&around) {
            return id;
        }
        let id = self.known.len() as ConstraintId;
        let sets = around.iter().flatten();
        self.known.push(ConstraintRecord {
            accepts_all: false,
            allowed: sets.fold(StateSet::default(), |all, set| all.union(*set)),
            then: None,
            around: around.clone(),
        });
        self.any_order.insert(around, id);
        id
    }
}
