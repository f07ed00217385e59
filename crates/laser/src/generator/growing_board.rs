//! Generation for large boards with many pieces: a board grows piece by piece, and has exactly
//! one solution at every step.
//!
//! A large board that is drafted whole has thousands of other solutions, too many for the
//! solver to enumerate. Here each piece is proven before the next: of several positions for it
//! the one with the shortest proof is kept, and one with too long a proof is skipped. Each
//! piece gets walls behind it, where light would go on without it and where it would come from,
//! if those cells are dark: then it cannot be shifted along its beams, as in most of the other
//! solutions. (Without these walls one board in ten reached 10 pieces on 21 x 21, and a level
//! took 8 s; with them two in three do, and a level takes less than one.) Other solutions that
//! the solver finds are blocked by more walls.

use super::grade::{Grade, ProofEffort};
use super::prover::Prover;
use super::recipe::LevelRecipe;
use super::refinement::{block_solutions, inner_walls};
use super::solved_draft::{is_ring, place_sensors, stock};
use crate::board::Board;
use crate::direction::Direction;
use crate::light::Light;
use crate::tile::{Piece, Tile};
use dice::Dice;

/// Positions tried for a piece; in the second half of them, new lasers are added too.
const PLACES: u32 = 20;
/// The number of unique positions among which the easiest is kept: this many for an easy level,
/// and one for a very hard one.
const PROVEN_PLACES: u32 = 5;
/// Cells tried for a piece before the position is given up.
const CELLS: usize = 12;
/// The most nodes of an intermediate proof: a fortieth of a second.
const STEP_NODES: u64 = 5000;
/// The other solutions requested from the solver at once.
const MAX_OTHERS: u64 = 8;
/// The rounds of searching and blocking them, for one position.
const ROUNDS: u32 = 8;
/// The work for one board: some take very long, and a new one is quicker.
const BOARD_WORK: u64 = 400_000;
/// The work counted for a position besides its proofs.
const PLACE_WORK: u64 = 50;
/// The walls tried for removal where a level is too easy.
const LOOSE_WALLS: usize = 24;

/// A solved board with one solution, with every piece in the light. `None` where no place is
/// found for some piece.
pub(super) fn grow(
    recipe: &LevelRecipe,
    dice: &mut Dice,
    prover: &mut Prover<'_>,
) -> Option<Board> {
    let mut board = Board::new(recipe.width, recipe.height).expect("the recipe was checked");
    let (ring, mut inner): (Vec<usize>, Vec<usize>) =
        (0..board.cells()).partition(|&cell| is_ring(&board, cell));
    ring.iter().for_each(|&cell| board.put(cell, Tile::Wall));
    dice.shuffle(&mut inner);
    let scattered = recipe.inner_walls() * (40 + dice.below(41)) / 100;
    for &cell in inner.iter().take(scattered as usize) {
        board.put(cell, Tile::Wall);
    }
    let stock = stock(recipe, dice);
    let pieces = stock.len() as u32;
    let mut growth = GrowingBoard {
        most_work: prover.work + BOARD_WORK,
        board,
        ring,
        lasers: 1 + dice.below(1 + pieces / 3),
        proven_places: match recipe.difficulty {
            None => 1 + dice.below(PROVEN_PLACES),
            Some(Grade::Easy | Grade::Medium) => PROVEN_PLACES,
            Some(Grade::Hard) => 2,
            Some(Grade::VeryHard) => 1,
        },
        nodes: match recipe.difficulty {
            None => STEP_NODES,
            Some(grade) => ProofEffort::most_nodes(grade, pieces, STEP_NODES),
        },
    };
    let spare = recipe.inner_walls() - scattered;
    for (piece, number) in stock.into_iter().zip(1..) {
        // each piece may use its share of the walls, plus what earlier ones left over
        let most_walls = scattered + (spare * number).div_ceil(pieces);
        growth.add(piece, 1 + pieces - number, most_walls, dice, prover)?;
        prover.reached = prover.reached.max(number);
    }
    Some(growth.board)
}

/// A board that grows.
struct GrowingBoard {
    /// Solved, and with this solution only.
    board: Board,
    ring: Vec<usize>,
    /// The intended number of lasers; more are added only if nothing else works.
    lasers: u32,
    /// The number of unique positions among which the easiest is kept.
    proven_places: u32,
    /// The most nodes of a proof.
    nodes: u64,
    /// The work after which the board is given up.
    most_work: u64,
}

impl GrowingBoard {
    /// Puts one more piece on the board, the first of `left`.
    fn add(
        &mut self,
        piece: Piece,
        left: u32,
        most_walls: u32,
        dice: &mut Dice,
        prover: &mut Prover<'_>,
    ) -> Option<()> {
        let lasers = self.board.lasers().count() as u32;
        let lacking = self.lasers.saturating_sub(lasers);
        let mut best: Option<(u64, Board)> = None;
        let mut proven = 0;
        for place in 0..PLACES {
            if !prover.spend(PLACE_WORK) || prover.work >= self.most_work {
                return None;
            }
            let mut board = self.board.clone();
            let is_lacking = lasers == 0 || dice.below(left) < lacking;
            let is_stuck = place >= PLACES / 2 && dice.coin();
            let beam = match is_lacking || is_stuck {
                true => match add_laser(&mut board, &self.ring, dice) {
                    Some(laser) => Some(beam(&board, laser)),
                    None => continue,
                },
                false => None,
            };
            let is_put = put(&mut board, piece, beam, dice).is_some();
            if !is_put {
                continue;
            }
            put_walls_behind(&mut board, most_walls);
            let Some(nodes) =
                block_other_solutions(&mut board, most_walls, self.nodes, dice, prover)
            else {
                continue;
            };
            if best.as_ref().is_none_or(|&(least, _)| nodes < least) {
                best = Some((nodes, board));
            }
            proven += 1;
            if proven == self.proven_places {
                break;
            }
        }
        self.board = best?.1;
        Some(())
    }
}

/// Puts a laser into the ring, with a free cell before it, where no light is hidden by it.
fn add_laser(board: &mut Board, ring: &[usize], dice: &mut Dice) -> Option<(usize, Direction)> {
    let light = Light::of(board);
    let mut spots = Vec::new();
    for &cell in ring {
        if board.tile(cell) != Tile::Wall || !light.entering(cell).is_empty() {
            continue;
        }
        for way in Direction::ALL {
            let before = board.beside(cell, way);
            if before.is_some_and(|next| board.tile(next) == Tile::Empty) {
                spots.push((cell, way));
            }
        }
    }
    let (cell, way) = dice.pick(&spots)?;
    board.put(cell, Tile::Laser(way));
    Some((cell, way))
}

/// The empty cells before a laser, up to what stands in its way.
fn beam(board: &Board, (laser, way): (usize, Direction)) -> Vec<usize> {
    let mut cells = Vec::new();
    let mut next = board.beside(laser, way);
    while let Some(cell) = next.filter(|&cell| board.tile(cell) == Tile::Empty) {
        cells.push(cell);
        next = board.beside(cell, way);
    }
    cells
}

/// Puts a piece into the light, on one of these cells or anywhere, so that light leaves it and
/// all others. Sensors that fall dark become walls, walls that light hits become sensors.
fn put(board: &mut Board, piece: Piece, cells: Option<Vec<usize>>, dice: &mut Dice) -> Option<()> {
    let mut light = Light::of(board);
    let mut cells = cells.unwrap_or_else(|| (0..board.cells()).collect());
    cells.retain(|&cell| {
        let mut ways = light.entering(cell).iter();
        board.tile(cell) == Tile::Empty && ways.any(|way| !piece.pass(way).is_empty())
    });
    dice.shuffle(&mut cells);
    for cell in cells.into_iter().take(CELLS) {
        let mut trial = board.clone();
        trial.put(cell, Tile::Hardware(piece));
        light.trace(&trial);
        let is_dark = |(cell, _): (usize, Piece)| light.leaving(&trial, cell).is_empty();
        if trial.pieces().any(is_dark) {
            continue;
        }
        let sensors: Vec<usize> = trial.sensors().map(|(cell, _)| cell).collect();
        for sensor in sensors {
            if !light.is_lit(&trial, sensor) {
                trial.put(sensor, Tile::Wall);
            }
        }
        place_sensors(&mut trial, &light, dice);
        light.trace(&trial);
        if light.status(&trial).is_solved() {
            *board = trial;
            return Some(());
        }
    }
    None
}

/// Puts walls behind the pieces, as long as there are no more than `most` within the ring:
/// where light would go on if it were not turned, and straight behind where it leaves.
fn put_walls_behind(board: &mut Board, most: u32) {
    let light = Light::of(board);
    let mut left = most.saturating_sub(inner_walls(board));
    let pieces: Vec<(usize, Piece)> = board.pieces().collect();
    for (cell, piece) in pieces {
        for way in light.entering(cell).iter() {
            let exits = piece.pass(way);
            let ahead = (!exits.is_empty() && !exits.contains(way)).then_some(way);
            let turned = exits.iter().filter(|&exit| exit != way);
            for behind in ahead.into_iter().chain(turned.map(Direction::opposite)) {
                let Some(next) = board.beside(cell, behind) else {
                    continue;
                };
                let is_free = board.tile(next) == Tile::Empty && light.entering(next).is_empty();
                if is_free && left > 0 {
                    board.put(next, Tile::Wall);
                    left -= 1;
                }
            }
        }
    }
}

/// Adds walls against the other solutions that the solver finds, until it proves that there is
/// none: returns its nodes. `None` where that takes too many nodes, or more walls.
fn block_other_solutions(
    board: &mut Board,
    most_walls: u32,
    nodes: u64,
    dice: &mut Dice,
    prover: &mut Prover<'_>,
) -> Option<u64> {
    let own: Vec<(usize, Piece)> = board.pieces().collect();
    for _ in 0..ROUNDS {
        let answer = prover.solve(board, MAX_OTHERS + 1, nodes);
        let mut others = answer.solutions;
        others.retain(|other| other.pieces != own);
        if others.is_empty() {
            return answer.is_complete.then_some(answer.nodes);
        }
        block_solutions(board, others, most_walls, dice)?;
    }
    None
}

/// Removes walls that are not needed for uniqueness, until the level is as hard as requested.
/// No proof may take more than `nodes`.
pub(super) fn remove_walls(
    board: &mut Board,
    difficulty: Grade,
    nodes: u64,
    dice: &mut Dice,
    prover: &mut Prover<'_>,
) {
    let light = Light::of(board);
    let is_dark_wall = |&cell: &usize| {
        board.tile(cell) == Tile::Wall && !is_ring(board, cell) && light.entering(cell).is_empty()
    };
    let mut walls: Vec<usize> = (0..board.cells()).filter(is_dark_wall).collect();
    dice.shuffle(&mut walls);
    for wall in walls.into_iter().take(LOOSE_WALLS) {
        board.put(wall, Tile::Empty);
        match prover.prove(board, nodes) {
            Some(effort) if effort.grade() >= difficulty => return,
            Some(_) => {}
            None => board.put(wall, Tile::Wall),
        }
    }
}
