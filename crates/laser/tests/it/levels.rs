//! The hand-made levels: each is checked against its purpose.

use laser::level::{BuiltinLevel, all, find};
use laser::solver::{Aim, Question, Solution, SolverAnswer, solve};
use laser::{Board, Direction, Directions, Light, Piece, Tile};
use std::collections::HashSet;

/// Levels to look at: there is nothing to solve.
const TO_LOOK_AT: [&str; 3] = ["empty", "walls", "tmirrors"];

/// The levels drawn by hand: all that no generator graded.
fn drawn() -> impl Iterator<Item = &'static BuiltinLevel> {
    all().iter().filter(|entry| entry.grade.is_none())
}

fn level(name: &str) -> Board {
    find(name).unwrap().board()
}

fn ask(board: &Board, aim: Aim) -> SolverAnswer {
    let question = Question {
        aim,
        nodes: 1_000_000,
    };
    solve(board, question, &mut |_| true)
}

/// The first solutions, at most a hundred.
fn solutions(name: &str) -> Vec<(Board, Light)> {
    let board = level(name);
    let answer = ask(&board, Aim::All { up_to: 100 });
    assert!(!answer.solutions.is_empty(), "{name}");
    let placed = |solution: &Solution| {
        let placed = solution.placed(&board);
        let light = Light::of(&placed);
        assert!(light.status(&placed).is_solved(), "{name}:\n{placed}");
        (placed, light)
    };
    answer.solutions.iter().map(placed).collect()
}

/// How many lasers, sensors and pieces a level has.
fn counts(board: &Board) -> [usize; 3] {
    [
        board.lasers().count(),
        board.sensors().count(),
        board.pieces().count(),
    ]
}

/// Whether light that has left some tile comes back to it the same way.
fn has_cycle(board: &Board, light: &Light) -> bool {
    let next = |(cell, heading): (usize, Direction)| {
        let exits = board.tile(cell).pass(heading);
        let heads = exits
            .iter()
            .filter_map(|exit| Some((board.beside(cell, exit)?, exit)))
            .collect::<Vec<_>>();
        heads.into_iter()
    };
    let heads = (0..board.cells()).flat_map(|cell| {
        light
            .entering(cell)
            .iter()
            .map(move |way| (cell, way))
            .collect::<Vec<_>>()
    });
    heads.into_iter().any(|head| {
        let mut seen = HashSet::new();
        let mut newest: Vec<_> = next(head).collect();
        while let Some(other) = newest.pop() {
            if other == head {
                return true;
            }
            if seen.insert(other) {
                newest.extend(next(other));
            }
        }
        false
    })
}

#[test]
fn every_level_is_a_puzzle_or_there_to_look_at() {
    let to_look_at = drawn().filter(|entry| entry.fewest.is_none());
    let names: Vec<_> = to_look_at.map(|entry| entry.name).collect();
    assert_eq!(names, TO_LOOK_AT);
    for name in TO_LOOK_AT {
        let board = level(name);
        assert_eq!(board.sensors().count(), 0, "{name}");
        assert_eq!(ask(&board, Aim::Any).solvable, Some(false), "{name}");
    }
}

#[test]
fn puzzles_are_not_solved_but_can_be_in_so_many_moves() {
    for entry in drawn() {
        let Some(fewest) = entry.fewest else { continue };
        let (name, mut board) = (entry.name, entry.board());
        assert!(!Light::of(&board).status(&board).is_solved(), "{name}");
        let answer = ask(&board, Aim::Fewest);
        assert!(answer.is_fewest, "{name}");
        let route = answer.moves.unwrap();
        assert_eq!(route.len() as u32, fewest, "{name}");
        for step in route {
            board.apply(step).unwrap();
        }
        assert!(Light::of(&board).status(&board).is_solved(), "{name}");
    }
}

#[test]
fn empty_and_walls_hold_what_their_names_say() {
    assert!(level("empty").tiles().all(|tile| tile == Tile::Empty));
    let walls = level("walls");
    assert!(
        walls
            .tiles()
            .all(|tile| matches!(tile, Tile::Empty | Tile::Wall))
    );
    assert!(walls.tiles().any(|tile| tile == Tile::Wall));
}

#[test]
fn simple_levels_have_one_piece_and_need_it_or_want_it_gone() {
    for (name, sensors, lit_pieces) in [
        ("simple-laser", 1, 0),
        ("simple-mirror", 1, 1),
        ("simple-splitter", 2, 1),
        ("simple-tmirror", 2, 1),
    ] {
        let board = level(name);
        assert_eq!(counts(&board), [1, sensors, 1], "{name}");
        let kind = board.pieces().next().unwrap().1;
        let is_right = match name {
            "simple-splitter" => Piece::ALL[2..4].contains(&kind),
            "simple-tmirror" => Piece::ALL[4..].contains(&kind),
            _ => Piece::ALL[..2].contains(&kind),
        };
        assert!(is_right, "{name}");
        for (placed, _) in solutions(name) {
            assert_eq!(placed.pieces().count(), lit_pieces, "{name}");
        }
    }
}

#[test]
fn many_lasers_mirrors_and_sensors_are_many() {
    assert_eq!(counts(&level("many-lasers")), [4, 4, 4]);
    let [_, sensors, _] = counts(&level("sensors"));
    assert_eq!(sensors, 8);
    // each mirror of the long way is lit, and there is no other way
    let mirrors = level("mirrors");
    assert!(
        mirrors
            .pieces()
            .all(|(_, piece)| Piece::ALL[..2].contains(&piece))
    );
    let [(placed, _)] = &solutions("mirrors")[..] else {
        panic!("one way")
    };
    assert_eq!(placed.stock(), mirrors.stock());
    let places = |board: &Board| board.pieces().map(|(cell, _)| cell).collect::<Vec<_>>();
    assert_eq!(places(placed), places(&mirrors));
}

#[test]
fn splitters_and_cycle_have_light_that_comes_round() {
    let splitters = level("splitters");
    assert!(
        splitters
            .pieces()
            .all(|(_, piece)| Piece::ALL[2..4].contains(&piece))
    );
    assert_eq!(counts(&splitters), [1, 11, 9]);
    let is_round = |(placed, light): &(Board, Light)| has_cycle(placed, light);
    let mut nearest = splitters.clone();
    for step in ask(&splitters, Aim::Fewest).moves.unwrap() {
        nearest.apply(step).unwrap();
    }
    let light = Light::of(&nearest);
    assert!(is_round(&(nearest, light)));
    assert!(matches!(&solutions("cycle")[..], [one] if is_round(one)));
    // and a level with the same pieces need not have it
    assert!(!solutions("example").iter().any(is_round));
}

#[test]
fn t_mirrors_are_lit_from_all_sides() {
    let board = level("tmirrors");
    let light = Light::of(&board);
    let lit: Vec<Piece> = board
        .pieces()
        .filter(|&(cell, _)| light.entering(cell) == Directions::ALL)
        .map(|(_, piece)| piece)
        .collect();
    for piece in &Piece::ALL[4..] {
        assert!(lit.contains(piece), "{piece}");
    }
}

#[test]
fn the_shared_mirror_turns_light_on_both_sides() {
    // light that falls on one side of a mirror travels two ways, and these of the other side
    let sides = [
        (Piece::MirrorFalling, [Direction::East, Direction::North]),
        (Piece::MirrorRising, [Direction::East, Direction::South]),
    ];
    let is_shared = |(placed, light): &(Board, Light)| {
        placed.pieces().any(|(cell, piece)| {
            let Some((_, one)) = sides.iter().find(|(mirror, _)| *mirror == piece) else {
                return false;
            };
            let one: Directions = one.iter().copied().collect();
            let entering = light.entering(cell);
            let other = entering.without(one);
            !other.is_empty() && other != entering
        })
    };
    assert_eq!(counts(&level("shared-mirror"))[..2], [2, 2]);
    assert!(solutions("shared-mirror").iter().all(is_shared));
}

#[test]
fn the_example_uses_every_kind_of_piece() {
    let example = level("example");
    assert_eq!(example.stock(), [1; Piece::COUNT]);
    for (placed, _) in solutions("example") {
        assert_eq!(placed.stock(), [1; Piece::COUNT]);
    }
}

#[test]
fn one_beam_is_split_in_three() {
    let board = level("threeway");
    let [lasers, sensors, _] = counts(&board);
    assert_eq!((lasers, sensors), (1, 3));
    for (placed, _) in solutions("threeway") {
        let splits = placed.pieces().filter(|(_, piece)| {
            let is_double = |way: Direction| piece.pass(way).len() == 2;
            Direction::ALL.into_iter().any(is_double)
        });
        assert!(splits.count() >= 2, "\n{placed}");
    }
}

#[test]
fn the_hard_one_has_one_solution_and_every_piece_is_elsewhere() {
    let hard = level("hard");
    let [(placed, _)] = &solutions("hard")[..] else {
        panic!("one solution")
    };
    assert_eq!(placed.stock(), hard.stock());
    let is_placed = |(cell, piece)| placed.tile(cell) == Tile::Hardware(piece);
    assert!(!hard.pieces().any(is_placed));
}
