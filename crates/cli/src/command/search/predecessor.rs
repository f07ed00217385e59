//! `gridpaper search predecessor`: what a pattern came from, or that it has no parent.

use super::{SearchOptions, SearchWords, refused};
use crate::failure::CliFailure;
use crate::{input, output};
use census::StateBox;
use clap::{Args, ValueHint};
use rule::Rule;
use search::{
    AllowedStates, FillError, FillPattern, HistoryCase, PopulationLimits, PredecessorQuestion,
    SearchCase, count_parents,
};
use std::ffi::OsString;
use std::path::Path;

/// Find a pattern that becomes this one, or prove that it has no predecessor
///
/// The parent is asked to become the pattern and --margin dead cells around it; what it becomes
/// further out is left open. So "none" holds for every world that contains the pattern like this.
/// A cell drawn as ? is not asked for.
#[derive(Debug, Args)]
pub(super) struct SearchPredecessorArgs {
    /// A file of any known format, - , a built-in pattern's name, an apgcode, or RLE text; with
    /// free cells a file or text of the form that fill reads
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
/// What it is called where it has no name.
const THE_PATTERN: &str = "the pattern";

/// What is to come of the parents: cells row by row.
struct ParentTarget {
    name: String,
    rule: Rule,
    width: u32,
    height: u32,
    cells: Vec<AllowedStates>,
}

impl SearchPredecessorArgs {
    pub(super) fn run(self) -> Result<(), CliFailure> {
        let ParentTarget {
            name,
            rule,
            width,
            height,
            cells,
        } = self.target()?;
        let question = PredecessorQuestion {
            generations: self.gens,
            margin: self.margin,
            population: PopulationLimits {
                most: self.max_cells,
                ..PopulationLimits::default()
            },
            ..PredecessorQuestion::new(rule.clone(), width, cells)
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
            self.options.refuse_for("--count")?;
            return self.count(&question);
        }
        if self.fewest {
            self.options.refuse_for("--fewest")?;
            return self.fewest(&question, &words(""));
        }
        let cases = || vec![Box::new(case.clone()) as Box<dyn SearchCase>];
        self.options.search(&cases, &words(""))
    }

    /// What is to come of the parents.
    fn target(&self) -> Result<ParentTarget, CliFailure> {
        if let Some((name, text)) = self.free_cells()? {
            let wrong = |error: FillError| CliFailure::wrong(format_args!("{name}: {error}"));
            let drawn = FillPattern::parse(&text, 256).map_err(wrong)?;
            let rule = match (self.options.given_rule(), drawn.rule()) {
                (None, Some(rule)) => rule
                    .parse()
                    .map_err(|error| CliFailure::wrong(format_args!("{name}: {error}")))?,
                _ => self.options.rule()?,
            };
            let states = rule.states();
            let drawn = FillPattern::parse(&text, states).map_err(wrong)?;
            if drawn.generations() != 1 {
                let message = format!("{name}: a predecessor is one of a single generation");
                return Err(CliFailure::wrong(message));
            }
            return Ok(ParentTarget {
                name,
                rule,
                width: drawn.width(),
                height: drawn.height(),
                cells: drawn.cells(0, states),
            });
        }
        let source = input::open(&self.pattern)?;
        let rule = self.options.rule_of(&source)?;
        let label = source.label();
        let cells = StateBox::from_pattern(&source.pattern.cells, MAX_AREA).ok_or_else(|| {
            CliFailure::wrong(format_args!("{label}: larger than {MAX_AREA} cells"))
        })?;
        if cells.is_empty() {
            let message = format!("{label}: no cell is live");
            return Err(CliFailure::wrong(message));
        }
        let name = match label {
            "PATTERN" => THE_PATTERN,
            label => label,
        };
        let states = cells.states().iter();
        Ok(ParentTarget {
            name: name.to_owned(),
            rule,
            width: cells.width() as u32,
            height: cells.height() as u32,
            cells: states.map(|&state| AllowedStates::only(state)).collect(),
        })
    }

    /// The name and the text of a drawing in which cells are free.
    fn free_cells(&self) -> Result<Option<(String, String)>, CliFailure> {
        let path = Path::new(&self.pattern);
        let (name, text) = if path.is_file() {
            let name = path.display().to_string();
            let bytes = std::fs::read(path).map_err(|error| CliFailure::io(&name, &error))?;
            (name, String::from_utf8(bytes).ok())
        } else {
            let text = self.pattern.to_str().map(str::to_owned);
            (THE_PATTERN.to_owned(), text)
        };
        let is_free = |text: &String| {
            let mut lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.any(|line| line.contains('?'))
        };
        Ok(text.filter(is_free).map(|text| (name, text)))
    }

    fn count(&self, question: &PredecessorQuestion) -> Result<(), CliFailure> {
        if self.gens != 1 {
            return Err(CliFailure::wrong(
                "--count: parents are counted one generation back",
            ));
        }
        let (width, height, target) = question.asked_cells();
        let parents = count_parents(&question.rule, width, &target).map_err(CliFailure::wrong)?;
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
