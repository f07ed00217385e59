//! `census`: what random soups leave, counted in units on threads. Counting and merging are the
//! crates `census`'s and `batch`'s.

use crate::error;
use crate::pattern::{PICKLE_FORMAT, check_pickle};
use crate::rule::{self, rule_text};
use crate::watch::SignalWatch;
use batch::{
    CensusIdentity, CensusPlan, CensusRunError, CensusStore, CensusStoreError, CensusTotals,
    LifespanHistogram, PartMerge, SoupRange, UnitPlan, UnitWorker, run_units,
};
use census::probe::{ProbeVerdict, probe_soups};
use census::{CensusSettings, CensusUnitRunner, SettlingMethod, UnitReport};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Soups in a unit of a store, as the command has it: so stores can be merged.
const UNIT: u64 = 10_000;
/// A thread takes no fewer soups at a time.
const MIN_UNIT: u64 = 250;

/// What soups have left.
#[pyclass(frozen, module = "gridpaper", name = "Census")]
pub(crate) struct PyCensus {
    identity: CensusIdentity,
    totals: CensusTotals,
    samples: SampleList,
}

impl PyCensus {
    /// The sum of parts.
    pub(crate) fn of_merge(plan: &CensusPlan, merge: &PartMerge) -> Self {
        let identity = plan.identity().clone();
        let samples = merge.samples().iter();
        let named = |soups: &[u64]| {
            let name = |&soup: &u64| (identity.root.clone(), soup);
            soups.iter().map(name).collect()
        };
        let samples = samples
            .map(|(code, soups)| (code.clone(), named(soups)))
            .collect();
        Self {
            totals: merge.totals(),
            samples,
            identity,
        }
    }
}

/// Objects by apgcode, and soups in which they come: root and number.
type SampleList = Vec<(String, Vec<(String, u64)>)>;

#[pymethods]
impl PyCensus {
    /// The rule.
    #[getter]
    fn rule(&self) -> &str {
        &self.identity.rule
    }

    /// The symmetry of the soups.
    #[getter]
    fn symmetry(&self) -> &str {
        &self.identity.symmetry
    }

    /// The root of their seeds.
    #[getter]
    fn seed(&self) -> &str {
        &self.identity.root
    }

    /// How many soups were counted.
    #[getter]
    fn soups(&self) -> u64 {
        self.totals.soups
    }

    /// How many objects they left.
    #[getter]
    fn objects(&self) -> u64 {
        self.totals.objects()
    }

    /// How many did not settle as others do.
    #[getter]
    fn unsettled(&self) -> u64 {
        self.totals.unsettled
    }

    /// Counts by apgcode, the commonest first.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (code, count) in self.totals.ranking() {
            counts.set_item(code, count)?;
        }
        Ok(counts)
    }

    /// Soups in which an object comes, as names that `Pattern` opens.
    fn samples(&self, code: &str) -> Vec<String> {
        let found = self.samples.iter().find(|(known, _)| known == code);
        let name =
            |(root, index): &(String, u64)| format!("{}/{root}{index}", self.identity.symmetry);
        found.map_or(Vec::new(), |(_, soups)| soups.iter().map(name).collect())
    }

    /// Soups by lifespan: the first generation of each bin, and how many end in it.
    #[getter]
    fn lifespans<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bins = PyDict::new(py);
        for (&bin, &soups) in &self.totals.lifespans.bins {
            bins.set_item(bin, soups)?;
        }
        Ok(bins)
    }

    /// The mean lifespan.
    #[getter]
    fn mean_lifespan(&self) -> Option<f64> {
        self.totals.lifespans.mean()
    }

    /// The longest one.
    #[getter]
    fn longest_lifespan(&self) -> u64 {
        self.totals.lifespans.longest
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.import("gridpaper._core")?.getattr("_restore_census")?;
        let (identity, totals) = (&own.identity, &own.totals);
        let names = [
            &identity.rule,
            &identity.symmetry,
            &identity.root,
            &identity.settling,
            &identity.version,
        ];
        let lifespans = &totals.lifespans;
        let numbers = [
            totals.soups,
            totals.unsettled,
            lifespans.sum,
            lifespans.longest,
        ];
        let state = (
            PICKLE_FORMAT,
            names,
            numbers,
            totals.tally.clone(),
            lifespans.bins.clone(),
            own.samples.clone(),
        );
        (restore, state).into_pyobject(py).map(Bound::into_any)
    }

    fn __repr__(&self) -> String {
        format!(
            "Census({}/{}, {}: {} objects of {} kinds from {} soups)",
            self.identity.rule,
            self.identity.symmetry,
            self.identity.root,
            self.totals.objects(),
            self.totals.tally.len(),
            self.totals.soups
        )
    }
}

/// What `pickle` calls to have a census back.
#[pyfunction]
#[pyo3(
    name = "_restore_census",
    signature = (version, identity=None, totals=None, tally=None, bins=None, samples=None)
)]
pub(crate) fn restore_census(
    version: u32,
    identity: Option<[String; 5]>,
    totals: Option<[u64; 4]>,
    tally: Option<BTreeMap<String, u64>>,
    bins: Option<BTreeMap<u64, u64>>,
    samples: Option<SampleList>,
) -> PyResult<PyCensus> {
    check_pickle("census", version)?;
    let (Some(identity), Some(totals), Some(tally), Some(bins), Some(samples)) =
        (identity, totals, tally, bins, samples)
    else {
        return Err(PyValueError::new_err(
            "this pickle of a census is not whole",
        ));
    };
    let [rule, symmetry, root, settling, version] = identity;
    let [soups, unsettled, sum, longest] = totals;
    Ok(PyCensus {
        identity: CensusIdentity {
            rule,
            symmetry,
            root,
            settling,
            version,
        },
        totals: CensusTotals {
            soups,
            tally,
            lifespans: LifespanHistogram { bins, sum, longest },
            unsettled,
        },
        samples,
    })
}

/// The soups of a unit, one thread's.
struct SignalledWorker {
    runner: Result<CensusUnitRunner, String>,
    stop: Arc<AtomicBool>,
}

impl UnitWorker for SignalledWorker {
    fn count(
        &mut self,
        range: SoupRange,
        on_soups: &mut dyn FnMut(u64),
    ) -> Result<UnitReport, String> {
        let runner = self.runner.as_mut().map_err(|error| error.clone())?;
        let report = runner.run(range.first, range.soups, &mut |_| {
            on_soups(1);
            !self.stop.load(Ordering::Relaxed)
        });
        report.ok_or_else(|| "stopped".into())
    }
}

fn settings_of(
    py: Python<'_>,
    rule: Option<&Bound<'_, PyAny>>,
    symmetry: &str,
    seed: &str,
    settle: &str,
) -> PyResult<CensusSettings> {
    let text = rule_text(rule)?.unwrap_or_else(|| source::DEFAULT_RULE.into());
    Ok(CensusSettings {
        rule: rule::parse(py, &text)?,
        symmetry: symmetry
            .parse()
            .map_err(|fault: census::HashSoupSymmetryError| {
                error::census(py, &fault.to_string(), None)
            })?,
        root: seed.into(),
        settling: match settle {
            "exact" => SettlingMethod::Exact,
            "apgsearch" => SettlingMethod::Apgsearch,
            _ => {
                let message = format!("settle={settle:?}: expected exact or apgsearch");
                return Err(PyValueError::new_err(message));
            }
        },
    })
}

fn broken(py: Python<'_>, fault: &CensusStoreError) -> PyErr {
    error::census(py, &fault.to_string(), fault.hint())
}

/// What a run is told.
struct SoupCount {
    settings: CensusSettings,
    range: SoupRange,
    threads: NonZero<usize>,
    store: Option<PathBuf>,
}

/// Why there is no census.
enum CensusFault {
    Settings(census::CensusError),
    Explosive(u64, u64),
    Store(CensusStoreError),
    Run(CensusRunError),
    Stopped,
}

impl From<CensusStoreError> for CensusFault {
    fn from(error: CensusStoreError) -> Self {
        Self::Store(error)
    }
}

impl SoupCount {
    fn count(&self, watch: &mut SignalWatch) -> Result<PyCensus, CensusFault> {
        let (settings, range) = (&self.settings, self.range);
        CensusUnitRunner::new(settings.clone()).map_err(CensusFault::Settings)?;
        let is_new = self.store.as_ref().is_none_or(|path| !path.exists());
        if is_new && range.soups > 0 {
            match probe_soups(settings, range.first).map_err(CensusFault::Settings)? {
                ProbeVerdict::Countable => {}
                ProbeVerdict::Explosive { soups, unsettled } => {
                    return Err(CensusFault::Explosive(soups, unsettled));
                }
            }
        }
        let mut store = match &self.store {
            Some(path) => CensusStore::open_or_create(path)?,
            None => CensusStore::in_memory()?,
        };
        let identity = CensusIdentity::of(settings);
        let number = store.open_census(&identity)?;
        let missing = store.missing(number, range)?;
        let unit = match &self.store {
            Some(_) => UNIT,
            None => (range.soups / (8 * self.threads.get() as u64)).clamp(MIN_UNIT, UNIT),
        };
        let stop = Arc::new(AtomicBool::new(false));
        let counted = run_units(
            &mut store,
            number,
            UnitPlan::new(missing, unit),
            self.threads,
            &|| {
                Box::new(SignalledWorker {
                    runner: CensusUnitRunner::new(settings.clone()).map_err(|e| e.to_string()),
                    stop: stop.clone(),
                })
            },
            &stop,
            &mut |progress| {
                if !watch.goes_on(|| progress.soups) {
                    stop.store(true, Ordering::Relaxed);
                }
            },
        );
        if stop.load(Ordering::Relaxed) {
            return Err(CensusFault::Stopped);
        }
        watch.tell(counted.map_err(CensusFault::Run)?);
        let totals = store.totals()?;
        let mut samples = Vec::new();
        for code in totals.tally.keys() {
            let soups = store.samples(code)?;
            let soups = soups
                .into_iter()
                .map(|soup| (soup.root, soup.index))
                .collect();
            samples.push((code.clone(), soups));
        }
        Ok(PyCensus {
            identity,
            totals,
            samples,
        })
    }
}

/// Counts what random soups of 16 x 16 cells leave, by Catagolue's names for objects. The result
/// depends on neither threads nor order; with `store`, a file, it goes on where it was stopped.
///
/// >>> import gridpaper as gp
/// >>> census = gp.census(200, seed="census_seed_a", threads=1)
/// >>> gp.object_name(next(iter(census.counts)))
/// 'block'
#[pyfunction]
#[pyo3(
    name = "census",
    signature = (
        soups, rule=None, *, seed="gridpaper", symmetry="C1", first=0, threads=None,
        settle="exact", store=None, progress=None
    )
)]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn count_soups(
    py: Python<'_>,
    soups: u64,
    rule: Option<&Bound<'_, PyAny>>,
    seed: &str,
    symmetry: &str,
    first: u64,
    threads: Option<usize>,
    settle: &str,
    store: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyCensus> {
    let settings = settings_of(py, rule, symmetry, seed, settle)?;
    let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
    let threads = match threads {
        None => cores(),
        Some(threads) => NonZero::new(threads)
            .filter(|threads| threads.get() <= 1024)
            .ok_or_else(|| PyValueError::new_err(format!("{threads} threads: give 1 to 1024")))?,
    };
    if first.checked_add(soups).is_none() {
        let message = format!("{soups} soups from number {first} on: there are no such numbers");
        return Err(PyValueError::new_err(message));
    }
    let run = SoupCount {
        settings,
        range: SoupRange::new(first, soups),
        threads,
        store,
    };
    let mut watch = SignalWatch::of(py, progress, soups)?;
    let counted = py.detach(|| run.count(&mut watch));
    watch.finish()?;
    counted.map_err(|fault| match fault {
        CensusFault::Settings(fault) => error::census(py, &fault.to_string(), None),
        CensusFault::Explosive(soups, unsettled) => {
            let message = format!(
                "the rule is explosive: {unsettled} of {soups} soups grow without an end or do \
                 not settle"
            );
            error::census(
                py,
                &message,
                Some("a census needs a rule whose soups settle"),
            )
        }
        CensusFault::Store(fault) | CensusFault::Run(CensusRunError::Store(fault)) => {
            broken(py, &fault)
        }
        CensusFault::Run(fault) => error::census(py, &fault.to_string(), None),
        CensusFault::Stopped => PyKeyboardInterrupt::new_err(()),
    })
}

/// The name that an object is known by.
#[pyfunction]
pub(crate) fn object_name(apgcode: &str) -> Option<&'static str> {
    census::object_name(apgcode)
}
