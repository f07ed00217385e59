//! The solver, held against a plain search that follows the light and tries everything.

use crate::naive;
use dice::Dice;
use laser::solver::{Aim, Question, solve};
use laser::{Board, Direction, Light, Piece, Tile};

fn all(board: &Board) -> laser::solver::Answer {
    let question = Question::new(Aim::All { up_to: u64::MAX });
    solve(board, question, &mut |_| true)
}

/// A board with walls, lasers and pieces, and sensors where light comes to an end, so that
/// many can be solved; then the pieces are scattered, and now and then a sensor is moved.
fn random(dice: &mut Dice, kinds: &[Piece]) -> Board {
    let (width, height) = (2 + dice.below(5), 2 + dice.below(5));
    let mut board = Board::new(width, height).unwrap();
    let mut cells: Vec<usize> = (0..board.cells()).collect();
    dice.shuffle(&mut cells);
    let walls = dice.below(board.cells() as u32 / 2) as usize;
    let lasers = 1 + dice.below(3) as usize;
    let pieces = dice.below(5) as usize;
    let mut cells = cells.into_iter();
    cells
        .by_ref()
        .take(walls)
        .for_each(|cell| board.put(cell, Tile::Wall));
    for cell in cells.by_ref().take(lasers) {
        board.put(cell, Tile::Laser(Direction::ALL[dice.below(4) as usize]));
    }
    for cell in cells.by_ref().take(pieces) {
        board.put(cell, Tile::Hardware(dice.pick(kinds).unwrap()));
    }
    let light = Light::of(&board);
    for cell in 0..board.cells() {
        let entering: Vec<Direction> = light.entering(cell).iter().collect();
        let ends = |way| match board.beside(cell, way) {
            None => true,
            Some(next) => matches!(board.tile(next), Tile::Wall | Tile::Laser(_)),
        };
        if let [way] = entering[..]
            && board.tile(cell) == Tile::Empty
            && ends(way)
            && dice.below(3) > 0
        {
            let way = if dice.below(12) == 0 {
                way
            } else {
                way.opposite()
            };
            board.put(cell, Tile::Sensor(way));
        }
    }
    scatter(&mut board, dice);
    board
}

/// Puts the pieces elsewhere.
fn scatter(board: &mut Board, dice: &mut Dice) {
    let mut free: Vec<usize> = (0..board.cells())
        .filter(|&cell| board.tile(cell).is_free())
        .collect();
    let pieces: Vec<Piece> = board.pieces().map(|(_, piece)| piece).collect();
    free.iter().for_each(|&cell| board.put(cell, Tile::Empty));
    dice.shuffle(&mut free);
    for (piece, cell) in pieces.into_iter().zip(free) {
        board.put(cell, Tile::Hardware(piece));
    }
}

#[test]
fn it_finds_what_a_plain_search_finds() {
    use Piece::{MirrorFalling, MirrorRising, SplitterFalling, SplitterRising, TEast, TNorth};
    let mut solved = 0;
    for (part, kinds) in [
        &Piece::ALL[..],
        &[MirrorRising],
        &[MirrorFalling, MirrorRising],
        &[MirrorRising, SplitterRising],
        &[MirrorFalling, MirrorRising, SplitterFalling],
        &[MirrorRising, TNorth, TEast],
    ]
    .into_iter()
    .enumerate()
    {
        for number in 0..rounds() {
            let mut dice = Dice::of_part(7 + part as u64, number);
            let board = random(&mut dice, kinds);
            let Some(expected) = naive::solutions(&board, 200_000) else {
                continue;
            };
            let answer = all(&board);
            assert_eq!(answer.solutions, expected, "{part} {number}\n{board}");
            assert!(answer.is_complete);
            assert_eq!(answer.solvable, Some(!expected.is_empty()));
            solved += u32::from(!expected.is_empty());
        }
    }
    assert!(u64::from(solved) > rounds(), "{solved} can be solved");
}

fn rounds() -> u64 {
    std::env::var("LASER_ROUNDS").map_or(200, |rounds| rounds.parse().unwrap())
}
