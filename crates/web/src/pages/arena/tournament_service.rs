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

/// So many tournaments may wait for their turn.
const MOST_WAITING: usize = 8;

/// So many are listed; the oldest that is over makes room for another.
const MOST_LISTED: usize = 100;

/// So many may be set up in a minute, over all visitors.
const NEW_A_MINUTE: usize = 20;

/// So often, at most, the list is told while games are played.
const TELL: Duration = Duration::from_secs(1);

/// So often the thread that plays looks whether the server has ended.
const LOOK: Duration = Duration::from_millis(200);

pub(super) struct TournamentService {
    rooms: PageContext,
    root: TournamentRoot,
    desk: Mutex<TournamentQueue>,
    bell: Condvar,
}

/// Where tournaments are kept.
enum TournamentRoot {
    Kept(PathBuf),
    /// For as long as the server is there; made with the first tournament.
    Passing(Mutex<Option<tempfile::TempDir>>),
}

#[derive(Default)]
struct TournamentQueue {
    cups: Vec<Arc<TournamentRun>>,
    line: VecDeque<Arc<TournamentRun>>,
    watchers: Vec<Arc<PageMessageQueue>>,
    made: VecDeque<Instant>,
    told: Option<Instant>,
    /// Whether the thread that plays is there.
    has_player: bool,
}

/// What is kept of a tournament beside its store.
#[derive(Deserialize, Serialize)]
struct TournamentManifest {
    number: u64,
    entry: TournamentRequest,
    is_over: bool,
}

const KEPT: &str = "cup.json";
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
    pub(super) fn new(rooms: &PageContext) -> Arc<Self> {
        let root = match &rooms.state {
            Some(state) => TournamentRoot::Kept(state.join("arena")),
            None => TournamentRoot::Passing(Mutex::default()),
        };
        let mut cups = match &root {
            TournamentRoot::Kept(folder) => kept(folder, &rooms.bots),
            TournamentRoot::Passing(_) => Vec::new(),
        };
        cups.sort_by_key(|cup| cup.number);
        let desk = TournamentQueue {
            cups,
            ..TournamentQueue::default()
        };
        Arc::new(Self {
            rooms: rooms.clone(),
            root,
            desk: Mutex::new(desk),
            bell: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, TournamentQueue> {
        // what is in there is put in and taken out whole
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn find(&self, id: &str) -> Option<Arc<TournamentRun>> {
        let desk = self.lock();
        desk.cups.iter().find(|cup| cup.id == id).map(Arc::clone)
    }

    /// The list, the latest first.
    pub(super) fn list(&self) -> Value {
        let cups = self.lock().cups.clone();
        json!({ "cups": cups.iter().rev().map(|cup| cup.line()).collect::<Vec<_>>() })
    }

    pub(super) fn join(&self, letters: &Arc<PageMessageQueue>) {
        self.lock().watchers.push(Arc::clone(letters));
        letters.send(self.list().to_string());
    }

    pub(super) fn part(&self, letters: &Arc<PageMessageQueue>) {
        self.lock()
            .watchers
            .retain(|other| !Arc::ptr_eq(other, letters));
    }

    /// Tells the list to who watches it.
    fn tell(&self) {
        let watchers = {
            let mut desk = self.lock();
            desk.told = Some(Instant::now());
            desk.watchers.retain(|letters| !letters.is_closed());
            desk.watchers.clone()
        };
        if watchers.is_empty() {
            return;
        }
        let text: Arc<str> = self.list().to_string().into();
        for letters in watchers {
            letters.send(Arc::clone(&text));
        }
    }

    /// The same, but not often.
    fn tell_some(&self) {
        let told = self.lock().told;
        if told.is_none_or(|told| told.elapsed() >= TELL) {
            self.tell();
        }
    }

    /// Sets up a tournament, which begins as soon as it may: its address.
    pub(super) fn make(
        self: &Arc<Self>,
        entry: TournamentRequest,
    ) -> Result<String, TournamentServiceError> {
        // before any folder is made
        entry.plan(&self.rooms.bots, PathBuf::new())?;
        let number = self.admit(Instant::now())?;
        let id: String = guard::new_token()?.chars().take(16).collect();
        let folder = self
            .folder(&id)
            .map_err(|error| TournamentServiceError::Folder(error.kind()))?;
        let store = folder.join(STORE);
        let plan = entry.plan(&self.rooms.bots, store.clone())?;
        let cup = TournamentRun::new(
            id.clone(),
            number,
            entry,
            Ok(plan),
            store,
            TournamentRunStatus::Waiting,
        );
        let cup = Arc::new(cup);
        keep(&cup).map_err(|error| TournamentServiceError::Folder(error.kind()))?;
        self.lock().cups.push(Arc::clone(&cup));
        self.line_up(cup)?;
        Ok(id)
    }

    /// Makes room for one more, and counts it.
    fn admit(&self, now: Instant) -> Result<u64, TournamentServiceError> {
        let mut desk = self.lock();
        let minute = Duration::from_secs(60);
        desk.made.retain(|&made| now.duration_since(made) < minute);
        if desk.made.len() >= NEW_A_MINUTE {
            return Err(TournamentServiceError::Often);
        }
        if desk.line.len() >= MOST_WAITING {
            return Err(TournamentServiceError::Full);
        }
        if desk.cups.len() >= MOST_LISTED {
            let is_old = |cup: &Arc<TournamentRun>| {
                !matches!(
                    cup.stand(),
                    TournamentRunStatus::Running | TournamentRunStatus::Waiting
                ) && !cup.is_watched()
            };
            let old = desk
                .cups
                .iter()
                .position(is_old)
                .ok_or(TournamentServiceError::Full)?;
            let old = desk.cups.remove(old);
            if let Some(folder) = old.store.parent() {
                // what cannot be removed is only in the way of nobody
                let _ = std::fs::remove_dir_all(folder);
            }
        }
        desk.made.push_back(now);
        Ok(desk.cups.last().map_or(1, |cup| cup.number + 1))
    }

    fn folder(&self, id: &str) -> io::Result<PathBuf> {
        let root = match &self.root {
            TournamentRoot::Kept(folder) => folder.clone(),
            TournamentRoot::Passing(place) => {
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

    /// Lets a tournament play when its turn comes.
    fn line_up(self: &Arc<Self>, cup: Arc<TournamentRun>) -> Result<(), TournamentServiceError> {
        let mut desk = self.lock();
        if desk.line.len() >= MOST_WAITING {
            return Err(TournamentServiceError::Full);
        }
        cup.ready();
        // before anybody can take it out of the line and say that it runs
        cup.set(TournamentRunStatus::Waiting);
        desk.line.push_back(Arc::clone(&cup));
        if !std::mem::replace(&mut desk.has_player, true) {
            let office = Arc::clone(self);
            let thread = std::thread::Builder::new().name("arena".into());
            match thread.spawn(move || office.work()) {
                // it puts away what does not outlive the server
                Ok(thread) => self.rooms.wait_for(thread),
                Err(_) => {
                    desk.has_player = false;
                    desk.line.pop_back();
                    cup.set(TournamentRunStatus::Stopped);
                    return Err(TournamentServiceError::Full);
                }
            }
        }
        drop(desk);
        self.bell.notify_one();
        self.tell();
        Ok(())
    }

    /// Stops a tournament, or takes it out of the line.
    pub(super) fn stop(&self, cup: &Arc<TournamentRun>) {
        let mut desk = self.lock();
        let waited = desk.line.len();
        desk.line.retain(|other| !Arc::ptr_eq(other, cup));
        let was_waiting = desk.line.len() < waited;
        drop(desk);
        if was_waiting {
            cup.set(TournamentRunStatus::Stopped);
            self.tell();
        } else {
            cup.halt();
        }
    }

    /// Lets a tournament go on.
    pub(super) fn go_on(
        self: &Arc<Self>,
        cup: &Arc<TournamentRun>,
    ) -> Result<(), TournamentServiceError> {
        match (cup.stand(), &cup.plan) {
            (TournamentRunStatus::Waiting | TournamentRunStatus::Running, _) => Ok(()),
            (TournamentRunStatus::Over, _) => Err(TournamentServiceError::Over),
            (_, Err(words)) => Err(TournamentServiceError::Failed(words.clone())),
            _ => self.line_up(Arc::clone(cup)),
        }
    }

    /// Plays one tournament after the other until the server ends.
    fn work(&self) {
        while let Some(cup) = self.next() {
            cup.set(TournamentRunStatus::Running);
            self.tell();
            let others_wait = || !self.lock().line.is_empty();
            set_task("the tournament ", &cup.id);
            let played =
                contain(|| cup.play(&self.rooms.has_ended, &others_wait, &|| self.tell_some()));
            let stand = played.unwrap_or_else(|ContainedPanic(words)| {
                cup.set_error(format!(
                    "it broke down, a fault of gridpaper's own: {words}"
                ));
                TournamentRunStatus::Failed
            });
            if stand == TournamentRunStatus::Waiting {
                cup.ready();
                self.lock().line.push_back(Arc::clone(&cup));
            }
            cup.set(stand);
            if keep(&cup).is_err() {
                eprintln!("arena: {} cannot be kept", cup.store.display());
            }
            self.tell();
        }
        if let TournamentRoot::Passing(place) = &self.root {
            // pages that still hold on to the room must not keep its folder
            place.lock().unwrap_or_else(PoisonError::into_inner).take();
        }
    }

    fn next(&self) -> Option<Arc<TournamentRun>> {
        let mut desk = self.lock();
        loop {
            if self.rooms.has_ended.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(cup) = desk.line.pop_front() {
                return Some(cup);
            }
            let waited = self.bell.wait_timeout(desk, LOOK);
            desk = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Writes what is known of a tournament beside its store.
fn keep(cup: &TournamentRun) -> io::Result<()> {
    let kept = TournamentManifest {
        number: cup.number,
        entry: cup.entry.clone(),
        is_over: cup.stand() == TournamentRunStatus::Over,
    };
    let folder = cup.store.parent().unwrap_or(Path::new("."));
    // a file appears whole or not at all
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(&serde_json::to_vec(&kept)?)?;
    file.persist(folder.join(KEPT))?;
    Ok(())
}

/// The tournaments of last time. What cannot be read is told, and left where it is.
fn kept(root: &Path, bots: &[AllowedBot]) -> Vec<Arc<TournamentRun>> {
    let Ok(folders) = std::fs::read_dir(root) else {
        return Vec::new();
    };
    let folders = folders.filter_map(Result::ok).map(|entry| entry.path());
    let cups = folders.filter_map(|folder| {
        let id = folder.file_name()?.to_str()?.to_string();
        let read = std::fs::read(folder.join(KEPT)).map_err(|error| error.to_string());
        let kept: TournamentManifest = match read
            .and_then(|bytes| serde_json::from_slice(&bytes).map_err(|error| error.to_string()))
        {
            Ok(kept) => kept,
            Err(error) => {
                eprintln!("arena: {} is left alone: {error}", folder.display());
                return None;
            }
        };
        let store = folder.join(STORE);
        let plan = kept.entry.plan(bots, store.clone());
        let plan = plan.map_err(|error| error.to_string());
        let stand = if kept.is_over {
            TournamentRunStatus::Over
        } else {
            TournamentRunStatus::Stopped
        };
        Some(Arc::new(TournamentRun::new(
            id,
            kept.number,
            kept.entry,
            plan,
            store,
            stand,
        )))
    });
    cups.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_outlive_the_server_is_put_away_whoever_still_looks() {
        let rooms = PageContext::new(Vec::new(), None, 0);
        let office = TournamentService::new(&rooms);
        let entry = r#"{"game":"tictactoe","pairs":1,"players":[{"player":"random"},{"player":"material"}]}"#;
        let id = office.make(serde_json::from_str(entry).unwrap()).unwrap();
        let cup = office.find(&id).unwrap();
        let folder = cup.store.parent().unwrap();
        assert!(folder.exists());
        rooms.has_ended.store(true, Ordering::Relaxed);
        rooms.ended();
        // the room is still held, as by a page that has not gone yet
        assert!(!folder.exists());
    }
}
