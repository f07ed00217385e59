//! `Question`: patterns with a property, found, listed, counted, or proven not to be. The engines
//! are the crate `search`'s, and `models` runs them at once.

use crate::error;
use crate::pattern::{PyPattern, generations, pattern_of, symmetry};
use crate::rule::{self, PyRule, rule_text};
use crate::watch::SignalWatch;
use census::StateBox;
use grid::Point;
use gridpaper::{Cells, Pattern, Rule, Symmetry};
use models::search_race::{SearchRaceEnd, SearchRaceEvent, SearchRaceSettings, race};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive as _;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use search::{
    AgarCase, AgarQuestion, AllowedStates, BlockRule, BoxSymmetry, CellGuess, CellOrder,
    CellSearchOptions, FillPattern, FoundPattern, HistoryCase, OrphanAnswer, OrphanSearch,
    PeriodicCase, PeriodicQuestion, PopulationLimits, PredecessorQuestion, ProblemSolver as _,
    RowAnswer, RowQuestion, RowSearch, RowSymmetry, SatOptions, SatSearch, SearchAnswer,
    SearchCase, SearchEngine, SearchFlow, StillLifeCountError, StillLifeListError, Velocity,
    count_parents_while, count_still_lifes, densest_still_life, list_still_lifes, verify_proof,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The most cells of a target.
const MAX_AREA: u64 = 1 << 20;
/// Bytes that a search may hold, as the command has it.
const MEMORY: u64 = 4 << 30;

/// What is looked for. The functions of `gridpaper.search` make questions.
///
/// >>> from gridpaper import search
/// >>> question = search.osc(3, (7, 7))
/// >>> question.find().period
/// 3
/// >>> search.osc(3, (4, 4)).find() is None
/// True
#[pyclass(frozen, module = "gridpaper.search", name = "Question")]
pub(crate) struct PyQuestion {
    kind: QuestionKind,
    rule: Rule,
    words: String,
    /// Whether it matters where the cells lie.
    keeps_place: bool,
}

enum QuestionKind {
    /// What the engines solve, one direction after the other.
    Cases(Vec<AskedCase>, CountedThing),
    /// Ships of any height.
    Rows(RowQuestion, Velocity),
    Orphan(OrphanBox),
    /// Still lifes of few cells, in no box.
    FewCells {
        least: u32,
        most: u32,
    },
}

struct OrphanBox {
    size: (u32, u32),
    symmetry: BoxSymmetry,
    beam: usize,
}

/// What `count` counts.
enum CountedThing {
    StillLifes((u32, u32)),
    Parents(u32, Vec<AllowedStates>),
    Nothing,
}

enum AskedCase {
    Periodic(PeriodicQuestion, PeriodicCase),
    History(HistoryCase),
    Agar(AgarCase),
}

impl AskedCase {
    fn boxed(&self) -> Box<dyn SearchCase> {
        match self {
            Self::Periodic(_, case) => Box::new(case.clone()),
            Self::History(case) => Box::new(case.clone()),
            Self::Agar(case) => Box::new(case.clone()),
        }
    }

    /// The question itself: one in which no images are left out.
    fn whole(&self) -> Result<Box<dyn SearchCase>, SearchFault> {
        let Self::Periodic(question, _) = self else {
            return Ok(self.boxed());
        };
        let question = PeriodicQuestion {
            up_to_symmetry: false,
            ..question.clone()
        };
        let case = PeriodicCase::new(question).map_err(SearchFault::wrong)?;
        Ok(Box::new(case))
    }
}

/// How a search is run, and what ends it.
struct SearchLimits {
    engines: Vec<SearchEngine>,
    options: CellSearchOptions,
    time: Option<Duration>,
    memory: u64,
    begun: Instant,
}

impl SearchLimits {
    fn new(
        engine: &str,
        order: &str,
        guess: &str,
        seed: u64,
        threads: Option<usize>,
        time: Option<f64>,
        memory: u64,
    ) -> PyResult<Self> {
        let wrong = |what: &str, word: &str, words: &str| {
            Err(PyValueError::new_err(format!(
                "{what}={word:?}: expected {words}"
            )))
        };
        let engines = match (engine, threads) {
            ("auto", Some(1)) => vec![SearchEngine::Cells],
            ("auto", _) => vec![SearchEngine::Cells, SearchEngine::Sat],
            (name, _) => match name.parse() {
                Ok(engine) => vec![engine],
                Err(_) => return wrong("engine", engine, "auto, sat or cells"),
            },
        };
        let order = match order {
            "auto" => CellOrder::Auto,
            "row" => CellOrder::Row,
            "column" => CellOrder::Column,
            "diagonal" => CellOrder::Diagonal,
            _ => return wrong("order", order, "auto, row, column or diagonal"),
        };
        let guess = match guess {
            "dead" => CellGuess::Dead,
            "live" => CellGuess::Live,
            "random" => CellGuess::Random,
            _ => return wrong("guess", guess, "dead, live or random"),
        };
        let time = match time.map(Duration::try_from_secs_f64).transpose() {
            Ok(time) => time,
            Err(_) => {
                let message = "time: expected a number of seconds, 0 or more";
                return Err(PyValueError::new_err(message));
            }
        };
        Ok(Self {
            engines,
            options: CellSearchOptions { order, guess, seed },
            time,
            memory,
            begun: Instant::now(),
        })
    }

    /// Whether to go on with so many nodes and bytes; else why not.
    fn check(&self, watch: &mut SignalWatch, nodes: u64, bytes: u64) -> Result<(), SearchFault> {
        if !watch.goes_on(|| nodes) {
            return Err(SearchFault::Stopped);
        }
        if self.time.is_some_and(|time| self.begun.elapsed() >= time) {
            return Err(SearchFault::Late);
        }
        if bytes > self.memory {
            return Err(SearchFault::Full(self.memory));
        }
        Ok(())
    }
}

/// Why a search has no answer.
enum SearchFault {
    /// By a signal, or by what the progress function raised.
    Stopped,
    Late,
    Full(u64),
    Wrong(String),
    File(PathBuf, io::Error),
}

impl SearchFault {
    fn wrong(error: impl Display) -> Self {
        Self::Wrong(error.to_string())
    }

    fn raise(self, py: Python<'_>, found: Vec<PyPattern>) -> PyErr {
        match self {
            Self::Stopped => PyKeyboardInterrupt::new_err(()),
            Self::Late => error::unfinished(py, found),
            Self::Full(limit) => error::exhausted(
                py,
                &format!("the search holds more than {limit} bytes: nothing is proven"),
                limit,
            ),
            Self::Wrong(message) => error::search(py, &message, None),
            Self::File(path, error) => error::of_file(&path, &error),
        }
    }
}

/// A pattern that is found with what was found before it was stopped.
type SearchResult = (Vec<FoundPattern>, Result<(), SearchFault>);

impl PyQuestion {
    /// Of patterns in boxes, wherever these lie.
    fn of_boxes(
        py: Python<'_>,
        questions: impl IntoIterator<Item = PeriodicQuestion>,
        counted: CountedThing,
        words: String,
        rule: Rule,
    ) -> PyResult<Self> {
        let cases = questions.into_iter().map(|question| {
            let case = PeriodicCase::new(question.clone()).map_err(|fault| refused(py, fault))?;
            Ok(AskedCase::Periodic(question, case))
        });
        Ok(Self {
            kind: QuestionKind::Cases(cases.collect::<PyResult<_>>()?, counted),
            rule,
            words,
            keeps_place: false,
        })
    }

    /// Of cells that are where they are.
    fn of_places(case: AskedCase, counted: CountedThing, words: String, rule: Rule) -> Self {
        Self {
            kind: QuestionKind::Cases(vec![case], counted),
            rule,
            words,
            keeps_place: true,
        }
    }

    /// At most so many patterns.
    fn search(&self, limits: &SearchLimits, most: u64, watch: &mut SignalWatch) -> SearchResult {
        let mut found = Vec::new();
        let ended = match &self.kind {
            QuestionKind::Cases(cases, _) => race_cases(cases, limits, most, watch, &mut found),
            QuestionKind::Rows(question, velocity) => {
                let question = RowQuestion {
                    memory: limits.memory,
                    ..question.clone()
                };
                by_rows(question, *velocity, limits, most, watch, &mut found)
            }
            QuestionKind::Orphan(target) => self.orphan(target, limits, watch, &mut found),
            QuestionKind::FewCells { least, most: cells } => {
                let bounds = (*least, *cells);
                self.few_cells(bounds, limits, most, watch, &mut found)
            }
        };
        (found, ended)
    }

    fn orphan(
        &self,
        target: &OrphanBox,
        limits: &SearchLimits,
        watch: &mut SignalWatch,
        found: &mut Vec<FoundPattern>,
    ) -> Result<(), SearchFault> {
        let OrphanBox {
            size,
            symmetry,
            beam,
        } = *target;
        let search = OrphanSearch::new(&self.rule, size, symmetry, beam, limits.options.seed);
        let mut search = search.map_err(SearchFault::wrong)?;
        let mut fault = None;
        let answer = search.run(&mut |progress, _| {
            flow(
                limits.check(watch, progress.nodes, progress.bytes),
                &mut fault,
            )
        });
        if let Some(fault) = fault {
            // the system takes a second to have gigabytes back, and Ctrl-C does not wait for that
            std::thread::spawn(move || drop(search));
            return Err(fault);
        }
        let OrphanAnswer::Found(states) = answer else {
            return Ok(());
        };
        let cells: Vec<_> = states
            .iter()
            .zip(0_i64..)
            .map(|(&state, index)| {
                let width = i64::from(size.0);
                (Point::new(index % width, index / width), state)
            })
            .collect();
        let cells = StateBox::from_cells(cells.into_iter());
        found.push(FoundPattern {
            population: cells.population(),
            cells,
            ..FoundPattern::default()
        });
        Ok(())
    }

    fn few_cells(
        &self,
        (least, most_cells): (u32, u32),
        limits: &SearchLimits,
        most: u64,
        watch: &mut SignalWatch,
        found: &mut Vec<FoundPattern>,
    ) -> Result<(), SearchFault> {
        let mut fault = None;
        let listed = list_still_lifes(&self.rule, most_cells, &mut |known| {
            flow(limits.check(watch, known as u64, 0), &mut fault)
        });
        let listed = listed.map_err(|error| match (error, fault) {
            (StillLifeListError::Stopped, Some(fault)) => fault,
            (error, _) => SearchFault::wrong(error),
        })?;
        let lives = listed
            .iter()
            .filter(|life| life.cells.len() as u64 >= u64::from(least));
        for life in lives.take(usize::try_from(most).unwrap_or(usize::MAX)) {
            let cells = StateBox::from_points(&life.cells);
            found.push(FoundPattern::named(&self.rule, cells).map_err(SearchFault::wrong)?);
        }
        Ok(())
    }

    /// What was found, as a pattern with its rule.
    fn pattern(&self, found: &FoundPattern) -> PyPattern {
        let corner = match self.keeps_place {
            true => (0, 0),
            false => (found.cells.x, found.cells.y),
        };
        let cells = found.pattern().translated(-corner.0, -corner.1);
        // on a torus it matters where the cells lie
        let nothing = Pattern::from_cells(Cells::default(), &self.rule.to_string());
        nothing.with_cells(cells).into()
    }

    fn patterns(
        &self,
        py: Python<'_>,
        limits: &SearchLimits,
        most: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<PyPattern>> {
        let mut watch = SignalWatch::of(py, progress, py.None())?;
        let (found, ended) = py.detach(|| self.search(limits, most, &mut watch));
        watch.finish()?;
        let found = found.iter().map(|found| self.pattern(found)).collect();
        match ended {
            Ok(()) => Ok(found),
            Err(fault) => Err(fault.raise(py, found)),
        }
    }

    fn cases(&self, what: &str, py: Python<'_>) -> PyResult<(&[AskedCase], &CountedThing)> {
        match &self.kind {
            QuestionKind::Cases(cases, counted) => Ok((cases, counted)),
            _ => {
                let message = format!("{}: there is no {what} of such a search", self.words);
                Err(error::search(py, &message, None))
            }
        }
    }
}

fn flow(checked: Result<(), SearchFault>, fault: &mut Option<SearchFault>) -> SearchFlow {
    match checked {
        Ok(()) => SearchFlow::Continue,
        Err(why) => {
            fault.get_or_insert(why);
            SearchFlow::Stop
        }
    }
}

fn race_cases(
    cases: &[AskedCase],
    limits: &SearchLimits,
    most: u64,
    watch: &mut SignalWatch,
    found: &mut Vec<FoundPattern>,
) -> Result<(), SearchFault> {
    let boxed = || cases.iter().map(AskedCase::boxed).collect();
    let settings = SearchRaceSettings {
        engines: limits.engines.clone(),
        options: limits.options,
        patterns: most,
        ..SearchRaceSettings::default()
    };
    let mut fault = None;
    let (mut nodes, mut bytes) = ([0_u64; 2], [0_u64; 2]);
    let end = race(&boxed, &settings, &mut |event| {
        match event {
            Some(SearchRaceEvent::Found { pattern, .. }) => found.push(*pattern),
            Some(SearchRaceEvent::Progress {
                engine, progress, ..
            }) => {
                nodes[engine as usize] = progress.nodes;
                bytes[engine as usize] = progress.bytes;
            }
            Some(SearchRaceEvent::Saved(_)) | None => {}
        }
        let checked = limits.check(watch, nodes.iter().sum(), bytes.iter().sum());
        flow(checked, &mut fault) == SearchFlow::Continue
    });
    match (end.map_err(SearchFault::wrong)?, fault) {
        (SearchRaceEnd::Stopped(_), Some(fault)) => Err(fault),
        _ => Ok(()),
    }
}

fn by_rows(
    question: RowQuestion,
    velocity: Velocity,
    limits: &SearchLimits,
    most: u64,
    watch: &mut SignalWatch,
    found: &mut Vec<FoundPattern>,
) -> Result<(), SearchFault> {
    let rule = question.rule.clone();
    let mut search = RowSearch::new(question).map_err(SearchFault::wrong)?;
    let mut codes = BTreeSet::new();
    let (watch, nodes) = (RefCell::new(watch), Cell::new(0));
    // a job is some milliseconds, and hundreds of them lie between two questions of the search: once
    // a signal has come they are left out, and the search, which is then not whole, is ended
    let jobs = |count: usize, job: &(dyn Fn(usize) + Sync)| {
        let mut numbers = 0..count;
        while let Some(number) = numbers.next()
            && watch.borrow_mut().goes_on(|| nodes.get())
        {
            job(number);
        }
    };
    while (found.len() as u64) < most {
        let mut fault = None;
        // it keeps to its share of the memory by itself
        let answer = search.solve_with(&jobs, &mut |progress, _| {
            nodes.set(progress.nodes);
            let checked = limits.check(&mut watch.borrow_mut(), progress.nodes, 0);
            flow(checked, &mut fault)
        });
        match answer {
            RowAnswer::Found(cells) => {
                let ship = FoundPattern::named(&rule, StateBox::from_points(&cells));
                let ship = ship.map_err(SearchFault::wrong)?;
                let period = ship.period.unwrap_or(0);
                // it may repeat sooner, at the same speed
                let is_it = u64::from(velocity.period).checked_rem(period) == Some(0)
                    && ship.dy.abs() * (i64::from(velocity.period) / period as i64)
                        == velocity.rows.abs();
                if !is_it {
                    let message = "what was found is not what was asked for: it moves otherwise";
                    return Err(SearchFault::wrong(message));
                }
                if codes.insert(ship.apgcode.clone()) {
                    found.push(ship);
                }
            }
            RowAnswer::Exhausted => return Ok(()),
            RowAnswer::Stopped => return Err(fault.unwrap_or(SearchFault::Stopped)),
        }
    }
    Ok(())
}

#[pymethods]
impl PyQuestion {
    /// The rule, on the torus of an agar.
    #[getter]
    fn rule(&self) -> PyRule {
        PyRule::new(self.rule.clone())
    }

    /// One pattern; `None` where it is certain that there is none. Only of an orphan that is no
    /// proof.
    ///
    /// `engine` is sat, cells, or auto: both at once; one of them with `threads=1`, which makes what
    /// is found repeatable. `order`, `guess` and `seed` say how cells goes. After `time` seconds
    /// `Unfinished` is raised, and `Exhausted` beyond `memory` bytes. `progress` is called with the
    /// number of guesses.
    ///
    /// >>> from gridpaper import search
    /// >>> glider = search.ship("c/4 diagonal", (4, 4)).find()
    /// >>> glider.apgcode
    /// 'xq4_153'
    #[pyo3(signature = (
        *, engine="auto", order="auto", guess="live", seed=0, threads=None, time=None,
        memory=4294967296, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn find(
        &self,
        py: Python<'_>,
        engine: &str,
        order: &str,
        guess: &str,
        seed: u64,
        threads: Option<usize>,
        time: Option<f64>,
        memory: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<PyPattern>> {
        let limits = SearchLimits::new(engine, order, guess, seed, threads, time, memory)?;
        Ok(self.patterns(py, &limits, 1, progress)?.into_iter().next())
    }

    /// All patterns, each once: images and later generations of one are not told again. With
    /// `limit`, at most so many. The options are those of `find`; what was found before time ran
    /// out is in `Unfinished.found`.
    ///
    /// >>> from gridpaper import search
    /// >>> sorted(life.apgcode for life in search.still((3, 3)).all())
    /// ['xs4_252', 'xs4_33', 'xs5_253', 'xs6_356']
    #[pyo3(signature = (
        limit=None, *, engine="auto", order="auto", guess="live", seed=0, threads=None,
        time=None, memory=4294967296, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn all(
        &self,
        py: Python<'_>,
        limit: Option<u64>,
        engine: &str,
        order: &str,
        guess: &str,
        seed: u64,
        threads: Option<usize>,
        time: Option<f64>,
        memory: u64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<PyPattern>> {
        let limits = SearchLimits::new(engine, order, guess, seed, threads, time, memory)?;
        match limit.unwrap_or(u64::MAX) {
            0 => Ok(Vec::new()),
            most => self.patterns(py, &limits, most, progress),
        }
    }

    /// How many arrangements there are, without finding them: all still lifes as they lie in a box,
    /// the empty one among them; all parents of a pattern, one generation back.
    ///
    /// >>> from gridpaper import search
    /// >>> search.still((4, 4)).count()
    /// 83
    /// >>> search.predecessor("block", margin=0).count()
    /// 1005
    #[pyo3(signature = (*, time=None, progress=None))]
    fn count(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<BigUint> {
        let limits = SearchLimits::new("auto", "auto", "live", 0, None, time, MEMORY)?;
        let (_, counted) = self.cases("count", py)?;
        let mut watch = SignalWatch::of(py, progress, py.None())?;
        let count = py.detach(|| match counted {
            CountedThing::StillLifes((width, height)) => {
                let rule = BlockRule::new(&self.rule).map_err(SearchFault::wrong)?;
                sweep(&limits, &mut watch, &mut |control| {
                    count_still_lifes(&rule, *width, *height, control)
                })
            }
            CountedThing::Parents(width, target) => {
                let (mut fault, mut steps) = (None, 0);
                let counted = count_parents_while(&self.rule, *width, target, &mut || {
                    steps += 1;
                    flow(limits.check(&mut watch, steps, 0), &mut fault)
                });
                match counted.map_err(SearchFault::wrong)? {
                    Some(count) => Ok(count),
                    None => Err(fault.unwrap_or(SearchFault::Stopped)),
                }
            }
            CountedThing::Nothing => Err(SearchFault::Wrong(format!(
                "{}: still lifes in a box and parents are counted, with no bounds or symmetry; \
                 `all` lists the others",
                self.words
            ))),
        });
        watch.finish()?;
        count.map_err(|fault| fault.raise(py, Vec::new()))
    }

    /// The most live cells that a still life in the box has.
    ///
    /// >>> from gridpaper import search
    /// >>> search.still((5, 5)).densest()
    /// 16
    #[pyo3(signature = (*, time=None, progress=None))]
    fn densest(
        &self,
        py: Python<'_>,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u32> {
        let limits = SearchLimits::new("auto", "auto", "live", 0, None, time, MEMORY)?;
        let (_, CountedThing::StillLifes((width, height))) = self.cases("densest", py)? else {
            let message = format!("{}: of still lifes in a box alone", self.words);
            return Err(error::search(py, &message, None));
        };
        let mut watch = SignalWatch::of(py, progress, py.None())?;
        let densest = py.detach(|| {
            let rule = BlockRule::new(&self.rule).map_err(SearchFault::wrong)?;
            sweep(&limits, &mut watch, &mut |control| {
                densest_still_life(&rule, *width, *height, control)
            })
        });
        watch.finish()?;
        densest.map_err(|fault| fault.raise(py, Vec::new()))
    }

    /// Writes a proof that there is no such pattern: `path` in DRAT, and the formula that it is of
    /// beside it, with the ending .cnf. `None` where the proof is written; where there is a pattern,
    /// no proof is written, and it is returned. `gridpaper.search.verify` checks a proof.
    ///
    /// >>> import os, tempfile
    /// >>> from gridpaper import search
    /// >>> with tempfile.TemporaryDirectory() as folder:
    /// ...     path = os.path.join(folder, "none.drat")
    /// ...     print(search.osc(3, (4, 4)).proof(path))
    /// ...     search.verify(os.path.join(folder, "none.cnf"), path) > 0
    /// None
    /// True
    #[pyo3(signature = (path, *, seed=0, time=None, progress=None))]
    fn proof(
        &self,
        py: Python<'_>,
        path: PathBuf,
        seed: u64,
        time: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<PyPattern>> {
        let limits = SearchLimits::new("sat", "auto", "live", seed, None, time, MEMORY)?;
        let (cases, _) = self.cases("proof", py)?;
        let [case] = cases else {
            let message = format!(
                "{}: a proof is of one direction, and these are {}",
                self.words,
                cases.len()
            );
            let hint = Some("give the direction, as in \"(0,1)c/3\"");
            return Err(error::search(py, &message, hint));
        };
        let mut watch = SignalWatch::of(py, progress, py.None())?;
        let proven = py.detach(|| prove(case, &path, &self.words, &limits, &mut watch));
        watch.finish()?;
        match proven {
            Ok(found) => Ok(found.map(|found| self.pattern(&found))),
            Err(fault) => Err(fault.raise(py, Vec::new())),
        }
    }

    fn __repr__(&self) -> String {
        format!("Question({})", self.words)
    }
}

/// What goes row by row through a box.
fn sweep<T>(
    limits: &SearchLimits,
    watch: &mut SignalWatch,
    work: &mut dyn FnMut(&mut search::RowControl<'_>) -> Result<T, StillLifeCountError>,
) -> Result<T, SearchFault> {
    let mut fault = None;
    let swept = work(&mut |row, _| flow(limits.check(watch, row.into(), 0), &mut fault));
    swept.map_err(|error| match (error, fault) {
        (StillLifeCountError::Stopped, Some(fault)) => fault,
        (error, _) => SearchFault::wrong(error),
    })
}

/// Writes a proof, or gives the pattern that makes one impossible.
fn prove(
    case: &AskedCase,
    path: &Path,
    words: &str,
    limits: &SearchLimits,
    watch: &mut SignalWatch,
) -> Result<Option<FoundPattern>, SearchFault> {
    let failed = |error| SearchFault::File(path.into(), error);
    let case = case.whole()?;
    let file = BufWriter::new(File::create(path).map_err(failed)?);
    let options = SatOptions {
        seed: (limits.options.seed != 0).then_some(limits.options.seed),
        ..SatOptions::default()
    };
    let mut solver = SatSearch::with_proof(case.problem().clone(), options, Box::new(file));
    let mut fault = None;
    let answer = solver.solve(&mut |progress, _| {
        flow(
            limits.check(watch, progress.nodes, progress.bytes),
            &mut fault,
        )
    });
    if let Some(error) = solver.proof_error() {
        return Err(failed(error));
    }
    match answer {
        SearchAnswer::Exhausted => {
            let formula = path.with_extension("cnf");
            let write = || {
                let mut out = BufWriter::new(File::create(&formula)?);
                solver.write_formula(&mut out, &[words])?;
                out.flush()
            };
            write().map_err(|error| SearchFault::File(formula.clone(), error))?;
            Ok(None)
        }
        SearchAnswer::Found(solution) => {
            // an empty file is no proof of anything
            let _ = std::fs::remove_file(path);
            let found = case.pattern_of(&solution).map_err(SearchFault::wrong)?;
            Ok(Some(found))
        }
        SearchAnswer::Stopped => {
            let _ = std::fs::remove_file(path);
            Err(fault.unwrap_or(SearchFault::Stopped))
        }
    }
}

/// Checks a proof with a checker that shares no code with the solver; gives its number of steps.
#[pyfunction]
#[pyo3(signature = (formula, proof))]
pub(crate) fn search_verify(py: Python<'_>, formula: PathBuf, proof: PathBuf) -> PyResult<u64> {
    let verified = py.detach(|| {
        let open = |path: &Path| {
            let file = File::open(path).map_err(|error| SearchFault::File(path.into(), error))?;
            Ok(BufReader::new(file))
        };
        let (mut formula, mut proof) = (open(&formula)?, open(&proof)?);
        verify_proof(&mut formula, &mut proof).map_err(SearchFault::wrong)
    });
    match verified {
        Ok(proof) => Ok(proof.lemmas),
        Err(fault) => Err(fault.raise(py, Vec::new())),
    }
}

/// What a question in a box is told beside its box.
struct BoxBounds {
    symmetry: BoxSymmetry,
    least: Option<u32>,
    most: Option<u32>,
    diagonal_width: Option<u32>,
}

impl BoxBounds {
    fn new(
        py: Python<'_>,
        symmetry: &str,
        least: Option<u32>,
        most: Option<u32>,
        diagonal_width: Option<u32>,
    ) -> PyResult<Self> {
        Ok(Self {
            symmetry: parsed(py, symmetry)?,
            least,
            most,
            diagonal_width,
        })
    }

    fn question(&self, rule: &Rule, period: u32, (width, height): (u32, u32)) -> PeriodicQuestion {
        PeriodicQuestion {
            symmetry: self.symmetry,
            population: PopulationLimits {
                least: self.least,
                most: self.most,
            },
            diagonal_width: self.diagonal_width,
            up_to_symmetry: true,
            ..PeriodicQuestion::new(rule.clone(), period, width, height)
        }
    }

    fn is_plain(&self) -> bool {
        self.symmetry == BoxSymmetry::C1
            && (self.least, self.most, self.diagonal_width) == (None, None, None)
    }
}

fn parsed<T: std::str::FromStr<Err: Display>>(py: Python<'_>, text: &str) -> PyResult<T> {
    text.parse()
        .map_err(|fault: T::Err| error::search(py, &fault.to_string(), None))
}

fn rule_of(py: Python<'_>, rule: Option<&Bound<'_, PyAny>>) -> PyResult<Rule> {
    let text = rule_text(rule)?.unwrap_or_else(|| source::DEFAULT_RULE.into());
    rule::parse(py, &text)
}

fn refused(py: Python<'_>, fault: impl Display) -> PyErr {
    error::search(py, &fault.to_string(), None)
}

/// Still lifes in a box; without one, all of at most `max_cells` cells.
#[pyfunction]
#[pyo3(signature = (
    size=None, *, rule=None, symmetry="C1", min_cells=None, max_cells=None, diagonal_width=None
))]
pub(crate) fn search_still(
    py: Python<'_>,
    size: Option<(u32, u32)>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let Some((width, height)) = size else {
        let (Some(most), BoxSymmetry::C1, None) = (max_cells, bounds.symmetry, diagonal_width)
        else {
            let message = "without a box all still lifes of at most max_cells are listed, and \
                           nothing else can be asked for";
            return Err(PyValueError::new_err(message));
        };
        return Ok(PyQuestion {
            kind: QuestionKind::FewCells {
                least: min_cells.unwrap_or(0),
                most,
            },
            words: format!("still lifes of at most {most} cells, {rule}"),
            rule,
            keeps_place: false,
        });
    };
    let counted = match bounds.is_plain() {
        true => CountedThing::StillLifes((width, height)),
        false => CountedThing::Nothing,
    };
    let question = bounds.question(&rule, 1, (width, height));
    let words = format!("still lifes in a {width} x {height} box, {symmetry}, {rule}");
    PyQuestion::of_boxes(py, [question], counted, words, rule)
}

/// Oscillators of an exact period in a box.
#[pyfunction]
#[pyo3(signature = (
    period, size, *, rule=None, symmetry="C1", transform="identity", subperiod=false,
    min_cells=None, max_cells=None, diagonal_width=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_osc(
    py: Python<'_>,
    period: u32,
    size: (u32, u32),
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    transform: &str,
    subperiod: bool,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let question = PeriodicQuestion {
        transform: self::symmetry(transform)?,
        subperiod,
        ..bounds.question(&rule, period, size)
    };
    let (width, height) = size;
    let words =
        format!("oscillators of period {period} in a {width} x {height} box, {symmetry}, {rule}");
    PyQuestion::of_boxes(py, [question], CountedThing::Nothing, words, rule)
}

/// Spaceships of a velocity in a box, or of so many columns and any height.
#[pyfunction]
#[pyo3(signature = (
    velocity, size=None, *, width=None, rule=None, symmetry=None, transform="identity",
    min_cells=None, max_cells=None, diagonal_width=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_ship(
    py: Python<'_>,
    velocity: &str,
    size: Option<(u32, u32)>,
    width: Option<u32>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: Option<&str>,
    transform: &str,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let velocity: Velocity = parsed(py, velocity)?;
    let transform = self::symmetry(transform)?;
    let (width, height) = match (size, width) {
        (Some(size), None) => size,
        (None, Some(width)) => {
            let symmetry: RowSymmetry = parsed(py, symmetry.unwrap_or("none"))?;
            let bounds = (min_cells, max_cells, diagonal_width);
            if velocity.columns != 0
                || transform != Symmetry::Identity
                || bounds != (None, None, None)
            {
                let message = "a search by rows is for ships that move along columns as they are, \
                               with no bounds: give a box";
                return Err(error::search(py, message, None));
            }
            let question = RowQuestion {
                rule: rule.clone(),
                period: velocity.period,
                offset: u32::try_from(velocity.rows.unsigned_abs()).unwrap_or(u32::MAX),
                width,
                symmetry,
                memory: MEMORY,
            };
            // what is wrong with the question is told at once
            RowSearch::new(question.clone()).map_err(|fault| refused(py, fault))?;
            return Ok(PyQuestion {
                kind: QuestionKind::Rows(question, velocity),
                words: format!(
                    "spaceships of {velocity}, {width} columns, symmetry {symmetry}, {rule}"
                ),
                rule,
                keeps_place: false,
            });
        }
        _ => {
            let message = "a spaceship needs either a box or a width";
            return Err(PyValueError::new_err(message));
        }
    };
    let symmetry = symmetry.unwrap_or("C1");
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let table = BlockRule::new(&rule).map_err(|fault| refused(py, fault))?;
    let ways = velocity.directions(&table, width, height, bounds.symmetry);
    if ways.is_empty() {
        let message = format!("a pattern of symmetry {symmetry} cannot move at {velocity}");
        return Err(error::search(py, &message, None));
    }
    let questions = ways.into_iter().map(|(dx, dy)| PeriodicQuestion {
        transform,
        ..bounds
            .question(&rule, velocity.period, (width, height))
            .moving(dx, dy)
    });
    let words = format!("spaceships of {velocity} in a {width} x {height} box, {symmetry}, {rule}");
    PyQuestion::of_boxes(py, questions, CountedThing::Nothing, words, rule.clone())
}

/// Patterns that become this one.
#[pyfunction]
#[pyo3(signature = (pattern, generations=None, *, margin=2, rule=None, max_cells=None))]
pub(crate) fn search_predecessor(
    py: Python<'_>,
    pattern: &Bound<'_, PyAny>,
    generations: Option<BigInt>,
    margin: u32,
    rule: Option<&Bound<'_, PyAny>>,
    max_cells: Option<u32>,
) -> PyResult<PyQuestion> {
    let pattern = pattern_of(pattern)?;
    let rule = match rule_text(rule)? {
        Some(text) => rule::parse(py, &text)?,
        None => rule::parse(py, pattern.rule_text())?,
    };
    let ago = generations.unwrap_or_else(|| 1.into());
    let ago = self::generations(&ago)?.to_u32().filter(|&ago| ago > 0);
    let ago = ago.ok_or_else(|| PyValueError::new_err("generations: give 1 or a few more"))?;
    let cells = StateBox::from_pattern(&pattern.contents().cells, MAX_AREA)
        .filter(|cells| !cells.is_empty());
    let Some(cells) = cells else {
        let message = format!("a pattern of 1 cell or more, in a box of at most {MAX_AREA} cells");
        return Err(error::search(py, &message, None));
    };
    let target: Vec<_> = cells
        .states()
        .iter()
        .map(|&state| AllowedStates::only(state))
        .collect();
    let (width, height) = (cells.width() as i64, cells.height() as i64);
    let question = PredecessorQuestion {
        generations: ago,
        margin,
        population: PopulationLimits {
            most: max_cells,
            ..PopulationLimits::default()
        },
        ..PredecessorQuestion::new(rule.clone(), width as u32, target)
    };
    let case = HistoryCase::of_parents(&question).map_err(|fault| refused(py, fault))?;
    let counted = match (ago, max_cells) {
        (1, None) => {
            let margin = i64::from(margin);
            let rows = -margin..height + margin;
            let places = rows.flat_map(|y| (-margin..width + margin).map(move |x| (x, y)));
            let states = places
                .map(|(x, y)| AllowedStates::only(cells.get(Point::new(cells.x + x, cells.y + y))));
            CountedThing::Parents((width + 2 * margin) as u32, states.collect())
        }
        _ => CountedThing::Nothing,
    };
    let words = format!("what becomes {width} x {height} cells in {ago}, {rule}");
    let case = AskedCase::History(case);
    Ok(PyQuestion::of_places(case, counted, words, rule))
}

/// Targets that nothing becomes.
#[pyfunction]
#[pyo3(signature = (size, *, rule=None, symmetry="C1", beam=64))]
pub(crate) fn search_orphan(
    py: Python<'_>,
    size: (u32, u32),
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    beam: usize,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let target = OrphanBox {
        size,
        symmetry: parsed(py, symmetry)?,
        beam: beam.clamp(1, 1 << 20),
    };
    OrphanSearch::new(&rule, size, target.symmetry, 1, 0).map_err(|fault| refused(py, fault))?;
    let (width, height) = size;
    Ok(PyQuestion {
        kind: QuestionKind::Orphan(target),
        words: format!("orphans of {width} x {height} cells, {symmetry}, {rule}"),
        rule,
        keeps_place: true,
    })
}

/// Patterns that repeat on a torus.
#[pyfunction]
#[pyo3(signature = (
    size, period=1, *, shift=0, rule=None, subperiod=false, min_cells=None, max_cells=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_agar(
    py: Python<'_>,
    size: (u32, u32),
    period: u32,
    shift: u32,
    rule: Option<&Bound<'_, PyAny>>,
    subperiod: bool,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
) -> PyResult<PyQuestion> {
    let rule = rule_of(py, rule)?;
    let (width, height) = size;
    let question = AgarQuestion {
        shift: shift.into(),
        subperiod,
        population: PopulationLimits {
            least: min_cells,
            most: max_cells,
        },
        ..AgarQuestion::new(rule, period, width, height)
    };
    let case = AgarCase::new(question).map_err(|fault| refused(py, fault))?;
    let rule = case.rule();
    let words = format!("agars of period {period}, {rule}");
    let case = AskedCase::Agar(case);
    Ok(PyQuestion::of_places(
        case,
        CountedThing::Nothing,
        words,
        rule,
    ))
}

/// Patterns of which some cells are known.
#[pyfunction]
#[pyo3(signature = (
    drawing, *, period=None, velocity=None, rule=None, symmetry="C1", min_cells=None,
    max_cells=None, diagonal_width=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn search_fill(
    py: Python<'_>,
    drawing: &str,
    period: Option<u32>,
    velocity: Option<&str>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    min_cells: Option<u32>,
    max_cells: Option<u32>,
    diagonal_width: Option<u32>,
) -> PyResult<PyQuestion> {
    let wrong = |fault: search::FillError| error::search(py, &format!("drawing: {fault}"), None);
    // the rule may be in the text, and how many states may be drawn is the rule's to say
    let drawn = FillPattern::parse(drawing, 256).map_err(wrong)?;
    let rule = match (rule_text(rule)?, drawn.rule()) {
        (Some(text), _) => rule::parse(py, &text)?,
        (None, Some(text)) => rule::parse(py, text)?,
        (None, None) => rule_of(py, None)?,
    };
    let table = BlockRule::new(&rule).map_err(|fault| refused(py, fault))?;
    let drawing = FillPattern::parse(drawing, table.states()).map_err(wrong)?;
    let bounds = BoxBounds::new(py, symmetry, min_cells, max_cells, diagonal_width)?;
    let size = (drawing.width(), drawing.height());
    let (period, ways) = match (period, velocity) {
        (Some(period), None) => (period, vec![(0, 0)]),
        (None, Some(velocity)) => {
            let velocity: Velocity = parsed(py, velocity)?;
            (velocity.period, velocity.all_directions(bounds.symmetry))
        }
        (None, None) => {
            if !bounds.is_plain() {
                let message = "bounds and symmetry are for patterns that repeat";
                return Err(PyValueError::new_err(message));
            }
            let case = HistoryCase::of_drawing(&drawing, &rule).map_err(wrong)?;
            let (case, words) = (
                AskedCase::History(case),
                format!("a history as drawn, {rule}"),
            );
            let counted = CountedThing::Nothing;
            return Ok(PyQuestion::of_places(case, counted, words, rule));
        }
        (Some(_), Some(_)) => {
            let message = "a period or a velocity, and not both";
            return Err(PyValueError::new_err(message));
        }
    };
    let questions = ways.into_iter().map(|(dx, dy)| PeriodicQuestion {
        fixed: drawing.fixed_cells(),
        subperiod: true,
        empty: true,
        ..bounds.question(&rule, period, size).moving(dx, dy)
    });
    let words = format!("as drawn, period {period}, {rule}");
    Ok(PyQuestion {
        keeps_place: true,
        ..PyQuestion::of_boxes(py, questions, CountedThing::Nothing, words, rule.clone())?
    })
}
