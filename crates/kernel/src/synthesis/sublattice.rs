//! Circuits of rules whose tables differ by sublattice.

use super::decision_diagram::OrderingEffort;
use super::{count, single_table};
use crate::circuit::{BitSlicedNumber, Circuit, CircuitWire, ParityAxis};
use grid::State;
use rule::{ConfigurationTable, Transition};

/// The next state by the table of the cell's sublattice: of two tables the second is for odd
/// x + y, of four the table's index is the parity of x plus twice that of y.
pub(super) fn next(
    circuit: &mut Circuit,
    tables: &[&Transition],
    planes: usize,
) -> Option<BitSlicedNumber> {
    let (x, y) = (circuit.parity(ParityAxis::X), circuit.parity(ParityAxis::Y));
    if let Some(next) = margolus(circuit, tables, [x, y]) {
        return Some(next);
    }
    if let [low, high] = tables {
        let sublattice = circuit.xor(x, y);
        if let (Transition::Count(low), Transition::Count(high)) = (low, high) {
            let next = count::next_by_sublattice(circuit, [low, high], sublattice, planes);
            if next.is_some() {
                return next;
            }
        }
        let [low, high] = [
            single_table(circuit, low, planes)?,
            single_table(circuit, high, planes)?,
        ];
        return Some(choose(circuit, sublattice, &high, &low));
    }
    let mut each = tables
        .iter()
        .map(|table| single_table(circuit, table, planes));
    let [a, b, c, d] = [each.next()??, each.next()??, each.next()??, each.next()??];
    let (above, below) = (choose(circuit, x, &b, &a), choose(circuit, x, &d, &c));
    Some(choose(circuit, y, &below, &above))
}

fn choose(
    circuit: &mut Circuit,
    sublattice: CircuitWire,
    high: &BitSlicedNumber,
    low: &BitSlicedNumber,
) -> BitSlicedNumber {
    let pairs = high.iter().zip(low);
    pairs
        .map(|(&high, &low)| circuit.choose(sublattice, high, low))
        .collect()
}

/// Rules on blocks of two by two cells (the Margolus neighbourhood): a cell depends on itself
/// and on the other three cells of its block, whose directions depend on its sublattice.
fn margolus(
    circuit: &mut Circuit,
    tables: &[&Transition],
    [x, y]: [CircuitWire; 2],
) -> Option<BitSlicedNumber> {
    let [a, b, c, d] = tables else {
        return None;
    };
    let configuration = |table: &&Transition| match table {
        Transition::Configuration(table) if table.counted == [false, true] => Some(table.clone()),
        _ => None,
    };
    let tables = [a, b, c, d].map(configuration);
    let [Some(a), Some(b), Some(c), Some(d)] = tables else {
        return None;
    };
    let tables = [a, b, c, d];
    // Whether the block's first column is the even one, and its first row.
    let corner = [(0, 0), (1, 0), (0, 1), (1, 1)]
        .into_iter()
        .find(|corner| {
            (0..4).all(|sublattice| {
                depends_only_on_block(&tables[sublattice], offset(sublattice, *corner))
            })
        })?;
    let cell = |circuit: &mut Circuit, dx: i32, dy: i32| circuit.cell(0, dx, dy);
    let [first_x, first_y] = [offset(0, corner).0, offset(0, corner).1];
    let own = cell(circuit, 0, 0);
    let (east, west) = (cell(circuit, first_x, 0), cell(circuit, -first_x, 0));
    let horizontal = circuit.choose(x, west, east);
    let reflect_vertically = |circuit: &mut Circuit, wire: CircuitWire| {
        circuit.choose(y, wire.below(-first_y), wire.below(first_y))
    };
    let vertical = reflect_vertically(circuit, own);
    let opposite = reflect_vertically(circuit, horizontal);
    let entry = |index: usize| {
        let sublattice = index & 3;
        let (dx, dy) = offset(sublattice, corner);
        let seen = [(0, 0), (dx, 0), (0, dy), (dx, dy)];
        let arrangement = seen
            .iter()
            .enumerate()
            .map(|(k, &(dx, dy))| (index >> (2 + k) & 1) << (4 - 3 * dy - dx));
        let own = index >> 2 & 1;
        Some(tables[sublattice].rows[own].get(arrangement.sum()))
    };
    let entries: Vec<Option<State>> = (0..64).map(entry).collect();
    Some(circuit.decide(
        &[x, y, own, horizontal, vertical, opposite],
        &entries,
        1,
        OrderingEffort::Much,
    ))
}

/// The offset of the opposite corner of its block, for a cell of sublattice x + 2 y.
fn offset(sublattice: usize, (x, y): (usize, usize)) -> (i32, i32) {
    let side = |odd: usize| 1 - 2 * odd as i32;
    (side(sublattice & 1 ^ x), side(sublattice >> 1 ^ y))
}

/// Whether a table depends only on the block with this opposite corner.
fn depends_only_on_block(table: &ConfigurationTable, (dx, dy): (i32, i32)) -> bool {
    let seen = |&(x, y): &(i32, i32)| (x == 0 || x == dx) && (y == 0 || y == dy);
    let outside = ConfigurationTable::OFFSETS
        .iter()
        .enumerate()
        .filter(|(_, o)| !seen(o));
    let outside: usize = outside.map(|(k, _)| 256 >> k).sum();
    let rows = table.rows.iter();
    (0..512).all(|index| {
        rows.clone()
            .all(|row| row.get(index) == row.get(index & !outside))
    })
}
