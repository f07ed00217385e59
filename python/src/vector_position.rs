//! `VectorPosition`: many games at once, a step of all of them in one call. Own method.

use crate::encoding::{EncodedGame, MOST_MASKED, PLANES};
use crate::error;
use crate::guard::GuardedValue;
use crate::position::{game_of, reward};
use games::{Dice, JointMove, Seat, Turn, with_game};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};

/// The most games.
const MOST_GAMES: usize = 1 << 22;

/// An action that is none, where a game is or what is wrong with it.
struct IllegalAction {
    game: usize,
    action: i64,
}

/// The games, with their types away.
trait GameVector: Send {
    fn len(&self) -> usize;
    fn board(&self) -> (usize, usize);
    fn actions(&self) -> usize;
    /// Actions of a turn: 1, or 2 where both seats move at once.
    fn actors(&self) -> usize;
    fn facts(&self) -> usize;
    fn write_turns(&self, turns: &mut [u8]);
    fn write_masks(&self, masks: &mut [u8]);
    fn write_planes(&self, planes: &mut [u8]);
    fn write_facts(&self, facts: &mut [u8]);
    fn random_actions(&mut self, actions: &mut [u8]);
    fn step(
        &mut self,
        actions: &[u8],
        rewards: &mut [u8],
        ends: &mut [u8],
        restart: bool,
    ) -> Result<(), IllegalAction>;
    fn reset(&mut self);
}

struct TypedVector<G: EncodedGame> {
    game: G,
    states: Vec<G::State>,
    dice: Dice,
    joints: Vec<Option<JointMove<G::Move>>>,
    is_simultaneous: bool,
}

/// The seats whose rows an array has: the one to move, or both.
fn seats(is_simultaneous: bool, turn: Turn) -> &'static [Seat] {
    match (is_simultaneous, turn) {
        (true, _) => &Seat::BOTH,
        (false, Turn::One(Seat::Second)) => &Seat::BOTH[1..],
        (false, _) => &Seat::BOTH[..1],
    }
}

impl<G: EncodedGame> TypedVector<G> {
    fn new(game: G, count: usize, seed: u64) -> Self {
        let start = game.start();
        Self {
            is_simultaneous: game.turn(&start) == Turn::Both,
            states: vec![start; count],
            dice: Dice::new(seed),
            joints: vec![None; count],
            game,
        }
    }

    fn legal_move(&self, state: &G::State, seat: Seat, bytes: &[u8]) -> Result<G::Move, i64> {
        let action = i64::from_ne_bytes(bytes.try_into().unwrap_or_default());
        let known = u64::try_from(action)
            .ok()
            .filter(|&action| action < self.game.actions());
        let m = self.game.decode(known.ok_or(action)?);
        match self.game.is_legal(state, seat, m) {
            true => Ok(m),
            false => Err(action),
        }
    }
}

impl<G: EncodedGame> GameVector for TypedVector<G> {
    fn len(&self) -> usize {
        self.states.len()
    }

    fn board(&self) -> (usize, usize) {
        self.game.board()
    }

    fn actions(&self) -> usize {
        self.game.actions() as usize
    }

    fn actors(&self) -> usize {
        1 + usize::from(self.is_simultaneous)
    }

    fn facts(&self) -> usize {
        G::FACTS.len()
    }

    fn write_turns(&self, turns: &mut [u8]) {
        for (turn, state) in turns.iter_mut().zip(&self.states) {
            *turn = match self.game.turn(state) {
                Turn::One(seat) => seat.index() as u8,
                Turn::Both => 2,
                // -1 as a signed byte
                Turn::Over(_) => u8::MAX,
            };
        }
    }

    fn write_masks(&self, masks: &mut [u8]) {
        let (length, mut scratch) = (self.actions(), Vec::new());
        let mut rows = masks.chunks_exact_mut(length);
        for state in &self.states {
            let turn = self.game.turn(state);
            for &seat in seats(self.is_simultaneous, turn) {
                let Some(row) = rows.next() else { return };
                match turn.asks(seat) {
                    true => self.game.write_mask(state, seat, row, &mut scratch),
                    false => row.fill(0),
                }
            }
        }
    }

    fn write_planes(&self, planes: &mut [u8]) {
        let (rows, columns) = self.game.board();
        let mut parts = planes.chunks_exact_mut(PLANES * rows * columns);
        for state in &self.states {
            for &seat in seats(self.is_simultaneous, self.game.turn(state)) {
                let Some(part) = parts.next() else { return };
                self.game.write_planes(state, seat, part);
            }
        }
    }

    fn write_facts(&self, facts: &mut [u8]) {
        let mut places = facts.chunks_exact_mut(4);
        for state in &self.states {
            for &seat in seats(self.is_simultaneous, self.game.turn(state)) {
                for fact in self.game.facts(state, seat) {
                    let Some(place) = places.next() else { return };
                    place.copy_from_slice(&fact.to_ne_bytes());
                }
            }
        }
    }

    fn random_actions(&mut self, actions: &mut [u8]) {
        let mut places = actions.chunks_exact_mut(8);
        for state in &self.states {
            let turn = self.game.turn(state);
            for &seat in seats(self.is_simultaneous, turn) {
                let Some(place) = places.next() else { return };
                let action = match turn.asks(seat) {
                    true => {
                        let m = self.game.random_move(state, seat, &mut self.dice);
                        self.game.action(m) as i64
                    }
                    false => 0,
                };
                place.copy_from_slice(&action.to_ne_bytes());
            }
        }
    }

    fn step(
        &mut self,
        actions: &[u8],
        rewards: &mut [u8],
        ends: &mut [u8],
        restart: bool,
    ) -> Result<(), IllegalAction> {
        let mut joints = std::mem::take(&mut self.joints);
        // All are looked at before one is applied, so that an error leaves everything as it was.
        let mut given = actions.chunks_exact(8 * self.actors());
        let looked = self
            .states
            .iter()
            .zip(&mut joints)
            .enumerate()
            .try_for_each(|(game, (state, joint))| {
                let bytes = given.next().unwrap_or_default();
                let illegal = |action| IllegalAction { game, action };
                *joint = match self.game.turn(state) {
                    Turn::Over(_) => None,
                    Turn::One(seat) => {
                        let m = self.legal_move(state, seat, bytes).map_err(illegal)?;
                        Some(JointMove::One(m))
                    }
                    Turn::Both => {
                        let (first, second) = bytes.split_at(8);
                        let first = self.legal_move(state, Seat::First, first);
                        let second = self.legal_move(state, Seat::Second, second);
                        Some(JointMove::Both(
                            first.map_err(illegal)?,
                            second.map_err(illegal)?,
                        ))
                    }
                };
                Ok(())
            });
        self.joints = joints;
        looked?;
        let start = self.game.start();
        let rows = rewards.chunks_exact_mut(8).zip(ends);
        for ((state, joint), (row, end)) in self.states.iter_mut().zip(&self.joints).zip(rows) {
            if let Some(joint) = *joint {
                self.game.apply(state, joint);
            }
            let outcome = self.game.turn(state).outcome();
            for (place, seat) in row.chunks_exact_mut(4).zip(Seat::BOTH) {
                let won = match (outcome, joint) {
                    (Some(outcome), Some(_)) => reward(outcome, seat) as f32,
                    _ => 0.0,
                };
                place.copy_from_slice(&won.to_ne_bytes());
            }
            *end = u8::from(outcome.is_some());
            if restart && outcome.is_some() {
                *state = start.clone();
            }
        }
        Ok(())
    }

    fn reset(&mut self) {
        let start = self.game.start();
        self.states.fill(start);
    }
}

/// Many games of one kind, all stepped in one call.
///
/// >>> import gridpaper as gp
/// >>> games = gp.VectorPosition("tictactoe", 100, seed=7)
/// >>> rewards, ends = games.step(games.random_actions())
/// >>> rewards.shape, bool(ends.any())
/// ((100, 2), False)
#[pyclass(frozen, module = "gridpaper", name = "VectorPosition")]
pub(crate) struct PyVectorPosition {
    games: GuardedValue<Box<dyn GameVector>>,
    game: String,
    count: usize,
    actors: usize,
    actions: usize,
    facts: usize,
    board: (usize, usize),
}

impl PyVectorPosition {
    /// An array that Rust fills while others run.
    fn filled<'py>(
        &self,
        py: Python<'py>,
        shape: Vec<usize>,
        dtype: &str,
        bytes: usize,
        fill: impl FnOnce(&mut dyn GameVector, &mut [u8]) + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let length = shape.iter().product::<usize>() * bytes;
        let data = PyByteArray::new_with(py, length, |array| {
            self.games
                .with_detached(py, |games| fill(games.as_mut(), array))
        })?;
        let from_bytes = py.import("gridpaper._arrays")?.getattr("from_bytes")?;
        from_bytes.call1((data, shape, dtype))
    }

    /// Games first, then seats where both move at once, then `rest`.
    fn shape(&self, rest: &[usize]) -> Vec<usize> {
        let mut shape = vec![self.count];
        if self.actors > 1 {
            shape.push(self.actors);
        }
        shape.extend(rest);
        shape
    }
}

#[pymethods]
impl PyVectorPosition {
    #[new]
    #[pyo3(signature = (game, count, *, seed=0))]
    fn make(py: Python<'_>, game: &str, count: usize, seed: u64) -> PyResult<Self> {
        if !(1..=MOST_GAMES).contains(&count) {
            let message = format!("{count} games: give 1 to {MOST_GAMES}");
            return Err(PyValueError::new_err(message));
        }
        let games: Box<dyn GameVector> = with_game!(game_of(py, game)?, |game| {
            Box::new(TypedVector::new(game, count, seed))
        });
        if games.actions() as u64 > MOST_MASKED {
            let message = format!(
                "{game} has {} actions: too many for arrays",
                games.actions()
            );
            return Err(error::game(py, &message));
        }
        Ok(Self {
            game: game_of(py, game)?.to_string(),
            count: games.len(),
            actors: games.actors(),
            actions: games.actions(),
            facts: games.facts(),
            board: games.board(),
            games: GuardedValue::new(games, "vector of games", false),
        })
    }

    /// The game with its options.
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        self.actions
    }

    /// Rows and columns of the board.
    #[getter]
    fn board_shape(&self) -> (usize, usize) {
        self.board
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Whose move it is in each game: 0, 1, 2 for both, -1 where it is over; int8.
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.filled(py, vec![self.count], "int8", 1, |games, array| {
            games.write_turns(array)
        })
    }

    /// Legal actions: int8, games by actions, or games by seats by actions where both move at once.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.shape(&[self.actions]);
        self.filled(py, shape, "int8", 1, |games, array| {
            games.write_masks(array)
        })
    }

    /// What the seat to move sees: uint8, games by 3 by rows by columns (games by seats by ... for both).
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.shape(&[PLANES, self.board.0, self.board.1]);
        self.filled(py, shape, "uint8", 1, |games, array| {
            games.write_planes(array)
        })
    }

    /// What there is besides: float32.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.shape(&[self.facts]);
        self.filled(py, shape, "float32", 4, |games, array| {
            games.write_facts(array)
        })
    }

    /// A legal action for each game: int64.
    fn random_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = self.shape(&[]);
        self.filled(py, shape, "int64", 8, |games, array| {
            games.random_actions(array)
        })
    }

    /// Plays an action in each game: rewards of both seats (float32) and which games ended (bool). Those begin anew, unless `restart` is false.
    #[pyo3(signature = (actions, *, restart=true))]
    fn step<'py>(
        &self,
        actions: &Bound<'py, PyAny>,
        restart: bool,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = actions.py();
        let arrays = py.import("gridpaper._arrays")?;
        let shape = self.shape(&[]);
        let given = arrays.getattr("actions")?.call1((actions, shape))?;
        let given = given.cast::<PyBytes>()?.as_bytes();
        let mut ends = vec![0; self.count];
        let rewards = PyByteArray::new_with(py, self.count * 8, |rewards| {
            let stepped = self
                .games
                .with_detached(py, |games| games.step(given, rewards, &mut ends, restart))?;
            stepped.map_err(|illegal| {
                let IllegalAction { game, action } = illegal;
                let message = format!("action {action} of game {game} is not legal there");
                error::game(py, &message)
            })
        })?;
        let from_bytes = arrays.getattr("from_bytes")?;
        let ends = PyByteArray::new(py, &ends);
        Ok((
            from_bytes.call1((rewards, (self.count, 2), "float32"))?,
            from_bytes.call1((ends, (self.count,), "bool"))?,
        ))
    }

    /// Begins all games anew.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.games.with_detached(py, |games| games.reset())
    }

    fn __repr__(&self) -> String {
        format!("VectorPosition({:?}, {} games)", self.game, self.count)
    }
}
