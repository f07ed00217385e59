//! Registers for the values of a body: what is wanted latest makes way.

use super::body_schedule::{BodySchedule, ScheduleEntry, ValueNumber};
use super::netlist::INPUT;
use crate::arch::{BitwiseOp, Instruction, InstructionBlock, MemoryOperand, Operand, VectorWidth};

/// Tasks within which a value that lies in memory is looked at again: it is then loaded
/// into a register at once.
const SOON: usize = 40;

/// Never again.
const NEVER: usize = usize::MAX;

/// The instructions of a schedule, and how many slots it needs.
pub(super) fn assign(schedule: &BodySchedule, width: VectorWidth) -> (InstructionBlock, u16) {
    let mut assigner = RegisterAllocator::new(schedule, width);
    for (at, task) in schedule.tasks.iter().enumerate() {
        assigner.now = at;
        assigner.task(task);
    }
    let body = InstructionBlock {
        rows: schedule.rows,
        instructions: assigner.instructions,
    };
    (body, assigner.slots)
}

struct RegisterAllocator<'a> {
    schedule: &'a BodySchedule,
    width: VectorWidth,
    instructions: Vec<Instruction>,
    /// The tasks that look at each value, the last of them first.
    uses: Vec<Vec<usize>>,
    /// Where each value is.
    register: Vec<Option<u8>>,
    memory: Vec<Option<MemoryOperand>>,
    /// What each register holds.
    held: Vec<Option<ValueNumber>>,
    free_slots: Vec<u16>,
    slots: u16,
    now: usize,
}

impl<'a> RegisterAllocator<'a> {
    fn new(schedule: &'a BodySchedule, width: VectorWidth) -> Self {
        let values = schedule.homes.len();
        let mut uses = vec![Vec::new(); values];
        for (at, task) in schedule.tasks.iter().enumerate().rev() {
            match task {
                ScheduleEntry::Compute { inputs, .. } => {
                    for &input in inputs {
                        if uses[input].last() != Some(&at) {
                            uses[input].push(at);
                        }
                    }
                }
                ScheduleEntry::Put { value, .. } | ScheduleEntry::Carry { value, .. } => {
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
            memory: schedule.homes.clone(),
            held: vec![None; width.registers()],
            free_slots: Vec::new(),
            slots: MemoryOperand::CONSTANTS,
            now: 0,
        }
    }

    fn task(&mut self, task: &ScheduleEntry) {
        match task {
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
                    self.forget_if_done(input);
                }
                self.forget_if_done(*value);
            }
            ScheduleEntry::Put { row, plane, value } => {
                let from = self.in_register(*value, &[]);
                self.instructions.push(Instruction::Put {
                    row: *row,
                    plane: *plane,
                    from,
                });
                self.forget_if_done(*value);
            }
            ScheduleEntry::Carry { value, to } => {
                let from = self.in_register(*value, &[]);
                self.instructions.push(Instruction::Store { to: *to, from });
                self.forget_if_done(*value);
            }
        }
    }

    /// The next task that looks at a value, after this one.
    fn next_use(&self, value: ValueNumber) -> usize {
        let uses = self.uses[value].iter().rev();
        uses.copied().find(|&at| at > self.now).unwrap_or(NEVER)
    }

    /// Gives up what a value holds, if nothing looks at it after this task.
    fn forget_if_done(&mut self, value: ValueNumber) {
        while self.uses[value].last().is_some_and(|&at| at <= self.now) {
            self.uses[value].pop();
        }
        if !self.uses[value].is_empty() {
            return;
        }
        if let Some(register) = self.register[value].take() {
            self.held[usize::from(register)] = None;
        }
        if let Some(MemoryOperand::Slot(slot)) = self.memory[value]
            && slot >= MemoryOperand::CONSTANTS
        {
            self.free_slots.push(slot);
            self.memory[value] = None;
        }
    }

    /// A register for a value; those that hold some values are not taken.
    fn take(&mut self, value: ValueNumber, but: &[ValueNumber]) -> u8 {
        let free = self.held.iter().position(Option::is_none);
        let register = free.unwrap_or_else(|| {
            let registers = (0..self.held.len())
                .filter(|&register| self.held[register].is_some_and(|held| !but.contains(&held)));
            // What lies in memory already costs less to let go.
            let latest = registers.max_by_key(|&register| {
                let held = self.held[register].expect("no register is free");
                let distance = self.next_use(held) - self.now;
                let lies = self.memory[held].is_some();
                distance.saturating_mul(if lies { 2 } else { 1 })
            });
            let register = latest.expect("a task looks at few values");
            self.let_go(register);
            register
        });
        self.held[register] = Some(value);
        self.register[value] = Some(register as u8);
        register as u8
    }

    /// Frees a register, and keeps what it holds in memory if it is still wanted.
    fn let_go(&mut self, register: usize) {
        let Some(value) = self.held[register].take() else {
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

    /// The register of a value, into which it is loaded if it is in none.
    fn in_register(&mut self, value: ValueNumber, but: &[ValueNumber]) -> u8 {
        self.register[value].unwrap_or_else(|| {
            let from = self.memory[value].expect("a value is somewhere");
            let to = self.take(value, but);
            self.instructions.push(Instruction::Load {
                to,
                from: Operand::Memory(from),
            });
            to
        })
    }

    /// Where a value is: in a register, if it soon ought to be.
    fn operand(&mut self, value: ValueNumber, but: &[ValueNumber]) -> Operand {
        if let Some(register) = self.register[value] {
            return Operand::Register(register);
        }
        if self.next_use(value) - self.now < SOON {
            return Operand::Register(self.in_register(value, but));
        }
        Operand::Memory(self.memory[value].expect("a value is somewhere"))
    }

    /// Whether a value's register may be written over.
    fn ends(&self, value: ValueNumber) -> bool {
        self.next_use(value) == NEVER
    }

    fn compute(&mut self, value: ValueNumber, bits: u8, inputs: &[ValueNumber]) {
        match *inputs {
            [a, b] if pair(bits).is_some() => {
                let (logic, swapped) = pair(bits).expect("it was just found");
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                self.pair(value, logic, a, b);
            }
            _ if self.width == VectorWidth::Half => {
                unreachable!("there are only pairs for these vectors")
            }
            [a] => {
                let c = self.operand(a, inputs);
                let to = self.target(value, inputs, inputs);
                let only = looked_at(bits, [INPUT[0], 0, 0]);
                self.table(to, to, c, only);
            }
            [a, b] => {
                // At most one of the two stays in memory.
                let first = self.register[a].is_some();
                let (a, b, bits) = if first {
                    (a, b, bits)
                } else {
                    (b, a, looked_at(bits, [INPUT[1], INPUT[0], 0]))
                };
                let register = self.in_register(a, inputs);
                let c = self.operand(b, inputs);
                let to = self.target(value, inputs, inputs);
                // c is the low bit of the index, then b: here the second, the first.
                self.table(to, register, c, looked_at(bits, [INPUT[1], INPUT[0], 0]));
            }
            [_, _, _] => self.three(value, bits, inputs),
            _ => unreachable!("a table has one to three inputs"),
        }
    }

    fn table(&mut self, to: u8, b: u8, c: Operand, table: u8) {
        self.instructions
            .push(Instruction::Table { to, b, c, table });
    }

    fn pair(&mut self, value: ValueNumber, logic: BitwiseOp, a: ValueNumber, b: ValueNumber) {
        let both = [a, b];
        let turn = logic != BitwiseOp::NotAnd
            && self.register[a].is_none()
            && (self.register[b].is_some() || self.next_use(b) < self.next_use(a));
        let (a, b) = if turn { (b, a) } else { (a, b) };
        let first = self.in_register(a, &both);
        let b = self.operand(b, &both);
        let to = self.target(value, &both, &both);
        self.instructions.push(Instruction::Logic {
            logic,
            to,
            a: first,
            b,
        });
    }

    /// A register for a result: that of an input that is not wanted any more, or another.
    fn target(&mut self, value: ValueNumber, inputs: &[ValueNumber], but: &[ValueNumber]) -> u8 {
        let ended = inputs.iter().copied();
        let mut ended = ended.filter(|&input| self.register[input].is_some() && self.ends(input));
        match ended.next() {
            Some(input) => self.hand_over(input, value),
            None => self.take(value, but),
        }
    }

    /// Gives one value's register to another.
    fn hand_over(&mut self, from: ValueNumber, to: ValueNumber) -> u8 {
        let register = self.register[from].take().expect("it is in a register");
        self.held[usize::from(register)] = Some(to);
        self.register[to] = Some(register);
        register
    }

    fn three(&mut self, value: ValueNumber, bits: u8, inputs: &[ValueNumber]) {
        // The result takes the place of one input: of one that ends here, or else of a
        // copy.
        let in_register = |input: &usize| self.register[inputs[*input]].is_some();
        let ended = (0..3).find(|k| in_register(k) && self.ends(inputs[*k]));
        let lying = (0..3).filter(|k| !in_register(k));
        // Of those that lie in memory, one that is wanted again late or never.
        let lying = lying.max_by_key(|&k| self.next_use(inputs[k]));
        let first = ended.or(lying).unwrap_or(0);
        let [second, third] = match first {
            0 => [1, 2],
            1 => [0, 2],
            _ => [0, 1],
        };
        // What stays in memory comes last.
        let (second, third) = if self.register[inputs[second]].is_some() {
            (second, third)
        } else {
            (third, second)
        };
        let b = self.in_register(inputs[second], inputs);
        let c = self.operand(inputs[third], inputs);
        let to = if ended.is_some() {
            self.hand_over(inputs[first], value)
        } else {
            let from = match self.register[inputs[first]] {
                Some(register) => Operand::Register(register),
                None => Operand::Memory(self.memory[inputs[first]].expect("it is somewhere")),
            };
            let to = self.take(value, inputs);
            self.instructions.push(Instruction::Load { to, from });
            to
        };
        let mut by_input = [0; 3];
        by_input[third] = INPUT[0];
        by_input[second] = INPUT[1];
        by_input[first] = INPUT[2];
        self.table(to, b, c, looked_at(bits, by_input));
    }
}

/// A table with each input told by a table of others.
fn looked_at(bits: u8, inputs: [u8; 3]) -> u8 {
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

/// The one instruction that does a table of two inputs, and whether they are exchanged.
fn pair(bits: u8) -> Option<(BitwiseOp, bool)> {
    const A: u8 = INPUT[0];
    const B: u8 = INPUT[1];
    [
        (A & B, BitwiseOp::And, false),
        (!A & B, BitwiseOp::NotAnd, false),
        (A & !B, BitwiseOp::NotAnd, true),
        (A | B, BitwiseOp::Or, false),
        (A ^ B, BitwiseOp::Xor, false),
    ]
    .into_iter()
    .find(|(table, _, _)| *table == bits)
    .map(|(_, logic, swapped)| (logic, swapped))
}
