//! `gridpaper search still`: still lifes in a box.

use super::{BoxOptions, SearchOptions, SearchWords, SymmetryOption, refused, sides};
use crate::argument::SizeArgument;
use crate::failure::CliFailure;
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use clap::Args;
use search::{
    BlockRule, BoxSymmetry, PeriodicQuestion, PopulationLimits, SearchFlow, StillLifeCountError,
    count_still_lifes, densest_still_life,
};
use std::time::Instant;

/// Find still lifes in a box, count them, or find the densest
#[derive(Debug, Args)]
pub(super) struct SearchStillArgs {
    /// The box: columns and rows
    #[arg(long, value_name = "WxH")]
    size: SizeArgument,

    /// Count the still lifes as they lie in the box, the empty one too; images count separately
    #[arg(long, conflicts_with = "all")]
    count: bool,

    /// Find the most live cells that a still life in the box has
    #[arg(long, conflicts_with_all = ["all", "count"])]
    densest: bool,

    #[command(flatten)]
    symmetry: SymmetryOption,

    #[command(flatten)]
    in_box: BoxOptions,

    #[command(flatten)]
    options: SearchOptions,
}

impl SearchStillArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let (width, height) = sides(self.size)?;
        let rule = self.options.rule()?;
        let symmetry = self.symmetry.symmetry;
        let place = format!(
            "in a {width} x {height} box, {symmetry}, {rule}{}",
            self.in_box.bounds()
        );
        let question =
            self.in_box
                .question(rule.clone(), 1, (width, height), self.symmetry.symmetry);
        if self.count || self.densest {
            return self.sweep(&question, &place);
        }
        let words = SearchWords {
            kind: "still_life",
            question: format!("search still: {place}"),
            none: format!("no still life lies {place}"),
            size: (width, height),
            rule: rule.clone(),
            keeps_place: false,
        };
        self.options.search_periodic(vec![question], &words)
    }

    /// Counts, or finds the densest, row by row.
    fn sweep(&self, question: &PeriodicQuestion, place: &str) -> Result<(), CliFailure> {
        let is_plain = question.symmetry == BoxSymmetry::C1
            && question.population == PopulationLimits::default()
            && question.diagonal_width.is_none();
        if !is_plain {
            let message = "--count and --densest are of all still lifes in the box";
            let hint = "leave out --symmetry, --min-cells, --max-cells and --diagonal-width";
            return Err(CliFailure::wrong(message).with_hint(hint.to_owned()));
        }
        let rule = BlockRule::new(&question.rule).map_err(|error| refused(error.into()))?;
        let begun = Instant::now();
        let interrupts = InterruptGuard::new();
        let mut lines = LiveTerminalLines::new();
        let is_late = || {
            self.options
                .time
                .is_some_and(|time| begun.elapsed() >= time)
        };
        let (width, height) = (question.width, question.height);
        let mut control = |row: u32, rows: u32| {
            lines.show(|_| format!("row {row} of {rows}"));
            let goes_on = !interrupts.asked_to_stop() && !is_late();
            if goes_on {
                SearchFlow::Continue
            } else {
                SearchFlow::Stop
            }
        };
        let number = if self.count {
            count_still_lifes(&rule, width, height, &mut control).map(|count| count.to_string())
        } else {
            densest_still_life(&rule, width, height, &mut control).map(|cells| cells.to_string())
        };
        lines.clear();
        let number = match number {
            Ok(number) => number,
            Err(StillLifeCountError::Stopped) if interrupts.asked_to_stop() => {
                let message = "stopped before the last row".into();
                return Err(CliFailure::Interrupted { message });
            }
            Err(StillLifeCountError::Stopped) => {
                let message = "stopped by --time before the last row".into();
                return Err(CliFailure::Limit { message });
            }
            Err(error) => return Err(CliFailure::wrong(error)),
        };
        if self.options.json {
            let what = if self.count { "count" } else { "densest" };
            return output::line(format_args!("{{\"{what}\":{number},\"complete\":true}}"));
        }
        let place = place.trim_start_matches("in ");
        output::line(match self.count {
            true => format!("{number} still lifes lie in {place}, the empty one among them"),
            false => format!("the densest still life in {place} has {number} cells"),
        })
    }
}
