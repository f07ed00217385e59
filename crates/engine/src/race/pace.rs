//! How fast a world runs, and what it would take to run on.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// Generations of the first stretch.
const FIRST_STEP: u64 = 16;

/// Fewer steps tell nothing.
const MIN_STEPS: u32 = 4;

/// Stretches of fewer generations tell nothing.
const MIN_GENERATIONS: f64 = 16.0;

/// Whatever is foretold, time goes with no higher power of the generations than this, for worlds
/// of two dimensions that grow and find nothing that they know; and there is some growth where
/// there seems to be none.
const EXPONENT_RANGE: (f64, f64) = (0.05, 3.2);

/// Generations that a world has moved on, and the time that they took.
#[derive(Clone, Debug, Default)]
pub(super) struct EnginePace {
    /// How far it had come after which time, in generations and seconds since the beginning;
    /// what was needed to begin is left out.
    marks: Vec<(f64, f64)>,
    done: BigUint,
    running: f64,
    beginning: f64,
    /// Seconds of what is not done yet.
    pending: f64,
    /// How often it moved on.
    steps: u32,
}

impl EnginePace {
    /// Time that was needed to begin.
    pub(super) fn record_setup(&mut self, seconds: f64) {
        self.beginning += seconds;
    }

    /// So many generations were done in so many seconds.
    pub(super) fn record(&mut self, done: &BigUint, seconds: f64) {
        self.done += done;
        self.running += seconds;
        self.pending += seconds;
        if *done == BigUint::ZERO {
            return;
        }
        self.pending = 0.0;
        self.steps = self.steps.saturating_add(1);
        let far = self.done.to_f64().unwrap_or(f64::MAX);
        // the last mark is where it stands; those before it lie apart
        if let [.., before, last] = &self.marks[..]
            && last.0 < 1.1 * before.0
        {
            self.marks.pop();
        }
        self.marks.push((far, self.running));
    }

    /// How far to go next: as far again as it has come.
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

    /// Seconds so far without what was needed to begin.
    pub(super) fn running(&self) -> f64 {
        self.running
    }

    /// Seconds that so many generations more would take, if it goes on like this: where twice as
    /// many take `2^e` times as long, all of them take the power `e` of their number.
    pub(super) fn predicted_seconds(&self, left: &BigUint) -> Option<f64> {
        let [.., before, last] = self.last_doublings(2)?[..] else {
            return None;
        };
        Some(self.foretold(last, growth_exponent(last, before), left))
    }

    /// The same as it seems at the worst: engines are slow to begin with, until they have seen
    /// something again, and what was quick once may have been so by chance.
    pub(super) fn worst_case_seconds(&self, left: &BigUint) -> Option<f64> {
        let [.., first, before, last] = self.last_doublings(3)?[..] else {
            return None;
        };
        let power = growth_exponent(last, before).max(growth_exponent(before, first));
        Some(self.foretold(last.max(before / 2.0), power, left))
    }

    /// Seconds that so many generations more would take, where they go by steps that are all alike:
    /// of what was done, the latter half tells.
    pub(super) fn predicted_steady_seconds(&self, left: &BigUint) -> Option<f64> {
        let &(far, now) = self.marks.last()?;
        if self.steps < MIN_STEPS {
            return None;
        }
        let each = (now - self.time_at(far / 2.0)).max(1e-9) / (far / 2.0);
        Some((each * left.to_f64().unwrap_or(f64::MAX)).max(self.pending))
    }

    /// All generations that were done.
    pub(super) fn done(&self) -> &BigUint {
        &self.done
    }

    /// What the last doublings took, the earliest first, where enough is known.
    fn last_doublings(&self, count: i32) -> Option<Vec<f64>> {
        let &(far, now) = self.marks.last()?;
        if far / 2_f64.powi(count) < MIN_GENERATIONS {
            return None;
        }
        let mut until = now;
        let mut took: Vec<f64> = (1..=count)
            .map(|k| {
                let from = self.time_at(far / 2_f64.powi(k));
                let took = (until - from).max(1e-7);
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
        // what has taken long and is not there may take as long again
        foretold.max(self.pending)
    }

    /// The time at which it had come so far.
    fn time_at(&self, far: f64) -> f64 {
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

/// The power of the generations with which time goes, where a doubling took so long, and the
/// one before it.
fn growth_exponent(last: f64, before: f64) -> f64 {
    (last / before)
        .log2()
        .clamp(EXPONENT_RANGE.0, EXPONENT_RANGE.1)
}

/// The logarithm to base 2 of how many times as much all is as what is done.
fn doublings(done: &BigUint, left: &BigUint) -> f64 {
    log2(&(done + left)) - log2(done)
}

/// Of a number of any size, which is not 0.
fn log2(n: &BigUint) -> f64 {
    let beyond = n.bits().saturating_sub(60);
    let high = (n >> beyond).to_f64().unwrap_or(1.0);
    high.log2() + beyond as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pace of stretches that took so many milliseconds each.
    fn pace(milliseconds: &[f64]) -> EnginePace {
        let mut pace = EnginePace::default();
        for took in milliseconds {
            pace.record(&pace.next(), took / 1000.0);
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
            pace.record(&pace.next(), 0.0);
            ends.push(pace.done.to_u64().unwrap());
        }
        assert_eq!(ends, [16, 32, 64, 128, 256]);
        pace.record(&44_u8.into(), 0.0);
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

    /// What a rake breeder took, by both engines: at the time that hashing is known well enough,
    /// it is foretold to be quicker.
    #[test]
    fn a_breeder_is_hashed() {
        let tiles = [0.1, 0.01, 0.02, 0.1, 0.1, 0.3, 1.0, 4.8];
        let hashed = [0.1, 0.1, 0.2, 0.4, 0.5, 1.0, 0.6];
        let tiles = predicted_seconds(&tiles, 6000 - 2048);
        let hashed = predicted_seconds(&hashed, 6000 - 1024);
        assert!(hashed < 0.2 * tiles, "{hashed} {tiles}");
    }

    /// A soup on the plane is not.
    #[test]
    fn a_soup_is_stepped() {
        let tiles = [0.1, 0.01, 0.1, 0.2, 0.5, 0.8];
        let hashed = [0.5, 0.5, 0.9, 1.8, 2.8];
        assert!(predicted_seconds(&hashed, 744) > predicted_seconds(&tiles, 488));
    }
}
