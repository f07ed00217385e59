//! `PartFile` and the sum of parts: the files to which processes append the units of a census or a
//! search. Writing and adding are the crates `parts`' and `batch`'s.

use crate::census::PyCensus;
use crate::census_plan::PyCensusPlan;
use crate::error;
use crate::guard::GuardedValue;
use crate::part_state::owned_faults;
use crate::search_plan::PySearchPlan;
use batch::{CensusPlan, PartMerge, SearchMerge, SearchPlan};
use parts::{PartError, PartPlan as _, UnitFault, first_line, part_files};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A plan of either kind.
#[derive(FromPyObject)]
enum PlanArgument<'py> {
    Census(Bound<'py, PyCensusPlan>),
    Search(Bound<'py, PySearchPlan>),
}

#[derive(Clone)]
enum SharedPlan {
    Census(CensusPlan),
    Search(Box<SearchPlan>),
}

impl SharedPlan {
    fn open(&self, path: &Path) -> Result<parts::PartFile, PartError> {
        match self {
            Self::Census(plan) => parts::PartFile::open(path, plan),
            Self::Search(plan) => parts::PartFile::open(path, &**plan),
        }
    }

    fn check_line(&self, line: &str) -> Result<(), &'static str> {
        match self {
            Self::Census(plan) => plan.read_line(line).map(drop),
            Self::Search(plan) => plan.read_line(line).map(drop),
        }
    }

    fn fault(&self, number: u64, problem: &str) -> Option<UnitFault> {
        match self {
            Self::Census(plan) => UnitFault::new(plan, number, problem),
            Self::Search(plan) => UnitFault::new(&**plan, number, problem),
        }
    }
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
    file: GuardedValue<Option<parts::PartFile>>,
    plan: SharedPlan,
    path: PathBuf,
}

#[pymethods]
impl PyPartFile {
    #[new]
    fn make(py: Python<'_>, path: PathBuf, plan: PlanArgument<'_>) -> PyResult<Self> {
        let plan = match plan {
            PlanArgument::Census(plan) => SharedPlan::Census(plan.get().plan.clone()),
            PlanArgument::Search(plan) => SharedPlan::Search(Box::new(plan.get().plan.clone())),
        };
        let file = py.detach(|| plan.open(&path));
        let file = file.map_err(|fault| error::of_part(py, &fault))?;
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

    /// Appends a unit: a line that `CensusPlan.count` or `SearchPlan.search` gave, anywhere.
    fn append(&self, py: Python<'_>, line: &str) -> PyResult<()> {
        let checked = py.detach(|| self.plan.check_line(line));
        checked.map_err(|problem| error::census(py, problem, None))?;
        self.write(py, line)
    }

    /// Appends why a unit could not be done, so that nobody tries it for ever.
    fn append_fault(&self, py: Python<'_>, number: u64, problem: &str) -> PyResult<()> {
        let fault = self
            .plan
            .fault(number, problem)
            .ok_or_else(|| PyIndexError::new_err(format!("unit {number} is none of the plan")))?;
        self.write(py, fault.line())
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
    fn write(&self, py: Python<'_>, line: &str) -> PyResult<()> {
        let written = self
            .file
            .with_detached(py, |file| file.as_mut().map(|file| file.append(line)))?;
        match written {
            Some(written) => written.map_err(|fault| error::of_part(py, &fault)),
            None => Err(PyValueError::new_err("the part is closed")),
        }
    }
}

/// What parts come to.
#[derive(IntoPyObject)]
pub(crate) enum MergedWork {
    Census(PyCensus),
    /// Patterns as RLE.
    Search(Vec<String>),
}

/// The sum, the units that are missing, faults by unit, and the result as text.
type MergedParts = (Option<MergedWork>, String, BTreeMap<u64, String>, String);

/// Adds parts; the census or the patterns as RLE, the units that are missing, why some of them could
/// not be done, and the result as `gridpaper merge` writes it.
#[pyfunction]
pub(crate) fn merge_parts(py: Python<'_>, parts: Vec<PathBuf>) -> PyResult<MergedParts> {
    let merged = py.detach(|| {
        let mut files = Vec::new();
        for path in parts {
            match path.is_dir() {
                true => files.extend(part_files(&path)?),
                false => files.push(path),
            }
        }
        let mut lines = files.iter().map(|file| first_line(file));
        let first = lines.find_map(Result::transpose).transpose()?;
        match first {
            None => Ok((None, String::new(), BTreeMap::new(), String::new())),
            Some(line) if SearchPlan::is_line(&line) => merge_search(&files),
            Some(_) => merge_census(&files),
        }
    });
    merged.map_err(|fault| error::of_part(py, &fault))
}

fn merge_census(files: &[PathBuf]) -> Result<MergedParts, PartError> {
    let mut merge = PartMerge::new();
    for file in files {
        merge.add(file)?;
    }
    let census = merge.plan().map(|plan| PyCensus::of_merge(plan, &merge));
    Ok((
        census.map(MergedWork::Census),
        merge.missing().to_string(),
        owned_faults(merge.faults()),
        merge.result(),
    ))
}

fn merge_search(files: &[PathBuf]) -> Result<MergedParts, PartError> {
    let mut merge = SearchMerge::new();
    for file in files {
        merge.add(file)?;
    }
    let found = merge.found().into_iter().map(|find| find.rle.clone());
    Ok((
        Some(MergedWork::Search(found.collect())),
        merge.missing().to_string(),
        owned_faults(merge.faults()),
        merge.result(),
    ))
}
