//! A JIT for straight-line bitwise logic over rows of cells: a listing is checked, assembled
//! and called.
//!
//! A listing addresses memory only as cells (by row, plane and word) and as numbered vectors
//! of its own. So it can be checked before any byte is written, and the code can touch only
//! memory that [`JitProgram::run`] has found to be there.
#![allow(unsafe_code)]

use super::assembler::{
    Assembler, BitwiseOp, EffectiveAddress, GeneralRegister, RegisterOrMemory, VectorWidth,
};
use memmap2::{Mmap, MmapMut};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// A vector in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemoryOperand {
    /// A vector of the program's own scratch memory. The first
    /// [`MemoryOperand::CONSTANTS`] slots are read-only.
    Slot(u16),
    /// A vector that the previous block stored as [`MemoryOperand::CarryOut`].
    CarryIn(u16),
    CarryOut(u16),
    /// Words of cells, `dx` words to the east of the output words, `row` rows below the
    /// first new row of a block.
    Cells {
        row: i16,
        plane: u8,
        dx: i8,
    },
}

impl MemoryOperand {
    /// No bit set.
    pub(super) const ZEROS: Self = Self::Slot(0);
    /// All bits set.
    pub(super) const ONES: Self = Self::Slot(1);
    /// All bits set in words of odd columns.
    pub(super) const COLUMNS: Self = Self::Slot(2);
    /// All bits set if rows of the same parity as the first output row are odd, and if the
    /// others are.
    pub(super) const ROWS: [Self; 2] = [Self::Slot(3), Self::Slot(4)];
    /// The number of constant slots.
    pub(super) const CONSTANTS: u16 = 5;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Register(u8),
    Memory(MemoryOperand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    Load {
        to: u8,
        from: Operand,
    },
    /// To a slot, or to [`MemoryOperand::CarryOut`].
    Store {
        to: MemoryOperand,
        from: u8,
    },
    /// To the output cells.
    StoreCells {
        row: i16,
        plane: u8,
        from: u8,
    },
    Bitwise {
        logic: BitwiseOp,
        to: u8,
        a: u8,
        b: Operand,
    },
    /// Bit `4 to + 2 b + c` of `table`; for 512-bit vectors only.
    Ternary {
        to: u8,
        b: u8,
        c: Operand,
        table: u8,
    },
}

/// The instructions for a number of rows.
#[derive(Clone, Debug, Default)]
pub(super) struct InstructionBlock {
    pub(super) rows: u16,
    pub(super) instructions: Vec<Instruction>,
}

/// The code for a column of vectors, from the first row down: a software pipeline.
#[derive(Clone, Debug)]
pub(super) struct CodeListing {
    pub(super) width: VectorWidth,
    pub(super) planes: u8,
    /// How far below an output row the lowest input cells are.
    pub(super) reach: i16,
    /// Fills the pipeline before the first row of output; writes no output.
    pub(super) prologue: InstructionBlock,
    /// The loop body.
    pub(super) main: InstructionBlock,
    /// Blocks of one row for the remaining rows, used in turn.
    pub(super) remainder: Vec<InstructionBlock>,
    /// The number of slots, constants included.
    pub(super) slots: u16,
    /// The number of vectors that a block passes to the next.
    pub(super) carried: u16,
}

/// The memory layout of rows, see `PlaneKernel::rows`.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLayout {
    pub(super) stride: usize,
    pub(super) margin: usize,
    pub(super) words: usize,
    /// Input rows above the first output row, and below the last.
    pub(super) radius: usize,
    /// Whether the first cell is in an odd column, and in an odd row.
    pub(super) corner: (bool, bool),
}

/// A listing compiled to machine code.
#[derive(Debug)]
pub(super) struct JitProgram {
    code: Mmap,
    /// A unique number, the key of what [`JitScratch`] caches.
    number: u64,
    listing: ListingSummary,
}

/// The properties of a listing that are needed to run it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListingSummary {
    width: VectorWidth,
    planes: usize,
    reach: i64,
    /// Rows of the prologue and of the main block.
    prologue: i64,
    main: i64,
    /// The largest horizontal offset of an input word.
    max_dx: usize,
    slots: usize,
    carried: usize,
}

/// Why a listing was not compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JitError {
    /// The processor lacks the instructions, or a test has disabled them.
    Processor,
    /// The system refuses executable memory.
    Memory,
    /// The listing reads out of its bounds, or writes where it must not.
    Listing,
}

/// The argument words of the code; the offsets of lines follow them.
#[derive(Clone, Copy)]
#[repr(usize)]
enum JitArgument {
    Input,
    Output,
    /// Size in bytes of the rows of each block.
    PrologueBytes,
    MainBytes,
    RemainderBytes,
    Slots,
    CarryIn,
    CarryOut,
    /// Loop counts.
    ColumnCount,
    MainCount,
    RemainderCount,
    /// The number of arguments.
    Count,
}

impl JitArgument {
    fn address(self) -> EffectiveAddress {
        EffectiveAddress::at(FRAME, 8 * self as i32)
    }
}

const FRAME: GeneralRegister = GeneralRegister::RBP;
const INPUT: GeneralRegister = GeneralRegister::RSI;
const OUTPUT: GeneralRegister = GeneralRegister::RDI;
const SLOTS: GeneralRegister = GeneralRegister::RBX;
const CARRY_IN: GeneralRegister = GeneralRegister::RDX;
const CARRY_OUT: GeneralRegister = GeneralRegister::RAX;
const COUNTER: GeneralRegister = GeneralRegister::RCX;
/// Registers that cache the byte offsets of lines from row 0.
const LINE_REGISTERS: [GeneralRegister; 8] = [
    GeneralRegister(8),
    GeneralRegister(9),
    GeneralRegister(10),
    GeneralRegister(11),
    GeneralRegister(12),
    GeneralRegister(13),
    GeneralRegister(14),
    GeneralRegister(15),
];
/// Callee-saved registers of the System V ABI.
const CALLEE_SAVED: [GeneralRegister; 6] = [
    GeneralRegister(3),
    GeneralRegister(5),
    GeneralRegister(12),
    GeneralRegister(13),
    GeneralRegister(14),
    GeneralRegister(15),
];

/// Words in a cache line, the alignment of scratch memory.
const LINE: usize = 8;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct JitScratchLine([u64; LINE]);

/// Scratch memory of programs, kept from call to call.
#[derive(Default)]
struct JitScratch {
    lines: Vec<JitScratchLine>,
    frame: Vec<u64>,
    /// The program, the stride and the corner that all this was prepared for.
    prepared_for: (u64, usize, (bool, bool)),
}

thread_local! {
    static SCRATCH: RefCell<JitScratch> = RefCell::default();
}

/// Whether this processor has vectors of this width, and no test has disabled them.
pub(super) fn has_vectors(width: VectorWidth) -> bool {
    kernel::simd::is_width_allowed(width.bits() as u32)
        && match width {
            VectorWidth::Bits512 => is_x86_feature_detected!("avx512f"),
            VectorWidth::Bits256 => is_x86_feature_detected!("avx2"),
        }
}

impl JitProgram {
    /// Compiles a listing.
    ///
    /// # Errors
    /// When it cannot run here, or violates its bounds.
    pub(super) fn new(listing: &CodeListing) -> Result<Self, JitError> {
        if !has_vectors(listing.width) {
            return Err(JitError::Processor);
        }
        let (code, summary) = assemble(listing).ok_or(JitError::Listing)?;
        let mut memory = MmapMut::map_anon(code.len()).map_err(|_| JitError::Memory)?;
        memory.copy_from_slice(&code);
        let code = memory.make_exec().map_err(|_| JitError::Memory)?;
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        Ok(Self {
            code,
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            listing: summary,
        })
    }

    /// The vector width of the code.
    pub(super) fn width(&self) -> VectorWidth {
        self.listing.width
    }

    /// Computes as many rows as `next` has; returns false if the slices are too short.
    #[must_use]
    pub(super) fn run(&self, rows: RowLayout, seen: &[u64], next: &mut [u64]) -> bool {
        let summary = &self.listing;
        let line = rows.stride.saturating_mul(summary.planes);
        if line == 0 || next.is_empty() {
            return false;
        }
        let height = next.len().div_ceil(line);
        // The ends of what the code reads and writes.
        let last_line = (summary.planes - 1).saturating_mul(rows.stride);
        let last_word = last_line
            .saturating_add(rows.margin)
            .saturating_add(rows.words);
        let lowest = height as i64 - 1 + summary.reach + rows.radius as i64;
        let Ok(lowest) = usize::try_from(lowest) else {
            return false;
        };
        let seen_words = lowest.saturating_mul(line).saturating_add(last_word);
        let next_words = (height - 1).saturating_mul(line).saturating_add(last_word);
        // The first input row that the prologue reads.
        let first = rows.radius as i64 + summary.reach - summary.prologue;
        let fits = first >= 0
            && rows.margin >= summary.max_dx
            && rows.words.is_multiple_of(summary.width.words())
            && seen_words.saturating_add(summary.max_dx) <= seen.len()
            && next_words <= next.len();
        if !fits {
            return false;
        }
        if rows.words == 0 {
            return true;
        }
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.prepare(self, rows, line);
            let main = summary.main as usize;
            let start = first as usize * line + rows.margin;
            let start = seen.as_ptr().wrapping_add(start);
            let bytes = |count: usize| (8 * count * line) as u64;
            let slots = scratch.lines.as_mut_ptr().expose_provenance() as u64;
            let carried = slots + (summary.slots * summary.width.bytes()) as u64;
            let apart = (summary.carried * summary.width.bytes()) as u64;
            let mut set_argument =
                |what: JitArgument, value: u64| scratch.frame[what as usize] = value;
            set_argument(JitArgument::Input, start.expose_provenance() as u64);
            let next = next.as_mut_ptr().wrapping_add(rows.margin);
            set_argument(JitArgument::Output, next.expose_provenance() as u64);
            set_argument(JitArgument::PrologueBytes, bytes(summary.prologue as usize));
            set_argument(JitArgument::MainBytes, bytes(main));
            set_argument(JitArgument::RemainderBytes, bytes(1));
            set_argument(JitArgument::Slots, slots);
            set_argument(JitArgument::CarryIn, carried);
            set_argument(JitArgument::CarryOut, carried + apart);
            set_argument(
                JitArgument::ColumnCount,
                (rows.words / summary.width.words()) as u64,
            );
            set_argument(JitArgument::MainCount, (height / main) as u64);
            set_argument(JitArgument::RemainderCount, (height % main) as u64);
            // SAFETY: the bytes are a complete function of one pointer, written by `Writer`, in
            // executable memory that is no longer writable; the constructor has checked that the
            // processor has the instructions. `check` has verified that it reads cells only of
            // rows from `first` to `lowest`, of its planes, at most `max_dx` words beside the
            // column, and writes only output rows; above, these were found to lie in `seen` and
            // `next`, which are borrowed for as long. `prepare` has made the scratch memory large
            // enough for the slots and the carried vectors. The code restores the callee-saved
            // registers.
            unsafe {
                let code: unsafe extern "sysv64" fn(*mut u64) =
                    std::mem::transmute(self.code.as_ptr());
                code(scratch.frame.as_mut_ptr());
            }
        });
        true
    }
}

impl JitScratch {
    /// Grows the scratch memory as needed, and sets the constants and the line offsets.
    fn prepare(&mut self, program: &JitProgram, rows: RowLayout, line: usize) {
        let key = (program.number, rows.stride, rows.corner);
        if self.prepared_for == key {
            return;
        }
        self.prepared_for = key;
        let summary = &program.listing;
        let bytes = summary.width.bytes();
        let vectors = summary.slots + 2 * summary.carried;
        let lines = (vectors * bytes).div_ceil(size_of::<JitScratchLine>());
        if self.lines.len() < lines {
            self.lines.resize(lines, JitScratchLine([0; LINE]));
        }
        let offset_count = line_offset_count(summary);
        let count = JitArgument::Count as usize;
        self.frame.clear();
        self.frame.resize(count + offset_count, 0);
        for row in -summary.prologue..summary.prologue.max(summary.main) {
            for plane in 0..summary.planes {
                let words = row * line as i64 + (plane * rows.stride) as i64;
                let at = count + line_offset_index(summary, row, plane);
                self.frame[at] = (8 * words) as u64;
            }
        }
        let (x, y) = rows.corner;
        let all = |set: bool| if set { u64::MAX } else { 0 };
        let constants = [[false, false], [true, true], [x, !x], [y, y], [!y, !y]];
        let words = summary.width.words();
        for (slot, pair) in constants.into_iter().enumerate() {
            for word in 0..words {
                let at = slot * words + word;
                self.lines[at / LINE].0[at % LINE] = all(pair[word % 2]);
            }
        }
    }
}

/// The number of line offsets in a program's frame.
fn line_offset_count(summary: &ListingSummary) -> usize {
    (summary.prologue + summary.prologue.max(summary.main)) as usize * summary.planes
}

/// The index of a line's offset among them.
fn line_offset_index(summary: &ListingSummary, row: i64, plane: usize) -> usize {
    (row + summary.prologue) as usize * summary.planes + plane
}

/// The machine code of a listing; none when the listing violates its bounds.
pub(super) fn assemble(listing: &CodeListing) -> Option<(Vec<u8>, ListingSummary)> {
    let summary = check(listing)?;
    Some((Writer::write(listing, &summary), summary))
}

/// Checks that a listing stays within its bounds, and summarises it.
fn check(listing: &CodeListing) -> Option<ListingSummary> {
    let width = listing.width;
    let (start, main) = (
        i64::from(listing.prologue.rows),
        i64::from(listing.main.rows),
    );
    let mut max_dx = 0;
    let mut block_is_valid = |block: &InstructionBlock,
                              rows: std::ops::Range<i64>,
                              is_prologue: bool| {
        let mut memory = |memory: MemoryOperand| match memory {
            MemoryOperand::Slot(slot) => slot < listing.slots,
            MemoryOperand::CarryIn(carried) => !is_prologue && carried < listing.carried,
            MemoryOperand::CarryOut(carried) => carried < listing.carried,
            MemoryOperand::Cells { row, plane, dx } => {
                max_dx = max_dx.max(usize::from(dx.unsigned_abs()));
                rows.contains(&row.into()) && plane < listing.planes
            }
        };
        let register = |register: u8| usize::from(register) < width.registers();
        let mut operand = |operand: Operand| match operand {
            Operand::Register(number) => register(number),
            Operand::Memory(place) => memory(place),
        };
        block
            .instructions
            .iter()
            .all(|&instruction| match instruction {
                Instruction::Load { to, from } => register(to) && operand(from),
                Instruction::Store { to, from } => {
                    let writable = match to {
                        MemoryOperand::Slot(slot) => {
                            slot >= MemoryOperand::CONSTANTS && slot < listing.slots
                        }
                        MemoryOperand::CarryOut(carried) => carried < listing.carried,
                        MemoryOperand::CarryIn(_) | MemoryOperand::Cells { .. } => false,
                    };
                    writable && register(from)
                }
                Instruction::StoreCells { row, plane, from } => {
                    let row = i64::from(row);
                    let is_output = !is_prologue && row >= 0 && row < i64::from(block.rows);
                    is_output && plane < listing.planes && register(from)
                }
                Instruction::Bitwise { to, a, b, .. } => register(to) && register(a) && operand(b),
                Instruction::Ternary { to, b, c, .. } => {
                    width == VectorWidth::Bits512 && register(to) && register(b) && operand(c)
                }
            })
    };
    // Later blocks may read back as far as the prologue has read ahead.
    let right = listing.planes > 0
        && main > 0
        && !listing.remainder.is_empty()
        && listing.slots >= MemoryOperand::CONSTANTS
        && block_is_valid(&listing.prologue, 0..start, true)
        && block_is_valid(&listing.main, -start..main, false)
        && listing
            .remainder
            .iter()
            .all(|single| single.rows == 1 && block_is_valid(single, -start..1, false));
    right.then_some(ListingSummary {
        width,
        planes: listing.planes.into(),
        reach: listing.reach.into(),
        prologue: start,
        main,
        max_dx,
        slots: listing.slots.into(),
        carried: listing.carried.into(),
    })
}

/// Emits the code of a listing.
struct Writer<'a> {
    assembler: Assembler,
    summary: &'a ListingSummary,
    /// The line whose offset each of [`LINE_REGISTERS`] holds, and when it was last used.
    cached_lines: [(Option<usize>, u64); LINE_REGISTERS.len()],
    clock: u64,
}

impl<'a> Writer<'a> {
    fn write(listing: &CodeListing, summary: &'a ListingSummary) -> Vec<u8> {
        let mut writer = Self {
            assembler: Assembler::default(),
            summary,
            cached_lines: [(None, 0); LINE_REGISTERS.len()],
            clock: 0,
        };
        writer.emit(listing);
        writer.assembler.code().to_vec()
    }

    fn emit(&mut self, listing: &CodeListing) {
        for register in CALLEE_SAVED {
            self.assembler.push(register);
        }
        self.assembler.mov(FRAME, GeneralRegister::RDI);
        self.assembler.fetch(SLOTS, JitArgument::Slots.address());
        let column = self.assembler.label();
        for (register, argument) in [
            (INPUT, JitArgument::Input),
            (OUTPUT, JitArgument::Output),
            // The prologue stores what the first block loads.
            (CARRY_OUT, JitArgument::CarryIn),
            (CARRY_IN, JitArgument::CarryOut),
        ] {
            self.assembler.fetch(register, argument.address());
        }
        self.emit_block(&listing.prologue);
        self.assembler.xchg(CARRY_IN, CARRY_OUT);
        self.assembler
            .add(INPUT, JitArgument::PrologueBytes.address());

        self.assembler
            .fetch(COUNTER, JitArgument::MainCount.address());
        self.assembler.test(COUNTER);
        let none = self.assembler.jump_forward_if_zero();
        let again = self.assembler.label();
        self.emit_block(&listing.main);
        self.advance_rows(JitArgument::MainBytes);
        self.assembler.jump_if_not_zero(again);
        self.assembler.bind(none);

        self.assembler
            .fetch(COUNTER, JitArgument::RemainderCount.address());
        self.assembler.test(COUNTER);
        let mut done = vec![self.assembler.jump_forward_if_zero()];
        let again = self.assembler.label();
        for (index, single) in listing.remainder.iter().enumerate() {
            self.emit_block(single);
            self.advance_rows(JitArgument::RemainderBytes);
            if index + 1 < listing.remainder.len() {
                done.push(self.assembler.jump_forward_if_zero());
            }
        }
        self.assembler.jump_if_not_zero(again);
        for jump in done {
            self.assembler.bind(jump);
        }

        let bytes = self.summary.width.bytes() as i8;
        self.assembler.add_to(JitArgument::Input.address(), bytes);
        self.assembler.add_to(JitArgument::Output.address(), bytes);
        self.assembler
            .decrement(RegisterOrMemory::Memory(JitArgument::ColumnCount.address()));
        self.assembler.jump_if_not_zero(column);
        self.assembler.vzeroupper();
        for register in CALLEE_SAVED.into_iter().rev() {
            self.assembler.pop(register);
        }
        self.assembler.ret();
    }

    /// Advances the pointers to the rows of the next block.
    fn advance_rows(&mut self, bytes: JitArgument) {
        self.assembler.add(INPUT, bytes.address());
        self.assembler.add(OUTPUT, bytes.address());
        self.assembler.xchg(CARRY_IN, CARRY_OUT);
        self.assembler
            .decrement(RegisterOrMemory::Register(COUNTER.0));
    }

    fn emit_block(&mut self, block: &InstructionBlock) {
        // At the start of a loop the contents of the registers are not known.
        self.cached_lines = [(None, 0); LINE_REGISTERS.len()];
        let width = self.summary.width;
        for &instruction in &block.instructions {
            match instruction {
                Instruction::Load { to, from } => {
                    let from = self.operand(from);
                    self.assembler.load(width, to, from);
                }
                Instruction::Store { to, from } => {
                    let to = self.memory(to);
                    self.assembler.store(width, to, from);
                }
                Instruction::StoreCells { row, plane, from } => {
                    let line = self.line(row, plane);
                    let to = EffectiveAddress {
                        base: OUTPUT,
                        index: Some(line),
                        offset: 0,
                    };
                    self.assembler.store(width, to, from);
                }
                Instruction::Bitwise { logic, to, a, b } => {
                    let b = self.operand(b);
                    self.assembler.logic(width, logic, to, a, b);
                }
                Instruction::Ternary { to, b, c, table } => {
                    let c = self.operand(c);
                    self.assembler.ternary(to, b, c, table);
                }
            }
        }
    }

    fn operand(&mut self, operand: Operand) -> RegisterOrMemory {
        match operand {
            Operand::Register(register) => RegisterOrMemory::Register(register),
            Operand::Memory(memory) => RegisterOrMemory::Memory(self.memory(memory)),
        }
    }

    fn memory(&mut self, memory: MemoryOperand) -> EffectiveAddress {
        let bytes = |number: u16| i32::from(number) * self.summary.width.bytes() as i32;
        match memory {
            MemoryOperand::Slot(slot) => EffectiveAddress::at(SLOTS, bytes(slot)),
            MemoryOperand::CarryIn(carried) => EffectiveAddress::at(CARRY_IN, bytes(carried)),
            MemoryOperand::CarryOut(carried) => EffectiveAddress::at(CARRY_OUT, bytes(carried)),
            MemoryOperand::Cells { row, plane, dx } => EffectiveAddress {
                base: INPUT,
                index: Some(self.line(row, plane)),
                offset: 8 * i32::from(dx),
            },
        }
    }

    /// A register that holds the offset of a line; the least recently used one is replaced.
    fn line(&mut self, row: i16, plane: u8) -> GeneralRegister {
        self.clock += 1;
        let wanted = line_offset_index(self.summary, row.into(), plane.into());
        let known = self
            .cached_lines
            .iter()
            .position(|line| line.0 == Some(wanted));
        let at = known.unwrap_or_else(|| {
            let oldest = (0..LINE_REGISTERS.len()).min_by_key(|&i| self.cached_lines[i].1);
            let at = oldest.expect("there are registers");
            let word = JitArgument::Count as usize + wanted;
            self.assembler.fetch(
                LINE_REGISTERS[at],
                EffectiveAddress::at(FRAME, 8 * word as i32),
            );
            at
        });
        self.cached_lines[at] = (Some(wanted), self.clock);
        LINE_REGISTERS[at]
    }
}
