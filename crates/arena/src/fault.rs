//! How a game came to its end, and what a bot did wrong.

use games::{Outcome, Seat};
use std::fmt;
use std::time::Duration;

/// What a bot did that lost it the game. Its words say what happened, for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not be started, or did not say what its protocol begins with.
    NotStarted(String),
    /// It did not answer in time.
    Late {
        /// The time that it had.
        limit: Duration,
    },
    /// Its process ended when an answer was due: how, in words.
    Crashed(String),
    /// It closed its output, and its process went on.
    Closed,
    /// It does not read: its input was full for as long as it may think.
    Deaf,
    /// It printed a line longer than any answer, or passed over more lines than any answer
    /// needs.
    Flood {
        /// How many bytes of this answer had been read by then.
        bytes: u64,
    },
    /// Its answer is not what the protocol has.
    Malformed {
        /// The line, cut to what fits into a message.
        line: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Its answer is a move, and the move is not legal.
    Illegal {
        /// The move as it wrote it, cut.
        text: String,
        /// Why it is not legal.
        problem: String,
    },
    /// The cage had to end it, or had kept it from starting more processes: why, in words.
    Caged(String),
}

impl Fault {
    /// One word for the kind of it, as stores and replays have it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotStarted(_) => "not-started",
            Self::Late { .. } => "late",
            Self::Crashed(_) => "crashed",
            Self::Closed => "closed",
            Self::Deaf => "deaf",
            Self::Flood { .. } => "flood",
            Self::Malformed { .. } => "malformed",
            Self::Illegal { .. } => "illegal",
            Self::Caged(_) => "caged",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(why) => write!(f, "did not start: {why}"),
            Self::Late { limit } => write!(f, "no answer in {} ms", limit.as_millis()),
            Self::Crashed(how) => write!(f, "its process ended: {how}"),
            Self::Closed => write!(f, "closed its output"),
            Self::Deaf => write!(f, "does not read its input"),
            Self::Flood { bytes } => write!(f, "printed {bytes} bytes without an answer"),
            Self::Malformed { line, problem } => write!(f, "answered `{line}`: {problem}"),
            Self::Illegal { text, problem } => write!(f, "played `{text}`: {problem}"),
            Self::Caged(why) => write!(f, "ended by the cage: {why}"),
        }
    }
}

/// How a game came to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    #[default]
    Rules,
    /// No move could change the result any more, and the rest was not played.
    Settled,
    /// A bot lost it by a fault; where both seats move at once, both may have.
    Faults([Option<Fault>; 2]),
    /// This seat gave it up, and lost it so.
    Resigned(Seat),
    /// It was not played to its end: nobody has won, and it is no draw either.
    Unfinished,
}

impl Ending {
    /// A game that one seat lost by a fault.
    #[must_use]
    pub fn fault(seat: Seat, fault: Fault) -> Self {
        let mut faults = [None, None];
        faults[seat.index()] = Some(fault);
        Self::Faults(faults)
    }

    /// What a seat did wrong.
    #[must_use]
    pub fn of(&self, seat: Seat) -> Option<&Fault> {
        match self {
            Self::Faults(faults) => faults[seat.index()].as_ref(),
            _ => None,
        }
    }

    /// Who wins where the position does not decide it. By faults: the seat without one, nobody
    /// where both have; the other seat, where one resigned.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        match self {
            Self::Rules | Self::Settled | Self::Unfinished => None,
            Self::Resigned(seat) => Some(Outcome::Win(seat.other())),
            Self::Faults([Some(_), None]) => Some(Outcome::Win(Seat::Second)),
            Self::Faults([None, Some(_)]) => Some(Outcome::Win(Seat::First)),
            Self::Faults(_) => Some(Outcome::Draw),
        }
    }

    /// One word for the kind of it: `rules`, `settled`, `resigned`, `unfinished`, or the first
    /// fault's.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Settled => "settled",
            Self::Resigned(_) => "resigned",
            Self::Unfinished => "unfinished",
            Self::Faults(faults) => {
                let fault = faults.iter().flatten().next();
                fault.map_or("rules", Fault::kind)
            }
        }
    }
}
