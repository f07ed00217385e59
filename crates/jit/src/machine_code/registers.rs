//! Register allocation for a block: the value whose next use is furthest is spilled (L. A.
//! Belady, "A study of replacement algorithms for a virtual-storage computer", 1966).

use super::assembler::{BitwiseOp, VectorWidth};
use super::body_schedule::{BodySchedule, ScheduleEntry, ValueNumber};
use super::jit_program::{Instruction, InstructionBlock, MemoryOperand, Operand};
use super::netlist::INPUT;

/// A value in memory that is used again within this many entries is loaded into a register at
/// once.
const RELOAD_WINDOW: usize = 40;

/// No further use.
const NEVER: usize = usize::MAX;

/// The instructions of a schedule, and the number of slots that they need.
pub(super) fn assign(schedule: &BodySchedule, width: VectorWidth) -> (InstructionBlock, u16) {
    let mut allocator = RegisterAllocator::new(schedule, width);
    for (at, entry) in schedule.entries.iter().enumerate() {
        allocator.now = at;
        allocator.entry(entry);
    }
    let body = InstructionBlock {
        rows: schedule.rows,
        instructions: allocator.instructions,
    };
    (body, allocator.slots)
}

struct RegisterAllocator<'a> {
    schedule: &'a BodySchedule,
    width: VectorWidth,
    instructions: Vec<Instruction>,
    /// The entries that read each value, the last of them first.
    uses: Vec<Vec<usize>>,
    /// The register and the memory that hold each value.
    register: Vec<Option<u8>>,
    memory: Vec<Option<MemoryOperand>>,
    /// The value that each register holds.
    contents: Vec<Option<ValueNumber>>,
    free_slots: Vec<u16>,
    slots: u16,
    now: usize,
}

impl<'a> RegisterAllocator<'a> {
    fn new(schedule: &'a BodySchedule, width: VectorWidth) -> Self {
        let values = schedule.initial.len();
        let mut uses = vec![Vec::new(); values];
        for (at, entry) in schedule.entries.iter().enumerate().rev() {
            match entry {
                ScheduleEntry::Compute { inputs, .. } => {
                    for &input in inputs {
                        if uses[input].last() != Some(&at) {
                            uses[input].push(at);
                        }
                    }
                }
                ScheduleEntry::Output { value, .. } | ScheduleEntry::Carry { value, .. } => {
                    uses[*value].push(at)
                }
            }
        }
        Self {
            schedule,
            width,
            instructions: Vec::new(),
            uses,
            register: vec![None; values],
            memory: schedule.initial.clone(),
            contents: vec![None; width.registers()],
            free_slots: Vec::new(),
            slots: MemoryOperand::CONSTANTS,
            now: 0,
        }
    }

    fn entry(&mut self, entry: &ScheduleEntry) {
        match entry {
            ScheduleEntry::Compute {
                value,
                bits,
                inputs,
            } => {
                self.compute(*value, *bits, inputs);
                if let Some(to) = self.schedule.carried[*value] {
                    let from = self.register[*value].expect("it was just made");
                    self.instructions.push(Instruction::Store { to, from });
                    self.memory[*value] = Some(to);
                }
                for &input in inputs {
                    self.free_if_dead(input);
                }
                self.free_if_dead(*value);
            }
            ScheduleEntry::Output { row, plane, value } => {
                let from = self.in_register(*value, &[]);
                self.instructions.push(Instruction::StoreCells {
                    row: *row,
                    plane: *plane,
                    from,
                });
                self.free_if_dead(*value);
            }
            ScheduleEntry::Carry { value, to } => {
                let from = self.in_register(*value, &[]);
                self.instructions.push(Instruction::Store { to: *to, from });
                self.free_if_dead(*value);
            }
        }
    }

    /// The next entry after this one that reads a value.
    fn next_use(&self, value: ValueNumber) -> usize {
        let uses = self.uses[value].iter().rev();
        uses.copied().find(|&at| at > self.now).unwrap_or(NEVER)
    }

    /// Frees the register and the slot of a value that has no further use.
    fn free_if_dead(&mut self, value: ValueNumber) {
        while self.uses[value].last().is_some_and(|&at| at <= self.now) {
            self.uses[value].pop();
        }
        if !self.uses[value].is_empty() {
            return;
        }
        if let Some(register) = self.register[value].take() {
            self.contents[usize::from(register)] = None;
        }
        if let Some(MemoryOperand::Slot(slot)) = self.memory[value]
            && slot >= MemoryOperand::CONSTANTS
        {
            self.free_slots.push(slot);
            self.memory[value] = None;
        }
    }

    /// Allocates a register for a value, spilling another if necessary, but none of `but`.
    fn allocate(&mut self, value: ValueNumber, but: &[ValueNumber]) -> u8 {
        let free = self.contents.iter().position(Option::is_none);
        let register = free.unwrap_or_else(|| {
            let registers = (0..self.contents.len()).filter(|&register| {
                self.contents[register].is_some_and(|contents| !but.contains(&contents))
            });
            // Values that are also in memory are cheaper to spill.
            let latest = registers.max_by_key(|&register| {
                let contents = self.contents[register].expect("no register is free");
                let distance = self.next_use(contents) - self.now;
                let is_in_memory = self.memory[contents].is_some();
                distance.saturating_mul(if is_in_memory { 2 } else { 1 })
            });
            let register = latest.expect("a task looks at few values");
            self.spill(register);
            register
        });
        self.contents[register] = Some(value);
        self.register[value] = Some(register as u8);
        register as u8
    }

    /// Frees a register; a value that is not in memory is stored to a slot.
    fn spill(&mut self, register: usize) {
        let Some(value) = self.contents[register].take() else {
            return;
        };
        self.register[value] = None;
        if self.memory[value].is_none() {
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.slots += 1;
                self.slots - 1
            });
            let to = MemoryOperand::Slot(slot);
            self.instructions.push(Instruction::Store {
                to,
                from: register as u8,
            });
            self.memory[value] = Some(to);
        }
    }

    /// The register of a value, which is loaded if necessary.
    fn in_register(&mut self, value: ValueNumber, but: &[ValueNumber]) -> u8 {
        self.register[value].unwrap_or_else(|| {
            let from = self.memory[value].expect("a value is somewhere");
            let to = self.allocate(value, but);
            self.instructions.push(Instruction::Load {
                to,
                from: Operand::Memory(from),
            });
            to
        })
    }

    /// The operand of a value; it is loaded into a register if it is used again soon.
    fn operand(&mut self, value: ValueNumber, but: &[ValueNumber]) -> Operand {
        if let Some(register) = self.register[value] {
            return Operand::Register(register);
        }
        if self.next_use(value) - self.now < RELOAD_WINDOW {
            return Operand::Register(self.in_register(value, but));
        }
        Operand::Memory(self.memory[value].expect("a value is somewhere"))
    }

    /// Whether this is the last use of a value.
    fn is_last_use(&self, value: ValueNumber) -> bool {
        self.next_use(value) == NEVER
    }

    fn compute(&mut self, value: ValueNumber, bits: u8, inputs: &[ValueNumber]) {
        match *inputs {
            [a, b] if pair(bits).is_some() => {
                let (logic, swapped) = pair(bits).expect("it was just found");
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                self.pair(value, logic, a, b);
            }
            _ if self.width == VectorWidth::Bits256 => {
                unreachable!("there are only pairs for these vectors")
            }
            [a] => {
                let c = self.operand(a, inputs);
                let to = self.target(value, inputs, inputs);
                let only = compose(bits, [INPUT[0], 0, 0]);
                self.table(to, to, c, only);
            }
            [a, b] => {
                // At most one of the two can be a memory operand.
                let first = self.register[a].is_some();
                let (a, b, bits) = if first {
                    (a, b, bits)
                } else {
                    (b, a, compose(bits, [INPUT[1], INPUT[0], 0]))
                };
                let register = self.in_register(a, inputs);
                let c = self.operand(b, inputs);
                let to = self.target(value, inputs, inputs);
                // c is the low bit of the index, then b: here the second input, then the first.
                self.table(to, register, c, compose(bits, [INPUT[1], INPUT[0], 0]));
            }
            [_, _, _] => self.ternary(value, bits, inputs),
            _ => unreachable!("a table has one to three inputs"),
        }
    }

    fn table(&mut self, to: u8, b: u8, c: Operand, table: u8) {
        self.instructions
            .push(Instruction::Ternary { to, b, c, table });
    }

    fn pair(&mut self, value: ValueNumber, logic: BitwiseOp, a: ValueNumber, b: ValueNumber) {
        let both = [a, b];
        let swap = logic != BitwiseOp::AndNot
            && self.register[a].is_none()
            && (self.register[b].is_some() || self.next_use(b) < self.next_use(a));
        let (a, b) = if swap { (b, a) } else { (a, b) };
        let first = self.in_register(a, &both);
        let b = self.operand(b, &both);
        let to = self.target(value, &both, &both);
        self.instructions.push(Instruction::Bitwise {
            logic,
            to,
            a: first,
            b,
        });
    }

    /// A register for a result: that of an input with no further use, or a free one.
    fn target(&mut self, value: ValueNumber, inputs: &[ValueNumber], but: &[ValueNumber]) -> u8 {
        let last_used = inputs.iter().copied();
        let mut last_used =
            last_used.filter(|&input| self.register[input].is_some() && self.is_last_use(input));
        match last_used.next() {
            Some(input) => self.transfer(input, value),
            None => self.allocate(value, but),
        }
    }

    /// Passes one value's register to another.
    fn transfer(&mut self, from: ValueNumber, to: ValueNumber) -> u8 {
        let register = self.register[from].take().expect("it is in a register");
        self.contents[usize::from(register)] = Some(to);
        self.register[to] = Some(register);
        register
    }

    fn ternary(&mut self, value: ValueNumber, bits: u8, inputs: &[ValueNumber]) {
        // The instruction overwrites its first operand: an input with no further use, or else
        // a copy of an input.
        let in_register = |input: &usize| self.register[inputs[*input]].is_some();
        let last_used = (0..3).find(|k| in_register(k) && self.is_last_use(inputs[*k]));
        let spilled = (0..3).filter(|k| !in_register(k));
        // Of those in memory, the one that is used again last.
        let spilled = spilled.max_by_key(|&k| self.next_use(inputs[k]));
        let first = last_used.or(spilled).unwrap_or(0);
        let [second, third] = match first {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        // The memory operand comes last.
        let (second, third) = if self.register[inputs[second]].is_some() {
            (second, third)
        } else {
            (third, second)
        };
        let b = self.in_register(inputs[second], inputs);
        let c = self.operand(inputs[third], inputs);
        let to = if last_used.is_some() {
            self.transfer(inputs[first], value)
        } else {
            let from = match self.register[inputs[first]] {
                Some(register) => Operand::Register(register),
                None => Operand::Memory(self.memory[inputs[first]].expect("it is somewhere")),
            };
            let to = self.allocate(value, inputs);
            self.instructions.push(Instruction::Load { to, from });
            to
        };
        let mut by_input = [0; 3];
        by_input[third] = INPUT[0];
        by_input[second] = INPUT[1];
        by_input[first] = INPUT[2];
        self.table(to, b, c, compose(bits, by_input));
    }
}

/// Composes a table with tables of its inputs.
fn compose(bits: u8, inputs: [u8; 3]) -> u8 {
    (0..8)
        .map(|at| {
            let index = inputs
                .iter()
                .enumerate()
                .map(|(k, input)| (input >> at & 1) << k);
            (bits >> index.sum::<u8>() & 1) << at
        })
        .sum()
}

/// The instruction for a table of two inputs, and whether the inputs are swapped.
fn pair(bits: u8) -> Option<(BitwiseOp, bool)> {
    const A: u8 = INPUT[0];
    const B: u8 = INPUT[1];
    [
        (A & B, BitwiseOp::And, false),
        (!A & B, BitwiseOp::AndNot, false),
        (A & !B, BitwiseOp::AndNot, true),
        (A | B, BitwiseOp::Or, false),
        (A ^ B, BitwiseOp::Xor, false),
    ]
    .into_iter()
    .find(|(table, _, _)| *table == bits)
    .map(|(_, logic, swapped)| (logic, swapped))
}
