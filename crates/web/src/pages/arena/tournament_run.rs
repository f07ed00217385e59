//! A tournament of the room: what was asked for, how it stands, and who watches.

use super::tournament_request::TournamentRequest;
use super::view_model;
use crate::pages::page_socket::PageMessageQueue;
use arena::{Broadcast, Scene};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tournament::{
    Plan, Store, TournamentProgress, TournamentResults, TournamentRunError, TournamentRunner,
};

/// So often the board of a game that is being played is looked at, where somebody watches.
const LOOK: Duration = Duration::from_millis(100);

/// Where others wait, one tournament plays for so long at a time.
const TURN: Duration = Duration::from_secs(600);

/// How it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TournamentRunStatus {
    /// Others play first.
    Waiting,
    Running,
    Stopped,
    Over,
    Failed,
}

impl TournamentRunStatus {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Running => "running",
            Self::Stopped => "stopped",
            Self::Over => "over",
            Self::Failed => "failed",
        }
    }
}

pub(super) struct TournamentRun {
    pub(super) id: String,
    /// Later ones have higher numbers.
    pub(super) number: u64,
    pub(super) entry: TournamentRequest,
    /// The players are those that were allowed when the server began; in words, why one of
    /// them is not any more.
    pub(super) plan: Result<Plan, String>,
    /// What it is kept in.
    pub(super) store: PathBuf,
    stop: AtomicBool,
    now: Mutex<TournamentRunState>,
}

struct TournamentRunState {
    stand: TournamentRunStatus,
    error: Option<String>,
    /// How many games are kept; unknown before the store was looked at.
    games: Option<u64>,
    /// The table, as the page is told it.
    table: Value,
    /// Games a second, while it runs.
    pace: Option<f64>,
    round: Option<(usize, u32)>,
    watchers: Vec<Arc<PageMessageQueue>>,
    /// What was shown last, for who comes later.
    board: Option<Arc<str>>,
}

impl TournamentRun {
    pub(super) fn new(
        id: String,
        number: u64,
        entry: TournamentRequest,
        plan: Result<Plan, String>,
        store: PathBuf,
        stand: TournamentRunStatus,
    ) -> Self {
        let error = plan.as_ref().err().cloned();
        Self {
            id,
            number,
            entry,
            plan,
            store,
            stop: AtomicBool::new(false),
            now: Mutex::new(TournamentRunState {
                stand: if error.is_some() && stand != TournamentRunStatus::Over {
                    TournamentRunStatus::Failed
                } else {
                    stand
                },
                error,
                games: None,
                table: Value::Null,
                pace: None,
                round: None,
                watchers: Vec::new(),
                board: None,
            }),
        }
    }

    /// Why it does not go on.
    pub(super) fn set_error(&self, words: String) {
        self.lock().error = Some(words);
    }

    fn lock(&self) -> MutexGuard<'_, TournamentRunState> {
        // what is in there is changed whole
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn stand(&self) -> TournamentRunStatus {
        self.lock().stand
    }

    pub(super) fn set(&self, stand: TournamentRunStatus) {
        let mut now = self.lock();
        now.stand = stand;
        if stand != TournamentRunStatus::Running {
            now.pace = None;
            now.board = None;
        }
        drop(now);
        self.tell();
    }

    pub(super) fn is_watched(&self) -> bool {
        !self.lock().watchers.is_empty()
    }

    /// Adds somebody who watches, and tells how it stands. Where nothing is known yet, the
    /// store is read: that takes a moment.
    pub(super) fn join(&self, letters: &Arc<PageMessageQueue>) {
        self.read();
        let mut now = self.lock();
        letters.send(self.told(&now));
        if let Some(board) = &now.board {
            letters.send(Arc::clone(board));
        }
        now.watchers.push(Arc::clone(letters));
    }

    pub(super) fn part(&self, letters: &Arc<PageMessageQueue>) {
        self.lock()
            .watchers
            .retain(|other| !Arc::ptr_eq(other, letters));
    }

    /// Before it waits for its turn: from here on, [`TournamentRun::halt`] holds.
    pub(super) fn ready(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Asks whoever plays it to stop.
    pub(super) fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// A line in the list.
    pub(super) fn line(&self) -> Value {
        self.read();
        let now = self.lock();
        json!({
            "id": self.id,
            "name": self.entry.title(),
            "game": self.entry.game,
            "kind": self.entry.kind,
            "players": self.entry.players.len(),
            "stand": now.stand.name(),
            "games": now.games,
            "planned": self.entry.most_games(),
            "leader": now.table["rows"][0]["name"],
        })
    }

    /// Reads the table from the store, where it is not known.
    fn read(&self) {
        if self.lock().games.is_some() {
            return;
        }
        let results = match self.store.exists() {
            true => Store::open(&self.store).and_then(|store| store.results()),
            false => Ok(self.nothing()),
        };
        let mut now = self.lock();
        match results {
            Ok(results) => {
                now.games = Some(2 * results.pairs());
                now.table = view_model::table(&results);
            }
            Err(error) => {
                now.games = Some(0);
                now.error = Some(self.plain(&error));
            }
        }
    }

    fn nothing(&self) -> TournamentResults {
        let names = self.plan.iter().flat_map(|plan| &plan.players);
        TournamentResults::new(names.map(|player| player.name.clone()))
    }

    /// An error in words that name no folder of the server's.
    pub(super) fn plain(&self, error: &dyn std::fmt::Display) -> String {
        let store = self.store.display().to_string();
        error.to_string().replace(&store, "its file")
    }

    fn tell(&self) {
        self.read();
        let mut now = self.lock();
        now.watchers.retain(|letters| !letters.is_closed());
        if now.watchers.is_empty() {
            return;
        }
        let text: Arc<str> = self.told(&now).into();
        for letters in &now.watchers {
            letters.send(Arc::clone(&text));
        }
    }

    fn told(&self, now: &TournamentRunState) -> String {
        let players = self.plan.iter().flat_map(|plan| &plan.players);
        let players = players.map(|player| json!({ "name": player.name, "player": player.text }));
        json!({ "cup": {
            "id": self.id,
            "name": self.entry.title(),
            "game": self.entry.game,
            "kind": self.entry.kind,
            "seed": self.entry.seed.to_string(),
            "players": Value::from_iter(players),
            "stand": now.stand.name(),
            "error": now.error,
            "games": now.games,
            "planned": self.entry.most_games(),
            "pace": now.pace,
            "round": now.round,
            "table": now.table,
        }})
        .to_string()
    }

    fn progress(&self, progress: &TournamentProgress<'_>) {
        let table = view_model::table(progress.results);
        let seconds = progress.elapsed.as_secs_f64();
        let mut now = self.lock();
        now.games = Some(progress.games);
        now.table = table;
        now.round = progress.round;
        now.pace = (progress.played > 0).then(|| progress.played as f64 / seconds.max(1e-3));
        drop(now);
        self.tell();
    }

    fn show(&self, scene: &Scene) {
        let text: Arc<str> = view_model::board(scene).into();
        let mut now = self.lock();
        for letters in &now.watchers {
            letters.send(Arc::clone(&text));
        }
        now.board = Some(text);
    }

    /// Plays until it is over, stopped, or others have waited long enough: how it stands then.
    /// `news` is called now and then.
    pub(super) fn play(
        &self,
        has_ended: &AtomicBool,
        others_wait: &dyn Fn() -> bool,
        news: &dyn Fn(),
    ) -> TournamentRunStatus {
        let Ok(plan) = &self.plan else {
            return TournamentRunStatus::Failed;
        };
        self.lock().error = None;
        let begun = Instant::now();
        let mut is_passed_on = false;
        let mut told = |progress: &TournamentProgress<'_>| {
            self.progress(progress);
            news();
            // a pair of games that takes longer is played to its end all the same
            if begun.elapsed() > TURN && progress.played > 0 && others_wait() {
                is_passed_on = true;
                self.halt();
            }
            if has_ended.load(Ordering::Relaxed) {
                self.halt();
            }
        };
        let outcome = TournamentRunner::open(plan.clone()).and_then(|mut runner| {
            let broadcast = runner.broadcasts().first().cloned();
            let is_done = AtomicBool::new(false);
            let limit = Some(self.entry.most_games());
            std::thread::scope(|scope| {
                scope.spawn(|| self.look(broadcast.as_deref(), &is_done));
                // the scope waits for the other thread, after a panic too
                let _done = SetOnDrop(&is_done);
                runner.run(limit, &self.stop, &mut told)
            })
        });
        match outcome {
            Ok(true) => TournamentRunStatus::Over,
            Ok(false) if self.lock().games >= Some(self.entry.most_games()) => {
                TournamentRunStatus::Over
            }
            Ok(false) if is_passed_on => TournamentRunStatus::Waiting,
            Ok(false) => TournamentRunStatus::Stopped,
            Err(error) => {
                let words = match &error {
                    TournamentRunError::NoProgram { name, .. } => {
                        format!("{name}: its program is not there")
                    }
                    error => self.plain(error),
                };
                self.set_error(words);
                TournamentRunStatus::Failed
            }
        }
    }

    /// Shows what is being played, for as long as it is, while somebody watches.
    fn look(&self, broadcast: Option<&Broadcast>, is_done: &AtomicBool) {
        while !is_done.load(Ordering::Relaxed) {
            if self.is_watched()
                && let Some(scene) = broadcast.and_then(Broadcast::look)
            {
                self.show(&scene);
            }
            std::thread::sleep(LOOK);
        }
    }
}

/// Sets a flag when it goes out of scope, by whichever way.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
