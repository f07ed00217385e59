//! A command as text: what is read is written as a text that is read as the same command, and
//! what is not read is told in words, with a hint.

use super::{bytes_of, words_of};
use crate::Target;
use session::Command;
use session::command::ALL;

pub(super) const COMMAND: Target = Target {
    name: "command",
    check: |bytes| check(&String::from_utf8_lossy(bytes)),
    seeds: || bytes_of(&examples()),
    words: || words_of(examples()),
    gate_runs: 20_000,
};

/// A text for each way to say each command.
pub(super) fn examples() -> Vec<&'static str> {
    ALL.iter()
        .flat_map(|entry| entry.examples.iter().copied())
        .collect()
}

fn check(text: &str) {
    match text.parse::<Command>() {
        Ok(command) => {
            let written = command.to_string();
            let again: Command = written
                .parse()
                .unwrap_or_else(|error| panic!("{text:?} was written as {written:?}: {error}"));
            assert_eq!(again, command, "{text:?} was written as {written:?}");
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            let _ = error.hint();
        }
    }
}
