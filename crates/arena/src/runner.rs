//! Runs pairs of games of any game; a tournament has one runner per job.

use crate::bot::BotGame;
use crate::{Entrant, EntrantError, MatchConditions, open_side};
use games::{AnyGame, with_game};
use matches::{Broadcast, GamePairSetup, Opening, Record, Side, StopCondition};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A pairing: two entrants and an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePairing {
    /// The two entrants; the first has the first seat in the first game.
    pub entrants: [Entrant; 2],
    /// The seed of openings and of the players' random numbers.
    pub seed: u64,
    /// The number of the opening.
    pub pair: u64,
    /// Whether the seats are exchanged for a second game.
    pub is_whole: bool,
}

/// Plays games one after the other. Recently used sides are kept open, so that bots which play
/// many games in one process can.
pub trait GameRunner: Send {
    /// Plays a pair of games. `None` if `stop` was set meanwhile: then neither counts.
    ///
    /// # Errors
    /// One of the two does not exist or cannot play this game. A bot that fails to start is no
    /// error: it loses by a [`matches::Fault`].
    fn play(
        &mut self,
        pairing: &GamePairing,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Record>>, EntrantError>;

    /// Whether an entrant can play this game; starts nothing.
    ///
    /// # Errors
    /// Why not.
    fn check_entrant(&self, entrant: &Entrant) -> Result<(), EntrantError>;

    /// Sends the positions of subsequent games to this broadcast.
    fn set_broadcast(&mut self, broadcast: Arc<Broadcast>);
}

/// Creates a runner for a game.
///
/// ```
/// use arena::{GamePairing, MatchConditions, new_runner};
/// use matches::{Opening, StopCondition};
/// use std::sync::atomic::AtomicBool;
///
/// let (game, conditions) = ("tictactoe".parse()?, MatchConditions::default());
/// let mut runner = new_runner(&game, &Opening::OfGame, StopCondition::End, &conditions);
/// let entrants = ["perfect".parse()?, "random".parse()?];
/// let pairing = GamePairing { entrants, seed: 1, pair: 0, is_whole: true };
/// let records = runner.play(&pairing, &AtomicBool::new(false))?.expect("not stopped");
/// assert_eq!(records[1].players, ["random", "perfect"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn new_runner(
    game: &AnyGame,
    opening: &Opening,
    stop_condition: StopCondition,
    conditions: &MatchConditions,
) -> Box<dyn GameRunner> {
    with_game!(game.clone(), |game| Box::new(PairRunner {
        game,
        opening: opening.clone(),
        stop_condition,
        conditions: conditions.clone(),
        idle_sides: Vec::new(),
        broadcast: None,
    }))
}

/// Maximum number of idle sides; the least recently used one is closed first.
const MAX_IDLE_SIDES: usize = 8;

struct PairRunner<G: BotGame> {
    game: G,
    opening: Opening,
    stop_condition: StopCondition,
    conditions: MatchConditions,
    /// In order of use, the most recent last.
    idle_sides: Vec<(Entrant, Box<dyn Side<G>>)>,
    broadcast: Option<Arc<Broadcast>>,
}

impl<G: BotGame> PairRunner<G> {
    fn take_side(&mut self, entrant: &Entrant) -> Result<Box<dyn Side<G>>, EntrantError> {
        match self.idle_sides.iter().position(|(idle, _)| idle == entrant) {
            Some(at) => Ok(self.idle_sides.remove(at).1),
            None => open_side(&self.game, entrant, &self.conditions),
        }
    }
}

impl<G: BotGame> GameRunner for PairRunner<G> {
    fn play(
        &mut self,
        pairing: &GamePairing,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Record>>, EntrantError> {
        let [first, second] = &pairing.entrants;
        let mut sides = [self.take_side(first)?, self.take_side(second)?];
        let pair = GamePairSetup {
            opening: &self.opening,
            stop_condition: self.stop_condition,
            seed: pairing.seed,
            number: pairing.pair,
            is_whole: pairing.is_whole,
            broadcast: self.broadcast.as_deref(),
        };
        let played = pair.play(&self.game, &mut sides, &[stop]);
        let entrants = pairing.entrants.each_ref();
        let players = entrants.map(Entrant::to_string);
        self.idle_sides
            .extend(entrants.into_iter().cloned().zip(sides));
        let surplus = self.idle_sides.len().saturating_sub(MAX_IDLE_SIDES);
        self.idle_sides.drain(..surplus);
        Ok(played.map(|played| played.records(&self.game, &pair, &players)))
    }

    fn check_entrant(&self, entrant: &Entrant) -> Result<(), EntrantError> {
        open_side(&self.game, entrant, &self.conditions).map(drop)
    }

    fn set_broadcast(&mut self, broadcast: Arc<Broadcast>) {
        self.broadcast = Some(broadcast);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_requested_position_is_published_once() {
        let broadcast = Arc::new(Broadcast::default());
        let game = "tictactoe".parse().unwrap();
        let opening = Opening::Turns(0..=0);
        let mut runner = new_runner(
            &game,
            &opening,
            StopCondition::End,
            &MatchConditions::default(),
        );
        runner.set_broadcast(Arc::clone(&broadcast));
        let player = || "random".parse().unwrap();
        let pairing = GamePairing {
            entrants: [player(), player()],
            seed: 1,
            pair: 3,
            is_whole: true,
        };
        let never = AtomicBool::new(false);
        broadcast.announce(["a", "b"]);
        runner.play(&pairing, &never).unwrap();
        assert_eq!(broadcast.take_position(), None, "nobody had asked");
        runner.play(&pairing, &never).unwrap();
        let position = broadcast.take_position().unwrap();
        assert_eq!((position.game, position.turns), ((3, 0), 0));
        assert_eq!(position.players, ["a", "b"]);
        assert_eq!(position.diagram.cells.len(), 9);
        assert_eq!(
            broadcast.take_position(),
            None,
            "the same is not seen twice"
        );
    }
}
