//! An exact solver: whether a level can be solved, in how many ways, with how few moves.
//!
//! A *solution* is the set of pieces that light enters, with their positions. Solutions that
//! differ only by swapping equal pieces, or in the positions of pieces in the dark, are the
//! same.
//!
//! # How it searches
//!
//! The method is our own: a search that branches on the constraint with the fewest choices, as
//! Knuth does for exact covers (*Dancing Links*, 2000). The tests hold it against a SAT solver.
//!
//! The search is depth first, over the cells that light touches and no others. Light is traced
//! forward from the lasers and backward from the sensors, up to undecided cells. Each such
//! place is the beginning of a *line*, on which light goes straight on to (or comes straight
//! from) the first piece that stands there; the choices of a line are the cell and the kind of
//! that piece, or none. The line with the fewest choices is branched on next. Every choice
//! concerns cells that are lit in all solutions below it, and exactly one choice of a line
//! holds in each solution: so no solution is lost and none is found twice. A piece that can
//! send light in one direction from two sides ends the backward trace; then the choices are the
//! first side, and the second without the first.
//!
//! Pruned are, with proofs in the modules named:
//! - what light cannot get to with the pieces that are left (`reachability`), for each sensor and
//!   for each choice of a line;
//! - more sensors than beams, counting what pieces can split (`branching`);
//! - more lines that need a piece of their own than there are pieces of the right kinds
//!   (`sensor_cover`);
//! - for the fewest moves, what takes more moves already than are looked for (`search`).
//!
//! Where any solution will do, that search alternates with randomised restarts from fixed seeds
//! (`search`): on boards with few walls a search can be unlucky early and stay in a barren
//! part. Of 210 solvable boards with few walls (10 x 10 to 20 x 20, 6 to 16 pieces) 29 were not
//! solved within five seconds without restarts, 14 with them.
//!
//! # What is remembered, and what is not
//!
//! A transposition table is of no use: two nodes of the search differ in the choice of some
//! line, have no solution in common, and are never reached twice. The light itself is
//! maintained incrementally: a step changes only the cells that it touches, recorded on a
//! trail. Reachability of light is recomputed at each node, a row of cells at a time, in about
//! two microseconds.
//!
//! Tried and rejected, on 81 generated levels of 15 x 15 cells with 6 pieces: tracking light
//! that might go round, in place of generous rounds (a third fewer nodes, each seven times as
//! slow); testing for each choice whether it serves a sensor that takes all pieces left (a
//! tenth fewer nodes, no less time); iterative deepening alone for the fewest moves (three
//! times the nodes).

mod branching;
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

/// A question to the solver, and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The aim of the search.
    pub aim: Aim,
    /// The most nodes, choices that the search tried, before it gives up. (A better search may
    /// need fewer for the same question.)
    pub nodes: u64,
}

/// The aim of a search.
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
    ///
    /// ```
    /// use laser::solver::{Aim, Question};
    ///
    /// assert_eq!(Question::new(Aim::Any).nodes, u64::MAX);
    /// ```
    #[must_use]
    pub fn new(aim: Aim) -> Self {
        Self {
            aim,
            nodes: u64::MAX,
        }
    }
}

/// A solution: the pieces that light enters, by cell. All other pieces stand in the dark, and
/// every other cell that light enters is empty or fixed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Solution {
    /// Cell and piece, by cell.
    pub pieces: Vec<(usize, Piece)>,
}

impl Solution {
    /// The lit pieces of a board, solved or not.
    ///
    /// ```
    /// use laser::solver::Solution;
    /// use laser::{Board, Light, Piece};
    ///
    /// let board: Board = "3 2\nL>M/W\nM/. W".parse()?;
    /// let lit = Solution::of(&board, &Light::of(&board));
    /// assert_eq!(lit.pieces, [(1, Piece::MirrorRising)]); // the other stands in the dark
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn of(board: &Board, light: &Light) -> Self {
        let pieces = board.pieces();
        let pieces = pieces.filter(|&(cell, _)| !light.entering(cell).is_empty());
        Self {
            pieces: pieces.collect(),
        }
    }

    /// The board with these pieces and no others.
    ///
    /// ```
    /// use laser::solver::Solution;
    /// use laser::{Board, Piece};
    ///
    /// let board: Board = "3 1\nL>. M/".parse()?;
    /// let solution = Solution { pieces: vec![(1, Piece::MirrorRising)] };
    /// assert_eq!(solution.placed(&board).to_string(), "3 1\nL>M/. \n");
    /// # Ok::<(), laser::LevelFileError>(())
    /// ```
    #[must_use]
    pub fn placed(&self, board: &Board) -> Board {
        let mut placed = board.without_hardware();
        for &(cell, piece) in &self.pieces {
            placed.put(cell, Tile::Hardware(piece));
        }
        placed
    }
}

/// The answer to a question. All it says is proven; what is unknown is left open. The default
/// knows nothing.
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

/// Solves a question about the board as it stands.
///
/// `goes_on` is called about a thousand times a second; when it returns false, the search ends
/// with what is known by then.
///
/// ```
/// use laser::solver::{Aim, Question, solve};
///
/// let board: laser::Board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// let answer = solve(&board, Question::new(Aim::All { up_to: 10 }), &mut |_| true);
/// assert_eq!((answer.solutions.len(), answer.is_complete), (1, true));
/// let turned: laser::Board = "4 3\nW W SvW\nL>. . W\nW M\\W W".parse()?;
/// assert_eq!(solve(&turned, Question::new(Aim::Any), &mut |_| true).solvable, Some(false));
/// # Ok::<(), laser::LevelFileError>(())
/// ```
#[must_use]
pub fn solve(
    board: &Board,
    question: Question,
    goes_on: &mut dyn FnMut(SolverProgress) -> bool,
) -> SolverAnswer {
    search::solve(board, question, goes_on)
}
