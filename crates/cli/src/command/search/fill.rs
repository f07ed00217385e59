//! `gridpaper search fill`: patterns that are known in part.

use super::{BoxOptions, SearchOptions, SearchWords, SymmetryOption, refused};
use crate::failure::CliFailure;
use clap::{Args, ValueHint};
use rule::Rule;
use search::{BlockRule, FillPattern, HistoryCase, PeriodicQuestion, SearchCase, Velocity};
use std::path::PathBuf;

/// Find a pattern of which some cells are known
///
/// FILE is run-length encoded: . or b is dead, o is live, ? is free; $ ends a row and ! a
/// generation. With --period or --velocity the pattern repeats, and the generations drawn are its
/// first ones; else it goes through the generations that are drawn, two or more.
#[derive(Debug, Args)]
pub(super) struct SearchFillArgs {
    /// The drawing
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Repeat after this number of generations
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..))]
    period: Option<u32>,

    /// Move at this velocity
    #[arg(long, value_name = "V", conflicts_with = "period")]
    velocity: Option<Velocity>,

    #[command(flatten)]
    symmetry: SymmetryOption,

    #[command(flatten)]
    in_box: BoxOptions,

    #[command(flatten)]
    options: SearchOptions,
}

impl SearchFillArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let name = self.file.display();
        let text = std::fs::read(&self.file).map_err(|error| CliFailure::io(&name, &error))?;
        let text = String::from_utf8(text)
            .map_err(|_| CliFailure::wrong(format_args!("{name}: no text")))?;
        let wrong = |error: search::FillError| CliFailure::wrong(format_args!("{name}: {error}"));
        // the rule is in the text, and how many states it may draw is the rule's to say
        let drawn = FillPattern::parse(&text, 256).map_err(wrong)?;
        let rule = match (self.options.given_rule(), drawn.rule()) {
            (None, Some(text)) => text
                .parse::<Rule>()
                .map_err(|error| CliFailure::wrong(format_args!("{name}: {error}")))?,
            _ => self.options.rule()?,
        };
        let table = BlockRule::new(&rule).map_err(|error| refused(error.into()))?;
        let drawing = FillPattern::parse(&text, table.states()).map_err(wrong)?;
        let (width, height) = (drawing.width(), drawing.height());
        let bounds = self.in_box.bounds();
        let words = |what: &str| SearchWords {
            kind: "fill",
            question: format!("search fill: {name}, {what}, {rule}{bounds}"),
            none: format!("no pattern fits {name}, {what}, {rule}{bounds}"),
            size: (width, height),
            rule: rule.clone(),
            keeps_place: true,
        };
        let (period, ways) = match (self.period, self.velocity) {
            (Some(period), _) => (period, vec![(0, 0)]),
            (None, Some(velocity)) => (
                velocity.period,
                velocity.all_directions(self.symmetry.symmetry),
            ),
            (None, None) => {
                let case = HistoryCase::of_drawing(&drawing, &rule).map_err(wrong)?;
                let cases = || vec![Box::new(case.clone()) as Box<dyn SearchCase>];
                return self.options.search(&cases, &words("as drawn"));
            }
        };
        let questions = ways.into_iter().map(|(dx, dy)| PeriodicQuestion {
            fixed: drawing.fixed_cells(),
            subperiod: true,
            empty: true,
            ..self
                .in_box
                .question(
                    rule.clone(),
                    period,
                    (width, height),
                    self.symmetry.symmetry,
                )
                .moving(dx, dy)
        });
        let what = match self.velocity {
            Some(velocity) => velocity.to_string(),
            None => format!("period {period}"),
        };
        self.options
            .search_periodic(questions.collect(), &words(&what))
    }
}
