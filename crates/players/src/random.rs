//! `random`: any legal move, each as likely as the others.

use crate::{Player, Thought, Watch};
use games::{Dice, Game, Seat};

/// Plays by chance.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Default for Random {
    fn default() -> Self {
        Self { dice: Dice::new(0) }
    }
}

impl<G: Game> Player<G> for Random {
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
        _: &mut dyn Watch<G::Move>,
    ) -> Thought<G::Move> {
        Thought::plain(game.random_move(state, seat, &mut self.dice))
    }

    fn at_once(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        Some(game.random_move(state, seat, &mut self.dice))
    }
}
