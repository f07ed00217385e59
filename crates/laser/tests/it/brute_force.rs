//! Brute force: every placement of the pieces on the free cells, and every move. Slow and
//! obvious, it is the reference for the solver and for the move counts.

use dice::Dice;
use laser::solver::{Aim, Question, Solution, SolverAnswer, solve};
use laser::{Board, Direction, Light, Piece, Tile};
use std::collections::{BTreeSet, HashSet};

/// What a board's light touches: pieces and where they stand.
pub(crate) fn lit(board: &Board) -> Solution {
    let light = Light::of(board);
    let pieces = board.pieces();
    let pieces = pieces.filter(|&(cell, _)| !light.entering(cell).is_empty());
    Solution {
        pieces: pieces.collect(),
    }
}

/// Visits every placement of the board's pieces on its free cells, each once.
pub(crate) fn each_placement(board: &Board, visit: &mut dyn FnMut(&Board)) {
    let free: Vec<usize> = (0..board.cells())
        .filter(|&cell| board.tile(cell).is_free())
        .collect();
    let mut bare = board.without_hardware();
    let stock = board.stock();
    let left = stock.iter().sum();
    place(&mut bare, &free, stock, left, visit);
}

fn place(
    board: &mut Board,
    free: &[usize],
    mut stock: [u32; Piece::COUNT],
    left: u32,
    visit: &mut dyn FnMut(&Board),
) {
    if left == 0 {
        return visit(board);
    }
    let Some((&cell, rest)) = free.split_first() else {
        return;
    };
    if rest.len() >= left as usize {
        place(board, rest, stock, left, visit);
    }
    for piece in Piece::ALL {
        if stock[piece.index()] > 0 {
            stock[piece.index()] -= 1;
            board.put(cell, Tile::Hardware(piece));
            place(board, rest, stock, left - 1, visit);
            stock[piece.index()] += 1;
        }
    }
    board.put(cell, Tile::Empty);
}

/// The number of moves to the nearest goal placement, by breadth-first search.
pub(crate) fn fewest(board: &Board, is_goal: &dyn Fn(&Board) -> bool) -> Option<u32> {
    let free: Vec<usize> = (0..board.cells())
        .filter(|&cell| board.tile(cell).is_free())
        .collect();
    let mut seen = HashSet::from([board.clone()]);
    let mut front = vec![board.clone()];
    for moves in 0.. {
        if front.is_empty() {
            break;
        }
        if front.iter().any(is_goal) {
            return Some(moves);
        }
        let mut next = Vec::new();
        for board in &mut front {
            for &from in &free {
                for &to in &free {
                    let step = laser::Move {
                        from: board.place(from),
                        to: board.place(to),
                    };
                    let mut moved = board.clone();
                    if moved.apply(step).is_ok() && seen.insert(moved.clone()) {
                        next.push(moved);
                    }
                }
            }
        }
        front = next;
    }
    None
}

/// All sets of lit pieces that solve a small board.
pub(crate) fn solutions(board: &Board) -> BTreeSet<Solution> {
    let mut light = Light::default();
    let mut solutions = BTreeSet::new();
    each_placement(board, &mut |placement| {
        light.trace(placement);
        if light.status(placement).is_solved() {
            solutions.insert(lit(placement));
        }
    });
    solutions
}

/// The brute-force results of a small level.
pub(crate) struct BruteForceTruth {
    pub(crate) solutions: BTreeSet<Solution>,
    pub(crate) fewest: Option<u32>,
}

pub(crate) fn truth(board: &Board) -> BruteForceTruth {
    let solutions = solutions(board);
    let is_goal = |placement: &Board| Light::of(placement).status(placement).is_solved();
    let fewest = match solutions.is_empty() {
        true => None,
        false => fewest(board, &is_goal),
    };
    BruteForceTruth { solutions, fewest }
}

/// How large a random board is, and what is on it.
pub(crate) struct RandomBoardShape {
    pub(crate) sides: (u32, u32),
    pub(crate) lasers: u32,
    pub(crate) sensors: u32,
    pub(crate) pieces: u32,
    /// Keeps at least this many free cells for pieces; what is too many becomes wall.
    pub(crate) free: u32,
}

/// A board with pieces at random, and sensors where their light is; then some or all of the
/// pieces are scattered. Most can be solved. Now and then a sensor stands anywhere, and then
/// few can.
pub(crate) fn random(dice: &mut Dice, shape: &RandomBoardShape) -> Board {
    // of some layouts the one whose light meets the most
    let layouts: Vec<Board> = (0..50).map(|_| layout(dice, shape)).collect();
    let brightness = |board: &&Board| {
        let light = Light::of(board);
        let lit = |&cell: &usize| board.tile(cell).is_free() && !light.entering(cell).is_empty();
        (0..board.cells()).filter(lit).count() + 4 * lit_pieces(board)
    };
    let mut board = layouts.iter().max_by_key(brightness).unwrap().clone();
    for _ in 0..shape.sensors {
        put_sensor(dice, &mut board);
    }
    for _ in 0..6 {
        scatter(dice, &mut board);
        if !Light::of(&board).status(&board).is_solved() {
            break;
        }
    }
    board
}

fn lit_pieces(board: &Board) -> usize {
    lit(board).pieces.len()
}

/// Lasers, pieces, empty cells and walls, each anywhere.
fn layout(dice: &mut Dice, shape: &RandomBoardShape) -> Board {
    let (width, height) = shape.sides;
    let mut board = Board::new(width, height).unwrap();
    let mut cells: Vec<usize> = (0..board.cells()).collect();
    dice.shuffle(&mut cells);
    // few kinds, so that equal pieces meet
    let kinds: Vec<Piece> = (0..3).map(|_| dice.pick(&Piece::ALL).unwrap()).collect();
    let fixed = shape.lasers + shape.sensors;
    for (number, &cell) in (0..).zip(&cells) {
        let tile = if number < shape.lasers {
            Tile::Laser(dice.pick(&Direction::ALL).unwrap())
        } else if number < shape.lasers + shape.pieces {
            Tile::Hardware(dice.pick(&kinds).unwrap())
        } else if number < fixed + shape.free.max(shape.pieces) {
            Tile::Empty
        } else {
            Tile::Wall
        };
        board.put(cell, tile);
    }
    board
}

/// Puts a sensor on an empty tile or a wall: mostly where it is lit and keeps the others lit,
/// and where no light would come without the pieces.
fn put_sensor(dice: &mut Dice, board: &mut Board) {
    let (light, bare) = (Light::of(board), Light::of(&board.without_hardware()));
    let is_plain = |&cell: &usize| matches!(board.tile(cell), Tile::Empty | Tile::Wall);
    let plain: Vec<usize> = (0..board.cells()).filter(is_plain).collect();
    let mut places: Vec<(usize, Direction)> = Vec::new();
    for &cell in &plain {
        let ways = light.entering(cell).iter();
        places.extend(ways.map(|way| (cell, way.opposite())));
    }
    dice.shuffle(&mut places);
    places.sort_by_key(|&(cell, way)| bare.entering(cell).contains(way.opposite()));
    for (cell, way) in places {
        let mut with = board.clone();
        with.put(cell, Tile::Sensor(way));
        if Light::of(&with).status(&with).is_solved() && dice.below(12) > 0 {
            *board = with;
            return;
        }
    }
    if let Some(cell) = dice.pick(&plain) {
        board.put(cell, Tile::Sensor(dice.pick(&Direction::ALL).unwrap()));
    }
}

/// Swaps the contents of free cells: of a few, or of all.
fn scatter(dice: &mut Dice, board: &mut Board) {
    let free: Vec<usize> = (0..board.cells())
        .filter(|&cell| board.tile(cell).is_free())
        .collect();
    let mut swaps = match dice.below(3) {
        0 => 1 + dice.below(3),
        _ => 4 + 4 * free.len() as u32,
    };
    while let (1.., Some(a), Some(b)) = (swaps, dice.pick(&free), dice.pick(&free)) {
        let (at_a, at_b) = (board.tile(a), board.tile(b));
        board.put(a, at_b);
        board.put(b, at_a);
        swaps -= 1;
    }
}

/// A board of at most 20 cells, small enough to try everything.
pub(crate) fn small(dice: &mut Dice) -> Board {
    let sides = (3 + dice.below(3), 2 + dice.below(3));
    let pieces = [0, 1, 2, 3, 3, 4, 4, 4, 5, 5][dice.below(10) as usize];
    let most_free = match pieces {
        0..=2 => 14,
        3 => 12,
        4 => 10,
        _ => 8,
    };
    let shape = RandomBoardShape {
        sides,
        lasers: 1 + dice.below(3),
        sensors: [0, 1, 1, 1, 2, 2, 3, 3][dice.below(8) as usize],
        pieces,
        free: most_free - dice.below(1 + most_free / 2),
    };
    random(dice, &shape)
}

/// The answers of an interrupted search must be true as well.
fn check_cut_short(board: &Board, truth: &BruteForceTruth, question: Question) {
    let answer = solve(board, question, &mut |_| true);
    let found: BTreeSet<Solution> = answer.solutions.iter().cloned().collect();
    assert!(found.is_subset(&truth.solutions), "{question:?}\n{board}");
    let can = answer.solvable;
    assert!(can.is_none_or(|can| can != truth.solutions.is_empty()));
    if answer.is_complete {
        assert_eq!(found, truth.solutions, "{question:?}\n{board}");
    }
    let Some(fewest) = truth.fewest else {
        return assert!(!answer.is_fewest, "{question:?}\n{board}");
    };
    assert!(answer.at_least <= fewest, "{question:?}\n{board}");
    let moves = answer.moves.map(|moves| moves.len() as u32);
    assert!(moves.is_none_or(|moves| moves >= fewest));
    assert!(!answer.is_fewest || moves == Some(fewest));
}

fn ask(board: &Board, aim: Aim) -> SolverAnswer {
    solve(board, Question::new(aim), &mut |_| true)
}

/// Moves that can be made one after the other, and what they lead to.
pub(crate) fn played(board: &Board, moves: &[laser::Move]) -> Board {
    let mut board = board.clone();
    for &step in moves {
        board.apply(step).unwrap();
    }
    board
}

#[test]
fn the_solver_finds_what_trying_everything_finds() {
    // boards by how many solutions they have, and by how many moves they take
    let (mut by_solutions, mut by_moves) = ([0; 3], [0; 8]);
    for number in 0..1000 {
        let board = small(&mut Dice::of_part(701, number));
        let truth = truth(&board);
        let can = !truth.solutions.is_empty();
        by_solutions[truth.solutions.len().min(2)] += 1;
        if let Some(moves) = truth.fewest {
            by_moves[moves as usize] += 1;
        }

        let all = ask(&board, Aim::All { up_to: u64::MAX });
        assert_eq!(all.solvable, Some(can), "board {number}\n{board}");
        assert!(all.is_complete, "board {number}\n{board}");
        let found: BTreeSet<Solution> = all.solutions.iter().cloned().collect();
        assert_eq!(found, truth.solutions, "board {number}\n{board}");
        assert_eq!(found.len(), all.solutions.len(), "board {number}\n{board}");

        let any = ask(&board, Aim::Any);
        assert_eq!(any.solvable, Some(can), "board {number}\n{board}");
        assert_eq!(any.solutions.len(), usize::from(can));
        assert!(any.solutions.iter().all(|one| found.contains(one)));

        let least = ask(&board, Aim::Fewest);
        assert_eq!(least.solvable, Some(can), "board {number}\n{board}");
        assert_eq!(least.is_fewest, can, "board {number}\n{board}");

        let mut dice = Dice::of_part(707, number);
        for aim in [Aim::Any, Aim::All { up_to: 2 }, Aim::Fewest] {
            let nodes = u64::from(dice.below(40));
            check_cut_short(&board, &truth, Question { aim, nodes });
        }

        // whatever was asked, moves lead to the first solution, and bounds are kept
        for answer in [all, any, least] {
            let Some(fewest) = truth.fewest else {
                assert_eq!((answer.moves, answer.is_fewest), (None, false));
                continue;
            };
            assert!(answer.at_least <= fewest, "board {number}\n{board}");
            let moves = answer.moves.unwrap();
            if answer.is_fewest {
                assert_eq!(moves.len() as u32, fewest, "board {number}\n{board}");
            }
            let end = played(&board, &moves);
            assert!(Light::of(&end).status(&end).is_solved());
            assert_eq!(lit(&end), answer.solutions[0], "board {number}\n{board}");
            assert!(found.contains(&answer.solutions[0]));
        }
    }
    assert!(by_solutions.iter().all(|&n| n > 150), "{by_solutions:?}");
    assert!(
        by_moves[0] > 50 && by_moves[3..].iter().sum::<u32>() > 5,
        "{by_moves:?}"
    );
}
