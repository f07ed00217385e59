//! What is to be run, and in what.

use crate::{CageMode, ResourceLimits};
use std::ffi::OsString;
use std::path::PathBuf;

/// What a program is run in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cage {
    /// How much of it there has to be.
    pub mode: CageMode,
    /// How much the program may use.
    pub bounds: ResourceLimits,
    /// What it may read besides its own folder and the system's libraries: folders and
    /// files.
    pub readable: Vec<PathBuf>,
}

/// What is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The program: a name that is looked for in `PATH`, or a path. A path that is not
    /// absolute begins at our own current folder, and where nothing is there, at
    /// [`Program::folder`].
    ///
    /// A name may lead to one of the scripts that pyenv puts before each Python; what that
    /// script would run is taken in its place, since the script itself needs other
    /// processes. A script may name its interpreter in its first line. Whatever stands in
    /// a `bin` outside the system's folders may read that `bin` and the `lib`, `lib64`,
    /// `libexec`, `share`, `include` and `conf` beside it.
    pub program: OsString,
    /// What it is given.
    pub arguments: Vec<OsString>,
    /// The folder that it starts in, and may read.
    pub folder: PathBuf,
    /// The cores that it may run on, by number; empty for all.
    pub cores: Vec<usize>,
}
