//! A game while it is played, for whoever looks on.
//!
//! The referee shows a position only when somebody has asked for one, so that a game which
//! nobody watches costs a look at a flag for each turn. (A channel of all positions was the
//! alternative: quick players make a million of them a second, and nobody can see ten.)

use games::Diagram;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Between a place where games are played and those who look on.
#[derive(Debug, Default)]
pub struct Broadcast {
    is_wanted: AtomicBool,
    stage: Mutex<BroadcastState>,
}

#[derive(Debug, Default)]
struct BroadcastState {
    players: [String; 2],
    scene: Option<Scene>,
}

/// A position of a game that is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What those in the first and the second seat are called.
    pub players: [String; 2],
    /// The number of the pair of games, and which of the two it is: 0 or 1.
    pub game: (u64, u8),
    /// How many turns were played, those of the opening included.
    pub turns: usize,
    /// The board as the first seat sees it.
    pub diagram: Diagram,
}

impl Broadcast {
    /// Says who plays the pair that comes next; the first of them has the first seat in its
    /// first game.
    pub fn announce(&self, players: [&str; 2]) {
        let mut stage = self.lock();
        for (name, player) in stage.players.iter_mut().zip(players) {
            player.clone_into(name);
        }
    }

    /// A position that nobody has seen yet, if there is one, and asks for the next. Who asks
    /// first gets nothing: it is shown with the next turn.
    pub fn look(&self) -> Option<Scene> {
        let scene = self.lock().scene.take();
        self.is_wanted.store(true, Ordering::Relaxed);
        scene
    }

    /// Whether somebody has asked for a position since the last was shown.
    pub(crate) fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    /// Shows a position.
    pub(crate) fn show(&self, game: (u64, u8), turns: usize, diagram: Diagram) {
        self.is_wanted.store(false, Ordering::Relaxed);
        let mut stage = self.lock();
        let mut players = stage.players.clone();
        if game.1 == 1 {
            players.reverse();
        }
        stage.scene = Some(Scene {
            players,
            game,
            turns,
            diagram,
        });
    }

    fn lock(&self) -> MutexGuard<'_, BroadcastState> {
        // nothing is left half done in there
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GamePairing, MatchConditions, Opening, StopCondition, hall};
    use std::sync::Arc;

    #[test]
    fn whoever_asks_sees_what_comes_next_and_nobody_else_pays() {
        let broadcast = Arc::new(Broadcast::default());
        let game = "tictactoe".parse().unwrap();
        let opening = Opening::Turns(0..=0);
        let mut hall = hall(
            &game,
            &opening,
            StopCondition::End,
            &MatchConditions::default(),
        );
        hall.show_to(Arc::clone(&broadcast));
        let player = || "random".parse().unwrap();
        let fixture = GamePairing {
            entrants: [player(), player()],
            seed: 1,
            pair: 3,
            is_whole: true,
        };
        let never = AtomicBool::new(false);
        broadcast.announce(["a", "b"]);
        hall.play(&fixture, &never).unwrap();
        assert_eq!(broadcast.look(), None, "nobody had asked");
        hall.play(&fixture, &never).unwrap();
        let scene = broadcast.look().unwrap();
        assert_eq!((scene.game, scene.turns), ((3, 0), 0));
        assert_eq!(scene.players, ["a", "b"]);
        assert_eq!(scene.diagram.cells.len(), 9);
        assert_eq!(broadcast.look(), None, "the same is not seen twice");
    }
}
