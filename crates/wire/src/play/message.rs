//! Messages of a page at a table.

use games::Seat;
use serde_json::{Map, Value};
use std::time::Duration;
use thiserror::Error;

/// How long an analysis may take.
const ANALYSIS: std::ops::RangeInclusive<u64> = 500..=5000;

/// The default time of an analysis, in ms.
const USUAL_ANALYSIS: u64 = 1000;

/// An action with the id of its reply.
#[derive(Debug)]
pub struct TableMessage {
    /// Given back as it came; null where there was none.
    pub id: Value,
    /// What is to be done.
    pub action: Result<TableAction, TableActionError>,
}

/// What a page does at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableAction {
    /// A move, with the table version or number of turns it is meant for.
    Move {
        /// The move.
        text: String,
        /// The version of the table.
        version: Option<u64>,
        /// How many turns there were.
        turns: Option<u64>,
    },
    /// What a move would change.
    Preview {
        /// The move.
        text: String,
    },
    /// The board after so many turns.
    Past {
        /// How many.
        turns: usize,
    },
    /// Takes a seat.
    Sit {
        /// Which.
        seat: Seat,
        /// Who.
        name: String,
    },
    /// Leaves the seat.
    Leave,
    /// Takes back, or asks to.
    Back,
    /// Asks for another game.
    Rematch,
    /// Agrees to what is asked.
    Agree,
    /// Does not.
    Decline,
    /// Gives the game up.
    Resign,
    /// Asks for a move.
    Hint,
    /// Asks a player about the position.
    Analyse {
        /// Which; the game's best where none is named.
        player: Option<String>,
        /// How long it may think.
        longest: Duration,
    },
    /// What the player that moved last thought.
    Thought,
    /// Changes the person's name.
    Name {
        /// The new one.
        name: String,
    },
    /// Gives a seat to a player.
    Player {
        /// Which seat.
        seat: Seat,
        /// The player's text.
        player: String,
    },
}

/// Why a message is no action.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableActionError {
    /// There is no such action.
    #[error("`{0}` is nothing that can be done at a table")]
    Unknown(String),
    /// A field is not what it has to be.
    #[error("`{0}` is missing, or is no text")]
    Text(&'static str),
    /// The same.
    #[error("`{0}` is missing, or is no whole number")]
    Number(&'static str),
    /// There are two seats.
    #[error("a seat is 0 or 1")]
    Seat,
    /// Too short or too long.
    #[error("an analysis takes from {} to {} ms", ANALYSIS.start(), ANALYSIS.end())]
    Time,
}

impl TableMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// Says why it is none at all; what is wrong with its action is in there.
    ///
    /// ```
    /// let message = wire::TableMessage::read(r#"{"do":"move","text":"B2","id":1}"#)?;
    /// assert!(message.action.is_ok());
    /// assert!(wire::TableMessage::read("B2").is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn read(text: &str) -> Result<Self, String> {
        let value: Value =
            serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))?;
        let Value::Object(fields) = value else {
            return Err("a message is an object".into());
        };
        let Some(word) = fields.get("do").and_then(Value::as_str) else {
            return Err("a message says what to `do`".into());
        };
        let id = fields.get("id").filter(|id| id.is_number()).cloned();
        Ok(Self {
            id: id.unwrap_or_default(),
            action: TableAction::read(word, &fields),
        })
    }
}

impl TableAction {
    /// Whether it may block: players are opened.
    #[must_use]
    pub fn is_slow(&self) -> bool {
        matches!(
            self,
            Self::Analyse { .. } | Self::Player { .. } | Self::Hint
        )
    }

    fn read(word: &str, fields: &Map<String, Value>) -> Result<Self, TableActionError> {
        let text = |name: &'static str| {
            let text = fields.get(name).and_then(Value::as_str);
            text.map(String::from).ok_or(TableActionError::Text(name))
        };
        let number = |name: &'static str| match fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value
                .as_u64()
                .map(Some)
                .ok_or(TableActionError::Number(name)),
        };
        let seat = || match number("seat")? {
            Some(0) => Ok(Seat::First),
            Some(1) => Ok(Seat::Second),
            _ => Err(TableActionError::Seat),
        };
        let named = || match fields.get("name") {
            None => Ok(String::new()),
            Some(_) => text("name"),
        };
        Ok(match word {
            "move" => Self::Move {
                text: text("text")?,
                version: number("version")?,
                turns: number("turns")?,
            },
            "preview" => Self::Preview {
                text: text("text")?,
            },
            "past" => Self::Past {
                turns: number("turns")?
                    .and_then(|turns| usize::try_from(turns).ok())
                    .ok_or(TableActionError::Number("turns"))?,
            },
            "sit" => Self::Sit {
                seat: seat()?,
                name: named()?,
            },
            "leave" => Self::Leave,
            "back" => Self::Back,
            "rematch" => Self::Rematch,
            "agree" => Self::Agree,
            "decline" => Self::Decline,
            "resign" => Self::Resign,
            "hint" => Self::Hint,
            "analyse" => {
                let ms = number("ms")?.unwrap_or(USUAL_ANALYSIS);
                if !ANALYSIS.contains(&ms) {
                    return Err(TableActionError::Time);
                }
                Self::Analyse {
                    player: match fields.get("player") {
                        None | Some(Value::Null) => None,
                        Some(_) => Some(text("player")?),
                    },
                    longest: Duration::from_millis(ms),
                }
            }
            "thought" => Self::Thought,
            "name" => Self::Name { name: named()? },
            "player" => Self::Player {
                seat: seat()?,
                player: text("player")?,
            },
            _ => return Err(TableActionError::Unknown(word.chars().take(40).collect())),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let read = |text: &str| TableMessage::read(text).unwrap().action;
        assert_eq!(
            read(r#"{"do":"move","text":"d4","version":3,"id":1}"#),
            Ok(TableAction::Move {
                text: "d4".into(),
                version: Some(3),
                turns: None,
            })
        );
        assert_eq!(
            read(r#"{"do":"sit","seat":1}"#),
            Ok(TableAction::Sit {
                seat: Seat::Second,
                name: String::new()
            })
        );
        let rows = [
            (r#"{"do":"move"}"#, TableActionError::Text("text")),
            (r#"{"do":"move","text":7}"#, TableActionError::Text("text")),
            (
                r#"{"do":"past","turns":-1}"#,
                TableActionError::Number("turns"),
            ),
            (r#"{"do":"sit","seat":2}"#, TableActionError::Seat),
            (r#"{"do":"analyse","ms":5001}"#, TableActionError::Time),
            (r#"{"do":"fly"}"#, TableActionError::Unknown("fly".into())),
        ];
        for (text, error) in rows {
            assert_eq!(read(text), Err(error), "{text}");
        }
        for text in ["", "7", "[]", "{}", r#"{"do":7}"#, "{\"do\":\"move\""] {
            assert!(TableMessage::read(text).is_err(), "{text}");
        }
    }
}
