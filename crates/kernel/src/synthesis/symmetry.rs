//! Reduction by symmetries: neighbourhoods are rotated and reflected to a canonical form, and a
//! tree need only distinguish canonical forms.
//!
//! ```text
//!     b               d            if the cells may be rotated by 180 degrees, they are
//!   a   c   becomes c   a          if b > d, or b = d and a > c
//!     d               b
//! ```

use super::tree::DecisionTree;
use crate::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use rule::LookupTable;

/// The most entries of a table that is expanded.
const MAX_ENTRIES: usize = 1 << 17;

/// A table restricted to canonical forms.
pub(super) struct SymmetryReducedTable {
    /// The planes of each cell of the canonical form.
    pub(super) cells: Vec<BitSlicedNumber>,
    /// Each plane of the next state, by the states of the cells, the first of them the most
    /// significant; 2 is a don't-care.
    planes: Vec<Vec<u8>>,
    states: usize,
}

/// A permutation that a table is invariant under: cell `from[k]` moves to position k.
struct CellPermutation {
    from: Vec<usize>,
    /// The condition: applied where `first_keys` is greater than `second_keys`, each compared
    /// as one number with the first key the most significant.
    first_keys: Vec<PermutationKey>,
    second_keys: Vec<PermutationKey>,
}

/// The state of a cell, or the bitwise or of two.
#[derive(Clone, Copy)]
enum PermutationKey {
    One(usize),
    Either(usize, usize),
}

impl SymmetryReducedTable {
    /// Reduces a table that has symmetries and is not too large.
    pub(super) fn new(circuit: &mut Circuit, table: &LookupTable, planes: usize) -> Option<Self> {
        let states = usize::from(table.states());
        let cells = table.offsets().len();
        if cells < 3 {
            return None;
        }
        let length = states
            .checked_pow(cells as u32)
            .filter(|&l| l <= MAX_ENTRIES)?;
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
        let permutations = permutations(table.offsets(), &|from| is_invariant(&next, states, from));
        if permutations.is_empty() {
            return None;
        }
        let mut wires: Vec<BitSlicedNumber> = table
            .offsets()
            .iter()
            .map(|&(dx, dy)| (0..planes as u8).map(|p| circuit.cell(p, dx, dy)).collect())
            .collect();
        for permutation in &permutations {
            let applies = permutation.wire(circuit, &wires);
            wires = (0..cells)
                .map(|k| {
                    let pairs = wires[permutation.from[k]].iter().zip(&wires[k]);
                    pairs
                        .map(|(&there, &here)| circuit.choose(applies, there, here))
                        .collect()
                })
                .collect();
        }
        let mut is_canonical = vec![false; length];
        for index in 0..length {
            let mut seen = digits(index, states, cells);
            for permutation in &permutations {
                permutation.apply(&mut seen);
            }
            is_canonical[seen
                .iter()
                .fold(0, |index, &s| index * states + usize::from(s))] = true;
        }
        let plane = |p: usize| {
            let entries = next.iter().zip(&is_canonical);
            entries
                .map(|(state, &is_canonical)| if is_canonical { state >> p & 1 } else { 2 })
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
        let forward: Vec<usize> = (0..cells).collect();
        let mut orders = vec![forward.clone(), forward.iter().rev().copied().collect()];
        // A rule may read one cell, or none.
        for permutation in [1, 2].map(|permutation: usize| permutation.min(cells)) {
            let mut rotated = forward.clone();
            rotated.rotate_left(permutation);
            orders.push(rotated);
        }
        let trees = orders.iter().filter_map(|order| {
            let bits = self.reordered(plane, order);
            DecisionTree::of_entries(bits, self.states, order)
        });
        trees.min_by_key(DecisionTree::size)
    }

    fn reordered(&self, plane: usize, order: &[usize]) -> Vec<u8> {
        let cells = order.len();
        let place_value: Vec<usize> = order
            .iter()
            .map(|&cell| self.states.pow((cells - 1 - cell) as u32))
            .collect();
        let mut made = vec![0];
        for place_value in place_value {
            let steps = 0..self.states;
            made = made
                .iter()
                .flat_map(|&index| steps.clone().map(move |state| index + state * place_value))
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

/// Whether a table is invariant under a permutation of its cells.
fn is_invariant(next: &[u8], states: usize, from: &[usize]) -> bool {
    (0..next.len()).all(|index| {
        let seen = digits(index, states, from.len());
        let moved = from
            .iter()
            .fold(0, |index, &k| index * states + usize::from(seen[k]));
        next[index] == next[moved]
    })
}

/// The permutations, of those that a table allows, that reduce to canonical forms.
fn permutations(
    offsets: &[(i32, i32)],
    is_allowed: &dyn Fn(&[usize]) -> bool,
) -> Vec<CellPermutation> {
    let position = |p: (i32, i32)| offsets.iter().position(|&o| o == p);
    let by = |image: &dyn Fn(i32, i32) -> (i32, i32)| -> Option<Vec<usize>> {
        let from = offsets.iter().map(|&(dx, dy)| position(image(dx, dy)));
        let from: Vec<usize> = from.collect::<Option<_>>()?;
        let moves = from.iter().enumerate().any(|(k, &other)| k != other);
        (moves && is_allowed(&from)).then_some(from)
    };
    let around: Vec<usize> = (0..offsets.len())
        .filter(|&k| offsets[k] != (0, 0))
        .collect();
    // For an involution: pairs of cells, the first against the second.
    let from_involution = |from: Vec<usize>| {
        let firsts = around.iter().copied().filter(|&k| k < from[k]);
        let firsts: Vec<usize> = firsts.collect();
        CellPermutation {
            first_keys: firsts.iter().map(|&k| PermutationKey::One(k)).collect(),
            second_keys: firsts
                .iter()
                .map(|&k| PermutationKey::One(from[k]))
                .collect(),
            from,
        }
    };
    let mut permutations = Vec::new();
    let half = by(&|dx, dy| (-dx, -dy));
    let quarter = by(&|dx, dy| (-dy, dx));
    let horizontal = by(&|dx, dy| (-dx, dy));
    let vertical = by(&|dx, dy| (dx, -dy));
    let diagonal = by(&|dx, dy| (dy, dx));
    if let (Some(horizontal), Some(vertical)) = (horizontal.clone(), vertical.clone()) {
        permutations.push(from_involution(horizontal));
        permutations.push(from_involution(vertical));
        permutations.extend(diagonal.map(from_involution));
        return permutations;
    }
    if let (Some(from), Some(half)) = (quarter, &half) {
        let axis = |k: usize| PermutationKey::Either(k, half[k]);
        let vertical = around
            .iter()
            .copied()
            .filter(|&k| offsets[k].0 == 0 && offsets[k].1 < 0);
        let first: Vec<usize> = vertical.collect();
        permutations.push(CellPermutation {
            first_keys: first.iter().map(|&k| axis(k)).collect(),
            second_keys: first.iter().map(|&k| axis(from[k])).collect(),
            from,
        });
    }
    for from in [half, horizontal, vertical, diagonal]
        .into_iter()
        .flatten()
        .take(1)
    {
        permutations.push(from_involution(from));
    }
    permutations
}

impl CellPermutation {
    /// Applies the permutation if its condition holds.
    fn apply(&self, seen: &mut Vec<u8>) {
        let value = |key: &PermutationKey| match *key {
            PermutationKey::One(k) => seen[k],
            PermutationKey::Either(a, b) => seen[a] | seen[b],
        };
        if self
            .first_keys
            .iter()
            .map(value)
            .gt(self.second_keys.iter().map(value))
        {
            *seen = self.from.iter().map(|&k| seen[k]).collect();
        }
    }

    /// The condition as a wire.
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
        for (first_keys, second_keys) in self.first_keys.iter().zip(&self.second_keys).rev() {
            let [first_keys, second_keys] =
                [first_keys, second_keys].map(|key| number(circuit, key));
            for (&a, &b) in first_keys.iter().zip(&second_keys) {
                let differ = circuit.xor(a, b);
                after = circuit.choose(differ, a, after);
            }
        }
        after
    }
}
