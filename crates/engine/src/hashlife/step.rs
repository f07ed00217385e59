//! Gosper's recursion, a square twice as wide knows its middle, for many squares at once.
//!
//! Depth first, the recursion waits for memory at every look-up, and waiting is nearly all
//! of what it does. So it takes squares in batches: all look-ups of a batch are asked for
//! before the first is looked at, and memory answers side by side. What is not known of a
//! batch's parts becomes batches of the level below.

use super::index::BucketProbe;
use super::lookup::{NodeLookups, PrefixVec, first};
use super::nodes::{NodeReservation, QuadrantPairs, ResultSlotState, pair, quadrants};
use super::step_length::StepLength;
use super::store::{NodeStore, StoreCapacityError, hash_of, is_empty};
use super::workers::StepWorker;
use std::hint::spin_loop;
use std::sync::atomic::Ordering::Relaxed;

/// Why a step did not come to its end. Nothing is lost: the world has not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepInterruption {
    /// Who asked for the step no longer wants it.
    Asked,
    /// What the step needs at once does not fit the memory given.
    Memory,
    /// The tables are full.
    Full,
}

impl From<StoreCapacityError> for StepInterruption {
    fn from(_: StoreCapacityError) -> Self {
        Self::Full
    }
}

/// Squares in a batch: enough that memory is never waited for, few enough that what they
/// touch stays in the caches until it is needed again.
const BATCH: usize = 256;

/// Squares in a batch where the tables cannot grow: the fewer, the deeper in time the recursion
/// goes before it comes to the next, and the longer it stays with what it has just found out.
/// Gemini takes a third less time so in a quarter of its memory; others a tenth more.
const SCARCE_BATCH: usize = 64;

/// Squares in a batch where squares of one level are asked for two things: the first of all
/// of them, then the second, since only one is remembered.
const WIDE_BATCH: usize = 1 << 14;

/// How many squares are worked out between two questions whether to go on: a few
/// milliseconds' worth.
const LOOK_EVERY: usize = 1 << 14;

/// Squares whose quadrants are asked for ahead of the one whose are read.
const AHEAD: usize = 16;

/// How long a worker waits for what others are at, in looks, before it lends a hand: some
/// ten microseconds.
const LOOKS: usize = 1 << 9;

/// Where several work, how many levels at the top are worked out in pieces of any size; and
/// below, how many squares are at least a piece. Smaller ones do not keep memory busy; with
/// larger ones, whoever comes second finds all taken and does a tenth of it again.
const TOP: u32 = 3;
const PIECE: usize = 64;

/// What is asked of a step.
#[derive(Clone, Copy)]
pub(super) struct MacroStep<'a> {
    /// The middle halves of these nodes are wanted...
    pub(super) nodes: &'a [u32],
    /// ...which are 2^level cells wide...
    pub(super) level: u32,
    /// ...after so many generations, as these can move on by at once.
    pub(super) span: &'a StepLength,
    /// The generation that is left, modulo the rule's time period.
    pub(super) phase: u64,
}

/// What became of a step.
pub(super) struct MacroStepOutcome {
    pub(super) futures: Result<Vec<u32>, StepInterruption>,
    /// What was on the way when it stopped: with it, little has to be done again.
    pub(super) held: Vec<u32>,
    /// How many futures were found out.
    pub(super) done: usize,
}

/// One step under way.
pub(super) struct Stepper<'a, 'c> {
    store: &'a NodeStore,
    /// See [`MacroStepOutcome`].
    held: Vec<u32>,
    done: usize,
    /// Asked now and then whether to go on.
    go_on: &'c mut (dyn FnMut() -> bool + 'c),
    since: usize,
    batch: usize,
    pool: Vec<NodeBatch>,
    places: NodeReservation,
    /// Calls the others, once it is worth it.
    pub(super) call: Option<&'c mut (dyn FnMut() -> StepWorker<'a> + 'c)>,
    /// Those who are at it too.
    pub(super) crew: Option<StepWorker<'a>>,
    /// What it was told to do.
    leap: MacroStep<'a>,
}

/// What is known of a batch of squares. Lists are never made shorter, so that they need not
/// be filled again: how much of them counts is told apart.
#[derive(Default)]
struct NodeBatch {
    /// Squares that are looked up.
    asked: NodeLookups,
    /// Where in the index leaves are looked up.
    spots: Vec<BucketProbe>,
    /// What was found.
    found: Vec<u32>,
    /// How many parts and futures count.
    all: usize,
    /// Parts of the first half of the way, while the second is gone, and how many.
    nine: Vec<u32>,
    all_nine: usize,
    /// Parts whose futures are asked for: nine for each square, later four.
    parts: Vec<u32>,
    /// The futures.
    futures: Vec<u32>,
    /// Where among the futures some are not known yet.
    gaps: PrefixVec<u32>,
    /// Of the parts there, the ones that nobody has asked for before.
    unknown: PrefixVec<u32>,
    /// The cells of leaves that are stepped in fours, and of those that come of it.
    fours: Vec<u64>,
    leaves: Vec<u64>,
}

impl NodeBatch {
    /// Room for so many parts and futures: empty squares, until they are looked up.
    #[inline(always)]
    fn make_room(&mut self, all: usize) {
        first(&mut self.parts, all).fill(0);
        first(&mut self.futures, all).fill(0);
        self.gaps.room(all);
    }
}

/// Leaves of a width that is known.
#[inline(always)]
fn chunks<const W: usize>(leaves: &[u64]) -> impl Iterator<Item = &[u64]> + Clone {
    leaves.as_chunks::<W>().0.iter().map(<[u64; W]>::as_slice)
}

/// What is asked of all squares of a batch.
#[derive(Clone, Copy)]
struct BatchQuery {
    level: u32,
    /// As many generations as squares of the level can move on by, or the rest of the step.
    is_whole: bool,
    /// The generation that is left, modulo the rule's time period.
    phase: u64,
}

impl NodeStore {
    fn tag_for(&self, question: BatchQuery) -> u8 {
        self.tag(question.is_whole, question.phase)
    }
}

impl<'a, 'c> Stepper<'a, 'c> {
    /// For a step of which [`NodeStore::begin`] was told.
    pub(super) fn new(
        store: &'a NodeStore,
        leap: MacroStep<'a>,
        go_on: &'a mut (dyn FnMut() -> bool + 'c),
    ) -> Self {
        // What is on the way at all levels at once should be a small part of the tables.
        let room = store.nodes.lines() / (6 * 32);
        let most = if store.is_scarce() {
            SCARCE_BATCH
        } else {
            BATCH
        };
        Self {
            store,
            held: Vec::new(),
            done: 0,
            go_on,
            since: 0,
            batch: room.clamp(1, most),
            pool: Vec::new(),
            places: std::mem::take(&mut *store.places()),
            call: None,
            crew: None,
            leap,
        }
    }

    /// Takes the step.
    pub(super) fn take(mut self) -> MacroStepOutcome {
        let futures = self.futures();
        *self.store.places() = self.places;
        MacroStepOutcome {
            futures,
            held: self.held,
            done: self.done,
        }
    }

    fn futures(&mut self) -> Result<Vec<u32>, StepInterruption> {
        let MacroStep {
            nodes,
            level,
            span,
            phase,
        } = self.leap;
        let mut batch = self.pool.pop().unwrap_or_default();
        let question = BatchQuery {
            level,
            is_whole: span.is_whole(self.power(level)),
            phase,
        };
        batch.all = nodes.len();
        first(&mut batch.parts, nodes.len()).copy_from_slice(nodes);
        self.peek(&mut batch, question);
        let outcome = self.fill(&mut batch, question);
        let futures = batch.futures[..batch.all].to_vec();
        self.put_back(batch, outcome.is_err());
        outcome.map(|()| futures)
    }

    /// Squares of a level can move on by 2 to this power generations.
    #[inline(always)]
    fn power(&self, level: u32) -> u32 {
        level - 2 - self.store.leaf_kind.slowness()
    }

    fn put_back(&mut self, mut batch: NodeBatch, is_stopped: bool) {
        if is_stopped {
            for &node in batch.unknown.iter() {
                self.store.nodes.disclaim(node);
            }
            // What was found out of these is held with them.
            self.held.extend(&batch.nine[..batch.all_nine]);
            self.held.extend(&batch.parts[..batch.all]);
            self.held.extend(batch.unknown.iter());
        }
        (batch.all, batch.all_nine) = (0, 0);
        batch.unknown.keep(0);
        self.pool.push(batch);
    }

    /// Looks what is known of a batch's parts, and where there are gaps.
    fn peek(&self, batch: &mut NodeBatch, question: BatchQuery) {
        let tag = self.store.tag_for(question);
        let futures = first(&mut batch.futures, batch.all);
        let gaps = batch.gaps.room(batch.all);
        let mut found = 0;
        for (i, (&part, future)) in batch.parts.iter().zip(futures).enumerate() {
            let (result, is_known) = self.store.nodes.peek(part, tag);
            *future = result;
            gaps[found] = i as u32;
            found += usize::from(!is_known);
        }
        batch.gaps.keep(found);
    }

    /// The squares that were asked for become parts, and what is known of them futures: of
    /// all, so many. Some gaps have been found among the others.
    #[inline(never)]
    fn look_up_parts(
        &mut self,
        batch: &mut NodeBatch,
        all: usize,
        gaps_before: usize,
        question: BatchQuery,
    ) -> Result<(), StoreCapacityError> {
        let tag = self.store.tag_for(question);
        let parts = &mut batch.parts[..all];
        let futures = &mut batch.futures[..all];
        let gaps = &mut batch.gaps[..all];
        let mut unknown = gaps_before;
        let (store, places) = (self.store, &mut self.places);
        batch.asked.look_up(store, places, |squares, part, at| {
            let (result, is_known) = squares.peek_nonempty(part, tag);
            parts[at] = part;
            futures[at] = result;
            gaps[unknown] = at as u32;
            unknown += usize::from(!is_known);
        })?;
        batch.gaps.keep(unknown);
        if self.store.is_scarce() {
            store.touch(&batch.parts[..all]);
            // In the order of the squares, what is near is worked out together, and not when
            // half of it has been given up: without it, caterpillar took four times as long.
            batch.gaps.sort();
        }
        batch.all = all;
        Ok(())
    }

    /// Fills in the futures in the gaps.
    fn fill(
        &mut self,
        batch: &mut NodeBatch,
        question: BatchQuery,
    ) -> Result<(), StepInterruption> {
        if let Some(crew) = self.crew {
            return self.fill_together(batch, question, crew);
        }
        let nodes = &self.store.nodes;
        let squares = nodes.squares();
        let tag = self.store.tag_for(question);
        // None of them is known: they have just been looked at.
        let mut unknown = 0;
        let list = batch.unknown.room(batch.gaps.len());
        for &gap in batch.gaps.iter() {
            let part = batch.parts[gap as usize];
            list[unknown] = part;
            unknown += usize::from(squares.claim(part));
        }
        batch.unknown.keep(unknown);
        let size = if question.is_whole || self.leap.span.is_even() {
            self.batch
        } else {
            WIDE_BATCH
        };
        while !batch.gaps.is_empty() {
            for start in (0..batch.unknown.len()).step_by(size) {
                let end = (start + size).min(batch.unknown.len());
                self.work_out(&batch.unknown[start..end], question)?;
                if let Some(crew) = self.crew {
                    for &node in &batch.unknown[end..] {
                        nodes.disclaim(node);
                    }
                    return self.fill_together(batch, question, crew);
                }
            }
            // By now the parts have left the caches.
            let parts = &batch.parts[..batch.all];
            let futures = &mut batch.futures[..batch.all];
            let ahead = |gap: &u32| squares.fetch(parts[*gap as usize]);
            batch.gaps.iter().take(AHEAD).for_each(ahead);
            batch.unknown.keep(0);
            let mut left = 0;
            for i in 0..batch.gaps.len() {
                batch.gaps.get(i + AHEAD).map(ahead);
                let gap = batch.gaps[i];
                let part = parts[gap as usize];
                let (future, is_known) = squares.peek_nonempty(part, tag);
                if is_known {
                    futures[gap as usize] = future;
                    continue;
                }
                // A result for another phase has taken its place.
                if squares.claim(part) {
                    batch.unknown.push(part);
                }
                batch.gaps[left] = gap;
                left += 1;
            }
            batch.gaps.keep(left);
        }
        Ok(())
    }

    /// [`Stepper::fill`], where others are at it too.
    fn fill_together(
        &mut self,
        batch: &mut NodeBatch,
        question: BatchQuery,
        crew: StepWorker<'_>,
    ) -> Result<(), StepInterruption> {
        let nodes = &self.store.nodes;
        let tag = self.store.tag_for(question);
        let all = batch.gaps.len();
        // A piece for each, so that they work in parts of their own.
        let least = if question.level + TOP > self.leap.level {
            1
        } else {
            PIECE
        };
        let piece = all.div_ceil(crew.workers);
        let piece = piece.clamp(least.min(self.batch), self.batch);
        batch.gaps.rotate_left(all * crew.place / crew.workers);
        let mut lends_a_hand = false;
        while !batch.gaps.is_empty() {
            batch.unknown.keep(0);
            let (mut left, mut own) = (0, 0);
            for i in 0..batch.gaps.len() {
                let gap = batch.gaps[i];
                let part = batch.parts[gap as usize];
                match nodes.claim(part, tag) {
                    ResultSlotState::Known(future) => {
                        batch.futures[gap as usize] = future;
                        continue;
                    }
                    ResultSlotState::Ours => batch.unknown.push(part),
                    ResultSlotState::Others if lends_a_hand && !batch.unknown.contains(&part) => {
                        batch.unknown.push(part);
                    }
                    ResultSlotState::Others => {}
                }
                batch.gaps[left] = gap;
                left += 1;
                if batch.unknown.len() == piece {
                    own += piece;
                    self.work_out(&batch.unknown, question)?;
                    batch.unknown.keep(0);
                }
            }
            batch.gaps.keep(left);
            if !batch.unknown.is_empty() {
                own += batch.unknown.len();
                self.work_out(&batch.unknown, question)?;
            }
            lends_a_hand = own == 0;
            if lends_a_hand && let Some(&gap) = batch.gaps.last() {
                // Most likely it is nearly done.
                let part = batch.parts[gap as usize];
                let is_known = || nodes.peek(part, tag).1 || crew.stops.load(Relaxed);
                for _ in 0..LOOKS {
                    if is_known() {
                        break;
                    }
                    spin_loop();
                }
            }
        }
        Ok(())
    }

    /// Works the futures of some squares out, and leaves them with the squares.
    fn work_out(&mut self, squares: &[u32], question: BatchQuery) -> Result<(), StepInterruption> {
        self.look(squares.len())?;
        let mut batch = self.pool.pop().unwrap_or_default();
        let outcome = if question.level == self.store.leaf_kind.level() + 1 {
            self.step_leaves(&mut batch, squares, question)
        } else {
            self.combine(&mut batch, squares, question)
        };
        self.put_back(batch, outcome.is_err());
        outcome
    }

    /// Squares of four leaves.
    fn step_leaves(
        &mut self,
        batch: &mut NodeBatch,
        squares: &[u32],
        question: BatchQuery,
    ) -> Result<(), StepInterruption> {
        let NodeStore {
            leaf_kind,
            nodes,
            leaves,
            ..
        } = self.store;
        for &square in squares {
            for leaf in nodes.children(square) {
                leaves.fetch(leaf);
            }
        }
        let count = squares.len();
        let fours = squares.iter().map(|&square| nodes.children(square));
        let fours = leaves.gather(count, fours, &mut batch.fours);
        let power = self.power(question.level);
        let generations = if question.is_whole {
            1 << power
        } else {
            self.leap.span.rest(power)
        };
        let middles = first(&mut batch.leaves, count * leaves.wide());
        leaf_kind.advance(fours, question.phase, generations, middles);
        let tag = self.store.tag_for(question);
        self.intern_all(batch, count)?;
        for (&square, &future) in squares.iter().zip(&batch.found) {
            nodes.remember(square, tag, future);
        }
        self.done += squares.len();
        Ok(())
    }

    /// So many leaves are found, or made.
    fn intern_all(
        &mut self,
        batch: &mut NodeBatch,
        count: usize,
    ) -> Result<(), StoreCapacityError> {
        let wide = self.store.leaves.wide();
        let leaves = &batch.leaves[..count * wide];
        let (spots, found) = (&mut batch.spots, first(&mut batch.found, count));
        // Loops over leaves of a width that the compiler knows take half as long.
        match wide {
            2 => self.intern_each(chunks::<2>(leaves), spots, found),
            3 => self.intern_each(chunks::<3>(leaves), spots, found),
            4 => self.intern_each(chunks::<4>(leaves), spots, found),
            5 => self.intern_each(chunks::<5>(leaves), spots, found),
            _ => self.intern_each(leaves.chunks_exact(wide), spots, found),
        }
    }

    #[inline(always)]
    fn intern_each<'l>(
        &self,
        cells: impl Iterator<Item = &'l [u64]> + Clone,
        spots: &mut Vec<BucketProbe>,
        found: &mut [u32],
    ) -> Result<(), StoreCapacityError> {
        let NodeStore {
            leaves, leaf_index, ..
        } = self.store;
        spots.clear();
        for leaf in cells.clone() {
            let spot = leaf_index.spot(hash_of(leaf));
            leaf_index.expect(spot);
            spots.push(spot);
        }
        for (found, &spot) in found.iter_mut().zip(&*spots) {
            *found = leaf_index.guess(spot);
            leaves.fetch(*found);
        }
        for (found, (leaf, &spot)) in found.iter_mut().zip(cells.zip(&*spots)) {
            if is_empty(leaf) {
                *found = 0;
            } else if *found == 0 || !leaves.is(*found, leaf) {
                *found = self.store.seek_leaf(leaf, spot)?;
            }
        }
        Ok(())
    }

    /// Each square's future from the nine overlapping squares half as wide:
    ///
    /// ```text
    /// 0 1 2      nine squares, each known at its middle;
    /// 3 4 5      then four squares of four middles, each known at its own middle
    /// 6 7 8
    /// ```
    fn combine(
        &mut self,
        batch: &mut NodeBatch,
        squares: &[u32],
        question: BatchQuery,
    ) -> Result<(), StepInterruption> {
        let BatchQuery {
            level,
            is_whole,
            phase,
        } = question;
        let nodes = &self.store.nodes;
        let span = self.leap.span;
        let power = self.power(level);
        // Where the step takes more than the squares below can, it is made of two parts;
        // where it does not, the second half of the way stands still.
        let two_parts = is_whole || span.is_beyond_half(power);
        let below = |is_whole: bool, phase: u64| BatchQuery {
            level: level - 1,
            is_whole: is_whole || span.is_whole(power - 1),
            phase,
        };
        let whole_first = two_parts && !span.begins_with_rest();
        let first_half = below(is_whole || whole_first, phase);

        self.nine(batch, squares, first_half)?;
        self.fill(batch, first_half)?;

        if two_parts {
            self.fours_of(batch, squares.len(), |m, i| {
                [pair(m[i], m[i + 1]), pair(m[i + 3], m[i + 4])]
            });
            // Rules go by the generation modulo four at most.
            let gone = if first_half.is_whole {
                1 << (power - 1).min(2)
            } else {
                span.rest((power - 1).min(2))
            };
            let later = (phase + u64::from(gone)) % self.store.leaf_kind.time_period();
            let second = below(is_whole || !whole_first, later);
            std::mem::swap(&mut batch.nine, &mut batch.parts);
            (batch.all, batch.all_nine) = (0, batch.all);
            let all = 4 * squares.len();
            batch.make_room(all);
            self.look_up_parts(batch, all, 0, second)?;
            self.fill(batch, second)?;
        } else if level - 2 == self.store.leaf_kind.level() {
            let NodeStore {
                leaf_kind, leaves, ..
            } = self.store;
            let count = 4 * squares.len();
            let (nines, _) = batch.futures[..batch.all].as_chunks::<9>();
            let fours = nines
                .iter()
                .flat_map(|m| [0, 1, 3, 4].map(|i| [m[i], m[i + 1], m[i + 3], m[i + 4]]));
            let fours = leaves.gather(count, fours, &mut batch.fours);
            let middles = first(&mut batch.leaves, count * leaves.wide());
            leaf_kind.advance(fours, 0, 0, middles);
            self.intern_all(batch, count)?;
            std::mem::swap(&mut batch.found, &mut batch.futures);
        } else {
            for &middle in &batch.futures[..batch.all] {
                nodes.fetch(middle);
            }
            self.fours_of(batch, squares.len(), |m, i| {
                let c = |k: usize, corner: usize| nodes.children(m[i + k])[corner];
                [pair(c(0, 3), c(1, 2)), pair(c(3, 1), c(4, 0))]
            });
            self.look_up(batch, 4 * squares.len())?;
            std::mem::swap(&mut batch.found, &mut batch.futures);
        }

        let mut asking = batch.asked.begin(squares.len());
        let (fours, _) = batch.futures.as_chunks::<4>();
        for (i, four) in fours[..squares.len()].iter().enumerate() {
            asking.ask([pair(four[0], four[1]), pair(four[2], four[3])], i);
        }
        asking.end();
        self.look_up(batch, squares.len())?;
        let tag = self.store.tag_for(question);
        for (&square, &future) in squares.iter().zip(&batch.found) {
            nodes.remember(square, tag, future);
        }
        self.done += squares.len();
        Ok(())
    }

    /// Four squares become wanted for each of a batch, from its nine futures `m`: those at
    /// `m[i]`, `m[i + 1]`, `m[i + 3]` and `m[i + 4]`.
    #[inline(always)]
    fn fours_of(
        &self,
        batch: &mut NodeBatch,
        squares: usize,
        of: impl Fn(&[u32; 9], usize) -> QuadrantPairs,
    ) {
        let mut asking = batch.asked.begin(4 * squares);
        let (futures, _) = batch.futures[..batch.all].as_chunks::<9>();
        for (i, m) in futures.iter().enumerate() {
            asking.ask(of(m, 0), 4 * i);
            asking.ask(of(m, 1), 4 * i + 1);
            asking.ask(of(m, 3), 4 * i + 2);
            asking.ask(of(m, 4), 4 * i + 3);
        }
        asking.end();
    }

    /// The nine overlapping squares of each square, half as wide, become the parts, and what
    /// is known of them the futures.
    #[inline(never)]
    fn nine(
        &mut self,
        batch: &mut NodeBatch,
        squares: &[u32],
        question: BatchQuery,
    ) -> Result<(), StoreCapacityError> {
        let all_squares = self.store.nodes.squares();
        let tag = self.store.tag_for(question);
        let fetch = |&square: &u32| {
            for quadrant in quadrants(all_squares.pairs(square)) {
                all_squares.fetch(quadrant);
            }
        };
        let all = 9 * squares.len();
        batch.make_room(all);
        let (parts, _) = batch.parts[..all].as_chunks_mut::<9>();
        let (futures, _) = batch.futures[..all].as_chunks_mut::<9>();
        let gaps = &mut batch.gaps[..all];
        let mut unknown = 0;
        let mut asking = batch.asked.begin(5 * squares.len());
        squares.iter().take(AHEAD).for_each(fetch);
        let lists = squares.iter().zip(parts).zip(futures);
        for (i, ((&square, parts), futures)) in lists.enumerate() {
            squares.get(i + AHEAD).map(fetch);
            let quadrants = quadrants(all_squares.pairs(square));
            let mut quadrant = |which: usize, k: usize| {
                let part = quadrants[which];
                let (pairs, result, is_known) = all_squares.look(part, tag);
                parts[k] = part;
                futures[k] = result;
                gaps[unknown] = (9 * i + k) as u32;
                unknown += usize::from(!is_known);
                pairs
            };
            let (a, b, c, d) = (
                quadrant(0, 0),
                quadrant(1, 2),
                quadrant(2, 6),
                quadrant(3, 8),
            );
            // The eastern quadrant of one, and the western one of the next.
            let between = |west: u64, east: u64| west >> 32 | east << 32;
            let (upper, lower) = (between(a[1], b[1]), between(c[0], d[0]));
            asking.ask([between(a[0], b[0]), upper], 9 * i + 1);
            asking.ask([a[1], c[0]], 9 * i + 3);
            asking.ask([upper, lower], 9 * i + 4);
            asking.ask([b[1], d[0]], 9 * i + 5);
            asking.ask([lower, between(c[1], d[1])], 9 * i + 7);
        }
        asking.end();
        batch.all = 0;
        self.look_up_parts(batch, all, unknown, question)
    }

    /// So many squares that were asked for are found, or made.
    #[inline(never)]
    fn look_up(&mut self, batch: &mut NodeBatch, all: usize) -> Result<(), StoreCapacityError> {
        let found = first(&mut batch.found, all);
        found.fill(0);
        let (store, places) = (self.store, &mut self.places);
        batch
            .asked
            .look_up(store, places, |_, square, at| found[at] = square)?;
        store.touch(found);
        Ok(())
    }

    /// Now and then: may we go on?
    fn look(&mut self, squares: usize) -> Result<(), StepInterruption> {
        if self.crew.is_some_and(|crew| crew.stops.load(Relaxed)) {
            return Err(StepInterruption::Full);
        }
        self.since += squares;
        if self.since < LOOK_EVERY {
            return Ok(());
        }
        self.since = 0;
        if let Some(call) = self.call.take() {
            self.crew = Some(call());
        }
        if (self.go_on)() {
            Ok(())
        } else {
            Err(StepInterruption::Asked)
        }
    }
}
