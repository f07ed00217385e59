//! Conformance tests for implementations of [`Player`].
//!
//! [`check`] runs a player on random positions and in whole games, and stops it at awkward
//! moments. Tests call it for each player, with options that keep it quick.

use crate::{Clock, Player, Roster, SearchObserver, Thought, Value, open};
use games::{Dice, Game, JointMove, Seat, Turn};

/// The most further queries after the player was stopped: current steps may end, no new one may
/// begin.
const MAX_QUERIES_AFTER_STOP: u32 = 64;

/// Stops the search at a given query, and counts the queries after that.
struct CountdownObserver {
    left: u32,
    queries_after_stop: u32,
}

impl<M> SearchObserver<M> for CountdownObserver {
    fn goes_on(&mut self) -> bool {
        if self.left > 0 {
            self.left -= 1;
            return true;
        }
        self.queries_after_stop += 1;
        false
    }
}

/// Checks the contract of [`Player`], for the player that `text` creates, over about
/// `positions` positions.
///
/// # Panics
/// At the first broken promise, with the position.
///
/// ```
/// use games::mnk::Mnk;
/// use players::{Clock, conformance};
///
/// conformance::check(&Mnk::TICTACTOE, "mcts:playouts=50", &Clock::system(), 5, 1);
/// ```
pub fn check<G: Roster>(game: &G, text: &str, clock: &Clock, positions: u32, seed: u64) {
    let mut player = open(game, text, clock).unwrap_or_else(|error| panic!("{text}: {error}"));
    let name = player.name();
    let again = open(game, &name, clock).map(|player| player.name());
    assert_eq!(again, Ok(name.clone()), "the name makes the same player");

    let mut dice = Dice::new(seed);
    let places: Vec<G::State> = (0..positions)
        .map(|_| random_position(game, &mut dice))
        .collect();

    // between unrelated positions, forth and back
    player.begin(seed);
    for state in places.iter().chain(places.iter().rev()) {
        for seat in Seat::BOTH.into_iter().filter(|&s| game.turn(state).asks(s)) {
            let mut observer = CountdownObserver {
                left: u32::MAX,
                queries_after_stop: 0,
            };
            let thought = player.think(game, state, seat, &mut observer);
            check_thought(game, state, seat, &thought, &name);
        }
    }

    check_stops(game, player.as_mut(), &places);

    // unless time is the limit, the seed determines everything
    if !name.contains("ms=") {
        let mut twin = open(game, &name, clock).expect("it was opened before");
        let mut quick = open(game, &name, clock).expect("it was opened before");
        for player in [&mut player, &mut twin, &mut quick] {
            player.begin(seed + 1);
        }
        let mut state = game.start();
        for _ in 0..positions {
            let Ok(joint) = game.random_joint(&state, &mut dice) else {
                break;
            };
            for seat in Seat::BOTH
                .into_iter()
                .filter(|&s| game.turn(&state).asks(s))
            {
                let one = player.think(game, &state, seat, &mut crate::NullObserver);
                let other = twin.think(game, &state, seat, &mut crate::NullObserver);
                assert_eq!(
                    one,
                    other,
                    "{name}: same seed\n{}",
                    game.write_state(&state)
                );
                let instant_move = quick.instant_move(game, &state, seat);
                let same = instant_move.is_none_or(|m| m == one.choice);
                assert!(same, "{name}: {instant_move:?} at once, {:?}", one.choice);
            }
            game.apply(&mut state, joint);
        }
    }
}

/// A position that is not over, some random turns from the start.
fn random_position<G: Game>(game: &G, dice: &mut Dice) -> G::State {
    let turns = dice.below(game.longest().min(60));
    let mut state = game.start();
    for _ in 0..turns {
        let before = state.clone();
        if let Ok(joint) = game.random_joint(&state, dice) {
            game.apply(&mut state, joint);
        }
        if game.turn(&state).outcome().is_some() {
            return before;
        }
    }
    state
}

/// Checks that the player stops at the first query and at later ones, and has a move.
fn check_stops<G: Roster>(game: &G, player: &mut dyn Player<G>, places: &[G::State]) {
    let name = player.name();
    for (i, state) in places.iter().enumerate() {
        for seat in Seat::BOTH.into_iter().filter(|&s| game.turn(state).asks(s)) {
            let mut observer = CountdownObserver {
                left: [0, 1, 2, 5][i % 4],
                queries_after_stop: 0,
            };
            let thought = player.think(game, state, seat, &mut observer);
            check_thought(game, state, seat, &thought, &name);
            assert!(
                observer.queries_after_stop <= MAX_QUERIES_AFTER_STOP,
                "{name} went on after no, {} times\n{}",
                observer.queries_after_stop,
                game.write_state(state)
            );
        }
    }
}

/// Checks that the move is legal, that the line is playable and begins with it, and that the
/// value is valid.
///
/// # Panics
/// If not.
fn check_thought<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    thought: &Thought<G::Move>,
    name: &str,
) {
    let place = || {
        format!(
            "{name}, {seat}, {}:\n{}",
            game.name(),
            game.write_state(state)
        )
    };
    let choice = thought.choice;
    assert!(
        game.is_legal(state, seat, choice),
        "{choice:?}: {}",
        place()
    );
    let turn = game.turn(state);
    let first = thought.line.first().and_then(|joint| joint.of(seat, turn));
    assert!(first.is_none_or(|m| m == choice), "the line: {}", place());
    let mut after = state.clone();
    for &joint in &thought.line {
        let turn = game.turn(&after);
        let fits = match joint {
            JointMove::One(_) => matches!(turn, Turn::One(_)),
            JointMove::Both(..) => turn == Turn::Both,
        };
        assert!(fits, "{joint:?} in {:?}: {}", thought.line, place());
        for asked in Seat::BOTH.into_iter().filter(|&s| turn.asks(s)) {
            let m = joint.of(asked, turn).expect("a joint move has the mover's");
            assert!(
                game.is_legal(&after, asked, m),
                "{:?}: {}",
                thought.line,
                place()
            );
        }
        game.apply(&mut after, joint);
    }
    match thought.value {
        Some(Value::Expected(share)) => {
            assert!((0.0..=1.0).contains(&share), "{share}: {}", place());
        }
        Some(Value::Lead(lead)) => assert!(lead.is_finite(), "{}", place()),
        Some(Value::Proven(_)) | None => {}
    }
}
