//! `alphabeta`: depth-first minimax search with alpha-beta pruning.
//!
//! Negamax with alpha-beta bounds (Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, 1975),
//! iterative deepening, and principal variation search (Marsland and Campbell, 1982). Results
//! are kept in a [transposition table](table). At the horizon a position is evaluated by its
//! [`Game::lead`].
//!
//! Moves are ordered by: the table's move, killer moves (which caused cutoffs in sibling
//! positions; Akl and Newborn, 1977), the lead directly after the move, and the history heuristic
//! (Schaeffer, 1983). A winning move ends the search of a node.
//!
//! Wins and losses are proven, and their value decreases with distance: it wins as soon as it
//! can and loses as late as it can. A draw is proven where no branch reached the horizon. The
//! table is keyed by the position itself and not by its images under the symmetries: after the
//! first moves few positions have an image that also occurs, and computing eight images costs
//! more than a move.

mod table;

use crate::hasher::FoldedMultiplyHasher;
use crate::material::lead_of;
use crate::{
    Player, PlayerError, PlayerLimits, PlayerSpec, SearchBudget, SearchObserver, Thought, Value,
};
use games::{Dice, Game, JointMove, Outcome, Seat, Turn};
use std::hash::{Hash, Hasher};
use table::{COMPLETE, TranspositionBound, TranspositionTable};

/// The default limits of `alphabeta`.
const DEFAULT: PlayerLimits = PlayerLimits {
    time: None,
    nodes: None,
    depth: Some(4),
};

/// The value of a win at the root. A win after n turns is worth n less.
const WIN: i64 = 1 << 50;
/// Values from here on are wins, and up to its negative losses.
const SURE: i64 = WIN - (1 << 20);
const DOOMED: i64 = -SURE;
/// The greatest lead that counts.
const MAX_LEAD: i64 = 1 << 48;
/// The greatest search depth.
const MAX_DEPTH: u32 = 200;

/// Plays by alpha-beta search.
///
/// ```
/// use games::{Game as _, Seat, mnk::Mnk};
/// use players::{AlphaBeta, NullObserver, Player as _, PlayerLimits, Value};
///
/// let game = Mnk::TICTACTOE;
/// let position = game.parse_state("OO.\nXX.\n...\nO to move\n")?;
/// let mut player = AlphaBeta::new(PlayerLimits { depth: Some(3), ..PlayerLimits::default() });
/// let thought = player.think(&game, &position, Seat::First, &mut NullObserver);
/// assert_eq!(game.write_move(thought.choice, Seat::First), "C1");
/// assert_eq!(thought.value, Some(Value::Proven(games::Outcome::Win(Seat::First))));
/// # Ok::<(), games::StateError>(())
/// ```
#[derive(Debug)]
pub struct AlphaBeta<G: Game> {
    limits: PlayerLimits,
    seed: u64,
    /// The rules to which the memory belongs.
    game: Option<G>,
    memory: AlphaBetaMemory<G>,
}

impl<G: Game> AlphaBeta<G> {
    /// A player with these limits.
    ///
    /// ```
    /// use players::{AlphaBeta, Player as _, PlayerLimits};
    ///
    /// let depth = Some(4);
    /// let player = AlphaBeta::<games::mnk::Mnk<1>>::new(PlayerLimits { depth, ..PlayerLimits::default() });
    /// assert_eq!(player.name(), "alphabeta:depth=4");
    /// ```
    #[must_use]
    pub fn new(limits: PlayerLimits) -> Self {
        Self {
            limits,
            seed: 0,
            game: None,
            memory: AlphaBetaMemory::new(),
        }
    }

    /// A player from text.
    ///
    /// # Errors
    /// An option has a value that it cannot take, or the seats move at once in this game.
    pub(crate) fn read(game: &G, spec: &mut PlayerSpec<'_>) -> Result<Self, PlayerError> {
        if game.turn(&game.start()) == Turn::Both {
            return Err(PlayerError::Unfit {
                player: spec.name().into(),
                game: game.name(),
                problem: "its seats move at the same time; take mcts or regret".into(),
            });
        }
        Ok(Self::new(PlayerLimits::read(spec, DEFAULT)?))
    }
}

/// The state kept from one search to the next.
#[derive(Debug)]
struct AlphaBetaMemory<G: Game> {
    table: TranspositionTable<G::Move>,
    history: Vec<u32>,
    plies: Vec<Ply<G>>,
}

/// The buffers of one ply, kept so that nothing is allocated twice.
#[derive(Debug)]
struct Ply<G: Game> {
    moves: Vec<G::Move>,
    children: Vec<AlphaBetaChild<G>>,
    /// The order in which the children are tried: rank, and place among them.
    order: Vec<(MoveRank, u32)>,
    killers: [Option<G::Move>; 2],
    /// The principal variation from here.
    line: Vec<G::Move>,
}

/// The lower the earlier: the table's move, a killer, the lead, the history.
type MoveRank = (bool, bool, i64, u32);

#[derive(Clone, Debug)]
struct AlphaBetaChild<G: Game> {
    m: G::Move,
    state: G::State,
    turn: Turn,
}

/// How many counters the history has; moves share them by their hash.
const HISTORY_SIZE: usize = 1 << 12;

impl<G: Game> AlphaBetaMemory<G> {
    fn new() -> Self {
        Self {
            table: TranspositionTable::new(),
            history: vec![0; HISTORY_SIZE],
            plies: Vec::new(),
        }
    }
}

impl<G: Game> Player<G> for AlphaBeta<G> {
    fn name(&self) -> String {
        format!("alphabeta:{}", self.limits.text("nodes"))
    }

    fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.memory = AlphaBetaMemory::new();
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move> {
        if self.game.as_ref() != Some(game) {
            self.game = Some(game.clone());
            self.memory = AlphaBetaMemory::new();
        }
        self.memory.table.next_generation();
        self.memory.history.iter_mut().for_each(|count| *count /= 4);
        let search = AlphaBetaSearch {
            game,
            memory: &mut self.memory,
            budget: SearchBudget::start(&self.limits),
            observer,
            horizon: 0,
        };
        // ties are broken at random, but always in the same way in the same position
        let dice = Dice::of_part(self.seed, game.hash(state));
        search.think(state, seat, self.limits.depth, dice)
    }
}

struct AlphaBetaSearch<'a, G: Game> {
    game: &'a G,
    memory: &'a mut AlphaBetaMemory<G>,
    budget: SearchBudget,
    observer: &'a mut dyn SearchObserver<G::Move>,
    /// The number of values that came from the horizon.
    horizon: u64,
}

impl<G: Game> AlphaBetaSearch<'_, G> {
    /// Iterative deepening.
    fn think(
        mut self,
        state: &G::State,
        seat: Seat,
        depth: Option<u32>,
        mut dice: Dice,
    ) -> Thought<G::Move> {
        self.make_plies(2);
        let mut moves = Vec::new();
        self.game.moves(state, seat, &mut moves);
        dice.shuffle(&mut moves);
        let mut root: Vec<AlphaBetaChild<G>> =
            moves.iter().map(|&m| self.child(state, m)).collect();
        root.sort_by_key(|child| std::cmp::Reverse(self.immediate_value(child, seat)));

        let mut best = Thought {
            line: vec![JointMove::One(root[0].m)],
            ..Thought::plain(root[0].m)
        };
        let deepest = match root.len() {
            // a single move: search only enough to report a value
            1 => depth.unwrap_or(2).min(2),
            _ => depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH),
        };
        for depth in 1..=deepest.min(self.game.longest().max(1)) {
            self.make_plies(depth as usize + 2);
            let before = self.horizon;
            let Some((place, value, line)) = self.iteration(&root, seat, depth) else {
                break;
            };
            let is_complete = self.horizon == before && !self.budget.is_stopped();
            best = Thought {
                choice: root[place].m,
                line: line.into_iter().map(JointMove::One).collect(),
                value: Some(match value {
                    SURE.. => Value::Proven(Outcome::Win(seat)),
                    ..=DOOMED if !self.budget.is_stopped() => {
                        Value::Proven(Outcome::Win(seat.other()))
                    }
                    0 if is_complete => Value::Proven(Outcome::Draw),
                    lead => Value::Lead(lead.clamp(-MAX_LEAD, MAX_LEAD) as f64),
                }),
                nodes: self.budget.nodes(),
                depth: if self.budget.is_stopped() {
                    depth - 1
                } else {
                    depth
                },
                reason: None,
            };
            // the best move comes first in the next iteration
            root[..=place].rotate_right(1);
            if self.budget.is_stopped() {
                break;
            }
            self.observer.report(&best);
            let is_found = value.abs() >= SURE && WIN - value.abs() <= i64::from(depth);
            if is_found || is_complete {
                break;
            }
        }
        best.nodes = self.budget.nodes();
        best
    }

    /// Searches to a depth: returns the index of the best move, its value and its line. `None`
    /// where the budget stopped it before the first move was done.
    fn iteration(
        &mut self,
        root: &[AlphaBetaChild<G>],
        seat: Seat,
        depth: u32,
    ) -> Option<(usize, i64, Vec<G::Move>)> {
        let mut best: Option<(usize, i64, Vec<G::Move>)> = None;
        for (place, child) in root.iter().enumerate() {
            let alpha = best.as_ref().map_or(-WIN, |best| best.1);
            let value = self.value(child, seat, depth, 0, alpha, WIN, place == 0);
            if self.budget.is_stopped() {
                break;
            }
            if value > alpha || best.is_none() {
                let mut line = vec![child.m];
                line.extend_from_slice(&self.memory.plies[1].line);
                best = Some((place, value, line));
            }
        }
        best
    }

    fn make_plies(&mut self, count: usize) {
        while self.memory.plies.len() < count {
            self.memory.plies.push(Ply {
                moves: Vec::new(),
                children: Vec::new(),
                order: Vec::new(),
                killers: [None; 2],
                line: Vec::new(),
            });
        }
    }

    fn child(&self, state: &G::State, m: G::Move) -> AlphaBetaChild<G> {
        let mut state = state.clone();
        self.game.apply(&mut state, JointMove::One(m));
        let turn = self.game.turn(&state);
        AlphaBetaChild { m, state, turn }
    }

    /// The value of a child for the seat that moved, without further search.
    fn immediate_value(&self, child: &AlphaBetaChild<G>, mover: Seat) -> i64 {
        match child.turn {
            Turn::Over(outcome) => outcome_value(outcome, mover, 0),
            _ => lead_of(self.game, &child.state, mover).clamp(-MAX_LEAD, MAX_LEAD),
        }
    }

    /// The value of a child of a node at `ply` for the seat that moved there. Children after
    /// the first get a null-window search first, and a full one only if they exceed `alpha`.
    #[expect(
        clippy::too_many_arguments,
        reason = "a window, a depth and a place in the tree"
    )]
    fn value(
        &mut self,
        child: &AlphaBetaChild<G>,
        mover: Seat,
        depth: u32,
        ply: usize,
        alpha: i64,
        beta: i64,
        is_first: bool,
    ) -> i64 {
        self.memory.plies[ply + 1].line.clear();
        if !self.budget.goes_on(1, self.observer) {
            return alpha;
        }
        let next = match child.turn {
            Turn::Over(outcome) => return outcome_value(outcome, mover, ply + 1),
            Turn::One(next) if depth > 1 => next,
            _ => {
                self.horizon += 1;
                return lead_of(self.game, &child.state, mover).clamp(-MAX_LEAD, MAX_LEAD);
            }
        };
        let mut look = |alpha, beta| match next == mover {
            true => self.node(&child.state, next, depth - 1, ply + 1, alpha, beta),
            false => -self.node(&child.state, next, depth - 1, ply + 1, -beta, -alpha),
        };
        if is_first {
            return look(alpha, beta);
        }
        let value = look(alpha, alpha + 1);
        if value > alpha && value < beta {
            return look(alpha, beta);
        }
        value
    }

    /// The value of a position for the seat to move, searched `depth` turns deep, 1 at least:
    /// exact between `alpha` and `beta`, a bound beyond them.
    fn node(
        &mut self,
        state: &G::State,
        mover: Seat,
        depth: u32,
        ply: usize,
        alpha: i64,
        beta: i64,
    ) -> i64 {
        let hash = self.game.hash(state);
        let is_open = beta - alpha > 1;
        let mut known = None;
        if let Some(entry) = self.memory.table.find(hash) {
            known = entry.best;
            let value = from_node(entry.value, ply);
            let is_deep = u32::from(entry.depth) >= depth;
            let decides = match entry.bound {
                TranspositionBound::Lower => value >= beta && (is_deep || value >= SURE),
                TranspositionBound::Upper => value <= alpha && (is_deep || value <= DOOMED),
                TranspositionBound::Exact => is_deep || value.abs() >= SURE,
            };
            // in an open window the whole line is needed, and few nodes have one
            if decides && !is_open {
                self.horizon += u64::from(entry.depth != COMPLETE && value.abs() < SURE);
                return value;
            }
        }
        let (floor, before) = (alpha, self.horizon);
        let best = match depth {
            1 => self.last_moves(state, mover, ply, known, alpha, beta),
            _ => self.all_moves(state, mover, depth, ply, known, alpha, beta),
        };
        if self.budget.is_stopped() {
            return floor;
        }
        let (value, choice) = best;
        let bound = match value {
            _ if value >= beta => TranspositionBound::Lower,
            _ if value > floor => TranspositionBound::Exact,
            _ => TranspositionBound::Upper,
        };
        if let (TranspositionBound::Lower, Some(m)) = (bound, choice) {
            self.record_cutoff(ply, mover, m, depth);
        }
        let is_complete = self.horizon == before;
        let depth = if is_complete { COMPLETE } else { depth as u8 };
        let choice = choice.filter(|_| bound != TranspositionBound::Upper);
        self.memory
            .table
            .store(hash, to_node(value, ply), choice, depth, bound);
        value
    }

    /// The best move of a node and its value, by a search below each.
    #[expect(
        clippy::too_many_arguments,
        reason = "a window, a depth and a place in the tree"
    )]
    fn all_moves(
        &mut self,
        state: &G::State,
        mover: Seat,
        depth: u32,
        ply: usize,
        known: Option<G::Move>,
        mut alpha: i64,
        beta: i64,
    ) -> (i64, Option<G::Move>) {
        let mut here = PlyBuffers::take(&mut self.memory.plies[ply]);
        self.expand(state, mover, ply, known, &mut here);
        let mut best: (i64, Option<G::Move>) = (i64::MIN, None);
        for (tried, &(_, place)) in here.order.iter().enumerate() {
            let child = &here.children[place as usize];
            let value = self.value(child, mover, depth, ply, alpha, beta, tried == 0);
            if self.budget.is_stopped() {
                break;
            }
            if value > best.0 {
                best = (value, Some(child.m));
                if value > alpha {
                    alpha = value;
                    self.prepend_to_line(ply, child.m);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        here.give_back(&mut self.memory.plies[ply]);
        best
    }

    /// The same one turn before the horizon, where the value of each move is its lead:
    /// unordered, since sorting would cost more than it saves.
    fn last_moves(
        &mut self,
        state: &G::State,
        mover: Seat,
        ply: usize,
        known: Option<G::Move>,
        mut alpha: i64,
        beta: i64,
    ) -> (i64, Option<G::Move>) {
        let mut moves = std::mem::take(&mut self.memory.plies[ply].moves);
        self.game.moves(state, mover, &mut moves);
        let [one, two] = self.memory.plies[ply].killers;
        for early in [two, one, known].into_iter().flatten() {
            if let Some(place) = moves.iter().position(|&m| m == early) {
                moves.swap(0, place);
            }
        }
        let mut best: (i64, Option<G::Move>) = (i64::MIN, None);
        let mut after = state.clone();
        self.memory.plies[ply + 1].line.clear();
        for &m in &moves {
            if !self.budget.goes_on(1, self.observer) {
                break;
            }
            after.clone_from(state);
            self.game.apply(&mut after, JointMove::One(m));
            let value = match self.game.turn(&after) {
                Turn::Over(outcome) => outcome_value(outcome, mover, ply + 1),
                _ => {
                    self.horizon += 1;
                    lead_of(self.game, &after, mover).clamp(-MAX_LEAD, MAX_LEAD)
                }
            };
            if value > best.0 {
                best = (value, Some(m));
                if value > alpha {
                    alpha = value;
                    self.prepend_to_line(ply, m);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        self.memory.plies[ply].moves = moves;
        best
    }

    /// Makes the children of a node and the order in which to try them. One that wins at once
    /// stands alone.
    fn expand(
        &mut self,
        state: &G::State,
        mover: Seat,
        ply: usize,
        known: Option<G::Move>,
        here: &mut PlyBuffers<G>,
    ) {
        let mut moves = std::mem::take(&mut self.memory.plies[ply].moves);
        self.game.moves(state, mover, &mut moves);
        let killers = self.memory.plies[ply].killers;
        here.order.clear();
        // existing states are overwritten, since they may be large
        here.children.truncate(moves.len());
        for (place, &m) in moves.iter().enumerate() {
            if let Some(child) = here.children.get_mut(place) {
                child.m = m;
                child.state.clone_from(state);
                self.game.apply(&mut child.state, JointMove::One(m));
                child.turn = self.game.turn(&child.state);
            } else {
                here.children.push(self.child(state, m));
            }
            let child = &here.children[place];
            if child.turn == Turn::Over(Outcome::Win(mover)) {
                here.order.clear();
                here.order.push(((false, false, 0, 0), place as u32));
                break;
            }
            let lead = self.immediate_value(child, mover);
            let rank = (
                Some(m) != known,
                !killers.contains(&Some(m)),
                -lead,
                u32::MAX - self.memory.history[history_slot(m, mover)],
            );
            here.order.push((rank, place as u32));
        }
        here.order.sort_unstable();
        self.memory.plies[ply].moves = moves;
    }

    /// Puts a move before the line of the next ply.
    fn prepend_to_line(&mut self, ply: usize, m: G::Move) {
        let (upper, lower) = self.memory.plies.split_at_mut(ply + 1);
        let line = &mut upper[ply].line;
        line.clear();
        line.push(m);
        line.extend_from_slice(&lower[0].line);
    }

    /// Records a cutoff in the killer and history tables.
    fn record_cutoff(&mut self, ply: usize, mover: Seat, m: G::Move, depth: u32) {
        let killers = &mut self.memory.plies[ply].killers;
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let count = &mut self.memory.history[history_slot(m, mover)];
        *count = (*count + depth * depth).min(1 << 24);
    }
}

/// The buffers of a ply while they are in use.
struct PlyBuffers<G: Game> {
    children: Vec<AlphaBetaChild<G>>,
    order: Vec<(MoveRank, u32)>,
}

impl<G: Game> PlyBuffers<G> {
    fn take(ply: &mut Ply<G>) -> Self {
        Self {
            children: std::mem::take(&mut ply.children),
            order: std::mem::take(&mut ply.order),
        }
    }

    fn give_back(self, ply: &mut Ply<G>) {
        ply.children = self.children;
        ply.order = self.order;
    }
}

/// The value of an end after `turns` turns.
fn outcome_value(outcome: Outcome, seat: Seat, turns: usize) -> i64 {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == seat => WIN - turns as i64,
        Outcome::Win(_) => turns as i64 - WIN,
    }
}

/// Converts a value relative to the root to one relative to the node, for the table.
fn to_node(value: i64, ply: usize) -> i64 {
    match value {
        SURE.. => value + ply as i64,
        ..=DOOMED => value - ply as i64,
        _ => value,
    }
}

/// The inverse of [`to_node`].
fn from_node(value: i64, ply: usize) -> i64 {
    match value {
        SURE.. => value - ply as i64,
        ..=DOOMED => value + ply as i64,
        _ => value,
    }
}

/// The index of a move's history counter.
#[inline]
fn history_slot<M: Hash>(m: M, seat: Seat) -> usize {
    let mut spread = FoldedMultiplyHasher::default();
    m.hash(&mut spread);
    let word = spread.finish();
    (word >> 32) as usize % (HISTORY_SIZE / 2) * 2 + seat.index()
}
