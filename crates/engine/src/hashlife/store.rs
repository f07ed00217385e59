//! The node store: all nodes and leaves of a world, hash-consed, with their memoised results.
//!
//! An id is the index of a slot in a table and stays valid until the node is freed. Interning
//! fails with [`StoreCapacityError`] when the tables are full; callers free memory or grow the
//! tables, and try again.

pub(super) mod ages;
pub(super) mod collection;
pub(super) mod index;
pub(super) mod leaves;
pub(super) mod lookup;
pub(super) mod maintenance;
pub(super) mod nodes;

use super::leaf_kind::{LeafCells, LeafKind};
use super::step_length::StepLength;
use crate::CollectionCounter;
use crate::arch::{HAS_WIDE_PRODUCTS, hash_key};
use ages::NodeAges;
use collection::SurvivorMarks;
use index::{BucketIndex, BucketProbe};
use leaves::LeafTable;
use maintenance::StoreMaintenance;
use nodes::{EMPTY, NODES_PER_LINE, NodeReservation, NodeTable, QuadrantPairs, pairs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// Marks the id of a leaf. Ids without it are of nodes; 0 is the empty node of any level.
pub(super) const LEAF: u32 = 1 << 31;

/// There is no free slot for a new node or leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the tables are full")]
pub(super) struct StoreCapacityError;

/// Mixes two words: the halves of their 128-bit product, folded; where such products are dear,
/// [`hash_key`].
#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    if !HAS_WIDE_PRODUCTS {
        return hash_key([a, b]);
    }
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd1b5_4a32_d192_ed03);
    product as u64 ^ (product >> 64) as u64
}

/// A well-mixed hash of a leaf's cells. The formulas for short leaves have independent
/// products.
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

/// Phases that a step can begin in: rules depend on the generation modulo 4 at most.
const PHASES: u8 = 4;

/// Step lengths that have tags, besides the longest step that a node can take.
const MAX_TAGGED_STEPS: usize = 60;

/// Address space reserved for a table: more than any machine here has memory.
const MOST_BYTES: u64 = 1 << 36;

/// All nodes and leaves of a world.
pub(super) struct NodeStore {
    pub(super) leaf_kind: Box<dyn LeafKind>,
    pub(super) nodes: NodeTable,
    pub(super) node_index: BucketIndex,
    pub(super) leaves: LeafTable,
    pub(super) leaf_index: BucketIndex,
    /// Free slots for new nodes; a stepper takes them, and returns the rest.
    reservation: Mutex<NodeReservation>,
    /// The step lengths that have tags, and the index of the current one.
    steps: Vec<StepLength>,
    step: usize,
    /// Number of garbage collections.
    pub(super) collections: u64,
    /// The same, counted from when memory was first full.
    pub(super) scarce_collections: CollectionCounter,
    /// Work left to do on the tables.
    pub(super) maintenance: Option<StoreMaintenance>,
    /// Nodes and leaves that the last collection left.
    pub(super) survivors: (usize, usize),
    /// A bit for each id: whether the last collection left the node.
    pub(super) last_survivors: Arc<Vec<u64>>,
    /// The marks of the last collection, unless ids have changed since.
    pub(super) old_marks: Option<SurvivorMarks>,
    /// Whether it left too many.
    pub(super) is_crowded: bool,
    /// The number of collections until which what is reachable through results is taken to be too
    /// much.
    pub(super) strict_until: u64,
    /// What nodes are worth; tracked once the tables have their full size.
    pub(super) ages: NodeAges,
    /// Whether a collection should be tried before the tables grow further.
    pub(super) collect_before_growing: bool,
    /// Bytes that an id takes outside the store, for the population of its node.
    pub(super) summary_bytes_an_id: u64,
    /// Threads that may be used.
    pub(super) threads: usize,
}

impl NodeStore {
    /// An empty store that may grow to `memory` bytes.
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
            last_survivors: Arc::default(),
            old_marks: None,
            is_crowded: false,
            strict_until: 0,
            ages: NodeAges::default(),
            collect_before_growing: false,
            summary_bytes_an_id: 0,
            threads: 1,
        }
    }

    /// Number of garbage collections. Ids from before a collection may have been reused.
    pub(super) fn collections(&self) -> u64 {
        self.collections
    }

    /// Where there was one collection more than so many: a bit for each id of a node, whether it
    /// was left. Nodes that were made since have none.
    pub(super) fn survivors_since(&self, collections: u64) -> Option<&[u64]> {
        (self.collections == collections + 1).then_some(self.last_survivors.as_slice())
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        let indices = [&self.node_index, &self.leaf_index];
        let indices = indices.map(|index| BucketIndex::bytes_for(index.capacity()));
        let marks = self.old_marks.as_ref().map_or(0, SurvivorMarks::bytes);
        let marks = marks + 8 * self.last_survivors.len() as u64;
        let tables = self.nodes.bytes() + self.leaves.bytes() + indices[0] + indices[1];
        tables + self.ages.bytes() + marks
    }

    /// Whether the tables have reached their full size.
    #[inline(always)]
    pub(super) fn is_scarce(&self) -> bool {
        self.ages.is_tracking()
    }

    /// Marks nodes as used now, where usage is tracked.
    #[inline(always)]
    pub(super) fn touch(&self, nodes: &[u32]) {
        if self.is_scarce() {
            self.ages.touch(nodes);
        }
    }

    /// Memoises results of nodes of a level.
    #[inline(always)]
    pub(super) fn memoise(&self, nodes: &[u32], level: u32, tag: u8, results: &[u32]) {
        for (&node, &result) in nodes.iter().zip(results) {
            self.nodes.memoise(node, tag, result);
        }
        if self.is_scarce() {
            self.ages.note_results(nodes, self.height(level));
        }
    }

    /// How many levels a level is above that of four leaves.
    #[inline(always)]
    pub(super) fn height(&self, level: u32) -> u32 {
        level.saturating_sub(self.leaf_kind.level() + 1)
    }

    /// The children of a node; all empty for the empty node.
    #[inline(always)]
    pub(super) fn children(&self, node: u32) -> [u32; 4] {
        self.nodes.children(node)
    }

    /// The cells of a leaf.
    pub(super) fn leaf(&self, leaf: u32) -> LeafCells {
        self.leaves.get(leaf)
    }

    /// Interns the node with these children.
    pub(super) fn intern_node(&self, children: [u32; 4]) -> Result<u32, StoreCapacityError> {
        let pairs = pairs(children);
        let probe = self.node_index.probe(hash_key(pairs));
        self.intern_node_at(pairs, probe, &mut self.reservation())
    }

    /// Free slots for new nodes.
    pub(super) fn reservation(&self) -> MutexGuard<'_, NodeReservation> {
        self.reservation
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// [`NodeStore::intern_node_at`] for a node that is most likely new, which its bucket
    /// shows.
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

    /// [`NodeStore::intern_node`] with its probe. Other threads may intern at the same time.
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

    /// Interns the leaf with these cells.
    pub(super) fn intern_leaf(&self, cells: &[u64]) -> Result<u32, StoreCapacityError> {
        if is_empty(cells) {
            return Ok(0);
        }
        self.intern_leaf_at(cells, self.leaf_index.probe(hash_leaf(cells)))
    }

    /// [`NodeStore::intern_leaf`] with its probe, for a leaf that is not empty.
    pub(super) fn intern_leaf_at(
        &self,
        cells: &[u64],
        probe: BucketProbe,
    ) -> Result<u32, StoreCapacityError> {
        let matches = |leaf: u32| self.leaves.has_cells(leaf, cells);
        let new = || self.leaves.allocate(cells);
        self.leaf_index.find_or_insert(probe, matches, new)
    }

    /// Chooses the tag for a step of this length. To be called before the step.
    pub(super) fn begin_step(&mut self, length: &StepLength) {
        let known = self.steps.iter().position(|step| step == length);
        self.step = known.unwrap_or_else(|| {
            if self.steps.len() == MAX_TAGGED_STEPS {
                // Walks the whole table, so it is done once for many step lengths.
                self.nodes.clear_results(1 + PHASES..);
                self.steps.clear();
            }
            self.steps.push(length.clone());
            self.steps.len() - 1
        });
    }

    /// The tag of results that begin in this phase: of the longest step that the node can take
    /// (`is_whole`), or of the remainder of the current step.
    #[inline(always)]
    pub(super) fn tag(&self, is_whole: bool, phase: u64) -> u8 {
        let step = if is_whole { 0 } else { self.step as u8 + 1 };
        1 + PHASES * step + phase as u8
    }
}
