//! What a table asks of whoever keeps it: a server with many tables and visitors, or a page with
//! one table of its own.

use super::seat::{SeatPlayer, TableSeatError};
use games::{AnyGame, Seat};
use models::play::{GameTable, ThoughtRequest};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

/// Where the messages to a page at a table go.
pub trait TablePageSink {
    /// Sends a text, which pages may share.
    fn send(&self, text: Arc<str>);

    /// Whether nothing arrives any more.
    fn is_closed(&self) -> bool;

    /// Closes the page after what was sent.
    fn close(&self);
}

/// A question for a player of the program, which is in no seat.
#[derive(Clone, Debug)]
pub struct AdviceQuestion {
    /// The page that asks.
    pub page: u64,
    /// Its number for the answer.
    pub id: Value,
    /// Whether it asks for a hint or an analysis.
    pub what: &'static str,
    /// The position as it was in this epoch.
    pub epoch: u64,
    /// The game.
    pub game: AnyGame,
    /// The position and the player.
    pub request: ThoughtRequest,
    /// How long it may take.
    pub longest: Duration,
}

/// The keeper of a table.
pub trait TableHost: Sized {
    /// A page's sink.
    type Page: TablePageSink;
    /// What is kept of a player in a seat besides its text.
    type Player;

    /// The time since some moment.
    fn now(&self) -> Duration;

    /// A secret for a seat.
    ///
    /// # Errors
    /// There is no randomness.
    fn new_token(&mut self) -> Result<String, String>;

    /// A player as a visitor names it.
    ///
    /// # Errors
    /// It is none, or none that can be afforded.
    fn seat_player(&self, text: &str, game: &AnyGame) -> Result<Self::Player, TableSeatError>;

    /// Makes sure that a player may begin to think in a game.
    ///
    /// # Errors
    /// Too many do.
    fn reserve(&self, _player: &mut Self::Player) -> Result<(), TableSeatError> {
        Ok(())
    }

    /// What is thought for an earlier epoch is worth nothing any more.
    fn begin_epoch(&mut self, epoch: u64);

    /// Has the player in a seat think about its move, for [`super::PlayTable::finish_thought`].
    fn think(
        &mut self,
        seat: Seat,
        epoch: u64,
        game: &GameTable,
        player: &SeatPlayer<Self::Player>,
    );

    /// Has a player asked, for [`super::PlayTable::finish_advice`]. Returns false where too many ask.
    fn advise(&mut self, question: AdviceQuestion, page: &Self::Page) -> bool;

    /// The player in a seat does not think again soon.
    fn release(&mut self, _seat: Seat, _player: Option<&mut Self::Player>, _history: &[String]) {}

    /// Another takes the seat.
    fn replace(&mut self, _seat: Seat) {}

    /// Whether nothing is played any more.
    fn has_ended(&self) -> bool {
        false
    }
}
