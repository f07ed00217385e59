//! `gridpaper census report`: a store as a page.

use super::{broken, open};
use crate::failure::{CliFailure, note};
use crate::output;
use batch::report::{CensusReport, html};
use clap::{Args, ValueHint};
use std::path::{Path, PathBuf};

/// Write a page of all results: pictures, rarities, long lives
#[derive(Debug, Args)]
pub(super) struct CensusReportArgs {
    /// The store
    #[arg(value_name = "STORE", value_hint = ValueHint::FilePath)]
    store: PathBuf,

    /// The page to write, or - for standard output
    #[arg(long, value_name = "OUT.html")]
    html: PathBuf,
}

impl CensusReportArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        output::check_place(&self.html)?;
        let store = open(&self.store)?;
        let report = CensusReport::from_store(&store).map_err(broken)?;
        let report = report.with_exact_lifespans(&store).map_err(broken)?;
        let page = html(&report);
        output::to_file(&self.html, |out| {
            let written = out.write_all(page.as_bytes());
            written.map_err(|error| CliFailure::io(self.html.display(), &error))
        })?;
        if self.html != Path::new("-") {
            note(format_args!("the report is {}", self.html.display()));
        }
        Ok(())
    }
}
