use super::{Move, SwapDistance, cycle_packing};
use crate::board::Board;
use crate::light::Light;
use crate::solver::Solution;
use crate::tile::{Piece, Tile};
use std::collections::VecDeque;

/// The least number of moves from the board as it stands to a solution of it.
///
/// ```
/// use laser::moves::distance;
/// use laser::solver::{Aim, Question, solve};
///
/// let board: laser::Board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// let answer = solve(&board, Question::new(Aim::Any), &mut |_| true);
/// assert_eq!(distance(&board, &answer.solutions[0]), 1);
/// # Ok::<(), laser::LevelFileError>(())
/// ```
#[must_use]
pub fn distance(board: &Board, solution: &Solution) -> u32 {
    let mut exchange = SwapDistance::new();
    for (cell, wants) in wanted_contents(board, solution) {
        exchange.add(board.tile(cell).piece(), wants);
    }
    exchange.moves()
}

/// A shortest sequence of moves from the board as it stands to one of its solutions, in an
/// order in which they can be made: [`distance`] many, deterministically. Each of them brings
/// the piece at `from` to its final position. Pieces that are no part of the solution go to
/// vacated cells, or stay where they are. [`SwapDistance`] proves that no sequence is shorter.
///
/// # Panics
/// When it is no solution of this board: pieces are missing, or what is left over has no
/// place in the dark.
///
/// ```
/// use laser::Light;
/// use laser::moves::route;
/// use laser::solver::{Aim, Question, solve};
///
/// let mut board: laser::Board = "4 3\nW W SvW\nL>. . W\nW M/W W".parse()?;
/// let answer = solve(&board, Question::new(Aim::Any), &mut |_| true);
/// for step in route(&board, &answer.solutions[0]) {
///     board.apply(step)?;
/// }
/// assert!(Light::of(&board).status(&board).is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn route(board: &Board, solution: &Solution) -> Vec<Move> {
    let mut lenders: ContentQueues = Default::default();
    for (cell, tile) in board.tiles().enumerate().filter(|(_, tile)| tile.is_free()) {
        lenders[cycle_packing::content(tile.piece())].push_back(cell);
    }
    let wishes = wanted_contents(board, solution);
    // only cells in the dark can give pieces away
    let mut is_lit = vec![false; board.cells()];
    wishes.iter().for_each(|&(cell, _)| is_lit[cell] = true);
    for queue in &mut lenders {
        queue.retain(|&cell| !is_lit[cell]);
    }

    // for each pair of present and wanted content, the cells for which that holds
    let mut waiting: [ContentQueues; cycle_packing::CONTENT_COUNT] = Default::default();
    let mut graph = cycle_packing::ContentGraph::default();
    for (cell, wants) in wishes {
        let has = board.tile(cell).piece();
        if has != wants {
            let (has, wants) = (cycle_packing::content(has), cycle_packing::content(wants));
            waiting[has][wants].push_back(cell);
            graph[has][wants] += 1;
        }
    }
    let mut next_waiting = |has: usize, wants: usize| {
        let cell = waiting[has][wants].pop_front();
        cell.expect("a cell waits for each edge of the graph")
    };

    let mut rings: Vec<Vec<usize>> = Vec::new();
    for contents in cycle_packing::extract_cycles(&mut graph) {
        let ring = cycle_packing::edges(&contents).map(|(has, wants)| next_waiting(has, wants));
        rings.push(ring.collect());
    }
    for contents in cycle_packing::extract_chains(&mut graph) {
        let links = contents.windows(2);
        let mut ring: Vec<_> = links.map(|link| next_waiting(link[0], link[1])).collect();
        let lender = lenders[contents[contents.len() - 1]].pop_front();
        ring.push(lender.expect("what is wanted and not in the light stands in the dark"));
        rings.push(ring);
    }
    for ring in &mut rings {
        // begin at the empty tile, if there is one, so that each piece moves to an empty one
        let is_empty = |&cell: &usize| board.tile(cell) == Tile::Empty;
        let first = ring.iter().position(is_empty).unwrap_or(0);
        ring.rotate_left(first);
    }
    rings.sort();
    rings
        .iter()
        .flat_map(|ring| rotate_cycle(board, ring))
        .collect()
}

/// The cells waiting, by wanted content.
type ContentQueues = [VecDeque<usize>; cycle_packing::CONTENT_COUNT];

/// The moves that give each cell of a cycle the content of the next one, and the last that of
/// the first, which is passed along from each to the next.
fn rotate_cycle(board: &Board, ring: &[usize]) -> impl Iterator<Item = Move> {
    ring.windows(2).map(|two| Move {
        from: board.place(two[1]),
        to: board.place(two[0]),
    })
}

/// Every free cell that light enters in this solution, with its content there.
fn wanted_contents(board: &Board, solution: &Solution) -> Vec<(usize, Option<Piece>)> {
    let solved = solution.placed(board);
    let light = Light::of(&solved);
    let lit = solved.tiles().enumerate();
    let lit = lit.filter(|&(cell, tile)| tile.is_free() && !light.entering(cell).is_empty());
    lit.map(|(cell, tile)| (cell, tile.piece())).collect()
}
