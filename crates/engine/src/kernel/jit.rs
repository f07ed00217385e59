//! Circuits as machine code, for processors that we know how to write for.
//!
//! The steps of a circuit, done one after another on blocks of rows, cost several times
//! what the logic itself costs: loads, stores, and the choice of what comes next. So a
//! circuit is turned into instructions when a rule is compiled:
//!
//! 1. its gates become tables of up to three inputs, as few as can be ([`mapping`]), since
//!    one instruction does any such table in vectors of 512 bits; for 256 bits they
//!    become pairs instead;
//! 2. each table gets a time at which it is done, on the way down the rows, so that all is
//!    computed once a row ([`timing`]);
//! 3. some rows together make the body of a loop ([`body_schedule`]), and its values get
//!    registers ([`registers`]).
//!
//! What to do where this is not possible is told by the steps, which the machine code is
//! held against. (A compiler library was the alternative: it would be larger than all of
//! this program, and slower to load a rule.)

mod body_schedule;
mod mapping;
mod netlist;
mod registers;
mod timing;

use super::circuit::{Circuit, CircuitWire};
use super::plane::PlaneLayout;
use crate::arch::{CodeListing, InstructionBlock, JitProgram, RowLayout, VectorWidth, has};
use body_schedule::{BodyKind, PipelinePlan};
use netlist::Netlist;
use timing::NodeTiming;

/// A circuit as machine code for this processor.
#[derive(Debug)]
pub(super) struct JitCircuit {
    program: JitProgram,
    radius: usize,
    /// Instructions of logic a row and vector.
    tables: usize,
    /// Rows that are done together.
    block: usize,
}

/// Rows of a body, from the most, and the tables up to which there are so many. They are even:
/// rows may matter to the rule.
const BODY: [(i32, usize); 4] = [(12, 30), (8, 120), (4, 200), (2, usize::MAX)];

impl JitCircuit {
    /// None where the processor is another, or the system allows no code to be made.
    pub(super) fn of(
        circuit: &Circuit,
        outputs: &[CircuitWire],
        planes: usize,
        radius: usize,
    ) -> Option<Self> {
        let width = [VectorWidth::Full, VectorWidth::Half]
            .into_iter()
            .find(|&w| has(w))?;
        let netlist = match width {
            VectorWidth::Full => mapping::mapped(&Netlist::of(circuit, outputs)),
            VectorWidth::Half => Netlist::of_pairs(circuit, outputs),
        };
        let timing = NodeTiming::of(&netlist);
        let plan = PipelinePlan::new(&netlist, &timing);
        let tables = netlist.len();
        let bodies = BODY.into_iter();
        let (main, _) = bodies.clone().find(|(_, most)| tables <= *most)?;
        let mut slots = 0;
        let mut body = |part: BodyKind, rows: i32| -> InstructionBlock {
            let (body, needed) = registers::assign(&plan.schedule(part, rows), width);
            slots = slots.max(needed);
            body
        };
        let start = body(BodyKind::Start, timing.reach - timing.top);
        let main = body(BodyKind::Later { first: 0 }, main);
        // The second is for odd rows: rows may matter to the rule.
        let singles = [0, 1].map(|first| body(BodyKind::Later { first }, 1));
        let singles = match singles {
            [even, odd] if even.instructions == odd.instructions => vec![even],
            both => both.into(),
        };
        let block = main.rows.into();
        let program = JitProgram::new(&CodeListing {
            width,
            planes: planes as u8,
            reach: timing.reach as i16,
            start,
            main,
            singles,
            slots,
            carried: plan.carried,
        });
        debug_assert!(program.is_ok(), "{program:?}");
        Some(Self {
            program: program.ok()?,
            radius,
            tables,
            block,
        })
    }

    /// Whether tests allow its vectors.
    pub(super) fn may_run(&self) -> bool {
        has(self.program.width())
    }

    /// Rows that are done together.
    pub(super) fn block(&self) -> usize {
        self.block
    }

    /// See `PlaneKernel::work`.
    pub(super) fn work(&self) -> usize {
        self.tables * 512 / self.program.width().bits() + 2
    }

    /// What it is, in words.
    pub(super) fn describe(&self) -> String {
        let Self {
            program, tables, ..
        } = self;
        let bits = program.width().bits();
        format!("{tables} instructions on {bits} bits")
    }

    /// See `PlaneKernel::rows`; false if the slices are too short.
    #[must_use]
    pub(super) fn rows(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) -> bool {
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

#[cfg(test)]
mod tests;
