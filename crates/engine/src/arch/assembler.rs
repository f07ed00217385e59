//! Bytes of the few x86 instructions that compiled circuits are made of.
//!
//! The encodings are those of the processor makers' manuals: VEX for 256 bits, EVEX for
//! 512 bits, where a displacement of one byte counts whole vectors.

/// A general register by its number, `rax` to `r15`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GeneralRegister(pub(super) u8);

impl GeneralRegister {
    pub(super) const RAX: Self = Self(0);
    pub(super) const RCX: Self = Self(1);
    pub(super) const RDX: Self = Self(2);
    pub(super) const RBX: Self = Self(3);
    pub(super) const RBP: Self = Self(5);
    pub(super) const RSI: Self = Self(6);
    pub(super) const RDI: Self = Self(7);
}

/// A place in memory: the sum of a register, perhaps another, and a number of bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct EffectiveAddress {
    pub(super) base: GeneralRegister,
    pub(super) index: Option<GeneralRegister>,
    pub(super) offset: i32,
}

impl EffectiveAddress {
    pub(super) fn at(base: GeneralRegister, offset: i32) -> Self {
        Self {
            base,
            index: None,
            offset,
        }
    }
}

/// The last operand of an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum RegisterOrMemory {
    Register(u8),
    Memory(EffectiveAddress),
}

/// Which vectors an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorWidth {
    /// 16 registers of 256 bits.
    Half,
    /// 32 registers of 512 bits.
    Full,
}

impl VectorWidth {
    /// Bits of a vector.
    pub(crate) const fn bits(self) -> usize {
        match self {
            Self::Half => 256,
            Self::Full => 512,
        }
    }

    /// Words of a vector.
    pub(crate) const fn words(self) -> usize {
        self.bits() / 64
    }

    /// Bytes of a vector.
    pub(crate) const fn bytes(self) -> usize {
        self.bits() / 8
    }

    /// How many registers there are.
    pub(crate) const fn registers(self) -> usize {
        match self {
            Self::Half => 16,
            Self::Full => 32,
        }
    }
}

/// Logic of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BitwiseOp {
    /// Both.
    And,
    /// The second without the first.
    NotAnd,
    /// Either.
    Or,
    /// One of them alone.
    Xor,
}

/// What the bytes of an instruction begin with, besides its operands.
#[derive(Clone, Copy)]
struct Opcode {
    /// The prefix it stands for: 0 none, 1 for 66, 2 for f3.
    prefix: u8,
    /// 1 for 0f, 3 for 0f 3a.
    map: u8,
    /// Whether its elements are of 64 bits, where EVEX tells.
    wide: bool,
    byte: u8,
}

/// Bytes of code, one instruction after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembler {
    code: Vec<u8>,
}

/// The start of an instruction that is jumped to.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeLabel(usize);

/// A jump whose end is not yet known.
#[derive(Debug)]
#[must_use]
pub(super) struct ForwardJump(usize);

impl Assembler {
    pub(super) fn code(&self) -> &[u8] {
        &self.code
    }

    /// `to = from`, from memory at any alignment.
    pub(super) fn load(&mut self, width: VectorWidth, to: u8, from: RegisterOrMemory) {
        let prefix = match from {
            RegisterOrMemory::Register(_) => 1,
            RegisterOrMemory::Memory(_) => 2,
        };
        let opcode = Opcode {
            prefix,
            map: 1,
            wide: true,
            byte: 0x6f,
        };
        self.vector(width, opcode, to, 0, from);
    }

    pub(super) fn store(&mut self, width: VectorWidth, to: EffectiveAddress, from: u8) {
        let opcode = Opcode {
            prefix: 2,
            map: 1,
            wide: true,
            byte: 0x7f,
        };
        self.vector(width, opcode, from, 0, RegisterOrMemory::Memory(to));
    }

    pub(super) fn logic(
        &mut self,
        width: VectorWidth,
        logic: BitwiseOp,
        to: u8,
        a: u8,
        b: RegisterOrMemory,
    ) {
        let opcode = Opcode {
            prefix: 1,
            map: 1,
            wide: true,
            byte: match logic {
                BitwiseOp::And => 0xdb,
                BitwiseOp::NotAnd => 0xdf,
                BitwiseOp::Or => 0xeb,
                BitwiseOp::Xor => 0xef,
            },
        };
        self.vector(width, opcode, to, a, b);
    }

    /// Bit `4 a + 2 b + c` of `table`, where `a` is what `to` holds before. For 512 bits
    /// alone.
    pub(super) fn table(&mut self, to: u8, b: u8, c: RegisterOrMemory, table: u8) {
        let opcode = Opcode {
            prefix: 1,
            map: 3,
            wide: true,
            byte: 0x25,
        };
        self.vector(VectorWidth::Full, opcode, to, b, c);
        self.code.push(table);
    }

    pub(super) fn push(&mut self, register: GeneralRegister) {
        self.short(0x50, register);
    }

    pub(super) fn pop(&mut self, register: GeneralRegister) {
        self.short(0x58, register);
    }

    /// `to = from`
    pub(super) fn copy(&mut self, to: GeneralRegister, from: GeneralRegister) {
        self.general(0x8b, to.0, RegisterOrMemory::Register(from.0));
    }

    /// `to = *from`
    pub(super) fn fetch(&mut self, to: GeneralRegister, from: EffectiveAddress) {
        self.general(0x8b, to.0, RegisterOrMemory::Memory(from));
    }

    /// `to += *from`
    pub(super) fn add(&mut self, to: GeneralRegister, from: EffectiveAddress) {
        self.general(0x03, to.0, RegisterOrMemory::Memory(from));
    }

    /// `*to += bytes`
    pub(super) fn add_to(&mut self, to: EffectiveAddress, bytes: i8) {
        self.general(0x83, 0, RegisterOrMemory::Memory(to));
        self.code.push(bytes.to_le_bytes()[0]);
    }

    /// Takes one off, and tells [`Assembler::jump_unless_zero`] what is left.
    pub(super) fn decrement(&mut self, what: RegisterOrMemory) {
        self.general(0xff, 1, what);
    }

    /// Tells [`Assembler::skip_if_zero`] whether it is zero.
    pub(super) fn test(&mut self, register: GeneralRegister) {
        self.general(0x85, register.0, RegisterOrMemory::Register(register.0));
    }

    pub(super) fn exchange(&mut self, a: GeneralRegister, b: GeneralRegister) {
        self.general(0x87, a.0, RegisterOrMemory::Register(b.0));
    }

    /// Clears what later code of other kinds would wait for.
    pub(super) fn forget_upper(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77]);
    }

    pub(super) fn back(&mut self) {
        self.code.push(0xc3);
    }

    /// Where the next instruction begins.
    pub(super) fn here(&self) -> CodeLabel {
        CodeLabel(self.code.len())
    }

    pub(super) fn jump_unless_zero(&mut self, to: CodeLabel) {
        self.code.extend([0x0f, 0x85]);
        let after = self.code.len() + 4;
        let distance = to.0 as i64 - after as i64;
        self.four(distance);
    }

    /// A jump forward, to where [`Assembler::land`] is called.
    pub(super) fn skip_if_zero(&mut self) -> ForwardJump {
        self.code.extend([0x0f, 0x84, 0, 0, 0, 0]);
        ForwardJump(self.code.len())
    }

    pub(super) fn land(&mut self, jump: ForwardJump) {
        let distance = i32::try_from(self.code.len() - jump.0).expect("code is short");
        self.code[jump.0 - 4..jump.0].copy_from_slice(&distance.to_le_bytes());
    }

    fn four(&mut self, number: i64) {
        let number = i32::try_from(number).expect("code is short");
        self.code.extend(number.to_le_bytes());
    }

    fn short(&mut self, byte: u8, register: GeneralRegister) {
        if register.0 >= 8 {
            self.code.push(0x41);
        }
        self.code.push(byte | register.0 & 7);
    }

    /// An instruction on 64 bits.
    fn general(&mut self, byte: u8, register: u8, place: RegisterOrMemory) {
        let (x, b) = high_bits(place);
        self.code
            .push(0x48 | (register >> 3 & 1) << 2 | u8::from(x) << 1 | u8::from(b));
        self.code.push(byte);
        self.operand(register, place, 1);
    }

    /// An instruction on vectors: its prefix, its byte, and what it works on.
    fn vector(
        &mut self,
        width: VectorWidth,
        opcode: Opcode,
        register: u8,
        second: u8,
        place: RegisterOrMemory,
    ) {
        let Opcode {
            prefix,
            map,
            wide,
            byte,
        } = opcode;
        let (x, b) = high_bits(place);
        // What is high in the number of a register is told inverted.
        let low = |set: bool, bit: u8| u8::from(!set) << bit;
        match width {
            VectorWidth::Full => {
                // A vector register's number has five bits; where it comes last, its
                // fifth stands where the fourth of an index would.
                let fifth = matches!(place, RegisterOrMemory::Register(r) if r & 16 != 0);
                self.code.extend([
                    0x62,
                    low(register & 8 != 0, 7)
                        | low(x || fifth, 6)
                        | low(b, 5)
                        | low(register & 16 != 0, 4)
                        | map,
                    u8::from(wide) << 7 | (!second & 15) << 3 | 1 << 2 | prefix,
                    0b10 << 5 | low(second & 16 != 0, 3),
                ]);
                self.code.push(byte);
                self.operand(register, place, width.bytes() as i32);
            }
            VectorWidth::Half => {
                let last = (!second & 15) << 3 | 1 << 2 | prefix;
                let first = low(register & 8 != 0, 7);
                if map == 1 && !x && !b {
                    self.code.extend([0xc5, first | last]);
                } else {
                    self.code
                        .extend([0xc4, first | low(x, 6) | low(b, 5) | map, last]);
                }
                self.code.push(byte);
                self.operand(register, place, 1);
            }
        }
    }

    /// A register and a place; a displacement of one byte counts `unit` bytes.
    fn operand(&mut self, register: u8, place: RegisterOrMemory, unit: i32) {
        let middle = (register & 7) << 3;
        let EffectiveAddress {
            base,
            index,
            offset,
        } = match place {
            RegisterOrMemory::Register(other) => {
                self.code.push(0b11 << 6 | middle | other & 7);
                return;
            }
            RegisterOrMemory::Memory(address) => address,
        };
        let short = (offset % unit == 0).then_some(offset / unit);
        let short = short.and_then(|units| i8::try_from(units).ok());
        // Without a displacement, `rbp` and `r13` would mean something else.
        let kind = match short {
            Some(0) if base.0 & 7 != 5 => 0b00,
            Some(_) => 0b01,
            None => 0b10,
        };
        // The number of `rsp` and `r12` says that another byte follows, and there that
        // there is no index.
        const MORE: u8 = 4;
        let start = kind << 6 | middle;
        match index {
            None if base.0 & 7 != MORE => self.code.push(start | base.0 & 7),
            None => self.code.extend([start | MORE, MORE << 3 | base.0 & 7]),
            Some(index) => {
                let both = (index.0 & 7) << 3 | base.0 & 7;
                self.code.extend([start | MORE, both]);
            }
        }
        match (kind, short) {
            (0b01, Some(units)) => self.code.extend(units.to_le_bytes()),
            (0b10, _) => self.code.extend(offset.to_le_bytes()),
            _ => {}
        }
    }
}

/// Whether the fourth bit is set in the number of the index and in that of the base, or
/// of the register.
fn high_bits(place: RegisterOrMemory) -> (bool, bool) {
    match place {
        RegisterOrMemory::Register(register) => (false, register & 8 != 0),
        RegisterOrMemory::Memory(address) => (
            address.index.is_some_and(|index| index.0 >= 8),
            address.base.0 >= 8,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::VectorWidth::{Full, Half};
    use super::*;

    fn memory(base: u8, index: Option<u8>, offset: i32) -> EffectiveAddress {
        EffectiveAddress {
            base: GeneralRegister(base),
            index: index.map(GeneralRegister),
            offset,
        }
    }

    fn check(write: impl FnOnce(&mut Assembler), expected: &str) {
        let mut assembler = Assembler::default();
        write(&mut assembler);
        let bytes: Vec<String> = assembler
            .code()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(bytes.join(" "), expected);
    }

    /// The bytes that the GNU assembler gives.
    #[test]
    fn instructions_are_those_of_an_assembler() {
        use RegisterOrMemory::{Memory, Register};
        check(
            |a| a.table(3, 17, Register(30), 0x96),
            "62 93 f5 40 25 de 96",
        );
        check(
            |a| a.table(20, 1, Memory(memory(9, Some(6), -8)), 0xe8),
            "62 c3 f5 48 25 a4 31 f8 ff ff ff e8",
        );
        check(
            |a| a.table(20, 1, Memory(memory(6, Some(0), 0x1238)), 0xe8),
            "62 e3 f5 48 25 a4 06 38 12 00 00 e8",
        );
        check(
            |a| a.table(20, 1, Memory(memory(12, None, 0x40)), 0xe8),
            "62 c3 f5 48 25 64 24 01 e8",
        );
        check(
            |a| a.table(0, 1, Memory(memory(13, None, 0x2000)), 0xe8),
            "62 d3 f5 48 25 85 00 20 00 00 e8",
        );
        check(
            |a| a.logic(Full, BitwiseOp::And, 1, 18, Register(3)),
            "62 f1 ed 40 db cb",
        );
        check(
            |a| a.logic(Full, BitwiseOp::NotAnd, 1, 18, Register(3)),
            "62 f1 ed 40 df cb",
        );
        check(
            |a| a.logic(Full, BitwiseOp::Or, 1, 18, Memory(memory(5, None, 0x40))),
            "62 f1 ed 40 eb 4d 01",
        );
        check(
            |a| a.logic(Full, BitwiseOp::Xor, 1, 18, Register(3)),
            "62 f1 ed 40 ef cb",
        );
        check(
            |a| a.load(Full, 9, Memory(memory(6, Some(15), 0))),
            "62 31 fe 48 6f 0c 3e",
        );
        check(
            |a| a.store(Full, memory(7, Some(0), 0), 31),
            "62 61 fe 48 7f 3c 07",
        );
        check(|a| a.load(Full, 9, Register(29)), "62 11 fd 48 6f cd");
        check(
            |a| a.logic(Half, BitwiseOp::And, 1, 2, Register(3)),
            "c5 ed db cb",
        );
        check(
            |a| a.logic(Half, BitwiseOp::NotAnd, 9, 12, Register(13)),
            "c4 41 1d df cd",
        );
        check(
            |a| a.logic(Half, BitwiseOp::Or, 1, 2, Memory(memory(6, Some(9), -8))),
            "c4 a1 6d eb 4c 0e f8",
        );
        check(
            |a| a.logic(Half, BitwiseOp::Xor, 1, 2, Memory(memory(12, None, 0x240))),
            "c4 c1 6d ef 8c 24 40 02 00 00",
        );
        check(
            |a| a.load(Half, 9, Memory(memory(6, Some(15), 0))),
            "c4 21 7e 6f 0c 3e",
        );
        check(
            |a| a.store(Half, memory(7, Some(0), 0), 15),
            "c5 7e 7f 3c 07",
        );
        check(|a| a.load(Half, 9, Register(15)), "c4 41 7d 6f cf");
        check(
            |a| a.fetch(GeneralRegister(0), memory(5, None, 0x18)),
            "48 8b 45 18",
        );
        check(
            |a| a.fetch(GeneralRegister(9), memory(12, None, 0x218)),
            "4d 8b 8c 24 18 02 00 00",
        );
        check(
            |a| a.add(GeneralRegister::RSI, memory(5, None, 0x20)),
            "48 03 75 20",
        );
        check(|a| a.add_to(memory(5, None, 8), 64), "48 83 45 08 40");
        check(|a| a.decrement(Register(1)), "48 ff c9");
        check(|a| a.decrement(Memory(memory(5, None, 8))), "48 ff 4d 08");
        check(
            |a| a.exchange(GeneralRegister(14), GeneralRegister(13)),
            "4d 87 f5",
        );
        check(|a| a.test(GeneralRegister::RCX), "48 85 c9");
        check(
            |a| a.copy(GeneralRegister::RBP, GeneralRegister::RDI),
            "48 8b ef",
        );
        check(Assembler::forget_upper, "c5 f8 77");
        check(|a| a.push(GeneralRegister::RBP), "55");
        check(|a| a.push(GeneralRegister(12)), "41 54");
        check(|a| a.pop(GeneralRegister(15)), "41 5f");
        check(Assembler::back, "c3");
    }

    #[test]
    fn jumps_count_from_their_end() {
        check(
            |a| {
                let start = a.here();
                let skip = a.skip_if_zero();
                a.jump_unless_zero(start);
                a.land(skip);
                a.back();
            },
            "0f 84 06 00 00 00 0f 85 f4 ff ff ff c3",
        );
    }
}
