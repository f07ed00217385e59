//! Cargo, as the chores call it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The cargo that runs this program.
pub(crate) fn cargo(root: &Path) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root);
    command
}

/// Whether nextest is installed.
pub(crate) fn has_nextest(root: &Path) -> bool {
    cargo(root)
        .args(["nextest", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The compiler, as it tells its version.
pub(crate) fn rustc() -> Result<String, String> {
    let program = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let told = output(Command::new(program).arg("--version"))?;
    Ok(String::from_utf8_lossy(&told).trim().to_string())
}

/// What cargo knows of the workspace's packages.
pub(crate) fn metadata(root: &Path) -> Result<Value, String> {
    let metadata = output(cargo(root).args(["metadata", "--format-version", "1", "--no-deps"]))?;
    serde_json::from_slice(&metadata).map_err(|e| format!("cargo metadata: {e}"))
}

/// Builds a program of a package in release mode, and tells where it is.
pub(crate) fn built(
    root: &Path,
    target: &Path,
    package: &str,
    program: &str,
) -> Result<PathBuf, String> {
    let status = cargo(root)
        .args(["build", "--release", "--package", package])
        .args(["--bin", program])
        .status();
    match status.is_ok_and(|status| status.success()) {
        true => Ok(target.join("release").join(program)),
        false => Err(format!("{program} does not build")),
    }
}

/// Where cargo builds.
pub(crate) fn target(root: &Path) -> Result<PathBuf, String> {
    let metadata = metadata(root)?;
    let target = metadata["target_directory"].as_str();
    Ok(target
        .ok_or("cargo does not tell its target folder")?
        .into())
}

/// What a command prints, once it has succeeded.
pub(crate) fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{name}: {e}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}", said.trim()));
    }
    Ok(output.stdout)
}
