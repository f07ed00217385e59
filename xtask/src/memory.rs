//! `cargo xtask memory PATTERN GENERATIONS ...`: what hashing takes with less memory than it
//! would take: with a half, a quarter and an eighth of the peak of a free run; beside it Golly's
//! with as much, and with all of it, where there is a `bgolly`.
//!
//! The patterns are files, macrocell or other; Golly has many that need much memory among its
//! own, such as `HashLife/puzzle.mc` to 2^22. A run that takes sixteen times as long as the free
//! one is given up.

use crate::cargo::{built, target};
use crate::peers::{CoreAffinity, GollyProgram, run_command};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Of the peak of a free run, a run is given these parts.
const PARTS: [u32; 3] = [2, 4, 8];

/// As many times as the free run may a run take, and a second.
const PATIENCE: f64 = 16.0;

/// Measures some patterns, each with the generations to run.
pub(crate) fn run(root: &Path, jobs: &[&str]) -> Result<(), String> {
    let (jobs, []) = jobs.as_chunks::<2>() else {
        return Err("each pattern needs how many generations to run".into());
    };
    let program = built(root, &target(root)?, "gridpaper-cli", "gridpaper")?;
    let golly = GollyProgram::find();
    if golly.is_none() {
        println!("no bgolly here: install Debian's package golly, or set GRIDPAPER_BGOLLY");
    }
    for [file, generations] in jobs {
        let name = Path::new(file).file_name().unwrap_or_default().display();
        let mut ours = Command::new(&program);
        ours.arg("run").arg(file);
        ours.args(["--engine", "hashlife", "--json", "--gens", generations]);
        let free = run_command(&ours, CoreAffinity::One)?;
        println!(
            "{name} to {generations}: {:.2} s, {:.0} MiB",
            free.processor,
            free.peak / f64::from(1 << 20)
        );
        let patience = (1.0 + PATIENCE * free.processor).ceil();
        for part in PARTS {
            let memory = (free.peak / f64::from(part)) as u64;
            let capped = with_patience(patience, &ours, &["--memory", &memory.to_string()]);
            let took = match run_command(&capped, CoreAffinity::One) {
                Ok(run) if world(&run.said)? != world(&free.said)? => {
                    return Err(format!("{name}: another world in 1/{part} of the memory"));
                }
                Ok(run) => format!("{:.2} times as long", run.processor / free.processor),
                Err(_) => format!("no room, or not within {patience} s"),
            };
            println!("  1/{part}: {took}");
        }
        for part in [1].into_iter().chain(PARTS) {
            let Some(golly) = &golly else { break };
            let memory = (free.peak / f64::from(part << 20)).ceil() as u64;
            let mut theirs = Command::new("timeout");
            theirs.arg("30").args(golly.whole_run("HashLife", memory));
            theirs.args(["-q", "-q", "-m", generations, "-i", generations, file]);
            let took = match run_command(&theirs, CoreAffinity::One) {
                Ok(run) => format!("{:.2} s", run.processor),
                Err(_) => "no room, or not within 30 s".into(),
            };
            println!("  bgolly in 1/{part}: {took}");
        }
    }
    Ok(())
}

/// The same with more arguments, and given up on after so many seconds.
fn with_patience(seconds: f64, command: &Command, more: &[&str]) -> Command {
    let mut patient = Command::new("timeout");
    patient.arg(seconds.to_string()).arg(command.get_program());
    patient.args(command.get_args()).args(more);
    patient
}

/// What a run came to.
fn world(said: &str) -> Result<Value, String> {
    let told: Value = serde_json::from_str(said).map_err(|e| e.to_string())?;
    Ok(told["hash"].clone())
}
