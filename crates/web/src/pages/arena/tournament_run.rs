//! A tournament run: its request, status and watchers.

use super::tournament_request::TournamentRequest;
use super::view_model;
use crate::pages::page_socket::PageMessageQueue;
use matches::{Broadcast, LivePosition};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tournament::{
    Plan, Store, TournamentProgress, TournamentResults, TournamentRunError, TournamentRunner,
};

/// The interval at which the board of the running game is sampled for watchers.
const BOARD_INTERVAL: Duration = Duration::from_millis(100);

/// The time slice of a tournament while others wait.
const TIME_SLICE: Duration = Duration::from_secs(600);

/// The status of a tournament.
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
    state: Mutex<TournamentRunState>,
}

struct TournamentRunState {
    status: TournamentRunStatus,
    error: Option<String>,
    /// How many games are kept; unknown before the store was looked at.
    games: Option<u64>,
    /// The standings as JSON.
    table: Value,
    /// Games a second, while it runs.
    pace: Option<f64>,
    round: Option<(usize, u32)>,
    watchers: Vec<Arc<PageMessageQueue>>,
    /// The last board sent, for new watchers.
    board: Option<Arc<str>>,
}

impl TournamentRun {
    pub(super) fn new(
        id: String,
        number: u64,
        entry: TournamentRequest,
        plan: Result<Plan, String>,
        store: PathBuf,
        status: TournamentRunStatus,
    ) -> Self {
        let error = plan.as_ref().err().cloned();
        Self {
            id,
            number,
            entry,
            plan,
            store,
            stop: AtomicBool::new(false),
            state: Mutex::new(TournamentRunState {
                status: if error.is_some() && status != TournamentRunStatus::Over {
                    TournamentRunStatus::Failed
                } else {
                    status
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
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn status(&self) -> TournamentRunStatus {
        self.lock().status
    }

    pub(super) fn set(&self, status: TournamentRunStatus) {
        let mut state = self.lock();
        state.status = status;
        if status != TournamentRunStatus::Running {
            state.pace = None;
            state.board = None;
        }
        drop(state);
        self.broadcast();
    }

    pub(super) fn is_watched(&self) -> bool {
        !self.lock().watchers.is_empty()
    }

    /// Adds a watcher and sends it the status. Reads the store first if the standings are unknown.
    pub(super) fn join(&self, watcher: &Arc<PageMessageQueue>) {
        self.read();
        let mut state = self.lock();
        watcher.send(self.snapshot(&state));
        if let Some(board) = &state.board {
            watcher.send(Arc::clone(board));
        }
        state.watchers.push(Arc::clone(watcher));
    }

    pub(super) fn leave(&self, watcher: &Arc<PageMessageQueue>) {
        self.lock()
            .watchers
            .retain(|other| !Arc::ptr_eq(other, watcher));
    }

    /// Clears the stop flag before the run is queued.
    pub(super) fn clear_stop(&self) {
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Sets the stop flag.
    pub(super) fn request_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// A line in the list.
    pub(super) fn line(&self) -> Value {
        self.read();
        let state = self.lock();
        json!({
            "id": self.id,
            "name": self.entry.title(),
            "game": self.entry.game,
            "kind": self.entry.kind,
            "players": self.entry.players.len(),
            "stand": state.status.name(),
            "games": state.games,
            "planned": self.entry.most_games(),
            "leader": state.table["rows"][0]["name"],
        })
    }

    /// Reads the table from the store, where it is not known.
    fn read(&self) {
        if self.lock().games.is_some() {
            return;
        }
        let results = match self.store.exists() {
            true => Store::open(&self.store).and_then(|store| store.results()),
            false => Ok(self.empty_results()),
        };
        let mut state = self.lock();
        match results {
            Ok(results) => {
                state.games = Some(2 * results.pairs());
                state.table = view_model::table(&results);
            }
            Err(error) => {
                state.games = Some(0);
                state.error = Some(self.public_error(&error));
            }
        }
    }

    fn empty_results(&self) -> TournamentResults {
        let names = self.plan.iter().flat_map(|plan| &plan.players);
        TournamentResults::new(names.map(|player| player.name.clone()))
    }

    /// An error text without paths of the server.
    pub(super) fn public_error(&self, error: &dyn std::fmt::Display) -> String {
        let store = self.store.display().to_string();
        error.to_string().replace(&store, "its file")
    }

    fn broadcast(&self) {
        self.read();
        let mut state = self.lock();
        state.watchers.retain(|watcher| !watcher.is_closed());
        if state.watchers.is_empty() {
            return;
        }
        let text: Arc<str> = self.snapshot(&state).into();
        for watcher in &state.watchers {
            watcher.send(Arc::clone(&text));
        }
    }

    fn snapshot(&self, state: &TournamentRunState) -> String {
        let players = self.plan.iter().flat_map(|plan| &plan.players);
        let players = players.map(|player| json!({ "name": player.name, "player": player.text }));
        json!({ "cup": {
            "id": self.id,
            "name": self.entry.title(),
            "game": self.entry.game,
            "kind": self.entry.kind,
            "seed": self.entry.seed.to_string(),
            "players": Value::from_iter(players),
            "stand": state.status.name(),
            "error": state.error,
            "games": state.games,
            "planned": self.entry.most_games(),
            "pace": state.pace,
            "round": state.round,
            "table": state.table,
        }})
        .to_string()
    }

    fn progress(&self, progress: &TournamentProgress<'_>) {
        let table = view_model::table(progress.results);
        let seconds = progress.elapsed.as_secs_f64();
        let mut state = self.lock();
        state.games = Some(progress.games);
        state.table = table;
        state.round = progress.round;
        state.pace = (progress.played > 0).then(|| progress.played as f64 / seconds.max(1e-3));
        drop(state);
        self.broadcast();
    }

    fn show(&self, position: &LivePosition) {
        let text: Arc<str> = view_model::board(position).into();
        let mut state = self.lock();
        for watcher in &state.watchers {
            watcher.send(Arc::clone(&text));
        }
        state.board = Some(text);
    }

    /// Plays until it is over, stopped, or others have waited long enough: how it stands then.
    /// `news` is called now and then.
    pub(super) fn play(
        &self,
        has_ended: &AtomicBool,
        others_pending: &dyn Fn() -> bool,
        news: &dyn Fn(),
    ) -> TournamentRunStatus {
        let Ok(plan) = &self.plan else {
            return TournamentRunStatus::Failed;
        };
        self.lock().error = None;
        let begun = Instant::now();
        let mut is_passed_on = false;
        let mut snapshot = |progress: &TournamentProgress<'_>| {
            self.progress(progress);
            news();
            // a pair of games that takes longer is played to its end all the same
            if begun.elapsed() > TIME_SLICE && progress.played > 0 && others_pending() {
                is_passed_on = true;
                self.request_stop();
            }
            if has_ended.load(Ordering::Relaxed) {
                self.request_stop();
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
                runner.run(limit, &self.stop, &mut snapshot)
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
                    error => self.public_error(error),
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
                && let Some(position) = broadcast.and_then(Broadcast::take_position)
            {
                self.show(&position);
            }
            std::thread::sleep(BOARD_INTERVAL);
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
