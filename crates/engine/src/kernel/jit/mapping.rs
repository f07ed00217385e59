//! Fewer tables: gates joined as long as no more than three inputs go in.
//!
//! The usual way to map logic to lookup tables: for each node some of its *cuts* (sets of
//! at most three earlier values from which it can be told) are kept, the cheapest is
//! chosen, first by an estimate in which a table that many look at is cheap, then by
//! counting what tables would go and come (Mishchenko, Chatterjee and Brayton,
//! "Improvements to technology mapping for LUT-based FPGAs", 2007).

use super::netlist::{Builder, INPUT, Netlist, NetlistNode};
use crate::kernel::circuit::CircuitWire;

/// Cuts kept of each node, and in netlists that would else take long.
const KEPT: usize = 8;
const KEPT_OF_MANY: usize = 4;

/// Nodes beyond which there are many: all ways to join the cuts of three inputs are tried
/// at each, in a few microseconds with five cuts and in some tens with nine.
const MANY: usize = 400;

/// How often the choice is gone through again.
const ROUNDS: usize = 4;

/// Values from which another can be told, and how.
#[derive(Clone, Copy, Debug)]
struct Cut {
    leaves: [CircuitWire; 3],
    count: usize,
    bits: u8,
}

impl Cut {
    /// A value from itself.
    fn same(wire: CircuitWire) -> Self {
        Self {
            leaves: [wire, CircuitWire::ZERO, CircuitWire::ZERO],
            count: 1,
            bits: INPUT[0],
        }
    }

    fn constant(set: bool) -> Self {
        Self {
            leaves: [CircuitWire::ZERO; 3],
            count: 0,
            bits: if set { 0xff } else { 0 },
        }
    }

    fn leaves(&self) -> &[CircuitWire] {
        &self.leaves[..self.count]
    }

    fn below(mut self, dy: i32) -> Self {
        for leaf in &mut self.leaves[..self.count] {
            *leaf = leaf.below(dy);
        }
        self
    }

    /// A table of values that are told by cuts.
    fn joined(bits: u8, inputs: &[Self]) -> Option<Self> {
        let mut joined = Self::constant(false);
        for input in inputs {
            for &leaf in input.leaves() {
                if !joined.leaves().contains(&leaf) {
                    *joined.leaves.get_mut(joined.count)? = leaf;
                    joined.count += 1;
                }
            }
        }
        let mut masks = [0; 3];
        for (mask, input) in masks.iter_mut().zip(inputs) {
            let mut seen = [0; 3];
            for (seen, leaf) in seen.iter_mut().zip(input.leaves()) {
                let at = joined.leaves().iter().position(|other| other == leaf);
                *seen = INPUT[at.expect("it was put there")];
            }
            *mask = looked_up(input.bits, seen);
        }
        joined.bits = looked_up(bits, masks);
        Some(joined.without_idle())
    }

    /// Without leaves that change nothing.
    fn without_idle(mut self) -> Self {
        for k in (0..self.count).rev() {
            let shift = 1 << k;
            if (self.bits >> shift ^ self.bits) & !INPUT[k] == 0 {
                // The last leaf takes the free place.
                let last = self.count - 1;
                self.leaves[k] = self.leaves[last];
                self.leaves[last] = CircuitWire::ZERO;
                let mut inputs = INPUT;
                inputs[last] = INPUT[k];
                inputs[k] = 0;
                self.bits = looked_up(self.bits, inputs);
                self.count = last;
            }
        }
        self
    }
}

/// What a table gives for inputs that are tables themselves.
fn looked_up(bits: u8, inputs: [u8; 3]) -> u8 {
    let mut result = 0;
    for at in 0..8 {
        let index = inputs
            .iter()
            .enumerate()
            .map(|(k, input)| (input >> at & 1) << k);
        result |= (bits >> index.sum::<u8>() & 1) << at;
    }
    result
}

struct TechnologyMapping<'a> {
    netlist: &'a Netlist,
    cuts: Vec<Vec<Cut>>,
    /// The chosen one of each node.
    chosen: Vec<usize>,
    /// How many chosen tables, and outputs, look at each node.
    readers: Vec<u32>,
}

/// The same with fewer tables.
pub(super) fn mapped(netlist: &Netlist) -> Netlist {
    let mut mapping = TechnologyMapping {
        netlist,
        cuts: Vec::new(),
        chosen: vec![0; netlist.nodes.len()],
        readers: vec![0; netlist.nodes.len()],
    };
    mapping.enumerate();
    for wire in &netlist.outputs {
        mapping.take(wire.gate as usize);
    }
    for _ in 0..ROUNDS {
        mapping.improve();
    }
    mapping.netlist()
}

impl TechnologyMapping<'_> {
    /// Finds cuts, and chooses by an estimate.
    fn enumerate(&mut self) {
        let nodes = &self.netlist.nodes;
        let mut fanout = vec![0_u32; nodes.len()];
        for node in 0..nodes.len() {
            for wire in self.netlist.inputs(node) {
                fanout[wire.gate as usize] += 1;
            }
        }
        for wire in &self.netlist.outputs {
            fanout[wire.gate as usize] += 1;
        }
        let mut flow = vec![0.0_f32; nodes.len()];
        let kept = if nodes.len() > MANY {
            KEPT_OF_MANY
        } else {
            KEPT
        };
        for (node, kind) in nodes.iter().enumerate() {
            let wire = CircuitWire {
                gate: node as u32,
                dy: 0,
            };
            let mut found: Vec<(f32, Cut)> = Vec::new();
            match kind {
                NetlistNode::Constant(set) => found.push((0.0, Cut::constant(*set))),
                NetlistNode::Cell { .. } | NetlistNode::Place(_) => {
                    found.push((0.0, Cut::same(wire)))
                }
                NetlistNode::Table(table) => {
                    let mut partial = vec![Vec::new()];
                    for input in table.inputs() {
                        let mut more = Vec::new();
                        let own = Cut::same(*input);
                        let cuts = &self.cuts[input.gate as usize];
                        let given = nodes[input.gate as usize].given();
                        let cuts = cuts.iter().map(|cut| cut.below(input.dy));
                        let all = cuts.chain((!given).then_some(own));
                        for cut in all {
                            for before in &partial {
                                let mut before: Vec<Cut> = before.clone();
                                before.push(cut);
                                if distinct(&before) <= 3 {
                                    more.push(before);
                                }
                            }
                        }
                        partial = more;
                    }
                    for cuts in partial {
                        let Some(cut) = Cut::joined(table.bits, &cuts) else {
                            continue;
                        };
                        if found.iter().any(|(_, other)| covers(other, &cut)) {
                            continue;
                        }
                        let leaves = cut.leaves().iter().map(|leaf| flow[leaf.gate as usize]);
                        let flow = leaves.sum::<f32>() + 0.01 * cut.count as f32;
                        found.push((flow, cut));
                    }
                    found.sort_by(|a, b| a.0.total_cmp(&b.0));
                    found.truncate(kept);
                    flow[node] = (1.0 + found[0].0) / fanout[node].max(1) as f32;
                }
            }
            self.cuts
                .push(found.into_iter().map(|(_, cut)| cut).collect());
        }
    }

    /// One more reader of a node: how many tables that brings.
    fn take(&mut self, node: usize) -> u32 {
        self.readers[node] += 1;
        if self.readers[node] > 1 || self.netlist.nodes[node].given() {
            return 0;
        }
        let cut = self.cuts[node][self.chosen[node]];
        let leaves = cut.leaves().iter();
        1 + leaves
            .map(|leaf| self.take(leaf.gate as usize))
            .sum::<u32>()
    }

    /// One reader less.
    fn leave(&mut self, node: usize) -> u32 {
        self.readers[node] -= 1;
        if self.readers[node] > 0 || self.netlist.nodes[node].given() {
            return 0;
        }
        let cut = self.cuts[node][self.chosen[node]];
        let leaves = cut.leaves().iter();
        1 + leaves
            .map(|leaf| self.leave(leaf.gate as usize))
            .sum::<u32>()
    }

    /// Chooses again, one node after another, by what each choice really costs.
    fn improve(&mut self) {
        for node in 0..self.netlist.nodes.len() {
            if self.readers[node] == 0 || self.netlist.nodes[node].given() {
                continue;
            }
            let leaves = |mapping: &Self, cut: usize| mapping.cuts[node][cut];
            let old = leaves(self, self.chosen[node]);
            for leaf in old.leaves() {
                self.leave(leaf.gate as usize);
            }
            let mut best = (u32::MAX, usize::MAX, 0);
            for choice in 0..self.cuts[node].len() {
                let cut = leaves(self, choice);
                let mut cost = 0;
                for leaf in cut.leaves() {
                    cost += self.take(leaf.gate as usize);
                }
                for leaf in cut.leaves() {
                    self.leave(leaf.gate as usize);
                }
                best = best.min((cost, cut.count, choice));
            }
            self.chosen[node] = best.2;
            let cut = leaves(self, best.2);
            for leaf in cut.leaves() {
                self.take(leaf.gate as usize);
            }
        }
    }

    fn netlist(&self) -> Netlist {
        let mut builder = Builder::default();
        let mut wires = vec![CircuitWire::ZERO; self.netlist.nodes.len()];
        for (node, kind) in self.netlist.nodes.iter().enumerate() {
            wires[node] = match kind {
                NetlistNode::Table(_) if self.readers[node] > 0 => {
                    let cut = self.cuts[node][self.chosen[node]];
                    let leaves = cut.leaves().iter();
                    let leaves = leaves.map(|leaf| wires[leaf.gate as usize].below(leaf.dy));
                    let leaves: Vec<CircuitWire> = leaves.collect();
                    match (cut.bits, leaves.as_slice()) {
                        (0, _) => CircuitWire::ZERO,
                        (0xff, _) => CircuitWire::ONES,
                        (0xaa, &[leaf]) => leaf,
                        _ => builder.table(cut.bits, &leaves),
                    }
                }
                NetlistNode::Table(_) => CircuitWire::ZERO,
                given => builder.node(*given),
            };
        }
        let outputs = self.netlist.outputs.iter();
        let outputs: Vec<CircuitWire> = outputs
            .map(|wire| wires[wire.gate as usize].below(wire.dy))
            .collect();
        builder.finish(&outputs)
    }
}

/// How many different leaves there are in all.
fn distinct(cuts: &[Cut]) -> usize {
    let mut seen: Vec<CircuitWire> = Vec::with_capacity(9);
    for leaf in cuts.iter().flat_map(Cut::leaves) {
        if !seen.contains(leaf) {
            seen.push(*leaf);
        }
    }
    seen.len()
}

/// Whether the second has all leaves of the first.
fn covers(cut: &Cut, other: &Cut) -> bool {
    cut.leaves()
        .iter()
        .all(|leaf| other.leaves().contains(leaf))
}
