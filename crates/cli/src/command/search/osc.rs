//! `gridpaper search osc`: oscillators of a period in a box.

use super::{BoxOptions, SearchOptions, SearchWords, SymmetryOption, sides, transform};
use crate::argument::SizeArgument;
use crate::failure::CliFailure;
use clap::Args;
use grid::Symmetry;
use search::{PeriodicQuestion, transform_name};

/// Find oscillators of an exact period in a box, or prove that there is none
#[derive(Debug, Args)]
pub(super) struct SearchOscArgs {
    /// The period, in generations
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..))]
    period: u32,

    /// The box: columns and rows
    #[arg(long, value_name = "WxH")]
    size: SizeArgument,

    /// Repeat turned or mirrored after --period generations, which then is the mod: R90, R180,
    /// R270, F|, F-, F\ or F/
    #[arg(long, value_name = "T", default_value = "Id", value_parser = transform)]
    transform: Symmetry,

    /// Take oscillators that repeat earlier, too
    #[arg(long)]
    subperiod: bool,

    /// Count them: each image and each phase for itself, and with --subperiod the empty box too
    #[arg(long, conflicts_with_all = ["all", "limit", "max_cells", "cubes"])]
    count: bool,

    #[command(flatten)]
    symmetry: SymmetryOption,

    #[command(flatten)]
    in_box: BoxOptions,

    #[command(flatten)]
    options: SearchOptions,
}

impl SearchOscArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let (width, height) = sides(self.size)?;
        let rule = self.options.rule()?;
        let Self {
            period, transform, ..
        } = self;
        let mut words = format!("period {period}");
        if transform != Symmetry::Identity {
            words += &format!(" with {}", transform_name(transform));
        }
        let symmetry = self.symmetry.symmetry;
        let place = format!(
            "{words} in a {width} x {height} box, {symmetry}, {rule}{}",
            self.in_box.bounds()
        );
        let question = PeriodicQuestion {
            transform,
            subperiod: self.subperiod,
            ..self.in_box.question(
                rule.clone(),
                period,
                (width, height),
                self.symmetry.symmetry,
            )
        };
        let subperiod = if self.subperiod {
            " or a part of it"
        } else {
            ""
        };
        if self.count {
            let question = PeriodicQuestion {
                empty: period == 1 || self.subperiod,
                ..question
            };
            let place = format!("oscillators of {place}{subperiod}");
            return self.options.count_periodic(vec![question], &place);
        }
        let words = SearchWords {
            kind: if period == 1 {
                "still_life"
            } else {
                "oscillator"
            },
            question: format!("search osc: {place}{subperiod}"),
            none: format!("no oscillator of {place}{subperiod}"),
            size: (width, height),
            rule: rule.clone(),
            keeps_place: false,
        };
        self.options.search_periodic(vec![question], &words)
    }
}
