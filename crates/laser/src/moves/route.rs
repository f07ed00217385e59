use super::Move;
use crate::board::Board;
use crate::solver::Solution;

/// How many moves a solution of this board is away from the board as it stands, at least.
#[must_use]
pub fn distance(board: &Board, solution: &Solution) -> u32 {
    route(board, solution).len() as u32
}

/// A shortest list of moves from the board as it stands to one of its solutions.
#[must_use]
pub fn route(_board: &Board, _solution: &Solution) -> Vec<Move> {
    Vec::new()
}
