//! The occupants of seats, and who may take one.

use super::engine_threads::{BotPermit, EngineThreads};
use crate::options::AllowedBot;
use crate::pages::visitor_player::{
    VisitorPlayerError, check_pace, find_bot, is_unseen, parse_house_player,
};
use arena::Entrant;
use axum::http::StatusCode;
use games::AnyGame;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The longest name of a person, in characters.
const LONGEST_NAME: usize = 40;

/// No player of the program thinks longer about a move.
pub(super) const LONGEST_THOUGHT: Duration = Duration::from_millis(MOST_MS);
const MOST_MS: u64 = 10_000;

/// The occupant of a seat.
pub(super) enum TableSeat {
    /// Free to take.
    Open,
    Person(SeatPerson),
    Player(SeatPlayer),
}

/// A person at a page.
#[derive(Clone, Debug)]
pub(super) struct SeatPerson {
    /// The secret that proves the right to the seat.
    pub(super) key: String,
    pub(super) name: String,
}

/// A player of the program, or an allowed bot.
pub(super) struct SeatPlayer {
    /// What pages call it.
    pub(super) text: String,
    pub(super) entrant: Entrant,
    /// For a bot: one of the few there may be.
    pub(super) permit: Option<Arc<BotPermit>>,
}

/// Why a seat cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(super) enum TableSeatError {
    #[error(transparent)]
    Visitor(#[from] VisitorPlayerError),
    #[error("{} bots play already, which is the most", EngineThreads::BOTS)]
    Bots,
    #[error(transparent)]
    Player(#[from] players::PlayerError),
    #[error(transparent)]
    Bot(#[from] arena::EntrantError),
    #[error("a name has {LONGEST_NAME} characters at most")]
    LongName,
    #[error("a name cannot have signs that are not seen")]
    Unseen,
}

impl TableSeatError {
    pub(super) fn code(&self) -> StatusCode {
        match self {
            Self::Visitor(error) => error.code(),
            Self::Bots => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    pub(super) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Visitor(error) => error.hint(),
            Self::Bots => Some("wait for one of their games to end"),
            _ => None,
        }
    }
}

impl TableSeat {
    /// `open`, a player of the program, or `bot:NAME`. A bot has no place yet.
    pub(super) fn read(
        text: &str,
        game: &AnyGame,
        bots: &[AllowedBot],
    ) -> Result<Self, TableSeatError> {
        if text == "open" {
            return Ok(Self::Open);
        }
        let entrant = match find_bot(text, bots) {
            Some(bot) => {
                let entrant = bot?;
                // what is wrong with it shows now, and not when it is to move; nothing is started
                let conditions = arena::MatchConditions::default();
                arena::open_table(game.clone(), [Some(entrant), None], &conditions, 0)?;
                entrant.clone()
            }
            None => {
                check_player(text, game)?;
                Entrant::Builtin(text.into())
            }
        };
        Ok(Self::Player(SeatPlayer {
            text: text.into(),
            entrant,
            permit: None,
        }))
    }

    /// Takes a permit for a bot that has none.
    pub(super) fn reserve_bot(
        &mut self,
        engine_threads: &EngineThreads,
    ) -> Result<(), TableSeatError> {
        if let Self::Player(player) = self
            && player.entrant.is_bot()
            && player.permit.is_none()
        {
            let permit = engine_threads.bot_permit().ok_or(TableSeatError::Bots)?;
            player.permit = Some(Arc::new(permit));
        }
        Ok(())
    }
}

/// Whether a text is a player of the program, and one that this server can afford.
pub(super) fn check_player(text: &str, game: &AnyGame) -> Result<(), TableSeatError> {
    parse_house_player(text)?;
    players::check(game, text)?;
    Ok(check_pace(text, MOST_MS)?)
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
    fn what_would_start_a_program_is_no_player() {
        let game: AnyGame = "stones".parse().unwrap();
        let rows = [
            "cmd:./bot",
            " cmd:sh -c true",
            "CMD:./bot",
            "cmd[protocol=gomocup]:./bot",
            "cmd[",
            "cmd",
        ];
        for text in rows {
            let refused = check_player(text, &game);
            assert!(
                matches!(
                    refused,
                    Err(TableSeatError::Visitor(VisitorPlayerError::Program(_)))
                ),
                "{text}: {refused:?}"
            );
        }
        for text in ["gomocup:./bot", "./bot", "bot:mine", "sh", ""] {
            let refused = check_player(text, &game);
            assert!(
                matches!(refused, Err(TableSeatError::Player(_))),
                "{text}: {refused:?}"
            );
        }
    }

    #[test]
    fn players_think_for_as_long_as_the_server_can_afford() {
        let game: AnyGame = "stones".parse().unwrap();
        assert_eq!(check_player("strong:ms=10000", &game), Ok(()));
        assert_eq!(
            check_player("strong:ms=10001", &game),
            Err(TableSeatError::Visitor(VisitorPlayerError::Slow {
                ms: 10_001,
                most: MOST_MS
            }))
        );
    }

    #[test]
    fn names_are_short_and_seen() {
        assert_eq!(name("  Ada Lovelace "), Ok("Ada Lovelace".into()));
        assert_eq!(name(&"x".repeat(41)), Err(TableSeatError::LongName));
        for text in ["a\u{202e}b", "a\nb", "\u{200b}"] {
            assert_eq!(name(text), Err(TableSeatError::Unseen), "{text:?}");
        }
    }
}
