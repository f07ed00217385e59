//! Cancellation of long work on very many cells. (Own method.)
//!
//! Code that lists, sorts or loads the cells of a large world passes a [`checkpoint`] every few
//! milliseconds. Outside [`interruptible`] a checkpoint does nothing. Inside, it calls the
//! [`ContinueCheck`], and where that returns false, unwinds to [`interruptible`]: so the
//! functions in between need no error path of their own.
//!
//! Unfinished results are dropped while unwinding. So only code that builds something new, or
//! reads, may run inside; never a change to shared state.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use thiserror::Error;

/// Called at checkpoints; `false` cancels the work.
pub type ContinueCheck = dyn Fn() -> bool + Send + Sync;

/// The work was stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped before the end")]
pub struct Interruption;

thread_local! {
    static SCOPE: RefCell<Option<InterruptScope>> = const { RefCell::new(None) };
}

/// The check of the current scope, and whether checkpoints may unwind for it.
#[derive(Clone)]
struct InterruptScope {
    should_continue: Arc<ContinueCheck>,
    unwinds: bool,
}

/// Runs `work`, which is cancelled at the first checkpoint where the check returns false.
///
/// Where panics do not unwind (`panic = "abort"`), the work runs to its end.
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
    // unwind-safe: whatever the work has changed is dropped with it, see above
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause: Box<dyn Any + Send>| {
        match cause.downcast::<Interruption>() {
            Ok(stopped) => *stopped,
            Err(cause) => resume_unwind(cause),
        }
    })
}

/// Runs `work` without unwinding: its checkpoints do nothing, and it calls [`is_wanted`]
/// itself.
///
/// ```
/// use pattern::interrupt::{ContinueCheck, checkpoint, is_wanted, with_check};
/// use std::sync::Arc;
///
/// let never: Arc<ContinueCheck> = Arc::new(|| false);
/// let steps = with_check(&never, || {
///     checkpoint(); // does not unwind here
///     (0..1000).take_while(|_| is_wanted()).count()
/// });
/// assert_eq!(steps, 0);
/// ```
pub fn with_check<T>(should_continue: &Arc<ContinueCheck>, work: impl FnOnce() -> T) -> T {
    let should_continue = Arc::clone(should_continue);
    let unwinds = false;
    let _before = InterruptScopeGuard(SCOPE.replace(Some(InterruptScope {
        should_continue,
        unwinds,
    })));
    work()
}

/// Whether the current work is still wanted; true outside any scope.
///
/// ```
/// use pattern::interrupt::{ContinueCheck, is_wanted, with_check};
/// use std::sync::Arc;
///
/// assert!(is_wanted());
/// let never: Arc<ContinueCheck> = Arc::new(|| false);
/// assert!(!with_check(&never, is_wanted));
/// ```
#[must_use]
pub fn is_wanted() -> bool {
    let scope = SCOPE.with_borrow(Clone::clone);
    scope.is_none_or(|scope| (scope.should_continue)())
}

/// Restores the scope that was current before.
struct InterruptScopeGuard(Option<InterruptScope>);

impl Drop for InterruptScopeGuard {
    fn drop(&mut self) {
        SCOPE.set(self.0.take());
    }
}

/// A point at which work can be cancelled. To be passed every few milliseconds.
///
/// ```
/// use pattern::interrupt::{ContinueCheck, Interruption, checkpoint, interruptible};
/// use std::sync::Arc;
///
/// checkpoint(); // nothing: there is no scope around it
/// let never: Arc<ContinueCheck> = Arc::new(|| false);
/// assert_eq!(interruptible(&never, checkpoint), Err(Interruption));
/// ```
pub fn checkpoint() {
    let scope = SCOPE.with_borrow(Clone::clone);
    let is_stopped = scope.is_some_and(|scope| scope.unwinds && !(scope.should_continue)());
    if is_stopped && cfg!(panic = "unwind") {
        // not a panic: no message is printed
        resume_unwind(Box::new(Interruption));
    }
}

/// Counts steps, and passes a [`checkpoint`] every 2^14 of them.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    left: u32,
}

impl Checkpoints {
    /// Steps between two checkpoints: a few milliseconds where a step is a run or a node.
    const INTERVAL: u32 = 1 << 14;

    /// The first checkpoint comes after a full interval.
    ///
    /// ```
    /// use pattern::interrupt::Checkpoints;
    ///
    /// let mut checkpoints = Checkpoints::new();
    /// for _ in 0..100_000 {
    ///     checkpoints.step(); // nothing is to be interrupted here
    /// }
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self {
            left: Self::INTERVAL,
        }
    }

    /// A step.
    ///
    /// ```
    /// use pattern::interrupt::{Checkpoints, ContinueCheck, Interruption, interruptible};
    /// use std::sync::Arc;
    ///
    /// let never: Arc<ContinueCheck> = Arc::new(|| false);
    /// let endless = || -> () {
    ///     let mut checkpoints = Checkpoints::new();
    ///     loop {
    ///         checkpoints.step();
    ///     }
    /// };
    /// assert_eq!(interruptible(&never, endless), Err(Interruption));
    /// ```
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
        let wanted = with_check(&after(2), || {
            let first = is_wanted();
            checkpoint();
            (first, is_wanted())
        });
        assert_eq!(wanted, (true, false));
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
