//! `cargo xtask instructions`: how many instructions small workloads take, held against what
//! they took when it was last written down.
//!
//! Seconds differ from machine to machine and from run to run; instructions do not, as long as
//! the same compiler made them and the same paths are taken. The workloads, and what is done
//! so that they take the same paths everywhere, are in the engine's program `instructions`;
//! valgrind counts. What it cannot vouch for (another compiler, another kind of processor) is
//! not checked, and the gate's closing list says so.

use crate::absence::AbsenceRecord;
use crate::cargo::{built, rustc, target};
use crate::engine_sources;
use crate::package;
use prerequisite::Prerequisite;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

/// Where the counts are, seen from the root.
pub(crate) const FILE: &str = "crates/engine/benches/instructions.json";

/// By how much a count may differ, in either direction: what became faster is to be written
/// down too, or it could be lost again unseen.
const TOLERANCE: f64 = 0.03;

/// Counts, by the workload's name.
type InstructionCounts = BTreeMap<String, u64>;

/// Counts, and writes the counts down or holds them against what is written.
pub(crate) fn run(root: &Path, record: bool) -> ExitCode {
    let outcome = match record {
        true => count(root).and_then(|counts| write(root, &counts)),
        false => AbsenceRecord::begin(root).and_then(|record| check(root, &record)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("instructions: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Holds counts against what is written down.
///
/// # Errors
/// When one differs, or they cannot be counted; and when they are for another compiler or
/// processor, or there is no valgrind, and that is required.
pub(crate) fn check(root: &Path, record: &AbsenceRecord) -> Result<(), String> {
    let (compiler, known) = read(root)?;
    let here = rustc()?;
    if let Some(why) = difference(&compiler, &here) {
        return record.missing(Prerequisite::Instructions, &why, FILE);
    }
    if let Err(why) = has_valgrind() {
        return record.missing(Prerequisite::Valgrind, &why, FILE);
    }
    let counts = count(root)?;
    let complaints = complaints(&known, &counts);
    match complaints.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{}; if that is as it should be, `cargo xtask instructions --record` writes them down",
            complaints.join("; ")
        )),
    }
}

/// Why counts that were written down for a compiler cannot be held against what this machine
/// counts, where they cannot.
pub(crate) fn difference(compiler: &str, here: &str) -> Option<String> {
    let is_the_machine = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !is_the_machine {
        return Some("the counts are for Linux on x86-64".into());
    }
    (compiler != here).then(|| format!("the counts are for {compiler}, and this is {here}"))
}

/// Valgrind, installed if need be.
fn has_valgrind() -> Result<(), String> {
    package::ensure(&[("valgrind", "valgrind")], "counts of instructions")
}

/// What differs.
fn complaints(known: &InstructionCounts, counts: &InstructionCounts) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, &count) in counts {
        let Some(&before) = known.get(name) else {
            complaints.push(format!("{name} is not written down"));
            continue;
        };
        let ratio = count as f64 / before as f64;
        if (ratio - 1.0).abs() > TOLERANCE {
            complaints.push(format!(
                "{name} takes {count} instructions, {:+.1} % of {before}",
                100.0 * (ratio - 1.0)
            ));
        }
    }
    let gone = known.keys().filter(|name| !counts.contains_key(*name));
    complaints.extend(gone.map(|name| format!("{name} is written down and not there")));
    complaints
}

/// Counts the instructions of all workloads, as many at once as there are cores.
fn count(root: &Path) -> Result<InstructionCounts, String> {
    has_valgrind()?;
    let program = built(root, &target(root)?, "gridpaper-engine", "instructions")?;
    let listed = Command::new(&program).output().map_err(|e| e.to_string())?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names = Mutex::new(listed.lines());
    let counts = Mutex::new(Ok(InstructionCounts::new()));
    let next = || names.lock().expect("no thread panics").next();
    let work = || {
        while let Some(name) = next() {
            let outcome = count_one(&program, name);
            let mut counts = counts.lock().expect("no thread panics");
            match (&mut *counts, outcome) {
                (Ok(counts), Ok(count)) => {
                    println!("instructions: {name} {count}");
                    counts.insert(name.to_string(), count);
                }
                (Ok(_), Err(why)) => *counts = Err(format!("{name}: {why}")),
                (Err(_), _) => {}
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    counts.into_inner().expect("no thread panics")
}

/// Counts the instructions of one workload.
fn count_one(program: &Path, name: &str) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        // what comes before and after is not counted
        .arg("--toggle-collect=instructions::counted*")
        .arg(program)
        .arg(name)
        // the environment lies on the stack, and moves what lies below it
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let talk = String::from_utf8_lossy(&output.stderr);
    let count = talk
        .lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, count)| count.trim().parse().ok());
    match (output.status.success(), count) {
        (true, Some(count)) if count > 0 => Ok(count),
        _ => Err(format!("valgrind counts nothing: {talk}")),
    }
}

/// For which compiler what is written down is, and what it is.
fn read(root: &Path) -> Result<(String, InstructionCounts), String> {
    let text = std::fs::read_to_string(root.join(FILE)).map_err(|e| format!("{FILE}: {e}"))?;
    let value: Value = serde_json::from_str(&text).map_err(|e| format!("{FILE}: {e}"))?;
    let compiler = value["compiler"].as_str();
    let compiler = compiler.ok_or(format!("{FILE}: it names no compiler"))?;
    let counts = value["counts"].as_object();
    let counts = counts.ok_or(format!("{FILE}: it has no counts"))?.iter();
    let counts = counts.map(|(name, count)| Some((name.clone(), count.as_u64()?)));
    let counts: Option<InstructionCounts> = counts.collect();
    let counts = counts.ok_or(format!("{FILE}: a count is no number"))?;
    Ok((compiler.to_string(), counts))
}

fn write(root: &Path, counts: &InstructionCounts) -> Result<(), String> {
    let counts: Map<String, Value> = counts
        .iter()
        .map(|(name, count)| (name.clone(), json!(count)))
        .collect();
    let sources = engine_sources::digest(root)?;
    let value = json!({"compiler": rustc()?, "counts": counts, "sources": sources});
    let text = serde_json::to_string_pretty(&value).map_err(|e| e.to_string())?;
    std::fs::write(root.join(FILE), text + "\n").map_err(|e| format!("{FILE}: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_may_differ_a_little() {
        let counts = |of: &[(&str, u64)]| -> InstructionCounts {
            of.iter()
                .map(|&(name, count)| (name.into(), count))
                .collect()
        };
        let known = counts(&[("a", 1000), ("b", 1000)]);
        assert!(complaints(&known, &counts(&[("a", 1029), ("b", 971)])).is_empty());
        assert_eq!(
            complaints(&known, &counts(&[("a", 1031), ("b", 969)])).len(),
            2
        );
        assert_eq!(
            complaints(&known, &counts(&[("a", 1000), ("c", 5)])),
            ["c is not written down", "b is written down and not there"]
        );
    }

    #[test]
    fn counts_for_another_compiler_are_not_held_against_this_one() {
        let [one, other] = ["rustc 1.95.0 (1 2026-04-14)", "rustc 1.96.0 (2 2026-06-01)"];
        let why = difference(one, other).unwrap();
        assert!(!cfg!(target_os = "linux") || why.contains(one) && why.contains(other));
        let is_the_machine = cfg!(all(target_os = "linux", target_arch = "x86_64"));
        assert_eq!(difference(one, one).is_none(), is_the_machine);
    }

    #[test]
    fn what_is_written_down_can_be_read() {
        let (compiler, counts) = read(&crate::root()).unwrap();
        assert!(compiler.starts_with("rustc "), "{compiler}");
        assert_eq!(counts.len(), 10);
    }
}
