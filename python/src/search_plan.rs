//! `SearchPlan`: a search that several processes share. Cutting it into cubes is the crate `batch`'s.

use crate::error;
use crate::part_state::{faults, hash_plan, ranges, read_plan, reduce_plan};
use crate::pattern::check_pickle;
use crate::watch::SignalWatch;
use batch::{SearchMerge, SearchPlan, SearchPlanText};
use parts::{PartPlan as _, UnitSet};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::str::FromStr;

/// A search that is cut into units, cubes that fix some cells: the text of a TOML file.
///
/// >>> from gridpaper.cluster import SearchPlan
/// >>> plan = SearchPlan("search = 'osc'\nperiod = 2\nsize = '3x3'\ncubes = 2")
/// >>> plan.units, plan.rule
/// (4, 'B3/S23')
#[pyclass(frozen, module = "gridpaper.cluster", name = "SearchPlan")]
pub(crate) struct PySearchPlan {
    pub(crate) plan: SearchPlan,
}

impl PySearchPlan {
    fn parse(py: Python<'_>, text: &str, place: &str) -> PyResult<Self> {
        let wrong = |fault: &dyn ToString| {
            let message = format!("{place}{}", fault.to_string().trim_end());
            error::search(py, &message, None)
        };
        let text = SearchPlanText::from_str(text).map_err(|fault| wrong(&fault))?;
        let plan = py.detach(|| SearchPlan::new(text));
        let plan = plan.map_err(|fault| wrong(&fault))?;
        Ok(Self { plan })
    }
}

#[pymethods]
impl PySearchPlan {
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

    /// The rule.
    #[getter]
    fn rule(&self) -> &str {
        &self.plan.text().rule
    }

    /// How many units there are to begin with.
    #[getter]
    fn units(&self) -> u64 {
        self.plan.cubes()
    }

    /// The SHA-256 of the plan: equal for plans whose parts can be added.
    #[getter]
    fn digest(&self) -> &str {
        self.plan.digest()
    }

    /// What a unit is: "cube 17", and "cube 17.3" for a part of one that was cut further.
    ///
    /// >>> from gridpaper.cluster import SearchPlan
    /// >>> SearchPlan("search = 'still'\nsize = '4x4'\ncubes = 3").unit(5)
    /// 'cube 5'
    fn unit(&self, number: u64) -> PyResult<String> {
        let name = self.plan.unit_name(number);
        name.ok_or_else(|| PyIndexError::new_err(format!("the plan has no unit {number}")))
    }

    /// Searches a unit and gives the line that stands for it in a part. `progress` is called with how
    /// often it was asked whether to go on.
    ///
    /// >>> from gridpaper.cluster import SearchPlan
    /// >>> plan = SearchPlan("search = 'osc'\nperiod = 2\nsize = '3x3'\ncubes = 2")
    /// >>> plan.search(1).startswith('{"unit":1,')
    /// True
    #[pyo3(signature = (number, *, progress=None))]
    fn search(&self, py: Python<'_>, number: u64, progress: Option<Py<PyAny>>) -> PyResult<String> {
        self.unit(number)?;
        let mut watch = SignalWatch::of(py, progress, py.None())?;
        let searched = py.detach(|| {
            let mut steps = 0_u64;
            self.plan.run(number, &mut || {
                steps += 1;
                watch.goes_on(|| steps)
            })
        });
        watch.finish()?;
        let result = searched.map_err(|fault| error::search(py, &fault, None))?;
        let result = result.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
        Ok(self.plan.line_of(number, &result))
    }

    /// The units that are needed and that no part in a folder has: cubes, and the parts of those that
    /// took too many guesses. With `faulty=False` those that could not be searched are left out.
    #[pyo3(signature = (folder, *, faulty=true))]
    fn missing<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        faulty: bool,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let missing = py.detach(|| {
            let merge = match folder.exists() {
                true => SearchMerge::of_folder(&folder, &self.plan)?,
                false => SearchMerge::of_plan(&self.plan),
            };
            let missing = merge.missing();
            let faults: Vec<u64> = merge.faults().map(|fault| fault.0).collect();
            let runs = missing
                .runs()
                .iter()
                .flat_map(|&(first, last)| first..=last);
            let is_wanted = |unit: &u64| faulty || !faults.contains(unit);
            Ok(runs.filter(is_wanted).collect::<UnitSet>())
        });
        let missing = missing.map_err(|fault| error::of_part(py, &fault))?;
        ranges(py, &missing)
    }

    /// The units that could not be searched, by the parts in a folder, and why.
    fn faults(&self, py: Python<'_>, folder: PathBuf) -> PyResult<BTreeMap<u64, String>> {
        faults(py, &folder, &self.plan)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.plan.line() == other.plan.line()
    }

    fn __hash__(&self) -> u64 {
        hash_plan(self.plan.digest())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        reduce_plan(py, "_restore_search_plan", self.plan.line())
    }

    fn __repr__(&self) -> String {
        let text = self.plan.text();
        let units = self.plan.cubes();
        let what = text.pattern.as_ref().unwrap_or(&text.size);
        format!("SearchPlan({}, {what}: {units} units)", text.rule)
    }
}

/// What `pickle` calls to have a plan back.
#[pyfunction]
#[pyo3(name = "_restore_search_plan", signature = (version, line=None))]
pub(crate) fn restore_search_plan(version: u32, line: Option<&str>) -> PyResult<PySearchPlan> {
    check_pickle("plan", version)?;
    let plan = line.and_then(SearchPlan::from_line);
    let plan = plan.ok_or_else(|| PyValueError::new_err("this pickle of a plan is not whole"))?;
    Ok(PySearchPlan { plan })
}
