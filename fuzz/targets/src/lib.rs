//! What fuzzing holds every reader of input to: one [`Target`] for each kind of input, which
//! takes any bytes and panics where a promise is broken.
//!
//! The decision that shapes this package: a target knows nothing of who runs it. The gate
//! replays the corpus and a fixed number of mutations of it with the stable compiler
//! (`tests/it`); the program of this package runs one target for as long as one likes; and
//! libFuzzer runs the same function, guided by coverage, from the package in the folder above,
//! which needs a nightly compiler. (Targets inside that package lost: nothing ran them but
//! whoever had its tools, so what they found came back unseen.)
//!
//! [`TARGETS`] lists them, [`Mutator`] makes new inputs out of [`Target::corpus`], and
//! [`Fuzzer`] runs them until its time is over.
//!
//! ```
//! let target = fuzz_targets::find("rle").expect("there is such a target");
//! (target.check)(b"x = 3, y = 3\nbo$2bo$3o!");
//! (target.check)(b"no pattern at all");
//! ```
#![forbid(unsafe_code)]

mod corpus;
mod fuzzer;
mod mutator;
mod target;

pub use corpus::{CorpusError, write_corpus};
pub use fuzzer::{
    Crash, Fuzzer, FuzzerError, FuzzerReport, SLOW_EXIT, current_input, keep_current,
};
pub use mutator::{LONGEST_INPUT, Mutator};
pub use target::TARGETS;

/// One kind of input, and what is promised of it.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name on the command line, and its folder's in the corpus.
    pub name: &'static str,
    /// Panics where the bytes break a promise.
    pub check: fn(&[u8]),
    /// Inputs that are made from what the program has anyway: its examples, its library.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words of the format, which a mutation puts in.
    pub words: fn() -> Vec<String>,
    /// How many mutations the gate runs: as many as take about a second there.
    pub gate_runs: u32,
}

/// The target of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs the target of that name on some bytes.
///
/// # Panics
/// When the bytes break a promise of the target, and when there is no such target.
pub fn check(name: &str, bytes: &[u8]) {
    let target = find(name).expect("every fuzzing binary is named after its target");
    (target.check)(bytes);
}
