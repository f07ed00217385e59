//! A thread pool for the players of the program and for allowed bots.
//!
//! There is one thread for each core. Moves wait in a queue; advice waits in a second one, which
//! comes first every few moves. The longer the queues, the shorter a player may think
//! ([`time_share`]), so that no game stands still because others have strong players. What is kept
//! between two moves is bounded: [`EngineThreads::MOST_REMEMBERING`] players of the program keep
//! their search state, further ones begin each move without; and there are at most
//! [`EngineThreads::BOTS`] processes.

use arena::{Entrant, EntrantError, MatchConditions};
use games::AnyGame;
use matches::{Advice, TableError};
use models::play::{Thinker, ThoughtRequest};
use models::worker_pool::WorkerPool;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use wire::AdviceQuestion;

/// The target for the total wait for a thread: thinking is shortened accordingly,
const TARGET_WAIT: Duration = Duration::from_secs(4);

/// but not below this, which is enough for a fair move.
const MIN_THINKING: Duration = Duration::from_millis(100);

/// The thread pool, and what is counted of its players.
pub(super) struct EngineThreads {
    pool: WorkerPool,
    bots: Arc<AtomicUsize>,
    remembering: Arc<AtomicUsize>,
    /// From when tables count their time.
    started: Instant,
}

/// The thinking time with this many jobs waiting; `None` for no limit.
fn time_share(waiting: usize, threads: usize) -> Option<Duration> {
    let rounds = waiting.div_ceil(threads.max(1));
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
    (rounds > 0).then(|| (TARGET_WAIT / rounds).max(MIN_THINKING))
}

/// A counted permit, returned when it is dropped.
struct EnginePermit(Arc<AtomicUsize>);

/// The right to a bot's process.
pub(super) struct BotPermit(#[expect(dead_code, reason = "it is held, and dropped")] EnginePermit);

impl EnginePermit {
    fn take(count: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let more = |n: usize| (n < most).then_some(n + 1);
        let taken = count.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        taken.is_ok().then(|| Self(Arc::clone(count)))
    }
}

impl Drop for EnginePermit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl EngineThreads {
    /// The most bot processes.
    pub(super) const BOTS: usize = 8;

    /// The most players that keep their search state between moves: up to 200 MB each (`perfect`,
    /// see `players::mnk::MnkSolver`).
    const MOST_REMEMBERING: usize = 6;

    /// The most queued requests for advice.
    const MOST_ADVICE: usize = 16;

    /// Starts the threads; they end when the server does.
    pub(super) fn start(has_ended: Arc<AtomicBool>) -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = WorkerPool::new(has_ended);
        // without threads no player thinks, but people can play each other
        let _ = pool.spawn("play", cores);
        Arc::new(Self {
            pool,
            bots: Arc::default(),
            remembering: Arc::default(),
            started: Instant::now(),
        })
    }

    /// A moment in the time of tables.
    pub(super) fn time_of(&self, moment: Instant) -> Duration {
        moment.saturating_duration_since(self.started)
    }

    /// Whether the server has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.pool.has_ended()
    }

    /// A place for a bot, if there is one.
    pub(super) fn bot_permit(&self) -> Option<BotPermit> {
        EnginePermit::take(&self.bots, Self::BOTS).map(BotPermit)
    }

    /// Does something when a thread is free.
    pub(super) fn queue(&self, job: impl FnOnce() + Send + 'static) {
        self.pool.queue(job);
    }

    /// Whether thinking that began then has used its time share.
    fn has_had_share(&self, started: Instant) -> bool {
        let time_share = time_share(self.pool.waiting(), self.pool.threads());
        time_share.is_some_and(|time_share| started.elapsed() >= time_share)
    }
}

/// A player that thinks.
pub(super) struct EnginePlayer {
    pub(super) thinker: Thinker,
    /// A bot, or one of those that may remember.
    pub(super) is_reusable: bool,
    /// The right to remember, or to have a process.
    _permits: (Option<EnginePermit>, Option<Arc<BotPermit>>),
}

/// A move to find.
pub(super) struct MoveTask {
    pub(super) engine: Option<EnginePlayer>,
    pub(super) game: AnyGame,
    pub(super) entrant: Entrant,
    /// A bot's.
    pub(super) permit: Option<Arc<BotPermit>>,
    pub(super) occupant: u64,
    pub(super) request: ThoughtRequest,
    /// How long it may take at most; a bot has a clock of its own.
    pub(super) longest: Option<Duration>,
}

/// The result of a move task.
pub(super) struct MoveTaskResult {
    pub(super) engine: EnginePlayer,
    pub(super) thought: Result<Advice, TableError>,
    /// How long the player thought.
    pub(super) spent: Duration,
}

impl EnginePlayer {
    fn open(task: &MoveTask, engine_threads: &EngineThreads) -> Result<Self, EntrantError> {
        let mut entrants = [None, None];
        entrants[task.request.seat.index()] = Some(&task.entrant);
        let conditions = MatchConditions::default();
        let thinker = Thinker::open(&task.game, entrants, &conditions, task.request.seed)?;
        let permit = match task.entrant.is_bot() {
            true => None,
            false => {
                EnginePermit::take(&engine_threads.remembering, EngineThreads::MOST_REMEMBERING)
            }
        };
        Ok(Self {
            thinker,
            is_reusable: task.entrant.is_bot() || permit.is_some(),
            _permits: (permit, task.permit.clone()),
        })
    }
}

impl MoveTask {
    /// Finds the move, as long as `goes_on` says so.
    pub(super) fn find_move(
        mut self,
        engine_threads: &EngineThreads,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<MoveTaskResult, EntrantError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => EnginePlayer::open(&self, engine_threads)?,
        };
        let started = Instant::now();
        let mut watch = || {
            // a bot has its own clock and is not shortened
            let is_late = self.longest.is_some_and(|most| {
                started.elapsed() >= most || engine_threads.has_had_share(started)
            });
            !is_late && !engine_threads.has_ended() && goes_on()
        };
        let thought = engine.thinker.answer(&self.request, &mut watch);
        Ok(MoveTaskResult {
            engine,
            thought,
            spent: started.elapsed(),
        })
    }
}

/// Queues advice of a player of the program; `false` where the queue is full.
pub(super) fn advise(
    engine_threads: &Arc<EngineThreads>,
    task: AdviceTask,
    reply: impl FnOnce(&AdviceQuestion, Result<Advice, String>) + Send + 'static,
) -> bool {
    let pool = Arc::clone(engine_threads);
    let answer = move || reply(&task.question, catch_panic(|| task.answer(&pool)));
    engine_threads
        .pool
        .queue_patient(EngineThreads::MOST_ADVICE, answer)
}

/// Runs work, turning a panic into an error: a page waits for the answer.
pub(super) fn catch_panic<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| Err("broke down, which is a fault of gridpaper's own".into()))
}

/// A position to think about.
pub(super) struct AdviceTask {
    pub(super) question: AdviceQuestion,
    /// Where it is of no use any more.
    pub(super) is_cancelled: Box<dyn Fn() -> bool + Send>,
}

impl AdviceTask {
    fn answer(&self, engine_threads: &EngineThreads) -> Result<Advice, String> {
        let AdviceQuestion {
            game,
            request,
            longest,
            ..
        } = &self.question;
        let conditions = MatchConditions::default();
        let thinker = Thinker::open(game, [None, None], &conditions, request.seed);
        let mut thinker = thinker.map_err(|error| error.to_string())?;
        let started = Instant::now();
        let mut watch = || {
            let is_late = started.elapsed() >= *longest || engine_threads.has_had_share(started);
            !is_late && !engine_threads.has_ended() && !(self.is_cancelled)()
        };
        let advice = thinker.answer(request, &mut watch);
        advice.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Seat;

    #[test]
    fn the_more_wait_the_shorter_a_thought_may_be() {
        assert_eq!(time_share(0, 2), None);
        assert_eq!(time_share(1, 2), Some(TARGET_WAIT));
        assert_eq!(time_share(2, 2), Some(TARGET_WAIT));
        assert_eq!(time_share(3, 2), Some(TARGET_WAIT / 2));
        assert_eq!(time_share(16, 2), Some(TARGET_WAIT / 8));
        assert_eq!(time_share(usize::MAX, 1), Some(MIN_THINKING));
    }

    /// No thread, for which so many wait.
    fn engine_threads(waiting: usize, has_ended: &Arc<AtomicBool>) -> EngineThreads {
        let pool = WorkerPool::new(Arc::clone(has_ended));
        (0..waiting).for_each(|_| pool.queue(|| {}));
        EngineThreads {
            pool,
            bots: Arc::default(),
            remembering: Arc::default(),
            started: Instant::now(),
        }
    }

    /// A thought that takes an hour where nothing ends it.
    fn endless() -> MoveTask {
        MoveTask {
            engine: None,
            game: "stones".parse().unwrap(),
            entrant: Entrant::Builtin("mcts:ms=3600000".into()),
            permit: None,
            occupant: 1,
            request: ThoughtRequest {
                seat: Seat::First,
                adviser: None,
                seed: 1,
                history: Vec::new(),
            },
            longest: Some(Duration::from_secs(3600)),
        }
    }

    #[test]
    fn a_long_thought_ends_sooner_where_many_wait() {
        let found = endless().find_move(&engine_threads(1000, &Arc::default()), &|| true);
        let found = found.unwrap();
        assert!(found.thought.is_ok());
        assert!(found.spent >= MIN_THINKING);
    }

    #[test]
    fn a_thought_ends_when_nobody_wants_it_or_the_server_ends() {
        let asked = AtomicUsize::new(0);
        let wanted = || asked.fetch_add(1, Ordering::Relaxed) < 100;
        let found = endless()
            .find_move(&engine_threads(0, &Arc::default()), &wanted)
            .unwrap();
        assert!(found.thought.is_ok());
        assert!(asked.load(Ordering::Relaxed) > 100);
        let has_ended = Arc::default();
        let engine_threads = engine_threads(0, &has_ended);
        let until_the_end = || {
            has_ended.store(true, Ordering::Relaxed);
            true
        };
        let found = endless().find_move(&engine_threads, &until_the_end);
        assert!(found.unwrap().thought.is_ok());
    }
}
