//! The scheduler of a run and its worker threads.

use super::{TournamentProgress, TournamentRunError, TournamentRunner};
use crate::PairPartError;
use crate::plan::TournamentKind;
use crate::schedule::ScheduledPair;
use crate::store::PlayedPair;
use arena::{EntrantError, GamePairing, GameRunner, MatchConditions, new_runner, pin_to_core};
use matches::Broadcast;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// Minimum interval between progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(200);

/// Interval at which the stop flag is polled.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum number of pairs written in one transaction.
const MAX_BATCH: usize = 256;

/// A pair of games for a worker.
pub(super) struct PairJob {
    pub(super) next: ScheduledPair,
    /// In the order of the pairing's entrants.
    pub(super) players: [usize; 2],
    pub(super) pairing: GamePairing,
    /// Their names.
    pub(super) names: [String; 2],
}

/// An event from a worker.
pub(super) enum GameWorkerEvent {
    Played(ScheduledPair, Box<PlayedPair>),
    /// The pair was aborted.
    Aborted,
    Refused([usize; 2], EntrantError),
    /// The worker panicked.
    Lost,
}

/// A worker thread.
pub(super) struct GameWorker {
    runner: Box<dyn GameRunner>,
    core: Option<usize>,
    broadcast: Arc<Broadcast>,
}

impl GameWorker {
    pub(super) fn work(
        mut self,
        queue: &Mutex<Receiver<PairJob>>,
        events: &Sender<GameWorkerEvent>,
        abort: &AtomicBool,
    ) {
        let _panic_guard = WorkerPanicGuard(events);
        if let Some(core) = self.core {
            pin_to_core(core);
        }
        loop {
            let pair_job = match queue.lock() {
                Ok(queue) => queue.recv(),
                Err(_) => return,
            };
            let Ok(pair_job) = pair_job else {
                return;
            };
            let event = match abort.load(Ordering::Relaxed) {
                true => GameWorkerEvent::Aborted,
                false => self.play(pair_job, abort),
            };
            if events.send(event).is_err() {
                return;
            }
        }
    }

    fn play(&mut self, pair_job: PairJob, abort: &AtomicBool) -> GameWorkerEvent {
        self.broadcast
            .announce(pair_job.names.each_ref().map(String::as_str));
        let (started, clock) = (SystemTime::now(), Instant::now());
        match self.runner.play(&pair_job.pairing, abort) {
            Err(error) => GameWorkerEvent::Refused(pair_job.players, error),
            Ok(None) => GameWorkerEvent::Aborted,
            Ok(Some(records)) => {
                let pair = PlayedPair {
                    players: pair_job.players,
                    pairing: pair_job.pairing,
                    records,
                    started,
                    spent: clock.elapsed(),
                };
                GameWorkerEvent::Played(pair_job.next, Box::new(pair))
            }
        }
    }
}

/// Reports a worker's panic, so that the scheduler does not wait for it.
struct WorkerPanicGuard<'a>(&'a Sender<GameWorkerEvent>);

impl Drop for WorkerPanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.0.send(GameWorkerEvent::Lost);
        }
    }
}

/// Queues pairs for the workers and stores their results.
pub(super) struct PairScheduler<'a> {
    pub(super) runner: &'a mut TournamentRunner,
    pub(super) most_pairs: Option<u64>,
    pub(super) planned: Option<u64>,
    pub(super) under_way: Vec<ScheduledPair>,
    /// Number of pairs before this run.
    pub(super) before: u64,
    pub(super) started: Instant,
    /// The run's number in the store, once something was played.
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
            let mut runner =
                new_runner(&plan.game, &plan.opening, plan.stop_condition, &conditions);
            runner.set_broadcast(Arc::clone(broadcast));
            GameWorker {
                runner,
                core,
                broadcast: Arc::clone(broadcast),
            }
        });
        jobs.collect()
    }

    /// Runs until the end; returns whether nothing is left to play.
    pub(super) fn schedule(
        &mut self,
        queue: &Sender<PairJob>,
        events: &Receiver<GameWorkerEvent>,
        stop: &AtomicBool,
        abort: &AtomicBool,
        on_progress: &mut dyn FnMut(&TournamentProgress<'_>),
    ) -> Result<bool, TournamentRunError> {
        let jobs = self.runner.plan.jobs.max(1);
        // fast games are queued in advance, so that no worker waits for the store
        let depth = if self.runner.is_timed { jobs } else { 4 * jobs };
        let mut last = Instant::now();
        let mut is_over = false;
        loop {
            if stop.load(Ordering::Relaxed) {
                abort.store(true, Ordering::Relaxed);
            }
            while !abort.load(Ordering::Relaxed)
                && self.under_way.len() < depth
                && self.has_pairs_left()
            {
                let Some(next) = self.runner.next(&self.under_way)? else {
                    is_over = self.under_way.is_empty();
                    break;
                };
                let Some(pair_job) = self.runner.make_job(next) else {
                    continue;
                };
                self.runner.history.insert(next.players, next.pair);
                self.under_way.push(next);
                if queue.send(pair_job).is_err() {
                    return Ok(false);
                }
            }
            if self.under_way.is_empty() {
                // also if the requested number of games was the last
                return Ok(is_over || self.runner.pairs_left() == Some(0));
            }
            match events.recv_timeout(STOP_POLL_INTERVAL) {
                Ok(first) => {
                    let more = events.try_iter().take(MAX_BATCH - 1);
                    let batch: Vec<_> = std::iter::once(first).chain(more).collect();
                    if !self.store_events(batch)? {
                        return Ok(false);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
            }
            if last.elapsed() >= REPORT_INTERVAL {
                self.report(on_progress);
                last = Instant::now();
            }
        }
    }

    /// Whether another pair may be started.
    fn has_pairs_left(&self) -> bool {
        let pairs = self.runner.results.pairs() + self.under_way.len() as u64;
        self.most_pairs.is_none_or(|most| pairs < most)
    }

    /// Stores played pairs; returns whether all workers are alive.
    fn store_events(&mut self, batch: Vec<GameWorkerEvent>) -> Result<bool, TournamentRunError> {
        let mut pairs = Vec::with_capacity(batch.len());
        let mut goes_on = true;
        let mut refused = None;
        for event in batch {
            match event {
                GameWorkerEvent::Played(next, pair) => {
                    self.under_way.retain(|other| *other != next);
                    if let Some((part, units)) = &mut self.runner.part
                        && let Some(number) = units.number(next)
                    {
                        let line = units.line_of(number, &pair.records);
                        part.append(&line).map_err(PairPartError::from)?;
                    }
                    pairs.push(*pair);
                }
                // it stays in `under_way`, so that the caller knows it was lost
                GameWorkerEvent::Aborted | GameWorkerEvent::Lost => goes_on = false,
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
            self.runner.store.insert_pairs(run, &pairs)?;
            for pair in &pairs {
                self.runner.results.add(pair);
            }
        }
        match refused {
            None => Ok(goes_on),
            Some((players, error)) => {
                let names = players.map(|player| {
                    let participant = self.runner.participant(player);
                    participant.map_or(String::new(), |participant| participant.name.clone())
                });
                let name = names.join(" or ");
                Err(TournamentRunError::Entrant { name, error })
            }
        }
    }

    pub(super) fn report(&self, on_progress: &mut dyn FnMut(&TournamentProgress<'_>)) {
        let results = &self.runner.results;
        let round = match self.runner.plan.kind {
            TournamentKind::Swiss { rounds } => Some((self.runner.rounds.len(), rounds)),
            _ => None,
        };
        on_progress(&TournamentProgress {
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
