//! `CensusPlan` and `PartFile`: a census that several processes share, and the files to which they
//! append what they have counted. Cutting, writing and adding are the crate `batch`'s.

use crate::census::PyCensus;
use crate::error;
use crate::guard::GuardedValue;
use crate::pattern::{PICKLE_FORMAT, check_pickle};
use crate::rule;
use crate::watch::SignalWatch;
use batch::{
    CensusIdentity, CensusPlan, CensusPlanText, PartError, PartFile, PartMerge, SoupRange,
    UnitFault, UnitPart, faulty_units, finished_units, part_files,
};
use census::{CensusSettings, CensusUnitRunner};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

/// A census that is cut into units, each a pure function of the plan: the text of a TOML file.
///
/// >>> from gridpaper.cluster import CensusPlan
/// >>> plan = CensusPlan("soups = 1000\nunit = 100")
/// >>> plan.units, plan.soups, plan.rule
/// (10, 1000, 'b3s23')
#[pyclass(frozen, module = "gridpaper.cluster", name = "CensusPlan")]
pub(crate) struct PyCensusPlan {
    plan: CensusPlan,
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
        let text = fs::read_to_string(&path).map_err(|fault| error::of_file(&path, &fault))?;
        Self::parse(py, &text, &format!("{}: ", path.display()))
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
        range(py, unit.first, unit.end())
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
        let adapt = py.import("gridpaper._progress")?.getattr("function")?;
        let progress = adapt
            .call1((progress, range.soups))?
            .extract::<Option<Py<PyAny>>>()?;
        let mut watch = SignalWatch::new(progress);
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
        if !folder.exists() {
            return match self.plan.units() {
                0 => Ok(Vec::new()),
                units => Ok(vec![range(py, 0, units)?]),
            };
        }
        let finished = py.detach(|| {
            let finished = finished_units(&folder, &self.plan)?;
            let faults = match faulty {
                true => BTreeMap::new(),
                false => faulty_units(&folder, &self.plan)?,
            };
            let runs = finished.runs().iter().copied();
            let runs = runs.chain(faults.into_keys().map(|number| (number, number)));
            Ok(batch::UnitSet::new(runs.collect()))
        });
        let missing = finished
            .map_err(|fault| of_part(py, &fault))?
            .missing(self.plan.units());
        let runs = missing.runs().iter();
        runs.map(|(first, last)| range(py, *first, last + 1))
            .collect()
    }

    /// The units that could not be counted, by the parts in a folder, and why.
    fn faults(&self, py: Python<'_>, folder: PathBuf) -> PyResult<BTreeMap<u64, String>> {
        if !folder.exists() {
            return Ok(BTreeMap::new());
        }
        let faults = py.detach(|| faulty_units(&folder, &self.plan));
        faults.map_err(|fault| of_part(py, &fault))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.plan == other.plan
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.plan.digest().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let restore = py
            .import("gridpaper._core")?
            .getattr("_restore_census_plan")?;
        let state = (PICKLE_FORMAT, slf.get().plan.line());
        (restore, state).into_pyobject(py).map(Bound::into_any)
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

fn range(py: Python<'_>, first: u64, end: u64) -> PyResult<Bound<'_, PyAny>> {
    py.import("builtins")?.getattr("range")?.call1((first, end))
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

/// A part: a file to which one process appends the units that it has, each on the disk before the
/// next. A last line that was not written to its end is removed.
///
/// >>> import os, tempfile
/// >>> from gridpaper.cluster import CensusPlan, PartFile
/// >>> plan = CensusPlan("soups = 20\nunit = 10")
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     with PartFile(os.path.join(folder, "mine.gpart"), plan) as part:
/// ...         part.append(plan.count(1))
/// ...     plan.missing(folder)
/// [range(0, 1)]
#[pyclass(frozen, module = "gridpaper.cluster", name = "PartFile")]
pub(crate) struct PyPartFile {
    file: GuardedValue<Option<PartFile>>,
    plan: CensusPlan,
    path: PathBuf,
}

#[pymethods]
impl PyPartFile {
    #[new]
    fn make(py: Python<'_>, path: PathBuf, plan: &Bound<'_, PyCensusPlan>) -> PyResult<Self> {
        let plan = plan.get().plan.clone();
        let file = py.detach(|| PartFile::open(&path, &plan));
        let file = file.map_err(|fault| of_part(py, &fault))?;
        Ok(Self {
            file: GuardedValue::new(Some(file), "part", false),
            plan,
            path,
        })
    }

    /// The file.
    #[getter]
    fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a unit: a line that `CensusPlan.count` gave, anywhere.
    fn append(&self, py: Python<'_>, line: &str) -> PyResult<()> {
        let unit = UnitPart::parse(line, &self.plan);
        let unit = unit.map_err(|problem| error::census(py, problem, None))?;
        self.write(py, |file| file.append(&unit))
    }

    /// Appends why a unit could not be counted, so that nobody tries it for ever.
    fn append_fault(&self, py: Python<'_>, number: u64, problem: &str) -> PyResult<()> {
        let fault = UnitFault::new(&self.plan, number, problem)
            .ok_or_else(|| PyIndexError::new_err(format!("unit {number} is none of the plan")))?;
        self.write(py, |file| file.append_fault(&fault))
    }

    /// Closes the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.file.with_detached(py, |file| *file = None)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_args))]
    fn __exit__(&self, py: Python<'_>, _args: &Bound<'_, PyAny>) -> PyResult<()> {
        self.close(py)
    }

    fn __repr__(&self) -> String {
        format!("PartFile({})", self.path.display())
    }
}

impl PyPartFile {
    fn write(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut PartFile) -> Result<(), PartError> + Send,
    ) -> PyResult<()> {
        let written = self
            .file
            .with_detached(py, |file| file.as_mut().map(write))?;
        match written {
            Some(written) => written.map_err(|fault| of_part(py, &fault)),
            None => Err(PyValueError::new_err("the part is closed")),
        }
    }
}

/// The census, the units that are missing, faults by unit, and the result as text.
type MergedParts = (Option<PyCensus>, String, BTreeMap<u64, String>, String);

/// Adds parts; the census, the units that are missing, why some of them could not be counted, and
/// the result as `gridpaper merge` writes it.
#[pyfunction]
pub(crate) fn merge_parts(py: Python<'_>, parts: Vec<PathBuf>) -> PyResult<MergedParts> {
    let merged = py.detach(|| {
        let mut merge = PartMerge::new();
        for path in parts {
            let files = match path.is_dir() {
                true => part_files(&path)?,
                false => vec![path],
            };
            for file in files {
                merge.add(&file)?;
            }
        }
        Ok(merge)
    });
    let merge = merged.map_err(|fault| of_part(py, &fault))?;
    let census = merge.plan().map(|plan| PyCensus::of_merge(plan, &merge));
    let faults = merge.faults();
    let faults = faults.map(|(number, problem)| (number, problem.to_string()));
    Ok((
        census,
        merge.missing().to_string(),
        faults.collect(),
        merge.result(),
    ))
}

fn of_part(py: Python<'_>, fault: &PartError) -> PyErr {
    match fault {
        PartError::File { path, error } => error::of_file(path, error),
        fault => error::census(py, &fault.to_string(), fault.hint()),
    }
}
