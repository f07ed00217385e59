//! Cycles: a bounded grid has finitely many states, so it comes back to one of them, under most
//! rules soon. Once that is known, whole rounds of a run are skipped, so that 10^30 generations
//! take as long as it takes to see the first round.
//!
//! Cells are not compared at each generation, which would cost as much as stepping them. From
//! time to time, each time after twice as many generations, a [`SearchWindow`] opens: fingerprints
//! of some generations in a row are kept (the baby steps), then the world is looked at only once in
//! as many generations (the giant steps). Whatever the period, one of the giant steps meets one of
//! the baby steps in the first round after the window, if the window lies on the cycle. A
//! fingerprint is no proof: what is skipped was seen to repeat cell by cell.
//!
//! After D. Shanks, "Class number, a theory of factorization, and genera" (1971), and R. P. Brent,
//! "An improved Monte Carlo factorization algorithm" (1980), which doubles in the same way.

mod window;

use crate::world::forward_queries;
use crate::{
    AdvanceCallback, AdvanceInterruption, AdvancePlan, Snapshot, StateCycle, UnsupportedError,
    World,
};
use grid::{Point, Rect, State};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use pattern::Cells;
use rule::Rule;
use window::{ComparisonOutcome, CycleConfirmation, SearchWindow};

/// A world whose states can be told from each other quickly.
pub(crate) trait FingerprintedWorld: World {
    /// A hash of the cells at their positions. Equal cells have equal fingerprints in one world,
    /// and different ones almost always different ones.
    fn fingerprint(&mut self) -> u64;
}

/// Generations before the first window. Shorter runs are as quick without.
const BEFORE_FIRST_WINDOW: u64 = 1 << 12;

/// A bounded world that skips the rounds of its cycle.
pub(crate) struct CyclicWorld {
    world: Box<dyn FingerprintedWorld>,
    /// Bytes that the world and what is kept of it may take.
    memory: u64,
    /// Generations since the cells were last changed from outside.
    age: u64,
    /// The age at which the world is looked at next.
    next_look: u64,
    window: Option<SearchWindow>,
    confirmation: Option<CycleConfirmation>,
    cycle: Option<StateCycle>,
}

impl CyclicWorld {
    /// Around a world of which nothing is known yet.
    pub(crate) fn around(world: Box<dyn FingerprintedWorld>, memory: u64) -> Self {
        Self {
            world,
            memory,
            age: 0,
            next_look: BEFORE_FIRST_WINDOW,
            window: None,
            confirmation: None,
            cycle: None,
        }
    }

    /// To be called when the cells or the generation are changed from outside.
    fn forget(&mut self) {
        (self.window, self.confirmation, self.cycle) = (None, None, None);
        (self.age, self.next_look) = (0, BEFORE_FIRST_WINDOW);
    }

    /// The fingerprint of the cells and of the rule's phase.
    fn fingerprint(&mut self) -> u64 {
        let period = self.world.rule().time_period() as u32;
        let phase = crate::phase(self.world.generation(), period);
        self.world.fingerprint().wrapping_add(phase)
    }

    /// Looks at the world at the age for which that was planned. `left` is how many generations
    /// are asked for.
    fn look(&mut self, left: &BigUint) {
        if let Some(confirmation) = self.confirmation.take() {
            return self.confirm(confirmation);
        }
        let age = self.age;
        if self
            .window
            .as_ref()
            .is_none_or(|window| window.is_over(age))
        {
            self.window = None;
            // Who asks for a few generations at a time has nothing to gain. A run that is raced goes
            // in parts that double.
            if *left < (age / 4).into() {
                self.next_look = 2 * age;
                return;
            }
            // What is kept is about as large as the world, and one more is made to be compared.
            if self.world.bytes().saturating_mul(2) > self.memory {
                self.next_look = u64::MAX;
                return;
            }
            self.window = Some(SearchWindow::new(age));
        }
        let print = self.fingerprint();
        let unit = self.world.rule().time_period() as u64;
        let Some(window) = &mut self.window else {
            return;
        };
        if let Some(before) = window
            .find(print)
            .filter(|before| (age - before).is_multiple_of(unit))
        {
            let confirmation = match &window.last_baby {
                Some(snapshot) => window.confirmation(before, age, snapshot.clone(), unit),
                None => CycleConfirmation::of_baby_steps(age - before, age, self.world.snapshot()),
            };
            if confirmation.due() == age {
                return self.confirm(confirmation);
            }
            self.next_look = confirmation.due();
            self.confirmation = Some(confirmation);
            return;
        }
        if window.is_baby(age) {
            window.insert(print, age);
        }
        if window.is_last_baby(age) {
            window.last_baby = Some(self.world.snapshot());
        }
        self.next_look = window.look_after(age);
    }

    /// Compares the cells with those of the snapshot, which they should equal.
    fn confirm(&mut self, mut confirmation: CycleConfirmation) {
        let is_same = self
            .world
            .snapshot()
            .has_same_cells(confirmation.snapshot());
        match confirmation.compared(is_same) {
            ComparisonOutcome::Refuted => {
                // The fingerprints were equal by chance.
                self.next_look = match &self.window {
                    Some(window) => window.look_after(self.age),
                    None => 2 * self.age,
                };
            }
            ComparisonOutcome::Proved { period } => {
                self.window = None;
                self.next_look = u64::MAX;
                self.cycle = Some(StateCycle {
                    period,
                    found_at: self.world.generation().clone(),
                });
            }
            ComparisonOutcome::Pending => {
                self.next_look = confirmation.due();
                self.confirmation = Some(confirmation);
            }
        }
    }
}

impl World for CyclicWorld {
    forward_queries!(world);

    fn engine_reason(&self) -> Option<&str> {
        self.world.engine_reason()
    }

    fn set_plan(&mut self, plan: &AdvancePlan) {
        self.world.set_plan(plan);
    }

    fn cycle(&self) -> Option<&StateCycle> {
        self.cycle.as_ref()
    }

    fn rule(&self) -> &Rule {
        self.world.rule()
    }

    fn generation(&self) -> &BigInt {
        self.world.generation()
    }

    fn set_generation(&mut self, generation: BigInt) {
        self.forget();
        self.world.set_generation(generation);
    }

    fn set(&mut self, p: Point, state: State) -> Result<(), UnsupportedError> {
        self.forget();
        self.world.set(p, state)
    }

    fn load(&mut self, cells: &Cells) -> Result<(), UnsupportedError> {
        self.forget();
        self.world.load(cells)
    }

    fn write_bits(&mut self, rect: Rect, bits: &[u64]) -> Result<(), UnsupportedError> {
        self.forget();
        self.world.write_bits(rect, bits)
    }

    fn replace_cells(
        &mut self,
        cells: &Cells,
        generation: &BigInt,
    ) -> Result<(), UnsupportedError> {
        self.forget();
        self.world.replace_cells(cells, generation)
    }

    fn erase(&mut self, rect: Rect) {
        self.forget();
        self.world.erase(rect);
    }

    fn keep_only(&mut self, rect: Rect) {
        self.forget();
        self.world.keep_only(rect);
    }

    fn snapshot(&self) -> Snapshot {
        self.world.snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), UnsupportedError> {
        self.forget();
        self.world.restore(snapshot)
    }

    fn advance(
        &mut self,
        n: &BigUint,
        control: &mut AdvanceCallback<'_>,
    ) -> Result<(), AdvanceInterruption> {
        let mut done = BigUint::zero();
        while done < *n {
            let left = n - &done;
            if let Some(StateCycle { period, .. }) = self.cycle
                && left >= period.into()
            {
                // Whole rounds change nothing.
                let skipped = &left / period * period;
                let generation = self.world.generation() + BigInt::from(skipped.clone());
                self.world.set_generation(generation);
                done += skipped;
                continue;
            }
            let until_look = self.next_look.saturating_sub(self.age);
            let batch = left.to_u64().unwrap_or(u64::MAX).min(until_look);
            let before = self.world.generation().clone();
            let outcome = self
                .world
                .advance(&batch.into(), &mut |more| control(&(&done + more)));
            let moved = (self.world.generation() - before).to_u64().unwrap_or(0);
            self.age = self.age.saturating_add(moved);
            done += moved;
            outcome?;
            if self.age >= self.next_look && done < *n {
                self.look(&(n - &done));
            }
            if done < *n && !control(&done) {
                return Err(AdvanceInterruption);
            }
        }
        Ok(())
    }

    fn work(&self) -> Option<u64> {
        self.world.work()
    }

    fn set_memory_limit(&mut self, bytes: u64) {
        self.memory = bytes;
        self.world.set_memory_limit(bytes);
    }

    fn bytes(&self) -> u64 {
        let window = self.window.as_ref().map_or(0, SearchWindow::bytes);
        let confirmation = self.confirmation.as_ref();
        self.world.bytes() + window + confirmation.map_or(0, CycleConfirmation::bytes)
    }
}
