//! `gridpaper census run --out`: appends the units of a share to a part.

use super::{CensusRunArgs, probe, progress_line};
use crate::command::census::{broken_part, ended};
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use batch::{
    CensusIdentity, CensusPlan, CensusRunError, SoupRange, UnitPart, UnitPlan, UnitWorker,
    keep_units,
};
use census::{CensusSettings, UnitReport};
use models::census_run::SoupWorker;
use parts::{PartFile, UnitIndex, UnitSet, UnitShard, part_name};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

impl CensusRunArgs {
    pub(super) fn run_parts(
        &self,
        folder: &Path,
        settings: &CensusSettings,
        range: SoupRange,
        unit: u64,
    ) -> Result<(), CliFailure> {
        let identity = CensusIdentity::of(settings);
        if identity.settings().as_ref() != Some(settings) {
            return Err(CliFailure::wrong(format_args!(
                "--out: other machines cannot know the rule `{}` by its name alone",
                identity.rule
            )));
        }
        let plan = CensusPlan::new(identity, range, unit);
        let all = UnitSet::new(vec![(0, u64::MAX)]);
        let wanted = self.units.as_ref().unwrap_or(&all);
        if let Some((_, last)) = self.units.as_ref().and_then(|units| units.runs().last())
            && *last >= plan.units()
        {
            return Err(CliFailure::wrong(format_args!(
                "--units {wanted}: the census has {} units, from 0 on",
                plan.units()
            )));
        }
        std::fs::create_dir_all(folder)
            .map_err(|error| CliFailure::io(folder.display(), &error))?;
        let shard = self.shard.unwrap_or(UnitShard::WHOLE);
        let path = folder.join(part_name(shard, self.units.as_ref()));
        if !path.exists() {
            probe(settings, range)?;
        }
        let mut file = PartFile::open(&path, &plan).map_err(broken_part)?;
        let finished = UnitIndex::of_folder(folder, &plan).map_err(broken_part)?;
        let ranges = finished.units().missing(plan.units());
        let ranges = ranges.runs().iter().flat_map(|&run| overlap(wanted, run));
        let ranges = ranges.filter_map(|run| soups_of(&plan, run)).collect();
        let units = UnitPlan::new(ranges, unit).of_shard(shard);
        let planned = units.soups();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let (mut written, mut seconds) = (0_u64, 0.0);
        let mut keep = |report: &UnitReport, _| {
            let range = SoupRange::new(report.first, report.soups);
            let part = UnitPart::new(&plan, report.clone()).ok_or(CensusRunError::Unit {
                range,
                problem: "it is no unit of the plan".into(),
            })?;
            file.append(part.line())?;
            written += 1;
            Ok(())
        };
        let counted = keep_units(
            BTreeSet::new(),
            units,
            self.threads(),
            &|| -> Box<dyn UnitWorker> { Box::new(SoupWorker::new(settings)) },
            interrupts.flag(),
            &mut keep,
            &mut |progress| {
                seconds = progress.elapsed.as_secs_f64();
                lines.show(|_| progress_line(progress));
            },
        );
        lines.clear();
        let counted = counted.map_err(ended)?;
        if interrupts.asked_to_stop() && counted < planned {
            return Err(CliFailure::interrupted(format_args!(
                "stopped after {counted} of {planned} soups; the same command goes on"
            )));
        }
        if planned == 0 {
            note("the parts have all of these soups");
        }
        if self.json {
            return output::line(json!({
                "part": path.to_string_lossy(),
                "units": written,
                "soups": counted,
                "seconds": seconds,
            }));
        }
        let word = if written == 1 { "unit" } else { "units" };
        let pace = counted as f64 / f64::max(seconds, 1e-9);
        if counted > 0 {
            note(format_args!(
                "{counted} soups in {seconds:.1} s, {pace:.0} a second"
            ));
        }
        output::line(format_args!("{}: {written} new {word}", path.display()))
    }
}

/// What a run of numbers and a set have in common.
fn overlap(set: &UnitSet, (first, last): (u64, u64)) -> Vec<(u64, u64)> {
    let both = set
        .runs()
        .iter()
        .map(|run| (run.0.max(first), run.1.min(last)));
    both.filter(|run| run.0 <= run.1).collect()
}

/// The soups of neighbouring units.
fn soups_of(plan: &CensusPlan, (first, last): (u64, u64)) -> Option<SoupRange> {
    let (first, last) = (plan.unit(first)?, plan.unit(last)?);
    Some(SoupRange::new(first.first, last.end() - first.first))
}
