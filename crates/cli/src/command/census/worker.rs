//! A thread that counts the units of a census.

use batch::{SoupRange, UnitWorker};
use census::{CensusSettings, CensusUnitRunner, UnitReport};

/// Counts units by running their soups.
pub(super) struct SoupWorker {
    /// The runner, or why there is none.
    runner: Result<CensusUnitRunner, String>,
}

impl SoupWorker {
    pub(super) fn new(settings: &CensusSettings) -> Self {
        let runner = CensusUnitRunner::new(settings.clone());
        Self {
            runner: runner.map_err(|error| error.to_string()),
        }
    }
}

impl UnitWorker for SoupWorker {
    fn count(
        &mut self,
        range: SoupRange,
        on_soups: &mut dyn FnMut(u64),
    ) -> Result<UnitReport, String> {
        let runner = self.runner.as_mut().map_err(|error| error.clone())?;
        let report = runner.run(range.first, range.soups, &mut |_| {
            on_soups(1);
            true
        });
        report.ok_or_else(|| "it was stopped".into())
    }
}
