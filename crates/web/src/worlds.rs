//! The worlds of a server: each is a document with an address, a session, and a draft.
//!
//! A world that somebody looks at has a thread ([`crate::workbench`]). Some time after the last
//! one has left, the thread ends, and the world is a draft until somebody opens it again. The list
//! of worlds is kept in the server's folder, so that addresses outlive the server.

mod index;

use crate::memory_pool::{MemoryPool, PoolShare};
use crate::response::{ServiceError, run_blocking};
use crate::workbench::{
    self, WorkbenchExitReceiver, WorkbenchHandle, WorkbenchRequest, WorkbenchSetup,
};
use index::{WorldIndex, WorldRecord};
use session::command::Command;
use session::draft::DraftFile;
use session::file_access::FileAccess;
use session::{Session, Viewer};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use thiserror::Error;
use wire::ComparedWorld;
use wire::{WorldState, WorldSummary, equal_secrets, lock};

/// The most worlds of a server, those that sleep included.
const MOST_WORLDS: usize = 500;

/// The most worlds that are awake.
const MOST_AWAKE: usize = 32;

/// How long a new world waits for the one whom it was made for.
const WAITING_TIME: Duration = Duration::from_secs(60);

/// The pattern that runs where somebody comes for the first time.
pub(crate) const FIRST_PATTERN: &str = "gosper-glider-gun";

/// The kind of draft of the world that the server began with.
pub(crate) const FIRST_DRAFT: &str = "serve";

/// What somebody may do with a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorldRights {
    Draw,
    Watch,
}

impl WorldRights {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Draw => "draw",
            Self::Watch => "watch",
        }
    }
}

/// Who asks for a world: by a key of the world's, or as the owner of the server.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldVisitor {
    pub(crate) key: Option<String>,
    pub(crate) is_owner: bool,
}

/// Why a world cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum WorldsError {
    #[error("there is no such world here")]
    Unknown,
    #[error("this address opens the world only with its key")]
    Forbidden,
    #[error("this is an invitation to watch: only who may draw can do that")]
    WatchOnly,
    #[error("there are {MOST_WORLDS} worlds here already, the most that are kept")]
    TooMany,
    #[error("{MOST_AWAKE} worlds are being looked at, the most at a time")]
    TooManyAwake,
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("the system has no randomness for an address")]
    Random,
    #[error("the system has no thread for another world")]
    Thread,
}

/// A world's thread.
#[derive(Debug)]
struct AwakeWorld {
    handle: WorkbenchHandle,
    ended: Option<WorkbenchExitReceiver>,
}

#[derive(Debug)]
struct OpenWorld {
    record: WorldRecord,
    state: WorldState,
    awake: Option<AwakeWorld>,
    /// It was not asked for by anybody yet: the first that comes has it.
    is_unclaimed: bool,
    /// It was made for somebody who has no other world here: a gun runs in it at first.
    is_welcome: bool,
}

impl OpenWorld {
    fn new(record: WorldRecord) -> Self {
        let state = WorldState::default();
        state.update(|summary| {
            summary.title.clone_from(&record.title);
            summary.generation.clone_from(&record.generation);
        });
        Self {
            record,
            state,
            awake: None,
            is_unclaimed: false,
            is_welcome: false,
        }
    }

    fn handle(&self) -> Option<&WorkbenchHandle> {
        let handle = &self.awake.as_ref()?.handle;
        (!handle.has_ended()).then_some(handle)
    }

    fn rights(&self, visitor: &WorldVisitor) -> Option<WorldRights> {
        match &visitor.key {
            Some(key) if equal_secrets(key, &self.record.draw) => Some(WorldRights::Draw),
            Some(key) if equal_secrets(key, &self.record.watch) => Some(WorldRights::Watch),
            Some(_) => None,
            None => visitor.is_owner.then_some(WorldRights::Draw),
        }
    }
}

/// A world in the list.
#[derive(Clone, Debug)]
pub(crate) struct ListedWorld {
    pub(crate) id: String,
    pub(crate) summary: WorldSummary,
    pub(crate) is_awake: bool,
}

/// The keys of a world.
#[derive(Clone, Debug)]
pub(crate) struct WorldKeys {
    pub(crate) id: String,
    pub(crate) draw: String,
    pub(crate) watch: String,
}

/// How worlds are opened.
#[derive(Clone, Debug)]
pub(crate) struct WorldsSetup {
    pub(crate) file_access: FileAccess,
    pub(crate) seed: u64,
    /// Where drafts and the list are kept, if anywhere.
    pub(crate) state: Option<PathBuf>,
    /// How long after the last tab has gone a world falls asleep.
    pub(crate) sleep_after: Duration,
}

/// All worlds of a server.
#[derive(Debug)]
pub(crate) struct Worlds {
    setup: WorldsSetup,
    pool: Arc<MemoryPool>,
    index: WorldIndex,
    worlds: Mutex<BTreeMap<String, OpenWorld>>,
    /// The world that the server began with.
    first: String,
    /// Held while a world is woken: it is not to be woken twice.
    waking: tokio::sync::Mutex<()>,
    has_ended: AtomicBool,
}

impl Worlds {
    /// Reads the list of worlds, and starts the first one.
    ///
    /// # Errors
    /// When the system gives no thread or no randomness.
    pub(crate) fn start(setup: WorldsSetup, first: WorkbenchSetup) -> std::io::Result<Self> {
        let index = WorldIndex::new(setup.state.as_deref());
        let pool = MemoryPool::new(setup.file_access.limits.memory);
        let mut worlds: BTreeMap<String, OpenWorld> = index
            .read()
            .into_iter()
            .map(|record| (record.id.clone(), OpenWorld::new(record)))
            .collect();
        let known = worlds.values().find(|world| world.record.is_first);
        let id = match known {
            Some(world) => world.record.id.clone(),
            None => {
                let record = WorldRecord::new(true).map_err(std::io::Error::other)?;
                let id = record.id.clone();
                worlds.insert(id.clone(), OpenWorld::new(record));
                id
            }
        };
        let this = Self {
            setup,
            pool,
            index,
            first: id,
            worlds: Mutex::new(worlds),
            waking: tokio::sync::Mutex::new(()),
            has_ended: AtomicBool::new(false),
        };
        {
            let mut worlds = lock(&this.worlds);
            if let Some(world) = worlds.get_mut(&this.first) {
                world.is_unclaimed = true;
                let link = this.link(&world.state);
                let (handle, ended) = workbench::start(first, link)?;
                world.awake = Some(AwakeWorld {
                    handle,
                    ended: Some(ended),
                });
            }
        }
        this.save_index();
        Ok(this)
    }

    /// A part in the memory that all worlds share.
    pub(crate) fn join_memory(&self) -> PoolShare {
        self.pool.join()
    }

    fn link(&self, state: &WorldState) -> workbench::WorldLink {
        workbench::WorldLink {
            state: state.clone(),
            share: self.pool.join(),
            sleep_after: self.setup.sleep_after,
        }
    }

    /// What somebody may do with a world; the first one where none is named.
    pub(crate) fn rights(
        &self,
        id: Option<&str>,
        visitor: &WorldVisitor,
    ) -> Result<(WorldKeys, WorldRights), WorldsError> {
        let worlds = lock(&self.worlds);
        let world = worlds.get(id.unwrap_or(&self.first));
        let world = world.ok_or(WorldsError::Unknown)?;
        let rights = world.rights(visitor).ok_or(WorldsError::Forbidden)?;
        Ok((world.record.keys(), rights))
    }

    pub(crate) fn summary(&self, id: &str) -> Option<WorldSummary> {
        let worlds = lock(&self.worlds);
        Some(worlds.get(id)?.state.summary())
    }

    /// A world's thread. It is started where the world is asleep.
    pub(crate) async fn wake(self: &Arc<Self>, id: &str) -> Result<WorkbenchHandle, WorldsError> {
        let handle = |this: &Self| {
            let mut worlds = lock(&this.worlds);
            let world = worlds.get_mut(id).ok_or(WorldsError::Unknown)?;
            world.is_unclaimed = false;
            Ok::<_, WorldsError>(world.handle().cloned())
        };
        if let Some(handle) = handle(self)? {
            return Ok(handle);
        }
        let _waking = self.waking.lock().await;
        if self.has_ended.load(Ordering::SeqCst) {
            return Err(ServiceError::Ended.into());
        }
        // another one may have woken it meanwhile
        if let Some(handle) = handle(self)? {
            return Ok(handle);
        }
        self.make_room()?;
        let (this, id) = (Arc::clone(self), id.to_string());
        run_blocking(move || this.start_thread(&id, None)).await?
    }

    /// A world to lay over another one.
    pub(crate) async fn to_compare(
        self: &Arc<Self>,
        id: &str,
        visitor: &WorldVisitor,
    ) -> Result<ComparedWorld, WorldsError> {
        let (_, rights) = self.rights(Some(id), visitor)?;
        let handle = self.wake(id).await?;
        let state = {
            let worlds = lock(&self.worlds);
            worlds.get(id).ok_or(WorldsError::Unknown)?.state.clone()
        };
        Ok(handle.to_compare(id, state, rights == WorldRights::Draw))
    }

    /// Sends the world to sleep that nobody has looked at for longest, where too many are awake.
    fn make_room(&self) -> Result<(), WorldsError> {
        let worlds = lock(&self.worlds);
        let awake = worlds.values().filter(|world| world.handle().is_some());
        if awake.clone().count() < MOST_AWAKE {
            return Ok(());
        }
        let idle = awake
            .filter(|world| world.state.summary().tabs == 0)
            .min_by_key(|world| world.record.used);
        let handle = idle.and_then(OpenWorld::handle);
        let handle = handle.ok_or(WorldsError::TooManyAwake)?;
        // it may have ended by itself just now
        let _ = handle.send(WorkbenchRequest::Sleep);
        Ok(())
    }

    /// Starts a world's thread, with these cells or as it was.
    fn start_thread(
        &self,
        id: &str,
        cells: Option<Vec<u8>>,
    ) -> Result<WorkbenchHandle, WorldsError> {
        let (state, record, is_welcome) = {
            let worlds = lock(&self.worlds);
            let world = worlds.get(id).ok_or(WorldsError::Unknown)?;
            (world.state.clone(), world.record.clone(), world.is_welcome)
        };
        let mut session = Session::new(self.setup.file_access.clone(), self.setup.seed);
        let mut notes = Vec::new();
        let folder = self.setup.state.as_deref();
        let claimed = folder.map(|folder| DraftFile::claim(folder, &record.draft_kind(), true));
        let draft = match claimed.transpose() {
            Ok(draft) => draft,
            Err(error) => {
                notes.push(format!("no draft of this world can be kept: {error}"));
                None
            }
        };
        let on_disk = || draft.as_ref().map_or(Ok(None), DraftFile::read);
        let mut draft_is_due = false;
        let kept = match cells.or_else(|| state.take_draft()) {
            Some(kept) => {
                draft_is_due = true;
                Ok(Some(kept))
            }
            None => on_disk(),
        };
        let restored = match kept {
            Ok(None) => Ok(false),
            Ok(Some(bytes)) => session
                .restore_draft(&mut Viewer::new(1280, 720), &bytes)
                .map(|_| true)
                .map_err(|refusal| refusal.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let was_touched = restored.unwrap_or_else(|problem| {
            let aside = draft.as_ref().and_then(|draft| draft.set_aside().ok());
            let aside = aside.map_or(String::new(), |path| {
                format!("; it is kept in {}", path.display())
            });
            notes.push(format!(
                "the draft of this world cannot be read: {problem}{aside}"
            ));
            false
        });
        // a built-in pattern opens in any session; an empty sheet would do too
        let starts_running = is_welcome && !was_touched && {
            let open = Command::Open(FIRST_PATTERN.into());
            session.apply(&mut Viewer::new(1280, 720), &open).is_ok()
        };
        let setup = WorkbenchSetup {
            session,
            note: (!notes.is_empty()).then(|| notes.join("; ")),
            starts_running,
            was_touched,
            draft,
            draft_is_due,
            seed: self.setup.seed,
        };
        let link = self.link(&state);
        let (handle, ended) = workbench::start(setup, link).map_err(|_| WorldsError::Thread)?;
        let mut worlds = lock(&self.worlds);
        let world = worlds.get_mut(id).ok_or(WorldsError::Unknown)?;
        world.record.touch();
        world.awake = Some(AwakeWorld {
            handle: handle.clone(),
            ended: Some(ended),
        });
        Ok(handle)
    }

    /// The world that somebody is given who asks for none by its address: the one that he had
    /// last or that the server began with, while nobody looks at it; else a new one. In that of
    /// somebody who has none a gun runs.
    pub(crate) fn place(
        &self,
        last: Option<&str>,
        visitor: &WorldVisitor,
        wants_new: bool,
    ) -> Result<WorldKeys, WorldsError> {
        let mut worlds = lock(&self.worlds);
        if !wants_new {
            let had = last.and_then(|id| worlds.get(id));
            let had = had.filter(|world| {
                world.rights(visitor) == Some(WorldRights::Draw) && world.state.summary().tabs == 0
            });
            if let Some(world) = had {
                return Ok(world.record.keys());
            }
            let anonymous = WorldVisitor {
                key: None,
                ..*visitor
            };
            let first = worlds.get_mut(&self.first);
            let first = first.filter(|world| {
                let is_idle = world.is_unclaimed || world.state.summary().tabs == 0;
                is_idle && world.rights(&anonymous).is_some()
            });
            if let Some(world) = first
                && (world.is_unclaimed || last.is_none())
            {
                world.is_unclaimed = false;
                return Ok(world.record.keys());
            }
        }
        worlds.retain(|_, world| {
            let is_forgotten = world.is_forgotten();
            if is_forgotten {
                self.index.discard_draft(&world.record);
            }
            !is_forgotten
        });
        if worlds.len() >= MOST_WORLDS {
            return Err(WorldsError::TooMany);
        }
        let record = WorldRecord::new(false).map_err(|_| WorldsError::Random)?;
        let keys = record.keys();
        let mut world = OpenWorld::new(record);
        world.is_welcome = !wants_new && last.is_none_or(|id| !worlds.contains_key(id));
        world.state.update(|summary| summary.is_blank = true);
        worlds.insert(keys.id.clone(), world);
        drop(worlds);
        self.save_index();
        Ok(keys)
    }

    /// A new world with the cells and settings of another one.
    pub(crate) async fn clone_world(
        self: &Arc<Self>,
        id: &str,
        visitor: &WorldVisitor,
    ) -> Result<WorldKeys, WorldsError> {
        let original = self.wake(id).await?;
        let draft = original
            .request(|answer| WorkbenchRequest::Draft { answer })
            .await?;
        let keys = self.place(None, visitor, true)?;
        self.make_room()?;
        if let Some(draft) = draft {
            let (this, id) = (Arc::clone(self), keys.id.clone());
            run_blocking(move || this.start_thread(&id, Some(draft))).await??;
        }
        Ok(keys)
    }

    /// Takes a world off the list, or puts it back. Its draft stays until the server starts anew.
    pub(crate) fn set_closed(&self, id: &str, is_closed: bool) -> Result<(), WorldsError> {
        let mut worlds = lock(&self.worlds);
        let world = worlds.get_mut(id).ok_or(WorldsError::Unknown)?;
        world.record.is_closed = is_closed;
        drop(worlds);
        self.save_index();
        Ok(())
    }

    /// The open worlds, the one used last at the front.
    pub(crate) fn list(&self) -> Vec<ListedWorld> {
        let mut worlds = lock(&self.worlds);
        for world in worlds.values_mut() {
            world.refresh();
        }
        let listed = worlds
            .values()
            .filter(|world| !world.record.is_closed && !world.is_idle_and_blank());
        let mut listed: Vec<&OpenWorld> = listed.collect();
        listed.sort_by_key(|world| std::cmp::Reverse(world.record.used));
        listed.into_iter().map(OpenWorld::listed).collect()
    }

    /// Keeps the list on disk.
    pub(crate) fn save_index(&self) {
        let mut worlds = lock(&self.worlds);
        for world in worlds.values_mut() {
            world.refresh();
        }
        let kept = worlds.values().filter(|world| !world.is_idle_and_blank());
        let records: Vec<WorldRecord> = kept.map(|world| world.record.clone()).collect();
        drop(worlds);
        self.index.write(&records);
    }

    /// Stops all threads. Returns their ends, to be waited for.
    pub(crate) fn stop(&self) -> Vec<WorkbenchExitReceiver> {
        self.has_ended.store(true, Ordering::SeqCst);
        let mut worlds = lock(&self.worlds);
        let mut ends = Vec::new();
        for world in worlds.values_mut() {
            if let Some(awake) = &mut world.awake
                && !awake.handle.has_ended()
            {
                // it may end by itself just now
                let _ = awake.handle.send(WorkbenchRequest::Stop);
                ends.extend(awake.ended.take());
            }
        }
        ends
    }
}

impl OpenWorld {
    /// Takes over what the thread has said of it.
    fn refresh(&mut self) {
        let summary = self.state.summary();
        self.record.title = summary.title;
        self.record.generation = summary.generation;
        if summary.tabs > 0 {
            self.record.touch();
        }
    }

    fn is_idle_and_blank(&self) -> bool {
        let summary = self.state.summary();
        summary.is_blank && summary.tabs == 0
    }

    /// Nothing was done in it, and whoever it was made for has gone.
    fn is_forgotten(&self) -> bool {
        self.is_idle_and_blank() && self.handle().is_none() && self.record.age() > WAITING_TIME
    }

    fn listed(&self) -> ListedWorld {
        // before the summary: a thread's last words come before its end
        let is_awake = self.handle().is_some();
        ListedWorld {
            id: self.record.id.clone(),
            summary: self.state.summary(),
            is_awake,
        }
    }
}
