//! Errors in a plan.

use arena::bot::BotSpecError;
use cage::CageModeError;
use games::GameNameError;
use matches::TimeControlError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why a plan is rejected, and where.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It is invalid.
    #[error("{}:{line}:{column}: {problem}", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// The problem.
        problem: PlanProblem,
    },
}

impl PlanError {
    /// A hint, if there is one.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// let error = tournament::Plan::parse("game = 'tictactoe'", Path::new("a.toml")).unwrap_err();
    /// assert!(error.hint().is_some_and(|hint| hint.contains("[[player]]")), "there are none");
    /// ```
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Read { .. } => None,
            Self::Wrong { problem, .. } => problem.hint(),
        }
    }
}

/// A problem of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlanProblem {
    /// Invalid TOML, or unknown keys or values.
    #[error("{0}")]
    Text(String),
    /// There is no such game.
    #[error(transparent)]
    Game(#[from] GameNameError),
    /// There is no such kind of tournament.
    #[error("there are no tournaments of the kind `{0}`")]
    Kind(String),
    /// The opening is neither a number nor a range.
    #[error("`{0}` is no opening")]
    Opening(String),
    /// The pace cannot be read.
    #[error(transparent)]
    Pace(#[from] TimeControlError),
    /// There is no such cage.
    #[error(transparent)]
    Cage(#[from] CageModeError),
    /// A size in bytes cannot be read.
    #[error("`{0}` is no size: give one such as 512M or 8G")]
    Size(String),
    /// The store has no name.
    #[error("`store` is the name of a file")]
    Store,
    /// A number is too small or too large.
    #[error("`{key}` is from {least} to {most}, not {value}")]
    Number {
        /// What it is of.
        key: &'static str,
        /// What was given.
        value: u64,
        /// The least that it may be.
        least: u64,
        /// The most that it may be.
        most: u64,
    },
    /// A key that this kind of tournament does not have.
    #[error("a {kind} has no `{key}`")]
    Foreign {
        /// The key.
        key: &'static str,
        /// The kind.
        kind: &'static str,
    },
    /// There are no two players.
    #[error("there are {0} players, and a tournament needs two")]
    Few(usize),
    /// A player is nothing, or two things.
    #[error("a player has either `player` or `command`, and this has {0}")]
    Player(&'static str),
    /// A key that only bots have stands beside `player`.
    #[error("`{0}` is for a player with a `command`")]
    NotOfBot(&'static str),
    /// A bot cannot be read.
    #[error(transparent)]
    Bot(#[from] BotSpecError),
    /// A name is empty, too long or not in one line.
    #[error("a name is 1 to {LONGEST_NAME} characters in one line, all of which are seen")]
    Name,
    /// Two players have one name.
    #[error("there are two players called `{0}`")]
    Twice(String),
    /// A gauntlet has no champion.
    #[error("a gauntlet needs a `champion`")]
    NoChampion,
    /// A champion is no player.
    #[error("no player is called `{name}`")]
    Champion {
        /// The name.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// All players are champions.
    #[error("all players are champions: nobody is left for them to meet")]
    OnlyChampions,
}

impl PlanProblem {
    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Kind(_) => format!("the kinds are {}", KINDS.join(", ")),
            Self::Opening(_) => "give a number of turns, or the least and the most: 2..6".into(),
            Self::Few(_) => "each has a [[player]] with a `name` and a `player`".into(),
            Self::Player(_) => {
                "write player = \"mcts:ms=50\" or command = \"./my-bot --flag\"".into()
            }
            Self::Name => "a long command wants a `name` beside it".into(),
            Self::Twice(_) => "give one of them a `name` of its own".into(),
            Self::Champion { known, .. } => format!("the players are {known}"),
            _ => return None,
        })
    }
}

/// The names of all kinds.
const KINDS: [&str; 4] = ["round-robin", "gauntlet", "swiss", "league"];

/// A name in more characters would break every table.
pub(super) const LONGEST_NAME: usize = 80;
