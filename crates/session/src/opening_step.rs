//! Chooses the step size that a large pattern is opened with.
//!
//! A pattern that is seen whole, and is a million cells wide, changes by less than a pixel in a
//! generation, so steps of one generation look like standing still. Steps are as long as two
//! bounds allow: light must not cross more than a small part of the pattern in one, and the engine
//! must do one in about a tenth of a second. The second is measured by a trial: steps of 1, 2, 4, …
//! generations, one after the other, until one takes too long. Own method.

use engine::World;
use num_bigint::BigUint;
use num_traits::One as _;
use std::time::Duration;

/// Light needs about this many steps to cross the longer side of a pattern.
const STEPS_ACROSS: u64 = 512;

/// The longest time that a step may take.
const MAX_STEP_TIME: Duration = Duration::from_millis(100);

/// The longest time that the whole trial may take.
const MAX_TRIAL_TIME: Duration = Duration::from_millis(400);

/// The longest step that may suit a world, as a power of two: 0 for one that needs no trial.
pub(crate) fn longest_power(world: &dyn World) -> u32 {
    let Some(bounds) = world.bounds() else {
        return 0;
    };
    let steps = bounds.width.max(bounds.height) / STEPS_ACROSS;
    steps.bits().saturating_sub(1).try_into().unwrap_or(0)
}

/// Runs the world for a moment, and returns the longest step that is quick enough, as a power of
/// two up to `most`. `clock` is the time since any moment.
pub(crate) fn try_steps(world: &mut dyn World, most: u32, clock: &dyn Fn() -> Duration) -> u32 {
    let mut trial = StepTrial::new(most);
    while let Some(power) = trial.next_power() {
        let begun = clock();
        let mut in_time = |_: &BigUint| clock().saturating_sub(begun) < MAX_STEP_TIME;
        let outcome = world.advance(&(BigUint::one() << power), &mut in_time);
        trial.record(outcome.ok().map(|()| clock().saturating_sub(begun)));
    }
    trial.suitable()
}

/// The decision, on measured times.
#[derive(Debug)]
struct StepTrial {
    most: u32,
    /// The next step to try.
    power: u32,
    spent: Duration,
    is_over: bool,
}

impl StepTrial {
    fn new(most: u32) -> Self {
        Self {
            most,
            power: 0,
            spent: Duration::ZERO,
            is_over: false,
        }
    }

    /// The next step to measure, as a power of two; none when the trial is over.
    fn next_power(&self) -> Option<u32> {
        (!self.is_over && self.power <= self.most).then_some(self.power)
    }

    /// How long the step took; none where it was not finished.
    fn record(&mut self, took: Option<Duration>) {
        match took.filter(|took| *took <= MAX_STEP_TIME) {
            Some(took) => {
                self.power += 1;
                self.spent += took;
                self.is_over = self.spent >= MAX_TRIAL_TIME;
            }
            None => self.is_over = true,
        }
    }

    /// The longest step that was quick enough, as a power of two.
    fn suitable(&self) -> u32 {
        self.power.saturating_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chosen power where a step of 2^p generations takes so many milliseconds.
    fn chosen(most: u32, cost: impl Fn(u32) -> u64) -> (u32, u32) {
        let (mut trial, mut tried) = (StepTrial::new(most), 0);
        while let Some(power) = trial.next_power() {
            tried += 1;
            trial.record(Some(Duration::from_millis(cost(power))));
        }
        (trial.suitable(), tried)
    }

    #[test]
    fn the_longest_step_within_a_tenth_of_a_second_suits() {
        // a stepping engine: 3 ms a generation
        assert_eq!(chosen(20, |power| 3 << power), (5, 7));
        // HashLife, once its tables are filled
        assert_eq!(chosen(12, |_| 1), (12, 13));
        // the size of the pattern bounds it, and so does the time of the trial
        assert_eq!(chosen(3, |_| 0), (3, 4));
        assert_eq!(chosen(30, |_| 100), (3, 4));
        // one generation is slow already
        assert_eq!(chosen(9, |_| 101), (0, 1));
    }

    #[test]
    fn a_step_that_was_broken_off_does_not_suit() {
        let mut trial = StepTrial::new(9);
        trial.record(Some(Duration::ZERO));
        trial.record(Some(Duration::ZERO));
        trial.record(None);
        assert_eq!((trial.next_power(), trial.suitable()), (None, 1));
    }
}
