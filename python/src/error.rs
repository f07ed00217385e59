//! Rust's errors as Python's exceptions. The classes are in `gridpaper/errors.py`, where they have
//! their fields; own method.

use gridpaper::{Error, RuleError, World};
use parts::PartError;
use pattern::WriteError;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use source::{PatternSourceError, RuleResolutionError};
use std::path::Path;

/// An exception of `gridpaper.errors` with its fields.
fn exception(
    py: Python<'_>,
    class: &str,
    message: &str,
    fields: &[(&str, Bound<'_, PyAny>)],
) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let class = py.import("gridpaper.errors")?.getattr(class)?;
        let named = PyDict::new(py);
        for (name, value) in fields {
            named.set_item(name, value)?;
        }
        Ok(PyErr::from_value(class.call((message,), Some(&named))?))
    };
    make().unwrap_or_else(|broken| broken)
}

fn field<'py, T: IntoPyObject<'py>>(py: Python<'py>, value: T) -> Bound<'py, PyAny> {
    let object = value.into_bound_py_any(py);
    object.unwrap_or_else(|_| py.None().into_bound(py))
}

/// `RuleError` with the text, the offset of the fault and a hint.
pub(crate) fn of_rule(py: Python<'_>, error: &RuleError) -> PyErr {
    let fields = [
        ("text", field(py, error.text.as_str())),
        ("offset", field(py, error.offset)),
        ("hint", field(py, error.hint.as_deref())),
    ];
    exception(py, "RuleError", &error.to_string(), &fields)
}

/// The same of a rule that was looked for in files too.
pub(crate) fn of_resolution(py: Python<'_>, error: &RuleResolutionError) -> PyErr {
    let (text, offset) = match error {
        RuleResolutionError::Text { error, .. } | RuleResolutionError::NotFound { error, .. } => {
            (Some(error.text.as_str()), Some(error.offset))
        }
        _ => (None, None),
    };
    let hint = error.hint();
    let fields = [
        ("text", field(py, text)),
        ("offset", field(py, offset)),
        ("hint", field(py, hint.as_deref())),
    ];
    exception(py, "RuleError", &error.to_string(), &fields)
}

fn of_pattern(py: Python<'_>, error: &PatternSourceError) -> PyErr {
    let place = match error {
        PatternSourceError::Read { error, .. } => error.place,
        _ => None,
    };
    let hint = error.hint();
    let fields = [
        ("line", field(py, place.map(|place| place.line))),
        ("column", field(py, place.map(|place| place.column))),
        ("hint", field(py, hint.as_deref())),
    ];
    exception(py, "PatternError", &error.to_string(), &fields)
}

/// What a format cannot hold.
pub(crate) fn of_writing(py: Python<'_>, error: &WriteError) -> PyErr {
    exception(py, "PatternError", &error.to_string(), &[])
}

/// `Unsupported`: what nothing here takes.
pub(crate) fn unsupported(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "Unsupported", message, &[])
}

/// `LevelError` with the place of the fault.
pub(crate) fn of_level(py: Python<'_>, error: &laser::LevelFileError) -> PyErr {
    let fields = [
        ("line", field(py, error.line)),
        ("column", field(py, error.column)),
    ];
    exception(py, "LevelError", &error.to_string(), &fields)
}

/// `GameError`: a game, a player, a move or a position that is none.
pub(crate) fn game(py: Python<'_>, message: &str) -> PyErr {
    exception(py, "GameError", message, &[])
}

/// `CensusError`: soups that cannot be counted, or a store that does not take them.
pub(crate) fn census(py: Python<'_>, message: &str, hint: Option<&str>) -> PyErr {
    exception(py, "CensusError", message, &[("hint", field(py, hint))])
}

/// `SearchError`: a search that cannot be done.
pub(crate) fn search(py: Python<'_>, message: &str, hint: Option<&str>) -> PyErr {
    exception(py, "SearchError", message, &[("hint", field(py, hint))])
}

/// `Unfinished`: a search that ran out of time, with what it had found.
pub(crate) fn unfinished<'py>(py: Python<'py>, found: impl IntoPyObject<'py>) -> PyErr {
    let message = "the search ran out of time: nothing is proven";
    exception(py, "Unfinished", message, &[("found", field(py, found))])
}

/// `Exhausted`: what holds more memory than it may.
pub(crate) fn exhausted(py: Python<'_>, message: &str, limit: u64) -> PyErr {
    exception(py, "Exhausted", message, &[("limit", field(py, limit))])
}

/// What is wrong with a part.
pub(crate) fn of_part(py: Python<'_>, fault: &PartError) -> PyErr {
    match fault {
        PartError::File { path, error } => of_file(path, error),
        fault => census(py, &fault.to_string(), fault.hint()),
    }
}

/// `OSError`, in the class that Python has for it.
pub(crate) fn of_file(path: &Path, fault: &std::io::Error) -> PyErr {
    match fault.raw_os_error() {
        Some(number) => {
            let text = fault.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            PyOSError::new_err((number, text.to_string(), path.to_path_buf()))
        }
        None => PyOSError::new_err(format!("{}: {fault}", path.display())),
    }
}

/// Any error of the front; of a world, so that its generation is told where memory ends.
pub(crate) fn of_front(py: Python<'_>, error: &Error, world: Option<&World>) -> PyErr {
    match error {
        Error::Pattern(error) => of_pattern(py, error),
        Error::Rule(error) => of_resolution(py, error),
        Error::Unsupported(error) => {
            let fields = [
                ("engine", field(py, error.engine)),
                ("what", field(py, error.what.as_str())),
            ];
            exception(py, "Unsupported", &error.to_string(), &fields)
        }
        Error::Memory(error) => {
            let generation = world.map(|world| world.generation().clone());
            let fields = [
                ("engine", field(py, error.engine)),
                ("limit", field(py, error.limit)),
                ("generation", field(py, generation)),
            ];
            exception(py, "Exhausted", &error.to_string(), &fields)
        }
        Error::Stopped => PyKeyboardInterrupt::new_err(()),
        Error::Write(error) => of_writing(py, error),
        error => PyValueError::new_err(error.to_string()),
    }
}
