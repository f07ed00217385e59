//! `Position` and `Player`: any game behind one class, and who chooses moves in it. Own method: a
//! trait object over each game's own types, so that no game is known by name here.

use crate::encoding::{EncodedGame, MOST_MASKED, PLANES};
use crate::error;
use crate::guard::GuardedValue;
use crate::pattern::{PICKLE_FORMAT, check_pickle};
use crate::watch::SignalWatch;
use games::{AnyGame, JointMove, Outcome, Seat, Turn, with_game};
use players::{Clock, Player, SearchObserver, Value};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyTuple};
use std::any::Any;

/// A position with its game.
trait GamePosition: Send + Sync {
    fn copy(&self) -> Box<dyn GamePosition>;
    fn as_any(&self) -> &(dyn Any + Send);
    fn game(&self) -> String;
    fn turn(&self) -> Turn;
    fn reason(&self) -> Option<String>;
    fn board(&self) -> (usize, usize);
    fn actions(&self) -> u64;
    fn breadth(&self, seat: Seat) -> u64;
    fn legal(&self, seat: Seat) -> Vec<u64>;
    fn write_mask(&self, seat: Seat, mask: &mut [u8]);
    fn write_planes(&self, seat: Seat, planes: &mut [u8]);
    fn facts(&self, seat: Seat) -> Vec<f32>;
    fn fact_names(&self) -> &'static [&'static str];
    fn read_move(&self, seat: Seat, text: &str) -> Result<u64, String>;
    fn write_move(&self, seat: Seat, action: u64) -> Result<String, String>;
    fn apply(&mut self, actions: [Option<u64>; 2]) -> Result<(), String>;
    fn write(&self) -> String;
    fn parse(&self, text: &str) -> Result<Box<dyn GamePosition>, String>;
    fn hash(&self) -> u64;
    fn lead(&self) -> i64;
    fn is_equal(&self, other: &dyn GamePosition) -> bool;
    fn diagram(&self, seat: Seat) -> String;
    fn open_player(&self, text: &str, seed: u64) -> Result<Box<dyn GamePlayer>, String>;
}

/// A player of one game.
trait GamePlayer: Send {
    fn name(&self) -> String;
    fn think(
        &mut self,
        position: &dyn GamePosition,
        seat: Seat,
        watch: &mut SignalWatch,
    ) -> Result<PyThought, String>;
}

#[derive(Clone)]
struct TypedPosition<G: EncodedGame> {
    game: G,
    state: G::State,
}

struct TypedPlayer<G: EncodedGame> {
    game: G,
    player: Box<dyn Player<G>>,
}

impl<G: EncodedGame> TypedPosition<G> {
    fn check(&self, seat: Seat, action: u64) -> Result<G::Move, String> {
        let actions = self.game.actions();
        if action >= actions {
            return Err(format!(
                "action {action}: {} has {actions}",
                self.game.name()
            ));
        }
        let m = self.game.decode(action);
        match self.game.is_legal(&self.state, seat, m) {
            true => Ok(m),
            false => Err(format!(
                "{} is no legal move of the {seat} seat",
                self.game.write_move(m, seat)
            )),
        }
    }
}

impl<G: EncodedGame> GamePosition for TypedPosition<G> {
    fn copy(&self) -> Box<dyn GamePosition> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &(dyn Any + Send) {
        self
    }

    fn game(&self) -> String {
        self.game.name()
    }

    fn turn(&self) -> Turn {
        self.game.turn(&self.state)
    }

    fn reason(&self) -> Option<String> {
        self.game.reason(&self.state)
    }

    fn board(&self) -> (usize, usize) {
        self.game.board()
    }

    fn actions(&self) -> u64 {
        self.game.actions()
    }

    fn breadth(&self, seat: Seat) -> u64 {
        self.game.breadth(&self.state, seat)
    }

    fn legal(&self, seat: Seat) -> Vec<u64> {
        let mut moves = Vec::new();
        self.game.moves(&self.state, seat, &mut moves);
        let mut actions: Vec<u64> = moves.into_iter().map(|m| self.game.action(m)).collect();
        actions.sort_unstable();
        actions
    }

    fn write_mask(&self, seat: Seat, mask: &mut [u8]) {
        self.game
            .write_mask(&self.state, seat, mask, &mut Vec::new());
    }

    fn write_planes(&self, seat: Seat, planes: &mut [u8]) {
        self.game.write_planes(&self.state, seat, planes);
    }

    fn facts(&self, seat: Seat) -> Vec<f32> {
        self.game.facts(&self.state, seat)
    }

    fn fact_names(&self) -> &'static [&'static str] {
        G::FACTS
    }

    fn read_move(&self, seat: Seat, text: &str) -> Result<u64, String> {
        let m = self.game.parse_move(&self.state, seat, text);
        m.map(|m| self.game.action(m))
            .map_err(|fault| fault.to_string())
    }

    fn write_move(&self, seat: Seat, action: u64) -> Result<String, String> {
        let actions = self.game.actions();
        match action < actions {
            true => Ok(self.game.write_move(self.game.decode(action), seat)),
            false => Err(format!(
                "action {action}: {} has {actions}",
                self.game.name()
            )),
        }
    }

    fn apply(&mut self, actions: [Option<u64>; 2]) -> Result<(), String> {
        let joint = match (self.turn(), actions) {
            (Turn::Over(_), _) => return Err("the game is over".into()),
            (Turn::One(seat), [Some(action), None]) => JointMove::One(self.check(seat, action)?),
            (Turn::One(_), _) => {
                return Err("one seat is to move: give one action, not two".into());
            }
            (Turn::Both, [Some(first), Some(second)]) => JointMove::Both(
                self.check(Seat::First, first)?,
                self.check(Seat::Second, second)?,
            ),
            (Turn::Both, _) => {
                return Err("both seats move at the same time: give two actions".into());
            }
        };
        self.game.apply(&mut self.state, joint);
        Ok(())
    }

    fn write(&self) -> String {
        self.game.write_state(&self.state)
    }

    fn parse(&self, text: &str) -> Result<Box<dyn GamePosition>, String> {
        let state = self
            .game
            .parse_state(text)
            .map_err(|fault| fault.to_string())?;
        let game = self.game.clone();
        Ok(Box::new(Self { game, state }))
    }

    fn hash(&self) -> u64 {
        self.game.hash(&self.state)
    }

    fn lead(&self) -> i64 {
        self.game.lead(&self.state)
    }

    fn is_equal(&self, other: &dyn GamePosition) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| self.game == other.game && self.state == other.state)
    }

    fn diagram(&self, seat: Seat) -> String {
        self.game.diagram(&self.state, seat).to_string()
    }

    fn open_player(&self, text: &str, seed: u64) -> Result<Box<dyn GamePlayer>, String> {
        let opened = players::open(&self.game, text, &Clock::system());
        let mut player = opened.map_err(|fault| fault.to_string())?;
        player.begin(seed);
        let game = self.game.clone();
        Ok(Box::new(TypedPlayer { game, player }))
    }
}

/// Stops a search when Python has a signal.
struct SearchWatch<'a>(&'a mut SignalWatch);

impl<M> SearchObserver<M> for SearchWatch<'_> {
    fn goes_on(&mut self) -> bool {
        self.0.goes_on(|| ())
    }
}

impl<G: EncodedGame> GamePlayer for TypedPlayer<G> {
    fn name(&self) -> String {
        self.player.name()
    }

    fn think(
        &mut self,
        position: &dyn GamePosition,
        seat: Seat,
        watch: &mut SignalWatch,
    ) -> Result<PyThought, String> {
        let position = position
            .as_any()
            .downcast_ref::<TypedPosition<G>>()
            .filter(|position| position.game == self.game)
            .ok_or_else(|| format!("the player plays {}", self.game.name()))?;
        let (game, state) = (&self.game, &position.state);
        if !game.turn(state).asks(seat) {
            return Err(format!("the {seat} seat is not to move"));
        }
        let thought = self
            .player
            .think(game, state, seat, &mut SearchWatch(watch));
        let (mut ahead, mut line) = (state.clone(), Vec::new());
        for &joint in &thought.line {
            let words = match (game.turn(&ahead), joint) {
                (Turn::One(mover), JointMove::One(m)) => game.write_move(m, mover),
                (Turn::Both, JointMove::Both(first, second)) => format!(
                    "{}/{}",
                    game.write_move(first, Seat::First),
                    game.write_move(second, Seat::Second)
                ),
                _ => break,
            };
            line.push(words);
            game.apply(&mut ahead, joint);
        }
        let (value, kind) = match thought.value {
            None => (None, None),
            Some(Value::Proven(outcome)) => (Some(reward(outcome, seat)), Some("proven")),
            Some(Value::Expected(value)) => (Some(value), Some("expected")),
            Some(Value::Lead(value)) => (Some(value), Some("lead")),
        };
        Ok(PyThought {
            action: game.action(thought.choice),
            r#move: game.write_move(thought.choice, seat),
            line,
            value,
            value_kind: kind,
            nodes: thought.nodes,
            depth: thought.depth,
            reason: thought.reason,
        })
    }
}

/// 1 for a win of the seat, -1 for a loss, 0 for a draw.
pub(crate) fn reward(outcome: Outcome, seat: Seat) -> f64 {
    f64::from(outcome.half_points(seat)) - 1.0
}

/// A seat by its number.
pub(crate) fn seat_of(number: u8) -> PyResult<Seat> {
    match number {
        0 => Ok(Seat::First),
        1 => Ok(Seat::Second),
        _ => Err(PyValueError::new_err(format!(
            "seat {number}: seats are 0 and 1"
        ))),
    }
}

/// A move with its reasons.
#[pyclass(frozen, get_all, module = "gridpaper", name = "Thought")]
pub(crate) struct PyThought {
    action: u64,
    r#move: String,
    line: Vec<String>,
    value: Option<f64>,
    value_kind: Option<&'static str>,
    nodes: u64,
    depth: u32,
    reason: Option<String>,
}

#[pymethods]
impl PyThought {
    fn __repr__(&self) -> String {
        let value = match (self.value, self.value_kind) {
            (Some(value), Some(kind)) => format!(", {kind} {value:.3}"),
            _ => String::new(),
        };
        format!("Thought({}{value}, {} nodes)", self.r#move, self.nodes)
    }
}

/// A position of a game: tictactoe, mnk:7,6,4, stones, duel:8x8, ...
///
/// An action is the number of a cell, row by row from the top left, or the bits of a column, bit r
/// for row r from the top. Seats are 0 and 1.
///
/// >>> import gridpaper as gp
/// >>> position = gp.Position("tictactoe")
/// >>> for move in ["B2", "A1", "A2", "B1", "C2"]:
/// ...     position.apply(move)
/// >>> position.winner, position.rewards
/// (0, (1.0, -1.0))
#[pyclass(frozen, module = "gridpaper", name = "Position")]
pub(crate) struct PyPosition {
    position: GuardedValue<Box<dyn GamePosition>>,
}

impl PyPosition {
    fn of(position: Box<dyn GamePosition>) -> Self {
        Self {
            position: GuardedValue::new(position, "position", false),
        }
    }

    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&(dyn GamePosition + 'static)) -> R + Send,
    ) -> PyResult<R> {
        self.position.with(py, |position| f(position.as_ref()))
    }

    /// The seat that is meant: the one that is given, else the one to move.
    fn seat(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<Seat> {
        match (seat, self.ask(py, GamePosition::turn)?) {
            (Some(seat), _) => seat_of(seat),
            (None, Turn::One(seat)) => Ok(seat),
            (None, _) => Ok(Seat::First),
        }
    }

    /// The same, which must be to move.
    fn mover(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<Option<Seat>> {
        let seat = self.seat(py, seat)?;
        let turn = self.ask(py, GamePosition::turn)?;
        Ok(turn.asks(seat).then_some(seat))
    }

    fn action(&self, seat: Seat, given: &Bound<'_, PyAny>) -> PyResult<u64> {
        let py = given.py();
        if let Ok(text) = given.extract::<String>() {
            let read = self.ask(py, |position| position.read_move(seat, &text))?;
            return read.map_err(|fault| error::game(py, &fault));
        }
        match given.extract::<i64>() {
            Ok(action) => u64::try_from(action)
                .map_err(|_| error::game(py, &format!("action {action}: actions are 0 and up"))),
            Err(_) => Err(PyTypeError::new_err(format!(
                "expected an action's number or a move as text, and not {}",
                given.get_type().name()?
            ))),
        }
    }
}

fn any_game(py: Python<'_>, text: &str) -> PyResult<AnyGame> {
    text.parse()
        .map_err(|fault: games::GameNameError| error::game(py, &fault.to_string()))
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (game="tictactoe", text=None))]
    fn make(py: Python<'_>, game: &str, text: Option<&str>) -> PyResult<Self> {
        let start: Box<dyn GamePosition> = with_game!(any_game(py, game)?, |game| {
            let state = games::Game::start(&game);
            Box::new(TypedPosition { game, state })
        });
        match text {
            None => Ok(Self::of(start)),
            Some(text) => {
                let parsed = start.parse(text);
                parsed
                    .map(Self::of)
                    .map_err(|fault| error::game(py, &fault))
            }
        }
    }

    /// The game with its options.
    #[getter]
    fn game(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, GamePosition::game)
    }

    /// The seats to move: one, both at once, or none where the game is over.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match self.ask(py, GamePosition::turn)? {
            Turn::One(seat) => PyTuple::new(py, [seat.index()]),
            Turn::Both => PyTuple::new(py, [0, 1]),
            Turn::Over(_) => Ok(PyTuple::empty(py)),
        }
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.ask(py, GamePosition::turn)?.outcome().is_some())
    }

    /// The seat that has won; None for a draw and while it goes on.
    #[getter]
    fn winner(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        Ok(match self.ask(py, GamePosition::turn)? {
            Turn::Over(Outcome::Win(seat)) => Some(seat.index()),
            _ => None,
        })
    }

    /// 1 for a win, -1 for a loss, 0 for a draw and while it goes on; of both seats.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> PyResult<(f64, f64)> {
        Ok(match self.ask(py, GamePosition::turn)? {
            Turn::Over(outcome) => (reward(outcome, Seat::First), reward(outcome, Seat::Second)),
            _ => (0.0, 0.0),
        })
    }

    /// What decided the game, in words.
    #[getter]
    fn reason(&self, py: Python<'_>) -> PyResult<Option<String>> {
        self.ask(py, GamePosition::reason)
    }

    /// The lead of seat 0 in what the game counts.
    #[getter]
    fn lead(&self, py: Python<'_>) -> PyResult<i64> {
        self.ask(py, GamePosition::lead)
    }

    /// A hash of the position, the same on every machine.
    #[getter]
    fn hash(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, GamePosition::hash)
    }

    /// Rows and columns of the board.
    #[getter]
    fn shape(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.ask(py, GamePosition::board)
    }

    /// How many actions there are, legal or not.
    #[getter]
    fn actions(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, GamePosition::actions)
    }

    /// The names of `facts`.
    #[getter]
    fn fact_names(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        self.ask(py, |position| position.fact_names().to_vec())
    }

    /// What there is besides the board, as the seat sees it.
    #[pyo3(signature = (seat=None))]
    fn facts(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<Vec<f32>> {
        let seat = self.seat(py, seat)?;
        self.ask(py, |position| position.facts(seat))
    }

    /// The legal actions of a seat; none where it is not to move.
    #[pyo3(signature = (seat=None))]
    fn legal(&self, py: Python<'_>, seat: Option<u8>) -> PyResult<Vec<u64>> {
        let Some(seat) = self.mover(py, seat)? else {
            return Ok(Vec::new());
        };
        let breadth = self.ask(py, |position| position.breadth(seat))?;
        if breadth > MOST_MASKED {
            return Err(too_many_actions(breadth));
        }
        self.ask(py, |position| position.legal(seat))
    }

    /// A 1 for each legal action: int8.
    #[pyo3(signature = (seat=None))]
    fn mask<'py>(&self, py: Python<'py>, seat: Option<u8>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.mover(py, seat)?;
        let actions = self.ask(py, GamePosition::actions)?;
        if actions > MOST_MASKED {
            return Err(too_many_actions(actions));
        }
        let data = PyByteArray::new_with(py, actions as usize, |mask| match seat {
            Some(seat) => self.ask(py, |position| position.write_mask(seat, mask)),
            None => Ok(()),
        })?;
        let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
        from_bytes.call1((data, (actions,), "int8"))
    }

    /// What the seat sees: its own pieces, the other's, and goals; uint8, 3 by rows by columns.
    #[pyo3(signature = (seat=None))]
    fn board<'py>(&self, py: Python<'py>, seat: Option<u8>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat(py, seat)?;
        let (rows, columns) = self.ask(py, GamePosition::board)?;
        let data = PyByteArray::new_with(py, PLANES * rows * columns, |planes| {
            self.ask(py, |position| position.write_planes(seat, planes))
        })?;
        let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
        from_bytes.call1((data, (PLANES, rows, columns), "uint8"))
    }

    /// Plays an action, or both where both seats move at once; numbers, or moves as text.
    #[pyo3(signature = (*actions))]
    fn apply(&self, actions: &Bound<'_, PyTuple>) -> PyResult<()> {
        let py = actions.py();
        let turn = self.ask(py, GamePosition::turn)?;
        let given = match (turn, actions.len()) {
            (Turn::One(seat), 1) => [Some(self.action(seat, &actions.get_item(0)?)?), None],
            (Turn::Both, 2) => [
                Some(self.action(Seat::First, &actions.get_item(0)?)?),
                Some(self.action(Seat::Second, &actions.get_item(1)?)?),
            ],
            (Turn::Over(_), _) => return Err(error::game(py, "the game is over")),
            (Turn::One(_), _) => {
                return Err(error::game(py, "one seat is to move: give one action"));
            }
            (Turn::Both, _) => {
                let message = "both seats move at the same time: give two actions";
                return Err(error::game(py, message));
            }
        };
        let applied = self.position.with(py, |position| position.apply(given))?;
        applied.map_err(|fault| error::game(py, &fault))
    }

    /// An action as the seat would type it.
    #[pyo3(signature = (action, seat=None))]
    fn write_move(&self, py: Python<'_>, action: u64, seat: Option<u8>) -> PyResult<String> {
        let seat = self.seat(py, seat)?;
        let written = self.ask(py, |position| position.write_move(seat, action))?;
        written.map_err(|fault| error::game(py, &fault))
    }

    /// The action of a text.
    #[pyo3(signature = (text, seat=None))]
    fn read_move(&self, py: Python<'_>, text: &str, seat: Option<u8>) -> PyResult<u64> {
        let seat = self.seat(py, seat)?;
        let read = self.ask(py, |position| position.read_move(seat, text))?;
        read.map_err(|fault| error::game(py, &fault))
    }

    /// The move of a player of the program, such as random, material, strong:nodes=1000.
    ///
    /// >>> import gridpaper as gp
    /// >>> gp.Position("tictactoe").think("perfect").value
    /// 0.0
    #[pyo3(signature = (player="strong", *, seat=None, seed=0))]
    fn think(
        &self,
        py: Python<'_>,
        player: &str,
        seat: Option<u8>,
        seed: u64,
    ) -> PyResult<PyThought> {
        let opened = self.ask(py, |position| position.open_player(player, seed))?;
        let mut player = opened.map_err(|fault| error::game(py, &fault))?;
        let seat = self.seat(py, seat)?;
        let position = self.ask(py, GamePosition::copy)?;
        let mut watch = SignalWatch::new(None);
        let thought = py.detach(|| player.think(position.as_ref(), seat, &mut watch));
        watch.finish()?;
        thought.map_err(|fault| error::game(py, &fault))
    }

    /// Another position, which is equal to this one.
    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        self.ask(py, GamePosition::copy).map(Self::of)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    /// The position as text, which `Position(game, text)` reads.
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, GamePosition::write)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |position| position.diagram(Seat::First))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.ask(py, |position| {
            let turn = match position.turn() {
                Turn::One(seat) => format!("seat {} to move", seat.index()),
                Turn::Both => "both seats to move".into(),
                Turn::Over(Outcome::Draw) => "a draw".into(),
                Turn::Over(Outcome::Win(seat)) => format!("won by seat {}", seat.index()),
            };
            format!("Position({}, {turn})", position.game())
        })
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else {
            return Ok(false);
        };
        let other = other.get().ask(py, GamePosition::copy)?;
        self.ask(py, |position| position.is_equal(other.as_ref()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.import("gridpaper._core")?.getattr("_restore_position")?;
        let state = (PICKLE_FORMAT, own.game(py)?, own.text(py)?);
        (restore, state).into_pyobject(py).map(Bound::into_any)
    }
}

fn too_many_actions(actions: u64) -> PyErr {
    PyValueError::new_err(format!(
        "{actions} actions are not listed, {MOST_MASKED} at most: give a move as text"
    ))
}

/// What `pickle` calls to have a position back.
#[pyfunction]
#[pyo3(name = "_restore_position", signature = (version, game="", text=None))]
pub(crate) fn restore_position(
    py: Python<'_>,
    version: u32,
    game: &str,
    text: Option<&str>,
) -> PyResult<PyPosition> {
    check_pickle("position", version)?;
    PyPosition::make(py, game, text)
}

/// A player of one game, which keeps what it has learned between its moves.
#[pyclass(frozen, module = "gridpaper", name = "Player")]
pub(crate) struct PyPlayer {
    player: GuardedValue<Box<dyn GamePlayer>>,
}

#[pymethods]
impl PyPlayer {
    #[new]
    #[pyo3(signature = (game, player="strong", *, seed=0))]
    fn make(py: Python<'_>, game: &str, player: &str, seed: u64) -> PyResult<Self> {
        let start = PyPosition::make(py, game, None)?;
        let opened = start.ask(py, |position| position.open_player(player, seed))?;
        let player = opened.map_err(|fault| error::game(py, &fault))?;
        Ok(Self {
            player: GuardedValue::new(player, "player", false),
        })
    }

    /// Its name, with its settings.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.player.with(py, |player| player.name())
    }

    /// Its move in a position.
    #[pyo3(signature = (position, *, seat=None))]
    fn think(&self, position: &Bound<'_, PyPosition>, seat: Option<u8>) -> PyResult<PyThought> {
        let py = position.py();
        let seat = position.get().seat(py, seat)?;
        let position = position.get().ask(py, GamePosition::copy)?;
        let mut watch = SignalWatch::new(None);
        let thought = self.player.with_detached(py, |player| {
            player.think(position.as_ref(), seat, &mut watch)
        })?;
        watch.finish()?;
        thought.map_err(|fault| error::game(py, &fault))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Player({:?})", self.name(py)?))
    }
}

/// The names of all games, and how their options are written.
#[pyfunction]
pub(crate) fn games_known() -> Vec<(&'static str, &'static str)> {
    AnyGame::families().collect()
}

/// The players that can play a game.
#[pyfunction]
pub(crate) fn players_of(py: Python<'_>, game: &str) -> PyResult<Vec<&'static str>> {
    Ok(players::able_players(&any_game(py, game)?))
}

/// A game by its text.
pub(crate) fn game_of(py: Python<'_>, text: &str) -> PyResult<AnyGame> {
    any_game(py, text)
}

/// What a search says that was stopped without a signal's exception.
pub(crate) fn stopped() -> PyErr {
    PyKeyboardInterrupt::new_err(())
}
