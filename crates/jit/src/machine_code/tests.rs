//! The compiled circuit and the interpreter, both tested against the circuit's definition.

use super::JitCircuit;
use super::assembler::VectorWidth;
use super::jit_program::has_vectors;
use super::mapping::map;
use super::netlist::{Netlist, NetlistNode};
use crate::backend;
use dice::Dice;
use kernel::circuit::{Circuit, CircuitWire, Gate, ParityAxis};
use kernel::simd::with_each_width;
use kernel::{
    BitKernel, CircuitProgram, CircuitShape, CompiledCircuit, InterpreterOnly, Leaf, PlaneLayout,
};

/// A wire and the rows that it depends on.
#[derive(Clone, Copy)]
struct WireReach {
    wire: CircuitWire,
    up: i32,
    down: i32,
}

/// A random circuit of about this many gates, with all kinds of gates and row offsets.
pub(super) fn random_circuit(
    random: &mut Dice,
    planes: usize,
    radius: i32,
    gates: usize,
) -> (Circuit, Vec<CircuitWire>) {
    let mut circuit = Circuit::new();
    let mut wires: Vec<WireReach> = Vec::new();
    let seen = |wire: CircuitWire, dy: i32| WireReach {
        wire,
        up: dy,
        down: dy,
    };
    wires.extend([seen(CircuitWire::ZERO, 0), seen(CircuitWire::ONES, 0)]);
    for plane in 0..planes {
        for _ in 0..3 {
            let dx = random.below(2 * radius as u32 + 1) as i32 - radius;
            let dy = random.below(2 * radius as u32 + 1) as i32 - radius;
            wires.push(seen(circuit.cell(plane as u8, dx, dy), dy));
        }
    }
    if random.coin() {
        wires.push(seen(circuit.parity(ParityAxis::X), 0));
        wires.push(seen(circuit.parity(ParityAxis::Y), 0));
    }
    for _ in 0..gates {
        // Mostly recent wires, and some from other rows.
        let mut pick = || {
            let near = random.coin();
            let from = if near {
                wires.len().saturating_sub(12)
            } else {
                0
            };
            let WireReach { wire, up, down } = random.pick(&wires[from..]).unwrap();
            let moves = (2 * radius - (down - up)).max(0) as u32;
            let by = match random.below(3) {
                0 => random.below(moves + 1) as i32 - radius - up,
                _ => 0,
            };
            WireReach {
                wire: wire.below(by),
                up: up + by,
                down: down + by,
            }
        };
        let (a, b, c) = (pick(), pick(), pick());
        let made = match random.below(4) {
            0 => vec![circuit.not(a.wire)],
            1 => circuit.sum(&[vec![a.wire], vec![b.wire], vec![c.wire]], 3),
            _ => vec![circuit.choose(a.wire, b.wire, c.wire)],
        };
        wires.extend(made.into_iter().map(|wire| WireReach {
            wire,
            up: a.up.min(b.up).min(c.up),
            down: a.down.max(b.down).max(c.down),
        }));
    }
    let last = wires.len();
    let outputs = (0..planes).map(|_| random.pick(&wires[last.saturating_sub(9)..]).unwrap().wire);
    let outputs = outputs.collect();
    (circuit, outputs)
}

/// Evaluates words of a wire by the definition of the gates, `row` rows below the first.
struct CircuitOracle<'a> {
    circuit: &'a Circuit,
    layout: PlaneLayout,
    planes: usize,
    radius: i32,
    seen: &'a [u64],
    known: std::collections::HashMap<(u32, i32, usize), u64>,
}

impl CircuitOracle<'_> {
    fn word(&mut self, wire: CircuitWire, row: i32, word: usize) -> u64 {
        let row = row + wire.dy;
        if let Some(&known) = self.known.get(&(wire.gate, row, word)) {
            return known;
        }
        let gate = self.circuit.gates()[wire.gate as usize];
        let inputs = gate.inputs();
        let inputs: Vec<u64> = inputs.iter().map(|&w| self.word(w, row, word)).collect();
        let all = |set: bool| if set { u64::MAX } else { 0 };
        let layout = self.layout;
        let value = match (gate, inputs.as_slice()) {
            (Gate::Constant(set), _) => all(set),
            (Gate::Cell { plane, dx }, _) => {
                let line = layout.stride * self.planes;
                let at = (row + self.radius) as usize * line
                    + usize::from(plane) * layout.stride
                    + layout.margin
                    + word;
                self.seen[at.wrapping_add_signed(dx as isize)]
            }
            (Gate::Parity(ParityAxis::X), _) => all((word % 2 == 1) != layout.corner.0),
            (Gate::Parity(ParityAxis::Y), _) => all((row.rem_euclid(2) == 1) != layout.corner.1),
            (Gate::Not(_), &[a]) => !a,
            (Gate::And(..), &[a, b]) => a & b,
            (Gate::AndNot(..), &[a, b]) => a & !b,
            (Gate::Or(..), &[a, b]) => a | b,
            (Gate::Xor(..), &[a, b]) => a ^ b,
            (Gate::Xor3(_), &[a, b, c]) => a ^ b ^ c,
            (Gate::Majority(_), &[a, b, c]) => a & b | a & c | b & c,
            (Gate::Choose(_), &[a, b, c]) => a & b | !a & c,
            _ => unreachable!("a gate has its inputs"),
        };
        self.known.insert((wire.gate, row, word), value);
        value
    }
}

fn check(random: &mut Dice, planes: usize, radius: i32, gates: usize, height: usize) {
    let (circuit, outputs) = random_circuit(random, planes, radius, gates);
    let layout = PlaneLayout {
        stride: 8 * (1 + random.below(2) as usize) + 2 * radius as usize + random.below(3) as usize,
        margin: radius as usize,
        words: 8,
        corner: (random.coin(), random.coin()),
    };
    let layout = PlaneLayout {
        words: (layout.stride - 2 * radius as usize) / 8 * 8,
        ..layout
    };
    let line = layout.stride * planes;
    let rows = height + 2 * radius as usize;
    let seen: Vec<u64> = (0..rows * line).map(|_| random.word()).collect();
    let mut oracle = CircuitOracle {
        circuit: &circuit,
        layout,
        planes,
        radius,
        seen: &seen,
        known: std::collections::HashMap::new(),
    };
    let mut expected = vec![7; height * line];
    for row in 0..height {
        for (plane, &wire) in outputs.iter().enumerate() {
            for word in 0..layout.words {
                let at = row * line + plane * layout.stride + layout.margin + word;
                expected[at] = oracle.word(wire, row as i32, word);
            }
        }
    }
    let shape = CircuitShape {
        planes,
        radius: radius as usize,
        height: (height == 8).then_some(8),
    };
    with_each_width(|| {
        let mut next = vec![7; height * line];
        let steps = CircuitProgram::compile(&circuit, &outputs, shape, &InterpreterOnly);
        steps.interpret(layout, &seen, &mut next);
        assert!(
            next == expected,
            "steps of {circuit:?} {outputs:?} {layout:?}"
        );
        let machine = JitCircuit::compile(&circuit, &outputs, shape);
        // Without this, the tests would pass if nothing were compiled any more.
        assert_eq!(
            machine.is_some(),
            has_vectors(VectorWidth::Bits256) || has_vectors(VectorWidth::Bits512)
        );
        if let Some(machine) = machine {
            let mut next = vec![7; height * line];
            assert!(machine.rows(layout, &seen, &mut next));
            let wrong = (0..next.len()).find(|&i| next[i] != expected[i]);
            assert!(
                wrong.is_none(),
                "{} of {circuit:?} {outputs:?} {layout:?}: word {wrong:?} of lines of {line}",
                machine.describe(),
            );
        }
    });
}

#[test]
fn machine_code_does_what_the_circuit_says() {
    let mut random = Dice::new(5);
    for round in 0..120 {
        let planes = 1 + round % 4;
        let height = [1, 2, 7, 8, 9, 33][round % 6];
        check(
            &mut random,
            planes,
            (round % 3) as i32,
            1 + round / 2,
            height,
        );
    }
    // A prologue longer than the rest, then more values than registers.
    for (planes, gates) in [(1, 5), (1, 20), (2, 40), (1, 400), (3, 400), (8, 400)] {
        for _ in 0..4 {
            check(&mut random, planes, 5, gates, 21);
        }
    }
}

/// Slices that are too short are not touched.
#[test]
fn short_slices_are_refused() {
    let mut circuit = Circuit::new();
    let (west, south) = (circuit.cell(0, -1, 0), circuit.cell(0, 0, 1));
    let outputs = [circuit.choose(west, CircuitWire::ZERO, south)];
    let layout = PlaneLayout {
        stride: 10,
        margin: 1,
        words: 8,
        corner: (false, false),
    };
    with_each_width(|| {
        let shape = CircuitShape {
            planes: 1,
            radius: 1,
            height: None,
        };
        let Some(machine) = JitCircuit::compile(&circuit, &outputs, shape) else {
            return;
        };
        let seen = [0; 50];
        let mut next = [0; 30];
        assert!(machine.rows(layout, &seen, &mut next));
        assert!(!machine.rows(layout, &seen[..49], &mut next));
        assert!(!machine.rows(layout, &seen, &mut next[..28]));
        assert!(!machine.rows(layout, &seen, &mut []));
        for bad in [
            PlaneLayout {
                margin: 0,
                ..layout
            },
            PlaneLayout { words: 7, ..layout },
            PlaneLayout {
                stride: 0,
                ..layout
            },
            PlaneLayout {
                stride: usize::MAX,
                ..layout
            },
        ] {
            assert!(!machine.rows(bad, &seen, &mut next), "{bad:?}");
        }
    });
}

/// Merged tables compute the same, and there are never more of them.
#[test]
fn mapping_joins_gates() {
    let mut circuit = Circuit::new();
    let cells: Vec<CircuitWire> = (0..3).map(|dx| circuit.cell(0, dx, 0)).collect();
    let sum = circuit.sum(&[vec![cells[0]], vec![cells[1]], vec![cells[2]]], 3);
    let not = circuit.not(sum[1]);
    let output = circuit.choose(sum[0], not, CircuitWire::ZERO);
    let netlist = Netlist::of(&circuit, &[output]);
    let mapped_netlist = map(&netlist);
    let tables: Vec<u8> = mapped_netlist
        .nodes
        .iter()
        .filter_map(|node| match node {
            NetlistNode::Table(table) => Some(table.bits),
            _ => None,
        })
        .collect();
    // Exactly one of three: bits 1, 2 and 4 of the table.
    assert_eq!(tables, [0b0001_0110], "{netlist:?}");
}

/// Tiles and hashed leaves run machine code over other rows than tori: against the interpreter.
#[test]
fn columns_and_leaves_do_what_the_interpreter_does() {
    let mut random = Dice::new(11);
    for rule in [
        "B36/S23",
        "B1357/S1357",
        "B2/S34H",
        "B2n3-y4c/S23-a4i",
        "B/S",
        "W30",
        "B03/S23",
        "B3/S23|B2n3-y4c/S23-a4i",
    ] {
        let rule = rule.parse().unwrap();
        let interpreted = BitKernel::compile(&rule, &InterpreterOnly).unwrap();
        let rows: [u64; 64] = std::array::from_fn(|_| random.word());
        let leaf = |random: &mut Dice| std::array::from_fn(|_| random.word() as u32);
        let fours: Vec<[Leaf; 4]> = (0..37)
            .map(|_| std::array::from_fn(|_| leaf(&mut random)))
            .collect();
        with_each_width(|| {
            let compiled = BitKernel::compile(&rule, backend()).unwrap();
            assert_eq!(compiled.time_period(), interpreted.time_period());
            for phase in 0..compiled.time_period() {
                let inside = |rows: [u64; 64]| rows.map(|row| row << 1 >> 2);
                assert_eq!(
                    inside(compiled.advance_word(phase, &rows))[1..63],
                    inside(interpreted.advance_word(phase, &rows))[1..63],
                    "{rule}, phase {phase}"
                );
                for generations in [1, 2, 5, 8] {
                    let of = |kernel: &BitKernel| {
                        let mut results = vec![[0; 8]; fours.len()];
                        kernel.leaf_results(phase, generations, &fours, &mut results);
                        results
                    };
                    assert_eq!(
                        of(&compiled),
                        of(&interpreted),
                        "{rule}, {generations} generations from {phase}"
                    );
                }
            }
        });
    }
}
