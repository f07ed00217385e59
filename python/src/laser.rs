//! The laser puzzle: boards, light, the solver and the generator. The puzzle is the crate
//! `laser`'s.

use crate::error;
use crate::watch::SignalWatch;
use laser::generator::{Grade, LevelRecipe, Pieces, PiecesError, generate};
use laser::level;
use laser::solver::{Aim, Question, SolverAnswer, solve};
use laser::{Board, Light, Move};
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// A move: from column and row, to column and row.
type MovePlaces = ((i64, i64), (i64, i64));

/// A board of the laser puzzle.
///
/// >>> from gridpaper import laser
/// >>> board = laser.Board("""5 4
/// ... W W SvW W
/// ... W . . . W
/// ... L>. M/. W
/// ... W W W W W
/// ... """)
/// >>> board.is_solved
/// True
#[pyclass(frozen, module = "gridpaper.laser", name = "Board")]
pub(crate) struct PyBoard {
    board: Board,
}

fn places(step: &Move) -> MovePlaces {
    ((step.from.x, step.from.y), (step.to.x, step.to.y))
}

#[pymethods]
impl PyBoard {
    #[new]
    fn make(py: Python<'_>, text: &str) -> PyResult<Self> {
        let read = text.parse().map(|board| Self { board });
        read.map_err(|fault| error::of_level(py, &fault))
    }

    /// Columns.
    #[getter]
    fn width(&self) -> u32 {
        self.board.width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> u32 {
        self.board.height()
    }

    /// How many sensors there are.
    #[getter]
    fn sensors(&self) -> u32 {
        Light::of(&self.board).status(&self.board).sensors
    }

    /// How many of them are lit.
    #[getter]
    fn lit(&self) -> u32 {
        Light::of(&self.board).status(&self.board).lit
    }

    /// Whether all are lit.
    #[getter]
    fn is_solved(&self) -> bool {
        Light::of(&self.board).status(&self.board).is_solved()
    }

    /// What is in a cell, as a level's file writes it.
    fn tile(&self, column: i64, row: i64) -> PyResult<&'static str> {
        let tile = self.board.at(gridpaper::Point::new(column, row));
        tile.map(laser::Tile::text).ok_or_else(|| {
            PyValueError::new_err(format!("column {column}, row {row}: outside the board"))
        })
    }

    /// Kinds of tiles as numbers: uint8, rows by columns.
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bytes: Vec<u8> = self.board.tiles().map(|tile| tile.index() as u8).collect();
        self.array(py, &bytes)
    }

    /// The ways in which light enters each cell: bits 1, 2, 4 and 8 for north, east, south and west.
    fn light<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let light = Light::of(&self.board);
        let cells = 0..self.board.cells();
        let bytes: Vec<u8> = cells.map(|cell| light.entering(cell).bits()).collect();
        self.array(py, &bytes)
    }

    /// The board after a piece has been moved from a cell to a cell, each a column and a row.
    fn moved(&self, py: Python<'_>, start: (i64, i64), end: (i64, i64)) -> PyResult<Self> {
        let step = Move {
            from: gridpaper::Point::new(start.0, start.1),
            to: gridpaper::Point::new(end.0, end.1),
        };
        let mut board = self.board.clone();
        match board.apply(step) {
            Ok(()) => Ok(Self { board }),
            Err(fault) => Err(error::game(py, &fault.to_string())),
        }
    }

    /// Solves it: any solution, all of them, or the fewest moves. What it says is proven.
    #[pyo3(signature = (aim="any", *, up_to=1000, nodes=None))]
    fn solve(
        &self,
        py: Python<'_>,
        aim: &str,
        up_to: u64,
        nodes: Option<u64>,
    ) -> PyResult<PySolverAnswer> {
        let aim = match aim {
            "any" => Aim::Any,
            "all" => Aim::All { up_to },
            "fewest" => Aim::Fewest,
            _ => {
                let message = format!("aim={aim:?}: expected any, all or fewest");
                return Err(PyValueError::new_err(message));
            }
        };
        let mut question = Question::new(aim);
        question.nodes = nodes.unwrap_or(question.nodes);
        let mut watch = SignalWatch::new(None);
        let answer = py.detach(|| {
            let board = self.board.clone();
            let answer = solve(&board, question, &mut |_| watch.goes_on(|| ()));
            PySolverAnswer { board, answer }
        });
        watch.finish()?;
        Ok(answer)
    }

    fn __str__(&self) -> String {
        self.board.to_string()
    }

    fn __repr__(&self) -> String {
        let status = Light::of(&self.board).status(&self.board);
        format!(
            "Board({} x {}, {} of {} sensors lit)",
            self.board.width(),
            self.board.height(),
            status.lit,
            status.sensors
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| other.get().board == self.board)
    }

    fn __hash__(&self) -> u64 {
        crate::rule::text_hash(&self.board.to_string())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String,)) {
        let class = slf.get_type().into_any().unbind();
        (class, (slf.get().board.to_string(),))
    }
}

impl PyBoard {
    fn array<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
        let shape = (self.board.height(), self.board.width());
        from_bytes.call1((PyByteArray::new(py, bytes), shape, "uint8"))
    }
}

/// What the solver found.
#[pyclass(frozen, module = "gridpaper.laser", name = "SolverAnswer")]
pub(crate) struct PySolverAnswer {
    board: Board,
    answer: SolverAnswer,
}

#[pymethods]
impl PySolverAnswer {
    /// Whether it is solvable; None where that is not known.
    #[getter]
    fn solvable(&self) -> Option<bool> {
        self.answer.solvable
    }

    /// Whether there are no other solutions.
    #[getter]
    fn is_complete(&self) -> bool {
        self.answer.is_complete
    }

    /// Whether no fewer moves do.
    #[getter]
    fn is_fewest(&self) -> bool {
        self.answer.is_fewest
    }

    /// No solution takes fewer moves.
    #[getter]
    fn at_least(&self) -> u32 {
        self.answer.at_least
    }

    /// Choices that were tried.
    #[getter]
    fn nodes(&self) -> u64 {
        self.answer.nodes
    }

    /// Moves to a solution: from a column and row, to a column and row.
    #[getter]
    fn moves(&self) -> Option<Vec<MovePlaces>> {
        let moves = self.answer.moves.as_ref()?;
        Some(moves.iter().map(places).collect())
    }

    /// The solved boards.
    #[getter]
    fn solutions(&self) -> Vec<PyBoard> {
        let solved = |solution: &laser::solver::Solution| PyBoard {
            board: solution.placed(&self.board),
        };
        self.answer.solutions.iter().map(solved).collect()
    }

    fn __repr__(&self) -> String {
        let words = match self.answer.solvable {
            Some(true) => format!("{} solutions", self.answer.solutions.len()),
            Some(false) => "no solution".into(),
            None => "not known".into(),
        };
        format!("SolverAnswer({words}, {} nodes)", self.answer.nodes)
    }
}

/// The names of the built-in levels.
#[pyfunction]
pub(crate) fn laser_levels() -> Vec<&'static str> {
    level::all().iter().map(|level| level.name).collect()
}

/// A built-in level.
#[pyfunction]
pub(crate) fn laser_level(name: &str) -> PyResult<PyBoard> {
    match level::find(name) {
        Some(level) => Ok(PyBoard {
            board: level.board(),
        }),
        None => {
            let near = level::suggest(name).map(|near| format!(": did you mean {near}?"));
            let message = format!("no built-in level {name}{}", near.unwrap_or_default());
            Err(PyKeyError::new_err(message))
        }
    }
}

/// A new level: the board, its grade, and the moves that it takes at most.
#[pyfunction]
#[pyo3(signature = (width=8, height=8, *, pieces="4", walls=20, seed=0, difficulty=None))]
pub(crate) fn laser_generate(
    py: Python<'_>,
    width: u32,
    height: u32,
    pieces: &str,
    walls: u32,
    seed: u64,
    difficulty: Option<&str>,
) -> PyResult<(PyBoard, &'static str, u32)> {
    let pieces: Pieces = pieces
        .parse()
        .map_err(|fault: PiecesError| PyValueError::new_err(fault.to_string()))?;
    let grade = |text: &str| {
        let names = Grade::ALL.map(Grade::name).join(", ");
        text.parse::<Grade>()
            .map_err(|_| PyValueError::new_err(format!("no difficulty {text}: expected {names}")))
    };
    let recipe = LevelRecipe {
        width,
        height,
        pieces,
        walls,
        seed,
        difficulty: difficulty.map(grade).transpose()?,
    };
    let mut watch = SignalWatch::new(None);
    let made = py.detach(|| generate(&recipe, &mut |_| watch.goes_on(|| ())));
    watch.finish()?;
    match made {
        Ok(level) => Ok((
            PyBoard { board: level.board },
            level.grade.name(),
            level.moves,
        )),
        Err(laser::generator::GenerateError::Stopped { .. }) => {
            Err(PyKeyboardInterrupt::new_err(()))
        }
        Err(fault) => Err(PyValueError::new_err(fault.to_string())),
    }
}
