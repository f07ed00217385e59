//! `mcts`: Monte Carlo tree search.
//!
//! UCT (Kocsis and Szepesvári, 2006): the tree grows by one node a playout; on the way down
//! each seat takes the move with the best upper confidence bound, and a random game from there
//! gives the score. Proven results are kept apart from statistics, and propagated: a position
//! with a winning move is won, one whose moves are all proven is proven (Winands, Björnsson and
//! Saito, *Monte-Carlo Tree Search Solver*, 2008). Proven positions are not played again.
//!
//! A node's children are created together, best lead first and in random order among equals. An
//! unvisited move counts as an even score plus an exploration bonus: with few playouts and
//! hundreds of moves the search goes deep behind the first good moves rather than once over all
//! of them.
//!
//! In a symmetric position only one move of each orbit (the corners of an empty board) is added
//! to the tree.
//!
//! Nodes lie in one array, the children of a node side by side; no node holds a position. After
//! a move the subtree that is still reachable is kept if games are played to their end; if they
//! are cut off, scores depend on the root.
//!
//! Where both seats move at once the player is [decoupled](crate::decoupled_uct).

use crate::decoupled_uct::DecoupledUct;
use crate::hasher::FoldedMultiplyHasher;
use crate::material::lead_of;
use crate::mcts_settings::MctsSettings;
use crate::playout::{Playouts, has_lead, score_of};
use crate::{
    Player, PlayerError, PlayerLimits, PlayerSpec, SearchBudget, SearchObserver, Thought, Value,
};
use games::{Dice, Game, JointMove, Outcome, Seat, Turn};
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// A node is expanded at its second visit: to create hundreds of children for one playout would
/// not pay. With up to this many siblings it is expanded at once, so that an immediate win is
/// seen at once.
const EAGER_SIBLINGS: u32 = 16;

/// The most nodes: about 80 MiB, and as much again for the copy of the kept subtree after a
/// move.
const MAX_NODES: usize = 1 << 21;

/// The most proofs stored.
const MAX_PROOFS: usize = 1 << 20;

/// Plays by Monte Carlo tree search.
#[derive(Debug)]
pub struct Mcts<G: Game> {
    settings: MctsSettings,
    /// The default settings, which [`Player::name`] leaves out.
    defaults: MctsSettings,
    dice: Dice,
    tree: MctsTree<G>,
    simultaneous: DecoupledUct<G>,
}

impl<G: Game> Mcts<G> {
    /// A player with these settings.
    ///
    /// ```
    /// use games::{Game as _, Seat, mnk::Mnk};
    /// use players::{Mcts, NullObserver, Player as _, PlayerLimits};
    ///
    /// let game = Mnk::TICTACTOE;
    /// let limits = PlayerLimits { nodes: Some(2000), ..PlayerLimits::default() };
    /// let mut player = Mcts::new(&game, Mcts::default_settings(&game, limits));
    /// player.begin(1);
    /// let position = game.parse_state("OO.\nX..\n..X\nX to move\n")?;
    /// let thought = player.think(&game, &position, Seat::Second, &mut NullObserver);
    /// assert_eq!(game.write_move(thought.choice, Seat::Second), "C1"); // it blocks
    /// # Ok::<(), games::StateError>(())
    /// ```
    #[must_use]
    pub fn new(game: &G, settings: MctsSettings) -> Self {
        Self {
            defaults: Self::default_settings(game, PlayerLimits::default()),
            dice: Dice::new(0),
            tree: MctsTree::default(),
            simultaneous: DecoupledUct::new(settings.clone()),
            settings,
        }
    }

    /// The default settings with these limits: plain UCT, games played to their end.
    ///
    /// On large boards of games without a lead it explores less: on 81 and 225 cells that won
    /// more, on 3x3 the proofs need more of it.
    ///
    /// Where the game has a lead, `cutoff=` makes it far stronger, since randomness drowns the
    /// effect of one turn. By matches of 16 to 20 games, seats swapped, at 2 ms a turn of duel
    /// on 8x8 and 5 ms a ply of stones: games cut off after 5 (4) turns won all 20 against
    /// games played to their end, in both. In duel 5 turns won 14 of 20 against 8 turns, and
    /// `c=0.25` won 15 of 20 against `c=1`; in stones 4 turns scored 12 of 16 against 2 turns
    /// and 10 against 8, and `c` made no difference.
    ///
    /// ```
    /// use games::mnk::Mnk;
    /// use players::{Mcts, MctsSettings, PlayerLimits};
    ///
    /// let large = Mnk::<6>::new(15, 15, 5).expect("it fits");
    /// let explore = |settings: MctsSettings| settings.explore;
    /// let large = explore(Mcts::default_settings(&large, PlayerLimits::default()));
    /// let small = Mcts::default_settings(&Mnk::TICTACTOE, PlayerLimits::default());
    /// assert!(large < explore(small));
    /// ```
    #[must_use]
    pub fn default_settings(game: &G, limits: PlayerLimits) -> MctsSettings {
        let start = game.start();
        let is_wide = match game.turn(&start) {
            Turn::One(seat) => game.breadth(&start, seat) > u64::from(EAGER_SIBLINGS),
            _ => false,
        };
        let explore = match is_wide && !has_lead(game) {
            true => 0.4,
            false => 1.0,
        };
        MctsSettings {
            limits,
            explore,
            cutoff: None,
        }
    }

    /// A player from text.
    ///
    /// # Errors
    /// An option has a value that it cannot take.
    pub(crate) fn read(game: &G, spec: &mut PlayerSpec<'_>) -> Result<Self, PlayerError> {
        let settings = MctsSettings::read(
            spec,
            &Self::default_settings(game, PlayerLimits::default()),
            "c",
        )?;
        Ok(Self::new(game, settings))
    }
}

impl<G: Game> Player<G> for Mcts<G> {
    fn name(&self) -> String {
        format!("mcts:{}", self.settings.text(&self.defaults, "c"))
    }

    fn begin(&mut self, seed: u64) {
        self.dice = Dice::new(seed);
        self.tree.clear();
        self.simultaneous.begin(seed);
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move> {
        if game.turn(state) == Turn::Both {
            return self.simultaneous.think(game, state, seat, observer);
        }
        if self.settings.cutoff.is_some() {
            self.tree.clear();
        }
        self.tree.set_root(game, state, &mut self.dice);
        let mut limits = self.settings.limits.clone();
        let root = self.tree.nodes[0];
        if root.count == 1 {
            // a single move: search only enough to report a value
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(100));
        }
        let mut budget = SearchBudget::start(&limits);
        let mut next_report = 1024;
        while self.tree.nodes[0].proof.is_none() {
            self.tree.run_playout(game, &self.settings, &mut self.dice);
            if !budget.goes_on(1, observer) {
                break;
            }
            if budget.nodes() == next_report {
                next_report *= 2;
                observer.report(&self.tree.thought(game, seat, budget.nodes()));
            }
        }
        self.tree.thought(game, seat, budget.nodes())
    }
}

#[derive(Clone, Copy, Debug)]
struct MctsNode<M> {
    /// The move that leads here.
    m: M,
    /// The outcome with best play, where it is proven.
    proof: Option<Outcome>,
    /// The index of its first child.
    first: u32,
    /// The number of children; 0 before expansion.
    count: u32,
    /// Whether its parent's position is symmetric, so that this one may be, too.
    may_be_even: bool,
    visits: u32,
    /// The position's hash, where it is opened.
    hash: u64,
    /// The scores of its visits, for the seat whose move leads here.
    points: f64,
}

/// The tree of one game.
#[derive(Debug)]
struct MctsTree<G: Game> {
    /// The rules and the position of node 0, the root.
    root: Option<(G, G::State)>,
    nodes: Vec<MctsNode<G::Move>>,
    /// Proven outcomes of expanded positions, for transpositions.
    proofs: HashMap<u64, Outcome, BuildHasherDefault<FoldedMultiplyHasher>>,
    /// The buffer to which the kept subtree is copied.
    kept: Vec<MctsNode<G::Move>>,
    /// From the root to where a playout begins: nodes, and whose move leads there.
    path: Vec<(u32, Seat)>,
    moves: Vec<G::Move>,
    order: Vec<(i64, u64, MctsNode<G::Move>)>,
    /// Under which symmetries a position is its own image.
    even: Vec<usize>,
    state: Option<G::State>,
    playouts: Playouts,
}

impl<G: Game> Default for MctsTree<G> {
    fn default() -> Self {
        Self {
            root: None,
            nodes: Vec::new(),
            proofs: HashMap::default(),
            kept: Vec::new(),
            path: Vec::new(),
            moves: Vec::new(),
            order: Vec::new(),
            even: Vec::new(),
            state: None,
            playouts: Playouts::default(),
        }
    }
}

impl<G: Game> MctsTree<G> {
    fn clear(&mut self) {
        self.root = None;
        self.nodes.clear();
        self.proofs.clear();
    }

    /// Makes a position the root: keeps its subtree, if it is at most two moves below the last
    /// root.
    fn set_root(&mut self, game: &G, state: &G::State, dice: &mut Dice) {
        match self.find_node(game, state) {
            Some(0) => {}
            Some(node) => self.retain_subtree(node),
            None => {
                self.clear();
                game.moves(state, mover(game, state), &mut self.moves);
                // the root's own move is never looked at
                self.nodes.push(MctsNode::new(self.moves[0], None, true));
            }
        }
        self.root = Some((game.clone(), state.clone()));
        self.playouts = Playouts::from_lead(game.lead(state));
        if self.nodes[0].count == 0 {
            self.expand(game, state, 0, dice);
        }
    }

    /// The node of a position, at most two moves below the root.
    fn find_node(&self, game: &G, state: &G::State) -> Option<usize> {
        let (known, root) = self.root.as_ref()?;
        if known != game {
            return None;
        }
        if root == state {
            return Some(0);
        }
        for child in self.children(0).filter(|&c| self.nodes[c].visits > 0) {
            let mut one = root.clone();
            game.apply(&mut one, JointMove::One(self.nodes[child].m));
            if &one == state {
                return Some(child);
            }
            for grandchild in self.children(child) {
                let mut two = one.clone();
                game.apply(&mut two, JointMove::One(self.nodes[grandchild].m));
                if &two == state {
                    return Some(grandchild);
                }
            }
        }
        None
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let first = self.nodes[node].first as usize;
        first..first + self.nodes[node].count as usize
    }

    /// Keeps the subtree of a node, and nothing else.
    fn retain_subtree(&mut self, node: usize) {
        self.kept.clear();
        self.kept.push(self.nodes[node]);
        let mut next = 0;
        while next < self.kept.len() {
            let (first, count) = (
                self.kept[next].first as usize,
                self.kept[next].count as usize,
            );
            self.kept[next].first = self.kept.len() as u32;
            self.kept
                .extend_from_slice(&self.nodes[first..first + count]);
            next += 1;
        }
        std::mem::swap(&mut self.nodes, &mut self.kept);
    }

    /// One playout: down the tree, to the end of a game, and back up.
    fn run_playout(&mut self, game: &G, settings: &MctsSettings, dice: &mut Dice) {
        let Some((_, root)) = &self.root else { return };
        let mut state = match self.state.take() {
            Some(mut state) => {
                state.clone_from(root);
                state
            }
            None => root.clone(),
        };
        self.path.clear();
        let mut node = 0;
        let mut siblings = 0;
        let score = loop {
            if let Some(outcome) = self.nodes[node].proof {
                break score_of(outcome);
            }
            let Turn::One(mover) = game.turn(&state) else {
                break self.playouts.score(game, &mut state, settings.cutoff, dice);
            };
            if self.nodes[node].count == 0 {
                let is_new = self.nodes[node].visits == 0 && siblings > EAGER_SIBLINGS;
                if is_new || self.nodes.len() > MAX_NODES {
                    break self.playouts.score(game, &mut state, settings.cutoff, dice);
                }
                self.expand(game, &state, node, dice);
                continue;
            }
            siblings = self.nodes[node].count;
            node = self.select_child(node, settings.explore);
            game.apply(&mut state, JointMove::One(self.nodes[node].m));
            self.path.push((node as u32, mover));
        };
        self.nodes[0].visits += 1;
        for &(node, mover) in &self.path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.points += match mover {
                Seat::First => score,
                Seat::Second => 1.0 - score,
            };
        }
        self.propagate_proof();
        self.state = Some(state);
    }

    /// Creates the children of a node.
    fn expand(&mut self, game: &G, state: &G::State, node: usize, dice: &mut Dice) {
        let mover = mover(game, state);
        let hash = game.hash(state);
        self.nodes[node].hash = hash;
        if node != 0
            && let Some(&proof) = self.proofs.get(&hash)
        {
            self.nodes[node].proof = Some(proof);
            return;
        }
        game.moves(state, mover, &mut self.moves);
        self.order.clear();
        self.even.clear();
        if self.nodes[node].may_be_even {
            let others = 1..game.symmetries();
            self.even
                .extend(others.filter(|&s| &game.image(state, s) == state));
        }
        let mut after = state.clone();
        for &m in &self.moves {
            after.clone_from(state);
            game.apply(&mut after, JointMove::One(m));
            let proof = game.turn(&after).outcome();
            let lead = lead_of(game, &after, mover);
            self.order.push((
                -lead,
                dice.word(),
                MctsNode::new(m, proof, !self.even.is_empty()),
            ));
        }
        self.order
            .sort_unstable_by_key(|&(lead, chance, _)| (lead, chance));
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = self.order.len() as u32;
        self.nodes
            .extend(self.order.iter().map(|&(_, _, node)| node));
        self.update_proof(node, mover);
    }

    /// Proves a node if its children suffice.
    fn update_proof(&mut self, node: usize, mover: Seat) {
        let proof = self.proof_by_children(node, mover);
        self.nodes[node].proof = proof;
        if let Some(outcome) = proof.filter(|_| self.proofs.len() < MAX_PROOFS) {
            self.proofs.insert(self.nodes[node].hash, outcome);
        }
    }

    /// The outcome of a node, if its children prove it.
    fn proof_by_children(&self, node: usize, mover: Seat) -> Option<Outcome> {
        let mut best = Some(Outcome::Win(mover.other()));
        for child in &self.nodes[self.children(node)] {
            match child.proof {
                Some(Outcome::Win(winner)) if winner == mover => return child.proof,
                Some(Outcome::Draw) if best.is_some() => best = Some(Outcome::Draw),
                Some(_) => {}
                None => best = None,
            }
        }
        best
    }

    /// Carries what was proven at the end of the path up towards the root.
    fn propagate_proof(&mut self) {
        for i in (0..self.path.len()).rev() {
            let (node, mover) = self.path[i];
            let parent = match i {
                0 => 0,
                _ => self.path[i - 1].0 as usize,
            };
            if self.nodes[node as usize].proof.is_none() {
                return;
            }
            self.update_proof(parent, mover);
        }
    }

    /// The child to visit next. Visited children come before the others.
    fn select_child(&self, node: usize, explore: f64) -> usize {
        let children = self.children(node);
        let first = children.start;
        let log = f64::from(self.nodes[node].visits.max(1)).ln();
        let mut best = (first, f64::NEG_INFINITY);
        for (i, child) in self.nodes[children].iter().enumerate() {
            let bound = match child.proof {
                Some(Outcome::Draw) => 0.5,
                Some(_) => continue,
                None if child.visits == 0 => UNTRIED_BONUS * explore + 0.5,
                None => {
                    let visits = f64::from(child.visits);
                    child.points / visits + explore * (log / visits).sqrt()
                }
            };
            if bound > best.1 {
                best = (first + i, bound);
            }
            if child.visits == 0 && child.proof.is_none() {
                break;
            }
        }
        best.0
    }

    /// The best child: a proven win; or the one visited most that is no proven loss; or, in
    /// a lost position, the one that took the longest to refute.
    fn best_child(&self, node: usize, mover: Seat) -> Option<usize> {
        let rank = |child: &MctsNode<G::Move>| match child.proof {
            Some(Outcome::Win(winner)) if winner == mover => (3, u32::MAX - child.visits),
            Some(Outcome::Win(_)) => (1, child.visits),
            // a draw for sure is better than what scores less
            Some(Outcome::Draw) => (2, child.visits.max(1)),
            None => (2, child.visits),
        };
        let children = self.children(node);
        children.max_by_key(|&c| (rank(&self.nodes[c]), std::cmp::Reverse(c)))
    }

    fn thought(&self, game: &G, seat: Seat, playouts: u64) -> Thought<G::Move> {
        let (_, root) = self.root.as_ref().expect("a tree that grows has a root");
        let best = self.best_child(0, seat).expect("the root is opened");
        let node = &self.nodes[best];
        let mut line = Vec::new();
        let mut state = root.clone();
        let mut at = 0;
        while let Turn::One(mover) = game.turn(&state) {
            let Some(next) = self.best_child(at, mover).filter(|_| line.len() < 40) else {
                break;
            };
            let joint = JointMove::One(self.nodes[next].m);
            game.apply(&mut state, joint);
            line.push(joint);
            at = next;
        }
        let value = match (self.nodes[0].proof, node.visits) {
            (Some(outcome), _) => Some(Value::Proven(outcome)),
            (None, 0) => None,
            // where games are cut off a score says how good a move is, but not who wins
            (None, _) if self.playouts.mean_lead().is_some() => {
                self.playouts.mean_lead().map(|lead| match seat {
                    Seat::First => Value::Lead(lead),
                    Seat::Second => Value::Lead(-lead),
                })
            }
            (None, visits) => Some(Value::Expected(node.points / f64::from(visits))),
        };
        Thought {
            line,
            value,
            nodes: playouts,
            ..Thought::plain(node.m)
        }
    }
}

/// The bound of an unvisited move: an even score, plus this times the exploration constant.
const UNTRIED_BONUS: f64 = 1.0;

impl<M> MctsNode<M> {
    fn new(m: M, proof: Option<Outcome>, may_be_even: bool) -> Self {
        Self {
            m,
            proof,
            first: 0,
            count: 0,
            may_be_even,
            hash: 0,
            visits: 0,
            points: 0.0,
        }
    }
}

/// Whose move it is, where one is to move.
fn mover<G: Game>(game: &G, state: &G::State) -> Seat {
    match game.turn(state) {
        Turn::One(seat) => seat,
        _ => Seat::First,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NullObserver;
    use games::mnk::Mnk;

    #[test]
    fn what_is_still_reachable_is_kept_and_nothing_else() {
        let game = Mnk::<1>::new(5, 5, 4).expect("it fits");
        let limits = PlayerLimits {
            nodes: Some(3000),
            ..PlayerLimits::default()
        };
        let settings = MctsSettings {
            explore: 1.0,
            ..Mcts::default_settings(&game, limits)
        };
        let mut player = Mcts::new(&game, settings);
        Player::<Mnk<1>>::begin(&mut player, 1);
        let mut state = game.start();
        let thought = player.think(&game, &state, Seat::First, &mut NullObserver);
        let grown = player.tree.nodes.len();
        for joint in &thought.line[..2] {
            game.apply(&mut state, *joint);
        }
        let node = player
            .tree
            .find_node(&game, &state)
            .expect("it was expected");
        let visits = player.tree.nodes[node].visits;
        assert!(visits > 10);
        player.tree.set_root(&game, &state, &mut Dice::new(1));
        assert_eq!(player.tree.nodes[0].visits, visits);
        assert!((100..grown).contains(&player.tree.nodes.len()));
        // every child is at the index that its parent has, and has at most the parent's visits
        let nodes = &player.tree.nodes;
        for (i, node) in nodes.iter().enumerate().filter(|(_, node)| node.count > 0) {
            let children = &nodes[player.tree.children(i)];
            assert_eq!(children.len(), node.count as usize);
            assert!(children.iter().map(|child| child.visits).sum::<u32>() <= node.visits);
        }
        // elsewhere, or under other rules, it begins again
        player
            .tree
            .set_root(&game, &game.start(), &mut Dice::new(1));
        assert_eq!(player.tree.nodes[0].visits, 0);
        let other = Mnk::<1>::new(5, 5, 5).expect("it fits");
        assert_eq!(player.tree.find_node(&other, &game.start()), None);
    }
}
