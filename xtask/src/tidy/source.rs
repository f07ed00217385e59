//! What the text of a tracked file may say.

use super::Complaint;

/// The modules where `unsafe` may stand: where processors are known, where the operating system is
/// called, and where memory is taken.
const UNSAFE_MODULES: [&str; 5] = [
    "crates/engine/src/arch",
    "crates/jit/src/machine_code/jit_program",
    "crates/kernel/src/simd",
    "crates/cage/src/arch",
    "wasm/src/heap",
];

/// Holds one file against every rule that concerns it. `path` is relative to the root,
/// with forward slashes.
pub(super) fn check(path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    complaints.extend(machine_paths(path, text));
    if path.ends_with(".rs") {
        complaints.extend(unsafe_code(path, text));
        complaints.extend(machine_in_engine(path, text));
        complaints.extend(ignored_for_no_reason(path, text));
    }
    if is_crate_root(path) {
        complaints.extend(crate_root(path, text));
    }
    if path.starts_with("crates/pattern/patterns/") && path.ends_with(".rle") {
        complaints.extend(provenance(path, text));
    }
    if path == "Cargo.toml" {
        complaints.extend(workspace_lints(text));
    }
    complaints
}

/// Folders of one machine, and package hosts other than the public ones, mean nothing to
/// anybody else.
fn machine_paths(path: &str, text: &str) -> Vec<Complaint> {
    // Spelt so that this very file does not hold them.
    let roots = ["home", "root", "work", "Users"].map(|folder| format!("/{folder}/"));
    let mut complaints = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for root in &roots {
            let begins = |at: usize| {
                // `a/home/b` is no absolute path.
                let before = line[..at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || "./_-~}>".contains(c))
            };
            if line.match_indices(root.as_str()).any(|(at, _)| begins(at)) {
                complaints.push(format!("{path}:{}: a path of one machine", number + 1));
            }
        }
        let foreign = line.starts_with("source = \"registry+")
            && !line.contains("registry+https://github.com/rust-lang/crates.io-index");
        if foreign {
            complaints.push(format!("{path}:{}: a registry of one machine", number + 1));
        }
    }
    let replaces = path.starts_with(".cargo/") && text.contains("replace-with");
    if replaces {
        complaints.push(format!("{path}: replaces the public registry"));
    }
    complaints
}

/// `unsafe` outside its module, where the lint could have been switched off again.
fn unsafe_code(path: &str, text: &str) -> Vec<Complaint> {
    if UNSAFE_MODULES
        .iter()
        .any(|module| is_of_module(path, module))
    {
        return Vec::new();
    }
    let switch = ["allow(", "expect("].map(|level| format!("{level}unsafe_code"));
    let mut complaints = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.trim_start();
        let keyword = ["unsafe", " {"].concat();
        let is_code = !code.starts_with("//") && !code.contains('"');
        let says = is_code
            && (code.contains(&keyword)
                || code.contains(&["unsafe", " fn"].concat())
                || code.contains(&["unsafe", " impl"].concat()));
        if says || switch.iter().any(|s| code.contains(s.as_str())) {
            complaints.push(format!(
                "{path}:{}: unsafe code lives under {} alone",
                number + 1,
                UNSAFE_MODULES.join(" and ")
            ));
        }
    }
    complaints
}

/// A processor's name in the engine outside `arch`, which is asked for what that means.
fn machine_in_engine(path: &str, text: &str) -> Vec<Complaint> {
    if !path.starts_with("crates/engine/src/") || is_of_module(path, "crates/engine/src/arch") {
        return Vec::new();
    }
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| line.contains("target_arch"));
    lines
        .map(|(_, number)| format!("{path}:{number}: what is of one processor belongs in arch"))
        .collect()
}

/// Whether a file is a module, or one below it.
fn is_of_module(path: &str, module: &str) -> bool {
    let rest = path.strip_prefix(module);
    rest.is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// A test that is left out says why: the gate lists it with its reason.
fn ignored_for_no_reason(path: &str, text: &str) -> Vec<Complaint> {
    let bare = ["#[", "ignore]"].concat();
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| line.trim() == bare);
    lines
        .map(|(_, number)| format!("{path}:{number}: expected a reason, as in #[ignore = \"...\"]"))
        .collect()
}

fn is_crate_root(path: &str) -> bool {
    path == "xtask/src/main.rs"
        || path.starts_with("crates/")
            && path.split('/').count() == 4
            && (path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs"))
}

/// A crate opens with what it is for, and forbids `unsafe`; one that has a module for it
/// denies it.
fn crate_root(path: &str, text: &str) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    let prose = text.lines().take_while(|line| line.starts_with("//!"));
    if prose.count() < 3 {
        complaints.push(format!(
            "{path}: a crate opens with its purpose and the decision that shapes it"
        ));
    }
    let source = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_of = |module: &&str| {
        let rest = module.strip_prefix(source);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let level = if UNSAFE_MODULES.iter().any(is_of) {
        "deny"
    } else {
        "forbid"
    };
    let attribute = format!("#![{level}(unsafe_code)]");
    if !text.lines().any(|line| line == attribute) {
        complaints.push(format!("{path}: expected {attribute}"));
    }
    complaints
}

/// A built-in pattern says where its facts can be looked up.
fn provenance(path: &str, text: &str) -> Option<Complaint> {
    let told = text.lines().any(|line| {
        line.strip_prefix("#C source:")
            .is_some_and(|source| !source.trim().is_empty())
    });
    (!told).then(|| format!("{path}: expected a line `#C source: …`"))
}

/// The lints that the compiler holds for us are still switched on.
fn workspace_lints(text: &str) -> Vec<Complaint> {
    let expected = ["unsafe_code = \"deny\"", "unwrap_used = \"deny\""];
    let lacking = expected
        .iter()
        .filter(|lint| !text.lines().any(|line| line == **lint));
    lacking
        .map(|lint| format!("Cargo.toml: expected the workspace lint {lint}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Path, text, how many complaints.
    #[test]
    fn each_rule_finds_its_bad_case() {
        let home = ["/", "home/somebody/project"].concat();
        let relative = format!("see target{home} and ~{home}");
        let unsafe_block = ["unsafe", " { x }"].concat();
        let allowed = ["#![allow(", "unsafe_code)]"].concat();
        let root = "//! Purpose.\n//!\n//! Decision.\n#![forbid(unsafe_code)]\n";
        let bare = ["#[test]\n    #[", "ignore]\n    fn a() {}"].concat();
        let rows: &[(&str, &str, usize)] = &[
            ("crates/rule/tests/it/own.rs", &bare, 1),
            ("crates/rule/tests/it/own.rs", "#[ignore = \"long\"]", 0),
            ("docs/a.md", &relative, 0),
            ("docs/a.md", &home, 1),
            ("docs/a.md", &format!("let x = \"{home}\";"), 1),
            (
                "Cargo.lock",
                "source = \"registry+https://mirror.example/index\"",
                1,
            ),
            (
                "Cargo.lock",
                "source = \"registry+https://github.com/rust-lang/crates.io-index\"",
                0,
            ),
            (
                ".cargo/config.toml",
                "[source.crates-io]\nreplace-with = \"m\"",
                1,
            ),
            ("crates/rule/src/topology.rs", &unsafe_block, 1),
            ("crates/engine/src/tiles.rs", &allowed, 1),
            ("crates/engine/src/arch.rs", &allowed, 0),
            ("crates/engine/src/archive.rs", &allowed, 1),
            ("crates/engine/src/arch/avx2.rs", &unsafe_block, 0),
            ("crates/kernel/src/simd/x86.rs", &unsafe_block, 0),
            ("crates/kernel/src/circuit.rs", &unsafe_block, 1),
            (
                "crates/engine/src/tiles.rs",
                "#[cfg(target_arch = \"x\")]",
                1,
            ),
            (
                "crates/engine/src/arch/sync.rs",
                "#[cfg(target_arch = \"x\")]",
                0,
            ),
            (
                "crates/kernel/src/life.rs",
                "#[cfg(target_arch = \"x\")]",
                0,
            ),
            ("crates/jit/src/lib.rs", root, 1),
            ("crates/cage/src/arch/linux.rs", &unsafe_block, 0),
            ("crates/cage/src/supervisor.rs", &unsafe_block, 1),
            ("crates/cage/src/supervisor.rs", &allowed, 1),
            ("crates/arena/src/arch/linux.rs", &unsafe_block, 1),
            ("crates/rule/src/lib.rs", root, 0),
            ("crates/engine/src/lib.rs", root, 1),
            ("crates/cage/src/lib.rs", root, 1),
            ("crates/rule/src/lib.rs", "#![forbid(unsafe_code)]", 1),
            ("crates/rule/src/lib.rs", "//! Purpose.", 2),
            (
                "crates/pattern/patterns/gun/a.rle",
                "#C source: LifeWiki\nbo!",
                0,
            ),
            ("crates/pattern/patterns/gun/a.rle", "#C source:\nbo!", 1),
            ("crates/pattern/patterns/gun/a.rle", "bo!", 1),
            (
                "Cargo.toml",
                "unsafe_code = \"deny\"\nunwrap_used = \"deny\"",
                0,
            ),
            ("Cargo.toml", "unsafe_code = \"warn\"", 2),
        ];
        for (path, text, expected) in rows {
            let complaints = check(path, text);
            assert_eq!(
                complaints.len(),
                *expected,
                "{path} {text:?}: {complaints:?}"
            );
        }
    }
}
