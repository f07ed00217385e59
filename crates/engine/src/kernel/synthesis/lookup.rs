//! Circuits of tables by the exact states of some cells.
//!
//! Each plane of the next state is a tree over the cells, in an order that makes it small.
//! States that a cell is never asked to tell apart are one class; a cell of two classes
//! is one wire, made once for all rows that look at it. Neighbours that may change places
//! are counted: the tree then asks for the count. Tables that do not mind being turned are
//! tried so, too. Every choice is made by trying: what takes the fewest tables of three
//! inputs is kept.

use super::symmetry::SymmetryReducedTable;
use super::tree::{DecisionTree, TreeLevel, TreeVariable};
use super::valued;
use crate::hasher::MixMap;
use crate::kernel::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use rule::LookupTable;
use std::collections::hash_map::Entry;

/// Choices of the trees of all planes, times the planes, beyond which no circuit is tried.
const CHOICES: usize = 12_000;

/// The next state, by a lookup tree.
pub(super) fn next(
    circuit: &mut Circuit,
    table: &LookupTable,
    planes: usize,
) -> Option<BitSlicedNumber> {
    let turned = turned(circuit, table, planes);
    let plain = plain(circuit, table, planes);
    let both = [plain, turned].into_iter().flatten();
    both.min_by_key(|next| circuit.table_count(next))
}

/// From the cells as they are.
fn plain(circuit: &mut Circuit, table: &LookupTable, planes: usize) -> Option<BitSlicedNumber> {
    let states = usize::from(table.states());
    let all = DecisionTree::new(table.tree()?, states, table.offsets().len());
    let each: Vec<DecisionTree> = (0..planes).map(|p| all.map(|s| s >> p & 1)).collect();
    let each: Vec<Vec<DecisionTree>> = each
        .into_iter()
        .map(|tree| counted(&tree).into_iter().chain([tree]).collect())
        .collect();
    let least = |trees: &Vec<DecisionTree>| trees.iter().map(DecisionTree::size).min().unwrap_or(0);
    if each.iter().map(least).sum::<usize>() * planes > CHOICES {
        return None;
    }
    let cells = table.offsets().iter().map(|&(dx, dy)| {
        let planes = 0..planes as u8;
        planes.map(|plane| circuit.cell(plane, dx, dy)).collect()
    });
    let mut sight = LookupInputs {
        cells: cells.collect(),
        table,
        known: MixMap::default(),
    };
    let mut next = BitSlicedNumber::new();
    for mut trees in each {
        trees.retain(|tree| tree.size() * planes <= CHOICES);
        for tree in &mut trees {
            sift(tree);
        }
        next = sight.best(circuit, &trees, next);
    }
    Some(next)
}

/// From the cells after they have been turned, where the table has images.
fn turned(circuit: &mut Circuit, table: &LookupTable, planes: usize) -> Option<BitSlicedNumber> {
    let turned = SymmetryReducedTable::new(circuit, table, planes)?;
    let trees: Vec<DecisionTree> = (0..planes).map(|p| turned.tree(p)).collect::<Option<_>>()?;
    if trees.iter().map(DecisionTree::size).sum::<usize>() * planes > CHOICES {
        return None;
    }
    let mut sight = LookupInputs {
        cells: turned.cells,
        table,
        known: MixMap::default(),
    };
    let mut next = BitSlicedNumber::new();
    for tree in trees {
        next = sight.best(circuit, &[tree], next);
    }
    Some(next)
}

/// What can be told of the cells.
struct LookupInputs<'a> {
    /// The planes of each cell.
    cells: Vec<BitSlicedNumber>,
    table: &'a LookupTable,
    /// What a cell is worth, by state: as it was made.
    known: MixMap<(usize, Vec<u64>), BitSlicedNumber>,
}

impl LookupInputs<'_> {
    /// The planes that there are, and one more by the tree that takes the fewest tables.
    fn best(
        &mut self,
        circuit: &mut Circuit,
        trees: &[DecisionTree],
        next: BitSlicedNumber,
    ) -> BitSlicedNumber {
        // What is tried in vain stays in the circuit, and is not wanted by anything.
        let mut made = Vec::new();
        for tree in trees {
            for coded in [false, true] {
                if !coded || self.codes_matter(tree) {
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

    /// What the state of a cell is worth.
    fn worth(&mut self, circuit: &mut Circuit, cell: usize, worths: Vec<u64>) -> BitSlicedNumber {
        match self.known.entry((cell, worths)) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => {
                let number = valued(circuit, &self.cells[cell], &place.key().1);
                place.insert(number).clone()
            }
        }
    }

    fn planes(&self) -> usize {
        self.cells[0].len()
    }

    /// Whether a cell's class takes a bit less than its state: with two bits less it is
    /// always asked for.
    fn codes_matter(&self, tree: &DecisionTree) -> bool {
        let cells =
            |level: &&TreeLevel| matches!(level.variable, TreeVariable::Cell(_)) && level.arity > 2;
        let mut levels = tree.levels.iter().filter(cells);
        levels.any(|level| level.bits() + 1 == self.planes())
    }
}

/// A tree in which each group of neighbours that may change places is asked for by its
/// counts alone; none if there is no such group.
fn counted(tree: &DecisionTree) -> Option<DecisionTree> {
    let mut tree = tree.clone();
    let mut found = false;
    let mut first = 0;
    while first < tree.levels.len() {
        let mut last = first;
        while last + 1 < tree.levels.len() && tree.symmetric(last) {
            last += 1;
        }
        if last >= first + 2 && tree.levels[first].arity > 1 {
            found = true;
            first += tree.count(first, last + 1);
        } else {
            first = last + 1;
        }
    }
    found.then_some(tree)
}

/// Moves each level to where the tree is smallest, until none moves any more.
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

/// A tree on its way to logic.
struct TreeSynthesis<'a> {
    circuit: &'a mut Circuit,
    tree: &'a DecisionTree,
    /// The wires of each level's value, and what values they are for: a class, or none
    /// that ever comes.
    asked: Vec<(BitSlicedNumber, Vec<Option<u8>>)>,
    /// Wires of nodes that were built.
    known: Vec<Vec<Option<CircuitWire>>>,
    /// The node that is never what a node is.
    opposite: Vec<Vec<Option<u32>>>,
}

impl<'a> TreeSynthesis<'a> {
    /// Cells are asked for the number of their class where `coded` is set, else for their
    /// state.
    fn new(
        circuit: &'a mut Circuit,
        sight: &mut LookupInputs<'_>,
        tree: &'a DecisionTree,
        coded: bool,
    ) -> Self {
        let levels = tree.levels.iter();
        let asked = levels.map(|level| ask(circuit, sight, level, coded));
        let asked = asked.collect();
        let known = tree.levels.iter().map(|l| vec![None; l.nodes().len()]);
        let known = known.collect();
        Self {
            circuit,
            tree,
            asked,
            known,
            opposite: tree.opposites(),
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
        if let Some(other) = self.opposite[level][node]
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

    /// Of one wire a class the one of the level's class.
    fn choice(&mut self, level: usize, children: &[CircuitWire]) -> CircuitWire {
        let (wires, values) = &self.asked[level];
        let leaves: Vec<Option<CircuitWire>> = values
            .iter()
            .map(|class| class.map(|class| children[usize::from(class)]))
            .collect();
        self.circuit.select(wires, &leaves)
    }
}

/// The wires of what a level asks, and the class of each number that they can show.
fn ask(
    circuit: &mut Circuit,
    sight: &mut LookupInputs<'_>,
    level: &TreeLevel,
    coded: bool,
) -> (BitSlicedNumber, Vec<Option<u8>>) {
    if level.arity == 1 {
        return (BitSlicedNumber::new(), vec![Some(0)]);
    }
    let (wires, classes): (BitSlicedNumber, Vec<u8>) = match &level.variable {
        TreeVariable::Cell(cell) => {
            if level.arity == 2 || level.bits() + usize::from(!coded) < sight.planes() {
                let worths = level.classes.iter().map(|&c| c.into()).collect();
                let wires = sight.worth(circuit, *cell, worths);
                (wires, (0..level.arity as u8).collect())
            } else {
                (sight.cells[*cell].clone(), level.classes.clone())
            }
        }
        TreeVariable::Count { cells, counted } => {
            let offset = |&cell: &usize| {
                let (dx, dy) = sight.table.offsets()[cell];
                (dy, dx)
            };
            let mut cells = cells.clone();
            cells.sort_unstable_by_key(offset);
            let worths: Vec<u64> = counted.iter().map(|&counts| counts.into()).collect();
            // Rows first: two that look alike are added up once.
            let rows: Vec<Vec<usize>> = cells
                .chunk_by(|a, b| offset(a).0 == offset(b).0)
                .map(<[usize]>::to_vec)
                .collect();
            let rows: Vec<BitSlicedNumber> = rows
                .iter()
                .map(|row| {
                    let each = row.iter();
                    let each = each.map(|&cell| sight.worth(circuit, cell, worths.clone()));
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
