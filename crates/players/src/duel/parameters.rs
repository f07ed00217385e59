//! The search parameters.

use games::duel::{Duel, DuelBoard, DuelPosition, DuelSize};

/// The parameters of the search. Times are in turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DuelSearchParameters {
    /// How many columns a plan has, up to 24.
    pub plan: u32,
    /// How far plans are played out against each other.
    pub horizon: u32,
    /// The discount factor of a point for each turn, from 0 to less than 1.
    pub discount: f32,
    /// The value of a cell near the goals each turn, in points: it leads the search to the
    /// goals before any plan reaches them.
    pub near: f32,
    /// How far from a goal is near, in cells.
    pub reach: u32,
    /// How many turns are simulated before the models of the other seat are drawn anew.
    pub slice: u64,
    /// The share of them that goes into finding the other seat's plan.
    pub guess: f32,
    /// The opponent models for our plans.
    pub ours: OpponentModels,
    /// The opponent models for the other seat's plans, to predict its moves.
    pub theirs: OpponentModels,
}

/// The weights of the opponent models: a plan's value is its weighted mean gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpponentModels {
    /// Weight of an opponent who does nothing.
    pub idle: f32,
    /// Weight of the best plan that was found for it.
    pub best: f32,
    /// Weight of an opponent who plays randomly.
    pub random: f32,
    /// The number of random plans that share this weight.
    pub randoms: u32,
}

/// Tuned by matches on 8x8, where cells reach the goals in three turns.
const NEAR: DuelSearchParameters = DuelSearchParameters {
    plan: 3,
    horizon: 5,
    discount: 0.6,
    near: 0.03,
    reach: 1,
    slice: 15_000,
    guess: 0.45,
    ours: OpponentModels {
        idle: 0.25,
        best: 4.0,
        random: 0.75,
        randoms: 2,
    },
    theirs: OpponentModels {
        idle: 1.0,
        best: 0.0,
        random: 1.0,
        randoms: 2,
    },
};

/// Tuned by matches on 16x16, where they need seven.
const FAR: DuelSearchParameters = DuelSearchParameters {
    plan: 5,
    horizon: 10,
    discount: 0.8,
    near: 0.05,
    reach: 2,
    guess: 0.3,
    ours: OpponentModels {
        best: 2.0,
        ..NEAR.ours
    },
    ..NEAR
};

impl DuelSearchParameters {
    /// The tuned parameters for these rules, chosen by the distance of the goals from the
    /// seats.
    ///
    /// ```
    /// use games::duel::{Board8, Board16, Duel};
    /// use players::duel::DuelSearchParameters;
    ///
    /// let near = DuelSearchParameters::tuned(&Duel::<Board8>::standard(8, 8)?);
    /// let far = DuelSearchParameters::tuned(&Duel::<Board16>::standard(16, 16)?);
    /// assert!(near.horizon < far.horizon); // cells take longer to the goals
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn tuned<B: DuelBoard>(game: &Duel<B>) -> Self {
        let DuelSize { columns, .. } = game.size();
        let way = |x: u32| x.min(columns - 1 - x);
        let goals = &game.rules().goals;
        let nearest = goals.iter().map(|&(x, _)| way(x)).min().unwrap_or(0);
        match nearest {
            0..=4 => NEAR,
            _ => FAR,
        }
    }
}

/// The cells that are no further than `reach` from a goal, which count as near.
pub(super) fn near_goals<B: DuelBoard>(game: &Duel<B>, state: &DuelPosition<B>, reach: u32) -> B {
    let DuelSize { rows, columns } = game.size();
    let goals = game.goals(state);
    B::from_rows(game.size(), |row| {
        let reach = reach.min(rows / 2);
        // the rows wrap, the columns do not
        let around = (0..=2 * reach).map(|by| (row + rows + by - reach) % rows);
        let word = around.fold(0, |word, row| word | goals.row(row));
        let every = u64::MAX >> (64 - columns);
        (0..reach).fold(word, |word, _| (word | word << 1 | word >> 1) & every)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game as _;
    use games::duel::{Board8, Board16, BoardAny};

    #[test]
    fn what_is_near_a_goal() {
        let eight = Duel::<Board8>::standard(8, 8).expect("a size of its own");
        let start = eight.start();
        assert_eq!(near_goals(&eight, &start, 0), *eight.goals(&start));
        let near = near_goals(&eight, &start, 1);
        let rows: Vec<u64> = (0..8)
            .map(|r| games::duel::DuelBoard::row(&near, r))
            .collect();
        assert_eq!(rows, [0, 0, 0x3c, 0x3c, 0x3c, 0x3c, 0, 0]);
        let sixteen = Duel::<Board16>::standard(16, 16).expect("a size of its own");
        assert_eq!(near_goals(&sixteen, &sixteen.start(), 2).count(), 8 * 6);
        // over the edge of the rows, not of the columns, and no further than all of them
        let small = Duel::<BoardAny>::standard(3, 2).expect("small");
        let all = near_goals(&small, &small.start(), 9);
        assert_eq!(all.count(), 6);
    }
}
