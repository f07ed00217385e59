//! The occupants of seats, and who may take one.

use super::visitor::{HousePlayerError, is_unseen};
use thiserror::Error;

/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 40;

/// The occupant of a seat.
#[derive(Clone, Debug)]
pub enum TableSeat<P> {
    /// Free to take.
    Open,
    /// A person at a page.
    Person(SeatPerson),
    /// A player that thinks by itself.
    Player(SeatPlayer<P>),
}

/// A person at a page.
#[derive(Clone, Debug)]
pub struct SeatPerson {
    /// The secret that proves the right to the seat.
    pub key: String,
    /// The name.
    pub name: String,
}

/// A player of the program, or another that the table's keeper has.
#[derive(Clone, Debug)]
pub struct SeatPlayer<P> {
    /// What pages call it.
    pub text: String,
    /// What its keeper keeps of it.
    pub player: P,
}

/// Why a seat cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableSeatError {
    /// There is no such player of the program.
    #[error(transparent)]
    House(#[from] HousePlayerError),
    /// The keeper of the table refuses it.
    #[error("{words}")]
    Refused {
        /// Why.
        words: String,
        /// What may help.
        hint: Option<&'static str>,
        /// Whether it may be possible later.
        is_busy: bool,
    },
    /// The name is too long.
    #[error("a name has {LONGEST_NAME} characters at most")]
    LongName,
    /// The name cannot be seen.
    #[error("a name cannot have signs that are not seen")]
    Unseen,
}

impl TableSeatError {
    /// What may help.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::House(HousePlayerError::Visitor(error)) => error.hint(),
            Self::Refused { hint, .. } => *hint,
            _ => None,
        }
    }
}

/// A person's name as it is kept.
pub(super) fn name(text: &str) -> Result<String, TableSeatError> {
    let name = text.trim();
    if name.chars().count() > LONGEST_NAME {
        return Err(TableSeatError::LongName);
    }
    if name.chars().any(is_unseen) {
        return Err(TableSeatError::Unseen);
    }
    Ok(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_seen() {
        assert_eq!(name("  Ada Lovelace "), Ok("Ada Lovelace".into()));
        assert_eq!(name(&"x".repeat(41)), Err(TableSeatError::LongName));
        for text in ["a\u{202e}b", "a\nb", "\u{200b}"] {
            assert_eq!(name(text), Err(TableSeatError::Unseen), "{text:?}");
        }
    }
}
