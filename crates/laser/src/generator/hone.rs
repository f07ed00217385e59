//! The second step: walls where other solutions go, until there is one only; then away with
//! what is not needed for that.

use super::grade::Effort;
use super::near::near;
use super::recipe::Recipe;
use crate::board::Board;
use crate::light::Light;
use crate::solver::{self, Aim, Answer, Question, Solution};
use crate::tile::{Piece, Tile};
use dice::Dice;

/// A board with more solutions than this is not worth the walls.
const MOST_SOLUTIONS: u64 = 24;

/// A proof that takes longer is given up: choices tried, a fifth of a second or so.
const MOST_NODES: u64 = 100_000;

/// How often walls are put up blindly against too many solutions.
const ROUNDS: u32 = 4;

/// Asks the solver, and remembers what it could not say.
pub(super) struct Prover<'a> {
    pub(super) goes_on: &'a mut dyn FnMut() -> bool,
    /// Questions given up.
    pub(super) unknown: u32,
}

/// What the solver says of the number of solutions.
enum Count {
    /// These are all.
    All(Answer),
    /// More than were asked for.
    More,
    /// It would take too long.
    Unknown,
}

impl Prover<'_> {
    /// Asks for all solutions, where there are no more than `most`.
    fn count(&mut self, board: &Board, most: u64) -> Count {
        let question = Question {
            aim: Aim::All { up_to: most + 1 },
            nodes: MOST_NODES,
        };
        let answer = solver::solve(board, question, &mut |_| (self.goes_on)());
        if answer.solutions.len() as u64 > most {
            Count::More
        } else if answer.is_complete {
            Count::All(answer)
        } else {
            self.unknown += 1;
            Count::Unknown
        }
    }

    /// Whether there is one solution and no other; and what it took to know.
    pub(super) fn prove(&mut self, board: &Board) -> Option<Effort> {
        match self.count(board, 1) {
            Count::All(answer) if answer.solutions.len() == 1 => Some(Effort {
                nodes: answer.nodes,
                pieces: board.pieces().count() as u32,
            }),
            _ => None,
        }
    }
}

/// Puts walls on a solved board until its solution is the only one. `None` where there are
/// too many others, or no walls left to stop them.
///
/// All solutions of the board with a wall more are solutions of the board without it: light
/// that ends at the wall would go on, and light too much does no harm. So it is enough to
/// stop, one after the other, those that were there at first. The near ones are stopped
/// before the solver is asked for the rest: they are found at once, and with them gone the
/// solver has far less to do.
///
/// Only facts count here, all solutions or none, and not which of them the solver finds
/// first: so a recipe means the same when the solver learns to search in another order.
pub(super) fn repair(
    board: &mut Board,
    recipe: &Recipe,
    dice: &mut Dice,
    prover: &mut Prover<'_>,
) -> Option<()> {
    let near = near(board, prover.goes_on)?;
    stop(board, near, recipe, dice)?;
    let own: Vec<(usize, Piece)> = board.pieces().collect();
    for _ in 0..ROUNDS {
        match prover.count(board, MOST_SOLUTIONS) {
            Count::All(answer) => {
                let mut all = answer.solutions;
                all.sort_unstable();
                all.retain(|other| other.pieces != own);
                return stop(board, all, recipe, dice);
            }
            Count::More => fill_up(board, recipe, dice)?,
            Count::Unknown => return None,
        }
    }
    None
}

/// Puts a third of the walls that are left where chance wants them, out of the light.
fn fill_up(board: &mut Board, recipe: &Recipe, dice: &mut Dice) -> Option<()> {
    let left = recipe.inner_walls().saturating_sub(inner_walls(board));
    let places = dark_places(board, dice);
    for &cell in places.iter().take(left.div_ceil(3) as usize) {
        board.put(cell, Tile::Wall);
    }
    (left > 0 && !places.is_empty()).then_some(())
}

/// The empty cells that no light enters, in a random order.
fn dark_places(board: &Board, dice: &mut Dice) -> Vec<usize> {
    let light = Light::of(board);
    let dark = |&cell: &usize| board.tile(cell) == Tile::Empty && light.entering(cell).is_empty();
    let mut places: Vec<usize> = (0..board.cells()).filter(dark).collect();
    dice.shuffle(&mut places);
    places
}

/// Puts up walls that stop these solutions and leave the board's own as it is, as few as one
/// finds by taking always the wall that stops the most. `None` where there is no such wall,
/// or the recipe has no more.
fn stop(board: &mut Board, others: Vec<Solution>, recipe: &Recipe, dice: &mut Dice) -> Option<()> {
    let places = dark_places(board, dice);
    let stopped = stopped(board, &others, &places);
    let mut open = vec![true; others.len()];
    let mut walls = inner_walls(board);
    while open.contains(&true) {
        let gain = |place: &usize| {
            let both = stopped[*place].iter().zip(&open);
            both.filter(|&(&stopped, &open)| stopped && open).count()
        };
        let best = (0..places.len()).max_by_key(gain)?;
        if gain(&best) == 0 || walls >= recipe.inner_walls() {
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

/// For each place, and each other solution: whether a wall there stops it.
fn stopped(board: &Board, others: &[Solution], places: &[usize]) -> Vec<Vec<bool>> {
    let mut stopped = vec![vec![false; others.len()]; places.len()];
    let mut light = Light::default();
    for (index, other) in others.iter().enumerate() {
        let mut board = other.placed(board);
        for (&place, stopped) in places.iter().zip(&mut stopped) {
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
fn inner_walls(board: &Board) -> u32 {
    let is_inner = |cell: usize| {
        let place = board.place(cell);
        (1..i64::from(board.width()) - 1).contains(&place.x)
            && (1..i64::from(board.height()) - 1).contains(&place.y)
    };
    let walls = (0..board.cells()).filter(|&cell| board.tile(cell) == Tile::Wall);
    walls.filter(|&cell| is_inner(cell)).count() as u32
}

/// Takes away sensors that are not needed for there to be one solution only, as long as the
/// dice say so: `percent` of them are tried.
pub(super) fn thin_out(board: &mut Board, percent: u32, dice: &mut Dice, prover: &mut Prover<'_>) {
    let mut sensors: Vec<(usize, Tile)> = board
        .sensors()
        .map(|(cell, way)| (cell, Tile::Sensor(way)))
        .collect();
    dice.shuffle(&mut sensors);
    let mut left = sensors.len();
    for (cell, tile) in sensors {
        if left > 1 && dice.below(100) < percent {
            board.put(cell, Tile::Wall);
            match prover.prove(board) {
                Some(_) => left -= 1,
                None => board.put(cell, tile),
            }
        }
    }
}
