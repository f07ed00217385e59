//! Turns as text: `d4`, and `00110/10000` where both seats move at once.

use games::{Game, JointMove, MoveError, Seat, Turn};

/// A turn in the notation of records: each seat's move in its seat's notation.
///
/// ```
/// use games::{Game as _, JointMove, Seat, mnk::Mnk};
///
/// let game = Mnk::TICTACTOE;
/// let centre = game.parse_move(&game.start(), Seat::First, "b2")?;
/// assert_eq!(matches::write_turn(&game, &game.start(), JointMove::One(centre)), "B2");
/// # Ok::<(), games::MoveError>(())
/// ```
#[must_use]
pub fn write_turn<G: Game>(game: &G, state: &G::State, joint: JointMove<G::Move>) -> String {
    match (joint, game.turn(state)) {
        (JointMove::Both(first, second), _) => {
            let first = game.write_move(first, Seat::First);
            let second = game.write_move(second, Seat::Second);
            format!("{first}/{second}")
        }
        (JointMove::One(m), Turn::One(mover)) => game.write_move(m, mover),
        // the game is over: only a broken record leads here
        (JointMove::One(m), _) => game.write_move(m, Seat::First),
    }
}

/// Parses a turn.
///
/// # Errors
/// It is not a legal move for each seat that is to move.
///
/// ```
/// use games::{Game as _, JointMove, mnk::Mnk};
///
/// let game = Mnk::TICTACTOE;
/// let turn = matches::parse_turn(&game, &game.start(), "b2")?;
/// assert!(matches!(turn, JointMove::One(_)));
/// assert!(matches::parse_turn(&game, &game.start(), "z9").is_err());
/// # Ok::<(), games::MoveError>(())
/// ```
pub fn parse_turn<G: Game>(
    game: &G,
    state: &G::State,
    text: &str,
) -> Result<JointMove<G::Move>, MoveError> {
    match game.turn(state) {
        Turn::Over(_) => Err(MoveError::Over),
        Turn::One(seat) => game.parse_move(state, seat, text).map(JointMove::One),
        Turn::Both => {
            let Some((first, second)) = text.split_once('/') else {
                return Err(MoveError::unreadable(
                    text,
                    "both seats move: write FIRST/SECOND",
                ));
            };
            let first = game.parse_move(state, Seat::First, first)?;
            let second = game.parse_move(state, Seat::Second, second)?;
            Ok(JointMove::Both(first, second))
        }
    }
}
