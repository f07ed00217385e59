//! Playing a tournament: some games at a time, until it is over or somebody says stop.
//!
//! Each job is a thread with a hall of its own and, where that matters, a core of its own;
//! the thread that calls [`TournamentRunner::run`] asks the schedule, hands out pairs of games and is
//! the only one that touches the store. What is on its way when the program ends is played
//! again the next time, the same.

mod scheduler;

use crate::plan::{Plan, TournamentKind};
use crate::rating::{BradleyTerryFit, PairSelector};
use crate::schedule::{self, MeetingHistory, Round, ScheduledPair, SwissSeed};
use crate::store::{Reservation, Store, StoreError};
use crate::{Participant, TournamentResults};
use arena::{Broadcast, EntrantError, GamePairing, cores, hall, is_timed};
use scheduler::{PairJob, PairScheduler};
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A tournament that is ready to be played, or to go on.
#[derive(Debug)]
pub struct TournamentRunner {
    plan: Plan,
    store: Store,
    _reservation: Reservation,
    /// The number of each of the plan's players, in the plan's order.
    numbers: Vec<usize>,
    cores: Vec<usize>,
    is_timed: bool,
    results: TournamentResults,
    /// What was played and, during a run, what is under way.
    history: MeetingHistory,
    meetings: Vec<[usize; 2]>,
    rounds: Vec<Round>,
    /// What comes next, asked for in advance.
    queue: VecDeque<ScheduledPair>,
    /// One for each job.
    broadcasts: Vec<Arc<Broadcast>>,
}

/// Why a tournament cannot be played.
#[derive(Debug, Error)]
pub enum TournamentRunError {
    /// Its file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A player does not exist or cannot play this game.
    #[error("{name}: {error}")]
    Entrant {
        /// What the plan calls it.
        name: String,
        /// Why it cannot play.
        error: EntrantError,
    },
    /// The program of a bot is not there.
    #[error("{name}: {program}: there is no such program")]
    NoProgram {
        /// What the plan calls it.
        name: String,
        /// The program.
        program: String,
    },
    /// There are more jobs than cores, and a player thinks by the clock.
    #[error(
        "{jobs} jobs are too many for {cores} cores: `{name}` plays by the clock, and no two games may share a core"
    )]
    Crowded {
        /// How many games were to be played at a time.
        jobs: usize,
        /// How many cores there are.
        cores: usize,
        /// A player with a clock.
        name: String,
    },
}

impl TournamentRunError {
    /// What would help, if that is known.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Store(error) => error.hint().map(String::from),
            Self::Entrant { .. } | Self::NoProgram { .. } => None,
            Self::Crowded { cores, .. } => Some(format!("take at most {cores} jobs")),
        }
    }
}

/// How a tournament stands while it runs.
#[derive(Debug)]
pub struct TournamentProgress<'a> {
    /// All results so far; [`TournamentResults::standings`] makes the table of them.
    pub results: &'a TournamentResults,
    /// How many games are kept.
    pub games: u64,
    /// How many there will be; `None` for a league without a limit.
    pub planned: Option<u64>,
    /// How many of them were played since the run began, and how long ago that was.
    pub played: u64,
    /// See there.
    pub elapsed: Duration,
    /// Who plays now.
    pub under_way: &'a [ScheduledPair],
    /// The round of a Swiss tournament that is being played, from 1, and how many there are.
    pub round: Option<(usize, u32)>,
}

/// So many pairs of games are asked of the schedule at a time.
const AHEAD: usize = 1024;

impl TournamentRunner {
    /// Opens a plan's store, or makes it, and looks whether everything can be played.
    ///
    /// # Errors
    /// A player does not exist, there are too many jobs, or the store is another
    /// tournament's or in use.
    pub fn open(plan: Plan) -> Result<Self, TournamentRunError> {
        let place = hall(&plan.game, &plan.opening, plan.until, &plan.conditions());
        for player in &plan.players {
            let admitted = place.admits(&player.entrant);
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
        drop(place);
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
        let is_timed = clock.is_some();
        let mut store = Store::open_or_make(&plan.store)?;
        let reservation = store.reserve()?;
        let numbers = store.adopt(&plan)?;
        let mut history = MeetingHistory::default();
        for (players, pair) in store.pairs()? {
            history.take(players, pair);
        }
        let mut rounds = Vec::new();
        for pairing in store.pairings()? {
            let round = pairing.round as usize;
            if rounds.len() <= round {
                rounds.resize(round + 1, Round::new());
            }
            rounds[round].push((pairing.first, pairing.second));
        }
        // one job alone may go where the system finds room
        let is_pinned = plan.jobs > 1 && plan.jobs <= cores.all.len();
        Ok(Self {
            meetings: schedule::meetings(&plan.kind, &numbers),
            results: store.results()?,
            cores: if is_pinned { cores.all } else { Vec::new() },
            _reservation: reservation,
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

    /// Where the games can be looked at while they are played: one place for each job.
    #[must_use]
    pub fn broadcasts(&self) -> &[Arc<Broadcast>] {
        &self.broadcasts
    }

    /// Plays until nothing is left, the store has `games` games, or `stop` is set; what is
    /// under way then is given up. Progress is told at the beginning, at the end, and at most
    /// five times a second. Whether nothing is left to play.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn run(
        &mut self,
        games: Option<u64>,
        stop: &AtomicBool,
        told: &mut dyn FnMut(&TournamentProgress<'_>),
    ) -> Result<bool, TournamentRunError> {
        let kept = self.results.pairs();
        let most_pairs = games.map(|games| games.div_ceil(2));
        let wanted = most_pairs.map(|most| most.max(kept));
        let all = self.left().map(|left| kept.saturating_add(left));
        let planned = all.into_iter().chain(wanted).min();
        let mut desk = PairScheduler {
            runner: self,
            most_pairs,
            planned: planned.map(|pairs| pairs.saturating_mul(2)),
            under_way: Vec::new(),
            before: 0,
            started: Instant::now(),
            run: None,
        };
        desk.before = desk.runner.results.pairs();
        desk.tell(told);
        let halt = AtomicBool::new(false);
        let (orders, queue) = mpsc::channel();
        let queue = Mutex::new(queue);
        let (sender, news) = mpsc::channel();
        let jobs = desk.jobs();
        let is_over = std::thread::scope(|scope| {
            for job in jobs {
                let (queue, sender, halt) = (&queue, sender.clone(), &halt);
                scope.spawn(move || job.work(queue, &sender, halt));
            }
            drop(sender);
            let is_over = desk.lead(&orders, &news, stop, &halt, told);
            halt.store(true, Ordering::Relaxed);
            drop(orders);
            is_over
        });
        desk.tell(told);
        // what was given up may be played again
        let lost = std::mem::take(&mut desk.under_way);
        self.queue.clear();
        if !lost.is_empty() || is_over.is_err() {
            self.history = MeetingHistory::default();
            for (players, pair) in self.store.pairs()? {
                self.history.take(players, pair);
            }
        }
        is_over
    }

    /// How many pairs of games are left to play; `None` where there is no end.
    fn left(&self) -> Option<u64> {
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

    /// What is to be played next, if anything can be said before more has ended.
    fn next(
        &mut self,
        under_way: &[ScheduledPair],
    ) -> Result<Option<ScheduledPair>, TournamentRunError> {
        while self.queue.is_empty() {
            let next = match self.plan.kind {
                TournamentKind::RoundRobin | TournamentKind::Gauntlet { .. } => {
                    schedule::next(&self.meetings, self.plan.pairs, &self.history, AHEAD)
                }
                TournamentKind::League => self.next_lessons(under_way),
                TournamentKind::Swiss { rounds } => {
                    let (pairs, history) = (self.plan.pairs, &self.history);
                    let next = schedule::next_in_round(&self.rounds, pairs, history, AHEAD);
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

    /// The next of a league: those who would tell most, some at once where so many games were
    /// played that the next few change little.
    fn next_lessons(&self, under_way: &[ScheduledPair]) -> Vec<ScheduledPair> {
        let fit = BradleyTerryFit::new(self.results.entries().len(), &self.results.meetings());
        let asked: Vec<_> = under_way.iter().map(|next| next.players).collect();
        let mut course = PairSelector::new(&fit, &asked);
        let mut history = self.history.clone();
        let mut lessons = Vec::new();
        for _ in 0..(self.results.pairs() / 100).clamp(1, 64) {
            let Some(best) = course.best(&self.numbers) else {
                break;
            };
            let players = best.players;
            let pair = history.free(players);
            history.take(players, pair);
            course.count(players);
            lessons.push(ScheduledPair { players, pair });
        }
        lessons
    }

    /// Pairs the next round of a Swiss tournament and writes it down.
    fn pair_round(&mut self) -> Result<(), TournamentRunError> {
        let mut points: BTreeMap<usize, u64> = BTreeMap::new();
        for meeting in self.results.meetings() {
            for meeting in [&meeting, &meeting.turned()] {
                let score = meeting.score();
                let points = points.entry(meeting.players[0]).or_default();
                *points += 2 * score.wins + score.draws;
            }
        }
        // nobody is there under the highest number of all
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
                // a pair of games that was won gives four
                let rest = u64::from(byes) * 4 * self.plan.pairs;
                SwissSeed {
                    player,
                    half_points: points.get(&player).copied().unwrap_or(0) + rest,
                    byes,
                }
            })
            .collect();
        let round = schedule::pair_round(&seeds, &|a, b| times((a, Some(b))));
        self.store.keep_round(self.rounds.len() as u32, &round)?;
        self.rounds.push(round);
        Ok(())
    }

    fn contender(&self, number: usize) -> Option<&Participant> {
        let place = self.numbers.iter().position(|&n| n == number)?;
        self.plan.players.get(place)
    }

    /// A pair of games for a job: the first in the alphabet sits in the first seat first, so
    /// that the order of a plan changes nothing.
    fn order(&self, next: ScheduledPair) -> Option<PairJob> {
        let [a, b] = next.players;
        let (first, second) = (self.contender(a)?, self.contender(b)?);
        let is_sorted = first.name <= second.name;
        let mut order = PairJob {
            next,
            players: [a, b],
            fixture: GamePairing {
                entrants: [first.entrant.clone(), second.entrant.clone()],
                seed: schedule::seed(self.plan.seed, [&first.name, &second.name]),
                pair: next.pair,
                is_whole: true,
            },
            names: [first.name.clone(), second.name.clone()],
        };
        if !is_sorted {
            order.players.reverse();
            order.fixture.entrants.reverse();
            order.names.reverse();
        }
        Some(order)
    }
}
