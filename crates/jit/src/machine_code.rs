//! Circuits as machine code.
//!
//! Interpreting a circuit gate by gate on blocks of rows costs several times what the logic
//! itself costs: loads, stores and dispatch. So a circuit is compiled together with its rule:
//!
//! 1. its gates are mapped to as few lookup tables of up to three inputs as possible
//!    ([`mapping`]), since one AVX-512 instruction (`VPTERNLOG`) computes any such table; for
//!    256 bits they are mapped to gates of two inputs instead;
//! 2. each table gets a lag in rows at which it is computed on the way down the rows, so that
//!    everything is computed once per row ([`timing`]);
//! 3. some rows together make the body of a loop ([`body_schedule`]), and its values get
//!    registers ([`registers`]);
//! 4. the listing is checked, assembled and put into executable memory ([`jit_program`]).

mod assembler;
mod body_schedule;
#[cfg(test)]
mod disassembly;
mod jit_program;
mod mapping;
mod netlist;
mod registers;
#[cfg(test)]
mod tests;
mod timing;

use assembler::VectorWidth;
use body_schedule::{BodyKind, PipelinePlan};
use jit_program::{CodeListing, InstructionBlock, JitProgram, RowLayout, has_vectors};
use kernel::circuit::{Circuit, CircuitWire};
use kernel::{CircuitBackend, CircuitShape, CompiledCircuit, PlaneLayout};
use netlist::Netlist;
use std::sync::Arc;
use timing::NodeTiming;

/// The backend that writes machine code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MachineCode;

impl CircuitBackend for MachineCode {
    fn compile(
        &self,
        circuit: &Circuit,
        outputs: &[CircuitWire],
        shape: CircuitShape,
    ) -> Option<Arc<dyn CompiledCircuit>> {
        let compiled = JitCircuit::compile(circuit, outputs, shape)?;
        Some(Arc::new(compiled))
    }
}

/// A circuit compiled for this processor.
#[derive(Debug)]
pub(super) struct JitCircuit {
    program: JitProgram,
    radius: usize,
    /// Logic instructions per row and vector.
    tables: usize,
    /// The number of rows in the main block.
    block: usize,
}

/// The rows of the main block, and the number of tables up to which that many are used. They
/// are even, as rules may depend on the parity of rows.
const BLOCK_SIZES: [(i32, usize); 4] = [(12, 30), (8, 120), (4, 200), (2, usize::MAX)];

impl JitCircuit {
    /// None where the processor lacks the instructions, or the system refuses executable memory.
    pub(super) fn compile(
        circuit: &Circuit,
        outputs: &[CircuitWire],
        shape: CircuitShape,
    ) -> Option<Self> {
        let width = [VectorWidth::Bits512, VectorWidth::Bits256]
            .into_iter()
            .find(|&w| has_vectors(w))?;
        let (listing, tables) = list(circuit, outputs, shape, width)?;
        let program = JitProgram::new(&listing);
        debug_assert!(program.is_ok(), "{program:?}");
        Some(Self {
            program: program.ok()?,
            radius: shape.radius,
            tables,
            block: listing.main.rows.into(),
        })
    }
}

/// The listing of a circuit for vectors of this width, and the number of its logic instructions
/// per row.
fn list(
    circuit: &Circuit,
    outputs: &[CircuitWire],
    shape: CircuitShape,
    width: VectorWidth,
) -> Option<(CodeListing, usize)> {
    let netlist = match width {
        VectorWidth::Bits512 => mapping::map(&Netlist::of(circuit, outputs)),
        VectorWidth::Bits256 => Netlist::two_input(circuit, outputs),
    };
    let timing = NodeTiming::of(&netlist);
    let plan = PipelinePlan::new(&netlist, &timing);
    let tables = netlist.len();
    let tallest = shape.height.unwrap_or(usize::MAX);
    let (main, _) = BLOCK_SIZES
        .into_iter()
        .find(|&(rows, most)| tables <= most && rows as usize <= tallest)?;
    let mut slots = 0;
    let mut body = |kind: BodyKind, rows: i32| -> InstructionBlock {
        let (body, needed) = registers::assign(&plan.schedule(kind, rows), width);
        slots = slots.max(needed);
        body
    };
    let prologue = body(BodyKind::Prologue, timing.reach - timing.top);
    let main = body(BodyKind::Main { first: 0 }, main);
    // The second is for odd rows: rules may depend on the parity of rows.
    let remainder = [0, 1].map(|first| body(BodyKind::Main { first }, 1));
    let remainder = match remainder {
        [even, odd] if even.instructions == odd.instructions => vec![even],
        both => both.into(),
    };
    let listing = CodeListing {
        width,
        planes: shape.planes as u8,
        reach: timing.reach as i16,
        prologue,
        main,
        remainder,
        slots,
        carried: plan.carried,
    };
    Some((listing, tables))
}

impl CompiledCircuit for JitCircuit {
    fn is_enabled(&self) -> bool {
        has_vectors(self.program.width())
    }

    fn block(&self) -> usize {
        self.block
    }

    fn words(&self) -> usize {
        self.program.width().words()
    }

    fn work(&self) -> usize {
        self.tables * 512 / self.program.width().bits() + 2
    }

    fn describe(&self) -> String {
        let Self {
            program, tables, ..
        } = self;
        let bits = program.width().bits();
        format!("{tables} instructions on {bits} bits")
    }

    fn rows(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) -> bool {
        let PlaneLayout {
            stride,
            margin,
            words,
            corner,
        } = layout;
        let rows = RowLayout {
            stride,
            margin,
            words,
            radius: self.radius,
            corner,
        };
        self.program.run(rows, seen, next)
    }
}
