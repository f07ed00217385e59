//! Exhaustive verification of a player: all lines of play against every opponent's reply.

use games::mnk::{Cell, Mnk, MnkPosition};
use games::{Game as _, JointMove, Outcome, Seat, Turn};

/// A player that can list all moves between which it is indifferent.
pub trait Advisor {
    /// The moves that this player may choose, at least one; `last` is the opponent's last
    /// move, where there is one.
    fn choices(
        &mut self,
        game: &Mnk<1>,
        state: &MnkPosition<1>,
        seat: Seat,
        last: Option<Cell>,
    ) -> Vec<Cell>;
}

/// Lines by how they end for the player. A line is one game from the first move to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineOutcomeTally {
    /// The player wins.
    pub won: u64,
    /// Nobody wins.
    pub drawn: u64,
    /// The player loses.
    pub lost: u64,
}

/// Counts the lines of a game in which `player` sits in `seat`: in each position of its own
/// every move that it may choose, in each of the opponent's every legal move. Lines that
/// differ only in the player's own choice count each.
///
/// ```
/// use games::{Seat, mnk::Mnk};
/// use players::mnk::{PerfectPlayer, verify};
/// use players::PlayerLimits;
///
/// let game = Mnk::TICTACTOE;
/// let mut player = PerfectPlayer::new(&game, PlayerLimits::default())?;
/// let tally = verify(&game, &mut player, Seat::Second);
/// assert_eq!(tally.lost, 0);
/// # Ok::<(), players::PlayerError>(())
/// ```
pub fn verify(game: &Mnk<1>, player: &mut dyn Advisor, seat: Seat) -> LineOutcomeTally {
    let mut tally = LineOutcomeTally::default();
    let start = game.start();
    follow(game, player, seat, &start, None, &mut tally);
    tally
}

fn follow(
    game: &Mnk<1>,
    player: &mut dyn Advisor,
    seat: Seat,
    state: &MnkPosition<1>,
    last: Option<Cell>,
    tally: &mut LineOutcomeTally,
) {
    let moves = match game.turn(state) {
        Turn::Over(Outcome::Draw) => {
            tally.drawn += 1;
            return;
        }
        Turn::Over(Outcome::Win(winner)) if winner == seat => {
            tally.won += 1;
            return;
        }
        Turn::Over(_) => {
            tally.lost += 1;
            return;
        }
        turn if turn.asks(seat) => player.choices(game, state, seat, last),
        _ => {
            let mut moves = Vec::new();
            game.moves(state, seat.other(), &mut moves);
            moves
        }
    };
    for cell in moves {
        let mut next = *state;
        game.apply(&mut next, JointMove::One(cell));
        // what the player does itself is not the opponent's last move, but the opponent
        // moves before the player is asked again
        follow(game, player, seat, &next, Some(cell), tally);
    }
}
