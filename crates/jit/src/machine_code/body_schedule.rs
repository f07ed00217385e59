//! The schedule of a block of rows: what is computed in which order, before registers are
//! assigned. Own method: rows from the last to the first mark what is live, and each row then
//! computes its live values in an order that is the same for all rows.

use super::jit_program::MemoryOperand;
use super::netlist::{Netlist, NetlistNode};
use super::timing::NodeTiming;
use kernel::circuit::{CircuitWire, ParityAxis};
use kernel::hasher::MixMap;

/// The number of a value in a block.
pub(super) type ValueNumber = usize;

/// One step of a schedule.
#[derive(Clone, Debug)]
pub(super) enum ScheduleEntry {
    /// Computes a table of earlier values.
    Compute {
        value: ValueNumber,
        bits: u8,
        inputs: Vec<ValueNumber>,
    },
    /// Stores a value to the output.
    Output {
        row: i16,
        plane: u8,
        value: ValueNumber,
    },
    /// Passes a value on to the next block that was not computed in this one.
    Carry {
        value: ValueNumber,
        to: MemoryOperand,
    },
}

/// The schedule of one block.
#[derive(Clone, Debug, Default)]
pub(super) struct BodySchedule {
    pub(super) rows: u16,
    pub(super) entries: Vec<ScheduleEntry>,
    /// Where each value is in memory at first, if it is.
    pub(super) initial: Vec<Option<MemoryOperand>>,
    /// Where each value is stored for the next block, if it is.
    pub(super) carried: Vec<Option<MemoryOperand>>,
}

/// Which block it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// The prologue, before the first row of output.
    Prologue,
    /// A block whose first row, counted from the first of all, has the parity of `first`.
    Main { first: i32 },
}

/// What all blocks of a program have in common.
pub(super) struct PipelinePlan<'a> {
    netlist: &'a Netlist,
    timing: &'a NodeTiming,
    /// The tables in the order of computation.
    order: Vec<usize>,
    /// The first carry slot of each node.
    carry: Vec<u16>,
    /// The number of carry slots.
    pub(super) carried: u16,
}

impl<'a> PipelinePlan<'a> {
    pub(super) fn new(netlist: &'a Netlist, timing: &'a NodeTiming) -> Self {
        let mut carried = 0;
        let carry = timing.carried.iter().map(|&depth| {
            carried += depth as u16;
            carried - depth as u16
        });
        let carry = carry.collect();
        Self {
            netlist,
            timing,
            order: order(netlist, timing),
            carry,
            carried,
        }
    }

    /// The carry slot of a value that is computed `back` rows (at least 1) before the end of a
    /// block.
    fn carry(&self, node: usize, back: i32) -> u16 {
        self.carry[node] + (back - 1) as u16
    }

    pub(super) fn schedule(&self, kind: BodyKind, rows: i32) -> BodySchedule {
        let mut builder = ScheduleBuilder {
            plan: self,
            kind,
            known: MixMap::default(),
            schedule: BodySchedule {
                rows: rows as u16,
                ..BodySchedule::default()
            },
        };
        let lag = &self.timing.lag;
        // Backwards, so that only live values are computed.
        let mut live = vec![vec![false; rows as usize]; self.netlist.nodes.len()];
        let mut old = Vec::new();
        for &node in &self.order {
            for back in 1..=self.timing.carried[node] {
                let row = rows - back;
                // Further up, it would depend on cells above the input.
                let least = if kind == BodyKind::Prologue {
                    lag[node]
                } else {
                    i32::MIN
                };
                if row >= 0 && row >= least {
                    live[node][row as usize] = true;
                } else if row < 0 && kind != BodyKind::Prologue {
                    old.push((node, row, back));
                }
            }
        }
        for row in (0..rows).rev() {
            if kind != BodyKind::Prologue {
                for &wire in &self.netlist.outputs {
                    self.mark_live(&mut live, wire, self.timing.reach, row);
                }
            }
            for &node in self.order.iter().rev() {
                if live[node][row as usize] {
                    for &wire in self.netlist.inputs(node) {
                        self.mark_live(&mut live, wire, lag[node], row);
                    }
                }
            }
        }
        for (node, row, back) in old {
            let value = builder.value(node, row);
            let to = MemoryOperand::CarryOut(self.carry(node, back));
            builder
                .schedule
                .entries
                .push(ScheduleEntry::Carry { value, to });
        }
        for row in 0..rows {
            for &node in &self.order {
                if !live[node][row as usize] {
                    continue;
                }
                let NetlistNode::Table(table) = &self.netlist.nodes[node] else {
                    continue;
                };
                let inputs = table.inputs().iter();
                let inputs = inputs.map(|&wire| builder.wire(wire, lag[node], row));
                let inputs = inputs.collect();
                let value = builder.value(node, row);
                let back = rows - row;
                if back <= self.timing.carried[node] {
                    builder.schedule.carried[value] =
                        Some(MemoryOperand::CarryOut(self.carry(node, back)));
                }
                builder.schedule.entries.push(ScheduleEntry::Compute {
                    value,
                    bits: table.bits,
                    inputs,
                });
            }
            if kind != BodyKind::Prologue {
                for (plane, &wire) in self.netlist.outputs.iter().enumerate() {
                    let value = builder.wire(wire, self.timing.reach, row);
                    builder.schedule.entries.push(ScheduleEntry::Output {
                        row: row as i16,
                        plane: plane as u8,
                        value,
                    });
                }
            }
        }
        builder.schedule
    }

    fn mark_live(&self, live: &mut [Vec<bool>], wire: CircuitWire, reader: i32, row: i32) {
        let at = row - self.timing.delay(wire, reader);
        if let Ok(at) = usize::try_from(at) {
            live[wire.gate as usize][at] = true;
        }
    }
}

struct ScheduleBuilder<'a> {
    plan: &'a PipelinePlan<'a>,
    kind: BodyKind,
    known: MixMap<(usize, i32), ValueNumber>,
    schedule: BodySchedule,
}

impl ScheduleBuilder<'_> {
    /// The value that a reader with lag `reader` sees through a wire, in a row of the block.
    fn wire(&mut self, wire: CircuitWire, reader: i32, row: i32) -> ValueNumber {
        let delay = self.plan.timing.delay(wire, reader);
        self.value(wire.gate as usize, row - delay)
    }

    /// The value of a node computed in a row of this block, or of an earlier one if negative.
    fn value(&mut self, node: usize, row: i32) -> ValueNumber {
        if let Some(&value) = self.known.get(&(node, row)) {
            return value;
        }
        let initial = match self.plan.netlist.nodes[node] {
            NetlistNode::Constant(false) => Some(MemoryOperand::ZEROS),
            NetlistNode::Constant(true) => Some(MemoryOperand::ONES),
            NetlistNode::Cell { plane, dx } => Some(MemoryOperand::Cells {
                row: row as i16,
                plane,
                dx,
            }),
            NetlistNode::Parity(ParityAxis::X) => Some(MemoryOperand::COLUMNS),
            NetlistNode::Parity(ParityAxis::Y) => {
                let first = match self.kind {
                    BodyKind::Prologue => self.plan.timing.top,
                    BodyKind::Main { first } => self.plan.timing.reach + first,
                };
                Some(MemoryOperand::ROWS[(first + row).rem_euclid(2) as usize])
            }
            NetlistNode::Table(_) if row < 0 => {
                Some(MemoryOperand::CarryIn(self.plan.carry(node, -row)))
            }
            NetlistNode::Table(_) => None,
        };
        let value = self.schedule.initial.len();
        self.schedule.initial.push(initial);
        self.schedule.carried.push(None);
        self.known.insert((node, row), value);
        value
    }
}

/// Orders the tables as late as possible: each just before its first reader in the same row.
fn order(netlist: &Netlist, timing: &NodeTiming) -> Vec<usize> {
    let mut done = vec![false; netlist.nodes.len()];
    let mut order = Vec::new();
    let mut visit = |start: usize| {
        let mut open = vec![start];
        while let Some(&node) = open.last() {
            let missing = netlist.inputs(node).iter().filter(|wire| {
                let input = wire.gate as usize;
                let now = timing.delay(**wire, timing.lag[node]) == 0;
                now && !done[input] && !netlist.nodes[input].is_leaf()
            });
            if let Some(wire) = missing.max_by_key(|wire| wire.gate) {
                open.push(wire.gate as usize);
                continue;
            }
            open.pop();
            if !done[node] && !netlist.nodes[node].is_leaf() {
                done[node] = true;
                order.push(node);
            }
        }
    };
    // Carried nodes first: nodes of later rows depend on them.
    for node in 0..netlist.nodes.len() {
        if timing.carried[node] > 0 {
            visit(node);
        }
    }
    for wire in &netlist.outputs {
        visit(wire.gate as usize);
    }
    for node in 0..netlist.nodes.len() {
        visit(node);
    }
    order
}
