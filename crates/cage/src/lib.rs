//! A program that is not ours, run so that it can do no harm and leaves nothing behind.
//!
//! The decision that shapes this crate: between us and the program stands a *warden*, which
//! is this very program run again with one hidden word ([`warden`] is the first line of
//! `main`). The warden holds one end of a pipe, the leash; when we are gone, however we went,
//! the leash breaks, and the warden ends everything that the program has started and then
//! itself. Limits are laid on by a process that has one thread and becomes the program
//! afterwards, so nothing has to be done between fork and exec. Doing all of it in a hook
//! before exec lost: it would have to be unsafe code, and nobody would be left to clean up.
//!
//! The program's own input, output and errors are pipes straight to us; the warden is not in
//! their way.
#![forbid(unsafe_code)]

mod bounds;
mod start;

pub use bounds::{Bounds, Mode, ModeError};
pub use start::{Cage, CageError, Caged, Ended, How, Layer, Program, Refusal, State, warden};
