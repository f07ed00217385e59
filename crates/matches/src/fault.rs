//! How a game ended, and what faults bots commit.

use games::{Outcome, Seat};
use std::fmt;
use std::time::Duration;

/// A bot's fault, which loses it the game. Its message is for the bot's author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It could not be started, or its greeting violates the protocol.
    NotStarted(String),
    /// It did not answer in time.
    Late {
        /// The time that it had.
        limit: Duration,
    },
    /// Its process ended when an answer was due: how, as text.
    Crashed(String),
    /// It closed its stdout without exiting.
    Closed,
    /// It does not read: its input pipe was full for the whole time limit.
    Deaf,
    /// It printed a line that is too long, or skipped too many lines.
    Flood {
        /// Bytes of this answer read so far.
        bytes: u64,
    },
    /// Its answer violates the protocol.
    Malformed {
        /// The line, truncated for a message.
        line: String,
        /// The problem.
        problem: String,
    },
    /// Its answer is an illegal move.
    Illegal {
        /// The move as it wrote it, truncated.
        text: String,
        /// Why it is illegal.
        problem: String,
    },
    /// The sandbox killed it, or had kept it from starting more processes: why, as text.
    Caged(String),
}

impl Fault {
    /// The fault's kind as one word, as in stores and replays.
    ///
    /// ```
    /// assert_eq!(matches::Fault::Closed.kind(), "closed");
    /// ```
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

/// How a game ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    #[default]
    Rules,
    /// The result was certain, and the rest was not played.
    Settled,
    /// A bot lost by a fault; where both seats move simultaneously, both may have one.
    Faults([Option<Fault>; 2]),
    /// This seat resigned.
    Resigned(Seat),
    /// It is unfinished: neither a win nor a draw.
    Unfinished,
}

impl Ending {
    /// The ending of a game that one seat lost by a fault.
    ///
    /// ```
    /// use games::Seat;
    /// use matches::{Ending, Fault};
    ///
    /// let ending = Ending::fault(Seat::Second, Fault::Deaf);
    /// assert_eq!(ending, Ending::Faults([None, Some(Fault::Deaf)]));
    /// ```
    #[must_use]
    pub fn fault(seat: Seat, fault: Fault) -> Self {
        let mut faults = [None, None];
        faults[seat.index()] = Some(fault);
        Self::Faults(faults)
    }

    /// A seat's fault.
    ///
    /// ```
    /// use games::Seat;
    /// use matches::{Ending, Fault};
    ///
    /// let ending = Ending::fault(Seat::Second, Fault::Deaf);
    /// assert_eq!((ending.of(Seat::First), ending.of(Seat::Second)), (None, Some(&Fault::Deaf)));
    /// ```
    #[must_use]
    pub fn of(&self, seat: Seat) -> Option<&Fault> {
        match self {
            Self::Faults(faults) => faults[seat.index()].as_ref(),
            _ => None,
        }
    }

    /// The outcome where the position does not decide: by faults, the seat without one wins,
    /// and it is a draw if both have one; after a resignation, the other seat wins.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    /// use matches::Ending;
    ///
    /// assert_eq!(Ending::Resigned(Seat::First).outcome(), Some(Outcome::Win(Seat::Second)));
    /// assert_eq!(Ending::Rules.outcome(), None, "the position decides");
    /// ```
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

    /// The ending's kind as one word: `rules`, `settled`, `resigned`, `unfinished`, or the
    /// first fault's.
    ///
    /// ```
    /// use games::Seat;
    /// use matches::{Ending, Fault};
    ///
    /// assert_eq!(Ending::Settled.kind(), "settled");
    /// assert_eq!(Ending::fault(Seat::First, Fault::Closed).kind(), "closed");
    /// ```
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
