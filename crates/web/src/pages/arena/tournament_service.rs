//! All tournaments of a server: the list, whose turn it is, and where they are kept.
//!
//! One plays at a time, on a thread of the room's own; the others wait in line. With a folder
//! for state each tournament has a folder of its own there: its entry as JSON, and the store.
//! Without one they lie in a folder that goes with the server.

use super::tournament_request::{TournamentRequest, TournamentRequestError};
use super::tournament_run::{TournamentRun, TournamentRunStatus};
use crate::guard;
use crate::options::AllowedBot;
use crate::pages::PageContext;
use crate::pages::page_socket::PageMessageQueue;
use crate::panic_containment::{ContainedPanic, contain, set_task};
use crate::rate_limit::RateLimit;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// The most queued tournaments.
const MOST_WAITING: usize = 8;

/// So many are listed; the oldest that is over makes room for another.
const MOST_LISTED: usize = 100;

/// So many may be set up in a minute, over all visitors.
const NEW_A_MINUTE: usize = 20;

/// The least time between list updates while games are played.
const LIST_INTERVAL: Duration = Duration::from_secs(1);

/// The interval at which the thread checks for shutdown.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

pub(super) struct TournamentService {
    context: PageContext,
    root: TournamentRoot,
    queue: Mutex<TournamentQueue>,
    wakeup: Condvar,
}

/// Where tournaments are kept.
enum TournamentRoot {
    Persistent(PathBuf),
    /// For as long as the server is there; made with the first tournament.
    Temporary(Mutex<Option<tempfile::TempDir>>),
}

#[derive(Default)]
struct TournamentQueue {
    runs: Vec<Arc<TournamentRun>>,
    pending: VecDeque<Arc<TournamentRun>>,
    watchers: Vec<Arc<PageMessageQueue>>,
    rate: RateLimit,
    last_broadcast: Option<Instant>,
    /// Whether the thread that plays is there.
    has_thread: bool,
}

/// What is kept of a tournament beside its store.
#[derive(Deserialize, Serialize)]
struct TournamentManifest {
    number: u64,
    entry: TournamentRequest,
    is_over: bool,
}

const MANIFEST: &str = "cup.json";
const STORE: &str = "cup.sqlite";

/// Why there is no new tournament, or why it does not go on.
#[derive(Debug, Error)]
pub(super) enum TournamentServiceError {
    #[error(transparent)]
    Entry(#[from] TournamentRequestError),
    #[error("{MOST_WAITING} tournaments wait already, which is the most")]
    Full,
    #[error("{NEW_A_MINUTE} tournaments were set up in the last minute, which is the most")]
    Often,
    #[error("it is over")]
    Over,
    #[error("{0}")]
    Failed(String),
    #[error("the system has no randomness for an address: {0}")]
    Random(#[from] getrandom::Error),
    #[error("the tournament cannot be kept: {0}")]
    Folder(io::ErrorKind),
}

impl TournamentServiceError {
    pub(super) fn code(&self) -> StatusCode {
        match self {
            Self::Entry(error) => error.code(),
            Self::Full | Self::Random(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Often => StatusCode::TOO_MANY_REQUESTS,
            Self::Over | Self::Failed(_) => StatusCode::CONFLICT,
            Self::Folder(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Entry(error) => error.hint(),
            Self::Full => Some("stop one of them, or wait for one to end"),
            Self::Often => Some("try again in a minute"),
            _ => None,
        }
    }
}

impl TournamentService {
    pub(super) fn new(context: &PageContext) -> Arc<Self> {
        let root = match &context.state {
            Some(state) => TournamentRoot::Persistent(state.join("arena")),
            None => TournamentRoot::Temporary(Mutex::default()),
        };
        let mut runs = match &root {
            TournamentRoot::Persistent(folder) => read_runs(folder, &context.bots),
            TournamentRoot::Temporary(_) => Vec::new(),
        };
        runs.sort_by_key(|run| run.number);
        let queue = TournamentQueue {
            runs,
            ..TournamentQueue::default()
        };
        Arc::new(Self {
            context: context.clone(),
            root,
            queue: Mutex::new(queue),
            wakeup: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, TournamentQueue> {
        // what is in there is put in and taken out whole
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<TournamentRun>> {
        let queue = self.lock();
        queue.runs.iter().find(|run| run.id == id).map(Arc::clone)
    }

    /// The list, the latest first.
    pub(super) fn list(&self) -> Value {
        let runs = self.lock().runs.clone();
        json!({ "cups": runs.iter().rev().map(|run| run.line()).collect::<Vec<_>>() })
    }

    pub(super) fn join(&self, watcher: &Arc<PageMessageQueue>) {
        self.lock().watchers.push(Arc::clone(watcher));
        watcher.send(self.list().to_string());
    }

    pub(super) fn leave(&self, watcher: &Arc<PageMessageQueue>) {
        self.lock()
            .watchers
            .retain(|other| !Arc::ptr_eq(other, watcher));
    }

    /// Sends the list to its watchers.
    fn broadcast(&self) {
        let watchers = {
            let mut queue = self.lock();
            queue.last_broadcast = Some(Instant::now());
            queue.watchers.retain(|watcher| !watcher.is_closed());
            queue.watchers.clone()
        };
        if watchers.is_empty() {
            return;
        }
        let text: Arc<str> = self.list().to_string().into();
        for watcher in watchers {
            watcher.send(Arc::clone(&text));
        }
    }

    /// Sends the list at most once each [`LIST_INTERVAL`].
    fn broadcast_throttled(&self) {
        let last_broadcast = self.lock().last_broadcast;
        if last_broadcast.is_none_or(|last_broadcast| last_broadcast.elapsed() >= LIST_INTERVAL) {
            self.broadcast();
        }
    }

    /// Creates and queues a tournament; returns its id.
    pub(super) fn make(
        self: &Arc<Self>,
        entry: TournamentRequest,
    ) -> Result<String, TournamentServiceError> {
        // before any folder is made
        entry.plan(&self.context.bots, PathBuf::new())?;
        let number = self.admit(Instant::now())?;
        let id: String = guard::new_token()?.chars().take(16).collect();
        let folder = self
            .folder(&id)
            .map_err(|error| TournamentServiceError::Folder(error.kind()))?;
        let store = folder.join(STORE);
        let plan = entry.plan(&self.context.bots, store.clone())?;
        let run = TournamentRun::new(
            id.clone(),
            number,
            entry,
            Ok(plan),
            store,
            TournamentRunStatus::Waiting,
        );
        let run = Arc::new(run);
        write_manifest(&run).map_err(|error| TournamentServiceError::Folder(error.kind()))?;
        self.lock().runs.push(Arc::clone(&run));
        self.enqueue(run)?;
        Ok(id)
    }

    /// Makes room for one more, and counts it.
    fn admit(&self, now: Instant) -> Result<u64, TournamentServiceError> {
        let mut queue = self.lock();
        if queue.rate.last_minute(now) >= NEW_A_MINUTE {
            return Err(TournamentServiceError::Often);
        }
        if queue.pending.len() >= MOST_WAITING {
            return Err(TournamentServiceError::Full);
        }
        if queue.runs.len() >= MOST_LISTED {
            let is_old = |run: &Arc<TournamentRun>| {
                !matches!(
                    run.status(),
                    TournamentRunStatus::Running | TournamentRunStatus::Waiting
                ) && !run.is_watched()
            };
            let old = queue
                .runs
                .iter()
                .position(is_old)
                .ok_or(TournamentServiceError::Full)?;
            let old = queue.runs.remove(old);
            if let Some(folder) = old.store.parent() {
                // what cannot be removed is only in the way of nobody
                let _ = std::fs::remove_dir_all(folder);
            }
        }
        queue.rate.count(now);
        Ok(queue.runs.last().map_or(1, |run| run.number + 1))
    }

    fn folder(&self, id: &str) -> io::Result<PathBuf> {
        let root = match &self.root {
            TournamentRoot::Persistent(folder) => folder.clone(),
            TournamentRoot::Temporary(place) => {
                let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                let made = match place.take() {
                    Some(made) => made,
                    None => tempfile::Builder::new()
                        .prefix("gridpaper-arena-")
                        .tempdir()?,
                };
                place.insert(made).path().to_path_buf()
            }
        };
        let folder = root.join(id);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Queues a tournament, starting the thread if needed.
    fn enqueue(self: &Arc<Self>, run: Arc<TournamentRun>) -> Result<(), TournamentServiceError> {
        let mut queue = self.lock();
        if queue.pending.len() >= MOST_WAITING {
            return Err(TournamentServiceError::Full);
        }
        run.clear_stop();
        // before anybody can take it out of the line and say that it runs
        run.set(TournamentRunStatus::Waiting);
        queue.pending.push_back(Arc::clone(&run));
        if !std::mem::replace(&mut queue.has_thread, true) {
            let service = Arc::clone(self);
            let thread = std::thread::Builder::new().name("arena".into());
            match thread.spawn(move || service.work()) {
                // it puts away what does not outlive the server
                Ok(thread) => self.context.join_at_end(thread),
                Err(_) => {
                    queue.has_thread = false;
                    queue.pending.pop_back();
                    run.set(TournamentRunStatus::Stopped);
                    return Err(TournamentServiceError::Full);
                }
            }
        }
        drop(queue);
        self.wakeup.notify_one();
        self.broadcast();
        Ok(())
    }

    /// Stops a tournament, or removes it from the queue.
    pub(super) fn stop(&self, run: &Arc<TournamentRun>) {
        let mut queue = self.lock();
        let waited = queue.pending.len();
        queue.pending.retain(|other| !Arc::ptr_eq(other, run));
        let was_waiting = queue.pending.len() < waited;
        drop(queue);
        if was_waiting {
            run.set(TournamentRunStatus::Stopped);
            self.broadcast();
        } else {
            run.request_stop();
        }
    }

    /// Lets a tournament go on.
    pub(super) fn go_on(
        self: &Arc<Self>,
        run: &Arc<TournamentRun>,
    ) -> Result<(), TournamentServiceError> {
        match (run.status(), &run.plan) {
            (TournamentRunStatus::Waiting | TournamentRunStatus::Running, _) => Ok(()),
            (TournamentRunStatus::Over, _) => Err(TournamentServiceError::Over),
            (_, Err(words)) => Err(TournamentServiceError::Failed(words.clone())),
            _ => self.enqueue(Arc::clone(run)),
        }
    }

    /// Plays one tournament after the other until the server ends.
    fn work(&self) {
        while let Some(run) = self.next() {
            run.set(TournamentRunStatus::Running);
            self.broadcast();
            let others_pending = || !self.lock().pending.is_empty();
            set_task("the tournament ", &run.id);
            let played = contain(|| {
                run.play(&self.context.has_ended, &others_pending, &|| {
                    self.broadcast_throttled()
                })
            });
            let status = played.unwrap_or_else(|ContainedPanic(words)| {
                run.set_error(format!(
                    "it broke down, a fault of gridpaper's own: {words}"
                ));
                TournamentRunStatus::Failed
            });
            if status == TournamentRunStatus::Waiting {
                run.clear_stop();
                self.lock().pending.push_back(Arc::clone(&run));
            }
            run.set(status);
            if write_manifest(&run).is_err() {
                eprintln!("arena: {} cannot be kept", run.store.display());
            }
            self.broadcast();
        }
        if let TournamentRoot::Temporary(place) = &self.root {
            // pages that still hold on to the room must not keep its folder
            place.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }

    fn next(&self) -> Option<Arc<TournamentRun>> {
        let mut queue = self.lock();
        loop {
            if self.context.has_ended.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(run) = queue.pending.pop_front() {
                return Some(run);
            }
            let waited = self.wakeup.wait_timeout(queue, POLL_INTERVAL);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Writes what is known of a tournament beside its store.
fn write_manifest(run: &TournamentRun) -> io::Result<()> {
    let manifest = TournamentManifest {
        number: run.number,
        entry: run.entry.clone(),
        is_over: run.status() == TournamentRunStatus::Over,
    };
    let folder = run.store.parent().unwrap_or(Path::new("."));
    // a file appears whole or not at all
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(&manifest)?)?;
    file.persist(folder.join(MANIFEST))?;
    Ok(())
}

/// Reads the stored tournaments. Unreadable ones are reported and left in place.
fn read_runs(root: &Path, bots: &[AllowedBot]) -> Vec<Arc<TournamentRun>> {
    let Ok(folders) = std::fs::read_dir(root) else {
        return Vec::new();
    };
    let folders = folders.filter_map(Result::ok).map(|entry| entry.path());
    let runs = folders.filter_map(|folder| {
        let id = folder.file_name()?.to_str()?.to_string();
        let read = std::fs::read(folder.join(MANIFEST)).map_err(|error| error.to_string());
        let manifest: TournamentManifest = match read
            .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()))
        {
            Ok(manifest) => manifest,
            Err(error) => {
                eprintln!("arena: {} is left alone: {error}", folder.display());
                return None;
            }
        };
        let store = folder.join(STORE);
        let plan = manifest.entry.plan(bots, store.clone());
        let plan = plan.map_err(|error| error.to_string());
        let status = if manifest.is_over {
            TournamentRunStatus::Over
        } else {
            TournamentRunStatus::Stopped
        };
        Some(Arc::new(TournamentRun::new(
            id,
            manifest.number,
            manifest.entry,
            plan,
            store,
            status,
        )))
    });
    runs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_outlive_the_server_is_put_away_whoever_still_looks() {
        let context = PageContext::new(Vec::new(), None, 0);
        let service = TournamentService::new(&context);
        let entry = r#"{"game":"tictactoe","pairs":1,"players":[{"player":"random"},{"player":"material"}]}"#;
        let id = service.make(serde_json::from_str(entry).unwrap()).unwrap();
        let run = service.find(&id).unwrap();
        let folder = run.store.parent().unwrap();
        assert!(folder.exists());
        context.has_ended.store(true, Ordering::Relaxed);
        context.join_threads();
        // the room is still held, as by a page that has not gone yet
        assert!(!folder.exists());
    }
}
