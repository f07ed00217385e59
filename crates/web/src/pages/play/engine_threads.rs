//! Who thinks in the place of a person: players of the program and allowed bots, on threads
//! of the room's own.
//!
//! There are as many threads as cores, and whoever is to move waits in a queue for one of
//! them; who only wants advice waits beside them, and every few moves comes first. The longer
//! the queue is, the shorter a thought may be (`share`), so that nobody's game
//! stands still because others have set strong players to work. What is kept between two moves is bounded
//! too: [`EngineThreads::KEPT`] players of the program keep what they remember, further ones begin
//! each move with nothing; and there are never more than [`EngineThreads::BOTS`] processes.

use super::table_session::TableSession;
use arena::{Advice, Entrant, EntrantError, MatchConditions, Table, TableError};
use games::{AnyGame, Seat};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So often a thread that has nothing to do asks whether the server has ended.
const PATIENCE: Duration = Duration::from_millis(500);

/// Where others wait for a thread, they wait for about this long together: a thought that goes
/// on is shortened accordingly,
const LINE: Duration = Duration::from_secs(4);

/// but not below this, which is enough for a fair move.
const BRIEF: Duration = Duration::from_millis(100);

/// After so many moves, advice comes first once.
const MOVES_BEFORE_ADVICE: u32 = 4;

/// Something to do on one of the room's threads.
type EngineJob = Box<dyn FnOnce() + Send>;

/// The threads of the room.
pub(super) struct EngineThreads {
    queue: Mutex<EngineJobQueue>,
    news: Condvar,
    has_ended: Arc<AtomicBool>,
    bots: Arc<AtomicUsize>,
    kept: Arc<AtomicUsize>,
    threads: usize,
    /// How many moves and how much advice is waited for: the lengths of the queue, for those
    /// who look often.
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
    /// What is done next.
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

/// How long a thought may take where so many wait for one of so many threads; `None` for as
/// long as it likes.
fn share(waiting: usize, threads: usize) -> Option<Duration> {
    let rounds = waiting.div_ceil(threads.max(1));
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
    (rounds > 0).then(|| (LINE / rounds).max(BRIEF))
}

/// One of a few that there may be at once; given back when it is dropped.
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
    /// So many bots' processes there may be at once.
    pub(super) const BOTS: usize = 8;

    /// So many players of the program keep what they remember between two moves: up to 200 MB
    /// each, at worst (`perfect`, see `players::mnk::MnkSolver`).
    const KEPT: usize = 6;

    /// So many may wait for advice.
    const MOST_ADVICE: usize = 16;

    /// Starts the threads; they end when the server does.
    pub(super) fn start(has_ended: Arc<AtomicBool>) -> Arc<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let minds = Arc::new(Self {
            queue: Mutex::default(),
            news: Condvar::new(),
            has_ended,
            bots: Arc::default(),
            kept: Arc::default(),
            threads: cores,
            waiting: AtomicUsize::new(0),
        });
        for _ in 0..cores {
            let minds = Arc::clone(&minds);
            let thread = std::thread::Builder::new().name("play".into());
            // without threads nobody thinks, and people still play each other
            let _ = thread.spawn(move || minds.work());
        }
        minds
    }

    /// Whether the server has ended.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended.load(Ordering::Relaxed)
    }

    /// A place for a bot, if there is one.
    pub(super) fn bot_place(&self) -> Option<BotPermit> {
        EnginePermit::take(&self.bots, Self::BOTS).map(BotPermit)
    }

    /// Does something when a thread is free.
    pub(super) fn queue(&self, job: impl FnOnce() + Send + 'static) {
        let mut queue = self.lock();
        queue.moves.push_back(Box::new(job));
        self.count(&queue);
        self.news.notify_one();
    }

    /// Does something that can wait; whether it is not too much.
    pub(super) fn queue_advice(&self, job: impl FnOnce() + Send + 'static) -> bool {
        let mut queue = self.lock();
        if queue.advice.len() >= Self::MOST_ADVICE {
            return false;
        }
        queue.advice.push_back(Box::new(job));
        self.count(&queue);
        self.news.notify_one();
        true
    }

    /// Whether a thought that began then has had its share of a thread, with those who wait
    /// for one now.
    fn is_enough(&self, started: Instant) -> bool {
        let waiting = self.waiting.load(Ordering::Relaxed);
        share(waiting, self.threads).is_some_and(|share| started.elapsed() >= share)
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
                let waited = self.news.wait_timeout_while(queue, PATIENCE, |queue| {
                    queue.moves.is_empty() && queue.advice.is_empty()
                });
                let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
                let job = queue.pop();
                self.count(&queue);
                job
            };
            if let Some(job) = job {
                // a fault of one player costs one move, not a thread of everybody's
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        }
        // bots end with those who hold them
        let mut queue = self.lock();
        queue.moves.clear();
        queue.advice.clear();
    }
}

/// A player with a table of its own, which follows the one that everybody sees.
pub(super) struct EnginePlayer {
    table: Box<dyn Table>,
    /// A bot, or one of those that may remember.
    pub(super) is_kept: bool,
    /// The right to remember, or to have a process.
    _places: (Option<EnginePermit>, Option<Arc<BotPermit>>),
}

/// A move to find.
pub(super) struct MoveTask {
    pub(super) mind: Option<EnginePlayer>,
    pub(super) game: AnyGame,
    pub(super) entrant: Entrant,
    /// A bot's.
    pub(super) place: Option<Arc<BotPermit>>,
    pub(super) chair: u64,
    pub(super) seed: u64,
    pub(super) history: Vec<String>,
    /// How long it may take at most; a bot has a clock of its own.
    pub(super) longest: Option<Duration>,
}

/// What came of it.
pub(super) struct MoveTaskResult {
    pub(super) mind: EnginePlayer,
    pub(super) thought: Result<Advice, TableError>,
    /// How long the player thought.
    pub(super) spent: Duration,
}

impl EnginePlayer {
    fn open(task: &MoveTask, seat: Seat, minds: &EngineThreads) -> Result<Self, EntrantError> {
        let mut entrants = [None, None];
        entrants[seat.index()] = Some(&task.entrant);
        let conditions = MatchConditions::default();
        let table = arena::sit(task.game.clone(), entrants, &conditions, task.seed)?;
        let place = match task.entrant.is_bot() {
            true => None,
            false => EnginePermit::take(&minds.kept, EngineThreads::KEPT),
        };
        Ok(Self {
            table,
            is_kept: task.entrant.is_bot() || place.is_some(),
            _places: (place, task.place.clone()),
        })
    }

    /// Goes to where the others are.
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
    pub(super) fn done(
        mut self,
        seat: Seat,
        minds: &EngineThreads,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<MoveTaskResult, EntrantError> {
        let mut mind = match self.mind.take() {
            Some(mind) => mind,
            None => EnginePlayer::open(&self, seat, minds)?,
        };
        let started = Instant::now();
        let mut watch = || {
            // a bot has a clock of its own, and is not told that others wait
            let is_late = self
                .longest
                .is_some_and(|most| started.elapsed() >= most || minds.is_enough(started));
            !is_late && !minds.has_ended() && goes_on()
        };
        let followed = mind.follow(seat, &self.history);
        let thought = followed.and_then(|()| mind.table.think(seat, &mut watch));
        Ok(MoveTaskResult {
            mind,
            thought,
            spent: started.elapsed(),
        })
    }
}

/// Lets a seat of a table think, on one of the room's threads.
pub(super) fn think(
    minds: &Arc<EngineThreads>,
    sitting: &Arc<TableSession>,
    seat: Seat,
    epoch: u64,
) {
    let (pool, sitting) = (Arc::clone(minds), Arc::clone(sitting));
    minds.queue(move || {
        let Some(task) = sitting.take_up(seat, epoch) else {
            return;
        };
        let chair = task.chair;
        let found = whole(|| {
            let found = task.done(seat, &pool, &|| sitting.epoch() == epoch);
            found.map_err(|error| error.to_string())
        });
        sitting.answer(seat, epoch, chair, found);
    });
}

/// What a player of the program would do in a position, found on one of the room's threads;
/// `false` where too many ask already.
pub(super) fn advise(
    minds: &Arc<EngineThreads>,
    question: AdviceTask,
    tell: impl FnOnce(Result<Advice, String>) + Send + 'static,
) -> bool {
    let pool = Arc::clone(minds);
    minds.queue_advice(move || tell(whole(|| question.answer(&pool))))
}

/// Does something that has an answer, even where it breaks down: somebody waits for it.
fn whole<T>(work: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
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
    pub(super) is_moot: Box<dyn Fn() -> bool + Send>,
}

impl AdviceTask {
    fn answer(self, minds: &EngineThreads) -> Result<Advice, String> {
        let nobody = [None, None];
        let table = arena::sit(self.game, nobody, &MatchConditions::default(), 0);
        let mut table = table.map_err(|error| error.to_string())?;
        for turn in &self.history {
            table.follow(turn).map_err(|error| error.to_string())?;
        }
        let started = Instant::now();
        let mut watch = || {
            let is_late = started.elapsed() >= self.longest || minds.is_enough(started);
            !is_late && !minds.has_ended() && !(self.is_moot)()
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
        assert_eq!(share(0, 2), None);
        assert_eq!(share(1, 2), Some(LINE));
        assert_eq!(share(2, 2), Some(LINE));
        assert_eq!(share(3, 2), Some(LINE / 2));
        assert_eq!(share(16, 2), Some(LINE / 8));
        assert_eq!(share(usize::MAX, 1), Some(BRIEF));
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
    fn minds(waiting: usize) -> EngineThreads {
        EngineThreads {
            queue: Mutex::default(),
            news: Condvar::new(),
            has_ended: Arc::default(),
            bots: Arc::default(),
            kept: Arc::default(),
            threads: 1,
            waiting: AtomicUsize::new(waiting),
        }
    }

    /// A thought that takes an hour where nothing ends it.
    fn endless() -> MoveTask {
        MoveTask {
            mind: None,
            game: "stones".parse().unwrap(),
            entrant: Entrant::House("mcts:ms=3600000".into()),
            place: None,
            chair: 1,
            seed: 1,
            history: Vec::new(),
            longest: Some(Duration::from_secs(3600)),
        }
    }

    #[test]
    fn a_long_thought_ends_sooner_where_many_wait() {
        let found = endless().done(Seat::First, &minds(1000), &|| true);
        let found = found.unwrap();
        assert!(found.thought.is_ok());
        assert!(found.spent >= BRIEF);
    }

    #[test]
    fn a_thought_ends_when_nobody_wants_it_or_the_server_ends() {
        let asked = AtomicUsize::new(0);
        let wanted = || asked.fetch_add(1, Ordering::Relaxed) < 100;
        let found = endless().done(Seat::First, &minds(0), &wanted).unwrap();
        assert!(found.thought.is_ok());
        assert!(asked.load(Ordering::Relaxed) > 100);
        let minds = minds(0);
        let until_the_end = || {
            minds.has_ended.store(true, Ordering::Relaxed);
            true
        };
        let found = endless().done(Seat::First, &minds, &until_the_end);
        assert!(found.unwrap().thought.is_ok());
    }
}
