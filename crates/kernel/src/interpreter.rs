//! An interpreter of circuits: each step of a program is done for a block of rows before the
//! next.
//!
//! A register holds one vector for each row of the block and of its surroundings, so that
//! decoding a step is amortised over a block, and a gate is computed once for every row that
//! reads it. Interpreting a block at a time is the method of P. Boncz, M. Zukowski and N. Nes,
//! "MonetDB/X100: hyper-pipelining query execution" (2005).

use super::circuit::{Circuit, CircuitWire, Gate, ParityAxis};
use crate::backend::{CircuitBackend, CircuitShape, CompiledCircuit, PlaneLayout};
use crate::hasher::MixMap;
use crate::simd::{SimdElement, SimdTask, Vector, vector_bits};
use std::any::Any;
use std::cell::Cell;
use std::sync::Arc;

/// Rows of a block including those around it, at most: the more, the less is computed twice
/// and the less it costs to decode a step.
const BLOCK_HEIGHTS: [usize; 4] = [64, 48, 32, 24];

/// Rows of a block where few are stepped at a time: where there are fewer, vectors are skipped, and
/// where there are more, what is around a block is computed twice.
const FEW_ROWS: usize = 16;

/// Bytes of all registers with the widest vectors. More than a first-level cache of 48 KiB is
/// worth it: spilled registers are read back in order, and R5 squares went from 7 to 9.6
/// thousand million cells a second with blocks twice as high.
const REGISTER_BYTES: usize = 80 << 10;

/// Vectors per iteration of a step's loop.
const CHUNK: usize = 4;

/// A circuit to be run over rows of words: interpreted, or as a backend compiled it.
#[derive(Clone, Debug)]
pub struct CircuitProgram {
    steps: Vec<CircuitStep>,
    /// The operands that hold the next states, one per plane.
    results: Vec<CircuitOperand>,
    planes: usize,
    radius: usize,
    /// Output rows of a block.
    rows: usize,
    /// The number of registers (the first is all zeros, the second all ones), and the number of
    /// vectors in each.
    registers: usize,
    register: usize,
    /// What a backend made of the same circuit, which is preferred.
    compiled: Option<Arc<dyn CompiledCircuit>>,
}

/// The operation of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CircuitOperation {
    /// Loads a plane's words `dx` to the east, from row `low` on.
    Load {
        plane: u8,
        dx: i8,
        low: i8,
    },
    /// The parity of columns, or of rows from row `low` on.
    Parity {
        axis: ParityAxis,
        low: i8,
    },
    Not,
    And,
    AndNot,
    Or,
    Xor,
    Xor3,
    Majority,
    /// A full adder: the sum into the target, the carry into `other`.
    Add,
    /// A half adder: the sum into the target, the carry into `other`.
    HalfAdd,
    Choose,
}

/// The rows of a register from `row` on.
#[derive(Clone, Copy, Debug, Default)]
struct CircuitOperand {
    register: u16,
    row: u16,
}

#[derive(Clone, Copy, Debug)]
struct CircuitStep {
    operation: CircuitOperation,
    /// The number of iterations of [`CHUNK`] vectors.
    chunks: u16,
    a: CircuitOperand,
    b: CircuitOperand,
    c: CircuitOperand,
    target: u16,
    other: u16,
}

/// The rows, relative to the block, in which a gate's value is needed.
#[derive(Clone, Copy)]
struct GateRowRange {
    low: i32,
    high: i32,
}

impl CircuitProgram {
    /// Compiles a circuit; `outputs` are the next states, one wire per plane.
    ///
    /// ```
    /// use kernel::circuit::Circuit;
    /// use kernel::{CircuitProgram, CircuitShape, InterpreterOnly};
    ///
    /// // a cell lives where just one of the cells beside it does
    /// let mut circuit = Circuit::new();
    /// let (west, east) = (circuit.cell(0, -1, 0), circuit.cell(0, 1, 0));
    /// let next = [circuit.xor(west, east)];
    /// let shape = CircuitShape { planes: 1, radius: 1, height: None };
    /// let program = CircuitProgram::compile(&circuit, &next, shape, &InterpreterOnly);
    /// assert!(format!("{program:?}").contains("Xor"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(
        circuit: &Circuit,
        outputs: &[CircuitWire],
        shape: CircuitShape,
        backend: &dyn CircuitBackend,
    ) -> Self {
        let CircuitShape { planes, radius, .. } = shape;
        let fits = |steps: &Self| steps.registers * steps.register * 64 <= REGISTER_BYTES;
        let mut candidates = Vec::new();
        for height in BLOCK_HEIGHTS {
            let rows = height.saturating_sub(2 * radius).max(8);
            let rows = shape.height.map_or(rows, |height| FEW_ROWS.max(height));
            for schedule in [
                Self::in_order(circuit, outputs),
                Self::by_demand(circuit, outputs),
            ] {
                let steps = Self::scheduled(circuit, outputs, &schedule, planes, radius, rows);
                candidates.push(steps);
            }
            candidates.sort_by_key(|steps| steps.registers * steps.register);
            if fits(&candidates[0]) {
                break;
            }
            candidates.truncate(1);
        }
        let mut steps = candidates.swap_remove(0);
        steps.compiled = backend.compile(circuit, outputs, shape);
        steps
    }

    /// The live gates in order of creation.
    fn in_order(circuit: &Circuit, outputs: &[CircuitWire]) -> Vec<usize> {
        let live = circuit.live_gates(outputs);
        (2..circuit.gates().len()).filter(|&g| live[g]).collect()
    }

    /// Each gate just before its first reader.
    fn by_demand(circuit: &Circuit, outputs: &[CircuitWire]) -> Vec<usize> {
        let gates = circuit.gates();
        let mut done = vec![false; gates.len()];
        let mut schedule = Vec::new();
        for output in outputs {
            let mut open = vec![output.gate as usize];
            while let Some(&g) = open.last() {
                let inputs = gates[g].inputs();
                let missing = inputs.iter().map(|w| w.gate as usize);
                let missing = missing.filter(|&i| i > 1 && !done[i]).max();
                if let Some(missing) = missing {
                    open.push(missing);
                    continue;
                }
                open.pop();
                if g > 1 && !done[g] {
                    done[g] = true;
                    schedule.push(g);
                }
            }
        }
        schedule
    }

    fn scheduled(
        circuit: &Circuit,
        outputs: &[CircuitWire],
        schedule: &[usize],
        planes: usize,
        radius: usize,
        block: usize,
    ) -> Self {
        let gates = circuit.gates();
        let partner = adder_partners(circuit, outputs);
        let row_ranges = row_ranges(circuit, outputs, &partner);
        let rows = |range: GateRowRange| block + (range.high - range.low) as usize;
        let longest = schedule.iter().map(|&g| rows(row_ranges[g]));
        let longest = longest.max().unwrap_or(block);
        let register = longest.next_multiple_of(CHUNK) + CHUNK;

        // Both halves of an adder are one step, at the position of the first.
        let mut scheduled_gates = vec![false; gates.len()];
        let mut order = Vec::new();
        for &g in schedule {
            if partner[g].is_none_or(|other| !scheduled_gates[other]) {
                scheduled_gates[g] = true;
                order.push(g);
            }
        }
        let mut last_read = vec![0; gates.len()];
        for (at, &g) in order.iter().enumerate() {
            for wire in gates[g].inputs() {
                last_read[wire.gate as usize] = at;
            }
        }
        for wire in outputs {
            last_read[wire.gate as usize] = usize::MAX;
        }
        let mut register_of = vec![0; gates.len()];
        register_of[CircuitWire::ONES.gate as usize] = 1;
        let mut registers = 2;
        let mut free: Vec<usize> = Vec::new();
        let mut steps = Vec::new();
        for (at, &g) in order.iter().enumerate() {
            let mut allocate = || {
                free.pop().unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                })
            };
            register_of[g] = allocate();
            if let Some(other) = partner[g] {
                register_of[other] = allocate();
            }
            let operand_of = |wire: CircuitWire| {
                let gate = wire.gate as usize;
                let row = if gate > 1 {
                    row_ranges[g].low + wire.dy - row_ranges[gate].low
                } else {
                    0
                };
                CircuitOperand {
                    register: register_of[gate] as u16,
                    row: row as u16,
                }
            };
            let inputs = gates[g].inputs();
            let operand = |k: usize| {
                inputs
                    .get(k)
                    .map_or(CircuitOperand::default(), |&wire| operand_of(wire))
            };
            let carry_first = matches!(gates[g], Gate::And(..) | Gate::Majority(_));
            let (target, other) = match partner[g] {
                Some(other) if carry_first => (register_of[other], register_of[g]),
                Some(other) => (register_of[g], register_of[other]),
                None => (register_of[g], 0),
            };
            steps.push(CircuitStep {
                operation: operation(gates[g], partner[g].is_some(), row_ranges[g].low),
                chunks: rows(row_ranges[g]).div_ceil(CHUNK) as u16,
                a: operand(0),
                b: operand(1),
                c: operand(2),
                target: target as u16,
                other: other as u16,
            });
            // Not reused as the target of the step that reads it: it reads rows after others have
            // been written.
            let mut done: Vec<usize> = inputs.iter().map(|w| w.gate as usize).collect();
            done.sort_unstable();
            done.dedup();
            let done = done.into_iter().filter(|&d| d > 1 && last_read[d] == at);
            free.extend(done.map(|d| register_of[d]));
        }
        let operand_of = |wire: &CircuitWire| {
            let g = wire.gate as usize;
            let low = if g > 1 { row_ranges[g].low } else { 0 };
            CircuitOperand {
                register: register_of[g] as u16,
                row: (wire.dy - low) as u16,
            }
        };
        Self {
            results: outputs.iter().map(operand_of).collect(),
            steps,
            planes,
            radius,
            rows: block,
            registers,
            register,
            compiled: None,
        }
    }

    /// What a backend made of it, if that may be used.
    fn compiled(&self) -> Option<&dyn CompiledCircuit> {
        self.compiled.as_deref().filter(|it| it.is_enabled())
    }

    /// Output rows of a block.
    pub(super) fn block(&self) -> usize {
        self.compiled().map_or(self.rows, CompiledCircuit::block)
    }

    /// The number of words that are stepped together: lines must be multiples of it.
    pub(super) fn words(&self) -> usize {
        let interpreted = || vector_bits() / 64;
        self.compiled()
            .map_or_else(interpreted, CompiledCircuit::words)
    }

    /// See `PlaneKernel::work`.
    pub(super) fn work(&self) -> usize {
        /// Instructions per step of the interpreter.
        const STEP: usize = 4;
        let interpreted = || STEP * self.len() * 512 / vector_bits();
        self.compiled()
            .map_or_else(interpreted, CompiledCircuit::work)
    }

    /// Whether it is not interpreted.
    pub(super) fn is_compiled(&self) -> bool {
        self.compiled().is_some()
    }

    /// A description for users.
    pub(super) fn describe(&self) -> String {
        let interpreted = || format!("{} logic steps over rows of words", self.len());
        self.compiled()
            .map_or_else(interpreted, CompiledCircuit::describe)
    }

    /// The number of steps of the interpreter.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// See `PlaneKernel::rows`.
    pub(crate) fn rows(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        if let Some(compiled) = self.compiled()
            && compiled.rows(layout, seen, next)
        {
            return;
        }
        self.interpret(layout, seen, next);
    }

    /// Runs the interpreter, even if there is machine code.
    ///
    /// ```
    /// use kernel::circuit::Circuit;
    /// use kernel::{CircuitProgram, CircuitShape, InterpreterOnly, PlaneLayout};
    ///
    /// // a cell lives where just one of the cells beside it does
    /// let mut circuit = Circuit::new();
    /// let (west, east) = (circuit.cell(0, -1, 0), circuit.cell(0, 1, 0));
    /// let next = [circuit.xor(west, east)];
    /// let shape = CircuitShape { planes: 1, radius: 1, height: None };
    /// let program = CircuitProgram::compile(&circuit, &next, shape, &InterpreterOnly);
    ///
    /// let layout = PlaneLayout { stride: 10, margin: 1, words: 8, corner: (false, false) };
    /// let (mut rows, mut out) = ([0; 30], [0; 10]);
    /// rows[10 + 4] = 1; // in the second of three rows
    /// program.interpret(layout, &rows, &mut out);
    /// assert_eq!(out[3..6], [1, 0, 1], "the cells beside it are in the words beside it");
    /// ```
    pub fn interpret(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        u64::dispatch(CircuitTask {
            program: self,
            layout,
            seen,
            next,
        });
    }
}

impl GateRowRange {
    const NONE: Self = Self {
        low: i32::MAX,
        high: i32::MIN,
    };

    fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// The other half of each gate that is half of an adder.
fn adder_partners(circuit: &Circuit, outputs: &[CircuitWire]) -> Vec<Option<usize>> {
    let gates = circuit.gates();
    let live = circuit.live_gates(outputs);
    let known: MixMap<Gate, usize> = gates.iter().zip(0..).map(|(&gate, g)| (gate, g)).collect();
    let partner = |g: usize| {
        let other = match gates[g] {
            Gate::Xor3(abc) => Gate::Majority(abc),
            Gate::Majority(abc) => Gate::Xor3(abc),
            Gate::Xor(a, b) => Gate::And(a, b),
            Gate::And(a, b) => Gate::Xor(a, b),
            _ => return None,
        };
        let other = known.get(&other).copied();
        other.filter(|&other| live[g] && live[other])
    };
    (0..gates.len()).map(partner).collect()
}

/// The rows in which each gate is needed; both halves of an adder where either is.
fn row_ranges(
    circuit: &Circuit,
    outputs: &[CircuitWire],
    partner: &[Option<usize>],
) -> Vec<GateRowRange> {
    let gates = circuit.gates();
    let live = circuit.live_gates(outputs);
    let mut row_ranges = vec![GateRowRange::NONE; gates.len()];
    for wire in outputs {
        let own = GateRowRange {
            low: wire.dy,
            high: wire.dy,
        };
        let range = &mut row_ranges[wire.gate as usize];
        *range = range.with(own);
    }
    for g in (2..gates.len()).rev() {
        // The inputs of an adder precede both halves: they are handled with the earlier half,
        // when the ranges of both are known.
        if !live[g] || partner[g].is_some_and(|other| other < g) {
            continue;
        }
        if let Some(other) = partner[g] {
            let both = row_ranges[g].with(row_ranges[other]);
            row_ranges[g] = both;
            row_ranges[other] = both;
        }
        let range = row_ranges[g];
        for wire in gates[g].inputs() {
            let seen = GateRowRange {
                low: range.low + wire.dy,
                high: range.high + wire.dy,
            };
            let input = &mut row_ranges[wire.gate as usize];
            *input = input.with(seen);
        }
    }
    row_ranges
}

fn operation(gate: Gate, partner: bool, low: i32) -> CircuitOperation {
    match gate {
        Gate::Constant(_) => unreachable!("constants have registers of their own"),
        Gate::Cell { plane, dx } => CircuitOperation::Load {
            plane,
            dx: dx as i8,
            low: low as i8,
        },
        Gate::Parity(axis) => CircuitOperation::Parity {
            axis,
            low: low as i8,
        },
        Gate::Not(_) => CircuitOperation::Not,
        Gate::And(..) | Gate::Xor(..) if partner => CircuitOperation::HalfAdd,
        Gate::Xor3(_) | Gate::Majority(_) if partner => CircuitOperation::Add,
        Gate::And(..) => CircuitOperation::And,
        Gate::AndNot(..) => CircuitOperation::AndNot,
        Gate::Or(..) => CircuitOperation::Or,
        Gate::Xor(..) => CircuitOperation::Xor,
        Gate::Xor3(_) => CircuitOperation::Xor3,
        Gate::Majority(_) => CircuitOperation::Majority,
        Gate::Choose(_) => CircuitOperation::Choose,
    }
}

/// Masks of the words in odd columns, for a row that begins in an even one.
const EVERY_OTHER: [u64; 9] = [0, u64::MAX, 0, u64::MAX, 0, u64::MAX, 0, u64::MAX, 0];

struct CircuitTask<'a> {
    program: &'a CircuitProgram,
    layout: PlaneLayout,
    seen: &'a [u64],
    next: &'a mut [u64],
}

/// Applies an expression to all vectors of a step.
macro_rules! each {
    ($work:ident, |$($input:ident: $operand:ident),+| $result:expr) => {{
        let CircuitStepContext { registers, step, count } = $work;
        let target = registers.rows(step.target(), count);
        $(let $input = registers.rows(step.$operand, count);)+
        for at in (0..count).step_by(CHUNK) {
            let target = &target[at..][..CHUNK];
            $(let $input = &$input[at..][..CHUNK];)+
            for i in 0..CHUNK {
                $(let $input = $input[i].get();)+
                target[i].set($result);
            }
        }
    }};
}

/// Applies two expressions, for steps with two results.
macro_rules! both {
    ($work:ident, |$($input:ident: $operand:ident),+| $first:expr, $second:expr) => {{
        let CircuitStepContext { registers, step, count } = $work;
        let target = registers.rows(step.target(), count);
        let other = registers.rows(step.other(), count);
        $(let $input = registers.rows(step.$operand, count);)+
        for at in (0..count).step_by(CHUNK) {
            let (target, other) = (&target[at..][..CHUNK], &other[at..][..CHUNK]);
            $(let $input = &$input[at..][..CHUNK];)+
            for i in 0..CHUNK {
                $(let $input = $input[i].get();)+
                target[i].set($first);
                other[i].set($second);
            }
        }
    }};
}

thread_local! {
    /// Registers of the last program of this thread. Leaves are stepped a few rows at a time, and to
    /// make registers anew took a quarter of it.
    static UNUSED: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// The vectors of all registers, one register after the other.
struct CircuitRegisters<V>(Vec<V>);

impl<V: Vector<u64>> CircuitRegisters<V> {
    /// Registers for a program: the first two with their constants, the others with anything.
    fn borrow(program: &CircuitProgram) -> Box<Self> {
        let unused = UNUSED.take().and_then(|unused| unused.downcast().ok());
        let mut registers: Box<Self> = unused.unwrap_or_else(|| Box::new(Self(Vec::new())));
        let length = program.registers * program.register;
        if registers.0.len() < length {
            registers.0.resize(length, V::ZERO);
        }
        registers.0[..program.register].fill(V::ZERO);
        registers.0[program.register..2 * program.register].fill(V::ONES);
        registers
    }

    /// Keeps the memory for the next time.
    fn give_back(self: Box<Self>) {
        UNUSED.set(Some(self));
    }
}

/// Registers of so many vectors, each of which may be read while another is written.
#[derive(Clone, Copy)]
struct RegisterView<'a, V> {
    vectors: &'a [Cell<V>],
    register: usize,
}

impl<'a, V> RegisterView<'a, V> {
    #[inline(always)]
    fn rows(self, operand: CircuitOperand, count: usize) -> &'a [Cell<V>] {
        let start = usize::from(operand.register) * self.register + usize::from(operand.row);
        &self.vectors[start..][..count]
    }
}

impl CircuitStep {
    #[inline(always)]
    fn target(&self) -> CircuitOperand {
        CircuitOperand {
            register: self.target,
            row: 0,
        }
    }

    #[inline(always)]
    fn other(&self) -> CircuitOperand {
        CircuitOperand {
            register: self.other,
            row: 0,
        }
    }
}

/// A step and its registers.
struct CircuitStepContext<'a, V> {
    registers: RegisterView<'a, V>,
    step: &'a CircuitStep,
    /// The number of vectors.
    count: usize,
}

impl SimdTask<u64> for CircuitTask<'_> {
    // Loops and no closures: the compiler does not always inline those, and what is not
    // inlined is not compiled for the vectors.
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self {
            program,
            layout,
            seen,
            next,
        } = self;
        let line = layout.stride * program.planes;
        let height = next.len().div_ceil(line);
        let last = (height + 2 * program.radius).saturating_sub(1);
        let mut kept = CircuitRegisters::<V>::borrow(program);
        let registers = RegisterView {
            vectors: Cell::from_mut(&mut kept.0[..]).as_slice_of_cells(),
            register: program.register,
        };
        for top in (0..height).step_by(program.rows) {
            let rows = program.rows.min(height - top);
            // Iterations that a block of fewer rows skips.
            let skipped = (program.rows - rows) / CHUNK;
            for at in (0..layout.words).step_by(V::LANES) {
                for step in &program.steps {
                    let count = (usize::from(step.chunks) - skipped) * CHUNK;
                    let work = CircuitStepContext {
                        registers,
                        step,
                        count,
                    };
                    match step.operation {
                        CircuitOperation::Load { plane, dx, low } => {
                            let column = (layout.margin + at).wrapping_add_signed(dx.into())
                                + usize::from(plane) * layout.stride;
                            let first = (top + program.radius).wrapping_add_signed(low.into());
                            let target = registers.rows(step.target(), count);
                            for (i, target) in target.iter().enumerate() {
                                let row = last.min(first + i);
                                target.set(V::load(&seen[row * line + column..]));
                            }
                        }
                        CircuitOperation::Parity {
                            axis: ParityAxis::X,
                            ..
                        } => {
                            let odd = (at ^ usize::from(layout.corner.0)) & 1;
                            let columns = V::load(&EVERY_OTHER[odd..]);
                            for target in registers.rows(step.target(), count) {
                                target.set(columns);
                            }
                        }
                        CircuitOperation::Parity {
                            axis: ParityAxis::Y,
                            low,
                        } => {
                            let first = (top + usize::from(layout.corner.1))
                                .wrapping_add_signed(low.into());
                            let target = registers.rows(step.target(), count);
                            for (i, target) in target.iter().enumerate() {
                                target.set(V::all(first.wrapping_add(i) & 1 == 1));
                            }
                        }
                        CircuitOperation::Not => each!(work, |a: a| !a),
                        CircuitOperation::And => each!(work, |a: a, b: b| a & b),
                        CircuitOperation::AndNot => each!(work, |a: a, b: b| a & !b),
                        CircuitOperation::Or => each!(work, |a: a, b: b| a | b),
                        CircuitOperation::Xor => each!(work, |a: a, b: b| a ^ b),
                        CircuitOperation::Xor3 => each!(work, |a: a, b: b, c: c| a.xor3(b, c)),
                        CircuitOperation::Majority => {
                            each!(work, |a: a, b: b, c: c| a.majority(b, c))
                        }
                        CircuitOperation::Choose => each!(work, |a: a, b: b, c: c| a.choose(b, c)),
                        CircuitOperation::HalfAdd => both!(work, |a: a, b: b| a ^ b, a & b),
                        CircuitOperation::Add => {
                            both!(work, |a: a, b: b, c: c| a.xor3(b, c), a.majority(b, c))
                        }
                    }
                }
                for (plane, results) in program.results.iter().enumerate() {
                    let results = registers.rows(*results, rows);
                    let start = top * line + plane * layout.stride + layout.margin + at;
                    for (i, result) in results.iter().enumerate() {
                        result.get().store(&mut next[start + i * line..]);
                    }
                }
            }
        }
        kept.give_back();
    }
}
