//! The threads that count the units of a census.

use crate::{CensusProgress, CensusStore, CensusStoreError, SoupRange, UnitPlan};
use census::UnitReport;
use parts::PartError;
use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Counts units, one after the other, in one thread.
pub trait UnitWorker {
    /// Counts a unit; the same range always gives the same report. `on_soups` is told the number
    /// of soups done since it was last called.
    ///
    /// # Errors
    /// A sentence that says why the soups cannot be counted.
    fn count(
        &mut self,
        range: SoupRange,
        on_soups: &mut dyn FnMut(u64),
    ) -> Result<UnitReport, String>;
}

/// Makes the worker of a thread.
pub type WorkerFactory<'a> = dyn Fn() -> Box<dyn UnitWorker> + Sync + 'a;

/// Why a run of a census ended early.
#[derive(Debug, Error)]
pub enum CensusRunError {
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] CensusStoreError),
    /// A part cannot be written, or has another result.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A unit cannot be counted.
    #[error("{range}: {problem}")]
    Unit {
        /// The unit.
        range: SoupRange,
        /// Why not.
        problem: String,
    },
}

/// How often a run that waits for units reports its progress.
const PACE: Duration = Duration::from_millis(100);

/// What a thread sends when a unit is done.
type UnitResult = (SoupRange, Result<UnitReport, String>, f64);

/// Counts units in several threads, and writes each into the store. The units under way are
/// finished when `stop` is set. Returns how many soups were counted.
///
/// # Errors
/// The store cannot be written or has other results, or a unit cannot be counted.
///
/// # Panics
/// When a worker does.
///
/// ```
/// use batch::{CensusIdentity, CensusStore, SoupRange, UnitPlan, UnitWorker, run_units};
/// use census::UnitReport;
/// use std::num::NonZero;
/// use std::sync::atomic::AtomicBool;
///
/// struct OneBlockEach;
/// impl UnitWorker for OneBlockEach {
///     fn count(
///         &mut self,
///         range: SoupRange,
///         _: &mut dyn FnMut(u64),
///     ) -> Result<UnitReport, String> {
///         let (first, soups) = (range.first, range.soups);
///         let tally = [("xs4_33".to_string(), soups)].into();
///         Ok(UnitReport { first, soups, tally, ..UnitReport::default() })
///     }
/// }
///
/// let mut store = CensusStore::in_memory()?;
/// let census = store.open_census(&CensusIdentity::new("b3s23", "C1", "seed", "exact"))?;
/// let plan = UnitPlan::new(store.missing(census, SoupRange::new(0, 100))?, 10);
/// let (threads, stop) = (NonZero::<usize>::MIN, AtomicBool::new(false));
/// run_units(&mut store, census, plan, threads, &|| Box::new(OneBlockEach), &stop, &mut |_| ())?;
/// assert_eq!(store.totals()?.objects(), 100);
/// # Ok::<(), batch::CensusRunError>(())
/// ```
pub fn run_units(
    store: &mut CensusStore,
    census: i64,
    plan: UnitPlan,
    threads: NonZero<usize>,
    factory: &WorkerFactory<'_>,
    stop: &AtomicBool,
    report: &mut dyn FnMut(&CensusProgress<'_>),
) -> Result<u64, CensusRunError> {
    let codes = store.totals()?.tally.into_keys().collect();
    let mut keep = |unit: &UnitReport, seconds: f64| {
        store.insert(census, unit, seconds)?;
        Ok(())
    };
    keep_units(codes, plan, threads, factory, stop, &mut keep, report)
}

/// What takes each finished unit, with the seconds that it took.
pub type UnitKeeper<'a> = dyn FnMut(&UnitReport, f64) -> Result<(), CensusRunError> + 'a;

/// Counts units in several threads, and hands each to `keep`, in the order in which they are
/// finished. The units under way are finished when `stop` is set. `codes` are the objects that are
/// known already. Returns how many soups were counted.
///
/// # Errors
/// What `keep` says, or a unit cannot be counted.
///
/// # Panics
/// When a worker does.
///
/// ```
/// use batch::{SoupRange, UnitPlan, UnitWorker, keep_units};
/// use census::UnitReport;
/// use std::collections::BTreeSet;
/// use std::num::NonZero;
/// use std::sync::atomic::AtomicBool;
///
/// struct Nothing;
/// impl UnitWorker for Nothing {
///     fn count(
///         &mut self,
///         range: SoupRange,
///         _: &mut dyn FnMut(u64),
///     ) -> Result<UnitReport, String> {
///         Ok(UnitReport { first: range.first, soups: range.soups, ..UnitReport::default() })
///     }
/// }
///
/// let plan = UnitPlan::new(vec![SoupRange::new(0, 30)], 10);
/// let (one, stop) = (NonZero::<usize>::MIN, AtomicBool::new(false));
/// let mut firsts = Vec::new();
/// let mut keep = |unit: &UnitReport, _| Ok(firsts.push(unit.first));
/// let factory = || Box::new(Nothing) as Box<dyn UnitWorker>;
/// keep_units(BTreeSet::new(), plan, one, &factory, &stop, &mut keep, &mut |_| ())?;
/// assert_eq!(firsts, [0, 10, 20]);
/// # Ok::<(), batch::CensusRunError>(())
/// ```
pub fn keep_units(
    mut codes: BTreeSet<String>,
    plan: UnitPlan,
    threads: NonZero<usize>,
    factory: &WorkerFactory<'_>,
    stop: &AtomicBool,
    keep: &mut UnitKeeper<'_>,
    report: &mut dyn FnMut(&CensusProgress<'_>),
) -> Result<u64, CensusRunError> {
    let begun = Instant::now();
    let planned = plan.soups();
    let queue = UnitQueue {
        plan: Mutex::new(plan),
        soups: AtomicU64::new(0),
        stop,
        has_failed: AtomicBool::new(false),
    };
    let (mut objects, mut written) = (0, 0);
    let mut newest: Option<String> = None;
    std::thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..threads.get() {
            let (sender, queue) = (sender.clone(), &queue);
            scope.spawn(move || queue.work(factory, &sender));
        }
        drop(sender);
        loop {
            match results.recv_timeout(PACE) {
                Ok((range, unit, seconds)) => {
                    let kept_unit = unit
                        .map_err(|problem| CensusRunError::Unit { range, problem })
                        .and_then(|unit| keep(&unit, seconds).map(|()| unit));
                    let unit = match kept_unit {
                        Ok(unit) => unit,
                        Err(error) => {
                            queue.has_failed.store(true, Ordering::Relaxed);
                            return Err(error);
                        }
                    };
                    written += unit.soups;
                    objects += unit.tally.values().sum::<u64>();
                    for code in unit.tally.into_keys() {
                        if codes.insert(code.clone()) {
                            newest = Some(code);
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(written),
            }
            report(&CensusProgress {
                soups: queue.soups.load(Ordering::Relaxed).max(written),
                planned,
                objects,
                kinds: codes.len(),
                newest: newest.as_deref(),
                elapsed: begun.elapsed(),
            });
        }
    })
}

/// The units that threads take in order.
struct UnitQueue<'a> {
    plan: Mutex<UnitPlan>,
    /// Soups done, also of the units under way.
    soups: AtomicU64,
    stop: &'a AtomicBool,
    /// Whether a unit could not be counted or written, so that no more are needed.
    has_failed: AtomicBool,
}

impl UnitQueue<'_> {
    /// Takes units until none is left.
    fn work(&self, factory: &WorkerFactory<'_>, sender: &Sender<UnitResult>) {
        let mut worker = None;
        while !self.stop.load(Ordering::Relaxed) && !self.has_failed.load(Ordering::Relaxed) {
            let next = self
                .plan
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next();
            let Some(range) = next else {
                return;
            };
            let worker = worker.get_or_insert_with(factory);
            let begun = Instant::now();
            let unit = worker.count(range, &mut |soups| {
                self.soups.fetch_add(soups, Ordering::Relaxed);
            });
            // nobody receives when the store has failed
            let _ = sender.send((range, unit, begun.elapsed().as_secs_f64()));
        }
    }
}
