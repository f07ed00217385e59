//! Cycle detection: a grid has finitely many states, so it becomes periodic, under most rules
//! soon. Once a state recurs, the rest of a run can be skipped.

use super::BlockCells;

/// Generations between two checks: a multiple of most small periods and of all rule periods,
/// and enough to make a check's cost negligible.
pub(super) const CHECK_INTERVAL: u64 = 960;

/// Detects a recurring state with R. P. Brent's algorithm ("An improved Monte Carlo
/// factorization algorithm", 1980): a reference state is kept and replaced after twice as many
/// checks as the last, so that eventually one is on the cycle and is kept for long enough.
#[derive(Default)]
pub(super) struct CycleDetector {
    /// None before the first check: short runs copy nothing.
    reference: Option<BlockCells>,
    /// Checks since the reference was taken.
    checks: u64,
    /// Checks after which it is replaced.
    max_checks: u64,
}

impl CycleDetector {
    /// Checks the state [`CHECK_INTERVAL`] generations after the last check. Returns the period
    /// if it equals the reference.
    pub(super) fn check(&mut self, now: BlockCells) -> Option<u64> {
        self.checks += 1;
        if self.reference.as_ref() == Some(&now) {
            return Some(self.checks * CHECK_INTERVAL);
        }
        if self.checks >= self.max_checks {
            self.reference = Some(now);
            self.checks = 0;
            self.max_checks = 2 * self.max_checks.max(1);
        }
        None
    }
}
