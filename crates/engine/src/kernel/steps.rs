//! A circuit as a program of steps, each done on many rows of words before the next.
//!
//! A step takes some rows of a vector each from registers, which are as long as a block
//! of rows and its surroundings, so that what it costs to decode a step is spread over a
//! block, and a gate is computed once for every row that looks at it.

use super::Bits;
use super::circuit::{Circuit, Gate, Wire};
use super::plane::Layout;
use crate::arch::{Element, Task, Vector};

/// Rows that come out of a block.
const ROWS: usize = 16;

/// Vectors that a step holds at once.
const CHUNK: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Steps {
    steps: Vec<Step>,
    /// Where the next states are, a plane each.
    results: Vec<u32>,
    planes: usize,
    radius: usize,
    /// Vectors of all registers together, and of the first one, which is zero, and of the
    /// second, which is ones.
    vectors: usize,
    register: usize,
}

/// What a step does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    /// Loads a plane's words `dx` to the east; `a` is the first row.
    Load {
        plane: u8,
        dx: i8,
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

/// Operands are the places of their first vectors among all vectors of all registers.
#[derive(Clone, Copy, Debug)]
struct Step {
    operation: Operation,
    /// How often [`CHUNK`] vectors.
    chunks: u16,
    a: u32,
    b: u32,
    c: u32,
    target: u32,
    other: u32,
}

/// Rows around the block in which a gate's value is wanted.
#[derive(Clone, Copy)]
struct Span {
    low: i32,
    high: i32,
}

impl Steps {
    pub(super) fn of(circuit: &Circuit, outputs: &[Wire], planes: usize, radius: usize) -> Self {
        let wanted = circuit.wanted(outputs);
        let gates = circuit.gates();
        let spans = spans(circuit, outputs);
        let rows = |span: Span| ROWS + (span.high - span.low) as usize;
        let longest = (2..gates.len()).filter(|&g| wanted[g]);
        let longest = longest.map(|g| rows(spans[g])).max().unwrap_or(ROWS);
        let register = longest.next_multiple_of(CHUNK) + CHUNK;

        // The second half of an adder comes with the first.
        let mut twin = vec![None; gates.len()];
        let index: std::collections::HashMap<Gate, usize> = gates
            .iter()
            .enumerate()
            .filter(|(g, _)| wanted[*g])
            .map(|(g, &gate)| (gate, g))
            .collect();
        for (&gate, &g) in &index {
            let carry = match gate {
                Gate::Odd(abc) => Gate::Most(abc),
                Gate::Xor(a, b) => Gate::And(a, b),
                _ => continue,
            };
            if let Some(&carry) = index.get(&carry) {
                let (first, second) = (g.min(carry), g.max(carry));
                twin[first] = Some(second);
                twin[second] = Some(first);
            }
        }

        let schedule: Vec<usize> = (2..gates.len())
            .filter(|&g| wanted[g] && twin[g].is_none_or(|other| g < other))
            .collect();
        let mut last_read = vec![0; gates.len()];
        for (at, &g) in schedule.iter().enumerate() {
            for wire in gates[g].inputs() {
                last_read[wire.gate as usize] = at;
            }
        }
        for wire in outputs {
            last_read[wire.gate as usize] = usize::MAX;
        }
        let mut held = vec![0; gates.len()];
        held[Wire::ONES.gate as usize] = 1;
        let mut registers = 2;
        let mut free: Vec<usize> = Vec::new();
        let mut steps = Vec::new();
        for (at, &g) in schedule.iter().enumerate() {
            let mut take = || {
                free.pop().unwrap_or_else(|| {
                    registers += 1;
                    registers - 1
                })
            };
            // Both halves on the rows that either is wanted on.
            let span = match twin[g] {
                Some(other) => spans[g].with(spans[other]),
                None => spans[g],
            };
            held[g] = take();
            if let Some(other) = twin[g] {
                held[other] = take();
            }
            steps.push(step(gates, g, twin[g], span, &spans, &held, register));
            // Never the target of the step that reads it: rows are read after others
            // have been written.
            let mut done: Vec<usize> = gates[g].inputs().iter().map(|w| w.gate as usize).collect();
            done.sort_unstable();
            done.dedup();
            let done = done.into_iter().filter(|&d| d > 1 && last_read[d] == at);
            free.extend(done.map(|d| held[d]));
        }
        let place = |wire: &Wire| {
            let g = wire.gate as usize;
            let low = if g > 1 { spans[g].low } else { 0 };
            (held[g] * register) as u32 + (wire.dy - low) as u32
        };
        Self {
            results: outputs.iter().map(place).collect(),
            steps,
            planes,
            radius,
            vectors: registers * register,
            register,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// See `PlaneKernel::rows`.
    pub(super) fn rows(&self, layout: Layout, seen: &[u64], next: &mut [u64]) {
        u64::dispatch(Sheet {
            program: self,
            layout,
            seen,
            next,
        });
    }
}

impl Span {
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

/// Where each gate is wanted.
fn spans(circuit: &Circuit, outputs: &[Wire]) -> Vec<Span> {
    let gates = circuit.gates();
    let mut spans = vec![Span::NONE; gates.len()];
    for wire in outputs {
        let own = Span {
            low: wire.dy,
            high: wire.dy,
        };
        spans[wire.gate as usize] = spans[wire.gate as usize].with(own);
    }
    // Halves of an adder are computed together, so their spans are one: the later half's
    // is known by then, the earlier one's is not, but both have the same readers' inputs.
    let pairs: std::collections::HashMap<Gate, usize> = gates
        .iter()
        .enumerate()
        .map(|(g, &gate)| (gate, g))
        .collect();
    let wanted = circuit.wanted(outputs);
    for g in (2..gates.len()).rev() {
        if !wanted[g] {
            continue;
        }
        let partner = match gates[g] {
            Gate::Odd(abc) => pairs.get(&Gate::Most(abc)),
            Gate::Most(abc) => pairs.get(&Gate::Odd(abc)),
            Gate::Xor(a, b) => pairs.get(&Gate::And(a, b)),
            Gate::And(a, b) => pairs.get(&Gate::Xor(a, b)),
            _ => None,
        };
        let mut span = spans[g];
        if let Some(&partner) = partner
            && wanted[partner]
        {
            // A later partner is final here; an earlier one takes this one's inputs along
            // when its own turn comes.
            span = span.with(spans[partner]);
        }
        for wire in gates[g].inputs() {
            let seen = Span {
                low: span.low + wire.dy,
                high: span.high + wire.dy,
            };
            let input = &mut spans[wire.gate as usize];
            *input = input.with(seen);
        }
    }
    // What is computed together is as long as the longer of the two.
    for g in 2..gates.len() {
        let partner = match gates[g] {
            Gate::Odd(abc) => pairs.get(&Gate::Most(abc)),
            Gate::Xor(a, b) => pairs.get(&Gate::And(a, b)),
            _ => None,
        };
        if let Some(&partner) = partner
            && wanted[g]
            && wanted[partner]
        {
            let both = spans[g].with(spans[partner]);
            spans[g] = both;
            spans[partner] = both;
        }
    }
    spans
}

fn step(
    gates: &[Gate],
    g: usize,
    twin: Option<usize>,
    span: Span,
    spans: &[Span],
    held: &[usize],
    register: usize,
) -> Step {
    let place = |wire: Wire| {
        let gate = wire.gate as usize;
        let row = if gate > 1 {
            span.low + wire.dy - spans[gate].low
        } else {
            0
        };
        (held[gate] * register) as u32 + row as u32
    };
    let operation = match gates[g] {
        Gate::Constant(_) => unreachable!("constants have registers of their own"),
        Gate::Cell { plane, dx } => Operation::Load {
            plane,
            dx: dx as i8,
        },
        Gate::Not(_) => Operation::Not,
        Gate::And(..) | Gate::Xor(..) if twin.is_some() => Operation::HalfAdd,
        Gate::Odd(_) | Gate::Most(_) if twin.is_some() => Operation::Add,
        Gate::And(..) => Operation::And,
        Gate::Without(..) => Operation::Without,
        Gate::Or(..) => Operation::Or,
        Gate::Xor(..) => Operation::Xor,
        Gate::Odd(_) => Operation::Odd,
        Gate::Most(_) => Operation::Most,
        Gate::Choose(_) => Operation::Choose,
    };
    let inputs = gates[g].inputs();
    let operand = |k: usize| inputs.get(k).map_or(0, |&wire| place(wire));
    let own = (held[g] * register) as u32;
    let others = twin.map_or(0, |t| (held[t] * register) as u32);
    let carry_first = matches!(gates[g], Gate::And(..) | Gate::Most(_)) && twin.is_some();
    let (target, other) = if carry_first {
        (others, own)
    } else {
        (own, others)
    };
    let rows = ROWS + (span.high - span.low) as usize;
    Step {
        operation,
        chunks: rows.div_ceil(CHUNK) as u16,
        a: match gates[g] {
            Gate::Cell { .. } => span.low as u32,
            _ => operand(0),
        },
        b: operand(1),
        c: operand(2),
        target,
        other,
    }
}

struct Sheet<'a> {
    program: &'a Steps,
    layout: Layout,
    seen: &'a [u64],
    next: &'a mut [u64],
}

/// Some vectors of a register.
#[inline(always)]
fn chunk<V: Bits>(registers: &[V], at: u32, k: usize) -> &[V; CHUNK] {
    registers[at as usize + k * CHUNK..]
        .first_chunk()
        .expect("registers are longer than what is read")
}

/// Does the same to all vectors of a step.
macro_rules! each {
    ($step:ident, $registers:ident, |$a:ident| $result:expr) => {
        each!($step, $registers, |$a, _b, _c| $result)
    };
    ($step:ident, $registers:ident, |$a:ident, $b:ident| $result:expr) => {
        each!($step, $registers, |$a, $b, _c| $result)
    };
    ($step:ident, $registers:ident, |$a:ident, $b:ident, $c:ident| $result:expr) => {
        for k in 0..usize::from($step.chunks) {
            let a = *chunk($registers, $step.a, k);
            let b = *chunk($registers, $step.b, k);
            let c = *chunk($registers, $step.c, k);
            let to = $step.target as usize + k * CHUNK;
            let target = &mut $registers[to..to + CHUNK];
            for i in 0..CHUNK {
                let ($a, $b, $c) = (a[i], b[i], c[i]);
                target[i] = $result;
            }
        }
    };
}

impl Task<u64> for Sheet<'_> {
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
        let mut registers = vec![V::ZERO; program.vectors];
        let registers = &mut registers[..];
        registers[program.register..2 * program.register].fill(V::ONES);
        for top in (0..height).step_by(ROWS) {
            let rows = ROWS.min(height - top);
            for at in (0..layout.words).step_by(V::LANES) {
                for step in &program.steps {
                    match step.operation {
                        Operation::Load { plane, dx } => {
                            let column = (layout.margin + at).wrapping_add_signed(isize::from(dx))
                                + usize::from(plane) * layout.stride;
                            let first =
                                (top + program.radius).wrapping_add_signed(step.a as i32 as isize);
                            let target = step.target as usize;
                            let count = usize::from(step.chunks) * CHUNK;
                            let target = &mut registers[target..target + count];
                            for (i, target) in target.iter_mut().enumerate() {
                                let row = last.min(first + i);
                                *target = V::load(&seen[row * line + column..]);
                            }
                        }
                        Operation::Not => each!(step, registers, |a| !a),
                        Operation::And => each!(step, registers, |a, b| a & b),
                        Operation::Without => each!(step, registers, |a, b| a & !b),
                        Operation::Or => each!(step, registers, |a, b| a | b),
                        Operation::Xor => each!(step, registers, |a, b| a ^ b),
                        Operation::Odd => each!(step, registers, |a, b, c| a.xor3(b, c)),
                        Operation::Most => each!(step, registers, |a, b, c| a.majority(b, c)),
                        Operation::Choose => each!(step, registers, |a, b, c| a.choose(b, c)),
                        Operation::HalfAdd => {
                            for k in 0..usize::from(step.chunks) {
                                let a = *chunk(registers, step.a, k);
                                let b = *chunk(registers, step.b, k);
                                let to = step.target as usize + k * CHUNK;
                                let target = &mut registers[to..to + CHUNK];
                                for i in 0..CHUNK {
                                    target[i] = a[i] ^ b[i];
                                }
                                let to = step.other as usize + k * CHUNK;
                                let target = &mut registers[to..to + CHUNK];
                                for i in 0..CHUNK {
                                    target[i] = a[i] & b[i];
                                }
                            }
                        }
                        Operation::Add => {
                            for k in 0..usize::from(step.chunks) {
                                let a = *chunk(registers, step.a, k);
                                let b = *chunk(registers, step.b, k);
                                let c = *chunk(registers, step.c, k);
                                let to = step.target as usize + k * CHUNK;
                                let target = &mut registers[to..to + CHUNK];
                                for i in 0..CHUNK {
                                    target[i] = a[i].xor3(b[i], c[i]);
                                }
                                let to = step.other as usize + k * CHUNK;
                                let target = &mut registers[to..to + CHUNK];
                                for i in 0..CHUNK {
                                    target[i] = a[i].majority(b[i], c[i]);
                                }
                            }
                        }
                    }
                }
                for plane in 0..program.planes {
                    let from = program.results[plane] as usize;
                    let results = &registers[from..from + rows];
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
