//! `cargo xtask code-size`: how much machine code the engine is compiled to, with the kernels and
//! the compiler of circuits below it, held against what it was when it was last recorded.
//!
//! What a compiler writes is what a build waits for: the engine once took six minutes because
//! a few generic functions were stamped out some hundred times. The size of the code sections
//! of the libraries is the same on every machine with the same compiler, where seconds are not.

use crate::absence::AbsenceRecord;
use crate::cargo::{cargo, rustc, target};
use crate::engine_sources;
use crate::instructions::difference;
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};
use prerequisite::Prerequisite;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// What is measured: packages and their libraries.
const LIBRARIES: [(&str, &str); 3] = [
    ("gridpaper-kernel", "libkernel.rlib"),
    ("gridpaper-jit", "libjit.rlib"),
    ("gridpaper-engine", "libengine.rlib"),
];

/// Where the size is recorded, seen from the root.
pub(crate) const FILE: &str = "crates/engine/benches/code_size.json";

/// By how much the code may grow before it has to be recorded anew.
const GROWTH: f64 = 0.10;

/// Measures the size, and records it or holds it against what is recorded.
pub(crate) fn run(root: &Path, record: bool) -> ExitCode {
    let outcome = match record {
        true => measure(root).and_then(|bytes| write(root, bytes)),
        false => AbsenceRecord::begin(root).and_then(|record| check(root, &record)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("code size: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Holds the size against what is recorded.
///
/// # Errors
/// When it has grown by more than a tenth, or cannot be measured; and when the record is for
/// another compiler or processor, and the check is required.
pub(crate) fn check(root: &Path, record: &AbsenceRecord) -> Result<(), String> {
    let (compiler, known) = read(root)?;
    if let Some(why) = difference(&compiler, &rustc()?) {
        return record.missing(Prerequisite::Instructions, &why, FILE);
    }
    let bytes = measure(root)?;
    println!("code size: the engine has {bytes} bytes of machine code, recorded are {known}");
    match has_grown(known, bytes) {
        false => Ok(()),
        true => Err(format!(
            "the engine's machine code grew from {known} to {bytes} bytes, by more than {:.0} %: \
             `cargo llvm-lines --release -p gridpaper-engine --lib` shows what is compiled many \
             times; if that is as it should be, `cargo xtask code-size --record` records it",
            100.0 * GROWTH
        )),
    }
}

fn has_grown(known: u64, bytes: u64) -> bool {
    bytes as f64 > known as f64 * (1.0 + GROWTH)
}

/// Builds what is measured with what other processes leave of the processor and a little more, so
/// that it has ended when the tests have, without a word; does nothing where there is no `nice`.
pub(crate) fn build_in_idle_time(root: &Path) {
    let build = build(root);
    // A build that fails is made again where it is measured, and there it is told why.
    let _ = Command::new("nice")
        .args(["-n", "5"])
        .arg(build.get_program())
        .args(build.get_args())
        .current_dir(root)
        .stderr(Stdio::null())
        .status();
}

fn build(root: &Path) -> Command {
    let mut build = cargo(root);
    build
        .args(["build", "--release", "--lib", "--bins"])
        .args(LIBRARIES.map(|(package, _)| format!("--package={package}")));
    build
}

/// Builds the engine for release and measures it, in bytes.
fn measure(root: &Path) -> Result<u64, String> {
    if !build(root).status().is_ok_and(|status| status.success()) {
        return Err("the engine does not build".into());
    }
    let mut code = LibraryCode::default();
    for (_, library) in LIBRARIES {
        let library = target(root)?.join("release").join(library);
        let bytes = std::fs::read(&library).map_err(|e| format!("{}: {e}", library.display()))?;
        let found = LibraryCode::of(&bytes).map_err(|e| format!("{}: {e}", library.display()))?;
        code.bytes += found.bytes;
        code.called.extend(found.called);
    }
    match &code.called[..] {
        [] => Ok(code.bytes),
        called => Err(format!(
            "vector instructions are called as functions, which takes several times as long: {}. They \
             are inlined only into code that is compiled for the same processor, so there may be \
             no closure on the way",
            called.join(", ")
        )),
    }
}

/// What stands in a library's objects.
#[derive(Debug, Default, PartialEq, Eq)]
struct LibraryCode {
    /// Bytes of all code sections.
    bytes: u64,
    /// Vector instructions, mangled, that were compiled as functions of their own.
    called: Vec<String>,
}

impl LibraryCode {
    fn of(library: &[u8]) -> Result<Self, object::Error> {
        let mut found = Self::default();
        for member in ArchiveFile::parse(library)?.members() {
            let data = member?.data(library)?;
            // What is no object holds no code.
            let Ok(file) = object::File::parse(data) else {
                continue;
            };
            let code = file.sections().filter(|s| s.kind() == SectionKind::Text);
            found.bytes += code.map(|section| section.size()).sum::<u64>();
            let names = file.symbols().filter(|symbol| symbol.is_definition());
            let names = names.filter_map(|symbol| Some(symbol.name().ok()?.to_string()));
            found
                .called
                .extend(names.filter(|name| is_vector_instruction(name)));
        }
        Ok(found)
    }
}

/// Whether a mangled name is that of a vector instruction of the standard library, and not one
/// that has a vector among its type parameters.
fn is_vector_instruction(name: &str) -> bool {
    let instruction = name.split_once("9core_arch3x86");
    instruction.is_some_and(|(_, instruction)| instruction.contains("avx"))
}

/// For which compiler the size is recorded, and the size.
fn read(root: &Path) -> Result<(String, u64), String> {
    let text = std::fs::read_to_string(root.join(FILE)).map_err(|e| format!("{FILE}: {e}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("{FILE}: {e}"))?;
    let compiler = value["compiler"].as_str();
    let compiler = compiler.ok_or(format!("{FILE}: it names no compiler"))?;
    let bytes = value["bytes"].as_u64();
    let bytes = bytes.ok_or(format!("{FILE}: its size is no number"))?;
    Ok((compiler.to_string(), bytes))
}

fn write(root: &Path, bytes: u64) -> Result<(), String> {
    let sources = engine_sources::digest(root)?;
    let value = json!({"compiler": rustc()?, "bytes": bytes, "sources": sources});
    let text = serde_json::to_string_pretty(&value).map_err(|e| e.to_string())?;
    std::fs::write(root.join(FILE), text + "\n").map_err(|e| format!("{FILE}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_may_grow_by_a_tenth() {
        assert!(!has_grown(1000, 1100));
        assert!(!has_grown(1000, 10));
        assert!(has_grown(1000, 1101));
    }

    #[test]
    fn a_record_is_kept() {
        let (compiler, bytes) = read(&crate::root()).unwrap();
        assert!(compiler.starts_with("rustc "), "{compiler}");
        assert!(bytes > 100_000, "{bytes}");
    }

    #[test]
    fn vector_instructions_are_known_by_their_names() {
        let name = "_ZN4core9core_arch3x867avx512f16_mm512_and_si51217h35fbe4f2aa5e80c6E";
        assert!(is_vector_instruction(name));
        let others = [
            "_ZN6kernel4simd3x869in_avx51217h35fbe4f2aa5e80c6E",
            "_ZN4core3ptr9drop$LT$core..core_arch..x86..__m256i$C$engine..gather..avx2..ids$GT$E",
        ];
        assert!(!others.into_iter().any(is_vector_instruction));
    }

    #[test]
    fn what_is_no_library_is_refused() {
        assert!(LibraryCode::of(b"no library").is_err());
    }
}
