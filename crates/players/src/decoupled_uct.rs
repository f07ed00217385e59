//! Decoupled UCT: the variant of `mcts` for simultaneous moves.
//!
//! Each seat keeps upper confidence bounds for its own moves, as if the other's move were
//! random (Finnsson and Björnsson, *Simulation-Based Approach to General Game Playing*, 2008).
//! It is fast and finds moves that are good whatever the other does. It need not converge to an
//! equilibrium, since the seats may cycle, and it always plays a pure strategy, which an
//! opponent can exploit. Where that matters there is [`crate::RegretMatchingPlayer`].

use crate::mcts_settings::MctsSettings;
use crate::simultaneous_tree::{Learner, NodeAction, SimultaneousTree, most_visited};
use crate::{SearchBudget, SearchObserver, Thought, Value};
use games::{Dice, Game, Seat};

/// The search for one player.
#[derive(Debug)]
pub(crate) struct DecoupledUct<G: Game> {
    settings: MctsSettings,
    dice: Dice,
    tree: SimultaneousTree<G>,
}

impl<G: Game> DecoupledUct<G> {
    pub(crate) fn new(settings: MctsSettings) -> Self {
        Self {
            settings,
            dice: Dice::new(0),
            tree: SimultaneousTree::default(),
        }
    }

    pub(crate) fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
    }

    pub(crate) fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move> {
        let mut bounds = UcbLearner {
            explore: self.settings.explore,
        };
        search(
            &mut self.tree,
            game,
            state,
            seat,
            &self.settings,
            &mut bounds,
            &mut self.dice,
            observer,
        )
    }
}

/// Grows a tree until the limits or the observer stop it, and decides.
#[expect(
    clippy::too_many_arguments,
    reason = "each is one part of a search, and there are two callers"
)]
pub(crate) fn search<G: Game>(
    tree: &mut SimultaneousTree<G>,
    game: &G,
    state: &G::State,
    seat: Seat,
    settings: &MctsSettings,
    learner: &mut impl Learner,
    dice: &mut Dice,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Thought<G::Move> {
    tree.reset(game, state);
    let mut budget = SearchBudget::start(&settings.limits);
    let mut next_report = 1024;
    loop {
        tree.run_playout(game, state, settings.cutoff, learner, dice);
        if !budget.goes_on(1, observer) {
            break;
        }
        if budget.nodes() == next_report {
            next_report *= 2;
            let likely = most_visited(tree.root(seat));
            observer.report(&thought(tree, seat, likely, budget.nodes()));
        }
    }
    let place = learner.decide(tree.root(seat), dice);
    thought(tree, seat, place, budget.nodes())
}

fn thought<G: Game>(
    tree: &SimultaneousTree<G>,
    seat: Seat,
    place: usize,
    playouts: u64,
) -> Thought<G::Move> {
    let value = match tree.playouts.mean_lead() {
        None => Value::Expected(tree.mean(seat)),
        Some(lead) if seat == Seat::First => Value::Lead(lead),
        Some(lead) => Value::Lead(-lead),
    };
    Thought {
        line: tree.principal_line(seat, place),
        value: Some(value),
        nodes: playouts,
        ..Thought::plain(tree.root(seat)[place].m)
    }
}

/// Upper confidence bounds for each seat separately.
struct UcbLearner {
    explore: f64,
}

impl Learner for UcbLearner {
    fn choose<M>(&mut self, actions: &mut [NodeAction<M>], visits: u32, dice: &mut Dice) -> usize {
        let log = f64::from(visits.max(1)).ln();
        // seats with equal statistics would synchronise, and each would judge its moves only
        // against the other's moves that coincide with them; so ties and the exploration factor
        // are random
        let explore = self.explore * 2.0 * dice.unit();
        let turned = dice.below(actions.len() as u32) as usize;
        let mut best = (0, f64::NEG_INFINITY);
        for place in (turned..actions.len()).chain(0..turned) {
            let action = &actions[place];
            if action.visits == 0 {
                return place;
            }
            let tried = f64::from(action.visits);
            let bound = action.points / tried + explore * (log / tried).sqrt();
            if bound > best.1 {
                best = (place, bound);
            }
        }
        best.0
    }

    fn learn<M>(
        &mut self,
        _: &mut [NodeAction<M>],
        _: usize,
        _: f64,
        _: impl Fn(&NodeAction<M>, usize) -> f64,
    ) {
    }

    fn decide<M>(&mut self, actions: &[NodeAction<M>], _: &mut Dice) -> usize {
        most_visited(actions)
    }
}
