//! The class `Question`: one pattern, all of them, how many, or a proof that there is none.

use super::bounds::refused;
use super::case::AskedCase;
use super::limits::{MEMORY, SearchFault, SearchLimits, flow};
use super::run::{by_rows, prove, race_cases, sweep};
use crate::error;
use crate::pattern::PyPattern;
use crate::rule::PyRule;
use crate::watch::SignalWatch;
use census::StateBox;
use grid::Point;
use gridpaper::{Cells, Pattern, Rule};
use num_bigint::BigUint;
use pyo3::prelude::*;
use search::{
    AllowedStates, BlockRule, BoxSymmetry, FoundPattern, OrphanAnswer, OrphanSearch, PeriodicCase,
    PeriodicQuestion, RowQuestion, StillLifeListError, Velocity, count_parents_while,
    count_still_lifes, densest_still_life, list_still_lifes,
};
use std::path::PathBuf;

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
    pub(super) kind: QuestionKind,
    pub(super) rule: Rule,
    pub(super) words: String,
    /// Whether it matters where the cells lie.
    pub(super) keeps_place: bool,
}

pub(super) enum QuestionKind {
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

pub(super) struct OrphanBox {
    pub(super) size: (u32, u32),
    pub(super) symmetry: BoxSymmetry,
    pub(super) beam: usize,
}

/// What `count` counts.
pub(super) enum CountedThing {
    StillLifes((u32, u32)),
    Parents(u32, Vec<AllowedStates>),
    Nothing,
}

/// A pattern that is found with what was found before it was stopped.
type SearchResult = (Vec<FoundPattern>, Result<(), SearchFault>);

impl PyQuestion {
    /// Of patterns in boxes, wherever these lie.
    pub(super) fn of_boxes(
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
    pub(super) fn of_places(
        case: AskedCase,
        counted: CountedThing,
        words: String,
        rule: Rule,
    ) -> Self {
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
