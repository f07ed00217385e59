//! The duel against a cell-by-cell reference implementation of its rules.

use games::conformance::{self, ConformanceOptions, NaiveGame};
use games::duel::{
    Board8, Board16, BoardAny, Column, ColumnMode, Duel, DuelBoard, DuelPosition, DuelSize, Life,
};
use games::{AnyGame, Dice, Game, JointMove, Outcome, Seat, Turn};
use proptest::prelude::*;

/// The rules again: a grid of 0, +1 and -1, one cell after the other.
struct NaiveDuel;

type NaiveDuelGrid = Vec<Vec<i32>>;

/// A position as plain numbers, from the first seat.
#[derive(Clone, Debug, PartialEq)]
struct NaiveDuelPosition {
    grid: NaiveDuelGrid,
    mana: [u32; 2],
    score: [u32; 2],
    turn: u32,
}

fn turned(grid: &NaiveDuelGrid) -> NaiveDuelGrid {
    let rows = grid.iter().rev();
    rows.map(|row| row.iter().rev().map(|cell| -cell).collect())
        .collect()
}

impl NaiveDuelPosition {
    /// Converts by way of the text, independent of the representation.
    fn of<B: DuelBoard>(game: &Duel<B>, state: &DuelPosition<B>) -> Self {
        let text = game.write_state(state);
        let sign = |c| match c {
            'O' => 1,
            'X' => -1,
            _ => 0,
        };
        let rows = text.lines().take(game.size().rows as usize);
        let plain = Self {
            grid: rows.map(|line| line.chars().map(sign).collect()).collect(),
            mana: Seat::BOTH.map(|seat| state.mana(seat)),
            score: Seat::BOTH.map(|seat| state.score(seat)),
            turn: state.turn(),
        };
        match state.is_turned() {
            true => plain.exchanged(),
            false => plain,
        }
    }

    fn exchanged(&self) -> Self {
        Self {
            grid: turned(&self.grid),
            mana: [self.mana[1], self.mana[0]],
            score: [self.score[1], self.score[0]],
            turn: self.turn,
        }
    }

    fn text(&self) -> String {
        let sign = |cell: &i32| ['X', '.', 'O'][(cell + 1) as usize];
        let rows = self.grid.iter();
        let board: String = rows
            .map(|row| row.iter().map(sign).collect::<String>() + "\n")
            .collect();
        let ([a, b], [c, d]) = (self.mana, self.score);
        format!("{board}turn {}\nmana {a} {b}\nscore {c} {d}\n", self.turn)
    }

    fn play<B: DuelBoard>(&mut self, game: &Duel<B>, first: Column, second: Column) {
        let rules = game.rules();
        let DuelSize { rows, columns } = rules.size;
        let (rows, columns) = (rows as usize, columns as usize);
        for r in 0..rows {
            write(rules.column, &mut self.grid[r][0], 1, first >> r & 1 == 1);
        }
        for r in 0..rows {
            let cell = &mut self.grid[rows - 1 - r][columns - 1];
            write(rules.column, cell, -1, second >> r & 1 == 1);
        }
        let before = self.grid.clone();
        for r in 0..rows {
            for c in 0..columns {
                self.grid[r][c] = next(game, &before, self.turn, r, c);
            }
        }
        self.turn += 1;
        for (seat, (sign, column)) in [(1, first), (-1, second)].into_iter().enumerate() {
            let goals = rules.goals.iter();
            let points = goals
                .filter(|&&(x, y)| self.grid[y as usize][x as usize] == sign)
                .count() as u32;
            self.score[seat] += points;
            let mana = self.mana[seat] - column.count_ones() + 2 + points;
            self.mana[seat] = mana.min(rules.mana);
        }
    }

    fn outcome(&self) -> Outcome {
        let cells = |sign| self.grid.iter().flatten().filter(|&&c| c == sign).count();
        let first = (self.score[0], cells(1));
        let second = (self.score[1], cells(-1));
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Seat::First),
            std::cmp::Ordering::Less => Outcome::Win(Seat::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        }
    }
}

/// The next state of an edge cell when its owner, `sign`, writes a 1 or a 0.
fn write(edge: ColumnMode, cell: &mut i32, sign: i32, is_one: bool) {
    match (edge, is_one) {
        (ColumnMode::Replace, true) => *cell = sign,
        (ColumnMode::Replace, false) => *cell = 0,
        (_, false) => {}
        (ColumnMode::KeepCapture, true) => *cell = sign,
        (ColumnMode::KeepCancel, true) if *cell == -sign => *cell = 0,
        (ColumnMode::KeepCancel, true) => *cell = sign,
        (ColumnMode::Or, true) if *cell == 0 => *cell = sign,
        (ColumnMode::Or, true) => {}
    }
}

fn next<B: DuelBoard>(game: &Duel<B>, grid: &NaiveDuelGrid, turn: u32, r: usize, c: usize) -> i32 {
    let (rows, columns) = (grid.len() as i32, grid[0].len() as i32);
    let (mut own, mut other) = (0, 0);
    for dr in -1..=1 {
        for dc in -1..=1 {
            let (row, column) = ((r as i32 + dr).rem_euclid(rows), c as i32 + dc);
            if (dr, dc) == (0, 0) || column < 0 || column >= columns {
                continue;
            }
            match grid[row as usize][column as usize] {
                1 => own += 1,
                -1 => other += 1,
                _ => {}
            }
        }
    }
    let here = grid[r][c];
    let alive = |sign: i32, n: i32, enemies: i32| match game.rules().life {
        Life::Duel => n == 3 || here == sign && n == 2,
        Life::ColourLife if here == sign => n == 2 || n == 3,
        Life::ColourLife => n == 3 && enemies == 0,
        Life::P2Life { .. } if here == sign => {
            n - enemies == 2 || n - enemies == 3 || n - enemies == 1 && n >= 2
        }
        Life::P2Life { .. } if here == 0 && n == 3 => {
            let seat = if sign == 1 { Seat::First } else { Seat::Second };
            enemies != 3 || game.coin(turn, c as u32, r as u32) == seat
        }
        Life::P2Life { .. } => false,
    };
    i32::from(alive(1, own, other) && !alive(-1, other, own))
        - i32::from(alive(-1, other, own) && !alive(1, own, other))
}

impl<B: DuelBoard> NaiveGame<Duel<B>> for NaiveDuel {
    fn turn(&self, game: &Duel<B>, state: &DuelPosition<B>) -> Turn {
        let plain = NaiveDuelPosition::of(game, state);
        let outcome = plain.outcome();
        match plain.turn >= game.rules().turns {
            true if state.is_turned() => Turn::Over(outcome.exchanged()),
            true => Turn::Over(outcome),
            false => Turn::Both,
        }
    }

    fn moves(&self, game: &Duel<B>, state: &DuelPosition<B>, seat: Seat) -> Vec<Column> {
        let all = 0..1u64 << game.size().rows;
        let mana = state.mana(seat);
        all.map(|column| column as Column)
            .filter(|column| column.count_ones() <= mana)
            .collect()
    }

    fn after(
        &self,
        game: &Duel<B>,
        state: &DuelPosition<B>,
        joint: JointMove<Column>,
    ) -> DuelPosition<B> {
        let JointMove::Both(first, second) = joint else {
            panic!("both move")
        };
        let mut plain = NaiveDuelPosition::of(game, state);
        let text = if state.is_turned() {
            plain.play(game, second, first);
            plain.exchanged().text() + "turned\n"
        } else {
            plain.play(game, first, second);
            plain.text()
        };
        game.parse_state(&text).expect("a turn later")
    }
}

/// Runs the same code for any board type.
macro_rules! with_duel {
    ($text:expr, |$game:ident| $body:expr) => {
        match $text.parse::<AnyGame>().expect($text) {
            AnyGame::Duel8($game) => $body,
            AnyGame::Duel16($game) => $body,
            AnyGame::DuelAny($game) => $body,
            other => panic!("{other} is no duel"),
        }
    };
}

fn eight() -> Duel<Board8> {
    Duel::standard(8, 8).expect("it fits")
}

/// Games with every option, and boards of every type.
const GAMES: [&str; 24] = [
    "duel",
    "duel:column=keep-capture",
    "duel:column=keep-cancel",
    "duel:column=or",
    "duel:turns=7,overspend=truncate",
    "duel:mana=2,goals=0.0/7.1/3.4",
    "duel:goals=3.2/4.5",
    "duel:rules=p2life",
    "duel:mana=8,column=or,rules=p2life,seed=77",
    "duel:column=keep-cancel,rules=colour-life",
    "duel:16x16,turns=30",
    "duel:16x16,turns=30,column=keep-capture",
    "duel:16x16,turns=30,rules=p2life,seed=5",
    "duel:16x16,goals=2.2,turns=30,rules=colour-life",
    "duel:12x10",
    "duel:12x10,column=keep-cancel,rules=p2life",
    "duel:5x9,goals=4.0",
    "duel:1x7",
    "duel:2x2,rules=p2life",
    "duel:3x64,column=or",
    "duel:7x63,column=keep-cancel",
    "duel:6x1,mana=3",
    "duel:6x1,column=or",
    "duel:1x1,rules=colour-life",
];

#[test]
fn duels_conform() {
    for text in GAMES {
        with_duel!(text, |game| {
            assert_eq!(game.name(), text);
            let effort = ConformanceOptions {
                positions: 400,
                moves: 4,
                ..ConformanceOptions::default()
            };
            conformance::check(&game, &NaiveDuel, effort);
        });
    }
}

#[test]
fn the_tallest_and_widest_board_follows_the_twin() {
    let game: Duel<BoardAny> = Duel::standard(32, 64).expect("it fits");
    // turns alone: all 2^32 columns are too many for the twin to list
    let mut dice = Dice::new(3);
    let mut state = game.start();
    for _ in 0..10 {
        let joint = game.random_joint(&state, &mut dice).expect("not over");
        let after = NaiveDuel.after(&game, &state, joint);
        game.apply(&mut state, joint);
        assert_eq!(state, after);
    }
}

/// Compares one turn from random positions with the reference: cells of any density, any mana,
/// any columns.
fn hold_random_states<B: DuelBoard>(game: &Duel<B>, states: u32, seed: u64) {
    let mut dice = Dice::new(seed);
    let size = game.size();
    for _ in 0..states {
        // of 2 words, 1 or none: cells of a quarter, a half or all places
        let thin = [dice.below(3), dice.below(3)];
        let mut sparse = |n| (0..n).fold(!0, |word, _| word & dice.word());
        let first = B::from_rows(size, |_| sparse(thin[0]));
        let second = B::from_rows(size, |_| sparse(thin[1])).without(first);
        let mana = [0; 2].map(|_| dice.below(game.rules().mana + 1));
        let turn = dice.below(game.rules().turns);
        let state = DuelPosition::new([first, second], mana, [3, 4], turn);
        let columns = Seat::BOTH.map(|seat| game.random_move(&state, seat, &mut dice));
        let mut plain = plain_of_rows(game, &state);
        plain.play(game, columns[0], columns[1]);
        let mut after = state;
        game.play(&mut after, columns[0], columns[1]);
        if plain_of_rows(game, &after) != plain {
            let text = game.write_state(&state);
            panic!(
                "{} {columns:?} from\n{text}not\n{}",
                game.name(),
                plain.text()
            );
        }
    }
}

/// As [`NaiveDuelPosition::of`], by rows of bits: quick.
fn plain_of_rows<B: DuelBoard>(game: &Duel<B>, state: &DuelPosition<B>) -> NaiveDuelPosition {
    let DuelSize { rows, columns } = game.size();
    let [first, second] = Seat::BOTH.map(|seat| state.cells(seat));
    let cell = |y, x| (first.row(y) >> x & 1) as i32 - (second.row(y) >> x & 1) as i32;
    NaiveDuelPosition {
        grid: (0..rows)
            .map(|y| (0..columns).map(|x| cell(y, x)).collect())
            .collect(),
        mana: Seat::BOTH.map(|seat| state.mana(seat)),
        score: Seat::BOTH.map(|seat| state.score(seat)),
        turn: state.turn(),
    }
}

#[test]
fn two_hundred_thousand_states_of_8x8_follow_the_twin() {
    hold_random_states(&eight(), 200_000, 8);
}

#[test]
fn sixty_thousand_states_of_16x16_follow_the_twin() {
    let game: Duel<Board16> = Duel::standard(16, 16).expect("it fits");
    hold_random_states(&game, 60_000, 16);
}

#[test]
fn random_states_with_every_option_follow_the_twin() {
    for (i, text) in GAMES.into_iter().enumerate() {
        with_duel!(text, |game| hold_random_states(&game, 3000, i as u64));
    }
    for text in [
        "duel:32x64",
        "duel:31x64,rules=p2life",
        "duel:32x63,rules=colour-life",
    ] {
        with_duel!(text, |game| hold_random_states(&game, 300, 1));
    }
}

#[test]
fn a_board_of_any_size_agrees_with_those_of_one() {
    let mut dice = Dice::new(11);
    for life in [Life::Duel, Life::P2Life { seed: 9 }, Life::ColourLife] {
        let mut rules = games::duel::DuelRules::standard(16, 16);
        rules.life = life;
        let small: Duel<Board16> = Duel::new(rules.clone()).expect("it fits");
        let large: Duel<BoardAny> = Duel::new(rules).expect("it fits");
        let (mut a, mut b) = (small.start(), large.start());
        while let Ok(joint) = small.random_joint(&a, &mut dice) {
            small.apply(&mut a, joint);
            large.apply(&mut b, joint);
            assert_eq!(small.write_state(&a), large.write_state(&b));
        }
    }
}

#[test]
fn three_thousand_games_are_the_same_with_the_seats_exchanged() {
    for (text, games) in [
        ("duel", 2000),
        ("duel:16x16", 700),
        ("duel:9x7,column=or", 300),
    ] {
        with_duel!(text, |game| {
            let mut dice = Dice::new(2026);
            for _ in 0..games {
                let (mut state, mut other) = (game.start(), game.start());
                while let Ok(joint) = game.random_joint(&state, &mut dice) {
                    let JointMove::Both(first, second) = joint else {
                        panic!("both move")
                    };
                    game.play(&mut state, first, second);
                    game.play(&mut other, second, first);
                }
                for seat in Seat::BOTH {
                    assert_eq!(state.score(seat), other.score(seat.other()));
                    assert_eq!(state.mana(seat), other.mana(seat.other()));
                }
                let end = |state| game.turn(state).outcome().expect("it is over");
                assert_eq!(end(&state), end(&other).exchanged());
            }
        });
    }
}

#[test]
fn the_first_turn_of_the_rules() {
    let game = eight();
    let mut state = game.start();
    let read = |state: &_, text| game.parse_move(state, Seat::First, text).expect(text);
    let column = read(&state, "1 1 1 0 0 0 0 0");
    game.play(&mut state, column, 0);
    let expected = "........\nOO......\n........\n........\n........\n........\n........\n\
                    ........\nturn 1\nmana 5 6\nscore 0 0\n";
    assert_eq!(game.write_state(&state), expected);
    game.play(&mut state, 0, 0);
    assert!(state.cells(Seat::First).is_empty());
    assert_eq!(state.mana(Seat::First), 6);
}

#[test]
fn a_block_on_the_goals_is_worth_four_a_turn_for_ever() {
    let game = eight();
    let block = "........\n........\n........\n...OO...\n...OO...\n........\n........\n\
                 ........\nturn 0\nmana 6 6\nscore 0 0\n";
    let mut state = game.parse_state(block).expect("a position");
    for turn in 1..=200 {
        game.play(&mut state, 0, 0);
        assert_eq!(state.score(Seat::First), 4 * turn);
    }
    assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Seat::First)));
    let end = state;
    game.play(&mut state, 1, 1);
    assert_eq!(state, end, "a game that is over stays as it is");
}

#[test]
fn the_script_of_782() {
    let game = eight();
    for seat in Seat::BOTH {
        let mut state = game.start();
        let script = "00111110 00001000 01100101 10000001 10000010 10110000";
        for word in script.split(' ').chain(["00000000"; 194]) {
            let column = game.parse_move(&state, seat, word).expect(word);
            match seat {
                Seat::First => game.play(&mut state, column, 0),
                Seat::Second => game.play(&mut state, 0, column),
            }
        }
        assert_eq!(state.score(seat), 782);
        assert_eq!(state.score(seat.other()), 0);
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(seat)));
    }
}

#[test]
fn cells_decide_where_the_scores_are_equal() {
    let game = eight();
    let row = "........\n".repeat(6);
    let rows = [
        ("OO......\nOO......\n", Outcome::Win(Seat::First), 4),
        ("OO....XX\nOO....XX\n", Outcome::Draw, 0),
        ("OO...XXX\nOO......\n", Outcome::Win(Seat::First), 1),
        ("OO...XXX\nO....X..\n", Outcome::Win(Seat::Second), -1),
    ];
    for (board, expected, lead) in rows {
        let text = format!("{board}{row}turn 200\nmana 6 6\nscore 9 9\n");
        let state = game.parse_state(&text).expect("a position");
        assert_eq!(game.turn(&state), Turn::Over(expected), "{board}");
        assert_eq!(game.lead(&state), lead, "{board}");
        let text = format!("{board}{row}turn 200\nmana 6 6\nscore 9 10\n");
        let state = game.parse_state(&text).expect("a position");
        assert_eq!(game.turn(&state), Turn::Over(Outcome::Win(Seat::Second)));
        assert_eq!(game.lead(&state), lead - 65, "{board}");
    }
}

#[test]
fn a_lead_is_settled_when_it_cannot_be_caught() {
    let game = eight();
    let at = |turn, first, second| {
        let state = DuelPosition::new([Board8::NONE; 2], [6; 2], [first, second], turn);
        game.settled(&state)
    };
    assert_eq!(at(190, 40, 0), None, "40 more points may come");
    assert_eq!(at(190, 41, 0), Some(Outcome::Win(Seat::First)));
    assert_eq!(at(190, 100, 141), Some(Outcome::Win(Seat::Second)));
    assert_eq!(at(200, 7, 7), Some(Outcome::Draw));
    assert_eq!(at(0, 0, 0), None);
}

#[test]
fn the_second_seat_sees_the_board_from_its_own_side() {
    let game: Duel<BoardAny> = Duel::standard(3, 4).expect("it fits");
    let text = "OO..\n...X\n.X..\nturn 0\nmana 2 1\nscore 5 6\n";
    let state = game.parse_state(text).expect("a position");
    let diagram = game.diagram(&state, Seat::Second).to_string();
    let expected = "   0 1 2 3\n 0 . . X .\n 1 X : : .\n 2 . . O O\nmana: O 2, X 1\n\
                    score: O 5, X 6\ncells: O 2, X 2\n";
    assert_eq!(diagram, expected);
    let signs: Vec<i32> = (0..4)
        .map(|x| game.sign(&state, Seat::Second, x, 1))
        .collect();
    assert_eq!(signs, [1, 0, 0, 0]);
    assert_eq!(game.sign(&state, Seat::Second, 3, 2), -1);
    let signs = game.signs(&state, Seat::Second);
    assert_eq!(signs, [[0, 0, 1, 0], [1, 0, 0, 0], [0, 0, -1, -1]]);
    assert_eq!(game.goal_places(&state, Seat::Second), [(1, 1), (2, 1)]);
    assert_eq!(game.sign(&state, Seat::First, 0, 0), 1);
}

#[test]
fn goals_and_coins_are_turned_with_the_board() {
    with_duel!("duel:4x5,goals=0.0/3.1,rules=p2life", |game| {
        let start = game.start();
        assert_eq!(game.goal_places(&start, Seat::First), [(0, 0), (3, 1)]);
        assert_eq!(game.goal_places(&start, Seat::Second), [(1, 2), (4, 3)]);
        let seen = game.view(&start, Seat::Second);
        assert!(seen.is_turned() && game.write_state(&seen).ends_with("turned\n"));
        assert_eq!(game.goal_places(&seen, Seat::First), [(1, 2), (4, 3)]);
        assert_eq!(game.symmetries(), 1);
        // three of each colour around the middle of row 1: the coin decides it
        let tie = "OOO..\n.....\nXXX..\n.....\n";
        let mut owners = Vec::new();
        for turn in 0..200 {
            let text = format!("{tie}turn {turn}\nmana 3 3\nscore 0 0\n");
            let state = game.parse_state(&text).expect("a position");
            let before = Seat::BOTH.map(|seat| *state.cells(seat));
            let cells = game.evolve(before, turn, false);
            let seat = game.coin(turn, 1, 1);
            assert_eq!(cells[seat.index()].row(1) >> 1 & 1, 1);
            assert_eq!(cells[seat.other().index()].row(1) >> 1 & 1, 0);
            owners.push(seat);
        }
        let firsts = owners.iter().filter(|&&seat| seat == Seat::First).count();
        assert!((60..140).contains(&firsts), "the coin is fair: {firsts}");
    });
}

#[test]
fn columns_are_read_or_refused_with_the_reason() {
    let game = eight();
    let mut state = game.start();
    let read = |state: &_, text: &str| game.parse_move(state, Seat::First, text);
    for text in [
        "01000011",
        " 01000011\r\n",
        "0 1 0 0 0 0 1 1",
        "0  1\t0 0 0 0 1 1  \r\n",
    ] {
        assert_eq!(read(&state, text), Ok(0b1100_0010), "{text:?}");
    }
    let rows = [
        (
            "",
            "`` is no move; give a digit 0 or 1 for each row from the top down, such as 00111110",
        ),
        (
            "0011111",
            "`0011111` is no move; it has 7 digits, and the board has 8 rows",
        ),
        (
            "0 0 1 1 1 1 1 0 1",
            "`0 0 1 1 1 1 1 0 1` is no move; it has 9 digits, and the board has 8 rows",
        ),
        (
            "0 0 +1 0 0 0 0 0",
            "`0 0 +1 0 0 0 0 0` is no move; row 2 is `+1`, and each row is 0 or 1",
        ),
        (
            "01 0 1 0 0 0 0 0",
            "`01 0 1 0 0 0 0 0` is no move; row 0 is `01`, and each row is 0 or 1",
        ),
        (
            "0011x110",
            "`0011x110` is no move; row 4 is `x`, and each row is 0 or 1",
        ),
        (
            "pass",
            "`pass` is no move; row 0 is `p`, and each row is 0 or 1",
        ),
        ("11111110", "that costs 7 mana, and there is 6"),
    ];
    for (text, expected) in rows {
        let error = read(&state, text).expect_err(text).to_string();
        assert_eq!(error, expected);
    }
    for _ in 0..200 {
        game.play(&mut state, 0, 0);
    }
    let error = read(&state, "00000000").expect_err("it is over");
    assert_eq!(error.to_string(), "the game is over");
}

#[test]
fn a_bot_writes_a_word_for_each_row() {
    let game = eight();
    let state = game.start();
    let read = |text| game.parse_answer(&state, Seat::Second, text);
    assert_eq!(read("1 0 0 0 0 0 0 1 \r\n"), Ok(0b1000_0001));
    let error = read("10000001").expect_err("one word").to_string();
    let expected = "`10000001` is no move; row 0 is `10000001`, and each row is 0 or 1";
    assert_eq!(error, expected);
    assert!(read("1 1 1 1 1 1 1 0").is_err(), "it costs 7");
}

#[test]
fn what_is_too_dear_is_dropped_from_the_bottom_up() {
    with_duel!("duel:overspend=truncate,mana=3", |game| {
        let state = game.start();
        let read = |text| game.parse_move(&state, Seat::First, text);
        assert_eq!(read("01101101"), read("01101000"));
        assert_eq!(read("00000111"), Ok(0b1110_0000));
    });
}

#[test]
fn positions_are_refused_with_the_place() {
    let game: Duel<BoardAny> = Duel::standard(2, 3).expect("it fits");
    let rows = [
        ("", "1:1: a row of the board is missing"),
        ("...\n..", "2:3: this row has 2 cells, the board has 3"),
        ("....\n...", "1:4: this row has 4 cells, the board has 3"),
        ("...\n.#.", "2:2: `#` is no cell"),
        ("...\n...\n", "3:1: turn is missing"),
        (
            "...\n...\nturn 201",
            "3:1: turn is `turn 201`, but write `turn 1`, with numbers up to 200",
        ),
        (
            "...\n...\nturn 0\nmana 1\n",
            "4:1: mana is `mana 1`, but write `mana 1 1`, with numbers up to 1",
        ),
        (
            "...\n...\nturn 0\nmana 1 1\nscore 1 -1",
            "5:1: score is `score 1 -1`, but write `score 1 1`, with numbers up to 100000000",
        ),
        (
            "...\n...\nturn 0\nmana 1 1\nscore 1 1\n\nturned",
            "7:1: nothing is expected here",
        ),
    ];
    for (text, expected) in rows {
        let error = game.parse_state(text).expect_err(text).to_string();
        assert_eq!(error, expected, "{text:?}");
    }
}

#[test]
fn options_are_written_as_short_as_they_can_be() {
    let rows = [
        ("duel:8x8", "duel"),
        ("duel:16x16,mana=12,turns=200", "duel:16x16"),
        ("duel:goals=4.4/3.4/4.3/3.3", "duel"),
        ("duel:goals=4.4/3.3", "duel:goals=3.3/4.4"),
        ("duel:rules=p2life,seed=0", "duel:rules=p2life"),
        (
            " DUEL: seed=3 , overspend=truncate, rules=p2life,column=keep-cancel,turns=9,mana=1,9x8",
            "duel:9x8,mana=1,turns=9,column=keep-cancel,overspend=truncate,rules=p2life,seed=3",
        ),
    ];
    for (text, expected) in rows {
        let game: AnyGame = text.parse().expect(text);
        assert_eq!(game.to_string(), expected);
        assert_eq!(expected.parse::<AnyGame>().expect(expected), game);
    }
}

#[test]
fn options_are_refused_with_the_reason() {
    let notation = "write duel:RxC,mana=,goals=,turns=,column=,overspend=,rules=,seed=";
    let rows = [
        ("8", "write the size as rows and columns, such as 16x16"),
        ("8x", "write the size as rows and columns, such as 16x16"),
        ("+8x8", "write the size as rows and columns, such as 16x16"),
        ("33x8", "a board has from 1 to 32 rows"),
        ("0x8", "a board has from 1 to 32 rows"),
        ("8x65", "a board has from 1 to 64 columns"),
        ("mana=0", "mana is a number from 1 to 999"),
        ("mana=six", "mana is a number from 1 to 999"),
        ("turns=10000", "a game has from 1 to 9999 turns"),
        (
            "goals=",
            "write goals as column and row from 0, such as 3.4/4.4",
        ),
        (
            "goals=3-4",
            "write goals as column and row from 0, such as 3.4/4.4",
        ),
        (
            "goals=8.0",
            "the goal 8.0 is off the board, which goes from 0.0 to 7.7",
        ),
        ("goals=1.2/1.2", "the goal 1.2 is named twice"),
        (
            "column=keep",
            "take replace or keep-capture or keep-cancel or or",
        ),
        ("overspend=pay", "take lose or truncate"),
        ("rules=life", "take duel or p2life or colour-life"),
        ("seed=5", "only rules=p2life throws a coin"),
        ("colour=red", notation),
        ("mana=3,mana=4", notation),
    ];
    for (options, expected) in rows {
        let error = format!("duel:{options}")
            .parse::<AnyGame>()
            .expect_err(options);
        let error = error.to_string();
        assert!(error.starts_with("duel: `"), "{error}");
        assert!(error.ends_with(&format!("`: {expected}")), "{error}");
    }
    let error = "duel:rules=p2life,seed=-1"
        .parse::<AnyGame>()
        .expect_err("below 0");
    let expected = "duel: `seed=-1`: a seed is a number from 0 to 2^64 - 1";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn boards_of_one_size_refuse_others() {
    let refused = Duel::<Board8>::standard(16, 16).expect_err("it is larger");
    assert_eq!(refused.to_string(), "this type of board has another size");
    assert!(Duel::<Board16>::standard(8, 8).is_err());
    assert!(Duel::<BoardAny>::standard(8, 8).is_ok());
}

#[test]
fn goals_stand_in_the_middle() {
    for rows in 1..=32 {
        for columns in 1..=64 {
            let game: Duel<BoardAny> = Duel::standard(rows, columns).expect("it fits");
            let start = game.start();
            let goals = game.goals(&start);
            assert_eq!(goals.turned(game.size()), *goals, "{rows}x{columns}");
            assert_eq!(game.symmetries(), 2);
        }
    }
    let goals = |rows, columns| games::duel::DuelRules::standard(rows, columns).goals;
    assert_eq!(goals(8, 8), [(3, 3), (4, 3), (3, 4), (4, 4)]);
    let tall = (6..=9).flat_map(|y| [(7, y), (8, y)]);
    assert_eq!(goals(16, 16), tall.collect::<Vec<_>>());
}

proptest! {
    /// Text parses as a column exactly where these few lines say so.
    #[test]
    fn any_text_is_a_column_or_an_error(text in "[01 x+\t]{0,20}") {
        let game = eight();
        let words: Vec<&str> = text.split_whitespace().collect();
        let digits: Vec<String> = match words.as_slice() {
            [word] => word.chars().map(String::from).collect(),
            words => words.iter().map(|word| word.to_string()).collect(),
        };
        let is_column = digits.len() == 8 && digits.iter().all(|d| d == "0" || d == "1");
        let cost = digits.iter().filter(|d| *d == "1").count();
        let read = game.parse_move(&game.start(), Seat::First, &text);
        prop_assert_eq!(read.is_ok(), is_column && cost <= 6);
        if let Ok(column) = read {
            prop_assert_eq!(game.write_move(column, Seat::First), digits.concat());
        }
    }

    /// No text of options or of a position causes a panic, and a name that parses is the same
    /// after writing and parsing it again.
    #[test]
    fn any_text_is_a_game_or_an_error(text in "(([0-9]{1,2}x[0-9]{1,2}|mana=[0-9]{1,3}|goals=[0-9]\\.[0-9]|turns=[0-9]{0,3}|column=or|rules=p2life|seed=[0-9]{1,3}|[a-z=]{0,6}),?){0,4}") {
        if let Ok(game) = format!("duel:{text}").parse::<AnyGame>() {
            let again = game.to_string().parse::<AnyGame>();
            prop_assert_eq!(again, Ok(game));
        }
    }

    #[test]
    fn any_text_is_a_position_or_an_error(text in "([.OXt\u{e9}]{2,3}\n){1,3}(turn [0-9]{1,3}\n)?(mana [0-9] [0-9]\n)?(score [0-9]{1,9} [0-9]\n)?(turned)?") {
        let game: Duel<BoardAny> = Duel::standard(2, 3).expect("it fits");
        if let Ok(state) = game.parse_state(&text) {
            let again = game.parse_state(&game.write_state(&state));
            prop_assert_eq!(again, Ok(state));
        }
    }
}
