//! The two sides of a game.

use std::fmt;

/// One of the two sides. `First` makes the first move where the seats take turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// Player 1.
    First,
    /// Player 2.
    Second,
}

impl Seat {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The opponent's seat.
    ///
    /// ```
    /// use games::Seat;
    ///
    /// assert_eq!(Seat::First.other(), Seat::Second);
    /// ```
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first, 1 for the second: a place in a list of two.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat has won, and the other lost.
    Win(Seat),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The score of a seat in half points: 2 for a win, 1 for a draw, 0 for a loss.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    ///
    /// assert_eq!(Outcome::Win(Seat::First).half_points(Seat::First), 2);
    /// assert_eq!(Outcome::Draw.half_points(Seat::Second), 1);
    /// ```
    #[must_use]
    pub fn half_points(self, seat: Seat) -> u32 {
        match self {
            Self::Draw => 1,
            Self::Win(winner) if winner == seat => 2,
            Self::Win(_) => 0,
        }
    }

    /// The same end, with the seats exchanged.
    ///
    /// ```
    /// use games::{Outcome, Seat};
    ///
    /// assert_eq!(Outcome::Win(Seat::First).exchanged(), Outcome::Win(Seat::Second));
    /// ```
    #[must_use]
    pub fn exchanged(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(seat) => Self::Win(seat.other()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(seat) => write!(f, "{seat} wins"),
            Self::Draw => f.pad("draw"),
        }
    }
}
