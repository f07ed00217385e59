//! `material`: a greedy player that maximises its lead after one turn.
//!
//! It searches one turn ahead and evaluates by [`Game::lead`]; a winning move is taken, a
//! losing one avoided, and ties are broken at random.
//!
//! With simultaneous moves it samples a few random replies, the same for each of its own moves,
//! and takes the best mean. Assuming that the other passes would be quicker, but only some
//! games have a pass. Where there are very many moves it evaluates a sample of them.

use crate::{Player, PlayerLimits, SearchBudget, SearchObserver, Thought, Value};
use games::{Dice, Game, JointMove, Outcome, Seat, Turn};

/// The most own moves tried where both seats move at once: they take little of a time limit of
/// 20 ms.
const MAX_MOVES: usize = 4096;

/// The number of sampled replies.
const SAMPLED_REPLIES: usize = 8;

/// The value of a win, above any lead.
const WIN: i64 = 1 << 50;

/// Plays the move with the best lead after it.
///
/// ```
/// use games::{Game as _, JointMove, Seat, stones::Stones};
/// use players::{MaterialPlayer, NullObserver, Player as _};
///
/// let game = Stones::default();
/// let start = game.start();
/// let mut player = MaterialPlayer::default();
/// let thought = player.think(&game, &start, Seat::First, &mut NullObserver);
/// let mut after = start;
/// game.apply(&mut after, JointMove::One(thought.choice));
/// assert!(game.lead(&after) >= 2); // as much as d4 brings
/// ```
#[derive(Clone, Debug)]
pub struct MaterialPlayer {
    dice: Dice,
}

impl Default for MaterialPlayer {
    fn default() -> Self {
        Self { dice: Dice::new(0) }
    }
}

/// How far a seat is ahead.
#[inline]
pub(crate) fn lead_of<G: Game>(game: &G, state: &G::State, seat: Seat) -> i64 {
    match seat {
        Seat::First => game.lead(state),
        Seat::Second => -game.lead(state),
    }
}

/// The value of a position for a seat: its lead, or the outcome.
fn position_value<G: Game>(game: &G, state: &G::State, seat: Seat) -> i64 {
    match game.turn(state) {
        Turn::Over(Outcome::Win(winner)) if winner == seat => WIN,
        Turn::Over(Outcome::Win(_)) => -WIN,
        Turn::Over(Outcome::Draw) => 0,
        _ => lead_of(game, state, seat),
    }
}

/// Every move of a seat, or a sample of `most` of them without doubles.
fn candidates<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    most: usize,
    dice: &mut Dice,
) -> Vec<G::Move> {
    let mut moves = Vec::new();
    if game.breadth(state, seat) <= most as u64 {
        game.moves(state, seat, &mut moves);
        return moves;
    }
    moves.extend((0..most).map(|_| game.random_move(state, seat, dice)));
    moves.sort_unstable();
    moves.dedup();
    moves
}

impl<G: Game> Player<G> for MaterialPlayer {
    fn name(&self) -> String {
        "material".into()
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
        let is_simultaneous = game.turn(state) == Turn::Both;
        let (moves, replies) = if is_simultaneous {
            let own = candidates(game, state, seat, MAX_MOVES, &mut self.dice);
            let replies =
                (0..SAMPLED_REPLIES).map(|_| game.random_move(state, seat.other(), &mut self.dice));
            (own, replies.collect())
        } else {
            let mut moves = Vec::new();
            game.moves(state, seat, &mut moves);
            (moves, Vec::new())
        };

        let mut budget = SearchBudget::start(&PlayerLimits::default());
        let mut best = (moves[0], i64::MIN);
        let mut equals = 0;
        let mut after = state.clone();
        for &m in &moves {
            let mut try_out = |joint| {
                after.clone_from(state);
                game.apply(&mut after, joint);
                position_value(game, &after, seat)
            };
            let sum = match seat {
                _ if !is_simultaneous => try_out(JointMove::One(m)),
                Seat::First => replies
                    .iter()
                    .map(|&r| try_out(JointMove::Both(m, r)))
                    .sum(),
                Seat::Second => replies
                    .iter()
                    .map(|&r| try_out(JointMove::Both(r, m)))
                    .sum(),
            };
            if sum > best.1 {
                best = (m, sum);
                equals = 1;
            } else if sum == best.1 {
                equals += 1;
                if self.dice.below(equals) == 0 {
                    best.0 = m;
                }
            }
            if !budget.goes_on(replies.len().max(1) as u64, observer) {
                break;
            }
        }
        let (choice, sum) = best;
        let end = (sum.abs() == WIN).then_some(match sum {
            WIN => Outcome::Win(seat),
            _ => Outcome::Win(seat.other()),
        });
        let value = match end {
            Some(end) if !is_simultaneous => Some(Value::Proven(end)),
            _ => Some(Value::Lead(sum as f64 / replies.len().max(1) as f64)),
        };
        // an outcome among the sampled replies is no lead
        let value = value.filter(|v| !matches!(v, Value::Lead(x) if x.abs() > (WIN / 16) as f64));
        let line = match is_simultaneous {
            true => Vec::new(),
            false => vec![JointMove::One(choice)],
        };
        Thought {
            line,
            value,
            nodes: budget.nodes(),
            depth: 1,
            ..Thought::plain(choice)
        }
    }
}
