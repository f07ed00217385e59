//! What the parts of a folder have, as Python is told it.

use crate::error;
use crate::pattern::PICKLE_FORMAT;
use parts::{PartError, PartPlan, UnitIndex, UnitSet};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

/// What the parts of a folder have.
pub(crate) struct PartState {
    units: UnitSet,
    /// Why units could not be done that nobody has done since.
    pub(crate) faults: BTreeMap<u64, String>,
}

impl PartState {
    /// A folder that is not there has none.
    pub(crate) fn read<P: PartPlan>(folder: &Path, plan: &P) -> Result<Self, PartError> {
        let index = match folder.exists() {
            true => UnitIndex::of_folder(folder, plan)?,
            false => UnitIndex::new(),
        };
        Ok(Self {
            units: index.units(),
            faults: owned_faults(index.faults()),
        })
    }

    /// The units that are done, and where `faulty` is set those that could not be.
    pub(crate) fn finished(&self, faulty: bool) -> UnitSet {
        let runs = self.units.runs().iter().copied();
        let faults = self.faults.keys().filter(|_| faulty);
        UnitSet::new(runs.chain(faults.map(|&number| (number, number))).collect())
    }
}

/// Units as ranges of Python.
pub(crate) fn ranges<'py>(py: Python<'py>, units: &UnitSet) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let range = py.import("builtins")?.getattr("range")?;
    let runs = units.runs().iter();
    runs.map(|&(first, last)| range.call1((first, last + 1)))
        .collect()
}

/// The units that could not be done, by the parts in a folder, and why.
pub(crate) fn faults<P: PartPlan + Sync>(
    py: Python<'_>,
    folder: &Path,
    plan: &P,
) -> PyResult<BTreeMap<u64, String>> {
    let state = py.detach(|| PartState::read(folder, plan));
    Ok(state.map_err(|fault| error::of_part(py, &fault))?.faults)
}

/// A plan's file, and its place for messages.
pub(crate) fn read_plan(path: &Path) -> PyResult<(String, String)> {
    let text = fs::read_to_string(path).map_err(|fault| error::of_file(path, &fault))?;
    Ok((text, format!("{}: ", path.display())))
}

/// Equal for plans of one digest.
pub(crate) fn hash_plan(digest: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    digest.hash(&mut hasher);
    hasher.finish()
}

/// What `pickle` keeps of a plan: who makes it, and of what.
pub(crate) fn reduce_plan<'py>(
    py: Python<'py>,
    maker: &str,
    line: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let maker = py.import("gridpaper._core")?.getattr(maker)?;
    let state = (maker, (PICKLE_FORMAT, line)).into_pyobject(py)?;
    Ok(state.into_any())
}

/// Faults by unit.
pub(crate) fn owned_faults<'a>(
    faults: impl Iterator<Item = (u64, &'a str)>,
) -> BTreeMap<u64, String> {
    faults
        .map(|(number, problem)| (number, problem.to_string()))
        .collect()
}
