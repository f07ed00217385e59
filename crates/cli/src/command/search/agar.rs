//! `gridpaper search agar`: periodic patterns that tile the plane.

use super::{SearchOptions, SearchWords, refused};
use crate::failure::CliFailure;
use clap::Args;
use search::{AgarCase, AgarQuestion, PopulationLimits, SearchCase};
use std::str::FromStr;

/// Find patterns that repeat on a torus, and so tile the plane
#[derive(Debug, Args)]
pub(super) struct SearchAgarArgs {
    /// The period, in generations
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    period: u32,

    /// The torus: columns and rows, and by how many columns the copy below is moved
    #[arg(long, value_name = "WxH[+S]")]
    torus: TorusArgument,

    /// Take patterns that repeat earlier, too
    #[arg(long)]
    subperiod: bool,

    /// At least so many live cells on the torus, in every generation
    #[arg(long, value_name = "K")]
    min_cells: Option<u32>,

    /// At most so many live cells, in the generation that has fewest
    #[arg(long, value_name = "K")]
    max_cells: Option<u32>,

    #[command(flatten)]
    options: SearchOptions,
}

/// `4x4`, or `4x3+1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct TorusArgument {
    width: u32,
    height: u32,
    shift: i64,
}

impl FromStr for TorusArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = || {
            let (size, shift) = text.split_once('+').unwrap_or((text, "0"));
            let (width, height) = size.split_once('x')?;
            let side = |text: &str| text.parse::<u32>().ok().filter(|&side| side > 0);
            let shift = shift.parse::<u32>().ok()?;
            Some(Self {
                width: side(width)?,
                height: side(height)?,
                shift: shift.into(),
            })
        };
        parts().ok_or_else(|| "expected columns and rows such as 4x4, or 4x3+1".to_owned())
    }
}

impl SearchAgarArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let rule = self.options.rule()?;
        let TorusArgument {
            width,
            height,
            shift,
        } = self.torus;
        let question = AgarQuestion {
            shift,
            subperiod: self.subperiod,
            population: PopulationLimits {
                least: self.min_cells,
                most: self.max_cells,
            },
            ..AgarQuestion::new(rule.clone(), self.period, width, height)
        };
        let case = AgarCase::new(question).map_err(refused)?;
        let shift = if shift == 0 {
            String::new()
        } else {
            format!(", shifted by {shift}")
        };
        let part = if self.subperiod {
            " or a part of it"
        } else {
            ""
        };
        let bounds = super::cell_bounds(self.min_cells, self.max_cells);
        let place = format!(
            "period {}{part} on a {width} x {height} torus{shift}, {rule}{bounds}",
            self.period
        );
        let words = SearchWords {
            kind: "agar",
            question: format!("search agar: {place}"),
            none: format!("no agar of {place}"),
            size: (width, height),
            rule: case.rule(),
            keeps_place: true,
        };
        let cases = || vec![Box::new(case.clone()) as Box<dyn SearchCase>];
        self.options.search(&cases, &words)
    }
}
