//! The pack of graded levels: each with one solution, the moves it says, and from its recipe.

use laser::Light;
use laser::generator::{Grade, generate};
use laser::level::graded;
use laser::level::pack::PackLevel;
use laser::moves;
use laser::solver::{Aim, Question, solve};
use std::collections::HashSet;

/// Proves all that the pack says of a level, and makes it again.
fn check(level: &PackLevel<'_>) {
    let PackLevel { name, board, .. } = level;
    assert!(!Light::of(board).status(board).is_solved(), "{name}");
    let question = Question::new(Aim::All { up_to: 2 });
    let answer = solve(board, question, &mut |_| true);
    assert!(answer.is_complete, "{name}");
    let [solution] = &answer.solutions[..] else {
        panic!("{name}: {} solutions", answer.solutions.len());
    };
    // with one solution, and no piece left over, its distance is the fewest
    assert_eq!(solution.pieces.len(), board.pieces().count(), "{name}");
    assert_eq!(moves::distance(board, solution), level.moves, "{name}");
    let made = generate(&level.recipe, &mut |_| true).unwrap();
    assert_eq!(made.board, *board, "{name}");
    assert_eq!(made.solution, *solution, "{name}");
    assert_eq!(made.moves, level.moves, "{name}");
}

#[test]
fn a_sample_of_the_pack_is_what_it_says() {
    for grade in Grade::ALL {
        let levels = graded().iter().filter(|level| level.grade == grade);
        levels.skip(4).step_by(12).take(2).for_each(check);
    }
}

#[test]
#[ignore = "every level of the pack, ten seconds in release mode: run by cargo xtask long"]
fn all_of_the_pack_is_what_it_says() {
    graded().iter().for_each(check);
}

#[test]
fn the_pack_has_a_hundred_levels_in_order() {
    let mut grounds = HashSet::new();
    for grade in Grade::ALL {
        let levels: Vec<_> = graded()
            .iter()
            .filter(|level| level.grade == grade)
            .collect();
        assert_eq!(levels.len(), 25, "{grade}");
        for (index, level) in levels.iter().enumerate() {
            assert_eq!(level.name, format!("{grade}-{:02}", index + 1));
            assert_eq!(level.effort().grade(), grade, "{}", level.name);
            let board = level.board.to_string();
            let ground: String = board.replace(['M', 'B', 'T'], " ");
            assert!(grounds.insert(ground), "{} is there twice", level.name);
        }
        assert!(levels.is_sorted_by_key(|level| level.effort().score()));
    }
}

#[test]
fn the_grade_of_a_level_is_measured_by_what_its_proof_takes() {
    // today's solver may need more or fewer steps than when the pack was made, but what is
    // easy must not have become harder than what is very hard
    let nodes = |name: &str| {
        let level = graded().iter().find(|level| level.name == name).unwrap();
        let question = Question::new(Aim::All { up_to: 2 });
        solve(&level.board, question, &mut |_| true).nodes
    };
    assert!(nodes("easy-05") < nodes("medium-25"));
    assert!(nodes("easy-25") < nodes("very-hard-05"));
}
