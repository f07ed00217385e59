//! Programs that checks need beside Rust: on Debian and its kin, as root, what is missing is
//! installed; elsewhere it is told what to install.

use std::process::{Command, Stdio};

/// Sees to it that programs are there. Each comes with Debian's package that has it; `what`
/// needs them.
///
/// # Errors
/// When one is missing and cannot be installed here.
pub(crate) fn ensure(needed: &[(&str, &str)], what: &str) -> Result<(), String> {
    let missing = || needed.iter().filter(|(program, _)| !is_there(program));
    let packages: Vec<&str> = missing().map(|(_, package)| *package).collect();
    if packages.is_empty() {
        return Ok(());
    }
    if is_there("apt-get") {
        println!("==> installing {}", packages.join(" "));
        // A list that cannot be brought up to date may do as it is.
        let _ = apt(&["update", "--quiet"]);
        let mut arguments = vec!["install", "--quiet", "--yes", "--no-install-recommends"];
        arguments.extend(&packages);
        let _ = apt(&arguments);
    }
    let left: Vec<&str> = missing().map(|(_, package)| *package).collect();
    match left.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{what} need {}: install them, as root with apt-get on Debian",
            left.join(", ")
        )),
    }
}

fn apt(arguments: &[&str]) -> bool {
    let status = Command::new("apt-get")
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .stdin(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
