//! The timeline: checkpoints of earlier generations, to return to.
//!
//! Rules are not reversible, so an earlier generation is reached by running from a checkpoint
//! before it. Checkpoints are kept at the start, at each edit, and about once per second of
//! running; so going back takes about a second at most.

use crate::checkpoint::WorldCheckpoint;
use num_bigint::BigInt;
use std::sync::Arc;
use std::time::Duration;

/// The running time between two checkpoints.
const APART: Duration = Duration::from_secs(1);

/// With more checkpoints than this, they are thinned.
const MOST: usize = 64;

/// Checkpoints of the past, in ascending order.
#[derive(Debug)]
pub(crate) struct Timeline {
    scenes: Vec<Arc<WorldCheckpoint>>,
    /// The running time since the last checkpoint.
    ran: Duration,
    /// The limit in bytes for all checkpoints; the first is always kept.
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

    /// The first checkpoint.
    pub(crate) fn start(&self) -> Option<&WorldCheckpoint> {
        self.scenes.first().map(Arc::as_ref)
    }

    /// The last checkpoint at or before a generation.
    pub(crate) fn before(&self, generation: &BigInt) -> Option<&Arc<WorldCheckpoint>> {
        let mut back = self.scenes.iter().rev();
        back.find(|scene| scene.cells.generation() <= generation)
    }

    /// Whether the timeline covers this generation.
    pub(crate) fn has(&self, generation: &BigInt) -> bool {
        let last = self.scenes.last();
        last.is_some_and(|scene| scene.cells.generation() == generation)
    }

    /// Adds running time; returns whether a checkpoint is due.
    pub(crate) fn ran(&mut self, elapsed: Duration) -> bool {
        self.ran += elapsed;
        self.ran >= APART
    }

    /// Adds a checkpoint; those at its generation or later are dropped.
    pub(crate) fn keep(&mut self, scene: Arc<WorldCheckpoint>) {
        self.forget_from(scene.cells.generation());
        self.scenes.push(scene);
        self.ran = Duration::ZERO;
        while self.scenes.len() > 2 && (self.scenes.len() > MOST || self.bytes() > self.allowed) {
            self.thin();
        }
    }

    /// Bytes of all checkpoints.
    pub(crate) fn bytes(&self) -> u64 {
        self.scenes.iter().map(|scene| scene.bytes()).sum()
    }

    /// Whether the timeline shares this checkpoint.
    pub(crate) fn shares(&self, scene: &Arc<WorldCheckpoint>) -> bool {
        self.scenes.iter().any(|own| Arc::ptr_eq(own, scene))
    }

    /// Drops some checkpoints, except the first and the last one. Returns whether there were any.
    pub(crate) fn forget_some(&mut self) -> bool {
        let is_more = self.scenes.len() > 2;
        if is_more {
            self.thin();
        }
        is_more
    }

    /// Drops the checkpoints from this generation on, after a change.
    pub(crate) fn forget_from(&mut self, generation: &BigInt) {
        let stays = |scene: &Arc<WorldCheckpoint>| scene.cells.generation() < generation;
        let count = self.scenes.iter().take_while(|scene| stays(scene)).count();
        self.scenes.truncate(count);
    }

    pub(crate) fn clear(&mut self) {
        self.scenes.clear();
        self.ran = Duration::ZERO;
    }

    /// Drops every other checkpoint of the older half, never the first.
    fn thin(&mut self) {
        let older = (self.scenes.len() / 2).max(2);
        let mut place = 0;
        self.scenes.retain(|_| {
            place += 1;
            place == 1 || place > older || place % 2 == 1
        });
    }
}
