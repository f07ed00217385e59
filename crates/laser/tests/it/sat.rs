//! The second opinion: a solver of formulas and the search agree, board by board.

use crate::brute::{Shape, random, small, truth};
use dice::Dice;
use laser::Board;
use laser::solver::{Aim, Question, sat, solve};
use std::collections::BTreeSet;

#[test]
fn the_formula_says_what_trying_everything_says() {
    for number in 0..250 {
        let board = small(&mut Dice::of_part(704, number));
        let truth = truth(&board);
        let count = sat::count(&board, usize::MAX);
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
    let count = sat::count(&board, 10);
    assert_eq!((count.solutions.len(), count.is_complete), (0, true));
    // and with light from below it goes round and out
    let fed = ring.replace("W W W W W W W\nW . .", "W . W W W W W\nW L^.");
    let board: Board = fed.parse().unwrap();
    let count = sat::count(&board, 1000);
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

#[test]
fn the_formula_and_the_search_agree() {
    // how many cannot be solved, have one solution, have some, have more than were asked for
    let mut verdicts = [0; 4];
    for number in 0..200 {
        let mut dice = Dice::of_part(705, number);
        let sides = (6 + dice.below(5), 6 + dice.below(5));
        let cells = sides.0 * sides.1;
        let shape = Shape {
            sides,
            lasers: 1 + dice.below(2),
            sensors: 1 + dice.below(4),
            pieces: 3 + dice.below(4),
            free: cells * 3 / 5 + dice.below(cells * 3 / 10),
        };
        let board = random(&mut dice, &shape);
        let count = sat::count(&board, MOST);
        let question = Question::new(Aim::All { up_to: MOST as u64 });
        let answer = solve(&board, question, &mut |_| true);
        assert_eq!(
            answer.solvable,
            Some(!count.solutions.is_empty()),
            "board {number}\n{board}"
        );
        let is_all = count.is_complete && answer.is_complete;
        if is_all {
            assert_eq!(
                count.solutions,
                sorted(answer.solutions),
                "board {number}\n{board}"
            );
        } else {
            // whoever found as many as were asked for may not have looked for another
            assert_eq!(answer.solutions.len(), MOST, "board {number}\n{board}");
            assert_eq!(count.solutions.len(), MOST, "board {number}\n{board}");
        }
        verdicts[match count.solutions.len() {
            0 => 0,
            1 => 1,
            2..MOST => 2,
            _ => 3,
        }] += 1;
    }
    assert!(verdicts.iter().all(|&n| n >= 10), "{verdicts:?}");
}
