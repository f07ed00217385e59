//! Circuits of tables by the arrangement of the nine cells of a block.

use super::{VARIABLES, state, worth};
use crate::kernel::circuit::{Circuit, Number, Wire};
use grid::State;
use rule::ConfigurationTable;

pub(super) fn next(
    circuit: &mut Circuit,
    table: &ConfigurationTable,
    planes: usize,
) -> Option<Number> {
    const CENTRE: usize = 4;
    let mut variables = state(circuit, planes);
    let counted: Vec<u64> = table.counted.iter().map(|&c| c.into()).collect();
    let around = (0..9).rev().filter(|&k| k != CENTRE);
    for k in around.clone() {
        let (dx, dy) = ConfigurationTable::OFFSETS[k];
        let wire = worth(circuit, planes, dx, &counted);
        variables.push(wire.first().map_or(Wire::ZERO, |w| w.below(dy)));
    }
    if variables.len() > VARIABLES {
        return None;
    }
    let entry = |index: usize| {
        let own = index & ((1 << planes) - 1);
        let row = table.rows.get(own)?;
        let mut seen = usize::from(table.counted[own]) << (8 - CENTRE);
        for (i, k) in around.clone().enumerate() {
            seen |= (index >> (planes + i) & 1) << (8 - k);
        }
        Some(row.get(seen))
    };
    let entries: Vec<Option<State>> = (0..1 << variables.len()).map(entry).collect();
    Some(circuit.decide(&variables, &entries, planes))
}
