//! Values as columns of the store: numbers of players, outcomes, times and properties.

use games::{Outcome, Seat};
use rusqlite::Row;
use std::time::{Duration, SystemTime};

/// A player's row id.
pub(super) fn player_id(number: usize) -> i64 {
    number as i64 + 1
}

/// A player's number from its row id.
pub(super) fn player_number(row: &Row<'_>, at: usize) -> rusqlite::Result<usize> {
    Ok((row.get::<_, i64>(at)? - 1).max(0) as usize)
}

/// An outcome in a word.
pub(crate) fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Seat::First) => "first",
        Outcome::Win(Seat::Second) => "second",
        Outcome::Draw => "draw",
    }
}

/// The outcome of [`outcome_word`]; `None` for any other word.
pub(super) fn outcome(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Outcome>> {
    Ok(match row.get_ref(at)?.as_str()? {
        "first" => Some(Outcome::Win(Seat::First)),
        "second" => Some(Outcome::Win(Seat::Second)),
        "draw" => Some(Outcome::Draw),
        _ => None,
    })
}

/// Milliseconds since 1970.
pub(super) fn to_milliseconds(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// The time from milliseconds since 1970.
pub(super) fn from_milliseconds(milliseconds: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(milliseconds.max(0) as u64)
}

/// A bot's properties from their JSON text.
pub(super) fn parse_about(text: &str) -> Option<Vec<(String, String)>> {
    serde_json::from_str(text).ok()
}
