//! The strong player of stones.

use games::stones::{Stones, StonesBoard, StonesPosition, point};
use games::{Dice, Game as _, JointMove, Outcome, Seat, Turn};
use players::{Clock, NullObserver, Player, SearchObserver, Thought, Value, conformance, open};

fn games() -> [Stones; 2] {
    [true, false].map(|adjacency| Stones {
        adjacency,
        ..Stones::default()
    })
}

fn player(game: &Stones, text: &str) -> Box<dyn Player<Stones>> {
    open(game, text, &Clock::system()).expect(text)
}

#[test]
fn it_keeps_what_players_promise() {
    for game in games() {
        conformance::check(&game, "strong:depth=1", &Clock::system(), 8, 1);
        conformance::check(&game, "strong:nodes=300", &Clock::system(), 8, 2);
        conformance::check(&game, "strong:ms=1", &Clock::system(), 8, 3);
    }
}

#[test]
fn it_is_read_and_written() {
    let game = Stones::default();
    let rows = [
        ("strong", "strong:ms=50"),
        ("strong:depth=3", "strong:depth=3"),
        ("strong:nodes=100,ms=7", "strong:ms=7,nodes=100"),
    ];
    for (text, expected) in rows {
        assert_eq!(player(&game, text).name(), expected);
    }
    let error = open(&game, "strong:width=3", &Clock::system())
        .err()
        .expect("no such option");
    assert_eq!(
        error.to_string(),
        "strong: `width=3`: this player has no such option"
    );
}

/// How a game between two players ends, from an opening.
fn play(game: &Stones, opening: &StonesPosition, players: [&mut dyn Player<Stones>; 2]) -> Outcome {
    let mut state = *opening;
    loop {
        match game.turn(&state) {
            Turn::Over(outcome) => return outcome,
            Turn::One(seat) => {
                let thought = players[seat.index()].think(game, &state, seat, &mut NullObserver);
                game.apply(&mut state, JointMove::One(thought.choice));
            }
            Turn::Both => panic!("the seats take turns"),
        }
    }
}

/// The specification says 100 %.
#[test]
fn material_beats_random() {
    let game = Stones::default();
    let mut material = player(&game, "material");
    let mut random = player(&game, "random");
    let mut half_points = 0;
    for number in 0..50 {
        material.begin(number);
        random.begin(number);
        let start = game.start();
        let end = play(&game, &start, [material.as_mut(), random.as_mut()]);
        half_points += end.half_points(Seat::First);
        let end = play(&game, &start, [random.as_mut(), material.as_mut()]);
        half_points += end.half_points(Seat::Second);
    }
    assert!(half_points >= 198, "{half_points} of 200");
}

/// The long match is played by the example `tune_stones`; this is a short one.
#[test]
fn it_beats_material() {
    for game in games() {
        let mut strong = player(&game, "strong:nodes=150");
        let mut material = player(&game, "material");
        let mut half_points = 0;
        for number in 0..4 {
            let mut dice = Dice::of_part(6, number);
            let mut opening = game.start();
            for _ in 0..4 {
                let joint = game.random_joint(&opening, &mut dice);
                game.apply(&mut opening, joint.expect("four plies end no game"));
            }
            strong.begin(number);
            material.begin(number);
            let end = play(&game, &opening, [strong.as_mut(), material.as_mut()]);
            half_points += end.half_points(Seat::First);
            let end = play(&game, &opening, [material.as_mut(), strong.as_mut()]);
            half_points += end.half_points(Seat::Second);
        }
        assert!(half_points >= 14, "{}: {half_points} of 16", game.name());
    }
}

/// Whether the seat that moved into this position has won it within this many plies, by full
/// search.
fn is_lost(game: &Stones, state: &StonesPosition, seat: Seat, plies: u32) -> bool {
    match game.turn(state) {
        Turn::Over(outcome) => outcome == Outcome::Win(seat.other()),
        _ if plies == 0 => false,
        Turn::One(mover) => {
            let mut moves = Vec::new();
            game.moves(state, mover, &mut moves);
            let mut after = moves.iter().map(|&m| {
                let mut after = *state;
                game.apply(&mut after, JointMove::One(m));
                is_lost(game, &after, seat, plies - 1)
            });
            match mover == seat {
                true => after.all(|lost| lost),
                false => after.any(|lost| lost),
            }
        }
        Turn::Both => unreachable!("the seats take turns"),
    }
}

/// A few stones of each colour, near each other.
fn skirmish(game: &Stones, dice: &mut Dice) -> StonesPosition {
    let mut board = StonesBoard::default();
    for _ in 0..2 + dice.below(8) {
        let at = point(7 + dice.below(5), 7 + dice.below(5));
        if games::stones::has(&board.empty(), at) {
            board.put(Seat::BOTH[dice.below(2) as usize], at);
        }
    }
    game.position(board, Seat::BOTH[dice.below(2) as usize], 10)
}

/// Also where the time was up before all moves were seen.
#[test]
fn what_is_proven_is_so() {
    let game = Stones::default();
    for text in ["strong:depth=2", "strong:nodes=150", "strong:nodes=60"] {
        let mut dice = Dice::new(4);
        let mut strong = player(&game, text);
        let (mut wins, mut losses) = (0, 0);
        for _ in 0..300 {
            let state = skirmish(&game, &mut dice);
            let Turn::One(seat) = game.turn(&state) else {
                continue;
            };
            let thought = strong.think(&game, &state, seat, &mut NullObserver);
            let Some(Value::Proven(Outcome::Win(winner))) = thought.value else {
                continue;
            };
            let place = || format!("{text}, {thought:?}\n{}", game.write_state(&state));
            if winner != seat {
                losses += 1;
                assert!(is_lost(&game, &state, seat, 2), "{}", place());
            } else if thought.line.len() <= 3 {
                wins += 1;
                let mut after = state;
                game.apply(&mut after, JointMove::One(thought.choice));
                assert!(is_lost(&game, &after, seat.other(), 2), "{}", place());
            }
        }
        assert!(wins > 10 && losses > 2, "{text}: {wins} {losses}");
    }
}

/// The game is a draw after its last ply, and the search knows it.
#[test]
fn the_last_ply_is_no_place_to_look_beyond() {
    let game = Stones {
        plies: 3,
        ..Stones::default()
    };
    let mut state = game.start();
    for _ in 0..2 {
        let joint = game.random_joint(&state, &mut Dice::new(1));
        game.apply(&mut state, joint.expect("it lasts three plies"));
    }
    let mut strong = player(&game, "strong:depth=3");
    let thought = strong.think(&game, &state, Seat::First, &mut NullObserver);
    assert_eq!(thought.value, Some(Value::Lead(0.0)));
    assert_eq!(thought.line.len(), 1);
}

/// An observer that counts reports, and stops the search after a number of queries.
struct LateStopObserver {
    /// The number of queries that it still allows.
    yes: u32,
    /// The number of queries after the stop.
    no: u32,
    depths: Vec<u32>,
}

impl SearchObserver<games::stones::StonesPoint> for LateStopObserver {
    fn goes_on(&mut self) -> bool {
        match self.yes.checked_sub(1) {
            Some(left) => self.yes = left,
            None => self.no += 1,
        }
        self.no == 0
    }

    fn report(&mut self, thought: &Thought<games::stones::StonesPoint>) {
        assert!(thought.nodes > 0);
        self.depths.push(thought.depth);
    }
}

#[test]
fn it_stops_soon_and_tells_how_far_it_came() {
    let game = Stones::default();
    let mut strong = player(&game, "strong:depth=60");
    let mut watch = LateStopObserver {
        yes: 2000,
        no: 0,
        depths: Vec::new(),
    };
    let thought = strong.think(&game, &game.start(), Seat::First, &mut watch);
    // between two queries lies a fraction of a millisecond, and there are no further ones
    assert_eq!((watch.yes, watch.no), (0, 1));
    let counted: Vec<u32> = (1..=thought.depth).collect();
    assert_eq!(watch.depths, counted);
    assert!(thought.depth >= 1 && !thought.line.is_empty() && thought.nodes > 50);
}
