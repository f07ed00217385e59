//! A lookup table over the exact states of a few cells.

use super::states::StateSet;
use grid::State;
use std::collections::HashMap;
use std::sync::Arc;

/// A table from the exact states of a list of cells to the next state.
///
/// ```
/// use rule::{Rule, Site, Transition};
///
/// let automaton: Rule = "JvN29".parse()?;
/// let Transition::Lookup(table) = automaton.transition(Site::default()) else {
///     panic!("a table of exact states");
/// };
/// assert_eq!((table.states(), table.offsets().len()), (29, 5));
/// # Ok::<(), rule::RuleError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTable {
    offsets: Arc<[(i32, i32)]>,
    states: u16,
    form: LookupForm,
}

#[derive(Clone, Debug, PartialEq)]
enum LookupForm {
    Tree(LookupTree),
    /// Transitions to match in order, where a tree would be too large.
    Lines(Arc<[LookupTransition]>),
}

/// A tree over the cells of a [`LookupTable`], one level for each, in their order.
///
/// A node is `states` entries in a row, one for each state of its level's cell. An entry
/// is where the node below starts, or on the last level the next state. Equal nodes are
/// one.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupTree {
    /// All nodes.
    pub entries: Arc<[u32]>,
    /// Where the first node starts.
    pub root: u32,
}

/// One transition of a table, its variables bound.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LookupTransition {
    /// In the order of the offsets, the cell itself first.
    pub(super) inputs: Box<[StateSet]>,
    pub(super) next: State,
    /// The cells around may lie in any order.
    pub(super) permute: bool,
}

impl LookupTable {
    pub(super) fn from_tree(offsets: &[(i32, i32)], states: u16, tree: LookupTree) -> Self {
        Self {
            offsets: offsets.into(),
            states,
            form: LookupForm::Tree(tree),
        }
    }

    /// The first transition that matches decides; where none does, the cell keeps its state.
    pub(super) fn from_lines(
        offsets: &[(i32, i32)],
        states: u16,
        lines: Vec<LookupTransition>,
    ) -> Self {
        Self {
            offsets: offsets.into(),
            states,
            form: LookupForm::Lines(lines.into()),
        }
    }

    /// The same table seen through a rotation by 180 degrees.
    pub(super) fn turned(&self) -> Self {
        Self {
            offsets: self.offsets.iter().map(|&(dx, dy)| (-dx, -dy)).collect(),
            ..self.clone()
        }
    }

    /// The same for a rule of two states whose cells are shown inverted, now or next.
    pub(crate) fn inverted(&self, now: bool, next: bool) -> Self {
        let form = match &self.form {
            LookupForm::Tree(tree) => {
                LookupForm::Tree(tree.inverted(self.offsets.len(), now, next))
            }
            LookupForm::Lines(lines) => {
                let shown = |set: &StateSet| {
                    let states = set
                        .iter()
                        .map(|state| StateSet::one(state ^ State::from(now)));
                    states.fold(StateSet::default(), StateSet::union)
                };
                let shown = lines.iter().map(|line| LookupTransition {
                    inputs: line.inputs.iter().map(shown).collect(),
                    next: line.next ^ State::from(next),
                    permute: line.permute,
                });
                // what stayed as it was may be shown as a change
                let stays = [0, 1].map(|own| {
                    let mut inputs = vec![StateSet::all(2); self.offsets.len()];
                    inputs[0] = StateSet::one(own);
                    LookupTransition {
                        inputs: inputs.into(),
                        next: own ^ State::from(now != next),
                        permute: false,
                    }
                });
                LookupForm::Lines(shown.chain(stays).collect())
            }
        };
        Self {
            form,
            ..self.clone()
        }
    }

    /// The same table with more states: the new ones die, and count as state 0.
    pub(crate) fn widened(&self, states: u16) -> Self {
        let form = match &self.form {
            LookupForm::Tree(tree) => {
                LookupForm::Tree(tree.widened(&self.offsets, self.states, states))
            }
            LookupForm::Lines(lines) => {
                let new = (self.states..states).map(|state| StateSet::one(state as State));
                let new = new.fold(StateSet::default(), StateSet::union);
                let seen = |set: &StateSet| match set.contains(0) {
                    true => set.union(new),
                    false => *set,
                };
                let mut inputs = vec![StateSet::all(states); self.offsets.len()];
                inputs[0] = new;
                let die = LookupTransition {
                    inputs: inputs.into(),
                    next: 0,
                    permute: false,
                };
                let others = lines.iter().map(|line| LookupTransition {
                    inputs: line.inputs.iter().map(seen).collect(),
                    ..line.clone()
                });
                LookupForm::Lines(std::iter::once(die).chain(others).collect())
            }
        };
        Self {
            form,
            states,
            ..self.clone()
        }
    }

    /// The cells that are looked at, (0, 0) the cell itself.
    #[must_use]
    pub fn offsets(&self) -> &[(i32, i32)] {
        &self.offsets
    }

    /// How many states there are.
    #[must_use]
    pub fn states(&self) -> u16 {
        self.states
    }

    /// The tree, unless it would be too large.
    ///
    /// ```
    /// use rule::{Rule, Site, Transition};
    ///
    /// let automaton: Rule = "JvN29".parse()?;
    /// let Transition::Lookup(table) = automaton.transition(Site::default()) else {
    ///     panic!("a table of exact states");
    /// };
    /// let tree = table.tree().expect("a small one");
    /// let below = |at: u32, &(dx, _): &(i32, i32)| {
    ///     let state = if dx == -1 { 13 } else { 0 }; // an excited wire comes from the west
    ///     tree.entries[(at + state) as usize]
    /// };
    /// assert_eq!(table.offsets().iter().fold(tree.root, below), 1); // the ground is sensitised
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn tree(&self) -> Option<&LookupTree> {
        match &self.form {
            LookupForm::Tree(tree) => Some(tree),
            LookupForm::Lines(_) => None,
        }
    }

    /// The next state. `state_at(dx, dy)` gives the states around; (0, 0) is the cell itself.
    ///
    /// ```
    /// use rule::{Rule, Site, Transition};
    ///
    /// let automaton: Rule = "JvN29".parse()?;
    /// let Transition::Lookup(table) = automaton.transition(Site::default()) else {
    ///     panic!("a table of exact states");
    /// };
    /// assert_eq!(table.next(|dx, _| if dx == -1 { 13 } else { 0 }), 1);
    /// # Ok::<(), rule::RuleError>(())
    /// ```
    #[must_use]
    pub fn next(&self, mut state_at: impl FnMut(i32, i32) -> State) -> State {
        match &self.form {
            LookupForm::Tree(tree) => {
                let step = |at: u32, &(dx, dy): &(i32, i32)| {
                    tree.entries[at as usize + usize::from(state_at(dx, dy))]
                };
                self.offsets.iter().fold(tree.root, step) as State
            }
            LookupForm::Lines(lines) => {
                let seen: Vec<State> = self.offsets.iter().map(|o| state_at(o.0, o.1)).collect();
                let line = lines.iter().find(|line| line.fits(&seen));
                line.map_or(seen[0], |line| line.next)
            }
        }
    }

    pub(crate) fn radius(&self) -> u32 {
        let far = |&(dx, dy): &(i32, i32)| dx.unsigned_abs().max(dy.unsigned_abs());
        self.offsets.iter().map(far).max().unwrap_or(0)
    }
}

impl LookupTree {
    /// For more states, level by level, since a node of one level may be one of another.
    fn widened(&self, offsets: &[(i32, i32)], old: u16, new: u16) -> Self {
        // What the nodes become of the levels from the last one up. `None` is the node
        // below which all is 0, since the cell itself was in a state that is new.
        let mut entries = Vec::new();
        let mut known = HashMap::new();
        let root = self.widened_node(
            Some(self.root),
            offsets,
            (old, new),
            &mut known,
            &mut entries,
        );
        Self {
            entries: entries.into(),
            root,
        }
    }

    fn widened_node(
        &self,
        at: Option<u32>,
        offsets: &[(i32, i32)],
        (old, new): (u16, u16),
        known: &mut HashMap<(usize, Option<u32>), u32>,
        entries: &mut Vec<u32>,
    ) -> u32 {
        let Some((offset, deeper)) = offsets.split_first() else {
            return at.unwrap_or(0);
        };
        if let Some(&done) = known.get(&(offsets.len(), at)) {
            return done;
        }
        let below: Vec<u32> = (0..new)
            .map(|state| {
                let seen = match (state < old, *offset == (0, 0)) {
                    (true, _) => Some(state),
                    (false, true) => None,
                    (false, false) => Some(0),
                };
                let below = at
                    .zip(seen)
                    .map(|(at, s)| self.entries[at as usize + usize::from(s)]);
                self.widened_node(below, deeper, (old, new), known, entries)
            })
            .collect();
        let start = entries.len() as u32;
        entries.extend(below);
        known.insert((offsets.len(), at), start);
        start
    }

    /// The inversion for two states. A node of the last level may also belong to another level,
    /// but only the entries of the last level are states: all nodes are rebuilt level by level.
    fn inverted(&self, levels: usize, now: bool, next: bool) -> Self {
        let mut entries = Vec::new();
        let mut known = HashMap::new();
        let root = self.inverted_node(self.root, levels, now, next, &mut known, &mut entries);
        Self {
            entries: entries.into(),
            root,
        }
    }

    fn inverted_node(
        &self,
        at: u32,
        levels: usize,
        now: bool,
        next: bool,
        known: &mut HashMap<(usize, u32), u32>,
        entries: &mut Vec<u32>,
    ) -> u32 {
        if levels == 0 {
            return at ^ u32::from(next);
        }
        if let Some(&done) = known.get(&(levels, at)) {
            return done;
        }
        let below = [0, 1].map(|shown| {
            let state = at as usize + (shown ^ usize::from(now));
            let below = self.entries[state];
            self.inverted_node(below, levels - 1, now, next, known, entries)
        });
        let start = entries.len() as u32;
        entries.extend(below);
        known.insert((levels, at), start);
        start
    }
}

impl LookupTransition {
    fn fits(&self, seen: &[State]) -> bool {
        if !self.inputs[0].contains(seen[0]) {
            return false;
        }
        let (seen, inputs) = (&seen[1..], &self.inputs[1..]);
        if self.permute {
            return can_match(seen, inputs);
        }
        seen.iter().zip(inputs).all(|(&s, set)| set.contains(s))
    }
}

/// Whether each cell can have a set of its own that holds its state: a matching in the graph
/// of cells and sets, found by augmenting paths (Kuhn 1955), since trying all orders of
/// twelve cells takes seconds.
fn can_match(seen: &[State], sets: &[StateSet]) -> bool {
    let mut owners = [None; MAX_CELLS];
    (0..seen.len()).all(|cell| {
        let mut tried = [false; MAX_CELLS];
        augment(cell, seen, sets, &mut owners, &mut tried)
    })
}

/// No neighbourhood has more cells.
const MAX_CELLS: usize = 12;

/// Finds a set for one more cell, and others for those whose sets it takes.
fn augment(
    cell: usize,
    seen: &[State],
    sets: &[StateSet],
    owners: &mut [Option<usize>; MAX_CELLS],
    tried: &mut [bool; MAX_CELLS],
) -> bool {
    (0..sets.len()).any(|set| {
        if tried[set] || !sets[set].contains(seen[cell]) {
            return false;
        }
        tried[set] = true;
        let is_free = match owners[set] {
            None => true,
            Some(owner) => augment(owner, seen, sets, owners, tried),
        };
        if is_free {
            owners[set] = Some(cell);
        }
        is_free
    })
}
