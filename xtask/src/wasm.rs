//! `cargo xtask wasm`: the library compiles for a page without a server.
//!
//! Everything below the faces knows no file, no clock and no thread but those that it is given
//! (`cargo xtask tidy` forbids their names), so it compiles for WebAssembly as it is. The gate
//! does not hold it to that: the target's standard library does not come with the compiler.
//! Words that follow go to cargo, for compilers that make that library themselves:
//! `-Zbuild-std=std,panic_abort`.

use crate::cargo::{cargo, output};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What compiles for it, with what is below.
const PACKAGES: [&str; 5] = [
    "gridpaper",
    "gridpaper-matches",
    "gridpaper-plot",
    "gridpaper-session",
    "gridpaper-wire",
];

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Checks that it compiles.
///
/// # Errors
/// When it does not, or the target is not there.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<(), String> {
    let makes_library = words.iter().any(|word| word.starts_with("-Zbuild-std"));
    if !makes_library && !has_target()? {
        return Err(format!(
            "the compiler has no standard library for {TARGET}: `rustup target add {TARGET}` fetches it"
        ));
    }
    let status = cargo(root)
        .args(["check", "--target", TARGET])
        .args(PACKAGES.map(|package| format!("--package={package}")))
        .args(words)
        .status();
    match status.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err(format!("it does not compile for {TARGET}")),
    }
}

/// Whether the compiler has the target's standard library.
pub(crate) fn has_target() -> Result<bool, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = output(Command::new(rustc).args(["--print", "sysroot"]))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&printed).trim());
    Ok(sysroot.join("lib/rustlib").join(TARGET).exists())
}
