//! Logic synthesis: circuits from a rule's transition tables.
//!
//! Each kind of table has its own way to a small circuit; where a rule's tables differ by
//! sublattice, what they have in common is computed once. The ways to a circuit are our own method;
//! what they are made of (decision diagrams, adder trees, structural hashing) has its source where
//! it stands.

mod configuration;
mod count;
mod decision_diagram;
mod lookup;
mod recent;
mod sublattice;
mod symmetry;
mod tree;

use super::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use decision_diagram::OrderingEffort;
use recent::RECENT;
use rule::{Rule, Site, Transition};
use std::sync::Arc;

/// The transition of one generation as a circuit.
pub(super) struct Synthesis {
    pub(super) circuit: Circuit,
    /// The next state, one wire per plane.
    pub(super) next: BitSlicedNumber,
    /// What the transition depends on, in words.
    pub(super) what: &'static str,
    /// The most steps for which the circuit is quicker than a byte per cell.
    most: usize,
}

/// The steps beyond which sums of bytes are quicker.
const MAX_SUM_STEPS: usize = 320;

/// The steps beyond which lookups of bytes are as quick: a step is about a cycle for 512 cells
/// as machine code and three without, a lookup some ten cycles for each cell.
const MAX_LOOKUP_STEPS: usize = 2000;

impl Synthesis {
    /// Whether the circuit is at least as quick as a byte per cell.
    pub(super) fn is_quick(&self) -> bool {
        self.circuit.cost(&self.next) <= self.most
    }
}

/// The most binary variables of a table of next states.
const MAX_VARIABLES: usize = 14;

/// Synthesises the circuit of a rule for a generation, with states of `planes` bits; none where
/// it would be too large. The last few are kept.
pub(super) fn synthesise(rule: &Rule, generation: u64, planes: usize) -> Option<Arc<Synthesis>> {
    RECENT.find_or_make((rule, generation, planes), || {
        synthesise_anew(rule, generation, planes)
    })
}

fn synthesise_anew(rule: &Rule, generation: u64, planes: usize) -> Option<Synthesis> {
    let tables: Vec<&Transition> = (0..rule.phases() as i64)
        .map(|place| {
            // Of two sublattices the second contains (1, 0), of four the k-th (k mod 2, k / 2).
            let (x, y) = (place & 1, place >> 1);
            rule.transition(Site { generation, x, y })
        })
        .collect();
    let (what, most) = match tables[0] {
        Transition::Configuration(_) => ("arrangements", MAX_SUM_STEPS),
        Transition::Count(_) => ("sums", MAX_SUM_STEPS),
        Transition::Lookup(_) => ("lookups", MAX_LOOKUP_STEPS),
    };
    let mut circuit = Circuit::new();
    let next = match &*tables {
        [table] => single_table(&mut circuit, table, planes)?,
        tables => sublattice::next(&mut circuit, tables, planes)?,
    };
    Some(Synthesis {
        circuit,
        next,
        what,
        most,
    })
}

/// The next state by a single table.
fn single_table(
    circuit: &mut Circuit,
    table: &Transition,
    planes: usize,
) -> Option<BitSlicedNumber> {
    match table {
        Transition::Configuration(table) => configuration::next(circuit, table, planes),
        Transition::Count(table) => count::next(circuit, table, planes),
        Transition::Lookup(table) => lookup::next(circuit, table, planes),
    }
}

/// The state of the cell itself.
fn state(circuit: &mut Circuit, planes: usize) -> BitSlicedNumber {
    (0..planes).map(|p| circuit.cell(p as u8, 0, 0)).collect()
}

/// The value of a cell as a number: `values` has one entry per state.
fn cell_value(circuit: &mut Circuit, planes: usize, dx: i32, values: &[u64]) -> BitSlicedNumber {
    let cell: BitSlicedNumber = (0..planes).map(|p| circuit.cell(p as u8, dx, 0)).collect();
    state_value(circuit, &cell, values)
}

/// The value of a state given as planes.
fn state_value(circuit: &mut Circuit, planes: &[CircuitWire], values: &[u64]) -> BitSlicedNumber {
    let most = values.iter().copied().max().unwrap_or(0);
    let bits = (u64::BITS - most.leading_zeros()) as usize;
    let mut number = BitSlicedNumber::new();
    for bit in 0..bits {
        let entry = |index: usize| values.get(index).map(|w| (w >> bit & 1) as u8);
        let table: Vec<Option<u8>> = (0..1 << planes.len()).map(entry).collect();
        number.extend(circuit.decide(planes, &table, 1, OrderingEffort::Little));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::{Gate, ParityAxis};
    use dice::Dice;
    use std::collections::HashMap;

    /// Evaluates wires by the definition of the gates.
    struct GateEvaluator<'a> {
        circuit: &'a Circuit,
        site: Site,
        cells: &'a dyn Fn(i32, i32) -> u8,
        known: HashMap<CircuitWire, bool>,
    }

    impl GateEvaluator<'_> {
        fn evaluate(&mut self, wire: CircuitWire) -> bool {
            if let Some(&bit) = self.known.get(&wire) {
                return bit;
            }
            let gate = self.circuit.gates()[wire.gate as usize];
            let inputs = gate.inputs();
            let of: Vec<bool> = inputs
                .iter()
                .map(|w| self.evaluate(w.below(wire.dy)))
                .collect();
            let bit = match gate {
                Gate::Constant(bit) => bit,
                Gate::Cell { plane, dx } => (self.cells)(dx, wire.dy) >> plane & 1 == 1,
                Gate::Parity(ParityAxis::X) => self.site.x & 1 == 1,
                Gate::Parity(ParityAxis::Y) => (self.site.y + i64::from(wire.dy)) & 1 == 1,
                Gate::Not(_) => !of[0],
                Gate::And(..) => of[0] & of[1],
                Gate::AndNot(..) => of[0] & !of[1],
                Gate::Or(..) => of[0] | of[1],
                Gate::Xor(..) => of[0] ^ of[1],
                Gate::Xor3(_) => of[0] ^ of[1] ^ of[2],
                Gate::Majority(_) => of.iter().filter(|&&bit| bit).count() > 1,
                Gate::Choose(_) => {
                    if of[0] {
                        of[1]
                    } else {
                        of[2]
                    }
                }
            };
            self.known.insert(wire, bit);
            bit
        }
    }

    /// Tests the circuits of a rule against its definition, on random neighbourhoods; returns
    /// whether it has any.
    fn check(rule: &Rule, about: &str) -> bool {
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let mut random = Dice::new(about.len() as u64);
        for generation in 0..rule.time_period() as u64 {
            let Some(made) = synthesise(rule, generation, planes) else {
                return false;
            };
            let side = 2 * rule.radius() as i32 + 1;
            for trial in 0..400 {
                // Of a few states at a time: random cells of many states are nearly all different.
                let few: Vec<u32> = (0..2 + trial % 3)
                    .map(|_| random.below(rule.states().into()))
                    .collect();
                let cells: Vec<u8> = (0..side * side)
                    .map(|_| random.pick(&few).unwrap() as u8)
                    .collect();
                let look = |dx: i32, dy: i32| {
                    let r = rule.radius() as i32;
                    cells[((dy + r) * side + dx + r) as usize]
                };
                let site = Site {
                    generation,
                    x: random.below(4).into(),
                    y: random.below(4).into(),
                };
                let mut evaluator = GateEvaluator {
                    circuit: &made.circuit,
                    site,
                    cells: &look,
                    known: HashMap::new(),
                };
                let next = made.next.iter().rev();
                let next = next.fold(0, |state, &w| state << 1 | u8::from(evaluator.evaluate(w)));
                assert_eq!(
                    next,
                    rule.next(site, look),
                    "{about}: {cells:?} at {site:?}"
                );
            }
        }
        true
    }

    #[test]
    fn rules_of_each_kind_of_table() {
        for text in [
            "B3/S23",
            "B2n3-y4c/S23-a4i",
            "B2ce3-ai4eqt5c6/S2-c3-ijr4aejq5ik6ace8",
            "MAPAemNy9TLICzlHcujWNhbDhiYVnlvLrxfWf8jLmAlnY02k35UdnhFKF7j8rSZI0Z4jXt3pZpMHdjePqWl6DFtKA",
            "B03/S23",
            "345/2/4",
            "345/24/25",
            "extended",
            "weighted",
            "R3,C3,M0,S4-9,B8-12,N+",
            "R1,C4,S3-6,B4-7,NW111101111,0123",
            "R5,C0,M1,S34..58,B34..45,NM",
            "M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15",
            "M15,14,13,3,11,5,6,1,7,9,10,2,12,4,8,0",
            "B456/S34L",
            "B2/S1LE",
            "B5/S45LV",
            "B2/S2LI",
            "2/3/10LO",
            "B03/S34LB",
            "1/2/4LR",
            "LifeHistory",
            // a rule without neighbours
            "B/SHistory",
        ] {
            assert!(check(&text.parse().unwrap(), text), "{text} has no circuit");
        }
    }

    /// A rule file with random transitions of a few states.
    fn file(random: &mut Dice, states: u32, symmetry: &str, cells: usize) -> String {
        let shape = ["vonNeumann", "Moore"][cells / 8];
        let mut text = format!("@RULE random\n@TABLE\nn_states:{states}\n");
        text += &format!("neighborhood:{shape}\nsymmetries:{symmetry}\n");
        let sets = ["any", "some", "others"];
        for name in sets {
            for copy in 0..cells {
                let mut set: Vec<u32> = (0..states).filter(|_| random.below(3) > 0).collect();
                if set.is_empty() || name == "any" {
                    set = (0..states).collect();
                }
                let set: Vec<String> = set.iter().map(u32::to_string).collect();
                text += &format!("var {name}{copy}={{{}}}\n", set.join(","));
            }
        }
        text += &format!("{}\n", vec!["0"; cells + 2].join(","));
        for _ in 0..random.below(9) + 3 {
            let mut line: Vec<String> = (0..cells)
                .map(|copy| match random.below(4) {
                    0 => random.below(states).to_string(),
                    k => format!("{}{copy}", sets[k as usize - 1]),
                })
                .collect();
            line.insert(0, random.below(states).to_string());
            line.push(random.below(states).to_string());
            text += &format!("{}\n", line.join(","));
        }
        text
    }

    #[test]
    fn random_tables_of_files() {
        let mut random = Dice::new(5);
        let mut made = 0;
        for case in 0..80 {
            let (cells, symmetries): (_, &[&str]) = match case % 2 {
                0 => (4, &["none", "rotate4", "rotate4reflect", "permute"]),
                _ => (
                    8,
                    &["rotate4", "rotate4reflect", "rotate8reflect", "permute"],
                ),
            };
            let symmetry = symmetries[case / 2 % 4];
            let states = [2, 3, 4, 5, 9][case / 8 % 5].min(13 - cells as u32);
            let text = file(&mut random, states, symmetry, cells);
            let rule = Rule::from_file(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
            made += usize::from(check(&rule, &text));
        }
        assert!(made > 60, "{made} circuits");
    }
}
