//! Circuits from a rule's tables.
//!
//! Each kind of table has its own way to a small circuit; where a rule's tables differ from
//! place to place, what they have in common is computed once.

mod configuration;
mod count;
mod place;

use super::circuit::{Circuit, Number};
use rule::{Rule, Site, Transition};

/// What a rule does in one generation, as logic.
pub(super) struct Synthesis {
    pub(super) circuit: Circuit,
    /// The next state, a wire a plane.
    pub(super) next: Number,
    /// What decides, in words.
    pub(super) what: &'static str,
}

/// Binary variables of a table of next states, at most.
const VARIABLES: usize = 14;

/// The circuit of a rule for a generation, with a state in so many planes; none where it
/// would be too large.
pub(super) fn of(rule: &Rule, generation: u64, planes: usize) -> Option<Synthesis> {
    let tables: Vec<&Transition> = (0..rule.places() as i64)
        .map(|place| {
            // Of two places the second is (1, 0), of four place k is (k mod 2, k / 2).
            let (x, y) = (place & 1, place >> 1);
            rule.transition(Site { generation, x, y })
        })
        .collect();
    let what = match tables[0] {
        Transition::Configuration(_) => "arrangements",
        Transition::Count(_) => "sums",
        Transition::Lookup(_) => "lookups",
    };
    let mut circuit = Circuit::new();
    let next = match &*tables {
        [table] => one(&mut circuit, table, planes)?,
        tables => place::next(&mut circuit, tables, planes)?,
    };
    Some(Synthesis {
        circuit,
        next,
        what,
    })
}

/// The next state by one table.
fn one(circuit: &mut Circuit, table: &Transition, planes: usize) -> Option<Number> {
    match table {
        Transition::Configuration(table) => configuration::next(circuit, table, planes),
        Transition::Count(table) => count::next(circuit, table, planes),
        Transition::Lookup(_) => None,
    }
}

/// The planes of the cell itself.
fn state(circuit: &mut Circuit, planes: usize) -> Number {
    (0..planes).map(|p| circuit.cell(p as u8, 0, 0)).collect()
}

/// What a cell is worth, as a number: `worth` has one entry a state.
fn worth(circuit: &mut Circuit, planes: usize, dx: i32, worth: &[u64]) -> Number {
    let variables: Number = (0..planes).map(|p| circuit.cell(p as u8, dx, 0)).collect();
    let most = worth.iter().copied().max().unwrap_or(0);
    let bits = (u64::BITS - most.leading_zeros()) as usize;
    let mut number = Vec::new();
    for bit in 0..bits {
        let entry = |index: usize| worth.get(index).map(|w| (w >> bit & 1) as u8);
        let table: Vec<Option<u8>> = (0..1 << planes).map(entry).collect();
        number.extend(circuit.decide(&variables, &table, 1));
    }
    number
}
