//! The assembler and the code of random circuits, tested against the disassembler `iced-x86`.

use super::assembler::{
    Assembler, BitwiseOp, EffectiveAddress, GeneralRegister, RegisterOrMemory, VectorWidth,
};
use super::jit_program::{CodeListing, Instruction, MemoryOperand, Operand, assemble};
use super::list;
use super::tests::random_circuit;
use dice::Dice;
use iced_x86::{Decoder, DecoderOptions, Encoder, Mnemonic, OpKind, Register};
use kernel::CircuitShape;
use proptest::prelude::*;
use std::collections::HashSet;

/// An operand as the disassembler reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DecodedOperand {
    Register(Register),
    Memory {
        base: Register,
        index: Register,
        offset: i64,
        bytes: usize,
    },
    Immediate(i64),
    /// The offset in the code that a jump leads to.
    JumpTarget(u64),
}

/// An instruction as the disassembler reads it.
#[derive(Clone, Debug, PartialEq)]
struct DecodedInstruction {
    mnemonic: Mnemonic,
    operands: Vec<DecodedOperand>,
}

/// Decodes all of the code; the offset of each instruction stands beside it. Checks that every
/// instruction is valid, masks nothing, and has the bytes, the fewest there are, that the encoder
/// of `iced-x86` gives it.
fn disassemble(code: &[u8]) -> Vec<(u64, DecodedInstruction)> {
    let mut decoder = Decoder::with_ip(64, code, 0, DecoderOptions::NONE);
    let mut encoder = Encoder::new(64);
    let mut found = Vec::new();
    while decoder.can_decode() {
        let at = decoder.position();
        let decoded = decoder.decode();
        assert!(!decoded.is_invalid(), "at byte {at}: {code:02x?}");
        let plain = decoded.op_mask() == Register::None
            && !decoded.is_broadcast()
            && !decoded.has_lock_prefix()
            && decoded.segment_prefix() == Register::None;
        assert!(plain, "at byte {at}: {decoded:?}");
        let mut shortest = decoded;
        // The smallest that the encoder may take: it takes a larger one where it must.
        let is_zero = decoded.memory_displacement64() == 0;
        shortest.set_memory_displ_size(if is_zero { 0 } else { 1 });
        encoder.encode(&shortest, at as u64).unwrap();
        let again = encoder.take_buffer();
        assert_eq!(code[at..decoder.position()], again, "{decoded:?}");
        let operands = (0..decoded.op_count())
            .map(|operand| match decoded.op_kind(operand) {
                OpKind::Register => DecodedOperand::Register(decoded.op_register(operand)),
                OpKind::Memory => {
                    assert_eq!(decoded.memory_index_scale(), 1);
                    DecodedOperand::Memory {
                        base: decoded.memory_base(),
                        index: decoded.memory_index(),
                        offset: decoded.memory_displacement64() as i64,
                        bytes: decoded.memory_size().size(),
                    }
                }
                OpKind::NearBranch64 => DecodedOperand::JumpTarget(decoded.near_branch_target()),
                _ => DecodedOperand::Immediate(decoded.immediate(operand) as i64),
            })
            .collect();
        let mnemonic = decoded.mnemonic();
        found.push((at as u64, DecodedInstruction { mnemonic, operands }));
    }
    found
}

fn general(register: GeneralRegister) -> DecodedOperand {
    DecodedOperand::Register(Register::RAX + u32::from(register.0))
}

fn vector(width: VectorWidth, register: u8) -> DecodedOperand {
    let first = match width {
        VectorWidth::Bits256 => Register::YMM0,
        VectorWidth::Bits512 => Register::ZMM0,
    };
    DecodedOperand::Register(first + u32::from(register))
}

fn memory(address: EffectiveAddress, bytes: usize) -> DecodedOperand {
    let register = |register: GeneralRegister| Register::RAX + u32::from(register.0);
    DecodedOperand::Memory {
        base: register(address.base),
        index: address.index.map_or(Register::None, register),
        offset: address.offset.into(),
        bytes,
    }
}

fn vector_or_memory(width: VectorWidth, operand: RegisterOrMemory) -> DecodedOperand {
    match operand {
        RegisterOrMemory::Register(register) => vector(width, register),
        RegisterOrMemory::Memory(address) => memory(address, width.bytes()),
    }
}

/// A call of one of the assembler's methods.
#[derive(Clone, Copy, Debug)]
enum AssemblerCall {
    Load(VectorWidth, u8, RegisterOrMemory),
    Store(VectorWidth, EffectiveAddress, u8),
    Logic(VectorWidth, BitwiseOp, u8, u8, RegisterOrMemory),
    Ternary(u8, u8, RegisterOrMemory, u8),
    Push(GeneralRegister),
    Pop(GeneralRegister),
    Mov(GeneralRegister, GeneralRegister),
    Fetch(GeneralRegister, EffectiveAddress),
    Add(GeneralRegister, EffectiveAddress),
    AddTo(EffectiveAddress, i8),
    Decrement(RegisterOrMemory),
    Test(GeneralRegister),
    Xchg(GeneralRegister, GeneralRegister),
    Vzeroupper,
    Ret,
}

impl AssemblerCall {
    fn emit(self, assembler: &mut Assembler) {
        match self {
            Self::Load(width, to, from) => assembler.load(width, to, from),
            Self::Store(width, to, from) => assembler.store(width, to, from),
            Self::Logic(width, logic, to, a, b) => assembler.logic(width, logic, to, a, b),
            Self::Ternary(to, b, c, table) => assembler.ternary(to, b, c, table),
            Self::Push(register) => assembler.push(register),
            Self::Pop(register) => assembler.pop(register),
            Self::Mov(to, from) => assembler.mov(to, from),
            Self::Fetch(to, from) => assembler.fetch(to, from),
            Self::Add(to, from) => assembler.add(to, from),
            Self::AddTo(to, bytes) => assembler.add_to(to, bytes),
            Self::Decrement(what) => assembler.decrement(what),
            Self::Test(register) => assembler.test(register),
            Self::Xchg(a, b) => assembler.xchg(a, b),
            Self::Vzeroupper => assembler.vzeroupper(),
            Self::Ret => assembler.ret(),
        }
    }

    /// What the disassembler must read: the mnemonic and the operands in Intel's order.
    fn expected(self) -> DecodedInstruction {
        use DecodedOperand::Immediate;
        use VectorWidth::{Bits256, Bits512};
        let (mnemonic, operands) = match self {
            Self::Load(width, to, from) => (
                match (width, from) {
                    (Bits256, RegisterOrMemory::Register(_)) => Mnemonic::Vmovdqa,
                    (Bits256, RegisterOrMemory::Memory(_)) => Mnemonic::Vmovdqu,
                    (Bits512, RegisterOrMemory::Register(_)) => Mnemonic::Vmovdqa64,
                    (Bits512, RegisterOrMemory::Memory(_)) => Mnemonic::Vmovdqu64,
                },
                vec![vector(width, to), vector_or_memory(width, from)],
            ),
            Self::Store(width, to, from) => (
                match width {
                    Bits256 => Mnemonic::Vmovdqu,
                    Bits512 => Mnemonic::Vmovdqu64,
                },
                vec![memory(to, width.bytes()), vector(width, from)],
            ),
            Self::Logic(width, logic, to, a, b) => (
                match (logic, width) {
                    (BitwiseOp::And, Bits256) => Mnemonic::Vpand,
                    (BitwiseOp::And, Bits512) => Mnemonic::Vpandq,
                    (BitwiseOp::AndNot, Bits256) => Mnemonic::Vpandn,
                    (BitwiseOp::AndNot, Bits512) => Mnemonic::Vpandnq,
                    (BitwiseOp::Or, Bits256) => Mnemonic::Vpor,
                    (BitwiseOp::Or, Bits512) => Mnemonic::Vporq,
                    (BitwiseOp::Xor, Bits256) => Mnemonic::Vpxor,
                    (BitwiseOp::Xor, Bits512) => Mnemonic::Vpxorq,
                },
                vec![
                    vector(width, to),
                    vector(width, a),
                    vector_or_memory(width, b),
                ],
            ),
            Self::Ternary(to, b, c, table) => (
                Mnemonic::Vpternlogq,
                vec![
                    vector(Bits512, to),
                    vector(Bits512, b),
                    vector_or_memory(Bits512, c),
                    Immediate(table.into()),
                ],
            ),
            Self::Push(register) => (Mnemonic::Push, vec![general(register)]),
            Self::Pop(register) => (Mnemonic::Pop, vec![general(register)]),
            Self::Mov(to, from) => (Mnemonic::Mov, vec![general(to), general(from)]),
            Self::Fetch(to, from) => (Mnemonic::Mov, vec![general(to), memory(from, 8)]),
            Self::Add(to, from) => (Mnemonic::Add, vec![general(to), memory(from, 8)]),
            Self::AddTo(to, bytes) => {
                let bytes = Immediate(bytes.into());
                (Mnemonic::Add, vec![memory(to, 8), bytes])
            }
            Self::Decrement(RegisterOrMemory::Register(register)) => {
                (Mnemonic::Dec, vec![general(GeneralRegister(register))])
            }
            Self::Decrement(RegisterOrMemory::Memory(address)) => {
                (Mnemonic::Dec, vec![memory(address, 8)])
            }
            Self::Test(register) => (Mnemonic::Test, vec![general(register); 2]),
            // The same either way round.
            Self::Xchg(a, b) => (Mnemonic::Xchg, vec![general(b), general(a)]),
            Self::Vzeroupper => (Mnemonic::Vzeroupper, vec![]),
            Self::Ret => (Mnemonic::Ret, vec![]),
        };
        DecodedInstruction { mnemonic, operands }
    }
}

const WIDTHS: [VectorWidth; 2] = [VectorWidth::Bits256, VectorWidth::Bits512];
const BITWISE: [BitwiseOp; 4] = [
    BitwiseOp::And,
    BitwiseOp::AndNot,
    BitwiseOp::Or,
    BitwiseOp::Xor,
];
/// The number of `rsp`, which is no index.
const RSP: u8 = 4;

fn check(calls: &[AssemblerCall]) {
    let mut assembler = Assembler::default();
    calls.iter().for_each(|call| call.emit(&mut assembler));
    let decoded = disassemble(assembler.code());
    assert_eq!(decoded.len(), calls.len());
    for (call, (_, decoded)) in calls.iter().zip(&decoded) {
        assert_eq!(*decoded, call.expected(), "{call:?}");
    }
}

/// Every base with every index, at offsets around the ends of short displacements.
fn addresses() -> Vec<EffectiveAddress> {
    let mut found = Vec::new();
    for base in (0..16).map(GeneralRegister) {
        let indices = (0..16).filter(|&index| index != RSP).map(GeneralRegister);
        for index in std::iter::once(None).chain(indices.map(Some)) {
            for offset in [0, 8, -8, 64, 127, -128, 128, 8128, 8192, -8192, -8256] {
                found.push(EffectiveAddress {
                    base,
                    index,
                    offset,
                });
            }
        }
    }
    found
}

#[test]
fn vector_instructions_decode_for_all_registers() {
    for width in WIDTHS {
        let registers = 0..width.registers() as u8;
        for to in registers.clone() {
            let mut calls = Vec::new();
            for other in registers.clone() {
                let other_register = RegisterOrMemory::Register(other);
                calls.push(AssemblerCall::Load(width, to, other_register));
                for a in registers.clone() {
                    let logic = |logic| AssemblerCall::Logic(width, logic, to, a, other_register);
                    calls.extend(BITWISE.map(logic));
                    if width == VectorWidth::Bits512 {
                        let table = to.wrapping_mul(31) ^ a << 3 ^ other;
                        calls.push(AssemblerCall::Ternary(to, a, other_register, table));
                    }
                }
            }
            check(&calls);
        }
    }
}

#[test]
fn addresses_decode_for_all_registers() {
    let addresses = addresses();
    for width in WIDTHS {
        for to in 0..width.registers() as u8 {
            let a = (to * 7 + 3) % width.registers() as u8;
            let vectors = addresses.iter().flat_map(|&address| {
                let from = RegisterOrMemory::Memory(address);
                let logic = BITWISE[usize::from(to) % 4];
                let ternary = AssemblerCall::Ternary(to, a, from, to ^ 0x96);
                [
                    AssemblerCall::Load(width, to, from),
                    AssemblerCall::Store(width, address, to),
                    AssemblerCall::Logic(width, logic, to, a, from),
                ]
                .into_iter()
                .chain((width == VectorWidth::Bits512).then_some(ternary))
            });
            check(&vectors.collect::<Vec<_>>());
        }
    }
    for register in (0..16).map(GeneralRegister) {
        let general = addresses.iter().flat_map(|&address| {
            [
                AssemblerCall::Fetch(register, address),
                AssemblerCall::Add(register, address),
                AssemblerCall::AddTo(address, (register.0 * 17) as i8),
                AssemblerCall::Decrement(RegisterOrMemory::Memory(address)),
            ]
        });
        check(&general.collect::<Vec<_>>());
    }
}

#[test]
fn general_instructions_decode_for_all_registers() {
    for register in (0..16).map(GeneralRegister) {
        let mut calls = vec![
            AssemblerCall::Push(register),
            AssemblerCall::Pop(register),
            AssemblerCall::Decrement(RegisterOrMemory::Register(register.0)),
            AssemblerCall::Test(register),
            AssemblerCall::Vzeroupper,
        ];
        for other in (0..16).map(GeneralRegister) {
            calls.push(AssemblerCall::Mov(register, other));
            calls.push(AssemblerCall::Xchg(register, other));
        }
        calls.push(AssemblerCall::Ret);
        check(&calls);
    }
}

fn any_address() -> impl Strategy<Value = EffectiveAddress> {
    let index = proptest::option::of((0u8..15).prop_map(|index| index + u8::from(index >= RSP)));
    let offset = prop_oneof![-9000i32..9000, any::<i32>()];
    (0u8..16, index, offset).prop_map(|(base, index, offset)| EffectiveAddress {
        base: GeneralRegister(base),
        index: index.map(GeneralRegister),
        offset,
    })
}

/// Any of the methods whose encoding depends on an address, with any offset.
fn any_call() -> impl Strategy<Value = AssemblerCall> {
    let numbers = (0u8..32, 0u8..32, any::<u8>());
    (0..9, any_address(), any::<bool>(), numbers).prop_map(|(method, address, wide, numbers)| {
        let width = WIDTHS[usize::from(wide)];
        let (a, b, byte) = numbers;
        let [to, a] = [a, b].map(|register| register % width.registers() as u8);
        let from = RegisterOrMemory::Memory(address);
        let register = GeneralRegister(to % 16);
        match method {
            0 => AssemblerCall::Load(width, to, from),
            1 => AssemblerCall::Store(width, address, to),
            2 => AssemblerCall::Logic(width, BITWISE[usize::from(byte % 4)], to, a, from),
            3 => AssemblerCall::Ternary(to, a, from, byte),
            4 => AssemblerCall::Fetch(register, address),
            5 => AssemblerCall::Add(register, address),
            6 => AssemblerCall::AddTo(address, byte as i8),
            7 => AssemblerCall::Decrement(from),
            _ => AssemblerCall::Xchg(register, GeneralRegister(a % 16)),
        }
    })
}

/// What the vector instructions of a listing must decode to, in order. The register of a line's
/// offset is left open: it depends on the lines before.
fn expected_vectors(listing: &CodeListing) -> Vec<DecodedInstruction> {
    let width = listing.width;
    let line = GeneralRegister(8);
    let address = |operand: MemoryOperand| {
        let vectors = |number: u16| i32::from(number) * width.bytes() as i32;
        match operand {
            MemoryOperand::Slot(slot) => EffectiveAddress::at(GeneralRegister::RBX, vectors(slot)),
            MemoryOperand::CarryIn(n) => EffectiveAddress::at(GeneralRegister::RDX, vectors(n)),
            MemoryOperand::CarryOut(n) => EffectiveAddress::at(GeneralRegister::RAX, vectors(n)),
            MemoryOperand::Cells { dx, .. } => EffectiveAddress {
                base: GeneralRegister::RSI,
                index: Some(line),
                offset: 8 * i32::from(dx),
            },
        }
    };
    let operand = |operand: Operand| match operand {
        Operand::Register(register) => RegisterOrMemory::Register(register),
        Operand::Memory(memory) => RegisterOrMemory::Memory(address(memory)),
    };
    let blocks = [&listing.prologue, &listing.main];
    let blocks = blocks.into_iter().chain(&listing.remainder);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let calls = instructions.map(|&instruction| match instruction {
        Instruction::Load { to, from } => AssemblerCall::Load(width, to, operand(from)),
        Instruction::Store { to, from } => AssemblerCall::Store(width, address(to), from),
        Instruction::StoreCells { from, .. } => {
            let to = EffectiveAddress {
                base: GeneralRegister::RDI,
                index: Some(line),
                offset: 0,
            };
            AssemblerCall::Store(width, to, from)
        }
        Instruction::Bitwise { logic, to, a, b } => {
            AssemblerCall::Logic(width, logic, to, a, operand(b))
        }
        Instruction::Ternary { to, b, c, table } => {
            AssemblerCall::Ternary(to, b, operand(c), table)
        }
    });
    calls.map(AssemblerCall::expected).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Calls one after the other, in a loop that a jump leads out of.
    #[test]
    fn any_calls_decode(
        calls in proptest::collection::vec(any_call(), 1..40),
        again in 0usize..40,
    ) {
        let again = again % calls.len();
        let mut assembler = Assembler::default();
        let skip = assembler.jump_forward_if_zero();
        let mut label = assembler.label();
        for (number, call) in calls.iter().enumerate() {
            if number == again {
                label = assembler.label();
            }
            call.emit(&mut assembler);
        }
        assembler.jump_if_not_zero(label);
        assembler.bind(skip);
        assembler.ret();

        let (offsets, decoded): (Vec<u64>, Vec<_>) =
            disassemble(assembler.code()).into_iter().unzip();
        let jump = |mnemonic, target| DecodedInstruction {
            mnemonic,
            operands: vec![DecodedOperand::JumpTarget(target)],
        };
        prop_assert_eq!(decoded.len(), calls.len() + 3);
        let mut expected = vec![jump(Mnemonic::Je, offsets[calls.len() + 2])];
        expected.extend(calls.iter().map(|call| call.expected()));
        expected.push(jump(Mnemonic::Jne, offsets[again + 1]));
        expected.push(AssemblerCall::Ret.expected());
        prop_assert_eq!(decoded, expected);
    }

    /// The code of a circuit has the vector instructions of its listing and no others, jumps
    /// only to instructions, and returns with its last one.
    #[test]
    fn code_of_random_circuits_decodes(
        gates in 1usize..200,
        planes in 1usize..5,
        radius in 0i32..4,
        seed in any::<u64>(),
        is_leaf in any::<bool>(),
    ) {
        let (circuit, outputs) = random_circuit(&mut Dice::new(seed), planes, radius, gates);
        let shape = CircuitShape {
            planes,
            radius: radius as usize,
            height: is_leaf.then_some(8),
        };
        for width in WIDTHS {
            let (listing, _) = list(&circuit, &outputs, shape, width).unwrap();
            let (code, _) = assemble(&listing).unwrap();
            let decoded = disassemble(&code);
            let starts: HashSet<u64> = decoded.iter().map(|&(at, _)| at).collect();
            let mut vectors = Vec::new();
            for (_, mut instruction) in decoded.clone() {
                let mut is_vector = false;
                for operand in &mut instruction.operands {
                    match operand {
                        DecodedOperand::Register(register) => {
                            is_vector |= *register >= Register::XMM0;
                        }
                        DecodedOperand::JumpTarget(target) => {
                            prop_assert!(starts.contains(target), "{}", target);
                        }
                        DecodedOperand::Memory { index, .. } if *index != Register::None => {
                            prop_assert!((Register::R8..=Register::R15).contains(index));
                            *index = Register::R8;
                        }
                        _ => {}
                    }
                }
                if is_vector {
                    vectors.push(instruction);
                }
            }
            prop_assert_eq!(vectors, expected_vectors(&listing));
            let last = decoded.last().map(|(_, last)| last.mnemonic);
            prop_assert_eq!(last, Some(Mnemonic::Ret));
        }
    }
}
