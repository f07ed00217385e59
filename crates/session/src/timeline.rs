//! Where a world has been: scenes along the way, to go back to and run on from.
//!
//! A rule leads one way only, so a generation that has gone by is reached from a scene
//! before it. Scenes are kept at the start, at each edit, and about each second that a run
//! takes; so going back costs about a second of running at most.

use crate::checkpoint::WorldCheckpoint;
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::Duration;

/// How much running lies between two scenes.
const APART: Duration = Duration::from_secs(1);

/// More scenes than this are thinned.
const MOST: usize = 64;

/// Scenes of the past, the earliest first.
#[derive(Debug)]
pub(crate) struct Timeline {
    scenes: Vec<Arc<WorldCheckpoint>>,
    /// How long it has run since the last one.
    ran: Duration,
    /// Bytes that they may take together; the first is always kept.
    allowed: u64,
}

impl Timeline {
    pub(crate) fn new(allowed: u64) -> Self {
        Self {
            scenes: Vec::new(),
            ran: Duration::ZERO,
            allowed,
        }
    }

    /// Where it all began.
    pub(crate) fn start(&self) -> Option<&WorldCheckpoint> {
        self.scenes.first().map(Arc::as_ref)
    }

    /// The last scene at a generation or before it.
    pub(crate) fn before(&self, generation: &BigInt) -> Option<&Arc<WorldCheckpoint>> {
        let mut back = self.scenes.iter().rev();
        back.find(|scene| scene.cells.generation() <= generation)
    }

    /// Whether a run from this generation can be come back to.
    pub(crate) fn has(&self, generation: &BigInt) -> bool {
        let last = self.scenes.last();
        last.is_some_and(|scene| scene.cells.generation() == generation)
    }

    /// Whether a scene is wanted, after the world has run for so long.
    pub(crate) fn ran(&mut self, elapsed: Duration) -> bool {
        self.ran += elapsed;
        self.ran >= APART
    }

    /// Keeps a scene; what was at its generation or later is forgotten.
    pub(crate) fn keep(&mut self, scene: Arc<WorldCheckpoint>) {
        self.forget_from(scene.cells.generation());
        self.scenes.push(scene);
        self.ran = Duration::ZERO;
        while self.scenes.len() > 2 && (self.scenes.len() > MOST || self.bytes() > self.allowed) {
            self.thin();
        }
    }

    /// Bytes of all scenes.
    pub(crate) fn bytes(&self) -> u64 {
        self.scenes.iter().map(|scene| scene.bytes()).sum()
    }

    /// Whether this very scene is one of them.
    pub(crate) fn shares(&self, scene: &Arc<WorldCheckpoint>) -> bool {
        self.scenes.iter().any(|own| Arc::ptr_eq(own, scene))
    }

    /// Forgets some of the scenes, but for the first and the last one. Whether there were any.
    pub(crate) fn forget_some(&mut self) -> bool {
        let is_more = self.scenes.len() > 2;
        if is_more {
            self.thin();
        }
        is_more
    }

    /// What happened at this generation and later is no more: something was changed there.
    pub(crate) fn forget_from(&mut self, generation: &BigInt) {
        let stays = |scene: &Arc<WorldCheckpoint>| scene.cells.generation() < generation;
        let count = self.scenes.iter().take_while(|scene| stays(scene)).count();
        self.scenes.truncate(count);
    }

    pub(crate) fn clear(&mut self) {
        self.scenes.clear();
        self.ran = Duration::ZERO;
    }

    /// Drops every other scene of the older half, never the first.
    fn thin(&mut self) {
        let older = (self.scenes.len() / 2).max(2);
        let mut place = 0;
        self.scenes.retain(|_| {
            place += 1;
            place == 1 || place > older || place % 2 == 1
        });
    }
}
