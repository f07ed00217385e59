//! The last step: scatters the pieces over the board, out of the light.

use crate::board::Board;
use crate::light::Light;
use crate::moves;
use crate::solver::Solution;
use crate::tile::Tile;
use dice::Dice;

/// The starting positions tried.
const STARTS: u32 = 24;

/// An unsolved board from which the solution takes many moves. `None` where there is none.
pub(super) fn start(solved: &Board, solution: &Solution, dice: &mut Dice) -> Option<(Board, u32)> {
    let bare = solved.without_hardware();
    let mut cells: Vec<usize> = (0..bare.cells())
        .filter(|&cell| bare.tile(cell) == Tile::Empty)
        .collect();
    let mut light = Light::default();
    let mut best: Option<(i64, Board, u32)> = None;
    for _ in 0..STARTS {
        dice.shuffle(&mut cells);
        let mut board = bare.clone();
        for (&(_, piece), &cell) in solution.pieces.iter().zip(&cells) {
            board.put(cell, Tile::Hardware(piece));
        }
        light.trace(&board);
        let status = light.status(&board);
        if status.is_solved() {
            continue;
        }
        let moves = moves::distance(&board, solution);
        // lit sensors at the start give the solution away
        let worth = 4 * i64::from(moves) - i64::from(status.lit);
        if best.as_ref().is_none_or(|&(least, ..)| worth > least) {
            best = Some((worth, board, moves));
        }
    }
    best.map(|(_, board, moves)| (board, moves))
}
