//! Technology mapping: merges gates into as few tables of three inputs as possible.
//!
//! Cut-based mapping: for each node the best few *cuts* (sets of at most three earlier values
//! that determine it) are kept, and one is chosen, first by area flow, an estimate in which
//! tables with many readers are cheap, then by exact area, counting the tables that come and
//! go with a choice (Mishchenko, Chatterjee and Brayton, "Improvements to technology mapping
//! for LUT-based FPGAs", 2007).

use super::netlist::{Builder, INPUT, Netlist, NetlistNode};
use kernel::circuit::CircuitWire;

/// Cuts kept of each node, and in large netlists, which would take too long.
const MAX_CUTS: usize = 8;
const MAX_CUTS_LARGE: usize = 4;

/// Nodes beyond which a netlist is large: all ways to join the cuts of three inputs are tried
/// at each, in a few microseconds with five cuts and in some tens with nine.
const LARGE: usize = 400;

/// Passes of exact-area recovery.
const PASSES: usize = 4;

/// A cut: values that determine a node, and the table by which they do.
#[derive(Clone, Copy, Debug)]
struct Cut {
    leaves: [CircuitWire; 3],
    count: usize,
    bits: u8,
}

impl Cut {
    /// The trivial cut of a value.
    fn trivial(wire: CircuitWire) -> Self {
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

    /// The cut of a table whose inputs have these cuts; none with more than three leaves.
    fn join(bits: u8, inputs: &[Self]) -> Option<Self> {
        let mut joined = Self::constant(false);
        for input in inputs {
            for &leaf in input.leaves() {
                if !joined.leaves().contains(&leaf) {
                    *joined.leaves.get_mut(joined.count)? = leaf;
                    joined.count += 1;
                }
            }
        }
        let mut tables = [0; 3];
        for (mask, input) in tables.iter_mut().zip(inputs) {
            let mut seen = [0; 3];
            for (seen, leaf) in seen.iter_mut().zip(input.leaves()) {
                let at = joined.leaves().iter().position(|other| other == leaf);
                *seen = INPUT[at.expect("it was put there")];
            }
            *mask = compose(input.bits, seen);
        }
        joined.bits = compose(bits, tables);
        Some(joined.without_unused())
    }

    /// Removes leaves that the table does not depend on.
    fn without_unused(mut self) -> Self {
        for k in (0..self.count).rev() {
            let shift = 1 << k;
            if (self.bits >> shift ^ self.bits) & !INPUT[k] == 0 {
                // The last leaf moves to the free slot.
                let last = self.count - 1;
                self.leaves[k] = self.leaves[last];
                self.leaves[last] = CircuitWire::ZERO;
                let mut inputs = INPUT;
                inputs[last] = INPUT[k];
                inputs[k] = 0;
                self.bits = compose(self.bits, inputs);
                self.count = last;
            }
        }
        self
    }
}

/// Composes a table with tables of its inputs.
fn compose(bits: u8, inputs: [u8; 3]) -> u8 {
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
    /// The index of each node's chosen cut.
    chosen: Vec<usize>,
    /// The number of chosen tables, and outputs, that read each node.
    readers: Vec<u32>,
}

/// An equivalent netlist with fewer tables.
pub(super) fn map(netlist: &Netlist) -> Netlist {
    let mut mapping = TechnologyMapping {
        netlist,
        cuts: Vec::new(),
        chosen: vec![0; netlist.nodes.len()],
        readers: vec![0; netlist.nodes.len()],
    };
    mapping.enumerate();
    for wire in &netlist.outputs {
        mapping.reference(wire.gate as usize);
    }
    for _ in 0..PASSES {
        mapping.improve();
    }
    mapping.netlist()
}

impl TechnologyMapping<'_> {
    /// Enumerates cuts, and chooses by area flow.
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
        let max_cuts = if nodes.len() > LARGE {
            MAX_CUTS_LARGE
        } else {
            MAX_CUTS
        };
        for (node, kind) in nodes.iter().enumerate() {
            let wire = CircuitWire {
                gate: node as u32,
                dy: 0,
            };
            let mut found: Vec<(f32, Cut)> = Vec::new();
            match kind {
                NetlistNode::Constant(set) => found.push((0.0, Cut::constant(*set))),
                NetlistNode::Cell { .. } | NetlistNode::Parity(_) => {
                    found.push((0.0, Cut::trivial(wire)))
                }
                NetlistNode::Table(table) => {
                    let mut partial = vec![Vec::new()];
                    for input in table.inputs() {
                        let mut more = Vec::new();
                        let own = Cut::trivial(*input);
                        let cuts = &self.cuts[input.gate as usize];
                        let is_leaf = nodes[input.gate as usize].is_leaf();
                        let cuts = cuts.iter().map(|cut| cut.below(input.dy));
                        let all = cuts.chain((!is_leaf).then_some(own));
                        for cut in all {
                            for before in &partial {
                                let mut before: Vec<Cut> = before.clone();
                                before.push(cut);
                                if distinct_leaves(&before) <= 3 {
                                    more.push(before);
                                }
                            }
                        }
                        partial = more;
                    }
                    for cuts in partial {
                        let Some(cut) = Cut::join(table.bits, &cuts) else {
                            continue;
                        };
                        if found.iter().any(|(_, other)| dominates(other, &cut)) {
                            continue;
                        }
                        let leaves = cut.leaves().iter().map(|leaf| flow[leaf.gate as usize]);
                        let flow = leaves.sum::<f32>() + 0.01 * cut.count as f32;
                        found.push((flow, cut));
                    }
                    found.sort_by(|a, b| a.0.total_cmp(&b.0));
                    found.truncate(max_cuts);
                    flow[node] = (1.0 + found[0].0) / fanout[node].max(1) as f32;
                }
            }
            self.cuts
                .push(found.into_iter().map(|(_, cut)| cut).collect());
        }
    }

    /// Adds a reader of a node, and returns how many tables that adds.
    fn reference(&mut self, node: usize) -> u32 {
        self.readers[node] += 1;
        if self.readers[node] > 1 || self.netlist.nodes[node].is_leaf() {
            return 0;
        }
        let cut = self.cuts[node][self.chosen[node]];
        let leaves = cut.leaves().iter();
        1 + leaves
            .map(|leaf| self.reference(leaf.gate as usize))
            .sum::<u32>()
    }

    /// Removes a reader of a node, and returns how many tables that frees.
    fn dereference(&mut self, node: usize) -> u32 {
        self.readers[node] -= 1;
        if self.readers[node] > 0 || self.netlist.nodes[node].is_leaf() {
            return 0;
        }
        let cut = self.cuts[node][self.chosen[node]];
        let leaves = cut.leaves().iter();
        1 + leaves
            .map(|leaf| self.dereference(leaf.gate as usize))
            .sum::<u32>()
    }

    /// Chooses again by exact area, one node after another.
    fn improve(&mut self) {
        for node in 0..self.netlist.nodes.len() {
            if self.readers[node] == 0 || self.netlist.nodes[node].is_leaf() {
                continue;
            }
            let leaves = |mapping: &Self, cut: usize| mapping.cuts[node][cut];
            let old = leaves(self, self.chosen[node]);
            for leaf in old.leaves() {
                self.dereference(leaf.gate as usize);
            }
            let mut best = (u32::MAX, usize::MAX, 0);
            for choice in 0..self.cuts[node].len() {
                let cut = leaves(self, choice);
                let mut cost = 0;
                for leaf in cut.leaves() {
                    cost += self.reference(leaf.gate as usize);
                }
                for leaf in cut.leaves() {
                    self.dereference(leaf.gate as usize);
                }
                best = best.min((cost, cut.count, choice));
            }
            self.chosen[node] = best.2;
            let cut = leaves(self, best.2);
            for leaf in cut.leaves() {
                self.reference(leaf.gate as usize);
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
                is_leaf => builder.node(*is_leaf),
            };
        }
        let outputs = self.netlist.outputs.iter();
        let outputs: Vec<CircuitWire> = outputs
            .map(|wire| wires[wire.gate as usize].below(wire.dy))
            .collect();
        builder.finish(&outputs)
    }
}

/// The number of distinct leaves.
fn distinct_leaves(cuts: &[Cut]) -> usize {
    let mut seen: Vec<CircuitWire> = Vec::with_capacity(9);
    for leaf in cuts.iter().flat_map(Cut::leaves) {
        if !seen.contains(leaf) {
            seen.push(*leaf);
        }
    }
    seen.len()
}

/// Whether the first dominates the second: its leaves are a subset.
fn dominates(cut: &Cut, other: &Cut) -> bool {
    cut.leaves()
        .iter()
        .all(|leaf| other.leaves().contains(leaf))
}
