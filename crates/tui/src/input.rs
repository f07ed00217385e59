//! A single-line text input.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A text and its insertion point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TextInput {
    text: String,
    /// A byte index at a character boundary.
    at: usize,
}

impl TextInput {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        let text = text.into();
        Self {
            at: text.len(),
            text,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the insertion point.
    pub(crate) fn before(&self) -> &str {
        &self.text[..self.at]
    }

    /// Inserts a text; line breaks become spaces.
    pub(crate) fn insert(&mut self, text: &str) {
        let plain: String = text
            .trim_end()
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.text.insert_str(self.at, &plain);
        self.at += plain.len();
    }

    /// Handles an editing key. Returns whether it was one.
    pub(crate) fn key(&mut self, event: &KeyEvent) -> bool {
        let is_control = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Char('u') if is_control => {
                self.text.drain(..self.at);
                self.at = 0;
            }
            KeyCode::Char('w') if is_control => {
                let kept = self.before().trim_end();
                let start = kept.rfind(' ').map_or(0, |space| space + 1);
                self.text.drain(start..self.at);
                self.at = start;
            }
            KeyCode::Char('a') if is_control => self.at = 0,
            KeyCode::Char('e') if is_control => self.at = self.text.len(),
            KeyCode::Char(c) if !is_control && !event.modifiers.contains(KeyModifiers::ALT) => {
                self.text.insert(self.at, c);
                self.at += c.len_utf8();
            }
            KeyCode::Backspace => {
                let Some(letter) = self.before().chars().next_back() else {
                    return true;
                };
                self.at -= letter.len_utf8();
                self.text.remove(self.at);
            }
            KeyCode::Delete => {
                if self.at < self.text.len() {
                    self.text.remove(self.at);
                }
            }
            KeyCode::Left => {
                let letter = self.before().chars().next_back();
                self.at -= letter.map_or(0, char::len_utf8);
            }
            KeyCode::Right => {
                let letter = self.text[self.at..].chars().next();
                self.at += letter.map_or(0, char::len_utf8);
            }
            KeyCode::Home => self.at = 0,
            KeyCode::End => self.at = self.text.len(),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_edited() {
        for (keys, text, before) in [
            ("a b é", "abé", "abé"),
            ("a b Left c", "acb", "ac"),
            ("é Left Left Right Backspace b", "b", "b"),
            ("a b Home Delete c", "cb", "c"),
            ("a Backspace Backspace", "", ""),
            ("a Space b c Ctrl-W", "a ", "a "),
            ("a Space b Left Ctrl-U", "b", ""),
            ("a b Ctrl-A c Ctrl-E d", "cabd", "cabd"),
        ] {
            let mut input = TextInput::default();
            for key in keys.split(' ') {
                assert!(input.key(&crate::keys::event(key).unwrap()), "{key}");
            }
            assert_eq!((input.text(), input.before()), (text, before), "{keys}");
        }
    }

    #[test]
    fn pasted_lines_become_one() {
        let mut input = TextInput::new("open ");
        input.insert("bo$\n2bo$\n3o!\n");
        assert_eq!(input.text(), "open bo$ 2bo$ 3o!");
    }
}
