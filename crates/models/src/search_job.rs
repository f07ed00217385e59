//! A search that a face starts and watches: what is asked for, what is tried just now, and what was
//! found so far.
//!
//! The engines run as a [race](crate::search_race) on a thread that the face lends. A request is
//! smaller than what the command line takes: a person waits for it.

use crate::search_race::{
    SearchRaceEnd, SearchRaceError, SearchRaceEvent, SearchRaceSettings, race, search_alone,
};
use crate::worker_pool::{JobHandle, JobPermit, WorkerPool};
use pattern::{Format, Pattern};
use rule::Rule;
use search::{
    AllowedStates, BlockRule, BoxSymmetry, FillPattern, FixedCell, FoundPattern, HistoryCase,
    PeriodicCase, PeriodicQuestion, PopulationLimits, PredecessorQuestion, SearchCase,
    SearchEngine, Velocity,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// The longest side of a box.
pub const LONGEST_SIDE: u32 = 64;

/// The most cells of a box, in all generations together.
pub const MOST_CELLS: u64 = 16_384;

/// The most patterns that are listed.
pub const MOST_FOUND: u64 = 500;

/// How long a visitor's search lasts at most, where somebody else owns the machine.
pub const VISITOR_PATIENCE: Duration = Duration::from_secs(60);

/// The bytes that the engines of one search may hold.
const MOST_BYTES: u64 = 1 << 30;

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
enum RequestedCases {
    Periodic(Vec<PeriodicCase>),
    History(Box<HistoryCase>),
}

impl RequestedCases {
    fn boxed(&self) -> Vec<Box<dyn SearchCase>> {
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
struct RequestedSearch {
    cases: RequestedCases,
    rule: Rule,
    /// What is looked for: "period 3 in a 5 x 5 box, C1, B3/S23".
    question: String,
    /// What is said when there is none.
    none: String,
    patterns: u64,
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

    fn read(&self) -> Result<RequestedSearch, SearchRequestError> {
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

/// A pattern that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchFind {
    /// The apgcode of what repeats.
    pub code: Option<String>,
    /// The name, where one is known.
    pub name: Option<&'static str>,
    /// The cells with their rule, to be opened.
    pub rle: String,
    /// Live cells: the fewest of a period.
    pub population: u64,
    /// Generations until it repeats.
    pub period: Option<u64>,
    /// The cells of the first generation, a text for each row: `.`, `o`, letters for more states.
    pub rows: Vec<String>,
}

impl SearchFind {
    fn of(found: &FoundPattern, rule: &Rule) -> Self {
        let cells = found.pattern().translated(-found.cells.x, -found.cells.y);
        let pattern = Pattern {
            cells,
            rule: Some(rule.to_string()),
            ..Pattern::default()
        };
        let mut rle = Vec::new();
        // a text in memory takes what small cells are
        let _ = pattern::write(&pattern, Format::Rle, &mut rle);
        let letter = |&state: &u8| match state {
            0 => '.',
            1 => 'o',
            state => char::from(b'a' + (state - 1).min(25)),
        };
        let states = found.cells.states();
        let rows = states.chunks(found.cells.width().max(1));
        let code = found.apgcode.clone();
        Self {
            name: code.as_deref().and_then(census::object_name),
            code,
            rle: String::from_utf8_lossy(&rle).into_owned(),
            population: found.population,
            period: found.period,
            rows: rows.map(|row| row.iter().map(letter).collect()).collect(),
        }
    }

    /// What it is called: its name, its code, or what it is.
    ///
    /// ```
    /// use models::search_job::SearchFind;
    ///
    /// let find = SearchFind {
    ///     code: Some("xs4_33".into()),
    ///     name: None,
    ///     rle: "2o$2o!".into(),
    ///     population: 4,
    ///     period: Some(1),
    ///     rows: vec!["oo".into(), "oo".into()],
    /// };
    /// assert_eq!(find.title(), "xs4_33");
    /// ```
    #[must_use]
    pub fn title(&self) -> &str {
        let code = self.code.as_deref();
        self.name.or(code).unwrap_or("a predecessor")
    }
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchView {
    /// What is looked for, in words.
    pub question: String,
    /// The engine that told last.
    pub engine: Option<String>,
    /// Its guesses or conflicts.
    pub nodes: u64,
    /// The cells that are decided.
    pub depth: u64,
    /// How much of the tree has been searched, where that is known: 0 to 1.
    pub share: Option<f64>,
    /// The time since it began.
    pub seconds: f64,
    /// The first generation as it is tried just now, a text for each row; `?` is open.
    pub partial: Vec<String>,
    /// What was found, in order.
    pub found: Vec<SearchFind>,
    /// How it ended, in words; `None` while it runs.
    pub end: Option<String>,
}

impl SearchView {
    /// What is done just now, in words: how it ended, where it has.
    ///
    /// ```
    /// use models::search_job::SearchView;
    ///
    /// let view = SearchView { engine: Some("sat".into()), nodes: 12, ..SearchView::default() };
    /// assert_eq!(view.words(), "sat: 12 nodes, depth 0, 0 s");
    /// ```
    #[must_use]
    pub fn words(&self) -> String {
        if let Some(end) = &self.end {
            return end.clone();
        }
        let Some(engine) = &self.engine else {
            return "it begins".into();
        };
        let share = self
            .share
            .map(|share| format!(", {:.1} % of the tree", 100.0 * share));
        let share = share.unwrap_or_default();
        let nodes = crate::counted(self.nodes, "node");
        let (depth, seconds) = (self.depth, self.seconds);
        format!("{engine}: {nodes}, depth {depth}{share}, {seconds:.0} s")
    }
}

/// A search under way on a thread that the face lends. Dropped, it ends.
#[derive(Debug)]
pub struct SearchJob {
    request: SearchRequest,
    view: Arc<Mutex<SearchView>>,
    stop: Arc<AtomicBool>,
    _handle: JobHandle,
}

impl SearchJob {
    /// Begins to search, on a thread of the pool and one for each engine, for this long at most.
    ///
    /// # Errors
    /// When a part of the request means nothing, or it is too large.
    ///
    /// ```
    /// use models::search_job::{SearchJob, SearchRequest, SearchTask};
    /// use models::worker_pool::WorkerPool;
    ///
    /// let pool = WorkerPool::new(Default::default());
    /// pool.spawn("search", 1)?;
    /// let request = SearchRequest::in_box(SearchTask::Oscillator { period: 2 }, (3, 3));
    /// let job = SearchJob::start(&pool, request, None)?;
    /// while job.view().end.is_none() {
    ///     std::thread::yield_now();
    /// }
    /// assert_eq!(job.view().found[0].name, Some("blinker"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(
        pool: &WorkerPool,
        request: SearchRequest,
        patience: Option<Duration>,
    ) -> Result<Self, SearchRequestError> {
        let wanted = request.read()?;
        let view = Arc::new(Mutex::new(SearchView {
            question: wanted.question.clone(),
            ..SearchView::default()
        }));
        let stop = Arc::new(AtomicBool::new(false));
        let (shown, flag) = (Arc::clone(&view), Arc::clone(&stop));
        let handle = pool.begin(patience, move |permit| {
            let run = SearchJobRun {
                wanted: &wanted,
                view: &shown,
                told: &|_| (),
                stop: &flag,
                permit,
                patience,
            };
            run.search(
                &[SearchEngine::Cells, SearchEngine::Sat],
                &mut |settings, watch| race(&|| wanted.cases.boxed(), settings, watch),
            );
        });
        Ok(Self {
            request,
            view,
            stop,
            _handle: handle,
        })
    }

    /// What was asked for.
    #[must_use]
    pub fn request(&self) -> &SearchRequest {
        &self.request
    }

    /// How far it is.
    ///
    /// ```
    /// use models::search_job::{SearchJob, SearchRequest, SearchTask};
    ///
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// let request = SearchRequest::in_box(SearchTask::Still, (4, 4));
    /// let view = SearchJob::start(&pool, request, None)?.view();
    /// assert_eq!((view.found.len(), view.end), (0, None), "no thread yet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> SearchView {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.clone()
    }

    /// Ends it.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Searches with one engine on this thread, where there are no others, and tells each change of how
/// far it is.
///
/// ```
/// use models::search_job::{SearchRequest, SearchTask, run_search};
/// use models::worker_pool::JobPermit;
/// use search::SearchEngine;
/// use std::{cell::RefCell, time::Duration};
///
/// let request = SearchRequest::in_box(SearchTask::Oscillator { period: 2 }, (3, 3));
/// let permit = JobPermit::timed(Duration::MAX, || Duration::ZERO);
/// let last = RefCell::default();
/// run_search(&request, SearchEngine::Sat, &permit, &|view| *last.borrow_mut() = view.clone())?;
/// assert_eq!(last.borrow().found[0].name, Some("blinker"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a part of the request means nothing, or it is too large.
pub fn run_search(
    request: &SearchRequest,
    engine: SearchEngine,
    permit: &JobPermit,
    told: &dyn Fn(&SearchView),
) -> Result<(), SearchRequestError> {
    let wanted = request.read()?;
    let view = Mutex::new(SearchView {
        question: wanted.question.clone(),
        ..SearchView::default()
    });
    let run = SearchJobRun {
        wanted: &wanted,
        view: &view,
        told,
        stop: &AtomicBool::new(false),
        permit,
        patience: None,
    };
    run.search(&[engine], &mut |settings, watch| {
        search_alone(wanted.cases.boxed(), settings, &|| permit.elapsed(), watch)
    });
    Ok(())
}

/// How engines are run by settings; who watches is told of each event.
type RunEngines<'a> = &'a mut dyn FnMut(
    &SearchRaceSettings,
    &mut dyn FnMut(Option<SearchRaceEvent>) -> bool,
) -> Result<SearchRaceEnd, SearchRaceError>;

struct SearchJobRun<'a> {
    wanted: &'a RequestedSearch,
    view: &'a Mutex<SearchView>,
    /// Hears each change of the view.
    told: &'a dyn Fn(&SearchView),
    stop: &'a AtomicBool,
    permit: &'a JobPermit,
    patience: Option<Duration>,
}

impl SearchJobRun<'_> {
    fn update(&self, change: impl FnOnce(&mut SearchView)) {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut view);
    }

    fn tell(&self) {
        (self.told)(&self.view.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn search(&self, engines: &[SearchEngine], run: RunEngines<'_>) {
        let settings = SearchRaceSettings {
            engines: engines.to_vec(),
            patterns: self.wanted.patterns,
            ..SearchRaceSettings::default()
        };
        let mut bytes = [0; 2];
        let end = run(&settings, &mut |event| {
            let is_news = event.is_some();
            match event {
                Some(SearchRaceEvent::Progress {
                    engine,
                    progress,
                    partial,
                }) => {
                    bytes[engine as usize] = progress.bytes;
                    self.update(|view| {
                        view.engine = Some(engine.to_string());
                        view.nodes = progress.nodes;
                        view.depth = progress.depth;
                        view.share = progress.share;
                        view.partial = partial.lines().map(String::from).collect();
                    });
                }
                Some(SearchRaceEvent::Found { pattern, .. }) => {
                    let find = SearchFind::of(&pattern, &self.wanted.rule);
                    self.update(|view| view.found.push(find));
                }
                Some(SearchRaceEvent::Saved(_)) | None => {}
            }
            self.update(|view| view.seconds = self.permit.elapsed().as_secs_f64());
            if is_news {
                self.tell();
            }
            self.permit.goes_on()
                && !self.stop.load(Ordering::Relaxed)
                && bytes.iter().sum::<u64>() <= MOST_BYTES
        });
        let seconds = self.permit.elapsed().as_secs_f64();
        self.update(|view| {
            view.seconds = seconds;
            view.partial.clear();
            view.end = Some(match end {
                Ok(end) => self.words(&end, view.found.len() as u64, seconds, bytes),
                Err(error) => error.to_string(),
            });
        });
        self.tell();
    }

    fn words(&self, end: &SearchRaceEnd, found: u64, seconds: f64, bytes: [u64; 2]) -> String {
        let patterns = crate::counted(found, "pattern");
        match end {
            SearchRaceEnd::Exhausted(engine) if found == 0 => format!(
                "{}; the engine {engine} has gone through all of it",
                self.wanted.none
            ),
            SearchRaceEnd::Exhausted(_) => format!("{patterns}: these are all, {seconds:.1} s"),
            SearchRaceEnd::Enough(_) if self.wanted.patterns > 1 => {
                format!("{patterns}, and more are not listed here, {seconds:.1} s")
            }
            SearchRaceEnd::Enough(_) => format!("found in {seconds:.1} s"),
            SearchRaceEnd::Stopped(_) => {
                let is_late = !self.permit.goes_on() && self.permit.is_wanted();
                let why = match self.patience.filter(|_| is_late) {
                    Some(patience) => format!(
                        "after {} s, the most that a visitor has",
                        patience.as_secs()
                    ),
                    None if bytes.iter().sum::<u64>() > MOST_BYTES => {
                        format!("at {} MiB of memory", MOST_BYTES >> 20)
                    }
                    None => format!("after {seconds:.1} s"),
                };
                format!("stopped {why}: {patterns}, and nothing more is known")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> WorkerPool {
        let pool = WorkerPool::new(Arc::default());
        pool.spawn("search", 1).unwrap();
        pool
    }

    fn ended(request: SearchRequest, patience: Option<Duration>) -> SearchView {
        let pool = pool();
        let job = SearchJob::start(&pool, request, patience).unwrap();
        while job.view().end.is_none() {
            std::thread::yield_now();
        }
        job.view()
    }

    fn drawn(task: SearchTask, drawing: &str) -> SearchRequest {
        SearchRequest {
            drawing: drawing.into(),
            ..SearchRequest::in_box(task, (1, 1))
        }
    }

    #[test]
    fn each_task_finds_what_it_asks_for() {
        let ship = SearchTask::Ship {
            velocity: "(1,1)c/4".into(),
        };
        let rows = [
            (SearchRequest::in_box(ship, (4, 4)), Some("xq4_153")),
            (
                SearchRequest::in_box(SearchTask::Oscillator { period: 2 }, (3, 3)),
                Some("xp2_7"),
            ),
            (
                SearchRequest::in_box(SearchTask::Still, (2, 2)),
                Some("xs4_33"),
            ),
            // the blinker's phase is all that is drawn, and the rest of its box is free
            (
                SearchRequest {
                    free_margin: Some(1),
                    ..drawn(SearchTask::Oscillator { period: 2 }, "3o!")
                },
                Some("xp2_7"),
            ),
            (
                drawn(SearchTask::Predecessor { generations: 1 }, "2o$2o!"),
                None,
            ),
            (drawn(SearchTask::Orphan, "3o$3o!"), None),
        ];
        for (request, code) in rows {
            let view = ended(request.clone(), None);
            assert_eq!(view.found.len(), 1, "{request:?}: {view:?}");
            assert_eq!(view.found[0].code.as_deref(), code);
            assert!(view.end.unwrap().starts_with("found in"));
            let parsed = Pattern::from_text(&view.found[0].rle).unwrap();
            assert_eq!(parsed.rule.as_deref(), Some("B3/S23"));
            let drawn: usize = view.found[0]
                .rows
                .iter()
                .map(|row| row.matches('o').count())
                .sum();
            assert!(drawn > 0);
        }
    }

    #[test]
    fn none_and_all_are_said() {
        let none = ended(
            SearchRequest::in_box(SearchTask::Oscillator { period: 3 }, (4, 4)),
            None,
        );
        let words = none.end.unwrap();
        assert!(
            words.starts_with(
                "there is no oscillator of period 3 in a 4 x 4 box, C1, B3/S23; the engine"
            ),
            "{words}"
        );
        let all = ended(
            SearchRequest {
                all: true,
                ..SearchRequest::in_box(SearchTask::Still, (3, 3))
            },
            None,
        );
        // block, tub, boat, ship
        assert_eq!(all.found.len(), 4, "{all:?}");
        assert!(all.end.unwrap().starts_with("4 patterns: these are all"));
        // a block through which nothing of period 2 goes
        let fixed = ended(
            SearchRequest {
                free_margin: Some(0),
                ..drawn(SearchTask::Oscillator { period: 2 }, "2o$2o!")
            },
            None,
        );
        assert!(fixed.found.is_empty());
        assert!(
            fixed
                .end
                .unwrap()
                .contains("2 x 2 box, C1, B3/S23, as drawn;")
        );
        // every cell dies, so nothing becomes a live one
        let orphan = ended(
            SearchRequest {
                rule: "B/S".into(),
                ..drawn(SearchTask::Orphan, "o!")
            },
            None,
        );
        assert!(
            orphan
                .end
                .unwrap()
                .starts_with("it is an orphan: nothing becomes")
        );
    }

    #[test]
    fn a_search_ends_with_its_time_and_when_it_is_told_to() {
        // far more than either engine does in a moment
        let long = SearchRequest {
            all: true,
            ..SearchRequest::in_box(SearchTask::Oscillator { period: 5 }, (20, 20))
        };
        let late = ended(long.clone(), Some(Duration::ZERO));
        let words = late.end.unwrap();
        assert!(words.starts_with("stopped after 0 s, the most"), "{words}");
        let pool = pool();
        let job = SearchJob::start(&pool, long, None).unwrap();
        while job.view().partial.is_empty() {
            std::thread::yield_now();
        }
        let view = job.view();
        assert_eq!(view.partial.len(), 20);
        assert!(view.words().contains("depth"), "{}", view.words());
        job.stop();
        while job.view().end.is_none() {
            std::thread::yield_now();
        }
        assert!(job.view().words().contains("nothing more is known"));
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
