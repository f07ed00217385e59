//! The search tree for simultaneous moves, shared by `mcts` (decoupled) and `regret`.
//!
//! A node keeps the statistics of each seat's moves, and a child for each joint move that was
//! tried. Each seat chooses without knowing the other's choice; the strategy and its updates
//! are given by a [`Learner`].
//!
//! A seat with up to [`NARROW`] moves has all of them in the tree at once. With more (a column
//! of 16 cells can be set in tens of thousands of ways) the tree holds a random sample that
//! grows with the square root of the node's visits (progressive widening:
//! Coulom, *Computing Elo Ratings of Move Patterns in the Game of Go*, 2007).
//!
//! Nothing is kept from one move to the next: of the thousands of possible joint moves, the
//! actual one has a few visits at best.

use crate::hasher::FoldedMultiplyHasher;
use crate::playout::Playouts;
use crate::playout::score_of;
use games::{Dice, Game, JointMove, Seat, Turn};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// The most moves of a seat that are all added at once.
pub(crate) const NARROW: u64 = 16;

/// The most moves that are listed, rather than sampled.
const MAX_LISTED: u64 = 64;

/// The most nodes; the tree then stops growing.
const MAX_NODES: usize = 1 << 20;
const MAX_ACTIONS: usize = 1 << 21;

/// A move of one seat in a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeAction<M> {
    pub(crate) m: M,
    pub(crate) visits: u32,
    /// The scores of its visits, for the seat whose move it is.
    pub(crate) points: f64,
    /// The cumulative regret: how much better it would have scored than the moves played.
    pub(crate) regret: f64,
    /// The cumulative weight of the move in the seat's strategy.
    pub(crate) weight: f64,
}

/// The bandit algorithm of a seat: how it selects a move at a node, and updates.
pub(crate) trait Learner {
    /// The index of a move to try.
    fn choose<M>(&mut self, actions: &mut [NodeAction<M>], visits: u32, dice: &mut Dice) -> usize;

    /// The move at `chosen` scored `score`; visits and points are updated already. `other`
    /// estimates the score of another move.
    fn learn<M>(
        &mut self,
        actions: &mut [NodeAction<M>],
        chosen: usize,
        score: f64,
        other: impl Fn(&NodeAction<M>, usize) -> f64,
    );

    /// The index of the move to play.
    fn decide<M>(&mut self, actions: &[NodeAction<M>], dice: &mut Dice) -> usize;
}

#[derive(Clone, Copy, Debug, Default)]
struct NodeActionList {
    first: u32,
    /// The number of moves in the tree.
    len: u32,
    /// The allocated capacity.
    capacity: u32,
    breadth: u64,
}

impl NodeActionList {
    fn places(self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.len as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct SimultaneousNode {
    turn: Turn,
    visits: u32,
    /// The scores of its visits, for the first seat.
    points: f64,
    is_open: bool,
    lists: [NodeActionList; 2],
}

impl SimultaneousNode {
    fn mean(&self, seat: Seat) -> f64 {
        score_for(seat, self.points / f64::from(self.visits.max(1)))
    }
}

/// A score of the first seat as a seat's own.
fn score_for(seat: Seat, score: f64) -> f64 {
    match seat {
        Seat::First => score,
        Seat::Second => 1.0 - score,
    }
}

/// The tree.
#[derive(Debug)]
pub(crate) struct SimultaneousTree<G: Game> {
    nodes: Vec<SimultaneousNode>,
    actions: Vec<NodeAction<G::Move>>,
    /// By node and the places of both moves.
    children: HashMap<u64, u32, BuildHasherDefault<FoldedMultiplyHasher>>,
    /// Nodes, and the places of the moves tried there.
    path: Vec<(u32, [usize; 2])>,
    moves: Vec<G::Move>,
    state: Option<G::State>,
    pub(crate) playouts: Playouts,
}

impl<G: Game> Default for SimultaneousTree<G> {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            actions: Vec::new(),
            children: HashMap::default(),
            path: Vec::new(),
            moves: Vec::new(),
            state: None,
            playouts: Playouts::default(),
        }
    }
}

fn key(node: usize, places: [usize; 2]) -> u64 {
    (node as u64) << 32 | (places[0] as u64) << 16 | places[1] as u64
}

impl<G: Game> SimultaneousTree<G> {
    /// Clears the tree and sets its root position.
    pub(crate) fn reset(&mut self, game: &G, state: &G::State) {
        self.nodes.clear();
        self.actions.clear();
        self.children.clear();
        self.playouts = Playouts::from_lead(game.lead(state));
        self.push_node(game.turn(state));
    }

    /// One playout: down the tree, on to the end, and back up.
    pub(crate) fn run_playout(
        &mut self,
        game: &G,
        root: &G::State,
        cutoff: Option<u32>,
        learner: &mut impl Learner,
        dice: &mut Dice,
    ) {
        let mut state = match self.state.take() {
            Some(mut state) => {
                state.clone_from(root);
                state
            }
            None => root.clone(),
        };
        self.path.clear();
        let mut node = 0;
        let mut leaf = None;
        let score = loop {
            let turn = self.nodes[node].turn;
            if let Turn::Over(outcome) = turn {
                leaf = Some(node);
                break score_of(outcome);
            }
            let is_new = self.nodes[node].visits == 0 && node != 0;
            if is_new || (!self.nodes[node].is_open && self.actions.len() > MAX_ACTIONS) {
                leaf = Some(node);
                break self.playouts.score(game, &mut state, cutoff, dice);
            }
            let visits = self.nodes[node].visits;
            let mut places = [0; 2];
            let mut moves = [None; 2];
            for seat in Seat::BOTH.into_iter().filter(|&s| turn.asks(s)) {
                self.widen(game, &state, node, seat, dice);
                let list = self.nodes[node].lists[seat.index()];
                let actions = &mut self.actions[list.places()];
                let place = learner.choose(actions, visits, dice);
                places[seat.index()] = place;
                moves[seat.index()] = Some(actions[place].m);
            }
            self.nodes[node].is_open = true;
            self.path.push((node as u32, places));
            let Some(joint) = joint_of(moves) else {
                unreachable!("somebody is to move where it is not over")
            };
            game.apply(&mut state, joint);
            let key = key(node, places);
            if let Some(&child) = self.children.get(&key) {
                node = child as usize;
            } else if self.nodes.len() < MAX_NODES {
                let turn = match game.settled(&state) {
                    Some(outcome) => Turn::Over(outcome),
                    None => game.turn(&state),
                };
                node = self.push_node(turn);
                self.children.insert(key, node as u32);
            } else {
                break self.playouts.score(game, &mut state, cutoff, dice);
            }
        };
        self.state = Some(state);
        if let Some(leaf) = leaf {
            self.nodes[leaf].visits += 1;
            self.nodes[leaf].points += score;
        }
        for i in (0..self.path.len()).rev() {
            let (node, places) = self.path[i];
            self.learn(node as usize, places, score, learner);
        }
    }

    fn push_node(&mut self, turn: Turn) -> usize {
        self.nodes.push(SimultaneousNode {
            turn,
            visits: 0,
            points: 0.0,
            is_open: false,
            lists: [NodeActionList::default(); 2],
        });
        self.nodes.len() - 1
    }

    /// Adds moves of a seat to a node, as its visits require.
    fn widen(&mut self, game: &G, state: &G::State, node: usize, seat: Seat, dice: &mut Dice) {
        let at = seat.index();
        let visits = self.nodes[node].visits;
        let mut list = self.nodes[node].lists[at];
        if list.len == 0 {
            list.breadth = game.breadth(state, seat);
            list.first = self.actions.len() as u32;
            if list.breadth <= MAX_LISTED {
                game.moves(state, seat, &mut self.moves);
                dice.shuffle(&mut self.moves);
                self.actions
                    .extend(self.moves.iter().map(|&m| NodeAction::new(m)));
                list.capacity = self.moves.len() as u32;
            }
        }
        let wanted = match list.breadth {
            0..=NARROW => list.breadth as u32,
            breadth => {
                let wanted = 8 + (2.0 * f64::from(visits).sqrt()) as u32;
                wanted.min(breadth.min(1 << 15) as u32)
            }
        };
        while list.len < wanted && self.actions.len() < MAX_ACTIONS + (1 << 16) {
            if list.breadth > MAX_LISTED {
                let m = game.random_move(state, seat, dice);
                let known = &self.actions[list.places()];
                if known.iter().any(|action| action.m == m) {
                    // the next visit tries again
                    break;
                }
                if list.len == list.capacity {
                    list = self.grow_list(list, m);
                }
                self.actions[list.first as usize + list.len as usize] = NodeAction::new(m);
            }
            list.len += 1;
        }
        self.nodes[node].lists[at] = list;
    }

    /// Moves a list to a region with twice the capacity.
    fn grow_list(&mut self, list: NodeActionList, filler: G::Move) -> NodeActionList {
        let first = self.actions.len();
        self.actions.extend_from_within(list.places());
        let capacity = (list.capacity * 2).max(16);
        self.actions
            .resize(first + capacity as usize, NodeAction::new(filler));
        NodeActionList {
            first: first as u32,
            capacity,
            ..list
        }
    }

    fn learn(&mut self, node: usize, places: [usize; 2], score: f64, learner: &mut impl Learner) {
        let seen = self.nodes[node];
        self.nodes[node].visits += 1;
        self.nodes[node].points += score;
        for seat in Seat::BOTH.into_iter().filter(|&s| seen.turn.asks(s)) {
            let chosen = places[seat.index()];
            let own = score_for(seat, score);
            let list = seen.lists[seat.index()];
            let other = seen.lists[seat.other().index()];
            let actions = &mut self.actions[list.places()];
            actions[chosen].visits += 1;
            actions[chosen].points += own;
            let is_narrow = list.len.max(other.len) <= 32;
            let usual = seen.mean(seat);
            let (children, nodes) = (&self.children, &self.nodes);
            let would_score = |action: &NodeAction<G::Move>, place: usize| {
                if is_narrow {
                    let mut pair = places;
                    pair[seat.index()] = place;
                    if let Some(&child) = children.get(&key(node, pair)) {
                        return nodes[child as usize].mean(seat);
                    }
                }
                match action.visits {
                    0 => usual,
                    visits => action.points / f64::from(visits),
                }
            };
            learner.learn(actions, chosen, own, would_score);
        }
    }

    /// The moves of a seat at the root.
    pub(crate) fn root(&self, seat: Seat) -> &[NodeAction<G::Move>] {
        &self.actions[self.nodes[0].lists[seat.index()].places()]
    }

    /// What the root scored on average, for a seat.
    pub(crate) fn mean(&self, seat: Seat) -> f64 {
        self.nodes[0].mean(seat)
    }

    /// The most visited line, from the root where `seat` makes the move at `place`.
    pub(crate) fn principal_line(&self, seat: Seat, place: usize) -> Vec<JointMove<G::Move>> {
        let mut line = Vec::new();
        let mut node = 0;
        while self.nodes[node].is_open && line.len() < 40 {
            let mut places = [0; 2];
            let mut moves = [None; 2];
            for asked in Seat::BOTH
                .into_iter()
                .filter(|&s| self.nodes[node].turn.asks(s))
            {
                let actions = &self.actions[self.nodes[node].lists[asked.index()].places()];
                let place = match node {
                    0 if asked == seat => place,
                    _ => most_visited(actions),
                };
                places[asked.index()] = place;
                moves[asked.index()] = Some(actions[place].m);
            }
            line.extend(joint_of(moves));
            match self.children.get(&key(node, places)) {
                Some(&child) => node = child as usize,
                None => break,
            }
        }
        line
    }
}

/// The index of the most visited move; of the better one, on a tie.
pub(crate) fn most_visited<M>(actions: &[NodeAction<M>]) -> usize {
    let rank = |place: &usize| {
        let action: &NodeAction<M> = &actions[*place];
        (action.visits, action.points)
    };
    let places = 0..actions.len();
    let better = |a: &usize, b: &usize| rank(a).partial_cmp(&rank(b));
    places
        .max_by(|a, b| better(a, b).unwrap_or(std::cmp::Ordering::Equal))
        .unwrap_or(0)
}

impl<M> NodeAction<M> {
    fn new(m: M) -> Self {
        Self {
            m,
            visits: 0,
            points: 0.0,
            regret: 0.0,
            weight: 0.0,
        }
    }
}

fn joint_of<M: Copy>(moves: [Option<M>; 2]) -> Option<JointMove<M>> {
    match moves {
        [Some(first), Some(second)] => Some(JointMove::Both(first, second)),
        [Some(m), None] | [None, Some(m)] => Some(JointMove::One(m)),
        [None, None] => None,
    }
}
