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
use super::states::StateSet;
use super::table::{RuleFileTable, TableTransition, TransitionEntry};
use super::{RuleFileProblem, text};
use crate::RuleFileError;
use grid::State;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The most transitions after binding the variables and expanding the symmetry.
const MAX_TRANSITIONS: usize = 1 << 19;

/// The most list entries created while compiling: some tenths of a second, and 256 MiB.
const MAX_WORK: usize = 1 << 25;

/// The cost of a set in such entries: it takes as much memory, and is held twice.
const SET_COST: usize = 2 * size_of::<StateSet>() / size_of::<ConstrainedTransition>();

/// Entries of the tree: 256 MiB.
const MAX_ENTRIES: usize = 1 << 26;

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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum InputConstraint {
    /// A set for each cell in turn.
    InOrder(Box<[StateSet]>),
    /// One of several collections of sets, each of them in any order; sorted. With the
    /// cell itself first, if it has not been seen.
    AnyOrder(Option<StateSet>, Vec<Vec<StateSet>>),
}

#[derive(Debug)]
struct ConstraintRecord {
    constraint: InputConstraint,
    /// Whether all states satisfy it.
    accepts_all: bool,
    /// The states of the next cell that can satisfy it.
    allowed: StateSet,
    /// The constraint after the next cell, where it does not depend on that cell's state.
    then: Option<ConstraintId>,
}

struct Builder {
    states: u16,
    levels: usize,
    full: StateSet,
    known: Vec<ConstraintRecord>,
    constraint_ids: HashMap<InputConstraint, ConstraintId, WordMixState>,
    /// For [`InputConstraint::AnyOrder`].
    after: HashMap<(ConstraintId, State), ConstraintId, WordMixState>,
    lists: HashMap<Box<[ConstrainedTransition]>, u32, WordMixState>,
    nodes: HashMap<Box<[u32]>, u32, WordMixState>,
    entries: Vec<u32>,
    work: usize,
}

impl Builder {
    fn new(states: u16, levels: usize) -> Self {
        Self {
            states,
            levels,
            full: StateSet::all(states),
            known: Vec::new(),
            constraint_ids: HashMap::default(),
            after: HashMap::default(),
            lists: HashMap::default(),
            nodes: HashMap::default(),
            entries: Vec::new(),
            work: 0,
        }
    }

    /// `None` if it is too large.
    fn tree(mut self, lines: &[LookupTransition]) -> Option<LookupTree> {
        let mut list = Vec::with_capacity(lines.len());
        for line in lines {
            let constraint = if line.permute {
                let mut around = line.inputs[1..].to_vec();
                around.sort_unstable();
                InputConstraint::AnyOrder(Some(line.inputs[0]), vec![around])
            } else {
                InputConstraint::InOrder(line.inputs.clone())
            };
            list.push((self.intern_constraint(constraint), line.next));
        }
        let accepts_all = InputConstraint::InOrder(vec![self.full; self.levels - 1].into());
        let accepts_all = self.intern_constraint(accepts_all);
        // The first level is the cell itself, which stays as it is where nothing fits.
        let mut root = Vec::with_capacity(self.states.into());
        for (own, mut below) in self.successors(&list)?.into_iter().enumerate() {
            below.push((accepts_all, own as State));
            root.push(self.node(1, below)?);
        }
        let root = self.intern_node(root.into())?;
        Some(LookupTree {
            entries: self.entries.into(),
            root,
        })
    }

    /// The node for a list whose last element accepts everything.
    fn node(&mut self, level: usize, mut list: Vec<ConstrainedTransition>) -> Option<u32> {
        self.normalize(&mut list);
        if level == self.levels {
            return Some(list[0].1.into());
        }
        if let Some(&node) = self.lists.get(list.as_slice()) {
            return Some(node);
        }
        let mut node: Vec<u32> = Vec::with_capacity(self.states.into());
        if let [(rest, next)] = list[..]
            && let Some(then) = self.known[rest as usize].then
        {
            // only an element that accepts everything stands alone
            let below = self.node(level + 1, vec![(then, next)])?;
            node.resize(self.states.into(), below);
            let node = self.intern_node(node.into())?;
            self.lists.insert(list.into(), node);
            return Some(node);
        }
        let mut before = Vec::new();
        for below in self.successors(&list)? {
            // States that are taken alike often stand side by side.
            if let Some(&last) = node.last()
                && below == before
            {
                node.push(last);
                continue;
            }
            before.clone_from(&below);
            node.push(self.node(level + 1, below)?);
        }
        let node = self.intern_node(node.into())?;
        self.lists.insert(list.into(), node);
        Some(node)
    }

    /// The lists after the next cell, by its state.
    fn successors(
        &mut self,
        list: &[ConstrainedTransition],
    ) -> Option<Vec<Vec<ConstrainedTransition>>> {
        let mut below = vec![Vec::new(); self.states.into()];
        // states after which something fits whatever else is seen: no later element counts
        let mut settled = StateSet::default();
        for &(rest, next) in list {
            let ConstraintRecord { allowed, then, .. } = self.known[rest as usize];
            for state in allowed.without(settled).iter() {
                let then = then.unwrap_or_else(|| self.advance(rest, state));
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

    /// Normalises a list, so that most lists with the same meaning share a node.
    fn normalize(&self, list: &mut Vec<ConstrainedTransition>) {
        let accepts_all = list
            .iter()
            .position(|open| self.known[open.0 as usize].accepts_all);
        if let Some(last) = accepts_all {
            list.truncate(last + 1);
            // elements just before the last one with the same next state are redundant
            let next = list[last].1;
            let kept = list[..last].iter().rposition(|open| open.1 != next);
            list.drain(kept.map_or(0, |kept| kept + 1)..last);
        }
        // the order among equal next states makes no difference
        list.chunk_by_mut(|a, b| a.1 == b.1)
            .for_each(<[ConstrainedTransition]>::sort_unstable);
        list.dedup();
    }

    fn advance(&mut self, rest: ConstraintId, state: State) -> ConstraintId {
        if let Some(&then) = self.after.get(&(rest, state)) {
            return then;
        }
        let then = match &self.known[rest as usize].constraint {
            InputConstraint::InOrder(sets) => InputConstraint::InOrder(sets[1..].into()),
            InputConstraint::AnyOrder(Some(_), around) => {
                InputConstraint::AnyOrder(None, around.clone())
            }
            InputConstraint::AnyOrder(None, around) => {
                let mut left: Vec<Vec<StateSet>> = Vec::new();
                for sets in around {
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
                InputConstraint::AnyOrder(None, left)
            }
        };
        let then = self.intern_constraint(then);
        self.after.insert((rest, state), then);
        then
    }

    fn intern_constraint(&mut self, mut constraint: InputConstraint) -> ConstraintId {
        // a collection of full sets accepts everything, whatever its order
        if let InputConstraint::AnyOrder(None, around) = &constraint
            && let Some(free) = around
                .iter()
                .find(|sets| sets.iter().all(|s| *s == self.full))
        {
            constraint = InputConstraint::InOrder(free.as_slice().into());
        }
        if let Some(&number) = self.constraint_ids.get(&constraint) {
            return number;
        }
        let (accepts_all, allowed, then) = match &constraint {
            InputConstraint::InOrder(sets) => {
                let then = (!sets.is_empty())
                    .then(|| self.intern_constraint(InputConstraint::InOrder(sets[1..].into())));
                let accepts_all = sets.iter().all(|set| *set == self.full);
                (accepts_all, sets.first().copied().unwrap_or_default(), then)
            }
            InputConstraint::AnyOrder(Some(own), around) => {
                let then = self.intern_constraint(InputConstraint::AnyOrder(None, around.clone()));
                (false, *own, Some(then))
            }
            InputConstraint::AnyOrder(None, around) => {
                let sets = around.iter().flatten();
                let allowed = sets.fold(StateSet::default(), |all, set| all.union(*set));
                (false, allowed, None)
            }
        };
        let number = self.known.len() as ConstraintId;
        self.known.push(ConstraintRecord {
            constraint: constraint.clone(),
            accepts_all,
            allowed,
            then,
        });
        self.constraint_ids.insert(constraint, number);
        number
    }

    /// Interns a node and returns the index of its first entry.
    fn intern_node(&mut self, node: Box<[u32]>) -> Option<u32> {
        if let Some(&at) = self.nodes.get(&node) {
            return Some(at);
        }
        let at = self.entries.len();
        if at + node.len() > MAX_ENTRIES {
            return None;
        }
        self.entries.extend_from_slice(&node);
        self.nodes.insert(node, at as u32);
        Some(at as u32)
    }
}

type WordMixState = BuildHasherDefault<WordMixHasher>;

/// A hash that is quick on the long keys here. It need not resist collision attacks: only the
/// user's own file determines the keys.
#[derive(Default)]
struct WordMixHasher(u64);

impl WordMixHasher {
    fn add(&mut self, word: u64) {
        // an odd number without a pattern in its bits
        let mixed = (self.0 ^ word).wrapping_mul(0x9e6d_51a3_c27f_48b5);
        self.0 = mixed ^ (mixed >> 29);
    }
}

impl Hasher for WordMixHasher {
    fn finish(&self) -> u64 {
        // the map takes the top bits and the bottom ones
        self.0.wrapping_mul(0xd3a5_1f0b_7c96_e84d).rotate_left(23)
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, n: u8) {
        self.add(n.into());
    }

    fn write_u32(&mut self, n: u32) {
        self.add(n.into());
    }

    fn write_u64(&mut self, n: u64) {
        self.add(n);
    }

    fn write_usize(&mut self, n: usize) {
        self.add(n as u64);
    }
}
