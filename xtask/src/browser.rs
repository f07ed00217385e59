//! What the page's tests need beside Rust: a browser, its driver, a checker of types, and one
//! of what keeps people out.
//!
//! None of it is needed to build or to run the program.

use crate::package;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program that is needed, and Debian's packages that have it.
const NEEDED: [(&str, &str); 4] = [
    ("chromium", "chromium"),
    ("chromedriver", "chromium-driver"),
    ("node", "nodejs"),
    ("npm", "npm"),
];

/// The browser without what draws windows, which starts in a third of the time. Not every system
/// has a package of it, and the tests do without.
const SHELL: (&str, &str) = ("chromium-headless-shell", "chromium-headless-shell");

/// Sees to it that all of them are there.
///
/// # Errors
/// When one is missing and cannot be installed here.
pub(crate) fn ensure() -> Result<(), String> {
    let what = "the page's tests";
    let all: Vec<_> = NEEDED.into_iter().chain([SHELL]).collect();
    package::ensure(&all, what).or_else(|_| package::ensure(&NEEDED, what))
}

/// Holds the page's modules against their types.
///
/// # Errors
/// When they do not fit, or the checker cannot be had.
pub(crate) fn check_types(root: &Path) -> Result<(), String> {
    let checker = package(root, "typescript", "lib/tsc.js")?;
    let status = Command::new("node")
        .arg(checker)
        .args(["--pretty", "false", "--project"])
        .arg(root.join(PAGE).join("tsconfig.json"))
        .status()
        .map_err(|e| format!("node: {e}"))?;
    match status.success() {
        true => Ok(()),
        false => Err("the page's modules do not fit their types".into()),
    }
}

/// Fetches the script that looks for faults which keep people out of a page: the tests of
/// `web` find it in the build's own folder. Returns where it is.
///
/// # Errors
/// When it cannot be had.
pub(crate) fn fetch_axe(root: &Path) -> Result<PathBuf, String> {
    package(root, "axe-core", "axe.min.js")
}

/// Fetches what bundles the site's modules (`cargo xtask site`). Returns where its folder is.
///
/// # Errors
/// When it cannot be had.
pub(crate) fn fetch_esbuild(root: &Path) -> Result<PathBuf, String> {
    let main = package(root, "esbuild", "package.json")?;
    Ok(main.parent().map_or(main.clone(), PathBuf::from))
}

/// Where the page is, and the versions of what checks it.
const PAGE: &str = "crates/web/page";

/// A file of a package from npm, in the version that the page pins, fetched once into the
/// build's own folder.
fn package(root: &Path, name: &str, file: &str) -> Result<PathBuf, String> {
    let pinned = root.join(PAGE).join("package.json");
    let pinned = std::fs::read_to_string(pinned).map_err(|e| e.to_string())?;
    let pinned: serde_json::Value = serde_json::from_str(&pinned).map_err(|e| e.to_string())?;
    let version = pinned["devDependencies"][name].as_str();
    let version = version.ok_or(format!("package.json pins no {name}"))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let folder = target.join(format!("{name}-{version}"));
    let found = folder.join("node_modules").join(name).join(file);
    if found.is_file() {
        return Ok(found);
    }
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let status = Command::new("npm")
        .args([
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--no-save",
        ])
        .arg("--prefix")
        .arg(&folder)
        .arg(format!("{name}@{version}"))
        .stdin(Stdio::null())
        .status()
        .map_err(|e| format!("npm: {e}"))?;
    match status.success() && found.is_file() {
        true => Ok(found),
        false => Err(format!("npm could not install {name} {version}")),
    }
}
