//! The clock by which engines are compared.

use crate::Options;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Measures the time that engines take. Only times of one thread can be compared.
pub(super) struct RaceClock {
    now: Box<dyn FnMut() -> Duration + Send>,
    /// Whether it never goes faster than the time that passes, which is read at a twentieth of the cost:
    /// of a step of 34 microseconds, a reading of a thread's processor time took one in fifty.
    is_slower_than_time: bool,
}

/// A moment to measure from.
pub(super) struct RaceMoment {
    now: Duration,
    /// The same by the time that passes, where that says when nothing has to be asked.
    passing: Option<Instant>,
}

impl RaceClock {
    pub(super) fn new(now: impl FnMut() -> Duration + Send + 'static) -> Self {
        Self {
            now: Box::new(now),
            is_slower_than_time: false,
        }
    }

    pub(super) fn begin(&mut self) -> RaceMoment {
        RaceMoment {
            now: (self.now)(),
            passing: self.is_slower_than_time.then(Instant::now),
        }
    }

    /// Seconds since a moment.
    pub(super) fn seconds_since(&mut self, moment: &RaceMoment) -> f64 {
        (self.now)().saturating_sub(moment.now).as_secs_f64()
    }

    /// Whether it is more than so many seconds since a moment.
    pub(super) fn exceeds(&mut self, moment: &RaceMoment, seconds: f64) -> bool {
        let may_exceed = |begun: Instant| begun.elapsed().as_secs_f64() > seconds;
        moment.passing.is_none_or(may_exceed) && self.seconds_since(moment) > seconds
    }
}

static LENT: OnceLock<fn() -> Duration> = OnceLock::new();

/// Lends engines a clock, on a machine whose standard library has none: then `auto` compares
/// engines while they run, as it does elsewhere. Where the system has a clock, that is used. The
/// first clock stays.
///
/// ```
/// fn stopped() -> std::time::Duration {
///     std::time::Duration::ZERO
/// }
/// engine::lend_clock(stopped);
/// ```
pub fn lend_clock(now: fn() -> Duration) {
    // the first one stays
    let _ = LENT.set(now);
}

/// Whether there is a clock to measure runs by.
pub(crate) fn has_clock() -> bool {
    cfg!(not(target_family = "wasm")) || LENT.get().is_some()
}

/// The processor time of the thread where that is known and the engines use no other, so that
/// what else the machine does decides nothing; else the time that passes.
pub(super) fn race_clock(options: &Options) -> RaceClock {
    #[cfg(unix)]
    if options.threads == 1 {
        return RaceClock {
            is_slower_than_time: true,
            ..RaceClock::new(|| {
                let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
                now.try_into().unwrap_or_default()
            })
        };
    }
    #[cfg(target_family = "wasm")]
    if let Some(now) = LENT.get() {
        return RaceClock::new(|| now());
    }
    // no thread is started where there is none to be had
    let _ = options.threads;
    let begun = Instant::now();
    RaceClock::new(move || begun.elapsed())
}
