//! `gridpaper search run`: searches the cubes of a plan, and appends them to a part.

use crate::command::census::broken_part;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use batch::{CubeEnd, SearchMerge, SearchPlan, SearchPlanText};
use clap::{Args, ValueHint};
use models::parallel_jobs::run_jobs;
use parts::{PartFile, UnitSet, UnitShard, part_name};
use serde_json::json;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Search the cubes of a plan, for several processes or machines
///
/// Each process appends what it has finished to a file of its own, which `gridpaper merge` adds.
/// The same command goes on, and searches nothing twice.
#[derive(Debug, Args)]
#[command(after_help = PLAN)]
pub(super) struct SearchRunArgs {
    /// The plan
    #[arg(value_name = "PLAN.toml", value_hint = ValueHint::FilePath)]
    plan: PathBuf,

    /// The folder of the parts
    #[arg(long, value_name = "FOLDER", default_value = "parts", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// Search only the cubes of this share, such as 1/3 on the first of three machines
    #[arg(long, value_name = "I/N")]
    shard: Option<UnitShard>,

    /// Search only these units, from 0 on, such as 17,40-43: what `gridpaper merge` says is missing
    #[arg(long, value_name = "K")]
    units: Option<UnitSet>,

    /// How many threads search, all cores without it
    #[arg(long, value_name = "T")]
    threads: Option<NonZero<usize>>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// What a plan looks like.
const PLAN: &str = "\
PLAN.toml is such as this; docs/clusters.md tells the rest:\n\n  \
search = \"osc\"           # or still, ship, agar\n  \
period = 3\n  \
size = \"9x9\"\n  \
symmetry = \"D2|\"\n  \
cubes = 8                # cells at which it is cut: up to 256 units\n  \
nodes = 10_000_000       # guesses after which a cube is cut further";

/// How the threads of a run end.
#[derive(Default)]
struct CubeRun {
    /// New units.
    written: AtomicUsize,
    /// The place in the list of the first cube in which something was found, where that is enough.
    first: AtomicUsize,
    failure: Mutex<Option<CliFailure>>,
}

impl SearchRunArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let plan = read(&self.plan)?;
        let shard = self.shard.unwrap_or(UnitShard::WHOLE);
        std::fs::create_dir_all(&self.out)
            .map_err(|error| CliFailure::io(self.out.display(), &error))?;
        let path = self.out.join(part_name(shard, self.units.as_ref()));
        let file = PartFile::open(&path, &plan).map_err(broken_part)?;
        let file = Mutex::new(file);
        let interrupts = InterruptGuard::new();
        let run = CubeRun::default();
        loop {
            let merge = SearchMerge::of_folder(&self.out, &plan).map_err(broken_part)?;
            let missing = merge.missing();
            let missing = missing
                .runs()
                .iter()
                .flat_map(|&(first, last)| first..=last);
            let is_wanted = |unit: &u64| {
                let units = self.units.as_ref();
                shard.contains(*unit) && units.is_none_or(|units| units.contains(*unit))
            };
            let units: Vec<u64> = missing.filter(is_wanted).collect();
            if units.is_empty() || interrupts.asked_to_stop() {
                break;
            }
            self.search(&plan, &units, &file, &interrupts, &run);
            let mut failure = run.failure.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(failure) = failure.take() {
                return Err(failure);
            }
        }
        let written = run.written.into_inner();
        let word = if written == 1 { "unit" } else { "units" };
        if interrupts.asked_to_stop() {
            let message = format!("stopped after {written} {word}; the same command goes on");
            return Err(CliFailure::Interrupted { message });
        }
        if self.json {
            return output::line(json!({"part": path.to_string_lossy(), "units": written}));
        }
        if written == 0 {
            note("the parts have all of these cubes");
        }
        output::line(format_args!("{}: {written} new {word}", path.display()))
    }

    /// Searches units in threads, and appends each.
    fn search(
        &self,
        plan: &SearchPlan,
        units: &[u64],
        file: &Mutex<PartFile>,
        interrupts: &InterruptGuard,
        run: &CubeRun,
    ) {
        run.first.store(usize::MAX, Ordering::Relaxed);
        let lines = Mutex::new(LiveTerminalLines::new());
        let done = AtomicUsize::new(0);
        let fail = |failure| {
            let mut kept = run.failure.lock().unwrap_or_else(PoisonError::into_inner);
            kept.get_or_insert(failure);
            run.first.store(0, Ordering::Relaxed);
        };
        let search = |place: usize| {
            let is_needed = || place < run.first.load(Ordering::Relaxed);
            let mut goes_on = || is_needed() && !interrupts.asked_to_stop();
            if !goes_on() {
                return;
            }
            let result = match plan.run(units[place], &mut goes_on) {
                Ok(Some(result)) => result,
                Ok(None) => return,
                Err(problem) => {
                    let unit = units[place];
                    return fail(CliFailure::wrong(format_args!("unit {unit}: {problem}")));
                }
            };
            let line = plan.line_of(units[place], &result);
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = file.append(&line) {
                return fail(broken_part(error));
            }
            drop(file);
            run.written.fetch_add(1, Ordering::Relaxed);
            if result.end == CubeEnd::First {
                run.first.fetch_min(place, Ordering::Relaxed);
            }
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
            lines.show(|_| format!("{done} of {} cubes; Ctrl-C stops", units.len()));
        };
        let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        run_jobs(self.threads.unwrap_or_else(cores), units.len(), &search);
        lines
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }
}

/// The plan of a file.
fn read(path: &Path) -> Result<SearchPlan, CliFailure> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| CliFailure::io(path.display(), &error))?;
    let plan = text.parse::<SearchPlanText>().map_err(|error| {
        let message = error.to_string();
        CliFailure::wrong(format_args!("{}: {}", path.display(), message.trim_end()))
    })?;
    SearchPlan::new(plan)
        .map_err(|error| CliFailure::wrong(format_args!("{}: {error}", path.display())))
}
