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
const SPACING: Duration = Duration::from_secs(1);

/// With more checkpoints than this, they are thinned.
const MAX_CHECKPOINTS: usize = 64;

/// Checkpoints of the past, in ascending order.
#[derive(Debug)]
pub(crate) struct Timeline {
    checkpoints: Vec<Arc<WorldCheckpoint>>,
    /// The running time since the last checkpoint.
    ran: Duration,
    /// The limit in bytes for all checkpoints; the first is always kept.
    limit: u64,
}

impl Timeline {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            checkpoints: Vec::new(),
            ran: Duration::ZERO,
            limit,
        }
    }

    /// The first checkpoint.
    pub(crate) fn start(&self) -> Option<&WorldCheckpoint> {
        self.checkpoints.first().map(Arc::as_ref)
    }

    /// The last checkpoint at or before a generation.
    pub(crate) fn before(&self, generation: &BigInt) -> Option<&Arc<WorldCheckpoint>> {
        let mut back = self.checkpoints.iter().rev();
        back.find(|checkpoint| checkpoint.cells.generation() <= generation)
    }

    /// Whether the timeline covers this generation.
    pub(crate) fn has(&self, generation: &BigInt) -> bool {
        let last = self.checkpoints.last();
        last.is_some_and(|checkpoint| checkpoint.cells.generation() == generation)
    }

    /// Adds running time; returns whether a checkpoint is due.
    pub(crate) fn add_running_time(&mut self, elapsed: Duration) -> bool {
        self.ran += elapsed;
        self.ran >= SPACING
    }

    /// Adds a checkpoint; those at its generation or later are dropped.
    pub(crate) fn push(&mut self, checkpoint: Arc<WorldCheckpoint>) {
        self.drop_from(checkpoint.cells.generation());
        self.checkpoints.push(checkpoint);
        self.ran = Duration::ZERO;
        while self.checkpoints.len() > 2
            && (self.checkpoints.len() > MAX_CHECKPOINTS || self.bytes() > self.limit)
        {
            self.thin();
        }
    }

    /// Bytes of all checkpoints.
    pub(crate) fn bytes(&self) -> u64 {
        self.checkpoints
            .iter()
            .map(|checkpoint| checkpoint.bytes())
            .sum()
    }

    /// Whether the timeline shares this checkpoint.
    pub(crate) fn contains(&self, checkpoint: &Arc<WorldCheckpoint>) -> bool {
        self.checkpoints
            .iter()
            .any(|own| Arc::ptr_eq(own, checkpoint))
    }

    /// Drops some checkpoints, except the first and the last one. Returns whether there were any.
    pub(crate) fn drop_some(&mut self) -> bool {
        let is_more = self.checkpoints.len() > 2;
        if is_more {
            self.thin();
        }
        is_more
    }

    /// Drops the checkpoints from this generation on, after a change.
    pub(crate) fn drop_from(&mut self, generation: &BigInt) {
        let is_kept =
            |checkpoint: &Arc<WorldCheckpoint>| checkpoint.cells.generation() < generation;
        let count = self
            .checkpoints
            .iter()
            .take_while(|checkpoint| is_kept(checkpoint))
            .count();
        self.checkpoints.truncate(count);
    }

    pub(crate) fn clear(&mut self) {
        self.checkpoints.clear();
        self.ran = Duration::ZERO;
    }

    /// Drops every other checkpoint of the older half, never the first.
    fn thin(&mut self) {
        let older = (self.checkpoints.len() / 2).max(2);
        let mut index = 0;
        self.checkpoints.retain(|_| {
            index += 1;
            index == 1 || index > older || index % 2 == 1
        });
    }
}
