//! Built-in patterns, and soups.

use crate::error;
use crate::pattern::PyPattern;
use crate::rule::rule_text;
use census::HashSoupSymmetry;
use census::soup::hash_soup;
use gridpaper::Pattern;
use pattern::library::{self, LibraryPattern};
use pattern::soup::{Fill, SoupRecipe};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A built-in pattern, and what is known of it.
#[pyclass(frozen, module = "gridpaper.library", name = "Entry")]
pub(crate) struct PyEntry {
    entry: &'static LibraryPattern,
}

#[pymethods]
impl PyEntry {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.entry.name
    }

    /// methuselah, spaceship, gun, oscillator, still-life, puffer, growth, replicator or circuit.
    #[getter]
    fn kind(&self) -> &'static str {
        self.entry.kind
    }

    /// Its title.
    #[getter]
    fn title(&self) -> &'static str {
        self.entry.title()
    }

    /// Who found it.
    #[getter]
    fn author(&self) -> &'static str {
        self.entry.author()
    }

    /// What it does, in a sentence.
    #[getter]
    fn description(&self) -> &'static str {
        self.entry.description()
    }

    /// Where the facts come from.
    #[getter]
    fn source(&self) -> Option<&'static str> {
        self.entry.source()
    }

    /// Its rule.
    #[getter]
    fn rule(&self) -> &'static str {
        self.entry.rule().unwrap_or(source::DEFAULT_RULE)
    }

    /// The pattern itself.
    fn pattern(&self, py: Python<'_>) -> PyResult<PyPattern> {
        let read = py.detach(|| Pattern::open(self.entry.name));
        read.map(PyPattern::from)
            .map_err(|fault| error::of_front(py, &fault, None))
    }

    fn __repr__(&self) -> String {
        format!("Entry({:?}, {})", self.entry.name, self.entry.kind)
    }
}

/// All built-in patterns, the best known first.
#[pyfunction]
pub(crate) fn library_entries() -> Vec<PyEntry> {
    library::all()
        .iter()
        .map(|entry| PyEntry { entry })
        .collect()
}

/// Those in whose texts a word stands.
#[pyfunction]
pub(crate) fn library_search(word: &str) -> Vec<PyEntry> {
    library::search(word)
        .into_iter()
        .map(|entry| PyEntry { entry })
        .collect()
}

/// The one of this name.
#[pyfunction]
pub(crate) fn library_find(name: &str) -> PyResult<PyEntry> {
    library::find(name)
        .map(|entry| PyEntry { entry })
        .ok_or_else(|| {
            let near = library::suggest(name);
            let hint = match near.first() {
                Some(near) => format!(": did you mean {near}?"),
                None => String::new(),
            };
            PyKeyError::new_err(format!("no built-in pattern {name}{hint}"))
        })
}

/// A random pattern: of a number as seed, a soup of any size; of a text, the 16 x 16 soup that
/// Catagolue knows by that seed.
///
/// >>> import gridpaper as gp
/// >>> gp.soup(7, (64, 32), density=0.25) == gp.soup(7, (64, 32), density=0.25)
/// True
/// >>> gp.soup("census_seed_a0").population
/// 126
#[pyfunction]
#[pyo3(signature = (seed, size=None, *, density=None, symmetry=None, states=2, rule=None))]
pub(crate) fn soup(
    seed: &Bound<'_, PyAny>,
    size: Option<&Bound<'_, PyAny>>,
    density: Option<f64>,
    symmetry: Option<&str>,
    states: u16,
    rule: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyPattern> {
    let rule = rule_text(rule)?.unwrap_or_else(|| source::DEFAULT_RULE.into());
    if let Ok(seed) = seed.extract::<String>() {
        if size.is_some() || density.is_some() || states != 2 {
            return Err(PyTypeError::new_err(
                "a soup of a text is Catagolue's: it has no size, density or states",
            ));
        }
        let symmetry: HashSoupSymmetry =
            symmetry
                .unwrap_or("C1")
                .parse()
                .map_err(|fault: census::HashSoupSymmetryError| {
                    PyValueError::new_err(fault.to_string())
                })?;
        let cells = hash_soup(&symmetry, &seed);
        let empty = Pattern::from_cells(gridpaper::Cells::default(), &rule);
        return Ok(empty.with_cells(cells).into());
    }
    let (width, height) = match size {
        None => (16, 16),
        Some(size) => match size.extract::<u64>() {
            Ok(side) => (side, side),
            Err(_) => size.extract::<(u64, u64)>()?,
        },
    };
    let symmetry = match symmetry {
        Some(name) => name
            .parse()
            .map_err(|fault: pattern::soup::UnknownSymmetry| {
                PyValueError::new_err(fault.to_string())
            })?,
        None => pattern::soup::SoupSymmetry::NONE,
    };
    let recipe = SoupRecipe {
        fill: Fill::Density(density.unwrap_or(0.5)),
        seed: seed.extract()?,
        symmetry,
        states,
        ..SoupRecipe::new(width, height)
    };
    let made = seed.py().detach(|| recipe.pattern());
    let pattern = made.map_err(|fault| PyValueError::new_err(fault.to_string()))?;
    Ok(Pattern::from(pattern).with_rule(&rule).into())
}
