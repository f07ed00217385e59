//! `strong`: a player made for [`games::duel`]. (Own method.)
//!
//! It searches over plans: a column for each of the next few turns. The value of a plan is its
//! mean gain in points when it is played out against several plans of the other seat, after
//! which the board evolves alone to a horizon; points are discounted by their turn, since
//! predictions of two interacting colours do not hold for long. Plans are improved by local
//! search: small random changes, each kept if it is not worse. The next turn starts from the
//! rest of the last plan.
//!
//! The other seat's moves are unknown, so a plan is tested against several opponent models: one
//! that does nothing, some that play randomly, and the best plan that the same search finds for
//! it against an idle or random opponent.
//!
//! Rejected after matches: to search the other seat's plan as an answer to our own (it prepares
//! for attacks that never come, and tree search, which models us as random, then won most
//! games); a longer horizon with little discount; and regret matching on a matrix of eight
//! plans against eight, which came out even for twice the code.
//!
//! ## How it was tuned
//!
//! [`DuelSearchParameters`] were changed one or two at a time, and what won was kept, by
//!
//! ```text
//! cargo run --release -p gridpaper-players --example tune_duel -- match A B --seed 1 --games 20
//! ```
//!
//! with both sides limited by turns played in thought, so that each line comes out the same
//! again; `tune_duel tune` does such rounds by itself, against a pool.
//!
//! A is `try:nodes=100000`, and B the same with what the table has:
//!
//! | B | `--game` | `--games` | A wins |
//! |---|---|---|---|
//! | `plan=10,horizon=30,discount=0.95` | `duel` | 20 | 100 % |
//! | `plan=4,horizon=6` | `duel` | 20 | 70 ± 10 % |
//! | `best=1,random=1,idle=1,guess=0.3` | `duel` | 20 | 100 % |
//! | `their-best=1` | `duel` | 20 | 40 ± 11 % |
//! | `plan=10,horizon=30,discount=0.95` | `duel:16x16` | 12 | 92 ± 8 % |
//! | `near=0` | `duel:16x16` | 12 | 92 ± 8 % |
//! | `plan=6,horizon=15,discount=0.85` | `duel:16x16` | 12 | 50 ± 14 % |
//!
//! The fourth line is why a match of a player with itself is not enough: against
//! `mcts:playouts=8000,cutoff=5,c=0.25`, with 400,000 turns and 12 games, the tuned player won
//! 92 ± 8 %, and with `their-best=1,best=2,guess=0.3` 67 ± 14 %.
//!
//! Against plain tree search it wins nearly every game. Against tree search with playouts that
//! are cut off, as above, it gains less from more time: on 8x8 with 50 ms for both, on a busy
//! machine and with seed 2, it won 5 of 16 games (but 8 of 8 on 16x16). Its plans are fixed
//! columns, whatever the other seat does; a tree reacts.

mod lookahead;
mod parameters;
mod plan;

pub use parameters::{DuelSearchParameters, OpponentModels};

use crate::{
    Player, PlayerError, PlayerLimits, PlayerSpec, SearchBudget, SearchObserver, Thought, Value,
};
use games::duel::{Column, Duel, DuelBoard, DuelPosition};
use games::{Dice, Game as _, Seat};
use lookahead::{PlanLookahead, lead};
use plan::{ColumnPlan, affordable};

/// The default time: 50 ms a move.
const DEFAULT_MILLISECONDS: u64 = 50;

/// Plans by local search against several models of the other seat.
///
/// ```
/// use games::duel::{Board8, Duel};
/// use games::{Game as _, Seat};
/// use players::duel::StrongDuelPlayer;
/// use players::{NullObserver, Player, PlayerLimits};
///
/// let game = Duel::<Board8>::standard(8, 8)?;
/// let few = PlayerLimits { nodes: Some(1000), ..PlayerLimits::default() };
/// let mut player = StrongDuelPlayer::new(few);
/// Player::<Duel<Board8>>::begin(&mut player, 1);
/// let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
/// assert!(game.cost(thought.choice) <= 6);
/// # Ok::<(), games::duel::DuelRulesError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StrongDuelPlayer {
    limits: PlayerLimits,
    parameters: Option<DuelSearchParameters>,
    dice: Dice,
    /// Each seat's plan, from the turn stored beside it.
    plans: [ColumnPlan; 2],
    turn: u32,
}

impl StrongDuelPlayer {
    /// The tuned player, with these limits; [`PlayerLimits::nodes`] counts simulated turns,
    /// [`PlayerLimits::depth`] is ignored.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use players::duel::StrongDuelPlayer;
    /// use players::{Clock, Player, PlayerLimits};
    ///
    /// let player = StrongDuelPlayer::new(PlayerLimits::of_time(20, &Clock::system()));
    /// assert_eq!(Player::<Duel<Board8>>::name(&player), "strong:ms=20");
    /// ```
    #[must_use]
    pub fn new(limits: PlayerLimits) -> Self {
        Self {
            limits,
            parameters: None,
            dice: Dice::new(0),
            plans: [ColumnPlan::IDLE; 2],
            turn: 0,
        }
    }

    /// A player with other search parameters, for tuning.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    /// use players::duel::{DuelSearchParameters, StrongDuelPlayer};
    /// use players::{Clock, NullObserver, Player as _, PlayerLimits};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let parameters = DuelSearchParameters { horizon: 8, ..DuelSearchParameters::tuned(&game) };
    /// let mut player = StrongDuelPlayer::with_parameters(PlayerLimits::of_time(1, &Clock::system()), parameters);
    /// let thought = player.think(&game, &game.start(), Seat::First, &mut NullObserver);
    /// assert!(game.cost(thought.choice) <= 6);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn with_parameters(limits: PlayerLimits, parameters: DuelSearchParameters) -> Self {
        Self {
            parameters: Some(parameters),
            ..Self::new(limits)
        }
    }

    /// Reads the options of `strong:ms=50`.
    ///
    /// # Errors
    /// A limit is no number above 0.
    pub(crate) fn read(spec: &mut PlayerSpec<'_>) -> Result<Self, PlayerError> {
        Ok(Self::new(PlayerLimits::read(
            spec,
            PlayerLimits::of_time(DEFAULT_MILLISECONDS, &spec.clock().clone()),
        )?))
    }

    /// Resumes the rest of the last plans in a later position of the same game, or clears them.
    fn resume_plans<B: DuelBoard>(&mut self, state: &DuelPosition<B>) {
        self.plans = match state.turn().checked_sub(self.turn) {
            Some(turns) => self.plans.map(|plan| plan.after(turns as usize)),
            None => [ColumnPlan::IDLE; 2],
        };
        self.turn = state.turn();
    }
}

impl<B: DuelBoard> Player<Duel<B>> for StrongDuelPlayer {
    fn name(&self) -> String {
        format!("strong:{}", self.limits.text("nodes"))
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.plans = [ColumnPlan::IDLE; 2];
        self.turn = 0;
    }

    fn think(
        &mut self,
        game: &Duel<B>,
        state: &DuelPosition<B>,
        seat: Seat,
        observer: &mut dyn SearchObserver<Column>,
    ) -> Thought<Column> {
        self.resume_plans(state);
        let parameters = self
            .parameters
            .unwrap_or_else(|| DuelSearchParameters::tuned(game));
        let mut search = DuelPlanSearch {
            seat,
            rows: game.size().rows,
            lookahead: PlanLookahead::new(game, state, &parameters),
            parameters,
            dice: &mut self.dice,
            budget: SearchBudget::start(&self.limits),
        };
        // both seats' plans get their share of few turns too
        let half = self.limits.nodes.unwrap_or(u64::MAX) / 2;
        let slice = parameters.slice.min(half);
        let guess = (slice as f32 * parameters.guess) as u64;
        let thought = |search: &DuelPlanSearch<'_, B>, plans: &[ColumnPlan; 2], gain: f32| {
            let ahead = lead(state) as f32;
            let ahead = if seat == Seat::First { ahead } else { -ahead };
            Thought {
                choice: affordable(plans[seat.index()].column(0), state.mana(seat)),
                line: search.lookahead.line([&plans[0], &plans[1]]),
                value: Some(Value::Lead(f64::from(ahead + gain))),
                nodes: search.budget.nodes(),
                depth: 0,
                reason: None,
            }
        };
        if game.settled(state).is_some() {
            // nothing to win any more, or to lose
            self.plans = [ColumnPlan::IDLE; 2];
            return Thought {
                reason: Some("it is settled".into()),
                ..thought(&search, &self.plans, 0.0)
            };
        }
        let mut gain = 0.0;
        let mut next_report = 16;
        for round in 1u64.. {
            search.improve_plan(&mut self.plans, seat.other(), guess, observer);
            if let Some(found) = search.improve_plan(&mut self.plans, seat, slice - guess, observer)
            {
                gain = found;
            }
            if search.budget.is_stopped() {
                break;
            }
            if round == next_report {
                next_report *= 2;
                observer.report(&thought(&search, &self.plans, gain));
            }
        }
        thought(&search, &self.plans, gain)
    }
}

/// One search.
struct DuelPlanSearch<'a, B> {
    /// The seat that is searched for.
    seat: Seat,
    rows: u32,
    lookahead: PlanLookahead<'a, B>,
    parameters: DuelSearchParameters,
    dice: &'a mut Dice,
    budget: SearchBudget,
}

impl<B: DuelBoard> DuelPlanSearch<'_, B> {
    /// Improves a seat's plan until `turns` further turns have been simulated, or the search is
    /// stopped; returns the plan's gain against the models of the other seat, if there was time
    /// to compute it.
    fn improve_plan(
        &mut self,
        plans: &mut [ColumnPlan; 2],
        seat: Seat,
        turns: u64,
        observer: &mut dyn SearchObserver<Column>,
    ) -> Option<f32> {
        let end = self.budget.nodes().saturating_add(turns);
        let length = self.parameters.plan as usize;
        let models = self.opponent_models(plans, seat);
        let mut best = plans[seat.index()];
        let mut most = self.mean_gain(&best, seat, &models, observer)?;
        let mut is_idle_tried = false;
        while self.budget.nodes() < end {
            let other = if is_idle_tried {
                best.changed(self.rows, length, self.dice)
            } else {
                ColumnPlan::IDLE
            };
            let Some(gain) = self.mean_gain(&other, seat, &models, observer) else {
                break;
            };
            // equal ones are taken too, so that the search drifts across plateaus, but not from
            // a plan to none
            if gain > most || gain == most && is_idle_tried {
                (best, most) = (other, gain);
            }
            is_idle_tried = true;
        }
        plans[seat.index()] = best;
        Some(most)
    }

    /// The opponent models of a seat, with their weights.
    fn opponent_models(&mut self, plans: &[ColumnPlan; 2], seat: Seat) -> Vec<(f32, ColumnPlan)> {
        let OpponentModels {
            idle,
            best,
            random,
            randoms,
        } = match self.seat == seat {
            true => self.parameters.ours,
            false => self.parameters.theirs,
        };
        let share = random / randoms.max(1) as f32;
        let mut models = vec![
            (idle, ColumnPlan::IDLE),
            (best, plans[seat.other().index()]),
        ];
        for _ in 0..randoms {
            let length = self.parameters.plan as usize;
            models.push((share, ColumnPlan::random(self.rows, length, self.dice)));
        }
        models.retain(|model| model.0 > 0.0);
        let sum: f32 = models.iter().map(|model| model.0).sum();
        for model in &mut models {
            model.0 /= sum;
        }
        models
    }

    /// The mean gain of a plan against some plans of the other seat; `None` where the budget
    /// stopped it.
    fn mean_gain(
        &mut self,
        plan: &ColumnPlan,
        seat: Seat,
        models: &[(f32, ColumnPlan)],
        observer: &mut dyn SearchObserver<Column>,
    ) -> Option<f32> {
        let mut sum = 0.0;
        let mut turns = 0;
        for (weight, other) in models {
            let (gain, taken) = match seat {
                Seat::First => self.lookahead.gain([plan, other]),
                Seat::Second => {
                    let (gain, taken) = self.lookahead.gain([other, plan]);
                    (-gain, taken)
                }
            };
            sum += weight * gain;
            turns += taken;
        }
        self.budget.goes_on(turns, observer).then_some(sum)
    }
}
