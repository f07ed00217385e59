//! Runs the fuzz targets with the stable compiler: see [`fuzz_targets`].
//!
//! - `list` prints the targets;
//! - `run TARGET SECONDS FOLDER [SEED]` runs mutations for so long, and writes what it finds;
//! - `check TARGET FILE…` runs a target on files, to repeat what was found;
//! - `corpus FOLDER` writes what libFuzzer starts from.
#![forbid(unsafe_code)]

use fuzz_targets::{
    Crash, Fuzzer, SLOW_EXIT, TARGETS, Target, current_input, find, keep_current, write_corpus,
};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

/// A process that ended itself is begun again, up to so often.
const MOST_DEATHS: u64 = 20;

/// The most address space of a process, in bytes: who takes more ends it, and is found.
#[cfg(unix)]
const MOST_MEMORY: u64 = 4 << 30;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["list"] => {
            TARGETS
                .iter()
                .for_each(|target| println!("{}", target.name));
            Ok(true)
        }
        ["run", target, seconds, folder] => supervise(target, seconds, folder, "1"),
        ["run", target, seconds, folder, seed] => supervise(target, seconds, folder, seed),
        // what `run` starts, since an input may end the process
        ["work", target, seconds, folder, seed] => work(target, seconds, folder, seed),
        ["check", target, ref files @ ..] => check(target, files),
        ["corpus", folder] => {
            let written = write_corpus(Path::new(folder));
            written.map(|()| true).map_err(Into::into)
        }
        _ => Err(
            "usage: list | run TARGET SECONDS FOLDER [SEED] | check TARGET FILE... | \
                  corpus FOLDER"
                .into(),
        ),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn named(name: &str) -> Result<&'static Target, String> {
    find(name).ok_or_else(|| format!("there is no target {name}: `list` has them"))
}

/// Starts processes that fuzz until the time is over; whether nothing was found.
fn supervise(name: &str, seconds: &str, folder: &str, seed: &str) -> Result<bool, Box<dyn Error>> {
    named(name)?;
    let time = Duration::from_secs(seconds.parse()?);
    let seed: u64 = seed.parse()?;
    let folder = Path::new(folder).join(name);
    let begun = Instant::now();
    let mut is_fine = true;
    for death in 0..MOST_DEATHS {
        let left = time.saturating_sub(begun.elapsed()).as_secs();
        if death > 0 && left == 0 {
            break;
        }
        let status = Command::new(std::env::current_exe()?)
            .arg("work")
            .args([name, &left.to_string()])
            .arg(&folder)
            .arg(seed.wrapping_add(death).to_string())
            .status()?;
        match status.code() {
            Some(0) => return Ok(is_fine),
            // crashes were found, and told
            Some(1) => return Ok(false),
            Some(2) => return Err(format!("{name}: see above").into()),
            Some(SLOW_EXIT) => println!("{name}: an input took too long"),
            _ => {
                let kept = keep_current(&folder, &how(status))?;
                let kept = kept.unwrap_or_else(|| current_input(&folder));
                println!("{name}: {status}: {}", kept.display());
            }
        }
        is_fine = false;
    }
    Ok(is_fine)
}

/// How a process ended, as a file's name begins.
fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return format!("signal_{signal}");
        }
    }
    format!("exit_{}", status.code().unwrap_or(-1))
}

/// Fuzzes in this very process; whether nothing panicked.
fn work(name: &str, seconds: &str, folder: &str, seed: &str) -> Result<bool, Box<dyn Error>> {
    limit_memory()?;
    let target = named(name)?;
    let fuzzer = Fuzzer::new(target, &PathBuf::from(folder), tell)?;
    let time = Duration::from_secs(seconds.parse()?);
    let report = fuzzer.run(seed.parse()?, time)?;
    println!(
        "{name}: {} runs, {} panics at {} new places, the slowest took {} ms",
        report.runs,
        report.panics,
        report.new_places,
        report.slowest.as_millis()
    );
    Ok(report.panics == 0)
}

fn tell(crash: &Crash) {
    let words: String = crash.message.chars().take(300).collect();
    println!("{}: {words}\n  {}", crash.place, crash.path.display());
}

#[cfg(unix)]
fn limit_memory() -> Result<(), Box<dyn Error>> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = Rlimit {
        current: Some(MOST_MEMORY),
        maximum: getrlimit(Resource::As).maximum,
    };
    setrlimit(Resource::As, limit)?;
    Ok(())
}

#[cfg(not(unix))]
fn limit_memory() -> Result<(), Box<dyn Error>> {
    Ok(())
}

/// Runs a target on files, and panics as it does.
fn check(name: &str, files: &[&str]) -> Result<bool, Box<dyn Error>> {
    limit_memory()?;
    let target = named(name)?;
    for file in files {
        let bytes = std::fs::read(file)?;
        let begun = Instant::now();
        (target.check)(&bytes);
        println!(
            "{file}: nothing wrong in {} ms",
            begun.elapsed().as_millis()
        );
    }
    Ok(true)
}
