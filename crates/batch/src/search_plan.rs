//! The plan of a search that several machines share: the question, and how it is cut into cubes
//! ([`search::cut_cube`]). Own method.
//!
//! Units have numbers from 0 on. The first ones are the cubes of the plan. Where a plan limits the
//! guesses in a cube, a cube that reached the limit is cut at some cells more, and its children are
//! units as well, behind those of its own level: the tree of numbers depends on the plan alone.

use parts::text_digest;
use rule::Rule;
use search::{
    AgarCase, AgarQuestion, BlockRule, BoxSymmetry, CellGuess, CellOrder, CellSearchOptions,
    FillPattern, HistoryCase, PeriodicCase, PeriodicQuestion, PopulationLimits,
    PredecessorQuestion, SearchCase, SearchEngine, Velocity, count_cubes, cut_cube, transform_name,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Display;
use std::str::FromStr;
use thiserror::Error;

/// A plan of a search as people write it: a TOML file.
///
/// ```
/// let plan: batch::SearchPlanText = "search = 'osc'\nperiod = 3\nsize = '7x7'\ncubes = 6".parse()?;
/// assert_eq!((&plan.rule[..], plan.period, plan.cubes, plan.nodes), ("B3/S23", 3, 6, 0));
/// # Ok::<(), toml::de::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchPlanText {
    /// What is searched for.
    pub search: PlannedTask,
    /// The rule, in any notation that says it whole.
    #[serde(default = "life")]
    pub rule: String,
    /// The box, or the torus of an agar: `7x7`, and for a torus `4x3+1` too. A predecessor has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub size: String,
    /// What a predecessor becomes, as `search fill` reads it: `bo$2b?$3o!`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Generations from a predecessor to the pattern: 1, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generations: Option<u32>,
    /// So many dead cells around the pattern are asked for: 2, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<u32>,
    /// The period of an oscillator or agar.
    #[serde(default = "one")]
    pub period: u32,
    /// How a spaceship moves: `c/3`, `(1,2)c/6`.
    #[serde(default)]
    pub velocity: Option<String>,
    /// The symmetry of the pattern.
    #[serde(default = "asymmetric")]
    pub symmetry: String,
    /// How the repeated pattern is turned or mirrored.
    #[serde(default = "identity")]
    pub transform: String,
    /// Whether what repeats earlier counts too.
    #[serde(default)]
    pub subperiod: bool,
    /// At least so many live cells, in every generation.
    #[serde(default)]
    pub min_cells: Option<u32>,
    /// At most so many live cells, in the generation that has fewest.
    #[serde(default)]
    pub max_cells: Option<u32>,
    /// Cells so far from the diagonal that falls to the right, and further, are dead.
    #[serde(default)]
    pub diagonal_width: Option<u32>,
    /// `cells` or `sat`.
    #[serde(default = "cells")]
    pub engine: String,
    /// The order in which `cells` goes: `auto`, `row`, `column`, `diagonal`.
    #[serde(default = "auto")]
    pub order: String,
    /// What `cells` guesses first: `live`, `dead`, `random`.
    #[serde(default = "live")]
    pub guess: String,
    /// The seed of random guesses.
    #[serde(default)]
    pub seed: u64,
    /// Whether one pattern is enough: that of the cube with the lowest number.
    #[serde(default)]
    pub first: bool,
    /// At how many cells the search is cut.
    pub cubes: u32,
    /// After how many guesses a cube is cut further; 0 for never.
    #[serde(default)]
    pub nodes: u64,
    /// At how many cells more it is cut then.
    #[serde(default = "four")]
    pub split: u32,
}

/// What a plan searches for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlannedTask {
    /// Still lifes.
    Still,
    /// Oscillators.
    Osc,
    /// Spaceships in a box.
    Ship,
    /// Patterns that tile the plane.
    Agar,
    /// Patterns that become a pattern.
    Predecessor,
}

fn life() -> String {
    "B3/S23".into()
}

fn one() -> u32 {
    1
}

fn four() -> u32 {
    4
}

fn asymmetric() -> String {
    "C1".into()
}

fn identity() -> String {
    "Id".into()
}

fn cells() -> String {
    "cells".into()
}

fn auto() -> String {
    "auto".into()
}

fn live() -> String {
    "live".into()
}

impl FromStr for SearchPlanText {
    type Err = toml::de::Error;

    fn from_str(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

/// Why a plan of a search is none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SearchPlanError(String);

/// A search and the units that it is cut into.
///
/// ```
/// let text = "search = 'osc'\nperiod = 2\nsize = '3x3'\ncubes = 2".parse()?;
/// let plan = batch::SearchPlan::new(text)?;
/// assert_eq!(plan.cubes(), 4);
/// let codes: Vec<_> = (0..plan.cubes())
///     .filter_map(|unit| plan.run(unit, &mut || true).ok()?)
///     .flat_map(|result| result.found)
///     .filter_map(|found| found.apgcode)
///     .collect();
/// assert_eq!(codes, ["xp2_7"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchPlan {
    text: SearchPlanText,
    rule: Rule,
    line: String,
    digest: String,
    cases: Vec<PlannedCase>,
    engine: SearchEngine,
    options: CellSearchOptions,
    levels: Vec<CubeLevel>,
}

#[derive(Clone, Debug)]
enum PlannedCase {
    Periodic(PeriodicCase),
    Agar(AgarCase),
    History(HistoryCase),
}

impl PlannedCase {
    fn boxed(&self) -> Box<dyn SearchCase> {
        match self {
            Self::Periodic(case) => Box::new(case.clone()),
            Self::Agar(case) => Box::new(case.clone()),
            Self::History(case) => Box::new(case.clone()),
        }
    }
}

/// Cubes that are cut at equally many cells.
#[derive(Clone, Debug)]
struct CubeLevel {
    depth: u32,
    /// The number of the first unit.
    first: u64,
    /// The cubes of each case.
    counts: Vec<u64>,
}

impl CubeLevel {
    fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// A unit: its level, its case, and its place among the cubes of that case in the order of the tree.
#[derive(Clone, Copy, Debug)]
struct CubePlace {
    level: usize,
    case: usize,
    index: u64,
}

/// A plan is cut at so many cells at most, and at so many all in all.
const MAX_CELLS: [u32; 2] = [20, 40];

/// A plan as it is written in the first line of a part.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchPlanLine {
    /// The version of the format.
    searchpart: u64,
    version: String,
    plan: SearchPlanText,
}

/// The version of the format of parts.
const FORMAT: u64 = 1;

fn read<T: FromStr<Err: Display>>(key: &str, text: &str) -> Result<T, SearchPlanError> {
    text.parse()
        .map_err(|error| SearchPlanError(format!("{key}: {error}")))
}

fn sides(size: &str) -> Option<(u32, u32, i64)> {
    let (size, shift) = size.split_once('+').unwrap_or((size, "0"));
    let (width, height) = size.split_once('x')?;
    let shift = shift.parse::<u32>().ok()?;
    Some((width.parse().ok()?, height.parse().ok()?, shift.into()))
}

impl SearchPlan {
    /// The version of searching: raised when the same cube may give another result.
    pub const VERSION: &'static str = "gridpaper-search-1";

    /// Cuts the search that a text describes.
    ///
    /// # Errors
    /// A value that means nothing, a question that contradicts itself, or a rule that other
    /// machines cannot know by its name.
    ///
    /// ```
    /// let text = "search = 'ship'\nvelocity = 'c/1'\nsize = '5x5'\ncubes = 2".parse()?;
    /// let refused = batch::SearchPlan::new(text).unwrap_err();
    /// assert!(refused.to_string().contains("cannot be reached"), "{refused}");
    /// # Ok::<(), toml::de::Error>(())
    /// ```
    pub fn new(mut text: SearchPlanText) -> Result<Self, SearchPlanError> {
        let wrong = |message: &dyn Display| SearchPlanError(message.to_string());
        let rule: Rule = read("rule", &text.rule)?;
        text.rule = rule.to_string();
        let engine = read("engine", &text.engine)?;
        let word = |key: &str, word: &str, words: &[&str]| {
            let place = words.iter().position(|known| *known == word);
            place.ok_or_else(|| {
                SearchPlanError(format!("{key} = \"{word}\": expected {}", words.join(", ")))
            })
        };
        let orders = ["auto", "row", "column", "diagonal"];
        let guesses = ["live", "dead", "random"];
        let options = CellSearchOptions {
            order: [
                CellOrder::Auto,
                CellOrder::Row,
                CellOrder::Column,
                CellOrder::Diagonal,
            ][word("order", &text.order, &orders)?],
            guess: [CellGuess::Live, CellGuess::Dead, CellGuess::Random]
                [word("guess", &text.guess, &guesses)?],
            seed: text.seed,
        };
        let [most_cubes, most_cells] = MAX_CELLS;
        if text.cubes > most_cubes || text.split == 0 || text.split > most_cubes {
            return Err(wrong(&format_args!(
                "cubes is at most {most_cubes}, and split 1 to {most_cubes}"
            )));
        }
        let cases = cases(&text, &rule)?;
        let mut plan = Self {
            line: String::new(),
            digest: String::new(),
            rule,
            cases,
            engine,
            options,
            levels: Vec::new(),
            text,
        };
        let mut depth = plan.text.cubes;
        loop {
            let boxed = plan.cases.iter().map(PlannedCase::boxed);
            let counts: Vec<u64> = boxed.map(|case| count_cubes(&[case], depth)).collect();
            let last = plan.levels.last();
            let first = last.map_or(0, |last| last.first + last.count());
            let is_deeper = last.is_none_or(|last| last.counts != counts);
            let sum = counts
                .iter()
                .try_fold(first, |sum, &count| sum.checked_add(count));
            if !is_deeper || sum.is_none_or(|sum| sum > 1 << 62) {
                break;
            }
            plan.levels.push(CubeLevel {
                depth,
                first,
                counts,
            });
            depth += plan.text.split;
            if plan.text.nodes == 0 || depth > most_cells {
                break;
            }
        }
        let line = SearchPlanLine {
            searchpart: FORMAT,
            version: Self::VERSION.into(),
            plan: plan.text.clone(),
        };
        plan.line = serde_json::to_string(&line).expect("texts and integers are JSON");
        plan.digest = text_digest(&plan.line);
        Ok(plan)
    }

    /// The plan of a line; `None` where it is not one that [`SearchPlan::line`] writes.
    ///
    /// ```
    /// let text = "search = 'still'\nsize = '4x4'\ncubes = 3".parse()?;
    /// let plan = batch::SearchPlan::new(text)?;
    /// let again = batch::SearchPlan::from_line(plan.line()).expect("it was written");
    /// assert_eq!(again.digest(), plan.digest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_line(line: &str) -> Option<Self> {
        let read: SearchPlanLine = serde_json::from_str(line).ok()?;
        let plan = Self::new(read.plan).ok()?;
        (plan.line == line).then_some(plan)
    }

    /// The version of a plan's line, where it is one.
    pub(crate) fn version_of(line: &str) -> Option<String> {
        let line: Value = serde_json::from_str(line).ok()?;
        line.get("searchpart")?;
        Some(line.get("version")?.as_str()?.into())
    }

    /// Whether a line is that of a search's plan, perhaps of another version.
    #[must_use]
    pub fn is_line(line: &str) -> bool {
        line.starts_with("{\"searchpart\":")
    }

    /// The plan as one line, without its end: the first one of a part.
    #[must_use]
    pub fn line(&self) -> &str {
        &self.line
    }

    /// The SHA-256 of the plan's line, in hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// What is searched for, and how.
    #[must_use]
    pub fn text(&self) -> &SearchPlanText {
        &self.text
    }

    /// The rule that patterns are written with: that of a torus for an agar.
    ///
    /// ```
    /// let text = "search = 'agar'\nsize = '4x3+1'\ncubes = 2".parse()?;
    /// assert_eq!(batch::SearchPlan::new(text)?.rule().to_string(), "B3/S23:T4+1,3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rule(&self) -> Rule {
        match self.cases.first() {
            Some(PlannedCase::Agar(case)) => case.rule(),
            _ => self.rule.clone(),
        }
    }

    /// How many units there are to begin with.
    #[must_use]
    pub fn cubes(&self) -> u64 {
        self.levels[0].count()
    }

    fn place(&self, number: u64) -> Option<CubePlace> {
        let level = self.levels.partition_point(|level| level.first <= number) - 1;
        let mut index = number - self.levels[level].first;
        for (case, &count) in self.levels[level].counts.iter().enumerate() {
            if index < count {
                return Some(CubePlace { level, case, index });
            }
            index -= count;
        }
        None
    }

    /// A unit as a path in the tree: the number of a cube, and of each child from there.
    pub(crate) fn path(&self, number: u64) -> Option<Vec<u64>> {
        let place = self.place(number)?;
        let mut path = self.steps(place);
        let before = &self.levels[0].counts[..place.case];
        path[0] += before.iter().sum::<u64>();
        Some(path)
    }

    /// The same, with a first number among the cubes of its case.
    fn steps(&self, place: CubePlace) -> Vec<u64> {
        let CubePlace {
            level,
            case,
            mut index,
        } = place;
        let mut steps = Vec::new();
        for level in (1..=level).rev() {
            let width = self.levels[level].counts[case] / self.levels[level - 1].counts[case];
            steps.push(index % width);
            index /= width;
        }
        steps.push(index);
        steps.reverse();
        steps
    }

    /// The units that a unit is cut into, where it can be.
    pub(crate) fn children(&self, number: u64) -> Option<(u64, u64)> {
        let CubePlace { level, case, index } = self.place(number)?;
        let below = self.levels.get(level + 1)?;
        let width = below.counts[case] / self.levels[level].counts[case];
        let before: u64 = below.counts[..case].iter().sum();
        let first = below.first + before + index * width;
        Some((first, first + width - 1))
    }

    /// How many guesses a unit may take, and its cube.
    pub(crate) fn cube(&self, number: u64) -> Option<(Option<u64>, Box<dyn SearchCase>)> {
        let place = self.place(number)?;
        let steps = self.steps(place);
        // the cells of a child are those of its parent and some more, and count for more
        let mut cube = steps[0];
        for (level, step) in steps.iter().enumerate().skip(1) {
            cube += step * self.levels[level - 1].counts[place.case];
        }
        let case = self.cases[place.case].boxed();
        let case = cut_cube(vec![case], self.levels[place.level].depth, cube)?;
        let is_last = place.level + 1 == self.levels.len();
        let limit = (self.text.nodes > 0 && !is_last).then_some(self.text.nodes);
        Some((limit, case))
    }

    pub(crate) fn engine(&self) -> (SearchEngine, CellSearchOptions) {
        (self.engine, self.options)
    }
}

/// The question in each of its directions.
fn cases(text: &SearchPlanText, rule: &Rule) -> Result<Vec<PlannedCase>, SearchPlanError> {
    let wrong = |message: String| Err(SearchPlanError(message));
    let task = text.search;
    let is_parent = task == PlannedTask::Predecessor;
    let (width, height, shift) = match sides(&text.size) {
        Some(sides) => sides,
        None if is_parent && text.size.is_empty() => (0, 0, 0),
        None => {
            return wrong(format!(
                "size = \"{}\": expected columns and rows such as 7x7",
                text.size
            ));
        }
    };
    let population = PopulationLimits {
        least: text.min_cells,
        most: text.max_cells,
    };
    let has_box = ![PlannedTask::Agar, PlannedTask::Predecessor].contains(&task);
    let needless = [
        (
            "period",
            text.period != 1,
            [PlannedTask::Osc, PlannedTask::Agar].contains(&task),
        ),
        (
            "velocity",
            text.velocity.is_some(),
            task == PlannedTask::Ship,
        ),
        (
            "transform",
            text.transform != "Id",
            [PlannedTask::Osc, PlannedTask::Ship].contains(&task),
        ),
        ("symmetry", text.symmetry != "C1", has_box),
        ("diagonal_width", text.diagonal_width.is_some(), has_box),
        ("size", !text.size.is_empty(), !is_parent),
        ("subperiod", text.subperiod, !is_parent),
        ("pattern", text.pattern.is_some(), is_parent),
        ("generations", text.generations.is_some(), is_parent),
        ("margin", text.margin.is_some(), is_parent),
        ("the + of size", shift != 0, task == PlannedTask::Agar),
    ];
    for (key, is_given, is_used) in needless {
        if is_given && !is_used {
            return wrong(format!("{key} means nothing for such a search"));
        }
    }
    let refused = |error: search::QuestionError| SearchPlanError(error.to_string());
    if task == PlannedTask::Agar {
        let question = AgarQuestion {
            shift,
            subperiod: text.subperiod,
            population,
            ..AgarQuestion::new(rule.clone(), text.period, width, height)
        };
        let case = AgarCase::new(question).map_err(refused)?;
        return Ok(vec![PlannedCase::Agar(case)]);
    }
    if let (true, Some(pattern)) = (is_parent, &text.pattern) {
        let drawn = FillPattern::parse(pattern, rule.states());
        let drawn = drawn.map_err(|error| SearchPlanError(format!("pattern: {error}")))?;
        if drawn.generations() != 1 {
            return wrong("pattern: a predecessor is one of a single generation".into());
        }
        let target = drawn.cells(0, rule.states());
        let question = PredecessorQuestion {
            generations: text.generations.unwrap_or(1),
            margin: text.margin.unwrap_or(2),
            population,
            ..PredecessorQuestion::new(rule.clone(), drawn.width(), target)
        };
        let case = HistoryCase::of_parents(&question).map_err(refused)?;
        return Ok(vec![PlannedCase::History(case)]);
    }
    if is_parent {
        return wrong("a search for a predecessor needs a pattern".into());
    }
    let symmetry: BoxSymmetry = read("symmetry", &text.symmetry)?;
    let named = |symmetry: &grid::Symmetry| transform_name(*symmetry) == text.transform;
    let Some(transform) = grid::Symmetry::ALL.into_iter().find(named) else {
        return wrong(format!(
            "transform = \"{}\": expected Id, R90, R180, R270, F|, F-, F\\ or F/",
            text.transform
        ));
    };
    let (period, ways) = match (task, &text.velocity) {
        (PlannedTask::Ship, None) => return wrong("a search for ships needs a velocity".into()),
        (PlannedTask::Ship, Some(velocity)) => {
            let velocity: Velocity = read("velocity", velocity)?;
            let table = BlockRule::new(rule).map_err(|error| refused(error.into()))?;
            let ways = velocity.directions(&table, width, height, symmetry);
            if ways.is_empty() {
                return wrong(format!(
                    "a pattern of symmetry {symmetry} cannot move at {velocity}"
                ));
            }
            (velocity.period, ways)
        }
        _ => (text.period, vec![(0, 0)]),
    };
    let cases = ways.into_iter().map(|(dx, dy)| {
        let question = PeriodicQuestion {
            symmetry,
            transform,
            subperiod: text.subperiod,
            population,
            diagonal_width: text.diagonal_width,
            up_to_symmetry: true,
            ..PeriodicQuestion::new(rule.clone(), period, width, height).moving(dx, dy)
        };
        let case = PeriodicCase::new(question).map_err(refused)?;
        Ok(PlannedCase::Periodic(case))
    });
    cases.collect()
}
