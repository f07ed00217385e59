//! Circuits of rules whose tables differ from place to place.

use super::decision_diagram::OrderingEffort;
use super::{count, one};
use crate::kernel::circuit::{BitSlicedNumber, Circuit, CircuitWire, ParityAxis};
use grid::State;
use rule::{ConfigurationTable, Transition};

/// The next state by the table of the cell's place: of two tables the second holds where
/// x + y is odd, of four the one for x + 2 y of the places' evenness.
pub(super) fn next(
    circuit: &mut Circuit,
    tables: &[&Transition],
    planes: usize,
) -> Option<BitSlicedNumber> {
    let (x, y) = (circuit.parity(ParityAxis::X), circuit.parity(ParityAxis::Y));
    if let Some(next) = blocks(circuit, tables, [x, y]) {
        return Some(next);
    }
    if let [low, high] = tables {
        let place = circuit.xor(x, y);
        if let (Transition::Count(low), Transition::Count(high)) = (low, high) {
            let next = count::next_by_place(circuit, [low, high], place, planes);
            if next.is_some() {
                return next;
            }
        }
        let [low, high] = [one(circuit, low, planes)?, one(circuit, high, planes)?];
        return Some(choose(circuit, place, &high, &low));
    }
    let mut each = tables.iter().map(|table| one(circuit, table, planes));
    let [a, b, c, d] = [each.next()??, each.next()??, each.next()??, each.next()??];
    let (above, below) = (choose(circuit, x, &b, &a), choose(circuit, x, &d, &c));
    Some(choose(circuit, y, &below, &above))
}

fn choose(
    circuit: &mut Circuit,
    place: CircuitWire,
    high: &BitSlicedNumber,
    low: &BitSlicedNumber,
) -> BitSlicedNumber {
    let pairs = high.iter().zip(low);
    pairs
        .map(|(&high, &low)| circuit.choose(place, high, low))
        .collect()
}

/// The rules of blocks of two by two: a cell sees its partner in the row, the one in the
/// column, and the one at the other corner, wherever its place says that they are.
fn blocks(
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
        .find(|corner| (0..4).all(|place| within(&tables[place], offset(place, *corner))))?;
    let cell = |circuit: &mut Circuit, dx: i32, dy: i32| circuit.cell(0, dx, dy);
    let [first_x, first_y] = [offset(0, corner).0, offset(0, corner).1];
    let own = cell(circuit, 0, 0);
    let (east, west) = (cell(circuit, first_x, 0), cell(circuit, -first_x, 0));
    let beside = circuit.choose(x, west, east);
    let across = |circuit: &mut Circuit, wire: CircuitWire| {
        circuit.choose(y, wire.below(-first_y), wire.below(first_y))
    };
    let facing = across(circuit, own);
    let opposite = across(circuit, beside);
    let entry = |index: usize| {
        let place = index & 3;
        let (dx, dy) = offset(place, corner);
        let seen = [(0, 0), (dx, 0), (0, dy), (dx, dy)];
        let arrangement = seen
            .iter()
            .enumerate()
            .map(|(k, &(dx, dy))| (index >> (2 + k) & 1) << (4 - 3 * dy - dx));
        let own = index >> 2 & 1;
        Some(tables[place].rows[own].get(arrangement.sum()))
    };
    let entries: Vec<Option<State>> = (0..64).map(entry).collect();
    Some(circuit.decide(
        &[x, y, own, beside, facing, opposite],
        &entries,
        1,
        OrderingEffort::Much,
    ))
}

/// Where the opposite corner of its block is, for a cell at place x + 2 y.
fn offset(place: usize, (x, y): (usize, usize)) -> (i32, i32) {
    let side = |odd: usize| 1 - 2 * odd as i32;
    (side(place & 1 ^ x), side(place >> 1 ^ y))
}

/// Whether a table looks at nothing but the block with this opposite corner.
fn within(table: &ConfigurationTable, (dx, dy): (i32, i32)) -> bool {
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
