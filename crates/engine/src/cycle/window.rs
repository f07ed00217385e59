use crate::Snapshot;
use std::collections::HashMap;

/// A window has one baby step for this many generations before it.
const AGE_PER_BABY: u64 = 256;

/// Baby steps of a window, at least and at most.
const BABIES: (u64, u64) = (64, 1 << 20);

/// Bytes of a fingerprint in the table.
const BYTES_PER_PRINT: u64 = 32;

/// Fingerprints of some generations in a row, to which later ones are compared. Ages are
/// generations since the world was last changed from outside.
pub(super) struct SearchWindow {
    start: u64,
    /// Baby steps, and generations from one giant step to the next.
    babies: u64,
    /// The age of each fingerprint.
    prints: HashMap<u64, u64>,
    /// The cells at the last baby step.
    pub(super) last_baby: Option<Snapshot>,
}

impl SearchWindow {
    pub(super) fn new(start: u64) -> Self {
        Self {
            start,
            babies: (start / AGE_PER_BABY).clamp(BABIES.0, BABIES.1),
            prints: HashMap::new(),
            last_baby: None,
        }
    }

    fn last(&self) -> u64 {
        self.start + self.babies - 1
    }

    pub(super) fn is_baby(&self, age: u64) -> bool {
        age <= self.last()
    }

    pub(super) fn is_last_baby(&self, age: u64) -> bool {
        age == self.last()
    }

    /// Whether it is time for the next window.
    pub(super) fn is_over(&self, age: u64) -> bool {
        age / 2 >= self.start && !self.is_baby(age)
    }

    /// The age of the next look.
    pub(super) fn look_after(&self, age: u64) -> u64 {
        match age < self.last() {
            true => age + 1,
            false => age + self.babies - (age - self.last()) % self.babies,
        }
    }

    /// The age at which the world had this fingerprint.
    pub(super) fn find(&self, print: u64) -> Option<u64> {
        self.prints.get(&print).copied()
    }

    pub(super) fn insert(&mut self, print: u64, age: u64) {
        self.prints.insert(print, age);
    }

    /// What proves that the cells at the age `now` are those of the baby step `before`, for a rule
    /// of `unit` tables that take turns.
    pub(super) fn confirmation(
        &self,
        before: u64,
        now: u64,
        last_baby: Snapshot,
        unit: u64,
    ) -> CycleConfirmation {
        CycleConfirmation {
            unit,
            snapshot: last_baby,
            base: now + self.last() - before,
            period: now - before,
            // Giant steps meet all periods in ascending order; but where the first baby steps
            // come before the cycle, the first round may be missed.
            is_least: before == self.start,
            offset: 0,
            divisors: Vec::new(),
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let snapshot = self.last_baby.as_ref().map_or(0, Snapshot::bytes);
        snapshot + BYTES_PER_PRINT * self.prints.len() as u64
    }
}

/// What a comparison of cells tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComparisonOutcome {
    /// The fingerprints were equal, and the cells are not.
    Refuted,
    /// A shorter period is to be tried.
    Pending,
    /// The least period is known.
    Proved { period: u64 },
}

/// A period to be proved, and then the least one that divides it to be found.
pub(super) struct CycleConfirmation {
    snapshot: Snapshot,
    /// Every period is a multiple of it.
    unit: u64,
    /// The age at which the cells are expected to be those of the snapshot, or were.
    base: u64,
    period: u64,
    /// Whether no shorter period is possible.
    is_least: bool,
    /// Generations after `base` at which cells are compared next.
    offset: u64,
    /// Further such generations, in descending order: shorter periods to be tried.
    divisors: Vec<u64>,
}

impl CycleConfirmation {
    /// Of two baby steps, for a snapshot of the cells at the age `now`.
    pub(super) fn of_baby_steps(period: u64, now: u64, snapshot: Snapshot) -> Self {
        Self {
            snapshot,
            unit: 1,
            base: now + period,
            period,
            // The first of the states that came again.
            is_least: true,
            offset: 0,
            divisors: Vec::new(),
        }
    }

    /// The age at which cells are to be compared.
    pub(super) fn due(&self) -> u64 {
        self.base + self.offset
    }

    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(super) fn bytes(&self) -> u64 {
        self.snapshot.bytes()
    }

    /// To be called when the cells at the age [`CycleConfirmation::due`] were compared.
    pub(super) fn compared(&mut self, is_same: bool) -> ComparisonOutcome {
        if self.offset == 0 && !is_same {
            return ComparisonOutcome::Refuted;
        }
        if is_same {
            if self.offset > 0 {
                self.base += self.offset;
                self.period = self.offset;
            }
            self.divisors = match self.is_least {
                true => Vec::new(),
                false => largest_divisors(self.period),
            };
            let unit = self.unit;
            self.divisors.retain(|divisor| divisor.is_multiple_of(unit));
        }
        match self.divisors.pop() {
            Some(offset) => {
                self.offset = offset;
                ComparisonOutcome::Pending
            }
            None => ComparisonOutcome::Proved {
                period: self.period,
            },
        }
    }
}

/// `n` divided by each of its prime factors, in descending order. A proper divisor of `n` divides
/// one of them.
fn largest_divisors(n: u64) -> Vec<u64> {
    let (mut divisors, mut rest, mut factor) = (Vec::new(), n, 2);
    while rest > 1 {
        if factor > rest / factor {
            factor = rest;
        }
        if rest.is_multiple_of(factor) {
            divisors.push(n / factor);
            while rest.is_multiple_of(factor) {
                rest /= factor;
            }
        }
        factor += 1;
    }
    divisors
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_those_of_prime_factors() {
        for (n, divisors) in [
            (1, vec![]),
            (2, vec![1]),
            (8, vec![4]),
            (30, vec![15, 10, 6]),
            (97, vec![1]),
            (3 * 97, vec![97, 3]),
            (49, vec![7]),
        ] {
            assert_eq!(largest_divisors(n), divisors, "{n}");
        }
    }

    /// Walks an imagined world that is on its cycle from `entry` on, and tells the period found
    /// and when.
    fn found(entry: u64, period: u64) -> (u64, u64) {
        let state = |age: u64| match age < entry {
            true => age,
            false => entry + (age - entry) % period,
        };
        let nothing = || Snapshot::from_cells(0.into(), pattern::Cells::default());
        let mut start = 4096;
        loop {
            let mut window = SearchWindow::new(start);
            let mut age = start;
            while !window.is_over(age) {
                if let Some(before) = window.find(state(age)) {
                    let is_early = window.last_baby.is_none();
                    let mut confirmation = match is_early {
                        true => CycleConfirmation::of_baby_steps(age - before, age, nothing()),
                        false => window.confirmation(before, age, nothing(), 1),
                    };
                    let expected = match is_early {
                        true => state(age),
                        false => state(window.last()),
                    };
                    loop {
                        let is_same = state(confirmation.due()) == expected;
                        let due = confirmation.due();
                        match confirmation.compared(is_same) {
                            ComparisonOutcome::Refuted => panic!("these fingerprints never lie"),
                            ComparisonOutcome::Proved { period } => return (period, due),
                            ComparisonOutcome::Pending => {}
                        }
                    }
                }
                if window.is_baby(age) {
                    window.insert(state(age), age);
                }
                if window.is_last_baby(age) {
                    window.last_baby = Some(nothing());
                }
                age = window.look_after(age);
            }
            start = age;
        }
    }

    /// Whatever the cycle's length and wherever it begins, the least period is found, within
    /// some rounds.
    #[test]
    fn the_least_period_is_found_soon() {
        for entry in [
            0, 1, 4095, 4096, 4100, 4159, 4160, 5000, 8192, 8200, 8230, 100_000,
        ] {
            for period in [
                1, 2, 3, 30, 63, 64, 65, 100, 127, 128, 129, 997, 1200, 65_537,
            ] {
                let (found, at) = found(entry, period);
                assert_eq!(found, period, "from {entry} on");
                let most = 8192 + 3 * entry.max(period) + 3 * period;
                assert!(at <= most, "{period} from {entry} on: at {at} of {most}");
            }
        }
    }
}
