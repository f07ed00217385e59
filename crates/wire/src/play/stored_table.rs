//! A table as it is kept: a small JSON text with the game as a replay.

use super::seat::{SeatPerson, SeatPlayer, TableSeat};
use games::Seat;
use matches::replay::{self, ReplayError};
use matches::{Ending, Record};
use models::play::TableGameEnd;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A table as it is kept.
#[derive(Debug)]
pub struct StoredTable {
    /// Its name in addresses.
    pub id: String,
    /// How many tables were made before it, and it.
    pub number: u64,
    /// Who sits there.
    pub seats: [StoredSeat; 2],
    /// Whether it is listed.
    pub is_public: bool,
    /// Whether there are hints between persons.
    pub hints: bool,
    /// Where chance starts from.
    pub seed: u64,
    /// The game.
    pub record: Record,
}

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoredSeat {
    /// Nobody.
    Open,
    /// A person.
    Person {
        /// The secret of the seat.
        key: String,
        /// The name.
        name: String,
    },
    /// Its text.
    Player(String),
}

/// What a file holds.
#[derive(Serialize, Deserialize)]
struct StoredTableFile {
    /// Of the format.
    version: u32,
    number: u64,
    seats: [StoredSeat; 2],
    public: bool,
    hints: bool,
    seed: u64,
    replay: String,
}

const VERSION: u32 = 1;

/// Why a text is no table.
#[derive(Debug, Error)]
pub enum StoredTableError {
    /// It is no such text.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is of another version.
    #[error("it has the version {0}, and only {VERSION} is known")]
    Version(u32),
    /// Its game cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// It has no game.
    #[error("there is no game in it")]
    Empty,
}

impl StoredTable {
    /// What is written.
    ///
    /// # Panics
    /// Never: what it holds can be written.
    #[must_use]
    pub fn text(&self) -> String {
        let file = StoredTableFile {
            version: VERSION,
            number: self.number,
            seats: self.seats.clone(),
            public: self.is_public,
            hints: self.hints,
            seed: self.seed,
            replay: replay::text(&self.record),
        };
        serde_json::to_string(&file).expect("it has words and numbers, which JSON has too")
    }

    /// Reads what was written of the table with this name.
    ///
    /// # Errors
    /// It is no table, or one of another version, or its game cannot be played.
    pub fn read(id: &str, text: &str) -> Result<Self, StoredTableError> {
        let file: StoredTableFile = serde_json::from_str(text)?;
        if file.version != VERSION {
            return Err(StoredTableError::Version(file.version));
        }
        let replay = replay::read_text(&file.replay).next();
        let replay = replay.ok_or(StoredTableError::Empty)??;
        replay.check()?;
        Ok(Self {
            id: id.into(),
            number: file.number,
            seats: file.seats,
            is_public: file.public,
            hints: file.hints,
            seed: file.seed,
            record: replay.record,
        })
    }

    /// How the game ended, where its rules did not end it.
    pub(super) fn end(&self) -> Option<TableGameEnd> {
        let ending = &self.record.ending;
        let faults = Seat::BOTH.into_iter();
        let mut faults =
            faults.filter_map(|seat| Some(TableGameEnd::Fault(seat, ending.of(seat)?.clone())));
        match ending {
            Ending::Resigned(seat) => Some(TableGameEnd::Resigned(*seat)),
            _ => faults.next(),
        }
    }
}

impl StoredSeat {
    pub(super) fn of<P>(occupant: &TableSeat<P>) -> Self {
        match occupant {
            TableSeat::Open => Self::Open,
            TableSeat::Person(SeatPerson { key, name }) => Self::Person {
                key: key.clone(),
                name: name.clone(),
            },
            TableSeat::Player(SeatPlayer { text, .. }) => Self::Player(text.clone()),
        }
    }

    /// The name in the game record.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Open => "nobody".into(),
            Self::Person { name, .. } if name.is_empty() => "human".into(),
            Self::Person { name, .. } => format!("human:{name}"),
            Self::Player(text) => text.clone(),
        }
    }
}
