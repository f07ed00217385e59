//! Bot specifications as text: `cmd:./my-bot --flag`, `cmd[text,memory=8G]:./my-bot`.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use thiserror::Error;

/// The protocols that bots speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// This program's own, for any game.
    Text,
    /// The duel contest's.
    Contest,
    /// Gomocup's, for m,n,k games.
    Gomocup,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Text, Self::Contest, Self::Gomocup];

    /// Its name: `text`, `contest`, `gomocup`.
    ///
    /// ```
    /// use arena::bot::Protocol;
    ///
    /// assert_eq!(Protocol::ALL.map(Protocol::name), ["text", "contest", "gomocup"]);
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Contest => "contest",
            Self::Gomocup => "gomocup",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A bot's command and options.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BotSpec {
    /// The program and its arguments; never empty.
    pub command: Vec<String>,
    /// Its protocol; `None` for the game's default.
    pub protocol: Option<Protocol>,
    /// Its working folder, which it may read; `None` for that of the program's path, else the
    /// current one, as for an installed program: an absolute path into a folder `bin`.
    pub folder: Option<PathBuf>,
    /// Additional readable paths.
    pub readable: Vec<PathBuf>,
    /// Memory limit in bytes, if not the sandbox's default.
    pub memory: Option<u64>,
    /// Process limit, if not the sandbox's default.
    pub processes: Option<u32>,
}

/// Why a bot specification is rejected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BotSpecError {
    /// There is no command.
    #[error("`{0}`: there is no command; write cmd:./my-bot --flag")]
    Empty(String),
    /// A quotation mark is not closed.
    #[error("`{0}`: a quotation mark is not closed")]
    Quotes(String),
    /// An unknown option or invalid value.
    #[error("`{text}`: `{item}`: {problem}")]
    Option {
        /// The bot's whole text.
        text: String,
        /// The option.
        item: String,
        /// What is allowed.
        problem: String,
    },
    /// The game does not support the protocol.
    #[error("bots of {game} speak {known}, not {protocol}")]
    Protocol {
        /// The game.
        game: String,
        /// The supported ones.
        known: String,
        /// The requested one.
        protocol: Protocol,
    },
}

impl FromStr for BotSpec {
    type Err = BotSpecError;

    /// `cmd:` or `cmd[OPTIONS]:`, and a command as a shell has it: words, and quotation
    /// marks around what holds blanks. Nothing is expanded, no shell is started.
    fn from_str(text: &str) -> Result<Self, BotSpecError> {
        let empty = || BotSpecError::Empty(text.into());
        let rest = text.strip_prefix("cmd").ok_or_else(empty)?;
        let (options, command) = match rest.strip_prefix('[') {
            None => ("", rest.strip_prefix(':').ok_or_else(empty)?),
            Some(rest) => rest.split_once("]:").ok_or_else(empty)?,
        };
        let words = shlex::split(command).ok_or_else(|| BotSpecError::Quotes(text.into()))?;
        if words.is_empty() {
            return Err(empty());
        }
        let mut bot = Self {
            command: words,
            protocol: None,
            folder: None,
            readable: Vec::new(),
            memory: None,
            processes: None,
        };
        for item in options.split(',').map(str::trim).filter(|i| !i.is_empty()) {
            bot.take(text, item)?;
        }
        Ok(bot)
    }
}

impl BotSpec {
    fn take(&mut self, text: &str, item: &str) -> Result<(), BotSpecError> {
        let wrong = |problem: &str| BotSpecError::Option {
            text: text.into(),
            item: item.into(),
            problem: problem.into(),
        };
        if let Some(protocol) = Protocol::ALL.into_iter().find(|p| p.name() == item) {
            self.protocol = Some(protocol);
            return Ok(());
        }
        match item.split_once('=') {
            Some(("folder", path)) => self.folder = Some(path.into()),
            Some(("read", path)) => self.readable.push(path.into()),
            Some(("memory", size)) => {
                let size = bytes(size).ok_or_else(|| wrong("give a size such as 512M or 8G"))?;
                self.memory = Some(size);
            }
            Some(("processes", number)) => {
                let number = number.parse().ok().filter(|&n| n > 0);
                let number = number.ok_or_else(|| wrong("give a whole number above 0"))?;
                self.processes = Some(number);
            }
            _ => {
                return Err(wrong(
                    "take text, contest, gomocup, folder=, read=, memory= or processes=",
                ));
            }
        }
        Ok(())
    }
}

/// `512M`, `8G`, or a plain number of bytes; powers of 1024.
fn bytes(text: &str) -> Option<u64> {
    let (number, shift) = match text.as_bytes().last()? {
        b'K' | b'k' => (&text[..text.len() - 1], 10),
        b'M' => (&text[..text.len() - 1], 20),
        b'G' => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number: u64 = number.parse().ok()?;
    number.checked_mul(1 << shift).filter(|&n| n > 0)
}

impl fmt::Display for BotSpec {
    /// What [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        options.extend(self.protocol.map(|p| p.to_string()));
        options.extend(
            self.folder
                .iter()
                .map(|p| format!("folder={}", p.display())),
        );
        options.extend(
            self.readable
                .iter()
                .map(|p| format!("read={}", p.display())),
        );
        options.extend(self.memory.map(|n| format!("memory={n}")));
        options.extend(self.processes.map(|n| format!("processes={n}")));
        let words = self.command.iter().map(String::as_str);
        // a word with a zero byte cannot have been read from text
        let command = shlex::try_join(words).map_err(|_| fmt::Error)?;
        if options.is_empty() {
            return f.pad(&format!("cmd:{command}"));
        }
        f.pad(&format!("cmd[{}]:{command}", options.join(",")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_are_read_and_written() {
        let rows = [
            ("cmd:./bot", "cmd:./bot"),
            ("cmd:./bot --depth 4", "cmd:./bot --depth 4"),
            ("cmd:'my bot' \"a b\" c", "cmd:'my bot' 'a b' c"),
            ("cmd[text]:python3 bot.py", "cmd[text]:python3 bot.py"),
            (
                "cmd[memory=2G, contest,processes=3]:./b",
                "cmd[contest,memory=2147483648,processes=3]:./b",
            ),
            (
                "cmd[folder=bots,read=/opt/x]:b",
                "cmd[folder=bots,read=/opt/x]:b",
            ),
        ];
        for (text, written) in rows {
            let bot: BotSpec = text.parse().expect(text);
            assert_eq!(bot.to_string(), written);
            assert_eq!(written.parse::<BotSpec>().unwrap(), bot);
        }
    }

    #[test]
    fn an_invalid_bot_is_an_error() {
        let rows = [
            ("cmd:", "there is no command"),
            ("cmd: ", "there is no command"),
            ("cmd[text:./b", "there is no command"),
            ("cmd:'b", "a quotation mark is not closed"),
            ("cmd[fast]:b", "`fast`: take text, contest"),
            ("cmd[memory=much]:b", "`memory=much`: give a size"),
            ("cmd[processes=0]:b", "`processes=0`: give a whole number"),
        ];
        for (text, expected) in rows {
            let error = text.parse::<BotSpec>().expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
