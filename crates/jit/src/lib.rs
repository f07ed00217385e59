//! A just-in-time compiler of circuits, for x86-64 with AVX2 or AVX-512.
//!
//! A circuit that a backend does not take is interpreted by the crate `kernel`, and the machine
//! code is tested against that. (A compiler library was the alternative: it would be larger than
//! all of this program, and slower to load a rule.)
//!
//! ```
//! let rule = "B36/S23".parse().expect("a rule");
//! let kernel = kernel::PlaneKernel::compile(&rule, jit::backend()).expect("a small circuit");
//! // "1 bit plane, sums by 11 instructions on 512 bits", or logic steps where there is no such
//! // processor.
//! assert!(kernel.describe().starts_with("1 bit plane, sums by "));
//! ```
#![deny(unsafe_code)]

#[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
mod machine_code;

use kernel::CircuitBackend;

/// What writes machine code for this processor, where there is any that it can write.
///
/// ```
/// use kernel::{CircuitBackend, InterpreterOnly, PlaneKernel};
///
/// let rule = "B36/S23".parse()?;
/// let kernel = |backend: &dyn CircuitBackend| PlaneKernel::compile(&rule, backend);
/// let work = |backend| kernel(backend).map(|kernel| kernel.work());
/// assert!(work(jit::backend()) <= work(&InterpreterOnly));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn backend() -> &'static dyn CircuitBackend {
    #[cfg(all(target_arch = "x86_64", any(unix, windows), not(miri)))]
    {
        &machine_code::MachineCode
    }
    #[cfg(not(all(target_arch = "x86_64", any(unix, windows), not(miri))))]
    {
        &kernel::InterpreterOnly
    }
}
