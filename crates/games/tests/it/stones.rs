//! Stones against a naive reference.

use games::conformance::{self, ConformanceOptions, NaiveGame};
use games::stones::{
    Children, SIDE, Stones, StonesBoard, StonesPoint, StonesPointSet, StonesPosition, count, each,
    has, point,
};
use games::{AnyGame, DiagramMark, Dice, Game, JointMove, MoveError, Outcome, Seat, Turn};

/// The rules again, point by point.
struct NaiveStones;

const NEXT_TO: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// All marks by column and row.
type StonesMarkGrid = [[DiagramMark; SIDE as usize]; SIDE as usize];

fn marks(state: &StonesPosition) -> StonesMarkGrid {
    std::array::from_fn(|column| {
        std::array::from_fn(|row| state.mark(point(column as u32, row as u32)))
    })
}

fn neighbours(marks: &StonesMarkGrid, column: usize, row: usize, mark: DiagramMark) -> usize {
    let at = |dx: i32, dy: i32| {
        let (x, y) = (column as i32 + dx, row as i32 + dy);
        let sides = 0..SIDE as i32;
        (sides.contains(&x) && sides.contains(&y)).then(|| marks[x as usize][y as usize])
    };
    NEXT_TO
        .iter()
        .filter(|&&(dx, dy)| at(dx, dy) == Some(mark))
        .count()
}

fn tick(before: &StonesMarkGrid) -> StonesMarkGrid {
    let mut after = *before;
    for column in 0..SIDE as usize {
        for row in 0..SIDE as usize {
            let b = neighbours(before, column, row, DiagramMark::First);
            let w = neighbours(before, column, row, DiagramMark::Second);
            after[column][row] = match before[column][row] {
                DiagramMark::Empty if b + w != 3 => DiagramMark::Empty,
                DiagramMark::Empty if b > w => DiagramMark::First,
                DiagramMark::Empty => DiagramMark::Second,
                _ if b + w < 2 || b + w > 3 => DiagramMark::Empty,
                _ if w > b => DiagramMark::Second,
                _ if b > w => DiagramMark::First,
                kept => kept,
            };
        }
    }
    after
}

fn board(marks: &StonesMarkGrid) -> StonesBoard {
    let mut board = StonesBoard::default();
    for (column, marks) in marks.iter().enumerate() {
        for (row, mark) in marks.iter().enumerate() {
            match mark {
                DiagramMark::Empty => {}
                DiagramMark::First => board.put(Seat::First, point(column as u32, row as u32)),
                DiagramMark::Second => board.put(Seat::Second, point(column as u32, row as u32)),
            }
        }
    }
    board
}

fn naive_moves(game: &Stones, state: &StonesPosition) -> Vec<StonesPoint> {
    let marks = marks(state);
    let mut moves = Vec::new();
    for column in 0..SIDE as usize {
        for row in 0..SIDE as usize {
            let is_beside = neighbours(&marks, column, row, DiagramMark::Empty)
                < NEXT_TO.len() - beyond(column) * 3 - beyond(row) * 3
                    + beyond(column) * beyond(row);
            if marks[column][row] == DiagramMark::Empty && (is_beside || !game.adjacency) {
                moves.push(point(column as u32, row as u32));
            }
        }
    }
    moves
}

/// 1 at the edge, where three neighbours lie beyond the board.
fn beyond(line: usize) -> usize {
    usize::from(line == 0 || line == SIDE as usize - 1)
}

impl NaiveGame<Stones> for NaiveStones {
    fn turn(&self, game: &Stones, state: &StonesPosition) -> Turn {
        let marks = marks(state);
        let has = |mark| marks.iter().flatten().any(|&m| m == mark);
        if !has(DiagramMark::First) && !has(DiagramMark::Second) {
            return Turn::Over(Outcome::Draw);
        }
        if !has(DiagramMark::First) {
            return Turn::Over(Outcome::Win(Seat::Second));
        }
        if !has(DiagramMark::Second) {
            return Turn::Over(Outcome::Win(Seat::First));
        }
        if state.ply() >= game.plies || naive_moves(game, state).is_empty() {
            return Turn::Over(Outcome::Draw);
        }
        Turn::One(state.to_move())
    }

    fn moves(&self, game: &Stones, state: &StonesPosition, _: Seat) -> Vec<StonesPoint> {
        naive_moves(game, state)
    }

    fn after(
        &self,
        game: &Stones,
        state: &StonesPosition,
        joint: JointMove<StonesPoint>,
    ) -> StonesPosition {
        let JointMove::One(m) = joint else {
            panic!("one move at a time")
        };
        let mut marks = marks(state);
        let (column, row) = games::stones::place(m);
        marks[column as usize][row as usize] = DiagramMark::of(state.to_move());
        let board = board(&tick(&marks));
        game.position(board, state.to_move().other(), state.ply() + 1)
    }
}

fn games() -> [Stones; 2] {
    [true, false].map(|adjacency| Stones {
        adjacency,
        ..Stones::default()
    })
}

/// A random board with given percentages of stones, and of black ones among them.
fn random_board(dice: &mut Dice, density: u32, black: u32) -> StonesBoard {
    let mut board = StonesBoard::default();
    for column in 0..SIDE {
        for row in 0..SIDE {
            if dice.below(100) < density {
                let is_black = dice.below(100) < black;
                let seat = if is_black { Seat::First } else { Seat::Second };
                board.put(seat, point(column, row));
            }
        }
    }
    board
}

#[test]
fn both_settings_conform() {
    for game in games() {
        conformance::check(&game, &NaiveStones, ConformanceOptions::default());
    }
    let short = Stones {
        plies: 12,
        ..Stones::default()
    };
    let effort = ConformanceOptions {
        positions: 200,
        ..ConformanceOptions::default()
    };
    conformance::check(&short, &NaiveStones, effort);
}

#[test]
fn a_hundred_thousand_boards_tick_as_the_twin_says() {
    let mut dice = Dice::new(19);
    let game = Stones::default();
    for n in 0..100_000 {
        let density = 1 + n % 100;
        let black = dice.below(101);
        let state = game.position(random_board(&mut dice, density, black), Seat::First, 0);
        let expected = board(&tick(&marks(&state)));
        assert_eq!(
            state.board().ticked(),
            expected,
            "{}",
            game.write_state(&state)
        );
    }
}

/// A set as the moves in it that are legal, their effect found one by one.
fn effective(game: &Stones, state: &StonesPosition) -> Vec<StonesPoint> {
    let base = state.board().ticked();
    let moves = naive_moves(game, state).into_iter();
    moves
        .filter(|&m| {
            let mut board = *state.board();
            board.put(state.to_move(), m);
            board.ticked() != base
        })
        .collect()
}

fn check_children(game: &Stones, state: &StonesPosition) {
    let seat = state.to_move();
    let children = game.children(state);
    let leads = children.leads();
    let text = game.write_state(state);
    assert_eq!(children.base(), &state.board().ticked(), "{text}");
    let mut all = Vec::new();
    for m in each(children.legal()) {
        let mut board = *state.board();
        board.put(seat, m);
        let child = board.ticked();
        assert_eq!(children.board(m), child, "{} at\n{text}", m);
        let lead = match seat {
            Seat::First => child.lead(),
            Seat::Second => -child.lead(),
        };
        assert_eq!(leads.at(m), lead, "{} at\n{text}", m);
        let is_idle = &child == children.base();
        assert_eq!(has(&children.idle(), m), is_idle, "{} at\n{text}", m);
        assert_eq!(has(children.effective(), m), !is_idle, "{} at\n{text}", m);
        all.push((lead, m));
    }
    let Some(&(most, _)) = all.iter().max() else {
        assert_eq!(leads.best(children.legal()), None, "{text}");
        return;
    };
    let mut best = StonesPointSet::default();
    for &(_, m) in all.iter().filter(|&&(lead, _)| lead == most) {
        let (column, row) = games::stones::place(m);
        best[row as usize] |= 1 << column;
    }
    assert_eq!(leads.best(children.legal()), Some((most, best)), "{text}");
}

#[test]
fn moves_together_are_moves_one_by_one() {
    let mut dice = Dice::new(361);
    for n in 0..3000 {
        let game = games()[dice.below(2) as usize];
        let density = 1 + n % 100;
        let black = dice.below(101);
        let board = random_board(&mut dice, density, black);
        let seat = Seat::BOTH[dice.below(2) as usize];
        check_children(&game, &game.position(board, seat, 0));
    }
}

#[test]
fn moves_together_hold_along_games() {
    for game in games() {
        let mut dice = Dice::new(5);
        for _ in 0..5 {
            let mut state = game.start();
            while let Ok(joint) = game.random_joint(&state, &mut dice) {
                check_children(&game, &state);
                game.apply(&mut state, joint);
            }
        }
    }
}

/// The numbers of the specification.
#[test]
fn the_start_is_as_described() {
    let game = Stones::default();
    let start = game.start();
    let mut board = *start.board();
    for _ in 0..3 {
        for seat in Seat::BOTH {
            assert_eq!(count(board.stones(seat)), 11);
        }
        let once = board.ticked();
        assert_ne!(once, board);
        assert_eq!(once.ticked(), board, "its period is 2");
        board = once;
    }
    assert_eq!(count(&start.board().empty()), 339);
    let anywhere = games()[1];
    assert_eq!(effective(&anywhere, &start).len(), 129);
    assert_eq!(count(anywhere.children(&start).effective()), 129);
    assert_eq!(effective(&game, &start).len(), 81);
    assert_eq!(count(game.children(&start).effective()), 81);
}

#[test]
fn names_are_read_and_written() {
    let rows = [
        ("stones", "stones"),
        ("stones:adjacency=on,plies=1000", "stones"),
        (
            "stones:plies=40,adjacency=off",
            "stones:adjacency=off,plies=40",
        ),
    ];
    for (text, expected) in rows {
        let game: AnyGame = text.parse().expect(text);
        assert_eq!(game.to_string(), expected);
        assert_eq!(expected.parse::<AnyGame>().expect(expected), game);
    }
    let rows = [
        (
            "stones:adjacency=no",
            "stones: `adjacency=no`: take on or off",
        ),
        (
            "stones:plies=0",
            "stones: `plies=0`: give a number of turns from 1 to 1000000",
        ),
        (
            "stones:9x9",
            "stones: `9x9`: write stones:adjacency=on|off,plies=N",
        ),
    ];
    for (text, expected) in rows {
        assert_eq!(
            text.parse::<AnyGame>().expect_err(text).to_string(),
            expected
        );
    }
}

#[test]
fn moves_that_are_none_are_told() {
    let game = Stones::default();
    let start = game.start();
    let rows = [
        ("d4", Ok(point(3, 3))),
        (" D4 ", Ok(point(3, 3))),
        ("i9", Ok(point(8, 8))),
        ("d3", Err("d3 is taken")),
        ("a19", Err("a19 has no stone beside it")),
        ("t1", Err("t1 is off the board, which goes from a1 to s19")),
        (
            "a20",
            Err("a20 is off the board, which goes from a1 to s19"),
        ),
        ("a0", Err("a0 is off the board, which goes from a1 to s19")),
        (
            "",
            Err("`` is no move; give a column letter and a row number, such as d4"),
        ),
        (
            "4d",
            Err("`4d` is no move; give a column letter and a row number, such as d4"),
        ),
        (
            "d+4",
            Err("`d+4` is no move; give a column letter and a row number, such as d4"),
        ),
    ];
    for (text, expected) in rows {
        let read = game.parse_move(&start, Seat::First, text);
        let read = read.map_err(|error| error.to_string());
        assert_eq!(read, expected.map_err(str::to_owned), "{text}");
    }
    let read = game.parse_move(&start, Seat::Second, "d4");
    assert_eq!(read, Err(MoveError::NotToMove));
    assert_eq!(
        games()[1].parse_move(&start, Seat::First, "a19"),
        Ok(point(0, 18))
    );
}

#[test]
fn positions_that_are_none_are_told() {
    let game = Stones::default();
    let text = game.write_state(&game.start());
    let rows = [
        ("to move, ply 0", "to move", "20:10: the ply is ``"),
        ("ply 0", "ply 2000000", "20:16: the ply is `2000000`"),
        ("ply 0", "ply 0\n\nx", "22:1: nothing is expected here"),
        (
            "B to move",
            "A to move",
            "20:1: whose move it is is `A to move, ply 0`",
        ),
        (
            "\nB to move, ply 0",
            "",
            "20:1: whose move it is is missing",
        ),
        ("BBB", "BXB", "16:16: `X` is no cell"),
        (
            "BBB",
            "BB",
            "16:19: this row has 18 cells, the board has 19",
        ),
        (
            "BBB",
            "BBBB",
            "16:20: this row has 20 cells, the board has 19",
        ),
    ];
    for (from, to, expected) in rows {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        let error = game.parse_state(&wrong).expect_err(to).to_string();
        assert!(error.starts_with(expected), "{expected}: {error}");
    }
}

#[test]
fn whoever_has_nothing_left_has_lost() {
    let game = Stones::default();
    let rows = [
        // a stone alone dies, also by its own move
        (
            &["a1", "b1", "a2"][..],
            &["s19"][..],
            "b2",
            Turn::Over(Outcome::Win(Seat::First)),
        ),
        (
            &["a1"],
            &["a19", "b19", "a18"],
            "b2",
            Turn::Over(Outcome::Win(Seat::Second)),
        ),
        (&["a1"], &["s19"], "b2", Turn::Over(Outcome::Draw)),
        (
            &["a1", "b1"],
            &["a19", "b19", "a18"],
            "b2",
            Turn::One(Seat::Second),
        ),
    ];
    for (black, white, m, expected) in rows {
        let mut board = StonesBoard::default();
        for (seat, stones) in Seat::BOTH.into_iter().zip([black, white]) {
            for text in stones {
                let mut signs = text.chars();
                let column = signs.next().expect("a letter") as u32 - u32::from('a');
                let row: u32 = signs.as_str().parse().expect("a number");
                board.put(seat, point(column, row - 1));
            }
        }
        let mut state = game.position(board, Seat::First, 7);
        let m = game.parse_move(&state, Seat::First, m).expect(m);
        game.apply(&mut state, JointMove::One(m));
        assert_eq!(game.turn(&state), expected, "{}", game.write_state(&state));
        assert_eq!(state.ply(), 8);
    }
}

/// How random games end: black's wins, white's, draws, and the mean number of plies.
fn random_games(game: &Stones, games: u32) -> ([f64; 3], f64) {
    let mut ends = [0.0; 3];
    let mut plies = 0.0;
    for number in 0..games {
        let mut state = game.start();
        let end = game.playout(&mut state, &mut Dice::of_part(20_000, u64::from(number)));
        ends[match end {
            Outcome::Win(Seat::First) => 0,
            Outcome::Win(Seat::Second) => 1,
            Outcome::Draw => 2,
        }] += 1.0 / f64::from(games);
        plies += f64::from(state.ply()) / f64::from(games);
    }
    (ends, plies)
}

/// The reference statistics, from games of their own: the difference of two shares, each of
/// 20,000 games, has a deviation of 0.5 %.
#[test]
fn random_games_end_as_they_should() {
    let rows = [
        (games()[0], [0.534, 0.466, 0.0], Some(87.0)),
        (games()[1], [0.521, 0.477, 0.002], None),
    ];
    for (game, expected, mean) in rows {
        let (ends, plies) = random_games(&game, 20_000);
        eprintln!("{}: {ends:?}, {plies:.1} plies", game.name());
        for (share, expected) in ends.into_iter().zip(expected) {
            let deviation = (2.0 * expected * (1.0 - expected) / 20_000.0f64).sqrt();
            // the reference is rounded to a tenth of a percent
            let bound = 3.0 * deviation + 0.0005;
            assert!(
                (share - expected).abs() <= bound,
                "{}: {ends:?}",
                game.name()
            );
        }
        if let Some(mean) = mean {
            assert!((plies - mean).abs() < 2.5, "{}: {plies}", game.name());
        }
    }
}

#[test]
fn children_are_of_the_seat_that_asks() {
    let start = Stones::default().start();
    let anywhere = start.board().empty();
    for seat in Seat::BOTH {
        let children = Children::of(start.board(), seat, &anywhere);
        assert_eq!(children.seat(), seat);
        let mut board = *start.board();
        board.put(seat, point(5, 4));
        assert_eq!(children.board(point(5, 4)), board.ticked());
    }
}
