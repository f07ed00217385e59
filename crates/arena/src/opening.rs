//! Openings: a few random turns before the players take over.

use games::{Dice, Game, JointMove};
use std::ops::RangeInclusive;

/// How a match's games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// As many random turns as the game itself asks for ([`Game::opening`]).
    #[default]
    OfGame,
    /// So many random turns.
    Turns(RangeInclusive<u32>),
}

/// How often an opening that ends the game is drawn anew.
const TRIES: u32 = 100;

/// An opening that was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningLine<G: Game> {
    /// Its turns.
    pub joints: Vec<JointMove<G::Move>>,
    /// The position that they lead to.
    pub state: G::State,
}

impl Opening {
    /// The opening of a pair of games: the same for the same seed and pair.
    ///
    /// An opening after which the game is over, or its result certain, is drawn anew; where
    /// that happens again and again, the game begins at its start.
    #[must_use]
    pub fn draw<G: Game>(&self, game: &G, seed: u64, pair: u64) -> OpeningLine<G> {
        let turns = match self {
            Self::OfGame => game.opening(),
            Self::Turns(turns) => turns.clone(),
        };
        let mut dice = Dice::of_part(seed, pair);
        for _ in 0..TRIES {
            let choices = turns.end().saturating_sub(*turns.start());
            let length = turns.start() + dice.below(choices.saturating_add(1));
            let mut opened = OpeningLine::start(game);
            for _ in 0..length {
                let Ok(joint) = game.random_joint(&opened.state, &mut dice) else {
                    break;
                };
                game.apply(&mut opened.state, joint);
                opened.joints.push(joint);
            }
            if game.settled(&opened.state).is_none() {
                return opened;
            }
        }
        OpeningLine::start(game)
    }
}

impl<G: Game> OpeningLine<G> {
    /// No turn at all.
    fn start(game: &G) -> Self {
        Self {
            joints: Vec::new(),
            state: game.start(),
        }
    }
}
