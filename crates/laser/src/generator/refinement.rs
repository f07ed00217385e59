//! The second step of repair: adds walls that block other solutions until one is left; then
//! removes what is not needed for that.

use super::neighbourhood::near_solutions;
use super::prover::{Prover, SolutionCount};
use super::recipe::LevelRecipe;
use crate::board::Board;
use crate::light::Light;
use crate::solver::Solution;
use crate::tile::{Piece, Tile};
use dice::Dice;

/// A board with more solutions than this is not worth the walls.
const MAX_SOLUTIONS: u64 = 24;

/// The most choices of a proof: about a fifth of a second.
pub(super) const MAX_NODES: u64 = 100_000;

/// How often random walls are added against too many solutions.
const ROUNDS: u32 = 4;

/// Adds walls to a solved board until its solution is unique. `None` where there are too many
/// others, or no walls left to block them.
///
/// Every solution of the board with one more wall is a solution of the board without it: light
/// that ends at the wall would go on, and more light does no harm. So it is enough to block,
/// one after the other, those found at first. The close ones are blocked before the solver
/// searches the rest: they are found quickly, and without them the solver has far less to do.
///
/// The result depends only on whether all solutions are known, and not on the order in which
/// the solver finds them: so a recipe keeps its meaning when the solver's search order changes.
pub(super) fn make_unique(
    board: &mut Board,
    recipe: &LevelRecipe,
    dice: &mut Dice,
    prover: &mut Prover<'_>,
) -> Option<()> {
    let near = near_solutions(board, prover)?;
    block_solutions(board, near, recipe.inner_walls(), dice)?;
    let own: Vec<(usize, Piece)> = board.pieces().collect();
    for _ in 0..ROUNDS {
        match prover.count(board, MAX_SOLUTIONS, MAX_NODES) {
            SolutionCount::All(answer) => {
                let mut all = answer.solutions;
                all.sort_unstable();
                all.retain(|other| other.pieces != own);
                return block_solutions(board, all, recipe.inner_walls(), dice);
            }
            SolutionCount::More => add_random_walls(board, recipe, dice)?,
            SolutionCount::Unknown => return None,
        }
    }
    None
}

/// Adds a third of the remaining walls at random cells in the dark.
fn add_random_walls(board: &mut Board, recipe: &LevelRecipe, dice: &mut Dice) -> Option<()> {
    let left = recipe.inner_walls().saturating_sub(inner_walls(board));
    let places = dark_cells(board, dice);
    for &cell in places.iter().take(left.div_ceil(3) as usize) {
        board.put(cell, Tile::Wall);
    }
    (left > 0 && !places.is_empty()).then_some(())
}

/// The empty cells that no light enters, in a random order.
fn dark_cells(board: &Board, dice: &mut Dice) -> Vec<usize> {
    let light = Light::of(board);
    let dark = |&cell: &usize| board.tile(cell) == Tile::Empty && light.entering(cell).is_empty();
    let mut places: Vec<usize> = (0..board.cells()).filter(dark).collect();
    dice.shuffle(&mut places);
    places
}

/// Adds walls that block these solutions and keep the board's own, chosen greedily: always the
/// wall that blocks the most. `None` where there is no such wall, or more than `most` would
/// stand within the border.
pub(super) fn block_solutions(
    board: &mut Board,
    others: Vec<Solution>,
    most: u32,
    dice: &mut Dice,
) -> Option<()> {
    let places = dark_cells(board, dice);
    let stopped = blocked_by(board, &others, &places);
    let mut open = vec![true; others.len()];
    let mut walls = inner_walls(board);
    while open.contains(&true) {
        let gain = |place: &usize| {
            let both = stopped[*place].iter().zip(&open);
            both.filter(|&(&stopped, &open)| stopped && open).count()
        };
        let best = (0..places.len()).max_by_key(gain)?;
        if gain(&best) == 0 || walls >= most {
            return None;
        }
        walls += 1;
        board.put(places[best], Tile::Wall);
        for (open, stopped) in open.iter_mut().zip(&stopped[best]) {
            *open &= !stopped;
        }
    }
    Some(())
}

/// For each cell and each other solution: whether a wall there blocks it.
fn blocked_by(board: &Board, others: &[Solution], places: &[usize]) -> Vec<Vec<bool>> {
    let mut stopped = vec![vec![false; others.len()]; places.len()];
    let mut light = Light::default();
    for (index, other) in others.iter().enumerate() {
        let mut board = other.placed(board);
        light.trace(&board);
        // a wall in the dark stops nothing
        let is_lit = |&place: &usize| !light.entering(place).is_empty();
        let are_lit: Vec<bool> = places.iter().map(is_lit).collect();
        let lit = places.iter().zip(&mut stopped).zip(are_lit);
        for ((&place, stopped), _) in lit.filter(|&(_, is_lit)| is_lit) {
            let there = board.tile(place);
            board.put(place, Tile::Wall);
            light.trace(&board);
            stopped[index] = !light.status(&board).is_solved();
            board.put(place, there);
        }
    }
    stopped
}

/// Walls that are not in the ring.
pub(super) fn inner_walls(board: &Board) -> u32 {
    let is_inner = |cell: usize| {
        let place = board.place(cell);
        (1..i64::from(board.width()) - 1).contains(&place.x)
            && (1..i64::from(board.height()) - 1).contains(&place.y)
    };
    let walls = (0..board.cells()).filter(|&cell| board.tile(cell) == Tile::Wall);
    walls.filter(|&cell| is_inner(cell)).count() as u32
}

/// Removes sensors that are not needed for uniqueness: a random `percent` of them are tried. A
/// proof may take `nodes`.
pub(super) fn remove_sensors(
    board: &mut Board,
    percent: u32,
    nodes: u64,
    dice: &mut Dice,
    prover: &mut Prover<'_>,
) {
    let mut sensors: Vec<(usize, Tile)> = board
        .sensors()
        .map(|(cell, way)| (cell, Tile::Sensor(way)))
        .collect();
    dice.shuffle(&mut sensors);
    let mut left = sensors.len();
    for (cell, tile) in sensors {
        if left > 1 && dice.below(100) < percent {
            board.put(cell, Tile::Wall);
            match prover.prove(board, nodes) {
                Some(_) => left -= 1,
                None => board.put(cell, tile),
            }
        }
    }
}
