//! Compares the SAT solver with the search, board by board.

use crate::brute_force::{RandomBoardShape, random, small, truth};
use crate::formula;
use dice::Dice;
use laser::Board;
use laser::level::graded;
use laser::level::pack::PackLevel;
use laser::moves::distance;
use laser::solver::{Aim, Question, solve};
use std::collections::BTreeSet;

#[test]
fn the_formula_says_what_trying_everything_says() {
    for number in 0..250 {
        let board = small(&mut Dice::of_part(704, number));
        let truth = truth(&board);
        let count = formula::count(&board, usize::MAX);
        assert!(count.is_complete);
        let found: BTreeSet<_> = count.solutions.iter().cloned().collect();
        assert_eq!(found.len(), count.solutions.len());
        assert_eq!(found, truth.solutions, "board {number}\n{board}");
    }
}

/// Four splitters on a ring feed each other for ever, once light is there. Without a laser
/// behind it, it is not there.
#[test]
fn light_does_not_feed_itself() {
    let ring = "7 6\n\
                W W W W W W W\n\
                W B/. B\\. S<W\n\
                W . W . W W W\n\
                W B\\. B/. . W\n\
                W W W W W W W\n\
                W . . . . L>W\n";
    let board: Board = ring.parse().unwrap();
    let count = formula::count(&board, 10);
    assert_eq!((count.solutions.len(), count.is_complete), (0, true));
    // and with light from below it goes round and out
    let fed = ring.replace("W W W W W W W\nW . .", "W . W W W W W\nW L^.");
    let board: Board = fed.parse().unwrap();
    let count = formula::count(&board, 1000);
    let answer = solve(&board, Question::new(Aim::All { up_to: 1000 }), &mut |_| {
        true
    });
    assert!(count.is_complete && !count.solutions.is_empty());
    assert_eq!(count.solutions, sorted(answer.solutions));
}

fn sorted<T: Ord>(mut all: Vec<T>) -> Vec<T> {
    all.sort();
    all
}

/// Enough to tell most levels apart.
const MOST: usize = 40;

/// How many solutions there are, and the fewest moves to any of them, agree. Gives how many
/// were found.
fn check(board: &Board, number: u64) -> usize {
    let count = formula::count(board, MOST);
    let ask = |aim| solve(board, Question::new(aim), &mut |_| true);
    let answer = ask(Aim::All { up_to: MOST as u64 });
    let is_solvable = !count.solutions.is_empty();
    assert_eq!(
        answer.solvable,
        Some(is_solvable),
        "board {number}\n{board}"
    );
    if !count.is_complete || !answer.is_complete {
        // a search that found the requested number may not have looked for more
        assert_eq!(answer.solutions.len(), MOST, "board {number}\n{board}");
        assert_eq!(count.solutions.len(), MOST, "board {number}\n{board}");
        return MOST;
    }
    let found = count.solutions.len();
    assert_eq!(
        count.solutions,
        sorted(answer.solutions),
        "board {number}\n{board}"
    );
    let least = ask(Aim::Fewest);
    let moves = least.moves.map(|moves| moves.len() as u32);
    let distances = count.solutions.iter().map(|one| distance(board, one));
    assert_eq!(moves, distances.min(), "board {number}\n{board}");
    assert_eq!(least.is_fewest, is_solvable, "board {number}\n{board}");
    found
}

/// Boards of some kind, and how many of them cannot be solved, have one solution, have
/// some, or have more than are asked for.
fn check_all(
    boards: u64,
    seed: u64,
    shape: impl Fn(&mut Dice, u32) -> (u32, u32, u32),
) -> [u32; 4] {
    let mut verdicts = [0; 4];
    for number in 0..boards {
        let mut dice = Dice::of_part(seed, number);
        let sides = (6 + dice.below(5), 6 + dice.below(5));
        let (lasers, pieces, free) = shape(&mut dice, sides.0 * sides.1);
        let shape = RandomBoardShape {
            sides,
            lasers,
            sensors: 1 + dice.below(4),
            pieces,
            free,
        };
        let board = random(&mut dice, &shape);
        verdicts[match check(&board, number) {
            0 => 0,
            1 => 1,
            MOST => 3,
            _ => 2,
        }] += 1;
    }
    verdicts
}

#[test]
fn the_formula_and_the_search_agree() {
    let verdicts = check_all(200, 705, |dice, cells| {
        let free = cells * 3 / 5 + dice.below(cells * 3 / 10);
        (1 + dice.below(2), 3 + dice.below(4), free)
    });
    assert!(verdicts.iter().all(|&n| n >= 10), "{verdicts:?}");
}

/// Where there are hardly more places than pieces, and light has to leave some dark.
#[test]
fn they_agree_where_pieces_have_little_room() {
    let verdicts = check_all(100, 706, |dice, _| {
        let pieces = 6 + dice.below(5);
        (2 + dice.below(3), pieces, pieces + dice.below(4))
    });
    assert!(verdicts[..3].iter().all(|&n| n >= 10), "{verdicts:?}");
}

/// The formula proves a level of the pack by itself.
fn check_proof(level: &PackLevel<'_>) {
    let name = level.name;
    let count = formula::count(&level.board, 2);
    assert!(count.is_complete, "{name}");
    let [solution] = &count.solutions[..] else {
        panic!("{name}: {} solutions", count.solutions.len());
    };
    assert_eq!(distance(&level.board, solution), level.moves, "{name}");
}

#[test]
fn the_formula_knows_no_other_solution_of_a_sample_of_the_pack() {
    graded().iter().skip(1).step_by(5).for_each(check_proof);
}

#[test]
#[ignore = "every level of the pack, ten seconds: run by cargo xtask long"]
fn the_formula_knows_no_other_solution_of_all_of_the_pack() {
    graded().iter().for_each(check_proof);
}
