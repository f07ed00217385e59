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
    at: usize,
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
    ClearNodes,
    ClearLeaves,
    /// ...and puts them in.
    NameNodes,
    NameLeaves,
}

impl StoreMaintenance {
    /// After the tables of nodes, or of leaves, have grown.
    pub(super) fn grown(nodes: bool, leaves: bool) -> Self {
        let mut stages = VecDeque::new();
        if nodes {
            stages.extend([MaintenanceStage::ClearNodes, MaintenanceStage::NameNodes]);
        }
        if leaves {
            stages.extend([MaintenanceStage::ClearLeaves, MaintenanceStage::NameLeaves]);
        }
        Self {
            stages,
            at: 0,
            collection: None,
        }
    }

    /// A collection.
    pub(super) fn collecting(collection: GarbageCollection) -> Self {
        let all = [
            MaintenanceStage::Mark,
            MaintenanceStage::MarkRecent,
            MaintenanceStage::Sweep,
            MaintenanceStage::ClearNodes,
            MaintenanceStage::NameNodes,
            MaintenanceStage::ClearLeaves,
            MaintenanceStage::NameLeaves,
        ];
        Self {
            stages: all.into(),
            at: 0,
            collection: Some(collection),
        }
    }
}

impl NodeStore {
    /// Goes on with what is left to do, a piece at least. Whether all is done.
    pub(super) fn carry_on(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        while let Some(mut upkeep) = self.upkeep.take() {
            if let Some(&stage) = upkeep.stages.front() {
                if self.is_piece_last(stage, &mut upkeep) {
                    upkeep.stages.pop_front();
                    upkeep.at = 0;
                }
                self.upkeep = Some(upkeep);
                if !go_on() {
                    return false;
                }
            } else {
                self.is_crowded = upkeep.collection.is_some() && self.leaves_little();
            }
        }
        true
    }

    /// After all nodes were swept.
    fn sweep_rest(&mut self, collection: &GarbageCollection) {
        self.nodes.begin_anew();
        let leaves = self.leaves.sweep(|leaf| collection.keeps(leaf));
        self.left = (collection.left, leaves);
        *self.places() = NodeReservation::default();
        self.collections += 1;
        if self.is_scarce() {
            self.scarce_collections.add_one();
        }
    }

    /// Does a piece of a stage. Whether it was the last one.
    fn is_piece_last(&mut self, stage: MaintenanceStage, upkeep: &mut StoreMaintenance) -> bool {
        let from = upkeep.at;
        upkeep.at += PIECE;
        let piece = |all: usize| from.min(all)..(from + PIECE).min(all);
        let all = match (stage, &mut upkeep.collection) {
            (MaintenanceStage::Mark, Some(collection)) => {
                let is_last = collection.spread(self, PIECE);
                if collection.keep == RetentionPolicy::Little && !self.is_little(collection.marked)
                {
                    // Nothing was changed by then.
                    upkeep.stages.clear();
                    return false;
                }
                if is_last && collection.is_too_much(self) {
                    *upkeep = StoreMaintenance::collecting(collection.stricter(self));
                    return false;
                }
                return is_last;
            }
            (MaintenanceStage::MarkRecent, Some(collection)) => {
                return match collection.spread_recent(self, from, PIECE) {
                    Some(next) => {
                        upkeep.at = next;
                        false
                    }
                    None => true,
                };
            }
            (MaintenanceStage::Sweep, Some(collection)) => {
                let all = self.nodes.used_lines();
                let left = self.nodes.sweep(piece(all), |node| collection.keeps(node));
                collection.left += left;
                self.ages.pass(piece(all), |node| collection.keeps(node));
                if upkeep.at >= all {
                    self.sweep_rest(collection);
                }
                all
            }
            // Only a collection has these.
            (
                MaintenanceStage::Mark | MaintenanceStage::MarkRecent | MaintenanceStage::Sweep,
                None,
            ) => 0,
            (MaintenanceStage::ClearNodes, _) => {
                let all = self.node_index.lines();
                self.node_index.clear(piece(all));
                all
            }
            (MaintenanceStage::ClearLeaves, _) => {
                let all = self.leaf_index.lines();
                self.leaf_index.clear(piece(all));
                all
            }
            (MaintenanceStage::NameNodes, _) => {
                // A piece each.
                let all = self.nodes.used_lines();
                upkeep.at += (self.threads - 1) * PIECE;
                self.name_nodes(from.min(all)..upkeep.at.min(all));
                all
            }
            (MaintenanceStage::NameLeaves, collection) => {
                let all = self.leaves.places();
                let is_there = |leaf| collection.as_ref().is_none_or(|c| c.keeps(leaf));
                self.name_leaves(piece(all), is_there);
                all
            }
        };
        upkeep.at >= all
    }
}
