//! A grid has finitely many states, so in the end each goes round in a circle; soups of most
//! rules come to small ones soon. Whoever sees a state again need not step any further.

use super::BlockCells;

/// Generations between two looks. Most small periods divide it, and the times after which a
/// rule's tables start from the beginning all do; and next to so many generations a look costs
/// nothing.
pub(super) const CHECK_INTERVAL: u64 = 960;

/// Looks for a state that comes again, after R. P. Brent, "An improved Monte Carlo
/// factorization algorithm" (1980): one state is kept, and given up for a newer one after
/// twice as many looks as the last, so that sooner or later one is kept that lies on the
/// circle, and for long enough.
#[derive(Default)]
pub(super) struct CycleDetector {
    /// None before the first look: a call that is stopped soon looks at nothing.
    reference: Option<BlockCells>,
    /// How often there was a look since.
    checks: u64,
    /// After how many it is given up.
    max_checks: u64,
}

impl CycleDetector {
    /// A look at the state [`CHECK_INTERVAL`] generations after the last look. Where it is the one that
    /// is kept, the generations after which it came again.
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
