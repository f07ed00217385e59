//! Chooses how many generations to compute between two frames at full speed.
//!
//! Generations between two frames are not shown, so they are computed in one macro step of 2^k
//! generations. With HashLife a macro step of 4096 generations may take as long as a single
//! generation, or less, and one in between may take longer; the first macro steps of a length are
//! slow, and changing the length invalidates the memoised results. So longer macro steps are
//! tried in turn, each for a moment, until they bring no gain; then the best length is kept until
//! its cost changes or some time has passed. Own method.

/// The longest macro step in seconds, drawing included, that looks like motion.
const SMOOTH_SECONDS: f64 = 1.0 / 30.0;

/// A length is measured after this many macro steps and this many seconds...
const TRIAL: (u32, f64) = (4, 0.1);

/// ...or after this many seconds, however few macro steps were done; a length that takes much
/// longer is abandoned.
const MAX_TRIAL_SECONDS: f64 = 2.0;

/// Give up after this many lengths in a row without a gain.
const MAX_WORSE: u32 = 2;

/// Seconds until longer macro steps are tried again; doubled each time.
const FIRST_REST_SECONDS: f64 = 10.0;

/// The longest macro step as a power of two.
const MAX_POWER: usize = 32;

/// The current length of macro steps, and the measured costs of others.
#[derive(Clone, Debug)]
pub(crate) struct MacroStepTuner {
    /// Seconds that a macro step of 2^i generations takes.
    costs: Vec<f64>,
    /// The current length, as a power of two.
    power: usize,
    /// How many longer macro steps in a row brought no gain.
    worse: u32,
    /// Seconds until longer macro steps are tried; `None` while they are being tried.
    rest: Option<f64>,
    /// The previous waiting time.
    last_rest: f64,
    /// Seconds since the current macro step began, or the first of those finished since...
    spent: f64,
    /// ...and how many have finished.
    done: u32,
    /// Since this length was chosen: macro steps, seconds, and the cost of one: the minimum
    /// while lengths are tried, a smoothed mean after that.
    measured_steps: u32,
    seconds: f64,
    cost: f64,
    /// The engine that was measured.
    engine: &'static str,
}

impl Default for MacroStepTuner {
    fn default() -> Self {
        Self {
            costs: Vec::new(),
            power: 0,
            worse: 0,
            rest: None,
            last_rest: FIRST_REST_SECONDS / 2.0,
            spent: 0.0,
            done: 0,
            measured_steps: 0,
            seconds: 0.0,
            cost: f64::INFINITY,
            engine: "",
        }
    }
}

impl MacroStepTuner {
    /// Adds elapsed seconds with this engine, and returns the length of macro steps as a power of
    /// two. Where the length changes, the last macro step has finished or is abandoned.
    pub(crate) fn next(&mut self, seconds: f64, engine: &'static str) -> usize {
        if self.engine != engine {
            *self = Self {
                engine,
                ..Self::default()
            };
            return 0;
        }
        self.spent += seconds;
        if let Some(rest) = &mut self.rest {
            *rest -= seconds;
        }
        let known = self.costs.last().copied().unwrap_or(0.0);
        if self.done == 0 && self.spent > 4.0 * known.max(MAX_TRIAL_SECONDS) {
            self.done = 1;
        }
        if self.done > 0 {
            let cost = self.spent / f64::from(self.done);
            self.measured_steps = self.measured_steps.saturating_add(self.done);
            self.seconds += self.spent;
            (self.spent, self.done) = (0.0, 0);
            match self.rest {
                None => self.try_longer(cost),
                Some(rest) => self.keep(cost, rest),
            }
        }
        self.power
    }

    /// The current length, as a power of two of generations.
    pub(crate) fn power(&self) -> usize {
        self.power
    }

    /// Records a finished macro step.
    pub(crate) fn record_step(&mut self) {
        self.done = self.done.saturating_add(1);
    }

    fn set_power(&mut self, power: usize) {
        self.power = power;
        (self.measured_steps, self.seconds, self.cost) = (0, 0.0, f64::INFINITY);
    }

    /// Tries one length after another.
    fn try_longer(&mut self, cost: f64) {
        self.cost = self.cost.min(cost);
        let is_known = self.measured_steps >= TRIAL.0 && self.seconds >= TRIAL.1
            || self.seconds >= MAX_TRIAL_SECONDS;
        let is_quick = self.cost <= SMOOTH_SECONDS / 2.0;
        if !is_known && !is_quick {
            return;
        }
        let fastest = self.fastest();
        self.costs.truncate(self.power);
        self.costs.push(self.cost);
        let is_better = is_quick || self.speed(self.power) > 1.1 * fastest;
        self.worse = if is_better { 0 } else { self.worse + 1 };
        if self.power < MAX_POWER && self.cost < 2.0 * MAX_TRIAL_SECONDS && self.worse < MAX_WORSE {
            return self.set_power(self.power + 1);
        }
        self.last_rest *= 2.0;
        self.rest = Some(self.last_rest);
        let best = self.best();
        self.set_power(best);
        self.cost = self.costs[best];
    }

    /// Keeps one length.
    fn keep(&mut self, cost: f64, rest: f64) {
        // An occasional slow one, as garbage collection causes, is capped.
        self.cost += (cost.min(4.0 * self.cost) - self.cost) / 5.0;
        let known = self.costs[self.power];
        let is_slower = self.cost > (3.0 * known).max(SMOOTH_SECONDS);
        let is_quicker = self.cost < known / 3.0;
        if is_slower || is_quicker || rest <= 0.0 {
            if is_slower || is_quicker {
                self.last_rest = FIRST_REST_SECONDS / 2.0;
            }
            // Costs of shorter ones are scaled alike, longer ones are tried again.
            let change = self.cost / known.max(1e-9);
            self.costs.iter_mut().for_each(|cost| *cost *= change);
            let from = self.power.saturating_sub(if is_slower { 3 } else { 0 });
            self.costs.truncate(from);
            (self.rest, self.worse) = (None, 0);
            self.set_power(from);
        }
    }

    fn speed(&self, power: usize) -> f64 {
        (power as f64).exp2() / self.costs[power].max(1e-9)
    }

    /// The most generations per second of any length.
    fn fastest(&self) -> f64 {
        let speeds = (0..self.costs.len()).map(|power| self.speed(power));
        speeds.fold(0.0, f64::max)
    }

    /// The longest length that looks smooth, if it is not far slower than another one; else the
    /// shortest of those that are about as fast.
    fn best(&self) -> usize {
        let fastest = self.fastest();
        let as_fast = |part: f64| {
            let all = 0..self.costs.len();
            all.filter(move |&power| self.speed(power) >= part * fastest)
        };
        let smooth = as_fast(0.5).rfind(|&power| self.costs[power] <= SMOOTH_SECONDS);
        let quickest = || as_fast(0.7).min_by(|&a, &b| self.costs[a].total_cmp(&self.costs[b]));
        smooth.or_else(quickest).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates macro steps for some seconds; `cost` gets their power and count, and returns
    /// their duration. Returns the power in the latter half, and the largest.
    fn run(
        tuner: &mut MacroStepTuner,
        seconds: f64,
        cost: impl Fn(usize, u32) -> f64,
    ) -> (Vec<usize>, usize) {
        let mut counts = [0; MAX_POWER + 1];
        let (mut now, mut took, mut powers) = (0.0, 0.0, Vec::new());
        while now < seconds {
            let power = tuner.next(took, "an engine");
            took = 0.0;
            while took < 0.012 {
                took += cost(power, counts[power]);
                counts[power] += 1;
                tuner.record_step();
            }
            powers.push(power);
            now += took;
        }
        let most = powers.iter().copied().max().unwrap_or(0);
        (powers.split_off(powers.len() / 2), most)
    }

    fn usual(powers: &[usize]) -> usize {
        let mut powers = powers.to_vec();
        powers.sort_unstable();
        powers[powers.len() / 2]
    }

    #[test]
    fn stepping_engines_use_all_the_time_between_frames() {
        let each = |power: usize, _| 1e-4 * (power as f64).exp2();
        let (last, most) = run(&mut MacroStepTuner::default(), 5.0, each);
        assert!(usual(&last) == 8 && most <= 12, "{last:?}, {most}");
        // Even at no cost the length is bounded.
        let (last, most) = run(&mut MacroStepTuner::default(), 5.0, |_, _| 1e-5);
        assert_eq!((usual(&last), most), (MAX_POWER, MAX_POWER));
    }

    /// Like Gemini: single generations are slow, longer macro steps are quicker.
    #[test]
    fn quick_lengths_are_found_beyond_slow_ones() {
        let cost = |power: usize, _| match power {
            0..=3 => 0.055,
            4..=7 => 0.045,
            8..=12 => 0.025,
            _ => 0.025 * (power as f64 - 12.0).exp2(),
        };
        let (last, _) = run(&mut MacroStepTuner::default(), 5.0, cost);
        assert_eq!(usual(&last), 12);
    }

    /// Like Caterpillar: the first time is slow, the second is memoised.
    #[test]
    fn lengths_that_are_slow_at_first_are_kept() {
        let cost = |power: usize, before: u32| match power {
            12.. if before > 0 => 0.08,
            _ => 0.12 * (power as f64 / 3.0).exp2(),
        };
        let (last, most) = run(&mut MacroStepTuner::default(), 60.0, cost);
        assert!(usual(&last) >= 12 && most >= 12, "{last:?}");
    }

    #[test]
    fn a_length_that_becomes_slow_is_left() {
        let mut tuner = MacroStepTuner::default();
        let quick = |power: usize, _| 1e-4 * (power as f64).exp2();
        assert_eq!(usual(&run(&mut tuner, 3.0, quick).0), 8);
        let slow = |power: usize, _| 2e-3 * (power as f64).exp2();
        assert_eq!(usual(&run(&mut tuner, 20.0, slow).0), 4);
        assert_eq!(usual(&run(&mut tuner, 20.0, quick).0), 8);
        assert_eq!(tuner.next(0.0, "another engine"), 0);
    }
}
