//! The clock by which engines are compared.

use crate::Options;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The time since some moment. Only times of one thread can be compared.
pub(super) type RaceClock = Box<dyn FnMut() -> Duration + Send>;

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
        return Box::new(|| {
            let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
            now.try_into().unwrap_or_default()
        });
    }
    #[cfg(target_family = "wasm")]
    if let Some(now) = LENT.get() {
        return Box::new(|| now());
    }
    // no thread is started where there is none to be had
    let _ = options.threads;
    let begun = Instant::now();
    Box::new(move || begun.elapsed())
}
