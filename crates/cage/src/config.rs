//! The configuration of a sandbox and of the program in it.

use crate::{CageMode, ResourceLimits};
use std::ffi::OsString;
use std::path::PathBuf;

/// The configuration of a sandbox.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cage {
    /// Which layers are required.
    pub mode: CageMode,
    /// The program's resource limits.
    pub limits: ResourceLimits,
    /// Files and folders that it may read besides its own folder and the system's libraries.
    pub readable: Vec<PathBuf>,
}

/// The program to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The program: a name that is looked up in `PATH`, or a path. A relative path is resolved
    /// against the caller's current folder, and if nothing is there, against
    /// [`Program::folder`].
    ///
    /// A name may lead to one of the shims that pyenv puts before each Python; the program
    /// behind the shim is run instead, since the shim itself needs other processes. A script
    /// may name its interpreter in its first line. A program in a `bin` outside the system's
    /// folders may read that `bin` and the `lib`, `lib64`, `libexec`, `share`, `include` and
    /// `conf` beside it.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Its working folder, which it may read.
    pub folder: PathBuf,
    /// The CPU cores that it may run on, by number; empty for all.
    pub cores: Vec<usize>,
}
