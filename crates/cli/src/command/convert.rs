//! `gridpaper convert`: from any format into any other, and nothing dropped in silence.

use crate::destination::Destination;
use crate::failure::Failure;
use crate::source;
use clap::Args;
use std::path::PathBuf;

/// Write a pattern in another format
#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text
    #[arg(value_name = "IN")]
    input: String,

    /// The file to write, or - for standard output
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The format, when the file's ending does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,

    /// Write this rule instead of the one the pattern names
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
}

impl Convert {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let destination = Destination::new(&self.out, self.format.as_deref())?;
        let mut pattern = source::open(&self.input)?.pattern;
        if let Some(text) = &self.rule {
            pattern.rule = Some(source::parse_rule(text, "--rule")?.to_string());
        }
        destination.write(&pattern)
    }
}
