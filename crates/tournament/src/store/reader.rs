//! Reading a store, for reports, exports and resumed runs.

use super::columns::{from_milliseconds, outcome, parse_about, player_id, player_number};
use super::packing::{PackedMoves, fault_from_columns, unpack_times, words};
use super::{Store, StoreError, StoredGameError};
use crate::TournamentResults;
use games::{Outcome, Seat};
use matches::{Ending, ProcessReport, Record, RecordedTurn, TimeControl};
use rusqlite::{OptionalExtension, Row, params};
use std::collections::VecDeque;
use std::time::{Duration, SystemTime};

/// The tournament's stored plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTournament {
    /// Its name.
    pub name: String,
    /// The game, as [`games::AnyGame`] reads it.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// `round-robin`, `gauntlet`, `swiss` or `league`.
    pub kind: String,
    /// Number of pairs per meeting.
    pub pairs: u64,
    /// How many rounds, where it is Swiss.
    pub rounds: Option<u32>,
    /// `game`, or the least and most random turns: `2..6`.
    pub opening: String,
    /// Whether games end that no move can change any more.
    pub is_settled: bool,
    /// How long bots may think.
    pub time_control: TimeControl,
}

/// A player of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredPlayer {
    /// From 0, in the order in which plans first named them.
    pub number: usize,
    /// What the table calls it.
    pub name: String,
    /// It, as [`arena::Entrant`] reads it.
    pub text: String,
    /// Its own properties and its sandbox's layers in its last game; empty for built-in
    /// players.
    pub about: Vec<(String, String)>,
}

/// A run: a period in which games were played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRun {
    /// Its number in the store.
    pub number: i64,
    /// The processor's name.
    pub cpu: String,
    /// Number of cores.
    pub cores: u64,
    /// The system.
    pub os: String,
    /// This program, with its version.
    pub program: String,
    /// Number of games played in parallel.
    pub jobs: u64,
    /// The sandbox mode: `strict`, `best` or `off`.
    pub cage: String,
    /// When it began.
    pub started: SystemTime,
    /// How many pairs of games were played in it.
    pub pairs: u64,
}

/// A pairing in a round of a Swiss tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwissPairing {
    /// The round, from 0.
    pub round: u32,
    /// The number of one player.
    pub first: usize,
    /// The number of the other; `None` for a bye, which counts as won.
    pub second: Option<usize>,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Its number in the store.
    pub id: i64,
    /// The numbers of those in the first and the second seat.
    pub players: [usize; 2],
    /// 0 or 1: the first or the second game of its pair, whose number is in the record.
    pub leg: u8,
    /// The number of the run.
    pub run: i64,
    /// When its pair began.
    pub started: SystemTime,
    /// How long its pair took.
    pub spent: Duration,
    /// The record. Times are in whole microseconds.
    pub record: Record,
}

/// A player's fault in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredFault {
    /// The game's number in the store.
    pub game: i64,
    /// The player's number.
    pub player: usize,
    /// The number of whom it played against.
    pub opponent: usize,
    /// The number of the pair among theirs.
    pub pair: u64,
    /// Where it sat.
    pub seat: Seat,
    /// One word: [`matches::Fault::kind`].
    pub kind: String,
    /// What happened, in words.
    pub words: String,
}

impl Store {
    /// The stored plan; `None` if there is none yet.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// let stored = store.plan()?.expect("games were played");
    /// assert_eq!((stored.game.as_str(), stored.pairs), ("tictactoe", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn plan(&self) -> Result<Option<StoredTournament>, StoreError> {
        let sql = "SELECT name, game, seed, kind, pairs, rounds, opening, settled, pace
                   FROM tournament";
        let stored = self.connection.query_row(sql, [], |row| {
            let time_control: String = row.get(8)?;
            Ok(StoredTournament {
                name: row.get(0)?,
                game: row.get(1)?,
                seed: row.get::<_, i64>(2)? as u64,
                kind: row.get(3)?,
                pairs: row.get::<_, i64>(4)? as u64,
                rounds: row.get(5)?,
                opening: row.get(6)?,
                is_settled: row.get(7)?,
                time_control: time_control
                    .parse()
                    .map_err(|e| rusqlite::types::FromSqlError::Other(Box::new(e)))?,
            })
        });
        stored.optional().map_err(|e| self.failed(e))
    }

    /// The players, by their numbers.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// let names: Vec<String> = store.players()?.into_iter().map(|player| player.name).collect();
    /// assert_eq!(names, ["random", "heuristic"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn players(&self) -> Result<Vec<StoredPlayer>, StoreError> {
        let sql = "SELECT id, name, text FROM players ORDER BY id";
        let mut players = self.rows(sql, |row| {
            Ok(StoredPlayer {
                number: player_number(row, 0)?,
                name: row.get(1)?,
                text: row.get(2)?,
                about: Vec::new(),
            })
        })?;
        if players.iter().enumerate().any(|(i, p)| p.number != i) {
            return Err(StoreError::Gap(self.path.clone()));
        }
        // a bot's last game of either seat; players of this program tell nothing
        let sql = "SELECT player, max(game), text FROM (
                       SELECT p.first + (g.leg = 1) * (p.second - p.first) AS player,
                              g.id AS game, a.text AS text
                       FROM games g JOIN pairs p ON p.id = g.pair
                       JOIN abouts a ON a.id = g.first_about
                       UNION ALL
                       SELECT p.second + (g.leg = 1) * (p.first - p.second),
                              g.id, a.text
                       FROM games g JOIN pairs p ON p.id = g.pair
                       JOIN abouts a ON a.id = g.second_about
                   ) GROUP BY player";
        let on_pair = self.rows(sql, |row| {
            Ok((
                player_number(row, 0)?,
                row.get(1)?,
                row.get::<_, String>(2)?,
            ))
        })?;
        for (player, game, text) in on_pair {
            let about =
                parse_about(&text).ok_or_else(|| self.broken_game(game, StoredGameError::About))?;
            if let Some(player) = players.get_mut(player) {
                player.about = about;
            }
        }
        Ok(players)
    }

    /// The runs in which games were played, in their order.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// let runs = store.runs()?;
    /// assert_eq!((runs.len(), runs[0].pairs), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runs(&self) -> Result<Vec<StoredRun>, StoreError> {
        let sql = "SELECT r.id, m.cpu, m.cores, m.os, r.program, r.jobs, r.cage, r.started,
                          (SELECT count(*) FROM pairs p WHERE p.run = r.id)
                   FROM runs r JOIN machines m ON m.id = r.machine ORDER BY r.id";
        self.rows(sql, |row| {
            Ok(StoredRun {
                number: row.get(0)?,
                cpu: row.get(1)?,
                cores: row.get::<_, i64>(2)? as u64,
                os: row.get(3)?,
                program: row.get(4)?,
                jobs: row.get::<_, i64>(5)? as u64,
                cage: row.get(6)?,
                started: from_milliseconds(row.get(7)?),
                pairs: row.get::<_, i64>(8)? as u64,
            })
        })
    }

    /// Who meets in the rounds of a Swiss tournament, round by round, as they were paired.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// assert!(store.pairings()?.is_empty(), "it is no Swiss tournament");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairings(&self) -> Result<Vec<SwissPairing>, StoreError> {
        let sql = "SELECT round, first, second FROM pairings ORDER BY round, place";
        let pairings = self.rows(sql, |row| {
            Ok(SwissPairing {
                round: row.get(0)?,
                first: player_number(row, 1)?,
                second: match row.get::<_, Option<i64>>(2)? {
                    Some(_) => Some(player_number(row, 2)?),
                    None => None,
                },
            })
        })?;
        // rounds must be contiguous, which callers rely on
        let mut rounds = 0;
        for pairing in &pairings {
            if pairing.round > rounds {
                return Err(StoreError::Gap(self.path.clone()));
            }
            rounds = rounds.max(pairing.round + 1);
        }
        Ok(pairings)
    }

    /// Which pairs of games were played: the numbers of the players, the lower in name
    /// first, and the number of the pair among theirs; sorted by them.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// assert_eq!(store.pairs()?, [([1, 0], 0)], "`heuristic` comes before `random`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pairs(&self) -> Result<Vec<([usize; 2], u64)>, StoreError> {
        let sql = "SELECT first, second, number FROM pairs ORDER BY first, second, number";
        self.rows(sql, |row| {
            let pair = row.get::<_, i64>(2)? as u64;
            Ok(([player_number(row, 0)?, player_number(row, 1)?], pair))
        })
    }

    /// How many games were played.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// assert_eq!(store.count()?, 2, "one pair of games");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn count(&self) -> Result<u64, StoreError> {
        let sql = "SELECT count(*) FROM games";
        let count = self
            .connection
            .query_row(sql, [], |row| row.get::<_, i64>(0));
        count.map(|n| n as u64).map_err(|e| self.failed(e))
    }

    /// All results, added up: what standings are made of. Live ratings take the games in
    /// the order in which they ended.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn results(&self) -> Result<TournamentResults, StoreError> {
        self.results_until(&mut |_, _| ())
    }

    /// The same; `on_pair` is called after each pair, in the order in which they ended, with the
    /// results and the start of the pair: for a plot of ratings over time.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// let mut ratings = Vec::new();
    /// store.results_until(&mut |results, _| ratings.push(results.live().glicko(0).rating))?;
    /// assert_eq!(ratings.len(), 1, "one pair of games");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn results_until(
        &self,
        on_pair: &mut dyn FnMut(&TournamentResults, SystemTime),
    ) -> Result<TournamentResults, StoreError> {
        // players may join while this is read
        self.read_snapshot(|| self.read_results(on_pair))
    }

    fn read_results(
        &self,
        on_pair: &mut dyn FnMut(&TournamentResults, SystemTime),
    ) -> Result<TournamentResults, StoreError> {
        let names = self.players()?.into_iter().map(|player| player.name);
        let mut results = TournamentResults::new(names);
        let sql = "SELECT p.first, p.second, p.started, a.id, a.outcome, b.outcome,
                          a.turns, a.times, b.turns, b.times
                   FROM pairs p
                   JOIN games a ON a.pair = p.id AND a.leg = 0
                   JOIN games b ON b.pair = p.id AND b.leg = 1
                   ORDER BY p.id";
        self.each(sql, |row| {
            let players = [player_number(row, 0)?, player_number(row, 1)?];
            let game: i64 = row.get(3)?;
            let outcomes = [outcome(row, 4)?, outcome(row, 5)?];
            let [Some(first), Some(second)] = outcomes else {
                return Ok(Err((game, StoredGameError::Outcome)));
            };
            let [a, b] = players;
            if a == b || a.max(b) >= results.entries().len() {
                return Ok(Err((game, StoredGameError::Players)));
            }
            for (at, by_seat) in [(6, [a, b]), (8, [b, a])] {
                let times = row.get_ref(at + 1)?.as_blob()?;
                if times.is_empty() {
                    continue;
                }
                let turns = usize::try_from(row.get::<_, i64>(at)?).unwrap_or(usize::MAX);
                let Ok(times) = unpack_times(times, turns) else {
                    return Ok(Err((game, StoredGameError::Times)));
                };
                for spent in times {
                    results.add_times(by_seat, spent);
                }
            }
            results.add_pair(players, [first, second]);
            on_pair(&results, from_milliseconds(row.get(2)?));
            Ok(Ok(()))
        })?;
        let sql = "SELECT p.first + (g.leg <> v.seat) * (p.second - p.first), count(*)
                   FROM verdicts v JOIN games g ON g.id = v.game JOIN pairs p ON p.id = g.pair
                   GROUP BY 1";
        let faults = self.rows(sql, |row| {
            Ok((player_number(row, 0)?, row.get::<_, i64>(1)? as u64))
        })?;
        for (player, count) in faults {
            results.add_faults(player, count);
        }
        Ok(results)
    }

    /// All faults, by player and then by game.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// assert!(store.faults()?.is_empty(), "players of the program have none");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn faults(&self) -> Result<Vec<StoredFault>, StoreError> {
        let sql = "SELECT v.game, p.first, p.second, g.leg, p.number, v.seat, v.kind, v.words
                   FROM verdicts v JOIN games g ON g.id = v.game JOIN pairs p ON p.id = g.pair";
        let mut verdicts = self.rows(sql, |row| {
            let players = by_seat(
                [player_number(row, 1)?, player_number(row, 2)?],
                row.get(3)?,
            );
            let seat = Seat::BOTH[usize::from(row.get::<_, i64>(5)? == 1)];
            Ok(StoredFault {
                game: row.get(0)?,
                player: players[seat.index()],
                opponent: players[seat.other().index()],
                pair: row.get::<_, i64>(4)? as u64,
                seat,
                kind: row.get(6)?,
                words: row.get(7)?,
            })
        })?;
        verdicts.sort_by_key(|v| (v.player, v.opponent, v.pair, v.seat, v.game));
        Ok(verdicts)
    }

    /// All games, sorted by the numbers of their players, of their pair, and their place in
    /// it. They are read some at a time, so that many need little memory.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// let games = store.games().collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!((games[0].players, games[1].players), ([1, 0], [0, 1]), "the seats are exchanged");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn games(&self) -> StoredGameIter<'_> {
        StoredGameIter {
            store: self,
            after: [0, 0, -1],
            only: None,
            page: VecDeque::new(),
            is_over: false,
        }
    }

    /// The games between two players, sorted like [`Store::games`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// assert_eq!(store.games_between([1, 0]).count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn games_between(&self, players: [usize; 2]) -> StoredGameIter<'_> {
        StoredGameIter {
            only: Some(players.map(player_id)),
            ..self.games()
        }
    }

    /// One game by its number in the store.
    ///
    /// # Errors
    /// The file cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let text = "game = 'tictactoe'\npairs = 1\n\
    /// #     player = [{ player = 'random' }, { player = 'heuristic' }]";
    /// # let plan = tournament::Plan::parse(text, &folder.path().join("cup.toml"))?;
    /// # let mut runner = tournament::TournamentRunner::open(plan)?;
    /// # runner.run(None, &std::sync::atomic::AtomicBool::new(false), &mut |_| ())?;
    /// # let store = runner.store();
    /// let id = store.summaries(&Default::default(), 1)?[0].id;
    /// let game = store.game(id)?.expect("it is in the list");
    /// matches::replay::check(&game.record)?;
    /// assert_eq!(store.game(id + 1)?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self, number: i64) -> Result<Option<StoredGame>, StoreError> {
        let sql = format!("{GAME} WHERE g.id = ?");
        let mut games = self.played(&sql, &[&number])?;
        Ok(games.pop())
    }

    /// Reads games; `sql` is [`GAME`] with a condition.
    fn played(
        &self,
        sql: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Vec<StoredGame>, StoreError> {
        let mut games = Vec::new();
        let read = |row: &Row<'_>| {
            let game: i64 = row.get(0)?;
            Ok(played(row)?.map_err(|problem| (game, problem)))
        };
        let mut statement = self
            .connection
            .prepare_cached(sql)
            .map_err(|e| self.failed(e))?;
        let rows = statement.query_map(values, read);
        for row in rows.map_err(|e| self.failed(e))? {
            let row = row.map_err(|e| self.failed(e))?;
            let mut game = row.map_err(|(game, problem)| self.broken_game(game, problem))?;
            self.complete(&mut game)?;
            games.push(game);
        }
        Ok(games)
    }

    /// Loads what few games have: faults, notes, stderr.
    fn complete(&self, game: &mut StoredGame) -> Result<(), StoreError> {
        let failed = |e| self.failed(e);
        let sql =
            "SELECT 0, seat, kind, detail, problem, number, NULL FROM verdicts WHERE game = ?1
                   UNION ALL
                   SELECT 1, seat, NULL, text, NULL, place, NULL FROM notes WHERE game = ?1
                   UNION ALL
                   SELECT 2, seat, NULL, text, NULL, NULL, NULL FROM complaints WHERE game = ?1
                   ORDER BY 1, 2, 6";
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let mut rows = statement.query([game.id]).map_err(failed)?;
        let mut faults = [None, None];
        while let Some(row) = rows.next().map_err(failed)? {
            let parts = || {
                let seat = usize::from(row.get::<_, i64>(1)? == 1);
                Ok((
                    row.get::<_, i64>(0)?,
                    seat,
                    row.get::<_, Option<String>>(2)?,
                    row.get::<_, Option<String>>(3)?,
                ))
            };
            let (what, seat, kind, text) = parts().map_err(failed)?;
            let report = &mut game.record.reports[seat];
            match what {
                0 => {
                    let problem = row.get(4).map_err(failed)?;
                    let number = row.get(5).map_err(failed)?;
                    let fault =
                        fault_from_columns(&kind.unwrap_or_default(), text, problem, number);
                    faults[seat] = Some(fault.map_err(|e| self.broken_game(game.id, e))?);
                }
                1 => report.notes.push(text.unwrap_or_default()),
                _ => report.stderr = text.unwrap_or_default(),
            }
        }
        if faults != [None, None] {
            game.record.ending = Ending::Faults(faults);
        }
        Ok(())
    }

    pub(super) fn rows<T>(
        &self,
        sql: &str,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |e| self.failed(e);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let rows = statement.query_map([], read).map_err(failed)?;
        rows.collect::<rusqlite::Result<_>>().map_err(failed)
    }

    fn each(
        &self,
        sql: &str,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<Result<(), (i64, StoredGameError)>>,
    ) -> Result<(), StoreError> {
        let failed = |e| self.failed(e);
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            let read = read(row).map_err(failed)?;
            read.map_err(|(game, problem)| self.broken_game(game, problem))?;
        }
        Ok(())
    }
}

/// An iterator that loads games in batches.
#[derive(Debug)]
pub struct StoredGameIter<'a> {
    store: &'a Store,
    /// The players and the number of the last pair that was read.
    after: [i64; 3],
    only: Option<[i64; 2]>,
    page: VecDeque<StoredGame>,
    is_over: bool,
}

/// Batch size; even, so that pairs stay whole.
const PAGE: i64 = 256;

/// What [`played`] reads. The order of the tables is that of the index on pairs.
const GAME: &str = "
SELECT g.id, p.first, p.second, g.leg, p.run, p.started, p.microseconds,
       t.game, a.text, b.text, p.seed, p.number, p.opening, g.moves, g.times,
       g.outcome, g.ending, g.hash, x.text, y.text
FROM pairs p CROSS JOIN games g ON g.pair = p.id
CROSS JOIN tournament t
JOIN players a ON a.id = p.first
JOIN players b ON b.id = p.second
LEFT JOIN abouts x ON x.id = g.first_about
LEFT JOIN abouts y ON y.id = g.second_about";

impl StoredGameIter<'_> {
    fn load_batch(&mut self) -> Result<(), StoreError> {
        let only = match self.only {
            Some([first, second]) => format!(
                "AND ((p.first = {first} AND p.second = {second})
                      OR (p.first = {second} AND p.second = {first}))"
            ),
            None => String::new(),
        };
        let sql = format!(
            "{GAME} WHERE (p.first, p.second, p.number) > (?, ?, ?) {only}
             ORDER BY p.first, p.second, p.number, g.leg LIMIT {PAGE}"
        );
        let [first, second, number] = self.after;
        let page = self.store.played(&sql, params![first, second, number])?;
        self.is_over = (page.len() as i64) < PAGE;
        if let Some(last) = page.last() {
            let [first, second] = by_seat(last.players, i64::from(last.leg)).map(player_id);
            self.after = [first, second, last.record.pair as i64];
        }
        self.page = page.into();
        Ok(())
    }
}

impl Iterator for StoredGameIter<'_> {
    type Item = Result<StoredGame, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.page.is_empty()
            && !self.is_over
            && let Err(error) = self.load_batch()
        {
            self.is_over = true;
            return Some(Err(error));
        }
        self.page.pop_front().map(Ok)
    }
}

/// Swaps the seats in the second game of a pair; applying it twice restores the order.
fn by_seat<T>([first, second]: [T; 2], leg: i64) -> [T; 2] {
    match leg {
        0 => [first, second],
        _ => [second, first],
    }
}

fn played(row: &Row<'_>) -> rusqlite::Result<Result<StoredGame, StoredGameError>> {
    let leg: i64 = row.get(3)?;
    let texts = match PackedMoves::unpack(row.get_ref(13)?) {
        Ok(texts) => texts,
        Err(problem) => return Ok(Err(problem)),
    };
    let times = match unpack_times(row.get_ref(14)?.as_blob()?, texts.len()) {
        Ok(times) => times,
        Err(problem) => return Ok(Err(problem)),
    };
    let Some(outcome) = outcome(row, 15)? else {
        return Ok(Err(StoredGameError::Outcome));
    };
    let turns = texts.into_iter().zip(times);
    let ending: String = row.get(16)?;
    let mut report: [ProcessReport; 2] = Default::default();
    for (at, report) in [18, 19].into_iter().zip(&mut report) {
        if let Some(text) = row.get::<_, Option<String>>(at)? {
            match parse_about(&text) {
                Some(about) => report.about = about,
                None => return Ok(Err(StoredGameError::About)),
            }
        }
    }
    let opening: String = row.get(12)?;
    Ok(Ok(StoredGame {
        id: row.get(0)?,
        players: by_seat([player_number(row, 1)?, player_number(row, 2)?], leg),
        leg: leg as u8,
        run: row.get(4)?,
        started: from_milliseconds(row.get(5)?),
        spent: Duration::from_micros(row.get::<_, i64>(6)? as u64),
        record: Record {
            game: row.get(7)?,
            players: by_seat([row.get(8)?, row.get(9)?], leg),
            seed: row.get::<_, i64>(10)? as u64,
            pair: row.get::<_, i64>(11)? as u64,
            opening: words(&opening),
            turns: turns
                .map(|(text, spent)| RecordedTurn { text, spent })
                .collect(),
            outcome,
            ending: match ending.as_str() {
                "settled" => Ending::Settled,
                "unfinished" => Ending::Unfinished,
                "resigned" => match outcome {
                    Outcome::Win(winner) => Ending::Resigned(winner.other()),
                    Outcome::Draw => Ending::Rules,
                },
                _ => Ending::Rules,
            },
            hash: row.get::<_, i64>(17)? as u64,
            reports: report,
        },
    }))
}
