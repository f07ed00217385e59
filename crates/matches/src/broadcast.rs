//! A live view of a game for spectators.
//!
//! The referee publishes a position only on request, so that an unwatched game costs one flag
//! check per turn. (A channel of all positions was the alternative: fast players make a million
//! of them per second, and nobody can see ten.)

use games::Diagram;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The latest requested position of a runner's games.
#[derive(Debug, Default)]
pub struct Broadcast {
    is_requested: AtomicBool,
    state: Mutex<BroadcastState>,
}

#[derive(Debug, Default)]
struct BroadcastState {
    players: [String; 2],
    position: Option<LivePosition>,
}

/// A position of a game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LivePosition {
    /// The names of the players in the first and the second seat.
    pub players: [String; 2],
    /// The number of the pair of games, and which of the two it is: 0 or 1.
    pub game: (u64, u8),
    /// How many turns were played, those of the opening included.
    pub turns: usize,
    /// The board as the first seat sees it.
    pub diagram: Diagram,
}

impl Broadcast {
    /// Sets the players of the next pair; the first of them has the first seat in its first
    /// game.
    ///
    /// ```
    /// let broadcast = matches::Broadcast::default();
    /// broadcast.announce(["mcts", "random"]);
    /// assert_eq!(broadcast.take_position(), None, "no game is being played yet");
    /// ```
    pub fn announce(&self, players: [&str; 2]) {
        let mut state = self.lock();
        for (name, player) in state.players.iter_mut().zip(players) {
            player.clone_into(name);
        }
    }

    /// Takes the latest unseen position, if there is one, and requests the next. The first call
    /// returns nothing: the position is published with the next turn.
    ///
    /// ```
    /// use matches::{Broadcast, BuiltinPlayer, GamePairSetup, Opening, Side, StopCondition};
    /// use players::{Clock, PlayerError};
    ///
    /// let game = games::mnk::Mnk::TICTACTOE;
    /// let open = |text| -> Result<Box<dyn Side<_>>, PlayerError> {
    ///     let player = players::open(&game, text, &Clock::stopped())?;
    ///     Ok(Box::new(BuiltinPlayer::new(player, Clock::stopped())))
    /// };
    /// let broadcast = Broadcast::default();
    /// assert_eq!(broadcast.take_position(), None, "the first call asks for a position");
    /// let pair = GamePairSetup {
    ///     opening: &Opening::Turns(0..=0),
    ///     stop_condition: StopCondition::End,
    ///     seed: 1,
    ///     number: 5,
    ///     is_whole: true,
    ///     broadcast: Some(&broadcast),
    /// };
    /// pair.play(&game, &mut [open("random")?, open("random")?], &[]);
    /// assert_eq!(broadcast.take_position().map(|position| position.game), Some((5, 0)));
    /// # Ok::<(), PlayerError>(())
    /// ```
    pub fn take_position(&self) -> Option<LivePosition> {
        let position = self.lock().position.take();
        self.is_requested.store(true, Ordering::Relaxed);
        position
    }

    /// Whether a position was requested since the last was published.
    pub(crate) fn is_requested(&self) -> bool {
        self.is_requested.load(Ordering::Relaxed)
    }

    /// Publishes a position.
    pub(crate) fn publish(&self, game: (u64, u8), turns: usize, diagram: Diagram) {
        self.is_requested.store(false, Ordering::Relaxed);
        let mut state = self.lock();
        let mut players = state.players.clone();
        if game.1 == 1 {
            players.reverse();
        }
        state.position = Some(LivePosition {
            players,
            game,
            turns,
            diagram,
        });
    }

    fn lock(&self) -> MutexGuard<'_, BroadcastState> {
        // a panic cannot leave the state inconsistent
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
