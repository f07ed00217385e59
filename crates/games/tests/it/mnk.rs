//! The m,n,k games against a naive reference.

use games::conformance::{self, ConformanceOptions, NaiveGame};
use games::mnk::{Cell, Mnk, MnkPosition};
use games::{DiagramMark, Dice, Game as _, JointMove, Outcome, Seat, Turn};
use std::collections::HashSet;

/// The reference rules: check every line.
struct NaiveMnk;

fn has_line<const W: usize>(game: &Mnk<W>, state: &MnkPosition<W>, mark: DiagramMark) -> bool {
    let (columns, rows) = (game.columns() as i32, game.rows() as i32);
    let on_board = |x: i32, y: i32| (0..columns).contains(&x) && (0..rows).contains(&y);
    let has = |x: i32, y: i32| on_board(x, y) && state.mark(game.cell(x as u32, y as u32)) == mark;
    let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
    places.into_iter().any(|(x, y)| {
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .iter()
            .any(|&(dx, dy)| (0..game.line() as i32).all(|i| has(x + i * dx, y + i * dy)))
    })
}

fn is_full<const W: usize>(game: &Mnk<W>, state: &MnkPosition<W>) -> bool {
    (0..game.cells()).all(|c| state.mark(c as Cell) != DiagramMark::Empty)
}

impl<const W: usize> NaiveGame<Mnk<W>> for NaiveMnk {
    fn turn(&self, game: &Mnk<W>, state: &MnkPosition<W>) -> Turn {
        if has_line(game, state, DiagramMark::First) {
            return Turn::Over(Outcome::Win(Seat::First));
        }
        if has_line(game, state, DiagramMark::Second) {
            return Turn::Over(Outcome::Win(Seat::Second));
        }
        if is_full(game, state) {
            return Turn::Over(Outcome::Draw);
        }
        Turn::One(state.to_move())
    }

    fn moves(&self, game: &Mnk<W>, state: &MnkPosition<W>, _: Seat) -> Vec<Cell> {
        let cells = (0..game.cells()).map(|c| c as Cell);
        cells
            .filter(|&c| state.mark(c) == DiagramMark::Empty)
            .collect()
    }

    fn after(
        &self,
        game: &Mnk<W>,
        state: &MnkPosition<W>,
        joint: JointMove<Cell>,
    ) -> MnkPosition<W> {
        let JointMove::One(cell) = joint else {
            panic!("one move at a time")
        };
        // by way of the text, which knows nothing of how positions are held
        let sign = match state.to_move() {
            Seat::First => "O",
            Seat::Second => "X",
        };
        let other = if sign == "O" { "X" } else { "O" };
        let text = game.write_state(state);
        let (x, y) = (
            u32::from(cell) % game.columns(),
            u32::from(cell) / game.columns(),
        );
        let place = (y * (game.columns() + 1) + x) as usize;
        let mut text = format!("{}{sign}{}", &text[..place], &text[place + 1..]);
        text = text.replace(&format!("{sign} to move"), &format!("{other} to move"));
        game.parse_state(&text).expect("a stone more")
    }
}

#[test]
fn boards_of_one_word_conform() {
    for (m, n, k) in [
        (3, 3, 3),
        (4, 3, 3),
        (5, 4, 4),
        (1, 5, 2),
        (5, 1, 1),
        (1, 1, 1),
        (8, 8, 5),
        (8, 8, 8),
        (7, 9, 9),
        (19, 3, 4),
    ] {
        let game = Mnk::<1>::new(m, n, k).expect("it fits");
        conformance::check(&game, &NaiveMnk, ConformanceOptions::default());
    }
}

#[test]
fn boards_of_many_words_conform() {
    for (m, n, k) in [(13, 5, 4), (15, 15, 5), (19, 19, 6)] {
        let game = Mnk::<6>::new(m, n, k).expect("it fits");
        let effort = ConformanceOptions {
            positions: 500,
            ..ConformanceOptions::default()
        };
        conformance::check(&game, &NaiveMnk, effort);
    }
}

/// Compares random games with the reference: the seat to move and the moves in each position,
/// until enough positions were checked.
fn check_games<const W: usize>(game: &Mnk<W>, positions: u32, dice: &mut Dice) -> u32 {
    let mut seen = 0;
    while seen < positions {
        let mut state = game.start();
        loop {
            seen += 1;
            let place = || format!("{}\n{}", game.name(), game.write_state(&state));
            let turn = NaiveMnk.turn(game, &state);
            assert_eq!(game.turn(&state), turn, "{}", place());
            let Turn::One(seat) = turn else { break };
            let mut moves = Vec::new();
            game.moves(&state, seat, &mut moves);
            assert_eq!(moves, NaiveMnk.moves(game, &state, seat), "{}", place());
            let cell = dice.pick(&moves).expect("it goes on");
            let before = state;
            game.apply(&mut state, JointMove::One(cell));
            // nothing but that cell has changed
            let changed = (0..game.cells()).filter(|&c| {
                let c = c as Cell;
                state.mark(c) != before.mark(c)
            });
            assert_eq!(changed.collect::<Vec<_>>(), [u32::from(cell)]);
            assert_eq!(state.to_move(), seat.other());
            assert_eq!(state.count(), before.count() + 1);
        }
    }
    seen
}

/// Every shape at which something can go wrong: one row, one column, 63, 64 and 65 cells, a
/// line as long as the board or one cell long, the largest.
#[test]
fn a_hundred_thousand_positions_are_the_twins() {
    let mut dice = Dice::new(2026);
    let mut seen = 0;
    let shapes = [
        (3, 3, 3),
        (4, 3, 3),
        (3, 4, 4),
        (5, 5, 4),
        (5, 5, 5),
        (6, 5, 4),
        (1, 1, 1),
        (1, 7, 3),
        (7, 1, 3),
        (1, 19, 2),
        (19, 1, 4),
        (2, 9, 2),
        (4, 4, 1),
        (8, 8, 3),
        (8, 8, 5),
        (8, 8, 8),
        (7, 9, 4),
        (9, 7, 5),
        (16, 4, 4),
        (4, 16, 3),
        (3, 19, 3),
        (12, 5, 5),
    ];
    for (m, n, k) in shapes {
        let game = Mnk::<1>::new(m, n, k).expect("at most 64 cells");
        seen += check_games(&game, 3000, &mut dice);
        // the other type plays small boards too
        let wide = Mnk::<6>::new(m, n, k).expect("at most 19x19");
        seen += check_games(&wide, 1000, &mut dice);
    }
    for (m, n, k) in [
        (13, 5, 5),
        (5, 13, 4),
        (11, 6, 5),
        (19, 7, 4),
        (15, 15, 5),
        (19, 19, 5),
    ] {
        let game = Mnk::<6>::new(m, n, k).expect("at most 19x19");
        seen += check_games(&game, 2000, &mut dice);
    }
    assert!(seen >= 100_000, "{seen}");
}

#[test]
fn sizes_that_do_not_fit_are_none() {
    let rows = [
        (8, 8, 8, true),
        (13, 5, 5, false),
        (3, 3, 4, false),
        (3, 4, 4, true),
    ];
    for (m, n, k, fits) in rows {
        assert_eq!(Mnk::<1>::new(m, n, k).is_some(), fits, "{m},{n},{k}");
    }
    for (m, n, k) in [(0, 3, 3), (3, 0, 3), (3, 3, 0), (20, 3, 3), (3, 20, 3)] {
        assert_eq!(Mnk::<6>::new(m, n, k), None, "{m},{n},{k}");
    }
    assert_eq!(Mnk::<1>::new(3, 3, 3), Some(Mnk::TICTACTOE));
}

/// Games by their ends, and every position that they lead to.
fn follow(
    game: &Mnk<1>,
    state: &MnkPosition<1>,
    ends: &mut [u32; 3],
    positions: &mut HashSet<MnkPosition<1>>,
) {
    positions.insert(*state);
    match game.turn(state) {
        Turn::Over(Outcome::Win(seat)) => ends[seat.index()] += 1,
        Turn::Over(Outcome::Draw) => ends[2] += 1,
        Turn::Both => panic!("the seats take turns"),
        Turn::One(seat) => {
            let mut moves = Vec::new();
            game.moves(state, seat, &mut moves);
            for cell in moves {
                let mut next = *state;
                game.apply(&mut next, JointMove::One(cell));
                follow(game, &next, ends, positions);
            }
        }
    }
}

/// The known numbers of tic-tac-toe.
#[test]
fn tictactoe_has_so_many_games_and_positions() {
    let game = Mnk::TICTACTOE;
    let mut ends = [0; 3];
    let mut positions = HashSet::new();
    follow(&game, &game.start(), &mut ends, &mut positions);
    assert_eq!(ends, [131_184, 77_904, 46_080]);
    assert_eq!(ends.iter().sum::<u32>(), 255_168);
    assert_eq!(positions.len(), 5478);
    let hashes: HashSet<u64> = positions.iter().map(|state| game.hash(state)).collect();
    assert_eq!(hashes.len(), 5478);
    // positions that are images of one another counted once
    let classes: HashSet<Vec<String>> = positions
        .iter()
        .map(|state| {
            let images = (0..game.symmetries()).map(|s| game.write_state(&game.image(state, s)));
            let mut images: Vec<String> = images.collect();
            images.sort_unstable();
            images.dedup();
            images
        })
        .collect();
    assert_eq!(classes.len(), 765);
}

/// Random games end as arithmetic has it, by whichever way they are played.
#[test]
fn random_games_end_as_they_should() {
    let game = Mnk::TICTACTOE;
    let mut dice = Dice::new(4);
    let games = 100_000;
    for is_playout in [false, true] {
        let mut ends = [0u32; 3];
        for _ in 0..games {
            let mut state = game.start();
            let outcome = if is_playout {
                game.playout(&mut state, &mut dice)
            } else {
                loop {
                    match game.random_joint(&state, &mut dice) {
                        Ok(joint) => game.apply(&mut state, joint),
                        Err(outcome) => break outcome,
                    }
                }
            };
            assert_eq!(game.turn(&state), Turn::Over(outcome));
            match outcome {
                Outcome::Win(seat) => ends[seat.index()] += 1,
                Outcome::Draw => ends[2] += 1,
            }
        }
        // 737/1260, 121/420 and 8/63; five standard deviations are at most 0.0079
        let shares = ends.map(|n| f64::from(n) / f64::from(games));
        for (share, expected) in shares
            .into_iter()
            .zip([737.0 / 1260.0, 121.0 / 420.0, 8.0 / 63.0])
        {
            assert!((share - expected).abs() < 0.0079, "{shares:?}");
        }
    }
}

/// A playout goes on from where it is asked, also on boards of many words.
#[test]
fn playouts_go_on_from_any_position() {
    let game = Mnk::<6>::new(13, 7, 4).expect("it fits");
    let mut dice = Dice::new(9);
    for _ in 0..200 {
        let mut state = game.start();
        for _ in 0..dice.below(30) {
            if let Ok(joint) = game.random_joint(&state, &mut dice) {
                game.apply(&mut state, joint);
            }
        }
        let before = state;
        let outcome = game.playout(&mut state, &mut dice);
        assert_eq!(NaiveMnk.turn(&game, &state), Turn::Over(outcome));
        let kept = |c: u32| {
            let mark = before.mark(c as Cell);
            mark == DiagramMark::Empty || mark == state.mark(c as Cell)
        };
        assert!((0..game.cells()).all(kept));
        // what is over stays as it is
        let over = state;
        assert_eq!(game.playout(&mut state, &mut dice), outcome);
        assert_eq!(state, over);
    }
}

#[test]
fn symmetries_are_different_and_can_be_turned_back() {
    for (m, n, expected) in [(3, 3, 8), (4, 3, 4), (1, 5, 4), (8, 8, 8)] {
        let game = Mnk::<1>::new(m, n, 1).expect("it fits");
        assert_eq!(game.symmetries(), expected);
        let maps: Vec<Vec<Cell>> = (0..expected)
            .map(|s| {
                (0..game.cells() as Cell)
                    .map(|c| game.image_move(c, s))
                    .collect()
            })
            .collect();
        for map in &maps {
            let mut sorted = map.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..game.cells() as Cell));
            // one of them leads back
            let turned_back = |back: &Vec<Cell>| {
                let mut there = map.iter().enumerate();
                there.all(|(c, &image)| usize::from(back[usize::from(image)]) == c)
            };
            assert!(maps.iter().any(turned_back));
        }
        if m > 1 && n > 1 {
            let different: HashSet<_> = maps.iter().collect();
            assert_eq!(different.len(), expected);
        }
    }
}

#[test]
fn what_is_wrong_with_a_text_is_told_with_its_place() {
    let game = Mnk::<1>::new(4, 2, 2).expect("it fits");
    let rows = [
        ("", "1:1: a row of the board is missing"),
        ("....\n", "2:1: a row of the board is missing"),
        ("....\n....\n", "3:1: the seat to move is missing"),
        (
            "...\n....\nO to move\n",
            "1:4: this row has 3 cells, the board has 4",
        ),
        (
            "....\nOX.XO\nO to move\n",
            "2:5: this row has 5 cells, the board has 4",
        ),
        ("..?.\n....\nO to move\n", "1:3: `?` is no cell"),
        (
            "....\n....\nnobody\n",
            "3:1: the seat to move is `nobody`, but write `O to move` or `X to move`",
        ),
        (
            "....\n....\nX to move\n\nmore\n",
            "4:1: nothing is expected here",
        ),
    ];
    for (text, expected) in rows {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert_eq!(error, expected);
    }
}

#[test]
fn what_is_wrong_with_a_move_is_told() {
    let game = Mnk::<1>::new(4, 2, 2).expect("it fits");
    let state = game
        .parse_state("O...\n....\nX to move\n")
        .expect("a board");
    let second = Seat::Second;
    let rows = [
        ("A1", "A1 is taken"),
        ("a1", "A1 is taken"),
        ("E1", "E1 is off the board, which goes from A1 to D2"),
        ("A3", "A3 is off the board, which goes from A1 to D2"),
        ("A0", "A0 is off the board, which goes from A1 to D2"),
        (
            "",
            "`` is no move; give a column letter and a row number, such as B2",
        ),
        (
            "B",
            "`B` is no move; give a column letter and a row number, such as B2",
        ),
        (
            "2B",
            "`2B` is no move; give a column letter and a row number, such as B2",
        ),
        (
            "B+2",
            "`B+2` is no move; give a column letter and a row number, such as B2",
        ),
        (
            "B2 B1",
            "`B2 B1` is no move; give a column letter and a row number, such as B2",
        ),
        (
            "é2",
            "`é2` is no move; give a column letter and a row number, such as B2",
        ),
    ];
    for (text, expected) in rows {
        let error = game.parse_move(&state, second, text).expect_err(text);
        assert_eq!(error.to_string(), expected);
    }
    assert_eq!(game.parse_move(&state, second, " d2\t"), Ok(7));
    let early = game
        .parse_move(&state, Seat::First, "B1")
        .expect_err("not its turn");
    assert_eq!(early.to_string(), "it is not your turn");
    let over = game
        .parse_state("OO..\n....\nX to move\n")
        .expect("a board");
    let late = game
        .parse_move(&over, second, "C1")
        .expect_err("it is over");
    assert_eq!(late.to_string(), "the game is over");
}

/// Text can hold positions that no game leads to; the seat that moved last has won if both
/// have a line.
#[test]
fn positions_from_elsewhere_are_judged() {
    let game = Mnk::TICTACTOE;
    let rows = [
        (
            "OOO\n...\nXXX\nO to move\n",
            Turn::Over(Outcome::Win(Seat::Second)),
        ),
        (
            "OOO\n...\nXXX\nX to move\n",
            Turn::Over(Outcome::Win(Seat::First)),
        ),
        (
            "OOO\n...\n...\nO to move\n",
            Turn::Over(Outcome::Win(Seat::First)),
        ),
        ("OOX\nXXO\nOXO\nX to move\n", Turn::Over(Outcome::Draw)),
        ("OO.\n...\n...\nO to move\n", Turn::One(Seat::First)),
    ];
    for (text, expected) in rows {
        let state = game.parse_state(text).expect(text);
        assert_eq!(game.turn(&state), expected, "{text}");
    }
}
