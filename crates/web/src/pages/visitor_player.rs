//! Players as a visitor names them.
//!
//! Only here a visitor's text becomes players. A bot is found by the name that the server's owner
//! gave it; no visitor's text is ever read as a program.

use crate::options::AllowedBot;
use arena::Entrant;
use axum::http::StatusCode;
use wire::{VisitorPlayerError, refuse_program};

/// What the text of an allowed bot begins with.
const BOT: &str = "bot:";

/// The status code of a refusal.
pub(crate) fn code(error: &VisitorPlayerError) -> StatusCode {
    match error {
        VisitorPlayerError::Program(_) => StatusCode::FORBIDDEN,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
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
    refuse_program(text)?;
    match text.parse() {
        Ok(entrant @ Entrant::Builtin(_)) => Ok(entrant),
        _ => Err(VisitorPlayerError::Program(text.chars().take(40).collect())),
    }
}
