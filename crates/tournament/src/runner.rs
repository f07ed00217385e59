//! Runs a tournament: plays games in parallel until it is over or stopped.
//!
//! Each job is a thread with its own game runner and, where players have time limits, its own
//! core. The thread that calls [`TournamentRunner::run`] asks the schedule, queues pairs of
//! games and is the only one that uses the store. Games in progress when the program ends are
//! played again by the next run, with the same seeds.

mod scheduler;

use crate::part::{PairPartError, PairUnits};
use crate::plan::{Plan, TournamentKind};
use crate::rating::{BradleyTerryFit, PairSelector};
use crate::schedule::{self, MeetingHistory, Round, ScheduledPair, SwissSeed};
use crate::store::{Store, StoreError, StoreLock};
use crate::{Participant, TournamentResults};
use arena::{EntrantError, cores, is_timed, new_runner};
use matches::Broadcast;
use parts::{PartFile, UnitIndex};
use scheduler::{PairJob, PairScheduler};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A tournament that is ready to be played or resumed.
#[derive(Debug)]
pub struct TournamentRunner {
    plan: Plan,
    store: Store,
    /// Of a store that is a file.
    _lock: Option<StoreLock>,
    /// Where pairs are appended in a tournament that is played in parts.
    part: Option<(PartFile, PairUnits)>,
    /// The store's number of each of the plan's players, in the plan's order.
    numbers: Vec<usize>,
    cores: Vec<usize>,
    is_timed: bool,
    results: TournamentResults,
    /// What was played and, during a run, what is in progress.
    history: MeetingHistory,
    /// What others play, and what other parts have.
    elsewhere: Vec<([usize; 2], u64)>,
    meetings: Vec<[usize; 2]>,
    rounds: Vec<Round>,
    /// The next pairs, requested in advance.
    queue: VecDeque<ScheduledPair>,
    /// One per job.
    broadcasts: Vec<Arc<Broadcast>>,
}

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
pub enum TournamentRunError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A part cannot be used.
    #[error(transparent)]
    Part(#[from] PairPartError),
    /// A player does not exist or cannot play this game.
    #[error("{name}: {error}")]
    Entrant {
        /// Its name in the plan.
        name: String,
        /// The reason.
        error: EntrantError,
    },
    /// A bot's program does not exist.
    #[error("{name}: {program}: there is no such program")]
    NoProgram {
        /// Its name in the plan.
        name: String,
        /// The program.
        program: String,
    },
    /// There are more jobs than cores, and a player has a time limit.
    #[error(
        "{jobs} jobs are too many for {cores} cores: `{name}` plays by the clock, and no two games may share a core"
    )]
    Crowded {
        /// The number of jobs.
        jobs: usize,
        /// The number of cores.
        cores: usize,
        /// A player with a time limit.
        name: String,
    },
}

impl TournamentRunError {
    /// A hint, if there is one.
    ///
    /// ```
    /// let error = tournament::TournamentRunError::Crowded { jobs: 9, cores: 2, name: "deep".into() };
    /// assert_eq!(error.hint().as_deref(), Some("take at most 2 jobs"));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint().map(String::from),
            Self::Part(error) => error.hint(),
            Self::Entrant { .. } | Self::NoProgram { .. } => None,
            Self::Crowded { cores, .. } => Some(format!("take at most {cores} jobs")),
        }
    }
}

/// The progress of a running tournament.
#[derive(Debug)]
pub struct TournamentProgress<'a> {
    /// All results so far; [`TournamentResults::standings`] computes the standings.
    pub results: &'a TournamentResults,
    /// Number of games in the store.
    pub games: u64,
    /// Total number of games planned; `None` for a league without a limit.
    pub planned: Option<u64>,
    /// Number of games played in this run.
    pub played: u64,
    /// Time since the run began.
    pub elapsed: Duration,
    /// Pairs in progress.
    pub under_way: &'a [ScheduledPair],
    /// The current round of a Swiss tournament, from 1, and the number of rounds.
    pub round: Option<(usize, u32)>,
}

/// Number of pairs requested from the schedule at a time.
const MAX_QUEUED: usize = 1024;

impl TournamentRunner {
    /// Opens or creates a plan's store, and checks that everything can be played.
    ///
    /// # Errors
    /// A player does not exist, there are too many jobs, or the store is another
    /// tournament's or in use.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use tournament::TournamentRunner;
    ///
    /// let first = TournamentRunner::open(plan.clone())?;
    /// assert!(TournamentRunner::open(plan).is_err(), "the store is in use");
    /// assert_eq!(first.results().pairs(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(plan: Plan) -> Result<Self, TournamentRunError> {
        check_players(&plan)?;
        let store = Store::open_or_create(&plan.store)?;
        let lock = store.lock()?;
        Self::with_store(plan, store, Some(lock))
    }

    /// The same for a part: only the units that `is_own` names are played, as far as the parts in
    /// the folder lack them, and appended to `name` there. The store is one in memory.
    ///
    /// # Errors
    /// As for [`TournamentRunner::open`], or the plan cannot be played in parts.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 3\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use std::sync::atomic::AtomicBool;
    /// use tournament::{PairUnits, Store, TournamentRunner};
    ///
    /// let first = |unit| unit == 0;
    /// let mut runner = TournamentRunner::open_part(plan.clone(), folder.path(), "1.gpart", &first)?;
    /// assert!(runner.run(None, &AtomicBool::new(false), &mut |_| ())?);
    /// let mut store = Store::open_or_create(&plan.store)?;
    /// let parts = [folder.path().join("1.gpart")];
    /// assert_eq!(PairUnits::new(&plan)?.merge(&parts, &mut store)?, (1, vec![1, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_part(
        plan: Plan,
        folder: &Path,
        name: &str,
        is_own: &dyn Fn(u64) -> bool,
    ) -> Result<Self, TournamentRunError> {
        check_players(&plan)?;
        let units = PairUnits::new(&plan)?;
        let part = PartFile::open(&folder.join(name), &units).map_err(PairPartError::from)?;
        let finished = UnitIndex::of_folder(folder, &units).map_err(PairPartError::from)?;
        let mut runner = Self::with_store(plan, Store::in_memory()?, None)?;
        for number in 0..units.count() {
            let Some(unit) = units.unit(number) else {
                continue;
            };
            if finished.contains(number) || !is_own(number) {
                // a new store has the numbers of the plan
                runner.elsewhere.push((unit.players, unit.pair));
                runner.history.insert(unit.players, unit.pair);
            }
        }
        runner.part = Some((part, units));
        Ok(runner)
    }

    fn with_store(
        plan: Plan,
        mut store: Store,
        lock: Option<StoreLock>,
    ) -> Result<Self, TournamentRunError> {
        let is_timed = plan
            .players
            .iter()
            .any(|player| is_timed(&plan.game, &player.entrant));
        let cores = cores();
        let numbers = store.apply_plan(&plan)?;
        let mut history = MeetingHistory::default();
        for (players, pair) in store.pairs()? {
            history.insert(players, pair);
        }
        let mut rounds = Vec::new();
        for pairing in store.pairings()? {
            let round = pairing.round as usize;
            if rounds.len() <= round {
                rounds.resize(round + 1, Round::new());
            }
            rounds[round].push((pairing.first, pairing.second));
        }
        // a single job is not pinned to a core
        let is_pinned = plan.jobs > 1 && plan.jobs <= cores.all.len();
        Ok(Self {
            meetings: schedule::meetings(&plan.kind, &numbers),
            results: store.results()?,
            cores: if is_pinned { cores.all } else { Vec::new() },
            _lock: lock,
            part: None,
            elsewhere: Vec::new(),
            queue: VecDeque::new(),
            broadcasts: (0..plan.jobs.max(1)).map(|_| Arc::default()).collect(),
            plan,
            store,
            numbers,
            is_timed,
            history,
            rounds,
        })
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The results so far.
    #[must_use]
    pub fn results(&self) -> &TournamentResults {
        &self.results
    }

    /// The live views of running games, one per job.
    #[must_use]
    pub fn broadcasts(&self) -> &[Arc<Broadcast>] {
        &self.broadcasts
    }

    /// Plays until nothing is left, the store has `games` games, or `stop` is set, which aborts
    /// games in progress. Progress is reported at the beginning, at the end, and at most five
    /// times a second. Returns whether nothing is left to play.
    ///
    /// # Errors
    /// The store cannot be written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use std::sync::atomic::AtomicBool;
    /// use tournament::TournamentRunner;
    ///
    /// let mut runner = TournamentRunner::open(plan)?;
    /// let is_over = runner.run(None, &AtomicBool::new(false), &mut |progress| {
    ///     assert_eq!(progress.planned, Some(2));
    /// })?;
    /// assert!(is_over && runner.store().count()? == 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run(
        &mut self,
        games: Option<u64>,
        stop: &AtomicBool,
        on_progress: &mut dyn FnMut(&TournamentProgress<'_>),
    ) -> Result<bool, TournamentRunError> {
        let kept = self.results.pairs();
        let most_pairs = games.map(|games| games.div_ceil(2));
        let wanted = most_pairs.map(|most| most.max(kept));
        let all = self.pairs_left().map(|left| kept.saturating_add(left));
        let planned = all.into_iter().chain(wanted).min();
        let mut scheduler = PairScheduler {
            runner: self,
            most_pairs,
            planned: planned.map(|pairs| pairs.saturating_mul(2)),
            under_way: Vec::new(),
            before: 0,
            started: Instant::now(),
            run: None,
        };
        scheduler.before = scheduler.runner.results.pairs();
        scheduler.report(on_progress);
        let abort = AtomicBool::new(false);
        let (job_sender, queue) = mpsc::channel();
        let queue = Mutex::new(queue);
        let (sender, events) = mpsc::channel();
        let jobs = scheduler.jobs();
        let is_over = std::thread::scope(|scope| {
            for job in jobs {
                let (queue, sender, abort) = (&queue, sender.clone(), &abort);
                scope.spawn(move || job.work(queue, &sender, abort));
            }
            drop(sender);
            let is_over = scheduler.schedule(&job_sender, &events, stop, &abort, on_progress);
            abort.store(true, Ordering::Relaxed);
            drop(job_sender);
            is_over
        });
        scheduler.report(on_progress);
        // aborted pairs may be scheduled again
        let lost = std::mem::take(&mut scheduler.under_way);
        self.queue.clear();
        if !lost.is_empty() || is_over.is_err() {
            self.history = MeetingHistory::default();
            let elsewhere = self.elsewhere.iter().copied();
            for (players, pair) in self.store.pairs()?.into_iter().chain(elsewhere) {
                self.history.insert(players, pair);
            }
        }
        is_over
    }

    /// Number of pairs left to play; `None` for a league.
    fn pairs_left(&self) -> Option<u64> {
        match self.plan.kind {
            TournamentKind::League => None,
            TournamentKind::Swiss { rounds } => {
                let meetings = self.rounds.iter().flatten();
                let paired = meetings.filter(|(_, second)| second.is_some()).count() as u64;
                let open = u64::from(rounds).saturating_sub(self.rounds.len() as u64);
                let all = paired + open * (self.numbers.len() as u64 / 2);
                Some((all * self.plan.pairs).saturating_sub(self.results.pairs()))
            }
            _ => {
                let pairs = self.plan.pairs;
                let left = |&players| pairs - self.history.count_below(players, pairs);
                Some(self.meetings.iter().map(left).sum())
            }
        }
    }

    /// The next pair, if one can be chosen before more results are in.
    fn next(
        &mut self,
        under_way: &[ScheduledPair],
    ) -> Result<Option<ScheduledPair>, TournamentRunError> {
        while self.queue.is_empty() {
            let next = match self.plan.kind {
                TournamentKind::RoundRobin | TournamentKind::Gauntlet { .. } => {
                    schedule::next_pairs(&self.meetings, self.plan.pairs, &self.history, MAX_QUEUED)
                }
                TournamentKind::League => self.next_league_pairs(under_way),
                TournamentKind::Swiss { rounds } => {
                    let (pairs, history) = (self.plan.pairs, &self.history);
                    let next = schedule::next_in_round(&self.rounds, pairs, history, MAX_QUEUED);
                    let is_open = self.rounds.len() < rounds as usize;
                    if next.is_empty() && under_way.is_empty() && is_open {
                        self.pair_round()?;
                        continue;
                    }
                    next
                }
            };
            if next.is_empty() {
                return Ok(None);
            }
            self.queue.extend(next);
        }
        Ok(self.queue.pop_front())
    }

    /// The next pairs of a league, by information gain; several at once where the next few of
    /// many games change little.
    fn next_league_pairs(&self, under_way: &[ScheduledPair]) -> Vec<ScheduledPair> {
        let fit = BradleyTerryFit::new(self.results.entries().len(), &self.results.meetings());
        let pending: Vec<_> = under_way.iter().map(|next| next.players).collect();
        let mut selector = PairSelector::new(&fit, &pending);
        let mut history = self.history.clone();
        let mut pairs = Vec::new();
        for _ in 0..(self.results.pairs() / 100).clamp(1, 64) {
            let Some(best) = selector.best(&self.numbers) else {
                break;
            };
            let players = best.players;
            let pair = history.next_number(players);
            history.insert(players, pair);
            selector.count(players);
            pairs.push(ScheduledPair { players, pair });
        }
        pairs
    }

    /// Pairs the next round of a Swiss tournament and stores it.
    fn pair_round(&mut self) -> Result<(), TournamentRunError> {
        let mut points: BTreeMap<usize, u64> = BTreeMap::new();
        for meeting in self.results.meetings() {
            for meeting in [&meeting, &meeting.reversed()] {
                let score = meeting.score();
                let points = points.entry(meeting.players[0]).or_default();
                *points += 2 * score.wins + score.draws;
            }
        }
        // a bye is stored as an opponent with the highest number
        let both = |(a, b): (usize, Option<usize>)| {
            let b = b.unwrap_or(usize::MAX);
            [a.min(b), a.max(b)]
        };
        let mut met: BTreeMap<[usize; 2], u32> = BTreeMap::new();
        for &meeting in self.rounds.iter().flatten() {
            *met.entry(both(meeting)).or_default() += 1;
        }
        let times = |meeting| met.get(&both(meeting)).copied().unwrap_or(0);
        let seeds: Vec<_> = self
            .numbers
            .iter()
            .map(|&player| {
                let byes = times((player, None));
                // a won pair of games is worth four half points
                let rest = u64::from(byes) * 4 * self.plan.pairs;
                SwissSeed {
                    player,
                    half_points: points.get(&player).copied().unwrap_or(0) + rest,
                    byes,
                }
            })
            .collect();
        let round = schedule::pair_round(&seeds, &|a, b| times((a, Some(b))));
        self.store.insert_round(self.rounds.len() as u32, &round)?;
        self.rounds.push(round);
        Ok(())
    }

    fn participant(&self, number: usize) -> Option<&Participant> {
        let place = self.numbers.iter().position(|&n| n == number)?;
        self.plan.players.get(place)
    }

    /// The job for a pair.
    fn make_job(&self, next: ScheduledPair) -> Option<PairJob> {
        let [a, b] = next.players;
        let (first, second) = (self.participant(a)?, self.participant(b)?);
        let of = |player| if player == a { first } else { second };
        let (players, pairing) = schedule::pairing(self.plan.seed, next.players, of, next.pair);
        Some(PairJob {
            next,
            names: players.map(|player| of(player).name.clone()),
            players,
            pairing,
        })
    }
}

/// Checks that everybody can play, and that clocks have cores.
fn check_players(plan: &Plan) -> Result<(), TournamentRunError> {
    let runner = new_runner(
        &plan.game,
        &plan.opening,
        plan.stop_condition,
        &plan.conditions(),
    );
    for player in &plan.players {
        let admitted = runner.check_entrant(&player.entrant);
        admitted.map_err(|error| TournamentRunError::Entrant {
            name: player.name.clone(),
            error,
        })?;
        if let Some(program) = player.entrant.missing_program(&plan.conditions()) {
            return Err(TournamentRunError::NoProgram {
                name: player.name.clone(),
                program: program.to_string_lossy().into_owned(),
            });
        }
    }
    drop(runner);
    let clock = plan.players.iter();
    let clock = clock
        .clone()
        .find(|player| is_timed(&plan.game, &player.entrant));
    let cores = cores();
    if let Some(player) = clock
        && plan.jobs > cores.physical
    {
        return Err(TournamentRunError::Crowded {
            jobs: plan.jobs,
            cores: cores.physical,
            name: player.name.clone(),
        });
    }
    Ok(())
}
