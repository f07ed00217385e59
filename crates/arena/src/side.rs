//! Who sits at the board, as the referee meets them: a player of this program, or a bot.

use crate::Fault;
use games::{Game, Outcome, Seat};
use players::{Player, SearchObserver, Thought};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Somebody who plays one side of a game.
///
/// Between [`Side::begin`] and [`Side::end`] lies one game. A fault ends the game, and the
/// next game may begin all the same: whoever crashed is started again.
pub trait Side<G: Game>: Send {
    /// What it calls itself; for a player of this program, its text.
    fn name(&self) -> String;

    /// A game begins in this position, with this side in `seat`. Chance starts from `seed`.
    /// A watch that says stop makes it worthless.
    ///
    /// # Errors
    /// A bot cannot be started, or does not greet as its protocol asks.
    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        seed: u64,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault>;

    /// Chooses a move in a position where its seat is to move. A watch that says stop makes
    /// the answer worthless, not late.
    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move>;

    /// Its move, where it needs no thought for it: reading the clock would take longer.
    fn at_once(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        let _ = (game, state, seat);
        None
    }

    /// The game has ended. A bot that plays one game in a process ends here too.
    fn end(&mut self, game: &G, state: &G::State, outcome: Outcome) -> ProcessReport {
        let _ = (game, state, outcome);
        ProcessReport::default()
    }
}

/// An answer, and how long it took.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReply<M> {
    /// The move and why, or what went wrong.
    pub thought: Result<Thought<M>, Fault>,
    /// How long it took.
    pub spent: Duration,
}

/// What is known of a bot after a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessReport {
    /// The name that it gave itself, its protocol, and how its cage was: for the record.
    /// Empty for players of this program.
    pub about: Vec<(String, String)>,
    /// What it did that is no fault and should be known: processes left behind, refusals of
    /// the cage, that it outlived the game.
    pub notes: Vec<String>,
    /// What it printed to standard error in this game: its end, where it is too long.
    pub complaints: String,
}

/// A player of this program at the board.
pub struct BuiltinPlayer<G: Game>(pub Box<dyn Player<G>>);

impl<G: Game> Side<G> for BuiltinPlayer<G> {
    fn name(&self) -> String {
        self.0.name()
    }

    fn begin(
        &mut self,
        _: &G,
        _: &G::State,
        _: Seat,
        seed: u64,
        _: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault> {
        self.0.begin(seed);
        Ok(())
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move> {
        let started = Instant::now();
        let thought = Ok(self.0.think(game, state, seat, watch));
        let spent = started.elapsed();
        MoveReply { thought, spent }
    }

    fn at_once(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        self.0.at_once(game, state, seat)
    }
}

/// A player of this program that is stopped after a while.
pub(crate) struct TimeLimitedPlayer<G: Game> {
    house: BuiltinPlayer<G>,
    most: Duration,
}

impl<G: Game> TimeLimitedPlayer<G> {
    pub(crate) fn new(player: Box<dyn Player<G>>, most: Duration) -> Self {
        let house = BuiltinPlayer(player);
        Self { house, most }
    }
}

/// Says stop at a moment, or when another does.
struct TimeLimitedWatch<'a, M> {
    end: Instant,
    watch: &'a mut dyn SearchObserver<M>,
}

impl<M> SearchObserver<M> for TimeLimitedWatch<'_, M> {
    fn goes_on(&mut self) -> bool {
        self.watch.goes_on() && Instant::now() < self.end
    }

    fn report(&mut self, thought: &Thought<M>) {
        self.watch.report(thought);
    }
}

impl<G: Game> Side<G> for TimeLimitedPlayer<G> {
    fn name(&self) -> String {
        self.house.name()
    }

    fn begin(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        seed: u64,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> Result<(), Fault> {
        self.house.begin(game, state, seat, seed, watch)
    }

    fn think(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        watch: &mut dyn SearchObserver<G::Move>,
    ) -> MoveReply<G::Move> {
        let end = Instant::now() + self.most;
        let mut watch = TimeLimitedWatch { end, watch };
        self.house.think(game, state, seat, &mut watch)
    }

    fn at_once(&mut self, game: &G, state: &G::State, seat: Seat) -> Option<G::Move> {
        self.house.at_once(game, state, seat)
    }
}

/// Asks some flags whether to go on, as players want it.
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
