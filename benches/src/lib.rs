//! What timings share. The timings themselves stand beside the code that they are of, in the
//! folder `benches` of each crate, and are targets of this package: so what they need is
//! compiled for those who time something, and not with every test.

use std::path::PathBuf;

/// A program of the workspace that a timing starts, in the folder that it is built into.
///
/// # Panics
/// When it has not been built, with the command that builds it.
#[must_use]
pub fn program(package: &str, name: &str) -> PathBuf {
    let bench = std::env::current_exe().expect("a timing has a path");
    let folder = bench.ancestors().nth(2).expect("it lies in `deps`");
    let program = folder.join(name);
    assert!(
        program.is_file(),
        "{} is missing: cargo build --release --package {package} --bin {name}",
        program.display()
    );
    program
}
