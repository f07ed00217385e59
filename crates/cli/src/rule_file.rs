//! The option `--rules`: a folder of rule files that is searched first. The session crate knows
//! the other folders.

use crate::failure::CliFailure;
use clap::{Args, ValueHint};
use source::rule_file::{RuleFiles, RuleResolutionError};
use std::path::{Path, PathBuf};

/// The option that names a folder of rule files.
#[derive(Debug, Args)]
pub(crate) struct RuleFolder {
    /// Look for .rule and .gridrule files here first; then next to the pattern, and in your
    /// own folder, ~/.local/share/gridpaper/rules
    #[arg(long = "rules", value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    folder: Option<PathBuf>,
}

impl RuleFolder {
    /// The folder itself.
    pub(crate) fn folder(&self) -> Result<Option<&Path>, CliFailure> {
        match &self.folder {
            Some(folder) if !folder.is_dir() => Err(CliFailure::wrong(format_args!(
                "--rules {}: no such folder",
                folder.display()
            ))),
            folder => Ok(folder.as_deref()),
        }
    }

    /// The given files, preceded by those in this folder.
    pub(crate) fn before<'a>(&self, files: RuleFiles<'a>) -> Result<RuleFiles<'a>, CliFailure> {
        let Some(folder) = &self.folder else {
            return Ok(files);
        };
        files.first_in(folder).map_err(|e| match e {
            RuleResolutionError::NoFolder(_) => CliFailure::wrong(format_args!("--rules {e}")),
            other => other.into(),
        })
    }
}
