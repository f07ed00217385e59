//! The exact solver against plain minimax, the players of the small board against every
//! line that an opponent can try.

use games::mnk::{Cell, Mnk, MnkPosition};
use games::{Dice, Game as _, JointMove, Outcome, Seat, Turn};
use players::mnk::{
    Advisor, HeuristicPlayer, LineOutcomeTally, MnkSolution, MnkSolver, PerfectPlayer, verify,
};
use players::{
    Clock, NullObserver, Player, PlayerError, PlayerLimits, SearchObserver, Thought, Value, open,
};

/// The value of a position by plain minimax: no table, no move ordering, no rule about lines,
/// and only pruning that cannot change the result.
fn minimax(game: &Mnk<1>, state: &MnkPosition<1>) -> Outcome {
    match worth(game, state, -1, 1) {
        0 => Outcome::Draw,
        1 => Outcome::Win(Seat::First),
        _ => Outcome::Win(Seat::Second),
    }
}

/// 1 if the first seat wins, -1 if the second does; `low` and `high` are what the two have
/// for certain elsewhere (alpha and beta).
fn worth(game: &Mnk<1>, state: &MnkPosition<1>, mut low: i8, mut high: i8) -> i8 {
    let seat = match game.turn(state) {
        Turn::Over(Outcome::Draw) => return 0,
        Turn::Over(Outcome::Win(Seat::First)) => return 1,
        Turn::Over(Outcome::Win(Seat::Second)) => return -1,
        Turn::One(seat) => seat,
        Turn::Both => panic!("the seats take turns"),
    };
    let mut moves = Vec::new();
    game.moves(state, seat, &mut moves);
    for cell in moves {
        let value = worth(game, &after(game, state, cell), low, high);
        match seat {
            Seat::First => low = low.max(value),
            Seat::Second => high = high.min(value),
        }
        if low >= high {
            break;
        }
    }
    match seat {
        Seat::First => low,
        Seat::Second => high,
    }
}

fn after(game: &Mnk<1>, state: &MnkPosition<1>, cell: Cell) -> MnkPosition<1> {
    let mut next = *state;
    game.apply(&mut next, JointMove::One(cell));
    next
}

fn board(m: u32, n: u32, k: u32) -> Mnk<1> {
    Mnk::new(m, n, k).expect("a board of one word")
}

fn solve(game: &Mnk<1>, state: &MnkPosition<1>) -> MnkSolution {
    let mut solver = MnkSolver::new(game).expect("at most 64 cells");
    solver.solve(state, PlayerLimits::default(), &mut NullObserver)
}

/// The line of best play leads where the value says, move by legal move.
fn check_line(game: &Mnk<1>, state: &MnkPosition<1>, solution: &MnkSolution) {
    let mut end = *state;
    for &cell in &solution.line {
        let seat = end.to_move();
        assert!(game.is_legal(&end, seat, cell), "{solution:?}");
        end = after(game, &end, cell);
    }
    let text = game.write_state(state);
    assert_eq!(game.turn(&end).outcome(), solution.value, "{text}");
}

/// A position after this many random moves; games that end before are played again.
fn random_position(game: &Mnk<1>, plies: u32, dice: &mut Dice) -> MnkPosition<1> {
    loop {
        let mut state = game.start();
        for _ in 0..plies {
            let Ok(joint) = game.random_joint(&state, dice) else {
                break;
            };
            game.apply(&mut state, joint);
        }
        if state.count() == plies && game.turn(&state).outcome().is_none() {
            return state;
        }
    }
}

#[test]
fn small_boards_are_worth_what_minimax_says() {
    for m in 1..=4 {
        for n in 1..=4 {
            if m * n > 12 {
                continue;
            }
            for k in 1..=m.max(n) {
                let game = board(m, n, k);
                let start = game.start();
                let solution = solve(&game, &start);
                assert_eq!(
                    solution.value,
                    Some(minimax(&game, &start)),
                    "{}",
                    game.name()
                );
                check_line(&game, &start, &solution);
            }
        }
    }
}

#[test]
fn every_position_of_tictactoe_is_worth_what_minimax_says() {
    let game = Mnk::TICTACTOE;
    let mut solver = MnkSolver::new(&game).expect("at most 64 cells");
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![game.start()];
    while let Some(state) = open.pop() {
        if !seen.insert(state) {
            continue;
        }
        // one solver for all: its tables must not mislead it
        let solution = solver.solve(&state, PlayerLimits::default(), &mut NullObserver);
        assert_eq!(
            solution.value,
            Some(minimax(&game, &state)),
            "{}",
            game.write_state(&state)
        );
        check_line(&game, &state, &solution);
        if let Turn::One(seat) = game.turn(&state) {
            let mut moves = Vec::new();
            game.moves(&state, seat, &mut moves);
            open.extend(moves.into_iter().map(|cell| after(&game, &state, cell)));
        }
    }
    assert_eq!(seen.len(), 5478);
}

#[test]
fn random_positions_are_worth_what_minimax_says() {
    let mut dice = Dice::new(5);
    let rows = [
        (4, 3, 3, 3),
        (4, 3, 4, 3),
        (3, 5, 3, 5),
        (4, 4, 3, 6),
        (4, 4, 4, 7),
        (5, 4, 3, 10),
        (5, 4, 4, 11),
        (1, 13, 3, 4),
        (6, 2, 3, 3),
        (5, 5, 4, 16),
        (5, 5, 5, 16),
        (6, 5, 4, 21),
        (8, 8, 5, 55),
        (7, 9, 4, 54),
    ];
    for (m, n, k, plies) in rows {
        let game = board(m, n, k);
        let mut solver = MnkSolver::new(&game).expect("at most 64 cells");
        for _ in 0..60 {
            let state = random_position(&game, plies, &mut dice);
            let solution = solver.solve(&state, PlayerLimits::default(), &mut NullObserver);
            let place = format!("{}\n{}", game.name(), game.write_state(&state));
            assert_eq!(solution.value, Some(minimax(&game, &state)), "{place}");
            check_line(&game, &state, &solution);
        }
    }
}

/// Positions that no game leads to, with more stones of one seat.
#[test]
fn uneven_positions_are_worth_what_minimax_says() {
    let mut dice = Dice::new(8);
    for (m, n, k) in [(3, 3, 3), (4, 3, 3), (4, 3, 4), (4, 4, 4)] {
        let game = board(m, n, k);
        let mut solver = MnkSolver::new(&game).expect("at most 64 cells");
        for _ in 0..150 {
            let state = loop {
                let mut text = String::new();
                for _ in 0..n {
                    text.extend((0..m).map(|_| ["O", "X", ".", ".", "."][dice.below(5) as usize]));
                    text.push('\n');
                }
                text.push_str(["O to move\n", "X to move\n"][dice.below(2) as usize]);
                let state = game.parse_state(&text).expect("a board");
                if game.cells() - state.count() <= 10 {
                    break state;
                }
            };
            let solution = solver.solve(&state, PlayerLimits::default(), &mut NullObserver);
            let place = format!("{}\n{}", game.name(), game.write_state(&state));
            assert_eq!(solution.value, Some(minimax(&game, &state)), "{place}");
        }
    }
}

/// The values that are known from elsewhere: Uiterwijk and van den Herik, "The advantage of
/// the initiative", 2000, for the larger ones.
#[test]
fn known_boards_have_their_values() {
    let first = Outcome::Win(Seat::First);
    let rows = [
        (3, 3, 3, Outcome::Draw),
        (4, 3, 3, first),
        (3, 4, 3, first),
        (4, 4, 3, first),
        (4, 4, 4, Outcome::Draw),
        (5, 4, 4, Outcome::Draw),
        (4, 5, 4, Outcome::Draw),
        (5, 5, 4, Outcome::Draw),
        (6, 5, 4, first),
        (5, 5, 5, Outcome::Draw),
        (6, 6, 5, Outcome::Draw),
        (8, 8, 8, Outcome::Draw),
    ];
    for (m, n, k, expected) in rows {
        let game = board(m, n, k);
        let solution = solve(&game, &game.start());
        assert_eq!(solution.value, Some(expected), "{}", game.name());
        assert!(solution.nodes > 0);
        if expected == first {
            check_line(&game, &game.start(), &solution);
        }
    }
}

#[test]
fn a_stopped_solver_does_not_know() {
    let game = board(7, 7, 5);
    let mut solver = MnkSolver::new(&game).expect("at most 64 cells");
    let limits = PlayerLimits {
        nodes: Some(1000),
        ..PlayerLimits::default()
    };
    let solution = solver.solve(&game.start(), limits, &mut NullObserver);
    assert_eq!((solution.value, solution.line), (None, Vec::new()));

    struct ImmediateStopObserver;
    impl SearchObserver<Cell> for ImmediateStopObserver {
        fn goes_on(&mut self) -> bool {
            false
        }
    }
    let solution = solver.solve(
        &game.start(),
        PlayerLimits::default(),
        &mut ImmediateStopObserver,
    );
    assert_eq!(solution.value, None);
    // the bounds stored before it was stopped are still right
    let mut dice = Dice::new(3);
    let late = random_position(&game, 40, &mut dice);
    let solution = solver.solve(&late, PlayerLimits::default(), &mut NullObserver);
    assert_eq!(solution.value, Some(minimax(&game, &late)));
}

#[test]
fn boards_that_cannot_be_solved_are_refused() {
    assert!(MnkSolver::new(&Mnk::<6>::new(9, 8, 4).expect("it fits")).is_none());
    let unfit = |error: Option<PlayerError>| match error {
        Some(PlayerError::Unfit { problem, .. }) => problem,
        other => panic!("{other:?}"),
    };
    let large = Mnk::<6>::new(15, 15, 5).expect("it fits");
    let problem = unfit(open(&large, "perfect", &Clock::system()).err());
    assert_eq!(problem, "the board has more than 64 cells");
    let hard = board(7, 7, 5);
    let problem = unfit(open(&hard, "perfect", &Clock::system()).err());
    assert!(problem.contains("perfect:ms=1000"), "{problem}");
    let problem = unfit(open(&hard, "heuristic", &Clock::system()).err());
    assert_eq!(problem, "its rules are for tictactoe");

    let mut limited = open(&hard, "perfect:nodes=100", &Clock::system()).expect("it has a limit");
    assert_eq!(limited.name(), "perfect:nodes=100");
    let thought = limited.think(&hard, &hard.start(), Seat::First, &mut NullObserver);
    assert_eq!(hard.cell_name(thought.choice), "D4");
    assert_eq!(thought.value, None);
    assert!(thought.reason.is_some_and(|r| r.starts_with("not solved")));
    assert!(open(&hard, "perfect:depth=3", &Clock::system()).is_err());
    assert!(open(&Mnk::TICTACTOE, "heuristic:as-publish", &Clock::system()).is_err());
}

/// As many as the numbers of the publication's list, and none by the mended list.
#[test]
fn the_list_loses_as_many_lines_as_it_should() {
    let game = Mnk::TICTACTOE;
    let rows = [
        (false, Seat::First, (392, 184, 0)),
        (false, Seat::Second, (656, 472, 0)),
        (true, Seat::First, (720, 480, 0)),
        (true, Seat::Second, (912, 1568, 400)),
    ];
    for (is_as_published, seat, (won, drawn, lost)) in rows {
        let mut player = HeuristicPlayer::new(&game, is_as_published).expect("3x3");
        let tally = verify(&game, &mut player, seat);
        assert_eq!(tally, LineOutcomeTally { won, drawn, lost }, "{seat}");
    }
}

/// Every rule of the list, by a position where it is the first that fits.
#[test]
fn each_rule_says_why() {
    let rows: &[(&str, Option<&str>, &str, &[&str])] = &[
        ("XX.OO...O", Some("A3"), "wins at", &["C1"]),
        ("OO..X....", Some("B1"), "blocks", &["C1"]),
        ("O.O.X.O.X", None, "blocks", &["B1", "A2"]),
        ("O........", Some("A1"), "takes the centre,", &["B2"]),
        (
            "O...X...O",
            Some("C3"),
            "answers two opposite corners with the edge",
            &["B1", "A2", "C2", "B3"],
        ),
        (
            "..O.X..O.",
            Some("B3"),
            "answers an edge and a corner beyond it with",
            &["A3"],
        ),
        (
            "....O....",
            None,
            "takes the free corner",
            &["A1", "C1", "A3", "C3"],
        ),
        (
            "O..XO...X",
            Some("A1"),
            "answers a corner with the corner",
            &["C1", "A3"],
        ),
        (
            ".O.OX....",
            Some("A2"),
            "takes the corner between two edges,",
            &["A1"],
        ),
        (
            ".O..X..O.",
            Some("B3"),
            "answers an edge with the edge",
            &["A2", "C2"],
        ),
        ("OXO.O.XOX", None, "takes the free edge", &["A2", "C2"]),
    ];
    let game = Mnk::TICTACTOE;
    let player = HeuristicPlayer::new(&game, false).expect("3x3");
    for &(cells, last, reason, choices) in rows {
        let text = format!(
            "{}\n{}\n{}\nX to move\n",
            &cells[..3],
            &cells[3..6],
            &cells[6..]
        );
        let state = game.parse_state(&text).expect(cells);
        let last = last.map(|name| {
            let column = u32::from(name.as_bytes()[0] - b'A');
            game.cell(column, u32::from(name.as_bytes()[1] - b'1'))
        });
        let advice = player.advice(&state, Seat::Second, last);
        let names: Vec<String> = advice.choices.iter().map(|&c| game.cell_name(c)).collect();
        assert_eq!(
            (advice.reason, names),
            (reason, choices.iter().map(|&c| c.into()).collect()),
            "{cells}"
        );
    }
}

/// What the published list lacks: a win of its own, and a move where no rule fits.
#[test]
fn the_published_list_lacks_two_rules() {
    let game = Mnk::TICTACTOE;
    let player = HeuristicPlayer::new(&game, true).expect("3x3");
    let rows: [(&str, Option<Cell>, &str, usize); 2] = [
        ("XX.\n.O.\nO.O\nX to move\n", None, "blocks", 2),
        (
            "...\n.O.\n...\nX to move\n",
            Some(4),
            "knows no rule and takes",
            8,
        ),
    ];
    for (text, last, reason, choices) in rows {
        let state = game.parse_state(text).expect("3x3");
        let advice = player.advice(&state, Seat::Second, last);
        assert_eq!((advice.reason, advice.choices.len()), (reason, choices));
    }
}

fn tictactoe_player(text: &str) -> Box<dyn Player<Mnk<1>>> {
    let mut player = open(&Mnk::TICTACTOE, text, &Clock::system()).expect(text);
    assert_eq!(player.name(), text);
    player.begin(11);
    player
}

/// As a player, without being given the last move, the list still never loses.
#[test]
fn players_never_lose_to_any_line() {
    struct PlayerAdvisor(Box<dyn Player<Mnk<1>>>);
    impl Advisor for PlayerAdvisor {
        fn choices(
            &mut self,
            game: &Mnk<1>,
            state: &MnkPosition<1>,
            seat: Seat,
            _: Option<Cell>,
        ) -> Vec<Cell> {
            vec![self.0.think(game, state, seat, &mut NullObserver).choice]
        }
    }
    for name in ["perfect", "heuristic", "perfect:nodes=100000"] {
        for seat in Seat::BOTH {
            // all lines are followed by going back, as if moves were taken back
            let mut player = PlayerAdvisor(tictactoe_player(name));
            let tally = verify(&Mnk::TICTACTOE, &mut player, seat);
            assert_eq!(tally.lost, 0, "{name} in the {seat} seat: {tally:?}");
            assert!(tally.won > 0 && tally.drawn > 0);
        }
    }
}

#[test]
fn perfect_never_loses_whatever_it_chooses_among_equals() {
    let game = Mnk::TICTACTOE;
    for seat in Seat::BOTH {
        let mut player = PerfectPlayer::new(&game, PlayerLimits::default()).expect("3x3");
        assert_eq!(verify(&game, &mut player, seat).lost, 0, "{seat}");
    }
}

/// The first seat wins these against chance and against a player that wins where it can.
#[test]
fn perfect_wins_what_is_won() {
    for (m, n, k, games) in [(4, 3, 3, 40), (4, 4, 3, 40), (6, 5, 4, 6)] {
        let game = board(m, n, k);
        let mut perfect = open(&game, "perfect", &Clock::system()).expect("it is solved soon");
        for seed in 0..games {
            let mut dice = Dice::new(seed);
            let mut state = game.start();
            perfect.begin(seed);
            while let Turn::One(seat) = game.turn(&state) {
                let cell = match seat {
                    Seat::First => {
                        let thought = perfect.think(&game, &state, seat, &mut NullObserver);
                        let win = Value::Proven(Outcome::Win(Seat::First));
                        assert_eq!(thought.value, Some(win));
                        assert_eq!(thought.line[0], JointMove::One(thought.choice));
                        thought.choice
                    }
                    Seat::Second => blocking_move(&game, &state, &mut dice),
                };
                state = after(&game, &state, cell);
            }
            let end = game.turn(&state).outcome();
            assert_eq!(end, Some(Outcome::Win(Seat::First)), "{}", game.name());
        }
    }
}

/// An own win, a block, or chance.
fn blocking_move(game: &Mnk<1>, state: &MnkPosition<1>, dice: &mut Dice) -> Cell {
    let mut moves = Vec::new();
    game.moves(state, Seat::Second, &mut moves);
    let wins = |cell: Cell, of: &MnkPosition<1>| {
        let over = game.turn(&after(game, of, cell));
        matches!(over, Turn::Over(Outcome::Win(_)))
    };
    let other_to_move = game.write_state(state).replace("X to", "O to");
    let other_to_move = game.parse_state(&other_to_move).expect("the same stones");
    let own = moves.iter().copied().find(|&cell| wins(cell, state));
    let block = moves
        .iter()
        .copied()
        .find(|&cell| wins(cell, &other_to_move));
    own.or(block)
        .unwrap_or_else(|| moves[dice.below(moves.len() as u32) as usize])
}

#[test]
fn a_seed_gives_the_same_moves() {
    let game = Mnk::TICTACTOE;
    let play = |seed| -> Vec<Thought<Cell>> {
        let mut player = tictactoe_player("heuristic");
        player.begin(seed);
        let state = game.parse_state("...\n.O.\n...\nX to move\n").expect("3x3");
        let mut think = || player.think(&game, &state, Seat::Second, &mut NullObserver);
        (0..8).map(|_| think()).collect()
    };
    assert_eq!(play(1), play(1));
    assert_ne!(play(1), play(2));
    let reason = play(1)[0].reason.clone().expect("it goes by rules");
    assert!(reason.starts_with("takes the free corner "), "{reason}");
}
