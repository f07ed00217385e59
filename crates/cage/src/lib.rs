//! A program that is not ours, run so that it can do no harm and leaves nothing behind.
//!
//! The decision that shapes this crate: between us and the program stands a *warden*, which
//! is this very program run again under another name ([`warden`] is the first line of
//! `main`). The warden holds one end of a line, the leash; when we are gone, however we
//! went, the leash breaks, and the warden ends everything that the program has started and
//! then itself. Limits are laid on by a process that has one thread and becomes the program
//! afterwards, so nothing has to be done between fork and exec. Doing all of it in a hook
//! before exec lost: it would have to be unsafe code, and nobody would be left to clean up.
//!
//! The program's own input, output and errors are pipes straight to us; the warden is not in
//! their way.
#![deny(unsafe_code)]

mod bounds;
mod report;

#[cfg(target_os = "linux")]
mod arch;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod inner;
#[cfg(target_os = "linux")]
mod judge;
#[cfg(target_os = "linux")]
mod kin;
#[cfg(target_os = "linux")]
mod layers;
#[cfg(target_os = "linux")]
mod line;
#[cfg(target_os = "linux")]
mod order;
#[cfg(target_os = "linux")]
mod program;
#[cfg(target_os = "linux")]
mod refusals;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod warden;

pub use bounds::{Bounds, Mode, ModeError};
pub use program::Program;
pub use report::{CageError, Ended, How, Layer, Refusal, State};
pub use start::{Cage, Caged, use_warden, warden};
