//! The solver, compared with a naive search that traces the light and tries everything.

use crate::naive_search;
use dice::Dice;
use laser::moves::distance;
use laser::solver::{Aim, Question, Solution, SolverAnswer, solve};
use laser::{Board, Direction, Light, Piece, Tile};

fn all(board: &Board) -> SolverAnswer {
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
    let most = if board.cells() <= 16 { 7 } else { 5 };
    let pieces = dice.below(most) as usize;
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
    let (mut solved, mut crowded) = (0, 0);
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
            let mut dice = Dice::of_part(seed() + part as u64, number);
            let board = random(&mut dice, kinds);
            let Some(expected) = naive_search::solutions(&board, 200_000) else {
                continue;
            };
            let answer = all(&board);
            same(&answer.solutions, &expected, &board);
            assert!(answer.is_complete);
            assert_eq!(answer.solvable, Some(!expected.is_empty()));
            solved += u32::from(!expected.is_empty());
            crowded += u32::from(board.tiles().all(|tile| tile != Tile::Empty));
        }
    }
    assert!(u64::from(solved) > rounds(), "{solved} can be solved");
    assert!(crowded > 0, "none without an empty tile");
}

/// Says what is missing and what is too much, and not all there is.
fn same(found: &[Solution], expected: &[Solution], board: &Board) {
    let lost = expected.iter().find(|one| !found.contains(one));
    let wrong = found.iter().find(|one| !expected.contains(one));
    assert_eq!((lost, wrong), (None, None), "lost and wrong\n{board}");
    assert_eq!(found.len(), expected.len(), "none twice\n{board}");
}

/// `LASER_SEED` and `LASER_ROUNDS` make it look further.
fn seed() -> u64 {
    std::env::var("LASER_SEED").map_or(7, |seed| seed.parse().unwrap())
}

fn rounds() -> u64 {
    std::env::var("LASER_ROUNDS").map_or(200, |rounds| rounds.parse().unwrap())
}

/// Answers of a search that ends early are true.
fn check(board: &Board, aim: Aim, answer: &SolverAnswer, truth: &[Solution]) {
    let fewest = truth.iter().map(|solution| distance(board, solution)).min();
    let is_known = |solution| truth.binary_search(solution).is_ok();
    assert!(answer.solutions.iter().all(is_known), "{aim:?}\n{board}");
    if let Some(solvable) = answer.solvable {
        assert_eq!(solvable, !truth.is_empty(), "{aim:?}\n{board}");
    }
    if answer.is_complete {
        assert_eq!(answer.solutions, truth, "{aim:?}\n{board}");
    }
    if let Some(fewest) = fewest {
        assert!(answer.at_least <= fewest, "{aim:?}\n{board}");
    }
    let moves = answer.moves.as_ref().map(|moves| moves.len() as u32);
    let first = answer.solutions.first();
    assert_eq!(moves, first.map(|solution| distance(board, solution)));
    if answer.is_fewest {
        assert_eq!(moves, fewest, "{aim:?}\n{board}");
    }
}

#[test]
fn a_search_cut_short_says_nothing_wrong() {
    let mut cut = 0;
    for number in 0..150 {
        let mut dice = Dice::of_part(17, number);
        let board = random(&mut dice, &Piece::ALL);
        let Some(truth) = naive_search::solutions(&board, 50_000).filter(|truth| truth.len() < 200)
        else {
            continue;
        };
        for aim in [
            Aim::Any,
            Aim::All { up_to: 1 },
            Aim::All { up_to: 2 },
            Aim::All { up_to: u64::MAX },
            Aim::Fewest,
        ] {
            let mut nodes = 0;
            loop {
                let answer = solve(&board, Question { aim, nodes }, &mut |_| true);
                assert!(answer.nodes <= nodes);
                check(&board, aim, &answer, &truth);
                if answer.nodes < nodes {
                    // it came to its end by itself
                    assert!(answer.solvable.is_some());
                    let is_all = matches!(aim, Aim::All { up_to } if up_to > truth.len() as u64);
                    assert!(answer.is_complete || !is_all, "{aim:?}\n{board}");
                    assert!(answer.is_fewest || aim != Aim::Fewest || truth.is_empty());
                    break;
                }
                cut += 1;
                nodes += 1 + nodes / 4;
            }
        }
    }
    assert!(cut > 500, "{cut} were cut short");
}

/// Eight mirrors, two sensors and no walls: it takes long to find all there is.
fn wide() -> Board {
    let mut board = Board::new(20, 20).unwrap();
    board.put(5, Tile::Laser(Direction::South));
    board.put(14, Tile::Laser(Direction::South));
    board.put(9 * 20, Tile::Sensor(Direction::East));
    board.put(12 * 20 + 19, Tile::Sensor(Direction::West));
    for cell in 0..8 {
        let piece = [Piece::MirrorFalling, Piece::MirrorRising][cell % 2];
        board.put(385 + cell, Tile::Hardware(piece));
    }
    board
}

#[test]
fn it_asks_whether_to_go_on_and_stops() {
    let mut reports = Vec::new();
    let question = Question::new(Aim::All { up_to: u64::MAX });
    let answer = solve(&wide(), question, &mut |progress| {
        reports.push(progress);
        reports.len() < 5
    });
    assert_eq!(reports.len(), 5);
    assert!(reports.is_sorted_by(|a, b| a.nodes < b.nodes && a.solutions <= b.solutions));
    assert!(!answer.is_complete);
    assert!(answer.nodes >= reports[4].nodes);
    assert!(answer.nodes - reports[4].nodes < 10_000);
}

#[test]
fn any_and_the_fewest_are_quick_where_there_are_many() {
    let board = wide();
    let any = solve(&board, Question::new(Aim::Any), &mut |_| true);
    assert!(any.nodes < 100, "{} nodes", any.nodes);
    let fewest = solve(&board, Question::new(Aim::Fewest), &mut |_| true);
    assert!(fewest.is_fewest);
    assert!(fewest.nodes < 10_000, "{} nodes", fewest.nodes);
    assert_eq!(fewest.moves.map(|moves| moves.len()), Some(2));
}

#[test]
fn the_largest_boards_are_no_trouble() {
    let mut board = Board::new(4096, 4096).unwrap();
    assert_eq!(all(&board).solvable, Some(false));
    let last = board.cells() - 1;
    board.put(0, Tile::Laser(Direction::South));
    board.put(last, Tile::Sensor(Direction::West));
    board.put(77, Tile::Hardware(Piece::MirrorFalling));
    let answer = all(&board);
    let corner = 4095 * 4096;
    let pieces = vec![(corner, Piece::MirrorFalling)];
    assert_eq!(answer.solutions, [Solution { pieces }]);
    assert!(answer.is_complete);
}

/// Levels in which one rule or another sees at once that there is no solution: without
/// trying anything. What the rule leaves out is tried by the plain search.
#[test]
fn what_cannot_be_is_seen_without_trying() {
    for (rule, level) in [
        // the sensor is two turns away
        ("reach", "4 4\nM/. . S<\n. . . .\n. . . .\nL>. . W\n"),
        ("reach", "5 3\nL>. . . W\n. M\\. . .\nS>. . . W\n"),
        // no kind turns light that way
        ("kinds", "3 3\nL>. M/\n. . .\n. . S^\n"),
        // one beam, two sensors, and nothing that splits
        ("beams", "4 4\nL>M\\. .\n. M\\. .\n. M/. .\nS^. S^W\n"),
        // a T splits once: three sensors are too many
        (
            "beams",
            "5 4\nL>Tv. . M\\\nS>M\\. . S<\n. M/. . .\nW . S^. W\n",
        ),
        // two sensors in two rows want a piece each
        ("cover", "4 4\nLvW LvW\n. . . S<\n. M\\. S<\n. . . .\n"),
        // two pieces for two sensors, but both want the same kind
        ("cover", "4 4\nLvW LvW\n. . . S<\n. M\\. S<\n. M/. .\n"),
    ] {
        let board: Board = level.parse().unwrap();
        assert_eq!(
            naive_search::solutions(&board, 1 << 24),
            Some(Vec::new()),
            "{rule}\n{level}"
        );
        let answer = all(&board);
        assert_eq!(answer.solvable, Some(false), "{rule}\n{level}");
        assert_eq!(answer.nodes, 0, "{rule}\n{level}");
    }
}

/// Each bound once cut too much where light meets the same mirror on both sides, paying it
/// twice.
#[test]
fn a_mirror_used_on_both_sides_is_paid_once() {
    let level = "6 6
        . . . M\\M\\M/
        . . . W . .
        . . . . . .
        M\\. . W . .
        . . . . . L<
        . S^. . . .\n";
    let board: Board = level.parse().unwrap();
    let answer = all(&board);
    assert_eq!(
        Some(&answer.solutions),
        naive_search::solutions(&board, 1 << 20).as_ref()
    );
    let meets_twice = |solution: &Solution| solution.pieces.len() == 4;
    assert_eq!(
        answer
            .solutions
            .iter()
            .filter(|one| meets_twice(one))
            .count(),
        4
    );
}

/// Once found two solutions twice: pieces on a cycle asked each other for light, and it was
/// taken for granted that it came.
#[test]
fn light_that_must_come_does_come() {
    let level = "3 5\nB/. S<\nB/. M\\\n. . .\nL^T>T<\n. TvL^\n";
    let board: Board = level.parse().unwrap();
    let expected = naive_search::solutions(&board, 1 << 20).unwrap();
    same(&all(&board).solutions, &expected, &board);
}

/// Light that splits can come back to a piece against the way in which it left: two of 230
/// solutions are lost where the bound counts on mirrors that never do that.
#[test]
fn light_that_splits_comes_back_against_itself() {
    let level = "3 4\n. T>M/\nS^. .\nB\\B\\B\\\nL>TvB\\\n";
    let board: Board = level.parse().unwrap();
    let expected = naive_search::solutions(&board, 1 << 20).unwrap();
    assert_eq!(expected.len(), 230);
    same(&all(&board).solutions, &expected, &board);
}
