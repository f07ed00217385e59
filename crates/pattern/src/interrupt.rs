//! Work on very many cells that can be stopped on the way.
//!
//! Whoever lists, sorts or takes in the cells of a large world comes by a [`checkpoint`] now
//! and then. Outside of [`interruptible`] it does nothing. Inside, it asks whether the work is
//! still wanted, and where it is not, unwinds to there: so the many functions in between need
//! no answer of their own for it.
//!
//! What is left half done is dropped on the way out. So only work that makes something new, or
//! looks, belongs inside; never a change to what is kept.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use thiserror::Error;

/// Asked now and then; `false` stops the work.
pub type ContinueCheck = dyn Fn() -> bool + Send + Sync;

/// The work was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the end")]
pub struct Interruption;

thread_local! {
    static SCOPE: RefCell<Option<InterruptScope>> = const { RefCell::new(None) };
}

/// Who is asked, and whether checkpoints may unwind for it.
#[derive(Clone)]
struct InterruptScope {
    should_continue: Arc<ContinueCheck>,
    unwinds: bool,
}

/// Does some work, whose checkpoints ask whether to go on.
///
/// Where a panic cannot be unwound (`panic = "abort"`), the work goes to its end.
///
/// # Errors
/// When it was stopped.
///
/// ```
/// use pattern::interrupt::{Interruption, interruptible};
/// use pattern::{Cells, Run};
/// use std::sync::Arc;
/// let runs = (0..100_000).map(|y| Run { y: -y, x: 0, length: 1, state: 1 });
/// let sort = || Cells::from_runs(runs.clone().collect());
/// let never: Arc<pattern::interrupt::ContinueCheck> = Arc::new(|| false);
/// assert_eq!(interruptible(&never, sort), Err(Interruption));
/// assert_eq!(sort().population(), 100_000u32.into());
/// ```
pub fn interruptible<T>(
    should_continue: &Arc<ContinueCheck>,
    work: impl FnOnce() -> T,
) -> Result<T, Interruption> {
    let should_continue = Arc::clone(should_continue);
    let unwinds = true;
    let _before = InterruptScopeGuard(SCOPE.replace(Some(InterruptScope {
        should_continue,
        unwinds,
    })));
    // what the work has changed is dropped with it, see above
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause: Box<dyn Any + Send>| {
        match cause.downcast::<Interruption>() {
            Ok(stopped) => *stopped,
            Err(cause) => resume_unwind(cause),
        }
    })
}

/// Does some work that must not be unwound: its checkpoints do nothing, and [`is_wanted`] tells
/// whether it is to go on.
pub fn heeding<T>(should_continue: &Arc<ContinueCheck>, work: impl FnOnce() -> T) -> T {
    let should_continue = Arc::clone(should_continue);
    let unwinds = false;
    let _before = InterruptScopeGuard(SCOPE.replace(Some(InterruptScope {
        should_continue,
        unwinds,
    })));
    work()
}

/// Whether what is being done is wanted still; where nobody says, it is.
#[must_use]
pub fn is_wanted() -> bool {
    let scope = SCOPE.with_borrow(Clone::clone);
    scope.is_none_or(|scope| (scope.should_continue)())
}

/// Puts back who was asked before.
struct InterruptScopeGuard(Option<InterruptScope>);

impl Drop for InterruptScopeGuard {
    fn drop(&mut self) {
        SCOPE.set(self.0.take());
    }
}

/// A place at which work can be stopped. To be passed each few milliseconds.
pub fn checkpoint() {
    let scope = SCOPE.with_borrow(Clone::clone);
    let is_stopped = scope.is_some_and(|scope| scope.unwinds && !(scope.should_continue)());
    if is_stopped && cfg!(panic = "unwind") {
        // no panic: nothing is wrong, and nothing is told
        resume_unwind(Box::new(Interruption));
    }
}

/// Passes a [`checkpoint`] each so many steps.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    left: u32,
}

impl Checkpoints {
    /// Steps between two checkpoints: a few milliseconds where a step is a run or a square.
    const INTERVAL: u32 = 1 << 14;

    /// With the first checkpoint after so many steps.
    #[must_use]
    pub fn new() -> Self {
        Self {
            left: Self::INTERVAL,
        }
    }

    /// A step.
    #[inline]
    pub fn step(&mut self) {
        self.left -= 1;
        if self.left == 0 {
            self.pass_checkpoint();
        }
    }

    #[cold]
    fn pass_checkpoint(&mut self) {
        self.left = Self::INTERVAL;
        checkpoint();
    }
}

impl Default for Checkpoints {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn after(times: u32) -> Arc<ContinueCheck> {
        let left = AtomicU32::new(times);
        Arc::new(move || left.fetch_sub(1, Ordering::Relaxed) > 1)
    }

    #[test]
    fn work_ends_at_the_checkpoint_that_is_told_to_stop() {
        let mut done = 0;
        let work = || {
            for _ in 0..10 {
                checkpoint();
                done += 1;
            }
        };
        assert_eq!(interruptible(&after(4), work), Err(Interruption));
        assert_eq!(done, 3);
        checkpoint();
    }

    #[test]
    fn work_within_work_is_stopped_by_its_own() {
        let outer = interruptible(&after(3), || {
            checkpoint();
            let inner = interruptible(&after(1), checkpoint);
            assert_eq!(inner, Err(Interruption));
            checkpoint();
            7
        });
        assert_eq!(outer, Ok(7));
        let both = interruptible(&after(2), || {
            let _ = interruptible(&after(9), checkpoint);
            checkpoint();
            checkpoint();
        });
        assert_eq!(both, Err(Interruption));
    }

    #[test]
    fn work_that_heeds_is_told_and_not_unwound() {
        let told = heeding(&after(2), || {
            let first = is_wanted();
            checkpoint();
            (first, is_wanted())
        });
        assert_eq!(told, (true, false));
        assert!(is_wanted());
    }

    #[test]
    fn other_panics_go_on_upwards() {
        let outcome = catch_unwind(|| interruptible(&after(9), || panic!("a fault")));
        let cause = outcome.unwrap_err();
        assert_eq!(cause.downcast_ref::<&str>(), Some(&"a fault"));
    }

    #[test]
    fn steps_between_checkpoints_are_counted() {
        let work = |steps: u32| {
            move || {
                let mut checkpoints = Checkpoints::new();
                (0..steps).for_each(|_| checkpoints.step());
            }
        };
        assert_eq!(
            interruptible(&after(1), work(Checkpoints::INTERVAL - 1)),
            Ok(())
        );
        assert_eq!(
            interruptible(&after(2), work(2 * Checkpoints::INTERVAL)),
            Err(Interruption)
        );
    }
}
