//! `gridpaper census check`: counts some units of a store again.

use super::{broken, ended, open};
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use batch::{CensusStore, SoupRange, StoredCensus, UnitWorker};
use clap::{Args, ValueHint};
use dice::Dice;
use models::census_run::SoupWorker;
use std::path::PathBuf;

/// Count some units of a store again, and compare
#[derive(Debug, Args)]
pub(super) struct CensusCheckArgs {
    /// The store
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    store: PathBuf,

    /// How many units to count again
    #[arg(
        long,
        value_name = "K",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    units: usize,

    /// Which units are drawn: the same seed draws the same ones
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
}

impl CensusCheckArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let store = open(&self.store)?;
        // the totals are checked against the units on the way
        store.totals().map_err(broken)?;
        let mut units = units(&store)?;
        if units.is_empty() {
            let message = format!(
                "{}: it has no unit that this program has counted",
                self.store.display()
            );
            return Err(CliFailure::wrong(message));
        }
        Dice::new(self.seed).shuffle(&mut units);
        units.truncate(self.units);
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        for (i, (census, range)) in units.iter().enumerate() {
            let (root, all) = (&census.identity.root, units.len());
            lines.show(|_| format!("unit {} of {all}: {range} of {root}", i + 1));
            if interrupts.asked_to_stop() {
                lines.clear();
                return Err(CliFailure::interrupted(format_args!(
                    "stopped after {i} of {all} units, all as they are stored"
                )));
            }
            let is_equal = recount(&store, census, *range)?;
            if !is_equal {
                lines.clear();
                return Err(CliFailure::No {
                    message: format!("{range} of {root} give another result than the stored one"),
                    hint: None,
                });
            }
        }
        lines.clear();
        note(format_args!("seed {}", self.seed));
        output::line(format_args!("{} units: as they are stored", units.len()))
    }
}

/// The units that this program can count again.
fn units(store: &CensusStore) -> Result<Vec<(StoredCensus, SoupRange)>, CliFailure> {
    let mut all = Vec::new();
    for census in store.censuses().map_err(broken)? {
        if census.identity.settings().is_none() {
            continue;
        }
        for unit in store.units(census.id).map_err(broken)? {
            all.push((census.clone(), unit.range));
        }
    }
    Ok(all)
}

/// Counts a unit again and compares it with the stored one.
fn recount(
    store: &CensusStore,
    census: &StoredCensus,
    range: SoupRange,
) -> Result<bool, CliFailure> {
    let Some(settings) = census.identity.settings() else {
        return Ok(true);
    };
    let counted = SoupWorker::new(&settings).count(range, &mut |_| ());
    let problem = |problem| ended(batch::CensusRunError::Unit { range, problem });
    let report = counted.map_err(problem)?;
    store.has_result(census.id, &report).map_err(broken)
}
