//! All squares of a world, each held once, and what is known of their futures.
//!
//! A reference is a square's place, and stays until the square is freed. Whoever adds
//! squares may hear that there is no place left ([`StoreCapacityError`]), and comes again when there is.

use super::ages::NodeAges;
use super::index::{BucketIndex, BucketProbe};
use super::leaf_kind::{LeafCells, LeafKind};
use super::leaves::LeafTable;
use super::maintenance::StoreMaintenance;
use super::nodes::{EMPTY, NODES_PER_LINE, NodeReservation, NodeTable, QuadrantPairs, pairs};
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
pub(super) fn hash_leaf(cells: &[u64]) -> u64 {
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
const MAX_TAGGED_STEPS: usize = 60;

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
    reservation: Mutex<NodeReservation>,
    /// The steps that have tags, and which of them is taken.
    steps: Vec<StepLength>,
    step: usize,
    /// How often squares were freed.
    pub(super) collections: u64,
    /// The same, since memory was full.
    pub(super) scarce_collections: CollectionCounter,
    /// What is left to do on the tables.
    pub(super) maintenance: Option<StoreMaintenance>,
    /// How many nodes and leaves the last collection left.
    pub(super) survivors: (usize, usize),
    /// Whether it left too many.
    pub(super) is_crowded: bool,
    /// When nodes were asked for, once the tables are as large as they may be.
    pub(super) ages: NodeAges,
    /// Whether it is to be weighed, before the tables grow on, how much has to stay.
    pub(super) collect_before_growing: bool,
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
            node_index: BucketIndex::new(NODES_PER_LINE * lines, NODES_PER_LINE * most_lines),
            leaves: LeafTable::new(leaf_kind.words(), leaves, most_leaves),
            leaf_index: BucketIndex::new(leaves, most_leaves),
            reservation: Mutex::default(),
            leaf_kind,
            steps: Vec::new(),
            step: 0,
            collections: 0,
            scarce_collections: CollectionCounter::default(),
            maintenance: None,
            survivors: (0, 0),
            is_crowded: false,
            ages: NodeAges::default(),
            collect_before_growing: false,
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
        let indices = indices.map(|index| BucketIndex::bytes_for(index.capacity()));
        self.nodes.bytes() + self.leaves.bytes() + indices[0] + indices[1] + self.ages.bytes()
    }

    /// Whether the tables have been as large as they may be.
    #[inline(always)]
    pub(super) fn is_scarce(&self) -> bool {
        self.ages.is_tracking()
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
    pub(super) fn intern_node(&self, children: [u32; 4]) -> Result<u32, StoreCapacityError> {
        let pairs = pairs(children);
        let probe = self.node_index.probe(mix(pairs));
        self.intern_node_at(pairs, probe, &mut self.reservation())
    }

    /// Places for new nodes.
    pub(super) fn reservation(&self) -> MutexGuard<'_, NodeReservation> {
        self.reservation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// [`NodeStore::seek`] where the square has most likely not been met yet: a glance shows it.
    #[inline(always)]
    pub(super) fn intern_new_node_at(
        &self,
        pairs: QuadrantPairs,
        probe: BucketProbe,
        reservation: &mut NodeReservation,
    ) -> Result<u32, StoreCapacityError> {
        if !self.node_index.definitely_lacks(probe) {
            return self.intern_node_at(pairs, probe, reservation);
        }
        let node = self.nodes.allocate(pairs, reservation)?;
        self.node_index.insert(probe, node);
        Ok(node)
    }

    /// [`NodeStore::node`], with its spot in the index; others may be at it too.
    #[inline(never)]
    pub(super) fn intern_node_at(
        &self,
        pairs: QuadrantPairs,
        probe: BucketProbe,
        reservation: &mut NodeReservation,
    ) -> Result<u32, StoreCapacityError> {
        if pairs == EMPTY {
            return Ok(0);
        }
        let matches = |node: u32| self.nodes.pairs(node) == pairs;
        let new = || self.nodes.allocate(pairs, reservation);
        self.node_index.find_or_insert(probe, matches, new)
    }

    /// The one leaf with these cells.
    pub(super) fn intern_leaf(&self, cells: &[u64]) -> Result<u32, StoreCapacityError> {
        if is_empty(cells) {
            return Ok(0);
        }
        self.intern_leaf_at(cells, self.leaf_index.probe(hash_leaf(cells)))
    }

    /// [`NodeStore::intern`], with its spot in the index, where a cell is live.
    pub(super) fn intern_leaf_at(
        &self,
        cells: &[u64],
        probe: BucketProbe,
    ) -> Result<u32, StoreCapacityError> {
        let matches = |leaf: u32| self.leaves.has_cells(leaf, cells);
        let new = || self.leaves.allocate(cells);
        self.leaf_index.find_or_insert(probe, matches, new)
    }

    /// Before a step.
    pub(super) fn begin_step(&mut self, length: &StepLength) {
        let known = self.steps.iter().position(|step| step == length);
        self.step = known.unwrap_or_else(|| {
            if self.steps.len() == MAX_TAGGED_STEPS {
                // It takes a walk of all squares, so it is done for many steps at once.
                self.nodes.clear_results(1 + PHASES..);
                self.steps.clear();
            }
            self.steps.push(length.clone());
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
