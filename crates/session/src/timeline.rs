//! The timeline: checkpoints of earlier generations, to return to.
//!
//! Rules are not reversible, so an earlier generation is reached by running from a checkpoint
//! before it. Checkpoints are kept at the start, at each edit, and about once per second of
//! running; so going back takes about a second at most.

use crate::checkpoint::WorldCheckpoint;
use num_bigint::BigInt;
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// The running time between two checkpoints.
const SPACING: Duration = Duration::from_secs(1);

/// With more checkpoints than this, they are thinned.
const MAX_CHECKPOINTS: usize = 64;

/// A checkpoint in the list of generations to return to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimelineMark {
    /// The checkpoint's number, which no later one has.
    pub id: u64,
    /// Its generation.
    pub generation: String,
}

/// Checkpoints of the past, in ascending order.
#[derive(Debug)]
pub(crate) struct Timeline {
    checkpoints: Vec<Arc<WorldCheckpoint>>,
    /// The number of each checkpoint.
    ids: Vec<u64>,
    /// The number of the next checkpoint.
    next_id: u64,
    /// The running time since the last checkpoint.
    ran: Duration,
    /// The limit in bytes for all checkpoints; the first is always kept.
    limit: u64,
}

impl Timeline {
    pub(crate) fn new(limit: u64) -> Self {
        Self {
            checkpoints: Vec::new(),
            ids: Vec::new(),
            next_id: 1,
            ran: Duration::ZERO,
            limit,
        }
    }

    /// All checkpoints.
    pub(crate) fn checkpoints(&self) -> &[Arc<WorldCheckpoint>] {
        &self.checkpoints
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

    /// The list of checkpoints.
    pub(crate) fn marks(&self) -> Vec<TimelineMark> {
        let marks = self.ids.iter().zip(&self.checkpoints);
        marks
            .map(|(id, checkpoint)| TimelineMark {
                id: *id,
                generation: checkpoint.cells.generation().to_string(),
            })
            .collect()
    }

    /// The checkpoint of this number, while it is kept.
    pub(crate) fn numbered(&self, id: u64) -> Option<&WorldCheckpoint> {
        let index = self.ids.binary_search(&id).ok()?;
        self.checkpoints.get(index).map(Arc::as_ref)
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
        self.ids.push(self.next_id);
        self.next_id += 1;
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
        self.ids.truncate(count);
    }

    pub(crate) fn clear(&mut self) {
        self.checkpoints.clear();
        self.ids.clear();
        self.ran = Duration::ZERO;
    }

    /// Drops every other checkpoint of the older half, never the first.
    fn thin(&mut self) {
        let older = (self.checkpoints.len() / 2).max(2);
        let is_kept = |index: usize| index == 0 || index >= older || index.is_multiple_of(2);
        let mut index = 0..;
        self.checkpoints
            .retain(|_| index.next().is_some_and(is_kept));
        let mut index = 0..;
        self.ids.retain(|_| index.next().is_some_and(is_kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::World as _;

    fn checkpoint(generation: u32) -> Arc<WorldCheckpoint> {
        let mut world = engine::NaiveWorld::new("B3/S23".parse().unwrap());
        world.set_generation(generation.into());
        Arc::new(WorldCheckpoint {
            rule: world.rule().clone(),
            cells: world.snapshot(),
            selection: None,
        })
    }

    /// Numbers go with their checkpoints, however these are thinned and dropped.
    #[test]
    fn a_number_is_that_of_one_checkpoint_for_ever() {
        let mut timeline = Timeline::new(u64::MAX);
        for generation in 0..500 {
            timeline.push(checkpoint(generation));
        }
        timeline.drop_from(&490.into());
        timeline.push(checkpoint(490));
        let marks = timeline.marks();
        assert!(
            (3..=MAX_CHECKPOINTS).contains(&marks.len()),
            "{}",
            marks.len()
        );
        assert_eq!((marks[0].id, marks[0].generation.as_str()), (1, "0"));
        let last = marks.last().unwrap();
        assert_eq!((last.id, last.generation.as_str()), (501, "490"));
        for mark in &marks[..marks.len() - 1] {
            assert_eq!(mark.generation, (mark.id - 1).to_string());
            let kept = timeline.numbered(mark.id).unwrap();
            assert_eq!(kept.cells.generation().to_string(), mark.generation);
        }
        assert!(timeline.numbered(491).is_none(), "it was dropped");
    }
}
