//! Random playouts.

use games::{Dice, Game, Outcome, Seat};

/// Scores random games for the first seat, from 0 to 1.
///
/// A game played to its end scores 0, 0.5 or 1. One that is cut off scores by how far the
/// lead moved from where it was at the root, against how far it moves on average in this
/// search: the unit of a lead is the game's own and means nothing here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Playouts {
    base: i64,
    /// Sums over the playouts that were cut off.
    count: u64,
    moved: f64,
    moved_either_way: f64,
}

impl Playouts {
    /// Begins a search from a position with this lead of the first seat.
    pub(crate) fn from_lead(base: i64) -> Self {
        Self {
            base,
            ..Self::default()
        }
    }

    /// The mean lead of the first seat where playouts were cut off, if any were.
    pub(crate) fn mean_lead(&self) -> Option<f64> {
        (self.count > 0).then(|| self.base as f64 + self.moved / self.count as f64)
    }

    /// Plays on from a position, which then is another one.
    #[inline]
    pub(crate) fn score<G: Game>(
        &mut self,
        game: &G,
        state: &mut G::State,
        cutoff: Option<u32>,
        dice: &mut Dice,
    ) -> f64 {
        let Some(turns) = cutoff else {
            return score_of(game.playout(state, dice));
        };
        for _ in 0..turns {
            match game.random_joint(state, dice) {
                Ok(joint) => game.apply(state, joint),
                Err(outcome) => return score_of(outcome),
            }
        }
        if let Some(outcome) = game.settled(state) {
            return score_of(outcome);
        }
        let moved = (game.lead(state) - self.base) as f64;
        self.count += 1;
        self.moved += moved;
        self.moved_either_way += moved.abs();
        let usual = (self.moved_either_way / self.count as f64).max(1e-9);
        0.5 + 0.5 * moved / (moved.abs() + usual)
    }
}

/// Whether the game has a lead, tested by some random games.
pub(crate) fn has_lead<G: Game>(game: &G) -> bool {
    let mut dice = Dice::new(1);
    (0..4).any(|_| {
        let mut state = game.start();
        (0..100).any(|_| {
            if let Ok(joint) = game.random_joint(&state, &mut dice) {
                game.apply(&mut state, joint);
            }
            game.lead(&state) != 0
        })
    })
}

/// An end as the first seat's score, from 0 to 1.
pub(crate) fn score_of(outcome: Outcome) -> f64 {
    f64::from(outcome.half_points(Seat::First)) / 2.0
}
