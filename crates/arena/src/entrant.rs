//! Players as text, those of this program and those that are programs of their own:
//! `mcts:ms=50`, `cmd:./my-bot --flag`.

use crate::bot::{BotGame, BotSpec, BotSpecError};
use crate::side::{BuiltinPlayer, TimeLimitedPlayer};
use crate::{Side, TimeControl};
use cage::{Cage, CageError, CageMode, Layer, Program};
use games::{AnyGame, with_game};
use players::PlayerError;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;
use thiserror::Error;

/// A player of either kind, by name. Whether it can play a game shows when it is opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entrant {
    /// A player of this program, as [`players::open`] reads it.
    House(String),
    /// A program of somebody's own.
    Bot(BotSpec),
}

impl FromStr for Entrant {
    type Err = BotSpecError;

    /// `cmd:COMMAND` and `cmd[OPTIONS]:COMMAND` are bots, all else is a player of this
    /// program.
    fn from_str(text: &str) -> Result<Self, BotSpecError> {
        let text = text.trim();
        if text.starts_with("cmd:") || text.starts_with("cmd[") {
            return text.parse().map(Self::Bot);
        }
        Ok(Self::House(text.into()))
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::House(text) => f.pad(text),
            Self::Bot(bot) => f.pad(&bot.to_string()),
        }
    }
}

impl Entrant {
    /// Whether it is a program of its own.
    #[must_use]
    pub fn is_bot(&self) -> bool {
        matches!(self, Self::Bot(_))
    }

    /// A bot's program, where there is no such program: a path that leads nowhere, or a name
    /// that is not in `PATH`. Such a bot loses every game as not started, which is better
    /// said before a long run.
    #[must_use]
    pub fn missing_program(&self, conditions: &MatchConditions) -> Option<OsString> {
        let Self::Bot(bot) = self else {
            return None;
        };
        let program = bot.program(conditions).program;
        (!is_there(&program)).then_some(program)
    }
}

fn is_there(program: &OsStr) -> bool {
    let path = Path::new(program);
    if path.components().count() != 1 || path.is_absolute() {
        return path.exists();
    }
    let places = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    std::env::split_paths(&places).any(|place| place.join(path).exists())
}

/// Under which conditions they play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchConditions {
    /// How long bots may think; `None` for the game's own ([`BotGame::pace`]).
    pub pace: Option<TimeControl>,
    /// What they run in. A bot's own options may widen its bounds.
    pub cage: Cage,
    /// The cores that they may run on; empty for all.
    pub cores: Vec<usize>,
    /// When a player of this program is stopped, with the best move that it has found by
    /// then, whatever its own limits are; `None` for never.
    pub thinking: Option<Duration>,
}

/// Why nobody sits down.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntrantError {
    /// There is no such player of this program, or it cannot play this game.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The text of a bot is wrong, or the game does not have the protocol.
    #[error(transparent)]
    Bot(#[from] BotSpecError),
    /// This machine lacks a layer that the cage cannot do without: a strict one needs all of
    /// them, any other one what keeps bots from looking into other processes. That is no
    /// fault of the bot's, so nothing is played.
    #[error("{bot}: this machine has no cage `{mode}`: it lacks {layer}, {why}")]
    Cage {
        /// The bot's text.
        bot: String,
        /// Which cage was asked for.
        mode: CageMode,
        /// What is missing.
        layer: cage::Layer,
        /// Why.
        why: String,
    },
}

/// Makes a side of an entrant. A bot's process starts with its first game.
///
/// # Errors
/// There is no such player of this program, or a bot's protocol is none of this game's.
pub fn seat<G: BotGame>(
    game: &G,
    entrant: &Entrant,
    conditions: &MatchConditions,
) -> Result<Box<dyn Side<G>>, EntrantError> {
    Ok(match entrant {
        Entrant::House(text) => {
            let player = players::open(game, text)?;
            match conditions.thinking {
                Some(most) => Box::new(TimeLimitedPlayer::new(player, most)),
                None => Box::new(BuiltinPlayer(player)),
            }
        }
        Entrant::Bot(bot) => {
            let opened = bot.open(game, conditions)?;
            let mode = conditions.cage.mode;
            if let Some((layer, why)) = lacking(mode) {
                let (bot, why) = (entrant.to_string(), why.clone());
                return Err(EntrantError::Cage {
                    bot,
                    mode,
                    layer,
                    why,
                });
            }
            Box::new(opened)
        }
    })
}

/// Whether an entrant could be seated, for whichever game it is.
///
/// # Errors
/// Those of [`seat`].
pub fn admit(
    game: &AnyGame,
    entrant: &Entrant,
    conditions: &MatchConditions,
) -> Result<(), EntrantError> {
    with_game!(game, |game| seat(game, entrant, conditions).map(drop))
}

/// What this machine lacks of a cage, found out once by starting a program that does nothing.
fn lacking(mode: CageMode) -> Option<(Layer, &'static String)> {
    static STRICT: OnceLock<Option<(Layer, String)>> = OnceLock::new();
    static BEST: OnceLock<Option<(Layer, String)>> = OnceLock::new();
    let known = match mode {
        CageMode::Strict => &STRICT,
        CageMode::Best => &BEST,
        CageMode::Off => return None,
    };
    let lacking = known.get_or_init(|| {
        let cage = Cage {
            mode,
            ..Cage::default()
        };
        let nothing = Program {
            program: "true".into(),
            arguments: Vec::new(),
            folder: "/".into(),
            cores: Vec::new(),
        };
        match cage.start(&nothing) {
            Err(CageError::Lacks { layer, why }) => Some((layer, why)),
            // whatever else is wrong shows, with its own words, when the bot is started
            _ => None,
        }
    });
    lacking.as_ref().map(|(layer, why)| (*layer, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_without_a_program_is_known_before_it_plays() {
        let rows = [
            ("random", None),
            ("cmd:cargo --version", None),
            ("cmd:src/lib.rs", None),
            ("cmd[folder=src]:./lib.rs", None),
            ("cmd:./nowhere --fast", Some("nowhere")),
            ("cmd:no-such-program-at-all", Some("no-such-program-at-all")),
            ("cmd[folder=src]:./nowhere", Some("nowhere")),
        ];
        for (text, missing) in rows {
            let entrant: Entrant = text.parse().expect("a player's text");
            let found = entrant.missing_program(&MatchConditions::default());
            let name = found
                .as_deref()
                .and_then(|path| Path::new(path).file_name());
            assert_eq!(name, missing.map(OsStr::new), "{text}");
        }
    }
}
