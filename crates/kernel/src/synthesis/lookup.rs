//! Circuits of tables by the exact states of some cells.
//!
//! Each plane of the next state is a multi-valued decision tree over the cells, in an order
//! that makes it small. States of a cell that are never distinguished are one class; a cell
//! with two classes is one wire, made once for all rows that read it. Interchangeable
//! neighbours are counted: the tree then branches on the count. Tables with symmetries are also
//! reduced by these. Every choice is made by trying: the circuit with the fewest three-input
//! tables is kept.

use super::state_value;
use super::symmetry::SymmetryReducedTable;
use super::tree::{DecisionTree, TreeLevel, TreeVariable};
use crate::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use crate::hasher::MixMap;
use rule::LookupTable;
use std::collections::hash_map::Entry;

/// The most branches of the trees of all planes, times the planes, for which a circuit is tried.
const MAX_BRANCHES: usize = 12_000;

/// The next state by a lookup table.
pub(super) fn next(
    circuit: &mut Circuit,
    table: &LookupTable,
    planes: usize,
) -> Option<BitSlicedNumber> {
    let by_symmetry = by_symmetry(circuit, table, planes);
    let plain = plain(circuit, table, planes);
    let both = [plain, by_symmetry].into_iter().flatten();
    both.min_by_key(|next| circuit.table_count(next))
}

/// Without reduction by symmetries.
fn plain(circuit: &mut Circuit, table: &LookupTable, planes: usize) -> Option<BitSlicedNumber> {
    let states = usize::from(table.states());
    let all = DecisionTree::new(table.tree()?, states, table.offsets().len());
    let each: Vec<DecisionTree> = (0..planes).map(|p| all.map(|s| s >> p & 1)).collect();
    let each: Vec<Vec<DecisionTree>> = each
        .into_iter()
        .map(|tree| with_counts(&tree).into_iter().chain([tree]).collect())
        .collect();
    let least = |trees: &Vec<DecisionTree>| trees.iter().map(DecisionTree::size).min().unwrap_or(0);
    if each.iter().map(least).sum::<usize>() * planes > MAX_BRANCHES {
        return None;
    }
    let cells = table.offsets().iter().map(|&(dx, dy)| {
        let planes = 0..planes as u8;
        planes.map(|plane| circuit.cell(plane, dx, dy)).collect()
    });
    let mut inputs = LookupInputs {
        cells: cells.collect(),
        table,
        known: MixMap::default(),
    };
    let mut next = BitSlicedNumber::new();
    for mut trees in each {
        trees.retain(|tree| tree.size() * planes <= MAX_BRANCHES);
        for tree in &mut trees {
            sift(tree);
        }
        next = inputs.best(circuit, &trees, next);
    }
    Some(next)
}

/// From the cells in canonical form, where the table has symmetries.
fn by_symmetry(
    circuit: &mut Circuit,
    table: &LookupTable,
    planes: usize,
) -> Option<BitSlicedNumber> {
    let by_symmetry = SymmetryReducedTable::new(circuit, table, planes)?;
    let trees: Vec<DecisionTree> = (0..planes)
        .map(|p| by_symmetry.tree(p))
        .collect::<Option<_>>()?;
    if trees.iter().map(DecisionTree::size).sum::<usize>() * planes > MAX_BRANCHES {
        return None;
    }
    let mut inputs = LookupInputs {
        cells: by_symmetry.cells,
        table,
        known: MixMap::default(),
    };
    let mut next = BitSlicedNumber::new();
    for tree in trees {
        next = inputs.best(circuit, &[tree], next);
    }
    Some(next)
}

/// The cells, and numbers derived from their states.
struct LookupInputs<'a> {
    /// The planes of each cell.
    cells: Vec<BitSlicedNumber>,
    table: &'a LookupTable,
    /// Memoised numbers, by cell and value of each state.
    known: MixMap<(usize, Vec<u64>), BitSlicedNumber>,
}

impl LookupInputs<'_> {
    /// Appends a plane to `next`, by the tree that takes the fewest three-input tables.
    fn best(
        &mut self,
        circuit: &mut Circuit,
        trees: &[DecisionTree],
        next: BitSlicedNumber,
    ) -> BitSlicedNumber {
        // Rejected gates stay in the circuit, but are dead.
        let mut made = Vec::new();
        for tree in trees {
            for coded in [false, true] {
                if !coded || self.class_saves_one_bit(tree) {
                    let mut next = next.clone();
                    next.push(TreeSynthesis::new(circuit, self, tree, coded).build());
                    made.push(next);
                }
            }
        }
        let best = made
            .into_iter()
            .min_by_key(|next| circuit.table_count(next));
        best.unwrap_or(next)
    }

    /// The value of a cell's state.
    fn cell_value(
        &mut self,
        circuit: &mut Circuit,
        cell: usize,
        values: Vec<u64>,
    ) -> BitSlicedNumber {
        match self.known.entry((cell, values)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => {
                let number = state_value(circuit, &self.cells[cell], &place.key().1);
                place.insert(number).clone()
            }
        }
    }

    fn planes(&self) -> usize {
        self.cells[0].len()
    }

    /// Whether some cell's class has exactly one bit less than its state: with two bits less the
    /// class is used in any case.
    fn class_saves_one_bit(&self, tree: &DecisionTree) -> bool {
        let cells =
            |level: &&TreeLevel| matches!(level.variable, TreeVariable::Cell(_)) && level.arity > 2;
        let mut levels = tree.levels.iter().filter(cells);
        levels.any(|level| level.bits() + 1 == self.planes())
    }
}

/// The tree with each group of interchangeable neighbours replaced by their counts; none if
/// there is no such group.
fn with_counts(tree: &DecisionTree) -> Option<DecisionTree> {
    let mut tree = tree.clone();
    let mut found = false;
    let mut first = 0;
    while first < tree.levels.len() {
        let mut last = first;
        while last + 1 < tree.levels.len() && tree.is_symmetric(last) {
            last += 1;
        }
        if last >= first + 2 && tree.levels[first].arity > 1 {
            found = true;
            first += tree.replace_by_counts(first, last + 1);
        } else {
            first = last + 1;
        }
    }
    found.then_some(tree)
}

/// Sifting: moves each level to where the tree is smallest, until nothing improves.
fn sift(tree: &mut DecisionTree) {
    let mut least = tree.size();
    for _ in 0..3 {
        let before = least;
        let variables: Vec<_> = tree
            .levels
            .iter()
            .map(|level| level.variable.clone())
            .collect();
        for variable in &variables {
            let at = |tree: &DecisionTree| tree.levels.iter().position(|l| l.variable == *variable);
            let Some(start) = at(tree) else { continue };
            let mut best = tree.clone();
            for downwards in [true, false] {
                let mut moved = tree.clone();
                let places: Vec<usize> = if downwards {
                    (start..tree.levels.len() - 1).collect()
                } else {
                    (0..start).rev().collect()
                };
                for upper in places {
                    moved.swap(upper);
                    let size = moved.size();
                    if size < least {
                        least = size;
                        best = moved.clone();
                    }
                    if size > 2 * least + 64 {
                        break;
                    }
                }
            }
            *tree = best;
        }
        if least == before {
            break;
        }
    }
}

/// Synthesises a tree.
struct TreeSynthesis<'a> {
    circuit: &'a mut Circuit,
    tree: &'a DecisionTree,
    /// The wires of each level's value, and the class for each value of the wires; none for values
    /// that cannot occur.
    level_values: Vec<(BitSlicedNumber, Vec<Option<u8>>)>,
    /// The wires of nodes that were built.
    known: Vec<Vec<Option<CircuitWire>>>,
    /// The complement of each node, if there is one.
    complement: Vec<Vec<Option<u32>>>,
}

impl<'a> TreeSynthesis<'a> {
    /// Branches on the number of a cell's class where `coded` is set, else on its state.
    fn new(
        circuit: &'a mut Circuit,
        inputs: &mut LookupInputs<'_>,
        tree: &'a DecisionTree,
        coded: bool,
    ) -> Self {
        let levels = tree.levels.iter();
        let level_values = levels.map(|level| level_value(circuit, inputs, level, coded));
        let level_values = level_values.collect();
        let known = tree.levels.iter().map(|l| vec![None; l.nodes().len()]);
        let known = known.collect();
        Self {
            circuit,
            tree,
            level_values,
            known,
            complement: tree.complements(),
        }
    }

    fn build(mut self) -> CircuitWire {
        self.node(0, 0)
    }

    fn node(&mut self, level: usize, node: usize) -> CircuitWire {
        if level == self.tree.levels.len() {
            return if node == 1 {
                CircuitWire::ONES
            } else {
                CircuitWire::ZERO
            };
        }
        if let Some(wire) = self.known[level][node] {
            return wire;
        }
        if let Some(other) = self.complement[level][node]
            && let Some(wire) = self.known[level][other as usize]
        {
            return self.circuit.not(wire);
        }
        let arity = self.tree.levels[level].arity;
        let children: Vec<CircuitWire> = (0..arity)
            .map(|class| {
                let below = self.tree.levels[level].below[node * arity + class];
                self.node(level + 1, below as usize)
            })
            .collect();
        let wire = self.choice(level, &children);
        self.known[level][node] = Some(wire);
        wire
    }

    /// Selects the child of the level's class.
    fn choice(&mut self, level: usize, children: &[CircuitWire]) -> CircuitWire {
        let (wires, values) = &self.level_values[level];
        let leaves: Vec<Option<CircuitWire>> = values
            .iter()
            .map(|class| class.map(|class| children[usize::from(class)]))
            .collect();
        self.circuit.select(wires, &leaves)
    }
}

/// The wires of a level's value, and the class for each value of the wires.
fn level_value(
    circuit: &mut Circuit,
    inputs: &mut LookupInputs<'_>,
    level: &TreeLevel,
    coded: bool,
) -> (BitSlicedNumber, Vec<Option<u8>>) {
    if level.arity == 1 {
        return (BitSlicedNumber::new(), vec![Some(0)]);
    }
    let (wires, classes): (BitSlicedNumber, Vec<u8>) = match &level.variable {
        TreeVariable::Cell(cell) => {
            if level.arity == 2 || level.bits() + usize::from(!coded) < inputs.planes() {
                let values = level.classes.iter().map(|&c| c.into()).collect();
                let wires = inputs.cell_value(circuit, *cell, values);
                (wires, (0..level.arity as u8).collect())
            } else {
                (inputs.cells[*cell].clone(), level.classes.clone())
            }
        }
        TreeVariable::Count { cells, counted } => {
            let offset = |&cell: &usize| {
                let (dx, dy) = inputs.table.offsets()[cell];
                (dy, dx)
            };
            let mut cells = cells.clone();
            cells.sort_unstable_by_key(offset);
            let values: Vec<u64> = counted.iter().map(|&counts| counts.into()).collect();
            // Rows first: equal rows are added up once.
            let rows: Vec<Vec<usize>> = cells
                .chunk_by(|a, b| offset(a).0 == offset(b).0)
                .map(<[usize]>::to_vec)
                .collect();
            let rows: Vec<BitSlicedNumber> = rows
                .iter()
                .map(|row| {
                    let each = row.iter();
                    let each = each.map(|&cell| inputs.cell_value(circuit, cell, values.clone()));
                    let each: Vec<BitSlicedNumber> = each.collect();
                    circuit.sum(&each, row.len() as u64)
                })
                .collect();
            let wires = circuit.sum(&rows, cells.len() as u64);
            (wires, level.classes.clone())
        }
    };
    let mut values = vec![None; 1 << wires.len()];
    for (value, &class) in values.iter_mut().zip(&classes) {
        *value = Some(class);
    }
    (wires, values)
}
