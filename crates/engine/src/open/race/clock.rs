//! The clock by which engines are compared.

use crate::Options;
use std::time::{Duration, Instant};

/// The time since some moment. Only times of one thread can be compared.
pub(super) type RaceClock = Box<dyn FnMut() -> Duration + Send>;

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
    let begun = Instant::now();
    Box::new(move || begun.elapsed())
}
