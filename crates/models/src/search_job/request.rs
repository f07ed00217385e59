//! What a person asks of a search, read and checked.

use rule::Rule;
use search::{
    AllowedStates, BlockRule, BoxSymmetry, FillPattern, FixedCell, HistoryCase, PeriodicCase,
    PeriodicQuestion, PopulationLimits, PredecessorQuestion, SearchCase, Velocity,
};
use thiserror::Error;

/// The longest side of a box.
pub const LONGEST_SIDE: u32 = 64;

/// The most cells of a box, in all generations together.
pub const MOST_CELLS: u64 = 16_384;

/// The most patterns that are listed.
pub const MOST_FOUND: u64 = 500;

/// So many rows and columns of dead cells are asked for around a pattern that has a predecessor.
const DEAD_MARGIN: u32 = 2;

/// What is to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchTask {
    /// Still lifes.
    Still,
    /// Oscillators of exactly this period.
    Oscillator {
        /// In generations.
        period: u32,
    },
    /// Spaceships.
    Ship {
        /// Such as `c/3`, `2c/5` or `(1,2)c/6`.
        velocity: String,
    },
    /// What becomes the drawing, with some dead cells around it.
    Predecessor {
        /// So many generations later.
        generations: u32,
    },
    /// Whether nothing becomes the drawing.
    Orphan,
}

/// What a person asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// What is to be found.
    pub task: SearchTask,
    /// The rule, in any notation.
    pub rule: String,
    /// Columns and rows of the box; those of the drawing where there is one.
    pub size: (u32, u32),
    /// The symmetry of the pattern: `C1`, `D2|`, `D8`.
    pub symmetry: String,
    /// At most so many live cells.
    pub max_cells: Option<u32>,
    /// What is known, run-length encoded, with `?` for free cells; empty where nothing is.
    pub drawing: String,
    /// So many free rows and columns lie around the drawing, of which then the live cells alone
    /// are known.
    pub free_margin: Option<u32>,
    /// Whether all are listed, and not the first alone.
    pub all: bool,
}

/// Why a search is not begun.
#[derive(Debug, Error)]
pub enum SearchRequestError {
    /// The rule does not parse.
    #[error(transparent)]
    Rule(#[from] rule::RuleError),
    /// The symmetry does not.
    #[error(transparent)]
    Symmetry(#[from] search::BoxSymmetryError),
    /// The velocity does not.
    #[error(transparent)]
    Velocity(#[from] search::VelocityError),
    /// The drawing does not.
    #[error("the drawing: {0}")]
    Drawing(#[from] search::FillError),
    /// The rule cannot be searched.
    #[error(transparent)]
    Block(#[from] search::BlockRuleError),
    /// The question contradicts itself.
    #[error(transparent)]
    Question(#[from] search::QuestionError),
    /// A search that needs a drawing has none.
    #[error("draw what it is to become")]
    NoDrawing,
    /// No generation of the drawing may differ.
    #[error("one generation is drawn here; `gridpaper search fill` takes more")]
    Generations,
    /// No pattern of the symmetry moves so.
    #[error("a pattern of symmetry {symmetry} cannot move at {velocity}")]
    Still {
        /// The symmetry.
        symmetry: BoxSymmetry,
        /// The velocity.
        velocity: Velocity,
    },
    /// More than a person waits for.
    #[error(
        "a box of {width} x {height} for {period} generations is too large here: {LONGEST_SIDE} \
         columns and rows and {MOST_CELLS} cells in all generations at most; `gridpaper search` \
         takes more"
    )]
    TooLarge {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
        /// Generations.
        period: u32,
    },
}

/// The cases of a question.
#[derive(Clone, Debug)]
pub(super) enum RequestedCases {
    Periodic(Vec<PeriodicCase>),
    History(Box<HistoryCase>),
}

impl RequestedCases {
    pub(super) fn boxed(&self) -> Vec<Box<dyn SearchCase>> {
        match self {
            Self::Periodic(cases) => {
                let boxed = |case: &PeriodicCase| Box::new(case.clone()) as Box<dyn SearchCase>;
                cases.iter().map(boxed).collect()
            }
            Self::History(case) => vec![case.clone()],
        }
    }
}

/// A request that was understood.
#[derive(Clone, Debug)]
pub(super) struct RequestedSearch {
    pub(super) cases: RequestedCases,
    pub(super) rule: Rule,
    /// What is looked for: "period 3 in a 5 x 5 box, C1, B3/S23".
    pub(super) question: String,
    /// What is said when there is none.
    pub(super) none: String,
    pub(super) patterns: u64,
}

impl SearchRequest {
    /// Whether it can be searched for.
    ///
    /// # Errors
    /// When a part of it means nothing, or it is too large.
    ///
    /// ```
    /// use models::search_job::{SearchRequest, SearchTask};
    ///
    /// let request = SearchRequest::in_box(SearchTask::Oscillator { period: 3 }, (7, 7));
    /// assert!(request.check().is_ok());
    /// let large = SearchRequest { size: (65, 7), ..request };
    /// assert!(large.check().unwrap_err().to_string().contains("too large"));
    /// ```
    pub fn check(&self) -> Result<(), SearchRequestError> {
        self.read().map(|_| ())
    }

    /// What is looked for, in words.
    ///
    /// # Errors
    /// When a part of it means nothing, or it is too large.
    ///
    /// ```
    /// use models::search_job::{SearchRequest, SearchTask};
    ///
    /// let request = SearchRequest::in_box(SearchTask::Still, (4, 4));
    /// assert_eq!(request.question()?, "still life in a 4 x 4 box, C1, B3/S23");
    /// # Ok::<(), models::search_job::SearchRequestError>(())
    /// ```
    pub fn question(&self) -> Result<String, SearchRequestError> {
        self.read().map(|wanted| wanted.question)
    }

    /// A search in an empty box, for the Game of Life.
    ///
    /// ```
    /// use models::search_job::{SearchRequest, SearchTask};
    ///
    /// let request = SearchRequest::in_box(SearchTask::Still, (4, 4));
    /// assert_eq!((&request.rule[..], request.all), ("B3/S23", false));
    /// ```
    #[must_use]
    pub fn in_box(task: SearchTask, size: (u32, u32)) -> Self {
        Self {
            task,
            rule: "B3/S23".into(),
            size,
            symmetry: "C1".into(),
            max_cells: None,
            drawing: String::new(),
            free_margin: None,
            all: false,
        }
    }

    pub(super) fn read(&self) -> Result<RequestedSearch, SearchRequestError> {
        let rule: Rule = self.rule.parse()?;
        let table = BlockRule::new(&rule)?;
        let drawing = match self.drawing.trim() {
            "" => None,
            text => Some(FillPattern::parse(text, table.states())?),
        };
        if drawing
            .as_ref()
            .is_some_and(|drawing| drawing.generations() > 1)
        {
            return Err(SearchRequestError::Generations);
        }
        let found = match self.task {
            SearchTask::Predecessor { generations } => {
                self.parents(&table, rule, drawing, generations, DEAD_MARGIN)?
            }
            SearchTask::Orphan => self.parents(&table, rule, drawing, 1, 0)?,
            _ => self.periodic(&table, rule, drawing.as_ref())?,
        };
        Ok(found)
    }

    /// How many patterns are wanted.
    fn patterns(&self) -> u64 {
        if self.all { MOST_FOUND } else { 1 }
    }

    fn population(&self) -> PopulationLimits {
        PopulationLimits {
            most: self.max_cells,
            ..PopulationLimits::default()
        }
    }

    /// The bound of the cells, in words.
    fn bound(&self) -> String {
        let most = self.max_cells;
        most.map_or_else(String::new, |most| format!(", {most} cells or fewer"))
    }

    fn periodic(
        &self,
        table: &BlockRule,
        rule: Rule,
        drawing: Option<&FillPattern>,
    ) -> Result<RequestedSearch, SearchRequestError> {
        let symmetry: BoxSymmetry = self.symmetry.parse()?;
        let margin = self.free_margin.unwrap_or(0);
        let (width, height) = match drawing {
            Some(drawing) => [drawing.width(), drawing.height()]
                .map(|side| side.saturating_add(margin.saturating_mul(2)))
                .into(),
            None => self.size,
        };
        let velocity: Option<Velocity> = match &self.task {
            SearchTask::Ship { velocity } => Some(velocity.parse()?),
            _ => None,
        };
        let period = match (&self.task, &velocity) {
            (SearchTask::Oscillator { period }, _) => *period,
            (_, Some(velocity)) => velocity.period,
            _ => 1,
        };
        check_size(width, height, period)?;
        let fixed = drawing
            .map(|drawing| self.fixed(drawing))
            .unwrap_or_default();
        let ways = match velocity {
            None => vec![(0, 0)],
            Some(velocity) if fixed.is_empty() => {
                velocity.directions(table, width, height, symmetry)
            }
            Some(velocity) => velocity.all_directions(symmetry),
        };
        if let Some(velocity) = velocity.filter(|_| ways.is_empty()) {
            return Err(SearchRequestError::Still { symmetry, velocity });
        }
        let question = PeriodicQuestion {
            symmetry,
            population: self.population(),
            up_to_symmetry: true,
            fixed,
            ..PeriodicQuestion::new(rule.clone(), period, width, height)
        };
        let cases = ways
            .into_iter()
            .map(|(dx, dy)| PeriodicCase::new(question.clone().moving(dx, dy)));
        let cases = cases.collect::<Result<Vec<_>, _>>()?;
        let (kind, how) = match (&self.task, velocity) {
            (_, Some(velocity)) => ("spaceship", format!(" of {velocity}")),
            (SearchTask::Oscillator { period }, _) => {
                ("oscillator", format!(" of period {period}"))
            }
            _ => ("still life", String::new()),
        };
        let drawn = if drawing.is_some() { ", as drawn" } else { "" };
        let bound = self.bound();
        let place =
            format!("{kind}{how} in a {width} x {height} box, {symmetry}, {rule}{bound}{drawn}");
        Ok(RequestedSearch {
            cases: RequestedCases::Periodic(cases),
            rule,
            none: format!("there is no {place}"),
            question: place,
            patterns: self.patterns(),
        })
    }

    /// What is known of the first generation.
    fn fixed(&self, drawing: &FillPattern) -> Vec<FixedCell> {
        let cells = drawing.fixed_cells().into_iter();
        let Some(margin) = self.free_margin else {
            return cells.collect();
        };
        let live = cells.filter(|cell| cell.states != AllowedStates::only(0));
        let moved = live.map(|cell| FixedCell {
            x: cell.x + margin,
            y: cell.y + margin,
            ..cell
        });
        moved.collect()
    }

    fn parents(
        &self,
        table: &BlockRule,
        rule: Rule,
        drawing: Option<FillPattern>,
        generations: u32,
        margin: u32,
    ) -> Result<RequestedSearch, SearchRequestError> {
        let drawing = drawing.ok_or(SearchRequestError::NoDrawing)?;
        let (width, height) = (drawing.width(), drawing.height());
        let grown = |side: u32| {
            let reach = generations.saturating_add(margin);
            side.saturating_add(reach.saturating_mul(2))
        };
        check_size(grown(width), grown(height), generations)?;
        let question = PredecessorQuestion {
            generations,
            margin,
            population: self.population(),
            ..PredecessorQuestion::new(rule.clone(), width, drawing.cells(0, table.states()))
        };
        let case = HistoryCase::of_parents(&question)?;
        let before = crate::counted(generations, "generation");
        let bound = self.bound();
        let target = format!("these {width} x {height} cells");
        let (question, none) = match self.task {
            SearchTask::Orphan => (
                format!("whether {target} are an orphan in {rule}{bound}"),
                format!("it is an orphan: nothing becomes {target} in {rule}{bound}"),
            ),
            _ => (
                format!("what becomes {target} in {before}, {rule}{bound}"),
                format!(
                    "nothing becomes {target} in {before}, with {margin} dead cells around them, \
                     in {rule}{bound}"
                ),
            ),
        };
        Ok(RequestedSearch {
            cases: RequestedCases::History(Box::new(case)),
            rule,
            question,
            none,
            patterns: self.patterns(),
        })
    }
}

fn check_size(width: u32, height: u32, period: u32) -> Result<(), SearchRequestError> {
    let cells = u64::from(width) * u64::from(height);
    let fits =
        width.max(height) <= LONGEST_SIDE && cells.saturating_mul(u64::from(period)) <= MOST_CELLS;
    fits.then_some(()).ok_or(SearchRequestError::TooLarge {
        width,
        height,
        period,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(task: SearchTask, drawing: &str) -> SearchRequest {
        SearchRequest {
            drawing: drawing.into(),
            ..SearchRequest::in_box(task, (1, 1))
        }
    }

    #[test]
    fn what_means_nothing_is_refused_in_a_sentence() {
        let still = SearchRequest::in_box(SearchTask::Still, (4, 4));
        let ship = |velocity: &str| SearchTask::Ship {
            velocity: velocity.into(),
        };
        let rows = [
            (
                SearchRequest {
                    rule: "B9".into(),
                    ..still.clone()
                },
                "B9",
            ),
            (
                SearchRequest {
                    symmetry: "D9".into(),
                    ..still.clone()
                },
                "D9",
            ),
            (SearchRequest::in_box(ship("fast"), (4, 4)), "fast"),
            (
                SearchRequest::in_box(ship("c/1"), (4, 4)),
                "cannot be reached",
            ),
            (
                SearchRequest {
                    symmetry: "C4".into(),
                    ..SearchRequest::in_box(ship("c/4"), (4, 4))
                },
                "C4 cannot move at c/4",
            ),
            (
                SearchRequest::in_box(SearchTask::Oscillator { period: 0 }, (4, 4)),
                "no cells",
            ),
            (
                SearchRequest::in_box(SearchTask::Oscillator { period: 5 }, (64, 64)),
                "`gridpaper search` takes more",
            ),
            (SearchRequest::in_box(SearchTask::Orphan, (4, 4)), "draw"),
            (drawn(SearchTask::Orphan, "o;"), "column 2"),
            (drawn(SearchTask::Still, "o!o!"), "one generation"),
            (
                drawn(SearchTask::Predecessor { generations: 40 }, "o!"),
                "too large",
            ),
        ];
        for (request, words) in rows {
            let error = request.check().unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
