//! The second step: walls where other solutions go, until there is one only; then away with
//! what is not needed for that.

use super::grade::ProofEffort;
use super::neighbourhood::near_solutions;
use super::recipe::LevelRecipe;
use crate::board::Board;
use crate::light::Light;
use crate::solver::{self, Aim, Question, Solution, SolverAnswer};
use crate::tile::{Piece, Tile};
use dice::Dice;

/// A board with more solutions than this is not worth the walls.
const MAX_SOLUTIONS: u64 = 24;

/// A proof that takes longer is given up: choices tried, a fifth of a second or so.
pub(super) const MAX_NODES: u64 = 100_000;

/// How often walls are put up blindly against too many solutions.
const ROUNDS: u32 = 4;

/// The work of one node of the solver. The unit is one board whose light is followed:
/// half a microsecond to two, by its size.
const NODE_WORK: u64 = 4;

/// Asks the solver, remembers what it could not say, and counts the work of the whole search:
/// so it ends, and at the same place on every machine.
pub(super) struct Prover<'a> {
    /// Asked now and then whether to go on, with `reached`.
    pub(super) goes_on: &'a mut dyn FnMut(u32) -> bool,
    /// The most pieces that a grown board with one solution has had so far.
    pub(super) reached: u32,
    /// Questions given up.
    pub(super) unknown: u32,
    /// Work that was done, in boards whose light was followed; a node counts [`NODE_WORK`].
    pub(super) work: u64,
    /// With so much work the search ends.
    pub(super) most_work: u64,
}

/// What the solver says of the number of solutions.
enum SolutionCount {
    /// These are all.
    All(SolverAnswer),
    /// More than were asked for.
    More,
    /// It would take too long.
    Unknown,
}

impl Prover<'_> {
    /// Counts work that was done; says whether the search may go on.
    pub(super) fn spend(&mut self, work: u64) -> bool {
        self.work += work;
        !self.is_spent() && (self.goes_on)(self.reached)
    }

    /// Whether all the work that is allowed was done.
    pub(super) fn is_spent(&self) -> bool {
        self.work >= self.most_work
    }

    /// Asks for up to `up_to` solutions, with so many nodes at most.
    pub(super) fn solve(&mut self, board: &Board, up_to: u64, nodes: u64) -> SolverAnswer {
        let left = self.most_work.saturating_sub(self.work) / NODE_WORK;
        let question = Question {
            aim: Aim::All { up_to },
            nodes: nodes.min(left + 1),
        };
        let answer = solver::solve(board, question, &mut |_| (self.goes_on)(self.reached));
        self.work += answer.nodes * NODE_WORK;
        answer
    }

    /// Asks for all solutions, where there are no more than `most`.
    fn count(&mut self, board: &Board, most: u64, nodes: u64) -> SolutionCount {
        let answer = self.solve(board, most + 1, nodes);
        if answer.solutions.len() as u64 > most {
            SolutionCount::More
        } else if answer.is_complete {
            SolutionCount::All(answer)
        } else {
            self.unknown += 1;
            SolutionCount::Unknown
        }
    }

    /// Whether there is one solution and no other, and what it took to know; `None` also where
    /// it takes more than `nodes`.
    pub(super) fn prove(&mut self, board: &Board, nodes: u64) -> Option<ProofEffort> {
        match self.count(board, 1, nodes) {
            SolutionCount::All(answer) if answer.solutions.len() == 1 => Some(ProofEffort {
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

/// Puts a third of the walls that are left where chance wants them, out of the light.
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

/// Puts up walls that stop these solutions and leave the board's own as it is, as few as one
/// finds by taking always the wall that stops the most. `None` where there is no such wall,
/// or it would be one more than `most` of them within the ring.
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

/// For each place, and each other solution: whether a wall there stops it.
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

/// Takes away sensors that are not needed for there to be one solution only, as long as the
/// dice say so: `percent` of them are tried. A proof may take `nodes`.
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
