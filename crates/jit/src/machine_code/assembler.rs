//! An assembler for the few x86-64 instructions that compiled circuits consist of.
//!
//! The encodings are those of the Intel and AMD manuals: VEX for 256 bits, EVEX for
//! 512 bits, where a displacement of one byte counts whole vectors (disp8*N). The tests hold every
//! instruction against a disassembler and the encoder that belongs to it.

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

/// A memory address: base + index + offset.
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

/// The width of the vectors that an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VectorWidth {
    /// 16 registers of 256 bits.
    Bits256,
    /// 32 registers of 512 bits.
    Bits512,
}

impl VectorWidth {
    /// Bits of a vector.
    pub(super) const fn bits(self) -> usize {
        match self {
            Self::Bits256 => 256,
            Self::Bits512 => 512,
        }
    }

    /// Words of a vector.
    pub(super) const fn words(self) -> usize {
        self.bits() / 64
    }

    /// Bytes of a vector.
    pub(super) const fn bytes(self) -> usize {
        self.bits() / 8
    }

    /// The number of vector registers.
    pub(super) const fn registers(self) -> usize {
        match self {
            Self::Bits256 => 16,
            Self::Bits512 => 32,
        }
    }
}

/// Bitwise logic of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum BitwiseOp {
    /// `a & b`
    And,
    /// `!a & b`, as in `PANDN`
    AndNot,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
}

/// The opcode of a vector instruction with its prefix and map.
#[derive(Clone, Copy)]
struct Opcode {
    /// The mandatory prefix: 0 none, 1 for 66, 2 for f3.
    prefix: u8,
    /// The opcode map: 1 for 0f, 3 for 0f 3a.
    map: u8,
    /// EVEX.W: whether elements have 64 bits.
    wide: bool,
    byte: u8,
}

/// A buffer of machine code.
#[derive(Clone, Debug, Default)]
pub(super) struct Assembler {
    code: Vec<u8>,
}

/// The target of a backward jump.
#[derive(Clone, Copy, Debug)]
pub(super) struct CodeLabel(usize);

/// A forward jump whose target is not yet known.
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
        self.encode_vector(width, opcode, to, 0, from);
    }

    pub(super) fn store(&mut self, width: VectorWidth, to: EffectiveAddress, from: u8) {
        let opcode = Opcode {
            prefix: 2,
            map: 1,
            wide: true,
            byte: 0x7f,
        };
        self.encode_vector(width, opcode, from, 0, RegisterOrMemory::Memory(to));
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
                BitwiseOp::AndNot => 0xdf,
                BitwiseOp::Or => 0xeb,
                BitwiseOp::Xor => 0xef,
            },
        };
        self.encode_vector(width, opcode, to, a, b);
    }

    /// `VPTERNLOGQ`: bit `4 a + 2 b + c` of `table`, where `a` is the old value of `to`. For
    /// 512 bits only.
    pub(super) fn ternary(&mut self, to: u8, b: u8, c: RegisterOrMemory, table: u8) {
        let opcode = Opcode {
            prefix: 1,
            map: 3,
            wide: true,
            byte: 0x25,
        };
        self.encode_vector(VectorWidth::Bits512, opcode, to, b, c);
        self.code.push(table);
    }

    pub(super) fn push(&mut self, register: GeneralRegister) {
        self.register_opcode(0x50, register);
    }

    pub(super) fn pop(&mut self, register: GeneralRegister) {
        self.register_opcode(0x58, register);
    }

    /// `to = from`
    pub(super) fn mov(&mut self, to: GeneralRegister, from: GeneralRegister) {
        self.encode_general(0x8b, to.0, RegisterOrMemory::Register(from.0));
    }

    /// `to = *from`
    pub(super) fn fetch(&mut self, to: GeneralRegister, from: EffectiveAddress) {
        self.encode_general(0x8b, to.0, RegisterOrMemory::Memory(from));
    }

    /// `to += *from`
    pub(super) fn add(&mut self, to: GeneralRegister, from: EffectiveAddress) {
        self.encode_general(0x03, to.0, RegisterOrMemory::Memory(from));
    }

    /// `*to += bytes`
    pub(super) fn add_to(&mut self, to: EffectiveAddress, bytes: i8) {
        self.encode_general(0x83, 0, RegisterOrMemory::Memory(to));
        self.code.push(bytes.to_le_bytes()[0]);
    }

    /// Subtracts one and sets the flags for [`Assembler::jump_if_not_zero`].
    pub(super) fn decrement(&mut self, what: RegisterOrMemory) {
        self.encode_general(0xff, 1, what);
    }

    /// Sets the flags for [`Assembler::jump_forward_if_zero`].
    pub(super) fn test(&mut self, register: GeneralRegister) {
        self.encode_general(0x85, register.0, RegisterOrMemory::Register(register.0));
    }

    pub(super) fn xchg(&mut self, a: GeneralRegister, b: GeneralRegister) {
        self.encode_general(0x87, a.0, RegisterOrMemory::Register(b.0));
    }

    /// `VZEROUPPER`, which later SSE code would otherwise be slowed down without.
    pub(super) fn vzeroupper(&mut self) {
        self.code.extend([0xc5, 0xf8, 0x77]);
    }

    pub(super) fn ret(&mut self) {
        self.code.push(0xc3);
    }

    /// The address of the next instruction.
    pub(super) fn label(&self) -> CodeLabel {
        CodeLabel(self.code.len())
    }

    pub(super) fn jump_if_not_zero(&mut self, to: CodeLabel) {
        self.code.extend([0x0f, 0x85]);
        let after = self.code.len() + 4;
        let distance = to.0 as i64 - after as i64;
        self.push_i32(distance);
    }

    /// A jump forward, to where [`Assembler::bind`] is called.
    pub(super) fn jump_forward_if_zero(&mut self) -> ForwardJump {
        self.code.extend([0x0f, 0x84, 0, 0, 0, 0]);
        ForwardJump(self.code.len())
    }

    pub(super) fn bind(&mut self, jump: ForwardJump) {
        let distance = i32::try_from(self.code.len() - jump.0).expect("code is short");
        self.code[jump.0 - 4..jump.0].copy_from_slice(&distance.to_le_bytes());
    }

    fn push_i32(&mut self, number: i64) {
        let number = i32::try_from(number).expect("code is short");
        self.code.extend(number.to_le_bytes());
    }

    fn register_opcode(&mut self, byte: u8, register: GeneralRegister) {
        if register.0 >= 8 {
            self.code.push(0x41);
        }
        self.code.push(byte | register.0 & 7);
    }

    /// Encodes a 64-bit general-purpose instruction.
    fn encode_general(&mut self, byte: u8, register: u8, operand: RegisterOrMemory) {
        let (x, b) = high_bits(operand);
        self.code
            .push(0x48 | (register >> 3 & 1) << 2 | u8::from(x) << 1 | u8::from(b));
        self.code.push(byte);
        self.mod_rm(register, operand, 1);
    }

    /// Encodes a vector instruction with VEX or EVEX.
    fn encode_vector(
        &mut self,
        width: VectorWidth,
        opcode: Opcode,
        register: u8,
        second: u8,
        operand: RegisterOrMemory,
    ) {
        let Opcode {
            prefix,
            map,
            wide,
            byte,
        } = opcode;
        let (x, b) = high_bits(operand);
        // VEX and EVEX store the high bits of register numbers inverted.
        let low = |set: bool, bit: u8| u8::from(!set) << bit;
        match width {
            VectorWidth::Bits512 => {
                // Vector registers have five bits; of the last operand, the fifth bit is where
                // the fourth bit of an index register would be.
                let fifth = matches!(operand, RegisterOrMemory::Register(r) if r & 16 != 0);
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
                self.mod_rm(register, operand, width.bytes() as i32);
            }
            VectorWidth::Bits256 => {
                let last = (!second & 15) << 3 | 1 << 2 | prefix;
                let first = low(register & 8 != 0, 7);
                if map == 1 && !x && !b {
                    self.code.extend([0xc5, first | last]);
                } else {
                    self.code
                        .extend([0xc4, first | low(x, 6) | low(b, 5) | map, last]);
                }
                self.code.push(byte);
                self.mod_rm(register, operand, 1);
            }
        }
    }

    /// Encodes ModRM, SIB and displacement; a displacement of one byte counts `unit` bytes.
    fn mod_rm(&mut self, register: u8, operand: RegisterOrMemory, unit: i32) {
        let middle = (register & 7) << 3;
        let EffectiveAddress {
            base,
            index,
            offset,
        } = match operand {
            RegisterOrMemory::Register(other) => {
                self.code.push(0b11 << 6 | middle | other & 7);
                return;
            }
            RegisterOrMemory::Memory(address) => address,
        };
        let short = (offset % unit == 0).then_some(offset / unit);
        let short = short.and_then(|units| i8::try_from(units).ok());
        // With `rbp` and `r13` as base, the encoding without a displacement means something else.
        let kind = match short {
            Some(0) if base.0 & 7 != 5 => 0b00,
            Some(_) => 0b01,
            None => 0b10,
        };
        // The number of `rsp` and `r12`: a SIB byte follows; as its index: there is no index.
        const SIB: u8 = 4;
        let start = kind << 6 | middle;
        match index {
            None if base.0 & 7 != SIB => self.code.push(start | base.0 & 7),
            None => self.code.extend([start | SIB, SIB << 3 | base.0 & 7]),
            Some(index) => {
                let both = (index.0 & 7) << 3 | base.0 & 7;
                self.code.extend([start | SIB, both]);
            }
        }
        match (kind, short) {
            (0b01, Some(units)) => self.code.extend(units.to_le_bytes()),
            (0b10, _) => self.code.extend(offset.to_le_bytes()),
            _ => {}
        }
    }
}

/// The fourth bits (X and B) of the index and the base, or of the register.
fn high_bits(operand: RegisterOrMemory) -> (bool, bool) {
    match operand {
        RegisterOrMemory::Register(register) => (false, register & 8 != 0),
        RegisterOrMemory::Memory(address) => (
            address.index.is_some_and(|index| index.0 >= 8),
            address.base.0 >= 8,
        ),
    }
}
