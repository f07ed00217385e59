//! `regret`: Monte Carlo tree search by regret matching, for games where both seats move at
//! once.
//!
//! In each node each seat plays its moves with probabilities proportional to their regret (Hart
//! and Mas-Colell, *A Simple Adaptive Procedure Leading to Correlated Equilibrium*, 2000), and
//! with a small probability any move, so that all are explored. The average strategy converges
//! to an equilibrium in a one-shot game, and close to one over a tree (Lisý, Kovařík, Lanctot
//! and Bošanský, *Convergence of Monte Carlo Tree Search in Simultaneous Move Games*, 2013). So
//! the move is drawn from the average strategy at the root: in rock, paper, scissors any pure
//! strategy would be wrong.
//!
//! The score of a move that was not played is estimated by the mean of the joint move's node
//! where the moves are few and that node exists, and by the move's own mean otherwise.

use crate::decoupled_uct::search;
use crate::mcts_settings::MctsSettings;
use crate::playout::has_lead;
use crate::simultaneous_tree::{Learner, NodeAction, SimultaneousTree};
use crate::{Player, PlayerError, PlayerLimits, PlayerSpec, SearchObserver, Thought};
use games::{Dice, Game, Seat, Turn};

/// Plays by regret matching.
#[derive(Debug)]
pub struct RegretMatchingPlayer<G: Game> {
    settings: MctsSettings,
    /// The default settings, which [`Player::name`] leaves out.
    defaults: MctsSettings,
    dice: Dice,
    tree: SimultaneousTree<G>,
}

impl<G: Game> RegretMatchingPlayer<G> {
    /// A player with these settings; [`MctsSettings::explore`] is how often, from 0 to 1, it
    /// tries any move.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    /// use players::{NullObserver, Player as _, PlayerLimits, RegretMatchingPlayer};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let limits = PlayerLimits { nodes: Some(200), ..PlayerLimits::default() };
    /// let settings = RegretMatchingPlayer::default_settings(&game, limits);
    /// let mut player = RegretMatchingPlayer::new(&game, settings);
    /// player.begin(1);
    /// player.think(&game, &game.start(), Seat::First, &mut NullObserver);
    /// let shares = player.strategy(Seat::First).iter().map(|&(_, share)| share).sum::<f64>();
    /// assert!((shares - 1.0).abs() < 1e-9);
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn new(game: &G, settings: MctsSettings) -> Self {
        Self {
            settings,
            defaults: Self::default_settings(game, PlayerLimits::default()),
            dice: Dice::new(0),
            tree: SimultaneousTree::default(),
        }
    }

    /// The default settings with these limits: where the game has a lead, playouts are cut off after 5
    /// turns, which is what won for [`crate::Mcts`]; otherwise games are played to their end.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use players::{PlayerLimits, RegretMatchingPlayer};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let settings = RegretMatchingPlayer::default_settings(&game, PlayerLimits::default());
    /// assert_eq!(settings.cutoff, Some(5));
    /// # Ok::<(), games::duel::DuelRulesError>(())
    /// ```
    #[must_use]
    pub fn default_settings(game: &G, limits: PlayerLimits) -> MctsSettings {
        MctsSettings {
            limits,
            explore: 0.1,
            cutoff: has_lead(game).then_some(5),
        }
    }

    /// A player from text.
    ///
    /// # Errors
    /// An option has a value that it cannot take, or the seats take turns in this game.
    ///
    /// ```
    /// use games::mnk::Mnk;
    /// use players::{Clock, PlayerError, PlayerSpec, RegretMatchingPlayer};
    ///
    /// let refused = RegretMatchingPlayer::read(&Mnk::TICTACTOE, &mut PlayerSpec::new("regret", &Clock::system()));
    /// assert!(matches!(refused, Err(PlayerError::Unfit { .. }))); // the seats take turns
    /// ```
    pub fn read(game: &G, spec: &mut PlayerSpec<'_>) -> Result<Self, PlayerError> {
        if game.turn(&game.start()) != Turn::Both {
            return Err(PlayerError::Unfit {
                player: spec.name().into(),
                game: game.name(),
                problem: "its seats take turns, and there is nothing to hide; take mcts".into(),
            });
        }
        let settings = MctsSettings::read(
            spec,
            &Self::default_settings(game, PlayerLimits::default()),
            "epsilon",
        )?;
        if settings.explore > 1.0 {
            let item = format!("epsilon={}", settings.explore);
            return Err(spec.wrong(&item, "give a share from 0 to 1"));
        }
        Ok(Self::new(game, settings))
    }

    /// The average strategy of a seat at the root of the last search: each move in the tree
    /// with its probability.
    ///
    /// ```
    /// use games::duel::{Board8, Duel};
    /// use games::{Game as _, Seat};
    /// use players::{Clock, NullObserver, Player as _, PlayerSpec, RegretMatchingPlayer};
    ///
    /// let game = Duel::<Board8>::standard(8, 8)?;
    /// let mut spec = PlayerSpec::new("regret:playouts=100", &Clock::system());
    /// let mut player = RegretMatchingPlayer::read(&game, &mut spec)?;
    /// player.think(&game, &game.start(), Seat::Second, &mut NullObserver);
    /// assert!(player.strategy(Seat::Second).iter().all(|&(_, share)| (0.0..=1.0).contains(&share)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn strategy(&self, seat: Seat) -> Vec<(G::Move, f64)> {
        let actions = self.tree.root(seat);
        let shares = shares(actions, |action| action.weight);
        actions.iter().map(|action| action.m).zip(shares).collect()
    }
}

impl<G: Game> Player<G> for RegretMatchingPlayer<G> {
    fn name(&self) -> String {
        format!("regret:{}", self.settings.text(&self.defaults, "epsilon"))
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move> {
        let mut matching = RegretLearner {
            explore: self.settings.explore,
        };
        search(
            &mut self.tree,
            game,
            state,
            seat,
            &self.settings,
            &mut matching,
            &mut self.dice,
            observer,
        )
    }
}

/// The parts normalised to sum to 1; uniform where all are 0.
fn shares<M>(actions: &[NodeAction<M>], part: impl Fn(&NodeAction<M>) -> f64) -> Vec<f64> {
    let sum: f64 = actions.iter().map(&part).sum();
    let equal = 1.0 / actions.len() as f64;
    let share = |action| if sum > 0.0 { part(action) / sum } else { equal };
    actions.iter().map(share).collect()
}

struct RegretLearner {
    explore: f64,
}

impl Learner for RegretLearner {
    fn choose<M>(&mut self, actions: &mut [NodeAction<M>], _: u32, dice: &mut Dice) -> usize {
        let sum: f64 = actions.iter().map(|action| action.regret.max(0.0)).sum();
        let equal = 1.0 / actions.len() as f64;
        let explores = dice.unit() < self.explore;
        let mut left = dice.unit();
        let mut chosen = None;
        for (place, action) in actions.iter_mut().enumerate() {
            let share = if sum > 0.0 {
                action.regret.max(0.0) / sum
            } else {
                equal
            };
            action.weight += share;
            left -= if explores { equal } else { share };
            if left < 0.0 && chosen.is_none() {
                chosen = Some(place);
            }
        }
        // rounding may leave a remainder
        chosen.unwrap_or(actions.len() - 1)
    }

    fn learn<M>(
        &mut self,
        actions: &mut [NodeAction<M>],
        chosen: usize,
        score: f64,
        other: impl Fn(&NodeAction<M>, usize) -> f64,
    ) {
        for (place, action) in actions.iter_mut().enumerate() {
            if place != chosen {
                action.regret += other(action, place) - score;
            }
        }
    }

    fn decide<M>(&mut self, actions: &[NodeAction<M>], dice: &mut Dice) -> usize {
        let shares = shares(actions, |action| action.weight);
        // moves played only by exploration are no part of the strategy
        let most = shares.iter().copied().fold(0.0, f64::max);
        let kept = |share: f64| if share < most / 20.0 { 0.0 } else { share };
        let whole: f64 = shares.iter().map(|&share| kept(share)).sum();
        let mut left = dice.unit() * whole;
        for (place, &share) in shares.iter().enumerate() {
            left -= kept(share);
            if left < 0.0 {
                return place;
            }
        }
        crate::simultaneous_tree::most_visited(actions)
    }
}
