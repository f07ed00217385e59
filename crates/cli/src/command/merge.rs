//! `gridpaper merge`: adds the parts of a census or a search that several processes have done.

use super::census::{broken_part, ended, object_table};
use crate::checked_share::CheckedShare;
use crate::failure::{CliFailure, hint, note};
use crate::interrupt::InterruptGuard;
use crate::progress::LiveTerminalLines;
use crate::{output, table};
use batch::{
    CensusPlan, PartMerge, SearchMerge, SearchPlan, SoupRange, UnitPart, UnitPlan, UnitWorker,
    keep_units,
};
use census::{UnitReport, object_name};
use clap::{Args, ValueHint};
use models::census_run::SoupWorker;
use models::parallel_jobs::run_jobs;
use parts::{UnitSet, first_line, part_files};
use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Add the parts of a census or a search that several processes or machines have done
///
/// A unit that is in several parts is compared and counted once. The result does not depend on
/// how the units were shared out. Where some are missing, they are printed in the form that
/// `census run --units` and `search run --units` take, and the exit code is 1, as it is where a
/// search is complete and has found nothing.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Parts as `census run --out` and `search run` write them, or folders of them
    #[arg(value_name = "PART", required = true, value_hint = ValueHint::AnyPath)]
    parts: Vec<PathBuf>,

    /// Write the result to this file, as JSON: the same bytes for the same plan
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Do this share of the units again, such as 1%, and compare
    #[arg(long, value_name = "P%")]
    check: Option<CheckedShare>,

    /// Which units are done again: the same seed draws the same ones
    #[arg(long, value_name = "S", default_value_t = 0, requires = "check")]
    seed: u64,

    /// How many threads do that, all cores without it
    #[arg(long, value_name = "T", requires = "check")]
    threads: Option<NonZero<usize>>,
}

/// How many objects are printed.
const TOP: usize = 20;

impl MergeArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if let Some(path) = &self.out {
            output::check_place(path)?;
        }
        let files = part_paths(&self.parts)?;
        let mut lines = files.iter().map(|file| first_line(file));
        let first = lines.find_map(Result::transpose).transpose();
        match first.map_err(broken_part)? {
            Some(line) if SearchPlan::is_line(&line) => self.merge_search(&files),
            Some(_) => self.merge_census(&files),
            None => Err(CliFailure::wrong("there is no part with a plan")),
        }
    }

    fn threads(&self) -> NonZero<usize> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        self.threads.unwrap_or_else(cores)
    }

    fn checked(&self, count: usize) {
        let seed = self.seed;
        note(format_args!(
            "{count} units done again, with equal results (seed {seed})"
        ));
    }

    /// Writes the result, and says whether more is to be printed.
    fn write(&self, path: &Path, result: &str) -> Result<bool, CliFailure> {
        output::to_file(path, |out| {
            let written = out.write_all(result.as_bytes());
            written.map_err(|error| CliFailure::io(path.display(), &error))
        })?;
        Ok(path != Path::new("-"))
    }

    fn merge_census(&self, files: &[PathBuf]) -> Result<(), CliFailure> {
        let mut merge = PartMerge::new();
        for file in files {
            merge.add(file).map_err(broken_part)?;
        }
        let Some(plan) = merge.plan() else {
            return Ok(());
        };
        if let Some(share) = self.check {
            self.check_census(plan, &merge, share)?;
        }
        told_missing(&merge.missing(), plan.units(), "census run", merge.faults())?;
        let totals = merge.totals();
        if let Some(path) = &self.out {
            if !self.write(path, &merge.result())? {
                return Ok(());
            }
            return output::line(format_args!(
                "{}: {} objects of {} kinds from {} soups in {} units",
                path.display(),
                totals.objects(),
                totals.tally.len(),
                totals.soups,
                plan.units(),
            ));
        }
        let text = object_table(&totals, TOP);
        output::to_stdout(|out| out.write_all(text.as_bytes()))?;
        hint("-o FILE keeps the result; `gridpaper census merge STORE PART...` makes a store");
        Ok(())
    }

    /// Counts some units again.
    fn check_census(
        &self,
        plan: &CensusPlan,
        merge: &PartMerge,
        share: CheckedShare,
    ) -> Result<(), CliFailure> {
        let identity = plan.identity();
        let settings = identity.settings().ok_or_else(|| {
            CliFailure::wrong(format_args!(
                "--check: the parts were counted by {}, and this program is {}",
                identity.version,
                batch::COUNTING_VERSION
            ))
        })?;
        let numbers = share.draw(&merge.units(), self.seed);
        let ranges: Vec<SoupRange> = numbers.iter().filter_map(|k| plan.unit(*k)).collect();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let mut keep = |report: &UnitReport, _| {
            let again = UnitPart::new(plan, report.clone());
            again.map_or(Ok(()), |again| Ok(merge.compare(&again)?))
        };
        let units = UnitPlan::new(ranges, plan.unit_length());
        let planned = units.soups();
        let counted = keep_units(
            BTreeSet::new(),
            units,
            self.threads(),
            &|| -> Box<dyn UnitWorker> { Box::new(SoupWorker::new(&settings)) },
            interrupts.flag(),
            &mut keep,
            &mut |progress| {
                let (soups, planned) = (progress.soups, progress.planned);
                lines.show(|_| format!("{soups} of {planned} soups counted again; Ctrl-C stops"));
            },
        );
        lines.clear();
        if counted.map_err(ended)? < planned {
            return Err(CliFailure::interrupted(
                "stopped before all units were counted again",
            ));
        }
        self.checked(numbers.len());
        Ok(())
    }

    fn merge_search(&self, files: &[PathBuf]) -> Result<(), CliFailure> {
        let mut merge = SearchMerge::new();
        for file in files {
            merge.add(file).map_err(broken_part)?;
        }
        let Some(plan) = merge.plan() else {
            return Ok(());
        };
        if let Some(share) = self.check {
            self.check_search(plan, &merge, share)?;
        }
        let missing = merge.missing();
        let units = merge.units().count() + missing.count();
        told_missing(&missing, units, "search run", merge.faults())?;
        let found = merge.found();
        if let Some(path) = &self.out {
            if !self.write(path, &merge.result())? {
                return Ok(());
            }
            let word = if found.len() == 1 {
                "pattern"
            } else {
                "patterns"
            };
            output::line(format_args!(
                "{}: {} {word} in {units} units",
                path.display(),
                found.len()
            ))?;
        } else {
            let rows = found.iter().map(|find| {
                let code = find.apgcode.as_deref();
                [
                    code.unwrap_or("-").to_string(),
                    find.population.to_string(),
                    code.and_then(object_name).unwrap_or_default().to_string(),
                ]
            });
            let head = ["code", "cells", "name"].map(str::to_string);
            let text = table::aligned([head].into_iter().chain(rows));
            output::to_stdout(|out| out.write_all(text.as_bytes()))?;
            hint("-o FILE keeps the result, with all cells");
        }
        if found.is_empty() {
            let message = format!("there is none: all {units} units were gone through");
            return Err(CliFailure::No {
                message,
                hint: None,
            });
        }
        Ok(())
    }

    /// Searches some units again.
    fn check_search(
        &self,
        plan: &SearchPlan,
        merge: &SearchMerge,
        share: CheckedShare,
    ) -> Result<(), CliFailure> {
        let numbers = share.draw(&merge.units(), self.seed);
        let interrupts = InterruptGuard::new();
        let failure = Mutex::new(None);
        let check = |place: usize| {
            let number = numbers[place];
            let failure = || failure.lock().unwrap_or_else(PoisonError::into_inner);
            let mut goes_on = || !interrupts.asked_to_stop() && failure().is_none();
            let refused = match plan.run(number, &mut goes_on) {
                Ok(None) => return,
                Ok(Some(result)) => merge.compare(number, &result).err().map(broken_part),
                Err(problem) => Some(CliFailure::wrong(format_args!("unit {number}: {problem}"))),
            };
            if let Some(refused) = refused {
                failure().get_or_insert(refused);
            }
        };
        run_jobs(self.threads(), numbers.len(), &check);
        if let Some(failure) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(failure);
        }
        if interrupts.asked_to_stop() {
            let message = "stopped before all units were searched again".into();
            return Err(CliFailure::Interrupted { message });
        }
        self.checked(numbers.len());
        Ok(())
    }
}

/// Files, and the parts of folders.
pub(super) fn part_paths(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CliFailure> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(part_files(path).map_err(broken_part)?),
            false => files.push(path.clone()),
        }
    }
    Ok(files)
}

/// Prints the units that are missing, and fails where there are some.
fn told_missing<'a>(
    missing: &UnitSet,
    units: u64,
    command: &str,
    faults: impl Iterator<Item = (u64, &'a str)>,
) -> Result<(), CliFailure> {
    if missing.is_empty() {
        return Ok(());
    }
    for (unit, problem) in faults {
        note(format_args!("unit {unit} could not be done: {problem}"));
    }
    output::line(missing)?;
    Err(CliFailure::No {
        message: format!("{} of {units} units are missing", missing.count()),
        hint: Some(format!(
            "`gridpaper {command}` with --units and these numbers does them"
        )),
    })
}
