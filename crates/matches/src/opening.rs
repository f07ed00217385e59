//! Openings: a few random turns before the players take over.

use games::{Dice, Game, JointMove};
use std::ops::RangeInclusive;

/// How a match's games begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Opening {
    /// The game's own number of random turns ([`Game::opening`]).
    #[default]
    OfGame,
    /// A number of random turns from this range.
    Turns(RangeInclusive<u32>),
}

/// Maximum number of draws for one opening.
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
    /// Draws the opening of a pair of games, determined by seed and pair.
    ///
    /// An opening that ends or decides the game is redrawn; after too many attempts the opening
    /// is empty.
    ///
    /// ```
    /// use matches::Opening;
    ///
    /// let game = games::mnk::Mnk::TICTACTOE;
    /// let drawn = Opening::Turns(2..=2).draw(&game, 7, 0);
    /// assert_eq!(drawn.joints.len(), 2);
    /// assert_eq!(drawn, Opening::Turns(2..=2).draw(&game, 7, 0));
    /// ```
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
    /// The empty opening.
    fn start(game: &G) -> Self {
        Self {
            joints: Vec::new(),
            state: game.start(),
        }
    }
}
