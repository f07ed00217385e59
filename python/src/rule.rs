//! `Rule`: a notation, a name or a file, compiled.

use crate::error;
use gridpaper::Rule;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rule::Site;
use source::RuleFiles;

/// A rule: a notation, a name, or the path of a .rule file, with a grid after a colon.
///
/// >>> import gridpaper as gp
/// >>> gp.Rule("HighLife:T64,64").states
/// 2
#[pyclass(frozen, module = "gridpaper", name = "Rule")]
#[derive(Clone)]
pub(crate) struct PyRule {
    pub(crate) rule: Rule,
    /// What finds it again: the text that was given.
    text: String,
}

impl PyRule {
    pub(crate) fn new(rule: Rule) -> Self {
        let text = rule.to_string();
        Self { rule, text }
    }
}

/// A rule as Python gives it: a text, or a `Rule`.
pub(crate) fn rule_text(rule: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    let Some(rule) = rule else {
        return Ok(None);
    };
    if let Ok(rule) = rule.cast::<PyRule>() {
        return Ok(Some(rule.get().text.clone()));
    }
    rule.extract().map(Some)
}

/// The rule of a text.
pub(crate) fn parse(py: Python<'_>, text: &str) -> PyResult<Rule> {
    let files = RuleFiles::for_user().for_typed();
    match files.read(text, "rule") {
        Ok(rule) => Ok(source::default_board(rule)),
        // a text that is only a notation keeps its own place
        Err(source::RuleResolutionError::Text { error, .. }) => Err(error::of_rule(py, &error)),
        Err(source::RuleResolutionError::NotFound { error, folders, .. }) if folders.is_empty() => {
            Err(error::of_rule(py, &error))
        }
        Err(error) => Err(error::of_resolution(py, &error)),
    }
}

#[pymethods]
impl PyRule {
    #[new]
    fn make(py: Python<'_>, text: &str) -> PyResult<Self> {
        let rule = parse(py, text)?;
        Ok(Self {
            rule,
            text: text.into(),
        })
    }

    /// How many states a cell can have.
    #[getter]
    fn states(&self) -> u16 {
        self.rule.states()
    }

    /// How far a cell looks.
    #[getter]
    fn radius(&self) -> u32 {
        self.rule.radius()
    }

    /// The family of rules that it is of.
    #[getter]
    fn family(&self) -> &'static str {
        self.rule.family()
    }

    /// The shape of its cells: square, hexagonal or triangular.
    #[getter]
    fn lattice(&self) -> String {
        format!("{:?}", self.rule.lattice()).to_lowercase()
    }

    /// The grid, as it is written; empty on the plane.
    #[getter]
    fn topology(&self) -> String {
        self.rule.topology().to_string()
    }

    /// Width and height of the grid; 0 where it has no end.
    #[getter]
    fn size(&self) -> (u64, u64) {
        self.rule.topology().size()
    }

    /// The rule that undoes it, or None.
    ///
    /// >>> import gridpaper as gp
    /// >>> gp.Rule("B3/S23").inverse() is None
    /// True
    fn inverse(&self) -> Option<Self> {
        self.rule.inverse().map(Self::new)
    }

    /// The same rule on another grid, such as T64,64.
    fn on(&self, py: Python<'_>, topology: &str) -> PyResult<Self> {
        match topology.parse() {
            Ok(topology) => Ok(Self::new(self.rule.with_topology(topology))),
            Err(fault) => Err(error::of_rule(py, &fault)),
        }
    }

    /// What the rule does, in lines of text.
    fn explain(&self) -> String {
        self.rule.explain()
    }

    /// The next state of the cell in the middle of a block of states.
    ///
    /// >>> import gridpaper as gp
    /// >>> gp.Rule("B3/S23").next([[0, 1, 0], [0, 0, 1], [0, 1, 0]])
    /// 1
    #[pyo3(signature = (block, *, generation=0, x=0, y=0))]
    fn next(&self, block: &Bound<'_, PyAny>, generation: u64, x: i64, y: i64) -> PyResult<u8> {
        let py = block.py();
        let states = py.import("gridpaper._arrays")?.getattr("states")?;
        let (height, width, bytes) = states
            .call1((block,))?
            .extract::<(usize, usize, Bound<'_, PyBytes>)>()?;
        let side = 2 * self.rule.radius() as usize + 1;
        if (height, width) != (side, side) {
            let message = format!(
                "{} looks {} cells far: give {side} x {side} states, and not {height} x {width}",
                self.rule,
                self.rule.radius()
            );
            return Err(PyValueError::new_err(message));
        }
        let bytes = bytes.as_bytes();
        let most = bytes.iter().copied().max().unwrap_or(0);
        if u16::from(most) >= self.rule.states() {
            let message = format!(
                "state {most}: the rule {} has {} states",
                self.rule,
                self.rule.states()
            );
            return Err(error::unsupported(py, &message));
        }
        let middle = i64::from(self.rule.radius());
        let site = Site { generation, x, y };
        Ok(self.rule.next(site, |dx, dy| {
            let column = (middle + i64::from(dx)) as usize;
            let row = (middle + i64::from(dy)) as usize;
            bytes[row * side + column]
        }))
    }

    fn __str__(&self) -> String {
        self.rule.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Rule({:?})", self.rule.to_string())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().rule == self.rule)
    }

    fn __hash__(&self) -> u64 {
        text_hash(&self.rule.to_string())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let class = slf.get_type().into_any().unbind();
        Ok((class, (slf.get().text.clone(),)))
    }
}

/// A hash for Python's sets: the same in every process.
pub(crate) fn text_hash(text: &str) -> u64 {
    // FNV-1a (Fowler, Noll and Vo)
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
