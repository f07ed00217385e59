//! Tables over bits as multiplexer circuits: binary decision diagrams with don't-cares, under
//! variable orders that make them small (R. E. Bryant, "Graph-based algorithms for Boolean function
//! manipulation", 1986). Orders are found by sifting (R. Rudell, "Dynamic variable ordering for
//! ordered binary decision diagrams", 1993).

use crate::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use crate::hasher::MixMap;

/// How much time is spent on variable ordering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderingEffort {
    /// For functions that are synthesised often.
    Little,
    Much,
}

impl Circuit {
    /// The lowest `outputs` bits of `table[i]`, where bit k of i is `variables[k]`. None in the
    /// table is a don't-care.
    pub(super) fn decide(
        &mut self,
        variables: &[CircuitWire],
        table: &[Option<u8>],
        outputs: usize,
        effort: OrderingEffort,
    ) -> BitSlicedNumber {
        let bits: Vec<Vec<u8>> = (0..outputs)
            .map(|output| {
                let bit = |entry: &Option<u8>| entry.map_or(DONT_CARE, |state| state >> output & 1);
                table.iter().map(bit).collect()
            })
            .collect();
        if let Some(plan) = self
            .plans
            .get(table)
            .cloned()
            .filter(|p| p.len() == outputs)
        {
            return self.build(variables, &bits, &plan);
        }
        let n = variables.len();
        let start = self.gates().len();
        let made = |circuit: &mut Self, plan: &[Vec<usize>]| {
            circuit.build(variables, &bits, plan);
            let made = circuit.gates().len() - start;
            circuit.rewind(start);
            made
        };
        let mut plans = Vec::new();
        let orders = (n * n).max(1);
        if (effort == OrderingEffort::Much || n <= 5) && orders << n <= MAX_EXACT_WORK {
            let gates = |order: &[usize], _: usize| made(self, &vec![order.to_vec(); outputs]);
            plans.push(vec![
                sift(n, (MAX_EXACT_WORK / (orders << n)).min(3), gates);
                outputs
            ]);
        }
        let passes = (MAX_COUNT_WORK / ((orders * outputs) << n)).min(3);
        let good_order = |bits: &[Vec<u8>]| {
            let mut tables: Vec<OrderedTable> =
                bits.iter().map(|bits| OrderedTable::of(bits)).collect();
            sift(n, passes, |order, most| {
                tables.iter_mut().fold(0, |sum, table| match sum <= most {
                    true => sum + table.nodes(order, most - sum),
                    false => sum,
                })
            })
        };
        plans.push(vec![good_order(&bits); outputs]);
        if outputs > 1 {
            let each = bits.iter().map(std::slice::from_ref);
            plans.push(each.map(good_order).collect());
        }
        let best = plans.into_iter().min_by_key(|plan| made(self, plan));
        let best = best.expect("there is a plan");
        self.plans.insert(table.to_vec(), best.clone());
        self.build(variables, &bits, &best)
    }

    /// One diagram per output, each under its variable order.
    fn build(
        &mut self,
        variables: &[CircuitWire],
        bits: &[Vec<u8>],
        plan: &[Vec<usize>],
    ) -> BitSlicedNumber {
        let leaf = |bit: &u8| match *bit {
            DONT_CARE => None,
            0 => Some(CircuitWire::ZERO),
            _ => Some(CircuitWire::ONES),
        };
        let mut known: MixMap<&[usize], MixMap<_, _>> = MixMap::default();
        let outputs = bits.iter().zip(plan);
        outputs
            .map(|(bits, order)| {
                let leaves: Vec<Option<CircuitWire>> = bits.iter().map(leaf).collect();
                let ordered: Vec<CircuitWire> = order.iter().map(|&v| variables[v]).collect();
                let known = known.entry(order).or_default();
                self.diagram(&ordered, permute(&leaves, order), known)
            })
            .collect()
    }

    /// `leaves[i]`, where bit k of i is `variables[k]`. None is a don't-care.
    pub(super) fn select(
        &mut self,
        variables: &[CircuitWire],
        leaves: &[Option<CircuitWire>],
    ) -> CircuitWire {
        let start = self.gates().len();
        let tried = orders(variables.len()).into_iter().map(|order| {
            self.build_selection(variables, leaves, &order);
            let made = self.gates().len() - start;
            self.rewind(start);
            (made, order)
        });
        let best = tried.min_by_key(|tried| tried.0);
        let (_, order) = best.expect("there is an order");
        self.build_selection(variables, leaves, &order)
    }

    fn build_selection(
        &mut self,
        variables: &[CircuitWire],
        leaves: &[Option<CircuitWire>],
        order: &[usize],
    ) -> CircuitWire {
        let ordered: Vec<CircuitWire> = order.iter().map(|&v| variables[v]).collect();
        let permuted = permute(leaves, order);
        self.diagram(&ordered, permuted, &mut MixMap::default())
    }

    /// The leaf selected by the variables, the first of which is the most significant.
    fn diagram(
        &mut self,
        ordered: &[CircuitWire],
        leaves: Vec<Option<CircuitWire>>,
        known: &mut MixMap<Vec<Option<CircuitWire>>, CircuitWire>,
    ) -> CircuitWire {
        let mut specified = leaves.iter().flatten();
        let Some(&leaf) = specified.next() else {
            return CircuitWire::ZERO;
        };
        let Some((first, rest)) = ordered.split_first() else {
            return leaf;
        };
        if specified.all(|&other| other == leaf) {
            return leaf;
        }
        if let Some(&wire) = known.get(&leaves) {
            return wire;
        }
        let (low, high) = leaves.split_at(leaves.len() / 2);
        let agree = low.iter().zip(high).all(|(a, b)| match (a, b) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        });
        let wire = if agree {
            let both = low.iter().zip(high).map(|(a, b)| a.or(*b)).collect();
            self.diagram(rest, both, known)
        } else {
            let low = self.diagram(rest, low.to_vec(), known);
            let high = self.diagram(rest, high.to_vec(), known);
            self.choose(*first, high, low)
        };
        known.insert(leaves, wire);
        wire
    }
}

/// The orders to try: forward and backward, rotated.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let rotations = if n > 3 { 1 } else { n.max(1) };
    let rotated = |rotation: usize| (0..n).map(move |i| (i + rotation) % n);
    let both = |rotation: usize| {
        [
            rotated(rotation).collect(),
            rotated(rotation).rev().collect(),
        ]
    };
    (0..rotations).flat_map(both).collect()
}

/// Permutes the variables of a table: `order[0]` becomes the most significant.
fn permute<T: Copy>(table: &[T], order: &[usize]) -> Vec<T> {
    original_indices(order)
        .into_iter()
        .map(|old| table[old])
        .collect()
}

/// The original index of each entry of a permuted table.
fn original_indices(order: &[usize]) -> Vec<usize> {
    let mut original_indices = Vec::with_capacity(1 << order.len());
    original_indices.push(0);
    for &variable in order.iter().rev() {
        for i in 0..original_indices.len() {
            original_indices.push(original_indices[i] | 1 << variable);
        }
    }
    original_indices
}

/// A don't-care bit.
const DONT_CARE: u8 = 2;

/// The most table entries that are visited to find an order by building all gates: about a
/// millisecond.
const MAX_EXACT_WORK: usize = 20_000;

/// The same for all outputs if only nodes are counted: some milliseconds.
const MAX_COUNT_WORK: usize = 1 << 20;

/// Sifting: an order of n variables of low cost, found in some passes in which each variable is
/// moved to every position (Rudell, 1993). Of a cost that is more than the number it is asked with,
/// nothing else needs to be known.
fn sift(n: usize, passes: usize, mut cost: impl FnMut(&[usize], usize) -> usize) -> Vec<usize> {
    let ahead: Vec<usize> = (0..n).collect();
    let back: Vec<usize> = (0..n).rev().collect();
    let (first, second) = (cost(&ahead, usize::MAX), cost(&back, usize::MAX));
    let (mut least, mut best) = if second < first {
        (second, back)
    } else {
        (first, ahead)
    };
    for _ in 0..passes {
        let before = least;
        for variable in 0..n {
            for place in 0..n {
                let mut moved = best.clone();
                moved.retain(|&v| v != variable);
                moved.insert(place, variable);
                if moved == best {
                    continue;
                }
                let size = cost(&moved, least.saturating_sub(1));
                if size < least {
                    (least, best) = (size, moved);
                }
            }
        }
        if least == before {
            break;
        }
    }
    best
}

/// 64 entries of a table of bits, or all of a smaller one: masks of the ones and of the
/// don't-cares.
type EntryMasks = [u64; 2];

/// Of 64 entries, those whose index has bit k.
const INDEX_BITS: [u64; 6] = [
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
];

/// The diagrams of a table of bits. Orders that are tried one after another begin alike: what is
/// left of the table after their first variables is kept.
struct OrderedTable {
    /// After the first variable of the last order, after the first two, and so on.
    levels: Vec<CofactorTables>,
    /// How many of them were worked out for it.
    known: usize,
    order: Vec<usize>,
}

impl OrderedTable {
    /// The highest variable is the most significant.
    fn of(bits: &[u8]) -> Self {
        let masks = bits.chunks(64).map(|bits| {
            let mut masks = [0, 0];
            for (k, &bit) in bits.iter().enumerate() {
                masks[0] |= u64::from(bit == 1) << k;
                masks[1] |= u64::from(bit == DONT_CARE) << k;
            }
            masks
        });
        let variables = bits.len().ilog2() as usize;
        let mut whole = CofactorTables {
            order: (0..variables).rev().collect(),
            masks: masks.collect(),
            ..CofactorTables::default()
        };
        whole.keep_distinct();
        let mut levels = vec![whole];
        levels.resize_with(variables + 1, CofactorTables::default);
        Self {
            levels,
            known: 1,
            order: Vec::new(),
        }
    }

    /// The number of nodes of the diagram under an order, or some number above `most` if there are
    /// more.
    fn nodes(&mut self, order: &[usize], most: usize) -> usize {
        let pairs = order.iter().zip(&self.order);
        let shared = pairs.take_while(|(a, b)| a == b).count();
        self.order.clear();
        self.order.extend_from_slice(order);
        let mut at = shared.min(self.known - 1);
        loop {
            self.known = at + 1;
            let (above, below) = self.levels.split_at_mut(at + 1);
            let tables = &mut above[at];
            if tables.masks.is_empty() || tables.nodes > most {
                return tables.nodes;
            }
            tables.reorder(&order[at..]);
            tables.split(&mut below[0]);
            at += 1;
        }
    }
}

/// Of a table of bits the distinct cofactors by the first variables of an order: those that have
/// both ones and zeros.
#[derive(Default)]
struct CofactorTables {
    /// The other variables. The first is the most significant.
    order: Vec<usize>,
    /// All of their entries, one table after the other.
    masks: Vec<EntryMasks>,
    /// The nodes of the variables before.
    nodes: usize,
}

impl CofactorTables {
    fn reorder(&mut self, order: &[usize]) {
        for (place, &variable) in order.iter().enumerate() {
            let from = self.order[place..].iter().position(|&v| v == variable);
            for before in (place..place + from.unwrap_or(0)).rev() {
                self.swap(before);
            }
        }
    }

    /// Two neighbours change places.
    fn swap(&mut self, first: usize) {
        self.order.swap(first, first + 1);
        // the lower of the two bits of an index that do so
        match self.order.len() - 2 - first {
            low @ 6.. => {
                let half = 1 << (low - 6);
                for four in self.masks.chunks_exact_mut(4 * half) {
                    let (lower, upper) = four.split_at_mut(2 * half);
                    lower[half..].swap_with_slice(&mut upper[..half]);
                }
            }
            5 => {
                for pair in self.masks.chunks_exact_mut(2) {
                    let [lower, upper] = pair else { continue };
                    for (low, high) in lower.iter_mut().zip(upper) {
                        let (from_low, from_high) = (*low, *high);
                        *low = from_low & !INDEX_BITS[5] | from_high << 32;
                        *high = from_low >> 32 | from_high & INDEX_BITS[5];
                    }
                }
            }
            low => {
                // entries whose index has the lower of the bits and not the higher go up
                let up = INDEX_BITS[low] & !INDEX_BITS[low + 1];
                for mask in self.masks.as_flattened_mut() {
                    let differ = (*mask ^ *mask >> (1 << low)) & up;
                    *mask ^= differ | differ << (1 << low);
                }
            }
        }
    }

    /// Decides by the first variable: each table becomes its two halves, or what agrees with both
    /// where they are compatible. The others are the nodes of the variable.
    fn split(&self, below: &mut Self) {
        below.order.clear();
        below.order.extend_from_slice(&self.order[1..]);
        below.masks.clear();
        below.nodes = self.nodes;
        let length = 1 << below.order.len();
        let agree = |[a, b]: [EntryMasks; 2]| (a[0] ^ b[0]) & !a[1] & !b[1] == 0;
        let both = |[a, b]: [EntryMasks; 2]| [a[0] | b[0], a[1] & b[1]];
        if length >= 64 {
            for table in self.masks.chunks_exact(2 * length / 64) {
                let (low, high) = table.split_at(length / 64);
                let pairs = || low.iter().zip(high).map(|(&a, &b)| [a, b]);
                if pairs().all(agree) {
                    below.masks.extend(pairs().map(both));
                } else {
                    below.nodes += 1;
                    below.masks.extend_from_slice(table);
                }
            }
        } else {
            let mask = u64::MAX >> (64 - length);
            for table in &self.masks {
                let halves = [0, length].map(|shift| table.map(|bits| bits >> shift & mask));
                if agree(halves) {
                    below.masks.push(both(halves));
                } else {
                    below.nodes += 1;
                    below.masks.extend(halves);
                }
            }
        }
        below.keep_distinct();
    }

    /// Keeps one of each table that has both ones and zeros.
    fn keep_distinct(&mut self) {
        let length: usize = 1 << self.order.len();
        let mask = u64::MAX >> (64 - length.min(64));
        let has_ones = |masks: &EntryMasks| masks[0] != 0;
        let has_zeros = |masks: &EntryMasks| !(masks[0] | masks[1]) & mask != 0;
        let width = length.div_ceil(64);
        if width == 1 {
            self.masks
                .retain(|table| has_ones(table) && has_zeros(table));
            self.masks.sort_unstable();
            self.masks.dedup();
            return;
        }
        let mut kept = 0;
        for start in (0..self.masks.len()).step_by(width) {
            let table = start..start + width;
            let masks = &self.masks[table.clone()];
            let is_mixed = masks.iter().any(has_ones) && masks.iter().any(has_zeros);
            let mut before = self.masks[..kept].chunks_exact(width);
            if is_mixed && !before.any(|other| other == masks) {
                self.masks.copy_within(table, kept);
                kept += width;
            }
        }
        self.masks.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dice::Dice;

    /// The nodes of a diagram, by its definition: a node for each cofactor by the first variables that
    /// has both ones and zeros and whose halves differ, where what may be either agrees with both.
    fn node_count(bits: &[u8], order: &[usize]) -> usize {
        let mut tables = vec![permute(bits, order)];
        let mut nodes = 0;
        for _ in order {
            tables.retain(|table| table.contains(&0) && table.contains(&1));
            tables.sort();
            tables.dedup();
            let halves = tables.iter().flat_map(|table| {
                let (low, high) = table.split_at(table.len() / 2);
                let agree = |(a, b): (&u8, &u8)| a == b || *a == DONT_CARE || *b == DONT_CARE;
                if low.iter().zip(high).all(agree) {
                    return vec![low.iter().zip(high).map(|(a, b)| *a.min(b)).collect()];
                }
                nodes += 1;
                vec![low.to_vec(), high.to_vec()]
            });
            tables = halves.collect();
        }
        nodes
    }

    #[test]
    fn nodes_are_counted_under_any_order() {
        let mut dice = Dice::new(1);
        for n in 0..=10 {
            for kind in 0..6 {
                // few ones, few don't-cares, and what depends on some variables only
                let seen = if kind < 3 { usize::MAX } else { 0b1_0110_1101 };
                let values: Vec<u8> = (0..1 << n)
                    .map(|_| match dice.below(8) {
                        0 if kind % 3 == 1 => DONT_CARE,
                        0..3 => 1,
                        _ => 0,
                    })
                    .collect();
                let bits: Vec<u8> = (0..1 << n).map(|i| values[i & seen]).collect();
                let mut table = OrderedTable::of(&bits);
                let mut order: Vec<usize> = (0..n).collect();
                for round in 0..16 {
                    let expected = node_count(&bits, &order);
                    let most = dice.pick(&[usize::MAX, expected, expected / 2]);
                    let most = most.expect("one of three");
                    let nodes = table.nodes(&order, most);
                    let is_right = nodes == expected || nodes > most && expected > most;
                    assert!(is_right, "{nodes}, not {expected}: {order:?} of {bits:?}");
                    if round % 2 == 0 && n > 0 {
                        // as in sifting
                        let moved = order.remove(dice.below(n as u32) as usize);
                        order.insert(dice.below(n as u32) as usize, moved);
                        continue;
                    }
                    for place in (1..n).rev() {
                        order.swap(place, dice.below(place as u32 + 1) as usize);
                    }
                }
            }
        }
    }
}
