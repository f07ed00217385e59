//! `gridpaper census merge`: adds the units of stores and hauls.

use super::{broken, ended, open};
use crate::failure::{CliFailure, note};
use crate::input;
use crate::output;
use crate::rule_file::RuleFolder;
use batch::{CensusStore, merge_haul, merge_part, merge_store};
use census::haul::Haul;
use clap::{Args, ValueHint};
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Merge stores, parts and hauls; a unit that is in several of them is counted once
#[derive(Debug, Args)]
pub(super) struct CensusMergeArgs {
    /// The store to add to, which is made where it is missing
    #[arg(value_name = "OUT", value_hint = ValueHint::FilePath)]
    out: PathBuf,

    /// Stores, parts (FILE.gpart), and hauls as text
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::FilePath)]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    folder: RuleFolder,
}

impl CensusMergeArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        output::check_place(&self.out)?;
        // a misspelt name is told before anything is made
        for path in &self.inputs {
            File::open(path).map_err(|error| CliFailure::io(path.display(), &error))?;
        }
        let is_new = !self.out.exists();
        let mut out = CensusStore::open_or_create(&self.out).map_err(broken)?;
        let merged = self.add_all(&mut out);
        if merged.is_err() && is_new && out.totals().is_ok_and(|totals| totals.soups == 0) {
            // nothing was added: no store is left that says so
            drop(out);
            for ending in ["", "-wal", "-shm"] {
                let mut path = self.out.clone().into_os_string();
                path.push(ending);
                let _ = std::fs::remove_file(path);
            }
            return merged;
        }
        merged?;
        let totals = out.totals().map_err(broken)?;
        output::line(format_args!(
            "{}: {} objects of {} kinds from {} soups",
            self.out.display(),
            totals.objects(),
            totals.tally.len(),
            totals.soups
        ))
    }

    fn add_all(&self, out: &mut CensusStore) -> Result<(), CliFailure> {
        for path in &self.inputs {
            let is_part = path.extension().is_some_and(|end| end == "gpart");
            let added = match is_database(path)? {
                true => merge_store(out, &open(path)?).map_err(broken)?,
                false if is_part => merge_part(out, path).map_err(ended)?,
                false => usize::from(merge_haul(out, &self.read_haul(path)?).map_err(broken)?),
            };
            let units = if added == 1 { "unit" } else { "units" };
            note(format_args!("{}: {added} new {units}", path.display()));
        }
        Ok(())
    }

    fn read_haul(&self, path: &Path) -> Result<Haul, CliFailure> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| CliFailure::io(path.display(), &error))?;
        let haul = text.parse::<Haul>();
        let haul =
            haul.map_err(|error| CliFailure::wrong(format_args!("{}: {error}", path.display())))?;
        let place = format!("{}: @RULE", path.display());
        input::parse_rule(&haul.rule, &place, &self.folder)?;
        Ok(haul)
    }
}

/// Whether a file is an SQLite database, by its first bytes.
fn is_database(path: &Path) -> Result<bool, CliFailure> {
    let failed = |error| CliFailure::io(path.display(), &error);
    let mut head = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(16).read_to_end(&mut head).map_err(failed)?;
    Ok(head.starts_with(b"SQLite format 3"))
}
