//! Boolean circuits over bit planes of cells, built gate by gate from a rule's tables.
//!
//! A gate is identified by its function, not its position: the same logic a row further down
//! is the same gate, read through a [`CircuitWire`] with another `dy`. So what the rows of a
//! neighbourhood have in common is computed once per row, however many rows read it.
//! Equal gates are merged (structural hashing) and constants folded as gates are made, as in the
//! graphs of A. Kuehlmann, V. Paruthi, F. Krohm and M. K. Ganai, "Robust Boolean reasoning for
//! equivalence checking and functional property verification" (2002); that a gate is the same one
//! in every row is our own method. Sums are trees of carry-save adders (C. S. Wallace, "A suggestion
//! for a fast multiplier", 1964).

use crate::hasher::MixMap;

/// The output of a gate, `dy` rows below the cell that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CircuitWire {
    /// The gate's index in [`Circuit::gates`].
    pub gate: u32,
    /// Rows below the reader.
    pub dy: i32,
}

impl CircuitWire {
    /// Never set.
    pub const ZERO: Self = Self { gate: 0, dy: 0 };
    /// Always set.
    pub const ONES: Self = Self { gate: 1, dy: 0 };

    fn is_constant(self) -> bool {
        self.gate <= Self::ONES.gate
    }

    /// The same wire, `rows` rows further down.
    ///
    /// ```
    /// use kernel::circuit::Circuit;
    ///
    /// let mut circuit = Circuit::new();
    /// let (here, south) = (circuit.cell(0, 0, 0), circuit.cell(0, 0, 1));
    /// assert_eq!(here.below(1), south, "the same gate, a row further down");
    /// ```
    pub fn below(self, rows: i32) -> Self {
        if self.is_constant() {
            self
        } else {
            Self {
                dy: self.dy + rows,
                ..self
            }
        }
    }
}

/// The coordinate of a cell whose parity matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParityAxis {
    /// Columns.
    X,
    /// Rows.
    Y,
}

/// A gate and its inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gate {
    /// A constant.
    Constant(bool),
    /// A bit plane of the cell `dx` columns to the right.
    Cell {
        /// The bit plane.
        plane: u8,
        /// Columns to the right.
        dx: i32,
    },
    /// Whether the cell's column or row is odd.
    Parity(ParityAxis),
    /// `!a`
    Not(CircuitWire),
    /// `a & b`
    And(CircuitWire, CircuitWire),
    /// `a & !b`
    AndNot(CircuitWire, CircuitWire),
    /// `a | b`
    Or(CircuitWire, CircuitWire),
    /// `a ^ b`
    Xor(CircuitWire, CircuitWire),
    /// The sum bit of a full adder: an odd number of the three is set.
    Xor3([CircuitWire; 3]),
    /// The carry bit of a full adder: two or three of the three are set.
    Majority([CircuitWire; 3]),
    /// A multiplexer: the second where the first is set, else the third.
    Choose([CircuitWire; 3]),
}

impl Gate {
    /// The input wires.
    ///
    /// ```
    /// use kernel::circuit::{CircuitWire, Gate};
    ///
    /// assert_eq!(Gate::Not(CircuitWire::ONES).inputs(), [CircuitWire::ONES]);
    /// assert!(Gate::Cell { plane: 0, dx: 1 }.inputs().is_empty());
    /// ```
    pub fn inputs(&self) -> Vec<CircuitWire> {
        match *self {
            Self::Constant(_) | Self::Cell { .. } | Self::Parity(_) => Vec::new(),
            Self::Not(a) => vec![a],
            Self::And(a, b) | Self::AndNot(a, b) | Self::Or(a, b) | Self::Xor(a, b) => {
                vec![a, b]
            }
            Self::Xor3(abc) | Self::Majority(abc) | Self::Choose(abc) => abc.to_vec(),
        }
    }

    fn shifted(self, rows: i32) -> Self {
        let pair = |a: CircuitWire, b: CircuitWire| (a.below(rows), b.below(rows));
        match self {
            Self::Constant(_) | Self::Cell { .. } | Self::Parity(_) => self,
            Self::Not(a) => Self::Not(a.below(rows)),
            Self::And(a, b) => {
                let (a, b) = pair(a, b);
                Self::And(a, b)
            }
            Self::AndNot(a, b) => {
                let (a, b) = pair(a, b);
                Self::AndNot(a, b)
            }
            Self::Or(a, b) => {
                let (a, b) = pair(a, b);
                Self::Or(a, b)
            }
            Self::Xor(a, b) => {
                let (a, b) = pair(a, b);
                Self::Xor(a, b)
            }
            Self::Xor3(abc) => Self::Xor3(abc.map(|w| w.below(rows))),
            Self::Majority(abc) => Self::Majority(abc.map(|w| w.below(rows))),
            Self::Choose(abc) => Self::Choose(abc.map(|w| w.below(rows))),
        }
    }
}

/// Gates in topological order.
#[derive(Clone, Debug)]
pub struct Circuit {
    gates: Vec<Gate>,
    index: MixMap<Gate, u32>,
    /// The best variable orders found for each table that was decided.
    pub(crate) plans: MixMap<Vec<Option<u8>>, Vec<Vec<usize>>>,
}

/// A bit-sliced number at each cell, least significant bit first.
pub type BitSlicedNumber = Vec<CircuitWire>;

impl Default for Circuit {
    fn default() -> Self {
        Self::new()
    }
}

impl Circuit {
    /// A circuit of the two constants.
    ///
    /// ```
    /// use kernel::circuit::{Circuit, CircuitWire, Gate};
    ///
    /// let circuit = Circuit::new();
    /// assert_eq!(circuit.gates()[CircuitWire::ONES.gate as usize], Gate::Constant(true));
    /// ```
    pub fn new() -> Self {
        let constants = [Gate::Constant(false), Gate::Constant(true)];
        Self {
            gates: constants.to_vec(),
            index: MixMap::default(),
            plans: MixMap::default(),
        }
    }

    /// The gates, each after its inputs; the first two are the constants.
    pub fn gates(&self) -> &[Gate] {
        &self.gates
    }

    /// The same circuit over lines in place of so many planes: the cells of each plane, then those
    /// that have their western neighbours in their place, and those that have their eastern ones;
    /// and two lines more, if the parity of cells matters, of their columns and of their rows.
    pub(crate) fn over_lines(&self, planes: u8) -> Self {
        let mut circuit = self.clone();
        for gate in &mut circuit.gates {
            let line = match *gate {
                Gate::Cell { plane, dx } => {
                    debug_assert!(plane < planes && dx.abs() <= 1, "a plane, and radius 1");
                    match dx {
                        0 => plane,
                        -1 => planes + plane,
                        _ => 2 * planes + plane,
                    }
                }
                Gate::Parity(ParityAxis::X) => 3 * planes,
                Gate::Parity(ParityAxis::Y) => 3 * planes + 1,
                _ => continue,
            };
            *gate = Gate::Cell { plane: line, dx: 0 };
        }
        let index = circuit.gates.iter().zip(0..);
        circuit.index = index.map(|(&gate, index)| (gate, index)).collect();
        circuit
    }

    fn gate(&mut self, gate: Gate) -> CircuitWire {
        let dy = gate.inputs().iter().map(|w| w.dy).min().unwrap_or(0);
        let gate = gate.shifted(-dy);
        let gates = &mut self.gates;
        let index = *self.index.entry(gate).or_insert_with(|| {
            gates.push(gate);
            gates.len() as u32 - 1
        });
        CircuitWire { gate: index, dy }
    }

    /// A cell's bit in a plane.
    pub fn cell(&mut self, plane: u8, dx: i32, dy: i32) -> CircuitWire {
        self.gate(Gate::Cell { plane, dx }).below(dy)
    }

    /// Whether the cell's column or row is odd.
    pub fn parity(&mut self, axis: ParityAxis) -> CircuitWire {
        self.gate(Gate::Parity(axis))
    }

    /// `!a`
    ///
    /// ```
    /// use kernel::circuit::Circuit;
    ///
    /// let mut circuit = Circuit::new();
    /// let cell = circuit.cell(0, 0, 0);
    /// let not = circuit.not(cell);
    /// assert_eq!(circuit.not(not), cell);
    /// ```
    pub fn not(&mut self, a: CircuitWire) -> CircuitWire {
        match (a, self.gates[a.gate as usize]) {
            (CircuitWire::ZERO, _) => CircuitWire::ONES,
            (CircuitWire::ONES, _) => CircuitWire::ZERO,
            (_, Gate::Not(inner)) => inner.below(a.dy),
            _ => self.gate(Gate::Not(a)),
        }
    }

    /// `a & b`
    ///
    /// ```
    /// use kernel::circuit::{Circuit, CircuitWire};
    ///
    /// let mut circuit = Circuit::new();
    /// let (a, b) = (circuit.cell(0, -1, 0), circuit.cell(0, 1, 0));
    /// assert_eq!(circuit.and(a, b), circuit.and(b, a), "equal gates are one");
    /// assert_eq!(circuit.and(a, CircuitWire::ZERO), CircuitWire::ZERO);
    /// ```
    pub fn and(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a.min(b), a.max(b)) {
            (CircuitWire::ZERO, _) => CircuitWire::ZERO,
            (CircuitWire::ONES, b) => b,
            (a, b) if a == b => a,
            (a, b) => self.gate(Gate::And(a, b)),
        }
    }

    /// `a | b`
    ///
    /// ```
    /// use kernel::circuit::{Circuit, CircuitWire};
    ///
    /// let mut circuit = Circuit::new();
    /// let cell = circuit.cell(0, 0, 0);
    /// assert_eq!(circuit.or(cell, CircuitWire::ZERO), cell);
    /// assert_eq!(circuit.or(cell, CircuitWire::ONES), CircuitWire::ONES);
    /// ```
    pub fn or(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a.min(b), a.max(b)) {
            (CircuitWire::ZERO, b) => b,
            (CircuitWire::ONES, _) => CircuitWire::ONES,
            (a, b) if a == b => a,
            (a, b) => self.gate(Gate::Or(a, b)),
        }
    }

    /// `a ^ b`
    ///
    /// ```
    /// use kernel::circuit::{Circuit, CircuitWire};
    ///
    /// let mut circuit = Circuit::new();
    /// let cell = circuit.cell(0, 0, 0);
    /// assert_eq!(circuit.xor(cell, cell), CircuitWire::ZERO);
    /// assert_eq!(circuit.xor(cell, CircuitWire::ONES), circuit.not(cell));
    /// ```
    pub fn xor(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a.min(b), a.max(b)) {
            (CircuitWire::ZERO, b) => b,
            (CircuitWire::ONES, b) => self.not(b),
            (a, b) if a == b => CircuitWire::ZERO,
            (a, b) => self.gate(Gate::Xor(a, b)),
        }
    }

    /// `a` and not `b`.
    fn and_not(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a, b) {
            (CircuitWire::ZERO, _) | (_, CircuitWire::ONES) => CircuitWire::ZERO,
            (_, CircuitWire::ZERO) => a,
            (CircuitWire::ONES, _) => self.not(b),
            _ if a == b => CircuitWire::ZERO,
            _ => self.gate(Gate::AndNot(a, b)),
        }
    }

    /// `high` where `a` is set, elsewhere `low`.
    ///
    /// ```
    /// use kernel::circuit::{Circuit, CircuitWire};
    ///
    /// let mut circuit = Circuit::new();
    /// let (a, b) = (circuit.cell(0, -1, 0), circuit.cell(0, 1, 0));
    /// assert_eq!(circuit.choose(CircuitWire::ONES, a, b), a);
    /// assert_eq!(circuit.choose(a, b, CircuitWire::ZERO), circuit.and(a, b), "no multiplexer");
    /// ```
    pub fn choose(&mut self, a: CircuitWire, high: CircuitWire, low: CircuitWire) -> CircuitWire {
        match (a, high, low) {
            (CircuitWire::ZERO, _, _) => return low,
            (CircuitWire::ONES, _, _) => return high,
            _ if high == low => return low,
            _ => {}
        }
        if low == CircuitWire::ZERO || low == a {
            return self.and(a, high);
        }
        if high == CircuitWire::ONES || high == a {
            return self.or(a, low);
        }
        if high == CircuitWire::ZERO {
            return self.and_not(low, a);
        }
        if low == CircuitWire::ONES {
            let not = self.and_not(a, high);
            return self.not(not);
        }
        if self.existing_negation(low) == Some(high) || self.existing_negation(high) == Some(low) {
            return self.xor(a, low);
        }
        self.gate(Gate::Choose([a, high, low]))
    }

    /// The negation of a wire, if there is a gate for it.
    fn existing_negation(&self, a: CircuitWire) -> Option<CircuitWire> {
        if let Gate::Not(inner) = self.gates[a.gate as usize] {
            return Some(inner.below(a.dy));
        }
        let gate = Gate::Not(CircuitWire { dy: 0, ..a });
        let index = *self.index.get(&gate)?;
        Some(CircuitWire {
            gate: index,
            dy: a.dy,
        })
    }

    /// A full adder: the sum bit, then the carry.
    fn full_adder(&mut self, mut abc: [CircuitWire; 3]) -> [CircuitWire; 2] {
        abc.sort();
        let [a, b, c] = abc;
        match a {
            CircuitWire::ZERO => [self.xor(b, c), self.and(b, c)],
            CircuitWire::ONES => {
                let odd = self.xor(b, c);
                [self.not(odd), self.or(b, c)]
            }
            _ => [self.gate(Gate::Xor3(abc)), self.gate(Gate::Majority(abc))],
        }
    }

    /// The sum of numbers, which is at most `most`: a carry-save adder tree.
    ///
    /// ```
    /// use kernel::circuit::Circuit;
    ///
    /// let mut circuit = Circuit::new();
    /// let row = [-1, 0, 1].map(|dx| vec![circuit.cell(0, dx, 0)]);
    /// let sum = circuit.sum(&row, 3);
    /// assert_eq!(sum.len(), 2, "0 to 3 are two bits");
    /// assert_eq!(circuit.gates().len(), 2 + 3 + 2, "two constants, three cells, one full adder");
    /// ```
    pub fn sum(&mut self, numbers: &[BitSlicedNumber], most: u64) -> BitSlicedNumber {
        let bits = (u64::BITS - most.leading_zeros()) as usize;
        let mut columns = vec![std::collections::VecDeque::new(); bits + 1];
        for number in numbers {
            for (column, &wire) in columns.iter_mut().zip(number) {
                if wire != CircuitWire::ZERO {
                    column.push_back(wire);
                }
            }
        }
        for place in 0..bits {
            // Taken from the front and appended to the end, which keeps the tree balanced.
            while let Some(a) = columns[place].pop_front() {
                let Some(b) = columns[place].pop_front() else {
                    columns[place].push_back(a);
                    break;
                };
                let c = columns[place].pop_front().unwrap_or(CircuitWire::ZERO);
                let [ones, twos] = self.full_adder([a, b, c]);
                columns[place].push_back(ones);
                columns[place + 1].push_back(twos);
            }
        }
        let first = |column: &std::collections::VecDeque<CircuitWire>| column.front().copied();
        let numbers = columns[..bits].iter();
        numbers
            .map(|c| first(c).unwrap_or(CircuitWire::ZERO))
            .collect()
    }

    /// Removes the gates from `start` on, which nothing may read any more.
    pub(crate) fn rewind(&mut self, start: usize) {
        for gate in self.gates.drain(start..) {
            self.index.remove(&gate);
        }
    }

    /// Estimates how many three-input tables the circuit takes: a gate with a single reader is
    /// merged into that reader if both together have at most three inputs. Loads are counted too.
    pub(crate) fn table_count(&self, outputs: &[CircuitWire]) -> usize {
        let live = self.live_gates(outputs);
        let mut readers = vec![0; self.gates.len()];
        for wire in outputs {
            readers[wire.gate as usize] += 2;
        }
        for (gate, _) in self.gates.iter().zip(&live).filter(|(_, live)| **live) {
            for wire in gate.inputs() {
                readers[wire.gate as usize] += 1;
            }
        }
        // The inputs of each gate after merging.
        let mut seen: Vec<Vec<CircuitWire>> = vec![Vec::new(); self.gates.len()];
        let mut count = 0;
        for (index, gate) in self.gates.iter().enumerate() {
            if !live[index] || matches!(gate, Gate::Constant(_)) {
                continue;
            }
            count += 1;
            let mut inputs = gate.inputs();
            let mut at = 0;
            while let Some(&wire) = inputs.get(at) {
                let of = wire.gate as usize;
                let inverted = matches!(self.gates[of], Gate::Not(_));
                let mut joined = inputs.clone();
                joined.remove(at);
                for inner in &seen[of] {
                    let inner = inner.below(wire.dy);
                    if !joined.contains(&inner) {
                        joined.push(inner);
                    }
                }
                let free = !seen[of].is_empty() && (readers[of] == 1 || inverted);
                if free && joined.len() <= 3 {
                    inputs = joined;
                    readers[of] -= 1;
                    if readers[of] == 0 {
                        count -= 1;
                    }
                } else {
                    at += 1;
                }
            }
            seen[index] = inputs;
        }
        count
    }

    /// The number of interpreter steps for these outputs: one per gate, but one for both
    /// halves of an adder.
    pub(crate) fn cost(&self, outputs: &[CircuitWire]) -> usize {
        let live = self.live_gates(outputs);
        let gates = self.gates.iter().enumerate();
        gates
            .filter(|&(i, gate)| match gate {
                _ if !live[i] => false,
                Gate::Constant(_) => false,
                Gate::Majority(abc) => self
                    .index
                    .get(&Gate::Xor3(*abc))
                    .is_none_or(|&odd| !live[odd as usize]),
                _ => true,
            })
            .count()
    }

    /// The gates that the outputs depend on.
    ///
    /// ```
    /// use kernel::circuit::Circuit;
    ///
    /// let mut circuit = Circuit::new();
    /// let (used, unused) = (circuit.cell(0, 0, 0), circuit.cell(0, 1, 0));
    /// let live = circuit.live_gates(&[used]);
    /// assert!(live[used.gate as usize] && !live[unused.gate as usize]);
    /// ```
    pub fn live_gates(&self, outputs: &[CircuitWire]) -> Vec<bool> {
        let mut live = vec![false; self.gates.len()];
        for wire in outputs {
            live[wire.gate as usize] = true;
        }
        for index in (0..self.gates.len()).rev() {
            if live[index] {
                for wire in self.gates[index].inputs() {
                    live[wire.gate as usize] = true;
                }
            }
        }
        live
    }
}
