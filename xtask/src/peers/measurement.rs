//! What a run takes: processor time, time, and memory at its peak.
//!
//! Each run goes through a process of its own (`xtask measured CORE PROGRAM ...`), since the
//! system tells the memory that the largest child has taken, and never that of one child.
//! Elsewhere than on Linux there is only the time, and no memory.
//!
//! Before each run another process touches more memory than the run will take, and gives it
//! back: the system counts what a process has held as its children's too. A virtual machine is lent its memory page by page at the first touch, some thirty
//! times as slowly as a page that it has had before: without this, whoever runs first, or
//! takes more, is measured by the host and not by the program.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// How often each contestant runs; what counts is the median.
pub(super) const TIMES: usize = 5;

/// What one run took, and what it said.
pub(crate) struct ProcessMeasurement {
    /// Seconds of processor time, the system's included.
    pub(crate) processor: f64,
    /// Seconds from start to end.
    pub(crate) wall: f64,
    /// Bytes that were held at once; 0 where the system does not tell.
    pub(crate) peak: f64,
    /// What it printed.
    pub(crate) said: String,
}

/// Where a run may go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CoreAffinity {
    /// One core, always the same.
    One,
    /// All that there are.
    All,
}

/// Runs a command and waits for its end.
///
/// # Errors
/// When it cannot be started, or fails: with what it said.
pub(crate) fn run(command: &Command, cores: CoreAffinity) -> Result<ProcessMeasurement, String> {
    let myself = std::env::current_exe().map_err(|e| e.to_string())?;
    let shown = shown(command);
    // without it the figures are a little worse, and still figures
    let _ = Command::new(&myself).args(["measured", TOUCH]).status();
    let output = Command::new(myself)
        .arg("measured")
        .arg(if cores == CoreAffinity::One {
            "one"
        } else {
            "all"
        })
        .arg(command.get_program())
        .args(command.get_args())
        .output()
        .map_err(|e| format!("{shown}: {e}"))?;
    let talk = String::from_utf8_lossy(&output.stderr);
    let figures = talk.lines().rev().find_map(|line| line.strip_prefix(MARK));
    let figures: Option<Vec<f64>> =
        figures.map(|line| line.split(' ').filter_map(|n| n.parse().ok()).collect());
    match (output.status.success(), figures.as_deref()) {
        (true, Some(&[processor, wall, peak])) => Ok(ProcessMeasurement {
            processor,
            wall,
            peak,
            said: String::from_utf8_lossy(&output.stdout).into_owned(),
        }),
        _ => {
            let said: Vec<&str> = talk.lines().filter(|l| !l.starts_with(MARK)).collect();
            Err(format!("{shown}: {}", said.join("; ")))
        }
    }
}

/// A command as a person would type it, with files by their names alone: folders are those of
/// one machine.
pub(super) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| {
        let word = word.to_string_lossy();
        let name = Path::new(&*word)
            .file_name()
            .filter(|_| word.starts_with('/'));
        let name = name.map_or(word.clone(), |name| name.to_string_lossy());
        match name.contains([' ', '!', '*']) {
            true => format!("'{name}'"),
            false => name.into_owned(),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The middle one.
pub(super) fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// What the line with the figures opens with.
const MARK: &str = "measured: ";

/// `xtask measured touch`: touches memory, and no more.
const TOUCH: &str = "touch";

/// Bytes that are touched before a run: more than any that is measured takes, but for the
/// largest tori.
const TOUCHED: usize = 1 << 30;

/// `xtask measured one|all PROGRAM ARGUMENT...`: runs the program and tells what it took in
/// the last line of standard error.
pub(crate) fn child(arguments: &[&str]) -> ExitCode {
    if arguments == [TOUCH] {
        system::touch(TOUCHED);
        return ExitCode::SUCCESS;
    }
    let [cores, program, rest @ ..] = arguments else {
        eprintln!("usage: cargo xtask measured one|all PROGRAM [ARGUMENT]...");
        return ExitCode::from(2);
    };
    if *cores == "one" {
        system::pin();
    }
    let begun = Instant::now();
    let status = Command::new(program).args(rest).status();
    let wall = begun.elapsed().as_secs_f64();
    match status {
        Ok(status) if status.success() => {
            let (processor, peak) = system::children().unwrap_or((wall, 0.0));
            eprintln!("{MARK}{processor} {wall} {peak}");
            ExitCode::SUCCESS
        }
        Ok(status) => {
            eprintln!("{status}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// How many cores there are for this process.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, Into::into)
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    /// Has the system hand out so much memory, in large pages as those who need much ask for,
    /// and takes it back.
    pub(super) fn touch(bytes: usize) {
        let Ok(mut map) = memmap2::MmapOptions::new().len(bytes).map_anon() else {
            return;
        };
        let _ = map.advise(memmap2::Advice::HugePage);
        for page in map.chunks_mut(4096) {
            page[0] = 1;
        }
        std::hint::black_box(&map);
    }

    /// Keeps this process, and what it starts, on the last core that it may use: the first
    /// is where systems put what disturbs.
    pub(super) fn pin() {
        let Ok(allowed) = sched_getaffinity(None) else {
            return;
        };
        let last = (0..CpuSet::MAX_CPU)
            .rev()
            .find(|&core| allowed.is_set(core));
        let mut one = CpuSet::new();
        one.set(last.unwrap_or_default());
        // without it the figures are a little worse, and still figures
        let _ = sched_setaffinity(None, &one);
        // Others may be at work on the same core; a person who is not root cannot be put
        // before them, and then runs that were disturbed are run again.
        let _ = rustix::process::nice(-10);
    }

    /// Seconds of processor time of all children that have ended, and the bytes of the
    /// largest.
    pub(super) fn children() -> Option<(f64, f64)> {
        let usage = getrusage(UsageWho::RUSAGE_CHILDREN).ok()?;
        let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        // Linux tells kilobytes, see getrusage(2).
        Some((micros as f64 * 1e-6, usage.max_rss() as f64 * 1024.0))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn touch(_: usize) {}

    pub(super) fn pin() {}

    pub(super) fn children() -> Option<(f64, f64)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![5.0, 1.0, 9.0, 7.0, 3.0]), 5.0);
    }

    #[test]
    fn commands_are_shown_without_folders() {
        let mut command = Command::new("/opt/some/bgolly");
        command.args(["-a", "Larger than Life", "-s", "/some/rules/", "/a/b.mc"]);
        assert_eq!(
            shown(&command),
            "bgolly -a 'Larger than Life' -s rules b.mc"
        );
    }
}
