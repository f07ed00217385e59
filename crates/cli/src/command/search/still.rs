//! `gridpaper search still`: still lifes in a box.

use super::{BoxOptions, SearchOptions, SearchWords, SymmetryOption, refused, sides};
use crate::argument::SizeArgument;
use crate::failure::{CliFailure, note};
use crate::interrupt::InterruptGuard;
use crate::output;
use crate::progress::LiveTerminalLines;
use census::StateBox;
use clap::Args;
use rule::Rule;
use search::{
    BlockRule, BoxSymmetry, FoundPattern, PeriodicQuestion, PopulationLimits, QuestionError,
    SearchFlow, StillLifeCountError, StillLifeListError, count_still_lifes, densest_still_life,
    list_still_lifes,
};
use std::time::{Duration, Instant};

/// Find still lifes in a box, count them, or find the densest
#[derive(Debug, Args)]
pub(super) struct SearchStillArgs {
    /// The box: columns and rows; without it all still lifes of at most --max-cells are listed
    #[arg(long, value_name = "WxH", required_unless_present = "max_cells")]
    size: Option<SizeArgument>,

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
        let rule = self.options.rule()?;
        let Some(size) = self.size else {
            return self.list(&rule);
        };
        let (width, height) = sides(size)?;
        let symmetry = self.symmetry.symmetry;
        let place = format!(
            "in a {width} x {height} box, {symmetry}, {rule}{}",
            self.in_box.bounds()
        );
        let question =
            self.in_box
                .question(rule.clone(), 1, (width, height), self.symmetry.symmetry);
        if self.count || self.densest {
            let task = if self.count { "--count" } else { "--densest" };
            self.options.refuse_for(task)?;
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
        let mut watch = StillLifeWatch::new(self.options.time);
        let (width, height) = (question.width, question.height);
        let mut control = |row: u32, rows: u32| watch.show(format!("row {row} of {rows}"));
        let number = if self.count {
            count_still_lifes(&rule, width, height, &mut control).map(|count| count.to_string())
        } else {
            densest_still_life(&rule, width, height, &mut control).map(|cells| cells.to_string())
        };
        watch.lines.clear();
        let number = number.map_err(|error| match error {
            StillLifeCountError::Stopped => watch.stopped("the last row"),
            error => CliFailure::wrong(error),
        })?;
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

    /// All still lifes of few cells, in no box.
    fn list(&self, rule: &Rule) -> Result<(), CliFailure> {
        self.options.refuse_for("a list of still lifes")?;
        let most = self.in_box.max_cells.unwrap_or(0);
        let is_plain = self.symmetry.symmetry == BoxSymmetry::C1
            && self.in_box.diagonal_width.is_none()
            && !self.count
            && !self.densest;
        if !is_plain {
            return Err(CliFailure::wrong(
                "without --size all still lifes of at most --max-cells are listed: leave out the other options of a box",
            ));
        }
        let least = self.in_box.min_cells.unwrap_or(0);
        if least > most {
            return Err(refused(QuestionError::Population { least, most }));
        }
        let mut watch = StillLifeWatch::new(self.options.time);
        let listed = list_still_lifes(rule, most, &mut |found| {
            watch.show(format!("{found} still lifes; Ctrl-C stops"))
        });
        watch.lines.clear();
        let listed = listed.map_err(|error| match error {
            StillLifeListError::Stopped => watch.stopped("the list was complete"),
            error => CliFailure::wrong(error),
        })?;
        let (mut strict, mut pseudo) = (0_u64, 0_u64);
        for life in listed
            .iter()
            .filter(|life| life.cells.len() >= least as usize)
        {
            let found = FoundPattern::named(rule, StateBox::from_points(&life.cells));
            let found = found.map_err(CliFailure::wrong)?;
            let kind = if life.is_strict {
                "still_life"
            } else {
                "pseudo_still_life"
            };
            let words = SearchWords {
                kind,
                question: format!(
                    "search still: {} of at most {most} cells, {rule}",
                    kind.replace('_', " ")
                ),
                none: String::new(),
                size: (found.cells.width() as u32, found.cells.height() as u32),
                rule: rule.clone(),
                keeps_place: false,
            };
            self.options
                .tell(&found, &words, watch.begun.elapsed().as_secs_f64())?;
            strict += u64::from(life.is_strict);
            pseudo += u64::from(!life.is_strict);
            if !self.options.all && strict + pseudo >= self.options.patterns() {
                return Ok(());
            }
        }
        if strict + pseudo == 0 {
            let message = format!("no still life has {least} to {most} cells, {rule}");
            return Err(CliFailure::No {
                message,
                hint: None,
            });
        }
        note(format_args!(
            "these are all: {strict} strict and {pseudo} pseudo still lifes"
        ));
        Ok(())
    }
}

/// What is shown while still lifes are counted or listed, and what stops it.
struct StillLifeWatch {
    begun: Instant,
    time: Option<Duration>,
    interrupts: InterruptGuard,
    lines: LiveTerminalLines,
}

impl StillLifeWatch {
    fn new(time: Option<Duration>) -> Self {
        Self {
            begun: Instant::now(),
            time,
            interrupts: InterruptGuard::new(),
            lines: LiveTerminalLines::new(),
        }
    }

    fn show(&mut self, words: String) -> SearchFlow {
        self.lines.show(|_| words);
        let is_late = self.time.is_some_and(|time| self.begun.elapsed() >= time);
        match self.interrupts.asked_to_stop() || is_late {
            true => SearchFlow::Stop,
            false => SearchFlow::Continue,
        }
    }

    fn stopped(&self, before: &str) -> CliFailure {
        match self.interrupts.asked_to_stop() {
            true => CliFailure::interrupted(format_args!("stopped before {before}")),
            false => CliFailure::limit(format_args!("stopped by --time before {before}")),
        }
    }
}
