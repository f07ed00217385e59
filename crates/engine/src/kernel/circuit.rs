//! Boolean circuits over planes of cells, built gate by gate from a rule's tables.
//!
//! A gate is known by what it does and not by where: the same logic a row further down is
//! the same gate, seen through a [`CircuitWire`] with another `dy`. So what the rows of a
//! neighbourhood have in common is computed once a row, however many rows look at it.
//! Equal gates are merged and constants folded as they are made.

use crate::hasher::MixMap;

/// The value of a gate, `dy` rows below the cell that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct CircuitWire {
    pub(super) gate: u32,
    pub(super) dy: i32,
}

impl CircuitWire {
    /// Never set.
    pub(super) const ZERO: Self = Self { gate: 0, dy: 0 };
    /// Always set.
    pub(super) const ONES: Self = Self { gate: 1, dy: 0 };

    fn constant(self) -> bool {
        self.gate <= Self::ONES.gate
    }

    /// The same, further down.
    pub(super) fn below(self, rows: i32) -> Self {
        if self.constant() {
            self
        } else {
            Self {
                dy: self.dy + rows,
                ..self
            }
        }
    }
}

/// What a place is even or odd in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ParityAxis {
    /// Columns.
    X,
    /// Rows.
    Y,
}

/// What a gate does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Gate {
    /// Always the same.
    Constant(bool),
    /// A cell's bit in a plane, `dx` columns to the right.
    Cell {
        plane: u8,
        dx: i32,
    },
    /// Whether the cell's column or row is odd.
    Place(ParityAxis),
    Not(CircuitWire),
    And(CircuitWire, CircuitWire),
    /// The first without the second.
    Without(CircuitWire, CircuitWire),
    Or(CircuitWire, CircuitWire),
    Xor(CircuitWire, CircuitWire),
    /// Whether an odd number of the three is set.
    Odd([CircuitWire; 3]),
    /// Whether two or three of the three are set.
    Most([CircuitWire; 3]),
    /// Where the first is set, the second, elsewhere the third.
    Choose([CircuitWire; 3]),
}

impl Gate {
    /// What it looks at.
    pub(super) fn inputs(&self) -> Vec<CircuitWire> {
        match *self {
            Self::Constant(_) | Self::Cell { .. } | Self::Place(_) => Vec::new(),
            Self::Not(a) => vec![a],
            Self::And(a, b) | Self::Without(a, b) | Self::Or(a, b) | Self::Xor(a, b) => {
                vec![a, b]
            }
            Self::Odd(abc) | Self::Most(abc) | Self::Choose(abc) => abc.to_vec(),
        }
    }

    fn moved(self, rows: i32) -> Self {
        let pair = |a: CircuitWire, b: CircuitWire| (a.below(rows), b.below(rows));
        match self {
            Self::Constant(_) | Self::Cell { .. } | Self::Place(_) => self,
            Self::Not(a) => Self::Not(a.below(rows)),
            Self::And(a, b) => {
                let (a, b) = pair(a, b);
                Self::And(a, b)
            }
            Self::Without(a, b) => {
                let (a, b) = pair(a, b);
                Self::Without(a, b)
            }
            Self::Or(a, b) => {
                let (a, b) = pair(a, b);
                Self::Or(a, b)
            }
            Self::Xor(a, b) => {
                let (a, b) = pair(a, b);
                Self::Xor(a, b)
            }
            Self::Odd(abc) => Self::Odd(abc.map(|w| w.below(rows))),
            Self::Most(abc) => Self::Most(abc.map(|w| w.below(rows))),
            Self::Choose(abc) => Self::Choose(abc.map(|w| w.below(rows))),
        }
    }
}

/// Gates, each after all that it looks at.
#[derive(Clone, Debug)]
pub(super) struct Circuit {
    gates: Vec<Gate>,
    known: MixMap<Gate, u32>,
    /// In which orders the outputs of a table are decided, where that was found out.
    pub(super) plans: MixMap<Vec<Option<u8>>, Vec<Vec<usize>>>,
}

/// A number at each cell, least bit first.
pub(super) type BitSlicedNumber = Vec<CircuitWire>;

impl Circuit {
    pub(super) fn new() -> Self {
        let constants = [Gate::Constant(false), Gate::Constant(true)];
        Self {
            gates: constants.to_vec(),
            known: MixMap::default(),
            plans: MixMap::default(),
        }
    }

    pub(super) fn gates(&self) -> &[Gate] {
        &self.gates
    }

    fn gate(&mut self, gate: Gate) -> CircuitWire {
        let dy = gate.inputs().iter().map(|w| w.dy).min().unwrap_or(0);
        let gate = gate.moved(-dy);
        let gates = &mut self.gates;
        let index = *self.known.entry(gate).or_insert_with(|| {
            gates.push(gate);
            gates.len() as u32 - 1
        });
        CircuitWire { gate: index, dy }
    }

    /// A cell's bit in a plane.
    pub(super) fn cell(&mut self, plane: u8, dx: i32, dy: i32) -> CircuitWire {
        self.gate(Gate::Cell { plane, dx }).below(dy)
    }

    /// Whether the cell's column or row is odd.
    pub(super) fn place(&mut self, axis: ParityAxis) -> CircuitWire {
        self.gate(Gate::Place(axis))
    }

    pub(super) fn not(&mut self, a: CircuitWire) -> CircuitWire {
        match (a, self.gates[a.gate as usize]) {
            (CircuitWire::ZERO, _) => CircuitWire::ONES,
            (CircuitWire::ONES, _) => CircuitWire::ZERO,
            (_, Gate::Not(inner)) => inner.below(a.dy),
            _ => self.gate(Gate::Not(a)),
        }
    }

    pub(super) fn and(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a.min(b), a.max(b)) {
            (CircuitWire::ZERO, _) => CircuitWire::ZERO,
            (CircuitWire::ONES, b) => b,
            (a, b) if a == b => a,
            (a, b) => self.gate(Gate::And(a, b)),
        }
    }

    pub(super) fn or(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a.min(b), a.max(b)) {
            (CircuitWire::ZERO, b) => b,
            (CircuitWire::ONES, _) => CircuitWire::ONES,
            (a, b) if a == b => a,
            (a, b) => self.gate(Gate::Or(a, b)),
        }
    }

    pub(super) fn xor(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a.min(b), a.max(b)) {
            (CircuitWire::ZERO, b) => b,
            (CircuitWire::ONES, b) => self.not(b),
            (a, b) if a == b => CircuitWire::ZERO,
            (a, b) => self.gate(Gate::Xor(a, b)),
        }
    }

    /// `a` and not `b`.
    fn without(&mut self, a: CircuitWire, b: CircuitWire) -> CircuitWire {
        match (a, b) {
            (CircuitWire::ZERO, _) | (_, CircuitWire::ONES) => CircuitWire::ZERO,
            (_, CircuitWire::ZERO) => a,
            (CircuitWire::ONES, _) => self.not(b),
            _ if a == b => CircuitWire::ZERO,
            _ => self.gate(Gate::Without(a, b)),
        }
    }

    /// Where `a` is set `high`, elsewhere `low`.
    pub(super) fn choose(
        &mut self,
        a: CircuitWire,
        high: CircuitWire,
        low: CircuitWire,
    ) -> CircuitWire {
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
            return self.without(low, a);
        }
        if low == CircuitWire::ONES {
            let not = self.without(a, high);
            return self.not(not);
        }
        if self.not_known(low) == Some(high) || self.not_known(high) == Some(low) {
            return self.xor(a, low);
        }
        self.gate(Gate::Choose([a, high, low]))
    }

    /// The opposite, if there is a gate for it.
    fn not_known(&self, a: CircuitWire) -> Option<CircuitWire> {
        if let Gate::Not(inner) = self.gates[a.gate as usize] {
            return Some(inner.below(a.dy));
        }
        let gate = Gate::Not(CircuitWire { dy: 0, ..a });
        let index = *self.known.get(&gate)?;
        Some(CircuitWire {
            gate: index,
            dy: a.dy,
        })
    }

    /// The sum of three bits: ones, then twos.
    fn add3(&mut self, mut abc: [CircuitWire; 3]) -> [CircuitWire; 2] {
        abc.sort();
        let [a, b, c] = abc;
        match a {
            CircuitWire::ZERO => [self.xor(b, c), self.and(b, c)],
            CircuitWire::ONES => {
                let odd = self.xor(b, c);
                [self.not(odd), self.or(b, c)]
            }
            _ => [self.gate(Gate::Odd(abc)), self.gate(Gate::Most(abc))],
        }
    }

    /// The sum of numbers that is never more than `most`.
    pub(super) fn sum(&mut self, numbers: &[BitSlicedNumber], most: u64) -> BitSlicedNumber {
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
            // Taken at the front and put back at the end: sums of sums stay level.
            while let Some(a) = columns[place].pop_front() {
                let Some(b) = columns[place].pop_front() else {
                    columns[place].push_back(a);
                    break;
                };
                let c = columns[place].pop_front().unwrap_or(CircuitWire::ZERO);
                let [ones, twos] = self.add3([a, b, c]);
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

    /// Forgets the gates from `start` on: nothing may look at them any more.
    pub(super) fn rewind(&mut self, start: usize) {
        for gate in self.gates.drain(start..) {
            self.known.remove(&gate);
        }
    }

    /// How many tables of three inputs do what the circuit does, about: a gate that only
    /// one other looks at is part of that one where both together see no more than three.
    /// Loads are counted with them.
    pub(super) fn tables(&self, outputs: &[CircuitWire]) -> usize {
        let wanted = self.wanted(outputs);
        let mut readers = vec![0; self.gates.len()];
        for wire in outputs {
            readers[wire.gate as usize] += 2;
        }
        for (gate, _) in self
            .gates
            .iter()
            .zip(&wanted)
            .filter(|(_, wanted)| **wanted)
        {
            for wire in gate.inputs() {
                readers[wire.gate as usize] += 1;
            }
        }
        // What each gate sees when it has taken in what it can.
        let mut seen: Vec<Vec<CircuitWire>> = vec![Vec::new(); self.gates.len()];
        let mut count = 0;
        for (index, gate) in self.gates.iter().enumerate() {
            if !wanted[index] || matches!(gate, Gate::Constant(_)) {
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

    /// How many steps the circuit takes to give these outputs: each gate one, but the two
    /// halves of an adder one together.
    pub(super) fn cost(&self, outputs: &[CircuitWire]) -> usize {
        let wanted = self.wanted(outputs);
        let gates = self.gates.iter().enumerate();
        gates
            .filter(|&(i, gate)| match gate {
                _ if !wanted[i] => false,
                Gate::Constant(_) => false,
                Gate::Most(abc) => self
                    .known
                    .get(&Gate::Odd(*abc))
                    .is_none_or(|&odd| !wanted[odd as usize]),
                _ => true,
            })
            .count()
    }

    /// Which gates the outputs depend on.
    pub(super) fn wanted(&self, outputs: &[CircuitWire]) -> Vec<bool> {
        let mut wanted = vec![false; self.gates.len()];
        for wire in outputs {
            wanted[wire.gate as usize] = true;
        }
        for index in (0..self.gates.len()).rev() {
            if wanted[index] {
                for wire in self.gates[index].inputs() {
                    wanted[wire.gate as usize] = true;
                }
            }
        }
        wanted
    }
}
