//! A circuit as a program of steps, each done on many rows of words before the next.
//!
//! A step takes some rows of a vector each from registers, which are as long as a block
//! of rows and its surroundings, so that what it costs to decode a step is spread over a
//! block, and a gate is computed once for every row that looks at it.

use super::circuit::{Circuit, CircuitWire, Gate, ParityAxis};
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
use super::jit::JitCircuit;
use super::plane::PlaneLayout;
use crate::arch::{SimdElement, SimdTask, Vector, vector_bits};
use crate::hasher::MixMap;
#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
use std::sync::Arc;

/// Rows that come out of a block and what they see around, at most: the more, the less is
/// computed twice and the less it costs to decode a step.
const TALL: [usize; 4] = [64, 48, 32, 24];

/// Bytes of registers in the widest vectors. More than a first-level cache of 48 KiB is
/// worth it: what leaves it comes back in order, and R5 squares went from 7 to 9.6 thousand
/// million cells a second with blocks twice as high.
const CACHE: usize = 80 << 10;

/// Vectors that a step holds at once.
const CHUNK: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct CircuitProgram {
    steps: Vec<CircuitStep>,
    /// Where the next states are, a plane each.
    results: Vec<CircuitOperand>,
    planes: usize,
    radius: usize,
    /// Rows that come out of a block.
    rows: usize,
    /// How many registers, the first of them zero and the second ones, and how many
    /// vectors each.
    registers: usize,
    register: usize,
    /// The same as machine code: it is tried first.
    #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
    machine: Option<Arc<JitCircuit>>,
}

/// What a step does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CircuitOperation {
    /// Loads a plane's words `dx` to the east, from the row `low` on.
    Load {
        plane: u8,
        dx: i8,
        low: i8,
    },
    /// Whether columns are odd, or rows from the row `low` on.
    Place {
        axis: ParityAxis,
        low: i8,
    },
    Not,
    And,
    Without,
    Or,
    Xor,
    Odd,
    Most,
    /// Both, the second into `other`.
    Add,
    /// Both halves of an adder of two.
    HalfAdd,
    Choose,
}

/// Rows of a register from one on.
#[derive(Clone, Copy, Debug, Default)]
struct CircuitOperand {
    register: u16,
    row: u16,
}

#[derive(Clone, Copy, Debug)]
struct CircuitStep {
    operation: CircuitOperation,
    /// How often [`CHUNK`] vectors.
    chunks: u16,
    a: CircuitOperand,
    b: CircuitOperand,
    c: CircuitOperand,
    target: u16,
    other: u16,
}

/// Rows around the block in which a gate's value is wanted.
#[derive(Clone, Copy)]
struct GateRowRange {
    low: i32,
    high: i32,
}

impl CircuitProgram {
    pub(super) fn of(
        circuit: &Circuit,
        outputs: &[CircuitWire],
        planes: usize,
        radius: usize,
    ) -> Self {
        let fits = |steps: &Self| steps.registers * steps.register * 64 <= CACHE;
        let mut made = Vec::new();
        for tall in TALL {
            let rows = tall.saturating_sub(2 * radius).max(8);
            for schedule in [
                Self::in_order(circuit, outputs),
                Self::by_need(circuit, outputs),
            ] {
                let steps = Self::scheduled(circuit, outputs, &schedule, planes, radius, rows);
                made.push(steps);
            }
            made.sort_by_key(|steps| steps.registers * steps.register);
            if fits(&made[0]) {
                break;
            }
            made.truncate(1);
        }
        #[allow(unused_mut, reason = "elsewhere there is no machine code to add")]
        let mut steps = made.swap_remove(0);
        #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
        {
            steps.machine = JitCircuit::of(circuit, outputs, planes, radius).map(Arc::new);
        }
        steps
    }

    /// The gates as they were made.
    fn in_order(circuit: &Circuit, outputs: &[CircuitWire]) -> Vec<usize> {
        let wanted = circuit.wanted(outputs);
        (2..circuit.gates().len()).filter(|&g| wanted[g]).collect()
    }

    /// Each gate just before the first that looks at it.
    fn by_need(circuit: &Circuit, outputs: &[CircuitWire]) -> Vec<usize> {
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
        let twin = twins(circuit, outputs);
        let spans = spans(circuit, outputs, &twin);
        let rows = |span: GateRowRange| block + (span.high - span.low) as usize;
        let longest = schedule.iter().map(|&g| rows(spans[g]));
        let longest = longest.max().unwrap_or(block);
        let register = longest.next_multiple_of(CHUNK) + CHUNK;

        // The second half of an adder comes with the first.
        let mut begun = vec![false; gates.len()];
        let mut order = Vec::new();
        for &g in schedule {
            if twin[g].is_none_or(|other| !begun[other]) {
                begun[g] = true;
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
        let mut held = vec![0; gates.len()];
        held[CircuitWire::ONES.gate as usize] = 1;
        let mut registers = 2;
        let mut free: Vec<usize> = Vec::new();
        let mut steps = Vec::new();
        for (at, &g) in order.iter().enumerate() {
            let mut take = || {
                free.pop().unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                })
            };
            held[g] = take();
            if let Some(other) = twin[g] {
                held[other] = take();
            }
            let place = |wire: CircuitWire| {
                let gate = wire.gate as usize;
                let row = if gate > 1 {
                    spans[g].low + wire.dy - spans[gate].low
                } else {
                    0
                };
                CircuitOperand {
                    register: held[gate] as u16,
                    row: row as u16,
                }
            };
            let inputs = gates[g].inputs();
            let operand = |k: usize| {
                inputs
                    .get(k)
                    .map_or(CircuitOperand::default(), |&wire| place(wire))
            };
            let carry_first = matches!(gates[g], Gate::And(..) | Gate::Most(_));
            let (target, other) = match twin[g] {
                Some(other) if carry_first => (held[other], held[g]),
                Some(other) => (held[g], held[other]),
                None => (held[g], 0),
            };
            steps.push(CircuitStep {
                operation: operation(gates[g], twin[g].is_some(), spans[g].low),
                chunks: rows(spans[g]).div_ceil(CHUNK) as u16,
                a: operand(0),
                b: operand(1),
                c: operand(2),
                target: target as u16,
                other: other as u16,
            });
            // Never the target of the step that reads it: rows are read after others
            // have been written.
            let mut done: Vec<usize> = inputs.iter().map(|w| w.gate as usize).collect();
            done.sort_unstable();
            done.dedup();
            let done = done.into_iter().filter(|&d| d > 1 && last_read[d] == at);
            free.extend(done.map(|d| held[d]));
        }
        let place = |wire: &CircuitWire| {
            let g = wire.gate as usize;
            let low = if g > 1 { spans[g].low } else { 0 };
            CircuitOperand {
                register: held[g] as u16,
                row: (wire.dy - low) as u16,
            }
        };
        Self {
            results: outputs.iter().map(place).collect(),
            steps,
            planes,
            radius,
            rows: block,
            registers,
            register,
            #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
            machine: None,
        }
    }

    /// The machine code, if there is any that may be used.
    #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
    fn machine(&self) -> Option<&JitCircuit> {
        self.machine.as_deref().filter(|machine| machine.may_run())
    }

    /// Rows that come out of a block.
    pub(super) fn block(&self) -> usize {
        #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
        if let Some(machine) = self.machine() {
            return machine.block();
        }
        self.rows
    }

    /// See `PlaneKernel::work`.
    pub(super) fn work(&self) -> usize {
        /// Instructions that it takes to do a step without machine code.
        const STEP: usize = 4;
        #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
        if let Some(machine) = self.machine() {
            return machine.work();
        }
        STEP * self.len() * 512 / vector_bits()
    }

    /// Whether there is machine code.
    pub(super) fn is_machine_code(&self) -> bool {
        #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
        {
            self.machine().is_some()
        }
        #[cfg(not(all(target_arch = "x86_64", any(unix, windows), not(miri))))]
        {
            false
        }
    }

    /// How its steps are done, in words.
    pub(super) fn describe(&self) -> String {
        #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
        if let Some(machine) = self.machine() {
            return machine.describe();
        }
        format!("{} logic steps over rows of words", self.len())
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// See `PlaneKernel::rows`.
    pub(super) fn rows(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
        #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
        if let Some(machine) = self.machine()
            && machine.rows(layout, seen, next)
        {
            return;
        }
        self.interpret(layout, seen, next);
    }

    /// The same without machine code.
    pub(super) fn interpret(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) {
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
fn twins(circuit: &Circuit, outputs: &[CircuitWire]) -> Vec<Option<usize>> {
    let gates = circuit.gates();
    let wanted = circuit.wanted(outputs);
    let known: MixMap<Gate, usize> = gates.iter().zip(0..).map(|(&gate, g)| (gate, g)).collect();
    let twin = |g: usize| {
        let other = match gates[g] {
            Gate::Odd(abc) => Gate::Most(abc),
            Gate::Most(abc) => Gate::Odd(abc),
            Gate::Xor(a, b) => Gate::And(a, b),
            Gate::And(a, b) => Gate::Xor(a, b),
            _ => return None,
        };
        let other = known.get(&other).copied();
        other.filter(|&other| wanted[g] && wanted[other])
    };
    (0..gates.len()).map(twin).collect()
}

/// Where each gate is wanted; both halves of an adder where either is.
fn spans(circuit: &Circuit, outputs: &[CircuitWire], twin: &[Option<usize>]) -> Vec<GateRowRange> {
    let gates = circuit.gates();
    let wanted = circuit.wanted(outputs);
    let mut spans = vec![GateRowRange::NONE; gates.len()];
    for wire in outputs {
        let own = GateRowRange {
            low: wire.dy,
            high: wire.dy,
        };
        let span = &mut spans[wire.gate as usize];
        *span = span.with(own);
    }
    for g in (2..gates.len()).rev() {
        // The inputs of an adder were made before both halves of it: they can wait for
        // the earlier half's turn, when all is known of both.
        if !wanted[g] || twin[g].is_some_and(|other| other < g) {
            continue;
        }
        if let Some(other) = twin[g] {
            let both = spans[g].with(spans[other]);
            spans[g] = both;
            spans[other] = both;
        }
        let span = spans[g];
        for wire in gates[g].inputs() {
            let seen = GateRowRange {
                low: span.low + wire.dy,
                high: span.high + wire.dy,
            };
            let input = &mut spans[wire.gate as usize];
            *input = input.with(seen);
        }
    }
    spans
}

fn operation(gate: Gate, twin: bool, low: i32) -> CircuitOperation {
    match gate {
        Gate::Constant(_) => unreachable!("constants have registers of their own"),
        Gate::Cell { plane, dx } => CircuitOperation::Load {
            plane,
            dx: dx as i8,
            low: low as i8,
        },
        Gate::Place(axis) => CircuitOperation::Place {
            axis,
            low: low as i8,
        },
        Gate::Not(_) => CircuitOperation::Not,
        Gate::And(..) | Gate::Xor(..) if twin => CircuitOperation::HalfAdd,
        Gate::Odd(_) | Gate::Most(_) if twin => CircuitOperation::Add,
        Gate::And(..) => CircuitOperation::And,
        Gate::Without(..) => CircuitOperation::Without,
        Gate::Or(..) => CircuitOperation::Or,
        Gate::Xor(..) => CircuitOperation::Xor,
        Gate::Odd(_) => CircuitOperation::Odd,
        Gate::Most(_) => CircuitOperation::Most,
        Gate::Choose(_) => CircuitOperation::Choose,
    }
}

/// The words of a row that stand in odd columns, if the first stands in an even one.
const EVERY_OTHER: [u64; 9] = [0, u64::MAX, 0, u64::MAX, 0, u64::MAX, 0, u64::MAX, 0];

struct CircuitTask<'a> {
    program: &'a CircuitProgram,
    layout: PlaneLayout,
    seen: &'a [u64],
    next: &'a mut [u64],
}

/// Does the same to all vectors of a step.
macro_rules! each {
    ($work:ident, |$a:ident| $result:expr) => {
        each!($work, |$a, _b, _c| $result)
    };
    ($work:ident, |$a:ident, $b:ident| $result:expr) => {
        each!($work, |$a, $b, _c| $result)
    };
    ($work:ident, |$a:ident, $b:ident, $c:ident| $result:expr) => {{
        let CircuitStepContext {
            registers,
            step,
            count,
        } = $work;
        let mut target = std::mem::take(&mut registers[usize::from(step.target)]);
        let [a, b, c] = [
            rows(registers, step.a, count),
            rows(registers, step.b, count),
            rows(registers, step.c, count),
        ];
        let inputs = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK));
        let inputs = inputs.zip(c.chunks_exact(CHUNK));
        for (target, ((a, b), c)) in target.chunks_exact_mut(CHUNK).zip(inputs) {
            for i in 0..CHUNK {
                let ($a, $b, $c) = (a[i], b[i], c[i]);
                target[i] = $result;
            }
        }
        registers[usize::from(step.target)] = target;
    }};
}

/// The same for steps with two results.
macro_rules! both {
    ($work:ident, |$a:ident, $b:ident, $c:ident| $first:expr, $second:expr) => {{
        let CircuitStepContext {
            registers,
            step,
            count,
        } = $work;
        let mut target = std::mem::take(&mut registers[usize::from(step.target)]);
        let mut other = std::mem::take(&mut registers[usize::from(step.other)]);
        let [a, b, c] = [
            rows(registers, step.a, count),
            rows(registers, step.b, count),
            rows(registers, step.c, count),
        ];
        let inputs = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK));
        let inputs = inputs.zip(c.chunks_exact(CHUNK));
        let targets = target.chunks_exact_mut(CHUNK);
        let targets = targets.zip(other.chunks_exact_mut(CHUNK));
        for ((target, other), ((a, b), c)) in targets.zip(inputs) {
            for i in 0..CHUNK {
                let ($a, $b, $c) = (a[i], b[i], c[i]);
                target[i] = $first;
                other[i] = $second;
            }
        }
        registers[usize::from(step.target)] = target;
        registers[usize::from(step.other)] = other;
    }};
}

/// A step and what it works on.
struct CircuitStepContext<'a, V> {
    registers: &'a mut [Vec<V>],
    step: &'a CircuitStep,
    /// Rows.
    count: usize,
}

#[inline(always)]
fn rows<V>(registers: &[Vec<V>], place: CircuitOperand, count: usize) -> &[V] {
    &registers[usize::from(place.register)][usize::from(place.row)..][..count]
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
        let mut registers = vec![vec![V::ZERO; program.register]; program.registers];
        registers[1].fill(V::ONES);
        for top in (0..height).step_by(program.rows) {
            let rows = program.rows.min(height - top);
            // What a lower block needs not do.
            let spared = (program.rows - rows) / CHUNK;
            for at in (0..layout.words).step_by(V::LANES) {
                for step in &program.steps {
                    let count = (usize::from(step.chunks) - spared) * CHUNK;
                    let work = CircuitStepContext {
                        registers: &mut registers,
                        step,
                        count,
                    };
                    match step.operation {
                        CircuitOperation::Load { plane, dx, low } => {
                            let column = (layout.margin + at).wrapping_add_signed(dx.into())
                                + usize::from(plane) * layout.stride;
                            let first = (top + program.radius).wrapping_add_signed(low.into());
                            let target = &mut work.registers[usize::from(step.target)];
                            for (i, target) in target[..count].iter_mut().enumerate() {
                                let row = last.min(first + i);
                                *target = V::load(&seen[row * line + column..]);
                            }
                        }
                        CircuitOperation::Place {
                            axis: ParityAxis::X,
                            ..
                        } => {
                            let odd = (at ^ usize::from(layout.corner.0)) & 1;
                            let columns = V::load(&EVERY_OTHER[odd..]);
                            work.registers[usize::from(step.target)][..count].fill(columns);
                        }
                        CircuitOperation::Place {
                            axis: ParityAxis::Y,
                            low,
                        } => {
                            let first = (top + usize::from(layout.corner.1))
                                .wrapping_add_signed(low.into());
                            let target = &mut work.registers[usize::from(step.target)];
                            for (i, target) in target[..count].iter_mut().enumerate() {
                                *target = V::all(first.wrapping_add(i) & 1 == 1);
                            }
                        }
                        CircuitOperation::Not => each!(work, |a| !a),
                        CircuitOperation::And => each!(work, |a, b| a & b),
                        CircuitOperation::Without => each!(work, |a, b| a & !b),
                        CircuitOperation::Or => each!(work, |a, b| a | b),
                        CircuitOperation::Xor => each!(work, |a, b| a ^ b),
                        CircuitOperation::Odd => each!(work, |a, b, c| a.xor3(b, c)),
                        CircuitOperation::Most => each!(work, |a, b, c| a.majority(b, c)),
                        CircuitOperation::Choose => each!(work, |a, b, c| a.choose(b, c)),
                        CircuitOperation::HalfAdd => both!(work, |a, b, _c| a ^ b, a & b),
                        CircuitOperation::Add => {
                            both!(work, |a, b, c| a.xor3(b, c), a.majority(b, c))
                        }
                    }
                }
                for plane in 0..program.planes {
                    let results = program.results[plane];
                    let results = &registers[usize::from(results.register)]
                        [usize::from(results.row)..][..rows];
                    let start = top * line + plane * layout.stride + layout.margin + at;
                    for (i, &result) in results.iter().enumerate() {
                        result.store(&mut next[start + i * line..]);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::kernel::PlaneKernel;

    /// A rule that takes many more steps than it did has lost something that was shared.
    #[test]
    fn rules_take_few_steps() {
        for (rule, most) in [
            ("B3/S23", 12),
            ("345/2/4", 24),
            ("2/2/8", 32),
            ("extended", 25),
            ("weighted", 33),
            ("R5,C0,M1,S34..58,B34..45,NM", 57),
            ("B2n3-y4c/S23-a4i", 65),
        ] {
            let kernel = PlaneKernel::compile(&rule.parse().unwrap()).unwrap();
            let steps = kernel.phases()[0].len();
            assert!(steps <= most, "{rule} takes {steps} steps");
        }
    }
}
