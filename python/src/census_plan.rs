//! `CensusPlan`: a census that several processes share. Cutting it is the crate `batch`'s.

use crate::error;
use crate::guard::GuardedValue;
use crate::part_state::{PartState, faults, hash_plan, ranges, read_plan, reduce_plan};
use crate::pattern::check_pickle;
use crate::rule;
use crate::watch::SignalWatch;
use batch::{CensusIdentity, CensusPlan, CensusPlanText, SoupRange, UnitPart};
use census::{CensusSettings, CensusUnitRunner};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A census that is cut into units, each a pure function of the plan: the text of a TOML file.
///
/// >>> from gridpaper.cluster import CensusPlan
/// >>> plan = CensusPlan("soups = 1000\nunit = 100")
/// >>> plan.units, plan.soups, plan.rule
/// (10, 1000, 'b3s23')
#[pyclass(frozen, module = "gridpaper.cluster", name = "CensusPlan")]
pub(crate) struct PyCensusPlan {
    pub(crate) plan: CensusPlan,
    settings: CensusSettings,
    /// What counts, once it is needed: it keeps what it has learnt of objects.
    runner: GuardedValue<Option<CensusUnitRunner>>,
}

impl PyCensusPlan {
    fn new(py: Python<'_>, plan: CensusPlan) -> PyResult<Self> {
        let settings = plan.identity().settings().ok_or_else(|| {
            let message = format!(
                "{}: this program cannot count such soups by the rule's name and its version {}",
                plan.identity(),
                batch::COUNTING_VERSION
            );
            error::census(py, &message, None)
        })?;
        Ok(Self {
            plan,
            settings,
            runner: GuardedValue::new(None, "plan", false),
        })
    }

    fn parse(py: Python<'_>, text: &str, place: &str) -> PyResult<Self> {
        let plan: CensusPlanText =
            text.parse()
                .map_err(|fault: <CensusPlanText as std::str::FromStr>::Err| {
                    let message = format!("{place}{}", fault.to_string().trim_end());
                    error::census(py, &message, None)
                })?;
        let settings = CensusSettings {
            rule: rule::parse(py, &plan.rule)?,
            symmetry: plan
                .symmetry
                .parse()
                .map_err(|fault| error::census(py, &format!("{place}{fault}"), None))?,
            root: plan.seed,
            settling: plan.settle,
        };
        let identity = CensusIdentity::of(&settings);
        let range = SoupRange::new(plan.from, plan.soups);
        let plan = Self::new(py, CensusPlan::new(identity, range, plan.unit))?;
        if plan.settings != settings {
            let message = format!(
                "{place}other machines cannot know the rule `{}` by its name alone",
                plan.plan.identity().rule
            );
            return Err(error::census(py, &message, None));
        }
        Ok(plan)
    }
}

#[pymethods]
impl PyCensusPlan {
    #[new]
    fn make(py: Python<'_>, text: &str) -> PyResult<Self> {
        Self::parse(py, text, "")
    }

    /// Reads a TOML file.
    #[classmethod]
    fn read(_class: &Bound<'_, PyType>, py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let (text, place) = read_plan(&path)?;
        Self::parse(py, &text, &place)
    }

    /// The rule, as a census names it.
    #[getter]
    fn rule(&self) -> &str {
        &self.plan.identity().rule
    }

    /// How the cells of a soup are made.
    #[getter]
    fn symmetry(&self) -> &str {
        &self.plan.identity().symmetry
    }

    /// The root of the soups.
    #[getter]
    fn seed(&self) -> &str {
        &self.plan.identity().root
    }

    /// The number of the first soup.
    #[getter]
    fn first(&self) -> u64 {
        self.plan.range().first
    }

    /// How many soups there are.
    #[getter]
    fn soups(&self) -> u64 {
        self.plan.range().soups
    }

    /// How many units they are cut into.
    #[getter]
    fn units(&self) -> u64 {
        self.plan.units()
    }

    /// The soups of a unit, by their numbers.
    ///
    /// >>> from gridpaper.cluster import CensusPlan
    /// >>> CensusPlan("soups = 1000\nunit = 100").unit(2)
    /// range(200, 300)
    fn unit<'py>(&self, py: Python<'py>, number: u64) -> PyResult<Bound<'py, PyAny>> {
        let unit = self.range(number)?;
        py.import("builtins")?
            .getattr("range")?
            .call1((unit.first, unit.end()))
    }

    /// The SHA-256 of the plan: equal for plans whose parts can be added.
    #[getter]
    fn digest(&self) -> &str {
        self.plan.digest()
    }

    /// Counts a unit and gives it as the line that stands for it in a part. `progress` is called
    /// with the number of soups that are done.
    ///
    /// >>> from gridpaper.cluster import CensusPlan
    /// >>> plan = CensusPlan("soups = 20\nunit = 10")
    /// >>> plan.count(1).startswith('{"unit":1,')
    /// True
    #[pyo3(signature = (number, *, progress=None))]
    fn count(&self, py: Python<'_>, number: u64, progress: Option<Py<PyAny>>) -> PyResult<String> {
        let range = self.range(number)?;
        let mut watch = SignalWatch::of(py, progress, range.soups)?;
        let counted = self.runner.with_detached(py, |runner| {
            let runner = match runner {
                Some(runner) => runner,
                None => runner.insert(
                    CensusUnitRunner::new(self.settings.clone())
                        .map_err(|fault| fault.to_string())?,
                ),
            };
            let mut done = 0_u64;
            let report = runner.run(range.first, range.soups, &mut |_| {
                done += 1;
                watch.goes_on(|| done)
            });
            Ok(report)
        })?;
        watch.finish()?;
        let report = counted.map_err(|fault: String| error::census(py, &fault, None))?;
        let report = report.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
        let unit = UnitPart::new(&self.plan, report);
        let unit = unit.ok_or_else(|| PyValueError::new_err("it is no unit of the plan"))?;
        Ok(unit.line().into())
    }

    /// The units that no part in a folder has. With `faulty=False` those that could not be counted
    /// are left out.
    #[pyo3(signature = (folder, *, faulty=true))]
    fn missing<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        faulty: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let state = py.detach(|| PartState::read(&folder, &self.plan));
        let state = state.map_err(|fault| error::of_part(py, &fault))?;
        let missing = state.finished(!faulty).missing(self.plan.units());
        ranges(py, &missing)
    }

    /// The units that could not be counted, by the parts in a folder, and why.
    fn faults(&self, py: Python<'_>, folder: PathBuf) -> PyResult<BTreeMap<u64, String>> {
        faults(py, &folder, &self.plan)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.plan == other.plan
    }

    fn __hash__(&self) -> u64 {
        hash_plan(self.plan.digest())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduce_plan(py, "_restore_census_plan", &self.plan.line())
    }

    fn __repr__(&self) -> String {
        let units = self.plan.units();
        let soups = self.plan.range().soups;
        format!(
            "CensusPlan({}: {soups} soups in {units} units)",
            self.plan.identity()
        )
    }
}

impl PyCensusPlan {
    fn range(&self, number: u64) -> PyResult<SoupRange> {
        self.plan.unit(number).ok_or_else(|| {
            let units = self.plan.units();
            PyIndexError::new_err(format!("unit {number}: the plan has {units} units"))
        })
    }
}

/// What `pickle` calls to have a plan back.
#[pyfunction]
#[pyo3(name = "_restore_census_plan", signature = (version, line=None))]
pub(crate) fn restore_census_plan(
    py: Python<'_>,
    version: u32,
    line: Option<&str>,
) -> PyResult<PyCensusPlan> {
    check_pickle("plan", version)?;
    let plan = line.and_then(CensusPlan::from_line);
    let plan = plan.ok_or_else(|| PyValueError::new_err("this pickle of a plan is not whole"))?;
    PyCensusPlan::new(py, plan)
}
