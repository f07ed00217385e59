//! `gridpaper convert`: from any format into any other, and nothing dropped in silence.

use crate::destination::Destination;
use crate::failure::CliFailure;
use crate::input;
use crate::rule_file::RuleFolder;
use clap::{Args, ValueHint};
use source::rule_file::RuleFiles;
use std::ffi::OsString;
use std::path::PathBuf;

/// Write a pattern in another format
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text
    #[arg(value_name = "IN", value_hint = ValueHint::FilePath)]
    input: OsString,

    /// The file to write, or - for standard output
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The format, when the file's ending does not tell: rle, plaintext, classroom, life105,
    /// life106 or macrocell; mcell and apgcode are read only
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,

    /// Write this rule instead of the one the pattern names
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,

    #[command(flatten)]
    folder: RuleFolder,
}

impl ConvertArgs {
    pub(crate) fn run(self) -> Result<(), CliFailure> {
        let destination = Destination::new(&self.out, self.format.as_deref())?;
        let mut source = input::open(&self.input)?;
        if let Some(text) = &self.rule {
            let files = self.folder.before(RuleFiles::of(&source).for_typed())?;
            source.pattern.rule = Some(files.read(text, "--rule")?.to_string());
        }
        destination.write(&source.pattern)
    }
}
