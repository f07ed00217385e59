//! A run: where pairs of games are handed out, played and come back.

use super::{TournamentProgress, TournamentRunError, TournamentRunner};
use crate::plan::TournamentKind;
use crate::schedule::ScheduledPair;
use crate::store::PlayedPair;
use arena::{Broadcast, EntrantError, GamePairing, GameRunner, MatchConditions, hall, stay_on};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// So often progress is told.
const TELL: Duration = Duration::from_millis(200);

/// So often a run looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(20);

/// So many pairs of games are written in one transaction at most.
const BATCH: usize = 256;

/// A pair of games that a job is to play.
pub(super) struct PairJob {
    pub(super) next: ScheduledPair,
    /// In the order of the fixture's entrants.
    pub(super) players: [usize; 2],
    pub(super) fixture: GamePairing,
    /// What the table calls them.
    pub(super) names: [String; 2],
}

/// What a job tells.
pub(super) enum GameWorkerEvent {
    Played(ScheduledPair, Box<PlayedPair>),
    /// It was broken off.
    GivenUp,
    Refused([usize; 2], EntrantError),
    /// The job itself has broken down.
    Lost,
}

/// A thread that plays.
pub(super) struct GameWorker {
    hall: Box<dyn GameRunner>,
    core: Option<usize>,
    broadcast: Arc<Broadcast>,
}

impl GameWorker {
    pub(super) fn work(
        mut self,
        orders: &Mutex<Receiver<PairJob>>,
        news: &Sender<GameWorkerEvent>,
        halt: &AtomicBool,
    ) {
        let _alarm = WorkerPanicGuard(news);
        if let Some(core) = self.core {
            stay_on(core);
        }
        loop {
            let order = match orders.lock() {
                Ok(orders) => orders.recv(),
                Err(_) => return,
            };
            let Ok(order) = order else {
                return;
            };
            let told = match halt.load(Ordering::Relaxed) {
                true => GameWorkerEvent::GivenUp,
                false => self.play(order, halt),
            };
            if news.send(told).is_err() {
                return;
            }
        }
    }

    fn play(&mut self, order: PairJob, halt: &AtomicBool) -> GameWorkerEvent {
        self.broadcast
            .announce(order.names.each_ref().map(String::as_str));
        let (started, clock) = (SystemTime::now(), Instant::now());
        match self.hall.play(&order.fixture, halt) {
            Err(error) => GameWorkerEvent::Refused(order.players, error),
            Ok(None) => GameWorkerEvent::GivenUp,
            Ok(Some(records)) => {
                let pair = PlayedPair {
                    players: order.players,
                    fixture: order.fixture,
                    records,
                    started,
                    spent: clock.elapsed(),
                };
                GameWorkerEvent::Played(order.next, Box::new(pair))
            }
        }
    }
}

/// Tells when a job panics, so that nobody waits for it.
struct WorkerPanicGuard<'a>(&'a Sender<GameWorkerEvent>);

impl Drop for WorkerPanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(GameWorkerEvent::Lost);
        }
    }
}

/// A run: where pairs of games are handed out and come back.
pub(super) struct PairScheduler<'a> {
    pub(super) runner: &'a mut TournamentRunner,
    pub(super) most_pairs: Option<u64>,
    pub(super) planned: Option<u64>,
    pub(super) under_way: Vec<ScheduledPair>,
    /// How many pairs there were before.
    pub(super) before: u64,
    pub(super) started: Instant,
    /// The run's number in the store, when something was played.
    pub(super) run: Option<i64>,
}

impl PairScheduler<'_> {
    pub(super) fn jobs(&self) -> Vec<GameWorker> {
        let plan = &self.runner.plan;
        let broadcasts = self.runner.broadcasts.iter().enumerate();
        let jobs = broadcasts.map(|(job, broadcast)| {
            let core = self.runner.cores.get(job).copied();
            let conditions = MatchConditions {
                cores: core.into_iter().collect(),
                ..plan.conditions()
            };
            let mut hall = hall(&plan.game, &plan.opening, plan.until, &conditions);
            hall.show_to(Arc::clone(broadcast));
            GameWorker {
                hall,
                core,
                broadcast: Arc::clone(broadcast),
            }
        });
        jobs.collect()
    }

    /// Whether nothing is left to play in the end.
    pub(super) fn lead(
        &mut self,
        orders: &Sender<PairJob>,
        news: &Receiver<GameWorkerEvent>,
        stop: &AtomicBool,
        halt: &AtomicBool,
        told: &mut dyn FnMut(&TournamentProgress<'_>),
    ) -> Result<bool, TournamentRunError> {
        let jobs = self.runner.plan.jobs.max(1);
        // quick games are handed out in advance, so that no job waits for the store
        let depth = if self.runner.is_timed { jobs } else { 4 * jobs };
        let mut last = Instant::now();
        let mut is_over = false;
        loop {
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            while !halt.load(Ordering::Relaxed) && self.under_way.len() < depth && self.has_room() {
                let Some(next) = self.runner.next(&self.under_way)? else {
                    is_over = self.under_way.is_empty();
                    break;
                };
                let Some(order) = self.runner.order(next) else {
                    continue;
                };
                self.runner.history.take(next.players, next.pair);
                self.under_way.push(next);
                if orders.send(order).is_err() {
                    return Ok(false);
                }
            }
            if self.under_way.is_empty() {
                // also where the last game was the last one that was asked for
                return Ok(is_over || self.runner.left() == Some(0));
            }
            match news.recv_timeout(LOOK) {
                Ok(first) => {
                    let more = news.try_iter().take(BATCH - 1);
                    let batch: Vec<_> = std::iter::once(first).chain(more).collect();
                    if !self.take(batch)? {
                        return Ok(false);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
            }
            if last.elapsed() >= TELL {
                self.tell(told);
                last = Instant::now();
            }
        }
    }

    /// Whether one more pair may be played.
    fn has_room(&self) -> bool {
        let pairs = self.runner.results.pairs() + self.under_way.len() as u64;
        self.most_pairs.is_none_or(|most| pairs < most)
    }

    /// Keeps what was played; whether all jobs are still there.
    fn take(&mut self, batch: Vec<GameWorkerEvent>) -> Result<bool, TournamentRunError> {
        let mut pairs = Vec::with_capacity(batch.len());
        let mut goes_on = true;
        let mut refused = None;
        for news in batch {
            match news {
                GameWorkerEvent::Played(next, pair) => {
                    self.under_way.retain(|other| *other != next);
                    pairs.push(*pair);
                }
                // it stays in the list of what is under way only to be known as lost
                GameWorkerEvent::GivenUp | GameWorkerEvent::Lost => goes_on = false,
                GameWorkerEvent::Refused(players, error) => refused = Some((players, error)),
            }
        }
        if !pairs.is_empty() {
            let run = match self.run {
                Some(run) => run,
                None => {
                    let plan = &self.runner.plan;
                    let cage = plan.cage.mode.to_string();
                    self.runner.store.begin_run(plan.jobs, &cage)?
                }
            };
            self.run = Some(run);
            self.runner.store.keep(run, &pairs)?;
            for pair in &pairs {
                self.runner.results.add(pair);
            }
        }
        match refused {
            None => Ok(goes_on),
            Some((players, error)) => {
                let names = players.map(|player| {
                    let contender = self.runner.contender(player);
                    contender.map_or(String::new(), |contender| contender.name.clone())
                });
                let name = names.join(" or ");
                Err(TournamentRunError::Entrant { name, error })
            }
        }
    }

    pub(super) fn tell(&self, told: &mut dyn FnMut(&TournamentProgress<'_>)) {
        let results = &self.runner.results;
        let round = match self.runner.plan.kind {
            TournamentKind::Swiss { rounds } => Some((self.runner.rounds.len(), rounds)),
            _ => None,
        };
        told(&TournamentProgress {
            results,
            games: 2 * results.pairs(),
            planned: self.planned,
            played: 2 * (results.pairs() - self.before),
            elapsed: self.started.elapsed(),
            under_way: &self.under_way,
            round,
        });
    }
}
