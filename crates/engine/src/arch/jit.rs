//! Machine code for rows of cells: made from a listing, checked, and called.
//!
//! What a listing does to memory is told in terms that can be checked before any byte is
//! written: cells by row, plane and word, and numbered vectors of its own. So the code
//! can touch nothing but what [`JitProgram::run`] finds to be there.

use super::assembler::{
    Assembler, BitwiseOp, EffectiveAddress, GeneralRegister, RegisterOrMemory, VectorWidth,
};
use memmap2::{Mmap, MmapMut};
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where a vector is held in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryOperand {
    /// A vector of the program's own that stays as it is until it is written over. The
    /// first [`MemoryOperand::CONSTANTS`] are never to be.
    Slot(u16),
    /// What the body that ran before left in [`MemoryOperand::After`].
    Before(u16),
    After(u16),
    /// Words of cells, `dx` words to the east of those that come out, from `row` rows
    /// below the first new row of a body.
    Cells {
        row: i16,
        plane: u8,
        dx: i8,
    },
}

impl MemoryOperand {
    /// No bit set.
    pub(crate) const ZEROS: Self = Self::Slot(0);
    /// All bits set.
    pub(crate) const ONES: Self = Self::Slot(1);
    /// The words of odd columns.
    pub(crate) const COLUMNS: Self = Self::Slot(2);
    /// All bits set if those rows are odd that are as the first row that comes out, and
    /// if the others are.
    pub(crate) const ROWS: [Self; 2] = [Self::Slot(3), Self::Slot(4)];
    /// How many slots have a meaning.
    pub(crate) const CONSTANTS: u16 = 5;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(u8),
    Memory(MemoryOperand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instruction {
    Load {
        to: u8,
        from: Operand,
    },
    /// To a slot, or [`MemoryOperand::After`].
    Store {
        to: MemoryOperand,
        from: u8,
    },
    /// To the cells that come out.
    Put {
        row: i16,
        plane: u8,
        from: u8,
    },
    Logic {
        logic: BitwiseOp,
        to: u8,
        a: u8,
        b: Operand,
    },
    /// Bit `4 to + 2 b + c` of `table`; in vectors of full width alone.
    Table {
        to: u8,
        b: u8,
        c: Operand,
        table: u8,
    },
}

/// The instructions for some rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct InstructionBlock {
    pub(crate) rows: u16,
    pub(crate) instructions: Vec<Instruction>,
}

/// All that is done to a column of vectors, from the first row down.
#[derive(Clone, Debug)]
pub(crate) struct CodeListing {
    pub(crate) width: VectorWidth,
    pub(crate) planes: u8,
    /// How far below the row that comes out the lowest cells are that are seen.
    pub(crate) reach: i16,
    /// What is to be known before a row can come out: no row does.
    pub(crate) start: InstructionBlock,
    /// The most part of the work.
    pub(crate) main: InstructionBlock,
    /// What is left is done a row at a time, in turns.
    pub(crate) singles: Vec<InstructionBlock>,
    /// How many slots there are, the constants among them.
    pub(crate) slots: u16,
    /// How many vectors go from a body to the next.
    pub(crate) carried: u16,
}

/// How rows lie in memory: see `PlaneKernel::rows`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowLayout {
    pub(crate) stride: usize,
    pub(crate) margin: usize,
    pub(crate) words: usize,
    /// Rows that are seen above the first that comes out, and below the last.
    pub(crate) radius: usize,
    /// Whether the first cell stands in an odd column, and in an odd row.
    pub(crate) corner: (bool, bool),
}

/// A listing as machine code.
#[derive(Debug)]
pub(crate) struct JitProgram {
    code: Mmap,
    /// No two programs have the same.
    number: u64,
    listing: ListingSummary,
}

/// What is to be known of a listing to run it.
#[derive(Clone, Copy, Debug)]
struct ListingSummary {
    width: VectorWidth,
    planes: usize,
    reach: i64,
    /// Rows of the start and of the main body.
    start: i64,
    main: i64,
    /// The furthest word to the west or east.
    aside: usize,
    slots: usize,
    carried: usize,
}

/// Why there is no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JitError {
    /// The processor lacks the instructions, or a test asks for others.
    Processor,
    /// The system gives no memory for code.
    Memory,
    /// The listing looks further than it says, or writes where it must not.
    Listing,
}

/// What the code is given: one word each, then the places of lines.
#[derive(Clone, Copy)]
#[repr(usize)]
enum JitArgument {
    Seen,
    Next,
    /// Bytes of the rows of each body.
    StartBytes,
    MainBytes,
    SingleBytes,
    Slots,
    Carried,
    CarriedNext,
    /// How often to run.
    Columns,
    Mains,
    Singles,
    /// How many of these there are.
    Count,
}

impl JitArgument {
    fn address(self) -> EffectiveAddress {
        EffectiveAddress::at(FRAME, 8 * self as i32)
    }
}

const FRAME: GeneralRegister = GeneralRegister::RBP;
const SEEN: GeneralRegister = GeneralRegister::RSI;
const NEXT: GeneralRegister = GeneralRegister::RDI;
const SLOTS: GeneralRegister = GeneralRegister::RBX;
const BEFORE: GeneralRegister = GeneralRegister::RDX;
const AFTER: GeneralRegister = GeneralRegister::RAX;
const TURNS: GeneralRegister = GeneralRegister::RCX;
/// Hold the places of lines, as bytes from those of row 0.
const LINES: [GeneralRegister; 8] = [
    GeneralRegister(8),
    GeneralRegister(9),
    GeneralRegister(10),
    GeneralRegister(11),
    GeneralRegister(12),
    GeneralRegister(13),
    GeneralRegister(14),
    GeneralRegister(15),
];
/// What a caller wants back as it was.
const KEPT: [GeneralRegister; 6] = [
    GeneralRegister(3),
    GeneralRegister(5),
    GeneralRegister(12),
    GeneralRegister(13),
    GeneralRegister(14),
    GeneralRegister(15),
];

/// Words in a line of the processor's cache, and so of the program's own memory.
const LINE: usize = 8;

#[derive(Clone, Copy)]
#[repr(align(64))]
struct JitScratchLine([u64; LINE]);

/// What programs work in, kept from call to call.
#[derive(Default)]
struct JitScratch {
    lines: Vec<JitScratchLine>,
    frame: Vec<u64>,
    /// The program and the stride that the lines' places are those of.
    of: (u64, usize),
}

thread_local! {
    static ROOM: RefCell<JitScratch> = RefCell::default();
}

/// Whether this processor has vectors of a width, and a test allows them.
pub(crate) fn has(width: VectorWidth) -> bool {
    super::allowed(width.bits() as u32)
        && match width {
            VectorWidth::Full => is_x86_feature_detected!("avx512f"),
            VectorWidth::Half => is_x86_feature_detected!("avx2"),
        }
}

impl JitProgram {
    /// Code for a listing.
    ///
    /// # Errors
    /// When it cannot run here, or does what it must not.
    pub(crate) fn new(listing: &CodeListing) -> Result<Self, JitError> {
        if !has(listing.width) {
            return Err(JitError::Processor);
        }
        let shape = check(listing).ok_or(JitError::Listing)?;
        let code = Writer::write(listing, &shape);
        let mut memory = MmapMut::map_anon(code.len()).map_err(|_| JitError::Memory)?;
        memory.copy_from_slice(&code);
        let code = memory.make_exec().map_err(|_| JitError::Memory)?;
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        Ok(Self {
            code,
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            listing: shape,
        })
    }

    /// The vectors that it works on.
    pub(crate) fn width(&self) -> VectorWidth {
        self.listing.width
    }

    /// Runs it on as many rows as `next` has, or says that the slices are too short.
    #[must_use]
    pub(crate) fn run(&self, rows: RowLayout, seen: &[u64], next: &mut [u64]) -> bool {
        let shape = &self.listing;
        let line = rows.stride.saturating_mul(shape.planes);
        if line == 0 || next.is_empty() {
            return false;
        }
        let height = next.len().div_ceil(line);
        // The last words of all that the code looks at, and that it writes.
        let last_line = (shape.planes - 1).saturating_mul(rows.stride);
        let last_word = last_line
            .saturating_add(rows.margin)
            .saturating_add(rows.words);
        let lowest = height as i64 - 1 + shape.reach + rows.radius as i64;
        let Ok(lowest) = usize::try_from(lowest) else {
            return false;
        };
        let seen_words = lowest.saturating_mul(line).saturating_add(last_word);
        let next_words = (height - 1).saturating_mul(line).saturating_add(last_word);
        // Of the rows before the first that comes out.
        let first = rows.radius as i64 + shape.reach - shape.start;
        let fits = first >= 0
            && rows.margin >= shape.aside
            && rows.words.is_multiple_of(shape.width.words())
            && seen_words.saturating_add(shape.aside) <= seen.len()
            && next_words <= next.len();
        if !fits {
            return false;
        }
        if rows.words == 0 {
            return true;
        }
        ROOM.with_borrow_mut(|room| {
            room.prepare(self, rows, line);
            let main = shape.main as usize;
            let start = first as usize * line + rows.margin;
            let start = seen.as_ptr().wrapping_add(start);
            let bytes = |count: usize| (8 * count * line) as u64;
            let slots = room.lines.as_mut_ptr().expose_provenance() as u64;
            let carried = slots + (shape.slots * shape.width.bytes()) as u64;
            let apart = (shape.carried * shape.width.bytes()) as u64;
            let mut give = |what: JitArgument, value: u64| room.frame[what as usize] = value;
            give(JitArgument::Seen, start.expose_provenance() as u64);
            let next = next.as_mut_ptr().wrapping_add(rows.margin);
            give(JitArgument::Next, next.expose_provenance() as u64);
            give(JitArgument::StartBytes, bytes(shape.start as usize));
            give(JitArgument::MainBytes, bytes(main));
            give(JitArgument::SingleBytes, bytes(1));
            give(JitArgument::Slots, slots);
            give(JitArgument::Carried, carried);
            give(JitArgument::CarriedNext, carried + apart);
            give(
                JitArgument::Columns,
                (rows.words / shape.width.words()) as u64,
            );
            give(JitArgument::Mains, (height / main) as u64);
            give(JitArgument::Singles, (height % main) as u64);
            // SAFETY: the bytes are a function that takes one pointer, written whole by
            // `Writer`, in memory that may be run and that nothing writes to any more;
            // the processor was found to have the instructions when it was made. `check`
            // has seen that it reads cells only of rows from `first` to `lowest`, of its
            // planes, at most `aside` words beside the column, and writes only rows
            // that come out; above, these were found to lie in `seen` and `next`, which
            // are borrowed for as long. `prepare` has made the room as long as the slots
            // and what is carried. It keeps the registers that a caller wants kept.
            unsafe {
                let code: unsafe extern "sysv64" fn(*mut u64) =
                    std::mem::transmute(self.code.as_ptr());
                code(room.frame.as_mut_ptr());
            }
        });
        true
    }
}

impl JitScratch {
    /// Makes the room as large as a program needs, and sets what does not depend on where
    /// the cells are.
    fn prepare(&mut self, program: &JitProgram, rows: RowLayout, line: usize) {
        let shape = &program.listing;
        let bytes = shape.width.bytes();
        let vectors = shape.slots + 2 * shape.carried;
        let lines = (vectors * bytes).div_ceil(size_of::<JitScratchLine>());
        if self.lines.len() < lines {
            self.lines.resize(lines, JitScratchLine([0; LINE]));
        }
        let of = (program.number, rows.stride);
        if self.of != of {
            self.of = of;
            let places = line_places(shape);
            let count = JitArgument::Count as usize;
            self.frame.clear();
            self.frame.resize(count + places, 0);
            for row in -shape.start..shape.start.max(shape.main) {
                for plane in 0..shape.planes {
                    let words = row * line as i64 + (plane * rows.stride) as i64;
                    let at = count + line_place(shape, row, plane);
                    self.frame[at] = (8 * words) as u64;
                }
            }
        }
        let (x, y) = rows.corner;
        let all = |set: bool| if set { u64::MAX } else { 0 };
        let constants = [[false, false], [true, true], [x, !x], [y, y], [!y, !y]];
        let words = shape.width.words();
        for (slot, pair) in constants.into_iter().enumerate() {
            for word in 0..words {
                let at = slot * words + word;
                self.lines[at / LINE].0[at % LINE] = all(pair[word % 2]);
            }
        }
    }
}

/// How many lines' places a program knows.
fn line_places(shape: &ListingSummary) -> usize {
    (shape.start + shape.start.max(shape.main)) as usize * shape.planes
}

/// Where the place of a line is among those.
fn line_place(shape: &ListingSummary, row: i64, plane: usize) -> usize {
    (row + shape.start) as usize * shape.planes + plane
}

/// What is to be known of a listing, if it does only what it may.
fn check(listing: &CodeListing) -> Option<ListingSummary> {
    let width = listing.width;
    let (start, main) = (i64::from(listing.start.rows), i64::from(listing.main.rows));
    let mut aside = 0;
    let mut body_is_right = |body: &InstructionBlock, rows: std::ops::Range<i64>, starts: bool| {
        let mut memory = |memory: MemoryOperand| match memory {
            MemoryOperand::Slot(slot) => slot < listing.slots,
            MemoryOperand::Before(carried) => !starts && carried < listing.carried,
            MemoryOperand::After(carried) => carried < listing.carried,
            MemoryOperand::Cells { row, plane, dx } => {
                aside = aside.max(usize::from(dx.unsigned_abs()));
                rows.contains(&row.into()) && plane < listing.planes
            }
        };
        let register = |register: u8| usize::from(register) < width.registers();
        let mut operand = |operand: Operand| match operand {
            Operand::Register(number) => register(number),
            Operand::Memory(place) => memory(place),
        };
        body.instructions
            .iter()
            .all(|&instruction| match instruction {
                Instruction::Load { to, from } => register(to) && operand(from),
                Instruction::Store { to, from } => {
                    let writable = match to {
                        MemoryOperand::Slot(slot) => {
                            slot >= MemoryOperand::CONSTANTS && slot < listing.slots
                        }
                        MemoryOperand::After(carried) => carried < listing.carried,
                        MemoryOperand::Before(_) | MemoryOperand::Cells { .. } => false,
                    };
                    writable && register(from)
                }
                Instruction::Put { row, plane, from } => {
                    let row = i64::from(row);
                    let comes_out = !starts && row >= 0 && row < i64::from(body.rows);
                    comes_out && plane < listing.planes && register(from)
                }
                Instruction::Logic { to, a, b, .. } => register(to) && register(a) && operand(b),
                Instruction::Table { to, b, c, .. } => {
                    width == VectorWidth::Full && register(to) && register(b) && operand(c)
                }
            })
    };
    // A body that comes later may look back as far as the start has gone.
    let right = listing.planes > 0
        && main > 0
        && !listing.singles.is_empty()
        && listing.slots >= MemoryOperand::CONSTANTS
        && body_is_right(&listing.start, 0..start, true)
        && body_is_right(&listing.main, -start..main, false)
        && listing
            .singles
            .iter()
            .all(|single| single.rows == 1 && body_is_right(single, -start..1, false));
    right.then_some(ListingSummary {
        width,
        planes: listing.planes.into(),
        reach: listing.reach.into(),
        start,
        main,
        aside,
        slots: listing.slots.into(),
        carried: listing.carried.into(),
    })
}

/// Writes the code of a listing.
struct Writer<'a> {
    assembler: Assembler,
    shape: &'a ListingSummary,
    /// The line whose place each register of [`LINES`] holds, and when it was last used.
    held: [(Option<usize>, u64); LINES.len()],
    clock: u64,
}

impl<'a> Writer<'a> {
    fn write(listing: &CodeListing, shape: &'a ListingSummary) -> Vec<u8> {
        let mut writer = Self {
            assembler: Assembler::default(),
            shape,
            held: [(None, 0); LINES.len()],
            clock: 0,
        };
        writer.all(listing);
        writer.assembler.code().to_vec()
    }

    fn all(&mut self, listing: &CodeListing) {
        for register in KEPT {
            self.assembler.push(register);
        }
        self.assembler.copy(FRAME, GeneralRegister::RDI);
        self.assembler.fetch(SLOTS, JitArgument::Slots.address());
        let column = self.assembler.here();
        for (register, given) in [
            (SEEN, JitArgument::Seen),
            (NEXT, JitArgument::Next),
            // The start leaves what the first body finds.
            (AFTER, JitArgument::Carried),
            (BEFORE, JitArgument::CarriedNext),
        ] {
            self.assembler.fetch(register, given.address());
        }
        self.body(&listing.start);
        self.assembler.exchange(BEFORE, AFTER);
        self.assembler.add(SEEN, JitArgument::StartBytes.address());

        self.assembler.fetch(TURNS, JitArgument::Mains.address());
        self.assembler.test(TURNS);
        let none = self.assembler.skip_if_zero();
        let again = self.assembler.here();
        self.body(&listing.main);
        self.go_on(JitArgument::MainBytes);
        self.assembler.jump_unless_zero(again);
        self.assembler.land(none);

        self.assembler.fetch(TURNS, JitArgument::Singles.address());
        self.assembler.test(TURNS);
        let mut done = vec![self.assembler.skip_if_zero()];
        let again = self.assembler.here();
        for (turn, single) in listing.singles.iter().enumerate() {
            self.body(single);
            self.go_on(JitArgument::SingleBytes);
            if turn + 1 < listing.singles.len() {
                done.push(self.assembler.skip_if_zero());
            }
        }
        self.assembler.jump_unless_zero(again);
        for jump in done {
            self.assembler.land(jump);
        }

        let bytes = self.shape.width.bytes() as i8;
        self.assembler.add_to(JitArgument::Seen.address(), bytes);
        self.assembler.add_to(JitArgument::Next.address(), bytes);
        self.assembler
            .decrement(RegisterOrMemory::Memory(JitArgument::Columns.address()));
        self.assembler.jump_unless_zero(column);
        self.assembler.forget_upper();
        for register in KEPT.into_iter().rev() {
            self.assembler.pop(register);
        }
        self.assembler.back();
    }

    /// To the rows of the next body.
    fn go_on(&mut self, bytes: JitArgument) {
        self.assembler.add(SEEN, bytes.address());
        self.assembler.add(NEXT, bytes.address());
        self.assembler.exchange(BEFORE, AFTER);
        self.assembler
            .decrement(RegisterOrMemory::Register(TURNS.0));
    }

    fn body(&mut self, body: &InstructionBlock) {
        // What the registers hold where a loop begins again is not known here.
        self.held = [(None, 0); LINES.len()];
        let width = self.shape.width;
        for &instruction in &body.instructions {
            match instruction {
                Instruction::Load { to, from } => {
                    let from = self.operand(from);
                    self.assembler.load(width, to, from);
                }
                Instruction::Store { to, from } => {
                    let to = self.memory(to);
                    self.assembler.store(width, to, from);
                }
                Instruction::Put { row, plane, from } => {
                    let line = self.line(row, plane);
                    let to = EffectiveAddress {
                        base: NEXT,
                        index: Some(line),
                        offset: 0,
                    };
                    self.assembler.store(width, to, from);
                }
                Instruction::Logic { logic, to, a, b } => {
                    let b = self.operand(b);
                    self.assembler.logic(width, logic, to, a, b);
                }
                Instruction::Table { to, b, c, table } => {
                    let c = self.operand(c);
                    self.assembler.table(to, b, c, table);
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
        let bytes = |number: u16| i32::from(number) * self.shape.width.bytes() as i32;
        match memory {
            MemoryOperand::Slot(slot) => EffectiveAddress::at(SLOTS, bytes(slot)),
            MemoryOperand::Before(carried) => EffectiveAddress::at(BEFORE, bytes(carried)),
            MemoryOperand::After(carried) => EffectiveAddress::at(AFTER, bytes(carried)),
            MemoryOperand::Cells { row, plane, dx } => EffectiveAddress {
                base: SEEN,
                index: Some(self.line(row, plane)),
                offset: 8 * i32::from(dx),
            },
        }
    }

    /// A register that holds the place of a line.
    fn line(&mut self, row: i16, plane: u8) -> GeneralRegister {
        self.clock += 1;
        let wanted = line_place(self.shape, row.into(), plane.into());
        let known = self.held.iter().position(|held| held.0 == Some(wanted));
        let at = known.unwrap_or_else(|| {
            let oldest = (0..LINES.len()).min_by_key(|&i| self.held[i].1);
            let at = oldest.expect("there are registers");
            let word = JitArgument::Count as usize + wanted;
            self.assembler
                .fetch(LINES[at], EffectiveAddress::at(FRAME, 8 * word as i32));
            at
        });
        self.held[at] = (Some(wanted), self.clock);
        LINES[at]
    }
}
