//! Why an action at a table is refused.

use super::seat::TableSeatError;
use games::Seat;
use matches::TableError;
use thiserror::Error;

/// Why an action is refused.
#[derive(Debug, Error)]
pub(super) enum TableRefusal {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    SeatChange(#[from] TableSeatError),
    #[error("you watch this game: sit down to do that")]
    NoSeat,
    #[error("you sit at this table already")]
    HasSeat,
    #[error("the {0} seat is taken")]
    Taken(Seat),
    #[error("a person sits in the {0} seat")]
    Person(Seat),
    #[error("the position is another by now")]
    Stale,
    #[error("the game is over")]
    Over,
    #[error("the game is not over")]
    GoesOn,
    #[error("there is no move of yours to take back")]
    NothingBack,
    #[error("nothing is asked")]
    NoProposal,
    #[error("you asked that yourself")]
    OwnProposal,
    #[error("that is asked already")]
    AlreadyProposed,
    #[error("there were only {0} turns")]
    Turns(usize),
    #[error("hints are off at this table")]
    NoHints,
    #[error("your last question is still thought about")]
    Asking,
    #[error("too many ask at once")]
    Busy,
    #[error("no player of the program has moved yet")]
    NoThought,
    #[error("the system has no randomness for a key: {0}")]
    Random(String),
}

impl TableRefusal {
    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Stale => Some("look again, and move then"),
            Self::Over => Some("a rematch begins another"),
            Self::GoesOn => Some("who wants to end it resigns"),
            Self::HasSeat => Some("leave the other seat first"),
            Self::NoHints => Some("between two persons both have to want them from the beginning"),
            Self::Busy => Some("try again in a moment"),
            Self::SeatChange(error) => error.hint(),
            _ => None,
        }
    }
}
