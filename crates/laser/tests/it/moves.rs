//! Move counts and routes, compared with trying all moves.

use crate::brute_force::{RandomBoardShape, fewest, lit, played, random, truth};
use dice::Dice;
use laser::moves::{distance, route};
use laser::solver::Solution;
use laser::{Board, Direction, Light, Piece, Tile};

/// A route to this placement's lit pieces: it can be made, it ends there, it is as long as
/// the distance, and no move of it leaves the board as it was.
fn check_route(board: &Board, goal: &Solution) -> u32 {
    let moves = route(board, goal);
    assert_eq!(
        moves.len() as u32,
        distance(board, goal),
        "{goal:?}\n{board}"
    );
    let end = played(board, &moves);
    assert_eq!(&lit(&end), goal, "{board}");
    assert_eq!(route(&end, goal), []);
    for length in 1..=moves.len() {
        let before = played(board, &moves[..length - 1]);
        assert_ne!(before, played(board, &moves[..length]), "{board}");
    }
    moves.len() as u32
}

/// Every solution of a small board, by the shortest way there is.
#[test]
fn no_way_to_a_solution_is_shorter() {
    let mut lengths = [0; 8];
    for number in 0..1000 {
        let mut dice = Dice::of_part(702, number);
        let free = 2 + dice.below(6);
        let shape = RandomBoardShape {
            sides: (3 + dice.below(2), 2 + dice.below(3)),
            lasers: 1 + dice.below(2),
            sensors: 1 + dice.below(3),
            pieces: 1 + dice.below(free.min(5)),
            free,
        };
        let board = random(&mut dice, &shape);
        let truth = truth(&board);
        let nearest = truth.solutions.iter().map(|one| check_route(&board, one));
        assert_eq!(nearest.min(), truth.fewest, "board {number}\n{board}");
        for goal in truth.solutions.iter().take(3) {
            let moves = distance(&board, goal);
            let is_goal = |placement: &Board| {
                lit(placement) == *goal && Light::of(placement).status(placement).is_solved()
            };
            assert_eq!(
                fewest(&board, &is_goal),
                Some(moves),
                "board {number}\n{board}"
            );
            lengths[moves as usize] += 1;
        }
    }
    assert!(lengths[..5].iter().all(|&n| n > 5), "{lengths:?}");
}

/// Where light enters every free cell, or all but one, every piece has to stand where it
/// should: the hardest words to sort.
#[test]
fn crowded_boards_take_the_fewest_swaps() {
    let mut longest = 0;
    for number in 0..200 {
        let mut dice = Dice::of_part(703, number);
        let (mut board, goal) = corridor(&mut dice, 3 + (number % 5) as u32, number % 3 == 0);
        let free: Vec<usize> = (0..board.cells())
            .filter(|&cell| board.tile(cell).is_free())
            .collect();
        let mut tiles: Vec<Tile> = free.iter().map(|&cell| board.tile(cell)).collect();
        dice.shuffle(&mut tiles);
        for (&cell, &tile) in free.iter().zip(&tiles) {
            board.put(cell, tile);
        }
        let moves = check_route(&board, &goal);
        let is_goal = |placement: &Board| lit(placement) == goal;
        assert_eq!(
            fewest(&board, &is_goal),
            Some(moves),
            "board {number}\n{board}"
        );
        longest = longest.max(moves);
    }
    assert!(longest >= 5, "{longest}");
}

/// A row of free cells with splitters, and some empty ones, that lets light through to its
/// end, so that all of them are lit; and one more cell in the dark, or not.
fn corridor(dice: &mut Dice, free: u32, has_dark: bool) -> (Board, Solution) {
    let mut board = Board::new(free + 2, 3).unwrap();
    for cell in 0..board.cells() {
        board.put(cell, Tile::Wall);
    }
    let row = free as usize + 2;
    board.put(row, Tile::Laser(Direction::East));
    board.put(2 * row - 1, Tile::Sensor(Direction::West));
    let contents = [
        Tile::Empty,
        Tile::Hardware(Piece::SplitterFalling),
        Tile::Hardware(Piece::SplitterRising),
    ];
    for x in 0..free as usize {
        board.put(row + 1 + x, dice.pick(&contents).unwrap());
    }
    if has_dark {
        let tile = Tile::Hardware(dice.pick(&Piece::ALL).unwrap());
        board.put(0, tile);
    }
    let goal = lit(&board);
    (board, goal)
}
