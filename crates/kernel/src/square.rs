//! Circuits over squares of 16 x 16 cells, for worlds that are stepped square by square.
//!
//! Squares are stacked, one above another, so that decoding a step is amortised over eight of
//! them. Rows at the border of a square read those of the next square, which are as wrong as
//! any other values there.

use super::circuit::{Circuit, CircuitWire, Gate, ParityAxis};
use super::synthesis;
use crate::simd::{SimdElement, SimdTask, Vector};
use rule::Rule;
use std::cell::RefCell;

/// A rule of radius 1 as boolean logic over the bit planes of a small square, each a
/// [`SquarePlane`].
///
/// The circuits are those of [`super::PlaneKernel`], but a cell's neighbours to the
/// east and west are the adjacent bits, so that a whole plane is one short vector.
#[derive(Clone, Debug)]
pub struct SquareKernel {
    planes: usize,
    /// One program per phase.
    phases: Vec<SquareProgram>,
    what: &'static str,
}

/// A bit of each cell of up to [`STACK`] squares: bit x of row y of square s in row 16 s + y.
pub type SquarePlane = [u16; ROWS];

/// Squares that a step processes together.
pub const STACK: usize = 8;

const SIDE: usize = 16;

const ROWS: usize = STACK * SIDE;

/// Rows of padding of a register above and below the squares, with undefined contents: gates
/// may read them, which affects only cells at the border.
const PADDING: usize = 8;

type SquareRegister = [u16; ROWS + 2 * PADDING];

/// Gates in topological order, each with a register of its own, after the two constants.
#[derive(Clone, Debug)]
struct SquareProgram {
    steps: Vec<SquareStep>,
    results: Vec<SquareOperand>,
}

#[derive(Clone, Copy, Debug)]
struct SquareStep {
    operation: SquareOperation,
    a: SquareOperand,
    b: SquareOperand,
    c: SquareOperand,
}

#[derive(Clone, Copy, Debug)]
enum SquareOperation {
    Load { plane: u8, dx: i8 },
    Column,
    Row,
    Not,
    And,
    AndNot,
    Or,
    Xor,
    Xor3,
    Majority,
    Choose,
}

/// The rows of a register from `row` on.
#[derive(Clone, Copy, Debug, Default)]
struct SquareOperand {
    register: u16,
    row: u16,
}

impl SquareKernel {
    /// Compiles rules of radius 1 whose circuit has at most `most` steps; none for others.
    ///
    /// ```
    /// use kernel::SquareKernel;
    ///
    /// assert!(SquareKernel::compile(&"345/2/4".parse()?, 100).is_some());
    /// assert!(SquareKernel::compile(&"345/2/4".parse()?, 3).is_none(), "it takes more steps");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile(rule: &Rule, most: usize) -> Option<Self> {
        if rule.radius() != 1 {
            return None;
        }
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let mut phases = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let made = synthesis::synthesise(rule, generation, planes)?;
            if made.circuit.cost(&made.next) > most {
                return None;
            }
            what = made.what;
            phases.push(SquareProgram::of(&made.circuit, &made.next)?);
        }
        Some(Self {
            planes,
            phases,
            what,
        })
    }

    /// The number of bits of a state.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of generations after which the rule repeats.
    pub fn time_period(&self) -> usize {
        self.phases.len()
    }

    /// A description for users.
    ///
    /// ```
    /// let kernel = kernel::SquareKernel::compile(&"345/2/4".parse()?, 100).expect("a small circuit");
    /// assert!(kernel.describe().starts_with("2 bit planes, "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn describe(&self) -> String {
        let steps: Vec<String> = self
            .phases
            .iter()
            .map(|p| p.steps.len().to_string())
            .collect();
        let (planes, what) = (self.planes, self.what);
        format!(
            "{planes} bit planes, {what} by {} logic steps",
            steps.join(" and ")
        )
    }

    /// Steps the first `squares` of a stack by some generations, the first of the given
    /// phase. Their corners are in an even column and an odd row. Cells beyond their borders are
    /// undefined, so each generation makes one more ring of cells at the border wrong.
    ///
    /// ```
    /// let kernel = kernel::SquareKernel::compile(&"B3/S23".parse()?, 100).expect("a small circuit");
    /// let mut planes = [[0; 16 * kernel::STACK]];
    /// planes[0][7] = 0b111 << 6; // a blinker in the first square
    /// kernel.advance(0, 1, 1, &mut planes);
    /// assert_eq!(planes[0][6..9], [0b010 << 6; 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advance(
        &self,
        phase: usize,
        generations: u32,
        squares: usize,
        stack: &mut [SquarePlane],
    ) {
        thread_local! {
            static REGISTERS: RefCell<Vec<SquareRegister>> = const { RefCell::new(Vec::new()) };
        }
        REGISTERS.with_borrow_mut(|registers| {
            let steps = self.phases.iter().map(|program| program.steps.len());
            let count = 2 + steps.max().unwrap_or(0);
            if registers.len() < count {
                registers.resize(count, [0; ROWS + 2 * PADDING]);
            }
            registers[1] = [u16::MAX; ROWS + 2 * PADDING];
            u64::dispatch(SquareTask {
                kernel: self,
                phase,
                generations,
                squares,
                stack,
                registers,
            });
        });
    }
}

impl SquareProgram {
    fn of(circuit: &Circuit, outputs: &[CircuitWire]) -> Option<Self> {
        let live = circuit.live_gates(outputs);
        let mut register_of = vec![0, 1];
        let mut steps = Vec::new();
        let operand_of = |register_of: &[u16], wire: CircuitWire| {
            let row = PADDING.checked_add_signed(wire.dy as isize)?;
            (row <= 2 * PADDING).then(|| SquareOperand {
                register: register_of[wire.gate as usize],
                row: row as u16,
            })
        };
        for (index, gate) in circuit.gates().iter().enumerate().skip(2) {
            // the register of a dead gate is never read
            register_of.push(if live[index] {
                steps.len() as u16 + 2
            } else {
                0
            });
            if !live[index] {
                continue;
            }
            let operation = match *gate {
                Gate::Constant(_) => return None,
                Gate::Cell { plane, dx } => SquareOperation::Load {
                    plane,
                    dx: i8::try_from(dx).ok()?,
                },
                Gate::Parity(ParityAxis::X) => SquareOperation::Column,
                Gate::Parity(ParityAxis::Y) => SquareOperation::Row,
                Gate::Not(_) => SquareOperation::Not,
                Gate::And(..) => SquareOperation::And,
                Gate::AndNot(..) => SquareOperation::AndNot,
                Gate::Or(..) => SquareOperation::Or,
                Gate::Xor(..) => SquareOperation::Xor,
                Gate::Xor3(_) => SquareOperation::Xor3,
                Gate::Majority(_) => SquareOperation::Majority,
                Gate::Choose(_) => SquareOperation::Choose,
            };
            let mut operands = [SquareOperand::default(); 3];
            for (operand, wire) in operands.iter_mut().zip(gate.inputs()) {
                *operand = operand_of(&register_of, wire)?;
            }
            let [a, b, c] = operands;
            steps.push(SquareStep { operation, a, b, c });
        }
        let results = outputs.iter().map(|&wire| operand_of(&register_of, wire));
        Some(Self {
            results: results.collect::<Option<_>>()?,
            steps,
        })
    }
}

struct SquareTask<'a> {
    kernel: &'a SquareKernel,
    phase: usize,
    generations: u32,
    squares: usize,
    stack: &'a mut [SquarePlane],
    registers: &'a mut [SquareRegister],
}

impl SimdTask<u64> for SquareTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        if self.squares == 1 {
            self.in_chunks::<SIDE>(1);
        } else {
            let pairs = self.squares.div_ceil(2);
            self.in_chunks::<{ 2 * SIDE }>(pairs);
        }
    }
}

impl SquareTask<'_> {
    /// Runs the steps on `chunks` times C rows.
    #[inline(always)]
    fn in_chunks<const C: usize>(self, chunks: usize) {
        let Self {
            kernel,
            phase,
            generations,
            stack,
            registers,
            ..
        } = self;
        for generation in 0..generations as usize {
            let program = &kernel.phases[(phase + generation) % kernel.phases.len()];
            for (at, step) in program.steps.iter().enumerate() {
                let context = SquareStepContext {
                    registers,
                    target: at + 2,
                    chunks,
                };
                context.apply::<C>(step, stack);
            }
            for (plane, &result) in stack.iter_mut().zip(&program.results) {
                for at in (0..chunks * C).step_by(C) {
                    plane[at..at + C].copy_from_slice(&rows::<C>(registers, result, at));
                }
            }
        }
    }
}

/// C rows of an operand, `at` rows further down.
#[inline(always)]
fn rows<const C: usize>(
    registers: &[SquareRegister],
    operand: SquareOperand,
    at: usize,
) -> [u16; C] {
    let register = &registers[usize::from(operand.register)];
    let rows = register[usize::from(operand.row) + at..].first_chunk();
    *rows.expect("places were checked when they were made")
}

/// The registers and the target of a step.
struct SquareStepContext<'a> {
    registers: &'a mut [SquareRegister],
    target: usize,
    chunks: usize,
}

impl SquareStepContext<'_> {
    #[inline(always)]
    fn apply<const C: usize>(self, step: &SquareStep, stack: &[SquarePlane]) {
        match step.operation {
            SquareOperation::Load { plane, dx } => self.load::<C>(&stack[usize::from(plane)], dx),
            SquareOperation::Column => self.fill([0xaaaa; ROWS]),
            SquareOperation::Row => self.fill(EVEN_ROWS),
            SquareOperation::Not => self.each::<C, Not>(step),
            SquareOperation::And => self.each::<C, And>(step),
            SquareOperation::AndNot => self.each::<C, AndNot>(step),
            SquareOperation::Or => self.each::<C, Or>(step),
            SquareOperation::Xor => self.each::<C, Xor>(step),
            SquareOperation::Xor3 => self.each::<C, Xor3>(step),
            SquareOperation::Majority => self.each::<C, Majority>(step),
            SquareOperation::Choose => self.each::<C, Choose>(step),
        }
    }

    #[inline(always)]
    fn load<const C: usize>(self, plane: &SquarePlane, dx: i8) {
        let [west, east] = if dx < 0 {
            [u32::from(dx.unsigned_abs()), 0]
        } else {
            [0, u32::from(dx.unsigned_abs())]
        };
        let target = &mut self.registers[self.target][PADDING..];
        for at in (0..self.chunks * C).step_by(C) {
            let cells: [u16; C] = chunk(plane, at);
            let mut next = [0; C];
            for i in 0..C {
                next[i] = cells[i] << west >> east;
            }
            target[at..at + C].copy_from_slice(&next);
        }
    }

    #[inline(always)]
    fn fill(self, rows: SquarePlane) {
        self.registers[self.target][PADDING..PADDING + ROWS].copy_from_slice(&rows);
    }

    #[inline(always)]
    fn each<const C: usize, L: SquareLogic>(self, step: &SquareStep) {
        // A gate reads only gates before it, so its own register is behind theirs.
        let (before, after) = self.registers.split_at_mut(self.target);
        let count = self.chunks;
        // Unused operands are the first register.
        let a = &chunks::<C>(before, step.a)[..count];
        let b = &chunks::<C>(before, step.b)[..count];
        let c = &chunks::<C>(before, step.c)[..count];
        let target = &mut after[0][PADDING..].as_chunks_mut::<C>().0[..count];
        for k in 0..count {
            let (a, b, c) = (a[k], b[k], c[k]);
            let mut next = [0; C];
            for i in 0..C {
                next[i] = L::of(a[i], b[i], c[i]);
            }
            target[k] = next;
        }
    }
}

/// The rows of an operand, C at a time.
#[inline(always)]
fn chunks<const C: usize>(registers: &[SquareRegister], operand: SquareOperand) -> &[[u16; C]] {
    let register = &registers[usize::from(operand.register)];
    register[usize::from(operand.row)..].as_chunks().0
}

/// The function of a step. Types instead of closures: the compiler does not always inline
/// closures, and what is not inlined is not compiled for the instruction set.
trait SquareLogic {
    fn of(a: u16, b: u16, c: u16) -> u16;
}

macro_rules! logic {
    ($($name:ident: |$a:ident, $b:ident, $c:ident| $next:expr;)*) => {
        $(
            struct $name;

            impl SquareLogic for $name {
                #[inline(always)]
                fn of($a: u16, $b: u16, $c: u16) -> u16 {
                    $next
                }
            }
        )*
    };
}

logic! {
    Not: |a, _b, _c| !a;
    And: |a, b, _c| a & b;
    AndNot: |a, b, _c| a & !b;
    Or: |a, b, _c| a | b;
    Xor: |a, b, _c| a ^ b;
    Xor3: |a, b, c| a ^ b ^ c;
    Majority: |a, b, c| a & b | c & (a | b);
    Choose: |a, b, c| a & b | c & !a;
}

const EVEN_ROWS: SquarePlane = {
    let mut rows = [0; ROWS];
    let mut row = 0;
    while row < ROWS {
        rows[row] = u16::MAX;
        row += 2;
    }
    rows
};

/// C rows of a plane.
#[inline(always)]
fn chunk<const C: usize>(plane: &SquarePlane, at: usize) -> [u16; C] {
    *plane[at..]
        .first_chunk()
        .expect("chunks lie within a stack of squares")
}
