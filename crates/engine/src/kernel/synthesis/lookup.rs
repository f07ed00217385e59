//! Circuits of tables by the exact states of some cells.
//!
//! Each plane of the next state is a tree over the cells, in an order that makes it small.
//! States that a cell is never asked to tell apart are one class; a cell of two classes
//! is one wire, made once for all rows that look at it. Neighbours that may change places
//! are counted: the tree then asks for the count. Every choice is made by trying: what
//! adds the fewest gates is kept.

use super::tree::{Level, Tree, Variable};
use super::worth;
use crate::kernel::circuit::{Circuit, Number, Wire};
use rule::LookupTable;

/// Choices of the trees of all planes, beyond which no circuit is tried.
const CHOICES: usize = 6000;

/// Choices of a plane's tree up to which its order is looked for.
const SIFTED: usize = 3000;

/// The next state, by a lookup tree.
pub(super) fn next(circuit: &mut Circuit, table: &LookupTable, planes: usize) -> Option<Number> {
    let states = usize::from(table.states());
    let all = Tree::new(table.tree()?, states, table.offsets().len());
    let each: Vec<Tree> = (0..planes).map(|p| all.map(|s| s >> p & 1)).collect();
    if each.iter().map(Tree::size).sum::<usize>() > CHOICES {
        return None;
    }
    let mut next = Number::new();
    for tree in each {
        let mut trees = vec![tree];
        trees.extend(counted(&trees[0]));
        for tree in &mut trees {
            if tree.size() <= SIFTED {
                sift(tree);
            }
        }
        let mut best: Option<(usize, Circuit, Number)> = None;
        for tree in &trees {
            for coded in [false, true] {
                let mut attempt = circuit.clone();
                let wire = Logic::new(&mut attempt, tree, table, planes, coded).build();
                let mut made = next.clone();
                made.push(wire);
                let cost = attempt.tables(&made);
                if best.as_ref().is_none_or(|b| cost < b.0) {
                    best = Some((cost, attempt, made));
                }
            }
        }
        (_, *circuit, next) = best?;
    }
    Some(next)
}

/// A tree in which each group of neighbours that may change places is asked for by its
/// counts alone; none if there is no such group.
fn counted(tree: &Tree) -> Option<Tree> {
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
fn sift(tree: &mut Tree) {
    let mut least = tree.size();
    for _ in 0..3 {
        let before = least;
        let variables: Vec<_> = tree
            .levels
            .iter()
            .map(|level| level.variable.clone())
            .collect();
        for variable in &variables {
            let at = |tree: &Tree| tree.levels.iter().position(|l| l.variable == *variable);
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
struct Logic<'a> {
    circuit: &'a mut Circuit,
    tree: &'a Tree,
    /// The wires of each level's value, and what values they are for: a class, or none
    /// that ever comes.
    asked: Vec<(Number, Vec<Option<u8>>)>,
    /// Wires of nodes that were built.
    known: Vec<Vec<Option<Wire>>>,
}

impl<'a> Logic<'a> {
    fn new(
        circuit: &'a mut Circuit,
        tree: &'a Tree,
        table: &LookupTable,
        planes: usize,
        coded: bool,
    ) -> Self {
        let asked = tree
            .levels
            .iter()
            .map(|level| ask(circuit, level, table, planes, coded))
            .collect();
        let known = tree.levels.iter().map(|l| vec![None; l.nodes().len()]);
        let known = known.collect();
        Self {
            circuit,
            tree,
            asked,
            known,
        }
    }

    fn build(mut self) -> Wire {
        self.node(0, 0)
    }

    fn node(&mut self, level: usize, node: usize) -> Wire {
        if level == self.tree.levels.len() {
            return if node == 1 { Wire::ONES } else { Wire::ZERO };
        }
        if let Some(wire) = self.known[level][node] {
            return wire;
        }
        let arity = self.tree.levels[level].arity;
        let children: Vec<Wire> = (0..arity)
            .map(|class| {
                let below = self.tree.levels[level].below[node * arity + class];
                self.node(level + 1, below as usize)
            })
            .collect();
        let (wires, values) = &self.asked[level];
        let leaves: Vec<Option<Wire>> = values
            .iter()
            .map(|class| class.map(|class| children[usize::from(class)]))
            .collect();
        let wire = self.circuit.select(wires, &leaves);
        self.known[level][node] = Some(wire);
        wire
    }
}

/// The wires of what a level asks, and the class of each number that they can show.
fn ask(
    circuit: &mut Circuit,
    level: &Level,
    table: &LookupTable,
    planes: usize,
    coded: bool,
) -> (Number, Vec<Option<u8>>) {
    if level.arity == 1 {
        return (Number::new(), vec![Some(0)]);
    }
    let (wires, classes): (Number, Vec<u8>) = match &level.variable {
        Variable::Cell(cell) => {
            let (dx, dy) = table.offsets()[*cell];
            let bits = (usize::BITS - (level.arity - 1).leading_zeros()) as usize;
            if level.arity == 2 || coded && bits < planes {
                let worths: Vec<u64> = level.classes.iter().map(|&c| c.into()).collect();
                let number = worth(circuit, planes, dx, &worths);
                let wires = number.iter().map(|wire| wire.below(dy));
                (wires.collect(), (0..level.arity as u8).collect())
            } else {
                let wires = (0..planes).map(|p| circuit.cell(p as u8, dx, dy));
                (wires.collect(), level.classes.clone())
            }
        }
        Variable::Count { cells, counted } => {
            let mut seen: Vec<(i32, i32)> = cells.iter().map(|&c| table.offsets()[c]).collect();
            seen.sort_unstable_by_key(|&(dx, dy)| (dy, dx));
            let worths: Vec<u64> = counted.iter().map(|&counts| counts.into()).collect();
            // Rows first: two that look alike are added up once.
            let rows = seen.chunk_by(|a, b| a.1 == b.1);
            let rows: Vec<Number> = rows
                .map(|row| {
                    let each = row
                        .iter()
                        .map(|&(dx, _)| worth(circuit, planes, dx, &worths));
                    let each: Vec<Number> = each.collect();
                    let sum = circuit.sum(&each, row.len() as u64);
                    sum.iter().map(|wire| wire.below(row[0].1)).collect()
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
