//! Work on the tables themselves: naming all squares anew where the tables grow, and freeing
//! what nobody holds.
//!
//! It goes in pieces of a millisecond or so, between which whoever waits may ask for a stop;
//! what is left is done before the tables are used again. The world can be looked at
//! meanwhile.

use super::collection::{GarbageCollection, RetentionPolicy};
use super::nodes::NodeReservation;
use super::store::NodeStore;
use std::collections::VecDeque;

/// Lines, or squares, in a piece.
const PIECE: usize = 1 << 14;

/// What is left to do.
pub(super) struct StoreMaintenance {
    stages: VecDeque<MaintenanceStage>,
    /// How far the first stage is.
    position: usize,
    collection: Option<GarbageCollection>,
}

#[derive(Clone, Copy)]
enum MaintenanceStage {
    /// Marks what can be reached...
    Mark,
    /// ...and what was used of late.
    MarkRecent,
    /// Frees the rest.
    Sweep,
    /// Takes the names out of an index...
    ClearNodeIndex,
    ClearLeafIndex,
    /// ...and puts them in.
    IndexNodes,
    IndexLeaves,
}

impl StoreMaintenance {
    /// After the tables of nodes, or of leaves, have grown.
    pub(super) fn after_growth(nodes: bool, leaves: bool) -> Self {
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

    /// A collection.
    pub(super) fn for_collection(collection: GarbageCollection) -> Self {
        let all = [
            MaintenanceStage::Mark,
            MaintenanceStage::MarkRecent,
            MaintenanceStage::Sweep,
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
    /// Goes on with what is left to do, a piece at least. Whether all is done.
    pub(super) fn run_maintenance(&mut self, keep_going: &mut dyn FnMut() -> bool) -> bool {
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
            }
        }
        true
    }

    /// After all nodes were swept.
    fn finish_sweep(&mut self, collection: &GarbageCollection) {
        self.nodes.reset_allocation();
        let leaves = self.leaves.sweep(|leaf| collection.is_marked(leaf));
        self.survivors = (collection.survivors, leaves);
        *self.reservation() = NodeReservation::default();
        self.collections += 1;
        if self.is_scarce() {
            self.scarce_collections.add_one();
        }
    }

    /// Does a piece of a stage. Whether it was the last one.
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
                    // Nothing was changed by then.
                    maintenance.stages.clear();
                    return false;
                }
                if is_last && collection.exceeds_limit(self) {
                    *maintenance =
                        StoreMaintenance::for_collection(collection.restart_stricter(self));
                    return false;
                }
                return is_last;
            }
            (MaintenanceStage::MarkRecent, Some(collection)) => {
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
                let left = self
                    .nodes
                    .sweep(piece(all), |node| collection.is_marked(node));
                collection.survivors += left;
                self.ages
                    .age_lines(piece(all), |node| collection.is_marked(node));
                if maintenance.position >= all {
                    self.finish_sweep(collection);
                }
                all
            }
            // Only a collection has these.
            (
                MaintenanceStage::Mark | MaintenanceStage::MarkRecent | MaintenanceStage::Sweep,
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
                // A piece each.
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
