//! What a world's thread shares with the list of worlds.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is known of a world without asking its thread, which keeps it up to date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldSummary {
    /// What it is called.
    pub title: String,
    /// Its generation.
    pub generation: String,
    /// How many tabs look at it.
    pub tabs: usize,
    /// It is being stepped.
    pub is_running: bool,
    /// It runs on while nobody looks.
    pub runs_on: bool,
    /// Nothing was ever done in it: it is not missed.
    pub is_blank: bool,
}

/// What a world's thread shares with the list of worlds.
#[derive(Clone, Debug, Default)]
pub struct WorldState {
    summary: Arc<Mutex<WorldSummary>>,
    /// The draft of a world that sleeps, where the server keeps nothing on disk.
    draft: Arc<Mutex<Option<Vec<u8>>>>,
}

impl WorldState {
    /// What is known of it.
    #[must_use]
    pub fn summary(&self) -> WorldSummary {
        lock(&self.summary).clone()
    }

    /// Changes what is known of it.
    pub fn update(&self, update: impl FnOnce(&mut WorldSummary)) {
        update(&mut lock(&self.summary));
    }

    /// Keeps a draft.
    pub fn keep_draft(&self, draft: Vec<u8>) {
        *lock(&self.draft) = Some(draft);
    }

    /// Takes the draft that was kept.
    #[must_use]
    pub fn take_draft(&self) -> Option<Vec<u8>> {
        lock(&self.draft).take()
    }
}

/// Nothing is left half done under these locks.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
