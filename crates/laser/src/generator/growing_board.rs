//! The other way to a level, for large boards and many pieces: it grows by one piece after the
//! other, and has one solution all the time.
//!
//! A board that is drafted whole has thousands of other solutions when it is large, and the
//! solver takes more nodes than anybody waits for to come to the end of them. Here each piece
//! is proven before the next one comes: of several places for it the one stays whose proof
//! takes the fewest nodes, and a place with too long a proof is left at once. Each piece gets
//! walls behind it, where light would go on without it and where it would come from, if those
//! cells are dark: then it cannot be shifted along its beams, which is what most of the other
//! solutions do. (Without these walls one board in ten came to 10 pieces on 21 x 21, and a
//! level took 8 s; with them two in three do, and a level takes less than one.) What the
//! solver finds besides is stopped by more walls.

use super::grade::{Grade, ProofEffort};
use super::recipe::LevelRecipe;
use super::refinement::{Prover, block_solutions, inner_walls};
use super::solved_draft::{is_ring, place_sensors, stock};
use crate::board::Board;
use crate::direction::Direction;
use crate::light::Light;
use crate::tile::{Piece, Tile};
use dice::Dice;

/// Places that are tried for a piece; in the second half, new lasers come too.
const PLACES: u32 = 20;
/// Of these so many may have one solution, and the easiest one stays: this many where the
/// level is to be easy, and one where it is to be very hard.
const PROVEN_PLACES: u32 = 5;
/// Cells that are tried out until a piece can be put into the light without harm.
const CELLS: usize = 12;
/// A proof on the way may take so many nodes: a fortieth of a second.
const STEP_NODES: u64 = 5000;
/// Other solutions that are looked for at once.
const MAX_OTHERS: u64 = 8;
/// How often they are looked for and stopped, for one place.
const ROUNDS: u32 = 8;
/// Work for one board: some take very long, and to begin another one is quicker.
const BOARD_WORK: u64 = 400_000;
/// Work for a place besides its proofs.
const PLACE_WORK: u64 = 50;
/// Walls that are tried to be done without where a level is too easy.
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
        // each piece has its share of the walls, and what those before it have left
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
    /// So many lasers are to be there in the end, unless there is no other way.
    lasers: u32,
    /// Of so many places with one solution the easiest one stays.
    proven_places: u32,
    /// The most nodes of a proof.
    nodes: u64,
    /// With so much work the board is left.
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

/// Puts up walls against the other solutions that the solver finds, until it proves that there
/// is none: says in how many nodes. `None` where that takes too many, or more walls.
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

/// Takes away walls that are not needed for there to be one solution only, until the level is
/// as hard as it should be. No proof may take more than `nodes`.
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
