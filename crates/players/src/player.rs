//! The trait [`Player`], its observers and its results.

use games::{Game, JointMove, Outcome, Seat};

/// A program that chooses moves.
///
/// A player is called for each move of a game, with the position; it may keep state between
/// moves, but must cope with a position that it did not expect (after an undone move, say).
///
/// ```
/// use games::{Game, Seat};
/// use players::{NullObserver, Player, SearchObserver, Thought};
///
/// /// Always plays the first legal move.
/// struct Earliest;
///
/// impl<G: Game> Player<G> for Earliest {
///     fn name(&self) -> String {
///         "earliest".into()
///     }
///     fn begin(&mut self, _seed: u64) {}
///     fn think(
///         &mut self,
///         game: &G,
///         state: &G::State,
///         seat: Seat,
///         _: &mut dyn SearchObserver<G::Move>,
///     ) -> Thought<G::Move> {
///         let mut moves = Vec::new();
///         game.moves(state, seat, &mut moves);
///         Thought::plain(moves[0])
///     }
/// }
///
/// let (game, seat) = (games::mnk::Mnk::TICTACTOE, Seat::First);
/// assert_eq!(Earliest.think(&game, &game.start(), seat, &mut NullObserver).choice, 0);
/// ```
pub trait Player<G: Game>: Send {
    /// The text that [`crate::open`] makes this player from, the same for the same player:
    /// `mcts:ms=50`.
    fn name(&self) -> String;

    /// Starts a new game: clears all state and seeds the random numbers. The same seed gives
    /// the same moves, except where a time limit ends the search.
    fn begin(&mut self, seed: u64);

    /// Chooses a move for a seat that is to move.
    ///
    /// The player keeps its own limits. It also calls `observer.goes_on()` about every
    /// millisecond, and stops soon after it has returned false.
    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Thought<G::Move>;

    /// The move that [`Player::think`] would choose, for players without a search: so fast that
    /// reading a clock would take longer. `None`, always, for players that search.
    fn instant_move(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        let _ = (game, state, seat);
        None
    }
}

/// An observer of a search, which can also stop it.
///
/// ```
/// use games::{Game as _, Seat, mnk::Mnk};
/// use players::{Clock, SearchObserver, Thought, open};
///
/// /// Keeps the depth of the last report.
/// struct LastDepth(u32);
///
/// impl<M> SearchObserver<M> for LastDepth {
///     fn report(&mut self, thought: &Thought<M>) {
///         self.0 = thought.depth;
///     }
/// }
///
/// let game = Mnk::TICTACTOE;
/// let mut depth = LastDepth(0);
/// open(&game, "alphabeta:depth=4", &Clock::system())?.think(&game, &game.start(), Seat::First, &mut depth);
/// assert!(depth.0 >= 1);
/// # Ok::<(), players::PlayerError>(())
/// ```
pub trait SearchObserver<M> {
    /// Whether the player may go on. Once false, it stays false.
    fn goes_on(&mut self) -> bool {
        true
    }

    /// Receives the best result so far, from time to time.
    fn report(&mut self, thought: &Thought<M>) {
        let _ = thought;
    }
}

/// An observer that ignores reports and never stops the search.
#[derive(Clone, Copy, Debug, Default)]
pub struct NullObserver;

impl<M> SearchObserver<M> for NullObserver {}

/// Stops when the flag is set.
impl<M> SearchObserver<M> for &std::sync::atomic::AtomicBool {
    fn goes_on(&mut self) -> bool {
        !self.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// The result of a search: the chosen move, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<M> {
    /// The move.
    pub choice: M,
    /// The principal variation, the chosen move first. At least one long where the seats
    /// alternate; may be empty where both move at once.
    pub line: Vec<JointMove<M>>,
    /// The value of the position for the player's own seat.
    pub value: Option<Value>,
    /// The number of positions searched.
    pub nodes: u64,
    /// The depth in turns to which the search is complete except for pruning; 0 for players
    /// that do not search to a depth.
    pub depth: u32,
    /// Why, in words, where the player goes by rules: `blocks B2`.
    pub reason: Option<String>,
}

impl<M> Thought<M> {
    /// A choice without a reason.
    ///
    /// ```
    /// use players::Thought;
    ///
    /// let thought = Thought::plain("B2");
    /// assert_eq!((thought.choice, thought.value, thought.nodes), ("B2", None, 0));
    /// ```
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

/// The value of a position for a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Proven: the outcome with best play, as `Win(seat)` or `Draw`.
    Proven(Outcome),
    /// The expected score, from 0 (lost) by 0.5 (even) to 1 (won).
    Expected(f64),
    /// The lead of the seat, in units of the game's own (stones, points).
    Lead(f64),
}
