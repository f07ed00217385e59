//! `World`: cells that are run.

use crate::guard::GuardedValue;
use crate::identification::{self, PyIdentification};
use crate::pattern::{
    self, PICKLE_FORMAT, PyPattern, check_pickle, coordinate_array, generations, pattern_of,
};
use crate::picture::{self, GifError, PictureKinds, PictureOptions};
use crate::rule::{PyRule, rule_text};
use crate::watch::SignalWatch;
use crate::window::{area, window};
use crate::{algebra, cell_list, error};
use gridpaper::{Engine, Error, Format, Pattern, PutMode, Rect, State, World};
use num_bigint::{BigInt, BigUint};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The most pictures of a film.
const MOST_FRAMES: u32 = 10_000;

/// The settings that a world was made with, to make it again.
#[derive(Clone)]
struct WorldSettings {
    rule: Option<String>,
    engine: Engine,
    memory: Option<u64>,
    threads: usize,
}

/// Cells, a rule and a generation, and the engine that moves them on.
///
/// `World(pattern, rule, engine=, memory=, threads=)`: the pattern is a `Pattern`, a name, a path, a
/// text such as RLE or an apgcode, a file's bytes or an array of states. x goes right, y down.
///
/// >>> import gridpaper as gp
/// >>> world = gp.World("gosper-glider-gun")
/// >>> world.run(10**30)
/// >>> world.population
/// 166666666666666666666666666713
#[pyclass(frozen, module = "gridpaper", name = "World")]
pub(crate) struct PyWorld {
    world: GuardedValue<World>,
    /// What its file says besides cells: the name, and an `@RULE` block that defines its rule.
    origin: Pattern,
    settings: WorldSettings,
}

fn engine_of(name: &str) -> PyResult<Engine> {
    name.parse().map_err(|_| {
        let names = Engine::ALL.map(Engine::name).join(", ");
        PyValueError::new_err(format!("no engine {name}: expected {names}"))
    })
}

impl PyWorld {
    fn open(py: Python<'_>, pattern: Pattern, settings: WorldSettings) -> PyResult<Self> {
        let mut builder = World::builder()
            .pattern(&pattern)
            .engine(settings.engine)
            .threads(settings.threads);
        if let Some(rule) = &settings.rule {
            builder = builder.rule(rule);
        }
        if let Some(memory) = settings.memory {
            builder = builder.memory(memory);
        }
        let built = py.detach(|| builder.build());
        let world = built.map_err(|fault| error::of_front(py, &fault, None))?;
        Ok(Self::of(
            world,
            pattern.with_cells(gridpaper::Cells::default()),
            settings,
        ))
    }

    fn of(world: World, origin: Pattern, settings: WorldSettings) -> Self {
        let has_threads = settings.threads > 1;
        Self {
            world: GuardedValue::new(world, "world", has_threads),
            origin,
            settings,
        }
    }

    /// What takes time.
    fn ask<R: Send>(&self, py: Python<'_>, f: impl FnOnce(&World) -> R + Send) -> PyResult<R> {
        self.world.with_detached(py, |world| f(world))
    }

    fn snapshot(&self, py: Python<'_>) -> PyResult<Pattern> {
        self.ask(py, |world| {
            let now = world.pattern();
            let contents = gridpaper::patterns::Pattern {
                rule_block: self.origin.contents().rule_block.clone(),
                name: self.origin.contents().name.clone(),
                author: self.origin.contents().author.clone(),
                comments: self.origin.comments().to_vec(),
                ..now.contents().clone()
            };
            Pattern::from(contents)
        })
    }

    fn advance(
        &self,
        py: Python<'_>,
        count: &BigInt,
        progress: Option<Py<PyAny>>,
        is_backward: bool,
    ) -> PyResult<()> {
        let count = generations(count)?;
        if !is_backward {
            // where it would be then
            generations(&(self.generation(py)?.magnitude().clone() + &count).into())?;
        }
        let mut watch = SignalWatch::of(py, progress, count.clone())?;
        let is_told = watch.is_told();
        let ran = self.world.with_detached(py, |world| {
            if is_backward {
                return Ok(world.run_back(count));
            }
            let ran = world.run_with(count.clone(), |progress| {
                match watch.goes_on(|| progress.done.clone()) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            match ran {
                Err(fault @ Error::Memory(_)) => Err(Python::attach(|py| {
                    error::of_front(py, &fault, Some(world))
                })),
                Ok(()) if is_told => {
                    watch.tell(count);
                    Ok(ran)
                }
                ran => Ok(ran),
            }
        })??;
        watch.finish()?;
        ran.map_err(|fault| error::of_front(py, &fault, None))
    }
}

#[pymethods]
impl PyWorld {
    #[new]
    #[pyo3(signature = (pattern=None, rule=None, *, engine="auto", memory=None, threads=1))]
    fn make(
        py: Python<'_>,
        pattern: Option<&Bound<'_, PyAny>>,
        rule: Option<&Bound<'_, PyAny>>,
        engine: &str,
        memory: Option<u64>,
        threads: usize,
    ) -> PyResult<Self> {
        if !(1..=1024).contains(&threads) {
            let message = format!("{threads} threads: give 1 to 1024");
            return Err(PyValueError::new_err(message));
        }
        let pattern = match pattern {
            Some(pattern) => pattern_of(pattern)?,
            None => Pattern::from_cells(gridpaper::Cells::default(), source::DEFAULT_RULE),
        };
        let settings = WorldSettings {
            rule: rule_text(rule)?,
            engine: engine_of(engine)?,
            memory,
            threads,
        };
        Self::open(py, pattern, settings)
    }

    /// Moves so many generations on. Ctrl-C stops it at a whole generation; `progress` is a function
    /// of the generations done, a bar such as tqdm's, or True.
    ///
    /// >>> import gridpaper as gp
    /// >>> world = gp.World("acorn")
    /// >>> world.run(5206)
    /// >>> world.population
    /// 633
    #[pyo3(signature = (generations, *, progress=None))]
    fn run(
        &self,
        py: Python<'_>,
        generations: BigInt,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        self.advance(py, &generations, progress, false)
    }

    /// Goes back, where another rule undoes this one; `ValueError` where none does.
    ///
    /// >>> import gridpaper as gp
    /// >>> world = gp.World("2o$2o!")
    /// >>> try:
    /// ...     world.run_back(1)
    /// ... except ValueError:
    /// ...     print("Life forgets")
    /// Life forgets
    fn run_back(&self, py: Python<'_>, generations: BigInt) -> PyResult<()> {
        self.advance(py, &generations, None, true)
    }

    /// Generations since the pattern as loaded, plus the generation that its file gives.
    #[getter]
    fn generation(&self, py: Python<'_>) -> PyResult<BigInt> {
        self.world.with(py, |world| world.generation().clone())
    }

    #[setter]
    fn set_generation(&self, py: Python<'_>, generation: BigInt) -> PyResult<()> {
        self.world
            .with(py, |world| world.set_generation(generation))
    }

    /// How many cells are not in state 0: an int of any size.
    #[getter]
    fn population(&self, py: Python<'_>) -> PyResult<BigUint> {
        self.ask(py, World::population)
    }

    /// The box of the live cells as x, y, width and height; None where nothing lives.
    #[getter]
    fn bounds(&self, py: Python<'_>) -> PyResult<Option<(BigInt, BigInt, BigUint, BigUint)>> {
        let bounds = self.ask(py, World::bounds)?;
        Ok(bounds.map(|bounds| (bounds.x, bounds.y, bounds.width, bounds.height)))
    }

    /// A hash of the live cells, wherever they lie: the same from every engine.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |world| world.hash().to_string())
    }

    /// The rule, with its topology.
    #[getter]
    fn rule(&self, py: Python<'_>) -> PyResult<PyRule> {
        let rule = self.world.with(py, |world| world.rule().clone())?;
        Ok(PyRule::new(rule))
    }

    /// The engine that runs it now: naive, torus, tiles or hashlife.
    #[getter]
    fn engine(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.world.with(py, |world| world.engine())
    }

    /// Why this engine, in a clause.
    #[getter]
    fn why(&self, py: Python<'_>) -> PyResult<String> {
        self.world.with(py, |world| world.why().to_string())
    }

    /// The compiled form of the rule that the engine steps with.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> PyResult<String> {
        self.world.with(py, |world| world.kernel())
    }

    /// The state of a cell; 0 outside a bounded grid. `world[x, y]` is the same.
    fn get(&self, py: Python<'_>, x: i64, y: i64) -> PyResult<State> {
        self.world.with(py, |world| world.get(x, y))
    }

    /// Sets a cell. `world[x, y] = state` is the same.
    #[pyo3(signature = (x, y, state=1))]
    fn set(&self, py: Python<'_>, x: i64, y: i64, state: State) -> PyResult<()> {
        let set = self.world.with(py, |world| world.set(x, y, state))?;
        set.map_err(|fault| error::of_front(py, &fault, None))
    }

    fn __getitem__(&self, py: Python<'_>, place: (i64, i64)) -> PyResult<State> {
        self.get(py, place.0, place.1)
    }

    fn __setitem__(&self, py: Python<'_>, place: (i64, i64), state: State) -> PyResult<()> {
        self.set(py, place.0, place.1, state)
    }

    /// Empties the cells of a rectangle.
    #[pyo3(signature = (x, y, width, height))]
    fn clear(&self, py: Python<'_>, x: i64, y: i64, width: i64, height: i64) -> PyResult<()> {
        let (x, y, width, height) = window(None, [x, y, width, height].map(Some))?;
        self.world
            .with_detached(py, |world| world.clear(Rect::new(x, y, width, height)))
    }

    /// The states in a window, or in the box of all live cells: uint8, rows by columns.
    ///
    /// >>> import gridpaper as gp
    /// >>> gp.World("glider").cells().tolist()
    /// [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
    #[pyo3(signature = (x=None, y=None, width=None, height=None))]
    fn cells<'py>(
        &self,
        py: Python<'py>,
        x: Option<i64>,
        y: Option<i64>,
        width: Option<i64>,
        height: Option<i64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given = [x, y, width, height];
        let bounds = match given.iter().all(Option::is_none) {
            true => self.ask(py, World::bounds)?,
            false => None,
        };
        let (x, y, width, height) = window(bounds.as_ref(), given)?;
        let rect = Rect::new(x, y, width, height);
        // Straight into the memory of the array; nobody else knows of it yet.
        let data = PyByteArray::new_with(py, area(width, height)?, |states| {
            let read = self.ask(py, |world| world.read_states(rect, states))?;
            read.map_err(|fault| error::of_front(py, &fault, None))
        })?;
        let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
        from_bytes.call1((data, (height, width), "uint8"))
    }

    /// The live cells as rows of x and y, or of x, y and state: int64.
    ///
    /// >>> import gridpaper as gp
    /// >>> gp.World("glider").coords()[0].tolist()
    /// [1, 0]
    #[pyo3(signature = (x=None, y=None, width=None, height=None, *, states=false))]
    fn coords<'py>(
        &self,
        py: Python<'py>,
        x: Option<i64>,
        y: Option<i64>,
        width: Option<i64>,
        height: Option<i64>,
        states: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cells = self.listed(py, [x, y, width, height])?;
        coordinate_array(py, &cells, states)
    }

    /// Live cells as Golly's scripts have them: x, y, x, y, ... or x, y, state, ... with a number
    /// more where their count would be even.
    #[pyo3(signature = (is_multistate, x=None, y=None, width=None, height=None))]
    fn _cell_list(
        &self,
        py: Python<'_>,
        is_multistate: bool,
        x: Option<i64>,
        y: Option<i64>,
        width: Option<i64>,
        height: Option<i64>,
    ) -> PyResult<Vec<i64>> {
        let cells = self.listed(py, [x, y, width, height])?;
        Ok(cell_list::write(&cells, is_multistate))
    }

    /// Puts such a list, moved and turned by a matrix.
    #[pyo3(signature = (list, x, y, matrix, mode))]
    fn _put_cell_list(
        &self,
        py: Python<'_>,
        list: Vec<i64>,
        x: i64,
        y: i64,
        matrix: [i64; 4],
        mode: &str,
    ) -> PyResult<()> {
        let cells = cell_list::read(&list, x, y, matrix).map_err(PyValueError::new_err)?;
        let merge = cell_list::mode(mode).map_err(PyValueError::new_err)?;
        let put = self
            .world
            .with_detached(py, |world| cell_list::put(world, cells, merge))?;
        put.map_err(|fault| error::of_front(py, &fault, None))
    }

    /// Puts a pattern or an array with its corner at a cell. Arrays replace what is there (mode copy),
    /// patterns are added to it (or); xor is the third mode. What does not fit in a bounded grid is
    /// refused, unless `clip` is true.
    ///
    /// >>> import gridpaper as gp
    /// >>> world = gp.World(rule="B3/S23:T16,16")
    /// >>> world.put(-8, -8, "glider")
    /// >>> world.population
    /// 5
    #[pyo3(signature = (x, y, pattern, mode=None, *, clip=false))]
    fn put(
        &self,
        x: i64,
        y: i64,
        pattern: &Bound<'_, PyAny>,
        mode: Option<&str>,
        clip: bool,
    ) -> PyResult<()> {
        let py = pattern.py();
        let arrays = py.import("gridpaper._arrays")?;
        let is_array: bool = arrays.getattr("is_array")?.call1((pattern,))?.extract()?;
        let mode = match mode {
            None if is_array => PutMode::Copy,
            None | Some("or") => PutMode::Or,
            Some("copy") => PutMode::Copy,
            Some("xor") => PutMode::Xor,
            Some(mode) => {
                let message = format!("no mode {mode}: expected or, copy or xor");
                return Err(PyValueError::new_err(message));
            }
        };
        if is_array && mode == PutMode::Copy {
            let (height, width, bytes) =
                arrays
                    .getattr("states")?
                    .call1((pattern,))?
                    .extract::<(i64, i64, Bound<'_, PyBytes>)>()?;
            let (x, y, width, height) = window(None, [x, y, width, height].map(Some))?;
            let (rect, bytes) = (Rect::new(x, y, width, height), bytes.as_bytes());
            self.check_room(py, rect, clip)?;
            let written = self
                .world
                .with_detached(py, |world| world.write_states(rect, bytes))?;
            return written.map_err(|fault| error::of_front(py, &fault, None));
        }
        let pattern = pattern_of(pattern)?;
        let Some(bounds) = pattern.bounds() else {
            return Ok(());
        };
        let Some(rect) = bounds.to_rect() else {
            return Err(PyValueError::new_err(format!(
                "the pattern is {} x {}: too large to be put",
                bounds.width, bounds.height
            )));
        };
        // an array's own box begins at its corner, with or without live cells there
        let (x, y) = match is_array {
            true => (x.saturating_add(rect.x), y.saturating_add(rect.y)),
            false => (x, y),
        };
        let (x, y, width, height) = window(
            None,
            [x, y, rect.width as i64, rect.height as i64].map(Some),
        )?;
        self.check_room(py, Rect::new(x, y, width, height), clip)?;
        let put = self
            .world
            .with_detached(py, |world| world.put(&pattern, (x, y), mode))?;
        put.map_err(|fault| error::of_front(py, &fault, None))
    }

    /// The world as a pattern: its cells where they are, its rule and its generation.
    fn pattern(&self, py: Python<'_>) -> PyResult<PyPattern> {
        self.snapshot(py).map(PyPattern::from)
    }

    /// The world as a file's text: rle, mc, cells, life, ...
    fn to(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let format = pattern::format(name)?;
        let pattern = self.snapshot(py)?;
        let written = py.detach(|| pattern.write(format));
        let bytes = written.map_err(|fault| error::of_front(py, &fault, None))?;
        String::from_utf8(bytes).map_err(|fault| PyValueError::new_err(fault.to_string()))
    }

    /// The world as RLE.
    fn rle(&self, py: Python<'_>) -> PyResult<String> {
        self.to(py, "rle")
    }

    /// Writes a file, in the format that its ending tells.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let pattern = self.snapshot(py)?;
        pattern::save(py, &pattern, path)
    }

    /// What the cells are: see `gridpaper.identify`.
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
        let pattern = self.snapshot(py)?;
        let rule = self.world.with(py, |world| world.rule().clone())?;
        identification::run(py, &pattern, Some(&rule), &options, progress)
    }

    /// Another world with the same cells, rule, generation and settings.
    ///
    /// >>> import gridpaper as gp
    /// >>> world = gp.World("r-pentomino")
    /// >>> ahead = world.copy()
    /// >>> ahead.run(1103)
    /// >>> world.population, ahead.population
    /// (5, 116)
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let fork = self.ask(py, World::fork)?;
        let fork = fork.map_err(|fault| error::of_front(py, &fault, None))?;
        Ok(Self::of(fork, self.origin.clone(), self.settings.clone()))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
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
        self.ask(py, |world| picture::svg(world, &options))
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
        let png = self.ask(py, |world| picture::png(world, &options))?;
        Ok(PyBytes::new(py, &png))
    }

    /// A film: so many frames, `step` generations apart, each shown for `delay` seconds. The world
    /// stays as it is.
    ///
    /// >>> import gridpaper as gp
    /// >>> film = gp.World("glider").gif(4)
    /// >>> film.data[:3]
    /// b'GIF'
    #[pyo3(signature = (frames=60, *, step=1, delay=0.1, width=None, height=None, theme="paper"))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn gif<'py>(
        &self,
        py: Python<'py>,
        frames: u32,
        step: u64,
        delay: f64,
        width: Option<u32>,
        height: Option<u32>,
        theme: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = PictureOptions::new(width, height, theme)?;
        if !(1..=MOST_FRAMES).contains(&frames) {
            let message = format!("{frames} frames: give 1 to {MOST_FRAMES}");
            return Err(PyValueError::new_err(message));
        }
        if !(0.01..=600.0).contains(&delay) {
            let message = format!("a delay of {delay} seconds: give 0.01 to 600");
            return Err(PyValueError::new_err(message));
        }
        let fork = self.ask(py, World::fork)?;
        let mut fork = fork.map_err(|fault| error::of_front(py, &fault, None))?;
        let hundredths = (delay * 100.0).round() as u16;
        let mut watch = SignalWatch::new(None);
        let film = py.detach(|| {
            let mut goes_on = || watch.goes_on(|| ());
            picture::gif(&mut fork, &options, frames, step, hundredths, &mut goes_on)
        });
        watch.finish()?;
        let file = film.map_err(|fault| match fault {
            GifError::Stopped => PyKeyboardInterrupt::new_err(()),
            GifError::World(fault) => error::of_front(py, &fault, Some(&fork)),
            GifError::Io(fault) => PyValueError::new_err(fault.to_string()),
        })?;
        let class = py.import("gridpaper._film")?.getattr("Film")?;
        class.call1((PyBytes::new(py, &file),))
    }

    /// The world, alive, in a notebook: it goes on in the page, as a widget with `run`, `stop`,
    /// `goto`, `load` and `command`, and `generation`, `population` and `running` as traits. Needs
    /// `pip install 'gridpaper[widget]'`.
    #[pyo3(signature = (*, controls=true, autostart=false, step=None, speed=None, theme=None, memory=None))]
    fn show<'py>(
        slf: &Bound<'py, Self>,
        controls: bool,
        autostart: bool,
        step: Option<Bound<'py, PyAny>>,
        speed: Option<Bound<'py, PyAny>>,
        theme: Option<&str>,
        memory: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let options = PyDict::new(py);
        options.set_item("controls", controls)?;
        options.set_item("autostart", autostart)?;
        options.set_item("step", step)?;
        options.set_item("speed", speed)?;
        options.set_item("theme", theme)?;
        options.set_item("memory", memory)?;
        let class = py.import("gridpaper._widget")?.getattr("WorldWidget")?;
        class.call((slf,), Some(&options))
    }

    #[pyo3(signature = (include=None, exclude=None))]
    fn _repr_mimebundle_<'py>(
        slf: &Bound<'py, Self>,
        include: Option<&Bound<'py, PyAny>>,
        exclude: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let text = slf.repr()?.to_string();
        let kinds = PictureKinds::new(include, exclude)?;
        let picture = slf.get().ask(py, |world| kinds.picture(world))?;
        picture::bundle(py, &text, picture)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |world| {
            format!(
                "World({}, generation {}, population {}, {})",
                world.rule(),
                world.generation(),
                world.population(),
                world.engine()
            )
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.import("gridpaper._core")?.getattr("_restore_world")?;
        let pattern = own.snapshot(py)?;
        let bytes = py.detach(|| pattern.write(Format::Macrocell));
        let bytes = bytes.map_err(|fault| error::of_front(py, &fault, None))?;
        let generation = own.generation(py)?;
        let settings = &own.settings;
        let rule = match &settings.rule {
            Some(rule) => rule.clone(),
            None => pattern.rule_text().to_string(),
        };
        let state = (
            PICKLE_FORMAT,
            PyBytes::new(py, &bytes),
            rule,
            generation,
            settings.engine.name(),
            settings.memory,
            settings.threads,
        );
        (restore, state).into_pyobject(py).map(Bound::into_any)
    }
}

impl PyWorld {
    fn listed(&self, py: Python<'_>, given: [Option<i64>; 4]) -> PyResult<Vec<(i64, i64, State)>> {
        let too_many = |_| {
            PyMemoryError::new_err("the world has more cells than can be listed: give a window")
        };
        if given.iter().all(Option::is_none) {
            let listed = self.ask(py, |world| algebra::cells(&world.snapshot().cells()))?;
            return listed.map_err(too_many);
        }
        let (x, y, width, height) = window(None, given)?;
        self.ask(py, |world| {
            let cells = world.live_in(Rect::new(x, y, width, height));
            let mut listed: Vec<_> = cells.map(|(x, y, state)| (y, x, state)).collect();
            listed.sort_unstable_by_key(|&(y, x, _)| (y, x));
            listed
        })
    }

    /// Refuses what would be cut off at the edge of a bounded grid.
    fn check_room(&self, py: Python<'_>, rect: Rect, clip: bool) -> PyResult<()> {
        let grid = self
            .world
            .with(py, |world| world.rule().topology().rect())?;
        let Some(grid) = grid else {
            return Ok(());
        };
        let has = |low: i64, high: i64, from: i64, side: u64| {
            side == 0 || (from <= low && high <= from.saturating_add_unsigned(side))
        };
        let fits = has(rect.x, rect.right(), grid.x, grid.width)
            && has(rect.y, rect.bottom(), grid.y, grid.height);
        if fits || clip {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "{} x {} cells at ({}, {}) do not fit in the grid of {} x {} at ({}, {}): clip=True \
             drops what is outside",
            rect.width, rect.height, rect.x, rect.y, grid.width, grid.height, grid.x, grid.y
        )))
    }
}

/// What `pickle` calls to have a world back.
#[pyfunction]
#[pyo3(
    name = "_restore_world",
    signature = (version, file=None, rule=None, generation=None, engine="auto", memory=None, threads=1)
)]
#[expect(clippy::too_many_arguments, reason = "the fields of a pickle")]
pub(crate) fn restore_world(
    py: Python<'_>,
    version: u32,
    file: Option<&[u8]>,
    rule: Option<String>,
    generation: Option<BigInt>,
    engine: &str,
    memory: Option<u64>,
    threads: usize,
) -> PyResult<PyWorld> {
    check_pickle("world", version)?;
    let (Some(file), Some(generation)) = (file, generation) else {
        return Err(PyValueError::new_err("this pickle of a world is not whole"));
    };
    let read = py.detach(|| Pattern::read(file, "pickle"));
    let pattern = read.map_err(|fault| error::of_front(py, &fault, None))?;
    let settings = WorldSettings {
        rule,
        engine: engine_of(engine)?,
        memory,
        threads: threads.clamp(1, 1024),
    };
    let world = PyWorld::open(py, pattern, settings)?;
    world.set_generation(py, generation)?;
    Ok(world)
}
