//! Time control of bots.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// Wall-clock time for one move of a bot.
///
/// The clock starts when the arena begins to send the position and stops when the bot's line
/// has been read. Built-in players have their own limits and are not bound by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// For a bot's first move of a game. Where its protocol has a greeting, start and greeting
    /// have the same time in addition; else the start counts towards the first move.
    pub first: Duration,
    /// For each move after it.
    pub each: Duration,
}

impl TimeControl {
    /// Both in milliseconds.
    ///
    /// ```
    /// let time = matches::TimeControl::from_millis(1000, 50);
    /// assert_eq!(time.to_string(), "1000,50");
    /// assert_eq!((time.limit(0), time.limit(1)), (time.first, time.each));
    /// ```
    #[must_use]
    pub const fn from_millis(first: u64, each: u64) -> Self {
        Self {
            first: Duration::from_millis(first),
            each: Duration::from_millis(each),
        }
    }

    /// The limit of the next move after `moves` moves of this game.
    #[must_use]
    pub fn limit(&self, moves: u64) -> Duration {
        if moves == 0 { self.first } else { self.each }
    }
}

impl fmt::Display for TimeControl {
    /// `1000,50`: milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.first.as_millis(), self.each.as_millis())
    }
}

/// The text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no pace: give milliseconds for the first move and for each after it, 1000,50")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// Two numbers of milliseconds, or one for both.
    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let (first, each) = text.split_once(',').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse().ok().filter(|&n: &u64| n > 0);
        match (number(first), number(each)) {
            (Some(first), Some(each)) => Ok(Self::from_millis(first, each)),
            _ => Err(TimeControlError(text.into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_read_and_written() {
        for (text, written) in [("1000,50", "1000,50"), ("200", "200,200")] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), written);
        }
        for wrong in ["", "0", "1,2,3", "-1", "fast"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }
}
