//! Two generations of tiles by a circuit: for rules that have no sums of their own, and for those
//! of more than two states, whose tiles are bit planes.
//!
//! Each step of the circuit is done for a few tiles before the next, as in the crate `kernel`'s
//! interpreter; but a register is whole tiles of 32-bit words here, and rows further up or down
//! are other lanes of the vectors. A gate looks at three rows at most; it is kept in the middle
//! one of them, so no gate is needed outside its tile. Own method.

use super::tile::{
    CORE_COLUMNS, MARGIN, MarginedRows, OWN_ROWS, TILE_ROWS, TileRows, TileStep, seen_from,
    words_with_margin,
};
use kernel::RuleCircuit;
use kernel::circuit::{CircuitWire, Gate};
use kernel::simd::{InstructionSet, SimdElement, SimdTask, Vector};
use rule::Rule;

/// Tiles that are stepped together: decoding a step costs about as much as one tile.
const TOGETHER: usize = 4;

/// Words of a register.
const REGISTER: usize = TOGETHER * TILE_ROWS;

/// The most gates of a circuit. Beyond, a lookup for each cell is as quick.
const MOST_GATES: usize = 4000;

/// A circuit as steps over registers: those of the bit planes first.
#[derive(Clone, Debug)]
struct TileProgram {
    steps: Vec<TileGate>,
    /// Where the next states' planes are.
    results: Vec<GateOperand>,
    registers: usize,
}

/// A register, read some rows further down.
#[derive(Clone, Copy, Debug, Default)]
struct GateOperand {
    register: u16,
    dy: i8,
}

/// What a gate does with its operands.
#[derive(Clone, Copy, Debug)]
enum GateOperation {
    West,
    East,
    Not,
    And,
    AndNot,
    Or,
    Xor,
    Xor3,
    Majority,
    Choose,
}

#[derive(Clone, Copy, Debug)]
struct TileGate {
    operation: GateOperation,
    operands: [GateOperand; 3],
    target: u16,
}

/// Register 0 is all zeros and register 1 all ones; then come the planes.
const FIRST_PLANE: usize = 2;

impl TileProgram {
    fn compile(rule: &Rule, generation: u64, planes: usize) -> Option<Self> {
        let RuleCircuit { circuit, next } = RuleCircuit::synthesise(rule, generation)?;
        let gates = circuit.gates();
        let live = circuit.live_gates(&next);
        let order: Vec<usize> = (2..gates.len()).filter(|&g| live[g]).collect();
        if order.len() > MOST_GATES {
            return None;
        }
        let mut last_read = vec![0; gates.len()];
        for &g in &order {
            for wire in gates[g].inputs() {
                last_read[wire.gate as usize] = g;
            }
        }
        for wire in &next {
            last_read[wire.gate as usize] = usize::MAX;
        }
        // the rows of cells that a gate looks at, and the middle one of them
        let mut rows = vec![(0, 0); gates.len()];
        let mut middle = vec![0; gates.len()];
        let mut register_of = vec![0; gates.len()];
        register_of[1] = 1;
        let mut registers = FIRST_PLANE + planes;
        let mut free = Vec::new();
        let mut steps = Vec::new();
        for g in order {
            let inputs = gates[g].inputs();
            let spans = inputs.iter().filter(|wire| wire.gate > 1).map(|wire| {
                let (low, high) = rows[wire.gate as usize];
                (low + wire.dy, high + wire.dy)
            });
            let union = |a: (i32, i32), b: (i32, i32)| (a.0.min(b.0), a.1.max(b.1));
            rows[g] = spans.reduce(union).unwrap_or_default();
            middle[g] = i32::midpoint(rows[g].0, rows[g].1);
            let mut operands = [GateOperand::default(); 3];
            for (operand, wire) in operands.iter_mut().zip(&inputs) {
                *operand = Self::operand(*wire, middle[g], &middle, &register_of)?;
            }
            let operation = match gates[g] {
                Gate::Cell { plane, dx } => {
                    operands[0].register = (FIRST_PLANE + usize::from(plane)) as u16;
                    match dx {
                        -1 => GateOperation::West,
                        1 => GateOperation::East,
                        _ => {
                            register_of[g] = FIRST_PLANE + usize::from(plane);
                            continue;
                        }
                    }
                }
                Gate::Not(_) => GateOperation::Not,
                Gate::And(..) => GateOperation::And,
                Gate::AndNot(..) => GateOperation::AndNot,
                Gate::Or(..) => GateOperation::Or,
                Gate::Xor(..) => GateOperation::Xor,
                Gate::Xor3(_) => GateOperation::Xor3,
                Gate::Majority(_) => GateOperation::Majority,
                Gate::Choose(_) => GateOperation::Choose,
                Gate::Constant(_) | Gate::Parity(_) => return None,
            };
            register_of[g] = free.pop().unwrap_or_else(|| {
                registers += 1;
                registers - 1
            });
            steps.push(TileGate {
                operation,
                operands,
                target: register_of[g] as u16,
            });
            let mut done: Vec<usize> = inputs.iter().map(|w| w.gate as usize).collect();
            done.sort_unstable();
            done.dedup();
            let done = done.into_iter().filter(|&d| last_read[d] == g);
            free.extend(
                done.map(|d| register_of[d])
                    .filter(|&register| register >= FIRST_PLANE + planes),
            );
        }
        let results = next
            .iter()
            .map(|&wire| Self::operand(wire, 0, &middle, &register_of));
        Some(Self {
            results: results.collect::<Option<Vec<_>>>()?,
            steps,
            registers,
        })
    }

    /// A wire that is read by a gate which is kept in row `row`.
    fn operand(
        wire: CircuitWire,
        row: i32,
        middle: &[i32],
        register_of: &[usize],
    ) -> Option<GateOperand> {
        let gate = wire.gate as usize;
        let dy = match gate {
            0 | 1 => 0,
            _ => wire.dy + middle[gate] - row,
        };
        (dy.abs() <= 1).then_some(GateOperand {
            register: register_of[gate] as u16,
            dy: dy as i8,
        })
    }
}

/// A rule as circuits over tiles of bit planes.
#[derive(Clone, Debug)]
pub(crate) struct TileCircuit {
    set: InstructionSet,
    planes: usize,
    /// In even and in odd generations.
    programs: [TileProgram; 2],
}

impl TileCircuit {
    /// Of a rule that looks no further than one cell and alternates between two tables at most;
    /// none where its circuit would be too large.
    pub(crate) fn compile(rule: &Rule) -> Option<Self> {
        let planes = (u16::BITS - (rule.states() - 1).leading_zeros()) as usize;
        let even = TileProgram::compile(rule, 0, planes)?;
        let odd = match rule.time_period() {
            1 => even.clone(),
            _ => TileProgram::compile(rule, 1, planes)?,
        };
        Some(Self {
            set: InstructionSet::widest(),
            planes,
            programs: [even, odd],
        })
    }

    /// Bit planes of a tile; they follow each other.
    pub(crate) fn planes(&self) -> usize {
        self.planes
    }

    /// See [`TileStepper::step`](super::step::TileStepper::step).
    pub(crate) fn step(&self, mut step: TileStep<'_>) {
        let planes = self.planes;
        let registers = self.programs.iter().map(|program| program.registers);
        let mut bank = vec![[0_u32; REGISTER]; registers.max().unwrap_or(0)];
        bank[1] = [u32::MAX; REGISTER];
        let mut old = vec![[0; TILE_ROWS]; TOGETHER * planes];
        let mut now = old.clone();
        let mut alive = old.clone();
        let mut next = old.clone();
        let groups = step
            .due
            .chunks(TOGETHER)
            .zip(step.changes.chunks_mut(TOGETHER));
        for (due, changes) in groups {
            for (k, &tile) in due.iter().enumerate() {
                let near = &step.near[tile as usize];
                for plane in 0..planes {
                    let at = |tile: u32| tile * planes as u32 + plane as u32;
                    old[k * planes + plane] =
                        words_with_margin(step.tiles, at(tile) as usize, &near.map(at));
                }
            }
            now.copy_from_slice(&old);
            alive.copy_from_slice(&old);
            for odd in 0..step.generations {
                self.run(odd, due.len(), &now, &mut next, &mut bank);
                std::mem::swap(&mut now, &mut next);
                for (alive, now) in alive.iter_mut().zip(&now) {
                    for (alive, now) in alive.iter_mut().zip(now) {
                        *alive |= now;
                    }
                }
                if let Some(populations) = &mut step.populations {
                    for (&tile, planes) in due.iter().zip(now.chunks_exact(planes)) {
                        populations[tile as usize][odd] = population_of(planes);
                    }
                }
            }
            for (k, (&tile, change)) in due.iter().zip(changes).enumerate() {
                let tile = tile as usize;
                let mut differing = TileRows::EMPTY;
                for plane in 0..planes {
                    let at = k * planes + plane;
                    for row in 0..OWN_ROWS {
                        let y = row + MARGIN;
                        let next = now[at][y] & CORE_COLUMNS;
                        *differing.row_mut(row) |= next ^ (old[at][y] & CORE_COLUMNS);
                        *step.next[tile * planes + plane].row_mut(row) = next;
                        if let Some(envelopes) = &mut step.envelopes {
                            *envelopes[tile].row_mut(row) |= alive[at][y] & CORE_COLUMNS;
                        }
                    }
                }
                *change = seen_from(&differing);
            }
        }
    }

    /// One generation of so many tiles.
    fn run(
        &self,
        odd: usize,
        tiles: usize,
        from: &[MarginedRows],
        to: &mut [MarginedRows],
        bank: &mut [[u32; REGISTER]],
    ) {
        let planes = self.planes;
        for plane in 0..planes {
            for tile in 0..tiles {
                bank[FIRST_PLANE + plane][tile * TILE_ROWS..][..TILE_ROWS]
                    .copy_from_slice(&from[tile * planes + plane]);
            }
        }
        let program = &self.programs[odd];
        for gate in &program.steps {
            u32::run_in(
                self.set,
                GateTask {
                    gate: *gate,
                    words: tiles * TILE_ROWS,
                    bank,
                },
            );
        }
        for (plane, result) in program.results.iter().enumerate() {
            let register = &bank[usize::from(result.register)];
            for tile in 0..tiles {
                let to = &mut to[tile * planes + plane];
                for (row, word) in (i32::from(result.dy)..).zip(to) {
                    let is_inside = (0..TILE_ROWS as i32).contains(&row);
                    *word = match is_inside {
                        true => register[tile * TILE_ROWS + row as usize],
                        false => 0,
                    };
                }
            }
        }
    }
}

/// How many of a tile's own cells are not in state 0, by its bit planes.
fn population_of(planes: &[MarginedRows]) -> u32 {
    let live = |y: usize| planes.iter().fold(0, |live, plane| live | plane[y]) & CORE_COLUMNS;
    let own = MARGIN..MARGIN + OWN_ROWS;
    own.map(|y| live(y).count_ones()).sum()
}

/// One gate over all words of its register.
struct GateTask<'a> {
    gate: TileGate,
    words: usize,
    bank: &'a mut [[u32; REGISTER]],
}

impl GateTask<'_> {
    /// Applies the gate's function to each vector of its operands.
    #[inline(always)]
    fn each<V: Vector<u32>, const N: usize>(self, function: impl Fn([V; N]) -> V) {
        let target = usize::from(self.gate.target);
        let (before, rest) = self.bank.split_at_mut(target);
        let Some((target, after)) = rest.split_first_mut() else {
            return;
        };
        let mut registers = [&before[0]; N];
        for (register, operand) in registers.iter_mut().zip(self.gate.operands) {
            let at = usize::from(operand.register);
            *register = match at < before.len() {
                true => &before[at],
                false => &after[at - before.len() - 1],
            };
        }
        let per_tile = TILE_ROWS / V::LANES;
        for i in 0..self.words / V::LANES {
            let at = i * V::LANES;
            let mut values = [V::ZERO; N];
            for k in 0..N {
                let here = V::load(&registers[k][at..]);
                values[k] = match self.gate.operands[k].dy {
                    0 => here,
                    1 if i % per_tile == per_tile - 1 => here.below(V::ZERO),
                    1 => here.below(V::load(&registers[k][at + V::LANES..])),
                    _ if i % per_tile == 0 => here.above(V::ZERO),
                    _ => here.above(V::load(&registers[k][at - V::LANES..])),
                };
            }
            function(values).store(&mut target[at..]);
        }
    }
}

impl SimdTask<u32> for GateTask<'_> {
    #[inline(always)]
    fn run<V: Vector<u32>>(self) {
        match self.gate.operation {
            GateOperation::West => self.each(|[a]: [V; 1]| a.west()),
            GateOperation::East => self.each(|[a]: [V; 1]| a.east()),
            GateOperation::Not => self.each(|[a]: [V; 1]| !a),
            GateOperation::And => self.each(|[a, b]: [V; 2]| a & b),
            GateOperation::AndNot => self.each(|[a, b]: [V; 2]| a & !b),
            GateOperation::Or => self.each(|[a, b]: [V; 2]| a | b),
            GateOperation::Xor => self.each(|[a, b]: [V; 2]| a ^ b),
            GateOperation::Xor3 => self.each(|[a, b, c]: [V; 3]| a.xor3(b, c)),
            GateOperation::Majority => self.each(|[a, b, c]: [V; 3]| a.majority(b, c)),
            GateOperation::Choose => self.each(|[a, b, c]: [V; 3]| a.choose(b, c)),
        }
    }
}
