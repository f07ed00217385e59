//! This program in the compiler's place, so that one build does what would be three: cargo calls
//! it for each crate of the workspace in place of `rustc`, and it has clippy compile the crate;
//! and in place of `rustdoc` where that is to run the examples of a crate's documentation, and
//! it has the documentation written too.
//!
//! `cargo clippy` and `cargo doc` compile what a crate depends on once more, as far as its
//! types, in a build of their own: with the checks of some 350 crates that took a quarter of the
//! gate's time, and found nothing that is not found here. Clippy is the compiler with more
//! lints, and the examples are run against libraries that are there.
//!
//! Cargo has no words to hand on to what stands in the compiler's place, so a variable tells
//! this program from its chores.

use crate::cargo::{output, target};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::OnceLock;

/// Names the target folder, where this program stands in the compiler's place.
const VARIABLE: &str = "GRIDPAPER_COMPILE_INTO";

/// Names clippy's compiler.
const CLIPPY: &str = "GRIDPAPER_CLIPPY";

/// Tests, by package and crate, that are not optimised as their package's library is, which cargo's
/// profiles cannot say. They compute little themselves and call what is optimised: the compiler
/// takes 20 seconds of one core less for all of them, and they run 5 longer. Those of other
/// packages have oracles of their own, and would run several times as long.
const UNOPTIMISED: [(&str, &str); 11] = [
    ("gridpaper-census", "census"),
    ("gridpaper-census", "identify_library"),
    ("gridpaper-census", "identify_periodic"),
    ("gridpaper-census", "identify_settling"),
    ("gridpaper-census", "object_growth"),
    ("gridpaper-census", "soup_it"),
    ("gridpaper-games", "games"),
    ("gridpaper-players", "players"),
    ("gridpaper-render", "it"),
    ("gridpaper-rule", "it"),
    ("gridpaper-search", "it"),
];

/// What cargo has to be told to call this program.
#[derive(Debug)]
pub(crate) struct Wrapper {
    program: PathBuf,
    clippy: PathBuf,
    target: PathBuf,
}

impl Wrapper {
    /// The one of this run.
    ///
    /// # Errors
    /// When it cannot be written, or clippy is not installed.
    pub(crate) fn of(root: &Path) -> Result<&'static Self, String> {
        static INSTALLED: OnceLock<Result<Wrapper, String>> = OnceLock::new();
        let installed = INSTALLED.get_or_init(|| Self::install(root));
        installed.as_ref().map_err(Clone::clone)
    }

    /// Puts a copy of this program where no build replaces it, as the first one will.
    fn install(root: &Path) -> Result<Self, String> {
        let target = target(root)?;
        let folder = target.join("compiler");
        let own = std::env::current_exe().map_err(|e| format!("this program: {e}"))?;
        let extension = own.extension().map(OsStr::to_os_string).unwrap_or_default();
        let program = folder.join("xtask").with_extension(extension);
        let read =
            |path: &Path| std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
        let wanted = read(&own)?;
        if !read(&program).is_ok_and(|there| there == wanted) {
            std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            // whoever runs the old one goes on with it
            let new = folder.join("new");
            std::fs::copy(&own, &new)
                .and_then(|_| std::fs::rename(&new, &program))
                .map_err(|e| format!("{}: {e}", program.display()))?;
        }
        Ok(Self {
            program,
            clippy: clippy()?,
            target,
        })
    }

    /// The variables for a call of cargo.
    pub(crate) fn variables(&self) -> [(&'static str, &Path); 4] {
        [
            ("RUSTC_WORKSPACE_WRAPPER", &self.program),
            ("RUSTDOC", &self.program),
            (VARIABLE, &self.target),
            (CLIPPY, &self.clippy),
        ]
    }
}

/// Clippy's compiler, which lies beside the compiler.
fn clippy() -> Result<PathBuf, String> {
    let printed = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&printed).trim());
    let name = format!("clippy-driver{}", std::env::consts::EXE_SUFFIX);
    let clippy = sysroot.join("bin").join(name);
    match clippy.exists() {
        true => Ok(clippy),
        false => Err(format!("{}: clippy is not installed", clippy.display())),
    }
}

/// Does what the compiler would, where this program was called in its place.
pub(crate) fn run_in_place() -> Option<ExitCode> {
    let target = PathBuf::from(std::env::var_os(VARIABLE)?);
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match CompilerCall::of(&arguments)? {
        CompilerCall::Compile => Some(ended(
            Command::new(std::env::var_os(CLIPPY)?)
                .args(&arguments)
                .args(["-D", "warnings"])
                .args(own_options(std::env::var_os("CARGO_PKG_NAME"), &arguments)),
        )),
        CompilerCall::Other => Some(ended(Command::new("rustdoc").args(&arguments))),
        CompilerCall::RunExamples => Some(document_and_run(&target, &arguments)),
    }
}

/// What the compiler is told beside cargo's words, of which the last counts.
fn own_options(package: Option<OsString>, arguments: &[OsString]) -> &'static [&'static str] {
    let mut after_name = arguments.iter().skip_while(|word| *word != "--crate-name");
    let name = after_name.nth(1);
    let is_test = arguments.iter().any(|word| word == "--test");
    let is_unoptimised = UNOPTIMISED.iter().any(|(in_package, crate_name)| {
        package.as_deref() == Some(OsStr::new(in_package))
            && name.is_some_and(|name| name == crate_name)
    });
    match is_test && is_unoptimised {
        true => &["-C", "opt-level=0"],
        false => &[],
    }
}

/// What this program is called for in the compiler's place.
#[derive(Debug, PartialEq, Eq)]
enum CompilerCall {
    /// As `rustc`, whose name cargo puts first.
    Compile,
    /// As `rustdoc`, to run examples.
    RunExamples,
    /// As `rustdoc`, for anything else.
    Other,
}

impl CompilerCall {
    /// None where the first word is a chore's.
    fn of(arguments: &[OsString]) -> Option<Self> {
        let first = arguments.first()?;
        if Path::new(first).file_stem() == Some(OsStr::new("rustc")) {
            return Some(Self::Compile);
        }
        let is_option = first.to_string_lossy().starts_with('-');
        let is_test = arguments.iter().any(|argument| argument == "--test");
        is_option.then_some(if is_test {
            Self::RunExamples
        } else {
            Self::Other
        })
    }
}

/// Writes the documentation of a crate while its examples are run.
fn document_and_run(target: &Path, arguments: &[OsString]) -> ExitCode {
    let document = Command::new("rustdoc")
        .args(without_tests(arguments))
        .args(["-D", "warnings", "--out-dir"])
        .arg(target.join("doc"))
        .stdin(Stdio::null())
        .spawn();
    let examples = ended(Command::new("rustdoc").args(arguments));
    match document.and_then(|mut child| child.wait()) {
        Ok(status) if status.success() => examples,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("rustdoc: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The words for the documentation, of those for the examples.
fn without_tests(arguments: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.to_string_lossy().as_ref() {
            "--test" | "--no-run" | "--no-capture" => {}
            "--test-run-directory" | "--test-args" | "--test-builder" => {
                arguments.next();
            }
            _ => kept.push(argument.clone()),
        }
    }
    kept
}

/// Runs a command to its end, and says what came of it.
fn ended(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)),
        Err(error) => {
            eprintln!("{}: {error}", command.get_program().display());
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split_whitespace().map(OsString::from).collect()
    }

    #[test]
    fn a_call_is_known_by_its_words() {
        let rows = [
            ("", None),
            ("test", None),
            ("check HEAD", None),
            ("rustc - --crate-name ___", Some(CompilerCall::Compile)),
            ("/bin/rustc -vV", Some(CompilerCall::Compile)),
            (
                "--crate-name dice --test lib.rs",
                Some(CompilerCall::RunExamples),
            ),
            ("-vV", Some(CompilerCall::Other)),
        ];
        for (text, call) in rows {
            assert_eq!(CompilerCall::of(&words(text)), call, "{text}");
        }
    }

    #[test]
    fn some_tests_are_not_optimised() {
        let options = |package: &str, text| own_options(Some(package.into()), &words(text));
        let not_at_all: &[&str] = &["-C", "opt-level=0"];
        assert_eq!(
            options("gridpaper-rule", "rustc --crate-name it --test"),
            not_at_all
        );
        let rows = [
            (
                "gridpaper-census",
                "rustc --crate-name census -C opt-level=2",
            ),
            ("gridpaper-engine", "rustc --crate-name it --test"),
            ("gridpaper-rule", "rustc --crate-name rule --test"),
        ];
        for (package, text) in rows {
            assert!(options(package, text).is_empty(), "{package}: {text}");
        }
    }

    #[test]
    fn documentation_is_written_as_its_examples_are_compiled() {
        let all = "--crate-name dice --test src/lib.rs --test-run-directory here --test-args x \
                   -L there --no-run";
        let kept = "--crate-name dice src/lib.rs -L there";
        assert_eq!(without_tests(&words(all)), words(kept));
    }
}
