//! Gosper's recursion, a square twice as wide knows its middle, for many squares at once.
//!
//! Depth first, the recursion waits for memory at every look-up, and waiting is nearly all
//! of what it does. So it takes squares in batches: all look-ups of a batch are asked for
//! before the first is looked at, and memory answers side by side. What is not known of a
//! batch's parts becomes batches of the level below.

use super::grain::Grain;
use super::nodes::{Claim, Places, mix};
use super::store::{Full, Store};
use std::mem::take;

/// Why a step did not come to its end. Nothing is lost: the world has not moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Who asked for the step no longer wants it.
    Asked,
    /// What the step needs at once does not fit the memory given.
    Memory,
    /// The tables are full.
    Full,
}

impl From<Full> for Stop {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

/// Squares in a batch: enough that memory is never waited for, few enough that what they
/// touch stays in the caches until it is needed again.
const BATCH: usize = 256;

/// How many squares are worked out between two questions whether to go on: a few
/// milliseconds' worth.
const LOOK_EVERY: usize = 1 << 14;

/// Squares whose quadrants are asked for ahead of the one whose are read.
const AHEAD: usize = 16;

/// One step under way.
pub(super) struct Stepper<'a, 'c, G: Grain> {
    store: &'a Store<G>,
    /// What was on the way when the step stopped: with it, little has to be done again.
    pub(super) held: Vec<u32>,
    /// Asked now and then whether to go on.
    go_on: &'a mut (dyn FnMut() -> bool + 'c),
    since: usize,
    batch: usize,
    pool: Vec<Batch<G>>,
    places: Places,
}

/// What is known of a batch of squares, level by level.
struct Batch<G: Grain> {
    /// Parts that are looked up, and their hashes.
    wanted: Vec<[u32; 4]>,
    hashes: Vec<u64>,
    /// Parts whose futures are asked for: nine for each square, later four.
    parts: Vec<u32>,
    /// Of those, the ones that nobody has asked for before.
    unknown: Vec<u32>,
    /// Where among the futures some are not known yet.
    gaps: Vec<u32>,
    /// The futures.
    futures: Vec<u32>,
    fours: Vec<[G::Leaf; 4]>,
    leaves: Vec<G::Leaf>,
}

impl<G: Grain> Default for Batch<G> {
    fn default() -> Self {
        Self {
            wanted: Vec::new(),
            hashes: Vec::new(),
            parts: Vec::new(),
            unknown: Vec::new(),
            gaps: Vec::new(),
            futures: Vec::new(),
            fours: Vec::new(),
            leaves: Vec::new(),
        }
    }
}

/// What is asked of all squares of a batch.
#[derive(Clone, Copy)]
struct Question {
    level: u32,
    /// 2^power generations, where `power <= level - 2 - slowness`.
    power: u32,
    /// The generation that is left, modulo the rule's time period.
    phase: u64,
}

impl<G: Grain> Store<G> {
    fn tag_for(&self, question: Question) -> u8 {
        self.tag(question.level, question.power, question.phase)
    }
}

impl<'a, 'c, G: Grain> Stepper<'a, 'c, G> {
    /// For a step of which [`Store::begin`] was told.
    pub(super) fn new(store: &'a Store<G>, go_on: &'a mut (dyn FnMut() -> bool + 'c)) -> Self {
        // What is on the way at all levels at once should be a small part of the tables.
        let room = store.nodes.places() / (27 * 32);
        Self {
            store,
            held: Vec::new(),
            go_on,
            since: 0,
            batch: room.clamp(1, std::env::var("BATCH").map_or(BATCH, |b| b.parse().unwrap_or(BATCH))),
            pool: Vec::new(),
            places: Places::default(),
        }
    }

    /// The middle halves of nodes of a level after 2^`power` generations, where
    /// `power <= level - 2 - slowness`. `phase` is the generation that is left, modulo the
    /// rule's time period.
    pub(super) fn futures(
        &mut self,
        nodes: &[u32],
        level: u32,
        power: u32,
        phase: u64,
    ) -> Result<Vec<u32>, Stop> {
        let mut batch = self.pool.pop().unwrap_or_default();
        batch.parts.clear();
        batch.parts.extend(nodes);
        let question = Question {
            level,
            power,
            phase,
        };
        let outcome = self.find_out(&mut batch, question);
        let futures = batch.futures.clone();
        self.put_back(batch, outcome.is_err());
        outcome.map(|()| futures)
    }

    fn put_back(&mut self, batch: Batch<G>, is_stopped: bool) {
        if is_stopped {
            for &node in &batch.unknown {
                self.store.nodes.disclaim(node);
            }
            self.held.extend(&batch.parts);
            self.held.extend(&batch.unknown);
            self.held.extend(&batch.futures);
        }
        self.pool.push(batch);
    }

    /// Fills in the futures of a batch's parts.
    fn find_out(&mut self, batch: &mut Batch<G>, question: Question) -> Result<(), Stop> {
        let nodes = &self.store.nodes;
        let tag = self.store.tag_for(question);
        batch.gaps.resize(batch.parts.len(), 0);
        batch.futures.resize(batch.parts.len(), 0);
        let mut gaps = 0;
        for (i, (&part, future)) in batch.parts.iter().zip(&mut batch.futures).enumerate() {
            let (result, is_known) = nodes.peek(part, tag);
            *future = result;
            batch.gaps[gaps] = i as u32;
            gaps += usize::from(!is_known);
        }
        batch.gaps.truncate(gaps);
        self.fill(batch, question)
    }

    /// Fills in the futures in the gaps.
    fn fill(&mut self, batch: &mut Batch<G>, question: Question) -> Result<(), Stop> {
        let nodes = &self.store.nodes;
        let tag = self.store.tag_for(question);
        batch.unknown.clear();
        for &gap in &batch.gaps {
            let part = batch.parts[gap as usize];
            match nodes.claim(part, tag) {
                Claim::Known(future) => batch.futures[gap as usize] = future,
                Claim::Ours => batch.unknown.push(part),
                Claim::Others => {}
            }
        }
        while !batch.gaps.is_empty() {
            for start in (0..batch.unknown.len()).step_by(self.batch) {
                let end = (start + self.batch).min(batch.unknown.len());
                self.work_out(&batch.unknown[start..end], question)?;
            }
            // By now the parts have left the caches.
            let ahead = |gap: &u32| nodes.fetch(batch.parts[*gap as usize]);
            batch.gaps.iter().take(AHEAD).for_each(ahead);
            batch.unknown.clear();
            let mut left = 0;
            for i in 0..batch.gaps.len() {
                batch.gaps.get(i + AHEAD).map(ahead);
                let gap = batch.gaps[i];
                let part = batch.parts[gap as usize];
                match nodes.claim(part, tag) {
                    Claim::Known(future) => batch.futures[gap as usize] = future,
                    // Another thread is at it: rather do it twice than wait.
                    Claim::Ours | Claim::Others => {
                        batch.unknown.push(part);
                        batch.gaps[left] = gap;
                        left += 1;
                    }
                }
            }
            batch.gaps.truncate(left);
        }
        Ok(())
    }

    /// Works the futures of some squares out, and leaves them with the squares.
    fn work_out(&mut self, squares: &[u32], question: Question) -> Result<(), Stop> {
        self.look(squares.len())?;
        let mut batch = self.pool.pop().unwrap_or_default();
        let outcome = if question.level == self.store.grain.level() + 1 {
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
        batch: &mut Batch<G>,
        squares: &[u32],
        question: Question,
    ) -> Result<(), Stop> {
        let Store {
            grain,
            nodes,
            leaves,
            ..
        } = self.store;
        batch.parts.clear();
        batch.unknown.clear();
        batch.futures.clear();
        for &square in squares {
            for leaf in nodes.children(square) {
                leaves.fetch(leaf);
            }
        }
        batch.fours.clear();
        for &square in squares {
            let four = nodes.children(square).map(|leaf| leaves.get(grain, leaf));
            batch.fours.push(four);
        }
        batch.leaves.clear();
        let generations = 1 << question.power;
        grain.steps(&batch.fours, question.phase, generations, &mut batch.leaves);
        let tag = self.store.tag_for(question);
        self.intern_all(batch)?;
        for (&square, &future) in squares.iter().zip(&batch.futures) {
            nodes.remember(square, tag, future);
        }
        Ok(())
    }

    /// Leaves become futures.
    fn intern_all(&mut self, batch: &mut Batch<G>) -> Result<(), Full> {
        let Store {
            grain,
            leaves,
            leaf_index,
            ..
        } = self.store;
        batch.hashes.clear();
        for leaf in &batch.leaves {
            let hash = grain.mix(leaf);
            leaf_index.expect(hash);
            batch.hashes.push(hash);
        }
        batch.futures.resize(batch.leaves.len(), 0);
        for (future, &hash) in batch.futures.iter_mut().zip(&batch.hashes) {
            *future = leaf_index.guess(hash);
            leaves.fetch(*future);
        }
        let found = batch.leaves.iter().zip(&batch.hashes);
        for (future, (leaf, &hash)) in batch.futures.iter_mut().zip(found) {
            if grain.is_empty(leaf) {
                *future = 0;
            } else if *future == 0 || !leaves.is(grain, *future, leaf) {
                *future = self.store.seek_leaf(leaf, hash)?;
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
        batch: &mut Batch<G>,
        squares: &[u32],
        question: Question,
    ) -> Result<(), Stop> {
        let Question {
            level,
            power,
            phase,
        } = question;
        let nodes = &self.store.nodes;
        let below = level - 1;
        // Where the step is the longest that this level can take, it is made of two halves;
        // where it is shorter, the second half of the way stands still.
        let two_halves = power == level - 2 - self.store.grain.slowness();
        let first = if two_halves { power - 1 } else { power };

        let half = Question {
            level: below,
            power: first,
            phase,
        };
        self.nine(batch, squares, half)?;
        self.fill(batch, half)?;

        if two_halves {
            batch.wanted.clear();
            for m in batch.futures.chunks_exact(9) {
                let four = [0, 1, 3, 4].map(|i| [m[i], m[i + 1], m[i + 3], m[i + 4]]);
                batch.wanted.extend(four);
            }
            // rules go by the generation's rest by four at most
            let later = (phase + (1 << first.min(2))) % self.store.grain.time_period();
            let half = Question {
                phase: later,
                ..half
            };
            self.four(batch, half)?;
            self.fill(batch, half)?;
        } else if below - 1 == self.store.grain.level() {
            let Store { grain, leaves, .. } = self.store;
            batch.fours.clear();
            for m in batch.futures.chunks_exact(9) {
                let four = [0, 1, 3, 4].map(|i| [m[i], m[i + 1], m[i + 3], m[i + 4]]);
                let four = four.map(|four| four.map(|leaf| leaves.get(grain, leaf)));
                batch.fours.extend(four);
            }
            batch.leaves.clear();
            grain.steps(&batch.fours, 0, 0, &mut batch.leaves);
            self.intern_all(batch)?;
        } else {
            for &middle in &batch.futures {
                nodes.fetch(middle);
            }
            batch.wanted.clear();
            for m in batch.futures.chunks_exact(9) {
                let four = [0, 1, 3, 4].map(|i| {
                    let c = |k: usize, corner: usize| nodes.children(m[i + k])[corner];
                    [c(0, 3), c(1, 2), c(3, 1), c(4, 0)]
                });
                batch.wanted.extend(four);
            }
            self.look_up(batch)?;
        }

        batch.wanted.clear();
        for four in batch.futures.chunks_exact(4) {
            batch.wanted.push([four[0], four[1], four[2], four[3]]);
        }
        let quadrants = take(&mut batch.futures);
        let outcome = self.look_up(batch);
        if outcome.is_ok() {
            let tag = self.store.tag_for(question);
            for (&square, &future) in squares.iter().zip(&batch.futures) {
                nodes.remember(square, tag, future);
            }
        }
        batch.parts.extend(&quadrants);
        Ok(outcome?)
    }

    /// The nine overlapping squares of each square, half as wide, become the parts, and what
    /// is known of them the futures.
    fn nine(
        &mut self,
        batch: &mut Batch<G>,
        squares: &[u32],
        question: Question,
    ) -> Result<(), Full> {
        let nodes = &self.store.nodes;
        let tag = self.store.tag_for(question);
        let fetch = |&square: &u32| {
            for quadrant in nodes.children(square) {
                nodes.fetch(quadrant);
            }
        };
        let all = 5 * squares.len();
        batch.wanted.resize(all, [0; 4]);
        batch.hashes.resize(all, 0);
        let (wanted, _) = batch.wanted.as_chunks_mut::<5>();
        let (hashes, _) = batch.hashes.as_chunks_mut::<5>();
        squares.iter().take(AHEAD).for_each(fetch);
        for (i, ((&square, wanted), hashes)) in squares.iter().zip(wanted).zip(hashes).enumerate()
        {
            squares.get(i + AHEAD).map(fetch);
            let [a, b, c, d] = nodes
                .children(square)
                .map(|quadrant| nodes.children(quadrant));
            *wanted = [
                [a[1], b[0], a[3], b[2]],
                [a[2], a[3], c[0], c[1]],
                [a[3], b[2], c[1], d[0]],
                [b[2], b[3], d[0], d[1]],
                [c[1], d[0], c[3], d[2]],
            ];
            for (hash, &wanted) in hashes.iter_mut().zip(&*wanted) {
                *hash = mix(wanted);
                self.store.node_index.expect(*hash);
            }
        }
        batch.unknown.clear();
        let all = 9 * squares.len();
        batch.parts.resize(all, 0);
        batch.futures.resize(all, 0);
        batch.gaps.resize(all, 0);
        let mut gaps = 0;
        let (parts, _) = batch.parts.as_chunks_mut::<9>();
        let (futures, _) = batch.futures.as_chunks_mut::<9>();
        let (wanted, _) = batch.wanted.as_chunks::<5>();
        let (hashes, _) = batch.hashes.as_chunks::<5>();
        for ((&square, hashes), parts) in squares.iter().zip(hashes).zip(&mut *parts) {
            [parts[0], parts[2], parts[6], parts[8]] = nodes.children(square);
            for (&hash, at) in hashes.iter().zip([1, 3, 4, 5, 7]) {
                parts[at] = self.store.node_index.guess(hash);
                nodes.fetch(parts[at]);
            }
        }
        let found = wanted.iter().zip(hashes).zip(parts).zip(futures);
        for (i, (((wanted, hashes), parts), futures)) in found.enumerate() {
            for (k, at) in [1, 3, 4, 5, 7].into_iter().enumerate() {
                if nodes.children(parts[at]) != wanted[k] {
                    parts[at] = self.store.seek(wanted[k], hashes[k], &mut self.places)?;
                }
            }
            for (k, (&part, future)) in parts.iter().zip(futures).enumerate() {
                let (result, is_known) = nodes.peek(part, tag);
                *future = result;
                batch.gaps[gaps] = (9 * i + k) as u32;
                gaps += usize::from(!is_known);
            }
        }
        batch.gaps.truncate(gaps);
        Ok(())
    }

    /// The squares that are wanted become the parts, and what is known of them the futures.
    fn four(&mut self, batch: &mut Batch<G>, question: Question) -> Result<(), Full> {
        let nodes = &self.store.nodes;
        let tag = self.store.tag_for(question);
        std::mem::swap(&mut batch.parts, &mut batch.futures);
        self.look_up(batch)?;
        std::mem::swap(&mut batch.parts, &mut batch.futures);
        let all = batch.parts.len();
        batch.futures.resize(all, 0);
        batch.gaps.resize(all, 0);
        let mut gaps = 0;
        for (i, (&part, future)) in batch.parts.iter().zip(&mut batch.futures).enumerate() {
            let (result, is_known) = nodes.peek(part, tag);
            *future = result;
            batch.gaps[gaps] = i as u32;
            gaps += usize::from(!is_known);
        }
        batch.gaps.truncate(gaps);
        Ok(())
    }

    /// Squares that are wanted become futures.
    fn look_up(&mut self, batch: &mut Batch<G>) -> Result<(), Full> {
        let Store {
            nodes, node_index, ..
        } = self.store;
        batch.hashes.resize(batch.wanted.len(), 0);
        for (hash, &wanted) in batch.hashes.iter_mut().zip(&batch.wanted) {
            *hash = mix(wanted);
            node_index.expect(*hash);
        }
        batch.futures.resize(batch.wanted.len(), 0);
        for (future, &hash) in batch.futures.iter_mut().zip(&batch.hashes) {
            *future = node_index.guess(hash);
            nodes.fetch(*future);
        }
        let wanted = batch.wanted.iter().zip(&batch.hashes);
        for (future, (&wanted, &hash)) in batch.futures.iter_mut().zip(wanted) {
            if nodes.children(*future) != wanted {
                *future = self.store.seek(wanted, hash, &mut self.places)?;
            }
        }
        Ok(())
    }

    /// Now and then: may we go on?
    fn look(&mut self, squares: usize) -> Result<(), Stop> {
        self.since += squares;
        if self.since < LOOK_EVERY {
            return Ok(());
        }
        self.since = 0;
        if (self.go_on)() {
            Ok(())
        } else {
            Err(Stop::Asked)
        }
    }
}
