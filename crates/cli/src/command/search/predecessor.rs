//! `gridpaper search predecessor`: what a pattern came from, or that it has no parent.

use super::{SearchOptions, SearchWords, refused};
use crate::failure::CliFailure;
use crate::{input, output};
use census::StateBox;
use clap::{Args, ValueHint};
use grid::Point;
use rule::Rule;
use search::{
    AllowedStates, HistoryCase, PopulationLimits, PredecessorQuestion, SearchCase, count_parents,
};
use std::ffi::OsString;

/// Find a pattern that becomes this one, or prove that it has no predecessor
///
/// The parent is asked to become the pattern and --margin dead cells around it; what it becomes
/// further out is left open. So "none" holds for every world that contains the pattern like this.
#[derive(Debug, Args)]
pub(super) struct SearchPredecessorArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text
    #[arg(value_name = "PATTERN", value_hint = ValueHint::FilePath)]
    pattern: OsString,

    /// How many generations to go back
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    gens: u32,

    /// How many rows and columns of dead cells around the pattern are asked for, too
    #[arg(long, value_name = "M", default_value_t = 2)]
    margin: u32,

    /// A parent with the fewest live cells
    #[arg(long)]
    fewest: bool,

    /// Count the parents, one generation back: all arrangements of the cells that have an
    /// influence on the pattern and its margin
    #[arg(long, conflicts_with_all = ["fewest", "max_cells"])]
    count: bool,

    /// At most so many live cells
    #[arg(long, value_name = "K")]
    max_cells: Option<u32>,

    #[command(flatten)]
    options: SearchOptions,
}

/// The largest target.
const MAX_AREA: u64 = 1 << 20;

impl SearchPredecessorArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let source = input::open(&self.pattern)?;
        let rule = self.options.rule_of(&source)?;
        let cells = StateBox::from_pattern(&source.pattern.cells, MAX_AREA).ok_or_else(|| {
            CliFailure::wrong(format_args!(
                "{}: larger than {MAX_AREA} cells",
                source.label()
            ))
        })?;
        if cells.is_empty() {
            return Err(CliFailure::wrong(format_args!(
                "{}: no cell is live",
                source.label()
            )));
        }
        let (width, height) = (cells.width() as u32, cells.height() as u32);
        let question = PredecessorQuestion {
            generations: self.gens,
            margin: self.margin,
            population: PopulationLimits {
                most: self.max_cells,
                ..PopulationLimits::default()
            },
            ..PredecessorQuestion::new(
                rule.clone(),
                width,
                cells
                    .states()
                    .iter()
                    .map(|&state| AllowedStates::only(state))
                    .collect(),
            )
        };
        let name = match source.label() {
            "PATTERN" => "the pattern",
            label => label,
        };
        let bounds = super::cell_bounds(None, self.max_cells);
        let ago = if self.gens == 1 {
            "one generation".to_owned()
        } else {
            format!("{} generations", self.gens)
        };
        let place = format!("{} {ago} before, {rule}{bounds}", name);
        let words = |bounds: &str| SearchWords {
            kind: "predecessor",
            question: format!("search predecessor: {place}{bounds}"),
            none: format!(
                "nothing becomes {} in {ago}, with {} dead cells around it, in {rule}{bounds}",
                name, self.margin
            ),
            size: (width + 2 * question.reach(), height + 2 * question.reach()),
            rule: rule.clone(),
            keeps_place: true,
        };
        let case = HistoryCase::of_parents(&question).map_err(refused)?;
        if self.count {
            return self.count(&rule, &cells);
        }
        if self.fewest {
            return self.fewest(&question, &words(""));
        }
        let cases = || vec![Box::new(case.clone()) as Box<dyn SearchCase>];
        self.options.search(&cases, &words(""))
    }

    fn count(&self, rule: &Rule, cells: &StateBox) -> Result<(), CliFailure> {
        if self.gens != 1 {
            return Err(CliFailure::wrong(
                "--count: parents are counted one generation back",
            ));
        }
        let margin = i64::from(self.margin);
        let (width, height) = (
            cells.width() as i64 + 2 * margin,
            cells.height() as i64 + 2 * margin,
        );
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x - margin, y - margin)));
        let target: Vec<AllowedStates> = places
            .map(|(x, y)| AllowedStates::only(cells.get(Point::new(cells.x + x, cells.y + y))))
            .collect();
        let parents = count_parents(rule, width as u32, &target).map_err(CliFailure::wrong)?;
        if self.options.json {
            return output::line(format_args!("{{\"count\":{parents},\"complete\":true}}"));
        }
        output::line(format_args!(
            "{parents} arrangements of {} x {} cells become this in a generation",
            width + 2,
            height + 2
        ))
    }

    /// Asks for fewer and fewer live cells, until there is none.
    fn fewest(
        &self,
        question: &PredecessorQuestion,
        words: &SearchWords,
    ) -> Result<(), CliFailure> {
        let mut best = None;
        let mut most = question.population.most;
        loop {
            let population = PopulationLimits {
                most,
                ..question.population
            };
            let question = PredecessorQuestion {
                population,
                ..question.clone()
            };
            let case = HistoryCase::of_parents(&question).map_err(refused)?;
            match self.options.first(&case)? {
                Some(found) => {
                    most = found.population.checked_sub(1).map(|most| most as u32);
                    best = Some(found);
                    if most.is_none() {
                        break;
                    }
                }
                None => break,
            }
        }
        match best {
            Some(found) => self.options.tell(&found, words, 0.0),
            None => Err(CliFailure::No {
                message: words.none.clone(),
                hint: None,
            }),
        }
    }
}
