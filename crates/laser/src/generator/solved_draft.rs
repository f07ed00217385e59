//! The first step: a board that is solved, with every piece in the light.

use super::recipe::{LevelRecipe, Pieces};
use crate::board::Board;
use crate::direction::Direction;
use crate::light::Light;
use crate::tile::{Piece, Tile};
use dice::Dice;

/// The weight of each kind where the recipe leaves it open. The four T-mirrors together are as
/// likely as the two splitters.
const PIECE_WEIGHTS: [(Piece, u32); Piece::COUNT] = [
    (Piece::MirrorFalling, 4),
    (Piece::MirrorRising, 4),
    (Piece::SplitterFalling, 2),
    (Piece::SplitterRising, 2),
    (Piece::TNorth, 1),
    (Piece::TEast, 1),
    (Piece::TSouth, 1),
    (Piece::TWest, 1),
];

/// How many of the rows within the ring, and of the columns, light must reach, in percent.
const MIN_LIT_PERCENT: usize = 60;

/// The positions tried for each piece; the one whose light reaches furthest is kept.
const PLACES: usize = 3;

/// A solved board with a sensor wherever a beam ends at a wall. `None` where the random choices
/// lead nowhere.
pub(super) fn draft(recipe: &LevelRecipe, dice: &mut Dice) -> Option<Board> {
    let mut board = Board::new(recipe.width, recipe.height).expect("the recipe was checked");
    let (ring, inner): (Vec<usize>, Vec<usize>) =
        (0..board.cells()).partition(|&cell| is_ring(&board, cell));
    ring.iter().for_each(|&cell| board.put(cell, Tile::Wall));
    scatter_walls(&mut board, inner, recipe, dice);
    let stock = stock(recipe, dice);
    place_lasers(&mut board, &ring, stock.len() as u32, dice)?;
    let mut light = Light::default();
    for piece in stock {
        place(&mut board, piece, &mut light, dice)?;
    }
    light.trace(&board);
    if is_dull(&board, &light) {
        return None;
    }
    place_sensors(&mut board, &light, dice);
    light.trace(&board);
    light.status(&board).is_solved().then_some(board)
}

/// Whether a cell lies at the edge.
pub(super) fn is_ring(board: &Board, cell: usize) -> bool {
    Direction::ALL
        .into_iter()
        .any(|way| board.beside(cell, way).is_none())
}

/// Places some of the walls; the rest is left to the next step, which knows where they are
/// useful.
fn scatter_walls(board: &mut Board, mut inner: Vec<usize>, recipe: &LevelRecipe, dice: &mut Dice) {
    let most = recipe.inner_walls();
    let walls = most * (40 + dice.below(41)) / 100;
    dice.shuffle(&mut inner);
    for &cell in inner.iter().take(walls as usize) {
        board.put(cell, Tile::Wall);
    }
}

/// The pieces, in a random order.
pub(super) fn stock(recipe: &LevelRecipe, dice: &mut Dice) -> Vec<Piece> {
    let mut stock = Vec::new();
    match recipe.pieces {
        Pieces::Number(number) => {
            let all = PIECE_WEIGHTS.iter().map(|&(_, lots)| lots).sum();
            for _ in 0..number {
                let mut lot = dice.below(all);
                let drawn = PIECE_WEIGHTS.iter().find(|&&(_, lots)| {
                    let is_it = lot < lots;
                    lot = lot.saturating_sub(lots);
                    is_it
                });
                stock.extend(drawn.map(|&(piece, _)| piece));
            }
        }
        Pieces::Kinds(kinds) => {
            for piece in Piece::ALL {
                stock.extend((0..kinds[piece.index()]).map(|_| piece));
            }
        }
    }
    dice.shuffle(&mut stock);
    stock
}

/// Puts lasers into the ring, each with a free cell before it: more of them where there are
/// more pieces.
fn place_lasers(board: &mut Board, ring: &[usize], pieces: u32, dice: &mut Dice) -> Option<()> {
    let mut spots = Vec::new();
    for &cell in ring {
        for way in Direction::ALL {
            let before = board.beside(cell, way);
            if before.is_some_and(|next| board.tile(next) == Tile::Empty) {
                spots.push((cell, way));
            }
        }
    }
    let lasers = 1 + dice.below(1 + pieces / 3);
    dice.shuffle(&mut spots);
    for &(cell, way) in spots.iter().take(lasers as usize) {
        board.put(cell, Tile::Laser(way));
    }
    (!spots.is_empty()).then_some(())
}

/// Puts a piece into the light so that light leaves it and none of the others, and none of
/// them falls dark. Of a few such places the one that lights the most cells.
fn place(board: &mut Board, piece: Piece, light: &mut Light, dice: &mut Dice) -> Option<()> {
    light.trace(board);
    let is_place = |&cell: &usize| {
        board.tile(cell) == Tile::Empty
            && light
                .entering(cell)
                .iter()
                .any(|way| !piece.pass(way).is_empty())
    };
    let mut places: Vec<usize> = (0..board.cells()).filter(is_place).collect();
    dice.shuffle(&mut places);
    let mut best = None;
    let mut tried = 0;
    for cell in places {
        board.put(cell, Tile::Hardware(piece));
        light.trace(board);
        let all_shine = board
            .pieces()
            .all(|(cell, _)| !light.leaving(board, cell).is_empty());
        board.put(cell, Tile::Empty);
        if all_shine {
            let lit = (0..board.cells()).filter(|&cell| !light.entering(cell).is_empty());
            best = best.max(Some((lit.count(), cell)));
            tried += 1;
            if tried == PLACES {
                break;
            }
        }
    }
    let (_, cell) = best?;
    board.put(cell, Tile::Hardware(piece));
    Some(())
}

/// Whether the light stays in a corner of the board, or a laser's beam meets no piece.
pub(super) fn is_dull(board: &Board, light: &Light) -> bool {
    let mut rows = vec![false; board.height() as usize];
    let mut columns = vec![false; board.width() as usize];
    let width = columns.len();
    for cell in 0..board.cells() {
        if board.tile(cell).is_free() && !light.entering(cell).is_empty() {
            rows[cell / width] = true;
            columns[cell % width] = true;
        }
    }
    let is_small = |lines: &[bool]| {
        let lit = lines.iter().filter(|&&is_lit| is_lit).count();
        lit * 100 < (lines.len() - 2) * MIN_LIT_PERCENT
    };
    let mut lasers = board.lasers();
    is_small(&rows) || is_small(&columns) || lasers.any(|(cell, way)| is_idle(board, cell, way))
}

/// Whether a laser's beam meets no piece before it ends.
fn is_idle(board: &Board, laser: usize, way: Direction) -> bool {
    let mut cell = board.beside(laser, way);
    while let Some(here) = cell {
        match board.tile(here) {
            Tile::Empty => cell = board.beside(here, way),
            tile => return tile.piece().is_none(),
        }
    }
    true
}

/// Puts a sensor in place of each wall that light hits.
pub(super) fn place_sensors(board: &mut Board, light: &Light, dice: &mut Dice) {
    for cell in 0..board.cells() {
        if board.tile(cell) != Tile::Wall {
            continue;
        }
        let ways: Vec<Direction> = light.entering(cell).iter().collect();
        if let Some(way) = dice.pick(&ways) {
            board.put(cell, Tile::Sensor(way.opposite()));
        }
    }
}
