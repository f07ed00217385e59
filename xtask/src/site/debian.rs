//! A compiler for WebAssembly from Debian's packages.
//!
//! Debian's `rustc-web`, which its browsers are built with, follows the language closely, and
//! `rust-web-src` has the sources of its library, of which cargo makes what the target needs. They
//! are unpacked into a folder and not installed: they would take the place of other compilers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages, and what is in each.
const PACKAGES: [&str; 6] = [
    "rustc-web",
    "libstd-rust-web-dev",
    "libstd-rust-web-1.96",
    "rust-web-src",
    "libllvm22",
    "lld-22",
];

/// The oldest version that compiles the project, and the newest that was tried.
const VERSIONS: std::ops::RangeInclusive<u32> = 95..=96;

/// Where the compiler is, which is fetched the first time. A folder that is named by
/// `GRIDPAPER_DEBIAN_RUST`, where the packages are unpacked already, is used as it is.
///
/// # Errors
/// When a package or a tool is missing, and which.
pub(super) fn compiler(place: &Path) -> Result<PathBuf, String> {
    let folder = std::env::var_os("GRIDPAPER_DEBIAN_RUST")
        .map_or_else(|| place.join("debian-rust"), PathBuf::from);
    let real = folder.join("usr/bin/rustc");
    if !real.is_file() {
        fetch(&folder)?;
    }
    let linker = folder.join("usr/bin/rust-lld");
    if !linker.exists() {
        link(&folder.join("usr/lib/llvm-22/bin/lld"), &linker)?;
    }
    let wrapper = folder.join("rustc");
    if !wrapper.is_file() {
        write_wrapper(&wrapper)?;
    }
    let printed = crate::cargo::output(Command::new(&wrapper).arg("--version"))?;
    let version = String::from_utf8_lossy(&printed);
    let minor = version
        .split('.')
        .nth(1)
        .and_then(|minor| minor.parse().ok());
    if !minor.is_some_and(|minor: u32| VERSIONS.contains(&minor)) {
        println!(
            "site: Debian's compiler is {}; 1.{} to 1.{} were tried",
            version.trim(),
            VERSIONS.start(),
            VERSIONS.end()
        );
    }
    Ok(wrapper)
}

fn fetch(folder: &Path) -> Result<(), String> {
    let packages = folder.join("packages");
    fs::create_dir_all(&packages).map_err(|e| format!("{}: {e}", packages.display()))?;
    let mut download = Command::new("apt-get");
    download
        .arg("download")
        .args(PACKAGES)
        .current_dir(&packages);
    let status = download.status();
    if !status.is_ok_and(|status| status.success()) {
        return Err(format!(
            "Debian's packages {} cannot be fetched: this needs Debian with its security updates, \
             and `apt-get update` before",
            PACKAGES.join(", ")
        ));
    }
    let entries = fs::read_dir(&packages).map_err(|e| e.to_string())?;
    for entry in entries.flatten() {
        let mut unpack = Command::new("dpkg");
        unpack.arg("-x").arg(entry.path()).arg(folder);
        if !unpack.status().is_ok_and(|status| status.success()) {
            return Err(format!("{} cannot be unpacked", entry.path().display()));
        }
    }
    Ok(())
}

/// A program that runs the compiler with its own libraries.
fn write_wrapper(path: &Path) -> Result<(), String> {
    let text = "#!/bin/sh\nhere=$(dirname \"$(readlink -f \"$0\")\")\n\
                export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu:$here/usr/lib:$LD_LIBRARY_PATH\n\
                export PATH=$here/usr/bin:$PATH\nexec \"$here/usr/bin/rustc\" \"$@\"\n";
    fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut chmod = Command::new("chmod");
    crate::cargo::output(chmod.arg("+x").arg(path)).map(drop)
}

fn link(from: &Path, to: &Path) -> Result<(), String> {
    let mut ln = Command::new("ln");
    crate::cargo::output(ln.arg("-sf").arg(from).arg(to)).map(drop)
}
