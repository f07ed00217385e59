//! Measures how fast a world runs, and predicts the time for the rest.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Generations of the first step.
const FIRST_STEP: u64 = 16;

/// Fewer steps are not enough for a prediction.
const MIN_STEPS: u32 = 4;

/// Steps of fewer generations are not enough for a prediction.
const MIN_GENERATIONS: f64 = 16.0;

/// Bounds of the exponent by which time grows with generations: the upper one for
/// two-dimensional growth without repetition, and the lower one so that some growth is always
/// assumed.
const EXPONENT_RANGE: (f64, f64) = (0.05, 3.2);

/// So many steps are enough to know what a unit of work takes.
const MAX_RATES: usize = 256;

/// The share of an engine's work from which the time of a unit is taken: that which was done at the
/// highest rate. Half of all is the last step; where that was disturbed, the others count.
const UNDISTURBED_SHARE: f64 = 0.4;

/// The generations that a world has advanced, and the time they took. Where an engine counts its
/// work, time is predicted from that: what the system does meanwhile on the thread's account,
/// such as lending it memory, can take longer than a step and says nothing about the next.
#[derive(Clone, Debug, Default)]
pub(super) struct EnginePace {
    /// Progress marks: generations and cost since the start, without the time to set up.
    marks: Vec<(f64, f64)>,
    /// Units of work, or seconds where the engine counts none.
    cost: f64,
    /// The work of each step, and the seconds it took; empty where the engine counts none.
    rates: Vec<(f64, f64)>,
    done: BigUint,
    running: f64,
    beginning: f64,
    /// Seconds of a step that is not complete yet.
    pending: f64,
    /// The number of steps.
    steps: u32,
}

impl EnginePace {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let mut marks = std::mem::take(&mut self.marks);
        let mut rates = std::mem::take(&mut self.rates);
        marks.clear();
        rates.clear();
        *self = Self {
            marks,
            rates,
            ..Self::default()
        };
    }

    /// Adds time to set up.
    pub(super) fn record_setup(&mut self, seconds: f64) {
        self.beginning += seconds;
    }

    /// Adds a step of this many generations, and the engine's work in it if that is counted.
    pub(super) fn record(&mut self, done: &BigUint, seconds: f64, work: Option<u64>) {
        self.done += done;
        self.running += seconds;
        match work {
            Some(work) => {
                self.cost += work as f64;
                if work > 0 && self.rates.len() < MAX_RATES {
                    self.rates.push((work as f64, seconds));
                }
            }
            None => self.cost += seconds,
        }
        self.pending += seconds;
        if *done == BigUint::ZERO {
            return;
        }
        self.pending = 0.0;
        self.steps = self.steps.saturating_add(1);
        let far = self.done.to_f64().unwrap_or(f64::MAX);
        // the last mark is the current position; those before it are spaced apart
        if let [.., before, last] = &self.marks[..]
            && last.0 < 1.1 * before.0
        {
            self.marks.pop();
        }
        self.marks.push((far, self.cost));
    }

    /// The length of the next step: as many generations as were done so far.
    pub(super) fn next(&self) -> BigUint {
        let doubled = match self.done.bits() {
            0..=4 => return FIRST_STEP.into(),
            bits => BigUint::from(1_u8) << (bits - 1),
        };
        // up to a power of two, and then from one to the next
        let beyond = &self.done - &doubled;
        doubled - beyond
    }

    /// All seconds so far.
    pub(super) fn seconds(&self) -> f64 {
        self.beginning + self.running
    }

    /// Seconds so far without the time to set up.
    pub(super) fn running(&self) -> f64 {
        self.running
    }

    /// Predicts the seconds for more generations by extrapolation: if doubling them takes `2^e`
    /// times as long, time is proportional to their power `e`.
    pub(super) fn predicted_seconds(&self, left: &BigUint) -> Option<f64> {
        let [.., before, last] = self.last_doublings(2)?[..] else {
            return None;
        };
        Some(self.foretold(last, growth_exponent(last, before), left))
    }

    /// The exponent by which time grows, over several doublings: 1 where each generation takes as
    /// long as the last.
    pub(super) fn growth(&self) -> Option<f64> {
        let [a, b, c, d] = self.last_doublings(4)?[..] else {
            return None;
        };
        Some(growth_exponent(c + d, a + b) / 2.0)
    }

    /// The same in the worst case: engines are slow at first, until something repeats, and an
    /// early success may have been chance.
    pub(super) fn worst_case_seconds(&self, left: &BigUint) -> Option<f64> {
        let [.., first, before, last] = self.last_doublings(3)?[..] else {
            return None;
        };
        let power = growth_exponent(last, before).max(growth_exponent(before, first));
        Some(self.foretold(last.max(before / 2.0), power, left))
    }

    /// Predicts the seconds for more generations made of equal steps, from the latter half of
    /// what was done.
    pub(super) fn predicted_steady_seconds(&self, left: &BigUint) -> Option<f64> {
        let &(far, now) = self.marks.last()?;
        if self.steps < MIN_STEPS {
            return None;
        }
        let unit = self.seconds_a_unit();
        let each = (unit * (now - self.cost_at(far / 2.0))).max(1e-9) / (far / 2.0);
        Some((each * left.to_f64().unwrap_or(f64::MAX)).max(self.pending))
    }

    /// All generations done.
    pub(super) fn done(&self) -> &BigUint {
        &self.done
    }

    /// The times of the last doublings, the earliest first, if there are enough.
    fn last_doublings(&self, count: i32) -> Option<Vec<f64>> {
        let &(far, now) = self.marks.last()?;
        if far / 2_f64.powi(count) < MIN_GENERATIONS {
            return None;
        }
        let unit = self.seconds_a_unit();
        let mut until = now;
        let mut took: Vec<f64> = (1..=count)
            .map(|k| {
                let from = self.cost_at(far / 2_f64.powi(k));
                let took = (unit * (until - from)).max(1e-7);
                until = from;
                took
            })
            .collect();
        took.reverse();
        Some(took)
    }

    /// How often what was done has to be doubled until all is done.
    pub(super) fn doublings(&self, left: &BigUint) -> f64 {
        doublings(&self.done, left)
    }

    fn foretold(&self, last: f64, power: f64, left: &BigUint) -> f64 {
        // how often all that was done is doubled until all is done
        let doublings = doublings(&self.done, left);
        let growth = (power * doublings).exp2() - 1.0;
        let foretold = last * growth / (1.0 - (-power).exp2());
        // a step that has taken long without completing may take as long again
        foretold.max(self.pending)
    }

    /// The seconds that a unit of cost takes when nothing disturbs.
    fn seconds_a_unit(&self) -> f64 {
        if self.rates.is_empty() {
            return 1.0;
        }
        let mut rates = self.rates.clone();
        rates.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
        let wanted = UNDISTURBED_SHARE * rates.iter().map(|(work, _)| work).sum::<f64>();
        let (mut work, mut seconds) = (0.0, 0.0);
        for rate in rates {
            work += rate.0;
            seconds += rate.1;
            if work >= wanted {
                break;
            }
        }
        seconds / work
    }

    /// The cost at which this many generations were done.
    fn cost_at(&self, far: f64) -> f64 {
        let after = self.marks.partition_point(|mark| mark.0 < far);
        let (x0, t0) = match after {
            0 => (0.0, 0.0),
            after => self.marks[after - 1],
        };
        let (x1, t1) = self.marks[after];
        let part = if x1 > x0 { (far - x0) / (x1 - x0) } else { 1.0 };
        t0 + (t1 - t0) * part
    }
}

/// The exponent of growth, from the times of a doubling and of the one before it.
fn growth_exponent(last: f64, before: f64) -> f64 {
    (last / before)
        .log2()
        .clamp(EXPONENT_RANGE.0, EXPONENT_RANGE.1)
}

/// The base-2 logarithm of the ratio of all generations to those done.
fn doublings(done: &BigUint, left: &BigUint) -> f64 {
    log2(&(done + left)) - log2(done)
}

/// The base-2 logarithm of a number of any size, not 0.
fn log2(n: &BigUint) -> f64 {
    let beyond = n.bits().saturating_sub(60);
    let high = (n >> beyond).to_f64().unwrap_or(1.0);
    high.log2() + beyond as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pace with steps that took this many milliseconds each.
    fn pace(milliseconds: &[f64]) -> EnginePace {
        let mut pace = EnginePace::default();
        for took in milliseconds {
            pace.record(&pace.next(), took / 1000.0, None);
        }
        pace
    }

    fn predicted_seconds(milliseconds: &[f64], left: u64) -> f64 {
        1000.0 * pace(milliseconds).predicted_seconds(&left.into()).unwrap()
    }

    #[test]
    fn stretches_go_from_power_to_power() {
        let mut pace = EnginePace::default();
        let mut ends = Vec::new();
        for _ in 0..5 {
            pace.record(&pace.next(), 0.0, None);
            ends.push(pace.done.to_u64().unwrap());
        }
        assert_eq!(ends, [16, 32, 64, 128, 256]);
        pace.record(&44_u8.into(), 0.0, None);
        assert_eq!(pace.next(), 212_u8.into());
    }

    #[test]
    fn what_goes_on_alike_is_foretold() {
        // each generation takes as long as the last
        let steady = predicted_seconds(&[16.0, 16.0, 32.0, 64.0, 128.0], 256);
        assert!((steady - 256.0).abs() < 1.0, "{steady}");
        // each doubling takes as long as the last
        let regular = predicted_seconds(&[1.0; 8], 2048 * 15);
        assert!((3.5..5.0).contains(&regular), "{regular}");
        // with the square of the generations
        let growing = predicted_seconds(&[1.0, 3.0, 12.0, 48.0, 192.0], 256);
        assert!((growing - 768.0).abs() < 20.0, "{growing}");
        let most = BigUint::from(1_u8) << 5000_u32;
        let far = pace(&[1.0; 8]).predicted_seconds(&most);
        assert!(far.unwrap().is_finite());
        assert_eq!(pace(&[1.0]).predicted_seconds(&most), None);
    }

    /// The times of a rake breeder in both engines: HashLife is predicted to be quicker as soon
    /// as enough of it is known.
    #[test]
    fn a_breeder_is_hashed() {
        let tiles = [0.1, 0.01, 0.02, 0.1, 0.1, 0.3, 1.0, 4.8];
        let hashed = [0.1, 0.1, 0.2, 0.4, 0.5, 1.0, 0.6];
        let tiles = predicted_seconds(&tiles, 6000 - 2048);
        let hashed = predicted_seconds(&hashed, 6000 - 1024);
        assert!(hashed < 0.2 * tiles, "{hashed} {tiles}");
    }

    /// A soup on the plane is better stepped.
    #[test]
    fn a_soup_is_stepped() {
        let tiles = [0.1, 0.01, 0.1, 0.2, 0.5, 0.8];
        let hashed = [0.5, 0.5, 0.9, 1.8, 2.8];
        assert!(predicted_seconds(&hashed, 744) > predicted_seconds(&tiles, 488));
    }
}
