//! Several threads on one macro step.
//!
//! All workers descend from the same nodes over the same tables, each in an order of its own,
//! and claim what they compute. A worker leaves claimed nodes for later; when nothing else is
//! left, it helps with their descendants. So there is no work queue, no worker depends on
//! another, and one that stops leaves nothing undone that matters.
//!
//! Insertion takes no lock: two workers may insert one node twice, which costs time and never an
//! answer. Locks were a tenth of two threads' time. Ids and results are released when written and
//! acquired when read; `model` shows it under every order that the C11 memory model allows.

use super::super::store::NodeStore;
use super::{MacroStep, MacroStepOutcome, Stepper};
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// One worker of a step.
#[derive(Clone, Copy)]
pub(in crate::hashlife) struct StepWorker<'a> {
    /// The number of workers.
    pub(in crate::hashlife) workers: usize,
    /// The index of this one: each starts at a different node.
    pub(in crate::hashlife) index: usize,
    /// Set when all are to stop.
    pub(in crate::hashlife) stop: &'a AtomicBool,
}

/// Runs a step, with further threads where that is allowed and worthwhile.
pub(in crate::hashlife) fn run(
    store: &NodeStore,
    request: MacroStep<'_>,
    keep_going: &mut dyn FnMut() -> bool,
) -> MacroStepOutcome {
    // Otherwise a worker could read a result while one for another phase, or for the remainder
    // of the step, replaces it.
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
                // If the system refuses a thread, fewer workers do the step.
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
                    for (all, more) in outcome.computed.iter_mut().zip(other.computed) {
                        *all += more;
                    }
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        outcome
    })
}
