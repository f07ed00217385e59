//! Tournaments in parts ([`parts`]). Own method.
//!
//! A unit is a pair of games of one meeting, and its number depends on the plan alone: first
//! everybody's first pair, then everybody's second. The first line of a part is the plan, and each
//! further one a unit with its games as replays ([`matches::replay`]), whose sums tell damage. What
//! is not by the clock is played alike everywhere, so equal units are equal lines: times are left
//! out.

use crate::plan::{Plan, TournamentKind, write_opening};
use crate::played_pair::PlayedPair;
use crate::schedule::{self, ScheduledPair};
use crate::store::{Store, StoreError};
use arena::{EntrantError, GamePairing, is_timed, new_runner};
use matches::{Record, StopCondition, replay};
use parts::{PartError, PartPlan, PlanMismatch, UnitIndex, UnitLine, UnitSet, text_digest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// Why a tournament cannot be played in parts, or parts cannot be added.
#[derive(Debug, Error)]
pub enum PairPartError {
    /// What is played next depends on what was played.
    #[error("a {0} is not played in parts: who meets whom depends on the games before")]
    Dependent(&'static str),
    /// A player plays by the clock, and the plan does not say so.
    #[error("`{0}` plays by the clock: no two machines play the same games")]
    Timed(String),
    /// A part cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A player cannot play.
    #[error(transparent)]
    Player(#[from] EntrantError),
    /// The store cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl PairPartError {
    /// A hint, if there is one.
    ///
    /// ```
    /// let error = tournament::PairPartError::Timed("deep".into());
    /// assert!(error.hint().is_some_and(|hint| hint.contains("timed = true")));
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Timed(_) => {
                "limit it by nodes= or playouts=, or write `timed = true` in the plan"
            }
            Self::Dependent(_) => "a round-robin and a gauntlet are",
            Self::Part(error) => return error.hint().map(String::from),
            Self::Player(_) => return None,
            Self::Store(error) => return error.hint().map(String::from),
        };
        Some(hint.into())
    }
}

/// The units of a plan.
///
/// ```
/// use std::path::Path;
/// use tournament::{PairUnits, Plan};
///
/// let text = "game = 'tictactoe'\npairs = 5\n\
///     player = [{ player = 'random' }, { player = 'heuristic' }]";
/// let units = PairUnits::new(&Plan::parse(text, Path::new("cup.toml"))?)?;
/// assert_eq!(units.count(), 5);
/// let last = units.unit(4).expect("there are five");
/// assert_eq!((last.players, last.pair, units.number(last)), ([0, 1], 4, Some(4)));
/// assert_eq!(units.unit(5), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PairUnits {
    line: String,
    digest: String,
    /// Places in the plan.
    meetings: Vec<[usize; 2]>,
    pairs: u64,
    is_timed: bool,
    plan: Plan,
}

impl PairUnits {
    /// Cuts a plan.
    ///
    /// # Errors
    /// A Swiss tournament or a league, or a player by the clock where the plan does not say
    /// `timed = true`.
    ///
    /// ```
    /// use std::path::Path;
    /// use tournament::{PairUnits, Plan};
    ///
    /// let text = "game = 'tictactoe'\n\
    ///     player = [{ player = 'random' }, { player = 'mcts:ms=5' }]";
    /// let refused = PairUnits::new(&Plan::parse(text, Path::new("cup.toml"))?).unwrap_err();
    /// assert!(refused.to_string().starts_with("`mcts:ms=5` plays by the clock"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(plan: &Plan) -> Result<Self, PairPartError> {
        if let TournamentKind::Swiss { .. } | TournamentKind::League = plan.kind {
            return Err(PairPartError::Dependent(plan.kind.name()));
        }
        let mut players = plan.players.iter();
        if !plan.is_timed
            && let Some(player) = players.find(|player| is_timed(&plan.game, &player.entrant))
        {
            return Err(PairPartError::Timed(player.name.clone()));
        }
        let places: Vec<usize> = (0..plan.players.len()).collect();
        let line = plan_line(plan);
        Ok(Self {
            digest: text_digest(&line),
            line,
            meetings: schedule::meetings(&plan.kind, &places),
            pairs: plan.pairs,
            is_timed: plan.is_timed,
            plan: plan.clone(),
        })
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        (self.meetings.len() as u64).saturating_mul(self.pairs)
    }

    /// The pair of games with this number; its players are places in [`Plan::players`].
    ///
    /// ```
    /// # let text = "game = 'tictactoe'\npairs = 2\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, std::path::Path::new("cup.toml"))?;
    /// let units = tournament::PairUnits::new(&plan)?;
    /// assert_eq!(units.unit(1).map(|unit| (unit.players, unit.pair)), Some(([0, 1], 1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unit(&self, number: u64) -> Option<ScheduledPair> {
        let meetings = self.meetings.len() as u64;
        let players = self.meetings.get((number % meetings.max(1)) as usize)?;
        let pair = number / meetings;
        (pair < self.pairs).then_some(ScheduledPair {
            players: *players,
            pair,
        })
    }

    /// The number of a pair of games.
    ///
    /// ```
    /// # let text = "game = 'tictactoe'\npairs = 2\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, std::path::Path::new("cup.toml"))?;
    /// let units = tournament::PairUnits::new(&plan)?;
    /// let unit = |pair| tournament::ScheduledPair { players: [0, 1], pair };
    /// assert_eq!([units.number(unit(1)), units.number(unit(2))], [Some(1), None]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn number(&self, unit: ScheduledPair) -> Option<u64> {
        let place = self.meetings.iter().position(|m| *m == unit.players)?;
        let number = unit.pair.checked_mul(self.meetings.len() as u64)? + place as u64;
        (unit.pair < self.pairs).then_some(number)
    }

    /// The line of a unit without its end, from the games that [`PairUnits::pairing`] names.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// let units = tournament::PairUnits::new(&plan)?;
    /// let (players, pairing) = units.pairing(units.unit(0).expect("there is one"));
    /// assert_eq!(players, [1, 0], "`heuristic` comes before `random`");
    /// let mut runner =
    ///     arena::new_runner(&plan.game, &plan.opening, plan.stop_condition, &plan.conditions());
    /// let records = runner.play(&pairing, &false.into())?.expect("nothing stops it");
    /// let line = units.line_of(0, &records);
    /// assert_eq!(units.parse(&line)?.0, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn line_of(&self, number: u64, records: &[Record]) -> String {
        let replays = records.iter().map(|record| {
            let mut record = record.clone();
            if !self.is_timed {
                for turn in &mut record.turns {
                    turn.spent = [None; 2];
                }
            }
            replay::text(&record)
        });
        let line = PairLine {
            unit: number,
            plan: self.digest.clone(),
            games: replays.collect(),
        };
        serde_json::to_string(&line).expect("texts and integers are JSON")
    }

    /// Reads a line of a unit, without its end: its number and its games.
    ///
    /// # Errors
    /// The line is not exactly one that a part of this plan has.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// let units = tournament::PairUnits::new(&plan)?;
    /// assert_eq!(units.parse("{\"unit\":0}").unwrap_err(), "it is no unit");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<(u64, Vec<Record>), &'static str> {
        let line: PairLine = serde_json::from_str(text).map_err(|_| "it is no unit")?;
        if line.plan != self.digest {
            return Err("it is a unit of another plan");
        }
        let unit = self
            .unit(line.unit)
            .ok_or("its number is none of the plan")?;
        let mut records = Vec::new();
        for game in &line.games {
            let mut games = replay::read_text(game);
            match (games.next(), games.next()) {
                (Some(Ok(replay)), None) => records.push(replay.record),
                _ => return Err("a game in it is none"),
            }
        }
        let pairing = self.pairing(unit).1;
        let game = self.plan.game.to_string();
        let fits = |record: &Record| {
            record.game == game && record.pair == pairing.pair && record.seed == pairing.seed
        };
        if records.len() != 2 || !records.iter().all(fits) {
            return Err("its games are not those of the unit");
        }
        if self.line_of(line.unit, &records) != text {
            return Err("it is not in the form in which units are written");
        }
        Ok((line.unit, records))
    }

    /// The places of those who meet, the one with the first seat first, and their games.
    ///
    /// ```
    /// # let text = "game = 'tictactoe'\npairs = 2\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, std::path::Path::new("cup.toml"))?;
    /// let units = tournament::PairUnits::new(&plan)?;
    /// let (players, pairing) = units.pairing(units.unit(1).expect("there are two"));
    /// assert_eq!((players, pairing.pair), ([1, 0], 1), "`heuristic` comes before `random`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pairing(&self, unit: ScheduledPair) -> ([usize; 2], GamePairing) {
        schedule::pairing(
            self.plan.seed,
            unit.players,
            |place| &self.plan.players[place],
            unit.pair,
        )
    }

    /// Plays units again and compares them with the parts; what no part has is left out. Returns
    /// how many were compared before `stop` was set, and does nothing where games are timed.
    ///
    /// # Errors
    /// A part cannot be read, a player cannot play, or a pair has another result.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 3\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use std::sync::atomic::AtomicBool;
    /// use tournament::{PairUnits, TournamentRunner};
    ///
    /// let stop = AtomicBool::new(false);
    /// let mut runner =
    ///     TournamentRunner::open_part(plan.clone(), folder.path(), "1.gpart", &|unit| unit > 0)?;
    /// runner.run(None, &stop, &mut |_| ())?;
    /// let parts = [folder.path().join("1.gpart")];
    /// let draw = |units: &parts::UnitSet| vec![0, units.runs()[0].1];
    /// assert_eq!(PairUnits::new(&plan)?.check(&parts, &draw, &stop)?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(
        &self,
        parts: &[PathBuf],
        draw: &dyn Fn(&UnitSet) -> Vec<u64>,
        stop: &AtomicBool,
    ) -> Result<u64, PairPartError> {
        let mut index = UnitIndex::new();
        for path in parts {
            index.add(path, self, &mut |_, _| Ok::<_, PairPartError>(()))?;
        }
        let plan = &self.plan;
        let mut runner = new_runner(
            &plan.game,
            &plan.opening,
            plan.stop_condition,
            &plan.conditions(),
        );
        let mut compared = 0;
        for number in draw(&index.units()) {
            let unit = self.unit(number).filter(|_| index.contains(number));
            let Some(unit) = unit.filter(|_| !self.is_timed) else {
                continue;
            };
            let Some(records) = runner.play(&self.pairing(unit).1, stop)? else {
                break;
            };
            let line = self.line_of(number, &records);
            index.compare(self, number, &Sha256::digest(line).into())?;
            compared += 1;
        }
        Ok(compared)
    }

    /// Adds parts to the plan's store, in any order; what the store has is left as it is, and a pair
    /// that is in several parts is compared and added once. Returns how many pairs are new, and
    /// the units that neither parts nor store have.
    ///
    /// # Errors
    /// A part cannot be read, is damaged, of another plan or has another result, or the store
    /// cannot be written. Nothing is added then, but for a store that fails halfway.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use tournament::{PairUnits, Store};
    ///
    /// let mut store = Store::open_or_create(&plan.store)?;
    /// assert_eq!(PairUnits::new(&plan)?.merge(&[], &mut store)?, (0, vec![0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn merge(
        &self,
        parts: &[PathBuf],
        store: &mut Store,
    ) -> Result<(u64, Vec<u64>), PairPartError> {
        // nothing is added before all parts are read
        let mut index = UnitIndex::new();
        for path in parts {
            index.add(path, self, &mut |_, _| Ok::<_, PairPartError>(()))?;
        }
        let _lock = store.lock()?;
        let numbers = store.apply_plan(&self.plan)?;
        let sorted = |[a, b]: [usize; 2]| [a.min(b), a.max(b)];
        let stored = store.pairs()?.into_iter();
        let stored: BTreeSet<_> = stored
            .map(|(players, pair)| (sorted(players), pair))
            .collect();
        let is_stored = |unit: ScheduledPair| {
            let players = unit.players.map(|place| numbers[place]);
            stored.contains(&(sorted(players), unit.pair))
        };
        let mut run = None;
        let mut added = 0;
        // of a pair that is twice there, the first file's is new again
        let mut again = UnitIndex::new();
        for path in parts {
            let mut batch = Vec::new();
            again.add(path, self, &mut |number, records| {
                let Some(unit) = self.unit(number).filter(|unit| !is_stored(*unit)) else {
                    return Ok(());
                };
                let (players, pairing) = self.pairing(unit);
                batch.push(PlayedPair {
                    players: players.map(|place| numbers[place]),
                    pairing,
                    records,
                    started: SystemTime::now(),
                    spent: Duration::ZERO,
                });
                added += 1;
                match batch.len() < BATCH {
                    true => Ok(()),
                    false => insert(store, &mut run, &self.plan, &mut batch),
                }
            })?;
            insert(store, &mut run, &self.plan, &mut batch)?;
        }
        let is_missing = |number: &u64| {
            !index.contains(*number) && self.unit(*number).is_some_and(|unit| !is_stored(unit))
        };
        Ok((added, (0..self.count()).filter(is_missing).collect()))
    }
}

impl PartPlan for PairUnits {
    type Unit<'a> = Vec<Record>;
    const WORK: &'static str = "tournament";

    fn plan_line(&self) -> String {
        self.line.clone()
    }

    fn plan_digest(&self) -> String {
        self.digest.clone()
    }

    fn plan_version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn compare_line(&self, line: &str) -> Result<(), PlanMismatch> {
        if line == self.line {
            return Ok(());
        }
        let read = |text| serde_json::from_str::<Map<String, Value>>(text).ok();
        let kept = read(line).filter(|kept| kept.contains_key("pairpart"));
        let (kept, planned) = kept.zip(read(&self.line)).ok_or(PlanMismatch::Foreign)?;
        let differs = |key: &&String| kept.get(*key) != planned.get(*key);
        let what = planned
            .keys()
            .filter(differs)
            .min()
            .ok_or(PlanMismatch::Foreign)?;
        let text = |map: &Map<String, Value>| map.get(what).unwrap_or(&Value::Null).to_string();
        Err(PlanMismatch::differs(what, text(&kept), text(&planned)))
    }

    fn unit_name(&self, number: u64) -> Option<String> {
        let unit = self.unit(number)?;
        let [a, b] = unit.players.map(|place| &self.plan.players[place].name);
        Some(format!("{a} and {b}, pair {}", unit.pair))
    }

    fn read_line(&self, line: &str) -> Result<UnitLine<Vec<Record>>, &'static str> {
        let (number, unit) = self.parse(line)?;
        let digest = Sha256::digest(line).into();
        Ok(UnitLine {
            number,
            digest,
            unit,
        })
    }

    fn is_repeatable(&self) -> bool {
        !self.is_timed
    }
}

/// How many pairs are written in one transaction.
const BATCH: usize = 256;

fn insert(
    store: &mut Store,
    run: &mut Option<i64>,
    plan: &Plan,
    batch: &mut Vec<PlayedPair>,
) -> Result<(), PairPartError> {
    if batch.is_empty() {
        return Ok(());
    }
    let number = match *run {
        Some(number) => number,
        None => *run.insert(store.begin_run(plan.jobs, &plan.cage.mode.to_string())?),
    };
    store.insert_pairs(number, batch)?;
    batch.clear();
    Ok(())
}

/// A unit as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairLine {
    unit: u64,
    plan: String,
    games: Vec<String>,
}

/// The version of the format of parts.
const FORMAT: u64 = 1;

/// What the games depend on. The order of its fields is that of the line.
#[derive(Serialize)]
struct PairPlanLine<'a> {
    /// The version of the format.
    pairpart: u64,
    version: &'a str,
    game: String,
    kind: &'a str,
    champions: &'a [usize],
    pairs: u64,
    seed: u64,
    opening: String,
    settled: bool,
    pace: String,
    timed: bool,
    /// Name and text.
    players: Vec<[&'a str; 2]>,
}

/// The plan as one line without its end.
fn plan_line(plan: &Plan) -> String {
    let players = plan.players.iter();
    let line = PairPlanLine {
        pairpart: FORMAT,
        version: env!("CARGO_PKG_VERSION"),
        game: plan.game.to_string(),
        kind: plan.kind.name(),
        champions: match &plan.kind {
            TournamentKind::Gauntlet { champions } => champions,
            _ => &[],
        },
        pairs: plan.pairs,
        seed: plan.seed,
        opening: write_opening(&plan.opening),
        settled: plan.stop_condition == StopCondition::Settled,
        pace: plan.time_control.to_string(),
        timed: plan.is_timed,
        players: players
            .map(|player| [&player.name[..], &player.text])
            .collect(),
    };
    serde_json::to_string(&line).expect("texts and integers are JSON")
}
