//! The rounds of a plane of bit tiles: threads, and polling.

use super::AdvanceProgress;
use super::bit::frontier_pass::{FrontierPass, FrontierPassSlice, FrontierPassTask, PassFollowUp};
use super::bit::{BitTiles, RING, phase};
use crate::AdvanceInterruption;
use crate::arch::ForkJoinPool;
use kernel::simd::SimdElement;
use pattern::interrupt::is_wanted;
use std::sync::Mutex;

/// Tiles that a thread steps between two polls: some milliseconds of work.
const TILES_PER_POLL: u64 = 30_000;

/// The same between rounds, where a cancelled run loses nothing: some tenths of a millisecond of work,
/// so that who compares engines can take little more time than is meant to be taken.
const TILES_BETWEEN_ROUNDS: u64 = 4_000;

/// Tiles from which on another thread pays.
const MIN_TILES_PER_THREAD: usize = 64;

/// Schedules the rounds of a call of `advance`: threads, and polling.
pub(super) struct RoundScheduler {
    most: usize,
    /// Started when there is work for it.
    pool: Option<ForkJoinPool>,
    /// Tiles stepped since the last poll.
    stepped: u64,
    /// Tiles up to which it does not poll.
    poll_limit: u64,
}

impl RoundScheduler {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            most: threads,
            pool: None,
            stepped: 0,
            poll_limit: TILES_PER_POLL,
        }
    }

    /// Before a round of this many tiles that was cancelled this many times in turn: each time
    /// it runs for longer before the first poll, so that it completes even if every poll
    /// cancels it.
    fn begin(&mut self, tiles: usize, cancelled_rounds: u32) {
        let longer = TILES_PER_POLL
            .checked_shl(cancelled_rounds)
            .unwrap_or(u64::MAX);
        self.poll_limit = longer.min(tiles as u64).max(TILES_PER_POLL);
    }

    /// The number of threads for this many tiles.
    fn threads(&mut self, tiles: usize) -> usize {
        let threads = (tiles / MIN_TILES_PER_THREAD).min(self.most);
        if threads < 2 {
            return 1;
        }
        let pool = self
            .pool
            .get_or_insert_with(|| ForkJoinPool::new(self.most));
        threads.min(pool.len())
    }

    /// Polls between two rounds, if tiles enough were stepped since the last time.
    fn poll_between_rounds(
        &mut self,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption> {
        match self.stepped > TILES_BETWEEN_ROUNDS {
            true => {
                self.stepped = 0;
                progress.poll()
            }
            false => Ok(()),
        }
    }

    fn run(&mut self, job: &(impl Fn(usize) + Sync)) {
        match &mut self.pool {
            Some(pool) => pool.run(job),
            None => job(0),
        }
    }

    /// Polls, if necessary, before this many more tiles are stepped.
    fn poll(
        &mut self,
        tiles: u64,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption> {
        if self.stepped > self.poll_limit {
            self.stepped = 0;
            progress.poll()?;
        }
        // who only wants to look after other things comes again; who wants no more of it does not
        if !is_wanted() {
            return Err(AdvanceInterruption);
        }
        self.stepped += tiles + 1;
        Ok(())
    }
}

impl BitTiles {
    /// Advances by all remaining whole rounds. Lone ships are not stepped; where nothing else
    /// is left, time is skipped until one meets something.
    pub(super) fn rounds(
        &mut self,
        progress: &mut AdvanceProgress<'_, '_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut pace = RoundScheduler::new(self.threads);
        while progress.left() >= (RING - self.ahead) as u64 {
            if self.ahead == 0 && self.awake.is_idle() {
                let Some(rounds) = self.ships.rounds_left() else {
                    // Everything that is left repeats with a round.
                    progress.skip_rounds(RING as u64);
                    break;
                };
                pace.poll(1, progress)?;
                let rounds = rounds.min(progress.left() / RING as u64);
                self.ships.advance_clock(rounds);
                self.advance_due();
                progress.done(rounds * RING as u64);
                progress.work += 1;
                continue;
            }
            pace.poll_between_rounds(progress)?;
            progress.check_capacity(self.sheet.len() + self.ships.len())?;
            self.round(progress.odd() ^ (self.ahead % 2 == 1), progress, &mut pace)?;
            progress.done((RING - self.ahead) as u64);
            self.set_ahead(0);
        }
        Ok(())
    }

    /// Advances all tiles by a round, from a generation of the given parity. If it is
    /// cancelled, nothing has changed.
    fn round(
        &mut self,
        odd: bool,
        progress: &mut AdvanceProgress<'_, '_>,
        pace: &mut RoundScheduler,
    ) -> Result<(), AdvanceInterruption> {
        self.awake.take(&mut self.work);
        let threads = pace.threads(self.work.len());
        self.found
            .resize_with(threads.max(self.found.len()), PassFollowUp::default);
        let looks = self.ships.should_scan(progress.left());
        pace.begin(self.work.len(), self.cancelled_rounds);
        let result = self.step(odd, threads, looks, progress, pace);
        if result.is_err() {
            self.cancelled_rounds =
                (self.cancelled_rounds + 1).min(u64::BITS - TILES_PER_POLL.ilog2() - 1);
            // They were taken as awake, and still are.
            self.work
                .drain(..)
                .for_each(|slot| self.awake.wake(slot as usize));
            for found in &mut self.found {
                found.lacking.clear();
                found.fallen.clear();
                found.inside.clear();
            }
            return result;
        }
        progress.work += self.work.len() as u64 + 1;
        self.work.clear();
        self.now ^= 1;
        self.ships.advance_clock(1);
        let mut found = std::mem::take(&mut self.found);
        for found in &mut found {
            for slot in found.fallen.drain(..) {
                if !self.awake.is_awake(slot as usize) {
                    self.remove(slot - 1);
                }
            }
        }
        for found in &mut found {
            for (slot, sides) in found.lacking.drain(..) {
                self.surround(slot - 1, sides);
            }
        }
        self.advance_due();
        for found in &mut found {
            self.launch(found.inside.drain(..), odd);
        }
        self.found = found;
        Ok(())
    }

    /// Steps the tiles in `work` by a round.
    fn step(
        &mut self,
        odd: bool,
        threads: usize,
        looks: bool,
        progress: &mut AdvanceProgress<'_, '_>,
        pace: &mut RoundScheduler,
    ) -> Result<(), AdvanceInterruption> {
        let (now, next) = self.cells.split(self.now);
        let round = FrontierPass {
            kernel: &self.kernel,
            phases: [phase(&self.kernel, odd), phase(&self.kernel, !odd)],
            links: &self.links,
            awake: &self.awake,
            now,
            looks,
            generations: RING,
        };
        for slots in self.work.chunks(TILES_PER_POLL as usize * threads) {
            pace.poll(slots.len() as u64, progress)?;
            let mut next = &mut next[..];
            let mut start = 0;
            if let ([found], 1) = (&mut self.found[..], threads) {
                // Without a list of parts, which small worlds would allocate each round.
                let part = FrontierPassSlice {
                    slots,
                    sink: self.awake.sink(0),
                    start,
                    next,
                    found,
                };
                u64::dispatch(FrontierPassTask(&round, part));
                continue;
            }
            let mut parts = Vec::with_capacity(threads);
            for (k, found) in self.found[..threads].iter_mut().enumerate() {
                let from = slots.len() * k / threads;
                let to = slots.len() * (k + 1) / threads;
                let end = slots
                    .get(to)
                    .map_or(start + next.len(), |slot| *slot as usize);
                let (own, others) = next.split_at_mut(end - start);
                parts.push(Mutex::new(Some(FrontierPassSlice {
                    slots: &slots[from..to],
                    sink: self.awake.sink(k),
                    start,
                    next: own,
                    found,
                })));
                (next, start) = (others, end);
            }
            pace.run(&|k: usize| {
                let part = parts.get(k).and_then(|part| part.lock().ok()?.take());
                if let Some(part) = part {
                    u64::dispatch(FrontierPassTask(&round, part));
                }
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::{NaiveWorld, Tiles, Torus, World};
    use dice::Dice;
    use grid::{Point, Rect};
    use kernel::simd::with_each_width;
    use num_bigint::BigUint;
    use pattern::interrupt::{ContinueCheck, interruptible};
    use pattern::{Cells, Run};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// About half of the cells of a rectangle, whose corner is the origin.
    fn soup(width: i64, height: i64, seed: u64) -> Cells {
        let mut dice = Dice::new(seed);
        let mut runs = Vec::new();
        for y in 0..height {
            for x in 0..width {
                if dice.coin() {
                    runs.push(cell(x, y));
                }
            }
        }
        Cells::from_runs(runs)
    }

    fn cell(x: i64, y: i64) -> Run {
        Run {
            y,
            x,
            length: 1,
            state: 1,
        }
    }

    fn tiles(rule: &str, cells: &Cells, threads: usize) -> Tiles {
        let world = Tiles::new(rule.parse().unwrap()).unwrap();
        let mut world = world.with_threads(threads);
        world.load(cells).unwrap();
        world
    }

    fn advance(world: &mut dyn World, n: u32) {
        world.advance(&n.into(), &mut |_| true).unwrap();
    }

    #[test]
    fn rounds_and_parts_of_them_are_what_the_oracle_says() {
        for rule in [
            "B3/S23",
            "B36/S23",
            "B2/S34H",
            "B2n3-y4c/S23-a4i",
            "B03/S23",
        ] {
            // Over the corners of some tiles.
            let cells = soup(120, 61, 7);
            let mut oracle = NaiveWorld::new(rule.parse().unwrap());
            oracle.load(&cells).unwrap();
            let mut expected = Vec::new();
            for _ in 0..23 {
                expected.push(oracle.cells());
                advance(&mut oracle, 1);
            }
            with_each_width(|| {
                for steps in [&[1, 2, 3, 4, 5, 7][..], &[22], &[3, 8, 1, 10], &[6, 6, 6]] {
                    let mut world = tiles(rule, &cells, 1);
                    let mut generation = 0;
                    for &n in steps {
                        advance(&mut world, n);
                        generation += n as usize;
                        let (found, expected) = (world.cells(), &expected[generation]);
                        assert!(found == *expected, "{rule} at {generation} by {steps:?}");
                    }
                }
            });
        }
    }

    /// More tiles than a group has, and than one thread steps for itself.
    #[test]
    fn threads_do_the_same() {
        let cells = soup(2000, 2000, 3);
        let mut torus = Torus::new("B3/S23:T2300,2300".parse().unwrap()).unwrap();
        let centred = cells.translated(-1000, -1000);
        torus.load(&centred).unwrap();
        advance(&mut torus, 61);
        for threads in [1, 2, 3, 7] {
            let mut world = tiles("B3/S23", &cells, threads);
            advance(&mut world, 30);
            advance(&mut world, 31);
            assert_eq!(world.population(), torus.population(), "{threads} threads");
            assert_eq!(world.hash(), torus.hash(), "{threads} threads");
        }
    }

    /// In each of 201 x 201 tiles.
    fn pentominoes() -> Cells {
        let pentomino = [(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)];
        let places = (0..201 * 201).map(|k| (k % 201 * 56, k / 201 * 56));
        let runs =
            places.flat_map(|(x, y)| pentomino.map(|(dx, dy)| cell(x + dx + 20, y + dy + 20)));
        Cells::from_runs(runs.collect())
    }

    /// What tiles hold may be written over only where it is worked out again.
    #[test]
    fn settling_may_be_stopped() {
        let cells = pentominoes();
        let mut whole = tiles("B3/S23", &cells, 1);
        advance(&mut whole, 3);
        let at_3 = whole.hash();
        advance(&mut whole, 36);
        let mut world = tiles("B3/S23", &cells, 1);
        for _ in 0..13 {
            advance(&mut world, 3);
            let left = AtomicU32::new(2);
            let keep_going: Arc<ContinueCheck> =
                Arc::new(move || left.fetch_sub(1, Ordering::Relaxed) > 1);
            let stopped = interruptible(&keep_going, || world.finish_pending_work());
            // between two rounds there is something to settle
            let is_settled = !world.generation().bit(0) && !world.generation().bit(1);
            assert_eq!(stopped.is_ok(), is_settled);
            if *world.generation() == 3.into() {
                assert_eq!(world.hash(), at_3);
            }
        }
        assert_eq!(world.hash(), whole.hash());
        let mut settled = tiles("B3/S23", &cells, 1);
        advance(&mut settled, 3);
        settled.finish_pending_work();
        assert_eq!(settled.hash(), at_3);
    }

    /// Between two rounds the present is worked out for a few tiles or, once, for all of them,
    /// where there is room; and it is another one after each change.
    #[test]
    fn whoever_looks_between_rounds_sees_the_same() {
        let cells = soup(600, 500, 11);
        let rule = "B3/S23";
        let mut oracle = NaiveWorld::new(rule.parse().unwrap());
        oracle.load(&cells).unwrap();
        let (corner, all) = (Rect::new(0, 0, 70, 9), Rect::new(-99, -99, 900, 900));
        let roomy = tiles(rule, &cells, 1);
        // as many as it holds, and not half as many more
        let (_, _, tile) = roomy.representation.plane().tile();
        let most = roomy.representation.plane().tiles() as u64 * 4 / 3;
        let tight = tiles(rule, &cells, 1).with_memory_limit(most * tile);
        let mut worlds = [roomy, tight];
        let (mut seen, mut expected) = (Vec::new(), Vec::new());
        for generation in 0..12 {
            for world in &mut worlds {
                for rect in [corner, all, corner] {
                    world.bits_in(rect, &mut seen);
                    oracle.bits_in(rect, &mut expected);
                    assert!(seen == expected, "{rect:?} at {generation}");
                    assert_eq!(world.population(), oracle.population());
                }
                assert_eq!(world.bounds(), oracle.bounds());
                assert!(world.cells() == oracle.cells(), "at {generation}");
            }
            if generation % 5 == 2 {
                let p = Point::new(300 + generation, 200);
                let state = 1 - oracle.get(p);
                oracle.set(p, state).unwrap();
                for world in &mut worlds {
                    world.set(p, state).unwrap();
                    assert_eq!(world.get(p), state);
                    assert_eq!(world.population(), oracle.population());
                }
            }
            advance(&mut oracle, 1);
            for world in &mut worlds {
                advance(world, 1);
            }
        }
        let [roomy, tight] = worlds;
        assert!(roomy.bytes() > tight.bytes() + (32 << 10));
    }

    #[test]
    fn a_round_may_be_given_up() {
        let cells = pentominoes();
        for threads in [1, 2] {
            let mut world = tiles("B3/S23", &cells, threads);
            let mut asked = 0;
            let n = BigUint::from(40_u32);
            let mut stops = 0;
            while *world.generation() < 40.into() {
                let left = &n - world.generation().to_biguint().unwrap();
                let result = world.advance(&left, &mut |_| {
                    asked += 1;
                    asked % 3 != 1
                });
                stops += u32::from(result.is_err());
                assert!(!world.generation().bit(0) && !world.generation().bit(1));
            }
            assert!(stops > 1, "{stops}");
            let mut whole = tiles("B3/S23", &cells, 1);
            advance(&mut whole, 40);
            assert_eq!(world.hash(), whole.hash());
        }
    }
}
