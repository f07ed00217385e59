//! A request for a new table.

use super::host::TableHost;
use super::seat::{self, SeatPerson, TableSeat, TableSeatError};
use super::table::seat_player;
use games::{AnyGame, Game as _, Seat, with_game};
use serde::Deserialize;
use thiserror::Error;

/// The most turns of a game, openings included: each page gets all of them.
const MOST_TURNS: usize = 2000;

/// The longest text of a game or a player.
const LONGEST_WORD: usize = 200;

/// A request for a new table.
#[derive(Clone, Debug, Deserialize)]
pub struct TableRequest {
    /// The game's name.
    pub game: String,
    /// `me`, `open`, or a player, in each seat.
    pub seats: [String; 2],
    /// What the person who asks is called.
    #[serde(default)]
    pub name: String,
    /// Whether it is listed.
    #[serde(default)]
    pub public: bool,
    /// Whether there are hints between persons.
    #[serde(default)]
    pub hints: bool,
    /// Turns that are played already.
    #[serde(default)]
    pub turns: Vec<String>,
}

/// Why there is no new table.
#[derive(Debug, Error)]
pub enum TableRequestError {
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] games::GameNameError),
    /// A seat cannot be taken so.
    #[error(transparent)]
    Seat(#[from] TableSeatError),
    /// A text is too long.
    #[error("`{what}` is longer than {LONGEST_WORD} characters")]
    Long {
        /// Which.
        what: &'static str,
    },
    /// Both seats for one person.
    #[error("a person sits in one seat")]
    BothMine,
    /// A turn cannot be played.
    #[error("turn {turn}: {error}")]
    Turn {
        /// Its number, from 1.
        turn: usize,
        /// Why.
        error: matches::TableError,
    },
    /// Too many turns.
    #[error("a game may begin with {MOST_TURNS} turns, and these are {0}")]
    Turns(usize),
    /// The game may take too many.
    #[error("a game has {MOST_TURNS} turns at most here, and this one may have {0}")]
    LongGame(u32),
    /// There is no secret for a seat.
    #[error("the system has no randomness for a table's address: {0}")]
    Random(String),
}

impl TableRequestError {
    /// What may help.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::BothMine => Some("leave the other seat open, or give it a player"),
            Self::Seat(error) => error.hint(),
            _ => None,
        }
    }
}

/// What a request means.
#[derive(Debug)]
pub struct RequestedTable<P> {
    /// The game.
    pub game: AnyGame,
    /// Who sits there.
    pub occupants: [TableSeat<P>; 2],
    /// The key of the seat that its maker takes.
    pub key: Option<String>,
}

impl TableRequest {
    /// Finds out what it means. See the example of [`super::PlayRoom`].
    ///
    /// # Errors
    /// Nothing that can be played here.
    pub fn resolve<H: TableHost>(
        &self,
        host: &mut H,
    ) -> Result<RequestedTable<H::Player>, TableRequestError> {
        for (what, text) in [
            ("game", &self.game),
            ("seats", &self.seats[0]),
            ("seats", &self.seats[1]),
        ] {
            if text.chars().count() > LONGEST_WORD {
                return Err(TableRequestError::Long { what });
            }
        }
        if self.turns.len() > MOST_TURNS {
            return Err(TableRequestError::Turns(self.turns.len()));
        }
        let game: AnyGame = self.game.parse()?;
        let longest = with_game!(&game, |game| game.longest());
        if longest as usize > MOST_TURNS {
            return Err(TableRequestError::LongGame(longest));
        }
        let mut key = None;
        let mut occupant = |seat: Seat| -> Result<TableSeat<H::Player>, TableRequestError> {
            let text = self.seats[seat.index()].trim();
            if text != "me" {
                return Ok(seat_player(&*host, text, &game)?);
            }
            if key.is_some() {
                return Err(TableRequestError::BothMine);
            }
            let person = SeatPerson {
                key: host.new_token().map_err(TableRequestError::Random)?,
                name: seat::name(&self.name)?,
            };
            key = Some(person.key.clone());
            Ok(TableSeat::Person(person))
        };
        let occupants = [occupant(Seat::First)?, occupant(Seat::Second)?];
        Ok(RequestedTable {
            game,
            occupants,
            key,
        })
    }
}
