//! What the engine is compiled from, as one number: two checks of the gate, of the size of its
//! code and of its instructions, can only come out differently when it changes, and take a
//! minute and a half of compiling for release. So the number is recorded beside their figures,
//! and the gate measures where it differs.
//!
//! Own method: a hash over the files of every package of this workspace that is compiled into
//! the engine, the versions and features of all others, and the profile. The compiler is
//! recorded beside it, and with it the standard library's hash function.

use crate::cargo::{cargo, output, rustc};
use serde_json::Value;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// Whether each of some files of figures was recorded for these sources and this compiler.
///
/// # Errors
/// When a file cannot be read, or cargo or the compiler say nothing.
pub(crate) fn are_recorded(root: &Path, files: &[&str]) -> Result<bool, String> {
    let (sources, compiler) = (digest(root)?, rustc()?);
    for file in files {
        let recorded = read(&root.join(file))?;
        let recorded: Value =
            serde_json::from_str(&recorded).map_err(|e| format!("{file}: {e}"))?;
        if recorded["sources"] != *sources || recorded["compiler"] != *compiler {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The number, as sixteen hexadecimal digits.
///
/// # Errors
/// When cargo does not list the packages, or a file cannot be read.
pub(crate) fn digest(root: &Path) -> Result<String, String> {
    let tree = output(cargo(root).args([
        "tree",
        "--locked",
        "--package=gridpaper-engine",
        "--edges=normal,build",
        "--prefix=none",
        "--no-dedupe",
        "--format={p}|{f}",
    ]))?;
    let tree = String::from_utf8_lossy(&tree);
    let packages: BTreeSet<&str> = tree.lines().collect();
    let mut hasher = DefaultHasher::new();
    for &package in &packages {
        let place = package
            .split_once(" (/")
            .and_then(|(_, rest)| rest.split_once(')'));
        match place {
            None => package.hash(&mut hasher),
            Some((folder, features)) => {
                let folder = PathBuf::from(format!("/{folder}"));
                features.hash(&mut hasher);
                hash_package(root, &folder, &mut hasher)?;
            }
        }
    }
    let names = packages
        .iter()
        .filter_map(|package| package.split(' ').next());
    let names: BTreeSet<&str> = names.collect();
    hash_profile(&read(&root.join("Cargo.toml"))?, &names, &mut hasher);
    Ok(format!("{:016x}", hasher.finish()))
}

/// Hashes what is compiled of a package: its manifest, its build script and all below `src`.
fn hash_package(root: &Path, folder: &Path, hasher: &mut DefaultHasher) -> Result<(), String> {
    let mut files = vec![folder.join("Cargo.toml"), folder.join("build.rs")];
    let mut folders = vec![folder.join("src")];
    while let Some(folder) = folders.pop() {
        let told = |e: std::io::Error| format!("{}: {e}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(told)? {
            let path = entry.map_err(told)?.path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    for file in files.iter().filter(|file| file.exists()) {
        // Where the checkout lies makes no difference.
        file.strip_prefix(root).unwrap_or(file).hash(hasher);
        let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        bytes.hash(hasher);
    }
    Ok(())
}

/// Hashes the sections of the workspace's manifest that say how a release of these packages is
/// compiled.
fn hash_profile(manifest: &str, names: &BTreeSet<&str>, hasher: &mut DefaultHasher) {
    let mut counts = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            let of_one = line.strip_prefix("[profile.release.package.");
            let of_one = of_one.and_then(|name| name.strip_suffix(']'));
            counts = line == "[profile.release]" || of_one.is_some_and(|name| names.contains(name));
        }
        if counts && !line.is_empty() && !line.starts_with('#') {
            line.hash(hasher);
        }
    }
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_profile(manifest: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        hash_profile(manifest, &BTreeSet::from(["one"]), &mut hasher);
        hasher.finish()
    }

    #[test]
    fn the_profile_counts_and_its_comments_do_not() {
        let release = "[profile.release]\nopt-level = 3\n[profile.dev]\nopt-level = 0\n";
        let other_tests = release.replace("= 0", "= 1");
        assert_eq!(of_profile(release), of_profile(&other_tests));
        let commented = release.replace("opt-level = 3", "# why\nopt-level = 3");
        assert_eq!(of_profile(release), of_profile(&commented));
        assert_ne!(of_profile(release), of_profile(&release.replace('3', "2")));
        let with = |package: &str| format!("[profile.release.package.{package}]\nopt-level = 1\n");
        assert_eq!(of_profile(""), of_profile(&with("other")));
        assert_ne!(of_profile(""), of_profile(&with("one")));
    }

    #[test]
    fn a_changed_file_changes_the_number_and_the_place_does_not() {
        let folder = |name: &str, text: &str| {
            let root = format!("gridpaper-sources-{}", std::process::id());
            let root = std::env::temp_dir().join(root);
            let package = root.join("one");
            std::fs::create_dir_all(package.join("src/deep")).unwrap();
            std::fs::write(package.join("Cargo.toml"), "[package]").unwrap();
            std::fs::write(package.join("src/deep").join(name), text).unwrap();
            let mut hasher = DefaultHasher::new();
            hash_package(&root, &package, &mut hasher).unwrap();
            std::fs::remove_dir_all(root).unwrap();
            hasher.finish()
        };
        assert_eq!(folder("a.rs", "fn f() {}"), folder("a.rs", "fn f() {}"));
        assert_ne!(folder("a.rs", "fn f() {}"), folder("a.rs", "fn g() {}"));
        assert_ne!(folder("a.rs", "fn f() {}"), folder("b.rs", "fn f() {}"));
    }

    #[test]
    fn it_is_one_number_for_one_tree() {
        let root = crate::root();
        let number = digest(&root).unwrap();
        assert_eq!(number.len(), 16);
        assert_eq!(number, digest(&root).unwrap());
    }
}
