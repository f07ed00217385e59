//! The command `compare`: it is about two worlds, and no session knows of another one.

use session::command::Switch;

/// The reply to a comparison with nothing.
const USAGE: &str =
    "compare with what: the list of all worlds has a button for each, and `compare off` ends it";

/// What `compare` is to change.
///
/// ```
/// use session::command::Switch;
/// use wire::ComparisonCommand;
///
/// let read = |text| ComparisonCommand::read(text).expect("it is this command");
/// assert_eq!(read("compare off"), Ok(ComparisonCommand::Off));
/// assert_eq!(read("compare together"), Ok(ComparisonCommand::Together(Switch::On)));
/// assert!(read("compare").is_err(), "with what");
/// assert!(ComparisonCommand::read("step 7").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparisonCommand {
    /// No world is compared any more.
    Off,
    /// Whether the compared world goes along.
    Together(Switch),
    /// Another world is laid over this one.
    With {
        /// The world.
        id: String,
        /// The key that opens it, for visitors of a server.
        key: Option<String>,
    },
}

impl ComparisonCommand {
    /// Reads a command where it is this one.
    ///
    /// # Errors
    /// Says how it is used.
    #[must_use]
    pub fn read(text: &str) -> Option<Result<Self, &'static str>> {
        let words = text.trim().strip_prefix("compare")?;
        if !words.is_empty() && !words.starts_with(char::is_whitespace) {
            return None;
        }
        let words: Vec<&str> = words.split_whitespace().collect();
        Some(match words[..] {
            ["off"] => Ok(Self::Off),
            ["together"] | ["together", "on"] => Ok(Self::Together(Switch::On)),
            ["together", "off"] => Ok(Self::Together(Switch::Off)),
            ["together", "toggle"] => Ok(Self::Together(Switch::Toggle)),
            [id] => Ok(Self::With {
                id: id.into(),
                key: None,
            }),
            [id, key] => Ok(Self::With {
                id: id.into(),
                key: Some(key.into()),
            }),
            _ => Err(USAGE),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_words_are_read() {
        let with = |id: &str, key: Option<&str>| {
            Some(Ok(ComparisonCommand::With {
                id: id.into(),
                key: key.map(String::from),
            }))
        };
        let together = |switch| Some(Ok(ComparisonCommand::Together(switch)));
        let rows = [
            ("compare 7", with("7", None)),
            (" compare  7  key ", with("7", Some("key"))),
            ("compare off", Some(Ok(ComparisonCommand::Off))),
            ("compare together off", together(Switch::Off)),
            ("compare together toggle", together(Switch::Toggle)),
            ("compare together on", together(Switch::On)),
            // a world of that name, and a key
            ("compare together 7", with("together", Some("7"))),
            ("compare", Some(Err(USAGE))),
            ("compare a b c", Some(Err(USAGE))),
            ("compared 7", None),
            ("step", None),
        ];
        for (text, expected) in rows {
            assert_eq!(ComparisonCommand::read(text), expected, "{text}");
        }
    }
}
