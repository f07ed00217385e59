//! The commands of the game, as text and as a type.
//!
//! A command is a name followed by positions: `select 3,4`, `move 3,4 5,6`. A key, a click and
//! a line of a script all send one, so all front ends have the same commands. [`ALL`] lists
//! them for help, [`KEYS`] has the key bindings.

use crate::format::shown_word;
use crate::moves::Move;
use grid::Point;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A command.
///
/// ```
/// use grid::Point;
/// use laser::Move;
/// use laser::play::LaserCommand;
///
/// let (from, to) = (Point::new(3, 4), Point::new(5, 6));
/// assert_eq!("move 3,4 5,6".parse(), Ok(LaserCommand::Move(Move { from, to })));
/// assert_eq!("3,4".parse(), Ok(LaserCommand::Select(from)));
/// assert!("jump 3,4".parse::<LaserCommand>().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaserCommand {
    /// Choose a tile: the first one takes the piece there in hand, the same again puts it
    /// back, another one makes the move.
    Select(Point),
    /// Have nothing in hand.
    Deselect,
    /// Move a piece to an empty tile, or swap two.
    Move(Move),
    /// Take the last move back.
    Undo,
    /// Make a move again that was taken back.
    Redo,
    /// Back to the level as it was given.
    Restart,
    /// The next move of a shortest solution.
    Hint,
    /// All moves of a shortest solution.
    Solution,
    /// See the board.
    Show,
    /// See what can be done.
    Help,
    /// Leave.
    Quit,
}

/// The entry of a command in the help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaserCommandEntry {
    /// The first word.
    pub name: &'static str,
    /// A letter that does for the name; empty where there is none.
    pub short: &'static str,
    /// The words that follow; capitals stand for something.
    pub usage: &'static str,
    /// What it does.
    pub help: &'static str,
    /// Texts that parse, one for each way to say it.
    pub examples: &'static [&'static str],
}

const fn row(
    name: &'static str,
    short: &'static str,
    usage: &'static str,
    help: &'static str,
    examples: &'static [&'static str],
) -> LaserCommandEntry {
    LaserCommandEntry {
        name,
        short,
        usage,
        help,
        examples,
    }
}

/// All commands, in the order of help. Places count from 0,0 in the upper left corner.
#[rustfmt::skip]
pub const ALL: &[LaserCommandEntry] = &[
    row("select", "", "X,Y", "take a piece in hand, or put the one in hand there; the same place again lets go", &["select 3,4", "3,4"]),
    row("deselect", "", "", "let go of the piece in hand", &["deselect"]),
    row("move", "m", "X,Y X,Y", "move a piece to an empty tile, or swap two pieces", &["move 3,4 5,6", "3,4 5,6", "m 3 4 5 6"]),
    row("undo", "u", "", "take the last move back", &["undo", "u"]),
    row("redo", "r", "", "make a move again that was taken back", &["redo", "r"]),
    row("restart", "", "", "back to the level as it was given; redo makes the moves again", &["restart"]),
    row("hint", "h", "", "the next move of a shortest solution", &["hint", "h"]),
    row("solution", "", "", "all moves of a shortest solution", &["solution"]),
    row("show", "s", "", "see the board and its light", &["show", "s"]),
    row("help", "?", "", "what can be done", &["help", "?"]),
    row("quit", "q", "", "leave", &["quit", "q"]),
];

/// A key and what it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaserKeyBinding {
    /// The key's name: `u`, `Shift-R`, `Ctrl-Z`, `Escape`.
    pub keys: &'static str,
    /// The command that it sends.
    pub command: &'static str,
}

const fn key(keys: &'static str, command: &'static str) -> LaserKeyBinding {
    LaserKeyBinding { keys, command }
}

/// The key bindings of commands. Cursor keys are left to each front end.
pub const KEYS: &[LaserKeyBinding] = &[
    key("Escape", "deselect"),
    key("u", "undo"),
    key("Ctrl-Z", "undo"),
    key("Backspace", "undo"),
    key("r", "redo"),
    key("Shift-Ctrl-Z", "redo"),
    key("Ctrl-Y", "redo"),
    key("Shift-R", "restart"),
    key("Ctrl-R", "restart"),
    key("Ctrl-T", "restart"),
    key("h", "hint"),
    key("Shift-H", "solution"),
    key("?", "help"),
    key("q", "quit"),
];

/// The command of that name, or of that letter.
///
/// ```
/// use laser::play::command::entry;
///
/// assert_eq!(entry("u").unwrap().name, "undo");
/// assert!(entry("jump").is_none());
/// ```
#[must_use]
pub fn entry(name: &str) -> Option<&'static LaserCommandEntry> {
    let is_it = |entry: &&LaserCommandEntry| {
        entry.name == name || (entry.short == name && !name.is_empty())
    };
    ALL.iter().find(is_it)
}

/// A text that is no command.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LaserCommandError {
    /// Nothing was said.
    #[error("a command is missing")]
    Empty,
    /// The first word is no command's name.
    #[error("`{}` is no command", shown_word(.word))]
    Unknown {
        /// The word.
        word: String,
        /// A command that is spelt like it.
        near: Option<&'static str>,
    },
    /// A place is missing.
    #[error("{name} needs {}", places(*.wanted))]
    Missing {
        /// The command.
        name: &'static str,
        /// How many places it needs.
        wanted: usize,
    },
    /// A word is no place.
    #[error("{name}: `{}` is no place, such as 3,4", shown_word(.word))]
    Wrong {
        /// The command.
        name: &'static str,
        /// The word.
        word: String,
    },
    /// There is a word too many.
    #[error("{name}: `{}` is one word too many", shown_word(.word))]
    TooMany {
        /// The command.
        name: &'static str,
        /// The word.
        word: String,
    },
}

fn places(wanted: usize) -> &'static str {
    match wanted {
        1 => "a place, such as 3,4",
        _ => "two places, such as 3,4 5,6",
    }
}

impl LaserCommandError {
    /// What may help.
    ///
    /// ```
    /// use laser::play::LaserCommand;
    ///
    /// let error = "move 3,4".parse::<LaserCommand>().unwrap_err();
    /// assert_eq!(error.hint(), "move X,Y X,Y");
    /// ```
    #[must_use]
    pub fn hint(&self) -> String {
        let name = match self {
            Self::Empty | Self::Unknown { near: None, .. } => {
                return "help lists the commands".into();
            }
            Self::Unknown {
                near: Some(near), ..
            } => return format!("did you mean {near}?"),
            Self::Missing { name, .. } | Self::Wrong { name, .. } | Self::TooMany { name, .. } => {
                name
            }
        };
        let usage = entry(name).map_or("", |entry| entry.usage);
        format!("{name} {usage}").trim_end().to_string()
    }
}

impl FromStr for LaserCommand {
    type Err = LaserCommandError;

    fn from_str(text: &str) -> Result<Self, LaserCommandError> {
        let mut words = text.split_whitespace().peekable();
        let first = *words.peek().ok_or(LaserCommandError::Empty)?;
        let name = if first.starts_with(|sign: char| sign.is_ascii_digit()) {
            // places alone say what is meant by how many there are
            match words.clone().flat_map(numbers_of).count() {
                0..=2 => "select",
                _ => "move",
            }
        } else {
            words.next();
            let lower = first.to_lowercase();
            let found = entry(&lower).ok_or_else(|| LaserCommandError::Unknown {
                word: first.into(),
                near: near(&lower),
            })?;
            found.name
        };
        let wanted = match name {
            "select" => 1,
            "move" => 2,
            _ => 0,
        };
        let mut places = Vec::new();
        let mut half = None;
        for word in words {
            if places.len() == wanted {
                let word = word.into();
                return Err(LaserCommandError::TooMany { name, word });
            }
            let wrong = || LaserCommandError::Wrong {
                name,
                word: word.into(),
            };
            for number in numbers_of(word) {
                let number = number.parse::<u32>().map_err(|_| wrong())?.into();
                match half.take() {
                    None => half = Some(number),
                    Some(x) => places.push(Point::new(x, number)),
                }
            }
            if places.len() > wanted || (places.len() == wanted && half.is_some()) {
                return Err(wrong());
            }
        }
        if places.len() < wanted {
            return Err(LaserCommandError::Missing { name, wanted });
        }
        Ok(match (name, places.as_slice()) {
            ("select", &[place]) => Self::Select(place),
            ("move", &[from, to]) => Self::Move(Move { from, to }),
            ("deselect", _) => Self::Deselect,
            ("undo", _) => Self::Undo,
            ("redo", _) => Self::Redo,
            ("restart", _) => Self::Restart,
            ("hint", _) => Self::Hint,
            ("solution", _) => Self::Solution,
            ("show", _) => Self::Show,
            ("help", _) => Self::Help,
            _ => Self::Quit,
        })
    }
}

/// `3,4` and `3 4` are the same two numbers.
fn numbers_of(word: &str) -> impl Iterator<Item = &str> {
    word.trim_end_matches(',').split(',')
}

/// The command that takes the fewest changed letters to write, at most two, and not all of
/// them.
fn near(word: &str) -> Option<&'static str> {
    let names = ALL
        .iter()
        .map(|entry| (strsim::damerau_levenshtein(word, entry.name), entry.name));
    let (changes, name) = names.min()?;
    (changes <= 2 && changes < word.chars().count()).then_some(name)
}

impl fmt::Display for LaserCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Select(place) => write!(f, "select {},{}", place.x, place.y),
            Self::Deselect => f.write_str("deselect"),
            Self::Move(step) => write!(f, "move {step}"),
            Self::Undo => f.write_str("undo"),
            Self::Redo => f.write_str("redo"),
            Self::Restart => f.write_str("restart"),
            Self::Hint => f.write_str("hint"),
            Self::Solution => f.write_str("solution"),
            Self::Show => f.write_str("show"),
            Self::Help => f.write_str("help"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_parses_and_is_written_as_its_name() {
        for entry in ALL {
            for example in entry.examples {
                let command: LaserCommand = example.parse().unwrap();
                let text = command.to_string();
                assert_eq!(text.split(' ').next(), Some(entry.name), "{example}");
                assert_eq!(text.parse(), Ok(command), "{text}");
            }
        }
    }

    #[test]
    fn every_key_sends_a_command() {
        for (index, key) in KEYS.iter().enumerate() {
            assert!(
                key.command.parse::<LaserCommand>().is_ok(),
                "{}",
                key.command
            );
            let others = &KEYS[index + 1..];
            assert!(others.iter().all(|other| other.keys != key.keys));
        }
    }

    #[test]
    fn errors_say_what_was_said() {
        for (text, error, hint) in [
            (" ", "a command is missing", "help lists the commands"),
            ("undp", "`undp` is no command", "did you mean undo?"),
            ("fly", "`fly` is no command", "help lists the commands"),
            // what would do something to a terminal is only named
            (
                "\x1b[2J",
                "`\\u{1b}[2J` is no command",
                "help lists the commands",
            ),
            (
                "select \u{202e}",
                "select: `\\u{202e}` is no place, such as 3,4",
                "select X,Y",
            ),
            (
                "restarting",
                "`restarting` is no command",
                "help lists the commands",
            ),
            (
                "3,4 5",
                "move needs two places, such as 3,4 5,6",
                "move X,Y X,Y",
            ),
            (
                "move",
                "move needs two places, such as 3,4 5,6",
                "move X,Y X,Y",
            ),
            (
                "move 3,4",
                "move needs two places, such as 3,4 5,6",
                "move X,Y X,Y",
            ),
            (
                "move 3,4 5",
                "move needs two places, such as 3,4 5,6",
                "move X,Y X,Y",
            ),
            ("select", "select needs a place, such as 3,4", "select X,Y"),
            (
                "select a,b",
                "select: `a,b` is no place, such as 3,4",
                "select X,Y",
            ),
            (
                "select -1,2",
                "select: `-1,2` is no place, such as 3,4",
                "select X,Y",
            ),
            (
                "select 1,2,3",
                "select: `1,2,3` is no place, such as 3,4",
                "select X,Y",
            ),
            (
                "select 1,2 3",
                "select: `3` is one word too many",
                "select X,Y",
            ),
            (
                "select 99999999999,0",
                "select: `99999999999,0` is no place, such as 3,4",
                "select X,Y",
            ),
            ("undo 2", "undo: `2` is one word too many", "undo"),
        ] {
            let found = text.parse::<LaserCommand>().unwrap_err();
            assert_eq!(found.to_string(), error);
            assert_eq!(found.hint(), hint, "{text}");
        }
    }
}
