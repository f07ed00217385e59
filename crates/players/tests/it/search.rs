//! Players of any game where the seats take turns.

use games::mnk::Mnk;
use games::{AnyGame, Dice, Game, JointMove, Outcome, Seat, Turn, with_game};
use players::{Clock, NullObserver, Player, Value, conformance, open};

/// Plays one game from a position; how it ended.
fn play<G: Game>(
    game: &G,
    mut state: G::State,
    players: [&mut dyn Player<G>; 2],
    seed: u64,
) -> Outcome {
    let [first, second] = players;
    first.begin(seed);
    second.begin(seed ^ 0x5555);
    loop {
        let mover = match game.turn(&state) {
            Turn::Over(outcome) => return outcome,
            Turn::One(Seat::First) => &mut *first,
            Turn::One(Seat::Second) => &mut *second,
            Turn::Both => panic!("the seats take turns"),
        };
        let seat = if let Turn::One(seat) = game.turn(&state) {
            seat
        } else {
            Seat::First
        };
        let thought = mover.think(game, &state, seat, &mut NullObserver);
        game.apply(&mut state, JointMove::One(thought.choice));
    }
}

/// The value of a position to the seat that moves: 1, 0 or -1, by looking at everything.
fn minimax<G: Game>(game: &G, state: &G::State) -> i32 {
    let Turn::One(seat) = game.turn(state) else {
        panic!("a position to move in")
    };
    let mut moves = Vec::new();
    game.moves(state, seat, &mut moves);
    let value = |&m: &G::Move| {
        let mut after = state.clone();
        game.apply(&mut after, JointMove::One(m));
        match game.turn(&after) {
            Turn::Over(Outcome::Draw) => 0,
            Turn::Over(Outcome::Win(winner)) => {
                if winner == seat {
                    1
                } else {
                    -1
                }
            }
            _ => -minimax(game, &after),
        }
    };
    moves.iter().map(value).max().expect("a move")
}

fn positions<G: Game>(game: &G, count: usize, least: u32, seed: u64) -> Vec<G::State> {
    let mut dice = Dice::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut state = game.start();
        for _ in 0..least + dice.below(3) {
            if let Ok(joint) = game.random_joint(&state, &mut dice) {
                game.apply(&mut state, joint);
            }
        }
        if game.turn(&state).outcome().is_none() {
            found.push(state);
        }
    }
    found
}

const GAMES: &[&str] = &[
    "tictactoe",
    "mnk:4,3,3",
    "mnk:1,1,1",
    "mnk:5,1,3",
    "mnk:9,9,5",
    "stones",
    "stones:adjacency=off",
];

#[test]
fn every_player_keeps_to_its_promises() {
    for name in GAMES {
        let game: AnyGame = name.parse().expect(name);
        with_game!(game, |game| {
            for player in [
                "random",
                "material",
                "alphabeta:depth=2",
                "alphabeta:nodes=500",
                "mcts:playouts=60",
                "mcts:playouts=40,c=0.5,cutoff=5",
            ] {
                conformance::check(&game, player, &Clock::system(), 6, 3);
            }
            conformance::check(&game, "mcts:ms=1", &Clock::system(), 2, 3);
            conformance::check(&game, "alphabeta:ms=1", &Clock::system(), 2, 3);
        });
    }
}

/// What is proven is true.
#[test]
fn proofs_agree_with_looking_at_everything() {
    let game = Mnk::<1>::new(4, 3, 3).expect("it fits");
    for text in [
        "alphabeta:depth=12",
        "alphabeta:depth=3",
        "mcts:playouts=300",
        "mcts:playouts=20000",
    ] {
        let mut player = open(&game, text, &Clock::system()).expect(text);
        let mut proven = 0;
        for state in positions(&game, 60, 4, 9) {
            let Turn::One(seat) = game.turn(&state) else {
                unreachable!()
            };
            player.begin(1);
            let thought = player.think(&game, &state, seat, &mut NullObserver);
            let expected = match minimax(&game, &state) {
                0 => Outcome::Draw,
                1 => Outcome::Win(seat),
                _ => Outcome::Win(seat.other()),
            };
            if let Some(Value::Proven(outcome)) = thought.value {
                proven += 1;
                assert_eq!(outcome, expected, "{text}\n{}", game.write_state(&state));
                let mut after = state;
                game.apply(&mut after, JointMove::One(thought.choice));
                let kept = match game.turn(&after) {
                    Turn::Over(Outcome::Draw) => 0,
                    Turn::Over(_) => 1,
                    _ => -minimax(&game, &after),
                };
                assert_eq!(
                    kept,
                    minimax(&game, &state),
                    "{text}\n{}",
                    game.write_state(&state)
                );
            }
        }
        let least = if text.contains("depth=12") || text.contains("20000") {
            60
        } else {
            20
        };
        assert!(proven >= least, "{text} proved {proven} of 60");
    }
}

/// The nearest win is taken, and a loss put off.
#[test]
fn alphabeta_wins_soon_and_loses_late() {
    let game = Mnk::TICTACTOE;
    let mut player = open(&game, "alphabeta:depth=9", &Clock::system()).expect("a player");
    let at = |text: &str| game.parse_state(text).expect(text);
    let state = at("OO.\nXX.\n...\nO to move\n");
    let thought = player.think(&game, &state, Seat::First, &mut NullObserver);
    assert_eq!(game.write_move(thought.choice, Seat::First), "C1");
    assert_eq!(thought.line.len(), 1);
    // X has two threats: O blocks one of them rather than giving up at once
    let state = at("X.X\n.O.\nX.O\nO to move\n");
    let thought = player.think(&game, &state, Seat::First, &mut NullObserver);
    assert_eq!(
        thought.value,
        Some(Value::Proven(Outcome::Win(Seat::Second)))
    );
    let choice = game.write_move(thought.choice, Seat::First);
    assert!(["B1", "A2"].contains(&choice.as_str()), "{choice}");
    assert_eq!(thought.line.len(), 2);
}

/// Whole games of 3x3: lost, drawn, won.
fn results(one: &str, other: &str, games: u64) -> [u64; 3] {
    let game = Mnk::TICTACTOE;
    let mut player = open(&game, one, &Clock::system()).expect(one);
    let mut opponent = open(&game, other, &Clock::system()).expect(other);
    let mut results = [0; 3];
    for seed in 0..games {
        let own = if seed % 2 == 0 {
            Seat::First
        } else {
            Seat::Second
        };
        let players: [&mut dyn Player<Mnk<1>>; 2] = match own {
            Seat::First => [player.as_mut(), opponent.as_mut()],
            Seat::Second => [opponent.as_mut(), player.as_mut()],
        };
        let outcome = play(&game, game.start(), players, seed);
        results[outcome.half_points(own) as usize] += 1;
    }
    results
}

#[test]
fn mcts_does_not_lose_at_three_in_a_row() {
    for opponent in ["random", "mcts:playouts=1000", "perfect"] {
        let games = if opponent == "random" { 100 } else { 30 };
        let [lost, drawn, won] = results("mcts:playouts=1000", opponent, games);
        assert_eq!(lost, 0, "against {opponent}: drawn {drawn}, won {won}");
        assert!(opponent != "random" || won > drawn);
    }
}

#[test]
#[ignore = "run by `cargo xtask long`, in release"]
fn mcts_never_loses_at_three_in_a_row() {
    for opponent in [
        "random",
        "mcts:playouts=1000",
        "alphabeta:depth=9",
        "perfect",
    ] {
        let [lost, drawn, won] = results("mcts:playouts=1000", opponent, 10_000);
        eprintln!("against {opponent}: lost {lost}, drawn {drawn}, won {won}");
        assert_eq!(lost, 0, "against {opponent}");
    }
}

/// The best lead after a number of turns, by full search; 0 where that is cut off.
fn lead_ahead<G: Game>(game: &G, state: &G::State, depth: u32) -> i64 {
    let seat = match game.turn(state) {
        Turn::One(seat) => seat,
        Turn::Over(Outcome::Draw) => return 0,
        Turn::Over(Outcome::Win(Seat::First)) => return FAR,
        Turn::Over(Outcome::Win(Seat::Second)) => return -FAR,
        Turn::Both => panic!("the seats take turns"),
    };
    if depth == 0 {
        return game.lead(state);
    }
    let mut moves = Vec::new();
    game.moves(state, seat, &mut moves);
    let values = moves.iter().map(|&m| {
        let mut after = state.clone();
        game.apply(&mut after, JointMove::One(m));
        lead_ahead(game, &after, depth - 1)
    });
    match seat {
        Seat::First => values.max().expect("a move"),
        Seat::Second => values.min().expect("a move"),
    }
}

const FAR: i64 = 1 << 40;

#[test]
fn alphabeta_sees_what_plain_minimax_sees() {
    let game = games::stones::Stones::default();
    for depth in [1, 2, 3] {
        let count = [0, 20, 8, 2][depth as usize];
        for state in positions(&game, count, 30, u64::from(depth)) {
            let Turn::One(seat) = game.turn(&state) else {
                unreachable!()
            };
            let text = format!("alphabeta:depth={depth}");
            let mut player = open(&game, &text, &Clock::system()).expect("a player");
            let thought = player.think(&game, &state, seat, &mut NullObserver);
            let sign = if seat == Seat::First { 1 } else { -1 };
            let expected = match sign * lead_ahead(&game, &state, depth) {
                FAR => Value::Proven(Outcome::Win(seat)),
                lead if lead == -FAR => Value::Proven(Outcome::Win(seat.other())),
                lead => Value::Lead(lead as f64),
            };
            assert_eq!(
                thought.value,
                Some(expected),
                "{}",
                game.write_state(&state)
            );
            assert_eq!(thought.depth, depth);
            // the line leads to what it says
            let mut end = state;
            thought
                .line
                .iter()
                .for_each(|&joint| game.apply(&mut end, joint));
            if let Value::Lead(lead) = expected {
                assert_eq!(thought.line.len(), depth as usize);
                assert_eq!(sign * game.lead(&end), lead as i64);
            }
        }
    }
}

#[test]
fn what_is_no_player_is_told() {
    let game = Mnk::TICTACTOE;
    let rows = [
        (
            "chance",
            "tictactoe has no player `chance`; its players are random, material, ",
        ),
        ("mcts:ms=0", "mcts: `ms=0`: give a whole number above 0"),
        ("mcts:c=-1", "mcts: `c=-1`: give a number of at least 0"),
        (
            "mcts:cutoff=0",
            "mcts: `cutoff=0`: give a number of turns above 0, or off",
        ),
        (
            "alphabeta:deep=3",
            "alphabeta: `deep=3`: this player has no such option",
        ),
        (
            "regret",
            "regret cannot play tictactoe: its seats take turns",
        ),
    ];
    for (text, expected) in rows {
        let error = open(&game, text, &Clock::system())
            .err()
            .expect(text)
            .to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let names: Vec<_> = players::names::<Mnk<1>>().collect();
    assert!(names.starts_with(&["random", "material", "alphabeta", "mcts", "regret"]));
    let fitting: Vec<_> = players::players_of(&game).collect();
    assert!(fitting.contains(&"alphabeta") && !fitting.contains(&"regret"));
    let rows = [
        ("greedy", "material"),
        ("mcts", "mcts:ms=50"),
        ("mcts:c=1,playouts=9,cutoff=off", "mcts:playouts=9"),
        ("mcts:cutoff=20,c=0.25", "mcts:ms=50,c=0.25,cutoff=20"),
        ("alphabeta", "alphabeta:depth=4"),
        ("alphabeta:nodes=10,ms=3", "alphabeta:ms=3,nodes=10"),
    ];
    for (text, expected) in rows {
        assert_eq!(
            open(&game, text, &Clock::system()).expect(text).name(),
            expected
        );
    }
}

/// Only `material` does not look ahead, and it uses the lead.
#[test]
fn material_takes_the_most() {
    let game = games::stones::Stones::default();
    let mut player = open(&game, "material", &Clock::system()).expect("a player");
    let mut opponent = open(&game, "random", &Clock::system()).expect("a player");
    let mut won = 0;
    for seed in 0..20 {
        let players: [&mut dyn Player<_>; 2] = match seed % 2 {
            0 => [player.as_mut(), opponent.as_mut()],
            _ => [opponent.as_mut(), player.as_mut()],
        };
        let own = if seed % 2 == 0 {
            Seat::First
        } else {
            Seat::Second
        };
        won += u32::from(play(&game, game.start(), players, seed) == Outcome::Win(own));
    }
    assert_eq!(won, 20);
}
