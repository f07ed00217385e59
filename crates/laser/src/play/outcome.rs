//! The outcomes of commands, as a type and in words.

use crate::board::Board;
use crate::format::counted;
use crate::moves::{LaserMoveError, Move};
use crate::tile::Piece;
use grid::Point;
use std::fmt;
use thiserror::Error;

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LaserOutcome {
    /// A piece is in hand.
    Selected(Point, Piece),
    /// None is.
    Deselected,
    /// A move was made.
    Moved(PieceMove),
    /// A move was taken back.
    Undone(PieceMove),
    /// A move was made again.
    Redone(PieceMove),
    /// This many moves were undone.
    Restarted(u32),
    /// A move that leads on, and how many it takes with it.
    Hint(PieceMove, u32),
    /// All moves that lead to the end.
    Solution(Vec<PieceMove>),
    /// The answer is not known yet: there is a
    /// [board to solve](super::Play::board_to_solve).
    Thinking,
    /// The board is to be shown.
    Show,
    /// Help is to be shown.
    Help,
    /// The person leaves.
    Quit,
}

/// A move, and what it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMove {
    /// From where to where.
    pub step: Move,
    /// What goes.
    pub piece: Piece,
    /// What comes back, where two are swapped.
    pub other: Option<Piece>,
}

impl PieceMove {
    /// A move on a board, with the pieces that it moves.
    ///
    /// ```
    /// use grid::Point;
    /// use laser::{Board, Move, play::PieceMove};
    ///
    /// let board: Board = "3 1\nM/. B\\".parse()?;
    /// let from = Point::new(0, 0);
    /// let moved = PieceMove::on(&board, Move { from, to: Point::new(1, 0) })?;
    /// assert_eq!(moved.to_string(), "M/ from 0,0 to 1,0");
    /// let swapped = PieceMove::on(&board, Move { from, to: Point::new(2, 0) })?;
    /// assert_eq!(swapped.to_string(), "M/ at 0,0 with B\\ at 2,0");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a cell is outside the board or there is no piece to move.
    pub fn on(board: &Board, step: Move) -> Result<Self, LaserMoveError> {
        let at = |place| board.at(place).ok_or(LaserMoveError::Outside(place));
        let (tile, other) = (at(step.from)?, at(step.to)?);
        let piece = tile.piece();
        Ok(Self {
            step,
            piece: piece.ok_or(LaserMoveError::NotHardware(step.from, tile))?,
            other: other.piece(),
        })
    }
}

/// The one notation of a move for people: pieces as a level's file has them, cells as `X,Y`.
impl fmt::Display for PieceMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, piece, other } = self;
        let (from, to) = (step.from, step.to);
        match other {
            None => write!(f, "{piece} from {},{} to {},{}", from.x, from.y, to.x, to.y),
            Some(other) => write!(
                f,
                "{piece} at {},{} with {other} at {},{}",
                from.x, from.y, to.x, to.y
            ),
        }
    }
}

impl fmt::Display for LaserOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = |piece_move: &PieceMove, moved, swapped| match piece_move.other {
            None => moved,
            Some(_) => swapped,
        };
        match self {
            Self::Selected(place, piece) => {
                write!(f, "{piece} at {},{} is in hand", place.x, place.y)
            }
            Self::Deselected => f.write_str("nothing is in hand"),
            Self::Moved(piece_move) => {
                write!(f, "{} {piece_move}", verb(piece_move, "moved", "swapped"))
            }
            Self::Undone(piece_move) => write!(
                f,
                "undone: {} {piece_move}",
                verb(piece_move, "moved", "swapped")
            ),
            Self::Redone(piece_move) => write!(
                f,
                "redone: {} {piece_move}",
                verb(piece_move, "moved", "swapped")
            ),
            Self::Restarted(0) => f.write_str("this is the start"),
            Self::Restarted(moves) => {
                let moves = counted(*moves, "move");
                write!(f, "back at the start, {moves} taken back")
            }
            Self::Hint(piece_move, left) => {
                write!(f, "{} {piece_move}", verb(piece_move, "move", "swap"))?;
                match left {
                    1 => f.write_str(", the last move"),
                    2 => f.write_str(", and 1 move more"),
                    left => write!(f, ", and {} moves more", left - 1),
                }
            }
            Self::Solution(moves) => {
                for (index, piece_move) in moves.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "; " };
                    write!(f, "{separator}{piece_move}")?;
                }
                Ok(())
            }
            Self::Thinking => f.write_str("looking for a way"),
            Self::Show => f.write_str("the board"),
            Self::Help => f.write_str("what can be done"),
            Self::Quit => f.write_str("left"),
        }
    }
}

/// A command that cannot be done. Nothing has changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LaserPlayError {
    /// The move is none.
    #[error(transparent)]
    Move(#[from] LaserMoveError),
    /// No move was made.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// No move was taken back.
    #[error("there is no move to make again")]
    NothingToRedo,
    /// There is nothing to light.
    #[error("the level has no sensor, so nothing solves it")]
    NoSensors,
    /// There is nothing left to do.
    #[error("the level is solved")]
    Solved,
    /// It is proven that there is no solution.
    #[error("it cannot be solved: no placement lights all sensors")]
    Unsolvable,
    /// The solver gave up.
    #[error("no way was found in the time given")]
    NotKnown,
}
