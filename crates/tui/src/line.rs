//! The command line and its completion.

use crate::input::TextInput;
use crate::keys::ACTION_KEYS;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use session::command::{ALL, entry};
use session::file_access::FileAccess;

/// A command while it is being typed.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommandLine {
    pub(crate) input: TextInput,
    /// The index of the inserted completion, and the text that was completed.
    cycle: Option<(usize, String)>,
    /// How many entries back in the history.
    back: usize,
    /// The typed text before going back in the history.
    draft_text: String,
    /// Why the last command failed.
    pub(crate) refused: Option<CommandFailure>,
}

/// Why a command failed, with a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandFailure {
    pub(crate) why: String,
    pub(crate) hint: Option<String>,
}

/// The result of a key on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CommandLineOutcome {
    /// Keep editing.
    Continue,
    /// Send the command.
    Sent(String),
    /// Close the line.
    Close,
}

/// A completion of the typed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Completion {
    /// The whole line with the completion.
    pub(crate) line: String,
    /// The displayed word.
    pub(crate) word: String,
    /// Its description.
    pub(crate) about: String,
}

impl CommandLine {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            input: TextInput::new(text),
            ..Self::default()
        }
    }

    pub(crate) fn key(
        &mut self,
        event: &KeyEvent,
        before: &[String],
        file_access: &FileAccess,
    ) -> CommandLineOutcome {
        match event.code {
            KeyCode::Esc => return CommandLineOutcome::Close,
            KeyCode::Backspace if self.input.text().is_empty() => return CommandLineOutcome::Close,
            KeyCode::Enter => {
                let text = self.input.text().trim();
                return match text.is_empty() {
                    true => CommandLineOutcome::Close,
                    false => CommandLineOutcome::Sent(text.to_string()),
                };
            }
            KeyCode::Tab | KeyCode::BackTab => {
                self.complete(event.code == KeyCode::Tab, file_access)
            }
            KeyCode::Up if self.back < before.len() => {
                if self.back == 0 {
                    self.draft_text = self.input.text().to_string();
                }
                self.back += 1;
                self.input = TextInput::new(before[before.len() - self.back].as_str());
                self.cycle = None;
            }
            KeyCode::Down if self.back > 0 => {
                self.back -= 1;
                let text = match self.back {
                    0 => self.draft_text.clone(),
                    back => before[before.len() - back].clone(),
                };
                self.input = TextInput::new(text);
                self.cycle = None;
            }
            _ => {
                self.input.key(event);
                self.cycle = None;
                self.refused = None;
            }
        }
        CommandLineOutcome::Continue
    }

    /// Inserts the next completion in place of the last word.
    fn complete(&mut self, forward: bool, file_access: &FileAccess) {
        let completions = self.completions(file_access);
        if completions.is_empty() {
            return;
        }
        let (next, typed) = match self.cycle.take() {
            Some((at, typed)) if forward => ((at + 1) % completions.len(), typed),
            Some((at, typed)) => ((at + completions.len() - 1) % completions.len(), typed),
            None => {
                let first = if forward { 0 } else { completions.len() - 1 };
                (first, self.input.text().to_string())
            }
        };
        let is_only = completions.len() == 1;
        self.input = TextInput::new(completions[next].line.clone());
        self.refused = None;
        self.cycle = (!is_only).then_some((next, typed));
    }

    /// The index of the inserted completion.
    pub(crate) fn chosen(&self) -> Option<usize> {
        self.cycle.as_ref().map(|(at, _)| *at)
    }

    /// The completions of the typed text.
    pub(crate) fn completions(&self, file_access: &FileAccess) -> Vec<Completion> {
        let typed = match &self.cycle {
            Some((_, typed)) => typed.as_str(),
            None => self.input.text(),
        };
        completions(typed, file_access)
    }
}

fn completions(typed: &str, file_access: &FileAccess) -> Vec<Completion> {
    let typed = typed.trim_start();
    if let Some(rest) = typed.strip_prefix("anyway ") {
        let mut completions = completions(rest, file_access);
        completions
            .iter_mut()
            .for_each(|completion| completion.line.insert_str(0, "anyway "));
        return completions;
    }
    let Some((name, rest)) = typed.split_once(' ') else {
        return names(typed);
    };
    let Some(entry) = entry(name) else {
        return Vec::new();
    };
    let rest = rest.trim_start();
    let (words, last): (Vec<(String, String)>, &str) = match name {
        "open" => (patterns(file_access), rest),
        "rule" => (rules(file_access), rest),
        _ => {
            let begins = rest.rfind(' ').map_or(0, |space| space + 1);
            (alternatives(entry.usage), &rest[begins..])
        }
    };
    let draft_text = &typed[..typed.len() - last.len()];
    let wanted = last.to_lowercase();
    let starts = |word: &str| word.to_lowercase().starts_with(&wanted);
    let (first, others): (Vec<_>, Vec<_>) = words.into_iter().partition(|(word, _)| starts(word));
    // Names also match in the middle.
    let inside = others
        .into_iter()
        .filter(|(word, _)| wanted.len() > 1 && word.to_lowercase().contains(&wanted));
    let completion = |(word, about): (String, String)| Completion {
        line: format!("{draft_text}{word}"),
        word,
        about,
    };
    let is_new = |completion: &Completion| completion.word != last;
    first
        .into_iter()
        .chain(inside)
        .map(completion)
        .filter(is_new)
        .collect()
}

/// The commands whose names start with the typed text.
fn names(typed: &str) -> Vec<Completion> {
    // A word of the terminal's own comes before a command of that name.
    let is_own = |name: &str| ACTION_KEYS.iter().any(|key| key.word == name);
    let of_session = ALL.iter().filter(move |entry| !is_own(entry.name));
    let of_session = of_session.map(|entry| Completion {
        line: match entry.usage {
            "" => entry.name.to_string(),
            _ => format!("{} ", entry.name),
        },
        word: format!("{} {}", entry.name, entry.usage)
            .trim_end()
            .to_string(),
        about: entry.help.to_string(),
    });
    let own = ACTION_KEYS
        .iter()
        .filter(|key| !key.word.is_empty())
        .map(|key| Completion {
            line: key.word.to_string(),
            word: key.word.to_string(),
            about: key.help.to_string(),
        });
    of_session
        .chain(own)
        .filter(|completion| completion.line.starts_with(typed) && completion.line != typed)
        .collect()
}

/// The literal words of a usage text.
fn alternatives(usage: &str) -> Vec<(String, String)> {
    let is_word = |word: &&str| {
        let is_plain = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        !word.is_empty() && is_plain
    };
    let words = usage.split(|c: char| c == '|' || c == '[' || c == ']' || c.is_whitespace());
    let mut found: Vec<(String, String)> = Vec::new();
    for word in words.filter(is_word) {
        if found.iter().all(|(known, _)| known != word) {
            found.push((word.to_string(), String::new()));
        }
    }
    found
}

/// Pattern names: files, then the library.
fn patterns(file_access: &FileAccess) -> Vec<(String, String)> {
    let files = file_access
        .names()
        .into_iter()
        .map(|name| (name, "a file".into()));
    let library = pattern::library::all().iter();
    let library = library.map(|entry| (entry.name.to_string(), entry.kind.to_string()));
    files.chain(library).collect()
}

/// Named rules.
pub(crate) fn rules(file_access: &FileAccess) -> Vec<(String, String)> {
    let files = file_access.rule_names().into_iter();
    let files = files.map(|name| (name, "a rule file".into()));
    let named = rule::named_rules().iter();
    let named = named.map(|named| (named.name.to_string(), named.about.to_string()));
    named.chain(files).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_in(line: &mut CommandLine, keys: &str) -> CommandLineOutcome {
        let mut typed = CommandLineOutcome::Continue;
        for key in keys.split(' ') {
            let event = crate::keys::event(key).unwrap();
            typed = line.key(
                &event,
                &["goto 5".into(), "undo".into()],
                &FileAccess::default(),
            );
        }
        typed
    }

    #[test]
    fn words_are_completed() {
        for (start, keys, text) in [
            ("st", "Tab", "stop"),
            ("st", "Tab Tab", "step "),
            ("st", "Shift-Tab", "stride "),
            ("theme ", "Tab", "theme paper"),
            ("theme ", "Tab Tab Shift-Tab", "theme paper"),
            ("tool se", "Tab", "tool select"),
            ("open gosp", "Tab", "open gosper-glider-gun"),
            ("open der-gun", "Tab Tab", "open simkin-glider-gun"),
            ("rule highl", "Tab", "rule HighLife"),
            ("zoom in ", "Tab", "zoom in in"),
            ("anyway ne", "Tab", "anyway new"),
            ("libr", "Tab", "library"),
            ("nothing here", "Tab", "nothing here"),
            ("x", "Up", "undo"),
            ("x", "Up Up Up", "goto 5"),
            ("x", "Up Up Down Down", "x"),
        ] {
            let mut line = CommandLine::new(start);
            assert_eq!(type_in(&mut line, keys), CommandLineOutcome::Continue);
            assert_eq!(line.input.text(), text, "{start} {keys}");
        }
    }

    #[test]
    fn a_line_is_sent_or_left() {
        let sent = CommandLineOutcome::Sent("run".into());
        assert_eq!(type_in(&mut CommandLine::new(" run "), "Enter"), sent);
        assert_eq!(
            type_in(&mut CommandLine::new("run"), "Escape"),
            CommandLineOutcome::Close
        );
        assert_eq!(
            type_in(&mut CommandLine::new(""), "Enter"),
            CommandLineOutcome::Close
        );
        assert_eq!(
            type_in(&mut CommandLine::new("a"), "Backspace Backspace"),
            CommandLineOutcome::Close
        );
    }
}
