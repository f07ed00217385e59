//! The time that limits thought, given by the caller.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A clock: the time since a moment of its own.
///
/// A page without a server has no clock of the system, and a test wants one that stands still,
/// so time is passed to whatever is limited by it.
///
/// ```
/// use players::Clock;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use std::time::Duration;
///
/// let milliseconds = Arc::new(AtomicU64::new(0));
/// let shown = Arc::clone(&milliseconds);
/// let clock = Clock::new(move || Duration::from_millis(shown.load(Ordering::Relaxed)));
/// milliseconds.store(20, Ordering::Relaxed);
/// assert_eq!(clock.now(), Duration::from_millis(20));
/// ```
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Duration + Send + Sync>);

impl Clock {
    /// A clock that shows what `now` returns, which must never go back.
    #[must_use]
    pub fn new(now: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The system's monotonic clock. Not there on `wasm32-unknown-unknown`, whose standard
    /// library panics when it is asked for the time.
    ///
    /// ```
    /// let clock = players::Clock::system();
    /// let before = clock.now();
    /// assert!(clock.now() >= before);
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    #[must_use]
    pub fn system() -> Self {
        let begun = std::time::Instant::now();
        Self::new(move || begun.elapsed())
    }

    /// A clock that stands still: no time limit is ever reached by it.
    ///
    /// ```
    /// let clock = players::Clock::stopped();
    /// assert_eq!(clock.now(), clock.now());
    /// ```
    #[must_use]
    pub fn stopped() -> Self {
        Self::new(|| Duration::ZERO)
    }

    /// The time it shows.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.0)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}
