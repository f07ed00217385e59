//! What a player is, and what it says.

use games::{Game, JointMove, Outcome, Seat};

/// Something that chooses moves.
///
/// A player is asked again and again through one game, each time with the position; what it
/// remembers from one move to the next is its own affair, and must not break anything when
/// the next position is not one that it expected (a move taken back, say).
pub trait Player<G: Game>: Send {
    /// The text that [`crate::open`] makes this player from, the same for the same player:
    /// `mcts:ms=50`.
    fn name(&self) -> String;

    /// A new game begins: all that was remembered is forgotten, and chance starts from
    /// `seed`. The same seed gives the same moves, except where time decides how far to
    /// look.
    fn begin(&mut self, seed: u64);

    /// Chooses a move for a seat that is to move.
    ///
    /// The player keeps its own limits. Besides, it asks `observer` often (every millisecond
    /// or so) whether to go on, and stops soon after it has said no.
    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move>;

    /// The move that [`Player::think`] would choose, where the player needs no thought for
    /// it and has nothing to say about it: so quick that reading the clock would take longer
    /// than the move. `None`, always, for players that think.
    fn at_once(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        let _ = (game, state, seat);
        None
    }
}

/// Who looks on while a player thinks.
pub trait SearchObserver<M> {
    /// Whether the player may go on. Once it has said no it says so again.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// What the player holds best by now; told now and then.
    fn report(&mut self, thought: &Thought<M>) {
        let _ = thought;
    }
}

/// Nobody looks on, and nobody stops the player.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;

impl<M> SearchObserver<M> for NullObserver {}

/// Stops when the flag is set.
impl<M> SearchObserver<M> for &std::sync::atomic::AtomicBool {
    fn goes_on(&mut self) -> bool {
        !self.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// A choice, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move.
    pub choice: M,
    /// The principal line: what the player expects to follow, its own choice first. At
    /// least one long where the seats take turns; may be empty where both move at once.
    pub line: Vec<JointMove<M>>,
    /// What the position is worth to the player's own seat.
    pub value: Option<Value>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// How many turns ahead the search saw everything that it did not cut off; 0 where the
    /// player does not search so.
    pub depth: u32,
    /// Why, in words, where the player goes by rules: `blocks B2`.
    pub reason: Option<String>,
}

impl<M> Thought<M> {
    /// A choice without a reason.
    #[must_use]
    pub fn plain(choice: M) -> Self {
        Self {
            choice,
            line: Vec::new(),
            value: None,
            nodes: 0,
            depth: 0,
            reason: None,
        }
    }
}

/// What a position is worth to a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// It is proven: with best play it ends so, as `Win(seat)` or `Draw`.
    Proven(Outcome),
    /// The share of a point that is expected, from 0 (lost) by 0.5 (even) to 1 (won).
    Expected(f64),
    /// How far the seat is ahead, in units of the game's own (stones, points).
    Lead(f64),
}
