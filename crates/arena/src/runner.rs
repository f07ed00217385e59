//! A place where pairs of games are played, whatever the game: what a tournament has one of
//! for each job.

use crate::bot::BotGame;
use crate::pair::GamePairSetup;
use crate::{
    Broadcast, Entrant, EntrantError, MatchConditions, Opening, Record, Side, StopCondition, seat,
};
use games::{AnyGame, with_game};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Who plays whom, and which opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePairing {
    /// The two who meet; the first sits in the first seat of the first game.
    pub entrants: [Entrant; 2],
    /// Where openings and the players' chance come from.
    pub seed: u64,
    /// The number of the opening.
    pub pair: u64,
    /// Whether the seats are exchanged for a second game.
    pub is_whole: bool,
}

/// A place where games are played one after the other. Who has played stays seated for a
/// while, so that bots which play many games in one process can.
pub trait GameRunner: Send {
    /// Plays a pair of games. `None` when `stop` was set meanwhile: then neither counts.
    ///
    /// # Errors
    /// One of the two does not exist or cannot play this game. A bot that cannot be started
    /// is none: it loses by a [`crate::Fault`].
    fn play(
        &mut self,
        fixture: &GamePairing,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Record>>, EntrantError>;

    /// Whether an entrant can sit down here at all; nothing is started.
    ///
    /// # Errors
    /// Why not.
    fn admits(&self, entrant: &Entrant) -> Result<(), EntrantError>;

    /// Shows the games that follow to those who ask there.
    fn show_to(&mut self, broadcast: Arc<Broadcast>);
}

/// A hall for a game.
#[must_use]
pub fn hall(
    game: &AnyGame,
    opening: &Opening,
    until: StopCondition,
    conditions: &MatchConditions,
) -> Box<dyn GameRunner> {
    with_game!(game.clone(), |game| Box::new(PairRunner {
        game,
        opening: opening.clone(),
        until,
        conditions: conditions.clone(),
        seated: Vec::new(),
        broadcast: None,
    }))
}

/// So many stay seated; who played longest ago goes first.
const CHAIRS: usize = 8;

struct PairRunner<G: BotGame> {
    game: G,
    opening: Opening,
    until: StopCondition,
    conditions: MatchConditions,
    /// Who played last sits last.
    seated: Vec<(Entrant, Box<dyn Side<G>>)>,
    broadcast: Option<Arc<Broadcast>>,
}

impl<G: BotGame> PairRunner<G> {
    fn call(&mut self, entrant: &Entrant) -> Result<Box<dyn Side<G>>, EntrantError> {
        match self.seated.iter().position(|(seated, _)| seated == entrant) {
            Some(at) => Ok(self.seated.remove(at).1),
            None => seat(&self.game, entrant, &self.conditions),
        }
    }
}

impl<G: BotGame> GameRunner for PairRunner<G> {
    fn play(
        &mut self,
        fixture: &GamePairing,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<Record>>, EntrantError> {
        let [first, second] = &fixture.entrants;
        let mut sides = [self.call(first)?, self.call(second)?];
        let pair = GamePairSetup {
            opening: &self.opening,
            until: self.until,
            seed: fixture.seed,
            number: fixture.pair,
            is_whole: fixture.is_whole,
            broadcast: self.broadcast.as_deref(),
        };
        let played = pair.play(&self.game, &mut sides, &[stop]);
        let entrants = fixture.entrants.each_ref();
        let players = entrants.map(Entrant::to_string);
        self.seated.extend(entrants.into_iter().cloned().zip(sides));
        let free = self.seated.len().saturating_sub(CHAIRS);
        self.seated.drain(..free);
        Ok(played.map(|played| played.records(&self.game, &pair, &players)))
    }

    fn admits(&self, entrant: &Entrant) -> Result<(), EntrantError> {
        seat(&self.game, entrant, &self.conditions).map(drop)
    }

    fn show_to(&mut self, broadcast: Arc<Broadcast>) {
        self.broadcast = Some(broadcast);
    }
}
