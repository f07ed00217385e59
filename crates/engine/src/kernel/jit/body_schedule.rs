//! The work of a body, row after row, before it gets registers.

use super::netlist::{Netlist, NetlistNode};
use super::timing::NodeTiming;
use crate::arch::MemoryOperand;
use crate::hasher::MixMap;
use crate::kernel::circuit::{CircuitWire, ParityAxis};

/// A value in a body, by number.
pub(super) type ValueNumber = usize;

/// What there is to do, in order.
#[derive(Clone, Debug)]
pub(super) enum ScheduleEntry {
    /// A table of values becomes another.
    Compute {
        value: ValueNumber,
        bits: u8,
        inputs: Vec<ValueNumber>,
    },
    /// A value is what comes out.
    Put {
        row: i16,
        plane: u8,
        value: ValueNumber,
    },
    /// A value goes on to the next body from where it is: it is not made here.
    Carry {
        value: ValueNumber,
        to: MemoryOperand,
    },
}

/// The tasks of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct BodySchedule {
    pub(super) rows: u16,
    pub(super) tasks: Vec<ScheduleEntry>,
    /// Where each value lies from the start, if it does.
    pub(super) homes: Vec<Option<MemoryOperand>>,
    /// Where each value is to be left for the next body, if it is.
    pub(super) carried: Vec<Option<MemoryOperand>>,
}

/// Which body it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// What comes before the first row that comes out.
    Start,
    /// A body whose first row, counted from the first row of all, is even or odd.
    Later { first: i32 },
}

/// What all bodies of a program have in common.
pub(super) struct PipelinePlan<'a> {
    netlist: &'a Netlist,
    timing: &'a NodeTiming,
    /// The tables in the order in which they are computed.
    order: Vec<usize>,
    /// Where what is carried of each node begins.
    carry: Vec<u16>,
    /// How many vectors are carried.
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

    /// Where a value goes that is computed `back` rows before the end of a body, at least
    /// 1, and whether it is in the part that is read.
    fn carry(&self, node: usize, back: i32) -> u16 {
        self.carry[node] + (back - 1) as u16
    }

    pub(super) fn schedule(&self, part: BodyKind, rows: i32) -> BodySchedule {
        let mut maker = ScheduleBuilder {
            plan: self,
            part,
            known: MixMap::default(),
            schedule: BodySchedule {
                rows: rows as u16,
                ..BodySchedule::default()
            },
        };
        let lag = &self.timing.lag;
        // Backwards, so that only what is wanted is computed.
        let mut wanted = vec![vec![false; rows as usize]; self.netlist.nodes.len()];
        let mut old = Vec::new();
        for &node in &self.order {
            for back in 1..=self.timing.carried[node] {
                let row = rows - back;
                // Above, it would stand for cells above all that is seen.
                let least = if part == BodyKind::Start {
                    lag[node]
                } else {
                    i32::MIN
                };
                if row >= 0 && row >= least {
                    wanted[node][row as usize] = true;
                } else if row < 0 && part != BodyKind::Start {
                    old.push((node, row, back));
                }
            }
        }
        for row in (0..rows).rev() {
            if part != BodyKind::Start {
                for &wire in &self.netlist.outputs {
                    self.want(&mut wanted, wire, self.timing.reach, row);
                }
            }
            for &node in self.order.iter().rev() {
                if wanted[node][row as usize] {
                    for &wire in self.netlist.inputs(node) {
                        self.want(&mut wanted, wire, lag[node], row);
                    }
                }
            }
        }
        for (node, row, back) in old {
            let value = maker.value(node, row);
            let to = MemoryOperand::After(self.carry(node, back));
            maker
                .schedule
                .tasks
                .push(ScheduleEntry::Carry { value, to });
        }
        for row in 0..rows {
            for &node in &self.order {
                if !wanted[node][row as usize] {
                    continue;
                }
                let NetlistNode::Table(table) = &self.netlist.nodes[node] else {
                    continue;
                };
                let inputs = table.inputs().iter();
                let inputs = inputs.map(|&wire| maker.wire(wire, lag[node], row));
                let inputs = inputs.collect();
                let value = maker.value(node, row);
                let back = rows - row;
                if back <= self.timing.carried[node] {
                    maker.schedule.carried[value] =
                        Some(MemoryOperand::After(self.carry(node, back)));
                }
                maker.schedule.tasks.push(ScheduleEntry::Compute {
                    value,
                    bits: table.bits,
                    inputs,
                });
            }
            if part != BodyKind::Start {
                for (plane, &wire) in self.netlist.outputs.iter().enumerate() {
                    let value = maker.wire(wire, self.timing.reach, row);
                    maker.schedule.tasks.push(ScheduleEntry::Put {
                        row: row as i16,
                        plane: plane as u8,
                        value,
                    });
                }
            }
        }
        maker.schedule
    }

    fn want(&self, wanted: &mut [Vec<bool>], wire: CircuitWire, reader: i32, row: i32) {
        let at = row - self.timing.delay(wire, reader);
        if let Ok(at) = usize::try_from(at) {
            wanted[wire.gate as usize][at] = true;
        }
    }
}

struct ScheduleBuilder<'a> {
    plan: &'a PipelinePlan<'a>,
    part: BodyKind,
    known: MixMap<(usize, i32), ValueNumber>,
    schedule: BodySchedule,
}

impl ScheduleBuilder<'_> {
    /// What a reader that lags so far sees through a wire, in a row of the body.
    fn wire(&mut self, wire: CircuitWire, reader: i32, row: i32) -> ValueNumber {
        let delay = self.plan.timing.delay(wire, reader);
        self.value(wire.gate as usize, row - delay)
    }

    /// The value of a node that was or is computed in a row of the body.
    fn value(&mut self, node: usize, row: i32) -> ValueNumber {
        if let Some(&value) = self.known.get(&(node, row)) {
            return value;
        }
        let home = match self.plan.netlist.nodes[node] {
            NetlistNode::Constant(false) => Some(MemoryOperand::ZEROS),
            NetlistNode::Constant(true) => Some(MemoryOperand::ONES),
            NetlistNode::Cell { plane, dx } => Some(MemoryOperand::Cells {
                row: row as i16,
                plane,
                dx,
            }),
            NetlistNode::Place(ParityAxis::X) => Some(MemoryOperand::COLUMNS),
            NetlistNode::Place(ParityAxis::Y) => {
                let first = match self.part {
                    BodyKind::Start => self.plan.timing.top,
                    BodyKind::Later { first } => self.plan.timing.reach + first,
                };
                Some(MemoryOperand::ROWS[(first + row).rem_euclid(2) as usize])
            }
            NetlistNode::Table(_) if row < 0 => {
                Some(MemoryOperand::Before(self.plan.carry(node, -row)))
            }
            NetlistNode::Table(_) => None,
        };
        let value = self.schedule.homes.len();
        self.schedule.homes.push(home);
        self.schedule.carried.push(None);
        self.known.insert((node, row), value);
        value
    }
}

/// The tables, each late: just before the first that looks at it in the same row.
fn order(netlist: &Netlist, timing: &NodeTiming) -> Vec<usize> {
    let mut done = vec![false; netlist.nodes.len()];
    let mut order = Vec::new();
    let mut visit = |start: usize| {
        let mut open = vec![start];
        while let Some(&node) = open.last() {
            let missing = netlist.inputs(node).iter().filter(|wire| {
                let input = wire.gate as usize;
                let now = timing.delay(**wire, timing.lag[node]) == 0;
                now && !done[input] && !netlist.nodes[input].given()
            });
            if let Some(wire) = missing.max_by_key(|wire| wire.gate) {
                open.push(wire.gate as usize);
                continue;
            }
            open.pop();
            if !done[node] && !netlist.nodes[node].given() {
                done[node] = true;
                order.push(node);
            }
        }
    };
    // What is carried first: others wait for it from row to row.
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
