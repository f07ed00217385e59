//! `Pattern`: cells that do not change, and an algebra of them.

use crate::algebra::{self, TooManyCells};
use crate::error;
use crate::identification::PyIdentification;
use crate::picture::{self, PictureKinds, PictureOptions};
use crate::rule::{PyRule, rule_text, text_hash};
use crate::watch::SignalWatch;
use crate::window::{area, window};
use gridpaper::{Cells, Format, Pattern, Run, State, Symmetry, World};
use num_bigint::{BigInt, BigUint, Sign};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyList, PyTuple};
use std::ffi::OsString;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The version of what pickles hold.
pub(crate) const PICKLE_FORMAT: u32 = 1;

/// Cells with a rule, which do not change, and an algebra of them.
///
/// `p[n]` is the pattern n generations on; `p | q`, `p & q`, `p - q` and `p ^ q` are those of sets;
/// `p(dx, dy)`, `p("rotcw")` and `p("rotcw", dx, dy)` move and turn it.
///
/// >>> import gridpaper as gp
/// >>> glider = gp.Pattern("glider")
/// >>> glider[4] == glider(1, 1)
/// True
/// >>> len((glider | glider(20, 0)).components())
/// 2
#[pyclass(frozen, module = "gridpaper", name = "Pattern")]
pub(crate) struct PyPattern {
    pub(crate) pattern: Pattern,
    identification: OnceLock<PyIdentification>,
}

impl From<Pattern> for PyPattern {
    fn from(pattern: Pattern) -> Self {
        Self {
            pattern,
            identification: OnceLock::new(),
        }
    }
}

/// What stands for a pattern: a `Pattern`, a name or a path or a text, a file's bytes, an array of
/// states, or nothing.
pub(crate) fn pattern_of(value: &Bound<'_, PyAny>) -> PyResult<Pattern> {
    let py = value.py();
    if let Ok(pattern) = value.cast::<PyPattern>() {
        return Ok(pattern.get().pattern.clone());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        let bytes = bytes.as_bytes();
        let read = py.detach(|| Pattern::read(bytes, "bytes"));
        return read.map_err(|fault| error::of_front(py, &fault, None));
    }
    if let Ok(text) = value.extract::<OsString>() {
        let read = py.detach(|| Pattern::open(&text));
        return read.map_err(|fault| error::of_front(py, &fault, None));
    }
    let arrays = py.import("gridpaper._arrays")?;
    if arrays.getattr("is_array")?.call1((value,))?.extract()? || value.cast::<PyList>().is_ok() {
        let (height, width, bytes) =
            arrays
                .getattr("states")?
                .call1((value,))?
                .extract::<(usize, usize, Bound<'_, PyBytes>)>()?;
        let cells = cells_of_array(height, width, bytes.as_bytes());
        return Ok(Pattern::from_cells(cells, source::DEFAULT_RULE));
    }
    let path = value.py().import("os")?.getattr("fspath")?.call1((value,));
    match path.and_then(|path| path.extract::<OsString>()) {
        Ok(path) => {
            let read = py.detach(|| Pattern::open(&path));
            read.map_err(|fault| error::of_front(py, &fault, None))
        }
        Err(_) => {
            let kind = value.get_type().name()?;
            let message = format!(
                "expected a pattern, its name, path, text or bytes, or an array of states, and \
                 not {kind}"
            );
            Err(PyTypeError::new_err(message))
        }
    }
}

fn cells_of_array(height: usize, width: usize, bytes: &[u8]) -> Cells {
    let mut runs = Vec::new();
    for (y, row) in (0_i64..).zip(bytes.chunks_exact(width.max(1)).take(height)) {
        let mut x = 0;
        for same in row.chunk_by(|a, b| a == b) {
            if same[0] != 0 {
                runs.push(Run {
                    x,
                    y,
                    length: same.len() as u64,
                    state: same[0],
                });
            }
            x += same.len() as i64;
        }
    }
    Cells::from_runs(runs)
}

fn too_many(_: TooManyCells) -> PyErr {
    PyMemoryError::new_err("the pattern has more cells than can be listed one by one")
}

/// The most bits of a number of generations: a quadtree is walked as deep as it has levels, and
/// it has as many as its size has bits.
const MOST_BITS: u64 = 1024;

/// A count of generations, never negative.
pub(crate) fn generations(count: &BigInt) -> PyResult<BigUint> {
    if count.bits() > MOST_BITS {
        let message = format!("more than 2^{MOST_BITS} generations");
        return Err(PyValueError::new_err(message));
    }
    match count.sign() {
        Sign::Minus => Err(PyValueError::new_err(format!(
            "{count} generations: give 0 or more"
        ))),
        _ => Ok(count.magnitude().clone()),
    }
}

/// A symmetry by one of its names.
pub(crate) fn symmetry(name: &str) -> PyResult<Symmetry> {
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    Ok(match plain.to_ascii_lowercase().as_str() {
        "identity" | "id" => Symmetry::Identity,
        "rot90" | "rotcw" | "rotate90" => Symmetry::Rotate90,
        "rot180" | "rotate180" => Symmetry::Rotate180,
        "rot270" | "rotccw" | "rotate270" => Symmetry::Rotate270,
        "flipx" | "mirrorx" => Symmetry::MirrorX,
        "flipy" | "mirrory" => Symmetry::MirrorY,
        "transpose" | "swapxy" => Symmetry::Transpose,
        "antitranspose" | "swapxyflip" => Symmetry::AntiTranspose,
        _ => {
            return Err(PyValueError::new_err(format!(
                "`{name}` is no transformation: expected identity, rotcw, rot180, rotccw, flipx, \
                 flipy, transpose or antitranspose"
            )));
        }
    })
}

/// A format by its name or the ending of its files.
pub(crate) fn format(name: &str) -> PyResult<Format> {
    let by_ending = || Format::from_path(format!("pattern.{name}").as_ref());
    Format::from_name(name).or_else(by_ending).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        PyValueError::new_err(format!("`{name}` is no format: expected {names}"))
    })
}

/// Coordinates as an array of rows.
pub(crate) fn coordinate_array<'py>(
    py: Python<'py>,
    cells: &[(i64, i64, State)],
    with_states: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let columns = if with_states { 3 } else { 2 };
    let data = PyByteArray::new_with(py, cells.len() * columns * 8, |bytes| {
        for (row, &(y, x, state)) in bytes.chunks_exact_mut(columns * 8).zip(cells) {
            let values = [x, y, i64::from(state)];
            for (place, value) in row.chunks_exact_mut(8).zip(values) {
                place.copy_from_slice(&value.to_ne_bytes());
            }
        }
        Ok(())
    })?;
    let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
    from_bytes.call1((data, (cells.len(), columns), "int64"))
}

impl PyPattern {
    fn combined(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        state: fn(State, State) -> State,
    ) -> PyResult<Self> {
        let other = pattern_of(other)?;
        let own = &self.pattern;
        if own.rule_text() != other.rule_text() && own.rule().ok() != other.rule().ok() {
            let message = format!(
                "the patterns have two rules, {} and {}: give one of them the other's by \
                 with_rule",
                own.rule_text(),
                other.rule_text()
            );
            return Err(PyValueError::new_err(message));
        }
        let cells = py.detach(|| algebra::combine(own.cells(), other.cells(), state));
        Ok(own.with_cells(cells.map_err(too_many)?).into())
    }

    fn cells_listed(&self, py: Python<'_>) -> PyResult<Vec<(i64, i64, State)>> {
        py.detach(|| algebra::cells(self.pattern.cells()))
            .map_err(too_many)
    }

    fn identified(&self, py: Python<'_>) -> PyResult<&PyIdentification> {
        if let Some(known) = self.identification.get() {
            return Ok(known);
        }
        let options = census::IdentifyOptions::default();
        let found = crate::identification::run(py, &self.pattern, None, &options, None)?;
        Ok(self.identification.get_or_init(|| found))
    }
}

#[pymethods]
impl PyPattern {
    #[new]
    #[pyo3(signature = (pattern=None, rule=None))]
    fn make(pattern: Option<&Bound<'_, PyAny>>, rule: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut made = match pattern {
            Some(pattern) => pattern_of(pattern)?,
            None => Pattern::from_cells(Cells::default(), source::DEFAULT_RULE),
        };
        if let Some(rule) = rule_text(rule)? {
            made = made.with_rule(&rule);
        }
        Ok(made.into())
    }

    /// A pattern of the cells of a list.
    #[staticmethod]
    #[pyo3(signature = (points, rule=None))]
    fn from_coords(points: &Bound<'_, PyAny>, rule: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let py = points.py();
        let rule = rule_text(rule)?.unwrap_or_else(|| source::DEFAULT_RULE.into());
        let listed = py
            .import("gridpaper._arrays")?
            .getattr("points")?
            .call1((points,))?;
        let mut cells = Vec::new();
        for row in listed.try_iter()? {
            let row = row?;
            let row = row.cast::<PyTuple>()?;
            let state = match row.len() {
                3 => row.get_item(2)?.extract::<State>()?,
                _ => 1,
            };
            cells.push((
                row.get_item(1)?.extract()?,
                row.get_item(0)?.extract()?,
                state,
            ));
        }
        let empty = Pattern::from_cells(Cells::default(), &rule);
        Ok(empty.with_cells(algebra::from_cells(cells)).into())
    }

    /// The rule, compiled; `RuleError` where the text is none.
    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<PyRule> {
        let rule = self.pattern.rule();
        rule.map(PyRule::new)
            .map_err(|fault| error::of_front(py, &fault, None))
    }

    /// The rule as the file writes it.
    #[getter]
    fn rule_text(&self) -> &str {
        self.pattern.rule_text()
    }

    /// Its name, or where it comes from.
    #[getter]
    fn title(&self) -> &str {
        self.pattern.title()
    }

    /// The name that its file gives.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.pattern.contents().name.as_deref()
    }

    /// The author that its file gives.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.pattern.contents().author.as_deref()
    }

    /// The comments of its file, a line each.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.pattern.comments().to_vec()
    }

    /// The generation that its file gives.
    #[getter]
    fn generation(&self) -> BigInt {
        self.pattern.contents().generation.clone()
    }

    /// How many cells are not in state 0.
    #[getter]
    fn population(&self, py: Python<'_>) -> BigUint {
        py.detach(|| self.pattern.population())
    }

    /// The box of the live cells as x, y, width and height; None where nothing lives.
    #[getter]
    fn bounds(&self) -> Option<(BigInt, BigInt, BigUint, BigUint)> {
        let bounds = self.pattern.bounds()?;
        Some((bounds.x, bounds.y, bounds.width, bounds.height))
    }

    /// A hash of the live cells, wherever they lie.
    #[getter]
    fn hash(&self, py: Python<'_>) -> String {
        py.detach(|| self.pattern.cells().hash().to_string())
    }

    /// The apgcode of what repeats or grows steadily; else None.
    #[getter]
    fn apgcode(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.identified(py)?.found.apgcode.clone())
    }

    /// Generations until it repeats; None where it does not.
    #[getter]
    fn period(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        Ok(self.identified(py)?.found.period)
    }

    /// Columns and rows that it moves in one period.
    ///
    /// >>> import gridpaper as gp
    /// >>> gp.Pattern("lwss").displacement
    /// (-2, 0)
    #[getter]
    fn displacement(&self, py: Python<'_>) -> PyResult<Option<(i64, i64)>> {
        let found = &self.identified(py)?.found;
        Ok(found.dx.zip(found.dy))
    }

    /// What it is: see `gridpaper.identify`.
    #[pyo3(signature = (*, max_gens=100_000, max_period=65_536, parts=false, progress=None))]
    fn identify(
        &self,
        py: Python<'_>,
        max_gens: u64,
        max_period: u64,
        parts: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PyIdentification> {
        let options = census::IdentifyOptions {
            generations: max_gens,
            period: max_period,
            parts,
            ..census::IdentifyOptions::default()
        };
        crate::identification::run(py, &self.pattern, None, &options, progress)
    }

    /// The same cells by another rule.
    fn with_rule(&self, rule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rule = rule_text(Some(rule))?.unwrap_or_default();
        Ok(self.pattern.with_rule(&rule).into())
    }

    /// Turned or mirrored about (0, 0): rotcw, rotccw, rot180, flipx, flipy, transpose, antitranspose.
    fn transform(&self, py: Python<'_>, name: &str) -> PyResult<Self> {
        let symmetry = symmetry(name)?;
        if self.pattern.cells().walk_length() > 1 << 26 {
            return Err(too_many(TooManyCells));
        }
        let turned = py.detach(|| {
            let cells = self.pattern.transform(symmetry).cells().clone();
            self.pattern.with_cells(cells)
        });
        Ok(turned.into())
    }

    /// Moved.
    fn shift(&self, py: Python<'_>, dx: i64, dy: i64) -> PyResult<Self> {
        let reach = 1_i64 << 61;
        let is_near = self.pattern.bounds().is_none_or(|bounds| {
            let [x, y] = [bounds.x + dx, bounds.y + dy];
            let far = BigInt::from(reach);
            let right = &x + BigInt::from(bounds.width);
            let bottom = &y + BigInt::from(bounds.height);
            [&x, &y, &right, &bottom]
                .into_iter()
                .all(|at| *at >= -&far && *at <= far)
        });
        if !is_near {
            let message = format!("a shift by {dx} and {dy} takes cells out of reach");
            return Err(PyValueError::new_err(message));
        }
        let cells = py.detach(|| self.pattern.cells().translated(dx, dy));
        Ok(self.pattern.with_cells(cells).into())
    }

    #[pyo3(signature = (*arguments))]
    fn __call__(&self, py: Python<'_>, arguments: &Bound<'_, PyTuple>) -> PyResult<Self> {
        match arguments.len() {
            1 => self.transform(py, &arguments.get_item(0)?.extract::<String>()?),
            2 => {
                let (dx, dy) = arguments.extract()?;
                self.shift(py, dx, dy)
            }
            3 => {
                let (name, dx, dy) = arguments.extract::<(String, i64, i64)>()?;
                self.transform(py, &name)?.shift(py, dx, dy)
            }
            given => Err(PyTypeError::new_err(format!(
                "expected a transformation, a shift by dx and dy, or all three, and not {given} \
                 arguments"
            ))),
        }
    }

    /// Moved so that the middle of its box is at (0, 0).
    fn centre(&self, py: Python<'_>) -> PyResult<Self> {
        match self
            .pattern
            .bounds()
            .as_ref()
            .and_then(gridpaper::Bounds::to_rect)
        {
            Some(rect) => {
                let dx = -rect.x - (rect.width / 2) as i64;
                self.shift(py, dx, -rect.y - (rect.height / 2) as i64)
            }
            None => Ok(self.pattern.clone().into()),
        }
    }

    fn __getitem__(&self, py: Python<'_>, count: BigInt) -> PyResult<Self> {
        let count = generations(&count)?;
        let mut watch = SignalWatch::new(None);
        let ran = py.detach(|| -> Result<Pattern, gridpaper::Error> {
            let mut world = World::new(&self.pattern)?;
            world.run_with(count, |_| match watch.goes_on(|| ()) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })?;
            let cells = world.snapshot().cells();
            Ok(self.pattern.with_cells(cells))
        });
        watch.finish()?;
        ran.map(Self::from)
            .map_err(|fault| error::of_front(py, &fault, None))
    }

    fn __or__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.combined(py, other, |a, b| if a == 0 { b } else { a })
    }

    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__or__(py, other)
    }

    fn __and__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.combined(py, other, |a, b| if b == 0 { 0 } else { a })
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.combined(py, other, |a, b| if b == 0 { a } else { 0 })
    }

    fn __xor__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.combined(py, other, |a, b| match (a, b) {
            (a, 0) => a,
            (0, b) => b,
            _ => 0,
        })
    }

    /// Each place (dx, dy) at which all cells of `live`, moved there, have their states here, and none
    /// of `dead` lives.
    ///
    /// >>> import gridpaper as gp
    /// >>> block = gp.Pattern("2o$2o!")
    /// >>> (block | block(5, 3)).match(block)
    /// [(0, 0), (5, 3)]
    #[pyo3(name = "match", signature = (live, dead=None))]
    fn find(
        &self,
        py: Python<'_>,
        live: &Bound<'_, PyAny>,
        dead: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(i64, i64)>> {
        let list = |pattern: &Pattern| algebra::cells(pattern.cells()).map_err(too_many);
        let live = list(&pattern_of(live)?)?;
        let dead = dead
            .map(|dead| list(&pattern_of(dead)?))
            .transpose()?
            .unwrap_or_default();
        if live.is_empty() {
            return Err(PyValueError::new_err("an empty pattern is everywhere"));
        }
        let cells = self.cells_listed(py)?;
        let mut watch = SignalWatch::new(None);
        let found =
            py.detach(|| algebra::find_matches(&cells, &live, &dead, &mut || watch.goes_on(|| ())));
        watch.finish()?;
        Ok(found.unwrap_or_default())
    }

    /// The pattern with `by` in each place in which `match` finds `live`.
    ///
    /// >>> import gridpaper as gp
    /// >>> block = gp.Pattern("2o$2o!")
    /// >>> block(4, 4).replace(block, "o!").coords().tolist()
    /// [[4, 4]]
    #[pyo3(signature = (live, by, dead=None))]
    fn replace(
        &self,
        py: Python<'_>,
        live: &Bound<'_, PyAny>,
        by: &Bound<'_, PyAny>,
        dead: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let places = self.find(py, live, dead)?;
        let list = |pattern: &Pattern| algebra::cells(pattern.cells()).map_err(too_many);
        let (old, new) = (list(&pattern_of(live)?)?, list(&pattern_of(by)?)?);
        let mut cells = self.cells_listed(py)?;
        let moved = |cell: &(i64, i64, State), dx, dy, state| (cell.0 + dy, cell.1 + dx, state);
        for (dx, dy) in &places {
            cells.extend(old.iter().map(|cell| moved(cell, dx, dy, 0)));
        }
        for (dx, dy) in &places {
            cells.extend(new.iter().map(|cell| moved(cell, dx, dy, cell.2)));
        }
        Ok(self.pattern.with_cells(algebra::from_cells(cells)).into())
    }

    /// Its parts: cells at most `reach` king's moves apart are in one.
    #[pyo3(signature = (reach=2))]
    fn components(&self, py: Python<'_>, reach: i64) -> PyResult<Vec<Self>> {
        if !(1..=64).contains(&reach) {
            let message = format!("a reach of {reach}: give 1 to 64 king's moves");
            return Err(PyValueError::new_err(message));
        }
        let cells = self.cells_listed(py)?;
        let parts = py.detach(|| algebra::components(&cells, reach));
        let part = |cells| self.pattern.with_cells(algebra::from_cells(cells)).into();
        Ok(parts.into_iter().map(part).collect())
    }

    /// The states in its box: uint8, rows by columns.
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bounds = self.pattern.bounds();
        let (x, y, width, height) = window(bounds.as_ref(), [None; 4])?;
        let length = area(width, height)?;
        let runs = py
            .detach(|| algebra::runs(self.pattern.cells()))
            .map_err(too_many)?;
        let data = PyByteArray::new_with(py, length, |bytes| {
            for run in &runs {
                let first = (run.y - y) as usize * width as usize + (run.x - x) as usize;
                bytes[first..first + run.length as usize].fill(run.state);
            }
            Ok(())
        })?;
        let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
        from_bytes.call1((data, (height, width), "uint8"))
    }

    /// The live cells as rows of x and y, or of x, y and state: int64.
    #[pyo3(signature = (*, states=false))]
    fn coords<'py>(&self, py: Python<'py>, states: bool) -> PyResult<Bound<'py, PyAny>> {
        coordinate_array(py, &self.cells_listed(py)?, states)
    }

    /// It as a file's text: rle, mc, cells, life, ...
    fn to(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let format = format(name)?;
        let written = py.detach(|| self.pattern.write(format));
        let bytes = written.map_err(|fault| error::of_front(py, &fault, None))?;
        String::from_utf8(bytes).map_err(|fault| PyValueError::new_err(fault.to_string()))
    }

    /// It as RLE.
    fn rle(&self, py: Python<'_>) -> PyResult<String> {
        self.to(py, "rle")
    }

    /// Writes a file, in the format that its ending tells.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &self.pattern, path)
    }

    /// A world with this pattern; the settings are those of `World`.
    #[pyo3(signature = (**settings))]
    fn world<'py>(
        slf: &Bound<'py, Self>,
        settings: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = slf.py().import("gridpaper")?.getattr("World")?;
        class.call((slf,), settings)
    }

    /// A picture as SVG; themes are paper and blueprint.
    #[pyo3(signature = (*, width=None, height=None, theme="paper"))]
    fn svg(
        &self,
        py: Python<'_>,
        width: Option<u32>,
        height: Option<u32>,
        theme: &str,
    ) -> PyResult<String> {
        let options = PictureOptions::new(width, height, theme)?;
        let world = World::new(&self.pattern);
        let world = world.map_err(|fault| error::of_front(py, &fault, None))?;
        Ok(py.detach(move || picture::svg(&world, &options)))
    }

    /// A picture as the bytes of a PNG file.
    #[pyo3(signature = (*, width=None, height=None, theme="paper"))]
    fn png<'py>(
        &self,
        py: Python<'py>,
        width: Option<u32>,
        height: Option<u32>,
        theme: &str,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let options = PictureOptions::new(width, height, theme)?;
        let world = World::new(&self.pattern);
        let world = world.map_err(|fault| error::of_front(py, &fault, None))?;
        let png = py.detach(move || picture::png(&world, &options));
        Ok(PyBytes::new(py, &png))
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        slf: &Bound<'py, Self>,
        include: Option<&Bound<'py, PyAny>>,
        exclude: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (py, own) = (slf.py(), slf.get());
        let text = slf.repr()?.to_string();
        let kinds = PictureKinds::new(include, exclude)?;
        // a pattern whose rule nothing takes is still shown as text
        let picture = py.detach(|| {
            let world = World::new(&own.pattern).ok()?;
            kinds.picture(&world)
        });
        picture::bundle(py, &text, picture)
    }

    fn __bool__(&self) -> bool {
        !self.pattern.cells().is_empty()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else {
            return false;
        };
        let other = &other.get().pattern;
        let own = &self.pattern;
        own.rule_text() == other.rule_text() && py.detach(|| own.cells() == other.cells())
    }

    fn __hash__(&self) -> u64 {
        let hash = self.pattern.cells().hash();
        text_hash(&format!("{hash} {}", self.pattern.rule_text()))
    }

    fn __repr__(&self) -> String {
        let population = self.pattern.population();
        let rule = self.pattern.rule_text();
        match self.pattern.bounds() {
            Some(bounds) => format!(
                "Pattern({:?}, {population} cells in {} x {}, {rule})",
                self.pattern.title(),
                bounds.width,
                bounds.height
            ),
            None => format!("Pattern(no cells, {rule})"),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.import("gridpaper._core")?.getattr("_restore_pattern")?;
        let bytes = py.detach(|| own.pattern.write(Format::Macrocell));
        let bytes = bytes.map_err(|fault| error::of_front(py, &fault, None))?;
        let title = own.pattern.title();
        let state = (
            PICKLE_FORMAT,
            PyBytes::new(py, &bytes),
            own.pattern.rule_text(),
            title,
        );
        (restore, state).into_pyobject(py).map(Bound::into_any)
    }
}

/// Writes a pattern into a file, in the format that its ending tells.
pub(crate) fn save(py: Python<'_>, pattern: &Pattern, path: PathBuf) -> PyResult<()> {
    let format = Format::from_path(&path).ok_or_else(|| {
        let path = path.display();
        PyValueError::new_err(format!("{path}: its ending tells no pattern format"))
    })?;
    let bytes = py.detach(|| pattern.write(format));
    let bytes = bytes.map_err(|fault| error::of_front(py, &fault, None))?;
    Ok(std::fs::write(path, bytes)?)
}

/// Refuses what another version wrote.
pub(crate) fn check_pickle(what: &str, version: u32) -> PyResult<()> {
    if version == PICKLE_FORMAT {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "this pickle of a {what} has format {version}, and this version of gridpaper reads format \
         {PICKLE_FORMAT}"
    )))
}

/// What `pickle` calls to have a pattern back.
#[pyfunction]
#[pyo3(name = "_restore_pattern", signature = (version, file=None, rule=None, title=None))]
pub(crate) fn restore_pattern(
    py: Python<'_>,
    version: u32,
    file: Option<&[u8]>,
    rule: Option<&str>,
    title: Option<&str>,
) -> PyResult<PyPattern> {
    check_pickle("pattern", version)?;
    let (Some(file), Some(rule)) = (file, rule) else {
        return Err(PyValueError::new_err(
            "this pickle of a pattern is not whole",
        ));
    };
    let read = py.detach(|| Pattern::read(file, title.unwrap_or("pickle")));
    let pattern = read.map_err(|fault| error::of_front(py, &fault, None))?;
    Ok(pattern.with_rule(rule).into())
}
