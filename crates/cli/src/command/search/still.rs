//! `gridpaper search still`: still lifes in a box.

use super::{BoxOptions, SearchOptions, SearchWords, sides};
use crate::argument::SizeArgument;
use crate::failure::CliFailure;
use clap::Args;

/// Find still lifes in a box, count them, or find the densest
#[derive(Debug, Args)]
pub(super) struct SearchStillArgs {
    /// The box: columns and rows
    #[arg(long, value_name = "WxH")]
    size: SizeArgument,

    #[command(flatten)]
    in_box: BoxOptions,

    #[command(flatten)]
    options: SearchOptions,
}

impl SearchStillArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let (width, height) = sides(self.size)?;
        let rule = self.options.rule()?;
        let symmetry = self.in_box.symmetry;
        let place = format!(
            "in a {width} x {height} box, {symmetry}, {rule}{}",
            self.in_box.bounds()
        );
        let question = self.in_box.question(rule, 1, (width, height));
        let words = SearchWords {
            kind: "still_life",
            question: format!("search still: {place}"),
            none: format!("no still life lies {place}"),
            size: (width, height),
        };
        self.options.search_periodic(vec![question], &words)
    }
}
