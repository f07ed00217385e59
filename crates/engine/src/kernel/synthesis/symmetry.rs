//! Tables that say the same of what is seen and of its images, turned or mirrored: all is
//! turned on the way until it is one of a few, and a tree need tell only those apart.
//!
//! ```text
//!     b               d            where the cells may be turned by a half, they are
//!   a   c   becomes c   a          if b comes after d, or b is d and a after c
//!     d               b
//! ```

use super::tree::DecisionTree;
use crate::kernel::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use rule::LookupTable;

/// Entries of a table that is looked at as a whole.
const LARGEST: usize = 1 << 17;

/// What a table without the images looks like.
pub(super) struct SymmetryReducedTable {
    /// The planes of each cell, as it is after the turns.
    pub(super) cells: Vec<BitSlicedNumber>,
    /// Each plane of the next state, 2 where it may be either: by the states of the cells,
    /// the first of them the most significant.
    planes: Vec<Vec<u8>>,
    states: usize,
}

/// A change of places that a table does not mind: cell `from[k]` comes to place k.
struct CellPermutation {
    from: Vec<usize>,
    /// What decides: done where the first of these come after the second, each as one
    /// number with the first cell the most significant.
    sooner: Vec<PermutationKey>,
    later: Vec<PermutationKey>,
}

/// A cell, or what is set in one of two cells.
#[derive(Clone, Copy)]
enum PermutationKey {
    One(usize),
    Either(usize, usize),
}

impl SymmetryReducedTable {
    /// For a table that has images and is not too large.
    pub(super) fn new(circuit: &mut Circuit, table: &LookupTable, planes: usize) -> Option<Self> {
        let states = usize::from(table.states());
        let cells = table.offsets().len();
        if cells < 3 {
            return None;
        }
        let length = states.checked_pow(cells as u32).filter(|&l| l <= LARGEST)?;
        let tree = table.tree()?;
        let mut next = Vec::with_capacity(length);
        let mut nodes = vec![(tree.root, 0)];
        while let Some((at, depth)) = nodes.pop() {
            let entries = &tree.entries[at as usize..][..states];
            if depth + 1 == cells {
                next.extend(entries.iter().map(|&state| state as u8));
            } else {
                nodes.extend(entries.iter().rev().map(|&entry| (entry, depth + 1)));
            }
        }
        let turns = turns(table.offsets(), &|from| indifferent(&next, states, from));
        if turns.is_empty() {
            return None;
        }
        let mut wires: Vec<BitSlicedNumber> = table
            .offsets()
            .iter()
            .map(|&(dx, dy)| (0..planes as u8).map(|p| circuit.cell(p, dx, dy)).collect())
            .collect();
        for turn in &turns {
            let done = turn.wire(circuit, &wires);
            wires = (0..cells)
                .map(|k| {
                    let pairs = wires[turn.from[k]].iter().zip(&wires[k]);
                    pairs
                        .map(|(&there, &here)| circuit.choose(done, there, here))
                        .collect()
                })
                .collect();
        }
        let mut comes = vec![false; length];
        for index in 0..length {
            let mut seen = digits(index, states, cells);
            for turn in &turns {
                turn.apply(&mut seen);
            }
            comes[seen
                .iter()
                .fold(0, |index, &s| index * states + usize::from(s))] = true;
        }
        let plane = |p: usize| {
            let entries = next.iter().zip(&comes);
            entries
                .map(|(state, &comes)| if comes { state >> p & 1 } else { 2 })
                .collect()
        };
        Some(Self {
            cells: wires,
            planes: (0..planes).map(plane).collect(),
            states,
        })
    }

    /// A small tree for a plane of the next state.
    pub(super) fn tree(&self, plane: usize) -> Option<DecisionTree> {
        let cells = self.cells.len();
        let ahead: Vec<usize> = (0..cells).collect();
        let mut orders = vec![ahead.clone(), ahead.iter().rev().copied().collect()];
        // A rule may look at one cell, or at none.
        for turn in [1, 2].map(|turn: usize| turn.min(cells)) {
            let mut turned = ahead.clone();
            turned.rotate_left(turn);
            orders.push(turned);
        }
        let trees = orders.iter().filter_map(|order| {
            let bits = self.reordered(plane, order);
            DecisionTree::of_entries(bits, self.states, order)
        });
        trees.min_by_key(DecisionTree::size)
    }

    fn reordered(&self, plane: usize, order: &[usize]) -> Vec<u8> {
        let cells = order.len();
        let worth: Vec<usize> = order
            .iter()
            .map(|&cell| self.states.pow((cells - 1 - cell) as u32))
            .collect();
        let mut made = vec![0];
        for worth in worth {
            let steps = 0..self.states;
            made = made
                .iter()
                .flat_map(|&index| steps.clone().map(move |state| index + state * worth))
                .collect();
        }
        made.iter()
            .map(|&index| self.planes[plane][index])
            .collect()
    }
}

fn digits(index: usize, states: usize, cells: usize) -> Vec<u8> {
    let mut rest = index;
    let mut digits: Vec<u8> = (0..cells)
        .map(|_| {
            let digit = rest % states;
            rest /= states;
            digit as u8
        })
        .collect();
    digits.reverse();
    digits
}

/// Whether a table stays the same when cells change places.
fn indifferent(next: &[u8], states: usize, from: &[usize]) -> bool {
    (0..next.len()).all(|index| {
        let seen = digits(index, states, from.len());
        let moved = from
            .iter()
            .fold(0, |index, &k| index * states + usize::from(seen[k]));
        next[index] == next[moved]
    })
}

/// The turns that make many images one, of those that a table allows.
fn turns(offsets: &[(i32, i32)], allowed: &dyn Fn(&[usize]) -> bool) -> Vec<CellPermutation> {
    let place = |p: (i32, i32)| offsets.iter().position(|&o| o == p);
    let by = |image: &dyn Fn(i32, i32) -> (i32, i32)| -> Option<Vec<usize>> {
        let from = offsets.iter().map(|&(dx, dy)| place(image(dx, dy)));
        let from: Vec<usize> = from.collect::<Option<_>>()?;
        let moves = from.iter().enumerate().any(|(k, &other)| k != other);
        (moves && allowed(&from)).then_some(from)
    };
    let around: Vec<usize> = (0..offsets.len())
        .filter(|&k| offsets[k] != (0, 0))
        .collect();
    // By a change of places that undoes itself: pairs of cells, the first against the second.
    let paired = |from: Vec<usize>| {
        let firsts = around.iter().copied().filter(|&k| k < from[k]);
        let firsts: Vec<usize> = firsts.collect();
        CellPermutation {
            sooner: firsts.iter().map(|&k| PermutationKey::One(k)).collect(),
            later: firsts
                .iter()
                .map(|&k| PermutationKey::One(from[k]))
                .collect(),
            from,
        }
    };
    let mut turns = Vec::new();
    let half = by(&|dx, dy| (-dx, -dy));
    let quarter = by(&|dx, dy| (-dy, dx));
    let sideways = by(&|dx, dy| (-dx, dy));
    let upright = by(&|dx, dy| (dx, -dy));
    let across = by(&|dx, dy| (dy, dx));
    if let (Some(sideways), Some(upright)) = (sideways.clone(), upright.clone()) {
        turns.push(paired(sideways));
        turns.push(paired(upright));
        turns.extend(across.map(paired));
        return turns;
    }
    if let (Some(from), Some(half)) = (quarter, &half) {
        let axis = |k: usize| PermutationKey::Either(k, half[k]);
        let upright = around
            .iter()
            .copied()
            .filter(|&k| offsets[k].0 == 0 && offsets[k].1 < 0);
        let first: Vec<usize> = upright.collect();
        turns.push(CellPermutation {
            sooner: first.iter().map(|&k| axis(k)).collect(),
            later: first.iter().map(|&k| axis(from[k])).collect(),
            from,
        });
    }
    for from in [half, sideways, upright, across]
        .into_iter()
        .flatten()
        .take(1)
    {
        turns.push(paired(from));
    }
    turns
}

impl CellPermutation {
    /// Does it if it is to be done.
    fn apply(&self, seen: &mut Vec<u8>) {
        let value = |key: &PermutationKey| match *key {
            PermutationKey::One(k) => seen[k],
            PermutationKey::Either(a, b) => seen[a] | seen[b],
        };
        if self
            .sooner
            .iter()
            .map(value)
            .gt(self.later.iter().map(value))
        {
            *seen = self.from.iter().map(|&k| seen[k]).collect();
        }
    }

    /// Whether it is to be done.
    fn wire(&self, circuit: &mut Circuit, cells: &[BitSlicedNumber]) -> CircuitWire {
        let number = |circuit: &mut Circuit, key: &PermutationKey| -> BitSlicedNumber {
            match *key {
                PermutationKey::One(k) => cells[k].clone(),
                PermutationKey::Either(a, b) => {
                    let pairs = cells[a].iter().zip(&cells[b]);
                    pairs.map(|(&a, &b)| circuit.or(a, b)).collect()
                }
            }
        };
        let mut after = CircuitWire::ZERO;
        for (sooner, later) in self.sooner.iter().zip(&self.later).rev() {
            let [sooner, later] = [sooner, later].map(|key| number(circuit, key));
            for (&a, &b) in sooner.iter().zip(&later) {
                let differ = circuit.xor(a, b);
                after = circuit.choose(differ, a, after);
            }
        }
        after
    }
}
