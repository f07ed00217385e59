//! `cargo xtask peers`: what this program takes for its work and what others take for the same,
//! on the same machine in the same run.
//!
//! Golly's batch program and lifelib run the same files as ours (see [`golly`] and [`lifelib`]
//! for where they are looked for), one thread each, in turn, and what counts is the median of
//! their processor time. Populations are compared: a race between two different worlds tells
//! nothing. apgluxe counts the same soups as our census (see [`apgsearch`]). What is not there is
//! said, and left out.
//!
//! `cargo xtask peers search` is apart: the search beside rlifesrc and qfind (see [`solver`]).
//!
//! `GRIDPAPER_PROGRAM` names another build of ours, to be measured as it is. `GRIDPAPER_BEFORE`
//! names a build to be measured beside ours, in turn with it and without the peers: what a
//! change costs or brings. Such a run says its ratios and keeps nothing.
//!
//! The figures are kept in `docs/performance.json`, and the book's page is made from that, so
//! that a run of some workloads replaces their lines alone.

mod apgsearch;
mod contest;
mod golly;
mod lifelib;
mod machine;
mod measurement;
mod page;
mod record;
mod solver;
mod verdict;
mod workload;

pub(crate) use machine::first_line;
pub(crate) use measurement::{CoreAffinity, child as measured, run as run_command};

use crate::cargo::{built, target};
use apgsearch::ApgsearchSource;
use contest::{PeerEnvironment, WorkloadError};
pub(crate) use golly::{GollyProgram, last_population};
use lifelib::LifelibPackage;
use record::{FigureUnit, PerformanceRecord, WorkloadFigures};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;
use workload::{PeerWorkload, WORKLOADS, WorkloadGroup, WorkloadTask};

/// Measures the workloads of these names, or of these groups, or all.
pub(crate) fn run(root: &Path, names: &[&str]) -> ExitCode {
    if names == ["search"] {
        return match solver::run(root) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("peers: {why}");
                ExitCode::FAILURE
            }
        };
    }
    let wanted = match wanted(names) {
        Ok(wanted) => wanted,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    match measure_all(root, &wanted) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(failures) => {
            eprintln!("peers: {failures} workloads have no figures since something failed");
            ExitCode::FAILURE
        }
        Err(why) => {
            eprintln!("peers: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the page anew from the figures that are kept.
pub(crate) fn write_page(root: &Path) -> Result<(), String> {
    page::write(root, &record::read(root)?)
}

fn wanted(names: &[&str]) -> Result<Vec<&'static PeerWorkload>, String> {
    let matches = |workload: &PeerWorkload, name: &str| {
        workload.full_name() == name || workload.group.name() == name
    };
    let unknown = names
        .iter()
        .find(|name| !WORKLOADS.iter().any(|w| matches(w, name)));
    if let Some(name) = unknown {
        let known: Vec<String> = WORKLOADS.iter().map(PeerWorkload::full_name).collect();
        let groups = WorkloadGroup::ALL.map(WorkloadGroup::name).join(", ");
        return Err(format!(
            "`{name}` is no workload: expected one of the groups {groups}, or one of {}",
            known.join(", ")
        ));
    }
    let wanted = WORKLOADS.iter();
    Ok(wanted
        .filter(|w| names.is_empty() || names.iter().any(|name| matches(w, name)))
        .collect())
}

/// Measures, keeps the figures after each workload, and gives how many failed.
fn measure_all(root: &Path, wanted: &[&PeerWorkload]) -> Result<usize, String> {
    let target = target(root)?;
    let narrows = wanted
        .iter()
        .any(|w| matches!(w.task, WorkloadTask::Narrow { .. }));
    let hall = hall(root, &target, narrows)?;
    let mut record = record::read(root)?;
    let (today, commit, machine) = (
        machine::today(),
        machine::commit(root),
        machine::described(),
    );
    let versions = versions(&hall);
    println!("{machine}\n{versions}");
    let mut failures = 0;
    let mut ratios = Vec::new();
    for workload in wanted {
        let begun = Instant::now();
        let name = workload.full_name();
        let mut line = match hall.run(workload) {
            Ok(line) => line,
            Err(WorkloadError::Skipped(why)) => {
                println!("{name}: left out: {why}");
                continue;
            }
            Err(WorkloadError::Failed(why)) => {
                failures += 1;
                let mut line = WorkloadFigures::new(FigureUnit::Seconds);
                line.failure = Some(why);
                line
            }
        };
        line.date.clone_from(&today);
        line.commit.clone_from(&commit);
        line.machine.clone_from(&machine);
        line.versions.clone_from(&versions);
        println!(
            "{} ({:.0} s)",
            said(workload, &line),
            begun.elapsed().as_secs_f64()
        );
        if hall.before.is_some() {
            ratios.extend(verdict::ratios_to_before(&line).map(|ratio| (ratio, name.clone())));
            continue;
        }
        record.insert(name, line);
        keep(root, &mut record)?;
    }
    if !ratios.is_empty() {
        println!("{}", verdict::summary(&ratios));
    }
    Ok(failures)
}

/// Keeps the figures of workloads that there are, and makes the page.
fn keep(root: &Path, record: &mut PerformanceRecord) -> Result<(), String> {
    record.retain(|name, _| WORKLOADS.iter().any(|w| w.full_name() == *name));
    record::write(root, record)?;
    // From what is kept: figures are rounded there, and rounded again on the page.
    write_page(root)
}

/// A line for whoever waits.
fn said(workload: &PeerWorkload, line: &WorkloadFigures) -> String {
    let mut said = format!("{}:", workload.full_name());
    if let Some(why) = &line.failure {
        return format!("{said} failed: {why}");
    }
    for (name, value) in &line.figures {
        let shown = match (name.ends_with("peak") || name == "cap", line.unit) {
            (true, _) => format!("{:.0} MiB", value / 1_048_576.0),
            (false, FigureUnit::Seconds) => format!("{value:.4} s"),
            (false, FigureUnit::Cells) => format!("{:.2} G/s", value / 1e9),
        };
        said += &format!(" {name} {shown},");
    }
    for ratio in verdict::ratios_to_before(line) {
        said += &format!(" {ratio:.3} x the speed before,");
    }
    for peer in ["bgolly", "lifelib", "apgluxe"] {
        if let Some(times) = verdict::advantage(line, peer) {
            said += &format!(" {times:.2} x {peer},");
        }
    }
    said + match verdict::all_met(workload.targets, line) {
        Some(true) => " met",
        Some(false) => " NOT MET",
        None => " no target",
    }
}

/// All that workloads need, and what is missing told; the program for narrow vectors only where
/// it is asked for, since it takes a build of its own.
fn hall(root: &Path, target: &Path, narrows: bool) -> Result<PeerEnvironment, String> {
    let folder = target.join("peers");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let before = std::env::var_os("GRIDPAPER_BEFORE").map(PathBuf::from);
    let alone = before.is_some();
    let golly = GollyProgram::find().filter(|_| !alone);
    if golly.is_none() && !alone {
        println!("no bgolly here: install Debian's package golly, or set GRIDPAPER_BGOLLY");
    }
    let lifelib = match alone {
        true => None,
        false => LifelibPackage::find(&folder),
    };
    if lifelib.is_none() && !alone {
        println!("no lifelib here: it takes g++ and `pip install python-lifelib`");
    }
    let apgsearch = match alone {
        true => None,
        false => ApgsearchSource::find(root, &folder),
    };
    if apgsearch.is_none() && !alone {
        println!("no apgsearch here: GRIDPAPER_PEERS should name the folder of its source");
    }
    let named = std::env::var_os("GRIDPAPER_DATA").map(PathBuf::from);
    let data = named.unwrap_or(root.join("../shared/data"));
    let data = data.join("patterns").is_dir().then_some(data);
    if data.is_none() {
        println!("no patterns to measure with: GRIDPAPER_DATA should name their folder");
    }
    Ok(PeerEnvironment {
        ours: match std::env::var_os("GRIDPAPER_PROGRAM") {
            Some(named) => named.into(),
            None => built(root, target, "gridpaper-cli", "gridpaper")?,
        },
        instructions: match narrows {
            true => Some(built(root, target, "gridpaper-engine", "instructions")?),
            false => None,
        },
        before,
        golly,
        lifelib,
        apgsearch,
        data,
        folder,
    })
}

fn versions(hall: &PeerEnvironment) -> String {
    let rustc = first_line(Command::new("rustc").arg("--version"));
    let all = [
        Some(format!("gridpaper {}", env!("CARGO_PKG_VERSION"))),
        hall.golly
            .as_ref()
            .map(|golly| format!("bgolly {}", golly.version)),
        hall.lifelib
            .as_ref()
            .map(|lifelib| format!("lifelib {}", lifelib.version)),
        hall.apgsearch.as_ref().map(|_| "apgsearch 5.2".to_owned()),
        rustc.map(|said| said.split(' ').take(2).collect::<Vec<_>>().join(" ")),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A program of the path.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_and_workloads_have_names() {
        assert_eq!(wanted(&[]).unwrap().len(), WORKLOADS.len());
        assert_eq!(wanted(&["hashlife/gemini"]).unwrap().len(), 1);
        assert!(wanted(&["torus"]).unwrap().len() > 10);
        let refused = wanted(&["torus", "gemini"]).map(drop).unwrap_err();
        assert!(refused.contains("`gemini` is no workload"), "{refused}");
    }

    #[test]
    fn the_page_is_made_of_the_figures_that_are_kept() {
        let root = crate::root();
        let record = record::read(&root).unwrap();
        let expected = page::text(&record);
        let page = std::fs::read_to_string(root.join(page::FILE)).unwrap();
        assert!(page == expected, "run `cargo xtask peers --page`");
    }
}
