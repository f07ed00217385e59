//! Whether a level can be solved, in how many ways, with how few moves: exact answers, or
//! none.
//!
//! A *solution* is what light touches: the pieces that light enters, and where they stand.
//! Equal pieces may change places, and pieces left in the dark may stand anywhere, without
//! making another solution.
//!
//! # How it searches
//!
//! Depth first, over what light touches and nothing else. Light is followed forward from the
//! lasers and backward from the sensors, up to tiles that are not decided. Each such place is
//! the beginning of a *line*, on which light goes straight on to (or comes straight from) the
//! first piece that stands there; a line's choices are the cell and the kind of that piece,
//! or none. Of all lines the one with the fewest choices is decided next. Every choice is
//! about tiles that are lit in all solutions below it, and exactly one choice of a line holds
//! in each solution: so no solution is lost and none comes twice. A piece that can send light
//! in one direction from two sides ends the way back; then the choices are the first side,
//! and the second without the first.
//!
//! What is cut off, with the proof where the rule is:
//! - what light cannot get to with the pieces that are left (`reach`), for each sensor and
//!   for each choice of a line;
//! - more sensors than beams, counting what pieces can split (`choice`);
//! - more lines that need a piece of their own than there are pieces of the right kinds
//!   (`cover`);
//! - for the fewest moves, what takes more moves already than are looked for (`search`).
//!
//! Where any solution will do, that walk takes turns with others that begin anew and choose by
//! chance, from seeds that are always the same (`search`): on boards with few walls a walk can
//! be unlucky early and stay so. Of 210 solvable boards with few walls (10 x 10 to 20 x 20, 6
//! to 16 pieces) 29 were not solved within five seconds by one walk, 14 with the others.
//!
//! # What is remembered, and what is not
//!
//! A table of positions that were met before has nothing to say here: two positions of the
//! search differ in the choice of some line, no solution is below both, and none is ever met
//! again, however it is come to. What is kept from node to node is the light itself: a step
//! forward or back changes only what it touches, on a trail. What light can reach is found
//! anew at each node, a row of cells at a time, in two microseconds or so.
//!
//! Tried and left out, on 81 generated levels of 15 x 15 cells with 6 pieces: marks on light
//! that might go round, in place of generous rounds (a third fewer nodes, each seven times as
//! slow); to ask of each choice whether it serves a sensor that takes all pieces left (a
//! tenth fewer nodes, no less time); the fewest moves by one move more each time and nothing
//! else (three times the nodes).

mod cell_contents;
mod choice;
mod partial_board;
mod reachability;
mod search;
mod search_grid;
mod sensor_cover;

use crate::board::Board;
use crate::light::Light;
use crate::moves::Move;
use crate::tile::{Piece, Tile};

/// What is asked, and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub aim: Aim,
    /// Give up after so many nodes: choices that the search tried. (What they are depends on
    /// how clever the search is: the same question may need fewer one day.)
    pub nodes: u64,
}

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Any solution, or that there is none.
    Any,
    /// All of them, up to this many.
    All {
        /// At least 1.
        up_to: u64,
    },
    /// One that takes the fewest moves from the board as it stands.
    Fewest,
}

impl Question {
    /// A question without a limit.
    #[must_use]
    pub fn new(aim: Aim) -> Self {
        Self {
            aim,
            nodes: u64::MAX,
        }
    }
}

/// One way to light every sensor: the pieces that light enters, by cell. All other pieces
/// stand in the dark, and every cell that light enters besides is empty or fixed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Solution {
    /// Cell and piece, by cell.
    pub pieces: Vec<(usize, Piece)>,
}

impl Solution {
    /// What light touches on a board, be it solved or not.
    #[must_use]
    pub fn of(board: &Board, light: &Light) -> Self {
        let pieces = board.pieces();
        let pieces = pieces.filter(|&(cell, _)| !light.entering(cell).is_empty());
        Self {
            pieces: pieces.collect(),
        }
    }

    /// The board with these pieces and no others.
    #[must_use]
    pub fn placed(&self, board: &Board) -> Board {
        let mut placed = board.bare();
        for &(cell, piece) in &self.pieces {
            placed.put(cell, Tile::Hardware(piece));
        }
        placed
    }
}

/// What came of a question. Whatever it says is so; what it does not know it leaves open.
/// The default knows nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolverAnswer {
    /// Whether there is a solution; `None` where the search ended early without one.
    pub solvable: Option<bool>,
    /// What was found, in order: one at most, unless all were asked for.
    pub solutions: Vec<Solution>,
    /// Whether `solutions` are all there are.
    pub is_complete: bool,
    /// A proven bound: no solution takes fewer moves than this. Sharp for [`Aim::Fewest`]
    /// when it came to its end; 0 where there is no solution.
    pub at_least: u32,
    /// Moves that lead from the board as it stands to the first solution, as few as lead
    /// to that one.
    pub moves: Option<Vec<Move>>,
    /// Whether no solution takes fewer moves.
    pub is_fewest: bool,
    /// Choices that the search tried.
    pub nodes: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverProgress {
    /// Choices tried so far.
    pub nodes: u64,
    /// Solutions found so far.
    pub solutions: u64,
    /// For [`Aim::Fewest`]: no solution takes fewer moves than this.
    pub at_least: u32,
}

/// Answers a question about the board as it stands.
///
/// `goes_on` is asked now and then, a thousand times a second or so; when it says no, the
/// answer is what is known by then.
#[must_use]
pub fn solve(
    board: &Board,
    question: Question,
    goes_on: &mut dyn FnMut(SolverProgress) -> bool,
) -> SolverAnswer {
    search::solve(board, question, goes_on)
}
