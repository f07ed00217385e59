//! `Identification`: what a pattern is. The search is the crate `census`'s.

use crate::error;
use crate::watch::SignalWatch;
use census::{Identification, IdentifyOptions, ObjectCount, PopulationRange};
use gridpaper::{Pattern, Rule};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// What a pattern is, with its figures; what has no meaning for its kind is None.
#[pyclass(frozen, module = "gridpaper", name = "Identification")]
#[derive(Clone)]
pub(crate) struct PyIdentification {
    pub(crate) found: Identification,
}

/// Runs the search; signals end it, and so does what `progress` raises. `progress` is called with
/// the generation.
pub(crate) fn run(
    py: Python<'_>,
    pattern: &Pattern,
    rule: Option<&Rule>,
    options: &IdentifyOptions,
    progress: Option<Py<PyAny>>,
) -> PyResult<PyIdentification> {
    let own_rule;
    let rule = match rule {
        Some(rule) => rule,
        None => {
            let read = pattern.rule();
            own_rule = read.map_err(|fault| error::of_front(py, &fault, None))?;
            &own_rule
        }
    };
    let mut watch = SignalWatch::of(py, progress, py.None())?;
    let found = py.detach(|| {
        census::identify(rule, pattern.cells(), options, &mut |generation| {
            watch.goes_on(|| generation)
        })
    });
    watch.finish()?;
    let found = found.map_err(|fault| error::unsupported(py, &fault.to_string()))?;
    Ok(PyIdentification { found })
}

fn range_dict<'py>(
    py: Python<'py>,
    range: Option<PopulationRange>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(range) = range else {
        return Ok(None);
    };
    let dict = PyDict::new(py);
    dict.set_item("min", range.min)?;
    dict.set_item("max", range.max)?;
    dict.set_item("mean", range.mean)?;
    Ok(Some(dict))
}

/// Counts by apgcode; a code stands once, whichever ways its ships go.
fn counts(objects: &[ObjectCount]) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for object in objects {
        *counts.entry(object.code.clone()).or_insert(0) += object.count;
    }
    counts
}

#[pymethods]
impl PyIdentification {
    /// still_life, oscillator, spaceship, gun, puffer, rake, methuselah, settling, dies, unknown, ...
    #[getter]
    fn kind(&self) -> &'static str {
        self.found.kind.name()
    }

    /// The rule, with its topology.
    #[getter]
    fn rule(&self) -> &str {
        &self.found.rule
    }

    /// The name, where one is known.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.found.name.as_deref()
    }

    /// The apgcode.
    #[getter]
    fn apgcode(&self) -> Option<&str> {
        self.found.apgcode.as_deref()
    }

    /// The first generation from which it repeats.
    #[getter]
    fn generation(&self) -> Option<u64> {
        self.found.generation
    }

    /// Generations until it repeats.
    #[getter]
    fn period(&self) -> Option<u64> {
        self.found.period
    }

    /// Columns and rows that it moves in one period.
    #[getter]
    fn displacement(&self) -> Option<(i64, i64)> {
        self.found.dx.zip(self.found.dy)
    }

    /// The speed, such as c/4.
    #[getter]
    fn speed(&self) -> Option<&str> {
        self.found.speed.as_deref()
    }

    /// Where it goes.
    #[getter]
    fn direction(&self) -> Option<&str> {
        self.found.direction.as_deref()
    }

    /// Its symmetry, with that in time.
    #[getter]
    fn symmetry(&self) -> Option<&str> {
        let kinetic = self.found.kinetic_symmetry.as_deref();
        kinetic.or(self.found.static_symmetry.as_deref())
    }

    /// Least, greatest and mean number of cells in a period.
    #[getter]
    fn population<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        range_dict(py, self.found.population)
    }

    /// Cells that change in a generation, on average.
    #[getter]
    fn heat(&self) -> Option<f64> {
        self.found.heat
    }

    /// The part of its cells that change.
    #[getter]
    fn volatility(&self) -> Option<f64> {
        self.found.volatility
    }

    /// Width and height around all phases.
    #[getter]
    fn bounding_box(&self) -> Option<(u64, u64)> {
        self.found.bounding_box
    }

    /// How many cells have each local period.
    #[getter]
    fn period_counts(&self) -> BTreeMap<u64, u64> {
        self.found.period_counts.clone()
    }

    /// The generation at which it has settled.
    #[getter]
    fn lifespan(&self) -> Option<u64> {
        self.found.lifespan
    }

    /// The population then.
    #[getter]
    fn final_population(&self) -> Option<u64> {
        self.found.final_population
    }

    /// The objects that are left, by apgcode.
    #[getter]
    fn census(&self) -> BTreeMap<String, u64> {
        counts(&self.found.census)
    }

    /// What a gun or puffer makes in one period, by apgcode.
    #[getter]
    fn emission(&self) -> BTreeMap<String, u64> {
        counts(&self.found.emission)
    }

    /// Its objects, each with the corner of its box, where they were wanted.
    #[getter]
    fn parts(&self) -> Vec<(i64, i64, Self)> {
        let part = |part: &census::PatternPart| {
            let found = part.identification.clone();
            (part.rect.x, part.rect.y, Self { found })
        };
        self.found.parts.iter().map(part).collect()
    }

    fn __repr__(&self) -> String {
        let mut words = format!("Identification({}", self.found.kind);
        if let Some(name) = &self.found.name {
            words += &format!(", {name}");
        }
        if let Some(code) = &self.found.apgcode {
            words += &format!(", {code}");
        }
        if let Some(period) = self.found.period.filter(|&period| period > 1) {
            words += &format!(", period {period}");
        }
        if let Some(lifespan) = self.found.lifespan {
            words += &format!(", lifespan {lifespan}");
        }
        words + ")"
    }
}
