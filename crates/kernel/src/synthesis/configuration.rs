//! Circuits of tables by the configuration of nine cells.
//!
//! If a table is symmetric under reflections, configurations are reflected to a canonical form
//! first, and the table of canonical forms is much smaller. Several ways are tried, and the
//! smallest circuit is kept.

use super::decision_diagram::OrderingEffort;
use super::{MAX_VARIABLES, cell_value, state};
use crate::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use grid::State;
use rule::ConfigurationTable;

const CENTRE: usize = 4;

/// The next state by a configuration table.
pub(super) fn next(
    circuit: &mut Circuit,
    table: &ConfigurationTable,
    planes: usize,
) -> Option<BitSlicedNumber> {
    if planes + 8 > MAX_VARIABLES {
        return None;
    }
    let inputs = ConfigurationInputs::new(circuit, table, planes);
    let start = circuit.clone();
    let plain = inputs.all();
    let next = inputs.decide(circuit, &plain);
    let mut best = (circuit.table_count(&next), next);
    for reduction in MirrorReduction::candidates(&inputs) {
        let mut attempt = start.clone();
        let variables = reduction.variables(&mut attempt, &inputs);
        let next = inputs.decide(&mut attempt, &variables);
        let cost = attempt.table_count(&next);
        if cost < best.0 {
            *circuit = attempt;
            best = (cost, next);
        }
    }
    Some(best.1)
}

/// A wire with its value for every configuration.
#[derive(Clone)]
struct ArrangementBit {
    wire: CircuitWire,
    values: Vec<bool>,
}

/// The inputs: the cell's own planes, and whether each of the nine cells counts.
struct ConfigurationInputs {
    own: Vec<ArrangementBit>,
    block: [ArrangementBit; 9],
    /// The next state for every value of the own planes and the other eight cells.
    next: Vec<Option<State>>,
    planes: usize,
}

impl ConfigurationInputs {
    fn new(circuit: &mut Circuit, table: &ConfigurationTable, planes: usize) -> Self {
        let counted: Vec<u64> = table.counted.iter().map(|&c| c.into()).collect();
        let configurations = 1 << (planes + 8);
        // Bit `planes + i` of a configuration is the i-th of the other cells, from the last.
        let around: Vec<usize> = (0..9).rev().filter(|&k| k != CENTRE).collect();
        let decode = |configuration: usize| {
            let own = configuration & ((1 << planes) - 1);
            let counts = *table.counted.get(own)?;
            let cells = around.iter().enumerate();
            let others = cells.map(|(i, &k)| (configuration >> (planes + i) & 1) << (8 - k));
            let all = usize::from(counts) << (8 - CENTRE) | others.sum::<usize>();
            Some((own, all))
        };
        let own = state(circuit, planes).into_iter().enumerate();
        let own = own.map(|(plane, wire)| ArrangementBit {
            wire,
            values: (0..configurations).map(|a| a >> plane & 1 == 1).collect(),
        });
        let own = own.collect();
        let block = std::array::from_fn(|k| {
            let (dx, dy) = ConfigurationTable::OFFSETS[k];
            let wire = cell_value(circuit, planes, dx, &counted);
            let bit = |a: usize| decode(a).is_some_and(|(_, all)| all >> (8 - k) & 1 == 1);
            ArrangementBit {
                wire: wire
                    .first()
                    .map_or(CircuitWire::ZERO, |wire| wire.below(dy)),
                values: (0..configurations).map(bit).collect(),
            }
        });
        let next = |configuration: usize| {
            let (own, all) = decode(configuration)?;
            Some(table.rows[own].get(all))
        };
        Self {
            own,
            block,
            next: (0..configurations).map(next).collect(),
            planes,
        }
    }

    /// The inputs without any reduction.
    fn all(&self) -> Vec<ArrangementBit> {
        let around = (0..9).rev().filter(|&k| k != CENTRE);
        let around = around.map(|k| self.block[k].clone());
        self.own.iter().cloned().chain(around).collect()
    }

    /// Whether the table is invariant under a permutation of the cells.
    fn is_invariant(&self, places: [usize; 9]) -> bool {
        let around: Vec<usize> = (0..9).rev().filter(|&k| k != CENTRE).collect();
        let place = |k: usize| around.iter().position(|&other| other == k);
        let moves: Option<Vec<usize>> = around.iter().map(|&k| place(places[k])).collect();
        let Some(moves) = moves else { return false };
        let moved = |configuration: usize| {
            let others = moves.iter().enumerate();
            let others = others.map(|(from, to)| (configuration >> (self.planes + from) & 1) << to);
            configuration & ((1 << self.planes) - 1) | others.sum::<usize>() << self.planes
        };
        (0..self.next.len()).all(|a| self.next[a] == self.next[moved(a)])
    }

    /// The next state as a function of variables that determine it.
    fn decide(&self, circuit: &mut Circuit, variables: &[ArrangementBit]) -> BitSlicedNumber {
        let mut table = vec![None; 1 << variables.len()];
        for (configuration, next) in self.next.iter().enumerate() {
            let bits = variables.iter().enumerate();
            let index = bits.map(|(k, bit)| usize::from(bit.values[configuration]) << k);
            if next.is_some() {
                table[index.sum::<usize>()] = *next;
            }
        }
        let wires: Vec<CircuitWire> = variables.iter().map(|bit| bit.wire).collect();
        circuit.decide(&wires, &table, self.planes, OrderingEffort::Much)
    }
}

/// The reflections of the block, as permutations of its cells row by row.
const HORIZONTAL: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];
const VERTICAL: [usize; 9] = [6, 7, 8, 3, 4, 5, 0, 1, 2];

const DIAGONAL: [usize; 9] = [0, 3, 6, 1, 4, 7, 2, 5, 8];

/// A reduction by reflections: the order of rows that decides whether to reflect horizontally,
/// and the order of columns for vertically.
struct MirrorReduction {
    horizontal: Option<[usize; 3]>,
    vertical: Option<[usize; 3]>,
    /// Whether to reflect at the diagonal afterwards.
    diagonal: bool,
}

impl MirrorReduction {
    /// The reductions that a table allows, of the few that gave the smallest circuits of twenty
    /// isotropic rules.
    fn candidates(inputs: &ConfigurationInputs) -> Vec<Self> {
        const MIDDLE_FIRST: [usize; 3] = [1, 0, 2];
        const MIDDLE_LAST: [usize; 3] = [0, 2, 1];
        let candidate = |horizontal, vertical, diagonal| Self {
            horizontal,
            vertical,
            diagonal,
        };
        let mut candidates = vec![
            candidate(Some(MIDDLE_FIRST), Some(MIDDLE_FIRST), true),
            candidate(Some(MIDDLE_LAST), Some(MIDDLE_LAST), true),
            candidate(Some(MIDDLE_LAST), Some(MIDDLE_LAST), false),
            candidate(Some(MIDDLE_LAST), None, false),
            candidate(None, Some(MIDDLE_LAST), false),
        ];
        let [horizontal, vertical, diagonal] =
            [HORIZONTAL, VERTICAL, DIAGONAL].map(|places| inputs.is_invariant(places));
        candidates.retain(|candidate| {
            (horizontal || candidate.horizontal.is_none())
                && (vertical || candidate.vertical.is_none())
                && (diagonal || !candidate.diagonal)
        });
        candidates
    }

    fn variables(
        &self,
        circuit: &mut Circuit,
        inputs: &ConfigurationInputs,
    ) -> Vec<ArrangementBit> {
        let mut block = inputs.block.clone();
        if let Some(rows) = self.horizontal {
            reflect(circuit, &mut block, rows.map(|row| [3 * row, 3 * row + 2]));
        }
        if let Some(columns) = self.vertical {
            reflect(
                circuit,
                &mut block,
                columns.map(|column| [column, 6 + column]),
            );
        }
        if self.diagonal {
            reflect(circuit, &mut block, [[1, 3], [5, 7], [2, 6]]);
        }
        let around = (0..9).filter(|&k| k != CENTRE);
        let around = around.map(|k| block[k].clone());
        inputs.own.iter().cloned().chain(around).collect()
    }
}

/// Swaps the two cells of all pairs or of none, so that in the first pair whose cells differ
/// the second is set.
fn reflect(circuit: &mut Circuit, block: &mut [ArrangementBit; 9], pairs: [[usize; 2]; 3]) {
    let [[a, b], [c, d], [e, _]] = pairs;
    let differ = |circuit: &mut Circuit, p: &ArrangementBit, q: &ArrangementBit| {
        combine(p, q, circuit.xor(p.wire, q.wire), |p, q| p ^ q)
    };
    let first = differ(circuit, &block[a], &block[b]);
    let second = differ(circuit, &block[c], &block[d]);
    let rest = choose(circuit, &second, &block[c], &block[e]);
    let swap = choose(circuit, &first, &block[a], &rest);
    let [low, high] = pairs[0];
    let (p, q) = (block[low].clone(), block[high].clone());
    block[low] = combine(&p, &q, circuit.and(p.wire, q.wire), |p, q| p & q);
    block[high] = combine(&p, &q, circuit.or(p.wire, q.wire), |p, q| p | q);
    for [low, high] in [pairs[1], pairs[2]] {
        let (p, q) = (block[low].clone(), block[high].clone());
        block[low] = choose(circuit, &swap, &q, &p);
        block[high] = choose(circuit, &swap, &p, &q);
    }
}

fn combine(
    p: &ArrangementBit,
    q: &ArrangementBit,
    wire: CircuitWire,
    by: impl Fn(bool, bool) -> bool,
) -> ArrangementBit {
    let values = p.values.iter().zip(&q.values);
    ArrangementBit {
        wire,
        values: values.map(|(&p, &q)| by(p, q)).collect(),
    }
}

fn choose(
    circuit: &mut Circuit,
    by: &ArrangementBit,
    high: &ArrangementBit,
    low: &ArrangementBit,
) -> ArrangementBit {
    let pairs = high.values.iter().zip(&low.values);
    let values = by.values.iter().zip(pairs);
    ArrangementBit {
        wire: circuit.choose(by.wire, high.wire, low.wire),
        values: values
            .map(|(&by, (&high, &low))| if by { high } else { low })
            .collect(),
    }
}
