//! Circuits over squares of 16 x 16 cells, for worlds that are stepped square by square.

use super::circuit::{Axis, Circuit, Gate, Wire};
use super::synthesis::{self, Synthesis};
use crate::arch::{Element, Task, Vector};
use rule::Rule;
use std::cell::RefCell;

/// A rule of radius 1 as boolean logic over the planes of a small square: the bits of the
/// states, plane by plane, each as [`Plane`].
///
/// The same circuits as those of [`super::PlaneKernel`], but a cell's neighbours to the
/// east and west are the next bits, so that a whole plane is one short vector.
#[derive(Clone, Debug)]
pub(crate) struct SquareKernel {
    planes: usize,
    /// One a phase.
    phases: Vec<Program>,
    what: &'static str,
}

/// A bit of each cell of a square: bit x of row y.
pub(crate) type Plane = [u16; SIDE];

const SIDE: usize = 16;

/// Rows of a register above the square and below it, which hold anything: gates may look
/// at them, and what they make of it stays at the border.
const PAD: usize = 8;

type Register = [u16; SIDE + 2 * PAD];

/// Gates in their order, each with a register of its own, after the two constants.
#[derive(Clone, Debug)]
struct Program {
    steps: Vec<Step>,
    results: Vec<Place>,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    operation: Operation,
    a: Place,
    b: Place,
    c: Place,
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Load { plane: u8, dx: i8 },
    Column,
    Row,
    Not,
    And,
    Without,
    Or,
    Xor,
    Odd,
    Most,
    Choose,
}

/// The rows of a register from one on.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    register: u16,
    row: u16,
}

impl SquareKernel {
    /// For rules of radius 1 that make a circuit of at most so many steps; none for others.
    pub(crate) fn compile(rule: &Rule, most: usize) -> Option<Self> {
        if rule.radius() != 1 {
            return None;
        }
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let mut phases = Vec::new();
        let mut what = "arrangements";
        for generation in 0..rule.time_period() as u64 {
            let Synthesis {
                circuit,
                next,
                what: of,
                ..
            } = synthesis::of(rule, generation, planes)?;
            if circuit.cost(&next) > most {
                return None;
            }
            what = of;
            phases.push(Program::of(&circuit, &next)?);
        }
        Some(Self {
            planes,
            phases,
            what,
        })
    }

    /// Bits of a state.
    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    /// After how many generations the rule repeats.
    pub(crate) fn time_period(&self) -> usize {
        self.phases.len()
    }

    /// What it is, in words.
    pub(crate) fn describe(&self) -> String {
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

    /// Moves a square some generations on, the first of the given phase. Its corner stands
    /// in an even column and an odd row. What lies beyond its border counts as anything,
    /// so that after each generation one more cell at the border is wrong.
    pub(crate) fn advance(&self, phase: usize, generations: u32, square: &mut [Plane]) {
        thread_local! {
            static REGISTERS: RefCell<Vec<Register>> = const { RefCell::new(Vec::new()) };
        }
        REGISTERS.with_borrow_mut(|registers| {
            let steps = self.phases.iter().map(|program| program.steps.len());
            let wanted = 2 + steps.max().unwrap_or(0);
            if registers.len() < wanted {
                registers.resize(wanted, [0; SIDE + 2 * PAD]);
            }
            registers[1] = [u16::MAX; SIDE + 2 * PAD];
            u64::dispatch(Advance {
                kernel: self,
                phase,
                generations,
                square,
                registers,
            });
        });
    }
}

impl Program {
    fn of(circuit: &Circuit, outputs: &[Wire]) -> Option<Self> {
        let wanted = circuit.wanted(outputs);
        let mut held = vec![0, 1];
        let mut steps = Vec::new();
        let place = |held: &[u16], wire: Wire| {
            let row = PAD.checked_add_signed(wire.dy as isize)?;
            (row <= 2 * PAD).then(|| Place {
                register: held[wire.gate as usize],
                row: row as u16,
            })
        };
        for (index, gate) in circuit.gates().iter().enumerate().skip(2) {
            // 0 is never looked at for a gate that nobody wants
            held.push(if wanted[index] {
                steps.len() as u16 + 2
            } else {
                0
            });
            if !wanted[index] {
                continue;
            }
            let operation = match *gate {
                Gate::Constant(_) => return None,
                Gate::Cell { plane, dx } => Operation::Load {
                    plane,
                    dx: i8::try_from(dx).ok()?,
                },
                Gate::Place(Axis::X) => Operation::Column,
                Gate::Place(Axis::Y) => Operation::Row,
                Gate::Not(_) => Operation::Not,
                Gate::And(..) => Operation::And,
                Gate::Without(..) => Operation::Without,
                Gate::Or(..) => Operation::Or,
                Gate::Xor(..) => Operation::Xor,
                Gate::Odd(_) => Operation::Odd,
                Gate::Most(_) => Operation::Most,
                Gate::Choose(_) => Operation::Choose,
            };
            let mut operands = [Place::default(); 3];
            for (operand, wire) in operands.iter_mut().zip(gate.inputs()) {
                *operand = place(&held, wire)?;
            }
            let [a, b, c] = operands;
            steps.push(Step { operation, a, b, c });
        }
        let results = outputs.iter().map(|&wire| place(&held, wire));
        Some(Self {
            results: results.collect::<Option<_>>()?,
            steps,
        })
    }
}

struct Advance<'a> {
    kernel: &'a SquareKernel,
    phase: usize,
    generations: u32,
    square: &'a mut [Plane],
    registers: &'a mut [Register],
}

impl Task<u64> for Advance<'_> {
    #[inline(always)]
    fn run<V: Vector<u64>>(self) {
        let Self {
            kernel,
            phase,
            generations,
            square,
            registers,
        } = self;
        for generation in 0..generations as usize {
            let program = &kernel.phases[(phase + generation) % kernel.phases.len()];
            for (at, step) in program.steps.iter().enumerate() {
                let next = value(step, registers, square);
                registers[at + 2][PAD..PAD + SIDE].copy_from_slice(&next);
            }
            for (plane, &result) in square.iter_mut().zip(&program.results) {
                *plane = rows(registers, result);
            }
        }
    }
}

#[inline(always)]
fn rows(registers: &[Register], place: Place) -> Plane {
    let register = &registers[usize::from(place.register)];
    let rows = register[usize::from(place.row)..].first_chunk();
    *rows.expect("places were checked when they were made")
}

#[inline(always)]
fn value(step: &Step, registers: &[Register], square: &[Plane]) -> Plane {
    let a = || rows(registers, step.a);
    let b = || rows(registers, step.b);
    let c = || rows(registers, step.c);
    match step.operation {
        Operation::Load { plane, dx } => {
            let cells = square[usize::from(plane)];
            let by = u32::from(dx.unsigned_abs());
            if dx < 0 {
                cells.map(|row| row << by)
            } else {
                cells.map(|row| row >> by)
            }
        }
        Operation::Column => [0xaaaa; SIDE],
        Operation::Row => std::array::from_fn(|row| if row % 2 == 0 { u16::MAX } else { 0 }),
        Operation::Not => a().map(|row| !row),
        Operation::And => both(a(), b(), |a, b| a & b),
        Operation::Without => both(a(), b(), |a, b| a & !b),
        Operation::Or => both(a(), b(), |a, b| a | b),
        Operation::Xor => both(a(), b(), |a, b| a ^ b),
        Operation::Odd => all(a(), b(), c(), |a, b, c| a ^ b ^ c),
        Operation::Most => all(a(), b(), c(), |a, b, c| a & b | c & (a | b)),
        Operation::Choose => all(a(), b(), c(), |a, b, c| a & b | c & !a),
    }
}

#[inline(always)]
fn both(a: Plane, b: Plane, f: impl Fn(u16, u16) -> u16) -> Plane {
    std::array::from_fn(|i| f(a[i], b[i]))
}

#[inline(always)]
fn all(a: Plane, b: Plane, c: Plane, f: impl Fn(u16, u16, u16) -> u16) -> Plane {
    std::array::from_fn(|i| f(a[i], b[i], c[i]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arch::with_each_width;
    use grid::State;
    use rule::Site;

    /// Three generations of random cells against the rule, cell by cell.
    fn check(text: &str) {
        let rule: Rule = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        let kernel = SquareKernel::compile(&rule, 1000).unwrap();
        let mut seed = 7_u64;
        let mut cells = [[0; SIDE]; SIDE];
        for cell in cells.iter_mut().flatten() {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *cell = ((seed >> 33) % u64::from(rule.states())) as State;
        }
        for phase in 0..kernel.time_period() {
            let mut now = cells;
            let mut square = vec![[0; SIDE]; kernel.planes()];
            for (p, plane) in square.iter_mut().enumerate() {
                for (y, row) in plane.iter_mut().enumerate() {
                    *row = (0..SIDE).map(|x| u16::from(now[y][x] >> p & 1) << x).sum();
                }
            }
            kernel.advance(phase, 3, &mut square);
            for generation in 0..3 {
                let mut next = now;
                let edge = generation + 1;
                for (y, x) in
                    (edge..SIDE - edge).flat_map(|y| (edge..SIDE - edge).map(move |x| (y, x)))
                {
                    let site = Site {
                        generation: (phase + generation) as u64,
                        x: x as i64,
                        y: y as i64 + 1,
                    };
                    next[y][x] = rule.next(site, |dx, dy| {
                        now[y.strict_add_signed(dy as isize)][x.strict_add_signed(dx as isize)]
                    });
                }
                now = next;
            }
            for (y, x) in (3..13).flat_map(|y| (3..13).map(move |x| (y, x))) {
                let bits = square.iter().enumerate();
                let got: State = bits
                    .map(|(p, plane)| ((plane[y] >> x & 1) as State) << p)
                    .sum();
                assert_eq!(got, now[y][x], "{text} at {x}, {y} from phase {phase}");
            }
        }
    }

    #[test]
    fn squares_follow_the_rule() {
        for rule in [
            "345/2/4",
            "/2/3",
            "12/34/24",
            "B3/S23History",
            "345/2/4|B3/S23",
            "B3/S23|345/2/4",
        ] {
            with_each_width(|| check(rule));
        }
    }
}
