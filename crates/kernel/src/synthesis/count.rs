//! Circuits of tables by a weighted sum: the cells of each row are added first, then the rows.

use super::decision_diagram::OrderingEffort;
use super::{MAX_VARIABLES, cell_value, state};
use crate::circuit::{BitSlicedNumber, Circuit, CircuitWire};
use grid::State;
use rule::{CountTable, Neighbourhood, TransitionRow, Weight};

/// The most value bits of all neighbours for which a circuit is tried.
const MAX_VALUE_BITS: usize = 640;

/// A row of a neighbourhood: pairs of dx and weight.
type RowWeights = Vec<(i32, i32)>;

/// The next state by a count table.
pub(super) fn next(
    circuit: &mut Circuit,
    table: &CountTable,
    planes: usize,
) -> Option<BitSlicedNumber> {
    synthesise(circuit, &[table], None, planes)
}

/// The next state by the first table where `sublattice` is not set, by the second where it is;
/// none where their state values differ.
pub(super) fn next_by_sublattice(
    circuit: &mut Circuit,
    tables: [&CountTable; 2],
    sublattice: CircuitWire,
    planes: usize,
) -> Option<BitSlicedNumber> {
    if tables[0].values != tables[1].values {
        return None;
    }
    synthesise(circuit, &tables, Some(sublattice), planes)
}

fn synthesise(
    circuit: &mut Circuit,
    tables: &[&CountTable],
    sublattice: Option<CircuitWire>,
    planes: usize,
) -> Option<BitSlicedNumber> {
    let neighbourhoods = tables.iter().map(|table| &table.neighbourhood);
    let radius = neighbourhoods.clone().map(Neighbourhood::radius).max()? as i32;
    let cells: Vec<&[Weight]> = neighbourhoods.map(Neighbourhood::cells).collect();
    // Cells with the same weight in all tables are added up once.
    let shared = |cell: &Weight| cells.iter().all(|cells| cells.contains(cell));
    let rows_of = |cells: &[Weight], wanted: &dyn Fn(&Weight) -> bool| {
        let mut rows: Vec<RowWeights> = vec![Vec::new(); 2 * radius as usize + 1];
        for cell in cells.iter().filter(|cell| wanted(cell)) {
            rows[(cell.dy + radius) as usize].push((cell.dx, cell.weight));
        }
        rows
    };
    let mut rows = rows_of(cells[0], &shared);
    let own = equalise_rows(&mut rows, radius);
    let differing: Vec<Vec<RowWeights>> = cells
        .iter()
        .map(|cells| rows_of(cells, &|cell| !shared(cell)))
        .collect();
    let values = NonNegativeWeights {
        values: &tables[0].values,
        planes,
    };
    let weights = |rows: &[RowWeights]| -> Vec<i32> {
        let weights = rows.iter().flatten().map(|(_, weight)| *weight);
        weights.collect()
    };
    let common = weights(&rows);
    let bases: Vec<i64> = differing
        .iter()
        .map(|differing| values.least(&common) + values.least(&weights(differing)))
        .collect();
    let spans = differing
        .iter()
        .map(|differing| values.span(&weights(differing)));
    let greatest = values.span(&common) + spans.max().unwrap_or(0);
    let bits = (u64::BITS - greatest.leading_zeros()) as usize;
    let all = common
        .iter()
        .copied()
        .chain(differing.iter().flat_map(|a| weights(a)));
    let value_bits: usize = all.map(|weight| values.bits(weight)).sum();
    let sublattice_bits = usize::from(sublattice.is_some());
    if bits + planes + sublattice_bits > MAX_VARIABLES || value_bits > MAX_VALUE_BITS {
        return None;
    }
    let mut variables = state(circuit, planes);
    variables.extend(sublattice);
    let mut sums: Vec<(BitSlicedNumber, u64)> = Vec::new();
    for row in &rows {
        sums.push(values.row(circuit, row));
    }
    let mut others = Vec::new();
    if let (Some(sublattice), [low, high]) = (sublattice, &*differing) {
        let [low, high] = [low, high].map(|rows| sorted_rows(rows, radius));
        for at in 0..low.len().max(high.len()) {
            let mut number = |rows: &[(i32, RowWeights)]| -> BitSlicedNumber {
                rows.get(at).map_or(BitSlicedNumber::new(), |(dy, row)| {
                    let (number, _) = values.row(circuit, row);
                    number.iter().map(|wire| wire.below(*dy)).collect()
                })
            };
            let (low, high) = (number(&low), number(&high));
            let bit = |number: &BitSlicedNumber, bit: usize| {
                number.get(bit).copied().unwrap_or(CircuitWire::ZERO)
            };
            let chosen = (0..low.len().max(high.len()))
                .map(|k| circuit.choose(sublattice, bit(&high, k), bit(&low, k)));
            others.push(chosen.collect());
        }
    }
    variables.extend(add_rows(circuit, &sums, others, greatest));
    let entry = |index: usize| {
        let state = index & ((1 << planes) - 1);
        let at = index >> planes & sublattice_bits;
        let table = tables[at];
        match table.rows.get(state)? {
            TransitionRow::Constant(next) => Some(*next),
            TransitionRow::By(next) => {
                let sum = (index >> (planes + sublattice_bits)) as i64 + bases[at]
                    - values.value(own, state)
                    - table.least;
                next.get(usize::try_from(sum).ok()?).copied()
            }
        }
    };
    let entries: Vec<Option<State>> = (0..1 << variables.len()).map(entry).collect();
    Some(circuit.decide(&variables, &entries, planes, OrderingEffort::Much))
}

/// The values of weighted cells, relative to the least possible value, so that none is
/// negative.
struct NonNegativeWeights<'a> {
    /// By state.
    values: &'a [i32],
    planes: usize,
}

impl NonNegativeWeights<'_> {
    fn value(&self, weight: i32, state: usize) -> i64 {
        i64::from(weight) * i64::from(self.values[state])
    }

    /// The least and the greatest value with a weight.
    fn extremes(&self, weight: i32) -> (i64, i64) {
        let values = (0..self.values.len()).map(|state| self.value(weight, state));
        let (least, most) = (values.clone().min(), values.max());
        (least.unwrap_or(0), most.unwrap_or(0))
    }

    /// The least sum of cells with these weights.
    fn least(&self, weights: &[i32]) -> i64 {
        weights.iter().map(|&weight| self.extremes(weight).0).sum()
    }

    /// The greatest sum minus the least.
    fn span(&self, weights: &[i32]) -> u64 {
        let span = |&weight: &i32| {
            let (least, most) = self.extremes(weight);
            most.abs_diff(least)
        };
        weights.iter().map(span).sum()
    }

    fn bits(&self, weight: i32) -> usize {
        (u64::BITS - self.span(&[weight]).leading_zeros()) as usize
    }

    /// The sum of a row, and its greatest value.
    fn row(&self, circuit: &mut Circuit, row: &RowWeights) -> (BitSlicedNumber, u64) {
        let weights: Vec<i32> = row.iter().map(|(_, weight)| *weight).collect();
        let most = self.span(&weights);
        let numbers: Vec<BitSlicedNumber> = row
            .iter()
            .map(|&(dx, weight)| {
                let (least, _) = self.extremes(weight);
                let above = |s: usize| self.value(weight, s).abs_diff(least);
                let by_state: Vec<u64> = (0..self.values.len()).map(above).collect();
                cell_value(circuit, self.planes, dx, &by_state)
            })
            .collect();
        (circuit.sum(&numbers, most), most)
    }
}

/// The nonempty rows with their dy, sorted so that equal rows of two neighbourhoods get the
/// same position.
fn sorted_rows(rows: &[RowWeights], radius: i32) -> Vec<(i32, RowWeights)> {
    let mut rows: Vec<(i32, RowWeights)> = (-radius..).zip(rows.iter().cloned()).collect();
    rows.retain(|(_, row)| !row.is_empty());
    rows.sort_by(|a, b| a.1.cmp(&b.1));
    rows
}

/// Counts the cell itself with the weight of the cell above it where that makes its row
/// equal to the row above, and returns that weight: the row is then summed once for both,
/// and the table subtracts it again.
fn equalise_rows(rows: &mut [RowWeights], radius: i32) -> i32 {
    let here = radius as usize;
    let Some(above) = here.checked_sub(1) else {
        return 0;
    };
    let mut missing = rows[above].iter().filter(|cell| !rows[here].contains(cell));
    match (missing.next().copied(), missing.next()) {
        (Some((0, weight)), None) if rows[above].len() == rows[here].len() + 1 => {
            rows[here] = rows[above].clone();
            weight
        }
        _ => 0,
    }
}

/// The sum of all row sums, each with its greatest value, and of other numbers.
fn add_rows(
    circuit: &mut Circuit,
    rows: &[(BitSlicedNumber, u64)],
    others: Vec<BitSlicedNumber>,
    greatest: u64,
) -> BitSlicedNumber {
    let radius = (rows.len() / 2) as i32;
    let shifted =
        |number: &BitSlicedNumber, rows: i32| number.iter().map(|w| w.below(rows)).collect();
    let all: Vec<BitSlicedNumber> = (-radius..=radius)
        .zip(rows)
        .map(|(dy, (number, _))| shifted(number, dy))
        .chain(others.iter().cloned())
        .collect();
    let mut direct = circuit.clone();
    let sum = direct.sum(&all, greatest);
    // Where all rows are equal, the sum of two serves the next four, and so on.
    let (row, most) = &rows[0];
    if rows.iter().all(|other| other.0 == *row) {
        let mut doubled = circuit.clone();
        let mut parts: Vec<BitSlicedNumber> = Vec::new();
        let (mut window, mut size, mut top) = (row.clone(), 1, -radius);
        loop {
            if rows.len() & size != 0 {
                parts.push(shifted(&window, top));
                top += size as i32;
            }
            if 2 * size > rows.len() {
                break;
            }
            let pair = [window.clone(), shifted(&window, size as i32)];
            size *= 2;
            window = doubled.sum(&pair, most * size as u64);
        }
        parts.extend(others);
        let other = doubled.sum(&parts, greatest);
        if doubled.cost(&other) < direct.cost(&sum) {
            *circuit = doubled;
            return other;
        }
    }
    *circuit = direct;
    sum
}
