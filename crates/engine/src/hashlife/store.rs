//! All squares of a world, each held once, and what is known of their futures.
//!
//! A reference is a square's place, and stays until the square is freed. Whoever adds
//! squares may hear that there is no place left ([`StoreCapacityError`]), and comes again when there is.

use super::ages::NodeAges;
use super::index::{BucketIndex, BucketProbe};
use super::leaf_kind::{LeafCells, LeafKind};
use super::leaves::LeafTable;
use super::maintenance::StoreMaintenance;
use super::nodes::{EMPTY, NodeReservation, NodeTable, QuadrantPairs, ROOM, pairs};
use super::step_length::StepLength;
use crate::CollectionCounter;
use crate::arch::mix;
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Marks a reference to a leaf. Without it, a reference is to a node; 0 is the empty
/// square of any size.
pub(super) const LEAF: u32 = 1 << 31;

/// There is no place for a square that is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the tables are full")]
pub(super) struct StoreCapacityError;

/// Two words mixed into one: the two halves of their product, folded.
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

/// A well-mixed hash of a leaf's cells. Short leaves have formulas in which no product waits for
/// another.
#[inline(always)]
pub(super) fn hash_of(cells: &[u64]) -> u64 {
    match *cells {
        [a, b] => fold(a, b),
        [a, b, c, d] => fold(a ^ c.rotate_left(23), b) ^ fold(c, d),
        _ => cells.iter().fold(0, |hash, &word| fold(hash ^ word, !word)),
    }
}

/// Whether a leaf has no live cell.
#[inline(always)]
pub(super) fn is_empty(cells: &[u64]) -> bool {
    cells.iter().fold(0, |all, word| all | word) == 0
}

/// How many phases a step can begin in: rules go by the generation's rest by four at most.
const PHASES: u8 = 4;

/// Steps that are told apart by their tags, besides those that are the longest a square
/// can take.
const STEPS: usize = 60;

/// Addresses that are set aside for a table: more than any machine here has memory.
const MOST_BYTES: u64 = 1 << 36;

/// All squares of a world.
pub(super) struct NodeStore {
    pub(super) leaf_kind: Box<dyn LeafKind>,
    pub(super) nodes: NodeTable,
    pub(super) node_index: BucketIndex,
    pub(super) leaves: LeafTable,
    pub(super) leaf_index: BucketIndex,
    /// For new nodes; whoever makes many takes them, and brings back what is left.
    places: Mutex<NodeReservation>,
    /// The steps that have tags, and which of them is taken.
    steps: Vec<StepLength>,
    step: usize,
    /// How often squares were freed.
    pub(super) collections: u64,
    /// The same, since memory was full.
    pub(super) scarce_collections: CollectionCounter,
    /// What is left to do on the tables.
    pub(super) upkeep: Option<StoreMaintenance>,
    /// How many nodes and leaves the last collection left.
    pub(super) left: (usize, usize),
    /// Whether it left too many.
    pub(super) is_crowded: bool,
    /// When nodes were asked for, once the tables are as large as they may be.
    pub(super) ages: NodeAges,
    /// Whether it is to be weighed, before the tables grow on, how much has to stay.
    pub(super) is_to_weigh: bool,
    /// How many threads may be used.
    pub(super) threads: usize,
}

impl NodeStore {
    /// An empty store that may take so many bytes some time.
    pub(super) fn new(leaf_kind: Box<dyn LeafKind>, memory: u64) -> Self {
        let part = (memory / 8).clamp(1 << 8, 1 << 16);
        let most = memory.min(MOST_BYTES);
        let leaf = LeafTable::bytes_of(leaf_kind.words());
        let (lines, leaves) = ((part / 64) as usize, (part / leaf).max(4) as usize);
        let (most_lines, most_leaves) = ((most / 64) as usize, (most / leaf) as usize);
        Self {
            nodes: NodeTable::new(lines, most_lines),
            node_index: BucketIndex::new(ROOM * lines, ROOM * most_lines),
            leaves: LeafTable::new(leaf_kind.words(), leaves, most_leaves),
            leaf_index: BucketIndex::new(leaves, most_leaves),
            places: Mutex::default(),
            leaf_kind,
            steps: Vec::new(),
            step: 0,
            collections: 0,
            scarce_collections: CollectionCounter::default(),
            upkeep: None,
            left: (0, 0),
            is_crowded: false,
            ages: NodeAges::default(),
            is_to_weigh: false,
            threads: 1,
        }
    }

    /// How often squares were freed: a reference found before is another square's after.
    pub(super) fn collections(&self) -> u64 {
        self.collections
    }

    /// Bytes that are used.
    pub(super) fn bytes(&self) -> u64 {
        let indices = [&self.node_index, &self.leaf_index];
        let indices = indices.map(|index| BucketIndex::bytes_for(index.most()));
        self.nodes.bytes() + self.leaves.bytes() + indices[0] + indices[1] + self.ages.bytes()
    }

    /// Whether the tables have been as large as they may be.
    #[inline(always)]
    pub(super) fn is_scarce(&self) -> bool {
        self.ages.are_known()
    }

    /// These nodes are in use, where it matters.
    #[inline(always)]
    pub(super) fn touch(&self, nodes: &[u32]) {
        if self.is_scarce() {
            let (filled, lines) = (self.nodes.filled_lines(), self.nodes.lines());
            self.ages.touch(nodes, filled, lines);
        }
    }

    /// The quadrants of a node; all empty for the empty one.
    #[inline(always)]
    pub(super) fn children(&self, node: u32) -> [u32; 4] {
        self.nodes.children(node)
    }

    /// The cells of a leaf.
    pub(super) fn leaf(&self, leaf: u32) -> LeafCells {
        self.leaves.get(leaf)
    }

    /// The one node with these quadrants.
    pub(super) fn node(&self, children: [u32; 4]) -> Result<u32, StoreCapacityError> {
        let pairs = pairs(children);
        let spot = self.node_index.spot(mix(pairs));
        self.seek(pairs, spot, &mut self.places())
    }

    /// Places for new nodes.
    pub(super) fn places(&self) -> MutexGuard<'_, NodeReservation> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// [`NodeStore::seek`] where the square has most likely not been met yet: a glance shows it.
    #[inline(always)]
    pub(super) fn seek_new(
        &self,
        pairs: QuadrantPairs,
        spot: BucketProbe,
        places: &mut NodeReservation,
    ) -> Result<u32, StoreCapacityError> {
        if !self.node_index.is_sure_to_lack(spot) {
            return self.seek(pairs, spot, places);
        }
        let node = self.nodes.make(pairs, places)?;
        self.node_index.put(spot, node);
        Ok(node)
    }

    /// [`NodeStore::node`], with its spot in the index; others may be at it too.
    #[inline(never)]
    pub(super) fn seek(
        &self,
        pairs: QuadrantPairs,
        spot: BucketProbe,
        places: &mut NodeReservation,
    ) -> Result<u32, StoreCapacityError> {
        if pairs == EMPTY {
            return Ok(0);
        }
        let is_right = |square: u32| self.nodes.pairs(square) == pairs;
        let new = || self.nodes.make(pairs, places);
        self.node_index.seek(spot, is_right, new)
    }

    /// The one leaf with these cells.
    pub(super) fn intern(&self, cells: &[u64]) -> Result<u32, StoreCapacityError> {
        if is_empty(cells) {
            return Ok(0);
        }
        self.seek_leaf(cells, self.leaf_index.spot(hash_of(cells)))
    }

    /// [`NodeStore::intern`], with its spot in the index, where a cell is live.
    pub(super) fn seek_leaf(
        &self,
        cells: &[u64],
        spot: BucketProbe,
    ) -> Result<u32, StoreCapacityError> {
        let is_right = |leaf: u32| self.leaves.is(leaf, cells);
        let new = || self.leaves.make(cells);
        self.leaf_index.seek(spot, is_right, new)
    }

    /// Before a step.
    pub(super) fn begin(&mut self, span: &StepLength) {
        let known = self.steps.iter().position(|step| step == span);
        self.step = known.unwrap_or_else(|| {
            if self.steps.len() == STEPS {
                // It takes a walk of all squares, so it is done for many steps at once.
                self.nodes.forget(1 + PHASES..);
                self.steps.clear();
            }
            self.steps.push(span.clone());
            self.steps.len() - 1
        });
    }

    /// The tag of results that were begun in a phase: of as many generations as the square
    /// can move on by, or of the rest of the step that was begun.
    #[inline(always)]
    pub(super) fn tag(&self, is_whole: bool, phase: u64) -> u8 {
        let step = if is_whole { 0 } else { self.step as u8 + 1 };
        1 + PHASES * step + phase as u8
    }
}
