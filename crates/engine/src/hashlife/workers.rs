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
    pub(super) place: usize,
    /// Whether all are to stop.
    pub(super) stops: &'a AtomicBool,
}

/// Takes a step, with the help of other threads where there may be some and it is worth it.
pub(super) fn take(
    store: &NodeStore,
    leap: MacroStep<'_>,
    go_on: &mut dyn FnMut() -> bool,
) -> MacroStepOutcome {
    // A square's result could be read while one for another phase, or for the rest of the
    // step, takes its place.
    if store.threads <= 1 || store.leaf_kind.time_period() > 1 || !leap.span.is_even() {
        return Stepper::new(store, leap, go_on).take();
    }
    let stops = AtomicBool::new(false);
    let crew = |place| StepWorker {
        workers: store.threads,
        place,
        stops: &stops,
    };
    thread::scope(|scope| {
        let mut helpers = Vec::new();
        let mut call = || {
            for place in 1..store.threads {
                let crew = crew(place);
                let help = move || {
                    let go_on = &mut || true;
                    let mut stepper = Stepper::new(store, leap, go_on);
                    stepper.crew = Some(crew);
                    let outcome = stepper.take();
                    if outcome.futures.is_err() {
                        crew.stops.store(true, Relaxed);
                    }
                    outcome
                };
                // Where the system gives no more threads, fewer do the work.
                helpers.extend(thread::Builder::new().spawn_scoped(scope, help));
            }
            crew(0)
        };
        let mut stepper = Stepper::new(store, leap, go_on);
        stepper.call = Some(&mut call);
        let mut outcome = stepper.take();
        stops.store(true, Relaxed);
        for helper in helpers {
            match helper.join() {
                Ok(other) => {
                    outcome.held.extend(other.held);
                    outcome.done += other.done;
                }
                Err(panic) => resume_unwind(panic),
            }
        }
        outcome
    })
}
