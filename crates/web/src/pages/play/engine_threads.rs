//! A thread pool for the players of the program and for allowed bots.
//!
//! There is one thread for each core. Moves wait in a queue; advice waits in a second one, which
//! comes first every few moves. The longer the queues, the shorter a player may think
//! ([`time_share`]), so that no game stands still because others have strong players. What is kept
//! between two moves is bounded: [`EngineThreads::MOST_REMEMBERING`] players of the program keep
//! their search state, further ones begin each move without; and there are at most
//! [`EngineThreads::BOTS`] processes.

use super::table_session::TableSession;
use arena::{Advice, Entrant, EntrantError, MatchConditions, Table, TableError};
use games::{AnyGame, Seat};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The interval at which an idle thread checks for shutdown.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The target for the total wait for a thread: thinking is shortened accordingly,
const TARGET_WAIT: Duration = Duration::from_secs(4);

/// but not below this, which is enough for a fair move.
const MIN_THINKING: Duration = Duration::from_millis(100);

/// Advice comes first after this many moves.
const MOVES_BEFORE_ADVICE: u32 = 4;

/// A job for the pool.
type EngineJob = Box<dyn FnOnce() + Send>;

/// The thread pool with its queues.
pub(super) struct EngineThreads {
    queue: Mutex<EngineJobQueue>,
    available: Condvar,
    has_ended: Arc<AtomicBool>,
    bots: Arc<AtomicUsize>,
    remembering: Arc<AtomicUsize>,
    threads: usize,
    /// The total length of both queues, readable without the lock.
    waiting: AtomicUsize,
}

#[derive(Default)]
struct EngineJobQueue {
    moves: VecDeque<EngineJob>,
    advice: VecDeque<EngineJob>,
    /// Moves since advice was given last, or was not wanted.
    moves_since: u32,
}

impl EngineJobQueue {
    /// The next job.
    fn pop(&mut self) -> Option<EngineJob> {
        if self.advice.is_empty() {
            self.moves_since = 0;
        }
        if self.moves_since < MOVES_BEFORE_ADVICE
            && let Some(job) = self.moves.pop_front()
        {
            self.moves_since += 1;
            return Some(job);
        }
        self.moves_since = 0;
        self.advice.pop_front()
    }

    fn len(&self) -> usize {
        self.moves.len() + self.advice.len()
    }
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
        let engine_threads = Arc::new(Self {
            queue: Mutex::default(),
            available: Condvar::new(),
            has_ended,
            bots: Arc::default(),
            remembering: Arc::default(),
            threads: cores,
            waiting: AtomicUsize::new(0),
        });
        for _ in 0..cores {
            let engine_threads = Arc::clone(&engine_threads);
            let thread = std::thread::Builder::new().name("play".into());
            // without threads no player thinks, but people can play each other
            let _ = thread.spawn(move || engine_threads.work());
        }
        engine_threads
    }

    /// Whether the server has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// A place for a bot, if there is one.
    pub(super) fn bot_permit(&self) -> Option<BotPermit> {
        EnginePermit::take(&self.bots, Self::BOTS).map(BotPermit)
    }

    /// Does something when a thread is free.
    pub(super) fn queue(&self, job: impl FnOnce() + Send + 'static) {
        let mut queue = self.lock();
        queue.moves.push_back(Box::new(job));
        self.count(&queue);
        self.available.notify_one();
    }

    /// Does something that can wait; whether it is not too much.
    pub(super) fn queue_advice(&self, job: impl FnOnce() + Send + 'static) -> bool {
        let mut queue = self.lock();
        if queue.advice.len() >= Self::MOST_ADVICE {
            return false;
        }
        queue.advice.push_back(Box::new(job));
        self.count(&queue);
        self.available.notify_one();
        true
    }

    /// Whether thinking that began then has used its time share.
    fn has_had_share(&self, started: Instant) -> bool {
        let waiting = self.waiting.load(Ordering::Relaxed);
        time_share(waiting, self.threads).is_some_and(|time_share| started.elapsed() >= time_share)
    }

    fn count(&self, queue: &EngineJobQueue) {
        self.waiting.store(queue.len(), Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, EngineJobQueue> {
        // jobs are put in and taken out whole
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while !self.has_ended() {
            let job = {
                let queue = self.lock();
                let waited = self
                    .available
                    .wait_timeout_while(queue, POLL_INTERVAL, |queue| {
                        queue.moves.is_empty() && queue.advice.is_empty()
                    });
                let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
                let job = queue.pop();
                self.count(&queue);
                job
            };
            if let Some(job) = job {
                // a panic costs one move, not a thread
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        }
        // bots end with those who hold them
        let mut queue = self.lock();
        queue.moves.clear();
        queue.advice.clear();
    }
}

/// A player with a table of its own, which follows the shared one.
pub(super) struct EnginePlayer {
    table: Box<dyn Table>,
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
    pub(super) seed: u64,
    pub(super) history: Vec<String>,
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
    fn open(
        task: &MoveTask,
        seat: Seat,
        engine_threads: &EngineThreads,
    ) -> Result<Self, EntrantError> {
        let mut entrants = [None, None];
        entrants[seat.index()] = Some(&task.entrant);
        let conditions = MatchConditions::default();
        let table = arena::sit(task.game.clone(), entrants, &conditions, task.seed)?;
        let permit = match task.entrant.is_bot() {
            true => None,
            false => {
                EnginePermit::take(&engine_threads.remembering, EngineThreads::MOST_REMEMBERING)
            }
        };
        Ok(Self {
            table,
            is_reusable: task.entrant.is_bot() || permit.is_some(),
            _permits: (permit, task.permit.clone()),
        })
    }

    /// Brings its table to the given history.
    pub(super) fn follow(&mut self, seat: Seat, history: &[String]) -> Result<(), TableError> {
        let own = self.table.history().iter();
        let same = own.zip(history).take_while(|(a, b)| a == b).count();
        // the last one that is taken back may be its own move, which waited for the other's
        while self.table.turns() > same || self.table.has_moved(seat) {
            self.table.take_back();
        }
        history[same..]
            .iter()
            .try_for_each(|turn| self.table.follow(turn))
    }
}

impl MoveTask {
    /// Finds the move, as long as `goes_on` says so.
    pub(super) fn find_move(
        mut self,
        seat: Seat,
        engine_threads: &EngineThreads,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<MoveTaskResult, EntrantError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => EnginePlayer::open(&self, seat, engine_threads)?,
        };
        let started = Instant::now();
        let mut watch = || {
            // a bot has its own clock and is not shortened
            let is_late = self.longest.is_some_and(|most| {
                started.elapsed() >= most || engine_threads.has_had_share(started)
            });
            !is_late && !engine_threads.has_ended() && goes_on()
        };
        let followed = engine.follow(seat, &self.history);
        let thought = followed.and_then(|()| engine.table.think(seat, &mut watch));
        Ok(MoveTaskResult {
            engine,
            thought,
            spent: started.elapsed(),
        })
    }
}

/// Queues a seat's move.
pub(super) fn think(
    engine_threads: &Arc<EngineThreads>,
    session: &Arc<TableSession>,
    seat: Seat,
    epoch: u64,
) {
    let (pool, session) = (Arc::clone(engine_threads), Arc::clone(session));
    engine_threads.queue(move || {
        let Some(task) = session.take_task(seat, epoch) else {
            return;
        };
        let occupant = task.occupant;
        let found = catch_panic(|| {
            let found = task.find_move(seat, &pool, &|| session.epoch() == epoch);
            found.map_err(|error| error.to_string())
        });
        session.finish_task(seat, epoch, occupant, found);
    });
}

/// Queues advice of a player of the program; `false` where the queue is full.
pub(super) fn advise(
    engine_threads: &Arc<EngineThreads>,
    question: AdviceTask,
    reply: impl FnOnce(Result<Advice, String>) + Send + 'static,
) -> bool {
    let pool = Arc::clone(engine_threads);
    engine_threads.queue_advice(move || reply(catch_panic(|| question.answer(&pool))))
}

/// Runs work, turning a panic into an error: a page waits for the answer.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let done = catch_unwind(AssertUnwindSafe(work));
    done.unwrap_or_else(|_| Err("broke down, which is a fault of gridpaper's own".into()))
}

/// A position to think about.
pub(super) struct AdviceTask {
    pub(super) game: AnyGame,
    pub(super) history: Vec<String>,
    pub(super) seat: Seat,
    /// A player of the program.
    pub(super) player: String,
    pub(super) longest: Duration,
    /// Where it is of no use any more.
    pub(super) is_cancelled: Box<dyn Fn() -> bool + Send>,
}

impl AdviceTask {
    fn answer(self, engine_threads: &EngineThreads) -> Result<Advice, String> {
        let no_entrants = [None, None];
        let table = arena::sit(self.game, no_entrants, &MatchConditions::default(), 0);
        let mut table = table.map_err(|error| error.to_string())?;
        for turn in &self.history {
            table.follow(turn).map_err(|error| error.to_string())?;
        }
        let started = Instant::now();
        let mut watch = || {
            let is_late =
                started.elapsed() >= self.longest || engine_threads.has_had_share(started);
            !is_late && !engine_threads.has_ended() && !(self.is_cancelled)()
        };
        let advice = table.advise(self.seat, &self.player, &mut watch);
        advice.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_more_wait_the_shorter_a_thought_may_be() {
        assert_eq!(time_share(0, 2), None);
        assert_eq!(time_share(1, 2), Some(TARGET_WAIT));
        assert_eq!(time_share(2, 2), Some(TARGET_WAIT));
        assert_eq!(time_share(3, 2), Some(TARGET_WAIT / 2));
        assert_eq!(time_share(16, 2), Some(TARGET_WAIT / 8));
        assert_eq!(time_share(usize::MAX, 1), Some(MIN_THINKING));
    }

    #[test]
    fn advice_comes_in_between_and_moves_first() {
        let mut queue = EngineJobQueue::default();
        let (told, heard) = std::sync::mpsc::channel();
        let say = |what: char| -> EngineJob {
            let told = told.clone();
            Box::new(move || told.send(what).unwrap())
        };
        for _ in 0..7 {
            queue.moves.push_back(say('m'));
        }
        for _ in 0..2 {
            queue.advice.push_back(say('a'));
        }
        while let Some(job) = queue.pop() {
            job();
        }
        drop((told, queue));
        assert_eq!(heard.iter().collect::<String>(), "mmmmammma");
    }

    /// One thread, for which so many wait.
    fn engine_threads(waiting: usize) -> EngineThreads {
        EngineThreads {
            queue: Mutex::default(),
            available: Condvar::new(),
            has_ended: Arc::default(),
            bots: Arc::default(),
            remembering: Arc::default(),
            threads: 1,
            waiting: AtomicUsize::new(waiting),
        }
    }

    /// A thought that takes an hour where nothing ends it.
    fn endless() -> MoveTask {
        MoveTask {
            engine: None,
            game: "stones".parse().unwrap(),
            entrant: Entrant::House("mcts:ms=3600000".into()),
            permit: None,
            occupant: 1,
            seed: 1,
            history: Vec::new(),
            longest: Some(Duration::from_secs(3600)),
        }
    }

    #[test]
    fn a_long_thought_ends_sooner_where_many_wait() {
        let found = endless().find_move(Seat::First, &engine_threads(1000), &|| true);
        let found = found.unwrap();
        assert!(found.thought.is_ok());
        assert!(found.spent >= MIN_THINKING);
    }

    #[test]
    fn a_thought_ends_when_nobody_wants_it_or_the_server_ends() {
        let asked = AtomicUsize::new(0);
        let wanted = || asked.fetch_add(1, Ordering::Relaxed) < 100;
        let found = endless()
            .find_move(Seat::First, &engine_threads(0), &wanted)
            .unwrap();
        assert!(found.thought.is_ok());
        assert!(asked.load(Ordering::Relaxed) > 100);
        let engine_threads = engine_threads(0);
        let until_the_end = || {
            engine_threads.has_ended.store(true, Ordering::Relaxed);
            true
        };
        let found = endless().find_move(Seat::First, &engine_threads, &until_the_end);
        assert!(found.unwrap().thought.is_ok());
    }
}
