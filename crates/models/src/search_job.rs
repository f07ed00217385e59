//! A search that a face starts and watches: what is asked for, what is tried just now, and what was
//! found so far.
//!
//! The engines run as a [race](crate::search_race) on a thread that the face lends. A request is
//! smaller than what the command line takes: a person waits for it.

mod request;

pub use request::{
    LONGEST_SIDE, MOST_CELLS, MOST_FOUND, SearchRequest, SearchRequestError, SearchTask,
};

use crate::search_race::{
    SearchRaceEnd, SearchRaceError, SearchRaceEvent, SearchRaceSettings, race, search_alone,
};
use crate::worker_pool::{JobHandle, JobPermit, WorkerPool};
use pattern::{Format, Pattern};
use request::RequestedSearch;
use rule::Rule;
use search::{FoundPattern, SearchEngine};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a visitor's search lasts at most, where somebody else owns the machine.
pub const VISITOR_PATIENCE: Duration = Duration::from_secs(60);

/// The bytes that the engines of one search may hold.
const MOST_BYTES: u64 = 1 << 30;

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
}
