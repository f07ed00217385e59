//! Players as text: `mcts:ms=50`, `heuristic:as-published`.

use crate::Clock;
use thiserror::Error;

/// A player's name and its options, taken out one by one.
#[derive(Clone, Debug)]
pub struct PlayerSpec<'a> {
    name: &'a str,
    items: Vec<&'a str>,
    clock: Clock,
}

impl<'a> PlayerSpec<'a> {
    /// Splits `name:option,key=value`; the clock is for a time limit among the options.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// assert_eq!(PlayerSpec::new("mcts:ms=50", &Clock::system()).name(), "mcts");
    /// ```
    #[must_use]
    pub fn new(text: &'a str, clock: &Clock) -> Self {
        let (name, rest) = text.trim().split_once(':').unwrap_or((text.trim(), ""));
        let items = rest.split(',').map(str::trim);
        Self {
            name: name.trim(),
            items: items.filter(|item| !item.is_empty()).collect(),
            clock: clock.clone(),
        }
    }

    /// What stands before the colon.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The clock that measures a time limit.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whether a bare word is among the options; it is taken out.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// let mut spec = PlayerSpec::new("heuristic:as-published", &Clock::system());
    /// assert!(spec.flag("as-published"));
    /// assert!(!spec.flag("as-published"), "it was taken out");
    /// ```
    pub fn flag(&mut self, word: &str) -> bool {
        let at = self.items.iter().position(|item| *item == word);
        at.is_some_and(|at| !self.items.remove(at).is_empty())
    }

    /// The value of an option, taken out.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// let mut spec = PlayerSpec::new("mcts:cutoff=5", &Clock::system());
    /// assert_eq!((spec.value("cutoff"), spec.value("cutoff")), (Some("5"), None));
    /// ```
    pub fn value(&mut self, key: &str) -> Option<&'a str> {
        let at = self.items.iter().position(|item| {
            item.split_once('=')
                .is_some_and(|(name, _)| name.trim() == key)
        })?;
        let (_, value) = self.items.remove(at).split_once('=')?;
        Some(value.trim())
    }

    /// The value of an option that is a whole number above 0, taken out.
    ///
    /// # Errors
    /// It is something else.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// assert_eq!(PlayerSpec::new("mcts:ms=50", &Clock::system()).number("ms")?, Some(50));
    /// assert!(PlayerSpec::new("mcts:ms=0", &Clock::system()).number("ms").is_err());
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    pub fn number(&mut self, key: &str) -> Result<Option<u64>, PlayerError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        match value.parse() {
            Ok(n) if n > 0 => Ok(Some(n)),
            _ => Err(self.wrong(&format!("{key}={value}"), "give a whole number above 0")),
        }
    }

    /// The value of an option that is a decimal number of at least 0, taken out.
    ///
    /// # Errors
    /// It is something else.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// assert_eq!(PlayerSpec::new("mcts:c=0.4", &Clock::system()).decimal("c")?, Some(0.4));
    /// assert!(PlayerSpec::new("mcts:c=much", &Clock::system()).decimal("c").is_err());
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    pub fn decimal(&mut self, key: &str) -> Result<Option<f64>, PlayerError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        match value.parse::<f64>() {
            Ok(x) if x.is_finite() && x >= 0.0 => Ok(Some(x)),
            _ => Err(self.wrong(&format!("{key}={value}"), "give a number of at least 0")),
        }
    }

    /// An error about one of the options.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// let error = PlayerSpec::new("mcts:c=9", &Clock::system()).wrong("c=9", "give at most 2");
    /// assert_eq!(error.to_string(), "mcts: `c=9`: give at most 2");
    /// ```
    #[must_use]
    pub fn wrong(&self, item: &str, problem: impl Into<String>) -> PlayerError {
        PlayerError::Option {
            player: self.name.into(),
            item: item.into(),
            problem: problem.into(),
        }
    }

    /// Fails if an option is left over.
    ///
    /// # Errors
    /// The first option that was not taken.
    ///
    /// ```
    /// use players::{Clock, PlayerSpec};
    ///
    /// let mut spec = PlayerSpec::new("mcts:ms=50,speed=9", &Clock::system());
    /// spec.number("ms")?;
    /// assert!(spec.finish().is_err(), "there is no speed");
    /// # Ok::<(), players::PlayerError>(())
    /// ```
    pub fn finish(&self) -> Result<(), PlayerError> {
        match self.items.first() {
            None => Ok(()),
            Some(item) => Err(self.wrong(item, "this player has no such option")),
        }
    }
}

/// Why a text is no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayerError {
    /// There is no such player of this game.
    #[error("{game} has no player `{name}`; its players are {known}")]
    Unknown {
        /// The game.
        game: String,
        /// What was given.
        name: String,
        /// The players there are.
        known: String,
    },
    /// An option that the player does not have, or a value that it cannot take.
    #[error("{player}: `{item}`: {problem}")]
    Option {
        /// The player's name.
        player: String,
        /// The option as it was given.
        item: String,
        /// What may stand there.
        problem: String,
    },
    /// The player cannot play this game.
    #[error("{player} cannot play {game}: {problem}")]
    Unfit {
        /// The player.
        player: String,
        /// The game.
        game: String,
        /// Why not.
        problem: String,
    },
}
