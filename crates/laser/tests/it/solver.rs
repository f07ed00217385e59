//! The solver, held against trying everything.

use laser::Board;
use laser::solver::{Aim, Question, solve};

#[test]
fn the_level_of_the_format_is_solved_as_it_stands() {
    let board: Board = "5 4\nW W SvW W\nW . . . W\nL>. M/. W\nW W W W W\n"
        .parse()
        .unwrap();
    let answer = solve(&board, Question::new(Aim::All { up_to: 10 }), &mut |_| true);
    assert_eq!(answer.solutions.len(), 1);
}
