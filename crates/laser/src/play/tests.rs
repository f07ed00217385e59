use super::*;
use crate::solver::{Aim, Question, solve};

/// A splitter stands where it should, and two mirrors have to come to its two beams.
const LEVEL: &str = r"6 5
    W W W W SvW
    L>. B\. . W
    W . . . . W
    W M\M/. . S<
    W W W W W W";

fn play() -> Play {
    Play::new("three", LEVEL.parse().unwrap())
}

fn send(play: &mut Play, text: &str) -> String {
    match play.apply(&text.parse().unwrap()) {
        Ok(outcome) => outcome.to_string(),
        Err(error) => error.to_string(),
    }
}

/// Does what a front end does while it is idle.
fn think(play: &mut Play) -> Option<Result<LaserOutcome, LaserPlayError>> {
    let board = play.board_to_solve()?.clone();
    let answer = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    play.record_answer(&board, &answer)
}

#[test]
fn a_person_is_told_what_was_done() {
    let mut play = play();
    for (command, told, moves) in [
        ("undo", "there is no move to take back", 0),
        ("redo", "there is no move to make again", 0),
        ("0,1", "at 0,1 is a laser, which cannot be moved", 0),
        ("9,9", "there is no cell 9,9 on the board", 0),
        ("1,3", r"M\ at 1,3 is in hand", 0),
        ("1,3", "nothing is in hand", 0),
        ("1,3", r"M\ at 1,3 is in hand", 0),
        ("0,0", "at 0,0 is a wall, which stays where it is", 0),
        ("4,2", r"moved M\ from 1,3 to 4,2", 1),
        ("4,2 2,1", r"swapped M\ at 4,2 with B\ at 2,1", 2),
        ("undo", r"undone: swapped M\ at 4,2 with B\ at 2,1", 1),
        ("undo", r"undone: moved M\ from 1,3 to 4,2", 0),
        ("redo", r"redone: moved M\ from 1,3 to 4,2", 1),
        ("redo", r"redone: swapped M\ at 4,2 with B\ at 2,1", 2),
        ("restart", "back at the start, 2 moves taken back", 0),
        ("redo", r"redone: moved M\ from 1,3 to 4,2", 1),
        ("move 4,2 4,2", "from 4,2 to itself is no move", 1),
        ("move 4,2 4,1", r"moved M\ from 4,2 to 4,1", 2),
        ("redo", "there is no move to make again", 2),
    ] {
        assert_eq!(send(&mut play, command), told);
        assert_eq!(play.moves(), moves, "{command}");
        assert_eq!(*play.light(), Light::of(play.board()), "{command}");
    }
}

#[test]
fn what_was_in_hand_stays_there_until_it_is_put_down() {
    let mut play = play();
    send(&mut play, "1,3");
    send(&mut play, "0,0");
    assert_eq!(play.selected(), Some(Point::new(1, 3)));
    send(&mut play, "deselect");
    assert_eq!(play.selected(), None);
}

#[test]
fn hints_lead_to_the_end_and_the_solver_is_asked_once() {
    let mut play = play();
    assert_eq!(send(&mut play, "hint"), "looking for a way");
    assert!(play.is_waiting());
    let told = think(&mut play).unwrap().unwrap();
    let fewest = play.fewest().proven().unwrap();
    assert!(
        matches!(told, LaserOutcome::Hint(_, left) if left == fewest),
        "{told}"
    );
    while !play.is_solved() {
        // known already, also after going back
        assert!(play.board_to_solve().is_none());
        let told = play.apply(&LaserCommand::Hint).unwrap();
        let left = fewest - play.moves();
        assert!(
            matches!(told, LaserOutcome::Hint(_, found) if found == left),
            "{told}"
        );
        let hint = play.hint().unwrap();
        send(&mut play, &format!("move {hint}"));
        send(&mut play, "undo");
        send(&mut play, "hint");
        assert_eq!(play.hint(), Some(hint));
        send(&mut play, "redo");
    }
    assert_eq!(play.moves(), fewest);
    assert_eq!(play.best(), Some(fewest));
    assert_eq!(send(&mut play, "hint"), "the level is solved");
    // who goes on may
    send(&mut play, "undo");
    assert!(!play.is_solved());
    assert_eq!(play.best(), Some(fewest));
}

#[test]
fn a_hint_away_from_the_way_is_asked_for_anew() {
    let mut play = play();
    think(&mut play);
    let fewest = play.fewest().proven().unwrap();
    send(&mut play, "move 2,1 1,1");
    send(&mut play, "solution");
    let asked = play.board_to_solve().unwrap();
    assert_eq!(asked, play.board());
    let told = think(&mut play).unwrap().unwrap();
    let LaserOutcome::Solution(moves) = told else {
        panic!("{told}")
    };
    assert!(moves.len() as u32 + 1 >= fewest);
    for moved in moves {
        send(&mut play, &format!("move {}", moved.step));
    }
    assert!(play.is_solved());
    // the level's own number is as it was
    assert_eq!(play.fewest().proven(), Some(fewest));
}

#[test]
fn whoever_moves_on_no_longer_waits() {
    let mut play = play();
    send(&mut play, "hint");
    let asked = play.board_to_solve().unwrap().clone();
    send(&mut play, "move 1,3 4,2");
    assert!(!play.is_waiting());
    let answer = solve(&asked, Question::new(Aim::Fewest), &mut |_| true);
    assert_eq!(play.record_answer(&asked, &answer), None);
    assert!(play.fewest().proven().is_some());
}

#[test]
fn what_cannot_be_solved_says_so() {
    for (level, told, hint) in [
        (
            "2 1\nL>M/",
            "the level has no sensor, so nothing solves it",
            None,
        ),
        (
            "3 1\nL<M/S<",
            "looking for a way",
            Some(LaserPlayError::Unsolvable),
        ),
        ("3 1\nL>. S<", "the level is solved", None),
    ] {
        let mut play = Play::new("", level.parse().unwrap());
        assert_eq!(send(&mut play, "hint"), told);
        let learned = play.is_waiting().then(|| think(&mut play)).flatten();
        assert_eq!(learned.and_then(Result::err), hint, "{level}");
        while play.board_to_solve().is_some() {
            think(&mut play);
        }
        assert_eq!(play.is_solved(), play.is_solvable() == Some(true));
        if play.is_solved() {
            assert_eq!(play.fewest().proven(), Some(0));
        }
    }
}

#[test]
fn an_answer_that_was_cut_short_is_not_asked_for_again() {
    let mut play = play();
    send(&mut play, "hint");
    let answer = SolverAnswer {
        at_least: 1,
        ..SolverAnswer::default()
    };
    let board = play.board().clone();
    assert_eq!(
        play.record_answer(&board, &answer),
        Some(Err(LaserPlayError::NotKnown))
    );
    assert_eq!(play.board_to_solve(), None);
    assert_eq!(play.fewest().to_string(), "at least 1");
    assert_eq!(
        send(&mut play, "hint"),
        "no way was found in the time given"
    );
}

#[test]
fn a_number_known_before_needs_no_solver() {
    let play = play().with_fewest(2);
    assert_eq!(play.board_to_solve(), None);
    assert_eq!(play.fewest().to_string(), "2");
}

#[test]
fn the_best_of_several_ways_counts() {
    let short = ["2,3 4,1", "1,3 2,3"];
    let long = ["2,3 4,2", "4,2 4,1", "1,3 2,3"];
    for ways in [[&short[..], &long[..]], [&long[..], &short[..]]] {
        let mut play = play();
        for way in ways {
            send(&mut play, "restart");
            for step in way {
                send(&mut play, step);
            }
            assert!(play.is_solved());
        }
        assert_eq!(play.best(), Some(2));
        assert_eq!(play.fewest().at_most, Some(2));
    }
}

#[test]
fn what_cannot_be_solved_is_not_asked_for_from_anywhere() {
    let mut play = Play::new("", "4 1\nL<M/. S<".parse().unwrap());
    send(&mut play, "move 1,0 2,0");
    send(&mut play, "hint");
    assert_eq!(think(&mut play), Some(Err(LaserPlayError::Unsolvable)));
    assert_eq!(play.board_to_solve(), None);
}

#[test]
fn a_way_that_may_not_be_the_shortest_proves_nothing() {
    let mut play = play();
    let way = ["2,3 4,2", "4,2 4,1", "1,3 2,3"];
    let moves = way.map(|step| match format!("move {step}").parse() {
        Ok(LaserCommand::Move(step)) => step,
        other => panic!("{other:?}"),
    });
    let answer = SolverAnswer {
        solvable: Some(true),
        at_least: 1,
        moves: Some(moves.to_vec()),
        ..SolverAnswer::default()
    };
    let start = play.start().clone();
    assert_eq!(play.record_answer(&start, &answer), None);
    assert_eq!(play.fewest().proven(), None);
    assert_eq!(play.fewest().to_string(), "at least 1");
    assert_eq!(
        send(&mut play, "solution"),
        r"M/ from 2,3 to 4,2; M/ from 4,2 to 4,1; M\ from 1,3 to 2,3"
    );
}

#[test]
fn tiles_have_names_of_their_own() {
    let names: Vec<String> = Tile::ALL.into_iter().map(describe_tile).collect();
    for (index, one) in names.iter().enumerate() {
        assert!(!one.is_empty());
        assert!(!names[index + 1..].contains(one), "{one}");
    }
    assert_eq!(names[4], "Lv laser pointing south");
    assert_eq!(names[11], "M/ mirror rising");
    assert_eq!(names[17], "T< T-mirror pointing west");
}
