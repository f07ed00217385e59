//! `gridpaper census soup`: one soup as a pattern.

use crate::destination::Destination;
use crate::failure::CliFailure;
use crate::input;
use crate::rule_file::RuleFolder;
use census::soup::hash_soup;
use census::{CensusError, HashSoupSymmetry};
use clap::Args;
use pattern::{Bounds, Pattern};
use source::DEFAULT_RULE;
use std::path::PathBuf;

/// Write one soup as a pattern
#[derive(Debug, Args)]
pub(super) struct CensusSoupArgs {
    /// The root of the soups
    #[arg(value_name = "ROOT")]
    root: String,

    /// The number of the soup
    #[arg(value_name = "INDEX", allow_negative_numbers = true)]
    index: u64,

    /// How the cells of a soup are made
    #[arg(long, value_name = "S", default_value = "C1")]
    symmetry: HashSoupSymmetry,

    /// The rule to write into the file
    #[arg(long, value_name = "RULE", default_value = DEFAULT_RULE)]
    rule: String,

    #[command(flatten)]
    folder: RuleFolder,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,

    /// The format, when the file's ending does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
}

impl CensusSoupArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let destination = Destination::new(&self.out, self.format.as_deref())?;
        let rule = input::parse_rule(&self.rule, "--rule", &self.folder)?;
        if self.symmetry.is_given() {
            return Err(CliFailure::wrong(CensusError::Given(
                self.symmetry.to_string(),
            )));
        }
        let seed = format!("{}{}", self.root, self.index);
        let cells = hash_soup(&self.symmetry, &seed);
        let corner = cells.bounds().as_ref().and_then(Bounds::to_rect);
        let (x, y) = corner.map_or((0, 0), |corner| (corner.x, corner.y));
        destination.write(&Pattern {
            cells: cells.translated(-x, -y),
            rule: Some(rule.to_string()),
            name: Some(format!("{}/{seed}", self.symmetry)),
            ..Pattern::default()
        })
    }
}
