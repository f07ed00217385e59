//! Finds solutions close to the wanted one by direct trial, without the solver.

use super::prover::Prover;
use crate::board::Board;
use crate::direction::Direction;
use crate::light::Light;
use crate::solver::Solution;
use crate::tile::{Piece, Tile};
use std::collections::BTreeSet;

/// The other solutions of a solved board that differ in the positions of one or two pieces.
/// `None` if no wall can block one of them and keep the board's own.
///
/// Both pieces are removed and put back where there is light: of two lit pieces, one is lit
/// without the other's help. A remaining piece stands in the dark, or nowhere: that is the same
/// for the light.
pub(super) fn near_solutions(solved: &Board, prover: &mut Prover<'_>) -> Option<Vec<Solution>> {
    let mut near = SolutionNeighbourhood::of(solved);
    let is_complete = try_all(&mut near, prover);
    prover.work += near.traces;
    is_complete.map(|()| near.found.into_iter().collect())
}

/// Tries all boards with one piece elsewhere, then all with two.
fn try_all(near: &mut SolutionNeighbourhood, prover: &mut Prover<'_>) -> Option<()> {
    let pieces = near.own.clone();
    // most boards fail here, and soon
    for &(cell, piece) in &pieces {
        near.board.put(cell, Tile::Empty);
        near.light.trace(&near.board);
        near.check_solution()?;
        near.try_lit_cells(piece, &mut |near| near.check_solution())?;
        near.board.put(cell, Tile::Hardware(piece));
    }
    for &(first_cell, first) in &pieces {
        for &(second_cell, second) in &pieces {
            if first_cell == second_cell {
                continue;
            }
            near.board.put(first_cell, Tile::Empty);
            near.board.put(second_cell, Tile::Empty);
            near.light.trace(&near.board);
            near.check_solution()?;
            near.try_lit_cells(first, &mut |near| {
                // one pair of pieces takes a second where a large board is full of light
                let traces = std::mem::take(&mut near.traces);
                if !prover.spend(traces) {
                    return None;
                }
                near.check_solution()?;
                near.try_lit_cells(second, &mut |near| near.check_solution())
            })?;
            near.board.put(first_cell, Tile::Hardware(first));
            near.board.put(second_cell, Tile::Hardware(second));
        }
    }
    Some(())
}

struct SolutionNeighbourhood {
    /// The board being tried, and its light.
    board: Board,
    light: Light,
    /// The cells where hardware may stand, with light on them in the wanted solution or not.
    free: Vec<(usize, bool)>,
    sensors: Vec<(usize, Direction)>,
    own: Vec<(usize, Piece)>,
    found: BTreeSet<Solution>,
    /// Traced boards that have not been counted as work yet.
    traces: u64,
}

impl SolutionNeighbourhood {
    fn of(solved: &Board) -> Self {
        let light = Light::of(solved);
        let free = (0..solved.cells()).filter(|&cell| solved.tile(cell).is_free());
        let free = free.map(|cell| (cell, !light.entering(cell).is_empty()));
        Self {
            free: free.collect(),
            sensors: solved.sensors().collect(),
            own: solved.pieces().collect(),
            board: solved.clone(),
            light,
            found: BTreeSet::new(),
            traces: 0,
        }
    }

    /// Puts a piece on each empty lit cell, and calls `f` each time.
    fn try_lit_cells(
        &mut self,
        piece: Piece,
        each: &mut dyn FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let is_place = |&cell: &usize| {
            self.board.tile(cell) == Tile::Empty && !self.light.entering(cell).is_empty()
        };
        let free = self.free.iter().map(|&(cell, _)| cell);
        let places: Vec<usize> = free.filter(is_place).collect();
        self.traces += places.len() as u64;
        for place in places {
            self.board.put(place, Tile::Hardware(piece));
            self.light.trace(&self.board);
            each(self)?;
            self.board.put(place, Tile::Empty);
        }
        Some(())
    }

    /// Records the current board if it is another solution; `None` if that cannot be blocked.
    fn check_solution(&mut self) -> Option<()> {
        if !self.is_solved() {
            return Some(());
        }
        let solution = Solution::of(&self.board, &self.light);
        if solution.pieces == self.own || !self.found.insert(solution) {
            return Some(());
        }
        let can_be_stopped = self.can_be_stopped();
        self.light.trace(&self.board);
        can_be_stopped.then_some(())
    }

    fn is_solved(&self) -> bool {
        let mut sensors = self.sensors.iter();
        sensors.all(|&(cell, way)| self.light.entering(cell).contains(way.opposite()))
    }

    /// Whether a wall where the wanted solution has no light would put out a sensor here.
    fn can_be_stopped(&mut self) -> bool {
        let is_place =
            |&(cell, is_lit): &(usize, bool)| !is_lit && !self.light.entering(cell).is_empty();
        let places: Vec<(usize, bool)> = self.free.iter().copied().filter(is_place).collect();
        places.into_iter().any(|(place, _)| {
            let there = self.board.tile(place);
            self.board.put(place, Tile::Wall);
            self.light.trace(&self.board);
            self.board.put(place, there);
            !self.is_solved()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_is_not_needed_is_found() {
        // a mirror that has one place only
        let board: Board = "5 5\nW W W W W\nWM/. .S<\nW . . . W\nW . . . W\nWL^ W W W"
            .parse()
            .unwrap();
        let mut prover = Prover {
            goes_on: &mut |_| true,
            reached: 0,
            unknown: 0,
            work: 0,
            most_work: u64::MAX,
        };
        assert_eq!(near_solutions(&board, &mut prover), Some(Vec::new()));
        // with a second one in the dark, which is not needed
        let board: Board = "5 5\nW W W W W\nWM/. .S<\nW . .M/W\nW . . . W\nWL^ W W W"
            .parse()
            .unwrap();
        // without it there is a solution too, and no wall stops that
        assert_eq!(near_solutions(&board, &mut prover), None);
    }
}
