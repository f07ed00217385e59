//! Entrants as text, built-in players and external bots: `mcts:ms=50`, `cmd:./my-bot --flag`.

use crate::bot::{BotGame, BotSpec, BotSpecError};
use cage::{Cage, CageError, CageMode, Layer, Program};
use games::{AnyGame, with_game};
use matches::{BuiltinPlayer, Side, TimeControl, TimeLimitedPlayer};
use players::{Clock, PlayerError};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;
use thiserror::Error;

/// A player of either kind. Whether it can play a game is checked when it is opened.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Entrant {
    /// A built-in player, as [`players::open`] reads it.
    Builtin(String),
    /// An external bot.
    Bot(BotSpec),
}

impl FromStr for Entrant {
    type Err = BotSpecError;

    /// `cmd:COMMAND` and `cmd[OPTIONS]:COMMAND` are bots, anything else is a built-in player.
    fn from_str(text: &str) -> Result<Self, BotSpecError> {
        let text = text.trim();
        if text.starts_with("cmd:") || text.starts_with("cmd[") {
            return text.parse().map(Self::Bot);
        }
        Ok(Self::Builtin(text.into()))
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(text) => f.pad(text),
            Self::Bot(bot) => f.pad(&bot.to_string()),
        }
    }
}

impl Entrant {
    /// Whether it is an external bot.
    #[must_use]
    pub fn is_bot(&self) -> bool {
        matches!(self, Self::Bot(_))
    }

    /// A bot's program if it does not exist: a path that leads nowhere, or a name that is not
    /// in `PATH`. Such a bot loses every game as not started, which is better reported before a
    /// long run.
    ///
    /// ```
    /// use arena::{Entrant, MatchConditions};
    ///
    /// let missing = |text: &str| -> Result<_, arena::bot::BotSpecError> {
    ///     Ok(text.parse::<Entrant>()?.missing_program(&MatchConditions::default()))
    /// };
    /// assert!(missing("cmd:no-such-program-anywhere")?.is_some());
    /// assert_eq!(missing("random")?, None, "built in");
    /// # Ok::<(), arena::bot::BotSpecError>(())
    /// ```
    #[must_use]
    pub fn missing_program(&self, conditions: &MatchConditions) -> Option<OsString> {
        let Self::Bot(bot) = self else {
            return None;
        };
        let program = bot.program(conditions).program;
        (!program_exists(&program)).then_some(program)
    }
}

fn program_exists(program: &OsStr) -> bool {
    let path = Path::new(program);
    if path.components().count() != 1 || path.is_absolute() {
        return path.exists();
    }
    let places = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    std::env::split_paths(&places).any(|place| place.join(path).exists())
}

/// The conditions of a match.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchConditions {
    /// Time control of bots; `None` for the game's own ([`BotGame::time_control`]).
    pub time_control: Option<TimeControl>,
    /// The bots' sandbox. A bot's own options may raise its limits.
    pub cage: Cage,
    /// The cores that bots may run on; empty for all.
    pub cores: Vec<usize>,
    /// Time limit per move of built-in players, on top of their own; a stopped player makes the
    /// best move found so far. `None` for no limit.
    pub builtin_time_limit: Option<Duration>,
}

/// Why an entrant is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EntrantError {
    /// There is no such built-in player, or it cannot play this game.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The bot's text is wrong, or the game does not support the protocol.
    #[error(transparent)]
    Bot(#[from] BotSpecError),
    /// A sandbox layer is missing that the mode requires: a strict one needs all, any other the
    /// one that keeps bots from inspecting other processes. That is not the bot's fault, so
    /// nothing is played.
    #[error("{bot}: this machine has no cage `{mode}`: it lacks {layer}, {why}")]
    Cage {
        /// The bot's text.
        bot: String,
        /// The requested mode.
        mode: CageMode,
        /// The missing layer.
        layer: cage::Layer,
        /// Why.
        why: String,
    },
}

/// Opens an entrant as a side. A bot's process starts with its first game.
///
/// # Errors
/// There is no such built-in player, or the game does not support the bot's protocol.
pub(crate) fn open_side<G: BotGame>(
    game: &G,
    entrant: &Entrant,
    conditions: &MatchConditions,
) -> Result<Box<dyn Side<G>>, EntrantError> {
    Ok(match entrant {
        Entrant::Builtin(text) => {
            let clock = Clock::system();
            let player = players::open(game, text, &clock)?;
            match conditions.builtin_time_limit {
                Some(most) => Box::new(TimeLimitedPlayer::new(player, most, clock)),
                None => Box::new(BuiltinPlayer::new(player, clock)),
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

/// Checks whether an entrant can be seated, for any game.
///
/// # Errors
/// There is no such built-in player, the game does not support the bot's protocol, or this machine
/// lacks a layer of the sandbox.
pub fn check_entrant(
    game: &AnyGame,
    entrant: &Entrant,
    conditions: &MatchConditions,
) -> Result<(), EntrantError> {
    with_game!(game, |game| open_side(game, entrant, conditions).map(drop))
}

/// The sandbox layer that this machine lacks, detected once by starting a trivial program.
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
            // other errors are reported when the bot is started
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
