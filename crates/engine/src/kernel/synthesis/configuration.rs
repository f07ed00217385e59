//! Circuits of tables by the arrangement of the nine cells of a block.
//!
//! Where a table says the same of an arrangement and of its mirror image, arrangements are
//! mirrored on the way until they are one of a few: a table of those is much smaller. Both
//! ways are tried, and the smallest circuit is kept.

use super::decision_diagram::OrderingEffort;
use super::{VARIABLES, state, worth};
use crate::kernel::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use grid::State;
use rule::ConfigurationTable;

const CENTRE: usize = 4;

/// The next state, by a table.
pub(super) fn next(
    circuit: &mut Circuit,
    table: &ConfigurationTable,
    planes: usize,
) -> Option<BitSlicedNumber> {
    if planes + 8 > VARIABLES {
        return None;
    }
    let sight = ConfigurationInputs::new(circuit, table, planes);
    let start = circuit.clone();
    let plain = sight.all();
    let next = sight.decide(circuit, &plain);
    let mut best = (circuit.table_count(&next), next);
    for mirrored in MirrorReduction::ways(&sight) {
        let mut attempt = start.clone();
        let variables = mirrored.variables(&mut attempt, &sight);
        let next = sight.decide(&mut attempt, &variables);
        let cost = attempt.table_count(&next);
        if cost < best.0 {
            *circuit = attempt;
            best = (cost, next);
        }
    }
    Some(best.1)
}

/// A bit and what it is for every arrangement.
#[derive(Clone)]
struct ArrangementBit {
    wire: CircuitWire,
    values: Vec<bool>,
}

/// What a cell sees: its own planes, and whether each of the nine cells counts.
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
        let arrangements = 1 << (planes + 8);
        // Bit `planes + i` of an arrangement is the i-th of the other cells, from the last.
        let around: Vec<usize> = (0..9).rev().filter(|&k| k != CENTRE).collect();
        let seen = |arrangement: usize| {
            let own = arrangement & ((1 << planes) - 1);
            let counts = *table.counted.get(own)?;
            let cells = around.iter().enumerate();
            let others = cells.map(|(i, &k)| (arrangement >> (planes + i) & 1) << (8 - k));
            let all = usize::from(counts) << (8 - CENTRE) | others.sum::<usize>();
            Some((own, all))
        };
        let own = state(circuit, planes).into_iter().enumerate();
        let own = own.map(|(plane, wire)| ArrangementBit {
            wire,
            values: (0..arrangements).map(|a| a >> plane & 1 == 1).collect(),
        });
        let own = own.collect();
        let block = std::array::from_fn(|k| {
            let (dx, dy) = ConfigurationTable::OFFSETS[k];
            let wire = worth(circuit, planes, dx, &counted);
            let bit = |a: usize| seen(a).is_some_and(|(_, all)| all >> (8 - k) & 1 == 1);
            ArrangementBit {
                wire: wire
                    .first()
                    .map_or(CircuitWire::ZERO, |wire| wire.below(dy)),
                values: (0..arrangements).map(bit).collect(),
            }
        });
        let next = |arrangement: usize| {
            let (own, all) = seen(arrangement)?;
            Some(table.rows[own].get(all))
        };
        Self {
            own,
            block,
            next: (0..arrangements).map(next).collect(),
            planes,
        }
    }

    /// All that is seen, as it is.
    fn all(&self) -> Vec<ArrangementBit> {
        let around = (0..9).rev().filter(|&k| k != CENTRE);
        let around = around.map(|k| self.block[k].clone());
        self.own.iter().cloned().chain(around).collect()
    }

    /// Whether the table does not mind if cells change places like this.
    fn same(&self, places: [usize; 9]) -> bool {
        let around: Vec<usize> = (0..9).rev().filter(|&k| k != CENTRE).collect();
        let place = |k: usize| around.iter().position(|&other| other == k);
        let moves: Option<Vec<usize>> = around.iter().map(|&k| place(places[k])).collect();
        let Some(moves) = moves else { return false };
        let moved = |arrangement: usize| {
            let others = moves.iter().enumerate();
            let others = others.map(|(from, to)| (arrangement >> (self.planes + from) & 1) << to);
            arrangement & ((1 << self.planes) - 1) | others.sum::<usize>() << self.planes
        };
        (0..self.next.len()).all(|a| self.next[a] == self.next[moved(a)])
    }

    /// The next state from variables that tell enough of what is seen.
    fn decide(&self, circuit: &mut Circuit, variables: &[ArrangementBit]) -> BitSlicedNumber {
        let mut table = vec![None; 1 << variables.len()];
        for (arrangement, next) in self.next.iter().enumerate() {
            let bits = variables.iter().enumerate();
            let index = bits.map(|(k, bit)| usize::from(bit.values[arrangement]) << k);
            if next.is_some() {
                table[index.sum::<usize>()] = *next;
            }
        }
        let wires: Vec<CircuitWire> = variables.iter().map(|bit| bit.wire).collect();
        circuit.decide(&wires, &table, self.planes, OrderingEffort::Much)
    }
}

/// The cells of the block, row by row, after they have changed places.
const SIDEWAYS: [usize; 9] = [2, 1, 0, 5, 4, 3, 8, 7, 6];
const UPSIDE_DOWN: [usize; 9] = [6, 7, 8, 3, 4, 5, 0, 1, 2];

const ACROSS: [usize; 9] = [0, 3, 6, 1, 4, 7, 2, 5, 8];

/// A way to mirror what is seen: which rows are looked at first to tell whether to mirror
/// sideways, and which columns for upside down.
struct MirrorReduction {
    sideways: Option<[usize; 3]>,
    upside_down: Option<[usize; 3]>,
    /// Whether across the diagonal, last.
    across: bool,
}

impl MirrorReduction {
    /// Those that a table allows, of the few that gave the smallest circuits of twenty
    /// isotropic rules.
    fn ways(sight: &ConfigurationInputs) -> Vec<Self> {
        const MIDDLE_FIRST: [usize; 3] = [1, 0, 2];
        const MIDDLE_LAST: [usize; 3] = [0, 2, 1];
        let way = |sideways, upside_down, across| Self {
            sideways,
            upside_down,
            across,
        };
        let mut ways = vec![
            way(Some(MIDDLE_FIRST), Some(MIDDLE_FIRST), true),
            way(Some(MIDDLE_LAST), Some(MIDDLE_LAST), true),
            way(Some(MIDDLE_LAST), Some(MIDDLE_LAST), false),
            way(Some(MIDDLE_LAST), None, false),
            way(None, Some(MIDDLE_LAST), false),
        ];
        let [sideways, upside_down, across] =
            [SIDEWAYS, UPSIDE_DOWN, ACROSS].map(|places| sight.same(places));
        ways.retain(|way| {
            (sideways || way.sideways.is_none())
                && (upside_down || way.upside_down.is_none())
                && (across || !way.across)
        });
        ways
    }

    fn variables(&self, circuit: &mut Circuit, sight: &ConfigurationInputs) -> Vec<ArrangementBit> {
        let mut block = sight.block.clone();
        if let Some(rows) = self.sideways {
            mirror(circuit, &mut block, rows.map(|row| [3 * row, 3 * row + 2]));
        }
        if let Some(columns) = self.upside_down {
            mirror(
                circuit,
                &mut block,
                columns.map(|column| [column, 6 + column]),
            );
        }
        if self.across {
            mirror(circuit, &mut block, [[1, 3], [5, 7], [2, 6]]);
        }
        let around = (0..9).filter(|&k| k != CENTRE);
        let around = around.map(|k| block[k].clone());
        sight.own.iter().cloned().chain(around).collect()
    }
}

/// Exchanges the two cells of each pair, all or none, so that in the first pair whose
/// cells differ the second is set.
fn mirror(circuit: &mut Circuit, block: &mut [ArrangementBit; 9], pairs: [[usize; 2]; 3]) {
    let [[a, b], [c, d], [e, _]] = pairs;
    let differ = |circuit: &mut Circuit, p: &ArrangementBit, q: &ArrangementBit| {
        combine(p, q, circuit.xor(p.wire, q.wire), |p, q| p ^ q)
    };
    let first = differ(circuit, &block[a], &block[b]);
    let second = differ(circuit, &block[c], &block[d]);
    let rest = choose(circuit, &second, &block[c], &block[e]);
    let turn = choose(circuit, &first, &block[a], &rest);
    let [low, high] = pairs[0];
    let (p, q) = (block[low].clone(), block[high].clone());
    block[low] = combine(&p, &q, circuit.and(p.wire, q.wire), |p, q| p & q);
    block[high] = combine(&p, &q, circuit.or(p.wire, q.wire), |p, q| p | q);
    for [low, high] in [pairs[1], pairs[2]] {
        let (p, q) = (block[low].clone(), block[high].clone());
        block[low] = choose(circuit, &turn, &q, &p);
        block[high] = choose(circuit, &turn, &p, &q);
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
