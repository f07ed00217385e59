//! Writing to a store.

use super::columns::{outcome_word, player_id, to_milliseconds};
use super::packing::{PackedMoves, fault_columns, pack_times};
use super::{Store, StoreError};
use crate::plan::{Plan, TournamentKind, write_opening};
use crate::played_pair::PlayedPair;
use games::Seat;
use matches::{Record, StopCondition};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};
use std::time::SystemTime;

impl Store {
    /// Applies a plan: stores it if nothing was played yet, else checks that it is the same
    /// tournament and updates what may change. New players are added. Returns the number of
    /// each of the plan's players.
    ///
    /// # Errors
    /// Games were played by another plan.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use tournament::Store;
    ///
    /// let mut store = Store::open_or_create(&plan.store)?;
    /// assert_eq!(store.apply_plan(&plan)?, [0, 1]);
    /// assert_eq!(store.players()?[1].name, "heuristic");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply_plan(&mut self, plan: &Plan) -> Result<Vec<usize>, StoreError> {
        let stored = self.plan()?;
        let has_begun = self.has_begun()?;
        if let Some(stored) = stored.filter(|_| has_begun) {
            self.compare(&stored, plan)?;
        }
        let path = self.path.clone();
        let failed = |error| super::sqlite(&path, error);
        let transaction = begin(&mut self.connection).map_err(failed)?;
        let numbers = write_plan(&transaction, plan, has_begun);
        let numbers = numbers.map_err(failed)?;
        for (player, &number) in plan.players.iter().zip(&numbers) {
            let kept: String = transaction
                .query_row(
                    "SELECT text FROM players WHERE id = ?",
                    [player_id(number)],
                    |row| row.get(0),
                )
                .map_err(failed)?;
            if kept != player.text {
                return Err(StoreError::OtherPlayer {
                    path,
                    name: player.name.clone(),
                    kept,
                    planned: player.text.clone(),
                });
            }
        }
        transaction.commit().map_err(failed)?;
        Ok(numbers)
    }

    /// Whether anything was played or paired.
    fn has_begun(&self) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM pairs) OR EXISTS (SELECT 1 FROM pairings)";
        let begun = self.connection.query_row(sql, [], |row| row.get(0));
        begun.map_err(|e| self.failed(e))
    }

    /// Checks that a tournament that has begun matches this plan.
    fn compare(&self, stored: &super::StoredTournament, plan: &Plan) -> Result<(), StoreError> {
        let is_swiss = |kind: &str| kind == "swiss";
        let mut rows = vec![
            ("the game", stored.game.clone(), plan.game.to_string()),
            ("seed", stored.seed.to_string(), plan.seed.to_string()),
            (
                "the opening",
                stored.opening.clone(),
                write_opening(&plan.opening),
            ),
            (
                "pace",
                stored.time_control.to_string(),
                plan.time_control.to_string(),
            ),
        ];
        if is_swiss(&stored.kind) || is_swiss(plan.kind.name()) {
            let kind = plan.kind.name().to_string();
            rows.push(("the kind", stored.kind.clone(), kind));
            let pairs = plan.pairs.to_string();
            rows.push(("pairs =", stored.pairs.to_string(), pairs));
        }
        for (what, kept, planned) in rows {
            if kept != planned {
                return Err(StoreError::Changed {
                    path: self.path.clone(),
                    what,
                    kept,
                    planned,
                });
            }
        }
        if is_swiss(plan.kind.name()) {
            let paired = self.pairings()?;
            let players = self.players()?;
            for player in players {
                let is_paired = paired
                    .iter()
                    .any(|p| p.first == player.number || p.second == Some(player.number));
                if is_paired && !plan.players.iter().any(|p| p.name == player.name) {
                    return Err(StoreError::Left {
                        path: self.path.clone(),
                        name: player.name,
                    });
                }
            }
        }
        Ok(())
    }

    /// Records the start of a run on this machine; returns its number.
    ///
    /// # Errors
    /// The file cannot be written.
    ///
    /// ```
    /// use tournament::Store;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut store = Store::open_or_create(&folder.path().join("cup.sqlite"))?;
    /// let run = store.begin_run(2, "strict")?;
    /// assert_eq!((store.runs()?[0].number, store.runs()?[0].jobs), (run, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_run(&mut self, jobs: usize, cage: &str) -> Result<i64, StoreError> {
        let machine = HostMachine::this();
        let written =
            begin(&mut self.connection).and_then(|transaction| {
                let machine = machine.write(&transaction)?;
                transaction.execute(
                "INSERT INTO runs (machine, program, jobs, cage, started) VALUES (?, ?, ?, ?, ?)",
                params![machine, PROGRAM, jobs as i64, cage, to_milliseconds(SystemTime::now())],
            )?;
                let run = transaction.last_insert_rowid();
                transaction.commit()?;
                Ok(run)
            });
        written.map_err(|e| self.failed(e))
    }

    /// Writes pairs of games, each whole, all in one transaction.
    ///
    /// # Errors
    /// The file cannot be written, or one of them was played before: then none is kept.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// use arena::GamePairing;
    /// use matches::replay::{BUNDLED, read_text};
    /// use std::time::{Duration, SystemTime};
    /// use tournament::{Store, store::PlayedPair};
    ///
    /// let mut store = Store::open_or_create(&plan.store)?;
    /// store.apply_plan(&plan)?;
    /// let run = store.begin_run(1, "off")?;
    /// let record = read_text(BUNDLED[0].text).next().expect("one game")?.record;
    /// let entrants = plan.players.iter().map(|player| player.entrant.clone());
    /// let entrants = entrants.collect::<Vec<_>>().try_into().expect("two");
    /// let pair = PlayedPair {
    ///     players: [0, 1],
    ///     pairing: GamePairing { entrants, seed: 1, pair: 0, is_whole: true },
    ///     records: vec![record.clone(), record],
    ///     started: SystemTime::now(),
    ///     spent: Duration::ZERO,
    /// };
    /// store.insert_pairs(run, std::slice::from_ref(&pair))?;
    /// assert!(store.insert_pairs(run, &[pair]).is_err(), "it was played before");
    /// assert_eq!(store.count()?, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert_pairs(&mut self, run: i64, pairs: &[PlayedPair]) -> Result<(), StoreError> {
        let written = begin(&mut self.connection).and_then(|transaction| {
            for pair in pairs {
                write_pair(&transaction, run, pair)?;
            }
            transaction.commit()
        });
        written.map_err(|e| self.failed(e))
    }

    /// Stores a round's pairings before it is played; `None` is a bye.
    ///
    /// # Errors
    /// The file cannot be written, or the round was paired before.
    pub(crate) fn insert_round(
        &mut self,
        round: u32,
        pairings: &[(usize, Option<usize>)],
    ) -> Result<(), StoreError> {
        let written = begin(&mut self.connection).and_then(|transaction| {
            let sql = "INSERT INTO pairings (round, place, first, second) VALUES (?, ?, ?, ?)";
            for (place, &(first, second)) in pairings.iter().enumerate() {
                let row = params![round, place as i64, player_id(first), second.map(player_id)];
                transaction.execute(sql, row)?;
            }
            transaction.commit()
        });
        written.map_err(|e| self.failed(e))
    }
}

/// This program's name and version.
const PROGRAM: &str = concat!("gridpaper ", env!("CARGO_PKG_VERSION"));

fn begin(connection: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    connection.transaction_with_behavior(TransactionBehavior::Immediate)
}

fn write_plan(
    transaction: &Transaction<'_>,
    plan: &Plan,
    has_begun: bool,
) -> rusqlite::Result<Vec<usize>> {
    if !has_begun {
        // nothing hangs on these yet
        transaction.execute("DELETE FROM players", [])?;
    }
    let rounds = match plan.kind {
        TournamentKind::Swiss { rounds } => Some(rounds),
        _ => None,
    };
    transaction.execute(
        "INSERT OR REPLACE INTO tournament
         (id, name, game, seed, kind, pairs, rounds, opening, settled, pace)
         VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            plan.name,
            plan.game.to_string(),
            plan.seed as i64,
            plan.kind.name(),
            plan.pairs as i64,
            rounds,
            write_opening(&plan.opening),
            plan.stop_condition == StopCondition::Settled,
            plan.time_control.to_string(),
        ],
    )?;
    let mut numbers = Vec::new();
    for player in &plan.players {
        let known: Option<i64> = transaction
            .query_row(
                "SELECT id FROM players WHERE name = ?",
                [&player.name],
                |row| row.get(0),
            )
            .optional()?;
        let id = match known {
            Some(id) => id,
            None => {
                transaction.execute(
                    "INSERT INTO players (id, name, text)
                     SELECT count(*) + 1, ?, ? FROM players",
                    params![player.name, player.text],
                )?;
                transaction.last_insert_rowid()
            }
        };
        numbers.push(id as usize - 1);
    }
    Ok(numbers)
}

fn write_pair(transaction: &Transaction<'_>, run: i64, pair: &PlayedPair) -> rusqlite::Result<()> {
    let opening = pair.records.first().map(|record| record.opening.join(" "));
    let [first, second] = pair.players.map(player_id);
    transaction
        .prepare_cached(
            "INSERT INTO pairs
             (run, first, second, number, seed, opening, started, microseconds)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            run,
            first,
            second,
            pair.pairing.pair as i64,
            pair.pairing.seed as i64,
            opening.unwrap_or_default(),
            to_milliseconds(pair.started),
            pair.spent.as_micros() as i64,
        ])?;
    let id = transaction.last_insert_rowid();
    for (leg, record) in pair.records.iter().enumerate() {
        write_game(transaction, id, leg, record)?;
    }
    Ok(())
}

fn write_game(
    transaction: &Transaction<'_>,
    pair: i64,
    leg: usize,
    record: &Record,
) -> rusqlite::Result<()> {
    let about = |seat: Seat| write_about(transaction, &record.reports[seat.index()].about);
    transaction
        .prepare_cached(
            "INSERT INTO games
             (pair, leg, outcome, ending, hash, turns, first_about, second_about, moves, times)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            pair,
            leg as i64,
            outcome_word(record.outcome),
            record.ending.kind(),
            record.hash as i64,
            record.turns.len() as i64,
            about(Seat::First)?,
            about(Seat::Second)?,
            PackedMoves::pack(&record.turns),
            pack_times(&record.turns),
        ])?;
    let game = transaction.last_insert_rowid();
    for seat in Seat::BOTH {
        let at = seat.index() as i64;
        if let Some(fault) = record.ending.of(seat) {
            let (detail, problem, number) = fault_columns(fault);
            transaction
                .prepare_cached(
                    "INSERT INTO verdicts (game, seat, kind, words, detail, problem, number)
                     VALUES (?, ?, ?, ?, ?, ?, ?)",
                )?
                .execute(params![
                    game,
                    at,
                    fault.kind(),
                    fault.to_string(),
                    detail,
                    problem,
                    number
                ])?;
        }
        let report = &record.reports[seat.index()];
        for (place, note) in report.notes.iter().enumerate() {
            transaction
                .prepare_cached("INSERT INTO notes (game, seat, place, text) VALUES (?, ?, ?, ?)")?
                .execute(params![game, at, place as i64, note])?;
        }
        if !report.stderr.is_empty() {
            transaction
                .prepare_cached("INSERT INTO complaints (game, seat, text) VALUES (?, ?, ?)")?
                .execute(params![game, at, report.stderr])?;
        }
    }
    Ok(())
}

/// A bot's properties are the same in every game and are stored once.
fn write_about(
    transaction: &Transaction<'_>,
    about: &[(String, String)],
) -> rusqlite::Result<Option<i64>> {
    if about.is_empty() {
        return Ok(None);
    }
    let text = serde_json::json!(about).to_string();
    let known = transaction
        .prepare_cached("SELECT id FROM abouts WHERE text = ?")?
        .query_row([&text], |row| row.get(0))
        .optional()?;
    if let Some(id) = known {
        return Ok(Some(id));
    }
    transaction
        .prepare_cached("INSERT INTO abouts (text) VALUES (?)")?
        .execute([&text])?;
    Ok(Some(transaction.last_insert_rowid()))
}

/// The machine that plays.
struct HostMachine {
    cpu: String,
    cores: i64,
    os: String,
}

impl HostMachine {
    fn this() -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let value = |text: &str, key: &str, separator: char| {
            let mut lines = text.lines().filter_map(|line| line.split_once(separator));
            let found = lines.find(|(k, _)| k.trim() == key);
            found.map(|(_, value)| value.trim().trim_matches('"').to_string())
        };
        let cpu = value(&read("/proc/cpuinfo"), "model name", ':');
        let system = value(&read("/etc/os-release"), "PRETTY_NAME", '=');
        let system = system.unwrap_or_else(|| std::env::consts::OS.into());
        let kernel = read("/proc/sys/kernel/osrelease");
        Self {
            cpu: cpu.unwrap_or_else(|| std::env::consts::ARCH.into()),
            cores: std::thread::available_parallelism().map_or(1, |n| n.get() as i64),
            os: format!("{system} {}", kernel.trim()).trim().into(),
        }
    }

    fn write(&self, transaction: &Transaction<'_>) -> rusqlite::Result<i64> {
        transaction.execute(
            "INSERT OR IGNORE INTO machines (cpu, cores, os) VALUES (?, ?, ?)",
            params![self.cpu, self.cores, self.os],
        )?;
        transaction.query_row(
            "SELECT id FROM machines WHERE cpu = ? AND cores = ? AND os = ?",
            params![self.cpu, self.cores, self.os],
            |row| row.get(0),
        )
    }
}
