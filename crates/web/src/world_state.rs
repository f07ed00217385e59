//! What a world's thread shares with the list of worlds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known of a world without asking its thread, which keeps it up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WorldSummary {
    pub(crate) title: String,
    pub(crate) generation: String,
    /// How many tabs look at it.
    pub(crate) tabs: usize,
    pub(crate) is_running: bool,
    /// It runs on while nobody looks.
    pub(crate) runs_on: bool,
    /// Nothing was ever done in it: it is not missed.
    pub(crate) is_blank: bool,
}

/// What a world's thread shares with the list of worlds.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldState {
    summary: Arc<Mutex<WorldSummary>>,
    /// The draft of a world that sleeps, where the server keeps nothing on disk.
    draft: Arc<Mutex<Option<Vec<u8>>>>,
}

impl WorldState {
    pub(crate) fn summary(&self) -> WorldSummary {
        lock(&self.summary).clone()
    }

    pub(crate) fn update(&self, update: impl FnOnce(&mut WorldSummary)) {
        update(&mut lock(&self.summary));
    }

    pub(crate) fn keep_draft(&self, draft: Vec<u8>) {
        *lock(&self.draft) = Some(draft);
    }

    pub(crate) fn take_draft(&self) -> Option<Vec<u8>> {
        lock(&self.draft).take()
    }
}

/// Nothing is left half done under these locks.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
