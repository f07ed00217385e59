//! `cargo xtask long fuzz [SECONDS] [TARGET]...`: every fuzz target, one after the other, for an
//! hour each or as long as is said.
//!
//! Where cargo-fuzz and a nightly toolchain are installed, libFuzzer runs them, guided by
//! coverage, and ends a target with its first find. Else the plain mutator does, in the profile
//! that the gate compiles. What was found lies in `fuzz/artifacts`, a folder a target.

use crate::cargo::{cargo, target};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// How long a target runs where nothing is said.
const AN_HOUR: u64 = 60 * 60;

/// Bytes: as the targets have it.
const LONGEST_INPUT: &str = "-max_len=8192";

/// libFuzzer's limits for one input: seconds, and MiB of memory.
const LIMITS: [&str; 2] = ["-timeout=20", "-rss_limit_mb=4096"];

/// Runs the targets that are named, or all.
pub(crate) fn run(root: &Path, words: &[&str]) -> ExitCode {
    let (seconds, targets) = match words {
        [first, rest @ ..] => match first.parse() {
            Ok(seconds) => (seconds, rest),
            Err(_) => (AN_HOUR, words),
        },
        [] => (AN_HOUR, words),
    };
    match run_all(root, seconds, targets) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("==> fuzzing found something: see fuzz/artifacts");
            ExitCode::FAILURE
        }
        Err(why) => {
            println!("==> failed: fuzz: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing was found.
fn run_all(root: &Path, seconds: u64, targets: &[&str]) -> Result<bool, String> {
    let program = build(root)?;
    let listed = Command::new(&program).arg("list").output();
    let listed = listed.map_err(|error| error.to_string())?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let known: Vec<&str> = listed.lines().collect();
    if let Some(unknown) = targets.iter().find(|target| !known.contains(target)) {
        return Err(format!(
            "no target {unknown}, the targets are {}",
            known.join(", ")
        ));
    }
    let targets = if targets.is_empty() { &known } else { targets };
    let is_guided = has_libfuzzer(root);
    match is_guided {
        true => {
            let written = ended(
                Command::new(&program)
                    .args(["corpus", "fuzz/corpus"])
                    .current_dir(root),
            )?;
            if !written {
                return Err("there is no corpus to start from".into());
            }
            println!("==> fuzz: with libFuzzer, {seconds} s a target");
        }
        false => println!(
            "==> fuzz: without coverage, since there is no nightly toolchain with cargo-fuzz; \
             {seconds} s a target"
        ),
    }
    let mut is_fine = true;
    for target in targets {
        is_fine &= match is_guided {
            true => guided(root, target, seconds)?,
            false => {
                let seconds = seconds.to_string();
                let run = ["run", target, &seconds, "fuzz/artifacts"];
                ended(Command::new(&program).args(run).current_dir(root))?
            }
        };
    }
    Ok(is_fine)
}

/// The program of the targets. It is built as a part of the test that replays the corpus, so that
/// all is there that the gate has compiled: by itself it would have other features.
fn build(root: &Path) -> Result<PathBuf, String> {
    let step = ["test", "--workspace", "--no-run", "--test", "replay"];
    if !ended(cargo(root).args(step))? {
        return Err("the targets cannot be built".into());
    }
    let name = format!("gridpaper-fuzz-targets{}", std::env::consts::EXE_SUFFIX);
    Ok(target(root)?.join("debug").join(name))
}

fn has_libfuzzer(root: &Path) -> bool {
    let mut command = nightly(root);
    let quiet = command.args(["fuzz", "--version"]).stdout(Stdio::null());
    let status = quiet.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// The sanitizers' runtime is not needed: no crate but the engine has unsafe code, and its
/// tests run under Miri.
fn guided(root: &Path, target: &str, seconds: u64) -> Result<bool, String> {
    let corpus = format!("corpus/{target}");
    let dictionary = format!("-dict=corpus/{target}.dict");
    let time = format!("-max_total_time={seconds}");
    println!("==> fuzz: {target}");
    ended(
        nightly(&root.join("fuzz"))
            .args(["fuzz", "run", "--sanitizer", "none", target, &corpus, "--"])
            .args([&time, &dictionary, LONGEST_INPUT, "-print_final_stats=1"])
            .args(LIMITS),
    )
}

/// The cargo of the nightly toolchain, which is rustup's to find.
fn nightly(folder: &Path) -> Command {
    let mut command = Command::new("cargo");
    command
        .arg("+nightly")
        .current_dir(folder)
        // as the cargo that runs this has set them
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    command
}

/// Whether a command ended well.
fn ended(command: &mut Command) -> Result<bool, String> {
    let status = command.status().map_err(|error| error.to_string())?;
    Ok(status.success())
}
