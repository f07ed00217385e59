//! Several threads at one step.
//!
//! All go down from the same squares, each in its own order, over the same tables, and mark
//! what they work out. What another is at is left for later; and where nothing else is left,
//! it is worked out together, from its parts. So there is no list of work to hand out, nobody
//! depends on anybody, and whoever stops leaves nothing undone that matters.

use super::step::{MacroStep, MacroStepOutcome, Stepper};
use super::store::NodeStore;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// Who works on a step.
#[derive(Clone, Copy)]
pub(super) struct StepWorker<'a> {
    /// How many they are.
    pub(super) workers: usize,
    /// Which of them this one is: each begins elsewhere.
    pub(super) index: usize,
    /// Whether all are to stop.
    pub(super) stop: &'a AtomicBool,
}

/// Takes a step, with the help of other threads where there may be some and it is worth it.
pub(super) fn run(
    store: &NodeStore,
    request: MacroStep<'_>,
    keep_going: &mut dyn FnMut() -> bool,
) -> MacroStepOutcome {
    // A square's result could be read while one for another phase, or for the rest of the
    // step, takes its place.
    if store.threads <= 1 || store.leaf_kind.time_period() > 1 || !request.length.is_power_of_two()
    {
        return Stepper::new(store, request, keep_going).run();
    }
    let stop = AtomicBool::new(false);
    let worker = |index| StepWorker {
        workers: store.threads,
        index,
        stop: &stop,
    };
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        let mut spawn_workers = || {
            for index in 1..store.threads {
                let worker = worker(index);
                let help = move || {
                    let keep_going = &mut || true;
                    let mut stepper = Stepper::new(store, request, keep_going);
                    stepper.worker = Some(worker);
                    let outcome = stepper.run();
                    if outcome.results.is_err() {
                        worker.stop.store(true, Relaxed);
                    }
                    outcome
                };
                // Where the system gives no more threads, fewer do the work.
                helpers.extend(thread::Builder::new().spawn_scoped(scope, help));
            }
            worker(0)
        };
        let mut stepper = Stepper::new(store, request, keep_going);
        stepper.spawn_workers = Some(&mut spawn_workers);
        let mut outcome = stepper.run();
        stop.store(true, Relaxed);
        for helper in helpers {
            match helper.join() {
                Ok(other) => {
                    outcome.in_flight.extend(other.in_flight);
                    outcome.computed += other.computed;
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        outcome
    })
}
