//! The options that follow a game's name.

/// What is wrong with an option of a game: one that is given, or that is missing.
#[derive(Debug)]
pub(crate) struct OptionError {
    pub(crate) game: &'static str,
    /// The option as it was given.
    pub(crate) item: Option<String>,
    pub(crate) problem: String,
}

/// The options that follow a game's name, `16x16,column=or`: bare words and pairs.
#[derive(Debug)]
pub(crate) struct Options<'a> {
    game: &'static str,
    notation: &'static str,
    items: Vec<&'a str>,
}

impl<'a> Options<'a> {
    pub(crate) fn new(game: &'static str, notation: &'static str, text: &'a str) -> Self {
        let items = text.split(',').map(str::trim);
        Self {
            game,
            notation,
            items: items.filter(|item| !item.is_empty()).collect(),
        }
    }

    /// The next bare word, taken out.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let at = self.items.iter().position(|item| !item.contains('='))?;
        Some(self.items.remove(at))
    }

    /// The value of an option, taken out: `or` for `column` in `column=or`.
    pub(crate) fn value(&mut self, key: &str) -> Option<&'a str> {
        let at = self.items.iter().position(|item| {
            item.split_once('=')
                .is_some_and(|(name, _)| name.trim() == key)
        })?;
        let (_, value) = self.items.remove(at).split_once('=')?;
        Some(value.trim())
    }

    /// The value of an option that is one of some words: the word's place in `words`.
    ///
    /// # Errors
    /// It is none of them.
    pub(crate) fn choice(
        &mut self,
        key: &str,
        words: &[&str],
    ) -> Result<Option<usize>, OptionError> {
        let Some(value) = self.value(key) else {
            return Ok(None);
        };
        match words.iter().position(|word| *word == value) {
            Some(at) => Ok(Some(at)),
            None => Err(self.wrong(
                &format!("{key}={value}"),
                format!("take {}", words.join(" or ")),
            )),
        }
    }

    /// An error about one of the options.
    pub(crate) fn wrong(&self, item: &str, problem: impl Into<String>) -> OptionError {
        OptionError {
            game: self.game,
            item: Some(item.into()),
            problem: problem.into(),
        }
    }

    /// An error about an option that is not there.
    pub(crate) fn missing(&self, problem: impl Into<String>) -> OptionError {
        OptionError {
            game: self.game,
            item: None,
            problem: problem.into(),
        }
    }

    pub(crate) fn finish(self) -> Result<(), OptionError> {
        match self.items.first() {
            None => Ok(()),
            Some(item) if self.notation.is_empty() => {
                Err(self.wrong(item, "this game has no options"))
            }
            Some(item) => Err(self.wrong(item, format!("write {}", self.notation))),
        }
    }
}
