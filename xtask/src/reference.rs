//! `cargo xtask reference`: the pages of the book that are made from the code, written anew.
//!
//! The program writes them itself (`gridpaper completions --reference`), since it alone knows
//! what its arguments are; this is the one place that says where they go.

use crate::cargo::cargo;
use std::path::Path;
use std::process::ExitCode;

/// Where the pages lie, seen from the root.
pub(crate) const FOLDER: &str = "docs/reference";

pub(crate) fn run(root: &Path) -> ExitCode {
    let status = cargo(root)
        .args(["run", "--quiet", "--package", "gridpaper-cli", "--"])
        .args(["completions", "--reference", FOLDER])
        .status();
    match status {
        Ok(status) if status.success() => {
            println!("reference: the pages are in {FOLDER}");
            ExitCode::SUCCESS
        }
        Ok(status) => {
            println!("reference: {status}");
            ExitCode::FAILURE
        }
        Err(error) => {
            println!("reference: cargo: {error}");
            ExitCode::FAILURE
        }
    }
}
