//! A level being played: its board, its history of moves, and hints.
//!
//! [`Play`] is the model behind every front end: the terminal and a script both send
//! [`LaserCommand`]s and show the outcome. It has no clock and no threads. The solver may take
//! long, so the owner of a `Play` asks for the board to solve ([`Play::board_to_solve`]), runs the
//! solver where it likes, and passes the answer back ([`Play::record_answer`]). (A hint that calls the
//! solver directly was rejected: it would block the screen for the whole search.)

pub mod command;
mod outcome;

pub use command::{LaserCommand, LaserCommandError};
pub use outcome::{LaserOutcome, LaserPlayError, PieceMove};

use crate::board::Board;
use crate::direction::Direction;
use crate::light::{Light, SensorStatus};
use crate::moves::{LaserMoveError, Move};
use crate::solver::SolverAnswer;
use crate::tile::{Piece, Tile};
use grid::Point;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A level being played.
///
/// ```
/// use laser::play::{LaserOutcome, Play};
/// use laser::solver::{Aim, Question, solve};
/// let board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// let mut play = Play::new("a first one", board);
/// assert_eq!(play.apply(&"hint".parse()?), Ok(LaserOutcome::Thinking));
/// // a face does this where it keeps nobody waiting
/// let board = play.board_to_solve().expect("a hint was asked for").clone();
/// let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
/// play.record_answer(&board, &answer);
/// let hint = play.hint().expect("it can be solved");
/// assert_eq!(hint.to_string(), "1,2 2,1");
/// play.apply(&format!("move {hint}").parse()?)?;
/// assert!(play.is_solved());
/// assert_eq!(play.moves(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Play {
    name: String,
    start: Board,
    board: Board,
    light: Light,
    status: SensorStatus,
    selected: Option<Point>,
    done: Vec<Move>,
    undone: Vec<Move>,
    best: Option<u32>,
    fewest: MoveBounds,
    is_solvable: Option<bool>,
    /// The next move of a known solution, by placement.
    steps: HashMap<Placement, SolutionStep>,
    /// The placements that the solver has answered.
    asked: HashSet<Placement>,
    /// Whether the start is among them: a separate flag, since it is checked often and
    /// comparing large boards is slow.
    has_asked_start: bool,
    wanted: Option<LaserAdviceKind>,
    hint: Option<Move>,
}

/// The positions of all pieces.
type Placement = Vec<(usize, Piece)>;

/// The next move of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SolutionStep {
    step: Move,
    /// The number of moves to the end, this one included.
    left: u32,
    is_fewest: bool,
}

/// The kind of advice that the player waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaserAdviceKind {
    Hint,
    Solution,
}

/// What is known of the fewest moves that solve a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveBounds {
    /// Proven: it takes no fewer.
    pub at_least: u32,
    /// There is a solution with this many moves.
    pub at_most: Option<u32>,
}

impl MoveBounds {
    /// The number, once it is proven.
    ///
    /// ```
    /// use laser::play::MoveBounds;
    ///
    /// let between = MoveBounds { at_least: 3, at_most: Some(5) };
    /// assert_eq!(between.proven(), None);
    /// assert_eq!(MoveBounds { at_least: 5, ..between }.proven(), Some(5));
    /// ```
    #[must_use]
    pub fn proven(self) -> Option<u32> {
        self.at_most.filter(|&most| most <= self.at_least)
    }
}

impl fmt::Display for MoveBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.proven(), self.at_least) {
            (Some(moves), _) => write!(f, "{moves}"),
            (None, 0) => f.write_str("not known"),
            (None, least) => write!(f, "at least {least}"),
        }
    }
}

impl Play {
    /// A level at its start, under a name that is only shown.
    ///
    /// ```
    /// use laser::play::Play;
    ///
    /// let play = Play::new("a wall", "3 1\nL>W S<".parse()?);
    /// assert!(!play.is_solved());
    /// assert_eq!(play.status().sensors, 1);
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn new(name: impl Into<String>, board: Board) -> Self {
        let light = Light::of(&board);
        let status = light.status(&board);
        let mut play = Self {
            name: name.into(),
            start: board.clone(),
            board,
            light,
            status,
            selected: None,
            done: Vec::new(),
            undone: Vec::new(),
            best: None,
            fewest: MoveBounds::default(),
            is_solvable: None,
            steps: HashMap::new(),
            asked: HashSet::new(),
            has_asked_start: false,
            wanted: None,
            hint: None,
        };
        if status.sensors == 0 {
            play.is_solvable = Some(false);
        }
        play.record_solution();
        play
    }

    /// The same where the fewest moves have been proven before.
    ///
    /// ```
    /// use laser::play::Play;
    ///
    /// let level = laser::level::find("simple-mirror").unwrap();
    /// let play = Play::new(level.name, level.board()).with_fewest(1);
    /// assert_eq!(play.fewest().proven(), Some(1));
    /// assert!(play.board_to_solve().is_none(), "nothing is left to prove");
    /// ```
    #[must_use]
    pub fn with_fewest(mut self, moves: u32) -> Self {
        self.fewest = MoveBounds {
            at_least: moves,
            at_most: Some(moves),
        };
        self
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The level as it was given.
    #[must_use]
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The board as it stands.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The light on the board as it stands.
    #[must_use]
    pub fn light(&self) -> &Light {
        &self.light
    }

    /// How many sensors there are, and how many are lit.
    #[must_use]
    pub fn status(&self) -> SensorStatus {
        self.status
    }

    /// Whether all sensors are lit as the board stands.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.status.is_solved()
    }

    /// The place of the piece in hand.
    #[must_use]
    pub fn selected(&self) -> Option<Point> {
        self.selected
    }

    /// The number of moves made; those undone do not count.
    ///
    /// ```
    /// use laser::play::Play;
    ///
    /// let mut play = Play::new("a corner", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// play.apply(&"move 1,2 2,1".parse()?)?;
    /// assert_eq!(play.moves(), 1);
    /// play.apply(&"undo".parse()?)?;
    /// assert_eq!(play.moves(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn moves(&self) -> u32 {
        u32::try_from(self.done.len()).unwrap_or(u32::MAX)
    }

    /// The moves made, in order: replayed from the start they lead to this board.
    #[must_use]
    pub fn done_moves(&self) -> &[Move] {
        &self.done
    }

    /// The moves that were undone and can be redone, the next one last.
    #[must_use]
    pub fn undone_moves(&self) -> &[Move] {
        &self.undone
    }

    /// The fewest moves in which the person has solved it.
    #[must_use]
    pub fn best(&self) -> Option<u32> {
        self.best
    }

    /// What is known of the fewest moves from the start.
    #[must_use]
    pub fn fewest(&self) -> MoveBounds {
        self.fewest
    }

    /// Whether the level can be solved; `None` while that is not known.
    #[must_use]
    pub fn is_solvable(&self) -> Option<bool> {
        self.is_solvable
    }

    /// The move that was hinted at, until the next move.
    #[must_use]
    pub fn hint(&self) -> Option<Move> {
        self.hint
    }

    /// Whether the player waits for an answer of the solver.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.wanted.is_some()
    }

    /// The board to solve for [`Aim::Fewest`]: the current one if the player waits for advice,
    /// else the start if its fewest moves are not proven. `None` where nothing is needed.
    ///
    /// [`Aim::Fewest`]: crate::solver::Aim::Fewest
    ///
    /// ```
    /// use laser::play::Play;
    /// use laser::solver::{Aim, Question, solve};
    ///
    /// let mut play = Play::new("a corner", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// while let Some(board) = play.board_to_solve().cloned() {
    ///     let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    ///     play.record_answer(&board, &answer);
    /// }
    /// assert_eq!(play.fewest().proven(), Some(1));
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn board_to_solve(&self) -> Option<&Board> {
        if self.is_solvable == Some(false) {
            return None;
        }
        if self.wanted.is_some() {
            return Some(&self.board);
        }
        let is_known = self.fewest.proven().is_some() || self.has_asked_start;
        (!is_known).then_some(&self.start)
    }

    /// Executes a command.
    ///
    /// # Errors
    /// When it cannot be done, with the reason in words. Nothing has changed then.
    ///
    /// ```
    /// use laser::play::{LaserPlayError, Play};
    ///
    /// let mut play = Play::new("a corner", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// assert_eq!(play.apply(&"undo".parse()?), Err(LaserPlayError::NothingToUndo));
    /// let moved = play.apply(&"move 1,2 2,1".parse()?)?;
    /// assert_eq!(moved.to_string(), "moved M/ from 1,2 to 2,1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, command: &LaserCommand) -> Result<LaserOutcome, LaserPlayError> {
        match *command {
            LaserCommand::Select(place) => self.select(place),
            LaserCommand::Deselect => {
                self.selected = None;
                self.hint = None;
                self.wanted = None;
                Ok(LaserOutcome::Deselected)
            }
            LaserCommand::Move(step) => self.make_new_move(step),
            LaserCommand::Undo => {
                let step = self.done.pop().ok_or(LaserPlayError::NothingToUndo)?;
                let piece_move = self.make_move(reversed(step))?;
                self.undone.push(step);
                self.refresh();
                Ok(LaserOutcome::Undone(PieceMove { step, ..piece_move }))
            }
            LaserCommand::Redo => {
                let step = self.undone.pop().ok_or(LaserPlayError::NothingToRedo)?;
                let piece_move = self.make_move(step)?;
                self.done.push(step);
                self.refresh();
                Ok(LaserOutcome::Redone(piece_move))
            }
            LaserCommand::Restart => {
                let moves = self.moves();
                self.undone.extend(self.done.drain(..).rev());
                self.board.clone_from(&self.start);
                self.refresh();
                Ok(LaserOutcome::Restarted(moves))
            }
            LaserCommand::Hint => self.advise(LaserAdviceKind::Hint),
            LaserCommand::Solution => self.advise(LaserAdviceKind::Solution),
            LaserCommand::Show => Ok(LaserOutcome::Show),
            LaserCommand::Help => Ok(LaserOutcome::Help),
            LaserCommand::Quit => Ok(LaserOutcome::Quit),
        }
    }

    /// Records a lower bound of the moves from the start, as the solver reports it while it
    /// runs.
    ///
    /// ```
    /// use laser::play::Play;
    ///
    /// let mut play = Play::new("a corner", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// play.record_lower_bound(1);
    /// assert_eq!(play.fewest().to_string(), "at least 1");
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    pub fn record_lower_bound(&mut self, at_least: u32) {
        self.fewest.at_least = self.fewest.at_least.max(at_least);
    }

    /// Takes the solver's answer for a board of this level with [`Aim::Fewest`]. Returns the
    /// advice that the player waits for, if this was the board.
    ///
    /// Do not pass the answer of a cancelled search: the solver is not run twice for one board.
    ///
    /// # Errors
    /// In the returned advice: as [`Play::apply`] for `hint` and `solution`.
    ///
    /// [`Aim::Fewest`]: crate::solver::Aim::Fewest
    ///
    /// ```
    /// use laser::play::{LaserOutcome, Play};
    /// use laser::solver::{Aim, Question, solve};
    ///
    /// let mut play = Play::new("a corner", "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?);
    /// play.apply(&"solution".parse()?)?;
    /// let board = play.board().clone();
    /// let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    /// let advice = play.record_answer(&board, &answer).expect("it was asked for");
    /// assert!(matches!(advice?, LaserOutcome::Solution(moves) if moves.len() == 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn record_answer(
        &mut self,
        board: &Board,
        answer: &SolverAnswer,
    ) -> Option<Result<LaserOutcome, LaserPlayError>> {
        self.is_solvable = self.is_solvable.or(answer.solvable);
        self.asked.insert(placement(board));
        if let Some(moves) = &answer.moves {
            self.store_solution(board, moves, answer.is_fewest);
        }
        if *board == self.start {
            self.has_asked_start = true;
            self.record_lower_bound(answer.at_least);
            if let Some(moves) = &answer.moves {
                let moves = moves.len() as u32;
                let most = self.fewest.at_most.map_or(moves, |most| most.min(moves));
                self.fewest.at_most = Some(most);
                if answer.is_fewest {
                    self.fewest.at_least = most;
                }
            }
        }
        if *board != self.board {
            return None;
        }
        let wanted = self.wanted.take()?;
        Some(self.advise(wanted))
    }

    /// Stores each step of a solution, so that a player who follows it, forwards or backwards,
    /// needs no new search.
    fn store_solution(&mut self, board: &Board, moves: &[Move], is_fewest: bool) {
        let mut board = board.clone();
        for (index, &step) in moves.iter().enumerate() {
            let step_on = SolutionStep {
                step,
                left: (moves.len() - index) as u32,
                is_fewest,
            };
            let known = self.steps.entry(placement(&board)).or_insert(step_on);
            if step_on.left < known.left || (is_fewest && !known.is_fewest) {
                *known = step_on;
            }
            if board.apply(step).is_err() {
                debug_assert!(false, "the solver's move {step} cannot be made");
                return;
            }
        }
    }

    fn advise(&mut self, wanted: LaserAdviceKind) -> Result<LaserOutcome, LaserPlayError> {
        if self.status.sensors == 0 {
            return Err(LaserPlayError::NoSensors);
        }
        if self.is_solved() {
            return Err(LaserPlayError::Solved);
        }
        if self.is_solvable == Some(false) {
            return Err(LaserPlayError::Unsolvable);
        }
        let here = placement(&self.board);
        let Some(&step_on) = self.steps.get(&here) else {
            if self.asked.contains(&here) {
                return Err(LaserPlayError::NotKnown);
            }
            self.wanted = Some(wanted);
            return Ok(LaserOutcome::Thinking);
        };
        self.wanted = None;
        self.selected = None;
        self.hint = Some(step_on.step);
        match wanted {
            LaserAdviceKind::Hint => Ok(LaserOutcome::Hint(
                PieceMove::on(&self.board, step_on.step)?,
                step_on.left,
            )),
            LaserAdviceKind::Solution => {
                let mut moves = Vec::new();
                let mut board = self.board.clone();
                while let Some(step_on) = self.steps.get(&placement(&board)) {
                    moves.push(PieceMove::on(&board, step_on.step)?);
                    board.apply(step_on.step)?;
                }
                Ok(LaserOutcome::Solution(moves))
            }
        }
    }

    fn select(&mut self, place: Point) -> Result<LaserOutcome, LaserPlayError> {
        match self.selected {
            Some(selected) if selected == place => {
                self.selected = None;
                Ok(LaserOutcome::Deselected)
            }
            Some(from) => self.make_new_move(Move { from, to: place }),
            None => {
                let tile = self.board.at(place).ok_or(LaserMoveError::Outside(place))?;
                let piece = tile
                    .piece()
                    .ok_or(LaserMoveError::NotHardware(place, tile))?;
                self.selected = Some(place);
                Ok(LaserOutcome::Selected(place, piece))
            }
        }
    }

    /// Makes a new move and clears the undone moves.
    fn make_new_move(&mut self, step: Move) -> Result<LaserOutcome, LaserPlayError> {
        let piece_move = self.make_move(step)?;
        self.done.push(step);
        self.undone.clear();
        self.refresh();
        Ok(LaserOutcome::Moved(piece_move))
    }

    fn make_move(&mut self, step: Move) -> Result<PieceMove, LaserPlayError> {
        let piece_move = PieceMove::on(&self.board, step)?;
        self.board.apply(step)?;
        Ok(piece_move)
    }

    /// Updates the state after each move, undone or redone ones too: traces the light and
    /// clears the selection.
    fn refresh(&mut self) {
        self.light.trace(&self.board);
        self.status = self.light.status(&self.board);
        self.selected = None;
        self.hint = None;
        self.wanted = None;
        self.record_solution();
    }

    fn record_solution(&mut self) {
        if !self.is_solved() {
            return;
        }
        let moves = self.moves();
        self.is_solvable = Some(true);
        self.best = Some(self.best.map_or(moves, |best| best.min(moves)));
        let most = self.fewest.at_most;
        self.fewest.at_most = Some(most.map_or(moves, |most| most.min(moves)));
    }
}

/// The reverse of a move.
fn reversed(step: Move) -> Move {
    Move {
        from: step.to,
        to: step.from,
    }
}

fn placement(board: &Board) -> Placement {
    board.pieces().collect()
}

/// A tile in words, the same wherever one is named: as a level's file has it, what it is called,
/// and which way it points or leans.
///
/// ```
/// use laser::{Direction, Piece, Tile, play::describe_tile};
///
/// assert_eq!(describe_tile(Tile::Hardware(Piece::TNorth)), "T^ T-mirror pointing north");
/// assert_eq!(describe_tile(Tile::Hardware(Piece::MirrorRising)), "M/ mirror rising");
/// assert_eq!(describe_tile(Tile::Sensor(Direction::West)), "S< sensor open to the west");
/// assert_eq!(describe_tile(Tile::Wall), "wall");
/// ```
#[must_use]
pub fn describe_tile(tile: Tile) -> String {
    let name = match tile {
        Tile::Empty => return "empty".into(),
        Tile::Wall => return "wall".into(),
        Tile::Laser(way) => format!("laser pointing {way}"),
        Tile::Sensor(way) => format!("sensor open to the {way}"),
        Tile::Hardware(piece) => match piece {
            Piece::MirrorFalling => "mirror falling".into(),
            Piece::MirrorRising => "mirror rising".into(),
            Piece::SplitterFalling => "splitter falling".into(),
            Piece::SplitterRising => "splitter rising".into(),
            Piece::TNorth => format!("T-mirror pointing {}", Direction::North),
            Piece::TEast => format!("T-mirror pointing {}", Direction::East),
            Piece::TSouth => format!("T-mirror pointing {}", Direction::South),
            Piece::TWest => format!("T-mirror pointing {}", Direction::West),
        },
    };
    format!("{} {name}", tile.text())
}

#[cfg(test)]
mod tests;
