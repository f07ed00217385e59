//! Tables over bits as logic: decision diagrams, in an order that makes them small.

use crate::hasher::{MixMap, MixSet};
use crate::kernel::circuit::{BitSlicedNumber, Circuit, CircuitWire};

/// How long a good order is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderingEffort {
    /// For what is decided often, of more than a few variables.
    Little,
    Much,
}

impl Circuit {
    /// The bits of `table[i]`, where bit k of i is `variables[k]`: as many as `outputs`.
    /// None in the table is what never happens.
    pub(super) fn decide(
        &mut self,
        variables: &[CircuitWire],
        table: &[Option<u8>],
        outputs: usize,
        effort: OrderingEffort,
    ) -> BitSlicedNumber {
        let bits: Vec<Vec<u8>> = (0..outputs)
            .map(|output| {
                let bit = |entry: &Option<u8>| entry.map_or(ANY, |state| state >> output & 1);
                table.iter().map(bit).collect()
            })
            .collect();
        if let Some(plan) = self
            .plans
            .get(table)
            .cloned()
            .filter(|p| p.len() == outputs)
        {
            return self.decided(variables, &bits, &plan);
        }
        let n = variables.len();
        let start = self.gates().len();
        let made = |circuit: &mut Self, plan: &[Vec<usize>]| {
            circuit.decided(variables, &bits, plan);
            let made = circuit.gates().len() - start;
            circuit.rewind(start);
            made
        };
        let mut plans = Vec::new();
        let orders = (n * n).max(1);
        if (effort == OrderingEffort::Much || n <= 5) && orders << n <= EXACT {
            let gates = |order: &[usize]| made(self, &vec![order.to_vec(); outputs]);
            plans.push(vec![
                sifted(n, (EXACT / (orders << n)).min(3), gates);
                outputs
            ]);
        }
        let passes = (WORK / ((orders * outputs) << n)).min(3);
        let good_order = |bits: &[Vec<u8>]| sifted(n, passes, |order| choices(bits, order));
        plans.push(vec![good_order(&bits); outputs]);
        if outputs > 1 {
            let each = bits.iter().map(std::slice::from_ref);
            plans.push(each.map(good_order).collect());
        }
        let best = plans.into_iter().min_by_key(|plan| made(self, plan));
        let best = best.expect("there is a plan");
        self.plans.insert(table.to_vec(), best.clone());
        self.decided(variables, &bits, &best)
    }

    /// One diagram an output, each with the variables asked in its order.
    fn decided(
        &mut self,
        variables: &[CircuitWire],
        bits: &[Vec<u8>],
        plan: &[Vec<usize>],
    ) -> BitSlicedNumber {
        let leaf = |bit: &u8| match *bit {
            ANY => None,
            0 => Some(CircuitWire::ZERO),
            _ => Some(CircuitWire::ONES),
        };
        let mut known: MixMap<&[usize], MixMap<_, _>> = MixMap::default();
        let outputs = bits.iter().zip(plan);
        outputs
            .map(|(bits, order)| {
                let leaves: Vec<Option<CircuitWire>> = bits.iter().map(leaf).collect();
                let asked: Vec<CircuitWire> = order.iter().map(|&v| variables[v]).collect();
                let known = known.entry(order).or_default();
                self.diagram(&asked, renamed(&leaves, order), known)
            })
            .collect()
    }

    /// `leaves[i]`, where bit k of i is `variables[k]`. None is what never happens.
    pub(super) fn select(
        &mut self,
        variables: &[CircuitWire],
        leaves: &[Option<CircuitWire>],
    ) -> CircuitWire {
        let start = self.gates().len();
        let tried = orders(variables.len()).into_iter().map(|order| {
            self.selected(variables, leaves, &order);
            let made = self.gates().len() - start;
            self.rewind(start);
            (made, order)
        });
        let best = tried.min_by_key(|tried| tried.0);
        let (_, order) = best.expect("there is an order");
        self.selected(variables, leaves, &order)
    }

    fn selected(
        &mut self,
        variables: &[CircuitWire],
        leaves: &[Option<CircuitWire>],
        order: &[usize],
    ) -> CircuitWire {
        let asked: Vec<CircuitWire> = order.iter().map(|&v| variables[v]).collect();
        let renamed = renamed(leaves, order);
        self.diagram(&asked, renamed, &mut MixMap::default())
    }

    /// The leaf that the variables lead to, the first of them the most significant.
    fn diagram(
        &mut self,
        asked: &[CircuitWire],
        leaves: Vec<Option<CircuitWire>>,
        known: &mut MixMap<Vec<Option<CircuitWire>>, CircuitWire>,
    ) -> CircuitWire {
        let mut wanted = leaves.iter().flatten();
        let Some(&leaf) = wanted.next() else {
            return CircuitWire::ZERO;
        };
        let Some((first, rest)) = asked.split_first() else {
            return leaf;
        };
        if wanted.all(|&other| other == leaf) {
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

/// Orders that are worth a try: ahead and back, each begun anywhere.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let turns = if n > 3 { 1 } else { n.max(1) };
    let turned = |turn: usize| (0..n).map(move |i| (i + turn) % n);
    let both = |turn: usize| [turned(turn).collect(), turned(turn).rev().collect()];
    (0..turns).flat_map(both).collect()
}

/// A table with its variables in another order: `order[0]` becomes the most significant.
fn renamed<T: Copy>(table: &[T], order: &[usize]) -> Vec<T> {
    places(order).into_iter().map(|old| table[old]).collect()
}

/// Where the entries of a table stood before its variables were put in this order.
fn places(order: &[usize]) -> Vec<usize> {
    let mut places = Vec::with_capacity(1 << order.len());
    places.push(0);
    for &variable in order.iter().rev() {
        for i in 0..places.len() {
            places.push(places[i] | 1 << variable);
        }
    }
    places
}

/// A bit that may be either: what never happens.
const ANY: u8 = 2;

/// Entries that are looked at to find a good order, as far as each is tried gate by gate:
/// about a millisecond.
const EXACT: usize = 20_000;

/// The same for all outputs where only choices are counted: some milliseconds.
const WORK: usize = 1 << 20;

/// An order of n variables of little cost, found in some passes in which each is moved to
/// every place.
fn sifted(n: usize, passes: usize, mut cost: impl FnMut(&[usize]) -> usize) -> Vec<usize> {
    let ahead: Vec<usize> = (0..n).collect();
    let back: Vec<usize> = (0..n).rev().collect();
    let (first, second) = (cost(&ahead), cost(&back));
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
                let size = cost(&moved);
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

/// How many choices the diagrams take together, the variables in this order.
fn choices(bits: &[Vec<u8>], order: &[usize]) -> usize {
    let places = places(order);
    let sizes = bits
        .iter()
        .map(|bits| CofactorTable::of(bits, &places).nodes());
    sizes.sum()
}

/// A table of bits, or a half of a half of one.
#[derive(Clone, PartialEq, Eq, Hash)]
struct CofactorTable {
    /// How many of the entries there are, a power of two.
    length: usize,
    /// For 64 entries in turn which are ones, and which are either.
    words: Vec<[u64; 2]>,
}

impl CofactorTable {
    /// The bits at these places.
    fn of(bits: &[u8], places: &[usize]) -> Self {
        let words = places.chunks(64).map(|places| {
            let mut word = [0, 0];
            for (k, &place) in places.iter().enumerate() {
                word[0] |= u64::from(bits[place] == 1) << k;
                word[1] |= u64::from(bits[place] == ANY) << k;
            }
            word
        });
        Self {
            length: places.len(),
            words: words.collect(),
        }
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.length.min(64))
    }

    /// Whether some entries are ones and some zeros.
    fn mixed(&self) -> bool {
        let mask = self.mask();
        let mut words = self.words.iter();
        let ones = words.clone().any(|word| word[0] != 0);
        ones && words.any(|word| !(word[0] | word[1]) & mask != 0)
    }

    fn halves(&self) -> (Self, Self) {
        let length = self.length / 2;
        let half = |words: Vec<[u64; 2]>| Self { length, words };
        if length >= 64 {
            let (low, high) = self.words.split_at(length / 64);
            return (half(low.to_vec()), half(high.to_vec()));
        }
        let word = self.words[0];
        let mask = u64::MAX >> (64 - length);
        let low = word.map(|bits| bits & mask);
        let high = word.map(|bits| bits >> length & mask);
        (half(vec![low]), half(vec![high]))
    }

    /// What is both, if none contradicts the other.
    fn joined(&self, other: &Self) -> Option<Self> {
        let pairs = || self.words.iter().zip(&other.words);
        let agree = pairs().all(|(a, b)| (a[0] ^ b[0]) & !a[1] & !b[1] == 0);
        agree.then(|| Self {
            length: self.length,
            words: pairs().map(|(a, b)| [a[0] | b[0], a[1] & b[1]]).collect(),
        })
    }

    /// How many choices it takes to tell an entry.
    fn nodes(self) -> usize {
        let mut parts = MixSet::from_iter([self]);
        parts.retain(Self::mixed);
        let mut nodes = 0;
        while !parts.is_empty() {
            let mut below = MixSet::default();
            for part in parts {
                let (low, high) = part.halves();
                let halves = match low.joined(&high) {
                    Some(both) => vec![both],
                    None => {
                        nodes += 1;
                        vec![low, high]
                    }
                };
                below.extend(halves.into_iter().filter(Self::mixed));
            }
            parts = below;
        }
        nodes
    }
}
