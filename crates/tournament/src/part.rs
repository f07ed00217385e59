//! Tournaments in parts: files to which one process each appends the pairs of games that it has
//! played, on machines that share no more than a folder. Own method.
//!
//! A unit is a pair of games of one meeting, and its number depends on the plan alone: first
//! everybody's first pair, then everybody's second. The first line of a part is the plan, and each
//! further one a unit with its games as replays ([`matches::replay`]), whose sums tell damage. What
//! is not by the clock is played alike everywhere, so equal units are equal lines: times are left
//! out. A line that was not written to its end is not there.

use crate::plan::{Plan, TournamentKind, write_opening};
use crate::played_pair::PlayedPair;
use crate::schedule::{self, ScheduledPair};
use crate::store::{Store, StoreError};
use arena::{GamePairing, is_timed};
use matches::{Record, StopCondition, replay};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Seek as _, Write as _};
use std::path::{Path, PathBuf};
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
    /// The system refuses something.
    #[error("{}: {error}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The first line is no tournament's plan.
    #[error("{}: this is no part of a tournament: its first line is not a plan", .0.display())]
    Foreign(PathBuf),
    /// The part is one of another plan or program.
    #[error("{}: the {what} of this part is {kept}, and not {planned} as in the plan", path.display())]
    OtherPlan {
        /// The file.
        path: PathBuf,
        /// What differs: `seed`.
        what: String,
        /// Its value in the file.
        kept: String,
        /// Its value in the plan.
        planned: String,
    },
    /// A line is not as it was written.
    #[error("{}: line {line} is damaged: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// One pair has two results.
    #[error("unit {unit} has two different results: in {} and in {}", path.display(), other.display())]
    TwoResults {
        /// The unit.
        unit: u64,
        /// The first file.
        path: PathBuf,
        /// The second file.
        other: PathBuf,
    },
    /// Another program appends to the part.
    #[error("{}: another program is writing this part", .0.display())]
    Busy(PathBuf),
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
            Self::OtherPlan { .. } => "keep the parts of each tournament in a folder of their own",
            Self::Damaged { .. } => "remove the line; what is missing can be played again",
            Self::TwoResults { .. } => "one of the machines is faulty, or runs another program",
            Self::Busy(_) => "give each process a share of its own with --shard",
            Self::Store(error) => return error.hint().map(String::from),
            Self::File { .. } | Self::Foreign(_) => return None,
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
            digest: format!("{:x}", Sha256::digest(&line)),
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

    /// Which units the parts of a folder have.
    ///
    /// # Errors
    /// A part cannot be read, is damaged, or is one of another plan.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// let units = tournament::PairUnits::new(&plan)?;
    /// assert!(units.finished(folder.path())?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn finished(&self, folder: &Path) -> Result<Vec<u64>, PairPartError> {
        let mut numbers = Vec::new();
        for path in pair_part_files(folder)? {
            self.visit(&path, &mut |number, _, _| {
                numbers.push(number);
                Ok(())
            })?;
        }
        numbers.sort_unstable();
        numbers.dedup();
        Ok(numbers)
    }

    /// Hands over each unit of a part: its number, its line, its games. Returns the bytes of the
    /// whole lines.
    fn visit(&self, path: &Path, visitor: &mut UnitVisitor<'_>) -> Result<u64, PairPartError> {
        let failed = failure(path);
        let mut file = BufReader::new(File::open(path).map_err(&failed)?);
        let mut bytes = 0;
        let mut buffer = Vec::new();
        for number in 1.. {
            buffer.clear();
            file.read_until(b'\n', &mut buffer).map_err(&failed)?;
            let Some(line) = buffer.strip_suffix(b"\n") else {
                break;
            };
            bytes += buffer.len() as u64;
            let damaged = |problem| PairPartError::Damaged {
                path: path.into(),
                line: number,
                problem,
            };
            let line = std::str::from_utf8(line).map_err(|_| damaged("it is no text"))?;
            if number == 1 {
                self.check_plan(path, line)?;
                continue;
            }
            let (unit, records) = self.parse(line).map_err(damaged)?;
            visitor(unit, line, records)?;
        }
        Ok(bytes)
    }

    fn check_plan(&self, path: &Path, line: &str) -> Result<(), PairPartError> {
        if line == self.line {
            return Ok(());
        }
        let foreign = || PairPartError::Foreign(path.into());
        let read = |text| serde_json::from_str::<Map<String, Value>>(text).map_err(|_| foreign());
        let (kept, planned) = (read(line)?, read(&self.line)?);
        if !kept.contains_key("pairpart") {
            return Err(foreign());
        }
        let text = |map: &Map<String, Value>, key| map.get(key).unwrap_or(&Value::Null).to_string();
        let differs = |key: &&String| kept.get(*key) != planned.get(*key);
        let what = planned.keys().find(differs).ok_or_else(foreign)?;
        Err(PairPartError::OtherPlan {
            path: path.into(),
            kept: text(&kept, what),
            planned: text(&planned, what),
            what: what.clone(),
        })
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
        // the file of each unit, and what is in it
        let mut units: BTreeMap<u64, (usize, [u8; 32])> = BTreeMap::new();
        for (place, path) in parts.iter().enumerate() {
            self.visit(path, &mut |unit, line, _| {
                let digest = <[u8; 32]>::from(Sha256::digest(line));
                match units.get(&unit) {
                    Some((other, kept)) if *kept != digest && !self.is_timed => {
                        Err(PairPartError::TwoResults {
                            unit,
                            path: parts[*other].clone(),
                            other: path.clone(),
                        })
                    }
                    Some(_) => Ok(()),
                    None => {
                        units.insert(unit, (place, digest));
                        Ok(())
                    }
                }
            })?;
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
        for (place, path) in parts.iter().enumerate() {
            let mut batch = Vec::new();
            self.visit(path, &mut |number, _, records| {
                // of a pair that is twice there, the first file's
                let is_first = units.get(&number).is_some_and(|(file, _)| *file == place);
                let Some(unit) = self.unit(number).filter(|_| is_first) else {
                    return Ok(());
                };
                units.insert(number, (usize::MAX, [0; 32]));
                if is_stored(unit) {
                    return Ok(());
                }
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
            !units.contains_key(number) && self.unit(*number).is_some_and(|unit| !is_stored(unit))
        };
        Ok((added, (0..self.count()).filter(is_missing).collect()))
    }
}

/// What is told each unit of a part: its number, its line, its games.
type UnitVisitor<'a> = dyn FnMut(u64, &str, Vec<Record>) -> Result<(), PairPartError> + 'a;

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

/// A part that is being written. One program at a time appends to it.
#[derive(Debug)]
pub struct PairPartFile {
    path: PathBuf,
    file: File,
    units: PairUnits,
}

impl PairPartFile {
    /// Opens a part to append to, or makes it. A last line that was not written to its end is
    /// removed.
    ///
    /// # Errors
    /// It cannot be written, is of another plan, is damaged, or another program appends to it.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use tournament::{PairPartFile, PairUnits};
    ///
    /// let path = folder.path().join("1-of-1.gpart");
    /// let first = PairPartFile::open(&path, PairUnits::new(&plan)?)?;
    /// assert!(PairPartFile::open(&path, PairUnits::new(&plan)?).is_err(), "it has one writer");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: &Path, units: PairUnits) -> Result<Self, PairPartError> {
        let failed = failure(path);
        let mut options = OpenOptions::new();
        let file = options.append(true).read(true).create(true).open(path);
        let mut file = file.map_err(&failed)?;
        // file systems without locks do without: there, a file has one writer by its name
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PairPartError::Busy(path.into()));
        }
        let bytes = units.visit(path, &mut |_, _, _| Ok(()))?;
        if file.metadata().map_err(&failed)?.len() > bytes {
            file.set_len(bytes).map_err(&failed)?;
        }
        file.seek(io::SeekFrom::End(0)).map_err(&failed)?;
        let line = units.line.clone();
        let mut part = Self {
            path: path.into(),
            file,
            units,
        };
        if bytes == 0 {
            part.write(&line)?;
        }
        Ok(part)
    }

    /// Appends a pair of games, and returns once it is on the disk.
    pub(crate) fn append(
        &mut self,
        unit: ScheduledPair,
        records: &[Record],
    ) -> Result<(), PairPartError> {
        let number = self.units.number(unit);
        let line = number.map(|number| self.units.line_of(number, records));
        line.map_or(Ok(()), |line| self.write(&line))
    }

    fn write(&mut self, line: &str) -> Result<(), PairPartError> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        let written = written.and_then(|()| self.file.sync_data());
        written.map_err(failure(&self.path))
    }
}

/// The parts of a folder, in the order of their names: the files that end in `.gpart`.
///
/// # Errors
/// The folder cannot be read.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// assert!(tournament::pair_part_files(folder.path())?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pair_part_files(folder: &Path) -> Result<Vec<PathBuf>, PairPartError> {
    let failed = failure(folder);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(&failed)? {
        let path = entry.map_err(&failed)?.path();
        if path.extension().is_some_and(|end| end == "gpart") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn failure(path: &Path) -> impl Fn(io::Error) -> PairPartError {
    let path = path.to_path_buf();
    move |error| PairPartError::File {
        path: path.clone(),
        error,
    }
}
