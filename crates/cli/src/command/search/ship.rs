//! `gridpaper search ship`: spaceships of a velocity in a box.

use super::rows::RowShip;
use super::{BoxOptions, SearchOptions, SearchWords, refused, sides, transform};
use crate::argument::SizeArgument;
use crate::failure::CliFailure;
use clap::Args;
use grid::Symmetry;
use search::{BlockRule, BoxSymmetry, PeriodicQuestion, Velocity, transform_name};

/// Find spaceships of a velocity in a box, or prove that there is none
///
/// A velocity c/3 or 2c/5 may go along either side of the box; a pair such as (0,1)c/3 says
/// which.
#[derive(Debug, Args)]
pub(super) struct SearchShipArgs {
    /// The velocity: c/3, 2c/5, "c/4 diagonal" or (1,2)c/6: columns, rows and the period
    #[arg(long, value_name = "V")]
    velocity: Velocity,

    /// The period, where it is given beside a velocity
    #[arg(long, value_name = "P")]
    period: Option<u32>,

    /// The box: columns and rows
    #[arg(long, value_name = "WxH", required_unless_present = "width")]
    size: Option<SizeArgument>,

    /// Any height, and so many columns: the search goes row by row, and the ship moves along its
    /// columns. With a symmetry, so many columns on each side of the axis, one on it among them
    #[arg(long, value_name = "W", conflicts_with_all = ["size", "transform", "min_cells", "max_cells", "diagonal_width"])]
    width: Option<u32>,

    /// With --width: search behind each ship, too, for what it can pull along. Without this the search
    /// goes no further where a ship can end, so none that is found begins with the rows of another;
    /// of ships that end in the same rows one is found
    #[arg(long, requires = "width", conflicts_with = "size")]
    tagalongs: bool,

    /// The symmetry of the pattern: C1, D2|, D2-, D2\ or D2/. Whether an axis runs through cells
    /// or between them follows from the box: odd sides have a middle cell. With --width: none, odd,
    /// even or gutter
    #[arg(long, value_name = "S")]
    symmetry: Option<String>,

    /// Repeat mirrored after the period: F|, F-, F\ or F/
    #[arg(long, value_name = "T", default_value = "Id", value_parser = transform)]
    transform: Symmetry,

    /// Count those in the box: each image, each direction and each phase for itself
    #[arg(long, conflicts_with_all = ["all", "limit", "max_cells", "width", "cubes"])]
    count: bool,

    #[command(flatten)]
    in_box: BoxOptions,

    #[command(flatten)]
    options: SearchOptions,
}

impl SearchShipArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let rule = self.options.rule()?;
        let velocity = self.velocity;
        if let Some(period) = self.period.filter(|&period| period != velocity.period) {
            let message = format!("--period {period} is not the period of --velocity {velocity}");
            return Err(CliFailure::wrong(message));
        }
        if let Some(width) = self.width {
            let symmetry = self.symmetry.as_deref().unwrap_or("none").parse();
            let symmetry =
                symmetry.map_err(|error| CliFailure::wrong(format_args!("--symmetry: {error}")))?;
            return RowShip {
                rule,
                velocity,
                width,
                symmetry,
                tagalongs: self.tagalongs,
            }
            .search(&self.options);
        }
        // clap asks for one of the two
        let (width, height) = sides(self.size.unwrap_or(SizeArgument {
            width: 1,
            height: 1,
        }))?;
        let symmetry: BoxSymmetry = match &self.symmetry {
            Some(text) => text
                .parse()
                .map_err(|error| CliFailure::wrong(format_args!("--symmetry: {error}")))?,
            None => BoxSymmetry::C1,
        };
        let table = BlockRule::new(&rule).map_err(|error| refused(error.into()))?;
        let ways = velocity.directions(&table, width, height, symmetry);
        if ways.is_empty() {
            let message = format!("a pattern of symmetry {symmetry} cannot move at {velocity}");
            return Err(CliFailure::wrong(message));
        }
        let mut words = velocity.to_string();
        if self.transform != Symmetry::Identity {
            words += &format!(" with {}", transform_name(self.transform));
        }
        let place = format!(
            "{words} in a {width} x {height} box, {symmetry}, {rule}{}",
            self.in_box.bounds()
        );
        let questions = ways.into_iter().map(|(dx, dy)| PeriodicQuestion {
            transform: self.transform,
            ..self
                .in_box
                .question(rule.clone(), velocity.period, (width, height), symmetry)
                .moving(dx, dy)
        });
        if self.count {
            let place = format!("spaceships of {place}");
            return self.options.count_periodic(questions.collect(), &place);
        }
        let words = SearchWords {
            kind: "spaceship",
            question: format!("search ship: {place}"),
            none: format!("no spaceship of {place}"),
            size: (width, height),
            rule: rule.clone(),
            keeps_place: false,
        };
        self.options.search_periodic(questions.collect(), &words)
    }
}
