//! A circuit as a netlist of lookup tables with at most three inputs.

use kernel::circuit::{Circuit, CircuitWire, Gate, ParityAxis};
use kernel::hasher::MixMap;

/// A node of a netlist, with a value for every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NetlistNode {
    Constant(bool),
    Cell { plane: u8, dx: i8 },
    Parity(ParityAxis),
    Table(LutGate),
}

impl NetlistNode {
    /// Whether its value is in memory from the beginning.
    pub(super) fn is_leaf(&self) -> bool {
        !matches!(self, Self::Table(_))
    }
}

/// A lookup table of up to three inputs: bit `i0 + 2 * i1 + 4 * i2` of `bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct LutGate {
    pub(super) bits: u8,
    wires: [CircuitWire; 3],
    count: u8,
}

/// The tables that return their first, second and third input.
pub(super) const INPUT: [u8; 3] = [0xaa, 0xcc, 0xf0];

impl LutGate {
    /// `bits` must not depend on missing inputs.
    pub(super) fn new(bits: u8, inputs: &[CircuitWire]) -> Self {
        let mut wires = [CircuitWire::ZERO; 3];
        wires[..inputs.len()].copy_from_slice(inputs);
        Self {
            bits,
            wires,
            count: inputs.len() as u8,
        }
    }

    pub(super) fn inputs(&self) -> &[CircuitWire] {
        &self.wires[..self.count.into()]
    }
}

/// Nodes in topological order, and the outputs.
#[derive(Clone, Debug)]
pub(super) struct Netlist {
    pub(super) nodes: Vec<NetlistNode>,
    pub(super) outputs: Vec<CircuitWire>,
}

impl Netlist {
    pub(super) fn inputs(&self, node: usize) -> &[CircuitWire] {
        match &self.nodes[node] {
            NetlistNode::Table(table) => table.inputs(),
            _ => &[],
        }
    }

    /// The number of tables.
    pub(super) fn len(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_leaf()).count()
    }

    /// One table per gate.
    pub(super) fn of(circuit: &Circuit, outputs: &[CircuitWire]) -> Self {
        let mut builder = Builder::default();
        let mut wires = vec![CircuitWire::ZERO; circuit.gates().len()];
        let live = circuit.live_gates(outputs);
        for (g, gate) in circuit.gates().iter().enumerate() {
            if live[g] {
                wires[g] = match leaf_or_table(gate) {
                    Ok(node) => builder.node(node),
                    Err(bits) => builder.table(bits, &translate(&wires, &gate.inputs())),
                };
            }
        }
        builder.finish(&translate(&wires, outputs))
    }

    /// Only two-input gates that every vector instruction set has: and, and-not, or, xor.
    pub(super) fn two_input(circuit: &Circuit, outputs: &[CircuitWire]) -> Self {
        const AND: u8 = INPUT[0] & INPUT[1];
        const OR: u8 = INPUT[0] | INPUT[1];
        const XOR: u8 = INPUT[0] ^ INPUT[1];
        let mut builder = Builder::default();
        let mut wires = vec![CircuitWire::ZERO; circuit.gates().len()];
        let live = circuit.live_gates(outputs);
        for (g, gate) in circuit.gates().iter().enumerate() {
            if !live[g] {
                continue;
            }
            let inputs = translate(&wires, &gate.inputs());
            wires[g] = match (*gate, inputs.as_slice()) {
                (Gate::Not(_), &[a]) => {
                    let ones = builder.node(NetlistNode::Constant(true));
                    builder.table(XOR, &[a, ones])
                }
                (Gate::Xor3(_), &[a, b, c]) => {
                    let two = builder.table(XOR, &[a, b]);
                    builder.table(XOR, &[two, c])
                }
                (Gate::Majority(_), &[a, b, c]) => {
                    let one = builder.table(XOR, &[a, b]);
                    let one = builder.table(AND, &[one, c]);
                    let both = builder.table(AND, &[a, b]);
                    builder.table(OR, &[one, both])
                }
                (Gate::Choose(_), &[a, high, low]) => {
                    let differ = builder.table(XOR, &[high, low]);
                    let differ = builder.table(AND, &[a, differ]);
                    builder.table(XOR, &[differ, low])
                }
                _ => match leaf_or_table(gate) {
                    Ok(node) => builder.node(node),
                    Err(bits) => builder.table(bits, &inputs),
                },
            };
        }
        builder.finish(&translate(&wires, outputs))
    }
}

fn translate(wires: &[CircuitWire], inputs: &[CircuitWire]) -> Vec<CircuitWire> {
    let moved = inputs.iter().map(|w| wires[w.gate as usize].below(w.dy));
    moved.collect()
}

/// A leaf, or the bits of a gate's table.
fn leaf_or_table(gate: &Gate) -> Result<NetlistNode, u8> {
    const A: u8 = INPUT[0];
    const B: u8 = INPUT[1];
    const C: u8 = INPUT[2];
    match *gate {
        Gate::Constant(set) => Ok(NetlistNode::Constant(set)),
        Gate::Cell { plane, dx } => Ok(NetlistNode::Cell {
            plane,
            dx: dx as i8,
        }),
        Gate::Parity(axis) => Ok(NetlistNode::Parity(axis)),
        Gate::Not(_) => Err(!A),
        Gate::And(..) => Err(A & B),
        Gate::AndNot(..) => Err(A & !B),
        Gate::Or(..) => Err(A | B),
        Gate::Xor(..) => Err(A ^ B),
        Gate::Xor3(_) => Err(A ^ B ^ C),
        Gate::Majority(_) => Err(A & B | A & C | B & C),
        Gate::Choose(_) => Err(A & B | !A & C),
    }
}

/// Builds a netlist with structural hashing: equal nodes are merged.
pub(super) struct Builder {
    nodes: Vec<NetlistNode>,
    known: MixMap<NetlistNode, u32>,
}

impl Default for Builder {
    /// The constants have the numbers of [`CircuitWire::ZERO`] and [`CircuitWire::ONES`].
    fn default() -> Self {
        let mut builder = Self {
            nodes: Vec::new(),
            known: MixMap::default(),
        };
        builder.node(NetlistNode::Constant(false));
        builder.node(NetlistNode::Constant(true));
        builder
    }
}

impl Builder {
    pub(super) fn node(&mut self, node: NetlistNode) -> CircuitWire {
        let nodes = &mut self.nodes;
        let gate = *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            nodes.len() as u32 - 1
        });
        CircuitWire { gate, dy: 0 }
    }

    pub(super) fn table(&mut self, bits: u8, inputs: &[CircuitWire]) -> CircuitWire {
        let varying = inputs.iter().filter(|w| w.gate > CircuitWire::ONES.gate);
        let dy = varying.map(|w| w.dy).min().unwrap_or(0);
        let inputs: Vec<CircuitWire> = inputs.iter().map(|w| w.below(-dy)).collect();
        self.node(NetlistNode::Table(LutGate::new(bits, &inputs)))
            .below(dy)
    }

    /// Removes the nodes that the outputs do not depend on.
    pub(super) fn finish(self, outputs: &[CircuitWire]) -> Netlist {
        let mut live = vec![false; self.nodes.len()];
        for wire in outputs {
            live[wire.gate as usize] = true;
        }
        let mut all = Netlist {
            nodes: self.nodes,
            outputs: outputs.to_vec(),
        };
        for node in (0..all.nodes.len()).rev() {
            if live[node] {
                for wire in all.inputs(node) {
                    live[wire.gate as usize] = true;
                }
            }
        }
        // The constants keep their numbers.
        live[..2].fill(true);
        let mut renumbered = vec![0; all.nodes.len()];
        let mut kept = Vec::new();
        for (node, old) in all.nodes.iter_mut().enumerate() {
            if live[node] {
                if let NetlistNode::Table(table) = old {
                    for wire in &mut table.wires {
                        wire.gate = renumbered[wire.gate as usize];
                    }
                }
                renumbered[node] = kept.len() as u32;
                kept.push(*old);
            }
        }
        for wire in &mut all.outputs {
            wire.gate = renumbered[wire.gate as usize];
        }
        all.nodes = kept;
        all
    }
}
