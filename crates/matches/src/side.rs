//! A side of a game as the referee sees it: a built-in player or a bot.

use crate::Fault;
use games::{Game, Outcome, Seat};
use players::{Clock, Player, SearchObserver, Thought};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One side of a game.
///
/// One game lies between [`Side::begin`] and [`Side::end`]. A fault ends the game, and the next
/// game may begin all the same: a crashed bot is restarted.
pub trait Side<G: Game>: Send {
    /// Its name; for a built-in player, its text.
    fn name(&self) -> String;

    /// Begins a game in this position, with this side in `seat` and a random seed. If `watch`
    /// stops it, the result is discarded.
    ///
    /// # Errors
    /// A bot cannot be started, or violates the protocol's greeting.
    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        seed: u64,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault>;

    /// Chooses a move in a position where its seat is to move. If `watch` stops it, the answer
    /// is discarded and does not count as late.
    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move>;

    /// Its move, if it needs no search: reading the clock would take longer.
    fn instant_move(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        let _ = (game, state, seat);
        None
    }

    /// Ends the game. A bot that plays one game per process exits here.
    fn end(&mut self, game: &G, state: &G::State, outcome: Outcome) -> ProcessReport {
        let _ = (game, state, outcome);
        ProcessReport::default()
    }
}

/// A move and the time it took.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReply<M> {
    /// The move and its explanation, or the fault.
    pub thought: Result<Thought<M>, Fault>,
    /// The time it took.
    pub spent: Duration,
}

/// A bot's report after a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessReport {
    /// Properties for the record: its own name, its protocol, its sandbox's layers. Empty for
    /// built-in players.
    pub about: Vec<(String, String)>,
    /// Observations that are no faults: processes left behind, refusals of the sandbox, that it
    /// outlived the game.
    pub notes: Vec<String>,
    /// Its output on standard error in this game; only the end if it is too long.
    pub stderr: String,
}

/// A built-in player as a side.
pub struct BuiltinPlayer<G: Game> {
    player: Box<dyn Player<G>>,
    clock: Clock,
}

impl<G: Game> BuiltinPlayer<G> {
    /// A player, and the clock that measures the time of its moves.
    ///
    /// ```
    /// use games::mnk::Mnk;
    /// use matches::{BuiltinPlayer, Side as _};
    /// use players::Clock;
    ///
    /// let clock = Clock::system();
    /// let player = players::open(&Mnk::TICTACTOE, "perfect", &clock)?;
    /// assert_eq!(BuiltinPlayer::new(player, clock).name(), "perfect");
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    #[must_use]
    pub fn new(player: Box<dyn Player<G>>, clock: Clock) -> Self {
        Self { player, clock }
    }
}

impl<G: Game> Side<G> for BuiltinPlayer<G> {
    fn name(&self) -> String {
        self.player.name()
    }

    fn begin(
        &mut self,
        _: &G,
        _: &G::State,
        _: Seat,
        seed: u64,
        _: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault> {
        self.player.begin(seed);
        Ok(())
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move> {
        let started = self.clock.now();
        let thought = Ok(self.player.think(game, state, seat, watch));
        let spent = self.clock.now().saturating_sub(started);
        MoveReply { thought, spent }
    }

    fn instant_move(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        self.player.instant_move(game, state, seat)
    }
}

/// A built-in player with a time limit per move.
pub struct TimeLimitedPlayer<G: Game> {
    player: BuiltinPlayer<G>,
    limit: Duration,
}

impl<G: Game> TimeLimitedPlayer<G> {
    /// A player that makes the best move found so far when its time is over.
    ///
    /// ```
    /// use games::{Game as _, Seat, mnk::Mnk};
    /// use matches::{Side as _, TimeLimitedPlayer};
    /// use players::{Clock, NullObserver};
    /// use std::time::Duration;
    ///
    /// let (game, clock) = (Mnk::TICTACTOE, Clock::system());
    /// let player = players::open(&game, "mcts:playouts=1000000", &clock)?;
    /// let mut side = TimeLimitedPlayer::new(player, Duration::from_millis(5), clock);
    /// let reply = side.think(&game, &game.start(), Seat::First, &mut NullObserver);
    /// assert!(reply.thought.is_ok_and(|thought| thought.nodes < 1_000_000));
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    #[must_use]
    pub fn new(player: Box<dyn Player<G>>, limit: Duration, clock: Clock) -> Self {
        let player = BuiltinPlayer::new(player, clock);
        Self { player, limit }
    }
}

/// Stops at a deadline, or when the inner observer does.
struct TimeLimitedWatch<'a, M> {
    clock: &'a Clock,
    end: Duration,
    watch: &'a mut dyn SearchObserver<M>,
}

impl<M> SearchObserver<M> for TimeLimitedWatch<'_, M> {
    fn goes_on(&mut self) -> bool {
        self.watch.goes_on() && self.clock.now() < self.end
    }

    fn report(&mut self, thought: &Thought<M>) {
        self.watch.report(thought);
    }
}

impl<G: Game> Side<G> for TimeLimitedPlayer<G> {
    fn name(&self) -> String {
        self.player.name()
    }

    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        seed: u64,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault> {
        self.player.begin(game, state, seat, seed, watch)
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move> {
        let clock = self.player.clock.clone();
        let end = clock.now() + self.limit;
        let mut watch = TimeLimitedWatch {
            clock: &clock,
            end,
            watch,
        };
        self.player.think(game, state, seat, &mut watch)
    }

    fn instant_move(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        self.player.instant_move(game, state, seat)
    }
}

/// Stops when any of the flags is set.
pub(crate) struct StopFlagWatch<'a>(pub(crate) &'a [&'a AtomicBool]);

impl<M> SearchObserver<M> for StopFlagWatch<'_> {
    fn goes_on(&mut self) -> bool {
        !is_set(self.0)
    }
}

/// Whether any flag is set.
pub(crate) fn is_set(flags: &[&AtomicBool]) -> bool {
    flags.iter().any(|flag| flag.load(Ordering::Relaxed))
}
