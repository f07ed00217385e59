//! Players as a visitor names them. No visitor's text is ever read as a program.

use games::AnyGame;
use players::{Clock, PlayerSpec};
use std::time::Duration;
use thiserror::Error;

/// No player of the program thinks longer about a move.
pub const LONGEST_THOUGHT: Duration = Duration::from_millis(MOST_MS);
const MOST_MS: u64 = 10_000;

/// Why a text is no player here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VisitorPlayerError {
    /// It could mean a program.
    #[error("`{0}` would start a program, which no page can do")]
    Program(String),
    /// There is no such bot.
    #[error("this server has no bot `{0}`")]
    NoBot(String),
    /// It thinks longer than can be afforded.
    #[error("a player may think {most} ms about a move here, not {ms}")]
    Slow {
        /// How long it would think.
        ms: u64,
        /// How long it may.
        most: u64,
    },
}

impl VisitorPlayerError {
    /// What may help.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Program(_) | Self::NoBot(_) => Some(
                "the server's owner allows bots: gridpaper serve --bot NAME=cmd:PROGRAM; here \
                 they are called bot:NAME",
            ),
            Self::Slow { .. } => None,
        }
    }
}

/// Refuses a text that could mean a program.
///
/// # Errors
/// It could.
///
/// ```
/// assert!(wire::refuse_program("strong:ms=100").is_ok());
/// assert!(wire::refuse_program(" cmd:./bot").is_err());
/// ```
pub fn refuse_program(text: &str) -> Result<(), VisitorPlayerError> {
    match text.trim().to_ascii_lowercase().starts_with("cmd") {
        true => Err(VisitorPlayerError::Program(text.chars().take(40).collect())),
        false => Ok(()),
    }
}

/// Checks that a player of the program thinks for at most this many milliseconds.
///
/// # Errors
/// It may think longer.
///
/// ```
/// assert!(wire::check_pace("mcts:ms=500", 500).is_ok());
/// assert!(wire::check_pace("mcts:ms=501", 500).is_err());
/// ```
pub fn check_pace(text: &str, most: u64) -> Result<(), VisitorPlayerError> {
    match PlayerSpec::new(text, &Clock::stopped()).number("ms") {
        Ok(Some(ms)) if ms > most => Err(VisitorPlayerError::Slow { ms, most }),
        _ => Ok(()),
    }
}

/// Whether a character is invisible or changes the direction of text, so that a name with it could
/// pass for another name.
///
/// ```
/// assert!(wire::is_unseen('\u{202e}') && !wire::is_unseen('é'));
/// ```
#[must_use]
pub fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' |
            '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Why there is no such player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HousePlayerError {
    /// It is none that a visitor may name.
    #[error(transparent)]
    Visitor(#[from] VisitorPlayerError),
    /// There is no such player, or not for this game.
    #[error(transparent)]
    Player(#[from] players::PlayerError),
}

/// Checks that a text is a player of the program, and one that can be afforded.
///
/// # Errors
/// It is not.
///
/// ```
/// let game = "stones".parse()?;
/// assert!(wire::check_house_player("strong", &game).is_ok());
/// assert!(wire::check_house_player("bot:mine", &game).is_err());
/// # Ok::<(), games::GameNameError>(())
/// ```
pub fn check_house_player(text: &str, game: &AnyGame) -> Result<(), HousePlayerError> {
    refuse_program(text)?;
    players::check(game, text)?;
    Ok(check_pace(text, MOST_MS)?)
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
            let refused = check_house_player(text, &game);
            assert!(
                matches!(
                    refused,
                    Err(HousePlayerError::Visitor(VisitorPlayerError::Program(_)))
                ),
                "{text}: {refused:?}"
            );
        }
        for text in ["gomocup:./bot", "./bot", "bot:mine", "sh", ""] {
            let refused = check_house_player(text, &game);
            assert!(
                matches!(refused, Err(HousePlayerError::Player(_))),
                "{text}: {refused:?}"
            );
        }
    }

    #[test]
    fn players_think_for_as_long_as_can_be_afforded() {
        let game: AnyGame = "stones".parse().unwrap();
        assert_eq!(check_house_player("strong:ms=10000", &game), Ok(()));
        let slow = VisitorPlayerError::Slow {
            ms: 10_001,
            most: MOST_MS,
        };
        assert_eq!(
            check_house_player("strong:ms=10001", &game),
            Err(slow.into())
        );
    }
}
