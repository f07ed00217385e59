//! Jobs that are numbered and independent, on some threads at once: each thread takes the next
//! number until none is left. Own method.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Runs a job for each number below `count` on up to so many threads, the caller's among them, and
/// returns when all have ended.
///
/// ```
/// use models::parallel_jobs::run_jobs;
/// use std::num::NonZero;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// let sum = AtomicUsize::new(0);
/// let add = |number: usize| {
///     sum.fetch_add(number, Ordering::Relaxed);
/// };
/// run_jobs(NonZero::new(2).expect("two"), 100, &add);
/// assert_eq!(sum.into_inner(), 4950);
/// ```
pub fn run_jobs(threads: NonZero<usize>, count: usize, job: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            job(number);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(count) {
            // with fewer threads than asked for the jobs are done all the same
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}
