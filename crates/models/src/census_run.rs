//! A census that a face starts and watches: what is asked for, how far it is, and the table of the
//! objects found so far.
//!
//! The soups are run on a thread that the face lends, in slices of about half a second, after each
//! of which the table is made anew. A face that names a file keeps what is counted there, and
//! counts no soup twice; without one, nothing is kept.

pub use crate::census_count::{
    CensusRequest, CensusRequestError, CensusRow, CensusView, MOST_SOUPS,
};
use crate::census_count::{census_row, probe, soup_name};
use crate::worker_pool::{JobHandle, JobPermit, WorkerPool};
use batch::{
    CensusIdentity, CensusStore, CensusStoreError, SoupRange, UnitPlan, UnitWorker, run_units,
};
use census::{CensusSettings, CensusUnitRunner, UnitReport};
use pattern::Cells;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Soups of the first slice.
const FIRST_SLICE: u64 = 200;

/// The time of a slice.
const SLICE: Duration = Duration::from_millis(500);

/// A census under way on a thread that the face lends. Dropped, it ends.
#[derive(Debug)]
pub struct CensusRun {
    request: CensusRequest,
    view: Arc<Mutex<CensusView>>,
    stop: Arc<AtomicBool>,
    /// None where nothing is counted.
    _handle: Option<JobHandle>,
}

impl CensusRun {
    /// Begins to count, on a thread of the pool, or goes on with what `store` has of it.
    ///
    /// # Errors
    /// When a part of the request means nothing.
    ///
    /// ```
    /// use models::census_run::{CensusRequest, CensusRun};
    /// use models::worker_pool::WorkerPool;
    ///
    /// let pool = WorkerPool::new(Default::default());
    /// pool.spawn("census", 1)?;
    /// let request = CensusRequest {
    ///     rule: "B3/S23".into(),
    ///     symmetry: "C1".into(),
    ///     root: "mine".into(),
    ///     soups: 20,
    /// };
    /// let run = CensusRun::start(&pool, request, None)?;
    /// while !run.view().is_over {
    ///     std::thread::yield_now();
    /// }
    /// let view = run.view();
    /// assert_eq!((view.soups, view.error.as_deref()), (20, None));
    /// assert!(view.rows.iter().any(|row| row.name == Some("block")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(
        pool: &WorkerPool,
        request: CensusRequest,
        store: Option<PathBuf>,
    ) -> Result<Self, CensusRequestError> {
        let settings = request.settings()?;
        let identity = CensusIdentity::of(&settings);
        let view = Arc::new(Mutex::new(CensusView {
            rule: identity.rule.clone(),
            planned: request.soups,
            ..CensusView::default()
        }));
        let stop = Arc::new(AtomicBool::new(false));
        let (shown, flag, soups) = (Arc::clone(&view), Arc::clone(&stop), request.soups);
        let handle = pool.begin(None, move |permit| {
            let counting = CensusCounting {
                settings,
                identity,
                store,
                view: &shown,
                stop: &flag,
                permit,
            };
            let error = counting.count(soups).err();
            update(&shown, |view| {
                view.is_over = true;
                view.error = error;
            });
        });
        Ok(Self {
            request,
            view,
            stop,
            _handle: Some(handle),
        })
    }

    /// What a store has, as a census that is not counted on; none where that is not one that this
    /// program can count.
    ///
    /// ```
    /// use models::census_run::CensusRun;
    ///
    /// let nothing = std::path::Path::new("there/is/no/such.sqlite");
    /// assert!(CensusRun::of_store(nothing).is_none());
    /// ```
    #[must_use]
    pub fn of_store(path: &Path) -> Option<Self> {
        let store = CensusStore::open(path).ok()?;
        let identity = store.censuses().ok()?.into_iter().next()?.identity;
        let settings = identity.settings()?;
        let soups = store.totals().ok()?.soups;
        let view = Mutex::new(CensusView {
            rule: identity.rule.clone(),
            planned: soups,
            is_over: true,
            ..CensusView::default()
        });
        show(&view, &identity, &store, 0.0).ok()?;
        Some(Self {
            request: CensusRequest {
                rule: settings.rule.to_string(),
                symmetry: identity.symmetry,
                root: identity.root,
                soups,
            },
            view: Arc::new(view),
            stop: Arc::default(),
            _handle: None,
        })
    }

    /// What was asked for.
    #[must_use]
    pub fn request(&self) -> &CensusRequest {
        &self.request
    }

    /// How far it is.
    ///
    /// ```
    /// use models::census_run::{CensusRequest, CensusRun};
    ///
    /// let pool = models::worker_pool::WorkerPool::new(Default::default());
    /// let request = CensusRequest {
    ///     rule: "B3/S23".into(),
    ///     symmetry: "C1".into(),
    ///     root: "mine".into(),
    ///     soups: 20,
    /// };
    /// let view = CensusRun::start(&pool, request, None)?.view();
    /// assert_eq!((view.soups, view.planned, view.is_over), (0, 20, false), "no thread yet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn view(&self) -> CensusView {
        let view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        view.clone()
    }

    /// Ends it after the soups under way.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn update(view: &Mutex<CensusView>, change: impl FnOnce(&mut CensusView)) {
    change(&mut view.lock().unwrap_or_else(PoisonError::into_inner));
}

struct CensusCounting<'a> {
    settings: CensusSettings,
    identity: CensusIdentity,
    store: Option<PathBuf>,
    view: &'a Mutex<CensusView>,
    stop: &'a AtomicBool,
    permit: &'a JobPermit,
}

impl CensusCounting<'_> {
    fn is_wanted(&self) -> bool {
        self.permit.is_wanted() && !self.stop.load(Ordering::Relaxed)
    }

    fn count(&self, soups: u64) -> Result<(), String> {
        let words = |error: CensusStoreError| error.to_string();
        let store = match &self.store {
            Some(path) => CensusStore::open_or_create(path),
            None => CensusStore::in_memory(),
        };
        let mut store = store.map_err(words)?.with_max_samples(1);
        let census = store.open_census(&self.identity).map_err(words)?;
        let all = SoupRange::new(0, soups);
        let missing = store.missing(census, all).map_err(words)?;
        let mut done = soups - missing.iter().map(|range| range.soups).sum::<u64>();
        if done == 0 {
            probe(&self.settings)?;
        }
        let (begun, known) = (Instant::now(), done);
        let pace = |done: u64| (done - known) as f64 / begun.elapsed().as_secs_f64().max(1e-6);
        show(self.view, &self.identity, &store, 0.0).map_err(words)?;
        let mut slice = FIRST_SLICE;
        for mut range in missing {
            while range.soups > 0 && self.is_wanted() {
                let part = SoupRange::new(range.first, slice.min(range.soups));
                let before = Instant::now();
                let counted = run_units(
                    &mut store,
                    census,
                    UnitPlan::new(vec![part], part.soups),
                    NonZero::<usize>::MIN,
                    &|| -> Box<dyn UnitWorker> { Box::new(SoupWorker::new(&self.settings)) },
                    self.stop,
                    &mut |progress| {
                        if !self.permit.is_wanted() {
                            self.stop.store(true, Ordering::Relaxed);
                        }
                        let soups = done + progress.soups;
                        update(self.view, |view| view.soups = soups);
                    },
                );
                done += counted.map_err(|error| error.to_string())?;
                range = SoupRange::new(range.first + part.soups, range.soups - part.soups);
                let of_slice = part.soups as f64 / before.elapsed().as_secs_f64().max(1e-6);
                slice = ((of_slice * SLICE.as_secs_f64()) as u64).clamp(10, 10 * slice);
                show(self.view, &self.identity, &store, pace(done)).map_err(words)?;
            }
        }
        Ok(())
    }
}

/// Makes the table anew.
fn show(
    view: &Mutex<CensusView>,
    identity: &CensusIdentity,
    store: &CensusStore,
    soups_per_second: f64,
) -> Result<(), CensusStoreError> {
    let totals = store.totals()?;
    let mut rows = Vec::new();
    for (code, count) in totals.ranking() {
        let sample = store.samples(code)?.into_iter().next();
        let soup = sample.map(|soup| soup_name(&identity.symmetry, &soup.root, soup.index));
        rows.push(census_row(code, count, soup));
    }
    let lifespans = &totals.lifespans;
    let lifespans = lifespans.mean().map(|mean| (mean, lifespans.longest));
    update(view, |view| {
        view.soups = totals.soups;
        view.objects = totals.objects();
        view.soups_per_second = soups_per_second;
        view.lifespans = lifespans;
        view.rows = rows;
    });
    Ok(())
}

/// Counts units by running their soups.
#[derive(Debug)]
pub struct SoupWorker {
    /// The runner, or why there is none.
    runner: Result<CensusUnitRunner, String>,
}

impl SoupWorker {
    /// A worker for one census.
    ///
    /// ```
    /// use batch::{SoupRange, UnitWorker as _};
    /// use census::{CensusSettings, SettlingMethod};
    ///
    /// let mut worker = models::census_run::SoupWorker::new(&CensusSettings {
    ///     rule: "B3/S23".parse()?,
    ///     symmetry: "C1".parse()?,
    ///     root: "mine".into(),
    ///     settling: SettlingMethod::Exact,
    /// });
    /// let report = worker.count(SoupRange::new(0, 3), &mut |_| ())?;
    /// assert_eq!(report.soups, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(settings: &CensusSettings) -> Self {
        let runner = CensusUnitRunner::new(settings.clone());
        Self {
            runner: runner.map_err(|error| error.to_string()),
        }
    }

    /// A worker for soups that are given, as [`CensusUnitRunner::of_given`] takes them.
    ///
    /// ```
    /// use batch::{SoupRange, UnitWorker as _};
    /// use census::{CensusSettings, GivenSoups, SettlingMethod};
    ///
    /// let given: GivenSoups = "3o!\nbo$2bo$3o!".parse()?;
    /// let settings = CensusSettings {
    ///     rule: "B3/S23".parse()?,
    ///     symmetry: "stdin".parse()?,
    ///     root: given.mark,
    ///     settling: SettlingMethod::Exact,
    /// };
    /// let mut worker = models::census_run::SoupWorker::of_given(&settings, given.soups);
    /// assert_eq!(worker.count(SoupRange::new(1, 1), &mut |_| ())?.tally["xq4_153"], 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_given(settings: &CensusSettings, soups: Arc<[Cells]>) -> Self {
        let runner = CensusUnitRunner::of_given(settings.clone(), soups);
        Self {
            runner: runner.map_err(|error| error.to_string()),
        }
    }
}

impl UnitWorker for SoupWorker {
    fn count(
        &mut self,
        range: SoupRange,
        on_soups: &mut dyn FnMut(u64),
    ) -> Result<UnitReport, String> {
        let runner = self.runner.as_mut().map_err(|error| error.clone())?;
        let report = runner.run(range.first, range.soups, &mut |_| {
            on_soups(1);
            true
        });
        report.ok_or_else(|| "it was stopped".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census_count::CensusCount;

    #[test]
    fn a_census_goes_on_where_its_store_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("census.sqlite");
        let pool = WorkerPool::new(Arc::default());
        pool.spawn("census", 1).unwrap();
        let count = |soups: u64| {
            let request = CensusRequest {
                rule: "B3/S23".into(),
                symmetry: "C1".into(),
                root: "mine".into(),
                soups,
            };
            let run = CensusRun::start(&pool, request, Some(path.clone())).unwrap();
            while !run.view().is_over {
                std::thread::yield_now();
            }
            let view = run.view();
            assert_eq!(view.error, None);
            view
        };
        let first = count(30);
        let mut alone = CensusCount::begin(CensusRequest {
            rule: "B3/S23".into(),
            symmetry: "C1".into(),
            root: "mine".into(),
            soups: 30,
        })
        .unwrap();
        alone.go_on(&mut || true);
        assert_eq!(alone.view(first.soups_per_second), first, "without a store");
        let kept = CensusRun::of_store(&path).unwrap();
        assert_eq!((kept.view().rows, kept.view().soups), (first.rows, 30));
        assert_eq!(kept.request().root, "mine");
        let more = count(40);
        assert_eq!((more.soups, more.planned), (40, 40));
        assert!(more.objects > first.objects);
        // all of them are there, so none is counted again
        assert_eq!(count(40).soups_per_second, 0.0);
    }
}
