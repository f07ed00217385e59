use crate::circuit::{Circuit, CircuitWire};
use std::fmt::Debug;
use std::sync::Arc;

/// The words of cells in a line must be a multiple of this.
pub const ROW_UNIT: usize = 8;

/// Compiles circuits to something quicker than the interpreter. The crate `jit` has one that
/// writes machine code.
pub trait CircuitBackend {
    /// None where it cannot, or where that would be no quicker: then the circuit is interpreted.
    /// `outputs` are the next states, one wire per plane.
    fn compile(
        &self,
        circuit: &Circuit,
        outputs: &[CircuitWire],
        shape: CircuitShape,
    ) -> Option<Arc<dyn CompiledCircuit>>;
}

/// A circuit as a backend compiled it.
pub trait CompiledCircuit: Debug + Send + Sync {
    /// Whether its instructions may be used; see [`limit_vector_width`](crate::simd::limit_vector_width).
    fn is_enabled(&self) -> bool;

    /// The number of rows that are stepped together; multiples of it cost the least.
    fn block(&self) -> usize;

    /// The number of words that are stepped together: lines must be multiples of it.
    fn words(&self) -> usize;

    /// The approximate cost, in 512-bit instructions per 512 cells, scaled up where vectors are
    /// narrower.
    fn work(&self) -> usize;

    /// A description for users, such as "11 instructions on 512 bits".
    fn describe(&self) -> String;

    /// Steps rows, see [`PlaneKernel::rows`](crate::PlaneKernel::rows). False if the slices are
    /// too short: then nothing was written, and the interpreter has to do it.
    #[must_use]
    fn rows(&self, layout: PlaneLayout, seen: &[u64], next: &mut [u64]) -> bool;
}

/// Compiles nothing: all circuits are interpreted.
#[derive(Clone, Copy, Debug)]
pub struct InterpreterOnly;

impl CircuitBackend for InterpreterOnly {
    fn compile(
        &self,
        _circuit: &Circuit,
        _outputs: &[CircuitWire],
        _shape: CircuitShape,
    ) -> Option<Arc<dyn CompiledCircuit>> {
        None
    }
}

/// The shape of the rows that a circuit is compiled for.
#[derive(Clone, Copy, Debug)]
pub struct CircuitShape {
    /// Lines of a row.
    pub planes: usize,
    /// How far a cell sees.
    pub radius: usize,
    /// The rows that are stepped at a time, where they are few.
    pub height: Option<usize>,
}

/// The memory layout of rows, see [`PlaneKernel::rows`](crate::PlaneKernel::rows).
#[derive(Clone, Copy, Debug)]
pub struct PlaneLayout {
    /// Distance of lines in words.
    pub stride: usize,
    /// Words before the cells of a line, at least as many as a circuit looks sideways.
    pub margin: usize,
    /// Words of cells in a line, a multiple of [`ROW_UNIT`](crate::ROW_UNIT).
    pub words: usize,
    /// Whether the first output cell is in an odd column, and in an odd row. The cells of a
    /// word are all in odd columns or all in even ones.
    pub corner: (bool, bool),
}
