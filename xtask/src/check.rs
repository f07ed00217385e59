//! `cargo xtask check`: what one change can break, for the loop between edits.
//!
//! It finds out which files differ from a commit (the last one, unless another is named), which
//! packages these belong to, and which others depend on those; then it looks at the format,
//! has clippy compile all, and runs the tests of these packages. Everything is compiled as
//! [`crate::test`] compiles it, the whole workspace at once: cargo compiles anew what changed
//! and what depends on it, and all else is there from the last time. (With a list of packages
//! in place of the workspace, their dependencies would have other features, and be compiled
//! once more.)

use crate::absence::{self, AbsenceRecord};
use crate::cargo::{self, has_nextest};
use crate::step::{self, run_step};
use crate::tidy;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

/// What belongs to no package, by its first name, and the packages whose code or tests read
/// it. A unit test holds it against what there is.
#[rustfmt::skip]
const READERS: &[(&str, AffectedPackages)] = &[
    (".cargo", AffectedPackages::All),
    (".ci", AffectedPackages::These(&["xtask"])),
    (".config", AffectedPackages::All),
    (".github", AffectedPackages::These(&[])),
    (".gitignore", AffectedPackages::These(&["xtask"])),
    ("ARCHITECTURE.md", AffectedPackages::These(&["xtask"])),
    ("DEPENDENCIES.md", AffectedPackages::These(&["xtask"])),
    ("SECURITY.md", AffectedPackages::These(&["xtask"])),
    ("deny.toml", AffectedPackages::These(&[])),
    ("CHANGELOG.md", AffectedPackages::These(&["xtask"])),
    ("CONTRIBUTING.md", AffectedPackages::These(&["xtask"])),
    ("Cargo.lock", AffectedPackages::All),
    ("Cargo.toml", AffectedPackages::All),
    ("LICENSE-APACHE", AffectedPackages::These(&["xtask"])),
    ("LICENSE-MIT", AffectedPackages::These(&["xtask"])),
    ("README.md", AffectedPackages::These(&["gridpaper-cli", "xtask"])),
    ("benches", AffectedPackages::These(&["gridpaper-benches"])),
    ("book.toml", AffectedPackages::These(&["xtask"])),
    ("clippy.toml", AffectedPackages::All),
    ("docs", AffectedPackages::These(&["gridpaper-cli", "gridpaper-arena", "gridpaper-tui", "gridpaper-web", "xtask"])),
    ("examples", AffectedPackages::These(&["gridpaper-arena", "xtask"])),
    ("python", AffectedPackages::These(&["xtask"])),
    ("wasm", AffectedPackages::These(&["xtask"])),
    ("fuzz", AffectedPackages::These(&["gridpaper-fuzz-targets", "xtask"])),
    ("rules", AffectedPackages::These(&["gridpaper-cli", "gridpaper-fuzz-targets", "gridpaper-rule"])),
    ("rust-toolchain.toml", AffectedPackages::All),
    ("tournaments", AffectedPackages::These(&["gridpaper-cli", "gridpaper-fuzz-targets", "gridpaper-tournament"])),
];

/// Which packages a file concerns that belongs to none.
#[derive(Clone, Copy, Debug)]
enum AffectedPackages {
    /// It says how all of them are compiled.
    All,
    /// These, and what depends on them.
    These(&'static [&'static str]),
}

/// What there is to check.
#[derive(Debug, PartialEq, Eq)]
enum CheckScope {
    Nothing,
    Everything,
    Packages(BTreeSet<String>),
}

/// Checks what differs from a commit.
pub(crate) fn run(root: &Path, commit: &str) -> ExitCode {
    match check(root, commit) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("==> check failed: {why}");
            ExitCode::FAILURE
        }
    }
}

fn check(root: &Path, commit: &str) -> Result<(), String> {
    let files = changed_files(root, commit)?;
    let metadata = cargo::metadata(root)?;
    let scope = scope(root, &metadata, &files);
    let has_nextest = has_nextest(root);
    let (tests, which) = match &scope {
        CheckScope::Nothing => {
            println!("==> nothing differs from {commit}: nothing to check");
            return Ok(());
        }
        CheckScope::Everything if has_nextest => (step::NEXTEST, Vec::new()),
        CheckScope::Everything => (step::PLAIN_TEST, Vec::new()),
        CheckScope::Packages(packages) => {
            let list: Vec<&str> = packages.iter().map(String::as_str).collect();
            println!(
                "==> what differs from {commit} concerns {}",
                list.join(", ")
            );
            match has_nextest {
                true => (step::NEXTEST, vec!["-E".into(), step::of_packages(&list)]),
                // Plain cargo has no such filter: a list of packages it must be.
                false => {
                    let list = list.iter().map(|name| format!("--package={name}"));
                    (step::SOME_TESTS, list.collect())
                }
            }
        }
    };
    let record = AbsenceRecord::begin(root)?;
    run_step(root, &step::FORMAT, &[], &record)?;
    run_step(root, &step::BUILD, &[], &record)?;
    run_step(root, &tests, &which, &record)?;
    print!("{}", absence::report(&record.read()?));
    match tidy::run(root) == ExitCode::SUCCESS {
        true => Ok(()),
        false => Err("tidy: see above".into()),
    }
}

/// The files that differ from a commit, as the working folder has them, and those that git does
/// not know yet and does not ignore; relative to the root.
fn changed_files(root: &Path, commit: &str) -> Result<Vec<String>, String> {
    let changed = git(root, &["diff", "--name-only", "-z", commit, "--"])?;
    let new = git(root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let all = [changed, new].concat();
    let names = all.split('\0').filter(|name| !name.is_empty());
    Ok(names.map(str::to_string).collect())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root)
        .output()
        .map_err(|e| format!("git: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
    }
}

/// What files concern: the packages that they belong to, or that read them, and what depends on
/// those.
fn scope(root: &Path, metadata: &Value, files: &[String]) -> CheckScope {
    if files.is_empty() {
        return CheckScope::Nothing;
    }
    let packages = WorkspacePackage::all(root, metadata);
    let mut changed = BTreeSet::new();
    for file in files {
        let owner = packages.iter().find(|package| {
            let inside = file.strip_prefix(package.folder.as_str());
            inside.is_some_and(|rest| rest.starts_with('/'))
        });
        if let Some(owner) = owner {
            changed.insert(owner.name.clone());
            continue;
        }
        let first = file.split('/').next().unwrap_or_default();
        match READERS.iter().find(|(name, _)| *name == first) {
            Some((_, AffectedPackages::These(names))) => {
                changed.extend(names.iter().map(ToString::to_string));
            }
            Some((_, AffectedPackages::All)) | None => return CheckScope::Everything,
        }
    }
    CheckScope::Packages(with_dependants(&packages, changed))
}

/// A package of the workspace.
#[derive(Debug)]
struct WorkspacePackage {
    name: String,
    /// Relative to the root, with forward slashes.
    folder: String,
    /// The names of what it uses, its tests left out.
    uses: Vec<String>,
    /// The names of what only its tests use.
    tests_use: Vec<String>,
}

impl WorkspacePackage {
    fn all(root: &Path, metadata: &Value) -> Vec<Self> {
        let packages = metadata["packages"].as_array().map_or(&[][..], |p| p);
        packages
            .iter()
            .filter_map(|package| {
                let manifest = Path::new(package["manifest_path"].as_str()?);
                let folder = manifest.parent()?.strip_prefix(root).ok()?;
                let dependencies = package["dependencies"].as_array()?;
                let names = |of_tests: bool| {
                    let kept = dependencies.iter();
                    let kept = kept.filter(|d| (d["kind"].as_str() == Some("dev")) == of_tests);
                    let names = kept.filter_map(|d| d["name"].as_str());
                    names.map(str::to_string).collect()
                };
                Some(Self {
                    name: package["name"].as_str()?.to_string(),
                    folder: folder.to_str()?.replace('\\', "/"),
                    uses: names(false),
                    tests_use: names(true),
                })
            })
            .collect()
    }
}

/// These packages, all that use them, directly or not, and all whose tests use any of those.
fn with_dependants(
    packages: &[WorkspacePackage],
    mut changed: BTreeSet<String>,
) -> BTreeSet<String> {
    let any = |names: &[String], of: &BTreeSet<String>| names.iter().any(|name| of.contains(name));
    loop {
        let more: Vec<_> = packages
            .iter()
            .filter(|package| !changed.contains(&package.name) && any(&package.uses, &changed))
            .map(|package| package.name.clone())
            .collect();
        if more.is_empty() {
            break;
        }
        changed.extend(more);
    }
    let tests = packages
        .iter()
        .filter(|package| any(&package.tests_use, &changed));
    let tests: Vec<_> = tests.map(|package| package.name.clone()).collect();
    changed.extend(tests);
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Files, and the packages they concern; none for all.
    #[test]
    fn a_file_concerns_its_package_and_what_depends_on_it() {
        let package = |name: &str, folder: &str, uses: &[(&str, Option<&str>)]| {
            let uses = uses.iter();
            let uses = uses.map(|(name, kind)| json!({ "name": name, "kind": kind }));
            json!({
                "name": name,
                "manifest_path": format!("/project/{folder}/Cargo.toml"),
                "dependencies": uses.collect::<Vec<_>>(),
            })
        };
        let metadata = json!({ "packages": [
            package("gridpaper-laser", "crates/laser", &[("thiserror", None)]),
            package("gridpaper-render", "crates/render", &[("gridpaper-laser", None)]),
            package("gridpaper-web", "crates/web", &[("gridpaper-render", None)]),
            package("gridpaper-web2", "crates/web2", &[("gridpaper-web", Some("dev"))]),
            package("xtask", "xtask", &[("gridpaper-web2", None)]),
        ] });
        let rows: &[(&[&str], Option<&[&str]>)] = &[
            (
                &["crates/web/page/main.js"],
                Some(&["gridpaper-web", "gridpaper-web2"]),
            ),
            (
                &["crates/web2/src/lib.rs"],
                Some(&["gridpaper-web2", "xtask"]),
            ),
            (
                &["crates/render/a.rs", "xtask/src/main.rs"],
                Some(&[
                    "gridpaper-render",
                    "gridpaper-web",
                    "gridpaper-web2",
                    "xtask",
                ]),
            ),
            (
                &["crates/laser/levels/easy-01.txt"],
                Some(&[
                    "gridpaper-laser",
                    "gridpaper-render",
                    "gridpaper-web",
                    "gridpaper-web2",
                ]),
            ),
            (&["CHANGELOG.md"], Some(&["xtask"])),
            (&["Cargo.lock"], None),
            (&["crates/nobody/src/lib.rs"], None),
            (&["xtask/src/main.rs", "clippy.toml"], None),
        ];
        for (files, expected) in rows {
            let files: Vec<String> = files.iter().map(ToString::to_string).collect();
            let expected = expected.map_or(CheckScope::Everything, |names| {
                CheckScope::Packages(names.iter().map(ToString::to_string).collect())
            });
            let scope = scope(Path::new("/project"), &metadata, &files);
            assert_eq!(scope, expected, "{files:?}");
        }
        assert_eq!(
            scope(Path::new("/project"), &metadata, &[]),
            CheckScope::Nothing
        );
    }

    /// Packages that READERS names exist, and all that is tracked is a package's or in READERS.
    #[test]
    fn readers_are_those_of_this_project() {
        let root = crate::root();
        let metadata = cargo::metadata(&root).unwrap();
        let packages = WorkspacePackage::all(&root, &metadata);
        for (name, readers) in READERS {
            if let AffectedPackages::These(readers) = readers {
                let exist = |reader: &&str| packages.iter().any(|p| p.name == **reader);
                assert!(readers.iter().all(exist), "{name}");
            }
        }
        let tracked = git(&root, &["ls-files", "-z"]).unwrap();
        let firsts = tracked
            .split('\0')
            .filter_map(|name| name.split('/').next());
        let firsts: BTreeSet<&str> = firsts.filter(|first| !first.is_empty()).collect();
        assert!(firsts.len() > 10);
        for first in firsts {
            let is_known = ["crates", "xtask"].contains(&first)
                || READERS.iter().any(|(name, _)| *name == first);
            assert!(is_known, "who reads {first}? say so in READERS");
        }
    }
}
