//! Players as a visitor names them.
//!
//! Only here a visitor's text becomes players. A bot is found by the name that the server's owner
//! gave it; no visitor's text is ever read as a program.

use crate::options::AllowedBot;
use arena::Entrant;
use axum::http::StatusCode;
use players::{Clock, PlayerSpec};
use thiserror::Error;

/// What the text of an allowed bot begins with.
const BOT: &str = "bot:";

/// Why a text is no player here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum VisitorPlayerError {
    #[error("`{0}` would start a program, which no page can do")]
    Program(String),
    #[error("this server has no bot `{0}`")]
    NoBot(String),
    #[error("a player may think {most} ms about a move here, not {ms}")]
    Slow { ms: u64, most: u64 },
}

impl VisitorPlayerError {
    pub(crate) fn code(&self) -> StatusCode {
        match self {
            Self::Program(_) => StatusCode::FORBIDDEN,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Program(_) | Self::NoBot(_) => Some(
                "the server's owner allows bots: gridpaper serve --bot NAME=cmd:PROGRAM; here \
                 they are called bot:NAME",
            ),
            Self::Slow { .. } => None,
        }
    }
}

/// The allowed bot that a text names; `None` where it names none.
pub(crate) fn find_bot<'a>(
    text: &str,
    bots: &'a [AllowedBot],
) -> Option<Result<&'a Entrant, VisitorPlayerError>> {
    let name = text.strip_prefix(BOT)?;
    let found = bots.iter().find(|allowed| allowed.name == name);
    let found = found.map(|allowed| &allowed.entrant);
    Some(found.ok_or_else(|| VisitorPlayerError::NoBot(name.into())))
}

/// A player of the program; whether there is one of this name is not checked.
pub(crate) fn parse_house_player(text: &str) -> Result<Entrant, VisitorPlayerError> {
    // text that could mean a program is refused
    let is_program = text.trim().to_ascii_lowercase().starts_with("cmd");
    match text.parse() {
        Ok(entrant @ Entrant::Builtin(_)) if !is_program => Ok(entrant),
        _ => Err(VisitorPlayerError::Program(text.chars().take(40).collect())),
    }
}

/// Checks that a player of the program thinks for at most this many milliseconds.
pub(crate) fn check_pace(text: &str, most: u64) -> Result<(), VisitorPlayerError> {
    match PlayerSpec::new(text, &Clock::stopped()).number("ms") {
        Ok(Some(ms)) if ms > most => Err(VisitorPlayerError::Slow { ms, most }),
        _ => Ok(()),
    }
}

/// Whether a character is invisible or changes the direction of text, so that a name with it could
/// pass for another name.
pub(crate) fn is_unseen(sign: char) -> bool {
    sign.is_control()
        || matches!(sign, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' |
            '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
