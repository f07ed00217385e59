//! A level being played: what a person can do, and what is known of it.
//!
//! [`Play`] is the one owner of it for every face: the terminal's room and a script's lines
//! both send [`LaserCommand`]s and show what comes back. It has no clock and no threads;
//! the solver may take long, so whoever owns a `Play` asks it what it wants to know
//! ([`Play::wants`]), lets the solver work where and as long as it likes, and hands the
//! answer back ([`Play::learn`]). (A hint that calls the solver itself lost: a screen would
//! have stood still for as long as the search takes.)

pub mod command;
mod outcome;

pub use command::{LaserCommand, LaserCommandError};
pub use outcome::{LaserOutcome, LaserPlayError, PieceMove};

use crate::board::Board;
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
/// let board = play.wants().expect("a hint was asked for").clone();
/// let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
/// play.learn(&board, &answer);
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
    /// The next move of a solution, by where all pieces stand.
    steps: HashMap<Placement, SolutionStep>,
    /// Where the solver was asked from, and told all that it will.
    asked: HashSet<Placement>,
    /// Whether the start is among them: asked for often, and a large board is long to look
    /// through.
    has_asked_start: bool,
    wanted: Option<LaserAdviceKind>,
    hint: Option<Move>,
}

/// Where all pieces stand.
type Placement = Vec<(usize, Piece)>;

/// How it goes on from a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SolutionStep {
    step: Move,
    /// Moves to the end, this one among them.
    left: u32,
    is_fewest: bool,
}

/// What a person waits for.
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
    /// There is a way with so many.
    pub at_most: Option<u32>,
}

impl MoveBounds {
    /// The number, once it is proven.
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

    /// How many moves have led here; those that were taken back do not count.
    #[must_use]
    pub fn moves(&self) -> u32 {
        u32::try_from(self.done.len()).unwrap_or(u32::MAX)
    }

    /// The moves that have led here, in their order: made anew from the start they lead to
    /// this board.
    #[must_use]
    pub fn made(&self) -> &[Move] {
        &self.done
    }

    /// The moves that were taken back and can be made again, the next one last.
    #[must_use]
    pub fn taken_back(&self) -> &[Move] {
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

    /// Whether the person waits for an answer of the solver.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.wanted.is_some()
    }

    /// The board that the solver should be asked about, for [`Aim::Fewest`]: the one as it
    /// stands where a person waits for advice, else the start where its fewest moves are not
    /// proven. `None` where all is known.
    ///
    /// [`Aim::Fewest`]: crate::solver::Aim::Fewest
    #[must_use]
    pub fn wants(&self) -> Option<&Board> {
        if self.is_solvable == Some(false) {
            return None;
        }
        if self.wanted.is_some() {
            return Some(&self.board);
        }
        let is_known = self.fewest.proven().is_some() || self.has_asked_start;
        (!is_known).then_some(&self.start)
    }

    /// Does what a person wants done.
    ///
    /// # Errors
    /// When it cannot be done, with the reason in words. Nothing has changed then.
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

    /// Hears while the solver works on the start that it takes at least so many moves.
    pub fn hear(&mut self, at_least: u32) {
        self.fewest.at_least = self.fewest.at_least.max(at_least);
    }

    /// Takes what the solver answered about a board of this level, for [`Aim::Fewest`]. Gives
    /// what a person has waited for, if that was it.
    ///
    /// An answer that was cut short because nobody needs it any more is better not told: the
    /// solver is not asked twice about one board.
    ///
    /// # Errors
    /// In what it gives: as [`Play::apply`] for `hint` and `solution`.
    ///
    /// [`Aim::Fewest`]: crate::solver::Aim::Fewest
    pub fn learn(
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
            self.hear(answer.at_least);
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

    /// Keeps each step of a way, so that who follows it, or goes back on it, need not ask.
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
            if board.make(step).is_err() {
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
                self.piece_move(step_on.step)?,
                step_on.left,
            )),
            LaserAdviceKind::Solution => {
                let mut moves = Vec::new();
                let mut board = self.board.clone();
                while let Some(step_on) = self.steps.get(&placement(&board)) {
                    board.make(step_on.step)?;
                    moves.push(step_on.step);
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

    /// A new move: what was taken back is forgotten.
    fn make_new_move(&mut self, step: Move) -> Result<LaserOutcome, LaserPlayError> {
        let piece_move = self.make_move(step)?;
        self.done.push(step);
        self.undone.clear();
        self.refresh();
        Ok(LaserOutcome::Moved(piece_move))
    }

    /// What a move on the board as it stands would move.
    fn piece_move(&self, step: Move) -> Result<PieceMove, LaserPlayError> {
        let at = |place| self.board.at(place).ok_or(LaserMoveError::Outside(place));
        let (tile, other) = (at(step.from)?, at(step.to)?);
        let piece = tile.piece();
        Ok(PieceMove {
            step,
            piece: piece.ok_or(LaserMoveError::NotHardware(step.from, tile))?,
            other: other.piece(),
        })
    }

    fn make_move(&mut self, step: Move) -> Result<PieceMove, LaserPlayError> {
        let piece_move = self.piece_move(step)?;
        self.board.make(step)?;
        Ok(piece_move)
    }

    /// After each move, whichever way: new light, and nothing in hand.
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

/// The same move the other way.
fn reversed(step: Move) -> Move {
    Move {
        from: step.to,
        to: step.from,
    }
}

fn placement(board: &Board) -> Placement {
    board.pieces().collect()
}

/// What a tile is called, for a line that says what is where.
#[must_use]
pub fn called(tile: Tile) -> &'static str {
    match tile {
        Tile::Empty => "empty",
        Tile::Wall => "wall",
        Tile::Laser(_) => "laser",
        Tile::Sensor(_) => "sensor",
        Tile::Hardware(Piece::MirrorFalling | Piece::MirrorRising) => "mirror",
        Tile::Hardware(Piece::SplitterFalling | Piece::SplitterRising) => "splitter",
        Tile::Hardware(_) => "T-mirror",
    }
}

#[cfg(test)]
mod tests;
