//! Incremental maintenance of the tables: rebuilding the indices after the tables grow, and
//! garbage collection.
//!
//! It runs in pieces of about a millisecond, between which the caller may interrupt it; the
//! rest is done before the tables are used again. The world can be read meanwhile.

use super::NodeStore;
use super::collection::{GarbageCollection, RetentionPolicy};
use super::nodes::NodeReservation;
use std::collections::VecDeque;
use std::sync::Arc;

/// Lines or slots in a piece.
const PIECE: usize = 1 << 14;

/// Where too much can be reached through results, so many collections, that one included, do not
/// retain it.
const STRICT_COLLECTIONS: u64 = 4;

/// One leaf in so many more than were used is kept room for, and for so many at least.
const SPARE_LEAVES: usize = 4;
const MIN_LEAVES: usize = 256;

/// Lines of nodes from which on room for leaves is given back: in a smaller world it may be
/// needed for the next step.
const MIN_LINES_TO_MOVE: usize = 1 << 15;

/// The remaining work.
pub(in crate::hashlife) struct StoreMaintenance {
    stages: VecDeque<MaintenanceStage>,
    /// How far the first stage has come.
    position: usize,
    collection: Option<GarbageCollection>,
}

#[derive(Clone, Copy)]
enum MaintenanceStage {
    /// Marks what can be reached.
    Mark,
    /// Marks what was used recently.
    MarkRecent,
    /// Frees the rest.
    Sweep,
    /// Renames leaves that were moved.
    RenameLeaves,
    /// Clears an index.
    ClearNodeIndex,
    ClearLeafIndex,
    /// Fills an index.
    IndexNodes,
    IndexLeaves,
}

impl StoreMaintenance {
    /// Rebuilds the indices of the tables that have grown.
    pub(in crate::hashlife) fn after_growth(nodes: bool, leaves: bool) -> Self {
        let mut stages = VecDeque::new();
        if nodes {
            stages.extend([
                MaintenanceStage::ClearNodeIndex,
                MaintenanceStage::IndexNodes,
            ]);
        }
        if leaves {
            stages.extend([
                MaintenanceStage::ClearLeafIndex,
                MaintenanceStage::IndexLeaves,
            ]);
        }
        Self {
            stages,
            position: 0,
            collection: None,
        }
    }

    /// Runs a collection.
    pub(in crate::hashlife) fn for_collection(collection: GarbageCollection) -> Self {
        let all = [
            MaintenanceStage::Mark,
            MaintenanceStage::MarkRecent,
            MaintenanceStage::Sweep,
            MaintenanceStage::RenameLeaves,
            MaintenanceStage::ClearNodeIndex,
            MaintenanceStage::IndexNodes,
            MaintenanceStage::ClearLeafIndex,
            MaintenanceStage::IndexLeaves,
        ];
        Self {
            stages: all.into(),
            position: 0,
            collection: Some(collection),
        }
    }
}

impl NodeStore {
    /// Continues the remaining work by at least one piece. Whether all of it is done.
    pub(in crate::hashlife) fn run_maintenance(
        &mut self,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> bool {
        while let Some(mut maintenance) = self.maintenance.take() {
            if let Some(&stage) = maintenance.stages.front() {
                if self.run_piece(stage, &mut maintenance) {
                    maintenance.stages.pop_front();
                    maintenance.position = 0;
                }
                self.maintenance = Some(maintenance);
                if !keep_going() {
                    return false;
                }
            } else {
                self.is_crowded = maintenance.collection.is_some() && self.left_too_much();
                let collection = maintenance.collection.filter(|_| self.is_scarce());
                self.old_marks =
                    collection.and_then(|collection| collection.into_marks(&self.last_survivors));
            }
        }
        true
    }

    /// To be called after all nodes were swept.
    fn finish_sweep(&mut self, collection: &mut GarbageCollection) {
        self.nodes.reset_allocation();
        self.ages.refresh(collection.in_flight());
        let used = self.leaves.count();
        let leaves = self.leaves.sweep(|leaf| collection.is_marked(leaf));
        self.survivors = (collection.survivors, leaves);
        *self.reservation() = NodeReservation::default();
        self.collections += 1;
        self.last_survivors = Arc::new(collection.take_node_marks());
        if self.is_scarce() {
            self.scarce_collections.add_one();
            // Leaves that were made while nothing was freed may be far more than are needed since.
            let enough = (used + used / SPARE_LEAVES).max(2 * leaves).max(MIN_LEAVES);
            let is_large = self.nodes.lines() >= MIN_LINES_TO_MOVE;
            if is_large && enough < self.leaves.capacity() / 4 * 3 {
                collection.move_leaves(self, enough);
            }
        }
    }

    /// Runs a piece of a stage. Whether it was the last one.
    fn run_piece(&mut self, stage: MaintenanceStage, maintenance: &mut StoreMaintenance) -> bool {
        let from = maintenance.position;
        maintenance.position += PIECE;
        let piece = |all: usize| from.min(all)..(from + PIECE).min(all);
        let all = match (stage, &mut maintenance.collection) {
            (MaintenanceStage::Mark, Some(collection)) => {
                let is_last = collection.mark_pending(self, PIECE);
                if collection.policy == RetentionPolicy::AllIfSmall
                    && !self.is_small_share(collection.marked)
                {
                    // Nothing has been changed yet.
                    maintenance.stages.clear();
                    return false;
                }
                if collection.exceeds_limit(self) {
                    self.strict_until = self.collections + STRICT_COLLECTIONS;
                    *maintenance =
                        StoreMaintenance::for_collection(collection.restart_stricter(self));
                    return false;
                }
                return is_last;
            }
            (MaintenanceStage::MarkRecent, Some(collection)) => {
                if !collection.is_ranked() {
                    collection.rank(self);
                }
                return match collection.mark_recent(self, from, PIECE) {
                    Some(next) => {
                        maintenance.position = next;
                        false
                    }
                    None => true,
                };
            }
            (MaintenanceStage::Sweep, Some(collection)) => {
                let all = self.nodes.used_lines();
                if from == 0 {
                    self.ages.begin_aging();
                }
                collection.survivors += self.nodes.sweep(
                    piece(all),
                    |at| collection.marked_slots(at),
                    |node| collection.is_marked(node),
                    |at, known| self.ages.age_line(at, known),
                );
                if maintenance.position >= all {
                    self.finish_sweep(collection);
                }
                all
            }
            (MaintenanceStage::RenameLeaves, Some(collection)) => {
                let Some(moved) = &collection.moved else {
                    return true;
                };
                let all = self.nodes.used_lines();
                self.nodes.rename(piece(all), |id| moved.renamed(id));
                if maintenance.position >= all {
                    self.leaves.truncate(moved.capacity);
                    self.leaf_index.shrink(moved.capacity);
                }
                all
            }
            // Only collections have these stages.
            (
                MaintenanceStage::Mark
                | MaintenanceStage::MarkRecent
                | MaintenanceStage::Sweep
                | MaintenanceStage::RenameLeaves,
                None,
            ) => 0,
            (MaintenanceStage::ClearNodeIndex, _) => {
                let all = self.node_index.len();
                self.node_index.clear(piece(all));
                all
            }
            (MaintenanceStage::ClearLeafIndex, _) => {
                let all = self.leaf_index.len();
                self.leaf_index.clear(piece(all));
                all
            }
            (MaintenanceStage::IndexNodes, _) => {
                // A piece for each thread.
                let all = self.nodes.used_lines();
                maintenance.position += (self.threads - 1) * PIECE;
                self.index_nodes(from.min(all)..maintenance.position.min(all));
                all
            }
            (MaintenanceStage::IndexLeaves, collection) => {
                let all = self.leaves.used_slots();
                let is_present = |leaf| collection.as_ref().is_none_or(|c| c.is_marked(leaf));
                self.index_leaves(piece(all), is_present);
                all
            }
        };
        maintenance.position >= all
    }
}
