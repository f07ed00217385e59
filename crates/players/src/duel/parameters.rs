//! What can be tuned.

use games::duel::{Board, Duel, Size};

/// How the player searches. Times are in turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How many columns a plan has, up to 24.
    pub plan: u32,
    /// How far plans are played out against each other.
    pub horizon: u32,
    /// What a point is worth, compared with one a turn earlier: from 0 to less than 1.
    pub discount: f32,
    /// How many turns are simulated before the models of the other seat are drawn anew.
    pub slice: u64,
    /// The share of them that goes into finding the other seat's plan.
    pub guess: f32,
    /// What our plans are tried against.
    pub ours: Models,
    /// What the other seat's plans are tried against, to guess what it will do.
    pub theirs: Models,
}

/// What the opponent may do, with weights: a plan is worth its mean gain against these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Models {
    /// Weight of an opponent who does nothing.
    pub idle: f32,
    /// Weight of the best plan that was found for it.
    pub best: f32,
    /// Weight of one who plays by chance.
    pub random: f32,
    /// How many plans by chance share this weight.
    pub randoms: u32,
}

impl Models {
    /// A third each for all three, with two plans by chance.
    const EVEN: Self = Self {
        idle: 1.0,
        best: 1.0,
        random: 1.0,
        randoms: 2,
    };
}

/// Found by matches on 8x8, where cells reach the goals in three turns.
const NEAR: Parameters = Parameters {
    plan: 5,
    horizon: 10,
    discount: 0.7,
    slice: 15_000,
    guess: 0.3,
    ours: Models::EVEN,
    theirs: Models::EVEN,
};

/// Found by matches on 16x16, where they need seven.
const FAR: Parameters = Parameters {
    plan: 6,
    horizon: 15,
    discount: 0.85,
    ..NEAR
};

impl Parameters {
    /// What was found best for these rules, by how far the goals are from the seats.
    #[must_use]
    pub fn tuned<B: Board>(game: &Duel<B>) -> Self {
        let Size { columns, .. } = game.size();
        let way = |x: u32| x.min(columns - 1 - x);
        let goals = &game.rules().goals;
        let nearest = goals.iter().map(|&(x, _)| way(x)).min().unwrap_or(0);
        match nearest {
            0..=4 => NEAR,
            _ => FAR,
        }
    }
}
