//! Line-based prompts in the terminal.

use crate::failure::CliFailure;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

/// Prints questions on standard error and reads answers from standard input, one per line.
pub(crate) struct ConsolePrompt {
    input: io::StdinLock<'static>,
    /// Whether standard input is a terminal.
    pub(crate) is_person: bool,
}

impl ConsolePrompt {
    pub(crate) fn new() -> Self {
        Self {
            input: io::stdin().lock(),
            is_person: io::stdin().is_terminal(),
        }
    }

    pub(crate) fn say(&self, text: &str) {
        // An unwritable standard error cannot be reported.
        let _ = io::stderr().write_all(text.as_bytes());
    }

    /// Prints a question and reads the next line; `None` at the end of the input.
    pub(crate) fn ask(&mut self, question: &str) -> Result<Option<String>, CliFailure> {
        if self.is_person {
            self.say(question);
        }
        let mut line = Vec::new();
        let read = self.input.read_until(b'\n', &mut line);
        let length = read.map_err(|e| CliFailure::io("standard input", &e))?;
        Ok((length > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }
}
