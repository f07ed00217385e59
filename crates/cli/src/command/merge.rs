//! `gridpaper merge`: adds the parts of a census that several processes have counted.

use super::census::{broken_part, ended, object_table};
use crate::failure::{CliFailure, hint, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use batch::{PartMerge, SoupRange, UnitPart, UnitPlan, UnitWorker, keep_units, part_files};
use census::UnitReport;
use clap::{Args, ValueHint};
use dice::Dice;
use models::census_run::SoupWorker;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Add the parts of a census that several processes or machines have counted
///
/// A unit that is in several parts is compared and counted once. The result does not depend on
/// how the units were shared out. Where some are missing, they are printed in the form that
/// `census run --units` takes, and the exit code is 1.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Parts as `census run --out` writes them, or folders of them
    #[arg(value_name = "PART", required = true, value_hint = ValueHint::AnyPath)]
    parts: Vec<PathBuf>,

    /// Write the result to this file, as JSON: the same bytes for the same census
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,

    /// Count this share of the units again, such as 1%, and compare
    #[arg(long, value_name = "P%")]
    check: Option<CheckedShare>,

    /// Which units are counted again: the same seed draws the same ones
    #[arg(long, value_name = "S", default_value_t = 0, requires = "check")]
    seed: u64,

    /// How many threads count again, all cores without it
    #[arg(long, value_name = "T", requires = "check")]
    threads: Option<NonZero<usize>>,
}

/// How many objects are printed.
const TOP: usize = 20;

/// A share in percent.
#[derive(Clone, Copy, Debug)]
struct CheckedShare(f64);

impl FromStr for CheckedShare {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let number = text.strip_suffix('%').and_then(|text| text.parse().ok());
        match number {
            Some(percent) if percent > 0.0 && percent <= 100.0 => Ok(Self(percent)),
            _ => Err("expected a share of the units, such as 1% or 0.5%"),
        }
    }
}

impl MergeArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        if let Some(path) = &self.out {
            output::check_place(path)?;
        }
        let mut merge = PartMerge::new();
        for path in &self.parts {
            let files = match path.is_dir() {
                true => part_files(path).map_err(broken_part)?,
                false => vec![path.clone()],
            };
            for file in files {
                merge.add(&file).map_err(broken_part)?;
            }
        }
        let Some(plan) = merge.plan() else {
            return Err(CliFailure::wrong("there is no part with a plan"));
        };
        if let Some(share) = self.check {
            self.check(&merge, share)?;
        }
        let missing = merge.missing();
        if !missing.is_empty() {
            for (unit, problem) in merge.faults() {
                note(format_args!("unit {unit} could not be counted: {problem}"));
            }
            output::line(&missing)?;
            return Err(CliFailure::No {
                message: format!("{} of {} units are missing", missing.count(), plan.units()),
                hint: Some(
                    "`gridpaper census run` with --units and these numbers counts them".into(),
                ),
            });
        }
        let totals = merge.totals();
        if let Some(path) = &self.out {
            output::to_file(path, |out| {
                let written = out.write_all(merge.result().as_bytes());
                written.map_err(|error| CliFailure::io(path.display(), &error))
            })?;
            if path == Path::new("-") {
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
    fn check(&self, merge: &PartMerge, share: CheckedShare) -> Result<(), CliFailure> {
        let Some(plan) = merge.plan() else {
            return Ok(());
        };
        let identity = plan.identity();
        let settings = identity.settings().ok_or_else(|| {
            CliFailure::wrong(format_args!(
                "--check: the parts were counted by {}, and this program is {}",
                identity.version,
                batch::COUNTING_VERSION
            ))
        })?;
        let units = merge.units();
        let runs = units.runs().iter().flat_map(|&(first, last)| first..=last);
        let mut numbers: Vec<u64> = runs.collect();
        Dice::new(self.seed).shuffle(&mut numbers);
        let wanted = (numbers.len() as f64 * share.0 / 100.0).ceil() as usize;
        numbers.truncate(wanted);
        numbers.sort_unstable();
        let ranges: Vec<SoupRange> = numbers.iter().filter_map(|k| plan.unit(*k)).collect();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let mut keep = |report: &UnitReport, _| {
            let again = UnitPart::new(plan, report.clone());
            again.map_or(Ok(()), |again| Ok(merge.compare(&again)?))
        };
        let units = UnitPlan::new(ranges, plan.unit_length());
        let planned = units.soups();
        let counted = keep_units(
            BTreeSet::new(),
            units,
            self.threads.unwrap_or_else(cores),
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
            let message = "stopped before all units were counted again".into();
            return Err(CliFailure::Interrupted { message });
        }
        note(format_args!(
            "{} units counted again, with equal results (seed {})",
            numbers.len(),
            self.seed
        ));
        Ok(())
    }
}
