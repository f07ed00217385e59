//! `random`: any legal move, each as likely as the others.

use crate::{Player, SearchObserver, Thought};
use games::{Dice, Game, Seat};

/// A player that moves at random.
///
/// ```
/// use games::{Game as _, Seat, mnk::Mnk};
/// use players::{Player, RandomPlayer};
///
/// let game = Mnk::TICTACTOE;
/// let first_move = |seed| {
///     let mut player = RandomPlayer::default();
///     Player::<Mnk<1>>::begin(&mut player, seed);
///     player.instant_move(&game, &game.start(), Seat::First)
/// };
/// assert_eq!(first_move(7), first_move(7));
/// ```
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    dice: Dice,
}

impl Default for RandomPlayer {
    fn default() -> Self {
        Self { dice: Dice::new(0) }
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn name(&self) -> String {
        "random".into()
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        _: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move> {
        Thought::plain(game.random_move(state, seat, &mut self.dice))
    }

    fn instant_move(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        Some(game.random_move(state, seat, &mut self.dice))
    }
}
