//! A search by several engines at once, each on a thread: the first answer ends the others, since
//! each engine is right. It tells how far it is, and ends when its caller says so. Where there are no
//! threads an engine searches alone.

use search::{
    CellSearchOptions, FoundPattern, FoundPatternError, SavedRun, SavedRunError, SearchCase,
    SearchEngine, SearchFlow, SearchOutcome, SearchProgress, SearchRun,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Progress is told this often.
const PACE: Duration = Duration::from_millis(200);

/// The caller is asked whether to go on at least this often.
const WATCH_PACE: Duration = Duration::from_millis(20);

/// How a search is run.
#[derive(Clone, Debug, Default)]
pub struct SearchRaceSettings {
    /// The engines, a thread each; one at least.
    pub engines: Vec<SearchEngine>,
    /// How the engine `cells` guesses.
    pub options: CellSearchOptions,
    /// Goes on from here, with the engine of then.
    pub resume: Option<SavedRun>,
    /// Patterns after which it ends.
    pub patterns: u64,
    /// How often it tells what is needed to go on later.
    pub save_pace: Option<Duration>,
}

/// What a search tells while it runs.
#[derive(Clone, Debug)]
pub enum SearchRaceEvent {
    /// How far an engine is.
    Progress {
        /// Which.
        engine: SearchEngine,
        /// How far.
        progress: SearchProgress,
        /// The first generation as it is tried just now: `.`, `o`, letters for more states, and
        /// `?` for cells that are open.
        partial: String,
    },
    /// A pattern that was checked.
    Found {
        /// Who found it.
        engine: SearchEngine,
        /// The pattern.
        pattern: Box<FoundPattern>,
    },
    /// What is needed to go on from here.
    Saved(SavedRun),
}

/// What ended a search.
#[derive(Clone, Debug)]
pub enum SearchRaceEnd {
    /// There are no more; the engine that made sure.
    Exhausted(SearchEngine),
    /// As many as were asked for.
    Enough(SavedRun),
    /// The caller ended it.
    Stopped(SavedRun),
}

/// A search that could not be run.
#[derive(Debug, Error)]
pub enum SearchRaceError {
    /// A solution that is none.
    #[error(transparent)]
    Pattern(#[from] FoundPatternError),
    /// A saved run of something else.
    #[error(transparent)]
    Saved(#[from] SavedRunError),
    /// The system gave no thread.
    #[error("no thread could be started: {0}")]
    Thread(#[from] std::io::Error),
}

/// Who may go on: everybody, nobody, or the engine of this number.
struct RaceFlag(AtomicUsize);

const EVERYBODY: usize = usize::MAX;
const NOBODY: usize = usize::MAX - 1;

impl RaceFlag {
    /// Whether an engine may go on.
    fn allows(&self, engine: usize) -> bool {
        let allowed = self.0.load(Ordering::Relaxed);
        allowed == EVERYBODY || allowed == engine
    }

    /// The first who comes has won. Whether this engine has.
    fn claim(&self, engine: usize) -> bool {
        let claimed =
            self.0
                .compare_exchange(EVERYBODY, engine, Ordering::AcqRel, Ordering::Acquire);
        claimed.is_ok() || claimed == Err(engine)
    }
}

enum RaceMessage {
    Event(SearchRaceEvent),
    Ended(Result<SearchRaceEnd, SearchRaceError>),
}

/// Runs a search until it is exhausted, has found enough, or `watch` returns false.
///
/// ```
/// use models::search_race::{SearchRaceEnd, SearchRaceEvent, SearchRaceSettings, race};
/// use search::{PeriodicCase, PeriodicQuestion, SearchCase, SearchEngine};
///
/// let question = PeriodicQuestion::new("B3/S23".parse()?, 2, 3, 3);
/// let case = PeriodicCase::new(question)?;
/// let cases = || vec![Box::new(case.clone()) as Box<dyn SearchCase>];
/// let settings = SearchRaceSettings {
///     engines: vec![SearchEngine::Sat, SearchEngine::Cells],
///     patterns: 10,
///     ..SearchRaceSettings::default()
/// };
/// let mut codes = Vec::new();
/// let end = race(&cases, &settings, &mut |event| {
///     if let Some(SearchRaceEvent::Found { pattern, .. }) = event {
///         codes.extend(pattern.apgcode);
///     }
///     true
/// })?;
/// assert!(matches!(end, SearchRaceEnd::Exhausted(_)));
/// assert_eq!(codes, ["xp2_7"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A saved run of another question, or a solution that an engine does not confirm.
pub fn race(
    cases: &(dyn Fn() -> Vec<Box<dyn SearchCase>> + Sync),
    settings: &SearchRaceSettings,
    watch: &mut dyn FnMut(Option<SearchRaceEvent>) -> bool,
) -> Result<SearchRaceEnd, SearchRaceError> {
    let engines = match &settings.resume {
        Some(saved) => vec![saved.engine],
        None => settings.engines.clone(),
    };
    let flag = RaceFlag(AtomicUsize::new(EVERYBODY));
    let (sender, messages) = channel();
    thread::scope(|scope| {
        for (number, &engine) in engines.iter().enumerate() {
            let runner = RaceRunner {
                number,
                engine,
                settings,
                flag: &flag,
                sender: sender.clone(),
            };
            let started = thread::Builder::new().spawn_scoped(scope, move || runner.run(cases()));
            if let Err(error) = started {
                flag.0.store(NOBODY, Ordering::Release);
                return Err(error.into());
            }
        }
        drop(sender);
        listen(&messages, &flag, watch)
    })
}

/// Hands on what the engines tell, until all have ended.
fn listen(
    messages: &Receiver<RaceMessage>,
    flag: &RaceFlag,
    watch: &mut dyn FnMut(Option<SearchRaceEvent>) -> bool,
) -> Result<SearchRaceEnd, SearchRaceError> {
    let mut best: Option<Result<SearchRaceEnd, SearchRaceError>> = None;
    loop {
        let event = match messages.recv_timeout(WATCH_PACE) {
            Ok(RaceMessage::Event(event)) => Some(event),
            Ok(RaceMessage::Ended(end)) => {
                // an engine that was stopped because another had the answer counts for nothing, and
                // of two that were stopped by the caller the one that can go on where it was is kept
                let can_go_on = |saved: &SavedRun| saved.state.is_some();
                let is_better = match (&best, &end) {
                    (None, _) => true,
                    (Some(Ok(SearchRaceEnd::Stopped(old))), Ok(SearchRaceEnd::Stopped(new))) => {
                        !can_go_on(old) && can_go_on(new)
                    }
                    (Some(Ok(SearchRaceEnd::Stopped(_))), _) => true,
                    (Some(Ok(_)), Err(_)) => true,
                    _ => false,
                };
                if is_better {
                    best = Some(end);
                }
                continue;
            }
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if !watch(event) {
            flag.0.store(NOBODY, Ordering::Release);
        }
    }
    best.expect("each engine ends with a message")
}

/// What an engine that searches has to do with its caller.
trait EngineControl {
    fn tell(&mut self, event: SearchRaceEvent);
    fn goes_on(&mut self) -> bool;
    /// Whether its answer counts.
    fn claim(&mut self) -> bool;
}

struct RaceRunner<'a> {
    number: usize,
    engine: SearchEngine,
    settings: &'a SearchRaceSettings,
    flag: &'a RaceFlag,
    sender: Sender<RaceMessage>,
}

impl RaceRunner<'_> {
    fn run(mut self, cases: Vec<Box<dyn SearchCase>>) {
        let begun = Instant::now();
        let (engine, settings) = (self.engine, self.settings);
        let end = run_engine(cases, engine, settings, &|| begun.elapsed(), &mut self);
        // nobody listens any more: nobody needs it
        let _ = self.sender.send(RaceMessage::Ended(end));
    }
}

impl EngineControl for RaceRunner<'_> {
    fn tell(&mut self, event: SearchRaceEvent) {
        let _ = self.sender.send(RaceMessage::Event(event));
    }

    fn goes_on(&mut self) -> bool {
        self.flag.allows(self.number)
    }

    fn claim(&mut self) -> bool {
        self.flag.claim(self.number)
    }
}

/// The only engine of a search: who watches says whether it goes on.
struct LoneEngine<'a> {
    watch: &'a mut dyn FnMut(Option<SearchRaceEvent>) -> bool,
    clock: &'a dyn Fn() -> Duration,
    goes_on: bool,
    asked: Duration,
}

impl EngineControl for LoneEngine<'_> {
    fn tell(&mut self, event: SearchRaceEvent) {
        self.goes_on &= (self.watch)(Some(event));
    }

    fn goes_on(&mut self) -> bool {
        let now = (self.clock)();
        if now.saturating_sub(self.asked) > WATCH_PACE {
            self.asked = now;
            self.goes_on &= (self.watch)(None);
        }
        self.goes_on
    }

    fn claim(&mut self) -> bool {
        true
    }
}

/// Searches with the first of the engines on this thread, by the caller's clock, until the search is
/// exhausted, has found enough, or `watch` returns false.
///
/// ```
/// use models::search_race::{SearchRaceEnd, SearchRaceSettings, search_alone};
/// use search::{PeriodicCase, PeriodicQuestion, SearchEngine};
/// use std::time::Duration;
///
/// let case = PeriodicCase::new(PeriodicQuestion::new("B3/S23".parse()?, 3, 3, 3))?;
/// let settings = SearchRaceSettings {
///     engines: vec![SearchEngine::Sat],
///     patterns: 1,
///     ..SearchRaceSettings::default()
/// };
/// let end = search_alone(vec![Box::new(case)], &settings, &|| Duration::ZERO, &mut |_| true)?;
/// assert!(matches!(end, SearchRaceEnd::Exhausted(SearchEngine::Sat)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A saved run of another question, or a solution that the engine does not confirm.
pub fn search_alone(
    cases: Vec<Box<dyn SearchCase>>,
    settings: &SearchRaceSettings,
    clock: &dyn Fn() -> Duration,
    watch: &mut dyn FnMut(Option<SearchRaceEvent>) -> bool,
) -> Result<SearchRaceEnd, SearchRaceError> {
    let engine = match &settings.resume {
        Some(saved) => saved.engine,
        None => settings.engines[0],
    };
    let asked = clock();
    let mut control = LoneEngine {
        watch,
        clock,
        goes_on: true,
        asked,
    };
    run_engine(cases, engine, settings, clock, &mut control)
}

fn run_engine(
    cases: Vec<Box<dyn SearchCase>>,
    engine: SearchEngine,
    settings: &SearchRaceSettings,
    clock: &dyn Fn() -> Duration,
    control: &mut dyn EngineControl,
) -> Result<SearchRaceEnd, SearchRaceError> {
    // only an engine that can go on where it was is worth a pause
    let is_saved = engine == SearchEngine::Cells;
    let save_pace = settings.save_pace.filter(|_| is_saved);
    let is_save_due =
        |saved: Duration| save_pace.is_some_and(|pace| clock().saturating_sub(saved) > pace);
    let mut run = match settings.resume.clone() {
        Some(saved) => SearchRun::resume(cases, settings.options, saved)?,
        None => SearchRun::new(cases, engine, settings.options),
    };
    let mut found = 0;
    let mut saved = clock();
    loop {
        let mut told = clock();
        let layout = run.case().problem().generations[0].clone();
        let outcome = run.next(&mut |progress, state| {
            let now = clock();
            if now.saturating_sub(told) > PACE {
                told = now;
                control.tell(SearchRaceEvent::Progress {
                    engine,
                    progress: progress.clone(),
                    partial: layout.partial(state),
                });
            }
            if control.goes_on() && !is_save_due(saved) {
                SearchFlow::Continue
            } else {
                SearchFlow::Stop
            }
        })?;
        match outcome {
            SearchOutcome::Stopped if control.goes_on() => {
                saved = clock();
                control.tell(SearchRaceEvent::Saved(run.save()));
            }
            SearchOutcome::Stopped => return Ok(SearchRaceEnd::Stopped(run.save())),
            _ if !control.claim() => return Ok(SearchRaceEnd::Stopped(run.save())),
            SearchOutcome::Exhausted => return Ok(SearchRaceEnd::Exhausted(engine)),
            SearchOutcome::Found(pattern) => {
                control.tell(SearchRaceEvent::Found { engine, pattern });
                found += 1;
                if found >= settings.patterns {
                    return Ok(SearchRaceEnd::Enough(run.save()));
                }
            }
        }
    }
}
