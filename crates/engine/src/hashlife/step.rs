//! Gosper's recursion (the centre of a node, some generations later, from its nine overlapping
//! sub-nodes), for many nodes at once.
//!
//! A depth-first recursion waits for memory at every look-up, which is nearly all of its time.
//! So this one works in batches: it prefetches all look-ups of a batch before it reads the
//! first. Results that a batch lacks are computed in batches of the level below.
//! Prefetching by groups is from S. Chen, A. Ailamaki, P. B. Gibbons and T. C. Mowry, "Improving
//! hash join performance through prefetching" (2004).
//!
//! A look-up is hashed, searched by fingerprint and compared in vectors (`arch/gather.rs`), and
//! empty nodes, more than a quarter of what is looked up, take no look-up: an eighth to a third
//! less time. Buckets are prefetched into the second cache, of which more can be under way than
//! of the first.
//!
//! Rejected: nodes that lie where their hash says save one bucket a look-up, but move whenever the
//! table grows, which was half of a run.

mod batch;
pub(super) mod workers;

use super::step_length::StepLength;
use super::store::ages::{HEIGHTS, ResultCounts};
use super::store::index::BucketProbe;
use super::store::lookup::prefix_mut;
use super::store::nodes::{NodeReservation, QuadrantPairs, ResultSlotState, pair, quadrants};
use super::store::{NodeStore, StoreCapacityError, hash_leaf, is_empty};
use crate::arch::{READS_AHEAD, touch_children};
use batch::NodeBatch;
use std::hint::spin_loop;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;
use workers::StepWorker;

/// Why a step did not complete. Nothing is lost: the world has not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepInterruption {
    /// The caller cancelled it.
    Cancelled,
    /// It does not fit in the memory budget.
    OutOfMemory,
    /// The tables are full.
    TablesFull,
}

impl From<StoreCapacityError> for StepInterruption {
    fn from(_: StoreCapacityError) -> Self {
        Self::TablesFull
    }
}

/// Nodes in a batch: enough to hide memory latency, few enough to stay in the caches until they
/// are used again.
const BATCH: usize = 256;

/// Nodes in a batch when the tables cannot grow: the smaller the batch, the more depth-first
/// the recursion and the longer it reuses its latest results.
const SCARCE_BATCH: usize = 128;

/// Nodes in a batch when nodes of one level need two different results: the first of all of
/// them, then the second, since only one is memoised.
const WIDE_BATCH: usize = 1 << 14;

/// Results computed between two calls of `keep_going`: a few milliseconds' worth.
const POLL_INTERVAL: usize = 1 << 14;

/// How many nodes ahead children are prefetched.
const PREFETCH_DISTANCE: usize = 16;

/// Nodes whose children are read together where there is no prefetch.
const TOUCHED: usize = 64;

/// Spins for which a worker waits for another's result before it helps: some ten microseconds.
const MAX_SPINS: usize = 1 << 9;

/// With several workers: at the top levels chunks may have any size; below, a chunk has at
/// least `MIN_CHUNK` nodes. Smaller chunks do not hide memory latency. With larger ones, a
/// worker that comes second finds everything claimed and repeats a tenth of it.
const TOP_LEVELS: u32 = 3;
const MIN_CHUNK: usize = 64;

/// A request for the results of some nodes.
#[derive(Clone, Copy)]
pub(super) struct MacroStep<'a> {
    /// The nodes whose centres are wanted.
    pub(super) nodes: &'a [u32],
    /// Their level: they are 2^level cells wide.
    pub(super) level: u32,
    /// Generations to advance, at most what nodes of this level can.
    pub(super) length: &'a StepLength,
    /// The starting generation modulo the rule's time period.
    pub(super) phase: u64,
}

/// The outcome of a step.
pub(super) struct MacroStepOutcome {
    pub(super) results: Result<Vec<u32>, StepInterruption>,
    /// Nodes in flight when it stopped; if they are kept, little has to be computed again.
    pub(super) in_flight: Vec<u32>,
    /// Results that were computed.
    pub(super) computed: ResultCounts,
}

/// A step in progress.
pub(super) struct Stepper<'a, 'c> {
    store: &'a NodeStore,
    /// See [`MacroStepOutcome`].
    in_flight: Vec<u32>,
    computed: ResultCounts,
    /// Polled now and then.
    keep_going: &'c mut (dyn FnMut() -> bool + 'c),
    since_poll: usize,
    batch: usize,
    pool: Vec<NodeBatch>,
    reservation: NodeReservation,
    /// Starts the other workers once the step proves long enough.
    pub(super) spawn_workers: Option<&'c mut (dyn FnMut() -> StepWorker<'a> + 'c)>,
    /// This worker, if there are several.
    pub(super) worker: Option<StepWorker<'a>>,
    /// The request.
    request: MacroStep<'a>,
}

/// A batch whose missing results are being computed. The recursion keeps these in a vector and not
/// on the thread's stack, which ten thousand levels overflow.
struct BatchFrame {
    batch: NodeBatch,
    /// What is wanted of the parts.
    query: BatchQuery,
    /// The nodes that the parts are of, among those that the batch a level above has claimed.
    nodes: Range<usize>,
    /// Whether the parts are those of the second half of the step.
    is_second_half: bool,
    pass: MissingPass,
}

/// How far a pass over a batch's missing results has come.
#[derive(Default)]
struct MissingPass {
    /// Whether other workers compute results too.
    is_shared: bool,
    /// The next of the claimed nodes; with several workers, of the missing positions.
    next: usize,
    /// Nodes in a chunk, positions that stay missing and nodes claimed, with several workers.
    chunk: usize,
    left: usize,
    own_count: usize,
    /// Whether to compute what others have claimed.
    helps_others: bool,
}

/// Leaves of a width known at compile time.
#[inline(always)]
fn chunks<const W: usize>(leaves: &[u64]) -> impl Iterator<Item = &[u64]> + Clone {
    leaves.as_chunks::<W>().0.iter().map(<[u64; W]>::as_slice)
}

/// Which results of a batch's nodes are wanted.
#[derive(Clone, Copy)]
struct BatchQuery {
    level: u32,
    /// The longest step that the level allows, or the remainder of the step.
    is_whole: bool,
    /// The starting generation modulo the rule's time period.
    phase: u64,
}

impl NodeStore {
    fn tag_for(&self, query: BatchQuery) -> u8 {
        self.tag(query.is_whole, query.phase)
    }
}

impl<'a, 'c> Stepper<'a, 'c> {
    /// [`NodeStore::begin_step`] has to be called first.
    pub(super) fn new(
        store: &'a NodeStore,
        request: MacroStep<'a>,
        keep_going: &'a mut (dyn FnMut() -> bool + 'c),
    ) -> Self {
        // The batches of all levels together should be a small part of the tables.
        let room = store.nodes.lines() / (6 * 32);
        let most = if store.is_scarce() {
            SCARCE_BATCH
        } else {
            BATCH
        };
        Self {
            store,
            in_flight: Vec::new(),
            computed: ResultCounts::default(),
            keep_going,
            since_poll: 0,
            batch: room.clamp(1, most),
            pool: Vec::new(),
            reservation: std::mem::take(&mut *store.reservation()),
            spawn_workers: None,
            worker: None,
            request,
        }
    }

    /// Runs the step.
    pub(super) fn run(mut self) -> MacroStepOutcome {
        let results = self.compute_request();
        *self.store.reservation() = self.reservation;
        MacroStepOutcome {
            results,
            in_flight: self.in_flight,
            computed: self.computed,
        }
    }

    fn compute_request(&mut self) -> Result<Vec<u32>, StepInterruption> {
        let MacroStep {
            nodes,
            level,
            length,
            phase,
        } = self.request;
        let mut batch = self.pool.pop().unwrap_or_default();
        let query = BatchQuery {
            level,
            is_whole: length.is_whole(self.step_exponent(level)),
            phase,
        };
        batch.count = nodes.len();
        prefix_mut(&mut batch.parts, nodes.len()).copy_from_slice(nodes);
        self.peek(&mut batch, query);
        let mut frames = vec![BatchFrame {
            batch,
            query,
            nodes: 0..0,
            is_second_half: false,
            pass: MissingPass::default(),
        }];
        self.claim_missing(&mut frames[0]);
        let outcome = self.compute_missing(&mut frames);
        let batch = &frames[0].batch;
        let results = batch.results[..batch.count].to_vec();
        while let Some(frame) = frames.pop() {
            self.recycle(frame.batch, outcome.is_err());
        }
        outcome.map(|()| results)
    }

    /// Computes the missing results of the first frame. The frames above it are for results that
    /// the one below lacks; if it fails, they are left.
    fn compute_missing(&mut self, frames: &mut Vec<BatchFrame>) -> Result<(), StepInterruption> {
        while let Some((frame, below)) = frames.split_last_mut() {
            if let Some(nodes) = self.next_chunk(frame) {
                self.compute_results(frames, nodes)?;
                continue;
            }
            let Some(above) = below.last() else {
                break;
            };
            let nodes = &above.batch.claimed[frame.nodes.clone()];
            if self.combine(frame, nodes, above.query)?
                && let Some(done) = frames.pop()
            {
                self.recycle(done.batch, false);
            }
        }
        Ok(())
    }

    /// Nodes of a level can advance by 2 to this power generations.
    #[inline(always)]
    fn step_exponent(&self, level: u32) -> u32 {
        level - 2 - self.store.leaf_kind.speed_exponent()
    }

    fn recycle(&mut self, mut batch: NodeBatch, is_stopped: bool) {
        if is_stopped {
            for &node in batch.claimed.iter() {
                self.store.nodes.release_claim(node);
            }
            // The results of these are kept with them.
            self.in_flight.extend(&batch.nine_parts[..batch.nine_count]);
            self.in_flight.extend(&batch.parts[..batch.count]);
            self.in_flight.extend(batch.claimed.iter());
        }
        (batch.count, batch.nine_count) = (0, 0);
        batch.claimed.truncate(0);
        self.pool.push(batch);
    }

    /// Reads the memoised results of a batch's parts, and notes which are missing.
    fn peek(&self, batch: &mut NodeBatch, query: BatchQuery) {
        let tag = self.store.tag_for(query);
        let results = prefix_mut(&mut batch.results, batch.count);
        let missing = batch.missing.resize(batch.count);
        let mut found = 0;
        for (i, (&part, slot)) in batch.parts.iter().zip(results).enumerate() {
            let (result, is_known) = self.store.nodes.peek(part, tag);
            *slot = result;
            missing[found] = i as u32;
            found += usize::from(!is_known);
        }
        batch.missing.truncate(found);
    }

    /// Interns the nodes in `lookups` as parts and reads their memoised results; `all` becomes
    /// the number of parts. The first `missing_before` missing positions are already noted.
    #[inline(never)]
    fn look_up_parts(
        &mut self,
        batch: &mut NodeBatch,
        all: usize,
        missing_before: usize,
        query: BatchQuery,
    ) -> Result<(), StoreCapacityError> {
        let tag = self.store.tag_for(query);
        let parts = &mut batch.parts[..all];
        let results = &mut batch.results[..all];
        let missing = &mut batch.missing[..all];
        let mut missing_count = missing_before;
        let (store, reservation) = (self.store, &mut self.reservation);
        batch
            .lookups
            .intern_all(store, reservation, |nodes, part, at| {
                let (result, is_known) = nodes.peek_nonempty(part, tag);
                parts[at] = part;
                results[at] = result;
                missing[missing_count] = at as u32;
                missing_count += usize::from(!is_known);
            })?;
        batch.missing.truncate(missing_count);
        if self.store.is_scarce() {
            store.touch(&batch.parts[..all]);
            // In order of position, neighbours are computed together, before half of them have
            // been evicted: without it, caterpillar took four times as long.
            batch.sort_missing();
        }
        batch.count = all;
        Ok(())
    }

    /// Claims the missing results of a new frame.
    fn claim_missing(&self, frame: &mut BatchFrame) {
        frame.pass = MissingPass::default();
        if let Some(worker) = self.worker {
            return self.share_missing(frame, worker);
        }
        let nodes = self.store.nodes.view();
        let batch = &mut frame.batch;
        // All of them are known to be missing.
        let mut missing_count = 0;
        let list = batch.claimed.resize(batch.missing.len());
        for &position in batch.missing.iter() {
            let part = batch.parts[position as usize];
            list[missing_count] = part;
            missing_count += usize::from(nodes.claim(part));
        }
        batch.claimed.truncate(missing_count);
    }

    /// The claimed nodes whose results are to be computed next; nothing when no result is missing.
    fn next_chunk(&self, frame: &mut BatchFrame) -> Option<Range<usize>> {
        if let Some(worker) = self.worker {
            if !frame.pass.is_shared {
                for &node in &frame.batch.claimed[frame.pass.next..] {
                    self.store.nodes.release_claim(node);
                }
                self.share_missing(frame, worker);
            }
            return self.next_shared_chunk(frame, worker);
        }
        let BatchFrame { batch, pass, .. } = frame;
        while !batch.missing.is_empty() {
            let start = pass.next;
            if start < batch.claimed.len() {
                let is_narrow = frame.query.is_whole || self.request.length.is_power_of_two();
                let size = if is_narrow { self.batch } else { WIDE_BATCH };
                pass.next = (start + size).min(batch.claimed.len());
                return Some(start..pass.next);
            }
            // By now the parts have left the caches.
            let nodes = self.store.nodes.view();
            let tag = self.store.tag_for(frame.query);
            let parts = &batch.parts[..batch.count];
            let results = &mut batch.results[..batch.count];
            let ahead = |position: &u32| nodes.prefetch(parts[*position as usize]);
            batch.missing.iter().take(PREFETCH_DISTANCE).for_each(ahead);
            batch.claimed.truncate(0);
            let mut left = 0;
            for i in 0..batch.missing.len() {
                batch.missing.get(i + PREFETCH_DISTANCE).map(ahead);
                let position = batch.missing[i];
                let part = parts[position as usize];
                let (result, is_known) = nodes.peek_nonempty(part, tag);
                if is_known {
                    results[position as usize] = result;
                    continue;
                }
                // A result for another phase has replaced it.
                if nodes.claim(part) {
                    batch.claimed.push(part);
                }
                batch.missing[left] = position;
                left += 1;
            }
            batch.missing.truncate(left);
            pass.next = 0;
        }
        None
    }

    /// Starts to compute missing results beside other workers.
    fn share_missing(&self, frame: &mut BatchFrame, worker: StepWorker<'_>) {
        let missing = &mut frame.batch.missing;
        let all = missing.len();
        // A chunk for each worker, so that they work on different nodes.
        let least = if frame.query.level + TOP_LEVELS > self.request.level {
            1
        } else {
            MIN_CHUNK
        };
        let chunk = all.div_ceil(worker.workers);
        missing.rotate_left(all * worker.index / worker.workers);
        frame.pass = MissingPass {
            is_shared: true,
            chunk: chunk.clamp(least.min(self.batch), self.batch),
            ..MissingPass::default()
        };
    }

    /// [`Stepper::next_chunk`] with several workers.
    fn next_shared_chunk(
        &self,
        frame: &mut BatchFrame,
        worker: StepWorker<'_>,
    ) -> Option<Range<usize>> {
        let table = &self.store.nodes;
        let tag = self.store.tag_for(frame.query);
        let BatchFrame { batch, pass, .. } = frame;
        batch.claimed.truncate(0);
        loop {
            while pass.next < batch.missing.len() {
                let position = batch.missing[pass.next];
                let part = batch.parts[position as usize];
                pass.next += 1;
                match table.claim(part, tag) {
                    ResultSlotState::Done(result) => {
                        batch.results[position as usize] = result;
                        continue;
                    }
                    ResultSlotState::Empty => batch.claimed.push(part),
                    ResultSlotState::Pending
                        if pass.helps_others && !batch.claimed.contains(&part) =>
                    {
                        batch.claimed.push(part);
                    }
                    ResultSlotState::Pending => {}
                }
                batch.missing[pass.left] = position;
                pass.left += 1;
                if batch.claimed.len() == pass.chunk {
                    break;
                }
            }
            if !batch.claimed.is_empty() {
                pass.own_count += batch.claimed.len();
                return Some(0..batch.claimed.len());
            }
            batch.missing.truncate(pass.left);
            pass.helps_others = pass.own_count == 0;
            (pass.next, pass.left, pass.own_count) = (0, 0, 0);
            let &position = batch.missing.last()?;
            if pass.helps_others {
                // It is most likely nearly done.
                let part = batch.parts[position as usize];
                let is_known = || table.peek(part, tag).1 || worker.stop.load(Relaxed);
                for _ in 0..MAX_SPINS {
                    if is_known() {
                        break;
                    }
                    spin_loop();
                }
            }
        }
    }

    /// Computes the results of some nodes that the last frame has claimed and memoises them, or adds
    /// a frame that does.
    fn compute_results(
        &mut self,
        frames: &mut Vec<BatchFrame>,
        nodes: Range<usize>,
    ) -> Result<(), StepInterruption> {
        self.poll(nodes.len())?;
        let batch = self.pool.pop().unwrap_or_default();
        let Some(frame) = frames.last() else {
            return Ok(());
        };
        if frame.query.level == self.store.leaf_kind.level() + 1 {
            let mut batch = batch;
            let outcome = self.step_leaves(&mut batch, &frame.batch.claimed[nodes], frame.query);
            self.recycle(batch, outcome.is_err());
            return outcome;
        }
        frames.push(BatchFrame {
            batch,
            query: self.halves(frame.query).0,
            nodes: nodes.clone(),
            is_second_half: false,
            pass: MissingPass::default(),
        });
        if let [.., above, frame] = &mut frames[..] {
            let nodes = &above.batch.claimed[nodes];
            self.look_up_nine_parts(&mut frame.batch, nodes, frame.query)?;
            self.claim_missing(frame);
        }
        Ok(())
    }

    /// What is wanted of the sub-nodes in the first half of a step, and in the second if it has
    /// two.
    fn halves(&self, query: BatchQuery) -> (BatchQuery, Option<BatchQuery>) {
        let BatchQuery {
            level,
            is_whole,
            phase,
        } = query;
        let length = self.request.length;
        let exponent = self.step_exponent(level);
        // A step longer than the sub-nodes allow is made of two; for a shorter one, the second
        // half takes the centres without advancing.
        let two_parts = is_whole || length.exceeds_half(exponent);
        let below = |is_whole: bool, phase: u64| BatchQuery {
            level: level - 1,
            is_whole: is_whole || length.is_whole(exponent - 1),
            phase,
        };
        let whole_first = two_parts && !length.remainder_first();
        let first = below(is_whole || whole_first, phase);
        if !two_parts {
            return (first, None);
        }
        // Rules depend on the generation modulo 4 at most.
        let gone = if first.is_whole {
            1 << (exponent - 1).min(2)
        } else {
            length.remainder((exponent - 1).min(2))
        };
        let later = (phase + u64::from(gone)) % self.store.leaf_kind.time_period();
        (first, Some(below(is_whole || !whole_first, later)))
    }

    /// Steps nodes of four leaves.
    fn step_leaves(
        &mut self,
        batch: &mut NodeBatch,
        nodes: &[u32],
        query: BatchQuery,
    ) -> Result<(), StepInterruption> {
        let NodeStore {
            leaf_kind,
            nodes: table,
            leaves,
            ..
        } = self.store;
        for &node in nodes {
            for leaf in table.children(node) {
                leaves.prefetch_leaf(leaf);
            }
        }
        let count = nodes.len();
        let fours = nodes.iter().map(|&node| table.children(node));
        let fours = leaves.gather(count, fours, &mut batch.fours);
        let exponent = self.step_exponent(query.level);
        let generations = if query.is_whole {
            1 << exponent
        } else {
            self.request.length.remainder(exponent)
        };
        let leaf_results = prefix_mut(&mut batch.leaves, count * leaves.leaf_words());
        leaf_kind.advance(fours, query.phase, generations, leaf_results);
        let tag = self.store.tag_for(query);
        self.intern_leaves(batch, count)?;
        self.store.memoise(nodes, query.level, tag, &batch.found);
        self.computed[0] += nodes.len();
        Ok(())
    }

    /// Interns `count` leaves.
    fn intern_leaves(
        &mut self,
        batch: &mut NodeBatch,
        count: usize,
    ) -> Result<(), StoreCapacityError> {
        let leaf_words = self.store.leaves.leaf_words();
        let leaves = &batch.leaves[..count * leaf_words];
        let (probes, found) = (&mut batch.probes, prefix_mut(&mut batch.found, count));
        // Loops over leaves of a constant width take half as long.
        match leaf_words {
            2 => self.intern_each(chunks::<2>(leaves), probes, found),
            3 => self.intern_each(chunks::<3>(leaves), probes, found),
            4 => self.intern_each(chunks::<4>(leaves), probes, found),
            5 => self.intern_each(chunks::<5>(leaves), probes, found),
            _ => self.intern_each(leaves.chunks_exact(leaf_words), probes, found),
        }
    }

    #[inline(always)]
    fn intern_each<'l>(
        &self,
        cells: impl Iterator<Item = &'l [u64]> + Clone,
        probes: &mut Vec<BucketProbe>,
        found: &mut [u32],
    ) -> Result<(), StoreCapacityError> {
        let NodeStore {
            leaves, leaf_index, ..
        } = self.store;
        probes.clear();
        for leaf in cells.clone() {
            let probe = leaf_index.probe(hash_leaf(leaf));
            leaf_index.prefetch_bucket(probe);
            probes.push(probe);
        }
        for (found, &probe) in found.iter_mut().zip(&*probes) {
            *found = leaf_index.candidate(probe);
            leaves.prefetch_leaf(*found);
        }
        for (found, (leaf, &probe)) in found.iter_mut().zip(cells.zip(&*probes)) {
            if is_empty(leaf) {
                *found = 0;
            } else if *found == 0 || !leaves.has_cells(*found, leaf) {
                *found = self.store.intern_leaf_at(leaf, probe)?;
            }
        }
        Ok(())
    }

    /// Each node's result from its nine overlapping sub-nodes, half as wide:
    ///
    /// ```text
    /// 0 1 2      the results of the nine sub-nodes,
    /// 3 4 5      then the results of the four nodes that they form
    /// 6 7 8
    /// ```
    ///
    /// To be called when the results of the parts are known. Whether the nodes have theirs then;
    /// else those of the second half are needed first.
    fn combine(
        &mut self,
        frame: &mut BatchFrame,
        nodes: &[u32],
        query: BatchQuery,
    ) -> Result<bool, StepInterruption> {
        let level = query.level;
        let table = &self.store.nodes;
        let batch = &mut frame.batch;
        if frame.is_second_half {
            // Their results are those of the four.
        } else if let (_, Some(second)) = self.halves(query) {
            self.collect_fours(batch, nodes.len(), |m, i| {
                [pair(m[i], m[i + 1]), pair(m[i + 3], m[i + 4])]
            });
            std::mem::swap(&mut batch.nine_parts, &mut batch.parts);
            (batch.count, batch.nine_count) = (0, batch.count);
            let all = 4 * nodes.len();
            batch.resize(all);
            self.look_up_parts(batch, all, 0, second)?;
            (frame.query, frame.is_second_half) = (second, true);
            self.claim_missing(frame);
            return Ok(false);
        } else if level - 2 == self.store.leaf_kind.level() {
            let NodeStore {
                leaf_kind, leaves, ..
            } = self.store;
            let count = 4 * nodes.len();
            let (nines, _) = batch.results[..batch.count].as_chunks::<9>();
            let fours = nines
                .iter()
                .flat_map(|m| [0, 1, 3, 4].map(|i| [m[i], m[i + 1], m[i + 3], m[i + 4]]));
            let fours = leaves.gather(count, fours, &mut batch.fours);
            let leaf_results = prefix_mut(&mut batch.leaves, count * leaves.leaf_words());
            leaf_kind.advance(fours, 0, 0, leaf_results);
            self.intern_leaves(batch, count)?;
            std::mem::swap(&mut batch.found, &mut batch.results);
        } else {
            for &middle in &batch.results[..batch.count] {
                table.prefetch(middle);
            }
            self.collect_fours(batch, nodes.len(), |m, i| {
                let c = |k: usize, corner: usize| table.children(m[i + k])[corner];
                [pair(c(0, 3), c(1, 2)), pair(c(3, 1), c(4, 0))]
            });
            self.find_or_intern(batch, 4 * nodes.len())?;
            std::mem::swap(&mut batch.found, &mut batch.results);
        }

        let mut collector = batch.lookups.collector(nodes.len());
        let (fours, _) = batch.results.as_chunks::<4>();
        for (i, four) in fours[..nodes.len()].iter().enumerate() {
            collector.push([pair(four[0], four[1]), pair(four[2], four[3])], i);
        }
        collector.finish();
        self.find_or_intern(batch, nodes.len())?;
        let tag = self.store.tag_for(query);
        self.store.memoise(nodes, level, tag, &batch.found);
        let height = self.store.height(level) as usize;
        self.computed[height.min(HEIGHTS - 1)] += nodes.len();
        Ok(true)
    }

    /// Requests four nodes for each node of the batch, made from its nine results `m`: `m[i]`,
    /// `m[i + 1]`, `m[i + 3]` and `m[i + 4]`.
    #[inline(always)]
    fn collect_fours(
        &self,
        batch: &mut NodeBatch,
        nodes: usize,
        of: impl Fn(&[u32; 9], usize) -> QuadrantPairs,
    ) {
        let mut collector = batch.lookups.collector(4 * nodes);
        let (results, _) = batch.results[..batch.count].as_chunks::<9>();
        for (i, m) in results.iter().enumerate() {
            collector.push(of(m, 0), 4 * i);
            collector.push(of(m, 1), 4 * i + 1);
            collector.push(of(m, 3), 4 * i + 2);
            collector.push(of(m, 4), 4 * i + 3);
        }
        collector.finish();
    }

    /// Makes the nine overlapping sub-nodes of each node the parts, and reads their memoised
    /// results.
    #[inline(never)]
    fn look_up_nine_parts(
        &mut self,
        batch: &mut NodeBatch,
        nodes: &[u32],
        query: BatchQuery,
    ) -> Result<(), StoreCapacityError> {
        let view = self.store.nodes.view();
        let tag = self.store.tag_for(query);
        let fetch = |&node: &u32| {
            for quadrant in quadrants(view.pairs(node)) {
                view.prefetch(quadrant);
            }
        };
        let all = 9 * nodes.len();
        batch.resize(all);
        let (parts, _) = batch.parts[..all].as_chunks_mut::<9>();
        let (results, _) = batch.results[..all].as_chunks_mut::<9>();
        let missing = &mut batch.missing[..all];
        let mut missing_count = 0;
        let mut collector = batch.lookups.collector(5 * nodes.len());
        nodes.iter().take(PREFETCH_DISTANCE).for_each(fetch);
        let lists = nodes.iter().zip(parts).zip(results);
        for (i, ((&node, parts), results)) in lists.enumerate() {
            if READS_AHEAD && i % TOUCHED == 0 {
                touch_children(view.lines(), &nodes[i..(i + TOUCHED).min(nodes.len())]);
            }
            nodes.get(i + PREFETCH_DISTANCE).map(fetch);
            let quadrants = quadrants(view.pairs(node));
            let mut quadrant = |which: usize, k: usize| {
                let part = quadrants[which];
                let (pairs, result, is_known) = view.read_node(part, tag);
                parts[k] = part;
                results[k] = result;
                missing[missing_count] = (9 * i + k) as u32;
                missing_count += usize::from(!is_known);
                pairs
            };
            let (a, b, c, d) = (
                quadrant(0, 0),
                quadrant(1, 2),
                quadrant(2, 6),
                quadrant(3, 8),
            );
            // The eastern child of one and the western child of the next.
            let between = |west: u64, east: u64| west >> 32 | east << 32;
            let (upper, lower) = (between(a[1], b[1]), between(c[0], d[0]));
            collector.push([between(a[0], b[0]), upper], 9 * i + 1);
            collector.push([a[1], c[0]], 9 * i + 3);
            collector.push([upper, lower], 9 * i + 4);
            collector.push([b[1], d[0]], 9 * i + 5);
            collector.push([lower, between(c[1], d[1])], 9 * i + 7);
        }
        collector.finish();
        batch.count = 0;
        self.look_up_parts(batch, all, missing_count, query)
    }

    /// Interns the requested nodes; `all` is their number.
    #[inline(never)]
    fn find_or_intern(
        &mut self,
        batch: &mut NodeBatch,
        all: usize,
    ) -> Result<(), StoreCapacityError> {
        let found = prefix_mut(&mut batch.found, all);
        found.fill(0);
        let (store, reservation) = (self.store, &mut self.reservation);
        batch
            .lookups
            .intern_all(store, reservation, |_, node, at| found[at] = node)?;
        Ok(())
    }

    /// Every now and then, asks the caller whether to continue.
    fn poll(&mut self, nodes: usize) -> Result<(), StepInterruption> {
        if self.worker.is_some_and(|worker| worker.stop.load(Relaxed)) {
            return Err(StepInterruption::TablesFull);
        }
        self.since_poll += nodes;
        if self.since_poll < POLL_INTERVAL {
            return Ok(());
        }
        self.since_poll = 0;
        if let Some(spawn_workers) = self.spawn_workers.take() {
            self.worker = Some(spawn_workers());
        }
        if (self.keep_going)() {
            Ok(())
        } else {
            Err(StepInterruption::Cancelled)
        }
    }
}
