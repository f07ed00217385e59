//! A run as macro steps: which lengths it goes in, and what happens where one does not fit in
//! memory.

use super::HashlifeWorld;
use super::capacity::GrowthOutcome;
use super::step::{self, MacroStep, StepInterruption};
use super::step_length::StepLength;
use super::store::collection::RetentionPolicy;
use crate::{AdvanceCallback, AdvanceInterruption, phase};
use num_bigint::{BigInt, BigUint};

/// Binary digits of generations for which a world always has the levels.
const FEW_DIGITS: u64 = 1 << 14;

/// Bytes that each level of a step takes, besides numbers as long as the step's: a population for each
/// of a few nodes.
const BYTES_A_LEVEL: u64 = 1 << 12;

/// Whether so long a step has so many levels that they would not fit in memory.
pub(super) fn needs_too_many_levels(generations: &BigUint, memory: u64) -> bool {
    let levels = generations.bits();
    let bytes = levels.saturating_mul(BYTES_A_LEVEL + levels / 2);
    levels > FEW_DIGITS && bytes > memory
}

impl HashlifeWorld {
    /// Advances by one macro step, freeing memory or growing the tables as needed.
    fn macro_step(
        &mut self,
        length: &StepLength,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepInterruption> {
        if !self.store.run_maintenance(keep_going) {
            return Err(StepInterruption::Cancelled);
        }
        self.store.begin_step(length);
        self.store.summary_bytes_an_id = self.summaries.get_mut().bytes_an_id();
        loop {
            let before = (self.root, self.level);
            let outcome = match self.torus {
                None => self.try_macro_step(length, keep_going),
                Some(_) => self.try_torus_macro_step(length, keep_going),
            };
            if outcome.is_err() {
                // The attempt may have widened the root.
                (self.root, self.level) = before;
            }
            let in_flight = std::mem::take(&mut self.in_flight);
            let memory = self.memory;
            // Capacity that is used up before a single result is computed will never suffice.
            self.failed_attempts = if self.computed == 0 {
                self.failed_attempts + 1
            } else {
                0
            };
            if self.failed_attempts > 3 && outcome == Err(StepInterruption::TablesFull) {
                self.failed_attempts = 0;
                return Err(StepInterruption::OutOfMemory);
            }
            match outcome {
                Err(StepInterruption::TablesFull) => {}
                other => {
                    self.failed_attempts = 0;
                    self.retry_growing(Self::shrink);
                    return other;
                }
            }
            let capacity = (self.store.nodes.lines(), self.store.leaves.capacity());
            let roots = self.roots();
            match self
                .store
                .ensure_capacity(memory, roots, in_flight, keep_going)
            {
                GrowthOutcome::Available => {}
                GrowthOutcome::Interrupted => return Err(StepInterruption::Cancelled),
                GrowthOutcome::Insufficient => return Err(StepInterruption::OutOfMemory),
            }
            if capacity != (self.store.nodes.lines(), self.store.leaves.capacity()) {
                // The capacity has grown: start counting again.
                self.failed_attempts = 0;
            }
        }
    }

    /// One attempt at [`HashlifeWorld::macro_step`] on the plane; fails when the tables are
    /// full.
    fn try_macro_step(
        &mut self,
        length: &StepLength,
        keep_going: &mut dyn FnMut() -> bool,
    ) -> Result<(), StepInterruption> {
        // What the step can influence must stay inside the centre: the margin is a quarter
        // wide.
        let least = length.exponent() + 2 + self.store.leaf_kind.speed_exponent();
        while self.level < least || !self.is_centred() {
            self.widen()?;
        }
        self.widen()?;
        let phase = phase(&self.generation, self.store.leaf_kind.time_period() as u32);
        let request = MacroStep {
            nodes: &[self.root],
            level: self.level,
            length,
            phase,
        };
        let outcome = step::workers::run(&self.store, request, keep_going);
        self.store.ages.count_results(&outcome.computed);
        self.computed = outcome.computed.iter().sum();
        self.work += self.computed as u64;
        self.in_flight = outcome.in_flight;
        self.root = outcome.results?[0];
        self.level -= 1;
        self.generation += BigInt::from(length.generations().clone());
        Ok(())
    }

    /// [`World::advance`] without the conversion from and to a torus array. A step that does
    /// not fit in memory is split into shorter ones.
    pub(super) fn run_macro_steps(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut left = StepLength::split(&self.generation, n);
        // A node memoises one result at a time. Steps are powers of two, which need one result
        // per level, where two results would evict each other: on a torus, whose nodes are
        // alike; where memory is scarce; where several threads could mistake one for the other;
        // and where runs are interrupted, since evicted results are lost progress.
        let is_shared = self.store.threads > 1 && !left.iter().all(StepLength::is_short);
        if self.torus.is_some()
            || self.max_exponent < u32::MAX
            || is_shared
            || self.expects_interruption
        {
            left = left.iter().flat_map(StepLength::powers).collect();
        }
        left.reverse();
        let mut done = BigUint::ZERO;
        // whether all but the world itself was freed for the step that is due
        let mut has_freed_all = false;
        while let Some(length) = left.pop() {
            let is_longer = length.exponent() > self.max_exponent;
            let outcome = if is_longer {
                Err(StepInterruption::OutOfMemory)
            } else {
                self.macro_step(&length, &mut || control(&done))
            };
            match outcome {
                Ok(()) => {
                    done += length.generations();
                    has_freed_all = false;
                }
                Err(StepInterruption::Cancelled) => {
                    (self.was_interrupted, self.expects_interruption) = (true, true);
                    return Err(AdvanceInterruption);
                }
                Err(StepInterruption::OutOfMemory | StepInterruption::TablesFull) => {
                    if !is_longer {
                        let roots = self.roots();
                        self.store
                            .collect(roots, Vec::new(), RetentionPolicy::RootsOnly);
                    }
                    let parts = length.shorter_steps();
                    if parts.is_empty() && !has_freed_all {
                        has_freed_all = true;
                        left.push(length);
                        continue;
                    }
                    if parts.is_empty() {
                        // Not even a single generation fits: the world itself is too large.
                        self.max_exponent = u32::MAX;
                        self.is_out_of_memory = true;
                        return Err(AdvanceInterruption);
                    }
                    // Remembered for the remaining steps, also after an interruption.
                    let fits = if length.is_power_of_two() {
                        length.exponent() - 1
                    } else {
                        length.exponent()
                    };
                    self.max_exponent = self.max_exponent.min(fits);
                    left.extend(parts.into_iter().rev());
                    continue;
                }
            }
            if !control(&done) {
                return Err(AdvanceInterruption);
            }
        }
        self.max_exponent = u32::MAX;
        self.expects_interruption = std::mem::take(&mut self.was_interrupted);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::bits::BitLeafKind;
    use super::*;
    use crate::{World, open_hashlife};
    use dice::Dice;
    use grid::Point;
    use kernel::BitKernel;
    use rule::Rule;

    fn soup(memory: u64) -> HashlifeWorld {
        let rule: Rule = "B3/S23".parse().unwrap();
        let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
        let mut world = HashlifeWorld::new(rule, Box::new(BitLeafKind::new(kernel)), None, memory);
        let mut dice = Dice::new(1);
        for (x, y) in (0..80).flat_map(|y| (0..80).map(move |x| (x, y))) {
            world.set(Point::new(x, y), dice.coin().into()).unwrap();
        }
        world
    }

    /// A run that makes many times the nodes that memory can hold gives the same cells, and
    /// stays within its budget but for one polling interval's nodes.
    #[test]
    fn memory_is_kept_by_collecting_and_by_shorter_steps() {
        let mut roomy = soup(1 << 30);
        let n = BigUint::from(3000_u32);
        roomy.advance(&n, &mut |_| true).unwrap();
        for memory in [1 << 16, 1 << 17, 1 << 18] {
            assert!(roomy.store.bytes() > 4 * memory, "{}", roomy.store.bytes());
            let mut tight = soup(memory);
            tight.advance(&n, &mut |_| true).unwrap();
            assert_eq!(tight.memory, memory, "the world itself fits");
            assert!(tight.store.bytes() < memory + 4096, "{memory} bytes");
            assert_eq!(tight.hash(), roomy.hash(), "{memory} bytes");
        }
    }

    /// Whoever goes generation by generation is not stopped by what was kept for later steps.
    #[test]
    fn single_generations_fit_where_the_world_does() {
        let mut roomy = soup(1 << 30);
        for memory in [1 << 16, 1 << 17, 1 << 18] {
            let mut tight = soup(memory);
            for generation in 0..600 {
                let outcome = tight.advance(&1u32.into(), &mut |_| true);
                assert_eq!(outcome, Ok(()), "generation {generation}, {memory} bytes");
            }
            if roomy.generation() != tight.generation() {
                roomy.advance(&600u32.into(), &mut |_| true).unwrap();
            }
            assert_eq!(tight.hash(), roomy.hash(), "{memory} bytes");
        }
    }

    /// Whatever is freed and computed again, and however often leaves are moved, all kinds of
    /// leaves come to the cells of a run that was never short of memory.
    #[test]
    fn collections_at_any_bound_change_nothing() {
        for (rule, side, n, bounds) in [
            ("B3/S23", 64, 2500, [15, 16, 17]),
            ("B36/S23", 48, 1500, [15, 16, 17]),
            ("B3/S23:T96,64", 48, 1500, [15, 16, 17]),
            ("345/2/4", 32, 300, [16, 17, 18]),
            ("R2,C0,M1,S8..12,B7..8,NM", 24, 60, [15, 16, 17]),
        ] {
            let open = |memory: u64| {
                let mut world = open_hashlife(rule.parse().unwrap(), memory).unwrap();
                let mut dice = Dice::new(29);
                for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
                    let at = Point::new(x - side / 2, y - side / 2);
                    world.set(at, dice.coin().into()).unwrap();
                }
                world
            };
            let n = BigUint::from(n as u32);
            let mut free = open(1 << 30);
            free.advance(&n, &mut |_| true).unwrap();
            let mut finished = 0;
            for exponent in bounds {
                let mut tight = open(1 << exponent);
                let outcome = tight.advance(&n, &mut |_| true);
                if outcome.is_err() {
                    assert!(tight.memory_limit_error().is_some(), "{rule} 2^{exponent}");
                    continue;
                }
                finished += 1;
                assert_eq!(tight.hash(), free.hash(), "{rule} 2^{exponent}");
                assert!(tight.bytes() < free.bytes(), "{rule} 2^{exponent}");
            }
            assert!(finished > 1, "{rule}: {finished}, {} bytes", free.bytes());
        }
    }

    /// Where not even one generation fits, the world stops and loses nothing; with more memory
    /// it continues.
    #[test]
    fn a_world_that_outgrows_its_memory_stops() {
        const ACORN: [(i64, i64); 7] = [(1, 0), (3, 1), (0, 2), (1, 2), (4, 2), (5, 2), (6, 2)];
        let acorn = |memory: u64| {
            let rule: Rule = "B3/S23".parse().unwrap();
            let kernel = BitKernel::compile(&rule, jit::backend()).unwrap();
            let mut world =
                HashlifeWorld::new(rule, Box::new(BitLeafKind::new(kernel)), None, memory);
            for (x, y) in ACORN {
                world.set(Point::new(x, y), 1).unwrap();
            }
            world
        };
        for memory in [1 << 12, 1 << 13] {
            let mut tight = acorn(memory);
            let n = BigUint::from(3000_u32);
            assert_eq!(tight.advance(&n, &mut |_| true), Err(AdvanceInterruption));
            assert_eq!(
                tight.memory_limit_error().map(|full| full.limit),
                Some(memory)
            );
            let done = tight.generation().to_biguint().unwrap();
            assert!(done > 10_u32.into() && done < n, "{done}");
            let mut roomy = acorn(1 << 30);
            roomy.advance(&done, &mut |_| true).unwrap();
            assert_eq!(tight.hash(), roomy.hash());
            assert_eq!(roomy.memory_limit_error(), None);
            // Resumed, it stops again, if perhaps a little later: steps of other lengths may
            // just fit.
            assert_eq!(tight.advance(&n, &mut |_| true), Err(AdvanceInterruption));
            let last = tight.generation().to_biguint().unwrap();
            roomy.advance(&(&last - &done), &mut |_| true).unwrap();
            let done = last;
            assert!(done < n, "{done}");
            assert_eq!(tight.hash(), roomy.hash());
            tight.memory = 1 << 30;
            tight.advance(&(&n - &done), &mut |_| true).unwrap();
            roomy.advance(&(n - done), &mut |_| true).unwrap();
            assert_eq!(tight.memory_limit_error(), None);
            assert_eq!(tight.hash(), roomy.hash());
        }
    }
}
